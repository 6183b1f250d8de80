"""Values of many matrices at once: source for arrays, written from core trees, and the functions that it compiles to.

A sum over classes is an axis of an array, not a loop: see `array_functions.py`. A rule for 0/0 is computed only if it
acts on some matrix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias, cast

import numpy as np

from goodmeasure.language import tree as t
from goodmeasure.language.compile.array_functions import ArrayFunctions, CountSums
from goodmeasure.language.compile.compiled import function_of, undefined_value, written_out
from goodmeasure.language.compile.plan import CodeBlock, Step, Use
from goodmeasure.language.compile.source import PYTHON, PythonSource, stripped
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite import core
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import ZERO, Tree
from goodmeasure.typing import AnyArray

ArrayCells: TypeAlias = "Sequence[Sequence[AnyArray]] | Mapping[str, AnyArray]"  # written out, or read through sums
ArrayValue: TypeAlias = Callable[[ArrayCells, object], AnyArray]

NUMPY = ArrayFunctions(np)


class ArraySource(PythonSource):
    """The source of a function ``f(c0, u)`` of arrays of cells, or of the sums that they are read through."""

    loops = False
    words = PYTHON | {
        "and": "({} & {})", "or": "({} | {})", "not": "inverse({})", "undefined": "isnan({})", "div": "over({}, {})",
        "same": "same(m, {}, {})", "LeftOutTerm": "ABSENT", "classes": "m = c0.m", "spread": "{}",
    }  # fmt: skip

    def other_form(self, x: Tree) -> Tree | None:
        match x:
            case t.Where(test=t.Test(name="eq", args=(factor, _)), y=t.Operation(name="mul", args=args)) if (
                x.x is ZERO and factor in args
            ):  # arguments are replaced before the logarithm, so that products need not be
                found = args[args[0] is factor]
                if isinstance(found, t.Operation) and found.name in ("log", "log_near"):
                    return t.Operation("xlogy", (factor, *found.args))
        return super().other_form(x)

    def expression(self, x: Tree) -> str:
        match x:
            case t.ClassVariable(number=k):
                return str(k)
            case t.Position(i=i):
                return self.read("places(m)", (i,))
            case t.Tabled(rows=rows, i=i, j=j):
                table = f"table({self.named(rows)})"
                return self.read(f"diagonal({table})", (i,)) if i is j else self.read(table, (i, j))
            case core.CellSums(of=of, name=name):
                return f"{self.text(of)}['{name}']"  # added up when it is first read
            case core.ReadAt(of=core.CellSums(of=of), at=classes) if of.free:  # the matrix varies with a class
                return self.read(self.text(x.of), classes, varies=True)
            case t.Operation(name="xlogy", args=args):
                return f"xlogy(u, {', '.join(map(self.text, args))})"
            case core.Each(op=op, i=i, term=term):  # a choice in which no rule acts may not depend on the class
                return f"over_{op}({stripped(self.text(term))}, m, {i})"
            case core.MappedGrid(i=i, j=j, cell=cell):
                return f"c0.mapped({stripped(self.text(cell))}, {i}, {j}, alone={not x.free})"
        return super().expression(x)

    def read(self, table: str, classes: Sequence[Tree], *, varies: bool = False) -> str:
        """Return a part of an array whose leading axes are for classes, with these axes in the places of variables.

        `varies` says that further axes are those of classes as well, on which the whole table depends.
        """
        if any(isinstance(i, t.Nth) for i in classes):
            table += f"[{', '.join(self.text(i) if isinstance(i, t.Nth) else ':' for i in classes)}, ...]"
        variables = [i.number for i in classes if isinstance(i, t.ClassVariable)]
        in_place = not variables or (not varies and variables == list(range(len(variables), 0, -1)))
        return table if in_place else f"placed({', '.join(map(str, (table, *variables)))})"

    def choice(self, group: list[Use], block: CodeBlock, step: Step) -> None:
        nodes = [cast(t.Where, use.node) for use in group]
        test, taken, found = self.text(cast(Tree, step[1])), self.fresh(), list[list[str]]()
        if not test.isidentifier():
            self.out(self.set(test := self.fresh(), self.text(cast(Tree, step[1]))))
        self.out(self.set(taken, f"taken({test})"))
        for kind, values, sign in (("if", [x.x for x in nodes], ">"), ("else", [x.y for x in nodes], "<")):
            lines, texts = self.inside(block, (kind, *step[1:]), values)
            if lines:
                names = [self.fresh() for _ in nodes]
                self.out(self.set(" = ".join(names), "nan"))
                self.nested(f"if {taken} {sign}= 0:", lines, list(map(self.set, names, texts)))
                texts = names
            found.append(texts)
        for use, x, y in zip(group, *found, strict=True):
            self.keep(use, f"pick({test}, {taken}, {x}, {y})")

    def written(self) -> str:
        return "".join(_forgetting(super().written().splitlines(keepends=True)))


_NAME = re.compile(r"\bt\d+\b")


def _forgetting(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a function, which forgets arrays after their last use, so that their memory is used again."""
    last = {name: k for k, line in enumerate(lines) for name in _NAME.findall(line)}
    known: dict[str, int] = {}  # by name, how far the line is indented that sets it
    for k, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        gone = [name for name, depth in known.items() if last[name] < k and depth >= indent]
        for name in gone:
            del known[name]
        if gone and k < len(lines) - 1:
            yield f"{' ' * indent}{' = '.join(gone)} = None\n"
        known |= {name: min(indent, known.get(name, indent)) for name in _NAME.findall(line)}
        yield line


