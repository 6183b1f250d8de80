"""The chance level of a measure: its expected value for random predictions with the same predicted class sizes.

This is the baseline of Definition 8 of goesgens2021. With two classes a table has one free cell, so the expectation is
a sum over all tables with hypergeometric weights. With more classes there are three ways. A measure M that is affine in
the cells for fixed class sizes satisfies E[M(C)] = M(E[C]), and E[C] has the cells a_i·b_j/n. Any other measure is
averaged over all tables where these are few, and otherwise over tables drawn at random with a fixed seed. The mean of
drawn tables is rounded to the digits that so many draws support.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.language.policy import Policy
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure

_DRAWS, _FEWEST_DRAWS = 2_000, 200
_CELLS = 2_000_000  # cells drawn in all; with many classes, fewer tables are drawn
_MOST_CLASSES = 100  # with more classes drawing is slow, and random tables are close to the expected one
_MOST_ITEMS = 10**9  # the limit of NumPy's generator; with more items, tables equal the expected one to nine digits
_FEW_ITEMS = 500  # up to this many items per class, shuffling is faster than drawing row by row
_MOST_TABLES = 500_000  # how many tables of matrices of two classes are held in memory together
_HELD = 1 << 24  # how many cells of drawn tables are held in memory together
_FEW_TABLES = 20_000  # with more classes than two: up to this many tables are added up
_CORNERS = 24  # how many pairs of extreme tables a measure that looks affine is tested on
_SEED = 0


@dataclass(frozen=True)
class Chance:
    """An expected value and how it was found: "exact", "affine", "sampled", "independent" or "unknown"."""

    value: float
    how: str
    draws: int = 0

    @classmethod
    def of(cls, value: float, how: str, draws: int = 0) -> Chance:
        """Return a chance level, with 0 in place of a value that differs from 0 only by rounding."""
        return cls(0.0 if abs(value) < 1e-14 else value, how, draws)

    def __str__(self) -> str:
        if self.how == "unknown":
            return "not computed for so many classes"
        if math.isnan(self.value):
            return "undefined, because the measure is undefined for some predictions with the same class sizes"
        words = {
            "exact": "exact, over all predictions with the same class sizes",
            "affine": "exact, since the measure is affine in the cells",
            "sampled": f"average over {self.draws:,} random predictions with the same class sizes",
            "independent": "for independent labels, since the counts are not whole or too large to sample",
        }
        return f"{self.value:.6g} ({words[self.how]})"


def draws_of(m: int) -> int:
    """Return how many tables of m classes are drawn."""
    return min(_DRAWS, max(_FEWEST_DRAWS, _CELLS // m**2))


def chance_level(measure: Measure, cm: ConfusionMatrix, policy: Policy) -> Chance:
    """Return the expected value of a measure over all predictions with the same predicted class sizes."""
    return chance_levels([measure], cm, policy)[0]


def chance_levels(measures: Sequence[Measure], cm: ConfusionMatrix, policy: Policy) -> list[Chance]:
    """Return the chance level of each measure, on the same random predictions if they are needed."""
    if cm.is_sparse:
        return [Chance(math.nan, "unknown") for _ in measures]
    chance = _RandomPredictions(cm, policy)
    return [chance.level(measure) for measure in measures]


def chance_levels_of_pairs(measures: Sequence[Measure], counts: Array, policy: Policy) -> list[list[Chance]]:
    """Return the chance levels on matrices of two classes, of shape (…, 2, 2), with one call per measure and batch."""
    a, b, n = counts.sum(axis=2).astype(float), counts.sum(axis=1).astype(float), counts.sum(axis=(1, 2)).astype(float)
    expected = ConfusionMatrix((a / n[:, None])[:, :, None] * b[:, None, :])
    whole = _are_whole(counts)
    levels = [[Chance.of(float(x), "independent") for x in measure(expected, undefined=policy)] for measure in measures]
    for where in _together(np.flatnonzero(whole & (n < _MOST_ITEMS)), np.minimum(a[:, 1], b[:, 1])):
        parts = [_all_tables(int(a[k, 1]), int(b[k, 1]), int(n[k])) for k in where]
        starts = np.cumsum([0, *(len(weights) for _, weights in parts)])[:-1]
        tables = ConfusionMatrix(np.concatenate([found for found, _ in parts]))
        weights = np.concatenate([weights for _, weights in parts])
        for measure, found in zip(measures, levels, strict=True):
            means = np.add.reduceat(measure(tables, undefined=policy) * weights, starts)
            for k, value in zip(where.tolist(), means.tolist(), strict=True):
                found[k] = _over_all(value, found[k].value)
    return [list(row) for row in zip(*levels, strict=True)] if measures else [[] for _ in counts]


def chance_levels_of_many(measures: Sequence[Measure], counts: Array, policy: Policy) -> list[list[Chance]]:
    """Return the chance levels that `chance_levels` finds on each matrix of shape (…, m, m), with fewer calls."""
    if counts.shape[-1] == 2:
        return chance_levels_of_pairs(measures, counts, policy)
    chances = [_RandomPredictions(ConfusionMatrix(x), policy) for x in counts]
    step = max(1, _HELD // (chances[0].draws * counts.shape[-1] ** 2))
    found: list[list[Chance]] = []
    for start in range(0, len(chances), step):
        piece = _Together(chances[start : start + step], policy)
        columns = [piece.levels(measure) for measure in measures]
        found += [list(row) for row in zip(*columns, strict=True)] if measures else [[] for _ in piece.chances]
    return found


class _Together:
    """Random predictions for several matrices of one size; each measure is called on all of them at once."""

    def __init__(self, chances: Sequence[_RandomPredictions], policy: Policy) -> None:
        self.chances, self.policy = chances, policy
        self.expected = ConfusionMatrix(np.stack([x.expected for x in chances]))
        self.drawable = [k for k, x in enumerate(chances) if x.drawable]
        self.bent = [k for k in self.drawable if chances[k]._lines is not None]
        if len(self.bent):
            self.lines = ConfusionMatrix(np.stack([chances[k]._lines.counts for k in self.bent]))  # type: ignore[union-attr]
        if len(self.drawable):
            sizes = [(chances[k].cm.a, chances[k].cm.b) for k in self.drawable]
            self.corners = _corners(*(np.stack(x) for x in zip(*sizes, strict=True)))

    def levels(self, measure: Measure) -> list[Chance]:
        """Return the chance level of one measure on each matrix."""
        values = measure(self.expected, undefined=self.policy).tolist()
        affine = np.zeros(len(values), bool)
        affine[self.drawable] = True
        if len(self.bent):
            affine[self.bent] = are_affine_along(measure, self.lines, self.policy)
        if affine.any():
            holds = _hold(measure, self.corners, self.policy)
            for k, at_corners in zip(self.drawable, holds.tolist(), strict=True):
                affine[k] = affine[k] and (at_corners or _hold(measure, self.chances[k]._ends, self.policy))
        return [
            Chance.of(value, "independent") if not x.drawable
            else Chance.of(value, "affine") if known
            else x._sampled(measure)
            for x, value, known in zip(self.chances, values, affine.tolist(), strict=True)
        ]  # fmt: skip


def _together(places: Array, tables: Array) -> list[Array]:
    """Return the positions of matrices in runs whose tables are few enough to be held in memory together."""
    held = np.cumsum(np.minimum(tables[places] + 1, _MOST_TABLES)) // _MOST_TABLES
    return np.split(places, np.flatnonzero(np.diff(held)) + 1) if len(places) else []


def _over_all(value: float, at_expected: float) -> Chance:
    """Return the mean over all tables, or the value on the mean table if both agree: it has less rounding error."""
    near = abs(value - at_expected) <= 1e-12 * (1 + abs(value))
    return Chance.of(at_expected if near else value, "exact")


class _RandomPredictions:
    """The predictions with the class sizes of one matrix, drawn when a measure needs them and kept for the others."""

    def __init__(self, cm: ConfusionMatrix, policy: Policy) -> None:
        self.cm, self.policy = cm, policy
        self.expected = np.outer(cm.a.astype(float) / float(cm.n), cm.b.astype(float))
        self.drawable = cm.m <= _MOST_CLASSES and cm.n < _MOST_ITEMS and bool(_are_whole(cm.counts))
        self.draws = draws_of(cm.m)
        self._mean = ConfusionMatrix._counted(self.expected, cm.labels, cm._order)
        self._drawn: ConfusionMatrix | None = None
        self._every: tuple[ConfusionMatrix, Array] | None = None

    def level(self, measure: Measure) -> Chance:
        """Return the chance level of a measure."""
        at_expected = measure(self._mean, undefined=self.policy)
        if not self.drawable:
            return Chance.of(at_expected, "independent")
        if self.cm.m == 2:
            tables, weights = self._every_table()
            return _over_all(float((measure(tables, undefined=self.policy) * weights).sum()), at_expected)
        if self._is_affine(measure) and self._holds_on_tables(measure):
            return Chance.of(at_expected, "affine")
        return self._sampled(measure)

    def _sampled(self, measure: Measure) -> Chance:
        """Return the mean of a measure over all tables, or over drawn ones where there are too many."""
        if self._few is not None:
            tables, weights = self._few
            return Chance.of(float((measure(tables, undefined=self.policy) * weights).sum()), "exact")
        return Chance.of(mean_of_draws(measure(self._tables(), undefined=self.policy)), "sampled", self.draws)

    @cached_property
    def _few(self) -> tuple[ConfusionMatrix, object] | None:
        """Return all tables with these class sizes, and their weights; None if there are too many."""
        found = few_tables(self.cm.a.tolist(), self.cm.b.tolist(), _FEW_TABLES)
        return None if found is None else (ConfusionMatrix(found[0]), found[1])

    def _every_table(self) -> tuple[ConfusionMatrix, Array]:
        """Return all tables of two classes with their weights, computed once."""
        if self._every is None:
            tables, weights = _all_tables(int(self.cm.a[1]), int(self.cm.b[1]), int(self.cm.n))
            self._every = ConfusionMatrix(tables), weights
        return self._every

    def _tables(self) -> ConfusionMatrix:
        """Return the drawn tables, drawn once."""
        if self._drawn is None:
            draws = random_tables(self.cm.a, self.cm.b, self.draws, np.random.default_rng(_SEED))
            self._drawn = ConfusionMatrix(draws)
        return self._drawn

    @cached_property
    def _lines(self) -> ConfusionMatrix | None:
        """Return the lines along which all measures are tested for being affine."""
        found = random_lines(self.expected, fixed_predicted=True)
        return None if found is None else ConfusionMatrix(found)

    def _is_affine(self, measure: Measure) -> bool:
        """Return whether a measure is affine near the expected matrix, for fixed true and predicted class sizes."""
        return self._lines is None or bool(are_affine_along(measure, self._lines, self.policy))

    def _holds_on_tables(self, measure: Measure) -> bool:
        """Return whether a measure that is affine near the expected matrix is so on whole-number tables too.

        Such tables may have empty cells, where a rule of the measure may act. Extreme tables have the most empty cells;
        if the measure is not affine on those, drawn tables decide whether that matters.
        """
        return bool(_hold(measure, self._extreme, self.policy) or _hold(measure, self._ends, self.policy))

    @cached_property
    def _extreme(self) -> list[ConfusionMatrix]:
        """Extreme tables with the class sizes of the matrix."""
        return _corners(self.cm.a, self.cm.b)

    @cached_property
    def _ends(self) -> list[ConfusionMatrix]:
        """Random tables, other random tables, and the points halfway between them."""
        rng = np.random.default_rng(_SEED)
        one, two = (random_tables(self.cm.a, self.cm.b, self.draws // 10, rng) for _ in range(2))
        return [ConfusionMatrix(x) for x in (one, two, (one + two) / 2)]


def _are_whole(counts: Array) -> Array:
    """Return whether all counts of a matrix, or of each of several (…, m, m), are integers."""
    if counts.dtype.kind in "iu":
        return np.ones(counts.shape[:-2], bool)
    whole: Array = np.all(np.mod(counts.astype(float), 1) == 0, axis=(-2, -1))
    return whole


def _corners(a: Array, b: Array) -> list[ConfusionMatrix]:
    """Return extreme tables with class sizes (…, m), other ones, and the points halfway between them.

    All have the shape (…, tables, m, m). A table is filled from its north-west corner, with the classes in some order:
    each cell takes as many items as it can.
    """
    m, rng = a.shape[-1], np.random.default_rng(_SEED)
    in_order = np.arange(m)
    fixed = [(in_order, in_order), (in_order, in_order[::-1]), (in_order, np.roll(in_order, 1))]
    drawn = [(rng.permutation(m), rng.permutation(m)) for _ in range(2 * _CORNERS - len(fixed))]
    tables = np.stack([_north_west(a, b, rows, columns) for rows, columns in fixed + drawn], axis=-3)
    one, two = tables[..., ::2, :, :], tables[..., 1::2, :, :]
    return [ConfusionMatrix(x) for x in (one, two, (one + two) / 2)]


def _north_west(a: Array, b: Array, rows: Array, columns: Array) -> Array:
    """Return the table in which each cell is the overlap of its row and its column when these are laid end to end."""
    down, right = np.cumsum(a[..., rows], axis=-1), np.cumsum(b[..., columns], axis=-1)
    ends = np.minimum(down[..., :, None], right[..., None, :])
    starts = np.maximum((down - a[..., rows])[..., :, None], (right - b[..., columns])[..., None, :])
    table: Array = np.maximum(ends - starts, 0)[..., np.argsort(rows), :][..., np.argsort(columns)]
    return table


def _hold(measure: Measure, ends: Sequence[ConfusionMatrix], policy: Policy) -> Array:
    """Return whether the values halfway between tables (…, tables, m, m) are the means of the values on them."""
    one, two, half = (measure(x, undefined=policy) for x in ends)
    holds: Array = np.all(np.abs(one + two - 2 * half) <= 1e-9 * (1 + np.abs(half)), axis=-1)
    return holds


def _all_tables(a1: int, b1: int, n: int) -> tuple[Array, Array]:
    """Return all tables of two classes with these class sizes, and their hypergeometric weights.

    The weights follow from the ratio of neighbouring ones, as logarithms, so that no factorial overflows. Tables more
    than forty standard deviations from the expected one are left out: their weights vanish in floating point.
    """
    middle = a1 * b1 / n
    reach = 40 * math.sqrt(middle * (1 - a1 / n) * (1 - b1 / n) * n / max(1, n - 1)) + 40
    low = max(0, a1 + b1 - n, math.floor(middle - reach))
    tp = np.arange(low, min(a1, b1, math.ceil(middle + reach)) + 1, dtype=np.float64)
    step = (a1 - tp[:-1]) * (b1 - tp[:-1]) / ((tp[:-1] + 1) * (n - a1 - b1 + tp[:-1] + 1))
    logs = np.concatenate([[0.0], np.cumsum(np.log(step))])
    weights = np.exp(logs - logs.max())
    whole = tp.astype(np.int64)
    tables = np.stack([n - a1 - b1 + whole, b1 - whole, a1 - whole, whole], axis=-1).reshape(-1, 2, 2)
    return tables, weights / weights.sum()


def few_tables(a: Sequence[int], b: Sequence[int], most: int) -> tuple[object, object] | None:
    """Return all tables with these class sizes and the probability of each; None if there are more than `most`.

    If labels are shuffled, the table c has the probability Π a_i!·Π b_j! / (n!·Π c_ij!).
    """
    a, b = [int(x) for x in a], [int(x) for x in b]
    bound = math.prod(math.comb(size + len(b) - 1, len(b) - 1) for size in sorted(a)[:-1])
    if bound > 50 * most:
        return None
    found: list[list[tuple[int, ...]]] = []
    if not _fill(a, tuple(b), [], found, most):
        return None
    tables = np.array(found, dtype=np.int64)
    factorials = np.array([math.lgamma(k + 1) for k in range(max(*a, *b, 1) + 1)])
    fixed = sum(factorials[x] for x in (*a, *b)) - math.lgamma(sum(a) + 1)
    weights = np.exp(fixed - factorials[tables].sum(axis=(1, 2)))
    return tables, weights / weights.sum()


def _fill(
    a: list[int], left: tuple[int, ...], rows: list[tuple[int, ...]], found: list[list[tuple[int, ...]]], most: int
) -> bool:
    """Append all tables that begin with some rows, where `left` is what the columns still hold; False if too many."""
    if len(rows) == len(a) - 1:
        found.append([*rows, left])
        return len(found) <= most
    for row in _rows_within(a[len(rows)], left):
        rest = tuple(x - y for x, y in zip(left, row, strict=True))
        if not _fill(a, rest, [*rows, row], found, most):
            return False
    return True


def _rows_within(total: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield all rows with this sum whose cells are at most what the columns still hold."""
    if len(left) == 1:
        if total <= left[0]:
            yield (total,)
        return
    room = sum(left[1:])
    for first in range(max(0, total - room), min(total, left[0]) + 1):
        for rest in _rows_within(total - first, left[1:]):
            yield (first, *rest)


