"""How a comparison of systems is written: HTML, Markdown, LaTeX, JSON, CSV, data frames and print()."""

from __future__ import annotations

from dataclasses import asdict

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.significance import DIFFERENCES
from goodmeasure.evaluation.writing import writes
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.report.charts.matplotlib_figures import ComparisonPlots
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.comparison import comparison_contents
from goodmeasure.report.content.multilabel import multilabel_contents, multilabel_screen
from goodmeasure.report.document import Document
from goodmeasure.report.formats.json_data import claims_data, gate_data, plain, positive_data
from goodmeasure.report.formats.notebook import OF_COMPARISON, VegaLite, chart
from goodmeasure.report.formats.report_writer import ReportWriter
from goodmeasure.report.formats.tabular import as_frame, rows_as_csv
from goodmeasure.report.formats.terminal import REST
from goodmeasure.typing import Frame


def comparison_data(found: Comparison) -> dict[str, object]:
    """Return the entries of a comparison's JSON that are for other programs."""
    s = found.settings
    return {
        "source": {name: plain(value) for name, value in asdict(found.source).items()},
        "settings": {
            "measures": list(found.measures),
            "ensemble": None if s.ensemble is None else list(s.ensemble.names),
            "pairs": s.pairs, "confidence": s.confidence, "seed": s.seed, "method": s.method,
            "replicates": s.replicates, "undefined": str(s.policy), "correct": s.correct, "margin": s.margin,
        },
        "claims": _claims(found),
        "systems": list(found.systems),
        "labels": [] if found.source.of_outcomes else plain(found.labels),
        **positive_data(found.source, found.labels),
        "items": found.items,
        **{name: [plain(row) for row in found.all_rows(name)] for name in found.columns},
        "best": plain(found.leaders),
        "winners": plain(found.winners),
        "slices": [
            {"slice": plain(where), "items": part.items, "best": plain(part.leaders), "winners": plain(part.winners),
             "notes": list(part.notes)}
            for where, part in found.slices.items()
        ],
        "notes": list(found.notes),
        **gate_data(found.gate),
    }  # fmt: skip


def _claims(found: Comparison) -> dict[str, object]:
    s = found.settings
    return claims_data(s.page, s.confidence, {} if s.page is None else {DIFFERENCES: s.share})


class ComparisonWriter(ReportWriter[Comparison]):
    """Writes a comparison; CSV holds the differences."""

    @built_once  # for all formats that are written at the same time
    def document(self) -> Document:
        return comparison_contents(self.result)

    def screen(self) -> Document:
        from goodmeasure.report.content.screen import comparison_screen  # imported late, as it loads the atlas

        return comparison_screen(self.result, REST)

    def short(self) -> Document:
        from goodmeasure.report.content.short_screen import short_comparison

        return short_comparison(self.result)

    def readable(self) -> dict[str, object]:
        return comparison_data(self.result)

    def csv(self) -> str:
        return rows_as_csv(self.result.columns["differences"], self.result.all_rows("differences"))

    def chart(self, name: str, system: str | None = None) -> VegaLite:
        return chart(OF_COMPARISON, self.result, name)

    def plots(self) -> ComparisonPlots:
        return ComparisonPlots(self.result)

    def statement(self, format: str) -> str:
        from goodmeasure.report.content.metric_statement import comparison_statement

        return comparison_statement(self.result, format)

    def frame(self, kind: str, rows: str = "differences") -> Frame:
        columns = self.result.columns
        if not isinstance(rows, str) or rows not in columns:
            raise InputError(
                "{argument} is {got!r}",
                argument="rows",
                got=rows,
                known=", ".join(map(repr, columns)),
                advice="use {known}",
            )
        listed = self.result.all_rows(rows)
        return as_frame({name: [row[name] for row in listed] for name in columns[rows]}, kind)


class AveragesWriter(ComparisonWriter):
    """Writes a comparison of systems that give several labels to an item."""

    @built_once
    def document(self) -> Document:
        return multilabel_contents(self.result)

    def screen(self) -> Document:
        return multilabel_screen(self.result)

    def short(self) -> Document:
        return multilabel_screen(self.result)

    def readable(self) -> dict[str, object]:
        found = self.result
        return {
            "claims": _claims(found),
            "systems": list(found.systems),
            "labels": plain(found.labels),
            "items": found.items,
            "confidence": found.confidence,
            "correct": found.correct,
            "scores": [plain(x) for x in found.scores],
            "differences": [plain(x) for x in found.differences],
            "notes": list(found.notes),
            **gate_data(found.gate),
        }

    def chart(self, name: str, system: str | None = None) -> VegaLite:
        raise InputTypeError("a comparison of multilabel systems has no charts", argument="name")

    def plots(self) -> ComparisonPlots:
        raise InputTypeError("a comparison of multilabel systems has no plots", argument="plot")

    def statement(self, format: str) -> str:
        raise InputTypeError("a comparison of multilabel systems has no statement", argument="format")


@writes(Comparison)
def comparison_writer(found: Comparison) -> ComparisonWriter:
    """Return what writes a comparison: of averages over labels, or of measures."""
    return AveragesWriter(found) if found.of_averages else ComparisonWriter(found)
