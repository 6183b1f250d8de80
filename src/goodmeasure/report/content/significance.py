"""Which differences between systems, and from random guessing, a report may call significant."""

from __future__ import annotations

import math
from collections.abc import Mapping

from goodmeasure.catalogue.measure import LOWER
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.joint_tests import quantile_of
from goodmeasure.evaluation.p_values import two_sided
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.thresholds.best import Best


def winners_of(found: Comparison, measure: str) -> tuple[str, ...]:
    """Return the systems that are not significantly worse than the best one; empty where none is the best."""
    if measure not in found.winners:
        return ()
    level, near = found.settings.confidence, found.winners[measure]
    return tuple(x for x in found.systems if not significance.is_significant(Claim(level, apart=x not in near)))


def differ(found: Comparison, a: str, b: str, measure: str) -> bool | None:
    """Return whether two systems differ significantly; None where they were not tested against each other."""
    p = p_of(found, a, b, measure)
    return None if math.isnan(p) else significance.is_significant(Claim(found.settings.confidence, p))


def p_of(found: Comparison, a: str, b: str, measure: str) -> float:
    """Return the p-value of two systems among all that the page could claim; NaN where they were not tested."""
    for row in found.differences:
        if row["measure"] == measure and {row["a"], row["b"]} == {a, b}:
            return row["p_family"]
    return math.nan


def against_chance(row: Row, confidence: float | None, claims: Mapping[str, float]) -> bool | None:
    """Return whether a value differs significantly from that of random guessing; None if that is not known.

    The p-value is that of the normal distribution whose interval ends where this one does.
    """
    if math.isnan(row.low) or math.isnan(row.chance):
        return None
    apart = not row.low <= row.chance <= row.high
    share = claims.get(significance.CHANCE, 1.0)
    if not apart or share == 1 or confidence is None:
        return significance.is_significant(Claim(confidence, apart=apart))
    reach = abs((row.low if row.chance < row.value else row.high) - row.value)
    z = quantile_of(1 - confidence) * abs(row.value - row.chance) / reach if reach else math.inf
    return significance.is_significant(Claim(confidence, two_sided(z) / share))


def is_poor(value: float, best: Best, orientation: str, confidence: float | None) -> bool:
    """Return whether a threshold is significantly worse than the best one would be on new items.

    The interval of the best value has the level that the share of the error rate leaves.
    """
    if best.value_low is None or best.value_high is None or math.isnan(value):
        return False
    apart = value > best.value_high if orientation == LOWER else value < best.value_low
    return significance.is_significant(Claim(confidence, apart=apart))
