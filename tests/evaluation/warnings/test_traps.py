"""Traps that no number shows: repeated items, groups that nobody named, copies, bad probabilities, values by luck."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm


def right(rng, true, share=0.85):
    return np.where(rng.random(len(true)) < share, true, 1 - true)


@pytest.fixture
def rng():
    return np.random.default_rng(3)


@pytest.fixture
def true(rng):
    return (rng.random(500) < 0.3).astype(int)


def said(found):
    return " ".join(str(x) for x in found.warnings)


def scores_of(rng, true, slope=1.0, shift=0.0):
    x = rng.normal(size=len(true)) + 1.5 * true
    return 1 / (1 + np.exp(-(slope * (np.log(0.3 / 0.7) + 1.5 * x - 1.125) + shift)))


def test_items_that_are_written_down_five_times_are_noticed(rng, true):
    once = true[:100]
    assert "All rows come 5 times" in said(gm.evaluate(np.repeat(once, 5), np.repeat(right(rng, once), 5)))
    assert "come 5 times" in said(gm.evaluate(np.repeat(once, 5), y_score=np.repeat(scores_of(rng, once), 5)))


@pytest.mark.parametrize("name", ["id", "item_id", "patient", "document", "where"])
def test_a_column_that_looks_like_ids_or_groups_asks_for_groups(rng, true, name):
    once = true[:100]
    values = np.repeat([f"v{k}" for k in range(100)], 5)
    table = pd.DataFrame({name: values, "label": np.repeat(once, 5), "pred": right(rng, np.repeat(once, 5))})
    assert f"give groups='{name}'" in said(gm.evaluate(table, y_true="label", y_pred="pred"))
    assert "give groups" not in said(gm.evaluate(table, y_true="label", y_pred="pred", groups=name))


def test_a_copy_of_the_truth_is_noticed(true):
    assert "identical to the true labels" in said(gm.evaluate(true, true))


@pytest.mark.parametrize(("slope", "shift"), [(4, 0), (1, -3)])
def test_probabilities_that_are_far_from_calibrated_are_noticed(rng, true, slope, shift):
    assert "not calibrated" in said(gm.evaluate(true, y_score=scores_of(rng, true, slope, shift)))


def test_a_matrix_of_weights_says_how_many_items_it_stands_for(rng, true):
    cm = gm.confusion(true[:60], right(rng, true[:60]), sample_weight=np.full(60, 25.0))
    assert "its 1,500 stand for 60 items" in said(gm.evaluate(cm))


def test_the_best_of_many_and_very_many_slices_are_called_luck(rng, true):
    systems = {f"s{k}": right(rng, true) for k in range(8)}
    assert "The best of 8 systems" in said(gm.evaluate(true, systems, measures=["mcc"], tests=False))
    assert any("is optimistic" in x for x in gm.compare(true, systems, measures=["mcc"], replicates=100).notes)
    slices = gm.evaluate(true, systems["s0"], by={"s": rng.integers(0, 40, 500)}, measures=["accuracy"])
    assert "corrected for all of them" in said(slices)
    measures = [gm.mcc.at_best_threshold()]
    assert "optimistic" in said(gm.evaluate(true, y_score=scores_of(rng, true), measures=measures))


def test_clean_data_have_no_warning():
    rng = np.random.default_rng(4)
    for k in range(15):
        true = (rng.random(int(rng.integers(150, 900))) < 0.3).astype(int)
        if k % 2:
            found = gm.evaluate(true, y_score=scores_of(rng, true), confidence=0.95)
        else:
            table = pd.DataFrame(
                {
                    "id": np.arange(len(true)),
                    "site": rng.integers(0, 12, len(true)),
                    "age": rng.integers(18, 90, len(true)),
                    "label": true,
                    "pred": right(rng, true),
                }
            )
            found = gm.evaluate(table, y_true="label", y_pred="pred")
        assert found.warnings == []
