"""Tables and JSON on the terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click

from goodmeasure.report.visible import visible

_PIPE_WIDTH = 160  # a pipe has room for long lines


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
