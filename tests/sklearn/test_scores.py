"""Functions of scores come to the same result, warnings and errors as scikit-learn's, whatever comes in."""

import inspect

import numpy as np
import pytest
import scipy.sparse
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure.sklearn as ours
from tests.sklearn.outcomes import SAME_VERSION, assert_same
from tests.sklearn.theirs import OF_SCORES

pytestmark = pytest.mark.skipif(not SAME_VERSION, reason="the functions and their errors are those of scikit-learn 1.9")

EXAMPLES = settings(max_examples=25, deadline=None)

CURVES = ["confusion_matrix_at_thresholds", "roc_curve", "precision_recall_curve", "det_curve"]
AREAS = ["roc_auc_score", "average_precision_score"]
LOSSES = ["log_loss", "d2_log_loss_score", "brier_score_loss", "d2_brier_score"]
POOLS = [[0, 1], [-1, 1], [1], [0], [1, 2], [0, 1, 2], [False, True], [0.0, 1.0], ["no", "yes"], ["a", "b", "c"]]


def same(name, *args, **kwargs):
    assert_same(getattr(ours, name), getattr(sklearn.metrics, name), *args, **kwargs)


def scores_of(n):
    """Scores with ties, of several types and sizes."""
    few = st.sampled_from([0.0, 0.25, 0.5, 0.5000000001, 1.0, -0.0, 5e-324, -3.5, 1e300])
    types = st.sampled_from([list, np.array, lambda x: np.array(x, np.float32), lambda x: np.reshape(x, (-1, 1))])
    real = st.tuples(st.lists(few.filter(lambda x: x < 1e30), min_size=n, max_size=n), types).map(lambda x: x[1](x[0]))
    whole = st.lists(st.integers(-2, 3), min_size=n, max_size=n)
    return real | whole | whole.map(np.array) | st.lists(few, min_size=n, max_size=n)


def weights_of(n):
    whole = st.lists(st.integers(0, 3), min_size=n, max_size=n)
    real = st.lists(st.just(0.0) | st.floats(0.01, 5), min_size=n, max_size=n)
    return st.none() | whole | whole.map(np.array) | real.map(np.array)


@st.composite
def scored(draw):
    pool = draw(st.sampled_from(POOLS))
    n = draw(st.integers(1, 12))
    y_true = draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    y_true = draw(st.sampled_from([list, np.array, lambda x: np.array(x, object)[:, None]]))(y_true)
    return y_true, draw(scores_of(n)), draw(weights_of(n)), draw(st.sampled_from([*pool, None, 1, 7]))


@pytest.mark.parametrize("name", CURVES)
@EXAMPLES
@given(scored(), st.sampled_from([{}, {"drop_intermediate": True}, {"drop_intermediate": False}]))
def test_a_curve(name, data, drop):
    y_true, y_score, weights, positive = data
    drop = {} if name == "confusion_matrix_at_thresholds" else drop
    same(name, y_true, y_score, pos_label=positive, sample_weight=weights, **drop)


@EXAMPLES
@given(scored(), st.sampled_from([None, 1, 0.3, 1e-9, 0.999]))
def test_the_area_of_two_classes(data, max_fpr):
    y_true, y_score, weights, positive = data
    same("roc_auc_score", y_true, y_score, sample_weight=weights, max_fpr=max_fpr)
    if positive is not None:
        same("average_precision_score", y_true, np.asarray(y_score), pos_label=positive, sample_weight=weights)


@EXAMPLES
@given(st.data())
def test_the_area_of_several_labels(data):
    n, width = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 3))
    y_true = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n * width, max_size=n * width))).reshape(n, width)
    y_score = np.reshape(data.draw(scores_of(n * width)), (n, width))
    average = data.draw(st.sampled_from([None, "micro", "macro", "weighted", "samples"]))
    weights = data.draw(weights_of(n).map(lambda x: None if x is None else np.asarray(x)))
    for name in AREAS:
        same(name, y_true, y_score, average=average, sample_weight=weights)


def probabilities(draw, n, width):
    """Rows that sum to 1, in eighths, so that many are tied."""
    cuts = np.sort(draw(st.lists(st.integers(0, 8), min_size=n * (width - 1), max_size=n * (width - 1))))
    cuts = np.sort(np.array(cuts).reshape(n, width - 1), axis=1) / 8
    return np.diff(np.hstack([np.zeros((n, 1)), cuts, np.ones((n, 1))]), axis=1)


