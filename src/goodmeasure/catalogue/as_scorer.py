"""A measure as a scorer: scikit-learn calls it with an estimator, its data and the true labels."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from goodmeasure.exceptions import InputError
from goodmeasure.typing import AnyArray

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.catalogue.scores.measure import ScoreMeasure


def is_scored(data: tuple[object, ...]) -> bool:
    """Return whether the arguments of a call are an estimator, its data and the true labels."""
    return len(data) == 3 and callable(getattr(data[0], "predict", None))


def scored(measure: Measure | ScoreMeasure, data: tuple[object, ...], options: dict[str, object]) -> AnyArray:
    """Return the score of an estimator, where higher is better; the room of scorers is below this one."""
    known = {name: x for name, x in options.items() if x is not None and x != "resolve"}
    weights = {"sample_weight": known.pop("sample_weight")} if "sample_weight" in known else {}
    make = import_module("goodmeasure.sklearn.scorers").scorer
    try:
        return make(measure, **known)(*data, **weights)
    except InputError as error:
        if error.argument == "positive" and "positive" not in known:
            said = f"use scoring=goodmeasure.sklearn.scorer({measure.name!r}, positive=…) with one of them"
            raise error.with_advice(said, instead_of="labels") from None
        raise
