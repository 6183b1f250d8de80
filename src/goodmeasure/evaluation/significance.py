"""What may be called significant: every sentence, sign, table and gate that mentions a test asks here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

DIFFERENCES, SLICES, CHANCE, THRESHOLDS = "differences", "slices", "chance", "thresholds"
UNBUDGETED = (
    "family=None: every claim has an error rate of its own, so that a report with many claims often holds a false one"
)
_OF_CHANCE = 0.2  # of the error rate, where there are other claims: what beats guessing mostly does so clearly
USUAL = 0.95  # the confidence level where none is set


def shares(families: Sequence[str]) -> dict[str, float]:
    """Return which share of the error rate of a page each kind of claim has; together they are 1.

    >>> shares(["differences"]), round(shares(["chance", "slices"])["slices"], 3)
    ({'differences': 1.0}, 0.8)
    """
    others = [x for x in families if x != CHANCE]
    left = 1 - _OF_CHANCE if others and CHANCE in families else 1.0
    return {x: 1 - left if x == CHANCE and others else left / max(1, len(others)) for x in families}


class Claim(NamedTuple):
    """The claim that two values differ, and what speaks for it: a p-value, or whether an interval excludes the other.

    `confidence` is the level at which the claim is made.
    """

    confidence: float | None = None
    p: float = math.nan
    apart: bool | None = None


def is_significant(claim: Claim) -> bool:
    """Return whether a difference may be called significant: the only place where that is decided."""
    if claim.apart is not None:
        return claim.apart
    return claim.p < 1 - (USUAL if claim.confidence is None else claim.confidence)
