"""Class by class against the rest: intervals, and the spread over classes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals import by_class
from goodmeasure.evaluation.intervals.by_class import class_intervals, class_values, class_variances, spread
from goodmeasure.evaluation.intervals.interval import intervals
from tests.evaluation.intervals.test_interval import MATRIX, grouped_sample, labels, sample, weighted_sample

FOUR = [gm.recall, gm.precision, gm.f1, gm.mcc]
KEYS = labels(MATRIX)[0] * 3 + labels(MATRIX)[1]


@pytest.mark.parametrize("method", ["auto", "percentile"])
def test_a_class_has_the_interval_of_its_two_by_two_matrix(method):
    found = class_intervals(sample(MATRIX), FOUR, method=method, replicates=200)
    for i in range(3):
        expected = intervals(Sample(gm.ConfusionMatrix(MATRIX).vs_rest(i)), FOUR, method=method, replicates=200)
        assert [x[i] for x in found] == expected


def test_weights_and_groups_reach_the_classes():
    rng = np.random.default_rng(1)
    weights = rng.gamma(2.0, 1.0, len(KEYS))
    true, predicted = KEYS // 3, KEYS % 3
    of_two = weighted_sample((true == 2) * 2 + (predicted == 2), weights, m=2)
    expected = intervals(of_two, FOUR)
    found = class_intervals(weighted_sample(KEYS, weights), FOUR)
    for one, other in zip([x[2] for x in found], expected, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))
    member = rng.integers(9, size=len(KEYS))
    expected = intervals(grouped_sample(member, (true == 2) * 2 + (predicted == 2), m=2), FOUR)
    found = class_intervals(grouped_sample(member, KEYS), FOUR)
    for one, other in zip([x[2] for x in found], expected, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_an_empty_class_has_a_reason():
    (recalls,) = class_intervals(sample([[5, 1, 0], [2, 6, 1], [0, 0, 0]]), [gm.recall])
    assert recalls[2].reason == "the value is undefined"
    assert recalls[0].method == "wilson"


def test_classes_are_read_off_the_whole_matrix_once(monkeypatch):
    """Each of a thousand classes took a matrix of all classes."""
    read = []
    monkeypatch.setattr(by_class, "four_of", lambda counts, f=by_class.four_of: read.append(counts.shape) or f(counts))
    monkeypatch.setattr(gm.ConfusionMatrix, "vs_rest", lambda *given: pytest.fail("a matrix for each class"))
    counts = np.random.default_rng(0).integers(0, 3, (100, 100)) + np.diag(np.full(100, 50))
    found = class_intervals(sample(counts), [gm.recall, gm.precision, gm.f1])
    assert [len(x) for x in found] == [100, 100, 100]
    assert read == [(100, 100)]


def test_values_of_classes_are_those_against_the_rest():
    cm = gm.ConfusionMatrix(MATRIX)
    for f in FOUR:
        assert class_values(cm, f).tolist() == pytest.approx([f(cm.vs_rest(i)) for i in range(3)])


def test_the_spread_is_over_what_macro_averages():
    found = spread(MATRIX, "f1")
    values = [gm.f1(gm.ConfusionMatrix(MATRIX).vs_rest(i)) for i in range(3)]
    assert found.mean == pytest.approx(gm.macro(gm.f1)(MATRIX))
    assert found.variance == pytest.approx(np.var(values))
    assert found.deviation == pytest.approx(np.std(values))
    assert found.classes == 3


def test_the_noise_is_what_alike_classes_vary_by():
    """Classes with the same recall: the variance over classes is, on average, the noise."""
    rng = np.random.default_rng(2)
    p = 0.8 * np.eye(6) + 0.2 / 5 * (1 - np.eye(6))
    found = [spread(rng.multinomial(80, p), "recall") for _ in range(400)]
    assert np.mean([x.variance for x in found]) == pytest.approx(np.mean([x.noise for x in found]), rel=0.08)


def test_undefined_classes_are_left_out_of_the_spread():
    found = spread([[5, 1, 0], [2, 6, 1], [0, 0, 0]], gm.recall)
    assert found.classes == 2
    assert found.mean == pytest.approx((5 / 6 + 6 / 9) / 2)
    nothing = spread([[5, 0], [4, 0]], gm.measure("precision"))
    assert nothing.classes == 1


def test_the_spread_of_one_class_and_of_none():
    assert spread([[0, 5], [0, 0]], gm.recall).classes == 1
    none = spread(np.eye(1) * 4, gm.recall)
    assert none.classes in (0, 1)
    assert math.isnan(none.mean) or none.variance == 0


def test_a_batch_is_refused():
    with pytest.raises(ValueError, match="spread takes one matrix"):
        spread(np.ones((2, 3, 3)), "recall")


@pytest.mark.parametrize("name", ["recall", "f1", "mcc", "jaccard", "plr"])
@pytest.mark.parametrize(
    "counts",
    [[[50, 3, 2], [4, 20, 1], [0, 9, 11]], [[5, 0, 0], [0, 4, 0], [1, 0, 0]], [[2.5, 0.5], [0.25, 1.0]]],
    ids=["whole", "a class never predicted", "not whole"],
)
def test_variances_of_all_classes_at_once_are_those_of_one_class_after_another(name, counts):
    sample, f = Sample(gm.ConfusionMatrix(counts)), gm.measure(name)
    one_by_one = np.array([x.deviation**2 for x in class_intervals(sample, [f], method="delta")[0]])
    defined = ~np.isnan(class_values(sample.matrix, f))
    assert defined.any()
    np.testing.assert_allclose(class_variances(sample, f)[defined], one_by_one[defined], rtol=1e-9, atol=1e-15)
