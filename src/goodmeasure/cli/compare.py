"""`goodmeasure compare FILE…`: compare several systems on the same items and test their differences."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Unpack

import click

from goodmeasure.cli.options import FULL, NO_REPORT, OUT, TITLE, declared, refuse_overwriting, with_options
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
from goodmeasure.exceptions import InputError, UnknownName
from goodmeasure.options import CompareCommandOptions
from goodmeasure.progress import progress
from goodmeasure.typing import DataLike

if TYPE_CHECKING:
    from goodmeasure.comparison.comparison import Comparison


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_options(*declared(CompareCommandOptions))
@with_options(OUT, TITLE, NO_REPORT, *REQUIRE, FULL)
@click.option("--baseline", metavar="SYSTEM",
              help="System that no other may be significantly worse than, or a file of earlier predictions on the same "
              "items: status 1 if one is worse.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/comparison.md).")
def compare(
    files: tuple[str, ...], out: tuple[str, ...], title: str | None,
    no_report: bool,  # noqa: ARG001 - compare writes a report only where --out names one, and takes what evaluate takes
    requirements: tuple[str, ...], confident: bool, full: bool, baseline: str | None, as_json: bool,
    **options: Unpack[CompareCommandOptions],
) -> None:  # fmt: skip
    """Compare several systems on the same items.

    The predictions of each system are a column of FILE… (the formats are those of evaluate). Prints scores with ranks,
    paired differences with confidence intervals and p-values, and which differences are significant. Columns are
    guessed where their names are obvious (label, y_true, gold …; pred_a, pred_b …).

    If each system has a file of its own, name the files, and --id joins them by the ids of their items:

    \b
      goodmeasure compare A=a.jsonl B=b.jsonl --id item --pred answer
    """
    from goodmeasure.comparison.baseline_files import compare_with_file

    systems, scores = options["y_pred"] or (), options["y_score"] or {}
    _refuse_early(files, out, systems, scores)
    check_requirements(requirements, confident, baseline, out)
    data, base = data_of(files, options["id"]), baseline
    if baseline is not None and isinstance(data, dict):
        data, base = with_baseline_run(data, baseline)
    found: Comparison
    with progress("comparing") as options["progress"]:
        columns = [x for listed in scores.values() for x in listed]
        in_file = baseline is not None and not isinstance(data, dict)
        if baseline is not None and in_file and is_baseline_file(baseline, files, (*systems, *columns)):
            refuse_standard_input(*files)
            beside = compare_with_file(files, baseline, options)
            found, base = beside, beside.settings.pairs
        else:
            options["pairs"] = options["pairs"] if base is None else base
            options["y_pred"] = columns_of(options["y_pred"], data)
            options["y_correct"] = columns_of(options["y_correct"], data)
            found = _compared(data, base, options)
    against = None if base is None else baseline_outcomes(found, base, options)
    found = gated(found, requirements, confident, against)
    if out:
        found.save(*out, title=title)
    if as_json:
        print_json(found.to_dict())
    else:
        show(found, full=full)
        for path in out:
            click.echo(f"written: {path}")
    end(found.gate, quiet=as_json)


def _refuse_early(files: Sequence[str], out: Sequence[str], systems: Collection[str], scores: Collection[str]) -> None:
    """Refuse what cannot be written, or compared, before the work instead of after it."""
    from goodmeasure.report.formats import format_of

    for path in out:
        format_of(path)
    refuse_overwriting(out, paths_of(files))
    if scores and systems:
        raise InputError(
            "--score and --pred were both given", argument="y_score", advice="compare scores or labels, one at a time"
        )


def _compared(data: DataLike, baseline: str | None, options: CompareCommandOptions) -> Comparison:
    """Compare what is in files, or in runs; a baseline that is not one of the systems has an error of its own."""
    from goodmeasure.comparison.compare import compare as compared

    try:
        return compared(data, **options)
    except UnknownName as error:
        if baseline is not None and error.name == baseline:
            check_baseline(baseline, error.suggestions)
        raise
