"""Windows over a stream: sliding windows, whose oldest items are removed, and weights that decay with age."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.counts.classes import rarer
from goodmeasure.documents import JsonDocument
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Label, LabelsLike

if TYPE_CHECKING:
    from goodmeasure.counts.matrix import ConfusionMatrix


class StoredWindow(NamedTuple):
    """What a document holds of a window."""

    most: int
    labels: list[Label] | None
    pieces: tuple[ConfusionMatrix, ...]
    sum: ConfusionMatrix
    positive: Label


class SlidingWindow(JsonDocument):
    """The counts of the last pieces of a stream, such as the last seven days.

    Of two classes of text, the one that is rarer among the true labels when the matrix is first asked for stays the
    positive one, so that measures of one night can be compared with those of another.

    >>> window = SlidingWindow(2)
    >>> for true, predicted in ((["a", "b"], ["a", "a"]), (["b"], ["b"]), (["a"], ["b"])):
    ...     window.update(true, predicted)
    >>> window.matrix.counts.tolist(), len(window)
    ([[0, 1], [0, 1]], 2)
    """

    kind = "window"

    def __init__(self, pieces: int, labels: LabelsLike | None = None) -> None:
        if isinstance(pieces, bool) or not isinstance(pieces, (int, np.integer)) or pieces < 1:
            raise InputError("{pieces} is {got!r}", got=pieces, expected="a whole number from 1 on")
        self._labels = labels
        self._pieces: deque[ConfusionMatrix] = deque(maxlen=int(pieces))
        self._sum = self._empty()
        self._positive: Label = None  # of two classes that nothing orders
        self._lock = threading.Lock()  # held while a piece comes in and another one leaves

    def _empty(self) -> ConfusionMatrix:
        from goodmeasure.counts.matrix import ConfusionMatrix

        return ConfusionMatrix.empty(self._labels)

    @property
    def matrix(self) -> ConfusionMatrix:
        """Return the counts of all pieces in the window."""
        found = self._sum
        if found.m != 2 or found.positive is not None:
            return found
        with self._lock:
            if self._positive not in found.labels:
                self._positive = rarer(dict(zip(found.labels, found.a.tolist(), strict=True)))
        return found.aligned(sorted(found.labels, key=lambda label: label == self._positive))

    @property
    def pieces(self) -> tuple[ConfusionMatrix, ...]:
        """Return the counts of each piece in the window, the oldest first."""
        with self._lock:
            return tuple(self._pieces)

    def update(self, y_true: object, y_pred: object, *, sample_weight: object = None, missing: str = "error") -> None:
        """Count a further piece, also an empty one; if the window is full, the oldest piece leaves it."""
        piece = self._empty()
        piece.update(y_true, y_pred, sample_weight=sample_weight, missing=missing)
        self.add(piece)

    def add(self, piece: ConfusionMatrix) -> None:
        """Add the counts of a further piece; if the window is full, the oldest piece leaves it."""
        with self._lock:
            self._add(piece)

    def _add(self, piece: ConfusionMatrix) -> None:
        leaving = self._pieces[0] if len(self._pieces) == self._pieces.maxlen else None
        total = self._sum + piece if self._sum.m or piece.m else self._sum  # an error must leave the window as it was
        self._pieces.append(piece)
        if leaving is None:
            self._sum = total
        elif total.n == 0 or not _is_whole(total):  # sums of weights are added anew, since differences are rounded
            self._sum = sum(self._pieces, self._empty())
        else:
            self._sum = total - leaving if leaving.m else total

    def _stored(self) -> StoredWindow:
        """Return what a document holds."""
        labels = None if self._labels is None else list(self._labels)
        assert self._pieces.maxlen is not None
        with self._lock:
            return StoredWindow(self._pieces.maxlen, labels, tuple(self._pieces), self._sum, self._positive)

    @classmethod
    def _restored(cls, kept: StoredWindow) -> SlidingWindow:
        """Return the window that a document holds."""
        window = cls(kept.most, kept.labels)
        window._pieces.extend(kept.pieces)
        window._sum, window._positive = kept.sum, kept.positive
        return window

    def __getstate__(self) -> dict[str, object]:
        with self._lock:
            return {"_labels": self._labels, "_pieces": self._pieces.copy(), "_sum": self._sum,
                    "_positive": self._positive}  # fmt: skip

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state, _lock=threading.Lock())

    def __len__(self) -> int:
        return len(self._pieces)

    def __repr__(self) -> str:
        return f"the last {len(self)} of at most {self._pieces.maxlen} pieces:\n{self._sum!r}"


def _is_whole(matrix: ConfusionMatrix) -> bool:
    values = matrix.sparse.cells()[2] if matrix.is_sparse else matrix.counts
    return values.dtype.kind in "iu"


def check_factor(factor: object) -> float:
    """Return a factor of decay as a float; refuse what is not above 0 and at most 1."""
    if isinstance(factor, bool) or not isinstance(factor, (int, float, np.integer, np.floating)) or not 0 < factor <= 1:
        raise InputError("{factor} is {got!r}", got=factor, expected="a number above 0 and at most 1")
    return float(factor)
