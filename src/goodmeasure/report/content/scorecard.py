"""The scorecard: every measure of every system in one table, with intervals, chance levels and the baseline."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.comparison.system_ranks import places
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.interval_methods import confidence
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.content.sample_sizes import wholes
from goodmeasure.report.content.significance import winners_of
from goodmeasure.report.document import Grid, Span, TableCell, interval_cell
from goodmeasure.report.numbers import chance_text, label_text, many, value_text

BY_COLUMNS = 4  # up to so many systems, a system is a column; more of them are rows
_STARTS = (0.0, -0.25, -0.5, -1.0)  # where the axis of the intervals can begin
GUESSING = "random guessing"


@built_once
def scorecard(result: Result) -> Grid:
    """Return the one table of all values: of one system by measure, of many by system."""
    if len(result.systems) == 1:
        return _of_one(result, wholes(result)[0])
    return comparison(result) if len(result.systems) <= BY_COLUMNS else by_rows(comparison(result), result)


def overall(part: SystemScores) -> list[Row]:
    """Return the rows of measures over all classes."""
    return [row for row in part.rows if row.label is None]


def axis_start(rows: Iterable[Row]) -> float:
    """Return where the common axis of intervals begins: at 0, or far enough below it."""
    lows = [x for row in rows for x in (row.low, row.value) if -1 <= x <= 1]
    return next((start for start in _STARTS if start <= min(lows, default=0.0)), -1.0)


def span(row: Row, start: float, baseline: float = math.nan) -> Span | None:
    """Return how a page draws the interval of a value; None where it lies beyond the axis, which ends at 1."""
    if math.isnan(row.low) or row.low < start or row.high > 1:
        return None
    marks = (x if start <= x <= 1 else None for x in (row.chance, baseline))
    return Span(start, 1.0, row.value, *marks)


def value_cell(row: Row, drawn: Span | None = None) -> TableCell:
    """Return the cell of a value with its interval."""
    return TableCell(value_text(row.value), row.value, row.low, row.high, row.reason, span=drawn)


def _of_one(result: Result, part: SystemScores) -> Grid:
    rows, shown = overall(part), display_names(result.settings.measures)
    known, start = result.settings.confidence is not None, axis_start(overall(part))
    columns = ("measure", "value", *(("interval",) if known else ()), "chance", always(part))
    lines = tuple(
        (
            TableCell(shown[row.measure], note=row.reason),
            TableCell(value_text(row.value), row.value, note=row.reason),
            *((_drawn(row, span(row, start, part.constant_values[row.measure])),) if known else ()),
            TableCell(chance_text(row.chance), row.chance),
            TableCell(value_text(part.constant_values[row.measure]), part.constant_values[row.measure]),
        )
        for row in rows
    )
    caption = f"{many(len(rows), 'measure')}{confidence(result)}"
    return Grid(caption, columns, lines, tuple(range(1, len(columns))), sortable=True, lead=1)


def _drawn(row: Row, drawn: Span | None) -> TableCell:
    return replace(interval_cell(row.low, row.high, ""), span=drawn)


def always(part: SystemScores) -> str:
    """Return the name of the majority-class baseline."""
    return f"always {label_text(part.constant)!r}"


@built_once
def comparison(result: Result) -> Grid:
    """Return every measure of every system side by side.

    The best value is marked and, where the systems were compared in pairs, the values that are not significantly
    different from it. The labels of multilabel data do not compete, so nothing is marked there.
    """
    parts, shown = wholes(result), display_names(result.settings.measures)
    same = len({(part.constant, *part.matrix.a.tolist()) for part in parts}) == 1
    start = axis_start(row for part in parts for row in overall(part))
    rows = []
    for k, f in enumerate(result.settings.measures):
        found = [overall(part)[k] for part in parts]
        lazy = parts[0].constant_values[f.name]
        cells = _marked(result, f, found, start, lazy if same else math.nan)
        chance = TableCell(_between([row.chance for row in found]))
        rows.append((TableCell(shown[f.name]), *cells, chance, *([TableCell(value_text(lazy), lazy)] if same else [])))
    columns = ("measure", *(part.system for part in parts), "chance", *((always(parts[0]),) if same else ()))
    who, signs = f"Every {result.source.unit}", legend(rows)
    caption, bare = f"{who}{confidence(result)}{signs}", f"{who}{signs}"
    return Grid(caption, columns, tuple(rows), tuple(range(1, len(columns))), sortable=True, bare=bare)


def _marked(result: Result, f: Measure, found: list[Row], start: float, lazy: float) -> list[TableCell]:
    order = places([row.value for row in found], higher=f.orientation != LOWER)
    ranked = result.competing and f.orientation != NEITHER and len({rank for rank in order if rank is not None}) > 1
    near = () if result.comparison is None else winners_of(result.comparison, f.name)
    signs = [
        sign_of(best=ranked and rank == 1, near=ranked and x.system in near)
        for x, rank in zip(found, order, strict=True)
    ]
    return [replace(value_cell(x, span(x, start, lazy)), sign=sign) for x, sign in zip(found, signs, strict=True)]


def _between(levels: list[float]) -> str:
    """Return the chance level that all systems share, or the lowest and the highest one."""
    known = [x for x in levels if not math.isnan(x)]
    ends = list(dict.fromkeys(chance_text(x) for x in (min(known), max(known)))) if known else ["–"]
    return ("–" if min(known, default=0.0) >= 0 else " to ").join(ends)  # a dash before a minus sign is hard to read


def by_rows(grid: Grid, result: Result) -> Grid:
    """Return the table of many systems with a row for each of them, and for random guessing and the baseline."""
    names = {"chance": GUESSING}
    columns = (result.source.unit, *(row[0].text for row in grid.rows))
    rows = tuple(
        (TableCell(names.get(name, name)), *(row[k] for row in grid.rows)) for k, name in enumerate(grid.columns) if k
    )
    return replace(grid, columns=columns, rows=rows, numbers=tuple(range(1, len(columns))))
