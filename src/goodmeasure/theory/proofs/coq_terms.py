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
    Entry,
    LeftOutTerm,
    Lin,
    Lost,
    MappedGrid,
    Pair,
    always_defined,
    never_negative,
)
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import (
    TRUE,
    ClassVariable,
    CountOfClasses,
    Missing,
    Numeral,
    Operation,
    Skipped,
    Test,
    Tree,
    Where,
    below,
)
from goodmeasure.language.tree import ZERO as NOTHING

ZERO, ONE, UNDEFINED = "(Const 0 1)", "(Const 1 1)", "Undefined"
_FUNCTIONS = {
    "log": "Log", "log_near": "Log", "exp": "Exp", "arccos": "Arccos", "sqrt": "Root 2",
}  # fmt: skip
_COMPARED = {"eq": "Equal", "lt": "Less", "le": "AtMost"}
_LONG = 40  # texts that are longer get a place of their own if they are needed twice
_Places = Mapping[int, int]  # how many sums inside the innermost one each class variable was bound


class CannotExport(InputError):  # noqa: N818 - it says what is wrong with a formula
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
            case Operation(name="power", args=(y, Numeral(value=r))):
                return power(self.named(self(y, at)), r)
            case Operation(name="least" | "greatest" | "mean"):
                return self.gathered(x, at)
            case Operation(name=name, args=args):
                return self._operation(name, [self(y, at) for y in args])
            case Where(test=Test(name="eq", args=(y, zero)), x=rule, y=Operation(name="div", args=(above, under))) if (
                zero is NOTHING and y is under and always_defined(above)
            ):
                return f"(Div {self(above, at)} {self(under, at)} {self(rule, at)})"
            case Where(test=test, x=a, y=b):
                return self.choice(test, self(a, at), self(b, at), at)
            case Missing() | Lost() | Skipped() | LeftOutTerm():
                return UNDEFINED
        return self.of_cells(x, at)

    def of_cells(self, x: Tree, at: _Places) -> str:
        raise NotImplementedError

    def gathered(self, x: Operation, at: _Places) -> str:
        """Return the least, the greatest or a power mean of those values that are not left out."""
        p, args = (x.args[0], x.args[1:]) if x.name == "mean" else (None, x.args)
        return self._of_those(x.name, p, [counted(y) for y in args], [], at)

    def _of_those(
        self, name: str, p: Tree | None, rest: list[tuple[Tree, bool, Tree]], found: list[Tree], at: _Places
    ) -> str:
        """Return the value for some terms and those of the rest that count."""
        if rest:
            (test, holds, value), *rest = rest
            if isinstance(value, LeftOutTerm):
                return self._of_those(name, p, rest, found, at)
            yes = self._of_those(name, p, rest, [*found, value], at)
            if test is TRUE:
                return yes
            no = self._of_those(name, p, rest, found, at)
            return self.choice(test, *((yes, no) if holds else (no, yes)), at)
        if not found:
            return UNDEFINED
        texts = [self.named(self(y, at)) for y in found]
        if p is None:
            return folded("Min" if name == "least" else "Max", texts)
        assert isinstance(p, Numeral)
        return self._power_mean(p.value, found, texts)

    def _power_mean(self, p: Fraction, values: list[Tree], texts: list[str]) -> str:
        """Return a power mean for p other than 1; for terms that are not positive, see `ExactArithmetic.mean`."""
        if p == 0:
            mean = f"(Root {len(texts)} {folded('Mul', texts)})"
        else:
            mean = power(f"(Div {added([power(x, p) for x in texts])} {number(len(texts))} {UNDEFINED})", 1 / p)
        for x in texts if p < 0 else ():
            mean = f"(If Equal {x} {ZERO} {ZERO} {self.named(mean)})"
        for value, x in zip(values, texts, strict=True):
            if not never_negative(value):
                mean = f"(If Less {x} {ZERO} {UNDEFINED} {self.named(mean)})"
        return mean if all(map(always_defined, values)) else f"(IfDefined {added(texts)} {mean} {UNDEFINED})"

    def _operation(self, name: str, args: list[str]) -> str:
        if name in ("add", "sub", "mul"):
            return f"({name.capitalize()} {args[0]} {args[1]})"
        if name == "div":
            return f"(Div {args[0]} {args[1]} {UNDEFINED})"
        if name in _FUNCTIONS:
            return f"({_FUNCTIONS[name]} {args[0]})"
        if name == "neg":
            return minus(args[0])
        if name == "abs":
            x = self.named(args[0])
            return f"(Max {x} {minus(x)})"
        if name == "arcsin":
            return f"(Sub (Mul (Const 1 2) Pi) (Arccos {args[0]}))"
        if name == "log1p":
            return f"(Log (Add {ONE} {args[0]}))"
        if name in ("pi", "inf"):  # infinity is no exact number
            return "Pi" if name == "pi" else UNDEFINED
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
        return self.other_choice(test, yes, no, at)

    def other_choice(self, test: Test, yes: str, no: str, at: _Places) -> str:
        raise CannotExport(f"the test {test.name}")

    def all_of(self, x: Tree, at: _Places) -> str:
        """Return a term that has a value if a value, or every cell of a matrix, has one."""
        return self(x, at)


