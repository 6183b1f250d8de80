"""What a reader must know where few groups of items decide about systems."""

from __future__ import annotations

import numpy as np

from goodmeasure.evaluation.slice_tests import FEW_GROUPS
from goodmeasure.typing import Array


def about_groups(group: Array | None) -> list[str]:
    """Return a note where items, whose groups are given by number, come from fewer than ten groups."""
    number = None if group is None else int(np.count_nonzero(np.bincount(group)))
    if number is None or number >= FEW_GROUPS:
        return []
    if number <= 1:
        return ["there is only one group, which cannot show how systems differ"]
    return [
        f"there are {number} groups: with fewer than {FEW_GROUPS}, intervals are wide, tests seldom reject, and both "
        "rely on the groups being alike in kind"
    ]
