"""The measures that a recommendation chooses from, and what is known about their properties."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure as measure_of
from goodmeasure.counts.enumeration import matrices
from goodmeasure.theory.atlas.atlas import Cell, opened, stored
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.verdict import REFUTED, Verdict
from goodmeasure.typing import Array

DECIDED_FOR = 3  # classes: more are judged by what is known for three
DOMAIN = "regular"

# Families that use the order of the classes, or the costs of errors. A test compares them with the atlas: for three
# classes, exactly these change when classes are renamed.
USE_ORDER = ("weighted_kappa", "k_ordinal")
USE_COSTS = {2: ("matching_tversky", "fbeta", "f_alpha", "tversky"), 3: ("k_cost", "weighted_kappa")}

LIVE_SECONDS = 1.0  # for each property of a measure that is not in the atlas


class Candidates:
    """The verdicts on measures for a number of classes, from the atlas or decided now."""

    def __init__(self, classes: int) -> None:
        self.classes = min(classes, DECIDED_FOR)
        self._cells = _cells(self.classes, DOMAIN)
        self._live: dict[tuple[str, str], Verdict] = {}

    def of_the_atlas(self) -> list[Measure]:
        """Return the measures of the atlas that have an orientation."""
        found = [measure_of(name) for name in self._cells]
        return [x for x in found if x.orientation in ("higher", "lower")]

    def status(self, measure: Measure, prop: str) -> str:
        """Return the status of one property of a measure: proved, refuted, held or vacuous."""
        cell = self._cells.get(measure.name, {}).get(prop)
        return str(cell["status"]) if cell is not None else self.verdict(measure, prop).status

    def verdict(self, measure: Measure, prop: str) -> Verdict:
        """Return the verdict on one property of a measure, with its witness."""
        cell = self._cells.get(measure.name, {}).get(prop)
        if cell is not None:
            return opened(cell)
        key = measure.name, prop
        if key not in self._live:
            from goodmeasure.theory.check import check  # it loads all that proves and refutes, which is seldom needed

            self._live[key] = check(measure, self.classes, DOMAIN, properties=[prop], seconds=LIVE_SECONDS)[prop]
        return self._live[key]

    def refuted_where_absent(self, measure: Measure, prop: str) -> Verdict | None:
        """Return the verdict for two classes where a class may be absent, if the atlas has it; otherwise None."""
        cell = _cells(2, "all").get(measure.name, {}).get(prop) if self.classes == 2 else None
        return None if cell is None or cell["status"] != REFUTED else opened(cell)


@cache
def _cells(classes: int, domain: str) -> dict[str, dict[str, Cell]]:
    """Return the stored verdicts by measure and property."""
    return stored().filter(classes=classes, domain=domain).by_measure()


def family(measure: Measure) -> str:
    """Return the name of a measure without its parameters."""
    return measure.name.split("(")[0]


def with_costs(costs: Any) -> list[Measure]:
    """Return the measures that use a user's costs; with two classes, only the ratio of the two costs matters."""
    table = [list(row) for row in costs]
    if len(table) == 2:
        miss, alarm = (Fraction(str(x)) for x in (table[1][0], table[0][1]))
        weights = {"alpha": _short(miss / min(miss, alarm)), "beta": _short(alarm / min(miss, alarm))}
        return [_of("matching_tversky", weights), _of("tversky", weights)]
    return [_of("k_cost", {"costs": table}), _of("weighted_kappa", {"weights": table})]


def _short(number: Fraction) -> float | int:
    return int(number) if number.denominator == 1 else float(number)


def _of(name: str, parameters: Mapping[str, Any]) -> Measure:
    inside = ", ".join(f"{k}={v!r}" for k, v in parameters.items())
    return measure_of(f"{name}({inside})")


def alike(measures: list[Measure], classes: int) -> list[list[Measure]]:
    """Return measures in groups whose members are linear functions of each other on all small matrices."""
    cells = np.concatenate([matrices(n, classes) for n in range(classes, classes + ENOUGH[classes])])
    cells = cells[domain_of(DOMAIN).holds(cells)]
    groups: dict[bytes, list[Measure]] = {}
    for of in measures:
        values = np.asarray(of(cells), dtype=float)
        groups.setdefault(_shape(values), []).append(of)
    return list(groups.values())


ENOUGH = {2: 6, 3: 3}  # by number of classes: how many values of n are looked at


def _shape(values: Array) -> bytes:
    """Return the values up to a linear function: the first becomes 0, and the one farthest from it becomes 1."""
    finite = np.isfinite(values)
    if not finite.any():
        return bytes(finite)
    moved = values - values[finite][0]
    scale = moved[finite][np.argmax(np.round(np.abs(moved[finite]), 9))]
    shaped: Array = np.round(np.where(finite, moved / (scale or 1), 0), 9) + 0.0
    return bytes(finite) + bytes(shaped)
