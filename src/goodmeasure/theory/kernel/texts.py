"""Read a value from text: what `Value.text` and `Ring.text` write, and numbers such as ``247*sqrt(1219)/10971``."""

from __future__ import annotations

import re
from fractions import Fraction

from goodmeasure.theory.kernel.functions import arccos, exp, extreme, log, pi
from goodmeasure.theory.kernel.means import known_mean, mean_of_two, share, slope_of_two
from goodmeasure.theory.kernel.polynomials import BITS, LARGEST_DEGREE, MOST_DIGITS, Polynomial
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.kernel.values import Ring, Value

LONGEST = 1_000_000  # characters of a text
_TOKEN = re.compile(r"\s*(?:(\d{1,5000})|([A-Za-z_][A-Za-z_0-9]{0,60})|(.))", re.ASCII)
DIGITS = "0123456789"
_DEEPEST = 60
_ENDS = ("+", "-", ")", ",", "")  # what may follow a term
_Monomial = tuple[int, int, int]  # as in a polynomial: its exponents, its coefficient and its degree


def parsed(ring: Ring, text: object) -> Value:
    """Return the value that a text says."""
    demand(isinstance(text, str) and len(text) <= LONGEST, "an expression is no text, or too long")
    return _Reader(ring, str(text)).whole()


def polynomial(ring: Ring, text: object) -> Polynomial:
    """Return the polynomial that a text says, which is one that questions are asked about: see `Ring.of`."""
    value = parsed(ring, text)
    ((f, e),) = value.powers.items() if len(value.powers) == 1 else [(None, 0)]
    demand(
        f is not None and e == 1 and value.coefficient == 1, f"{str(text)[:200]} is not one polynomial in lowest terms"
    )
    assert f is not None
    return f


def expression(ring: Ring, text: object) -> Polynomial:
    """Return any polynomial that a text says."""
    value = parsed(ring, text)
    demand(value.coefficient.denominator == 1, "a coefficient is no whole number")
    demand(all(e > 0 for e in value.powers.values()), "a polynomial has a denominator")
    return ring.reduced(ring.expanded(value.powers)).times(int(value.coefficient))


class _Reader:
    def __init__(self, ring: Ring, text: str) -> None:
        self.ring, self.depth, self.place = ring, 0, 0
        self.tokens = [x.group(x.lastindex or 0) for x in _TOKEN.finditer(text.strip())]

    def whole(self) -> Value:
        found = self.sum()
        demand(self.place == len(self.tokens), f"{self.peek()!r} does not belong there")
        return found

    def peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        found = self.peek()
        demand(found and (not wanted or found == wanted), f"{found!r} stands where {wanted or 'a value'!r} belongs")
        self.place += 1
        return found

    def sum(self) -> Value:
        self.depth += 1
        demand(self.depth < _DEEPEST, "an expression is nested too deeply")
        collected: dict[int, int] = {}
        rest, degree, sign = list[Value](), 0, "+"
        if self.peek() == "-":
            sign = self.take()
        while sign in ("+", "-"):
            turn = 1 if sign == "+" else -1
            term = self._monomial() or self._as_monomial(self.product())
            if isinstance(term, Value):
                rest.append(term.times(turn))
            else:
                e, c, d = term
                collected[e], degree = collected.get(e, 0) + turn * c, max(degree, d)
            sign = self.peek()
            self.place += sign in ("+", "-")
        self.depth -= 1
        found = self.ring.of(Polynomial({e: c for e, c in collected.items() if c}, degree))
        for x in rest:
            found = found + x
        return found

    def _monomial(self) -> _Monomial | None:
        """Return a product of numbers and powers of plain variables, if such a term follows: most terms are such."""
        tokens, places, at = self.tokens, self.ring.places, self.place
        e, c, degree, count = 0, 1, 0, len(tokens)
        while at < count:
            token, x = tokens[at], 1
            if token in places:
                if at + 2 < count and tokens[at + 1] == "^" and tokens[at + 2][0] in DIGITS[1:]:
                    at, x = at + 2, int(tokens[at + 2][:5])
                degree += x
                demand(x <= 1000 and degree < LARGEST_DEGREE, "an exponent is too large")
                e += x << places[token] * BITS
            elif token[0] in DIGITS[1:] and len(token) < 4000:
                c *= int(token)
                demand(c.bit_length() < MOST_DIGITS, "a number is too large")
            else:
                return None
            follows, at = tokens[at + 1] if at + 1 < count else "", at + 2
            if follows in _ENDS:
                self.place = at - 1
                return e, c, degree
            if follows != "*":
                return None
        return None

    def _as_monomial(self, x: Value) -> _Monomial | Value:
        """Return a value as a monomial, which may have atoms, if it is one."""
        if x.coefficient.denominator != 1 or not all(e > 0 for e in x.powers.values()):
            return x
        p = self.ring.expanded(x.powers)
        if len(p) != 1:
            return x
        ((e, c),) = p.terms.items()
        return e, c * int(x.coefficient), p.degree

    def product(self) -> Value:
        found = self.power()
        while self.peek() in ("*", "/"):
            divides = self.take() == "/"
            found = found / self.power() if divides else found * self.power()
        return found

    def power(self) -> Value:
        base = self.single()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self._exponent()
        demand(abs(exponent) <= 1000, "an exponent is too large")
        return base.power(exponent)

    def _exponent(self) -> Fraction:
        if self.peek() != "(":
            return Fraction(self._number())
        self.take("(")
        sign = -1 if self.peek() == "-" else 1
        if sign < 0:
            self.take()
        found = Fraction(self._number())
        if self.peek() == "/":
            self.take()
            below = self._number()
            demand(below, "a division by 0")
            found /= below
        self.take(")")
        return sign * found

    def _number(self) -> int:
        token = self.take()
        demand(token[0] in DIGITS and len(token) < 4000, f"{token[:40]!r} is not a number")
        return int(token)

    def single(self) -> Value:
        if self.peek()[:1] in tuple(DIGITS):
            return self.ring.number(self._number())
        token = self.take()
        if token == "(":
            found = self.sum()
            self.take(")")
            return found
        if token == "pi":
            return pi(self.ring)
        if token in self.ring.names:
            return self.ring.variable(self.ring.names.index(token))
        if token.startswith("share"):
            return share(self.ring, token)
        if self.peek() == "(" and token in ("mean", "slope"):
            self.take("(")
            name = ""
            while self.peek() != ",":
                name += self.take()
            self.take(",")
            first = self.sum()
            self.take(",")
            second = self.sum()
            self.take(")")
            return {"mean": mean_of_two, "slope": slope_of_two}[token](first, second, known_mean(name))
        if self.peek() == "(" and token in ("max", "min"):
            self.take("(")
            values = [self.sum()]
            while self.peek() == ",":
                self.take()
                values.append(self.sum())
            self.take(")")
            return extreme(values, token)
        if self.peek() == "(" and token in ("sqrt", "root", "log", "acos", "exp"):
            self.take("(")
            inner = self.sum()
            degree = 2
            if token == "root":
                self.take(",")
                degree = self._number()
                demand(degree > 1, "a root has a degree of at least 2")
            self.take(")")
            if token in ("sqrt", "root"):
                return inner.power(Fraction(1, degree))
            return {"log": log, "acos": arccos, "exp": exp}[token](inner)
        raise Refused(f"{token!r} is no name that is known here")
