"""Check a table of values: each statement is examined on every matrix of the sizes, in exact arithmetic.

A table assigns one value to each matrix of some sizes in a domain. If it has all the properties on these matrices, the
properties do not contradict each other there. Nothing is said about other sizes: a measure on all matrices would have
to extend the table. Each function below yields what violates one kind of statement, by searching all matrices, moves or
triples of labelings; it builds no linear rows, so it shares with `theory/possible` only the statements, the domains and
the enumeration of matrices.

A constant such as c_max is whatever the table makes it: the properties claim only that it exists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, factorial, lcm, prod
from typing import TypeVar

from goodmeasure.catalogue.measure import as_measure
from goodmeasure.counts.enumeration import joint_counts, matrices
from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.verify.impossibility import admits, all_right, all_wrong, scaled
from goodmeasure.theory.verify.signs import CertificateError, demand
from goodmeasure.typing import ReadJson

CountRows = tuple[tuple[int, ...], ...]
_Key = TypeVar("_Key")
_MOST_MATRICES = 2_000_000  # of a table, and of the joint counts of three labelings


def check_possible(data: Mapping[str, ReadJson]) -> None:
    """Demand that a table has a value for every matrix of its sizes in the domain, and has all its properties."""
    try:
        table = {tuple(tuple(map(int, row)) for row in x): Fraction(value) for x, value in data["table"]}
        demand(len(table) == len(data["table"]), "a matrix has two values")
        scale = lcm(*(x.denominator for x in table.values()))  # to whole numbers, which no statement notices
        scaled_up = {x: int(v * scale) for x, v in table.items()}
        check = TableCheck(scaled_up, tuple(map(int, data["sizes"])), int(data["classes"]), data["domain"])
    except CertificateError:
        raise
    except (TypeError, ValueError, ZeroDivisionError, KeyError) as error:
        raise CertificateError("the table cannot be read: {why}", field="table", why=error) from None
    for name in data["statements"]:
        of = statement_of(name)
        demand(
            of.fits(check.m),
            "{statement} does not speak of {got} classes",
            field="classes",
            got=check.m,
            statement=of.name,
        )
        check.run(of)


def check_known(data: Mapping[str, ReadJson], name: str) -> None:
    """Demand that a measure of the catalogue has the properties of a table on all matrices of its sizes.

    Values are exact. This does not show that the measure has the properties for every n, but it usually exposes a
    measure that lacks one of them.
    """
    measure = as_measure(name)
    turn = -1 if measure.orientation == "lower" else 1
    table = {}
    for rows, _ in data["table"]:
        value = measure.exact(rows)
        demand(value is not UNDEFINED, "{name} has no value on {matrix}", field="known", name=name, matrix=rows)
        table[tuple(map(tuple, rows))] = value * turn
    check = TableCheck(table, tuple(data["sizes"]), data["classes"], data["domain"])
    for statement in data["statements"]:
        check.run(statement_of(statement))


class TableCheck:
    """The check of one table."""

    def __init__(self, table: Mapping[CountRows, int | Exact], sizes: tuple[int, ...], m: int, domain: str) -> None:
        self.sizes, self.m, self.domain = sizes, m, domain_of(domain)
        self.value = dict(table)
        demand(sum(comb(n + m * m - 1, n) for n in sizes) <= _MOST_MATRICES, "too many matrices to look at")
        listed = {x for n in sizes for x in self.listed(n)}
        demand(
            listed == set(table),
            "the table has {got} matrices, and the sizes have {wanted}",
            field="table",
            got=len(table),
            wanted=len(listed),
        )

    def listed(self, n: int) -> Iterator[CountRows]:
        """Yield the matrices of n items in the domain."""
        for x in matrices(n, self.m):
            if self.domain.holds(x):
                yield tuple(map(tuple, x.tolist()))

    def run(self, of: Statement) -> None:
        """Demand that the table has one property."""
        if of.kind in (kinds.DEFINED, kinds.DEFINED_TOGETHER, kinds.SMOOTH):
            return  # a table has a value everywhere, and some polynomial interpolates it
        demand(of.kind in _KINDS, "{statement} cannot be read off a table", statement=of.name)
        for x in _KINDS[of.kind](self, of):
            raise CertificateError(
                "the table does not have {statement}: see {got}", field="table", got=x, statement=of.name
            )

    def groups(self, key: Callable[[CountRows], _Key]) -> dict[_Key, list[CountRows]]:
        """Return the matrices of the table by a key."""
        found: dict[_Key, list[CountRows]] = {}
        for x in self.value:
            found.setdefault(key(x), []).append(x)
        return found


def _sizes(x: CountRows) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(map(sum, x)), tuple(map(sum, zip(*x, strict=True)))


def _unary(sizes: tuple[int, ...]) -> bool:
    return sum(x > 0 for x in sizes) == 1


# For each kind of statement, a generator of its violations


def _extreme(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield matrices that violate maximal or minimal agreement."""
    at, sign = (all_right, 1) if of.at == kinds.DIAGONAL else (all_wrong, -1)
    inside = [v for x, v in check.value.items() if at(x)]
    if not inside:
        return
    for x, v in check.value.items():
        if (v != inside[0]) if at(x) else sign * v >= sign * inside[0]:
            yield x


