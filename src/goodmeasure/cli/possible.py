"""`goodmeasure possible PROPERTY…`: can a measure have these properties together? And the map of all answers."""

from __future__ import annotations

import click

from goodmeasure.cli.printing import print_json, print_table
from goodmeasure.exceptions import InputError


@click.command()
@click.argument("properties", nargs=-1, metavar="PROPERTY…")
@click.option("--n", type=click.IntRange(min=1), help="Largest number of items: all matrices of 1 … N items jointly.")
@click.option("--sizes", help="Numbers of items of the matrices: 3, or 4,5,6.")
@click.option("--classes", type=int, default=None, help="Number of classes: 2, 3 or 4.  [default: 2]")
@click.option("--domain", default=None, help="Domain: all, non-unary or regular.  [default: all]")
@click.option("--map", "show_map", is_flag=True, help="Stored map of what is possible and what is not.")
@click.option("--rebuild", type=click.Path(dir_okay=False), help="With --map: file for a newly computed map.")
@click.option("--json", "as_json", is_flag=True, help="Output as JSON, with certificates.")
@click.pass_context
def possible(
    ctx: click.Context,
    properties: tuple[str, ...],
    n: int | None,
    sizes: str | None,
    classes: int | None,
    domain: str | None,
    show_map: bool,
    rebuild: str | None,
    as_json: bool,
) -> None:
    """Decide whether a measure can have properties together.

    The answer is a proof that no measure has all PROPERTY… together, or a table of values that has all of
    them. Without --n and --sizes, n = 1, 2, 3 … is searched. Exit status: 0 possible, 1 impossible, 2 bad input. With
    --map and properties: show what the map says about the sets that contain them.
    """
    _check_flags(properties, n, sizes, show_map, rebuild)
    if rebuild is not None:
        from goodmeasure.theory.possible.map_build import build

        build(rebuild, said=lambda text: click.echo(text, err=True))
        return
    if show_map:
        _show_map(properties, classes, domain, as_json)
        return
    from goodmeasure.theory.possible.possible import possible as decide

    found = decide(
        *properties, n=n, sizes=None if sizes is None else _sizes(sizes), classes=classes or 2, domain=domain or "all"
    )
    if as_json:
        print_json(found.to_dict())
    else:
        click.echo(str(found))
    ctx.exit(0 if found else 1)


def _check_flags(
    properties: tuple[str, ...], n: int | None, sizes: str | None, show_map: bool, rebuild: object
) -> None:
    if n is not None and sizes is not None:
        raise InputError(
            "--n and --sizes contradict each other",
            argument="sizes",
            got=sizes,
            advice="--n asks for all sizes 1 … N, --sizes for some only",
        )
    if rebuild is not None and not show_map:
        raise InputError(
            "--rebuild needs --map",
            argument="rebuild",
            got=rebuild,
            advice="add it: goodmeasure possible --map --rebuild FILE",
        )
    for flag, value in (("--n", n), ("--sizes", sizes)):
        if show_map and value is not None:
            raise InputError(
                "--map and {flag} contradict each other",
                flag=flag,
                advice="the map is stored, for the sizes that it names",
            )
    if not properties and not show_map:
        raise InputError(
            "no property was given",
            argument="properties",
            advice="name some, such as monotone distance constant-baseline, or use --map",
        )


def _sizes(text: str) -> list[int]:
    try:
        return [int(x) for x in text.replace(",", " ").split()]
    except ValueError:
        raise InputError("--sizes is {text!r}", text=text, expected="numbers of items, such as 3 or 4,5,6") from None


def _show_map(properties: tuple[str, ...], classes: int | None, domain: str | None, as_json: bool) -> None:
    from goodmeasure.theory.possible.map import stored

    found = stored().filter(*properties, classes=classes, domain=domain)
    if as_json:
        print_json(found.to_dict())
        return
    for region in found.regions:
        click.echo(f"{region.title}\n")
        print_table(["impossible together", "from n", "rows", "for every n"], region.impossible_rows(), right=(1, 2))
        click.echo("")
        print_table(["possible together", "a measure that has them"], region.possible_rows())
        click.echo("")
    click.echo("A set that contains an impossible one is impossible; a part of a possible one is possible.")
