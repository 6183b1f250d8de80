"""What a definition of a measure of scores is: a value from scored items and, where it is known, each item's influence.

There are two ways to get the uncertainty of such a measure. Where `influences` is known, the variance follows from it
in one pass (for the area under the ROC curve this is DeLong's estimate). Elsewhere items are resampled.
"""

from __future__ import annotations

import numpy as np

from goodmeasure.counts.scores.scored import Scored
from goodmeasure.typing import Array

_BLOCK = 1 << 15  # items at once, so that what is computed for them stays in the cache


class DegenerateScores(Exception):  # noqa: N818 - a signal to the measure around a definition, never seen by users
    """Signal that scores are degenerate: why, and the value that the measure's rule gives them, if it has one."""

    def __init__(self, reason: str, rule: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.rule = reason, rule


class ScoreDefinition:
    """How a measure of scores is computed."""

    formula: str = ""
    needs_probabilities: bool = False
    classes: int | None = 2

    def value(self, data: Scored) -> float:
        """Return the value; raise DegenerateScores where there is none, or where only a rule gives one."""
        raise NotImplementedError

    def influences(self, data: Scored) -> Array | None:
        """Return how much each item moves the value: its weight times the derivative with respect to the weight.

        None where no derivative is known. The influences add up to 0, since weights have no scale.
        """
        return None

    def variance(self, data: Scored) -> float | None:
        """Return the sum of squared influences, where it is known without looking at each item; else None."""
        return None

    def remark(self, data: Scored, value: float) -> str | None:
        """Return what a reader must know about a value that is defined."""
        return None


def check_both_classes(data: Scored) -> None:
    """Signal that one of two classes has no items."""
    for size, label in zip(data.sizes, data.labels, strict=True):
        if size == 0:
            raise DegenerateScores(f"no item belongs to class {label!r}")


def check_ranked(data: Scored, value: float) -> float:
    """Return a value, or signal that it only says what its rule makes of scores that are all equal."""
    if data.ranking.all_tied:
        raise DegenerateScores("all scores are equal, so they rank no item above another", value)
    return value


class ItemMean(ScoreDefinition):
    """A mean over items of a loss or a gain of each."""

    needs_probabilities = True
    classes = None

    def terms(self, true: Array, scores: Array) -> Array:
        """Return the term of each item, in double precision."""
        raise NotImplementedError

    def value(self, data: Scored) -> float:
        if data.merged is not None and type(self) in data.merged.sums:
            return data.merged.sums[type(self)][0]
        total = 0.0
        with np.errstate(divide="ignore"):
            for start in range(0, len(data), _BLOCK):
                part = slice(start, start + _BLOCK)
                terms = self.terms(data.true[part], data.scores[part])
                total += float(terms.sum() if data.weights is None else terms @ data.weights[part])
        return total / data.total

    def influences(self, data: Scored) -> Array | None:
        with np.errstate(divide="ignore"):
            terms = self.terms(data.true, data.probabilities)
        return mean_influences(data, terms)

    def variance(self, data: Scored) -> float | None:
        if data.merged is None or type(self) not in data.merged.sums:
            return None
        found = data.merged.sums[type(self)][1]
        return found if np.isfinite(found) else None


def mean_influences(data: Scored, terms: Array) -> Array | None:
    """Return the influences on the weighted mean of some terms; None where a term is infinite."""
    if not np.isfinite(terms).all():
        return None
    if data.weights is None:
        return np.asarray((terms - terms.mean()) / data.total)
    found: Array = data.weights * (terms - float(terms @ data.weights) / data.total) / data.total
    return found


def of_true_class(true: Array, scores: Array) -> Array:
    """Return the probability of each item's true class, in double precision."""
    if scores.ndim == 1:
        wide = scores.astype(np.float64, copy=False)
        return np.where(true, wide, 1.0 - wide)
    found: Array = scores[np.arange(len(true)), true].astype(np.float64, copy=False)
    return found


class Scaled(ScoreDefinition):
    """A measure of scores times a factor, plus a constant."""

    def __init__(self, inner: ScoreDefinition, factor: float, constant: float, formula: str) -> None:
        self.inner, self.factor, self.constant, self.formula = inner, factor, constant, formula
        self.needs_probabilities, self.classes = inner.needs_probabilities, inner.classes

    def value(self, data: Scored) -> float:
        try:
            return self.factor * self.inner.value(data) + self.constant
        except DegenerateScores as signal:
            rule = None if signal.rule is None else self.factor * signal.rule + self.constant
            raise DegenerateScores(signal.reason, rule) from None

    def influences(self, data: Scored) -> Array | None:
        found = self.inner.influences(data)
        return None if found is None else self.factor * found

    def variance(self, data: Scored) -> float | None:
        found = self.inner.variance(data)
        return None if found is None else self.factor**2 * found


def value_or_rule(definition: ScoreDefinition, data: Scored) -> float:
    """Return the value, or what the rule makes of degenerate scores; NaN where it has none."""
    try:
        return definition.value(data)
    except DegenerateScores as signal:
        return np.nan if signal.rule is None else signal.rule


def weights_of(data: Scored) -> float | Array:
    """Return the weights of the items, or 1 for all."""
    return 1.0 if data.weights is None else data.weights
