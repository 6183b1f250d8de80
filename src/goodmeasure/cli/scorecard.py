"""A result on the terminal: the data at a glance, the scorecard, the classes, what to beware of, the files."""

from __future__ import annotations

import re
from typing import Any

import click

from goodmeasure.cli.printing import console, print_facts, print_table
from goodmeasure.evaluation.result import Result
from goodmeasure.report.contents import class_grid, comparison, glance, scorecards, slice_grids, warning_lines
from goodmeasure.report.document import Cell, Grid

BARE = re.compile(r" \([^()]* to [^()]*\)")
_CLASSES = 12
_WARNINGS = 8


def show(result: Result, written: list[str] | None = None) -> None:
    """Print a result on one screen, as far as it fits."""
    print_facts(list(glance(result).items))
    if len(result.systems) == 1:
        for grid in scorecards(result):
            _print(grid)
    else:
        _print(_fitting(comparison(result)))
    for grid in slice_grids(result):
        click.echo(f"\n{grid.caption}:", nl=False)
        _print(_fitting(grid))
    if len(result.systems) == 1:
        _classes(result)
    _beware(warning_lines(result, slices=False))
    for path in written or []:
        click.echo(f"report: {path}")


def _print(grid: Grid, most: int | None = None) -> None:
    click.echo()
    rows = [[cell.text for cell in row] for row in grid.rows]
    print_table(list(grid.columns), rows[:most], right=grid.numbers)
    for row in grid.rows[:most]:
        if len(row) > 1 and row[1].note and grid.columns[0] == "measure":
            click.echo(f"  {row[0].text}: {row[1].note}")
    if most is not None and len(rows) > most:
        click.echo(f"  … and {len(rows) - most} more, in the report")


def _fitting(grid: Grid, keep: int | None = None) -> Grid:
    """The table as far as the terminal is wide: first without the columns from `keep` on, then without intervals."""
    bare = _bare(grid)
    choices = [grid, *([] if keep is None else [_first(grid, keep)]), bare]
    choices += [_first(bare, k) for k in range(len(grid.columns) - 1, 1, -1)]
    return next((x for x in choices if _width(x) <= console().width), choices[-1])


def _width(grid: Grid) -> int:
    columns = zip(grid.columns, *([cell.text for cell in row] for row in grid.rows), strict=True)
    return sum(max(map(len, column)) + 3 for column in columns)


def _first(grid: Grid, k: int) -> Grid:
    return Grid(grid.caption, grid.columns[:k], tuple(row[:k] for row in grid.rows), grid.numbers)


def _bare(grid: Grid) -> Grid:
    """The values without their intervals, which the report has."""
    rows = tuple(tuple(Cell(BARE.sub("", x.text), x.number, x.note) for x in row) for row in grid.rows)
    return Grid(grid.caption, grid.columns, rows, grid.numbers)


def _classes(result: Result) -> None:
    part = result.part()
    if any(row.label is not None for row in part.rows):
        grid = class_grid(result, part)
        if len(grid.rows) > _CLASSES:
            worst = sorted(grid.rows, key=_recall)
            grid = Grid(grid.caption, grid.columns, tuple(worst), grid.numbers)
            click.echo("\nThe classes with the lowest recall:", nl=False)
        _print(_fitting(grid, keep=4), _CLASSES)


def _recall(row: tuple[Any, ...]) -> float:
    number = row[2].number
    return float("inf") if number is None or number != number else float(number)


def _beware(lines: list[str]) -> None:
    if not lines:
        click.echo()
        return
    click.echo()
    for line in lines[:_WARNINGS]:
        click.echo(click.style("beware: ", fg="yellow", bold=True) + line)
    if len(lines) > _WARNINGS:
        click.echo(f"        … and {len(lines) - _WARNINGS} more, in the report")
    click.echo()
