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
with the smaller number is taken, in either reading the same. The same goes for a sum over pairs. A matrix is known by a
*base* and by whether it is that base turned: the transpose of a class against the rest is the class of the transpose
against the rest; a mapped matrix, read on the transpose, is the turned matrix whose cell (j, i) has the form of the
cell (i, j). Four given cells are known by their forms, with the two errors in the order of their numbers. Conditions
joined by "and" and "or" are taken in any order only if nothing in them leaves a class out.
"""

from __future__ import annotations

from collections.abc import Mapping

from goodmeasure.language import tree as t
from goodmeasure.theory.kernel.refusal import Refused, demand

_Names = Mapping[int, object]  # what the class variables are called
_ANY_ORDER = ("min", "max", "eq")


def must_be_mirrored(tree: t.Tree) -> None:
    """Refuse a tree that is not seen to have the same value on every matrix and its transpose."""
    mirror = _Mirror()
    demand(mirror.form(tree, False, {}) == mirror.form(tree, True, {}), "the transpose may have another value")


class _Mirror:
    def __init__(self) -> None:
        self.numbers: dict[object, int] = {}
        self.known: dict[object, int] = {}

    def number(self, *form: object) -> int:
        return self.numbers.setdefault(form, len(self.numbers))

    def form(self, x: t.Tree | None, turned: bool, names: _Names) -> int:
        """Return the number of the form of a node, on the matrix or on its transpose."""
        if x is None:
            return -1
        key = (x, turned, *((k, names[k]) for k in sorted(x.free)))
        if key not in self.known:
            self.known[key] = self._form(x, turned, names)
        return self.known[key]

    def _form(self, x: t.Tree, turned: bool, names: _Names) -> int:
        kind = type(x).__name__

        def here(y: t.Tree | None) -> int:
            return self.form(y, turned, names)

        match x:
            case t.ClassVariable(number=k):
                return self.number("class", names[k])
            case t.Nth(number=k):
                return self.number("class", k)
            case t.Numeral(value=value):
                return self.number("number", value)
            case t.CellOf(of=of, i=i, j=j) | t.Excess(of=of, i=i, j=j):
                base, over = self.matrix(of, turned, names)
                return self.number(kind, base, *(map(here, (j, i) if over else (i, j))))
            case t.SizeOf(of=of, side=side, i=i):
                base, over = self.matrix(of, turned, names)
                return self.number(kind, base, (side == "a") == over, here(i))
            case t.TotalOf(of=of) | t.CountOfClasses(of=of):
                return self.number(kind, self.matrix(of, turned, names)[0])
            case t.Whole(of=of, value=value):
                return self.number(kind, self.matrix(of, turned, names)[0], here(value))
            case t.Position(i=i):
                return self.number(kind, here(i))
            case t.Tabled(rows=rows, i=i, j=j):
                same = all(row == column for row, column in zip(rows, zip(*rows, strict=True), strict=True))
                places = [here(i), here(j)]
                return self.number(kind, rows, *(sorted(places) if same else places))
            case t.Operation(name="add" | "sub" | "neg"):
                return self.terms(x, turned, names, 1)
            case t.Operation(name="mul"):
                return self.number("mul", *sorted(self.factors(x, turned, names)))
            case t.Operation(name="abs", args=(y,)):
                return self.number("abs", min(self.terms(y, turned, names, sign) for sign in (1, -1)))
            case t.ToPower(x=y, r=r) if r.denominator == 1 and r % 2 == 0:
                return self.number(kind, r, min(self.terms(y, turned, names, sign) for sign in (1, -1)))
            case t.Operation(name=name, args=args) | t.Test(name=name, args=args):
                found = list(map(here, args))
                free = name in ("and", "or") and not any(isinstance(y, t.Skipped) for y in t.below(x))
                return self.number(kind, name, *(sorted(found) if free or name in _ANY_ORDER else found))
            case t.ToPower(x=y, r=r):
                return self.number(kind, r, here(y))
            case t.PowerMean(values=values, p=p):
                return self.number(kind, p, *sorted(map(here, values)))
            case t.OverMean(x=y, u=u, v=v, mean=mean, p=p):
                return self.number(kind, mean, p, here(y), *sorted((here(u), here(v))))
            case t.XLogY(x=y, y=z):
                return self.number(kind, here(y), here(z))
            case t.Ratio() | t.Where():
                return self.number(kind, *(here(x.__dict__[name]) for name in type(x).FIELDS))
            case t.Missing() | t.Skipped():
                return self.number(kind)
            case t.Over() | t.OverPairs():
                return self.over(x, turned, names)
        raise Refused(f"{kind} is not read on a transpose")

    def terms(self, x: t.Tree, turned: bool, names: _Names, sign: int) -> int:
        """Return the form of a sum of terms with signs: of x, or of −x."""
        found, stack = list[tuple[int, int]](), [(x, sign)]
        while stack:
            y, s = stack.pop()
            if isinstance(y, t.Operation) and y.name in ("add", "sub", "neg"):
                last = -s if y.name != "add" else s
                stack += [(y.args[-1], last), *((z, s) for z in y.args[:-1])]
            else:
                found.append((self.form(y, turned, names), s))
        return found[0][0] if len(found) == 1 and found[0][1] > 0 else self.number("terms", *sorted(found))

    def factors(self, x: t.Tree, turned: bool, names: _Names) -> list[int]:
        """Return the forms of the factors of a product."""
        if isinstance(x, t.Operation) and x.name == "mul":
            return [z for y in x.args for z in self.factors(y, turned, names)]
        return [self.form(x, turned, names)]

    def over(self, x: t.Over | t.OverPairs, turned: bool, names: _Names) -> int:
        """Return the form of a sum, product, extreme or mean over classes or over pairs."""
        base, first = self.matrix(x.of, turned, names)[0], ("bound", len(names))
        two = _over_two(x)
        if two is not None and self.matrix(two[3], turned, names)[0] == base:
            i, j, terms, _ = two
            second = ("bound", len(names) + 1)
            ways = ({**names, i: a, j: b} for a, b in ((first, second), (second, first)))
            return self.number(type(x).__name__, base, *min([self.form(y, turned, way) for y in terms] for way in ways))
        assert isinstance(x, t.Over)
        parts = (self.form(y, turned, {**names, x.i: first}) for y in (x.term, x.test, x.rule, x.weight))
        return self.number("Over", x.op, x.p, base, *parts)

    def matrix(self, x: t.Tree, turned: bool, names: _Names) -> tuple[int, bool]:
        """Return the base of a matrix, and whether it is that base turned."""
        match x:
            case t.Counts(m=m):
                return self.number("counts", m), turned
            case t.Transposed(of=of):
                base, over = self.matrix(of, turned, names)
                return base, not over
            case t.Rest(of=of, i=i):
                base, over = self.matrix(of, turned, names)
                return self.number("rest", base, self.form(i, turned, names)), over
            case t.Two(tp=tp, fn=fn, fp=fp, tn=tn):
                right = (self.form(tp, turned, names), self.form(tn, turned, names))
                wrong = (self.form(fn, turned, names), self.form(fp, turned, names))
                return self.number("two", *right, *sorted(wrong)), wrong[0] > wrong[1]
            case t.Mapped(of=of, i=i, j=j, cell=cell):
                bound = [("bound", len(names)), ("bound", len(names) + 1)]
                inside = {**names, **dict(zip((j, i) if turned else (i, j), bound, strict=True))}
                base = self.matrix(of, turned, names)[0]
                return self.number("mapped", base, self.form(cell, turned, inside)), turned
        raise Refused(f"{type(x).__name__} is not read on a transpose")


def _over_two(x: t.Over | t.OverPairs) -> tuple[int, int, list[t.Tree | None], t.Tree] | None:
    """Return the two classes of a sum over pairs, or of a plain sum in a plain sum; and what depends on both."""
    if isinstance(x, t.OverPairs):
        return x.i, x.j, [x.term, x.test], x.of
    inner = x.term
    if not isinstance(inner, t.Over) or x.i in inner.of.free:
        return None
    plain = all((y.op, y.test, y.rule, y.weight) == ("sum", None, None, None) for y in (x, inner))
    return (x.i, inner.i, [inner.term], inner.of) if plain else None
