"""SciPy: odds ratio, Somers' d, correlations, boolean distances, entropies and power means give the same numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import distance
from scipy.stats import contingency

import goodmeasure as gm
from tests.oracles.comparison import Disagreement, Row, check, close, every_row, quietly
from tests.oracles.examples import (
    EXAMPLES,
    UNWEIGHTED,
    Example,
    binary,
    every_class,
    every_true_class,
    no_zero_cell,
    pairs_exist,
    unweighted,
)


def some_positive(example):
    return 1 in example.y_true + example.y_pred


def one_varies(example):
    return np.count_nonzero(example.cm.a) > 1 or np.count_nonzero(example.cm.b) > 1


def associated(example):
    return every_class(example) and abs(gm.mcc(example.cm)) > 1e-3


def whole_counts(example):
    return bool((example.cm.counts == np.rint(example.cm.counts)).all())


# A distance of scipy.spatial.distance is 1 − our similarity; it takes the weights of the items as w.
DISTANCE_TABLE = [
    Row("dice", "f1", undefined="nan"),
    Row("dice", "f1", where=(some_positive,)),
    Row("jaccard", "jaccard"),
    Row("rogerstanimoto", "rogers_tanimoto"),
    Row("russellrao", "russell_rao"),
    Row("sokalsneath", "sokal_sneath_2", where=(some_positive,)),
    Row("yule", "yule_q", undefined=1.0),
    Row("hamming", "accuracy"),
    Row("cosine", "ochiai", undefined="nan"),
    Row("correlation", "mcc", undefined="nan"),
]

# Functions of the two label vectors: for two classes each of them is the phi coefficient.
CORRELATION_TABLE = [
    Row("pearsonr", "mcc", undefined="nan", where=(pairs_exist,)),
    Row("spearmanr", "mcc", undefined="nan", where=(pairs_exist,)),
    Row("kendalltau", "mcc", undefined="nan", where=(pairs_exist,)),
]

# Functions of the matrix, rows true: somersd(counts) is the d of the columns, so of the prediction.
COUNTS = {
    "odds_ratio": lambda x: contingency.odds_ratio(x.astype(int), kind="sample").statistic,
    "fisher_exact": lambda x: stats.fisher_exact(x.astype(int)).statistic,
    "somersd": lambda x: stats.somersd(x).statistic,
    "somersd of the transpose": lambda x: stats.somersd(x.T).statistic,
    "harmonic mean of both somersd": lambda x: 2 / (1 / stats.somersd(x).statistic + 1 / stats.somersd(x.T).statistic),
    "association": lambda x: contingency.association(x.astype(int), method="cramer"),
    "root of chi2_contingency / n": lambda x: math.sqrt(
        stats.chi2_contingency(x, correction=False).statistic / x.sum()
    ),
    "G test / 2n": lambda x: (
        stats.chi2_contingency(x, correction=False, lambda_="log-likelihood").statistic / (2 * x.sum())
    ),
    "entropy of both from independence": lambda x: stats.entropy(x.ravel(), np.outer(x.sum(1), x.sum(0)).ravel()),
    "2 entropy of both − entropies": lambda x: (
        2 * stats.entropy(x.ravel()) - stats.entropy(x.sum(1)) - stats.entropy(x.sum(0))
    ),
    "information / entropy of both": lambda x: (
        stats.entropy(x.ravel(), np.outer(x.sum(1), x.sum(0)).ravel()) / stats.entropy(x.ravel())
    ),
    "information / mean entropy": lambda x: (
        stats.entropy(x.ravel(), np.outer(x.sum(1), x.sum(0)).ravel())
        / np.mean([stats.entropy(x.sum(1)), stats.entropy(x.sum(0))])
    ),
    "gmean of recalls": lambda x: stats.gmean(x.diagonal() / x.sum(1)),
    "hmean of recalls": lambda x: stats.hmean(x.diagonal() / x.sum(1)),
    "pmean(2) of recalls": lambda x: stats.pmean(x.diagonal() / x.sum(1), 2),
    "pmean(-2) of recalls": lambda x: stats.pmean(x.diagonal() / x.sum(1), -2),
    "hmean of four rates": lambda x: stats.hmean([*(x.diagonal() / x.sum(1)), *(x.diagonal() / x.sum(0))]),
    "root of odds_ratio, rescaled": lambda x: math.tanh(
        math.log(contingency.odds_ratio(x.astype(int), kind="sample").statistic) / 4
    ),
    "gmean of precisions": lambda x: stats.gmean(x.diagonal() / x.sum(0)),
}
COUNT_TABLE = [
    Row("odds_ratio", "diagnostic_odds_ratio", where=(binary, whole_counts, no_zero_cell)),
    Row("fisher_exact", "diagnostic_odds_ratio", where=(binary, whole_counts, no_zero_cell)),
    Row("somersd", "somers_d_predicted", where=(binary, whole_counts, one_varies)),
    Row("somersd of the transpose", "somers_d_true", where=(binary, whole_counts, one_varies)),
    Row("harmonic mean of both somersd", "somers_d", where=(binary, whole_counts, associated)),
    Row("association", "mcc", where=(binary, whole_counts, every_class)),
    Row("root of chi2_contingency / n", "mcc", where=(binary, every_class)),
    Row("G test / 2n", "mutual_information", where=(every_class,)),
    Row("entropy of both from independence", "mutual_information"),
    Row("2 entropy of both − entropies", "variation_of_information"),
    Row("information / entropy of both", "nmi('joint')", where=(one_varies,)),
    Row("information / mean entropy", "nmi('arithmetic')", where=(one_varies,)),
    Row("gmean of recalls", "macro(recall, p=0)", where=(every_true_class,)),
    Row("gmean of recalls", "g_mean", where=(every_true_class,)),
    Row("hmean of recalls", "macro(recall, p=-1)", where=(every_true_class,)),
    Row("pmean(2) of recalls", "macro(recall, p=2)", where=(every_true_class,)),
    Row("pmean(-2) of recalls", "macro(recall, p=-2)", where=(every_true_class,)),
    Row("hmean of four rates", "p4", where=(binary, every_class)),
    Row("root of odds_ratio, rescaled", "yule_y", where=(binary, whole_counts, no_zero_cell)),
    Row("gmean of precisions", "macro(precision, p=0)", where=(every_class,)),
]
UNSIGNED = {"association", "root of chi2_contingency / n"}

BOTH_NEGATIVE = Example("both_negative", 2, [0, 0, 0], [0, 0, 0])
NO_FALSE_ALARM = Example("no_false_alarm", 2, [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1])
TRUE_CONSTANT = Example("true_constant", 2, [1, 1, 1], [1, 0, 1])

DISAGREEMENTS = [
    Disagreement(
        Row("odds_ratio", "diagnostic_odds_ratio"), NO_FALSE_ALARM, math.inf, math.nan, "x/0 is undefined for us, not ∞"
    ),
    Disagreement(Row("dice", "f1"), BOTH_NEGATIVE, math.nan, 1.0, "two empty sets agree, so f1 is 1"),
    Disagreement(Row("cosine", "ochiai"), BOTH_NEGATIVE, math.nan, 1.0, "two empty sets agree, so ochiai is 1"),
    Disagreement(Row("sokalsneath", "sokal_sneath_2"), BOTH_NEGATIVE, ValueError, 1.0, "two empty sets agree"),
    Disagreement(
        Row("yule", "yule_q"), TRUE_CONSTANT, 1.0, math.nan, "FP·FN = 0 is distance 0 there even where TP·TN = 0 too"
    ),
    Disagreement(Row("correlation", "mcc"), BOTH_NEGATIVE, math.nan, 1.0, "constant on the same class: 1 by our rule"),
    Disagreement(Row("correlation", "mcc"), TRUE_CONSTANT, math.nan, 0.0, "one labeling constant: 0 by our rule"),
    Disagreement(Row("pearsonr", "mcc"), TRUE_CONSTANT, math.nan, 0.0, "one labeling constant: 0 by our rule"),
    Disagreement(
        Row("somersd", "somers_d_predicted"), BOTH_NEGATIVE, ValueError, math.nan, "one cell alone is refused there"
    ),
    Disagreement(
        Row("root of chi2_contingency / n", "mcc"), TRUE_CONSTANT, ValueError, 0.0, "an empty row is refused there"
    ),
]


def theirs(row, example):
    if row.peer in COUNTS:
        return quietly(COUNTS[row.peer], example.cm.counts)
    if row.peer in {x.peer for x in CORRELATION_TABLE}:
        return quietly(getattr(stats, row.peer), example.y_true, example.y_pred).statistic
    return 1 - quietly(getattr(distance, row.peer), example.y_true, example.y_pred, w=example.weight)


def ours(row, example):
    return row.measured(example.cm)


@every_row(DISTANCE_TABLE)
def test_a_similarity_is_one_minus_the_boolean_distance(row):
    for example in row.examples_of([x for x in EXAMPLES if binary(x)]):
        assert ours(row, example) == close(theirs(row, example)), example


@every_row(CORRELATION_TABLE)
def test_mcc_of_two_classes_is_the_correlation_of_the_labels(row):
    for example in row.examples_of([x for x in UNWEIGHTED if binary(x)]):
        assert ours(row, example) == close(theirs(row, example)), example


@every_row(COUNT_TABLE)
def test_a_measure_equals_the_statistic_of_the_matrix(row):
    for example in row.examples_of(EXAMPLES):
        value = ours(row, example)
        assert (abs(value) if row.peer in UNSIGNED else value) == close(theirs(row, example)), example


@pytest.mark.parametrize("row", [*DISTANCE_TABLE, *CORRELATION_TABLE, *COUNT_TABLE], ids=repr)
def test_a_row_of_the_table_is_compared_on_enough_examples(row):
    examples = EXAMPLES if row in COUNT_TABLE else [x for x in EXAMPLES if binary(x)]
    assert len(row.examples_of(examples)) >= 3


@pytest.mark.parametrize("known", DISAGREEMENTS, ids=repr)
def test_a_known_disagreement_is_one(known):
    check(known, theirs, ours)


@pytest.mark.parametrize("example", [x for x in UNWEIGHTED if every_class(x)], ids=repr)
def test_counts_and_class_sizes_equal_the_crosstab_and_its_margins(example):
    assert (contingency.crosstab(example.y_true, example.y_pred).count == example.cm.counts).all()
    a, b = contingency.margins(example.cm.counts)
    assert a.ravel().tolist() == example.cm.a.tolist()
    assert b.ravel().tolist() == example.cm.b.tolist()


@pytest.mark.parametrize("example", [x for x in EXAMPLES if binary(x) and unweighted(x)], ids=repr)
def test_distances_do_not_care_whether_labels_are_truth_values(example):
    true, predicted = np.array(example.y_true) == 1, np.array(example.y_pred) == 1
    expected = 1 - distance.jaccard(true, predicted)
    assert gm.jaccard(true, predicted, labels=[False, True]) == close(expected)
