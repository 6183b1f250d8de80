"""Simple charts as SVG, for places that show pictures but run no scripts, such as sites that host notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

from goodmeasure.report.charts.palette import CHANCE, GREY, VALUE
from goodmeasure.report.document import Chart
from goodmeasure.report.numbers import count_text
from goodmeasure.typing import ChartSpec

_FONT = 'font-family="system-ui, sans-serif" font-size="12"'
_LETTER = 6.6  # pixels of a character
_LONGEST = 24  # characters of a name
_PANEL, _ROW = 300, 24  # pixels: the width of a scale, and the height of a line
_NUMBERED = 25  # up to so many classes, cells show their numbers


def picture(chart: Chart) -> str | None:
    """Return a chart as SVG; None for those that are not simple enough."""
    drawn = {"confusion": _confusion, "measures": _measures, "classes": _classes}.get(chart.key)
    return None if drawn is None else drawn(chart.title, chart.spec)


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


def _names(names: Sequence[str], left: float) -> Iterable[str]:
    return (_text(name, left - 6, 40 + (k + 0.5) * _ROW + 4, "end") for k, name in enumerate(names))


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
