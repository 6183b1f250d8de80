"""Explanations, signatures and chance levels say what was done, in words and numbers."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.catalogue.chance import chance_level, chance_levels_of_pairs, random_tables
from goodmeasure.language.policy import RESOLVE, policy_of
from goodmeasure.language.print.unicode_formulas import plain_text

SPAM = gm.ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])


def test_an_explanation_has_value_formula_numbers_rules_chance_and_range():
    told = gm.jaccard.explain(SPAM)
    assert told.value == pytest.approx(20 / 27)
    assert told.formula == gm.jaccard.formula
    assert told.worked == "20/(20 + 4 + 3) = 0.740741"
    assert told.notes == ()
    assert told.range == (0, 1)
    assert "no zero division occurred" in str(told)
    assert told.to_dict()["signature"].startswith("jaccard|classes=2|positive=spam")


@pytest.mark.parametrize(
    ("name", "matrix", "note"),
    [
        (
            "mcc",
            [[10, 0], [0, 0]],
            "every item is of class 0 and only class 0 is ever predicted, so MCC is 0/0 and is reported as 1",
        ),
        (
            "mcc",
            [[0, 7], [0, 0]],
            "every item is of class 0 and only class 1 is ever predicted, so MCC is 0/0 and is reported as -1",
        ),
        ("mcc", [[95, 0], [5, 0]], "only class 0 is ever predicted, so MCC is 0/0 and is reported as 0"),
        (
            "balanced_accuracy",
            [[90, 10], [0, 0]],
            "class 1 has no true items, so its recall is 0/0 and counts as 0.1",
        ),
        (
            "macro(precision)",
            [[95, 0], [5, 0]],
            "class 1 is never predicted, so its precision is 0/0 and counts as 0, the worst value",
        ),
        (
            "macro(false_discovery_rate)",
            [[95, 0], [5, 0]],
            "class 1 is never predicted, so its false discovery rate is 0/0 and counts as 1, the worst value",
        ),
        (
            "macro(recall)",
            [[9, 1], [0, 0]],
            "class 1 has no true items, so its recall is 0/0 and the class is left out of the average",
        ),
        ("precision", [[95, 0], [5, 0]], "class 1 is never predicted, so precision is 0/0"),
        ("f1", [[95, 0], [0, 0]], "class 1 occurs in neither labeling, so the F1 score is 0/0 and is reported as 1"),
        ("ochiai", [[5, 3], [0, 0]], "class 1 has no true items, so the Ochiai coefficient is 0/0"),
        (
            "diagnostic_odds_ratio",
            [[30, 0], [0, 30]],
            "FP FN is 0, so the diagnostic odds ratio has a zero denominator",
        ),
        (
            "mutability",
            [[1, 1, 0], [0, 2, 0], [0, 0, 0]],
            "class 2 occurs in neither labeling, so its recall is 0/0 and the class is left out",
        ),
        (
            "calibrated(mcc)",
            [[1, 2], [0, 0]],
            "class 1 has no true items, so its term with the denominator m a_i is 0/0",
        ),
        (
            "macro(f1)",
            [[5, 1, 0], [0, 4, 0], [0, 0, 0]],
            "class 2 occurs in neither labeling and is left out of the average",
        ),
        (
            "macro(specificity)",
            [[5, 1, 0, 0], [0, 4, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
            "classes 2 and 3 occur in neither labeling and are left out of the average",
        ),
        ("k", [[5]], "there is only one class, so there is nothing to distinguish"),
    ],
)
def test_the_rule_that_acted_is_told(name, matrix, note):
    assert gm.measure(name).explain(matrix).notes == (note,)


def test_where_only_the_outer_condition_holds_no_inner_rule_is_told():
    assert gm.rh.explain([[0, 3], [0, 0]]).notes == (), "nothing right: 0 by definition, no division was met"


def test_raising_names_the_measure_the_term_and_the_class():
    cm = gm.ConfusionMatrix([[3, 0, 0], [2, 0, 0], [1, 0, 0]], labels=["a", "b", "c"])
    with pytest.raises(gm.UndefinedMeasure, match=r"macro\(precision\) is undefined: 'b' and 'c' are never predicted"):
        gm.macro(gm.precision)(cm, undefined="raise")
    with pytest.raises(gm.UndefinedMeasure, match="matrix 1 of the batch"):
        gm.precision(np.array([[[3, 1], [2, 1]], [[3, 0], [2, 0]]]), undefined="raise")
    with pytest.raises(gm.UndefinedMeasure, match="precision is undefined"):
        gm.precision.exact([[3, 0], [2, 0]], undefined="raise")


def test_a_batch_cannot_be_explained():
    with pytest.raises(ValueError, match="explain takes one matrix"):
        gm.mcc.explain(np.ones((3, 2, 2)))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (gm.f1.signature(SPAM), "f1|classes=2|positive=spam|undefined=resolve|n=77|goodmeasure="),
        (gm.mcc.signature(SPAM), "mcc|classes=2|undefined=resolve|n=77|goodmeasure="),
        (gm.mcc.signature(), "mcc|undefined=resolve|goodmeasure="),
        (gm.f1.signature(undefined=0.0), "f1|classes=2|positive=last|undefined=0|goodmeasure="),
        (
            gm.macro(gm.fbeta(2)).signature([[0.5, 1], [2, 0.25]]),
            "macro(fbeta(beta=2))|classes=2|undefined=resolve|n=3.75",
        ),
        (gm.f1.signature(SPAM, positive="ham"), "f1|classes=2|positive=ham|"),
        (gm.f1.signature(["a|b", "x"], ["x", "x"], positive="a|b"), "f1|classes=2|positive='a|b'|"),
        (gm.mcc.signature(np.ones((4, 3, 2, 2))), "mcc|classes=2|undefined=resolve|batch=4x3|"),
    ],
)
def test_a_signature_is_one_line_that_reproduces_a_number(line, expected):
    assert line.startswith(expected)
    assert "\n" not in line
    assert line.endswith(gm.__version__)


def all_predictions(a, b):
    """Every labeling with the class sizes b, against a fixed true labeling with the sizes a."""
    true = np.repeat(np.arange(len(a)), a)
    for labels in set(itertools.permutations(np.repeat(np.arange(len(b)), b).tolist())):
        table = np.zeros((len(a), len(b)), dtype=int)
        np.add.at(table, (true, np.array(labels)), 1)
        yield table


@pytest.mark.parametrize("name", ["f1", "mcc", "accuracy", "sba", "correlation_distance", "jaccard"])
def test_chance_of_two_classes_is_the_mean_over_all_predictions(name):
    measure = gm.measure(name)
    cm = gm.ConfusionMatrix([[3, 1], [1, 2]])
    expected = np.mean([measure(table) for table in all_predictions(cm.a, cm.b)])
    assert chance_level(measure, cm, RESOLVE).value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("accuracy", "affine"),
        ("kappa", "affine"),
        ("sba", "affine"),
        ("macro(f1)", "affine"),
        ("macro(jaccard)", "exact"),
    ],
)
def test_chance_of_three_classes_is_exact_for_few_items(name, how):
    measure = gm.measure(name)
    cm = gm.ConfusionMatrix([[2, 1, 0], [0, 1, 1], [1, 0, 1]])
    told = chance_level(measure, cm, RESOLVE)
    expected = np.mean([measure(table) for table in all_predictions(cm.a, cm.b)])
    assert told.how == how
    assert told.value == pytest.approx(expected, abs=1e-12)


def test_chance_of_many_items_is_drawn_with_a_seed():
    cm, f = gm.ConfusionMatrix([[30, 5, 5], [4, 20, 6], [1, 2, 27]]), gm.macro(gm.jaccard)
    told = chance_level(f, cm, RESOLVE)
    assert told.how == "sampled"
    assert chance_level(f, cm, RESOLVE) == told


def test_chance_of_real_counts_is_that_of_independent_labelings():
    assert chance_level(gm.mcc, gm.ConfusionMatrix([[0.5, 1], [2, 0.25]]), RESOLVE).how == "independent"
    assert chance_level(gm.macro(gm.jaccard), gm.ConfusionMatrix(np.full((3, 3), 10**12)), RESOLVE).how == "independent"
    assert "undefined" in str(chance_level(gm.precision, gm.ConfusionMatrix([[5, 0], [3, 0]]), RESOLVE))


def test_classes_together_have_the_chance_levels_that_each_has_alone():
    chosen, policy = [gm.recall, gm.precision, gm.f1, gm.mcc], policy_of("resolve")
    rests = [
        gm.ConfusionMatrix(x) for x in ([[50, 3], [4, 20]], [[5, 0], [2, 0]], [[0, 1], [0, 3]], [[900, 40], [7, 9]])
    ]
    together = chance_levels_of_pairs(chosen, np.stack([x.counts for x in rests]), policy)
    for rest, levels in zip(rests, together, strict=True):
        for measure, level in zip(chosen, levels, strict=True):
            assert level.value == pytest.approx(chance_level(measure, rest, policy).value, abs=1e-14, nan_ok=True)
            assert level.how == "exact"


@pytest.mark.parametrize("a_class", [3, 900])
def test_many_classes_are_drawn_by_item_or_by_row_to_the_same_end(a_class):
    """Few items are shuffled, many are drawn row by row: class sizes hold, and so does what is expected."""
    m = 20
    a, b = np.full(m, a_class), np.roll(np.arange(m) + a_class - m // 2 + (a_class < m) * m, 3)
    b = b * a.sum() // b.sum()
    b[0] += a.sum() - b.sum()
    tables = random_tables(a, b, 300, np.random.default_rng(2))
    assert (tables.sum(axis=2) == a).all()
    assert (tables.sum(axis=1) == b).all()
    hits = np.einsum("kii->k", tables)
    assert abs(hits.mean() - (a * b).sum() / a.sum()) < 5 * hits.std() / np.sqrt(300)


def test_random_tables_have_the_given_class_sizes():
    tables = random_tables([4, 0, 3], [2, 5, 0], 50, np.random.default_rng(1))
    assert (tables >= 0).all()
    assert (tables.sum(axis=2) == [4, 0, 3]).all()
    assert (tables.sum(axis=1) == [2, 5, 0]).all()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("f1", "2 TP/(2 TP + FN + FP)"),
        ("ochiai", "TP/√((TP + FN) (TP + FP))"),
        ("accuracy", "(Σ_i c_ii)/n"),
        ("macro(recall, classes='all')", "1/m Σ_i TP_i/(TP_i + FN_i)"),
        ("macro(recall)", "1/(|{i : a_i + b_i > 0}|) Σ_(i: a_i + b_i > 0) TP_i/(TP_i + FN_i)"),
        ("rh", None),
    ],
)
def test_formulas_read_well_on_a_terminal(name, text):
    plain = plain_text(gm.measure(name).formula)
    assert "\\" not in plain
    assert plain.count("(") == plain.count(")")
    if text is not None:
        assert plain == text


def test_help_is_generated_from_the_facts():
    text = gm.jaccard.__doc__
    assert "Jaccard index: the share of items" in text
    assert "0 … 1; higher is better" in text
    assert "threat_score" in text
    assert gm.jaccard.citation.split()[0] in text
    assert type(gm.jaccard).__doc__.startswith("A measure")


def test_an_undefined_value_prints_as_such():
    assert "= undefined" in str(gm.precision.explain([[3, 0], [2, 0]]))
    assert gm.precision.explain([[3, 0], [2, 0]]).to_dict()["value"] is None
    assert math.isnan(gm.precision.explain([[3, 0], [2, 0]]).value)


@pytest.mark.parametrize("measure", [gm.k, gm.k_ordinal("absolute"), gm.k_ordinal("squared")])
@pytest.mark.parametrize("m", [2, 3, 5])
def test_the_range_of_k_depends_on_the_number_of_classes(measure, m):
    """All wrong is −1/(m − 1), where every item lies as far off as its class allows; all right is 1."""
    ends = measure.range_for(m)
    assert ends == (-1 / (m - 1), 1)
    worst = [[int(j == (m - 1 if i <= (m - 1) / 2 else 0)) if i != j else 0 for j in range(m)] for i in range(m)]
    assert measure(worst) == pytest.approx(ends[0])
    assert measure([[int(i == j) for j in range(m)] for i in range(m)]) == 1
    assert measure.explain(worst).range == ends


def demeaning(c):
    """A sum, whatever its name says; its terms are no precision, although they divide by b_i."""
    return c.sum(lambda i: c.ratio(c.n * c.a[i], c.b[i], otherwise=c.skip))


def left_out(c):
    return c.mean(lambda i: c.ratio(c[i, i], c.b[i], otherwise=c.skip))


def turned(c):
    return left_out(c.T)


def twice(c):
    """The class of the rate is not that of the outermost sum, which the sentence is about."""
    return c.sum(lambda i: c.mean(lambda j: c.a[i] * c.ratio(c[j, j], c.b[j], otherwise=c.skip)))


def shared(c):
    """The mean does not depend on the class of the sum around it, so the sentence is about the class of the rate."""
    return c.sum(lambda i: c.a[i] * left_out(c))


def test_a_division_that_is_written_with_a_slash_has_its_reason():
    (said,) = gm.Measure(lambda c: c.tp / (c.tp + c.fp), "own").explain([[5, 0], [4, 0]]).notes
    assert said == "only class 0 is ever predicted, so own is 0/0"


NEVER_PREDICTED = [[3, 0, 1], [2, 0, 2], [0, 0, 4]]


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (demeaning, "class 1 is never predicted, so its term has a zero denominator and the class is left out"),
        (left_out, "class 1 is never predicted, so its precision is 0/0 and the class is left out of the average"),
    ],
)
def test_a_sentence_on_an_own_function_tells_means_from_sums_and_rates_from_other_terms(function, said):
    assert gm.Measure(function, function.__name__).explain(NEVER_PREDICTED).notes == (said,)


def test_a_rate_has_its_name_in_the_transposed_matrix_and_only_for_its_class():
    (said,) = gm.Measure(turned, "turned").explain(np.transpose(NEVER_PREDICTED)).notes
    assert "so its recall is 0/0" in said
    assert "precision" not in " ".join(gm.Measure(twice, "twice").explain(NEVER_PREDICTED).notes)
    (said,) = gm.Measure(shared, "shared").explain(NEVER_PREDICTED).notes
    assert said == "class 1 is never predicted, so its precision is 0/0 and the class is left out of the average"


def test_measures_of_labels_and_of_scores_are_called_in_the_same_way():
    """`missing`, `positive` and `undefined` are taken by both, and so is what `signature` is about."""
    true, said, scores = ["a", "b", None, "b"], ["a", "b", "b", "a"], [0.1, 0.9, 0.2, 0.3]
    options = {"missing": "drop", "positive": "b", "undefined": "nan"}
    assert gm.f1(true, said, **options) == gm.f1(true[:2] + true[3:], said[:2] + said[3:], positive="b")
    assert gm.roc_auc(true, scores, **options) == 1
    for f, data in ((gm.f1, said), (gm.roc_auc, scores)):
        assert "classes=2|positive=b|undefined=nan|n=3|" in f.signature(true, data, **options)
        assert f.explain(true, data, **options).value == f(true, data, **options)
        assert f.signature(undefined="nan").startswith(f.name)
    with pytest.raises(gm.InputTypeError, match="missing can only be given with labels"):
        gm.f1([[1, 2], [3, 4]], missing="drop", positive=1)
