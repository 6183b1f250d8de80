"""Every preset, how one is chosen, and how a log is written as a table that DuckDB reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from goodmeasure.counts.readers.files.compression import beginning, compression_of
from goodmeasure.counts.readers.files.presets import inspect_logs, lm_eval
from goodmeasure.counts.readers.files.presets.preset import ITEM, LABEL, PREDICTION, Preset, ProgramLog
from goodmeasure.exceptions import InputError

PRESETS = (lm_eval.PRESET, inspect_logs.PRESET)
TABLE = "table"  # the format that is no preset: files are tables, whatever they look like
_HEAD = 1 << 16
_STARTS = (b"{", b"PK")  # every log begins with one of these


class Roles(NamedTuple):
    """The columns that a preset makes: the ids of the items, their true labels and the predicted ones."""

    id: str = ITEM
    true: str = LABEL
    predicted: str = PREDICTION


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


def write_table(preset: Preset, log: ProgramLog, target: Path) -> list[str]:
    """Write the items of a log as JSON lines; return what a reader must know about them."""
    notes: list[str] = []
    with target.open("w", encoding="utf-8") as out:
        for row in preset.rows(log, notes):
            out.write(json.dumps(row, default=str) + "\n")
    return notes
