"""`goodmeasure reproduce TABLE`: what a paper prints beside what is known."""

from __future__ import annotations

from collections.abc import Sequence

import click

from goodmeasure.cli.printing import print_json, print_table


@click.command()
@click.argument("table", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print every cell as JSON.")
@click.option("--witnesses/--no-witnesses", default=True, help="Show why, below the table.")
def reproduce(table: str | None, as_json: bool, witnesses: bool) -> None:
    """Print TABLE of a paper with ours beside theirs (without TABLE: which there are).

    The tables are those of properties: goesgens2021:table2, opitz2024:table5 and sebastiani2015:properties.
    """
    from goodmeasure.properties.papers import TITLES, Printed, compare

    if table is None:
        print_table(["table", "what it is"], [[name, title] for name, (_, title) in TITLES.items()])
        return
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
