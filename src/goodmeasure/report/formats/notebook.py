"""Charts by name, as objects that notebooks draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, NamedTuple, TypeVar

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.writing import Printer
from goodmeasure.exceptions import InputError
from goodmeasure.report.charts.confusion import confusion_chart
from goodmeasure.report.charts.differences import differences_chart
from goodmeasure.report.charts.pictures import picture
from goodmeasure.report.charts.prevalence import prevalence_chart
from goodmeasure.report.charts.score_curves import NAMES as SCORE_CHARTS
from goodmeasure.report.charts.score_curves import NEEDS, score_chart
from goodmeasure.report.charts.scorecard import classes_chart, measures_chart
from goodmeasure.report.charts.systems import Standing, correlations_chart, orders_chart, ranks_chart
from goodmeasure.report.charts.thresholds import thresholds_chart
from goodmeasure.report.content.comparison_tables import in_order
from goodmeasure.report.content.score_charts import drawn_scores
from goodmeasure.report.document import Chart
from goodmeasure.report.visible_text import visible_data
from goodmeasure.typing import ChartSpec

THRESHOLDS = "thresholds"
OF_THRESHOLDS = "it needs scores (see gm.sweep) and values that are defined"
_OF_ONE = "it needs values that are defined, and at most a hundred classes"
_OF_SYSTEMS = "it needs several systems and measures"
_MIME = "application/vnd.vegalite.v6+json"


class VegaLite(ChartSpec):
    """A Vega-Lite specification that notebooks draw; where no script runs, a picture of it is shown."""

    alt = ""
    picture: Callable[[], str] = str

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, object]:
        older = {**self, "$schema": self["$schema"].replace("v6", "v5")}  # the version that most notebooks support
        drawn = {_MIME: dict(self), "application/vnd.vegalite.v5+json": older}
        return {**drawn, "image/svg+xml": self.picture(), "text/plain": self.alt}

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print the description; IPython would print a dictionary of a hundred lines."""
        printer.text(self.alt)


_Drawn = TypeVar("_Drawn")


class NamedChart(NamedTuple, Generic[_Drawn]):
    """A chart that users ask for by name: how it is drawn of one system or all, what it needs, and who has it."""

    draw: Callable[[_Drawn, str | None], Chart | None]
    needs: str  # why there may be nothing to draw
    exists: Callable[[_Drawn], bool] = lambda result: True


def _of_one(draw: Callable[[SystemScores, Result], Chart | None]) -> NamedChart[Result]:
    """Return a chart of a single system."""
    return NamedChart(lambda result, system: draw(result.part(system), result), _OF_ONE)


def _of_scores(name: str) -> NamedChart[Result]:
    """Return a chart of scores, which a result need not have."""

    def draw(result: Result, _system: str | None) -> Chart | None:
        given = drawn_scores(result)
        return score_chart(given, name) if given.systems else None

    return NamedChart(draw, NEEDS[name], lambda result: result.scored is not None)


def _thresholds(result: Result, _system: str | None) -> Chart | None:
    swept, settings = result.swept, result.settings
    return None if swept is None else thresholds_chart(swept, swept.bests(settings.confidence, settings.seed))


OF_RESULT: Mapping[str, NamedChart[Result]] = {
    "measures": _of_one(measures_chart),
    "classes": _of_one(classes_chart),
    "confusion": _of_one(confusion_chart),
    "ranks": NamedChart(lambda result, system: ranks_chart(Standing.of_result(result)), _OF_SYSTEMS),
    "agreement": NamedChart(lambda result, system: orders_chart(Standing.of_result(result)), _OF_SYSTEMS),
    "prevalence": NamedChart(
        lambda result, system: prevalence_chart(result), "it needs two classes with items of both"
    ),
    **{name: _of_scores(name) for name in SCORE_CHARTS},
    THRESHOLDS: NamedChart(_thresholds, OF_THRESHOLDS, lambda result: result.swept is not None),
}
OF_COMPARISON: Mapping[str, NamedChart[Comparison]] = {
    "ranks": NamedChart(lambda found, system: ranks_chart(Standing.of_comparison(found)), _OF_SYSTEMS),
    "differences": NamedChart(
        lambda found, system: differences_chart(found, in_order(found)), "it needs several systems"
    ),
    "agreement": NamedChart(lambda found, system: correlations_chart(found), _OF_SYSTEMS),
}


def chart(known: Mapping[str, NamedChart[_Drawn]], result: _Drawn, name: str, system: str | None = None) -> VegaLite:
    """Return one of the charts of a result as a stand-alone specification."""
    there = {key: x for key, x in known.items() if x.exists(result)}
    if not isinstance(name, str) or name not in there:
        raise InputError(
            "{got!r} is not a chart", argument="name", got=name, known=", ".join(map(repr, there)), advice="use {known}"
        )
    found = there[name].draw(result, system)
    if found is None:
        raise InputError(
            "there is nothing to draw for {got!r}: {why}", argument="name", got=name, why=there[name].needs
        )
    spec = VegaLite(visible_data({**found.spec, "title": found.title, "description": found.alt}))
    spec.alt = found.alt
    spec.picture = lambda: picture(found.key, spec)
    return spec
