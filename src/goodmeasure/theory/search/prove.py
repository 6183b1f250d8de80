"""Search for a proof of a statement about a measure for every number of items, and write the certificate."""

from __future__ import annotations

import json
import time

from goodmeasure.catalogue.measure import Measure
from goodmeasure.language.tree import Tree
from goodmeasure.theory.kernel.claim import Claim
from goodmeasure.theory.kernel.entry import FORMAT
from goodmeasure.theory.kernel.proof import PROOF, claim_of, kind_of, ways_of
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
from goodmeasure.theory.search.choices import choices
from goodmeasure.theory.search.prover import NoProof, Prover
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.statement import Statement

Certificate = dict[str, object]


def prove(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: str, seconds: float
) -> Certificate | None:
    """Return a certificate for m classes; None where no proof is found in time."""
    tree = measure.recorded.tree(m)
    about: Certificate = {
        "format": FORMAT,
        "statement": statement.name,
        "measure": {"name": measure.name, "orientation": measure.orientation, "tree": tree_data(tree)},
        "classes": m,
        "domain": domain,
        "undefined": statement.policy or undefined,
    }
    return search(about, time.process_time() + seconds)


def tree_data(tree: Tree) -> object:
    """Return a tree as JSON is read."""
    return json.loads(tree.to_json())


def search(about: Certificate, until: float) -> Certificate | None:
    """Return a certificate of what is claimed, found before a time of the process."""
    claim = claim_of(about)
    alike = treats_classes_alike(claim.tree, claim.m)
    if claim.statement.maps is class_permutations and alike:
        return {**about, "by": "classes alike"}
    about = {**about, "symmetric": claim.m > 2 and alike}
    for by in ways_of(claim.statement):
        for choice in choices(claim, by):
            found = {**about, "by": by, **choice}
            try:
                return {**found, **_proof(found, claim_of(found), until)}
            except (NoProof, Refused):
                continue
    return None


def _proof(found: Certificate, claim: Claim, until: float) -> Certificate:
    """Return the rest of a certificate: its cases, parts and constants."""
    kind = kind_of(claim, str(found["by"]))
    parts = {}
    for name, what in kind.parts().items():
        part = search({**{k: v for k, v in found.items() if k not in PROOF}, **what}, until)
        if part is None:
            raise NoProof(f"{name} is not shown")
        parts[name] = {k: v for k, v in part.items() if k in PROOF}
    prover = Prover(kind, until)
    cases = [{**case.about, "proof": prover.node(case)} for case in kind.cases()]
    kind.finish()
    constants = {name: "" if x is None else x.text() for name, x in kind.constants().items()}
    return {"constants": constants, "cases": cases, **({"parts": parts} if parts else {})}
