"""`gm.check`: decide which properties a measure has.

For each property the steps are: search for a counterexample with few items; if there is none, try to prove the
statement, or a single stronger statement, for every number of items; if there is no proof, search further. So there are
three verdicts, not two: refuted (with the smallest counterexample), proved (with a certificate), and held (no
counterexample with up to n items and no proof). If the search met nothing that the statement speaks of, a proof is
tried that there is nothing (`search/prove.py`), and the statement is called vacuous if there is one. A user's function
may be slow, random or undefined everywhere, so its calls and its proofs are limited in time and its counterexamples are
computed a second time.

No certificate enters a verdict before the kernel has accepted it (`verified_proofs.py`). If it does not, the verdict
is held, its remark says so, and a warning asks to report it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure, MeasureLike, as_measure
from goodmeasure.catalogue.names import fits
from goodmeasure.exceptions import CertificateError, Either, Given, InputError, InputTypeError
from goodmeasure.language.exact.reals import Exact
from goodmeasure.language.policy import Policy, Undefined, policy_of
from goodmeasure.progress import shows_progress
from goodmeasure.theory.families import check_family, family_of
from goodmeasure.theory.proofs.ideas import words_of
from goodmeasure.theory.refute.search import Search, reach
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.domain import Domain, DomainLike, domain_of
from goodmeasure.theory.statements.implications import IMPLICATIONS, Implication
from goodmeasure.theory.statements.lookup import statement, statements
from goodmeasure.theory.statements.statement import SENSITIVE, Statement
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED, VACUOUS, Report, Verdict
from goodmeasure.theory.statements.witness import Witness, text_of
from goodmeasure.theory.subject.judged_function import EXACT, DoesNotTake
from goodmeasure.theory.subject.measured_values import Subject, subject
from goodmeasure.theory.subject.time_limits import TooSlow, check_seconds, time_limit
from goodmeasure.theory.verification import verify
from goodmeasure.theory.verified_proofs import PROOF_SECONDS, VERIFY_SECONDS, VerifiedProofs

CALL_SECONDS = 10.0  # a call of a user's function on one matrix that takes longer is stopped
SEARCH_SECONDS = 30.0
_GRACE = 0.2  # seconds after which a search that is over has seen that it is
EVERY = "every"
_SIZES = (2, 3)  # the numbers of classes that a measure must take for classes="every"
_POSSIBLE = (2, 3, 4, 5)  # those that are searched then
_FEW = 4  # a function must have a value on some matrix of up to this many items


@shows_progress("checking")
def check(
    measure: MeasureLike | Family,
    classes: int | str | None = None,
    domain: DomainLike = "all",
    undefined: Undefined = "resolve",
    properties: Iterable[str] | str | None = None,
    *,
    n: int | None = None,
    seconds: float | None = None,
    call_seconds: float = CALL_SECONDS,
    proof_seconds: float | None = None,
    source: str | None = None,
    watch: Callable[[Verdict], None] | None = None,
) -> Report:
    """Decide which properties a measure has: all of them, or those that are named.

    `measure`: a measure of the catalogue, or your own function of ``c`` or of a matrix; or ``gm.generalized_mean``
    without its exponent, and then the properties are those of its measures with every real r. `classes`: 2, 3, 4, 5 or
    "every"; by default 2, or the smallest number of classes that your function takes. `n`: the greatest number of items
    to search if no proof is found; `watch`: a function that is called with each verdict as soon as it is known. Time
    limits in seconds of CPU time: `seconds` for each property, search and proofs together, unless `proof_seconds` says
    how long one attempt at a proof may take; by default, 30 for a search and 120 for a proof. `call_seconds` is for one
    call of your function.

    Each property is proved (with a certificate), refuted (with the smallest counterexample) or held: there is no
    counterexample with up to `.n` items, and no proof was found. It is vacuous if it is proved to speak of no matrix of
    the domain on which the measure has a value. A property that compares numbers of classes speaks of those that the
    measure takes.

    >>> import goodmeasure as gm
    >>> report = gm.check(gm.jaccard, properties=["distance", "monotone"])
    >>> report["distance"].status, report["Mon"].status, report["Mon"].n
    ('proved', 'refuted', 2)
    >>> def hits(c):
    ...     return c.ratio(c.tp, c.n)
    >>> gm.check(hits)["opitz_chance_corrected_completely"].status
    'refuted'
    """
    of_family = family_of(measure)
    if of_family is not None:
        return _of_family(of_family, classes, domain, undefined, properties, n, seconds, proof_seconds, watch)
    judged = _Judge(measure, classes, domain_of(domain), undefined, n, seconds, call_seconds, source, proof_seconds)
    return judged.report(_chosen(properties, judged.classes), watch)


def _of_family(
    family: Family,
    classes: int | str | None,
    domain: DomainLike,
    undefined: Undefined,
    properties: Iterable[str] | str | None,
    n: int | None,
    seconds: float | None,
    proof_seconds: float | None,
    watch: Callable[[Verdict], None] | None,
) -> Report:
    """Return the verdicts about all measures of a family; each of them is for two classes."""
    judges: dict[str, _Judge] = {}

    def checked(member: Measure, of: Statement) -> Verdict:
        if member.name not in judges:
            judges[member.name] = _Judge(
                member, classes, domain_of(domain), undefined, n, seconds, CALL_SECONDS, None, proof_seconds
            )
        return judges[member.name].verdict(of)

    _classes(2 if classes is None else classes, family(**family.usual[0]))
    limit = PROOF_SECONDS if proof_seconds is None else proof_seconds
    proofs = VerifiedProofs(family, domain_of(domain), undefined, limit if seconds is None else min(limit, seconds))
    return check_family(family, _chosen(properties, 2), proofs, checked, watch)


def _chosen(properties: Iterable[str] | str | None, classes: int | str) -> list[Statement]:
    """Return the statements that are named, or all that apply to this number of classes."""
    if properties is None:
        return statements(classes)
    if not isinstance(properties, (str, Iterable)):
        raise InputTypeError("{properties} is {got!r}", got=properties, expected="names, such as ['monotone']")
    named = [properties] if isinstance(properties, str) else list(properties)
    chosen = list(dict.fromkeys(statement(x, "properties") for x in named))
    for x in chosen:
        if not x.fits(classes):
            raise InputError(
                "{properties} names {name}, which is about two classes",
                name=x.name,
                m=classes,
                advice="{classes} is {m!r}",
            )
    return chosen


@dataclass(frozen=True)
class _Outcome:
    """The outcome of a search and of an attempt at a proof, from which a verdict is made."""

    status: str
    n: int | None
    method: str
    remark: str = ""
    witness: Witness | None = None
    certificate: Certificate | None = None


def _of_certificate(of: Statement, certificate: Certificate) -> _Outcome:
    """Return the outcome that follows from a certificate of the statement, of a stronger one, or of its negation."""
    status = REFUTED if of.kind == SENSITIVE else PROVED
    follows = certificate.statement not in (of.name, of.negation)
    remark = f"follows from {certificate.statement}" if follows else ""
    return _Outcome(status, None, words_of(certificate.data), remark, None, certificate)


class _Judge:
    """The properties of one measure, for a number of classes, a domain and a policy for undefined values."""

    def __init__(
        self,
        measure: MeasureLike,
        classes: int | str | None,
        domain: Domain,
        undefined: Undefined,
        n: int | None,
        seconds: float | None,
        call_seconds: float,
        source: str | None,
        proof_seconds: float | None = None,
    ) -> None:
        self.measure: Measure = as_measure(measure)
        self.domain, self.undefined = domain, undefined
        self.policy = policy_of(undefined)
        if self.policy.name == "raise":
            raise InputError('{undefined} is "raise"', advice='use "nan", which leaves out the same matrices')
        if n is not None and (isinstance(n, bool) or not isinstance(n, int) or n < 1):
            raise InputError("{n} is {got!r}", got=n, expected="the number of items up to which to search, such as 12")
        limits = (("seconds", seconds), ("call_seconds", call_seconds), ("proof_seconds", proof_seconds))
        for name, limit in limits:
            if limit is not None:
                check_seconds(limit, name)
        self.n, self.call_seconds, self.source = n, call_seconds, source
        self.seconds = SEARCH_SECONDS if seconds is None else seconds
        self.limit = inf if seconds is None or proof_seconds is not None else seconds  # of a property as a whole
        self.until = inf  # the processor time at which the verdict on a property is due
        self.proofs = VerifiedProofs(
            self.measure, domain, undefined, PROOF_SECONDS if proof_seconds is None else proof_seconds
        )
        self._subjects: dict[tuple[int, str], Subject] = {}
        self._refused: dict[int, DoesNotTake] = {}
        self._verdicts: dict[str, Verdict] = {}
        self.classes = self._chosen(classes)
        if self.measure.is_users_own():
            self._must_have_values()

    # Numbers of classes

    def _chosen(self, classes: object) -> int | str:
        """Return the number of classes that was asked for, or the smallest one that the measure takes."""
        if classes is None:
            found = next((m for m in _POSSIBLE if self._takes(m)), None)
            if found is None and 2 in self._refused:
                raise self._refused[2]
            return 2 if found is None else found
        chosen = _classes(classes, self.measure)
        for m in _SIZES if chosen == EVERY else (int(chosen),):
            if not self._takes(m):
                raise self._does_not_take(m)
        return chosen

    def _takes(self, m: int) -> bool:
        """Return whether the measure accepts matrices of m classes; a user's function is tried on some."""
        if not fits(self.measure, m):
            return False
        if self.measure.is_users_own() and m not in self._refused:
            try:
                self._subject_of(m, self.policy)
            except DoesNotTake as refused:
                self._refused[m] = refused
        return m not in self._refused

    def _does_not_take(self, m: int) -> InputError:
        """Return an error that names the numbers of classes which a user's function accepts."""
        name, refused = self.measure.name, self._refused[m]
        others = [k for k in _POSSIBLE if k != m and self._takes(k)]
        if not others:
            return refused
        return InputError(
            "{name} takes {taken} classes, not {got}, where it {reason}",
            argument="classes",
            got=m,
            name=name,
            taken=_listed(others),
            reason=refused.reason,
            advice="use {other}{macro}",
            other=Given("classes", str(others[0])),
            macro=Either(f", or gm.macro({name})" if others == [2] else "", ""),  # no command takes such an average
        )

    def _must_have_values(self) -> None:
        """Raise an error if a function has no value anywhere: every property would hold vacuously."""
        m = 2 if self.classes == EVERY else int(self.classes)
        subject = self._subject_of(m, self.policy)
        if any(subject.caller.has_value(rows) for rows in subject.caller.samples):
            return
        if not any(np.isfinite(subject.listed(n).values).any() for n in range(1, _FEW + 1)):
            raise InputError(
                "{name} has no finite value on any of the matrices that were tried, such as {matrix}",
                name=self.measure.name,
                matrix=text_of(subject.caller.samples[0]),
                advice="there is nothing to check",
            )

    def report(self, chosen: list[Statement], watch: Callable[[Verdict], None] | None) -> Report:
        """Return the verdicts on some statements."""
        verdicts = []
        for of in chosen:
            verdicts.append(self.verdict(of))
            if watch is not None:
                watch(verdicts[-1])
        return Report(verdicts)

    def verdict(self, of: Statement) -> Verdict:
        """Return the verdict on one statement, also by a counterexample of what it implies."""
        self.until = time.process_time() + self.limit
        verdict = self._own_verdict(of)
        return verdict if verdict.status != HELD else self._refuted_by_consequence(of, verdict)

    def _own_verdict(self, of: Statement) -> Verdict:
        """Return the verdict by a search and proofs of the statement itself, which is found once."""
        found = self._verdicts.get(of.name) or self._judged(of)
        if found.status != HELD or time.process_time() < self.until:  # with more time, more may be known
            self._verdicts[of.name] = found
        return found

    def _judged(self, of: Statement) -> Verdict:
        """Search small n, then try to prove a statement, then search further."""
        start = time.process_time()
        search = Search(of, [self._subject(m, of) for m in self._sizes(of)])
        first, most = self._reach(of)
        self.proofs.remark, self.proofs.until = "", self.until
        half = (self.until - start) / 2  # what is left is for proofs
        found = self._searched(half, lambda until: search.upto(first, until=until, few=True))
        certificate = None if found else self._vacuous(of, search) or self._prove(of, search)
        if found is None and certificate is None:
            left = self.until - time.process_time()
            found = self._searched(left, lambda until: search.upto(most, until=until) or search.beyond(until))
        if found is not None:
            self._must_stand(search)
        return self._verdict(of, search, certificate, time.process_time() - start)

    def _searched(self, seconds: float, look: Callable[[float], Witness | None]) -> Witness | None:
        """Return what a search finds in time; a limit of its own stops one evaluation that takes long."""
        seconds = max(0.0, min(seconds, self.seconds))
        try:
            with time_limit(seconds + _GRACE, lambda: "the search") as limit:
                return look(time.process_time() + seconds)
        except TooSlow:
            if not limit.late:  # a call of a user's function took too long
                raise
            return None

    def _refuted_by_consequence(self, of: Statement, held: Verdict) -> Verdict:
        """Return the refutation of a statement by a counterexample of what it implies; the same verdict if none is."""
        implied = [of.name]
        for name in implied:  # which grows: what is implied by what is implied
            implied += [x.conclusion for x in IMPLICATIONS if self._follows(x, name) and x.conclusion not in implied]
        for name in implied[1:]:
            if time.process_time() > self.until:
                break
            weaker = self._own_verdict(statement(name))
            if weaker.status != REFUTED or weaker.witness is None:
                continue
            method = f"a counterexample of {name}, which it implies"
            refuted = replace(
                held, status=REFUTED, n=weaker.n, method=method, remark="", witness=weaker.witness, constants=None
            )
            try:
                verify(refuted, seconds=VERIFY_SECONDS)
            except CertificateError:
                continue  # the matrices speak of the weaker statement only
            return refuted
        return held

    def _follows(self, x: Implication, premise: str) -> bool:
        """Tell whether a statement alone implies another one, for every measure that is judged here."""
        alone = x.premises == (premise,) and not x.defined and not x.scale_invariant
        return alone and x.applies(self.domain.name, self.classes)

    def _sizes(self, of: Statement) -> tuple[int, ...]:
        if self.classes == EVERY:
            return tuple(m for m in _POSSIBLE if self._takes(m))
        several = sorted({*_SIZES, int(self.classes)}) if of.across_m else [int(self.classes)]
        return tuple(m for m in several if self._takes(m))

    def _subject(self, m: int, of: Statement) -> Subject:
        return self._subject_of(m, policy_of(of.policy) if of.policy else self.policy)

    def _subject_of(self, m: int, policy: Policy) -> Subject:
        key = m, str(policy)
        if key not in self._subjects:
            self._subjects[key] = subject(self.measure, m, self.domain, policy, self.source, self.call_seconds)
        return self._subjects[key]

    def _reach(self, of: Statement) -> tuple[int, int]:
        m = 2 if self.classes == EVERY else int(self.classes)
        first, most = reach(of, m)
        if self.domain.name == "regular":  # no matrix with fewer items has every class
            first = min(max(first, m), most)
        most = most if self.n is None else self.n
        return min(first, most), most

    def _vacuous(self, of: Statement, search: Search) -> Certificate | None:
        """Return a certificate that a statement speaks of nothing, if the search met nothing that it speaks of."""
        if search.seen or self.classes == EVERY or of.across_m:
            return None
        return self.proofs.of_nothing(of.name, int(self.classes))

    def _prove(self, of: Statement, search: Search) -> Certificate | None:
        """Return a certificate of a statement or a stronger one (for class sensitivity, its negation), or None."""
        if search.subjects[0].caller.how != EXACT:
            return None
        wanted = statement(of.negation) if of.kind == SENSITIVE and of.negation else of
        across = len(self._sizes(of)) > 1
        for name in (wanted.name, *self._stronger(of)):
            found = self.proofs.of(name, EVERY if across else self.classes)
            if found is not None:
                return found
        return None

    def _stronger(self, of: Statement) -> list[str]:
        """Return the single statements that imply this one for every measure.

        For a measure of only one number of classes, a statement across numbers of classes says no more than the strict
        statement about that number. Implications that need a measure to be defined everywhere or to be invariant under
        scaling are not used, since neither is known here.
        """
        known = [
            x.premises[0]
            for x in IMPLICATIONS
            if x.conclusion == of.name and len(x.premises) == 1 and x.applies(self.domain.name, self.classes)
            if not x.defined and not x.scale_invariant
        ]
        return [*known, "opitz_chance_corrected_strictly"] if of.across_m and len(self._sizes(of)) == 1 else known

    def _must_stand(self, search: Search) -> None:
        """Raise an error if a user's function does not return the values of its counterexample a second time."""
        of = next(x for x in search.subjects if x.m == search.classes)
        if not of.caller.foreign or search.found is None:
            return
        for exhibit in search.found.exhibits:
            if not exhibit.matrix:
                continue
            again = of.caller.exact(exhibit.matrix)
            if (again is None) != (exhibit.number != exhibit.number) or (
                again is not None and abs(float(again) - exhibit.number) > 1e-9 * max(1.0, abs(exhibit.number))
            ):
                raise InputError(
                    "{name} is not deterministic",
                    name=self.measure.name,
                    exhibit=exhibit,
                    again=again,
                    advice="{exhibit} on the first call, {again} on the second",
                )

    def _verdict(self, of: Statement, search: Search, certificate: Certificate | None, seconds: float) -> Verdict:
        """Return the verdict that follows from the search and the certificate."""
        found = self._outcome(of, search, certificate)
        constants: Mapping[str, Exact | float | str] | None = (
            search.constants if found.status not in (REFUTED, VACUOUS) else None
        )
        proof = found.certificate
        if proof is not None and (self.classes == EVERY or (found.status == PROVED and not constants)):
            constants = proof.constants  # it may depend on the number of classes, or need more items to be met
        return Verdict(
            statement=of.name,
            measure=self.measure.name,
            status=found.status,
            n=found.n,
            domain=self.domain.name,
            classes=self.classes,
            undefined=of.policy or str(self.policy),
            method=found.method,
            seconds=round(seconds, 3),
            witness=found.witness,
            certificate=proof,
            constants=constants or None,
            remark=found.remark,
            of=self.measure,
        )

    def _outcome(self, of: Statement, search: Search, certificate: Certificate | None) -> _Outcome:
        """Return what an example, a counterexample, a certificate, or the lack of all three means."""
        if search.found is not None:
            return self._of_example(of, search) if of.kind == SENSITIVE else self._of_counterexample(of, search)
        if certificate is not None:
            return self._of_vacuity(certificate) if certificate.vacuous else _of_certificate(of, certificate)
        remark = self._why_held(of, search)
        if not (search.seen or self.proofs.remark or search.subjects[0].caller.how == EXACT):
            return _Outcome(HELD, None, "not searched", remark)
        return _Outcome(HELD, search.looked, f"{search.scope}, {self._how(search)}", remark)

    def _of_example(self, of: Statement, search: Search) -> _Outcome:
        """Return what an example means for a statement that there is one: a proof, for this number of classes."""
        example, words = search.found, "example"
        if self.classes == EVERY:
            return _Outcome(HELD, search.n, words, f"an example for {search.classes} classes", example)
        if search.subjects[0].caller.how != EXACT:
            return _Outcome(PROVED, None, words, "", example)
        certificate = self.proofs.of_example(of, search.classes or 2, example)
        if certificate is None:
            return _Outcome(HELD, search.n, words, self.proofs.remark, example)
        return _Outcome(PROVED, None, words, "", example, certificate)

    def _of_counterexample(self, of: Statement, search: Search) -> _Outcome:
        """Return what a counterexample means: a refutation, unless it rests on a proof that does not stand."""
        method = f"{search.claim}, {self._how(search)}"
        if not search.proof:
            return _Outcome(REFUTED, search.n, method, "", search.found)
        certificate = self.proofs.checked(search.proof)
        if certificate is None:
            return _Outcome(HELD, search.looked, method, self.proofs.remark)
        if self.classes == EVERY:  # the certificate is about one number of classes, which is enough
            certificate = None
        return _Outcome(REFUTED, search.n, method, "", search.found, certificate)

    def _of_vacuity(self, certificate: Certificate) -> _Outcome:
        """Return the outcome that follows from a certificate that the statement is vacuous."""
        remark = (
            "the measure has no value where the statement speaks of it"
            if certificate.cases
            else f"the matrices that it speaks of lie outside the domain {self.domain.name!r}"
        )
        return _Outcome(VACUOUS, None, words_of(certificate.data), remark, None, certificate)

    def _why_held(self, of: Statement, search: Search) -> str:
        """Return what the verdict on a statement that is neither proved nor refuted should say; "" if nothing."""
        exact = search.subjects[0].caller.how == EXACT
        if self.proofs.remark:
            return self.proofs.remark
        if not search.seen:
            floats = f"the search needs exact values, and {self.measure.name} has floats only"
            return "nothing that the statement speaks of was met" if exact else floats
        if (of.order or 1) > 1 and not exact:
            return f"derivatives were not searched: they need exact values, and {self.measure.name} has floats only"
        if search.open:
            return "a comparison of exact values stayed undecided"
        return "" if exact else self.proofs.why_opaque(search.subjects[0].m)

    def _how(self, search: Search) -> str:
        return "exact" if search.subjects[0].caller.how == EXACT else "in floats"


