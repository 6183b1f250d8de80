"""The logs of Inspect, the framework of the UK AI Security Institute: ``.json``, and ``.eval`` where it is installed.

Every sample has a target, and a score of each scorer with the answer that it took from the model's output.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping

from goodmeasure.counts.outcomes import SAMPLE
from goodmeasure.counts.readers.files.compression import everything
from goodmeasure.counts.readers.files.presets.preset import (
    ANSWERED,
    FAILED,
    ITEM,
    LABEL,
    OUTCOME,
    PREDICTION,
    REFUSED,
    REPEAT,
    STATUS,
    Preset,
    ProgramLog,
    among,
    chosen_part,
)
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ReadJson

_JSON = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"')


def recognises(log: ProgramLog) -> bool:
    """Return whether a file looks like a log of Inspect."""
    if _JSON.match(log.head) and b'"eval"' in log.head:
        return True
    return _is_archive(log)


def _is_archive(log: ProgramLog) -> bool:
    if not log.head.startswith(b"PK\x03\x04") or log.compression != "none":
        return False
    try:
        with zipfile.ZipFile(log.path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, OSError):
        return False
    return "_journal/start.json" in names or "header.json" in names


def rows(log: ProgramLog, notes: list[str]) -> Iterator[dict[str, ReadJson]]:
    """Yield the samples with the answers that one scorer took from the outputs."""
    samples = _of_archive(log) if log.head.startswith(b"PK") else _of_json(log)
    if not samples:
        raise InputError(
            "{shown} is a log of Inspect without samples", shown=log.shown, advice="there is nothing to count"
        )
    scorers = list(dict.fromkeys(name for x in samples for name in x["scores"] or {}))
    if not scorers:
        raise InputError(
            "{shown} is a log of Inspect without scores", shown=log.shown, advice="score it first: inspect score"
        )
    part = chosen_part(log, "scorer", scorers, "inspect")
    repeated = len({x["epoch"] for x in samples}) > 1
    for sample in samples:
        score = (sample["scores"] or {}).get(part)
        label, prediction = _labels(sample, score or {})
        value = (score or {}).get("value")
        id = f"{sample['id']}/epoch {sample['epoch']}" if repeated else sample["id"]
        rest = {name: sample[name] for name in ("id", "epoch", "target", "metadata")}
        yield {
            **rest, "score": value, ITEM: id, SAMPLE: sample["id"], REPEAT: sample["epoch"], LABEL: label,
            PREDICTION: prediction, OUTCOME: None if isinstance(value, (list, dict)) else value,
            STATUS: FAILED if score is None or sample["error"] else REFUSED if _refused(sample, value) else ANSWERED,
        }  # fmt: skip
    status, planned = samples[0]["status"], samples[0]["planned"]
    if status != "success":
        of = f" of {planned:,}" if planned else ""
        notes.append(f"{log.shown}: the run ended with the status {status!r}, after {len(samples):,}{of} samples.")


def _refused(sample: dict[str, ReadJson], value: object) -> bool:
    """Return whether a model gave no answer, or was stopped by a filter."""
    return value == "N" or sample["stop"] == "content_filter"


def _labels(sample: dict[str, ReadJson], score: dict[str, ReadJson]) -> tuple[object, object]:
    """Return the target and the answer; an empty answer is a missing one."""
    answer = score.get("answer")
    prediction = None if answer is None or not str(answer).strip() else str(answer).strip()
    targets = [str(x).strip() for x in (sample["target"] if isinstance(sample["target"], list) else [sample["target"]])]
    return among(prediction, targets) if targets else None, prediction


def _of_json(log: ProgramLog) -> list[dict[str, ReadJson]]:
    try:
        found = json.loads(everything(log.path, log.compression), parse_constant=lambda _: None)
    except ValueError as error:
        raise InputError(
            "{shown} is a damaged or cut off log of Inspect ({why})",
            shown=log.shown,
            why=error,
            advice="get it again",
        ) from None
    run = _run(found)
    return [
        {"epoch": 1, "metadata": {}, "scores": {}, "target": "", "error": None, **sample, **run, "stop": _stop(sample)}
        for sample in found.get("samples") or ()
    ]


def _run(log: Mapping[str, ReadJson]) -> dict[str, ReadJson]:
    """Return the status of a run, and how many samples it was to have."""
    results = log.get("results") or {}
    return {"status": log.get("status", "success"), "planned": results.get("total_samples")}


def _stop(sample: Mapping[str, ReadJson]) -> object:
    """Return why the model stopped."""
    choices = (sample.get("output") or {}).get("choices") or [{}]
    return choices[0].get("stop_reason")


def _of_archive(log: ProgramLog) -> list[dict[str, ReadJson]]:
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise InputError(
            "{shown} is a log of Inspect in its binary format, which inspect_ai reads", shown=log.shown,
            advice="pip install inspect_ai, or convert it with inspect log convert --to json",
        ) from None  # fmt: skip
    found = read_eval_log(str(log.path), format="eval")
    planned = None if found.results is None else found.results.total_samples
    return [
        {
            "id": x.id, "epoch": x.epoch, "target": x.target, "metadata": x.metadata or {}, "error": x.error,
            "scores": {name: {"value": s.value, "answer": s.answer} for name, s in (x.scores or {}).items()},
            "status": found.status, "planned": planned, "stop": x.output.stop_reason if x.output.choices else None,
        }
        for x in found.samples or ()
    ]  # fmt: skip


PRESET = Preset("inspect", "logs of Inspect", recognises, rows)
