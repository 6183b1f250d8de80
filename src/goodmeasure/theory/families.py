"""`gm.check` of a family of measures with a real exponent r: which properties all of its measures have.

A proof holds for every r at once: the kernel reads the tree with an exponent that is left open, for r > 0 and for
r ≤ 0. A property that one measure of the family lacks is refuted by the counterexample to that measure.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import isinf

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import family
from goodmeasure.exceptions import GoodmeasureError, InputError
from goodmeasure.theory.proofs.ideas import words_of
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED, VACUOUS, Report, Verdict
from goodmeasure.theory.verified_proofs import VerifiedProofs


def family_of(measure: object) -> Family | None:
    """Return the family of measures that is meant, if one is; refuse one without an exponent."""
    if isinstance(measure, str):
        with suppress(GoodmeasureError):  # the name of a measure, or of nothing
            measure = family(measure)
    if not isinstance(measure, Family):
        return None
    if list(measure.signature.parameters) != ["r"]:
        raise InputError(
            "{name} needs its parameters",
            argument="measure",
            got=measure,
            name=measure.name,
            example=measure.example,
            advice="for example {example}; only a family with one real exponent r is checked as a whole",
        )
    return measure


def check_family(
    of_family: Family,
    chosen: Iterable[Statement],
    proofs: VerifiedProofs,
    checked: Callable[[Measure, Statement], Verdict],
    watch: Callable[[Verdict], None] | None,
) -> Report:
    """Return the verdicts about all measures of a family, given how one of them is checked."""
    verdicts = []
    members = [of_family(**x) for x in of_family.usual if not isinf(float(str(x["r"])))]
    for of in chosen:
        verdicts.append(_verdict(of_family, of, proofs, members, checked))
        if watch is not None:
            watch(verdicts[-1])
    return Report(verdicts)


def _verdict(
    of_family: Family,
    of: Statement,
    proofs: VerifiedProofs,
    members: list[Measure],
    checked: Callable[[Measure, Statement], Verdict],
) -> Verdict:
    start = time.process_time()
    found = proofs.of(of.name, 2)
    if found is not None:
        return _proved(of_family, of, found, PROVED, words_of(found.data), time.process_time() - start)
    each = []
    for member in members:
        each.append(checked(member, of))
        if each[-1].status == REFUTED:
            remark = f"so not every r has the property: {member.name} lacks it"
            return replace(each[-1], remark=remark, seconds=time.process_time() - start)
    seconds = time.process_time() - start
    if all(x.status == VACUOUS for x in each):
        nothing = proofs.of_nothing(of.name, 2)
        if nothing is not None:
            return replace(
                _proved(of_family, of, nothing, VACUOUS, words_of(nothing.data), seconds), remark=each[0].remark
            )
    have = ", ".join(x.measure for x in each if x.status == PROVED)
    return replace(
        each[0],
        measure=f"{of_family.name}(r)",
        status=HELD,
        n=min((x.n for x in each if x.n), default=None),
        method="some measures of the family",
        remark=f"proved for {have}, and not for every r" if have else each[0].remark,
        witness=None,
        certificate=None,
        constants=None,
        of=None,
        seconds=seconds,
    )


def _proved(of_family: Family, of: Statement, found: Certificate, status: str, method: str, seconds: float) -> Verdict:
    constants: Mapping[str, str] | None = dict(found.constants) or None
    return Verdict(
        statement=of.name,
        measure=f"{of_family.name}(r)",
        status=status,
        n=None,
        domain=found.domain,
        classes=2,
        undefined=of.policy or found.undefined,
        method=method,
        seconds=seconds,
        certificate=found,
        constants=constants if status == PROVED else None,
        remark="for every real r" if status == PROVED else "",
    )
