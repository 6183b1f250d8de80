"""How often the intervals of measures of scores hold the true value: `python -m benchmarks.score_coverage [TIMES]`.

Scores are normal, with a distance of the classes that gives the area under the ROC curve, and turned into calibrated
probabilities. docs/scores.md shows the result.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

import goodmeasure as gm
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.scores.curves import GAIN, KINDS, PRECISION_RECALL, ROC, curve_of
from goodmeasure.evaluation.scores.uncertainty import Uncertainty

DESIGNS = ((10, 10, 0.8), (5, 45, 0.9), (20, 20, 0.97), (30, 100, 0.85), (200, 200, 0.8))
USUAL = ("roc_auc", "average_precision", "log_loss", "brier")
DRAWN = ("ks", "h_measure", "partial_auc", "equal_error_rate", "precision_at_recall", "gain_at", "calibration_error")
_POPULATION = 200_000


def coverage(positive: int, negative: int, area: float, names: Sequence[str], times: int) -> dict[str, float]:
    """Return, for each measure, the share of data sets whose interval at 95% confidence holds the true value."""
    rng = np.random.default_rng(0)
    apart, share = np.sqrt(2) * NormalDist().inv_cdf(area), positive / (positive + negative)

    def drawn(hit: np.ndarray) -> Scored:
        score = rng.normal(size=len(hit)) + apart * hit
        odds = apart * score - apart**2 / 2 + np.log(share / (1 - share))
        return Scored(hit, 1 / (1 + np.exp(-odds)), (0, 1))

    measures = [gm.measure(name) for name in names]
    population = drawn(rng.random(_POPULATION) < share)
    truth = [area if f.name == "roc_auc" else f.of(population)[0] for f in measures]
    held = np.zeros(len(measures))
    for k in range(times):
        data = drawn(np.arange(positive + negative) < positive)
        work = Uncertainty(data, 0.95, k, 300)
        found = [work.interval(f, f.of(data)[0]) for f in measures]
        held += [x.low <= true <= x.high for x, true in zip(found, truth, strict=True)]
    return dict(zip(names, (held / times).tolist(), strict=True))


def band_coverage(positive: int, negative: int, area: float, times: int) -> dict[str, list[float]]:
    """Return, for each curve, the share of data sets whose band holds the true height at places from 0.1 to 0.9."""
    rng, normal, places = np.random.default_rng(0), NormalDist(), np.arange(1, 10) / 10
    apart, share = np.sqrt(2) * normal.inv_cdf(area), positive / (positive + negative)
    at = np.linspace(8, -6, 20_001)
    fallout, recall = (1 - np.vectorize(normal.cdf)(x) for x in (at, at - apart))
    chosen = share * recall + (1 - share) * fallout
    axes = {ROC: (fallout, recall), PRECISION_RECALL: (recall, share * recall / chosen), GAIN: (chosen, recall)}
    truth = {kind: np.interp(places, *both) for kind, both in axes.items()}
    held = {kind: np.zeros(len(places)) for kind in KINDS}
    hit = np.arange(positive + negative) < positive
    for k in range(times):
        data = Scored(hit, rng.normal(size=len(hit)) + apart * hit, (0, 1))
        for kind, true in truth.items():
            found = curve_of(data, kind, 0.95, k)
            assert found is not None  # both classes have items
            assert found.band is not None
            low, high = np.array([found.band.at(x) for x in places]).T
            held[kind] += (low <= true) & (true <= high)
    return {kind: (x / times).tolist() for kind, x in held.items()}


def main(times: int) -> None:
    """Print the coverage of each design."""
    for design in DESIGNS:
        print(*design, {name: round(100 * x, 1) for name, x in coverage(*design, USUAL, times).items()})
    found = coverage(30, 100, 0.85, DRAWN, max(1, 3 * times // 10))
    print(30, 100, 0.85, {name: round(100 * x, 1) for name, x in found.items()})
    for design in DESIGNS:
        bands = band_coverage(*design, max(1, times // 5))
        print("bands", *design, {kind: [round(100 * x, 1) for x in held] for kind, held in bands.items()})


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
