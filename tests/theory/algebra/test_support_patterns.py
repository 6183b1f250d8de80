"""A definition read on a support pattern says what the same definition says of numbers."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.catalogue.family import Family
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import policy_of
from goodmeasure.theory.algebra.orthant import Orthant, Outside, Unsettled
from goodmeasure.theory.algebra.quantities import Quantity, constant, of_polynomial, sqrt
from goodmeasure.theory.algebra.slopes import at, derivative
from goodmeasure.theory.algebra.support_patterns import value_on
from tests.language.test_means_of_two import integrated

NAMES = ("c0_0", "c0_1", "c1_0", "c1_1")


def numbers_in(x: Quantity, point: tuple[int, ...]) -> float:
    """A value without atoms other than roots, arc cosines and π, with numbers put in."""

    def total(parts):
        found = 0.0
        for key, p in parts.items():
            term = int(p(*point)) * math.sqrt(int(x.orthant.roots[key[0]](*point)))
            for name in key[1:]:
                atom = x.orthant.atoms[name]
                if atom.kind in ("mean", "greatest", "least"):
                    u, v = (int(p(*point)) for p in atom.about[1:])
                    if isinstance(atom.about[0], str) and atom.about[0]:
                        term *= integrated(atom.about[0], u, v)
                        continue
                    mean = lambda r, u=u, v=v: ((u**r + v**r) / 2) ** (1 / r)  # noqa: E731
                    term *= {"greatest": max, "least": min}.get(atom.kind, lambda u, v: mean(float(atom.about[0])))(
                        u, v
                    )
                    continue
                if atom.kind == "power":
                    term *= numbers_in(atom.about[1], point) ** float(atom.about[0])
                    continue
                inner = numbers_in(atom.about[0], point) if atom.kind in ("arccos", "sqrt", "log") else 0.0
                term *= {
                    "pi": lambda y: math.pi,
                    "arccos": lambda y: math.acos(min(1.0, max(-1.0, y))),
                    "sqrt": math.sqrt,
                    "log": lambda y: math.log(y) if y else 0.0,
                }[atom.kind](inner)
            found += term
        return found

    return total(x.num) / total(x.den)


def binary() -> list[str]:
    families = ("rates", "overlap", "association", "agreement")
    return [x.name for x in gm.measures() if not isinstance(x, Family) and x.family in families]


@pytest.mark.parametrize("name", binary())
def test_every_support_pattern_gives_the_exact_values(name):
    """On each of the fifteen patterns the formula that was read gives the exact value at whole numbers."""
    measure = gm.measure(name)
    for support in itertools.product((0, 1), repeat=4):
        if not any(support):
            continue
        ring = Orthant(NAMES)
        cells = [of_polynomial(ring, g * s) for g, s in zip(ring.context.gens(), support, strict=True)]
        value = value_on(measure, [cells[:2], cells[2:]], policy_of("resolve"), ring, open_order=True)
        for point in ((1, 1, 1, 1), (2, 7, 3, 5), (9, 1, 4, 2)):
            rows = [x * s for x, s in zip(point, support, strict=True)]
            exact = measure.exact([rows[:2], rows[2:]])
            if exact is UNDEFINED:
                assert value is UNDEFINED
            else:
                assert numbers_in(value, point) == pytest.approx(float(exact), abs=1e-12)


def test_what_is_not_the_same_everywhere_is_unsettled():
    ring = Orthant(("x", "y"))
    x, y = (of_polynomial(ring, g) for g in ring.context.gens())
    with pytest.raises(Unsettled):
        (x - y).sign()
    with pytest.raises(Outside):
        bool(x > y)
    assert (x + y).sign() == 1
    assert ((x - y) * (x - y) + 3 * x * y).sign() == 1  # x² + xy + y²


def test_two_roots_are_compared_by_their_squares():
    ring = Orthant(("x", "y"))
    x, y = (of_polynomial(ring, g) for g in ring.context.gens())
    assert (sqrt(x + y) - sqrt(x)).sign() == 1
    assert (sqrt(x * y) * sqrt(x * y) - x * y).sign() == 0
    assert (sqrt(x * x * y) - x * sqrt(y)).sign() == 0
    nested = sqrt(1 + sqrt(x))
    assert (nested * nested - 1 - sqrt(x)).sign() == 0


@given(st.lists(st.integers(-3, 3), min_size=6, max_size=6), st.lists(st.integers(1, 5), min_size=2, max_size=2))
def test_derivatives_are_those_of_polynomials_and_roots(weights, point):
    """The derivative of a root is what the rule for roots says, and of a quotient what the rule for quotients says."""
    ring = Orthant(("x", "y"))
    x, y = (of_polynomial(ring, g) for g in ring.context.gens())
    a, b, c, d, _, _ = weights
    top, below = a * x + b * y + c * x * y, x + 2 * y + 1 + d * d
    by_hand = ((a + c * y) * below - top) / (below * below)
    assert not (derivative(top / below, {0: 1}) - by_hand).num
    root = sqrt(below)
    assert not (derivative(root, {0: 1}) - 1 / (2 * root)).num
    assert at(top, {0: ring.constant(point[0]), 1: ring.constant(point[1])}).as_fraction() == Fraction(
        a * point[0] + b * point[1] + c * point[0] * point[1]
    )


def test_a_value_where_the_denominator_vanishes_is_none():
    ring = Orthant(("x", "y"))
    x, y = (of_polynomial(ring, g) for g in ring.context.gens())
    assert at(x / y, {1: ring.constant(0)}) is None
    assert at(x / (x + y), {1: ring.constant(0)}).as_fraction() == 1
    assert constant(ring, Fraction(1, 3)).as_fraction() == Fraction(1, 3)
