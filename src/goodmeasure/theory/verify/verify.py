"""Check certificates about one measure: every case of the statement is there, and each is proved.

A certificate claims that a measure has a property for every number of items. It is untrusted data, and the verifier
takes from it only hints: how each case is proved. Everything that gives the claim its meaning is worked out again.

What the verifier demands, and what would go wrong without it:

1. *The definition is the one named.* The text of the measure's definition must equal the text in the certificate
   (`certificate_input.py`); else a proof about one formula would be taken for a proof about another.
2. *Every case is there.* The verifier lists the cases itself: supports in the domain (which cells are 0 and which are
   positive), moves, maps, sets of classes. On one support every class size is 0 or positive, so every rule for 0/0
   resolves and the measure is one formula in positive whole numbers. The finitely many supports cover all matrices of
   all n, so cases that are missing are matrices nothing is said about. Cases that the statement does not ask for are
   refused too, since they would mean that two readings of the statement differ.
3. *Splits are complete.* A case may be split by the order of two cells; all orders must follow (`check_splits`).
4. *Classes are renamed only where that is allowed.* Cases may be listed up to renaming the classes if the definition
   treats all classes alike, which is decided anew (`tells_no_classes_apart`). All cases of a group must then use one
   naming, since two halves of a split under different names need not fit together.
5. *Each case is proved.* The measure is read on the case again, the difference whose sign matters is formed again, and
   its sign is shown again (`arithmetic.py`, `signs.py`).
6. *Undefined is undefined.* A case is skipped if the measure has no value there, and only then.
7. *Constants are right.* c_max, c_base, … must be the exact values on matrices that the statement speaks of. Else a
   true statement would come with a false number.
8. *A reading agrees with numbers.* Whenever a formula is read, the exact value on a matrix of small, large or mixed
   counts is computed as well and compared (`formula_readings.py`), signs are evaluated at random points, and
   derivatives are compared with difference quotients.
9. *A reading is not deceived.* A definition that asks what only numbers can answer is refused, also if it catches the
   exception by which the question is refused (`views.py`).

What the verifier shares with the prover: the statements and domains (`theory/statements`), the language in which
definitions are written, with its exact numbers (`language`), and the definitions themselves (`catalogue`). It imports
nothing from the rooms that search for proofs and counterexamples, nor from their algebra; a test of the layers sees to
that. docs/certificates.md lists all files that have to be believed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, lru_cache
from itertools import permutations, product
from typing import TYPE_CHECKING

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import MeasureLike, as_measure
from goodmeasure.catalogue.names import measure as named
from goodmeasure.theory.replay.witnesses import replay
from goodmeasure.theory.statements import statement as kinds
from goodmeasure.theory.statements.certificate import Certificate, CertificateNode
from goodmeasure.theory.statements.domain import ALL, domain_of
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.verdict import ProofLike
from goodmeasure.theory.subject.time_limits import check_seconds
from goodmeasure.theory.verify.arithmetic import UNDEFINED, Outcome
from goodmeasure.theory.verify.baselines import expectation, flatness, independent
from goodmeasure.theory.verify.certificate_input import (
    EVERY_EXPONENT,
    SIDES,
    certificate_of,
    exponents_of,
    measure_of,
    readable,
    refuted_by_matrices,
    takes_only,
)
from goodmeasure.theory.verify.chance_correction import chance_bound, uncorrected
from goodmeasure.theory.verify.decomposition import decomposable
from goodmeasure.theory.verify.distance import distance
from goodmeasure.theory.verify.every_m import EveryCheck
from goodmeasure.theory.verify.formula_readings import Reading, check_splits, forget, reading_of
from goodmeasure.theory.verify.moves import moves
from goodmeasure.theory.verify.possibility import checked_for_all_measures
from goodmeasure.theory.verify.preservation import check_average
from goodmeasure.theory.verify.random_guesses import guessing
from goodmeasure.theory.verify.renaming import tells_no_classes_apart
from goodmeasure.theory.verify.signs import CertificateError, demand
from goodmeasure.theory.verify.stated_values import are_stated
from goodmeasure.theory.verify.true_labelings import bounded, smooth, trivial
from goodmeasure.theory.verify.vacuity import check_vacuous
from goodmeasure.theory.verify.values import defined, example, extreme, indifferent, invariance
from goodmeasure.theory.verify.verdicts import belongs
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure

MOST_CLASSES = 5  # so many have millions of supports: only statements about class sizes are looked at case by case
_BY_SIZES = (kinds.INDEPENDENT, kinds.FLATNESS, kinds.TRIVIAL, kinds.SENSITIVE)
SECONDS = 60.0  # of CPU time, after which a check is given up


def verify(proof: ProofLike, measure: MeasureLike | None = None, *, seconds: float = SECONDS) -> bool:
    """Return True if a verdict, a certificate or its JSON is correct; raise `CertificateError` otherwise.

    ``measure``: the function that the certificate is about, if it is not in the catalogue. A verdict of `gm.check`
    knows its function; one that was read from JSON does not. ``seconds``: the CPU time after which the check is given
    up, which is an error too.

    >>> import goodmeasure as gm
    >>> verify(gm.check(gm.accuracy, properties="symmetry")["symmetry"].certificate)
    True
    """
    check_seconds(seconds, "seconds")
    deadline = time.process_time() + seconds
    with readable(proof):
        if checked_for_all_measures(proof):
            return True
        said = refuted_by_matrices(proof)
        if said is not None:
            replay(said, _measure_of_verdict(said, _own(proof) if measure is None else measure), deadline)
            return True
        certificate, verdict = certificate_of(proof)
        about = exponents_of(certificate)
        if about is not None and about[1] == EVERY_EXPONENT:
            if verdict is not None:
                belongs(verdict, certificate, one_size=False)
            _check_exponents(certificate, about[0], deadline)
        else:
            known = measure_of(certificate, _own(proof) if measure is None else measure)
            if verdict is not None:
                belongs(verdict, certificate, one_size=takes_only(known, certificate.classes))
            if not _accepted_at_once(certificate, known, deadline):
                Check(certificate, known, deadline).run()
    return True


def _accepted_at_once(certificate: Certificate, measure: Measure, deadline: float) -> bool:
    """Return whether a certificate is accepted; False if it may depend on what was read for others.

    Which atoms of a ground came first decides the order in which they are eliminated, and a sign may be shown in one
    order and not in another. So a refusal counts only after the measure has been read anew.
    """
    try:
        Check(certificate, measure, deadline).run()
    except CertificateError:
        if forget():
            return False
        raise
    return True


def _measure_of_verdict(said: Mapping[str, ReadJson], measure: object) -> Measure:
    """Return the measure that a refuted verdict is about, after demanding that it has the name that is stated."""
    known = as_measure(named(said["measure"]) if measure is None else measure)
    demand(
        known.name == said["measure"],
        "the verdict is about {got}, not {known}",
        field="measure",
        got=said["measure"],
        known=known.name,
    )
    return known


def _own(proof: object) -> Measure | None:
    """Return the user's function that a verdict is about; None for a measure of the catalogue."""
    of = getattr(proof, "of", None)
    return of if of is not None and of.is_users_own() else None


