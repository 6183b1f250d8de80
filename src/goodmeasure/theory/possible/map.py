"""The map of possibilities: the smallest sets of properties that exclude each other, and the largest that do not.

These sets decide every other one: a set that contains an impossible one is impossible, and a part of a possible one is
possible. "Possible" here refers to all matrices of 1 … n items, for the n of the region, unless a measure is named.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from goodmeasure.documents import made_of, plain_of
from goodmeasure.exceptions import InputError
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.typing import ReadJson

FORMAT = "goodmeasure map of possibilities 1"
FILE = "map.json.xz"
MapData = dict[str, ReadJson]


@dataclass(frozen=True)
class Region:
    """The answers for all subsets of some properties, for a number of classes and a domain, on 1 … n items.

    ``impossible``: the minimal sets that exclude each other, each with its proof, and the proof for every n if there is
    one. ``possible``: the maximal sets that do not, each with a measure that is proved to have them for every n, or
    else with a table for 1 … n items. ``measures``: the properties that some measures are proved to have.
    """

    title: str
    classes: int
    domain: str
    n: int
    properties: tuple[str, ...]
    impossible: tuple[MapData, ...]
    possible: tuple[MapData, ...]
    measures: Mapping[str, tuple[str, ...]]

    def impossible_rows(self) -> list[list[str]]:
        """Return the impossible sets as rows of a table: properties, n, number of rows of the proof, every n."""
        return [
            [shorts(x["properties"]), str(x["n"]), str(len(x["certificate"]["rows"])), every_n_text(x)]
            for x in self.impossible
        ]

    def possible_rows(self) -> list[list[str]]:
        """Return the possible sets as rows of a table: properties, and the measure that has them."""
        return [[shorts(x["properties"]), x["measure"] or f"(a table, up to n = {self.n})"] for x in self.possible]


def shorts(names: Iterable[str]) -> str:
    """Return properties by their short names, separated by commas."""
    return ", ".join(statement_of(x).short for x in names)


def every_n_text(x: MapData) -> str:
    """Return from which n on a proof of impossibility holds, or why there is none for every n."""
    found = x["for_every_n"]
    if found is None:
        alone = x.get("possible_sizes")
        return f"no: possible on {', '.join(map(str, alone))} items alone" if alone else "no proof was found"
    together = "" if len(found["sizes"]) == 1 else " (" + ", ".join(found["sizes"]) + " jointly)"
    return f"n ≥ {found['least']}{together}"


@dataclass(frozen=True)
class Map:
    """The map: one region for each number of classes, domain and set of properties."""

    regions: tuple[Region, ...]

    def filter(self, *properties: str, classes: int | None = None, domain: object = None) -> Map:
        """Return the part of the map with these properties, this number of classes and this domain."""
        names = {statement_of(x).name for x in properties}
        place = None if domain is None else domain_of(domain).name
        return Map(
            tuple(
                replace(
                    x,
                    impossible=tuple(y for y in x.impossible if names <= set(y["properties"])),
                    possible=tuple(y for y in x.possible if names <= set(y["properties"])),
                )
                for x in self.regions
                if (classes is None or x.classes == classes)
                and (place is None or x.domain == place)
                and names <= set(x.properties)
            )
        )

    def measures_with(self, properties: Iterable[str], *, classes: int, domain: str) -> list[str]:
        """Return the names of measures that are proved to have all of some properties, for every n."""
        found: dict[str, None] = {}
        for x in self.regions:
            if (x.classes, x.domain) == (classes, domain):
                found.update((name, None) for name, has in x.measures.items() if set(properties) <= set(has))
        return list(found)

    def to_dict(self) -> MapData:
        """Return the map as plain data."""
        return {"format": FORMAT, "regions": [plain_of(x) for x in self.regions]}


@cache
def stored() -> Map:
    """Return the map that comes with the package.

    >>> [x["n"] for x in stored().regions[0].impossible]
    [3, 3, 4]
    """
    found = files("goodmeasure.theory.possible").joinpath(FILE)
    return unpack(found.read_bytes()) if found.is_file() else Map(())


def pack(found: Map) -> bytes:
    """Return a map as the bytes of a compressed file."""
    text = json.dumps(found.to_dict(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return lzma.compress(text.encode("utf-8"), preset=9)


def unpack(data: bytes) -> Map:
    """Return the map in a compressed file."""
    found = json.loads(lzma.decompress(data).decode("utf-8"))
    if found.get("format") != FORMAT:
        raise InputError(
            "the map has format {format!r}", format=found.get("format"), known=FORMAT, expected="{known!r}"
        )
    return Map(tuple(made_of(Region, x) for x in found["regions"]))
