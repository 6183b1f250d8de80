"""Check that a value is positive, not negative, or 0, wherever all variables are positive.

A node of a certificate says how the prover showed a sign (``by``). The verifier forms the value itself, and shows its
sign itself, by the rules at the top of `arithmetic.py`; a certificate cannot make it accept a sign that these rules do
not show. Of the node it uses only two things. ``zero`` claims that a value is the function 0, which is a claim of its
own. And a rule that the format does not know is refused, so that a certificate of a later format is not taken for one
of this.

As a second guard, the value is evaluated at random points, where its ball must not lie on the wrong side of 0.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

from goodmeasure.exceptions import CertificateError as CertificateError
from goodmeasure.packages import flint
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.verify import atoms
from goodmeasure.theory.verify.arithmetic import NOT_DOWN, UP, FunctionValue
from goodmeasure.theory.verify.logarithms import taken_apart

RULES = (
    *("coefficients", "factors", "shift", "multiply", "square", "between", "quotient", "logarithms", "powers"),
    *("quadratic", "bounds of logarithms", "tangents of logarithms"),
)
_SMALL = tuple(range(1, 13))  # coordinates of the points at which signs are evaluated
_MIXED = tuple(k * 10**e for e in range(7) for k in range(1, 10))
_random = random.Random()


def demand(
    condition: bool, problem: str, /, *, statement: str | None = None, case: object = None, field: str | None = None,
    got: object = None, expected: str = "", advice: str = "", **values: object,
) -> None:  # fmt: skip
    """Raise `CertificateError` unless a condition holds; its message is put together only then."""
    if not condition:
        raise CertificateError(
            problem, statement=statement, case=case, field=field, got=got, expected=expected, advice=advice, **values
        )


def check_zero(node: CertificateNode, x: FunctionValue) -> None:
    """Check that a difference is 0 as a formula: its numerator has no terms left."""
    demand(node.get("by") == "zero", "{got!r} does not say that a difference is 0", field="by", got=node.get("by"))
    if not (x.is_zero or taken_apart(x).is_zero):  # text of a large formula takes long to write
        raise CertificateError("a difference that should be 0 is {known}", known=x.shown)


def check_positive(node: CertificateNode, x: FunctionValue, *, strict: bool, whole: bool) -> None:
    """Check that a value is positive, or not negative if ``strict`` is False.

    ``whole``: the variables are whole numbers, not any positive reals.
    """
    by = node.get("by")
    if by == "zero":
        demand(not strict and x.is_zero, "a value that should be positive is said to be 0")
        return
    demand(by in RULES, "{got!r} is no way to show that a value is positive", field="by", got=by)
    demand(not strict or not x.is_zero, "a value that should be positive is 0")
    if not x.signs(whole=whole) <= (UP if strict else NOT_DOWN):
        raise CertificateError("{known} is not shown to be positive", known=x.shown)
    _spot_check(x, strict=strict)


def _spot_check(x: FunctionValue, *, strict: bool) -> None:
    """Demand the sign of a value at two points, one with small coordinates and one with coordinates of mixed size.

    The sum over the unnamed classes has no value at such a point, so a difference that still contains it is skipped
    here; both readings in it were compared with exact values of whole matrices before.
    """
    if any(x.ground.atoms[k].needs_matrix for k in x.atoms):
        return
    names = x.ground.names
    for numbers in (_SMALL, _MIXED):
        point = dict(zip(names, _random.choices(numbers, k=len(names)), strict=True))
        number = atoms.number_at(x, point)
        if number is not None and (number > 0 or (number == 0 and not strict)):
            continue
        ball = atoms.ball(x, point)
        wrong = ball <= 0 if strict else ball < 0
        demand(not wrong, "a value that should be positive is {known} at {point}", known=ball.str(5), point=point)


def check_slope(value: FunctionValue, slope: FunctionValue, direction: Mapping[str, int]) -> None:
    """Demand that a derivative agrees with a difference quotient of very small steps, at a random point."""
    before, flint.ctx.prec = flint.ctx.prec, 512
    try:
        point = {name: _random.randint(2, 99) for name in value.ground.names}
        step = Fraction(1, 10**40)
        low, high = (
            atoms.ball(value, {name: x + side * step * direction.get(name, 0) for name, x in point.items()})
            for side in (-1, 1)
        )
        seen, known = (high - low) / (2 * flint.arb(flint.fmpq(1, 10**40))), atoms.ball(slope, point)
        near = (seen - known).abs_upper() <= flint.arb(10) ** -25 * abs(known).max(1)
        demand(near, "a derivative is not that of the measure")
    finally:
        flint.ctx.prec = before


def unmapped(low: FunctionValue, high: FunctionValue, kind: str) -> FunctionValue:
    """Return a value with the sign of high − low, where both are the same monotone function of inner values.

    ``arccos``: both are the same constant times an arc cosine, which falls with the cosine. ``square``: both have the
    same sign (or are 0), so their squares are in the same order if they are positive and in the opposite one if they
    are negative.
    """
    if kind == "arccos":
        (scale, first), (other, second) = as_angle(low), as_angle(high)
        demand((scale - other).is_zero, "the two angles are scaled differently")
        return (first - second) * scale.sign()
    demand(kind == "square", "{got!r} is no map that certificates know", field="map", got=kind)
    signs = low.signs() | high.signs()
    demand(signs <= NOT_DOWN or not signs & UP, "the two values may have different signs")
    return (high * high - low * low) * (1 if signs <= NOT_DOWN else -1)


def as_angle(x: FunctionValue) -> tuple[FunctionValue, FunctionValue]:
    """Return the scale and the cosine of a value that is a constant times an arc cosine."""
    found = atoms.angle(x)
    if found is None:
        raise CertificateError("the value is not a multiple of one angle")
    return found
