"""Values of a definition where some variables are positive: products of powers of polynomials.

A `Value` is k·∏ f^e with a rational number k, polynomials f and rational exponents e. So products, quotients and roots
need no arithmetic, and what is common to two terms of a sum is taken out before the rest is multiplied out.

A `Ring` has the variables, which stand for positive numbers, and *atoms*: what no polynomial expresses (a root inside a
sum, a logarithm, an angle) is a further variable, with what is known of its sign and, for the d-th root A of f, with
A^d = f. Nothing else is assumed about atoms, so a polynomial without terms is 0 wherever the variables are positive;
the converse need not hold, which can cost proofs and makes no false ones.

The sign of a polynomial is seen from its coefficients: a sum of terms of one sign has that sign. Any other sign is a
*fact*: something that a certificate shows (`facts.py`) before it is used here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.polynomials import BITS, ONE, Polynomial, constant, exponents, variable
from goodmeasure.theory.kernel.refusal import Refused, Unsettled, demand
from goodmeasure.theory.kernel.signs import NEGATIVE, NOT_NEGATIVE, NOT_ZERO, POSITIVE, UNKNOWN, ZERO

Exponent = int | Fraction
MOST_ATOMS = 200
FINEST = 60  # the greatest denominator of an exponent of a value
_MOST_TRIED = 10_000  # divisors of a number under a root


class Atom:
    """A variable of a ring that stands for a function of others.

    It is ``slow`` if its product with any x that tends to 0 in a straight line tends to 0, where its parts are made of
    plain variables and tend to a limit.
    """

    slow = False

    def __init__(self, ring: Ring, parts: tuple[Value, ...]) -> None:
        self.ring, self.parts, self.place = ring, parts, -1  # the place is its number as a variable

    @property
    def sign(self) -> int:
        """The signs that it may have; this may rest on facts, so it is asked for each time."""
        return UNKNOWN

    @cached_property
    def label(self) -> str:
        """The text of the atom."""
        return self.text()

    @property
    def value(self) -> Value:
        """The atom as a value."""
        return self.ring.of(variable(self.place))

    def text(self) -> str:
        """Return the atom as `texts.parsed` reads it."""
        raise NotImplementedError

    def reduced(self, p: Polynomial) -> Polynomial:
        """Return a polynomial that is the same function, and in which the atom stands as simply as it can."""
        return p

    def derivative(self, slope: Callable[[Value], Value]) -> Value:
        """Return the derivative of the atom, given that of the values in it."""
        raise Refused(f"{self.text()} has no derivative here")

    def at(self, moved: Callable[[Value], Value]) -> Value:
        """Return what the atom becomes, by continuity, where the values in it become others."""
        raise Refused(f"{self.text()} at another place")


class Root(Atom):
    """The d-th root of a polynomial that is not negative."""

    slow = True  # it has a limit

    def __init__(self, ring: Ring, of: Polynomial, degree: int) -> None:
        super().__init__(ring, (ring.of(of),))
        self.of, self.degree = of, degree

    @property
    def sign(self) -> int:
        return self.ring.signs(self.of) & NOT_NEGATIVE

    def text(self) -> str:
        return f"root({self.ring.text(self.of)}, {self.degree})"

    def reduced(self, p: Polynomial) -> Polynomial:
        """Return the polynomial with A^d = f for the d-th root A of f."""
        parts = p.by_degree(self.place)
        if max(parts, default=0) < self.degree:
            return p
        p = Polynomial({}, 0)
        for e, part in parts.items():
            q, r = divmod(e, self.degree)
            p = p + part * variable(self.place) ** r * self.of**q
        return p


class Ring:
    """Positive variables, the atoms over them, and facts about signs."""

    def __init__(self, names: Iterable[str], whole: Iterable[str] = (), kept: Iterable[str] = ()) -> None:
        self.names = list(names)
        self.kept = set(kept)  # variables that stand for themselves in every branch of a case
        self.size = len(self.names)  # of the plain variables
        self.places = {x: k for k, x in enumerate(self.names)}
        self._plain = (1 << self.size * BITS) - 1
        self.whole = {self.names.index(x) for x in whole}  # variables that are whole numbers
        self.atoms: list[Atom] = []
        self.facts: dict[Polynomial, int] = {}  # what is known of signs beyond coefficients
        self.factored: dict[Polynomial, list[tuple[Polynomial, int]]] = {}  # polynomials that are known as products
        self.leaves_open = False  # whether it may stay open which of some values is the greatest
        self.consulted = 0  # how often a fact was used
        self.shown: deque[tuple[str, Value]] = deque(maxlen=50)  # the latest values that were shown > 0, >= 0 or equal
        self._atoms: dict[object, Atom] = {}
        self._signs: dict[Polynomial, int] = {}

    # Making values

    def number(self, x: int | Fraction) -> Value:
        """Return a number as a value."""
        return Value(self, Fraction(x), {})

    def variable(self, k: int) -> Value:
        """Return a variable as a value."""
        return Value(self, Fraction(1), {variable(k): 1})

    def of(self, p: Polynomial) -> Value:
        """Return a polynomial as a value, taken apart into what is known of its factors."""
        p = self.reduced(p)
        if not p:
            return self.number(0)
        k = p.content() * self.leading_sign(p)
        common = p.common_monomial()
        p = p.over(k).over_monomial(common)
        powers: dict[Polynomial, Exponent] = {}
        for place, e in exponents(common):
            atom = self.atom(place)
            if isinstance(atom, Root):
                powers[atom.of] = powers.get(atom.of, 0) + Fraction(e, atom.degree)
            else:
                powers[variable(place)] = e
        self.consulted += p in self.factored
        for f, e in self.factored.get(p, [(p, 1)]):
            if f.number is None:
                powers[f] = powers.get(f, 0) + e
        return Value(self, Fraction(k), powers).tidy()

    def remember(self, x: Value) -> None:
        """Remember the factors of a product of powers that are not negative, for where it is met multiplied out."""
        factors = {f: int(e) for f, e in x.powers.items() if len(f) > 1}
        if sum(factors.values()) > 1:
            self.factored[self.expanded(factors)] = list(factors.items())

    def reduced(self, p: Polynomial) -> Polynomial:
        """Return a polynomial with its atoms as simple as they can be; later atoms may contain earlier ones."""
        k = self.size + len(self.atoms)
        while k > self.size:
            k = max((x for x in p.variables() if x < k), default=0)
            if k >= self.size:
                p = self.atoms[k - self.size].reduced(p)
        return p

    def atom(self, k: int) -> Atom | None:
        """Return the atom that a variable stands for; None for a plain variable."""
        return self.atoms[k - self.size] if k >= self.size else None

    def atom_of(self, value: Value) -> Atom | None:
        """Return the atom that a value is; None for any other value."""
        (k,) = value.atoms() if len(value.atoms()) == 1 else [-1]
        return self.atom(k) if k >= 0 and self.of(variable(k)).key == value.key else None

    def made(self, key: object, make: Callable[[], Atom]) -> Atom:
        """Return the atom with a key; the same one each time."""
        found = self._atoms.get(key)
        if found is None:
            found = make()
            demand(len(self.atoms) < MOST_ATOMS, "there are too many roots and other functions")
            found.place = self.size + len(self.atoms)
            self.atoms.append(found)
            self._atoms[key] = found
        return found

    def forget(self, count: int) -> None:
        """Forget all atoms but the first ones; values that contain the others must not be used any more."""
        if len(self.atoms) > count:
            del self.atoms[count:]
            self._atoms = dict(list(self._atoms.items())[:count])
            self._signs.clear()

    def root(self, f: Polynomial, degree: int) -> Polynomial:
        """Return the d-th root of a polynomial as a variable."""
        return variable(self.made((f, degree), lambda: Root(self, f, degree)).place)

    def expanded(self, powers: Mapping[Polynomial, Exponent]) -> Polynomial:
        """Return a product of powers with exponents that are not negative as one polynomial."""
        found = ONE
        for f, e in powers.items():
            whole = e.numerator // e.denominator
            found = found * f**whole
            if e != whole:
                rest = e - whole
                found = found * self.root(f, rest.denominator) ** rest.numerator
        return found

    # Signs

    def sign_of_variable(self, k: int) -> int:
        """Return the signs that a variable may have."""
        return POSITIVE if k < self.size else self.atoms[k - self.size].sign

    def signs(self, p: Polynomial) -> int:
        """Return the signs that a polynomial may have, by its coefficients and the facts."""
        found = self._signs.get(p)
        if found is None:
            found = self.by_coefficients(p)
            if all(e <= self._plain for e in p.terms):  # the sign of an atom may rest on facts
                self._signs[p] = found
        if signs.single(found) is None and self.facts:
            if p in self.facts:
                self.consulted += 1
                found &= self.facts[p]
            elif self.leading_sign(p) < 0 and -p in self.facts:  # a fact is about a polynomial that starts with +
                self.consulted += 1
                found &= signs.TURNED[self.facts[-p]]
        if signs.single(found) is None and p in self.factored:
            self.consulted += 1
            found &= self.of(p).signs()
        return found

    def signs_of(self, p: Polynomial) -> int:
        """Return the signs that any polynomial may have; a fact is about one in lowest terms."""
        return self.of(p).signs()

    def by_coefficients(self, p: Polynomial) -> int:
        """Return the signs that a polynomial may have, by those of its terms."""
        found = ZERO
        for e, c in p.terms.items():
            term = signs.of_number(c)
            for k, x in exponents(e >> self.size * BITS):
                term = signs.TIMES[term, signs.power(self.atoms[k].sign, x)]
            found = signs.PLUS[found, term]
            if found == UNKNOWN:
                break
        return found

    def leading_sign(self, p: Polynomial) -> int:
        """Return the sign of the coefficient of the greatest monomial."""
        return 1 if p.terms[max(p.terms, key=self.order)] > 0 else -1  # type: ignore[arg-type] # a number and names

    # Texts, and an order of monomials, that do not depend on which atoms came first

    def order(self, e: int) -> object:
        """Return what monomials are ordered by."""
        plain, atoms = e & self._plain, e >> self.size * BITS
        if not atoms:
            return plain, ()
        return plain, tuple(sorted((self.atoms[k].label, x) for k, x in exponents(atoms)))

    def name(self, k: int) -> str:
        """Return the name of a variable, or the text of an atom."""
        return self.names[k] if k < self.size else self.atoms[k - self.size].label

    def text(self, p: Polynomial) -> str:
        """Return a polynomial as text, the greatest monomials first."""
        parts = []
        for e in sorted(p.terms, key=self.order, reverse=True):  # type: ignore[arg-type] # a number and names
            c, factors = p.terms[e], sorted(self._power_text(self.name(k), x) for k, x in exponents(e))
            if abs(c) != 1 or not factors:
                factors.insert(0, str(abs(c)))
            parts += ["-" if c < 0 else "+", "*".join(factors)]
        if not parts:
            return "0"
        return ("-" if parts[0] == "-" else "") + " ".join(parts[1:])

    @staticmethod
    def _power_text(base: str, x: Exponent) -> str:
        if x.denominator != 1:
            inner = Ring._power_text(base, x.numerator)
            return f"sqrt({inner})" if x.denominator == 2 else f"root({inner}, {x.denominator})"
        if x == 1:
            return base
        return f"{base}^{x}" if x > 0 else f"{base}^({x})"


class Value:
    """A number times powers of polynomials. The number is 0 only if there are no powers."""

    __slots__ = ("_key", "coefficient", "powers", "ring")

    def __init__(self, ring: Ring, coefficient: Fraction, powers: dict[Polynomial, Exponent]) -> None:
        self.ring, self.coefficient, self.powers = ring, coefficient, powers if coefficient else {}
        self._key: tuple[Fraction, frozenset[tuple[Polynomial, Exponent]]] | None = None

    @property
    def key(self) -> tuple[Fraction, frozenset[tuple[Polynomial, Exponent]]]:
        """What tells values apart; equal keys are equal values."""
        if self._key is None:
            self._key = self.coefficient, frozenset(self.powers.items())
        return self._key

    def tidy(self) -> Value:
        """Return the value with whole powers of numbers in its coefficient."""
        numbers = [f for f in self.powers if f.number is not None]
        if not numbers:
            return self
        powers, k = dict(self.powers), self.coefficient
        for f in numbers:
            e = powers.pop(f)
            whole = e.numerator // e.denominator
            number = f.number
            assert number is not None
            demand(abs(whole) * number.bit_length() < 10_000, "a number is too large")
            k *= Fraction(number) ** whole
            if e != whole:
                powers[f] = e - whole
        return Value(self.ring, k, powers)

    # Arithmetic

    def __mul__(self, other: Value) -> Value:
        if not self.coefficient or not other.coefficient:
            return self.ring.number(0)
        powers = dict(self.powers)
        mixed = False
        for f, e in other.powers.items():
            new = powers.get(f, 0) + e
            if new:
                powers[f] = new
                mixed = mixed or f.number is not None
            else:
                del powers[f]
        k = self.coefficient * other.coefficient
        demand(k.numerator.bit_length() + k.denominator.bit_length() < 20_000, "a number is too large")
        found = Value(self.ring, k, powers)
        return found.tidy() if mixed else found

    def __neg__(self) -> Value:
        return Value(self.ring, -self.coefficient, self.powers)

    def __add__(self, other: Value) -> Value:
        if not self.coefficient or not other.coefficient:
            return self if not other.coefficient else other
        if self.powers == other.powers:
            return Value(self.ring, self.coefficient + other.coefficient, self.powers)
        common: dict[Polynomial, Exponent] = {}
        for f in {**self.powers, **other.powers}:
            least = min(self.powers.get(f, 0), other.powers.get(f, 0))
            if least:
                common[f] = least
        parts = []
        for x in (self, other):
            rest = {f: e - common.get(f, 0) for f, e in x.powers.items()}
            rest |= {f: -e for f, e in common.items() if f not in x.powers}
            parts.append(self.ring.expanded({f: e for f, e in rest.items() if e}))
        one, two = self.coefficient, other.coefficient
        scale = Fraction(1, one.denominator * two.denominator)
        p = parts[0].times(one.numerator * two.denominator) + parts[1].times(two.numerator * one.denominator)
        return self.ring.of(p) * Value(self.ring, scale, common)

    def __sub__(self, other: Value) -> Value:
        return self + -other

    def inverse(self) -> Value:
        """Return 1/x, where x is shown not to be 0."""
        for f, e in self.powers.items():
            if e > 0 and self.ring.signs(f) & ZERO:
                raise Unsettled(f, "a divisor is not shown to differ from 0")
        demand(self.coefficient, "a division by 0")
        return Value(self.ring, 1 / self.coefficient, {f: -e for f, e in self.powers.items()}).tidy()

    def __truediv__(self, other: Value) -> Value:
        return self * other.inverse()

    def times(self, k: int | Fraction) -> Value:
        """Return k·x for a number k."""
        return Value(self.ring, self.coefficient * k, self.powers)

    def __pow__(self, exponent: int) -> Value:
        if exponent < 0:
            return self.inverse() ** -exponent
        if exponent == 0:
            return self.ring.number(1)
        demand(exponent <= 1000, "an exponent is too large")
        bits = max(self.coefficient.numerator.bit_length(), self.coefficient.denominator.bit_length())
        demand(bits * exponent < 10_000, "a number is too large")
        powers = {f: e * exponent for f, e in self.powers.items()}
        return Value(self.ring, self.coefficient**exponent, powers).tidy()

    def power(self, r: Fraction) -> Value:
        """Return x^r for a value that is not negative and a fraction r; r > 0 where x may be 0.

        (∏ f^e)^r = ∏ f^(e·r) holds if every f is not negative, so factors of known negative sign are turned, and an
        even power f^e with an even e·r is the same for f and −f.
        """
        ring = self.ring
        if r.denominator == 1:
            return self ** int(r)
        demand(r.denominator <= FINEST and abs(r.numerator) <= 1000, "an exponent is too large")
        if not self.coefficient:
            demand(r > 0, "a division by 0")
            return self
        if r < 0:
            return self.inverse().power(-r)
        sign, powers = 1 if self.coefficient > 0 else -1, dict[Polynomial, Exponent]()
        for f, e in self.powers.items():
            known = ring.signs(f)
            if not known & NEGATIVE:
                powers[f] = powers.get(f, 0) + e * r
            elif known == NEGATIVE and e.denominator == 1:
                powers[-f] = powers.get(-f, 0) + e * r
                sign = -sign if e % 2 else sign
            elif e.denominator == 1 and e % 2 == 0 and (e * r).denominator == 1 and (e * r) % 2 == 0:
                powers[f] = powers.get(f, 0) + int(e * r)
            else:
                raise Unsettled(f)
        demand(sign > 0, "the root of a negative number")
        for number, side in ((abs(self.coefficient.numerator), 1), (self.coefficient.denominator, -1)):
            for prime, e in primes(number):
                f = constant(prime)
                powers[f] = powers.get(f, 0) + side * e * r
        whole = {f: int(e) if e.denominator == 1 else e for f, e in powers.items() if e}
        return Value(ring, Fraction(1), whole).tidy()

    # Signs

    def signs(self) -> int:
        """Return the signs that the value may have."""
        found = signs.of_number(self.coefficient)
        for f, e in self.powers.items():
            found = signs.TIMES[found, signs.power(self.ring.signs(f), e)]
        return found

    def must_be(self, wanted: int) -> None:
        """Demand that the value has one of some signs."""
        found = self.signs()
        if found & ~wanted:
            raise self.unsettled(found, wanted)

    def unsettled(self, found: int, wanted: int) -> Refused:
        """Return the refusal that names the polynomial of which more should be known."""
        if not found & wanted:
            return Refused("a value has the wrong sign")
        known = {f: signs.power(self.ring.signs(f), e) for f, e in self.powers.items()}
        for blind in (lambda x: x & NOT_ZERO == NOT_ZERO, lambda x: signs.single(x) is None):
            for f, x in known.items():
                if blind(x):
                    return Unsettled(f)
        return Refused("a value has the wrong sign")

    def sign(self) -> int:
        """Return the sign, which must be known."""
        found = self.signs()
        sign = signs.single(found)
        if sign is None:
            raise self.unsettled(found, UNKNOWN)
        return sign

    def is_zero(self) -> bool:
        """Return whether the value is shown to be 0."""
        return not self.coefficient or self.signs() == ZERO

    # What it is made of

    def variables(self) -> set[int]:
        """Return the plain variables that the value depends on."""
        found: set[int] = set()
        stack: list[Value] = [self]
        while stack:
            for f in stack.pop().powers:
                for k in f.variables():
                    atom = self.ring.atom(k)
                    if atom is None:
                        found.add(k)
                    else:
                        stack.extend(atom.parts)
        return found

    def atoms(self) -> set[int]:
        """Return the places of the atoms that the value is written with, without those inside of them."""
        return {k for f in self.powers for k in f.variables() if k >= self.ring.size}

    def is_number(self) -> bool:
        """Return whether no variable occurs in the value."""
        return not self.powers or not self.variables()

    def number(self) -> Fraction | None:
        """Return a rational number; None for any other value."""
        return None if self.powers else self.coefficient

    def text(self) -> str:
        """Return the value as text that `texts.parsed` reads."""
        ring = self.ring
        above, below = ([f for f, e in self.powers.items() if e > 0], [f for f, e in self.powers.items() if e < 0])
        found = str(self.coefficient) if self.coefficient != 1 or not above else ""
        for f in (*sorted(above, key=ring.text), *sorted(below, key=ring.text)):
            inner, e = ring.text(f), self.powers[f]
            one = f.number is not None or (len(f) == 1 and "^" not in inner and "*" not in inner and inner[0] != "-")
            found += "/" if e < 0 else "*" if found else ""
            found += ring._power_text(inner if one else f"({inner})", -e if e < 0 else e)
        return found

    def __repr__(self) -> str:
        return self.text()


def primes(n: int) -> list[tuple[int, int]]:
    """Return a whole number as a product of powers; what small divisors leave stays together."""
    found, p = [], 2
    while n > 1 and p <= _MOST_TRIED:
        if p * p > n:
            p = n
        e = 0
        while n % p == 0:
            n, e = n // p, e + 1
        if e:
            found.append((p, e))
        p += 1 + (p > 2)
    return [*found, (n, 1)] if n > 1 else found


def total(ring: Ring, values: Sequence[Value]) -> Value:
    """Return the sum of some values."""
    found = ring.number(0)
    for x in values:
        found = found + x
    return found


__all__ = ["NOT_ZERO", "Atom", "Ring", "Root", "Value", "primes", "total"]
