"""`goodmeasure reproduce TABLE`: recompute a table of a paper and compare it with the printed one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from goodmeasure.cli.options import said
from goodmeasure.cli.printing import print_json, print_table
from goodmeasure.exceptions import InputError
from goodmeasure.report.numbers import many

if TYPE_CHECKING:
    from goodmeasure.papers.paper_tables import PaperTable, PrintedCell, Recomputed

_WIDEST = 10  # columns: a table with more is shown as a list of cells


@click.command()
@click.argument("name", required=False, metavar="[TABLE]")
@click.option("--all", "every", is_flag=True, help="All tables and figures.")
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), help="Folder with the authors' data.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write: .html, or .svg for a figure."
)
@click.option("--json", "as_json", is_flag=True, help="Output of every cell as JSON.")
@click.pass_context
def reproduce(
    ctx: click.Context, name: str | None, every: bool, data: Path | None, out: Path | None, as_json: bool
) -> None:
    """Recompute a table of a paper.

    Shows TABLE beside the printed one, with the differences explained. Without TABLE, lists the tables and figures. The
    name of a paper, such as opitz2024, stands for all of its tables, and --all for those of all papers. With --out,
    writes a page, or one figure as a drawing.
    Exit status 1 means that some cell differs for an unknown reason.
    """
    from goodmeasure.papers.paper_tables import tables, wanted

    if name is not None and every:
        raise InputError(
            "TABLE is {got!r}, and --all stands for all", argument="name", got=name, advice="give one of them"
        )
    if name is None and not every:
        _list(tables(), as_json)
        return
    chosen = list(tables().values()) if name is None else wanted(name)
    if data is not None and not data.is_dir():
        raise InputError("{data} {got} is not a folder", expected="the folder with the data", got=data)
    found = _reproduced(chosen, data)
    if out is not None:
        from goodmeasure.papers.drawing import write

        write(out, found)
    if as_json:
        written = [_data(*x) for x in found]
        print_json(written[0] if len(written) == 1 else written)
    else:
        for x, outcome in found:
            _show(x, outcome)
    if any(not cell.why for _, outcome in found for cell in outcome.differing):
        ctx.exit(1)


def _reproduced(chosen: list[PaperTable], data: Path | None) -> list[tuple[PaperTable, Recomputed]]:
    """Return the recomputed tables; of several, those whose data are missing are left out with a note."""
    from goodmeasure.papers.paper_tables import MissingData

    found = []
    for x in chosen:
        try:
            found.append((x, x.reproduced(data)))
        except MissingData as error:
            if len(chosen) == 1:
                raise
            click.echo(f"note: {x.key} is left out: {said(error)}", err=True)
    return found


def _list(known: dict[str, PaperTable], as_json: bool) -> None:
    if as_json:
        print_json([{"table": x.key, "title": x.title, "needs": x.needs} for x in known.values()])
        return
    rows = [[x.key, x.title, x.needs or ""] for x in known.values()]
    print_table(["table", "what it shows", "needs --data with"], rows)


def _data(x: PaperTable, outcome: Recomputed) -> dict[str, object]:
    cells = [cell.to_dict() for cell in outcome.cells]
    printed = sum(cell.printed is not None for cell in outcome.cells)
    return {"table": x.key, "title": x.title, "agree": printed - len(outcome.differing),
            "differ": len(outcome.differing), "cells": cells, "notes": outcome.notes}  # fmt: skip


def _show(x: PaperTable, outcome: Recomputed) -> None:
    click.echo(f"{x.key}: {x.title}. Printed | ours, ← where they differ\n")
    columns = list(dict.fromkeys(cell.column for cell in outcome.cells))
    if len(columns) <= _WIDEST:
        rows: dict[str, dict[str, PrintedCell]] = {}
        for cell in outcome.cells:
            rows.setdefault(cell.row, {})[cell.column] = cell
        print_table(["", *columns], [[row, *(_text(found.get(y)) for y in columns)] for row, found in rows.items()])
    else:
        print_table(["", "", "printed | ours"], [[y.row, y.column, _text(y)] for y in outcome.cells])
    printed = [cell for cell in outcome.cells if cell.printed is not None]
    if printed:
        differ = len(outcome.differing)
        click.echo(f"{many(len(printed), 'printed cell')}: {len(printed) - differ} agree, {differ} differ")
    whys: dict[str, list[str]] = {}
    for cell in outcome.differing:
        whys.setdefault(cell.why or "not explained", []).append(f"{cell.row} {cell.column}")
    for why, where in whys.items():
        click.echo(f"  {', '.join(where)}: {why}")
    for note in outcome.notes:
        click.echo(f"  {note}")
    click.echo()


def _text(cell: PrintedCell | None) -> str:
    return "" if cell is None else cell.text
