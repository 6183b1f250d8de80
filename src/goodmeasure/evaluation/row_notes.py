"""What the rows of the data say about how items were drawn: repeats, and groups that nobody named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from goodmeasure.evaluation.reading import Asked, columns_of_frame, is_frame
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.warnings.traps import plain_columns, repeated_rows, unnamed_groups
from goodmeasure.typing import Array, ArrayLike

_MOST_ROWS = 200_000  # more take too long to look at in passing


def noted(result: Result, asked: Asked, y_score: ArrayLike = None) -> Result:
    """Return the result with warnings about its rows; tables that are not in memory are not looked at."""
    named = (asked.groups, asked.id, asked.count, asked.repeat)
    if any(x is not None for x in named) or result.counted.rows > _MOST_ROWS or not result.competing:
        return result
    said = _of_frame(result, asked) if is_frame(asked.data) else _of_arrays(asked, y_score)
    if not said:
        return result
    return replace(result, source=replace(result.source, notes=(*result.source.notes, *said)))


def _of_frame(result: Result, asked: Asked) -> list[str]:
    from goodmeasure.packages import nw

    frame = nw.from_native(asked.data, eager_only=True, pass_through=True)
    source = result.source
    if not isinstance(frame, nw.DataFrame) or source.true is None or source.true not in columns_of_frame(asked.data):
        return []
    used = {source.true, *result.systems, source.weight, *source.by, *source.scores}
    columns: dict[str, Array] = {}
    for name in frame.columns:
        if name not in used and len(columns) < 50:
            columns[name] = np.asarray(frame[name].to_numpy())
    true = np.asarray(frame[source.true].to_numpy())
    groups = list(unnamed_groups(columns, true))
    predicted = [np.asarray(frame[x].to_numpy()) for x in result.systems if x in frame.columns]
    repeated = None if groups else repeated_rows([true, *predicted])
    return groups if repeated is None else [repeated]


def _of_arrays(asked: Asked, y_score: ArrayLike) -> list[str]:
    true = asked.y_true if asked.data is None else asked.data
    others = y_score if asked.y_pred is None else asked.y_pred
    if (y_score is None and asked.is_matrix()) or true is None or others is None or isinstance(true, (str, Mapping)):
        return []
    first = plain_columns(true)
    values = list(others.values()) if isinstance(others, Mapping) else [others]
    rest = [column for x in values for column in plain_columns(x)]
    if len(first) != 1 or len(rest) != len(values):
        return []
    repeated = repeated_rows([*first, *rest])
    return [] if repeated is None else [repeated]
