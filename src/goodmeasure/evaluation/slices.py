"""How slices are called, and how much a measure differs between them: between countries, sites, years."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Reversible, Sequence
from dataclasses import dataclass
from typing import Any

from goodmeasure.counts.sample import Slice
from goodmeasure.evaluation.scoring import Part
from goodmeasure.evaluation.table import missing_name


def slice_value(where: Slice | None, slices: Reversible[Slice] = ()) -> Any:
    """How the table calls one of the slices, of which those of most columns are the last.

    With one column it is the value there; with several, the tuple of their values, and text for those of one column.

    >>> one, both = Slice([("site", "x")]), Slice([("site", "x"), ("year", 1)])
    >>> slice_value(one, [one]), slice_value(one, [one, both]), slice_value(both, [one, both])
    ('x', 'site=x', ('x', 1))
    """
    if where is None:
        return None
    values = [_named(value, column, slices) for column, value in where]
    last = next(iter(reversed(slices)), where)
    if len(where) < len(last):
        return f"{where[0][0]}={values[0]}"
    return values[0] if len(values) == 1 else tuple(values)


def _named(value: Any, column: str, slices: Reversible[Slice]) -> Any:
    """The value of a column; missing ones have a name that no value has."""
    if value is not None:
        return value
    return missing_name(x for where in reversed(slices) for name, x in where if name == column)


def slice_words(where: Any, columns: Sequence[str]) -> str:
    """A slice, as the table calls it, with the names of its columns.

    >>> slice_words("x", ["site"]), slice_words("site=x", ["site", "year"]), slice_words(("x", 1), ["site", "year"])
    ('site = x', 'site = x', 'site = x, year = 1')
    """
    if len(columns) > 1 and isinstance(where, str):
        column = next(name for name in columns if where.startswith(f"{name}="))
        columns, where = [column], where.removeprefix(f"{column}=")
    values = where if len(columns) > 1 else (where,)
    return ", ".join(f"{column} = {str(value) or '(empty)'}" for column, value in zip(columns, values, strict=True))


@dataclass(frozen=True)
class SliceSpread:
    """The lowest and the highest value of a measure over slices, their difference and the standard deviation.

    Slices on which the measure is undefined are left out; `slices` says how many are not. `by` names their columns:
    with several, the slices of each column are compared with each other, and so are the combinations.
    """

    system: str
    measure: str
    by: str
    slices: int
    lowest: float
    lowest_slice: Any
    highest: float
    highest_slice: Any
    gap: float
    deviation: float


def slice_spreads(parts: Sequence[Part], measures: Sequence[str], slices: Sequence[Slice] = ()) -> list[SliceSpread]:
    """For each system and measure, how far slices are apart; only where there are two or more of them."""
    kinds: Mapping[Any, str] = {slice_value(x, slices): ", ".join(name for name, _ in x) for x in slices}
    groups: dict[tuple[str, str], list[Part]] = {}
    for part in parts:
        if part.slice is not None:
            groups.setdefault((part.system, kinds.get(part.slice, "")), []).append(part)
    found = []
    for (system, by), mine in groups.items():
        for measure in measures:
            values = [(part.value(measure), part.slice) for part in mine]
            known = [(x, where) for x, where in values if x is not None and math.isfinite(x)]
            if len(known) > 1:
                (low, at_low), (high, at_high) = (end(known, key=lambda x: x[0]) for end in (min, max))
                deviation = statistics.pstdev(x for x, _ in known)
                found.append(
                    SliceSpread(system, measure, by, len(known), low, at_low, high, at_high, high - low, deviation)
                )
    return found
