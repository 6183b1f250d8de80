"""The chart of measures by the prevalence of the positive class, and what it shows."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.catalogue.measure import NEITHER, Measure
from goodmeasure.evaluation.prevalence.projection import PrevalenceCurve, Projections, project
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.report.charts.line_panels import Axis, Line, MarkedPoint, panels
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import label_text

_STEADY = 1e-9  # a measure that varies less does not depend on prevalence
_POINTS, _FEWER_POINTS = 41, 21  # points of a line, and of each of many lines
_MANY_LINES = 60
_MOST_SYSTEMS = 10


@dataclass(frozen=True, eq=False)
class Projected:
    """Systems at other prevalences than the observed one, and which measures change with it."""

    parts: list[SystemScores]
    found: Projections
    moving: list[Measure]
    steady: list[Measure]
    curves: dict[tuple[object, str], PrevalenceCurve]


def projected(result: Result) -> Projected | None:
    """Return what a result would be at other prevalences; None unless there are two classes that both occur."""
    parts = [part for part in result.parts if part.slice is None and _is_projectable(part)][:_MOST_SYSTEMS]
    measures = [f for f in result.settings.measures if (f.range or (0, math.inf))[1] == 1 and f.orientation != NEITHER]
    if not parts or not measures:
        return None
    chosen = {part.system: part.matrix for part in parts}
    found = project(chosen, prevalence=share_of(parts[0]), measures=measures, confidence=None,
                    undefined=result.settings.policy.quiet)  # fmt: skip
    assert isinstance(found, Projections)
    curves = {(x, f.name): found[x].curve(f, points=_POINTS) for f in measures for x in found}
    moving = [f for f in measures if any(_span(curves[x, f.name]) > _STEADY for x in found)]
    return Projected(parts, found, moving, [f for f in measures if f not in moving], curves)


def prevalence_chart(result: Result) -> Chart | None:
    """Return the chart of a result, or None where no measure changes with prevalence."""
    shown = projected(result)
    return None if shown is None or not shown.moving else chart_of(shown)


def chart_of(shown: Projected) -> Chart:
    """Return the chart of the measures that change with prevalence."""
    parts, found, moving = shown.parts, shown.found, shown.moving
    label, here = label_text(parts[0].matrix.labels[-1]), share_of(parts[0])
    names = display_names(moving)
    are_many = len(found) * len(moving) > _MANY_LINES
    lines = []
    for f in moving:
        for system in found:
            curve = found[system].curve(f, points=_FEWER_POINTS) if are_many else shown.curves[system, f.name]
            lines.append(Line(names[f.name], str(system), curve.prevalence.tolist(), curve.values.tolist()))
    marks = [
        MarkedPoint(names[row.measure], part.system, share_of(part), row.value, "observed")
        for part in parts
        for row in part.rows
        if row.label is None and row.measure in {f.name for f in moving}
    ]
    axis = Axis("prevalence of the positive class", ".0~%", (0.0, 1.0), here, (0.0, 0.5, 1.0))
    alt = f"{len(moving)} measures by the prevalence of the class {label[:80]!r}, one panel for each measure"
    title = f"Measures by the prevalence of {label[:80]!r}; the points and the dashed line show the observed prevalence"
    return Chart("along-the-share", title, alt, panels(lines, marks, axis))


def share_of(part: SystemScores) -> float:
    """Return the observed prevalence of the positive class."""
    return float(part.matrix.a[-1]) / float(part.matrix.n)


def _is_projectable(part: SystemScores) -> bool:
    return part.matrix.m == 2 and not part.matrix.is_sparse and bool((np.asarray(part.matrix.a) > 0).all())


def _span(curve: PrevalenceCurve) -> float:
    known = curve.values[np.isfinite(curve.values)]
    return float(known.max() - known.min()) if len(known) else 0.0
