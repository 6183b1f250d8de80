"""Source text for one matrix, written from core trees.

One writer serves all: a table of words makes it Python or JavaScript, and which functions the source calls decides the
kind of number. For arrays, sums over classes are axes instead of loops: see `arrays.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from goodmeasure.language import tree as t
from goodmeasure.language.compile.numbers import CHECKED
from goodmeasure.language.compile.plan import CodeBlock, CodePlan, Step, Use
from goodmeasure.language.rewrite import core
from goodmeasure.language.tree import Tree

NamedConstant: TypeAlias = "Fraction | tuple[tuple[Fraction, ...], ...]"
_LONG = 120  # characters of an expression above which it gets a name: Python refuses to read very deep ones

# How things are said. A function that is not listed is called by its name, with the argument `u` if it is checked.
PYTHON = {
    **{name: f"({{}} {sign} {{}})" for name, sign in {"add": "+", "sub": "-", "mul": "*", "div": "/", "eq": "==",
        "lt": "<", "le": "<=", "and": "and", "or": "or", "same": "==", "meet": "=="}.items()},
    "neg": "(-{})", "not": "(not {})", "true": "True", "false": "False", "pi": "pi", "inf": "inf",
    "undefined": "({0} != {0})",
    "log_near": "(log1p({1}, u) if 0.5 < {0} < 2 else log({0}, u))", "choice": "({1} if {0} else {2})", "spread": "*{}",
    "Counts": "c0", "CountOfClasses": "m", "Missing": "u", "Lost": "nan", "Skipped": "nan", "LeftOutTerm": "None",
    "set": "{} = {}", "more sum": "{} += {}", "more product": "{} *= {}", "more list": "{}.append({})",
    "sums": "[sum(x) for x in {}]", "turned": "list(zip(*{}))", "diagonal": "[{0}[k][k] for k in range(m)]",
    "loop": "for i{} in range(m):", "if": "if {}:", "else": "else:", "end": "",
    "function": "def f(c0, u):", "classes": "m = len(c0)", "cells": "{}, = c0", "row": "({},)", "return": "return {}",
}  # fmt: skip
_STARTS = {"sum": "0", "product": "1", "list": "[]"}

# The sums that a matrix is read through: the functions that compute them, the last one first, and of what
_SUMS = {
    "g": "g", "d": "diagonal g", "a": "sums g", "b": "sums turned g", "r": "rests g", "k": "rests turned g",
    "e": "elsewhere g", "R": "others g", "K": "turned others turned g", "E": "turned others turned R",
    "h": "sum d", "o": "sum r",
}  # fmt: skip


class MatrixFunction(t.Operation):
    """A function of the cells of a matrix, or of sums of them."""

    SORT = "MatrixTree"
    name: str
    args: tuple[Tree, ...]


class PythonSource:
    """The source of a function ``f(c0, u)`` of the cells and of what undefined terms are worth.

    It returns the value of one tree, or those of several.
    """

    words = PYTHON
    loops = True
    divides_exactly = False  # whether all arithmetic is exact, also that of computed cells

    def __init__(self, roots: Tree | Sequence[Tree], m: int | None, *, whole: bool, raises: bool = False) -> None:
        self.m, self.whole = m, whole
        self.roots = [roots] if isinstance(roots, Tree) else roots
        self.together = self.roots is roots
        if raises:
            self.words = self.words | {"Missing": "u()"}
        self.constants: dict[NamedConstant, str] = {}
        self._forms: dict[Tree, Tree] = {}
        self._names: dict[Tree, str] = {}
        self._lines: list[str] = []
        self._indent, self._made = 1, 0
        self.plan = CodePlan(self.roots, self.form, loops=self.loops)

    def written(self) -> str:
        """Return the text of the function."""
        self.block(self.plan.top)
        results = [stripped(self.text(x)) for x in self.roots]
        body, self._lines = self._lines, []
        self.unpack()
        returned = self.say("return", ", ".join(results) + "," * self.together)
        lines = [self.say("function"), *self._lines, *body, f"    {returned}", self.say("end")]
        return "\n".join(filter(None, lines)) + "\n"

    def unpack(self) -> None:
        """Write the lines that give the cells their names."""
        if self.m is None:
            self.out(self.say("classes"))
        else:
            rows = (self.say("row", ", ".join(f"c{i}_{j}" for j in range(self.m))) for i in range(self.m))
            self.out(self.say("cells", ", ".join(rows)))

    # Expressions

    def form(self, x: Tree) -> Tree:
        """Return a node in the form in which it is computed."""
        found = self._forms.get(x)
        if found is None:
            other = self.other_form(x)
            found = self._forms[x] = x if other is None else self.form(other)
        return found

    def other_form(self, x: Tree) -> Tree | None:
        """Return what is computed in the place of a node; None if it is computed as it is."""
        match x:
            case core.Lin(basis=basis):
                of = basis.__dict__.get("of")
                return core.added_up(x, exact=self.whole and (self.divides_exactly or isinstance(of, t.Counts)))
            case core.ReadAt(of=of, at=()):
                return of
            case core.ReadAt(of=core.CellSums(of=of, name="d"), at=(i,)) if self.loops:
                return core.ReadAt(core.CellSums(of, "g"), (i, i))
            case core.CellSums(of=of, name=name) if self.loops:
                if name == "n":
                    h, r, a = (core.CellSums(of, y) for y in "hoa")
                    exact = self.whole and (self.divides_exactly or isinstance(of, t.Counts))
                    return MatrixFunction("sum", (a,)) if exact else MatrixFunction("add", (h, r))
                *functions, last = _SUMS[name].split()
                made: Tree = of if last == "g" else core.CellSums(of, last)
                for function in reversed(functions):
                    made = MatrixFunction(function, (made,))
                return made
            case core.MappedGrid(i=i, j=j, cell=cell) if self.loops:
                return core.Each("list", i, core.Each("list", j, cell))
        return None

    def text(self, x: Tree) -> str:
        """Return the text of a value: its name, if it has one."""
        x = self.form(x)
        return self._names.get(x) or self.expression(x)

    def say(self, word: str, *texts: object) -> str:
        """Return a phrase, or the call of a function."""
        if word in self.words:
            return self.words[word].format(*texts)
        return f"{word}({', '.join(map(str, (*texts, 'u') if word in CHECKED else texts))})"

    def expression(self, x: Tree) -> str:
        match x:
            case t.Numeral(value=v):
                return self.constant(v)
            case core.Entry(i=i, j=j):
                return f"c{i}_{j}"
            case t.ClassVariable(number=k):
                return f"i{k}"
            case t.Nth(number=k):
                return str(k)
            case t.Position(i=i):
                return self.text(i)
            case core.ReadAt(of=of, at=classes):
                return self.read(self.text(of), classes)
            case t.Tabled(rows=rows, i=i, j=j):
                return self.read(self.named(rows), (i, j))
            case t.Operation(name="power", args=(base, t.Numeral(value=r))) if r.denominator == 1 and r >= 0:
                inner = self.text(base)  # x**2**3 would be x to the power 8
                return f"({inner})**{r}" if isinstance(base, t.Operation) and base.name == "power" else f"{inner}**{r}"
            case t.Operation(name=name, args=args):
                return self.say(name, *map(self.argument, args))
            case t.Test(name=name, args=args):
                return self.say(name, *map(self.text, args))
        return self.say(type(x).__name__)

    def argument(self, x: Tree) -> str:
        is_list = isinstance(x, core.Each) and x.op == "list"
        return self.say("spread", self.text(x)) if is_list else self.text(x)

    def read(self, table: str, classes: Sequence[Tree]) -> str:
        return table + "".join(f"[{self.text(i)}]" for i in classes)

    def constant(self, v: Fraction) -> str:
        if v.denominator == 1:
            return str(v) if v >= 0 else f"({v})"
        return self.named(v)

    def named(self, value: NamedConstant) -> str:
        return self.constants.setdefault(value, f"q{len(self.constants)}")

    # Statements

    def set(self, name: str, text: str) -> str:
        return self.say("set", name, stripped(text))

    def out(self, line: str) -> None:
        self._lines.append("    " * self._indent + line)

    def fresh(self) -> str:
        self._made += 1
        return f"t{self._made}"

    def block(self, block: CodeBlock) -> None:
        """Write the statements of a block."""
        for group in self.plan.statements(block):
            x = group[0].node
            step = self.plan.step(x)
            if step is None:
                self.keep(group[0], self.expression(x))
            elif step[0] == "loop":
                self.loop(group, block, step)
            else:
                self.choice(group, block, step)

    def keep(self, use: Use, text: str) -> None:
        """Give a value a name, unless it has one already or is needed once, in the same block."""
        if not text.isidentifier() and not self.is_inlined(use, text):
            name = self.fresh()
            self.out(self.set(name, text))
            text = name
        self._names[use.node] = text

    def is_inlined(self, use: Use, text: str) -> bool:
        return list(use.needed.values()) == [use.block] and len(text) <= _LONG

    def inside(self, block: CodeBlock, step: Step, values: Sequence[Tree]) -> tuple[list[str], list[str]]:
        """Return the lines of a block inside another, and the texts of values that are known at its end."""
        lines, self._lines, size = self._lines, [], len(self._names)
        self._indent += 1
        if step in block.inner:
            self.block(block.inner[step])
        texts = [self.text(x) for x in values]
        self._indent -= 1
        while len(self._names) > size:
            self._names.popitem()
        lines, self._lines = self._lines, lines
        return lines, texts

    def nested(self, head: str, lines: list[str], last: Sequence[str]) -> None:
        """Write a block with a head, which ends in some statements."""
        self._lines.append("    " * self._indent + head)
        self._lines += lines
        self._indent += 1
        for line in last:
            self.out(line)
        self._indent -= 1
        if end := self.say("end"):
            self._lines.append("    " * self._indent + end)

    def loop(self, group: list[Use], block: CodeBlock, step: Step) -> None:
        """Write a loop over all classes, for several sums, products and lists."""
        each = [(self.fresh(), cast(core.Each, use.node)) for use in group]
        for name, x in each:
            self.out(self.set(name, _STARTS[x.op]))
        lines, texts = self.inside(block, step, [x.term for _, x in each])
        more = [self.say(f"more {x.op}", name, stripped(y)) for (name, x), y in zip(each, texts, strict=True)]
        self.nested(self.say("loop", step[1]), lines, more)
        self._names |= {x: name for name, x in each}

    def choice(self, group: list[Use], block: CodeBlock, step: Step) -> None:
        """Write a choice between values, for several that ask the same."""
        nodes = [cast(t.Where, use.node) for use in group]
        test = stripped(self.text(cast(Tree, step[1])))
        yes = self.inside(block, step, [x.x for x in nodes])
        no = self.inside(block, ("else", *step[1:]), [x.y for x in nodes])
        if len(group) == 1 and not yes[0] and not no[0]:
            self.keep(group[0], self.say("choice", test, *yes[1], *no[1]))
            return
        names = [self.fresh() for _ in group]
        for word, (lines, texts) in (("if", yes), ("else", no)):
            self.nested(self.say(word, test), lines, list(map(self.set, names, texts)))
        self._names |= dict(zip(nodes, names, strict=True))


def stripped(text: str) -> str:
    """Return an expression without a pair of brackets around all of it."""
    if text.startswith("(") and text.endswith(")"):
        depth = 0
        for k, x in enumerate(text):
            depth += (x == "(") - (x == ")")
            if depth == 0:
                return text[1:-1] if k == len(text) - 1 else text
    return text
