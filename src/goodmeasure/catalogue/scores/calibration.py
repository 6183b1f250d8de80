"""Calibration: whether events that are predicted with probability p happen in a share p of the cases."""

from __future__ import annotations

import math
from functools import partial
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import LOWER, NEITHER, Description
from goodmeasure.catalogue.scores.definition import DegenerateScores, ScoreDefinition, check_both_classes, weights_of
from goodmeasure.catalogue.scores.measure import define_score, define_score_family
from goodmeasure.counts.scores.score_sketch import ScoreSketch
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array

define = partial(define_score, family="calibration", cite="cox1958")
define_family = partial(define_score_family, family="calibration")

WIDTH, MASS, SWEEP = BINNINGS = ("width", "mass", "sweep")
EXPECTED, MAXIMUM, RMS = KINDS = ("expected", "maximum", "rms")
_STEPS = 100  # the most steps of Newton's method
_SLACK = 1e-12  # differences of shares that may come from rounding


class Bins(NamedTuple):
    """Bins of probabilities that are not empty: weight, mean prediction, share of events, number of items, ends.

    `spread` is the variance of the sum of outcomes less predictions under resampling.
    """

    weight: Array
    predicted: Array
    outcome: Array
    items: Array
    low: Array
    high: Array
    spread: Array
    place: Array | None = None  # the number of the bin of each item, where items are at hand; some may have none


def bins_of(
    predicted: Array, hit: Array, weights: Array | None, bins: int, binning: str, merged: ScoreSketch | None = None
) -> Bins:
    """Return the bins of predicted probabilities.

    Bins of equal width are closed below and open above, except for the last, which holds 1.0. Bins of equal mass hold
    about equally many items; equal probabilities stay together. A sweep makes as many bins of equal mass as it can with
    shares of events that rise from bin to bin. `merged` says which items the rows stand for.
    """
    wide = predicted.astype(np.float64, copy=False)
    weight = np.ones(len(wide)) if weights is None else weights.astype(np.float64, copy=False)
    if binning == WIDTH:
        place = np.minimum((wide * bins).astype(np.int64), bins - 1)
    else:
        known, inverse = np.unique(wide, return_inverse=True)
        here = np.bincount(inverse, weight, len(known))
        middle = (np.cumsum(here) - here / 2) / weight.sum()
        if binning == SWEEP:
            bins = _most_rising(middle, here, np.bincount(inverse, weight * hit, len(known)))
        place = np.minimum((middle * bins).astype(np.int64), bins - 1)[inverse]
    total, said, events = (np.bincount(place, x, bins) for x in (weight, weight * wide, weight * hit))
    items = np.bincount(place, None if merged is None else merged.items, bins).astype(np.int64)
    squares = weight**2 if merged is None else merged.squares
    spread = np.bincount(place, squares * (hit - wide) ** 2, bins)
    kept = total > 0
    if binning == WIDTH:
        low, high = np.arange(bins) / bins, np.arange(1, bins + 1) / bins
    else:
        low, high = np.full(bins, np.inf), np.full(bins, -np.inf)
        np.minimum.at(low, place, wide)
        np.maximum.at(high, place, wide)
    ends = low[kept], high[kept]
    return Bins(
        total[kept], said[kept] / total[kept], events[kept] / total[kept], items[kept], *ends, spread[kept], place
    )


def _most_rising(middle: Array, weight: Array, events: Array) -> int:
    """Return the largest number of bins of equal mass up to which shares of events rise from bin to bin.

    `middle` is the share of the weight up to the middle of each distinct probability (Roelofs et al. 2022).
    """
    total, found = (np.append(0.0, np.cumsum(x)) for x in (weight, events))
    for bins in range(2, len(middle) + 1):
        first = np.searchsorted(middle * bins, np.arange(bins))
        ends = np.append(first, len(middle))
        inside = np.diff(total[ends])
        shares = np.diff(found[ends])[inside > 0] / inside[inside > 0]
        if (np.diff(shares) < -_SLACK).any():
            return bins - 1
    return len(middle)


