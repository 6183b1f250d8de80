"""Shuffling items and groups among slices, and the statistics of shuffles, against slow direct computations."""

from __future__ import annotations

import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue import derivative
from goodmeasure.counts.kernel import shuffled, tally
from goodmeasure.evaluation import slice_shuffles, slice_tests, slice_variation
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.slice_shuffles import ShuffledItems, shuffles
from goodmeasure.evaluation.slice_variation import DisjointSlices, variations
from goodmeasure.language.policy import RESOLVE


def evaluated(m=3, slices=4, n=240, **options):
    rng = np.random.default_rng(m)
    true = np.minimum(rng.geometric(0.4, n) - 1, m - 1)
    pred = np.where(rng.random(n) < 0.7, true, rng.integers(0, m, n))
    chosen_by = {name: rng.integers(0, 40, n) if name == "groups" else rng.uniform(0.5, 2, n) for name in options}
    return gm.evaluate(true, pred, by={"site": rng.integers(0, slices, n)}, **chosen_by)


def slices_of(result):
    labels = result.part().matrix.labels
    samples = [x.sample.with_classes(labels) for x in result.parts if x.slice is not None]
    return samples, DisjointSlices(samples, RESOLVE)


@pytest.mark.parametrize("by_class", [False, True])
def test_items_shuffled_one_by_one_vary_as_those_shuffled_cell_by_cell(monkeypatch, by_class):
    _, slices = slices_of(evaluated())
    starts = slices.starts if by_class else np.array([0])
    items = ShuffledItems(slices.items, slices.weight, slices.squares)
    both = []
    for few, draw in ((math.inf, 1), (0, math.inf)):
        monkeypatch.setattr(slice_shuffles, "_FEW_DRAWS", few)
        monkeypatch.setattr(slice_shuffles, "_DRAW", draw)
        both.append(np.concatenate([*shuffles(items, starts, 1, 20_000)], axis=-1))
        assert (both[-1].sum(axis=1) == slices.whole[:, None]).all()
        assert (both[-1].sum(axis=0) == slices.total[:, None]).all()
    cells, items = both
    error = cells.std(axis=-1) / math.sqrt(20_000)
    assert (np.abs(cells.mean(axis=-1) - items.mean(axis=-1)) <= 6 * error + 1e-12).all()
    assert np.allclose(cells.var(axis=-1), items.var(axis=-1), rtol=0.08, atol=0.01)
    first, last = (np.corrcoef(x.reshape(-1, 20_000)[:4]) for x in both)
    assert np.allclose(first, last, atol=0.05)


def test_the_kernel_and_numpy_deal_alike(monkeypatch):
    rng = np.random.default_rng(3)
    owners, cells = (np.sort(rng.integers(0, 5, k)).astype(np.uint32) for k in (60, 41))
    drawn = rng.random((7, 41))
    fast = shuffled.shuffled_counts(owners, cells, drawn, (5, 5))
    monkeypatch.setattr(tally, "kernel", None)
    assert (fast == shuffled.shuffled_counts(owners, cells, drawn, (5, 5))).all()
    assert (fast.sum(axis=(1, 2)) == 41).all()


@pytest.mark.skipif(tally.kernel is None, reason="needs the compiled kernel")
def test_the_kernel_refuses_shuffles_that_do_not_fit():
    two, one = np.zeros(2, np.uint32), np.zeros(1, np.uint32)
    for owners, cells, width, drawn, counts in (
        (one, two, 1, np.zeros(2), np.zeros(1, np.uint32)),  # more items than places
        (one + 5, one, 1, np.zeros(1), np.zeros(1, np.uint32)),  # an owner who has no column
        (one, one + 5, 1, np.zeros(1), np.zeros(1, np.uint32)),  # a cell that has no row
    ):
        with pytest.raises(ValueError, match="expected a place for each item"):
            tally.kernel.deal(owners, cells, width, drawn, counts)


