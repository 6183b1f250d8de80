"""A result on the terminal: the data at a glance, the scorecard, the classes, what to beware of, the files."""

from __future__ import annotations

import re
from typing import Any

import click

from goodmeasure.cli.printing import print_facts, print_table
from goodmeasure.evaluation.result import Result
from goodmeasure.report.contents import class_grid, comparison, glance, scorecards, slice_grids, warning_lines
from goodmeasure.report.document import Cell, Grid

BARE = re.compile(r" \([^()]* to [^()]*\)")
_CLASSES = 12
_SYSTEMS = 2  # with so many there is room for intervals
_WARNINGS = 8


def show(result: Result, written: list[str] | None = None) -> None:
    """Print a result on one screen, as far as it fits."""
    print_facts(list(glance(result).items))
    if len(result.systems) == 1:
        for grid in scorecards(result):
            _print(grid)
    else:
        _print(_bare(comparison(result)) if len(result.systems) > _SYSTEMS else comparison(result))
    for grid in slice_grids(result):
        click.echo(f"\n{grid.caption}:", nl=False)
        _print(_bare(grid))
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


def _bare(grid: Grid) -> Grid:
    """The values without their intervals, which the report has."""
    rows = tuple(tuple(Cell(BARE.sub("", cell.text), cell.number, cell.note) for cell in row) for row in grid.rows)
    return Grid(grid.caption, grid.columns, rows, grid.numbers)


def _classes(result: Result) -> None:
    part = result.part()
    if any(row.label is not None for row in part.rows):
        grid = class_grid(result, part)
        if len(grid.rows) > _CLASSES:
            worst = sorted(grid.rows, key=_recall)
            grid = Grid(grid.caption, grid.columns, tuple(worst), grid.numbers)
            click.echo("\nThe classes with the lowest recall:", nl=False)
        _print(grid, _CLASSES)


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
