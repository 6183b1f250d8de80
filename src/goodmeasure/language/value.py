"""What a definition computes with: the arithmetic of all kinds of numbers, whichever view reads the definition."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Protocol, Self, TypeVar


class Condition(Protocol):
    """What comparing two values gives, for ``c.where`` and ``over=``.

    It is a truth value where values are numbers, an array of them in a batch, and a text in a printed formula.
    """

    def __and__(self, other: Self, /) -> Self: ...

    def __or__(self, other: Self, /) -> Self: ...


class Value(Protocol):
    """A number of some kind: a float, an array of them, an exact real, a printed expression, a function in a proof.

    Each kind computes with itself, and with the integers and floats that a definition writes. Fractions need
    ``c.constant``.
    """

    def __add__(self, other: Self | float, /) -> Self: ...

    def __radd__(self, other: float, /) -> Self: ...

    def __sub__(self, other: Self | float, /) -> Self: ...

    def __rsub__(self, other: float, /) -> Self: ...

    def __mul__(self, other: Self | float, /) -> Self: ...

    def __rmul__(self, other: float, /) -> Self: ...

    def __truediv__(self, other: Self | float, /) -> Self: ...

    def __rtruediv__(self, other: float, /) -> Self: ...

    def __pow__(self, exponent: int, /) -> Self: ...

    def __neg__(self) -> Self: ...

    def __abs__(self) -> Self: ...

    # Every object of Python can be compared for equality, which gives a bool; here it may be a condition.
    def __eq__(self, other: Self | float, /) -> Condition: ...  # type: ignore[override]

    def __ne__(self, other: Self | float, /) -> Condition: ...  # type: ignore[override]

    def __lt__(self, other: Self | float, /) -> Condition: ...

    def __le__(self, other: Self | float, /) -> Condition: ...

    def __gt__(self, other: Self | float, /) -> Condition: ...

    def __ge__(self, other: Self | float, /) -> Condition: ...


class Exponent(Protocol):
    """The exponent of a power mean: a number, or a symbol for one of which the sign is known."""

    def __le__(self, other: int, /) -> Condition: ...


_V = TypeVar("_V", bound=Value)

# Python's own functions, with the types that hold here: without a term they give the integers 0 and 1, which every kind
# of number takes for its own.
if TYPE_CHECKING:

    def total(terms: Iterable[_V | float], /) -> _V: ...

    def product(terms: Iterable[_V | float], /) -> _V: ...

else:
    product = math.prod
    if sys.version_info < (3, 12):
        total = sum
    else:

        def total(terms):
            """Return the sum, added up one term after another, as batches are.

            Since Python 3.12, ``sum`` makes up for the rounding of floats. The last digit of a value would then depend
            on the version of Python, and on whether a matrix is evaluated alone or in a batch.
            """
            return reduce(add, terms, 0)
