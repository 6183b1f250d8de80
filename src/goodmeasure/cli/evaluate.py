"""`goodmeasure evaluate FILE…`: from predictions in files to a scorecard and a report."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

import click
from click.core import ParameterSource

from goodmeasure.cli.options import FULL, NO_REPORT, OUT, TITLE, declared, refuse_overwriting, said, with_options
from goodmeasure.cli.printing import print_json, show
from goodmeasure.cli.requirements import (
    BASELINE,
    REQUIRE,
    baseline_gate,
    baseline_run,
    check_requirements,
    end,
    gated,
)
from goodmeasure.cli.runs import columns_of, data_of, paths_of
from goodmeasure.evaluation.evaluate import evaluate as measured
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import complete, only, options_of
from goodmeasure.options import (
    CompareCommandOptions,
    DifferenceOptions,
    EvaluateCommandOptions,
    OutcomeOptions,
    PairedOptions,
    PredictionOptions,
    ReadingOptions,
    ScoreOptions,
    ScoringOptions,
    ThresholdOptions,
)
from goodmeasure.progress import progress
from goodmeasure.typing import Label

if TYPE_CHECKING:
    from goodmeasure.evaluation.requirements.gate import Gate
    from goodmeasure.evaluation.result import Result

_SUFFIX = ".report.html"


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...")
@with_options(*declared(EvaluateCommandOptions))
@click.option("--matrix", "counts", metavar="FILE", help="Confusion matrix instead of labels (CSV, TSV, JSON, NPY).")
@with_options(OUT, TITLE, NO_REPORT, *REQUIRE, BASELINE, FULL)
@with_options(
    *declared(
        PairedOptions, only=["margin"], margin="With --baseline: largest loss that does not matter (non-inferiority)."
    )
)
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/report.md), and no report.")
def evaluate(
    files: tuple[str, ...], counts: str | None, out: tuple[str, ...], title: str | None, no_report: bool,
    requirements: tuple[str, ...], confident: bool, baseline: str | None, full: bool, margin: float | None,
    as_json: bool, **options: Unpack[EvaluateCommandOptions],
) -> None:  # fmt: skip
    """Evaluate the predictions in FILE.

    FILE… are CSV, JSON lines, Parquet or Arrow files, also compressed, folders of Parquet files, Excel sheets
    (file.xlsx::NAME), or tables of SQLite or DuckDB (file.db::NAME); - is standard input. Prints a scorecard with
    confidence intervals, chance levels and warnings, and writes a report into the current folder. Columns are guessed
    where their names are obvious (label, y_true, gold …; pred, prediction …).
    """
    inputs = paths_of(files) or (str(counts),)
    _check_files(files, counts, inputs, out, baseline)
    data = data_of(files, options["id"])
    check_requirements(requirements, confident, baseline, out)
    if margin is not None and baseline is None:
        raise InputError(
            "--margin needs --baseline", argument="margin", advice="it is the largest loss that does not matter"
        )
    typed, outcomes = options["y_pred"], options["y_correct"]
    with progress("counting") as options["progress"]:
        if counts is not None:
            _without_settings(options)
            _refuse_with_matrix({**options, "baseline": baseline})
            result = _of_matrix(counts, options)
        else:
            options["y_pred"], options["y_correct"] = columns_of(typed, data), columns_of(outcomes, data)
            result = measured(data, **options)
    against = None
    if baseline is not None:
        about = complete(CompareCommandOptions, {
            **only(options, ReadingOptions), **only(options, DifferenceOptions), "y_pred": typed, "by": None,
            "y_score": None if typed else options["y_score"], "y_correct": outcomes, "repeat": options["repeat"],
            "margin": margin,
            "positive": options["positive"] or result.source.positive,
        })  # fmt: skip
        against = _against(baseline, data, files, result, about)
    result = gated(result, requirements, confident, against)
    written = _write(result, out, inputs, title, wanted=not (no_report or as_json))
    if as_json:
        print_json(result.to_dict())
    else:
        show(result, written, full=full)
    end(result.gate, quiet=as_json)


def _check_files(
    files: tuple[str, ...], counts: str | None, inputs: tuple[str, ...], out: tuple[str, ...], baseline: str | None
) -> None:
    """Refuse files that do not go together, and reports of an unknown kind, now and not after the work."""
    from goodmeasure.report.formats import format_of

    if bool(files) == (counts is not None):
        raise InputError(
            "FILE and --matrix were both given" if files else "neither FILE nor --matrix was given", argument="files",
            advice="name files of predictions, or a matrix with --matrix; see goodmeasure evaluate --help",
            got=files,
        )  # fmt: skip
    for path in out:
        format_of(path)
    refuse_overwriting(out, (*inputs, *([] if baseline is None else [baseline])))


def _against(
    baseline: str, data: object, files: tuple[str, ...], result: Result, options: CompareCommandOptions
) -> Gate:
    """Return the outcome of the comparison with a baseline, which is one of the runs or a separate file."""
    if isinstance(data, dict):
        return baseline_run(data, baseline, options, multilabel=not result.competing)
    return baseline_gate(files, baseline, result.systems, options)


def _without_settings(options: EvaluateCommandOptions) -> None:
    """Take back what the project's settings say of files of labels, where a matrix was given."""
    context, declared = click.get_current_context(), options_of(EvaluateCommandOptions)
    for name in options:
        if context.get_parameter_source(name) is ParameterSource.DEFAULT_MAP and name not in options_of(ScoringOptions):
            cast("dict[str, object]", options)[name] = declared[name].default


def _refuse_with_matrix(options: Mapping[str, object]) -> None:
    """Refuse options about items, which a confusion matrix no longer has."""
    known = options_of(PredictionOptions, ReadingOptions, ScoreOptions, OutcomeOptions, ThresholdOptions).values()
    about_items = [x for x in known if x.name not in ("labels", "positive", "pool", "memory_limit", "progress")]
    given = [x.name for x in about_items if options[x.name] != x.default]
    given += [] if options["baseline"] is None else ["baseline"]
    if given:
        raise InputError(
            "{argument} needs files of labels",
            argument=given[0],
            advice="a confusion matrix no longer holds single items",
        )


def _of_matrix(path: str, options: EvaluateCommandOptions) -> Result:
    from goodmeasure.counts.readers.files.matrix_files import read_matrix_file

    matrix, labels, positive = read_matrix_file(path), options["labels"], options["positive"]
    typed: dict[Label, Label] = {str(label): label for label in matrix.labels}  # in a JSON file they may be numbers
    if labels is not None and set(labels) <= set(typed):
        labels = [typed[x] for x in labels]
    if positive is not None and positive not in (labels or ()):
        positive = typed.get(positive, positive)
    name = "matrix" if path == "-" else Path(path).stem
    how = only(options, ScoringOptions)
    return measured({name: matrix}, labels=labels, positive=positive, progress=options["progress"], **how).from_files(
        path
    )


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
