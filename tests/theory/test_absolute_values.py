"""Measures with absolute values, greatest values and roots are judged on every property, without an error."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from tests.theory.brute_force import Values, higher_baseline


def bias(c):
    return 1 - abs(c.ratio(c.fp - c.fn, c.n))


def odds(c):
    return abs(c.ratio(c.fp - c.fn, c.tp))


def greatest(c):
    return c.max(c.ratio(c.fp, c.tp), c.ratio(c.fn, c.tp))


def by_choice(c):
    x = c.fp - c.fn
    return 1 - c.ratio(c.where(x > 0, x, -x), c.n)


def rounded(c):
    return c.ratio(round(c.tp + c.tn), c.n)


def rooted(c):
    return c.ratio(c.tp**2 + c.tn**2, c.n**2) ** 0.5


SMOOTHNESS = ("sebastiani_con", "approximate_constant_baseline(order=2)")


@pytest.mark.parametrize("function", [bias, by_choice, rooted])
def test_kinks_and_bends_are_found(function):
    report = gm.check(function, properties=SMOOTHNESS)
    assert report.statuses == dict.fromkeys(SMOOTHNESS, "refuted")
    assert report["sebastiani_con"].n == 2


def test_a_pole_is_found():
    assert gm.check(greatest, properties=["sebastiani_con"])["sebastiani_con"].status == "refuted"


@pytest.mark.parametrize("function", [odds, greatest])
def test_a_measure_without_values_at_the_extreme_is_not_said_to_have_it(function):
    assert gm.check(function, properties=["minimal_agreement"])["minimal_agreement"].status in (
        "refuted",
        "vacuous",
        "held",
    )


def test_a_rounded_count_is_a_black_box():
    report = gm.check(rounded, properties=["symmetry", "sebastiani_con"], n=6)
    assert report.statuses == {"symmetry": "held", "sebastiani_con": "held"}


def test_a_baseline_of_order_1_needs_no_derivative():
    """Order 1 asks for the constant only, so a size that has no slope does not matter."""

    def capped(c):
        share = c.ratio(c.tp * c.tn - c.fp * c.fn, (c.tn + c.fp) * (c.n + 1), otherwise=1)
        return c.max(abs(share), 0.5)

    name = "approximate_constant_baseline(order=1)"
    verdict = gm.check(capped, properties=name, undefined=5)[name]
    assert verdict.status == "proved"
    assert gm.verify(verdict)


def covariance(c):
    return c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2)


def size(c):
    return abs(covariance(c))


def cube(c):
    return abs(covariance(c)) ** 3


def between_powers(c):
    return c.power(abs(covariance(c)), 1.5)


def step(c):
    return c.where(c.tp * c.tn > c.fp * c.fn, 1, 0)


def squared(c):
    return covariance(c) ** 2


def replayed(witness, function):
    """Return what the last line of a witness says, which is that the statement holds on its matrices."""
    *before, line = witness.replay.split("; ")
    names = {function.__name__: function}
    exec("; ".join(before), names)
    return eval(line, names)


@pytest.mark.parametrize(
    ("function", "order", "says"),
    [
        (size, 2, "the slope by the number of agreements is 1/2 above and -1/2 below"),
        (cube, 3, "different derivatives of order 3 above and below"),
        (between_powers, 2, "changes like the number of agreements to the power 3/2"),
        (step, 2, "jumps"),
        (squared, 2, "the derivative of order 2 by the number of agreements is 1/2, not 0"),
    ],
)
def test_a_derivative_that_does_not_exist_does_not_vanish(function, order, says):
    """A baseline of higher order asks for derivatives where labelings are independent; a corner has none there."""
    name, before = (f"approximate_constant_baseline(order={k})" for k in (order, order - 1))
    report = gm.check(function, properties=[name, before], domain="regular", n=3)
    assert (report[name].status, report[name].n) == ("refuted", 2)
    assert says in report[name].witness.says
    assert report[before].status != "refuted"
    assert not replayed(report[name].witness, function)


@pytest.mark.parametrize("domain", ["all", "regular"])
@pytest.mark.parametrize(
    "name", ["cramers_v", "tschuprows_t", "pearson_contingency", "lambda_true", "lambda_predicted"]
)
def test_a_corner_at_independent_labelings_is_shown_and_verified(name, domain):
    statement = "approximate_constant_baseline(order=2)"
    verdict = gm.check(name, properties=[statement], domain=domain)[statement]
    assert (verdict.status, verdict.n) == ("refuted", 2)
    assert gm.verify(verdict)
    assert higher_baseline(2)(Values(gm.measure(name), 2, domain), 2).n == 2


def test_a_straight_line_is_no_corner():
    """The slopes of mcc to both sides are the same, so a forged witness is refused; so is one of order 1."""
    statement = "approximate_constant_baseline(order=2)"
    said = gm.check("cramers_v", properties=[statement])[statement].to_dict()
    for change in ({"measure": "mcc"}, {"property": "approximate_constant_baseline(order=1)"}):
        with pytest.raises(gm.CertificateError):
            gm.verify({**said, **change})


@pytest.mark.parametrize("domain", ["all", "regular"])
@pytest.mark.parametrize("name", ["cramers_v", "tschuprows_t", "pearson_contingency"])
def test_the_root_of_a_square_is_a_size(name, domain):
    """Each is a function of phi squared, which is a square divided by a positive polynomial."""
    report = gm.check(name, properties=["symmetry", "scale_invariance"], domain=domain)
    assert set(report.statuses.values()) == {"proved"}
    assert all(gm.verify(x) for x in report.values())


def test_the_root_of_minus_a_square_has_a_value_where_the_square_is_0():
    def sometimes(c):
        return c.sqrt(-(covariance(c) ** 2))

    verdict = gm.check(sometimes, properties=["sebastiani_sde"], domain="regular")["sebastiani_sde"]
    assert verdict.status == "refuted"
    for name in ("symmetry", "scale_invariance", "maximal_agreement"):
        assert gm.check(sometimes, properties=[name], domain="regular", n=5)[name].status != "vacuous"
