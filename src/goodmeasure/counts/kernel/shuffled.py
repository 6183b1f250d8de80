"""Put items in random places and count what each owner of places gets, by the compiled kernel or by NumPy."""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.kernel import tally
from goodmeasure.typing import Array


def shuffled_counts(owners: Array, cells: Array, drawn: Array, shape: tuple[int, int]) -> Array:
    """Return how many items of each cell each owner gets, as counts (shuffles, cells, owners).

    `owners` says to whom each place belongs, `cells` what each item is; both are arrays of uint32. An item is put in
    one of the places that are free, which random numbers (shuffles, items) from 0 to 1 choose.

    >>> from goodmeasure.counts.kernel.shuffled import shuffled_counts
    >>> two = np.array([0, 0, 1], np.uint32), np.array([0, 1], np.uint32)
    >>> shuffled_counts(*two, np.array([[0.0, 0.9], [0.9, 0.0]]), (2, 2)).tolist()
    [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    """
    counts = np.zeros((len(drawn), *shape), np.uint32)
    if tally.kernel is not None:
        tally.kernel.deal(owners, cells, shape[1], drawn, counts)
        return counts
    at, free = np.arange(len(drawn)), np.repeat(owners[None], len(drawn), axis=0)
    for k, cell in enumerate(cells.tolist()):
        place = k + (drawn[:, k] * (len(owners) - k)).astype(np.int64)
        owner = free[at, place]
        free[at, place] = free[:, k]
        counts[at, cell, owner] += 1
    return counts
