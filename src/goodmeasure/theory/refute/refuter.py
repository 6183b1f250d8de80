"""The base class of all searches for a counterexample, and the constants that they compare values with."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Generic, TypeVar

import numpy as np

from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import MatrixRows, WholeRows, Witness
from goodmeasure.theory.subject.measured_values import TOLERANCE, MeasuredValue, Subject
from goodmeasure.typing import Array

_On = TypeVar("_On")


class Refuter(ABC):
    """A search for a counterexample of one statement; ``at(n)`` is called for n = 1, 2, 3, … in this order."""

    def __init__(self, subject: Subject, statement: Statement) -> None:
        self.subject, self.statement = subject, statement
        self.n: int | None = None  # the size of the witness, where it is smaller than the n at which it is returned
        self.until = float("inf")  # the processor time at which a long search within one n gives up
        self.proof: dict[str, object] | None = None  # a certificate, where a counterexample needs a proof
        self.seen = 0  # the number of cases examined; 0 means that the statement concerns nothing in the domain

    @abstractmethod
    def at(self, n: int) -> Witness | None:
        """Return a counterexample with n items, or None, given that there is none with fewer items."""

    def on(self, rows: WholeRows) -> Witness | None:
        """Return a counterexample that one matrix is part of, or None; ``n`` says its number of items.

        Statements about all predictions for a test set are not searched in this way.
        """
        return None

    @property
    def constants(self) -> dict[str, MeasuredValue]:
        """Return the constants of the statement, as far as they are known, in the measure's own sign."""
        return {}

    @property
    def scope(self) -> str:
        """Return which cases were examined, in words, where they are not all that the statement speaks of."""
        return ""

    def late(self) -> bool:
        """Return whether the time is up; the rest of this n then counts as undecided."""
        if time.process_time() < self.until:
            return False
        self.subject.undecided += 1
        return True

    def equal(self, x: MatrixRows, y: MatrixRows) -> bool | None:
        """Return whether the values on two matrices are equal; None if one is undefined or nothing decides it."""
        one, two = self.subject.value(x), self.subject.value(y)
        if one is None or two is None:
            return None
        order = self.subject.order(one, two)
        return None if order is None else order == 0


class Reference(Generic[_On]):
    """A constant that a statement claims to exist, represented by the first value that was seen.

    "There is a constant c with M = c in all these cases" is violated as soon as two cases differ, and the first case
    together with the first one that differs from it is a counterexample. So no value of c has to be guessed.
    """

    def __init__(self) -> None:
        self.value: MeasuredValue | None = None
        self.number = float("nan")
        self.on: _On  # where it was seen, as each kind of statement remembers it

    def differs(self, subject: Subject, value: MeasuredValue, on: _On) -> bool:
        """Return whether a value provably differs from the first one; the first call stores its value."""
        if self.value is None:
            self.value, self.number, self.on = value, float(value), on
            return False
        return subject.order(value, self.value) not in (0, None)


def tolerance(values: Array) -> Array:
    """Return how close two floats of this size must be to be compared again in exact arithmetic."""
    return np.asarray(TOLERANCE * np.maximum(1.0, np.abs(values)))


def by_size(gaps: Array) -> Array:
    """Return an order that puts the largest violations first.

    Gaps are rounded to six digits and the sort is stable, so the order does not depend on the last bits of the floats.
    """
    return np.argsort(np.round(gaps, 6), kind="stable")
