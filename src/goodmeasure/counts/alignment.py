"""Checking that the indexes of pandas columns do not contradict matching by position."""

from __future__ import annotations

from collections.abc import Mapping

from goodmeasure.exceptions import InputError
from goodmeasure.typing import Frame


def check_alignment(columns: Mapping[str, Frame]) -> None:
    """Refuse pandas columns whose index differs from that of the first one, since items are matched by position.

    A default index (0, 1, 2, …) does not name items: predictions for a shuffled test set often come with one. It is
    refused only if the other index holds the same numbers in another order, because then either reading may be meant.
    """
    indexes = {name: x.index for name, x in columns.items() if _has_index(x)}
    if len(indexes) < 2:
        return
    (first, index), *others = indexes.items()
    for name, other in others:
        if index is other or len(index) != len(other) or index.equals(other):
            continue  # a difference in length has an error of its own
        reordered = not len(index.symmetric_difference(other))
        if reordered or not (_is_default(index) or _is_default(other)):
            how = "hold the same entries in different orders" if reordered else "differ"
            raise InputError(
                "the pandas indexes of {first} and {name} {how}",
                argument=str(name),
                first=first,
                name=name,
                how=how,
                advice="use {name}.reindex({first}.index) to match items by index, or {name}.to_numpy() to match them "
                "by position",
            )


def _has_index(column: object) -> bool:
    kind = type(column)
    return kind.__module__.partition(".")[0] == "pandas" and kind.__name__ in ("Series", "DataFrame")


def _is_default(index: Frame) -> bool:
    """Return whether an index is the one pandas makes up: a RangeIndex from 0 in steps of 1."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
