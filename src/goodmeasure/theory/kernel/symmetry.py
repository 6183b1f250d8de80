"""Show from a tree that a measure treats all classes alike.

**Claim.** If `treats_classes_alike` says so, the value of the tree does not change when the classes are renamed; for
every number of classes, or for two.

**Why.** Let π rename the classes, and compute the tree on C and on the renamed matrix side by side. The tree is for any
number of classes, so it names none by its position: a class comes from a sum, an extreme or a mapped matrix around it.
By induction over the nodes, a node has equal values for classes that π relates: cells and class sizes do; sums,
products, means, least and greatest values over classes, and sums over pairs of different classes, combine the same
terms in another order; the number of items and of classes are equal. The matrix of a class against the rest is one of
four numbers of that class, which are equal for related classes, and `Two` one of four numbers that are equal on both
sides; the two classes of such a matrix have names of their own, which π does not touch. They are positions 0 and 1, so
a class of one of these matrices must not be looked up in the matrix itself, nor the other way round: `_fits` sees to
it. A mapped matrix gives two matrices that π relates, and a transposed one turns both. Rules and branches are nodes
like all others. What would tell classes apart are positions, tables of constants, and classes written out. For two
classes a table of two classes of the matrix does no harm if it stays the same when both classes are exchanged.

This is sufficient and not necessary: a definition that treats all classes alike may still write them out.
"""

from __future__ import annotations

from collections.abc import Mapping

from goodmeasure.language.tree import (
    ClassVariable,
    Counts,
    Listed,
    Mapped,
    Nth,
    Position,
    Rest,
    Tabled,
    Transposed,
    Tree,
    Two,
    below,
)

_MOST = 100_000  # nodes that are looked at, each once for what its classes may be
_Kinds = Mapping[int, bool]  # by variable: whether it stands for a class of a matrix of two classes


def treats_classes_alike(tree: Tree, m: int | None = None) -> bool:
    """Return whether a tree is seen to treat all classes alike, for m classes or (None) for any number."""
    if any(isinstance(x, Listed) or (isinstance(x, Counts) and x.m is not None) for x in below(tree)):
        return False
    known: dict[object, bool] = {}

    def alike(x: Tree, kinds: _Kinds) -> bool:
        key = (x, *(kinds[k] for k in sorted(x.free)))
        if key not in known:
            known[key] = len(known) < _MOST and look(x, kinds)
        return known[key]

    def look(x: Tree, kinds: _Kinds) -> bool:
        if isinstance(x, Tabled):
            own = all(isinstance(y, ClassVariable) and not kinds[y.number] for y in (x.i, x.j))
            return own and m == 2 and len(x.rows) == 2 and x.rows[0] == x.rows[1][::-1]
        if isinstance(x, Position):
            return False
        if x.BINDS:
            kinds = {**kinds, **dict.fromkeys((x.__dict__[name] for name in x.BINDS), _is_of_two(x.__dict__["of"]))}
        return all(_fits(y, x, kinds) if y.SORT == "ClassTree" else alike(y, kinds) for y in x.parts)

    return alike(tree, {})


def _is_of_two(matrix: Tree) -> bool:
    """Return whether the classes of a matrix are a class and the rest, or those of four given cells."""
    while isinstance(matrix, (Transposed, Mapped)):
        matrix = matrix.of
    return isinstance(matrix, (Rest, Two))


def _fits(i: Tree, x: Tree, kinds: _Kinds) -> bool:
    """Return whether a class is one of the matrix that it is looked up in."""
    two = _is_of_two(x.__dict__["of"])
    return two if isinstance(i, Nth) else isinstance(i, ClassVariable) and kinds[i.number] == two
