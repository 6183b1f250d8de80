"""Columns of pandas whose indexes say that they are not about the same items in the same order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goodmeasure.exceptions import InputError


def check_alignment(columns: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose index differs from that of the first one; items are matched by position.

    An index that pandas numbered on its own, 0, 1, 2, …, names no items: predictions for a shuffled test set often come
    so. It is refused only if the other index holds the same numbers in another order, as then either reading may be
    meant.
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


def _has_index(column: Any) -> bool:
    kind = type(column)
    return kind.__module__.partition(".")[0] == "pandas" and kind.__name__ in ("Series", "DataFrame")


def _is_default(index: Any) -> bool:
    """Whether pandas numbered the items on its own: a RangeIndex from 0 in steps of 1."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1
