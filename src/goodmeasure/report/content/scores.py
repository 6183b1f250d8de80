"""The section on measures of scores: values with intervals, of one system or of several side by side."""

from __future__ import annotations

import math
from dataclasses import replace

from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.comparison.ranking import places
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.table import Row
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.interval_methods import confidence
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.content.score_charts import curve_blocks, drawn_scores
from goodmeasure.report.document import Block, Cell, Grid, Section, interval_cell
from goodmeasure.report.numbers import chance_text, many, value_text


def score_sections(result: Result) -> list[Section]:
    """Return the section on the scores, if there are any."""
    if result.scored is None or not result.scored.measures:
        return []
    return [Section("scores", "Scores", (score_grid(result), *curve_blocks(drawn_scores(result)), *_slices(result)))]


def threshold_line(result: Result) -> str:
    """Return how predicted labels were made of scores, in a few words."""
    assert result.scored is not None
    at = result.scored.threshold
    return "the class with the highest score" if at is None else f"positive where the score is at least {at:g}"


@built_once
def score_grid(result: Result) -> Grid:
    """Return the table of the measures of scores on all items."""
    assert result.scored is not None
    parts = [part for part in result.parts if part.slice is None]
    if len(parts) == 1:
        return _of_one(result, parts[0].score_rows)
    rows = []
    for k, f in enumerate(result.scored.measures):
        found = [part.score_rows[k] for part in parts]
        order = places([row.value for row in found], higher=f.orientation != LOWER)
        ranked = f.orientation != NEITHER and len({rank for rank in order if rank is not None}) > 1
        cells = (
            replace(_cell(row), sign=sign_of(best=ranked and rank == 1)) for row, rank in zip(found, order, strict=True)
        )
        rows.append((Cell(f.name), _chance(found[0]), *cells))
    columns = ("measure", "chance", *(part.system for part in parts))
    caption = f"Measures of scores{confidence(result)}{legend(rows)}"
    return Grid(caption, columns, tuple(rows), tuple(range(1, len(columns))))


def _of_one(result: Result, rows: tuple[Row, ...]) -> Grid:
    known = result.settings.confidence is not None
    columns = ("measure", "value", *(("interval",) if known else ()), "chance")
    lines = tuple(
        (
            Cell(row.measure, note=row.reason),
            Cell(value_text(row.value), row.value, note=row.reason),
            *((interval_cell(row.low, row.high, ""),) if known else ()),
            _chance(row),
        )
        for row in rows
    )
    caption = f"{many(len(rows), 'measure')} of scores{confidence(result)}"
    return Grid(caption, columns, lines, tuple(range(1, len(columns))))


def _slices(result: Result) -> list[Block]:
    """Return a table by slice for each system."""
    assert result.scored is not None
    found: list[Block] = []
    for system in result.systems:
        parts = [x for x in result.parts if x.system == system and x.slice is not None and x.score_rows]
        if parts:
            rows = tuple((Cell(str(part.slice)), *(_cell(row) for row in part.score_rows)) for part in parts)
            columns = ("slice", *(f.name for f in result.scored.measures))
            what = (
                f"{system}: measures of scores by slice" if len(result.systems) > 1 else "Measures of scores by slice"
            )
            found.append(Grid(f"{what}{confidence(result)}", columns, rows, tuple(range(1, len(columns)))))
    return found


def _cell(row: Row) -> Cell:
    return Cell(value_text(row.value), row.value, row.low, row.high, row.reason)


def _chance(row: Row) -> Cell:
    return Cell("–" if math.isnan(row.chance) else chance_text(row.chance), row.chance)
