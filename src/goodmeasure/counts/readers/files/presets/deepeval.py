"""The test runs of DeepEval, which it writes into the folder DEEPEVAL_RESULTS_FOLDER."""

from __future__ import annotations

from collections.abc import Iterator

from goodmeasure.counts.outcomes import SAMPLE
from goodmeasure.counts.readers.files.presets.preset import (
    ANSWERED,
    FAILED,
    ITEM,
    OUTCOME,
    STATUS,
    Preset,
    ProgramLog,
    chosen_part,
    document,
)
from goodmeasure.typing import ReadJson

EVERY = "all metrics"


def recognises(log: ProgramLog) -> bool:
    """Return whether a file looks like a test run of DeepEval."""
    return log.head.lstrip().startswith(b'{"testCases"') and b'"metricsData"' in log.head


def rows(log: ProgramLog, notes: list[str]) -> Iterator[dict[str, ReadJson]]:
    """Yield the test cases: whether they passed all metrics or, where one is named, that one."""
    cases = document(log, "test runs of DeepEval")["testCases"]
    names = list(dict.fromkeys(str(y["name"]) for x in cases for y in x.get("metricsData") or ()))
    part = EVERY if log.part is None else chosen_part(log, "metric", names, "deepeval")
    if log.part is None and len(names) > 1:
        notes.append(
            f"{log.shown}: a test case passes if it passes all of {', '.join(names)}; format='deepeval:{names[0]}' "
            "takes one of them."
        )
    for place, case in enumerate(cases):
        data = case.get("metricsData") or []
        metric = next((y for y in data if y["name"] == part), None)
        errors = [y for y in data if y.get("error") and part in (EVERY, y["name"])]
        scores = {str(y["name"]): y.get("score") for y in data}
        yield {
            "input": case.get("input"), "output": case.get("actualOutput"), "scores": scores, "tags": case.get("tags"),
            ITEM: place, SAMPLE: case.get("name", place), STATUS: FAILED if errors else ANSWERED,
            OUTCOME: case.get("success") if part == EVERY else None if metric is None else metric.get("success"),
        }  # fmt: skip


PRESET = Preset("deepeval", "test runs of DeepEval", recognises, rows)
