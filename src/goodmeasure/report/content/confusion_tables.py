"""Confusion matrices in a report: as a table, as a heat map where they are large, and the largest confusions."""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.report.charts.confusion import confusion_chart
from goodmeasure.report.charts.scorecard import MOST_CLASSES, chart_of_system, charts_of
from goodmeasure.report.content.main_finding import best_part
from goodmeasure.report.content.sample_sizes import is_weighted, wholes
from goodmeasure.report.document import Block, Grid, MatrixBlock, Section, Sentences, TableCell
from goodmeasure.report.numbers import count_text, label_text, many, share_text
from goodmeasure.typing import Array

MOST_AS_TABLE = 20  # classes: the matrix of more is a heat map
FEW_SYSTEMS = 4  # up to so many systems, their matrices stand open
_CONFUSIONS = 10


def best_matrix(result: Result) -> list[Block]:
    """Return the matrix of the best system for the first screen; of many classes, first the largest confusions."""
    part = best_part(result)
    whose = f"{part.system}: confusion matrix" if len(result.systems) > 1 else "Confusion matrix"
    if not result.competing or not result.has_labels:
        return []
    if part.matrix.m <= MOST_AS_TABLE:
        return [matrix_block(part.matrix, whose)]
    chart = confusion_chart(part, result)
    charts = [] if chart is None else [chart_of_system(chart, part, result)]
    return [*confusions(part, named=len(result.systems) > 1), *charts]


def confusion_sections(result: Result) -> list[Section]:
    """Return the section on confusions: the matrices that the first screen leaves out, and the largest confusions."""
    if not result.has_labels:
        return []
    parts, best = wholes(result), best_part(result)
    others = [part for part in parts if part is not best or not result.competing]
    blocks: list[Block] = []
    if parts[0].matrix.m <= MOST_AS_TABLE:
        blocks += [
            matrix_block(part.matrix, f"{part.system}: confusion matrix", folded=len(parts) > FEW_SYSTEMS)
            for part in others
        ]
    elif others:
        # the first screen has the chart of the best system alone; one with a menu shows all of them
        blocks += [x for x in charts_of(result, confusion_chart) if x.system is None or x.system != best.system]
    shown = best_matrix(result)
    listed = [x for part in parts for x in confusions(part, named=len(parts) > 1) if x not in shown]
    if parts[0].matrix.m > MOST_CLASSES:
        blocks.append(Sentences((f"A matrix of {parts[0].matrix.m:,} classes is too large to read: the JSON has it.",)))
    blocks = [*listed, *blocks]
    return [Section("matrix", "Confusions", tuple(blocks), gist=_gist(best, named=len(parts) > 1))] if blocks else []


def matrix_block(matrix: ConfusionMatrix, caption: str, *, folded: bool = False) -> MatrixBlock:
    """Return the matrix as a table."""
    return MatrixBlock(caption, tuple(label_text(x) for x in matrix.labels), matrix.counts, folded)


def confusions(part: SystemScores, *, named: bool = False) -> list[Block]:
    """Return the largest confusions of one system; with two classes, the matrix shows them at a glance."""
    matrix = part.matrix
    if matrix.m < 3:
        return []
    rows, cols, values = largest(matrix)
    shares = [float(x) / float(matrix.a[i]) for x, i in zip(values, rows, strict=True)]
    lines = tuple(
        (
            TableCell(label_text(matrix.labels[rows[k]])),
            TableCell(label_text(matrix.labels[cols[k]])),
            TableCell(count_text(values[k]), float(values[k])),
            TableCell(share_text(shares[k], column=True), shares[k]),
        )
        for k in range(len(values))
    )
    whose = f"{part.system}: " if named else ""
    if not lines:
        return [Sentences((f"{whose}No class is taken for another one.",))]
    caption = f"{whose}{'t' if named else 'T'}he largest confusions"
    columns = ("true class", "predicted as", "weight" if is_weighted(part) else "items", "share of the true class")
    return [Grid(caption, columns, lines, (2, 3), sortable=True)]


def largest(matrix: ConfusionMatrix, most: int = _CONFUSIONS) -> tuple[Array, Array, Array]:
    """Return the largest cells off the diagonal: true classes, predicted classes and counts."""
    sparse = matrix.sparse
    order = np.argsort(-np.asarray(sparse.values, float), kind="stable")[:most]
    return sparse.rows[order], sparse.cols[order], sparse.values[order]


def _gist(part: SystemScores, *, named: bool) -> str:
    matrix = part.matrix
    rows, cols, values = largest(matrix, 1)
    if not len(values):
        return ""
    true, taken = label_text(matrix.labels[rows[0]]), label_text(matrix.labels[cols[0]])
    number = f"a weight of {count_text(values[0])}" if is_weighted(part) else many(values[0], "item")
    whose = f" ({part.system})" if named else ""
    return f"The largest confusion: {number} of {true!r} predicted as {taken!r}{whose}."
