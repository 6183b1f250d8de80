"""`reliability`: predicted probabilities against observed shares, in bins, to draw and to read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.scores.calibration import BINNINGS, WIDTH, bins_of
from goodmeasure.counts.scores.scored import Scored, read_scored
from goodmeasure.evaluation.intervals.proportions import share_of_items, wilson
from goodmeasure.evaluation.intervals.sampling_units import reach_of
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
    labels: LabelsLike | None = None, sample_weight: ArrayLike = None, groups: ArrayLike = None,
    missing: str = "error", confidence: float = 0.95,
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
    data = read_scored(
        y_true, y_score, labels=labels, positive=positive, sample_weight=sample_weight, groups=groups, missing=missing
    )
    data.check_probabilities("a reliability diagram")
    return reliability_of(data, bins, binning, confidence)


def reliability_of(data: Scored, bins: int = 10, binning: str = WIDTH, confidence: float = 0.95) -> Reliability:
    """Return the reliability diagram of scored items whose scores are probabilities."""
    predicted, hit = data.probabilities, data.true
    if predicted.ndim == 2:
        top = predicted.argmax(axis=1)
        predicted, hit = predicted[np.arange(len(top)), top], top == data.true
    found = bins_of(predicted, hit, data.weights, bins, binning, data.merged)
    place = found.place
    assert place is not None
    low, high = np.array([_ends(data, hit, place == k, confidence) for k in np.unique(place)]).reshape(-1, 2).T
    return Reliability(
        found.low, found.high, found.predicted, found.outcome, low, high, found.weight, found.items
    )  # fmt: skip


def _ends(data: Scored, hit: Array, here: Array, confidence: float) -> tuple[float, float]:
    """Return Wilson's interval of the share of hits in a bin; items count as their weights and groups make them."""
    weight = np.ones(int(here.sum())) if data.weights is None else data.weights[here].astype(np.float64)
    group = None if data.units is None else data.units[here]
    found = share_of_items(hit[here].astype(np.float64), weight, data.squares[here], group)
    return wilson(found, reach_of(confidence, found.freedom))
