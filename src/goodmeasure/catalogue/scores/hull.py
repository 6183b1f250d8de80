"""The upper convex hull of a rising curve of points, such as a ROC curve."""

from __future__ import annotations

import numpy as np

from goodmeasure.typing import Array


def upper_hull(x: Array, y: Array) -> Array:
    """Return the places of the corners of the upper convex hull; x and y rise, and x may stand still.

    A point on or below the line between its neighbours is no corner, whatever other points are removed: all such points
    go at once, until none is left. Each round removes about half of a jagged curve.

    >>> upper_hull(np.array([0, 0, 1, 2, 4]), np.array([0, 2, 1, 4, 4])).tolist()
    [0, 1, 3, 4]
    """
    kept = np.flatnonzero(np.concatenate([[True], (np.diff(x) != 0) | (np.diff(y) != 0)]))  # equal points are one
    while len(kept) > 2:
        a, b = x[kept].astype(float), y[kept].astype(float)
        right, up = np.diff(a), np.diff(b)
        # The slope must fall strictly at a corner: up_k / right_k > up_(k+1) / right_(k+1), without dividing.
        corner = up[:-1] * right[1:] > up[1:] * right[:-1]
        if corner.all():
            break
        kept = kept[np.concatenate([[True], corner, [True]])]
    return kept
