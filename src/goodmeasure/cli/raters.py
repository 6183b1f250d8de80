"""`goodmeasure raters FILE`: how far several raters agree."""

from __future__ import annotations

from pathlib import Path

import click

from goodmeasure.cli.options import FULL, OUT, TITLE, refuse_overwriting, with_options
from goodmeasure.cli.printing import show
from goodmeasure.options import split_labels
from goodmeasure.progress import progress


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--item", metavar="COLUMN", help="Column of the item, in a table with a row for each rating.")
@click.option("--rater", metavar="COLUMN", help="Column of the rater, in such a table.")
@click.option("--rating", metavar="COLUMN", help="Column of the rating, in such a table.")
@click.option("--kind", type=click.Choice(["nominal", "ordinal", "interval", "ratio"]), default="nominal",
              show_default=True, help="What the ratings are: names, in order, or numbers.")  # fmt: skip
@click.option("--labels", metavar="TEXT", help="Ratings in order; separated by commas.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level of the intervals.")
@with_options(OUT, TITLE, FULL)
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/raters.md).")
def raters(
    file: str, item: str | None, rater: str | None, rating: str | None, kind: str, labels: str | None,
    confidence: float, out: tuple[str, ...], title: str | None, full: bool, as_json: bool,
) -> None:  # fmt: skip
    """Say how far several raters agree.

    FILE has a row for each item and a column for each rater, empty where there is no rating; or a row for each rating,
    with --item, --rater and --rating. Prints coefficients of agreement with intervals, and each rater.
    """
    from goodmeasure.evaluation.raters.raters import raters as rated

    refuse_overwriting(out, (file,))
    with progress("counting"):
        found = rated(
            file if file == "-" else Path(file), kind, item=item, rater=rater, rating=rating,
            labels=split_labels("labels", labels), confidence=confidence,
        )  # fmt: skip
    if out:
        found.save(*out, title=title)
    if as_json:
        click.echo(found.to_json(), nl=False)
    else:
        show(found, list(out), full=full)
