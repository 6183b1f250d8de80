"""A result in every format, in notebooks and as it prints."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from goodmeasure.evaluation.result import Result
from goodmeasure.report.document import Document, Grid
from goodmeasure.report.plots import Plots as Plots


def text(result: Result, format: str) -> str:
    """The report in a format."""
    if format in ("json", "csv"):
        module, name = {"json": ("data", "to_json"), "csv": ("tabular", "to_csv")}[format]
        write: Callable[[Result], str] = getattr(import_module(f"goodmeasure.report.{module}"), name)
        return write(result)
    from goodmeasure.report.contents import contents

    return rendered(contents(result), format)


def piece(result: Result) -> str:
    """The summary and the scorecards, as a piece of a page without any script."""
    from goodmeasure.report.contents import contents
    from goodmeasure.report.notebook import without_charts

    return without_charts(contents(result), ("summary", "scorecard"))


def rendered(document: Document, format: str) -> str:
    """A report in a format that shows it as it is: html, markdown or latex."""
    render: Callable[[Document], str] = getattr(import_module(f"goodmeasure.report.{format}"), format)
    return render(document)


def plain(result: Result) -> str:
    """What a result prints as: its scorecards."""
    from goodmeasure.report.contents import contents

    document = contents(result)
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
