"""Measures with absolute values, greatest values and roots are judged on every property, without an error."""

from __future__ import annotations

import pytest

import goodmeasure as gm


def bias(c):
    return 1 - abs(c.ratio(c.fp - c.fn, c.n))


def odds(c):
    return abs(c.ratio(c.fp - c.fn, c.tp))


def greatest(c):
    return c.max(c.ratio(c.fp, c.tp), c.ratio(c.fn, c.tp))


def by_if(c):
    x = c.fp - c.fn
    return 1 - c.ratio(x if x > 0 else -x, c.n)


def rounded(c):
    return c.ratio(round(c.tp + c.tn), c.n)


def rooted(c):
    return c.ratio(c.tp**2 + c.tn**2, c.n**2) ** 0.5


SMOOTHNESS = ("sebastiani_con", "approximate_constant_baseline(order=2)")


@pytest.mark.parametrize("function", [bias, by_if, rooted])
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
