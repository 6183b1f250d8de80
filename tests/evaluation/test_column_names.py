"""Columns are guessed by their names where that is obvious, and only there."""

from __future__ import annotations

import pytest

from goodmeasure.evaluation.column_names import guess


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        (["y_true", "y_pred"], ("y_true", ("y_pred",))),
        (["Label", "Predicted"], ("Label", ("Predicted",))),
        (["id", "gold label", "pred-1", "pred-2"], ("gold label", ("pred-1", "pred-2"))),
        (["text", "label", "prediction", "prediction_score"], ("label", ("prediction",))),
        (["label", "system"], ("label", ("system",))),
        (["truth", "label", "pred"], ("truth", ("pred",))),
        (["label", "pred", "pred_probability", "prediction_time"], ("label", ("pred",))),
        (["label", "pred_score_ham", "pred_confidence_value", "predA", "pred_b"], ("label", ("predA", "pred_b"))),
        (["label", "pred_bert", "predId"], ("label", ("pred_bert",))),
    ],
)
def test_obvious_columns(columns, found):
    assert guess(columns) == found


def test_what_is_given_stays():
    assert guess(["a", "b", "pred"], "a") == ("a", ("pred",))
    assert guess(["label", "a", "b"], None, ("b",)) == ("label", ("b",))


@pytest.mark.parametrize(
    "columns",
    [
        [],
        ["a", "b"],
        ["label", "x", "y"],
        ["label", "text"],
        ["id", "label"],
        ["label", "pred_time"],
        ["Label", "label", "pred"],
    ],
)
def test_what_is_not_obvious_is_asked_for(columns):
    with pytest.raises(ValueError, match=r"name it with y_(true|pred)=; the columns are"):
        guess(columns)


@pytest.mark.parametrize("columns", [["label", "score"], ["label", "score_a", "score_b"], ["y", "p_logit", "x"]])
def test_columns_that_only_hold_scores_are_pointed_at(columns):
    with pytest.raises(ValueError, match=f"'{columns[1]}' is named like scores: give the scores with y_score="):
        guess(columns)
