"""`goodmeasure atlas`: show the stored verdicts as a table, or build them again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from goodmeasure.cli.printing import print_json, print_wide_table
from goodmeasure.theory.statements.verdict import HELD, LEGEND, PROVED, REFUTED, SIGNS, VACUOUS

if TYPE_CHECKING:
    from goodmeasure.theory.atlas.atlas import Atlas

STORED = (PROVED, REFUTED, HELD, VACUOUS)  # the statuses that occur in the atlas


@click.command()
@click.argument("measure", required=False)
@click.option("--property", "-p", "properties", help="Property to show.")
@click.option("--classes", type=int, help="Number of classes: 2 or 3.")
@click.option("--domain", help="Domain of the verdicts: all or regular.")
@click.option("--status", type=click.Choice(STORED), help="Kind of verdicts to show.")
@click.option("--paper", type=click.Choice(["goesgens", "sebastiani", "opitz"]), help="Paper whose properties to show.")
@click.option("--json", "as_json", is_flag=True, help="Output as JSON, with witnesses and certificates.")
@click.option("--rebuild", is_flag=True, help="Recompute all verdicts; an interrupted run is resumed.")
@click.option(
    "--only",
    multiple=True,
    metavar="MEASURE",
    help="With --rebuild: measure to recompute, keeping all other verdicts; repeatable.",
)
@click.option("--proofs", is_flag=True, help="With --rebuild: keep stored counterexamples, if they stand.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="With --rebuild: file to write.")
@click.option("--processes", type=click.IntRange(min=1), help="With --rebuild: number of processes.")
@click.option(
    "--export",
    type=(click.Choice(["coq", "smt"]), click.Path(file_okay=False, path_type=Path)),
    metavar="FORMAT FOLDER",
    help="Write the verdicts as theorems (coq), or the signs that proofs rest on as questions (smt).",
)
def atlas(
    measure: str | None,
    properties: str | None,
    classes: int | None,
    domain: str | None,
    status: str | None,
    paper: str | None,
    as_json: bool,
    rebuild: bool,
    only: tuple[str, ...],
    proofs: bool,
    output: Path | None,
    processes: int | None,
    export: tuple[str, Path] | None,
) -> None:
    """Show what is known about MEASURE, or about all measures.

    ✓ proved for every n; ✗ refuted, with the n of a counterexample; ? held up to n, without a proof;
    ∅ vacuous: it says nothing about any matrix of the domain.
    """
    if rebuild:
        _rebuild(output, processes, only, proofs)
        return
    from goodmeasure.theory.atlas.atlas import Atlas
    from goodmeasure.theory.atlas.atlas import atlas as stored

    found = stored(measure, properties, classes=classes, domain=domain, status=status)
    if export is not None:
        _export(found, *export)
        return
    if paper is not None:
        from goodmeasure.theory.statements.lookup import statement

        found = Atlas([x for x in found.whole_cells() if statement(x["property"]).cite.startswith(paper)])
    if as_json:
        print_json(found.to_dict())
        return
    if not len(found):
        click.echo("the atlas holds no such verdict: `goodmeasure check NAME` decides what is not stored")
        return
    columns, rows = found.table()
    (_show_one if len(found.measures) == 1 else _show_many)(columns, rows)
    counts = found.counts
    shown = [x for x in STORED if x != VACUOUS or counts[x]]
    click.echo("   ".join(f"{SIGNS[x]} {LEGEND[x]}: {counts[x]}" for x in shown))


def _show_one(columns: list[str], rows: list[list[str]]) -> None:
    """Print one measure: a line for each property, a column for each number of classes and domain."""
    heads = [_about(row) for row in rows]
    lines = [[name, *(row[k] for row in rows)] for k, name in enumerate(columns) if k > 2]
    print_wide_table([rows[0][0], *heads], [x for x in lines if any(x[1:])])


def _show_many(columns: list[str], rows: list[list[str]]) -> None:
    """Print many measures: a table for each number of classes and domain."""
    for about in dict.fromkeys(map(_about, rows)):
        part = [row for row in rows if _about(row) == about]
        kept = [0, *(k for k in range(3, len(columns)) if any(row[k] for row in part))]
        click.echo(f"{about}\n")
        print_wide_table([columns[k] for k in kept], [[row[k] for k in kept] for row in part])
        click.echo("")


def _about(row: list[str]) -> str:
    return f"{row[1]} classes, {row[2]}"


def _export(found: Atlas, form: str, folder: Path) -> None:
    """Write what is known for another program, and say how much of it."""
    if form == "coq":
        from goodmeasure.theory.proofs.coq_export import export, table

        print_wide_table(*table(export(found, folder)))
        click.echo("\nOf the cells of the atlas, so many are theorems: coq/README.md says how Coq checks them.")
        return
    from goodmeasure.theory.proofs.smt import export as export_questions

    click.echo(f"wrote {export_questions(found, folder)} questions; a solver answers each with unsat")


def _rebuild(output: Path | None, processes: int | None, only: tuple[str, ...], proofs: bool) -> None:
    """Build the atlas, or decide only the verdicts of some measures and keep all others."""
    from goodmeasure.catalogue.names import measure
    from goodmeasure.counts.kernel.tally import cores
    from goodmeasure.packages import rich
    from goodmeasure.theory.atlas.atlas import home, stored
    from goodmeasure.theory.atlas.building import AtlasTask, build

    where, names = output or home(), {measure(x).name for x in only}
    of = rich.progress
    bar = of.Progress(
        of.TextColumn("{task.description}"), of.BarColumn(), of.MofNCompleteColumn(), of.TimeElapsedColumn(),
        console=rich.console.Console(stderr=True),
    )  # fmt: skip
    with bar:
        shown = bar.add_task("atlas", total=None)

        def said(done: int, total: int, task: AtlasTask | None) -> None:
            about = "" if task is None else f"{task.measure}, {task.classes} classes, {task.domain}"
            bar.update(shown, completed=done, total=total, description=about[:50].ljust(50))

        seconds = build(
            where,
            processes=processes or min(2, cores()),
            said=said,
            only=(lambda task: task.measure in names) if names else None,
            keep=stored() if names else None,
            proofs=proofs,
        )
    click.echo(f"wrote {where.name}: {where.stat().st_size / 1e6:.2f} MB in {seconds:.0f} s")
