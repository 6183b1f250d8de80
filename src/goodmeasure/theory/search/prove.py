"""Search for a proof of a statement about a measure for every number of items, and write the certificate.

What a certificate claims is given to the kernel, which lists the cases; `prover.py` settles them one by one. A claim
may also be shown by another one: on all matrices, or for every number of classes.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from math import inf

from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import GoodmeasureError
from goodmeasure.theory.kernel.claim import Claim
from goodmeasure.theory.kernel.entry import FORMAT
from goodmeasure.theory.kernel.proof import PROOF, claim_of, kind_of, nothing_in, ways_of
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
from goodmeasure.theory.search.choices import choices
from goodmeasure.theory.search.prover import NoProof, Prover
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.goesgens import class_permutations
from goodmeasure.theory.statements.statement import Statement

Certificate = dict[str, object]
EVERY = "every"
SECONDS = {2: 20.0, 3: 60.0}  # of CPU time for one proof, by the number of classes
_LONG = 120.0  # for more classes, and for every number of them


def prove(
    measure: Measure,
    statement: Statement,
    classes: int | str,
    domain: str,
    undefined: str = "resolve",
    seconds: float | None = None,
) -> Certificate | None:
    """Return a certificate that the measure has the property for every n; None where no proof is found in time."""
    limit = SECONDS.get(classes, _LONG) if seconds is None and isinstance(classes, int) else seconds or _LONG
    about = claimed(measure, statement, classes, domain, undefined)
    return None if about is None else search(about, time.process_time() + limit)


def prove_vacuous(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: str = "resolve"
) -> Certificate | None:
    """Return a certificate that a statement speaks of no matrix on which the measure has a value, or None."""
    about = claimed(measure, statement, m, domain, undefined)
    if about is None:
        return None
    constants = dict.fromkeys(statement.constants, "0")
    try:
        kind = kind_of(claim_of({**about, "constants": constants}))
        prover = Prover(kind, time.process_time() + _LONG, ways=("undefined",))
        cases = [{**case.about, "proof": prover.node(nothing_in(case))} for case in kind.cases()]
    except (NoProof, Refused):
        return None
    return {**about, "by": "vacuous", "constants": {}, "cases": cases}


def prove_example(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: str, matrices: list[object]
) -> Certificate | None:
    """Return the certificate of an example: the matrix before, and two matrices with one more item."""
    about = claimed(measure, statement, m, domain, undefined)
    example = dict(zip(("before", "one", "two"), matrices, strict=True))
    return None if about is None else by_cases({**about, "about": example}, inf)


def claimed(
    measure: Measure, statement: Statement, classes: int | str, domain: str, undefined: str
) -> Certificate | None:
    """Return what a certificate claims; None if the statement or the measure speaks of other numbers of classes."""
    if not statement.fits(classes) or (measure.classes == 2 and classes != 2):
        return None
    try:
        tree = measure.recorded.general() if classes == EVERY else measure.recorded.tree(int(classes))
    except GoodmeasureError:
        return None
    if tree is None:
        return None
    return {
        "format": FORMAT,
        "statement": statement.name,
        "measure": {
            "name": measure.name,
            "orientation": measure.orientation,
            "tree": json.loads(tree.to_json()),
        },
        "classes": classes,
        "domain": domain,
        "undefined": statement.policy or undefined,
    }


def search(about: Certificate, until: float) -> Certificate | None:
    """Return a certificate of what is claimed, found before a time of the process."""
    claim = claim_of(about)
    if claim.statement.maps is class_permutations and treats_classes_alike(claim.tree, claim.m):
        return {**about, "by": "classes alike"}
    for way in (_for_every_number, _in_its_ways, _on_all_matrices):
        found = way(claim, about, until)
        if found is not None:
            return found
    return None


def _for_every_number(claim: Claim, about: Certificate, until: float) -> Certificate | None:
    """Return a certificate that rests on one for every number of classes."""
    return None


def _on_all_matrices(claim: Claim, about: Certificate, until: float) -> Certificate | None:
    """Return a certificate that rests on one for all matrices, if each instance of the statement is one there."""
    if claim.domain == "all" or claim.statement.kind not in kinds.UNIVERSAL:
        return None
    found = search({**about, "domain": "all"}, until)
    if found is None:
        return None
    return {**about, "by": "all matrices", "constants": found.get("constants", {}), "parts": {"all": shown(found)}}


def _in_its_ways(claim: Claim, about: Certificate, until: float) -> Certificate | None:
    """Return a certificate in one of the ways in which the kernel shows such a statement."""
    about = {**about, "symmetric": claim.m > 2 and treats_classes_alike(claim.tree, claim.m)}
    for by in ways_of(claim.statement):
        for choice in choices(claim, by):
            found = by_cases({**about, "by": by, **choice}, until)
            if found is not None:
                return found
    return None


def by_cases(found: Certificate, until: float) -> Certificate | None:
    """Return a certificate with its parts, its cases and its constants; None where one of them is not shown."""
    try:
        kind = kind_of(claim_of(found), str(found.get("by", "cases")))
        parts = {}
        for name, what in kind.parts().items():
            part = search({**{k: v for k, v in found.items() if k not in PROOF}, **what}, until)
            if part is None:
                return None
            parts[name] = shown(part)
        prover = Prover(kind, until)
        cases = [{**case.about, "proof": prover.node(case)} for case in kind.cases()]
        kind.finish()
    except (NoProof, Refused):
        return None
    constants = {name: "" if x is None else x.text() for name, x in kind.constants().items()}
    return {**found, "constants": constants, "cases": cases, **({"parts": parts} if parts else {})}


def shown(found: Mapping[str, object]) -> dict[str, object]:
    """Return what a certificate has beside its claim, as a part of another one holds it."""
    return {k: v for k, v in found.items() if k in PROOF}
