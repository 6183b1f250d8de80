"""scikit-learn: the same numbers wherever it defines them, and the known places where it does not."""

from __future__ import annotations

import inspect
import math

import pytest
import sklearn.metrics
from sklearn.metrics import confusion_matrix, multilabel_confusion_matrix, precision_recall_fscore_support

import goodmeasure as gm
from tests.oracles.comparison import Disagreement, Row, check, close, every_row, quietly
from tests.oracles.examples import (
    EXAMPLES,
    UNWEIGHTED,
    WEIGHTED,
    Example,
    binary,
    every_class,
    every_class_occurs,
    every_true_class,
    pairs_exist,
    true_predicted,
    unweighted,
)


def averages(peer, ours, **arguments):
    """One function with each average; zero_division=0 or 1 is our `undefined=` everywhere.

    These formulas have one division for each class, so replacing the term (here) and the class (there) is the same;
    likelihood ratios have three, and there it is not (see below). Macro is over all labels that are named, whether they
    occur or not; micro is never 0/0, weighted drops a_i = 0 in both.
    """
    for number in (0.0, 1.0):
        chosen = {**arguments, "zero_division": number}
        yield Row(peer, ours, {**chosen, "average": "binary"}, undefined=number, where=(binary,))
        for average in ("macro", "micro", "weighted"):
            name = f"macro({ours}, classes='all')" if average == "macro" else f"{average}({ours})"
            yield Row(peer, name, {**chosen, "average": average}, undefined=number)


TABLE = [
    Row("accuracy_score", "accuracy"),
    Row("zero_one_loss", "zero_one_loss"),
    Row("hamming_loss", "hamming_loss"),
    Row("balanced_accuracy_score", "macro(recall)"),
    Row("balanced_accuracy_score", "balanced_accuracy", where=(every_true_class,)),
    Row("balanced_accuracy_score", "calibrated(accuracy)", where=(every_true_class,)),
    Row("balanced_accuracy_score", "k", {"adjusted": True}, where=(every_true_class,)),
    Row("roc_auc_score", "balanced_accuracy", where=(binary, every_true_class)),
    Row("matthews_corrcoef", "mcc", undefined=0.0),
    Row("cohen_kappa_score", "kappa", {"replace_undefined_by": 1.0}),
    Row("cohen_kappa_score", "kappa", undefined="nan"),
    Row("cohen_kappa_score", "kappa", {"replace_undefined_by": -0.5}, undefined=-0.5),
    Row("cohen_kappa_score", "weighted_kappa('linear')", {"weights": "linear", "replace_undefined_by": 1.0}),
    Row("cohen_kappa_score", "weighted_kappa('quadratic')", {"weights": "quadratic", "replace_undefined_by": 1.0}),
    Row("cohen_kappa_score", "weighted_kappa('linear')", {"weights": "linear"}, undefined="nan"),
    *averages("precision_score", "precision"),
    *averages("recall_score", "recall"),
    *averages("f1_score", "f1"),
    *averages("fbeta_score", "fbeta(2)", beta=2),
    *averages("fbeta_score", "fbeta(0.5)", beta=0.5),
    *averages("jaccard_score", "jaccard"),
    # zero_division=nan leaves undefined classes out of the mean: what "resolve" does for measures without a rule, but
    # where a class has true items and is never predicted, which counts as the worst value
    Row("precision_score", "macro(precision)", {"average": "macro", "zero_division": 0.0}, where=(every_class_occurs,)),
    Row(
        "precision_score", "macro(precision)", {"average": "macro", "zero_division": math.nan}, where=(true_predicted,)
    ),
    Row("f1_score", "macro(f1)", {"average": "macro", "zero_division": math.nan}),
    Row("f1_score", "macro(f1)", {"average": "macro", "zero_division": math.nan}, undefined="nan"),
    Row("recall_score", "macro(recall)", {"average": "macro", "zero_division": math.nan}),
    Row("precision_score", "precision", {"zero_division": math.nan}, where=(binary,)),
    Row("recall_score", "specificity", {"pos_label": 0, "zero_division": math.nan}, where=(binary,)),
    Row("precision_score", "npv", {"pos_label": 0, "zero_division": math.nan}, where=(binary,)),
    Row("mutual_info_score", "mutual_information", where=(unweighted,)),
    *(
        Row("normalized_mutual_info_score", f"nmi('{x}')", {"average_method": x}, where=(unweighted,))
        for x in ("arithmetic", "geometric", "min", "max")
    ),
    Row("v_measure_score", "nmi('arithmetic')", where=(unweighted,)),
]

