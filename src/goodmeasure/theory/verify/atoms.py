"""Atoms, the functions that are not quotients of polynomials, and all facts about them that `arithmetic.py` may use.

For each kind of atom: which signs it takes, a power of it that is a polynomial, values between which it lies, its value
at a point as a ball, its derivative, and its value where the variables take other values. Nothing else is used in a
check, so these facts are what has to be believed.

* `Root`: q^(1/d), for a polynomial q that is nowhere negative. Its d-th power is q. The root of a product of positive
  factors is the product of their roots, so each irreducible positive factor (and each prime number) has a root of its
  own: √(ab)·√(bc) = b·√a·√c comes out by itself. Factors of unknown sign stay together under one root.
* `Size`: the absolute value |f|, with |f|² = f²; it is the greater of f and −f. max(x, y) = (x + y + |x − y|)/2 and
  min(x, y) = (x + y − |x − y|)/2.
* `Greatest`: the greatest of three or more values; it is one of them.
* `MeanAtom`: a mean of two positive values: the power mean for a number r, or for every real r of one sign
  (`OpenExponent`), or a mean with a name (`language/means_of_two.py` shows what is used here). It is positive and
  symmetric, lies strictly between the two unless they are equal, and is homogeneous: M(g·u, g·v) = g·M(u, v) for g > 0.
* `MeanSlope`: its derivative by one of the two, which is positive because each of these means is strictly increasing in
  both. By Euler's theorem u·slope₁ + v·slope₂ = M(u, v).
* `Logarithm`, `Angle`, and constants: π, and the share 2^(−1/r), which is the power mean of 1 and 0 for r > 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from goodmeasure.packages import flint
from goodmeasure.theory.verify.arithmetic import (
    DOWN,
    NOT_DOWN,
    UP,
    ZERO,
    Atom,
    FunctionValue,
    Ground,
    PointData,
    Poly,
    Refused,
    Signs,
    _made,
)

Substitution = Mapping[str, Poly]  # polynomials in the place of variables, by name
Direction = Mapping[str, int]  # how fast variables grow, by name


class OpenExponent:
    """The exponent of a power mean of which only the sign is known: it stands for every real number of that sign.

    Comparisons take the general branch of a definition; `sample` gives exponents to compare values with.
    """

    __slots__ = ("positive",)

    def __init__(self, positive: bool) -> None:
        self.positive = positive

    def __le__(self, other: object) -> bool:
        if other != 0:
            raise Refused("an exponent that is left open compares with 0 only")
        return not self.positive

    @property
    def sample(self) -> Fraction:
        """An exponent of this sign."""
        return Fraction(3, 2) if self.positive else Fraction(-1, 2)

    def __str__(self) -> str:
        return "r > 0" if self.positive else "r <= 0"


MeanExponent = Fraction | OpenExponent | str  # of a power mean, or the name of a mean


class _Function(Atom):
    """An atom that is a function of one value."""

    def __init__(self, inner: FunctionValue, signs: Signs) -> None:
        super().__init__(signs)
        self.inner = inner

    def letters(self) -> frozenset[str]:
        return self.inner.letters

    def inside(self) -> list[FunctionValue]:
        return [self.inner]

    @property
    def itself(self) -> FunctionValue:
        """The atom as a value."""
        context = self.inner.ground.context_of((self.number,))
        return FunctionValue(self.inner.ground, context.gens()[0], context.constant(1), (self.number,))


class Root(_Function):
    """The d-th root of a polynomial that is not negative."""

    def __init__(self, inner: FunctionValue, degree: int, signs: Signs) -> None:
        super().__init__(inner, signs)
        self.degree, self.power = degree, inner

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        x = at(self.inner)
        return x.sqrt() if self.degree == 2 else x.root(self.degree)

    def derivative(self, direction: Direction) -> FunctionValue:
        """Return (q^(1/d))′ = q′·q^(1/d)/(d·q), for q > 0."""
        step = derivative(self.inner, direction)
        return step if step.is_zero else step * self.itself / (self.inner * self.degree)

    def at(self, place: Substitution) -> FunctionValue:
        return root(_needed(at(self.inner, place)), self.degree)


class SomeRoot(_Function):
    """The square root of a value that is not negative, or supposed not to be."""

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        return at(self.inner).sqrt()


class Size(_Function):
    """|f| for a polynomial f of unknown sign."""

    degree = 2

    def __init__(self, inner: FunctionValue) -> None:
        super().__init__(inner, NOT_DOWN)
        self.power = inner * inner

    def ends(self) -> list[FunctionValue]:
        return [self.inner, -self.inner]

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        return abs(at(self.inner))

    def derivative(self, direction: Direction) -> FunctionValue:
        if derivative(self.inner, direction).is_zero:
            return self.inner.ground.rational(0)
        raise Refused("the slope of an absolute value")

    def at(self, place: Substitution) -> FunctionValue:
        return size(_needed(at(self.inner, place)))


class Greatest(Atom):
    """The greatest of some values."""

    def __init__(self, values: list[FunctionValue], signs: Signs) -> None:
        super().__init__(signs)
        self.values = values

    def ends(self) -> list[FunctionValue]:
        return self.values

    def letters(self) -> frozenset[str]:
        return frozenset().union(*(x.letters for x in self.values))

    def inside(self) -> list[FunctionValue]:
        return self.values

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        first, *rest = (at(x) for x in self.values)
        for x in rest:
            first = first.max(x)
        return first

    def derivative(self, direction: Direction) -> FunctionValue:
        if all(derivative(x, direction).is_zero for x in self.values):
            return self.values[0].ground.rational(0)
        raise Refused("the slope of a greatest value")

    def at(self, place: Substitution) -> FunctionValue:
        return greatest([_needed(at(x, place)) for x in self.values])


class Logarithm(_Function):
    """The logarithm of a positive value."""

    def __init__(self, inner: FunctionValue, signs: Signs) -> None:
        super().__init__(inner, signs)
        self.exponential = inner

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        return at(self.inner).log()

    def derivative(self, direction: Direction) -> FunctionValue:
        return derivative(self.inner, direction) / self.inner

    def at(self, place: Substitution) -> FunctionValue:
        return log(_needed(at(self.inner, place)))


class Angle(_Function):
    """The arc cosine of a value between −1 and 1, an angle from 0 to π."""

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        x = at(self.inner)
        one = flint.arb(1)
        return x.intersection((-one).union(one)).acos() if not (x <= 1 and x >= -1) else x.acos()

    def derivative(self, direction: Direction) -> FunctionValue:
        step = derivative(self.inner, direction)
        return step if step.is_zero else -step / root(1 - self.inner * self.inner, 2)

    def at(self, place: Substitution) -> FunctionValue:
        return angle_of(_needed(at(self.inner, place)))


class Constant(Atom):
    """A positive number that is not rational: π, or the share 2^(−1/r) of an open exponent r > 0."""

    def __init__(self, ground: Ground, compute: Callable[[], flint.arb]) -> None:
        super().__init__(UP)
        self.ground, self.compute = ground, compute

    def letters(self) -> frozenset[str]:
        return frozenset()

    def inside(self) -> list[FunctionValue]:
        return []

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        return self.compute()

    def derivative(self, direction: Direction) -> FunctionValue:
        return self.ground.rational(0)

    def at(self, place: Substitution) -> FunctionValue:
        context = self.ground.context_of((self.number,))
        return FunctionValue(self.ground, context.gens()[0], context.constant(1), (self.number,))


class MeanAtom(Atom):
    """A mean of two positive polynomials; ``r`` is the exponent of a power mean, or the name of another mean."""

    strict = True

    def __init__(self, u: FunctionValue, v: FunctionValue, r: MeanExponent) -> None:
        super().__init__(UP)
        self.u, self.v, self.r = u, v, r

    def ends(self) -> list[FunctionValue]:
        return [self.u, self.v]

    def letters(self) -> frozenset[str]:
        return self.u.letters | self.v.letters

    def inside(self) -> list[FunctionValue]:
        return [self.u, self.v]

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        return _mean_ball(at(self.u), at(self.v), self.r)[0]

    def slopes(self) -> list[FunctionValue]:
        """Return the derivatives by u and by v."""
        ground = self.u.ground
        return [ground.new_atom(("slope", self.number, k), partial(MeanSlope, self, k)) for k in (0, 1)]

    def derivative(self, direction: Direction) -> FunctionValue:
        one, two = self.slopes()
        found: FunctionValue = one * derivative(self.u, direction) + two * derivative(self.v, direction)
        return found

    def at(self, place: Substitution) -> FunctionValue:
        u, v = _needed(at(self.u, place)), _needed(at(self.v, place))
        if u.signs() != UP or v.signs() != UP:
            raise Refused("a power mean at the boundary of its domain")
        return mean(u, v, self.r)


class MeanSlope(Atom):
    """The derivative of a power mean by one of its two values."""

    def __init__(self, of: MeanAtom, which: int) -> None:
        super().__init__(UP)
        self.of, self.which = of, which

    def letters(self) -> frozenset[str]:
        return self.of.letters()

    def inside(self) -> list[FunctionValue]:
        return self.of.inside()

    def ball(self, at: Callable[[FunctionValue], flint.arb], point: PointData) -> flint.arb:
        u, v = at(self.of.u), at(self.of.v)
        return _mean_ball(u, v, self.of.r)[1] if self.which == 0 else _mean_ball(v, u, self.of.r)[1]


def _mean_ball(u: flint.arb, v: flint.arb, r: MeanExponent) -> tuple[flint.arb, flint.arb]:
    """Return balls that contain a mean of two positive numbers and its derivative by the first, from a power series.

    Where the numbers are too close for the series, the mean M lies between u and v, and the derivative between 0 and
    M/u, since u·M_u + v·M_v = M with positive terms.
    """
    if u == v:
        return u, flint.arb(1) / 2
    before, flint.ctx.cap = flint.ctx.cap, 2
    try:
        x, y = flint.arb_series([u, 1]), flint.arb_series([v])
        if not isinstance(r, str):
            found = _power_mean(x, y, r)
        else:
            found = _NAMED[r](x, y) if r in _NAMED else _stolarsky(x, y, r)
        return found[0], found[1]
    except ValueError:
        whole = u.union(v)
        return whole, flint.arb(0).union(whole / u)
    finally:
        flint.ctx.cap = before


def _power_mean(u: flint.arb_series, v: flint.arb_series, r: Fraction | OpenExponent) -> flint.arb_series:
    q = r.sample if isinstance(r, OpenExponent) else Fraction(r)
    if q == 0:
        return (u * v).sqrt()
    p = flint.arb(flint.fmpq(q.numerator, q.denominator))
    return ((((u.log() * p).exp() + (v.log() * p).exp()) / 2).log() / p).exp()


def _stolarsky(u: flint.arb_series, v: flint.arb_series, name: str) -> flint.arb_series:
    p = int(name.removeprefix("stolarsky "))
    total = sum((u**k * v ** (p - 1 - k) for k in range(p)), flint.arb_series([0]))
    return ((total / p).log() / (p - 1)).exp()


# The means of `language/means_of_two.py`, written a second time.
_NAMED: dict[str, Callable[[flint.arb_series, flint.arb_series], flint.arb_series]] = {
    "heronian": lambda u, v: (u + (u * v).sqrt() + v) / 3,
    "logarithmic": lambda u, v: (u - v) / (u.log() - v.log()),
    "identric": lambda u, v: ((u * u.log() - v * v.log()) / (u - v) - 1).exp(),
    "seiffert": lambda u, v: (u - v) / (2 * ((u - v) / (u + v)).asin()),
    "neuman_sandor": lambda u, v: (u - v) / (2 * _asinh((u - v) / (u + v))),
}


def _asinh(z: flint.arb_series) -> flint.arb_series:
    return (z + (z * z + 1).sqrt()).log()


def _needed(x: FunctionValue | None) -> FunctionValue:
    if x is None:
        raise Refused("a value that has a pole there")
    return x


# Making atoms


def pi(ground: Ground) -> FunctionValue:
    """Return the number π."""
    return ground.new_atom("pi", lambda: Constant(ground, flint.arb.pi))


def share(ground: Ground, r: OpenExponent) -> FunctionValue:
    """Return 2^(−1/r), the power mean of 1 and 0 for an open exponent r > 0."""
    q = r.sample
    return ground.new_atom(
        ("share", str(r)), lambda: Constant(ground, lambda: flint.arb(2) ** (-flint.arb(q.denominator) / q.numerator))
    )


def root(x: FunctionValue, degree: int) -> FunctionValue:
    """Return the d-th root of a value that is not negative: (p/q)^(1/d) = (p·q^(d − 1))^(1/d)/q, since q > 0."""
    ground = x.ground
    if x.is_zero:
        return x
    if not x.signs() <= NOT_DOWN:
        ground.refuse("the root of a value that may be negative")
    content, factors = ground.factors(x.num * x.den ** (degree - 1))
    sign, found = (1 if content > 0 else -1), ground.one
    for prime, power in flint.fmpz(abs(int(content))).factor():
        found = found * _root_of(ground.rational(int(prime)), int(power), degree, UP)
    left = ground.one
    for factor, power in factors:
        f = _made(ground, factor, ground.lifted(ground.constant(1), x.atoms), x.atoms)
        signs = f.signs()
        if signs == DOWN:
            f, signs, sign = -f, UP, -sign if int(power) % 2 else sign
        if signs == UP:
            found = found * _root_of(f, int(power), degree, UP)
        else:
            whole, rest = divmod(int(power), degree)
            found = found * (size(f) if degree % 2 == 0 else f) ** whole
            left = left * f**rest
    left = left * sign
    if left.number is None:
        found = found * _root_of(left, 1, degree, NOT_DOWN if left.signs() != UP else UP)
    elif left.number != 1:
        ground.refuse("the root of a value that may be negative")
    return found / FunctionValue(ground, x.den, ground.lifted(ground.constant(1), x.atoms), x.atoms)


def _root_of(f: FunctionValue, power: int, degree: int, signs: Signs) -> FunctionValue:
    """Return f^(power/degree), where f is a polynomial without factors in common with other radicands."""
    whole, rest = divmod(power, degree)
    found: FunctionValue = f**whole
    if rest:
        found = found * f.ground.new_atom(("root", degree, *f.key), lambda: Root(f, degree, signs)) ** rest
    return found


def power(x: FunctionValue, r: Fraction) -> FunctionValue:
    """Return x to a rational power; x must be positive, or not negative with r > 0, or r a whole number."""
    if r.denominator == 1:
        return x ** int(r)
    if r < 0:
        return x.ground.one / power(x, -r)
    return root(x, r.denominator) ** r.numerator


def size(x: FunctionValue) -> FunctionValue:
    """Return |x|: the product of the absolute values of its factors, over its positive denominator."""
    signs = x.signs()
    if signs <= NOT_DOWN:
        return x
    if not signs & UP:
        return -x
    ground = x.ground
    content, factors = x.num.factor()
    one = ground.lifted(ground.constant(1), x.atoms)
    found = ground.rational(abs(int(content))) / FunctionValue(ground, x.den, one, x.atoms)
    for factor, exponent in factors:
        f = _made(ground, factor, one, x.atoms)
        signs = f.signs()
        if not signs <= NOT_DOWN and signs & UP and int(exponent) % 2:
            if f.num.leading_coefficient() < 0:
                f = -f
            t = ground.new_atom(("size", *f.key), partial(Size, f))
            found = found * t * f ** (int(exponent) - 1)
        else:
            found = found * (f if signs <= NOT_DOWN or int(exponent) % 2 == 0 else -f) ** int(exponent)
    return found


def greatest(values: list[FunctionValue]) -> FunctionValue:
    """Return the greatest of some values; a value that is never above another one is left out."""
    kept: list[FunctionValue] = []
    for x in values:
        if any((y - x).signs() <= NOT_DOWN for y in kept):
            continue
        kept = [y for y in kept if not (x - y).signs() <= NOT_DOWN] + [x]
    if len(kept) == 1:
        return kept[0]
    if len(kept) == 2:
        x, y = kept
        return (x + y + size(x - y)) / 2
    ground = kept[0].ground
    common = _common_factor(kept)
    kept = sorted((x / common for x in kept), key=lambda x: x.key)
    signs = frozenset().union(*(x.signs() for x in kept))
    if any(x.signs() == UP for x in kept):
        signs = UP
    atom = ground.new_atom(("greatest", *(x.key for x in kept)), lambda: Greatest(kept, signs))
    return common * atom


def _common_factor(values: list[FunctionValue]) -> FunctionValue:
    """Return a positive factor that values without atoms share: max(g·x, g·y, g·z) = g·max(x, y, z) for g > 0.

    So that equal extremes are one atom, whatever they were multiplied by. It is 1 where no such factor is known.
    """
    ground = values[0].ground
    if any(x.atoms for x in values):
        return ground.rational(1)
    below = values[0].den
    for x in values[1:]:
        below = below * (x.den // below.gcd(x.den))
    shared = values[0].num * (below // values[0].den)
    for x in values[1:]:
        shared = shared.gcd(x.num * (below // x.den))
    factor: FunctionValue = ground.value(shared) / ground.value(below)
    return factor if factor.signs() == UP else ground.rational(1)


def least(values: list[FunctionValue]) -> FunctionValue:
    """Return the least of some values."""
    return -greatest([-x for x in values])


def mean(x: FunctionValue, y: FunctionValue, r: MeanExponent) -> FunctionValue:
    """Return the power mean of two positive quotients of polynomials in the variables, as a factor times an atom."""
    ground = x.ground
    if x.atoms or y.atoms or x.signs() != UP or y.signs() != UP:
        ground.refuse("a power mean of something else than positive quotients of polynomials")
    u, v = x.num * y.den, y.num * x.den
    common = u.gcd(v)
    if ground.sign_at_sample(common) < 0:  # it divides a positive polynomial, so it vanishes nowhere
        common = -common
    u, v = sorted((u // common, v // common), key=ground.text)
    outside = _made(ground, common, x.den * y.den, ())
    first, second = ground.value(u), ground.value(v)
    if u == v:
        return outside * first
    return outside * ground.new_atom(
        ("mean", str(r), ground.text(u), ground.text(v)), lambda: MeanAtom(first, second, r)
    )


def log(x: FunctionValue) -> FunctionValue:
    """Return the logarithm of a positive value, as the atom of x or of 1/x: log x = −log(1/x)."""
    ground = x.ground
    if x.signs() != UP:
        ground.refuse("the logarithm of a value that may not be positive")
    signs = (x - 1).signs()
    if signs == ZERO:
        return ground.rational(0)
    turned = ground.one / x
    if signs <= NOT_DOWN or (signs & UP and x.key < turned.key):
        return ground.new_atom(("log", *x.key), lambda: Logarithm(x, signs))
    signs = frozenset(-s for s in signs)
    return -ground.new_atom(("log", *turned.key), lambda: Logarithm(turned, signs))


def angle_of(x: FunctionValue) -> FunctionValue:
    """Return the arc cosine of a value from −1 to 1."""
    return x.ground.new_atom(("angle", *x.key), lambda: Angle(x, NOT_DOWN))


def angle(x: FunctionValue) -> tuple[FunctionValue, FunctionValue] | None:
    """Return (s, c) if the value is s·arccos c with a constant s; None for any other value."""
    found = [k for k in x.atoms if isinstance(x.ground.atoms[k], Angle)]
    if len(found) != 1:
        return None
    atom = x.ground.atoms[found[0]]
    j = x.atoms.index(found[0])
    t = x.num.context().gens()[j]
    if x.num.degrees()[j] != 1 or x.den.degrees()[j] or not x.num.subs({f"_{found[0]}": 0}).is_zero():
        return None
    scale = _made(x.ground, x.num // t, x.den, x.atoms)
    assert isinstance(atom, Angle)
    return None if scale.letters else (scale, atom.inner)


def with_right_angles(x: FunctionValue) -> FunctionValue:
    """Return the same value with π/2 in place of arccos 0."""
    ground = x.ground
    known = {k: ground.atoms[k] for k in x.atoms}
    right = {k: pi(ground) / 2 for k, atom in known.items() if isinstance(atom, Angle) and atom.inner.is_zero}
    return put(x, x.num, right) / put(x, x.den, right) if right else x


# Derivatives, and values at other places


def derivative(x: FunctionValue, direction: Direction) -> FunctionValue:
    """Return the derivative along a direction: (p/q)′ = (p′q − pq′)/q², with the chain rule for atoms."""
    ground = x.ground
    top, below = (_polynomial(x, p) for p in (x.num, x.den))
    change = _slope_of(x, x.num, direction) * below - top * _slope_of(x, x.den, direction)
    return euler(change / (below * below)) if not change.is_zero else ground.rational(0)


def _polynomial(x: FunctionValue, p: Poly) -> FunctionValue:
    """Return the numerator or denominator of a value as a value."""
    return _made(x.ground, p, x.ground.lifted(x.ground.constant(1), x.atoms), x.atoms)


def _slope_of(x: FunctionValue, p: Poly, direction: Direction) -> FunctionValue:
    """Return the derivative of a polynomial in variables and atoms."""
    ground, skip = x.ground, len(x.atoms)
    total = ground.rational(0)
    for k, name in enumerate(ground.names):
        if direction.get(name) and p.degrees()[skip + k]:
            total = total + _polynomial(x, p.derivative(skip + k)) * direction[name]
    for j, k in enumerate(x.atoms):
        if p.degrees()[j]:
            total = total + _polynomial(x, p.derivative(j)) * ground.atoms[k].derivative(direction)
    return total


def euler(x: FunctionValue) -> FunctionValue:
    """Return the same value with each power mean of the numerator written as u·slope₁ + v·slope₂, if slopes occur."""
    ground = x.ground
    if not any(isinstance(ground.atoms[k], MeanSlope) for k in x.atoms):
        return x
    for k in x.atoms:
        of = ground.atoms[k]
        if isinstance(of, MeanAtom):
            one, two = of.slopes()
            x = put(x, x.num, {k: one * of.u + two * of.v}) / _polynomial(x, x.den)
    return x


def put(
    x: FunctionValue, p: Poly, images: Mapping[int, FunctionValue], place: Substitution | None = None
) -> FunctionValue:
    """Return a polynomial of a value's ring with values for some atoms and polynomials for some variables."""
    ground, skip = x.ground, len(x.atoms)
    if place:
        p = p.subs({name: 0 for name, q in place.items() if q.is_zero()})  # most terms vanish, at little cost
        gens, others = p.context().gens(), {name: q for name, q in place.items() if not q.is_zero()}
        moved = [ground.lifted(others[name], x.atoms) if name in others else None for name in ground.names]
        if others:
            p = p.compose(*gens[:skip], *(g if q is None else q for g, q in zip(gens[skip:], moved, strict=True)))
    if not skip:
        return ground.value(p)
    parts: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
    for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
        exponents = tuple(map(int, monomial))
        parts.setdefault(exponents[:skip], {})[exponents[skip:]] = int(c)
    total = ground.rational(0)
    for exponents, terms in parts.items():
        term = ground.value(ground.context.from_dict(terms))
        for e, k in zip(exponents, x.atoms, strict=True):
            if e:
                image = images.get(k)
                if image is None:
                    context = ground.context_of((k,))
                    image = FunctionValue(ground, context.gens()[0], context.constant(1), (k,))
                term = term * image**e
        total = total + term
    return total


