"""Show from a tree that a measure treats all classes alike.

**Claim.** If `treats_classes_alike` says so, the value of the tree does not change when the classes are renamed, for
every number of classes.

**Why.** Let π rename the classes, and compute the tree on C and on the renamed matrix side by side. The tree is for any
number of classes, so it names none by its position: a class comes from a sum, an extreme or a mapped matrix around it.
By induction over the nodes, a node has equal values for classes that π relates: c[i, j], c.a[i] and c.b[i] do; sums,
products, means, least and greatest values over classes combine the same terms in another order; c.n and c.m are equal.
``c.vs_rest(i)`` is the matrix of four numbers of class i, which are equal for related classes, and ``c.two`` one of
four numbers that are equal on both sides; the two classes of such a matrix have names of their own, which π does not
touch. They are positions 0 and 1, so a class of one of these matrices must not be looked up in the matrix itself, nor
the other way round: `_fits` sees to it. ``c.map`` gives two matrices that π relates, and ``c.T`` turns both.
``c.sum_off`` adds the same terms in another order, since π maps pairs of different classes to such pairs. Rules and
branches are nodes like all others. What would tell classes apart are positions and tables of constants. For two classes
these do no harm if they stay the same when both classes are exchanged.

This is sufficient and not necessary: a definition that treats all classes alike may still write them out.
"""

from __future__ import annotations

from collections.abc import Mapping

from goodmeasure.language.read import formula_of_classes, of_two
from goodmeasure.language.tree import (
    ClassVariable,
    Counts,
    Listed,
    Nth,
    Position,
    Tabled,
    Tree,
    below,
)

_Kinds = Mapping[int, bool]  # by variable: whether it stands for a class of a matrix of two classes


def treats_classes_alike(tree: Tree | None, *, tables: bool = False, for_two: bool = False) -> bool:
    """Return whether a tree treats all classes alike, as far as its form shows.

    `tables`: tables of constants are left out of account. `for_two`: only matrices of two classes are meant.

    >>> import goodmeasure as gm
    >>> treats_classes_alike(gm.mcc.tree), treats_classes_alike(gm.f1.tree)
    (True, False)
    >>> kappa = gm.weighted_kappa("linear").tree
    >>> treats_classes_alike(kappa), treats_classes_alike(kappa, for_two=True)
    (False, True)
    """
    if tree is None or any(isinstance(x, Listed) or (isinstance(x, Counts) and x.m is not None) for x in below(tree)):
        return False
    return _Search(tables=tables, for_two=for_two).is_alike(tree, {})


class _Search:
    def __init__(self, *, tables: bool, for_two: bool) -> None:
        self.tables, self.for_two = tables, for_two
        self.known: dict[object, bool] = {}

    def is_alike(self, x: Tree, kinds: _Kinds) -> bool:
        key = (x, *(kinds[k] for k in sorted(x.free)))
        if key not in self.known:
            self.known[key] = self._is_alike(x, kinds)
        return self.known[key]

    def _is_alike(self, x: Tree, kinds: _Kinds) -> bool:
        if isinstance(x, Tabled):
            return self.tables or (self.for_two and _same_when_exchanged(x))
        found = formula_of_classes(x)
        if found is not None:
            rows = found[0](2)
            return self.tables or (self.for_two and rows[0] == rows[1][::-1])  # type: ignore[index] # a list of lists
        if isinstance(x, Position):
            return False
        if x.BINDS:
            kind = of_two(x.__dict__["of"])
            kinds = {**kinds, **dict.fromkeys((x.__dict__[name] for name in x.BINDS), kind)}
        return all(
            _fits(part, x, kinds) if part.SORT == "ClassTree" else self.is_alike(part, kinds) for part in x.parts
        )


def _fits(i: Tree, x: Tree, kinds: _Kinds) -> bool:
    """Return whether a class is one of the matrix that it is looked up in."""
    kind = of_two(x.__dict__["of"])
    return kind if isinstance(i, Nth) else isinstance(i, ClassVariable) and kinds[i.number] == kind


def _same_when_exchanged(x: Tabled) -> bool:
    return len(x.rows) == 2 and x.rows[0] == x.rows[1][::-1]
