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
from goodmeasure.language.compile.numbers import CHECKED, RowsOf, floats, raising, refuse
from goodmeasure.language.compile.source import PYTHON, NamedConstant, PythonSource
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import UNDEFINED, Exact, Real
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import Tree

ExactOperand: TypeAlias = int | Fraction | Real
ExactFunction: TypeAlias = Callable[[RowsOf[ExactOperand], object], ExactOperand]


class ExactSource(PythonSource):
    """The source of a function of exact cells, which has an undefined value instead of NaN."""

    divides_exactly = True
    words = PYTHON | {"undefined": "({} is UNDEFINED)", "div": "div({}, {})", "log_near": "log({}, u)"}


class ExactArithmetic:
    """What the source calls. The last argument `u` of a function is what an undefined value is worth."""

    nothing: ExactOperand = UNDEFINED  # the value of what is undefined

    def compiled(
        self, tree: Tree, what: object, roots: Callable[[], Tree | Sequence[Tree]], m: int | None, policy: Policy
    ) -> Callable[..., object]:
        """Return the function that computes core trees on one matrix, compiled when it is first needed."""
        raises = policy.name == "raise"
        key = (type(self), what, m, policy.resolves, raises)
        found = tree.memo.get(key)
        if found is None:
            code = ExactSource(roots(), m, whole=True, raises=raises)
            text = code.written()
            named = {name: _constant(value) for value, name in code.constants.items()}
            scope = raising(self.functions()) if raises else self.functions()
            found = tree.memo[key] = function_of(text, scope | named, tree)
        return cast("Callable[..., object]", found)

    def function(self, tree: Tree, m: int, policy: Policy) -> ExactFunction:
        """Return the function that computes a formula on one matrix of m classes."""
        written = written_out(tree, m)
        found = self.compiled(tree, "value", lambda: lowered(tree, written, resolves=policy.resolves), written, policy)
        return cast(ExactFunction, found)

    def functions(self) -> dict[str, object]:
        """Return what the source may name."""
        return {
            **floats(), **{name: getattr(self, name) for name in (*CHECKED, "exp", "div")},
            **dict.fromkeys(("UNDEFINED", "nan", "inf"), self.nothing), "pi": reals.pi(), "broken": self._broken,
        }  # fmt: skip

    def div(self, x: ExactOperand, y: ExactOperand) -> ExactOperand:
        if isinstance(x, (int, Fraction)) and isinstance(y, (int, Fraction)):
            return Fraction(x, y)
        return Exact.of(x) / y if isinstance(x, int) else x / y

    def least(self, *xs: ExactOperand | None) -> ExactOperand:
        return self._extreme(xs, min)

    def greatest(self, *xs: ExactOperand | None) -> ExactOperand:
        return self._extreme(xs, max)

    def _extreme(
        self, xs: Sequence[ExactOperand | None], best: Callable[[Sequence[ExactOperand]], ExactOperand]
    ) -> ExactOperand:
        """Return the best of some numbers, of which the last is what an undefined value is worth."""
        *values, u = (x for x in xs if x is not None)
        if not values:
            return u
        return self.nothing if any(x is self.nothing for x in values) else best(values)

    def power(self, x: ExactOperand, r: int | Fraction, u: ExactOperand) -> ExactOperand:
        base = Exact.of(x)
        if base is UNDEFINED:
            return base
        sign = base.sign()
        if (sign == 0 and r < 0) or (sign < 0 and r.denominator != 1):
            return u
        return reals.power(base, r)

    def sqrt(self, x: ExactOperand, u: ExactOperand) -> ExactOperand:
        return self.power(x, _HALF, u)

    def log(self, x: ExactOperand, u: ExactOperand) -> ExactOperand:
        x = Exact.of(x)
        return u if x is not UNDEFINED and x.sign() <= 0 else reals.log(x)

    def log1p(self, x: ExactOperand, u: ExactOperand) -> ExactOperand:
        return self.log(1 + x, u)

    def exp(self, x: ExactOperand) -> ExactOperand:
        return reals.exp(x)

    def arccos(self, x: ExactOperand, u: ExactOperand) -> ExactOperand:
        angle = self._angle(x)
        return u if angle is None else angle

    def arcsin(self, x: ExactOperand, u: ExactOperand) -> ExactOperand:
        angle = self._angle(x)
        return u if angle is None else reals.pi() / 2 - angle

    def _angle(self, x: ExactOperand) -> Real | None:
        """Return the arc cosine of a number; None for one outside of its domain."""
        x = Exact.of(x)
        return None if x is not UNDEFINED and (x < -1 or x > 1) else reals.arccos(x)

    def mean(self, p: int | Fraction, *xs: ExactOperand | None) -> ExactOperand:
        """Return the power mean of some numbers for a finite p other than 1."""
        *values, u = (x for x in xs if x is not None)
        if not values:
            return u
        if any(x is self.nothing for x in values):
            return self.nothing
        if any(x < 0 for x in values):
            return u
        zeros = sum(1 for x in values if x == 0)
        if zeros == len(values) or (p <= 0 and zeros):
            return 0
        if p == 0:
            return self.power(math.prod(values), Fraction(1, len(values)), u)
        added = sum(self.power(x, p, u) for x in values)
        return self.power(self.div(added, len(values)), 1 / Fraction(p), u)

    def _broken(self, cells: RowsOf[ExactOperand]) -> bool:
        """Return whether a cell of a mapped matrix is undefined."""
        return any(x is self.nothing for row in cells for x in row)


_HALF = Fraction(1, 2)
EXACTLY = ExactArithmetic()


def exactly(
    tree: Tree, what: object, roots: Callable[[], Tree | Sequence[Tree]], m: int | None, policy: Policy
) -> Callable[[RowsOf[ExactOperand]], object]:
    """Return the function that computes core trees exactly on one matrix, with what undefined terms are worth."""
    return partial(EXACTLY.compiled(tree, what, roots, m, policy), u=worth(policy))


def exact_value_on(tree: Tree, rows: RowsOf[int | Fraction], policy: Policy) -> Exact:
    """Return the exact value of a formula on one matrix."""
    found = EXACTLY.function(tree, len(rows), policy)(rows, worth(policy))
    if found is UNDEFINED and policy.name == "number":
        return Exact.of(policy.number)  # an infinite number is refused, only where the formula comes to it
    return Exact.of(found)


def worth(policy: Policy) -> object:
    """Return what undefined terms are worth in exact arithmetic; where no exact number is, they are undefined."""
    if policy.name == "raise":
        return refuse
    is_exact = policy.name == "number" and not (isinstance(policy.number, float) and math.isinf(policy.number))
    return Exact.of(policy.number) if is_exact else UNDEFINED


def _constant(value: NamedConstant) -> object:
    return [list(row) for row in value] if isinstance(value, tuple) else value
