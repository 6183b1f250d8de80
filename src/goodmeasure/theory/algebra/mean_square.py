"""The mean square contingency Σ c_ij²/(a_i·b_j) − 1 of a matrix, which is never negative.

By the inequality of Cauchy and Schwarz, n² = (Σ c_ij)² = (Σ c_ij/√(a_i·b_j) · √(a_i·b_j))² ≤ Σ c_ij²/(a_i·b_j) ·
Σ a_i·b_j, where both sums run over the cells that are not 0. The last sum is at most Σ_i a_i · Σ_j b_j = n². So
Σ c_ij²/(a_i·b_j) ≥ 1, for cells that are not negative and not all 0. A positive multiple of it is not negative either.
"""

from __future__ import annotations

from collections.abc import Sequence

from goodmeasure.theory.algebra.orthant import RATIONAL, Poly
from goodmeasure.theory.algebra.quantities import Quantity, constant


def is_positive_multiple(x: Quantity, cells: Sequence[Sequence[object]]) -> bool:
    """Return whether a value is seen to be a positive multiple of the mean square contingency of some cells."""
    ring = x.orthant
    if len(x.num) != 1 or set(x.den) != {RATIONAL} or ring.sign_by_coefficients(x.den[RATIONAL]) != 1:
        return False
    ((key, above),) = x.num.items()
    square = _mean_square(x, cells)
    if square is None or not all(ring.atoms[name].positive for name in key[1:]):
        return False
    quotient, rest = divmod(above, square)
    return rest.is_zero() and ring.sign_by_coefficients(quotient) == 1


def _mean_square(x: Quantity, cells: Sequence[Sequence[object]]) -> Poly | None:
    """Return the numerator of the mean square contingency, over a positive denominator; None where it is not one."""
    ring = x.orthant
    rows = [[c for c in row if isinstance(c, Quantity)] for row in cells]
    known = [c for row in rows for c in row if c.as_polynomials() is not None]
    if len(known) < sum(map(len, cells)) or not any(c.num for c in known):
        return None
    if any(ring.sign_by_coefficients(p) not in (0, 1) for c in known for p in c.as_polynomials() or ()):
        return None
    nothing = constant(ring, 0)
    true, predicted = [sum(row, nothing) for row in rows], [sum(x, nothing) for x in zip(*rows, strict=True)]
    total = constant(ring, -1)
    for i, row in enumerate(rows):
        for j, c in enumerate(row):
            if c.num:
                total = total + c * c / (true[i] * predicted[j])
    both = total.as_polynomials()
    positive = both is not None and not both[0].is_zero() and ring.sign_by_coefficients(both[1]) == 1
    return both[0] if positive and both is not None else None
