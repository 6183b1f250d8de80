"""Python source for one matrix of plain numbers, written from core trees.

Which functions the source calls decides the kind of number: floats, exact numbers. Other languages and layouts are the
same writer with other words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from goodmeasure.language.compile.plan import (
    ELSE,
    NEAR,
    RULE,
    SOME,
    TERM,
    THEN,
    CodeBlock,
    CodePlan,
    Step,
    Use,
    is_leaf,
)
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
    TRUE,
    ZERO,
    CountOfClasses,
    Counts,
    Missing,
    Nth,
    Numeral,
    Operation,
    Position,
    Ratio,
    Tabled,
    Test,
    ToPower,
    Tree,
    Where,
    XLogY,
)

NamedConstant: TypeAlias = "Fraction | tuple[tuple[Fraction, ...], ...]"
_NESTED = 24  # how deep an expression is nested before it gets a name: Python refuses to read very deep ones

# The sums that a matrix is read through, as they are computed if sums of counts are rounded, and if they are exact:
# d, a, b: diagonal, row and column sums; r, k, e: of each class, the rest of its row, of its column and everything
# else; R, K, E: the same of each cell; h, o, n: the sum on, off the diagonal, and of all cells.
_SUMS: dict[str, tuple[str, str]] = {
    "d": ("d# = [c#[k][k] for k in range(m)]",) * 2,
    "R": ("R#, K#, E# = others(c#)", ""),
    "r": ("r#, k# = apart(c#)", ""),
    "e": ("e# = elsewhere(c#)", ""),
    "a": ("a# = [sum(x) for x in c#]",) * 2,
    "b": ("b# = [sum(x) for x in zip(*c#)]",) * 2,
    "h": ("h# = sum(d#)",) * 2,
    "o": ("o# = sum(r#)", ""),
    "n": ("n# = h# + o#", "n# = sum(a#)"),
}
_RESTS = {"h": "d", "o": "r", "n": "ho", "k": "r", "K": "R", "E": "R"}
_EXACT_RESTS = {"h": "d", "n": "a"}

_INFIX = {"add": "+", "sub": "-", "mul": "*", "eq": "==", "meet": "==", "lt": "<", "le": "<=", "and": "and", "or": "or"}
_CHECKED = {"min": "least", "max": "greatest"}  # functions that are told what an undefined value is


class PythonSource:
    """The source of a function ``f(c0, u)`` of the cells and of what undefined terms are worth."""

    loops = True
    end: str | None = None  # what closes a block, if anything does
    sums = _SUMS
    divides_exactly = False  # whether a quotient of integers must not become a float
    near_one = True  # whether logarithms of numbers that are nearly 1 need care

    def __init__(self, roots: Sequence[Tree], m: int | None, *, whole: bool, raises: bool = False) -> None:
        self.roots, self.m, self.whole, self.raises = list(roots), m, whole, raises
        self.plan = CodePlan(roots, loops=self.loops)
        self.lines: list[str] = []
        self.indent = 1
        self.constants: dict[NamedConstant, str] = {}
        self._names: dict[Tree, str] = {}
        self._scopes: list[list[Tree]] = [[]]
        self._wanted: dict[Tree, str] = {}
        self._depths: dict[Tree, int] = {}
        self._needed: dict[int, set[str]] = {}  # of each matrix, the sums that it is read through
        self._grids: dict[Tree, int] = {}
        self._made = 0
        self._twice = self._mentioned_twice()
        self.block(self.plan.top)

    # Syntax

    def out(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def choice(self, test: str, x: str, y: str) -> str:
        return f"({x} if {test} else {y})"

    def loop(self, variable: int) -> str:
        return f"for i{variable} in range(m):"

    def when(self, test: str) -> str:
        return f"if {test}:"

    def otherwise(self) -> str:
        return "else:"

    def assign(self, name: str, value: str) -> None:
        if value != name:
            self.out(f"{name} = {value}")

    def open(self, head: str) -> None:
        self.out(head)
        self.indent += 1
        self._scopes.append([])

    def close(self) -> None:
        self.indent -= 1
        for x in self._scopes.pop():
            del self._names[x]
        if self.end:
            self.out(self.end)

    def missing(self, x: str) -> str:
        """Return the text of the condition that a value is undefined."""
        return f"({x} != {x})"

    def nonzero(self, y: str) -> str:
        return f"{y} != 0"

    def quotient(self, x: str, y: str) -> str:
        return f"div({x}, {y})" if self.divides_exactly else f"{x} / {y}"

    def between(self, y: str) -> str:
        return f"0.5 < {y} < 2"

    def empty(self) -> str:
        return "[]"

    def push(self, name: str, x: str) -> None:
        self.out(f"{name}.append({x})")

    def spread(self, op: str, name: str) -> str:
        return f"{op}(*{name}, u)"

    def _mentioned_twice(self) -> set[Tree]:
        """Return the nodes that the text of another one mentions twice, so that they need a name."""
        found: set[Tree] = set()
        for block in self.plan.top.all():
            for use in block.uses:
                x = use.node
                if isinstance(x, Ratio):
                    found.add(x.y)
                elif isinstance(x, XLogY):
                    found |= {x.x, x.y}
                elif isinstance(x, Test) and x.name == "undefined":
                    found.add(x.args[0])
        return found

    # Expressions

    def text(self, x: Tree) -> str:
        """Return the text of a value: its name, if it has one."""
        return self._names[x] if x in self._names else self.expression(x)

    def expression(self, x: Tree) -> str:
        t = self.text
        match x:
            case Numeral(value=v):
                return self.constant(v)
            case Missing():
                return "u()" if self.raises else "u"
            case Lost():
                return "nan"
            case CountOfClasses():
                return "m"
            case Entry(i=i, j=j):
                return f"c{i}_{j}"
            case Position(i=i):
                return self.index(i)
            case Tabled(rows=rows, i=i, j=j):
                return f"{self.named_constant(rows)}[{self.index(i)}][{self.index(j)}]"
            case Lin():
                return self.linear(x)
            case Operation(name=name, args=args):
                return self.call(name, [t(y) for y in args])
            case Test(name=name, args=args):
                return self.test(name, [t(y) for y in args])
            case ToPower(x=base, r=r):
                if r.denominator == 1 and r >= 0:
                    return f"{t(base)}**{r}"
                return f"power({t(base)}, {self.exponent(r)}, u)"
            case Ratio(x=a, y=b, rule=rule):
                if rule is None or (isinstance(b, Numeral) and b is not ZERO):
                    return f"({self.quotient(t(a), t(b))})"
                return self.choice(self.nonzero(t(b)), self.quotient(t(a), t(b)), t(rule))
            case Where(test=test, x=one, y=other):
                return self.choice(t(test), t(one), t(other))
        raise TypeError(type(x))

    def constant(self, v: Fraction) -> str:
        if v.denominator == 1:
            return str(v) if v >= 0 else f"({v})"
        return self.named_constant(v)

    def named_constant(self, value: NamedConstant) -> str:
        return self.constants.setdefault(value, f"q{len(self.constants)}")

    def exponent(self, r: Fraction | float) -> str:
        return self.constant(r) if isinstance(r, Fraction) else repr(r)

    def call(self, name: str, args: list[str]) -> str:
        if name in _INFIX:
            return f"({args[0]} {_INFIX[name]} {args[1]})"
        if name == "neg":
            return f"(-{args[0]})"
        if name in ("pi", "inf"):
            return name
        if name in ("abs", "exp"):
            return f"{name}({args[0]})"
        return f"{_CHECKED.get(name, name)}({', '.join(args)}, u)"

    def test(self, name: str, args: list[str]) -> str:
        if name in _INFIX:
            return f"({args[0]} {_INFIX[name]} {args[1]})"
        if name == "undefined":
            return self.missing(args[0])
        if name == "broken":
            return f"broken({args[0]})"
        return f"(not {args[0]})" if name == "not" else {"true": "True", "false": "False"}[name]

    def index(self, i: Tree) -> str:
        return str(i.number) if isinstance(i, Nth) else f"i{i.__dict__['number']}"

    # Sums of cells

    def linear(self, x: Lin) -> str:
        """Return the text of a sum of cells: what is added, and what is subtracted, each a sum of disjoint groups."""
        w, basis = x.weights, x.basis
        if isinstance(basis, CellGroups):
            return weighted(zip(w, map(self.text, basis.cells), strict=True))
        of: Tree = basis.__dict__["of"]
        exact = self.exact_sums(of)
        v: Callable[[str], str] = lambda name: self.vector(of, name)  # noqa: E731
        if isinstance(basis, All):
            return weighted([(w[0], v("n"))])
        if isinstance(basis, Diagonal):
            if exact:
                return weighted([(w[1], lambda: v("n")), (w[0] - w[1], lambda: v("h"))])
            return weighted([(w[0], lambda: v("h")), (w[1], lambda: v("o"))])
        assert isinstance(basis, Pair)
        i, j = basis.i, basis.j
        hit = (lambda: self.at(v("d"), i)) if i is j else (lambda: self.at2(v("c"), i, j))
        row, column = (lambda: self.at(v("a"), i)), (lambda: self.at(v("b"), j))
        if exact:
            h, r, c, e = w
            return weighted([(e, lambda: v("n")), (r - e, row), (c - e, column), (h - r - c + e, hit)])

        def group(name: str) -> Callable[[], str]:
            return (lambda: self.at(v(name), i)) if i is j else (lambda: self.at2(v(name.upper()), i, j))

        found: list[tuple[int, str | Callable[[], str]]] = []
        for sign in (1, -1):
            h, r, c, e = (max(sign * y, 0) for y in w)
            n = min(h, r, c, e)
            p = min(h, r) - n
            q = min(h - n - p, c - n)
            weights = (n, p, q, h - n - p - q, r - n - p, c - n - q, e - n)
            texts = (lambda: v("n"), row, column, hit, group("r"), group("k"), group("e"))
            found += [(sign * k, text) for k, text in zip(weights, texts, strict=True)]
        return weighted(found)

    def vector(self, of: Tree, name: str) -> str:
        """Return the name of a sum that a matrix is read through, and remember that it is needed."""
        place = 0 if isinstance(of, Counts) else self._grids[of]
        known, todo = self._needed.setdefault(place, set()), [name]
        while todo:
            key = todo.pop()
            if key not in known:
                known.add(key)
                todo += (_EXACT_RESTS if self.exact_sums(of) else _RESTS).get(key, "")
        return f"{name}{place}"

    def exact_sums(self, of: Tree) -> bool:
        """Return whether sums of the cells of a matrix are exact, so that they may be subtracted."""
        return self.whole and (isinstance(of, Counts) or self.divides_exactly)

    def at(self, vector: str, i: Tree) -> str:
        return f"{vector}[{self.index(i)}]"

    def at2(self, grid: str, i: Tree, j: Tree) -> str:
        return f"{grid}[{self.index(i)}][{self.index(j)}]"

    # Statements

    def block(self, block: CodeBlock) -> None:
        """Write the statements of a block."""
        for use in block.uses:
            x = use.node
            if isinstance(x, MappedGrid):
                self.keep(x, self.grid(x, block))
                continue
            simple = self.is_simple(x)
            text = self.expression(x) if simple else ""
            if text.isidentifier() or (simple and self.is_inlined(use, block)):
                self.keep(x, text)  # it has a name already, or is written where it is used
                continue
            name = self._wanted.pop(x, None) or self.fresh()
            if simple:
                self.assign(name, stripped(text))
            else:
                getattr(self, f"write_{type(x).__name__.lower()}")(x, name, block)
            self.keep(x, name)

    def is_simple(self, x: Tree) -> bool:
        """Return whether a value is one expression."""
        if isinstance(x, Ratio):
            return x.rule is None or is_leaf(x.rule)
        return isinstance(x, (Lin, Operation, Test, ToPower))

    def is_inlined(self, use: Use, block: CodeBlock) -> bool:
        """Return whether a value is needed at one place only, of the same block, and not nested too deeply."""
        x = use.node
        if use.count > 1 or x in self._twice or x in self.roots or use.needed[0] is not block:
            return False
        self._depths[x] = depth = 1 + max((self._depths.get(y, 0) for y in _operands(x)), default=0)
        if depth > _NESTED:
            self._depths[x] = 0
        return depth <= _NESTED

    def keep(self, x: Tree, name: str) -> None:
        self._names[x] = name
        self._scopes[-1].append(x)

    def fresh(self) -> str:
        self._made += 1
        return f"t{self._made}"

    def enter(
        self, block: CodeBlock, x: Tree, step: Step, head: str, result: Tree | None = None, name: str | None = None
    ) -> CodeBlock:
        """Open a block inside a node; what it computes for `result` gets a name right away if nothing else uses it."""
        self.open(head)
        inner = block.inner.get((x, step))
        if inner is not None:
            if name is not None and any(use.node is result and use.count == 1 for use in inner.uses):
                assert result is not None
                self._wanted[result] = name
            self.block(inner)
        return inner or block

    def write_ratio(self, x: Ratio, name: str, block: CodeBlock) -> None:
        y = self.text(x.y)
        self.open(self.when(self.nonzero(y)))
        self.assign(name, self.quotient(self.text(x.x), y))
        self.close()
        assert x.rule is not None
        self.enter(block, x, RULE, self.otherwise(), x.rule, name)
        self.assign(name, self.text(x.rule))
        self.close()

    def write_where(self, x: Where, name: str, block: CodeBlock) -> None:
        self.enter(block, x, THEN, self.when(stripped(self.text(x.test))), x.x, name)
        self.assign(name, self.text(x.x))
        self.close()
        self.enter(block, x, ELSE, self.otherwise(), x.y, name)
        self.assign(name, self.text(x.y))
        self.close()

    def write_xlogy(self, x: XLogY, name: str, block: CodeBlock) -> None:
        a = self.text(x.x)
        self.open(self.when(f"{a} == 0"))
        self.assign(name, a)
        self.close()
        inner = self.enter(block, x, SOME, self.otherwise())
        y = self.text(x.y)
        if x.above is None or not self.near_one:
            self.assign(name, f"{a} * log({y}, u)")
        else:
            self.enter(inner, x, NEAR, self.when(self.between(y)))
            self.assign(name, f"{a} * log1p({self.text(x.above)}, u)")
            self.close()
            self.open(self.otherwise())
            self.assign(name, f"{a} * log({y}, u)")
            self.close()
        self.close()

    def start(self, x: Each | Items, name: str) -> None:
        """Write what an operation over classes begins with."""
        plain_mean = x.op == "mean" and x.p == 1
        self.assign(name, "0" if plain_mean else {"sum": "0", "product": "1"}.get(x.op, self.empty()))
        if plain_mean:
            self.assign(name + "n", "0")

    def more(self, x: Each | Items, name: str, term: str, weight: str | None) -> None:
        """Write how a term is added."""
        if x.op == "sum":
            self.out(f"{name} += {term}")
        elif x.op == "product":
            self.out(f"{name} *= {term}")
        elif x.op == "mean" and x.p == 1:
            self.out(f"{name} += {term}" if weight is None else f"{name} += {weight} * {term}")
            self.out(f"{name}n += {1 if weight is None else weight}")
        else:
            self.push(name, term)

    def finish(self, x: Each | Items, name: str) -> None:
        """Write what an operation over classes ends with."""
        if x.op == "mean" and x.p == 1:
            some, u = self.nonzero(name + "n"), self.text(Missing())
            self.assign(name, self.choice(some, self.quotient(name, name + "n"), u))
        elif x.op == "mean":
            self.assign(name, f"mean({name}, {self.exponent(x.p)}, u)")
        elif x.op in ("least", "greatest"):
            self.assign(name, self.spread(x.op, name))

    def write_each(self, x: Each, name: str, block: CodeBlock) -> None:
        self.start(x, name)
        inner = self.enter(block, x, ("loop", x.i), self.loop(x.i))
        if x.test is not TRUE:
            self.enter(inner, x, TERM, self.when(stripped(self.text(x.test))))
        self.more(x, name, self.text(x.term), None if x.weight is None else self.text(x.weight))
        if x.test is not TRUE:
            self.close()
        self.close()
        self.finish(x, name)

    def write_eachpair(self, x: EachPair, name: str, block: CodeBlock) -> None:
        self.assign(name, "0")
        outer = self.enter(block, x, ("loop", x.i), self.loop(x.i))
        self.open(self.loop(x.j))
        self.open(self.when(f"i{x.i} != i{x.j}"))
        inner = outer.inner.get((x, ("loop", x.j)), outer)
        if inner is not outer:
            self.block(inner)
        if x.test is not TRUE:
            self.enter(inner, x, TERM, self.when(stripped(self.text(x.test))))
        self.out(f"{name} += {self.text(x.term)}")
        for _ in range(3 if x.test is TRUE else 4):
            self.close()

    def write_items(self, x: Items, name: str, block: CodeBlock) -> None:
        self.start(x, name)
        for k, test in enumerate(x.tests):
            if test is not TRUE:
                self.enter(block, x, ("term", k), self.when(stripped(self.text(test))))
            self.more(x, name, self.text(x.terms[k]), self.text(x.weights[k]) if x.weights else None)
            if test is not TRUE:
                self.close()
        self.finish(x, name)

    def grid(self, x: MappedGrid, block: CodeBlock) -> str:
        """Write the loops that compute a mapped matrix."""
        place = self._grids[x] = len(self._grids) + 1
        name, row = f"c{place}", f"row{place}"
        self.assign(name, self.empty())
        outer = self.enter(block, x, ("loop", x.i), self.loop(x.i))
        self.assign(row, self.empty())
        self.enter(outer, x, ("loop", x.j), self.loop(x.j))
        self.push(row, self.text(x.cell))
        self.close()
        self.push(name, row)
        self.close()
        self.out(f"<sums {place}>")
        return name

    # The whole function

    def written(self) -> str:
        """Return the text of the function."""
        results = [stripped(self.text(x)) for x in self.roots]
        lines = [self.head(), *self.unpacked(), *self._sums_of(0, "    ", exact=self.whole)]
        for line in self.lines:
            text = line.lstrip()
            if text.startswith("<sums"):
                place = int(text[6:-1])
                exact = self.whole and self.divides_exactly
                lines += self._sums_of(place, line[: len(line) - len(text)], exact=exact)
            else:
                lines.append(line)
        return "\n".join([*lines, *self.ending(results)]) + "\n"

    def head(self) -> str:
        return "def f(c0, u):"

    def unpacked(self) -> list[str]:
        """Return the lines that give the cells their names."""
        if self.m is None:
            return ["    m = len(c0)"]
        rows = ("(" + ", ".join(f"c{i}_{j}" for j in range(self.m)) + ",)" for i in range(self.m))
        return [f"    {', '.join(rows)}, = c0"]

    def ending(self, results: list[str]) -> list[str]:
        return [f"    return {', '.join(results)}"]

    def _sums_of(self, place: int, indent: str, *, exact: bool) -> list[str]:
        """Return the lines that compute the sums that a matrix is read through."""
        known = self._needed.get(place, set())
        return [indent + line[exact].replace("#", str(place)) for key, line in self.sums.items() if key in known]


def _operands(x: Tree) -> list[Tree]:
    return [y for y in x.parts if not isinstance(y, (CellGroups, Pair, Diagonal, All))]


def weighted(terms: Iterable[tuple[int, str | Callable[[], str]]]) -> str:
    """Return the sum of weighted texts; the positive ones come first."""
    found = [(w, x if isinstance(x, str) else x()) for w, x in terms if w]
    found.sort(key=lambda term: term[0] < 0)
    text = ""
    for w, x in found:
        sign = ("-" if not text else " - ") if w < 0 else (" + " if text else "")
        text += f"{sign}{'' if abs(w) == 1 else f'{abs(w)} * '}{x}"
    return f"({text})" if len(found) > 1 or found[0][0] != 1 else text


def stripped(text: str) -> str:
    """Return an expression without a pair of brackets around all of it."""
    if text.startswith("(") and text.endswith(")"):
        depth = 0
        for k, x in enumerate(text):
            depth += (x == "(") - (x == ")")
            if depth == 0:
                return text[1:-1] if k == len(text) - 1 else text
    return text
