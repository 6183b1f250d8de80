"""Keywords of scikit-learn's are refused with what to write instead, which then works."""

from __future__ import annotations

import pytest

import goodmeasure as gm

metrics = pytest.importorskip("sklearn.metrics")
TRUE, PRED = [0, 1, 2, 1, 0, 2], [0, 1, 1, 1, 2, 2]
TWO, FOUND = [0, 1, 1, 0], [0, 1, 0, 0]


@pytest.mark.parametrize("average", ["macro", "micro", "weighted"])
def test_average_names_the_measure_that_averages(average):
    with pytest.raises(TypeError, match=rf"f1 takes no average=: gm\.{average}\(gm\.f1\)\(y_true, y_pred\)"):
        gm.f1(TRUE, PRED, average=average)
    value = getattr(gm, average)(gm.f1)(TRUE, PRED)
    assert value == pytest.approx(metrics.f1_score(TRUE, PRED, average=average))


@pytest.mark.parametrize(
    ("measure", "keywords", "said"),
    [
        (gm.f1, {"average": "binary"}, "without it, f1 is that of the positive class, which positive= chooses"),
        (gm.f1, {"average": "samples"}, r"gm.multilabel\(y_true, y_pred\).average\('f1', 'samples'\)"),
        (gm.f1, {"average": None}, r"gm.evaluate\(y_true, y_pred, classwise=\['f1'\]\).table has the value of each"),
        (gm.mcc, {"average": "macro"}, "mcc looks at all classes at once, so leave average= out"),
        (gm.fbeta(2), {"average": "macro"}, r"gm.macro\(gm.fbeta\(beta=2\)\)\(y_true, y_pred\)"),
        (gm.precision, {"zero_division": 0}, "zero_division=: what 0/0 counts as is undefined=, .* undefined=0"),
        (gm.accuracy, {"normalize": False}, r"gm.confusion\(y_true, y_pred\).counts holds the counts"),
        (gm.kappa, {"weights": "linear"}, r"gm.weighted_kappa\('linear'\)"),
        (gm.f1, {"beta": 2}, r"gm.fbeta\(2\)\(y_true, y_pred\)"),
        (gm.balanced_accuracy, {"adjusted": True}, "gm.k is balanced accuracy adjusted for chance"),
        (gm.f1, {"lables": [0, 1]}, r"f1 takes no lables=: did you mean labels=\?"),
        (gm.f1, {"anything": 1}, "it takes labels=, sample_weight=, positive=, undefined= and missing="),
    ],
)  # fmt: skip
def test_a_foreign_keyword_says_the_way_here(measure, keywords, said):
    for call in (measure, measure.exact, measure.explain, measure.signature):
        with pytest.raises(TypeError, match=said):
            call(TWO, FOUND, **keywords)


def test_what_the_errors_recommend_is_right():
    assert gm.k(TRUE, PRED) == pytest.approx(metrics.balanced_accuracy_score(TRUE, PRED, adjusted=True))
    assert gm.recall(TWO, FOUND, positive=0) == metrics.recall_score(TWO, FOUND, pos_label=0)
    assert gm.recall(TWO, FOUND, pos_label=0) == gm.recall(TWO, FOUND, positive=0)
    linear = gm.weighted_kappa("linear")(TRUE, PRED)
    assert linear == pytest.approx(metrics.cohen_kappa_score(TRUE, PRED, weights="linear"))
    assert {x["class"] for x in gm.evaluate(TRUE, PRED, classwise=["f1"]).table} == {None, 0, 1, 2}


def test_a_function_of_ones_own_is_named_as_it_is():
    def mine(c):
        return c.ratio(c.tp, c.tp + c.fp)

    own = gm.macro(mine)
    with pytest.raises(TypeError, match="takes no average="):
        own(TRUE, PRED, average="macro")


def test_labels_may_be_named():
    assert gm.f1(y_true=TWO, y_pred=FOUND) == gm.f1(TWO, y_pred=FOUND) == gm.f1(TWO, FOUND)


def test_a_family_called_on_columns_of_a_frame_asks_for_its_parameters():
    pd = pytest.importorskip("pandas")
    with pytest.raises(TypeError, match="fbeta needs its parameters before the data"):
        gm.fbeta(pd.Series(TWO), pd.Series(FOUND), beta=2)
