"""The records of OpenAI evals (``oaieval``): JSON lines of events, of which those with a verdict are read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from goodmeasure.counts.outcomes import SAMPLE
from goodmeasure.counts.readers.files.compression import opened
from goodmeasure.counts.readers.files.presets.preset import (
    ITEM,
    LABEL,
    OUTCOME,
    PREDICTION,
    REPEAT,
    Preset,
    ProgramLog,
)
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ReadJson


def recognises(log: ProgramLog) -> bool:
    """Return whether a file looks like records of OpenAI evals."""
    return log.head.lstrip().startswith(b'{"spec"') and b'"eval_name"' in log.head


def rows(log: ProgramLog, notes: list[str]) -> Iterator[dict[str, ReadJson]]:
    """Yield the verdict of each sample; of a match, with the expected and the picked answer."""
    times, ended = Counter[str](), False
    with opened(log.path, log.compression) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                event = json.loads(line, parse_constant=lambda _: None)
            except ValueError:
                raise InputError(
                    "line {number} of {shown} is not a record of OpenAI evals", number=number, shown=log.shown,
                    advice="it may be damaged or cut off",
                ) from None  # fmt: skip
            ended = ended or "final_report" in event
            data = event.get("data")
            if event.get("type") not in ("match", "metrics") or not isinstance(data, dict):
                continue
            verdict = next((data[x] for x in ("correct", "score", "accuracy", "choice") if x in data), None)
            sample, expected = str(event.get("sample_id")), data.get("expected")
            times[sample] += 1
            expected = expected[0] if isinstance(expected, list) and len(expected) == 1 else expected
            label = None if isinstance(expected, (list, dict)) else expected
            yield {
                "data": data, ITEM: f"{sample}/{times[sample]}" if times[sample] > 1 else sample, SAMPLE: sample,
                REPEAT: times[sample], OUTCOME: verdict, LABEL: label, PREDICTION: data.get("picked"),
            }  # fmt: skip
    if not ended:
        notes.append(f"{log.shown}: the run has no final report, so it may not have finished.")


PRESET = Preset("openai-evals", "records of OpenAI evals", recognises, rows)
