"""Prove that a statement is vacuous: that no matrix of which it speaks lies in the domain and has a value.

**What a statement speaks of.** A statement that a measure has a property is about *instances*: a move from C to C′, a
matrix and its image, a matrix a_i·b_j/n, a constant prediction. An instance counts only if all its matrices lie in the
domain and have a value, since a matrix without a value is outside the statement. If no instance counts, the statement
is true of the measure and says nothing about it, and neither a search nor a proof may call it established.

**How it is shown.** The instances fall into finitely many cases, by the supports of their matrices
(`support_cases.py`), and `SUBJECTS` lists them for each kind of statement. In each case one of the matrices must have
no value, on the whole case or on every branch of a split. Where there are no cases at all, the domain itself excludes
every instance: constant predictions on the domain "regular", for example. A search that found no instance with few
items shows none of this, for an instance may need more items.

**Which kinds are covered.** A kind of statement that `SUBJECTS` does not name is never called vacuous. Statements that
say that values exist (definedness, class sensitivity) cannot be vacuous on a domain that has matrices. Statements about
averages over all predictions are left out, because an average is about many matrices at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.algebra.orthant import Poly
from goodmeasure.theory.prove.baselines import independent_cells, margins
from goodmeasure.theory.prove.moves import MoveCase, demanded, ends
from goodmeasure.theory.prove.signs import NoProof
from goodmeasure.theory.prove.support_cases import Reader, Split, rows, settle
from goodmeasure.theory.prove.values import in_domain, text
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import CertificateNode
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.statement import CellMap, Statement

if TYPE_CHECKING:
    from goodmeasure.theory.prove.support_cases import Support

Splits = tuple[Split, ...]
Matrices = Callable[[Splits], list[list[Poly]]]  # the matrices of an instance, cell after cell
Subjects = Callable[[Reader, Statement, Domain], Iterator[tuple[CertificateNode, Matrices]]]


def prove_vacuous(reader: Reader, statement: Statement, domain: Domain) -> list[CertificateNode]:
    """Return a node for each case of a statement that says that one of its matrices has no value there."""
    if statement.kind not in SUBJECTS or statement.across_m:
        raise NoProof(f"vacuity of {statement.name} is not examined")
    nodes: list[CertificateNode] = []
    for what, matrices in SUBJECTS[statement.kind](reader, statement, domain):

        def prove(splits: Splits, matrices: Matrices = matrices) -> CertificateNode:
            if all(reader.value(cells) is not UNDEFINED for cells in matrices(splits)):
                raise NoProof("the measure has a value on every matrix of a case")
            return {"by": "undefined"}

        nodes += [{**what, "proof": node} for node in settle(reader, prove)]
    return nodes


def says_nothing_anywhere(reader: Reader, statement: Statement, domain: Domain) -> bool:
    """Return whether the domain holds no case of a statement, so that it is vacuous whatever the measure is."""
    if statement.kind not in SUBJECTS or statement.across_m:
        return False
    return next(iter(SUBJECTS[statement.kind](reader, statement, domain)), None) is None


def _single(reader: Reader, statement: Statement, domain: Domain) -> Iterator[tuple[CertificateNode, Matrices]]:
    """Yield every support of the domain: the statement is about all matrices with a value."""
    for support in in_domain(reader, domain):
        yield {"support": text(support)}, lambda splits, x=support: [reader.cells(x, splits)]  # type: ignore[misc]


def _moves(reader: Reader, statement: Statement, domain: Domain) -> Iterator[tuple[CertificateNode, Matrices]]:
    """Yield every move with the support of what its two matrices have in common."""
    for support in reader.supports(empty=True):
        for move in statement.moves(reader.m):
            if demanded(*ends(support, move, reader.m), statement, domain, reader.m):
                step = MoveCase(reader, support, move, strict=statement.strict)
                what = {"support": text(support), "move": [list(x) for x in move.changes]}
                yield what, lambda splits, step=step: list(step.matrices(splits))  # type: ignore[misc]


def _images(reader: Reader, statement: Statement, domain: Domain) -> Iterator[tuple[CertificateNode, Matrices]]:
    """Yield every support with every map of the statement, not only maps that generate the others."""
    m, factors = reader.m, reader.gens[reader.m**2 :]

    def image(cells: list[Poly], table: CellMap | None) -> list[Poly]:
        if table is None:
            return [p * factors[k // m if statement.scales == "rows" else 0] for k, p in enumerate(cells)]
        return [cells[table[i][j][0] * m + table[i][j][1]] for i in range(m) for j in range(m)]

    tables: list[CellMap | None] = [None] if statement.scales else list(statement.maps(m))
    for number, table in enumerate(tables):
        for support in in_domain(reader, domain):

            def pair(splits: Splits, support: Support = support, table: CellMap | None = table) -> list[list[Poly]]:
                cells = reader.cells(support, splits)
                return [cells, image(cells, table)]

            yield {"map": number, "support": text(support)}, pair


def _guesses(reader: Reader, statement: Statement, domain: Domain) -> Iterator[tuple[CertificateNode, Matrices]]:
    """Yield the independent labelings, by which classes occur in the truth and in the predictions."""
    for a, b in margins(statement, domain, reader.m):
        cells = independent_cells(reader, a, b)
        yield {"true": text(a), "predicted": text(b)}, lambda splits, x=cells: [x]  # type: ignore[misc]


def _constant_predictions(
    reader: Reader, statement: Statement, domain: Domain
) -> Iterator[tuple[CertificateNode, Matrices]]:
    """Yield the constant predictions for test sets in which every class occurs."""
    m = reader.m
    for j in range(m):
        support = tuple(int(k % m == j) for k in range(m * m))
        if domain.holds_pattern(rows(support, m)):
            yield {"support": text(support)}, lambda splits, x=support: [reader.cells(x, splits)]  # type: ignore[misc]


SUBJECTS: dict[str, Subjects] = {
    kinds.EXTREME: _single,
    kinds.DISTANCE: _single,
    kinds.RANGE: _single,
    kinds.MOVES: _moves,
    kinds.INVARIANCE: _images,
    kinds.INDEPENDENT: _guesses,
    kinds.FLATNESS: _guesses,
    kinds.CHANCE_BOUND: _guesses,
    kinds.TRIVIAL: _constant_predictions,
}
