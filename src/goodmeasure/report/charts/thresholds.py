"""The chart of measures along the threshold, with the best threshold of each."""

from __future__ import annotations

import math

import numpy as np

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.evaluation.thresholds.best import Best
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.evaluation.thresholds.thinning import FEW, TOLERANCE, levelled
from goodmeasure.report.charts.line_panels import HEIGHT, Axis, Line, MarkedPoint, panels
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import group_text, interval_text
from goodmeasure.typing import Array

_MANY_LINES, _FEWER = 30, 200  # with more curves than this, those with more points are thinned
_COARSER = 0.5 / HEIGHT  # tolerance of thinning as a share of the axis: half a pixel of a panel
_MOST_CURVES = 80


def thresholds_chart(found: Sweep, bests: list[Best]) -> Chart | None:
    """Return the chart of every measure against the threshold, with its best point."""
    curves = [(f, group) for f in found.measures for group in found.groups][:_MOST_CURVES]
    shown = display_names(found.measures)
    points, tolerance = (FEW, TOLERANCE) if len(curves) <= _MANY_LINES else (_FEWER, _COARSER)
    lines = []
    for f, group in curves:
        thresholds, values, steps = found.thresholds_of(group), found.values(f, group), found.is_stepwise(group)
        at, levels = levelled(values, points, tolerance) if steps else (np.arange(len(values)), values)
        x, y = thresholds[at][::-1].astype(float), levels[::-1]
        if steps:  # above all scores nothing is predicted positive
            x, y = np.append(x, beyond(thresholds)), np.append(y, found.value_of_nothing(f, group))
        lines.append(Line(shown[f.name], group_text(group), x.tolist(), y.tolist(), steps))
    if not any(math.isfinite(y) for line in lines for y in line.y):
        return None
    marks = [MarkedPoint(shown[x.measure], group_text(x.group), drawn_at(found, x), x.value, _remark(x)) for x in bests]
    alt = f"{len(found.measures)} measures along the threshold, a panel for each, with the best threshold of each"
    spec = panels(lines, marks, Axis("threshold", ".3~g"))
    return Chart("along-the-threshold", "Measures along the threshold; points: where each is best", alt, spec)


def beyond(thresholds: Array) -> float:
    """Return a place a little above all scores, where a curve shows what predicting nothing as positive gets.

    NaN where a score is infinite, since no place on the axis is above it.
    """
    known = thresholds[np.isfinite(thresholds)].astype(float)
    if not len(known) or thresholds.max() == math.inf:
        return math.nan
    low, high = float(known.min()), float(known.max())
    wide = high - low if math.isfinite(high - low) else 0.0
    return high + (0.04 * wide or 0.04 * abs(high) or 0.04)


def drawn_at(found: Sweep, best: Best) -> float:
    """Return where the best threshold is drawn: one above all scores at the end of the curve."""
    return best.threshold if math.isfinite(best.threshold) else beyond(found.thresholds_of(best.group))


def _remark(best: Best) -> str:
    if not math.isfinite(best.threshold):
        return "best threshold: above all scores, so that nothing is predicted positive"
    interval = interval_text(best.low, best.high)
    return f"best threshold{f', interval {interval}' if interval else ''}"