def mean_of_draws(values: Array) -> float:
    """Return the mean of drawn values, rounded to the decimals of which its standard error leaves no doubt.

    >>> mean_of_draws(np.array([0.1234, 0.2345, 0.1001, 0.1777]))
    0.2
    """
    return means_of_draws(values[None])[0]


def means_of_draws(values: Array) -> list[float]:
    """Return the mean of each row of drawn values, rounded in the same way."""
    means, errors = values.mean(axis=1), values.std(axis=1) / math.sqrt(values.shape[1])
    return [_supported(*x) for x in zip(means.tolist(), errors.tolist(), strict=True)]


def _supported(mean: float, error: float) -> float:
    if not math.isfinite(mean) or error <= 1e-12:
        return 0.0 if abs(mean) < 1e-14 else mean
    return round(mean, max(0, math.floor(-math.log10(2 * error)))) + 0.0


def log_choose(n: int, k: Array) -> Array:
    """Return log C(n, k) for an array of k."""
    log_factorial = np.vectorize(math.lgamma, otypes=[float])
    logs: Array = math.lgamma(n + 1) - log_factorial(k + 1.0) - log_factorial(n - k + 1.0)
    return logs


def are_affine_along(measure: Measure, lines: ConfusionMatrix, policy: Policy) -> Array:
    """Return for each of several sets of `random_lines` (…, 5, lines, m, m) whether a measure is affine along them.

    Its second differences vanish there. Then E[M(C)] = M(E[C]).
    """
    line = np.moveaxis(measure(lines, undefined=policy), (-2, -1), (0, 1))
    bends = line[:-2] - 2 * line[1:-1] + line[2:]
    affine: Array = np.all(np.abs(bends) <= 1e-11 * (1 + np.abs(line[2])), axis=(0, 1))
    return affine


