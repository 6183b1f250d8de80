"""An order of classes in which those that are taken for each other stand together."""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix


def by_confusion(matrix: ConfusionMatrix) -> list[int]:
    """The places of the classes, chained greedily by how often one is taken for the other.

    >>> by_confusion(ConfusionMatrix([[9, 0, 4], [0, 9, 0], [5, 0, 9]]))
    [0, 2, 1]
    """
    counts = np.asarray(matrix.counts, float)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300)
    near = shares + shares.T
    np.fill_diagonal(near, -1.0)
    left = set(range(matrix.m))
    at = int(np.unravel_index(np.argmax(near), near.shape)[0]) if matrix.m > 1 else 0
    chain = []
    while left:
        chain.append(at)
        left.discard(at)
        if left:
            rest = sorted(left)
            at = rest[int(np.argmax(near[at, rest]))]
    return chain
