"""What is known of the sign of a value: a set of the signs that it may have, as bits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

NEGATIVE, ZERO, POSITIVE = 1, 2, 4
NOT_NEGATIVE, NOT_POSITIVE, NOT_ZERO, UNKNOWN = ZERO | POSITIVE, NEGATIVE | ZERO, NEGATIVE | POSITIVE, 7
WORDS = {">": POSITIVE, ">=": NOT_NEGATIVE, "<": NEGATIVE, "<=": NOT_POSITIVE, "=": ZERO, "!=": NOT_ZERO}

_SIGN = {NEGATIVE: -1, ZERO: 0, POSITIVE: 1}
_BIT = {sign: bit for bit, sign in _SIGN.items()}


def _of(signs: int) -> list[int]:
    return [sign for bit, sign in _SIGN.items() if signs & bit]


def _table(combined: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    found = {}
    for a, b in product(range(8), repeat=2):
        found[a, b] = 0
        for x, y in product(_of(a), _of(b)):
            found[a, b] |= combined[x, y]
    return found


_EVERY = tuple(product((-1, 0, 1), repeat=2))
TIMES = _table({(x, y): _BIT[x * y] for x, y in _EVERY})  # the signs of a product, by those of its factors
PLUS = _table({(x, y): UNKNOWN if x * y < 0 else _BIT[x or y] for x, y in _EVERY})  # the signs of a sum
TURNED = tuple(sum(_BIT[-x] for x in _of(a)) for a in range(8))  # the signs of −x


def of_number(x: int | Fraction) -> int:
    """Return the sign of a number."""
    return POSITIVE if x > 0 else NEGATIVE if x < 0 else ZERO


def single(signs: int) -> int | None:
    """Return the sign if there is only one; None otherwise."""
    return _SIGN.get(signs)


def power(signs: int, exponent: int | Fraction) -> int:
    """Return the signs of a power; a fractional one is of a value that is not negative."""
    if exponent == 0:
        return POSITIVE
    whole = exponent.denominator == 1
    if not whole or exponent.numerator % 2 == 0:
        return (signs & ZERO) | (POSITIVE if signs & NOT_ZERO else 0)
    return signs
