"""`goodmeasure sweep FILE…`: measures at every threshold, and the best threshold of each."""

from __future__ import annotations

from typing import Unpack

import click

from goodmeasure.cli.options import OUT, TITLE, declared, refuse_overwriting, with_options
from goodmeasure.cli.printing import print_document, print_json
from goodmeasure.cli.requirements import REQUIRE, check_requirements, end, gated
from goodmeasure.cli.runs import data_of, paths_of
from goodmeasure.options import SampleOptions, SweepCommandOptions


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@with_options(*declared(SweepCommandOptions, SampleOptions))
@click.option("--points", type=click.IntRange(min=4), default=1000, show_default=True,
              help="Number of points beyond which --json thins a curve (not visibly).")  # fmt: skip
@with_options(OUT, TITLE, *REQUIRE)
@click.option("--json", "as_json", is_flag=True, help="Output of best thresholds and curves as JSON.")
def sweep(
    files: tuple[str, ...], points: int, out: tuple[str, ...], title: str | None, requirements: tuple[str, ...],
    confident: bool, as_json: bool, confidence: float, seed: int, **options: Unpack[SweepCommandOptions],
) -> None:  # fmt: skip
    """Measure scores at every threshold.

    An item of FILE… is predicted positive if its score is at least the threshold. Prints the best threshold of each
    measure, with a confidence interval.

    If each system has a file of its own, name the files, and --id joins them by the ids of their items:

    \b
      goodmeasure sweep A=a.csv B=b.csv --id item --true label --score p
    """
    from goodmeasure.evaluation.thresholds.sweep import sweep as swept
    from goodmeasure.report.content.screen import sweep_screen
    from goodmeasure.report.formats import format_of
    from goodmeasure.report.formats.sweep_writer import save_sweeps, sweep_data

    for path in out:
        format_of(path)  # refuses an unknown extension now, not after the work
    refuse_overwriting(out, paths_of(files))
    check_requirements(requirements, confident, None, out)
    found = swept(data_of(files, options["id"]), **options)
    bests = found.bests(confidence, seed)
    found.confidence, found.seed = confidence, seed
    found = gated(found, requirements, confident)
    save_sweeps(found, out, confidence, seed, title)
    if as_json:
        print_json(sweep_data(found, bests, points))
    else:
        print_document(sweep_screen(found, bests, confidence))
        for path in out:
            click.echo(f"written: {path}")
    end(found.gate, quiet=as_json)
