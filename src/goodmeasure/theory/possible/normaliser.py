"""`normaliser`: measures of the form s(p_A, p_B)·(p_AB − p_A p_B), as in Theorem 3 of Gösgens et al.

The six conditions on s are explained and decided in `normaliser_conditions.py`. For s = 1/m(u, v) with u = p_A(1 − p_A)
and v = p_B(1 − p_B) they follow at once from a theorem:

*Every symmetric, homogeneous, differentiable, strictly increasing mean m meets all six conditions.* By Euler's equation
u·m_u + v·m_v = m, so w = u·m_u/m and 1 − w = v·m_v/m are both positive. Condition 1: m is symmetric, and u does not
change if p_A becomes 1 − p_A. Condition 2: m(u, u) = u. Condition 3: m ≥ min(u, v), and p_A + p_B < 1 gives u = p_A(1 −
p_A) > p_A p_B and v > p_A p_B; the other half by class symmetry. Condition 4 in the same way from p_A < p_B. Conditions
5 and 6: p_A·∂ log u/∂p_A = (1 − 2p_A)/(1 − p_A), so D of condition 5 is w·x + (1 − w)·y with x = (2p_A − 1)/(1 − p_A)
and y = (2p_B − 1)/(1 − p_B). It is a mean of the two terms of the upper bound, hence below their maximum, and both are
greater than −1, hence above the lower bound. D of condition 6 is a mean of 2 − 1/p_A and 2 − 1/(1 − p_B) in the same
way.

`_why` decides whether a mean is one of these: by an argument in words that comes with a named mean, or by the machine
for quotients of polynomials and their roots (`_increases`). Any other function is decided condition by condition.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, cast

from goodmeasure.catalogue.definitions.agreement import both_or_one_constant
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import look_alikes
from goodmeasure.documents import JsonDocument
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.value import Value
from goodmeasure.language.view import Number, View, exponent_of
from goodmeasure.theory.possible.balls import number, precisely
from goodmeasure.theory.possible.named_means import MEANS, Formula, Functions, NamedMean, X, beyond_means
from goodmeasure.theory.possible.normaliser_conditions import SENTENCES, FloatFunctions, NormaliserCondition, decide
from goodmeasure.theory.possible.rational import Rational, positive_weights, quotient_of, unknowns
from goodmeasure.theory.statements.verdict import PROVED
from goodmeasure.typing import AnyArray

if TYPE_CHECKING:
    from typing import Unpack

    import flint

    from goodmeasure.catalogue.facts import DataOptions

BEYOND = "beyond_means"
_TRIED = (0.21, 0.24)  # one point at which a user's function is tried
_THEOREM = "a symmetric, homogeneous, strictly increasing mean"


@dataclass(frozen=True)
class Normaliser(JsonDocument):
    """A normaliser s with its measure and the six conditions of Theorem 3.

    The conditions are those under which the measure has the nine properties except distance, which Theorem 1 excludes;
    `normaliser_conditions.py` says what each gives and what they leave open. `gm.check` decides the properties of
    ``measure`` itself.
    """

    kind = "normaliser"
    name: str
    measure: Measure
    conditions: dict[int, NormaliserCondition]
    why: str = ""

    @property
    def statuses(self) -> dict[int, str]:
        """Return the status of every condition by its number."""
        return {k: x.status for k, x in self.conditions.items()}

    @property
    def proved(self) -> bool:
        """Return whether all six conditions are proved."""
        return set(self.statuses.values()) == {PROVED}

    def __call__(self, *data: object, **options: Unpack[DataOptions]) -> AnyArray:
        """Return the value of the measure on a matrix, or on true and predicted labels."""
        return self.measure(*data, **options)

    def __str__(self) -> str:
        lines = [f"{self.name}: s(p_A, p_B)·(p_AB − p_A p_B)", *map(str, self.conditions.values())]
        return "\n".join([*lines, self.why] if self.why else lines)

    def __repr__(self) -> str:
        return str(self)


def normaliser(s: object = None, *, mean: object = None, name: str | None = None) -> Normaliser:
    """Return the measure s(p_A, p_B)·(p_AB − p_A p_B), with the six conditions of Theorem 3 on s decided.

    ``s``: a function of p_A and p_B, the shares of the positive class among true and predicted labels. ``mean``: a
    function of u = p_A(1 − p_A) and v = p_B(1 − p_B), or the name of a known mean; then s is 1/mean(u, v). A function
    that needs roots or logarithms takes a third argument with sqrt, log, exp, arcsin, arcsinh and power.

    >>> normaliser(mean="heronian").proved
    True
    >>> print(normaliser(mean=lambda u, v: (u * u + v * v) / (u + v), name="contraharmonic").conditions[5].status)
    refuted
    """
    if (s is None) == (mean is None):
        raise InputTypeError("normaliser takes a function s of p_A and p_B, or mean=, and not both")
    if s is not None:
        if s == BEYOND:
            return _from_function(_three(beyond_means), name or BEYOND)
        if isinstance(s, str):
            hint = f"use mean={s!r} for the mean" if s in MEANS else f"use a function of p_A and p_B, or {BEYOND!r}"
            raise InputError("{s!r} is not a normaliser: {hint}", s=s, hint=hint)
        function = _three(s)
        _must_be_positive(function, name or _named(s))
        return _from_function(lambda a, b, f: function(a, b, f), name or _named(s))
    known = _mean(mean, name)
    return _from_mean(known)


def _mean(mean: object, name: str | None) -> NamedMean:
    """Return a mean by its name, or from a user's function."""
    if isinstance(mean, str):
        plain = mean.lower().replace("-", "_").replace(" ", "_").removesuffix("_mean")
        if plain not in MEANS:
            near = look_alikes(plain, {x: x for x in MEANS})
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"use one of {', '.join(MEANS)}"
            raise InputError("{mean!r} is not the name of a mean: {hint}", mean=mean, hint=hint)
        return MEANS[plain]
    _must_be_positive(_three(mean), name or _named(mean))
    return NamedMean(name or _named(mean), _three(mean), "")


