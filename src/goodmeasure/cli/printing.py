"""Tables and JSON on the terminal."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from goodmeasure.report.document import Document
from goodmeasure.report.formats.terminal import document_text, facts_text, known_width, table_text

_PIPE_WIDTH = 160  # a pipe has room for long lines
_GAP = 3  # between columns


def print_json(data: Any) -> None:
    """Data as JSON, readable by people too."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def columns() -> int:
    """How wide the terminal is."""
    return known_width() or _PIPE_WIDTH


def print_document(document: Document, rest: str) -> None:
    """What one screen shows; `rest` says where to find what does not fit."""
    wrapped = known_width() is not None
    click.echo(document_text(document, columns(), rest, styled=sys.stdout.isatty(), wrapped=wrapped))


def print_table(names: list[str], rows: list[list[str]], *, right: tuple[int, ...] = ()) -> None:
    """A table that fits the terminal."""
    click.echo(table_text(names, rows, columns(), right=right, styled=sys.stdout.isatty()))


def print_wide_table(names: list[str], rows: list[list[str]]) -> None:
    """A table of short signs, cut into several where it does not fit: no sign is folded, the first column repeats."""
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
    """Named facts, one under another, wrapped beside their names."""
    click.echo(facts_text(facts, columns(), styled=sys.stdout.isatty()))
