"""imbalanced-learn: sensitivity, specificity and the geometric mean give the same numbers."""

from __future__ import annotations

import math

import imblearn.metrics
import pytest

import goodmeasure as gm
from tests.oracles.comparison import Disagreement, Row, check, close, every_row, quietly
from tests.oracles.examples import EXAMPLES, UNWEIGHTED, Example, binary, every_true_class, unweighted


def a_positive_label(example):
    return 1 in example.y_true + example.y_pred


# Undefined rates are 0 there (with a warning), which is our undefined=0.0.
TABLE = [
    Row("sensitivity_score", "recall", {"average": "binary"}, undefined=0.0, where=(binary,)),
    Row("sensitivity_score", "macro(recall, classes='all')", {"average": "macro"}, undefined=0.0),
    Row("sensitivity_score", "micro(recall)", {"average": "micro"}, undefined=0.0),
    Row("sensitivity_score", "weighted(recall)", {"average": "weighted"}, undefined=0.0),
    Row(
        "specificity_score",
        "specificity",
        {"average": "binary"},
        undefined=0.0,
        where=(binary, unweighted, a_positive_label),
    ),
    Row(
        "specificity_score",
        "macro(specificity, classes='all')",
        {"average": "macro"},
        undefined=0.0,
        where=(unweighted,),
    ),
    Row("specificity_score", "micro(specificity)", {"average": "micro"}, undefined=0.0, where=(unweighted,)),
    Row("specificity_score", "weighted(specificity)", {"average": "weighted"}, undefined=0.0, where=(unweighted,)),
    Row("geometric_mean_score", "g_mean", {"average": "multiclass"}, undefined=0.0),
    Row("geometric_mean_score", "g_mean", {"average": "multiclass"}, where=(every_true_class,)),
    Row("geometric_mean_score", "macro(recall, p=0, classes='all')", {"average": "multiclass"}, undefined=0.0),
    Row("geometric_mean_score", "macro(recall, p=0)", {"average": "multiclass"}, where=(every_true_class,)),
    Row("geometric_mean_score", "g_mean", {"average": "binary"}, undefined=0.0, where=(binary, unweighted)),
]

NEVER_TRUE = Example("2_never_true", 3, [0, 0, 1, 1], [0, 0, 1, 2])
BOTH_NEGATIVE = Example("both_negative", 2, [0, 0, 0], [0, 0, 0])
DOUBLED = Example("every_item_twice", 2, [0, 0, 1, 1], [0, 1, 1, 0], [2.0, 2.0, 2.0, 2.0])
# The labels of PEERS.md on which "G-mean" is three numbers: recalls 1/2, 1, 2/3 and specificities 3/4, 4/5, 1.
THREE_MEANS = Example("three_g_means", 3, [0, 0, 1, 2, 2, 2], [0, 1, 1, 2, 2, 0])

DISAGREEMENTS = [
    Disagreement(
        Row("geometric_mean_score", "g_mean"),
        NEVER_TRUE,
        0.0,
        math.sqrt(1 / 2),
        "a class that is never true makes the mean 0; ours leaves it out",
    ),
    Disagreement(
        Row("sensitivity_score", "macro(recall)", {"average": "macro"}),
        NEVER_TRUE,
        1 / 2,
        3 / 4,
        "a class that is never true counts as 0; ours leaves it out",
    ),
    Disagreement(
        Row("sensitivity_score", "recall"), BOTH_NEGATIVE, 0.0, math.nan, "recall without positive items is 0/0"
    ),
    Disagreement(
        Row("specificity_score", "specificity"),
        BOTH_NEGATIVE,
        0.0,
        1.0,
        "where no label is positive everything is 0, though all three negatives are recognised",
    ),
    Disagreement(
        Row("specificity_score", "specificity"),
        DOUBLED,
        0.0,
        1 / 2,
        "true negatives are taken from the number of items, not from the sum of the weights",
    ),
    Disagreement(
        Row("geometric_mean_score", "macro(g_mean)", {"average": "macro"}),
        THREE_MEANS,
        math.sqrt((1 / 2 + 1 + 2 / 3) / 3 * (3 / 4 + 4 / 5 + 1) / 3),
        (math.sqrt(1 / 2 * 3 / 4) + math.sqrt(4 / 5) + math.sqrt(2 / 3)) / 3,
        "the root of the two averages, not the average of the roots",
    ),
]


def theirs(row, example):
    function = getattr(imblearn.metrics, row.peer)
    options = {"labels": example.labels, "sample_weight": example.weight, **row.arguments}
    return quietly(function, example.y_true, example.y_pred, **options)


def ours(row, example):
    return row.measured(example.y_true, example.y_pred, labels=example.labels, sample_weight=example.weight)


@every_row(TABLE)
def test_a_measure_equals_its_namesake(row):
    for example in row.examples_of(EXAMPLES):
        assert ours(row, example) == close(theirs(row, example)), example


@pytest.mark.parametrize("row", TABLE, ids=repr)
def test_a_row_of_the_table_is_compared_on_enough_examples(row):
    assert len(row.examples_of(EXAMPLES)) >= 8


@pytest.mark.parametrize("known", DISAGREEMENTS, ids=repr)
def test_a_known_disagreement_is_one(known):
    check(known, theirs, ours)


@pytest.mark.parametrize("example", UNWEIGHTED, ids=repr)
def test_measures_of_single_classes_equal_those_without_an_average(example):
    *expected, support = quietly(
        imblearn.metrics.sensitivity_specificity_support, example.y_true, example.y_pred, labels=example.labels
    )
    for name, values in zip(("recall", "specificity"), expected, strict=True):
        measured = [gm.measure(name)(example.cm.vs_rest(x), undefined=0.0) for x in example.labels]
        assert measured == close(values.tolist())
    assert example.cm.a.tolist() == support.tolist()


@pytest.mark.parametrize("example", UNWEIGHTED, ids=repr)
def test_the_geometric_mean_of_single_classes_is_that_against_the_rest(example):
    expected = quietly(
        imblearn.metrics.geometric_mean_score, example.y_true, example.y_pred, labels=example.labels, average=None
    )
    measured = [gm.g_mean(example.cm.vs_rest(x), undefined=0.0) for x in example.labels]
    assert measured == close(expected.tolist())


@pytest.mark.parametrize("example", [x for x in UNWEIGHTED if binary(x) and a_positive_label(x)], ids=repr)
@pytest.mark.parametrize("alpha", [0.1, 1])
def test_the_index_of_balanced_accuracy_is_that_of_the_geometric_mean(alpha, example):
    weighed = imblearn.metrics.make_index_balanced_accuracy(alpha=alpha, squared=True)
    expected = quietly(
        weighed(imblearn.metrics.geometric_mean_score), example.y_true, example.y_pred, average="binary", labels=[0, 1]
    )
    assert gm.index_of_balanced_accuracy(alpha)(example.cm, undefined=0.0) == close(expected)


def only_true_classes(example):
    """A class that is predicted but never true is an error there, and so is one whose items weigh nothing."""
    return set(example.y_pred) <= set(example.y_true) and (example.weight is None or min(example.weight) > 0)


@pytest.mark.parametrize("example", [x for x in EXAMPLES if only_true_classes(x)], ids=repr)
def test_the_macro_averaged_absolute_error_is_theirs(example):
    expected = quietly(
        imblearn.metrics.macro_averaged_mean_absolute_error,
        example.y_true,
        example.y_pred,
        sample_weight=example.weight,
    )
    assert gm.macro_absolute_error(example.cm) == close(expected)
