"""The confusion matrix as a heat map.

Readers choose counts or shares by row or column, and the given order of classes or one by confusion.
"""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.report.charts.scorecard import MOST_CLASSES, Spec, choice, spec_of, tips
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import count_text, label_text

_DARK = 0.72  # share of the darkest blue above which white text is easier to read than black
_NUMBERED, _NAMED = 25, 60  # up to so many classes, cells show their numbers and axes all their names
_THINNED: Spec = {"labelLimit": 80, "labelFontSize": 10, "labelOverlap": "greedy", "ticks": False}  # beyond: some names


def confusion_chart(part: SystemScores, _result: Result) -> Chart | None:
    """Return the heat map, or None where there are too few or too many classes.

    Each row of its data is a row of the matrix, and the page takes it apart, so that a hundred classes fit a page.
    """
    matrix = part.matrix
    if not 1 < matrix.m <= MOST_CLASSES:
        return None
    place = {k: at for at, k in enumerate(by_confusion(matrix))}
    rows: list[Spec] = [{"i": i, "count": row} for i, row in enumerate(matrix.counts.tolist())]
    params = [
        {"name": "who", "value": 0},
        {"name": "names", "value": [[label_text(x) for x in matrix.labels]]},
        {"name": "places", "value": [[place[k] for k in range(matrix.m)]]},
        choice("shown", "Show ", {"counts": "count", "share of the row": "row", "share of the column": "column"}),
        choice("order", "Order ", {"as given": "as", "by confusion": "by"}),
    ]
    transform = _worked_out()
    axis: Spec = {"labelLimit": 140} if matrix.m <= _NAMED else {**_THINNED}
    flat = 7 * max(len(label_text(x)) for x in matrix.labels) <= _step(matrix)
    below = {**axis, "labelAngle": 0 if flat else -45 if matrix.m <= _NAMED else -90}
    encoding = {
        "x": {"field": "predicted", "type": "nominal", "title": "predicted", "axis": below,
              "sort": {"field": "x_place", "op": "min"}},
        "y": {"field": "true", "type": "nominal", "title": "true", "axis": axis,
              "sort": {"field": "y_place", "op": "min"}},
        "tooltip": tips(("true", "true"), ("predicted", "predicted"), ("count", "count"), ("row", "of the row"),
                        ("column", "of the column")),
    }  # fmt: skip
    bent = {"type": "sqrt"} if matrix.m > _NUMBERED else {}  # keeps rare errors visible
    scale = {"scheme": "blues", "zero": True, **bent}
    colour = {"field": "value", "type": "quantitative", "title": None, "scale": scale}
    colour |= {"legend": None} if matrix.m <= _NUMBERED else {}  # the cells show their numbers
    empty = {"condition": {"test": "datum.value == 0", "value": 0}, "value": 1}
    cell = {"type": "rect", "stroke": "#8884", "strokeWidth": 0.5, "aria": matrix.m <= _NUMBERED}
    layer: list[Spec] = [{"mark": cell, "encoding": {"color": colour, "fillOpacity": empty}}]
    if matrix.m <= _NUMBERED:
        count = "format(datum.count, datum.count < 1e4 ? ',.4~g' : datum.count < 1e6 ? ',.0f' : '.3~s')"
        label = f"shown == 'count' ? {count} : format(datum.value, '.1~%')"
        transform.append({"calculate": label, "as": "label"})
        inks = [{"test": "datum.dark", "value": "white"}, {"test": "datum.value == 0", "value": "currentColor"}]
        ink = {"condition": inks, "value": "#111"}
        layer.append({"mark": {"type": "text", "fontSize": 11, "aria": False},
                      "encoding": {"text": {"field": "label"}, "color": ink}})  # fmt: skip
    step = {"step": _step(matrix)}
    spec = spec_of(
        rows, width=step, height=step, params=params, transform=transform, encoding=encoding, layer=layer
    )  # fmt: skip
    alt = f"Confusion matrix of {matrix.m} classes as a heat map: rows are true classes, columns predicted ones"
    return Chart("confusion", "Confusion matrix as a heat map", alt, spec)


def _worked_out() -> list[Spec]:
    """Return the steps by which the page turns rows of counts into cells with their shares and positions."""
    return [
        {"flatten": ["count"]},
        {"window": [{"op": "row_number", "as": "j"}], "groupby": ["i"]},
        {"joinaggregate": [{"op": "sum", "field": "count", "as": "a"}], "groupby": ["i"]},
        {"joinaggregate": [{"op": "sum", "field": "count", "as": "b"}], "groupby": ["j"]},
        {"joinaggregate": [{"op": "max", "field": "count", "as": "top"}]},
        {"calculate": "names[who][datum.i]", "as": "true"},
        {"calculate": "names[who][datum.j - 1]", "as": "predicted"},
        {"calculate": "datum.a > 0 ? datum.count / datum.a : 0", "as": "row"},
        {"calculate": "datum.b > 0 ? datum.count / datum.b : 0", "as": "column"},
        {"calculate": "shown == 'count' ? datum.count : shown == 'row' ? datum.row : datum.column", "as": "value"},
        {"calculate": f"datum.value > {_DARK} * (shown == 'count' ? datum.top : 1)", "as": "dark"},
        {"calculate": "order == 'by' ? places[who][datum.i] : datum.i", "as": "y_place"},
        {"calculate": "order == 'by' ? places[who][datum.j - 1] : datum.j", "as": "x_place"},
    ]


def _step(matrix: ConfusionMatrix) -> int:
    """Return the width of a cell in pixels: wide enough for its number, where it shows one."""
    if matrix.m > _NUMBERED:
        return 20 if matrix.m <= 40 else 9
    longest = max(len(count_text(float(matrix.counts.max()))), len("99.9%"))
    return max(64 if matrix.m <= 4 else 34, 8 + 7 * min(longest, 7))


def by_confusion(matrix: ConfusionMatrix) -> list[int]:
    """Return the classes' indices, chained greedily: each class is followed by the one it is confused with most.

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
