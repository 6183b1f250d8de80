"""Scores by item: evaluation tables of MLflow (``eval_results_table.json``), and results of ragas as JSON lines.

A column of scores is an outcome. Where there are several, one has to be named.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from goodmeasure.counts.readers.files.compression import opened
from goodmeasure.counts.readers.files.presets.preset import ITEM, OUTCOME, Preset, ProgramLog, chosen_part, document
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ReadJson

_RAGAS = (b'"user_input"', b'"response"')
_ENDS = ("/score", "/value", "/pass")  # of the columns of scores that MLflow writes


def is_mlflow(log: ProgramLog) -> bool:
    """Return whether a file looks like an evaluation table of MLflow."""
    head = log.head.lstrip()
    return head.startswith(b'{"columns"') and b'"data"' in head and b'"index":[' not in head  # which pandas writes


def is_ragas(log: ProgramLog) -> bool:
    """Return whether a file looks like results of ragas in JSON lines."""
    first = log.head.lstrip().partition(b"\n")[0]
    return first.startswith(b"{") and all(key in first for key in _RAGAS)


def of_mlflow(log: ProgramLog, _notes: list[str]) -> Iterator[dict[str, ReadJson]]:
    """Yield the rows of an evaluation table, with the outcome of one column of scores."""
    table = document(log, "evaluation tables of MLflow")
    columns = [str(x) for x in table["columns"]]
    listed = [dict(zip(columns, row, strict=True)) for row in table["data"]]
    yield from _rows(log, "mlflow", listed, [x for x in columns if x.endswith(_ENDS)])


def of_ragas(log: ProgramLog, _notes: list[str]) -> Iterator[dict[str, ReadJson]]:
    """Yield the rows of results, with the outcome of one metric."""
    with opened(log.path, log.compression) as stream:
        listed = [json.loads(x, parse_constant=lambda _: None) for x in stream if x.strip()]
    yield from _rows(log, "ragas", listed, list(listed[0]))


def _rows(
    log: ProgramLog, preset: str, listed: list[dict[str, ReadJson]], columns: list[str]
) -> Iterator[dict[str, ReadJson]]:
    known = [x for x in columns if any(_is_score(row.get(x)) for row in listed)]
    known = [x for x in known if all(row.get(x) is None or _is_score(row[x]) for row in listed)]
    if not known:
        raise InputError(
            "{shown} has no column of scores between 0 and 1", shown=log.shown, argument="format",
            advice="name a column of outcomes with {y_correct:=}",
        )  # fmt: skip
    part = chosen_part(log, "metric", known, preset)
    for place, row in enumerate(listed):
        yield {**row, ITEM: place, OUTCOME: row.get(part)}


def _is_score(value: object) -> bool:
    return isinstance(value, (bool, int, float)) and 0 <= value <= 1


MLFLOW = Preset("mlflow", "evaluation tables of MLflow", is_mlflow, of_mlflow)
RAGAS = Preset("ragas", "results of ragas", is_ragas, of_ragas)
