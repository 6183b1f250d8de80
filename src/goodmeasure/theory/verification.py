"""`gm.verify`: check a verdict, an answer of `gm.possible` or `preserves`, or a certificate.

A certificate is checked by the kernel alone. Around it this module reads what was handed over, sees that a verdict says
nothing beyond its certificate and that a certificate is about the measure it names, and replays the witness of a
refuted verdict (`replay/`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import partial
from itertools import permutations
from typing import cast

from goodmeasure.catalogue.measure import Measure, MeasureLike, as_measure
from goodmeasure.catalogue.names import family, fits, named
from goodmeasure.exceptions import CertificateError, GoodmeasureError, InputTypeError, Undecided, UnknownName
from goodmeasure.language.tree import from_data
from goodmeasure.theory.kernel import Refused
from goodmeasure.theory.kernel import check as accepted
from goodmeasure.theory.kernel.texts import parsed
from goodmeasure.theory.kernel.values import Ring
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.implications import IMPLICATIONS
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import CHANCE_BOUND, SENSITIVE, TRIVIAL, Statement
from goodmeasure.theory.statements.verdict import ProofLike
from goodmeasure.theory.subject.time_limits import TooSlow, check_seconds, time_limit
from goodmeasure.typing import JsonObject, ReadJson

SECONDS = 60.0  # of CPU time, after which a check is given up


def verify(proof: ProofLike, measure: MeasureLike | None = None, *, seconds: float = SECONDS) -> bool:
    """Return True if a verdict, a certificate or its JSON is correct; raise `CertificateError` otherwise.

    ``measure``: the function that a certificate is about, if it is not in the catalogue; without it, what is proved is
    the formula that the certificate holds. A verdict of `gm.check` knows its function. ``seconds``: the CPU time after
    which the check is given up, which is an error too.

    >>> import goodmeasure as gm
    >>> verify(gm.check(gm.accuracy, properties="symmetry")["symmetry"].certificate)
    True
    """
    check_seconds(seconds, "seconds")
    said = _read(proof)
    try:
        with time_limit(seconds, lambda: "the check"):
            _verify(said, _own(proof) if measure is None else as_measure(measure))
    except TooSlow as error:
        raise CertificateError("{why}: it was given up", why=error) from None
    except Undecided as open_question:
        raise CertificateError("{why}", why=open_question) from None
    except Refused as refusal:
        raise CertificateError("{why}", why=refusal, statement=_statement_of(said)) from None
    return True


def _verify(said: JsonObject, measure: Measure | None) -> None:
    """Check what was handed over, as plain data."""
    certificate = said.get("certificate") if "certificate" in said else said
    if certificate is None:
        _must_be(
            said.get("status") == "refuted" and said.get("witness"),
            "the verdict is {got!r} and has no certificate",
            field="certificate",
            got=said.get("status"),
        )
        from goodmeasure.theory.replay.witnesses import replay

        replay(said, _measure_of(said["measure"], measure))
        return
    accepted(certificate)
    if certificate.get("kind") == "lost":
        from goodmeasure.theory.atlas.preservation import losing_measure

        _is_about(Certificate(certificate["has"]), losing_measure(certificate["measure"]))
    if "kind" in certificate:
        if said is not certificate:
            from goodmeasure.theory.possible.stated import must_fit

            must_fit(said, certificate)
        return
    proof = Certificate(certificate)
    _is_about(proof, measure)
    if said is not certificate:
        belongs(said, proof, one_size=_takes_only(proof, measure))


def _read(proof: ReadJson) -> JsonObject:
    """Return a verdict, an answer or a certificate as plain data."""
    if isinstance(proof, str):
        try:
            proof = json.loads(proof)
        except ValueError as error:
            raise CertificateError("this is no certificate: {why}", why=error) from None
        _must_be(isinstance(proof, Mapping), "this is no certificate, but {got!r}", got=proof)
    if isinstance(proof, Mapping):
        return proof
    if isinstance(proof, Certificate):
        return proof.data
    if hasattr(proof, "averaging") and hasattr(proof, "certificate"):
        _must_be(proof.certificate, "whether averaging keeps the property is {got!r}", field="status", got=proof.status)
        proof.must_fit()
        return cast(JsonObject, proof.certificate)
    if not hasattr(proof, "to_dict") or not hasattr(proof, "status"):
        raise InputTypeError("{got!r} is not a verdict, a certificate, or its JSON", argument="proof", got=proof)
    return cast(JsonObject, proof.to_dict())


def _must_be(condition: object, problem: str, **fields: object) -> None:
    if not condition:
        raise CertificateError(problem, **fields)


def _statement_of(said: JsonObject) -> str | None:
    found = said.get("property") or said.get("statement")
    return found if isinstance(found, str) else None


def _own(proof: object) -> Measure | None:
    """Return the user's function that a verdict is about; None for a measure of the catalogue."""
    of = getattr(proof, "of", None)
    return of if of is not None and of.is_users_own() else None


