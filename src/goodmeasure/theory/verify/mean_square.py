"""One inequality that signs of coefficients do not show: Σ c_ij²/(a_i·b_j) ≥ 1 for every matrix.

For cells c_ij ≥ 0 that are not all 0, with row sums a, column sums b and the total n, the inequality of Cauchy and
Schwarz for the vectors c_ij/√(a_i·b_j) and √(a_i·b_j), over the cells that are not 0, gives

    n² = (Σ c_ij)² ≤ Σ c_ij²/(a_i·b_j) · Σ a_i·b_j ≤ Σ c_ij²/(a_i·b_j) · n²,

since Σ a_i·b_j over all cells is n·n. So the mean square contingency Σ c_ij²/(a_i·b_j) − 1 is not negative, nor is any
positive multiple of it. It is 0 where the labelings are independent, so ≥ 0 cannot be improved to > 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from goodmeasure.theory.verify.arithmetic import NOT_DOWN, UP, FunctionValue, Poly


def never_negative(x: FunctionValue, cells: Sequence[Sequence[object]]) -> bool:
    """Return whether a value is the mean square contingency of some cells, times something positive."""
    square = _mean_square(cells)
    if square is None:
        return False
    ground = x.ground
    quotient, rest = divmod(x.num, ground.lifted(square, x.atoms))
    return rest.is_zero() and ground.signs(quotient, x.atoms) == UP


def _mean_square(cells: Sequence[Sequence[object]]) -> Poly | None:
    """Return the numerator of Σ c²/(a·b) − 1, whose denominator is positive; None if the cells are not all counts."""
    counts = [[c for c in row if type(c) is FunctionValue and not c.atoms and c.signs() <= NOT_DOWN] for row in cells]
    if any(len(x) < len(y) for x, y in zip(counts, cells, strict=True)):
        return None
    known = [c for row in counts for c in row]
    if not any(c.signs() == UP for c in known) or any(len(c.signs()) > 1 for c in known):
        return None  # it must be clear which cells are 0
    total = known[0].ground.rational(-1)
    for row in counts:
        for j, c in enumerate(row):
            if not c.is_zero:
                total = total + c * c / (sum(row) * sum(other[j] for other in counts))
    return None if total.is_zero else total.num