class CalibrationError(ScoreDefinition):
    """The distance of predicted probabilities and observed shares, in bins."""

    needs_probabilities = True
    classes = None

    def __init__(self, bins: int, kind: str, binning: str, classwise: bool, debiased: bool) -> None:
        self.bins, self.kind, self.binning, self.classwise, self.debiased = bins, kind, binning, classwise, debiased
        away = r"\left|\bar{y}_{b} - \bar{p}_{b}\right|"
        self.formula = {
            EXPECTED: rf"\sum_{{b}} \frac{{n_{{b}}}}{{n}} {away}",
            MAXIMUM: rf"\max_{{b}} {away}",
            RMS: r"\sqrt{\sum_{b} \frac{n_{b}}{n} \left(\bar{y}_{b} - \bar{p}_{b}\right)^{2}}",
        }[kind]
        if debiased and kind == EXPECTED:
            folded = r"\mathrm{E} \left|\mathcal{N}\left(\bar{y}_{b} - \bar{p}_{b}, s_{b}^{2}\right)\right|"
            inside = rf"\sum_{{b}} \frac{{n_{{b}}}}{{n}} \left(2 {away} - {folded}\right)"
            spread = r"\frac{\bar{y}_{b} \left(1 - \bar{y}_{b}\right)}{n_{b} - 1}"
            self.formula = rf"\max\left(0, {inside}\right) \quad \text{{with }} s_{{b}}^{{2}} = {spread}"
        elif debiased:
            less = r"\frac{\bar{y}_{b} \left(1 - \bar{y}_{b}\right)}{n_{b} - 1}"
            square = r"\left(\bar{y}_{b} - \bar{p}_{b}\right)^{2}"
            inside = rf"\sum_{{b}} \frac{{n_{{b}}}}{{n}} \left({square} - {less}\right)"
            self.formula = rf"\sqrt{{\max\left(0, {inside}\right)}}"
        equal = "equal width" if binning == WIDTH else "equally many items"
        how = f"the most bins of {equal} with rising shares" if binning == SWEEP else f"{bins} bins of {equal}"
        self.formula += rf" \quad \text{{in {how}}}"

    def value(self, data: Scored) -> float:
        found = [self._of(*part, data) for part in self._parts(data)]
        return float(np.mean(found))

    def _parts(self, data: Scored) -> list[tuple[Array, Array]]:
        """Return predicted probabilities with whether the event happened: of each class, or of the predicted one."""
        if data.scores.ndim == 1:
            both = [(data.probabilities, data.true)]
            return [*both, (1 - data.probabilities, ~data.true)] if self.classwise else both
        if self.classwise:
            return [(data.scores[:, k], data.true == k) for k in range(data.m)]
        top = data.scores.argmax(axis=1)
        return [(data.scores[np.arange(len(top)), top], top == data.true)]

    def _of(self, predicted: Array, hit: Array, data: Scored) -> float:
        found = bins_of(predicted, hit, data.weights, self.bins, self.binning, data.merged)
        return float(self._distance(found, (found.outcome - found.predicted)[:, None])[0])

    def _distance(self, found: Bins, away: Array) -> Array:
        """Return the error from the distances (bins, batch)."""
        if self.kind == MAXIMUM:
            return np.asarray(np.abs(away).max(axis=0))
        share = (found.weight / found.weight.sum())[:, None]
        if self.kind == EXPECTED:
            far = 2 * np.abs(away) - _folded(away, np.sqrt(_noise(found))) if self.debiased else np.abs(away)
            return np.asarray(np.maximum(0.0, (share * far).sum(axis=0)))
        squares = away**2 - _noise(found) if self.debiased else away**2
        return np.asarray(np.sqrt(np.maximum(0.0, (share * squares).sum(axis=0))))

    def drawn(self, data: Scored, replicates: int, rng: np.random.Generator, *, calibrated: bool = False) -> Array:
        """Return the values on resamples, which are simulated by drawing the sums of each bin as normal variables.

        If they are to be `calibrated`, the sums vary around 0.
        """
        parts = []
        for predicted, hit in self._parts(data):
            found = bins_of(predicted, hit, data.weights, self.bins, self.binning, data.merged)
            noise = (
                rng.standard_normal((len(found.weight), replicates)) * (np.sqrt(found.spread) / found.weight)[:, None]
            )
            middle = np.zeros(len(found.weight)) if calibrated else found.outcome - found.predicted
            parts.append(self._distance(found, middle[:, None] + noise))
        return np.asarray(np.mean(parts, axis=0))


_FAR = 40.0  # standard deviations: farther away nothing is folded
_erf = np.vectorize(math.erf, otypes=[float])


def _noise(found: Bins) -> Array:
    """Return the variance of the outcome of each bin, as a column."""
    noise: Array = (found.outcome * (1 - found.outcome) / np.maximum(found.items - 1, 1))[:, None]
    return noise


def _folded(mean: Array, deviation: Array) -> Array:
    """Return the expected absolute values of normal variables with these means and standard deviations."""
    spread = np.broadcast_to(np.maximum(deviation, 1e-300), mean.shape)
    z = np.minimum(np.abs(mean) / spread, _FAR)
    found: Array = np.abs(mean) * _erf(z / math.sqrt(2)) + spread * math.sqrt(2 / math.pi) * np.exp(-(z**2) / 2)
    return found


