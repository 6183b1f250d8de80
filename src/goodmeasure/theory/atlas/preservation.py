"""Decide whether averaging preserves a property of every binary measure: `preserves`.

Micro, macro and weighted averaging turn a binary measure M into a measure of m classes. "Preserved" speaks of every M
that has a value on all binary matrices and has the property on all of them, and of every number of classes. It is
shown by facts about the matrices of one class against the rest, which hold whatever M is; `statements/averages.py` has
the arguments. "Lost" needs one M: a measure with a proof that it has the property, and three
classes for which its average does not have it. The search for them takes M from a short list and finds the smallest
matrices (goesgens2021, Table 2 and appendix C.6).
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from goodmeasure.catalogue.definitions.averaging import macro, micro, weighted
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.documents import JsonDocument
from goodmeasure.exceptions import CertificateError, InputError
from goodmeasure.language.policy import policy_of
from goodmeasure.language.value import Value
from goodmeasure.language.view import View
from goodmeasure.theory.kernel import check
from goodmeasure.theory.refute.search import Search
from goodmeasure.theory.search.prove import prove
from goodmeasure.theory.statements.averages import KEPT, OVER_ALL
from goodmeasure.theory.statements.certificate import FORMAT
from goodmeasure.theory.statements.domain import Domain, DomainLike, domain_of
from goodmeasure.theory.statements.lookup import NINE, statement
from goodmeasure.theory.statements.statement import EXPECTATION, INDEPENDENT, Statement
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED
from goodmeasure.theory.statements.witness import MatrixRows, Witness, rows_of
from goodmeasure.theory.subject.measured_values import subject
from goodmeasure.typing import ReadJson


def any_right(c: View) -> Value:
    """Return 1 if some prediction is right, and else 0 (goesgens2021, appendix C.6)."""
    return c.where(c.tp + c.tn > 0, 1, 0)


def mostly_negatives(c: View) -> Value:
    """Return right minus wrong predictions, where a true negative counts three times."""
    return 3 * c.tn + c.tp - c.fp - c.fn


def covariance_unless_constant(c: View) -> Value:
    """Return the covariance of the labelings, and 1 where the prediction is constant; baselines leave that open."""
    return c.where(c.b[0] * c.b[1] > 0, c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2), 1)


def right_unless_constant(c: View) -> Value:
    """Return accuracy, and 2 where a labeling is constant; monotonicity leaves these matrices open."""
    return c.where(c.a[0] * c.a[1] * c.b[0] * c.b[1] > 0, c.ratio(c.tp + c.tn, c.n), 2)


OWN = {
    "lambda c: c.where(c.tp + c.tn > 0, 1, 0)": any_right,
    "lambda c: 3 * c.tn + c.tp - c.fp - c.fn": mostly_negatives,
    "lambda c: c.where(c.b[0] * c.b[1] > 0, c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2), 1)": covariance_unless_constant,
    "lambda c: c.where(c.a[0] * c.a[1] * c.b[0] * c.b[1] > 0, c.ratio(c.tp + c.tn, c.n), 2)": right_unless_constant,
}  # binary measures as code to paste


def losing_measure(text: str) -> Measure:
    """Return the measure that a text names: one of the functions above, or a measure of the catalogue."""
    return as_measure(OWN[text]) if text in OWN else as_measure(text)


AVERAGING: dict[str, Callable[[Measure], Measure]] = {
    "micro": micro,
    "macro": macro,
    OVER_ALL: partial(macro, classes="all"),
    "weighted": weighted,
}


def averaged_name(averaging: str, measure: str) -> str:
    """Return the name of an average of a measure.

    >>> averaged_name("micro", "f1"), averaged_name("macro(classes='all')", "f1")
    ('micro(f1)', "macro(f1, classes='all')")
    """
    return f"macro({measure}, classes='all')" if averaging == OVER_ALL else f"{averaging}({measure})"


_CLASSES = 3
_MOST = 6  # the greatest number of items of a counterexample that is searched
_MOST_GUESSES = 4  # the same for baselines, where every prediction is averaged over
_CALL_SECONDS = 10.0

# Why a property is preserved, in words; the facts in the certificate are their core.
_WHY = {
    "maximal_agreement": "The matrix of a class against the rest is diagonal if all predictions are right; one wrong "
    "prediction makes that of its true class not diagonal.",
    "class_symmetry": "Renaming the classes only exchanges the matrices of one class against the rest.",
    "symmetry": "Exchanging truth and prediction transposes the matrix of each class against the rest.",
    "distance": "Each labeling gives a binary labeling for each class, and the binary triangle inequalities add up.",
    "monotone": "A resolved disagreement resolves one in the binary matrices of both classes that it touches, and "
    "changes no other.",
    "constant_baseline": "Whether a random prediction is class i is a random binary prediction, and expectation is "
    "linear.",
    "approximate_constant_baseline": "If labelings are independent, so are the binary labelings of each class.",
}
# Binary measures that have a property and lose it by some averaging; which ones do is found by trying.
_LOSING = {
    "minimal_agreement": (next(iter(OWN)),),
    "strongly_monotone": (list(OWN)[1],),
    "monotone": ("accuracy", "sba", list(OWN)[3]),
    "symmetry": ("accuracy",),
    "distance": ("accuracy",),
    "constant_baseline": ("kappa", list(OWN)[2]),
    "approximate_constant_baseline": ("kappa", list(OWN)[2]),
}


@dataclass(frozen=True)
class Preservation(JsonDocument):
    """Whether averaging preserves a property of every binary measure; `gm.verify` checks it.

    ``status``: "proved" (for every measure and every number of classes), "refuted" (a measure loses it) or "held" (no
    example was found, and no proof). ``why`` is the proof in words. A refuted one has the text of a ``measure``, the
    ``matrices`` of the ``witness``, and the line ``replay``, which evaluates to False.

    >>> lost = preserves("weighted", "symmetry")
    >>> lost.measure, lost.n, lost.matrices[0]
    ('accuracy', 4, ((0, 0, 1), (0, 1, 0), (1, 1, 0)))
    """

    kind = "preservation"
    averaging: str
    property: str
    status: str
    n: int | None
    classes: int | str
    domain: str
    why: str = ""
    measure: str = ""
    witness: Witness | None = None
    certificate: dict[str, ReadJson] = field(default_factory=dict)

    @builtins.property
    def matrices(self) -> tuple[MatrixRows, ...]:
        """Return the matrices of the counterexample."""
        return () if self.witness is None else self.witness.matrices

    @builtins.property
    def replay(self) -> str:
        """Return a line of Python with the measure and its average, which evaluates to False."""
        return "" if self.witness is None else self.witness.replay

    def must_fit(self) -> None:
        """Raise `CertificateError` unless the certificate is about what this answer says."""
        about = self.certificate
        kind = {PROVED: "preserved", REFUTED: "lost"}.get(self.status)
        said = (kind, self.averaging, self.property, self.domain, self.classes, self.measure or None)
        found = tuple(about[x] for x in ("kind", "averaging", "statement", "domain", "classes", "measure"))
        if said != found:
            raise CertificateError(
                "the answer and its certificate are about different things",
                statement=self.property, field="certificate", got=found, known=said,
            )  # fmt: skip

    def __str__(self) -> str:
        if self.status == PROVED:
            return f"{self.averaging} averaging preserves {self.property} of every binary measure: {self.why}"
        if self.status == REFUTED:
            assert self.witness is not None
            return f"{self.averaging} averaging loses {self.property} of {self.measure}: {self.witness.says}"
        return f"{self.averaging} averaging: no measure was found that loses {self.property}, and no proof"


def preserves(averaging: str, property: str, *, domain: DomainLike = "regular") -> Preservation:
    """Decide whether micro, macro or weighted averaging preserves a property of every binary measure.

    Macro averaging over all classes, as papers write it, is "macro(classes='all')"; "macro" leaves out classes that
    occur in neither labeling.

    The binary measure has a value and the property on all matrices; its average is examined on the domain, by default
    where every class occurs in both labelings. The property is one of the nine of goesgens2021, Table 2.

    >>> preserves("macro", "monotone").status, preserves("macro", "minimal_agreement").status
    ('proved', 'refuted')
    >>> print(preserves("macro", "monotone", domain="all").witness.says)
    [0 1 0 | 0 0 0 | 2 0 0] → [1 0 0 | 0 0 0 | 2 0 0]: 1/3 → 1/3, must rise
    >>> preserves("macro(classes='all')", "distance", domain="all").status
    'proved'
    """
    if averaging not in tuple(AVERAGING):
        raise InputError(
            "{averaging} is {got!r}", got=averaging, known=", ".join(AVERAGING), advice="use one of {known}"
        )
    of, where = statement(property), domain_of(domain)
    if of.name not in NINE:
        raise InputError(
            "{property} is {got!r}", got=of.name, known=", ".join(NINE), advice="averages are judged by {known}"
        )
    found = _proved(averaging, of, where) or _refuted(averaging, of, where)
    return found or Preservation(averaging, of.name, HELD, None, "every", where.name)


def _proved(averaging: str, of: Statement, domain: Domain) -> Preservation | None:
    """Return the proof that a property is preserved, if there is an argument for it on this domain."""
    if domain.name not in KEPT.get((averaging, of.name), ()):
        return None
    about = {"averaging": averaging, "statement": of.name, "domain": domain.name, "classes": "every"}
    certificate: dict[str, ReadJson] = {"format": FORMAT, "kind": "preserved", **about, "measure": None}
    check(certificate)
    return Preservation(
        averaging, of.name, PROVED, None, "every", domain.name, why=_WHY[of.name], certificate=certificate
    )


def _refuted(averaging: str, of: Statement, domain: Domain) -> Preservation | None:
    """Return a measure that has the property and whose average does not, with the smallest example."""
    for text in _LOSING.get(of.name, ()):
        measure = losing_measure(text)
        has = prove(measure, of, 2, "all")
        if has is None:
            continue
        average = AVERAGING[averaging](measure)
        source = f"gm.{averaged_name(averaging, text if text in OWN else f'gm.{text}')}"
        judged = subject(average, _CLASSES, domain, policy_of("resolve"), source, _CALL_SECONDS)
        search = Search(of, [judged])
        witness = search.upto(_MOST_GUESSES if of.kind in (EXPECTATION, INDEPENDENT) else _MOST)
        if witness is None:
            continue
        certificate = {
            "format": FORMAT,
            "kind": "lost",
            "averaging": averaging,
            "statement": of.name,
            "domain": domain.name,
            "classes": _CLASSES,
            "measure": text,
            "has": has,
            "example": _example(witness),
        }
        check(certificate)
        return Preservation(
            averaging,
            of.name,
            REFUTED,
            search.n,
            _CLASSES,
            domain.name,
            measure=text,
            witness=witness,
            certificate=certificate,
        )
    return None


def _example(witness: Witness) -> dict[str, ReadJson]:
    """Return the matrices, labelings or class sizes of a witness, as plain data."""
    if witness.labelings:
        return {"labelings": [list(x) for x in witness.labelings]}
    averages = [x.average for x in witness.exhibits]
    rows = [x[0][1] for x in averages] if all(averages) else witness.matrices
    if all(averages) or any(x.role == "independent" for x in witness.exhibits):
        return {"sizes": [[[int(y) for y in map(sum, z)] for z in (x, tuple(zip(*x, strict=True)))] for x in rows]}
    return {"matrices": [[[int(y) for y in row] for row in rows_of(x)] for x in witness.matrices]}
