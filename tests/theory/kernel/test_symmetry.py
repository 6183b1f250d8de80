"""Trees that look as if they treated all classes alike."""

from fractions import Fraction

import pytest

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel import check

from .forging import cell, number, of_tree, on_matrix, op, over, refused

FIRST, SECOND = t.ClassVariable(1), t.ClassVariable(2)
TURNED = ((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0)))  # the same when both classes are exchanged


def is_symmetric(tree):
    rows = [[1, 2], [3, 5]]
    values = [on_matrix(tree, x) for x in (rows, [row[::-1] for row in rows[::-1]])]
    return (values[0] - values[1]).is_zero()


def test_a_table_of_two_classes_of_the_matrix():
    tree = over(2, over(1, op("mul", t.Tabled(TURNED, FIRST, SECOND, None), cell(FIRST, SECOND))))
    assert is_symmetric(tree)
    check(of_tree(tree, "class_symmetry", by="classes alike"))


@pytest.mark.parametrize("other", [t.Nth(0), t.ClassVariable(2)])
def test_a_table_of_another_class(other):
    """The second class is a position, or one of a class against the rest: these are not renamed."""
    term = op("mul", t.Tabled(TURNED, FIRST, other, None), cell(FIRST, FIRST))
    if isinstance(other, t.ClassVariable):
        rest = t.Rest(t.Counts(None), t.ClassVariable(3))
        inner = op("mul", cell(other, other, rest), over(1, term))
        tree = over(3, over(2, inner, of=rest))
    else:
        tree = over(1, term)
    refused(of_tree(tree, "class_symmetry", by="classes alike"), "treated differently")


@pytest.mark.parametrize(
    "tree",
    [
        cell(t.Nth(0), t.Nth(0)),
        over(1, op("mul", t.Position(FIRST), cell(FIRST, FIRST))),
        over(1, cell(FIRST, t.Nth(1))),
        over(1, t.SizeOf(t.Rest(t.Counts(None), t.Nth(1)), "a", t.Nth(0))),
        t.Listed("sum", (cell(t.Nth(0), t.Nth(1)), number(0)), (), Fraction(1), (), ()),
        over(1, cell(FIRST, FIRST, t.Rest(t.Counts(None), t.Nth(0))), of=t.Rest(t.Counts(None), t.Nth(0))),
        over(1, cell(t.Nth(0), FIRST), of=t.Rest(t.Counts(None), t.Nth(0))),
        over(2, op("mul", over(1, cell(FIRST, FIRST, t.Rest(t.Counts(None), SECOND))), number(1))),
    ],
)
def test_classes_are_named_by_position(tree):
    assert tree.classes is None
    refused(of_tree(tree, "class_symmetry", by="classes alike"), "treated differently")


def test_a_formula_for_two_classes():
    refused(of_tree(cell(t.Nth(0), t.Nth(1), t.Counts(2)), "class_symmetry", by="classes alike"), "differently")


def test_a_table_for_three_classes():
    rows = tuple(tuple(Fraction(i == j) for j in range(3)) for i in range(3))
    refused(
        of_tree(over(1, t.Tabled(rows, FIRST, FIRST, None)), "class_symmetry", m=3, by="classes alike"), "differently"
    )
    uneven = ((Fraction(0), Fraction(1)), (Fraction(2), Fraction(0)))
    tree = over(2, over(1, op("mul", t.Tabled(uneven, FIRST, SECOND, None), cell(FIRST, SECOND))))
    assert not is_symmetric(tree)
    refused(of_tree(tree, "class_symmetry", by="classes alike"), "differently")
