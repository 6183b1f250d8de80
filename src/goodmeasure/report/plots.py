"""Figures of results, comparisons and sweeps by Matplotlib, for those who want them (extra `plot`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import as_measure
from goodmeasure.comparison.result import Comparison
from goodmeasure.evaluation.choices import canonical
from goodmeasure.evaluation.projection import Projection, project
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.sweep import Sweep
from goodmeasure.report.comparison_tables import in_order
from goodmeasure.report.numbers import count_text, label_text
from goodmeasure.report.paired_charts import paired
from goodmeasure.report.sizes import wholes
from goodmeasure.report.system_charts import Standing

_LABELLED = 25


class Plots:
    """`result.plot.confusion(ax=ax)` and its like: each draws into `ax`, or into axes of its own, and returns them."""

    def __init__(self, result: Result) -> None:
        self._result = result

    def confusion(self, system: str | None = None, *, by: str = "counts", ax: Any = None) -> Any:
        """The confusion matrix; `by` is "counts", "row" or "column"."""
        if by not in ("counts", "row", "column"):
            raise ValueError(f"by is {by!r}: use 'counts', 'row' or 'column'")
        matrix = self._result.matrix(system)
        counts = np.asarray(matrix.counts, float)
        total = {"counts": 1.0, "row": counts.sum(1, keepdims=True), "column": counts.sum(0, keepdims=True)}[by]
        values = np.divide(counts, np.where(np.asarray(total) > 0, total, 1.0))
        axes = _axes(ax)
        axes.imshow(values, cmap="Blues", vmin=0)
        names = [label_text(x) for x in matrix.labels]
        if matrix.m <= _LABELLED:
            axes.set_xticks(range(matrix.m), names, rotation=45, ha="right")
            axes.set_yticks(range(matrix.m), names)
            dark = values.max() * 0.55
            for i, j in np.ndindex(values.shape):
                text = count_text(counts[i, j]) if by == "counts" else f"{values[i, j]:.0%}"
                axes.text(j, i, text, ha="center", va="center", color="white" if values[i, j] > dark else "black")
        axes.set_xlabel("predicted")
        axes.set_ylabel("true")
        return axes

    def measures(self, system: str | None = None, *, ax: Any = None) -> Any:
        """Values with intervals, and chance levels."""
        rows = [row for row in self._result.part(system).rows if row.label is None and math.isfinite(row.value)]
        return _ranges(_axes(ax), [row.measure for row in rows], rows, chance=True)

    def classes(self, measure: str = "recall", system: str | None = None, *, ax: Any = None) -> Any:
        """One measure of every class against the rest, with intervals."""
        part = self._result.part(system)
        rows = [row for row in part.rows if row.label is not None and row.measure == measure and row.value == row.value]
        if not rows:
            raise ValueError(f"there are no values of {measure!r} by class: name it in classwise=")
        axes = _ranges(_axes(ax), [label_text(row.label) for row in rows], rows, chance=False)
        axes.set_xlabel(measure)
        return axes

    def ranks(self, *, ax: Any = None) -> Any:
        """The rank of every system under every measure."""
        return _ranks(_axes(ax), Standing.of_result(self._result))

    def prevalence(self, measure: Any = "mcc", *, ax: Any = None) -> Any:
        """A measure along the share of the positive class, a line for each system, as measured where the point is."""
        axes, f = _axes(ax), as_measure(measure)
        for part in wholes(self._result):
            if part.matrix.m != 2:
                raise ValueError(f"{part.system} has {part.matrix.m} classes: shares are followed for two")
            here = float(part.matrix.a[-1]) / float(part.matrix.n)
            found = project(part.matrix, prevalence=here, measures=[f], confidence=None)
            assert isinstance(found, Projection)  # of one matrix
            curve = found.curve(f)
            (line,) = axes.plot(curve.prevalence, curve.values, label=part.system)
            axes.plot(here, found.value(f), "o", color=line.get_color())
        axes.set_xlabel(f"share of {label_text(self._result.matrix().labels[-1])}")
        axes.set_ylabel(f.name)
        axes.legend()
        return axes


class SweepPlots:
    """`found.plot.thresholds("mcc", ax=ax)`: draws into `ax`, or into axes of its own, and returns them."""

    def __init__(self, found: Sweep) -> None:
        self._found = found

    def thresholds(self, measure: Any = None, *, ax: Any = None) -> Any:
        """A measure along the threshold, a line for each system or group, with its best point."""
        axes, f = _axes(ax), as_measure(self._found.measures[0] if measure is None else measure)
        for group in self._found.groups:
            curve = self._found.curve(f, group=group, points=500)
            (line,) = axes.plot(curve.thresholds, curve.values, label=None if group is None else str(group))
            best = self._found.best(f, group, confidence=None)
            axes.plot(best.threshold, best.value, "o", color=line.get_color())
        axes.set_xlabel("threshold")
        axes.set_ylabel(f.name)
        if self._found.groups != (None,):
            axes.legend()
        return axes


class ComparisonPlots:
    """`compared.plot.ranks(ax=ax)` and its like: each draws into `ax`, or into axes of its own, and returns them."""

    def __init__(self, found: Comparison) -> None:
        self._found = found

    def ranks(self, *, ax: Any = None) -> Any:
        """The rank of every system under every measure; winners are filled."""
        return _ranks(_axes(ax), Standing.of_comparison(self._found))

    def differences(self, measure: Any = None, *, ax: Any = None) -> Any:
        """The difference of each system from the best (or from the one that was chosen), with intervals."""
        name = self._found.measures[0] if measure is None else canonical(measure, self._found.measures)
        rows = [x for x in paired(self._found, in_order(self._found)) if x.measure == name]
        if not rows:
            raise ValueError(f"there are no differences under {name!r}: it needs several systems")
        axes = _axes(ax)
        for k, x in enumerate(rows):
            colour = "tab:red" if x.told else "tab:blue"
            axes.plot([x.row["low"], x.row["high"]], [k, k], color=colour, alpha=0.5, linewidth=3)
            axes.plot(x.row["difference"], k, "o", color=colour)
        axes.axvline(0, color="gray", linestyle="--", linewidth=1)
        axes.set_yticks(range(len(rows)), [x.system for x in rows])
        axes.invert_yaxis()
        axes.set_xlabel(f"{name}: difference from {rows[0].reference}")
        return axes


def _ranks(axes: Any, given: Standing) -> Any:
    for system in given.systems:
        known = [(k, row[system]) for k, row in enumerate(given.ranks.values()) if system in row]
        if known:
            (line,) = axes.plot(*zip(*known, strict=True), marker="o", label=system)
            won = [k for k, name in enumerate(given.ranks) if system in given.winners.get(name, ())]
            if given.winners:
                line.set_markerfacecolor("none")
                axes.plot(won, [list(given.ranks.values())[k][system] for k in won], "o", color=line.get_color())
    axes.set_xticks(range(len(given.ranks)), list(given.ranks), rotation=40, ha="right")
    axes.set_yticks(range(1, len(given.systems) + 1))
    axes.invert_yaxis()
    axes.set_ylabel("rank (1 is the best)")
    axes.legend()
    return axes


def _ranges(axes: Any, names: list[str], rows: list[Any], *, chance: bool) -> Any:
    for k, row in enumerate(rows):
        if not math.isnan(row.low):
            axes.plot([row.low, row.high], [k, k], color="tab:blue", alpha=0.5, linewidth=3)
        axes.plot(row.value, k, "o", color="tab:blue")
        if chance and not math.isnan(row.chance):
            axes.plot(row.chance, k, "|", color="tab:orange", markersize=12, markeredgewidth=2)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    return axes


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("figures need Matplotlib: pip install 'goodmeasure[plot]'") from None
    return Figure(layout="constrained").subplots()
