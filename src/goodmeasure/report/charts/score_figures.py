"""Matplotlib figures of scores: ROC, precision over recall, gain, decision curve and reliability diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.evaluation.scores.curves import GAIN, PRECISION_RECALL, ROC, ScoreCurve
from goodmeasure.evaluation.thresholds.thinning import thinned
from goodmeasure.exceptions import InputError
from goodmeasure.report.charts.matplotlib_axes import PLAIN, new_axes, with_legend
from goodmeasure.report.charts.score_curves import BAR, DECISION, POINTS, RELIABILITY, WORDS, DrawnScores
from goodmeasure.typing import Array, PlotStyle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

_MARKERS = ("o", "D", "^")
_DASHED: PlotStyle = {"color": "gray", "linestyle": "--", "linewidth": 1, "zorder": 1}


class ScorePlots:
    """The figures of scores: each method draws into `ax`, or into new axes, and returns them."""

    def _drawn(self) -> DrawnScores:
        raise NotImplementedError

    def roc(self, *, positive: object = None, ax: Axes | None = None) -> Axes:
        """Draw the ROC curve of each system, with its confidence band and operating points.

        With more than two classes `positive` names the one that is drawn against the rest.
        """
        return _curves(self._drawn(), ROC, positive, ax)

    def precision_recall(self, *, positive: object = None, ax: Axes | None = None) -> Axes:
        """Draw precision over recall for each system, with its confidence band and operating points."""
        return _curves(self._drawn(), PRECISION_RECALL, positive, ax)

    def gain(self, *, positive: object = None, ax: Axes | None = None) -> Axes:
        """Draw the share of the positive items that are found among the items with the highest scores."""
        return _curves(self._drawn(), GAIN, positive, ax)

    def decision_curve(self, *, ax: Axes | None = None) -> Axes:
        """Draw the net benefit of each system over the threshold probability."""
        given = self._drawn()
        curves = given.decisions
        if not curves:
            raise _nothing(DECISION, "it needs probabilities of two classes, with items of both")
        axes, lines = new_axes(ax), {}
        for system, curve in curves.items():
            (lines[system],) = axes.plot(curve.thresholds, curve.benefit)
            if curve.low is not None and curve.high is not None and given.has_bands:
                _band(axes, curve.thresholds, curve.low, curve.high, lines[system])
        first = next(iter(curves.values()))
        axes.plot(first.thresholds, first.all, **_DASHED)
        axes.axhline(0, **_DASHED)
        top = max(float(x.benefit.max() if x.high is None else x.high.max()) for x in curves.values())
        axes.set_ylim(-0.25 * max(top, 1e-6), 1.05 * max(top, 1e-6))
        return _finished(axes, DECISION, lines)

    def reliability(self, *, ax: Axes | None = None) -> Axes:
        """Draw the observed share over the predicted probability in bins, with intervals and a histogram."""
        found = self._drawn().reliabilities
        if not found:
            raise _nothing(RELIABILITY, "it needs scores that are probabilities")
        axes, lines = new_axes(ax), {}
        for system, bins in found.items():
            away = np.maximum(0, np.stack([bins.observed - bins.low, bins.high - bins.observed]))
            drawn = axes.errorbar(bins.predicted, bins.observed, away, fmt="o-", markersize=4)
            lines[system] = drawn.lines[0]
            height = BAR * bins.weight / bins.weight.max()
            axes.bar(bins.left, height, bins.right - bins.left, align="edge", alpha=0.25,
                     color=lines[system].get_color())  # fmt: skip
        axes.plot([0, 1], [0, 1], **_DASHED)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1.02)
        return _finished(axes, RELIABILITY, lines)


def _curves(given: DrawnScores, kind: str, positive: object, ax: Axes | None) -> Axes:
    """Draw the curves of all systems, of one class."""
    k = _class_number(given, positive)
    curves = {system: curve for (system, at), curve in given.curves(kind).items() if at == k}
    if not curves:
        raise _nothing(kind, "it needs scores, and items of both classes")
    axes, lines = new_axes(ax), {}
    for system, curve in curves.items():
        lines[system] = _line(axes, curve)
        if curve.band is not None:
            _band(axes, curve.band.x, curve.band.low, curve.band.high, lines[system])
    share = float(given.first.sizes[k] / given.first.total)
    axes.plot([0, 1], [share, share] if kind == PRECISION_RECALL else [0, 1], **_DASHED)
    points = _mark_points(axes, given, kind, lines)
    axes.set_xlim(-0.01, 1.01)
    axes.set_ylim(-0.01, 1.02)
    return _finished(axes, kind, lines, points)


def _class_number(given: DrawnScores, positive: object) -> int:
    if not given.systems:
        raise InputError("there are no scores to draw", argument="result", advice="give {y_score:=} to evaluate")
    labels = given.first.labels
    if positive is None and len(labels) > 2:
        listed = ", ".join(map(repr, labels))
        raise InputError("there are {m} classes", argument="positive", m=len(labels), listed=listed,
                         advice="say with {positive:=} which is drawn against the rest: {listed}")  # fmt: skip
    if positive is not None and positive not in labels:
        listed = ", ".join(map(repr, labels))
        raise InputError("{positive} is {got!r}", got=positive, listed=listed, advice="name one of {listed}")
    return len(labels) - 1 if positive is None else labels.index(positive)


def _line(axes: Axes, curve: ScoreCurve) -> Line2D:
    at = thinned(curve.x, curve.y, points=POINTS)
    (line,) = axes.plot(curve.x[at], curve.y[at], drawstyle="steps-pre" if curve.steps else "default")
    return line


def _band(axes: Axes, x: Array, low: Array, high: Array, line: Line2D) -> None:
    axes.fill_between(x, low, high, color=line.get_color(), alpha=0.15, linewidth=0)


def _mark_points(axes: Axes, given: DrawnScores, kind: str, lines: dict[str, Line2D]) -> dict[str, Line2D]:
    """Mark the operating points, and return a grey mark of each kind for the legend."""
    across, up = WORDS[kind].point
    shown: dict[str, Line2D] = {}
    for system, points in given.points.items():
        for point, marker in zip(points, _MARKERS[-len(points) :], strict=True):
            look: PlotStyle = {"marker": marker, "linestyle": "none", "markeredgecolor": "black"}
            axes.plot(point.values[across], point.values[up], color=lines[system].get_color(), **look)
            (shown[point.why],) = axes.plot([], [], color="lightgray", **look)
    return shown


def _finished(axes: Axes, kind: str, lines: dict[str, Line2D], points: dict[str, Line2D] | None = None) -> Axes:
    axes.set_xlabel(WORDS[kind].x, **PLAIN)
    axes.set_ylabel(WORDS[kind].y, **PLAIN)
    listed = [*(lines.items() if len(lines) > 1 else ()), *(points or {}).items()]
    return with_legend(axes, [x for _, x in listed], [name for name, _ in listed]) if listed else axes


def _nothing(name: str, why: str) -> InputError:
    return InputError("there is nothing to draw for {name!r}", name=name, argument="name", why=why, advice="{why}")
