"""`reliability`: predicted probabilities against observed shares, in bins, to draw and to read."""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.scores.calibration import BINNINGS, WIDTH, bins_of
from goodmeasure.counts.scores.scored import Scored, read_scored
from goodmeasure.evaluation.intervals.proportions import wilson_ends
from goodmeasure.exceptions import InputError
from goodmeasure.options import check_level
from goodmeasure.typing import Array, ArrayLike, Label, LabelsLike


class Reliability(NamedTuple):
    """A reliability diagram: for each bin that is not empty, its ends, mean probability, share of positive items with
    Wilson's interval, weight, and number of items."""

    left: Array
    right: Array
    predicted: Array
    observed: Array
    low: Array
    high: Array
    weight: Array
    items: Array


def reliability(
    y_true: ArrayLike, y_score: ArrayLike, *, bins: int = 10, binning: str = WIDTH, positive: Label = None,
    labels: LabelsLike | None = None, sample_weight: ArrayLike = None, missing: str = "error", confidence: float = 0.95,
) -> Reliability:  # fmt: skip
    """Return the reliability diagram of predicted probabilities: arrays with an entry for each bin.

    With more than two classes it is that of the class with the highest probability, or of `positive`. `binning` is
    "width" (bins of equal width, the last of which holds 1.0), "mass" (bins of about equally many items) or "sweep" (as
    many of these as rise).

    >>> found = reliability([0, 0, 1, 1], [0.1, 0.4, 0.35, 1.0], bins=2)
    >>> found.observed.round(3).tolist(), found.items.tolist()
    ([0.333, 1.0], [3, 1])
    """
    if binning not in BINNINGS:
        raise InputError("{binning} is {got!r}", got=binning, advice="use 'width', 'mass' or 'sweep'")
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise InputError("{bins} is {got!r}", got=bins, expected="a number of bins, such as 10")
    check_level("confidence", confidence)
    data = read_scored(y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight, missing=missing)
    data.check_probabilities("a reliability diagram")
    return reliability_of(data, bins, binning, confidence)


def reliability_of(data: Scored, bins: int = 10, binning: str = WIDTH, confidence: float = 0.95) -> Reliability:
    """Return the reliability diagram of scored items whose scores are probabilities."""
    predicted, hit = data.probabilities, data.true
    if predicted.ndim == 2:
        top = predicted.argmax(axis=1)
        predicted, hit = predicted[np.arange(len(top)), top], top == data.true
    found = bins_of(predicted, hit, data.weights, bins, binning, data.merged)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    low, high = wilson_ends(found.outcome, found.items.astype(float), z)
    return Reliability(
        found.low, found.high, found.predicted, found.outcome, low, high, found.weight, found.items
    )  # fmt: skip
