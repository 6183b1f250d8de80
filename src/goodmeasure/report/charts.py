"""Charts as Vega-Lite specifications: plain dicts, made from a result, with a sentence and a table for each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import Part
from goodmeasure.report.confusing import by_confusion
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import label_text, value_text

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
Spec = dict[str, Any]
_BLUE, _ORANGE = "#3b82c4", "#d6604d"
_MOST_CLASSES = 100


def charts_of(result: Result, make: Callable[[Part, Result, str], Chart | None]) -> list[Chart]:
    """A chart for each system on all items, as far as there is something to draw."""
    parts = [part for part in result.parts if part.slice is None]
    made = [make(part, result, f"{part.system}: " if len(parts) > 1 else "") for part in parts]
    return [replace(chart, key=f"{chart.key}-{k}") for k, chart in enumerate(made) if chart is not None]


def measures_chart(part: Part, result: Result, whose: str = "") -> Chart | None:
    """Values with intervals against their chance level, for measures that end at 1."""
    ends = {f.name: f.range for f in result.settings.measures}
    rows = [
        {**_row(row.measure, row), "chance": None if math.isnan(row.chance) else row.chance}
        for row in part.rows
        if row.label is None and not math.isnan(row.value) and (ends[row.measure] or (0, math.inf))[1] == 1
    ]
    if not rows:
        return None
    y = {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 240}}
    x = {"type": "quantitative", "title": "value", "scale": {"domain": [min(0, *(r["low"] for r in rows)), 1]}}
    hover = tips(("name", "measure"), ("shown", "value"), ("interval", "interval"), ("chance", "chance"))
    spec = spec_of(
        rows,
        width=420,
        height={"step": 24},
        layer=[
            {"mark": {"type": "rule", "strokeWidth": 3, "color": _BLUE, "opacity": 0.5, "aria": False},
             "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "tooltip": hover}},
            {"mark": {"type": "point", "filled": True, "size": 70, "color": _BLUE, "opacity": 1},
             "encoding": {"y": y, "x": {**x, "field": "value"}, "tooltip": hover, "description": {"field": "said"}}},
            {"mark": {"type": "tick", "thickness": 2, "size": 14, "color": _ORANGE},
             "encoding": {"y": y, "x": {**x, "field": "chance"}, "tooltip": hover}},
        ],
    )  # fmt: skip
    alt = f"{len(rows)} measures with their intervals (blue) and chance levels (orange)"
    return Chart("measures", f"{whose}Measures against chance", alt, spec)


def classes_chart(part: Part, result: Result, whose: str = "") -> Chart | None:
    """Recall and precision of every class, with intervals."""
    shown = ("recall", "precision")
    rows = [
        {**_row(label_text(row.label), row), "measure": row.measure}
        for row in part.rows
        if row.label is not None and row.measure in shown and not math.isnan(row.value)
    ]
    if not rows or part.matrix.m > _MOST_CLASSES:
        return None
    order = list(dict.fromkeys(row["name"] for row in rows))
    y = {"field": "name", "type": "nominal", "sort": order, "title": None, "axis": {"labelLimit": 240}}
    x = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]}}
    hover = tips(("name", "class"), ("measure", "measure"), ("shown", "value"), ("interval", "interval"))
    layer = [
        {"mark": {"type": "bar", "color": _BLUE},
         "encoding": {"y": y, "x": {**x, "field": "value"}, "tooltip": hover, "description": {"field": "said"}}},
        {"mark": {"type": "rule", "strokeWidth": 2, "color": "currentColor", "aria": False},
         "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "tooltip": hover}},
    ]  # fmt: skip
    facet = {"column": {"field": "measure", "type": "nominal", "sort": list(shown), "title": None}}
    spec = spec_of(rows, facet=facet, spec={"width": 280, "height": {"step": 20}, "layer": layer})
    alt = f"Recall and precision of {part.matrix.m} classes, each against the rest, with intervals"
    return Chart("classes", f"{whose}Class by class", alt, spec)


def confusion_chart(part: Part, result: Result, whose: str = "") -> Chart | None:
    """The confusion matrix as a heat map: counts, by row or by column; classes in order or by confusion."""
    matrix = part.matrix
    if not 1 < matrix.m <= _MOST_CLASSES:
        return None
    names = [label_text(x) for x in matrix.labels]
    counts, a, b = matrix.counts.tolist(), matrix.a.tolist(), matrix.b.tolist()
    place = {k: at for at, k in enumerate(by_confusion(matrix))}
    rows: list[Spec] = [
        {
            "true": names[i],
            "predicted": names[j],
            "count": float(counts[i][j]),
            "row": float(counts[i][j]) / a[i] if a[i] else 0.0,
            "column": float(counts[i][j]) / b[j] if b[j] else 0.0,
            "as_true": i,
            "as_predicted": j,
            "by_true": place[i],
            "by_predicted": place[j],
        }
        for i in range(matrix.m)
        for j in range(matrix.m)
    ]
    step = 34 if matrix.m <= 12 else 20 if matrix.m <= 40 else 9
    params = [
        _choice("shown", "Show ", {"counts": "count", "share of the row": "row", "share of the column": "column"}),
        _choice("order", "Order ", {"as given": "as", "by confusion": "by"}),
    ]
    axis = {"labelLimit": 140, "labels": matrix.m <= 60}
    encoding = {
        "x": {"field": "predicted", "type": "nominal", "title": "predicted", "axis": {**axis, "labelAngle": -45},
              "sort": {"field": "x_place", "op": "min"}},
        "y": {"field": "true", "type": "nominal", "title": "true", "axis": axis,
              "sort": {"field": "y_place", "op": "min"}},
        "tooltip": tips(("true", "true"), ("predicted", "predicted"), ("count", "count"), ("row", "of the row"),
                         ("column", "of the column")),
    }  # fmt: skip
    colour = {"field": "value", "type": "quantitative", "title": None, "scale": {"scheme": "blues", "zero": True}}
    layer: list[Spec] = [
        {"mark": {"type": "rect", "stroke": "#8884", "strokeWidth": 0.5}, "encoding": {"color": colour}}
    ]
    if matrix.m <= 25:
        layer.append(
            {"mark": {"type": "text", "fontSize": 11, "aria": False},
             "encoding": {"text": {"field": "label"}, "color": {
                 "condition": {"test": "datum.dark", "value": "white"}, "value": "#111"}}}
        )  # fmt: skip
    top = max(row["count"] for row in rows)
    transform = [
        {"calculate": "shown == 'count' ? datum.count : shown == 'row' ? datum.row : datum.column", "as": "value"},
        {"calculate": "shown == 'count' ? format(datum.count, ',.4~g') : format(datum.value, '.1~%')", "as": "label"},
        {"calculate": f"datum.value > 0.55 * (shown == 'count' ? {top} : 1)", "as": "dark"},
        {"calculate": "order == 'by' ? datum.by_true : datum.as_true", "as": "y_place"},
        {"calculate": "order == 'by' ? datum.by_predicted : datum.as_predicted", "as": "x_place"},
    ]
    spec = spec_of(
        rows,
        width={"step": step},
        height={"step": step},
        params=params,
        transform=transform,
        encoding=encoding,
        layer=layer,
    )
    alt = f"Confusion matrix of {matrix.m} classes as a heat map: rows are true classes, columns predicted ones"
    return Chart("confusion", f"{whose}Confusion matrix", alt, spec)


def _choice(name: str, words: str, options: dict[str, str]) -> Spec:
    values = list(options.values())
    bound = {"input": "select", "options": values, "labels": list(options), "name": words}
    return {"name": name, "value": values[0], "bind": bound}


def _row(name: str, row: Any) -> Spec:
    low, high = (row.value if math.isnan(x) else x for x in (row.low, row.high))
    interval = "none" if math.isnan(row.low) else f"{value_text(row.low)} to {value_text(row.high)}"
    return {"name": name, "value": row.value, "low": low, "high": high, "shown": value_text(row.value),
            "interval": interval, "said": f"{name}: {value_text(row.value)}, interval {interval}"}  # fmt: skip


def tips(*fields: tuple[str, str]) -> list[Spec]:
    """What is shown on hovering: fields and their titles."""
    numbers = {"count": ",.6~g", "row": ".1~%", "column": ".1~%", "chance": ".3f", "share": ".1~%", "rank": ".2~f"}
    found = []
    for field, title in fields:
        tip: Spec = {"field": field, "title": title}
        if field in numbers:
            tip |= {"type": "quantitative", "format": numbers[field]}
        else:
            tip["type"] = "nominal"
        found.append(tip)
    return found


def spec_of(rows: list[Spec], **parts: Any) -> Spec:
    """A specification with its data."""
    return {"$schema": SCHEMA, "data": {"values": rows}, "background": "transparent", **parts}
