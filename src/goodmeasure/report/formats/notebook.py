"""Charts by name, as objects that notebooks draw."""

from __future__ import annotations

from collections.abc import Sequence

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.result import Result
from goodmeasure.exceptions import InputError
from goodmeasure.report.charts.confusion import confusion_chart
from goodmeasure.report.charts.differences import differences_chart
from goodmeasure.report.charts.score_curves import DECISION, RELIABILITY, DrawnScores, score_chart
from goodmeasure.report.charts.score_curves import NAMES as SCORE_CHARTS
from goodmeasure.report.charts.scorecard import classes_chart, measures_chart
from goodmeasure.report.charts.systems import Standing, correlations_chart, orders_chart, ranks_chart
from goodmeasure.report.content.comparison_tables import in_order
from goodmeasure.report.content.prevalence import prevalence_chart
from goodmeasure.report.content.score_charts import drawn_scores
from goodmeasure.report.content.thresholds import thresholds_chart
from goodmeasure.report.document import Chart
from goodmeasure.report.visible_text import visible_data
from goodmeasure.typing import ChartSpec

OF_ONE = {"measures": measures_chart, "classes": classes_chart, "confusion": confusion_chart}
OF_ALL = {
    "ranks": lambda result: ranks_chart(Standing.of_result(result)),
    "agreement": lambda result: orders_chart(Standing.of_result(result)),
    "prevalence": prevalence_chart,
}
OF_COMPARISON = {
    "ranks": lambda found: ranks_chart(Standing.of_comparison(found)),
    "differences": lambda found: differences_chart(found, in_order(found)),
    "agreement": correlations_chart,
}
THRESHOLDS = "thresholds"
_MIME = "application/vnd.vegalite.v6+json"


class VegaLite(ChartSpec):
    """A Vega-Lite specification that notebooks draw."""

    alt = ""

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        older = {**self, "$schema": self["$schema"].replace("v6", "v5")}  # the version that most notebooks support
        return {_MIME: dict(self), "application/vnd.vegalite.v5+json": older, "text/plain": self.alt}


def chart(result: Result, name: str, system: str | None = None) -> VegaLite:
    """Return one chart of a result, for one system or for all."""
    check_name(name, (*OF_ONE, *OF_ALL, *(() if result.scored is None else SCORE_CHARTS), *_swept(result)))
    if name in SCORE_CHARTS:
        return score_specification(drawn_scores(result), name)
    if name == THRESHOLDS and result.swept is not None:
        level = result.settings.confidence
        return specification(thresholds_chart(result.swept, result.swept.bests(level, result.settings.seed)), name)
    if name in OF_ONE:
        return specification(OF_ONE[name](result.part(system), result), name)
    return specification(OF_ALL[name](result), name)


def _swept(result: Result) -> tuple[str, ...]:
    return () if result.swept is None else (THRESHOLDS,)


def score_specification(given: DrawnScores, name: str) -> VegaLite:
    """Return one chart of scores as a stand-alone specification."""
    return specification(score_chart(given, name) if given.systems else None, name)


def comparison_chart(found: Comparison, name: str) -> VegaLite:
    """Return one chart of a comparison: ranks, differences or agreement."""
    check_name(name, tuple(OF_COMPARISON))
    return specification(OF_COMPARISON[name](found), name)


def check_name(name: str, known: Sequence[str]) -> None:
    """Raise an error if there is no chart of this name."""
    if name not in known:
        raise InputError("{name!r} is not a chart", name=name, known=", ".join(map(repr, known)), advice="use {known}")


def specification(found: Chart | None, name: str) -> VegaLite:
    """Return a chart as a stand-alone specification."""
    if found is None:
        raise InputError("there is nothing to draw for {name!r}: {why}", name=name, why=_why(name))
    spec = VegaLite(visible_data({**found.spec, "title": found.title, "description": found.alt}))
    spec.alt = found.alt
    return spec


def _why(name: str) -> str:
    if name in OF_ONE:
        return "it needs values that are defined, and at most a hundred classes"
    other = {"differences": "it needs several systems", "prevalence": "it needs two classes with items of both",
             THRESHOLDS: "it needs scores (see gm.sweep) and values that are defined",
             **dict.fromkeys(SCORE_CHARTS, "it needs scores, items of both classes, and at most twelve classes"),
             RELIABILITY: "it needs scores that are probabilities",
             DECISION: "it needs probabilities of two classes, with items of both"}  # fmt: skip
    return other.get(name, "it needs several systems and measures")
