"""Logarithms, arc cosines, exponentials and means as atoms: what is assumed about them holds, and nothing else is."""

import math
import random
from fractions import Fraction

import pytest

from goodmeasure.theory.kernel.calculus import at, derivative
from goodmeasure.theory.kernel.facts import know
from goodmeasure.theory.kernel.functions import arccos, exp, extreme, log, pi
from goodmeasure.theory.kernel.means import NAMES, OPEN, Mean, known_mean, mean_of_two, share, slope_of_two
from goodmeasure.theory.kernel.refusal import Refused, Unsettled
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, POSITIVE, UNKNOWN
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.search.samples import SamplePoint

HALF = Fraction(1, 2)
EVERY_MEAN = [*NAMES, "stolarsky2", "stolarsky5", "2", "-1/2", "0", "7/3", *OPEN]


@pytest.fixture
def ring():
    return Ring("xyz", whole="xyz")


def number(v, place=(2.0, 3.0, 0.7)):
    return SamplePoint(v.ring, list(place)).value(v)


def test_logarithms_of_products_are_sums(ring):
    x, y = ring.variable(0), ring.variable(1)
    v = (x + y) ** 3 * x.power(HALF) / y.times(Fraction(8, 9))
    assert (log(v) - log(x + y).times(3) - log(x).times(HALF) + log(y) - log(ring.number(Fraction(9, 8)))).is_zero()
    assert number(log(v)) == pytest.approx(math.log(number(v)))
    assert log(ring.number(1)).number() == 0
    assert (log(ring.number(12)) - log(ring.number(2)).times(2) - log(ring.number(3))).is_zero()


def test_extremes_are_what_is_known_of_them(ring):
    x, y, z = (ring.variable(k) for k in range(3))
    assert extreme([x, x + y, x], "max").text() == "(y + x)"
    assert extreme([x + y, x, x + y], "min").text() == "x"
    assert extreme([y, x, z + y], "max").text() == extreme([x, y + z], "max").text() == "max((z + y), x)"
    assert (extreme([x, y], "min") - extreme([y, x, x], "min")).is_zero()
    assert not (extreme([x, y], "min") - extreme([x, y], "max")).is_zero()
    for v, sign in (
        (extreme([x, y], "min"), POSITIVE),
        (extreme([-x, -y], "max"), NEGATIVE),
        (extreme([x, ring.number(1) - y], "max"), UNKNOWN),
        (extreme([x - y, y], "min"), UNKNOWN),
    ):
        assert v.signs() == sign
    assert number(extreme([x, y, z], "min") + extreme([x, y, z], "max").times(10)) == pytest.approx(30.7)
    for v in (extreme([x, y], "max"), x * extreme([x, y], "min") + z):
        with pytest.raises(Refused, match="no derivative"):
            derivative(v, {0: 1})
        with pytest.raises(Refused, match="another place"):
            at(v, {2: ring.number(0)})
    (f,) = (y - x).powers
    know(ring, f, NOT_NEGATIVE)
    assert extreme([x, y], "max").text() == "y"


def test_logarithms_are_of_positive_values(ring):
    x, y = ring.variable(0), ring.variable(1)
    (f,) = (y - x).powers
    for v in (x - y, (x - y) ** 2, (x - y) * x):
        with pytest.raises(Unsettled):
            log(v)
    for v in (-x, ring.number(-2)):
        with pytest.raises(Refused, match="not positive"):
            log(v)
    with pytest.raises(Refused):
        log(ring.number(0))
    know(ring, f, NEGATIVE)
    assert log(x - y).variables() == {0, 1}
    assert (log((y - x) * (y - x)) - log(x - y).times(2)).is_zero()
    with pytest.raises(Refused, match="not positive"):
        log(y - x)
    ring.facts = {}
    know(ring, f, NOT_NEGATIVE)
    with pytest.raises(Unsettled):
        log(y - x)


def test_a_logarithm_has_the_sign_of_its_argument_less_one(ring):
    x, y = ring.variable(0), ring.variable(1)
    assert log(x).signs() == UNKNOWN
    assert log(x + ring.number(1)).signs() == POSITIVE
    assert log(ring.number(3)).signs() == POSITIVE
    assert log(ring.number(HALF)).signs() == NEGATIVE
    assert log(x / (x + y)).signs() == UNKNOWN
    (f,) = (x - ring.number(1)).powers
    know(ring, f, NOT_NEGATIVE)
    assert log(x).signs() == UNKNOWN  # only signs of which there is one are used
    know(ring, f, POSITIVE)
    assert log(x).signs() == POSITIVE


def test_arc_cosines_are_of_values_between_minus_one_and_one(ring):
    x, y = ring.variable(0), ring.variable(1)
    v = arccos(x / (x + y))
    assert v.signs() == NOT_NEGATIVE
    assert number(v) == pytest.approx(math.acos(2 / 5))
    assert (v + arccos(-x / (x + y)) - pi(ring)).is_zero()
    for k, angle in ((0, HALF), (1, 0), (-1, 1), (HALF, Fraction(1, 3)), (-HALF, Fraction(2, 3))):
        assert (arccos(ring.number(k)) - pi(ring).times(angle)).is_zero()
    with pytest.raises(Unsettled):
        arccos(x)
    with pytest.raises(Unsettled):
        arccos((x - y) / (x + y) * x)
    for v in ((x + y) / x, ring.number(2), ring.number(-2)):
        with pytest.raises(Refused):
            arccos(v)
    assert arccos((x - y) / (x + y)).variables() == {0, 1}