def random_lines(expected: Array, *, fixed_predicted: bool) -> Array | None:
    """Return five matrices (shape 5, 4) on each of four random lines; None if only one matrix has these class sizes.

    A direction has row sums 0 (and column sums 0 if the predicted class sizes are fixed too), and the steps are short
    enough for all cells to stay positive.
    """
    rows, columns = expected.any(axis=1), expected.any(axis=0)
    directions = np.zeros((4, *expected.shape))
    moves = _moves(int(rows.sum()), int(columns.sum()), fixed_predicted)
    directions[:, np.ix_(rows, columns)[0], np.ix_(rows, columns)[1]] = moves  # an empty class stays empty
    if not np.abs(directions).max() > 1e-9:  # one labeling is constant, so there is only one table
        return None
    room = np.where(directions != 0, expected, np.inf) / np.where(directions != 0, np.abs(directions), 1.0)
    step = 0.4 * room.min(axis=(1, 2), keepdims=True)
    return np.stack([expected + t * step * directions for t in (-2.0, -1.0, 0.0, 1.0, 2.0)])


@lru_cache(maxsize=64)
def _moves(rows: int, columns: int, fixed_predicted: bool) -> Array:
    """Return random directions between occurring classes; they are the same in every call."""
    found = np.random.default_rng(_SEED).standard_normal((4, rows, columns))
    found -= found.mean(axis=2, keepdims=True)
    if fixed_predicted:
        found -= found.mean(axis=1, keepdims=True)
    return found


