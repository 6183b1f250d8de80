"""The ranking of the systems under each measure, and how far measures agree on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.comparison.system_ranks import mean_places
from goodmeasure.evaluation.result import Result


def values(result: Result) -> dict[str, dict[str, float]]:
    """Return each system's value on all items, by measure, where it is defined and the measure has an orientation."""
    parts = [part for part in result.parts if part.slice is None]
    found = {}
    for f in result.settings.measures:
        known = {part.system: part.value(f.name) for part in parts}
        if f.orientation != NEITHER:
            found[f.name] = {name: x for name, x in known.items() if x is not None and not math.isnan(x)}
    return found


def ranks(result: Result) -> dict[str, dict[str, float]]:
    """Return each system's rank, by measure: 1 is the best, and equal values share the mean of their ranks."""
    lower = {f.name for f in result.settings.measures if f.orientation == LOWER}
    return {name: _ranked(row, higher=name not in lower) for name, row in values(result).items()}


def _ranked(scores: dict[str, float], *, higher: bool) -> dict[str, float]:
    return dict(zip(scores, mean_places(list(scores.values()), higher=higher).tolist(), strict=True))


def agreement(one: Mapping[str, float], two: Mapping[str, float]) -> float:
    """Return the share of pairs of systems that two measures order alike; a tie agrees only with a tie."""
    pairs = list(combinations([name for name in one if name in two], 2))
    same = sum(_sign(one[a] - one[b]) == _sign(two[a] - two[b]) for a, b in pairs)
    return same / len(pairs) if pairs else math.nan


def _sign(x: float) -> int:
    return (x > 0) - (x < 0)
