"""Charts of a result as Vega-Lite specifications (plain dicts), and what all charts share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.report.charts.palette import CHANCE, VALUE
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import chance_text, label_text, value_text
from goodmeasure.typing import ChartSpec, ReadJson

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
Spec = ChartSpec
MOST_CLASSES = 100
FEW = 3  # up to so many systems, each has its own charts
_OF_OBJECTS = frozenset(
    {"constructor", "__proto__", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
     "toString", "valueOf", "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"}
)  # fmt: skip  # members of every JavaScript object
_UNSEEN = "\u2060"  # a character without width (word joiner)
OF_EACH = ("names", "places")  # parameters whose value is a list with an entry for each system


def charts_of(result: Result, make: Callable[[SystemScores, Result], Chart | None]) -> list[Chart]:
    """Return a chart for each system that has something to draw; for many systems, one chart with a menu."""
    parts = [part for part in result.parts if part.slice is None]
    made = [make(part, result) for part in parts]
    if len(parts) <= FEW or any(chart is None for chart in made):
        named = [chart_of_system(chart, part, result) for chart, part in zip(made, parts, strict=True) if chart]
        return [replace(chart, key=f"{chart.key}-{k}") for k, chart in enumerate(named)]
    return [_chosen([chart for chart in made if chart is not None], result.systems)]


def chart_of_system(chart: Chart, part: SystemScores, result: Result) -> Chart:
    """Return a chart with the name of its system, where a result has several."""
    if len(result.systems) == 1:
        return chart
    return replace(chart, title=f"{part.system}: {chart.title}", system=part.system)


def _chosen(charts: list[Chart], systems: Sequence[str]) -> Chart:
    """Return one chart with a menu of systems, made from charts that differ only in their data."""
    first = charts[0]
    rows = [{**row, "who": k} for k, chart in enumerate(charts) for row in chart.spec["data"]["values"]]
    params = [choice("who", "System ", dict(zip(systems, range(len(systems)), strict=True)))]
    for place, param in enumerate(first.spec.get("params", ())):
        if param["name"] in OF_EACH:
            params.append({**param, "value": [x for chart in charts for x in chart.spec["params"][place]["value"]]})
        elif param["name"] != "who":
            params.append(param)
    transform = [{"filter": "datum.who == who"}, *first.spec.get("transform", ())]
    title = f"{first.title}, for the selected system"
    alt = f"{first.alt}; for one of {len(systems)} systems, selected in the list above the chart"
    spec = {**first.spec, "data": {"values": rows}, "params": params, "transform": transform}
    return Chart(f"{first.key}-0", title, alt, spec)


def measures_chart(part: SystemScores, result: Result) -> Chart | None:
    """Return the chart of values, intervals and chance levels, for measures with the maximum 1."""
    ends = {f.name: f.range for f in result.settings.measures}
    rows = [
        {**_row(row.measure, row), **_chance(row.chance)}
        for row in part.rows
        if row.label is None and not math.isnan(row.value) and (ends[row.measure] or (0, math.inf))[1] == 1
    ]
    if not rows:
        return None
    y = {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 240}}
    least = min(0, *(row[end] for row in rows for end in ("low", "chance") if row[end] is not None))
    x = {"type": "quantitative", "title": "value", "scale": {"domain": [least, 1]}}
    hover = tips(("name", "measure"), ("shown", "value"), ("interval", "interval"), ("level", "chance"))
    spec = spec_of(
        rows,
        width=420,
        height={"step": 24},
        layer=[
            {"mark": {"type": "rule", "strokeWidth": 3, "color": VALUE, "opacity": 0.5, "aria": False},
             "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "tooltip": hover}},
            {"mark": {"type": "point", "filled": True, "size": 70, "color": VALUE, "opacity": 1},
             "encoding": {"y": y, "x": {**x, "field": "value"}, "tooltip": hover, "description": {"field": "said"}}},
            {"mark": {"type": "tick", "thickness": 2, "size": 14, "color": CHANCE},
             "encoding": {"y": y, "x": {**x, "field": "chance"}, "tooltip": hover}},
        ],
    )  # fmt: skip
    alt = f"{len(rows)} measures with their intervals (points and lines) and chance levels (ticks)"
    title = "Measures with confidence intervals; ticks: random guessing"
    return Chart("measures", title, alt, spec)


def classes_chart(part: SystemScores, _result: Result) -> Chart | None:
    """Return the chart of recall and precision of every class, with confidence intervals."""
    shown = ("recall", "precision")
    by_measure = {name: [row for row in part.rows if row.label is not None and row.measure == name] for name in shown}
    rows = [_columns(name, found) for name, found in by_measure.items() if found]
    order = list(dict.fromkeys(name for row in rows for name in row["name"]))
    if not order or part.matrix.m > MOST_CLASSES:
        return None
    y = {"field": "name", "type": "nominal", "sort": order, "title": None, "axis": {"labelLimit": 240}}
    x = {"type": "quantitative", "title": None, "scale": {"domain": [0, 1]}}
    hover = tips(("name", "class"), ("measure", "measure"), ("shown", "value"), ("interval", "interval"))
    transform = [  # the page takes the lists apart, since a hundred classes of ten systems have many rows
        {"flatten": ["name", "value", "low", "high"]},
        {"calculate": "format(datum.value, '.3f')", "as": "shown"},
        {"calculate": "isValid(datum.low) ? format(datum.low, '.3f') + ' to ' + format(datum.high, '.3f') : 'none'",
         "as": "interval"},
        {"calculate": "datum.name + ': ' + datum.shown + ', interval ' + datum.interval", "as": "said"},
    ]  # fmt: skip
    layer = [
        {"mark": {"type": "bar", "color": VALUE},
         "encoding": {"y": y, "x": {**x, "field": "value"}, "tooltip": hover, "description": {"field": "said"}}},
        {"mark": {"type": "rule", "strokeWidth": 2, "color": "currentColor", "aria": False},
         "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}, "tooltip": hover}},
    ]  # fmt: skip
    facet = {"column": {"field": "measure", "type": "nominal", "sort": list(shown), "title": None}}
    panel = {"width": 280, "height": {"step": 20}, "layer": layer}
    # the spacing keeps the numbers of neighbouring axes apart
    spec = spec_of(rows, transform=transform, facet=facet, spacing=32, spec=panel)
    alt = f"Recall and precision of {part.matrix.m} classes, each against the rest, with intervals"
    return Chart("classes", "Recall and precision of each class, with intervals", alt, spec)


def _columns(measure: str, rows: list[Row]) -> Spec:
    """Return one row of data: lists of the classes with a defined value, the values, and the intervals' ends."""
    known = [row for row in rows if not math.isnan(row.value)]
    ends = {end: [getattr(row, end) for row in known] for end in ("value", "low", "high")}
    numbers = {end: [None if math.isnan(x) else short(x) for x in values] for end, values in ends.items()}
    return {"measure": measure, "name": [label_text(row.label) for row in known], **numbers}


