"""`goodmeasure drift BEFORE AFTER`: what changed between two periods."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from goodmeasure.cli.options import declared, with_options
from goodmeasure.cli.printing import print_json
from goodmeasure.keywords import only
from goodmeasure.options import DriftCommandOptions, DriftOptions, PeriodOptions
from goodmeasure.progress import progress


@click.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@with_options(*declared(DriftCommandOptions))
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/streams.md).")
def drift(before: str, after: str, as_json: bool, **options: Unpack[DriftCommandOptions]) -> None:
    """Say what changed between two periods.

    BEFORE and AFTER are files of predictions on different items (the formats are those of evaluate). Prints whether the
    class shares, the predicted shares and the recalls changed, and the change of every measure with a confidence
    interval.
    """
    from goodmeasure.comparison.drift import drift as drifted
    from goodmeasure.evaluation.evaluate import evaluate

    with progress("counting"):
        periods = [
            evaluate([Path(x)], **only(options, PeriodOptions), measures=["accuracy"], classwise=False, confidence=None)
            for x in (before, after)
        ]
        found = drifted(*periods, **only(options, DriftOptions))
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(repr(found))
