"""`goodmeasure plan`: how many items an interval of a given width, or a test of a given power, needs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Unpack

import click

from goodmeasure.cli.options import declared, with_options
from goodmeasure.cli.printing import print_json
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import InputError
from goodmeasure.options import PlanCommandOptions
from goodmeasure.progress import progress
from goodmeasure.typing import DataLike


@click.command()
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--matrix", "counts", multiple=True, metavar="MATRIX",
              help='Confusion matrix instead of a pilot: a file, or "50 3; 4 20"; up to two.')  # fmt: skip
@with_options(*declared(PlanCommandOptions))
@click.option("--json", "as_json", is_flag=True, help="Output as JSON (docs/planning.md).")
def plan(files: tuple[str, ...], counts: tuple[str, ...], as_json: bool, **options: Unpack[PlanCommandOptions]) -> None:
    """Plan how many items a test set needs.

    Prints how many items a confidence interval of a given width needs, or a test that is to find a difference between
    two systems with a given power. What is assumed about the systems comes from a pilot study (FILE…, with the formats
    of evaluate), from confusion matrices, or from rates of two classes.
    """
    from goodmeasure.comparison.planning.plan import plan as planned

    if files and counts:
        raise InputError(
            "FILE and --matrix were both given",
            argument="matrix",
            got=counts,
            advice="name files of a pilot, or matrices with --matrix",
        )
    data: DataLike = [Path(x) for x in files] if files else _read(counts) if counts else None
    with progress("simulating"):
        found = planned(data, **options)
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(repr(found))


def _read(texts: tuple[str, ...]) -> dict[str, ConfusionMatrix]:
    """Return the matrices by name, from files or as they were typed."""
    from goodmeasure.counts.readers.files.matrix_files import read_matrix, read_matrix_file

    names = ["system"] if len(texts) == 1 else [chr(ord("A") + k) for k in range(len(texts))]
    read = [read_matrix_file(x) if os.path.exists(x) else read_matrix(x) for x in texts]
    return dict(zip(names, read, strict=True))
