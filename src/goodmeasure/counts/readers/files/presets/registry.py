"""Every preset, how one is chosen, and how a log is written as a table that DuckDB reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from goodmeasure.counts.outcomes import SAMPLE, outcome_of
from goodmeasure.counts.readers.files.compression import beginning, compression_of
from goodmeasure.counts.readers.files.presets import deepeval, inspect_logs, lm_eval, openai_evals, promptfoo, tables
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
)
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ReadJson

PRESETS = (
    lm_eval.PRESET, inspect_logs.PRESET, promptfoo.PRESET, deepeval.PRESET, openai_evals.PRESET, tables.MLFLOW,
    tables.RAGAS,
)  # fmt: skip
TABLE = "table"  # the format that is no preset: files are tables, whatever they look like
_HEAD = 1 << 16
_STARTS = (b"{", b"PK")  # every log begins with one of these


class Roles(NamedTuple):
    """The columns that a preset makes: the ids of the rows, their true labels and the predicted ones, and outcomes.

    Where items have several answers, `sample` has the ids of the items. `of_labels` says that the labels are what the
    log itself is scored by; otherwise its outcomes are.
    """

    id: str = ITEM
    true: str = LABEL
    predicted: str = PREDICTION
    outcome: str = OUTCOME
    sample: str | None = None
    repeat: str | None = None
    of_labels: bool = True


def check_format(format: str | None) -> None:
    """Refuse the name of a format that does not exist."""
    if format is None or format == TABLE:
        return
    names = [x.name for x in PRESETS]
    if not isinstance(format, str) or format.partition(":")[0] not in names:
        raise InputError(
            "{format} is {got!r}", got=format, listed=", ".join(map(repr, [*names, TABLE])),
            advice="use one of {listed}, or leave it out: files are recognised by their contents",
        )  # fmt: skip


def preset_of(path: Path, shown: str, format: str | None) -> tuple[Preset, ProgramLog] | None:
    """Return the preset that reads a file, and the log; None if the file is a table."""
    if format == TABLE:
        return None
    name, _, part = (format or "").partition(":")
    with path.open("rb") as stream:
        start = stream.read(8)
    compression = compression_of(start)
    if compression == "zstd":
        return None
    head = beginning(path, compression, _HEAD) if start else b""
    if not name and not head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(_STARTS):
        return None
    log = ProgramLog(path, shown, compression, head, part or None)
    for preset in PRESETS:
        if preset.name == name and not preset.recognises(log):
            raise InputError("{shown} does not look like {title}", argument="format", shown=shown, title=preset.title)
        if preset.name == name or (not name and preset.recognises(log)):
            return preset, log
    return None


def write_table(preset: Preset, log: ProgramLog, target: Path) -> tuple[list[str], Roles]:
    """Write the items of a log as JSON lines; return what a reader must know about them, and their columns.

    Labels are used where they say the same as the log's own verdicts, and otherwise the verdicts. Rows that failed are
    left out.
    """
    notes: list[str] = []
    statuses, samples, seen = Counter[str](), Counter[object](), _Seen()
    with target.open("w", encoding="utf-8") as out:
        for row in preset.rows(log, notes):
            statuses[str(row.get(STATUS, ANSWERED))] += 1
            if row.get(STATUS) == FAILED:
                continue
            row = {SAMPLE: row[ITEM], REPEAT: 1, **row}
            seen.add(row)
            samples[json.dumps(row[SAMPLE], default=str)] += 1
            out.write(json.dumps(row, default=str) + "\n")
    repeated = max(samples.values(), default=0) > 1
    roles = Roles(of_labels=seen.of_labels(log, preset))
    if repeated:
        roles = roles._replace(sample=SAMPLE, repeat=REPEAT)
    if roles.of_labels and repeated:
        notes.append(f"{log.shown}: items have up to {max(samples.values()):,} answers, which count as a group.")
    notes += _about(log.shown, statuses, seen, roles)
    return notes, roles


class _Seen:
    """How many answers there are, how many have labels and verdicts, and how often these disagree."""

    def __init__(self) -> None:
        self.rows = self.labelled = self.equal = self.judged = self.other = 0

    def add(self, row: Mapping[str, ReadJson]) -> None:
        """Count one answer."""
        verdict = None if row.get(OUTCOME) is None else outcome_of(row[OUTCOME])
        is_equal = row.get(LABEL) == row.get(PREDICTION)
        self.rows += 1
        self.labelled += row.get(LABEL) is not None
        self.equal += is_equal
        self.judged += verdict is not None
        self.other += verdict is not None and verdict != float(is_equal)

    def of_labels(self, log: ProgramLog, preset: Preset) -> bool:
        """Return whether labels are what the log is scored by; refuse a log with neither labels nor verdicts."""
        has_labels = self.rows > 0 and self.labelled == self.rows and (self.equal > 0 or self.judged > 0)
        if not has_labels and not self.judged:
            raise InputError(
                "{shown} has neither labels nor verdicts in the answers that did not fail", shown=log.shown,
                title=preset.title, argument="format",
                advice="of {title}, goodmeasure reads answers that equal a target, and outcomes between 0 and 1",
            )  # fmt: skip
        return has_labels and self.other == 0


def _about(shown: str, statuses: Mapping[str, int], seen: _Seen, roles: Roles) -> list[str]:
    """Return what a reader must know: failed answers, refusals, and why outcomes were read instead of labels."""
    failed, refused = statuses.get(FAILED, 0), statuses.get(REFUSED, 0)
    rows = sum(statuses.values())
    found = []
    if failed:
        found.append(f"{shown}: {failed:,} of {rows:,} samples failed and have no answer; they are left out.")
    if refused:
        found.append(f"{shown}: {refused:,} of {rows:,} answers are refusals, which count as the log counts them.")
    if not roles.of_labels and seen.labelled == seen.rows:
        found.append(
            f"{shown}: read as outcomes, since {seen.other:,} of {seen.judged:,} verdicts of the log differ from "
            "whether the answer equals the target (docs/language-models.md)."
        )
    return found
