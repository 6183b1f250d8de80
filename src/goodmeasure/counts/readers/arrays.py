"""Counting arrays, lists and tensors, with weights, groups and slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from goodmeasure.counts.alignment import check_alignment
from goodmeasure.counts.arguments import as_item_counts, as_weights, same_length, squared
from goodmeasure.counts.counted_rows import JointCounting, count_rows, union_of
from goodmeasure.counts.counting import TRUE, check_choices, confusion
from goodmeasure.counts.device.crossing import can_count
from goodmeasure.counts.label_rows import LabelRows
from goodmeasure.counts.labels import as_column, as_columns
from goodmeasure.counts.sample import Counted, Sample, Slice
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.typing import AnyArray, ArrayLike, LabelsLike


def count_systems(
    y_true: object, systems: Mapping[str, object], *, by: Mapping[str, object] | None = None,
    labels: LabelsLike | None = None, sample_weight: object = None, groups: object = None, missing: str = "error",
    count: object = None, beside: Sequence[str] = (),
) -> Counted:  # fmt: skip
    """Return the counts of several systems on the same items, also by slice; `by` maps names to a value per item.

    Of those, `beside` names columns that the joint rows keep and that nothing is counted by.

    >>> counted = count_systems([0, 1, 1], {"A": [0, 1, 0], "B": [0, 0, 0]}, by={"site": ["x", "x", "y"]})
    >>> [(str(where), x.matrix.counts.tolist()) for (system, where), x in counted.samples.items() if system == "A"]
    [('None', [[1, 0], [1, 1]]), ('site=x', [[1, 0], [0, 1]]), ('site=y', [[0, 0], [1, 0]])]
    >>> counted.joint().pred.tolist()
    [[0, 1, 0], [0, 0, 0]]
    """
    check_choices(labels, missing)
    if not systems:
        raise InputError("no system is given", argument="y_pred", expected="predicted labels for at least one")
    if by is None and sample_weight is None and groups is None and count is None:
        tensors = Tensors(y_true, systems)
        if tensors.can_be_counted():
            return tensors.counted(labels, missing)
    rows = rows_of_arrays(y_true, systems, by or {}, sample_weight, groups, count)
    rows = rows.sliced_by([x for x in rows.by if x not in beside], beside) if beside else rows
    columns = {"y_true": rows.true, **rows.systems, **rows.by}
    lacking = {name: number for name, x in columns.items() if (number := rows.lacking(x))}
    return count_rows([rows], labels=labels, missing=missing, lacking=lacking)


@dataclass(frozen=True, slots=True)
class Tensors:
    """The labels of several systems as tensors on an accelerator, where they are counted one by one."""

    y_true: AnyArray
    systems: Mapping[str, AnyArray]
    is_split = False

    def can_be_counted(self) -> bool:
        """Return whether they are tensors of one length on one device."""
        true, found = self.y_true, self.systems.values()
        return all(can_count(true, x, None) and len(x) == len(true) for x in found)

    def counted(self, labels: LabelsLike | None, missing: str) -> Counted:
        """Return the counts of each system, counted on the device."""
        samples: dict[tuple[str, Slice | None], Sample] = {
            (name, None): Sample(confusion(self.y_true, x, labels=labels, missing=missing))
            for name, x in self.systems.items()
        }
        classes = union_of([(x.matrix.labels, x.matrix._order) for x in samples.values()], labels)
        jointly, dropped = JointCounting(self, labels, missing), dict.fromkeys(self.systems, 0)
        return Counted(samples, tuple(self.systems), (), classes, len(self.y_true), {}, dropped, jointly=jointly)

    def copied(self) -> Tensors:
        """Return the same labels in memory of their own, on the device: they are fetched only if somebody asks."""
        return Tensors(self.y_true.clone(), {name: x.clone() for name, x in self.systems.items()})

    def read(self) -> LabelRows:
        """Return the labels as rows in the memory of the host."""
        return rows_of_arrays(self.y_true, self.systems)


def rows_of_arrays(
    y_true: ArrayLike, systems: Mapping[str, ArrayLike], by: Mapping[str, ArrayLike] | None = None,
    sample_weight: ArrayLike = None, groups: ArrayLike = None, count: ArrayLike = None,
) -> LabelRows:  # fmt: skip
    """Return the labels of several systems, one row for each item."""
    named = {name: Argument("y_pred") if len(systems) == 1 else Argument("y_pred", name) for name in systems}
    sliced: dict[str, object] = {Argument("by", name): values for name, values in (by or {}).items()}
    given: dict[str, object] = {TRUE: y_true, **{named[name]: x for name, x in systems.items()}}
    check_alignment({**given, "sample_weight": sample_weight, "groups": groups, "count": count, **sliced})
    slices = {name: as_column(values, Argument("by", name)) for name, values in (by or {}).items()}
    true, *said = as_columns((y_true, TRUE), *((x, named[name]) for name, x in systems.items()))
    length = same_length(true, *said, *slices.values())
    if length == 0:
        raise InputError("{name} is empty", name=true.name, advice="there is nothing to count")
    weights = squares = None
    if sample_weight is not None:
        weights = as_weights(sample_weight, length).astype(np.float64, copy=False)
        squares = squared(weights)
    group = None if groups is None else as_column(groups, Argument("groups"))
    same_length(true, group)
    rows = LabelRows(true, dict(zip(systems, said, strict=True)), None, weights, squares, group, slices)
    return rows if count is None else rows.standing_for(as_item_counts(count, length))