def choice(name: str, words: str, options: dict[str, object]) -> Spec:
    """Return a parameter that readers choose from a menu; `options` maps the menu's words to values."""
    values = list(options.values())
    bound = {"input": "select", "options": values, "labels": list(options), "name": words}
    return {"name": name, "value": values[0], "bind": bound}


def short(x: float) -> float:
    """Return the number to five significant digits, which is more than a chart can show."""
    return float(f"{x:.5g}")


def _row(name: str, row: Row) -> Spec:
    low, high = (row.value if math.isnan(x) else x for x in (row.low, row.high))
    interval = "none" if math.isnan(row.low) else f"{value_text(row.low)} to {value_text(row.high)}"
    return {"name": name, "value": row.value, "low": low, "high": high, "shown": value_text(row.value),
            "interval": interval, "said": f"{name}: {value_text(row.value)}, interval {interval}"}  # fmt: skip


def _chance(level: float) -> Spec:
    """Return the fields of a row about the chance level, where it is known."""
    known = not math.isnan(level)
    return {"chance": level if known else None, "level": chance_text(level) if known else "unknown"}


def tips(*fields: tuple[str, str]) -> list[Spec]:
    """Return the entries of a tooltip, given fields and their titles."""
    numbers = {"count": ",.12~g", "row": ".1~%", "column": ".1~%", "share": ".1~%", "rank": ".2~f"}
    found = []
    for field, title in fields:
        tip: Spec = {"field": field, "title": title}
        if field in numbers:
            tip |= {"type": "quantitative", "format": numbers[field]}
        else:
            tip["type"] = "nominal"
        found.append(tip)
    return found


def spec_of(rows: list[Spec], **parts: object) -> Spec:
    """Return a Vega-Lite specification with its data."""
    spec: Spec = _harmless({"data": {"values": rows}, **parts})
    return {"$schema": SCHEMA, "background": "transparent", **spec}


def _harmless(x: ReadJson) -> ReadJson:
    """Return the specification with an invisible character after names like "constructor".

    Vega looks names up in JavaScript objects, so it would find an object's own members under such names.

    >>> _harmless({"sort": ["constructor", "ham"]})["sort"] == ["constructor" + _UNSEEN, "ham"]
    True
    """
    if isinstance(x, dict):
        return {key: _harmless(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [_harmless(value) for value in x]
    return x + _UNSEEN if isinstance(x, str) and x in _OF_OBJECTS else x
