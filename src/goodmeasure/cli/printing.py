"""What the terminal shows: results, tables, facts and JSON."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from goodmeasure.progress import progress
from goodmeasure.report.document import Document
from goodmeasure.report.formats.terminal import document_text, facts_text, known_width, table_text

if TYPE_CHECKING:
    from goodmeasure.evaluation.result import Result

_PIPE_WIDTH = 160  # characters, where there is no terminal
_GAP = 3  # characters between columns


def print_json(data: object) -> None:
    """Print data as indented JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def columns() -> int:
    """Return the width of the terminal, or a wide default for pipes."""
    return known_width() or _PIPE_WIDTH


def print_document(document: Document, rest: str) -> None:
    """Print what one screen shows; `rest` says where to find what does not fit."""
    wrapped = known_width() is not None
    click.echo(document_text(document, columns(), rest, styled=sys.stdout.isatty(), wrapped=wrapped))


def print_table(names: list[str], rows: list[list[str]], *, right: tuple[int, ...] = ()) -> None:
    """Print a table that fits the terminal."""
    click.echo(table_text(names, rows, columns(), right=right, styled=sys.stdout.isatty()))


def print_wide_table(names: list[str], rows: list[list[str]]) -> None:
    """Print a table of short signs, cut into several where it does not fit; the first column is repeated."""
    wide = [
        max([*(len(word) for word in name.split()), *(len(row[k]) for row in rows)]) + _GAP
        for k, name in enumerate(names)
    ]
    room, start = columns() - wide[0], 1
    while start < len(names):
        end = start + 1
        while end < len(names) and sum(wide[start : end + 1]) <= room:
            end += 1
        if start > 1:
            click.echo("")
        print_table([names[0], *names[start:end]], [[row[0], *row[start:end]] for row in rows])
        start = end


def print_facts(facts: list[tuple[str, str]]) -> None:
    """Print named facts one below the other, wrapped beside their names."""
    click.echo(facts_text(facts, columns(), styled=sys.stdout.isatty()))


def show(result: Result, written: list[str] | None = None) -> None:
    """Print a result on one screen, as far as it fits, and the files that were written."""
    from goodmeasure.report.content.screen import evaluation_screen  # most commands print no result

    rest = where_the_rest_is(written)
    with progress("preparing the report"):
        screen = evaluation_screen(result, rest)
    print_document(screen, rest)
    click.echo()
    for path in written or []:
        click.echo(f"report: {path}")


def where_the_rest_is(written: tuple[str, ...] | list[str] | None) -> str:
    """Return where to find what the terminal does not show: in the report that was written, or in one to write."""
    return "in the report" if written else "in a report (--out FILE)"
