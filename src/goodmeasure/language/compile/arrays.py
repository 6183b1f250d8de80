"""Values of many matrices at once: source for arrays, written from core trees, and the functions that it compiles to.

A sum over classes is an axis of an array, not a loop: see `array_functions.py`. A rule for 0/0 is computed only if it
acts on some matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast

import numpy as np

from goodmeasure.language.compile.array_functions import ArrayFunctions, CountSums
from goodmeasure.language.compile.compiled import function_of, undefined_value, written_out
from goodmeasure.language.compile.plan import ELSE, RULE, THEN, CodeBlock, is_leaf
from goodmeasure.language.compile.source import PythonSource, stripped
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite.core import (
    All,
    Each,
    EachPair,
    Items,
    Lin,
    MappedGrid,
    Pair,
    always_defined,
    both,
    compare,
    either,
    inverse,
    ratio,
    where,
)
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import (
    FALSE,
    TRUE,
    ZERO,
    Counts,
    Missing,
    Nth,
    Numeral,
    Operation,
    Position,
    Ratio,
    Tabled,
    Test,
    Tree,
    Where,
    XLogY,
    below,
)
from goodmeasure.typing import AnyArray

ArrayCells: TypeAlias = "Sequence[Sequence[AnyArray]] | Mapping[str, AnyArray]"  # written out, or read through sums
ArrayValue: TypeAlias = Callable[[ArrayCells, object], AnyArray]

NUMPY = ArrayFunctions(np)
_BITWISE = {"and": "&", "or": "|"}


class ArraySource(PythonSource):
    """The source of a function ``f(c0, u)`` of arrays of cells, or of the sums that they are read through."""

    loops = False
    _moved = False  # whether the matrix that is read varies with a class variable

    # Expressions

    def expression(self, x: Tree) -> str:
        t = self.text
        match x:
            case Position(i=i):
                return self.at("places(m)", i)
            case Tabled(rows=rows, i=i, j=j):
                table = f"table({self.named_constant(rows)})"
                return self.at(f"diagonal({table})", i) if i is j else self.at2(table, i, j)
            case Ratio(x=a, y=b, rule=rule) if rule is not None and (b is ZERO or not isinstance(b, Numeral)):
                return f"over({t(a)}, {t(b)}, {t(rule)})"
        return super().expression(x)

    def call(self, name: str, args: list[str]) -> str:
        if name in ("min", "max"):
            return f"{'least' if name == 'min' else 'greatest'}({', '.join(args)})"
        return super().call(name, args)

    def test(self, name: str, args: list[str]) -> str:
        if name in _BITWISE:
            return f"({args[0]} {_BITWISE[name]} {args[1]})"
        return f"inverse({args[0]})" if name == "not" else super().test(name, args)

    def missing(self, x: str) -> str:
        return f"isnan({x})"

    # Sums of cells

    def linear(self, x: Lin) -> str:
        of = x.basis.__dict__.get("of")
        self._moved = of is not None and not isinstance(of, Counts) and bool(of.free)
        text = super().linear(x)
        self._moved = False
        return text

    def vector(self, of: Tree, name: str) -> str:
        place = 0 if isinstance(of, Counts) else self._grids[of]
        return f"c{place}['{'g' if name == 'c' else name}']"  # added up when it is first read

    def at(self, vector: str, i: Tree) -> str:
        if isinstance(i, Nth):
            return f"{vector}[{i.number}, ...]"
        k = i.__dict__["number"]
        if self._moved:
            return f"placed({vector}, {k})"
        return vector if k == 1 else f"{vector}[:, {'None, ' * (k - 1)}...]"

    def at2(self, grid: str, i: Tree, j: Tree) -> str:
        if isinstance(i, Nth):
            return self.at(f"{grid}[{i.number}, ...]", j)
        if isinstance(j, Nth):
            return self.at(f"{grid}[:, {j.number}, ...]", i)
        p, q = i.__dict__["number"], j.__dict__["number"]
        if self._moved:
            return f"placed({grid}, {p}, {q})"
        if p < q:
            grid, p, q = f"turned({grid})", q, p
        steps = [":", *["None"] * (p - q - 1), ":", *["None"] * (q - 1)]
        return grid if len(steps) == 2 else f"{grid}[{', '.join(steps)}, ...]"

    # Statements

    def write_ratio(self, x: Ratio, name: str, block: CodeBlock) -> None:
        y, quotient = self.text(x.y), self.text(x.x)
        self.assign(f"{name}z", f"{y} == 0")
        self.enter(block, x, RULE, f"if some({name}z):")
        assert x.rule is not None
        self.assign(name, f"where({name}z, {self.text(x.rule)}, {quotient} / where({name}z, 1.0, {y}))")
        self.close()
        self.open("else:")
        self.assign(name, f"{quotient} / {y}")
        self.close()

    def write_where(self, x: Where, name: str, block: CodeBlock) -> None:
        test, some, every = (name + letter for letter in "cse")
        self.assign(test, stripped(self.text(x.test)))
        self.assign(some, f"some({test})")
        self.assign(every, f"{some} and every({test})")
        sides = []
        for side, value, step, head in (
            ("x", x.x, THEN, f"if {some}:"),
            ("y", x.y, ELSE, f"if not {every}:"),
        ):
            if is_leaf(value) or (x, step) not in block.inner:
                sides.append(self.text(value))
                continue
            self.assign(name + side, "nan")
            self.enter(block, x, step, head)
            self.assign(name + side, self.text(value))
            self.close()
            sides.append(name + side)
        self.assign(name, f"pick({test}, {some}, {every}, {', '.join(sides)})")

    def write_xlogy(self, x: XLogY, name: str, block: CodeBlock) -> None:
        above = "None" if x.above is None else self.text(x.above)
        self.assign(name, f"xlogy({self.text(x.x)}, {self.text(x.y)}, {above}, u)")

    def write_each(self, x: Each, name: str, block: CodeBlock) -> None:
        axis, term = -(x.i + 1), stripped(self.text(x.term))
        test = "None" if x.test is TRUE else stripped(self.text(x.test))
        if x.op == "sum" and x.test is not TRUE:
            term = f"where({test}, {term}, 0.0)"
        term = f"spread({term}, m, {x.i})"  # a choice or a rule that does not act may not depend on the class
        if x.op == "sum":
            self.assign(name, f"total({term}, {axis})")
        elif x.op == "mean" and x.p == 1 and x.weight is None and x.test is TRUE:
            self.assign(name, f"total({term}, {axis}) / m")
        else:
            weight = "None" if x.weight is None else self.text(x.weight)
            self.assign(name, f"fold({x.op!r}, {term}, {test}, {weight}, {self.exponent(x.p)}, {axis}, u)")

    def write_eachpair(self, x: EachPair, name: str, block: CodeBlock) -> None:
        test = "None" if x.test is TRUE else stripped(self.text(x.test))
        self.assign(name, f"total_off({stripped(self.text(x.term))}, {test}, m, {x.i}, {x.j})")

    def write_items(self, x: Items, name: str, block: CodeBlock) -> None:
        terms, tests = (", ".join(map(self.text, part)) for part in (x.terms, x.tests))
        weights = f"({', '.join(map(self.text, x.weights))},)" if x.weights else "None"
        self.assign(name, f"items({x.op!r}, ({terms},), ({tests},), {weights}, {self.exponent(x.p)}, u)")

    def grid(self, x: MappedGrid, block: CodeBlock) -> str:
        place = self._grids[x] = len(self._grids) + 1
        cell = stripped(self.text(x.cell))
        self.assign(f"c{place}", f"c0.mapped({cell}, {x.i}, {x.j}, alone={not x.free})")
        return f"c{place}"

    # The whole function

    def unpacked(self) -> list[str]:
        return super().unpacked() if self.m is not None else ["    m = c0.m"]


# Trees in other forms


def simplified(root: Tree) -> Tree:
    """Return a core tree that does not ask whether x/y is undefined where it can ask whether y is 0."""
    made: dict[Tree, Tree] = {}
    for x in below(root):
        made[x] = _simplified(x.with_parts(made.__getitem__))
    return made[root]


def _simplified(x: Tree) -> Tree:
    match x:
        case Test(name="undefined", args=(Ratio(x=above, y=under, rule=Missing()),)):
            return compare("eq", under, ZERO) if always_defined(above) and always_defined(under) else x
        case Test(name="and", args=(one, other)):
            return FALSE if other is inverse(one) else both(one, other)
        case Test(name="or", args=(one, other)):
            return either(one, other)
        case Test(name="not", args=(one,)):
            return inverse(one)
        case Where(test=test, x=Where(test=again, x=inner), y=other) if again is test:
            return _simplified(where(test, inner, other))
        case Where(test=Test(name="eq", args=(tested, zero)), x=rule, y=Ratio(x=above, y=under, rule=Missing())):
            return ratio(above, under, rule) if tested is under and zero is ZERO else x
        case Where(test=test, x=one, y=other):
            return where(test, one, other)
    return x


def multiplied_out(root: Tree) -> Tree:
    """Return a core tree with n·TP − a·b in place of TP·TN − FP·FN: the same for exact products, and less to do."""
    made: dict[Tree, Tree] = {}
    for x in below(root):
        y = x.with_parts(made.__getitem__)
        if isinstance(y, Operation) and y.name == "sub":
            y = _of_sizes(*y.args) or y
        made[x] = y
    return made[root]


def _of_sizes(agreeing: Tree, crossed: Tree) -> Tree | None:
    """Return n·TP − a·b for the two products of TP·TN − FP·FN; None if they are not these."""
    found = []
    for product in (agreeing, crossed):
        if not isinstance(product, Operation) or product.name != "mul":
            return None
        for x in product.args:
            if not isinstance(x, Lin) or not isinstance(x.basis, Pair):
                return None
            found.append(x)
    basis = found[0].basis
    if any(x.basis is not basis for x in found):
        return None
    if {x.weights for x in found[:2]} != {(1, 0, 0, 0), (0, 0, 0, 1)}:
        return None
    if {x.weights for x in found[2:]} != {(0, 1, 0, 0), (0, 0, 1, 0)}:
        return None
    hit, true, predicted = (Lin(basis, w) for w in ((1, 0, 0, 0), (1, 1, 0, 0), (1, 0, 1, 0)))
    n = Lin(All(basis.__dict__["of"]), (1,))
    return Operation("sub", (Operation("mul", (n, hit)), Operation("mul", (true, predicted))))


# Compiled functions


def on_arrays(
    tree: Tree, m: int, policy: Policy, functions: ArrayFunctions = NUMPY, *, whole: bool, small: bool = False
) -> tuple[ArrayValue, bool]:
    """Return the function that computes a formula on arrays, and whether it takes the cells written out.

    `whole` says that sums of counts are exact, and `small` that products of two are too.
    """
    written = written_out(tree, m)
    key = ("arrays", written, policy.resolves, whole, small, functions)
    found = tree.memo.get(key)
    if found is None:
        core = simplified(lowered(tree, written, resolves=policy.resolves))
        if small and written is None:
            core = multiplied_out(core)
        code = ArraySource([core], written, whole=whole)
        found = tree.memo[key] = array_function(code, tree, functions)
    return cast(ArrayValue, found), written is not None


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
        core = lowered(tree, written_out(tree, m), resolves=False)
        tests = (x for x in below(core) if isinstance(x, Test) and x.name in ("eq", "lt", "le"))
        known = tree.memo["swallows"] = any(not always_defined(y) for x in tests for y in x.args)
    return known is True


def as_batch(values: AnyArray, size: int, functions: ArrayFunctions = NUMPY) -> AnyArray:
    """Return what a compiled function returned as an array with one value for each matrix."""
    values, xp = functions.array(values), functions.xp
    if tuple(values.shape) == (size,):
        return values
    return xp.broadcast_to(xp.reshape(values, values.shape[-1:] or (1,)), (size,))
