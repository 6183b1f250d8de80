"""Axes, names and legends of Matplotlib figures."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from goodmeasure.exceptions import MissingPackageError
from goodmeasure.typing import PlotStyle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

_LONGEST = 40  # letters of a name that are shown
_FILES_ONLY = ("agg", "cairo", "pdf", "pgf", "ps", "svg", "template")  # backends that open no window
PLAIN: PlotStyle = {"parse_math": False}  # a $ in a name is no mathematics


def new_axes(ax: Axes | None, rows: int = 0) -> Axes:
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
        raise MissingPackageError("figures need Matplotlib", advice="pip install 'goodmeasure[plot]'") from None
    size: PlotStyle = {"figsize": (6.4, max(4.8, 0.2 * rows)), "layout": "constrained"}
    if known or matplotlib.get_backend().lower() not in _FILES_ONLY:
        return pyplot.subplots(**size)[1]
    axes: Axes = Figure(**size).subplots()
    return axes


def with_legend(axes: Axes, lines: Sequence[Line2D], names: Sequence[str]) -> Axes:
    """Add a legend and return the axes; Matplotlib itself would skip names with a leading _ and typeset $."""
    outside: PlotStyle = (
        {"loc": "upper left", "bbox_to_anchor": (1, 1)} if axes.figure.get_layout_engine() is not None else {}
    )
    legend = axes.legend(list(lines), list(map(str, range(len(lines)))), **outside)
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=shortened(name), **PLAIN)
    return axes


def shortened(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"
