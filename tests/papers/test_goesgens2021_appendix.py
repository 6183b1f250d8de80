"""Gösgens et al. 2021, appendix C: the counterexamples as printed, and the witnesses against Tables 2, B and C.6."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import pytest

import goodmeasure as gm
from tests.papers.printed import TABLES, rounds_to

EXAMPLES = TABLES["goesgens2021-appendix:C_examples"]


def changes(before, after):
    """Which cells differ, and by how much."""
    cells = product(range(len(before)), repeat=2)
    return {(i, j): after[i][j] - before[i][j] for i, j in cells if after[i][j] != before[i][j]}


def is_zero_diagonal(matrix):
    return all(matrix[i][i] == 0 for i in range(len(matrix)))


def is_diagonal(matrix):
    return all(x == 0 for i, row in enumerate(matrix) for j, x in enumerate(row) if i != j)


def has_constant_labeling(matrix):
    n = sum(map(sum, matrix))
    return n in map(sum, matrix) or n in map(sum, zip(*matrix, strict=True))


def corrects_an_item(before, after):
    """Definition 6: c_ab falls by 1, c_aa or c_bb rises by 1, and no labeling is constant."""
    moved = sorted(changes(before, after).items(), key=lambda change: change[1])
    if [step for _, step in moved] != [-1, 1] or has_constant_labeling(before):
        return False
    ((a, b), _), ((c, d), _) = moved
    return a != b and c == d and c in (a, b)


def improves_a_cell(before, after):
    """Definition 7: a diagonal cell rises or another falls; no labeling constant, not both (zero-)diagonal."""
    if len(changes(before, after)) != 1 or has_constant_labeling(before):
        return False
    if any(is_kind(before) and is_kind(after) for is_kind in (is_diagonal, is_zero_diagonal)):
        return False
    (((i, j), step),) = changes(before, after).items()
    return step > 0 if i == j else step < 0


def exact_pair(name, before, after):
    measure = gm.measure(name)
    return measure.exact(before), measure.exact(after)


# C.1 Maximal and minimal agreement


@pytest.mark.parametrize("key", ["CC_C1", "CC_C2"])
def test_cc_differs_between_the_zero_diagonal_matrices_of_c_1(key):
    """−0.5 and −0.6, exactly."""
    matrix, printed = EXAMPLES[key]
    assert is_zero_diagonal(matrix)
    assert gm.mcc.exact(matrix) == printed


def test_kappa_of_a_zero_diagonal_is_the_fraction_of_c_1_and_not_constant():
    """−Σ a_i b_i/(n² − Σ a_i b_i): −(1·2 + 1·1 + 2·1)/(16 − 5) and −(1·1 + 2·2 + 1·1)/(16 − 6)."""
    values = [gm.kappa.exact(EXAMPLES[key][0]) for key in ("CC_C1", "CC_C2")]
    assert values == [Fraction(-5, 11), Fraction(-6, 10)]


@pytest.mark.parametrize("r", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize("matrix", [[[0, 6], [6, 0]], [[0, 1], [5, 0]]])
def test_generalized_means_of_a_zero_diagonal_are_minus_1(r, matrix):
    """c_min = −1."""
    assert gm.generalized_mean(r=r).exact(matrix) == -1


def test_confusion_entropy_is_worse_with_two_right_than_with_none():
    """CE is 1 on [[0, 6], [6, 0]] and more on [[1, 5], [5, 1]], against minimal agreement and monotonicity."""
    (none, printed), (two, more) = EXAMPLES["CE_1"], EXAMPLES["CE_2"]
    assert gm.confusion_entropy.exact(none) == printed == 1
    assert more == ">1"
    assert gm.confusion_entropy.exact(two) > 1


@pytest.mark.parametrize(("wrong", "right"), [((0, 1), (0, 0)), ((1, 0), (1, 1))])
def test_correcting_one_of_twelve_errors_makes_confusion_entropy_worse(wrong, right):
    """C.4 'the example from Section C.1 disproves the monotonicity of CE': the first of its two steps does already."""
    before = [[0, 6], [6, 0]]
    after = [[before[i][j] - ((i, j) == wrong) + ((i, j) == right) for j in range(2)] for i in range(2)]
    assert corrects_an_item(before, after)
    assert gm.confusion_entropy.exact(after) > gm.confusion_entropy.exact(before)


@pytest.mark.parametrize("name", ["f1", "jaccard"])
def test_overlap_is_least_on_a_matrix_that_has_true_negatives(name):
    """Zero not only on zero-diagonal matrices."""
    assert exact_pair(name, [[0, 1], [1, 0]], [[5, 1], [1, 0]]) == (0, 0)


# C.3 Distance


def test_confusion_entropy_breaks_the_triangle_inequality():
    """A = (1,1,0), B = (1,1,1), C = (1,0,1): CE is 1 from A to C and ≈ 0.387 = log₂5/6 from each to B."""
    a, b, c = (1, 1, 0), (1, 1, 1), (1, 0, 1)
    from_a_to_c, from_a_to_b, from_b_to_c = (
        gm.confusion_entropy.exact(x, y, labels=[0, 1]) for x, y in ((a, c), (a, b), (b, c))
    )
    assert from_a_to_c == EXAMPLES["CE_AC"]
    assert rounds_to(from_a_to_b, EXAMPLES["CE_AB"], 3)
    assert from_a_to_b == from_b_to_c
    assert from_a_to_c > from_a_to_b + from_b_to_c


# C.4 Monotonicity


def test_kappa_falls_when_an_error_is_removed():
    """Strong monotonicity: κ[[1, 2], [1, 0]] < κ[[1, 3], [1, 0]]."""
    more, fewer = [[1, 3], [1, 0]], [[1, 2], [1, 0]]
    assert improves_a_cell(more, fewer)
    assert exact_pair("kappa", more, fewer) == (Fraction(-3, 7), Fraction(-1, 2))


def test_kappa_of_three_classes_falls_when_an_item_is_corrected():
    """κ(C1) > κ(C2): −5/11 and −1/2."""
    before, after = [[0, 1, 2], [0, 0, 0], [1, 0, 0]], [[1, 0, 2], [0, 0, 0], [1, 0, 0]]
    assert corrects_an_item(before, after)
    assert exact_pair("kappa", before, after) == (Fraction(-5, 11), Fraction(-1, 2))


def test_cc_of_three_classes_falls_when_an_item_is_corrected():
    """C1 is damaged in our text (erratum 10): this one has CC = 2/5 < 3√30/40 = 0.4108 of the printed C2."""
    wrong, right = [[1, 0, 0], [7, 0, 0], [0, 0, 1]], [[1, 0, 0], [6, 1, 0], [0, 0, 1]]
    assert corrects_an_item(wrong, right)
    higher, lower = exact_pair("mcc", wrong, right)
    assert lower == Fraction(2, 5)
    assert rounds_to(higher, Fraction("0.4108"), 4)
    assert higher > lower


# C.5 Constant baseline


@pytest.mark.parametrize(("a", "value"), [((2, 1), "0.872"), ((0, 3), "0.387")])
def test_confusion_entropy_of_chance_depends_on_the_class_sizes(a, value):
    """c_ij = a_i b_j/n with b = (1, 2): [8·log₂(9/4) + 2·log₂9]/18 and log₂5/6."""
    chance = [[Fraction(x * y, 3) for y in (1, 2)] for x in a]
    assert rounds_to(gm.confusion_entropy.exact(chance), Fraction(value), 3)


# Table 2 under the strict Definitions 6 and 7 (erratum 3)


@pytest.mark.parametrize(
    ("name", "before", "after", "value"),
    [
        ("f1", [[1, 2], [1, 0]], [[2, 1], [1, 0]], Fraction(0)),
        ("jaccard", [[1, 2], [1, 0]], [[2, 1], [1, 0]], Fraction(0)),
        ("ba", [[0, 1, 1], [0, 3, 0], [1, 0, 1]], [[0, 0, 1], [0, 4, 0], [1, 0, 1]], Fraction(1, 2)),
        ("ba", [[1, 0, 0], [1, 0, 1], [0, 1, 0]], [[2, 0, 0], [0, 0, 1], [0, 1, 0]], Fraction(1, 3)),
    ],
)
def test_a_measure_called_monotone_stays_the_same_when_an_item_is_corrected(name, before, after, value):
    assert corrects_an_item(before, after)
    assert exact_pair(name, before, after) == (value, value)


@pytest.mark.parametrize(
    ("name", "before", "after", "value"),
    [
        ("ba", [[1, 0], [1, 1]], [[2, 0], [1, 1]], Fraction(3, 4)),
        ("sba", [[2, 0, 0], [0, 1, 1], [0, 1, 1]], [[3, 0, 0], [0, 1, 1], [0, 1, 1]], Fraction(2, 3)),
        ("sba", [[1, 0, 0], [0, 0, 1], [0, 1, 0]], [[2, 0, 0], [0, 0, 1], [0, 1, 0]], Fraction(1, 3)),
    ],
)
def test_a_measure_called_strongly_monotone_stays_the_same_when_a_hit_is_added(name, before, after, value):
    """With sba of three classes, Statement 3 fails."""
    assert improves_a_cell(before, after)
    assert exact_pair(name, before, after) == (value, value)


def test_confusion_entropy_is_at_its_best_on_a_matrix_of_errors_when_a_class_is_empty():
    matrix = [[0, 3], [0, 0]]
    assert not is_diagonal(matrix)
    assert gm.confusion_entropy.exact(matrix) == gm.confusion_entropy.best_value == 0


def test_weighted_averaging_loses_the_monotonicity_of_sba():
    """7/16 → 17/40, a fall."""
    before, after = [[0, 0, 1], [1, 1, 0], [3, 0, 0]], [[1, 0, 1], [0, 1, 0], [3, 0, 0]]
    assert corrects_an_item(before, after)
    assert exact_pair("weighted(sba)", before, after) == (Fraction(7, 16), Fraction(17, 40))


def test_weighted_averaging_loses_the_monotonicity_of_mcc():
    """−0.118 → −0.140, a fall."""
    before, after = [[1, 1, 0], [0, 0, 1], [0, 3, 0]], [[1, 0, 0], [0, 1, 1], [0, 3, 0]]
    assert corrects_an_item(before, after)
    high, low = exact_pair("weighted(mcc)", before, after)
    assert rounds_to(high, Fraction("-0.118"), 3)
    assert rounds_to(low, Fraction("-0.140"), 3)


# B Resolving singularities (erratum 9)


def sba_by_algebra(c):
    """SBA with B's algebraic rule alone: c_ii/a_i is b_i/n for an empty class, and the other way round."""

    def mean_share(view):
        return view.mean(lambda i: view.ratio(view[i, i], view.a[i], otherwise=lambda: view.ratio(view.b[i], view.n)))

    return (mean_share(c) + mean_share(c.T)) / 2


