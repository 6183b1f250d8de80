"""Replay the witness of a refuted verdict: matrices in the domain, with the stated values, that violate the claim.

Every matrix is evaluated again, in exact arithmetic. What is demanded of the matrices depends on the kind of statement:

* *Moves, invariances, extremes*: two matrices, of which one is the other after a move or a map; or two of which one is
  extreme. An extreme is also refuted by a ray C + k·D on which the measure is a quotient of polynomials in k that grows
  without bound, in the wrong direction, or grows like log k.
* *Distance*: a witness against symmetry or maximal agreement, or three labelings: their three matrices are counted
  again, and d(A, C) > d(A, B) + d(B, C).
* *Averages*: two sets of class sizes. Their matrices and the chances of these are listed again, and the averages
  differ. An average over only those predictions that have a value counts if no class sizes of few items have a value
  for every prediction.
* *Independent labelings*: two matrices a_i·b_j/n whose values differ, also for different numbers of classes if the
  statement compares these. For baselines of higher order, one such matrix at which a derivative is not 0, or at which
  the measure has a corner, so that the derivatives do not exist (`_has_corner`).
* *Test sets*: a matrix without a value; two matrices with the same true sizes of which one has a value; two test sets
  with different least (or greatest) values, for which all predictions are listed again; two constant predictions of the
  same class.
* *Class decomposability*: one or two squares of matrices that leave no exponent p (`_left`).
* *Smoothness*: a matrix at which limits or slopes along rays contradict smoothness (`rays.py`).

Refuted chance correction is shown by a proof about all guesses. No finite number of values shows it, so such a witness
is refused if there is no certificate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import TYPE_CHECKING

from goodmeasure.exceptions import CertificateError, Undecided
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.number_parsing import read_exact
from goodmeasure.language.exact.reals import Exact
from goodmeasure.packages import flint
from goodmeasure.theory.kernel.calculus import derivative
from goodmeasure.theory.kernel.kinds.impossible import admits, all_right, all_wrong, scaled
from goodmeasure.theory.replay.near_zero import POLE, NearZero
from goodmeasure.theory.replay.rays import along, is_seen_not_to_be_smooth, limit, slope
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import ClassSizes, Exhibit, MatrixRows, Witness
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.language.tree import Tree


def demand(condition: object, problem: str, **fields: object) -> None:
    """Raise `CertificateError` unless a condition holds."""
    if not condition:
        raise CertificateError(problem, **fields)


def is_stated(text: ReadJson, value: Exact | Fraction) -> bool:
    """Return whether a text states this value; False if there is no value, or if that stays undecided."""
    if not isinstance(text, str) or len(text) > _LONGEST or value is reals.UNDEFINED:
        return False
    if text == str(value):
        return True
    try:
        return bool(read_exact(text) == value)
    except (ValueError, ArithmeticError, RecursionError, MemoryError, Undecided):
        return False


_LONGEST = 10_000  # characters of a number
_MOST_PREDICTIONS = 20_000  # for one test set
_MOST_ORDER = 6  # of derivatives, where all of them should vanish
_FARTHEST, _BITS = 64.0, 256  # exponents beyond the first are not distinguished; bits of the balls that compare them
_FEW = 4  # items: class sizes for which every prediction has a value are sought up to this number


def replay(said: Mapping[str, object], measure: Measure) -> None:
    """Demand that the matrices of a refuted verdict refute its statement."""
    Replay(said, measure).run()


class Replay:
    """The replay of one witness."""

    def __init__(self, said: Mapping[str, ReadJson], measure: Measure) -> None:
        self.of: Statement = statement_of(said.get("property") or said["statement"])
        witness = said["witness"]
        self.witness = witness if isinstance(witness, Witness) else Witness.from_dict(witness)
        self.classes, self.n = said["classes"], said["n"]
        self.measure, self.domain = measure, domain_of(said["domain"])
        demand(
            self.classes == "every" or type(self.classes) is int,
            "{got!r} is no number of classes",
            field="classes",
            got=self.classes,
        )
        demand(
            self.of.fits(self.classes),
            "{statement} does not speak of {got} classes",
            field="classes",
            got=self.classes,
            statement=self.of.name,
        )
        undefined = self.of.policy or said["undefined"]
        self.policy = undefined if undefined in ("resolve", "nan", "raise") else float(undefined)
        self.turn = -1 if measure.orientation == "lower" else 1

    def run(self) -> None:
        """Check the witness, by the kind of its statement."""
        demand(
            self.of.kind in _WAYS,
            "a witness of {statement} is no finite number of values",
            field="witness",
            statement=self.of.name,
        )
        for exhibit in self.witness.exhibits:
            for rows in (exhibit.matrix, *(x for _, x in exhibit.average)):
                if rows:
                    self._must_be_matrix(rows)
        violated = _WAYS[self.of.kind](self, self.of)
        demand(violated, "the matrices do not violate the statement")

    def _must_be_matrix(self, rows: MatrixRows) -> None:
        m = len(rows)
        several = self.classes == "every" or self.of.across_m
        demand(m == self.classes or (several and 2 <= m <= 5), "a matrix has another number of classes")
        demand(all(len(row) == m for row in rows) and all(x >= 0 for row in rows for x in row), "no matrix")
        inside = any(map(any, rows)) and self.domain.holds_pattern(tuple(tuple(bool(x) for x in y) for y in rows))
        demand(inside, "{got} is outside the domain", field="witness", got=rows)

    # What is shown

    def tree(self, m: int) -> Tree:
        """Return the definition for m classes."""
        return self.measure.recorded.tree(m)

    def value(self, rows: MatrixRows) -> Exact:
        """Return the exact value, turned so that higher is better, or `UNDEFINED`."""
        value = self.measure.exact(rows, undefined=self.policy)
        return value if value is reals.UNDEFINED else value * self.turn

    def shown(self, exhibit: Exhibit) -> Exact:
        """Return the value on a matrix that is shown, after demanding that it is the stated one."""
        value = self.measure.exact(exhibit.matrix, undefined=self.policy)
        demand(
            is_stated(exhibit.value, value),
            "the value on {matrix} is {known}",
            field="witness",
            got=exhibit.value,
            matrix=exhibit.matrix,
            known=value,
        )
        return value * self.turn  # type: ignore[no-any-return]

    def matrices(self, number: int) -> tuple[MatrixRows, ...]:
        """Return the matrices that are shown, after demanding that there are so many."""
        found = self.witness.exhibits
        demand(
            len(found) == number and all(x.matrix for x in found),
            "the witness is not {number} matrices",
            field="witness",
            got=len(found),
            number=number,
        )
        return tuple(x.matrix for x in found)

    def of_items(self, *rows: MatrixRows) -> None:
        """Demand that the verdict names the number of items of the greatest of these matrices."""
        n = max(sum(map(sum, x)) for x in rows)
        demand(self.n == n, "the matrices have {n} items", field="n", got=self.n, n=n)

    def two(self) -> tuple[MatrixRows, MatrixRows, Exact, Exact]:
        """Return two matrices with their values."""
        x, y = self.matrices(2)
        return x, y, self.shown(self.witness.exhibits[0]), self.shown(self.witness.exhibits[1])


# One function for each kind of statement: whether the witness violates it


def _move(self: Replay, of: Statement) -> bool:
    x, y, one, two = self.two()
    m = len(x)
    self.of_items(x)
    changes = {(i, j, y[i][j] - x[i][j]) for i in range(m) for j in range(m) if x[i][j] != y[i][j]}
    rises = [move.rises for move in of.moves(m) if set(move.changes) == changes]
    demand(len(rises) == 1 and admits(of, x, y), "the statement does not speak of this move")
    gain = (two - one) * (1 if rises[0] else -1)
    return bool(gain < 0 or (of.strict and gain == 0))


def _invariance(self: Replay, of: Statement) -> bool:
    x, y, one, two = self.two()
    self.of_items(x)
    images = [tuple(tuple(x[p][q] for p, q in row) for row in image) for image in of.maps(len(x))]
    demand(y in images or (bool(of.scales) and scaled(of, x, y)), "one matrix is no image of the other")
    return bool(one != two)


def _extreme(self: Replay, of: Statement) -> bool:
    x, y, one, two = self.two()
    special, sense = (all_right, 1) if of.at == kinds.DIAGONAL else (all_wrong, -1)
    if special(x) and special(y):
        self.of_items(x, y)
        return bool(one != two)
    if not special(x) and not special(y):
        self.of_items(x)
        return _grows(self, x, y, sense)
    self.of_items(x, y)
    best, other = (one, two) if special(x) else (two, one)
    return bool((best - other) * sense <= 0)


def _grows(self: Replay, start: MatrixRows, far: MatrixRows, sense: int) -> bool:
    """Return whether the measure is unbounded on the ray from one matrix to another, in the direction of a sense.

    The ray is C + k·D; with k = 1/s the measure far out on it is a function of a small s.
    """
    steps = tuple(tuple(q - p for p, q in zip(x, y, strict=True)) for x, y in zip(start, far, strict=True))
    demand(all(type(x) is int and x >= 0 for row in steps for x in row) and any(map(any, steps)), "the ray is no ray")
    value = along(self.tree(len(start)), start, steps, str(self.policy), power=-1)
    if value is None:
        return False
    assert isinstance(value.ring, NearZero)
    return value.ring.limit(value) == POLE and value.ring.single_sign(value) == sense * self.turn


def _distance(self: Replay, _of: Statement) -> bool:
    if not self.witness.labelings:
        x, y = self.matrices(2)
        turned = tuple(zip(*x, strict=True)) == y
        part = statement_of("symmetry" if turned else "maximal_agreement")
        return _WAYS[part.kind](self, part)
    ab, bc, ac, equal = self.matrices(4)
    a, b, c = self.witness.labelings
    demand(len(a) == len(b) == len(c), "the labelings have different lengths")
    for rows, first, second in ((ab, a, b), (bc, b, c), (ac, a, c)):
        counted = [[0] * len(rows) for _ in rows]
        for i, j in zip(first, second, strict=True):
            counted[i][j] += 1
        demand(rows == tuple(map(tuple, counted)), "a matrix is not that of two labelings")
    demand(all_right(equal), "equal labelings have a diagonal matrix")
    self.of_items(ab)
    one, two, three, best = (self.shown(x) for x in self.witness.exhibits)
    return bool(best - three > (best - one) + (best - two))


def _expectation(self: Replay, of: Statement) -> bool:
    found = self.witness.exhibits
    demand(len(found) == 2 and all(x.average for x in found), "the witness is not two averages")
    self.of_items(*(x.average[0][1] for x in found))
    totals, whole = [], True
    for exhibit in found:
        tables = list(_tables(self, of, exhibit.average[0][1]))
        valued = [x for x in tables if self.value(x) is not reals.UNDEFINED]
        whole = whole and len(valued) == len(tables)
        chances = {x: Fraction(1, _ways_of(x)) for x in valued}
        total = sum(chances.values())
        wanted = {x: w / total for x, w in chances.items()}
        demand({x: w for w, x in exhibit.average} == wanted, "an average is over other predictions")
        value = sum((w * self.value(x) for x, w in wanted.items()), Fraction(0))
        demand(
            is_stated(exhibit.value, value * self.turn),
            "the average is {known}",
            field="witness",
            got=exhibit.value,
            known=value * self.turn,
        )
        totals.append(value)
    demand(whole or not _some_whole_average(self, of, len(found[0].average[0][1])), "some averages are complete")
    return bool(totals[0] != totals[1])


def _ways_of(rows: MatrixRows) -> int:
    found = 1
    for row in rows:
        for x in row:
            found *= factorial(int(x))
    return found


def _tables(self: Replay, of: Statement, rows: MatrixRows) -> Iterator[MatrixRows]:
    """Yield the matrices of all predictions with the class sizes of a matrix that the statement speaks of."""
    demand(all(type(x) is int for row in rows for x in row), "predictions are counted in whole numbers")
    a, b = _margins(rows)
    few = _is_unary(a) and not of.unary_truth
    demand(not few and (of.uniform or of.unary_predictions or not _is_unary(b)), "a labeling is constant")
    for x in _predictions(self, a):
        if of.uniform or _margins(x)[1] == b:
            yield x


def _predictions(self: Replay, a: ClassSizes) -> Iterator[MatrixRows]:
    """Yield the matrices of the domain with these true sizes."""
    m = len(a)
    demand(prod(math.comb(x + m - 1, m - 1) for x in a) <= _MOST_PREDICTIONS, "too many predictions to look at")
    for x in product(*(list(_parts(size, m)) for size in a)):
        if self.domain.holds_pattern(tuple(tuple(bool(y) for y in row) for row in x)):
            yield x


def _some_whole_average(self: Replay, of: Statement, m: int) -> bool:
    """Return whether some class sizes of few items have a value for each of their predictions."""
    for n in range(1, _FEW + 1):
        for a in _parts(n, m):
            groups: dict[tuple[int, ...] | None, list[MatrixRows]] = {}
            for x in _predictions(self, a):
                groups.setdefault(None if of.uniform else _margins(x)[1], []).append(x)
            for b, tables in groups.items():
                constant = b is not None and _is_unary(b) and not of.unary_predictions
                if not constant and all(self.value(x) is not reals.UNDEFINED for x in tables):
                    return True
    return False


def _parts(n: int, m: int) -> Iterator[ClassSizes]:
    """Yield the ways to write n as an ordered sum of m whole numbers from 0 on."""
    if m == 1:
        yield (n,)
        return
    for first in range(n + 1):
        yield from ((first, *rest) for rest in _parts(n - first, m - 1))


def _margins(rows: MatrixRows) -> tuple[ClassSizes, ClassSizes]:
    return tuple(map(sum, rows)), tuple(map(sum, zip(*rows, strict=True)))  # type: ignore[arg-type]


def _is_unary(sizes: ClassSizes) -> bool:
    return max(sizes) == sum(sizes)


def _must_be_independent(rows: MatrixRows, of: Statement) -> None:
    """Demand that a matrix is a_i·b_j/n for whole sizes that the statement speaks of."""
    a, b = _margins(rows)
    n = sum(a)
    whole = all(Fraction(x).denominator == 1 for x in (*a, *b))
    fits = all(x * n == p * q for row, p in zip(rows, a, strict=True) for x, q in zip(row, b, strict=True))
    demand(whole and fits, "the labelings are not independent")
    allowed = (of.unary_truth or not _is_unary(a)) and (of.unary_predictions or not _is_unary(b))
    demand(allowed, "a labeling is constant")


def _independent(self: Replay, of: Statement) -> bool:
    x, y, one, two = self.two()
    for rows in (x, y):
        _must_be_independent(rows, of)
    self.of_items(x, y)
    return bool(one != two)


def _flatness(self: Replay, of: Statement) -> bool:
    if len(self.witness.exhibits) == 2:
        return _independent(self, of)
    (rows,) = self.matrices(1)
    demand(all(x for row in rows for x in row), "a derivative is taken where all cells are positive")
    _must_be_independent(rows, of)
    self.of_items(rows)
    self.shown(self.witness.exhibits[0])
    most = int(min(of.order or 1, _MOST_ORDER))
    return most > 1 and (_has_corner(self, rows) or _is_bent(self, rows, most))


def _is_bent(self: Replay, rows: MatrixRows, most: int) -> bool:
    """Return whether a derivative by p_AB, of order 2 to ``most``, is seen not to be 0.

    If the derivatives exist and are continuous at C, they are the limits of those of f(s) = M(C + s·D) for s → 0.
    """
    value = along(self.tree(2), rows, ((1, -1), (-1, 1)), str(self.policy))
    for order in range(1, most + 1 if value is not None else 1):
        assert value is not None
        value = derivative(value, {0: 1})
        found = limit(value)
        if order > 1 and found is not None and (isinstance(found, str) or not found.contains(0)):
            return True
    return False


def _has_corner(self: Replay, rows: MatrixRows) -> bool:
    """Return whether the slopes by p_AB to both sides of a matrix are seen to differ.

    If M had a derivative at C, it would be continuous there, so the slopes along D and −D would add up to 0.
    """
    slopes = []
    for side in (1, -1):
        value = along(self.tree(2), rows, ((side, -side), (-side, side)), str(self.policy))
        found = None if value is None else slope(value)
        if found is None or isinstance(found, str):
            return False
        slopes.append(found)
    return not (slopes[0] + slopes[1]).contains(0)


def _defined(self: Replay, _of: Statement) -> bool:
    (rows,) = self.matrices(1)
    self.of_items(rows)
    return self.value(rows) is reals.UNDEFINED


def _defined_together(self: Replay, _of: Statement) -> bool:
    x, y = self.matrices(2)
    self.of_items(x, y)
    demand(_margins(x)[0] == _margins(y)[0], "the matrices are of different test sets")
    self.shown(self.witness.exhibits[0])
    return self.value(y) is reals.UNDEFINED


def _range(self: Replay, _of: Statement) -> bool:
    x, y, one, two = self.two()
    self.of_items(x, y)
    ends = []
    for rows in (x, y):
        demand(all(type(z) is int for row in rows for z in row), "predictions are counted in whole numbers")
        values = [v for v in map(self.value, _predictions(self, _margins(rows)[0])) if v is not reals.UNDEFINED]
        ends.append((min(values), max(values)))
    reached = [bool(one == ends[0][k] and two == ends[1][k]) for k in (0, 1)]
    demand(any(reached), "a prediction scores less than the least, or more than the greatest value")
    return bool(one != two)


def _trivial(self: Replay, _of: Statement) -> bool:
    x, y, one, two = self.two()
    self.of_items(x, y)
    called = [tuple(bool(size) for size in _margins(rows)[1]) for rows in (x, y)]
    demand(called[0] == called[1] and sum(called[0]) == 1, "not two constant predictions of the same class")
    demand(all(all(_margins(rows)[0]) for rows in (x, y)), "a true class is absent")
    return bool(one != two)


def _decomposable(self: Replay, _of: Statement) -> bool:
    """Return whether squares of matrices leave no exponent p for which M^p is a sum over classes.

    C, C + e, C + f and C + e + f have values x, y, z, w, for cells e and f that no class has both in its row or column.
    If M^p (log M for p = 0) is a sum over classes, w^p − y^p − z^p + x^p = 0 (xw = yz for p = 0). For p = 1 this holds
    for any values; other exponents need positive ones. See `_left` for what one square leaves.
    """
    found = self.witness.exhibits
    demand(len(found) in (4, 8) and all(x.matrix for x in found), "the witness is not one or two squares")
    squares = [found[k : k + 4] for k in range(0, len(found), 4)]
    self.of_items(*(x[0].matrix for x in squares))
    first, *others = (_square(self, x) for x in squares)
    demand(all(bool(v > 0) for v in first), "a value is not positive")
    left = _left(first)
    if left == () or not others:
        return bool(left == ())
    (second,) = others
    if not all(bool(v > 0) for v in second):
        return left[0] == 1 and bool(_sum_of_powers(first, 1) == 0) and bool(_sum_of_powers(second, 1) != 0)
    also = _left(second)
    if also == () or left[0] != also[0]:
        return True
    return left[0] != 0 and _leave_no_common_exponent(first, second, left, also)


def _square(self: Replay, square: tuple[Exhibit, ...]) -> tuple[Exact, ...]:
    """Return the values of a square of matrices, in the measure's own sign."""
    start, *others = (x.matrix for x in square)
    cells = [
        [(i, j) for i, row in enumerate(y) for j, v in enumerate(row) for _ in range(int(v - start[i][j]))]
        for y in others
    ]
    demand(len(cells[0]) == len(cells[1]) == 1 and sorted(cells[2]) == sorted(cells[0] + cells[1]), "no square")
    demand(not set(cells[0][0]) & set(cells[1][0]), "one class has both cells in its row or column")
    return tuple(self.shown(e) * self.turn for e in square)


