"""The functions that compiled formulas call on plain Python numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import TypeVar

from goodmeasure.language.policy import UndefinedMeasure
from goodmeasure.language.value import total

# Rounding may leave 1 − mcc at −1e-16 or a cosine at 1 + 1e-16. An argument this close to the domain of a root or an
# arc cosine is taken to be its end; one further out is undefined.
ROUNDING = 1e-12

# The functions that are told, as their last argument, what an undefined value is worth
CHECKED = ("least", "greatest", "mean", "power", "sqrt", "log", "log1p", "arccos", "arcsin")

_N = TypeVar("_N")
RowsOf = Sequence[Sequence[_N]]


# Sums of cells, of numbers of any kind


def rests(c: RowsOf[_N]) -> list[_N]:
    """Return, for each row, the sum of what is off the diagonal."""
    return [total([*row[:k], *row[k + 1 :]]) for k, row in enumerate(c)]  # type: ignore[list-item]


def others(c: RowsOf[_N]) -> RowsOf[_N]:
    """Return, for each cell, the sum of all others of its row: of those before it and of those behind it."""
    return [
        [x + y for x, y in zip(_before(row), _before(row[::-1])[::-1], strict=True)]  # type: ignore[operator]
        for row in c
    ]


def _before(xs: Sequence[_N]) -> list[_N]:
    return list(accumulate(xs[:-1], initial=0))  # type: ignore[arg-type]


def elsewhere(c: RowsOf[_N]) -> list[_N]:
    """Return, for each class, the sum of all cells outside of its row and its column."""
    return rests(list(zip(*others(c), strict=True)))


def broken(c: RowsOf[float]) -> bool:
    """Return whether a cell of a mapped matrix is undefined."""
    return any(x != x for row in c for x in row)


# Functions of numbers; the last argument is what an undefined value is worth, and values that are None do not count


def least(*xs: float | None) -> float:
    return _extreme(xs, min)


def greatest(*xs: float | None) -> float:
    return _extreme(xs, max)


def _extreme(xs: Sequence[float | None], best: Callable[[Sequence[float]], float]) -> float:
    *values, u = (x for x in xs if x is not None)
    for x in values:
        if x != x:
            return x
    return best(values) if values else u


def sqrt(x: float, u: float) -> float:
    return math.sqrt(x) if x >= 0 else 0.0 if x > -ROUNDING else x if x != x else u


def log(x: float, u: float) -> float:
    return math.log(x) if x > 0 else x if x != x else u


def log1p(x: float, u: float) -> float:
    return math.log1p(x) if x > -1 else x if x != x else u


def arccos(x: float, u: float) -> float:
    return math.acos(min(1.0, max(-1.0, x))) if abs(x) <= 1 + ROUNDING else x if x != x else u


def arcsin(x: float, u: float) -> float:
    return math.asin(min(1.0, max(-1.0, x))) if abs(x) <= 1 + ROUNDING else x if x != x else u


def power(x: float, r: float, u: float) -> float:
    return u if (x < 0 and r != int(r)) or (x == 0 and r < 0) else float(x) ** float(r)


def mean(p: float, *xs: float | None) -> float:
    """Return the power mean of some numbers; no overflow for large p, no loss of digits for small p.

    With s the largest value (the smallest if p < 0), the mean is s·(1 + avg((x/s)^p − 1))^(1/p). All (x/s)^p lie
    between 0 and 1, so nothing overflows. For p near 0 they are close to 1, and (x/s)^p − 1 is computed as
    expm1(p·log(x/s)) and the outer power by log1p, which keep the digits that a subtraction from 1 would lose.
    """
    *values, u = (x for x in xs if x is not None)
    scale = (greatest if p > 0 else least)(*values, u)
    smallest = least(*values, u)
    if not values or smallest != smallest or smallest < 0:
        return smallest if smallest != smallest else u
    if scale == 0 or (p <= 0 and smallest == 0):
        return 0
    if p == 0:
        return power(math.prod(values), 1 / len(values), u)
    bent = total(math.expm1(p * math.log(x / scale)) if x else -1.0 for x in values) / len(values)
    return scale * math.exp(math.log1p(bent) / p)


def floats() -> dict[str, object]:
    """Return what compiled source may name, as plain numbers need it."""
    return {**globals(), "nan": math.nan, "pi": math.pi, "inf": math.inf, "exp": math.exp, "abs": abs, "sum": total}


def raising(functions: dict[str, object]) -> dict[str, object]:
    """Return the same functions for the policy "raise": where one of them is undefined, it raises."""
    mark = object()

    def checked(function: Callable[..., object]) -> Callable[..., object]:
        def called(*args: object) -> object:
            found = function(*args[:-1], mark)
            return refuse() if found is mark else found

        return called

    return functions | {name: checked(functions[name]) for name in CHECKED}  # type: ignore[arg-type]


def refuse() -> float:
    """Raise the error about an undefined term, for the policy "raise"."""
    raise UndefinedMeasure("a term of the formula is undefined")


def constant(value: object) -> object:
    """Return a constant of a formula as floats."""
    if isinstance(value, tuple):
        return [[float(x) for x in row] for row in value]
    assert isinstance(value, Fraction)
    return float(value)