def _invariance(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield pairs of a matrix and its image, or of two multiples, with different values."""
    for x, v in check.value.items():
        for image in of.maps(check.m):
            y = tuple(tuple(x[p][q] for p, q in row) for row in image)
            if check.value.get(y, v) != v:
                yield x, y
    if of.scales:
        shape = (lambda x: _shares([c for row in x for c in row])) if of.scales == "matrix" else _row_shares
        for group in check.groups(shape).values():
            for y in group[1:]:
                demand(scaled(of, group[0], y), "two matrices of one shape differ by more than factors")
                if check.value[y] != check.value[group[0]]:
                    yield group[0], y


def _shares(cells: Sequence[int]) -> tuple[Fraction, ...]:
    total = sum(cells) or 1
    return tuple(Fraction(c, total) for c in cells)


def _row_shares(x: CountRows) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(map(_shares, x))


def _moves(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield moves with which the value does not change as it must."""
    for x, v in check.value.items():
        for move in of.moves(check.m):
            y = move.apply(x)
            if y is not None and y in check.value and admits(of, x, y):
                gain = (check.value[y] - v) * (1 if move.rises else -1)
                if gain < 0 or (of.strict and gain == 0):
                    yield x, y


def _distance(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield violations of symmetry, of maximal agreement, and of the triangle inequality."""
    yield from _invariance(check, statement_of("symmetry"))
    yield from _extreme(check, statement_of("maximal_agreement"))
    best = next((v for x, v in check.value.items() if all_right(x)), None)
    if best is None:
        demand(not check.value, "no labeling is compared with itself")
        return
    for n in check.sizes:
        demand(comb(n + check.m**3 - 1, n) <= _MOST_MATRICES, "too many labelings to look at")
        joint = joint_counts(n, check.m)
        pairs = [joint.sum(axis=k) for k in (3, 1, 2)]
        inside = check.domain.holds(pairs[0]) & check.domain.holds(pairs[1]) & check.domain.holds(pairs[2])
        listed = [x[inside].tolist() for x in pairs]
        for ab, bc, ac in zip(*listed, strict=True):
            x, y, z = (check.value[tuple(map(tuple, p))] for p in (ab, bc, ac))
            if best - z > (best - x) + (best - y):
                yield ab, bc, ac


def _expectation(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield class sizes for which the average over random predictions differs from the first one."""
    first = None
    for (a, b), group in check.groups(lambda x: (_sizes(x)[0], None if of.uniform else _sizes(x)[1])).items():
        if (b is not None and _unary(b) and not of.unary_predictions) or (_unary(a) and not of.unary_truth):
            continue
        ways = [Fraction(1, prod(factorial(c) for row in x for c in row)) for x in group]
        average = sum((w * check.value[x] for w, x in zip(ways, group, strict=True)), Fraction(0)) / sum(ways)
        first = average if first is None else first
        if average != first:
            yield a, b


def _independent(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield independent matrices with another value than the first one."""
    first = None
    for x, v in check.value.items():
        a, b = _sizes(x)
        if (_unary(b) and not of.unary_predictions) or (_unary(a) and not of.unary_truth):
            continue
        if all(c * sum(a) == p * q for row, p in zip(x, a, strict=True) for c, q in zip(row, b, strict=True)):
            first = v if first is None else first
            if v != first:
                yield x


def _trivial(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield constant predictions that score differently."""
    chosen = {x for x in check.value if all(map(any, x)) and _unary(_sizes(x)[1])}
    for group in check.groups(lambda x: tuple(map(bool, _sizes(x)[1])) if x in chosen else None).values():
        if group[0] in chosen and len({check.value[x] for x in group}) > 1:
            yield group


def _range(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield the ends of the ranges, if they are not the same for all true class sizes."""
    ends = {}
    for a, group in check.groups(lambda x: _sizes(x)[0]).items():
        values = [check.value[x] for x in group]
        ends[a] = min(values), max(values)
    if len(set(ends.values())) > 1:
        yield ends


def _indifferent(check: TableCheck, of: Statement) -> Iterator[object]:
    """Yield two additional items of the same kind that count differently."""
    for x in check.value:
        for one, two in combinations(of.moves(check.m), 2):
            y, z = one.apply(x), two.apply(x)
            known = [check.value[p] for p in (y, z) if p is not None and p in check.value]
            if one.rises == two.rises and len(known) == 2 and known[0] != known[1]:
                yield y, z


_KINDS: dict[str, Callable[[TableCheck, Statement], Iterator[object]]] = {
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
