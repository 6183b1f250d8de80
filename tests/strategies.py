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


@cache
def matrices(m: int | st.SearchStrategy[int] = st.integers(2, 4), cell: st.SearchStrategy | None = None):  # noqa: B008
    """Square matrices with at least one item."""
    return _of_size(m, cell) if isinstance(m, int) else m.flatmap(partial(_of_size, cell=cell))


@cache
def _of_size(m: int, cell: st.SearchStrategy | None):
    """Matrices of m classes; without `cell`, of counts to 12, with zero often among them.

    Each cell is one draw, and what is below zero counts as zero: most of the time of a test goes into draws.
    """
    cells = st.tuples(*m * m * [st.integers(-12, 12) if cell is None else cell])
    counts = cells if cell is not None else cells.map(lambda drawn: [max(x, 0) for x in drawn])
    return counts.filter(any).map(lambda drawn: [list(drawn[at : at + m]) for at in range(0, m * m, m)])


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
