"""Names of slices such as countries, sites or years, and which items belong to them."""

from __future__ import annotations

from collections.abc import Iterator, Reversible, Sequence

import numpy as np

from goodmeasure.counts.sample import Slice
from goodmeasure.counts.scores.score_input import column_of
from goodmeasure.evaluation.table import missing_name
from goodmeasure.typing import Array, Label


def slice_value(where: Slice | None, slices: Reversible[Slice] = ()) -> Label:
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


def _named(value: object, column: str, slices: Reversible[Slice]) -> Label:
    """Return the value of a column; a missing value gets a name that no other value has."""
    if value is not None:
        return value
    return missing_name(x for where in reversed(slices) for name, x in where if name == column)


def slice_words(where: Label, columns: Sequence[str]) -> str:
    """Return a slice, given by its name in the table, together with the names of its columns.

    >>> slice_words("x", ["site"]), slice_words("site=x", ["site", "year"]), slice_words(("x", 1), ["site", "year"])
    ('site = x', 'site = x', 'site = x, year = 1')
    """
    if len(columns) > 1 and isinstance(where, str):
        column = next(name for name in columns if where.startswith(f"{name}="))
        columns, where = [column], where.removeprefix(f"{column}=")
    values = where if len(columns) > 1 and isinstance(where, tuple) else (where,)
    return ", ".join(f"{column} = {str(value) or '(empty)'}" for column, value in zip(columns, values, strict=True))


def groups_of(by: object, length: int, there: Array | None) -> Iterator[tuple[object, Array | None]]:
    """Yield each group and the mask of its items; items without a group form one of their own."""
    if by is None:
        yield None, there
        return
    column = column_of(by, length, "by")
    known: dict[Label, int] = {}
    codes = np.fromiter((known.setdefault(x, len(known)) for x in column), np.int64, length)
    for value, code in known.items():
        mask = codes == code
        yield missing_name(known) if value is None else value, mask if there is None else mask & there
