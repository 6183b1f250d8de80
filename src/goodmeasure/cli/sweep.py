"""`goodmeasure sweep FILE…`: measures at every threshold, and the best threshold of each."""

from __future__ import annotations

import click

from goodmeasure.cli.options import MEMORY, OUT, POOL, TITLE, declared, refuse_overwriting, split_names, with_options
from goodmeasure.cli.printing import print_document, print_json
from goodmeasure.cli.requirements import REQUIRE, check_requirements, end, gated
from goodmeasure.cli.runs import data_of, paths_of
from goodmeasure.options import typed_spellings


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--true", "true", metavar="COLUMN", help="Column of the true labels.")
@click.option("--score", "scores", multiple=True, metavar="COLUMN", help="Column of scores; repeatable.")
@click.option(
    "--id", metavar="COLUMN", help="Column of the items' ids, which joins runs: A=a.jsonl B=b.jsonl --id item."
)
@click.option("--format", metavar="NAME", help="Preset that reads logs of another program (docs/runs.md).")
@click.option("--weight", metavar="COLUMN", help="Column of the item weights.")
@click.option("--count", metavar="COLUMN", help="Column that says how many items a row stands for.")
@click.option("--by", metavar="COLUMN", help="Column whose values are groups to sweep separately.")
@click.option("--group", metavar="COLUMN", help="Column that says which items belong together (patients, documents).")
@click.option(
    "--positive", metavar="LABEL", help="Positive class. With more than two classes: this class against the rest."
)
@click.option("--missing", type=click.Choice(["error", "drop"]), default="error", show_default=True,
              help="Treatment of items without a score or a true label: refuse, or leave out.")  # fmt: skip
@with_options(*declared("sweep"))
@click.option(
    "--measures",
    multiple=True,
    help="Names of measures, or of a set: recommended, papers, goesgens2021, sebastiani2015, opitz2024, rh-dif2norm, "
    "all; repeatable, or with commas.",
)
@click.option("--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
              show_default=True, help="Confidence level of the intervals.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Random seed.")
@click.option("--points", type=click.IntRange(min=4), default=1000, show_default=True,
              help="Number of points beyond which --json thins a curve (not visibly).")  # fmt: skip
@OUT
@TITLE
@with_options(*REQUIRE)
@POOL
@MEMORY
@click.option("--json", "as_json", is_flag=True, help="Output of best thresholds and curves as JSON.")
def sweep(
    files: tuple[str, ...], true: str | None, scores: tuple[str, ...], id: str | None, format: str | None,
    weight: str | None, count: str | None, by: str | None, group: str | None, positive: str | None, missing: str,
    measures: tuple[str, ...], confidence: float, seed: int, points: int, out: tuple[str, ...], title: str | None,
    required: tuple[str, ...], confident: bool, pool: bool, memory_limit: str | None, as_json: bool, table: str | None,
    na_values: tuple[str, ...],
) -> None:  # fmt: skip
    """Measure scores at every threshold.

    An item of FILE… is predicted positive if its score is at least the threshold. Prints the best threshold of each
    measure, with a confidence interval.

    If each system has a file of its own, name the files, and --id joins them by the ids of their items:

    \b
      goodmeasure sweep A=a.csv B=b.csv --id item --true label --score p
    """
    from goodmeasure.evaluation.column_names import from_typed
    from goodmeasure.evaluation.thresholds.sweep import sweep as swept
    from goodmeasure.report.content.screen import sweep_screen
    from goodmeasure.report.formats import format_of
    from goodmeasure.report.formats.sweep_writer import save_sweeps, sweep_data

    for path in out:
        format_of(path)  # refuses an unknown extension now, not after the work
    refuse_overwriting(out, paths_of(files))
    check_requirements(required, confident, None, None, out)
    data = data_of(files, id)
    found = swept(
        data, y_true=true, y_score=from_typed(scores) or None, sample_weight=weight, by=by, groups=group,
        positive=positive, missing=missing, measures=split_names(measures), pool=pool, count=count, id=id,
        format=format, memory_limit=memory_limit, table=table, na_values=typed_spellings(na_values),
    )  # fmt: skip
    bests = found.bests(confidence, seed)
    found.confidence, found.seed = confidence, seed
    found = gated(found, required, confident)
    save_sweeps(found, out, confidence, seed, title)
    if as_json:
        print_json(sweep_data(found, bests, points))
    else:
        print_document(sweep_screen(found, bests, confidence))
        for path in out:
            click.echo(f"written: {path}")
    end(found.gate, quiet=as_json)
