"""A result in every format, in notebooks and as it prints."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from goodmeasure.evaluation.result import Result
from goodmeasure.report.charts.matplotlib_figures import Plots
from goodmeasure.report.content.statement import statement
from goodmeasure.report.document import Document
from goodmeasure.report.formats.html import fragment
from goodmeasure.report.formats.json_data import to_json
from goodmeasure.report.formats.notebook import chart
from goodmeasure.report.formats.tabular import to_csv
from goodmeasure.report.formats.tabular import to_frame as frame
from goodmeasure.report.formats.terminal import document_text, known_width

__all__ = ["Plots", "chart", "frame", "piece", "plain_text", "rendered", "statement", "text"]

PRINTED = 120  # columns that print() uses where it does not know the width, as in a notebook
REST = "in the report (.to_html(path))"


def text(result: Result, format: str) -> str:
    """The report in a format; CSV holds the table."""
    if format == "json":
        return to_json(result)
    if format == "csv":
        return to_csv(result)
    return rendered(_contents(result), format)


def piece(result: Result) -> str:
    """What a notebook shows: the screen of the command line, as a piece of a page without any script."""
    return fragment(_screen(result))


def plain_text(result: Result) -> str:
    """What a result prints as: the screen of the command line."""
    return document_text(_screen(result), known_width() or PRINTED, REST)


def _screen(result: Result) -> Document:
    from goodmeasure.report.content.screen import (
        evaluation_screen,  # it loads what is proved of measures, which JSON needs not
    )

    return evaluation_screen(result, REST)


def _contents(result: Result) -> Document:
    from goodmeasure.report.content.evaluation import (
        contents,  # it loads what is proved of measures, which JSON needs not
    )

    return contents(result)


def rendered(document: Document, format: str) -> str:
    """A report in a format that shows it as it is: html, markdown or latex."""
    render: Callable[[Document], str] = getattr(import_module(f"goodmeasure.report.formats.{format}"), format)
    return render(document)
