"""The results of promptfoo: ``promptfoo eval -o results.json``. With ``--repeat``, a test has several results."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from goodmeasure.counts.outcomes import SAMPLE
from goodmeasure.counts.readers.files.presets.preset import (
    ANSWERED,
    FAILED,
    ITEM,
    OUTCOME,
    REFUSED,
    REPEAT,
    STATUS,
    Preset,
    ProgramLog,
    chosen_part,
    document,
)
from goodmeasure.typing import ReadJson

_ERROR = 2  # the reason of a failure that says nothing about the answer


def recognises(log: ProgramLog) -> bool:
    """Return whether a file looks like results of promptfoo."""
    return b'"evalId"' in log.head and b'"results"' in log.head and b'"prompts"' in log.head


def rows(log: ProgramLog, _notes: list[str]) -> Iterator[dict[str, ReadJson]]:
    """Yield the results of one provider and prompt; a test is known by its variables, description and assertions."""
    results = document(log, "results of promptfoo")["results"]["results"]
    parts = list(dict.fromkeys(map(_part, results)))
    part = chosen_part(log, "provider", parts, "promptfoo")
    times = Counter[str]()
    for x in results:
        if _part(x) != part:
            continue
        test = x.get("testCase") or {}
        sample = json.dumps([test.get("description"), x.get("vars"), test.get("assert")], sort_keys=True)
        times[sample] += 1
        refusal = bool((x.get("response") or {}).get("isRefusal"))
        yield {
            "vars": x.get("vars"), "metadata": test.get("metadata"), "score": x.get("score"), ITEM: x["testIdx"],
            SAMPLE: sample, REPEAT: times[sample], OUTCOME: x.get("success"),
            STATUS: FAILED if x.get("failureReason") == _ERROR else REFUSED if refusal else ANSWERED,
        }  # fmt: skip


def _part(result: dict[str, ReadJson]) -> str:
    """Return the provider of a result, with the number of its prompt if it is not the first."""
    provider = result.get("provider") or {}
    name = str(provider.get("label") or provider.get("id")) if isinstance(provider, dict) else str(provider)
    return f"{name}/prompt {result['promptIdx'] + 1}" if result.get("promptIdx") else name


PRESET = Preset("promptfoo", "results of promptfoo", recognises, rows)
