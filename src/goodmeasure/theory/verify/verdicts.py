"""Check that a verdict and its certificate belong together."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import TYPE_CHECKING

from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.implications import IMPLICATIONS
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import CHANCE_BOUND, SENSITIVE, TRIVIAL
from goodmeasure.theory.verify.arithmetic import Ground
from goodmeasure.theory.verify.atoms import at
from goodmeasure.theory.verify.certificate_input import function_of_m
from goodmeasure.theory.verify.signs import demand
from goodmeasure.theory.verify.stated_values import is_stated, value_of
from goodmeasure.typing import ReadJson

if TYPE_CHECKING:
    from goodmeasure.theory.statements.statement import Statement

_SAME = ("measure", "domain", "undefined")


def belongs(said: Mapping[str, object], certificate: Certificate, *, one_size: bool) -> None:
    """Demand that a certificate proves what its verdict says, and that the verdict says nothing beyond it.

    Both must name the same measure, domain and policy for undefined values. The certificate must be about as many
    classes as the verdict, or about every number of classes. Its statement must be that of the verdict or one that
    implies it (the negation, for a refuted verdict). The verdict names all constants of its statement, each with the
    value that the certificate proves; a constant that depends on m is taken at the verdict's number of classes. No
    proof is about one n, and only the example of class sensitivity and a refuted chance correction come with matrices.
    ``one_size``: the measure takes only the number of classes that the certificate is about.
    """
    for fact in _SAME:
        mine, theirs = str(said[fact]), str(getattr(certificate, fact))
        demand(
            mine == theirs,
            "the verdict is about the {field} {got}, its certificate about {theirs}",
            field=fact,
            got=mine,
            theirs=theirs,
        )
    demand(
        certificate.classes in (said["classes"], "every"),
        "the verdict is about {got} classes, its certificate about {theirs}",
        field="classes",
        got=said["classes"],
        theirs=certificate.classes,
    )
    wanted = statement(said.get("property") or said["statement"])
    demand(
        certificate.vacuous == (said["status"] == "vacuous"),
        "the verdict is {got!r}, and its certificate shows that the statement says {what}",
        field="status",
        got=said["status"],
        what="nothing" if certificate.vacuous else "something",
    )
    # A refuted chance correction shows guesses with some number of items, in addition to its proof.
    guessed = wanted.kind == CHANCE_BOUND and said["status"] == "refuted"
    demand(said.get("n") is None or guessed, "the certificate is about every n, and the verdict about one")
    shown = said.get("witness") is not None
    demand(not shown or guessed or wanted.kind == SENSITIVE, "the verdict shows matrices beside a proof")
    if said["status"] == "vacuous":
        demand(
            certificate.statement == wanted.name,
            "the certificate is about {got}",
            field="statement",
            got=certificate.statement,
        )
        demand(certificate.classes == said["classes"], "the certificate is about another number of classes")
        demand(not said["constants"], "a statement that says nothing has no constants")
        return
    if said["status"] == "refuted":
        demand(
            certificate.statement == wanted.negation,
            "the certificate proves {got}",
            field="statement",
            got=certificate.statement,
        )
        return
    demand(
        said["status"] == "proved",
        "the verdict is {got!r} and needs no certificate",
        field="status",
        got=said["status"],
    )
    demand(
        certificate.statement == wanted.name or _implies(certificate, wanted, one_size=one_size),
        "the certificate proves {got}, from which {wanted} does not follow",
        field="statement",
        got=certificate.statement,
        wanted=wanted.name,
    )
    _constants_belong(said, certificate, wanted)


def _constants_belong(said: Mapping[str, ReadJson], certificate: Certificate, wanted: Statement) -> None:
    """Demand that a verdict states the constants that its certificate proves, by name, or by value if it has one."""
    proved = {name: _at(text, said["classes"]) for name, text in certificate.constants.items()}
    stated = {name: str(value) for name, value in (said["constants"] or {}).items()}
    named = certificate.statement == wanted.name
    orders = permutations(proved.values()) if not named else [[proved.get(name, "") for name in stated]]
    same = len(stated) == len(proved) and any(all(map(_states_the_same, stated.values(), x)) for x in orders)
    demand(
        same or (not named and not stated),
        "the verdict states {got}, its certificate proves {proved}",
        field="constants",
        got=stated,
        proved=proved,
    )
    known = set(wanted.constants) if wanted.kind != TRIVIAL else set(proved)
    demand(
        not stated or set(stated) == known,
        "the constants of {statement} are {known}",
        field="constants",
        got=sorted(stated),
        statement=wanted.name,
        known=", ".join(sorted(known)),
    )


def _states_the_same(one: str, two: str) -> bool:
    """Return whether two texts state the same number, or the same function of the number of classes."""
    ground = Ground(("k",))
    first, second = function_of_m(ground, one), function_of_m(ground, two)
    if first is None or second is None:
        return is_stated(one, value_of(two))
    return bool((first - second).is_zero)


def _at(text: str, m: object) -> str:
    """Return a constant for one number of classes; as it is, for every number or if it does not depend on it."""
    ground = Ground(("k",))
    value = function_of_m(ground, text) if isinstance(m, int) else None
    there = at(value, {"k": ground.constant(int(m) - 1)}) if value is not None and isinstance(m, int) else None
    return text if there is None or there.number is None else str(there.number)


def _implies(certificate: Certificate, wanted: Statement, *, one_size: bool) -> bool:
    """Return whether the statement of a certificate alone implies another one, for every measure.

    A statement that compares numbers of classes says the same as the strict one if the measure takes only one number.
    """
    if wanted.across_m and certificate.statement == "opitz_chance_corrected_strictly":
        return one_size
    return any(
        x.premises == (certificate.statement,) and x.conclusion == wanted.name
        for x in IMPLICATIONS
        if x.applies(certificate.domain, certificate.classes) and not x.defined and not x.scale_invariant
    )
