"""Explaining a measure of scores, and one value of it, in words."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

from goodmeasure.catalogue.explanation import number, range_data, range_text
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.catalogue.signature import SEPARATOR, quoted
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.language.policy import Policy
from goodmeasure.language.print.unicode_formulas import plain_text


@dataclass(frozen=True)
class ScoreExplanation:
    """All there is to say about one value of a measure of scores; print it to read it."""

    measure: ScoreMeasure
    value: float
    reason: str | None
    formula: str
    signature: str

    def __str__(self) -> str:
        lines = [
            f"{self.measure.title} ({self.measure.name}) = {number(self.value)}",
            f"  meaning    {self.measure.about}",
            f"  formula    {plain_text(self.formula)}",
        ]
        lines += [f"  reason     {self.reason}"] if self.reason else []
        lines += [f"  range      {range_text(self.measure)}", f"  signature  {self.signature}"]
        return "\n".join(lines)

    __repr__ = __str__

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data."""
        return {
            "measure": self.measure.name,
            "value": None if math.isnan(self.value) else self.value,
            "reason": self.reason,
            "formula": self.formula,
            "range": range_data(self.measure.range),
            "signature": self.signature,
        }


def explanation(measure: ScoreMeasure, data: Scored, policy: Policy) -> ScoreExplanation:
    """Return the explanation of the value of a measure on scored items."""
    value, reason = measure.of(data, policy)
    return ScoreExplanation(measure, value, reason, measure.formula, signature(measure, data, policy))


def signature(measure: ScoreMeasure, data: Scored | None, policy: Policy) -> str:
    """Return one line with the measure, classes, positive class, policy for undefined values, n and version."""
    from goodmeasure import __version__

    parts = [measure.name, f"takes={measure.takes}"]
    if data is not None and measure.takes == "scores":
        parts.append(f"classes={data.m}")
        parts += [f"positive={quoted(data.labels[-1])}"] if data.m == 2 else []
    parts.append(f"undefined={policy}")
    parts += [] if data is None else [f"n={data.items}"]
    return SEPARATOR.join([*parts, f"goodmeasure={__version__}"])


def class_words(measure: ScoreMeasure) -> str:
    """Return which classes and which scores a measure takes."""
    scores = "probabilities" if measure.definition.needs_probabilities else "scores"
    if measure.classes == 2:
        return f"two, with {scores} of the positive class, which is the last"
    return f"any number, with {scores} of each class (of two: of the positive one)"


def help_text(measure: ScoreMeasure) -> str:
    """Return what ``help(gm.roc_auc)`` prints."""
    of_scores = measure.takes == "scores"
    lines = [
        f"{measure.title}{': ' + measure.about if measure.about else ''}.",
        "",
        f"Formula: {plain_text(measure.formula)}",
        f"LaTeX: {measure.formula}",
        f"Range: {range_text(measure)}.",
        *([f"Classes: {class_words(measure)}."] if of_scores else []),
    ]
    if measure.aliases:
        lines.append(f"Also known as: {', '.join(measure.aliases)}.")
    if measure.cite:
        lines += textwrap.wrap(f"Source: {measure.citation}", 100)
    call = (
        f"true labels and scores: {measure.name}(y_true, y_score)"
        if of_scores
        else f"outcomes: {measure.name}(y_correct)"
    )
    lines += ["", f"Call it on {call}."]
    return "\n".join(lines)
