"""Read a definition for every number of classes at once: sums over classes are kept closed.

**What a definition can see of a class.** A measure such as macro F1 is built from sums Σ_i f(c_ii, a_i, b_i, n, m),
where f is one expression for all classes. Inside `c.sum` the index i is an instance of `Class`, which gives the class's
cell c_ii and its sizes a_i and b_i, and refuses every other question: it cannot be compared, hashed, printed or turned
into a number. So a term that runs to its end on the letters c, a, b is one function f of these letters, n and m, the
same for all classes and for every m (the argument of `parametricity.py`). A sum over pairs of different classes has one
more letter, e = c_ij. Cells off the diagonal outside such a sum, power means other than the arithmetic one, products,
least and greatest values over classes, mapped matrices and tables are refused with `Outside`: nothing is proved about
them.

**Closed sums.** The sum itself becomes an atom ``sum(depth; f)``, named by f in normal form. Two sums with the same
name are equal for every matrix and every m. A closed sum is positive if f is, because there is at least one class; a
closed sum over pairs of different classes is positive if its term is, because m ≥ 2.

**Signs for one class.** The letters of a class are not independent: c ≤ a, c ≤ b and a + b − c ≤ n. So a polynomial is
written in the hits c, the misses u = a − c, the false alarms v = b − c and the rest w = n − a − b + c. These four
numbers are not negative and not all 0, and every four such numbers may occur. `_class_sign` goes through the 15 ways in
which some of them are 0; in each way the others are positive variables, and the sign of a polynomial is read off its
coefficients. A sign that is the same in all ways holds for every class. If all classes are *present* (domain "regular")
then a, b > 0, and n − a, n − b > 0 because another class has items too, so some of the 15 ways do not occur. If the
labelings are *independent*, c = ab/n, and all classes are present, then hits ab/n, misses a(n − b)/n, false alarms
b(n − a)/n and the rest (n − a)(n − b)/n are all positive, so one way remains. The number of classes is m = k + 1 with
k ≥ 1.

**Moves.** A move changes the cells of at most two classes. With these two `named`, a sum is written as the terms of the
named classes plus what all others add. The latter is one atom, `others`, identified by the value of the term in each of
the 15 ways above (fewer if classes are present). If it has the same name before and after the move, every other class
adds the same to the sum before and after, and the difference of two values loses the atom. This is the case if the term
does not involve n, or if the move keeps n (`keeps_n`; then n is written in the letters of the other class itself). A
move that changes n may take the rest w of another class from 0 to a positive number, so that the class is in another
way than before; but a term that does not involve n is worked out on h, h + p and h + q alone, so its values in two ways
that differ in w only are the same. So three aggregated classes (p, q and the rest) are as good as m. A measure K(n,
m)·Σ_i g(c_ii, a_i, b_i, n), for which only the two changed terms matter, is the simplest example. The nine sums of
cells (those that are not 0), k, and the letters h, p, q, w of one other class are treated as independent positive
variables, although in a matrix they are related: the other classes add up to the third row and column. Every matrix
gives a point of this orthant, so a sign, or the answer to a comparison, that is the same at all points holds for every
matrix; about points that belong to no matrix nothing is claimed. If m = 2 there are no other classes: their sum is 0
before and after the move, and cancels like any other value of the atom.

**Logarithms and roots.** x·log y has the value 0 where x = 0, whatever y is, so `xlogy` may write it as x times an atom
of unknown sign, if y > 0 wherever x ≠ 0. A root or an arc cosine whose argument has no known sign becomes an atom as
well, on the *supposition* that it is defined: on a matrix on which the argument lies outside the function's domain, the
measure has no value, and the statement demands nothing there (`SupposingView` says what this requires).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import product
from typing import NoReturn, SupportsIndex

from goodmeasure.language.policy import LeaveOut, Policy
from goodmeasure.language.view import Chosen, ConstantTable, Number, PairTerm, RowsOfTable, Rule, Sizes, Term
from goodmeasure.theory.algebra.orthant import Orthant, Outside, Poly
from goodmeasure.theory.algebra.quantities import Quantity, Read, constant, of_atom, of_polynomial
from goodmeasure.theory.algebra.support_patterns import PolynomialView, SupposingView

DEPTH = 2  # how many sums may stand inside one another


class EveryOrthant(Orthant):
    """The ring of the letters: n items, m = k + 1 classes, and for each bound class its cell c and its sizes a and b.

    The letter ``e`` is a cell of two different classes. ``present``: every class has true and predicted items.
    ``independent``: the cell of a class is a·b/n. ``named``: the ring for moves, whose ``extra`` variables are the
    cells of the classes that a move touches. A digit after a letter tells nested sums apart.
    """

    def __init__(
        self, extra: tuple[str, ...] = (), *, present: bool, independent: bool = False, named: bool = False
    ) -> None:
        depths = range(DEPTH)
        if named:  # one of the other classes: hits h, misses p, false alarms q and the rest w
            super().__init__((*extra, "k", *(f"{x}{d}" for d in depths for x in "hpqw")))
        else:
            free = (*(f"{x}{d}" for d in range(DEPTH) for x in "ce"), "u", "v", "w")
            # The argument on leading coefficients in `orthant.py` is needed on the set of letters that a class can
            # have. Linear inequalities describe this set, so it is convex and therefore connected, also for the letters
            # of two depths, of pairs and of guesses (`verify/every_m_readings.py` has the details under "Points"). And
            # since n comes before a and b, and these before c, the curve of that argument runs inside it: there
            # n ≫ a ≫ b ≫ c, so c, a − c, b − c and n − a − b + c are all positive.
            super().__init__((*extra, "n", "k", *(f"{x}{d}" for d in depths for x in "ab")), free)
        self.present, self.independent, self.named = present, independent, named
        self.index = {name: i for i, name in enumerate(self.variables)}

    def is_positive(self, name: str) -> bool:
        """Return whether a letter is never 0: a cell of a class may be, and a size if the class need not be present."""
        if self.named or name in ("n", "k", "s"):
            return True
        return self.present and name[0] in "ab"

    def sign_by_coefficients(self, p: Poly) -> int | None:
        """Return the sign of a polynomial for every class that its letters may describe; None where it is unknown.

        Letters of two classes at once, or of a pair, have a known sign only if all coefficients share it and all
        letters are sizes of present classes, which are positive.
        """
        if self.named or p.is_zero():
            return super().sign_by_coefficients(p)
        bound = self.letters(p) & letters_from(0)
        if not bound:
            return super().sign_by_coefficients(p)
        if len({name[1] for name in bound}) > 1 or any(name[0] == "e" for name in bound):
            return (
                None if any(name[0] in "ce" for name in bound) or not self.present else super().sign_by_coefficients(p)
            )
        return self._independent_sign(p, bound) if self.independent else self._class_sign(p, next(iter(bound))[1])

    def _class_sign(self, p: Poly, depth: str) -> int | None:
        """Return the sign that a polynomial has in all ways in which some of c, u, v and w are 0."""
        g, gens = self.variables, list(self.context.gens())
        gens[self.index[f"a{depth}"]] = g[f"c{depth}"] + g["u"]
        gens[self.index[f"b{depth}"]] = g[f"c{depth}"] + g["v"]
        gens[self.index["n"]] = g[f"c{depth}"] + g["u"] + g["v"] + g["w"]
        whole, signs = p.compose(*gens), set()
        for c, u, v, w in product((0, 1), repeat=4):
            if not (c or u or v or w) or (self.present and not ((c or u) and (c or v) and (v or w) and (u or w))):
                continue
            place = list(self.context.gens())
            for name, there in ((f"c{depth}", c), ("u", u), ("v", v), ("w", w)):
                if not there:
                    place[self.index[name]] = self.constant(0)
            signs.add(_common_sign(whole.compose(*place)))
        return signs.pop() if len(signs) == 1 else None

    def _independent_sign(self, p: Poly, bound: frozenset[str]) -> int | None:
        """Return the sign where c = a·b/n: hits, misses, false alarms and the rest are all positive there."""
        if any(name[0] == "c" for name in bound) or not self.present:
            return None
        g, depth, place = self.variables, next(iter(bound))[1], list(self.context.gens())
        place[self.index[f"a{depth}"]] = g[f"c{depth}"] + g["u"]
        place[self.index[f"b{depth}"]] = g[f"c{depth}"] + g["v"]
        place[self.index["n"]] = g[f"c{depth}"] + g["u"] + g["v"] + g["w"]
        return _common_sign(p.compose(*place))


def _common_sign(p: Poly) -> int | None:
    """Return the sign that all coefficients share; 0 for the zero polynomial, None where they differ."""
    if p.is_zero():
        return 0
    up = {c > 0 for c in p.coeffs()}
    return None if len(up) > 1 else 1 if up.pop() else -1


class Class:
    """A class inside a sum: its cell on the diagonal and its two sizes."""

    __slots__ = ("cell", "predicted", "true")

    def __init__(self, cell: Quantity | None, true: Quantity, predicted: Quantity) -> None:
        self.cell, self.true, self.predicted = cell, true, predicted

    def __index__(self) -> NoReturn:
        raise Outside("a class of any number of classes has no position")


class EveryView(SupposingView):
    """The language of ``c`` for a matrix with any number of classes.

    Sums write out the terms of the ``named`` classes; all other classes stay inside closed sums.
    """

    orthant: EveryOrthant

    def __init__(self, policy: Policy, orthant: EveryOrthant, n: Quantity, named: tuple[Class, ...] = ()) -> None:
        super().__init__([[0]], policy, orthant)
        self.m = of_polynomial(orthant, orthant.variables["k"] + 1)  # type: ignore[assignment] # no loop runs over it
        self._n, self.named = n, named
        self.depth = 0  # the nesting depth of the sum that is being read
        self.flipped = False  # whether true and predicted are exchanged
        self.scale: Quantity | None = None  # the factor of all counts, for scale invariance
        self.keeps_n = False  # whether n is the same before and after a move
        self._pair: tuple[Class, Class, Quantity] | None = None

    # Cells and sizes

    def __getitem__(self, ij: tuple[SupportsIndex | int, SupportsIndex | int]) -> Read:
        i, j = ij
        if isinstance(i, Class) and i is j and i.cell is not None:
            return i.cell
        if self._pair is not None and {id(i), id(j)} == {id(x) for x in self._pair[:2]}:
            if i is self._pair[0]:
                return self._pair[2]
            raise Outside("a cell and its mirror image in one sum")
        raise _by_number()

    @property
    def a(self) -> Sizes[Read, SupportsIndex]:
        return Sizes(lambda i: _class(i).predicted if self.flipped else _class(i).true)

    @property
    def b(self) -> Sizes[Read, SupportsIndex]:
        return Sizes(lambda i: _class(i).true if self.flipped else _class(i).predicted)

    @property
    def n(self) -> Quantity:
        return self._n

    @property
    def T(self) -> EveryView:  # noqa: N802
        turned = EveryView(self.policy, self.orthant, self._n, self.named)
        turned.flipped, turned.depth, turned.scale = not self.flipped, self.depth, self.scale
        turned.keeps_n = self.keeps_n
        return turned

    def _of_two(self, i: int, j: int) -> Read:
        raise Outside("c.tp, c.fn, c.fp and c.tn are cells of two classes")

    def vs_rest(self, i: SupportsIndex) -> PolynomialView:
        hit, a, b = self[i, i], self.a[i], self.b[i]
        return self.two(hit, a - hit, b - hit, self._n - a - b + hit)

    def two(self, tp: Read, fn: Read, fp: Read, tn: Read) -> PolynomialView:
        return PolynomialView([[tn, fp], [fn, tp]], self.policy, self.orthant)

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Read]) -> PolynomialView:
        raise Outside("a mapped matrix of every number of classes")

    # Over classes

    def _letters(self, depth: int) -> Class:
        """Return the class that stands for all classes in a closed sum."""
        ring = self.orthant
        a, b = (of_polynomial(ring, ring.variables[f"{x}{depth}"]) for x in "ab")
        cell = of_polynomial(ring, ring.variables[f"c{depth}"])
        if ring.independent:
            cell = a * b / self._n
        return Class(cell, a, b) if self.scale is None else Class(cell * self.scale, a * self.scale, b * self.scale)

    def sum(self, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None = None) -> Read:
        return self._sum(lambda i: self._term(term, i) if over is None or over(i) else constant(self.orthant, 0))

    def mean(
        self,
        term: Term[SupportsIndex, Read],
        p: Read | Number = 1,
        over: Chosen[SupportsIndex] | None = None,
        undefined: Rule[Read, SupportsIndex] | None = None,
        weights: Sizes[Read, SupportsIndex] | None = None,
    ) -> Read:
        if p != 1:
            raise Outside("a power mean over every number of classes")
        if undefined is not None and self.policy.resolves:
            term = self._with_rule(term, undefined)
        if weights is not None:  # class sizes add up to n; a class of weight 0 contributes nothing
            weighted = self.sum(lambda i: _size(weights, i) * self._term(term, i), lambda i: _size(weights, i) > 0)
            return weighted / self._n

        def each(i: Class) -> Quantity:
            if over is not None and not over(i):
                raise Outside("a class that a mean leaves out")
            return self._term(term, i)

        return self._sum(each) / self.m

    def _term(self, term: Term[SupportsIndex, Read], i: SupportsIndex) -> Quantity:
        """Return the value of a term for a class; `Outside` where the class has none or is left out."""
        try:
            value = self._of(term(i))
        except LeaveOut:
            raise Outside("a class that is left out") from None
        if not isinstance(value, Quantity):
            raise Outside("a class without a value")
        return value

    def _sum(self, term: Callable[[Class], Quantity]) -> Quantity:
        """Return a sum over all classes: the named ones written out, all others closed."""
        if self.depth >= DEPTH:
            raise Outside("too many sums inside one another")
        total = constant(self.orthant, 0)
        for known in self.named:
            total = total + term(known)
        depth = self.depth
        self.depth += 1
        try:
            if self.named:
                return total + self._others(term, depth)
            return self._closed("sum", term(self._letters(depth)), depth)
        finally:
            self.depth -= 1

    def _others(self, term: Callable[[Class], object], depth: int) -> Quantity:
        """Return the sum over the classes that are not named, as an atom.

        The atom is named by the value of the term in each way in which some of a class's hits, misses, false alarms and
        rest are 0. So two such sums are the same atom only if the term is the same function of these letters.
        """
        ring = self.orthant
        values: list[object] = []
        n = self._n
        for case in product((0, 1), repeat=4):
            h, p, q, w = case
            if not any(case) or (ring.present and not ((h or p) and (h or q) and (q or w) and (p or w))):
                continue
            hit, miss, alarm, rest = (ring.variables[f"{x}{depth}"] * y for x, y in zip("hpqw", case, strict=True))
            if self.keeps_n:
                self._n = of_polynomial(ring, hit + miss + alarm + rest)
            known = Class(*(of_polynomial(ring, x) for x in (hit, hit + miss, hit + alarm)))
            try:
                values += ["".join(map(str, case)), term(known)]
            finally:
                self._n = n
        return of_atom(ring, ring.atom("others", depth, *values, positive=False))

    def _closed(self, kind: str, body: Quantity, depth: int) -> Quantity:
        """Return the sum of a term over all classes (or pairs) as an atom, positive factors of all terms outside it."""
        ring = self.orthant
        if not body.num:
            return constant(ring, 0)
        outside, inside = ring.one, letters_from(depth)
        for factor, multiplicity in reduce(lambda g, p: g.gcd(p), body.num.values()).factor()[1]:
            if not inside & ring.letters(factor) and ring.sign_by_coefficients(factor) == 1:
                outside = outside * factor**multiplicity
        body = body / of_polynomial(ring, outside)
        try:
            positive = body.sign() > 0
        except Outside:
            positive = False
        return of_polynomial(ring, outside) * of_atom(ring, ring.atom(kind, depth, body, positive=positive))

    def product(self, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None = None) -> Read:
        raise Outside("a product over every number of classes")

    least = greatest = product

    def sum_off(self, term: PairTerm[SupportsIndex, Read], over: object = None) -> Read:
        if self.named or over is not None or self.depth + 1 >= DEPTH:
            raise Outside("a sum over pairs of classes, some of them named")
        ring, depth = self.orthant, self.depth
        first, second = self._letters(depth), self._letters(depth + 1)
        self.depth += 2
        if self.flipped:  # Σ over pairs (i, j) of the transposed matrix is Σ over pairs (j, i) of the matrix
            first, second = second, first
        cell = of_polynomial(ring, ring.variables[f"e{depth}"])
        cell = cell if self.scale is None else cell * self.scale
        if ring.independent:
            true, predicted = (second.true, first.predicted) if self.flipped else (first.true, second.predicted)
            cell = true * predicted / self._n
        self._pair = first, second, cell
        try:
            body = self._of(term(first, second))
        finally:
            self._pair, self.depth = None, depth
        if not isinstance(body, Quantity):
            raise Outside("a pair of classes without a value")
        return self._closed("pairs", body, depth)

    def xlogy(
        self,
        x: Read | float,
        y: Read | float | Callable[[], Read | float],
        above: Callable[[], Read | float] | None = None,
    ) -> Read:
        """Return x·log y as x times an atom; where x = 0, the product is 0 whatever value the atom has there."""
        factor, value = self._of(x), self._of(y() if callable(y) else y)
        if not (isinstance(factor, Quantity) and isinstance(value, Quantity)):
            raise Outside("a logarithm without a value")
        if not self._positive_unless_0(value, factor):
            self._suppose_defined()
        return factor * of_atom(self.orthant, self.orthant.atom("log", value, positive=False))

    def _positive_unless_0(self, y: Quantity, x: Quantity) -> bool:
        """Return whether the factors of x and y show that y > 0 wherever x ≠ 0.

        They do if y is a single product of letters over something positive, and x is a multiple of every letter in it
        that may be 0.
        """
        both, times = y.as_polynomials(), x.as_polynomials()
        if both is None or times is None or len(both[0]) != 1 or both[0].leading_coefficient() <= 0:
            return False
        ring = self.orthant
        try:
            if ring.sign(both[1]) != 1:
                return False
        except Outside:
            return False
        may_be_0 = [ring.index[name] for name in ring.letters(both[0]) if not ring.is_positive(name)]
        return all(monomial[k] > 0 for monomial in times[0].monoms() for k in may_be_0)

    def log(self, x: Read | float) -> Read:
        value = self._of(x)
        both = value.as_polynomials() if isinstance(value, Quantity) else None
        if both is not None and both[0] != both[1] and self.orthant.letters(both[0] - both[1]) <= {"k"}:
            place = list(self.orthant.context.gens())
            place[self.orthant.index["k"]] += 1
            # x = p/q exceeds 1 if p − q is positive for k = 1 + k′ with k′ ≥ 0.
            if all(c > 0 for c in (both[0] - both[1]).compose(*place).coeffs()):
                return of_atom(self.orthant, self.orthant.atom("log", value, positive=True))
        return super().log(value)

    def arccos(self, x: Read | float) -> Read:
        try:
            return super().arccos(x)
        except Outside:
            self._suppose_defined()
            return of_atom(self.orthant, self.orthant.atom("arccos", self._of(x), positive=False))

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Read, SupportsIndex]:
        raise Outside("a table of constants tells classes apart")

    def like(self, cells: Sequence[Sequence[object]]) -> PolynomialView:
        return PolynomialView(cells, self.policy, self.orthant)


def _size(weights: Sizes[Read, SupportsIndex], i: SupportsIndex) -> Quantity:
    """Return the weight of a class if it is one of its sizes, which add up to n; `Outside` for any other weight."""
    weight, sizes = weights[i], _class(i)
    if not isinstance(weight, Quantity) or (weight is not sizes.true and weight is not sizes.predicted):
        raise Outside("weights other than class sizes")
    return weight


def _class(i: object) -> Class:
    """Return the index of a sum as a class; a class named by its number is refused."""
    if not isinstance(i, Class):
        raise _by_number()
    return i


def _by_number() -> Outside:
    """Return the signal for a class that a definition names by its number."""
    return Outside("a definition for every number of classes names a class by number")


def letters_from(depth: int) -> frozenset[str]:
    """Return the letters of the class that is bound at this depth, and of the classes that are bound inside its sum."""
    return frozenset(f"{x}{d}" for x in "abce" for d in range(depth, DEPTH))


def cell_letters() -> frozenset[str]:
    """Return the letters that stand for cells: c of a class and e of a pair of classes, at every depth."""
    return frozenset(f"{x}{d}" for x in "ce" for d in range(DEPTH))
