"""Certificates with one case changed, and the demand that they are refused."""

from dataclasses import replace

import pytest

import goodmeasure as gm
from goodmeasure.exceptions import CertificateError


def refused(certificate, why=None):
    """Demand that a certificate is refused."""
    with pytest.raises(CertificateError, match=why):
        gm.verify(certificate)


def changed(certificate, where, **fields):
    """Return a certificate with one case changed; fields of its proof are changed in the proof."""
    cases = list(certificate.cases)
    k = next(k for k, x in enumerate(cases) if where(x))
    cases[k] = {**cases[k], **fields}
    return replace(certificate, cases=tuple(cases))
