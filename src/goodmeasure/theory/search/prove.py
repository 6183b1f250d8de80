"""Search for a proof of a statement about a measure for every number of items, and write the certificate."""

from __future__ import annotations

import time
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from goodmeasure.catalogue.measure import Measure
from goodmeasure.theory.kernel.proof import claim_of, kind_of
from goodmeasure.theory.kernel.entry import FORMAT
from goodmeasure.theory.kernel.kinds.labelings import BOUNDS, is_pure
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
from goodmeasure.theory.search.prover import NoProof, Prover
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.statement import Statement

Certificate = dict[str, object]


def prove(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: str, seconds: float
) -> Certificate | None:
    """Return a certificate for m classes; None where no proof is found in time."""
    tree = measure.recorded.tree(m)
    symmetric = m > 2 and treats_classes_alike(tree, m)
    found: Certificate = {
        "format": FORMAT,
        "statement": statement.name,
        "measure": {"name": measure.name, "orientation": measure.orientation, "tree": tree_data(tree)},
        "classes": m,
        "domain": domain,
        "undefined": statement.policy or undefined,
        "constants": {},
        "symmetric": symmetric,
        "cases": [],
    }
    if statement.maps is class_permutations and treats_classes_alike(tree, m):
        return found
    until = time.process_time() + seconds
    for constants in candidates(found, statement):
        found["constants"] = constants
        try:
            claim = claim_of(found)
            kind = kind_of(claim)
            prover = Prover(claim, kind.ways, until)
            found["cases"] = [{**case.about, "proof": prover.node(case)} for case in kind.cases()]
            for _ in range(4):
                try:
                    kind.finish()
                except Refused as refusal:
                    if not state_constant(found, refusal, claim):
                        raise
                else:
                    return {**found, "constants": dict(claim.constants)}
        except (NoProof, Refused):
            continue
    return None


def prove_vacuous(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: Undefined, *, readable: bool
) -> Certificate | None:
    """Return a certificate that a statement speaks of no matrix on which the measure has a value, or None."""
    return None


def prove_example(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: Undefined, matrices: list[object]
) -> Certificate | None:
    """Return the certificate of an example: the matrix before, and two matrices with one more item."""
    found = claimed(measure, statement, m, domain, undefined)
    about = dict(zip(("before", "one", "two"), matrices, strict=True))
    try:
        claim = claim_of(found)
        node = Prover(claim, Example.ways).node(Example(claim).case(about))
    except (NoProof, Refused):
        return None
    return {**found, "cases": [{**about, "proof": node}]}


def tree_data(tree: object) -> object:
    import json

    return json.loads(tree.to_json())  # type: ignore[attr-defined] # a tree


def candidates(found: Certificate, statement: Statement) -> list[Mapping[str, object]]:
    """Return the constants that a proof may state; most are read off the cases and put in at the end."""
    if statement.kind == kinds.DECOMPOSABLE:
        return [{"p": p} for p in (("1", "0", "-1", "2") if found["classes"] == 2 else ("1", "0", "-1"))]
    if statement.kind != kinds.RANGE:
        return [dict.fromkeys(statement.constants, "0")]
    claim = claim_of(found)
    values = []
    for x in product((0, 1), repeat=claim.m**2):
        if is_pure(x, claim.m) and claim.admits(x):
            value = claim.number(x)
            if value is not None:
                values.append(value.times(claim.turn))
    least = greatest = values[0] if values else None
    for y in values:
        try:
            least = y if least is None or (y - least).sign() < 0 else least
            greatest = y if greatest is None or (y - greatest).sign() > 0 else greatest
        except Refused:
            continue
    return (
        [] if least is None or greatest is None else [dict(zip(BOUNDS, (least.text(), greatest.text()), strict=True))]
    )


def state_constant(found: Certificate, refusal: Refused, claim: object) -> bool:
    """State a constant as the kernel says that it is; return whether there was one to state."""
    name = refusal.where[-1] if refusal.where else None
    if name == "constants":
        return False
    if isinstance(name, str) and refusal.why.startswith(f"{name} is "):
        claim.constants[name] = refusal.why.removeprefix(f"{name} is ")  # type: ignore[attr-defined] # a claim
        return True
    return False


__all__ = ["Fraction", "prove"]
