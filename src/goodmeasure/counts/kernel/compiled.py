"""What the compiled modules offer: the functions of `_kernel.c` and `_scanner.c`, with their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from goodmeasure.typing import Array

ScannedColumn: TypeAlias = Array | list[object]
# Returns an array of that many numbers for the counts, of floats if the second argument is not 0.
Allocate: TypeAlias = Callable[[int, int], Array]
# What the codes of a column stand for: the values one after another; the lowest integer, with which of those after it
# occur; or objects, with one of each type and the place where each was first seen.
Described: TypeAlias = bytes | tuple[int, bytes] | tuple[list[object], dict[type, object], bytes]


class Kernel(Protocol):
    """Counts pairs of labels."""

    def cross(
        self, true: ScannedColumn, pred: ScannedColumn, weights: Array | None, allocate: Allocate, /
    ) -> tuple[Described, Described, Array] | None:
        """Return the codes of both columns and the table of their pairs; None if there are too many of them."""

    def encode(self, column: ScannedColumn, codes: Array, /) -> Described:
        """Write down the code of each item, and return what the codes stand for."""
        ...

    def window(self, true: Array, pred: Array, most: int, /) -> tuple[int, int] | None:
        """Return a range that probably holds all labels, as its lowest label and its size; None if it is too wide."""

    def pairs(
        self, true: Array, pred: Array, low: int, size: int, allocate: Allocate, /
    ) -> tuple[Array, Array, Array, Array] | None:
        """Return the diagonal, and rows, columns and counts of the other cells; None if a label is out of range."""

    def sizes(
        self, true: Array, pred: Array, low: int, size: int, sizes: Array, predicted: Array, keys: Array, /
    ) -> int | None:
        """Write class sizes and the keys of off-diagonal pairs; return how many, or None if one is out of range."""

    def cells(self, keys: Array, size: int, allocate: Allocate, /) -> tuple[Array, Array, Array]:
        """Return the cells whose keys `sizes` wrote, one for each item."""
        ...

    def sort(self, keys: Array, spare: Array, width: int, /) -> bool:
        """Sort signed integers of that many bytes, and return whether the result is in the spare array."""
        ...

    def deal(self, owners: Array, cells: Array, width: int, drawn: Array, counts: Array, /) -> None:
        """Put each item in a free place that a random number chooses, and count cells by shuffle and by owner."""


class Scanner(Protocol):
    """Reads delimited text."""

    def open(self, columns: int, wanted: Sequence[int], delimiter: int, returns: bool, most: int, /) -> object:
        """Return a scanner with a dictionary for each column that is wanted."""

    def scan(self, scanner: object, text: bytearray, size: int, codes: Array, /) -> tuple[int, int] | None:
        """Write the codes of whole lines; return the numbers of rows and bytes, or None if the text is not plain."""

    def labels(self, scanner: object, k: int, /) -> list[bytes]:
        """Return the labels of a wanted column, by code."""
        ...

    def records(self, state: object, text: bytearray, size: int, numbers: bytes, is_last: bool, /) -> bool:
        """Count the records of a block of a table; return whether every reader of tables understands it alike.

        The state is an array of eight integers of 64 bits: the numbers of columns, the delimiter, the longest record,
        and five zeros, of which the last becomes the number of records.
        """
        ...

    def objects(self, state: object, text: bytearray, size: int, /) -> bool:
        """Count the objects of a block of a JSON file; return whether there is nothing but objects.

        The state is an array of five integers of 64 bits: 1 if the objects are in a list, and four zeros, of which the
        last becomes the number of objects.
        """
        ...
