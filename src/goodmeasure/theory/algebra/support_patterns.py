"""The language of ``c`` on one support pattern: each cell is 0 or a positive polynomial, so every rule resolves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import LeaveOut, Policy
from goodmeasure.language.printing.expressions import Parameter
from goodmeasure.language.view import Value, shortest
from goodmeasure.theory.algebra import quantities
from goodmeasure.theory.algebra.orthant import Orthant, Outside, Unsettled
from goodmeasure.theory.algebra.quantities import Quantity, quantity


class Whole(int):
    """The number of classes: an integer whose quotients are fractions."""

    def __add__(self, other: Any) -> Any:
        return Whole(int.__add__(self, other)) if isinstance(other, int) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return Whole(int.__sub__(self, other)) if isinstance(other, int) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return Whole(int.__rsub__(self, other)) if isinstance(other, int) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return Whole(int.__mul__(self, other)) if isinstance(other, int) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return Fraction(int(self)) / other if isinstance(other, (int, Fraction)) else NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        return Fraction(other) / int(self) if isinstance(other, (int, Fraction)) else NotImplemented


class EveryExponent(Parameter):
    """The exponent of a power mean, left open but for its sign: what is said of it holds for every real one.

    It takes the general branch of a definition's choices, as a letter does; as a number it is one example.
    """

    __slots__ = ("positive",)
    __hash__ = Parameter.__hash__

    def __init__(self, positive: bool) -> None:
        super().__init__("r")
        self.positive = positive

    def __le__(self, other: Any) -> bool:  # type: ignore[override]
        if other != 0:
            raise Outside("an exponent that is left open compares with 0 only")
        return not self.positive

    def __float__(self) -> float:
        return 1.5 if self.positive else -0.5

    def __str__(self) -> str:
        return "r > 0" if self.positive else "r <= 0"


class PolynomialView(LoopView):
    """One matrix whose cells are quantities on an orthant."""

    def __init__(
        self, cells: Sequence[Sequence[Any]], policy: Policy, orthant: Orthant, *, open_order: bool = False
    ) -> None:
        super().__init__([[quantity(orthant, x) for x in row] for row in cells], policy)
        self.orthant = orthant
        self.open_order = open_order  # whether the greater of two values may stay open, as an atom
        self.m = Whole(self.m)

    def like(self, cells: list[list[Value]]) -> LoopView:
        return self.related(PolynomialView(cells, self.policy, self.orthant, open_order=self.open_order))

    def no_value(self) -> Any:
        return UNDEFINED

    def is_undefined(self, x: Value) -> bool:
        return x is UNDEFINED

    def _of(self, x: Value) -> Any:
        return quantity(self.orthant, x)

    def sum(self, term: Any, over: Any = None) -> Value:
        return self._of(super().sum(term, over))

    def where(self, condition: Any, x: Value, y: Value) -> Value:
        return self._of(super().where(condition, x, y))

    def ratio(self, x: Value, y: Value, otherwise: Any = None) -> Value:
        return super().ratio(self._of(x), self._of(y), otherwise)

    @property
    def pi(self) -> Value:
        return quantities.of_atom(self.orthant, self.orthant.atom("pi", positive=True))

    def constant(self, number: Any) -> Value:
        return self._of(number)

    def min(self, *values: Value) -> Value:
        left_open = self._open(values, "least")
        return super().min(*values) if left_open is None else left_open

    def max(self, *values: Value) -> Value:
        left_open = self._open(values, "greatest")
        return super().max(*values) if left_open is None else left_open

    def _open(self, values: tuple[Value, ...], kind: str) -> Any:
        """The greater or the lesser of two values as an atom, where their order is open and may stay so."""
        if not self.open_order or len(values) != 2 or any(x is UNDEFINED for x in values):
            return None
        x, y = (self._of(v) for v in values)
        try:
            (x - y).sign()
        except Unsettled:
            return quantities.extreme(x, y, kind)
        return None

    def power_mean(self, values: list[Value], p: Any) -> Value:
        if isinstance(p, EveryExponent) and not all(isinstance(x, Quantity) for x in values):
            raise Outside("a power mean of undefined values")
        return super().power_mean(values, p)

    def _middle(self, values: list[Value], p: Any) -> Value:
        if len(values) == 2 and (isinstance(p, EveryExponent) or p != -1):
            zeros = [x for x in values if x == 0]
            if not zeros:
                return quantities.mean(values[0], values[1], p if isinstance(p, EveryExponent) else shortest(p))
            if isinstance(p, EveryExponent):  # p > 0: some positive share of the other value
                share = quantities.of_atom(self.orthant, self.orthant.atom("share", p, positive=True))
                return share * (values[0] if values[1] == 0 else values[1])
        return super()._middle(values, p)

    def power(self, x: Value, r: Any) -> Value:
        x, r = self._of(x), shortest(r)
        if x is UNDEFINED:
            return x
        sign = x.sign() if r < 0 or r.denominator != 1 else 1
        if (sign == 0 and r < 0) or (sign < 0 and r.denominator != 1):
            return self.undefined()
        return quantities.power(x, r)

    def sqrt(self, x: Value) -> Value:
        x = self._of(x)
        if x is UNDEFINED:
            return x
        return self.undefined() if x.sign() < 0 else quantities.sqrt(x)

    def log(self, x: Value) -> Value:
        x = self._of(x)
        if x is UNDEFINED:
            return x
        return self.undefined() if x.sign() <= 0 else quantities.log(x)

    def arccos(self, x: Value) -> Value:
        x = self._of(x)
        if x is UNDEFINED:
            return x
        if x < -1 or x > 1:
            return self.undefined()
        return quantities.of_atom(self.orthant, self.orthant.atom("arccos", x, positive=False))


def value_on(
    definition: Any, cells: Sequence[Sequence[Any]], policy: Policy, orthant: Orthant, *, open_order: bool = False
) -> Any:
    """The value of a definition on these cells; `UNDEFINED` where it has none, `Outside` where nothing decides."""
    view = PolynomialView(cells, policy, orthant, open_order=open_order)
    try:
        value = quantity(orthant, definition(view))
    except LeaveOut:
        value = quantity(orthant, view.undefined())
    except Outside:
        raise
    except FAULTS as error:  # the definition asks something that only numbers can answer
        raise Outside(f"{type(error).__name__}: {error}") from None
    return value


FAULTS = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError, NameError, AssertionError, RuntimeError)