@EXAMPLES
@given(st.data())
def test_the_area_of_several_classes(data):
    n, width = data.draw(st.integers(1, 9)), data.draw(st.integers(2, 4))
    pool = data.draw(st.sampled_from([[0, 1, 2, 3], ["a", "b", "c", "d"], [1.0, 2.0, 3.0, 4.0]]))[:width]
    y_true = data.draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    given = {"average": data.draw(st.sampled_from([None, "micro", "macro", "weighted", "samples"]))}
    weights = data.draw(weights_of(n).map(lambda x: None if x is None else np.asarray(x)))
    labels = data.draw(st.sampled_from([None, pool, pool[::-1], pool[1:], np.array(pool)]))
    y_score = probabilities(data.draw, n, width)
    same("average_precision_score", y_true, y_score, sample_weight=weights, **given)
    given["multi_class"] = data.draw(st.sampled_from(["raise", "ovr", "ovo"]))
    same("roc_auc_score", y_true, y_score, sample_weight=weights, labels=labels, **given)


def same_losses(y_true, y_proba, names, *, sample_weight, **given):
    """The losses and how much they improve on constant predictions, these with whole weights: with others the share of
    a class that all items have is there not always 1, and dividing by the loss of a constant is dividing by rounding.
    """
    whole = None if sample_weight is None else np.ceil(sample_weight)
    for name in names:
        same(name, y_true, y_proba, sample_weight=whole if name.startswith("d2") else sample_weight, **given)


@EXAMPLES
@given(st.data())
def test_the_losses_of_probabilities_of_classes(data):
    n, width = data.draw(st.integers(1, 8)), data.draw(st.integers(2, 4))
    pool = data.draw(st.sampled_from([[0, 1, 2, 3], ["a", "b", "c", "d"], [1.0, 2.0, 3.0, 4.0], [-1, 1, 2, 3]]))[:width]
    y_true = data.draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    labels = data.draw(st.sampled_from([None, pool, pool[::-1], pool[1:], np.array(pool)]))
    given = {"sample_weight": data.draw(weights_of(n)), "labels": labels}
    y_proba = probabilities(data.draw, n, width) * data.draw(st.sampled_from([1, 1, 0.9, 2, -1]))
    y_proba = data.draw(st.sampled_from([np.array, list, lambda x: x[:, -1]]))(y_proba)
    same_losses(y_true, y_proba, LOSSES, **given)
    same("log_loss", y_true, y_proba, normalize=False, **given)
    same("brier_score_loss", y_true, y_proba, scale_by_half=data.draw(st.booleans()), **given)


@EXAMPLES
@given(scored())
def test_the_losses_of_probabilities_of_the_positive_class(data):
    y_true, y_score, weights, positive = data
    y_proba = np.clip(np.asarray(y_score, float), 0, 1)
    same_losses(y_true, y_proba, LOSSES[2:], sample_weight=weights, pos_label=positive)


@EXAMPLES
@given(st.data())
def test_the_losses_of_several_labels(data):
    n, width = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 4))
    y_true = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n * width, max_size=n * width))).reshape(n, width)
    y_proba = probabilities(data.draw, n, width)
    weights = data.draw(weights_of(n))
    same_losses(y_true, y_proba, LOSSES, sample_weight=weights)


@EXAMPLES
@given(st.data())
def test_the_ranking_of_several_labels(data):
    n, width = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 5))
    y_true = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n * width, max_size=n * width))).reshape(n, width)
    y_score = np.reshape(data.draw(scores_of(n * width)), (n, width))
    weights = data.draw(weights_of(n).filter(lambda x: x is None or any(x)))
    same("coverage_error", y_true, y_score, sample_weight=weights)
    held = data.draw(st.sampled_from([np.array, scipy.sparse.csr_array, scipy.sparse.csr_matrix]))(y_true)
    for name in ("label_ranking_average_precision_score", "label_ranking_loss"):
        same(name, held, y_score, sample_weight=weights)


@EXAMPLES
@given(st.data())
def test_decisions_between_classes(data):
    n, width = data.draw(st.integers(1, 8)), data.draw(st.integers(2, 4))
    pool = data.draw(st.sampled_from([[0, 1, 2, 3], ["a", "b", "c", "d"], [-1.0, 1.0, 3.0, 4.0]]))[:width]
    y_true = data.draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
    labels = data.draw(st.sampled_from([None, pool, pool[::-1], pool[1:], np.array(pool)]))
    scores = data.draw(scores_of(n) if width == 2 and data.draw(st.booleans()) else scores_of(n * width))
    scores = scores if len(scores) == n else np.reshape(scores, (n, width))
    weights = data.draw(weights_of(n).filter(lambda x: x is None or any(x)))
    same("hinge_loss", y_true, scores, labels=labels, sample_weight=weights)
    given = {"k": data.draw(st.integers(1, 4)), "normalize": data.draw(st.booleans())}
    same("top_k_accuracy_score", y_true, scores, labels=labels, sample_weight=weights, **given)


