"""The result of counting: a sample for each system and slice, and how many labels were missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from goodmeasure.counts.sample import Sample
from goodmeasure.counts.text_labels import Reading


class Slice(tuple[tuple[str, Any], ...]):
    """The items with certain values in certain columns, as (column, value) pairs; None is a missing value.

    >>> str(Slice([("country", "DE"), ("age", None)]))
    'country=DE, age missing'
    """

    __slots__ = ()

    def __str__(self) -> str:
        return ", ".join(f"{column} missing" if value is None else f"{column}={value}" for column, value in self)


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """The counts of one or several systems, on all items (slice None) and by slice.

    Every matrix is the one that `confusion` returns for the same items alone.
    """

    samples: dict[tuple[str, Slice | None], Sample]
    systems: tuple[str, ...]
    slices: tuple[Slice, ...]  # in order, without None
    labels: tuple[Any, ...]  # the classes of all systems
    rows: int
    missing: dict[str, int]  # missing labels by column, if there are any
    dropped: dict[str, int]  # by system: items left out because a label was missing
    empty: dict[tuple[str, Slice], str] = field(default_factory=dict)  # slices with nothing to count, and why
    reading: Reading | None = None  # how labels in text files were read
