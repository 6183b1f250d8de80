"""`raters`: how far any number of raters agree, where some ratings may be missing.

Every coefficient follows from how many raters gave each rating to each item (Gwet 2014, chapters 2 to 5):

- the agreement that is seen: the share of pairs of ratings of one item that are equal, the mean over items;
- the agreement by chance, which the coefficients see differently, from the shares of the ratings (Fleiss 1971, with
  missing ratings as Gwet has it; AC1 and AC2: Gwet 2008) or from their number (Brennan and Prediger 1981);
- Krippendorff's alpha compares the distances within items with those between any two ratings (Krippendorff 2004).

With ratings in order or in numbers, a pair of ratings that are close agrees in part. Items are what varies: an interval
comes from the coefficients without each item (the jackknife), as Wilson's interval with an effective number of items.
Where the raters are themselves a sample of many, the variance between them is added, from the coefficients without
each rater.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from goodmeasure.counts.classes import in_order
from goodmeasure.counts.counting import check_choices
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.evaluation.intervals.proportions import Proportion, wilson
from goodmeasure.evaluation.raters.consensus import Consensus, dawid_skene, majority
from goodmeasure.evaluation.raters.reading_ratings import ratings_of
from goodmeasure.evaluation.raters.replacing import Replacement, alternative_annotator_test
from goodmeasure.evaluation.writing import Written
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.options import check_level
from goodmeasure.typing import Array, ArrayLike, DataLike, Label, LabelsLike

NAMES = {
    "krippendorff_alpha": "Krippendorff's alpha",
    "fleiss_kappa": "Fleiss' kappa",
    "gwet_ac1": "Gwet's AC1",
    "gwet_ac2": "Gwet's AC2",
    "brennan_prediger": "Brennan–Prediger",
    "percent_agreement": "Percent agreement",
}
_BLOCKS = 1000  # items: with more, they are left out in so many blocks
_IMAGINED = 1.0  # items, of which half agree by chance: docs/raters.md has the coverage


@dataclass(frozen=True)
class PairOfRaters:
    """How far two raters agree on the items that both rated: the share of equal ratings, and Cohen's kappa."""

    first: str
    second: str
    items: int
    agreement: float
    kappa: float


@dataclass(frozen=True)
class LeftOutRater:
    """A coefficient without one rater, and how often this rater says what most others say."""

    rater: str
    items: int
    value: float
    with_majority: float


@dataclass(frozen=True)
class _Sums:
    """What coefficients are computed of, for one or several samples of items (b)."""

    agreement: Array  # (b,) the sum over items of the share of pairs that agree, 1 for each pair that is equal
    partial: Array  # (b,) the same, with partial agreement
    paired: Array  # (b,) items with at least two ratings
    shares: Array  # (b, q) the sum over items of the shares of ratings
    items: Array  # (b,) items with a rating
    together: Array  # (b, q, q) pairs of ratings of one item, each item with as many as it has ratings


