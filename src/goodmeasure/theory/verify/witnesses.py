"""Replay the witness of a refuted verdict: matrices in the domain, with the stated values, that violate the claim.

Covered are statements about moves, about equal values (symmetries and scalings), and about the best and the worst
value; their witnesses are two matrices. The witnesses of other statements (averages, ranges, labelings, limits along a
ray) are refused here: their lines of Python can be run by hand, see ``witness.replay``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import Rows, Witness
from goodmeasure.theory.verify.impossibility import admits, all_right, all_wrong, scaled
from goodmeasure.theory.verify.signs import demand


def replay(said: Mapping[str, Any], measure: Any) -> None:
    """Demand that the matrices of a refuted verdict refute its statement."""
    of = statement_of(said.get("property") or said["statement"])
    witness = said["witness"]
    found = witness if isinstance(witness, Witness) else Witness.from_json(witness)
    demand(of.kind in (kinds.MOVES, kinds.INVARIANCE, kinds.EXTREME), f"a witness of {of.name} is not replayed here")
    demand(len(found.exhibits) == 2 and all(x.matrix for x in found.exhibits), "the witness is not two matrices")
    undefined = of.policy or said["undefined"]
    policy = undefined if undefined in ("resolve", "nan", "raise") else float(undefined)
    turn = -1 if measure.orientation == "lower" else 1
    values = []
    for exhibit in found.exhibits:
        rows = exhibit.matrix
        demand(len(rows) == said["classes"] or said["classes"] == "every", "a matrix has another number of classes")
        demand(all(len(row) == len(rows) for row in rows) and all(x >= 0 for row in rows for x in row), "no matrix")
        inside = domain_of(said["domain"]).holds_pattern(tuple(tuple(bool(x) for x in row) for row in rows))
        demand(inside, f"{rows} is outside the domain")
        value = measure.exact(rows, undefined=policy)
        demand(value is not UNDEFINED and str(value) == exhibit.value, f"the value on {rows} is {value}")
        values.append(value * turn)
    x, y = (e.matrix for e in found.exhibits)
    demand(said["n"] == sum(map(sum, x)), f"the first matrix has {sum(map(sum, x))} items")
    demand(_violates(of, x, y, values[0], values[1]), "the matrices do not violate the statement")


def _violates(of: Statement, x: Rows, y: Rows, one: Any, two: Any) -> bool:
    """Return whether two matrices with these values violate a statement."""
    m = len(x)
    if of.kind == kinds.MOVES:
        changes = {(i, j, y[i][j] - x[i][j]) for i in range(m) for j in range(m) if x[i][j] != y[i][j]}
        rises = [move.rises for move in of.moves(m) if set(move.changes) == changes]
        demand(len(rises) == 1 and admits(of, x, y), "the statement does not speak of this move")
        gain = (two - one) * (1 if rises[0] else -1)
        return bool(gain < 0 or (of.strict and gain == 0))
    if of.kind == kinds.INVARIANCE:
        images = [tuple(tuple(x[p][q] for p, q in row) for row in image) for image in of.maps(m)]
        demand(y in images or (bool(of.scales) and scaled(of, x, y)), "one matrix is no image of the other")
        return bool(one != two)
    special = all_right if of.at == kinds.DIAGONAL else all_wrong
    sense = 1 if of.at == kinds.DIAGONAL else -1
    if special(x) and special(y):
        return bool(one != two)
    demand(special(x) or special(y), "no matrix is extreme")
    best, other = (one, two) if special(x) else (two, one)
    return bool((best - other) * sense <= 0)
