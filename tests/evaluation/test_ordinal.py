"""Ordered classes: measures that go by the order of the classes get the right one, also in slices."""

from __future__ import annotations

import pandas as pd
import pytest

import goodmeasure as gm

GRADES = ["low", "medium", "high"]
TRUE = ["low", "medium", "high", "high", "low", "high", "low", "high"]
PRED = ["low", "high", "high", "medium", "medium", "high", "high", "high"]
SITE = ["x", "x", "x", "x", "y", "y", "y", "y"]
MEASURES = ["k_ordinal('absolute')", "weighted_kappa('linear')"]
COSTS = "k_cost([[0, 1, 4], [2, 0, 1], [5, 1, 0]])"


def numbers(labels):
    return [GRADES.index(x) for x in labels]


def said(result):
    return [x.text for x in result.warnings]


def test_the_order_is_that_of_labels():
    result = gm.evaluate(TRUE, PRED, measures=MEASURES, labels=GRADES)
    for name in MEASURES:
        assert result.value(name) == pytest.approx(gm.measure(name)(numbers(TRUE), numbers(PRED)))
        assert result.value(name) != pytest.approx(gm.evaluate(TRUE, PRED, measures=[name]).value(name))
    assert not any("alphabet" in x for x in said(result))


def test_the_order_is_that_of_categories():
    kind = pd.CategoricalDtype(GRADES, ordered=True)
    frame = pd.DataFrame({"label": pd.Categorical(TRUE, dtype=kind), "pred": pd.Categorical(PRED, dtype=kind)})
    result = gm.evaluate(frame, measures=MEASURES)
    assert result.value(MEASURES[0]) == pytest.approx(gm.measure(MEASURES[0])(numbers(TRUE), numbers(PRED)))
    assert not any("alphabet" in x for x in said(result))


def test_the_alphabet_is_warned_of():
    lines = said(gm.evaluate(TRUE, PRED, measures=MEASURES))
    assert any("alphabetical here (high, low, medium): set the right order with labels=" in x for x in lines)
    assert not any("alphabet" in x for x in said(gm.evaluate(TRUE, PRED, measures=["mcc"])))


@pytest.mark.parametrize("name", [*MEASURES, COSTS])
def test_a_class_that_a_slice_lacks_keeps_its_place(name):
    """Slice y has no true or predicted "medium" after this change: low and high stay two steps apart."""
    true, pred = numbers(TRUE), numbers(["low", "high", "high", "medium", "low", "high", "high", "high"])
    result = gm.evaluate(true, pred, by={"site": SITE}, measures=[name])
    part = gm.confusion(true[4:], pred[4:], labels=[0, 1, 2])
    assert result.matrix(slice="y").m == 3
    assert result.value(name, slice="y") == pytest.approx(gm.measure(name)(part))


def test_compare_keeps_the_order_too():
    found = gm.compare(TRUE, {"A": PRED, "B": TRUE}, labels=GRADES, measures=MEASURES, replicates=100)
    assert found.labels == tuple(GRADES)
    assert found.score("A", MEASURES[0])["value"] == pytest.approx(
        gm.measure(MEASURES[0])(numbers(TRUE), numbers(PRED))
    )
    assert found.winners[gm.measure(MEASURES[1]).name][-1] == "B"
