"""Polynomials against arithmetic with numbers, and their limits."""

import random

import pytest

from goodmeasure.theory.kernel import polynomials
from goodmeasure.theory.kernel.polynomials import BITS, ONE, Polynomial, constant, exponents, variable
from goodmeasure.theory.kernel.refusal import Refused

X, Y, Z = (variable(k) for k in range(3))
NONE = constant(0)
PLACE = {0: 3, 1: -2, 2: 7}


def evaluated(p, at):
    """The value of a polynomial in whole numbers."""
    total = 0
    for e, c in p.terms.items():
        for k, x in exponents(e):
            c *= at[k] ** x
        total += c
    return total


def some(seed):
    """A polynomial in three variables."""
    draw, found = random.Random(seed), NONE
    for _ in range(draw.randrange(1, 6)):
        term = constant(draw.randrange(-9, 10))
        for v in (X, Y, Z):
            term = term * v ** draw.randrange(4)
        found = found + term
    return found


def value(p):
    return evaluated(p, PLACE)


@pytest.mark.parametrize("seed", range(40))
def test_arithmetic_is_that_of_numbers(seed):
    p, q = some(seed), some(seed + 1000)
    assert value(p + q) == value(p) + value(q)
    assert value(p - q) == value(p) - value(q)
    assert value(p * q) == value(p) * value(q) == value(q * p)
    assert value(-p) == -value(p)
    assert value(p**3) == value(p) ** 3
    assert value(p.plus(q, -5)) == value(p) - 5 * value(q)
    assert value(p.times(-4)) == -4 * value(p)
    assert p**0 == ONE
    assert not p - p
    assert p - p == NONE == p.times(0)
    assert (p + q) - q == p
    assert hash((p + q) - q) == hash(p)
    for r in (p * q, p + q, p**2):
        assert all(r.terms.values())
        assert all(sum(x for _, x in exponents(e)) <= r.degree for e in r.terms)


@pytest.mark.parametrize("seed", range(20))
def test_parts_make_up_the_whole(seed):
    p = some(seed)
    for k, v in enumerate((X, Y, Z)):
        total = NONE
        for x, part in p.by_degree(k).items():
            assert k not in part.variables()
            total = total + part * v**x
        assert total == p
    common = p.common_monomial() if p else 0
    assert p.over_monomial(common) * Polynomial({common: 1}, 9) == p
    assert p.over_monomial(common).common_monomial() == 0 if p else True
    if p:
        assert p.over(p.content()).times(p.content()) == p
        assert p.over(p.content()).content() == 1


@pytest.mark.parametrize("seed", range(20))
def test_derivatives_are_limits(seed):
    """(p(x + h) − p(x))/h at h = 0, as polynomials: the part of p(x + h) that is linear in h."""
    p, h = some(seed), variable(5)
    for k, v in enumerate((X, Y, Z)):
        moved = NONE
        for x, part in p.by_degree(k).items():
            moved = moved + part * (v + h) ** x
        assert p.derivative(k) == moved.by_degree(5).get(1, NONE)


@pytest.mark.parametrize("seed", range(20))
def test_shifts_are_substitutions(seed):
    p = some(seed)
    assert evaluated(p.shifted({0, 2}), PLACE) == evaluated(p, {0: 4, 1: -2, 2: 8})
    assert p.shifted({7}) == p


def test_a_constant_is_a_number():
    assert [p.number for p in (NONE, constant(-4), X, X + ONE)] == [0, -4, None, None]
    assert X.variables() == {0}
    assert (X * Z + Y).variables() == {0, 1, 2}
    assert list(exponents((X**3 * Z).terms.popitem()[0])) == [(0, 3), (2, 1)]


def test_what_is_too_large_is_refused(monkeypatch):
    most = polynomials.LARGEST_DEGREE
    assert most == 2**BITS - 1
    almost = X ** (most - 1)
    for make in (lambda: X**most, lambda: almost * Y, lambda: X ** (most + 1), lambda: (X + Y) ** most):
        with pytest.raises(Refused, match="too large"):
            make()
    with pytest.raises(Refused, match="exponent"):
        X**-1
    with pytest.raises(Refused, match="coefficient"):
        (constant(3) ** 1000) ** 1000
    large = constant(2 ** (polynomials.MOST_DIGITS - 2))
    with pytest.raises(Refused, match="coefficient"):
        large * (constant(4) + X)
    with pytest.raises(Refused, match="number"):
        constant(2**polynomials.MOST_DIGITS)
    monkeypatch.setattr(polynomials, "MOST_PRODUCTS", 5)
    with pytest.raises(Refused, match="polynomial is too large"):
        (X + Y + Z) * (X + Y)
    assert len((X + Y) * (X + Z)) == 4
    monkeypatch.setattr(polynomials, "MOST_TERMS", 3)
    assert len((X + Y) * (X + Y)) == 3
    with pytest.raises(Refused, match="polynomial is too large"):
        (X + Y) * (X + Z)
