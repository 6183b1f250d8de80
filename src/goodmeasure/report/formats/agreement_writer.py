"""How judges, raters and preferences are written: in every format, and in notebooks."""

from __future__ import annotations

import json
from dataclasses import fields

from goodmeasure import __version__
from goodmeasure.evaluation.judges.judge import Judge
from goodmeasure.evaluation.writing import writes
from goodmeasure.exceptions import InputError
from goodmeasure.report.content.judges import judge_contents
from goodmeasure.report.document import Document
from goodmeasure.report.formats.json_data import plain
from goodmeasure.report.formats.notebook import VegaLite
from goodmeasure.report.formats.report_writer import ReportWriter
from goodmeasure.report.formats.tabular import rows_as_csv
from goodmeasure.typing import Namespace

Agreement = Judge
_CONTENTS = {Judge: judge_contents}


@writes(Judge)
class AgreementWriter(ReportWriter[Agreement]):
    """Writes how far those who label items agree; CSV holds the rows of the main table."""

    def document(self) -> Document:
        return _CONTENTS[type(self.result)](self.result)

    def screen(self) -> Document:
        return self.document()

    def json(self) -> str:
        held = {x.name: _listed(getattr(self.result, x.name)) for x in fields(self.result)}
        kind = type(self.result).__name__.lower()
        data = {"schema": f"goodmeasure/{kind}/1", "goodmeasure": __version__, **held, "lines": self.result.lines()}
        return json.dumps(plain(data), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def csv(self) -> str:
        names, *rows = self.result.rows()
        return rows_as_csv(names, [dict(zip(names, row, strict=True)) for row in rows])

    def chart(self, name: str, system: str | None = None) -> VegaLite:
        raise InputError("{got!r} is not a chart", argument="name", got=name, advice="there are none of these")

    def plots(self) -> Namespace:
        raise InputError("there are no figures of these", argument="plot", advice="to_html() has tables")


def _listed(x: object) -> object:
    return x.tolist() if hasattr(x, "tolist") else x