# Compiled functions


def on_arrays(
    tree: Tree, m: int, policy: Policy, functions: ArrayFunctions = NUMPY, *, whole: bool, small: bool = False
) -> tuple[ArrayValue, bool]:
    """Return the function that computes a formula on arrays, and whether it takes the cells written out.

    `whole` says that sums of counts are exact, and `small` that products of two are too.
    """
    key = ("arrays", m, policy.resolves, whole, small, functions)
    found = tree.memo.get(key)
    if found is None:
        written = written_out(tree, m)
        same = ("arrays written out", written, policy.resolves, whole, small, functions)
        if same not in tree.memo:
            known = lowered(tree, written, resolves=policy.resolves, exact_products=small)
            tree.memo[same] = array_function(ArraySource(known, written, whole=whole), tree, functions)
        found = tree.memo[key] = tree.memo[same], written is not None
    return cast("tuple[ArrayValue, bool]", found)


def array_function(code: ArraySource, tree: Tree, functions: ArrayFunctions) -> ArrayValue:
    """Return the function that some source for arrays defines."""
    text = code.written()
    named = {name: functions.constant(value) for value, name in code.constants.items()}
    return cast(ArrayValue, function_of(text, functions.names() | named, tree))


def value_on_cells(
    tree: Tree, cells: AnyArray, policy: Policy, functions: ArrayFunctions = NUMPY, *, whole: bool
) -> AnyArray:
    """Return the values of a formula on counts of shape (m, m, batch): a number, or an array that ends in the batch."""
    m = int(cells.shape[0])
    f, written = on_arrays(tree, m, policy, functions, whole=whole)
    if not written:
        return f(CountSums(cells, functions, exact=whole), undefined_value(policy))
    return f([[cells[i, j, ...] for j in range(m)] for i in range(m)], undefined_value(policy))


def swallows(tree: Tree, m: int) -> bool:
    """Return whether a comparison may hide an undefined term, so that a value is defined all the same."""
    known = tree.memo.get("swallows")
    if known is None:
        every = t.below(lowered(tree, written_out(tree, m), resolves=False))
        asked = {y for x in every if not _asks_of_a_factor(x) for y in x.parts if isinstance(y, t.Test)}
        values = [y for test in asked if test.name in t.COMPARISONS for y in test.args]
        known = tree.memo["swallows"] = not all(map(core.always_defined, values))
    return known is True


def _asks_of_a_factor(x: Tree) -> bool:
    """Return whether a choice asks about a number that what it chooses is a product with, or a quotient by."""
    return isinstance(x, t.Where) and isinstance(x.y, t.Operation) and x.test.parts[0] in x.y.args


def as_batch(values: AnyArray, size: int, functions: ArrayFunctions = NUMPY) -> AnyArray:
    """Return what a compiled function returned as an array with one value for each matrix."""
    values, xp = functions.array(values), functions.xp
    if tuple(values.shape) == (size,):
        return values
    return xp.broadcast_to(xp.reshape(values, values.shape[-1:] or (1,)), (size,))
