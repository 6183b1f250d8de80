"""A result in a notebook: its tables as HTML, and charts by name."""

from __future__ import annotations

from typing import Any

from goodmeasure.evaluation.result import Result
from goodmeasure.report.charts import classes_chart, confusion_chart, measures_chart
from goodmeasure.report.contents import contents
from goodmeasure.report.document import Chart, Document, Section
from goodmeasure.report.html import fragment
from goodmeasure.report.system_charts import agreement_chart, ranks_chart

OF_ONE = {"measures": measures_chart, "classes": classes_chart, "confusion": confusion_chart}
OF_ALL = {"ranks": ranks_chart, "agreement": agreement_chart}
_MIME = "application/vnd.vegalite.v6+json"


class VegaLite(dict[str, Any]):
    """A Vega-Lite specification that notebooks draw."""

    alt = ""

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        older = {**self, "$schema": self["$schema"].replace("v6", "v5")}  # what most notebooks know
        return {_MIME: dict(self), "application/vnd.vegalite.v5+json": older, "text/plain": self.alt}


def chart(result: Result, name: str, system: str | None = None) -> VegaLite:
    """One chart of a result as a specification: measures, classes, confusion (of one system), ranks, agreement."""
    if name not in (*OF_ONE, *OF_ALL):
        raise ValueError(f"{name!r} is no chart: use {', '.join(map(repr, (*OF_ONE, *OF_ALL)))}")
    found = OF_ONE[name](result.part(system), result, "") if name in OF_ONE else OF_ALL[name](result)
    if found is None:
        raise ValueError(f"there is nothing to draw for {name!r}: {_why(name)}")
    spec = VegaLite({**found.spec, "title": found.title, "description": found.alt})
    spec.alt = found.alt
    return spec


def _why(name: str) -> str:
    if name in OF_ALL:
        return "it needs several systems and measures"
    return "it needs values that are defined, and at most a hundred classes"


def as_html(result: Result) -> str:
    """The summary and the scorecards, as a piece of a page without any script."""
    document = contents(result)
    keep = [document.section(key) for key in ("summary", "scorecard")]
    sections = [Section(x.key, x.title, tuple(b for b in x.blocks if not isinstance(b, Chart))) for x in keep]
    return fragment(Document(document.title, tuple(sections)))
