"""Values of polynomials at a few points, to see which signs are worth a proof. Floating point; nothing rests on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from random import Random
from weakref import WeakKeyDictionary

from goodmeasure.theory.kernel import functions, means, signs
from goodmeasure.theory.kernel.polynomials import Polynomial, exponents
from goodmeasure.theory.kernel.signs import NEGATIVE, POSITIVE, ZERO
from goodmeasure.theory.kernel.values import Atom, Ring, Root, Value

_WHOLE = (1, 1, 1, 2, 2, 3, 5, 8, 30, 400, 10_000)
_REAL = (0.001, 0.05, 0.4, 0.7, 1.0, 1.3, 2.5, 9.0, 70.0, 3000.0)
_MOST = 24
_NEAR = 1e-9  # a sum this small beside its terms may be 0


class SamplePoint:
    """A point of a ring, and the values of atoms there."""

    def __init__(self, ring: Ring, place: list[float]) -> None:
        self.ring, self.place, self.known = ring, place, dict[Atom, float]()

    def variable(self, k: int) -> float:
        """Return the value of a variable, or of an atom."""
        if k < self.ring.size:
            return self.place[k]
        atom = self.ring.atoms[k - self.ring.size]
        if atom not in self.known:
            self.known[atom] = self.atom(atom)
        return self.known[atom]

    def polynomial(self, p: Polynomial) -> tuple[float, float]:
        """Return the value of a polynomial, and the sum of the absolute values of its terms."""
        value = size = 0.0
        for e, c in p.terms.items():
            term = float(c)
            for k, x in _exponents(e):
                term *= self.variable(k) ** x
            value += term
            size += abs(term)
        return value, size

    def value(self, x: Value) -> float:
        """Return the value of a product of powers."""
        found = float(x.coefficient)
        for f, e in x.powers.items():
            found *= math.pow(self.polynomial(f)[0], e)
        return found

    def atom(self, atom: Atom) -> float:
        """Return the value of an atom; an error of arithmetic where it has none."""
        parts = [self.value(x) for x in atom.parts]
        if isinstance(atom, Root):
            return math.pow(max(parts[0], 0.0), 1 / atom.degree)
        if isinstance(atom, means.Mean):
            return _mean(atom.name, *parts)
        if isinstance(atom, means.Slope):
            u, v = parts if atom.which == 0 else parts[::-1]
            step = 1e-6 * u
            return (_mean(atom.of.name, u + step, v) - _mean(atom.of.name, u - step, v)) / (2 * step)
        return float(_function(atom)(*parts))


def _mean(name: str, u: float, v: float) -> float:
    if abs(u - v) < 1e-9 * u:
        return (u + v) / 2
    z = (u - v) / (u + v)
    match name:
        case "logarithmic":
            return (u - v) / math.log(u / v)
        case "identric":
            return math.exp((u * math.log(u) - v * math.log(v)) / (u - v) - 1)
        case "seiffert":
            return (u - v) / (2 * math.asin(z))
        case "neuman_sandor":
            return (u - v) / (2 * math.asinh(z))
        case "heronian":
            return (u + math.sqrt(u * v) + v) / 3
    if name.startswith(means.STOLARSKY):
        p = int(name.removeprefix(means.STOLARSKY))
        return float(((u**p - v**p) / (p * (u - v))) ** (1 / (p - 1)))
    r = {"r > 0": 1.5, "r <= 0": -0.5}.get(name) or float(Fraction(name))
    return math.sqrt(u * v) if r == 0 else float(((u**r + v**r) / 2) ** (1 / r))


def _function(atom: Atom) -> Callable[..., float]:
    if isinstance(atom, functions.Logarithm):
        return math.log
    if isinstance(atom, functions.Extreme):
        return {"max": max, "min": min}[atom.name]
    if isinstance(atom, functions.Exponential):
        return math.exp
    if isinstance(atom, functions.Angle):
        return lambda x: math.acos(min(1.0, max(-1.0, x)))
    assert isinstance(atom, functions.Constant)
    r = "/".join(atom.name.split("_")[1:]) or "3/2"  # the exponent in the name of a share; a sample where it is open
    value = math.pi if atom.name == "pi" else 2 ** float(-1 / Fraction(r))
    return lambda: value


@lru_cache(maxsize=100_000)
def _exponents(e: int) -> tuple[tuple[int, int], ...]:
    return tuple(exponents(e))


_POINTS: WeakKeyDictionary[Ring, dict[bool, list[list[float]]]] = WeakKeyDictionary()


def points(ring: Ring) -> list[list[float]]:
    """Return some points of a ring, the same ones each time; whole variables are whole numbers there."""
    whole = bool(ring.whole)
    known = _POINTS.setdefault(ring, {})
    if whole not in known:
        draw = Random(7)
        known[whole] = [
            [float(draw.choice(_WHOLE if k in ring.whole else _REAL)) for k in range(ring.size)] for _ in range(_MOST)
        ]
    return known[whole]


def signs_seen(ring: Ring, f: Polynomial) -> int | None:
    """Return the signs that a polynomial takes at points where all facts hold; None where no point can be used."""
    seen = used = 0
    for place in points(ring)[: _MOST if len(f) < 300 else 6]:
        point = SamplePoint(ring, place)
        try:
            if all(_sign(point, g) & known for g, known in ring.facts.items()):
                used += 1
                seen |= _sign(point, f)
        except (ArithmeticError, ValueError):
            continue
        if seen & NEGATIVE and seen & POSITIVE:
            break
    return seen if used else None


def is_wrong(ring: Ring, x: Value, word: str) -> bool:
    """Return whether a value is seen to be negative, or for > also 0, at a point where all facts hold."""
    for place in points(ring):
        point = SamplePoint(ring, place)
        try:
            if all(_sign(point, g) & known for g, known in ring.facts.items()):
                sign = signs.of_number(x.coefficient)
                for f, e in x.powers.items():
                    sign = signs.TIMES[sign, signs.power(_sign(point, f), e)]
                if not sign & signs.WORDS[word] and (sign != ZERO or not x.atoms()):
                    return True
        except (ArithmeticError, ValueError):
            continue
    return False


def _sign(point: SamplePoint, p: Polynomial) -> int:
    value, size = point.polynomial(p)
    return ZERO if abs(value) <= _NEAR * size else POSITIVE if value > 0 else NEGATIVE
