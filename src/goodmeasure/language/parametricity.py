"""Show that a formula treats all classes alike, because it has no means to tell them apart.

**Claim.** If a definition is recorded for any number of classes, and its tree has no constants by class, then its value
does not change when the classes are renamed.

**Why.** This is a free theorem in the sense of Reynolds (1983) and Wadler (1989). Let π be a permutation of the classes
and C′ the renamed matrix, c′_{π(i)π(j)} = c_ij. Read the tree on C and on C′ side by side, and relate class i of the
first reading to π(i) of the second. Every node keeps the two readings related: cells and sizes are equal for related
classes; a sum, product, mean, least or greatest value over all classes combines the same terms in another order; n and
m are equal; the matrix of a class against the rest, or of four numbers, has four numbers that are equal in both, and
the two classes of such a matrix have names of their own, which π does not touch; a mapped matrix is mapped to a related
one. The rules for 0/0 are parts of the tree like all others. Only constants by class and the positions of classes could
differ, and they are excluded. (Where only two classes are meant, a table that is the same after they are exchanged
gives equal numbers, and so does a distance of positions.)

**What is not covered.** This is sufficient and not necessary: a definition that treats all classes alike may still name
a class, and is then not recognised.
"""

from __future__ import annotations

from fractions import Fraction

from goodmeasure.language.record import NeedsClasses, record
from goodmeasure.language.tree import (
    CellOf,
    Excess,
    Mapped,
    Nth,
    Operation,
    Position,
    Rest,
    SizeOf,
    Tabled,
    ToPower,
    Transposed,
    Tree,
    Two,
)
from goodmeasure.language.view import Readable


def tells_no_classes_apart(definition: Readable, *, of_two: bool = False) -> bool:
    """Return whether a definition treats all classes alike, because its tree does not tell them apart.

    With `of_two`, only matrices of two classes are meant.

    >>> tells_no_classes_apart(lambda c: c.ratio(c.sum(lambda i: c[i, i]), c.n))
    True
    >>> tells_no_classes_apart(lambda c: c.ratio(c[0, 0], c.n))
    False
    >>> tells_no_classes_apart(lambda c: c.ratio(c.sum(lambda i: c[i, i]), c.n, otherwise=lambda: c[0, 0]))
    False
    """
    try:
        tree = _tree(definition, of_two=of_two)
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
        return False
    seen, todo = {tree}, [tree]
    while todo:
        x = todo.pop()
        if _names_a_class(x) or (isinstance(x, (Tabled, Position)) and not (of_two and _is_same_exchanged(x))):
            return False
        if not (of_two and _is_distance(x)):
            new = set(x.parts) - seen
            seen |= new
            todo += new
    return True


def _tree(definition: Readable, *, of_two: bool) -> Tree:
    try:
        return record(definition, None)
    except NeedsClasses:
        if not of_two:
            raise
        return record(definition, 2)


def _names_a_class(x: Tree) -> bool:
    """Return whether a node names a class by its number, other than one of a class against the rest."""
    if not isinstance(x, (CellOf, SizeOf, Excess, Rest)) or not any(isinstance(y, Nth) for y in x.parts):
        return False
    of = x.of
    while isinstance(of, (Transposed, Mapped)):
        of = of.of
    return not isinstance(of, (Rest, Two))


def _is_same_exchanged(x: Tree) -> bool:
    """Return whether a table for two classes stays the same if they are exchanged."""
    return isinstance(x, Tabled) and len(x.rows) == 2 and x.rows == tuple(row[::-1] for row in x.rows[::-1])


def _is_distance(x: Tree) -> bool:
    """Return whether a value is the distance of the positions of two classes, or an even power of their difference."""
    match x:
        case Operation(name="abs", args=(Operation(name="sub", args=(Position(), Position())),)):
            return True
        case ToPower(x=Operation(name="sub", args=(Position(), Position())), r=r):
            return r > 0 and Fraction(r, 2).denominator == 1
    return False
