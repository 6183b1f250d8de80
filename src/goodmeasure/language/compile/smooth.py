"""Core trees in a form whose gradients stay finite.

On arrays both branches of a choice are computed for all matrices, and the gradient of the discarded one is 0. If the
discarded value is NaN or infinite, backpropagation multiplies that 0 by it, and 0·∞ is NaN. So wherever a branch does
not count, the arguments of its divisions, logarithms and roots are replaced by harmless ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from goodmeasure.language.rewrite.core import (
    CellGroups,
    Each,
    EachPair,
    Items,
    Lin,
    Lost,
    MappedGrid,
    always_defined,
    both,
    compare,
    inverse,
)
from goodmeasure.language.tree import (
    ONE,
    TRUE,
    ZERO,
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

_HARMLESS = {"log": ONE, "sqrt": ONE, "log1p": ZERO, "arccos": ZERO, "arcsin": ZERO}


def smoothed(root: Tree) -> Tree:
    """Return a core tree whose gradients are finite wherever its value is defined."""
    made: dict[Tree, Tree] = {}
    for x in below(root):
        y = x.with_parts(made.__getitem__)
        if isinstance(y, XLogY):
            y = XLogY(y.x, y.y, None)
        elif isinstance(y, Where) and isinstance(y.x, Missing):
            y = Where(y.test, y.x, _put(y.y, _whole_grids(y.test)))
        made[x] = y
    return BranchGuard()(made[root], TRUE)


def _whole_grids(test: Tree) -> dict[Tree, Tree]:
    """Return the mapped matrices that a condition finds broken, each with 1 in all cells where it is."""
    if isinstance(test, Test) and test.name == "or":
        return _whole_grids(test.args[0]) | _whole_grids(test.args[1])
    if not isinstance(test, Test) or test.name != "broken":
        return {}
    grid = cast(MappedGrid, test.args[0])
    return {grid: MappedGrid(grid.i, grid.j, Where(test, ONE, grid.cell))}


def _put(x: Tree, new: Mapping[Tree, Tree]) -> Tree:
    """Return a tree with other nodes in the place of some."""
    made = dict(new)
    for y in below(x) if new else ():
        if y not in made:
            made[y] = y.with_parts(made.__getitem__)
    return made.get(x, x)


def _seen_from(x: Tree, test: Tree) -> Tree:
    """Return the part of a condition that is about classes that a sum reads: it has no axes for others."""
    if test.free <= x.free:
        return test
    if isinstance(test, Test) and test.name == "and":
        return both(_seen_from(x, test.args[0]), _seen_from(x, test.args[1]))
    return TRUE


class BranchGuard:
    """The replacement of arguments where a value does not count."""

    def __init__(self) -> None:
        self._known: dict[tuple[Tree, Tree], Tree] = {}

    def __call__(self, x: Tree, counts: Tree) -> Tree:
        """Return a value that is the same where a condition holds, and defined elsewhere."""
        if x.SORT != "ValueTree" or always_defined(x):
            return x
        found = self._known.get((x, counts))
        if found is None:
            found = self._known[x, counts] = self._guarded(x, counts)
        return found

    def _guarded(self, x: Tree, counts: Tree) -> Tree:
        match x:
            case Missing() | Lost():
                return x if counts is TRUE else Where(counts, x, ONE)
            case Where(test=test, x=one, y=other):
                return Where(test, self(one, both(counts, test)), self(other, both(counts, inverse(test))))
            case Ratio(x=above, y=under, rule=rule):
                if rule is None or isinstance(rule, (Missing, Lost)):
                    return Ratio(self(above, counts), self._argument(under, counts, ONE), rule)
                acts = both(counts, compare("eq", under, ZERO))
                return Ratio(self(above, counts), self(under, counts), self(rule, acts))
            case Operation(name=name, args=args) if name in _HARMLESS:
                return Operation(name, (self._argument(args[0], counts, _HARMLESS[name]),))
            case ToPower(x=base, r=r):
                return ToPower(self._argument(base, counts, ONE), r)
            case XLogY(x=factor, y=inner):
                some = both(counts, inverse(compare("eq", factor, ZERO)))
                return XLogY(self(factor, counts), self._argument(inner, some, ONE), None)
            case Each(term=term, test=test, weight=weight):
                within = both(_seen_from(x, counts), test)
                weighed = None if weight is None else self(weight, within)
                return Each(x.op, x.p, x.i, self(term, within), test, weighed)
            case EachPair(term=term, test=test):
                return EachPair(x.i, x.j, self(term, both(_seen_from(x, counts), test)), test)
            case Items(terms=terms, tests=tests, weights=weights):
                each = [both(counts, test) for test in tests]
                parts = [tuple(map(self, values, each)) for values in (terms, weights)]
                return Items(x.op, x.p, parts[0], tests, parts[1])
            case Lin(basis=CellGroups(cells=cells), weights=integers):
                return Lin(CellGroups(tuple(self(y, counts) for y in cells)), integers)
            case Operation(name=name, args=args):
                return Operation(name, tuple(self(y, counts) for y in args))
        return x

    def _argument(self, x: Tree, counts: Tree, harmless: Tree) -> Tree:
        """Return the argument of a function that is not defined everywhere."""
        x = self(x, counts)
        return x if counts is TRUE or (isinstance(x, Numeral) and x is not ZERO) else Where(counts, x, harmless)
