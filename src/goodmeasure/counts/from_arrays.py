"""Counting arrays and lists into samples, with weights, groups and slices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np

from goodmeasure.counts.alignment import check_alignment
from goodmeasure.counts.arguments import as_item_counts, as_weights, same_length, squared
from goodmeasure.counts.counting import check_choices, confusion
from goodmeasure.counts.device.crossing import can_count
from goodmeasure.counts.joint import CountedOnce, JointCounted, count_jointly, count_once
from goodmeasure.counts.labels import Column, as_column, as_columns
from goodmeasure.counts.sample import Counted, Sample, Slice
from goodmeasure.counts.tables.label_rows import LabelRows, count_rows, how_many_missing, union_of
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.typing import AnyArray, ArrayLike, LabelsLike


def count_arrays(
    y_true: object, y_pred: object, *, labels: LabelsLike | None = None, sample_weight: object = None,
    groups: object = None, missing: str = "error",
) -> Sample:  # fmt: skip
    """Return the counts of one system, as `confusion` does, with what resampling weighted or grouped items needs.

    >>> sample = count_arrays(["a", "b", "b"], ["a", "a", "b"], sample_weight=[1, 2, 3])
    >>> sample.matrix.counts.tolist(), sample.squares.tolist(), sample.items.tolist()
    ([[1.0, 0.0], [2.0, 3.0]], [[1.0, 0.0], [4.0, 9.0]], [[1, 0], [1, 1]])
    """
    check_choices(labels, missing)
    rows = rows_of_arrays(y_true, y_pred, Argument("y_pred"), weight=sample_weight, group=groups)
    return rows.sample(labels, missing)


def count_systems(
    y_true: object, systems: Mapping[str, object], *, by: Mapping[str, object] | None = None,
    labels: LabelsLike | None = None, sample_weight: object = None, groups: object = None, missing: str = "error",
    count: object = None,
) -> Counted:  # fmt: skip
    """Return the counts of several systems on the same items, also by slice; `by` maps names to a value per item.

    >>> counted = count_systems([0, 1, 1], {"A": [0, 1, 0]}, by={"site": ["x", "x", "y"]})
    >>> [(system, str(where), sample.matrix.counts.tolist()) for (system, where), sample in counted.samples.items()]
    [('A', 'None', [[1, 0], [1, 1]]), ('A', 'site=x', [[1, 0], [0, 1]]), ('A', 'site=y', [[0, 0], [1, 0]])]
    """
    if by is None and sample_weight is None and groups is None and count is None:
        counted = _counted_on_device(y_true, systems, labels, missing)
        if counted is not None:
            return counted
    rows, lacking = _rows_of_systems(y_true, systems, by, labels, sample_weight, groups, missing, count)
    return count_rows(rows, labels=labels, missing=missing, lacking=lacking)


def _counted_on_device(
    y_true: ArrayLike, systems: Mapping[str, ArrayLike], labels: LabelsLike | None, missing: str
) -> Counted | None:
    """Return the counts of labels that are tensors on an accelerator, counted there; None where they must be copied."""
    if not systems or not all(can_count(y_true, x, None) and len(x) == len(y_true) for x in systems.values()):
        return None
    matrices = {name: confusion(y_true, x, labels=labels, missing=missing) for name, x in systems.items()}
    classes = union_of([(cm.labels, cm._order) for cm in matrices.values()], labels)
    samples: dict[tuple[str, Slice | None], Sample] = {(name, None): Sample(cm) for name, cm in matrices.items()}
    return Counted(samples, tuple(systems), (), classes, len(y_true), {}, dict.fromkeys(systems, 0))


def count_systems_jointly(
    y_true: object, systems: Mapping[str, object], *, by: Mapping[str, object] | None = None,
    labels: LabelsLike | None = None, sample_weight: object = None, groups: object = None, missing: str = "error",
    count: object = None,
) -> JointCounted:  # fmt: skip
    """Return what several systems say about the same items, item by item.

    >>> joint = count_systems_jointly([0, 1, 1], {"A": [0, 1, 0], "B": [0, 0, 0]}).joint.by_pattern()
    >>> joint.true.tolist(), joint.pred.tolist(), joint.number.tolist()
    ([0, 1, 1], [[0, 0, 1], [0, 0, 0]], [1, 1, 1])
    """
    rows, lacking = _rows_of_systems(y_true, systems, by, labels, sample_weight, groups, missing, count)
    return count_jointly(rows, labels=labels, missing=missing, lacking=lacking)


def count_systems_once(
    y_true: object, systems: Mapping[str, object], *, by: Mapping[str, object] | None = None,
    labels: LabelsLike | None = None, sample_weight: object = None, groups: object = None, missing: str = "error",
    count: object = None, most_systems: float = math.inf, most_labels: float = math.inf,
) -> CountedOnce:  # fmt: skip
    """Return the counts of several systems on the same items, one by one and, unless they are too many, jointly.

    >>> found = count_systems_once([0, 1, 1], {"A": [0, 1, 0], "B": [0, 0, 0]})
    >>> found.counted.samples["A", None].matrix.counts.tolist(), found.jointly().joint.items
    ([[1, 0], [1, 1]], 3)
    """
    if by is None and sample_weight is None and groups is None and count is None:
        counted = _counted_on_device(y_true, systems, labels, missing)
        if counted is not None:
            few = 1 < len(systems) <= most_systems and counted.rows * len(systems) <= most_labels
            return CountedOnce(counted, _jointly_on_device(y_true, systems, labels, missing) if few else None)
    rows, lacking = _rows_of_systems(y_true, systems, by, labels, sample_weight, groups, missing, count)
    most_labels = most_labels if len(systems) <= most_systems else 0
    return count_once(rows, labels=labels, missing=missing, lacking=lacking, most_labels=most_labels)


def _jointly_on_device(
    y_true: AnyArray, systems: Mapping[str, AnyArray], labels: LabelsLike | None, missing: str
) -> Callable[[], JointCounted]:
    """Return how to count copies of tensors on an accelerator jointly: they are fetched only if somebody asks."""
    true, kept = y_true.clone(), {name: x.clone() for name, x in systems.items()}
    return lambda: count_systems_jointly(true, kept, labels=labels, missing=missing)


def _rows_of_systems(
    y_true: object, systems: Mapping[str, object], by: Mapping[str, object] | None, labels: LabelsLike | None,
    sample_weight: object, groups: object, missing: str, count: object,
) -> tuple[dict[str, LabelRows], dict[str, int]]:  # fmt: skip
    """Return the rows of each system, and how many labels are missing by column."""
    check_choices(labels, missing)
    if not systems:
        raise InputError("no system is given", argument="y_pred", expected="predicted labels for at least one")
    named: dict[str, object] = {_named(name, systems): y_pred for name, y_pred in systems.items()}
    beside: dict[str, object] = {Argument("by", name): values for name, values in (by or {}).items()}
    rest = {"sample_weight": sample_weight, "groups": groups, "count": count}
    check_alignment({"y_true": y_true, **named, **rest, **beside})
    slices = {name: as_column(values, Argument("by", name)) for name, values in (by or {}).items()}
    rows = {
        name: rows_of_arrays(y_true, y_pred, _named(name, systems), sample_weight, groups, slices)
        for name, y_pred in systems.items()
    }
    if count is not None:
        items = as_item_counts(count, len(next(iter(rows.values())).true))
        rows = {name: each.standing_for(items) for name, each in rows.items()}
    first = next(iter(rows.values()))
    columns = [("y_true", first.true), *((name, each.pred) for name, each in rows.items()), *(first.by or {}).items()]
    lacking = {name: how_many_missing(column, first.number) for name, column in columns}
    return rows, {name: number for name, number in lacking.items() if number}


def _named(system: str, systems: Mapping[str, object]) -> Argument:
    """Return what errors call the labels of a system."""
    return Argument("y_pred") if len(systems) == 1 else Argument("y_pred", system)


def rows_of_arrays(
    y_true: object,
    y_pred: object,
    name: str,
    weight: object = None,
    group: object = None,
    by: Mapping[str, Column] | None = None,
) -> LabelRows:
    """Return the labels of one system, one row for each item."""
    true, pred = as_columns((y_true, Argument("y_true")), (y_pred, name))
    length = same_length(true, pred, *(by or {}).values())
    if length == 0:
        raise InputError("{name} is empty", name=true.name, advice="there is nothing to count")
    weights = squares = None
    if weight is not None:
        weights = as_weights(weight, length).astype(np.float64, copy=False)
        squares = squared(weights)
    grouped = None if group is None else as_column(group, Argument("groups"))
    same_length(true, grouped)
    return LabelRows(true, pred, None, weights, squares, grouped, by)