@define_family(
    "calibration_error",
    usual=({}, {"kind": "maximum"}, {"binning": "mass"}, {"classwise": True}),
    title=lambda bins, kind, binning, classwise, debiased: (
        {EXPECTED: "Expected calibration error", MAXIMUM: "Maximum calibration error", RMS: "RMS calibration error"}[
            kind
        ]
        + (", class by class" if classwise else "")
    ),
    range=(0, 1),
    orientation=LOWER,
    cite="naeini2015",
    aliases=("ece", "expected_calibration_error"),
    about=Description(
        "the mean distance of predicted probabilities and observed shares in bins: with two classes of the positive "
        "class, with more of the class with the highest probability or, with classwise=True, of each class",
        "it depends on the bins, and is too high for few items unless debiased",
    ),
)
def calibration_error(
    bins: object = 15, kind: str = EXPECTED, binning: str = WIDTH, classwise: object = False, debiased: object = False
) -> CalibrationError:
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise InputError("{bins} is {got!r}", got=bins, expected="a number of bins, such as 15")
    for name, value, known in (("kind", kind, KINDS), ("binning", binning, BINNINGS)):
        if value not in known:
            listed = ", ".join(map(repr, known))
            raise InputError("{argument} is {got!r}", argument=name, got=value, listed=listed, advice="use {listed}")
    if debiased and kind == MAXIMUM:
        raise InputError(
            "{debiased} needs kind='expected' or kind='rms'", got=kind,
            advice="no estimate of the bias of a maximum has been published",
        )  # fmt: skip
    return CalibrationError(bins, kind, binning, bool(classwise), bool(debiased))


class Recalibration(ScoreDefinition):
    """A coefficient of the logistic regression of the outcomes on the log odds of the probabilities."""

    needs_probabilities = True

    def __init__(self, slope: bool) -> None:
        self.slope = slope
        model = r"a + b \log \frac{p}{1 - p}" if slope else r"a + \log \frac{p}{1 - p}"
        self.formula = rf"{'b' if slope else 'a'} \quad \text{{of }} \log \frac{{q}}{{1 - q}} = {model}"

    def value(self, data: Scored) -> float:
        check_both_classes(data)
        return float(self._fitted(data)[0][-1])

    def _columns(self, data: Scored) -> tuple[Array, Array]:
        """Return the offset and the columns of the regression."""
        p = data.scores.astype(float)
        with np.errstate(divide="ignore"):
            odds = np.log(p) - np.log1p(-p)
        if not np.isfinite(odds).all():
            raise DegenerateScores("a probability is 0 or 1, so its log odds are infinite")
        one = np.ones(len(p))
        return (np.zeros(len(p)), np.stack([one, odds])) if self.slope else (odds, one[None])

    def _fitted(self, data: Scored) -> tuple[Array, Array, Array]:
        """Return the coefficients, the influences on each and the fitted shares, by Newton's method."""
        offset, columns = self._columns(data)
        if self.slope and np.ptp(columns[1]) == 0:
            raise DegenerateScores("all probabilities are equal, so there is no slope")
        weights = weights_of(data) * np.ones(len(data))
        at = np.array([0.0, 1.0]) if self.slope else np.zeros(1)
        for _ in range(_STEPS):
            share = 1 / (1 + np.exp(-np.clip(offset + at @ columns, -700, 700)))
            residual = columns * (weights * (data.true - share))
            curve = (columns * (weights * share * (1 - share))) @ columns.T
            try:
                step = np.linalg.solve(curve, residual.sum(axis=1))
            except np.linalg.LinAlgError:
                break
            at = at + np.clip(step, -5, 5)
            if np.abs(step).max() < 1e-11 * max(1.0, float(np.abs(at).max())):
                return at, np.linalg.solve(curve, residual), share
            if np.abs(at).max() > 1e6:
                break
        raise DegenerateScores(
            "the probabilities separate the classes perfectly, so the regression has no finite solution"
        )

    def influences(self, data: Scored) -> Array | None:
        try:
            found: Array = self._fitted(data)[1][-1]
        except DegenerateScores:
            return None
        return found


calibration_slope = define(
    "calibration_slope",
    Recalibration(slope=True),
    title="Calibration slope",
    range=(-math.inf, math.inf),
    orientation=NEITHER,
    aliases=("cox_slope",),
    about="the slope of the outcomes over the log odds of the probabilities, by logistic regression: 1 is ideal, and "
    "less than 1 means that the probabilities are too extreme (overfitting)",
)

calibration_intercept = define(
    "calibration_intercept",
    Recalibration(slope=False),
    title="Calibration intercept",
    range=(-math.inf, math.inf),
    orientation=NEITHER,
    aliases=("calibration_in_the_large", "cox_intercept"),
    about="how far the log odds of the probabilities must be moved to be right on average: 0 is ideal, and more than 0 "
    "means that the probabilities are too low",
)
