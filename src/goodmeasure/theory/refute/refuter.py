"""What every search for a counterexample shares: it goes up n by n, and remembers what it has seen."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import Rows, Witness
from goodmeasure.theory.subject.values import TOLERANCE, Subject
from goodmeasure.typing import Array


class Refuter(ABC):
    """Searches for a counterexample of one statement; ``at(n)`` is called for n = 1, 2, 3, …"""

    def __init__(self, subject: Subject, statement: Statement) -> None:
        self.subject, self.statement = subject, statement
        self.n: int | None = None  # the size of a witness that was found before it counted
        self.until = float("inf")  # the processor time at which a search that takes long within one n gives up
        self.seen = 0  # how many cases were looked at; 0 means that nothing in the domain is concerned

    @abstractmethod
    def at(self, n: int) -> Witness | None:
        """A counterexample with n items, given that there is none with fewer."""

    @property
    def constants(self) -> dict[str, Any]:
        """The constants that the statement says to exist, as far as they are seen: in the measure's own sign."""
        return {}

    def late(self) -> bool:
        """Whether the time is over; what is left of this n is then undecided."""
        if time.process_time() < self.until:
            return False
        self.subject.undecided += 1
        return True

    def equal(self, x: Rows, y: Rows) -> bool | None:
        """Whether the values on two matrices are the same; None where one is undefined or it is undecided."""
        one, two = self.subject.value(x), self.subject.value(y)
        if one is None or two is None:
            return None
        order = self.subject.order(one, two)
        return None if order is None else order == 0


class Reference:
    """A constant that a statement says to exist: the first value seen, with what it was seen on."""

    def __init__(self) -> None:
        self.value: Any = None
        self.number = float("nan")
        self.on: Any = None

    def differs(self, subject: Subject, value: Any, on: Any) -> bool:
        """Whether a value differs from the first one; the first value itself does not."""
        if self.value is None:
            self.value, self.number, self.on = value, float(value), on
            return False
        return subject.order(value, self.value) not in (0, None)


def tolerance(values: Array) -> Array:
    """How near two floats of this size must be to be compared exactly."""
    return np.asarray(TOLERANCE * np.maximum(1.0, np.abs(values)))


def by_size(gaps: Array) -> Array:
    """An order that looks at the plainest violations first, and does not depend on rounding."""
    return np.argsort(np.round(gaps, 6), kind="stable")
