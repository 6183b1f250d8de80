"""`goodmeasure judge FILE`: how right a judge is where humans have labelled the same items."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

import click

from goodmeasure.cli.options import FULL, OUT, TITLE, declared, refuse_overwriting, with_options
from goodmeasure.cli.printing import show
from goodmeasure.options import JudgeCommandOptions
from goodmeasure.progress import progress


@click.command()
@click.argument("file", metavar="FILE")
@with_options(*declared(JudgeCommandOptions))
@click.option("--next", "number", type=int, metavar="NUMBER", help="Number of items to label next, to be named.")
@click.option("--seed", type=int, default=0, show_default=True, help="Random seed of the items to label next.")
@with_options(OUT, TITLE, FULL)
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/judges.md).")
def judge(
    file: str, number: int | None, seed: int, out: tuple[str, ...], title: str | None, full: bool, as_json: bool,
    **options: Unpack[JudgeCommandOptions],
) -> None:  # fmt: skip
    """Say how right a judge is, such as a language model.

    FILE has the labels of humans, empty where there is none, and of the judge (the formats are those of evaluate).
    Prints how far they agree, how much more often the judge says a class than humans do, and where they differ most.
    """
    from goodmeasure.evaluation.judges.judge import judge as judged

    refuse_overwriting(out, (file,))
    with progress("counting"):
        found = judged(file if file == "-" else Path(file), **options)
    chosen = None if number is None else found.next_items(number, seed=seed)
    if out:
        found.save(*out, title=title)
    if as_json:
        click.echo(found.to_json(), nl=False)
    else:
        show(found, list(out), full=full)
    if chosen is not None and not as_json:
        click.echo("rows to label next, and the probability with which each was drawn:")
        for k in chosen.items:
            click.echo(f"{k + 1}\t{chosen.sampling[k]:.4g}")
