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


def main(times: int) -> None:
    """Print the coverage of each design."""
    for design in DESIGNS:
        print(*design, {name: round(100 * x, 1) for name, x in coverage(*design, USUAL, times).items()})
    found = coverage(30, 100, 0.85, DRAWN, max(1, 3 * times // 10))
    print(30, 100, 0.85, {name: round(100 * x, 1) for name, x in found.items()})


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
