"""The linear rows that each kind of statement demands of the values of a measure.

For each kind there are two functions. One lists the subjects of a statement for n items, as plain data (`ABOUTS`): a
matrix, a matrix and its image, a matrix before and after a move, class sizes, or the joint counts of three labelings.
The other turns one subject into a row (`DEMANDS`): terms (unknown, coefficient) and the relation of their sum to 0, or
None where the statement demands nothing. The second is also used on its own, when rows are carried over to larger n, so
it checks the sizes, the domain and the side conditions itself.

An unknown is a matrix, which stands for the measure's value on it, or the name of a constant such as c_max. All rows
are homogeneous and their coefficients add up to 0, so a constant table satisfies every row that is not strict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from math import factorial, gcd, prod
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.enumeration import compositions
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.possible.program import LinearProgram

Matrix = tuple[tuple[int, ...], ...]
UnknownValue = Matrix | str  # the value on a matrix, or a constant that a statement claims to exist
# the terms of a row with their weights, and its relation to 0; None if nothing is demanded
Demand = tuple[list[tuple[UnknownValue, Fraction | int]], str]
RowSubject = Mapping[str, ReadJson]  # the subject of a row, as plain data: matrices, class sizes or labelings

EQUAL, POSITIVE, NOT_NEGATIVE = "=", ">", ">="


def constant_name(of: Statement, which: int = 0) -> str:
    """Return the unknown that stands for a constant of a statement."""
    return f"{of.constants[which]}({of.short})"


# Extremes: diagonal (or zero-diagonal) matrices have one constant value, and others are strictly below (above) it


def _each_matrix(program: LinearProgram, _of: Statement, n: int) -> Iterator[RowSubject]:
    for x in program.listed(n):
        yield {"matrix": x}


def _extreme(program: LinearProgram, of: Statement, about: RowSubject) -> Demand | None:
    x = about["matrix"]
    if not program.holds(x):
        return None
    sign = 1 if of.at == kinds.DIAGONAL else -1
    return [(constant_name(of), sign), (x, -sign)], EQUAL if is_extreme(x, of.at) else POSITIVE


def is_extreme(x: Matrix, at: str) -> bool:
    """Return whether all predictions are right (or all wrong)."""
    right = sum(row[i] for i, row in enumerate(x))
    return right == (sum(map(sum, x)) if at == kinds.DIAGONAL else 0)


# Invariances: a matrix and its image, or two matrices that differ by factors


def _images(program: LinearProgram, of: Statement, n: int) -> Iterator[RowSubject]:
    """Yield matrices with their images; with scalings, each matrix with the first one of its shape."""
    for x in program.listed(n):
        if of.scales:
            first = _first_of_its_shape(program, of, x)
            if first != x:
                yield {"matrix": first, "image": x}
        for image in of.maps(program.m):
            y = tuple(tuple(x[p][q] for p, q in row) for row in image)
            if x < y:
                yield {"matrix": x, "image": y}


def _first_of_its_shape(program: LinearProgram, of: Statement, x: Matrix) -> Matrix:
    """Return the first matrix of the program that differs from x by factors only.

    Each matrix is compared with this one, so one row for each matrix says that all of a shape have the same value.
    """
    whole = gcd(*(c for row in x for c in row))
    least = [tuple(c // (whole if of.scales == "matrix" else gcd(*row) or 1) for c in row) for row in x]
    n = min(program.sizes)
    for n in program.sizes:
        if of.scales == "matrix":
            total = sum(map(sum, least))
            if n % total == 0:
                return tuple(tuple(c * (n // total) for c in row) for row in least)
            continue
        weights = [sum(row) for row in least]
        factors = next(_factorings(n, weights), None)
        if factors is not None:
            return tuple(tuple(c * k for c in row) for row, k in zip(least, factors, strict=True))
    raise AssertionError(f"{x} is of no size of the program ({n})")


def _factorings(n: int, weights: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield positive factors (1 for an empty row) with Σ factor·weight = n."""
    if not weights:
        if n == 0:
            yield ()
        return
    first, rest = weights[0], weights[1:]
    for k in range(1, n // first + 1) if first else (1,):
        yield from ((k, *more) for more in _factorings(n - k * first, rest))


def _invariance(program: LinearProgram, _of: Statement, about: RowSubject) -> Demand | None:
    x, y = about["matrix"], about["image"]
    return ([(x, 1), (y, -1)], EQUAL) if program.holds(x, y) else None


# Moves


def _moves(program: LinearProgram, of: Statement, n: int) -> Iterator[RowSubject]:
    for x in program.listed(n):
        for move in of.moves(program.m):
            after = move.apply(x)
            if after is not None:
                yield {"matrix": x, "after": after}


def _move(program: LinearProgram, of: Statement, about: RowSubject) -> Demand | None:
    x, y = about["matrix"], about["after"]
    if not program.holds(x, y) or not _admitted(of, x, y):
        return None
    rises = next(move.rises for move in of.moves(program.m) if move.apply(x) == y)
    sign = 1 if rises else -1
    return [(y, sign), (x, -sign)], POSITIVE if of.strict else NOT_NEGATIVE


def _admitted(of: Statement, x: Matrix, y: Matrix) -> bool:
    """Return whether the side conditions of a statement hold for a move from x to y."""
    n = sum(map(sum, x))
    if kinds.NON_UNARY_BEFORE in of.before and (n in map(sum, x) or n in map(sum, zip(*x, strict=True))):
        return False
    for condition, at in (
        (kinds.NOT_BOTH_DIAGONAL, kinds.DIAGONAL),
        (kinds.NOT_BOTH_ZERO_DIAGONAL, kinds.ZERO_DIAGONAL),
    ):
        if condition in of.pair and is_extreme(x, at) and is_extreme(y, at):
            return False
    return True


# Distance: symmetry, maximal agreement, and the triangle inequality of three labelings


def _distances(program: LinearProgram, _of: Statement, n: int) -> Iterator[RowSubject]:
    for part in PARTS:
        whole = statement_of(part)
        for about in ABOUTS[whole.kind](program, whole, n):
            yield {"part": part, **about}
    for joint in program.triples(n):
        yield {"labelings": joint}


PARTS = ("symmetry", "maximal_agreement")


def _distance(program: LinearProgram, of: Statement, about: RowSubject) -> Demand | None:
    """Return the row of a part (symmetry or maximal agreement), or of the triangle inequality for three labelings."""
    if "part" in about:
        whole = statement_of(about["part"])
        found = DEMANDS[whole.kind](program, whole, about)
        return found and ([(_renamed(x, whole, of), w) for x, w in found[0]], found[1])
    joint = np.array(about["labelings"])
    ab, bc, ac = (tuple(map(tuple, joint.sum(axis=k).tolist())) for k in (2, 0, 1))
    if not program.holds(ab, bc, ac):
        return None
    return [(constant_name(of), 1), (ac, 1), (ab, -1), (bc, -1)], NOT_NEGATIVE


def _renamed(x: UnknownValue, whole: Statement, of: Statement) -> UnknownValue:
    """Return an unknown with the constant of a part replaced by that of the distance."""
    return constant_name(of) if whole.constants and x == constant_name(whole) else x


# Averages over random predictions


def _averages(program: LinearProgram, of: Statement, n: int) -> Iterator[RowSubject]:
    for a in _sizes_of(n, program.m):
        if of.uniform:
            yield {"true": a}
            continue
        for b in _sizes_of(n, program.m):
            yield {"true": a, "predicted": b}


def _sizes_of(n: int, m: int) -> list[tuple[int, ...]]:
    return [tuple(x) for x in compositions(n, m).tolist()]


def _unary(sizes: tuple[int, ...]) -> bool:
    return max(sizes) == sum(sizes)


def _sizes_admitted(program: LinearProgram, of: Statement, about: RowSubject) -> bool:
    """Return whether the statement and the domain admit these class sizes."""
    a, b = about["true"], about.get("predicted")
    if min(a) < 0 or (b is not None and min(b) < 0) or sum(a) not in program.sizes:
        return False
    if (_unary(a) and not of.unary_truth) or (b is not None and _unary(b) and not of.unary_predictions):
        return False
    return b is None or bool(program.domain.admits(np.array(a), np.array(b)))


def _average(program: LinearProgram, of: Statement, about: RowSubject) -> Demand | None:
    """Return the row that an average over random predictions equals the constant; weights are hypergeometric."""
    if not _sizes_admitted(program, of, about):
        return None
    tables = [x for x in tables_of(about["true"], about.get("predicted")) if program.holds(x)]
    if not tables:
        return None
    ways = [Fraction(1, prod(factorial(c) for row in x for c in row)) for x in tables]
    total = sum(ways)
    return [*((x, w / total) for x, w in zip(tables, ways, strict=True)), (constant_name(of), Fraction(-1))], EQUAL


def tables_of(a: tuple[int, ...], b: tuple[int, ...] | None) -> Iterator[Matrix]:
    """Yield the matrices with given true and (unless None) predicted class sizes."""
    if b is None:
        yield from product(*(_sizes_of(x, len(a)) for x in a))
    elif not a:
        yield ()
    else:
        for row in _rows_below(a[0], b) if len(a) > 1 else [b]:
            rest = tuple(x - y for x, y in zip(b, row, strict=True))
            yield from ((row, *more) for more in tables_of(a[1:], rest))


def _rows_below(total: int, b: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if len(b) == 1:
        if total <= b[0]:
            yield (total,)
        return
    for first in range(max(0, total - sum(b[1:])), min(total, b[0]) + 1):
        yield from ((first, *rest) for rest in _rows_below(total - first, b[1:]))


# Independent labelings. If a_i b_j / n is not whole, the value on this matrix occurs in no other row, so its row can
# always be satisfied by choosing this value. Hence only whole matrices matter


def _independent(program: LinearProgram, of: Statement, about: RowSubject) -> Demand | None:
    """Return the row that the value on a_i b_j / n equals the constant, if this matrix is whole."""
    if not _sizes_admitted(program, of, about):
        return None
    a, b = about["true"], about["predicted"]
    n = sum(a)
    if any(x * y % n for x in a for y in b):
        return None
    x = tuple(tuple(p * q // n for q in b) for p in a)
    return ([(x, 1), (constant_name(of), -1)], EQUAL) if program.holds(x) else None


# Constant predictions, the range, and indifference


def _constants_predicted(program: LinearProgram, _of: Statement, n: int) -> Iterator[RowSubject]:
    for a in _sizes_of(n, program.m):
        if min(a) > 0:
            for j in range(program.m):
                yield {"matrix": tuple(tuple(x if k == j else 0 for k in range(program.m)) for x in a)}


def _constant_prediction(program: LinearProgram, of: Statement, about: RowSubject) -> Demand | None:
    x = about["matrix"]
    called = [j for j, size in enumerate(map(sum, zip(*x, strict=True))) if size]
    if not program.holds(x) or len(called) != 1 or min(map(sum, x)) == 0:
        return None
    return [(x, 1), (constant_name(of, program.m - 1 - called[0]), -1)], EQUAL  # k_1: everything is predicted positive


def _ends(program: LinearProgram, _of: Statement, n: int) -> Iterator[RowSubject]:
    for x in program.listed(n):
        if any(is_extreme(x, at) for at in (kinds.DIAGONAL, kinds.ZERO_DIAGONAL)):
            yield {"matrix": x}


def _end(program: LinearProgram, of: Statement, about: RowSubject) -> Demand | None:
    """Return the row of an end of the range: with MON, right predictions score best and wrong ones worst."""
    x = about["matrix"]
    if not program.holds(x):
        return None
    which = next((k for k, at in enumerate((kinds.ZERO_DIAGONAL, kinds.DIAGONAL)) if is_extreme(x, at)), None)
    return None if which is None else ([(x, 1), (constant_name(of, which), -1)], EQUAL)


def _pairs_of_moves(program: LinearProgram, of: Statement, n: int) -> Iterator[RowSubject]:
    for x in program.listed(n):
        for one, two in combinations(of.moves(program.m), 2):
            if one.rises == two.rises:
                yield {"matrix": x, "one": one.apply(x), "other": two.apply(x)}


def _indifferent(program: LinearProgram, _of: Statement, about: RowSubject) -> Demand | None:
    one, two = about["one"], about["other"]
    return ([(one, 1), (two, -1)], EQUAL) if program.holds(about["matrix"], one, two) else None


ABOUTS: dict[str, Callable[[LinearProgram, Statement, int], Iterator[RowSubject]]] = {
    kinds.EXTREME: _each_matrix,
    kinds.INVARIANCE: _images,
    kinds.MOVES: _moves,
    kinds.DISTANCE: _distances,
    kinds.EXPECTATION: _averages,
    kinds.INDEPENDENT: _averages,
    kinds.TRIVIAL: _constants_predicted,
    kinds.RANGE: _ends,
    kinds.INDIFFERENT: _pairs_of_moves,
}
DEMANDS: dict[str, Callable[[LinearProgram, Statement, RowSubject], Demand | None]] = {
    kinds.EXTREME: _extreme,
    kinds.INVARIANCE: _invariance,
    kinds.MOVES: _move,
    kinds.DISTANCE: _distance,
    kinds.EXPECTATION: _average,
    kinds.INDEPENDENT: _independent,
    kinds.TRIVIAL: _constant_prediction,
    kinds.RANGE: _end,
    kinds.INDIFFERENT: _indifferent,
}
