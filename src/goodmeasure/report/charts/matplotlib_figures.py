"""Matplotlib figures of results, comparisons and sweeps (needs the extra `plot`)."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import among
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.chosen_measures import canonical
from goodmeasure.evaluation.prevalence.projection import Projection, project
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.evaluation.thresholds.thinning import FEW
from goodmeasure.report.charts.differences import paired
from goodmeasure.report.charts.systems import Standing, drawn_rank
from goodmeasure.report.content.comparison_tables import in_order
from goodmeasure.report.content.sample_sizes import wholes
from goodmeasure.report.content.thresholds import group_text
from goodmeasure.report.numbers import count_text, label_text

_LABELLED = 25
_LONGEST = 40  # letters of a name that are shown
_FILES_ONLY = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")  # backends that open no window
_PLAIN = {"parse_math": False}  # a $ in a name is no mathematics


class Plots:
    """The figures of a result, as `result.plot`: each method draws into `ax`, or into new axes, and returns them."""

    def __init__(self, result: Result) -> None:
        self._result = result

    def confusion(self, system: str | None = None, *, by: str = "counts", ax: Any = None) -> Any:
        """Draw the confusion matrix; `by` is "counts", "row" or "column"."""
        if by not in ("counts", "row", "column"):
            raise ValueError(f"by is {by!r}: use 'counts', 'row' or 'column'")
        matrix = self._result.matrix(system)
        counts = np.asarray(matrix.counts, float)
        total = {"counts": 1.0, "row": counts.sum(1, keepdims=True), "column": counts.sum(0, keepdims=True)}[by]
        values = np.divide(counts, np.where(np.asarray(total) > 0, total, 1.0))
        axes = _axes(ax)
        axes.imshow(values, cmap="Blues", vmin=0, vmax=None if by == "counts" else 1)
        names = [_short(label_text(x)) for x in matrix.labels]
        if matrix.m <= _LABELLED:
            axes.set_xticks(range(matrix.m), names, rotation=45, ha="right", **_PLAIN)
            axes.set_yticks(range(matrix.m), names, **_PLAIN)
            dark = (values.max() if by == "counts" else 1) * 0.65
            for i, j in np.ndindex(values.shape):
                text = count_text(counts[i, j]) if by == "counts" else f"{values[i, j]:.0%}"
                axes.text(j, i, text, ha="center", va="center", color="white" if values[i, j] > dark else "black")
        axes.set_xlabel("predicted")
        axes.set_ylabel("true")
        return axes

    def measures(self, system: str | None = None, *, ax: Any = None) -> Any:
        """Draw the values with their confidence intervals and chance levels."""
        rows = [row for row in self._result.part(system).rows if row.label is None and math.isfinite(row.value)]
        axes = _ranges(_axes(ax, len(rows)), [row.measure for row in rows], rows, chance=True)
        axes.set_xlabel("value, with its interval; ticks: what chance gets")
        return axes

    def classes(self, measure: str = "recall", system: str | None = None, *, ax: Any = None) -> Any:
        """Draw one measure for every class against the rest, with confidence intervals."""
        part = self._result.part(system)
        rows = [row for row in part.rows if row.label is not None and row.measure == measure and row.value == row.value]
        if not rows:
            raise ValueError(f"there are no values of {measure!r} by class: name it in classwise=")
        axes = _ranges(_axes(ax, len(rows)), [label_text(row.label) for row in rows], rows, chance=False)
        axes.set_xlabel(measure, **_PLAIN)
        return axes

    def ranks(self, *, ax: Any = None) -> Any:
        """Draw the rank of every system under every measure."""
        return _ranks(Standing.of_result(self._result), ax)

    def prevalence(self, measure: Any = "mcc", *, ax: Any = None) -> Any:
        """Draw a measure against the share of the positive class; a point marks each system's measured value."""
        f, found = among(measure, self._result.settings.measures), {}
        for part in wholes(self._result):
            if part.matrix.m != 2:
                raise ValueError(f"{part.system} has {part.matrix.m} classes: shares are followed for two")
            here = float(part.matrix.a[-1]) / float(part.matrix.n)
            projected = project(part.matrix, prevalence=here, measures=[f], confidence=None)
            assert isinstance(projected, Projection)  # since one matrix was given
            found[part.system] = projected.curve(f), here, projected.value(f)
        axes, lines = _axes(ax), {}
        for system, (curve, here, value) in found.items():
            (lines[system],) = axes.plot(curve.prevalence, curve.values)
            axes.plot(here, value, "o", color=lines[system].get_color())
        axes.set_xlabel(f"share of {label_text(self._result.matrix().labels[-1])}", **_PLAIN)
        axes.set_ylabel(f.name, **_PLAIN)
        return _named(axes, lines)


