"""How often paired tests are wrong and right, by simulation with fixed seeds (docs/comparison.md has a large study)."""

from __future__ import annotations

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.joint import Joint

SIMULATIONS = 800
TRUE, A, B = (x.ravel().astype(np.uint8) for x in np.indices((2, 2, 2)))
# Cells (true, A, B) of two systems that err alike, with classes of different sizes.
ALIKE = np.array([0.42, 0.06, 0.06, 0.06, 0.04, 0.05, 0.05, 0.26])
# A is better on one class and B on the other: every value is the same, and nothing else.
MIRRORED = np.array([0.34, 0.11, 0.01, 0.04, 0.04, 0.11, 0.01, 0.34])
WORSE = ALIKE + np.array([-0.03, 0.03, 0, 0, 0, 0, 0.03, -0.03])


def rejected(cells, n, measures, method, seed):
    """The share of simulated data sets on which a difference is called real at 5%, by measure."""
    drawn = np.random.default_rng(seed).multinomial(n, cells / cells.sum(), size=SIMULATIONS)
    hits = np.zeros(len(measures))
    for k, number in enumerate(drawn):
        held = number > 0
        joint = Joint(("A", "B"), (0, 1), TRUE[held], np.stack([A[held], B[held]]), number=number[held])
        tests = Inference(
            PairedLabels(joint, ComparisonSettings(measures, method=method, replicates=99, seed=k))
        ).tests({(0, 1): list(range(len(measures)))})
        hits += [tests[(0, 1), i].p <= 0.05 for i in range(len(measures))]
    return hits / SIMULATIONS


@pytest.mark.parametrize(
    ("cells", "method"),
    [(ALIKE, "auto"), (MIRRORED, "auto"), (ALIKE, "permutation"), (ALIKE, "bootstrap"), (ALIKE, "normal")],
)
def test_five_per_cent_of_the_tests_are_wrong_where_nothing_is_to_be_found(cells, method):
    """Within three standard errors of 5%, which are 2.3 points here."""
    rates = rejected(cells, 300, (gm.accuracy, gm.mcc, gm.macro(gm.f1)), method, seed=11)
    assert (np.abs(rates - 0.05) < 0.023).all(), rates


def test_the_power_is_no_worse_than_mcnemars():
    exact, mid, swapped = (
        rejected(WORSE, 300, (gm.accuracy,), method, seed=12)[0] for method in ("exact", "auto", "permutation")
    )
    assert 0.3 < exact < 0.95
    assert mid >= exact
    assert swapped > exact - 0.05
