"""How much a measure differs between slices: between countries, sites, years."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from goodmeasure.evaluation.scoring import Part


@dataclass(frozen=True)
class SliceSpread:
    """The lowest and the highest value of a measure over slices, their difference and the standard deviation.

    Slices on which the measure is undefined are left out; `slices` says how many are not.
    """

    system: str
    measure: str
    slices: int
    lowest: float
    lowest_slice: Any
    highest: float
    highest_slice: Any
    gap: float
    deviation: float


def slice_spreads(parts: Sequence[Part], measures: Sequence[str]) -> list[SliceSpread]:
    """For each system and measure, how far slices are apart; only where there are two or more of them."""
    found = []
    for system in dict.fromkeys(part.system for part in parts):
        mine = [part for part in parts if part.system == system and part.slice is not None]
        for measure in measures:
            values = [(part.value(measure), part.slice) for part in mine]
            known = [(x, where) for x, where in values if x is not None and math.isfinite(x)]
            if len(known) > 1:
                (low, at_low), (high, at_high) = (end(known, key=lambda x: x[0]) for end in (min, max))
                deviation = statistics.pstdev(x for x, _ in known)
                found.append(
                    SliceSpread(system, measure, len(known), low, at_low, high, at_high, high - low, deviation)
                )
    return found
