"""The section on measures of scores: values with intervals, of one system or of several side by side."""

from __future__ import annotations

import math
from dataclasses import replace

from goodmeasure.catalogue.display_names import display_names, display_of
from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.comparison.system_ranks import places
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.table import Row
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.interval_methods import confidence
from goodmeasure.report.content.main_finding import best_part
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.content.score_charts import curve_blocks, drawn_scores
from goodmeasure.report.content.scorecard import axis_start, span, value_cell
from goodmeasure.report.content.significance import winners_of
from goodmeasure.report.content.slices import slice_text
from goodmeasure.report.document import Block, Grid, Section, TableCell, interval_cell
from goodmeasure.report.numbers import chance_text, many, value_text


def score_sections(result: Result) -> list[Section]:
    """Return the section on the scores, if there are any."""
    if result.scored is None or not result.scored.measures:
        return []
    if result.source.of_outcomes:
        return [Section("scores", "Outcomes", (score_grid(result),), gist=_gist(result), opened=True)]
    blocks = (score_grid(result), *curve_blocks(drawn_scores(result)), *_slices(result))
    return [Section("scores", "Scores", blocks, gist=_gist(result), opened=True)]


def _without_chance(grid: Grid, result: Result) -> Grid:
    """Return the table without the column of chance levels, which outcomes do not have."""
    if not result.source.of_outcomes:
        return grid
    rows = tuple(row[:-1] for row in grid.rows)
    return replace(grid, columns=grid.columns[:-1], rows=rows, numbers=grid.numbers[:-1])


def _gist(result: Result) -> str:
    """Return the first measure of scores of the best system."""
    row = next((x for x in best_part(result).score_rows if not math.isnan(x.value)), None)
    if row is None:
        return ""
    whose = f" of {row.system}" if len(result.systems) > 1 else ""
    return f"{display_of(row.measure)}{whose} is {value_text(row.value)}."


def threshold_line(result: Result) -> str:
    """Return how predicted labels were made of scores, in a few words."""
    assert result.scored is not None
    at = result.scored.threshold
    if not result.has_labels:
        return "nothing, as no threshold was named"
    return "the class with the highest score" if at is None else f"positive where the score is at least {at:g}"


@built_once
def score_grid(result: Result) -> Grid:
    """Return the table of the measures of scores on all items."""
    assert result.scored is not None
    parts = [part for part in result.parts if part.slice is None]
    if len(parts) == 1:
        return _of_one(result, parts[0].score_rows)
    rows, shown = [], display_names(result.scored.measures)
    start = axis_start(row for part in parts for row in part.score_rows)
    for k, f in enumerate(result.scored.measures):
        found = [part.score_rows[k] for part in parts]
        order = places([row.value for row in found], higher=f.orientation != LOWER)
        ranked = f.orientation != NEITHER and len({rank for rank in order if rank is not None}) > 1
        drawn = [value_cell(row, span(row, start)) for row in found]
        near = () if result.comparison is None else winners_of(result.comparison, f.name)
        signs = [
            sign_of(best=ranked and rank == 1, near=ranked and row.system in near)
            for row, rank in zip(found, order, strict=True)
        ]
        cells = (replace(cell, sign=sign) for cell, sign in zip(drawn, signs, strict=True))
        rows.append((TableCell(shown[f.name]), *cells, _chance(found[0])))
    columns = ("measure", *(part.system for part in parts), "chance")
    what = "Outcomes" if result.source.of_outcomes else "Measures of scores"
    caption, bare = f"{what}{confidence(result)}{legend(rows)}", f"{what}{legend(rows)}"
    grid = Grid(caption, columns, tuple(rows), tuple(range(1, len(columns))), sortable=True, bare=bare)
    return _without_chance(grid, result)


def _of_one(result: Result, rows: tuple[Row, ...]) -> Grid:
    assert result.scored is not None
    known, shown, start = (
        result.settings.confidence is not None,
        display_names(result.scored.measures),
        axis_start(rows),
    )
    columns = ("measure", "value", *(("interval",) if known else ()), "chance")
    lines = tuple(
        (
            TableCell(shown[row.measure], note=row.reason),
            TableCell(value_text(row.value), row.value, note=row.reason),
            *((replace(interval_cell(row.low, row.high, ""), span=span(row, start)),) if known else ()),
            _chance(row),
        )
        for row in rows
    )
    what = "Outcomes" if result.source.of_outcomes else f"{many(len(rows), 'measure')} of scores"
    grid = Grid(f"{what}{confidence(result)}", columns, lines, tuple(range(1, len(columns))), sortable=True, lead=1)
    return _without_chance(grid, result)


def _slices(result: Result) -> list[Block]:
    """Return a table by slice for each system."""
    assert result.scored is not None
    shown = display_names(result.scored.measures)
    found: list[Block] = []
    for system in result.systems:
        parts = [x for x in result.parts if x.system == system and x.slice is not None and x.score_rows]
        if parts:
            rows = tuple(
                (TableCell(slice_text(result, part.slice)), *(value_cell(row) for row in part.score_rows))
                for part in parts
            )
            columns = ("slice", *(shown[f.name] for f in result.scored.measures))
            what = (
                f"{system}: measures of scores by slice" if len(result.systems) > 1 else "Measures of scores by slice"
            )
            found.append(Grid(f"{what}{confidence(result)}", columns, rows, tuple(range(1, len(columns)))))
    return found


def _chance(row: Row) -> TableCell:
    return TableCell("–" if math.isnan(row.chance) else chance_text(row.chance), row.chance)
