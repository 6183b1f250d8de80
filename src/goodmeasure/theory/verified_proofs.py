"""Proofs that the kernel accepts: nothing that the search finds reaches a verdict before the kernel has checked it.

A certificate that the kernel refuses shows an error in the search, so it proves nothing: it is dropped, and the verdict
says why. The warning `UnverifiedProof` asks the user to report it.

A proof is about the recorded tree of a measure, from which its values are computed as well. A function that cannot be
recorded is not proved to have any property.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import TypeVar

from goodmeasure.catalogue.family import Family
from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import UnverifiedProof, warn
from goodmeasure.language.policy import Undefined, policy_of
from goodmeasure.language.record import CannotRecord
from goodmeasure.theory.kernel import Refused, check
from goodmeasure.theory.search.prove import prove, prove_by, prove_vacuous
from goodmeasure.theory.statements.certificate import Certificate
from goodmeasure.theory.statements.domain import Domain
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import Witness
from goodmeasure.theory.subject.time_limits import TooSlow, time_limit

PROOF_SECONDS = 120.0  # for one proof, since a user's function may never return and polynomials may grow very large
VERIFY_SECONDS = 120.0  # of CPU time for the check of one certificate, whoever wrote the measure
_REFUSED = "a proof was found, but its verification failed ({}): this is a bug of goodmeasure, please report it"
_OPAQUE = "{} is opaque, so nothing is proved about it: {}"
_SLOW = "a proof was found, but it could not be verified within {:.3g} s"


_Found = TypeVar("_Found")


class VerifiedProofs:
    """The proofs about one measure, or all of a family, on a domain; ``remark`` says why the last attempt failed."""

    def __init__(
        self, measure: Measure | Family, domain: Domain, undefined: Undefined, seconds: float = PROOF_SECONDS
    ) -> None:
        self.measure, self.domain, self.seconds = measure, domain, seconds
        self.foreign = isinstance(measure, Measure) and measure.is_users_own()
        self.undefined = str(policy_of(undefined))
        self.remark = ""
        self.until = inf  # the processor time at which all proofs of a statement are given up

    def of(self, name: str, classes: int | str) -> Certificate | None:
        """Return a certificate of one statement that the kernel accepts, or None."""
        return self._found(lambda: prove(self.measure, statement(name), classes, self.domain.name, self.undefined))

    def of_nothing(self, name: str, classes: int) -> Certificate | None:
        """Return a certificate that the statement is vacuous, or None."""
        of = statement(name)
        return self._found(lambda: prove_vacuous(self.measure, of, classes, self.domain.name, self.undefined))

    def of_example(self, of: Statement, classes: int, example: Witness | None) -> Certificate | None:
        """Return the certificate of class sensitivity: three matrices that show it."""
        assert example is not None
        shown = [[[int(x) for x in row] for row in rows] for rows in example.matrices]
        about = dict(zip(("before", "one", "two"), shown, strict=True))
        return self._found(lambda: prove_by(self.measure, of, classes, self.domain.name, self.undefined, about))

    def why_opaque(self, m: int) -> str:
        """Return why the definition cannot be recorded for m classes, and what to write instead; "" if it can."""
        assert isinstance(self.measure, Measure)
        try:
            self.measure.recorded.tree(m)
        except CannotRecord as refusal:
            return _OPAQUE.format(self.measure.name, refusal)
        except Exception:  # noqa: BLE001 - a user's function of a matrix may raise anything when it is given c
            return ""
        return ""

    def _found(self, find: Callable[[], dict[str, object] | None]) -> Certificate | None:
        return self.checked(self._attempt(find))

    def _attempt(self, find: Callable[[], _Found]) -> _Found | None:
        """Return what an attempt at a proof finds, or None.

        A user's function may never return when it is recorded; that only means that there is no proof.
        """
        limit = self._left(self.seconds)
        if not limit:
            return None
        try:
            with time_limit(limit, lambda: f"a proof about {self.measure.name}"):
                return find()
        except TooSlow as error:
            self.remark = str(error)
            return None
        except (Exception, SystemExit):
            if not self.foreign:
                raise
            return None

    def _left(self, seconds: float) -> float:
        return max(0.0, min(seconds, self.until - time.process_time()))

    def checked(self, data: dict[str, object] | None) -> Certificate | None:
        """Return a certificate if the kernel accepts it; otherwise None, with a remark and a warning."""
        if data is None:
            return None
        limit = self._left(VERIFY_SECONDS)
        try:
            with time_limit(limit, lambda: f"the check of {data['statement']}"):
                check(data)
        except TooSlow:
            self.remark = _SLOW.format(limit)
            return None
        except Refused as refusal:
            self.remark = _REFUSED.format(refusal)
        except Exception as error:
            if not self.foreign:
                raise
            self.remark = _REFUSED.format(f"{type(error).__name__}: {error}")
        else:
            return Certificate(data)
        warn(f"{self.measure.name}, {data['statement']}: {self.remark}", UnverifiedProof)
        return None
