"""Search for a proof of a statement about a measure for every number of items, and write the certificate.

What a certificate claims is given to the kernel, which lists the cases; `prover.py` settles them one by one. A claim
may also be shown by another one: on all matrices, or for every number of classes.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable
from math import inf

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import GoodmeasureError
from goodmeasure.language.record import LeftOpen
from goodmeasure.language.tree import Tree
from goodmeasure.theory.kernel.claim import Claim
from goodmeasure.theory.kernel.entry import FORMAT
from goodmeasure.theory.kernel.facts import Node, entries
from goodmeasure.theory.kernel.means import OPEN
from goodmeasure.theory.kernel.proof import (
    CASES,
    EVERY,
    EVERY_EXPONENT,
    FORMS,
    PROOF,
    claim_of,
    kind_of,
    saying_nothing,
    ways_of,
)
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.search.choices import choices
from goodmeasure.theory.search.prover import NoProof, Prover
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit

CertificateData = dict[str, object]
SECONDS = {2: 10.0, 3: 30.0}  # of CPU time for one proof, by the number of classes
_LONG = 120.0  # for more classes, and for every number of them


def prove(
    measure: Measure | Family,
    statement: Statement,
    classes: int | str,
    domain: str,
    undefined: str = "resolve",
    seconds: float | None = None,
) -> CertificateData | None:
    """Return a certificate that the measure has the property for every n; None where no proof is found in time."""
    limit = SECONDS.get(classes, _LONG) if seconds is None and isinstance(classes, int) else seconds or _LONG
    try:
        with time_limit(limit, lambda: f"the search for a proof of {statement.name}"):  # one evaluation may take longer
            return search(claimed(measure, statement, classes, domain, undefined), time.process_time() + limit)
    except (NoProof, Refused, TooSlow):
        return None


def prove_vacuous(
    measure: Measure | Family, statement: Statement, m: int, domain: str, undefined: str
) -> CertificateData | None:
    """Return a certificate that a statement speaks of no matrix on which the measure has a value, or None."""
    try:
        found = {**claimed(measure, statement, m, domain, undefined), "by": "vacuous"}
        kind, cases = saying_nothing(claim_of(found))
        prover = Prover(kind)
        return {**found, "cases": [{**case.about, "proof": prover.node(case)} for case in cases]}
    except (NoProof, Refused):
        return None


def prove_by(
    measure: Measure | Family,
    statement: Statement,
    m: int,
    domain: str,
    undefined: str,
    about: Node,
    *,
    by: str = CASES,
    until: float = inf,
) -> CertificateData | None:
    """Return a certificate that chooses what it is about: the matrices of an example, or true sizes and a guess."""
    try:
        found = {**claimed(measure, statement, m, domain, undefined), "about": about}
        return _by_cases(found, claim_of(found), until, [by])
    except (NoProof, Refused):
        return None


def claimed(
    measure: Measure | Family, statement: Statement, classes: int | str, domain: str, undefined: str
) -> CertificateData:
    """Return what a certificate claims; of a family, about its measures with each real exponent r."""
    about: CertificateData = {}
    if isinstance(measure, Family):
        about = {"family": measure.name, "exponents": EVERY_EXPONENT}
        measure = _with_open_exponent(measure)
    if not statement.fits(classes) or (measure.classes == 2 and classes != 2):
        raise NoProof("the statement or the measure speaks of another number of classes")
    try:
        tree = measure.recorded.general() if classes == EVERY else measure.recorded.tree(int(classes))
    except GoodmeasureError as error:
        raise NoProof(str(error)) from None
    if tree is None:
        raise NoProof("the definition writes classes out")
    return {
        "format": FORMAT,
        "statement": statement.name,
        "measure": {"name": measure.name, "orientation": measure.orientation, "tree": tree_data(tree), **about},
        "classes": classes,
        "domain": domain,
        "undefined": statement.policy or undefined,
    }


def _with_open_exponent(family: Family) -> Measure:
    """Return a family as one measure whose exponent is left open."""
    if list(family.signature.parameters) != ["r"]:
        raise NoProof(f"{family.name} has no exponent r")
    usual = family(r=1)
    return Measure(
        family.build(r=LeftOpen(1)), f"{family.name}(r)", orientation=usual.orientation, classes=usual.classes
    )


def tree_data(tree: Tree) -> object:
    """Return a tree as JSON is read."""
    return json.loads(tree.to_json())


def search(about: CertificateData, until: float) -> CertificateData:
    """Return a certificate of what is claimed, found before a time of the process; `NoProof` where none is."""
    claim = claim_of(about)
    if claim.exponents == EVERY_EXPONENT:
        return _for_every_exponent(about, until)
    for by, check in FORMS.items():
        try:
            check(claim, about)
        except Refused:
            continue
        return {**about, "by": by, "constants": {}}
    ways: list[Callable[[CertificateData, Claim, float], CertificateData]] = [_by_cases, _on_all_matrices]
    if claim.m > 2 and claim.tree.classes is None:
        ways.insert(0, _instance)
    about = {**about, "symmetric": claim.m > 2 and treats_classes_alike(claim.tree, claim.m)}
    for way in ways:
        try:
            return way(about, claim, until)
        except (NoProof, Refused):
            continue
    raise NoProof("no way found a proof")


def _by_cases(about: CertificateData, claim: Claim, until: float, ways: Iterable[str] = ()) -> CertificateData:
    """Return the certificate that shows one case after the other, perhaps beside parts."""
    for by in ways or ways_of(claim):
        for choice in choices(claim, by):
            found = {**about, "by": by, **choice}
            try:
                return {**found, **_shown(found, until)}
            except (NoProof, Refused):
                continue
    raise NoProof("some case is open")


def _shown(found: CertificateData, until: float) -> CertificateData:
    """Return the rest of a certificate: its parts, cases and constants."""
    claim = claim_of(found)
    kind = kind_of(claim, str(found.get("by", "cases")))
    parts = {name: _part(found, what, until) for name, what in kind.parts().items()}
    prover = Prover(kind, until)
    cases = [{**case.about, "proof": prover.node(case)} for case in kind.cases()]
    kind.finish()
    values = kind.constants()
    constants: Node = {name: x.text() for name, x in values.items() if x is not None}
    if len(constants) < len(values):
        raise NoProof("a constant has no value")
    claim.constants = dict(constants)
    for name, value in values.items():
        claim.constant_is(name, value)
    return {"constants": constants, "cases": cases, **({"parts": parts} if parts else {})}


def _part(found: CertificateData, what: Node, until: float) -> CertificateData:
    """Return a part, which says what it is about where that differs."""
    part = search({**{k: v for k, v in found.items() if k not in PROOF}, **what}, until)
    return {k: v for k, v in part.items() if k in PROOF or k in what}


def _for_every_exponent(about: CertificateData, until: float) -> CertificateData:
    """Return the certificate for all exponents, from one for positive exponents and one for all others."""
    measure = entries(about["measure"])
    parts = {x: _part(about, {"measure": {**measure, "exponents": x}}, until) for x in OPEN}
    constants = parts[OPEN[0]].get("constants", {})
    return {**about, "by": "every exponent", "constants": constants, "parts": parts}


def _on_all_matrices(about: CertificateData, claim: Claim, until: float) -> CertificateData:
    """Return the certificate for a smaller domain from one on all matrices, if each instance is one there."""
    if claim.domain == "all" or claim.statement.kind not in kinds.UNIVERSAL:
        raise NoProof("no larger domain")
    part = _part(about, {"domain": "all"}, until)
    return {**about, "by": "all matrices", "constants": part.get("constants", {}), "parts": {"all": part}}


def _instance(about: CertificateData, claim: Claim, until: float) -> CertificateData:
    """Return the certificate for m classes from one for every number of classes."""
    part = _part(about, {"classes": EVERY}, until)
    stated = {k: re.sub(r"\bm\b", f"({claim.m})", str(x)) for k, x in entries(part.get("constants", {})).items()}
    known = {k: parsed(claim.ring, x).text() for k, x in stated.items()}
    return {**about, "by": "every number of classes", "constants": known, "parts": {"every": part}}
