"""How judges, raters and preferences are written: in every format, and in notebooks."""

from __future__ import annotations

from goodmeasure.evaluation.judges.judge import Judge
from goodmeasure.evaluation.raters.preferences import Preferences
from goodmeasure.evaluation.raters.raters import Raters
from goodmeasure.evaluation.writing import writes
from goodmeasure.exceptions import InputError
from goodmeasure.report.content.judges import judge_contents
from goodmeasure.report.content.raters import preferences_contents, raters_contents
from goodmeasure.report.document import Document
from goodmeasure.report.formats.notebook import VegaLite
from goodmeasure.report.formats.report_writer import ReportWriter
from goodmeasure.report.formats.tabular import rows_as_csv
from goodmeasure.typing import Namespace

Labellers = Judge | Raters | Preferences


@writes(Judge)
@writes(Raters)
@writes(Preferences)
class AgreementWriter(ReportWriter[Labellers]):
    """Writes how far those who label items agree; CSV holds the rows of the main table."""

    def document(self) -> Document:
        result = self.result
        if isinstance(result, Judge):
            return judge_contents(result)
        return raters_contents(result) if isinstance(result, Raters) else preferences_contents(result)

    def screen(self) -> Document:
        return self.document()

    def readable(self) -> dict[str, object]:
        names, *rows = self.result.rows()
        return {"found": self.result.lines(), "table": [dict(zip(names, row, strict=True)) for row in rows]}

    def csv(self) -> str:
        names, *rows = self.result.rows()
        return rows_as_csv(names, [dict(zip(names, row, strict=True)) for row in rows])

    def chart(self, name: str, system: str | None = None) -> VegaLite:
        raise InputError("{got!r} is not a chart", argument="name", got=name, advice="there are none of these")

    def plots(self) -> Namespace:
        raise InputError("there are no figures of these", argument="plot", advice="to_html() has tables")