BY_ALGEBRA = gm.Measure(sba_by_algebra, "sba_by_algebra", key=sba_by_algebra)


def expected(measure, y_true, sizes):
    """E[M] over all predictions with these class sizes (Definition 8)."""
    labels = range(len(sizes))
    predictions = list(permutations([j for j, size in enumerate(sizes) for _ in range(size)]))
    return sum(measure.exact(y_true, y_pred, labels=labels) for y_pred in predictions) / len(predictions)


def test_agreement_first_breaks_the_constant_baseline_of_sba():
    """a = (2, 1, 0), b = (1, 1, 1): 17/54, where 1/3 is the baseline."""
    assert expected(gm.sba, (0, 0, 1), (1, 1, 1)) == Fraction(17, 54)


def test_the_algebraic_rule_alone_keeps_the_constant_baseline_of_sba():
    assert expected(BY_ALGEBRA, (0, 0, 1), (1, 1, 1)) == Fraction(1, 3)


def test_the_algebraic_rule_alone_breaks_maximal_and_minimal_agreement():
    """An empty class counts b_i/n = 0 on a diagonal matrix, and more than 0 on a zero diagonal."""
    diagonal, zero_diagonal = [[2, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 1, 1], [1, 0, 0], [0, 0, 0]]
    assert (BY_ALGEBRA.exact(diagonal), gm.sba.exact(diagonal)) == (Fraction(2, 3), 1)
    assert BY_ALGEBRA.exact(zero_diagonal) > gm.sba.exact(zero_diagonal) == 0


