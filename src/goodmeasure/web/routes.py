"""The questions that the page asks in JSON, and the functions that answer them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodmeasure.exceptions import InputError
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.web import limits
from goodmeasure.web.answers import compare_measures, numbers, recommending, what_if
from goodmeasure.web.fields import (
    Data,
    cell_of,
    counts_of,
    matrix_of,
    measure_of,
    measures_of,
    number_of,
    text_of,
    whole_number_of,
)

Answer = Callable[[Data], dict[str, Any]]


def evaluate(data: Data) -> dict[str, Any]:
    """Answer api/evaluate: the scorecard of a matrix."""
    matrix = matrix_of(data)
    undefined = data.get("undefined", "resolve")
    return numbers.scorecard(
        matrix,
        measures_of(data, matrix.m),
        confidence=number_of(data, "confidence", 0.95, 0.5, 0.9999),
        undefined="nan" if undefined is None else undefined,
        with_statement=data.get("statement") is True,
    )


def values(data: Data) -> dict[str, Any]:
    """Answer api/values: the values of measures on many matrices."""
    given = data.get("matrices")
    if not isinstance(given, list) or not 0 < len(given) <= limits.MOST_MATRICES:
        raise InputError(
            "{matrices} is no list of matrices", most=limits.MOST_MATRICES, expected="1 to {most:,} of them"
        )
    first = counts_of(given[0])
    if len(given) * len(first) ** 2 > limits.MOST_CELLS:
        raise InputError("{matrices} have too many cells", most=limits.MOST_CELLS, expected="at most {most:,}")
    every = [counts_of(x) for x in given]
    if any(len(x) != len(first) for x in every):
        raise InputError("{matrices} are of different sizes", expected="matrices of one number of classes")
    batch = np.array(every)
    return {"values": numbers.batch_values(batch, measures_of(data, len(first)))}


def parse(data: Data) -> dict[str, Any]:
    """Answer api/parse: the matrix in a pasted text."""
    return numbers.pasted(text_of(data, "text", limits.JSON_BYTES))


def baselines(data: Data) -> dict[str, Any]:
    """Answer api/baselines: what trivial classifiers would score."""
    matrix = matrix_of(data)
    return numbers.trivial(matrix, measures_of(data, matrix.m))


def prevalence(data: Data) -> dict[str, Any]:
    """Answer api/prevalence: the values of measures along the share of one class."""
    matrix = matrix_of(data)
    points = whole_number_of(data, "points", 101, 2, what_if.STEPS)
    return what_if.along_prevalence(matrix, data.get("class"), measures_of(data, matrix.m), points)


def move(data: Data) -> dict[str, Any]:
    """Answer api/move: the values of measures while items are moved from one cell to another."""
    matrix = matrix_of(data)
    cells = cell_of(data, "from", matrix.m), cell_of(data, "to", matrix.m)
    return what_if.along_move(matrix, *cells, measures_of(data, matrix.m))


def reach(data: Data) -> dict[str, Any]:
    """Answer api/reach: what must change for a measure to reach a value."""
    matrix = matrix_of(data)
    return what_if.to_reach(matrix, _fitting(data, matrix.m), number_of(data, "target", None, -1e9, 1e9))


def _fitting(data: Data, m: int) -> Any:
    """Return the measure that a request names, if it takes so many classes."""
    return measures_of({"measures": [text_of(data, "measure", limits.LONGEST_NAME)]}, m)[0]


def curves(data: Data) -> dict[str, Any]:
    """Answer api/curves: the values of measures with given margins, along the number of true positives."""
    positives, negatives = (whole_number_of(data, x, None, 1, 100_000) for x in ("positives", "negatives"))
    predicted = whole_number_of(data, "predicted", None, 0, positives + negatives)
    return what_if.margins(measures_of(data, 2), positives, negatives, predicted)


def disagree(data: Data) -> dict[str, Any]:
    """Answer api/disagree: the matrices on which two measures disagree most."""
    n = whole_number_of(data, "n", 10, compare_measures.FEWEST, compare_measures.MOST)
    return compare_measures.disagreement(measure_of(data, "first"), measure_of(data, "second"), n)


def recommend(data: Data) -> dict[str, Any]:
    """Answer api/recommend: which measures suit a task."""
    return recommending.recommendation(dict(data))


QUICK: dict[str, Answer] = {
    "evaluate": evaluate,
    "values": values,
    "prevalence": prevalence,
    "move": move,
    "curves": curves,
}
"""Questions that take a few milliseconds where the matrix is small."""
SLOW: dict[str, Answer] = {
    "parse": parse,
    "baselines": baselines,
    "reach": reach,
    "disagree": disagree,
    "recommend": recommend,
}
"""Questions that may take longer, so that others need not wait for them."""
ANSWERS = {**QUICK, **SLOW}


@dataclass(frozen=True)
class Work:
    """A question that a process of its own works on: its task, its time limit, and how a request is read."""

    name: str
    seconds: float
    read: Callable[[Data], dict[str, Any]]
    streams: bool = False
    typed: bool = False  # asked while somebody types, so that mistakes are answers like others


def _formula(data: Data) -> dict[str, Any]:
    return {"text": text_of(data, "text", limits.LONGEST_FORMULA), "matrix": data.get("matrix")}


def _check(data: Data) -> dict[str, Any]:
    named = data.get("measure") is not None
    return {
        "measure": measure_of(data).name if named else None,
        "text": None if named else text_of(data, "text", limits.LONGEST_FORMULA),
        "classes": whole_number_of(data, "classes", 2, 2, 3),
        "domain": domain_of(data.get("domain", "all")).name,
        "properties": None if data.get("properties") is None else _properties(data),
    }


def _possible(data: Data) -> dict[str, Any]:
    classes, domain = whole_number_of(data, "classes", 2, 2, 3), domain_of(data.get("domain", "all")).name
    return {"properties": _properties(data), "classes": classes, "domain": domain}


def _properties(data: Data) -> list[str]:
    """Return the properties that a request names."""
    given = data.get("properties")
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_PROPERTIES:
        raise InputError("{properties} is no list of names", most=_MOST_PROPERTIES, expected="1 to {most} properties")
    return [statement(x).name for x in given]


_MOST_PROPERTIES = 30
WORK = {
    "formula": Work("formula", limits.FORMULA_SECONDS, _formula, typed=True),
    "check": Work("check", limits.CHECK_SECONDS, _check, streams=True),
    "possible": Work("possible", limits.CHECK_SECONDS, _possible),
}
"""Questions that may take very long, or that run what somebody typed."""
_SMALL = 30  # classes


def is_quick(name: str, data: Data) -> bool:
    """Return whether an answer takes so little time that handing it to a thread would cost more."""
    if name not in QUICK:
        return False
    given = data.get("matrix")
    counts = given.get("counts") if isinstance(given, dict) else None
    return data.get("statement") is not True and (not isinstance(counts, list) or len(counts) <= _SMALL)