FAULTY = {
    "a number": 3,
    "a string": "abc",
    "nan": [0.0, np.nan, 1.0],
    "infinite": [0.0, np.inf, 1.0],
    "words": ["a", "b", "b"],
    "words and none": np.array(["a", None, "b"], dtype=object),
    "bytes": np.array([b"a", b"b", b"a"]),
    "complex": np.array([1j, 2j, 3j]),
    "two columns": [[1, 2], [3, 1], [2, 2]],
    "real columns": [[0.5, 2.0], [3.0, 1.0], [2.0, 2.0]],
    "three axes": np.zeros((3, 2, 2)),
    "too short": [0, 1],
    "real numbers": [0.5, 1.2, 3.0],
    "sparse": scipy.sparse.csr_array(np.array([[1], [0], [1]])),
    "none": None,
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("fault", FAULTY)
@pytest.mark.parametrize("name", OF_SCORES)
def test_an_array_that_is_faulty(name, fault):
    same(name, FAULTY[fault], [0.1, 0.5, 0.4])
    if fault in ("words", "bytes") and name in (*CURVES, "average_precision_score"):
        with pytest.raises(TypeError):  # there an accident of subtracting them
            getattr(ours, name)([0, 1, 1], FAULTY[fault])
    else:
        same(name, [0, 1, 1], FAULTY[fault])
    if "sample_weight" not in inspect.signature(getattr(ours, name)).parameters:
        return
    if fault in ("words", "bytes", "words and none"):
        with pytest.raises((TypeError, ValueError)):  # there some end in accidents of adding them
            getattr(ours, name)([0, 1, 1], [0.1, 0.5, 0.4], sample_weight=FAULTY[fault])
    else:
        same(name, [0, 1, 1], [0.1, 0.5, 0.4], sample_weight=FAULTY[fault])


@pytest.mark.parametrize("name", OF_SCORES)
def test_no_items(name):
    if name not in (*CURVES, "average_precision_score"):
        same(name, [], [])
        return
    with pytest.raises(ValueError, match=r"0 sample|takes value in \{\}"):  # there an accident of indexing
        getattr(ours, name)([], [])


@pytest.mark.parametrize("name", OF_SCORES)
def test_arguments_that_are_not_accepted(name):
    theirs = getattr(sklearn.metrics, name)
    for parameter in list(inspect.signature(theirs).parameters)[2:]:
        for value in ["nonsense", -1, -0.5, 0, 7.5, np.nan, None, object, 1 + 2j]:
            same(name, [0, 1, 1], [0.1, 0.5, 0.4], **{parameter: value})


@pytest.mark.parametrize("name", OF_SCORES)
def test_every_argument_has_the_same_name_kind_and_default(name):
    found, expected = (inspect.signature(getattr(module, name)).parameters for module in (ours, sklearn.metrics))
    assert [(x.name, x.kind, repr(x.default)) for x in found.values()] == [
        (x.name, x.kind, repr(x.default)) for x in expected.values()
    ]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("digits", [2, 12])
def test_many_items(dtype, digits):
    """So many that scores and classes are packed into one integer to be sorted."""
    rng = np.random.default_rng(digits)
    y_true = rng.integers(0, 2, 20_000)
    y_score = (rng.normal(size=20_000) + y_true).round(digits).astype(dtype)
    for name in CURVES + AREAS:
        same(name, y_true, y_score)
        same(name, y_true, y_score, sample_weight=rng.random(20_000))


def test_no_loss_improves_on_that_of_the_only_class():
    """There the share of the only class is sometimes less than 1 by rounding, and the value about −10³¹."""
    weights = [1.0, 3.9, 1.1140271685711922]
    with np.errstate(divide="ignore"):
        assert ours.d2_brier_score([1, 1, 1], [0.0, 0.0, 0.0], sample_weight=weights) == -np.inf


def test_the_area_of_perfect_scores_is_exactly_1():
    """Sums of rates used to exceed 1 by rounding in other libraries."""
    rng = np.random.default_rng(0)
    for n in (3, 7, 49, 4999):
        y_true = np.append([0, 1], rng.integers(0, 2, n))
        assert ours.roc_auc_score(y_true, y_true) == ours.average_precision_score(y_true, y_true) == 1