def test_exponentials_are_positive(ring):
    x, y = ring.variable(0), ring.variable(1)
    assert exp(x - y).signs() == POSITIVE
    assert exp(x - x).number() == 1
    assert number(exp(x - y)) == pytest.approx(math.exp(-1))
    assert exp(x).key == exp(x + y - y).key != exp(y).key
    assert number(pi(ring)) == pytest.approx(math.pi)
    assert pi(ring).signs() == POSITIVE
    assert share(ring).signs() == POSITIVE
    assert number(share(ring, "share_100_7")) == pytest.approx(2**-0.07)
    assert share(ring, "share_100_7").key not in (share(ring).key, share(ring, "share_7_100").key)
    assert parsed(ring, "share_100_7").key == share(ring, "share_100_7").key


@pytest.mark.parametrize("name", EVERY_MEAN)
def test_means_are_symmetric_homogeneous_and_between(name, ring):
    x, y, z = map(ring.variable, range(3))
    u, v = x * (y + z), y * (x + z)
    mean = mean_of_two(u, v, name)
    assert mean.key == mean_of_two(v, u, name).key
    g = (x + y).power(HALF) / z.times(Fraction(2, 3))
    assert (mean_of_two(g * u, g * v, name) - g * mean).is_zero()
    assert (mean_of_two(x * u, y * u, name) - u * mean_of_two(x, y, name)).is_zero()
    assert mean_of_two(u, u, name).key == u.key
    assert (mean_of_two(u, u.times(1), name) - u).is_zero()
    assert mean.signs() == POSITIVE
    assert parsed(ring, mean.text()).key == mean.key
    draw = random.Random(3)
    for _ in range(50):
        place = [draw.uniform(0.01, 5) for _ in range(3)]
        low, high = sorted((number(u, place), number(v, place)))
        assert low < number(mean, place) < high


@pytest.mark.parametrize("name", EVERY_MEAN)
def test_slopes_of_means_are_positive_and_add_up(name, ring):
    x, y = ring.variable(0), ring.variable(1)
    mean = mean_of_two(x, y, name)
    one, two = slope_of_two(x, y, name), slope_of_two(y, x, name)
    assert one.signs() == two.signs() == POSITIVE
    assert one.key != two.key
    assert (x * one + y * two - mean).is_zero() or (mean * one - (x * one + y * two) * one).is_zero()
    assert parsed(ring, one.text()).key == one.key
    assert parsed(ring, two.text()).key == two.key
    draw = random.Random(4)
    for _ in range(50):
        place = [draw.uniform(0.1, 5) for _ in range(3)]
        assert number(one, place) > 0
        assert number(two, place) > 0
        total = place[0] * number(one, place) + place[1] * number(two, place)
        assert total == pytest.approx(number(mean, place), rel=1e-4)


def test_means_are_of_positive_values(ring):
    x, y = ring.variable(0), ring.variable(1)
    with pytest.raises(Unsettled):
        mean_of_two(x - y, y, "identric")
    with pytest.raises(Unsettled):
        mean_of_two(x * (x - y) ** 2, y * (x - y) ** 2, "identric")
    with pytest.raises(Refused, match="wrong sign"):
        mean_of_two(ring.number(0), y, "identric")
    with pytest.raises(Refused, match="wrong sign"):
        mean_of_two(-x, -y, "identric")


def test_different_means_are_different_atoms(ring):
    x, y = ring.variable(0), ring.variable(1)
    found = {mean_of_two(x, y, name).key for name in EVERY_MEAN}
    assert len(found) == len(EVERY_MEAN)
    assert (
        mean_of_two(ring.number(2), ring.number(6), "identric").key
        == mean_of_two(ring.number(1), ring.number(3), "identric").times(2).key
    )


def test_slopes_are_of_means_of_polynomials(ring):
    x, y = ring.variable(0), ring.variable(1)
    with pytest.raises(Refused, match="no atom"):
        slope_of_two(x, x, "identric")
    with pytest.raises(Refused, match="no atom"):
        slope_of_two(x * x, x * y, "identric")
    mean = mean_of_two(x.power(HALF) + y, y, "identric")
    atom = ring.atom_of(mean)
    assert isinstance(atom, Mean)
    with pytest.raises(Refused, match="with roots"):
        atom.slopes()


@pytest.mark.parametrize(
    ("text", "name"),
    [("identric", "identric"), ("stolarsky2", "stolarsky2"), ("2/4", "1/2"), ("-3", "-3"), ("r>0", "r > 0"),
     ("r<=0", "r <= 0")],
)  # fmt: skip
def test_names_of_means(text, name):
    assert known_mean(text) == name


@pytest.mark.parametrize(
    "text",
    ["", "r", "r<0", "r>=0", "stolarsky", "stolarsky1", "stolarsky0", "stolarsky-2", "stolarsky\u0663",
     "1/0", "1.5", "1e3",
     "arithmetic",
     "stolarsky2x", "9" * 60, "stolarsky" + "9" * 9, "--1", "inf"],
)  # fmt: skip
def test_names_that_are_refused(text):
    with pytest.raises(Refused, match="no mean"):
        known_mean(text)
