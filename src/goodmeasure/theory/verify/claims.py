"""Read what is handed to `gm.verify`: a certificate in one of its forms, and the measure that it is about."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from goodmeasure.theory.algebra.open_exponent import open_measure
from goodmeasure.theory.statements.certificate import Certificate, definition_of
from goodmeasure.theory.subject.time_limits import TooSlow
from goodmeasure.theory.verify.signs import CertificateError, demand
from goodmeasure.theory.verify.verdicts import belongs


@contextmanager
def readable(proof: Any) -> Iterator[None]:
    """Turn every error while a certificate is read into a `CertificateError`: what cannot be read proves nothing."""
    if not isinstance(proof, (str, Mapping)) and not hasattr(proof, "certificate") and not hasattr(proof, "cases"):
        raise TypeError(f"{proof!r} is not a verdict, a certificate, or its JSON")
    try:
        yield
    except (CertificateError, TooSlow):
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise CertificateError(f"the certificate cannot be read: {type(error).__name__}: {error}") from None


def certificate_of(proof: Any) -> Certificate:
    """Return the certificate of a verdict, of plain data, or of JSON text; a verdict must fit its certificate."""
    if isinstance(proof, Certificate):
        return proof
    if hasattr(proof, "certificate") and hasattr(proof, "status"):
        demand(proof.certificate is not None, _without(proof.status))
        certificate = certificate_of(proof.certificate)
        belongs(proof, certificate)
        return certificate
    if isinstance(proof, Mapping) and "certificate" in proof:
        demand(proof["certificate"] is not None, _without(proof.get("status")))
        certificate = certificate_of(proof["certificate"])
        belongs(proof, certificate)
        return certificate
    try:
        data = json.loads(proof) if isinstance(proof, str) else proof
        return certificate_of(data) if "certificate" in data else Certificate.from_json(data)
    except CertificateError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise CertificateError(f"this is no certificate: {error}") from None


def _without(status: Any) -> str:
    more = ": its witness can be replayed, see .witness" if status == "refuted" else ""
    return f"the verdict is {status!r} and has no certificate{more}"


def measure_of(certificate: Certificate, measure: Any) -> Any:
    """Return the measure that a certificate is about, after demanding that its name and definition are the same."""
    from goodmeasure.catalogue.measure import as_measure
    from goodmeasure.catalogue.names import measure as named

    hint = "" if measure is not None else "; a measure of your own is given as gm.verify(…, measure=…)"
    if measure is None:
        measure = open_measure(certificate.measure)
    if measure is None:
        try:
            measure = named(certificate.measure)
        except ValueError as error:
            raise CertificateError(f"{error}{hint}") from None
    known = as_measure(measure)
    demand(
        known.name == certificate.measure, f"the certificate is about {certificate.measure}, not {known.name}" + hint
    )
    demand(
        definition_of(known) == certificate.definition,
        f"the definition of {known.name} is not the one that the certificate is about" + hint,
    )
    return known
