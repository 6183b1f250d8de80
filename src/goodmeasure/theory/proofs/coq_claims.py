"""What the atlas says of a measure, as theorems of the Coq library, each with the term that proves it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import lcm

import numpy as np

from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.language.exact.reals import UNDEFINED, Exact
from goodmeasure.theory.proofs.coq_terms import exact_term, minus
from goodmeasure.theory.statements.domain import Domain, domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import (
    CHANCE_BOUND,
    DECOMPOSABLE,
    DEFINED,
    DEFINED_TOGETHER,
    DIAGONAL,
    DISTANCE,
    EXPECTATION,
    EXTREME,
    FLATNESS,
    INDEPENDENT,
    INVARIANCE,
    MOVES,
    RANGE,
    SENSITIVE,
    TRIVIAL,
    Statement,
)
from goodmeasure.theory.statements.verdict import PROVED, REFUTED, Verdict
from goodmeasure.theory.statements.witness import CellNumber, MatrixRows, Witness

EFFORT = "(Effort 5 2)"  # how deeply cases are split, and how many splits are tried each time
_DOMAINS = {"all": "every_matrix", "non-unary": "non_unary", "regular": "regular"}
_MOST = 4  # items of the matrices among which an example is looked for


@dataclass(frozen=True)
class CoqTheorem:
    """A statement in Coq and the term that proves it."""

    says: str
    proof: str


class Claims:
    """The theorems about one measure with m classes; ``formula`` is its name in Coq, ``bare`` that without rules."""

    def __init__(self, measure: Measure, m: int, formula: str, bare: str) -> None:
        self.measure, self.m = measure, m
        self.lower = measure.orientation == LOWER
        self.formula, self.bare = (f"(reversed {x})" if self.lower else x for x in (formula, bare))

    def of(self, verdict: Verdict) -> CoqTheorem | None:
        """Return the theorem that a verdict states; None if the library has none of this kind."""
        said = statement(verdict.statement)
        if said.across_m and (self.measure.classes != self.m or verdict.status != PROVED):
            return None if verdict.status == PROVED else self._refuted(said, verdict)
        if verdict.status == PROVED:
            proof = self._proof(said, verdict)
            return None if proof is None else CoqTheorem(self._says(said, verdict), proof)
        return self._refuted(said, verdict) if verdict.status == REFUTED else None

    def _says(self, said: Statement, verdict: Verdict) -> str:
        formula = self.bare if said.policy == "nan" else self.formula
        if said.kind == FLATNESS:
            return f"flat {said.order} {formula}"
        name = "opitz_chance_corrected_strictly" if said.across_m else said.name  # it is about two classes only
        return f"{name} {self.m} {_DOMAINS[verdict.domain]} {formula}"

    # Proved

    def _proof(self, said: Statement, verdict: Verdict) -> str | None:
        two, stated = self.m == 2, verdict.constants or {}
        constants = [self._own(stated[x]) for x in said.constants if x in stated]
        if said.kind == EXTREME:
            return f"extreme_proved {EFFORT} {constants[0]}"
        if said.kind == INVARIANCE:
            kind = "scaling" if said.scales else "symmetry" if said.name == "symmetry" else "class_symmetry"
            return f"{kind}_proved {EFFORT}"
        if said.kind == INDEPENDENT:
            return f"independent_proved {EFFORT} {constants[0]}"
        if said.kind == FLATNESS:
            return f"flat_proved {said.order} {EFFORT} {constants[0]}" if isinstance(said.order, int) else None
        if said.kind == RANGE:
            low, high = constants[::-1] if self.lower else constants
            return f"fix_proved {EFFORT} {low} {high}"
        if said.kind == TRIVIAL:
            known = {j: self._own(stated[k]) for k, j in said.constant_predictions(self.m) if k in stated}
            return f"imb_proved {EFFORT} [{'; '.join(known.get(j, '(Const 0 1)') for j in range(self.m))}]"
        if said.kind == EXPECTATION and two:
            return f"{'cha' if said.uniform else 'baseline'}_proved {EFFORT} {constants[0]}"
        if said.kind == CHANCE_BOUND:
            better = self._better(domain_of(verdict.domain), stated["omega"])
            return None if better is None else f"chance_proved {EFFORT} {constants[0]} {cells(better)}"
        if said.kind == DECOMPOSABLE and two:
            p = {"1": "arithmetic", "0": "geometric"}.get(str(stated["p"]))
            return None if p is None else f"{p}_proved {EFFORT}"
        if said.kind == DISTANCE and two:
            return f"distance_proved {EFFORT} {constants[0]}"
        if said.kind == SENSITIVE and verdict.witness is not None:
            before, one, other = verdict.witness.matrices
            return f"sensitive_proved {cells(before)} {_raised(before, one)} {_raised(before, other)}"
        simple = {MOVES: "moves", DEFINED: "sde", DEFINED_TOGETHER: "wde"}.get(said.kind)
        return None if simple is None else f"{simple}_proved {EFFORT}"

    def _own(self, value: object) -> str:
        """Return the term of a constant, in the sign in which the measure is judged."""
        return minus(exact_term(value)) if self.lower else exact_term(value)

    def _better(self, domain: Domain, omega: object) -> MatrixRows | None:
        """Return a small matrix that scores more than the constant of guesses."""
        bound = -Exact.of(omega) if self.lower else Exact.of(omega)
        for rows in small_matrices(self.m):
            if domain.holds(np.array(rows)):
                value = self._judged(rows)
                if value is not UNDEFINED and value > bound:
                    return rows
        return None

    # Refuted

    def _refuted(self, said: Statement, verdict: Verdict) -> CoqTheorem | None:
        if said.kind == SENSITIVE:
            return CoqTheorem(f"~ {self._says(said, verdict)}", f"insensitive_proved {EFFORT}")
        witness = verdict.witness
        if witness is None or any(len(x) != self.m for x in witness.matrices):
            return None
        ways: dict[str, Callable[[Statement, Witness], str | None]] = {
            MOVES: self._by_move, EXTREME: self._by_extreme, INVARIANCE: self._by_image, INDEPENDENT: self._by_guesses,
            FLATNESS: self._by_shares, RANGE: self._by_range, TRIVIAL: self._by_constant_prediction,
            EXPECTATION: self._by_averages, DISTANCE: self._by_labelings,
            DEFINED: lambda s, w: f"sde_refuted {cells(w.matrices[0])}",
            DEFINED_TOGETHER: lambda s, w: f"wde_refuted {' '.join(cells(x) for x in w.matrices[::-1])}",
        }  # fmt: skip
        way = ways.get(said.kind)
        proof = None if way is None else way(said, witness)
        return None if proof is None else CoqTheorem(f"~ {self._says(said, verdict)}", proof)

    def _by_move(self, said: Statement, witness: Witness) -> str:
        before, after = map(np.array, witness.matrices)
        change = {(i, j, int(d)) for (i, j), d in np.ndenumerate(after - before) if d}
        number = next(k for k, move in enumerate(said.moves(self.m)) if set(move.changes) == change)
        return f"moves_refuted {cells(np.minimum(before, after).tolist())} {number}"

    def _two_extremes(self, witness: Witness, at: str) -> str | None:
        """Return an extreme matrix and the one that it is compared with; None where values grow without a bound."""
        if "far out" in witness.exhibits[1].role:
            return None
        one, other = witness.matrices
        if not _is_extreme(one, diagonal=at == DIAGONAL):
            one, other = other, one
        return f"{cells(one)} {cells(other)}"

    def _by_extreme(self, said: Statement, witness: Witness) -> str | None:
        extremes = self._two_extremes(witness, said.at)
        return None if extremes is None else f"extreme_refuted {extremes}"

    def _by_image(self, said: Statement, witness: Witness) -> str:
        matrix, image = witness.matrices
        if said.scales:
            factors = _factors(matrix, image)
            size = [max(factors)] if said.scales == "matrix" else factors
            return f"scaling_refuted {cells(matrix)} [{'; '.join(map(str, size))}]%nat"
        if said.name == "symmetry":
            return f"symmetry_refuted {cells(matrix)}"
        number = next(
            k for k, p in enumerate(_in_order_of_coq(self.m)) if all(
                image[i][j] == matrix[p[i]][p[j]] for i, j in product(range(self.m), repeat=2)
            )
        )  # fmt: skip
        return f"class_symmetry_refuted {cells(matrix)} {number}"

    def _by_guesses(self, said: Statement, witness: Witness) -> str:
        return "independent_refuted " + " ".join(map(_list, self._sizes(witness)))

    def _sizes(self, witness: Witness) -> list[list[int]]:
        """Return the class sizes of two matrices of independent labelings."""
        found = []
        for rows in witness.matrices:
            sizes = (
                [sum(map(Fraction, row)) for row in rows],
                [sum(map(Fraction, column)) for column in zip(*rows, strict=True)],
            )
            scale = lcm(*(x.denominator for side in sizes for x in side))
            found += [[int(x * scale) for x in side] for side in sizes]
        return found

    def _by_shares(self, said: Statement, witness: Witness) -> str | None:
        if len(witness.matrices) != 2:
            return None
        a, b, c, d = self._sizes(witness)
        return f"flat_refuted {a[1]} {b[1]} {sum(a)} {c[1]} {d[1]} {sum(c)}"

    def _by_range(self, said: Statement, witness: Witness) -> str:
        y, w = witness.matrices
        least = ("least" in witness.exhibits[0].role) != self.lower
        if (self._judged(y) > self._judged(w)) == least:
            y, w = w, y
        return f"fix_refuted {str(least).lower()} {cells(y)} {cells(w)}"

    def _judged(self, rows: MatrixRows) -> Exact:
        value = Exact.of(self.measure.exact(rows))
        return -value if self.lower else value

    def _by_constant_prediction(self, said: Statement, witness: Witness) -> str:
        y, z = witness.matrices
        column = next(j for j in range(self.m) if any(row[j] for row in y))
        return f"imb_refuted {column} {cells(y)} {cells(z)}"

    def _by_averages(self, said: Statement, witness: Witness) -> str | None:
        found = []
        for x in witness.exhibits:
            if "where defined" in x.role:
                return None
            rows = x.average[0][1]
            found.append(_list(i for i, row in enumerate(rows) for _ in range(int(sum(row)))))
            if not said.uniform:
                found.append(_list([sum(column) for column in zip(*rows, strict=True)]))
        return f"{'cha' if said.uniform else 'baseline'}_refuted {' '.join(found)}"

    def _by_labelings(self, said: Statement, witness: Witness) -> str | None:
        if not witness.labelings:
            if witness.exhibits[0].role == "matrix":
                return f"distance_refuted_by_image {cells(witness.matrices[0])}"
            extremes = self._two_extremes(witness, DIAGONAL)
            return None if extremes is None else f"distance_refuted_by_extremes {extremes}"
        m, joint = self.m, [0] * self.m**3
        for i, j, k in zip(*witness.labelings, strict=True):
            joint[(i * m + j) * m + k] += 1
        return f"distance_refuted {_list(joint)} {cells(witness.matrices[3])}"


def _raised(before: MatrixRows, after: MatrixRows) -> int:
    """Return the cell that has one item more."""
    return next(k for k, (x, y) in enumerate(zip(flat(before), flat(after), strict=True)) if y > x)


def flat(rows: MatrixRows) -> list[CellNumber]:
    return [x for row in rows for x in row]


def cells(rows: Iterable[Iterable[object]]) -> str:
    """Return the cells of a matrix as a list in Coq."""
    return _list([x for row in rows for x in row])


def _list(values: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, values))}]%nat"


def small_matrices(m: int) -> Iterable[MatrixRows]:
    """Yield the matrices of few items, those of fewer items first."""
    for n in range(1, _MOST + 1):
        for flat_ in product(range(n + 1), repeat=m * m):
            if sum(flat_) == n:
                yield tuple(tuple(flat_[i * m : (i + 1) * m]) for i in range(m))


def _is_extreme(rows: MatrixRows, *, diagonal: bool) -> bool:
    return not any(x for i, row in enumerate(rows) for j, x in enumerate(row) if (i == j) != diagonal)


def _factors(matrix: MatrixRows, image: MatrixRows) -> list[int]:
    """Return by what each row was multiplied."""
    return [
        next((y // x for x, y in zip(row, new, strict=True) if x), 1) for row, new in zip(matrix, image, strict=True)
    ]


def _in_order_of_coq(m: int) -> list[tuple[int, ...]]:
    """Return the permutations of m classes in the order of `permutations` in coq/Statements.v."""

    def found(rest: tuple[int, ...]) -> list[tuple[int, ...]]:
        if not rest:
            return [()]
        first, *others = rest
        return [(*p[:k], first, *p[k:]) for p in found(tuple(others)) for k in range(len(p) + 1)]

    assert sorted(found(tuple(range(m)))) == sorted(permutations(range(m)))
    return found(tuple(range(m)))
