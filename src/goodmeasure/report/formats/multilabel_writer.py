"""How a comparison of multilabel systems is written: HTML, Markdown, LaTeX, JSON, CSV and in notebooks."""

from __future__ import annotations

import json

from goodmeasure import __version__
from goodmeasure.comparison.multilabel_comparison import DIFFERENCES, SCORES, MultilabelComparison
from goodmeasure.evaluation.writing import writes
from goodmeasure.exceptions import InputTypeError
from goodmeasure.report.content.multilabel import multilabel_contents, multilabel_screen
from goodmeasure.report.document import Document
from goodmeasure.report.formats.json_data import gate_data, plain
from goodmeasure.report.formats.notebook import VegaLite
from goodmeasure.report.formats.report_writer import ReportWriter
from goodmeasure.report.formats.tabular import as_frame, rows_as_csv
from goodmeasure.typing import Frame, Namespace

SCHEMA = "goodmeasure/multilabel-comparison/1"
_KINDS = {"differences": DIFFERENCES, "scores": SCORES}


@writes(MultilabelComparison)
class MultilabelWriter(ReportWriter[MultilabelComparison]):
    """Writes a comparison of multilabel systems; CSV holds the differences."""

    def document(self) -> Document:
        return multilabel_contents(self.result)

    def screen(self) -> Document:
        return multilabel_screen(self.result)

    def json(self) -> str:
        found = self.result
        data = {
            "schema": SCHEMA,
            "goodmeasure": __version__,
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
        return json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def csv(self) -> str:
        return rows_as_csv(DIFFERENCES, list(self.result.differences))

    def frame(self, kind: str, rows: str = "") -> Frame:
        columns, listed = _KINDS[rows or "differences"], getattr(self.result, rows or "differences")
        return as_frame({name: [row[name] for row in listed] for name in columns}, kind)

    def chart(self, name: str, system: str | None = None) -> VegaLite:
        raise InputTypeError("a comparison of multilabel systems has no charts", argument="name")

    def plots(self) -> Namespace:
        raise InputTypeError("a comparison of multilabel systems has no plots", argument="plot")