@pytest.mark.parametrize("n", range(2, 6))
def test_no_rule_keeps_minimal_agreement_and_constant_baseline_of_three_classes(n):
    """All items of class 0: b = (0, 1, n−1) forces c_base = c_min, and b = (1, n−1, 0) lies above c_min."""
    y_true = (0,) * n
    assert expected(gm.sba, y_true, (0, 1, n - 1)) == 0
    assert expected(gm.sba, y_true, (1, n - 1, 0)) > 0


@pytest.mark.parametrize(("y_true", "sizes"), [((0, 0, 1, 2), (2, 1, 1)), ((0, 1, 1, 2, 2), (1, 1, 3))])
def test_sba_has_its_baseline_where_every_class_occurs(y_true, sizes):
    assert expected(gm.sba, y_true, sizes) == Fraction(1, 3)


# C.6 Averagings (erratum 11)


def right_minus_wrong(c):
    """TP + TN − FP − FN, the strongly monotone binary measure of C.6."""
    return c.tp + c.tn - c.fp - c.fn


def anything_right(c):
    """1{TP + TN > 0}, which has minimal agreement."""
    return c.where(c.tp + c.tn > 0, 1, 0)


@pytest.mark.parametrize(
    "matrix",
    [
        [[3, 1], [2, 4]],
        [[1, 2, 0], [0, 3, 1], [2, 0, 4]],
        [[1, 0, 2, 0], [0, 0, 1, 1], [3, 0, 2, 0], [0, 1, 0, 5]],
        [[int(i <= j) + i for j in range(5)] for i in range(5)],
    ],
    ids=["m=2", "m=3", "m=4", "m=5"],
)
def test_micro_averaged_right_minus_wrong_depends_on_the_hits(matrix):
    """n(m − 4) + 4r, where nm is printed; the macro average of C.6, the same over m, is right."""
    m, n, r = len(matrix), sum(map(sum, matrix)), sum(row[i] for i, row in enumerate(matrix))
    assert gm.micro(right_minus_wrong).exact(matrix) == n * (m - 4) + 4 * r != n * m
    assert gm.macro(right_minus_wrong).exact(matrix) == Fraction(n * (m - 4) + 4 * r, m)