_named = partial(named, argument="measure", warns=False)  # the name was written by the package


def _measure_of(name: str, measure: Measure | None) -> Measure:
    """Return the measure that a verdict is about, after demanding that it has the name that is stated."""
    known = _named(name) if measure is None else measure
    _must_be(known.name == name, "the verdict is about {got}, not {known}", field="measure", got=name, known=known.name)
    return cast(Measure, known)


def _is_about(proof: Certificate, measure: Measure | None) -> None:
    """Demand that a certificate about a measure that is known is about its formula."""
    about = proof.data["measure"]
    if "family" in about:
        from goodmeasure.theory.search.prove import claimed
        from goodmeasure.theory.search.prover import NoProof

        name, of = str(about["family"]), statement(proof.statement)
        try:
            own = claimed(family(name), of, proof.classes, proof.domain, proof.undefined)["measure"]
        except (NoProof, GoodmeasureError):
            own = None
        _must_be(about == own, "the formula is not that of the family {got}", field="measure", got=name)
        return
    hint = "" if measure is not None else "a measure of your own is given as gm.verify(…, measure=…)"
    if measure is None:
        try:
            found = _named(proof.measure)
        except (UnknownName, GoodmeasureError):
            return  # what is proved is the formula that the certificate holds
        measure = cast(Measure, found)
    _must_be(
        measure.name == proof.measure,
        "the certificate is about {got}, not {known}",
        field="measure",
        got=proof.measure,
        known=measure.name,
        advice=hint,
    )
    recorded = measure.recorded
    tree = recorded.general() if proof.classes == "every" else recorded.tree(int(proof.classes))
    same = tree is from_data(about["tree"]) and measure.orientation == about["orientation"]
    _must_be(
        same,
        "the definition of {known} is not the one that the certificate is about",
        field="measure",
        got=proof.measure,
        known=measure.name,
    )


def _takes_only(proof: Certificate, measure: Measure | None) -> bool:
    """Return whether a measure takes matrices of one number of classes only."""
    if measure is None:
        try:
            measure = cast(Measure, _named(proof.measure))
        except (UnknownName, GoodmeasureError):
            return from_data(proof.data["measure"]["tree"]).classes is not None
    return not any(_takes(measure, m) for m in (2, 3, 4, 5) if m != proof.classes)


def _takes(measure: Measure, m: int) -> bool:
    """Return whether a measure takes matrices of m classes; a user's function is tried on one."""
    if not measure.is_users_own():
        return fits(measure, m)
    try:
        measure.exact([[i + j + 1 for j in range(m)] for i in range(m)])
    except Exception:  # noqa: BLE001 - a user's function may raise anything for a matrix that it does not take
        return False
    return True


# Whether a verdict says nothing beyond its certificate