def moved(x: FunctionValue, place: Substitution) -> FunctionValue | None:
    """Return the value with positive polynomials in the place of some variables; None where an atom mentions these.

    The denominator stays positive, since it is so for all positive numbers. Polynomials without a common factor have
    none after a shift x → x + 1, which can be undone; after anything else a common factor is looked for.
    """
    ground = x.ground
    if any(ground.letters_of(k) & place.keys() for k in x.atoms):
        return None
    images = [*x.num.context().gens()]
    shift = True
    for j, (name, g) in enumerate(zip(ground.names, ground.gens, strict=True)):
        if name in place:
            images[len(x.atoms) + j] = ground.lifted(place[name], x.atoms)
            shift = shift and place[name] == g + 1
    num, den = x.num.compose(*images), x.den.compose(*images)
    return FunctionValue(ground, num, den, x.atoms) if shift else _made(ground, num, den, x.atoms)


def at(x: FunctionValue, place: Substitution) -> FunctionValue | None:
    """Return the value where some variables take other values, 0 among them; None where the denominator vanishes.

    If the denominator vanishes nowhere at the new place, x is continuous there, so the result is a limit of x as well.
    For polynomials are continuous, and each atom that has a method `at` is continuous in the values inside it wherever
    that method accepts them: roots on [0, ∞), logarithms on (0, ∞), the arc cosine on [−1, 1] (the values inside lie in
    this closed interval, and so do their limits), means of two values on (0, ∞)², |f| and greatest values everywhere.
    The values inside are continuous by the same argument. All other atoms refuse.
    """
    if not x.letters & set(place):
        return x
    images = {k: x.ground.atoms[k].at(place) for k in x.atoms}
    below = put(x, x.den, images, place)
    signs = below.signs()
    if signs == ZERO:
        return None
    if signs not in (UP, DOWN):
        raise Refused("a denominator whose sign is not settled at another place")
    return put(x, x.num, images, place) / below


