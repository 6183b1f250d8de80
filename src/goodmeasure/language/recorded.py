"""A definition together with the trees that were recorded from it, each when it is first needed."""

from __future__ import annotations

from collections.abc import Sequence

from goodmeasure.language.compile.compiled import OneMatrixFunction, on_one_matrix, undefined_value, value_on
from goodmeasure.language.policy import Policy
from goodmeasure.language.record import (
    CannotRecord,
    Known,
    NeedsClasses,
    NeedsEachClass,
    NotOneFormula,
    record,
    recorded,
    recorded_once,
)
from goodmeasure.language.rewrite.lower import may_jump
from goodmeasure.language.tree import Tree
from goodmeasure.language.view import K, Readable, V, View

_WAYS_KEPT = 1000  # trees of opaque definitions: one that rounds its values has another tree for every matrix


class Recorded:
    """A definition as data: its tree for any number of classes, or one for each number.

    A definition that decides with ``if`` on counts, or calls functions of NumPy, has no tree: it is *opaque*. It has
    values, one matrix at a time: it is recorded anew for each matrix, where its questions have answers. Since equal
    trees are one object, each way through the function is compiled once.
    """

    __slots__ = ("__weakref__", "_compiled", "_given", "_trees", "_ways", "function")

    def __init__(self, function: Readable, given: Tree | None = None) -> None:
        self.function, self._given = function, given
        self._trees: dict[int, Tree | CannotRecord] = {}
        self._ways: set[Tree] = set()  # what an opaque definition asked for: a tree that is kept stays compiled
        self._compiled: dict[tuple[int, str, bool], OneMatrixFunction] = {}  # by classes, policy, whole counts

    def __call__(self, c: View[V, K]) -> V | float:
        return self.function(c)

    def tree(self, m: int) -> Tree:
        """Return the tree for m classes; raise `CannotRecord` with the reason if the definition is opaque."""
        found = self._trees.get(m)
        if found is None and self._given is not None and m > 1 and self._given.classes in (None, m):
            found = self._trees[m] = self._given
        if found is None:
            try:
                found = recorded(self.function, m)
            except CannotRecord as refusal:
                found = refusal
            self._trees[m] = found
        if isinstance(found, CannotRecord):
            raise found
        return found

    def must_be_one_formula(self) -> None:
        """Refuse a definition that keeps state or draws random numbers; all other faults are told when it is used."""
        try:
            self.tree(2)
        except NotOneFormula:
            raise
        except Exception:  # noqa: BLE001 - it may be for more classes, or for arrays, and raise anything
            return

    def general(self) -> Tree | None:
        """Return the tree for any number of classes; None if the definition writes classes out."""
        known = self._given or self._trees.get(2)
        if isinstance(known, Tree) and known.classes is None:
            return known
        try:
            return record(self.function, None)
        except (NeedsClasses, NeedsEachClass):
            return None

    def is_opaque(self, m: int = 2) -> bool:
        """Return whether the definition cannot be recorded for m classes."""
        try:
            self.tree(m)
        except CannotRecord:
            return True
        return False

    def may_jump(self, m: int) -> bool:
        """Return whether the value may jump where counts change a little; an opaque definition may do anything."""
        return self.is_opaque(m) or may_jump(self.tree(m))

    def value(self, rows: Sequence[Sequence[float]], policy: Policy, *, whole: bool) -> float:
        """Return the value on one matrix of plain numbers."""
        compiled = self._compiled.get((len(rows), policy.name, whole))
        if compiled is None:
            if self.is_opaque(len(rows)):
                known: Known = lambda x: value_on(x, rows, policy, whole=whole)  # noqa: E731
                return known(self.tree_here(len(rows), known))
            compiled = on_one_matrix(self.tree(len(rows)), len(rows), policy, whole=whole)
            self._compiled[len(rows), policy.name, whole] = compiled
        return compiled(rows, undefined_value(policy))

    def tree_here(self, m: int, known: Known, *, exactly: bool = False) -> Tree:
        """Return the tree for one matrix of m classes; `known` answers what an opaque definition asks about it.

        With ``exactly`` it may only ask in order to branch; `CannotRecord` says what to write instead of the rest.
        """
        if not self.is_opaque(m):
            return self.tree(m)
        if len(self._ways) > _WAYS_KEPT:
            self._ways.clear()

        def answered(x: Tree) -> float:
            self._ways.add(x)
            return known(x)

        try:
            tree = recorded_once(self.function, m, known=answered, exactly=exactly)
        except NeedsEachClass:
            tree = recorded_once(self.function, m, written_out=True, known=answered, exactly=exactly)
        self._ways.add(tree)
        return tree
