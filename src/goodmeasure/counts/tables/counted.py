"""What counting brings home: a sample for each system and slice, and what was missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from goodmeasure.counts.sample import Sample
from goodmeasure.counts.text_labels import Reading


class Slice(tuple[tuple[str, Any], ...]):
    """The items with some values in some columns, as (column, value) pairs; None is a missing value.

    >>> str(Slice([("country", "DE"), ("age", None)]))
    'country=DE, age missing'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(f"{column} missing" if value is None else f"{column}={value}" for column, value in self)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The counts of one or several systems, on all items (slice None) and by slice.

    Every matrix is the one that `confusion` gives for the same items alone.
    """

    samples: dict[tuple[str, Slice | None], Sample]
    systems: tuple[str, ...]
    slices: tuple[Slice, ...]  # in order, without that of all items
    labels: tuple[Any, ...]  # the classes of all systems
    rows: int
    missing: dict[str, int]  # by column, where there are any
    dropped: dict[str, int]  # by system: items left out, as a label was missing
    empty: dict[tuple[str, Slice], str] = field(default_factory=dict)  # slices with nothing to count, and why
    reading: Reading | None = None  # of labels in text files
