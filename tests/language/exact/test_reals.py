"""Exact numbers: arithmetic, order, equality, text, and what stays undecided."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import UNDEFINED, Exact, arccos, log, power, sqrt
from goodmeasure.language.policy import Undecided

rationals = st.fractions(min_value=-20, max_value=20, max_denominator=30)
positive = st.fractions(min_value=Fraction(1, 30), max_value=50, max_denominator=30)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Exact.of(-1) / 11, "-1/11"),
        (5 * sqrt(3) / 12, "5*sqrt(3)/12"),
        (sqrt(2) / 2 - 1, "-1 + sqrt(2)/2"),
        (-sqrt(8), "-2*sqrt(2)"),
        (log(12), "2*log(2) + log(3)"),
        (log(3) / log(2), "log(3)/log(2)"),
        (arccos(Fraction(1, 3)) / reals.pi(), "acos(1/3)/pi"),
        (arccos(Fraction(1, 2)) / reals.pi(), "1/3"),
        (power(Exact.of(20), Fraction(1, 3)) / 4, "root(20, 3)/4"),
        (power(Exact.of(54), Fraction(1, 3)), "3*root(2, 3)"),
        (Exact.of(0), "0"),
        (1 / (sqrt(2) + sqrt(3)), "-sqrt(2) + sqrt(3)"),
        (1 / (1 + log(2)), "1/(1 + log(2))"),
        (UNDEFINED + 1, "undefined"),
    ],
)
def test_numbers_print_as_formulas(value, text):
    assert str(value) == text
    assert repr(value) == text


@given(x=positive, y=positive, p=rationals, q=rationals)
def test_sums_of_roots_are_added_multiplied_and_divided_exactly(x, y, p, q):
    a, b = p + sqrt(x), q - sqrt(y)
    assert (a + b) - b == a
    assert a * b == b * a
    if b != 0:
        assert (a / b) * b == a
    assert float(a * b) == pytest.approx(float(a) * float(b), rel=1e-9, abs=1e-9)


@given(x=positive, y=positive)
def test_order_agrees_with_floats_where_they_differ(x, y):
    for f, g in ((sqrt, math.sqrt), (log, math.log)):
        if abs(g(x) - g(y)) > 1e-9:
            assert (f(x) < f(y)) == (g(x) < g(y))
    assert (sqrt(x) == sqrt(y)) == (x == y)
    assert sqrt(x) * sqrt(x) == x
    assert log(x) + log(y) == log(x * y)


def test_near_ties_are_decided():
    """√2 + √3 and √(5 + 2√6) are equal; 10 − 3√11 is small and positive."""
    assert sqrt(2) * sqrt(3) == sqrt(6)
    assert 10 - 3 * sqrt(11) > 0
    assert (sqrt(2) + sqrt(3)) ** 2 == 5 + 2 * sqrt(6)
    tiny = sqrt(Fraction(10**40 + 1)) - 10**20
    assert tiny > 0
    assert float(tiny) == pytest.approx(0.5e-20)


def test_what_no_theorem_decides_says_so():
    nested = sqrt(5 + 2 * sqrt(6))
    assert float(nested - sqrt(2) - sqrt(3)) == pytest.approx(0, abs=1e-12)
    with pytest.raises(Undecided, match="no theorem"):
        assert nested == sqrt(2) + sqrt(3)
    assert nested == sqrt(5 + 2 * sqrt(6)), "the same expression is equal to itself"
    assert nested > sqrt(2)


def test_huge_radicands_are_compared_without_factoring_them():
    p, q = 10**60 + 7, 10**61 + 9
    assert sqrt(p * p * q) == p * sqrt(q)
    assert sqrt(p * q) * sqrt(q) == q * sqrt(p)
    assert sqrt(p) + sqrt(q) - sqrt(q) == sqrt(p)
    assert sqrt(p) != sqrt(q)


def test_a_huge_radicand_meets_the_small_one_that_it_is_a_square_multiple_of():
    prime, large = 2003, 2**61 - 1  # the square is too large to be found by factoring
    huge, small = sqrt(prime * large**2), sqrt(prime) * large
    assert huge - small == 0
    assert small - huge == 0


def test_rationals_mix_with_python_numbers():
    x = Exact.of(Fraction(1, 3))
    assert x == Fraction(1, 3)
    assert x != 1 / 3, "as with fractions: the float is another number"
    assert hash(x) == hash(Fraction(1, 3))
    assert 1 - x == Fraction(2, 3)
    assert 1 / x == 3
    assert x < 0.5
    assert {Exact.of(2): "two"}[2] == "two"
    assert x.as_fraction() == Fraction(1, 3)
    assert abs(-x) == x
    assert sorted([sqrt(2), x, 1]) == [x, 1, sqrt(2)]


def test_a_float_means_its_shortest_decimal():
    assert Exact.of(0.1) == Fraction(1, 10)
    assert Exact.of(0.1) + 0.2 == Fraction(3, 10)


def test_irrational_numbers_are_no_fractions():
    with pytest.raises(ValueError, match="not rational"):
        sqrt(2).as_fraction()
    assert not sqrt(2).is_rational
    assert (sqrt(2) * sqrt(2)).is_rational


def test_undefined_spreads_and_compares_as_false():
    assert math.isnan(float(UNDEFINED))
    assert not UNDEFINED == UNDEFINED  # noqa: SIM201 - the operator is what is tested
    assert not sqrt(2) < UNDEFINED
    for value in (1 + UNDEFINED, UNDEFINED * 0, sqrt(2) / UNDEFINED, -UNDEFINED, UNDEFINED**2, sqrt(UNDEFINED)):
        assert value is UNDEFINED


def test_a_float_that_is_no_number_makes_everything_undefined():
    for x in (Exact.of(1), Exact.of(Fraction(1, 3)), sqrt(2)):
        for value in (x + math.nan, math.nan + x, x - math.nan, math.nan - x, x * math.nan, x / math.nan):
            assert value is UNDEFINED
        assert not any((x < math.nan, x <= math.nan, x > math.nan, x >= math.nan, x == math.nan))


@pytest.mark.parametrize("r", [0.12345, 0.7234987234987, 2**0.5, -1e-9, 3.3e-5, 78.123])
def test_powers_with_a_float_as_exponent_are_exact_and_cancel(r):
    """The denominator of such an exponent may have 16 digits."""
    for x in (Exact.of(Fraction(50, 21)), sqrt(6), Exact.of(Fraction(2**8, 3))):
        value = x**r
        assert float(value) == pytest.approx(float(x) ** r, rel=1e-12)
        assert value ** (1 / Fraction(reals.exponent_of(r))) == x
        assert (x * x) ** r == value * value
    assert float((1 + sqrt(2)) ** r) == pytest.approx((1 + 2**0.5) ** r, rel=1e-12)


def test_a_float_as_exponent_is_the_simplest_fraction_that_reads_as_it():
    assert [reals.exponent_of(x) for x in (1 / 3, 0.1, 2.0, -0.12345)] == [
        Fraction(1, 3), Fraction(1, 10), Fraction(2), Fraction(-2469, 20000)
    ]  # fmt: skip
    assert all(float(reals.exponent_of(x)) == x for x in (math.pi, 1e-30, 1e300, 0.1 + 0.2))


def test_a_power_that_is_too_large_to_be_written_down_is_refused_with_the_reason():
    for x in (Exact.of(2), 1 + sqrt(2)):
        with pytest.raises(Undecided, match="written down exactly"):
            x**10**9
    assert Exact.of(-1) ** 10**9 == 1
    assert float(power(Exact.of(2), Fraction(10**9)) ** Fraction(1, 10**9)) == pytest.approx(2)


def test_whole_numbers_stay_exact_in_every_operation():
    assert Exact.of(7) / 2 == Fraction(7, 2)
    assert Exact.of(2) ** -3 == Fraction(1, 8)
    assert (Exact.of(10**40) / 3).as_fraction() == Fraction(10**40, 3)
    assert type(Exact.of(4).as_fraction()) is Fraction
    assert hash(Exact.of(6) / 2) == hash(3)
    assert str(Exact.of(True) + sqrt(8)) == str(sqrt(8) + 1)


def test_division_by_zero_and_infinity_are_errors():
    with pytest.raises(ZeroDivisionError):
        Exact.of(1) / (sqrt(2) - sqrt(2))
    with pytest.raises(ValueError, match="not a real number"):
        Exact.of(math.inf)


def test_floats_are_right_to_the_last_digits_even_after_cancellation():
    value = sqrt(10**30 + 1) - sqrt(10**30)
    assert float(value) == pytest.approx(0.5e-15, rel=1e-12)
    assert float(Exact.of(Fraction(10**400, 3 * 10**399))) == pytest.approx(10 / 3)
