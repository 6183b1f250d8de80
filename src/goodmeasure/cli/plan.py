"""`goodmeasure plan`: how many items an interval of a given width, or a test of a given power, needs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from goodmeasure.cli.options import as_policy
from goodmeasure.cli.printing import print_json
from goodmeasure.exceptions import InputError
from goodmeasure.progress import progress

if TYPE_CHECKING:
    from goodmeasure.comparison.planning.plan import PlanOptions


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--true", metavar="COLUMN", help="Column of the true labels of the pilot.")
@click.option("--pred", "systems", multiple=True, metavar="COLUMN",
              help="Column of the labels that a system predicts in the pilot; up to two.")  # fmt: skip
@click.option("--matrix", multiple=True, metavar="MATRIX",
              help='Confusion matrix instead of a pilot: a file, or "50 3; 4 20"; up to two.')  # fmt: skip
@click.option("--prevalence", type=float, metavar="SHARE", help="Share of the positive class, of two classes.")
@click.option("--recall", type=float, multiple=True, metavar="SHARE", help="Assumed recall; twice for two systems.")
@click.option("--specificity", type=float, multiple=True, metavar="SHARE",
              help="Assumed specificity; twice for two systems.")  # fmt: skip
@click.option("--disagreement", type=float, metavar="SHARE",
              help="Share of items for which the two systems predict different classes.")  # fmt: skip
@click.option("--measure", default="mcc", show_default=True, help="Measure to plan for.")
@click.option("--width", type=float, metavar="NUMBER", help="Width of the confidence interval to reach.")
@click.option("--assurance", type=float, metavar="SHARE", help="Share of samples within the width (default: mean).")
@click.option("--difference", type=float, metavar="NUMBER", help="Difference of two systems to detect.")
@click.option("--power", type=float, metavar="SHARE", help="Probability of detecting it; 0.8 by default.")
@click.option("--margin", type=float, metavar="NUMBER", help="Margin of non-inferiority to show.")
@click.option("--equivalence", is_flag=True, help="Equivalence within the margin, instead of non-inferiority.")
@click.option("--items", type=int, metavar="NUMBER", help="Number of items; shows the width or power that they give.")
@click.option("--positive", metavar="LABEL", help="Positive class. With more classes: this class against the rest.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Confidence level.")
@click.option("--method", type=click.Choice(["auto", "exact"]), default="auto", show_default=True,
              help="Test of the difference, as in compare.")  # fmt: skip
@click.option("--simulations", type=click.IntRange(min=2), default=400, show_default=True,
              help="Number of simulated samples.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option("--undefined", default="resolve", show_default=True,
              help="Treatment of zero division: resolve, nan, raise, or a number.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/planning.md).")
def plan(
    files: tuple[str, ...], true: str | None, systems: tuple[str, ...], matrix: tuple[str, ...],
    recall: tuple[float, ...], specificity: tuple[float, ...], undefined: str, as_json: bool,
    **options: Unpack[PlanOptions],
) -> None:  # fmt: skip
    """Plan how many items a test set needs.

    Prints how many items a confidence interval of a given width needs, or a test that is to find a difference between
    two systems with a given power. What is assumed about the systems comes from a pilot study (FILE…, with the formats
    of evaluate), from confusion matrices, or from rates of two classes.
    """
    from goodmeasure.comparison.planning.plan import plan as planned

    if files and matrix:
        raise InputError(
            "FILE and --matrix were both given",
            argument="matrix",
            got=matrix,
            advice="name files of a pilot, or matrices with --matrix",
        )
    data: object = [Path(x) for x in files] if files else _read(matrix) if matrix else None
    with progress("simulating"):
        found = planned(
            data, systems or None, y_true=true, recall=recall or None, specificity=specificity or None,
            undefined=as_policy(undefined), **options,
        )  # fmt: skip
    if as_json:
        print_json(found.as_dict())
    else:
        click.echo(repr(found))


def _read(texts: tuple[str, ...]) -> dict[str, object]:
    """Return the matrices by name, from files or as they were typed."""
    from goodmeasure.counts.readers.files.matrix_files import read_matrix, read_matrix_file

    names = ["system"] if len(texts) == 1 else [chr(ord("A") + k) for k in range(len(texts))]
    read = [read_matrix_file(x) if os.path.exists(x) else read_matrix(x) for x in texts]
    return dict(zip(names, read, strict=True))