def random_tables(a: object, b: object, draws: int, rng: np.random.Generator) -> Array:
    """Return random confusion matrices with the given class sizes: predicted labels shuffled."""
    a, b = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    if len(b) ** 2 <= draws:
        return _cell_by_cell(a, b, draws, rng)
    return (_item_by_item if a.sum() <= _FEW_ITEMS * len(a) else _row_by_row)(a, b, draws, rng)


def _item_by_item(a: Array, b: Array, draws: int, rng: np.random.Generator) -> Array:
    """Return random tables for many classes and few items, by shuffling the predicted labels."""
    m = len(a)
    row_starts: Array = np.repeat(np.arange(m) * m, a)
    predicted: Array = np.repeat(np.arange(m, dtype=np.uint8 if m < 256 else np.int64), b)
    tables = np.empty((draws, m * m), dtype=np.int64)
    for table in tables:
        rng.shuffle(predicted)
        table[:] = np.bincount(row_starts + predicted, minlength=m * m)
    return tables.reshape(draws, m, m)


def _row_by_row(a: Array, b: Array, draws: int, rng: np.random.Generator) -> Array:
    """Return random tables for many classes, drawing each row of each table from what is left of the columns."""
    tables = np.zeros((draws, len(a), len(b)), dtype=np.int64)
    for table in tables:
        left = b.copy()
        for i, size in enumerate(a[:-1].tolist()):
            table[i] = rng.multivariate_hypergeometric(left, size, method="marginals")
            left -= table[i]
        table[-1] = left
    return tables


def _cell_by_cell(a: Array, b: Array, draws: int, rng: np.random.Generator) -> Array:
    """Return many random tables for few classes, drawing one cell of all tables at a time."""
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
