"""Sums of scores."""

from fractions import Fraction

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.proof import claim_of, kind_of

from .forging import cell, number, of_tree, over, refused

FIRST = t.ClassVariable(1)


def test_supports_that_are_the_same_up_to_names_are_counted():
    """M² = f(c_00) + f(c_11) with f(0) = −1 and f(c) = 1 has a value unless both are 0, so no scores make it."""
    term = t.Where(t.Test("lt", (number(0), cell(FIRST, FIRST))), number(1), number(-1))
    tree = t.ToPower(over(1, term), Fraction(1, 2))
    for symmetric in (True, False):
        data = of_tree(tree, "opitz_class_decomposable", constants={"p": "2"}, symmetric=symmetric)
        about = [x.about for x in kind_of(claim_of(data)).cases()]
        has = [x["support"][0] == "1" or x["support"][3] == "1" for x in about]
        data["cases"] = [{**x, "proof": {"by": "sum" if y else "undefined"}} for x, y in zip(about, has, strict=True)]
        refused(data, "not every pair of right predictions")
