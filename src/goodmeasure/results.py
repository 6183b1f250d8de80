"""The kinds of results that are saved as JSON, and how a document of any kind is read."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from goodmeasure.documents import PREFIX, JsonDocument, check_kind, loaded
from goodmeasure.typing import ReadJson

KINDS = {
    "evaluation": "evaluation.result.Result",
    "comparison": "comparison.comparison.Comparison",
    "sweep": "evaluation.thresholds.sweep.Sweep",
    "requirements": "evaluation.requirements.gate.Gate",
    "judge": "evaluation.judges.judge.Judge",
    "drift": "comparison.drift_result.Drift",
    "plan": "comparison.planning.planned.Plan",
    "recommendation": "recommendation.recommendation.Recommendation",
    "confusion-matrix": "counts.matrix.ConfusionMatrix",
    "window": "counts.windows.SlidingWindow",
    "verdict": "theory.statements.verdict.Verdict",
    "verdicts": "theory.statements.verdict.Report",
    "atlas": "theory.atlas.atlas.Atlas",
    "possible": "theory.possible.answer.Possible",
    "impossible": "theory.possible.answer.Impossible",
    "preservation": "theory.atlas.preservation.Preservation",
    "normaliser": "theory.possible.normaliser.Normaliser",
}
"""The module and the class of each kind of document; `make docs` writes the JSON Schema of each to `schemas/`."""


def class_of(kind: str) -> type[JsonDocument]:
    """Return the class of a kind of document."""
    module, _, name = KINDS[kind].rpartition(".")
    found: type[JsonDocument] = getattr(import_module(f"goodmeasure.{module}"), name)
    return found


def read(text: str | bytes | Mapping[str, ReadJson]) -> JsonDocument:
    """Return the object that a JSON text stands for, whatever kind of document it is.

    >>> import goodmeasure as gm
    >>> read(gm.ConfusionMatrix([[1, 2], [3, 4]]).to_json()).n
    10
    """
    data = loaded(text)
    schema = str(data.get("schema", "")) if isinstance(data, Mapping) else ""
    kind = schema.removeprefix(f"{PREFIX}/").partition("/")[0]
    if kind not in KINDS:
        check_kind(data, "evaluation", 1)
    return class_of(kind).from_json(data)
