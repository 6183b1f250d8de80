"""`goodmeasure preferences FILE`: which of two systems people prefer."""

from __future__ import annotations

from pathlib import Path

import click

from goodmeasure.cli.options import FULL, OUT, TITLE, refuse_overwriting, with_options
from goodmeasure.cli.printing import show
from goodmeasure.progress import progress


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--right", metavar="COLUMN", help="Column of the system on the right; by default right.")
@click.option("--winner", metavar="COLUMN", help="Column of the preferred one, left, right or tie; by default winner.")
@click.option("--group", "groups", metavar="COLUMN", help="Column that says who judged.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level of the intervals.")
@with_options(OUT, TITLE, FULL)
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/raters.md).")
def preferences(
    file: str, right: str | None, winner: str | None, groups: str | None, confidence: float, out: tuple[str, ...],
    title: str | None, full: bool, as_json: bool,
) -> None:  # fmt: skip
    """Say which systems people prefer.

    FILE has a row for each comparison: the system on the left (column left), the one on the right, and which of them
    was preferred. Prints win rates with ties, Bradley–Terry strengths, and the bias towards a position.
    """
    from goodmeasure.evaluation.raters.preferences import preferences as preferred

    refuse_overwriting(out, (file,))
    with progress("counting"):
        found = preferred(
            file if file == "-" else Path(file), right, winner, groups=groups, confidence=confidence
        )  # fmt: skip
    if out:
        found.save(*out, title=title)
    if as_json:
        click.echo(found.to_json(), nl=False)
    else:
        show(found, list(out), full=full)
