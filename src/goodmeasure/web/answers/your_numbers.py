"""Your numbers: the scorecard of a confusion matrix, and what trivial classifiers would score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.evaluate import evaluate_each
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.trivial_classifiers import Baselines, baselines_of_many
from goodmeasure.report.content.interval_methods import how
from goodmeasure.web.answers.page_data import (
    PageData,
    facts,
    label_text,
    matrix_data,
    matrix_file,
    matrix_python,
    options,
)

if TYPE_CHECKING:
    from goodmeasure.evaluation.table import Row
    from goodmeasure.options import ScoringOptions

FAST: Final = "delta"  # the method of intervals where the usual one would take long
MANY = 60  # classes
_SYSTEM = "matrix"


@dataclass(frozen=True)
class ScorecardQuestion:
    """A matrix whose scorecard somebody asks for, and how it is to be measured."""

    matrix: ConfusionMatrix
    measures: tuple[Measure, ...]
    confidence: float = 0.95
    with_statement: bool = False

    @property
    def work(self) -> float:
        """Roughly the work: the cells that the measures read; the metric statement takes longer than small matrices."""
        return math.inf if self.with_statement else len(self.measures) * self.matrix.m**2

    def options(self) -> ScoringOptions:
        """Return the options of `evaluate`."""
        how: ScoringOptions = {"measures": list(self.measures), "confidence": self.confidence}
        return how if self.matrix.m <= MANY else {**how, "method": FAST}


def scorecard(question: ScorecardQuestion) -> PageData:
    """Return the scores of a matrix with intervals, chance levels, baselines, reasons and warnings."""
    return scorecards([question])[0]


def scorecards(questions: Sequence[ScorecardQuestion]) -> list[PageData]:
    """Return the scorecard of each question; small matrices are measured together."""
    results = evaluate_each([({_SYSTEM: x.matrix}, x.options()) for x in questions])
    return [_scorecard(*x) for x in zip(questions, results, strict=True)]


def _scorecard(question: ScorecardQuestion, result: Result) -> PageData:
    matrix, part = question.matrix, result.parts[0]
    return {
        "matrix": matrix_data(matrix),
        "n": float(matrix.n),
        "scores": [_score(part, f, row) for f, row in zip(question.measures, part.rows, strict=False)],
        "by_class": _by_class(part),
        "majority": label_text(part.constant),
        "warnings": [
            {"text": x.text, "measure": x.measure, "class": None if x.class_ is None else label_text(x.class_)}
            for x in result.warnings
        ],
        "method": how(result),
        **_to_copy(matrix, question.measures),
        **({"statement": result.statement()} if question.with_statement else {}),
    }


def _score(part: SystemScores, f: Measure, row: Row) -> PageData:
    """Return one line of the scorecard."""
    numbers = {"value": row.value, "low": row.low, "high": row.high, "chance": row.chance}
    return {
        **facts(f, part.matrix.m),
        **numbers,
        "majority": part.constant_values.get(f.name, math.nan),
        "reason": row.reason,
    }


def _by_class(part: SystemScores) -> list[PageData]:
    """Return the scores of each class against the rest."""
    found: dict[str, PageData] = {}
    scores: dict[str, list[PageData]] = {}
    matrix = part.matrix
    for label, true, predicted in zip(matrix.labels, matrix.a, matrix.b, strict=True):
        name = label_text(label)
        scores[name] = []
        found[name] = {"label": name, "true": float(true), "predicted": float(predicted), "scores": scores[name]}
    for row in part.rows:
        if row.label is not None:
            numbers = {"value": row.value, "low": row.low, "high": row.high, "chance": row.chance}
            scores[label_text(row.label)].append({"measure": row.measure, **numbers, "reason": row.reason})
    return list(found.values())


def _to_copy(matrix: ConfusionMatrix, measures: Sequence[Measure]) -> PageData:
    """Return the lines of Python and the commands that give the same numbers."""
    names = [f.name for f in measures]
    python = f"import goodmeasure as gm\n\n{matrix_python(matrix)}\nresult = gm.evaluate(cm, measures={names!r})"
    command = f"{matrix_file(matrix)}\ngoodmeasure evaluate --matrix matrix.json{options(measures)}"
    return {"python": python, "command": command}


def trivial(matrix: ConfusionMatrix, measures: Sequence[Measure]) -> PageData:
    """Return what trivial classifiers would score: perfect, worst, constant, random."""
    return trivials([ScorecardQuestion(matrix, tuple(measures))])[0]


def trivials(questions: Sequence[ScorecardQuestion]) -> list[PageData]:
    """Return for the matrix of each question what trivial classifiers would score; small ones are measured together."""
    alike: dict[tuple[int, tuple[Measure, ...]], list[int]] = {}
    for k, x in enumerate(questions):
        alike.setdefault((x.matrix.m, x.measures), []).append(k)
    found: dict[int, PageData] = {}
    for (_, measures), places in alike.items():
        every = baselines_of_many([questions[k].matrix for k in places], measures)
        found.update((k, _trivial(x)) for k, x in zip(places, every, strict=True))
    return [found[k] for k in range(len(questions))]


def _trivial(found: Baselines) -> PageData:
    return {"rows": [{"name": name, "about": found.about[name], "values": dict(x)} for name, x in found.items()]}
