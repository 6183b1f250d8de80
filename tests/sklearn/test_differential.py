"""Whatever comes in, our functions and scikit-learn's come to the same result, warnings and errors."""

import inspect
import itertools
from functools import cache

import numpy as np
import pytest
import scipy.sparse
import sklearn.metrics
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import goodmeasure.sklearn as ours
from tests.sklearn.outcomes import SAME_VERSION, assert_same
from tests.sklearn.theirs import OF_LABELS

EXAMPLES = settings(max_examples=40, deadline=None)

POOLS = {
    "integers": [0, 1, 2, 3],
    "from one": [1, 2],
    "negative": [-3, -1, 1, 10**6],
    "far apart": [-(10**12), 5, 10**15],
    "booleans": [False, True],
    "whole floats": [0.0, 1.0, 2.0],
    "words": ["ham", "spam", "eggs", "é"],
    "two words": ["no", "yes"],
}
KINDS = {
    "integers": ["list", "int8", "uint8", "int32", "int64", "uint64", "float64", "column"],
    "from one": ["list", "int64", "float32", "column"],
    "negative": ["list", "int32", "int64", "float64"],
    "far apart": ["list", "int64", "float64"],
    "booleans": ["list", "bool", "int64", "float64"],
    "whole floats": ["list", "float64", "float32"],
    "words": ["list", "str", "object", "column"],
    "two words": ["list", "str", "object"],
}
UNSEEN = {"words": ["bread"], "two words": ["maybe"]}

VALUES = {
    "average": st.sampled_from([None, "binary", "micro", "macro", "weighted", "samples"]),
    "zero_division": st.sampled_from(["warn", 0, 1, 0.0, 1.0, np.nan]),
    "beta": st.sampled_from([0, 0.5, 1, 2, 3.7, np.inf]),
    "normalize": st.booleans(),
    "adjusted": st.booleans(),
    "samplewise": st.booleans(),
    "output_dict": st.booleans(),
    "digits": st.integers(0, 5),
    "weights": st.sampled_from([None, "linear", "quadratic"]),
    "warn_for": st.sampled_from([("precision", "recall", "f-score"), ["recall"], set(), ("f-score",)]),
}


@st.composite
def labelled(draw):
    """True and predicted labels of one pool, in some container, with the pool."""
    kind = draw(st.sampled_from(list(POOLS)))
    pool = draw(st.lists(st.sampled_from(POOLS[kind]), min_size=1, unique=True))
    n = draw(st.integers(1, 12))
    containers = st.sampled_from(KINDS[kind])
    y_true, y_pred = (
        _held(draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n)), draw(containers)) for _ in range(2)
    )
    return y_true, y_pred, POOLS[kind] + UNSEEN.get(kind, [99])


def _held(values, container):
    if container == "list":
        return values
    if container == "column":
        return np.array(values).reshape(-1, 1)
    return np.array(values, dtype=container)


@cache  # to build and check a strategy takes longer than to draw from it
def weights_for(n):
    """No weights, whole ones, or real ones, of which some may be zero."""
    whole = st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any)
    real = st.lists(st.just(0.0) | st.floats(0.01, 5), min_size=n, max_size=n).filter(any)
    return st.none() | whole | whole.map(np.array) | real.map(np.array) | real.map(lambda x: np.array(x, np.float32))


def arguments_of(draw, name, pool, n):
    """Some of the function's arguments, each with a value that it takes."""
    chosen = {}
    for parameter in inspect.signature(getattr(ours, name)).parameters:
        if parameter in ("y_true", "y_pred", "y1", "y2") or not (parameter == "beta" or draw(st.booleans())):
            continue
        if parameter == "sample_weight":
            chosen[parameter] = draw(weights_for(n))
        elif parameter == "labels":
            chosen[parameter] = draw(st.none() | st.lists(st.sampled_from(pool), min_size=1, max_size=4))
        elif parameter == "pos_label":
            chosen[parameter] = draw(st.sampled_from([*pool, None, 1]))
        elif parameter == "target_names":
            chosen[parameter] = draw(st.none() | st.lists(st.text("xyz", min_size=1), min_size=1, max_size=5))
        elif parameter == "replace_undefined_by":
            chosen[parameter] = draw(_replacements(name))
        elif name == "confusion_matrix" and parameter == "normalize":
            chosen[parameter] = draw(st.sampled_from(["true", "pred", "all", None]))
        else:
            chosen[parameter] = draw(VALUES[parameter])
    return chosen


