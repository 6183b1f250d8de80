"""One knowledge about sets of properties: what the atlas proves of measures, and what the map proves of all measures.

Whoever says that properties go together, or exclude each other, asks here: `gm.possible`, the map, `gm.recommend` and
the page. A test compares the two sources over the whole catalogue: no measure has what the map calls impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from goodmeasure.catalogue.names import measure
from goodmeasure.counts.enumeration import matrices
from goodmeasure.theory.atlas.atlas import stored as atlas
from goodmeasure.theory.possible.answer import Impossible
from goodmeasure.theory.possible.map import MapData
from goodmeasure.theory.possible.map import stored as possibilities
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.verdict import HELD, PROVED

_MOST_ITEMS = {2: 8, 3: 4}  # by number of classes: on matrices of so many items a measure must have a value


def measures_with(properties: Iterable[str], *, classes: int, domain: str) -> list[str]:
    """Return the measures that are proved to have all of some properties for every n, those of the map first.

    They have a value on every matrix: a measure that is undefined on some says nothing about what goes together.
    """
    wanted = set(properties)
    found = dict.fromkeys(possibilities().measures_with(wanted, classes=classes, domain=domain))
    statuses = _statuses(classes, domain)
    found |= dict.fromkeys(name for name, has in statuses.items() if all(has.get(x) == PROVED for x in wanted))
    return [x for x in found if x not in statuses or _is_total(x, classes, domain)]


def contradiction_of(properties: Iterable[str], *, classes: int, domain: str) -> Impossible | None:
    """Return the impossible set of the map that lies among some properties, of least n; None if there is none."""
    asked = tuple(properties)
    found = [x for x in _impossible(classes, domain) if set(x["properties"]) <= set(asked)]
    if not found:
        return None
    least = min(found, key=lambda x: x["n"])
    properties = (*least["properties"], *(x for x in asked if x not in least["properties"]))
    return Impossible(properties, classes, domain, least["n"], least["certificate"], least["for_every_n"])


def proved(classes: int, domain: str) -> Mapping[str, frozenset[str]]:
    """Return the properties that the atlas proves of each measure that has a value on every matrix."""
    return {
        name: frozenset(x for x, status in has.items() if status == PROVED)
        for name, has in _statuses(classes, domain).items()
        if _is_total(name, classes, domain)
    }


def settled(classes: int, domain: str) -> list[tuple[str, str]]:
    """Return measures with a property that the atlas leaves open, and that an impossibility refutes for every n."""
    return [
        (name, left[0])
        for name, has in _statuses(classes, domain).items()
        for x in _impossible(classes, domain)
        if x["for_every_n"] is not None
        and len(left := [y for y in x["properties"] if has.get(y) != PROVED]) == 1
        and has.get(left[0]) == HELD
        and _is_total(name, classes, domain)
    ]


def _impossible(classes: int, domain: str) -> list[MapData]:
    return [x for region in possibilities().regions if (region.classes, region.domain) == (classes, domain)
            for x in region.impossible]  # fmt: skip


@cache
def _statuses(classes: int, domain: str) -> dict[str, dict[str, str]]:
    """Return the verdicts of the atlas by measure and property."""
    cells = atlas().filter(classes=classes, domain=domain).by_measure() if classes in _MOST_ITEMS else {}
    return {name: {prop: str(x["status"]) for prop, x in has.items()} for name, has in cells.items()}


@cache
def _is_total(name: str, classes: int, domain: str) -> bool:
    """Return whether a measure has a finite value on every matrix of the domain with few items."""
    of = domain_of(domain)
    batches = (matrices(n, classes) for n in range(1, _MOST_ITEMS[classes] + 1))
    values = (np.asarray(measure(name)(x[of.holds(x)]), dtype=float) for x in batches if of.holds(x).any())
    return all(bool(np.isfinite(x).all()) for x in values)
