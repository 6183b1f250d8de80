"""Checking that a certificate is about the verdict that carries it, and that an example shows what it should."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from goodmeasure.language.exact.reals import UNDEFINED
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.implications import IMPLICATIONS
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.verify.signs import CertificateError, demand

_SAME = ("measure", "domain", "undefined")


def belongs(verdict: Any, certificate: Certificate) -> None:
    """A verdict and its certificate speak of the same measure, matrices and statement, or of one that implies it."""
    said = verdict if isinstance(verdict, Mapping) else vars(verdict)
    for fact in _SAME:
        mine, theirs = str(said[fact]), str(getattr(certificate, fact))
        demand(mine == theirs, f"the verdict is about the {fact} {mine}, its certificate about {theirs}")
    demand(
        certificate.classes in (said["classes"], "every"),
        f"the verdict is about {said['classes']} classes, its certificate about {certificate.classes}",
    )
    wanted = statement(said.get("property") or said["statement"])
    if said["status"] == "refuted":
        demand(certificate.statement == wanted.negation, f"the certificate proves {certificate.statement}")
        return
    demand(said["status"] == "proved", f"the verdict is {said['status']!r} and needs no certificate")
    for name, value in (said["constants"] or {}).items():
        proved = certificate.constants.get(name, str(value))
        demand(
            str(value) == proved or certificate.classes != said["classes"],
            f"the verdict says {name} = {value}, its certificate {name} = {proved}",
        )
    demand(
        certificate.statement == wanted.name or _implies(certificate, wanted),
        f"the certificate proves {certificate.statement}, from which {wanted.name} does not follow",
    )


def _implies(certificate: Certificate, wanted: Any) -> bool:
    if wanted.across_m and certificate.statement == "opitz_chance_corrected_strictly":
        return certificate.classes == 2  # of a measure for two classes only, which the verdict is about
    return any(
        x.premises == (certificate.statement,) and x.conclusion == wanted.name
        for x in IMPLICATIONS
        if x.applies(certificate.domain, certificate.classes) and not x.defined and not x.scale_invariant
    )


def example(check: Any) -> None:
    """Class sensitivity: one item more, of the same kind but in other classes, gives another value."""
    demand(len(check.certificate.cases) == 1, "an example is one case")
    (case,) = check.certificate.cases
    try:
        before, one, two = (np.array(case[x], dtype=np.int64) for x in ("before", "one", "two"))
    except (KeyError, TypeError, ValueError):
        raise CertificateError("the example lacks its matrices") from None
    shape = (check.m, check.m)
    for x in (before, one, two):
        demand(x.shape == shape and bool((x >= 0).all()), "the example is not about matrices of this many classes")
        demand(bool(check.domain.holds(x)), "a matrix of the example is outside the domain")
    kinds = []
    for x in (one, two):
        added = np.argwhere(x != before)
        demand(len(added) == 1 and bool((x - before).sum() == 1), "the example adds one item")
        kinds.append(bool(added[0][0] == added[0][1]))
    demand(kinds[0] == kinds[1], "one item is right and the other wrong")
    values = [check.measure.exact(x.tolist(), undefined=check.undefined) for x in (before, one, two)]
    demand(all(x is not UNDEFINED for x in values), "a value of the example is undefined")
    demand(bool(values[1] != values[2]), "both items count the same in the example")
