"""Core trees in a form whose gradients stay finite.

On arrays both branches of a choice are computed for all matrices, and the gradient of the discarded one is 0. If the
discarded value is NaN or infinite, backpropagation multiplies that 0 by it, and 0·∞ is NaN. So wherever a branch does
not count, the arguments of its divisions, logarithms and roots are replaced by harmless ones.
"""

from __future__ import annotations

from collections.abc import Mapping

from goodmeasure.language.rewrite.core import (
    Lost,
    MappedGrid,
    both,
    inverse,
)
from goodmeasure.language.tree import (
    ONE,
    TRUE,
    ZERO,
    Missing,
    Numeral,
    Operation,
    Test,
    Tree,
    Where,
    below,
    known_of,
)

# Arguments at which the functions that are not defined everywhere are: of a quotient, the second one
_HARMLESS = {"log": ONE, "sqrt": ONE, "log1p": ZERO, "arccos": ZERO, "arcsin": ZERO, "power": ONE, "div": ONE}


def smoothed(root: Tree) -> Tree:
    """Return a core tree whose gradients are finite wherever its value is defined."""
    made: dict[Tree, Tree] = {}
    for x in below(root):
        y = x.with_parts(made.__getitem__)
        if isinstance(y, Operation) and y.name == "log_near":
            y = Operation("log", y.args[:1])
        elif isinstance(y, MappedGrid):
            y = y.with_parts(lambda z: BranchGuard()(z, TRUE))
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
    return {test.args[0]: test.args[0].with_parts(lambda cell: Where(test, ONE, cell))}


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


def is_harmless(x: Tree) -> bool:
    """Return whether a value is defined on all counts, also where it does not count."""
    return known_of(x, "harmless", _is_harmless)


def _is_harmless(x: Tree) -> bool:
    if isinstance(x, Operation) and x.name in _HARMLESS and (x.name != "div" or not isinstance(x.args[1], Numeral)):
        return False
    return type(x).__name__ not in ("Missing", "Lost", "Skipped", "MappedGrid") and all(map(is_harmless, x.parts))


class BranchGuard:
    """The replacement of arguments where a value does not count."""

    def __init__(self) -> None:
        self._known: dict[tuple[Tree, Tree], Tree] = {}

    def __call__(self, x: Tree, counts: Tree) -> Tree:
        """Return a value that is the same where a condition holds, and defined elsewhere."""
        if x.SORT not in ("ValueTree", "Groups") or is_harmless(x):
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
            case Operation(name=name, args=args) if name in _HARMLESS:
                *first, last = args if name == "div" else args[:1]
                guarded = self._argument(last, counts, _HARMLESS[name])
                rest = args[1:] if name == "power" else ()
                return Operation(name, (*(self(y, counts) for y in first), guarded, *rest))
        within = counts if isinstance(x, Operation) else _seen_from(x, counts)
        return x.with_parts(lambda y: self(y, within))

    def _argument(self, x: Tree, counts: Tree, harmless: Tree) -> Tree:
        """Return the argument of a function that is not defined everywhere."""
        x = self(x, counts)
        return x if counts is TRUE or (isinstance(x, Numeral) and x is not ZERO) else Where(counts, x, harmless)