@dataclass(frozen=True, eq=False, repr=False)
class Raters(Written):
    """The ratings of items by several raters: positions among `values`, −1 where a rater did not rate an item."""

    kind: ClassVar[str] = "raters"
    ratings: Array  # (items, raters)
    values: tuple[Label, ...]
    names: tuple[str, ...]
    items: tuple[Label, ...]
    level: str = "nominal"
    distances: Array | None = None  # between values, where users gave their own
    confidence: float = 0.95

    # Coefficients

    def value(self, measure: str = "krippendorff_alpha") -> float:
        """Return a coefficient of agreement.

        It is "krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "gwet_ac2", "brennan_prediger" or "percent_agreement".

        >>> from goodmeasure.evaluation.raters.raters import raters
        >>> found = raters([["a", "a", "a"], ["b", "b", None], ["a", "b", "b"], ["a", "a", None]])
        >>> round(found.value("percent_agreement"), 4), round(found.value("fleiss_kappa"), 4)
        (0.8333, 0.6571)
        """
        return float(self._coefficient(_known(measure), self._sums)[0])

    def interval(self, measure: str = "krippendorff_alpha", *, raters: str = "fixed") -> tuple[float, float]:
        """Return the confidence interval of a coefficient over items; with ``raters="sample"``, over raters as well."""
        name = _known(measure)
        if raters not in ("fixed", "sample"):
            raise InputError("{raters} is {got!r}", argument="raters", got=raters, advice="use 'fixed' or 'sample'")
        value, error, units = self.value(name), self.standard_error(name, raters=raters), self._units
        if math.isnan(value) or math.isnan(error):
            return math.nan, math.nan
        least = 0.0 if name == "percent_agreement" else -1.0
        width = 1.0 - least
        share = min(max((value - least) / width, 0.0), 1.0)
        freedom = max(1.0, units - 1.0) if raters == "fixed" else max(1.0, min(units, len(self.names)) - 1.0)
        reach = students_quantile(0.5 + self.confidence / 2, freedom)
        more = _IMAGINED * (share**2 + (1 - share) ** 2) / 2 / units**2
        size = share * (1 - share) / ((error / width) ** 2 + more) if 0 < share < 1 else units
        low, high = (least + width * x for x in wilson(Proportion(share, size), reach))
        return min(low, value), max(high, value)

    def standard_error(self, measure: str = "krippendorff_alpha", *, raters: str = "fixed") -> float:
        """Return the jackknife standard error of a coefficient over items; with ``raters="sample"``, and raters."""
        name = _known(measure)
        found = _jackknife(self._coefficient(name, self._without_items))
        if raters == "sample":
            left = [self._without(k).value(name) for k in range(len(self.names))]
            found += _jackknife(np.array(left))
        return math.sqrt(found)

    @cached_property
    def _table(self) -> Array:
        """Return how many raters gave each rating to each item (items, values)."""
        found = np.zeros((len(self.ratings), len(self.values)))
        rows, columns = np.nonzero(self.ratings >= 0)
        np.add.at(found, (rows, self.ratings[rows, columns]), 1)
        return found

    @property
    def _units(self) -> float:
        return float((self._table.sum(axis=1) >= 2).sum())

    @cached_property
    def _of_items(self) -> _Sums:
        """Return what each item adds to the sums."""
        table, weights = self._table, self._agreeing()
        number = table.sum(axis=1)
        pairs = np.maximum(number * (number - 1), 1.0)
        paired = (number >= 2).astype(float)
        together = table[:, :, None] * table[:, None, :]
        diagonal = np.arange(table.shape[1])
        together[:, diagonal, diagonal] -= table
        partial = np.einsum("nkl,kl->n", together, weights) / pairs
        equal = np.trace(together, axis1=1, axis2=2) / pairs
        together *= (paired / np.maximum(number - 1, 1))[:, None, None]
        shares = table / np.maximum(number, 1)[:, None]
        return _Sums(equal * paired, partial * paired, paired, shares, (number >= 1).astype(float), together)

    @cached_property
    def _sums(self) -> _Sums:
        x = self._of_items
        return _Sums(*(np.asarray(getattr(x, name).sum(axis=0))[None] for name in _FIELDS))

    @cached_property
    def _without_items(self) -> _Sums:
        """Return the sums without each item, or without each of a thousand blocks of them."""
        x, size = self._of_items, len(self.ratings)
        if size > _BLOCKS:
            block = np.arange(size) % _BLOCKS
            parts = []
            for name in _FIELDS:
                each = getattr(x, name)
                added = np.zeros((_BLOCKS, *each.shape[1:]))
                np.add.at(added, block, each)
                parts.append(added)
        else:
            used = self._table.sum(axis=1) >= 1
            parts = [getattr(x, name)[used] for name in _FIELDS]
        return _Sums(*(part.sum(axis=0)[None] - part for part in parts))

    def _coefficient(self, name: str, x: _Sums) -> Array:
        """Return a coefficient for each sample."""
        with np.errstate(all="ignore"):
            if name == "krippendorff_alpha":
                return self._alpha(x.together)
            weights = np.eye(len(self.values)) if name == "gwet_ac1" else self._agreeing()
            seen = (x.agreement if name == "gwet_ac1" else x.partial) / x.paired
            if name == "percent_agreement":
                return seen
            shares, size = x.shares / x.items[:, None], len(self.values)
            if name == "fleiss_kappa":
                chance = np.einsum("bk,kl,bl->b", shares, weights, shares)
            elif name == "brennan_prediger":
                chance = np.full(len(seen), weights.sum() / size**2)
            else:
                chance = weights.sum() / max(1, size * (size - 1)) * (shares * (1 - shares)).sum(axis=1)
            found: Array = np.where(chance < 1, (seen - chance) / (1 - chance), np.where(seen == 1, 1.0, np.nan))
            return found

    def _alpha(self, together: Array) -> Array:
        """Return Krippendorff's alpha of pairs of ratings (b, q, q)."""
        totals = together.sum(axis=2)
        distances = self._distances(totals)
        number = totals.sum(axis=1)
        seen = (together * distances).sum(axis=(1, 2)) / number
        outer = totals[:, :, None] * totals[:, None, :]
        diagonal = np.arange(totals.shape[1])
        outer[:, diagonal, diagonal] -= totals
        chance = (outer * distances).sum(axis=(1, 2)) / (number * (number - 1))
        found: Array = np.where(chance > 0, 1 - seen / chance, np.where(number > 0, 1.0, np.nan))
        return found

    def _distances(self, totals: Array) -> Array:
        """Return the squared distances (b, q, q) or (q, q) between ratings."""
        size = len(self.values)
        if self.level == "nominal":
            return np.asarray(1.0 - np.eye(size))
        if self.level == "ordinal":
            upto = np.cumsum(totals, axis=1)
            between = np.abs(upto[:, :, None] - upto[:, None, :])
            smaller = np.minimum(*np.meshgrid(np.arange(size), np.arange(size)))
            first = np.take_along_axis(totals[:, None, :].repeat(size, 1), smaller[None].repeat(len(totals), 0), axis=2)
            ends = (totals[:, :, None] + totals[:, None, :]) / 2
            found: Array = (between + first - ends) ** 2
            return found
        return self._squared()

    def _squared(self) -> Array:
        """Return the squared distances between ratings where they do not depend on how frequent they are."""
        if self.level == "own":
            return np.asarray(self.distances)
        x = np.array([float(value) for value in self.values])  # type: ignore[arg-type]  # checked when they were read
        apart, added = x[:, None] - x[None, :], x[:, None] + x[None, :]
        if self.level == "ratio":
            apart = np.divide(apart, added, out=np.zeros_like(apart), where=added != 0)
        return np.asarray(apart**2)

    def _agreeing(self) -> Array:
        """Return how far each pair of ratings agrees: 1 for equal ones, 0 for those that are farthest apart."""
        size = len(self.values)
        if self.level == "nominal" or size < 2:
            return np.eye(size)
        if self.level == "ordinal":
            steps = np.abs(np.subtract.outer(np.arange(size), np.arange(size)))
            return np.asarray(1 - steps * (steps + 1) / (size * (size - 1)))
        squared = self._squared()
        return np.asarray(1 - squared / max(float(squared.max()), 1e-300))

    # Raters

    def _without(self, k: int) -> Raters:
        keep = [j for j in range(len(self.names)) if j != k]
        return replace(self, ratings=self.ratings[:, keep], names=tuple(self.names[j] for j in keep))

    @cached_property
    def pairs(self) -> tuple[PairOfRaters, ...]:
        """Return how far each two raters agree on the items that both rated."""
        found = []
        for i in range(len(self.names)):
            for j in range(i + 1, len(self.names)):
                one, two = self.ratings[:, i], self.ratings[:, j]
                both = (one >= 0) & (two >= 0)
                table = np.bincount(one[both] * len(self.values) + two[both], minlength=len(self.values) ** 2)
                table = table.reshape(len(self.values), -1) / max(1, both.sum())
                seen, chance = float(np.trace(table)), float(table.sum(axis=0) @ table.sum(axis=1))
                kappa = (seen - chance) / (1 - chance) if both.any() and chance < 1 else math.nan
                agreement = seen if both.any() else math.nan
                found.append(PairOfRaters(self.names[i], self.names[j], int(both.sum()), agreement, kappa))
        return tuple(found)

    def matrix(self, first: str, second: str) -> ConfusionMatrix:
        """Return how often two raters gave each pair of ratings: rows are those of the first."""
        for name in (first, second):
            if name not in self.names:
                raise InputError("there is no rater {name!r}", argument="first", name=name,
                                 known=", ".join(map(repr, self.names)), advice="the raters are {known}")  # fmt: skip
        one, two = (self.ratings[:, self.names.index(x)] for x in (first, second))
        both = (one >= 0) & (two >= 0)
        size = len(self.values)
        table = np.bincount(one[both] * size + two[both], minlength=size**2).reshape(size, size)
        return ConfusionMatrix(table, self.values)

    def without_each(self, measure: str = "krippendorff_alpha") -> tuple[LeftOutRater, ...]:
        """Return a coefficient without each rater, and how often that rater says what most others say.

        A rater without whom the others agree far better is the one to talk to.
        """
        name, found = _known(measure), []
        for k, rater in enumerate(self.names):
            others = self._without(k)
            votes = others._table
            mine = self.ratings[:, k]
            rated = (mine >= 0) & (votes.sum(axis=1) > 0)
            most = votes[rated].max(axis=1, initial=0)
            said = votes[rated, mine[rated]]
            with_most = np.where(said == most, 1.0 / np.maximum(1, (votes[rated] == most[:, None]).sum(axis=1)), 0.0)
            agrees = float(with_most.mean()) if rated.any() else math.nan
            value = others.value(name) if len(others.names) > 1 and others._units else math.nan
            found.append(LeftOutRater(rater, int((mine >= 0).sum()), value, agrees))
        return tuple(found)

    def alternative_annotator_test(self, judge: ArrayLike, epsilon: float = 0.1) -> Replacement:
        """Return whether a judge may replace a rater: the alternative annotator test of Calderon et al. (2025).

        `judge` has a label for each item. `epsilon` is by how much a judge may be worse than a rater: 0.1 for crowd
        workers, 0.15 for skilled raters, 0.2 for experts.
        """
        return alternative_annotator_test(self, judge, epsilon)

    # Consensus

    def consensus(self, method: str = "majority") -> Consensus:
        """Return one label for each item, and how certain it is: "majority" or "dawid_skene".

        "dawid_skene" estimates how often each rater is right with each label, and weighs the raters by that (Dawid and
        Skene 1979). Give what is returned to `gm.evaluate` as the true labels: an item whose label is uncertain then
        counts in part for each.
        """
        ways: Mapping[str, Callable[[Array, int], Array]] = {"majority": majority, "dawid_skene": dawid_skene}
        if method not in ways:
            raise InputError(
                "{method} is {got!r}", argument="method", got=method, advice="use 'majority' or 'dawid_skene'"
            )
        return Consensus(self.values, ways[method](self.ratings, len(self.values)), method)

    # Shown

    @property
    def shown(self) -> list[str]:
        """Return the names of the coefficients that are shown: AC1 where ratings are names, else AC2."""
        hidden = "gwet_ac2" if self.level == "nominal" else "gwet_ac1"
        return [x for x in NAMES if x != hidden]

    def lines(self) -> list[str]:
        """Return what was found, in sentences."""
        given = int((self.ratings >= 0).sum())
        missing = 1 - given / self.ratings.size
        value, (low, high) = self.value(), self.interval()
        said = [
            f"{NAMES['krippendorff_alpha']} ({self.level}) is {value:.3f} "
            f"({100 * self.confidence:g}% interval {low:.3f} to {high:.3f}).",
            f"{len(self.names)} raters, {len(self.ratings):,} items, {missing:.0%} of the ratings are missing.",
        ]  # fmt: skip
        left = [x for x in self.without_each() if not math.isnan(x.value)]
        if len(left) > 2:
            most = max(left, key=lambda x: x.value)
            if most.value - value > 0.05:
                said.append(
                    f"Without {most.rater} it would be {most.value:.3f}: this rater differs most from the others."
                )
        return said

    def rows(self) -> list[list[str]]:
        """Return the table of coefficients; its first row holds the names of the columns."""
        numbers = ((x, self.value(x), *self.interval(x)) for x in self.shown)
        return [["coefficient", "value", "low", "high"], *([x, *(f"{y:.6g}" for y in rest)] for x, *rest in numbers)]