def _check_exponents(certificate: Certificate, family: Family, deadline: float) -> None:
    """Check a certificate about every real exponent: one part about r > 0, and one about r ≤ 0."""
    names = [certificate.measure, *(x.measure for x in certificate.parts)]
    demand(
        names == [f"{family.name}({which})" for which in (EVERY_EXPONENT, *SIDES)],
        "the proofs for positive exponents and for all others are missing",
    )
    for part in certificate.parts:
        same = ("statement", "classes", "domain", "undefined", "constants", "vacuous")
        demand(
            all(getattr(part, x) == getattr(certificate, x) for x in same),
            "{name}: about something else",
            field="parts",
            name=part.measure,
        )
        Check(part, measure_of(part, None), deadline).run()


class Check:
    """The check of one certificate about one measure."""

    def __init__(self, certificate: Certificate, measure: Measure, deadline: float = float("inf")) -> None:
        self.certificate, self.measure, self.deadline = certificate, measure, deadline
        self.case: CertificateNode | None = None  # the one that is being checked, for errors
        self._admitted: dict[tuple[int, ...], bool] = {}  # whether supports lie in the domain, which is asked often
        self.statement: Statement = statement_of(certificate.statement)
        self.domain = domain_of(certificate.domain)
        self.undefined = _undefined(certificate.undefined)
        self.m = 0 if certificate.classes == "every" else _number_of_classes(certificate.classes)
        demand(
            self.statement.fits(certificate.classes),
            "{statement} does not speak of {got} classes",
            field="classes",
            got=certificate.classes,
            statement=self.statement.name,
        )
        demand(
            set(certificate.constants) == (set() if certificate.vacuous else set(self.statement.constants))
            or (self.statement.kind == kinds.TRIVIAL and not certificate.vacuous),
            "the constants of {statement} are {known}",
            field="constants",
            got=list(certificate.constants),
            statement=self.statement.name,
            known=", ".join(self.statement.constants) or "none",
        )
        if certificate.symmetric:
            demand(
                self.alike, "{measure} may treat classes differently", field="symmetric", got=True, measure=measure.name
            )

    @cached_property
    def alike(self) -> bool:
        """Whether the definition treats all classes alike, which is decided anew for each certificate."""
        return tells_no_classes_apart(self.measure)

    def run(self) -> None:
        """Check the certificate, by the kind of its statement."""
        with self._located():
            demand(
                self.statement.policy is None or self.statement.policy == self.undefined,
                "{statement} is about undefined={policy!r}",
                field="undefined",
                got=self.undefined,
                statement=self.statement.name,
                policy=self.statement.policy,
            )
            if self.certificate.vacuous:
                check_vacuous(self)
                return
            if any("averaging" in x for x in self.certificate.cases):
                check_average(self)
                return
            if self.certificate.classes == "every":
                EveryCheck(self).run()
                return
            if self.certificate.parts and not self.certificate.cases:
                self._instance()
                return
            kind = self.statement.kind
            # An invariance without cases claims that the definition treats all classes alike.
            listed = self.certificate.cases or kind != kinds.INVARIANCE
            demand(
                self.m < MOST_CLASSES or kind in _BY_SIZES or not listed,
                "the supports of {got} classes are too many to look at",
                field="classes",
                got=self.m,
            )
            demand(
                kind in CHECKERS,
                "no certificate proves {statement}",
                field="statement",
                got=self.statement.name,
                statement=self.statement.name,
            )
            checker_of(self.statement)(self)

    @contextmanager
    def _located(self) -> Iterator[None]:
        """Let an error say which statement, and which of its cases, was being checked."""
        try:
            yield
        except CertificateError as error:
            error.locate(self.statement.name, self.case)
            raise

    def again(self, part: Certificate) -> None:
        """Check a certificate about the same measure, on which this one rests."""
        Check(part, self.measure, self.deadline).run()

    def _instance(self) -> None:
        """Check a certificate that rests on one other proof, and its constants.

        That proof is about every number of classes; or about the same number of classes on the domain "all", if each
        instance of the statement on a smaller domain is an instance on "all", with the same constants.
        """
        demand(len(self.certificate.parts) == 1, "the proof for every number of classes is missing")
        (part,) = self.certificate.parts
        if part.domain != self.certificate.domain:
            self._restricted(part)
            return
        same = ("statement", "measure", "definition", "domain", "undefined", "vacuous")
        demand(
            part.classes == "every" and all(getattr(part, x) == getattr(self.certificate, x) for x in same),
            "the proof for every number of classes is about something else",
        )
        self.again(part)
        if self.statement.kind == kinds.DECOMPOSABLE:
            demand(dict(self.certificate.constants) == dict(part.constants), "the exponent is another one")
        elif self.statement.constants:
            ones = [[1] * self.m] * self.m
            diagonal = self.statement.at == kinds.DIAGONAL or self.statement.kind == kinds.DISTANCE
            unit = [[int((i == j) == diagonal) for j in range(self.m)] for i in range(self.m)]
            extreme = self.statement.kind in (kinds.EXTREME, kinds.DISTANCE)
            self.constants_are({self.statement.constants[0]: unit if extreme else ones})

    def _restricted(self, part: Certificate) -> None:
        """Check a certificate that rests on a proof of the same statement on the domain "all"."""
        demand(
            self.statement.kind in kinds.UNIVERSAL,
            "{statement} may fail on a part of the matrices",
            field="parts",
            statement=self.statement.name,
        )
        same = ("statement", "measure", "definition", "classes", "undefined", "vacuous", "constants")
        demand(
            part.domain == ALL.name and all(getattr(part, x) == getattr(self.certificate, x) for x in same),
            "the proof on all matrices is about something else",
        )
        self.again(part)

    # What the cases are about

    def reading(self) -> Reading:
        """Return the measure as formulas in its cells."""
        return reading_of(self.measure, self.m, self.undefined, self.deadline)

    def admits(self, support: Iterable[int]) -> bool:
        """Return whether the matrices with this support lie in the domain; a domain is a union of supports."""
        key, m = tuple(support), self.m
        if key not in self._admitted:
            demand(time.process_time() < self.deadline, "the check was given up: its time is over")
            rows = tuple(key[i * m : (i + 1) * m] for i in range(m))
            self._admitted[key] = any(key) and bool(self.domain.holds_pattern(rows))
        return self._admitted[key]

    def grouped(
        self, expected: Iterable[tuple[ReadJson, ...]], key: Callable[[CertificateNode], tuple[ReadJson, ...]]
    ) -> dict[tuple[ReadJson, ...], list[CertificateNode]]:
        """Return the cases of the certificate by subject; demand that the expected ones are there, each complete."""
        groups: dict[tuple[ReadJson, ...], list[CertificateNode]] = {}
        for case in self.certificate.cases:
            try:
                groups.setdefault(self._least(key(case)), []).append(case)
            except (KeyError, TypeError, ValueError, IndexError):
                raise CertificateError(
                    "a case cannot be read: {shown}", field="cases", case=case, shown=str(case)[:100]
                ) from None
        wanted = set()
        for x in expected:  # one by one, so that a certificate with few cases for many classes is refused early
            demand(time.process_time() < self.deadline, "the check was given up: its time is over")
            least = self._least(x)
            wanted.add(least)
            demand(least in groups, "the case {case} is missing", field="cases", case=x)
        demand(set(groups) <= wanted, "there are cases that the statement does not ask for")
        names = {f"c{i}_{j}" for i in range(self.m) for j in range(self.m)}
        for cases in groups.values():
            demand(len({str(key(x)) for x in cases}) == 1, "a case is given for two namings of the classes")
            check_splits([list(x["proof"].get("splits", [])) for x in cases], names)
        return groups

    def each(self, cases: Iterable[CertificateNode]) -> Iterator[CertificateNode]:
        """Yield cases one by one, and remember which of them is being checked."""
        for self.case in cases:
            yield self.case
        self.case = None

    def _least(self, what: tuple[ReadJson, ...]) -> tuple[ReadJson, ...]:
        """Return the subject of a case, up to renaming the classes if the certificate lists one case of each kind."""
        if not self.certificate.symmetric:
            return what
        least: tuple[ReadJson, ...] = _least_of(what, self.m)
        return least

    def constants_are(self, places: Mapping[str, ReadJson]) -> None:
        """Demand that the constants of the certificate are the exact values on these matrices."""
        known = {name: self.measure.exact(rows, undefined=self.undefined) for name, rows in places.items()}
        demand(
            are_stated(self.certificate.constants, known),
            "the constants are {got}",
            field="constants",
            got=dict(self.certificate.constants),
            expected="{known}",
            known=known,
        )

    def skipped(self, node: CertificateNode, *values: Outcome) -> bool:
        """Return whether the measure has no value in a case, after demanding that the certificate says the same."""
        none = any(x is UNDEFINED for x in values)
        demand(none == (node.get("by") == "undefined"), "the measure is undefined elsewhere than the certificate says")
        return none


