"""One warning of a result, as a record: whom it is about, and what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class About(NamedTuple):
    """A sentence about one class or one measure of a system."""

    text: str
    class_: Any = None
    measure: str | None = None


@dataclass(frozen=True)
class Caution:
    """One warning.

    `system` is None where the warning is about all systems together, `slice` where it is about all items, and `class_`
    and `measure` where it is about no single class or measure. `text` says everything without them.

    >>> str(Caution("A", None, "spam", None, "Class 'spam' has 2 items."))
    "A: Class 'spam' has 2 items."
    """

    system: str | None
    slice: Any
    class_: Any
    measure: str | None
    text: str

    def as_dict(self) -> dict[str, Any]:
        """The record under the names of the table's columns."""
        return {
            "system": self.system, "slice": self.slice, "class": self.class_, "measure": self.measure,
            "text": self.text,
        }  # fmt: skip

    def __str__(self) -> str:
        where = [] if self.slice is None else [f"slice {self.slice}"]
        whose = ", ".join([*([] if self.system is None else [self.system]), *where])
        return f"{whose}: {self.text}" if whose else self.text


def recorded(said: str | About, system: str | None, slice: Any) -> Caution:
    """A sentence as a record; plain text is about no single class or measure."""
    found = said if isinstance(said, About) else About(said)
    return Caution(system, slice, found.class_, found.measure, found.text)
