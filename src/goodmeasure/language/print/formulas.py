"""The formula in LaTeX, printed from its tree, for any number of classes or for two whose cells have names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial, reduce
from itertools import permutations
from math import inf, nan
from operator import add, eq, le, lt, mul, ne, neg, sub
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from goodmeasure.language.policy import RESOLVE, LeaveOut, Policy
from goodmeasure.language.print.matrices import ADD, ATOM, BIG, CELLS, MUL, POWER, Grid, Index, Letters, Printed
from goodmeasure.language.record import NeedsTwoClasses, record, written_mean
from goodmeasure.language.tree import (
    FALSE,
    ZERO,
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
    OpenParameter,
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
)
from goodmeasure.language.view import Number

if TYPE_CHECKING:
    from goodmeasure.language.recorded import Recorded

INDICES = "ijklpqrst"
_TABLES = "wvu"  # names for constants by class
_BIG = {"sum": (r"\sum", BIG), "product": (r"\prod", MUL), "least": (r"\min", MUL), "greatest": (r"\max", MUL)}
_FOLDED = {"sum": "add", "product": "mul", "least": "min", "greatest": "max"}  # what joins terms that are written out
# How values compare: what is written, what is written the other way round, and whether it holds
_RELATIONS: dict[str, tuple[str, str, Callable[[Number, Number], bool]]] = {
    "eq": ("=", "=", eq), "ne": (r"\ne", r"\ne", ne), "lt": ("<", ">", lt), "le": (r"\le", r"\ge", le),
    "ge": (r"\ge", r"\le", lambda x, y: not x < y), "gt": (">", "<", lambda x, y: not x <= y),
}  # fmt: skip
_CONTRARY = {"eq": "ne", "lt": "ge", "le": "gt"}
Join: TypeAlias = Callable[[str, Sequence[Printed]], Printed]  # of the terms of a sum, product, least or greatest
OfClass: TypeAlias = "tuple[Tree, Tree | None, Tree | None, Tree | None]"  # its term, condition, rule and weight
Functions: TypeAlias = "dict[str, Callable[..., Number]]"
Words: TypeAlias = dict[str, tuple[str, int]]
"""How operations are written, with how tightly operands have to bind without brackets, and how tightly they bind."""


def _quotient(x: Number, y: Number) -> Number:
    if y == 0:
        return nan
    return Fraction(x, y) if isinstance(x, int) and isinstance(y, int) else x / y


def _absolute(x: Number) -> Number:
    return x if x > 0 else 0 - x  # 0 − x rather than −x, which would give −0.0 for 0


ARITHMETIC: Functions = {"add": add, "sub": sub, "mul": mul, "neg": neg, "div": _quotient, "abs": _absolute}
SUMS: Words = {"add": ("{} + {}", ADD), "sub": ("{} - {:1}", ADD), "neg": ("-{:2}", ADD)}
# Operands that make no difference: anywhere, only on the right, and on the left but for a sign
_NEUTRAL = {("add", "0"), ("mul", "1"), ("neg", "0")}
_NEUTRAL_RIGHT = {("sub", "0"), ("div", "1"), ("power", "1")}
_NEGATIVE = {("sub", "0"), ("mul", "-1")}
_LATEX: Words = {
    **SUMS, "mul": ("{:2} {:1}", MUL), "div": (r"\frac{{{}}}{{{}}}", MUL), "power": ("{:4}^{{{}}}", POWER),
    "abs": (r"\left|{}\right|", ATOM), "sqrt": (r"\sqrt{{{}}}", ATOM), "exp": (r"\exp\left({}\right)", MUL),
    **{x: (rf"\{x} {{:4}}", MUL) for x in ("log", "arccos", "arcsin")}, "pi": (r"\pi", ATOM), "inf": (r"\infty", ATOM),
    "cases": (r"\begin{{cases}} {} & {} \\ {} & \text{{otherwise}} \end{{cases}}", ATOM),
}  # fmt: skip


class FormulaPrinter:
    """One walk through a tree, on which each part is printed at the depth of the sums around it."""

    policy: Policy = RESOLVE
    symbolic = True  # counts are names; what is computed from numbers alone is carried out
    naming = True  # constants by class get a name
    words = _LATEX
    functions = ARITHMETIC

    def __init__(self, *, two: bool = False, at: Mapping[int, Index] | None = None) -> None:
        self.at = dict(at or {})  # what class variables stand for
        self.depth = len(self.at)  # how many letters are taken
        self.legend: list[str] = []
        self.tables: dict[object, str] = {}  # the names of constants by class
        self._matrices: dict[object, Grid | Letters] = {}
        self.counts: Grid | Letters = self._cells() if two else Letters(self)

    def _cells(self, mark: str = "") -> Grid:
        """Return two classes with four named cells."""
        names = [[Printed(rf"\mathrm{{{name}}}{mark}") for name in row] for row in CELLS]
        return Grid(self, names, None if mark else Printed("n"))

    # Expressions

    def number(self, value: Number) -> Printed:
        text = self.digits(value)
        return Printed(text, ADD if value < 0 else MUL if "/" in text else ATOM, value)

    def digits(self, value: Number) -> str:
        """Return a number as text."""
        if isinstance(value, Fraction) and value.denominator > 1:
            return rf"{'-' * (value < 0)}\tfrac{{{abs(value.numerator)}}}{{{value.denominator}}}"
        return str(value)

    def numeral(self, value: Fraction) -> Printed:
        """Return a number of a definition, as a decimal if it has a short one."""
        shown = repr(float(value))
        if value.denominator > 1 and Fraction(shown) == value:
            return Printed(shown, ADD if value < 0 else ATOM, value)
        return self.number(value.numerator if value.denominator == 1 else value)

    def apply(self, name: str, *args: Printed) -> Printed:
        """Return an operation, without operands that make no difference."""
        if name in ("min", "max"):
            return Printed(rf"\{name}\left({', '.join(x.text for x in args)}\right)")
        texts = [x.text for x in args] or [""]
        x, y = texts[0], texts[-1]
        if (name, y) in _NEUTRAL or (self.symbolic and (name, y) in _NEUTRAL_RIGHT):
            return args[0]
        if (name, x) in _NEUTRAL:
            return args[1]
        if self.symbolic and (name, x) in _NEGATIVE:
            return self.apply("neg", args[1])
        if self.symbolic and name == "log1p":
            return self.apply("log", self.apply("add", self.number(1), *args))
        value = self.functions[name](*(x.value for x in args)) if name in self.functions else nan
        if self.symbolic and value == value:
            return self.number(value) if name == "div" else self.numeral(Fraction(value))
        if self.symbolic and name == "mul" and args[1].value == args[1].value:  # numbers go first
            args = args[::-1]
        template, level = self.words[name]
        if name == "add" and y.startswith("-"):
            template, args = "{} - {}", (args[0], Printed(y[1:].lstrip()))
        return Printed(template.format(*args), level, value)

    def joined(self, op: str, terms: Sequence[Printed]) -> Printed:
        """Return the sum, product, least or greatest of terms that are written out."""
        if op in ("least", "greatest"):
            return self.apply(_FOLDED[op], *terms)
        return reduce(partial(self.apply, _FOLDED[op]), terms, self.number(int(op != "sum")))

    def total(self, cells: Sequence[Printed]) -> Printed:
        """Return a sum of cells."""
        return self.joined("sum", cells)

    # Trees

    def __call__(self, x: Tree) -> Printed:
        if self.naming and by_classes(x):
            return self._named_constant(x)
        match x:
            case Numeral(value=value):
                return self.numeral(value)
            case OpenParameter(name=name):
                return Printed(name)
            case Position(i=i):
                place = self.place(i)
                return self.number(place) if isinstance(place, int) else Printed(place)
            case Tabled(rows=rows, i=i, j=j):
                return self.number(rows[int(self.place(i))][int(self.place(j))])
            case CountOfClasses(of=of):
                return self.matrix(of).m
            case CellOf(of=of, i=i, j=j):
                return self.matrix(of).cell(self.place(i), self.place(j))
            case SizeOf(of=of, side=side, i=i):
                return self.matrix(of).size(side, self.place(i))
            case TotalOf(of=of):
                return self.matrix(of).n
            case Excess(of=of, i=i, j=j):
                found, k, n = self.matrix(of), self.place(i), self.place(j)
                pairs = (found.n, found.cell(k, n)), (found.size("a", k), found.size("b", n))
                if self.symbolic and isinstance(found, Grid):
                    (tn, fp), (fn, tp) = found.cells
                    pairs = ((tp, tn), (fp, fn)) if k == n else ((fp, fn), (tp, tn))
                return self.apply("sub", *(self.apply("mul", *pair) for pair in pairs))
            case Operation():
                return self._operations(x)
            case ToPower(x=base, r=r):
                return self.apply("power", self(base), self._exponent(r))
            case PowerMean(values=values, p=p):
                terms = [self(y) for y in values]
                return self.mean(x, p, self.number(len(terms)), terms, self.joined)
            case OverMean():
                return self(written_mean(x))
            case XLogY(x=a, y=b):
                factor = self(a)
                return factor if factor.value == 0 else self.apply("mul", factor, self(Operation("log", (b,))))
            case Ratio(x=a, y=b):
                return self.apply("div", self(a), self(b))
            case Where(test=test, x=one, y=other):
                holds = self.condition(test)
                if isinstance(holds, bool):
                    return self(one if holds else other)
                return self.apply("cases", self(one), Printed(holds), self(other))
            case Over() if isinstance(self.matrix(x.of), Letters):
                return self._over(x)
            case Over() | Listed():
                return self.over_terms(x)
            case OverPairs():
                return self._over_pairs(x)
            case Whole(of=of, value=value):
                self.matrix(of)  # its legend comes first
                return self(value)
            case Missing():
                return Printed(r"\text{undefined}")
            case Skipped():
                return Printed(r"\text{left out}")
        raise TypeError(type(x))

    def _operations(self, x: Operation) -> Printed:
        """Return nested operations; a long sum is printed from its first term on, so that nothing is nested deeply."""
        nested = [x]
        while x.args and isinstance(x.args[0], Operation) and not by_classes(x.args[0]):
            x = x.args[0]
            nested.append(x)
        found = [self(y) for y in x.args[:1]]
        for y in reversed(nested):
            found = [self.operation(y, [*found, *map(self, y.args[1:])])]
        return found[0]

    def operation(self, x: Operation, args: list[Printed]) -> Printed:
        return self.apply(x.name, *args)

    def _exponent(self, r: Tree | Number) -> Printed:
        return self(r) if isinstance(r, Tree) else self.number(r)

    def place(self, i: Tree) -> Index:
        """Return what a class is called."""
        return self.at[i.number] if isinstance(i, ClassVariable) else cast(Nth, i).number

    # Matrices

    def matrix(self, x: Tree) -> Grid | Letters:
        """Return the matrix that a node stands for."""
        if isinstance(x, Counts):
            return self.counts
        key = (x, *(self.at[k] for k in sorted(x.free)), self.policy)
        if key not in self._matrices:
            match x:
                case Transposed(of=of):
                    found = self.matrix(of).transposed()
                case Rest(of=of, i=i):
                    found = self.matrix(of).rest(self.place(i))
                case Two(tp=tp, fn=fn, fp=fp, tn=tn):
                    found = Grid(self, [[self.total([self(y)]) for y in row] for row in ((tn, fp), (fn, tp))])
                case _:
                    found = self.mapped(cast(Mapped, x))
            self._matrices[key] = found
        return self._matrices[key]

    def mapped(self, x: Mapped) -> Grid | Letters:
        """Return the names of a matrix that is computed cell by cell, after putting what they mean into the legend."""
        of, depth = self.matrix(x.of), self.depth
        if isinstance(of, Grid):
            found: Grid | Letters = self._cells("'")
            places: list[tuple[Index, Index]] = [(0, 0), (0, 1), (1, 0), (1, 1)]
        else:
            self.depth = max((INDICES.index(str(self.at[k])) + 1 for k in x.free), default=0)
            found = Letters(self, f"{of.mark}'", of.of_class)
            places = [(self._open(x.i), self._open(x.j))]
        for i, j in places:
            self.at |= {x.i: i, x.j: j}
            self.legend.append(f"{found.cell(i, j).text} = {self(x.cell).text}")
        self.depth = depth
        return found

    # Over classes

    def _open(self, number: int) -> str:
        """Return the letter of a new sum, the next free one."""
        letter = self.at[number] = INDICES[self.depth]
        self.depth += 1
        return letter

    def _over(self, x: Over) -> Printed:
        of, letter = self.matrix(x.of), self._open(x.i)
        holds = x.test is None or self.condition(x.test) or r"\text{false}"
        below = letter if holds is True else rf"{letter}:\,{holds}"
        term, count = self(x.term), of.m if holds is True else Printed(rf"\left|\{{{letter} : {holds}\}}\right|")
        if x.weight is not None:
            term, count = self.apply("mul", self(x.weight), term), of.n
        self.depth -= 1

        def join(op: str, terms: Sequence[Printed]) -> Printed:
            sign, level = _BIG[op]
            return Printed(f"{sign}_{{{below}}} {terms[0]:{level}}", BIG)

        return self.mean(x, x.p, count, [term], join) if x.op == "mean" else join(x.op, [term])

    def mean(self, place: Tree, p: Tree | Number, count: Printed, terms: Sequence[Printed], join: Join) -> Printed:
        """Return the power mean of some terms, or of all terms of which one is printed."""
        if p in (inf, -inf):
            return join("greatest" if p == inf else "least", terms)
        if p == 0:
            product = join("product", terms)
            return self.apply("sqrt", product) if self.symbolic and len(terms) == 2 else self._root(product, count)
        power = self._exponent(p)
        total = join("sum", terms if p == 1 else [self.apply("power", x, power) for x in terms])
        if self.symbolic:
            found = self.apply("mul", self.apply("div", self.number(1), count), total)
        else:
            found = self.apply("div", total, count)
        return found if p == 1 else self._root(found, power)

    def _root(self, x: Printed, r: Printed) -> Printed:
        if not self.symbolic:
            return self.apply("power", x, self.number(1 / Fraction(r.value)))
        return Printed(f"{x:{ATOM}}^{{{'-1' if r.value == -1 else f'1/{r:{ATOM}}'}}}", POWER)

    def classes_of(self, x: Over | Listed) -> Iterator[OfClass]:
        """Yield what there is for each class, which is bound meanwhile."""
        if isinstance(x, Over):
            for k in range(int(self.matrix(x.of).m.value)):
                self.at[x.i] = k
                yield x.term, x.test, x.rule, x.weight
        else:
            nothing = (None,) * len(x.terms)
            yield from zip(x.terms, x.tests, x.rules or nothing, x.weights or nothing, strict=True)

    def over_terms(self, x: Over | Listed) -> Printed:
        """Return an operation over classes whose terms are written out."""
        terms: list[Printed] = []
        weights: list[Printed] = []
        perhaps: list[Printed] = []
        for term, test, rule, weight in self.classes_of(x):
            with suppress(LeaveOut):
                holds = test is None or self.condition(test)
                weighed = [] if weight is None else [self(weight)]
                if holds is not False and not any(y.value <= 0 for y in weighed):
                    if test is None or holds is True:
                        terms.append(self.term(term, rule))
                    else:
                        terms.append(self(Where(test, term, Skipped())))
                        perhaps.append(Printed(rf"\left[{holds}\right]"))
                    weights += weighed
        if x.op != "mean":
            return self.joined(x.op, terms)
        count = self.joined("sum", weights or [self.number(len(terms) - len(perhaps)), *perhaps])
        weighed = list(map(partial(self.apply, "mul"), weights, terms)) if weights else terms
        return self.mean(x, x.p, count, weighed, self.joined)

    def term(self, term: Tree, rule: Tree | None) -> Printed:
        return self(term)

    def _over_pairs(self, x: OverPairs) -> Printed:
        of = self.matrix(x.of)
        if isinstance(of, Grid):
            term = x.term if x.test is None else Where(x.test, x.term, ZERO)
            terms = []
            for i, j in permutations(range(len(of.cells)), 2):
                self.at |= {x.i: i, x.j: j}
                with suppress(LeaveOut):
                    terms.append(self(term))
            return self.joined("sum", terms)
        below = rf"{self._open(x.i)} \ne {self._open(x.j)}"
        body, test = self(x.term), "" if x.test is None else rf",\,{self.condition(x.test)}"
        self.depth -= 2
        return Printed(rf"\sum_{{{below}{test}}} {body:{BIG}}", BIG)

    # Conditions

    def condition(self, x: Tree) -> str | bool:
        """Return a condition, or whether it holds if that is known; the rules for 0/0 are no matter of a formula."""
        match x:
            case Test(name="eq" | "lt" | "le" as name, args=args):
                return self._compared(name, *map(self, args))
            case Test(name="not", args=(Test(name="eq" | "lt" | "le" as name, args=args),)):
                return self._compared(_CONTRARY[name], *map(self, args))
            case Test(name="not", args=(y,)):
                holds = self.condition(y)
                return not holds if isinstance(holds, bool) else rf"\neg({holds})"
            case Test(name="and" | "or" as name, args=args):
                parts = []
                for y in args:
                    holds = self.condition(y)
                    if holds is (name == "or"):
                        return holds
                    parts += [holds] if isinstance(holds, str) else []
                return (r" \wedge " if name == "and" else r" \vee ").join(parts) or name == "and"
        return x is not FALSE

    def _compared(self, name: str, x: Printed, y: Printed) -> str | bool:
        sign, turned, holds = _RELATIONS[name]
        if not self.symbolic or (x.value == x.value and y.value == y.value):
            return holds(x.value, y.value)
        if x.value == x.value and sign != turned:  # 0 < x was written as x > 0
            return f"{y.text} {turned} {x.text}"
        return f"{x.text} {sign} {y.text}"

    # Constants by class

    def _named_constant(self, x: Tree) -> Printed:
        """Return the name of a constant that depends on classes; its first use puts it into the legend."""
        indices: list[Tree]
        key: object
        if isinstance(x, Tabled):
            indices, key = [x.i, x.j], (x.rows, x.legend)
        else:
            indices = list({y: None for y in below(x) if isinstance(y, ClassVariable)})
            key = x.with_classes({y.__dict__["number"]: ClassVariable(k) for k, y in enumerate(indices, 1)})
        if key not in self.tables:
            k = len(self.tables)
            name = self.tables[key] = _TABLES[k] if k < len(_TABLES) else f"w^{{({k})}}"
            if isinstance(key, Tree):
                letters = INDICES[: len(indices)]
                printer = FormulaPrinter(at=dict(enumerate(letters, 1)))
                printer.naming = False
                text = printer(key).text.replace(r"\left", "").replace(r"\right", "")
                self.legend.append(f"{name}_{{{letters}}} = {text}")
            elif isinstance(x, Tabled) and x.legend:
                self.legend.append(name + x.legend.removeprefix("w"))
        return Printed(f"{self.tables[key]}_{{{''.join(str(self.place(i)) for i in indices)}}}")


def by_classes(x: Tree) -> bool:
    """Return whether a value is a constant that depends on the positions of classes."""
    return isinstance(x, Tabled) or (x.SORT == "ValueTree" and Position in made_of(x) <= _CONSTANT)


def made_of(x: Tree) -> frozenset[type[Tree]]:
    """Return the kinds of the nodes of a tree."""
    if "kinds" not in x.memo:
        x.memo["kinds"] = frozenset(map(type, below(x)))
    return cast("frozenset[type[Tree]]", x.memo["kinds"])


_CONSTANT = frozenset((Position, ClassVariable, Nth, Numeral, Operation, ToPower))


def printed_tree(definition: Recorded, classes: int | None) -> tuple[Tree, bool]:
    """Return the tree that a formula is printed from, and whether it is about two classes whose cells have names."""
    if classes == 2:
        return definition.tree(2), True
    general = definition.general()
    if general is not None:
        return general, False
    try:
        return record(definition.function, None, shown=True), False
    except NeedsTwoClasses:  # a user's function need not declare classes=2
        return definition.tree(2), True


def formula_of(tree: Tree, *, two: bool) -> str:
    """Return the formula of a tree in LaTeX."""
    printer = FormulaPrinter(two=two)
    text = printer(tree).text
    return r",\quad ".join([text, *dict.fromkeys(printer.legend)])


def formula(definition: Recorded, classes: int | None) -> str:
    """Return the LaTeX formula of a definition; raise `CannotRecord` if it has none."""
    tree, two = printed_tree(definition, classes)
    return formula_of(tree, two=two)


class Division(NamedTuple):
    """A division of a formula: its denominator in LaTeX, and whether it is the recall or the precision of a class.

    The class is that of the outermost sum.
    """

    denominator: str
    rate: str | None = None


def divisions(tree: Tree, *, two: bool) -> dict[Tree, Division]:
    """Return what is divided by what at each division of a tree."""
    nodes = below(tree, *(written_mean(x) for x in below(tree) if isinstance(x, OverMean)))
    bound = [x.__dict__[name] for x in reversed(nodes) for name in x.BINDS]  # outer sums come first
    outermost = [{x.i} for x in nodes if isinstance(x, Over) and not x.free]
    found: dict[Tree, Division] = {}
    for x in nodes:
        if isinstance(x, Ratio):
            letters = zip(sorted(x.y.free, key=bound.index), INDICES, strict=False)
            printer = FormulaPrinter(two=two, at={k: 1 if two else letter for k, letter in letters})
            under = printer(x.y).text
            is_rate = x.free in outermost and x.free == x.y.free and printer(x.x).text == "c_{ii}"
            found[x] = Division(under, {"a_{i}": "recall", "b_{i}": "precision"}.get(under) if is_rate else None)
    return found
