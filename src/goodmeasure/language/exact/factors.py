"""Factors of integers, and the squares and higher powers that can be taken out of a root."""

from __future__ import annotations

import math
from functools import lru_cache

from goodmeasure.packages import flint

# Factoring an integer of up to 100 bits takes milliseconds. From a larger one, only powers of small primes are taken
# out, so it may keep a square factor; sums then recognise equal roots by perfect squares (see `monomials._like`).
FACTOR_BITS = 100


@lru_cache(65536)
def factors(number: int) -> tuple[tuple[int, int], ...]:
    """Return the prime factors of a positive integer with their exponents."""
    return tuple((int(p), int(e)) for p, e in flint.fmpz(number).factor())


@lru_cache(65536)
def square_free(number: int) -> tuple[int, int]:
    """Return (outside, inside) with number = outside² · inside.

    `inside` is square-free, except that from a number of more than `FACTOR_BITS` bits only small squares are taken out.
    """
    return without_powers(number, 2)


def without_powers(number: int, degree: int) -> tuple[int, int]:
    """Return (outside, inside) with number = outside^degree · inside, taking out all powers that are found."""
    outside = inside = 1
    if number.bit_length() <= FACTOR_BITS:
        found = factors(number)
    else:
        found, rest = small_factors(number)
        root = _whole_root(rest, degree)
        if root is not None:
            outside, rest = root, 1
        inside = rest
    for prime, exponent in found:
        outside *= prime ** (exponent // degree)
        inside *= prime ** (exponent % degree)
    return outside, inside


def small_factors(number: int) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the prime factors below 2000 with their exponents, and what is left of the number."""
    found = []
    for prime in _small_primes():
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            found.append((prime, exponent))
    return tuple(found), number


@lru_cache(None)
def _small_primes() -> tuple[int, ...]:
    return tuple(p for p in range(2, 2000) if all(p % q for q in range(2, math.isqrt(p) + 1)))


def _whole_root(number: int, degree: int) -> int | None:
    """Return the root of a number if it is an integer, else None."""
    root = int(flint.fmpz(number).root(degree))
    return root if root**degree == number else None
