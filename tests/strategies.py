"""What the property tests draw: matrices with and without empty classes, whole and real counts, labels."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

import goodmeasure as gm

MEASURES = gm.measures()
BY_NAME = {measure.name: measure for measure in MEASURES}


def whole(largest: int = 12) -> st.SearchStrategy[int]:
    """Counts, with zero often among them."""
    return st.one_of(st.just(0), st.integers(0, largest))


def real() -> st.SearchStrategy[float]:
    """Real counts over many orders of magnitude, with exact zeros often among them."""
    return st.one_of(st.just(0.0), st.floats(1e-6, 1e6), st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 1e-9, 1e9]))


def matrices(m: int | st.SearchStrategy[int] = st.integers(2, 4), cell: st.SearchStrategy | None = None):  # noqa: B008
    """Square matrices with at least one item."""
    cell = whole() if cell is None else cell
    sizes = st.just(m) if isinstance(m, int) else m

    def of_size(k: int):
        row = st.lists(cell, min_size=k, max_size=k)
        return st.lists(row, min_size=k, max_size=k).filter(lambda rows: any(map(any, rows)))

    return sizes.flatmap(of_size)


def regular(m: int | st.SearchStrategy[int] = st.integers(2, 4), largest: int = 12):  # noqa: B008
    """Matrices of whole counts in which every class occurs in both labelings."""
    return matrices(m, whole(largest)).filter(
        lambda rows: all(map(any, rows)) and all(map(any, zip(*rows, strict=True)))
    )


def small_matrices(m: int, n: int) -> np.ndarray:
    """All m×m matrices of n items."""
    cells = m * m
    dividers = np.array(list(_choices(n + cells - 1, cells - 1)), dtype=int).reshape(-1, cells - 1)
    edges = np.hstack([np.full((len(dividers), 1), -1), dividers, np.full((len(dividers), 1), n + cells - 1)])
    return (np.diff(edges, axis=1) - 1).reshape(-1, m, m)


def _choices(n: int, k: int):
    from itertools import combinations

    return combinations(range(n), k)
