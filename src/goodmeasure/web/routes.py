"""The questions that the page asks in JSON, and the functions that answer them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from goodmeasure.catalogue.measure import Measure
from goodmeasure.exceptions import InputError
from goodmeasure.theory.statements.domain import domain_of
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.web import limits
from goodmeasure.web.answers import compare_measures, recommending, what_if, your_numbers
from goodmeasure.web.fields import (
    RequestData,
    matrix_of,
    measure_of,
    measures_of,
    number_of,
    text_of,
    whole_number_of,
)

AnswerOne = Callable[[RequestData], dict[str, object]]
AnswerMany = Callable[[Sequence[object]], list[dict[str, object]]]


_Asked = TypeVar("_Asked")


@dataclass(frozen=True)
class Quick:
    """A question about a matrix that takes a few milliseconds where the matrix is small."""

    read: Callable[[RequestData], your_numbers.ScorecardQuestion | what_if.Target]
    answers: AnswerMany
    classes: int
    """A matrix with more classes is worked on in a thread, so that others need not wait for it."""

    def is_long(self, question: your_numbers.ScorecardQuestion | what_if.Target) -> bool:
        """Return whether the answer may take longer."""
        return bool(question.with_statement or question.matrix.m > self.classes)


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


def disagree(data: RequestData) -> dict[str, object]:
    """Answer api/disagree: the matrices on which two measures disagree most."""
    n = whole_number_of(data, "n", 10, compare_measures.FEWEST, compare_measures.MOST)
    return compare_measures.disagreement(measure_of(data, "first"), measure_of(data, "second"), n)


def recommend(data: RequestData) -> dict[str, object]:
    """Answer api/recommend: which measures suit a task."""
    return recommending.recommendation(dict(data))


def _of(kind: type[_Asked], answers: Callable[[Sequence[_Asked]], list[dict[str, object]]]) -> AnswerMany:
    """Return a function that answers questions of one kind; it is never asked any others."""
    return lambda questions: answers([x for x in questions if isinstance(x, kind)])


QUICK = {
    "evaluate": Quick(evaluate, _of(your_numbers.ScorecardQuestion, your_numbers.scorecards), classes=30),
    "baselines": Quick(baselines, _of(your_numbers.ScorecardQuestion, your_numbers.trivials), classes=5),
    "reach": Quick(reach, _of(what_if.Target, what_if.to_reach), classes=5),
}
"""Questions that are asked while somebody types; those that wait at the same time are answered together."""
ANSWERS: dict[str, AnswerOne] = {
    "disagree": disagree,
    "recommend": recommend,
}
"""Questions that are answered in a thread, so that others need not wait for them."""


@dataclass(frozen=True)
class LongWork:
    """A question that a process of its own works on: its task, its time limit, and how a request is read."""

    name: str
    seconds: float
    read: Callable[[RequestData], dict[str, object]]
    streams: bool = False
    typed: bool = False  # asked while somebody types, so that mistakes are answers like others


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
    "formula": LongWork("formula", limits.FORMULA_SECONDS, _formula, typed=True),
    "check": LongWork("check", limits.CHECK_SECONDS, _check, streams=True),
    "possible": LongWork("possible", limits.CHECK_SECONDS, _possible),
}
"""Questions that may take very long, or that run what somebody typed."""
