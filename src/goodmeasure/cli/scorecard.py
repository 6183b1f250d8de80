"""A result on the terminal, and where to find what the terminal does not show."""

from __future__ import annotations

import click

from goodmeasure.cli.printing import print_document
from goodmeasure.evaluation.result import Result
from goodmeasure.report.content.screen import evaluation_screen


def show(result: Result, written: list[str] | None = None) -> None:
    """Print a result on one screen, as far as it fits, and the files that were written."""
    rest = where_the_rest_is(written)
    print_document(evaluation_screen(result, rest), rest)
    click.echo()
    for path in written or []:
        click.echo(f"report: {path}")


def where_the_rest_is(written: tuple[str, ...] | list[str] | None) -> str:
    """Where to find what a terminal does not show: in the report that was written, or in one that could be."""
    return "in the report" if written else "in a report (--out FILE)"
