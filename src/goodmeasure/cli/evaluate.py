"""`goodmeasure evaluate FILE…`: from predictions in files to a scorecard, and a report to pass on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from goodmeasure.cli.printing import print_json
from goodmeasure.cli.progress import progress
from goodmeasure.cli.scorecard import show
from goodmeasure.evaluation.intervals import METHODS

_SUFFIX = ".report.html"


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--true", "true", metavar="COLUMN", help="The column of the true labels.")
@click.option("--pred", "systems", multiple=True, metavar="COLUMN", help="A column of predicted labels; repeatable.")
@click.option("--weight", metavar="COLUMN", help="The column of weights.")
@click.option("--by", multiple=True, metavar="COLUMN", help="Measure slices too: one for each value; repeatable.")
@click.option("--group", metavar="COLUMN", help="Items with the same value belong together (patients, documents).")
@click.option("--labels", help="The classes in order, separated by commas.")
@click.option("--positive", metavar="LABEL", help="The positive class; with more than two, it against the rest.")
@click.option(
    "--missing",
    type=click.Choice(["error", "drop", "class"]),
    default="error",
    show_default=True,
    help="What to do with items without a label.",
)
@click.option("--measures", multiple=True, help="Names, or sets: recommended, papers, all; repeatable, or with commas.")
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Of the intervals.",
)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="How intervals are found.",
)
@click.option(
    "--replicates",
    type=click.IntRange(min=2),
    default=2000,
    show_default=True,
    help="How many samples are drawn, where the method draws.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draws.")
@click.option("--undefined", default="resolve", show_default=True, help="resolve, nan, raise, or a number.")
@click.option("--matrix", "matrix", metavar="FILE", help="A confusion matrix instead of labels (CSV, TSV, JSON, NPY).")
@click.option(
    "--out", multiple=True, metavar="FILE", help="Write the report: .html, .md, .tex, .json or .csv; repeatable."
)
@click.option("--no-report", is_flag=True, help="Write no report if --out names none.")
@click.option("--memory-limit", metavar="SIZE", help="At most so much memory for reading, such as 200MB.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON (docs/report.md) and write no report.")
def evaluate(
    files: tuple[str, ...], true: str | None, systems: tuple[str, ...], weight: str | None, by: tuple[str, ...],
    group: str | None, labels: str | None, positive: str | None, missing: str, measures: tuple[str, ...],
    confidence: float, method: str, replicates: int, seed: int, undefined: str, matrix: str | None,
    out: tuple[str, ...], no_report: bool, memory_limit: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure the predictions in FILE… (CSV, TSV, JSON lines, Parquet, Arrow, compressed or not; - is standard input).

    Prints a scorecard with intervals, chance levels and warnings, and leaves a report beside it. The columns are
    guessed where their names are obvious (label, y_true, gold …; pred, prediction …).
    """
    from goodmeasure.report.formats import format_of

    if bool(files) == (matrix is not None):
        raise ValueError("name files of predictions, or a matrix with --matrix; see goodmeasure evaluate --help")
    for path in out:
        format_of(path)  # before the work, not after it
    options: dict[str, Any] = {
        "measures": split_names(measures), "positive": positive, "labels": None if labels is None else _labels(labels),
        "confidence": confidence, "method": method, "replicates": replicates, "seed": seed,
        "undefined": _policy(undefined),
    }  # fmt: skip
    columns = {"y_true": true, "y_pred": systems or None, "sample_weight": weight, "by": by or None, "groups": group}
    with progress("counting") as tick, _said_as_options():
        if matrix is not None:
            result = _of_matrix(matrix, options, tick)
        else:
            result = _of_files(files, {**columns, "missing": missing}, options, memory_limit, tick)
    written = _write(result, out, files or (str(matrix),), wanted=not (no_report or as_json))
    if as_json:
        from goodmeasure.report.data import as_data

        print_json(as_data(result))
        return
    show(result, written)


@contextmanager
def _said_as_options() -> Iterator[None]:
    """Errors speak of arguments; here they are options."""
    try:
        yield
    except ValueError as error:
        raise ValueError(re.sub(r"\bmissing='(\w+)'", r"--missing \1", str(error))) from None


def _of_files(
    files: tuple[str, ...], columns: dict[str, Any], options: dict[str, Any], limit: str | None, tick: Any
) -> Any:
    from goodmeasure.evaluation.evaluate import evaluate as measured

    return measured([Path(x) for x in files], **columns, **options, memory_limit=limit, progress=tick)


def _of_matrix(path: str, options: dict[str, Any], tick: Any) -> Any:
    from goodmeasure.counts.matrix_files import read_matrix_file
    from goodmeasure.evaluation.evaluate import evaluate as measured

    found = measured({Path(path).stem: read_matrix_file(path)}, **options, progress=tick)
    return found.from_files(path)


def split_names(names: tuple[str, ...]) -> list[str] | None:
    """Names of measures, also several in one word: commas within parentheses belong to a name.

    >>> split_names(("mcc,macro(recall, p=0)", "f1"))
    ['mcc', 'macro(recall, p=0)', 'f1']
    """
    found: list[str] = []
    for text in names:
        depth, start = 0, 0
        for k, sign in enumerate(text):
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth == 0:
                found.append(text[start:k])
                start = k + 1
        found.append(text[start:])
    return [name.strip() for name in found if name.strip()] or None


def _labels(text: str) -> list[str]:
    return [x.strip() for x in text.split(",")]


def _policy(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text


def _write(result: Any, out: tuple[str, ...], files: tuple[str, ...], *, wanted: bool) -> list[str]:
    """Write what was asked for; without that, a report in the current folder, if it can be written."""
    for path in out:
        result.save(path)
    if out or not wanted:
        return list(out)
    first = "predictions" if files[0] == "-" else Path(files[0]).name.split(".")[0].strip("*? ") or "predictions"
    path = f"{first}{_SUFFIX}"
    try:
        result.save(path)
    except OSError as error:
        click.echo(f"note: no report was written ({error}): name a place with --out", err=True)
        return []
    return [os.fspath(path)]