def _classes(classes: object, measure: Measure) -> int | str:
    """Return the argument ``classes``, or raise an error that says what the measure takes."""
    if classes == EVERY:
        if measure.classes == 2:
            raise InputError(
                "{name} is for two classes",
                argument="classes",
                got=classes,
                name=measure.name,
                advice="use {classes:=2}, or macro({name})",
            )
        if not all(fits(measure, m) for m in _SIZES):
            raise InputError(
                "{name} is made for one number of classes",
                argument="classes",
                got=classes,
                name=measure.name,
                advice="name it, as in {classes:=3}",
            )
        return EVERY
    if isinstance(classes, bool) or not isinstance(classes, int) or classes not in _POSSIBLE:
        raise InputError("{classes} is {got!r}", got=classes, advice='use 2, 3, 4, 5 or "every"')
    if measure.classes == 2 and classes != 2:
        raise InputError(
            "{name} is for two classes",
            argument="classes",
            got=classes,
            name=measure.name,
            m=classes,
            advice="use {classes:=2}, or macro({name}) for {m} of them",
        )
    if not fits(measure, classes):
        raise InputError(
            "{name} is made for another number of classes than {classes}",
            argument="classes",
            got=classes,
            advice="use the number that it was made for",
            name=measure.name,
            classes=classes,
        )
    return classes


def _listed(numbers: list[int]) -> str:
    return " or ".join([", ".join(map(str, numbers[:-1])), str(numbers[-1])] if len(numbers) > 1 else map(str, numbers))
