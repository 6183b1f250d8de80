"""PyCM: its statistics of the matrix and of single classes give the same numbers; its 'None' is our NaN."""

from __future__ import annotations

import math
from functools import cache

import pycm
import pytest
from pycm import DistanceType

import goodmeasure as gm
from tests.oracles.comparison import Disagreement, Row, check, close, every_row, quietly
from tests.oracles.examples import (
    UNWEIGHTED,
    WEIGHTED,
    Example,
    binary,
    every_class,
    every_class_occurs,
    every_true_class,
    pairs_exist,
    true_predicted,
)

COUNTED = [*UNWEIGHTED, *(x for x in WEIGHTED if all(isinstance(w, int) for w in x.weight))]


def every_outcome(example):
    """Each class against the rest has all four outcomes."""
    return all((example.cm.vs_rest(x).counts > 0).all() for x in example.labels)


# Statistics of the whole matrix: cm.<name>, or cm.<name>(arguments).
OVERALL_TABLE = [
    Row("Overall_ACC", "accuracy"),
    Row("Kappa", "kappa", undefined="nan"),
    Row("PI", "scott_pi", undefined="nan"),
    Row("KappaUnbiased", "scott_pi", undefined="nan"),
    Row("AC1", "gwet_ac1", undefined="nan"),
    Row("KappaNoPrevalence", "hamann"),
    Row("Overall_MCC", "mcc", undefined="nan"),
    Row("Overall_CEN", "confusion_entropy", where=(every_class_occurs,)),
    Row("HammingLoss", "hamming_loss"),
    Row("TPR_Macro", "macro(recall, classes='all')", undefined="nan"),
    Row("TNR_Macro", "macro(specificity, classes='all')", undefined="nan"),
    Row("PPV_Macro", "macro(precision, classes='all')", undefined="nan"),
    Row("NPV_Macro", "macro(npv, classes='all')", undefined="nan"),
    Row("FPR_Macro", "macro(fallout, classes='all')", undefined="nan"),
    Row("FNR_Macro", "macro(miss_rate, classes='all')", undefined="nan"),
    Row("ACC_Macro", "macro(accuracy, classes='all')", undefined="nan"),
    Row("F1_Macro", "macro(f1, classes='all')", undefined="nan"),
    Row("CSI", "macro(mcconnaughey, classes='all')", undefined="nan"),
    Row("AUNU", "macro(balanced_accuracy, classes='all')", undefined="nan"),
    Row("AUNP", "weighted(balanced_accuracy)", undefined="nan", where=(every_true_class,)),
    Row("TPR_Micro", "micro(recall)", undefined="nan"),
    Row("TNR_Micro", "micro(specificity)", undefined="nan"),
    Row("PPV_Micro", "micro(precision)", undefined="nan"),
    Row("NPV_Micro", "micro(npv)", undefined="nan"),
    Row("FPR_Micro", "micro(fallout)", undefined="nan"),
    Row("FNR_Micro", "micro(miss_rate)", undefined="nan"),
    Row("F1_Micro", "micro(f1)", undefined="nan"),
    Row("average", "macro(jaccard, classes='all')", {"param": "J"}, undefined="nan"),
    Row("average", "macro(g_mean, classes='all')", {"param": "GM"}, undefined="nan"),
    Row("average", "macro(recall)", {"param": "TPR", "none_omit": True}),
    Row("average", "macro(precision)", {"param": "PPV", "none_omit": True}, where=(true_predicted,)),
    Row("Overall_RACC", "chance_agreement"),
    Row("Overall_RACCU", "chance_agreement_unbiased"),
    Row("S", "bennett_s"),
    Row("Alpha", "krippendorff_alpha", undefined="nan"),
    Row("B", "bangdiwala_b", undefined="nan"),
    Row("NIR", "no_information_rate"),
    Row("LambdaA", "lambda_true"),
    Row("LambdaB", "lambda_predicted"),
    Row("CBA", "class_balance_accuracy", undefined="nan"),
    Row("Overall_MCEN", "modified_confusion_entropy", where=(every_class_occurs,)),
    Row("Chi_Squared", "chi_squared", where=(every_class,)),
    Row("Phi_Squared", "phi_squared", where=(every_class,)),
    Row("V", "cramers_v", where=(every_class,)),
    Row("C", "pearson_contingency", where=(every_class,)),
    Row("RCI", "homogeneity", undefined="nan"),
    Row("weighted_average", "weighted(f1)", {"param": "F1"}, undefined="nan", where=(every_class_occurs,)),
    Row("weighted_average", "weighted(precision)", {"param": "PPV"}, undefined="nan", where=(every_true_class,)),
]

