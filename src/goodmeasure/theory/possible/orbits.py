"""Linear programs in which matrices that must have one value share one unknown.

Where symmetry or class symmetry is demanded (a distance is symmetric), every matrix has the value of its images. So the
unknowns are orbits of matrices, each named by its least member, and of the rows only one of each form is kept: for
three classes, 24 times fewer and more. A contradiction found here becomes one of the plain program by rows that lead
from each matrix to the least one of its orbit; a table becomes one on all matrices. The kernel checks either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property

import numpy as np

from goodmeasure.counts.enumeration import joint_counts, keys, place_values
from goodmeasure.theory.possible.demands import EQUAL, Matrix, UnknownValue
from goodmeasure.theory.possible.farkas import Weighted
from goodmeasure.theory.possible.program import LinearForm, LinearProgram, ProgramRow
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import CellMap, Statement
from goodmeasure.typing import Array

_BLOCK = 1 << 17  # joint counts that are looked at together
MOST_PLAIN_ROWS = 6_000_000  # of the plain program, before equal rows are left out


class Orbits(LinearProgram):
    """The program of some statements in which each orbit of matrices has one value."""

    most_rows = MOST_PLAIN_ROWS

    @cached_property
    def maps(self) -> list[tuple[Statement, CellMap, bool]]:
        """Return the maps that are demanded: the statement, the map, and whether it is a part of a distance."""
        found = [(x, y, False) for x in self.statements if x.kind == kinds.INVARIANCE for y in x.maps(self.m)]
        distance = [x for x in self.statements if x.kind == kinds.DISTANCE]
        return [*found, *((x, y, True) for x in distance for y in statement_of("symmetry").maps(self.m))]

    @cached_property
    def _group(self) -> Array:
        """Return what the maps generate, as permutations of the cells of a matrix."""
        m = self.m
        steps = [tuple(p * m + q for row in image for p, q in row) for _, image, _ in self.maps]
        found = {tuple(range(m * m))}
        fresh = list(found)
        while fresh:
            fresh = [y for x in fresh for step in steps if (y := tuple(x[k] for k in step)) not in found]
            found.update(fresh)
            fresh = list(dict.fromkeys(fresh))
        return np.array(sorted(found))

    def least(self, x: Matrix) -> Matrix:
        """Return the least member of the orbit of a matrix."""
        if x not in self._least:
            flat, m = np.array(x).reshape(-1), self.m
            best = min(map(tuple, flat[self._group].tolist()))
            self._least[x] = tuple(best[i * m : (i + 1) * m] for i in range(m))
        return self._least[x]

    @cached_property
    def _least(self) -> dict[Matrix, Matrix]:
        return {}

    @cached_property
    def rows(self) -> list[ProgramRow]:
        """Return one row of each form."""
        found: dict[object, ProgramRow] = {}
        for of in self.statements:
            for n in self.sizes:
                for row in self._rows_of(of, n):
                    form = self._in_orbits(row.form)
                    if form:
                        key = frozenset(form.items()), row.relation
                        found.setdefault(key, ProgramRow(row.statement, row.about, form, row.relation))
        return list(found.values())

    @cached_property
    def unknowns(self) -> list[UnknownValue]:
        """Return the least members of the orbits, and the constants."""
        listed: dict[UnknownValue, None] = {self.least(x): None for n in self.sizes for x in self.listed(n)}
        listed.update((x, None) for row in self.rows for x in row.form)
        return list(listed)

    def _in_orbits(self, form: Mapping[UnknownValue, Fraction]) -> LinearForm:
        total: LinearForm = {}
        for x, weight in form.items():
            y = x if isinstance(x, str) else self.least(x)
            total[y] = total.get(y, Fraction(0)) + weight
        return {x: w for x, w in total.items() if w}

    def triples(self, n: int) -> Iterator[tuple[Matrix, ...]]:
        """Yield joint counts of three labelings, one for each inequality between orbits."""
        joint, places, found = joint_counts(n, self.m), place_values(self.m**2), []
        for start in range(0, len(joint), _BLOCK):
            block = joint[start : start + _BLOCK]
            sides = [block.sum(axis=k) for k in (3, 1, 2)]  # AB, BC, AC
            keep = np.ones(len(block), dtype=bool)
            for x in sides:
                keep &= self.domain.holds(x) & (x.trace(axis1=1, axis2=2) < n)
            ab, bc, ac = (self._orbit_keys(x[keep].reshape(-1, self.m**2), places) for x in sides)
            named = np.stack([np.minimum(ab, bc), np.maximum(ab, bc), ac, np.flatnonzero(keep) + start], axis=1)
            found.append(_first_of_each(named))
        for k in _first_of_each(np.concatenate(found))[:, 3].tolist():
            yield tuple(tuple(map(tuple, plane)) for plane in joint[k].tolist())

    def _orbit_keys(self, flat: Array, places: Array) -> Array:
        """Return one integer for the orbit of each matrix."""
        best = keys(flat, places)
        for p in self._group:
            np.minimum(best, keys(flat[:, p], places), out=best)
        return best

    # Back to all matrices

    def in_full(self, found: Weighted) -> Weighted:
        """Return a contradiction of orbits as one of matrices, with the rows that lead within the orbits."""
        named = {x.name: x for x in self.statements}
        plain = [(w, self.row(named[row.statement], row.about)) for w, row in found]
        rows = [(w, row) for w, row in plain if row is not None]
        left: LinearForm = {}
        for weight, row in rows:
            for x, w in row.form.items():
                left[x] = left.get(x, Fraction(0)) + weight * w
        for start, rest in list(left.items()):
            for x, of, y, part in self._way(start) if rest and not isinstance(start, str) else ():
                about = {"matrix": x, "image": y, **({"part": "symmetry"} if part else {})}
                rows.append((-rest, ProgramRow(of.name, about, {x: Fraction(1), y: Fraction(-1)}, EQUAL)))  # type: ignore[arg-type] # made whole below
        scale = np.lcm.reduce([Fraction(w).denominator for w, _ in rows])
        return tuple((int(w * int(scale)), row) for w, row in rows)

    def _way(self, x: Matrix) -> list[tuple[Matrix, Statement, Matrix, bool]]:
        """Return steps from a matrix to the least one of its orbit, each by a map that is demanded."""
        ways: dict[Matrix, list[tuple[Matrix, Statement, Matrix, bool]]] = {x: []}
        fresh = [x]
        while self.least(x) not in ways:
            fresh, before = [], fresh
            for y in before:
                for of, image, part in self.maps:
                    z = tuple(tuple(y[p][q] for p, q in row) for row in image)
                    if z not in ways:
                        ways[z] = [*ways[y], (y, of, z, part)]
                        fresh.append(z)
        return ways[self.least(x)]


def _first_of_each(named: Array) -> Array:
    """Return the first of the rows with the same three orbits."""
    return named[np.unique(named[:, :3], axis=0, return_index=True)[1]]
