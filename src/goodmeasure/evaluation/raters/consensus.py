"""One label for each item from those of several raters: by majority, or weighed by how right each rater is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, ArrayLike, Label

_MOST_STEPS, _CLOSE = 500, 1e-9
_SMOOTH = 0.01  # ratings of each kind that every rater is taken to have given besides


@dataclass(frozen=True, eq=False)
class Consensus:
    """The probability of each label for each item; 0 for all where an item has no rating.

    As true labels of `gm.evaluate`, an item counts for each label with its probability.
    """

    values: tuple[Label, ...]
    probabilities: Array  # (items, values)
    method: str = "majority"

    @property
    def labels(self) -> tuple[Label, ...]:
        """Return the most probable label of each item, the first of equally probable ones; None without a rating."""
        rated = self.probabilities.sum(axis=1) > 0
        best = self.probabilities.argmax(axis=1)
        return tuple(self.values[k] if known else None for k, known in zip(best.tolist(), rated.tolist(), strict=True))

    @property
    def certainty(self) -> Array:
        """Return the probability of the label of each item."""
        found: Array = self.probabilities.max(axis=1)
        return found

    def confusion(self, y_pred: ArrayLike) -> ConfusionMatrix:
        """Return the confusion matrix of predicted labels, in which each item counts in part for each true label."""
        true, items, weights = self.weighted()
        said = list(y_pred)
        self.check(len(said))
        other = [x for x in dict.fromkeys(said) if x not in self.values]
        labels = (*self.values, *other)
        place = {x: k for k, x in enumerate(labels)}
        counts = np.zeros((len(labels), len(labels)))
        np.add.at(counts, (true, np.array([place[said[k]] for k in items.tolist()])), weights)
        return ConfusionMatrix(counts, labels)

    def weighted(self) -> tuple[Array, Array, Array]:
        """Return the label, the item and the probability of everything that is possible."""
        items, labels = np.nonzero(self.probabilities > _CLOSE)
        return labels, items, self.probabilities[items, labels]

    def rows(
        self, y_pred: ArrayLike, weight: ArrayLike, groups: ArrayLike, by: ArrayLike
    ) -> tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike, ArrayLike]:
        """Return true and predicted labels, weights, groups and slices, with a row for each possible label of an item.

        The rows of an item are a group, unless there are groups of items.
        """
        true, items, weights = self.weighted()

        def at(column: ArrayLike) -> ArrayLike:
            if isinstance(column, Mapping):
                return {name: at(x) for name, x in column.items()}
            listed = list(column)
            self.check(len(listed))
            return [listed[k] for k in items.tolist()]

        weights = weights if weight is None else weights * np.asarray(at(weight), np.float64)
        return (
            [self.values[k] for k in true.tolist()], at(y_pred), weights,
            items if groups is None else at(groups), None if by is None else at(by),
        )  # fmt: skip

    def check(self, size: int) -> None:
        """Refuse predictions for another number of items."""
        if size != len(self.probabilities):
            raise InputError("{y_pred} has {size:,} labels, and the consensus {items:,} items", argument="y_pred",
                             size=size, items=len(self.probabilities), advice="give one for each item")  # fmt: skip


def majority(ratings: Array, size: int) -> Array:
    """Return the shares of the most frequent ratings of each item: 1 for one, and 1/k for each of k."""
    votes = np.stack([(ratings == k).sum(axis=1) for k in range(size)], axis=1)
    most = votes.max(axis=1, keepdims=True)
    best = (votes == most) & (most > 0)
    return np.asarray(best / np.maximum(1, best.sum(axis=1, keepdims=True)))


def dawid_skene(ratings: Array, size: int) -> Array:
    """Return the probabilities of the labels by the EM algorithm of Dawid and Skene (1979)."""
    given = ratings >= 0
    votes = np.stack([(ratings == k).sum(axis=1) for k in range(size)], axis=1).astype(float)
    rated = given.any(axis=1)
    likely = votes / np.maximum(1, votes.sum(axis=1, keepdims=True))
    said = np.stack([(ratings == k) for k in range(size)], axis=2).astype(float)  # (items, raters, values)
    for _ in range(_MOST_STEPS):
        errors = np.einsum("it,irk->rtk", likely, said) + _SMOOTH
        errors /= errors.sum(axis=2, keepdims=True)
        shares = likely[rated].mean(axis=0)
        logs = np.log(np.maximum(shares, 1e-300)) + np.einsum("irk,rtk->it", said, np.log(errors))
        found = np.exp(logs - logs.max(axis=1, keepdims=True))
        found /= found.sum(axis=1, keepdims=True)
        found[~rated] = 0.0
        if np.abs(found - likely).max() < _CLOSE:
            break
        likely = found
    return np.asarray(found)
