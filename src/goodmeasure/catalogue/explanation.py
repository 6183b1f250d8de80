"""Explaining a value in words: the formula, the numbers put in, the rules that acted, chance level and range."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from goodmeasure.catalogue import running
from goodmeasure.catalogue.chance import Chance, chance_level
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.catalogue.signature import signature
from goodmeasure.catalogue.zero_divisions import said_of
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import Policy
from goodmeasure.language.print.unicode_formulas import plain_text
from goodmeasure.language.record import CannotRecord

if TYPE_CHECKING:
    from goodmeasure.catalogue.family import Family
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

_LONGEST = 400


@dataclass(frozen=True)
class Explanation:
    """All there is to say about one value; print it to read it."""

    measure: Measure
    value: float
    formula: str
    worked: str
    notes: tuple[str, ...]
    chance: Chance
    range: tuple[float, float] | None
    signature: str

    def __str__(self) -> str:
        lines = [
            f"{self.measure.title} ({self.measure.name}) = {number(self.value)}",
            f"  formula    {self.formula}",
            f"  numbers    {self.worked}",
        ]
        lines += [f"  rule       {note}" for note in self.notes] or ["  rule       no zero division occurred"]
        lines += [
            f"  chance     {self.chance}",
            f"  range      {range_text(self.measure, self.range)}",
            f"  signature  {self.signature}",
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data."""
        return {
            "measure": self.measure.name,
            "value": None if math.isnan(self.value) else self.value,
            "formula": self.formula,
            "worked": self.worked,
            "notes": list(self.notes),
            "chance": None if math.isnan(self.chance.value) else self.chance.value,
            "chance_how": self.chance.how,
            "range": range_data(self.range),
            "signature": self.signature,
        }


def explanation(measure: Measure, cm: ConfusionMatrix, policy: Policy) -> Explanation:
    """Return the explanation of the value of a measure on one matrix."""
    if cm.batch:
        raise InputError(
            "explain takes one matrix, but got a batch of shape {batch}", batch=cm.batch, advice="pick one of them"
        )
    value = measure(cm, undefined=policy)
    try:
        steps, notes = running.worked(measure.recorded, cm.counts.tolist(), policy)
        shown = steps.text if len(steps.text) <= _LONGEST else steps.text[: _LONGEST - 1] + "…"
    except OverflowError:
        shown, notes = "numbers too large to write out", []
    return Explanation(
        measure,
        value,
        _formula(measure),
        f"{shown} = {number(value)}" if shown != "undefined" else shown,
        tuple(said_of(measure, cm, notes)),
        chance_level(measure, cm, policy),
        measure.range_for(cm.counts.shape[-1]),
        signature(measure, cm, policy),
    )


def _formula(measure: Measure) -> str:
    try:
        return measure.formula
    except CannotRecord as error:
        return f"no printed formula: {error}"


def number(x: float) -> str:
    """Return a value as text with six significant digits, or "undefined"."""
    return "undefined" if math.isnan(x) else f"{x:.6g}"


def range_text(measure: Measure | ScoreMeasure, ends: tuple[float, float] | None = None) -> str:
    """Return the range and the orientation in words; ``ends`` is the range where the number of classes is known."""
    direction = {LOWER: "lower is better", NEITHER: "neither higher nor lower is better"}.get(
        measure.orientation, "higher is better"
    )
    ends = measure.range if ends is None else ends
    if ends is None:
        return f"not known; {direction}"
    low, high = (end_text(x) for x in ends)
    return f"{low} … {high}; {direction}"


def end_text(x: float) -> str:
    return ("∞" if x > 0 else "−∞") if math.isinf(x) else f"{x:.6g}".replace("-", "−")


def range_data(ends: tuple[float, float] | None) -> list[float | None] | None:
    """Return a range as JSON can hold it, with None for an infinite end."""
    return None if ends is None else [x if math.isfinite(x) else None for x in ends]


def help_text(measure: Measure) -> str:
    """Return what ``help(gm.mcc)`` prints."""
    lines = [f"{measure.title}{': ' + measure.about if measure.about else ''}.", ""]
    try:
        lines.append(f"Formula: {plain_text(measure.formula)}")
        lines.append(f"LaTeX: {measure.formula}")
    except CannotRecord as error:
        lines.append(f"Formula: not printable ({error})")
    lines.append(f"Range: {range_text(measure)}.")
    lines.append(f"Classes: {'two; the positive class is the last' if measure.classes == 2 else 'any number'}.")
    if measure.aliases:
        lines.append(f"Also known as: {', '.join(measure.aliases)}.")
    if measure.cite:
        lines += textwrap.wrap(f"Source: {measure.citation}", 100)
    lines += ["", f"Call it on a confusion matrix or on labels: {measure.name}(cm), {measure.name}(y_true, y_pred)."]
    return "\n".join(lines)


def help_text_of_family(family: Family) -> str:
    """Return what ``help(gm.fbeta)`` prints."""
    usual = [family(**chosen).name for chosen in family.usual]
    lines = [
        f"{family.title}: {family.about}.",
        "",
        f"Choose {', '.join(family.signature.parameters)} first: {family.example}(cm).",
        f"Formula: {plain_text(family.formula)}",
        f"LaTeX: {family.formula}",
        f"Range: {range_text(family(**family.usual[0]))}.",
        f"Often used: {', '.join(usual)}.",
    ]
    if family.aliases:
        lines.append(f"Also known as: {', '.join(family.aliases)}.")
    return "\n".join([*lines, *textwrap.wrap(f"Source: {family.citation}", 100)])
