"""Exact proofs that linear rows contradict each other.

Given rows a·x = 0, b·x > 0 and c·x ≥ 0 in unknowns x. A *Farkas certificate* consists of multipliers λ for the rows,
not negative for inequalities and of any sign for equalities, with Σ λ·row = 0 identically and λ > 0 for some strict
row. Any solution x would give 0 = Σ λ·(row at x) > 0. So if there is a certificate, there is no solution. The converse
(if there is no solution, there is a certificate) is Motzkin's transposition theorem, so for rational rows one of the
two can always be exhibited in rational numbers.

How a certificate is found: the multipliers are themselves the solutions of a linear program, here with the sum of the
strict ones fixed at 1 and the sum of all as small as possible. HiGHS solves it in floats, and a vertex has few
multipliers that are not 0. Only *which* rows these are is taken over. The exact multipliers are found as the kernel of
the rational matrix of these rows, and signs and sum are checked in exact arithmetic. A wrong choice of rows is noticed
(`NumericalTrouble`), so floats never make a false certificate. That the solver reports no multipliers is not a proof of
anything; the caller then has to exhibit a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from goodmeasure.exceptions import MissingPackageError
from goodmeasure.theory.possible.demands import EQUAL, POSITIVE, UnknownValue
from goodmeasure.theory.possible.program import ProgramRow
from goodmeasure.typing import AnyArray, Array, Namespace

_SMALL = 1e-10
Weighted = tuple[tuple[int, ProgramRow], ...]


class NumericalTrouble(ArithmeticError):  # noqa: N818 - not an error of the caller
    """Raised if the floats of the solver cannot be turned into exact numbers."""


def solver() -> tuple[Namespace, Namespace]:
    """Return SciPy's `linprog` and `coo_array`, which are installed with the extra "prove"."""
    try:
        from scipy.optimize import linprog
        from scipy.sparse import coo_array
    except ImportError:
        raise MissingPackageError("linear programs need SciPy", advice="pip install 'goodmeasure[prove]'") from None
    return linprog, coo_array


@dataclass(frozen=True)
class SparseColumns:
    """The rows of a program as the columns of a sparse matrix, in floats."""

    matrix: AnyArray
    free: Array  # which rows are equalities, whose multipliers may have any sign
    strict: Array


def columns(rows: Sequence[ProgramRow]) -> SparseColumns:
    """Return the transposed matrix of the coefficients of the rows."""
    _, coo_array = solver()
    place: dict[UnknownValue, int] = {}
    i, j, values = [], [], []
    for k, row in enumerate(rows):
        for x, weight in row.form.items():
            i.append(place.setdefault(x, len(place)))
            j.append(k)
            values.append(float(weight))
    matrix = coo_array((values, (i, j)), shape=(len(place), len(rows))).tocsc()
    relations = np.array([row.relation for row in rows])
    return SparseColumns(matrix, relations == EQUAL, relations == POSITIVE)


def contradiction(rows: Sequence[ProgramRow]) -> Weighted | None:
    """Return rows with integer multipliers that add up to 0 > 0; None if the solver finds no contradiction."""
    found = columns(rows)
    if not found.strict.any():
        return None  # a constant table satisfies all equalities and weak inequalities
    support = _support(found)
    if support is None:
        return None
    chosen = [rows[k] for k in support]
    try:
        return exact_multipliers(chosen)
    except NumericalTrouble:
        return exact_multipliers(_thinned(chosen))


def _thinned(rows: list[ProgramRow]) -> list[ProgramRow]:
    """Return fewer rows that still contradict each other, each of them needed."""
    for row in list(rows):
        rest = [x for x in rows if x is not row]
        found = columns(rest)
        if found.strict.any() and _support(found) is not None:
            rows = rest
    return rows


def _support(found: SparseColumns) -> list[int] | None:
    """Return the rows with a multiplier other than 0 in a vertex of the linear program; None if it is infeasible."""
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


def exact_multipliers(support: Sequence[ProgramRow]) -> Weighted:
    """Return the rows with exact integer multipliers with which they add up to 0 > 0."""
    kernel = null_space([row.form for row in support])
    for weights in kernel:
        for sign in (1, -1):
            whole = _whole([sign * w for w in weights])
            chosen = tuple((w, row) for w, row in zip(whole, support, strict=True) if w)
            if _contradicts(chosen):
                return chosen
    raise NumericalTrouble("the rows that the solver chose have no exact multipliers")


def null_space(forms: Sequence[dict[UnknownValue, Fraction]]) -> list[list[Fraction]]:
    """Return a basis of the multipliers with which linear forms add up to 0, exactly."""
    from goodmeasure.packages import flint

    fmpq, fmpq_mat = flint.fmpq, flint.fmpq_mat

    place: dict[UnknownValue, int] = {}
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
    """Return the same multipliers, scaled to integers without a common factor."""
    scale = lcm(*(w.denominator for w in weights))
    scaled = [int(w * scale) for w in weights]
    common = gcd(*scaled) or 1
    return [w // common for w in scaled]


def _contradicts(weighted: Weighted) -> bool:
    """Return whether rows times multipliers add up to 0 > 0, in exact arithmetic."""
    total: dict[UnknownValue, Fraction] = {}
    for weight, row in weighted:
        if row.relation != EQUAL and weight < 0:
            return False
        for x, w in row.form.items():
            total[x] = total.get(x, Fraction(0)) + weight * w
    return any(row.relation == POSITIVE for _, row in weighted) and not any(total.values())
