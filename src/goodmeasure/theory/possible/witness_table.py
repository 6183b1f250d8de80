"""Witness tables: exact values that satisfy every row of a linear program.

The floats of a solver satisfy equalities only approximately, so rounding them would break rows. Instead:

1. The equalities are solved exactly for some unknowns (`Solved`); the inequalities are rewritten in the free ones.
2. The solver looks for free values that satisfy all inequalities with a common margin, as large as possible. Such a
   point lies inside the feasible region, so small changes keep it feasible.
3. The free values are rounded to fractions with the smallest common denominator (from a short list) with which every
   inequality holds exactly. The other unknowns follow by the equalities.
4. If there is no margin, some weak inequalities are equalities on the whole feasible region. They are found by a second
   program, added to the equalities, and the search starts again. This ends, since each round fixes more unknowns.

The table is checked again by the kernel, so an error here cannot produce a false answer; rounding can fail
(`NumericalTrouble`), and then there is no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from goodmeasure.theory.possible.demands import EQUAL, POSITIVE, UnknownValue
from goodmeasure.theory.possible.farkas import NumericalTrouble, contradiction, null_space, solver
from goodmeasure.theory.possible.program import LinearForm, ProgramRow
from goodmeasure.typing import AnyArray, Array

_DENOMINATORS = (1, 2, 4, 12, 60, 420, 5_040, 100_000, 10_000_000, 1_000_000_000)
_SMALL = 1e-7
Values = dict[UnknownValue, Fraction]


def table(rows: Sequence[ProgramRow], unknowns: Sequence[UnknownValue]) -> Values:
    """Return exact values for all unknowns that satisfy all rows."""
    solved, values, _ = _solution(rows)
    return {x: solved.value(x, values) for x in unknowns}


def dimension(rows: Sequence[ProgramRow], unknowns: Sequence[UnknownValue]) -> int:
    """Return how many numbers may be chosen freely among the values of the matrices.

    The solutions form a cone. In the unknowns that the equalities leave free, it has a point that satisfies every
    other row strictly, so its dimension is that of the equalities. Those that were found to hold in every solution are
    shown to: that one of them is positive contradicts the rows, with exact multipliers. Constants of statements are no
    values, so what counts is the rank of the values as functions of all that is free.
    """
    solved, _, tight = _solution(rows)
    for form in tight:
        if contradiction([*rows, ProgramRow("a weak row", {}, form, POSITIVE)]) is None:
            raise NumericalTrouble("an equality that the solver found could not be shown")
    values = [x for x in unknowns if not isinstance(x, str)]
    free = sum(x not in solved.known for x in values)
    names = sorted({y for x in values for y in solved.known.get(x, {}) if isinstance(y, str)})
    columns: list[LinearForm] = [
        {str(x): solved.known[x][y] for x in values if y in solved.known.get(x, {})} for y in names
    ]
    return free + len(names) - len(null_space(columns)) if names else free


def _solution(rows: Sequence[ProgramRow]) -> tuple[Solved, Values, list[LinearForm]]:
    """Return the equalities solved, exact values for what they leave free, and the equalities that no row states."""
    equal = [row.form for row in rows if row.relation == EQUAL]
    unequal = [(row.form, row.relation) for row in rows if row.relation != EQUAL]
    implied: list[LinearForm] = []
    while True:
        solved = Solved([*equal, *implied])
        reduced = [(form, relation) for form, relation in solved.all_reduced(unequal) if form]
        free = sorted({x for form, _ in reduced for x in form}, key=str)
        found = _inside(reduced, free)
        if found is not None:
            return solved, _rounded(reduced, free, found), implied
        tight = _always_tight(reduced, free)
        if not tight:
            raise NumericalTrouble("the solver found values, and they could not be made exact")
        implied += tight


class Solved:
    """Equalities solved exactly for some of the unknowns, each as a linear form in the free ones."""

    def __init__(self, equalities: Sequence[LinearForm]) -> None:
        self.known: dict[UnknownValue, LinearForm] = {}
        self.users: dict[UnknownValue, set[UnknownValue]] = {}
        for form in sorted(equalities, key=len):
            left = self.reduced(form)
            if left:
                self._solve(left)

    def _solve(self, form: LinearForm) -> None:
        """Solve form = 0 for the unknown that occurs in the fewest solutions, and substitute it there."""
        pivot = min(form, key=lambda x: (len(self.users.get(x, ())), isinstance(x, str)))
        scale = -form[pivot]
        solution = {x: w / scale for x, w in form.items() if x != pivot}
        for user in self.users.pop(pivot, set()):
            weight = self.known[user].pop(pivot)
            self._add(user, solution, weight)
        self.known[pivot] = {}
        self._add(pivot, solution, Fraction(1))

    def _add(self, user: UnknownValue, form: LinearForm, weight: Fraction) -> None:
        """Add a multiple of a form to a solution, and keep track of which solutions use which unknown."""
        target = self.known[user]
        for x, w in form.items():
            total = target.get(x, Fraction(0)) + weight * w
            if total:
                target[x] = total
                self.users.setdefault(x, set()).add(user)
            elif x in target:
                del target[x]
                self.users[x].discard(user)

    def reduced(self, form: LinearForm) -> LinearForm:
        """Return a form rewritten in the free unknowns."""
        total: LinearForm = {}
        for x, w in form.items():
            for y, v in self.known.get(x, {x: Fraction(1)}).items():
                total[y] = total.get(y, Fraction(0)) + w * v
        return {x: w for x, w in total.items() if w}

    def all_reduced(self, rows: Sequence[tuple[LinearForm, str]]) -> list[tuple[LinearForm, str]]:
        """Return the rewritten forms with their relations, without duplicates."""
        found: dict[object, tuple[LinearForm, str]] = {}
        for form, relation in rows:
            left = self.reduced(form)
            found.setdefault((frozenset(left.items()), relation), (left, relation))
        return list(found.values())

    def value(self, x: UnknownValue, free: Values) -> Fraction:
        """Return the value of an unknown from those of the free ones; a free one that occurs in no row is 0."""
        if x in self.known:
            return sum((w * free.get(y, Fraction(0)) for y, w in self.known[x].items()), Fraction(0))
        return free.get(x, Fraction(0))


def _matrix(reduced: Sequence[tuple[LinearForm, str]], free: Sequence[UnknownValue]) -> AnyArray:
    """Return the coefficients of the rows as a sparse matrix of floats."""
    _, coo_array = solver()
    place = {x: k for k, x in enumerate(free)}
    i, j, v = [], [], []
    for k, (form, _) in enumerate(reduced):
        for x, w in form.items():
            i.append(k)
            j.append(place[x])
            v.append(float(w))
    return coo_array((v, (i, j)), shape=(len(reduced), len(free))).tocsr()


def _inside(reduced: Sequence[tuple[LinearForm, str]], free: Sequence[UnknownValue]) -> Array | None:
    """Return floats that satisfy all rows with the greatest common margin; None if there is no margin.

    Weak rows need only a hundredth of the margin of strict ones. Rows are homogeneous, so values are kept in [−1, 1].
    """
    if not reduced:
        return np.zeros(len(free))
    linprog, coo_array = solver()
    from scipy.sparse import hstack

    margin = np.array([-1.0 if relation == POSITIVE else -0.01 for _, relation in reduced])
    found = linprog(
        np.append(np.zeros(len(free)), -1.0),
        A_ub=hstack([-_matrix(reduced, free), coo_array(-margin[:, None])]).tocsr(),
        b_ub=np.zeros(len(reduced)),
        bounds=[(-1, 1)] * len(free) + [(0, 1)],
        method="highs",
    )
    return found.x[:-1] if found.status == 0 and found.x[-1] > _SMALL else None


def _rounded(reduced: Sequence[tuple[LinearForm, str]], free: Sequence[UnknownValue], found: Array) -> Values:
    """Return the values rounded to the smallest denominator with which all rows hold exactly."""
    largest = max((abs(float(x)) for x in found), default=1.0) or 1.0
    for denominator in _DENOMINATORS:
        values = {
            x: Fraction(round(float(v) / largest * denominator), denominator) for x, v in zip(free, found, strict=True)
        }
        if all(_kept(form, relation, values) for form, relation in reduced):
            return values
    raise NumericalTrouble("no rounding of the solver's values keeps all rows")


def _kept(form: LinearForm, relation: str, values: Values) -> bool:
    total = sum((w * values[x] for x, w in form.items()), Fraction(0))
    return total > 0 if relation == POSITIVE else total >= 0


def _always_tight(reduced: Sequence[tuple[LinearForm, str]], free: Sequence[UnknownValue]) -> list[LinearForm]:
    """Return the weak rows that no solution makes positive, as forms that are 0.

    The program maximises the sum of the margins of the weak rows, each at most 1, with a margin of 1 for strict rows.
    Since solutions can be added and scaled, a row with margin 0 at the maximum is 0 in every solution.
    """
    linprog, _ = solver()
    from scipy.sparse import eye_array, hstack

    weak = np.array([relation != POSITIVE for _, relation in reduced])
    count = len(reduced)
    found = linprog(
        np.concatenate([np.zeros(len(free)), -weak.astype(float)]),
        A_ub=hstack([-_matrix(reduced, free), eye_array(count)]).tocsr(),
        b_ub=np.zeros(count),
        bounds=[(None, None)] * len(free) + [(0, 1) if w else (1, 1) for w in weak],
        method="highs",
    )
    if found.status != 0:
        raise NumericalTrouble(f"the linear program was not solved: {found.message}")
    margins = found.x[len(free) :]
    return [form for (form, _), w, t in zip(reduced, weak, margins, strict=True) if w and t < 1e-6]
