"""Scorers work where scikit-learn takes scorers."""

import pickle

import numpy as np
import pytest
import sklearn
import sklearn.metrics
from sklearn.base import clone
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_score, cross_validate
from sklearn.tree import DecisionTreeClassifier

import goodmeasure as gm
from goodmeasure.sklearn import get_scorer, scorer
from goodmeasure.sklearn.scorers import _OF_LABELS, _OF_SCORES
from tests.sklearn.outcomes import SAME_VERSION

BINARY = make_classification(300, weights=[0.8], flip_y=0.1, random_state=0)
THREE = make_classification(300, n_classes=3, n_informative=4, random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)
LINEAR = LogisticRegression()


def gini(c):
    """A user's own measure, at module level so that it can be pickled."""
    return c.ratio(c.tp, c.n)


@pytest.mark.filterwarnings("ignore:.*likelihood_ratio:sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("name", [x for x in _OF_LABELS if "samples" not in x])
def test_a_name_of_theirs_scores_as_there(name):
    if "likelihood" in name and not SAME_VERSION:
        pytest.skip("before 1.9 an undefined ratio was NaN")
    features, classes = BINARY
    ours = cross_val_score(LINEAR, features, classes, scoring=get_scorer(name))
    theirs = cross_val_score(LINEAR, features, classes, scoring=name)
    assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("name", [x for x in _OF_LABELS if x.endswith("_samples")])
def test_a_name_for_several_labels_scores_as_there(name):
    features = np.random.default_rng(0).normal(size=(60, 3))
    sets = (features[:, :2] + features[:, 1:] > 0).astype(int)
    sets[:, 0] = 1  # so that no item is without a label
    model = TREE.fit(features, sets)
    assert get_scorer(name)(model, features, sets) == pytest.approx(
        sklearn.metrics.get_scorer(name)(model, features, sets)
    )


def test_every_scorer_of_theirs_for_these_metrics_is_known():
    names = {x.removesuffix("_score") for x in ("accuracy", "balanced_accuracy", "matthews_corrcoef")}
    names |= {x for x in sklearn.metrics.get_scorer_names() if x.startswith(("f1", "precision", "recall", "jaccard"))}
    names |= {x for x in sklearn.metrics.get_scorer_names() if "likelihood" in x}
    assert names == {*_OF_LABELS}


@pytest.mark.parametrize("name", ["macro(f1)", "mcc", "kappa", "zero_one_loss", "calibrated(kappa)"])
def test_a_measure_scores_as_the_measure_of_the_predictions(name):
    features, classes = THREE
    model = TREE.fit(features, classes)
    value = gm.measure(name)(classes, model.predict(features))
    sign = -1 if name == "zero_one_loss" else 1
    assert get_scorer(name)(model, features, classes) == sign * value


def test_a_measure_works_in_cross_validation():
    scores = cross_val_score(TREE, *THREE, scoring=scorer(gm.macro(gm.f1)), cv=3)
    theirs = cross_val_score(TREE, *THREE, scoring="f1_macro", cv=3)
    assert scores == pytest.approx(theirs)


def test_several_scorers_share_their_predictions():
    calls = []

    class Counting(DecisionTreeClassifier):
        def predict(self, X):  # noqa: N803 - scikit-learn's name
            calls.append(len(X))
            return super().predict(X)

    scoring = {name: scorer(name) for name in ("mcc", "kappa", "accuracy")}
    result = cross_validate(Counting(max_depth=2), *BINARY, scoring=scoring, cv=3)
    assert len(calls) == 3
    assert {"test_mcc", "test_kappa", "test_accuracy"} <= {*result}


def test_a_grid_search_finds_the_best_by_a_measure():
    features, classes = BINARY
    grid = {"max_depth": [1, 3, 6]}
    ours = GridSearchCV(TREE, grid, scoring=scorer(gm.mcc), cv=3).fit(features, classes)
    theirs = GridSearchCV(TREE, grid, scoring="matthews_corrcoef", cv=3).fit(features, classes)
    assert ours.best_params_ == theirs.best_params_
    assert ours.cv_results_["mean_test_score"] == pytest.approx(theirs.cv_results_["mean_test_score"])


def test_a_grid_search_in_several_processes_gets_the_scorer():
    search = GridSearchCV(TREE, {"max_depth": [1, 3]}, scoring=scorer("zero_one_loss"), cv=2, n_jobs=2).fit(*BINARY)
    assert search.best_score_ < 0  # a loss, so higher is better with the sign turned


@pytest.mark.parametrize(("ours", "theirs"), [("f1", "f1"), ("balanced_accuracy", "balanced_accuracy")])
def test_threshold_tuning_finds_the_same_threshold(ours, theirs):
    tuned = TunedThresholdClassifierCV(LINEAR, scoring=scorer(ours), cv=3, thresholds=25).fit(*BINARY)
    reference = TunedThresholdClassifierCV(LINEAR, scoring=theirs, cv=3, thresholds=25).fit(*BINARY)
    assert tuned.best_threshold_ == pytest.approx(reference.best_threshold_)
    assert tuned.best_score_ == pytest.approx(reference.best_score_)


def test_threshold_tuning_takes_the_positive_class():
    features, classes = BINARY
    words = np.array(["no", "yes"])[classes]
    tuned = TunedThresholdClassifierCV(LINEAR, scoring=scorer("f1", pos_label="no"), cv=3).fit(features, words)
    theirs = sklearn.metrics.make_scorer(sklearn.metrics.f1_score, pos_label="no")
    reference = TunedThresholdClassifierCV(LINEAR, scoring=theirs, cv=3).fit(features, words)
    assert tuned.best_score_ == pytest.approx(reference.best_score_)
    assert (tuned.predict(features) == reference.predict(features)).all()


def test_weights_reach_the_measure():
    features, classes = BINARY
    weights = np.where(classes == 1, 5.0, 1.0)
    model = LINEAR.fit(features, classes)
    expected = gm.mcc(classes, model.predict(features), sample_weight=weights)
    assert scorer("mcc")(model, features, classes, sample_weight=weights) == expected


def test_weights_are_routed_on_request():
    features, classes = BINARY
    weights = np.where(classes == 1, 5.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        ours = scorer("mcc").set_score_request(sample_weight=True)
        theirs = sklearn.metrics.get_scorer("matthews_corrcoef").set_score_request(sample_weight=True)
        model = LogisticRegression().set_fit_request(sample_weight=False)
        found, expected = (
            cross_val_score(model, features, classes, scoring=x, params={"sample_weight": weights})
            for x in (ours, theirs)
        )
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(
    "made", [scorer("macro(f1)"), scorer(gini), get_scorer("f1_macro"), scorer("fbeta(2)")], ids=repr
)
def test_a_scorer_survives_pickling_and_cloning(made):
    model = LINEAR.fit(*BINARY)
    expected = made(model, *BINARY)
    assert pickle.loads(pickle.dumps(made))(model, *BINARY) == expected
    assert clone(GridSearchCV(LINEAR, {}, scoring=made)).scoring(model, *BINARY) == expected


def test_a_scorer_shows_its_measure_and_its_arguments():
    assert (
        repr(scorer("fbeta(2)", pos_label="yes"))
        == "make_scorer(fbeta(beta=2), response_method='predict', pos_label=yes)"
    )


def test_labels_that_a_fold_lacks_can_be_named():
    model = LINEAR.fit(*BINARY)
    only_one = model.predict(BINARY[0]) == 0
    features, classes = BINARY[0][only_one], np.zeros(only_one.sum(), int)
    assert scorer("f1", labels=[0, 1])(model, features, classes) == 1.0  # no positive item, and none predicted


def test_a_measure_without_a_better_side_asks_for_it():
    name = next(x.name for x in gm.measures() if x.orientation == "neither")
    with pytest.raises(ValueError, match="greater_is_better"):
        scorer(name)
    assert scorer(name, greater_is_better=False)._sign == -1


def test_a_scorer_passes_through():
    made = scorer("mcc")
    assert get_scorer(made) is made
    assert repr(get_scorer(gm.mcc)) == repr(made)


def test_an_unknown_name_is_refused():
    with pytest.raises((KeyError, ValueError), match="f1_makro"):
        get_scorer("f1_makro")


def test_the_positive_class_may_be_named_in_both_ways():
    """A scorer with positive= used to be accepted and to score NaN in every fold."""
    features, classes = BINARY
    words = np.where(classes == 1, "malignant", "benign")
    ours = cross_val_score(LINEAR, features, words, scoring=scorer("recall", positive="benign"))
    theirs = cross_val_score(LINEAR, features, words, scoring=scorer("recall", pos_label="benign"))
    expected = cross_val_score(LINEAR, features, 1 - classes, scoring="recall")
    assert list(ours) == list(theirs)
    assert ours == pytest.approx(expected)


def test_two_positive_classes_and_unknown_arguments_are_refused_at_once():
    with pytest.raises(ValueError, match="positive is 'a' and pos_label is 'b'"):
        scorer("recall", positive="a", pos_label="b")
    with pytest.raises(TypeError, match="takes no average="):
        scorer("f1", average="macro")


@pytest.mark.skipif(not SAME_VERSION, reason="two of the names are new in scikit-learn 1.9")
@pytest.mark.parametrize("data", [BINARY, THREE], ids=["binary", "three"])
@pytest.mark.parametrize("name", _OF_SCORES)
@pytest.mark.filterwarnings("ignore:'k' .2. greater:sklearn.exceptions.UndefinedMetricWarning")
def test_a_name_of_theirs_for_scores_scores_as_there(name, data):
    if data is THREE and name == "roc_auc":
        with pytest.raises(ValueError, match="multi_class must be in"):  # as there
            get_scorer(name)(LINEAR.fit(*data), *data)
        return
    ours = cross_val_score(LINEAR, *data, scoring=get_scorer(name), cv=3)
    theirs = cross_val_score(LINEAR, *data, scoring=name, cv=3)
    assert ours == pytest.approx(theirs, abs=1e-12)
    assert repr(get_scorer(name)) == repr(sklearn.metrics.get_scorer(name))


CLUSTERING = ("rand_score", "mutual_info_score", "completeness", "homogeneity", "v_measure", "fowlkes_mallows")
REGRESSION = ("r2", "_error", "_deviance", "explained_variance")


@pytest.mark.skipif(not SAME_VERSION, reason="the names are those of scikit-learn 1.9")
def test_every_scorer_of_theirs_for_classification_is_known():
    names = {x for x in sklearn.metrics.get_scorer_names() if not any(word in x for word in CLUSTERING + REGRESSION)}
    assert names == {*_OF_LABELS, *_OF_SCORES}


@pytest.mark.parametrize(
    ("measure", "method"),
    [("roc_auc", "decision_function"), (gm.average_precision, "decision_function"), (gm.brier, "predict_proba")],
)
def test_a_measure_of_scores_scores_as_the_measure(measure, method):
    features, classes = BINARY
    model = LINEAR.fit(features, classes)
    scores = model.decision_function(features) if method == "decision_function" else model.predict_proba(features)[:, 1]
    value = gm.measure(measure)(classes, scores) if isinstance(measure, str) else measure(classes, scores)
    sign = -1 if measure is gm.brier else 1
    made = scorer(measure)
    assert made(model, features, classes) == sign * value
    assert pickle.loads(pickle.dumps(made))(model, features, classes) == sign * value


def test_a_measure_of_scores_takes_the_positive_class_the_labels_and_weights():
    features, classes = BINARY
    words = np.where(classes == 1, "yes", "no")
    model = LogisticRegression().fit(features, words)
    weights = np.where(classes == 1, 5.0, 1.0)
    expected = gm.average_precision(classes == 0, -model.decision_function(features), sample_weight=weights)
    made = scorer("average_precision", positive="no")
    assert made(model, features, words, sample_weight=weights) == pytest.approx(expected)
    some = classes == 1
    assert np.isnan(scorer("roc_auc", labels=["no", "yes"])(model, features[some], words[some]))  # one class only


def test_a_measure_of_scores_works_with_several_classes():
    ours = cross_val_score(LINEAR, *THREE, scoring=scorer("log_loss"), cv=3)
    assert ours == pytest.approx(cross_val_score(LINEAR, *THREE, scoring="neg_log_loss", cv=3))
    macro = cross_val_score(LINEAR, *THREE, scoring=scorer("macro(roc_auc)"), cv=3)
    assert ((macro > 0.5) & (macro <= 1)).all()


@pytest.mark.filterwarnings("ignore:'k' .2. greater:sklearn.exceptions.UndefinedMetricWarning")
def test_every_scorer_name_of_theirs_means_the_same_or_is_refused():
    """Whatever resolves must agree with scikit-learn's own scorer."""
    features, classes = BINARY
    model = LINEAR.fit(features, classes)
    known = []
    for name in sklearn.metrics.get_scorer_names():
        try:
            ours = get_scorer(name)
        except ValueError:
            continue
        if not name.endswith("_samples"):
            known.append(name)
            expected = sklearn.metrics.get_scorer(name)(model, features, classes)
            assert ours(model, features, classes) == pytest.approx(expected, abs=1e-12), name
    assert {"f1", "accuracy", "balanced_accuracy", "mutual_info_score"} <= set(known)


@pytest.mark.parametrize("measure", ["mcc", "roc_auc", "brier", "zero_one_loss", "calibration_error"])
def test_a_measure_is_a_scorer(measure):
    x, y = BINARY
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    found = getattr(gm, measure)
    scores = cross_val_score(tree, x, y, scoring=found, cv=3)
    np.testing.assert_array_equal(scores, cross_val_score(tree, x, y, scoring=scorer(measure), cv=3))
    assert not np.isnan(scores).any()
    search = GridSearchCV(tree, {"max_depth": [1, 3]}, scoring=found, cv=2, error_score="raise").fit(x, y)
    assert search.best_params_["max_depth"] in (1, 3)


@pytest.mark.parametrize(
    ("measure", "theirs"),
    [
        (gm.macro(gm.roc_auc), "roc_auc_ovr"),
        (gm.weighted(gm.roc_auc), "roc_auc_ovr_weighted"),
        (gm.hand_till, "roc_auc_ovo"),
    ],
)
def test_ranking_of_several_classes_is_scored_by_probabilities_as_there(measure, theirs):
    x, y = load_iris(return_X_y=True)
    model = LogisticRegression(max_iter=500)
    ours = cross_val_score(model, x, y, scoring=measure)
    assert ours == pytest.approx(cross_val_score(model, x, y, scoring=theirs), abs=1e-12)


def test_a_measure_can_be_given_to_make_scorer():
    x, y = BINARY
    made = cross_val_score(TREE, x, y, scoring=sklearn.metrics.make_scorer(gm.mcc), error_score="raise")
    np.testing.assert_array_equal(made, cross_val_score(TREE, x, y, scoring=gm.mcc))


def test_a_measure_as_scorer_of_text_says_how_to_name_the_positive_class():
    data = np.random.default_rng(0).normal(size=(40, 2))
    text = np.where(data[:, 0] > 0, "malignant", "benign")
    model = LogisticRegression().fit(data, text)
    for measure in (gm.f1, gm.roc_auc, gm.fbeta(2)):
        with pytest.raises(gm.InputError) as refused:
            measure(model, data, text)
        assert f"scoring=goodmeasure.sklearn.scorer({measure.name!r}, positive=…)" in str(refused.value)
        assert scorer(measure.name, positive="malignant")(model, data, text) > 0.5
