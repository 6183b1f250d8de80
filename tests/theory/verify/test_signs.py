"""Every sign that the checker accepts holds wherever the variables are positive; what is 0 or negative is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product

import flint
import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError
from goodmeasure.theory.verify import atoms
from goodmeasure.theory.verify.arithmetic import ANY, Ground
from goodmeasure.theory.verify.baselines import within
from goodmeasure.theory.verify.signs import check_positive, check_slope, check_zero, unmapped
from goodmeasure.theory.verify.verify import Check


@pytest.fixture
def ground():
    return Ground(("x", "y"))


@pytest.fixture
def xy(ground):
    return [ground.value(g) for g in ground.gens]


def accepted(value, *, strict, whole=True, by="coefficients"):
    try:
        check_positive({"by": by}, value, strict=strict, whole=whole)
    except CertificateError:
        return False
    return True


def test_x_minus_1_is_not_negative_for_whole_numbers_but_not_positive(xy):
    """x − 1 is 0 where x is 1, the smallest whole number."""
    x, _ = xy
    assert accepted(x - 1, strict=False)
    assert not accepted(x - 1, strict=True)
    assert accepted(2 * x - 1, strict=True)
    assert not accepted(x - 2, strict=False)


def test_a_shift_is_for_whole_numbers(xy):
    """2x − 1 is −1/2 where x is 1/4."""
    assert not accepted(2 * xy[0] - 1, strict=False, whole=False)


def test_an_even_power_is_not_negative_but_may_be_0(xy):
    """(x − y)² (x + y) is 0 where x is y."""
    x, y = xy
    assert accepted((x - y) ** 2 * (x + y), strict=False)
    assert not accepted((x - y) ** 2 * (x + y), strict=True)
    assert not accepted(-((x - y) ** 2) * (x + y), strict=False)
    assert not accepted((x - y) ** 3 * (x + y), strict=False)


def test_a_multiplier_shows_what_becomes_positive_by_it(xy):
    """x² − xy + y² times x + y is x³ + y³."""
    x, y = xy
    assert accepted(x**2 - x * y + y**2, strict=True, whole=False)
    assert not accepted(x**2 - 2 * x * y + y**2, strict=True)
    assert not accepted(x**2 - 3 * x * y + y**2, strict=False)


def test_a_product_may_show_a_sign_that_its_factors_do_not(xy):
    """A power of x + y up to the third makes the product positive, but not its factor; the same for shifts."""
    x, y = xy
    factor = x**3 - 2 * x**2 * y + x * y**2 + 6 * y**3
    assert not accepted(factor, strict=True, whole=False)
    assert accepted(factor * (x + 2 * y), strict=True, whole=False)
    assert not accepted((factor - 6 * y**3) * (x + 2 * y), strict=True, whole=False)  # x·(x − y)² is 0 where x is y


def test_a_mean_lies_strictly_between_its_ends_and_the_greatest_value_is_one_of_them(xy):
    x, y = xy
    mean = atoms.mean(x, x + y, Fraction(2))
    assert accepted(mean - x, strict=True, whole=False)
    assert accepted(x + y - mean, strict=True, whole=False)
    assert not accepted(mean - x - y, strict=False)
    greatest = atoms.greatest([x, y])
    assert accepted(greatest - x, strict=False)
    assert not accepted(greatest - x, strict=True)
    assert not accepted(x - greatest, strict=False)


def test_the_greatest_of_three_values_is_one_of_them(ground, xy):
    x, y = xy
    three = atoms.greatest([x**2, 2 * y, x * y + 3])
    assert accepted(three - x * y, strict=True)
    assert accepted(three - 2 * y, strict=False)
    assert not accepted(three - 2 * y, strict=True)
    assert not accepted(2 * y - three, strict=False)
    assert not accepted(three - 3 * y, strict=False)
    assert (atoms.least([-(x**2), -2 * y, -x * y - 3]) + three).is_zero


def test_a_root_is_compared_by_squares(xy):
    """√(x² + y) − x is positive, since x² + y is greater than x², and x − √(x² + y) is not."""
    x, y = xy
    root = atoms.root(x**2 + y, 2)
    assert accepted(root - x, strict=True, whole=False)
    assert not accepted(x - root, strict=False)
    assert not accepted(root - 2 * x, strict=False)
    assert (root * root - x * x - y).is_zero


def test_roots_of_products_come_apart(xy):
    x, y = xy
    both = atoms.root(x * y * (x + y), 2) * atoms.root(12 * x * (x + y), 2)
    assert (both - 2 * x * (x + y) * atoms.root(3 * y, 2)).is_zero
    assert (atoms.root((x - y) ** 2, 2) - atoms.size(x - y)).is_zero  # and not x − y, which may be negative


def test_an_absolute_value_is_known_by_its_square_and_not_by_its_sign(xy):
    x, y = xy
    t = abs(x - y)
    assert (t * t - (x - y) ** 2).is_zero
    assert accepted(t, strict=False)
    assert not accepted(t, strict=True)
    assert accepted(x + y - t, strict=True, whole=False)
    assert not accepted(x - t, strict=False)


def test_a_logarithm_has_the_sign_of_what_exceeds_1(xy):
    x, y = xy
    assert accepted(atoms.log((x + y) / x), strict=True, whole=False)
    assert accepted(-atoms.log(x / (x + y)), strict=True, whole=False)
    assert not accepted(atoms.log(x / y), strict=False)


def test_squares_tell_the_order_of_two_values_of_one_sign_only(ground):
    """−3 is below 2, although 9 is above 4."""
    low, high = ground.rational(-3), ground.rational(2)
    with pytest.raises(CertificateError, match="different signs"):
        unmapped(low, high, "square")
    assert unmapped(ground.rational(2), ground.rational(3), "square").sign() == 1
    assert unmapped(ground.rational(-3), ground.rational(-2), "square").sign() == 1


def test_angles_are_compared_only_if_they_are_scaled_alike(xy):
    x, y = xy
    near, far = (atoms.angle_of(p / (x + y)) for p in (x + y / 2, x / 2))
    assert unmapped(-far, -near, "arccos").sign() == 1
    with pytest.raises(CertificateError, match="scaled differently"):
        unmapped(-2 * far, -near, "arccos")
    with pytest.raises(CertificateError, match="multiple of one angle"):
        unmapped(-far, -x, "arccos")
    with pytest.raises(CertificateError, match="no map"):
        unmapped(-far, -near, "sine")


def test_a_rule_that_is_not_known_shows_nothing(xy):
    for by in ("belief", "zero", None, "undefined"):
        assert not accepted(xy[0], strict=True, by=by)
    with pytest.raises(CertificateError, match="does not say"):
        check_zero({"by": "coefficients"}, xy[0] - xy[0])
    with pytest.raises(CertificateError, match="should be 0"):
        check_zero({"by": "zero"}, xy[0])


def test_zero_is_not_positive(ground):
    nothing = ground.rational(0)
    assert accepted(nothing, strict=False, by="zero")
    assert not accepted(nothing, strict=True, by="zero")
    assert not accepted(nothing, strict=True)


def test_a_wrong_derivative_is_noticed(xy):
    x, y = xy
    value = atoms.root(x**2 + y, 2) / (x + 1)
    right = atoms.derivative(value, {"x": 1, "y": -2})
    check_slope(value, right, {"x": 1, "y": -2})
    with pytest.raises(CertificateError, match="derivative"):
        check_slope(value, right + 1, {"x": 1, "y": -2})


def test_roots_are_compared_by_their_whole_powers(ground, xy):
    """(x + y)^(1/3) is greater than x^(1/3), and 2y exceeds y^(1/3) only where y is large enough."""
    x, y = xy
    third, fifth = (lambda z: atoms.power(z, Fraction(1, 3))), (lambda z: atoms.power(z, Fraction(2, 5)))
    assert accepted(1 - third(x / (x + y)), strict=True, whole=False, by="powers")
    assert accepted(1 - fifth(x / (x + y)), strict=True, whole=False, by="powers")
    assert accepted(third((x + y) / x) - 1, strict=True, whole=False, by="powers")
    assert not accepted(1 - third(x / y), strict=False, whole=False, by="powers")
    assert not accepted(third(x / (x + y)) - 1, strict=False, whole=False, by="powers")
    assert not accepted(2 * y - third(y), strict=False, whole=False, by="powers")
    assert not accepted((x - y) - third(x + y), strict=False, by="powers")


def test_a_sum_of_logarithms_is_the_logarithm_of_a_product(ground, xy):
    """log(x + y) + log(x + 2y) − 2 log x is positive; with 3 log x it is negative where x is large."""
    x, y = xy
    one, two, base = atoms.log(x + y), atoms.log(x + 2 * y), atoms.log(x)
    assert accepted(one + two - 2 * base, strict=True, whole=False, by="logarithms")
    assert not accepted(2 * base - one - two, strict=False, whole=False, by="logarithms")
    assert not accepted(one + two - 3 * base, strict=False, whole=False, by="logarithms")
    assert not accepted(x * one - x * two, strict=False, whole=False, by="logarithms")
    assert not accepted(one - base - 1, strict=False, whole=False, by="logarithms")
    assert accepted(atoms.log(x * (x + 2 * y) + y * y) - 2 * one, strict=False, whole=False, by="logarithms")
    assert not accepted(atoms.log(x * (x + 2 * y) + y * y) - 2 * one, strict=True, whole=False, by="logarithms")


def test_one_end_is_enough_only_on_the_right_side_of_an_extreme(ground, xy):
    """max(x, y) − x/2 − y/3 is positive because of x or y; min(x, y) − x/2 is not."""
    x, y = xy
    assert accepted(atoms.greatest([x + y, 2 * x]) - x, strict=True, whole=False, by="between")
    assert not accepted(atoms.least([x, y]) - x / 2, strict=False, whole=False, by="between")
    assert accepted(x - atoms.least([x / 2, y]), strict=True, whole=False, by="between")
    assert accepted(abs(x - y) + x - y, strict=False, whole=False, by="between")
    assert not accepted(abs(x - y) + x - y, strict=True, whole=False, by="between")
    assert not accepted(x - abs(x - y), strict=False, whole=False, by="between")


def test_an_absolute_value_that_is_0_has_a_value(xy):
    """|x − y| at x = y is a ball around 0 that is not exactly 0; its powers are numbers all the same."""
    x, y = xy
    for power, wanted in ((1, 5.1), (2, 5.1)):
        found = atoms.ball(x * atoms.size(x - y) ** power + y, {"x": Fraction(51, 10), "y": Fraction(51, 10)})
        assert abs(float(found.mid()) - wanted) < 1e-9


def test_a_quadratic_has_the_sign_of_its_leading_term_if_its_discriminant_allows(xy):
    x, y = xy
    assert (7 * x * x - 6 * x * y + 2 * y * y).signs() == {1}
    assert (6 * x * y - 7 * x * x - 2 * y * y).signs() == {-1}
    assert (x * x - 2 * x * y + y * y).signs() == {0, 1}
    assert (x * x - 3 * x * y + y * y).signs() == {-1, 0, 1}  # negative at x = y
    roots = atoms.root(x, 2) * atoms.root(y, 2) * atoms.root(2 * x.ground.one, 2)
    assert (3 * x + 2 * y - 3 * roots).signs() == {1}  # the square is 9x² − 6xy + 4y²
    assert (2 * x * x - 7 * x * y + 6 * y * y).signs() == {-1, 0, 1}


def test_logarithms_are_bounded_by_rational_numbers(ground, xy):
    x, y = xy
    log2, more = atoms.log(ground.rational(2)), atoms.log((3 * x + y) / x)  # log 2 = 0.6931…; more > log 3 = 1.0986…
    assert (log2 - Fraction(693, 1000)).signs() == {1}
    assert (log2 - Fraction(694, 1000)).signs() == {-1}
    assert (more * x + log2 * y - x - Fraction(6, 10) * y).signs() == {1}
    assert (x - more * x).signs() == {-1}
    assert (more - Fraction(11, 10)).signs() == {-1, 0, 1}
    assert (Fraction(12, 10) - more).signs() == {-1, 0, 1}  # it has no upper bound


def test_tangents_bound_sums_of_logarithms_from_one_side(xy):
    """x·log(x/y) + y − x is 0 where x is y, and positive elsewhere; half of it is not."""
    x, y = xy
    gap = x * atoms.log(x / y) + y - x
    assert accepted(gap, strict=False, by="tangents of logarithms")
    assert accepted(gap + 1, strict=True, whole=False)
    assert not accepted(gap, strict=True)
    assert not accepted(-gap, strict=False)
    assert not accepted(x * atoms.log(x / y) + (y - x) / 2, strict=False)
    assert accepted((x - y) * atoms.log(x / y), strict=False)  # a product of two factors of open signs
    assert not accepted((x - y) * atoms.log(y / x), strict=False)


def test_sums_of_logarithms_that_cancel_are_zero(ground, xy):
    x, y = xy
    check_zero({"by": "zero"}, atoms.log(x * y) - atoms.log(x) - atoms.log(y))
    check_zero({"by": "zero"}, atoms.log(9 * x / y) - 2 * atoms.log(ground.rational(3)) + atoms.log(y / x))
    with pytest.raises(CertificateError):
        check_zero({"by": "zero"}, atoms.log(x * y) - atoms.log(x) + atoms.log(y))


def test_a_value_without_atoms_is_a_fraction_at_a_point():
    ground = Ground(("x", "y"))
    x, y = (ground.value(g) for g in ground.gens)
    point = {"x": 7, "y": 3}
    assert atoms.number_at((x - y) / (x + y), point) == flint.fmpq(2, 5)
    assert atoms.number_at(atoms.root(x * x + y, 2), point) is None
    assert atoms.number_at(x / y, {"x": 7, "y": Fraction(1, 2)}) is None


def test_a_polynomial_that_takes_both_signs_is_given_up_at_once_and_no_other():
    ground = Ground(("x", "y", "z"))
    ground._samples = [[1, 2, 3], [3, 2, 1], [2, 1, 40], [40, 1, 2]]
    x, y, z = ground.gens
    for open_sign in (x - y, x * y - z, x**2 + y - 3 * z):
        assert ground._takes_both(open_sign, ())
        assert ground.signs(open_sign, ()) == ANY
    for p in ((x - y) ** 2 + z, x**2 - x * y + y**2, -((x - y) ** 2)):
        assert not ground._takes_both(p, ())
        assert ground.signs(p, ()) != ANY


@pytest.mark.parametrize("name", ["kappa", "k_cost"])
def test_supports_of_a_block_are_left_out_only_where_classes_are_treated_alike(name):
    measure = gm.kappa if name == "kappa" else gm.k_cost(costs=[[0, 1, 4], [2, 0, 1], [5, 1, 0]])
    certificate = gm.check(measure, 3, properties="maximal_agreement")["maximal_agreement"].certificate
    check = Check(certificate, measure)
    for whole in ("111111111", "111111000", "110110000"):
        inside = [
            "".join(map(str, x))
            for x in product((0, 1), repeat=9)
            if all(w == "1" or not y for w, y in zip(whole, x, strict=True))
        ]
        found = within(check, whole, inside)
        keeping = [p for p in permutations(range(3)) if renamed(whole, p) == whole]
        reached = {renamed(x, p) for x in found for p in keeping}
        assert reached >= set(inside)
        if name == "kappa":
            assert all(renamed(x, p) == x or renamed(x, p) not in found for x in found for p in keeping)
        else:
            assert found == inside


def renamed(support, p):
    return "".join(support[p[i] * 3 + p[j]] for i in range(3) for j in range(3))