CHECKERS: dict[str, Callable[[Check], None]] = {
    kinds.EXTREME: extreme,
    kinds.INVARIANCE: invariance,
    kinds.MOVES: moves,
    kinds.DISTANCE: distance,
    kinds.EXPECTATION: expectation,
    kinds.INDEPENDENT: independent,
    kinds.FLATNESS: flatness,
    kinds.DEFINED: defined,
    kinds.DEFINED_TOGETHER: defined,
    kinds.RANGE: bounded,
    kinds.TRIVIAL: trivial,
    kinds.SMOOTH: smooth,
    kinds.SENSITIVE: example,
    kinds.INDIFFERENT: indifferent,
    kinds.DECOMPOSABLE: decomposable,
    kinds.CHANCE_BOUND: chance_bound,
    kinds.UNCORRECTED: uncorrected,
}


def checker_of(statement: Statement) -> Callable[[Check], None]:
    """Return what checks the cases of a certificate about a statement, for one number of classes."""
    return guessing if statement.uniform else CHECKERS[statement.kind]


def _least_of(what: tuple[ReadJson, ...], m: int) -> tuple[ReadJson, ...]:
    """Return the least renaming of the subject of a case."""
    supports = _supports_renamed(what[0], m)
    if len(what) == 1 or isinstance(what[1], int):
        return (min(supports), *what[1:])
    return min(zip(supports, _moves_renamed(what[1], m), strict=True))


@lru_cache(maxsize=1024)
def _supports_renamed(support: str, m: int) -> tuple[str, ...]:
    """Return a support after class k is renamed p[k], for every p."""
    found = []
    for p in permutations(range(m)):
        back = sorted(range(m), key=p.__getitem__)
        found.append("".join(support[i * m + j] for i, j in product(back, repeat=2)))
    return tuple(found)


@lru_cache(maxsize=1024)
def _moves_renamed(changes: tuple[ReadJson, ...], m: int) -> tuple[tuple[ReadJson, ...], ...]:
    """Return a move after class k is renamed p[k], for every p."""
    return tuple(tuple(sorted((p[i], p[j], *d) for i, j, *d in changes)) for p in permutations(range(m)))


def _number_of_classes(classes: ReadJson) -> int:
    known = isinstance(classes, int) and not isinstance(classes, bool) and 2 <= classes <= MOST_CLASSES
    demand(
        known,
        "classes is {shown}",
        field="classes",
        got=classes,
        shown=str(classes)[:20],
        expected='2, …, {most} or "every"',
        most=MOST_CLASSES,
    )
    return int(classes)


def _undefined(text: str) -> str | float:
    return text if text in ("resolve", "nan", "raise") else float(text)