def _three(function: object) -> Formula:
    """Return a function of three arguments, the third of which holds sqrt, log, …, from one of two or three."""
    if not callable(function):
        raise InputTypeError("{function!r} is not a function of two numbers", function=function)
    try:
        count = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        count = 2
    if count not in (2, 3):
        raise InputTypeError(
            "the function takes {count} arguments", count=count, expected="two, or three with sqrt, log, … as the last"
        )
    # A user's function works for every kind of number, as long as it uses only arithmetic and these functions.
    return cast(Formula, function if count == 3 else lambda x, y, f: function(x, y))


def _must_be_positive(function: Formula, name: str) -> None:
    """Raise an error unless a user's function returns a positive number at one point."""
    x, y = _TRIED
    try:
        found: object = function(x, y, FloatFunctions())
    except Exception as error:  # noqa: BLE001 - it may raise anything
        raise InputError(
            "{name} raised {kind}",
            name=name,
            kind=type(error).__name__,
            error=error,
            x=x,
            y=y,
            advice="{error} (of {x} and {y})",
        ) from None
    if isinstance(found, bool) or not isinstance(found, Real) or not float(found) > 0:
        raise InputError(
            "{name} returned {found!r} (of {x} and {y})", name=name, found=found, x=x, y=y, expected="a positive number"
        )


def _named(function: object) -> str:
    found = getattr(function, "__name__", type(function).__name__)
    return "normaliser" if found == "<lambda>" else str(found)


def _from_function(function: Formula, name: str) -> Normaliser:
    found = decide(lambda a, b, f: 1 / function(a, b, f))
    return Normaliser(name, _measure(function, name), {x.number: x for x in found})


def _from_mean(mean: NamedMean) -> Normaliser:
    """Return the normaliser of a mean: by the theorem on means if it applies, else condition by condition."""
    why = _why(mean)
    if why is not None:
        found = [NormaliserCondition(k, PROVED, _THEOREM) for k in SENTENCES]
    else:
        found = decide(lambda a, b, f: mean.function(a * (1 - a), b * (1 - b), f))
    return Normaliser(mean.name, _measure(Reciprocal(mean), mean.name), {x.number: x for x in found}, why or "")


def _why(mean: NamedMean) -> str | None:
    """Return why a mean is symmetric, homogeneous and strictly increasing; None if that is not known."""
    if mean.increasing:
        return f"The {mean.name} mean is symmetric, homogeneous and strictly increasing: {mean.increasing}."
    if mean.increasing is None or not _increases(mean):
        return None
    return "The mean is symmetric, homogeneous and strictly increasing: its slopes have positive coefficients."


