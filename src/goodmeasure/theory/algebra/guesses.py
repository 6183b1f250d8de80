"""Read a definition on guesses, for every number of classes: the labelings are independent, so c_ij = a_i·b_j/n.

**What is gained.** On guesses every cell is a formula in the true size of one class and the predicted size of another,
even if the two are the same class. So a sum over pairs of different classes is Σ_i Σ_j minus the terms with j = i, the
sizes of a mapped matrix are sums of its cells, and a table of weights w(i, j) that is given by one formula enters as an
atom w_ij ≥ 0 that is 0 for j = i.

**Kinds of sizes.** ``positive``: 0 < size < n (less than n, because at least two classes have items). ``any``:
0 ≤ size ≤ n. ``several``: 0 ≤ size < n, so that at least two classes occur. ``constant``: one class is predicted for
all items, and the others never. ``missing``: some class has no true items. `prove/guesses.py` combines these cases into
a proof for a domain.

**Signs.** Each size that a polynomial mentions is 0, or n, or strictly between, as its kind admits, and the sizes
strictly between are in some order, possibly with ties. In each of these finitely many ways `_ordered` writes the sizes
in positive variables: the least is a variable, each further one is the previous one plus a variable or equal to it, and
n is the greatest plus a variable. If the coefficients give the same sign in all ways, the polynomial has that sign for
all sizes. Nothing else about the sizes is used (for instance, not that they add up to n), so the sign is shown for more
points than can occur, never for fewer.

A sum over classes is positive if its term is never negative and is positive for every class with a positive predicted
(or true) size, because some class has one. If the term is w_ij·f with f > 0 and all weights off the diagonal are
positive, then Σ_j w_ij·f is positive, because there is a class j ≠ i.

**Logarithms.** x·log y counts only where x ≠ 0. A size that divides x is positive there, so y is worked out with this
size positive; if y = 1 comes out, the term is 0 everywhere.

**Cells that may be 0.** A cell is a product of sizes over n, so where it is not 0 these sizes are positive. If y,
worked out with these sizes positive, is the same formula as x, then `c.where(cell == 0, x, y)` is x everywhere.

**Extremes over classes.** The least (or greatest) value of g·f over all classes, where g ≥ 0 depends on no class of the
extreme, is g times that of f. The latter is one atom, known by f with its class renamed, and positive if f is so for
every class, since there are finitely many.

**0/y.** If it is not known whether y is 0, then 0/y is read as 0 on the supposition that it is defined: where y = 0,
the measure has no value (`SupposingView`). So nothing has to be known about such a y. A sum over the classes that
satisfy a condition, where the condition has no single answer, is `Unknown`; a definition may use it only as such a
divisor.

**A class without true items.** If the term of such a class is undefined, so is every sum over classes; if a cell in its
row of a mapped matrix is, so is every measure of the mapped matrix (`View.finish`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import permutations, product
from typing import NoReturn, Self, SupportsIndex, cast

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import LeaveOut, Policy
from goodmeasure.language.value import Condition
from goodmeasure.language.view import (
    Branch,
    Chosen,
    ClassTable,
    ConstantTable,
    Number,
    PairTerm,
    RowsOfTable,
    Rule,
    Sizes,
    TableEntry,
    Term,
)
from goodmeasure.theory.algebra import class_sums, quantities
from goodmeasure.theory.algebra.every_m_readings import DEPTH, Class, EveryOrthant, EveryView, letters_from
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Outside, Poly, ProductKey
from goodmeasure.theory.algebra.quantities import Quantity, Read, Unknown, constant, of_atom, of_polynomial
from goodmeasure.theory.algebra.support_patterns import PolynomialView

POSITIVE, ANY, SEVERAL, CONSTANT, MISSING = "positive", "any", "several", "constant", "missing"
_MAY_BE = {POSITIVE: ("inside",), ANY: ("none", "inside", "all"), SEVERAL: ("none", "inside"), CONSTANT: ("inside",)}


class GuessOrthant(EveryOrthant):
    """The letters of classes whose sizes are of given kinds; s is the true size of the one class that is predicted."""

    def __init__(self, true: str, predicted: str) -> None:
        super().__init__(("s",), present=true == predicted == POSITIVE, independent=True)
        self.kinds = {"a": _MAY_BE.get(true, _MAY_BE[ANY]), "b": _MAY_BE[predicted]}
        self.predicted = predicted
        self.nonzero: set[str] = set()  # sizes that are assumed to be positive at the moment
        self.opened = 0  # the nesting depth of the sums that are being read
        self.missed = False  # whether the one class that is predicted has no true items
        self.open_order = True

    def is_positive(self, name: str) -> bool:
        return name in ("n", "k", "s") or name in self.nonzero or "none" not in self.kinds.get(name[0], ("none",))

    @contextmanager
    def where_positive(self, names: frozenset[str]) -> Iterator[None]:
        """Work something out where these sizes are positive."""
        before = self.nonzero
        self.nonzero = before | names
        try:
            yield
        finally:
            self.nonzero = before

    def open_answer(self) -> OpenAnswer:
        return OpenAnswer()

    def open_zero(self, difference: Quantity) -> OpenAnswer:
        """Return an open answer; it says so if a product of sizes, over something positive, is compared with 0."""
        both = difference.as_polynomials()
        if both is None or len(both[0]) != 1 or Orthant.sign_by_coefficients(self, both[1]) != 1:
            return OpenAnswer()
        letters = self.letters(both[0])
        known = letters & letters_from(0) and all(x[0] in "ab" or x == "n" for x in letters)
        return OpenZero(letters) if known else OpenAnswer()

    def atom(self, kind: str, *about: object, positive: bool) -> ProductKey:
        if self.nonzero:
            raise Outside("an atom where sizes are taken to be positive")
        return super().atom(kind, *about, positive=positive)

    def sign_by_coefficients(self, p: Poly) -> int | None:
        """Return the sign that a polynomial has for all sizes; None where it differs or is not seen."""
        bound = sorted(self.letters(p) & letters_from(0))
        if p.is_zero() or not bound:
            return Orthant.sign_by_coefficients(self, p)
        if any(x[0] in "ce" for x in bound):
            return None
        found = set()
        for kinds in product(*(self._kinds(x) for x in bound)):
            inside = [x for x, kind in zip(bound, kinds, strict=True) if kind == "inside"]
            edge = {x: kind for x, kind in zip(bound, kinds, strict=True) if kind != "inside"}
            for order in permutations(inside):
                found |= set(self._ordered(p, order, edge))
            if len(found) > 1 or None in found:
                return None
        return found.pop()

    def _kinds(self, name: str) -> tuple[str, ...]:
        return tuple(x for x in self.kinds[name[0]] if x != "none" or name not in self.nonzero)

    def _ordered(self, p: Poly, order: tuple[str, ...], edge: dict[str, str]) -> Iterator[int | None]:
        """Yield the signs if sizes rise in an order; each may also equal the one before it."""
        g = self.variables
        for steps in product((0, 1), repeat=max(len(order) - 1, 0)):
            image, last = dict(g), self.constant(0)
            for name, step in zip(order, (1, *steps), strict=bool(order)):
                last = last + g[name] * step
                image[name] = last
            if order:
                image["n"] = last + g["n"]  # here the variable n is the difference between n and the greatest size
            for name, kind in edge.items():
                image[name] = image["n"] if kind == "all" else self.constant(0)
            there = p.compose(*image.values())
            yield Orthant.sign_by_coefficients(self, there)


class OpenAnswer:
    """The answer to a comparison that is not settled; only `GuessView.sum` can use it, as that of a condition."""

    __slots__ = ()

    def _asked(self, *_: object) -> NoReturn:
        raise Outside("a comparison of sizes is not settled")

    __bool__ = __eq__ = __ne__ = __and__ = __rand__ = __or__ = __ror__ = __invert__ = _asked
    __hash__ = None  # type: ignore[assignment]


class OpenZero(OpenAnswer):
    """The answer to whether a product of sizes is 0, where both are possible; `c.where` can use it too."""

    __slots__ = ("sizes",)

    def __init__(self, letters: frozenset[str]) -> None:
        self.sizes = letters & letters_from(0)


class _LeftOpen(Exception):  # noqa: N818 - a signal inside of `GuessView.sum`
    """It is open which classes a condition selects."""


class GuessClass(Class):
    """A class inside a sum; ``depth`` tells the sums apart, −1 for the one class that is predicted."""

    __slots__ = ("depth",)

    def __init__(self, true: Quantity, predicted: Quantity, depth: int) -> None:
        super().__init__(None, true, predicted)
        self.depth = depth


class GuessView(EveryView):
    """The language of ``c`` on guesses, for any number of classes."""

    def __init__(self, policy: Policy, orthant: GuessOrthant, n: Quantity | None = None) -> None:
        super().__init__(policy, orthant, of_polynomial(orthant, orthant.variables["n"]) if n is None else n)
        self.ring = orthant
        self.open_order = True

    def __getitem__(self, ij: tuple[SupportsIndex | int, SupportsIndex | int]) -> Read:
        i, j = _guessed(ij[0]), _guessed(ij[1])
        return (j.true * i.predicted if self.flipped else i.true * j.predicted) / self._n

    @property
    def T(self) -> GuessView:  # noqa: N802
        turned = GuessView(self.policy, self.ring, self._n)
        turned.flipped = not self.flipped
        return turned

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Read]) -> PolynomialView:
        if self.policy.name == "number":
            raise Outside("a mapped matrix, where a number stands for undefined values")
        return MappedView(self, cell)

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Read, SupportsIndex]:
        if not isinstance(rows, ClassTable):
            raise Outside("a table of constants tells classes apart")
        return ConstantTable(partial(self._weight, str(id(rows.entry)), _weighs_all(rows.entry)))

    def _weight(self, name: str, positive: bool, i: object, j: object) -> Read:
        d, e = _guessed(i).depth, _guessed(j).depth
        if min(d, e) < 0:
            raise Outside("a weight of the one class that is predicted")
        if d == e:
            return constant(self.orthant, 0)
        # Weights are never negative. The sign of a "weight" atom counts as unknown; `_side_beside_diagonal` knows more.
        letters = (self.ring.variables[f"a{x}"] for x in (d, e))
        return of_atom(self.orthant, self.orthant.atom("weight", name, positive, *letters, positive=False))

    # What is left open

    def where(self, condition: Condition | bool, x: Branch[Read], y: Branch[Read]) -> Read:
        if type(condition) is not OpenZero:
            return super().where(condition, x, y)
        zero = self._of(x() if callable(x) else x)
        with self.ring.where_positive(condition.sizes):
            other = self._of(y() if callable(y) else y)
        if not (isinstance(zero, Quantity) and isinstance(other, Quantity)) or (other - zero).num:
            raise Outside("another value where a cell is 0")
        return zero

    def ratio(self, x: Read | float, y: Read | float, otherwise: Branch[Read] | None = None) -> Read:
        top = self._of(x)
        below = None if type(y) is Unknown else self._of(y)
        if not isinstance(top, Quantity) or top.num or otherwise is not None or below is UNDEFINED:
            return super().ratio(x, y, otherwise)
        if not isinstance(below, Quantity) or _quiet_sign(below) is None:
            self._suppose_defined()
            return top
        return super().ratio(x, y, otherwise)

    def min(self, *values: Read | float) -> Read:
        return Unknown() if any(type(x) is Unknown for x in values) else super().min(*values)

    def max(self, *values: Read | float) -> Read:
        return Unknown() if any(type(x) is Unknown for x in values) else super().max(*values)

    # Over classes

    def sum(self, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None = None) -> Read:
        if over is None:
            return super().sum(term)

        def chosen(i: SupportsIndex) -> bool:
            answer = over(i)
            if type(answer) not in (OpenAnswer, OpenZero):
                return bool(answer)
            with suppress(LeaveOut):
                self._of(term(i))
            raise _LeftOpen

        try:
            return super().sum(term, chosen)
        except _LeftOpen:  # nothing was refused: whatever the answer is, the sum is a number or has no value
            return Unknown()

    def least(self, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None = None) -> Read:
        return self._extreme_of_classes("least", term, over)

    def greatest(self, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None = None) -> Read:
        return self._extreme_of_classes("greatest", term, over)

    def _extreme_of_classes(
        self, kind: str, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None
    ) -> Read:
        """Return the least or greatest value over classes, as a factor that is not negative times an atom."""
        ring, depth = self.ring, self.ring.opened
        if over is not None or depth >= DEPTH or ring.nonzero or ring.predicted == CONSTANT:
            raise Outside("an extreme over some classes")
        ring.opened += 1
        try:
            body = self._term(term, self._letters(depth))
        finally:
            ring.opened -= 1
        both = body.as_polynomials()
        if both is None or both[0].is_zero():
            raise Outside("an extreme over classes of something else than a quotient of polynomials")
        own = letters_from(depth)
        outside = constant(ring, 1)
        for p, below in zip(both, (False, True), strict=True):
            for factor, power in p.factor()[1]:
                if not own & ring.letters(factor) and (len(factor) == 1 or ring.sign_by_coefficients(factor) == 1):
                    whole = of_polynomial(ring, factor) ** int(power)
                    outside = outside / whole if below else outside * whole
        inner = self._renamed(body, outside, depth)
        return outside * of_atom(ring, ring.atom("extreme", kind, inner, positive=_quiet_sign(inner) == 1))

    def _renamed(self, body: Quantity, outside: Quantity, depth: int) -> Quantity:
        """Return the term of an extreme without its factor, with the letters of its class renamed to those of depth 0.

        The factor may be 0 somewhere, so the term is not divided by it as a value: its polynomials are divided out.
        """
        ring = self.ring
        (p, q), (u, v) = body.as_polynomials(), outside.as_polynomials()  # type: ignore[misc]
        images = {f"{x}{depth}": ring.variables[f"{x}0"] for x in "ab"}
        parts = [x // y for x, y in ((p, u), (q, v))]
        if any(ring.letters(x) - set(images) - {"n", "k"} for x in parts):
            raise Outside("an extreme over classes that depends on another class")
        place = [images.get(name, g) for name, g in ring.variables.items()]
        return Quantity(ring, *({RATIONAL: x.compose(*place)} for x in parts))

    def _sum(self, term: Callable[[Class], Quantity]) -> Quantity:
        ring, depth = self.ring, self.ring.opened
        if depth >= DEPTH or ring.nonzero:
            raise Outside("too many sums inside one another")
        ring.opened += 1
        try:
            if ring.predicted != CONSTANT:
                return self._closed("sum", term(self._letters(depth)), depth)
            a = of_polynomial(ring, ring.variables[f"a{depth}"])
            s = constant(ring, 0) if ring.missed else of_polynomial(ring, ring.variables["s"])
            other = term(GuessClass(a, constant(ring, 0), depth))
            if other.letters & letters_from(depth):
                raise Outside("the terms of classes that are never predicted depend on their true sizes")
            return term(GuessClass(s, of_polynomial(ring, ring.variables["n"]), -1)) + other * (self.m - 1)
        finally:
            ring.opened -= 1

    def _letters(self, depth: int) -> GuessClass:
        a, b = (of_polynomial(self.orthant, self.ring.variables[f"{x}{depth}"]) for x in "ab")
        return GuessClass(a, b, depth)

    def _closed(self, kind: str, body: Quantity, depth: int) -> Quantity:
        """Return a sum over classes: expanded, if no closed sum remains in it, else as a factor times an atom."""
        ring = self.ring
        if not body.num:
            return constant(ring, 0)
        outside = self._common(body, letters_from(depth))
        inner = body / outside
        side = self._side(inner, depth)
        if side == -1:
            inner, outside = -inner, -outside
        atom = ring.atom(kind, depth, inner, positive=side in (1, -1))  # before `apart` makes it, with unknown sign
        whole = class_sums.apart(ring, kind, depth, body)
        if any(ring.atoms[name].kind == "sum" for key in (*whole.num, *whole.den) for name in key[1:]):
            return outside * of_atom(ring, atom)
        return whole

    def _common(self, body: Quantity, inside: frozenset[str]) -> Quantity:
        """Return the positive factor of all terms that depends on no class bound here, denominators included."""
        ring = self.ring
        found = constant(ring, 1)
        for part, below in ((body.num, False), (body.den, True)):
            common = next(iter(part.values()))
            for p in part.values():
                common = common.gcd(p)
            for factor, power in common.factor()[1]:
                if not inside & ring.letters(factor) and ring.sign_by_coefficients(factor) == 1:
                    whole = of_polynomial(ring, factor) ** int(power)
                    found = found / whole if below else found * whole
        return found

    def _side(self, body: Quantity, depth: int) -> int | None:
        """Return the sign of the sum of a term over all classes; None where these rules do not show it."""
        side = _quiet_sign(body)
        if side in (1, -1):
            return side
        side = self._side_beside_diagonal(body, depth)
        if side is not None:
            return side
        both = body.as_polynomials()
        if both is None or Orthant.sign_by_coefficients(self.ring, both[1]) != 1:
            return None
        for letter in "ab":
            with self.ring.where_positive(frozenset({f"{letter}{depth}"})):
                side = _quiet_sign(body)
            name = f"{letter}{depth}"
            if side in (1, -1) and "none" in self.ring.kinds[letter] and self._not_against(both[0], name, side):
                return side
        return None

    def _not_against(self, p: Poly, name: str, side: int) -> bool:
        """Return whether the term of a class whose size is 0 is 0, or has the same sign."""
        there = p.compose(*(self.ring.constant(0) if x == name else g for x, g in self.ring.variables.items()))
        return self.ring.sign_by_coefficients(there) in (0, side)

    def _side_beside_diagonal(self, body: Quantity, depth: int) -> int | None:
        """Return 1 for w_ij·f with positive weights off the diagonal and f > 0, since there is a class j ≠ i."""
        ring = self.ring
        if len(body.num) != 1 or set(body.den) != {RATIONAL}:
            return None
        ((key, p),) = body.num.items()
        if key[0] != "1" or len(key) != 2 or ring.atoms[key[1]].kind != "weight" or not ring.atoms[key[1]].about[1]:
            return None
        own = f"a{depth}" in {str(x) for x in ring.atoms[key[1]].about[2:]}
        positive = ring.sign_by_coefficients(p) == 1 and ring.sign_by_coefficients(body.den[RATIONAL]) == 1
        return 1 if own and positive and depth > 0 else None

    def sum_off(self, term: PairTerm[SupportsIndex, Read], over: object = None) -> Read:
        if over is not None:
            raise Outside("a sum over some pairs of classes")

        def value(i: SupportsIndex, j: SupportsIndex) -> Quantity:
            found = self._of(term(i, j))
            if not isinstance(found, Quantity):
                raise Outside("a pair of classes without a value")
            return found

        def again(i: Class) -> Quantity:
            return value(i, GuessClass(i.true, i.predicted, _guessed(i).depth))

        return self._sum(lambda i: self._sum(lambda j: value(i, j))) - self._sum(again)

    # Functions: nothing is supposed to be defined

    def xlogy(
        self,
        x: Read | float,
        y: Read | float | Callable[[], Read | float],
        above: Callable[[], Read | float] | None = None,
    ) -> Read:
        factor = self._of(x)
        if not isinstance(factor, Quantity):
            raise Outside("a logarithm without a value")
        if not factor.num:
            return factor
        both = factor.as_polynomials()
        divisors = frozenset[str]()
        if both is not None and not self.ring.present:
            divisors = frozenset(x for x in letters_from(0) if (both[0] % self.ring.variables[x]).is_zero())
        with self.ring.where_positive(divisors):
            value = self._of(y() if callable(y) else y)
        if not isinstance(value, Quantity):
            raise Outside("a logarithm without a value")
        return constant(self.orthant, 0) if not (value - 1).num else factor * self.log(value)

    def log(self, x: Read | float) -> Read:
        return PolynomialView.log(self, x)

    def sqrt(self, x: Read | float) -> Read:
        return x if type(x) is Unknown else PolynomialView.sqrt(self, x)

    def arccos(self, x: Read | float) -> Read:
        return PolynomialView.arccos(self, x)


class MappedView(GuessView):
    """A matrix that is computed cell by cell from a guess."""

    def __init__(self, base: GuessView, cell: PairTerm[SupportsIndex, Read]) -> None:
        def value(i: SupportsIndex, j: SupportsIndex) -> Quantity:
            found = base._of(cell(i, j))
            if not isinstance(found, Quantity):
                raise Outside("a mapped cell without a value")
            return found

        self.cell = value
        super().__init__(base.policy, base.ring)
        self._n = self._sum(lambda i: self._sum(lambda j: value(i, j)))

    def __getitem__(self, ij: tuple[SupportsIndex | int, SupportsIndex | int]) -> Read:
        return self.cell(*ij)

    @property
    def a(self) -> Sizes[Read, SupportsIndex]:
        return Sizes(lambda i: self._sum(lambda j: self.cell(i, j)))

    @property
    def b(self) -> Sizes[Read, SupportsIndex]:
        return Sizes(lambda j: self._sum(lambda i: self.cell(i, j)))

    @property
    def T(self) -> GuessView:  # noqa: N802
        raise Outside("the transpose of a mapped matrix")

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Read]) -> PolynomialView:
        raise Outside("a mapped matrix mapped again")


class MissingView(GuessView):
    """Guesses where some class has no true items; sums over classes and mapped matrices are undefined, or refused."""

    def sum(self, term: Term[SupportsIndex, Read], over: Chosen[SupportsIndex] | None = None) -> Read:
        if over is not None:
            raise Outside("a sum over some classes")
        return self._of_missing(term)

    def mean(
        self,
        term: Term[SupportsIndex, Read],
        p: Read | Number = 1,
        over: object = None,
        undefined: Rule[Read, SupportsIndex] | None = None,
        weights: object = None,
    ) -> Read:
        if p != 1 or any(x is not None for x in (over, undefined, weights)):
            raise Outside("a mean with rules")
        return self._of_missing(term)

    def sum_off(self, term: PairTerm[SupportsIndex, Read], over: object = None) -> Read:
        raise Outside("a sum over pairs of classes")

    def map(self, cell: Callable[[SupportsIndex, SupportsIndex], Read]) -> PolynomialView:
        if self.policy.name == "number":
            raise Outside("a mapped matrix, where a number stands for undefined values")
        self._of_missing(lambda i: cell(i, self._letters(1)))
        return cast(PolynomialView, _BrokenView(self))  # it answers as a view does

    def _of_missing(self, term: Term[SupportsIndex, Read]) -> Read:
        try:
            value = self._of(term(GuessClass(constant(self.orthant, 0), self._letters(0).predicted, 0)))
        except LeaveOut:
            raise Outside("a class that is left out") from None
        if value is not UNDEFINED:
            raise Outside("a class without true items that has a value")
        return value


class _Void:
    """A value computed from a broken matrix: arithmetic with it returns it again, and every comparison is refused."""

    __slots__ = ()

    def _same(self, *_: object) -> Self:
        return self

    def _asked(self, *_: object) -> NoReturn:
        raise Outside("the definition compares values of a matrix that has none")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _same
    __neg__ = __pos__ = __abs__ = _same
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _asked


class _BrokenView:
    """A mapped matrix with a cell without a value: a measure of it is undefined."""

    def __init__(self, view: GuessView) -> None:
        self._view, self._void = view, _Void()
        self.m, self.policy = view.m, view.policy

    def begin(self) -> _BrokenView:
        return self

    def finish(self, value: object) -> Read:
        return self._view.undefined()

    def __getitem__(self, ij: object) -> _Void:
        return self._void

    def __getattr__(self, word: str) -> object:
        if word in ("a", "b"):
            return Sizes(lambda i: self._void)
        if word == "T":
            return self
        return self._void if word in ("n", "pi") else lambda *_, **__: self._void


def _guessed(i: object) -> GuessClass:
    """Return a class of a sum; a class named by its number is refused."""
    if not isinstance(i, GuessClass):
        raise Outside("a definition for every number of classes names a class by number")
    return i


def _quiet_sign(x: Quantity) -> int | None:
    """Return the sign of a value; None where it is not settled."""
    try:
        return x.sign()
    except Outside:
        return None


def _weighs_all(entry: TableEntry) -> bool:
    """Return whether w(i, i) = 0 and w(i, j) > 0 for all classes i ≠ j; `Outside` where w may be anything else."""
    ring = Orthant(("x", "d"))
    i, d = of_polynomial(ring, ring.variables["x"]) - 1, of_polynomial(ring, ring.variables["d"])
    same, above, below = (quantities.quantity(ring, entry(*x)) for x in ((i, i), (i, i + d), (i + d, i)))
    if (
        not isinstance(same, Quantity)
        or same.num
        or any(not isinstance(x, Quantity) or x.sign() < 0 for x in (above, below))
    ):
        raise Outside("weights that are negative, or not 0 on the diagonal")
    return all(x.sign() > 0 for x in (above, below))
