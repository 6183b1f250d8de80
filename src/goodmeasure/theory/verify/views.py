"""The verifier's own reading of a definition: the language of ``c`` with values of `arithmetic.py` as cells.

What the words of the language mean (sums and means over classes, rules for 0/0, policies) is inherited from
`language/class_by_class.py`, which also evaluates the measure on numbers; this file adds only what a function of the
variables is in place of a number. What is read is the recorded tree of the measure (`language/read.py`), from which its
numbers are computed as well. Reading it on values goes the same way as computing it on the numbers of any one point:
each arithmetic step is the step on functions, and a comparison is answered only if the answer is the same at all
points; else the reading ends with `Refused`. So what is read is the value of the measure at every point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import SupportsIndex

from goodmeasure.language import means_of_two
from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.policy import Policy
from goodmeasure.language.value import Condition, Exponent
from goodmeasure.language.view import Branch, Chosen, Number, Rule, Sizes, Term, shortest
from goodmeasure.theory.verify import atoms
from goodmeasure.theory.verify.arithmetic import (
    DOWN,
    NOT_DOWN,
    NOT_UP,
    UNDEFINED,
    UP,
    ZERO,
    ExactClassCount,
    FunctionValue,
    Ground,
    Outcome,
)
from goodmeasure.theory.verify.atoms import OpenExponent
from goodmeasure.theory.verify.mean_square import never_negative


class FunctionView(LoopView[Outcome]):
    """The language of ``c`` for one matrix whose cells are functions of the variables of a ground."""

    def __init__(self, cells: Sequence[Sequence[object]], policy: Policy, ground: Ground) -> None:
        super().__init__([[ground.read(x) for x in row] for row in cells], policy)
        self.ground = ground
        self.m = ExactClassCount(self.m)

    def like(self, cells: list[list[Outcome]]) -> LoopView[Outcome]:
        return FunctionView(cells, self.policy, self.ground)

    def no_value(self) -> Outcome:
        return UNDEFINED

    def is_undefined(self, x: Outcome | float) -> bool:
        if self.ground.supposed:
            self.ground.refuse("a test after something was supposed to be defined")
        return x is UNDEFINED

    def constant(self, number: object) -> Outcome:
        return self.ground.read(number)

    def sum(self, term: Term[SupportsIndex, Outcome], over: Chosen[SupportsIndex] | None = None) -> Outcome:
        return self.constant(super().sum(term, over))

    def where(self, condition: Condition | bool, x: Branch[Outcome], y: Branch[Outcome]) -> Outcome:
        return self.constant(super().where(condition, x, y))

    def ratio(self, x: object, y: object, otherwise: Branch[Outcome] | None = None) -> Outcome:
        return super().ratio(self.constant(x), self.constant(y), otherwise)

    @property
    def pi(self) -> Outcome:
        return atoms.pi(self.ground)

    def exp(self, x: object) -> Outcome:
        return self.ground.refuse("an exponential")

    def min(self, *values: object) -> Outcome:
        return self._one_of(values, atoms.least)

    def max(self, *values: object) -> Outcome:
        return self._one_of(values, atoms.greatest)

    def _one_of(self, values: tuple[object, ...], chosen: Callable[[list[FunctionValue]], FunctionValue]) -> Outcome:
        if not values:
            return self.ratio(0, 0)
        read = [self.constant(x) for x in values]
        return UNDEFINED if any(x is UNDEFINED for x in read) else chosen(read)

    def mean(
        self,
        term: Term[SupportsIndex, Outcome],
        p: Outcome | Number = 1,
        over: Chosen[SupportsIndex] | None = None,
        undefined: Rule[Outcome, SupportsIndex] | None = None,
        weights: Sizes[Outcome, SupportsIndex] | None = None,
    ) -> Outcome:
        return super().mean(term, self._exponent(p), over, undefined, weights)  # type: ignore[arg-type]

    def _exponent(self, p: object) -> object:
        """Return an exponent, which must be a number of Python unless it is left open."""
        return p if type(p) is OpenExponent else self.ground.plain(p)

    def power_mean(self, values: Sequence[Outcome | float], p: Exponent) -> Outcome:
        self._exponent(p)
        if isinstance(p, OpenExponent) and any(x is UNDEFINED for x in values):
            return self.ground.refuse("an open power mean of undefined values")
        return super().power_mean([self.constant(x) for x in values], p)

    def _middle(self, values: Sequence[FunctionValue], p: Exponent) -> Outcome:  # type: ignore[override] # they are read already
        left_open = isinstance(p, OpenExponent)
        if len(values) == 2 and (left_open or p != -1):
            zeros = [x for x in values if x == 0]
            if not zeros:
                return atoms.mean(values[0], values[1], p if left_open else shortest(p))  # type: ignore[arg-type] # the exponent is open
            if left_open:  # the exponent is positive here, and M(x, 0) = 2^(−1/p)·x
                return atoms.share(self.ground, p) * (values[0] + values[1])  # type: ignore[arg-type]
        return self.ground.refuse("an open power mean") if left_open else super()._middle(values, p)

    def over_mean(self, x: object, u: object, v: object, mean: str, p: int | None = None) -> Outcome:
        name = means_of_two.label(mean, p)
        x, u, v = (self.constant(y) for y in (x, u, v))
        return UNDEFINED if any(y is UNDEFINED for y in (x, u, v)) else x / atoms.mean(u, v, name)

    def power(self, x: object, r: object) -> Outcome:
        x, r = self.constant(x), shortest(self.ground.plain(r))
        if x is UNDEFINED or (r.denominator == 1 and r >= 0):
            return x if x is UNDEFINED else x ** int(r)
        signs = x.signs()
        if (r < 0 and signs == ZERO) or (r.denominator != 1 and signs == DOWN):
            return self.undefined()
        if r == Fraction(1, 2) and not signs <= NOT_DOWN and never_negative(x, self.cells):
            return self.ground.new_atom(("some root", *x.key), partial(atoms.SomeRoot, x, NOT_DOWN))
        if (r < 0 and 0 in signs) or (r.denominator != 1 and not signs <= NOT_DOWN):
            return self.ground.refuse("a power of a value whose sign is not settled")
        return atoms.power(x, r)

    def sqrt(self, x: Outcome | float) -> Outcome:
        return self.power(x, Fraction(1, 2))

    def log(self, x: Outcome | float) -> Outcome:
        x = self.constant(x)
        if x is UNDEFINED:
            return x
        signs = x.signs()
        if signs <= NOT_UP:
            return self.undefined()
        return atoms.log(x) if signs == UP else self.ground.refuse("the logarithm of a value of open sign")

    def arccos(self, x: object) -> Outcome:
        x = self.constant(x)
        if x is UNDEFINED:
            return x
        if x < -1 or x > 1:
            return self.undefined()
        return atoms.angle_of(x)


class SupposingView(FunctionView):
    """A view on which the root of a value that may be negative is read as if it were defined.

    On a matrix on which it is not defined, the measure has no value, and the statement demands nothing. This is right
    only if nothing else depends on whether the root is defined. So it is refused if undefined terms are replaced by a
    number, and after it every comparison and every test for undefined values is refused (`Ground.supposed`).
    """

    def like(self, cells: list[list[Outcome]]) -> LoopView[Outcome]:
        return SupposingView(cells, self.policy, self.ground)

    def _suppose(self) -> None:
        if self.policy.name == "number":
            self.ground.refuse("a term that may be undefined, and would be replaced by a number")
        self.ground.supposed = True

    def power(self, x: object, r: object) -> Outcome:
        x = self.constant(x)
        open_sign = x is not UNDEFINED and 1 in x.signs() and not x.signs() <= NOT_DOWN
        if shortest(self.ground.plain(r)) == Fraction(1, 2) and open_sign and not never_negative(x, self.cells):
            self._suppose()
            return self.ground.new_atom(("some root", *x.key), partial(atoms.SomeRoot, x, NOT_DOWN))
        return super().power(x, r)
