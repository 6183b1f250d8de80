"""`goodmeasure drift BEFORE AFTER`: what changed between two periods, or since all earlier ones."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from goodmeasure.cli.options import declared, with_options
from goodmeasure.cli.printing import print_json
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import only
from goodmeasure.options import DriftCommandOptions, DriftOptions, PeriodOptions
from goodmeasure.progress import progress


@click.command()
@click.argument("files", metavar="[BEFORE] AFTER", nargs=-1, required=True)
@click.option(
    "--history", metavar="DIR",
    help="Folder of all earlier results, in the order of their names: predictions, or JSON from evaluate --json.",
)  # fmt: skip
@with_options(*declared(DriftCommandOptions))
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/streams.md).")
def drift(files: tuple[str, ...], history: str | None, as_json: bool, **options: Unpack[DriftCommandOptions]) -> None:
    """Say what changed between two periods, or since all earlier ones.

    BEFORE and AFTER are files of predictions on different items (the formats are those of evaluate). Prints whether the
    class shares, the predicted shares and the recalls changed, and the change of every measure with a confidence
    interval.

    With --history, AFTER is the latest file, as in a job that runs every night. The tests are then valid however often
    one looks, and the exit status is 1 if there is an alarm.
    """
    from goodmeasure.comparison.drift import drift as drifted

    if len(files) != (2 if history is None else 1):
        raise InputError(
            "{files} names {many} files", many=len(files),
            advice="name BEFORE and AFTER, or AFTER and --history DIR",
        )  # fmt: skip
    earlier = None if history is None else _files_in(history, files[-1])
    with progress("counting"):
        given = [_period(x, options) for x in earlier or files[:-1]]
        latest = _period(files[-1], options)
        asked: DriftOptions = {**only(options, DriftOptions), "sequential": earlier is not None}
        found = drifted(given if earlier is not None else given[0], latest, **asked)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(repr(found))
    if earlier is not None and found.drifted:
        click.get_current_context().exit(1)


def _files_in(folder: str, latest: str) -> list[str]:
    """Return the files of a folder in the order of their names, without the latest one and hidden ones."""
    if not Path(folder).is_dir():
        raise InputError("{history} is {folder}", folder=folder, expected="a folder")
    found = sorted(x for x in Path(folder).iterdir() if x.is_file() and not x.name.startswith("."))
    kept = [str(x) for x in found if x.resolve() != Path(latest).resolve()]
    if not kept:
        raise InputError(
            "{history} {folder} holds no earlier result", folder=folder,
            advice="the first result is only kept, and compared from the second on",
        )  # fmt: skip
    return kept


def _period(file: str, options: DriftCommandOptions) -> object:
    """Return the counts of one file: of predictions, or what --json wrote about them."""
    from goodmeasure.evaluation.evaluate import evaluate
    from goodmeasure.evaluation.one_sample import is_written, stored

    if is_written(file):
        return stored(Path(file), "history")
    return evaluate(
        [Path(file)], **only(options, PeriodOptions), measures=["accuracy"], classwise=False, confidence=None
    )
