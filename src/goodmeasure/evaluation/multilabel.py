"""Multilabel data: a binary matrix for each label, and averages over labels or items."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.counts.alignment import check_alignment
from goodmeasure.counts.arguments import as_weights, check_unique
from goodmeasure.counts.classes import in_order
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import Argument, Either, InputError, InputTypeError
from goodmeasure.language.policy import Policy, UndefinedMeasure, policy_of
from goodmeasure.typing import Array

AVERAGES = ("macro", "micro", "weighted", "samples")
ABSENT, PRESENT = False, True


class LabelMatrices(dict[Any, ConfusionMatrix]):
    """The matrix of each label; `evaluate` calls them labels, not systems, since they do not compete."""


@dataclass(frozen=True, eq=False)
class Multilabel:
    """The counts of every label on its own: an item has the label or not.

    `counts` has shape (labels, 2, 2), each [[TN, FP], [FN, TP]], and can be passed to anything that takes matrices.
    `by_item` holds the distinct matrices [[TN, FP], [FN, TP]] that single items have over their labels, and `items` the
    number (or weight) of the items with each.
    """

    labels: tuple[Any, ...]
    counts: Array
    by_item: Array
    items: Array

    @property
    def matrices(self) -> LabelMatrices:
        """Return the matrix of each label; `evaluate` takes this dict and gives intervals for every label."""
        each = zip(self.labels, self.counts, strict=True)
        return LabelMatrices({label: ConfusionMatrix(counts, labels=(ABSENT, PRESENT)) for label, counts in each})

    @property
    def micro(self) -> ConfusionMatrix:
        """Return the matrix of all decisions about all labels together."""
        return ConfusionMatrix(self.counts.sum(axis=0), labels=(ABSENT, PRESENT))

    @property
    def exact_match(self) -> float:
        """Return the share of items all of whose labels are right.

        It is scikit-learn's accuracy_score of indicator matrices.
        """
        wrong = self.by_item[:, 0, 1] + self.by_item[:, 1, 0]
        return float(self.items[wrong == 0].sum() / self.items.sum())

    def values(self, measure: Any, *, undefined: Any = "resolve") -> dict[Any, float]:
        """Return the value of a measure for each label.

        >>> multilabel([[1, 0], [1, 1]], [[1, 0], [0, 1]], labels=["sun", "rain"]).values("recall")
        {'sun': 0.5, 'rain': 1.0}
        """
        found = np.asarray(_binary(measure)(self.counts, undefined=undefined), np.float64)
        return dict(zip(self.labels, found.tolist(), strict=True))

    def average(self, measure: Any, average: str = "macro", *, undefined: Any = "resolve") -> float:
        """Return the average of a measure: "macro", "micro", "weighted" or "samples".

        "macro" is the mean over labels, "weighted" the mean over labels weighted by how many items have each, "micro"
        the value on all decisions together, and "samples" the mean over items, where the decisions are about the labels
        of one item.

        Under "resolve" the rules are those of macro() and weighted(): a label that no item has and that is never
        predicted is left out; where the measure is undefined, a label (or an item, in "samples") that is true but never
        predicted counts as the worst value, and all others are left out. `undefined=0.0` counts each undefined value as
        0, as scikit-learn does.

        >>> both = multilabel([[1, 0], [1, 1]], [[1, 0], [0, 1]])
        >>> both.average("f1", "micro"), round(both.average("f1", "samples"), 4)
        (0.8, 0.8333)
        """
        f = _binary(measure)
        if average == "micro":
            return float(f(self.micro, undefined=undefined))
        if average not in AVERAGES:
            raise InputError(
                "{average} is {got!r}", got=average, known=", ".join(map(repr, AVERAGES)), advice="use {known}"
            )
        counts, weights = self.counts, np.ones(len(self.labels))
        if average == "samples":
            counts, weights = self.by_item, self.items
        elif average == "weighted":
            weights = self.counts[:, 1].sum(axis=1)
        held = weights > 0  # a term of weight 0 is left out, whatever the policy says about undefined values
        if not held.any():
            return _without_labels(f.name, policy_of(undefined))
        values, weights = np.asarray(f(counts[held], undefined=undefined), np.float64), weights[held].astype(np.float64)
        if policy_of(undefined).resolves:
            values = _ruled(values, counts[held], f.worst, labels=average != "samples")
            known = ~np.isnan(values)
            values, weights = values[known], weights[known]
        return float((values * weights).sum() / weights.sum()) if len(values) else float("nan")

    def __repr__(self) -> str:
        return f"Multilabel({len(self.labels)} labels, {self.items.sum():g} items)"


def multilabel(y_true: Any, y_pred: Any, *, labels: Any = None, sample_weight: Any = None) -> Multilabel:
    """Count items that may have several labels: a binary matrix for each label.

    `y_true` and `y_pred` are indicator matrices (items, labels) of 0 and 1 (also data frames or sparse matrices), or
    lists (also columns of data frames) with the labels of each item. `labels` names the columns of indicator matrices,
    or lists the labels in order.

    >>> found = multilabel([{"sun"}, {"sun", "wind"}, set()], [{"sun"}, {"wind"}, {"wind"}])
    >>> found.labels, found.counts.tolist()
    (('sun', 'wind'), [[[1, 0], [1, 1]], [[1, 1], [0, 1]]])
    """
    y_true, y_pred = _plain(y_true), _plain(y_pred)
    listed = [_are_collections(y) for y in (y_true, y_pred)]
    if labels is not None:
        check_unique(labels := tuple(labels))
    if all(listed):
        names, true, pred = _from_collections(y_true, y_pred, labels)
    elif any(listed) and not any(_is_table(y) for y, x in zip((y_true, y_pred), listed, strict=True) if x):
        one, other = ("y_true", "y_pred") if listed[0] else ("y_pred", "y_true")
        raise InputTypeError(
            "{argument} has the labels of each item, {other} is a matrix or something else",
            argument=one,
            other=Argument(other),
            advice="give both in the same form; what comes in sets is always labels",
        )
    else:
        true, pred = _indicators(y_true, "y_true"), _indicators(y_pred, "y_pred")
        names = _names(y_true, y_pred, labels, true.shape[1])
    if true.shape != pred.shape:
        raise InputError(
            "{y_true} has shape {shape}, {y_pred} {other}",
            shape=true.shape,
            other=pred.shape,
            expected="the same items and labels",
        )
    if not true.size:
        raise InputError("{y_true} has shape {shape}", shape=true.shape, advice="there is nothing to count")
    check_alignment({"y_true": y_true, "y_pred": y_pred, "sample_weight": sample_weight})
    weights = None if sample_weight is None else as_weights(sample_weight, len(true))
    if weights is not None and not weights.sum() > 0:
        raise ValueError("every weight is 0: there is nothing to count, so give some items a weight")
    return Multilabel(names, _by_label(true, pred, weights), *_by_item(true, pred, weights))


def _ruled(values: Array, counts: Array, worst: float | None, *, labels: bool) -> Array:
    """Return the terms of a mean by the rules of averages; NaN where a term is left out.

    An item without labels that is given none is predicted correctly, so it keeps its value. A label that no item has
    and that is never predicted is absent, so it is left out.
    """
    true, predicted = counts[:, 1].sum(axis=1) > 0, counts[:, :, 1].sum(axis=1) > 0
    if worst is not None:
        values = np.where(np.isnan(values) & true & ~predicted, worst, values)
    return np.where(true | predicted, values, np.nan) if labels else values


def _without_labels(name: str, policy: Policy) -> float:
    """Return the label-weighted mean where no item has any label, so that all weights are 0."""
    if policy.name == "raise":
        raise UndefinedMeasure(f"weighted {name} is undefined: no item has a label")
    return float(policy.number) if policy.name == "number" else float("nan")


def _binary(measure: Any) -> Measure:
    f = as_measure(measure)
    if f.classes not in (None, 2):
        raise ValueError(f"{f.name} is for {f.classes} classes: a label is there or not, which are two")
    return f


def _by_label(true: Array, pred: Array, weights: Array | None) -> Array:
    weight = None if weights is None else weights[:, None]

    def added(which: Array) -> Array:
        sums: Array = which.sum(axis=0) if weight is None else (which * weight).sum(axis=0)
        return sums

    hit, missed, false, none = added(true & pred), added(true & ~pred), added(~true & pred), added(~true & ~pred)
    return np.stack([np.stack([none, false], -1), np.stack([missed, hit], -1)], -2)


def _by_item(true: Array, pred: Array, weights: Array | None) -> tuple[Array, Array]:
    """Return the distinct matrices that items have over their labels, and the weight of the items with each."""
    hit, missed, false = ((x & y).sum(axis=1) for x, y in ((true, pred), (true, ~pred), (~true, pred)))
    size = true.shape[1] + 1
    keys, where = np.unique((hit * size + missed) * size + false, return_inverse=True)
    rest, false = np.divmod(keys, size)
    hit, missed = np.divmod(rest, size)
    none = true.shape[1] - hit - missed - false
    items = np.bincount(where, weights)
    return np.stack([np.stack([none, false], -1), np.stack([missed, hit], -1)], -2), items


def _indicators(y: Any, name: str) -> Array:
    """Return an indicator matrix as booleans."""
    if hasattr(y, "toarray"):
        y = y.toarray()
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
    if hasattr(y, "detach"):
        y = y.detach().cpu().numpy()
    try:
        array = np.asarray(y)
    except ValueError:
        array = np.empty(0, object)
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise InputTypeError(
            "{argument} came as {kind} of shape {shape}",
            argument=name,
            kind=type(y).__name__,
            shape=array.shape,
            expected="a matrix (items, labels) of 0 and 1, or a list with the labels of each item",
        )
    if array.dtype != bool and not np.isin(array, (0, 1)).all():
        example = array[~np.isin(array, (0, 1))][0]
        raise InputError(
            "{argument} holds {known!r}",
            argument=name,
            known=example.item(),
            advice="an indicator matrix holds 0 and 1 only",
        )
    return array.astype(bool)


def _names(y_true: Any, y_pred: Any, labels: Any, size: int) -> tuple[Any, ...]:
    columns = [tuple(y.columns) for y in (y_true, y_pred) if hasattr(y, "columns")]
    if len(columns) == 2 and columns[0] != columns[1] and labels is None:
        raise InputError(
            "{y_true} has columns {names}, {y_pred} {others}",
            names=list(columns[0]),
            others=list(columns[1]),
            advice="name and order them alike",
        )
    names = labels if labels is not None else columns[0] if columns else tuple(range(size))
    check_unique(names)
    if len(names) != size:
        raise InputError(
            "{labels} has {number} names, {y_true} has {size} columns",
            number=len(names),
            size=size,
            advice="name each column once",
        )
    return names


def _plain(y: Any) -> Any:
    """Return a data frame column that holds the labels of each item as a list."""
    if isinstance(y, (list, tuple)) or getattr(y, "ndim", 1) != 1 or hasattr(y, "columns") or hasattr(y, "toarray"):
        return y
    found = y.tolist() if hasattr(y, "tolist") else y.to_list() if hasattr(y, "to_list") else y
    return [list(x) if isinstance(x, np.ndarray) else x for x in found] if isinstance(found, list) else y


def _are_collections(y: Any) -> bool:
    """Return whether each item comes with a collection of its labels; equally long rows of 0 and 1 are a matrix."""
    if (
        not isinstance(y, Sequence)
        or isinstance(y, str)
        or not all(isinstance(x, (list, tuple, set, frozenset)) for x in y)
    ):
        return False
    return not _is_table(y) or not all(x in (0, 1) for labels in y for x in labels)


def _is_table(y: Sequence[Any]) -> bool:
    """Return whether a list of lists holds rows of numbers of one length."""
    if any(isinstance(x, (set, frozenset)) for x in y) or len({len(x) for x in y}) > 1:
        return False
    return all(isinstance(x, (bool, int, float, np.number)) for labels in y for x in labels)


def _from_collections(
    y_true: Sequence[Collection[Any]], y_pred: Sequence[Collection[Any]], labels: Any
) -> tuple[tuple[Any, ...], Array, Array]:
    found = dict.fromkeys(label for y in (y_true, y_pred) for item in y for label in item)
    names = in_order(found) if labels is None else tuple(labels)
    place = {label: k for k, label in enumerate(names)}
    for label in found:
        if label not in place:
            raise InputError(
                "the label {label!r} occurs in the data but not in {known}",
                label=label,
                known=Either(f"labels={list(names)!r}", "{labels}"),
                advice="add it",
            )
    matrices = []
    for y in (y_true, y_pred):
        matrix = np.zeros((len(y), len(names)), bool)
        for k, item in enumerate(y):
            matrix[k, [place[label] for label in item]] = True
        matrices.append(matrix)
    return names, matrices[0], matrices[1]
