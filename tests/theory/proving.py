"""Proofs for tests: the certificate of a statement by its name, or None."""

from __future__ import annotations

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import as_measure
from goodmeasure.theory.search import prove as searching
from goodmeasure.theory.statements import lookup
from goodmeasure.theory.statements.certificate import Certificate


def prove(measure, name, *, classes=2, domain="all", undefined="resolve", seconds=None):
    """The certificate of a statement about a measure, or about all measures of a family; or None."""
    of = measure if isinstance(measure, Family) else as_measure(measure)
    found = searching.prove(of, lookup.statement(name), classes, domain, str(undefined), seconds)
    return None if found is None else Certificate(found)


def changed(certificate, **fields):
    """The same certificate with other fields."""
    return Certificate({**certificate.data, **fields})
