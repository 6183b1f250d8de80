"""The table of precision, recall and F1 of each class, with their averages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from goodmeasure.exceptions import warn
from goodmeasure.sklearn.parameters import BOOLEAN, NATURAL, OPTIONAL_ARRAY, TARGET, ZERO_DIVISION, validated
from goodmeasure.sklearn.problems import Indicators, SingleLabels, read_problem
from goodmeasure.sklearn.rates import Rates
from goodmeasure.typing import Array, ArrayLike

_HEADERS = ("precision", "recall", "f1-score", "support")
ReportRow = tuple[float, float, float, float]


@validated(
    y_true=TARGET,
    y_pred=TARGET,
    labels=OPTIONAL_ARRAY,
    target_names=OPTIONAL_ARRAY,
    sample_weight=OPTIONAL_ARRAY,
    digits=(NATURAL,),
    output_dict=(BOOLEAN,),
    zero_division=ZERO_DIVISION,
)
def classification_report(
    y_true: object,
    y_pred: object,
    *,
    labels: object = None,
    target_names: object = None,
    sample_weight: object = None,
    digits: int = 2,
    output_dict: bool = False,
    zero_division: object = "warn",
) -> str | dict[str, object]:
    """Return precision, recall, F1 and support of each class, and their averages, as text or as a dictionary.

    >>> print(classification_report(["ham", "spam", "spam"], ["ham", "spam", "ham"]))
                  precision    recall  f1-score   support
    <BLANKLINE>
             ham       0.50      1.00      0.67         1
            spam       1.00      0.50      0.67         2
    <BLANKLINE>
        accuracy                           0.67         3
       macro avg       0.75      0.75      0.67         3
    weighted avg       0.83      0.67      0.67         3
    <BLANKLINE>
    """
    problem = read_problem(y_true, y_pred, sample_weight)
    shown = problem.labels if labels is None else np.asarray(labels)
    names = _names(shown, target_names, labels is not None)
    rates = Rates(problem, shown, zero_division)
    by_class, support = rates.of(None)
    classes: list[ReportRow] = list(zip(*cast("list[Array]", by_class), support, strict=True))  # no average
    averages: dict[str, ReportRow] = {}
    for average in ("micro", "macro", "weighted", *(["samples"] if isinstance(problem, Indicators) else [])):
        averages[_heading(problem, average, labels)] = (*cast("list[float]", rates.of(average)[0]), np.sum(support))
    if output_dict:
        return _dictionary(names, classes, averages)
    return _text(names, classes, averages, digits)


def _names(labels: Array, target_names: ArrayLike, labels_given: bool) -> Sequence[str]:
    """Return the names of the classes in the table."""
    if target_names is None:
        return [f"{label}" for label in labels]
    if len(labels) != len(target_names):
        if not labels_given:
            raise ValueError(
                f"Number of classes, {len(labels)}, does not match size of target_names, {len(target_names)}. "
                "Try specifying the labels parameter"
            )
        warn(f"labels size, {len(labels)}, does not match size of target_names, {len(target_names)}")
    named: Sequence[str] = target_names
    return named


def _heading(problem: SingleLabels | Indicators, average: str, labels: object) -> str:
    """Return the heading of an average; the micro average of all classes is the accuracy."""
    if average != "micro" or isinstance(problem, Indicators):
        return f"{average} avg"
    complete = labels is None or {*np.asarray(labels).tolist()} >= {*problem.labels.tolist()}
    return "accuracy" if complete else "micro avg"


def _dictionary(names: Sequence[str], classes: list[ReportRow], averages: dict[str, ReportRow]) -> dict[str, object]:
    rows = [*zip(names, classes, strict=False), *averages.items()]
    found = {name: dict(zip(_HEADERS, map(float, row), strict=True)) for name, row in rows}
    return {name: row["precision"] if name == "accuracy" else row for name, row in found.items()}


def _text(names: Sequence[str], classes: list[ReportRow], averages: dict[str, ReportRow], digits: int) -> str:
    width = max(max(map(len, names)), len("weighted avg"), digits)
    lines = [f"{'':>{width}s} " + "".join(f" {header:>9}" for header in _HEADERS), ""]
    lines += [_line(name, row, width, digits) for name, row in zip(names, classes, strict=False)]
    lines.append("")
    for heading, row in averages.items():
        shown = ("", "", *row[2:]) if heading == "accuracy" else row
        lines.append(_line(heading, shown, width, digits))
    return "\n".join(lines) + "\n"


def _line(name: str, row: tuple[object, ...], width: int, digits: int) -> str:
    *scores, support = row
    cells = "".join(f" {x:>9}" if isinstance(x, str) else f" {x:>9.{digits}f}" for x in scores)
    return f"{name:>{width}s} {cells} {support:>9}"
