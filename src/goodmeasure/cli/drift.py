"""`goodmeasure drift BEFORE AFTER`: what changed between two periods."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from goodmeasure.cli.options import (
    COLUMNS,
    DRAWS,
    MEASURES,
    MEMORY,
    as_labels,
    as_policy,
    declared,
    split_names,
    with_options,
)
from goodmeasure.cli.printing import print_json
from goodmeasure.options import typed_spellings
from goodmeasure.progress import progress

if TYPE_CHECKING:
    from goodmeasure.cli.options import AddsOption

_HERE = ("true", "weight", "group", "labels", "positive", "missing")  # the options of COLUMNS that make sense here


def _named(option: AddsOption) -> str:
    """Return the name of an option that a decorator adds."""
    return str(option(click.Command("")).params[0].name)


@click.command()
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@with_options(*(x for x in COLUMNS if _named(x) in _HERE))
@click.option("--pred", "system", metavar="COLUMN", help="Column of predicted labels.")
@with_options(*declared("drift"), MEASURES, *DRAWS)
@MEMORY
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/streams.md).")
def drift(
    before: str, after: str, true: str | None, system: str | None, weight: str | None, group: str | None,
    labels: str | None, positive: str | None, missing: str, measures: tuple[str, ...], confidence: float,
    replicates: int, seed: int, undefined: str, memory_limit: str | None, as_json: bool, table: str | None,
    na_values: tuple[str, ...],
) -> None:  # fmt: skip
    """Say what changed between two periods.

    BEFORE and AFTER are files of predictions on different items (the formats are those of evaluate). Prints whether the
    class shares, the predicted shares and the recalls changed, and the change of every measure with a confidence
    interval.
    """
    from goodmeasure.comparison.drift import drift as drifted
    from goodmeasure.evaluation.evaluate import evaluate

    with progress("counting"):
        periods = [
            evaluate(
                [Path(x)], system, y_true=true, sample_weight=weight, groups=group, labels=as_labels(labels),
                positive=positive, missing=missing, memory_limit=memory_limit, measures=["accuracy"], classwise=False,
                confidence=None, table=table, na_values=typed_spellings(na_values),
            )
            for x in (before, after)
        ]  # fmt: skip
        found = drifted(
            *periods, measures=split_names(measures), confidence=confidence, seed=seed, replicates=replicates,
            undefined=as_policy(undefined),
        )  # fmt: skip
    if as_json:
        print_json(found.as_dict())
    else:
        click.echo(repr(found))
