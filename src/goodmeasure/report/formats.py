"""A result in every format, in notebooks and as it prints."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from goodmeasure.evaluation.result import Result
from goodmeasure.report.data import to_json
from goodmeasure.report.document import Document, Grid
from goodmeasure.report.notebook import chart, without_charts
from goodmeasure.report.plots import Plots
from goodmeasure.report.statement import statement
from goodmeasure.report.tabular import to_csv
from goodmeasure.report.tabular import to_frame as frame

__all__ = ["Plots", "chart", "frame", "grid_text", "piece", "plain_text", "rendered", "statement", "text"]


def text(result: Result, format: str) -> str:
    """The report in a format; CSV holds the table."""
    if format == "json":
        return to_json(result)
    if format == "csv":
        return to_csv(result)
    return rendered(_contents(result), format)


def piece(result: Result) -> str:
    """The summary and the scorecards, as a piece of a page without any script."""
    return without_charts(_contents(result), ("summary", "scorecard"))


def _contents(result: Result) -> Document:
    from goodmeasure.report.contents import contents  # it loads what is proved of measures, which JSON needs not

    return contents(result)


def rendered(document: Document, format: str) -> str:
    """A report in a format that shows it as it is: html, markdown or latex."""
    render: Callable[[Document], str] = getattr(import_module(f"goodmeasure.report.{format}"), format)
    return render(document)


def plain_text(result: Result) -> str:
    """What a result prints as: its scorecards."""
    document = _contents(result)
    shown = [grid_text(block) for block in document.section("scorecard").blocks if isinstance(block, Grid)]
    return "\n\n".join([document.title, *shown])


def grid_text(grid: Grid) -> str:
    """A table as lines of text."""
    columns, rows = grid.columns, [[cell.text for cell in row] for row in grid.rows]
    widths = [max(len(line[k]) for line in [columns, *rows]) for k in range(len(columns))]
    lines = [
        "  ".join(x.rjust(w) if k else x.ljust(w) for k, (x, w) in enumerate(zip(line, widths, strict=True))).rstrip()
        for line in [columns, *rows]
    ]
    return "\n".join([grid.caption, *lines])
