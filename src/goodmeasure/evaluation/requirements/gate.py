"""The outcomes of requirements: one for each, and the gate, which passes if all of them are met."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import overload

from goodmeasure.documents import JsonDocument
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.exceptions import GoodmeasureError, InputError

LIKELY = 0.8  # the probability with which a test shall find what it is made for, as in `plan`
_NORMAL = NormalDist()
_MOST_DIGITS = 12


@dataclass(frozen=True)
class RequiredScore:
    """A value that a requirement is about, with its interval; the names are those of the result."""

    measure: str
    system: str | None  # None if there is only one
    slice: str | None
    label: str | None
    value: float
    low: float = math.nan
    high: float = math.nan
    reason: str | None = None  # why the value is undefined or has no interval
    orientation: str = "higher"
    range: tuple[float, float] | None = None


@dataclass(frozen=True)
class RequirementOutcome:
    """Whether one requirement is met, by which value, and how much that says.

    `found` says in words what was found, and `strength` how likely a worse system would have passed too, or how good a
    system has to be to pass. `p` is the p-value of a comparison with a baseline, None for other requirements.
    """

    requirement: str
    met: bool
    measure: str
    system: str | None
    slice: str | None
    label: str | None
    value: float
    low: float
    high: float
    found: str
    strength: str = ""
    p: float | None = None

    @property
    def line(self) -> str:
        """Return the requirement and what was found, on one line."""
        return f"{self.requirement}: {self.found}"


class RequirementNotMet(GoodmeasureError, AssertionError):  # noqa: N818 - a name of the contract
    """A result does not meet what was required of it; there is a line for each requirement that is not met.

    ``gate`` has the outcomes of all requirements, ``outcomes`` those that are not met, and ``lines`` these in words.
    """

    __module__ = "goodmeasure"

    def __init__(self, gate: Gate) -> None:
        self.gate, self.outcomes, self.lines = gate, gate.unmet, tuple(x.line for x in gate.unmet)
        many = len(self.lines)
        super().__init__(
            "{count} not met:{lines}", argument="requirements", got=tuple(x.value for x in self.outcomes),
            count="1 requirement is" if many == 1 else f"{many} requirements are",
            lines="".join(f"\n  {line}" for line in self.lines),
        )  # fmt: skip
        self.expected = "; ".join(x.requirement for x in self.outcomes)


@dataclass(frozen=True, repr=False)
class Gate(JsonDocument, Sequence[RequirementOutcome]):
    """The outcomes of all requirements; it is true if all of them are met."""

    kind = "requirements"
    derived = ("met",)

    outcomes: tuple[RequirementOutcome, ...]
    confidence: float | None = 0.95
    notes: tuple[str, ...] = field(default=())

    @property
    def met(self) -> bool:
        """Return whether every requirement is met."""
        return all(x.met for x in self.outcomes)

    @property
    def unmet(self) -> tuple[RequirementOutcome, ...]:
        """Return the outcomes of the requirements that are not met."""
        return tuple(x for x in self.outcomes if not x.met)

    def check(self) -> Gate:
        """Return the gate itself if every requirement is met, and raise `RequirementNotMet` otherwise."""
        if not self.met:
            raise RequirementNotMet(self)
        return self

    def joined(self, other: Gate) -> Gate:
        """Return a gate with the outcomes of both."""
        return Gate((*self.outcomes, *other.outcomes), self.confidence, (*self.notes, *other.notes))

    def __bool__(self) -> bool:
        return self.met

    def __len__(self) -> int:
        return len(self.outcomes)

    @overload
    def __getitem__(self, k: int) -> RequirementOutcome: ...

    @overload
    def __getitem__(self, k: slice) -> tuple[RequirementOutcome, ...]: ...

    def __getitem__(self, k: int | slice) -> RequirementOutcome | tuple[RequirementOutcome, ...]:
        return self.outcomes[k]

    def __iter__(self) -> Iterator[RequirementOutcome]:
        return iter(self.outcomes)

    def __repr__(self) -> str:
        return "\n".join([*(f"{'met' if x.met else 'NOT MET'}: {x.line}" for x in self.outcomes), *self.notes])


def judged(
    asked: Requirement, scores: Sequence[RequiredScore], confidence: float | None, confident: bool
) -> list[RequirementOutcome]:
    """Return the outcome of a requirement for each score that it is about."""
    if confident and asked.sign == "==":
        raise InputError(
            "{requirement!r} cannot be required with confidence", argument="confident", requirement=str(asked),
            advice="no interval lies in a single number; use >= or <=",
        )  # fmt: skip
    if confident and confidence is None:
        raise InputError("{confident} needs intervals", advice="give {confidence:=0.95}")
    return [_judged(asked, score, confidence, confident) for score in scores]


def _judged(asked: Requirement, score: RequiredScore, confidence: float | None, confident: bool) -> RequirementOutcome:
    end = score.low if asked.wants_high else score.high
    met = asked.holds(end if confident else score.value)
    name = requirement_text(asked, score)
    required = f"{name} with {100 * confidence:.12g}% confidence" if confident and confidence is not None else name
    found = _found(asked, score, confidence, confident)
    strength = "" if confidence is None else _strength(asked, score, confidence, confident)
    where = (score.measure, score.system, score.slice, score.label)
    return RequirementOutcome(required, met, *where, score.value, score.low, score.high, found, strength)


def requirement_text(asked: Requirement, score: RequiredScore) -> str:
    """Return the requirement as it applies to one system, class and slice."""
    inside = [x for x in (score.label, None if score.slice is None else f"slice={score.slice}") if x is not None]
    who = "" if score.system is None else f"{score.system}: "
    where = f"[{', '.join(inside)}]" if inside else ""
    return f"{who}{score.measure}{where} {asked.sign} {asked.bound:.12g}"


def _found(asked: Requirement, score: RequiredScore, confidence: float | None, confident: bool) -> str:
    if math.isnan(score.value):
        return "it is undefined" if score.reason is None else f"it is undefined ({score.reason})"
    value = number_text(score.value, asked.bound)
    if confidence is None or math.isnan(score.low):
        missing = f", and has no interval{f' ({score.reason})' if score.reason else ''}" if confident else ""
        return f"it is {value}{missing}{_direction(asked, score)}"
    low, high = (number_text(x, asked.bound) for x in (score.low, score.high))
    level = f"{100 * confidence:.12g}% confidence interval {low} to {high}"
    return f"it is {value} ({level}){_direction(asked, score)}"


def _direction(asked: Requirement, score: RequiredScore) -> str:
    """Return a remark if a requirement asks for bad values, which is most likely a mistake."""
    wrong = asked.wants_high if score.orientation == "lower" else asked.wants_low and score.orientation == "higher"
    return f"; note that {score.measure} is better when {score.orientation}" if wrong else ""


def number_text(x: float, other: float) -> str:
    """Return a number with three decimals, or with as many as it takes to differ from another number.

    >>> number_text(0.7996, 0.8), number_text(0.79999, 0.8), number_text(0.8, 0.8), number_text(2 / 3, 0.8)
    ('0.7996', '0.79999', '0.800', '0.667')
    """
    digits = next((d for d in range(3, _MOST_DIGITS) if round(x, d) != round(other, d)), 3)
    return f"{x:.{digits}f}" if x == x and abs(x) < 1e6 else f"{x:.4g}"


def standard_error(low: float, high: float, confidence: float) -> float:
    """Return the standard error that the width of an interval stands for."""
    return (high - low) / (2 * _NORMAL.inv_cdf(0.5 + confidence / 2))


def _strength(asked: Requirement, score: RequiredScore, confidence: float, confident: bool) -> str:
    """Return how strong the evidence is: which true value would still pass, with which probability.

    The value is taken as normal around the true one, with the standard error that its interval has.
    """
    error = standard_error(score.low, score.high, confidence)
    if not math.isfinite(error) or asked.sign == "==":
        return ""
    better = 1 if asked.wants_high else -1
    least, most = score.range or (-math.inf, math.inf)
    if confident:
        reach = (_NORMAL.inv_cdf(0.5 + confidence / 2) + _NORMAL.inv_cdf(LIKELY)) * error
        needed = asked.bound + better * reach
        if not least <= needed <= most:
            return f"so few items that no system would pass with {LIKELY:.0%} probability"
        return f"a true value of {needed:.3f} would pass with {LIKELY:.0%} probability"
    enough = min(max(asked.bound - better * _NORMAL.inv_cdf(LIKELY) * error, least), most)
    return f"a true value of {enough:.3f} would still pass with {1 - LIKELY:.0%} probability"
