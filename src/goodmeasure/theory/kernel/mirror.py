"""Show from a tree that exchanging true and predicted labels changes nothing, for every number of classes.

`must_be_mirrored` reads the tree twice, on C and on its transpose. Each node becomes the number of its *form*: what it
does, with the numbers of the forms of its parts. On the transpose a cell (i, j) has the form of the cell (j, i), and a
true class size that of a predicted one.

**Claim.** Nodes with one form have one value on every matrix (or are both undefined, or both leave a class out). So if
the tree has the same form in both readings, M(C) = M(Cᵀ) for every C, with any number of classes and any policy.

**Why.** By induction over the nodes: equal forms do the same with parts of equal values, up to an order that does not
matter. Sums, products, least and greatest values, means and equations do not depend on the order of their parts; −x is
a term with the other sign; |x| and even powers are those of −x; and the named means of two numbers are symmetric. A sum
over one class inside a sum over another is a sum over both, so their names may be exchanged: of the two forms the one
with the smaller number is taken, in either reading the same. The same goes for a sum over pairs. A form names the
classes that are bound outside of it, and a sum those that it binds, so it says what its value is a function of. A
matrix is known by a *base* and by whether it is that base turned: the transpose of a class against the rest is that
class of the transpose against the rest. Conditions joined by "and" and "or" are taken in any order only if nothing in
them leaves a class out.
"""

from __future__ import annotations

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.refusal import Refused, demand

_Place = tuple[bool, dict[int, object]]  # whether the transpose is read, and what the class variables are called
_PLAIN = (
    t.Nth, t.Numeral, t.CountOfClasses, t.TotalOf, t.Position, t.Operation, t.ToPower, t.PowerMean, t.OverMean,
    t.XLogY, t.Ratio, t.Where, t.Whole, t.Missing, t.Skipped, t.Test,
)  # fmt: skip
_ANY_ORDER = ("min", "max", "eq")
_MOST = 100_000  # forms, and parts of a sum or a product


def must_be_mirrored(tree: t.Tree) -> None:
    """Refuse a tree that is not seen to have the same value on every matrix and its transpose."""
    mirror = _Mirror()
    demand(mirror.form(tree, (False, {})) == mirror.form(tree, (True, {})), "the transpose may have another value")


