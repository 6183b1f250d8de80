"""Agreement beyond chance over other means of the two labelings' variances: relatives of the generalized means."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from goodmeasure.catalogue.agreement import both_or_one_constant
from goodmeasure.catalogue.define import define as define_measure
from goodmeasure.catalogue.define import define_family
from goodmeasure.catalogue.families import number

define = partial(define_measure, range=(-1, 1), classes=2, family="agreement", symmetric=True, class_symmetric=True)
FACTS = define.keywords


def variances(c: Any) -> tuple[Any, Any]:
    """a_1 a_0 and b_1 b_0: n² times the variances of the two labelings."""
    return (c.tp + c.fn) * (c.tn + c.fp), (c.tp + c.fp) * (c.tn + c.fn)


def over_mean(c: Any, mean: Callable[[Any, Any], Any]) -> Any:
    """(TP·TN − FP·FN) / mean of a_1 a_0 and b_1 b_0, with the rule of the generalized means where that is 0/0."""
    return c.ratio(c.tp * c.tn - c.fp * c.fn, mean(*variances(c)), otherwise=lambda: both_or_one_constant(c))


def over_spread(c: Any, function: Callable[[Any], Any]) -> Any:
    """As above with the mean |u − v| / 2f(z), z = |u − v| / (u + v), which is u where u = v."""

    def mean(u: Any, v: Any) -> Any:
        apart = c.max(u, v) - c.min(u, v)
        return c.where(u == v, u, lambda: c.ratio(apart, 2 * function(c.ratio(apart, u + v))))

    return over_mean(c, mean)


@define(
    "heronian_mean",
    title="Heronian mean measure",
    cite="bullen2003",
    about="agreement beyond chance over the Heronian mean of the two labelings' variances",
)
def heronian_mean(c: Any) -> Any:
    return over_mean(c, lambda u, v: (u + c.sqrt(u * v) + v) * Fraction(1, 3))


@define(
    "logarithmic_mean",
    title="Logarithmic mean measure",
    cite="carlson1972",
    about="agreement beyond chance over the logarithmic mean of the two labelings' variances",
)
def logarithmic_mean(c: Any) -> Any:
    def mean(u: Any, v: Any) -> Any:
        least, apart = c.min(u, v), c.max(u, v) - c.min(u, v)
        return c.where((u == v) | (least == 0), least, lambda: c.ratio(apart, c.log1p(c.ratio(apart, least))))

    return over_mean(c, mean)


@define(
    "identric_mean",
    title="Identric mean measure",
    cite="stolarsky1975",
    about="agreement beyond chance over the identric mean of the two labelings' variances",
)
def identric_mean(c: Any) -> Any:
    def mean(u: Any, v: Any) -> Any:
        least, most = c.min(u, v), c.max(u, v)

        def between() -> Any:
            growth = c.ratio(most, most - least) * c.log1p(c.ratio(most - least, least))
            return least * c.exp(growth - 1)

        return c.where((u == v) | (least == 0), least, between)

    return over_mean(c, mean)


@define(
    "seiffert_mean",
    title="Seiffert mean measure",
    cite="seiffert1993",
    about="agreement beyond chance over Seiffert's first mean of the two labelings' variances",
)
def seiffert_mean(c: Any) -> Any:
    return over_spread(c, c.arcsin)


@define(
    "neuman_sandor_mean",
    title="Neuman–Sándor mean measure",
    cite="neuman2003",
    about="agreement beyond chance over the Neuman–Sándor mean of the two labelings' variances",
)
def neuman_sandor_mean(c: Any) -> Any:
    def arcsinh(z: Any) -> Any:
        return c.log1p(z + c.ratio(z * z, 1 + c.sqrt(1 + z * z)))

    return over_spread(c, arcsinh)


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

    def definition(c: Any) -> Any:
        def mean(u: Any, v: Any) -> Any:
            total = sum((u**k * v ** (p - 1 - k) for k in range(1, p)), v ** (p - 1))
            return c.power(total * Fraction(1, p), Fraction(1, p - 1))

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

    def definition(c: Any) -> Any:
        u, v = variances(c)
        beyond_chance = c.tp * c.tn - c.fp * c.fn
        return c.ratio(
            beyond_chance * (u ** (p - 1) + v ** (p - 1)), u**p + v**p, otherwise=lambda: both_or_one_constant(c)
        )

    return definition


def _whole(p: Any, at_least: int) -> None:
    number(p, "p", at_least=at_least)
    if isinstance(p, float):
        raise ValueError(f"p is {p}: expected a whole number")
