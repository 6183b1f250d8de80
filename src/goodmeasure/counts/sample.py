"""A sample: the counts of one system on one slice, and what resampling its items needs beyond them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class GroupCounts:
    """Counts by group, where items come in groups (patients, documents) that are drawn as a whole.

    The k-th entry says that `values[k]` (items, or their weight) of group `group[k]` stand in the cell
    (`rows[k]`, `cols[k]`); groups are numbered from 0 to `size` − 1.
    """

    size: int
    group: Array
    rows: Array
    cols: Array
    values: Array


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a system got on the items of one slice.

    Without weights an item adds 1 to its cell of `matrix`, and `items` and `squares` are None. With weights `matrix`
    holds their sums, `items` how many items stand in each cell and `squares` the sums of their squared weights:
    enough for the spread of every cell under resampling. Both are (m, m) arrays, or None for a sparse matrix.
    """

    matrix: ConfusionMatrix
    items: Array | None = None
    squares: Array | None = None
    groups: GroupCounts | None = None
