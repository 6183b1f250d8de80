"""How a result of `evaluate` is written: in every format, in notebooks and by print()."""

from __future__ import annotations

from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.writing import writes
from goodmeasure.report.charts.matplotlib_figures import Plots
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.document import Document
from goodmeasure.report.formats.json_data import evaluation_data
from goodmeasure.report.formats.notebook import OF_RESULT, VegaLite, chart
from goodmeasure.report.formats.report_writer import ReportWriter
from goodmeasure.report.formats.tabular import to_csv, to_frame
from goodmeasure.report.formats.terminal import REST
from goodmeasure.typing import Frame


@writes(Result)
class ResultWriter(ReportWriter[Result]):
    """Writes the result of an evaluation; CSV holds its table.

    The atlas of proved properties is loaded only when a report is written: JSON and CSV do not need it.
    """

    @built_once  # computed once for all formats that are written together
    def document(self) -> Document:
        from goodmeasure.report.content.evaluation import contents

        return contents(self.result)

    def notebook(self) -> Document:
        from goodmeasure.report.content.evaluation import body

        return body(self.result)

    def screen(self) -> Document:
        from goodmeasure.report.content.screen import evaluation_screen

        return evaluation_screen(self.result, REST)

    def short(self) -> Document:
        from goodmeasure.report.content.short_screen import short_evaluation

        return short_evaluation(self.result)

    @property
    def most_lines(self) -> int:
        return 24 if len(self.result.systems) == 1 else 0

    def readable(self) -> dict[str, object]:
        return evaluation_data(self.result)

    def csv(self) -> str:
        return to_csv(self.result)

    def chart(self, name: str, system: str | None = None) -> VegaLite:
        return chart(OF_RESULT, self.result, name, system)

    def plots(self) -> Plots:
        return Plots(self.result)

    def frame(self, kind: str, rows: str = "") -> Frame:
        return to_frame(self.result, kind)

    def statement(self, format: str) -> str:
        from goodmeasure.report.content.metric_statement import statement  # imported late, as it loads the atlas

        return statement(self.result, format)