def _replacements(name):
    if name == "cohen_kappa_score":
        return st.sampled_from([0.0, -1.0, 1, np.nan, 2.0])
    return st.sampled_from([1.0, np.nan, {"LR+": 2.0, "LR-": 0.5}, {"LR+": 0.5, "LR-": 0.5}, {"LR+": np.nan}])


@pytest.mark.parametrize("name", OF_LABELS)
@EXAMPLES
@given(st.data())
def test_one_label_for_each_item(name, data):
    y_true, y_pred, pool = data.draw(labelled())
    arguments = arguments_of(data.draw, name, pool, len(y_true))
    assert_same(getattr(ours, name), getattr(sklearn.metrics, name), y_true, y_pred, **arguments)


@cache
def indicators(n, width):
    """A set of labels for each item, dense or sparse."""
    cells = st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=n, max_size=n)
    containers = [list, np.array, lambda x: np.array(x, float), lambda x: np.array(x, bool)]
    sparse = [scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array, scipy.sparse.lil_matrix]
    return st.tuples(cells, st.sampled_from(containers + sparse)).map(lambda x: x[1](x[0]))


@pytest.mark.parametrize("name", OF_LABELS)
@EXAMPLES
@given(st.data())
def test_a_set_of_labels_for_each_item(name, data):
    n, width = data.draw(st.integers(1, 6)), data.draw(st.integers(2, 4))
    y_true, y_pred = data.draw(indicators(n, width)), data.draw(indicators(n, width))
    arguments = arguments_of(data.draw, name, [*range(width), 1], n)
    assert_same(getattr(ours, name), getattr(sklearn.metrics, name), y_true, y_pred, **arguments)


