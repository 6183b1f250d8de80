"""Exact proofs that rows contradict each other: multipliers found in floats, solved exactly on their support."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import numpy as np

from goodmeasure.theory.possible.demands import EQUAL, POSITIVE, Unknown
from goodmeasure.theory.possible.program import Row

_SMALL = 1e-10
Weighted = tuple[tuple[int, Row], ...]


class NumericalTrouble(ArithmeticError):  # noqa: N818 - not an error of the caller
    """The solver's floats could not be turned into exact numbers."""


def solver() -> tuple[Any, Any]:
    """SciPy's linear programs and sparse arrays; they come with an extra."""
    try:
        from scipy.optimize import linprog
        from scipy.sparse import coo_array
    except ImportError:
        raise ImportError("linear programs need the extra: pip install 'goodmeasure[prove]'") from None
    return linprog, coo_array


@dataclass(frozen=True)
class Columns:
    """Rows of a program as columns of a sparse matrix."""

    matrix: Any
    free: Any  # which columns are equalities, so that their multipliers have any sign
    strict: Any


def columns(rows: Sequence[Row]) -> Columns:
    """The transposed coefficients of the rows."""
    _, coo_array = solver()
    place: dict[Unknown, int] = {}
    i, j, values = [], [], []
    for k, row in enumerate(rows):
        for x, weight in row.form.items():
            i.append(place.setdefault(x, len(place)))
            j.append(k)
            values.append(float(weight))
    matrix = coo_array((values, (i, j)), shape=(len(place), len(rows))).tocsc()
    relations = np.array([row.relation for row in rows])
    return Columns(matrix, relations == EQUAL, relations == POSITIVE)


def contradiction(rows: Sequence[Row]) -> Weighted | None:
    """Rows with whole multipliers that add up to 0 > 0; None where the rows do not contradict each other."""
    found = columns(rows)
    if not found.strict.any():
        return None  # all values equal keep every equality and weak inequality
    support = _support(found)
    if support is None:
        return None
    chosen = [rows[k] for k in support]
    try:
        return exact_multipliers(chosen)
    except NumericalTrouble:
        return exact_multipliers(_thinned(chosen))


def _thinned(rows: list[Row]) -> list[Row]:
    """Rows of which each is needed for the contradiction."""
    for row in list(rows):
        rest = [x for x in rows if x is not row]
        found = columns(rest)
        if found.strict.any() and _support(found) is not None:
            rows = rest
    return rows


def _support(found: Columns) -> list[int] | None:
    """Which rows have a multiplier, in a solution with few of them."""
    linprog, coo_array = solver()
    from scipy.sparse import hstack, vstack

    count = found.matrix.shape[1]
    free = np.flatnonzero(found.free)
    both = hstack([found.matrix, -found.matrix[:, free]])
    strict = np.concatenate([found.strict.astype(float), np.zeros(len(free))])
    result = linprog(
        np.ones(count + len(free)),
        A_eq=vstack([both, coo_array(strict[None])]).tocsc(),
        b_eq=np.append(np.zeros(found.matrix.shape[0]), 1.0),
        bounds=(0, None),
        method="highs-ds",
    )
    if result.status == 2:
        return None
    if result.status != 0:
        raise NumericalTrouble(f"the linear program was not solved: {result.message}")
    chosen = np.flatnonzero(result.x > _SMALL)
    return sorted({int(k) if k < count else int(free[k - count]) for k in chosen})


def exact_multipliers(support: Sequence[Row]) -> Weighted:
    """The whole multipliers of the rows of a support, with which they add up to 0 > 0."""
    kernel = null_space([row.form for row in support])
    for weights in kernel:
        for sign in (1, -1):
            whole = _whole([sign * w for w in weights])
            chosen = tuple((w, row) for w, row in zip(whole, support, strict=True) if w)
            if _contradicts(chosen):
                return chosen
    raise NumericalTrouble("the rows that the solver chose have no exact multipliers")


def null_space(forms: Sequence[dict[Unknown, Fraction]]) -> list[list[Fraction]]:
    """A basis of the multipliers with which linear forms add up to 0."""
    from flint import fmpq, fmpq_mat

    place: dict[Unknown, int] = {}
    for form in forms:
        for x in form:
            place.setdefault(x, len(place))
    matrix = fmpq_mat(max(1, len(place)), len(forms))
    for j, form in enumerate(forms):
        for x, w in form.items():
            matrix[place[x], j] = fmpq(Fraction(w).numerator, Fraction(w).denominator)
    reduced, rank = matrix.rref()
    pivots = [next(j for j in range(len(forms)) if reduced[i, j] != 0) for i in range(rank)]
    basis = []
    for free in (j for j in range(len(forms)) if j not in set(pivots)):
        weights = [Fraction(0)] * len(forms)
        weights[free] = Fraction(1)
        for i, j in enumerate(pivots):
            weights[j] = -Fraction(int(reduced[i, free].p), int(reduced[i, free].q))
        basis.append(weights)
    return basis


def _whole(weights: list[Fraction]) -> list[int]:
    """The same multipliers without fractions and without a common factor."""
    scale = lcm(*(w.denominator for w in weights))
    scaled = [int(w * scale) for w in weights]
    common = gcd(*scaled) or 1
    return [w // common for w in scaled]


def _contradicts(weighted: Weighted) -> bool:
    """Whether rows times multipliers add up to 0 > 0, in whole numbers."""
    total: dict[Unknown, Fraction] = {}
    for weight, row in weighted:
        if row.relation != EQUAL and weight < 0:
            return False
        for x, w in row.form.items():
            total[x] = total.get(x, Fraction(0)) + weight * w
    return any(row.relation == POSITIVE for _, row in weighted) and not any(total.values())
