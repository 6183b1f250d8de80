"""Intervals: the same distribution as drawing items, known formulas, every measure, and every odd sample."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import goodmeasure as gm
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.evaluation.intervals.interval import SampleWork, intervals, quantile
from goodmeasure.evaluation.intervals.many_at_once import ManyItems, many_ends
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import options_of
from goodmeasure.language.policy import NAN, RESOLVE, policy_of
from goodmeasure.options import IntervalOptions
from tests.strategies import MEASURES, matrices

METHODS = options_of(IntervalOptions)["method"].choices
MATRIX = np.array([[30, 4, 1], [3, 20, 2], [0, 5, 12]])
FOUR = [gm.measure(x) for x in ("accuracy", "macro(f1)", "mcc", "kappa")]


def sample(counts) -> Sample:
    return Sample(gm.ConfusionMatrix(counts))


def labels(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return tuple(np.repeat(x.ravel(), counts.ravel()) for x in np.indices(counts.shape))  # type: ignore[return-value]


def work(one: Sample, measures=FOUR, replicates: int = 2000, seed: int = 0) -> SampleWork:
    return SampleWork(one, list(measures), 0.95, seed, replicates, RESOLVE)


# The bootstrap


def test_drawing_cells_is_drawing_items():
    """Kolmogorov and Smirnov cannot tell the two apart."""
    true, predicted = labels(MATRIX)
    rng = np.random.default_rng(3)
    keys = (true * 3 + predicted)[rng.integers(len(true), size=(2000, len(true)))]
    counts = np.stack([np.bincount(x, minlength=9) for x in keys]).reshape(-1, 3, 3)
    by_cells = work(sample(MATRIX)).drawn()
    for k, f in enumerate(FOUR):
        assert stats.ks_2samp(by_cells[k], f(counts)).pvalue > 0.01


def test_drawing_weighted_cells_is_drawing_weighted_items():
    rng = np.random.default_rng(4)
    true, predicted = labels(MATRIX)
    weights = rng.gamma(2.0, 1.0, len(true)) * np.where(true == predicted, 1, 0.5)
    keys = true * 3 + predicted
    one = weighted_sample(keys, weights)
    drawn = rng.integers(len(true), size=(2000, len(true)))
    counts = np.stack([np.bincount(keys[x], weights[x], minlength=9) for x in drawn]).reshape(-1, 3, 3)
    by_cells = work(one).drawn()
    for k, f in enumerate(FOUR):
        assert stats.ks_2samp(by_cells[k], f(counts)).pvalue > 0.01


def weighted_sample(keys: np.ndarray, weights: np.ndarray, m: int = 3) -> Sample:
    added = [np.bincount(keys, x, minlength=m * m).reshape(m, m) for x in (weights, None, weights**2)]
    return Sample.weighted(gm.ConfusionMatrix(added[0]), added[1], added[2])


def grouped_sample(member: np.ndarray, keys: np.ndarray, m: int = 3) -> Sample:
    entries, values = np.unique(member * m * m + keys, return_counts=True)
    where = entries % (m * m)
    matrix = gm.ConfusionMatrix(np.bincount(keys, minlength=m * m).reshape(m, m))
    size = int(member.max()) + 1
    return Sample(matrix, groups=GroupCounts(size, entries // (m * m), where // m, where % m, values))


def test_drawing_groups_takes_them_whole():
    rng = np.random.default_rng(5)
    true, predicted = labels(MATRIX)
    member = rng.integers(12, size=len(true))
    keys = true * 3 + predicted
    tables = np.stack([np.bincount(keys[member == g], minlength=9) for g in range(12)])
    counts = tables[rng.integers(12, size=(2000, 12))].sum(axis=1).reshape(-1, 3, 3)
    found = work(grouped_sample(member, keys)).drawn()
    for k, f in enumerate(FOUR):
        assert stats.ks_2samp(found[k], f(counts)).pvalue > 0.01


def test_groups_of_one_item_are_items():
    true, predicted = labels(MATRIX)
    keys = true * 3 + predicted
    grouped, plain = work(grouped_sample(np.arange(len(keys)), keys)), work(sample(MATRIX))
    for k in range(len(FOUR)):
        assert grouped.interval(k, "delta").deviation == pytest.approx(
            plain.interval(k, "delta").deviation,
            rel=0.03,  # the means of the classes are estimated from their groups
        )
        assert grouped.acceleration(k) == pytest.approx(plain.acceleration(k))
        found, expected = (x.interval(k, "smoothed") for x in (grouped, plain))
        assert found.deviation == pytest.approx(expected.deviation, rel=1e-3)  # Student's quantile is a little larger


def test_equal_weights_are_no_weights():
    true, predicted = labels(MATRIX)
    keys = true * 3 + predicted
    heavy = intervals(weighted_sample(keys, np.full(len(keys), 2.5)), FOUR)
    for found, expected in zip(heavy, intervals(sample(MATRIX), FOUR), strict=True):
        assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_bca_is_that_of_scipy_on_items():
    true, predicted = labels(MATRIX)
    mcc = gm.mcc

    def statistic(t, p):
        return mcc(gm.confusion(t, p, labels=[0, 1, 2]))

    rng = np.random.default_rng(0)
    theirs = stats.bootstrap(
        (true, predicted), statistic, paired=True, vectorized=False, n_resamples=2000, method="BCa", rng=rng
    )
    (ours,) = intervals(sample(MATRIX), [mcc], method="bca", replicates=20_000)
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=0.02)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=0.02)
    assert ours.deviation == pytest.approx(theirs.standard_error, rel=0.05)


def test_the_acceleration_is_that_of_leaving_out_every_item():
    true, predicted = labels(MATRIX)
    values = np.array([gm.kappa(np.delete(true, k), np.delete(predicted, k)) for k in range(len(true))])
    moved = values.mean() - values
    expected = (moved**3).sum() / (6 * (moved**2).sum() ** 1.5)
    assert work(sample(MATRIX), [gm.kappa]).acceleration(0) == pytest.approx(expected)


# Formulas


def test_the_delta_method_gives_known_variances():
    n = MATRIX.sum()
    p = MATRIX / n
    hit, (a, b) = np.trace(p), (p.sum(1), p.sum(0))
    chance = (a * b).sum()
    kappa = (hit - chance) / (1 - chance)
    # Fleiss, Cohen and Everitt (1969)
    first = (np.diag(p) * (1 - (a + b) * (1 - kappa)) ** 2).sum()
    off = p * (b[:, None] + a[None, :]) ** 2
    second = (1 - kappa) ** 2 * (off.sum() - np.trace(off))
    variance = (first + second - (kappa - chance * (1 - kappa)) ** 2) / (n * (1 - chance) ** 2)
    accuracy, of_kappa = intervals(sample(MATRIX), [gm.accuracy, gm.kappa], method="delta")
    assert accuracy.deviation == pytest.approx(math.sqrt(hit * (1 - hit) / n))
    assert of_kappa.deviation == pytest.approx(math.sqrt(variance))
    assert of_kappa.high - of_kappa.low == pytest.approx(2 * 1.959964 * of_kappa.deviation, rel=1e-6)


def test_the_delta_method_of_weights_uses_their_second_moments():
    rng = np.random.default_rng(6)
    true, predicted = labels(MATRIX)
    weights = rng.gamma(2.0, 1.0, len(true))
    keys = true * 3 + predicted
    share = np.average(keys % 4 == 0, weights=weights)
    expected = math.sqrt((weights**2 * ((keys % 4 == 0) - share) ** 2).sum()) / weights.sum()
    (found,) = intervals(weighted_sample(keys, weights), [gm.accuracy], method="delta")
    assert found.deviation == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "hits", "total"),
    [("recall", 20, 24), ("precision", 20, 23), ("specificity", 50, 53), ("accuracy", 70, 77), ("jaccard", 20, 27)],
)
def test_wilson_is_the_closed_form(name, hits, total):
    (found,) = intervals(sample([[50, 3], [4, 20]]), [gm.measure(name)])
    expected = stats.binomtest(hits, total).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    assert found.method == "wilson"


def test_a_measure_that_rises_with_a_proportion_goes_along_with_it():
    jaccard, f1 = intervals(sample([[50, 3], [4, 20]]), [gm.jaccard, gm.f1])
    assert f1.method == "wilson"
    assert (f1.low, f1.high) == pytest.approx(tuple(2 * x / (1 + x) for x in (jaccard.low, jaccard.high)))


def test_wilson_is_refused_where_there_is_no_proportion():
    (found,) = intervals(sample(MATRIX), [gm.mcc], method="wilson")
    assert math.isnan(found.low)
    assert found.method == "none"
    assert "does not follow from one proportion" in found.reason


# The default


def test_without_an_error_nothing_is_certain():
    """The bootstrap gives the interval [1, 1]; imagined errors do not."""
    for counts in ([[30, 0], [0, 8]], np.diag([9, 9, 9])):
        for found in intervals(sample(counts), FOUR):
            assert found.low < 0.95
            assert found.high == 1
        for found in intervals(sample(counts), FOUR, method="percentile"):
            assert found.low == found.high == 1


def test_the_smoothed_interval_of_a_proportion_is_nearly_agresti_and_coulls():
    (found,) = intervals(sample([[90, 5], [3, 60]]), [gm.accuracy], method="smoothed")
    z = 1.959964
    share = (150 + z * z / 2) / (158 + z * z)
    half = z * math.sqrt(share * (1 - share) / (158 + z * z))
    assert (found.low, found.high) == pytest.approx((share - half, share + half), abs=2e-3)


def test_the_order_of_classes_does_not_matter():
    turned = MATRIX[np.ix_([2, 0, 1], [2, 0, 1])]
    for one, other in zip(intervals(sample(MATRIX), FOUR), intervals(sample(turned), FOUR), strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))


def test_more_items_make_it_narrower_and_more_confidence_wider():
    (narrow,) = intervals(sample(MATRIX * 100), [gm.mcc])
    (wide,) = intervals(sample(MATRIX), [gm.mcc])
    (wider,) = intervals(sample(MATRIX), [gm.mcc], confidence=0.99)
    assert narrow.high - narrow.low < (wide.high - wide.low) / 8
    assert wider.high - wider.low > wide.high - wide.low


def test_with_many_items_all_methods_agree():
    found = [intervals(sample(MATRIX * 1000), FOUR, method=x) for x in ("auto", "delta", "percentile", "bca")]
    for ones in zip(*found, strict=True):
        for other in ones[1:]:
            width = ones[0].high - ones[0].low
            assert other.low == pytest.approx(ones[0].low, abs=0.1 * width)
            assert other.high == pytest.approx(ones[0].high, abs=0.1 * width)
            assert other.deviation == pytest.approx(ones[0].deviation, rel=0.1)


# Every measure, every sample


OF_CLASSES = {m: [x for x in MEASURES if m in ((3,) if "costs" in x.parameters else (x.classes or m,))] for m in (2, 3)}


@pytest.mark.parametrize("m", OF_CLASSES)
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=settings().max_examples // 2)  # for each of the methods
@given(data=st.data())
def test_every_measure_has_an_interval_or_a_reason(m, method, data):
    one = sample(data.draw(matrices(m)))
    for measure, found in zip(OF_CLASSES[m], intervals(one, OF_CLASSES[m], method=method, replicates=50), strict=True):
        value = measure(one.matrix)
        if math.isnan(found.low):
            assert math.isnan(found.high), measure
            assert found.reason, measure
            assert found.method == "none", measure
            continue
        assert found.low <= found.high, measure
        assert found.method.split()[0] == method or method == "auto", measure
        if measure.range is not None:
            assert measure.range[0] <= found.low, measure
            assert found.high <= measure.range[1], measure
        if method in ("auto", "wilson", "smoothed", "delta"):
            infinite = math.isnan(value) and found.high == math.inf  # a ratio with a zero denominator
            assert infinite or found.low <= value <= found.high, measure
        assert found.deviation >= 0 or math.isnan(found.deviation), measure


@given(matrices(st.integers(1, 3)), st.integers(0, 5), st.sampled_from(["percentile", "bca", "auto"]))
def test_a_seed_gives_the_same_result_whatever_else_is_asked_for(counts, seed, method):
    one = sample(counts)
    alone = [intervals(one, [f], seed=seed, method=method, replicates=60)[0] for f in FOUR]
    together = intervals(one, [*FOUR, gm.sba], seed=seed, method=method, replicates=60)
    assert [repr(x) for x in alone] == [repr(x) for x in together[: len(FOUR)]]


def test_known_draws_stay_what_they_are():
    """The numbers of one seed, so that a result can be repeated elsewhere and later."""
    found = intervals(sample(MATRIX), [gm.mcc, gm.kappa], method="percentile", seed=1)
    assert [round(x, 6) for y in found for x in (y.low, y.high)] == [0.560179, 0.828278, 0.550991, 0.82376]


def test_cutting_into_blocks_changes_nothing(monkeypatch):
    from goodmeasure.evaluation.intervals import sampling_units

    weights = np.random.default_rng(0).gamma(2.0, 1.0, MATRIX.sum())
    true, predicted = labels(MATRIX)
    samples = [
        sample(MATRIX),
        weighted_sample(true * 3 + predicted, weights),
        grouped_sample(np.arange(len(true)) % 9, true * 3 + predicted),
    ]
    whole = [intervals(x, FOUR, method="bca", replicates=99) for x in samples]
    monkeypatch.setattr(sampling_units, "_NUMBERS_AT_ONCE", 70)
    assert [intervals(x, FOUR, method="bca", replicates=99) for x in samples] == whole


@pytest.mark.parametrize("counts", [[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 7], [0, 0]], [[40, 0], [0, 0]], [[3]]])
@pytest.mark.parametrize("method", METHODS)
def test_one_item_one_cell_or_one_class(counts, method):
    measures = [gm.measure(x) for x in ("accuracy", "macro(f1)", "mcc", "kappa", "sba", "k")]
    for f, found in zip(measures, intervals(sample(counts), measures, method=method, replicates=20), strict=True):
        value = f(gm.ConfusionMatrix(counts))
        assert (math.isnan(found.low) and found.reason) or found.low <= value <= found.high


def test_undefined_values_and_draws_are_told():
    (undefined,) = intervals(sample([[5, 0], [4, 0]]), [gm.precision])
    assert undefined.reason == "the value is undefined"
    (rare,) = intervals(sample([[60, 0], [0, 1]]), [gm.precision], method="percentile")
    assert rare.undefined_share == pytest.approx(math.exp(-1), abs=0.04)
    assert "undefined on 3" in rare.reason
    (by_rule,) = intervals(sample([[60, 0], [0, 1]]), [gm.precision], method="percentile", undefined=0.0)
    assert by_rule.undefined_share == 0
    assert by_rule.low == 0


def test_a_policy_that_raises_is_one_that_leaves_out():
    found = [
        intervals(sample([[60, 2], [0, 1]]), [gm.precision, gm.mcc], method="percentile", undefined=x)
        for x in (policy_of("raise"), NAN)
    ]
    assert found[0] == found[1]


def test_counts_that_are_not_whole_are_taken_as_items_and_that_is_said():
    (found,) = intervals(sample([[30.5, 4.25], [3, 20]]), [gm.accuracy])
    assert "their total, 57.75, is taken as the number of items" in found.reason
    (expected,) = intervals(sample([[30, 4], [3, 20]]), [gm.accuracy])
    assert found.deviation == pytest.approx(expected.deviation, rel=0.03)


def test_one_group_cannot_tell():
    one = grouped_sample(np.zeros(5, int), np.array([0, 0, 4, 4, 1]))
    (found,) = intervals(one, [gm.accuracy])
    assert found.method == "none"
    assert "one group" in found.reason


def test_few_groups_make_it_wider():
    true, predicted = labels(MATRIX)
    keys = true * 3 + predicted
    member = np.repeat(np.arange(11), 7)
    few = intervals(grouped_sample(member, keys), FOUR, method="delta")
    for f, found in zip(FOUR, few, strict=True):
        value = float(f(MATRIX))
        assert (value - found.low) / found.deviation > 2.2  # Student's with at most 10: 2.228


def test_items_that_weigh_nothing_are_still_drawn():
    one = Sample.weighted(
        gm.ConfusionMatrix([[2.0, 0], [0, 0]]), np.array([[2, 0], [0, 3]]), np.array([[2.0, 0], [0, 0]])
    )
    (found,) = intervals(one, [gm.accuracy], method="percentile")
    assert found.undefined_share == pytest.approx(0.6**5, abs=0.03)
    assert (found.low, found.high) == (1, 1)


def test_a_users_function_with_an_if_has_intervals_too():
    def decided(c):
        return c.tp / (c.tp + c.fn) if c.tp > c.fn else 0

    for method in ("auto", "delta", "percentile", "bca"):
        (found,) = intervals(sample([[50, 3], [4, 20]]), [decided], method=method, replicates=100)
        assert found.low < 20 / 24 < found.high


def test_many_classes_are_affordable():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3000, 20_000)
    predicted = np.where(rng.random(20_000) < 0.7, true, rng.integers(0, 3000, 20_000))
    cm = gm.confusion(true, predicted)
    found = intervals(Sample(cm), FOUR)
    assert [x.method for x in found] == ["wilson", "smoothed delta", "smoothed delta", "smoothed delta"]
    drawn = intervals(Sample(cm), FOUR, method="percentile", replicates=100)
    for one, other in zip(found, drawn, strict=True):
        assert one.deviation == pytest.approx(other.deviation, rel=0.25)


def test_the_sparse_way_is_the_dense_way(monkeypatch):
    from goodmeasure.evaluation.intervals import resampling

    measures = [*FOUR, gm.measure("weighted_kappa('linear')"), gm.confusion_entropy]
    expected = intervals(sample(MATRIX), measures, method="bca", replicates=200)
    slopes = [work(sample(MATRIX), measures).interval(k, "delta") for k in range(len(measures))]
    monkeypatch.setattr(resampling, "MOST_DENSE", 2)
    found = intervals(sample(MATRIX), measures, method="bca", replicates=200)
    for one, other in zip(found, expected, strict=True):
        assert (one.low, one.high) == pytest.approx((other.low, other.high))
    for k, one in enumerate(slopes):
        assert work(sample(MATRIX), measures).interval(k, "delta").deviation == pytest.approx(one.deviation)


# What cannot be meant


@pytest.mark.parametrize("confidence", [0, 1, 1.5, -0.1, math.nan, "0.95", None, True])
def test_a_confidence_that_is_none_is_refused(confidence):
    with pytest.raises(ValueError, match="expected a number between 0 and 1, such as 0"):
        intervals(sample(MATRIX), FOUR, confidence=confidence)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"method": "bootstrap"}, "method is 'bootstrap': use 'auto', 'wilson'"),
        ({"replicates": 0}, "replicates is 0: expected a whole number of at least 2"),
        ({"replicates": 10.5}, "replicates is 10.5"),
        ({"seed": -1}, "seed is -1: expected a whole number from 0 on"),
        ({"seed": None}, "seed is None"),
    ],
)
def test_what_cannot_be_meant_is_refused(asked, said):
    with pytest.raises(ValueError, match=said):
        intervals(sample(MATRIX), FOUR, **asked)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=30), st.floats(0, 1))
def test_quantiles_are_numpys(values, share):
    ordered = np.sort(values)
    assert quantile(ordered, share) == pytest.approx(np.quantile(ordered, share), abs=1e-9)


def test_quantiles_of_infinite_values_stay_what_they_are():
    assert quantile(np.array([1.0, math.inf, math.inf]), 0.9) == math.inf
    assert quantile(np.array([-math.inf, 2.0]), 0.1) == -math.inf


def test_a_batch_is_refused():
    with pytest.raises(ValueError, match="intervals takes one matrix"):
        intervals(sample(np.ones((2, 3, 3))), FOUR)


def test_what_would_take_hours_is_not_drawn(monkeypatch):
    monkeypatch.setattr("goodmeasure.evaluation.intervals.interval.MOST_DRAWN", 1000)
    (found,) = intervals(sample(MATRIX), [gm.mcc], method="percentile")
    assert found.method == "none"
    assert "would take too long: use the method 'auto'" in found.reason


def test_ends_are_plain_numbers():
    for method in METHODS:
        for found in intervals(sample(MATRIX), FOUR, method=method, replicates=20):
            assert type(found.low) is type(found.high) is type(found.deviation) is float


def test_where_few_items_bias_a_value_its_interval_reaches_out():
    """Labels that have nothing to do with each other: their information is 0, and measured far above it."""
    counts = np.random.default_rng(8).multinomial(120, np.full(36, 1 / 36)).reshape(6, 6)
    (found,) = intervals(sample(counts), [gm.mutual_information])
    (plain,) = intervals(sample(counts), [gm.mutual_information], method="delta")
    assert found.low == 0
    assert plain.low > 0.03


@pytest.mark.parametrize("m", [5, 100])
def test_a_cell_whose_items_all_weigh_nothing_is_no_trouble(m):
    """With more than 64 classes only cells that are not empty are kept."""
    true = np.arange(300) % m
    pred = np.where(np.arange(300) % 7 == 0, (true + 1) % m, true)
    pred[-1], weights = (true[-1] + 2) % m, np.ones(300)
    weights[-1] = 0
    for groups in (None, np.arange(300) // 3):
        found = gm.evaluate(true, pred, sample_weight=weights, groups=groups, measures=["macro(f1)"], classwise=False)
        (row,) = found.table
        assert row["low"] < row["value"] < row["high"]


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (10, 10), (8, 10), (950, 1000), (1, 3)])
def test_the_exact_interval_is_that_of_statsmodels(hits, n):
    from statsmodels.stats.proportion import proportion_confint

    found = intervals(sample([[hits, n - hits], [0, 0]]), ["accuracy"], method="exact")[0]
    assert (found.low, found.high) == pytest.approx(proportion_confint(hits, n, method="beta"), abs=1e-10)
    assert found.method == "exact"


def test_the_exact_interval_of_a_falling_measure_is_turned():
    low, high = (intervals(sample([[8, 2], [0, 0]]), [f], method="exact")[0] for f in ("accuracy", "zero_one_loss"))
    assert (high.low, high.high) == pytest.approx((1 - low.high, 1 - low.low))


def test_measures_without_a_proportion_have_no_exact_interval():
    found = intervals(sample(MATRIX), ["mcc"], method="exact")[0]
    assert "does not follow from one proportion" in found.reason


def test_a_credible_interval_of_accuracy_is_that_of_the_beta_distribution():
    from scipy import stats

    found = intervals(sample([[30, 10], [5, 15]]), ["accuracy"], method="bayesian", prior=0.5, replicates=40_000)[0]
    assert (found.low, found.high) == pytest.approx(stats.beta.ppf([0.025, 0.975], 46, 16), abs=3e-3)
    perks = intervals(sample([[30, 10], [5, 15]]), ["accuracy"], method="bayesian", replicates=40_000)[0]
    assert (perks.low, perks.high) == pytest.approx(stats.beta.ppf([0.025, 0.975], 45.5, 15.5), abs=3e-3)


def test_weights_count_as_fewer_items_in_a_credible_interval():
    keys = np.repeat([0, 1, 2, 3], [30, 10, 5, 15])
    even, uneven = np.ones(60), np.where(np.arange(60) % 6 == 0, 10.0, 1.0)
    width = []
    for weights in (even, uneven):
        table = [np.bincount(keys, x, minlength=4).reshape(2, 2) for x in (weights, None, weights**2)]
        given = Sample.weighted(gm.ConfusionMatrix(table[0]), table[1], table[2])
        found = intervals(given, ["accuracy"], method="bayesian")[0]
        width.append(found.high - found.low)
    assert width[1] > 1.4 * width[0]


@pytest.mark.parametrize("prior", ["flat", 0, -1, math.nan, True, None])
def test_a_prior_that_is_none_is_refused(prior):
    with pytest.raises(InputError, match=r"prior is .*: expected 'perks', 'jeffreys', 'uniform'"):
        gm.evaluate([0, 1], [0, 1], method="bayesian", prior=prior)


def test_few_heavy_items_do_not_make_a_proportion_certain():
    """It was 0.946 to 0.997, although the weights leave 10.3 of 50 items."""
    y = [0, 1] * 25
    p = y[:]
    p[10], p[11] = 1 - p[10], 1 - p[11]
    row = gm.evaluate(y, p, sample_weight=[20] * 5 + [1] * 45, measures=["accuracy"]).table[0]
    assert row["low"] < 0.75


def test_the_posterior_of_many_classes_needs_no_exact_arithmetic(monkeypatch):
    """Gamma variables of shape 1/25 are often below 1e-100, where values come from slow exact numbers."""
    from goodmeasure.evaluation.intervals import resampling

    seen = []
    values = resampling.Samples.values

    def watched(self, measures, blocks):
        blocks = list(blocks)
        seen.extend(float(x.min()) for x in blocks)
        return values(self, measures, blocks)

    monkeypatch.setattr(resampling.Samples, "values", watched)
    (found,) = intervals(sample(np.eye(5, dtype=int) * 9 + 1), ["mcc"], method="bayesian", replicates=200)
    assert min(seen) >= 1e-60
    assert found.low < gm.mcc(np.eye(5, dtype=int) * 9 + 1) < found.high


# Measures that may jump


def gate(c):
    """F1 if recall is at least 0.8, else 0."""
    return c.where(c.tp >= 0.8 * c.a[1], lambda: c.ratio(2 * c.tp, 2 * c.tp + c.fn + c.fp), 0)


def passes(c):
    return c.where(c.tp + c.tn > 0.8 * c.n, 1, 0)


def gate_with_an_if(c):
    return 1.0 if c.tp + c.tn > 0.8 * c.n else 0.5


JUMPING = [gm.measure(f) for f in (gate, passes, gate_with_an_if)]


@pytest.mark.parametrize("rows", [[[50, 10], [4, 20]], [[8, 2], [1, 4]], [[4, 1], [1, 4]], [[45, 10], [10, 35]]])
def test_the_interval_of_a_measure_that_jumps_lies_within_its_values(rows):
    """Recall, or accuracy, is near 0.8, so that many samples lie on either side of the jump."""
    found = intervals(Sample(gm.ConfusionMatrix(rows)), JUMPING, replicates=500)
    for f, x in zip(JUMPING, found, strict=True):
        assert 0 <= x.low <= f(rows) <= x.high <= 1
        assert x.method == "smoothed bootstrap"
    assert [(x.low, x.high) for x in found[1:]] == [(0, 1), (0.5, 1)], "either value may be that of the population"


def test_the_interval_of_a_measure_that_jumps_covers():
    """Recall of the population is 0.82, so that many samples have less than 0.8."""
    population = np.array([[0.5, 0.1], [0.072, 0.328]])
    drawing, f = np.random.default_rng(1), gm.measure(gate)
    truth, held = f(population), 0
    for counts in drawing.multinomial(50, population.ravel(), size=150):
        (x,) = intervals(Sample(gm.ConfusionMatrix(counts.reshape(2, 2).tolist())), [f], replicates=300)
        held += x.low <= truth <= x.high
    assert held >= 0.88 * 150  # 92% of 400 samples; with standard errors, 66%


def test_without_an_error_a_measure_that_jumps_is_not_certain():
    (x,) = intervals(Sample(gm.ConfusionMatrix([[6, 0], [0, 6]])), [gm.measure(gate)])
    assert x.low < 0.9
    assert x.high == 1


def test_groups_widen_the_interval_of_a_measure_that_jumps():
    """Three groups, by Student's quantile; the same items on their own are far less uncertain."""
    counts = np.array([[40.0, 6.0], [8.0, 46.0]])
    group, rows, cols = np.repeat([0, 1, 2], 4), np.tile([0, 0, 1, 1], 3), np.tile([0, 1, 0, 1], 3)
    values = np.array([20, 1, 1, 20, 10, 1, 3, 16, 10, 4, 4, 10], float)
    grouped = Sample(gm.ConfusionMatrix(counts), GroupCounts(3, group, rows, cols, values))

    def clipped(c):
        return c.where(c.tp > c.fn, lambda: c.ratio(c.tp - c.fn, c.a[1]), 0)

    alone, together = (intervals(x, [clipped])[0] for x in (Sample(gm.ConfusionMatrix(counts)), grouped))
    assert together.method == alone.method == "smoothed bootstrap"
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_no_measure_of_the_catalogue_is_taken_to_jump():
    assert not [x for x in gm.measures() if x.recorded.may_jump(x.classes or 3)]


