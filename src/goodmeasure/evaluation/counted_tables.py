"""Recognise tables in which a row may stand for many items: a cell of a confusion matrix with its count."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from goodmeasure.typing import ArrayLike

_COUNTS = {
    *("count", "counts", "n", "freq", "freqs", "frequency", "frequencies", "number", "num", "cases", "items", "nitems"),
    *("ncases", "nobs", "size", "total", "occurrences", "cellcount", "support", "howmany", "times"),
}
MOST_ROWS = 100_000  # more rows than this are hardly the cells of a matrix


def column_of_counts(
    header: Sequence[str], named: Sequence[str], weight: str | None, rows: int,
    read: Callable[[list[str], list[str]], dict[str, ArrayLike]],
) -> str | None:  # fmt: skip
    """Return the column that seems to say how many items a row stands for; None if there is none.

    `named` are the columns of labels, slices and groups; `read` returns the values of columns, the second of which are
    numbers. A table of counts has at most one row for each combination of labels, and a column of whole numbers with
    an obvious name.
    """
    unused = [x for x in header if x not in named and re.sub(r"[^a-z]", "", str(x).lower()) in _COUNTS]
    if len(unused) != 1 or not 2 <= rows <= MOST_ROWS or (weight is not None and weight != unused[0]):
        return None
    values = read([*named, unused[0]], [unused[0]])
    labels = list(zip(*(map(str, values[name]) for name in dict.fromkeys(named)), strict=True))
    if len(set(labels)) < len(labels) or not _are_counts(list(values[unused[0]])):
        return None
    return unused[0]


def _are_counts(values: ArrayLike) -> bool:
    """Return whether all values are whole numbers, and not all of them 1."""
    try:
        numbers = [float(x) for x in values]
    except (TypeError, ValueError):
        return False
    return all(x >= 0 and x.is_integer() for x in numbers) and any(x > 1 for x in numbers)


def offer(name: str, weight: str | None) -> str:
    """Return the sentence that suggests reading a column as counts: it looks like counts, but was not read so."""
    taken = "is used as weights" if weight == name else "is not used"
    return (
        f"Column {name!r} {taken}, but holds whole numbers, and no two rows have the same labels: if a row stands for "
        f"so many items, say so with count={name!r} (--count {name})."
    )
