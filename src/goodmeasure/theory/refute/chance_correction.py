"""Counterexamples of chance correction (opitz2024, Property V): best guesses that differ, or that nothing exceeds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import gcd
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.enumeration import compositions
from goodmeasure.theory.kernel.facts import entries
from goodmeasure.theory.refute.refuter import Refuter
from goodmeasure.theory.search.prove import prove_by
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.statement import Statement
from goodmeasure.theory.statements.witness import ClassSizes, MatrixRows, Witness
from goodmeasure.theory.subject.judged_function import EXACT
from goodmeasure.theory.subject.measured_values import MeasuredValue, Subject
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.theory.statements.witness import Exhibit

# The processor time for one attempt to show that no guess reaches a value. The longest attempts that succeed take about
# 4 s, and more if other processes compete for the caches; a limit close to that made verdicts depend on the load.
_PROOF_SECONDS = 15.0
_MANY = 10**6  # how often one class is named that is nearly always named
_OFTEN = ("s", "s + 1", "(s + 1)^2")  # the same as s grows: an entropy comes near its bound more slowly than 1/s


class ChanceBoundRefuter(Refuter):
    """Chance correction: the best guess scores the same for all true class sizes, and less than the best matrix.

    A guess is a matrix a_i b_j / n in which at least one class is predicted. A counterexample needs a proof about all
    guesses, with real predicted sizes (`kernel/kinds/chance.py`): for some true sizes no guess comes near a value
    that a guess reaches for others, or guesses come near a value that no matrix exceeds. ``proof`` holds it. Only the
    true class sizes with the lowest and the highest values of each n are compared, so another pair may be missed.
    """

    def __init__(self, subject: Subject, statement: Statement) -> None:
        super().__init__(subject, statement)
        self.best: dict[ClassSizes, Guess] = {}
        self.near: dict[ClassSizes, Guess] = {}  # guesses that are nearly always one class
        self._tried: set[object] = set()

    def _top(self, best: dict[ClassSizes, Guess]) -> Guess | None:
        """Return the guess with the greatest value."""
        return max(best.values(), key=lambda x: float(x.value), default=None)

    def at(self, n: int) -> Witness | None:
        s = self.subject
        listed = [tuple(map(int, x)) for x in compositions(n, s.m)]
        for a in listed:
            for b in (*listed, a, (1,) * s.m):
                if s.domain.admits(np.array(a), np.array(b)):
                    self._note(self.best, a, b)
        if len(self.best) < 2 or s.caller.how != EXACT:
            return None
        found = self._apart(self.best) or (self._perfect(n) if n > 1 else None) or self._nearly(listed)
        return found or (self._unbounded() if n > 2 else None)

    def _unbounded(self) -> Witness | None:
        """Return a witness if guesses that nearly always name the same class have unbounded values."""
        s = self.subject
        for j in range(s.m):
            rows, farther = (
                independent_of((1,) * s.m, tuple(10**e if k == j else 1 for k in range(s.m))) for e in (6, 12)
            )
            near, far = s.value(rows), s.value(farther)
            if near is None or far is None or float(far) < float(near) + 1:
                continue
            if self._show("unbounded", _nearly_one((1,) * s.m, j, "s")):
                shown = s.exhibit("a guess", rows), s.exhibit("a guess that is more often the same class", farther)
                return Witness(
                    shown,
                    f"true sizes {_proportion((1,) * s.m)}: guesses that are nearly always one class score more than "
                    "any number",
                    s.replay(f"{s.call(farther)} {s.less(False)} {s.call(rows)}"),
                )
        return None

    def _nearly(self, listed: list[ClassSizes]) -> Witness | None:
        """Return a witness among guesses that nearly always name one class, if the domain excludes constant ones."""
        s = self.subject
        for a, j in product(listed, range(s.m)):
            always, nearly = ([many if k == j else few for k in range(s.m)] for many, few in ((1, 0), (_MANY, 1)))
            admitted = [s.domain.admits(np.array(a), np.array(b)) for b in (always, nearly)]
            if admitted == [False, True]:
                self._note(self.near, a, tuple(nearly))
        return self._apart(self.near) if len(self.near) > 1 else None

    def _note(self, best: dict[ClassSizes, Guess], a: ClassSizes, b: ClassSizes) -> None:
        value = self.subject.value(independent_of(a, b))
        if value is None:
            return
        self.seen += 1
        if self.subject.measure.scale_invariant:
            a = tuple(x // gcd(*a) for x in a)
        if a not in best or self.subject.order(value, best[a].value) == 1:
            best[a] = Guess(a, b, value)

    def _apart(self, best: dict[ClassSizes, Guess]) -> Witness | None:
        """Return a witness if for some true class sizes all guesses provably stay below a value that others reach."""
        top = self._top(best)
        assert top is not None
        for low in sorted(best.values(), key=lambda x: float(x.value))[:3]:
            if self.subject.order(low.value, top.value) != -1:
                break
            bounds = list[dict[str, object]]([{}] if _MANY in low.predicted else [])  # what the guess comes near
            gap = float(top.value) - float(low.value)
            for part in (0.5, 0.9):
                middle = _simple(float(low.value) + part * gap, gap / 20)
                bounds.append({"most": str(self.subject.turn * middle)})
            for said, bound in product(_said(top), bounds):
                if self._show("apart", {**said, "other": list(low.true), **bound}):
                    return self._two(top, low)
        return None

    def _show(self, by: str, about: dict[str, object]) -> bool:
        """Return whether a proof was found, and keep it; each is tried once."""
        key, s = (by, str(about)), self.subject
        if key in self._tried:
            return False
        self._tried.add(key)
        until = min(self.until, time.process_time() + _PROOF_SECONDS)
        try:
            self.proof = prove_by(
                s.measure, statement(self.statement.negation), s.m, s.domain.name, str(s.policy), about, by=by,
                until=until,
            )  # fmt: skip
        except Exception:  # a user's function may raise anything when it is recorded
            if not s.caller.foreign:
                raise
        return self.proof is not None

    def _two(self, top: Guess, low: Guess) -> Witness:
        s = self.subject
        rows, other = independent_of(top.true, top.predicted), independent_of(low.true, low.predicted)
        shown = s.exhibit("a guess", rows), s.exhibit("the best guess seen for other true sizes", other)
        return Witness(
            shown,
            f"true sizes {_proportion(top.true)}: a guess scores {shown[0].value}; true sizes {_proportion(low.true)}: "
            "no guess does",
            s.replay(self._typed(low.true, rows)),
        )

    def _perfect(self, n: int) -> Witness | None:
        """Return a witness if guesses come arbitrarily close to a value that no matrix exceeds."""
        top = self._top(self.best)
        assert top is not None
        highest = max((np.nanmax(x) for k in range(1, n + 1) if len(x := self._known(k))), default=float("inf"))
        if highest <= float(top.value) + 1e-9 and self._show("perfect", next(_said(top))):
            rows = independent_of(top.true, top.predicted)
            shown = self.subject.exhibit("a guess", rows)
            return self._best(shown, f"a guess for true sizes {_proportion(top.true)} scores {shown.value}", rows)
        m = self.subject.m
        for j, often in product(range(m if n > 2 else 0), _OFTEN):
            if self._show("perfect", _nearly_one((1,) * m, j, often)):
                sizes = tuple(10**12 if k == j else 1 for k in range(self.subject.m))
                rows = independent_of((1,) * self.subject.m, sizes)
                assert self.proof is not None
                near = entries(self.proof["about"])["bound"]
                shown = self.subject.exhibit("a guess", rows)
                return self._best(shown, f"guesses come arbitrarily close to {near}", rows)
        return None

    def _known(self, n: int) -> Array:
        values = self.subject.listed(n).values
        return values[np.isfinite(values)]

    def _best(self, shown: Exhibit, says: str, rows: MatrixRows) -> Witness:
        s, m = self.subject, self.subject.m
        right = tuple(tuple(int(i == j) for j in range(m)) for i in range(m))
        perfect = s.value(right)
        same = perfect is not None and abs(float(s.own(perfect)) - shown.number) < 1e-6
        best = s.call(right) if same else repr(round(shown.number, 10))  # the perfect matrix need not be the best
        return Witness(
            (shown,),
            f"{says}, and no matrix scores better",
            s.replay(f"abs({s.call(rows)} - {best}) > 1e-8"),
        )

    def _typed(self, true: ClassSizes, rows: MatrixRows) -> str:
        """Return a line of Python that looks for an equally good guess on a grid of predicted class sizes."""
        s = self.subject
        guess = s.caller.typed(f"[[F(x * y, sum(b)) for y in b] for x in {true}]")
        grid = f"__import__('itertools').product(range(1, 9), repeat={s.m})"
        return f"any({s.call(rows)} {s.less(False)} {guess} for b in {grid})"


@dataclass(frozen=True)
class Guess:
    """A guess with its value (turned so that higher is better): true sizes, and predicted sizes."""

    true: ClassSizes
    predicted: ClassSizes
    value: MeasuredValue


def _simple(x: float, within: float) -> Fraction:
    """Return a fraction near a number: logarithms are compared with it by powers as high as what it is made of."""
    near = (Fraction(x).limit_denominator(k) for k in range(1, 1000))
    return next((y for y in near if abs(y - x) <= within), Fraction(x).limit_denominator(1000))


def _said(guess: Guess) -> Iterator[dict[str, object]]:
    """Yield what a certificate says of a guess; of one that is nearly always one class, with a share that grows."""
    if _MANY not in guess.predicted:
        yield {"true": list(guess.true), "shares": [str(x) for x in guess.predicted]}
    else:
        yield from (_nearly_one(guess.true, guess.predicted.index(_MANY), often) for often in _OFTEN)


def _nearly_one(true: ClassSizes, j: int, often: str) -> dict[str, object]:
    """Return what a certificate says of guesses that nearly always name class j."""
    return {"true": list(true), "shares": [often if k == j else "1" for k in range(len(true))]}


def independent_of(a: ClassSizes, b: ClassSizes) -> MatrixRows:
    """Return the matrix with true sizes a and predicted sizes proportional to b, without any dependence."""
    cells = [[Fraction(x * y, sum(b)) for y in b] for x in a]
    return tuple(tuple(x.numerator if x.denominator == 1 else x for x in row) for row in cells)


def _proportion(a: ClassSizes) -> str:
    return f"({', '.join(map(str, a))})"
