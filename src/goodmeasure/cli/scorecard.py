"""A result on the terminal: the data at a glance, the scorecard, the classes, what to beware of, the files."""

from __future__ import annotations

from dataclasses import replace

import click

from goodmeasure.cli.printing import console, print_facts, print_table
from goodmeasure.evaluation.result import Result
from goodmeasure.report.beside import beside_lines
from goodmeasure.report.contents import (
    class_comparison,
    class_grid,
    comparison,
    glance,
    scorecards,
    slice_grids,
    slice_hint,
    warning_lines,
)
from goodmeasure.report.document import Cell, Grid
from goodmeasure.report.numbers import INTERVAL, names_text
from goodmeasure.report.sweeping import best_grid
from goodmeasure.report.visible import visible

_CLASSES = 12
_WARNINGS = 8
_NOTES = 6
_REST = "in the report"
_NAMED = 4  # columns that did not fit


def show(result: Result, written: list[str] | None = None) -> None:
    """Print a result on one screen, as far as it fits."""
    print_facts([(name, visible(text)) for name, text in glance(result).items])
    if len(result.systems) == 1:
        for grid in scorecards(result):
            print_grid(grid)
    else:
        print_grid(fitting(comparison(result)))
    for grid in slice_grids(result):
        click.echo(f"\n{grid.caption}:", nl=False)
        print_grid(fitting(grid))
    _classes(result)
    _beside(result)
    _beware(warning_lines(result, slices=False), slice_hint(result, "in the report"))
    for path in written or []:
        click.echo(f"report: {path}")


def _beside(result: Result) -> None:
    """Who wins, and the best thresholds, where they are known."""
    lines = beside_lines(result)
    if lines:
        click.echo()
    for line in lines:
        click.echo(line)
    if result.swept is not None:
        level = result.settings.confidence
        grid = best_grid(result.swept, result.swept.bests(level, result.settings.seed), level)
        if grid is not None:
            click.echo(f"\n{grid.caption}:", nl=False)
            print_grid(grid)


def where_the_rest_is(out: tuple[str, ...]) -> str:
    """Where to find what a terminal does not show: in the report that was written, or in one that could be."""
    return _REST if out else "in a report (--out FILE)"


def print_grid(grid: Grid, most: int | None = None, rest: str = _REST) -> None:
    """A table, and remarks on its values; `rest` says where to find what is not shown."""
    click.echo()
    rows = [[visible(cell.text) for cell in row] for row in grid.rows]
    print_table([visible(x) for x in grid.columns], rows[:most], right=grid.numbers)
    notes = replace(grid, rows=grid.rows[:most]).notes() if grid.columns[0] == "measure" else []
    for note in notes[:_NOTES]:
        click.echo(f"  {note}")
    if len(notes) > _NOTES:
        click.echo(f"  … and {len(notes) - _NOTES} more remarks, {rest}")
    if grid.left_out:
        click.echo(f"  … {grid.left_out}: {rest}, or on a wider terminal")
    if most is not None and len(rows) > most:
        click.echo(f"  … and {len(rows) - most} more, {rest}")


def fitting(grid: Grid, keep: int | None = None) -> Grid:
    """The table as far as the terminal is wide: first without the columns from `keep` on, then without intervals."""
    bare = _bare(grid)
    choices = [grid, *([] if keep is None else [_first(grid, keep)]), bare]
    choices += [_first(bare, k) for k in range(len(grid.columns) - 1, 1, -1)]
    return next((x for x in choices if _width(x) <= console().width), choices[-1])


def _width(grid: Grid) -> int:
    columns = zip(grid.columns, *([cell.text for cell in row] for row in grid.rows), strict=True)
    return sum(max(map(len, column)) + 3 for column in columns) - 1


def _first(grid: Grid, k: int) -> Grid:
    """The first columns, and which are left out."""
    gone = list(grid.columns[k:])
    if not gone:
        return grid
    named = [*gone[:_NAMED], *([f"{len(gone) - _NAMED} more"] if len(gone) > _NAMED else [])]
    cut = Grid(grid.caption, grid.columns[:k], tuple(row[:k] for row in grid.rows), grid.numbers)
    return _without(cut, [*(["the intervals"] if grid.left_out else []), *named])


def _without(grid: Grid, missing: list[str]) -> Grid:
    return replace(grid, left_out=names_text(missing))


def _bare(grid: Grid) -> Grid:
    """The values without their intervals, which the report has."""
    rows = tuple(tuple(Cell(INTERVAL.sub("", x.text), x.number, x.note) for x in row) for row in grid.rows)
    return _without(replace(grid, rows=rows), ["the intervals"]) if rows != grid.rows else grid


def _classes(result: Result) -> None:
    part = result.part()
    if any(row.label is not None for row in part.rows):
        grid = class_comparison(result) if len(result.systems) > 1 else class_grid(result, part)
        if grid is None:
            return
        if len(result.systems) > 1:
            click.echo(f"\n{grid.caption}:", nl=False)
        at = 1 if len(result.systems) > 1 else 2
        if len(grid.rows) > _CLASSES:
            worst = sorted(grid.rows, key=lambda row: _recall(row[at]))
            grid = Grid(grid.caption, grid.columns, tuple(worst), grid.numbers)
            click.echo("\nThe classes with the lowest recall:", nl=False)
        print_grid(fitting(grid, keep=4), _CLASSES)


def _recall(cell: Cell) -> float:
    number = cell.number
    return float("inf") if number is None or number != number else float(number)


def _beware(lines: list[str], about_slices: list[str]) -> None:
    if not lines and not about_slices:
        click.echo()
        return
    click.echo()
    for line in lines[:_WARNINGS]:
        click.echo(click.style("Warning: ", fg="yellow", bold=True) + line)
    if len(lines) > _WARNINGS:
        click.echo(f"         … and {len(lines) - _WARNINGS} more, in the report")
    for line in about_slices:
        click.echo(f"         … {line}")
    click.echo()
