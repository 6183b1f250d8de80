"""Read ratings, from a table of items × raters or a long table with a row for each rating."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from goodmeasure.counts.readers.reader import column_values
from goodmeasure.counts.text_labels import TextRule, reading_of
from goodmeasure.evaluation.judges.in_memory import listed
from goodmeasure.evaluation.reading import Asked, are_paths, columns_of_frame, is_frame, opened_files
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import DataLike, Frame, Label

Named = tuple[list[list[Label]], tuple[str, ...], tuple[Label, ...]]  # the ratings, the raters and the items


def ratings_of(data: DataLike, item: str | None, rater: str | None, rating: str | None) -> Named:
    """Return the ratings, items × raters with None where there is none, and the names of raters and items."""
    named = (item, rater, rating)
    if any(x is not None for x in named) and not all(isinstance(x, str) for x in (rater, rating, item)):
        raise InputError("{item:=}, {rater:=} and {rating:=} go together", argument="rating",
                         advice="name the columns of a long table, or leave all three out")  # fmt: skip
    if data is None:
        raise InputTypeError("{ratings} is missing", argument="ratings", advice="give a table of items × raters")
    if are_paths(data, item, None):
        columns = of_files(data, [x for x in named if x is not None])
    elif is_frame(data):
        names = [x for x in named if x is not None] or columns_of_frame(data)
        columns = {name: listed(x, name) for name, x in column_values(data, names, ()).items()}
    elif isinstance(data, Mapping):
        columns = {str(name): listed(x, "ratings") for name, x in data.items()}
    else:
        return _of_rows(data)
    if rating is not None:
        assert item is not None
        assert rater is not None
        return _of_long(columns[item], columns[rater], columns[rating])
    sizes = {len(x) for x in columns.values()}
    if len(sizes) > 1:
        raise InputError("raters have different numbers of ratings", argument="ratings",
                         advice="give each rater one for each item, None where there is none")  # fmt: skip
    rows = [list(x) for x in zip(*columns.values(), strict=True)]
    return rows, tuple(columns), tuple(range(len(rows)))


def of_files(data: Frame, names: Sequence[str]) -> dict[str, list[Label]]:
    """Return columns of files by name; the last one, or all if none is named, are ratings of one kind."""
    with opened_files(Asked(data)) as files:
        wanted = list(names) or list(files.header)
        frame = files.frame(wanted, ())
        values = {name: listed(x, name) for name, x in column_values(frame, wanted, ()).items()}
        if files.untyped is None:
            return values
        rule: TextRule = files.untyped
        found = {}
        of_ratings = wanted if not names else [names[-1]]
        every = [x for name in of_ratings for x in values[name]]
        reading = reading_of(every, rule)
        for name, column in values.items():
            read = reading if name in of_ratings else reading_of(column, rule)
            known = {x: read.item(x) for x in dict.fromkeys(column)}
            found[name] = [known[x] for x in column]
        return found


def _of_rows(data: Frame) -> Named:
    if hasattr(data, "tolist"):
        data = data.tolist()
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise InputTypeError("{ratings} is {got!r}", got=data, expected="rows of ratings, one for each item")
    rows = [
        listed(row, "ratings") if isinstance(row, (list, tuple)) or hasattr(row, "tolist") else None for row in data
    ]
    if not rows or any(row is None or len(row) != len(rows[0] or ()) for row in rows):
        raise InputTypeError("{ratings} is no table of items × raters", argument="ratings",
                             advice="give a row for each item, with as many ratings as there are raters")  # fmt: skip
    table = [row for row in rows if row is not None]
    return table, tuple(f"rater {k + 1}" for k in range(len(table[0]))), tuple(range(len(table)))


def _of_long(items: Sequence[Label], raters: Sequence[Label], ratings: Sequence[Label]) -> Named:
    places, names = ({x: k for k, x in enumerate(dict.fromkeys(column))} for column in (items, raters))
    table: list[list[Label]] = [[None] * len(names) for _ in places]
    seen = set()
    for x, who, value in zip(items, raters, ratings, strict=True):
        if (x, who) in seen and value is not None:
            raise InputError("{who!r} rated the item {x!r} twice", argument="rating", who=who, x=x,
                             advice="keep one rating of each rater for an item")  # fmt: skip
        seen.add((x, who))
        table[places[x]][names[who]] = value
    return table, tuple(map(str, names)), tuple(places)
