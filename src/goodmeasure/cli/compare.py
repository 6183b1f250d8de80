"""`goodmeasure compare FILE…`: compare several systems on the same items and test their differences."""

from __future__ import annotations

import json
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
    as_labels,
    as_policy,
    declared,
    refuse_overwriting,
    split_names,
    with_options,
)
from goodmeasure.cli.printing import print_json, show
from goodmeasure.cli.requirements import (
    REQUIRE,
    baseline_outcomes,
    check_baseline,
    check_requirements,
    end,
    gated,
    is_baseline_file,
    refuse_standard_input,
    with_baseline_run,
)
from goodmeasure.cli.runs import columns_of, data_of, paths_of
from goodmeasure.comparison.settings import CORRECTIONS, METHODS, SYSTEMS
from goodmeasure.exceptions import InputError, UnknownName
from goodmeasure.options import typed_spellings
from goodmeasure.progress import progress

if TYPE_CHECKING:
    from goodmeasure.comparison.baseline_files import BaselineOptions
    from goodmeasure.comparison.compare import CompareOptions
    from goodmeasure.comparison.comparison import Comparison


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_options(*COLUMNS, *declared("compare"), MEASURES, *DRAWS)
@click.option("--score", "scores", multiple=True, metavar="COLUMN",
              help="Column of scores, compared instead of labels, or NAME=COLUMN,… of each class.")  # fmt: skip
@click.option("--threshold", type=float, metavar="NUMBER",
              help="With --score: smallest score that is positive, for measures of labels.")  # fmt: skip
@click.option("--ensemble", multiple=True, help="Measures whose mean is a score of its own; by default all.")
@click.option(
    "--pairs", default="auto", show_default=True, metavar="PAIRS",
    help="Differences to show: all, best (against the best), the name of a system, or auto.",
)  # fmt: skip
@click.option(
    "--method", type=click.Choice(METHODS), default="auto", show_default=True, help="Test of the differences."
)
@click.option(
    "--correct", type=click.Choice(CORRECTIONS), default=SYSTEMS, show_default=True,
    help="What p-values are corrected over: the pairs of systems, or all pairs, measures and slices.",
)  # fmt: skip
@click.option(
    "--margin", type=float, metavar="NUMBER",
    help="Largest difference that does not matter: adds tests of non-inferiority and equivalence.",
)  # fmt: skip
@OUT
@TITLE
@with_options(*REQUIRE)
@click.option("--baseline", metavar="SYSTEM",
              help="System that no other may be significantly worse than, or a file of earlier predictions on the same "
              "items: status 1 if one is worse.")  # fmt: skip
@POOL
@MEMORY
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/comparison.md).")
def compare(
    files: tuple[str, ...], true: str | None, systems: tuple[str, ...], id: str | None, format: str | None,
    weight: str | None,
    count: str | None, by: tuple[str, ...],
    group: str | None, labels: str | None, positive: str | None, missing: str, measures: tuple[str, ...],
    confidence: float, replicates: int, seed: int, undefined: str, scores: tuple[str, ...], threshold: float | None,
    ensemble: tuple[str, ...], pairs: str, method: str,
    correct: str, margin: float | None, out: tuple[str, ...], no_report: bool, title: str | None,
    required: tuple[str, ...], confident: bool,
    baseline: str | None, pool: bool, memory_limit: str | None, full: bool, as_json: bool, table: str | None,
    na_values: tuple[str, ...],
) -> None:  # fmt: skip
    """Compare several systems on the same items.

    The predictions of each system are a column of FILE… (the formats are those of evaluate). Prints scores with ranks,
    paired differences with confidence intervals and p-values, and which differences are significant. Columns are
    guessed where their names are obvious (label, y_true, gold …; pred_a, pred_b …).

    If each system has a file of its own, name the files, and --id joins them by the ids of their items:

    \b
      goodmeasure compare A=a.jsonl B=b.jsonl --id item --pred answer
    """
    from goodmeasure.comparison.baseline_files import Role, compare_with_file
    from goodmeasure.evaluation.column_names import from_typed

    _refuse_early(files, out, systems, scores)
    check_requirements(required, confident, baseline, margin, out)
    data, base = data_of(files, id), baseline
    if baseline is not None and isinstance(data, dict):
        data, base = with_baseline_run(data, baseline)
    options: BaselineOptions = {
        "format": format, "labels": as_labels(labels), "positive": positive, "missing": missing,
        "measures": split_names(measures), "ensemble": split_names(ensemble, "--ensemble"), "confidence": confidence,
        "replicates": replicates, "seed": seed, "method": method, "undefined": as_policy(undefined),
        "memory_limit": memory_limit, "pool": pool, "correct": correct, "margin": margin, "threshold": threshold,
        "table": table, "na_values": typed_spellings(na_values),
    }  # fmt: skip
    found: Comparison
    with progress("comparing") as tick:
        options["progress"] = tick
        if (
            baseline is not None
            and not isinstance(data, dict)
            and is_baseline_file(baseline, files, (*systems, *scores))
        ):
            refuse_standard_input(*files)
            role = Role(true, systems, scores, weight, group, count, by)
            beside = compare_with_file(files, baseline, role, **options)
            found, base = beside, beside.settings.pairs
        else:
            found = _compared(data, columns_of(systems, data), base, {
                **options, "id": id, "y_true": true, "sample_weight": weight, "by": by or None, "groups": group,
                "pairs": pairs if base is None else base, "y_score": from_typed(scores) or None, "count": count,
            })  # fmt: skip
    against = None if base is None else baseline_outcomes(found, base, split_names(measures))
    found = gated(found, required, confident, against)
    if out:
        found.save(*out, title=title)
    if as_json:
        print_json(json.loads(found.to_json()))
    else:
        show(found, full=full)
        for path in out:
            click.echo(f"written: {path}")
    end(found.gate, quiet=as_json)


def _refuse_early(
    files: tuple[str, ...], out: tuple[str, ...], systems: tuple[str, ...], scores: tuple[str, ...]
) -> None:
    """Refuse what cannot be written, or compared, before the work instead of after it."""
    from goodmeasure.report.formats import format_of

    for path in out:
        format_of(path)
    refuse_overwriting(out, paths_of(files))
    if scores and systems:
        raise InputError(
            "--score and --pred were both given", argument="y_score", advice="compare scores or labels, one at a time"
        )


def _compared(data: object, columns: object, baseline: str | None, options: CompareOptions) -> Comparison:
    """Compare what is in files, or in runs; a baseline that is not one of the systems has an error of its own."""
    from goodmeasure.comparison.compare import compare as compared

    try:
        return compared(data, columns, **options)
    except UnknownName as error:
        if baseline is not None and error.name == baseline:
            check_baseline(baseline, error.suggestions)
        raise
