"""Confusion matrices in a report: the table, where it is small enough to read, and the most frequent confusions."""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.scoring import Part
from goodmeasure.report.content.sample_sizes import is_weighted
from goodmeasure.report.document import Block, Cell, Counts, Grid, Sentences
from goodmeasure.report.numbers import count_text, label_text, share_text
from goodmeasure.typing import Array

MOST_CLASSES = 150
_CROWDED = 40  # up to so many classes, the matrices of many systems are shown as tables
_CONFUSIONS = 10


def crowded(classes: int) -> list[Block]:
    """Return the sentence that says why the matrices of many systems are not shown as tables."""
    said = f"Tables of {classes:,} classes for many systems would fill a book: the chart shows them, the JSON has them."
    return [Sentences((said,))] if classes > _CROWDED else []


def matrix_block(matrix: ConfusionMatrix, caption: str, *, one_of_many: bool = False) -> list[Block]:
    """Return the matrix, or the reason why it is not shown.

    With many systems, a matrix is shown only if it can be read at a glance.
    """
    if one_of_many and matrix.m > _CROWDED:
        return []
    if matrix.m > MOST_CLASSES:
        return [Sentences((f"{caption}. The matrix of {matrix.m:,} classes is too large to read, and not shown.",))]
    return [Counts(caption, tuple(label_text(x) for x in matrix.labels), matrix.counts)]


def confusions(part: Part, start: str = "T") -> list[Block]:
    """Return the most frequent confusions; `start` begins the caption, to say whose they are."""
    matrix = part.matrix
    if matrix.m < 3:
        return []
    rows, cols, values = _others(matrix)
    order = np.argsort(-np.asarray(values, float), kind="stable")[:_CONFUSIONS]
    lines = tuple(
        (
            Cell(label_text(matrix.labels[rows[k]])),
            Cell(label_text(matrix.labels[cols[k]])),
            Cell(count_text(values[k]), float(values[k])),
            Cell(share_text(float(values[k]) / float(matrix.a[rows[k]])), float(values[k]) / float(matrix.a[rows[k]])),
        )
        for k in order
    )
    if not lines:
        return [Sentences(("No class is taken for another one.",))]
    caption, amount = f"{start}he most frequent confusions", "weight" if is_weighted(part) else "items"
    return [Grid(caption, ("true class", "taken for", amount, "of the true class"), lines, (2, 3))]


def _others(matrix: ConfusionMatrix) -> tuple[Array, Array, Array]:
    sparse = matrix.sparse
    return sparse.rows, sparse.cols, sparse.values
