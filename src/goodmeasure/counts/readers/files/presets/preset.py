"""What a preset is: how a log of another program is recognised, and how its rows become items with labels."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from goodmeasure.counts.readers.files.compression import everything
from goodmeasure.exceptions import Given, InputError
from goodmeasure.typing import ReadJson

ITEM, LABEL, PREDICTION = "item", "label", "prediction"
OUTCOME, REPEAT, STATUS = "outcome", "repeat", "status"
FAILED, REFUSED, ANSWERED = "failed", "refused", "answered"


@dataclass(frozen=True)
class ProgramLog:
    """A log that is to be read."""

    path: Path
    shown: str  # the name that the user knows
    compression: str
    head: bytes  # its first bytes, uncompressed
    part: str | None = None  # which of several filters or scorers is meant


@dataclass(frozen=True)
class Preset:
    """A format of logs.

    `rows` yields a dict for each answer under the names of this module, and everything else that the log has: a row has
    an id of its own, a true label with the predicted one, or the outcome that the log gives it, or both. Where items
    have several answers, `sample` is the id of the item, and `repeat` says which answer a row is. The status says
    which rows failed, so that there is no answer, and which are refusals. It may note what a reader must know.
    """

    name: str
    title: str
    recognises: Callable[[ProgramLog], bool]
    rows: Callable[[ProgramLog, list[str]], Iterator[dict[str, object]]]


def document(log: ProgramLog, what: str) -> dict[str, ReadJson]:
    """Return the JSON of a log; refuse a damaged one."""
    try:
        found: dict[str, ReadJson] = json.loads(everything(log.path, log.compression), parse_constant=lambda _: None)
    except ValueError as error:
        raise InputError(
            "{shown} is damaged or cut off ({why})", shown=log.shown, why=error, what=what,
            expected="a file of {what}", advice="get it again",
        ) from None  # fmt: skip
    return found


def chosen_part(log: ProgramLog, what: str, found: Sequence[str], preset: str) -> str:
    """Return the filter or scorer that was named, or the only one; refuse a choice that is open or wrong."""
    if log.part is None and len(found) == 1:
        return found[0]
    if log.part in found:
        return str(log.part)
    listed = ", ".join(map(repr, found))
    if log.part is None:
        raise InputError(
            "{shown} has the answers of {number} {what}s ({listed})", argument="format", shown=log.shown,
            number=len(found), what=what, listed=listed, say=Given("format", f"{preset}:{found[0]}"),
            advice="say which one is meant, such as {say}",
        )  # fmt: skip
    raise InputError(
        "{shown} has no {what} {part!r}", argument="format", shown=log.shown, what=what, part=log.part, listed=listed,
        advice="it has {listed}",
    )  # fmt: skip


def among(prediction: object, right: Iterable[object]) -> object:
    """Return the true label where several are right: the predicted one if it is among them, else the first."""
    listed = list(right)
    return prediction if prediction in listed else listed[0]