@pytest.mark.parametrize(("m", "breaks"), [(3, False), (4, True), (5, True)])
def test_micro_averaging_breaks_strong_monotonicity_from_four_classes_on(m, breaks):
    """One error fewer must raise a strongly monotone measure; here it changes it by 4 − m."""
    more = [[1 + (i == j) for j in range(m)] for i in range(m)]
    fewer = [[x - ((i, j) == (0, 1)) for j, x in enumerate(row)] for i, row in enumerate(more)]
    assert improves_a_cell(more, fewer)
    average = gm.micro(right_minus_wrong)
    assert average.exact(fewer) - average.exact(more) == 4 - m
    assert (average.exact(fewer) <= average.exact(more)) is breaks


def test_the_weighted_example_of_c_6_is_zero_diagonal_on_both_sides():
    """−2 and −9/5 as printed, but Definition 7 leaves such pairs out."""
    fewer, more = [[0, 1, 1], [1, 0, 0], [1, 0, 0]], [[0, 1, 1], [1, 0, 1], [1, 0, 0]]
    average = gm.weighted(right_minus_wrong)
    assert (average.exact(fewer), average.exact(more)) == (-2, Fraction(-9, 5))
    assert is_zero_diagonal(fewer)
    assert is_zero_diagonal(more)
    assert not improves_a_cell(more, fewer)


def test_weighted_averaging_breaks_strong_monotonicity_within_definition_7():
    """The witness in its place: 1/2 → 1/3 when an error is removed."""
    more, fewer = [[0, 0, 1], [0, 1, 1], [1, 0, 0]], [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert improves_a_cell(more, fewer)
    average = gm.weighted(right_minus_wrong)
    assert (average.exact(more), average.exact(fewer)) == (Fraction(1, 2), Fraction(1, 3))


@pytest.mark.parametrize(
    ("matrix", "value"), [([[0, 1, 1], [1, 0, 1], [1, 1, 0]], 1), ([[0, 0, 1], [0, 0, 1], [1, 1, 0]], 2 / 3)]
)
def test_macro_averaging_loses_minimal_agreement(matrix, value):
    """C.6 prints 1 and 2/3; our text merged the two matrices into one (second list of the errata, 11)."""
    assert is_zero_diagonal(matrix)
    assert gm.macro(anything_right)(matrix) == pytest.approx(value, abs=1e-15)
