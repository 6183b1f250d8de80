"""How a sweep is written: HTML, Markdown, LaTeX, JSON, CSV and in notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.positive_class import how_chosen
from goodmeasure.evaluation.thresholds.best import Best
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.evaluation.thresholds.thinning import FEW
from goodmeasure.evaluation.writing import writes
from goodmeasure.report.charts.matplotlib_figures import SweepPlots
from goodmeasure.report.charts.score_curves import NAMES as SCORE_CHARTS
from goodmeasure.report.charts.score_curves import NEEDS, score_chart
from goodmeasure.report.charts.thresholds import thresholds_chart
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.score_charts import swept_scores
from goodmeasure.report.content.thresholds import sweep_contents
from goodmeasure.report.document import Chart, Document
from goodmeasure.report.formats.json_data import gate_data, plain
from goodmeasure.report.formats.notebook import OF_THRESHOLDS, THRESHOLDS, NamedChart, VegaLite, chart
from goodmeasure.report.formats.report_writer import ReportWriter
from goodmeasure.report.formats.tabular import rows_as_csv
from goodmeasure.report.numbers import group_text

USUAL = 0.95  # the default confidence level
_COLUMNS = ("group", "measure", "threshold", "low", "high", "value", "honest", "value_low", "value_high")


def sweep_data(found: Sweep, bests: list[Best], points: int = FEW) -> dict[str, object]:
    """Return the best thresholds and the curves as dicts and lists."""
    return {
        "positive": plain(found.positive),
        "positive_chosen": how_chosen(found.source, found.positive),
        "warnings": [plain(x.to_dict()) for x in found.warnings],
        "best": [{**_row(x), "counts": plain(x.matrix.counts.tolist())} for x in bests],
        "curves": [_curve(found, f, group, points) for group in found.groups for f in found.measures],
        **gate_data(found.gate),
    }


def _row(best: Best) -> dict[str, object]:
    group = None if best.group is None else group_text(best.group)
    return {"group": group, **{name: plain(getattr(best, name)) for name in _COLUMNS[1:]}}


def _curve(found: Sweep, f: Measure, group: object, points: int) -> dict[str, object]:
    curve = found.curve(f, group=group, points=points)
    return {
        "group": None if group is None else group_text(group), "measure": f.name,
        "thresholds": plain(curve.thresholds.tolist()), "values": plain(curve.values.tolist()),
    }  # fmt: skip


@writes(Sweep)
class SweepWriter(ReportWriter[Sweep]):
    """Writes a sweep; CSV holds the best thresholds, whose intervals depend on the confidence level and the seed."""

    def __init__(self, result: Sweep, confidence: float = USUAL, seed: int = 0) -> None:
        super().__init__(result)
        self.confidence, self.seed = confidence, seed

    def bests(self) -> list[Best]:
        """Return the best threshold of every measure, with its interval."""
        return self.result.bests(self.confidence, self.seed)

    @built_once  # for all formats that are written at the same time
    def document(self) -> Document:
        return sweep_contents(self.result, self.bests(), self.confidence, self.seed)

    def screen(self) -> Document:
        from goodmeasure.report.content.screen import sweep_screen  # imported late, as it loads the atlas

        return sweep_screen(self.result, self.bests(), self.confidence)

    def readable(self) -> dict[str, object]:
        return sweep_data(self.result, self.bests())

    def csv(self) -> str:
        return rows_as_csv(_COLUMNS, [_row(x) for x in self.bests()])

    def chart(self, name: str, system: str | None = None) -> VegaLite:
        return chart(OF_SWEEP, self, name)

    def plots(self) -> SweepPlots:
        return SweepPlots(self.result)


def _of_scores(name: str) -> NamedChart[SweepWriter]:
    def draw(writer: SweepWriter, _system: str | None) -> Chart | None:
        given = swept_scores(writer.result, writer.confidence, writer.seed)
        return score_chart(given, name) if given.systems else None

    return NamedChart(draw, NEEDS[name])


OF_SWEEP: Mapping[str, NamedChart[SweepWriter]] = {
    THRESHOLDS: NamedChart(lambda writer, system: thresholds_chart(writer.result, writer.bests()), OF_THRESHOLDS),
    **{name: _of_scores(name) for name in SCORE_CHARTS},
}


def save_sweeps(found: Sweep, paths: Sequence[str], confidence: float, seed: int, title: str | None = None) -> None:
    """Write several files, each in the format of its ending: all of them or none."""
    SweepWriter(found, confidence, seed).save(paths, title)
