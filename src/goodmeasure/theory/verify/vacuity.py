"""Check certificates that a statement is vacuous: it speaks of no matrix on which the measure has a value.

The verifier lists the cases that the statement is about itself, by the supports of their matrices. In each case (or on
each branch of a complete split) it reads the measure on all matrices of the case and demands that one of them has no
value. Where the domain admits no case, nothing is read and the certificate has no cases. For maps that rename classes,
every permutation is listed and not only exchanges of neighbours, since an equality that is not demanded cannot be
chained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING

from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.statement import Move
from goodmeasure.theory.verify.arithmetic import UNDEFINED, Poly
from goodmeasure.theory.verify.formula_readings import Reading, check_splits
from goodmeasure.theory.verify.moves import ends, is_demanded
from goodmeasure.theory.verify.signs import demand
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.verify.verify import Check

Matrices = Callable[[Reading, list[str]], list[list[Poly]]]


def check_vacuous(check: Check) -> None:
    """Demand that in every case of the statement the measure has no value on one of the matrices."""
    kind, m = check.statement.kind, check.m
    demand(
        kind in _SUBJECTS and m >= 2 and not check.statement.across_m,
        "nothing shows that {kind} says nothing",
        kind=kind,
    )
    demand(not check.certificate.symmetric, "the cases are not listed up to the names of the classes")
    fields, subjects = _SUBJECTS[kind]
    groups: dict[str, list[CertificateNode]] = {}
    for case in check.certificate.cases:
        groups.setdefault(str([case[x] for x in fields]), []).append(case["proof"])
    expected = {str(list(what)): matrices for what, matrices in subjects(check)}
    demand(set(groups) == set(expected), "the cases are not those that the statement speaks of")
    reading = check.reading()
    names = {f"c{i}_{j}" for i in range(m) for j in range(m)}
    for what, nodes in groups.items():
        check_splits([list(node.get("splits", [])) for node in nodes], names)
        for node in nodes:
            demand(node.get("by") == "undefined", "a case is not said to be without a value")
            found = [reading.value(cells) for cells in expected[what](reading, list(node.get("splits", [])))]
            demand(any(x is UNDEFINED for x in found), "the measure has values in the case {case}", case=what)


def _supports(check: Check) -> Iterator[str]:
    """Yield the supports of the domain."""
    return ("".join(map(str, x)) for x in product((0, 1), repeat=check.m**2) if check.admits(x))


def _single(check: Check) -> Iterator[tuple[tuple[object, ...], Matrices]]:
    for support in _supports(check):
        yield (support,), lambda reading, splits, x=support: [reading.cells(x, splits)]  # type: ignore[misc]


def _moves(check: Check) -> Iterator[tuple[tuple[object, ...], Matrices]]:
    m = check.m
    for bits in product((0, 1), repeat=m * m):
        support = "".join(map(str, bits))
        for move in check.statement.moves(m):
            if not is_demanded(check, *ends(bits, move.changes, m)):
                continue

            def both(
                reading: Reading, splits: list[str], support: str = support, move: Move = move
            ) -> list[list[Poly]]:
                base = reading.cells(support, splits)
                sides = list(base), list(base)
                for i, j, delta in move.changes:
                    side = sides[delta > 0]
                    side[i * m + j] = side[i * m + j] + abs(delta)
                return list(sides)

            yield (support, [list(x) for x in move.changes]), both


def _images(check: Check) -> Iterator[tuple[tuple[object, ...], Matrices]]:
    m, s = check.m, check.statement
    for number, table in enumerate([None] if s.scales else s.maps(m)):
        for support in _supports(check):

            def pair(
                reading: Reading, splits: list[str], support: str = support, table: ReadJson = table
            ) -> list[list[Poly]]:
                cells, (factor, _) = reading.cells(support, splits), reading.sizes
                if table is None:
                    return [cells, [p * factor[k // m if s.scales == "rows" else 0] for k, p in enumerate(cells)]]
                return [cells, [cells[table[i][j][0] * m + table[i][j][1]] for i in range(m) for j in range(m)]]

            yield (number, support), pair


def _guesses(check: Check) -> Iterator[tuple[tuple[object, ...], Matrices]]:
    m, s = check.m, check.statement
    for a, b in product(product((0, 1), repeat=m), repeat=2):
        few = sum(a) < (1 if s.unary_truth else 2) or sum(b) < (1 if s.unary_predictions else 2)
        if few or not check.admits([x * y for x in a for y in b]):
            continue

        def cells(
            reading: Reading, splits: list[str], a: tuple[int, ...] = a, b: tuple[int, ...] = b
        ) -> list[list[Poly]]:
            demand(not splits, "sizes that need not be whole are not split")
            x, y = reading.sizes
            return [[x[i] * y[j] * (a[i] * b[j]) for i in range(m) for j in range(m)]]

        yield ("".join(map(str, a)), "".join(map(str, b))), cells


def _constant_predictions(check: Check) -> Iterator[tuple[tuple[object, ...], Matrices]]:
    m = check.m
    for j in range(m):
        support = "".join(str(int(k % m == j)) for k in range(m * m))
        if check.admits([int(x) for x in support]):
            yield (support,), lambda reading, splits, x=support: [reading.cells(x, splits)]  # type: ignore[misc]


_SUBJECTS: dict[str, tuple[tuple[str, ...], Callable[[Check], Iterator[tuple[tuple[object, ...], Matrices]]]]] = {
    kinds.EXTREME: (("support",), _single),
    kinds.DISTANCE: (("support",), _single),
    kinds.RANGE: (("support",), _single),
    kinds.MOVES: (("support", "move"), _moves),
    kinds.INVARIANCE: (("map", "support"), _images),
    kinds.INDEPENDENT: (("true", "predicted"), _guesses),
    kinds.FLATNESS: (("true", "predicted"), _guesses),
    kinds.CHANCE_BOUND: (("true", "predicted"), _guesses),
    kinds.TRIVIAL: (("support",), _constant_predictions),
}
