"""Warnings as records: what each is about, and its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from goodmeasure.typing import Label


class About(NamedTuple):
    """A sentence that is about one class or one measure of a system."""

    text: str
    class_: Label = None
    measure: str | None = None


@dataclass(frozen=True)
class Caution:
    """One warning.

    `system` is None where the warning is about all systems, `slice` where it is about all items, and `class_` and
    `measure` where it is about no single class or measure. `text` can be read without these fields.

    >>> str(Caution("A", None, "spam", None, "Class 'spam' has 2 items."))
    "A: Class 'spam' has 2 items."
    """

    system: str | None
    slice: Label
    class_: Label
    measure: str | None
    text: str

    def to_dict(self) -> dict[str, object]:
        """Return the record as a dict with the column names of the table."""
        return {
            "system": self.system, "slice": self.slice, "class": self.class_, "measure": self.measure,
            "text": self.text,
        }  # fmt: skip

    def __str__(self) -> str:
        where = [] if self.slice is None else [f"slice {self.slice}"]
        whose = ", ".join([*([] if self.system is None else [self.system]), *where])
        return f"{whose}: {self.text}" if whose else self.text


def recorded(said: str | About, system: str | None, slice: Label) -> Caution:
    """Return a sentence as a record; plain text is about no single class or measure."""
    found = said if isinstance(said, About) else About(said)
    return Caution(system, slice, found.class_, found.measure, found.text)
