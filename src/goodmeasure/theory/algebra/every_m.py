"""The language of ``c`` for every number of classes: sums over classes stay closed, a class is a few letters."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product
from typing import Any

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import LeaveOut, Policy
from goodmeasure.language.view import Sizes, Table, Term, Value
from goodmeasure.theory.algebra import quantities
from goodmeasure.theory.algebra.orthant import Orthant, Outside, Poly
from goodmeasure.theory.algebra.quantities import Quantity, constant, of_atom, of_polynomial
from goodmeasure.theory.algebra.support_patterns import PolynomialView

DEPTH = 2  # how many sums may stand inside one another


class EveryOrthant(Orthant):
    """Letters for the items n, the classes m = k + 1, and of each bound class its cell c, its sizes a and b.

    A bound class has c + u true and c + v predicted items, with u, v and the rest w not negative; ``present`` classes
    have at least one of each, and other classes do too. ``e`` is a cell of two different classes.
    """

    def __init__(
        self, extra: tuple[str, ...] = (), *, present: bool, independent: bool = False, named: bool = False
    ) -> None:
        depths = range(DEPTH)
        if named:  # the other classes: a cell h, misses p, false alarms q and the rest w
            super().__init__((*extra, "k", *(f"{x}{d}" for d in depths for x in "hpqw")))
        else:
            free = (*(f"{x}{d}" for d in range(DEPTH) for x in "ce"), "u", "v", "w")
            super().__init__((*extra, "n", "k", *(f"{x}{d}" for d in depths for x in "ab")), free)
        self.present, self.independent, self.named = present, independent, named
        self.index = {name: i for i, name in enumerate(self.variables)}

    def sign_by_coefficients(self, p: Poly) -> int | None:
        """The sign that all coefficients share, or that a polynomial of one bound class has in every case of it."""
        if self.named or p == 0:
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
        """The sign in all cases of which of c, u, v, w are 0."""
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
        """The sign where c = a·b/n: hits, misses, false alarms and the rest are all positive then."""
        if any(name[0] == "c" for name in bound) or not self.present:
            return None
        g, depth, place = self.variables, next(iter(bound))[1], list(self.context.gens())
        place[self.index[f"a{depth}"]] = g[f"c{depth}"] + g["u"]
        place[self.index[f"b{depth}"]] = g[f"c{depth}"] + g["v"]
        place[self.index["n"]] = g[f"c{depth}"] + g["u"] + g["v"] + g["w"]
        return _common_sign(p.compose(*place))


def _common_sign(p: Poly) -> int | None:
    if p == 0:
        return 0
    up = {c > 0 for c in p.coeffs()}
    return None if len(up) > 1 else 1 if up.pop() else -1


class Class:
    """A bound class: what is known of it, and nothing else may be asked."""

    __slots__ = ("cell", "predicted", "true")

    def __init__(self, cell: Value, true: Value, predicted: Value) -> None:
        self.cell, self.true, self.predicted = cell, true, predicted

    def _refuse(self, *_: Any) -> Any:
        raise TypeError("the definition looks into a class index")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __int__ = __index__ = __float__ = __bool__ = __str__ = __repr__ = _refuse


class EveryView(PolynomialView):
    """A matrix with every number of classes; ``named`` classes are written out in sums, all others stay closed."""

    def __init__(self, policy: Policy, orthant: EveryOrthant, n: Quantity, named: tuple[Class, ...] = ()) -> None:
        super().__init__([[0]], policy, orthant)
        self.m = of_polynomial(orthant, orthant.variables["k"] + 1)
        self._n, self.named = n, named
        self.depth = 0
        self.flipped = False
        self.scale: Quantity | None = None
        self.keeps_n = False  # whether n is the same before and after a move
        self._pair: tuple[Class, Class, Value] | None = None

    # Cells and sizes

    def __getitem__(self, ij: tuple[Any, Any]) -> Value:
        i, j = ij
        if isinstance(i, Class) and i is j:
            return i.cell
        if self._pair is not None and {id(i), id(j)} == {id(x) for x in self._pair[:2]}:
            if i is self._pair[0]:
                return self._pair[2]
            raise Outside("a cell and its mirror image in one sum")
        raise TypeError("a definition for every number of classes names a class by number")

    @property
    def a(self) -> Sizes:
        return Sizes(lambda i: _class(i).predicted if self.flipped else _class(i).true)

    @property
    def b(self) -> Sizes:
        return Sizes(lambda i: _class(i).true if self.flipped else _class(i).predicted)

    @property
    def n(self) -> Value:
        return self._n

    @property
    def T(self) -> EveryView:  # noqa: N802
        turned = EveryView(self.policy, self.orthant, self._n, self.named)  # type: ignore[arg-type]
        turned.flipped, turned.depth, turned.scale = not self.flipped, self.depth, self.scale
        turned.keeps_n = self.keeps_n
        return turned

    def _of_two(self, i: int, j: int) -> Value:
        raise TypeError("c.tp, c.fn, c.fp and c.tn are cells of two classes")

    def vs_rest(self, i: Any) -> Any:
        hit, a, b = self[i, i], self.a[i], self.b[i]
        return self.two(hit, a - hit, b - hit, self._n - a - b + hit)

    def two(self, tp: Value, fn: Value, fp: Value, tn: Value) -> Any:
        return PolynomialView([[tn, fp], [fn, tp]], self.policy, self.orthant)

    def map(self, cell: Callable[[Any, Any], Value]) -> Any:
        raise Outside("a mapped matrix of every number of classes")

    # Over classes

    def _letters(self, depth: int) -> Class:
        """The letters of a class that is not named."""
        ring = self.orthant
        a, b = (of_polynomial(ring, ring.variables[f"{x}{depth}"]) for x in "ab")
        cell = of_polynomial(ring, ring.variables[f"c{depth}"])
        if ring.independent:  # type: ignore[attr-defined]
            cell = a * b / self._n
        return Class(cell, a, b) if self.scale is None else Class(cell * self.scale, a * self.scale, b * self.scale)

    def sum(self, term: Term, over: Term | None = None) -> Value:
        return self._sum(lambda i: self._term(term, i) if over is None or over(i) else constant(self.orthant, 0))

    def mean(
        self, term: Term, p: Any = 1, over: Term | None = None, undefined: Any = None, weights: Any = None
    ) -> Value:
        if p != 1:
            raise Outside("a power mean over every number of classes")
        if undefined is not None and self.policy.resolves:
            term = self._with_rule(term, undefined)
        if weights is not None:  # class sizes add up to n, and a class without items has no weight
            return self.sum(lambda i: weights[i] * self._term(term, i), lambda i: weights[i] > 0) / self._n

        def each(i: Class) -> Any:
            if over is not None and not over(i):
                raise Outside("a class that a mean leaves out")
            return self._term(term, i)

        return self._sum(each) / self.m

    def _term(self, term: Term, i: Class) -> Any:
        try:
            value = self._of(term(i))
        except LeaveOut:
            raise Outside("a class that is left out") from None
        if value is UNDEFINED:
            raise Outside("a class without a value")
        return value

    def _sum(self, term: Callable[[Class], Any]) -> Any:
        if self.depth >= DEPTH:
            raise Outside("too many sums inside one another")
        total: Any = constant(self.orthant, 0)
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

    def _others(self, term: Callable[[Class], Any], depth: int) -> Quantity:
        """What the classes that are not named add: the same value wherever it is the same function of their letters.

        It is told in all cases of which letters are 0; n is the sum of a class's letters where no move changes it.
        """
        ring: Any = self.orthant
        told: list[Any] = []
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
                told += ["".join(map(str, case)), term(known)]
            finally:
                self._n = n
        return of_atom(ring, ring.atom("others", depth, *told, positive=False))

    def _closed(self, kind: str, body: Quantity, depth: int) -> Any:
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

    def product(self, term: Term, over: Term | None = None) -> Value:
        raise Outside("a product over every number of classes")

    least = greatest = product

    def sum_off(self, term: Callable[[Any, Any], Value], over: Any = None) -> Value:
        if self.named or over is not None or self.depth + 1 >= DEPTH:
            raise Outside("a sum over pairs of classes, some of them named")
        ring, depth = self.orthant, self.depth
        first, second = self._letters(depth), self._letters(depth + 1)
        self.depth += 2
        if self.flipped:  # the sum runs over all pairs, so the mirror image of a pair stands for it
            first, second = second, first
        cell = of_polynomial(ring, ring.variables[f"e{depth}"])
        cell = cell if self.scale is None else cell * self.scale
        if ring.independent:  # type: ignore[attr-defined]
            true, predicted = (second.true, first.predicted) if self.flipped else (first.true, second.predicted)
            cell = true * predicted / self._n
        self._pair = first, second, cell
        try:
            body = self._of(term(first, second))
        finally:
            self._pair, self.depth = None, depth
        if body is UNDEFINED:
            raise Outside("a pair of classes without a value")
        return self._closed("pairs", body, depth)

    def xlogy(self, x: Value, y: Value, above: Callable[[], Value] | None = None) -> Value:
        value = self._of(y() if callable(y) else y)
        return self._of(x) * of_atom(self.orthant, self.orthant.atom("log", value, positive=False))

    def log(self, x: Value) -> Value:
        value = self._of(x)
        both = value.as_polynomials() if value is not UNDEFINED else None
        if both is not None and both[0] != both[1] and self.orthant.letters(both[0] - both[1]) <= {"k"}:
            place = list(self.orthant.context.gens())
            place[self.orthant.index["k"]] += 1  # type: ignore[attr-defined]
            if all(c > 0 for c in (both[0] - both[1]).compose(*place).coeffs()):  # above 1, as k is at least 1
                return of_atom(self.orthant, self.orthant.atom("log", value, positive=True))
        return super().log(value)

    def sqrt(self, x: Value) -> Value:
        try:
            return super().sqrt(x)
        except Outside:  # where it has no value nothing is asked
            return quantities.nested_root(self._of(x), positive=False)

    def arccos(self, x: Value) -> Value:
        try:
            return super().arccos(x)
        except Outside:
            return of_atom(self.orthant, self.orthant.atom("arccos", self._of(x), positive=False))

    def table(self, rows: Any, legend: str | None = None) -> Table:
        raise Outside("a table of constants tells classes apart")

    def like(self, cells: Any) -> Any:
        return PolynomialView(cells, self.policy, self.orthant)


def _class(i: Any) -> Class:
    if not isinstance(i, Class):
        raise TypeError("a definition for every number of classes names a class by number")
    return i


def letters_from(depth: int) -> frozenset[str]:
    """Return the letters of a bound class, and of those bound inside it."""
    return frozenset(f"{x}{d}" for x in "abce" for d in range(depth, DEPTH))


def cell_letters() -> frozenset[str]:
    """Return the letters that are cells of the matrix; the others are sizes of classes."""
    return frozenset(f"{x}{d}" for x in "ce" for d in range(DEPTH))
