"""pandas indexes that say that two columns are not in the same order are refused, and others are let through."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm

TRUE = pd.Series([0, 1, 1, 0, 1, 0], index=list("abcdef"))
PRED = pd.Series([0, 1, 0, 0, 1, 1], index=list("abcdef"))
SCORE = pd.Series([0.1, 0.9, 0.4, 0.2, 0.8, 0.6], index=list("abcdef"))
TURNED = "hold the same entries in different orders: use {0}.reindex\\(y_true.index\\) .* or {0}.to_numpy\\(\\)"


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: gm.confusion(TRUE, PRED[::-1]), "y_pred"),
        (lambda: gm.mcc(TRUE, PRED[::-1]), "y_pred"),
        (lambda: gm.mcc(TRUE, PRED, sample_weight=SCORE[::-1]), "sample_weight"),
        (lambda: gm.evaluate(TRUE, PRED[::-1]), "y_pred"),
        (lambda: gm.evaluate(TRUE, {"A": PRED, "B": PRED[::-1]}), "y_pred\\['B'\\]"),
        (lambda: gm.evaluate(TRUE, PRED, sample_weight=SCORE[::-1]), "sample_weight"),
        (lambda: gm.evaluate(TRUE, PRED, groups=PRED[::-1]), "groups"),
        (lambda: gm.evaluate(TRUE, PRED, by={"site": PRED[::-1]}), "by\\['site'\\]"),
        (lambda: gm.compare(TRUE, {"A": PRED, "B": PRED[::-1]}), "y_pred\\['B'\\]"),
        (lambda: gm.sweep(TRUE, SCORE[::-1]), "y_score"),
        (lambda: gm.sweep(TRUE, {"A": SCORE, "B": SCORE[::-1]}), "y_score\\['B'\\]"),
        (lambda: gm.sweep(TRUE, SCORE, by=PRED[::-1]), "by"),
        (lambda: gm.multilabel(pd.DataFrame({"x": TRUE}), pd.DataFrame({"x": PRED[::-1]})), "y_pred"),
    ],
)
def test_a_column_in_another_order_is_refused_with_both_ways_out(call, name):
    with pytest.raises(ValueError, match=TURNED.format(name)):
        call()


def test_both_ways_out_work():
    turned = PRED[::-1]
    assert gm.accuracy(TRUE, turned.reindex(TRUE.index)) == gm.accuracy(TRUE, PRED)
    assert gm.accuracy(TRUE, turned.to_numpy()) == gm.accuracy(TRUE.to_numpy(), turned.to_numpy())


def test_two_indexes_of_other_items_are_refused():
    with pytest.raises(ValueError, match="the pandas indexes of y_true and y_pred differ: use"):
        gm.mcc(TRUE, PRED.set_axis(list("bcdefg")))


@pytest.mark.parametrize("other", [PRED.to_numpy(), PRED.tolist(), PRED.reset_index(drop=True), PRED.array])
def test_predictions_without_an_index_of_their_own_go_by_position(other):
    """A shuffled test set and predictions in the order of its rows, in an array or in a new Series."""
    shuffled = TRUE.set_axis([40, 3, 17, 8, 25, 11])
    assert gm.accuracy(shuffled, other) == gm.accuracy(TRUE, PRED)
    assert gm.evaluate(shuffled, other).value("accuracy") == gm.accuracy(TRUE, PRED)


def test_a_shuffled_whole_is_refused_beside_a_new_series():
    """0 … 5 in another order and 0 … 5: nobody knows whether the index or the position is meant."""
    with pytest.raises(ValueError, match="same entries in different orders"):
        gm.mcc(TRUE.set_axis([5, 4, 3, 2, 1, 0]), PRED.reset_index(drop=True))


@given(st.permutations(range(8)))
def test_every_other_order_is_refused_and_reindexing_gives_the_value_of_the_items(order):
    rng = np.random.default_rng(0)
    true, pred = (pd.Series(rng.integers(0, 2, 8), index=np.arange(10, 18)) for _ in range(2))
    moved = pred.iloc[list(order)]
    if list(order) != sorted(order):
        with pytest.raises(ValueError, match=r"y_pred\.reindex"):
            gm.confusion(true, moved)
    assert gm.confusion(true, moved.reindex(true.index)) == gm.confusion(true, pred)
