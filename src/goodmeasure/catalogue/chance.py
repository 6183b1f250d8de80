"""The chance level: what a measure expects of random predictions with the same predicted class sizes (Def. 8)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import Policy
from goodmeasure.counts.matrix import ConfusionMatrix

_TERMS = 200_000  # up to this many tables with the same margins are added up exactly
_DRAWS = 2_000
_MOST_ITEMS = 10**9  # what NumPy draws from; beyond it, chance is its expected matrix to nine digits
_SEED = 0


@dataclass(frozen=True)
class Chance:
    """An expected value and how it was found: "exact", "affine", "sampled" or "independent"."""

    value: float
    how: str

    @classmethod
    def of(cls, value: float, how: str) -> Chance:
        """A level that is 0 but for rounding is 0."""
        return cls(0.0 if abs(value) < 1e-14 else value, how)

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "undefined: the measure has no value on some predictions with the same class sizes"
        words = {
            "exact": "exactly, over all predictions with the same class sizes",
            "affine": "exactly, since the measure is affine in the cells",
            "sampled": f"by {_DRAWS} seeded draws of predictions with the same class sizes",
            "independent": "of independent labelings, since the counts are not whole or too many to draw",
        }
        return f"{self.value:.6g} ({words[self.how]})"


def chance_level(measure: Any, cm: ConfusionMatrix, policy: Policy) -> Chance:
    """E[M] over all predictions with the same predicted class sizes."""
    expected = np.outer(cm.a.astype(float) / float(cm.n), cm.b.astype(float))
    at_expected = measure(ConfusionMatrix(expected), undefined=policy)
    whole = all(float(x).is_integer() for x in cm.counts.ravel())
    if not whole or cm.n >= _MOST_ITEMS:
        return Chance.of(at_expected, "independent")
    affine = is_affine(measure, expected, policy)
    if cm.m == 2 and min(*cm.a, *cm.b) <= _TERMS:
        value = _over_all_tables(measure, cm, policy)
        near = affine and abs(value - at_expected) <= 1e-12 * (1 + abs(value))  # the same number without rounding
        return Chance.of(at_expected if near else value, "exact")
    if affine and _holds_on_tables(measure, cm, policy):
        return Chance.of(at_expected, "affine")
    draws = random_tables(cm.a, cm.b, _DRAWS, np.random.default_rng(_SEED))
    values = measure(ConfusionMatrix(draws), undefined=policy)
    return Chance.of(float(np.mean(values)), "sampled")


def _over_all_tables(measure: Any, cm: ConfusionMatrix, policy: Policy) -> float:
    """Two classes: one free cell, with hypergeometric weights."""
    a1, b1, n = int(cm.a[1]), int(cm.b[1]), int(cm.n)
    tp = np.arange(max(0, a1 + b1 - n), min(a1, b1) + 1)
    log_weights = log_choose(a1, tp) + log_choose(n - a1, b1 - tp)
    weights = np.exp(log_weights - log_weights.max())
    tables = np.stack([n - a1 - b1 + tp, b1 - tp, a1 - tp, tp], axis=-1).reshape(-1, 2, 2)
    values = measure(ConfusionMatrix(tables), undefined=policy)
    return float((values * weights).sum() / weights.sum())


def log_choose(n: int, k: Any) -> Any:
    """log C(n, k) for an array of k."""
    log_factorial = np.vectorize(math.lgamma, otypes=[float])
    return math.lgamma(n + 1) - log_factorial(k + 1.0) - log_factorial(n - k + 1.0)


def is_affine(measure: Any, expected: Any, policy: Policy, *, fixed_predicted: bool = True) -> bool:
    """Whether second differences vanish along random directions that keep the class sizes; so E[M] = M(E[C]).

    The true class sizes are always kept, the predicted ones where ``fixed_predicted``.
    """
    rows, columns = expected.any(axis=1), expected.any(axis=0)
    directions = np.zeros((4, *expected.shape))
    moves = np.random.default_rng(_SEED).standard_normal((4, rows.sum(), columns.sum()))
    moves -= moves.mean(axis=2, keepdims=True)
    if fixed_predicted:
        moves -= moves.mean(axis=1, keepdims=True)
    directions[:, np.ix_(rows, columns)[0], np.ix_(rows, columns)[1]] = moves  # an empty class stays empty
    if not np.abs(directions).max() > 1e-9:  # one labeling is constant: there is one table only
        return fixed_predicted
    room = np.where(directions != 0, expected, np.inf) / np.where(directions != 0, np.abs(directions), 1.0)
    step = 0.4 * room.min(axis=(1, 2), keepdims=True)
    ends = (expected + t * step * directions for t in (-2.0, -1.0, 0.0, 1.0, 2.0))
    line = [measure(ConfusionMatrix(x), undefined=policy) for x in ends]
    bends = [line[k - 1] - 2 * line[k] + line[k + 1] for k in (1, 2, 3)]
    return bool(np.all(np.abs(bends) <= 1e-11 * (1 + np.abs(line[2]))))


def _holds_on_tables(measure: Any, cm: ConfusionMatrix, policy: Policy) -> bool:
    """Whether a measure that is affine inside is so on real tables too, where rules may act at the rim."""
    rng = np.random.default_rng(_SEED)
    one, two = (random_tables(cm.a, cm.b, 200, rng) for _ in range(2))
    ends = [measure(ConfusionMatrix(x), undefined=policy) for x in (one, two, (one + two) / 2)]
    return bool(np.all(np.abs(ends[0] + ends[1] - 2 * ends[2]) <= 1e-9 * (1 + np.abs(ends[2]))))


def random_tables(a: Any, b: Any, draws: int, rng: np.random.Generator) -> Any:
    """Random confusion matrices with the given class sizes: labels dealt out at random, as in Definition 8."""
    rest = np.tile(np.asarray(b, dtype=np.int64), (draws, 1))
    tables = np.zeros((draws, len(a), len(b)), dtype=np.int64)
    for i, size in enumerate(np.asarray(a, dtype=np.int64)[:-1]):
        left = np.full(draws, size)
        for j in range(len(b) - 1):
            others = rest[:, j + 1 :].sum(axis=1)
            take = np.where(
                left > 0,
                rng.hypergeometric(np.maximum(rest[:, j], 0), others, np.minimum(left, rest[:, j] + others)),
                0,
            )
            tables[:, i, j] = take
            left = left - take
        tables[:, i, -1] = left
        rest = rest - tables[:, i]
    tables[:, -1] = rest
    return tables
