"""Proofs that the verifier accepts: nothing that the prover finds reaches a verdict before it is verified.

The prover is large and searches; the verifier is small and checks. A certificate that the verifier refuses shows an
error in one of the two, so it proves nothing: it is dropped, and the verdict says why. The warning
`UnverifiedProof` asks the user to report it.

A proof about a user's function is believed only if its code asks for no types and the formula that was read is what the
function computes with numbers (`prove/symbols_and_numbers.py`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import CertificateError, UnverifiedProof, warn
from goodmeasure.language.policy import Undefined, policy_of
from goodmeasure.theory.prove.proof import prove, prove_says_nothing
from goodmeasure.theory.prove.symbols_and_numbers import reads_as_numbers
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit
from goodmeasure.theory.verify.foreign_code import asks_for_types
from goodmeasure.theory.verify.verify import verify

PROOF_SECONDS = 120.0  # for one proof, since a user's function may never return and polynomials may grow very large
VERIFY_SECONDS = 120.0  # of CPU time for the check of one certificate, whoever wrote the measure
_REFUSED = "a proof was found, but its verification failed ({}): this is a bug of goodmeasure, please report it"
_OTHERWISE = "a proof was found for the formula that {} gives for symbols, but with numbers it computes something else"
_ASKS = "{} uses {!r}, which reveals more about a count than the language of c does, so nothing is proved about it"
_SLOW = f"a proof was found, but it could not be verified within {VERIFY_SECONDS:g} s"


_Found = TypeVar("_Found")


class VerifiedProofs:
    """The proofs of statements about one measure on a domain; ``remark`` says why the last attempt failed."""

    def __init__(self, measure: Measure, domain: Domain, undefined: Undefined, seconds: float = PROOF_SECONDS) -> None:
        self.measure, self.domain, self.undefined, self.seconds = measure, domain, undefined, seconds
        self.remark = ""
        self._honest: dict[tuple[int, str], bool] = {}

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

    def _verified(self, find: Callable[[], Certificate | None]) -> Certificate | None:
        found = self._attempt(find)
        if found is None:
            return None
        asked = asks_for_types(self.measure.function) if self.measure.is_users_own() and found.cases else ""
        if asked:
            self.remark = _ASKS.format(self.measure.name, asked)
            return None
        if self.measure.is_users_own() and not self._reads_as_numbers(found):
            self.remark = _OTHERWISE.format(self.measure.name)
            return None
        return self.checked(found)

    def _reads_as_numbers(self, certificate: Certificate) -> bool:
        """Return whether a user's function does the same with symbols and with numbers, as far as is tried."""
        if certificate.vacuous and not certificate.cases:
            return True  # nothing was read
        return all(self._is_honest(m, certificate.undefined) for m in _sizes(certificate))

    def _is_honest(self, m: int, undefined: str) -> bool:
        key = m, undefined
        if key not in self._honest:
            policy = policy_of(undefined if undefined in ("resolve", "nan") else float(undefined))
            found = self._attempt(lambda: reads_as_numbers(self.measure, m, policy))
            self._honest[key] = bool(found)
        return self._honest[key]

    def _attempt(self, find: Callable[[], _Found]) -> _Found | None:
        """Return what an attempt at a proof finds, or None.

        A user's function may raise anything, or never return, when it is called with symbols instead of numbers; that
        only means that there is no proof.
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


def _sizes(certificate: Certificate) -> tuple[int, ...]:
    """Return the numbers of classes for which a certificate was read, or the smallest of them."""
    return (2, 3) if certificate.classes == "every" else (int(certificate.classes),)
