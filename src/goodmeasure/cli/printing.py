"""Tables and JSON on the terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click

from goodmeasure.report.visible import visible

_PIPE_WIDTH = 160  # a pipe has room for long lines
_GAP = 3  # between columns


def print_json(data: Any) -> None:
    """Data as JSON, readable by people too."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def console() -> Any:
    """A terminal that knows its width and whether colours are wanted."""
    from rich.console import Console

    known = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(highlight=False, width=None if known else _PIPE_WIDTH)


def print_table(columns: list[str], rows: list[list[str]], *, right: tuple[int, ...] = ()) -> None:
    """A table that fits the terminal; names are shown as they are, whatever brackets they have."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for k, name in enumerate(columns):
        table.add_column(_text(name), justify="right" if k in right else "left", overflow="fold", no_wrap=k == 0)
    for row in rows:
        table.add_row(*map(_text, row))
    _print(table)


def print_wide_table(columns: list[str], rows: list[list[str]]) -> None:
    """A table of short signs, cut into several where it does not fit: no sign is folded, the first column repeats."""
    wide = [
        max([*(len(word) for word in name.split()), *(len(row[k]) for row in rows)]) + _GAP
        for k, name in enumerate(columns)
    ]
    room, start = console().width - wide[0], 1
    while start < len(columns):
        end = start + 1
        while end < len(columns) and sum(wide[start : end + 1]) <= room:
            end += 1
        if start > 1:
            click.echo("")
        print_table([columns[0], *columns[start:end]], [[row[0], *row[start:end]] for row in rows])
        start = end


def print_facts(facts: list[tuple[str, str]]) -> None:
    """Named facts, one under another, wrapped beside their names."""
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, text in facts:
        grid.add_row(_text(name), _text(text))
    _print(grid)


def _text(text: str) -> Any:
    """Text as it is, but for what would steer the terminal."""
    from rich.text import Text

    return Text(visible(text, keep="\n"))


def _print(table: Any) -> None:
    """Print a table without the blanks that pad its lines."""
    screen = console()
    with screen.capture() as text:
        screen.print(table)
    click.echo("\n".join(line.rstrip() for line in text.get().splitlines()).strip("\n"))
