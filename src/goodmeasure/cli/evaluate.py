"""`goodmeasure evaluate FILE…`: from predictions in files to a scorecard, and a report to pass on."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from goodmeasure.cli.options import (
    COLUMNS,
    DRAWS,
    MEASURES,
    MEMORY,
    as_labels,
    as_policy,
    said_as_options,
    split_names,
    with_options,
)
from goodmeasure.cli.printing import print_json
from goodmeasure.cli.progress import progress
from goodmeasure.cli.scorecard import show
from goodmeasure.evaluation.intervals import METHODS

_SUFFIX = ".report.html"


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...")
@with_options(*COLUMNS, MEASURES, *DRAWS)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="How intervals are found.",
)
@click.option("--matrix", "matrix", metavar="FILE", help="A confusion matrix instead of labels (CSV, TSV, JSON, NPY).")
@click.option(
    "--out", multiple=True, metavar="FILE", help="Write the report: .html, .md, .tex, .json or .csv; repeatable."
)
@click.option("--no-report", is_flag=True, help="Write no report if --out names none.")
@MEMORY
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
        "measures": split_names(measures), "positive": positive, "labels": as_labels(labels),
        "confidence": confidence, "method": method, "replicates": replicates, "seed": seed,
        "undefined": as_policy(undefined),
    }  # fmt: skip
    columns = {"y_true": true, "y_pred": systems or None, "sample_weight": weight, "by": by or None, "groups": group}
    with progress("counting") as tick, said_as_options():
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
