"""Names of slices such as countries, sites or years: in tables, and in words."""

from __future__ import annotations

from collections.abc import Reversible, Sequence

from goodmeasure.counts.class_names import missing_name
from goodmeasure.counts.sample import Slice
from goodmeasure.typing import Label


def slice_value(where: Slice | None, slices: Reversible[Slice] = ()) -> Label:
    """Return the name of a slice in the table; the last of `slices` has the most columns.

    With one column, the name is the value in that column. With several, a combination is the tuple of its values, and a
    slice of one column is text, in which the name of a column is quoted if it would be unclear where it ends.

    >>> one, both = Slice([("site", "x")]), Slice([("site", "x"), ("year", 1)])
    >>> slice_value(one, [one]), slice_value(one, [one, both]), slice_value(both, [one, both])
    ('x', 'site=x', ('x', 1))
    >>> slices = [Slice([("a", "b=x")]), Slice([("a=b", "x")]), Slice([("a", "b=x"), ("a=b", "x")])]
    >>> slice_value(slices[0], slices), slice_value(slices[1], slices)
    ('a=b=x', "'a=b'=x")
    """
    if where is None:
        return None
    values = [_named(value, column, slices) for column, value in where]
    last = next(iter(reversed(slices)), where)
    if len(where) < len(last):
        column = where[0][0]
        unclear = "=" in column or column[:1] in ("'", '"')  # so that slices of two columns never share a name
        return f"{column!r}={values[0]}" if unclear else f"{column}={values[0]}"
    return values[0] if len(values) == 1 else tuple(values)


def slices_by_name(slices: Sequence[Slice]) -> dict[Label, Slice]:
    """Return the slices by their names in the table."""
    return {slice_value(x, slices): x for x in slices}


def _named(value: object, column: str, slices: Reversible[Slice]) -> Label:
    """Return the value of a column; a missing value gets a name that no other value has."""
    if value is not None:
        return value
    return missing_name(x for where in reversed(slices) for name, x in where if name == column)


def slice_words(where: Slice, slices: Reversible[Slice] = ()) -> str:
    """Return a slice in words: the names of its columns with their values.

    >>> slice_words(Slice([("site", "x")])), slice_words(Slice([("site", "x"), ("year", None)]))
    ('site = x', 'site = x, year = (missing)')
    """
    return ", ".join(f"{column} = {str(_named(value, column, slices)) or '(empty)'}" for column, value in where)
