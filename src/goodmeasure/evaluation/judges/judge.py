"""`judge`: how right a judge, such as a language model, is where humans have labelled the same items.

Which items to label next: an item tells most where it is uncertain whether the human label will be that of the judge,
and where the difference matters to the measure. The expected square of what its human label would change, given what
the judge and the system said, is estimated from the items that have one. The best probabilities to draw items with are
proportional to its root (Neyman allocation: Zrnic and Candès 2024). A fifth of the labels is spread evenly, so that no
item is left out for sure, and that a wrong estimate does little harm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Unpack

import numpy as np

from goodmeasure.catalogue.measure import MeasureLike, as_measure
from goodmeasure.counts.classes import in_order
from goodmeasure.counts.judged import Judged
from goodmeasure.counts.labels import as_column
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.evaluate import evaluate
from goodmeasure.evaluation.intervals.distributions import students_quantile
from goodmeasure.evaluation.judges.powered import PoweredSample
from goodmeasure.evaluation.reading import Asked
from goodmeasure.evaluation.writing import Written
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import takes_options
from goodmeasure.language.policy import RESOLVE
from goodmeasure.options import JudgeCallOptions
from goodmeasure.typing import Array, ArrayLike, DataLike, Label

if TYPE_CHECKING:
    from goodmeasure.evaluation.result import Result

JUDGE = "judge"
EVEN = 0.2  # the share of the next labels that is spread evenly
_SPREAD = 1.0  # items by which the human labels of a kind of item are smoothed
_RANGES = 4  # of a column of numbers that items are sliced by


@dataclass(frozen=True)
class JudgeBias:
    """How often humans and the judge say a class, on one slice (None: all items), and the difference with its interval.

    `difference` is the share of the judge less that of humans: positive where the judge says the class too often.
    """

    slice: Label
    label: Label
    items: int
    human: float
    judge: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class JudgeConfusion:
    """One way in which the judge differs from humans, and how many items it is seen on."""

    human: Label
    judge: Label
    items: int
    share: float  # of the items that humans gave this label


@dataclass(frozen=True)
class NextItems:
    """The items to be labelled next, and with which probability each item of the data gets a human label.

    `items` are places in the data, from 0 on. `sampling` is what to give as ``sampling=`` once they are labelled: the
    probability that an item has a human label by then, for all items of the data.
    """

    items: tuple[int, ...]
    sampling: tuple[float, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Judge(Written):
    """A judge's labels of items, of which humans have labelled some; positions among `labels`, −1 for none.

    `worth` says how many more human labels would make the value of `measure` as certain as the judge does; None where
    no system was evaluated with it. `worths` has it by system and measure.
    """

    kind = "judge"
    labels: tuple[Label, ...]
    human: Array
    judge: Array
    slices: dict[str, list[Label]] = field(default_factory=dict)
    weight: Array | None = None
    group: Array | None = None
    pred: Array | None = None  # of the system that was evaluated first
    confidence: float = 0.95
    measure: str = "accuracy"
    worth: float | None = None
    worths: dict[str, dict[str, float]] = field(default_factory=dict)
    positive: Label = None
    in_place: bool = True  # whether every row is one item of the data, in its order

    # Agreement

    @property
    def known(self) -> Array:
        """Return which items have a human label."""
        found: Array = self.human >= 0
        return found

    @cached_property
    def result(self) -> Result:
        """Return the evaluation of the judge against the human labels, with its slices."""
        known = np.flatnonzero(self.known)
        if not len(known):
            raise InputError("no item has a human label", argument="y_human", advice="label some items first")
        human, judge = ([self.labels[k] for k in x[known].tolist()] for x in (self.human, self.judge))
        by = {name: [values[k] for k in known.tolist()] for name, values in self.slices.items()}
        listed = None if self.positive is not None else self.labels
        return evaluate(
            human, {JUDGE: judge}, by=by or None, confidence=self.confidence, labels=listed, positive=self.positive,
            sample_weight=None if self.weight is None else self.weight[known],
            groups=None if self.group is None else self.group[known].tolist(),
        )  # fmt: skip

    def matrix(self, slice: Label = None) -> ConfusionMatrix:
        """Return the confusion matrix: rows are human labels, columns those of the judge."""
        return self.result.matrix(slice=slice)

    def value(self, measure: MeasureLike, slice: Label = None) -> float:
        """Return a measure of the agreement with humans, such as accuracy or kappa.

        >>> from goodmeasure.evaluation.judges.judge import judge
        >>> found = judge([1, 0, 1, 1, None], [1, 0, 0, 1, 1])
        >>> found.value("accuracy"), found.value("kappa")
        (0.75, 0.5)
        """
        return self._score(measure, slice)[0]

    def interval(self, measure: MeasureLike, slice: Label = None) -> tuple[float, float]:
        """Return the confidence interval of a measure of the agreement with humans."""
        return self._score(measure, slice)[1:]

    def _score(self, measure: MeasureLike, slice: Label) -> tuple[float, float, float]:
        name = as_measure(measure).name
        if name not in self.result.measured:
            from goodmeasure.evaluation.evaluate import evaluate_counts
            from goodmeasure.keywords import complete
            from goodmeasure.options import EvaluateOptions

            options = complete(EvaluateOptions, {"measures": [measure], "confidence": self.confidence})
            rows = evaluate_counts(self.result.counted, self.result.source, options).part(slice=slice).rows
        else:
            rows = self.result.part(slice=slice).rows
        row = next(x for x in rows if x.label is None and x.measure == name)
        return row.value, row.low, row.high

    # Bias

    @cached_property
    def bias(self) -> tuple[JudgeBias, ...]:
        """Return how much more often the judge says each class than humans do, on all items and on each slice."""
        known = self.known
        found = [self._bias(None, k, known) for k in self._shown()]
        for name, values in self.slices.items():
            for value in dict.fromkeys(values):
                where = known & np.array([x == value or (x is None and value is None) for x in values])
                if where.any():
                    said = f"{name}={value}"
                    found += [self._bias(said, k, where) for k in self._shown()]
        return tuple(found)

    def _shown(self) -> list[int]:
        """Return the classes whose shares are compared: of two, the positive one alone."""
        if len(self.labels) != 2:
            return list(range(len(self.labels)))
        return [1 if self.positive is None else self.labels.index(self.positive)]

    def _bias(self, where: Label, k: int, which: Array) -> JudgeBias:
        """Return the bias for one class: one item each is added on which only the judge, or only humans, say it.

        So the interval is not too short where the two hardly differ (compare Agresti and Min 2005).
        """
        human, judge = (self.human[which] == k).astype(float), (self.judge[which] == k).astype(float)
        weight = np.ones(len(human)) if self.weight is None else self.weight[which]
        total = float(weight.sum())
        apart = judge - human
        mean = float((weight * apart).sum() / total)
        one = total / len(human)
        moved = weight * (apart - mean)
        reach = NormalDist().inv_cdf(0.5 + self.confidence / 2)
        if self.group is not None:
            groups = np.unique(self.group[which], return_inverse=True)[1].reshape(-1)
            moved = np.bincount(groups, moved)
            reach = students_quantile(0.5 + self.confidence / 2, max(1.0, len(moved) - 1.0))
        error = math.sqrt(float((moved**2).sum()) + one**2) / (total + one)
        middle = mean * total / (total + one)
        low, high = max(-1.0, middle - reach * error), min(1.0, middle + reach * error)
        said, heard = (float((weight * x).sum() / total) for x in (human, judge))
        return JudgeBias(where, self.labels[k], int(which.sum()), said, heard, mean, min(low, mean), max(high, mean))

    @cached_property
    def confusions(self) -> tuple[JudgeConfusion, ...]:
        """Return where the judge differs from humans, the most frequent difference first."""
        size = len(self.labels)
        table = np.bincount(self.human[self.known] * size + self.judge[self.known], minlength=size**2)
        table = table.reshape(size, size)
        cells = [(i, j) for i in range(size) for j in range(size) if i != j and table[i, j]]
        cells.sort(key=lambda x: -int(table[x]))
        return tuple(
            JudgeConfusion(self.labels[i], self.labels[j], int(table[i, j]), float(table[i, j] / table[i].sum()))
            for i, j in cells
        )  # fmt: skip

    # What to label next

    def next_items(self, k: int, *, measure: MeasureLike | None = None, seed: int = 0) -> NextItems:
        """Return which k items to label next, drawn so that their labels tell most about a measure of the system.

        Give the `sampling` of what is returned as ``sampling=`` when the items have been labelled. Without a system,
        the items tell most about the agreement of the judge with humans.

        >>> from goodmeasure.evaluation.judges.judge import judge
        >>> human = ["a", "b", "a", "b", "a", "b"] * 5 + [None] * 300
        >>> said = ["a", "b", "a", "b", "b", "b"] * 5 + ["a", "b", "b"] * 100
        >>> found = judge(human, said).next_items(20)
        >>> len(found.items), sum(said[i] == "b" for i in found.items) > 13
        (20, True)
        """
        free = np.flatnonzero(~self.known)
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or not 0 < k <= len(free):
            raise InputError(
                "{k} is {got!r}", argument="k", got=k, most=len(free),
                expected="a whole number from 1 to {most:,}, the items without a human label",
            )  # fmt: skip
        if not self.in_place:
            raise InputError(
                "rows of the data stand for several items", argument="data",
                advice="give labels or a data frame, in which every item has a row of its own",
            )  # fmt: skip
        unsure = self._uncertainty("accuracy" if measure is None and self.pred is None else measure or self.measure)
        share = (1 - EVEN) * unsure / max(float(unsure[free].sum()), 1e-300) + EVEN / len(free)
        chance = _capped(share, int(k), free)
        first = float(self.known.mean())
        drawn = _drawn(chance[free], seed)
        sampling = first + (1 - first) * chance
        return NextItems(tuple(int(x) for x in free[drawn]), tuple(float(min(1.0, x)) for x in sampling))

    def _uncertainty(self, measure: MeasureLike) -> Array:
        """Return, for every item, the expected change of a measure by its human label, given what is known of it."""
        size = len(self.labels)
        pred = self.judge if self.pred is None else self.pred
        ones = np.ones(len(pred))
        data = Judged(self.human, self.judge, pred, ones, ones, ones)
        known = self.known
        cells = np.bincount(self.human[known] * size + pred[known], minlength=size**2).reshape(size, size)
        f = as_measure(measure)
        sample = Sample(ConfusionMatrix(cells), judged=data)
        value = float(f(ConfusionMatrix(cells), undefined=RESOLVE))
        found = PoweredSample(sample, [f], [value], RESOLVE)
        every = found.slopes_of_cells()[0]
        # Among the items for which judge and system said the same: how often humans said each class, smoothed by how
        # often they did for this label of the judge, and that by agreement of nine in ten.
        likely = np.full((size, size), 0.1 / max(1, size - 1)) if size > 1 else np.ones((1, 1))
        np.fill_diagonal(likely, 0.9 if size > 1 else 1.0)
        by_judge = np.bincount(self.judge[known] * size + self.human[known], minlength=size**2).reshape(size, size)
        likely = (by_judge + _SPREAD * likely) / (by_judge.sum(axis=1, keepdims=True) + _SPREAD)
        kind = self.judge * size + pred
        kinds, place = np.unique(kind, return_inverse=True)
        place = place.reshape(-1)
        counts = np.zeros((len(kinds), size))
        np.add.at(counts, (place[known], self.human[known]), 1)
        likely = (counts + _SPREAD * likely[kinds // size]) / (counts.sum(axis=1, keepdims=True) + _SPREAD)
        slopes = every[:, kinds % size].T - found.shares[0] * every[kinds // size, kinds % size][:, None]
        expected: Array = np.sqrt((likely * slopes**2).sum(axis=1))
        return expected[place]

    # Shown

    def lines(self) -> list[str]:
        """Return what was found, in sentences."""
        known = int(self.known.sum())
        agree, low, high = self._score("accuracy", None)
        ends = f"{100 * self.confidence:g}% interval {low:.1%} to {high:.1%}"
        said = [f"The judge agrees with humans on {agree:.1%} of {known:,} items ({ends})."]
        value, low, high = self._score("kappa", None)
        if not math.isnan(value):
            said.append(f"Beyond chance: Cohen's kappa {value:.3f} ({low:.3f} to {high:.3f}).")
        for x in self.bias:
            if x.slice is None and (x.low > 0 or x.high < 0):
                more = "more" if x.difference > 0 else "less"
                apart = f"{100 * x.difference:+.1f} points, {100 * x.low:+.1f} to {100 * x.high:+.1f}"
                both = f"{x.judge:.1%} against {x.human:.1%}"
                said.append(f"It says {x.label!r} {more} often than humans: {both} (difference {apart}).")
        if self.confusions:
            most = self.confusions[0]
            both = f"humans say {most.human!r} and the judge {most.judge!r}, on {most.items:,} items"
            said.append(f"Where they differ most: {both} ({most.share:.1%} of those that are {most.human!r}).")
        return [*said, *self.worth_lines()]

    def worth_lines(self) -> list[str]:
        """Return how many human labels the judge was worth, if a system was evaluated with it."""
        if self.worth is None:
            return []
        known = int(self.known.sum())
        if self.worth < 0.5:
            return [f"For {self.measure} the judge's labels add nothing to the {known:,} human labels."]
        return [
            f"For {self.measure} the judge is worth {self.worth:,.0f} human labels beyond the {known:,} that there are."
        ]

    def rows(self) -> list[list[str]]:
        """Return the table of biases; its first row holds the names of the columns."""
        found = [["slice", "class", "items", "humans", "judge", "difference", f"{100 * self.confidence:g}% interval"]]
        for x in self.bias:
            ends = f"{100 * x.low:+.1f} to {100 * x.high:+.1f}"
            found.append([str(x.slice or "all"), str(x.label), f"{x.items:,}", f"{x.human:.1%}", f"{x.judge:.1%}",
                          f"{100 * x.difference:+.1f}", ends])  # fmt: skip
        return found


def _capped(share: Array, k: int, free: Array) -> Array:
    """Return probabilities proportional to `share` that add up to k over the free items, none above 1."""
    found = np.minimum(1.0, share * k / share[free].sum())
    for _ in range(50):
        sure = found[free] >= 1
        rest = k - sure.sum()
        left = share[free][~sure].sum()
        if left <= 0 or rest <= 0:
            break
        scaled = np.where(found >= 1, 1.0, share * rest / left)
        if (scaled[free] <= 1).all():
            return np.minimum(1.0, scaled)
        found = np.minimum(1.0, scaled)
    return np.asarray(found)


def _drawn(chance: Array, seed: int) -> Array:
    """Return which items are drawn, each with its probability, in a random order of the items (systematic sampling)."""
    drawing = np.random.default_rng(np.random.SeedSequence([seed, 11]))
    order = drawing.permutation(len(chance))
    steps = np.cumsum(chance[order]) - drawing.random()
    return np.sort(
        order[np.floor(steps + 1e-9) > np.floor(np.concatenate([[steps[0] - chance[order][0]], steps[:-1]]) + 1e-9)]
    )


@takes_options
def judge(y_human: DataLike = None, y_judge: ArrayLike = None, **options: Unpack[JudgeCallOptions]) -> Judge:
    """Say how right a judge is: its labels against those of humans, where there are any.

    `y_human` is the labels of humans, with None or NaN where there is none, and `y_judge` those of the judge; or it is
    a data frame or the path of a file, with `y_true` and `y_judge` the names of columns. `by` slices the items (source,
    length, position); numbers with many values are put into four ranges of equally many items. `groups` says which
    items belong together.

    The result has the confusion matrix (`matrix()`), any measure with its interval (`value`, `interval`), how much more
    often the judge says a class than humans (`bias`), where they differ most (`confusions`), and which items to label
    next (`next_items`).

    >>> found = judge(["good", "bad", "good", "bad", None], ["good", "good", "good", "bad", "bad"])
    >>> found.value("accuracy"), [(x.label, round(x.difference, 2)) for x in found.bias]
    (0.75, [('good', 0.25)])
    """
    from goodmeasure.evaluation.judges.in_memory import label_arrays

    asked = Asked.of(y_human, None, {**options, "y_judge": y_judge})
    known = label_arrays(asked)
    true, said = as_column(known.true, "y_human"), as_column(known.judge, "y_judge")
    if len(true) != len(said):
        raise InputError(
            "{y_judge} has {size:,} labels, and there are {items:,} items", argument="y_judge", size=len(said),
            items=len(true), advice="give one label of the judge for each item",
        )  # fmt: skip
    if not said.present().all():
        raise InputError("{y_judge} has no label for {number:,} items", argument="y_judge",
                         number=int((~said.present()).sum()), advice="leave these items out")  # fmt: skip
    human = true.present()
    if not human.any():
        raise InputError("no item has a human label", argument="y_human", advice="label some items first")
    numbers = np.flatnonzero(human).tolist()
    checked = evaluate(
        [known.true[k] for k in numbers], {JUDGE: [known.judge[k] for k in numbers]}, measures=["accuracy"],
        labels=known.labels, positive=known.positive, confidence=None,
    )  # fmt: skip
    labels = known.labels or in_order([*checked.counted.labels, *known.judge])
    codes = {label: k for k, label in enumerate(labels)}
    positive = checked.source.positive if known.labels is None else None
    groups = None if known.groups is None else np.unique(np.asarray(known.groups, dtype=str), return_inverse=True)[1]
    return Judge(
        labels, np.array([codes[x] if here else -1 for x, here in zip(known.true, human.tolist(), strict=True)]),
        np.array([codes[x] for x in known.judge]), _ranges(known.by),
        None if known.weight is None else np.asarray(known.weight, np.float64), groups,
        confidence=options["confidence"], positive=positive,
    )  # fmt: skip


def _ranges(by: Mapping[str, Sequence[Label]]) -> dict[str, list[Label]]:
    """Return columns of slices, with numbers that have many values put into ranges of equally many items."""
    found: dict[str, list[Label]] = {}
    for name, values in by.items():
        listed = list(values)
        numbers = [x for x in listed if isinstance(x, (int, float, np.number)) and not isinstance(x, bool) and x == x]
        if len(numbers) == len(listed) and len(set(numbers)) > 3 * _RANGES:
            ends = np.unique(np.quantile(np.asarray(numbers, float), np.linspace(0, 1, _RANGES + 1)))
            places = np.clip(np.searchsorted(ends[1:-1], np.asarray(numbers, float), side="left"), 0, len(ends) - 2)
            found[name] = [f"{ends[k]:g} to {ends[k + 1]:g}" for k in places.tolist()]
        else:
            found[name] = listed
    return found


def judge_of(result: Result) -> Judge:
    """Return the judge whose labels a result was made with."""
    part = result.part()
    data = part.sample.judged
    assert data is not None
    worths = {
        x.system: {f.name: y.worth for f, y in zip(result.settings.measures, x.powered, strict=True)}
        for x in result.parts
        if x.slice is None
    }
    measures = list(worths[part.system])
    first = "accuracy" if "accuracy" in measures or not measures else measures[0]
    plain = bool((data.weight == data.squares).all())
    number = np.rint(data.weight**2 / data.squares).astype(np.int64)
    rows = np.repeat(np.arange(len(number)), number)
    binary = len(part.matrix.labels) == 2
    return Judge(
        part.matrix.labels, data.human[rows], data.judge[rows], {},
        None if plain else (data.weight / number)[rows], None if data.group is None else data.group[rows],
        data.pred[rows], result.settings.confidence or 0.95, first, worths[part.system].get(first), worths,
        part.matrix.labels[-1] if binary else None,
        data.place is not None and len(data.place) == result.counted.rows and not any(result.counted.dropped.values()),
    )  # fmt: skip
