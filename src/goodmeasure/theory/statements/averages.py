"""Binary measures that lose a property when they are averaged over classes, by the text that one can paste."""

from __future__ import annotations

from typing import Any

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure


def any_right(c: Any) -> Any:
    """Return 1 if some prediction is right, and else 0 (goesgens2021, appendix C.6)."""
    return c.where(c.tp + c.tn > 0, 1, 0)


def mostly_negatives(c: Any) -> Any:
    """Return right minus wrong predictions, where a true negative counts three times."""
    return 3 * c.tn + c.tp - c.fp - c.fn


def covariance_unless_constant(c: Any) -> Any:
    """Return the covariance of the labelings, and 1 where the prediction is constant; baselines leave that open."""
    return c.where(c.b[0] * c.b[1] > 0, c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2), 1)


OWN = {
    "lambda c: c.where(c.tp + c.tn > 0, 1, 0)": any_right,
    "lambda c: 3 * c.tn + c.tp - c.fp - c.fn": mostly_negatives,
    "lambda c: c.where(c.b[0] * c.b[1] > 0, c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2), 1)": covariance_unless_constant,
}


def losing_measure(text: str) -> Measure:
    """Return the measure that a text names: one of the functions above, or a measure of the catalogue."""
    return measure(OWN[text]) if text in OWN else measure(text)
