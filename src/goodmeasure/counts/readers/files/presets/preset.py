"""What a preset is: how a log of another program is recognised, and how its rows become items with labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from goodmeasure.exceptions import Given, InputError

ITEM, LABEL, PREDICTION = "item", "label", "prediction"


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

    `rows` yields a dict for each item, with its id, its true label and the predicted one under the names of this
    module, and everything else that the log has. It may note what a reader must know.
    """

    name: str
    title: str
    recognises: Callable[[ProgramLog], bool]
    rows: Callable[[ProgramLog, list[str]], Iterator[dict[str, object]]]


@dataclass
class Agreement:
    """How often a log's own verdict about an answer agrees with whether it equals the true label."""

    verdict: str  # what the log calls its verdict
    asked: int = 0
    other: int = field(default=0)

    def add(self, said_right: bool, is_equal: bool) -> None:
        """Count one answer."""
        self.asked += 1
        self.other += said_right != is_equal

    def note(self, shown: str) -> list[str]:
        """Return what a reader must know: nothing where both always agree."""
        if not self.other:
            return []
        return [
            f"{shown}: for {self.other:,} of {self.asked:,} answers, {self.verdict} of the log disagrees with whether "
            "the answer equals the true label, since the log compares answers in its own way (docs/runs.md)."
        ]


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