class _Mirror:
    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}
        self.known: dict[object, int] = {}

    def number(self, *form: object) -> int:
        return self.numbers.setdefault(form, len(self.numbers))

    def form(self, x: t.Tree, at: _Place) -> int:
        """Return the number of the form of a node, on the matrix or on its transpose."""
        key = (x, at[0], *((k, at[1][k]) for k in sorted(x.free)))
        if key not in self.known:
            demand(len(self.known) < _MOST, "the tree is too large to compare it with its mirror image")
            self.known[key] = self._form(x, at)
        return self.known[key]

    def _form(self, x: t.Tree, at: _Place) -> int:
        kind = type(x).__name__
        match x:
            case t.ClassVariable(number=k):
                return self.number(kind, at[1][k])
            case t.CellOf(of=of, i=i, j=j) | t.Excess(of=of, i=i, j=j):
                base, over = self.matrix(of, at)
                return self.number(kind, base, *(self.form(y, at) for y in ((j, i) if over else (i, j))))
            case t.SizeOf(of=of, side=side, i=i):
                base, over = self.matrix(of, at)
                return self.number(kind, base, (side == "a") == over, self.form(i, at))
            case t.Over() | t.OverPairs():
                return self.over(x, at)
            case t.Operation(name="add" | "sub" | "neg"):
                return self.terms(x, at, 1)
            case t.Operation(name="mul"):
                return self.number("mul", *self.joined(x, at, ("mul",)))
            case t.Operation(name="abs", args=(y,)):
                return self.number("abs", min(self.terms(y, at, sign) for sign in (1, -1)))
            case t.ToPower(x=y, r=r) if r.denominator == 1 and r % 2 == 0:
                return self.number("even", r, min(self.terms(y, at, sign) for sign in (1, -1)))
            case t.OverMean(x=y, u=u, v=v, mean=mean, p=p):
                below = sorted(self.form(z, at) for z in (u, v))
                return self.number(kind, mean, p, self.form(y, at), *below)
        demand(isinstance(x, _PLAIN), f"{kind} is not read on a transpose")
        return self.number(kind, *(self.coded(x.__dict__[name], x, at) for name in type(x).FIELDS))

    def coded(self, item: object, x: t.Tree, at: _Place) -> object:
        """Return what stands for a field of a node in its form."""
        if isinstance(item, tuple):
            found = [self.form(y, at) for y in item]
            name = x.__dict__.get("name", "max")  # a mean does not depend on the order of its values either
            keeps = any(isinstance(y, t.Skipped) for y in t.below(x))
            free = name in _ANY_ORDER or (name in ("and", "or") and not keeps)
            return tuple(sorted(found) if free else found)
        if not isinstance(item, t.Tree):
            return item
        return self.matrix(item, at)[0] if item.SORT == "MatrixTree" else self.form(item, at)

    def terms(self, x: t.Tree, at: _Place, sign: int) -> int:
        """Return the form of a sum of terms with signs: of x, or of −x."""
        found = self.joined(x, at, ("add", "sub", "neg"), sign)
        return found[0][0] if len(found) == 1 and found[0][1] > 0 else self.number("terms", *found)

    def joined(self, x: t.Tree, at: _Place, names: tuple[str, ...], sign: int = 1) -> list[tuple[int, int]]:
        """Return the forms of all terms of a sum, or of all factors of a product, each with its sign, in an order."""
        found, stack = list[tuple[int, int]](), [(x, sign)]
        while stack:
            y, s = stack.pop()
            if isinstance(y, t.Operation) and y.name in names:
                stack += [(y.args[-1], -s if y.name in ("sub", "neg") else s), *((z, s) for z in y.args[:-1])]
            else:
                found.append((self.form(y, at), s))
            demand(len(found) < _MOST, "a sum or a product has too many parts")
        return sorted(found)

    def over(self, x: t.Over | t.OverPairs, at: _Place) -> int:
        """Return the form of a sum, product, extreme or mean over classes, or over two classes."""
        base, bound = self.matrix(x.of, at)[0], [("bound", len(at[1]) + k) for k in (0, 1)]
        inner, variables, about = x, [x.i], str(x.__dict__.get("op"))
        if isinstance(x, t.OverPairs):
            variables, about = [x.i, x.j], "pairs"
        elif _is_sum(x) and isinstance(x.term, t.Over) and _is_sum(x.term) and x.term.of is x.of:
            inner, variables, about = x.term, [x.i, x.term.i], "sums"
        found = []
        for order in [bound, bound[::-1]][: len(variables)]:
            inside = at[0], {**at[1], **dict(zip(variables, order, strict=False))}
            parts = (inner.__dict__.get(name) for name in ("term", "test", "rule", "weight"))
            found.append([-1 if y is None else self.form(y, inside) for y in parts])
        return self.number("over", about, x.__dict__.get("p"), base, len(at[1]), *min(found))

    def matrix(self, x: t.Tree, at: _Place) -> tuple[int, bool]:
        """Return the base of a matrix, and whether it is that base turned."""
        match x:
            case t.Counts(m=m):
                return self.number("counts", m), at[0]
            case t.Transposed(of=of):
                base, over = self.matrix(of, at)
                return base, not over
            case t.Rest(of=of, i=i):
                base, over = self.matrix(of, at)
                return self.number("rest", base, self.form(i, at)), over
        raise Refused(f"{type(x).__name__} is not read on a transpose")


def _is_sum(x: t.Over) -> bool:
    """Return whether a node is a sum of one term over all classes."""
    return (x.op, x.test, x.rule, x.weight) == ("sum", None, None, None)
