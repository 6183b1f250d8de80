"""Prediction-powered inference against ppi_py."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.typing import Array
from tests.evaluation.judges.worlds import with_judge

ppi_py = pytest.importorskip("ppi_py")
Z = 1.959963984540054


@pytest.mark.parametrize("seed", range(6))
def test_accuracy_and_its_standard_error_are_those_of_ppi_py(seed: int) -> None:
    humans = [30, 100, 300][seed % 3]
    true, judge, pred = with_judge(humans, 1500, seed=seed, judge=[0.95, 0.6][seed % 2])
    result = gm.evaluate(true, pred, y_judge=judge, measures=["accuracy"])
    right, judged = np.array(true[:humans]) == pred[:humans], judge == pred
    ends = ppi_py.ppi_mean_ci(right, judged[:humans], judged[humans:], alpha=0.05)
    low, high = (float(x.squeeze()) for x in ends)
    assert result.value("accuracy") == pytest.approx((low + high) / 2, abs=1e-6)
    assert result.parts[0].scores[0].interval.deviation == pytest.approx((high - low) / 2 / Z, abs=1e-6)


def test_f1_is_close_to_that_of_the_prediction_powered_bootstrap() -> None:
    true, judge, pred = with_judge(600, 3000, seed=3, judge=0.95)

    def f1(said: Array, truth: Array) -> float:
        return float(2 * (said & truth).sum() / (said.sum() + truth.sum()))

    np.random.seed(0)  # ppi_py takes its numbers from there
    human, both = np.array(true[:600], int), (pred[:600], pred[600:])
    low, high = ppi_py.ppboot(f1, human, judge[:600], judge[600:], *both, alpha=0.05, n_resamples=1500)
    result = gm.evaluate(true, pred, y_judge=judge, measures=["f1"], method="delta")
    row = result.table[0]
    assert (row["low"], row["high"]) == pytest.approx((low, high), abs=8e-3)
