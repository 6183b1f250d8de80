"""Curves in panels, one for each measure, a line for each system, with points that were chosen on them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from goodmeasure.report.charts.scorecard import Spec, short, spec_of
from goodmeasure.report.charts.systems import colours
from goodmeasure.report.numbers import value_text

HEIGHT = 110  # pixels of a panel
_TOLD = 50  # points of a line that tell their values


@dataclass(frozen=True)
class Line:
    """The values of one system under one measure along something."""

    measure: str
    system: str
    x: Sequence[float]
    y: Sequence[float]
    steps: bool = False  # whether a value holds from its x, which rise, down to the one before


@dataclass(frozen=True)
class Point:
    """A point on such a line that is worth a mark, and a word about it."""

    measure: str
    system: str
    x: float
    y: float
    remark: str


@dataclass(frozen=True)
class Axis:
    """What the lines run along; its title becomes part of an expression of Vega's: no text of users belongs there."""

    title: str
    format: str
    ends: tuple[float, float] | None = None
    mark: float | None = None  # where a rule is drawn through all panels
    ticks: tuple[float, ...] = ()  # where its numbers stand, if not where they fit


def panels(lines: Iterable[Line], points: Iterable[Point], axis: Axis) -> Spec:
    """The specification: what is hovered over tells its values."""
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
    }  # points at the ends push no heading away
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
    """The pieces of a line between gaps where it is undefined, and, for long lines, points that tell their values."""
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
    """Steps without those that are undefined; the step behind a gap begins where the gap ends."""
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
    """Points that tell their values when hovered over: all of a few, else some, spread along the axis."""
    if len(points) <= _TOLD:
        return list(points)
    x = np.array([a for a, _ in points])
    places = np.searchsorted(x, np.linspace(x[0], x[-1], _TOLD)).clip(max=len(x) - 1)
    return [points[k] for k in np.unique(places)]


def _turned(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [a for a, _ in points], [b for _, b in points]


def _rounded(values: Sequence[float]) -> list[float]:
    """The values to a ten-thousandth of the axis, which is more than a chart shows."""
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