# The same after a change of unit or sign: what our value becomes.
CHANGED_TABLE = {
    Row("MutualInformation", "mutual_information"): lambda value, cm: value / math.log(2),
    Row("ResponseEntropy", "entropy_predicted"): lambda value, cm: value / math.log(2),
    Row("ReferenceEntropy", "entropy_true"): lambda value, cm: value / math.log(2),
    Row("JointEntropy", "entropy_joint"): lambda value, cm: value / math.log(2),
    Row("ConditionalEntropy", "entropy_conditional"): lambda value, cm: value / math.log(2),
    Row("CrossEntropy", "class_size_cross_entropy", where=(true_predicted,)): lambda value, cm: value / math.log(2),
    Row("KL", "class_size_divergence", where=(every_class,)): lambda value, cm: value / math.log(2),
    Row("ZeroOneLoss", "zero_one_loss"): lambda value, cm: value * cm.n,
    Row("V", "mcc", where=(binary, every_class)): lambda value, cm: abs(value),
    Row("Phi_Squared", "mcc", where=(binary, every_class)): lambda value, cm: value**2,
}

# Statistics of each class: cm.<name>[label], or cm.<name>(arguments)[label]; ours of cm.vs_rest(label).
CLASS_TABLE = [
    Row("TPR", "recall", undefined="nan"),
    Row("TNR", "specificity", undefined="nan"),
    Row("PPV", "precision", undefined="nan"),
    Row("NPV", "npv", undefined="nan"),
    Row("FNR", "miss_rate", undefined="nan"),
    Row("FPR", "fallout", undefined="nan"),
    Row("FDR", "false_discovery_rate", undefined="nan"),
    Row("FOR", "false_omission_rate", undefined="nan"),
    Row("PRE", "prevalence"),
    Row("TOPR", "predicted_prevalence"),
    Row("ACC", "accuracy"),
    Row("ERR", "zero_one_loss"),
    Row("F1", "f1", undefined="nan"),
    Row("F2", "fbeta(2)", undefined="nan"),
    Row("F05", "fbeta(0.5)", undefined="nan"),
    Row("F_beta", "fbeta(3)", {"beta": 3}, undefined="nan"),
    Row("TI", "tversky(0.3, 0.7)", {"alpha": 0.3, "beta": 0.7}, undefined="nan"),
    Row("TI", "tversky(2, 1)", {"alpha": 2, "beta": 1}, undefined="nan"),
    Row("J", "jaccard", undefined="nan"),
    Row("G", "ochiai", undefined="nan"),
    Row("OOC", "ochiai", undefined="nan"),
    Row("AUPR", "kulczynski_2", undefined="nan"),
    Row("ICSI", "mcconnaughey", undefined="nan"),
    Row("MCC", "mcc", undefined="nan"),
    Row("BM", "somers_d_predicted"),
    Row("Y", "somers_d_predicted"),
    Row("GI", "somers_d_predicted"),
    Row("MK", "markedness", undefined="nan"),
    Row("AUC", "balanced_accuracy", undefined="nan"),
    Row("GM", "g_mean", undefined="nan"),
    Row("PLR", "positive_likelihood_ratio"),
    Row("NLR", "negative_likelihood_ratio"),
    Row("DOR", "diagnostic_odds_ratio", where=(every_outcome,)),
    Row("LS", "lift"),
    Row("Q", "yule_q", where=(every_outcome,)),
    Row("RACC", "random_accuracy"),
    Row("RACCU", "random_accuracy_unbiased"),
    Row("IS", "information_score"),
    Row("AM", "automatic_manual"),
    Row("BCD", "bray_curtis"),
    Row("OP", "optimized_precision"),
    Row("IBA", "index_of_balanced_accuracy(1)"),
    Row("IBA_alpha", "index_of_balanced_accuracy(0.3)", {"alpha": 0.3}),
    Row("NB", "net_benefit(0.25)", {"w": 0.25}),
    Row("AGM", "adjusted_geometric_mean"),
    Row("AGF", "adjusted_f_score"),
    Row("OC", "overlap_coefficient", undefined="nan"),
    Row("BB", "braun_blanquet", undefined="nan"),
    Row("dInd", "distance_index"),
    Row("sInd", "similarity_index"),
]

# cm.distance(DistanceType.<name>)[label], and what our value of the class against the rest becomes.
DISTANCE_TABLE = [
    ("AMPLE", "somers_d_true", abs),
    ("BatageljBren", "diagnostic_odds_ratio", lambda x: 1 / x),
    ("BaulieuI", "average_set_precision", lambda x: 1 - x),
    ("BaulieuII", "sokal_sneath_5", lambda x: x**2),
    ("BaulieuIX", "matching_tversky(2, 1)", lambda x: 1 - x),
    ("BaulieuXIV", "tversky(2, 1)", lambda x: 1 - x),
    ("Canberra", "f1", lambda x: 1 - x),
    ("Doolittle", "mcc", lambda x: x**2),
    ("ForbesI", "lift", lambda x: x),
    ("Hamann", "hamann", lambda x: x),
    ("KuderRichardson", "generalized_mean(1)", lambda x: 2 * x / (1 + x)),
    ("KuhnsV", "generalized_mean(inf)", lambda x: x),
    ("KuhnsVI", "generalized_mean(-inf)", lambda x: x),
]

