"""`goodmeasure measures`: list the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from goodmeasure.catalogue import names
from goodmeasure.catalogue.explanation import end_text, range_data
from goodmeasure.catalogue.peers import PEERS, Counterpart, crosswalk
from goodmeasure.cli.printing import columns, print_json, print_table
from goodmeasure.language.print.unicode_formulas import plain_text

if TYPE_CHECKING:
    from goodmeasure.catalogue.family import Family
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

_ARROWS = {"higher": "↑", "lower": "↓", "neither": "·"}
_TINY, _NARROW, _WIDE = 76, 100, 130  # widths from which there is room for ranges, titles and aliases


@click.command()
@click.argument("search", required=False)
@click.option("--classes", type=click.IntRange(min=1), help="Number of classes that the measures must allow.")
@click.option(
    "--orientation", type=click.Choice(["higher", "lower", "neither"]), help="Direction in which values are better."
)
@click.option("--family", help="Family, such as rates, overlap, agreement or association.")
@click.option(
    "--takes", type=click.Choice(names.TAKES), help="What is measured: predicted labels (the default), scores, or any."
)
@click.option("--peer", type=click.Choice(PEERS), help="Library whose names are listed beside the names here.")
@click.option("--json", "as_json", is_flag=True, help="Output as JSON.")
def measures(
    search: str | None, classes: int | None, orientation: str | None, family: str | None, takes: str | None,
    peer: str | None, as_json: bool,
) -> None:  # fmt: skip
    """List the measures of the catalogue.

    SEARCH selects the measures whose name, alias or title contains it, among those of labels and of scores; with
    --peer, those whose name in either library contains it.
    """
    if peer is not None:
        _refuse_filters(classes, orientation, family, takes)
        _print_peer(peer, search, as_json)
        return
    takes = takes or (names.LABELS if search is None and family is None else names.ANY)
    found = names.measures(classes=classes, orientation=orientation, family=family, search=search, takes=takes)
    if as_json:
        print_json([row(x) for x in found])
    elif found:
        _print(found)
    else:
        near = names.nearest(search or "")
        click.echo(f"no measure matches{': did you mean ' + ' or '.join(near) + '?' if near else ''}")


def _refuse_filters(*filters: object) -> None:
    if any(x is not None for x in filters):
        raise click.UsageError("--peer can only be combined with SEARCH and --json")


def _print_peer(peer: str, search: str | None, as_json: bool) -> None:
    """Print the names of another library with ours, and for those that we do not have, the reason."""
    found = [x for x in crosswalk(peer) if search is None or _mentions(x, search.lower())]
    if as_json:
        print_json([asdict(x) for x in found])
    elif not found:
        click.echo(f"no measure of {peer} matches")
    else:
        rows = [[x.name, x.measure or "–", x.note] for x in found]
        print_table([peer, "goodmeasure", "note"], rows)
        ours = sum(x.measure is not None for x in found)
        click.echo(f"{len(found)} names, {ours} of them with a measure here. More: goodmeasure explain NAME")


def _mentions(row: Counterpart, word: str) -> bool:
    return word in row.name.lower() or word in (row.measure or "").lower()


def _print(found: Sequence[Measure | ScoreMeasure]) -> None:
    """Print as many columns as there is room for; names stay whole, so that they can be copied."""
    shown: dict[str, list[str]] = {"measure": [x.name for x in found]}
    width = columns()
    if width >= _NARROW:
        shown["title"] = [x.title for x in found]
    if width >= _TINY:
        shown["range"] = [range_signs(x) for x in found]
    shown[""] = [_ARROWS[x.orientation] for x in found]
    if width >= _NARROW:
        shown["classes"] = ["2" if x.classes == 2 else "any" for x in found]
    if width >= _WIDE:
        shown["also known as"] = [", ".join(x.aliases) for x in found]
    print_table(list(shown), [list(cells) for cells in zip(*shown.values(), strict=True)])
    click.echo(f"{len(found)} measures (↑ higher is better, ↓ lower is better). More: goodmeasure explain NAME")
    if all(x.takes == names.LABELS for x in found):
        click.echo("Measures of scores (ROC AUC, log loss, calibration …): goodmeasure measures --takes scores")


def row(measure: Measure | ScoreMeasure) -> dict[str, object]:
    """Return one measure of the catalogue as plain data."""
    return {
        "name": measure.name,
        "title": measure.title,
        "about": measure.about,
        "family": measure.family,
        "classes": measure.classes,
        "takes": measure.takes,
        "range": range_data(measure.range),
        "orientation": measure.orientation,
        "aliases": list(measure.aliases),
        "formula": measure.formula,
        "formula_text": plain_text(measure.formula),
        "cite": measure.cite,
        "citation": measure.citation,
    }


def range_signs(measure: Measure | Family | ScoreMeasure) -> str:
    """Return the range in a few characters."""
    return "?" if measure.range is None else f"{end_text(measure.range[0])} … {end_text(measure.range[1])}"