def belongs(said: JsonObject, proof: Certificate, *, one_size: bool) -> None:
    """Demand that a certificate proves what its verdict says, and that the verdict says nothing beyond it.

    Both must name the same measure, domain and policy for undefined values. The certificate must be about as many
    classes as the verdict, or about every number of classes. Its statement must be that of the verdict or one that
    implies it (the negation, for a refuted verdict). The verdict names all constants of its statement, each with the
    value that the certificate proves; a constant that depends on m is taken at the verdict's number of classes. No
    proof is about one n, and only the example of class sensitivity and a refuted chance correction come with matrices.
    ``one_size``: the measure takes only the number of classes that the certificate is about.
    """
    for fact in ("measure", "domain", "undefined"):
        mine, theirs = str(said[fact]), str(getattr(proof, fact))
        _must_be(
            mine == theirs,
            "the verdict is about the {field} {got}, its certificate about {theirs}",
            field=fact,
            got=mine,
            theirs=theirs,
        )
    _must_be(
        proof.classes in (said["classes"], "every"),
        "the verdict is about {got} classes, its certificate about {theirs}",
        field="classes", got=said["classes"], theirs=proof.classes,
    )  # fmt: skip
    wanted, status = statement(said["property"]), said["status"]
    nothing = "nothing" if proof.vacuous else "something"
    _must_be(
        proof.vacuous == (status == "vacuous"),
        "the verdict is {got!r}, and its certificate shows that the statement says {what}",
        field="status", got=status, what=nothing,
    )  # fmt: skip
    # A refuted chance correction shows guesses with some number of items, in addition to its proof.
    guessed = wanted.kind == CHANCE_BOUND and status == "refuted"
    _must_be(said.get("n") is None or guessed, "the certificate is about every n, and the verdict about one", field="n")
    shown = said.get("witness") is not None
    _must_be(
        not shown or guessed or wanted.kind == SENSITIVE, "the verdict shows matrices beside a proof", field="witness"
    )
    if status == "vacuous":
        same = proof.statement == wanted.name and proof.classes == said["classes"]
        _must_be(same, "the certificate is about {got}", field="statement", got=proof.statement)
        _must_be(not said["constants"], "a statement that says nothing has no constants", field="constants")
    elif status == "refuted":
        _must_be(
            proof.statement == wanted.negation, "the certificate proves {got}", field="statement", got=proof.statement
        )
    else:
        _must_be(status == "proved", "the verdict is {got!r} and needs no certificate", field="status", got=status)
        _must_be(
            proof.statement == wanted.name or _implies(proof, wanted, one_size=one_size),
            "the certificate proves {got}, from which {wanted} does not follow",
            field="statement", got=proof.statement, wanted=wanted.name,
        )  # fmt: skip
        _constants_belong(said, proof, wanted)


def _implies(proof: Certificate, wanted: Statement, *, one_size: bool) -> bool:
    """Return whether what a certificate proves implies another statement, for every measure that it may be about."""
    if wanted.across_m and one_size and proof.statement == "opitz_chance_corrected_strictly":
        return True  # with only one number of classes, nothing more is said
    alone = [x for x in IMPLICATIONS if x.premises == (proof.statement,) and x.conclusion == wanted.name]
    return any(x.applies(proof.domain, proof.classes) and not x.defined and not x.scale_invariant for x in alone)


def _constants_belong(said: JsonObject, proof: Certificate, wanted: Statement) -> None:
    """Demand that a verdict states the constants that its certificate proves, by name, or by value if it has one."""
    proved = {name: _constant(text, said["classes"]) for name, text in proof.constants.items()}
    stated = {name: _constant(text, None) for name, text in (said["constants"] or {}).items()}
    same_name = proof.statement == wanted.name
    orders = [[proved.get(x) for x in stated]] if same_name else list(permutations(proved.values()))
    same = len(stated) == len(proved) and any(all(map(_equal, stated.values(), x)) for x in orders)
    _must_be(
        same or (not same_name and not stated), "the verdict states {got}, its certificate proves {proved}",
        field="constants", got=said["constants"], proved=dict(proof.constants),
    )  # fmt: skip
    known = set(wanted.constants) if wanted.kind != TRIVIAL else set(proved)
    _must_be(
        not stated or set(stated) == known, "the constants of {statement} are {known}",
        field="constants", got=sorted(stated), statement=wanted.name, known=", ".join(sorted(known)),
    )  # fmt: skip


def _constant(text: str, m: object) -> str:
    """Return a constant, at a number of classes if it depends on it."""
    return re.sub(r"\bm\b", f"({m})", text) if isinstance(m, int) else text


def _equal(x: str, y: str | None) -> bool:
    """Return whether two texts say the same number, or the same function of the number of classes."""
    ring = Ring(["m"])
    return y is not None and (parsed(ring, x) - parsed(ring, y)).is_zero()