@pytest.mark.parametrize("m", [2, 3, 6])
@pytest.mark.parametrize("imagined", [2.0, 10.0, math.inf])
def test_variances_equal_those_from_the_slope_of_every_cell(m, imagined):
    names = ["macro(mcc)", "macro(specificity)", "weighted_kappa(weights='linear')", "confusion_entropy"]
    measures = [*chosen(None, m), *(chosen(names, m) if m > 2 else [])]
    _, slices = slices_of(evaluated(m, slices=9, n=90))  # small slices lack classes
    block, unit = slices.weight, np.ones(9)
    smoothed, sizes = slices.smoothed(block, unit, imagined)
    dense = np.zeros((m, m, 9))
    dense[slices.rows, slices.cols] = smoothed
    for f, found in zip(measures, slices.variances(measures, block, unit, imagined), strict=True):
        slopes = derivative.on_batch(f.recorded, dense, RESOLVE, whole=False)[slices.rows, slices.cols]
        for s in range(9):
            within = between = total = 0.0
            for a, n in zip(np.unique(slices.rows), sizes[:, s], strict=True):
                here = (slices.rows == a) & (smoothed[:, s] > 0)
                if n == 0:
                    continue
                p, slope = smoothed[here, s] / n, slopes[here, s]
                mean = (p * slope).sum()
                factor = 1 if math.isinf(imagined) else (n + imagined) ** 2 / ((n + imagined) ** 2 - n)
                within += n * (p * (slope - mean) ** 2).sum() * factor
                between, total = between + n * mean**2, total + n * mean
            expected = within + max(0.0, between - total**2 / sizes[:, s].sum())
            assert np.nan_to_num(found[s]) == pytest.approx(expected, rel=1e-6, abs=1e-12), (f.name, s)


@pytest.mark.parametrize("options", [{}, {"groups": 1}, {"groups": 1, "sample_weight": 1}])
def test_the_test_equals_one_that_goes_through_the_shuffles_one_by_one(options):
    result = evaluated(4, **options)
    samples, slices = slices_of(result)
    measures = chosen(["mcc", "kappa", "macro(f1)"], 4)
    found = variations(samples, measures, RESOLVE, 5, 200)
    shuffled = np.concatenate([slices.weight[:, :, None], *slices._shuffles(np.array([0]), 5, 200)], axis=-1)
    for k, f in enumerate(measures):
        q = []
        for d in range(201):
            matrices = np.zeros((4, 4, 4))
            matrices[:, slices.rows, slices.cols] = shuffled[:, :, d].T
            values = np.array([f(x) for x in matrices])
            weights = 1 / slices.variances([f], shuffled[:, :, d], slices.unit, 10.0)[0]
            q.append((weights * (values - (weights * values).sum() / weights.sum()) ** 2).sum())
        beyond = (np.array(q[1:]) > q[0] * (1 + 1e-9)).mean() + 0.5 * (np.abs(np.array(q[1:]) / q[0] - 1) < 1e-9).mean()
        assert found[k].p == pytest.approx((1 + 200 * beyond) / 201)


def test_each_display_works_out_what_it_needs_and_nothing_twice(monkeypatch, tmp_path):
    calls = []

    def counted(*args):
        calls.append([f.name for f in args[-1]])
        return variations(*args)

    monkeypatch.setattr(slice_tests, "variations", counted)
    result = evaluated(groups=1)
    str(result)
    assert calls == [["mcc"]]  # the short form speaks of the leading measure only
    for _ in range(2):
        str(result), result.to_html(), result._repr_html_(), result.to_json(), result.to_markdown()
        result.save(tmp_path / "report.html", tmp_path / "report.csv")
    assert result.slice_spread is result.slice_spread
    assert len(calls) == 2
    assert sorted(calls[0] + calls[1]) == sorted(f.name for f in result.settings.measures)


@pytest.mark.parametrize("options", [{}, {"groups": 1, "sample_weight": 1}])
@pytest.mark.parametrize("most", [400_000_000, 400_000, 1])
def test_a_measure_is_tested_alike_whatever_else_is_asked_for(options, most, monkeypatch):
    monkeypatch.setattr(slice_variation, "_MOST_SHUFFLED", most)  # by many shuffles, by fewer, and by none
    samples, _ = slices_of(evaluated(4, **options))
    measures = chosen(["accuracy", "mcc", "balanced_accuracy", "kappa"], 4)
    together = variations(samples, measures, RESOLVE, 5, 200)
    for f, expected in zip(measures, together, strict=True):
        (alone,) = variations(samples, measures, RESOLVE, 5, 200, [f])
        assert (alone.p, alone.gap_by_chance, alone.method) == (expected.p, expected.gap_by_chance, expected.method)
        np.testing.assert_array_equal(alone.against_rest, expected.against_rest)
        np.testing.assert_array_equal(alone.rests, expected.rests)
