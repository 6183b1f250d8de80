"""The predictions behind scikit-learn's cross-validation are evaluated and compared item by item."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, RepeatedKFold, cross_val_predict, cross_validate
from sklearn.tree import DecisionTreeClassifier

import goodmeasure as gm
from goodmeasure.sklearn import cross_validated

X, Y = load_iris(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)
KEPT = {"return_estimator": True, "return_indices": True}


def test_the_predictions_are_those_of_cross_val_predict():
    cv = KFold(3, shuffle=True, random_state=0)
    found = cross_validated(cross_validate(TREE, X, Y, cv=cv, **KEPT), X, Y)
    order = np.argsort(found.item)
    assert np.array_equal(found.y_pred["model"][order], cross_val_predict(TREE, X, Y, cv=cv))
    assert np.array_equal(found.y_true[order], Y)
    accuracy = gm.evaluate(**found.arguments(), measures="accuracy").table
    assert next(iter(accuracy))["value"] == (cross_val_predict(TREE, X, Y, cv=cv) == Y).mean()


def test_models_are_compared_on_the_same_folds():
    frame = pd.DataFrame(X)
    results = {
        "tree": cross_validate(TREE, frame, Y, **KEPT),
        "dummy": cross_validate(DummyClassifier(), frame, Y, **KEPT),
    }
    found = gm.compare(**cross_validated(results, frame, Y).arguments(), measures="accuracy", ensemble=False)
    assert found.winners["accuracy"] == ("tree",)


def test_repeated_folds_are_groups_of_one_item():
    results = cross_validate(TREE, X, Y, cv=RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), **KEPT)
    given = cross_validated(results, X, Y).arguments()
    assert len(given["groups"]) == 300
    assert gm.evaluate(**given, measures="accuracy").counted.rows == 300


def test_what_lacks_predictions_says_what_to_ask_for():
    bare = cross_validate(TREE, X, Y)
    with pytest.raises(gm.InputError, match="return_estimator=True and return_indices=True"):
        cross_validated(bare, X, Y)
    with pytest.raises(gm.InputTypeError, match=r"goodmeasure\.sklearn\.cross_validated"):
        gm.evaluate(bare)
    with pytest.raises(gm.InputTypeError, match="what scikit-learn's cross_validate returns"):
        cross_validated([1, 2], X, Y)
    other = cross_validate(TREE, X, Y, cv=KFold(3, shuffle=True, random_state=1), **KEPT)
    with pytest.raises(gm.InputError, match="was tested in other folds"):
        cross_validated({"A": cross_validate(TREE, X, Y, **KEPT), "B": other}, X, Y)