class Formulas(Terms):
    """The formulas of a core tree for m classes, in an order in which each refers to earlier ones only."""

    def __init__(self, tree: Tree, m: int, *, resolves: bool) -> None:
        core = lowered(tree, m, resolves=resolves)
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
        raise CannotExport(type(x).__name__)


class Loops(Terms):
    """The formula of a tree with sums over any number of classes; ``name`` is that of its parts."""

    def __init__(self, tree: Tree, name: str, *, resolves: bool) -> None:
        self.name = name
        core = lowered(tree, None, resolves=resolves, exact_products=True)
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
            case Each(op="sum", i=i, term=term):
                return f"(Sum {self(term, inside(at, i))})"
        raise CannotExport(type(x).__name__)

    def other_choice(self, test: Test, yes: str, no: str, at: _Places) -> str:
        if test.name != "same":
            raise CannotExport(f"the test {test.name}")
        i, j = (_place(x, at) for x in test.args)
        return f"(IfSame {i} {j} {yes} {no})"

    def gathered(self, x: Operation, at: _Places) -> str:
        *p, terms = x.args
        if not isinstance(terms, Each) or terms.op != "list":
            return super().gathered(x, at)
        within = inside(at, terms.i)
        test, holds, value = counted(terms.term)
        text = self(value, within)
        if x.name != "mean":
            if test is not TRUE:
                raise CannotExport(f"the {x.name} over some classes")
            return f"({x.name.capitalize()} {text})"
        (r,) = p
        assert isinstance(r, Numeral)

        def total(of: str) -> str:
            return f"(Sum {self.choice(test, *((of, ZERO) if holds else (ZERO, of)), within)})"

        return _power_mean(r.value, text, total)

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


def counted(x: Tree) -> tuple[Tree, bool, Tree]:
    """Return under which condition a term counts, whether this must hold or not, and the term."""
    match x:
        case Where(test=test, x=y, y=LeftOutTerm()):
            return test, True, y
        case Where(test=test, x=LeftOutTerm(), y=y):
            return test, False, y
    return TRUE, True, x


def _power_mean(p: Fraction, term: str, total: Callable[[str], str]) -> str:
    """Return a power mean of terms over classes, for p other than 1; ``total`` adds up what is made of each."""

    def unless_some(comparison: str, value: str, otherwise: str) -> str:
        count = total(f"(If {comparison} {term} {ZERO} {ONE} {ZERO})")
        return f"(If Equal {count} {ZERO} {otherwise} {value})"

    size = total(ONE)
    if p == 0:
        mean = f"(Exp (Div {total(f'(Log {term})')} {size} {UNDEFINED}))"
    else:
        mean = power(f"(Div {total(power(term, p))} {size} {UNDEFINED})", 1 / p)
    if p <= 0:
        mean = unless_some("Equal", ZERO, mean)
    unless_negative = unless_some("Less", UNDEFINED, mean)
    return f"(IfDefined {total(term)} (If Equal {size} {ZERO} {UNDEFINED} {unless_negative}) {UNDEFINED})"


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
    return _exact(ast.parse(str(value).replace("^", "**"), mode="eval").body)


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
        case ast.BinOp(left=a, op=ast.Pow(), right=ast.Constant(value=int() as n)):
            return folded("Mul", [_exact(a)] * n)
        case ast.Call(func=ast.Name(id=name), args=[y]) if name in _OF_NUMBERS:
            return f"({_OF_NUMBERS[name]} {_exact(y)})"
        case ast.Call(func=ast.Name(id="root"), args=[y, ast.Constant(value=int() as d)]):
            return f"(Root {d} {_exact(y)})"
    raise CannotExport(f"the number {ast.unparse(x)}")
