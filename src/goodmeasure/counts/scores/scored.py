"""Items with their true classes and scores: one score for each item, or one for each class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from goodmeasure.counts.alignment import check_alignment
from goodmeasure.counts.arguments import check_positive, listed, unknown_positive
from goodmeasure.counts.class_names import rest_name
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.labels import as_column
from goodmeasure.counts.scores.ranked_items import MergedRanking, Ranking
from goodmeasure.counts.scores.score_input import (
    array_of,
    as_item_weights,
    as_scores,
    both,
    check_missing,
    labelled,
    truth_of,
    units_of_items,
    without_missing,
)
from goodmeasure.counts.scores.score_sketch import ScoreSketch
from goodmeasure.exceptions import Argument, InputError, Phrase
from goodmeasure.typing import Array, ArrayLike, Label

_TOLERANCE = 1e-6  # by how much probabilities may miss a sum of 1, at least; more for narrow types


@dataclass(frozen=True, eq=False)
class Scored:
    """Items with scores.

    With two classes `true` says which items are positive, `scores` holds one score for each item, higher for the
    positive class, and `labels` ends with the positive class. With more classes `true` holds the number of each item's
    class, and `scores` one column for each class of `labels`. `units` numbers the groups that items belong to. `kept`
    says which of the items that were read are here; None for all. With `merged`, each row stands for many items of two
    classes, and `weights` are their numbers or the sums of their weights.
    """

    true: Array
    scores: Array
    labels: tuple[Label, ...]
    weights: Array | None = None
    units: Array | None = None
    argument: str = Argument("y_score")
    kept: Array | None = None
    merged: ScoreSketch | None = None

    def __len__(self) -> int:
        return len(self.true)

    @property
    def items(self) -> int:
        """Return the number of items."""
        return len(self) if self.merged is None else int(self.merged.items.sum())

    @property
    def item_weights(self) -> Array | None:
        """Return the weights of the rows, if items have weights of their own."""
        return self.weights if self.merged is None or self.merged.weighted else None

    @property
    def is_sketch(self) -> bool:
        """Return whether rows hold items with different scores."""
        return self.merged is not None and not self.merged.is_exact

    @property
    def probabilities(self) -> Array:
        """Return the mean score of each row."""
        return self.scores if self.merged is None else self.merged.means

    @cached_property
    def squares(self) -> Array:
        """Return the sum of the squared weights of the items of each row."""
        if self.merged is not None:
            return self.merged.squares
        return np.ones(len(self)) if self.weights is None else self.weights.astype(float) ** 2

    def sum_of_squares(self, influences: Array) -> float:
        """Return the sum over items of their squared influences, from the influence of each row.

        The items of a row share its influence by their weights.
        """
        if self.merged is None or self.weights is None:
            return float((influences**2).sum())
        return float(((influences / self.weights) ** 2 * self.merged.squares).sum())

    def sum_of_fourth_powers(self, influences: Array) -> float:
        """Return the sum over items of their influences to the fourth power, as if those of a row had equal weights."""
        if self.merged is None or self.weights is None:
            return float((influences**4).sum())
        return float(((influences / self.weights) ** 4 * self.merged.squares**2 / self.merged.items).sum())

    @property
    def m(self) -> int:
        """Return the number of classes."""
        return 2 if self.scores.ndim == 1 else self.scores.shape[1]

    @cached_property
    def ranking(self) -> Ranking:
        """Return the items ranked by score; two classes only."""
        if self.merged is not None and self.weights is not None:
            return MergedRanking(self.scores, self.true, self.weights, self.merged)
        return Ranking(self.scores, self.true, self.weights)

    @cached_property
    def sizes(self) -> Array:
        """Return the weight of the items of each class."""
        codes = self.true if self.scores.ndim == 2 else self.true.astype(np.int64)
        return np.bincount(codes, self.weights, self.m).astype(float)

    @cached_property
    def total(self) -> float:
        """Return the weight of all items."""
        return float(len(self)) if self.weights is None else float(self.weights.sum())

    @cached_property
    def are_probabilities(self) -> bool:
        """Return whether all scores lie between 0 and 1 and, with more than two classes, add up to 1."""
        return not any(True for _ in self._not_probabilities())

    def check_probabilities(self, name: str) -> None:
        """Refuse scores that are not probabilities; `name` is the measure that needs them."""
        for error in self._not_probabilities(name):
            raise error

    def _not_probabilities(self, name: str = "") -> Iterator[InputError]:
        scores = self.scores
        low, high = float(scores.min()), float(scores.max())
        if not 0 <= low <= high <= 1:
            logits = "softmax(x)" if scores.ndim == 2 else "1/(1 + exp(-x))"
            yield InputError(
                "{name} takes probabilities, and {scores} runs from {low:.4g} to {high:.4g}",
                name=name,
                scores=self.argument,
                low=low,
                high=high,
                logits=logits,
                advice="turn logits into probabilities by {logits}, or use a measure of rankings such as roc_auc",
            )
        if scores.ndim == 2:
            sums = scores.sum(axis=1, dtype=np.float64)
            off = np.abs(sums - 1)
            at = int(off.argmax())
            if not off[at] <= tolerance(scores):
                yield InputError(
                    "{name} takes probabilities, and row {at} of {scores} adds up to {total:.6g}",
                    name=name,
                    at=at,
                    scores=self.argument,
                    total=float(sums[at]),
                    advice="divide each row by its sum, or apply softmax to logits; a class whose column is left out "
                    "is missing from the sum",
                )

    def of_class(self, k: int) -> Scored:
        """Return the items with class number k against the rest, scored by its column."""
        label = self.labels[k]
        if self.scores.ndim == 1:
            if k == 1:
                return self
            return replace(self, true=~self.true, scores=-self.scores, labels=(self.labels[1], label))
        others = [x for x in self.labels if x != label]
        rest = others[0] if len(others) == 1 else rest_name(label, self.labels)
        column = np.ascontiguousarray(self.scores[:, k])
        return replace(self, true=self.true == k, scores=column, labels=(rest, label))

    def at(self, keep: Array) -> Scored:
        """Return some of the items, by mask or by number."""
        weights, units = (None if x is None else x[keep] for x in (self.weights, self.units))
        if units is not None:
            units = np.unique(units, return_inverse=True)[1]
        merged = None if self.merged is None else self.merged.at(keep)
        return replace(
            self, true=self.true[keep], scores=self.scores[keep], weights=weights, units=units, kept=None,
            merged=merged,
        )  # fmt: skip

    def weighing(self, weights: Array) -> Scored:
        """Return the same items with other weights, without those that weigh nothing."""
        found = replace(self, weights=weights)
        return found if weights.all() else found.at(weights > 0)

    def predicted(self, threshold: float) -> Array:
        """Return the number of the predicted class of each item: by the threshold, or the class with the top score."""
        if self.scores.ndim == 1:
            return (self.scores >= threshold).astype(np.int64)
        return np.asarray(self.scores.argmax(axis=1))


def tolerance(scores: Array) -> float:
    """Return by how much the sum of probabilities may miss 1: float32 and float16 round more coarsely."""
    return row_tolerance(scores.shape[1], float(np.finfo(scores.dtype).eps)) if scores.dtype.kind == "f" else 0.0


def row_tolerance(columns: int, eps: float) -> float:
    """Return by how much the sum of some probabilities may miss 1; `eps` is the rounding of their type."""
    return max(_TOLERANCE, 4 * columns * eps)


def read_scored(
    y_true: object, y_score: object, *, labels: ArrayLike = None, positive: object = None, sample_weight: object = None,
    groups: object = None, missing: str = "error", argument: str = "y_score",
) -> Scored:  # fmt: skip
    """Return items with scores, from whatever containers hold them.

    One score for each item makes two classes. An array with a column for each class makes as many classes, in the
    order of `labels` (by default the sorted classes of `y_true`); with `positive`, that class against the rest.
    """
    check_missing(missing)
    argument = argument if isinstance(argument, Argument) else Argument(argument)
    y_true = list(y_true) if isinstance(y_true, Iterator) else y_true
    check_alignment({"y_true": y_true, argument: y_score, "sample_weight": sample_weight, "groups": groups})
    names = _column_names(y_score)
    array = array_of(y_score)
    if array.ndim == 2 and array.shape[1] > 1:
        listed = names if labels is None else list(labels)
        scored, there = _of_columns(y_true, array, listed, labels is not None, positive, missing, argument)
        return _weighed(scored, there, sample_weight, groups)
    if labels is not None:
        positive = _last_of(labels, positive)
    truth = truth_of(y_true, positive, missing)
    scores, present = as_scores(array, len(truth.hit), argument, missing)
    found = Scored(truth.hit, scores, (truth.negative, truth.positive), argument=argument)
    return _weighed(found, both(truth.there, present), sample_weight, groups)


def _weighed(scored: Scored, there: Array | None, sample_weight: object, groups: object) -> Scored:
    """Return the items with weights and groups, without those that are left out or weigh nothing."""
    weights = as_item_weights(sample_weight, len(scored))
    units = None if groups is None else units_of_items(groups, len(scored))
    if weights is not None and not weights.all():
        there = both(there, weights > 0)
    found = replace(scored, weights=weights, units=units)
    found = found if there is None else replace(found.at(there), kept=there)
    if len(found) == 0:
        raise InputError("{y_true} has no items", advice="a measure needs at least one")
    return found


def _last_of(labels: ArrayLike, positive: object) -> object:
    """Return the positive class of two that are listed in order."""
    named = listed(labels, "labels")
    if len(named) != 2:
        raise InputError(
            "{labels} names {size} classes, and {y_score} has one score for each item",
            size=len(named),
            advice="give one column of scores for each class",
        )
    return named[-1] if positive is None else positive


def _column_names(y_score: object) -> list[object] | None:
    """Return the names of the columns of a data frame; None for plain arrays."""
    columns = getattr(y_score, "columns", None)
    return None if columns is None or callable(columns) else list(columns)


def _of_columns(
    y_true: object,
    array: Array,
    names: Sequence[object] | None,
    given: bool,
    positive: object,
    missing: str,
    argument: str,
) -> tuple[Scored, Array | None]:
    """Return items with a column of scores for each class, and which of them are present (None: all)."""
    known = confusion(y_true, y_true, missing="drop")
    there = None if not known.dropped else labelled(y_true, missing)
    if array.dtype == object:
        array = np.array([[np.nan if x is None else x for x in row] for row in array], dtype=float)
    array = array if array.dtype.kind == "f" else array.astype(np.float64)
    column = as_column(y_true, Argument("y_true"))
    if len(column) != len(array):
        raise InputError(
            "{name} has {size} rows of scores, {y_true} has {length} labels",
            name=argument,
            size=len(array),
            length=len(column),
            advice="they must be the same length",
        )
    classes = _classes_of(known.labels, array.shape[1], names, given, argument)
    codes = column.places(classes)
    absent: Array = np.asarray(np.isnan(array).any(axis=1))
    if absent.any():
        there = both(there, without_missing(array, absent, argument, missing)[1])
    scored = Scored(codes, array, classes, argument=argument)
    if positive is not None:
        check_positive(positive, classes)
        return scored.of_class(classes.index(positive)), there
    if len(classes) > 2:
        return scored, there
    if not given and not known._order.stated:
        raise unknown_positive(Phrase("what {y_score} means"), classes)
    if not scored.are_probabilities:
        raise InputError(
            "{name} has two columns that are not probabilities",
            name=argument,
            advice="give the scores of the positive class only, as in y_score[:, 1]",
        )
    return replace(scored, true=codes == 1, scores=np.ascontiguousarray(array[:, 1])), there


def _classes_of(
    found: tuple[object, ...], columns: int, names: Sequence[object] | None, given: bool, argument: str
) -> tuple[Label, ...]:
    """Return the class of each column of scores."""
    if names is not None and (given or set(found) <= set(names)):
        classes = tuple(names)
        unknown = [x for x in found if x not in classes]
        if unknown:
            raise InputError(
                "{y_true} has the class {unknown!r}, which is none of {labels}", unknown=unknown[0],
                advice="name the class of each column of scores",
            )  # fmt: skip
    else:
        classes = tuple(found)
    if len(classes) != columns:
        raise InputError(
            "{name} has {columns} columns, and there are {size} classes",
            name=argument,
            columns=columns,
            size=len(classes),
            advice="name the class of each column with {labels:=}",
        )
    return classes
