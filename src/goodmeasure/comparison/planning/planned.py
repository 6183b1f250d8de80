"""The result of planning: how many items, what is reached with them, and how it is written down."""

from __future__ import annotations

import math
from dataclasses import dataclass

from goodmeasure.notebooks import SentencesAndTable
from goodmeasure.typing import Label

WIDTH, DIFFERENCE, NONINFERIORITY, EQUIVALENCE = "width", "difference", "non-inferiority", "equivalence"


@dataclass(frozen=True)
class PlanRow:
    """What is reached with some number of items: an expected width, or a power."""

    items: int
    rare: int
    reached: float


@dataclass(frozen=True, eq=False, repr=False)
class Plan(SentencesAndTable):
    """How many items an interval of a given width, or a test of a given power, needs.

    `items` is the number of items, of which about `rare` belong to the rarest class, `rare_class`. `width` is the
    expected width of the interval with so many items (or the width that `assurance` asks for), and `power` the
    probability that the test rejects; the other one is None. `error` is the standard error of a power that was
    simulated. `values` are the assumed values of the measure, by system. `table` has the same for fewer and for more
    items, and `method` names the interval or the test.
    """

    kind = "plan"
    derived = ("difference",)
    goal: str
    measure: str
    items: int
    rare: int
    rare_class: Label
    values: dict[str, float]
    width: float | None
    power: float | None
    error: float
    confidence: float
    assurance: float | None
    margin: float | None
    table: tuple[PlanRow, ...]
    method: str
    notes: tuple[str, ...]

    @property
    def difference(self) -> float | None:
        """Return the assumed difference of the first system and the second; None if there is one system."""
        known = list(self.values.values())
        return known[0] - known[1] if len(known) == 2 else None

    def lines(self) -> list[str]:
        """Return the plan in sentences."""
        level = f"{100 * self.confidence:g}%"
        assumed = " and ".join(f"{x:.3f} ({name})" for name, x in self.values.items())
        found = [
            f"{self.items:,} items, of which about {self.rare:,} belong to the rarest class, {self.rare_class!r}.",
            f"Assumed {self.measure}: {assumed}.",
        ]
        if self.width is not None:
            sure = "has an expected width of" if self.assurance is None else _assured(self.assurance)
            found.append(f"The {level} confidence interval ({self.method}) {sure} {self.width:.4f}.")
        if self.power is not None:
            found.append(f"{self._claim()} with a power of {100 * self.power:.1f}% ({self.method}){self._noise()}.")
        return [*found, *(f"Note: {x}." for x in self.notes)]

    def _claim(self) -> str:
        first, second = self.values
        level = f"at the {100 * (1 - self.confidence):.3g}% level"
        if self.goal == EQUIVALENCE:
            return f"That {first} and {second} differ by less than {self.margin:g} is shown {level}"
        if self.margin is not None:
            return f"That {first} is worse than {second} by less than {self.margin:g} is shown {level}"
        return f"The difference of {self.difference:.4g} between {first} and {second} is significant {level}"

    def _noise(self) -> str:
        return f", with a standard error of {100 * self.error:.1f} points from the simulation" if self.error else ""

    def rows(self) -> list[tuple[str, str, str]]:
        """Return the table; its first row holds the names of the columns."""
        reached = "width" if self.width is not None else "power"
        shown = [(f"{x.items:,}", f"{x.rare:,}", _reached(x.reached, self.width is not None)) for x in self.table]
        return [("items", "rarest class", reached), *shown]

    def __repr__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[k]) for row in rows) for k in range(3)]
        table = ["  ".join(x.rjust(w) for x, w in zip(row, widths, strict=True)) for row in rows]
        return "\n".join([*self.lines(), "", *table])


def _assured(assurance: float) -> str:
    return f"has, with a probability of {100 * assurance:g}%, a width of at most"


def _reached(x: float, is_width: bool) -> str:
    if math.isnan(x):
        return "–"
    return f"{x:.4f}" if is_width else f"{100 * x:.1f}%"
