"""Count the confusion matrix at every distinct threshold, with one sort."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.kernel import tally
from goodmeasure.typing import Array, DType

_FEW = 4096  # items: for fewer, a plain sort is as fast


class ThresholdCounts:
    """The matrix at each threshold, from the highest down: an item is predicted positive if its score is at least that.

    `cells` has shape (2, 2, thresholds), each [[TN, FP], [FN, TP]]; `block` makes a part of it, so that very many
    thresholds need not be held at once. `whole` says that the cells are counts and not weights.
    """

    def __init__(self, thresholds: Array, make: Callable[[slice], Array], *, whole: bool) -> None:
        self.thresholds, self.block, self.whole = thresholds, make, whole

    @cached_property
    def cells(self) -> Array:
        """Return the matrices at all thresholds."""
        return self.block(slice(None))

    def __len__(self) -> int:
        return len(self.thresholds)


def count(scores: Array, positive: Array, weights: Array | None = None) -> ThresholdCounts:
    """Return the counts at every distinct score; items with equal scores move together.

    >>> found = count(np.array([0.1, 0.4, 0.4, 0.8]), np.array([False, True, False, True]))
    >>> found.thresholds.tolist(), found.cells[1, 1].tolist(), found.cells[0, 1].tolist()
    ([0.8, 0.4, 0.1], [1.0, 2.0, 2.0], [0.0, 1.0, 2.0])
    """
    if weights is not None:
        return _weighted(scores, positive, weights)
    return of_sorted(*in_order(scores, positive))


def in_order(scores: Array, positive: Array) -> tuple[Array, Array]:
    """Return the scores in rising order, and for each whether it belongs to a positive item.

    Among equal scores negative items come first.
    """
    packed = _packed(scores, positive)
    if packed is not None:
        return packed
    negative_first = np.concatenate([np.flatnonzero(~positive), np.flatnonzero(positive)])
    order = negative_first[np.argsort(scores[negative_first], kind="stable")]
    return scores[order], positive[order]


def of_sorted(thresholds: Array, hit: Array) -> ThresholdCounts:
    """Return the counts at every distinct score, from what `in_order` returns."""
    counted = np.cumsum(hit, dtype=np.int32 if len(hit) < 2**31 else np.int64)
    missed: Array = np.subtract(counted, hit, out=counted)  # positive items with lower scores
    below: Array = np.arange(len(hit), dtype=counted.dtype)
    first = first_of_equal(thresholds)
    if first is not None:
        thresholds, missed, below = thresholds[first], missed[first], below[first]
    fn, rejected, positives, items = missed[::-1], below[::-1], int(np.count_nonzero(hit)), len(hit)
    cells: Callable[[slice], Array] = lambda part: cells_below(fn[part], rejected[part], positives, items)  # noqa: E731
    return ThresholdCounts(thresholds[::-1], cells, whole=True)


def cells_below(fn: Array, below: Array, positives: int, items: int) -> Array:
    """Return the four cells, from the positive items and all items below each threshold."""
    cells = np.empty((2, 2, len(fn)))
    cells[1, 0] = fn
    cells[0, 0] = below
    cells[0, 0] -= cells[1, 0]
    np.subtract(positives, cells[1, 0], out=cells[1, 1])
    np.subtract(items - positives, cells[0, 0], out=cells[0, 1])
    return cells


def first_of_equal(values: Array) -> Array | None:
    """Return the place of the first of each run of equal values; None if all values differ."""
    differ = values[1:] != values[:-1]
    if differ.all():
        return None
    return np.append(0, np.flatnonzero(differ) + 1)


def _packed(scores: Array, positive: Array) -> tuple[Array, Array] | None:
    """Return the scores in rising order and whether each is positive, from one sort of integers.

    Sorting pairs of score and class is slow; sorting integers is fast. The bits of a float, read as an integer, are in
    the order of the floats (with the bits of negative numbers flipped). A power of two scales the scores to between −2
    and 2, where the first bit of the exponent is 0: one bit less then suffices, and the last bit is free for the class.
    None is returned where the scaling might lose digits (scores of very different sizes) or where there are too few
    items to matter.
    """
    layout = _LAYOUTS.get(scores.dtype)
    if layout is None or len(scores) < _FEW:
        return None
    low, high = float(scores.min()), float(scores.max())
    largest = max(-low, high)
    if not np.isfinite(largest):
        return None
    exponent = max(0, int(np.frexp(largest)[1]) - 1)
    scaled = np.ldexp(scores, -exponent) if exponent else scores + scores.dtype.type(0)  # a copy; −0.0 becomes 0.0
    if exponent:
        scaled += scores.dtype.type(0)
    keys = scaled.view(layout.integer)
    if low < 0:
        keys ^= (keys >> layout.sign_bit) & layout.mask
    keys <<= 1
    keys |= positive
    keys = _in_rising_order(keys)
    if exponent and _any_tiny(keys, scores, layout):
        return None
    hit = keys.view(np.int8)[layout.last_byte :: layout.integer.itemsize] & 1
    keys >>= 1
    if low < 0:
        keys ^= (keys >> layout.sign_bit) & layout.mask
    found = keys.view(scores.dtype)
    return (np.ldexp(found, exponent) if exponent else found), hit


def _in_rising_order(keys: Array) -> Array:
    """Return the integers sorted; the compiled kernel does it digit by digit, several times as fast as comparing."""
    if not hasattr(tally.kernel, "sort"):  # absent, or compiled before it could sort
        keys.sort()
        return keys
    spare = np.empty_like(keys)
    assert tally.kernel is not None
    return spare if tally.kernel.sort(keys, spare, keys.dtype.itemsize) else keys


class _Layout(NamedTuple):
    """How a kind of floats is read as integers: their type, the place of the sign, all other bits, the last byte.

    `tiny` is a number so small that scaling by the largest power of two may cost it digits.
    """

    integer: DType
    sign_bit: int
    mask: np.signedinteger
    last_byte: int
    tiny: float


def _layout(integer: type[np.signedinteger], tiny: float) -> _Layout:
    kind = np.dtype(integer)
    last = 0 if sys.byteorder == "little" else kind.itemsize - 1
    return _Layout(kind, 8 * kind.itemsize - 1, integer(np.iinfo(integer).max), last, tiny)


_LAYOUTS: dict[object, _Layout] = {
    np.dtype(np.float64): _layout(np.int64, 1e-290),
    np.dtype(np.float32): _layout(np.int32, 1e-30),
}


def _any_tiny(keys: Array, scores: Array, layout: _Layout) -> bool:
    """Return whether some score other than 0 is so small that the scaling may have cost it digits."""
    least = int(np.array(layout.tiny, scores.dtype).view(layout.integer)) << 1
    marks = np.array([-least, 0, 2, least], layout.integer)  # keys 0 and 1 belong to the score 0
    inner = np.searchsorted(keys, marks)
    if inner[1] > inner[0] or inner[3] > inner[2]:
        return True
    return inner[2] > inner[1] and bool(inner[2] - inner[1] != np.count_nonzero(scores == 0))


def _weighted(scores: Array, positive: Array, weights: Array) -> ThresholdCounts:
    """Return the counts of weighted items at every distinct score."""
    order = np.argsort(scores, kind="stable")[::-1]
    thresholds, hit, weight = scores[order], positive[order], weights[order]
    differ = np.append(thresholds[1:] != thresholds[:-1], True)
    last = np.flatnonzero(differ)
    added = [np.where(hit == wanted, weight, 0) for wanted in (False, True)]
    # Summed from both ends, so that an empty cell is exactly 0 and not the rounding error of a difference.
    fp, tp = (np.cumsum(x)[last] for x in added)
    tn, fn = (np.append(np.cumsum(x[::-1])[::-1], 0.0)[last + 1] for x in added)
    cells = np.array([[tn, fp], [fn, tp]], dtype=np.float64)
    return ThresholdCounts(thresholds[last], lambda part: cells[:, :, part], whole=weights.dtype.kind in "biu")
