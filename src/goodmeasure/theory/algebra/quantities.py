"""Values of a definition on one support pattern: quotients of sums of polynomials, roots and atoms.

A `Quantity` is num/den with two sums of the kind that `orthant.py` describes. It stands for a function on the open
orthant, and each operation below is the operation on functions, so the value of a quantity at a point is what the
definition computes with numbers there. Two conditions keep this true everywhere on the orthant. A division demands that
the divisor has a known sign other than 0, so no denominator vanishes. A comparison answers only where its answer is the
same at every point; otherwise it raises `Outside`, and the caller finds no proof (or splits the case).

Quantities are kept in a normal form (`_reduced`), so that many equal functions become equal as data. Equality is
decided in one direction only: a numerator without terms is the function 0. A numerator that is not empty may still be
the function 0, because relations between atoms, such as log(xy) = log x + log y, are not known here. This costs proofs
and creates no false ones: a sum of terms of one sign is positive whatever relations hold between its atoms.

*Power means* of two positive rational functions x and y become one atom each. The mean is symmetric and homogeneous, so
M_r(x, y) = g·M_r(u, v), where g is a common positive factor and u, v are coprime polynomials in a fixed order: means
that differ by a factor or by the order of arguments share their atom. The greatest and the least of several values
whose order is unknown become atoms in the same way, and so does the absolute value of a value of unknown sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import NoReturn, Self, TypeAlias, overload

from goodmeasure.language.exact.reals import UNDEFINED, Exact, NoValue
from goodmeasure.language.view import shortest
from goodmeasure.packages import flint
from goodmeasure.theory.algebra.orthant import RATIONAL, Orthant, Outside, Poly, ProductKey, SumOfProducts

_MOST_POWER = 24  # the greatest whole exponent that is multiplied out


class Quantity:
    """A quotient of two sums; a comparison holds on the whole orthant at once, or raises `Outside`."""

    __slots__ = ("den", "num", "orthant")

    def __init__(self, orthant: Orthant, num: SumOfProducts, den: SumOfProducts) -> None:
        self.orthant = orthant
        self.num, self.den = _reduced(orthant, num, den)

    # Arithmetic

    def _operand(self, other: object) -> Quantity | NoValue:
        return quantity(self.orthant, other)

    @overload
    def __add__(self, other: Quantity | float | Fraction) -> Quantity: ...

    @overload
    def __add__(self, other: object) -> Quantity | NoValue: ...

    def __add__(self, other: object) -> Quantity | NoValue:
        y = self._operand(other)
        if not isinstance(y, Quantity):
            return y
        ring = self.orthant
        if _is_one(self.den) and _is_one(y.den):  # the usual case, in which nothing has to be cancelled
            return _made(ring, ring.plus(self.num, y.num), self.den)
        mine, theirs = _cofactors(ring, self.den, y.den)
        return Quantity(
            ring, ring.plus(ring.times(self.num, theirs), ring.times(y.num, mine)), ring.times(self.den, theirs)
        )

    __radd__ = __add__

    def __neg__(self) -> Quantity:
        return _made(self.orthant, {key: -p for key, p in self.num.items()}, self.den)

    @overload
    def __sub__(self, other: Quantity | float | Fraction) -> Quantity: ...

    @overload
    def __sub__(self, other: object) -> Quantity | NoValue: ...

    def __sub__(self, other: object) -> Quantity | NoValue:
        y = self._operand(other)
        return self + (-y) if isinstance(y, Quantity) else y

    @overload
    def __rsub__(self, other: Quantity | float | Fraction) -> Quantity: ...

    @overload
    def __rsub__(self, other: object) -> Quantity | NoValue: ...

    def __rsub__(self, other: object) -> Quantity | NoValue:
        return -self + other

    @overload
    def __mul__(self, other: Quantity | float | Fraction) -> Quantity: ...

    @overload
    def __mul__(self, other: object) -> Quantity | NoValue: ...

    def __mul__(self, other: object) -> Quantity | NoValue:
        y = self._operand(other)
        if not isinstance(y, Quantity):
            return y
        ring = self.orthant
        if _is_one(self.den) and _is_one(y.den):
            return _without_squares(_made(ring, ring.times(self.num, y.num), self.den))
        return _without_squares(Quantity(ring, ring.times(self.num, y.num), ring.times(self.den, y.den)))

    __rmul__ = __mul__

    @overload
    def __truediv__(self, other: Quantity | float | Fraction) -> Quantity: ...

    @overload
    def __truediv__(self, other: object) -> Quantity | NoValue: ...

    def __truediv__(self, other: object) -> Quantity | NoValue:
        y = self._operand(other)
        if not isinstance(y, Quantity):
            return y
        if y.sign() == 0:
            raise ZeroDivisionError("a division by a quantity that is 0 on the whole support pattern")
        ring = self.orthant
        return Quantity(ring, ring.times(self.num, y.den), ring.times(self.den, y.num))

    @overload
    def __rtruediv__(self, other: Quantity | float | Fraction) -> Quantity: ...

    @overload
    def __rtruediv__(self, other: object) -> Quantity | NoValue: ...

    def __rtruediv__(self, other: object) -> Quantity | NoValue:
        y = self._operand(other)
        return y / self if isinstance(y, Quantity) else y

    def __pow__(self, exponent: object) -> Quantity:
        r = shortest(exponent)
        if r.denominator != 1:
            return power(self, r)
        if r < 0:
            return 1 / self ** (-r)
        if r > _MOST_POWER:
            raise Outside(f"the power {r}")
        return reduce(lambda x, y: x * y, [self] * int(r), constant(self.orthant, 1))

    def __abs__(self) -> Quantity:
        self.orthant.extremes = True
        if self.orthant.open_order:
            return extreme([self, -self], "greatest")
        return -self if self.sign() < 0 else self

    # Order

    def sign(self) -> int:
        """Return the sign (−1, 0 or 1) on the whole orthant."""
        if not self.num:
            return 0
        return self.orthant.sign_of_sum(self.num) * self.orthant.sign_of_sum(self.den)

    def _compared(self, other: object) -> int:
        if self.orthant.supposed:
            raise Outside("a comparison after something was supposed to be defined")
        y = self._operand(other)
        return int((self - y).sign())

    def __eq__(self, other: object) -> bool:
        if other is UNDEFINED:
            return False
        try:
            return self._compared(other) == 0
        except Outside:
            gap = None if self.orthant.supposed else self - other
            left_open = self.orthant.open_zero(gap) if isinstance(gap, Quantity) else None
            if left_open is None:
                raise
            return left_open  # type: ignore[return-value]

    def __ne__(self, other: object) -> bool:
        return not self == other

    def _ordered(self, other: object, signs: tuple[int, ...]) -> bool:
        """Return whether the sign of self − other is one of these, or what stands for an open answer."""
        if other is UNDEFINED:
            return False
        try:
            return self._compared(other) in signs
        except Outside:
            left_open = None if self.orthant.supposed else self.orthant.open_answer()
            if left_open is None:
                raise
            return left_open  # type: ignore[return-value]

    def __lt__(self, other: object) -> bool:
        return self._ordered(other, (-1,))

    def __le__(self, other: object) -> bool:
        return self._ordered(other, (-1, 0))

    def __gt__(self, other: object) -> bool:
        return self._ordered(other, (1,))

    def __ge__(self, other: object) -> bool:
        return self._ordered(other, (0, 1))

    def __bool__(self) -> bool:
        return self._compared(0) != 0

    def _refusal(self, why: str) -> Exception:
        return Outside(why)

    # What it is

    def as_polynomials(self) -> tuple[Poly, Poly] | None:
        """Return numerator and denominator as polynomials; None where the value is no rational function."""
        if set(self.num) <= {RATIONAL} and set(self.den) == {RATIONAL}:
            return self.num.get(RATIONAL, self.orthant.constant(0)), self.den[RATIONAL]
        return None

    def as_fraction(self) -> Fraction | None:
        """Return the value as a number; None where it is not one rational number."""
        both = self.as_polynomials()
        if both is None or not both[0].is_constant() or not both[1].is_constant():
            return None
        return Fraction(
            0 if both[0].is_zero() else int(both[0].leading_coefficient()), int(both[1].leading_coefficient())
        )

    @property
    def letters(self) -> frozenset[str]:
        """The names of the variables that the value mentions, also under roots and inside atoms."""
        return letters_of_sum(self.orthant, self.num) | letters_of_sum(self.orthant, self.den)

    def __str__(self) -> str:
        return f"({text(self.orthant, self.num)})/({text(self.orthant, self.den)})"

    __repr__ = __str__


class Unknown:
    """A number or an undefined value about which nothing is known: arithmetic returns it, comparisons are refused."""

    __slots__ = ()

    def _same(self, *_: object) -> Self:
        return self

    def _asked(self, *_: object) -> NoReturn:
        raise Outside("a sum over classes that a condition selects")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __pow__ = _same
    __neg__ = __pos__ = __abs__ = _same
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = _asked


Outcome: TypeAlias = Quantity | NoValue  # the value of a definition on a support pattern, or that it has none
Read: TypeAlias = Outcome | Unknown  # what a definition computes with


def letters_of_sum(ring: Orthant, x: SumOfProducts) -> frozenset[str]:
    """Return the names of the variables that a sum mentions, also under roots and inside atoms."""
    return frozenset().union(*(ring.letters(p) for p in x.values()), *(letters_of_key(ring, key) for key in x))


def letters_of_key(ring: Orthant, key: ProductKey) -> frozenset[str]:
    """Return the names of the variables under the root and inside the atoms of a product."""
    return ring.letters(ring.roots[key[0]]).union(*(letters_of_atom(ring, name) for name in key[1:]))


def letters_of_atom(ring: Orthant, name: str) -> frozenset[str]:
    """Return the names of the variables that an atom is about, those that a sum over classes binds included.

    A sum over classes depends on their number as well, which is the variable k plus 1.
    """
    if name not in ring.letters_of_atoms:
        atom = ring.atoms[name]
        if atom.kind == "extreme":  # of a term over all classes: the class is bound
            ring.letters_of_atoms[name] = frozenset({"n", "k"})
            return ring.letters_of_atoms[name]
        over_classes = frozenset({"k"} if atom.kind in ("sum", "pairs", "others") else ())
        ring.letters_of_atoms[name] = over_classes.union(*(_letters(ring, x) for x in atom.about))
    return ring.letters_of_atoms[name]


def _letters(ring: Orthant, x: object) -> frozenset[str]:
    """Return the variables in an argument of an atom: a quantity, a polynomial, or something without variables."""
    if isinstance(x, Quantity):
        return x.letters
    return ring.letters(x) if isinstance(x, flint.fmpz_mpoly) else frozenset()


def text(ring: Orthant, x: SumOfProducts) -> str:
    """Return a sum as text, its terms in a fixed order."""
    return " + ".join(f"[{ring.text(x[key])}]*{'*'.join(_factor(key))}" for key in sorted(x)) or "0"


def _factor(key: ProductKey) -> list[str]:
    return [f"sqrt({key[0]})", *key[1:]]


def _is_one(x: SumOfProducts) -> bool:
    """Return whether a sum is the number 1."""
    return len(x) == 1 and RATIONAL in x and x[RATIONAL].is_one()


def _made(orthant: Orthant, num: SumOfProducts, den: SumOfProducts) -> Quantity:
    """Return a quantity whose parts are in normal form already."""
    value = Quantity.__new__(Quantity)
    value.orthant, value.num, value.den = orthant, num, den
    return value


def constant(orthant: Orthant, number: object) -> Quantity:
    """Return a rational constant as a quantity."""
    q = shortest(number)
    num = {RATIONAL: orthant.constant(q.numerator)} if q else {}
    return _made(orthant, num, {RATIONAL: orthant.constant(q.denominator)})


def of_polynomial(orthant: Orthant, p: Poly) -> Quantity:
    """Return a polynomial as a quantity."""
    return _made(orthant, {} if p.is_zero() else {RATIONAL: p}, {RATIONAL: orthant.one})


def of_atom(orthant: Orthant, key: ProductKey) -> Quantity:
    """Return the atom of a key as a quantity."""
    return _made(orthant, {key: orthant.constant(1)}, {RATIONAL: orthant.one})


def quantity(orthant: Orthant, x: object) -> Quantity | NoValue:
    """Return a number as a quantity; quantities and what is undefined are returned as they are."""
    if isinstance(x, Quantity) or x is UNDEFINED:
        return x
    if isinstance(x, Exact):
        if not x.is_rational:
            raise Outside(f"the constant {x} is not rational")
        return constant(orthant, x.as_fraction())
    if isinstance(x, float) and x != x:
        return UNDEFINED
    if isinstance(x, complex) or (isinstance(x, float) and x in (float("inf"), -float("inf"))):
        raise Outside(f"{x} is not a real number")
    try:
        return constant(orthant, x)
    except (TypeError, ValueError):
        raise TypeError(f"the definition computes with {x!r}: expected numbers and cells of c") from None


def put(x: Quantity, place: Mapping[int, Poly]) -> Quantity | None:
    """Return a quantity with positive polynomials in the place of some variables, which are given by number.

    None where one of these variables stands under a root or inside an atom.
    """
    ring = x.orthant
    moved, names = list(ring.context.gens()), list(ring.variables)
    gone = {names[k] for k in place}
    if any(letters_of_key(ring, key) & gone for part in (x.num, x.den) for key in part):
        return None
    for k, p in place.items():
        moved[k] = p
    num, den = ({key: p.compose(*moved) for key, p in part.items()} for part in (x.num, x.den))
    if all(p == g + 1 for p, g in ((p, ring.context.gens()[k]) for k, p in place.items())):
        return _made(ring, num, den)  # a shift can be undone, so no common factor arises and nothing becomes 0
    above, below = ({key: p for key, p in x.items() if not p.is_zero()} for x in (num, den))
    return Quantity(ring, above, below)


def _cofactors(ring: Orthant, x: SumOfProducts, y: SumOfProducts) -> tuple[SumOfProducts, SumOfProducts]:
    """Return (p, q) with x·q = y·p: the factors of the second and of the first numerator over a common denominator."""
    if x == y:
        one = {RATIONAL: ring.one}
        return one, one
    if len(x) == len(y) == 1:
        (key, p), (other, q) = next(iter(x.items())), next(iter(y.items()))
        if key == other:
            common = p.gcd(q)
            return {RATIONAL: p // common}, {RATIONAL: q // common}
    return x, y


def _reduced(ring: Orthant, num: SumOfProducts, den: SumOfProducts) -> tuple[SumOfProducts, SumOfProducts]:
    """Return the quotient in normal form: no single root below, no common factors, a positive denominator.

    The denominator vanishes nowhere. If it is a single polynomial of unknown sign, its leading coefficient tells its
    sign (see `orthant.py`).
    """
    if not num:
        return {}, {RATIONAL: ring.one}
    if len(den) == 1:
        ((key, p),) = den.items()
        if key[0] != "1":
            root: SumOfProducts = {(key[0],): ring.one}
            num, den = ring.times(num, root), ring.times(den, root)
            ((key, p),) = den.items()
        for name in key[1:]:
            if all(name in other[1:] for other in num):
                num, key = {_without(other, name): q for other, q in num.items()}, _without(key, name)
        den = {key: p}
    common = reduce(lambda g, p: g.gcd(p), [*den.values(), *num.values()])
    if not common.is_one():
        num, den = {key: p // common for key, p in num.items()}, {key: p // common for key, p in den.items()}
    # A leading coefficient is read at once. That of a denominator with a single polynomial gives its sign.
    if _lead_down(den) and (len(den) == 1 or all(ring.sign_by_coefficients(p) == -1 for p in den.values())):
        num, den = {key: -p for key, p in num.items()}, {key: -p for key, p in den.items()}
    return num, den


def _without_squares(x: Quantity) -> Quantity:
    """Return the same value with each squared nested root replaced by what stands under the root."""
    ring = x.orthant
    twice = {name for part in (x.num, x.den) for key in part for name in key[1:] if key.count(name) > 1}
    roots = sorted(name for name in twice if ring.atoms[name].kind == "sqrt")
    if not roots:
        return x
    inner, name = ring.atoms[roots[0]].argument(0, Quantity), roots[0]
    one = {RATIONAL: ring.one}
    parts = []
    for part in (x.num, x.den):
        total = constant(ring, 0)
        for key, p in part.items():
            half, odd = divmod(key.count(name), 2)
            rest = tuple(y for y in key if y != name) + (name,) * odd
            total = total + Quantity(ring, {(rest[0], *sorted(rest[1:])): p}, one) * inner**half
        parts.append(total)
    return parts[0] / parts[1]


def _lead_down(den: SumOfProducts) -> bool:
    """Return whether the leading coefficients of all polynomials of a denominator are negative."""
    return all(p.leading_coefficient() < 0 for p in den.values())


def _without(key: ProductKey, name: str) -> ProductKey:
    """Return a key with one occurrence of an atom removed."""
    k = key.index(name, 1)
    return key[:k] + key[k + 1 :]


# Functions


def sqrt(x: Quantity) -> Quantity:
    """Return the square root of a quantity that is not negative; the root of anything with roots is an atom.

    √(p/q) = √(p·q)/q because q > 0.
    """
    ring = x.orthant
    size, x = _sizes_outside(x)
    sign = x.sign()
    if sign == 0:
        return constant(ring, 0)
    if sign < 0:
        raise ValueError("the square root of a negative quantity")
    if size is not None:
        return size * sqrt(x)
    both = x.as_polynomials()
    if both is None:
        return nested_root(x, positive=True)
    out, under = ring.root(both[0] * both[1])
    return Quantity(ring, {(under,): out}, {RATIONAL: both[1]})


def is_negative(x: Quantity) -> bool:
    """Return whether a quantity is negative on the whole orthant.

    If it is s²·y with y ≥ 0, it is not negative, whatever the sign of s. If y < 0, it is 0 wherever s is, so the sign
    of the quantity itself decides (or raises `Outside`).
    """
    size, rest = _sizes_outside(x)
    return False if size is not None and rest.sign() >= 0 else x.sign() < 0


def _sizes_outside(x: Quantity) -> tuple[Quantity | None, Quantity]:
    """Return (s, y) with x = s²·y, where s is a product of |f| for polynomials f of unknown sign; else (None, x).

    √(f²·y) = |f|·√y for y ≥ 0, also where f is 0. Absolute values are formed only where `open_order` allows it.
    """
    ring, both = x.orthant, x.as_polynomials()
    if both is None or not x.num:
        return None, x
    size, (above, below) = None, both
    for factor, multiplicity in ring.factors(above)[1]:
        if multiplicity > 1 and ring.sign_by_coefficients(factor) is None:
            ring.extremes = True
            if ring.open_order:
                k = int(multiplicity) // 2
                size = abs(of_polynomial(ring, factor)) ** k * (1 if size is None else size)
                above = above // factor ** (2 * k)
    return size, x if size is None else Quantity(ring, {RATIONAL: above}, {RATIONAL: below})


def nested_root(x: Quantity, *, positive: bool) -> Quantity:
    """Return the root of a quantity that is no rational function as an atom, with squares taken out of it."""
    ring = x.orthant
    common = reduce(lambda g, p: g.gcd(p), x.num.values())
    out = ring.root(common)[0] if ring.sign_by_coefficients(common) == 1 else ring.one
    inner = x / of_polynomial(ring, out * out)
    return of_polynomial(ring, out) * of_atom(ring, ring.atom("sqrt", inner, positive=positive))


def power(x: Quantity, r: Fraction) -> Quantity:
    """Return x to a rational power; x must be positive, or 0 with r > 0, or r must be a whole number."""
    if r.denominator == 1:
        return x ** int(r)
    if r.denominator == 2:
        return sqrt(x) ** r.numerator
    if x.sign() == 0:
        return constant(x.orthant, 0)
    if r < 0:
        return 1 / power(x, -r)
    number = x.as_fraction()
    whole = None if number is None else _whole_root(number, r.denominator)
    if whole is not None:
        return constant(x.orthant, whole**r.numerator)
    return of_atom(x.orthant, x.orthant.atom("power", r, x, positive=True))


def _whole_root(number: Fraction, degree: int) -> Fraction | None:
    """Return the root of a positive number; None where it is not rational."""
    found = Fraction(*(int(flint.fmpz(x).root(degree)) for x in (number.numerator, number.denominator)))
    return found if found**degree == number else None


def mean(x: Quantity, y: Quantity, r: object) -> Quantity:
    """Return the power mean of two positive rational functions, as a factor times an atom."""
    ring = x.orthant
    first, second = x.as_polynomials(), y.as_polynomials()
    if first is None or second is None or x.sign() <= 0 or y.sign() <= 0:
        raise Outside("a power mean of something else than positive rational functions")
    u, v = first[0] * second[1], second[0] * first[1]
    common = u.gcd(v)
    if ring.sign(common) < 0:
        common = -common
    u, v = sorted((u // common, v // common), key=ring.text)
    outside = Quantity(ring, {RATIONAL: common}, {RATIONAL: first[1] * second[1]})
    if u == v:
        return outside * of_polynomial(ring, u)
    return outside * of_atom(ring, ring.atom("mean", r, u, v, positive=True))


def extreme(values: Sequence[Quantity], kind: str) -> Quantity:
    """Return the "greatest" or the "least" of some values; where their order is open, as a factor times an atom.

    What another value certainly beats is left out. If max(g·u, g·v, …) = g·max(u, v, …) for a positive factor g that
    all values share (a denominator, a root, a polynomial), the atom is about u, v, … in a fixed order: extremes that
    differ by a factor or by the order of their arguments share their atom. The absolute value |x| is max(x, −x).
    """
    kept: list[Quantity] = []
    for x in values:
        if not any(_beats(y, x, kind) for y in kept):
            kept = [*(y for y in kept if not _beats(x, y, kind)), x]
    if len(kept) == 1:
        return kept[0]
    ring = kept[0].orthant
    outside, inner = _shared_factor(kept)
    positive = (any if kind == "greatest" else all)(_sign(of(ring, x)) == 1 for x in inner)

    def name(x: Poly | Quantity) -> str:
        return str(x) if isinstance(x, Quantity) else ring.text(x)

    return outside * of_atom(ring, ring.atom(kind, "", *sorted(inner, key=name), positive=positive))


def of(ring: Orthant, x: object) -> Quantity:
    """Return an argument of an atom, which is a polynomial or a quantity, as a quantity."""
    if isinstance(x, Quantity):
        return x
    assert isinstance(x, Poly)
    return of_polynomial(ring, x)


def _sign(x: Quantity) -> int | None:
    """Return the sign of a quantity; None where it is not settled."""
    try:
        return x.sign()
    except Outside:
        return None


def _beats(x: Quantity, y: Quantity, kind: str) -> bool:
    """Return whether y is nowhere greater (or less) than x, so that an extreme of both is x."""
    return _sign(x - y if kind == "greatest" else y - x) in (0, 1)


def _shared_factor(values: list[Quantity]) -> tuple[Quantity, Sequence[Poly | Quantity]]:
    """Return (g, polynomials) with values = g·polynomials and g > 0; (1, the values) where there is no such factor.

    A denominator that is a single polynomial is positive (see `_reduced`), and so are roots and positive atoms.
    """
    ring = values[0].orthant
    keys = {key for x in values for key in x.num}
    plain = all(set(x.den) == {RATIONAL} for x in values)
    if len(keys) != 1 or not plain or not all(ring.atoms[name].positive for key in keys for name in key[1:]):
        return constant(ring, 1), list(values)
    (key,) = keys
    below = reduce(lambda d, x: d * (x.den[RATIONAL] // d.gcd(x.den[RATIONAL])), values, ring.one)
    none = ring.constant(0)
    above = [x.num.get(key, none) * (below // x.den[RATIONAL]) for x in values]
    common = reduce(lambda g, p: g.gcd(p), above)
    side = ring.sign_by_coefficients(common)
    if side is None:
        common = ring.one
    elif side < 0:
        common = -common
    return Quantity(ring, {key: common}, {RATIONAL: below}), [p // common for p in above]


def log(x: Quantity) -> Quantity:
    """Return the logarithm of a positive quantity, as a positive atom where it is known on which side of 1 x lies.

    log x = −log(1/x), so the atom is the logarithm of whichever of x and 1/x exceeds 1, or of the first one in a fixed
    order where that is open.
    """
    ring = x.orthant
    try:
        side = (x - 1).sign()
    except Outside:
        turned = 1 / x
        if (text(ring, turned.num), text(ring, turned.den)) < (text(ring, x.num), text(ring, x.den)):
            return -of_atom(ring, ring.atom("log", turned, positive=False))
        return of_atom(ring, ring.atom("log", x, positive=False))
    if side == 0:
        return constant(ring, 0)
    if side > 0:
        return of_atom(ring, ring.atom("log", x, positive=True))
    return -of_atom(ring, ring.atom("log", 1 / x, positive=True))
