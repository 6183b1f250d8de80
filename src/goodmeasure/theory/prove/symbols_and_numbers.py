"""Compare what a user's function does with symbols with what it does with numbers.

A proof is about the formula that was read from a definition with symbols. A function that tells symbols from numbers
(by ``type(c.n)``, say) may return another formula than it computes with numbers, and not all ways to do so can be
noticed while it is read (`language/interruptions.py`). So before a proof about a user's function is believed, its
formula is compared with its exact value, on every support of two classes (on some of three and more) at matrices with
small cells, with cells of about a thousand, a million and a billion, and with cells of all these sizes together. Both
are enclosed in balls of many digits; disjoint balls show that they differ. The exact value is then compared with the
float that a user gets by calling the function with these counts, since plain integers have another type.

This is a spot check: a function that behaves differently for a single number only passes it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING

from goodmeasure.catalogue.running import on_rows
from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.language.policy import Policy
from goodmeasure.packages import flint
from goodmeasure.theory.algebra.orthant import Orthant, Outside, Poly, SumOfProducts
from goodmeasure.theory.algebra.quantities import Outcome, Quantity, of
from goodmeasure.theory.prove.support_cases import Reader, Support

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure


_BITS = 600  # of the balls: polynomials of large cells have many digits
_SCALES = ((1, 12), (1, 12), (500, 2000), (10**5, 10**6), (10**8, 10**9), None)  # None: cells of all sizes together
_ROUNDING = 1e-6  # relative to its size, a float may be this far from the exact value
_MOST_SUPPORTS = 40  # of three classes and more


class _NoNumber(Exception):  # noqa: N818 - a signal: this formula is not compared
    """A formula has a part whose value is not computed here."""


def reads_as_numbers(measure: Measure, m: int, policy: Policy) -> bool:
    """Return whether the formulas that symbols give are the values that numbers give, as far as is tried."""
    reader, chance = Reader(measure, m, policy), random.Random(5)
    for support in _supports(reader, chance):
        try:
            value = reader.value(reader.cells(support))
        except Outside:
            continue  # nothing was read, so nothing is believed
        for point in _points(reader, chance):
            if not _same(reader, value, support, point):
                return False
    return True


def _supports(reader: Reader, chance: random.Random) -> Iterator[Support]:
    """Return the supports to compare on: all of them, or the full one and a sample."""
    found = list(reader.supports())
    if len(found) > _MOST_SUPPORTS:
        found = [found[-1], *chance.sample(found, _MOST_SUPPORTS)]
    return iter(found)


def _points(reader: Reader, chance: random.Random) -> Iterator[list[int]]:
    """Yield whole numbers for the cells, of several sizes."""
    for scale in _SCALES:
        if scale is None:
            yield [int(10 ** chance.uniform(0, 9)) for _ in reader.names]
        else:
            yield [chance.randint(*scale) for _ in reader.names]


def _same(reader: Reader, value: Outcome, support: Support, point: list[int]) -> bool:
    """Return whether a formula has the exact value of the measure at a point, or is undefined where that is."""
    m = reader.m
    cells = [x if there else 0 for x, there in zip(point, support, strict=True)]
    rows = [cells[i * m : (i + 1) * m] for i in range(m)]
    exact = reader.measure.exact(rows, undefined=reader.policy)
    if not _near(on_rows(reader.measure.recorded, rows, reader.policy), float(exact)):
        return False
    if not isinstance(value, Quantity) or exact is UNDEFINED:
        return value is exact
    before, flint.ctx.prec = flint.ctx.prec, _BITS
    try:
        found = _ball(value, point) * reader.sign
    except _NoNumber:
        return True
    finally:
        flint.ctx.prec = before
    return bool(found.overlaps(exact.ball(_BITS)))


def _near(seen: float, known: float) -> bool:
    """Return whether a float is the exact value up to rounding, or both are undefined."""
    if math.isnan(seen) or math.isnan(known):
        return math.isnan(seen) and math.isnan(known)
    return abs(seen - known) <= _ROUNDING * max(1.0, abs(known))


def _ball(x: Quantity, point: list[int]) -> flint.arb:
    """Return a ball around the value of a quantity at a point."""
    return _sum(x.orthant, x.num, point) / _sum(x.orthant, x.den, point)


def _sum(ring: Orthant, x: SumOfProducts, point: list[int]) -> flint.arb:
    total = flint.arb(0)
    for key, p in x.items():
        term = flint.arb(_at(p, point)) * flint.arb(_at(ring.roots[key[0]], point)).sqrt()
        for name in key[1:]:
            term *= _atom(ring, name, point)
        total += term
    return total


def _at(p: Poly, point: list[int]) -> int:
    """Return the value of a polynomial in the cells; further variables do not occur."""
    return int(p(*point, *[1] * (len(p.degrees()) - len(point))))


def _atom(ring: Orthant, name: str, point: list[int]) -> flint.arb:
    atom = ring.atoms[name]
    kind, about = atom.kind, atom.about
    if kind == "pi":
        return flint.arb.pi()
    if kind in ("greatest", "least"):
        found = [_ball(of(ring, x), point) for x in about[1:]]
        return reduce(lambda x, y: x.max(y) if kind == "greatest" else x.min(y), found)
    if kind in ("arccos", "sqrt", "log", "power"):
        inner = _ball(atom.argument(-1, Quantity), point)
        if kind == "power":
            r = atom.argument(0, Fraction)
            exponent: flint.arb = flint.arb(r.numerator) / r.denominator
            return inner**exponent
        return {"arccos": inner.acos, "sqrt": inner.sqrt, "log": inner.log}[kind]()
    raise _NoNumber(kind)
