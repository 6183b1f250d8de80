"""Where each node of some core trees is computed, and how often it is used there.

A node is computed in the innermost block that all its uses share, so that a rule for 0/0 costs nothing unless it acts,
and moved out of loops that it does not depend on. Several trees make one plan, and share what they have in common:
sums over the same classes are one loop, and choices by the same condition one choice, wherever none of them needs
another. Their *rank* tells: it grows by every loop, and between two loops by every choice, on the way to a node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from goodmeasure.language.rewrite.core import Each
from goodmeasure.language.tree import ZERO, CountOfClasses, Numeral, Operation, Position, Tabled, Test, Tree, Where

Rank: TypeAlias = tuple[int, int]
# What is shared by nodes that are computed together: a loop ("loop", variable, rank), or ("if", condition, rank), with
# the blocks "if" and "else" inside
Step: TypeAlias = "tuple[str, int | Tree, Rank]"
Form: TypeAlias = Callable[[Tree], Tree]


class CodeBlock:
    """Statements that run together: the whole function, the body of a loop, or one branch."""

    def __init__(self, outer: CodeBlock | None = None, step: Step = ("", 0, (0, 0))) -> None:
        self.outer = outer
        kind, what, _ = step
        self.variable = what if kind == "loop" else None
        usual = kind == "else" and isinstance(what, Test) and what.name == "eq" and what.args[1] is ZERO
        self.is_rare = kind in ("if", "else") and not usual
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.uses: list[Use] = []
        self.inner: dict[Step, CodeBlock] = {}

    def inside(self, step: Step) -> CodeBlock:
        """Return a block inside this one, made when it is first needed."""
        if step not in self.inner:
            self.inner[step] = CodeBlock(self, step)
        return self.inner[step]

    def around(self) -> Iterator[CodeBlock]:
        """Yield this block and all blocks around it, from the inside out."""
        block: CodeBlock | None = self
        while block is not None:
            yield block
            block = block.outer

    def all(self) -> Iterator[CodeBlock]:
        """Yield this block and all blocks inside."""
        yield self
        for block in self.inner.values():
            yield from block.all()


class Use:
    """A node as it is computed in one place; a node of two loops over the same variable is computed in both."""

    def __init__(self, node: Tree) -> None:
        self.node, self.needed = node, dict[object, CodeBlock]()  # by what needs it

    def place(self) -> CodeBlock:
        """Return the block in which the node is computed, and note it."""
        shared, *others = dict.fromkeys(self.needed.values())
        for other in others:
            around = set(other.around())
            shared = next(x for x in shared.around() if x in around)
        best = shared
        for block in shared.around():
            if block.variable in self.node.free or (block.is_rare and self.node.SORT != "MatrixTree"):
                break
            if block.outer is not None and (block.variable is not None or block.is_rare or isinstance(self.node, Each)):
                best = block.outer  # a loop also leaves a branch that is nearly always taken, to be joined with others
        self.block = best
        best.uses.append(self)
        return best


def is_leaf(x: Tree) -> bool:
    """Return whether a node is written where it is used."""
    return isinstance(x, (Position, Tabled, CountOfClasses)) or not x.parts


def _is_guarded(x: Tree) -> bool:
    return isinstance(x, Operation) and x.name == "div" and not isinstance(x.args[1], (Numeral, CountOfClasses))


class CodePlan:
    """The blocks of a function that computes some core trees, each node in the form that `form` gives it."""

    def __init__(self, roots: Sequence[Tree], form: Form, *, loops: bool = True) -> None:
        self._form, self._loops, self.top = form, loops, CodeBlock()
        self._ranks: dict[Tree, Rank] = {}
        self._found: dict[Tree, dict[tuple[CodeBlock, ...], Use]] = {}
        order = self._order(roots)
        for k, x in enumerate(roots):
            self._need(form(x), self.top, k)
        for x in reversed(order):  # users come before what they use
            for use in self._found[x].values():
                block = use.place()
                for k, (y, path) in enumerate(self._needs(x)):
                    by = (block, self.step(x)) if isinstance(x, Where) and k == 0 else (use, k)  # one question for all
                    self._need(y, block.inside(path) if path else block, by)
        for block in self.top.all():
            block.uses.reverse()

    def step(self, x: Tree) -> Step | None:
        """Return the loop or the choice that a node is computed by; None if it is a single expression."""
        if isinstance(x, Where):
            return "if", x.test, self._ranks[x]
        return ("loop", x.i, self._ranks[x]) if isinstance(x, Each) and self._loops else None

    def statements(self, block: CodeBlock) -> Iterable[list[Use]]:
        """Return the nodes of a block in the order in which they are computed, those together that share a step."""
        together: dict[object, list[Use]] = {}
        for use in sorted(block.uses, key=lambda use: (self._ranks[use.node], self.step(use.node) is None)):
            together.setdefault(self.step(use.node) or use, []).append(use)
        return together.values()

    def _needs(self, x: Tree) -> list[tuple[Tree, Step | None]]:
        """Return the operands of a node, each with the step into the block where it is needed."""
        step = self.step(x) if x in self._ranks else None
        if isinstance(x, Where):
            other = None if step is None else ("else", *step[1:])
            found = [(x.test, None), (x.x, step), (x.y, other)]
        else:
            found = [(y, step) for y in x.parts]
            if isinstance(x, (Operation, Test)) and x.name in ("undefined", "log_near"):
                found.append(found[0])  # it is mentioned twice, so that it gets a name
        formed = [(self._form(y), path) for y, path in found]
        # a quotient must not leave the choice that keeps its denominator from being 0, so it is written in its place
        return [(self._form(z), path) for y, path in formed for z in (y.parts if _is_guarded(y) else [y])]

    def _order(self, roots: Sequence[Tree]) -> list[Tree]:
        """Return every node that is computed, each after what it needs."""
        order: dict[Tree, None] = {}
        stack = [(self._form(x), False) for x in reversed(roots)]
        while stack:
            x, done = stack.pop()
            if x in order or is_leaf(x):
                continue
            below = [y for y, _ in self._needs(x)]
            if not done:
                stack.append((x, True))
                stack.extend((y, False) for y in below)
                continue
            order[x] = None
            ranks = [self._ranks[y] for y in below if y in self._ranks]
            loops, choices = max(ranks, default=(0, 0))
            if isinstance(x, Each) and self._loops:
                loops, choices = loops + 1, 0
            self._ranks[x] = loops, choices + isinstance(x, Where)
        return list(order)

    def _need(self, x: Tree, block: CodeBlock, by: object) -> None:
        if is_leaf(x):
            return
        bound = tuple(y for y in block.around() if y.variable in x.free) if self._loops else ()
        uses = self._found.setdefault(x, {})
        if bound not in uses:
            uses[bound] = Use(x)
        uses[bound].needed[by] = block
