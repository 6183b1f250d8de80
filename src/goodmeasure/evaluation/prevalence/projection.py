"""`project`: the values of measures to expect under another class distribution."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypedDict, Unpack

import numpy as np

from goodmeasure.catalogue.measure import LOWER, Measure, MeasureLike, among
from goodmeasure.counts.arguments import check_whole
from goodmeasure.counts.counting import labels_or_counts
from goodmeasure.counts.matrix import ConfusionMatrix, in_one_order
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.intervals.sampling_units import Groups, reach_of, units_of
from goodmeasure.evaluation.intervals.smoothing import LEAST_DRAWN, spread_of_imagined
from goodmeasure.evaluation.one_sample import sample_of
from goodmeasure.evaluation.positive_class import PositiveClass, of_samples, sentence
from goodmeasure.evaluation.prevalence.reweighting import as_shares, check_known, reweighted, with_predicted
from goodmeasure.evaluation.prevalence.two_classes import values_of_two
from goodmeasure.evaluation.result import Result
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import takes_options
from goodmeasure.language.policy import policy_of
from goodmeasure.options import ProjectOptions
from goodmeasure.progress import shows_progress
from goodmeasure.typing import Array, ArrayLike, DataLike, Label

_GRID = 1001
_HALVINGS, _AT_ONCE = 50, 5  # of an interval that holds a root
STEPS = 33  # values along the way from one end of an interval to the other
_LEAST = 1e-9  # a class of share 0 has no recall, so curves begin just above it


@takes_options
@shows_progress("projecting")
def project(
    cm: DataLike | Result, y_pred: ArrayLike = None, predicted: ArrayLike = None, *,
    prevalence: ArrayLike = "uniform", **options: Unpack[ProjectOptions],
) -> Projection | Projections:  # fmt: skip
    """Return the values to expect from the same classifier where class prevalence is different (opitz2024, §6.3).

    `prevalence` gives the true class shares there: a dict by class, one number for each class, the share of the
    positive class (of two; of text the rarer one in `cm`), or "uniform" (calibration). The recalls are assumed to stay
    the same. `predicted` gives the shares of the classes in the classifier's output there, if known; with two classes,
    values keep both recalls, and `.matrix` is the nearest with these shares, since none has all of it. `cm` is a
    confusion matrix or what `evaluate` returns, whose weights and groups then widen the intervals; or the first two
    arguments are the true and the predicted labels. A dict of matrices or results, or a result of several systems, is
    projected system by system.

    >>> there = project([[90, 10], [5, 15]], prevalence=0.5)
    >>> there.matrix.counts.tolist()
    [[54.0, 6.0], [15.0, 45.0]]
    >>> round(there.value("precision"), 4)
    0.8824
    """
    cm, older = labels_or_counts(cm, y_pred, "project", "prevalence")
    prevalence = prevalence if older is None else older
    if isinstance(cm, Result) and len(cm.systems) > 1 and cm.competing:
        samples: dict[Label, Sample] = {system: cm.part(system).sample for system in cm.systems}
        return _all_projected(samples, prevalence, predicted, options)
    if isinstance(cm, Mapping):
        if not cm:
            raise InputError("{cm} is an empty dict", expected="a confusion matrix for each system")
        return _all_projected({k: sample_of(x, "cm") for k, x in cm.items()}, prevalence, predicted, options)
    sample = sample_of(cm, "cm")
    positive = None if sample.matrix.batch else of_samples([sample])
    sample = sample if positive is None else sample.with_positive(positive.label)
    return _projected(sample, prevalence, predicted, options, positive)


def _all_projected(
    samples: Mapping[Label, Sample], prevalence: object, predicted: object, settings: ProjectOptions
) -> Projections:
    """Return the projection of each system, all with their classes in one order."""
    positive = of_samples(list(samples.values()))
    samples = samples if positive is None else {k: x.with_positive(positive.label) for k, x in samples.items()}
    found = in_one_order([x.matrix for x in samples.values()], [*samples])
    aligned = [x.with_classes(cm.labels) for x, cm in zip(samples.values(), found, strict=True)]
    return Projections(
        {
            name: _projected(x, prevalence, predicted, settings, positive)
            for name, x in zip(samples, aligned, strict=True)
        }
    )


def _projected(
    sample: Sample, prevalence: object, predicted: object, settings: ProjectOptions,
    positive: PositiveClass | None = None,
) -> Projection:  # fmt: skip
    cm = sample.matrix
    if cm.batch:
        raise InputError("{cm} is a batch of shape {batch}", batch=cm.batch, advice="give a dict of matrices")
    if not cm.n > 0:
        raise InputError("{cm} holds no items", advice="a projection needs at least one")
    shares = as_shares(prevalence, cm.labels, "prevalence")
    check_known(cm, shares)
    output = None if predicted is None else as_shares(predicted, cm.labels, "predicted")
    found = Projection(cm, shares, output, tuple(chosen(settings["measures"], cm.m)), settings, sample, positive)
    if output is not None:
        _ = found.matrix  # refuses shares that do not fit now, not when a value is asked for
    return found


class _Effective(NamedTuple):
    """The counts as if every item were independent and weighed 1, and the variances of the cells beside them."""

    counts: Array
    squares: Array


def _effective(sample: Sample) -> _Effective:
    """Return the cells in effective items (Kish 1965), class by class, since the rates of each true class are needed.

    Weights are divided by Σw²/Σw of their class, so that a class has (Σw)²/Σw² items; their squares are divided by the
    square of it. For items in groups, the design effect of a class is that of its recall.
    """
    counts = np.asarray(sample.matrix.counts, np.float64)
    units = units_of(sample)
    if isinstance(units, Groups):
        right = units.of_being_right()
        each = [units.worth(np.where(units.rows == k, right, 0.0)) for k in range(sample.matrix.m)]
        effective = counts / np.array(each)[:, None]
        return _Effective(effective, effective)
    if sample.squares is None:
        return _Effective(counts, counts)
    squares = np.asarray(sample.squares, np.float64)
    sums = counts.sum(axis=1, keepdims=True)
    worth = np.divide(squares.sum(axis=1, keepdims=True), sums, out=np.ones_like(sums), where=sums > 0)
    return _Effective(counts / worth, squares / worth**2)


def shares_of_curve(points: int) -> Array:
    """Return shares of a class from just above 0 to just below 1, where a curve begins and ends."""
    return np.linspace(_LEAST, 1 - _LEAST, points)


class PrevalenceCurve(NamedTuple):
    """The values of a measure along the prevalence of one class."""

    prevalence: Array
    values: Array


class PrevalenceRange(NamedTuple):
    """The least and the greatest value along the prevalence of one class, and where they occur."""

    low: float
    high: float
    low_at: float
    high_at: float


class ProjectionRow(TypedDict):
    """The expected value of one measure, with its interval if one was asked for, and the value that was measured."""

    measure: str
    value: float
    low: float | None
    high: float | None
    before: float


class SystemProjectionRow(ProjectionRow):
    """The same with the name of the system."""

    system: object


@dataclass(frozen=True, eq=False)
class Projection:
    """One system under another class distribution."""

    before: ConfusionMatrix
    prevalence: Array
    predicted: Array | None
    measures: tuple[Measure, ...]
    settings: ProjectOptions = field(repr=False)
    sample: Sample = field(repr=False)
    positive: PositiveClass | None = field(default=None, repr=False)  # where it was chosen by the sizes of the classes

    @cached_property
    def _known(self) -> _Effective:
        return _effective(self.sample)

    @cached_property
    def matrix(self) -> ConfusionMatrix:
        """Return the expected matrix, for as many items as were measured."""
        cells = self._cells(np.asarray(self.before.counts, dtype=np.float64))
        if not np.isfinite(cells).all():
            raise InputError(
                "{predicted} does not fit {prevalence} and the recalls", advice="no errors give these class shares"
            )
        return ConfusionMatrix(np.maximum(cells, 0.0) * float(self.before.n), self.before.labels)

    @property
    def note(self) -> str:
        """Return how far given predicted shares are from those that the recalls imply, and what intervals lack."""
        bare = "" if self.settings["confidence"] is None else units_of(self.sample).note
        return "; ".join(x for x in (self._gap_of_shares(), bare) if x)

    def _gap_of_shares(self) -> str:
        if self.predicted is None:
            return ""
        implied = reweighted(np.asarray(self.before.counts, dtype=np.float64), self.prevalence).sum(axis=0)
        i = int(np.argmax(np.abs(implied - self.predicted)))
        return (
            f"the known error rates would make the share of predicted {self.before.labels[i]!r} {implied[i]:.3g}, and "
            f"it is {self.predicted[i]:.3g}: the larger the gap, the less they carry over"
        )

    def _cells(self, rows: Array) -> Array:
        found = reweighted(rows, self.prevalence)
        return found if self.predicted is None else with_predicted(found, self.predicted, self.before.labels)

    def value(self, measure: MeasureLike) -> float:
        """Return the expected value of a measure; with the predicted shares of two classes, both recalls are kept."""
        f = among(measure, self.measures)
        if self._keeps_two_recalls:
            cells = reweighted(np.asarray(self.before.counts, dtype=np.float64), self.prevalence)
            return float(self._of_two(f, cells[None])[0])
        return float(f(self.matrix, undefined=self.settings["undefined"]))

    @property
    def _keeps_two_recalls(self) -> bool:
        return self.predicted is not None and self.before.m == 2

    def _of_two(self, f: Measure, cells: Array) -> Array:
        assert self.predicted is not None
        return values_of_two(f, cells, self.predicted, policy_of(self.settings["undefined"]))

    def interval(self, measure: MeasureLike) -> tuple[float, float]:
        """Return an interval of the expected value, from how well the rates of each true class are known.

        Where the predicted shares are given too, or the measure has no derivative, it comes from rates that are drawn
        from their posterior distributions.
        """
        f, confidence = among(measure, self.measures), self.settings["confidence"]
        value = self.value(f)
        if np.isnan(value) or confidence is None:
            return float("nan"), float("nan")
        low, high = self._smoothed(f) if self.predicted is None else (np.nan, np.nan)
        if np.isnan(low) or np.isnan(high):
            low, high = self._between_draws(f)
        least, most = f.range or (-np.inf, np.inf)
        return min(max(float(low), least), value), max(min(float(high), most), value)

    @cached_property
    def _z(self) -> float:
        units, confidence = units_of(self.sample), self.settings["confidence"] or 0
        if not isinstance(units, Groups):
            return reach_of(confidence, math.inf)
        sizes = np.asarray(self.before.a, np.float64)
        moved = np.divide(self.prevalence, sizes, out=np.zeros(len(sizes)), where=sizes > 0)[units.rows]
        return reach_of(confidence, units.freedom(moved * units.of_being_right()))

    @cached_property
    def _imagined(self) -> Array:
        """Return the imagined items that smooth the rates to begin with: z² of them, half right and half wrong.

        The smoothed interval of single systems spreads them evenly over the classes. Here the classes with a large
        share decide the value, so that half of the items follow the shares. (One imagined item for each class, as a
        posterior distribution would have, adds up to a large bias with many classes.)
        """
        m = self.before.m
        rows, cols = np.divmod(np.arange(m * m), m)
        evenly = spread_of_imagined(rows, cols, m).reshape(m, m)
        found: Array = self._z**2 * evenly * (1 + m * self.prevalence[:, None]) / 2
        return found

    def _smoothed(self, f: Measure) -> tuple[float, float]:
        """Return the ends of the interval: the lowest and the highest value within z standard errors of the rates.

        For one rate, Agresti and Coull (1998) add z² imagined items. Of several rates, a measure may depend on one
        only (recall), or on all. So half of the z² items go to the true classes in proportion to what each contributes
        to the variance of the value, which is known after a first round. The other half stays where it was in that
        round: a class whose items are all right may contribute more than it seems.

        The value can depend on a rate in a way that is far from linear: the F1 of a rare class falls steeply with the
        first false alarms, and slowly with more. So the value ± z standard errors is not enough. The rates are also
        moved from the smoothed ones in the direction that changes the value most, up to z standard errors to each side,
        and the measure is evaluated along the way.
        """
        m = self.before.m
        rows, cols = np.divmod(np.arange(m * m), m)
        samples = Samples(m, rows, cols, policy_of(self.settings["undefined"]), whole=False)
        parts = self._moved(f, samples, self._imagined)[2]
        if not np.isfinite(parts).all() or not parts.sum() > 0:
            return float("nan"), float("nan")
        evenly = self._imagined / self._imagined.sum(axis=1, keepdims=True)
        again = self._z**2 * evenly * (parts / parts.sum())[:, None]
        rates, moved, parts = self._moved(f, samples, (self._imagined + again) / 2)
        error = float(np.sqrt(parts.sum()))
        if not error > 0:
            return float("nan"), float("nan")
        steps = np.linspace(-self._z, self._z, STEPS)[:, None, None]
        along = np.maximum(rates * (1 + steps * moved / error), 0.0)
        along *= (self.prevalence / along.sum(axis=2))[:, :, None]
        values = samples.values([f], [along.reshape(STEPS, -1).T])[0]
        middle = float(values[STEPS // 2])  # nothing is moved there
        straight = self._z * error
        return min(float(np.nanmin(values)), middle - straight), max(float(np.nanmax(values)), middle + straight)

    def _moved(self, f: Measure, samples: Samples, imagined: Array) -> tuple[Array, Array, Array]:
        """Return the smoothed rates, the influence of one item of each cell, and the variance from each true class.

        The value is M(p_i·s_ij/s_i), where s are the smoothed counts and p the given shares. With G the derivative of M
        there, the derivative by s_ij is (p_i/s_i)·(G_ij − Σ_k r_ik·G_ik), r_ij = s_ij/s_i. Items of a row vary
        among its cells only, and the sum of derivative times s over a row is 0, so the variance is the sum of squared
        derivatives over all items, or with weights, times the squared weights. The imagined items count as items, as
        for single systems. The covariance of the
        rate r_ij and the value is r_ij times the derivative by s_ij.
        """
        m = self.before.m
        smoothed = self._known.counts + imagined
        sizes = smoothed.sum(axis=1, keepdims=True)
        rates = np.divide(smoothed, sizes, out=np.full((m, m), 1 / m), where=sizes > 0)
        sizes = np.where(sizes > 0, sizes, 1.0)
        slopes = samples.slopes(f, (rates * self.prevalence[:, None]).reshape(-1)).reshape(m, m)
        moved = self.prevalence[:, None] / sizes * (slopes - (rates * slopes).sum(axis=1, keepdims=True))
        return rates, moved, ((self._known.squares + imagined) * moved**2).sum(axis=1)

    def _between_draws(self, f: Measure) -> tuple[float, float]:
        """Return the quantiles of the value over drawn rates; NaN where it is undefined on nearly all of them."""
        if self._keeps_two_recalls:
            values = self._of_two(f, self._drawn)
        else:
            values = np.asarray(f(self._drawn, undefined=self.settings["undefined"]), dtype=float)
        values = values[~np.isnan(values)]
        if len(values) < 2:
            return float("nan"), float("nan")
        tail = (1 - (self.settings["confidence"] or 0)) / 2
        low, high = np.quantile(values, [tail, 1 - tail])
        return float(low), float(high)

    @cached_property
    def _drawn(self) -> Array:
        """Return matrices under the new prevalence whose rates are drawn from their posterior distributions.

        With the predicted shares of two classes, these are shares of items whose columns do not add up to them yet.

        What is uncertain is the rates c_ij/a_i of each true class, known from a_i items. Each row of rates is drawn
        from a Dirichlet distribution, whose parameters are the counts and the imagined items.
        """
        rng = np.random.default_rng(self.settings["seed"])
        counts, m = self._known.counts, self.before.m
        rows = rng.gamma(counts + self._imagined, size=(self.settings["replicates"], m, m))
        rows = np.maximum(rows, LEAST_DRAWN)
        if self._keeps_two_recalls:
            assert self.predicted is not None
            apart = reweighted(rows, self.prevalence)
            fits: Array = apart[(np.einsum("...ii->...i", apart) <= self.predicted).all(axis=1)]
            return fits
        cells = self._cells(rows)
        usable = np.isfinite(cells).all(axis=(1, 2)) & (cells >= 0).all(axis=(1, 2))
        found: Array = cells[usable] * float(self.before.n)
        return found

    @property
    def table(self) -> list[ProjectionRow]:
        """Return rows with measure, value, low, high, and before (the value on the measured matrix)."""
        rows = list[ProjectionRow]()
        for f in self.measures:
            low, high = self.interval(f) if self.settings["confidence"] is not None else (None, None)
            before = float(f(self.before, undefined=self.settings["undefined"]))
            rows.append({"measure": f.name, "value": self.value(f), "low": low, "high": high, "before": before})
        return rows

    def curve(self, measure: MeasureLike, label: Label = None, points: int = 101) -> PrevalenceCurve:
        """Return the values along the prevalence of one class (by default the last); the others share the rest."""
        check_whole(points, "points", 2)
        return PrevalenceCurve(np.linspace(0, 1, points), self.values_at(measure, shares_of_curve(points), label))

    def values_at(self, measure: MeasureLike, shares: Array, label: Label = None) -> Array:
        """Return the values where one class has these shares and the recalls stay the same."""
        cells = self.cells_at(shares, label)
        return np.asarray(among(measure, self.measures)(cells, undefined=self.settings["undefined"]), dtype=float)

    def cells_at(self, shares: Array, label: Label = None) -> Array:
        """Return the expected matrices where one class has these shares and the recalls stay the same."""
        i = self.before.m - 1 if label is None else self.before._position(label)
        others = np.delete(np.arange(self.before.m), i)
        rest = self.prevalence[others]
        rest = rest / rest.sum() if rest.sum() > 0 else np.full(len(rest), 1 / max(1, len(rest)))
        prevalence = np.empty((len(shares), self.before.m))
        prevalence[:, i] = shares
        prevalence[:, others] = (1 - np.asarray(shares))[:, None] * rest
        if (self.before.a[prevalence.max(axis=0) > 0] == 0).any():
            raise InputError(
                "a class has no true items", argument="cm", advice="nothing is known about what would become of them"
            )
        rows = np.asarray(self.before.counts, dtype=np.float64)
        found: Array = reweighted(rows[None], prevalence) * float(self.before.n)
        return found

    def range(self, measure: MeasureLike, label: Label = None) -> PrevalenceRange:
        """Return the least and the greatest value along the prevalence of one class."""
        shares = np.linspace(_LEAST, 1 - _LEAST, _GRID)
        values = self.values_at(measure, shares, label)
        if np.isnan(values).all():
            raise InputError(
                "{name} is undefined whatever the share of the class",
                name=among(measure, self.measures).name,
                argument="measure",
                got=measure,
            )
        low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
        at = np.linspace(0, 1, _GRID)
        return PrevalenceRange(float(values[low]), float(values[high]), float(at[low]), float(at[high]))

    def crossing(self, other: object, measure: MeasureLike, label: Label = None) -> list[float]:
        """Return the shares of one class at which this system and another change places."""
        rival = self._beside(other)
        same = None if label is None else rival.before.labels[self.before._position(label)]

        def gap(shares: Array) -> Array:
            return self.values_at(measure, shares, label) - rival.values_at(measure, shares, same)

        shares = np.linspace(_LEAST, 1 - _LEAST, _GRID)
        gaps = gap(shares)
        gaps = np.where(np.abs(gaps) < 1e-12, 0.0, gaps)
        known = np.flatnonzero((gaps != 0) & ~np.isnan(gaps))
        found = []
        for k, after in pairwise(known):
            if np.sign(gaps[k]) != np.sign(gaps[after]):
                found.append(_root(gap, shares[k], shares[after], np.sign(gaps[k])))
        return found

    def _beside(self, other: object) -> Projection:
        """Return the projection of another system to the same prevalence, with the classes in the same order."""
        cm = other.before if isinstance(other, Projection) else other
        cm = cm if isinstance(cm, ConfusionMatrix) else ConfusionMatrix(cm)
        _, alike = in_one_order([self.before, cm], ["this system", "the other"])
        if isinstance(other, Projection) and alike.labels == cm.labels:
            return other
        return _projected(Sample(alike), self.prevalence, None, self.settings)

    def __repr__(self) -> str:
        shares = ", ".join(f"{x}: {p:.4g}" for x, p in zip(self.before.labels, self.prevalence, strict=True))
        lines = [] if self.positive is None else [sentence(*self.positive, "positive= of evaluate")]
        lines.append(f"Projection to class shares {shares}")
        for row in self.table:
            ends = "" if row["low"] is None else f" ({row['low']:.4f} to {row['high']:.4f})"
            lines.append(f"{row['measure']}: {row['value']:.4f}{ends}, measured {row['before']:.4f}")
        return "\n".join([*lines, *([self.note] if self.note else [])])


def _root(gap: Callable[[Array], Array], low: float, high: float, sign: float) -> float:
    """Return where a difference changes its sign, by bisection."""
    for _ in range(_HALVINGS // _AT_ONCE):
        ends = np.array([low, high])
        for _ in range(_AT_ONCE):  # all midpoints that the next halvings can reach
            finer = np.empty(2 * len(ends) - 1)
            finer[::2], finer[1::2] = ends, (ends[:-1] + ends[1:]) / 2
            ends = finer
        before = np.sign(gap(ends[1:-1])) == sign
        first, last = 0, len(ends) - 1
        while last - first > 1:
            middle = (first + last) // 2
            first, last = (middle, last) if before[middle - 1] else (first, middle)
        low, high = float(ends[first]), float(ends[last])
    return float((low + high) / 2)


class Projections(Mapping[Label, Projection]):
    """Several systems under another class distribution, by name."""

    def __init__(self, systems: dict[object, Projection]) -> None:
        self._systems = systems

    def __getitem__(self, system: object) -> Projection:
        return self._systems[system]

    def __iter__(self) -> Iterator[object]:
        return iter(self._systems)

    def __len__(self) -> int:
        return len(self._systems)

    def value(self, measure: MeasureLike, system: Label = None) -> float:
        """Return the expected value of a measure of one system, by default the first."""
        return self._systems[next(iter(self._systems)) if system is None else system].value(measure)

    @property
    def table(self) -> list[SystemProjectionRow]:
        """Return rows with system, measure, value, low, high, before."""
        return [{"system": name, **row} for name, x in self._systems.items() for row in x.table]

    def crossings(self, measure: MeasureLike, label: Label = None) -> list[dict[str, object]]:
        """Return where two systems change places: both systems, the share, and which is better below and above it."""
        names, rows = list(self._systems), list[dict[str, object]]()
        f = among(measure, next(iter(self._systems.values())).measures)
        sign = -1 if f.orientation == LOWER else 1
        for k, first in enumerate(names):
            for second in names[k + 1 :]:
                x, y = self._systems[first], self._systems[second]
                found = x.crossing(y, f, label)
                edges = [0.0, *found, 1.0]
                for j, share in enumerate(found):
                    middles = np.array([(edges[j] + share) / 2, (share + edges[j + 2]) / 2])
                    gaps = sign * (x.values_at(f, middles, label) - y.values_at(f, middles, label))
                    below, above = (first if gap > 0 else second for gap in gaps)
                    rows.append({"systems": (first, second), "share": share, "below": below, "above": above})
        return rows
