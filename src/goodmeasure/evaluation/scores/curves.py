"""The curves that scores are drawn as, with bands: ROC, precision over recall, and cumulative gain.

A band holds, at each place of the horizontal axis, a confidence interval of the curve's height there. It comes from
resamples of the items, and is never narrower than Wilson's interval of the proportion that the height is: resamples
alone would claim that a perfect ranking is certain to be perfect.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.measure import as_measure
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.intervals.proportions import wilson_ends
from goodmeasure.evaluation.provenance import ARRAYS, Provenance
from goodmeasure.evaluation.scores.uncertainty import FEWEST, Uncertainty
from goodmeasure.evaluation.thresholds.decisions import OPERATING
from goodmeasure.evaluation.thresholds.sweep import Sweep, SweptGroup
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

ROC, PRECISION_RECALL, GAIN = KINDS = ("roc", "precision_recall", "gain")
_GRID = np.linspace(0, 1, 101)  # where a band has its ends
_REPLICATES = 500


class Band(NamedTuple):
    """The ends of pointwise confidence intervals along the horizontal axis."""

    x: Array
    low: Array
    high: Array

    def at(self, place: float) -> tuple[float, float]:
        """Return the interval at a place that the band has, to two decimals."""
        k = int(np.argmin(np.abs(self.x - place)))
        return float(self.low[k]), float(self.high[k])


class ScoreCurve(NamedTuple):
    """A curve from the threshold above all scores (infinite) down.

    With `steps`, a height holds from the previous place on the axis up to its own; otherwise lines join the points.
    """

    x: Array
    y: Array
    thresholds: Array
    steps: bool
    band: Band | None

    def heights(self, places: Array) -> Array:
        """Return the height of the curve at some places of the horizontal axis."""
        return (_in_steps if self.steps else _on_lines)(self.x, self.y, places)


def curve_of(data: Scored, kind: str, confidence: float | None = None, seed: int = 0) -> ScoreCurve | None:
    """Return one of the curves of two-class scores; None where a class has no items.

    Precision is shown where recall changes, as average precision is the area under these steps.
    """
    if not data.sizes.all():
        return None
    counts = data.ranking.counts
    cells = np.concatenate([_nothing(counts.cells), counts.cells], axis=2)
    thresholds = np.append(np.inf, counts.thresholds.astype(float))
    x, y = _axes(kind, cells)
    band = None
    if confidence is not None and data.items >= FEWEST:
        band = _band(data, kind, x, y, confidence, seed)
    if kind == PRECISION_RECALL:
        rises = np.flatnonzero(np.diff(x) > 0) + 1
        keep = np.append(0, rises)
        y = np.append(y[rises[0]], y[rises])  # nothing has been found yet: the precision of the first step
        x, thresholds = x[keep], thresholds[keep]
    return ScoreCurve(x, y, thresholds, kind == PRECISION_RECALL, band)


def _nothing(cells: Array) -> Array:
    """Return the confusion matrix (2, 2, 1) at the threshold above all scores."""
    sizes = cells[:, :, -1].sum(axis=1)
    return np.stack([sizes, np.zeros(2)], axis=1)[..., None]


def _axes(kind: str, cells: Array) -> tuple[Array, Array]:
    """Return both axes (points, …) from confusion matrices (2, 2, points, …); NaN where precision is undefined."""
    (_, fp), (fn, tp) = cells
    with np.errstate(divide="ignore", invalid="ignore"):
        recall = tp / (tp + fn)
        if kind == ROC:
            return fp / cells[0].sum(axis=0), recall
        if kind == PRECISION_RECALL:
            return recall, tp / (tp + fp)
        return (tp + fp) / cells.sum(axis=(0, 1)), recall


def _band(data: Scored, kind: str, x: Array, y: Array, confidence: float, seed: int) -> Band:
    """Return the band: quantiles of resamples moved to the curve, and at least Wilson's interval."""
    work = Uncertainty(data, confidence, seed, _REPLICATES)
    along, up = _axes(kind, work.resampled.cells)
    at = _in_steps if kind == PRECISION_RECALL else _on_lines
    drawn = np.stack([at(along[:, k], up[:, k], _GRID) for k in range(along.shape[1])], axis=1)
    here, binned, drawn = at(x, y, _GRID), drawn[:, 0], drawn[:, 1:]
    drawn = drawn[:, ~np.isnan(drawn).any(axis=0)]
    tail = (1 - confidence) / 2
    items = _items_behind(kind, work, here)
    low, high = wilson_ends(here, items, NormalDist().inv_cdf(1 - tail))
    if drawn.shape[1] > 1:
        moved = np.quantile(drawn, [tail, 1 - tail], axis=1) - binned + here
        low, high = np.minimum(low, moved[0]), np.maximum(high, moved[1])
    if kind != PRECISION_RECALL:
        low[-1] = high[-1] = 1.0  # where everything is predicted positive, everything is found
    if kind == GAIN:
        low[0] = high[0] = 0.0
    return Band(_GRID, np.clip(np.minimum(low, here), 0, 1), np.clip(np.maximum(high, here), 0, 1))


def _items_behind(kind: str, work: Uncertainty, height: Array) -> Array:
    """Return the effective number of items that each height is a proportion of."""
    positive = work.effective_sizes()[1]
    if kind != PRECISION_RECALL:
        return np.full(len(_GRID), positive)
    return np.maximum(1.0, _GRID * positive / np.maximum(height, 1e-9))


def _on_lines(x: Array, y: Array, places: Array) -> Array:
    """Return the height of a rising polyline at some places; if several points lie at a place, the highest."""
    before = np.searchsorted(x, places, side="right") - 1
    after = np.minimum(before + 1, len(x) - 1)
    wide = x[after] - x[before]
    share = np.divide(places - x[before], wide, out=np.zeros(len(places)), where=wide > 0)
    return np.asarray(y[before] + share * (y[after] - y[before]))


def _in_steps(x: Array, y: Array, places: Array) -> Array:
    """Return the height of a step curve at some places: that of the first point at or beyond each place with x > 0."""
    first = int(np.argmax(x > 0))
    place = np.maximum(np.searchsorted(x, places - 1e-12), first)
    return np.asarray(y[np.minimum(place, len(y) - 1)])


class OperatingPoint(NamedTuple):
    """A threshold with the reason why it is shown, and the values of measures there by name."""

    why: str
    threshold: float
    values: dict[str, float]


def operating_points(data: Scored, threshold: float | None) -> list[OperatingPoint]:
    """Return the operating points that are shown: the threshold in use, and the best by Youden's index and by F1."""
    shown = [as_measure(name) for name in (*OPERATING, "fallout")]
    swept = Sweep({None: SweptGroup.of(data)}, shown, RESOLVE, data.labels[-1], Provenance(ARRAYS))
    asked: dict[str, str | float] = {"best Youden index": "k", "best F1": "f1"}
    if threshold is not None:
        asked = {f"threshold {threshold:g}": threshold, **asked}
    found = []
    for why, one in asked.items():
        row = swept.operating_points(one, measures=shown)[0]
        found.append(OperatingPoint(why, float(row["threshold"]), {f.name: float(row[f.name]) for f in shown}))
    return found
