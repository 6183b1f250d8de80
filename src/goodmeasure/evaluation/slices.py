"""Names of slices, and how much a measure differs between slices such as countries, sites or years."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Reversible, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodmeasure.counts.sample import Slice
from goodmeasure.counts.scores.reading import column_of
from goodmeasure.evaluation.scoring import Part
from goodmeasure.evaluation.table import missing_name
from goodmeasure.typing import Array


def slice_value(where: Slice | None, slices: Reversible[Slice] = ()) -> Any:
    """Return the name of a slice in the table; the last of `slices` has the most columns.

    With one column, the name is the value in that column. With several, a combination is the tuple of its values, and a
    slice of one column is text.

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
    """Return the value of a column; a missing value gets a name that no other value has."""
    if value is not None:
        return value
    return missing_name(x for where in reversed(slices) for name, x in where if name == column)


def slice_words(where: Any, columns: Sequence[str]) -> str:
    """Return a slice, given by its name in the table, together with the names of its columns.

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

    `slices` counts the slices on which the measure is defined; the others are left out. `by` names the columns: with
    several, the slices of each column are compared with each other, and so are the combinations.
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
    """Return how far slices are apart for each system and measure that has values on two or more slices."""
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


def groups_of(by: Any, length: int, there: Array | None) -> Iterator[tuple[Any, Array | None]]:
    """Yield each group and the mask of its items; items without a group form one of their own."""
    if by is None:
        yield None, there
        return
    column = column_of(by, length, "by")
    known: dict[Any, int] = {}
    codes = np.fromiter((known.setdefault(x, len(known)) for x in column), np.int64, length)
    for value, code in known.items():
        mask = codes == code
        yield missing_name(known) if value is None else value, mask if there is None else mask & there
