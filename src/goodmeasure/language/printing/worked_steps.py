"""An evaluation step by step: the formula with the numbers put in, and notes on every rule that acted."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import SupportsIndex, TypeVar

from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.policy import (
    ABSENT,
    COUNTED,
    LEFT_OUT,
    NUMBER,
    SKIPPED,
    UNDEFINED,
    VALUE,
    LeaveOut,
    Note,
    Policy,
)
from goodmeasure.language.printing.formulas import place_of
from goodmeasure.language.view import Branch, Chosen, Number, Rule, Sizes, Term

_Term = TypeVar("_Term")

ADD, MUL, ATOM = range(3)


class WorkedNumber:
    """A number together with the arithmetic that led to it, as text."""

    __slots__ = ("level", "text", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Number, text: str | None = None, level: int = ATOM) -> None:
        self.value = value
        self.text = number_text(value) if text is None else text
        self.level = level if text is not None else (ADD if value < 0 else ATOM)

    def inside(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"

    def __add__(self, other: WorkedNumber | Number) -> WorkedNumber:
        y = traced(other)
        if y.text == "0":
            return self
        if self.text == "0":
            return y
        return WorkedNumber(
            self.value + y.value, f"{self.text} + {y.inside(MUL) if y.text.startswith('-') else y.text}", ADD
        )

    def __radd__(self, other: WorkedNumber | Number) -> WorkedNumber:
        return traced(other) + self

    def __sub__(self, other: WorkedNumber | Number) -> WorkedNumber:
        y = traced(other)
        return WorkedNumber(self.value - y.value, f"{self.text} - {y.inside(MUL)}", ADD)

    def __rsub__(self, other: WorkedNumber | Number) -> WorkedNumber:
        return traced(other) - self

    def __neg__(self) -> WorkedNumber:
        return WorkedNumber(-self.value, f"-{self.inside(MUL)}", ADD)

    def __mul__(self, other: WorkedNumber | Number) -> WorkedNumber:
        y = traced(other)
        if self.text == "1":
            return y
        if y.text == "1":
            return self
        return WorkedNumber(self.value * y.value, f"{self.inside(MUL)}*{y.inside(MUL)}", MUL)

    def __rmul__(self, other: WorkedNumber | Number) -> WorkedNumber:
        return traced(other) * self

    def __truediv__(self, other: WorkedNumber | Number) -> WorkedNumber:
        y = traced(other)
        return WorkedNumber(self.value / y.value, f"{self.inside(MUL)}/{y.inside(ATOM)}", MUL)

    def __rtruediv__(self, other: WorkedNumber | Number) -> WorkedNumber:
        return traced(other) / self

    def __pow__(self, exponent: int) -> WorkedNumber:
        return WorkedNumber(self.value**exponent, f"{self.inside(ATOM)}^{exponent}", MUL)

    def __abs__(self) -> WorkedNumber:
        return WorkedNumber(_absolute(self.value), f"|{self.text}|", ATOM)

    def __eq__(self, other: WorkedNumber | Number) -> bool:  # type: ignore[override]
        return bool(self.value == _value(other))

    def __ne__(self, other: WorkedNumber | Number) -> bool:  # type: ignore[override]
        return bool(self.value != _value(other))

    def __lt__(self, other: WorkedNumber | Number) -> bool:
        return bool(self.value < _value(other))

    def __le__(self, other: WorkedNumber | Number) -> bool:
        return bool(self.value <= _value(other))

    def __gt__(self, other: WorkedNumber | Number) -> bool:
        return bool(self.value > _value(other))

    def __ge__(self, other: WorkedNumber | Number) -> bool:
        return bool(self.value >= _value(other))

    def __bool__(self) -> bool:
        return bool(self.value)


def _absolute(x: Number) -> Number:
    return x if x > 0 else 0 - x  # 0 − x rather than −x, which would give −0.0 for 0


def number_text(x: Number) -> str:
    """Return a number as a reader would write it."""
    if isinstance(x, int):
        return str(x)
    if isinstance(x, Fraction):
        return str(x)
    return "undefined" if math.isnan(x) else f"{x:.6g}"


def _exponent(r: Number) -> str:
    text = number_text(r)
    return text if text.isdigit() else f"({text})"


def traced(x: WorkedNumber | Number) -> WorkedNumber:
    """Return a number whose arithmetic is recorded."""
    return x if isinstance(x, WorkedNumber) else WorkedNumber(x)


def _value(x: WorkedNumber | Number) -> Number:
    return x.value if isinstance(x, WorkedNumber) else x


class WorkedView(LoopView[WorkedNumber]):
    """A single matrix whose arithmetic is written down; cells are exact fractions, so every zero test is exact."""

    def __init__(
        self,
        cells: Sequence[Sequence[WorkedNumber | Number]],
        policy: Policy,
        log: list[Note] | None = None,
        path: list[SupportsIndex] | None = None,
    ) -> None:
        super().__init__([[traced(x) for x in row] for row in cells], policy)
        self.notes: list[Note] = [] if log is None else log
        self.path: list[SupportsIndex] = [] if path is None else path

    def like(self, cells: list[list[WorkedNumber]]) -> LoopView[WorkedNumber]:
        return self.related(WorkedView(cells, self.policy, self.notes, self.path))

    def _margins(self) -> tuple[list[WorkedNumber], list[WorkedNumber], WorkedNumber]:
        if self._sizes is None:  # class sizes are facts about the data, so they are shown as numbers, not as sums
            rows, columns, n = super()._margins()
            self._sizes = (
                [WorkedNumber(x.value) for x in rows],
                [WorkedNumber(x.value) for x in columns],
                WorkedNumber(n.value),
            )
        return self._sizes

    def two(self, tp: WorkedNumber, fn: WorkedNumber, fp: WorkedNumber, tn: WorkedNumber) -> LoopView[WorkedNumber]:
        return self.like(
            [[WorkedNumber(_value(tn)), WorkedNumber(_value(fp))], [WorkedNumber(_value(fn)), WorkedNumber(_value(tp))]]
        )

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], WorkedNumber]) -> LoopView[WorkedNumber]:
        def told(i: SupportsIndex, j: SupportsIndex) -> WorkedNumber:
            self.path.append(i)
            try:
                return cell(i, j)
            finally:
                self.path.pop()

        mapped = super().map(told)
        mapped.cells = [[WorkedNumber(_value(x)) for x in row] for row in mapped.cells]
        return mapped

    def excess(self, i: SupportsIndex) -> WorkedNumber:
        return self.n * self.cells[i][i] - self.a[i] * self.b[i]

    def _terms(self, term: Callable[[SupportsIndex], _Term], over: Chosen[SupportsIndex] | None) -> Iterator[_Term]:
        for i in range(self.m):
            self.path.append(i)
            try:
                if over is not None and not over(i):
                    continue
                value = term(i)
            except LeaveOut:
                continue
            finally:
                self.path.pop()
            yield value

    def sum(self, term: Term[SupportsIndex, WorkedNumber], over: Chosen[SupportsIndex] | None = None) -> WorkedNumber:
        return traced(super().sum(term, over))

    def mean(
        self,
        term: Term[SupportsIndex, WorkedNumber],
        p: WorkedNumber | Number = 1,
        over: Chosen[SupportsIndex] | None = None,
        undefined: Rule[WorkedNumber, SupportsIndex] | None = None,
        weights: Sizes[WorkedNumber, SupportsIndex] | None = None,
    ) -> WorkedNumber:
        before, depth = len(self.notes), len(self.path) + 1  # a class of this mean is one step further on the path
        try:
            return super().mean(term, p, over, undefined, weights)
        finally:
            self.notes[before:] = [
                replace(x, action=LEFT_OUT) if x.action == SKIPPED and len(x.where) == depth else x
                for x in self.notes[before:]
            ]

    def no_value(self) -> WorkedNumber:
        return WorkedNumber(math.nan, "undefined", ATOM)

    def is_undefined(self, x: WorkedNumber | float) -> bool:
        return bool(_value(x) != _value(x))

    @property
    def pi(self) -> WorkedNumber:
        return WorkedNumber(math.pi, "pi")

    def constant(self, number: WorkedNumber | Number) -> WorkedNumber:
        if isinstance(number, float):
            return WorkedNumber(Fraction(repr(number)), number_text(number))
        return number if isinstance(number, WorkedNumber) else WorkedNumber(number)

    def _applied(
        self, name: str, function: Callable[[float], float], x: WorkedNumber | Number, *, defined: bool
    ) -> WorkedNumber:
        """Return the value of a function with its text; if it is undefined, note that and do what the policy says."""
        if not defined:
            self._record(None, (place_of(sys._getframe(2)), self.turned))
            return traced(self.undefined())
        return WorkedNumber(function(float(_value(x))), f"{name}({traced(x).text})", ATOM)

    def power(self, x: WorkedNumber | float, r: WorkedNumber | Number) -> WorkedNumber:
        value, r = _value(x), _value(r)
        defined = not (value < 0 and r != int(r)) and not (value == 0 and r < 0)
        result = self._applied("", lambda y: float(y ** float(r)), x, defined=defined)
        return WorkedNumber(result.value, f"{traced(x).inside(ATOM)}^{_exponent(r)}", MUL) if defined else result

    def sqrt(self, x: WorkedNumber | float) -> WorkedNumber:
        return self._applied("sqrt", lambda y: math.sqrt(max(y, 0.0)), x, defined=not _value(x) < -1e-12)

    def log(self, x: WorkedNumber | float) -> WorkedNumber:
        return self._applied("log", math.log, x, defined=not _value(x) <= 0)

    def arccos(self, x: WorkedNumber | float) -> WorkedNumber:
        return self._applied(
            "arccos", lambda y: math.acos(min(1.0, max(-1.0, y))), x, defined=not _absolute(_value(x)) > 1 + 1e-12
        )

    def exp(self, x: WorkedNumber | float) -> WorkedNumber:
        return self._applied("exp", math.exp, x, defined=True)

    def log1p(self, x: WorkedNumber | float) -> WorkedNumber:
        return self._applied("log1p", math.log1p, x, defined=not _value(x) <= -1)

    def arcsin(self, x: WorkedNumber | float) -> WorkedNumber:
        return self._applied(
            "arcsin", lambda y: math.asin(min(1.0, max(-1.0, y))), x, defined=not _absolute(_value(x)) > 1 + 1e-12
        )

    def ratio(
        self, x: WorkedNumber | float, y: WorkedNumber | float, otherwise: Branch[WorkedNumber] | None = None
    ) -> WorkedNumber:
        if y != 0:
            x, y = traced(x), traced(y)
            if isinstance(x.value, int) and isinstance(y.value, int):
                return WorkedNumber(Fraction(x.value, y.value), f"{x.inside(MUL)}/{y.inside(ATOM)}", MUL)
            return x / y
        at, place = len(self.notes), (place_of(sys._getframe(1)), self.turned)
        self._record(otherwise, place, _value(x))
        value = traced(self._without_value(otherwise))
        if callable(otherwise) and self.policy.resolves:  # the value of the rule is known only at this point
            action = UNDEFINED if self.is_undefined(value) else VALUE
            self.notes[at:] = [Note(place, tuple(self.path), action, value.value, _value(x))]
        return value

    def _record(self, otherwise: Branch[WorkedNumber] | None, place: object, above: Number = 0) -> None:
        """Note which division had no value and what the policy makes of it."""
        action: str = UNDEFINED
        value: object = None
        if self.policy.name == "number":
            action, value = NUMBER, self.policy.number
        elif self.policy.resolves and otherwise is not None:
            action, value = (SKIPPED, None) if otherwise is self.skip else (VALUE, otherwise)
        self.notes.append(Note(place, tuple(self.path), action, value, above))

    def occurs(self, i: SupportsIndex) -> bool:
        there = bool(super().occurs(i))
        if not there:
            self.notes.append(Note(None, tuple(self.path), ABSENT))
        return there

    def _with_rule(
        self, term: Term[SupportsIndex, WorkedNumber], rule: Rule[WorkedNumber, SupportsIndex]
    ) -> Term[SupportsIndex, WorkedNumber]:
        """Return the term of a mean with its rule; undefined terms it notes become left out or counted as a value."""

        def ruled(i: SupportsIndex) -> WorkedNumber | float:
            before = len(self.notes)
            value = term(i)
            if not self.is_undefined(value):
                return value
            action: str = SKIPPED
            instead: Number | None = None
            try:
                value = traced(self._ruled(rule, i))
                action, instead = COUNTED, value.value
            finally:
                self.notes[before:] = [
                    replace(x, action=action, value=instead) if x.action == UNDEFINED else x
                    for x in self.notes[before:]
                ]
            return value

        return ruled
