"""Proofs that the verifier accepts: nothing that the prover finds reaches a verdict before it is verified.

The prover is large and searches; the verifier is small and checks. A certificate that the verifier refuses shows an
error in one of the two, so it proves nothing: it is dropped, and the verdict says why. The warning
`UnverifiedProof` asks the user to report it.

A proof is about the recorded tree of a measure, from which its values are computed as well. A function that cannot be
recorded is not proved to have any property.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import CertificateError, UnverifiedProof, warn
from goodmeasure.language.policy import Undefined
from goodmeasure.language.record import CannotRecord
from goodmeasure.theory.prove.proof import prove, prove_says_nothing
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit
from goodmeasure.theory.verify.verify import verify

PROOF_SECONDS = 120.0  # for one proof, since a user's function may never return and polynomials may grow very large
VERIFY_SECONDS = 120.0  # of CPU time for the check of one certificate, whoever wrote the measure
_REFUSED = "a proof was found, but its verification failed ({}): this is a bug of goodmeasure, please report it"
_OPAQUE = "{} is opaque, so nothing is proved about it: {}"
_SLOW = f"a proof was found, but it could not be verified within {VERIFY_SECONDS:g} s"


_Found = TypeVar("_Found")


class VerifiedProofs:
    """The proofs of statements about one measure on a domain; ``remark`` says why the last attempt failed."""

    def __init__(self, measure: Measure, domain: Domain, undefined: Undefined, seconds: float = PROOF_SECONDS) -> None:
        self.measure, self.domain, self.undefined, self.seconds = measure, domain, undefined, seconds
        self.remark = ""

    def of(self, name: str, classes: int | str, constants: Mapping[str, object] | None = None) -> Certificate | None:
        """Return a verified certificate of one statement, or None."""
        return self._verified(
            lambda: prove(
                self.measure,
                name,
                classes=classes,
                domain=self.domain,
                undefined=self.undefined,
                constant=constants,
            )
        )

    def of_nothing(self, name: str, classes: int, *, readable: bool) -> Certificate | None:
        """Return a verified certificate that a statement is vacuous, or None."""
        return self._verified(
            lambda: prove_says_nothing(
                self.measure,
                name,
                classes=classes,
                domain=self.domain,
                undefined=self.undefined,
                readable=readable,
            )
        )

    def why_opaque(self, m: int) -> str:
        """Return why the definition cannot be recorded for m classes, and what to write instead; "" if it can."""
        try:
            self.measure.recorded.tree(m)
        except CannotRecord as refusal:
            return _OPAQUE.format(self.measure.name, refusal)
        except Exception:  # noqa: BLE001 - a user's function of a matrix may raise anything when it is given c
            return ""
        return ""

    def _verified(self, find: Callable[[], Certificate | None]) -> Certificate | None:
        found = self._attempt(find)
        if found is None:
            return None
        return self.checked(found)

    def _attempt(self, find: Callable[[], _Found]) -> _Found | None:
        """Return what an attempt at a proof finds, or None.

        A user's function may never return when it is recorded; that only means that there is no proof.
        """
        foreign = self.measure.is_users_own()
        try:
            with time_limit(self.seconds, lambda: f"a proof about {self.measure.name}"):
                return find()
        except TooSlow as error:
            self.remark = str(error)
            return None
        except (Exception, SystemExit):
            if not foreign:
                raise
            return None

    def checked(self, certificate: Certificate) -> Certificate | None:
        """Return a certificate if the verifier accepts it; otherwise None, with a remark and a warning."""
        foreign, start = self.measure.is_users_own(), time.process_time()
        try:
            with time_limit(2 * VERIFY_SECONDS, lambda: f"the check of {certificate.statement}"):
                verify(certificate, measure=self.measure, seconds=VERIFY_SECONDS)
            return certificate
        except TooSlow:
            self.remark = _SLOW
            return None
        except CertificateError as error:
            if time.process_time() - start >= VERIFY_SECONDS:  # then this is what the error says
                self.remark = _SLOW
                return None
            self.remark = _REFUSED.format(error)
        except (Exception, SystemExit) as error:
            if not foreign:
                raise
            self.remark = _REFUSED.format(f"{type(error).__name__}: {error}")
        warn(f"{self.measure.name}, {certificate.statement}: {self.remark}", UnverifiedProof)
        return None
