"""Curves in one panel per measure, with a line for each system and marked points."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from goodmeasure.report.charts.scorecard import Spec, short, spec_of
from goodmeasure.report.charts.systems import colours
from goodmeasure.report.numbers import value_text

HEIGHT = 110  # the height of a panel in pixels
_TOLD = 50  # points of a line that have tooltips


@dataclass(frozen=True)
class Line:
    """The curve of one system under one measure."""

    measure: str
    system: str
    x: Sequence[float]
    y: Sequence[float]
    steps: bool = False  # whether each value holds from the previous x (x is increasing) up to its own


@dataclass(frozen=True)
class MarkedPoint:
    """A marked point on a line, with a remark."""

    measure: str
    system: str
    x: float
    y: float
    remark: str


@dataclass(frozen=True)
class Axis:
    """The horizontal axis of all panels.

    Its title becomes part of a Vega expression, so it must not contain text that users wrote.
    """

    title: str
    format: str
    ends: tuple[float, float] | None = None
    mark: float | None = None  # where a vertical line is drawn through all panels
    ticks: tuple[float, ...] = ()  # positions of the numbers, if they are not to be chosen automatically


def panels(lines: Iterable[Line], points: Iterable[MarkedPoint], axis: Axis) -> Spec:
    """Return the chart as a Vega-Lite specification; hovering over a line shows its values."""
    lines = list(lines)
    long = any(len(line.x) > _TOLD for line in lines)
    rows = [row for line in lines for row in _line_rows(line, long)]
    rows += [_row("chosen", p.measure, p.system, [short(p.x)], [short(p.y)], p.remark) for p in points]
    rows = [row for row in rows if row["x"]]
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    systems = list(dict.fromkeys(row["system"] for row in rows))
    x = {"field": "x", "type": "quantitative", "title": axis.title,
         "scale": {"zero": False, "nice": False, **({} if axis.ends is None else {"domain": list(axis.ends)})},
         "axis": {"grid": False, "tickCount": 4, "format": axis.format,
                  **({"values": list(axis.ticks)} if axis.ticks else {})}}  # fmt: skip
    y = {
        "field": "y",
        "type": "quantitative",
        "title": None,
        "axis": {"tickCount": 4},
        "scale": {"nice": False, "padding": 6},
    }  # padding keeps points at the ends away from the heading
    colour = {**colours(systems), **({"legend": None} if len(systems) == 1 else {})}
    hover = [
        *([{"field": "system", "type": "nominal"}] if len(systems) > 1 else []),
        {"field": "measure", "type": "nominal"},
        {"field": "x", "type": "quantitative", "title": axis.title, "format": axis.format},
        {"field": "y", "type": "quantitative", "title": "value", "format": ".3f"},
    ]
    chosen = [*hover, {"field": "remark", "type": "nominal"}]
    curve, point = ([{"filter": f"datum.kind == '{kind}'"}] for kind in ("curve", "chosen"))
    tips = [{"filter": "datum.kind == 'tips'"}] if any(row["kind"] == "tips" for row in rows) else curve
    shape = {"interpolate": "step-before"} if any(line.steps for line in lines) else {}
    mark = {"filled": True, "type": "point", "opacity": 1, "size": 70, "stroke": "currentColor", "strokeWidth": 1}
    layer: list[Spec] = [
        {"mark": {"type": "line", "strokeWidth": 2, "aria": False, **shape}, "transform": curve,
         "encoding": {"x": x, "y": y, "color": colour, "detail": {"field": "piece", "type": "nominal"}}},
        {"mark": {"type": "point", "filled": True, "size": 90, "opacity": 0, "aria": False}, "transform": tips,
         "encoding": {"x": x, "y": y, "tooltip": hover}},
        {"mark": mark, "transform": point,
         "encoding": {"x": x, "y": y, "color": colour, "tooltip": chosen, "description": {"field": "said"}}},
    ]  # fmt: skip
    if axis.mark is not None:
        rule = {"type": "rule", "strokeDash": [3, 3], "color": "#888", "aria": False}
        layer.insert(0, {"mark": rule, "encoding": {"x": {"datum": axis.mark, "type": "quantitative"}}})
    facet = {"field": "measure", "type": "nominal", "sort": measures, "title": None, "header": {"labelLimit": 220}}
    panel = {"width": 220, "height": HEIGHT, "layer": layer}
    known = [value for row in rows for value in row["y"]]
    axes = {"axis": {"x": "independent"}} | (
        {"scale": {"y": "independent"}} if any(abs(value) > 1 for value in known) else {}
    )
    flat = [{"flatten": ["x", "y"]}]
    return spec_of(rows, transform=flat, facet=facet, columns=4, spacing=24, spec=panel, resolve=axes)


def _line_rows(line: Line, told: bool) -> list[Spec]:
    """Return the pieces of a line between undefined values and, for long lines, the points with tooltips."""
    known = [(a, b) for a, b in zip(_rounded(line.x), _rounded(line.y), strict=True) if math.isfinite(a)]
    pieces = _pieces(known) if line.steps else [[(a, b) for a, b in known if math.isfinite(b)]]
    rows = [
        {**_row("curve", line.measure, line.system, *_turned(piece), ""), **({"piece": k} if k else {})}
        for k, piece in enumerate(pieces)
    ]
    if not told:
        return rows
    points = _told([(a, b) for a, b in known if math.isfinite(b)])
    return [*rows, _row("tips", line.measure, line.system, *_turned(points), "")]


def _pieces(points: Sequence[tuple[float, float]]) -> list[list[tuple[float, float]]]:
    """Return the defined stretches of a step curve; the step after a gap begins where the gap ends."""
    pieces: list[list[tuple[float, float]]] = [[]]
    before = None
    for a, b in points:
        if not math.isfinite(b):
            pieces.append([])
        elif not pieces[-1] and before is not None:
            pieces[-1] += [(before, b), (a, b)]
        else:
            pieces[-1].append((a, b))
        before = a
    return [piece for piece in pieces if piece]


def _told(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points that have tooltips: all if they are few, otherwise some, spread along the axis."""
    if len(points) <= _TOLD:
        return list(points)
    x = np.array([a for a, _ in points])
    places = np.searchsorted(x, np.linspace(x[0], x[-1], _TOLD)).clip(max=len(x) - 1)
    return [points[k] for k in np.unique(places)]


def _turned(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [a for a, _ in points], [b for _, b in points]


def _rounded(values: Sequence[float]) -> list[float]:
    """Return the values rounded to a ten-thousandth of the axis, which is finer than a chart can show."""
    finite = [x for x in values if math.isfinite(x)]
    span = max(finite) - min(finite) if finite else 0.0
    if not 0 < span < math.inf:
        return [short(x) if math.isfinite(x) else x for x in values]
    digits = 4 - math.floor(math.log10(span))
    return [round(x, digits) if math.isfinite(x) else x for x in values]


def _row(kind: str, measure: str, system: str, x: Sequence[float], y: Sequence[float], remark: str) -> Spec:
    known = [(a, b) for a, b in zip(x, y, strict=True) if math.isfinite(a) and math.isfinite(b)]
    row: Spec = {"kind": kind, "measure": measure, "system": system, "x": [a for a, _ in known],
                 "y": [b for _, b in known]}  # fmt: skip
    if remark and known:
        row |= {"remark": remark, "said": f"{measure}, {system}: {value_text(known[0][1])}, {remark}"}
    return row