def _sum_of_powers(square: tuple[Exact, ...], p: int) -> Exact:
    x, y, z, w = (v**p for v in square)
    return w - y - z + x


def _left(square: tuple[Exact, ...]) -> tuple[int, ...]:
    """Return () if a square leaves no p, (0, 0) if only p = 0; else the sign of the one p that it leaves, and a turn.

    If one item matters before the other one and not after it, or the reverse, no p is left. Otherwise let the pairs
    (x, w) and (y, z) be nested, one strictly inside the other. Then by Descartes' rule for exponential sums f(p) =
    w^p − y^p − z^p + x^p has at most two real zeros; 0 is one, and a double one iff xw = yz. The sign of its slope
    there, log(xw/yz), tells on which side the other one lies. Times the turn, f is negative between the two zeros.
    """
    x, y, z, w = square
    if any(bool(p == x) != bool(w == q) for p, q in ((y, z), (z, y))):
        return ()
    (low, high), (below, above) = sorted((x, w)), sorted((y, z))
    turn = 1 if low < below and above < high else -1 if below < low and high < above else 0
    demand(turn != 0, "the values of a square are not nested")
    slope = (x * w - y * z).sign()
    return (-slope * turn, turn) if slope else (0, 0)


def _leave_no_common_exponent(
    one: tuple[Exact, ...], two: tuple[Exact, ...], left: tuple[int, ...], also: tuple[int, ...]
) -> bool:
    """Return whether a rational number is seen to lie between the exponents that two squares leave, on one side of 0.

    Where it may lie is computed in floats; that it lies there is shown by balls.
    """
    near = [_near(x, *y) for x, y in ((one, left), (two, also))]
    q = Fraction(sum(near) / 2).limit_denominator(10**7)
    sides = set()
    for square, (_, turn) in ((one, left), (two, also)):
        total = _ball_of_powers(square, q)
        sides.add(turn * (1 if total > 0 else -1 if total < 0 else 0))
    return sides == {1, -1}


