"""Show from a tree that the value is affine in the cells for given class sizes, for every number of classes.

Fix the true and the predicted class sizes. A node is *fixed* if its value, or its being undefined, is the same for all
matrices with these sizes, also with cells that are no whole numbers; and *affine* if it is undefined for all of them,
or for none and its value is an affine function of the cells.

**Claim.** `must_be_affine` accepts only trees that are affine. So the mean of M over random predictions with these
sizes is the value of M on the mean of their matrices, a_i b_j / n, or none of them has a value.

**Why.** By induction over the nodes. Class sizes, totals and numbers are fixed; so is every function of fixed values.
Cells are affine, and so are n·c_ii − a_i b_i, sums and differences of affine values, products of one with a fixed
value, quotients by a fixed value (the rule for 0/0 applies to all matrices or to none), sums over classes and means
with fixed weights, of terms that are affine, over classes that fixed conditions select. A class against the rest has
fixed sizes, since they are class sizes and their complements.
"""

from __future__ import annotations

from collections.abc import Container

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.refusal import demand


def must_be_affine(tree: t.Tree, reached: Container[t.Tree]) -> None:
    """Refuse a tree that is not seen to be affine in the cells for given class sizes."""
    demand(_CellDegrees(reached).degree(tree) <= 1, "the value may not be affine in the cells")


class _CellDegrees:
    def __init__(self, reached: Container[t.Tree]) -> None:
        self.reached = reached
        self.known: dict[t.Tree, int] = {}

    def degree(self, *some: t.Tree | None) -> int:
        """Return 0 if all of some nodes are fixed, and 1 if they are affine; refuse all others."""
        for x in some:
            if x is not None and x not in self.known:
                self.known[x] = self._degree(x)
        return max((self.known[x] for x in some if x is not None), default=0)

    def if_reached(self, *some: t.Tree | None) -> int:
        """Return the same for nodes that may never be read."""
        return self.degree(*(x for x in some if x in self.reached))

    def _degree(self, x: t.Tree) -> int:
        match x:
            case t.CellOf(of=of):
                return 1 if _has_sizes(of) else self.degree(of)
            case t.Excess(of=of) if _has_sizes(of):
                return 1
            case t.SizeOf(of=of) | t.TotalOf(of=of) if _has_sizes(of):
                return 0
            case t.Operation(name="add", args=(t.CellOf() as y, t.CellOf() as z)) if _is_size(y, z):
                return 0
            case t.Operation(name="add" | "sub" | "neg") | t.Transposed() | t.Two() | t.Mapped() | t.Whole():
                return self.degree(*x.parts)
            case t.Operation(name="mul", args=(y, z)) if 0 in (self.degree(y), self.degree(z)):
                return self.degree(y, z)
            case t.Ratio(x=y, y=z, rule=rule) if self.degree(z) == 0:
                return max(self.degree(y), self.if_reached(rule))
            case t.Where(test=test, x=y, y=z) if self.degree(test) == 0:
                return self.if_reached(y, z)
            case t.OverPairs(term=term, test=test) if self.degree(test) == 0:
                return self.degree(term)
            case (
                t.Over(op="sum", term=term, test=test, rule=rule)
                | t.Over(op="mean", p=1, term=term, test=test, rule=rule)
            ) if self.degree(test, x.weight) == 0:
                return max(self.degree(term), self.if_reached(rule))
        demand(self.degree(*x.parts) == 0, f"{type(x).__name__} of cells is not seen to be affine")
        return 0


def _is_size(x: t.CellOf, y: t.CellOf) -> bool:
    """Return whether two cells of a class against the rest are all cells of one of the two classes."""
    named = all(isinstance(z, t.Nth) for z in (x.i, x.j, y.i, y.j))
    return isinstance(x.of, t.Rest) and x.of is y.of and _has_sizes(x.of) and named and (x.i is y.i) != (x.j is y.j)


def _has_sizes(matrix: t.Tree) -> bool:
    """Return whether the sizes of a matrix are fixed: the matrix itself, turned, or one class of it against the
    rest."""
    while isinstance(matrix, (t.Transposed, t.Rest)):
        matrix = matrix.of
    return isinstance(matrix, t.Counts)
