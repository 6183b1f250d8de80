"""Your numbers: the scorecard of a confusion matrix, and matrices as people paste them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.files.matrix_files import matrix_from_bytes
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.evaluate import evaluate
from goodmeasure.evaluation.scoring import Part
from goodmeasure.evaluation.trivial_classifiers import baselines
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import Undefined
from goodmeasure.report.content.interval_methods import how
from goodmeasure.web import limits
from goodmeasure.web.answers.names import Data, facts, label_text, matrix_data, matrix_file, matrix_python, options

FAST = "delta"  # the method of intervals where the usual one would take long
MANY = 60  # classes
_SYSTEM = "matrix"


def scorecard(
    matrix: ConfusionMatrix, measures: list[Measure], *, confidence: float = 0.95, undefined: Undefined = "resolve",
    with_statement: bool = False,
) -> Data:  # fmt: skip
    """Return the scores of a matrix with intervals, chance levels, baselines, reasons and warnings."""
    method = "auto" if matrix.m <= MANY else FAST
    result = evaluate({_SYSTEM: matrix}, measures=measures, confidence=confidence, undefined=undefined, method=method)
    part = result.parts[0]
    return {
        "matrix": matrix_data(matrix),
        "n": float(matrix.n),
        "scores": [_score(part, f, row) for f, row in zip(measures, part.rows, strict=False)],
        "by_class": _by_class(part),
        "majority": label_text(part.constant),
        "warnings": [
            {"text": x.text, "measure": x.measure, "class": None if x.class_ is None else label_text(x.class_)}
            for x in result.warnings
        ],
        "method": how(result),
        **_to_copy(matrix, measures),
        **({"statement": result.statement()} if with_statement else {}),
    }


def _score(part: Part, f: Measure, row: Any) -> Data:
    """Return one line of the scorecard."""
    numbers = {"value": row.value, "low": row.low, "high": row.high, "chance": row.chance}
    return {
        **facts(f, part.matrix.m),
        **numbers,
        "majority": part.constant_values.get(f.name, math.nan),
        "reason": row.reason,
    }


def _by_class(part: Part) -> list[Data]:
    """Return the scores of each class against the rest."""
    found: dict[str, Data] = {}
    matrix = part.matrix
    for label, true, predicted in zip(matrix.labels, matrix.a, matrix.b, strict=True):
        name = label_text(label)
        found[name] = {"label": name, "true": float(true), "predicted": float(predicted), "scores": []}
    for row in part.rows:
        if row.label is not None:
            numbers = {"value": row.value, "low": row.low, "high": row.high, "chance": row.chance}
            found[label_text(row.label)]["scores"].append({"measure": row.measure, **numbers, "reason": row.reason})
    return list(found.values())


def _to_copy(matrix: ConfusionMatrix, measures: list[Measure]) -> Data:
    """Return the lines of Python and the commands that give the same numbers."""
    names = [f.name for f in measures]
    python = f"import goodmeasure as gm\n\n{matrix_python(matrix)}\nresult = gm.evaluate(cm, measures={names!r})"
    command = f"{matrix_file(matrix)}\ngoodmeasure evaluate --matrix matrix.json{options(measures)}"
    return {"python": python, "command": command}


def batch_values(matrices: Any, measures: list[Measure]) -> dict[str, Any]:
    """Return the values of measures on a batch of matrices, by name; the batch is laid out once for all of them."""
    batch = ConfusionMatrix(matrices)
    return {f.name: np.asarray(f(batch), dtype=float) for f in measures}


def pasted(text: str) -> Data:
    """Return the matrix that a text holds, as people copy it from a spreadsheet, a program or a paper."""
    try:
        found = matrix_from_bytes(_tidied(text).encode("utf-8", errors="replace"), None)
    except (ValueError, TypeError) as error:
        raise InputError(
            "the text holds no confusion matrix: {error}", argument="text", error=error,
            advice="paste rows of counts, one line for each true class, with or without names",
        ) from None  # fmt: skip
    if found.batch:
        raise InputError("{text} holds several matrices", advice="paste one of them")
    if found.m > limits.MOST_CLASSES:
        from goodmeasure.web.fields import too_many_classes

        raise too_many_classes(found.m)
    named = found.labels != tuple(range(found.m))
    kind = "with class names" if named else "without class names"
    return {"matrix": matrix_data(found), "said": f"Read {found.m} classes {kind}, {float(found.n):,.10g} items."}


def _tidied(text: str) -> str:
    """Return a text without what programs print around a matrix: array(…), brackets of NumPy, thousands separators."""
    text = text.strip().removeprefix("array(").removeprefix("tensor(").removeprefix("np.array(")
    body = text.rstrip(")").strip() if text.count(")") > text.count("(") else text
    if "\n" not in body and ";" in body and not body.startswith(("[", "{")):
        return body.replace(";", "\n")
    if body.startswith("[[") and "," not in body.replace("],", "]"):
        rows = [line.strip(" []\t") for line in body.replace("],", "]").splitlines()]
        return "\n".join(row for row in rows if row)
    return body


def trivial(matrix: ConfusionMatrix, measures: list[Measure]) -> Data:
    """Return what trivial classifiers would score: perfect, worst, constant, random."""
    found = baselines(matrix, measures)
    rows = [{"name": name, "about": found.about[name], "values": dict(values)} for name, values in found.items()]
    return {"rows": rows}
