"""Every way to show that a sum is positive is refused where the sum is 0 or negative somewhere."""

from __future__ import annotations

import pytest

from goodmeasure.exceptions import CertificateError
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant
from goodmeasure.theory.algebra.quantities import constant, text
from goodmeasure.theory.statements.certificate import record
from goodmeasure.theory.verify.signs import check_sum, unmapped


@pytest.fixture
def ring():
    return Orthant(("x", "y"))


def node(by, x, **more):
    """Say how a sum is shown to be positive."""
    return {"by": by, "of": record(text(x)), **more}


def shown(ring, x, by, *, strict, whole=True, **more):
    check_sum(node(by, x, **more), ring, x, strict=strict, whole=whole)


def accepted(*given, **options):
    try:
        shown(*given, **options)
    except CertificateError:
        return False
    return True


def test_a_shift_shows_that_x_minus_1_is_not_negative_but_not_that_it_is_positive(ring):
    """x − 1 is 0 where x is 1, the smallest whole number."""
    x, _ = ring.context.gens()
    shown(ring, {RATIONAL: x - 1}, "shift", strict=False)
    with pytest.raises(CertificateError, match="0 where all variables are 1"):
        shown(ring, {RATIONAL: x - 1}, "shift", strict=True)
    shown(ring, {RATIONAL: 2 * x - 1}, "shift", strict=True)


def test_a_shift_is_for_whole_numbers(ring):
    """2x − 1 is −1/2 where x is 1/4."""
    x, _ = ring.context.gens()
    assert accepted(ring, {RATIONAL: 2 * x - 1}, "shift", strict=True)
    assert not accepted(ring, {RATIONAL: 2 * x - 1}, "shift", strict=True, whole=False)
    assert not accepted(ring, {RATIONAL: x - 2}, "shift", strict=False)


def test_an_even_power_shows_that_a_product_is_not_negative_but_not_that_it_is_positive(ring):
    """(x − y)² (x + y) is 0 where x is y."""
    x, y = ring.context.gens()
    product = {RATIONAL: (x - y) ** 2 * (x + y)}
    assert accepted(ring, product, "factors", strict=False)
    assert not accepted(ring, product, "factors", strict=True)
    assert not accepted(ring, {RATIONAL: -((x - y) ** 2) * (x + y)}, "factors", strict=False)
    assert not accepted(ring, {RATIONAL: (x - y) ** 3 * (x + y)}, "factors", strict=False)


def test_a_multiplier_shows_what_becomes_positive_by_it(ring):
    """x² − xy + y² times x + y is x³ + y³."""
    x, y = ring.context.gens()
    assert accepted(ring, {RATIONAL: (x + y) * (x**2 - x * y + y**2) + x * y**2}, "multiply", strict=True, power=1)
    assert not accepted(ring, {RATIONAL: x**2 - 2 * x * y + y**2}, "multiply", strict=False, power=1)
    assert not accepted(ring, {RATIONAL: x + y}, "multiply", strict=True, power=0)


def test_a_mean_of_two_bounds_lets_a_sum_be_0_at_one_of_them(ring):
    """The mean of x and y lies between them, the greatest of the two is one of them."""
    x, y = ring.context.gens()
    for kind, enough in (("mean", True), ("greatest", False)):
        key = ring.atom(kind, 1, x, x + y, positive=True)
        difference = {key: ring.one, RATIONAL: -x}  # 0 at x, and y at x + y
        ends = [{"by": "zero"}, node("coefficients", {RATIONAL: y})]
        given = {"mean": key[1], "ends": ends}
        assert accepted(ring, difference, "between", strict=False, **given)
        assert accepted(ring, difference, "between", strict=True, **given) is enough


def test_a_sum_of_a_root_and_a_polynomial_is_positive_where_its_squares_show_it(ring):
    """√(x² + y) − x is positive, since x² + y is greater than x², and x − √(x² + y) is not."""
    x, y = ring.context.gens()
    out, name = ring.root(x**2 + y)
    found = {(name,): out, RATIONAL: -x}
    nodes = {
        "up": [name],
        "positive": node("coefficients", {(name,): out}),
        "squares": node("coefficients", {RATIONAL: y}),
    }
    assert accepted(ring, found, "square", strict=True, **nodes)
    assert not accepted(ring, {key: -p for key, p in found.items()}, "square", strict=False, **nodes)


def test_squares_tell_the_order_of_two_values_of_one_sign_only(ring):
    """−3 is below 2, although 9 is above 4."""
    low, high = constant(ring, -3), constant(ring, 2)
    with pytest.raises(CertificateError, match="different signs"):
        unmapped(low, high, "square")
    assert unmapped(constant(ring, 2), constant(ring, 3), "square").sign() == 1
    assert unmapped(constant(ring, -3), constant(ring, -2), "square").sign() == 1