# Our measures of gm.pair_confusion, which counts each pair of items once.
PAIR_TABLE = [
    Row("rand_score", "accuracy", where=(pairs_exist,)),
    Row("adjusted_rand_score", "kappa", where=(pairs_exist,)),
    Row("fowlkes_mallows_score", "ochiai", undefined=0.0, where=(pairs_exist,)),
]

BOTH_POSITIVE = Example("both_positive", 2, [1, 1, 1], [1, 1, 1])
BOTH_NEGATIVE = Example("both_negative", 2, [0, 0, 0], [0, 0, 0])
OPPOSITE = Example("opposite_constants", 2, [0, 0, 0], [1, 1, 1])
ONLY_TRUE_1 = Example("only_1_true", 2, [1, 1, 1], [1, 1, 0])
THIRD_IN_NEITHER = Example("third_class_in_neither", 3, [0, 0, 1, 1], [0, 0, 1, 0])
THIRD_NEVER_TRUE = Example("third_class_never_true", 3, [0, 0, 1, 1], [0, 0, 1, 2])
NEVER_PREDICTED = Example("1_never_predicted", 2, [0, 0, 0, 1], [0, 0, 0, 0])
ONE_CLASS = Example("one_class", 1, [0, 0], [0, 0])

DISAGREEMENTS = [
    Disagreement(
        Row("matthews_corrcoef", "mcc"),
        BOTH_POSITIVE,
        0.0,
        1.0,
        "any constant labeling gives 0, even perfect agreement",
    ),
    Disagreement(
        Row("matthews_corrcoef", "mcc"), OPPOSITE, 0.0, -1.0, "any constant labeling gives 0, even full disagreement"
    ),
    Disagreement(Row("cohen_kappa_score", "kappa"), BOTH_POSITIVE, math.nan, 1.0, "0/0 is NaN unless replaced"),
    Disagreement(
        Row("balanced_accuracy_score", "balanced_accuracy"),
        ONLY_TRUE_1,
        2 / 3,
        1 / 2,
        "a class that is predicted but never true is dropped; ours takes its predicted share instead",
    ),
    Disagreement(
        Row("balanced_accuracy_score", "k", {"adjusted": True}),
        ONLY_TRUE_1,
        -math.inf,
        1 / 3,
        "chance is 1 over the number of true classes, here 1/1; k keeps the number of classes",
    ),
    Disagreement(
        Row("balanced_accuracy_score", "k", {"adjusted": True}),
        THIRD_IN_NEITHER,
        0.5,
        0.625,
        "only classes that occur count as classes; k keeps the named one",
    ),
    Disagreement(
        Row("f1_score", "f1", {"zero_division": "warn"}), BOTH_NEGATIVE, 0.0, 1.0, "two empty sets agree, so f1 is 1"
    ),
    Disagreement(
        Row("jaccard_score", "jaccard", {"zero_division": "warn"}), BOTH_NEGATIVE, 0.0, 1.0, "two empty sets agree"
    ),
    Disagreement(
        Row("f1_score", "macro(f1)", {"average": "macro"}),
        THIRD_IN_NEITHER,
        22 / 45,
        11 / 15,
        "a class in neither labeling counts as 0, ours leaves it out",
    ),
    Disagreement(
        Row("f1_score", "macro(f1)", {"average": "macro"}, undefined=0.0),
        THIRD_IN_NEITHER,
        22 / 45,
        11 / 15,
        "a class in neither labeling is no class of the mean, whatever replaces undefined terms",
    ),
    Disagreement(
        Row("recall_score", "macro(recall)", {"average": "macro", "zero_division": math.nan}, undefined="nan"),
        THIRD_NEVER_TRUE,
        3 / 4,
        math.nan,
        "zero_division=nan leaves NaN classes out of the mean, ours keeps NaN",
    ),
    Disagreement(
        Row("precision_score", "macro(precision)", {"average": "macro", "zero_division": math.nan}),
        NEVER_PREDICTED,
        0.75,
        0.375,
        "zero_division=nan leaves a class without predictions out, ours counts it as 0",
    ),
    Disagreement(
        Row("precision_score", "weighted(precision)", {"average": "weighted", "zero_division": math.nan}),
        NEVER_PREDICTED,
        0.75,
        0.5625,
        "zero_division=nan leaves the class and its weight out, ours counts it as 0: 3/4 · 3/4",
    ),
    Disagreement(
        Row("fowlkes_mallows_score", "ochiai"),
        Example("all_apart", 3, [0, 1, 2], [2, 0, 1]),
        0.0,
        1.0,
        "no pair is together in either clustering: two empty sets agree",
    ),
    Disagreement(
        Row("fowlkes_mallows_score", "ochiai"),
        Example("one_all_apart", 3, [0, 1, 2], [0, 0, 1]),
        0.0,
        math.nan,
        "TP/√(AP·PP) with AP = 0 is 0/0 for us",
    ),
    Disagreement(
        Row("rand_score", "accuracy"), Example("one_item", 2, [0], [0]), 1.0, ValueError, "one item makes no pair"
    ),
    Disagreement(
        Row("mutual_info_score", "mutual_information"), ONE_CLASS, 0.0, math.nan, "one class in all is undefined for us"
    ),
    Disagreement(
        Row("normalized_mutual_info_score", "nmi('arithmetic')"),
        ONE_CLASS,
        1.0,
        math.nan,
        "one class in all is undefined",
    ),
    Disagreement(
        Row("f1_score", "macro(f1)", {"average": "macro"}), ONE_CLASS, 1.0, math.nan, "one class in all is undefined"
    ),
]

