"""Read what stands for the counts of one system: a confusion matrix, a pair of labels, or a result of `evaluate`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from goodmeasure.catalogue.running import as_matrix
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.documents import PREFIX, loaded
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
        if given.source.of_outcomes:
            raise InputError(
                "{argument} has outcomes, and no labels", argument=argument,
                advice="compare periods as slices: evaluate all outcomes with the period as {by:=}",
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


def is_written(path: str) -> bool:
    """Return whether a file holds the JSON of a result or of a matrix, rather than predictions."""
    if not path.endswith(".json") or not Path(path).is_file():
        return False
    with Path(path).open(encoding="utf-8", errors="replace") as file:
        return '"goodmeasure/' in file.read(400)


def stored(given: object, argument: str) -> object:
    """Return what JSON holds, as text, as a dict or in a file; anything else as it is, such as a result."""
    text, where = given, ""
    if isinstance(given, Path) or (isinstance(given, str) and not given.lstrip().startswith("{")):
        where = f" in {given}"
        try:
            text = Path(given).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                "{argument} names {file}, which cannot be read", argument=argument, file=str(given),
                kind=type(error).__name__, advice="give results, or JSON of them ({kind})",
            ) from error  # fmt: skip
    if not isinstance(text, (str, Mapping)):
        return given
    found = loaded(text)
    kind = _kind_of(found)
    if kind not in (Result.kind, ConfusionMatrix.kind):
        raise InputError(
            "{argument} holds {kind!r}{where}", argument=argument, kind=kind, where=where,
            expected="the JSON of a result of evaluate, or of a confusion matrix",
        )  # fmt: skip
    return (Result if kind == Result.kind else ConfusionMatrix).from_json(found)


def _kind_of(data: object) -> str | None:
    """Return the kind of a document, as its schema names it."""
    schema = data.get("schema") if isinstance(data, Mapping) else None
    return None if schema is None else str(schema).removeprefix(f"{PREFIX}/").partition("/")[0]


def _is_row(given: object) -> bool:
    """Return whether this can be one of two rows of counts: a tuple of two numbers."""
    return isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, (int, float)) for x in given)
