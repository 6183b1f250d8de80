"""What averaging over classes preserves, as data; and binary measures that lose a property, as code to paste."""

from __future__ import annotations

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.language.value import Value
from goodmeasure.language.view import View


def any_right(c: View) -> Value:
    """Return 1 if some prediction is right, and else 0 (goesgens2021, appendix C.6)."""
    return c.where(c.tp + c.tn > 0, 1, 0)


def mostly_negatives(c: View) -> Value:
    """Return right minus wrong predictions, where a true negative counts three times."""
    return 3 * c.tn + c.tp - c.fp - c.fn


def covariance_unless_constant(c: View) -> Value:
    """Return the covariance of the labelings, and 1 where the prediction is constant; baselines leave that open."""
    return c.where(c.b[0] * c.b[1] > 0, c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2), 1)


OWN = {
    "lambda c: c.where(c.tp + c.tn > 0, 1, 0)": any_right,
    "lambda c: 3 * c.tn + c.tp - c.fp - c.fn": mostly_negatives,
    "lambda c: c.where(c.b[0] * c.b[1] > 0, c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2), 1)": covariance_unless_constant,
}


def losing_measure(text: str) -> Measure:
    """Return the measure that a text names: one of the functions above, or a measure of the catalogue."""
    return as_measure(OWN[text]) if text in OWN else as_measure(text)


_EVERYWHERE = ("all", "non-unary", "regular")
# What has to be shown for each property that some averaging keeps, and on which domains
FACTS: dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {
    **{(x, "maximal_agreement"): (("diagonal",), _EVERYWHERE) for x in ("micro", "macro", "weighted")},
    **{(x, "class_symmetry"): (("renamed",), _EVERYWHERE) for x in ("micro", "macro", "weighted")},
    **{(x, "symmetry"): (("transposed",), _EVERYWHERE) for x in ("micro", "macro")},
    ("micro", "distance"): (("diagonal", "transposed", "triangle"), _EVERYWHERE),
    ("macro", "distance"): (("diagonal", "transposed", "triangle"), ("regular",)),
    ("micro", "monotone"): (("resolved",), _EVERYWHERE),
    ("macro", "monotone"): (("resolved",), ("regular",)),
    **{
        (x, y): (("guessed",), ("regular",))
        for x in ("macro", "weighted")
        for y in ("constant_baseline", "approximate_constant_baseline")
    },
}
