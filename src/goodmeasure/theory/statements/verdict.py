"""Verdicts on a statement about a measure: proved, refuted, held up to some n, or vacuous."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from goodmeasure.documents import NOT_STORED, JsonDocument
from goodmeasure.exceptions import UnknownKey, UnknownName
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.theory.statements import lookup
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.witness import Witness
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.language.exact.reals import Exact
    from goodmeasure.theory.proofs.proof import ReadableProof


PROVED, REFUTED, HELD = "proved", "refuted", "held"
VACUOUS = "vacuous"  # proved to be empty: no instance of the statement lies in the domain with all its values defined
SIGNS = {PROVED: "✓", REFUTED: "✗", HELD: "?", VACUOUS: "∅"}
LEGEND = {
    PROVED: "proved for every n",
    REFUTED: "refuted, with n items",
    HELD: "no counterexample up to n, and no proof",
    VACUOUS: "says nothing here",
}


@dataclass(frozen=True)
class Verdict(ShownInNotebooks, JsonDocument):
    """The verdict on one statement about one measure.

    ``n``: for a refuted statement, the number of items in the matrix before the move or in the labelings; for a held
    one, the number up to which all matrices were examined; None for a proved or vacuous one. ``constants``: the
    constants that the statement claims to exist, by name, in the measure's own sign. ``remark`` says why a statement is
    vacuous or undecided. ``of`` is the measure itself, unless the verdict was read from a file.
    ``method`` says how the verdict was found.
    """

    kind = "verdict"
    statement: str = field(metadata={"name": "property"})
    measure: str
    status: str
    n: int | None
    domain: str
    classes: int | str
    undefined: str
    method: str
    seconds: float
    witness: Witness | None = None
    certificate: Certificate | None = None
    constants: Mapping[str, Exact | float | str] | None = None
    remark: str = ""
    of: Measure | None = field(default=None, compare=False, metadata=NOT_STORED)

    @property
    def constant(self) -> Exact | float | str | dict[str, Exact | float | str] | None:
        """Return the constant of the statement, or a dict where there are several; None where none is known."""
        if not self.constants:
            return None
        return dict(self.constants) if len(self.constants) > 1 else next(iter(self.constants.values()))

    @property
    def sign(self) -> str:
        """Return ✓ for proved, ✗ with n for refuted, ? with n for held, ∅ for vacuous."""
        return SIGNS[self.status] + ("" if self.status == PROVED or self.n is None else str(self.n))

    @property
    def finding(self) -> str:
        """Return what was found, in words."""
        return {
            PROVED: "proved for every n",
            REFUTED: "refuted" + (f" at n = {self.n}" if self.n is not None else ""),
            HELD: f"no counterexample up to n = {self.n}, and no proof" if self.n else "neither refuted nor proved",
            VACUOUS: f"says nothing here: {self.remark}",
        }.get(self.status, self.status)

    @property
    def proof(self) -> ReadableProof | None:
        """Return the proof as people read it; None for a verdict without a certificate."""
        if self.certificate is None:
            return None
        from goodmeasure.theory.proofs.proof import ReadableProof  # this import loads the kernel

        return ReadableProof(self.certificate.data)

    def __str__(self) -> str:
        """Return what was found, with the first lines of the proof."""
        head = f"{self.statement}: {self.finding}"
        proof = self.proof if self.status == PROVED else None
        return head if proof is None else "\n".join([head, *proof.first_lines()])

    def __repr__(self) -> str:
        constant = "" if self.constant is None else f", constant={self.constant}"
        n = "" if self.n is None else f", n={self.n}"
        return f"Verdict({self.statement!r}, {self.measure!r}, {self.status!r}{n}{constant}, domain={self.domain!r})"


class HasCertificate(Protocol):
    """A verdict, or an answer on what is possible: it knows the certificate that proves it."""

    @property
    def certificate(self) -> object: ...


ProofLike: TypeAlias = HasCertificate | Certificate | Mapping[str, ReadJson] | str
"""What `verify` checks: a verdict, a certificate, or its JSON."""


class Report(ShownInNotebooks, JsonDocument, Mapping[str, Verdict]):
    """The verdicts on one measure, by name or short name of the property.

    >>> import goodmeasure as gm
    >>> gm.check(gm.f1, properties=["symmetry", "monotone"])["Mon"].n
    2
    """

    kind = "verdicts"

    def __init__(self, verdicts: Sequence[Verdict]) -> None:
        self.verdicts = tuple(verdicts)
        self._by_name = {x.statement: x for x in verdicts}

    def __getitem__(self, name: str) -> Verdict:
        try:
            found = lookup.statement(name).name
        except UnknownName as error:
            raise UnknownKey.of(error) from None
        if found not in self._by_name:
            raise UnknownKey(
                "{name!r} is not among the properties that were checked ({checked})", name=name,
                checked=", ".join(self._by_name), advice="gm.check decides it",
            )  # fmt: skip
        return self._by_name[found]

    def __contains__(self, name: object) -> bool:
        try:
            return lookup.statement(name).name in self._by_name
        except (ValueError, TypeError):
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    @property
    def statuses(self) -> dict[str, str]:
        """Return the status of each property by name."""
        return {name: x.status for name, x in self._by_name.items()}

    def rows(self) -> list[list[str]]:
        """Return the verdicts as rows of a table: sign, property, what is known, method, seconds."""
        return [[x.sign, x.statement, known(x), x.method, f"{x.seconds:.2f}"] for x in self.values()]

    def __repr__(self) -> str:
        if not self._by_name:
            return "no property was checked"
        first = next(iter(self.values()))
        head = f"{first.measure}, {classes_text(first.classes)}, domain {first.domain!r}, undefined={first.undefined!r}"
        rows = [row[:3] for row in self.rows()]
        width = [max(len(row[k]) for row in rows) for k in range(2)]
        return "\n".join([head, *(f"{a:<{width[0]}}  {b:<{width[1]}}  {c}".rstrip() for a, b, c in rows)])


def classes_text(classes: int | str) -> str:
    """Return the number of classes in words."""
    return "every number of classes" if classes == "every" else f"{classes} classes"


def known(verdict: Verdict) -> str:
    """Return what is known in one line: constants, a counterexample, or up to which n none was found."""
    if verdict.status == REFUTED and verdict.witness is not None:
        return verdict.witness.says
    if verdict.status == VACUOUS:
        return f"{LEGEND[verdict.status]}: {verdict.remark}"
    if verdict.status == HELD:
        far = f"no counterexample up to n = {verdict.n}" if verdict.n else "not decided"
        return f"{far}; {verdict.remark}" if verdict.remark else far
    named = ", ".join(f"{k} = {v}" for k, v in (verdict.constants or {}).items())
    return "; ".join(x for x in (named, verdict.remark) if x)
