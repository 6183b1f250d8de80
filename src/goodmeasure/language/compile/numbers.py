"""The functions that compiled formulas call on plain Python numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from goodmeasure.language.policy import UndefinedMeasure
from goodmeasure.language.value import total

# Rounding may leave 1 − mcc at −1e-16 or a cosine at 1 + 1e-16. An argument this close to the domain of a root or an
# arc cosine is taken to be its end; one further out is undefined.
ROUNDING = 1e-12

_N = TypeVar("_N")
RowsOf = Sequence[Sequence[_N]]


def _others(xs: Sequence[_N]) -> list[_N]:
    """Return, for each number, the sum of all others: of those before it and of those behind it."""
    before: list[_N] = []
    behind: list[_N] = []
    for found, numbers in ((before, xs), (behind, xs[::-1])):
        so_far: _N = 0  # type: ignore[assignment]
        for x in numbers:
            found.append(so_far)
            so_far = so_far + x  # type: ignore[operator]
    return [x + y for x, y in zip(before, behind[::-1], strict=True)]  # type: ignore[operator]


def apart(c: RowsOf[float]) -> tuple[list[float], list[float]]:
    """Return, for each class, the sums of the rest of its row and of its column."""
    return _rests(c), _rests(list(zip(*c, strict=True)))


def _rests(rows: RowsOf[float]) -> list[float]:
    """Return, for each row, the sum of what is off the diagonal."""
    return [total(x for j, x in enumerate(row) if i != j) for i, row in enumerate(rows)]


def elsewhere(c: RowsOf[float]) -> list[float]:
    """Return, for each class, the sum of all cells outside of its row and its column."""
    columns = zip(*map(_others, c), strict=True)
    return [total(x for k, x in enumerate(column) if k != j) for j, column in enumerate(columns)]


def others(c: RowsOf[float]) -> tuple[RowsOf[float], RowsOf[float], RowsOf[float]]:
    """Return, for each cell, the sums of the rest of its row, of its column, and of everything else."""
    rows = [_others(row) for row in c]
    columns = [list(x) for x in zip(*(_others(column) for column in zip(*c, strict=True)), strict=True)]
    rest = [list(x) for x in zip(*(_others(column) for column in zip(*rows, strict=True)), strict=True)]
    return rows, columns, rest


def broken(cells: RowsOf[float]) -> bool:
    """Return whether a cell of a mapped matrix is undefined."""
    return any(x != x for row in cells for x in row)


def least(*xs: float) -> float:
    """Return the smallest of some numbers, which come before what an undefined value is worth."""
    return _extreme(xs, min)


def greatest(*xs: float) -> float:
    return _extreme(xs, max)


def _extreme(xs: Sequence[float], best: Callable[[Sequence[float]], float]) -> float:
    values = xs[:-1]
    if not values:
        return xs[-1]
    for x in values:
        if x != x:
            return x
    return best(values)


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


def mean(values: Sequence[float], p: float, u: float) -> float:
    """Return the power mean of some numbers; no overflow for large p, no loss of digits for small p.

    With s the largest value (the smallest if p < 0), the mean is s·(1 + avg((x/s)^p − 1))^(1/p). All (x/s)^p lie
    between 0 and 1, so nothing overflows. For p near 0 they are close to 1, and (x/s)^p − 1 is computed as
    expm1(p·log(x/s)) and the outer power by log1p, which keep the digits that a subtraction from 1 would lose.
    """
    if not values:
        return u
    for x in values:
        if x != x:
            return x
    if min(values) < 0:
        return u
    zeros = sum(1 for x in values if x == 0)
    if zeros == len(values) or (p <= 0 and zeros):
        return 0
    if p == 0:
        return power(math.prod(values), 1 / len(values), u)
    scale = max(values) if p > 0 else min(values)
    shares = [x / scale for x in values]
    bent = total(math.expm1(p * math.log(x)) if x else -1.0 for x in shares) / len(shares)
    return scale * math.exp(math.log1p(bent) / p)


def floats() -> dict[str, object]:
    """Return what compiled source may name, as plain numbers need it."""
    functions = (apart, elsewhere, others, broken, least, greatest, sqrt, log, log1p, arccos, arcsin, power, mean)
    return {
        **{f.__name__: f for f in functions},
        "nan": math.nan, "pi": math.pi, "exp": math.exp, "abs": abs, "sum": total, "inf": math.inf,
    }  # fmt: skip


def raising(functions: dict[str, object]) -> dict[str, object]:
    """Return the same functions for the policy "raise": where one of them is undefined, it raises."""
    mark = object()

    def checked(function: Callable[..., object]) -> Callable[..., object]:
        def called(*args: object) -> object:
            found = function(*args[:-1], mark)
            return refuse() if found is mark else found

        return called

    wrapped = ("least", "greatest", "sqrt", "log", "log1p", "arccos", "arcsin", "power", "mean")
    return functions | {name: checked(functions[name]) for name in wrapped}  # type: ignore[arg-type]


def refuse() -> float:
    """Raise the error about an undefined term, for the policy "raise"."""
    raise UndefinedMeasure("a term of the formula is undefined")


def constant(value: object) -> object:
    """Return a constant of a formula as floats."""
    if isinstance(value, tuple):
        return [[float(x) for x in row] for row in value]
    assert isinstance(value, Fraction)
    return float(value)