@pytest.mark.parametrize(
    ("definition", "jumps"),
    [
        (lambda c: c.max(c.tp, c.tn), False),
        (lambda c: c.where(c.tp > 0, c.fp, c.fn), False),
        (lambda c: c.where(c.tp - c.tn > 0, 1, 0), True),
        (lambda c: c.where(c.a[1] >= c.b[1], 1, 0), True),
        (lambda c: c.mean(lambda i: c[i, i], over=lambda i: c.a[i] > c.b[i]), True),
        (lambda c: c.mean(lambda i: c[i, i], over=lambda i: c.a[i] > 0), False),
        (lambda c: 1 if c.tp > 3 else 0, True),
    ],
)
def test_whether_a_definition_may_jump_is_read_from_its_tree(definition, jumps):
    assert gm.measure(definition).recorded.may_jump(2) is jumps


RATIOS = ["positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio", "lift"]


@pytest.mark.parametrize(
    ("cells", "items"),
    [
        ([[0.76, 0.04], [0.04, 0.16]], 100),
        ([[0.485, 0.015], [0.02, 0.48]], 100),
        ([[0.855, 0.045], [0.02, 0.08]], 200),
        ([[0.42, 0.18], [0.28, 0.12]], 50),
    ],
)
def test_intervals_of_ratios_hold_the_true_one(cells, items):
    """On the plain scale 68 to 89% did, and their lower end was 0."""
    matrices = np.random.default_rng(8).multinomial(items, np.ravel(cells), size=800).reshape(-1, 2, 2)
    measures = [gm.measure(x) for x in RATIOS]
    values = [f(matrices, undefined="nan") for f in measures]
    for f, (low, high, _) in zip(
        measures, many_ends(ManyItems(matrices), measures, values, 0.95, RESOLVE), strict=True
    ):
        right = float(f(np.array(cells)))
        assert not np.isnan(low).any()
        assert ((low <= right) & (right <= high)).mean() > 0.935 - 2 * math.sqrt(0.06 / 800)


def test_an_infinite_ratio_has_a_lower_end():
    found = gm.evaluate([[80, 0], [4, 16]], measures=RATIOS, classwise=False)
    rows = {row["measure"]: row for row in found.table}
    assert math.isnan(rows["positive_likelihood_ratio"]["value"])
    assert rows["positive_likelihood_ratio"]["low"] > 5
    assert rows["positive_likelihood_ratio"]["high"] == math.inf
    nothing = gm.evaluate([[80, 0], [20, 0]], measures=RATIOS[:1], classwise=False).table[0]
    assert math.isnan(nothing["low"])  # 0/0, not infinite


def test_the_interval_of_an_odds_ratio_is_about_woolfs():
    found = gm.evaluate([[760, 40], [40, 160]], measures=["diagnostic_odds_ratio"], classwise=False).table[0]
    error = math.sqrt(2 / 40 + 1 / 160 + 1 / 760)
    assert (found["low"], found["high"]) == pytest.approx(
        (76 * math.exp(-1.96 * error), 76 * math.exp(1.96 * error)), rel=0.1
    )
