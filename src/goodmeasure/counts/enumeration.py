"""Enumerations of small data sets: all confusion matrices, class sizes and joint counts of n items."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from goodmeasure.typing import Array

_MOST_KEPT = 1 << 18  # numbers in an enumeration that is remembered, so that all of them together take 32 MiB at most


def compositions(n: int, parts: int) -> Array:
    """Return all ways to write n as a sum of non-negative parts, in lexicographic order, one per row.

    >>> compositions(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """
    return (_kept if how_many(n, parts) * parts <= _MOST_KEPT else _composed)(n, parts)


def _composed(n: int, parts: int) -> Array:
    """Return the compositions of n, from those of all numbers up to n with one part fewer, and so on."""
    found = [np.array([[k]], dtype=np.int16) for k in range(n + 1)]
    for _ in range(parts - 2):
        found = [_with_first(found[: k + 1]) for k in range(n + 1)]
    return _fixed(_with_first(found) if parts > 1 else found[n])


_kept = lru_cache(64)(_composed)


def _with_first(rest: list[Array]) -> Array:
    """Return the compositions of n whose first part is 0, …, n, given those of 0, …, n with one part fewer."""
    blocks = [np.empty((len(x), x.shape[1] + 1), dtype=np.int16) for x in reversed(rest)]
    for first, (block, x) in enumerate(zip(blocks, reversed(rest), strict=True)):
        block[:, 0], block[:, 1:] = first, x
    return np.concatenate(blocks)


def _fixed(array: Array) -> Array:
    array.flags.writeable = False
    return array


def how_many(n: int, parts: int) -> int:
    """Return the number of compositions."""
    from math import comb

    return comb(n + parts - 1, parts - 1)


def matrices(n: int, m: int) -> Array:
    """Return all confusion matrices of n items in m classes (k, m, m), in lexicographic order of their cells.

    >>> len(matrices(3, 2))
    20
    """
    return compositions(n, m * m).reshape(-1, m, m)


def joint_counts(n: int, m: int) -> Array:
    """Return all joint counts (k, m, m, m) of three labelings of n items."""
    return compositions(n, m**3).reshape(-1, m, m, m)


def place_values(width: int) -> Array:
    """Return what one item counts for in each cell of the integer that stands for a row of cells, as in a number.

    The base is the greatest one with which the integers fit into 64 bits: it is the last but one place value.
    """
    base = int(2 ** (62 / width))
    return np.array([base**k for k in range(width - 1, -1, -1)], dtype=np.int64)


def keys(cells: Array, places: Array) -> Array:
    """Return one integer per row of cells that orders rows lexicographically, by the value of each place."""
    return np.asarray(cells.astype(np.int64) @ places)
