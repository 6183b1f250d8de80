"""The figures of the papers as data: curves in panels, and heat maps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class PanelLine:
    """One line of a panel."""

    panel: str
    name: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True)
class Curves:
    """Lines over one horizontal axis, in a panel or in several."""

    x_title: str
    curves: tuple[PanelLine, ...]

    @property
    def panels(self) -> list[str]:
        """Return the titles of the panels."""
        return list(dict.fromkeys(x.panel for x in self.curves))


@dataclass(frozen=True)
class HeatMap:
    """A square table of numbers from −1 to 1, shown as colours."""

    names: tuple[str, ...]
    values: tuple[tuple[float, ...], ...]


Figure = Curves | HeatMap
