"""A result as plain data: the documented JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from goodmeasure.evaluation.positive_class import how_chosen
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.requirements.gate import Gate
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.significance import SLICES, USUAL
from goodmeasure.report.content.definitions import definitions
from goodmeasure.report.formats.format import Format, register
from goodmeasure.typing import Label

register(Format("json", (".json",), lambda result: result.json(), place=3, media_type="application/json"))
_MOST_CLASSES = 1000  # a larger matrix is written as its non-zero cells


def evaluation_data(result: Result) -> dict[str, object]:
    """Return the entries of a result's JSON that are for other programs."""
    settings, source, counted = result.settings, result.source, result.counted
    return {
        "source": {name: plain(value) for name, value in asdict(source).items()},
        "settings": {
            "measures": result.measured if source.of_outcomes else [f.name for f in settings.measures],
            "classwise": [f.name for f in settings.classwise],
            "confidence": settings.confidence,
            "seed": settings.seed,
            "method": settings.method,
            "replicates": settings.replicates,
            "undefined": str(settings.policy),
        },
        "data": {
            "rows": counted.rows,
            "labels": [] if source.of_outcomes else plain(counted.labels),
            **positive_data(source, result.parts[0].matrix.labels),
            "missing": plain(counted.missing),
            "left_out": plain(counted.dropped),
        },
        "table": [plain(row) for row in result.table],
        "claims": claims_data(result.settings.family, result.settings.confidence, result.claims),
        "slice_spread": [plain({**asdict(x), **_claim(result)}) for x in result.slice_spread],
        "slice_tests": [plain({**asdict(x), **_claim(result)}) for x in result.slice_tests],
        "averages": [plain(asdict(x)) for x in result.averages],
        "parts": [_part(part, result) for part in result.parts],
        "warnings": [plain(x.to_dict()) for x in result.warnings],
        "measures": [asdict(item) for item in definitions(result).items],
        **_beside(result),
        **gate_data(result.gate),
    }


def claims_data(family: str | None, confidence: float | None, shares: Mapping[str, float]) -> dict[str, object]:
    """Return which claims share one error rate, how large it is, and the share that each kind of claim has."""
    return {"family": family, "level": round(1 - (confidence or USUAL), 12), "shares": dict(shares)}


def _claim(result: Result) -> dict[str, object]:
    """Return the family of a claim about slices, and the level that its p-value is compared with."""
    known = claims_data(None if result.settings.family is None else SLICES, result.settings.confidence, {})
    return {"family": known["family"], "level": known["level"]}


def positive_data(source: Provenance, labels: Sequence[Label]) -> dict[str, object]:
    """Return the positive class of two and how it was chosen, as entries of the JSON; null where there are more."""
    if len(labels) != 2 or source.of_outcomes:
        return {"positive": None, "positive_chosen": None}
    return {"positive": plain(labels[-1]), "positive_chosen": how_chosen(source, labels[-1])}


def gate_data(gate: Gate | None) -> dict[str, object]:
    """Return the outcomes of the requirements as an entry of the JSON; empty if there were none."""
    return {} if gate is None else {"requirements": gate.to_dict()}


def _beside(result: Result) -> dict[str, object]:
    """Return the comparison and the sweep, if there are any; their modules import this one."""
    from goodmeasure.report.formats.comparison_writer import comparison_data
    from goodmeasure.report.formats.sweep_writer import sweep_data

    compared = result.comparison
    found: dict[str, object] = {} if compared is None else {"comparison": comparison_data(compared)}
    if result.swept is not None:
        bests = result.swept.bests(result.settings.confidence, result.settings.seed)
        found["sweep"] = sweep_data(result.swept, bests)
    return found


def _part(part: SystemScores, result: Result) -> dict[str, object]:
    of_labels = {
        "labels": plain(part.matrix.labels),
        **_counts(part),
        "always": {"class": plain(part.constant), "values": plain(part.constant_values)},
        "spread": {name: plain(asdict(found)) for name, found in part.spreads.items()},
        "intervals": part.methods,
    }
    return {
        "system": part.system,
        "slice": plain(part.slice),
        "n": plain(part.matrix.n),
        "items": part.sample.item_count,
        **({} if result.source.of_outcomes else of_labels),
        "warnings": [x.text for x in result.warnings if x.system in (None, part.system) and x.slice == part.slice],
    }


def _counts(part: SystemScores) -> dict[str, object]:
    matrix = part.matrix
    if matrix.m <= _MOST_CLASSES and not matrix.is_sparse:
        return {"counts": plain(matrix.counts.tolist())}
    rows, columns, values = matrix.sparse.cells()
    return {"cells": [list(x) for x in zip(rows.tolist(), columns.tolist(), map(plain, values.tolist()), strict=True)]}


def plain(x: object) -> object:
    """Return a value that JSON can hold: undefined numbers become null, infinite ones "inf" or "-inf"."""
    if isinstance(x, dict):
        return {str(name): plain(value) for name, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(value) for value in x]
    if x is None or isinstance(x, (str, bool, int)):
        return x
    if hasattr(x, "item") and not isinstance(x, float):
        return plain(x.item())
    if isinstance(x, float):
        return None if math.isnan(x) else x if math.isfinite(x) else "inf" if x > 0 else "-inf"
    return str(x)
