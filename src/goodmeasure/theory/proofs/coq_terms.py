"""Formulas as terms of the Coq library: `coq/Tree.v` and `coq/Every.v` say what these mean."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from goodmeasure.exceptions import InputError
from goodmeasure.language.rewrite.core import (
    All,
    CellGroups,
    Diagonal,
    Each,
    EachPair,
    Entry,
    Items,
    Lin,
    Lost,
    MappedGrid,
    Pair,
)
from goodmeasure.language.tree import (
    ClassVariable,
    CountOfClasses,
    Missing,
    Numeral,
    Operation,
    Ratio,
    Test,
    ToPower,
    Tree,
    Where,
    XLogY,
    below,
)

ZERO, ONE, UNDEFINED = "(Const 0 1)", "(Const 1 1)", "Undefined"
_FUNCTIONS = {"log": "Log", "exp": "Exp", "arccos": "Arccos", "arcsin": "Arcsin", "sqrt": "Root 2"}
_COMPARED = {"eq": "Equal", "lt": "Less", "le": "AtMost"}
_LONG = 40  # texts that are longer get a place of their own if they are needed twice
_Places = Mapping[int, int]  # how many sums inside the innermost one each class variable was bound


class CannotExport(InputError):
    """A formula says something that the Coq library has no word for."""

    def __init__(self, what: str) -> None:
        super().__init__("Coq has no word for {what}", what=what)


class Terms:
    """The terms of the nodes of a core tree; what is needed twice has a name."""

    def __init__(self, core: Tree) -> None:
        self._uses = Counter(part for x in below(core) for part in x.parts)
        self._known: dict[object, str] = {}
        self._names: dict[str, str] = {}
        self.lines: list[str] = []

    def __call__(self, x: Tree, at: _Places) -> str:
        key = (x, *(at[k] for k in sorted(x.free)))
        if key not in self._known:
            text = self.term(x, at)
            self._known[key] = self.named(text) if self._uses[x] > 1 else text
        return self._known[key]

    def named(self, text: str) -> str:
        """Return the name of a term, if it is long, so that it is written once."""
        if len(text) <= _LONG:
            return text
        if text not in self._names:
            self._names[text] = self.name_of(len(self.lines))
            self.lines.append(text)
        return self._names[text]

    def name_of(self, place: int) -> str:
        raise NotImplementedError

    def term(self, x: Tree, at: _Places) -> str:
        match x:
            case Numeral(value=v):
                return number(v)
            case Operation(name=name, args=args):
                return self._operation(name, [self(y, at) for y in args])
            case ToPower(x=y, r=r):
                return power(self.named(self(y, at)), r)
            case XLogY(x=a, y=b):
                a_text = self.named(self(a, at))
                return f"(If Equal {a_text} {ZERO} {ZERO} (Mul {a_text} (Log {self(b, at)})))"
            case Ratio(x=a, y=b, rule=rule):
                return f"(Div {self(a, at)} {self(b, at)} {UNDEFINED if rule is None else self(rule, at)})"
            case Where(test=test, x=a, y=b):
                return self.choice(test, self(a, at), self(b, at), at)
            case Missing() | Lost():
                return UNDEFINED
        return self.of_cells(x, at)

    def of_cells(self, x: Tree, at: _Places) -> str:
        raise NotImplementedError

    def _operation(self, name: str, args: list[str]) -> str:
        if name in ("add", "sub", "mul"):
            return f"({name.capitalize()} {args[0]} {args[1]})"
        if name in _FUNCTIONS:
            return f"({_FUNCTIONS[name]} {args[0]})"
        if name in ("min", "max"):
            return folded(name.capitalize(), args)
        if name == "neg":
            return minus(args[0])
        if name == "abs":
            x = self.named(args[0])
            return f"(Max {x} {minus(x)})"
        if name == "log1p":
            return f"(Log (Add {ONE} {args[0]}))"
        if name == "pi":
            return "Pi"
        raise CannotExport(name)

    def choice(self, test: Tree, yes: str, no: str, at: _Places) -> str:
        """Return the term that is one text if a condition holds and else the other."""
        assert isinstance(test, Test)
        name, args = test.name, test.args
        if name in ("true", "false"):
            return yes if name == "true" else no
        if name in _COMPARED:
            return f"(If {_COMPARED[name]} {self(args[0], at)} {self(args[1], at)} {yes} {no})"
        if name in ("undefined", "broken"):
            return f"(IfDefined {self.all_of(args[0], at)} {no} {yes})"
        if name == "not":
            return self.choice(args[0], no, yes, at)
        yes, no = self.named(yes), self.named(no)
        if name == "and":
            return self.choice(args[0], self.choice(args[1], yes, no, at), no, at)
        if name == "or":
            return self.choice(args[0], yes, self.choice(args[1], yes, no, at), at)
        raise CannotExport(f"the test {name}")

    def all_of(self, x: Tree, at: _Places) -> str:
        """Return a term that has a value if a value, or every cell of a matrix, has one."""
        return self(x, at)

    def over(self, x: Each | Items, total: _Total) -> str:
        """Return a sum, product or power mean of the terms of some classes; ``total`` adds them up."""
        if x.op == "sum":
            return total(lambda t, w: t)
        if x.op != "mean" or isinstance(x.p, float):
            raise CannotExport(f"{x.op} over classes")
        size = self.named(total(lambda t, w: w))
        if x.p == 1:
            return f"(Div {total(lambda t, w: t if w == ONE else f'(Mul {w} {t})')} {size} {UNDEFINED})"
        return self._power_mean(x.p, size, total)

    def _power_mean(self, p: Fraction, size: str, total: _Total) -> str:
        """Return a power mean; see `ExactArithmetic.mean` for what holds if terms are 0 or negative."""

        def unless_some(comparison: str, value: str, otherwise: str) -> str:
            count = total(lambda t, w: f"(If {comparison} {t} {ZERO} {ONE} {ZERO})")
            return f"(If Equal {count} {ZERO} {otherwise} {value})"

        if p == 0:
            mean = f"(Exp (Div {total(lambda t, w: f'(Log {t})')} {size} {UNDEFINED}))"
        else:
            mean = power(f"(Div {total(lambda t, w: power(t, p))} {size} {UNDEFINED})", 1 / p)
        if p <= 0:
            mean = unless_some("Equal", ZERO, mean)
        defined = total(lambda t, w: t)
        return f"(IfDefined {defined} {unless_some('Less', UNDEFINED, mean)} {UNDEFINED})"


_Total = Callable[[Callable[[str, str], str]], str]  # adds up what a function makes of each term and its weight


class Formulas(Terms):
    """The formulas of a core tree for m classes, in an order in which each refers to earlier ones only."""

    def __init__(self, core: Tree, m: int) -> None:
        super().__init__(core)
        self.m = m
        for x in below(core):  # long sums are written from their first term on, so that nothing is nested deeply
            if x.SORT == "ValueTree":
                self(x, {})
        self.lines.append(self(core, {}))

    def name_of(self, place: int) -> str:
        return f"(Ref {place})"

    def of_cells(self, x: Tree, at: _Places) -> str:
        match x:
            case Entry(i=i, j=j):
                return f"(Cell {i * self.m + j})"
            case Lin(basis=CellGroups(cells=cells), weights=weights):
                return added([times(w, self(c, at)) for c, w in zip(cells, weights, strict=True) if w])
            case Items(op=op, terms=terms, tests=tests, weights=weights):
                values = [self.named(self(y, at)) for y in terms]
                factors = [self.named(self(w, at)) for w in weights] or [ONE] * len(values)
                rows = list(zip(tests, values, factors, strict=True))
                if op == "product":
                    return folded("Mul", [self.choice(t, y, ONE, at) for t, y, _ in rows])
                return self.over(x, lambda f: added([self.choice(t, f(y, w), ZERO, at) for t, y, w in rows]))
        raise CannotExport(type(x).__name__)


class Loops(Terms):
    """The formula of a core tree with sums over any number of classes; ``name`` is that of its parts."""

    def __init__(self, core: Tree, name: str) -> None:
        self.name = name
        super().__init__(core)
        self.lines.append(self(core, {}))

    def name_of(self, place: int) -> str:
        return f"{self.name}_{place}"

    def of_cells(self, x: Tree, at: _Places) -> str:
        match x:
            case CountOfClasses():
                return "Classes"
            case Lin():
                return self._sum_of_cells(x, at)
            case Each(op="least" | "greatest" as op, i=i, term=term, test=Test(name="true")):
                return f"({op.capitalize()} {self(term, inside(at, i))})"
            case Each(i=i, term=term, test=test, weight=weight):
                within = inside(at, i)
                t, w = self(term, within), ONE if weight is None else self(weight, within)
                return self.over(x, lambda f: f"(Sum {self.choice(test, f(t, w), ZERO, within)})")
            case EachPair(i=i, j=j, term=term, test=test):
                within = inside(at, i, j)
                counted = self.choice(test, self(term, within), ZERO, within)
                return f"(Sum (Sum (IfSame {within[i]} {within[j]} {ZERO} {counted})))"
        raise CannotExport(type(x).__name__)

    def all_of(self, x: Tree, at: _Places) -> str:
        return f"(Total {self.matrix(x)})" if isinstance(x, MappedGrid) else self(x, at)

    def matrix(self, x: Tree) -> str:
        """Return the formula of the cells of a matrix."""
        return self.named(self(x.cell, inside({}, x.i, x.j))) if isinstance(x, MappedGrid) else "Given"

    def _sum_of_cells(self, x: Lin, at: _Places) -> str:
        """Return the sum of groups of cells by row, column and total: each group is a difference of these."""
        basis, w = x.basis, x.weights
        if isinstance(basis, CellGroups):
            return added([times(k, self(c, at)) for c, k in zip(basis.cells, w, strict=True) if k])
        assert isinstance(basis, (All, Diagonal, Pair))
        of = self.matrix(basis.of)
        total = f"(Total {of})"
        if isinstance(basis, All):
            found = {total: w[0]}
        elif isinstance(basis, Diagonal):
            found = {total: w[1], f"(Sum (Cell {of} 0 0))": w[0] - w[1]}
        else:
            (hit, row, column, other), i, j = w, _place(basis.i, at), _place(basis.j, at)
            found = {
                total: other,
                f"(Row {of} {i})": row - other,
                f"(Column {of} {j})": column - other,
                f"(Cell {of} {i} {j})": hit - row - column + other,
            }
        return added([times(k, text) for text, k in found.items() if k])


def inside(at: _Places, *variables: int) -> dict[int, int]:
    """Return the places of class variables inside sums that bind some more, the last one innermost."""
    found = {k: place + len(variables) for k, place in at.items()}
    return found | {k: len(variables) - 1 - n for n, k in enumerate(variables)}


def _place(i: Tree, at: _Places) -> int:
    if not isinstance(i, ClassVariable):
        raise CannotExport("a class by its position")
    return at[i.number]


def number(v: Fraction | int) -> str:
    v = Fraction(v)
    return f"(Const {v.numerator if v >= 0 else f'({v.numerator})'} {v.denominator})"


def minus(text: str) -> str:
    return f"(Sub {ZERO} {text})"


def times(w: int, text: str) -> str:
    return text if w == 1 else f"(Mul {number(w)} {text})"


def folded(name: str, texts: Sequence[str]) -> str:
    first, *rest = texts
    for text in rest:
        first = f"({name} {first} {text})"
    return first


def added(texts: Sequence[str]) -> str:
    return folded("Add", [x for x in texts if x != ZERO] or [ZERO])


def power(text: str, r: Fraction) -> str:
    """Return a rational power of a term."""
    if r == 0:
        return f"(IfDefined {text} {ONE} {UNDEFINED})"
    base = text if r.denominator == 1 else f"(Root {r.denominator} {text})"
    found = folded("Mul", [base] * abs(r.numerator))
    return found if r > 0 else f"(Div {ONE} {found} {UNDEFINED})"


_BINARY: dict[type[ast.operator], str] = {ast.Add: "Add", ast.Sub: "Sub", ast.Mult: "Mul"}
_OF_NUMBERS = {"sqrt": "Root 2", "log": "Log", "exp": "Exp", "acos": "Arccos"}


def exact_term(value: object) -> str:
    """Return the term of an exact number, from its text, such as "2*sqrt(21)/21".

    >>> exact_term("2*sqrt(21)/21")
    '(Div (Mul (Const 2 1) (Root 2 (Const 21 1))) (Const 21 1) Undefined)'
    """
    return _exact(ast.parse(str(value), mode="eval").body)


def _exact(x: ast.expr) -> str:
    match x:
        case ast.Constant(value=int() as v):
            return number(v)
        case ast.Name(id="pi"):
            return "Pi"
        case ast.UnaryOp(op=ast.USub(), operand=y):
            return number(-y.value) if isinstance(y, ast.Constant) and isinstance(y.value, int) else minus(_exact(y))
        case ast.BinOp(left=ast.Constant(value=int() as a), op=ast.Div(), right=ast.Constant(value=int() as b)):
            return number(Fraction(a, b))
        case ast.BinOp(left=a, op=ast.Div(), right=b):
            return f"(Div {_exact(a)} {_exact(b)} {UNDEFINED})"
        case ast.BinOp(left=a, op=op, right=b) if type(op) in _BINARY:
            return f"({_BINARY[type(op)]} {_exact(a)} {_exact(b)})"
        case ast.Call(func=ast.Name(id=name), args=[y]) if name in _OF_NUMBERS:
            return f"({_OF_NUMBERS[name]} {_exact(y)})"
    raise CannotExport(f"the number {ast.unparse(x)}")
