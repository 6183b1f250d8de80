"""`goodmeasure evaluate FILE…`: from predictions in files to a scorecard and a report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from goodmeasure.cli.options import (
    COLUMNS,
    DRAWS,
    MEASURES,
    MEMORY,
    OUT,
    POOL,
    TITLE,
    TypedColumns,
    as_labels,
    as_policy,
    declared,
    refuse_overwriting,
    said,
    split_names,
    with_options,
)
from goodmeasure.cli.printing import print_json, show
from goodmeasure.cli.requirements import (
    BASELINE,
    REQUIRE,
    baseline_gate,
    baseline_run,
    check_requirements,
    end,
    gated,
    with_baseline_run,
)
from goodmeasure.cli.runs import columns_of, data_of, paths_of
from goodmeasure.comparison.baseline_files import Role
from goodmeasure.evaluation.column_names import from_typed
from goodmeasure.evaluation.evaluate import Progress
from goodmeasure.evaluation.evaluate import evaluate as measured
from goodmeasure.evaluation.intervals.interval import METHODS, PERKS
from goodmeasure.exceptions import InputError
from goodmeasure.options import typed_spellings
from goodmeasure.progress import progress
from goodmeasure.typing import Label

if TYPE_CHECKING:
    from goodmeasure.comparison.baseline_files import BaselineOptions
    from goodmeasure.evaluation.evaluate import MeasureOptions
    from goodmeasure.evaluation.requirements.gate import Gate
    from goodmeasure.evaluation.result import Result

_SUFFIX = ".report.html"


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...")
@with_options(*COLUMNS, *declared("evaluate"), MEASURES, *DRAWS)
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    show_default=True,
    help="Method of the confidence intervals.",
)
@click.option(
    "--prior", default=PERKS, show_default=True, metavar="PRIOR",
    help="With --method bayesian: perks, jeffreys, uniform, or imagined items in each cell.",
)  # fmt: skip
@click.option("--score", "scores", multiple=True, metavar="COLUMN",
              help="Column of scores of the positive class, or NAME=COLUMN,… of each class; repeatable.")  # fmt: skip
@click.option("--threshold", type=float, metavar="NUMBER",
              help="Without --pred: smallest score that is positive (0.5 if all scores are in 0–1).")  # fmt: skip
@click.option("--matrix", "matrix", metavar="FILE", help="Confusion matrix instead of labels (CSV, TSV, JSON, NPY).")
@OUT
@TITLE
@with_options(*REQUIRE, BASELINE)
@click.option("--margin", type=float, metavar="NUMBER",
              help="With --baseline: largest loss that does not matter (test of non-inferiority).")  # fmt: skip
@POOL
@MEMORY
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/report.md), and no report.")
def evaluate(
    files: tuple[str, ...], true: str | None, systems: tuple[str, ...], id: str | None, format: str | None,
    weight: str | None,
    count: str | None, by: tuple[str, ...],
    group: str | None, labels: str | None, positive: str | None, missing: str, measures: tuple[str, ...],
    confidence: float, method: str, prior: str, replicates: int, seed: int, undefined: str, scores: tuple[str, ...],
    threshold: float | None, matrix: str | None,
    out: tuple[str, ...], title: str | None, no_report: bool, required: tuple[str, ...], confident: bool,
    baseline: str | None, margin: float | None, pool: bool, memory_limit: str | None, tests: bool, full: bool,
    as_json: bool, table: str | None, na_values: tuple[str, ...],
) -> None:  # fmt: skip
    """Evaluate the predictions in FILE.

    FILE… are CSV, JSON lines, Parquet or Arrow files, also compressed, folders of Parquet files, Excel sheets
    (file.xlsx::NAME), or tables of SQLite or DuckDB (file.db::NAME); - is standard input. Prints a scorecard with
    confidence intervals, chance levels and warnings, and writes a report into the current folder. Columns are guessed
    where their names are obvious (label, y_true, gold …; pred, prediction …).
    """
    inputs = paths_of(files) or (str(matrix),)
    _check_files(files, matrix, inputs, out, baseline)
    data = data_of(files, id)
    check_requirements(required, confident, baseline, margin, out)
    if margin is not None and baseline is None:
        raise InputError(
            "--margin needs --baseline", argument="margin", advice="it is the largest loss that does not matter"
        )
    options: MeasureOptions = {
        "measures": split_names(measures), "confidence": confidence, "method": method, "replicates": replicates,
        "prior": _as_prior(prior), "seed": seed, "undefined": as_policy(undefined),
    }  # fmt: skip
    reading: TypedColumns = {
        "y_true": true, "y_pred": columns_of(systems, data), "id": id, "sample_weight": weight, "by": by or None,
        "groups": group, "count": count, "format": format, "positive": positive, "labels": as_labels(labels),
        "missing": missing, "pool": pool, "table": table, "na_values": typed_spellings(na_values),
    }  # fmt: skip
    if matrix is not None:
        _refuse_with_matrix(reading, {"--score": scores, "--threshold": threshold, "--baseline": baseline})
    with progress("counting") as tick:
        if matrix is not None:
            result = _of_matrix(matrix, reading, options, tick)
        else:
            result = measured(
                data, **reading, **options, y_score=from_typed(scores) or None, threshold=threshold, tests=tests,
                memory_limit=memory_limit, progress=tick,
            )  # fmt: skip
    against = None
    if baseline is not None:
        role = Role(true, systems, scores if not systems else (), weight, group, count)
        about: BaselineOptions = {
            "positive": positive or result.source.positive, "labels": as_labels(labels),
            "measures": split_names(measures),
            "confidence": confidence, "replicates": replicates, "seed": seed, "undefined": as_policy(undefined),
            "missing": missing, "pool": pool, "margin": margin, "format": format, "memory_limit": memory_limit,
            "table": table, "na_values": typed_spellings(na_values),
        }  # fmt: skip
        against = _against(baseline, data, files, result, role, id, about)
    result = gated(result, required, confident, against)
    written = _write(result, out, inputs, title, wanted=not (no_report or as_json))
    if as_json:
        from goodmeasure.report.formats.json_data import as_data

        print_json(as_data(result))
    else:
        show(result, written, full=full)
    end(result.gate, quiet=as_json)


def _check_files(
    files: tuple[str, ...], matrix: str | None, inputs: tuple[str, ...], out: tuple[str, ...], baseline: str | None
) -> None:
    """Refuse files that do not go together, and reports of an unknown kind, now and not after the work."""
    from goodmeasure.report.formats import format_of

    if bool(files) == (matrix is not None):
        raise InputError(
            "FILE and --matrix were both given" if files else "neither FILE nor --matrix was given", argument="files",
            advice="name files of predictions, or a matrix with --matrix; see goodmeasure evaluate --help",
            got=files,
        )  # fmt: skip
    for path in out:
        format_of(path)
    refuse_overwriting(out, (*inputs, *([] if baseline is None else [baseline])))


def _against(
    baseline: str, data: object, files: tuple[str, ...], result: Result, role: Role, id: str | None,
    about: BaselineOptions,
) -> Gate:  # fmt: skip
    """Return the outcome of the comparison with a baseline, which is one of the runs or a separate file."""
    if isinstance(data, dict):
        of_run = columns_of(role.systems, with_baseline_run(data, baseline)[0])
        return baseline_run(data, baseline, id, role, of_run, about, multilabel=not result.rivals)
    return baseline_gate(files, baseline, result.systems, role, about)


def _as_prior(text: str) -> float | str:
    """Return the name of a prior, or a number."""
    try:
        return float(text)
    except ValueError:
        return text


def _refuse_with_matrix(reading: Mapping[str, object], others: Mapping[str, object]) -> None:
    """Refuse options about items, which a confusion matrix no longer has."""
    columns = {"--true": "y_true", "--pred": "y_pred", "--id": "id", "--format": "format", "--weight": "sample_weight",
               "--by": "by", "--group": "groups", "--count": "count", "--table": "table",
               "--na": "na_values"}  # fmt: skip
    given = {**{option: reading[name] for option, name in columns.items()}, **others}
    if reading["missing"] != "error":
        given["--missing"] = reading["missing"]
    for option, value in given.items():
        if value is not None and value != ():
            raise InputError(
                "{option} needs files of labels",
                option=option,
                advice="a confusion matrix no longer holds single items",
            )


def _of_matrix(path: str, columns: TypedColumns, options: MeasureOptions, tick: Progress | None) -> Result:
    from goodmeasure.counts.readers.files.matrix_files import read_matrix_file

    matrix = read_matrix_file(path)
    typed = {str(label): label for label in matrix.labels}  # labels in a JSON file may be numbers
    labels: Sequence[Label] | None = columns["labels"]
    positive: Label = columns["positive"]
    if columns["labels"] is not None and set(columns["labels"]) <= set(typed):
        labels = [typed[x] for x in columns["labels"]]
    if columns["positive"] is not None and columns["positive"] not in (labels or ()):
        positive = typed.get(columns["positive"], columns["positive"])
    name = "matrix" if path == "-" else Path(path).stem
    found = measured({name: matrix}, labels=labels, positive=positive, **options, progress=tick)
    return found.from_files(path)


def _write(
    result: Result, out: tuple[str, ...], files: tuple[str, ...], title: str | None, *, wanted: bool
) -> list[str]:
    """Write the files that were asked for; otherwise write a report into the current folder, if that is possible."""
    if out:
        result.save(*out, title=title)
    if out or not wanted:
        return list(out)
    first = "predictions" if files[0] == "-" else Path(files[0]).name.split(".")[0].strip("*? ") or "predictions"
    path = f"{first}{_SUFFIX}"
    try:
        refuse_overwriting([path], files)
        result.save(path, title=title)
    except (OSError, ValueError) as error:
        click.echo(f"note: no report was written ({said(error)}): name a place with --out", err=True)
        return []
    return [os.fspath(path)]
