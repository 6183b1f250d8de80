"""Trees that look as if the transpose had the same value."""

from fractions import Fraction
from itertools import product

import pytest

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import check
from goodmeasure.theory.kernel.refusal import Refused

from .forging import cell, number, of_tree, on_matrix, op, over, refused

FIRST, SECOND, THIRD = map(t.ClassVariable, (1, 2, 3))


def test_sums_that_bind_different_classes_differ():
    """One sum over j of c_ij·c_ji, and one over a third class, in which i and j are given."""
    own = over(1, op("mul", cell(THIRD, FIRST), cell(FIRST, THIRD)))
    other = over(1, op("mul", cell(THIRD, SECOND), cell(SECOND, THIRD)))
    inner = over(2, op("add", op("mul", own, cell(THIRD, SECOND)), op("mul", other, cell(SECOND, THIRD))), "greatest")
    tree = over(3, op("add", own, inner))
    rows = [[1, 0, 2], [0, 3, 3], [3, 3, 1]]
    assert not (on_matrix(tree, rows) - on_matrix(tree, list(zip(*rows, strict=True)))).is_zero()
    refused(of_tree(tree, "symmetry", m=3, by="mirrored"), "transpose")


def test_nodes_that_occur_often_are_read_once():
    x = over(1, cell(FIRST, FIRST))
    for _ in range(60):
        x = op("add", x, x)
    refused(of_tree(x, "symmetry", by="mirrored"), "too many parts")


# Trees that have the same value on the transpose, and trees that look like them

C = t.Counts(None)
TRUE, PREDICTED = t.SizeOf(C, "a", FIRST), t.SizeOf(C, "b", FIRST)
HIT, OTHER = cell(FIRST, FIRST), t.Transposed(C)
REST = t.Rest(C, FIRST)
FN, FP = cell(t.Nth(1), t.Nth(0), REST), cell(t.Nth(0), t.Nth(1), REST)
TP, TN = cell(t.Nth(1), t.Nth(1), REST), cell(t.Nth(0), t.Nth(0), REST)


def by_class(term):
    return over(1, term)


SAME = {
    "sizes": by_class(op("mul", TRUE, PREDICTED)),
    "a sum": by_class(t.Ratio(HIT, op("add", TRUE, PREDICTED), number(0))),
    "a difference": by_class(op("abs", op("sub", TRUE, PREDICTED))),
    "an even power": by_class(t.ToPower(op("sub", TRUE, PREDICTED), Fraction(2))),
    "a negative even power": by_class(t.ToPower(op("sub", FN, FP), Fraction(-2))),
    "a mean": by_class(t.PowerMean((TRUE, PREDICTED), Fraction(-1))),
    "a named mean": by_class(t.OverMean(HIT, TRUE, PREDICTED, "logarithmic", None)),
    "the greater": by_class(op("max", TRUE, PREDICTED)),
    "the rest": by_class(t.Ratio(op("sub", op("mul", TP, TN), op("mul", FN, FP)), op("mul", TRUE, PREDICTED), None)),
    "pairs": t.OverPairs(C, 1, 2, cell(FIRST, SECOND), None),
    "sums in sums": over(2, over(1, op("mul", cell(FIRST, SECOND), op("mul", t.Position(FIRST), t.Position(SECOND))))),
    "excess": over(2, over(1, t.ToPower(t.Excess(C, SECOND, FIRST), Fraction(2)))),
    "equal sizes": by_class(t.Where(t.Test("eq", (TRUE, PREDICTED)), HIT, number(0))),
    "both occur": by_class(
        t.Where(t.Test("and", (t.Test("lt", (number(0), TRUE)), t.Test("lt", (number(0), PREDICTED)))), HIT, number(0))
    ),
}
DIFFERENT = {
    "one size": op("mul", by_class(t.ToPower(TRUE, Fraction(2))), number(1)),
    "a sum": by_class(t.Ratio(HIT, op("add", TRUE, op("add", TRUE, PREDICTED)), number(0))),
    "a difference": by_class(op("mul", op("sub", TRUE, PREDICTED), HIT)),
    "an odd power": by_class(op("mul", HIT, t.ToPower(op("sub", TRUE, PREDICTED), Fraction(3)))),
    "a quotient": by_class(t.Ratio(op("add", TRUE, number(1)), op("add", PREDICTED, number(1)), None)),
    "a rule": by_class(t.Ratio(HIT, HIT, TRUE)),
    "the rest": by_class(op("mul", FN, HIT)),
    "the other reading": by_class(op("mul", t.SizeOf(OTHER, "a", FIRST), HIT)),
    "the rest of the other": by_class(op("mul", cell(t.Nth(1), t.Nth(0), t.Rest(OTHER, FIRST)), HIT)),
    "pairs": t.OverPairs(C, 1, 2, op("mul", cell(FIRST, SECOND), t.Position(FIRST)), None),
    "sums in sums": over(2, op("mul", over(1, cell(FIRST, SECOND)), t.Position(SECOND))),
    "an order": by_class(t.Where(t.Test("lt", (TRUE, PREDICTED)), HIT, number(0))),
    "a branch": by_class(t.Where(t.Test("eq", (TRUE, PREDICTED)), number(0), op("mul", TRUE, HIT))),
    "a weight": t.Over("mean", C, 1, HIT, None, Fraction(1), None, TRUE),
    "a condition": t.Over("sum", C, 1, HIT, t.Test("lt", (number(1), TRUE)), Fraction(1), None, None),
    "a logarithm": by_class(t.XLogY(TRUE, op("add", PREDICTED, number(1)), None)),
}


def changes(tree):
    """Whether some matrix has another value than its transpose."""
    for cells in product(range(3), repeat=4):
        rows = [cells[:2], cells[2:]]
        try:
            values = [on_matrix(tree, x) for x in (rows, list(zip(*rows, strict=True)))]
            if (values[0] is None) != (values[1] is None):
                return True
            if values[0] is not None and not (values[0] - values[1]).is_zero():
                return True
        except Refused:
            continue
    return False


@pytest.mark.parametrize("what", SAME)
def test_trees_that_are_the_same_on_the_transpose(what):
    assert not changes(SAME[what])
    check(of_tree(SAME[what], "symmetry", m=3, by="mirrored"))
    check(of_tree(SAME[what], "symmetry", m="every", by="mirrored"))


@pytest.mark.parametrize("what", DIFFERENT)
def test_trees_that_are_another_one_on_the_transpose(what):
    assert changes(DIFFERENT[what])
    refused(of_tree(DIFFERENT[what], "symmetry", m=3, by="mirrored"), "transpose")


def test_nodes_that_are_not_read_on_a_transpose():
    mapped = t.Mapped(C, 1, 2, cell(FIRST, SECOND))
    for tree in (t.TotalOf(mapped), t.TotalOf(t.Two(*[number(1)] * 4))):
        refused(of_tree(tree, "symmetry", by="mirrored"), "not read on a transpose")
    refused(of_tree(SAME["sizes"], "class_symmetry", by="mirrored"), "not about transposes")