class SweepPlots:
    """The figures of a sweep, as `found.plot`: each method draws into `ax`, or into new axes, and returns them."""

    def __init__(self, found: Sweep) -> None:
        self._found = found

    def thresholds(self, measure: Any = None, *, ax: Any = None) -> Any:
        """Draw a measure against the threshold, with a line and the best point for each system or group."""
        f = self._found.measures[0] if measure is None else among(measure, self._found.measures)
        found = {x: (self._found.curve(f, group=x, points=FEW), self._found.best(f, x, confidence=None))
                 for x in self._found.groups}  # fmt: skip
        axes, lines = _axes(ax), {}
        for group, (curve, best) in found.items():
            steps = "steps-pre" if self._found.is_stepwise(group) else "default"
            (line,) = axes.plot(curve.thresholds[::-1], curve.values[::-1], drawstyle=steps)
            lines[group_text(group)] = line
            axes.plot(best.threshold, best.value, "o", color=line.get_color())
        axes.set_xlabel("threshold")
        axes.set_ylabel(f.name, **_PLAIN)
        return axes if self._found.groups == (None,) else _named(axes, lines)


class ComparisonPlots:
    """The figures of a comparison, as `compared.plot`: each draws into `ax`, or into new axes, and returns them."""

    def __init__(self, found: Comparison) -> None:
        self._found = found

    def ranks(self, *, ax: Any = None) -> Any:
        """Draw the rank of every system under every measure; the marks of winners are filled."""
        return _ranks(Standing.of_comparison(self._found), ax)

    def differences(self, measure: Any = None, *, ax: Any = None) -> Any:
        """Draw the difference of each system from the best (or from the baseline), with confidence intervals."""
        name = self._found.measures[0] if measure is None else canonical(measure, self._found.measures)
        rows = [x for x in paired(self._found, in_order(self._found)) if x.measure == name]
        if not rows:
            raise ValueError(f"there are no differences under {name!r}: it needs several systems")
        axes = _axes(ax, len(rows))
        for k, x in enumerate(rows):
            colour = "tab:red" if x.told else "tab:blue"
            axes.plot([x.row["low"], x.row["high"]], [k, k], color=colour, alpha=0.5, linewidth=3)
            axes.plot(x.row["difference"], k, "o", color=colour)
        axes.axvline(0, color="gray", linestyle="--", linewidth=1)
        axes.set_yticks(range(len(rows)), [_short(x.system) for x in rows], **_PLAIN)
        axes.invert_yaxis()
        axes.set_xlabel(f"{name}: difference from {_short(rows[0].reference)}", **_PLAIN)
        return axes


def _ranks(given: Standing, ax: Any) -> Any:
    axes, lines = _axes(ax), {}
    for system in given.systems:
        known = {k: drawn_rank(row, system) for k, row in enumerate(given.ranks.values()) if system in row}
        if known:
            (line,) = axes.plot(list(known), list(known.values()), marker="o")
            lines[system] = line
            won = [k for k, name in enumerate(given.ranks) if system in given.winners.get(name, ())]
            if given.winners:
                line.set_markerfacecolor("none")
                axes.plot(won, [known[k] for k in won], "o", color=line.get_color())
    axes.set_xticks(range(len(given.ranks)), [_short(x) for x in given.ranks], rotation=40, ha="right", **_PLAIN)
    axes.set_yticks(range(1, len(given.systems) + 1))
    axes.invert_yaxis()
    axes.set_ylabel("rank (1 is the best)")
    return _named(axes, lines)


def _named(axes: Any, lines: dict[str, Any]) -> Any:
    """Add a legend and return the axes; Matplotlib itself would skip names with a leading _ and typeset $."""
    outside = {"loc": "upper left", "bbox_to_anchor": (1, 1)} if axes.figure.get_layout_engine() is not None else {}
    legend = axes.legend(list(lines.values()), list(map(str, range(len(lines)))), **outside)
    for text, name in zip(legend.get_texts(), lines, strict=True):
        text.set(text=_short(name), **_PLAIN)
    return axes


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def _ranges(axes: Any, names: list[str], rows: list[Row], *, chance: bool) -> Any:
    for k, row in enumerate(rows):
        if not math.isnan(row.low):
            axes.plot([row.low, row.high], [k, k], color="tab:blue", alpha=0.5, linewidth=3)
        axes.plot(row.value, k, "o", color="tab:blue")
        if chance and not math.isnan(row.chance):
            axes.plot(row.chance, k, "|", color="tab:orange", markersize=12, markeredgewidth=2)
    axes.set_yticks(range(len(names)), [_short(x) for x in names], **_PLAIN)
    axes.invert_yaxis()
    return axes


def _axes(ax: Any, rows: int = 0) -> Any:
    """Return the given axes, or new ones that are tall enough for this many rows.

    New axes belong to pyplot, so that notebooks and plt.show() show them, and plt.savefig() and plt.close() find them.
    Where pyplot was not imported and nothing can be shown, as on a server, they are kept out of pyplot, which would
    never free them. They are made after all values are known, so that a failing call leaves no empty figure behind.
    """
    if ax is not None:
        return ax
    known = "matplotlib.pyplot" in sys.modules
    try:
        import matplotlib
        from matplotlib import pyplot
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("figures need Matplotlib: pip install 'goodmeasure[plot]'") from None
    size: dict[str, Any] = {"figsize": (6.4, max(4.8, 0.2 * rows)), "layout": "constrained"}
    if known or matplotlib.get_backend().lower() not in _FILES_ONLY:
        return pyplot.subplots(**size)[1]
    return Figure(**size).subplots()
