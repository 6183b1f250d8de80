"""Agreement beyond chance relative to other means of the labelings' variances: relatives of the generalized means."""

from __future__ import annotations

from functools import partial

from goodmeasure.catalogue.definitions.agreement import both_or_one_constant
from goodmeasure.catalogue.family import number
from goodmeasure.catalogue.register import define as define_measure
from goodmeasure.catalogue.register import define_family
from goodmeasure.exceptions import InputError
from goodmeasure.language.value import Value
from goodmeasure.language.view import Definition, View

define = partial(define_measure, range=(-1, 1), classes=2, family="agreement", symmetric=True, class_symmetric=True)
FACTS = define.keywords


def variances(c: View) -> tuple[Value, Value]:
    """Return a_1·a_0 and b_1·b_0, which are n² times the variances of the two labelings."""
    return (c.tp + c.fn) * (c.tn + c.fp), (c.tp + c.fp) * (c.tn + c.fn)


def beyond_chance(c: View, mean: str, p: int | None = None, *, at_zero: bool = False) -> Value:
    """Return (TP·TN − FP·FN) / mean(a_1·a_0, b_1·b_0), with the rule of the generalized means at 0/0.

    If exactly one labeling is constant, the numerator is 0. A mean that is positive there (``at_zero``) makes the
    quotient 0; for any other mean it is 0/0.
    """
    u, v = variances(c)
    excess = c.tp * c.tn - c.fp * c.fn
    return c.where(
        (u == 0) | (v == 0),
        lambda: c.ratio(excess, u + v if at_zero else c.min(u, v), otherwise=lambda: both_or_one_constant(c)),
        lambda: c.over_mean(excess, u, v, mean, p),
    )


@define(
    "heronian_mean",
    title="Heronian mean measure",
    cite="bullen2003",
    about="agreement beyond chance over the Heronian mean of the two labelings' variances",
)
def heronian_mean(c: View) -> Value:
    return beyond_chance(c, "heronian", at_zero=True)


@define(
    "logarithmic_mean",
    title="Logarithmic mean measure",
    cite="carlson1972",
    about="agreement beyond chance over the logarithmic mean of the two labelings' variances",
)
def logarithmic_mean(c: View) -> Value:
    return beyond_chance(c, "logarithmic")


@define(
    "identric_mean",
    title="Identric mean measure",
    cite="stolarsky1975",
    about="agreement beyond chance over the identric mean of the two labelings' variances",
)
def identric_mean(c: View) -> Value:
    return beyond_chance(c, "identric")


@define(
    "seiffert_mean",
    title="Seiffert mean measure",
    cite="seiffert1993",
    about="agreement beyond chance over Seiffert's first mean of the two labelings' variances",
)
def seiffert_mean(c: View) -> Value:
    return beyond_chance(c, "seiffert")


@define(
    "neuman_sandor_mean",
    title="Neuman–Sándor mean measure",
    cite="neuman2003",
    about="agreement beyond chance over the Neuman–Sándor mean of the two labelings' variances",
)
def neuman_sandor_mean(c: View) -> Value:
    return beyond_chance(c, "neuman_sandor")


@define_family(
    "stolarsky_mean",
    usual=({"p": 3}, {"p": 4}),
    title="Stolarsky mean measure",
    cite="stolarsky1975",
    about="agreement beyond chance over a Stolarsky mean of the two labelings' variances (p = 2: arithmetic)",
    **FACTS,
)
def stolarsky_mean(p: int) -> Definition:
    _whole(p, at_least=2)

    return lambda c: beyond_chance(c, "stolarsky", p, at_zero=True)


@define_family(
    "lehmer_mean",
    usual=({"p": 2}, {"p": 3}),
    title="Lehmer mean measure",
    cite="lehmer1971",
    about="agreement beyond chance over a Lehmer mean of the two labelings' variances (p = 2: contraharmonic)",
    **FACTS,
)
def lehmer_mean(p: int) -> Definition:
    _whole(p, at_least=1)

    def definition(c: View) -> Value:
        u, v = variances(c)
        beyond_chance = c.tp * c.tn - c.fp * c.fn
        return c.ratio(
            beyond_chance * (u ** (p - 1) + v ** (p - 1)), u**p + v**p, otherwise=lambda: both_or_one_constant(c)
        )

    return definition


def _whole(p: object, at_least: int) -> None:
    """Refuse a parameter p that is not an integer of at least this size."""
    number(p, "p", at_least=at_least)
    if isinstance(p, float):
        raise InputError("{p} is {got}", got=p, expected="a whole number")
