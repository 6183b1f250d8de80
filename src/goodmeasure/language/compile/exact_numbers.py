"""Exact values: the same source as for floats, computed with integers, fractions and exact numbers.

Counts and what is added, multiplied and divided of them are plain integers and fractions, which take a fraction of the
time of exact numbers. A root or a logarithm is an exact number, and what is computed with it too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TypeAlias, cast

from goodmeasure.language.compile.compiled import function_of, written_out
from goodmeasure.language.compile.numbers import RowsOf, floats, raising, refuse
from goodmeasure.language.compile.source import PYTHON, NamedConstant, PythonSource
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import Tree

ExactOperand: TypeAlias = int | Fraction | Exact


class ExactSource(PythonSource):
    """The source of a function of exact cells, which has an undefined value instead of NaN."""

    divides_exactly = True
    words = PYTHON | {"undefined": "({} is UNDEFINED)", "div": "div({}, {})", "log_near": "log({}, u)"}


def exactly(
    tree: Tree, what: object, roots: Callable[[], Tree | Sequence[Tree]], m: int | None, policy: Policy
) -> Callable[[RowsOf[ExactOperand]], object]:
    """Return the function that computes core trees on one matrix, compiled when it is first needed."""
    raises = policy.name == "raise"
    key = (what, m, policy.resolves, raises)
    f = tree.memo.get(key)
    if f is None:
        code = ExactSource(roots(), m, whole=True, raises=raises)
        text = code.written()
        named = {name: _constant(value) for value, name in code.constants.items()}
        f = tree.memo[key] = function_of(text, (raising(_FUNCTIONS) if raises else _FUNCTIONS) | named, tree)
    return partial(cast("Callable[..., object]", f), u=_worth(policy))


# What the source calls. The last argument `u` of a function is what an undefined value is worth.


def div(x: ExactOperand, y: ExactOperand) -> ExactOperand:
    if isinstance(x, (int, Fraction)) and isinstance(y, (int, Fraction)):
        return Fraction(x, y)
    return Exact.of(x) / y if isinstance(x, int) else x / y


def least(*xs: ExactOperand | None) -> ExactOperand:
    return _extreme(xs, min)


def greatest(*xs: ExactOperand | None) -> ExactOperand:
    return _extreme(xs, max)


def _extreme(xs: Sequence[ExactOperand | None], best: Callable[[Sequence[ExactOperand]], ExactOperand]) -> ExactOperand:
    """Return the best of some numbers, of which the last is what an undefined value is worth."""
    *values, u = (x for x in xs if x is not None)
    if not values:
        return u
    return UNDEFINED if any(x is UNDEFINED for x in values) else best(values)


def power(x: ExactOperand, r: int | Fraction, u: ExactOperand) -> ExactOperand:
    base = Exact.of(x)
    if base is UNDEFINED:
        return base
    sign = base.sign()
    if (sign == 0 and r < 0) or (sign < 0 and r.denominator != 1):
        return u
    return reals.power(base, r)


def sqrt(x: ExactOperand, u: ExactOperand) -> ExactOperand:
    return power(x, Fraction(1, 2), u)


def log(x: ExactOperand, u: ExactOperand) -> ExactOperand:
    x = Exact.of(x)
    return u if x is not UNDEFINED and x.sign() <= 0 else reals.log(x)


def log1p(x: ExactOperand, u: ExactOperand) -> ExactOperand:
    return log(1 + x, u)


def arccos(x: ExactOperand, u: ExactOperand) -> ExactOperand:
    x = Exact.of(x)
    return u if x is not UNDEFINED and (x < -1 or x > 1) else reals.arccos(x)


def arcsin(x: ExactOperand, u: ExactOperand) -> ExactOperand:
    angle = arccos(x, u)
    return u if angle is u else reals.pi() / 2 - angle


def mean(p: int | Fraction, *xs: ExactOperand | None) -> ExactOperand:
    """Return the power mean of some numbers for a finite p other than 1."""
    *values, u = (x for x in xs if x is not None)
    if not values:
        return u
    if any(x is UNDEFINED for x in values):
        return UNDEFINED
    if any(x < 0 for x in values):
        return u
    zeros = sum(1 for x in values if x == 0)
    if zeros == len(values) or (p <= 0 and zeros):
        return 0
    if p == 0:
        return power(math.prod(values), Fraction(1, len(values)), u)
    added = sum(power(x, p, u) for x in values)
    return power(div(added, len(values)), 1 / Fraction(p), u)


def _broken(cells: RowsOf[ExactOperand]) -> bool:
    """Return whether a cell of a mapped matrix is undefined."""
    return any(x is UNDEFINED for row in cells for x in row)


_FUNCTIONS: dict[str, object] = {
    **floats(), **{f.__name__: f for f in (least, greatest, power, sqrt, log, log1p, arccos, arcsin, mean, div)},
    "UNDEFINED": UNDEFINED, "nan": UNDEFINED, "inf": UNDEFINED, "pi": reals.pi(), "broken": _broken, "exp": reals.exp,
}  # fmt: skip


def exact_value_on(tree: Tree, rows: RowsOf[int | Fraction], policy: Policy) -> Exact:
    """Return the exact value of a formula on one matrix."""
    written = written_out(tree, len(rows))
    found = exactly(tree, "exact", lambda: lowered(tree, written, resolves=policy.resolves), written, policy)(rows)
    if found is UNDEFINED and policy.name == "number":
        return Exact.of(policy.number)  # an infinite number is refused, only where the formula comes to it
    return Exact.of(found)


def _worth(policy: Policy) -> object:
    """Return what undefined terms are worth in exact arithmetic; where no exact number is, they are undefined."""
    if policy.name == "raise":
        return refuse
    is_exact = policy.name == "number" and not (isinstance(policy.number, float) and math.isinf(policy.number))
    return Exact.of(policy.number) if is_exact else UNDEFINED


def _constant(value: NamedConstant) -> object:
    return [list(row) for row in value] if isinstance(value, tuple) else value
