"""An evaluation step by step: a tree with the numbers put in, and notes on every rule that acted."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add, eq, le, lt, mul, neg, sub
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
from goodmeasure.language.print.formulas import made_of, nested_operations, written_mean
from goodmeasure.language.record import is_mapped
from goodmeasure.language.rewrite.lower import check_tables
from goodmeasure.language.tree import (
    CellOf,
    ClassVariable,
    CountOfClasses,
    Counts,
    Excess,
    Listed,
    Mapped,
    Missing,
    Nth,
    Numeral,
    Operation,
    Over,
    OverMean,
    OverPairs,
    Position,
    PowerMean,
    Ratio,
    Rest,
    SizeOf,
    Skipped,
    Tabled,
    Test,
    ToPower,
    TotalOf,
    Transposed,
    Tree,
    Two,
    Where,
    Whole,
    XLogY,
    below,
    is_occurrence,
)
from goodmeasure.language.value import product, total
from goodmeasure.language.view import Number

ADD, MUL, ATOM = range(3)
_ROUNDING = 1e-12  # an argument this close to the domain of a root or an arc cosine is taken to be its end


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
        return self if self.text == "0" else WorkedNumber(-self.value, f"-{self.inside(MUL)}", ADD)

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


def constant(x: Number) -> WorkedNumber:
    """Return a number of a definition, written as a decimal if it has a short one; its value is exact."""
    if isinstance(x, float):
        return WorkedNumber(Fraction(repr(x)), number_text(x))
    if x.denominator == 1:
        return WorkedNumber(int(x))
    shown = float(x)
    return WorkedNumber(x, number_text(shown if Fraction(repr(shown)) == x else x), MUL if x < 0 else ATOM)


def traced(x: WorkedNumber | Number) -> WorkedNumber:
    """Return a number whose arithmetic is recorded."""
    return x if isinstance(x, WorkedNumber) else WorkedNumber(x)


def _value(x: WorkedNumber | Number) -> Number:
    return x.value if isinstance(x, WorkedNumber) else x


class WorkedMatrix:
    """A matrix of numbers whose arithmetic is written down; class sizes are shown as numbers, not as sums."""

    def __init__(self, cells: Sequence[Sequence[WorkedNumber]]) -> None:
        self.cells, self.m = cells, len(cells)
        values = [[x.value for x in row] for row in cells]
        rows = [sum(row) for row in values]
        self.a, self.n = [WorkedNumber(x) for x in rows], WorkedNumber(sum(rows))
        self.b = [WorkedNumber(sum(column)) for column in zip(*values, strict=True)]

    @classmethod
    def of(cls, rows: Sequence[Sequence[Number]]) -> WorkedMatrix:
        return cls([[WorkedNumber(x) for x in row] for row in rows])

    def rest(self, i: int) -> WorkedMatrix:
        """Return two classes: class i, as the positive one, against all others."""
        if self.m == 2 and i == 1:
            return self
        hit, a, b, n = (x.value for x in (self.cells[i][i], self.a[i], self.b[i], self.n))
        return WorkedMatrix.of([[n - a - b + hit, b - hit], [a - hit, hit]])


class Steps:
    """One evaluation of trees on a matrix; all counts are exact, so every zero test is."""

    def __init__(self, counts: Sequence[Sequence[Number]], policy: Policy) -> None:
        self.counts, self.policy = WorkedMatrix.of(counts), policy
        self.notes: list[Note] = []
        self.path: list[SupportsIndex] = []
        self.at: dict[int, int] = {}  # the classes that variables stand for
        self._known: dict[object, WorkedNumber] = {}
        self._matrices: dict[object, WorkedMatrix] = {}

    def result(self, tree: Tree) -> WorkedNumber:
        """Return the value of a measure; a rule that leaves a class out outside of any sum makes it undefined."""
        try:
            return self(tree)
        except LeaveOut:
            return self.undefined()

    def known(self, x: Tree) -> float:
        """Return the value of a part as a float, or whether a condition holds, for a definition that asks for it."""
        return float(self.holds(x)) if x.SORT == "ConditionTree" else float(self.result(x).value)

    def __call__(self, x: Tree) -> WorkedNumber:
        if x.free:
            return self._value(x)
        key = (x, self.policy.name)
        found = self._known.get(key)
        if found is None:
            path, self.path = self.path, []  # it does not depend on the classes of the sums around it
            try:
                found = self._known[key] = self._value(x)
            finally:
                self.path = path
        return found

    def _value(self, x: Tree) -> WorkedNumber:
        found = self._computed(x)
        return WorkedNumber(found.value) if _is_constant(x) else found

    def _computed(self, x: Tree) -> WorkedNumber:
        match x:
            case Operation():
                return self._operations(x)
            case CellOf(of=of, i=i, j=j):
                return self.matrix(of).cells[self.place(i)][self.place(j)]
            case SizeOf(of=of, side=side, i=i):
                matrix = self.matrix(of)
                return (matrix.a if side == "a" else matrix.b)[self.place(i)]
            case TotalOf(of=of):
                return self.matrix(of).n
            case Ratio():
                return self._ratio(x)
            case Numeral(value=v):
                return constant(v)
            case CountOfClasses(of=of):
                return WorkedNumber(self.matrix(of).m)
            case Position(i=i):
                return WorkedNumber(self.place(i))
            case Tabled(rows=rows, i=i, j=j):
                check_tables(x, self.counts.m)
                entry = rows[self.place(i)][self.place(j)]
                return WorkedNumber(entry.numerator if entry.denominator == 1 else entry)
            case Excess(of=of, i=i, j=j):
                matrix, k, n = self.matrix(of), self.place(i), self.place(j)
                return matrix.n * matrix.cells[k][n] - matrix.a[k] * matrix.b[n]
            case ToPower(x=base, r=r):
                return self.power(x, self(base), r)
            case PowerMean(values=values, p=p):
                return self.power_mean(x, [self(y) for y in values], p)
            case OverMean():
                return self(written_mean(x))
            case XLogY(x=a, y=b):
                factor = self(a)
                return factor if factor == 0 else factor * self.log(x, self(b))
            case Where(test=test, x=one, y=other):
                return self(one if self.holds(test) else other)
            case Over() | Listed():
                return self._over(x)
            case OverPairs():
                return self._over_pairs(x)
            case Whole(of=of, value=value):
                return self._whole(of, value)
            case Missing():
                return self.undefined()
            case Skipped():
                raise LeaveOut
        raise TypeError(type(x))

    def place(self, i: Tree) -> int:
        """Return the number of a class."""
        if isinstance(i, ClassVariable):
            return self.at[i.number]
        assert isinstance(i, Nth)
        return i.number

    # Matrices

    def matrix(self, x: Tree) -> WorkedMatrix:
        if isinstance(x, Counts):
            return self.counts
        key = (x, *(self.at[k] for k in sorted(x.free)), self.policy.name)
        if key not in self._matrices:
            self._matrices[key] = self._matrix(x)
        return self._matrices[key]

    def _matrix(self, x: Tree) -> WorkedMatrix:
        match x:
            case Transposed(of=of):
                return WorkedMatrix(list(zip(*self.matrix(of).cells, strict=True)))
            case Rest(of=of, i=i):
                return self.matrix(of).rest(self.place(i))
            case Two(tp=tp, fn=fn, fp=fp, tn=tn):
                return WorkedMatrix.of([[self(y).value for y in row] for row in ((tn, fp), (fn, tp))])
            case Mapped(of=of, i=i, j=j, cell=cell):
                return self._mapped(self.matrix(of).m, i, j, cell)
        raise TypeError(type(x))

    def _mapped(self, m: int, i: int, j: int, cell: Tree) -> WorkedMatrix:
        # A policy that is a number replaces the value of the whole measure, not single cells of the mapped matrix: the
        # cells are therefore computed under "nan", and the measure puts the number in if one of them is undefined.
        policy = self.policy
        self.policy = policy if policy.name in ("resolve", "raise") else NAN
        cells: list[list[Number]] = []
        try:
            for row in range(m):
                self.path.append(row)
                self.at[i] = row
                cells.append([])
                for self.at[j] in range(m):
                    cells[-1].append(self(cell).value)
                self.path.pop()
        finally:
            self.policy = policy
        return WorkedMatrix.of(cells)

    def _whole(self, of: Tree, value: Tree) -> WorkedNumber:
        """Return the value of a measure on a mapped matrix; one with an undefined cell makes it undefined."""
        if is_mapped(of):
            broken = any(self.is_undefined(x) for row in self.matrix(of).cells for x in row)
            return self.undefined() if broken else self(value)
        found = self(value)
        return self.undefined() if self.is_undefined(found) else found

    # Conditions

    def holds(self, x: Tree) -> bool:
        """Return whether a condition holds."""
        assert isinstance(x, Test)
        match x.name:
            case "eq" | "lt" | "le":
                first, second = (self(y) for y in x.args)
                return bool(_COMPARED[x.name](first, second))
            case "and":
                return all(map(self.holds, x.args))
            case "or":
                return any(map(self.holds, x.args))
            case "not":
                return not self.holds(x.args[0])
        return self.policy.resolves if x.name == "resolves" else x.name == "true"

    # Undefined values

    def undefined(self) -> WorkedNumber:
        if self.policy.name == "raise":
            raise UndefinedMeasure("a term of the formula is undefined")
        if self.policy.name == "number":
            return constant(self.policy.number)
        return WorkedNumber(math.nan, "undefined", ATOM)

    def is_undefined(self, x: WorkedNumber) -> bool:
        return bool(x.value != x.value)

    def _note(self, place: Tree, action: str, value: object = None, above: Number = 0) -> None:
        self.notes.append(Note(place, tuple(self.path), action, value, above))

    def _failed(self, place: Tree, above: Number = 0) -> WorkedNumber:
        """Note that a term has no value and no rule, and return what the policy makes of it."""
        if self.policy.name == "number":
            self._note(place, NUMBER, self.policy.number, above)
        else:
            self._note(place, UNDEFINED, None, above)
        return self.undefined()

    def _ratio(self, x: Ratio) -> WorkedNumber:
        above, under = self(x.x), self(x.y)
        if under != 0:
            return quotient(above, under)
        if x.rule is None or not self.policy.resolves:
            return self._failed(x, above.value)
        at = len(self.notes)
        try:
            value = self(x.rule)
        except LeaveOut:
            self.notes[at:] = []
            self._note(x, SKIPPED, None, above.value)
            raise
        self.notes[at:] = []
        self._note(x, UNDEFINED if self.is_undefined(value) else VALUE, value.value, above.value)
        return value

    # Over classes

    def _classes(self, x: Over | Listed) -> Iterator[tuple[Tree, Tree | None, Tree | None, Tree | None]]:
        """Yield the term of each class with its condition, rule and weight; the class is bound meanwhile."""
        for k in range(self.matrix(x.of).m if isinstance(x, Over) else len(x.terms)):
            self.path.append(k)
            try:
                if isinstance(x, Over):
                    self.at[x.i] = k
                    yield x.term, x.test, x.rule, x.weight
                else:
                    rule, weight = (y[k] if y else None for y in (x.rules, x.weights))
                    yield x.terms[k], x.tests[k], rule, weight
            finally:
                self.path.pop()

    def _over(self, x: Over | Listed) -> WorkedNumber:
        before, depth = len(self.notes), len(self.path) + 1  # a class of this mean is one step further on the path
        values: list[WorkedNumber] = []
        weights: list[WorkedNumber] = []
        for term, test, rule, weight in self._classes(x):
            try:
                if test is not None and not self.holds(test):
                    if x.op == "mean" and is_occurrence(test):
                        self.notes.append(Note(None, tuple(self.path), ABSENT))
                    continue
                weighed = None if weight is None else self(weight)
                if weighed is None or weighed > 0:
                    values.append(self._ruled(term, rule))
                    weights += [] if weighed is None else [weighed]
            except LeaveOut:
                continue
        if x.op == "mean":
            self.notes[before:] = [
                replace(note, action=LEFT_OUT) if note.action == SKIPPED and len(note.where) == depth else note
                for note in self.notes[before:]
            ]
            if weights or (x.weight if isinstance(x, Over) else x.weights):
                return self._divided(x, traced(total(map(mul, weights, values))), traced(total(weights)))
            return self.power_mean(x, values, x.p)
        if x.op in ("least", "greatest"):
            return self.extreme(x, values, least=x.op == "least")
        added = traced(total(values) if x.op == "sum" else product(values))
        return WorkedNumber(added.value) if isinstance(x, Over) and isinstance(x.term, Numeral) else added

    def _ruled(self, term: Tree, rule: Tree | None) -> WorkedNumber:
        """Return the term of a mean; what its rule does for an undefined one is put into the notes about it."""
        before = len(self.notes)
        value = self(term)
        if rule is None or not self.policy.resolves or not self.is_undefined(value):
            return value
        action: str = SKIPPED
        instead: Number | None = None
        try:
            value = self(rule)
            action, instead = COUNTED, value.value
        finally:
            self.notes[before:] = [
                replace(x, action=action, value=instead) if x.action == UNDEFINED else x for x in self.notes[before:]
            ]
        return value

    def _over_pairs(self, x: OverPairs) -> WorkedNumber:
        m, found = self.matrix(x.of).m, []
        for i in range(m):
            for j in range(m):
                self.at[x.i], self.at[x.j] = i, j
                if i != j and (x.test is None or self.holds(x.test)):
                    try:
                        found.append(self(x.term))
                    except LeaveOut:
                        continue
        return traced(total(found))

    def _divided(self, place: Tree, above: WorkedNumber, under: WorkedNumber) -> WorkedNumber:
        return quotient(above, under) if under != 0 else self._failed(place, above.value)

    # Arithmetic

    def _operations(self, x: Operation) -> WorkedNumber:
        nested = nested_operations(x)
        found = [self(y) for y in nested[0].args[:1]]
        for y in nested:
            found = [self._operation(y, y.name, [*found, *map(self, y.args[1:])])]
            if _is_constant(y):
                found = [WorkedNumber(found[0].value)]
        return found[0]

    def _operation(self, x: Operation, name: str, args: list[WorkedNumber]) -> WorkedNumber:
        if name in _ARITHMETIC:
            return _ARITHMETIC[name](*args)
        if name in ("min", "max"):
            return self.extreme(x, args, least=name == "min")
        if name in ("pi", "inf"):
            return WorkedNumber({"pi": math.pi, "inf": math.inf}[name], name)
        if name == "log":
            return self.log(x, args[0])
        of, is_defined = _FUNCTIONS[name]
        value = args[0].value
        return self._applied(x, name, of, args[0], defined=value != value or is_defined(value))

    def _applied(
        self, place: Tree, name: str, of: Callable[[float], float], x: WorkedNumber, *, defined: bool
    ) -> WorkedNumber:
        if not defined:
            return self._failed(place)
        return WorkedNumber(of(float(x.value)), f"{name}({x.text})", ATOM)

    def log(self, place: Tree, x: WorkedNumber) -> WorkedNumber:
        return self._applied(place, "log", math.log, x, defined=not x.value <= 0)

    def power(self, place: Tree, x: WorkedNumber, r: Fraction) -> WorkedNumber:
        if r.denominator == 1 and r >= 0:
            return x ** int(r)
        value = x.value
        if (value < 0 and r.denominator != 1) or (value == 0 and r < 0):
            return self._failed(place)
        return WorkedNumber(float(value) ** float(r), f"{x.inside(ATOM)}^{_exponent(r)}", MUL)

    def extreme(self, place: Tree, values: Sequence[WorkedNumber], *, least: bool) -> WorkedNumber:
        """Return the smallest or largest value, or the first one that is undefined."""
        if not values:
            return self._failed(place)
        best = values[0]
        for x in values:
            if self.is_undefined(x):
                return x
            best = x if (x < best if least else x > best) else best
        return best

    def power_mean(self, place: Tree, values: Sequence[WorkedNumber], p: Fraction | float) -> WorkedNumber:
        if not values:
            return self._failed(place)
        if p == 1:
            return quotient(traced(total(values)), WorkedNumber(len(values)))
        for x in values:
            if self.is_undefined(x):
                return x
        if p in (math.inf, -math.inf):
            return self.extreme(place, values, least=p < 0)
        if any(x < 0 for x in values):
            return self.undefined()
        zeros = sum(1 for x in values if x == 0)
        if zeros == len(values) or (p <= 0 and zeros):
            return WorkedNumber(0)
        assert isinstance(p, Fraction)
        if p == 0:
            return self.power(place, traced(product(values)), Fraction(1, len(values)))
        inner = reduce(add, (self.power(place, x, p) for x in values))
        return self.power(place, quotient(inner, WorkedNumber(len(values))), 1 / p)


def quotient(x: WorkedNumber, y: WorkedNumber) -> WorkedNumber:
    """Return x/y for a y that is not 0; a quotient of integers is a fraction."""
    if isinstance(x.value, int) and isinstance(y.value, int):
        return WorkedNumber(Fraction(x.value, y.value), f"{x.inside(MUL)}/{y.inside(ATOM)}", MUL)
    return x / y


def _clipped(x: float) -> float:
    return min(1.0, max(-1.0, x))


_COMPARED: dict[str, Callable[[WorkedNumber, WorkedNumber], object]] = {"eq": eq, "lt": lt, "le": le}
_ARITHMETIC: dict[str, Callable[..., WorkedNumber]] = {"add": add, "sub": sub, "mul": mul, "neg": neg, "abs": abs}
_FUNCTIONS: dict[str, tuple[Callable[[float], float], Callable[[Number], bool]]] = {
    "sqrt": (lambda x: math.sqrt(max(x, 0.0)), lambda x: x >= -_ROUNDING),
    "log1p": (math.log1p, lambda x: x > -1),
    "exp": (math.exp, lambda x: True),
    "arccos": (lambda x: math.acos(_clipped(x)), lambda x: _absolute(x) <= 1 + _ROUNDING),
    "arcsin": (lambda x: math.asin(_clipped(x)), lambda x: _absolute(x) <= 1 + _ROUNDING),
}


def _is_constant(x: Tree) -> bool:
    """Return whether a value is arithmetic with the number of classes or their positions, and nothing else."""
    found = x.memo.get("constant")
    if found is None:
        kinds = made_of(x)
        found = kinds <= _CONSTANT and not kinds.isdisjoint((CountOfClasses, Position))
        found = found and all(y.name in _ARITHMETIC for y in below(x) if isinstance(y, Operation))
        x.memo["constant"] = found
    return found is True


_CONSTANT = frozenset((CountOfClasses, Counts, Position, ClassVariable, Nth, Numeral, Operation, ToPower))


def worked_steps(tree: Tree, counts: Sequence[Sequence[Number]], policy: Policy) -> tuple[WorkedNumber, list[Note]]:
    """Return the value of a tree with the steps that led to it, and notes on the rules that acted."""
    steps = Steps(counts, policy)
    return steps.result(tree), steps.notes
