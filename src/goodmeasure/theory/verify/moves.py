"""Check certificates about moves: the measure rises (or falls) whenever a matrix is changed in a given way.

A move changes some cells by one item. The two matrices of a move have a common part, cell by cell the smaller of the
two; each matrix is that part plus one item in some cells. A case is the support of the common part with a move, so the
cells of the common part are the variables, and both values are formulas in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING

from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.statement import CellChange
from goodmeasure.theory.verify.arithmetic import NOT_DOWN, UNDEFINED, UP, FunctionValue
from goodmeasure.theory.verify.atoms import at, derivative
from goodmeasure.theory.verify.signs import (
    CertificateError,
    as_angle,
    check_positive,
    check_slope,
    demand,
    unmapped,
)
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.statements.certificate import CertificateNode
    from goodmeasure.theory.verify.formula_readings import Reading
    from goodmeasure.theory.verify.verify import Check


def moves(check: Check) -> None:
    """Check that the measure rises (or falls) with every move."""
    rises = {tuple(sorted(move.changes)): move.rises for move in check.statement.moves(check.m)}
    reading = check.reading()
    for cases in check.grouped(_demands(check), lambda x: (x["support"], _changes(x))).values():
        for case in check.each(cases):
            _move(check, reading, case, rises[_changes(case)])


def _demands(check: Check) -> Iterator[tuple[ReadJson, ...]]:
    """Yield every support of the common part and every move that the statement makes a demand about."""
    for support in product((0, 1), repeat=check.m**2):
        for move in check.statement.moves(check.m):
            if is_demanded(check, *ends(support, move.changes, check.m)):
                yield "".join(map(str, support)), tuple(sorted(move.changes))


def ends(support: Iterable[int], changes: Iterable[CellChange], m: int) -> tuple[list[int], list[int]]:
    """Return the supports of the matrices before and after a move, from that of their common part."""
    before, after = list(support), list(support)
    for i, j, delta in changes:
        (before if delta < 0 else after)[i * m + j] = 1
    return before, after


def is_demanded(check: Check, before: list[int], after: list[int]) -> bool:
    """Return whether both matrices lie in the domain and satisfy the side conditions of the statement."""
    s, m = check.statement, check.m
    if not check.admits(before) or not check.admits(after):
        return False
    diagonal = [all(not x or k % (m + 1) == 0 for k, x in enumerate(y)) for y in (before, after)]
    hollow = [all(not y[k * (m + 1)] for k in range(m)) for y in (before, after)]
    filled = [any(before[i * m : (i + 1) * m]) for i in range(m)], [any(before[j::m]) for j in range(m)]
    if kinds.NON_UNARY_BEFORE in s.before and any(sum(x) < 2 for x in filled):
        return False
    if kinds.NOT_BOTH_DIAGONAL in s.pair and all(diagonal):
        return False
    return not (kinds.NOT_BOTH_ZERO_DIAGONAL in s.pair and all(hollow))


def _move(check: Check, reading: Reading, case: CertificateNode, rises: bool) -> None:
    """Check one case of a move: the value after it is greater (or less) than the value before it."""
    node, m, strict = case["proof"], check.m, check.statement.strict
    base = reading.cells(case["support"], node.get("splits", []))
    before, after = list(base), list(base)
    for i, j, delta in case["move"]:
        side = before if delta < 0 else after
        side[i * m + j] = side[i * m + j] + abs(delta)
    low, high = reading.value(before), reading.value(after)
    if check.skipped(node, low, high):
        return
    if not rises:
        low, high = high, low
    if node["by"] == "slope":
        _slope(reading, case, rises)
    elif node["by"] == "inner":
        check_positive(node["proof"], unmapped(low, high, node["map"]), strict=strict, whole=True)
    else:
        check_positive(node, high - low, strict=strict, whole=True)


def _slope(reading: Reading, case: CertificateNode, rises: bool) -> None:
    """Check a move by the derivative: the measure rises between the two matrices and is continuous at both.

    Let B and A be the matrices before and after, and S the union of their supports. All matrices strictly between B and
    A on the segment have support S, where the measure is one formula f. If the derivative of f along the move is
    positive for all positive real cells (so no proof may use that counts are whole), f rises strictly on the open
    segment. If f extends to B and A with the values that the measure has there, then M(B) < M(A): where a cell vanishes
    at an end, f is evaluated with that cell set to 0, which must give what the definition gives on the smaller support;
    an end with support S is inside already. With a ``map``, the same is shown for the inner value of which the measure
    is a monotone function, so the direction is turned where that function falls.
    """
    node, m = case["proof"], reading.m
    demand(not node.get("splits"), "a slope is for a whole support")
    before, after = ends([int(x) for x in case["support"]], case["move"], m)
    between = [int(x or y) for x, y in zip(before, after, strict=True)]
    value = reading.value(reading.cells("".join(map(str, between)), []))
    demand(value is not UNDEFINED, "the measure is undefined on the way")
    direction = {reading.cell_names[i * m + j]: d if rises else -d for i, j, d in case["move"]}
    way = Inner(value, node.get("map"))
    slope = derivative(way.value, direction)
    check_slope(way.value, slope, direction)
    check_positive(node["proof"], slope * way.turn, strict=True, whole=False)
    none = reading.ring.constant(0)
    for end in (before, after):
        if end == between:
            continue
        there = at(way.value, {reading.cell_names[k]: none for k in range(m * m) if between[k] and not end[k]})
        seen = reading.value(reading.cells("".join(map(str, end)), []))
        if there is None or seen is UNDEFINED:
            raise CertificateError("the measure is not continuous at the end of a move")
        demand(way.continues(there, Inner(seen, node.get("map"))), "the measure jumps at the end of a move")


def _changes(case: CertificateNode) -> tuple[ReadJson, ...]:
    return tuple(sorted(tuple(x) for x in case["move"]))


class Inner:
    """The inner value of which a value is a monotone function: its cosine, its square, or the value itself.

    ``turn`` is 1 if the function rises and −1 if it falls; ``scale`` is the constant factor of an angle. The square is
    a monotone function of values of one sign; ``turn`` is that sign, or 0 for the value 0.
    """

    def __init__(self, value: FunctionValue, kind: str | None) -> None:
        self.kind, self.value, self.turn, self.scale = kind, value, 1, value
        if kind == "arccos":
            self.scale, self.value = as_angle(value)
            self.turn = -self.scale.sign()
        elif kind == "square":
            signs = value.signs()
            demand(signs <= NOT_DOWN or not signs & UP, "the sign of the value is not settled")
            self.turn, self.value = 0 if value.is_zero else 1 if signs <= NOT_DOWN else -1, value * value
        else:
            demand(kind is None, "{got!r} is no map that certificates know", field="map", got=kind)

    def continues(self, limit: FunctionValue, end: Inner) -> bool:
        """Return whether the limit of this inner value is that of an end, and both are mapped by the same function."""
        same = bool((limit - end.value).is_zero)
        if self.kind == "arccos":
            return same and bool((self.scale - end.scale).is_zero)
        return same and end.turn in (self.turn, 0)
