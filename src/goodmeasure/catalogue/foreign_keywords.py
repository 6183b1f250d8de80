"""Keywords that measures do not take, among them scikit-learn's, and what to write instead."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from goodmeasure.catalogue.display_names import names_text
from goodmeasure.exceptions import InputTypeError

_KNOWN = ("labels", "sample_weight", "positive", "undefined", "missing")
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
# What functions that evaluate data call what other libraries call differently.
_ELSEWHERE = {
    "pos_label": "the positive class is positive=, here positive={value!r}",
    "average": "every average is a measure: measures=['macro(f1)', 'weighted(f1)', 'micro(f1)']",
    "zero_division": "what 0/0 counts as is undefined=, a number or 'nan', such as undefined={value!r}",
    "normalize": "values are shares already; result.matrix().shares('true') are the shares of each class",
    "target_names": "names of classes come with the labels; labels= gives their order",
    "digits": "result.table has all digits",
    "output_dict": "result.to_dict() is a dict, and result.table has a row for each value",
    "n_bootstraps": "the number of resamples is replicates=",
    "n_resamples": "the number of resamples is replicates=",
    "alpha": "the confidence level is confidence=, such as 0.95",
    "random_state": "the random seed is seed=",
    "weights": "the weights of items are sample_weight=",
    **dict.fromkeys(("metrics", "metric", "measure", "scoring"), "the names of measures are measures="),
    **dict.fromkeys(("n_bootstrap", "n_boot", "bootstrap"), "the number of resamples is replicates="),
    **dict.fromkeys(
        ("ci", "confidence_level", "conf_level", "level"), "the confidence level is confidence=, such as 0.95"
    ),
    **dict.fromkeys(("positive_class", "positive_label", "pos", "event_level"), "the positive class is positive="),
    **dict.fromkeys(("class_names", "classes"), "names of classes come with the labels; labels= gives their order"),
    **dict.fromkeys(("num_classes", "n_classes"), "the classes are counted; labels= names those that may not occur"),
    "task": "the kind of task is seen from the labels; several labels for each item are gm.multilabel(y_true, y_pred)",
    "multi_class": "each class against the rest is measures=['macro(roc_auc)'], pairs of classes are ['hand_till']",
    "beta": "every beta is a measure: measures=['fbeta({value!r})']",
    "k": "every k is a measure: measures=['top_k_accuracy(k={value!r})']",
    "ignore_index": "leave these items out of both columns, or make their labels missing and use missing='drop'",
    "estimator": "give its predictions: y_pred=model.predict(X) or y_score=model.predict_proba(X)",
    "weight": "the weights of items are sample_weight=",
    **dict.fromkeys(("y_hat", "y_predicted", "predictions", "preds", "prediction"), "the predicted labels are y_pred="),
    **dict.fromkeys(("target", "truth", "labels_true", "references"), "the true labels are y_true="),
    "sensitive_features": "slices are by=",
    "group": "what items belong together is groups=",
    **dict.fromkeys(("y_prob", "y_proba", "y_scores", "probas", "scores"), "scores and probabilities are y_score="),
}


def too_many(name: str, args: Sequence[object], most: int) -> InputTypeError:
    """Return the error for arguments without a name, which may be columns."""
    shown = len(args) > 2 and all(isinstance(x, str) for x in args[1:3])
    columns = f"y_true={args[1]!r}, y_pred={args[2]!r}" if shown else "y_true=…, y_pred=…"
    return InputTypeError(
        "{name}() takes {most} arguments without a name, and {size} came", name=name, most=most, size=len(args),
        columns=columns, advice="name the columns, as in {name}(data, {columns})",
    )  # fmt: skip


def unexpected(name: str, keyword: str, value: object, known: tuple[str, ...]) -> InputTypeError:
    """Return the error for a keyword that a public function does not take."""
    near = get_close_matches(keyword, known, 1)
    told = f"did you mean {near[0]}=?" if near else f"help(gm.{name}) lists its arguments"
    todo = _ELSEWHERE[keyword].format(value=value) if keyword in _ELSEWHERE else told
    return InputTypeError(
        "{name}() takes no {argument:=}", name=name, argument=keyword, got=value, todo=todo, advice="{todo}"
    )


def refusal(
    name: str, typed: str, foreign: dict[str, object], *, one_class: bool, of_scores: bool = False
) -> InputTypeError:
    """Return the error for keywords that a measure does not take.

    `typed` is what users write to get the measure, and `one_class` says that it measures only the positive class.
    """
    keyword, value = next(iter(foreign.items()))
    if keyword == "average":
        todo = f"{_average(name, typed, value, one_class)}. {_DROP_IN}."
        todo = todo.replace("y_pred", "y_score") if of_scores else todo
    elif keyword == "multi_class":
        todo = f"gm.macro({typed}) is each class against the rest, and gm.hand_till pairs of classes. {_DROP_IN}."
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
