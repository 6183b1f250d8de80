"""Texts of values: what is read, and what is refused."""

# ruff: noqa: E501

from fractions import Fraction

import pytest

from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.texts import LONGEST, expression, parsed, polynomial
from goodmeasure.theory.kernel.values import Ring


@pytest.fixture
def ring():
    return Ring(["x", "y", "c0_1"])


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x + y", "y+x"), ("-x - y", "-(x + y)"), ("2*x/3", "2/3*x"), ("x^2", "x*x"), ("x^(-1)", "1/x"), ("x^0", "1"),
        ("x^(1/2)", "sqrt(x)"), ("root(x, 3)", "x^(1/3)"), ("x^(-2/4)", "1/sqrt(x)"), ("x - y - c0_1", "x - (y + c0_1)"),
        ("x/y/c0_1", "x/(y*c0_1)"), ("6/4", "3/2"), ("247*sqrt(12)/4", "247*sqrt(3)/2"), ("acos(0)", "pi/2"),
        ("log(x*y)", "log(x) + log(y)"), ("exp(0)", "1"), ("log(1)", "0"), ("- x + y", "y - x"), ("x - x", "0"),
        ("(x + y)^2", "x^2 + 2*x*y + y^2"), ("x*sqrt(y) + x", "x*(1 + sqrt(y))"), ("sqrt(x) + 1/y", "(1 + y*sqrt(x))/y"),
        (" x ", "x"), ("acos(1/2)", "pi/3"), ("acos(-1)", "pi"), ("share*x", "x*share"),
    ],
)  # fmt: skip
def test_texts_that_say_the_same(text, same, ring):
    one, two = parsed(ring, text), parsed(ring, same)
    assert (one - two).is_zero()
    assert parsed(ring, one.text()).key == one.key


@pytest.mark.parametrize(
    "text",
    [
        "", "x +", "x y", "z", "x + z", "(x", "x)", "x**2", "x^", "x^y", "x^(1/0)", "1/0", "1/(x - x)", "sqrt(-1)", "sqrt x",
        "x^-1", "root(x, 1)", "root(x)", "root(x, y)", "log(0)", "log(x - x)", "acos(2)", "3.5", "x^1001", "pi(x)",
        "x^(1/61)", "\u0663", "²", "x^²", "mean(x, y)", "mean(other, x, y)", "mean(1/0, x, y)", "slope(logarithmic, x, x)",
        "mean(logarithmic, x - y, y)", "mean(stolarsky1, x, y)", "mean(stolarsky, x, y)", "mean(1/2, x, y", "__class__",
        "sqrt(x, y)", "exp", "log(x, y)", "x;y", "'x'", "(" * 80 + "x" + ")" * 80, "1" * 10_000, "mean(", "mean(1/2",
    ],
)  # fmt: skip
def test_texts_that_are_refused(text, ring):
    with pytest.raises(Refused):
        parsed(ring, text)


@pytest.mark.parametrize("text", [None, 3, ["x"], {"x": 1}, True, "x" * (LONGEST + 1)])
def test_what_is_no_text_is_refused(text, ring):
    with pytest.raises(Refused, match="no text"):
        parsed(ring, text)


def test_depth_is_limited_at_one_level(ring):
    """Fifty-nine brackets are read, and a sixtieth is not."""
    assert parsed(ring, "(" * 58 + "x" + ")" * 58).key == ring.variable(0).key
    with pytest.raises(Refused, match="too deeply"):
        parsed(ring, "(" * 59 + "x" + ")" * 59)
    flat = "+".join(["(x)"] * 100)
    assert parsed(ring, flat).key == ring.variable(0).times(100).key


def test_a_question_is_about_a_polynomial_in_lowest_terms(ring):
    assert ring.text(polynomial(ring, "y - x")) == "y - x"
    for text in ("x - y", "2*x + 2*y", "x*y + x", "(x + y)^2", "1/(x + y)", "3", "0", "sqrt(x + y)", "x/2 + y"):
        with pytest.raises(Refused, match="lowest terms"):
            polynomial(ring, text)
    ring.factored[polynomial(ring, "y^2 - x^2")] = [(polynomial(ring, "y - x"), 1), (polynomial(ring, "x + y"), 1)]
    with pytest.raises(Refused, match="lowest terms"):
        polynomial(ring, "y^2 - x^2")


def test_an_expression_is_any_polynomial(ring):
    assert ring.text(expression(ring, "2*x*(x - y)")) == ring.text(expression(ring, "2*x^2 - 2*x*y"))
    assert ring.text(expression(ring, "-4")) == "-4"
    assert not expression(ring, "x - x").terms
    assert expression(ring, "sqrt(x)*y").variables() == {1, 3}
    with pytest.raises(Refused, match="whole number"):
        expression(ring, "x/2")
    with pytest.raises(Refused, match="denominator"):
        expression(ring, "x/y")


def test_long_sums_are_read_as_they_are_written(ring):
    text = " + ".join(f"{k + 1}*x^{k}*y^{30 - k}" for k in range(30))
    p = expression(ring, text)
    assert len(p) == 30
    assert expression(ring, ring.text(p)) == p
    mixed = parsed(ring, "x + 1/2*y - 1/(x + y) + sqrt(x) - x")
    assert (mixed - parsed(ring, "y/2") - parsed(ring, "sqrt(x)") + parsed(ring, "1/(x + y)")).is_zero()


def test_numbers_come_out_exactly(ring):
    assert parsed(ring, "2/3 - 1/6").number() == Fraction(1, 2)
    assert parsed(ring, "(3 - 5)*(7/2)").number() == -7
    assert parsed(ring, "4^(1/2)").number() == 2
    assert parsed(ring, "8^(-2/3)").number() == Fraction(1, 4)
