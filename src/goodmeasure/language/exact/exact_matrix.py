"""The exact view of one matrix: values are made of rationals, roots, logarithms and arc cosines, never rounded."""

from __future__ import annotations

from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import UNDEFINED, Exact, Real
from goodmeasure.language.policy import Policy
from goodmeasure.language.value import Condition
from goodmeasure.language.view import Branch, Number, shortest


class ExactClassCount(int):
    """The number of classes as an integer whose quotients are exact numbers rather than floats."""

    def __add__(self, other: object) -> ExactClassCount:
        return _whole(int.__add__(self, other)) if isinstance(other, int) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: object) -> ExactClassCount:
        return _whole(int.__sub__(self, other)) if isinstance(other, int) else NotImplemented

    def __rsub__(self, other: object) -> ExactClassCount:
        return _whole(int.__rsub__(self, other)) if isinstance(other, int) else NotImplemented

    def __mul__(self, other: object) -> ExactClassCount:
        return _whole(int.__mul__(self, other)) if isinstance(other, int) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Exact:  # type: ignore[override]
        return Exact.of(int(self)) / other

    def __rtruediv__(self, other: object) -> Exact:  # type: ignore[override]
        return Exact.of(other) / int(self)


def _whole(value: int) -> ExactClassCount:
    """Return an integer as an `ExactClassCount`, so that m − 1 divides exactly too."""
    return ExactClassCount(value)


class ExactView(LoopView[Real]):
    """A single matrix of exact numbers."""

    def __init__(self, cells: list[list[Real]], policy: Policy) -> None:
        super().__init__(cells, policy)
        self.m = ExactClassCount(self.m)

    def where(self, condition: Condition | bool, x: Branch[Real], y: Branch[Real]) -> Real:
        return Exact.of(super().where(condition, x, y))

    def ratio(self, x: Real | float, y: Real | float, otherwise: Branch[Real] | None = None) -> Real:
        return super().ratio(Exact.of(x), Exact.of(y), otherwise)

    def no_value(self) -> Exact:
        return UNDEFINED

    def is_undefined(self, x: Real | float) -> bool:
        return x is UNDEFINED

    @property
    def pi(self) -> Exact:
        return reals.pi()

    def constant(self, number: Real | Number) -> Exact:
        return Exact.of(number)

    def power(self, x: Real | float, r: Real | Number) -> Real:
        base, exponent = Exact.of(x), shortest(r)
        if base is UNDEFINED:
            return base
        sign = base.sign()
        if (sign == 0 and exponent < 0) or (sign < 0 and exponent.denominator != 1):
            return self.undefined()
        return reals.power(base, exponent)

    def sqrt(self, x: Real | float) -> Real:
        x = Exact.of(x)
        if x is not UNDEFINED and x.sign() < 0:
            return self.undefined()
        return reals.sqrt(x)

    def log(self, x: Real | float) -> Real:
        x = Exact.of(x)
        if x is not UNDEFINED and x.sign() <= 0:
            return self.undefined()
        return reals.log(x)

    def exp(self, x: Real | float) -> Real:
        return reals.exp(x)

    def arccos(self, x: Real | float) -> Real:
        x = Exact.of(x)
        if x is not UNDEFINED and (x < -1 or x > 1):
            return self.undefined()
        return reals.arccos(x)
