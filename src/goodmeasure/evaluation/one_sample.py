"""Read what stands for the counts of one system: a confusion matrix, a pair of labels, or a result of `evaluate`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

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
        if len(given.systems) > 1 or not given.rivals:
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
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except json.JSONDecodeError as error:
        raise InputError(
            "{argument} is no JSON{where}: {why}", argument=argument, where=where, why=str(error),
            advice="write results with to_json() or --json",
        ) from error  # fmt: skip
    return _of_json(found, argument, where)


def _of_json(found: object, argument: str, where: str) -> ConfusionMatrix:
    """Return the counts of a result or of a matrix that were written as JSON."""
    schema = found.get("schema") if isinstance(found, Mapping) else None
    if isinstance(found, Mapping) and str(schema).startswith("goodmeasure/confusion-matrix/"):
        return ConfusionMatrix.from_json(json.dumps(found))
    if not isinstance(found, Mapping) or not str(schema).startswith("goodmeasure/evaluation/"):
        raise InputError(
            "{argument} holds {schema!r}{where}", argument=argument, schema=schema, where=where,
            expected="the JSON of a result of evaluate, or of a confusion matrix",
        )  # fmt: skip
    try:
        parts = [x for x in found["parts"] if x["slice"] is None]
        source, positive = found["source"], found["data"]["positive"]
        if (
            len(parts) != 1
            or source["groups"]
            or source["weight"]
            or {"groups", "sample_weight"} & set(source["beside"])
        ):
            raise InputError(
                "{argument} has several systems, weights or groups{where}", argument=argument, where=where,
                advice="its JSON keeps no single items: give the results themselves",
            )  # fmt: skip
        matrix = ConfusionMatrix(parts[0]["counts"], parts[0]["labels"])
    except (KeyError, TypeError) as error:
        raise InputError(
            "{argument} is no JSON of a result{where}: {key} is missing", argument=argument, where=where,
            key=str(error), advice="write results with to_json() or --json",
        ) from error  # fmt: skip
    return matrix if positive is None else matrix.with_positive(positive)


def _is_row(given: object) -> bool:
    """Return whether this can be one of two rows of counts: a tuple of two numbers."""
    return isinstance(given, tuple) and len(given) == 2 and all(isinstance(x, (int, float)) for x in given)
