"""Search for a proof of a statement about a measure for every number of items, and write the certificate."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from itertools import product
from math import inf

from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import GoodmeasureError
from goodmeasure.language.tree import Tree
from goodmeasure.theory.kernel.claim import Claim, Kind
from goodmeasure.theory.kernel.entry import FORMAT
from goodmeasure.theory.kernel.kinds.labelings import BOUNDS, is_pure
from goodmeasure.theory.kernel.kinds.values import Example
from goodmeasure.theory.kernel.proof import claim_of, kind_of
from goodmeasure.theory.kernel.refusal import Refused
from goodmeasure.theory.kernel.symmetry import treats_classes_alike
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
    try:
        return Proof(measure, statement, classes, domain, undefined, time.process_time() + limit).found()
    except (NoProof, Refused):
        return None


def prove_vacuous(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: str, *, readable: bool
) -> Certificate | None:
    """Return a certificate that a statement speaks of no matrix on which the measure has a value, or None."""
    return None


def prove_example(
    measure: Measure, statement: Statement, m: int, domain: str, undefined: str, matrices: list[object]
) -> Certificate | None:
    """Return the certificate of an example: the matrix before, and two matrices with one more item."""
    about = dict(zip(("before", "one", "two"), matrices, strict=True))
    try:
        found = Proof(measure, statement, m, domain, undefined, inf).claimed()
        claim = claim_of(found)
        node = Prover(claim, Example.ways).node(Example(claim).case(about))
    except (NoProof, Refused):
        return None
    return {**found, "cases": [{**about, "proof": node}]}


class Proof:
    """One attempt to prove one statement, until a deadline in processor time."""

    def __init__(
        self, measure: Measure, statement: Statement, classes: int | str, domain: str, undefined: str, until: float
    ) -> None:
        if not statement.fits(classes) or (measure.classes == 2 and classes != 2):
            raise NoProof("the statement or the measure speaks of another number of classes")
        self.measure, self.statement, self.classes, self.domain = measure, statement, classes, domain
        self.undefined, self.until = statement.policy or undefined, until
        try:
            found = measure.recorded.general() if classes == EVERY else measure.recorded.tree(int(classes))
        except GoodmeasureError as error:
            raise NoProof(str(error)) from None
        if found is None:
            raise NoProof("the definition writes classes out")
        self.tree: Tree = found

    def claimed(self, **fields: object) -> Certificate:
        """Return what the certificate says besides its cases."""
        m = None if self.classes == EVERY else int(self.classes)
        return {
            "format": FORMAT,
            "statement": self.statement.name,
            "measure": {
                "name": self.measure.name,
                "orientation": self.measure.orientation,
                "tree": json.loads(self.tree.to_json()),
            },
            "classes": self.classes,
            "domain": self.domain,
            "undefined": self.undefined,
            "constants": {},
            "symmetric": m is not None and m > 2 and treats_classes_alike(self.tree, m),
            "cases": [],
            **fields,
        }

    def on(self, classes: int | str, domain: str) -> Proof:
        """Return the attempt at the same statement for another number of classes, or on another domain."""
        return Proof(self.measure, self.statement, classes, domain, self.undefined, self.until)

    def found(self) -> Certificate:
        """Return a certificate; `NoProof` or the kernel's refusal where none is found."""
        m = None if self.classes == EVERY else int(self.classes)
        if self.statement.maps is class_permutations and treats_classes_alike(self.tree, m):
            return self.claimed(by="classes alike")
        if m is None:
            return self._for_every_number()
        ways = [self._by_cases, self._on_all_matrices]
        if m > 2 and self.measure.classes is None:
            ways.insert(0, self._instance)
        return self._first(ways)

    def _first(self, ways: list[Callable[[], Certificate]]) -> Certificate:
        """Return the certificate of the first way that finds one."""
        for way in ways:
            try:
                return way()
            except (NoProof, Refused):
                continue
        raise NoProof("no way found a proof")

    def _for_every_number(self) -> Certificate:
        raise NoProof("no way for every number of classes")

    def _instance(self) -> Certificate:
        """Return the certificate for m classes from one for every number of classes."""
        part = self.on(EVERY, self.domain).found()
        return self.claimed(by="every number of classes", parts=[part], constants=part["constants"], symmetric=False)

    def _on_all_matrices(self) -> Certificate:
        """Return the certificate for a smaller domain from one on all matrices, if each instance is one there."""
        if self.domain == "all" or self.statement.kind not in kinds.UNIVERSAL:
            raise NoProof("no larger domain")
        part = self.on(self.classes, "all").found()
        return self.claimed(by="all matrices", parts=[part], constants=part["constants"], symmetric=False)

    def _by_cases(self) -> Certificate:
        """Return the certificate that shows one case after the other."""
        found = self.claimed()
        for constants in candidates(found, self.statement):
            try:
                claim = claim_of({**found, "constants": constants})
                kind = kind_of(claim)
                prover = Prover(claim, kind.ways, self.until)
                cases = [{**case.about, "proof": prover.node(case)} for case in kind.cases()]
                finish(kind, claim)
            except (NoProof, Refused):
                continue
            return {**found, "constants": dict(claim.constants), "cases": cases}
        raise NoProof("some case is open")


def finish(kind: Kind, claim: Claim) -> None:
    """Let the kernel look at all cases together, and state each constant as the kernel says that it is."""
    for _ in claim.statement.constants or ("",):
        try:
            kind.finish()
        except Refused as refusal:
            name = str(refusal.where[-1]) if refusal.where else ""
            if not name or not refusal.why.startswith(f"{name} is "):
                raise
            claim.constants[name] = refusal.why.removeprefix(f"{name} is ")
    kind.finish()


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