# The same after a change of unit: what our value of the class against the rest becomes.
CHANGED_CLASS_TABLE = {Row("DP", "discriminant_power", where=(every_outcome,)): lambda value: value / math.log(10)}

BOTH_POSITIVE = Example("both_positive", 2, [1, 1, 1], [1, 1, 1])
BOTH_NEGATIVE = Example("both_negative", 2, [0, 0, 0], [0, 0, 0])
TRUE_CONSTANT = Example("true_constant", 2, [1, 1, 1, 1], [1, 0, 1, 1])
ALL_WRONG = Example("all_wrong", 2, [0, 1, 1], [1, 0, 0])
NO_FALSE_ALARM = Example("no_false_alarm", 2, [0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 1, 1])
THIRD_IN_NEITHER = Example("third_class_in_neither", 3, [0, 0, 1, 1], [0, 0, 1, 0])
THIRD_NEVER_TRUE = Example("third_class_never_true", 3, [0, 0, 1, 1], [0, 0, 1, 2])

DISAGREEMENTS = [
    Disagreement(
        Row("Overall_MCC", "mcc"), BOTH_POSITIVE, "None", 1.0, "both constant on the same class: 1 by our rule"
    ),
    Disagreement(Row("Overall_MCC", "mcc"), TRUE_CONSTANT, "None", 0.0, "one labeling constant: 0 by our rule"),
    Disagreement(Row("MCC", "mcc"), TRUE_CONSTANT, "None", 0.0, "one labeling constant: 0 by our rule"),
    Disagreement(Row("Kappa", "kappa"), BOTH_POSITIVE, "None", 1.0, "0/0 is full agreement by our rule"),
    Disagreement(Row("PI", "scott_pi"), BOTH_POSITIVE, "None", 1.0, "0/0 is full agreement by our rule"),
    Disagreement(Row("F1", "f1"), BOTH_NEGATIVE, "None", 1.0, "two empty sets agree"),
    Disagreement(Row("J", "jaccard"), BOTH_NEGATIVE, "None", 1.0, "two empty sets agree"),
    Disagreement(Row("OOC", "ochiai"), BOTH_NEGATIVE, "None", 1.0, "two empty sets agree"),
    Disagreement(Row("F1_Macro", "macro(f1)"), THIRD_IN_NEITHER, "None", 11 / 15, "a class in neither is left out"),
    Disagreement(
        Row("TPR_Macro", "macro(recall)"), THIRD_NEVER_TRUE, "None", 3 / 4, "a class that is never true is left out"
    ),
    Disagreement(
        Row("weighted_average", "weighted(f1)", {"param": "F1"}),
        THIRD_IN_NEITHER,
        "None",
        11 / 15,
        "a class without weight still spoils the sum; ours leaves out a_i = 0",
    ),
    Disagreement(
        Row("AUNP", "weighted(balanced_accuracy)", undefined="nan"),
        THIRD_NEVER_TRUE,
        "None",
        7 / 8,
        "a class without weight still spoils the sum; ours leaves out a_i = 0",
    ),
    Disagreement(
        Row("Overall_CEN", "confusion_entropy"),
        THIRD_IN_NEITHER,
        "None",
        (math.log(5, 4) + math.log(3, 4)) / 8,
        "a class in neither has no errors, so it adds 0",
    ),
    Disagreement(
        Row("Q", "yule_q"),
        NO_FALSE_ALARM,
        "None",
        1.0,
        "computed from the odds ratio, which is x/0; ours is (x − 0)/(x + 0)",
    ),
    Disagreement(
        Row("DOR", "diagnostic_odds_ratio"),
        ALL_WRONG,
        "None",
        0.0,
        "a ratio of ratios, of which one is x/0; ours is 0/x",
    ),
    Disagreement(
        Row("BM", "k"),
        TRUE_CONSTANT,
        "None",
        1 / 2,
        "k is the recall of the only true class, rescaled; TNR is 0/0 there",
    ),
    Disagreement(Row("ZeroOneLoss", "zero_one_loss"), ALL_WRONG, 3, 1.0, "a number of items, not a share"),
    Disagreement(
        Row("MutualInformation", "mutual_information"),
        ALL_WRONG,
        math.log2(3) - 2 / 3,
        math.log(3) - math.log(4) / 3,
        "bits",
    ),
    Disagreement(
        Row("distance", "mcc", {"metric": DistanceType.KendallTau}),
        NO_FALSE_ALARM,
        4 / 15,
        math.sqrt(1 / 2),
        "2(TP + TN − FP − FN)/(n(n − 1)) is not tau-b, which is mcc for two classes",
    ),
]


