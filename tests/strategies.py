"""What the property tests draw: matrices with and without empty classes, whole and real counts, labels."""

from __future__ import annotations

from functools import cache, partial

import numpy as np
from hypothesis import strategies as st

import goodmeasure as gm

MEASURES = gm.measures()
BY_NAME = {measure.name: measure for measure in MEASURES}


@cache
def real() -> st.SearchStrategy[float]:
    """Real counts over many orders of magnitude, with exact zeros often among them."""
    return st.one_of(st.just(0.0), st.floats(1e-6, 1e6), st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 1e-9, 1e9]))


COUNTS = (*range(13), *12 * [0])
"""Counts to 12, with zero often among them."""


@cache
def matrices(m: int | st.SearchStrategy[int] = st.integers(2, 4), cell: st.SearchStrategy | tuple = COUNTS):  # noqa: B008
    """Square matrices with at least one item; their cells are drawn by a strategy, or are among some numbers."""
    return _of_size(m, cell) if isinstance(m, int) else m.flatmap(partial(_of_size, cell=cell))


@cache
def _of_size(m: int, cell: st.SearchStrategy | tuple):
    """Matrices of m classes. Numbers are drawn at once, a byte for each, as a test spends most of its time on draws."""
    if isinstance(cell, tuple):
        cells = st.binary(min_size=m * m, max_size=m * m).map(lambda drawn: [cell[x % len(cell)] for x in drawn])
    else:
        cells = st.tuples(*m * m * [cell])
    return cells.filter(any).map(lambda drawn: [list(drawn[at : at + m]) for at in range(0, m * m, m)])


@cache
def regular(m: int | st.SearchStrategy[int] = st.integers(2, 4)):  # noqa: B008
    """Matrices of whole counts in which every class occurs in both labelings."""
    return matrices(m).filter(lambda rows: all(map(any, rows)) and all(map(any, zip(*rows, strict=True))))


def small_matrices(m: int, n: int) -> np.ndarray:
    """All m×m matrices of n items."""
    cells = m * m
    dividers = np.array(list(_choices(n + cells - 1, cells - 1)), dtype=int).reshape(-1, cells - 1)
    edges = np.hstack([np.full((len(dividers), 1), -1), dividers, np.full((len(dividers), 1), n + cells - 1)])
    return (np.diff(edges, axis=1) - 1).reshape(-1, m, m)


def _choices(n: int, k: int):
    from itertools import combinations

    return combinations(range(n), k)