LIKELIHOOD_RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")


def theirs(row, example):
    """The peer's value, with the labels and weights of the example where the function takes them."""
    function = getattr(sklearn.metrics, row.peer)
    known = inspect.signature(function).parameters
    given = {"sample_weight": example.weight, "labels": example.labels}
    options = {name: value for name, value in given.items() if name in known}
    return quietly(function, example.y_true, example.y_pred, **options, **row.arguments)


def ours(row, example):
    if row.peer in {x.peer for x in PAIR_TABLE}:
        return row.measured(gm.pair_confusion(example.y_true, example.y_pred))
    return row.measured(example.y_true, example.y_pred, labels=example.labels, sample_weight=example.weight)


@every_row(TABLE)
def test_a_measure_equals_its_namesake(row):
    for example in row.examples_of(EXAMPLES):
        assert ours(row, example) == close(theirs(row, example)), example


@every_row(PAIR_TABLE)
def test_a_measure_of_pairs_equals_the_cluster_similarity(row):
    for example in row.examples_of(UNWEIGHTED):
        assert ours(row, example) == close(theirs(row, example)), example


@pytest.mark.parametrize("row", [*TABLE, *PAIR_TABLE], ids=repr)
def test_a_row_of_the_table_is_compared_on_enough_examples(row):
    assert len(row.examples_of(EXAMPLES)) >= 8


@pytest.mark.parametrize("known", DISAGREEMENTS, ids=repr)
def test_a_known_disagreement_is_one(known):
    check(known, theirs, ours)


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_counts_equal_the_confusion_matrix(example):
    expected = quietly(
        confusion_matrix, example.y_true, example.y_pred, labels=example.labels, sample_weight=example.weight
    )
    assert example.cm.counts == close(expected)


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_classes_against_the_rest_equal_the_multilabel_confusion_matrix(example):
    expected = multilabel_confusion_matrix(
        example.y_true, example.y_pred, labels=example.labels, sample_weight=example.weight
    )
    for label, matrix in zip(example.labels, expected, strict=True):
        assert example.cm.vs_rest(label).counts == close(matrix)


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_measures_of_single_classes_equal_those_without_an_average(example):
    *expected, support = precision_recall_fscore_support(
        example.y_true,
        example.y_pred,
        labels=example.labels,
        sample_weight=example.weight,
        beta=2,
        zero_division=math.nan,
    )
    for name, values in zip(("precision", "recall", "fbeta(2)"), expected, strict=True):
        measured = [gm.measure(name)(example.cm.vs_rest(x), undefined="nan") for x in example.labels]
        assert measured == close(values.tolist())
    assert example.cm.a == close(support)


