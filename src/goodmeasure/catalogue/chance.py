"""The chance level: what a measure expects of random predictions with the same predicted class sizes (Def. 8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import Policy
from goodmeasure.counts.matrix import ConfusionMatrix

_DRAWS, _FEWEST_DRAWS = 2_000, 200
_CELLS = 2_000_000  # drawn for all tables together; with many classes fewer tables are drawn
_MOST_CLASSES = 100  # beyond it drawing is slow, and chance is close to its expected matrix
_MOST_ITEMS = 10**9  # what NumPy draws from; beyond it, chance is its expected matrix to nine digits
_FEW_ITEMS = 500  # per class: shuffling so many is quicker than drawing row by row
_MOST_TABLES = 500_000  # of several matrices of two classes, kept together
_SEED = 0


@dataclass(frozen=True)
class Chance:
    """An expected value and how it was found: "exact", "affine", "sampled", "independent" or "unknown"."""

    value: float
    how: str
    draws: int = 0

    @classmethod
    def of(cls, value: float, how: str, draws: int = 0) -> Chance:
        """A level that is 0 but for rounding is 0."""
        return cls(0.0 if abs(value) < 1e-14 else value, how, draws)

    def __str__(self) -> str:
        if self.how == "unknown":
            return "not computed for so many classes"
        if math.isnan(self.value):
            return "undefined: the measure has no value on some predictions with the same class sizes"
        words = {
            "exact": "exactly, over all predictions with the same class sizes",
            "affine": "exactly, since the measure is affine in the cells",
            "sampled": f"by {self.draws} seeded draws of predictions with the same class sizes",
            "independent": "of independent labelings, since the counts are not whole, or too many to draw",
        }
        return f"{self.value:.6g} ({words[self.how]})"


def chance_level(measure: Any, cm: ConfusionMatrix, policy: Policy) -> Chance:
    """E[M] over all predictions with the same predicted class sizes."""
    return chance_levels([measure], cm, policy)[0]


def chance_levels(measures: Sequence[Any], cm: ConfusionMatrix, policy: Policy) -> list[Chance]:
    """The chance level of each measure, on the same random predictions where they are needed."""
    if cm.is_sparse:
        return [Chance(math.nan, "unknown") for _ in measures]
    chance = _RandomPredictions(cm, policy)
    return [chance.level(measure) for measure in measures]


def chance_levels_by_class(
    measures: Sequence[Any], rests: Sequence[ConfusionMatrix], policy: Policy
) -> list[list[Chance]]:
    """The chance levels on several matrices of two classes: all their tables in one batch for each measure."""
    chances = [_RandomPredictions(cm, policy) for cm in rests]
    alike = all(x.drawable and x.cm.m == 2 for x in chances)
    parts = [x._every_table() for x in chances] if alike else []
    ends = np.cumsum([len(weights) for _, weights in parts])
    if not alike or not len(ends) or ends[-1] > _MOST_TABLES:
        return [[x.level(measure) for measure in measures] for x in chances]
    tables = ConfusionMatrix(np.concatenate([found.counts for found, _ in parts]))
    weights = np.concatenate([weights for _, weights in parts])
    expected = ConfusionMatrix(np.stack([x.expected for x in chances]))
    columns = []
    for measure in measures:
        weighed = np.split(measure(tables, undefined=policy) * weights, ends[:-1])
        at_expected = measure(expected, undefined=policy)
        columns.append([_over_all(float(x.sum()), float(y)) for x, y in zip(weighed, at_expected, strict=True)])
    return [list(row) for row in zip(*columns, strict=True)]


def _over_all(value: float, at_expected: float) -> Chance:
    """The mean over all tables; where the value on their mean is the same number, that has less rounding in it."""
    near = abs(value - at_expected) <= 1e-12 * (1 + abs(value))
    return Chance.of(at_expected if near else value, "exact")


class _RandomPredictions:
    """The predictions with the class sizes of one matrix; drawn when a measure needs them, and kept for the others."""

    def __init__(self, cm: ConfusionMatrix, policy: Policy) -> None:
        self.cm, self.policy = cm, policy
        self.expected = np.outer(cm.a.astype(float) / float(cm.n), cm.b.astype(float))
        whole = all(float(x).is_integer() for x in cm.counts.ravel())
        self.drawable = whole and cm.n < _MOST_ITEMS and cm.m <= _MOST_CLASSES
        self.draws = min(_DRAWS, max(_FEWEST_DRAWS, _CELLS // cm.m**2))
        self._mean = ConfusionMatrix(self.expected)
        self._drawn: Any = None
        self._ends: Any = None
        self._every: Any = None

    def level(self, measure: Any) -> Chance:
        at_expected = measure(self._mean, undefined=self.policy)
        if not self.drawable:
            return Chance.of(at_expected, "independent")
        if self.cm.m == 2:
            tables, weights = self._every_table()
            return _over_all(float((measure(tables, undefined=self.policy) * weights).sum()), at_expected)
        if self._is_affine(measure) and self._holds_on_tables(measure):
            return Chance.of(at_expected, "affine")
        return Chance.of(float(np.mean(measure(self._tables(), undefined=self.policy))), "sampled", self.draws)

    def _every_table(self) -> tuple[ConfusionMatrix, Any]:
        if self._every is None:
            self._every = _all_tables(self.cm)
        return self._every  # type: ignore[no-any-return]

    def _tables(self) -> ConfusionMatrix:
        if self._drawn is None:
            draws = random_tables(self.cm.a, self.cm.b, self.draws, np.random.default_rng(_SEED))
            self._drawn = ConfusionMatrix(draws)
        return self._drawn  # type: ignore[no-any-return]

    @cached_property
    def _lines(self) -> ConfusionMatrix | None:
        return _lines(self.expected, fixed_predicted=True)

    def _is_affine(self, measure: Any) -> bool:
        """As `is_affine`, with the predicted class sizes kept too, and along the same lines for all measures."""
        return self._lines is None or _is_straight(measure, self._lines, self.policy)

    def _holds_on_tables(self, measure: Any) -> bool:
        """Whether a measure that is affine inside is so on real tables too, where rules may act at the rim."""
        if self._ends is None:
            rng = np.random.default_rng(_SEED)
            one, two = (random_tables(self.cm.a, self.cm.b, self.draws // 10, rng) for _ in range(2))
            self._ends = [ConfusionMatrix(x) for x in (one, two, (one + two) / 2)]
        ends = [measure(x, undefined=self.policy) for x in self._ends]
        return bool(np.all(np.abs(ends[0] + ends[1] - 2 * ends[2]) <= 1e-9 * (1 + np.abs(ends[2]))))


def _all_tables(cm: ConfusionMatrix) -> tuple[ConfusionMatrix, Any]:
    """Two classes: one free cell; all tables with the class sizes of `cm`, and their hypergeometric weights.

    Tables that are more than forty standard deviations from the expected one weigh less than floats can tell.
    """
    a1, b1, n = int(cm.a[1]), int(cm.b[1]), int(cm.n)
    middle = a1 * b1 / n
    reach = 40 * math.sqrt(middle * (1 - a1 / n) * (1 - b1 / n) * n / max(1, n - 1)) + 40
    low = max(0, a1 + b1 - n, math.floor(middle - reach))
    tp = np.arange(low, min(a1, b1, math.ceil(middle + reach)) + 1, dtype=np.float64)
    step = (a1 - tp[:-1]) * (b1 - tp[:-1]) / ((tp[:-1] + 1) * (n - a1 - b1 + tp[:-1] + 1))
    logs = np.concatenate([[0.0], np.cumsum(np.log(step))])
    weights = np.exp(logs - logs.max())
    whole = tp.astype(np.int64)
    tables = np.stack([n - a1 - b1 + whole, b1 - whole, a1 - whole, whole], axis=-1).reshape(-1, 2, 2)
    return ConfusionMatrix(tables), weights / weights.sum()


def log_choose(n: int, k: Any) -> Any:
    """log C(n, k) for an array of k."""
    log_factorial = np.vectorize(math.lgamma, otypes=[float])
    return math.lgamma(n + 1) - log_factorial(k + 1.0) - log_factorial(n - k + 1.0)


def is_affine(measure: Any, expected: Any, policy: Policy) -> bool:
    """Whether second differences vanish along random directions that keep the true class sizes; so E[M] = M(E[C])."""
    found = _lines(expected, fixed_predicted=False)
    return found is not None and _is_straight(measure, found, policy)


def _is_straight(measure: Any, lines: ConfusionMatrix, policy: Policy) -> bool:
    """Whether a measure bends nowhere along lines of five matrices each."""
    line = measure(lines, undefined=policy)
    bends = line[:-2] - 2 * line[1:-1] + line[2:]
    return bool(np.all(np.abs(bends) <= 1e-11 * (1 + np.abs(line[2]))))


def _lines(expected: Any, *, fixed_predicted: bool) -> ConfusionMatrix | None:
    """Five matrices (of shape 5, 4) along each of four random lines; None where there is one matrix only."""
    rows, columns = expected.any(axis=1), expected.any(axis=0)
    directions = np.zeros((4, *expected.shape))
    moves = np.random.default_rng(_SEED).standard_normal((4, rows.sum(), columns.sum()))
    moves -= moves.mean(axis=2, keepdims=True)
    if fixed_predicted:
        moves -= moves.mean(axis=1, keepdims=True)
    directions[:, np.ix_(rows, columns)[0], np.ix_(rows, columns)[1]] = moves  # an empty class stays empty
    if not np.abs(directions).max() > 1e-9:  # one labeling is constant: there is one table only
        return None
    room = np.where(directions != 0, expected, np.inf) / np.where(directions != 0, np.abs(directions), 1.0)
    step = 0.4 * room.min(axis=(1, 2), keepdims=True)
    return ConfusionMatrix(np.stack([expected + t * step * directions for t in (-2.0, -1.0, 0.0, 1.0, 2.0)]))


def random_tables(a: Any, b: Any, draws: int, rng: np.random.Generator) -> Any:
    """Random confusion matrices with the given class sizes: labels dealt out at random, as in Definition 8."""
    a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    if len(b) ** 2 <= draws:
        return _cell_by_cell(a, b, draws, rng)
    return (_item_by_item if a.sum() <= _FEW_ITEMS * len(a) else _row_by_row)(a, b, draws, rng)


def _item_by_item(a: Any, b: Any, draws: int, rng: np.random.Generator) -> Any:
    """Many classes and few items: the predicted labels are shuffled."""
    m = len(a)
    row_starts: Any = np.repeat(np.arange(m) * m, a)
    predicted: Any = np.repeat(np.arange(m, dtype=np.uint8 if m < 256 else np.int64), b)
    tables = np.empty((draws, m * m), dtype=np.int64)
    for table in tables:
        rng.shuffle(predicted)
        table[:] = np.bincount(row_starts + predicted, minlength=m * m)
    return tables.reshape(draws, m, m)


def _row_by_row(a: Any, b: Any, draws: int, rng: np.random.Generator) -> Any:
    """Many classes and few tables: each row of each table is one draw from what is left."""
    tables = np.zeros((draws, len(a), len(b)), dtype=np.int64)
    for table in tables:
        left = b.copy()
        for i, size in enumerate(a[:-1].tolist()):
            table[i] = rng.multivariate_hypergeometric(left, size, method="marginals")
            left -= table[i]
        table[-1] = left
    return tables


def _cell_by_cell(a: Any, b: Any, draws: int, rng: np.random.Generator) -> Any:
    """Few classes and many tables: each cell of all tables is one draw."""
    rest = np.tile(b, (draws, 1))
    tables = np.zeros((draws, len(a), len(b)), dtype=np.int64)
    for i, size in enumerate(a[:-1]):
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
