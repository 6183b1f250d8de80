"""Agreement beyond chance relative to other means of the labelings' variances: relatives of the generalized means."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from goodmeasure.catalogue.definitions.agreement import both_or_one_constant
from goodmeasure.catalogue.family import number
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.catalogue.register import define_family
from goodmeasure.exceptions import InputError
from goodmeasure.language.view import View

define = partial(define_measure, range=(-1, 1), classes=2, family="agreement", symmetric=True, class_symmetric=True)
FACTS = define.keywords


def variances(c: View) -> tuple[Any, Any]:
    """Return a_1·a_0 and b_1·b_0, which are n² times the variances of the two labelings."""
    return (c.tp + c.fn) * (c.tn + c.fp), (c.tp + c.fp) * (c.tn + c.fn)


def over_mean(c: View, mean: Callable[[Any, Any], Any]) -> Any:
    """Return (TP·TN − FP·FN) / mean(a_1·a_0, b_1·b_0), with the rule of the generalized means at 0/0."""
    return c.ratio(c.tp * c.tn - c.fp * c.fn, mean(*variances(c)), otherwise=lambda: both_or_one_constant(c))


def by_reciprocal(c: View, reciprocal: Callable[[Any, Any], Any]) -> Any:
    """Return the same from a formula for 1/mean of two different positive numbers, the smaller one first.

    The formula would be 0/0 for equal numbers, where every mean is that number, and is not needed if one of them is 0.
    """
    u, v = variances(c)
    least, most = c.min(u, v), c.max(u, v)
    beyond_chance = c.tp * c.tn - c.fp * c.fn
    return c.where(
        (u == v) | (least == 0),
        lambda: c.ratio(beyond_chance, least, otherwise=lambda: both_or_one_constant(c)),
        lambda: beyond_chance * reciprocal(least, most),
    )


def by_spread(c: View, function: Callable[[Any], Any]) -> Any:
    """Return the same for the mean (v − u) / 2f(z) with z = (v − u) / (v + u)."""
    return by_reciprocal(c, lambda u, v: c.ratio(2 * function(c.ratio(v - u, v + u)), v - u))


@define(
    "heronian_mean",
    title="Heronian mean measure",
    cite="bullen2003",
    about="agreement beyond chance over the Heronian mean of the two labelings' variances",
)
def heronian_mean(c: View) -> Any:
    return over_mean(c, lambda u, v: c.ratio(u + c.sqrt(u * v) + v, 3))


@define(
    "logarithmic_mean",
    title="Logarithmic mean measure",
    cite="carlson1972",
    about="agreement beyond chance over the logarithmic mean of the two labelings' variances",
)
def logarithmic_mean(c: View) -> Any:
    return by_reciprocal(c, lambda u, v: c.ratio(c.log1p(c.ratio(v - u, u)), v - u))


@define(
    "identric_mean",
    title="Identric mean measure",
    cite="stolarsky1975",
    about="agreement beyond chance over the identric mean of the two labelings' variances",
)
def identric_mean(c: View) -> Any:
    def reciprocal(u: Any, v: Any) -> Any:
        growth = c.ratio(v, v - u) * c.log1p(c.ratio(v - u, u))
        return c.ratio(c.exp(1 - growth), u)

    return by_reciprocal(c, reciprocal)


@define(
    "seiffert_mean",
    title="Seiffert mean measure",
    cite="seiffert1993",
    about="agreement beyond chance over Seiffert's first mean of the two labelings' variances",
)
def seiffert_mean(c: View) -> Any:
    return by_spread(c, c.arcsin)


@define(
    "neuman_sandor_mean",
    title="Neuman–Sándor mean measure",
    cite="neuman2003",
    about="agreement beyond chance over the Neuman–Sándor mean of the two labelings' variances",
)
def neuman_sandor_mean(c: View) -> Any:
    def arcsinh(z: Any) -> Any:
        return c.log1p(z + c.ratio(z * z, 1 + c.sqrt(1 + z * z)))

    return by_spread(c, arcsinh)


@define_family(
    "stolarsky_mean",
    usual=({"p": 3}, {"p": 4}),
    title="Stolarsky mean measure",
    cite="stolarsky1975",
    about="agreement beyond chance over a Stolarsky mean of the two labelings' variances (p = 2: arithmetic)",
    **FACTS,
)
def stolarsky_mean(p: Any) -> Any:
    _whole(p, at_least=2)

    def definition(c: View) -> Any:
        def mean(u: Any, v: Any) -> Any:
            total = sum((u**k * v ** (p - 1 - k) for k in range(1, p)), v ** (p - 1))
            return c.power(c.ratio(total, p), Fraction(1, p - 1))

        return over_mean(c, mean)

    return definition


@define_family(
    "lehmer_mean",
    usual=({"p": 2}, {"p": 3}),
    title="Lehmer mean measure",
    cite="lehmer1971",
    about="agreement beyond chance over a Lehmer mean of the two labelings' variances (p = 2: contraharmonic)",
    **FACTS,
)
def lehmer_mean(p: Any) -> Any:
    _whole(p, at_least=1)

    def definition(c: View) -> Any:
        u, v = variances(c)
        beyond_chance = c.tp * c.tn - c.fp * c.fn
        return c.ratio(
            beyond_chance * (u ** (p - 1) + v ** (p - 1)), u**p + v**p, otherwise=lambda: both_or_one_constant(c)
        )

    return definition


def _whole(p: Any, at_least: int) -> None:
    """Refuse a parameter p that is not an integer of at least this size."""
    number(p, "p", at_least=at_least)
    if isinstance(p, float):
        raise InputError("{p} is {got}", got=p, expected="a whole number")