def _near(square: tuple[Exact, ...], side: int, turn: int) -> float:
    """Return an approximation of the zero of the sum of powers other than p = 0."""
    x, y, z, w = map(float, square)
    low, high = 0.0, side * _FARTHEST
    for _ in range(60):
        p = (low + high) / 2
        try:
            inside = turn * (w**p - y**p - z**p + x**p) < 0
        except OverflowError:
            inside = False
        low, high = (p, high) if inside else (low, p)
    return low


def _ball_of_powers(square: tuple[Exact, ...], q: Fraction) -> flint.arb:
    before, flint.ctx.prec = flint.ctx.prec, _BITS
    try:
        x, y, z, w = (v.ball(_BITS) ** (flint.arb(q.numerator) / q.denominator) for v in square)
        difference: flint.arb = w - y - z + x
        return difference
    finally:
        flint.ctx.prec = before


def _smooth(self: Replay, _of: Statement) -> bool:
    """Return whether the measure is seen not to be smooth at the matrix that is shown."""
    rows = self.witness.exhibits[0].matrix if self.witness.exhibits else ()
    demand(bool(rows), "the witness is no matrix")
    self.of_items(rows)
    value = self.measure.exact(rows, undefined=self.policy)
    known = None if value is reals.UNDEFINED else value
    seen = is_seen_not_to_be_smooth(self.tree(len(rows)), rows, str(self.policy), known)
    demand(seen, "no limit and no slope along a ray is seen that a smooth function does not have")
    return True


_WAYS: dict[str, Callable[[Replay, Statement], bool]] = {
    kinds.MOVES: _move,
    kinds.INVARIANCE: _invariance,
    kinds.EXTREME: _extreme,
    kinds.DISTANCE: _distance,
    kinds.EXPECTATION: _expectation,
    kinds.INDEPENDENT: _independent,
    kinds.FLATNESS: _flatness,
    kinds.DEFINED: _defined,
    kinds.DEFINED_TOGETHER: _defined_together,
    kinds.RANGE: _range,
    kinds.TRIVIAL: _trivial,
    kinds.DECOMPOSABLE: _decomposable,
    kinds.SMOOTH: _smooth,
}
