"""What a further kind of data needs to be compared: one small class, here outcomes between 0 and 1 for each item."""

from __future__ import annotations

import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.paired_data import DifferenceSpread, Discordant, PairedData
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.comparison.tables import comparison_of
from goodmeasure.evaluation.intervals.distributions import students_tails
from goodmeasure.evaluation.intervals.interval import no_interval
from goodmeasure.evaluation.provenance import ARRAYS, Provenance

N = 80


class Outcomes(PairedData):
    """The mean outcome of each system on the same items."""

    labels, group = (), None

    def __init__(self, outcomes, settings):
        self.settings, self.quantities, self.systems = settings, settings.measures, tuple(outcomes)
        self.each = np.array(list(outcomes.values()), float)  # (systems, items)
        self.items = self.each.shape[1]
        self.values, self.reasons = self.each.mean(axis=1, keepdims=True), [[None] for _ in outcomes]

    def score_intervals(self, k):
        return [no_interval("none was asked for")]

    def covariance(self, i):
        return np.atleast_2d(np.cov(self.each)) / self.items

    def spread(self, i, pair):
        apart = self.each[pair[0]] - self.each[pair[1]]
        error = apart.std(ddof=1) / math.sqrt(self.items)
        return DifferenceSpread(self.difference(i, pair), error, self.items - 1, "t-test")

    def discordant(self, i, pair):
        one, two = self.each[list(pair)]
        if not np.isin(self.each, [0, 1]).all():
            return None
        return Discordant(int((one > two).sum()), int((two > one).sum()), self.items, 1.0)

    def drawn(self, i):
        drawn = np.random.default_rng(0).integers(0, self.items, (self.items, self.settings.replicates))
        return self.each[:, drawn].mean(axis=1)


def made(outcomes, **options):
    settings = ComparisonSettings((gm.accuracy,), **options)
    return comparison_of(Inference(Outcomes(outcomes, settings)), Provenance(ARRAYS))


def right(seed=0, n=N):
    rng = np.random.default_rng(seed)
    return {name: (rng.random(n) < share).astype(int) for name, share in (("A", 0.85), ("B", 0.8), ("C", 0.45))}


def test_right_and_wrong_outcomes_are_compared_as_the_accuracy_of_labels():
    outcomes = right()
    found = made(outcomes, margin=0.1)
    labels = gm.compare(np.ones(N, int), outcomes, measures="accuracy", labels=[0, 1], margin=0.1)
    assert found.ranks == labels.ranks
    assert found.winners == labels.winners == {"accuracy": ("A", "B")}
    columns = ("a", "b", "difference", "low", "high", "p", "p_corrected", "method", "interval", "p_a_noninferior",
               "p_b_noninferior", "p_equivalent")  # fmt: skip
    for mine, theirs in zip(found.differences, labels.differences, strict=True):
        assert [mine[x] for x in columns] == [theirs[x] for x in columns]


def test_graded_outcomes_have_the_paired_test_of_their_means():
    outcomes = {name: x * 0.7 + 0.15 * right(1)[name] for name, x in right(2).items()}
    row = made(outcomes).difference("A", "C", "accuracy")
    apart = outcomes["A"] - outcomes["C"]
    t = apart.mean() / (apart.std(ddof=1) / math.sqrt(N))
    assert (row["method"], row["p"]) == ("t-test", pytest.approx(students_tails(t, N - 1)))
    assert row["difference"] == pytest.approx(apart.mean())
    assert row["low"] < row["difference"] < row["high"]
    assert (row["p"] < 0.05) == (row["low"] > 0)


def test_what_is_not_answered_is_left_out():
    found = made(right())
    assert (found.ensemble, found.matrices, found.slices) == ((), {}, {})
    assert found.best_probability["accuracy"]["A"] > found.best_probability["accuracy"]["C"]
    assert found.metrics()["A-C/accuracy"] == pytest.approx(found.difference("A", "C", "accuracy")["difference"])
