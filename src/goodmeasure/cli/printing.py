"""What the terminal shows: results, tables, facts and JSON."""

from __future__ import annotations

import json
import sys

import click

from goodmeasure.evaluation.writing import Written, writer_of
from goodmeasure.progress import progress
from goodmeasure.report.document import Document
from goodmeasure.report.formats.terminal import REST, document_text, facts_text, known_width, table_text

_PIPE_WIDTH = 160  # characters, where there is no terminal
_GAP = 3  # characters between columns


def print_json(data: object) -> None:
    """Print data as indented JSON."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def columns() -> int:
    """Return the width of the terminal, or a wide default for pipes."""
    return known_width() or _PIPE_WIDTH


def print_document(document: Document) -> None:
    """Print what one screen shows."""
    wrapped = known_width() is not None
    click.echo(document_text(document, columns(), REST, styled=sys.stdout.isatty(), wrapped=wrapped))


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


def show(result: Written, written: list[str] | None = None, *, full: bool = False) -> None:
    """Print a result as print() does in Python, and the files that were written."""
    with progress("preparing the report"):
        text = writer_of(result).plain_text(full, styled=sys.stdout.isatty())
    click.echo(text)
    click.echo()
    for path in written or []:
        click.echo(f"report: {path}")