FITTING = {
    "numbers": [0, 1, 1],
    "three numbers": [0, 1, 2],
    "words": ["a", "b", "b"],
    "sets": np.array([[0, 1], [1, 0], [1, 1]]),
    "sparse sets": scipy.sparse.csr_array(np.array([[0, 1], [1, 0], [1, 1]])),
    "wider sets": np.array([[0, 1, 0], [1, 0, 0], [1, 1, 0]]),
}
FAULTY = {
    "empty": [],
    "none": None,
    "a number": 3,
    "a string": "abc",
    "a set": {1, 2, 3},
    "scalar array": np.array(1),
    "real numbers": [0.5, 1.2, 3.0],
    "nan": [0.0, np.nan, 1.0],
    "infinite": [0.0, np.inf, 1.0],
    "objects": [object(), object(), object()],
    "words and none": np.array(["a", None, "b"], dtype=object),
    "bytes": np.array([b"a", b"b", b"a"]),
    "complex": np.array([1j, 2j, 3j]),
    "sequences": [[1], [1, 2], []],
    "two columns": [[1, 2], [3, 1], [2, 2]],
    "real columns": [[0.5, 2.0], [3.0, 1.0], [2.0, 2.0]],
    "three axes": np.zeros((3, 2, 2)),
    "a sparse column": scipy.sparse.csr_array(np.array([[1], [0], [1]])),
}
THROUGH_A_MATRIX = {"balanced_accuracy_score", "cohen_kappa_score", "confusion_matrix"}
"""There these look at each target alone first, so that some of their messages name another fault of the same input."""
TOLD_OTHERWISE = {"a set", "empty", "scalar array", "sequences", "three axes"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", OF_LABELS)
def test_targets_that_do_not_fit_together(name):
    for y_true, y_pred in itertools.product(FITTING.values(), repeat=2):
        assert_same(getattr(ours, name), getattr(sklearn.metrics, name), y_true, y_pred, **needed(name))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("fault", FAULTY)
@pytest.mark.parametrize("name", OF_LABELS)
def test_a_target_that_is_faulty(name, fault):
    for targets in ((FAULTY[fault], [0, 1, 1]), ([0, 1, 1], FAULTY[fault]), (FAULTY[fault], FAULTY[fault])):
        if name in THROUGH_A_MATRIX and fault in TOLD_OTHERWISE:
            with pytest.raises((ValueError, TypeError)):
                getattr(ours, name)(*targets)
        else:
            assert_same(getattr(ours, name), getattr(sklearn.metrics, name), *targets, **needed(name))


@pytest.mark.parametrize("name", OF_LABELS)
def test_two_faulty_targets_are_refused(name):
    for y_true, y_pred in itertools.product(FAULTY.values(), repeat=2):
        with pytest.raises((ValueError, TypeError)):
            getattr(ours, name)(y_true, y_pred, **needed(name))


@pytest.mark.parametrize("name", OF_LABELS)
def test_targets_of_different_lengths(name):
    message = r"Found input variables with inconsistent numbers of samples: \[3, 4"
    for module in (ours, sklearn.metrics):
        with pytest.raises(ValueError, match=message):
            getattr(module, name)([0, 1, 1], [0, 1, 1, 0], **needed(name))


@pytest.mark.parametrize("name", OF_LABELS)
def test_no_labels_at_all(name):
    if "labels" in inspect.signature(getattr(ours, name)).parameters:
        given = {**needed(name), "labels": []}
        assert_same(getattr(ours, name), getattr(sklearn.metrics, name), [0, 1, 1], [0, 1, 0], **given)


def needed(name):
    """The arguments without which a function does not run."""
    return {"beta": 2} if name == "fbeta_score" else {}


@pytest.mark.parametrize("name", OF_LABELS)
def test_arguments_that_are_not_accepted(name):
    theirs = getattr(sklearn.metrics, name)
    wrong = ["nonsense", -1, -0.5, 7.5, np.nan, None, object, 1 + 2j]
    for parameter in inspect.signature(theirs).parameters:
        for value in wrong:
            targets = [value, value] if parameter in ("y_true", "y_pred", "y1", "y2") else [[0, 1], [1, 1]]
            chosen = needed(name) if targets[0] is value else {**needed(name), parameter: value}
            assert_same(getattr(ours, name), theirs, *targets, **chosen)


@pytest.mark.parametrize(
    "weights",
    [[1, 2], [1.0, np.nan, 2.0], [1.0, np.inf, 2.0], [0, 0, 0], [[1], [2], [3]], [1, -1, 2], [-1.0, 0.5, 2.0]],
    ids=str,
)
@pytest.mark.parametrize("name", OF_LABELS)
def test_weights_that_are_strange(name, weights):
    given = {**needed(name), "sample_weight": weights}
    assert_same(getattr(ours, name), getattr(sklearn.metrics, name), [0, 1, 1], [0, 1, 0], **given)


@pytest.mark.skipif(not SAME_VERSION, reason="the arguments are those of scikit-learn 1.9")
@pytest.mark.parametrize("name", OF_LABELS)
def test_every_argument_has_the_same_name_kind_and_default(name):
    found, expected = (inspect.signature(getattr(module, name)).parameters for module in (ours, sklearn.metrics))
    assert [(x.name, x.kind, repr(x.default)) for x in found.values()] == [
        (x.name, x.kind, repr(x.default)) for x in expected.values()
    ]


@settings(max_examples=9, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([2, 30, 2000]), st.sampled_from([1, 101, 10**9]))
def test_many_items(seed, m, step):
    """So many that they are counted in several blocks, far apart, or in so many classes that no matrix is made."""
    rng = np.random.default_rng(seed)
    y_true, y_pred = (rng.integers(0, m, (2, 100_000)) - 7) * step
    weights = rng.random(100_000)
    assume(m < 2000 or len(np.unique(y_true)) > 1100)
    for name in ("f1_score", "jaccard_score", "accuracy_score"):
        arguments = {} if name == "accuracy_score" else {"average": "macro"}
        for w in (None, weights):
            assert_same(
                getattr(ours, name), getattr(sklearn.metrics, name), y_true, y_pred, sample_weight=w, **arguments
            )
