"""Derivatives against differences, and values at other places."""

import random
from fractions import Fraction

import pytest

from goodmeasure.theory.kernel.calculus import at, derivative
from goodmeasure.theory.kernel.functions import arccos, exp, log
from goodmeasure.theory.kernel.means import mean_of_two
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.search.samples import SamplePoint

HALF = Fraction(1, 2)


@pytest.fixture
def ring():
    return Ring("xyz")


def number(v, place):
    return SamplePoint(v.ring, place).value(v)


def positive(ring, draw, depth):
    """A value that is seen to be positive, and differentiable."""
    if not depth:
        return ring.variable(draw.randrange(3)) if draw.random() < 0.8 else ring.number(draw.randrange(1, 5))
    one, two = positive(ring, draw, depth - 1), positive(ring, draw, depth - 1)
    match draw.randrange(6):
        case 0:
            return one + two
        case 1:
            return one * two
        case 2:
            return one / (two + ring.number(1))
        case 3:
            return (one + ring.variable(0)).power(draw.choice((HALF, Fraction(2, 3), Fraction(-3, 2))))
        case 4:
            return exp(one / (one + ring.number(1))) + two
        case _:
            return one**2


def some(ring, draw):
    """A value, differentiable where all variables are positive."""
    one, two, three = (positive(ring, draw, 2) for _ in range(3))
    return one - log(two) * three


@pytest.mark.parametrize("seed", range(60))
def test_derivatives_are_limits_of_differences(seed, ring):
    draw = random.Random(seed)
    v = some(ring, draw)
    direction = {k: draw.choice((-2, 0, 1)) for k in range(3)}
    step, place = 1e-5, [draw.uniform(0.5, 2) for _ in range(3)]
    ahead, behind = ([x + side * step * direction[k] for k, x in enumerate(place)] for side in (1, -1))
    wanted = (number(v, ahead) - number(v, behind)) / (2 * step)
    assert number(derivative(v, direction), place) == pytest.approx(wanted, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("seed", range(40))
def test_other_places_are_substitutions(seed, ring):
    draw = random.Random(seed)
    v, place = some(ring, draw), [draw.uniform(0.5, 2) for _ in range(3)]
    x, y = ring.variable(0), ring.variable(1)
    there = at(v, {0: x + y, 2: ring.number(3)})
    assert number(there, place) == pytest.approx(number(v, [place[0] + place[1], place[1], 3.0]))
    other = Ring("abc")
    moved = at(v, {k: other.variable(2 - k) for k in range(3)}, other)
    assert moved.ring is other
    assert number(moved, place[::-1]) == pytest.approx(number(v, place))


@pytest.mark.parametrize("name", ["logarithmic", "identric", "seiffert", "neuman_sandor", "heronian", "3/2", "-2", "0"])
def test_slopes_of_means(name, ring):
    x, y, z = map(ring.variable, range(3))
    v = z * mean_of_two(x * x, y + z, name)
    place, step = [1.3, 0.4, 2.0], 1e-5
    for direction in ({0: 1}, {1: -1}, {2: 1}, {0: 2, 1: 1, 2: -1}):
        ahead, behind = ([p + side * step * direction.get(k, 0) for k, p in enumerate(place)] for side in (1, -1))
        wanted = (number(v, ahead) - number(v, behind)) / (2 * step)
        assert number(derivative(v, direction), place) == pytest.approx(wanted, rel=1e-4)


def test_angles_have_slopes_inside_their_range(ring):
    x, y = ring.variable(0), ring.variable(1)
    v = arccos(x / (x + y))
    slope = derivative(v, {0: 1})
    ahead, behind = number(v, [1.3 + 1e-6, 0.7, 1]), number(v, [1.3 - 1e-6, 0.7, 1])
    assert number(slope, [1.3, 0.7, 1]) == pytest.approx((ahead - behind) / 2e-6, rel=1e-4)
    assert derivative(v, {2: 1}).is_zero()


def test_constants_have_no_slope(ring):
    x, y = ring.variable(0), ring.variable(1)
    for v in (ring.number(4), log(ring.number(2)), arccos(ring.number(Fraction(1, 3))), y, y.power(HALF) + log(y)):
        assert derivative(v, {0: 1}).number() == 0
    assert derivative(x, {0: -3}).number() == -3
    assert derivative(x, {}).number() == 0


def test_a_root_has_no_slope_where_it_is_zero(ring):
    x, y = ring.variable(0), ring.variable(1)
    v = ((x - y) ** 4).power(Fraction(1, 2)) * x
    assert number(derivative(v, {0: 1}), [2.0, 1.0, 1.0]) == pytest.approx(1 + 2 * 2)
    ring.facts = {}
    (f,) = (y - x).powers
    ring.facts[f] = 6  # not negative
    low = (y - x).power(HALF)
    with pytest.raises(Unsettled, match="divisor"):
        derivative(low, {0: 1})
    ring.facts[f] = 4
    assert derivative(low, {0: 1}).signs() == 1


def test_what_is_divided_by_stays_different_from_zero(ring):
    x, y = ring.variable(0), ring.variable(1)
    none = ring.number(0)
    assert at(x / (x + y), {0: none}).number() == 0
    assert at((x + y) / y, {0: none}).number() == 1
    for v in (y / x, y * x.power(-HALF), log(x) * y, log(x / y), y / (x * y + x)):
        with pytest.raises(Refused):
            at(v, {0: none})
    for v in (y / (x - y + y), (x - y + y).power(-HALF)):
        with pytest.raises(Refused):
            at(v, {0: x - y})
    assert at(x.power(HALF) + y, {0: none}).key == y.key
    assert at((x + y).power(HALF) + x, {0: none}).key == y.power(HALF).key
    with pytest.raises(Refused):
        at(mean_of_two(x, y, "logarithmic"), {0: none})
    assert at(mean_of_two(x, y, "logarithmic"), {0: y}).key == y.key


def test_everything_has_a_place_in_another_ring(ring):
    with pytest.raises(Refused, match="no place"):
        at(ring.variable(0) + ring.variable(1), {0: Ring("a").variable(0)}, Ring("a"))


def test_products_with_what_vanishes(ring):
    x, y = ring.variable(0), ring.variable(1)
    none = {0: ring.number(0)}
    for v in (log(x), (x + y).power(HALF), log(x + y), exp(y), mean_of_two(x, y, "logarithmic"), log(x) * log(y)):
        assert (at(x * v + y, none) - y).is_zero()
    for v in (exp(y / x), log(exp(y / x) + ring.number(1)), exp(log(x) ** 2)):
        with pytest.raises(Refused):  # x·exp(y/x) tends to infinity, and x·log(exp(y/x) + 1) to y
            at(x * v + y, none)


def test_only_what_is_named_moves(ring):
    x, y, other = ring.variable(0), ring.variable(1), Ring("ab")
    assert at(x + y, {0: y}).key == y.times(2).key
    assert at(y + ring.number(1), {0: y}).key == (y + ring.number(1)).key
    assert at(x + y, {0: other.variable(1), 1: other.variable(0)}, other).ring is other
