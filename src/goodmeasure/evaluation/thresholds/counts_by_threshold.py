"""The counts at every distinct threshold, from one sort."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property

import numpy as np

from goodmeasure.typing import Array

_SIGN = np.int64(np.iinfo(np.int64).max)
_LAST_BYTE = 0 if sys.byteorder == "little" else 7  # of a 64-bit number: the one with its last bit
_FEW = 4096  # items: below, a plain sort is as good


class Counts:
    """At each threshold, from the highest down: items of score ≥ threshold are predicted positive.

    `cells` are (2, 2, thresholds), [[TN, FP], [FN, TP]], written out when they are asked for; `whole` tells that they
    are counts and not weights. `sums` adds the margins of a stretch of thresholds up, where that is quicker than from
    its cells: (a_0, a_1, b_0, b_1, n), of which the first two and the last are the same at every threshold.
    """

    def __init__(
        self, thresholds: Array, make: Callable[[slice], Array], *, whole: bool,
        sums: Callable[[slice], tuple[Array, ...]] | None = None,
    ) -> None:  # fmt: skip
        self.thresholds, self.block, self.whole, self.sums = thresholds, make, whole, sums

    @cached_property
    def cells(self) -> Array:
        """All matrices."""
        return self.block(slice(None))

    def __len__(self) -> int:
        return len(self.thresholds)


def count(scores: Array, positive: Array, weights: Array | None = None) -> Counts:
    """The counts at every distinct score, ties together.

    >>> found = count(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    >>> found.thresholds.tolist(), found.cells[1, 1].tolist(), found.cells[0, 1].tolist()
    ([0.8, 0.4, 0.1], [1.0, 2.0, 2.0], [0.0, 1.0, 2.0])
    """
    if weights is not None:
        return _weighted(scores, positive, weights)
    packed = _packed(scores, positive)
    if packed is None:
        order = np.argsort(scores, kind="stable")
        thresholds, hit = scores[order], positive[order]
    else:
        thresholds, hit = packed
    counted = np.cumsum(hit, dtype=np.int32 if len(hit) < 2**31 else np.int64)
    missed: Array = np.subtract(counted, hit, out=counted)  # positive items of lower scores
    below: Array = np.arange(len(hit), dtype=counted.dtype)
    first = _first_of_equal(thresholds)
    if first is not None:
        thresholds, missed, below = thresholds[first], missed[first], below[first]
    fn, rejected, positives, items = missed[::-1], below[::-1], int(np.count_nonzero(positive)), len(hit)
    return Counts(
        thresholds[::-1],
        lambda part: _cells(fn[part], rejected[part], positives, items),
        whole=True,
        sums=lambda part: _sums(rejected[part], positives, items),
    )


def _cells(fn: Array, below: Array, positives: int, items: int) -> Array:
    """The four cells from the positive items and all items below each threshold."""
    cells = np.empty((2, 2, len(fn)))
    cells[1, 0] = fn
    cells[0, 0] = below
    cells[0, 0] -= cells[1, 0]
    np.subtract(positives, cells[1, 0], out=cells[1, 1])
    np.subtract(items - positives, cells[0, 0], out=cells[0, 1])
    return cells


def _sums(below: Array, positives: int, items: int) -> tuple[Array, ...]:
    """The sizes of the true classes, which no threshold changes, of the predicted ones, and of all."""
    rejected = below.astype(np.float64)
    negative, positive, n = (np.array([float(x)]) for x in (items - positives, positives, items))
    return negative, positive, rejected, items - rejected, n


def _first_of_equal(values: Array) -> Array | None:
    """Where the first of each run of equal values stands; None where all differ."""
    differ = values[1:] != values[:-1]
    if differ.all():
        return None
    return np.append(0, np.flatnonzero(differ) + 1)


def _packed(scores: Array, positive: Array) -> tuple[Array, Array] | None:
    """Scores in rising order and who of them is positive (1 or 0), by one sort of whole numbers that hold both.

    The bits of a float, read as a whole number, are in the order of the floats (turned round for negative ones). A
    power of two brings the scores between −2 and 2, where 63 bits suffice: the last bit is free for the class. None
    where that loses something (scores of very different sizes) or is not worth it.
    """
    if scores.dtype != np.float64 or len(scores) < _FEW:
        return None
    low, high = float(scores.min()), float(scores.max())
    largest = max(-low, high)
    if not np.isfinite(largest):
        return None
    exponent = max(0, int(np.frexp(largest)[1]) - 1)
    scaled = np.ldexp(scores, -exponent) if exponent else scores + 0.0  # a copy, and −0.0 is 0.0
    if exponent:
        scaled += 0.0
    keys = scaled.view(np.int64)
    if low < 0:
        keys ^= (keys >> 63) & _SIGN
    keys <<= 1
    keys |= positive
    keys.sort()
    if exponent and _any_tiny(keys, scores):
        return None
    hit = keys.view(np.int8)[_LAST_BYTE::8] & 1
    keys >>= 1
    if low < 0:
        keys ^= (keys >> 63) & _SIGN
    found = keys.view(np.float64)
    return (np.ldexp(found, exponent) if exponent else found), hit


def _any_tiny(keys: Array, scores: Array) -> bool:
    """Whether a score other than 0 is so small that a power of two may have cost it digits."""
    least = int(np.array(1e-290).view(np.int64)) << 1
    inner = np.searchsorted(keys, [-least, 0, 2, least])  # keys 0 and 1 are those of the score 0
    if inner[1] > inner[0] or inner[3] > inner[2]:
        return True
    return inner[2] > inner[1] and bool(inner[2] - inner[1] != np.count_nonzero(scores == 0))


def _weighted(scores: Array, positive: Array, weights: Array) -> Counts:
    order = np.argsort(scores, kind="stable")[::-1]
    thresholds, hit, weight = scores[order], positive[order], weights[order]
    differ = np.append(thresholds[1:] != thresholds[:-1], True)
    last = np.flatnonzero(differ)
    added = [np.where(hit == wanted, weight, 0) for wanted in (False, True)]
    # sums from both ends, so that what is empty is 0 exactly and not what is left of a difference
    fp, tp = (np.cumsum(x)[last] for x in added)
    tn, fn = (np.append(np.cumsum(x[::-1])[::-1], 0.0)[last + 1] for x in added)
    cells = np.array([[tn, fp], [fn, tp]], dtype=np.float64)
    return Counts(thresholds[last], lambda part: cells[:, :, part], whole=weights.dtype.kind in "biu")
