"""Statements for every number of classes."""

import pytest

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.claim import Branch, check_node
from goodmeasure.theory.kernel.proof import claim_of, kind_of
from goodmeasure.theory.kernel.refusal import Refused

from .forging import cell, number, of_tree, op, over, refused

FIRST, SECOND = t.ClassVariable(1), t.ClassVariable(2)
C = t.Counts(None)
HITS, ITEMS, CLASSES = over(1, cell(FIRST, FIRST)), t.TotalOf(C), t.CountOfClasses(C)
AWAY = op("sub", CLASSES, number(3))  # 0 for three classes
FLAT = op("mul", op("mul", AWAY, AWAY), t.Ratio(HITS, ITEMS, None))
BY = {"m": "every", "by": "class by class"}


def claimed(tree, name, **more):
    return of_tree(tree, name, **BY, **{"about": {"share": "m", "answers": []}, **more})


def test_moves_that_leave_all_classes_as_they_are():
    """The measure is 0 for three classes, so it does not rise."""
    data = claimed(FLAT, "monotone")
    kind = kind_of(claim_of(data), "class by class")
    data["cases"] = [{**x.about, "proof": {"by": "stays"}} for x in kind.cases()]
    refused(data, "a move may leave all classes")


def test_no_case_is_split_by_the_order_of_the_number_of_classes():
    """What a split by sign supposes of k would be said of another number of classes after it."""
    kind = kind_of(claim_of(claimed(FLAT, "monotone")), "class by class")
    case = next(iter(kind.cases()))
    for names in (["k", "1"], ["k", "c0_0"], ["c0_0", "k"]):
        with pytest.raises(Refused, match="no case is split by k"):
            check_node(case, Branch(kind.ring), {"split": {"variables": names}})
    errors = kind_of(claim_of(of_tree(t.Ratio(HITS, ITEMS, None), "distance", m="every", by="errors")), "errors")
    with pytest.raises(Refused, match="no case is split by k"):
        check_node(next(iter(errors.cases())), Branch(errors.ring), {"split": {"variables": ["k", "e"]}})


def test_scores_depend_on_one_class():
    term = op("sqrt", op("add", cell(SECOND, SECOND), HITS))  # with the right predictions of all classes
    tree = t.Ratio(over(2, term), CLASSES, None)
    refused(claimed(tree, "opitz_class_decomposable", constants={"p": "1"}, cases=[]), "depends on all classes")


def test_a_constant_for_all_numbers_of_classes_depends_on_none():
    tree = over(
        1,
        t.Ratio(
            op("mul", ITEMS, cell(FIRST, FIRST)), op("mul", t.SizeOf(C, "a", FIRST), t.SizeOf(C, "b", FIRST)), None
        ),
    )
    name = "opitz_chance_corrected_completely"
    data = of_tree(tree, name, m="every", domain="regular", by="guesses", cases=[], constants={"Omega": "m"})
    refused(data, "not one number")
