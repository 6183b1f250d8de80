"""The linear program of some properties: every row that they demand on the matrices of given sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from goodmeasure.counts.enumeration import how_many, joint_counts, matrices
from goodmeasure.exceptions import InputError
from goodmeasure.theory.possible.demands import ABOUTS, DEMANDS, Matrix, RowSubject, UnknownValue
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import Statement

LinearForm = dict[UnknownValue, Fraction]
MOST_ROWS = 400_000


@dataclass(frozen=True)
class ProgramRow:
    """One demand of a statement: a linear form in values of the measure and constants, and its relation to 0."""

    statement: str
    about: RowSubject
    form: LinearForm = field(hash=False)
    relation: str


class ProgramTooLarge(InputError):  # noqa: N818 - what is wrong is the size, said in the message
    """Raised for a program with more rows than can be solved."""


class LinearProgram:
    """The demands of some statements on all matrices of some sizes, for m classes and a domain."""

    most_rows = MOST_ROWS

    def __init__(self, statements: list[Statement], sizes: tuple[int, ...], m: int, domain: Domain) -> None:
        self.statements, self.sizes, self.m, self.domain = statements, sizes, m, domain
        expected = sum(_expected_rows(x, n, m) for x in statements for n in sizes)
        if expected > self.most_rows:
            raise ProgramTooLarge(
                "{names} on {items} items in {m} classes need about {rows:,} rows, and {limit:,} are the limit",
                names=", ".join(x.name for x in statements),
                items=_sizes_text(sizes),
                m=m,
                rows=expected,
                limit=self.most_rows,
                advice="ask for smaller sizes",
            )

    @cached_property
    def rows(self) -> list[ProgramRow]:
        """Return every demand of every statement."""
        return [row for x in self.statements for n in self.sizes for row in self._rows_of(x, n)]

    @cached_property
    def unknowns(self) -> list[UnknownValue]:
        """Return the unknowns: the value on each matrix of these sizes in the domain, and the constants."""
        listed: dict[UnknownValue, None] = {x: None for n in self.sizes for x in self.listed(n)}
        listed.update((x, None) for row in self.rows for x in row.form)
        return list(listed)

    def listed(self, n: int) -> list[Matrix]:
        """Return the matrices of n items in the domain."""
        found = matrices(n, self.m)
        return [tuple(map(tuple, x)) for x in found[self.domain.holds(found)].tolist()]

    def _rows_of(self, of: Statement, n: int) -> Iterator[ProgramRow]:
        for about in ABOUTS[of.kind](self, of, n):
            row = self.row(of, about)
            if row is not None:
                yield row

    def row(self, of: Statement, about: RowSubject) -> ProgramRow | None:
        """Return the row that a statement demands about a subject; None if it demands nothing, or only 0 = 0."""
        found = DEMANDS[of.kind](self, of, about)
        if found is None:
            return None
        form, relation = _summed(found[0]), found[1]
        return ProgramRow(of.name, about, form, relation) if form else None

    def triples(self, n: int) -> Iterator[tuple[Matrix, ...]]:
        """Yield joint counts of three labelings, one for each triple of their confusion matrices."""
        joint = joint_counts(n, self.m)
        pairs = [joint.sum(axis=k) for k in (3, 1, 2)]  # AB, BC, AC
        keep = np.ones(len(joint), dtype=bool)
        for x in pairs:  # if two labelings are equal, symmetry and maximal agreement already imply the inequality
            keep &= self.domain.holds(x) & (x.trace(axis1=1, axis2=2) < n)
        flat = np.concatenate([x[keep].reshape(int(keep.sum()), self.m**2) for x in pairs], axis=1)
        _, first = np.unique(flat, axis=0, return_index=True)
        for x in joint[keep][np.sort(first)].tolist():
            yield tuple(tuple(map(tuple, plane)) for plane in x)

    def holds(self, *found: Matrix) -> bool:
        """Return whether all these matrices have one of the sizes and lie in the domain."""
        return all(x in self._inside for x in found)

    @cached_property
    def _inside(self) -> frozenset[Matrix]:
        return frozenset(x for n in self.sizes for x in self.listed(n))


def demands_nothing(of: Statement) -> bool:
    """Return whether every table of values has a property, since it is about formulas and definedness only."""
    return of.kind in (kinds.DEFINED, kinds.DEFINED_TOGETHER, kinds.SMOOTH)


def is_linear(of: Statement) -> bool:
    """Return whether a statement is a set of linear rows."""
    return of.kind in DEMANDS


def _expected_rows(of: Statement, n: int, m: int) -> int:
    if of.kind == kinds.DISTANCE:
        return how_many(n, m**3)
    if of.kind == kinds.MOVES:
        return how_many(n, m * m) * len(of.moves(m))
    return how_many(n, m * m) * max(1, len(of.maps(m)))


def _sizes_text(sizes: tuple[int, ...]) -> str:
    run = len(sizes) > 3 and sizes[-1] - sizes[0] == len(sizes) - 1
    return f"{sizes[0]} … {sizes[-1]}" if run else ", ".join(map(str, sizes))


def _summed(terms: Iterable[tuple[UnknownValue, Fraction | int]]) -> LinearForm:
    total: LinearForm = {}
    for unknown, weight in terms:
        total[unknown] = total.get(unknown, Fraction(0)) + weight
    return {x: w for x, w in total.items() if w}
