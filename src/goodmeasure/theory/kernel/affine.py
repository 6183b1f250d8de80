"""Show from a tree that the value is affine in the cells for given class sizes, for every number of classes.

Fix the true and the predicted class sizes. A node is *fixed* if its value, or its being undefined, is the same for all
matrices with these sizes, also with cells that are no whole numbers; and *affine* if it is undefined for all of them, or
for none and its value is an affine function of the cells.

**Claim.** `must_be_affine` accepts only trees that are affine. So the mean of M over random predictions with these sizes
is the value of M on the mean of their matrices, a_i b_j / n, or none of them has a value.

**Why.** By induction over the nodes. Class sizes, totals and numbers are fixed; so is every function of fixed values.
Cells are affine, and so are n·c_ii − a_i b_i, sums and differences of affine values, products of one with a fixed value,
quotients by a fixed value (the rule for 0/0 applies to all matrices or to none), sums over classes and means with fixed
weights, of terms that are affine, over classes that fixed conditions select. A class against the rest has fixed sizes,
since they are class sizes and their complements.
"""

from __future__ import annotations

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.refusal import Refused, demand


def must_be_affine(tree: t.Tree) -> None:
    """Refuse a tree that is not seen to be affine in the cells for given class sizes."""
    demand(_degree(tree, {}) <= 1, "the value may not be affine in the cells")


def _degree(x: t.Tree, known: dict[t.Tree, int]) -> int:
    """Return 0 for a fixed node and 1 for an affine one; refuse all others."""
    if x not in known:
        known[x] = _found(x, known)
    return known[x]


def _found(x: t.Tree, known: dict[t.Tree, int]) -> int:
    match x:
        case t.CellOf(of=of):
            return 1 if _has_sizes(of) else max(_degree(y, known) for y in x.parts if y.SORT != "ClassTree")
        case t.Excess(of=of) if _has_sizes(of):
            return 1
        case t.SizeOf(of=of) | t.TotalOf(of=of) | t.Occurs(of=of) if _has_sizes(of):
            return 0
        case t.CountOfClasses() | t.ClassVariable() | t.Nth():
            return 0
        case t.Operation(name="add" | "sub" | "neg") | t.Transposed() | t.Two() | t.Mapped() | t.Whole():
            return max(_degree(y, known) for y in x.parts)
        case t.Operation(name="mul", args=(y, z)) if 0 in (_degree(y, known), _degree(z, known)):
            return _degree(y, known) + _degree(z, known)
        case t.Ratio(x=y, y=z, rule=rule) if _degree(z, known) == 0:
            return max(_degree(y, known), 0 if rule is None else _degree(rule, known))
        case t.Where(test=test, x=y, y=z) if _degree(test, known) == 0:
            return max(_degree(y, known), _degree(z, known))
        case t.OverPairs(term=term, test=test) if test is None or _degree(test, known) == 0:
            return _degree(term, known)
        case t.Over(op=op, term=term, test=test, rule=rule, weight=weight, p=p) if op == "sum" or (
            op == "mean" and p == 1
        ):
            if all(y is None or _degree(y, known) == 0 for y in (test, weight)):
                return max(_degree(term, known), 0 if rule is None else _degree(rule, known))
    if any(_degree(y, known) for y in x.parts):
        raise Refused(f"{type(x).__name__} of cells is not seen to be affine")
    return 0


def _has_sizes(matrix: t.Tree) -> bool:
    """Return whether the sizes of a matrix are fixed: the matrix itself, turned, or one class of it against the rest."""
    while isinstance(matrix, (t.Transposed, t.Rest)):
        matrix = matrix.of
    return isinstance(matrix, t.Counts)
