"""The papers' tables of properties beside what is known."""

from __future__ import annotations

from collections.abc import Sequence

import click

from goodmeasure.cli.printing import print_json, print_table


def titles() -> dict[str, str]:
    """The tables of properties, by name."""
    from goodmeasure.properties.papers import TITLES

    return {name: title for name, (_, title) in TITLES.items()}


def show(table: str, as_json: bool, witnesses: bool = True) -> None:
    """Print a table with ours beside theirs, and the witnesses of what differs."""
    from goodmeasure.properties.papers import TITLES, Printed, compare

    cells = compare(table)
    if as_json:
        print_json([x.to_json() for x in cells])
        return
    click.echo(f"{TITLES[table][1]} ({TITLES[table][0]}): printed | ours, ← where they differ\n")
    columns = list(dict.fromkeys(x.column for x in cells))
    rows: dict[str, dict[str, Printed]] = {}
    for cell in cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    print_table(["", *columns], [[row, *(_text(found.get(x)) for x in columns)] for row, found in rows.items()])
    different = [x for x in cells if not x.agrees]
    click.echo(f"{len(cells)} printed cells: {len(cells) - len(different)} agree, {len(different)} differ")
    if witnesses:
        _explain(different)


def _text(cell: object) -> str:
    from goodmeasure.properties.papers import Printed

    if not isinstance(cell, Printed):
        return ""
    return f"{cell.printed} | {cell.ours}{'' if cell.agrees else ' ←'}"


def _explain(different: Sequence[object]) -> None:
    from goodmeasure.properties.papers import Printed

    for cell in different:
        assert isinstance(cell, Printed)
        scope = f" ({cell.remark})" if cell.remark else ""
        click.echo(f"\n{cell.row}, {cell.column}: printed {cell.printed}{scope}")
        for about, known in cell.evidence:
            witness = getattr(known, "witness", None)
            if witness is not None:
                click.echo(f"  {about}: {witness.says}\n    >>> {witness.replay}\n    False")
            else:
                click.echo(f"  {about}: {known}")
