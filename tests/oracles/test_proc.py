"""Areas under ROC curves and their tests against what pROC (Robin et al. 2011) prints for its example.

113 patients after a subarachnoid haemorrhage, 41 of them with a poor outcome: the grade of the World Federation of
Neurosurgical Societies, and the rank of S100β in blood. Only the order matters to the curves, so ranks are enough.
"""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.paired_scores import PairedScores
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.scores.scored import read_scored
from goodmeasure.evaluation.scores.uncertainty import Uncertainty

POOR = np.array([1] * 41 + [0] * 72)
WFNS = np.array([int(x) for x in (
    "32455552521254425552525245441442255225555"
    "111151221221112121134141551124112212122111121211324214115422111312244111"
)])  # fmt: skip
S100B = np.array([
    9, 6, 12, 8, 26, 31, 29, 3, 20, 5, 3, 24, 22, 28, 31, 16, 31, 31, 31, 3, 31, 18, 1, 5, 14, 31, 16, 31, 4, 16, 9, 6,
    7, 14, 31, 10, 31, 19, 31, 31, 26,
    9, 10, 6, 2, 27, 13, 6, 6, 2, 4, 2, 5, 7, 3, 13, 3, 7, 9, 13, 2, 12, 10, 21, 5, 30, 27, 12, 3, 25, 27, 7, 4, 5, 4,
    2, 9, 6, 10, 11, 2, 2, 5, 2, 5, 4, 12, 5, 4, 20, 7, 17, 3, 6, 19, 3, 2, 15, 23, 6, 11, 4, 10, 6, 3, 2, 13, 11, 27,
    13, 11, 30, 28,
])  # fmt: skip
NORMAL = 1.959963984540054
AREA = gm.measure("roc_auc")


@pytest.mark.parametrize(
    ("scores", "area", "low", "high"), [(WFNS, 0.8236789, 0.7485, 0.8988), (S100B, 0.7313686, 0.6301, 0.8326)]
)
def test_areas_and_their_standard_errors_are_those_of_proc(scores, area, low, high):
    """Its interval is the normal one; ours has the same standard error, and stays below 1."""
    assert gm.roc_auc(POOR, scores) == pytest.approx(area, abs=5e-8)
    spread = Uncertainty(read_scored(POOR, scores), 0.95, 0, 100).deviation(AREA.definition)
    assert (area - NORMAL * spread, area + NORMAL * spread) == pytest.approx((low, high), abs=6e-5)
    (row,) = (x for x in gm.evaluate(POOR, y_score=scores, threshold=3, measures="roc_auc").table)
    assert (row["low"], row["high"]) == pytest.approx((low, high), abs=0.03)


def test_the_paired_test_is_the_one_of_proc():
    """Its p-value is normal; ours has the same standard error with Student's t, so it is a little larger."""
    data = {"wfns": read_scored(POOR, WFNS), "s100b": read_scored(POOR, S100B)}
    found = PairedScores(data, ComparisonSettings((AREA,)))
    difference = gm.roc_auc(POOR, WFNS) - gm.roc_auc(POOR, S100B)
    assert difference / found.spread(0, (0, 1)).error == pytest.approx(2.20898359144091, rel=1e-9)
    row = gm.compare(POOR, y_score={"wfns": WFNS, "s100b": S100B}, measures="roc_auc").difference(
        "wfns", "s100b", "roc_auc"
    )
    assert row["method"] == "DeLong"
    assert 0.0271757822291882 < row["p"] < 0.04
    assert (row["low"], row["high"]) == pytest.approx((0.0104061769564846, 0.174214419249478), abs=0.005)
