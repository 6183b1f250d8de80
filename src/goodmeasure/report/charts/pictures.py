"""Charts as SVG, for places that show pictures but run no scripts, such as sites that host notebooks.

A picture is drawn from the specification of its chart, so it shows the same numbers in the same colours.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from goodmeasure.report.charts.palette import ALARM, CHANCE, GREY, VALUE
from goodmeasure.report.numbers import count_text
from goodmeasure.typing import ChartSpec

_FONT = 'font-family="system-ui, sans-serif" font-size="12"'
_LETTER = 6.6  # pixels of a character
_LONGEST = 24  # characters of a name
_PANEL, _ROW, _LINE = 300, 24, 18  # pixels: the width of a scale, and the heights of a row and of a line of a legend
_NUMBERED = 25  # up to so many classes, cells show their numbers


def picture(key: str, spec: ChartSpec) -> str:
    """Return a chart with its title as SVG; all its text must be visible, as SVG allows no control characters."""
    drawn = {
        "confusion": _confusion, "measures": _measures, "classes": _classes, "agreement-of-measures": _pairs,
        "ranks-of-systems": _ranks, "paired-differences": _differences,
    }.get(key, _curves)  # fmt: skip
    return drawn(spec["title"], spec)


def _confusion(title: str, spec: ChartSpec) -> str:
    """Return the heat map of a confusion matrix: its counts, darker the more there are."""
    counts = [row["count"] for row in spec["data"]["values"]]
    names = next(x["value"][0] for x in spec["params"] if x["name"] == "names")
    shown = [_short(str(x)) for x in names]
    most = max((x for row in counts for x in row), default=0) or 1
    least = 12.0 if len(counts) > _NUMBERED else 34.0 if len(counts) > 4 else 60.0
    step = max(least, 8 + _LETTER * len(count_text(most)) if len(counts) <= _NUMBERED else 0)
    left, size = 30 + _width(shown), step * len(counts)
    parts = []
    for i, row in enumerate(counts):
        for j, x in enumerate(row):
            at, down, share = left + j * step, 40 + i * step, x / most
            parts.append(f'<rect x="{at:.1f}" y="{down:.1f}" width="{step:.1f}" height="{step:.1f}" fill="{VALUE}" '
                         f'fill-opacity="{0.9 * share:.3f}" stroke="{GREY}" stroke-opacity=".3"/>')  # fmt: skip
            if len(counts) <= _NUMBERED:
                ink = "#fff" if share > 0.55 else "#111"
                parts.append(_text(count_text(x), at + step / 2, down + step / 2 + 4, "middle", ink))
        parts.append(_text(shown[i], left - 6, 40 + (i + 0.5) * step + 4, "end"))
    for j, name in enumerate(shown):
        parts.append(_text(name, 0, 0, "end", turned=(left + (j + 0.5) * step + 4, 40 + size + 10)))
    parts.append(_text("predicted", left + size / 2, 34, "middle", GREY))
    parts.append(_text("true", 0, 0, "middle", GREY, turned=(16, 40 + size / 2), angle=-90))
    return _svg(title, left + size + 12, 40 + size + 16 + 0.75 * _width(shown), parts)


def _measures(title: str, spec: ChartSpec) -> str:
    """Return values with their intervals and chance levels, one below another."""
    rows = spec["data"]["values"]
    least = min(0.0, *(row[end] for row in rows for end in ("low", "chance") if row[end] is not None))
    names = [_short(row["name"]) for row in rows]
    left = 12 + _width(names)
    return _svg(title, left + _PANEL + 20, 56 + _ROW * len(rows), [
        *_names(names, left), *_scale(left, len(rows), least),
        *(x for k, row in enumerate(rows) for x in _interval(row, left, k, least)),
    ])  # fmt: skip


def _classes(title: str, spec: ChartSpec) -> str:
    """Return recall and precision of every class with their intervals, side by side."""
    columns = spec["data"]["values"]
    order = list(dict.fromkeys(name for column in columns for name in column["name"]))
    names = [_short(name) for name in order]
    left, parts = 12 + _width(names), []
    for k, column in enumerate(columns):
        start = left + k * (_PANEL + 40)
        parts += [*_scale(start, len(order), 0.0), _text(column["measure"], start + _PANEL / 2, 34, "middle", GREY)]
        for name, value, low, high in zip(*(column[x] for x in ("name", "value", "low", "high")), strict=True):
            row = {"value": value, "low": low, "high": high, "chance": None}
            parts += _interval(row, start, order.index(name), 0.0)
    parts += _names(names, left)
    return _svg(title, left + len(columns) * (_PANEL + 40), 56 + _ROW * len(order), parts)


def _pairs(title: str, spec: ChartSpec) -> str:
    """Return a heat map of a number for each two measures."""
    rows = spec["data"]["values"]
    names = list(dict.fromkeys(row["one"] for row in rows))
    shown = [_short(name) for name in names]
    numbered = len(names) <= _NUMBERED
    left, step = 12 + _width(shown), 44 if numbered else 22
    size, parts = step * len(names), [*_names(shown, 12 + _width(shown), step)]
    format = spec["layer"][0]["encoding"]["color"]["legend"]["format"]
    for row in rows:
        x, at, down = row["share"], left + step * names.index(row["two"]), 40 + step * names.index(row["one"])
        parts.append(f'<rect x="{at:.1f}" y="{down}" width="{step}" height="{step}" fill="{ALARM if x < 0 else VALUE}" '
                     f'fill-opacity="{0.9 * abs(x):.3f}" stroke="{GREY}" stroke-opacity=".3"/>')  # fmt: skip
        if numbered:
            said = f"{x:{format}}".replace("-", "−")
            parts.append(_text(said, at + step / 2, down + step / 2 + 4, "middle", "#fff" if abs(x) > 0.55 else "#111"))
    for j, name in enumerate(shown):
        parts.append(_text(name, 0, 0, "end", turned=(left + (j + 0.5) * step + 4, 50 + size)))
    return _svg(title, left + size + 12, 56 + size + 0.75 * _width(shown), parts)


def _ranks(title: str, spec: ChartSpec) -> str:
    """Return a line for each system through its ranks."""
    rows = spec["data"]["values"]
    measures = list(dict.fromkeys(row["measure"] for row in rows))
    shown, colours = [_short(name) for name in measures], _colours(spec["layer"])
    last = max(row["rank"] for row in rows)
    left, step, height, parts = 12 + 0.75 * _width(shown[:1]), 62, 30 * len(colours), []
    top = 44 + _LINE * len(colours)
    places = {name: left + (k + 0.5) * step for k, name in enumerate(measures)}
    for system, ink in colours.items():
        points = [(places[row["measure"]], top + 30 * (row["drawn"] - 0.5), row["filled"])
                  for row in rows if row["system"] == system]  # fmt: skip
        parts.append(_path([(x, y) for x, y, _ in points], ink))
        for x, y, full in points:
            inside = ink if full else "#fff"
            parts.append(_circle(x, y, 5, inside, f'stroke="{ink}" stroke-width="2"'))
    parts += [_text(f"{k}", left - 4, top + 30 * (k - 0.5) + 4, "end", GREY) for k in range(1, math.ceil(last) + 1)]
    for name, x in zip(shown, places.values(), strict=True):
        parts.append(_text(name, 0, 0, "end", turned=(x + 4, top + height + 12)))
    parts += _legend(colours)
    return _svg(title, left + step * len(measures) + 12, top + height + 24 + 0.75 * _width(shown), parts)


def _differences(title: str, spec: ChartSpec) -> str:
    """Return the differences of the systems with their intervals, a panel for each measure."""
    rows, layers = spec["data"]["values"], spec["spec"]["layer"]
    colours, systems = _colours(layers), [str(x) for x in layers[1]["encoding"]["y"]["sort"]]
    shown = [_short(name) for name in systems]
    wide, high = 190 + _width(shown), 70 + _ROW * len(systems)
    panels = _grouped(rows, "measure")
    top, parts = 30 + _LINE * len(colours), [*_legend(colours)]
    for k, (measure, group) in enumerate(panels.items()):
        left, down = (k % 3) * (wide + 20) + _width(shown), top + (k // 3) * high
        ends = [0.0, *(row[end] for row in group for end in ("low", "high", "difference") if math.isfinite(row[end]))]
        scale = _Scale(left, left + 180, min(ends), max(ends))
        foot = down + 26 + _ROW * len(systems)
        parts += [_text(_short(measure), left + 90, down + 16, "middle"), _dashed(scale.at(0), down + 24, foot)]
        parts += [_text(name, left - 6, down + 26 + (j + 0.5) * _ROW + 4, "end") for j, name in enumerate(shown)]
        parts += [_text(f"{x:.3g}".replace("-", "−"), scale.at(x), foot + 14, "middle", GREY) for x in scale.ticks()]
        for row in group:
            y, ink = down + 26 + (systems.index(row["system"]) + 0.5) * _ROW, colours[row["verdict"]]
            parts.append(_path([(scale.at(row["low"]), y), (scale.at(row["high"]), y)], ink, 3))
            parts.append(_circle(scale.at(row["difference"]), y, 4.5, ink))
    return _svg(title, min(3, len(panels)) * (wide + 20), top + math.ceil(len(panels) / 3) * high, parts)


def _curves(title: str, spec: ChartSpec) -> str:
    """Return curves with what belongs to them: bands, intervals, bars, marked points; in one panel or in several."""
    inner = spec.get("spec", spec)
    layers = inner["layer"]
    colours, steps = _colours(layers), any("interpolate" in layer["mark"] for layer in layers)
    axes = next(x["encoding"] for x in layers if "y" in x["encoding"])
    rows = [row for row in spec["data"]["values"] if row["kind"] != "tips"]
    panels = _grouped(rows, "measure" if "measure" in rows[0] else "panel")
    wide, high, columns = inner["width"], inner["height"], spec.get("columns", 1)
    several = len(colours) > 1
    top, parts = 30 + _LINE * len(colours) * several, [*_legend(colours)] if several else []
    across, up = (axes[x].get("scale", {}).get("domain") for x in "xy")
    shared = up or (None if spec.get("resolve", {}).get("scale") else _ends(rows, "y", "low", "high"))
    for k, (name, group) in enumerate(panels.items()):
        left, down = 50 + (k % columns) * (wide + 56), top + 22 + (k // columns) * (high + 66)
        x = _Scale(left, left + wide, *(across or _ends(rows, "x")))
        y = _Scale(down + high, down, *(shared or _ends(group, "y", "low", "high")))
        box = f'x="{left}" y="{down}" width="{wide}" height="{high}"'
        parts += [
            f'<rect {box} fill="none" stroke="{GREY}" stroke-opacity=".4"/>',
            _text(_short(name), left + wide / 2, down - 6, "middle"),
            *(_text(_tick_text(t), x.at(t), down + high + 14, "middle", GREY) for t in x.ticks()),
            *(_text(_tick_text(t), left - 5, y.at(t) + 4, "end", GREY) for t in y.ticks()),
            _text(axes["x"]["title"], left + wide / 2, down + high + 30, "middle", GREY),
        ]
        if axes["y"]["title"]:
            parts.append(
                _text(axes["y"]["title"], 0, 0, "middle", GREY, turned=(left - 36, down + high / 2), angle=-90)
            )
        marked = [layer["encoding"]["x"]["datum"] for layer in layers if "datum" in layer["encoding"].get("x", {})]
        parts += [_dashed(x.at(at), down, down + high) for at in marked]
        drawn = "".join(_row(row, colours, x, y, steps=steps) for row in group)
        parts.append(f'<svg {box} viewBox="{left} {down} {wide} {high}">{drawn}</svg>')  # what is outside is cut
    lines = math.ceil(len(panels) / columns)
    return _svg(title, min(columns, len(panels)) * (wide + 56) + 12, top + lines * (high + 66), parts)


def _row(row: ChartSpec, colours: Mapping[str, str], x: _Scale, y: _Scale, *, steps: bool) -> str:
    """Return one curve, band, interval, bar, or marked points."""
    kind, ink = row["kind"], colours.get(row.get("system", ""), GREY)
    points = [(x.at(a), y.at(b)) for a, b in zip(row["x"], row["y"], strict=True)]
    if kind in ("chosen", "point"):
        return "".join(_circle(a, b, 4.5, ink, 'stroke="#111"') for a, b in points)
    if kind == "band":
        back = [(x.at(a), y.at(b)) for a, b in zip(row["x"], row["high"], strict=True)][::-1]
        edge = " ".join(f"{a:.1f},{b:.1f}" for a, b in points + back)
        return f'<polygon points="{edge}" fill="{ink}" fill-opacity=".17"/>'
    if kind == "bar":
        (a, b), end = points[0], x.at(row["x2"])
        size = f'width="{max(end - a, 1):.1f}" height="{y.at(0) - b:.1f}"'
        return f'<rect x="{a:.1f}" y="{b:.1f}" {size} fill="{ink}" fill-opacity=".35"/>'
    if kind == "bin":
        (a, b), ends = points[0], [y.at(row["low"]), y.at(row["high"][0])]
        return _path([(a, end) for end in ends], ink) + _circle(a, b, 4, ink)
    if kind in ("reference", "zero"):
        return _path(points, GREY, 1, ' stroke-dasharray="4 4"')
    if steps:  # the value of a point holds back to the point before
        points = points[:1] + [p for one, two in pairwise(points) for p in ((one[0], two[1]), two)]
    return _path(points, ink)


@dataclass(frozen=True)
class _Scale:
    """Where numbers are drawn, in pixels."""

    start: float
    end: float
    low: float
    high: float

    def at(self, x: float) -> float:
        return self.start + (self.end - self.start) * (x - self.low) / ((self.high - self.low) or 1)

    def ticks(self) -> list[float]:
        """Return up to five round numbers."""
        span = self.high - self.low
        if not span > 0:
            return [self.low]
        rough = 10.0 ** math.floor(math.log10(span / 4))
        step = next(rough * k for k in (1, 2, 2.5, 5, 10) if span / (rough * k) <= 4 + 1e-9)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [k * step for k in range(first, last + 1)]


def _ends(rows: Iterable[ChartSpec], *fields: str) -> tuple[float, float]:
    """Return the least and the greatest number in the fields, each a number or a list."""
    found = [row[x] for row in rows for x in fields if x in row]
    numbers = [x for value in found for x in (value if isinstance(value, list) else [value]) if math.isfinite(x)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 1.0)


def _grouped(rows: Iterable[ChartSpec], field: str) -> dict[str, list[ChartSpec]]:
    found: dict[str, list[ChartSpec]] = {}
    for row in rows:
        found.setdefault(row[field], []).append(row)
    return found


def _colours(layers: Iterable[ChartSpec]) -> dict[str, str]:
    """Return the colour of each name in the legend."""
    scale = next(x["encoding"]["color"]["scale"] for x in layers if "color" in x["encoding"])
    return dict(zip(scale["domain"], scale["range"], strict=False))


def _legend(colours: Mapping[str, str]) -> Iterable[str]:
    for k, (name, ink) in enumerate(colours.items()):
        y = 34 + _LINE * k
        yield _circle(14, y, 5, ink) + _text(_short(name), 26, y + 4, "start")


def _tick_text(x: float) -> str:
    return f"{x:.4g}".replace("-", "−")


def _path(points: Iterable[tuple[float, float]], ink: str, width: float = 2, more: str = "") -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{ink}" stroke-width="{width}"{more}/>'


def _circle(x: float, y: float, radius: float, ink: str, more: str = "") -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{ink}" {more}/>'


def _dashed(x: float, top: float, foot: float) -> str:
    return _path([(x, top), (x, foot)], GREY, 1, ' stroke-dasharray="3 3"')


def _interval(row: ChartSpec, left: float, k: int, least: float) -> Iterable[str]:
    """Return the marks of one value, in the k-th line of a panel."""
    down = 40 + (k + 0.5) * _ROW

    def at(x: float) -> str:
        return f"{left + _PANEL * (x - least) / (1 - least):.1f}"

    if row["low"] is not None and row["high"] is not None:
        ends = f'x1="{at(row["low"])}" x2="{at(row["high"])}" y1="{down}" y2="{down}"'
        yield f'<line {ends} stroke="{VALUE}" stroke-opacity=".5" stroke-width="3"/>'
    yield f'<circle cx="{at(row["value"])}" cy="{down}" r="4.5" fill="{VALUE}"/>'
    if row["chance"] is not None:
        ends = f'x1="{at(row["chance"])}" x2="{at(row["chance"])}" y1="{down - 7}" y2="{down + 7}"'
        yield f'<line {ends} stroke="{CHANCE}" stroke-width="2"/>'


def _scale(left: float, rows: int, least: float) -> Iterable[str]:
    """Return the lines of a panel with their numbers."""
    ticks = [0, 0.25, 0.5, 0.75, 1] if least >= 0 else [round(least, 2), 0, 0.5, 1]
    for x in ticks:
        at = left + _PANEL * (x - least) / (1 - least)
        yield f'<line x1="{at:.1f}" x2="{at:.1f}" y1="40" y2="{40 + _ROW * rows}" stroke="{GREY}" stroke-opacity=".3"/>'
        yield _text(f"{x:g}", at, 54 + _ROW * rows, "middle", GREY)


def _names(names: Sequence[str], left: float, row: float = _ROW) -> Iterable[str]:
    return (_text(name, left - 6, 40 + (k + 0.5) * row + 4, "end") for k, name in enumerate(names))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _width(names: Iterable[str]) -> float:
    return 8 + _LETTER * max((len(x) for x in names), default=0)


def _text(
    text: str, x: float, y: float, anchor: str, ink: str = "#111", *,
    turned: tuple[float, float] | None = None, angle: int = -45,
) -> str:  # fmt: skip
    place = f'x="{x:.1f}" y="{y:.1f}"'
    if turned is not None:
        place = f'transform="translate({turned[0]:.1f} {turned[1]:.1f}) rotate({angle})"'
    return f'<text {place} text-anchor="{anchor}" fill="{ink}">{html.escape(text)}</text>'


def _svg(title: str, width: float, height: float, parts: Iterable[str]) -> str:
    """Return the drawing, on white: what shows it may be dark."""
    wide = max(width, 12 + _LETTER * len(title))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{height:.0f}" role="img" {_FONT}>'
    back = f'<rect width="{wide:.0f}" height="{height:.0f}" fill="#fff"/>'
    name = html.escape(title)
    return f"{head}<title>{name}</title>{back}{_text(title, 6, 16, 'start')}{''.join(parts)}</svg>"
