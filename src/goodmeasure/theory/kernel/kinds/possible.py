"""Tables of values: each statement is examined on every matrix of the sizes.

A table assigns one value to each matrix of some sizes in a domain. If it has all the properties on these matrices, the
properties do not contradict each other there. Nothing is said about other sizes: a measure on all matrices would have
to extend the table. A constant such as c_max is whatever the table makes it: the properties claim only that it exists.

Each function below yields what violates one kind of statement, by searching all matrices, moves or triples of
labelings. Definedness and smoothness hold for every table: it has a value everywhere, and some polynomial interpolates
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, prod
from typing import TypeVar

from goodmeasure.theory.kernel.claim import domain_admits, statement_of
from goodmeasure.theory.kernel.facts import Node, listed
from goodmeasure.theory.kernel.kinds.impossible import Numbers, admits, all_right, all_wrong, images, parts, scaled
from goodmeasure.theory.kernel.refusal import Refused, demand
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.statement import Statement

MOST_MATRICES = 2_000_000  # of a table, and of the joint counts of three labelings
_FRACTION = re.compile(r"-?\d{1,2000}(/0*[1-9]\d{0,2000})?", re.ASCII)
_Key = TypeVar("_Key")
_Violations = Iterator[object]


def check(data: Node) -> None:
    """Demand that a table has a value for every matrix of its sizes in the domain, and has all its properties."""
    demand(data.get("measure") is None, "the certificate is about all measures, and names one", "measure")
    statements = [str(x) for x in listed(data.get("statements"), "statements")]
    demand(statements, "the certificate names no statement", "statements")
    Table(data).run(statements)


class Table:
    """The check of one table: its values by matrix."""

    def __init__(self, data: Node) -> None:
        m, sizes = data.get("classes"), listed(data.get("sizes"), "sizes")
        if type(m) is not int or not 2 <= m <= 6:
            raise Refused("the number of classes is none that is known", "classes")
        known = all(type(n) is int and 0 < n < 100 for n in sizes)
        demand(sizes and known, "a size is no number of items", "sizes")
        self.m, self.domain = m, str(data.get("domain"))
        self.sizes = [int(str(n)) for n in sizes]
        demand(
            sum(comb(n + m * m - 1, n) for n in self.sizes) <= MOST_MATRICES, "too many matrices to look at", "sizes"
        )
        self.value: dict[Numbers, Fraction] = {}
        for row in listed(data.get("table"), "table", most=MOST_MATRICES):
            matrix, value = listed(row, "table")
            self.value[self._matrix(matrix)] = _fraction(value)
        demand(
            len(self.value) == len(listed(data.get("table"), "table", most=MOST_MATRICES)),
            "a matrix has two values",
            "table",
        )
        wanted = {x for n in self.sizes for x in self._listed(n)}
        demand(set(self.value) == wanted, "the table has other matrices than the sizes", "table")

    def _matrix(self, rows: object) -> Numbers:
        found = []
        for row in listed(rows, "table"):
            cells = listed(row, "table")
            demand(all(type(x) is int for x in cells), "a cell is no whole number", "table")
            found.append(tuple(int(str(x)) for x in cells))
        return tuple(found)

    def _listed(self, n: int) -> Iterator[Numbers]:
        """Yield the matrices of n items in the domain."""
        m = self.m
        for x in parts(n, m * m):
            rows = tuple(x[i * m : (i + 1) * m] for i in range(m))
            if self.inside(rows):
                yield rows

    def inside(self, x: Numbers) -> bool:
        """Return whether a matrix lies in the domain."""
        return domain_admits(self.domain, [any(row) for row in x], [any(column) for column in zip(*x, strict=True)])

    def run(self, statements: Sequence[str]) -> None:
        """Demand that the table has the properties."""
        for of in map(statement_of, statements):
            demand(of.fits(self.m), f"{of.name} does not speak of {self.m} classes", "classes")
            if of.kind in (kinds.DEFINED, kinds.DEFINED_TOGETHER, kinds.SMOOTH):
                continue
            demand(of.kind in _KINDS, f"{of.name} cannot be read off a table", "statements")
            for x in _KINDS[of.kind](self, of):
                raise Refused(f"the table does not have {of.name}: see {x}", "table")

    def groups(self, key: Callable[[Numbers], _Key]) -> dict[_Key, list[Numbers]]:
        """Return the matrices of the table by a key."""
        found: dict[_Key, list[Numbers]] = {}
        for x in self.value:
            found.setdefault(key(x), []).append(x)
        return found


def _fraction(x: object) -> Fraction:
    found = _FRACTION.fullmatch(x) if isinstance(x, str) else None
    if found is None:
        raise Refused("a value is no fraction", "table")
    return Fraction(found[0])


def _sizes(x: Numbers) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(map(sum, x)), tuple(map(sum, zip(*x, strict=True)))


def _unary(sizes: tuple[int, ...]) -> bool:
    return sum(x > 0 for x in sizes) == 1


def _spoken_of(of: Statement, a: tuple[int, ...], b: tuple[int, ...] | None) -> bool:
    """Return whether a statement about guesses speaks of these class sizes."""
    return (of.unary_truth or not _unary(a)) and (b is None or of.unary_predictions or not _unary(b))


def _extreme(check: Table, of: Statement) -> _Violations:
    """Yield matrices that violate maximal or minimal agreement."""
    at, sign = (all_right, 1) if of.at == kinds.DIAGONAL else (all_wrong, -1)
    inside = [v for x, v in check.value.items() if at(x)]
    for x, v in check.value.items() if inside else ():
        if (v != inside[0]) if at(x) else sign * v >= sign * inside[0]:
            yield x


def _invariance(check: Table, of: Statement) -> _Violations:
    """Yield pairs of a matrix and its image, or of two multiples, with different values."""
    for x, v in check.value.items():
        for y in images(of, x):
            if check.value.get(y, v) != v:  # type: ignore[call-overload] # a matrix
                yield x, y
    if of.scales:
        whole = of.scales == "matrix"
        for group in check.groups(lambda x: _shares(sum(x, ())) if whole else tuple(map(_shares, x))).values():
            for y in group[1:]:
                demand(scaled(of, group[0], y), "two matrices of one shape differ by more than factors")
                if check.value[y] != check.value[group[0]]:
                    yield group[0], y


def _shares(cells: Sequence[int]) -> tuple[Fraction, ...]:
    whole = sum(cells) or 1
    return tuple(Fraction(c, whole) for c in cells)


def _moves(check: Table, of: Statement) -> _Violations:
    """Yield moves with which the value does not change as it must."""
    for x, v in check.value.items():
        for move in of.moves(check.m):
            y = move.apply(x)
            if y is not None and y in check.value and admits(of, x, y):
                gain = (check.value[y] - v) * (1 if move.rises else -1)
                if gain < 0 or (of.strict and gain == 0):
                    yield x, y


def _distance(check: Table, _of: Statement) -> _Violations:
    """Yield violations of symmetry, of maximal agreement, and of the triangle inequality."""
    yield from _invariance(check, statement_of("symmetry"))
    yield from _extreme(check, statement_of("maximal_agreement"))
    best = next((v for x, v in check.value.items() if all_right(x)), None)
    if best is None:
        demand(not check.value, "no labeling is compared with itself")
        return
    # If renamed classes change no value, a triple and its renaming have one inequality, so AB need not be looked at
    # where a renaming of it is less: from it the least one of its renamings, or one like it, is reached.
    m, renaming = range(check.m), statement_of("class_symmetry")
    alike = not any(True for _ in _invariance(check, renaming))
    for n in check.sizes:
        demand(comb(n + check.m**3 - 1, n) <= MOST_MATRICES * (1 + 2 * alike), "too many labelings to look at")
    for ab in check.value:
        if alike and any(y < ab for y in images(renaming, ab)):  # type: ignore[operator] # matrices
            continue
        for t in product(*(tuple(parts(c, check.m)) for row in ab for c in row)):
            bc = tuple(tuple(sum(t[i * check.m + j][k] for i in m) for k in m) for j in m)
            ac = tuple(tuple(sum(t[i * check.m + j][k] for j in m) for k in m) for i in m)
            if bc in check.value and ac in check.value:
                x, y, z = (best - check.value[p] for p in (ab, bc, ac))
                if z > x + y:
                    yield ab, bc, ac


def _expectation(check: Table, of: Statement) -> _Violations:
    """Yield class sizes for which the average over random predictions differs from the first one."""
    first = None
    for (a, b), group in check.groups(lambda x: (_sizes(x)[0], None if of.uniform else _sizes(x)[1])).items():
        if not _spoken_of(of, a, b):
            continue
        ways = [Fraction(1, prod(factorial(c) for row in x for c in row)) for x in group]
        average = sum((w * check.value[x] for w, x in zip(ways, group, strict=True)), Fraction(0)) / sum(ways)
        first = average if first is None else first
        if average != first:
            yield a, b


def _independent(check: Table, of: Statement) -> _Violations:
    """Yield independent matrices with another value than the first one."""
    first = None
    for x, v in check.value.items():
        a, b = _sizes(x)
        n = sum(a)
        if _spoken_of(of, a, b) and all(c * n == a[i] * b[j] for i, row in enumerate(x) for j, c in enumerate(row)):
            first = v if first is None else first
            if v != first:
                yield x


def _trivial(check: Table, _of: Statement) -> _Violations:
    """Yield constant predictions that score differently."""
    chosen = [x for x in check.value if all(map(any, x)) and _unary(_sizes(x)[1])]
    for j in range(check.m):
        found = {check.value[x] for x in chosen if any(row[j] for row in x)}
        if len(found) > 1:
            yield j


def _range(check: Table, _of: Statement) -> _Violations:
    """Yield the ends of the ranges, if they are not the same for all true class sizes."""
    ends = set()
    for group in check.groups(lambda x: _sizes(x)[0]).values():
        values = [check.value[x] for x in group]
        ends.add((min(values), max(values)))
    if len(ends) > 1:
        yield ends


def _indifferent(check: Table, of: Statement) -> _Violations:
    """Yield two additional items of the same kind that count differently."""
    for x in check.value:
        for one, two in combinations(of.moves(check.m), 2):
            known = [check.value[p] for p in (one.apply(x), two.apply(x)) if p is not None and p in check.value]
            if one.rises == two.rises and len(known) == 2 and known[0] != known[1]:
                yield x, one, two


_KINDS: Mapping[str, Callable[[Table, Statement], _Violations]] = {
    kinds.EXTREME: _extreme,
    kinds.INVARIANCE: _invariance,
    kinds.MOVES: _moves,
    kinds.DISTANCE: _distance,
    kinds.EXPECTATION: _expectation,
    kinds.INDEPENDENT: _independent,
    kinds.TRIVIAL: _trivial,
    kinds.RANGE: _range,
    kinds.INDIFFERENT: _indifferent,
}
