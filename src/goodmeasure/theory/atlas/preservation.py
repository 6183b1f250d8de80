"""Decide whether averaging preserves a property, for all binary measures at once.

Micro, macro and weighted averaging turn a binary measure M into a measure of m classes: M on the sum of the one-vs-rest
matrices, the mean of M over the classes, or its mean weighted by class size. On a given matrix each average is a linear
form in the values of M. Fix a property and n. That M has the property is a set of linear rows in its values, and so is
what the property demands of the average on the matrices of n items in the domain. The average fails to have the
property for some M iff a linear program is feasible: all rows of M, and the negation of one demand on the average.

* A demand "form > 0" is violated by form ≤ 0. "form = 0" is violated by form ≤ −1 or −form ≤ −1, and "form ≥ 0" by
  form ≤ −1: rows are homogeneous, so a violation can be scaled. Strict rows of M are written ≥ 1 for the same reason.
* *Refuted*: the solution is rounded to fractions, and it is checked in exact arithmetic that they satisfy every row and
  violate the demand. So the values of M that are shown are a fact. They are values on the matrices of the sizes that
  occur in the demand, where M has the property; that they extend to a measure with the property on all matrices is not
  shown here.
* *Held* up to n: no program gave a solution that survived rounding. This rests on the solver's floats and on the
  rounding (denominators up to 10,000), without a certificate, and is not a proof even for these n.

The binary measure has the property on all matrices, while the average is examined on the domain. For the approximate
constant baseline, matrices have fractional cells; only the points that occur in the demands are constrained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import factorial, prod
from typing import Any

import numpy as np

from goodmeasure.catalogue.literature import AVERAGES
from goodmeasure.counts.enumeration import compositions, joint_counts, matrices
from goodmeasure.theory.refute.baselines import independent, is_unary
from goodmeasure.theory.refute.moves import admitted
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import ALL, Domain, domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import Rows, rows_of

Form = dict[Rows, Fraction]  # a linear form in the values of a binary measure
Row = tuple[Form, str]  # with "=" (it is 0), ">" (positive) or ">=" (not negative)
Average = Callable[[Rows], Form]


_TRIANGLES = 3  # the greatest n for which triples of labelings are listed


@dataclass(frozen=True)
class Preservation:
    """Whether averaging preserves a property: "held" up to n items, or "refuted" with a measure that loses it."""

    averaging: str
    property: str
    status: str
    n: int
    classes: int
    domain: str
    matrices: tuple[Rows, ...] = ()
    measure: tuple[tuple[Rows, Fraction], ...] = ()

    def __str__(self) -> str:
        if self.status == "held":
            return f"{self.averaging} averaging keeps {self.property} of every binary measure up to n = {self.n}"
        shown = " and ".join(str([list(map(str, row)) for row in x]).replace("'", "") for x in self.matrices)
        return f"{self.averaging} averaging loses {self.property} at n = {self.n}: {shown}"

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        data = asdict(self)
        data["matrices"] = [[[str(x) for x in row] for row in rows] for rows in self.matrices]
        data["measure"] = [[[[str(x) for x in row] for row in rows], str(v)] for rows, v in self.measure]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Preservation:
        """Return an answer from plain data."""
        matrices = tuple(rows_of(x) for x in data["matrices"])
        measure = tuple((rows_of(x), Fraction(v)) for x, v in data["measure"])
        return cls(**{**data, "matrices": matrices, "measure": measure})


def preserves(averaging: str, name: str, *, n: int = 4, classes: int = 3, domain: Any = "regular") -> Preservation:
    """Decide whether micro, macro or weighted averaging preserves a property of every binary measure, up to n items.

    The binary measure has the property on all matrices; its average is examined on the domain.

    >>> preserves("macro", "minimal_agreement", n=3).status
    'refuted'
    """
    if averaging not in AVERAGES:
        raise ValueError(f"averaging is {averaging!r}: use one of {', '.join(AVERAGES)}")
    of, where = statement(name), domain_of(domain)
    if of.kind == kinds.DISTANCE:
        for part in ("symmetry", "maximal_agreement"):
            lost = preserves(averaging, part, n=n, classes=classes, domain=domain)
            if lost.status == "refuted":
                return replace(lost, property=of.name)
        n = min(n, _TRIANGLES)
    for size in range(1, n + 1):
        found = _lost(averaging, of, size, classes, where)
        if found is not None:
            shown, measure = found
            return Preservation(averaging, of.name, "refuted", size, classes, where.name, shown, measure)
    return Preservation(averaging, of.name, "held", n, classes, where.name)


def _lost(averaging: str, of: Statement, n: int, m: int, domain: Domain) -> Any:
    """Return matrices of n items and values of a binary measure for which the average loses the property, or None."""
    average = AVERAGINGS[averaging]
    wanted: dict[Any, tuple[Form, str, tuple[Rows, ...]]] = {}
    for form, relation, shown in rows(of, n, m, domain, average):
        wanted.setdefault((tuple(sorted(form.items())), relation), (form, relation, shown))
    if not wanted:
        return None
    sizes = sorted({int(sum(map(sum, x))) for form, _, _ in wanted.values() for x in form if _whole(x)})
    known = [(form, relation) for size in sizes for form, relation, _ in rows(of, size, 2, ALL, _itself)]
    if of.kind == kinds.INDEPENDENT:
        known = _equal_where_independent({x for form, _, _ in wanted.values() for x in form})
    return _Program(known, [x[0] for x in wanted.values()]).violated(list(wanted.values()))


def _whole(rows: Rows) -> bool:
    return all(isinstance(x, int) for row in rows for x in row)


# The averages as linear forms in the values of the binary measure


def _itself(rows: Rows) -> Form:
    """Return the value of a binary measure on one matrix as a form."""
    return {rows: Fraction(1)}


def _micro(rows: Rows) -> Form:
    """Return the value on the sum of the one-vs-rest matrices."""
    m, n = len(rows), sum(map(sum, rows))
    right = sum(rows[i][i] for i in range(m))
    return {rows_of(((m - 2) * n + right, n - right) if i == 0 else (n - right, right) for i in range(2)): Fraction(1)}


def _one_vs_rest(rows: Rows, i: int) -> Rows:
    """Return the matrix of one class against the rest."""
    n, hit = sum(map(sum, rows)), rows[i][i]
    a, b = sum(rows[i]), sum(row[i] for row in rows)
    return rows_of(((n - a - b + hit, b - hit), (a - hit, hit)))


def _macro(rows: Rows) -> Form:
    """Return the mean over the classes that occur in one of the labelings, as `macro` does."""
    there = [i for i, row in enumerate(rows) if sum(row) + sum(other[i] for other in rows)]
    return _sum((Fraction(1, len(there)), _itself(_one_vs_rest(rows, i))) for i in there)


def _weighted(rows: Rows) -> Form:
    """Return the mean over the classes, weighted by their true sizes."""
    n = Fraction(sum(map(sum, rows)))
    return _sum((sum(row) / n, _itself(_one_vs_rest(rows, i))) for i, row in enumerate(rows) if sum(row))


AVERAGINGS: dict[str, Average] = {"micro": _micro, "macro": _macro, "weighted": _weighted}


def _sum(terms: Any) -> Form:
    """Return a weighted sum of forms."""
    total: Form = {}
    for weight, form in terms:
        for x, c in form.items():
            total[x] = total.get(x, Fraction(0)) + weight * c
    return {x: c for x, c in total.items() if c}


# A statement as linear rows


def rows(
    of: Statement, n: int, m: int, domain: Domain, average: Average
) -> Iterator[tuple[Form, str, tuple[Rows, ...]]]:
    """Yield what a statement demands of an average on matrices of n items: form, relation, and the matrices to show.

    Moves that add or remove an item also involve matrices of n + 1 or n − 1 items.
    """

    def difference(x: Rows, y: Rows) -> Form:
        return _sum(((Fraction(1), average(x)), (Fraction(-1), average(y))))

    listed = [rows_of(x.tolist()) for x in matrices(n, m) if domain.holds(x)]
    if of.kind == kinds.EXTREME:
        extreme = [x for x in listed if _is_extreme(x, of.at)]
        for x in extreme[1:]:
            yield difference(extreme[0], x), "=", (extreme[0], x)
        for x in listed if extreme else []:
            if not _is_extreme(x, of.at):
                high, low = (extreme[0], x) if of.at == kinds.DIAGONAL else (x, extreme[0])
                yield difference(high, low), ">", (x, extreme[0])
    elif of.kind == kinds.INVARIANCE:
        for x in listed:
            for image in of.maps(m):
                y = tuple(tuple(x[p][q] for p, q in row) for row in image)
                yield difference(x, y), "=", (x, y)
    elif of.kind == kinds.MOVES:
        for x in listed:
            for move in of.moves(m):
                after = move.apply(tuple(tuple(map(int, row)) for row in x))
                if after is not None and domain.holds(np.array(after)) and admitted(of, x, after):
                    yield difference(after, x), ">", (x, after)
    elif of.kind == kinds.DISTANCE:
        for part in ("symmetry", "maximal_agreement"):
            yield from rows(statement(part), n, m, domain, average)
        yield from _triangles(n, m, domain, average)
    elif of.kind == kinds.EXPECTATION:
        yield from _expectations(listed, average)
    elif of.kind == kinds.INDEPENDENT:
        sizes = [tuple(map(int, x)) for x in compositions(n, m)]
        pairs = [(a, b) for a in sizes for b in sizes if not is_unary(b) and domain.admits(np.array(a), np.array(b))]
        points = [independent(a, b) for a, b in pairs]
        for x in points[1:]:
            yield difference(points[0], x), "=", (points[0], x)


def _is_extreme(rows: Rows, at: str) -> bool:
    right = sum(row[i] for i, row in enumerate(rows))
    return right == (sum(map(sum, rows)) if at == kinds.DIAGONAL else 0)


def _triangles(n: int, m: int, domain: Domain, average: Average) -> Iterator[tuple[Form, str, tuple[Rows, ...]]]:
    """Yield the triangle inequality of an average, once for each triple of confusion matrices."""
    equal = rows_of(np.diag([n - m + 1, *[1] * (m - 1)] if n >= m else [n, *[0] * (m - 1)]).tolist())
    seen = set()
    for joint in joint_counts(n, m):
        ab, bc, ac = (joint.sum(axis=k) for k in (2, 0, 1))
        if not all(domain.holds(x) for x in (ab, bc, ac)):
            continue
        key = tuple(rows_of(x.tolist()) for x in (ab, bc, ac))
        if key not in seen:
            seen.add(key)
            one, two, three = (average(x) for x in key)
            terms = ((Fraction(1), average(equal)), (Fraction(1), three), (Fraction(-1), one), (Fraction(-1), two))
            yield _sum(terms), ">=", key


def _expectations(listed: list[Rows], average: Average) -> Iterator[tuple[Form, str, tuple[Rows, ...]]]:
    """Yield that the averages over random predictions are equal for all class sizes."""
    groups: dict[Any, list[Rows]] = {}
    for x in listed:
        a, b = _sizes(x)
        if not is_unary(b):
            groups.setdefault((a, b), []).append(x)
    expected = []
    for tables in groups.values():
        ways = [Fraction(1, prod(factorial(int(c)) for row in x for c in row)) for x in tables]
        expected.append((_sum((w / sum(ways), average(x)) for w, x in zip(ways, tables, strict=True)), tables[0]))
    for form, x in expected[1:]:
        yield _sum(((Fraction(1), form), (Fraction(-1), expected[0][0]))), "=", (expected[0][1], x)


def _sizes(rows: Rows) -> tuple[Any, Any]:
    """Return the true and the predicted class sizes."""
    return tuple(map(sum, rows)), tuple(map(sum, zip(*rows, strict=True)))


def _equal_where_independent(points: set[Rows]) -> list[Row]:
    """Return the rows of the approximate constant baseline of a binary measure, at the points that occur."""
    flat = sorted(x for x in points if x[0][0] * x[1][1] == x[0][1] * x[1][0])
    flat = [x for x in flat if not is_unary(_sizes(x)[1])]
    return [({flat[0]: Fraction(1), x: Fraction(-1)}, "=") for x in flat[1:]]


class _Program:
    """The linear program over the values of a binary measure that has a property."""

    def __init__(self, known: list[Row], forms: list[Form]) -> None:
        names = sorted({x for form, _ in known for x in form} | {x for form in forms for x in form})
        self.place = {x: k for k, x in enumerate(names)}
        self.known = [(form, relation) for form, relation in known if form]

    def vector(self, form: Form) -> Any:
        """Return the coefficients of a form."""
        found = np.zeros(len(self.place))
        for x, c in form.items():
            found[self.place[x]] = float(c)
        return found

    def violated(self, wanted: list[tuple[Form, str, tuple[Rows, ...]]]) -> Any:
        """Return the matrices of the first demand that some measure violates, and its values; None if there is none."""
        for form, relation, shown in wanted:
            for sign in (1, -1) if relation == "=" else (1,):
                found = self._breaking(form, relation, sign)
                if found is not None:
                    return shown, found
        return None

    def _breaking(self, form: Form, relation: str, sign: int) -> Any:
        """Return values of a measure with sign·form ≤ 0 (strict demands) or ≤ −1 (other demands), or None."""
        try:
            from scipy.optimize import linprog
            from scipy.sparse import csr_array
        except ImportError:
            raise ImportError("this needs the extra: pip install 'goodmeasure[prove]'") from None
        if not form and relation != ">":
            return None
        end = 0.0 if relation == ">" else -1.0
        unequal = [(x, r) for x, r in self.known if r != "="]
        equal = [x for x, r in self.known if r == "="]
        above = [-self.vector(x) for x, _ in unequal] + [sign * self.vector(form)]
        bounds = [-1.0 if r == ">" else 0.0 for _, r in unequal] + [end]
        found = linprog(
            np.zeros(len(self.place)),
            A_ub=csr_array(np.array(above)),
            b_ub=bounds,
            A_eq=csr_array(np.array([self.vector(x) for x in equal])) if equal else None,
            b_eq=np.zeros(len(equal)) if equal else None,
            bounds=(None, None),
            method="highs",
        )
        if found.status != 0:
            return None
        values = [Fraction(float(x)).limit_denominator(10_000) for x in found.x]
        measure = dict(zip(self.place, values, strict=True))
        return tuple(measure.items()) if self._stands(measure, form, relation, sign) else None

    def _stands(self, measure: dict[Rows, Fraction], form: Form, relation: str, sign: int) -> bool:
        """Return whether rounded values satisfy every row and violate the demand, in exact arithmetic."""

        def value(x: Form) -> Fraction:
            return sum((c * measure[k] for k, c in x.items()), Fraction(0))

        for x, r in self.known:
            got = value(x)
            if (r == "=" and got != 0) or (r == ">" and got <= 0) or (r == ">=" and got < 0):
                return False
        broken = sign * value(form)
        return broken <= 0 if relation == ">" else broken < 0
