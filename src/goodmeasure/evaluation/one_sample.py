"""Read what stands for the counts of one system: a confusion matrix, a pair of labels, or a result of `evaluate`."""

from __future__ import annotations

import numpy as np

from goodmeasure.catalogue.running import as_matrix
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.result import Result
from goodmeasure.exceptions import InputError, InputTypeError


def sample_of(given: object, argument: str) -> Sample:
    """Return the counts of one system, with the weights and groups that are known."""
    if isinstance(given, Result):
        if len(given.systems) > 1 or not given.competing:
            raise InputError(
                "{argument} has {many} systems", argument=argument, many=len(given.systems),
                advice="evaluate one of them",
            )  # fmt: skip
        return given.part().sample
    if isinstance(given, tuple) and len(given) == 2 and not all(map(_is_row, given)):
        return Sample(confusion(*given))
    if not isinstance(given, (ConfusionMatrix, list, tuple, np.ndarray)):
        raise InputTypeError(
            "{argument} is {kind}", argument=argument, kind=type(given).__name__,
            expected="a confusion matrix, a tuple of true and predicted labels, or a result of evaluate",
        )  # fmt: skip
    return Sample(as_matrix(given, argument).snapshot())


def _is_row(given: object) -> bool:
    """Return whether this can be one of two rows of counts: a tuple of two numbers."""
    return isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, (int, float)) for x in given)