_FIELDS = ("agreement", "partial", "paired", "shares", "items", "together")


def _known(measure: object) -> str:
    name = getattr(measure, "name", measure)
    if name not in NAMES:
        raise InputError("{measure} is {got!r}", argument="measure", got=measure, known=", ".join(map(repr, NAMES)),
                         advice="use one of {known}")  # fmt: skip
    return str(name)


def _jackknife(values: Array) -> float:
    known = values[np.isfinite(values)]
    if len(known) < 2:
        return math.nan
    return (len(known) - 1) / len(known) * float(((known - known.mean()) ** 2).sum())


def raters(
    ratings: DataLike = None, kind: str | Array | Callable[[Label, Label], float] = "nominal", *,
    item: str | None = None, rater: str | None = None, rating: str | None = None, labels: LabelsLike | None = None,
    confidence: float = 0.95,
) -> Raters:  # fmt: skip
    """Say how far any number of raters agree, where some ratings may be missing.

    `ratings` has a row for each item and a column for each rater, with None or NaN where a rater did not rate an item:
    a list of lists, an array, a data frame, or a dict of the ratings of each rater. With `item`, `rater` and `rating`,
    the names of columns, it is a long data frame, or the path of a file, with a row for each rating.

    `kind` says what the ratings are: "nominal" (names), "ordinal" (in order: that of numbers, or of `labels`),
    "interval" or "ratio" (numbers); or a function of two ratings, or a matrix, with their (squared) distances.

    >>> found = raters([["a", "a", "a"], ["b", "b", None], ["a", "b", "b"], ["a", "a", "a"]])
    >>> round(found.value("krippendorff_alpha"), 4), found.consensus().labels
    (0.6429, ('a', 'b', 'b', 'a'))
    """
    check_level("confidence", confidence)
    check_choices(labels, "error")
    table, names, items = ratings_of(ratings, item, rater, rating)
    known = [x for row in table for x in row if x is not None]
    level, distances = _level(kind)
    values = _values(known, labels, level)
    if distances is None and level == "own":
        distances = _made_distances(kind, values)
    elif distances is not None and distances.shape != (len(values), len(values)):
        raise InputError("{kind} is a matrix of shape {shape}", argument="kind", shape=distances.shape,
                         number=len(values), advice="give the distances of the {number} ratings, in order")  # fmt: skip
    place = {x: k for k, x in enumerate(values)}
    codes = np.array([[-1 if x is None else place[x] for x in row] for row in table], np.int64)
    if codes.ndim != 2 or codes.shape[1] < 2:
        raise InputError("there is one rater", argument="ratings", advice="agreement needs at least two")
    if not ((codes >= 0).sum(axis=1) >= 2).any():
        raise InputError("no item was rated by two raters", argument="ratings",
                         advice="agreement needs items that several raters have rated")  # fmt: skip
    return Raters(codes, values, names, items, level, distances, confidence)


