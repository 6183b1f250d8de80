"""The table of a result: one row for each value, tidy, as dicts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, overload

COLUMNS = ("system", "slice", "class", "measure", "value", "low", "high", "chance", "reason")
MISSING = "(missing)"  # how the class and the slice of missing values are called


def missing_name(known: Iterable[Any]) -> str:
    """How missing values are called beside known ones, of which one may have that very name.

    >>> missing_name(["a", None]), missing_name(["(missing)", None])
    ('(missing)', '(missing value)')
    """
    taken, name, k = set(known), MISSING, 1
    while name in taken:
        name = "(missing value)" if k == 1 else f"(missing value {k})"
        k += 1
    return name


_ANY: Any = object()
_SHOWN = 60


class Row(NamedTuple):
    """A value with its interval and its chance level; slice and class are None where it speaks of all items.

    With `by` one column, a slice is its value; with several, text such as "site=x" for the slices of one column, and
    the tuple of their values for combinations.
    """

    system: str
    slice: Any
    label: Any  # the class
    measure: str
    value: float
    low: float
    high: float
    chance: float
    reason: str | None = None
    no_interval: str | None = None  # why there is no interval, where the reason is about that and not about the value

    def as_dict(self) -> dict[str, Any]:
        """The row under the names of its columns."""
        return dict(zip(COLUMNS, self[: len(COLUMNS)], strict=True))


class Table(Sequence[dict[str, Any]]):
    """Rows as dicts, in order: all items first, then the classes; system by system and slice by slice."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = tuple(rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (row.as_dict() for row in self.rows)

    @overload
    def __getitem__(self, k: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, k: slice) -> Table: ...
    def __getitem__(self, k: int | slice) -> dict[str, Any] | Table:
        return Table(self.rows[k]) if isinstance(k, slice) else self.rows[k].as_dict()

    def where(self, *, system: Any = _ANY, slice: Any = _ANY, class_: Any = _ANY, measure: Any = _ANY) -> Table:
        """The rows of one system, slice, class or measure; `class_=None` are those of all classes together."""
        wanted = {"system": system, "slice": slice, "label": class_, "measure": measure}
        asked = {name: value for name, value in wanted.items() if value is not _ANY}
        if "measure" in asked:
            asked["measure"] = str(asked["measure"])
        return Table([row for row in self.rows if all(getattr(row, k) == v for k, v in asked.items())])

    def columns(self) -> dict[str, list[Any]]:
        """The table column by column."""
        return {name: [row[k] for row in self.rows] for k, name in enumerate(COLUMNS)}

    def __repr__(self) -> str:
        shown = [name for k, name in enumerate(COLUMNS) if any(row[k] is not None for row in self.rows)]
        lines = [[_text(row.as_dict()[name]) for name in shown] for row in self.rows[:_SHOWN]]
        widths = [max(len(line[k]) for line in [shown, *lines]) for k in range(len(shown))]
        text = ["  ".join(x.ljust(w) for x, w in zip(line, widths, strict=True)).rstrip() for line in [shown, *lines]]
        rest = len(self.rows) - _SHOWN
        return "\n".join([*text, *([f"… and {rest:,} more rows"] if rest > 0 else [])])


def _text(x: Any) -> str:
    if x is None:
        return ""
    if isinstance(x, float):
        return "undefined" if math.isnan(x) else f"{x:.4f}"
    return str(x)