@cache
def table_of(example):
    return quietly(pycm.ConfusionMatrix, matrix=example.cm.counts.astype(int).tolist())


def number(value):
    """A statistic that PyCM cannot compute is the string 'None'."""
    return math.nan if isinstance(value, str) else value


def theirs(row, example):
    found = getattr(table_of(example), row.peer)
    return found(**row.arguments) if callable(found) else found


def theirs_of_last_class(row, example):
    """One value: of the whole matrix, or of the last class, which is our positive one."""
    found = theirs(row, example)
    return found[example.labels[-1]] if isinstance(found, dict) else found


def ours(row, example):
    return row.measured(example.cm)


@every_row(OVERALL_TABLE)
def test_a_measure_equals_the_overall_statistic(row):
    for example in row.examples_of(COUNTED):
        assert ours(row, example) == close(number(theirs(row, example))), example


@every_row(CHANGED_TABLE)
def test_a_measure_in_other_units_equals_the_overall_statistic(row):
    for example in row.examples_of(COUNTED):
        assert CHANGED_TABLE[row](ours(row, example), example.cm) == close(theirs(row, example)), example


@every_row(CLASS_TABLE)
def test_a_measure_against_the_rest_equals_the_class_statistic(row):
    for example in row.examples_of(COUNTED):
        expected = [number(x) for x in theirs(row, example).values()]
        assert [row.measured(example.cm.vs_rest(x)) for x in example.labels] == close(expected), example


@every_row(CHANGED_CLASS_TABLE)
def test_a_measure_in_other_units_equals_the_class_statistic(row):
    for example in row.examples_of(COUNTED):
        expected = [number(x) for x in theirs(row, example).values()]
        change = CHANGED_CLASS_TABLE[row]
        assert [change(row.measured(example.cm.vs_rest(x))) for x in example.labels] == close(expected), example


@pytest.mark.parametrize("example", [x for x in COUNTED if every_outcome(x)], ids=repr)
@pytest.mark.parametrize(("kind", "name", "change"), DISTANCE_TABLE)
def test_a_measure_against_the_rest_equals_the_class_distance(kind, name, change, example):
    expected = list(table_of(example).distance(metric=DistanceType[kind]).values())
    assert [change(gm.measure(name)(example.cm.vs_rest(x))) for x in example.labels] == close(expected)


@pytest.mark.parametrize("example", [x for x in UNWEIGHTED if pairs_exist(x)], ids=repr)
def test_kappa_of_pairs_equals_the_adjusted_rand_index(example):
    pairs = gm.pair_confusion(example.y_true, example.y_pred)
    assert gm.kappa(pairs, undefined="nan") == close(number(table_of(example).ARI))


@pytest.mark.parametrize("example", COUNTED, ids=repr)
@pytest.mark.parametrize("power", [1, 2, 3])
def test_kappa_with_weights_equals_the_weighted_kappa(power, example):
    weights = [[abs(i - j) ** power for j in example.labels] for i in example.labels]
    expected = table_of(example).weighted_kappa({i: dict(enumerate(row)) for i, row in enumerate(weights)})
    assert gm.weighted_kappa(weights)(example.cm, undefined="nan") == close(number(expected))


@pytest.mark.parametrize("example", [x for x in COUNTED if every_class_occurs(x)], ids=repr)
def test_jaccard_over_classes_equals_the_overall_one(example):
    _, mean = table_of(example).Overall_J
    assert gm.macro(gm.jaccard)(example.cm) == close(mean)


@pytest.mark.parametrize("example", [x for x in COUNTED if every_class_occurs(x)], ids=repr)
def test_counts_equal_those_from_vectors(example):
    vectors = quietly(pycm.ConfusionMatrix, example.y_true, example.y_pred, sample_weight=example.weight)
    assert vectors.to_array().tolist() == example.cm.counts.tolist()


@pytest.mark.parametrize("row", [*OVERALL_TABLE, *CHANGED_TABLE, *CLASS_TABLE, *CHANGED_CLASS_TABLE], ids=repr)
def test_a_row_of_the_table_is_compared_on_enough_examples(row):
    assert len(row.examples_of(COUNTED)) >= 5


@pytest.mark.parametrize("known", DISAGREEMENTS, ids=repr)
def test_a_known_disagreement_is_one(known):
    check(known, theirs_of_last_class, ours)
