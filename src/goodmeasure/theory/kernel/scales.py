"""Show from a tree that multiplying all counts by one number changes nothing, for every number of classes.

Let s > 0. A node has *degree* d if its value on s·C is s^d times its value on C, for every C and s, or both are
undefined, or both leave a class out. A node that is 0 or undefined on every matrix has every degree, written `EVERY`.

**Claim.** `degree` returns the degree of a node, or refuses it. So a tree of degree 0 is scale invariant, for every
number of classes.

**Why.** By induction over the nodes. Cells, sizes and totals have degree 1, numbers degree 0, and the number 0 every
degree. A condition compares two values of one degree, so s^d > 0 comes out of the difference and the answer is the same
on s·C as on C: both matrices take the same branches, apply the same rules and leave out the same classes. Sums,
extremes and means are of values of one degree, and have it: means are homogeneous, those of `language/means_of_two.py`
among them. Degrees of factors add up; a power multiplies the degree; logarithms, exponentials and angles are of values
of degree 0. The product of degree-0 terms over classes has degree 0. If undefined terms are worth a number other than
0, what may be undefined must have degree 0.
"""

from __future__ import annotations

from fractions import Fraction

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.meaning import number_of
from goodmeasure.theory.kernel.refusal import Refused, demand

EVERY = None  # the degree of 0
_Degree = Fraction | None
_NONE = Fraction(0)


def must_be_scale_free(tree: t.Tree, policy: str) -> None:
    """Refuse a tree that is not seen to have the same value on all multiples of a matrix."""
    demand(_Degrees(policy).degree(tree) in (EVERY, 0), "the value may change with the number of items")


class _Degrees:
    def __init__(self, policy: str) -> None:
        self.missing = _NONE if number_of(policy) else EVERY
        self.resolves = policy == "resolve"
        self.known: dict[t.Tree, _Degree] = {}

    def degree(self, x: t.Tree) -> _Degree:
        """Return the degree of a value."""
        if x not in self.known:
            self.known[x] = self._degree(x)
        return self.known[x]

    def common(self, *degrees: _Degree) -> _Degree:
        """Return the degree that values share; `EVERY` if each of them is 0."""
        found = set(degrees) - {EVERY}
        demand(len(found) < 2, "values of different degrees are added or compared")
        return found.pop() if found else EVERY

    def of_matrix(self, x: t.Tree) -> _Degree:
        """Return the degree of the cells of a matrix."""
        match x:
            case t.Counts():
                return Fraction(1)
            case t.Transposed(of=of) | t.Rest(of=of):
                return self.of_matrix(of)
            case t.Two(tp=tp, fn=fn, fp=fp, tn=tn):
                return self.common(*map(self.degree, (tp, fn, fp, tn)))
            case t.Mapped(cell=cell):
                return self.degree(cell)
        raise Refused(f"the cells of {type(x).__name__} have no degree")

    def _degree(self, x: t.Tree) -> _Degree:
        match x:
            case t.Numeral(value=value):
                return EVERY if value == 0 else _NONE
            case t.CountOfClasses() | t.Position() | t.Tabled():
                return _NONE
            case t.CellOf(of=of) | t.SizeOf(of=of) | t.TotalOf(of=of):
                return self.of_matrix(of)
            case t.Excess(of=of):
                one = self.of_matrix(of)
                return EVERY if one is EVERY else 2 * one
            case t.Missing():
                return self.missing
            case t.Skipped():
                return EVERY
            case t.Operation(name=name, args=args):
                return self.of_operation(name, [self.degree(y) for y in args])
            case t.ToPower(x=y, r=r):
                one = self.degree(y)
                return self.common(self.missing, one * r if one is not EVERY else EVERY if r else _NONE)
            case t.PowerMean(values=values):
                return self.common(self.missing, *map(self.degree, values))
            case t.OverMean(x=y, u=u, v=v):
                return self.common(self.missing, self.over(self.degree(y), self.common(self.degree(u), self.degree(v))))
            case t.XLogY(x=y, y=z):
                self.common(_NONE, self.degree(z))
                return self.common(self.missing, self.degree(y))
            case t.Ratio(x=y, y=z, rule=rule):
                found = self.over(self.degree(y), self.degree(z))
                return self.common(found, self.degree(rule) if rule is not None and self.resolves else self.missing)
            case t.Where(test=test, x=y, y=z):
                self.must_not_change(test)
                return self.common(self.degree(y), self.degree(z))
            case t.Whole(of=of, value=value):
                self.of_matrix(of)
                return self.common(self.missing, self.degree(value))
            case t.OverPairs(term=term, test=test):
                self.must_not_change(test)
                return self.degree(term)
            case t.Over(op=op, term=term, test=test, rule=rule, weight=weight):
                self.must_not_change(test)
                if weight is not None:
                    self.degree(weight)
                rules = [] if rule is None or not self.resolves else [self.degree(rule)]
                found = self.common(self.degree(term), *rules, *([] if op == "sum" else [self.missing]))
                return self.common(_NONE, found) if op == "product" else found
        raise Refused(f"{type(x).__name__} has no degree")

    def over(self, above: _Degree, below: _Degree) -> _Degree:
        """Return the degree of a quotient; what is divided by 0 has no value, and 0 has every degree."""
        return EVERY if above is EVERY or below is EVERY else above - below

    def of_operation(self, name: str, args: list[_Degree]) -> _Degree:
        match name:
            case "add" | "sub" | "min" | "max" | "neg" | "abs":
                return self.common(*args)
            case "mul":
                return EVERY if EVERY in args else sum((x for x in args if x is not EVERY), _NONE)
            case "sqrt":
                return self.common(self.missing, *(x if x is EVERY else x / 2 for x in args))
        return self.common(_NONE, *args)

    def must_not_change(self, test: t.Tree | None) -> None:
        """Refuse a condition that may have another answer on a multiple of the matrix."""
        if test is None or test in self.known:
            return
        self.known[test] = EVERY  # once is enough
        match test:
            case t.Test(name="eq" | "lt" | "le", args=(u, v)):
                self.common(self.degree(u), self.degree(v))
            case t.Test(args=args):
                for y in args:
                    self.must_not_change(y)
            case _:
                raise Refused(f"{type(test).__name__} may change with the number of items")
