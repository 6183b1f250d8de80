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

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from goodmeasure.language.tree import (
    ClassVariable,
    Counts,
    Listed,
    Mapped,
    Nth,
    Operation,
    Position,
    Rest,
    Tabled,
    ToPower,
    Transposed,
    Tree,
    Two,
    below,
)

_OF_POSITIONS: dict[str, Callable[..., Fraction]] = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg, "abs": abs,
}  # fmt: skip
_Kinds = Mapping[int, bool]  # by variable: whether it stands for a class of a matrix of two classes


def treats_classes_alike(tree: Tree | None, *, for_two: bool = False) -> bool:
    """Return whether a tree treats all classes alike, as far as its form shows; or only both of two classes.

    >>> import goodmeasure as gm
    >>> treats_classes_alike(gm.mcc.tree), treats_classes_alike(gm.f1.tree)
    (True, False)
    >>> kappa = gm.weighted_kappa("linear").tree
    >>> treats_classes_alike(kappa), treats_classes_alike(kappa, for_two=True)
    (False, True)
    """
    if tree is None or any(isinstance(x, Listed) or (isinstance(x, Counts) and x.m is not None) for x in below(tree)):
        return False
    known: dict[object, bool] = {}

    def alike(x: Tree, kinds: _Kinds) -> bool:
        key = (x, *(kinds[k] for k in sorted(x.free)))
        if key not in known:
            known[key] = look(x, kinds)
        return known[key]

    def look(x: Tree, kinds: _Kinds) -> bool:
        if isinstance(x, Tabled):
            return for_two and len(x.rows) == 2 and x.rows[0] == x.rows[1][::-1]
        if for_two and _same_when_exchanged(x):
            return True
        if isinstance(x, Position):
            return False
        if x.BINDS:
            kinds = {**kinds, **dict.fromkeys((x.__dict__[name] for name in x.BINDS), _is_of_two(x.__dict__["of"]))}
        return all(_fits(part, x, kinds) if part.SORT == "ClassTree" else alike(part, kinds) for part in x.parts)

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


def _same_when_exchanged(x: Tree) -> bool:
    """Return whether a formula in the positions of two classes is the same when both classes are exchanged."""
    places = list(dict.fromkeys(_positions(x) or ()))
    if not 0 < len(places) <= 2:
        return False
    at = [[_at_positions(x, {places[0]: i, places[-1]: j}) for j in (0, 1)] for i in (0, 1)]
    return at[0] == at[1][::-1]


def _positions(x: Tree) -> list[Tree] | None:
    """Return the classes whose positions a formula is in; None if it is in anything else, or has factors."""
    if isinstance(x, Position):
        return [x.i]
    parts = x.parts
    if not (isinstance(x, ToPower) and x.r > 0 and x.r.denominator == 1) and not (
        isinstance(x, Operation) and x.name in _OF_POSITIONS and parts
    ):
        return None
    found: list[Tree] = []
    for part in parts:
        inside = _positions(part)
        if inside is None:
            return None
        found += inside
    return found


def _at_positions(x: Tree, at: Mapping[Tree, int]) -> Fraction:
    """Return a formula in positions of classes, with numbers in their place."""
    if isinstance(x, Position):
        return Fraction(at[x.i])
    args = [_at_positions(y, at) for y in x.parts]
    return args[0] ** int(x.r) if isinstance(x, ToPower) else _OF_POSITIONS[x.__dict__["name"]](*args)
