"""An evaluation step by step: a tree with the numbers put in, and notes on every rule that acted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial, reduce
from math import inf, nan
from operator import add
from typing import SupportsIndex

from goodmeasure.language.compile import numbers
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
from goodmeasure.language.print.formulas import (
    ARITHMETIC,
    SUMS,
    FormulaPrinter,
    Functions,
    Join,
    OfClass,
    Words,
    made_of,
)
from goodmeasure.language.print.matrices import ATOM, MUL, POWER, Grid, Printed
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
    Operation,
    Over,
    Position,
    Ratio,
    Skipped,
    ToPower,
    Tree,
    Whole,
    below,
    is_occurrence,
)
from goodmeasure.language.view import Number, shortest

_PLAIN: Words = {
    **SUMS, "mul": ("{:2}*{:2}", MUL), "div": ("{:2}/{:4}", MUL), "power": ("{:4}^{:4}", POWER), "abs": ("|{}|", ATOM),
    **{x: (x + "({})", ATOM) for x in ("sqrt", "log", "log1p", "exp", "arccos", "arcsin")},
    "pi": ("pi", ATOM), "inf": ("inf", ATOM),
}  # fmt: skip


def _power(x: Number, r: Number) -> Number:
    return x ** int(r) if r >= 0 and r == int(r) else numbers.power(float(x), float(r), nan)


def _or_nan(of: Callable[[float, float], float], x: Number) -> float:
    return of(float(x), nan)


_PARTIAL = numbers.sqrt, numbers.log, numbers.log1p, numbers.arccos, numbers.arcsin
_FUNCTIONS: Functions = {
    **ARITHMETIC, "power": _power, "exp": math.exp, "pi": lambda: math.pi, "inf": lambda: inf,
    **{f.__name__: partial(_or_nan, f) for f in _PARTIAL},
}  # fmt: skip
_CONSTANT = frozenset((CountOfClasses, Counts, Position, ClassVariable, Nth, Numeral, Operation, ToPower))


class Steps(FormulaPrinter):
    """One evaluation of trees on a matrix, whose parts have values; all counts are exact, so every zero test is."""

    symbolic = naming = False
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
            found = self(tree)
        except LeaveOut:
            found = self.undefined()
        return found._replace(text=found.text.replace(r"\left", "").replace(r"\right", ""))

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
                of = self(base)
                return self._defined(x, self.apply("power", of, self.number(r)), of)
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
        return self.policy.resolves if x is RESOLVES else super().condition(x)

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

    def _ratio(self, x: Ratio) -> Printed:
        above, under = self(x.x), self(x.y)
        if under.value != 0:
            return self.apply("div", above, under)
        if x.rule is None or not self.policy.resolves:
            return self._failed(x, above.value)
        at, action, value = len(self.notes), SKIPPED, None
        try:
            found = self(x.rule)
            action, value = UNDEFINED if math.isnan(found.value) else VALUE, found.value
        finally:
            self.notes[at:] = []
            self._note(x, action, value, above.value)
        return found

    # Over classes

    def classes_of(self, x: Over | Listed) -> Iterator[OfClass]:
        for k, found in enumerate(super().classes_of(x)):
            self.path.append(k)
            test = found[1]
            if x.op == "mean" and test is not None and is_occurrence(test) and self.condition(test) is False:
                self._note(None, ABSENT)
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
        return self._settled(x, self._defined(x, super().operation(x, args), *args))

    def _defined(self, place: Tree, found: Printed, *args: Printed) -> Printed:
        """Return a value; if there is none although its operands have one, note it."""
        lost = math.isnan(found.value) and not any(math.isnan(x.value) for x in args)
        return self._failed(place) if lost else found

    def apply(self, name: str, *args: Printed) -> Printed:
        if name not in ("min", "max"):
            return super().apply(name, *args)
        if not args:
            return self._failed(Missing())
        lost = [x for x in args if math.isnan(x.value)]  # the first one that is undefined, or the smallest or largest
        return lost[0] if lost else (min if name == "min" else max)(args, key=lambda x: x.value)

    def mean(self, place: Tree, p: Tree | Number, count: Printed, terms: Sequence[Printed], join: Join) -> Printed:
        if not terms:
            return self._failed(place)
        if p not in (1, inf, -inf) and not isinstance(p, Tree):
            values = [float(x.value) for x in terms]
            value = numbers.mean(values, float(p), nan)
            if math.isnan(value):
                return Printed("undefined") if any(map(math.isnan, values)) else self.undefined()
            if value == 0:
                return self.number(0)
        return super().mean(place, p, count, terms, join)
