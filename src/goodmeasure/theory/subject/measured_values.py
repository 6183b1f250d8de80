"""The values of the measure that is judged, on lists of matrices: in floats first, exactly where it matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.counts.enumeration import keys, matrices, place_values
from goodmeasure.exceptions import InputError
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.policy import Policy, Undecided
from goodmeasure.theory.refute.germs import Germ, along, far_along
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.witness import Exhibit, MatrixRows, WholeRows, rows_of
from goodmeasure.theory.subject.breakpoints import near_breakpoints
from goodmeasure.theory.subject.judged_function import EXACT, Caller
from goodmeasure.typing import Array, ArrayLike

TOLERANCE = 1e-9  # values whose floats are this near to each other are compared exactly
_BLOCK = 1 << 16  # matrices that are evaluated at once: millions would need gigabytes in between
_MOST_KEPT = 100_000  # exact values that are remembered
_SPOT_CHECKS = 25  # about how many floats of a batch are compared with exact values
SAME_FLOAT = 1e-12  # values of a measure that has floats only count as equal if they are this near

MeasuredValue: TypeAlias = Exact | float  # the exact value, or a float where a user's function has floats only


class MeasuredMatrices:
    """All matrices of n items in a domain, with the values of a measure (NaN where it has none)."""

    __slots__ = ("cells", "keys", "values")

    def __init__(self, cells: Array, keys: Array, values: Array) -> None:
        self.cells, self.keys, self.values = cells, keys, values

    def find(self, wanted: Array) -> Array:
        """Return the positions of the matrices with these keys; −1 where a matrix is not listed."""
        if not len(self.keys):
            return np.full(len(wanted), -1)
        place = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return np.where(self.keys[place] == wanted, place, -1)


class Subject:
    """A measure with a number of classes, a domain and a policy for undefined terms.

    If lower values are better, the sign of all values is reversed, so that higher is better from here on.
    """

    def __init__(self, measure: Measure, m: int, domain: Domain, policy: Policy, caller: Caller) -> None:
        self.measure, self.m, self.domain, self.policy, self.caller = measure, m, domain, policy, caller
        self.turn = -1 if measure.orientation == LOWER else 1
        self.places = place_values(m * m)
        self.most_listed = int(self.places[-2]) - 1  # the greatest n whose matrices have keys
        self.undecided = 0
        self._listed: dict[int, MeasuredMatrices] = {}
        self._exact: dict[MatrixRows, MeasuredValue | None] = {}
        self._near: list[WholeRows] | None = None

    # Values

    def listed(self, n: int) -> MeasuredMatrices:
        """Return all matrices of n items in the domain, with their values."""
        if n not in self._listed:
            if n > self.most_listed:
                raise InputError("n = {got} is beyond what can be listed for {m} classes", got=n, m=self.m)
            found = matrices(n, self.m) if n else np.zeros((1, self.m, self.m), dtype=np.int16)
            parts = [self._part(found[k : k + _BLOCK]) for k in range(0, len(found), _BLOCK)]
            self._listed[n] = MeasuredMatrices(*map(np.concatenate, zip(*parts, strict=True)))
        return self._listed[n]

    def _part(self, matrices: Array) -> tuple[Array, Array, Array]:
        """Return the matrices among some that lie in the domain, with their keys and values."""
        cells = matrices[self.domain.holds(matrices)]
        flat = cells.reshape(len(cells), self.m * self.m)
        return flat, keys(flat, self.places), self.floats(cells)

    def floats(self, cells: Array) -> Array:
        """Return the values on a batch of matrices; NaN where the measure has none."""
        if not len(cells):
            return np.empty(0)
        values = self.caller.batch(cells)
        if self.caller.foreign and not self._floats_stand(cells, values):
            values = np.array([self._exactly(x) for x in cells.tolist()])
        return self.turn * np.where(np.isfinite(values), values, np.nan)

    def _floats_stand(self, cells: Array, values: Array) -> bool:
        """Return whether a user's function gives the same values in floats as exactly, on some of the matrices."""
        if self.caller.how != EXACT:
            return True
        for k in range(0, len(cells), 1 + len(cells) // _SPOT_CHECKS):
            exact = self._exactly(cells[k].tolist())
            both_finite = np.isfinite(exact) and np.isfinite(values[k])
            if both_finite and abs(exact - values[k]) > TOLERANCE / 10 * max(1.0, abs(exact)):
                return False
            if np.isfinite(exact) != np.isfinite(values[k]):
                return False
        return True

    def _exactly(self, matrix: object) -> float:
        """Return the float nearest to the exact value, in the measure's own sign; NaN where there is none."""
        found = self.value(rows_of(matrix))
        return float("nan") if found is None else float(self.own(found))

    def value(self, rows: MatrixRows) -> MeasuredValue | None:
        """Return the exact value on one matrix, a float if the measure has floats only, None if it has no value."""
        if rows not in self._exact:
            found = self.caller.exact(rows)
            if len(self._exact) >= _MOST_KEPT:
                self._exact.clear()
            self._exact[rows] = None if found is None else self.turn * found
        return self._exact[rows]

    def defined(self, rows: MatrixRows) -> MeasuredValue:
        """Return the exact value on one matrix that is known to have one."""
        value = self.value(rows)
        assert value is not None
        return value

    def rows(self, flat: ArrayLike) -> MatrixRows:
        """Return the matrix with these cells, row after row."""
        m = self.m
        cells = [int(x) for x in flat]
        return tuple(tuple(cells[i * m : (i + 1) * m]) for i in range(m))

    def near_breakpoints(self) -> list[WholeRows]:
        """Return matrices of the domain next to which the formula changes its form; none for an opaque function."""
        if self._near is None:
            recorded = self.measure.recorded
            opaque = self.caller.how != EXACT or recorded.is_opaque(self.m)
            found = [] if opaque else near_breakpoints(recorded.tree(self.m), self.m)
            self._near = [x for x in found if self.domain.holds(np.array([x]))[0]]
        return self._near

    def along(self, rows: MatrixRows, direction: MatrixRows, *, far: bool = False) -> Germ | None:
        """Return the values on rows + t·direction for small t > 0, or on rows + direction/t where ``far``.

        Returns None where they are undefined. A user's function that cannot be read there (because it rounds, say)
        raises `Undecided`.
        """
        try:
            return (far_along if far else along)(self.measure.recorded.tree(self.m), rows, direction, self.policy)
        except Undecided:
            raise
        except Exception as error:
            if not self.caller.foreign:
                raise
            raise Undecided("{what} cannot be read along a ray: {error}", what=self.measure.name, error=error) from None

    # Comparisons

    def sign(self, more: Sequence[MeasuredValue], less: Sequence[MeasuredValue]) -> int | None:
        """Return the sign of one sum of values minus another; None where it could not be decided."""
        values = [*more, *less]
        if any(isinstance(x, float) for x in values):
            gap = float(sum(map(float, more)) - sum(map(float, less)))
            if abs(gap) <= SAME_FLOAT * max(1.0, *(abs(float(x)) for x in values)):
                return 0
            return 1 if gap > 0 else -1
        difference = Exact.of(sum(more[1:], more[0])) - (sum(less[1:], less[0]) if less else 0)
        try:
            return difference.sign()
        except Undecided:
            self.undecided += 1
            return None

    def order(self, x: MeasuredValue, y: MeasuredValue) -> int | None:
        """Return −1, 0 or 1 as x is less than, equal to or greater than y; None where it could not be decided."""
        return 0 if x is y else self.sign([x], [y])

    # For witnesses

    def own(self, value: MeasuredValue) -> MeasuredValue:
        """Return a value in the measure's own sign."""
        return self.turn * value

    def exhibit(self, role: str, matrix: object) -> Exhibit:
        """Return a matrix with its value, as a witness shows it."""
        rows = rows_of(matrix)
        value = self.value(rows)
        if value is None:
            return Exhibit(role, "undefined", float("nan"), rows)
        return Exhibit(role, shown(self.own(value)), float(self.own(value)), rows)

    def call(self, matrix: object) -> str:
        """Return the Python expression for the value on a matrix."""
        return self.caller.typed_on(rows_of(matrix))

    def replay(self, expression: str) -> str:
        """Return one line of Python: the imports, the measure M, and an expression."""
        needs = "from fractions import Fraction as F; " if "F(" in expression else ""
        needs += "import numpy as np; " if "np." in expression else ""
        return f"import goodmeasure as gm; {needs}M = {self.caller.source}; {expression}"

    def less(self, strict: bool = True) -> str:
        """Return the comparison sign between a worse value and a better one, in the measure's own sign."""
        return {1: "<", -1: ">"}[self.turn] + ("" if strict else "=")


def shown(value: object) -> str:
    """Return a value as text, exact where it is known exactly."""
    return repr(value) if isinstance(value, float) else str(value)


def subject(measure: Measure, m: int, domain: Domain, policy: Policy, source: str | None, seconds: float) -> Subject:
    """Return a measure that is ready to be judged."""
    return Subject(measure, m, domain, policy, Caller(measure, m, policy, source, seconds))
