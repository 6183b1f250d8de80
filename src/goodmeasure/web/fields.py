"""The fields of a request, checked: what comes from a page may be anything."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ReadJson
from goodmeasure.web import limits

RequestData = Mapping[str, ReadJson]


def as_object(data: object) -> RequestData:
    """Return the body of a request, which is a JSON object."""
    if not isinstance(data, dict):
        raise InputError("the request is not a JSON object", expected='an object such as {{"matrix": …}}')
    return data


def matrix_of(data: RequestData, field: str = "matrix") -> ConfusionMatrix:
    """Return the confusion matrix in a field: an object with labels and counts."""
    given = data.get(field)
    if not isinstance(given, dict) or "counts" not in given:
        raise InputError(
            "{argument} is not a confusion matrix", argument=field, expected='an object with "labels" and "counts"'
        )
    counts = counts_of(given["counts"])
    labels = _labels_of(given.get("labels"), len(counts))
    if not any(x > 0 for row in counts for x in row):
        raise InputError(
            "the matrix holds no items", argument="counts", advice="at least one cell must be greater than 0"
        )
    return ConfusionMatrix(counts, labels)


def counts_of(given: object) -> list[list[float]]:
    """Return the cells of a square matrix of counts."""
    if not isinstance(given, list) or not given or not all(isinstance(row, list) for row in given):
        raise InputError(
            "the counts are not a table", argument="counts", expected="a list of rows, each a list of numbers"
        )
    m = len(given)
    if m > limits.MOST_CLASSES:
        raise too_many_classes(m)
    for i, row in enumerate(given, 1):
        if len(row) != m:
            raise InputError(
                "row {i} of the matrix has {size} cells, and there are {m} rows", argument="counts", i=i,
                size=len(row), m=m,
                advice="rows are true classes and columns predicted ones, so there are equally many",
            )  # fmt: skip
        for j, x in enumerate(row, 1):
            if isinstance(x, bool) or not isinstance(x, (int, float)) or not 0 <= x <= limits.LARGEST_COUNT:
                raise InputError(
                    "row {i}, column {j} of the matrix is {x!r}", argument="counts", i=i, j=j, x=_shown(x),
                    expected="a number from 0 to 10^15",
                )  # fmt: skip
    return [[int(x) if float(x).is_integer() else float(x) for x in row] for row in given]


def too_many_classes(m: int) -> InputError:
    """Return the error about a matrix that is too large for a page."""
    return InputError(
        "the matrix has {m:,} classes, and this page takes up to {most}", argument="counts", m=m,
        most=limits.MOST_CLASSES,
        advice="`goodmeasure evaluate` takes any number of classes",
    )  # fmt: skip


def _labels_of(given: object, m: int) -> list[str]:
    """Return the names of the classes; without names they are numbered from 0."""
    if given is None:
        return [str(i) for i in range(m)]
    if not isinstance(given, list) or not all(isinstance(x, str) for x in given):
        raise InputError(
            "the names of the classes are not a list of texts", expected="a text for each class", argument="labels"
        )
    if len(given) != m:
        raise InputError(
            "there are {size} names for {m} classes", argument="labels", size=len(given), m=m, expected="one for each"
        )
    for x in given:
        if len(x) > limits.LONGEST_LABEL:
            raise InputError(
                "the name of a class has {size:,} characters", argument="labels", size=len(x),
                most=limits.LONGEST_LABEL, expected="at most {most}",
            )  # fmt: skip
    if len(set(given)) != m:
        twice = next(x for x in given if given.count(x) > 1)
        raise InputError(
            "two classes are called {twice!r}", argument="labels", twice=twice, advice="each needs its own name"
        )
    return given


def measures_of(data: RequestData, m: int) -> list[Measure]:
    """Return the measures that a request names, or the usual ones for m classes."""
    given = data.get("measures")
    names = [given] if isinstance(given, str) else given
    if names is not None and (not isinstance(names, list) or not all(isinstance(x, str) for x in names)):
        raise InputError(
            "{measures} is not a list of names", expected='names of measures, such as ["mcc", "macro(f1)"]'
        )
    if names is not None and (len(names) > limits.MOST_MEASURES or any(len(x) > limits.LONGEST_NAME for x in names)):
        raise InputError("{measures} is too long", most=limits.MOST_MEASURES, expected="at most {most} short names")
    return list(_chosen(given if isinstance(given, str) else None if names is None else tuple(names), m))


@lru_cache(maxsize=256)
def _chosen(names: str | tuple[str, ...] | None, m: int) -> tuple[Measure, ...]:
    """Return measures by their names; while a slider is moved, the same names come again and again."""
    return tuple(chosen(names, m))


def measure_of(data: RequestData, field: str = "measure") -> Measure:
    """Return the measure that a field names."""
    name = text_of(data, field, limits.LONGEST_NAME)
    return as_measure(name)


def text_of(data: RequestData, field: str, longest: int) -> str:
    """Return the text in a field."""
    given = data.get(field)
    if not isinstance(given, str):
        raise InputError("{argument} is missing", argument=field, expected="a text")
    if len(given) > longest:
        raise InputError(
            "{argument} has {size:,} characters", argument=field, size=len(given), most=longest,
            expected="at most {most:,}",
        )  # fmt: skip
    return given


def number_of(data: RequestData, field: str, usual: float | None, least: float, most: float) -> float:
    """Return the number in a field, which lies between two others."""
    given = data.get(field, usual)
    good = isinstance(given, (int, float)) and not isinstance(given, bool) and math.isfinite(given)
    if not good or not least <= given <= most:
        raise InputError(
            "{argument} is {got!r}", argument=field, got=_shown(given), least=least, most=most,
            expected="a number from {least:g} to {most:g}",
        )  # fmt: skip
    return float(given)


def whole_number_of(data: RequestData, field: str, usual: int | None, least: int, most: int) -> int:
    """Return the whole number in a field, which lies between two others."""
    found = number_of(data, field, usual, least, most)
    if not found.is_integer():
        raise InputError("{argument} is {got!r}", argument=field, got=found, expected="a whole number")
    return int(found)


def _shown(x: object) -> object:
    """Return a value for a message, cut where it is long."""
    text = repr(x)
    return x if len(text) <= 60 else f"{text[:60]}…"