def _level(kind: object) -> tuple[str, Array | None]:
    if isinstance(kind, str):
        if kind not in ("nominal", "ordinal", "interval", "ratio"):
            raise InputError(
                "{kind} is {got!r}", argument="kind", got=kind,
                advice="use 'nominal', 'ordinal', 'interval', 'ratio' or a function of two ratings",
            )  # fmt: skip
        return kind, None
    if not callable(kind) and not isinstance(kind, (list, tuple, np.ndarray)):
        raise InputTypeError("{kind} is {got!r}", argument="kind", got=kind, expected="a name, a function or a matrix")
    return "own", None if callable(kind) else np.asarray(kind, np.float64)


def _values(known: Sequence[Label], labels: LabelsLike | None, level: str) -> tuple[Label, ...]:
    """Return the different ratings in order."""
    if not known:
        raise InputError("there are no ratings", argument="ratings", advice="every one is missing")
    if labels is not None:
        listed = tuple(labels)
        other = next((x for x in known if x not in listed), None)
        if other is not None:
            raise InputError("{labels} lacks the rating {other!r}", argument="labels", other=other, advice="list all")
        return listed
    numbers = all(isinstance(x, (int, float, np.number)) for x in known)
    if level in ("interval", "ratio") and not numbers:
        other = next(x for x in known if not isinstance(x, (int, float, np.number)))
        raise InputError("the rating {other!r} is not a number", argument="kind", other=other,
                         advice="use kind='ordinal' with labels in order, or 'nominal'")  # fmt: skip
    if level == "ordinal" and not numbers:
        raise InputError("nothing says in which order the ratings are", argument="labels",
                         advice="list them in order with {labels:=}")  # fmt: skip
    return in_order(known)


def _made_distances(distance: object, values: Sequence[Label]) -> Array:
    assert callable(distance)
    found = np.array([[float(distance(x, y)) for y in values] for x in values])
    if (found < 0).any() or not np.allclose(found, found.T) or np.diag(found).any():
        raise InputError(
            "{kind} is no distance", argument="kind",
            advice="distances are not negative, the same in both directions, and 0 for equal ratings",
        )  # fmt: skip
    return found
