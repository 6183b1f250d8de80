"""The table of a result: tidy rows, one for each value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.typing import Label

COLUMNS = ("system", "slice", "class", "measure", "value", "low", "high", "chance", "reason")
_ANY: object = object()
_SHOWN = 60


class Row(NamedTuple):
    """One value with its interval and chance level.

    `slice` is None where the value covers all items, and `label` where it covers all classes. With one column in `by`,
    a slice is a value of that column. With several, a slice of one column is text such as "site=x", and a combination
    is the tuple of its values.
    """

    system: str
    slice: Label
    label: Label  # the class
    measure: str
    value: float
    low: float
    high: float
    chance: float
    reason: str | None = None
    no_interval: str | None = None  # why there is no interval, where the reason is about that and not about the value

    def to_dict(self) -> dict[str, object]:
        """Return the row as a dict with the column names as keys."""
        return dict(zip(COLUMNS, self[: len(COLUMNS)], strict=True))


class Table(ShownInNotebooks, Sequence[dict[str, object]]):
    """A sequence of rows as dicts, ordered by system and slice.

    In each slice, the rows of all classes come before those of single classes.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = tuple(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, object]]:
        return (row.to_dict() for row in self.rows)

    @overload
    def __getitem__(self, k: int) -> dict[str, object]: ...
    @overload
    def __getitem__(self, k: slice) -> Table: ...
    def __getitem__(self, k: int | slice) -> dict[str, object] | Table:
        return Table(self.rows[k]) if isinstance(k, slice) else self.rows[k].to_dict()

    def where(
        self, *, system: object = _ANY, slice: object = _ANY, class_: object = _ANY, measure: object = _ANY
    ) -> Table:
        """Return the rows of one system, slice, class or measure; `class_=None` selects those of all classes."""
        wanted = {"system": system, "slice": slice, "label": class_, "measure": measure}
        asked = {name: value for name, value in wanted.items() if value is not _ANY}
        if "measure" in asked:
            asked["measure"] = str(asked["measure"])
        return Table([row for row in self.rows if all(getattr(row, k) == v for k, v in asked.items())])

    def columns(self) -> dict[str, list[object]]:
        """Return the table as a dict of columns."""
        return {name: [row[k] for row in self.rows] for k, name in enumerate(COLUMNS)}

    def _texts(self, most: int) -> list[list[str]]:
        """Return the columns that hold something as text: their names, and at most so many rows."""
        shown = [name for k, name in enumerate(COLUMNS) if any(row[k] is not None for row in self.rows)]
        return [shown, *([_text(row.to_dict()[name]) for name in shown] for row in self.rows[:most])]

    def __repr__(self) -> str:
        lines = self._texts(_SHOWN)
        widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
        text = ["  ".join(x.ljust(w) for x, w in zip(line, widths, strict=True)).rstrip() for line in lines]
        rest = len(self.rows) - _SHOWN
        return "\n".join([*text, *([f"… and {rest:,} more rows"] if rest > 0 else [])])


def _text(x: object) -> str:
    if x is None:
        return ""
    if isinstance(x, float):
        return "undefined" if math.isnan(x) else f"{x:.4f}"
    return str(x)
