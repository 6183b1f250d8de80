"""Figures of a result by Matplotlib, for those who want them (extra `plot`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from goodmeasure.evaluation.result import Result
from goodmeasure.report.numbers import count_text, label_text
from goodmeasure.report.ranks import ranks

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
        order, axes = ranks(self._result), _axes(ax)
        for system in self._result.systems:
            known = [(k, row[system]) for k, row in enumerate(order.values()) if system in row]
            axes.plot(*zip(*known, strict=True), marker="o", label=system)
        axes.set_xticks(range(len(order)), list(order), rotation=40, ha="right")
        axes.set_yticks(range(1, len(self._result.systems) + 1))
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
