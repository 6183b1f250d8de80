"""Windows over a stream: sliding windows, whose oldest items are removed, and weights that decay with age."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.exceptions import InputError
from goodmeasure.typing import LabelsLike

if TYPE_CHECKING:
    from goodmeasure.counts.matrix import ConfusionMatrix


class SlidingWindow:
    """The counts of the last pieces of a stream, such as the last seven days.

    >>> window = SlidingWindow(2)
    >>> for true, predicted in ((["a", "b"], ["a", "a"]), (["b"], ["b"]), (["a"], ["b"])):
    ...     window.update(true, predicted)
    >>> window.matrix.counts.tolist(), len(window)
    ([[0, 1], [0, 1]], 2)
    """

    def __init__(self, pieces: int, labels: LabelsLike | None = None) -> None:
        if isinstance(pieces, bool) or not isinstance(pieces, (int, np.integer)) or pieces < 1:
            raise InputError("{pieces} is {got!r}", got=pieces, expected="a whole number from 1 on")
        self._labels = labels
        self._pieces: deque[ConfusionMatrix] = deque(maxlen=int(pieces))
        self._sum = self._empty()
        self._lock = threading.Lock()  # held while a piece comes in and another one leaves

    def _empty(self) -> ConfusionMatrix:
        from goodmeasure.counts.matrix import ConfusionMatrix

        return ConfusionMatrix.empty(self._labels)

    @property
    def matrix(self) -> ConfusionMatrix:
        """Return the counts of all pieces in the window."""
        return self._sum

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

    def __getstate__(self) -> dict[str, object]:
        with self._lock:
            return {"_labels": self._labels, "_pieces": self._pieces.copy(), "_sum": self._sum}

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