@pytest.mark.parametrize("example", [x for x in UNWEIGHTED if pairs_exist(x)], ids=repr)
def test_ordered_pairs_are_exactly_twice_our_pairs(example):
    expected = sklearn.metrics.cluster.pair_confusion_matrix(example.y_true, example.y_pred)
    assert (2 * gm.pair_confusion(example.y_true, example.y_pred).counts == expected).all()


@pytest.mark.parametrize("example", [x for x in EXAMPLES if binary(x)], ids=repr)
def test_likelihood_ratios_are_undefined_in_the_same_places(example):
    expected = quietly(
        sklearn.metrics.class_likelihood_ratios,
        example.y_true,
        example.y_pred,
        labels=example.labels,
        sample_weight=example.weight,
    )
    assert [gm.measure(name)(example.cm) for name in LIKELIHOOD_RATIOS] == close(list(expected))


@pytest.mark.parametrize("example", [x for x in EXAMPLES if every_class(x)], ids=repr)
def test_symmetric_balanced_accuracy_is_the_mean_of_both_directions(example):
    score = sklearn.metrics.balanced_accuracy_score
    there = quietly(score, example.y_true, example.y_pred, sample_weight=example.weight)
    back = quietly(score, example.y_pred, example.y_true, sample_weight=example.weight)
    assert gm.sba(example.cm) == close((there + back) / 2)


def test_a_likelihood_ratio_is_replaced_as_a_whole_there_and_term_by_term_here():
    """Without negative items FPR is 0/0: there the ratio becomes 1; here FPR becomes 1, so the ratio is TPR."""
    y_true, y_pred = [1, 1, 1, 1], [0, 1, 1, 1]
    theirs, _ = quietly(
        sklearn.metrics.class_likelihood_ratios, y_true, y_pred, labels=[0, 1], replace_undefined_by=1.0
    )
    assert theirs == 1.0
    assert gm.positive_likelihood_ratio(y_true, y_pred, labels=[0, 1], undefined=1.0) == 0.75


def test_mcc_of_very_unequal_weights_is_right_here_and_cancels_there():
    """Theirs has n² − Σ a_i², which loses what differs; ours is Σ a_i (n − a_i), the same without cancellation."""
    y_true, y_pred, weights = [0, 0, 1], [0, 1, 1], [10**k + 1 for k in range(7, 13)]
    errors = []
    for w in weights:
        exact = float(gm.mcc.exact([[w, 1], [0, 1]]))
        errors.append(abs(sklearn.metrics.matthews_corrcoef(y_true, y_pred, sample_weight=[w, 1, 1]) - exact))
        assert gm.mcc(y_true, y_pred, sample_weight=[w, 1, 1]) == pytest.approx(exact, rel=1e-15)
    assert max(errors) > 1e-10


def test_a_positive_class_can_be_named():
    y_true, y_pred = ["ham", "spam", "spam", "ham", "ham"], ["ham", "spam", "ham", "ham", "spam"]
    for label in ("ham", "spam"):
        expected = sklearn.metrics.f1_score(y_true, y_pred, pos_label=label)
        assert gm.f1(y_true, y_pred, positive=label) == close(expected)


def test_weights_change_every_compared_measure():
    """So that a measure which ignored its weights could not pass."""
    example = next(x for x in WEIGHTED if x.name == "binary_fractional")
    for row in TABLE:
        if unweighted not in row.where:
            assert ours(row, example) != close(row.measured(example.y_true, example.y_pred))