def _increases(mean: NamedMean) -> bool:
    """Return whether a formula is shown to be a symmetric, homogeneous, strictly increasing mean.

    With u = x¹² and v = y¹², roots of degree 2, 3, 4, 6 and 12 of monomials become polynomials. The formula must be a
    quotient of polynomials in x and y, or one root of such a quotient. Shown are: m(1, 1) = 1; m(u, v) = m(v, u);
    u·m_u/m + v·m_v/m = 1, which is Euler's equation for degree 1, so m is homogeneous and m(u, u) = u; and that both
    terms have positive coefficients above and below the line, so m increases strictly with u and v wherever they are
    positive. (u·∂/∂u = x/12·∂/∂x.)
    """
    x, y = unknowns("x", "y")
    try:
        m = quotient_of(mean.function, x**12, y**12)
        if m is None:
            return False
        first, second = (m.growth(k) * z / 12 for k, z in ((0, x), (1, y)))
        at_one = m.num(1, 1) == m.den(1, 1)
        swapped = Rational(m.num, m.den).put(y, x) == Rational(m.num, m.den)
        return bool(at_one) and swapped and first + second == 1 and positive_weights(first) and positive_weights(second)
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        return False


class Reciprocal:
    """The normaliser 1/m(u, v); it is 1/u where u = v, at which the formula of a mean may be 0/0."""

    def __init__(self, mean: NamedMean) -> None:
        self.mean = mean

    def __call__(self, a: X, b: X, f: Functions[X]) -> X:
        u, v = a * (1 - a), b * (1 - b)
        if u == v and self.mean.name in MEANS:
            return 1 / u
        try:
            found = self._in_floats(u, v, f) if isinstance(u, float) else self.mean.function(u, v, f)
            return 1 / found if found == found else 1 / u
        except ZeroDivisionError:
            return 1 / u

    def _in_floats(self, u: X, v: X, f: Functions[X]) -> X:
        """Return the mean of two floats (X is float here), with 200 bits if the function takes balls: u − v cancels."""
        try:
            return precisely(lambda: float(self.mean.function(number(u), number(v), _Arbs()).mid()))  # type: ignore[return-value]
        except (TypeError, ValueError):
            return float(self.mean.function(u, v, f))  # type: ignore[arg-type, return-value]


class _Arbs:
    """The functions that a normaliser may use, for balls without derivatives."""

    def sqrt(self, x: flint.arb) -> flint.arb:
        return x.sqrt()

    def log(self, x: flint.arb) -> flint.arb:
        return x.log()

    def exp(self, x: flint.arb) -> flint.arb:
        return x.exp()

    def arcsin(self, x: flint.arb) -> flint.arb:
        return x.asin()

    def arcsinh(self, x: flint.arb) -> flint.arb:
        return x.asinh()

    def power(self, x: flint.arb, r: object) -> flint.arb:
        return x ** number(exponent_of(r))


class _Language:
    """The functions that a normaliser may use, in the arithmetic of a view."""

    def __init__(self, c: View) -> None:
        self.c = c

    @cached_property
    def sqrt(self) -> Callable[[Value | float], Value]:
        return self.c.sqrt

    @cached_property
    def log(self) -> Callable[[Value | float], Value]:
        return self.c.log

    def power(self, x: Value | float, r: Value | Number) -> Value:
        return self.c.power(x, r)

    def arcsin(self, x: Value | float) -> Value:
        return self.c.pi / 2 - self.c.arccos(x)

    def arcsinh(self, x: Value) -> Value:
        return self.c.log(x + self.c.sqrt(x * x + 1))

    def exp(self, x: Value | float) -> Value:
        return self.c.exp(x)


def _measure(function: Formula, name: str) -> Measure:
    """Return the measure of a normaliser; where a labeling is constant, it has the rule of the generalized means."""

    def normalised(c: View) -> Value:
        true, predicted = (c.tp + c.fn) * (c.tn + c.fp), (c.tp + c.fp) * (c.tn + c.fn)

        def value() -> Value:
            a, b = c.ratio(c.tp + c.fn, c.n), c.ratio(c.tp + c.fp, c.n)
            f: Functions[Value] = FloatFunctions() if isinstance(a, float) else _Language(c)
            return function(a, b, f) * c.ratio(c.tp * c.tn - c.fp * c.fn, c.n * c.n)

        return c.where((true == 0) | (predicted == 0), lambda: both_or_one_constant(c), value)

    normalised.__name__ = normalised.__qualname__ = name
    return Measure(normalised, name, title=f"normaliser {name}", classes=2, key=normalised)
