"""What may be called significant: every sentence, sign, table and gate that speaks of a test asks here."""

from __future__ import annotations

import math
from typing import NamedTuple

USUAL = 0.95  # the confidence level where none is set


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
