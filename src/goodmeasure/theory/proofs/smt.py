"""The signs that a proof rests on, as questions in SMT-LIB for a solver: a second opinion, and no proof.

Each fact of a certificate says that a polynomial has a sign wherever the variables are positive, counts are whole
numbers, and the suppositions of the splits around it hold. The question asks for a place where it has another one, so
that a true fact is answered with `unsat`. A root is a variable with the equation that defines it. Facts about
logarithms and other functions are no questions of algebra, and are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from goodmeasure.theory.kernel import signs
from goodmeasure.theory.kernel.claim import Branch, branches, supposing
from goodmeasure.theory.kernel.facts import learn
from goodmeasure.theory.kernel.polynomials import Polynomial, exponents
from goodmeasure.theory.kernel.proof import CASES, claim_of, kind_of
from goodmeasure.theory.kernel.texts import polynomial
from goodmeasure.theory.kernel.values import Ring, Root
from goodmeasure.theory.statements.verdict import Verdict
from goodmeasure.typing import ReadJson

Data = Mapping[str, ReadJson]
_RELATION = {
    signs.NEGATIVE: "<", signs.NOT_POSITIVE: "<=", signs.ZERO: "=", signs.NOT_NEGATIVE: ">=", signs.POSITIVE: ">",
}  # fmt: skip


def questions(certificate: Data) -> Iterator[str]:
    """Yield the questions of a certificate with cases, each as a whole text."""
    if certificate.get("by", CASES) != CASES or not certificate.get("cases"):
        return
    kind = kind_of(claim_of(certificate))
    nodes = {
        str(sorted((k, v) for k, v in case.items() if k != "proof")): case["proof"] for case in certificate["cases"]
    }
    for case in kind.cases():
        with kind.one_case():
            yield from _of_node(Branch(kind.ring), nodes[case.key])


def _of_node(branch: Branch, node: Data) -> Iterator[str]:
    ring = branch.ring
    with supposing(ring, node):
        supposed = dict(ring.facts)
        for fact in node.get("facts", ()):
            if "sign" in fact:
                asked = _Question(ring, supposed, polynomial(ring, fact["of"]), fact["sign"])
                if asked.is_algebra:
                    yield asked.text()
            learn(ring, [fact])
        if "split" in node:
            for order, part in branches(branch, node["split"]):
                with supposing(ring):
                    part.suppose()
                    if not part.empty:
                        yield from _of_node(part, node[order])


class _Question:
    """Whether a polynomial has another sign somewhere."""

    def __init__(self, ring: Ring, supposed: Mapping[Polynomial, int], f: Polynomial, sign: str) -> None:
        self.ring, self.f, self.sign = ring, f, sign
        self.used: dict[int, Root | None] = {}  # variables and roots, each after what it is the root of
        self.supposed = {p: known for p, known in supposed.items() if known in _RELATION}
        self.is_algebra = all(map(self._reach, (f, *self.supposed)))

    def _reach(self, p: Polynomial) -> bool:
        """Note what occurs in a polynomial; return whether all of it is variables and roots."""
        for k in sorted(p.variables()):
            atom = self.ring.atom(k) if k >= self.ring.size else None
            if k >= self.ring.size and not (isinstance(atom, Root) and self._reach(atom.of)):
                return False
            self.used[k] = atom if isinstance(atom, Root) else None
        return True

    def text(self) -> str:
        """Return the question in SMT-LIB."""
        lines = ["(set-logic QF_NRA)"]
        for k, root in self.used.items():
            lines.append(f"(declare-const {self._name(k)} Real)")
            if root is not None:
                power = " ".join([self._name(k)] * root.degree)
                lines.append(f"(assert (and (>= {self._name(k)} 0) (= (* {power}) {self._term(root.of)})))")
            else:
                least = ">= {} 1" if k in self.ring.whole else "> {} 0"
                lines.append(f"(assert ({least.format(self._name(k))}))")
        lines += [f"(assert ({_RELATION[known]} {self._term(p)} 0))" for p, known in self.supposed.items()]
        return "\n".join([*lines, f"(assert (not ({self.sign} {self._term(self.f)} 0)))", "(check-sat)", "(reset)", ""])

    def _name(self, k: int) -> str:
        return self.ring.names[k] if k < self.ring.size else f"root{k - self.ring.size}"

    def _term(self, p: Polynomial) -> str:
        terms = []
        for e, c in p.terms.items():
            factors = [self._name(k) for k, n in exponents(e) for _ in range(n)]
            number = str(c) if c >= 0 else f"(- {-c})"
            terms.append(f"(* {' '.join([number, *factors])})" if factors else number)
        return f"(+ {' '.join(terms)})" if len(terms) > 1 else terms[0] if terms else "0"


def export(verdicts: Iterable[Verdict], folder: Path) -> int:
    """Write a file of questions for each verdict whose certificate has some; return how many questions there are."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for verdict in verdicts:
        texts = [] if verdict.certificate is None else list(questions(verdict.certificate.data))
        if texts:
            name = re.sub(r"\W+", "_", f"{verdict.measure} {verdict.statement} {verdict.classes} {verdict.domain}")
            (folder / f"{name}.smt2").write_text("\n".join(texts), encoding="utf-8")
            count += len(texts)
    return count
