"""What averaging over classes preserves, as data; and binary measures that lose a property, as code to paste."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from goodmeasure.catalogue.definitions.averaging import macro, micro, weighted
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


def right_unless_constant(c: View) -> Value:
    """Return accuracy, and 2 where a labeling is constant; monotonicity leaves these matrices open."""
    return c.where(c.a[0] * c.a[1] * c.b[0] * c.b[1] > 0, c.ratio(c.tp + c.tn, c.n), 2)


OWN = {
    "lambda c: c.where(c.tp + c.tn > 0, 1, 0)": any_right,
    "lambda c: 3 * c.tn + c.tp - c.fp - c.fn": mostly_negatives,
    "lambda c: c.where(c.b[0] * c.b[1] > 0, c.ratio(c.tp * c.tn - c.fp * c.fn, c.n**2), 1)": covariance_unless_constant,
    "lambda c: c.where(c.a[0] * c.a[1] * c.b[0] * c.b[1] > 0, c.ratio(c.tp + c.tn, c.n), 2)": right_unless_constant,
}


def losing_measure(text: str) -> Measure:
    """Return the measure that a text names: one of the functions above, or a measure of the catalogue."""
    return as_measure(OWN[text]) if text in OWN else as_measure(text)


OVER_ALL = "macro(classes='all')"  # the macro averaging of papers: (1/m) Σ over all classes, whether they occur or not
AVERAGING: dict[str, Callable[[Measure], Measure]] = {
    "micro": micro,
    "macro": macro,
    OVER_ALL: partial(macro, classes="all"),
    "weighted": weighted,
}


def averaged_name(averaging: str, measure: str) -> str:
    """Return the name of an average of a measure.

    >>> averaged_name("micro", "f1"), averaged_name("macro(classes='all')", "f1")
    ('micro(f1)', "macro(f1, classes='all')")
    """
    return f"macro({measure}, classes='all')" if averaging == OVER_ALL else f"{averaging}({measure})"


_EVERYWHERE = ("all", "non-unary", "regular")
_EQUAL = ("micro", "macro", OVER_ALL)  # no class weighs more than another
# What has to be shown for each property that some averaging keeps, and on which domains
FACTS: dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {
    **{(x, "maximal_agreement"): (("diagonal",), _EVERYWHERE) for x in AVERAGING},
    **{(x, "class_symmetry"): (("renamed",), _EVERYWHERE) for x in AVERAGING},
    **{(x, "symmetry"): (("transposed",), _EVERYWHERE) for x in _EQUAL},
    **{(x, "distance"): (("diagonal", "transposed", "triangle"), _EVERYWHERE) for x in ("micro", OVER_ALL)},
    ("macro", "distance"): (("diagonal", "transposed", "triangle"), ("regular",)),
    ("micro", "monotone"): (("resolved",), _EVERYWHERE),
    **{(x, "monotone"): (("resolved",), ("regular",)) for x in ("macro", OVER_ALL)},
    **{
        (x, y): (("guessed",), ("regular",))
        for x in ("macro", OVER_ALL, "weighted")
        for y in ("constant_baseline", "approximate_constant_baseline")
    },
}
