"""The value to expect of a chosen threshold on other items, by cross-fitting."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.stats import norm

import goodmeasure as gm


def drawn(rng, items, prevalence, apart):
    true = (rng.random(items) < prevalence).astype(int)
    return true, rng.normal(size=items) + apart * true


def truth(f, threshold, prevalence, apart):
    tp, fp = prevalence * norm.sf(threshold - apart), (1 - prevalence) * norm.sf(threshold)
    return f([[1 - prevalence - fp, fp], [prevalence - tp, tp]])


@pytest.mark.parametrize(("measure", "items", "prevalence", "apart"), [("mcc", 60, 0.4, 1.0), ("f1", 100, 0.2, 1.5)])
def test_the_honest_value_is_nearly_unbiased_and_its_interval_covers(measure, items, prevalence, apart):
    """Intervals at the chosen threshold held its true value in 65 to 87%."""
    rng, f = np.random.default_rng(3), gm.measure(measure)
    naive, honest, held, size = [], [], 0, 120
    for _ in range(size):
        best = gm.sweep(*drawn(rng, items, prevalence, apart), measures=[f]).best(f, replicates=60)
        right = truth(f, best.threshold, prevalence, apart)
        naive.append(best.value - right)
        honest.append(best.honest - right)
        held += best.value_low <= right <= best.value_high
    assert abs(np.mean(honest)) < np.mean(naive) / 2
    assert held >= 0.88 * size


def test_rejecting_everything_is_a_threshold_too():
    """With one positive item of a hundred and random scores, no real threshold beats saying no."""
    best = gm.sweep([0] * 99 + [1], np.arange(100) % 99, measures=["accuracy", "f1"]).best("accuracy")
    assert math.isinf(best.threshold)
    assert best.value == 0.99
    assert best.matrix.counts.tolist() == [[99, 0], [1, 0]]


def test_an_infinite_threshold_is_written_in_every_format(tmp_path):
    swept = gm.sweep([0] * 99 + [1], np.arange(100) % 99, measures=["accuracy", "f1"])
    swept.save(*(str(tmp_path / f"s.{x}") for x in ("html", "md", "tex", "json", "csv")))
    (row,) = [x for x in json.loads((tmp_path / "s.json").read_text())["best"] if x["measure"] == "accuracy"]
    assert row["value"] == 0.99
    assert "Infinity" not in (tmp_path / "s.html").read_text()
    assert "above all scores" in (tmp_path / "s.md").read_text()


def test_groups_are_drawn_and_left_out_whole():
    rng = np.random.default_rng(1)
    true, scores = drawn(rng, 40, 0.5, 1.5)
    copies = [np.repeat(x, 10) for x in (true, scores)]
    alone = gm.sweep(*copies, measures=["mcc"]).best("mcc")
    grouped = gm.sweep(*copies, measures=["mcc"], groups=np.repeat(np.arange(40), 10)).best("mcc")
    assert grouped.value_high - grouped.value_low > 2 * (alone.value_high - alone.value_low)
    assert grouped.honest <= grouped.value + 1e-9


def test_weights_that_are_all_one_change_nothing_much():
    rng = np.random.default_rng(2)
    data = drawn(rng, 80, 0.4, 1.0)
    plain = gm.sweep(*data, measures=["mcc"]).best("mcc")
    weighted = gm.sweep(*data, measures=["mcc"], sample_weight=np.ones(80)).best("mcc")
    assert weighted.honest == pytest.approx(plain.honest, abs=0.1)
    assert weighted.value_low == pytest.approx(plain.value_low, abs=0.15)


def test_a_group_for_each_item_is_needed():
    with pytest.raises(ValueError, match="groups has 2 values, y_true has 3 labels"):
        gm.sweep([0, 1, 1], [0.1, 0.2, 0.3], groups=[1, 2])


def test_the_text_of_a_best_threshold_says_that_its_value_is_optimistic():
    swept = gm.sweep([0, 0, 1, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.2, 0.9], measures=["mcc"])
    assert "expected on new items: " in str(swept.best("mcc"))
    assert "expect less on new items" in str(swept.best("mcc", confidence=None))
