"""Compare systems that give several labels to an item: paired differences of every average, with intervals and tests.

Items are what varies, with all their labels (or groups of items, see `evaluation/multilabel_averages.py`). The p-value
is that of a permutation test: if two systems are alike, it is chance which of them said what, so their labels are
swapped on a random half of the items (or groups). Where the items are too many for that, it is the difference over its
standard error. The standard error comes from the jackknife: how far the difference moves without each item.

The interval reaches z standard errors to each side. Where two systems hardly disagree, the standard error comes out too
small, so 0.6 z² imagined items are added, of which a quarter is right in the first system only and a quarter in the
second only (compare Agresti and Min 2005). Then the test decides whether 0 belongs to it, as in other comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.difference_intervals import IMAGINED, in_agreement
from goodmeasure.comparison.group_swaps import about_groups
from goodmeasure.comparison.requirements import (
    RequiredOfSystems,
    multilabel_against,
    multilabel_numbers,
    multilabel_scores_of,
)
from goodmeasure.comparison.rows import AverageDifferenceRow, AverageRow
from goodmeasure.comparison.settings import SYSTEMS, check
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.intervals.distributions import students_tails
from goodmeasure.evaluation.intervals.interval import Interval, no_interval
from goodmeasure.evaluation.multilabel import (
    AVERAGES,
    SAMPLES,
    Multilabel,
    for_labels,
    item_values,
    label_averages,
)
from goodmeasure.evaluation.multilabel_averages import Average, MultilabelUnits, averages_of
from goodmeasure.evaluation.p_values import beyond_seen, holm, p_of_draws, two_sided
from goodmeasure.evaluation.requirements.gate import Gate, RequiredScore
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.tracked_numbers import Tracked
from goodmeasure.evaluation.writing import Written, writer_of
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.policy import Policy, policy_of
from goodmeasure.typing import Array, Frame, Label

if TYPE_CHECKING:
    from goodmeasure.language.policy import Undefined

SCORES = tuple(AverageRow.__annotations__)
DIFFERENCES = tuple(AverageDifferenceRow.__annotations__)
PERMUTATION, NORMAL, STUDENT = "permutation", "normal", "t-test of the groups"
_MOST_SWAPPED = 4_000_000_000  # units × labels × swaps of one pair: some seconds
_SWAPS_AT_ONCE = 256


@dataclass(frozen=True, eq=False, repr=False)
class MultilabelComparison(RequiredOfSystems, Written):
    """The comparison of systems that give several labels to an item.

    `scores` and `differences` are tidy rows, as dicts. `average` is "macro", "micro", "weighted" or "samples", or None
    for the exact match. A difference is the value of `a` minus that of `b`; `p_corrected` is Holm's correction.
    """

    systems: tuple[str, ...]
    labels: tuple[Label, ...]
    items: int
    measures: tuple[str, ...]
    scores: tuple[AverageRow, ...]
    differences: tuple[AverageDifferenceRow, ...]
    confidence: float
    correct: str
    notes: tuple[str, ...] = ()
    gate: Gate | None = None  # the outcomes of the requirements, if there were any

    def required_scores(self, asked: Requirement) -> list[RequiredScore]:
        """Return the averages that a requirement is about."""
        return multilabel_scores_of(self, asked)

    @property
    def required_confidence(self) -> float:
        """Return the confidence level of the intervals."""
        return self.confidence

    def against(self, baseline: str, measures: Sequence[object] | None) -> Gate:
        """Return whether other systems are worse than the baseline."""
        return multilabel_against(self, baseline, measures)

    def tracked(self) -> Iterable[Tracked]:
        """Return the numbers for an experiment tracker, each with the parts of its name."""
        return multilabel_numbers(self)

    def difference(self, a: str, b: str, measure: str, average: str | None = "macro") -> AverageDifferenceRow:
        """Return the row of one pair of systems under one average, in either order."""
        for row in self.differences:
            if row["measure"] == str(measure) and row["average"] == average and {row["a"], row["b"]} == {a, b}:
                if row["a"] == a:
                    return row
                ends = -row["high"], -row["low"]
                return {**row, "a": a, "b": b, "difference": -row["difference"], "low": ends[0], "high": ends[1]}
        raise InputError(
            "there is no difference of {a!r} and {b!r} in {measure}, {average}", a=a, b=b, measure=measure,
            average=average, advice="see .differences",
        )  # fmt: skip

    def to_frame(self, kind: str = "pandas", rows: str = "differences") -> Frame:
        """Return the rows "differences" or "scores" as a data frame ("pandas", "polars" or "arrow")."""
        return writer_of(self).frame(kind, rows)


class _Asked(NamedTuple):
    """How tests and intervals are found."""

    measures: Sequence[Measure]
    confidence: float
    seed: int
    replicates: int
    policy: Policy
    swaps: bool


def is_multilabel(data: object) -> bool:
    """Return whether the data are counts of multilabel systems, by name."""
    return isinstance(data, Mapping) and bool(data) and all(isinstance(x, Multilabel) for x in data.values())


def compare_multilabel(
    data: Mapping[str, Multilabel], *, measures: object = None, confidence: float = 0.95,
    seed: int = 0, method: str = "auto", replicates: int = 2000, undefined: Undefined = "resolve",
    correct: str = SYSTEMS,
) -> MultilabelComparison:  # fmt: skip
    """Return the comparison of systems that `multilabel` counted on the same items."""
    systems = tuple(str(x) for x in data)
    check("auto", systems, confidence, seed, method, replicates, correct)
    if method not in ("auto", PERMUTATION, NORMAL):
        raise InputError(
            "{method} is {got!r}", got=method, advice="use 'auto', 'permutation' or 'normal' for several labels"
        )
    found = list(data.values())
    _check_same_items(systems, found)
    shown = for_labels(chosen(measures, 2))
    policy = policy_of(undefined)
    units = [MultilabelUnits(x, seed) for x in found]
    work = units[0].number * len(found[0].labels) * replicates
    swaps = method != NORMAL and not units[0].blocked and work <= _MOST_SWAPPED
    asked = _Asked(shown, confidence, seed, replicates, policy.quiet, swaps)
    averages = [averages_of(x, shown, confidence, policy, seed) for x in found]
    scores = [_score_row(name, row) for name, rows in zip(systems, averages, strict=True) for row in rows]
    moved = [_moved(x, asked) for x in units]
    differences = list[AverageDifferenceRow]()
    for k in range(len(systems)):
        for j in range(k + 1, len(systems)):
            pair = _Pair((units[k], units[j]), (moved[k], moved[j]), (averages[k], averages[j]), asked)
            differences += pair.rows(systems[k], systems[j])
    rows = _corrected(differences, correct)
    notes = ("items are put into 2,000 groups at random, since they are so many",) if units[0].blocked else ()
    notes = (*notes, *about_groups(found[0].decisions.group))
    return MultilabelComparison(
        systems, found[0].labels, len(found[0].decisions.true), tuple(f.name for f in shown), tuple(scores),
        tuple(rows), float(confidence), correct, notes,
    )  # fmt: skip


def _score_row(system: str, x: Average) -> AverageRow:
    return {
        "system": system, "average": x.average, "measure": x.measure, "value": x.value, "low": x.low, "high": x.high,
        "standard_error": x.standard_error, "method": x.method, "reason": x.reason,
    }  # fmt: skip


def _check_same_items(systems: Sequence[str], found: Sequence[Multilabel]) -> None:
    """Refuse systems whose true labels, weights or groups differ."""
    first = found[0]
    for name, other in zip(systems[1:], found[1:], strict=True):
        same = first.labels == other.labels and all(
            np.array_equal(getattr(first.decisions, key), getattr(other.decisions, key))
            if getattr(first.decisions, key) is not None and getattr(other.decisions, key) is not None
            else getattr(first.decisions, key) is getattr(other.decisions, key)
            for key in ("true", "weight", "group")
        )
        if not same:
            raise InputError(
                "{first!r} and {other!r} have different labels, true labels, weights or groups",
                first=systems[0],
                other=name,
                advice="count all systems with the same y_true, labels, sample_weight and groups",
            )


def _moved(units: MultilabelUnits, asked: _Asked) -> list[Array]:
    """Return how far each average moves without each unit, in the order of the rows of `averages_of`."""
    by_measure = units.moved(asked.measures, asked.policy)
    return [*(x[average] for x in by_measure for average in AVERAGES), units.moved_matches()]


class _Pair:
    """Two systems on the same items."""

    def __init__(
        self, units: tuple[MultilabelUnits, MultilabelUnits], moved: tuple[list[Array], list[Array]],
        averages: tuple[Sequence[Average], Sequence[Average]], asked: _Asked,
    ) -> None:  # fmt: skip
        self.units, self.moved, self.averages, self.asked = units, moved, averages, asked

    def rows(self, a: str, b: str) -> list[AverageDifferenceRow]:
        """Return the difference of every average of systems a and b, with its interval and p-value, not corrected."""
        swapped = self._swapped() if self.asked.swaps else None
        ranges = [f.range for f in self.asked.measures for _ in AVERAGES] + [(0.0, 1.0)]
        found = list[AverageDifferenceRow]()
        for k, (one, two) in enumerate(zip(*self.averages, strict=True)):
            here = one.value - two.value
            error = self.units[0].standard_error(self.moved[0][k] - self.moved[1][k])
            p, method = self._test(here, error, None if swapped is None else swapped[k])
            interval = self._interval(here, error, ranges[k], one.average)
            interval = in_agreement(interval, here, p, 1 - self.asked.confidence)
            found.append({
                "average": one.average, "measure": one.measure, "a": a, "b": b, "difference": here,
                "low": interval.low, "high": interval.high, "p": p, "p_corrected": p, "method": method,
                "reason": interval.reason or None,
            })  # fmt: skip
        return found

    def _test(self, here: float, error: float, swapped: Array | None) -> tuple[float, str]:
        if math.isnan(here) or self.units[0].number < 2:
            return math.nan, "none: a value is undefined" if math.isnan(here) else "none: there is one item or group"
        if swapped is not None:
            return p_of_draws(float(beyond_seen(np.abs(swapped), abs(here))), len(swapped)), PERMUTATION
        freedom = self.units[0].freedom()
        method = NORMAL if freedom is None else STUDENT
        if here == 0:
            return 1.0, method
        if math.isnan(error) or error == 0:
            return math.nan, "none: the difference has no standard error here"
        return two_sided(here / error) if freedom is None else students_tails(here / error, freedom), method

    def _interval(self, here: float, error: float, ends: tuple[float, float] | None, average: str | None) -> Interval:
        """Return the interval around the difference, with imagined items on which the systems disagree.

        An imagined item is wrong in one decision. That moves the mean over items by as much as a whole item, and an
        average over labels by 1/√labels of it: labels count about equally, and the errors in them are different ones.
        """
        if math.isnan(here):
            return no_interval("a value is undefined")
        if math.isnan(error) or self.units[0].number < 2:
            return no_interval("one item, or one group of them, cannot tell how they vary")
        z = NormalDist().inv_cdf(0.5 + self.asked.confidence / 2)
        items = float(self.units[0].weight.sum() ** 2 / (self.units[0].weight ** 2).sum())
        width = math.inf if ends is None else ends[1] - ends[0]
        labels = 1 if average in (None, SAMPLES) else self.units[0].decisions.true.shape[1]
        imagined = IMAGINED * z * z
        more = imagined / 2 * width**2 / labels if math.isfinite(width) else 0.0
        kept = items / (items + imagined)
        spread = math.sqrt((error * kept) ** 2 + more / (items + imagined) ** 2)
        reach = self.units[0].quantile(self.asked.confidence) * spread
        low, high = max(here * kept - reach, -width), min(here * kept + reach, width)
        return Interval(min(low, here), max(high, here), "jackknife of items", spread)

    def _swapped(self) -> list[Array]:
        """Return the differences (swaps) of every average, with the systems swapped on random halves of the units."""
        drawing = np.random.default_rng(np.random.SeedSequence([self.asked.seed, 8]))
        pieces: list[list[Array]] = []
        for start in range(0, self.asked.replicates, _SWAPS_AT_ONCE):
            size = min(_SWAPS_AT_ONCE, self.asked.replicates - start)
            swaps = drawing.integers(0, 2, (size, self.units[0].number)).astype(np.float64)
            pieces.append(self._differences(swaps))
        return [np.concatenate(each) for each in zip(*pieces, strict=True)]

    def _differences(self, swaps: Array) -> list[Array]:
        one, two = (x.found.counts.astype(np.float64) for x in self.units)
        turned, start = np.zeros((len(swaps), *one.shape)), 0
        for here, there in zip(self.units[0].blocks(), self.units[1].blocks(), strict=True):
            apart = (there - here).reshape(len(here), -1)
            turned += (swaps[:, start : start + len(here)] @ apart).reshape(turned.shape)
            start += len(here)
        both = [_without_rounding(one + turned, one + two), _without_rounding(two - turned, one + two)]
        found = []
        for f in self.asked.measures:
            first, second = (label_averages(f, x, self.asked.policy) for x in both)
            by_pattern = [item_values(f, x.found.by_item, self.asked.policy) for x in self.units]
            means = self._mean_difference(swaps, by_pattern)
            each = {name: first[name] - second[name] for name in first} | {SAMPLES: means}
            found += [each[name] for name in AVERAGES]
        matches = [x.found.exact_matches().astype(np.float64) for x in self.units]
        return [*found, self._mean_difference(swaps, matches)]

    def _mean_difference(self, swaps: Array, by_pattern: Sequence[Array]) -> Array:
        """Return the differences of means over items."""
        (above, below), (others, under) = (x.sums(y) for x, y in zip(self.units, by_pattern, strict=True))
        up, down = swaps @ (others - above), swaps @ (under - below)
        with np.errstate(all="ignore"):
            found: Array = (above.sum() + up) / (below.sum() + down) - (others.sum() - up) / (under.sum() - down)
        return found


def _without_rounding(counts: Array, scale: Array) -> Array:
    """Return the counts, with the rounding errors of weights that should cancel set to 0."""
    found: Array = np.where(counts < 1e-9 * scale, 0.0, counts)
    return found


def _corrected(rows: list[AverageDifferenceRow], correct: str) -> list[AverageDifferenceRow]:
    """Return the rows with p-values corrected over the pairs of systems, or over all averages and measures too."""
    families: dict[object, list[AverageDifferenceRow]] = {}
    for row in rows:
        families.setdefault((row["measure"], row["average"]) if correct == SYSTEMS else None, []).append(row)
    for mine in families.values():
        for row, p in zip(mine, holm([x["p"] for x in mine]), strict=True):
            row["p_corrected"] = p
    order = {key: k for k, key in enumerate(dict.fromkeys((x["measure"], x["average"]) for x in rows))}
    return sorted(rows, key=lambda x: order[x["measure"], x["average"]])


def refuse_options(**options: object) -> None:
    """Refuse options of `compare` that do not apply to several labels."""
    given = [name for name, value in options.items() if value not in (None, False, "auto", "error")]
    if given:
        raise InputTypeError(
            "{argument} cannot be combined with several labels",
            argument=given[0],
            advice="give sample_weight, groups and labels to gm.multilabel",
        )
