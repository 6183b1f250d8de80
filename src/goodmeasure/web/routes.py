"""The questions that the page asks in JSON, and the functions that answer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import InputError
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.web import limits
from goodmeasure.web.answers import compare_measures, what_if, your_numbers
from goodmeasure.web.fields import (
    RequestData,
    matrix_of,
    measure_of,
    measures_of,
    number_of,
    text_of,
    whole_number_of,
)

AnswerMany = Callable[[Sequence[object]], list[dict[str, object]]]


_Asked = TypeVar("_Asked")


class MatrixQuestion(Protocol):
    """A question about a matrix, which knows roughly how much work it means."""

    @property
    def work(self) -> float: ...


@dataclass(frozen=True)
class Quick:
    """A question about a matrix that takes a few milliseconds where the matrix is small."""

    read: Callable[[RequestData], MatrixQuestion]
    answers: AnswerMany
    most: float
    """A question that means more work is answered by a process of its own, as others would have to wait for it."""


def evaluate(data: RequestData) -> your_numbers.ScorecardQuestion:
    """Read api/evaluate: the scorecard of a matrix."""
    matrix = matrix_of(data)
    confidence = number_of(data, "confidence", 0.95, 0.5, 0.9999)
    with_statement = data.get("statement") is True
    return your_numbers.ScorecardQuestion(
        matrix, tuple(measures_of(data, matrix.m)), confidence, with_statement=with_statement
    )


def baselines(data: RequestData) -> your_numbers.ScorecardQuestion:
    """Read api/baselines: what trivial classifiers would score."""
    matrix = matrix_of(data)
    return your_numbers.ScorecardQuestion(matrix, tuple(measures_of(data, matrix.m)))


def reach(data: RequestData) -> what_if.Target:
    """Read api/reach: what must change for a measure to reach a value."""
    matrix = matrix_of(data)
    return what_if.Target(matrix, _fitting(data, matrix.m), number_of(data, "target", None, -1e9, 1e9))


def _fitting(data: RequestData, m: int) -> Measure:
    """Return the measure that a request names, if it takes so many classes."""
    return measures_of({"measures": [text_of(data, "measure", limits.LONGEST_NAME)]}, m)[0]


def _of(kind: type[_Asked], answers: Callable[[Sequence[_Asked]], list[dict[str, object]]]) -> AnswerMany:
    """Return a function that answers questions of one kind; it is never asked any others."""
    return lambda questions: answers([x for x in questions if isinstance(x, kind)])


QUICK = {
    "evaluate": Quick(evaluate, _of(your_numbers.ScorecardQuestion, your_numbers.scorecards), most=400),
    "baselines": Quick(baselines, _of(your_numbers.ScorecardQuestion, your_numbers.trivials), most=150),
    "reach": Quick(reach, _of(what_if.Target, what_if.to_reach), most=4_000_000),
}
"""Questions that are asked while somebody types; those that wait at the same time are answered together."""


@dataclass(frozen=True)
class LongWork:
    """A question that a process of its own works on: its task, its time limit, and how a request is read."""

    name: str
    seconds: float
    read: Callable[[RequestData], dict[str, object]]
    streams: bool = False
    typed: bool = False  # asked while somebody types, so that mistakes are answers like others


def _disagree(data: RequestData) -> dict[str, object]:
    n = whole_number_of(data, "n", 10, compare_measures.FEWEST, compare_measures.MOST)
    return {"first": measure_of(data, "first").name, "second": measure_of(data, "second").name, "n": n}


def _formula(data: RequestData) -> dict[str, object]:
    return {"text": text_of(data, "text", limits.LONGEST_FORMULA), "matrix": data.get("matrix")}


def _check(data: RequestData) -> dict[str, object]:
    named = data.get("measure") is not None
    return {
        "measure": measure_of(data).name if named else None,
        "text": None if named else text_of(data, "text", limits.LONGEST_FORMULA),
        "classes": whole_number_of(data, "classes", 2, 2, 3),
        "domain": domain_of(data.get("domain", "all")).name,
        "properties": None if data.get("properties") is None else _properties(data),
    }


def _possible(data: RequestData) -> dict[str, object]:
    classes, domain = whole_number_of(data, "classes", 2, 2, 3), domain_of(data.get("domain", "all")).name
    return {"properties": _properties(data), "classes": classes, "domain": domain}


def _properties(data: RequestData) -> list[str]:
    """Return the properties that a request names."""
    given = data.get("properties")
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_PROPERTIES:
        raise InputError(
            "{properties} is not a list of names", most=_MOST_PROPERTIES, expected="1 to {most} properties"
        )
    return [statement(x).name for x in given]


_MOST_PROPERTIES = 30
WORK = {
    "disagree": LongWork("disagree", limits.QUESTION_SECONDS, _disagree),
    "recommend": LongWork("recommend", limits.QUESTION_SECONDS, dict),
    "formula": LongWork("formula", limits.FORMULA_SECONDS, _formula, typed=True),
    "check": LongWork("check", limits.CHECK_SECONDS, _check, streams=True),
    "possible": LongWork("possible", limits.CHECK_SECONDS, _possible),
}
"""Questions that processes of their own answer, as they may take long or run what somebody typed."""
