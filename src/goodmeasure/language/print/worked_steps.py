"""An evaluation step by step: a tree with the numbers put in, and notes on every rule that acted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import inf
from operator import add
from typing import SupportsIndex

from goodmeasure.language.policy import (
    ABSENT,
    COUNTED,
    LEFT_OUT,
    NAN,
    NUMBER,
    SKIPPED,
    UNDEFINED,
    VALUE,
    LeaveOut,
    Note,
    Policy,
    UndefinedMeasure,
)
from goodmeasure.language.print.formulas import ARITHMETIC, SUMS, FormulaPrinter, Functions, Join, Words, made_of
from goodmeasure.language.print.matrices import ADD, ATOM, MUL, POWER, Grid, Printed
from goodmeasure.language.record import is_mapped
from goodmeasure.language.rewrite.lower import check_tables
from goodmeasure.language.tree import (
    RESOLVES,
    ClassVariable,
    CountOfClasses,
    Counts,
    Listed,
    Mapped,
    Missing,
    Nth,
    Numeral,
    Occurs,
    Operation,
    Over,
    Position,
    Ratio,
    Skipped,
    ToPower,
    Tree,
    Whole,
    below,
)
from goodmeasure.language.view import Number, shortest

_ROUNDING = 1e-12  # an argument this close to the domain of a root or an arc cosine is taken to be its end
_PLAIN: Words = {
    **SUMS, "mul": ("{}*{}", (MUL, MUL, MUL)), "div": ("{}/{}", (MUL, MUL, ATOM)),
    "power": ("{}^{}", (POWER, ATOM, ATOM)), "abs": ("|{}|", (ATOM, ADD)),
    **{x: (x + "({})", (ATOM, ADD)) for x in ("sqrt", "log", "log1p", "exp", "arccos", "arcsin")},
    **{x: (x, (ATOM,)) for x in ("pi", "inf")},
}  # fmt: skip


def _power(x: Number, r: Number) -> Number:
    return x ** int(r) if r >= 0 and r == int(r) else float(x) ** float(r)


_FUNCTIONS: Functions = {
    **ARITHMETIC, "power": _power, "sqrt": lambda x: math.sqrt(max(x, 0.0)), "log": math.log, "log1p": math.log1p,
    "exp": math.exp, "arccos": lambda x: math.acos(min(1.0, max(-1.0, x))),
    "arcsin": lambda x: math.asin(min(1.0, max(-1.0, x))), "pi": lambda: math.pi, "inf": lambda: inf,
}  # fmt: skip
# Whether an argument is outside of the domain of a function
_OUTSIDE: dict[str, Callable[[Number], bool]] = {
    "sqrt": lambda x: x < -_ROUNDING, "log": lambda x: x <= 0, "log1p": lambda x: x <= -1,
    **{name: lambda x: not -1 - _ROUNDING <= x <= 1 + _ROUNDING for name in ("arccos", "arcsin")},
}  # fmt: skip
_CONSTANT = frozenset((CountOfClasses, Counts, Position, ClassVariable, Nth, Numeral, Operation, ToPower))


class Steps(FormulaPrinter):
    """One evaluation of trees on a matrix, whose parts have values; all counts are exact, so every zero test is."""

    symbolic = naming = False
    brackets = "({})"
    words = _PLAIN
    functions = _FUNCTIONS

    def __init__(self, counts: Sequence[Sequence[Number]], policy: Policy) -> None:
        super().__init__()
        self.policy = policy
        self.counts = self._grid(counts)
        self.notes: list[Note] = []
        self.path: list[SupportsIndex] = []
        self._known: dict[object, Printed] = {}

    def _grid(self, rows: Iterable[Sequence[Number]]) -> Grid:
        return Grid(self, [[self.number(x) for x in row] for row in rows])

    def digits(self, value: Number) -> str:
        if not isinstance(value, float):
            return str(value)
        return "undefined" if math.isnan(value) else f"{value:.6g}"

    def total(self, cells: Iterable[Printed]) -> Printed:
        return self.number(reduce(add, (x.value for x in cells)))

    # Trees

    def result(self, tree: Tree) -> Printed:
        """Return the value of a measure; a rule that leaves a class out outside of any sum makes it undefined."""
        check_tables(tree, int(self.counts.m.value))
        try:
            return self(tree)
        except LeaveOut:
            return self.undefined()

    def known(self, x: Tree) -> float:
        """Return the value of a part as a float, or whether a condition holds, for a definition that asks for it."""
        return float(self.condition(x) if x.SORT == "ConditionTree" else self.result(x).value)

    def __call__(self, x: Tree) -> Printed:
        key = (x, self.policy.name)
        if key in self._known:
            return self._known[key]
        path = self.path
        self.path = path if x.free else []  # or else it does not depend on the classes of the sums around it
        try:
            found = self._settled(x, self._computed(x))
        finally:
            self.path = path
        if not x.free:
            self._known[key] = found
        return found

    def _settled(self, x: Tree, found: Printed) -> Printed:
        """Return a value; of arithmetic with nothing but the number of classes or their positions, not the steps."""
        kinds = made_of(x)
        is_constant = kinds <= _CONSTANT and not kinds.isdisjoint((CountOfClasses, Position))
        is_constant = is_constant and all(y.name in ARITHMETIC for y in below(x) if isinstance(y, Operation))
        return self.number(found.value) if is_constant else found

    def _computed(self, x: Tree) -> Printed:
        match x:
            case Ratio():
                return self._ratio(x)
            case ToPower(x=base, r=r):
                value = self(base).value
                if (value < 0 and r.denominator > 1) or (value == 0 and r < 0):
                    return self._failed(x)
            case Whole(of=of, value=whole):
                if is_mapped(of) and math.isnan(self.matrix(of).n.value):
                    return self.undefined()
                found = self(whole)
                return self.undefined() if math.isnan(found.value) else found
            case Missing():
                return self.undefined()
            case Skipped():
                raise LeaveOut
        return super().__call__(x)

    def mapped(self, x: Mapped) -> Grid:
        # A policy that is a number replaces the value of the whole measure, not single cells of the mapped matrix: the
        # cells are therefore computed under "nan", and the measure puts the number in if one of them is undefined.
        policy, size = self.policy, range(int(self.matrix(x.of).m.value))
        self.policy = policy if policy.name in ("resolve", "raise") else NAN
        cells: list[list[Number]] = []
        try:
            for k in size:
                self.path.append(k)
                self.at[x.i] = k
                cells.append([self(x.cell).value for self.at[x.j] in size])
                self.path.pop()
        finally:
            self.policy = policy
        return self._grid(cells)

    def condition(self, x: Tree) -> str | bool:
        if not isinstance(x, Occurs):
            return self.policy.resolves if x is RESOLVES else super().condition(x)
        of, i = self.matrix(x.of), self.place(x.i)
        there = not self.policy.resolves or of.size("a", i).value + of.size("b", i).value > 0
        if not there:
            self._note(None, ABSENT)
        return there

    # Undefined values

    def undefined(self) -> Printed:
        if self.policy.name == "raise":
            raise UndefinedMeasure("a term of the formula is undefined")
        return self.numeral(shortest(self.policy.number)) if self.policy.name == "number" else Printed("undefined")

    def _note(self, place: Tree | None, action: str, value: object = None, above: Number = 0) -> None:
        self.notes.append(Note(place, tuple(self.path), action, value, above))

    def _failed(self, place: Tree, above: Number = 0) -> Printed:
        """Note that a term has no value and no rule, and return what the policy makes of it."""
        replaced = self.policy.name == "number"
        self._note(place, NUMBER if replaced else UNDEFINED, self.policy.number if replaced else None, above)
        return self.undefined()

    def divided(self, place: Tree, above: Printed, under: Printed) -> Printed:
        return self._failed(place, above.value) if under.value == 0 else self.apply("div", above, under)

    def _ratio(self, x: Ratio) -> Printed:
        above, under = self(x.x), self(x.y)
        if x.rule is None or not self.policy.resolves or under.value != 0:
            return self.divided(x, above, under)
        at, action, value = len(self.notes), SKIPPED, None
        try:
            found = self(x.rule)
            action, value = UNDEFINED if math.isnan(found.value) else VALUE, found.value
        finally:
            self.notes[at:] = []
            self._note(x, action, value, above.value)
        return found

    # Over classes

    def classes_of(self, x: Over | Listed) -> Iterator[tuple[Tree, Tree | None, Tree | None, Tree | None]]:
        for k, found in enumerate(super().classes_of(x)):
            self.path.append(k)
            yield found
            self.path.pop()

    def over_terms(self, x: Over | Listed) -> Printed:
        before, depth = len(self.notes), len(self.path) + 1  # a class of this mean is one step further on the path
        found = super().over_terms(x)
        if x.op == "mean":
            self.notes[before:] = [
                replace(note, action=LEFT_OUT) if note.action == SKIPPED and len(note.where) == depth else note
                for note in self.notes[before:]
            ]
        return self.number(found.value) if isinstance(x, Over) and isinstance(x.term, Numeral) else found

    def term(self, term: Tree, rule: Tree | None) -> Printed:
        """Return the term of a mean; what its rule does for an undefined one is put into the notes about it."""
        before = len(self.notes)
        found = self(term)
        if rule is None or not self.policy.resolves or not math.isnan(found.value):
            return found
        action, instead = SKIPPED, None
        try:
            found = self(rule)
            action, instead = COUNTED, found.value
        finally:
            self.notes[before:] = [
                replace(x, action=action, value=instead) if x.action == UNDEFINED else x for x in self.notes[before:]
            ]
        return found

    # Arithmetic

    def operation(self, x: Operation, args: list[Printed]) -> Printed:
        if x.name in _OUTSIDE and _OUTSIDE[x.name](args[0].value):
            return self._failed(x)
        return self._settled(x, super().operation(x, args))

    def extreme(self, place: Tree, op: str, terms: Sequence[Printed]) -> Printed:
        """Return the smallest or largest value, or the first one that is undefined."""
        if not terms:
            return self._failed(place)
        lost = [x for x in terms if math.isnan(x.value)]
        return lost[0] if lost else (min if op == "least" else max)(terms, key=lambda x: x.value)

    def mean(self, place: Tree, p: Tree | Number, count: Printed, terms: Sequence[Printed], join: Join) -> Printed:
        assert not isinstance(p, Tree)
        if not terms:
            return self._failed(place)
        if p not in (1, inf, -inf):
            values = [x.value for x in terms]
            if any(map(math.isnan, values)):
                return Printed("undefined")
            if min(values) < 0:
                return self.undefined()
            if max(values) == 0 or (p <= 0 and min(values) == 0):
                return self.number(0)
        return super().mean(place, p, count, terms, join)

    def average(self, total: Printed, count: Printed) -> Printed:
        return self.apply("div", total, count)

    def root(self, x: Printed, r: Printed) -> Printed:
        return self.apply("power", x, self.number(1 / Fraction(r.value)))
