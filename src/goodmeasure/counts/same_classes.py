"""Matrices that are read side by side: the same classes in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import InputError


def in_one_order(matrices: Sequence[ConfusionMatrix], names: Sequence[Any]) -> list[ConfusionMatrix]:
    """Return matrices with their classes in the order of the first; matrices without class names stay unchanged.

    >>> a, b = ConfusionMatrix([[1, 2], [3, 4]], ["no", "yes"]), ConfusionMatrix([[4, 3], [2, 1]], ["yes", "no"])
    >>> [x.counts.tolist() for x in in_one_order([a, b], ["A", "B"])]
    [[[1, 2], [3, 4]], [[1, 2], [3, 4]]]
    """
    first = next((k for k, x in enumerate(matrices) if not _is_bare(x)), 0)
    labels, found = matrices[first].labels, []
    for name, x in zip(names, matrices, strict=True):
        if x.labels == labels or (_is_bare(x) and set(x.labels) != set(labels)):
            found.append(x)
        elif set(x.labels) == set(labels):
            found.append(x.aligned(labels))
        else:
            other = next(label for label in (*x.labels, *labels) if (label in labels) != (label in x.labels))
            raise InputError(
                "the matrices of {first!r} and {second!r} have different classes ({other!r} is in one only)",
                first=names[first],
                second=name,
                other=other,
                advice="count both with the same {labels:=}",
            )
    return found


def _is_bare(matrix: ConfusionMatrix) -> bool:
    """Return whether the classes are only numbered."""
    return matrix.labels == tuple(range(matrix.m))
