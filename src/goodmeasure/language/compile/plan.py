"""Where each node of some core trees is computed, and how often it is used there.

A node is computed in the innermost block that all its uses share, so that a rule for 0/0 costs nothing unless it acts,
and moved out of loops that it does not depend on. Several trees make one plan, and share what they have in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from goodmeasure.language.rewrite.core import CellGroups, Each, EachPair, Entry, Items, Lin, Lost, MappedGrid
from goodmeasure.language.tree import (
    TRUE,
    ClassVariable,
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
    Tree,
    Where,
    XLogY,
)

# A step into a block inside a node: into a loop over a class variable, into the term of one class, into a branch
Step: TypeAlias = tuple[str, int]
RULE, THEN, ELSE, SOME, NEAR, TERM = ((x, 0) for x in ("rule", "then", "else", "some", "near", "term"))
_RARE = (RULE, THEN, ELSE, NEAR)
_LEAVES = (Numeral, Missing, Lost, CountOfClasses, Position, Entry, ClassVariable, Nth, Counts, Tabled)


class CodeBlock:
    """Statements that run together: the whole function, the body of a loop, or one branch."""

    def __init__(self, outer: CodeBlock | None = None, step: Step | None = None) -> None:
        self.outer = outer
        self.variable = step[1] if step is not None and step[0] == "loop" else None
        self.is_rare = step in _RARE
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.uses: list[Use] = []
        self.inner: dict[tuple[Tree, Step], CodeBlock] = {}

    def inside(self, x: Tree, step: Step) -> CodeBlock:
        """Return the block of a node inside this one, made when it is first needed."""
        if (x, step) not in self.inner:
            self.inner[x, step] = CodeBlock(self, step)
        return self.inner[x, step]

    def binding(self, variable: int) -> CodeBlock:
        """Return the loop around this block that binds a class variable."""
        block = self
        while block.variable != variable:
            assert block.outer is not None
            block = block.outer
        return block

    def variables(self) -> tuple[int, ...]:
        """Return the class variables of the loops around this block, from the outside in."""
        around = () if self.outer is None else self.outer.variables()
        return around if self.variable is None else (*around, self.variable)

    def all(self) -> Iterator[CodeBlock]:
        """Yield this block and all blocks inside."""
        yield self
        for block in self.inner.values():
            yield from block.all()


def _shared(x: CodeBlock, y: CodeBlock) -> CodeBlock:
    """Return the innermost block around two blocks."""
    while x is not y:
        deeper = y if x.depth < y.depth else x
        assert deeper.outer is not None
        if deeper is y:
            y = deeper.outer
        else:
            x = deeper.outer
    return x


class Use:
    """A node as it is computed in one place; a node of two loops over the same variable is computed in both."""

    def __init__(self, node: Tree) -> None:
        self.node, self.needed, self.count = node, list[CodeBlock](), 0
        self.block: CodeBlock = _NOWHERE


_NOWHERE = CodeBlock()


def is_leaf(x: Tree) -> bool:
    """Return whether a node is written where it is used."""
    return isinstance(x, _LEAVES) or (isinstance(x, (Operation, Test)) and not x.args)


def needs(x: Tree, *, loops: bool) -> list[tuple[Tree, tuple[Step, ...]]]:
    """Return the operands of a node, each with the steps into the block where it is needed."""
    match x:
        case Lin(basis=CellGroups(cells=cells), weights=weights):
            return [(y, ()) for y, w in zip(cells, weights, strict=True) if w]
        case Lin(basis=basis):
            of = basis.__dict__["of"]
            return [(of, ())] if isinstance(of, MappedGrid) else []
        case CountOfClasses(of=of):
            return [(of, ())] if isinstance(of, MappedGrid) else []
        case Ratio(x=above, y=under, rule=rule):
            return [(above, ()), (under, ())] + ([] if rule is None else [(rule, (RULE,))])
        case Where(test=test, x=one, y=other):
            return [(test, ()), (one, (THEN,)), (other, (ELSE,))]
        case XLogY(x=a, y=b, above=above) if loops:
            return [(a, ()), (b, (SOME,))] + ([] if above is None else [(above, (SOME, NEAR))])
        case Each(i=i, term=term, test=test, weight=weight) if loops:
            path: tuple[Step, ...] = (("loop", i), *(() if test is TRUE else (TERM,)))
            return [(test, path[:1])] + [(y, path) for y in (term, weight) if y is not None]
        case EachPair(i=i, j=j, term=term, test=test) if loops:
            path = (("loop", i), ("loop", j), *(() if test is TRUE else (TERM,)))
            return [(test, path[:2]), (term, path)]
        case MappedGrid(i=i, j=j, cell=cell) if loops:
            return [(cell, (("loop", i), ("loop", j)))]
        case Items(terms=terms, tests=tests, weights=weights) if loops:
            found: list[tuple[Tree, tuple[Step, ...]]] = [(y, ()) for y in tests]
            for k, test in enumerate(tests):
                path = () if test is TRUE else (("term", k),)
                found += [(terms[k], path)] + ([(weights[k], path)] if weights else [])
            return found
    return [(y, ()) for y in x.parts]


class CodePlan:
    """The blocks of a function that computes some core trees."""

    def __init__(self, roots: Sequence[Tree], *, loops: bool = True) -> None:
        self.loops, self.top = loops, CodeBlock()
        self._found: dict[Tree, dict[tuple[CodeBlock, ...], Use]] = {}
        order = self._order(roots)
        for x in roots:
            self._need(x, self.top)
        for x in reversed(order):  # users come before what they use
            for use in self._found[x].values():
                block = use.needed[0]
                for other in use.needed[1:]:
                    block = _shared(block, other)
                block = use.block = _moved_out(block, x.free)
                for y, path in needs(x, loops=loops):
                    inner = block
                    for step in path:
                        inner = inner.inside(x, step)
                    if not is_leaf(y):
                        self._need(y, inner)
        for x in order:
            for use in self._found[x].values():
                use.block.uses.append(use)

    def _order(self, roots: Sequence[Tree]) -> list[Tree]:
        """Return every node that is computed, each after what it needs."""
        order: list[Tree] = []
        seen: set[Tree] = set()
        stack = [(x, False) for x in reversed(roots)]
        while stack:
            x, done = stack.pop()
            if done:
                order.append(x)
            elif x not in seen and not is_leaf(x):
                seen.add(x)
                stack.append((x, True))
                stack.extend((y, False) for y, _ in needs(x, loops=self.loops))
        return order

    def _need(self, x: Tree, block: CodeBlock) -> None:
        if is_leaf(x):
            return
        around = tuple(block.binding(k) for k in sorted(x.free)) if self.loops else ()
        uses = self._found.setdefault(x, {})
        use = uses.get(around)
        if use is None:
            use = uses[around] = Use(x)
        use.needed.append(block)
        use.count += 1


def _moved_out(block: CodeBlock, variables: frozenset[int]) -> CodeBlock:
    """Return the outermost block in which a node may be computed, without leaving a branch that is rarely taken."""
    best: CodeBlock = block
    here: CodeBlock | None = block
    while here is not None and not here.is_rare:
        if here.variable is not None:
            if here.variable in variables:
                break
            assert here.outer is not None
            best = here.outer
        here = here.outer
    return best
