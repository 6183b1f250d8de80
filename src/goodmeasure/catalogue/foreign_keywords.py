"""Keywords that measures do not take, among them scikit-learn's, and what to write instead."""

from __future__ import annotations

from difflib import get_close_matches

from goodmeasure.catalogue.display_names import names_text
from goodmeasure.exceptions import InputTypeError

_KNOWN = ("labels", "sample_weight", "positive", "undefined")
_DROP_IN = "goodmeasure.sklearn has scikit-learn's functions with scikit-learn's arguments"
_OTHERS = {
    "zero_division": "what 0/0 counts as is undefined=, a number or 'nan', such as undefined={value!r}",
    "normalize": "a measure is a share already; gm.confusion(y_true, y_pred).counts holds the counts",
    "weights": "gm.weighted_kappa('linear') and gm.weighted_kappa('quadratic') are measures of their own",
    "beta": "gm.fbeta({value!r}) is a measure of its own: gm.fbeta({value!r})(y_true, y_pred)",
    "adjusted": "gm.k is balanced accuracy adjusted for chance",
    "y_score": "gm.evaluate(y_true, y_score=…) measures scores, and gm.sweep(y_true, y_score) at every threshold",
    "y_prob": "gm.evaluate(y_true, y_score=…) measures scores, and gm.sweep(y_true, y_score) at every threshold",
}


def refusal(name: str, typed: str, foreign: dict[str, object], *, one_class: bool) -> InputTypeError:
    """Return the error for keywords that a measure does not take.

    `typed` is what users write to get the measure, and `one_class` says that it measures only the positive class.
    """
    keyword, value = next(iter(foreign.items()))
    if keyword == "average":
        todo = f"{_average(name, typed, value, one_class)}. {_DROP_IN}."
    elif keyword in _OTHERS:
        todo = f"{_OTHERS[keyword].format(value=value)}. {_DROP_IN}."
    else:
        near = get_close_matches(keyword, _KNOWN, 1)
        todo = f"did you mean {near[0]}=?" if near else f"it takes {names_text([f'{x}=' for x in _KNOWN])}"
    return InputTypeError(
        "{name} takes no {argument:=}", name=name, argument=keyword, got=value, todo=todo, advice="{todo}"
    )


def _average(name: str, typed: str, value: object, one_class: bool) -> str:
    """Return what to write instead of ``average=``."""
    if not one_class:
        return f"{name} looks at all classes at once, so leave average= out"
    if value in ("macro", "micro", "weighted"):
        return f"gm.{value}({typed})(y_true, y_pred) is {name} averaged this way"
    if value == "binary":
        return f"without it, {name} is that of the positive class, which positive= chooses"
    if value == "samples":
        return f"gm.multilabel(y_true, y_pred).average({name!r}, 'samples') is the mean over items"
    if value is None:
        return f"gm.evaluate(y_true, y_pred, classwise=[{name!r}]).table has the value of each class"
    return f"use gm.macro({typed}), gm.micro({typed}) or gm.weighted({typed})"