# Numbers


def number_at(x: FunctionValue, point: PointData) -> flint.fmpq | None:
    """Return the value at a point as a fraction; None unless coordinates and atoms are seen to be whole numbers."""
    numbers = [x.ground.atoms[k].whole(point) for k in x.atoms] + [point[name] for name in x.ground.names]
    if any(type(y) is not int for y in numbers):
        return None
    return flint.fmpq(x.num(*numbers), x.den(*numbers))


def ball(x: FunctionValue, point: PointData, known: dict[int, flint.arb] | None = None) -> flint.arb:
    """Return a ball (python-flint ``arb``) that contains the value at a point with rational coordinates."""
    known = {} if known is None else known

    def of(y: FunctionValue) -> flint.arb:
        return ball(y, point, known)

    for k in reversed(x.atoms):
        if k not in known:
            known[k] = x.ground.atoms[k].ball(of, point)
    return _poly_ball(x, x.num, point, known) / _poly_ball(x, x.den, point, known)


def _poly_ball(x: FunctionValue, p: Poly, point: PointData, known: dict[int, flint.arb]) -> flint.arb:
    """Return a ball that contains a polynomial of a value's ring at a point."""
    skip, total = len(x.atoms), flint.arb(0)
    numbers = [point[name] for name in x.ground.names]
    if all(type(y) is int for y in numbers):
        if not skip:
            return flint.arb(p(*numbers))
        p = p.subs(dict(zip(x.ground.names, numbers, strict=True)))
    for monomial, c in zip(p.monoms(), p.coeffs(), strict=True):
        term = flint.arb(c)
        for e, k in zip(monomial, x.atoms, strict=False):
            if e:
                term = term * _power_ball(known[k], int(e))
        for e, y in zip(monomial[skip:], numbers, strict=True):
            if e:
                term = term * _power_ball(flint.arb(flint.fmpq(Fraction(y).numerator, Fraction(y).denominator)), int(e))
        total = total + term
    return total


def _power_ball(x: flint.arb, exponent: int) -> flint.arb:
    """Return a power of a ball, also of one that contains 0 (|a − b| at a = b), for which ``**`` would give NaN."""
    return math.prod([x] * exponent, start=flint.arb(1))
