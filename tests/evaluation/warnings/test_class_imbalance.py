"""Warnings that matter come for bad models, and good models on known data sets get none."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import datasets
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import goodmeasure as gm

DATA = ("iris", "wine", "digits", "breast_cancer")
GOOD = {
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression(max_iter=500)),
    "forest": RandomForestClassifier(30, random_state=0),
    "Bayes": GaussianNB(),
}


def texts(*data, **options) -> list[str]:
    return [x.text for x in gm.evaluate(*data, **options).warnings]


@pytest.mark.parametrize("model", GOOD)
@pytest.mark.parametrize("name", DATA)
def test_good_models_on_known_data_get_no_warning(name, model):
    found = getattr(datasets, f"load_{name}")()
    true = found.target if name == "digits" else found.target_names[found.target]
    assert texts(true, cross_val_predict(GOOD[model], found.data, true, cv=5)) == []


@pytest.mark.parametrize("name", DATA)
def test_a_model_that_ignores_its_input_is_warned_about(name):
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    lines = texts(y, DummyClassifier().fit(x, y).predict(x))
    assert any("is not clearly better than always predicting" in line for line in lines)
    assert any("include the score of random guessing" in line for line in lines)
    assert any("never predicted" in line for line in lines)


def test_a_stump_averages_over_classes_that_it_never_predicts():
    x, y = datasets.load_digits(return_X_y=True)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(x, y)
    (found,) = (w for w in gm.evaluate(y, stump.predict(x), measures=["macro(f1)"]).warnings if "behind" in w.text)
    assert found.text == "Of the 10 classes behind macro F1, 8 are never predicted."
    assert found.measure == "macro(f1)"


RARE = gm.ConfusionMatrix([[9885, 5], [96, 14]], ["0", "1"])  # accuracy 0.990, always '0' 0.989, recall 12.7%


def test_a_recall_far_below_accuracy_on_a_rare_class_is_told():
    found = [x for x in gm.evaluate(RARE).warnings if x.class_ == "1"]
    assert [(x.measure, x.text) for x in found] == [
        (
            "recall",
            "Recall of class '1' is only 12.7% although accuracy is 99.0%: the class makes up 1.1% of the items, so "
            "accuracy hardly depends on it.",
        )
    ]


def test_several_rare_classes_with_a_low_recall_share_a_warning():
    counts = np.diag([5000, 10, 12, 14, 30, 20])
    counts[1:, 0] = [40, 40, 40, 40, 40]
    found = [x for x in gm.evaluate(gm.ConfusionMatrix(counts, list("abcdef"))).warnings if "far below" in x.text]
    assert [(x.class_, x.text) for x in found] == [
        (
            None,
            "Recall is far below the accuracy of 96.2% in 5 rare classes, on which accuracy hardly depends: 'b' "
            "(20.0%), 'c' (23.1%), 'd' (25.9%) and 2 more.",
        )
    ]


def test_a_model_hardly_better_than_the_majority_class_is_told():
    """Of 1,000 items 2 more are right: 5 gained and 3 lost, far from significant."""
    lines = texts(gm.ConfusionMatrix([[986, 3], [6, 5]], ["0", "1"]), measures=["accuracy"])
    assert "Accuracy (0.991) is not clearly better than always predicting '0' (0.989)." in lines


@pytest.mark.parametrize(("gained", "lost", "warned"), [(5, 3, True), (20, 3, False), (0, 0, True), (4, 0, True)])
def test_the_difference_to_the_majority_class_is_a_paired_one(gained, lost, warned):
    """Gains and losses decide, as in McNemar's test of two systems: 4 to 0 has p = 0.0625."""
    cm = gm.ConfusionMatrix([[900 - lost, lost], [100 - gained, gained]], ["a", "b"])
    assert any("not clearly better" in line for line in texts(cm, measures=["accuracy"])) == warned


def test_groups_and_weights_make_the_difference_less_sure():
    true = np.repeat([0, 0, 0, 1, 1], 40)
    pred = np.where(np.arange(200) < 160, true, 0)  # the last 40 items, one class, are missed
    plain = {"measures": ["accuracy"]}
    assert not any("not clearly" in x for x in texts(true, pred, **plain))
    assert any("not clearly" in x for x in texts(true, pred, groups=np.repeat(np.arange(5), 40), **plain))
    weights = np.ones(200)
    weights[[0, 150]] = 1000.0
    assert any("not clearly" in x for x in texts(true, pred, sample_weight=weights, **plain))


def test_frequent_classes_of_low_recall_are_no_secret_of_accuracy():
    assert not any("Recall of class" in x for x in texts(gm.ConfusionMatrix([[60, 0], [30, 10]])))
