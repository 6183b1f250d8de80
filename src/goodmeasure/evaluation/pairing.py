"""How a result gets the paired comparison of its systems, which is made when somebody first asks for it.

The comparison room is below this one: it may import this room, but not the other way round. So it is loaded here, by
its name, when a comparison is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from goodmeasure.counts.counted_rows import JointCounting
from goodmeasure.counts.readers.frames import MOST_LABELS, MOST_SYSTEMS

if TYPE_CHECKING:
    from goodmeasure.comparison.comparison import Comparison as Comparison
    from goodmeasure.counts.joint import Joint
    from goodmeasure.evaluation.result import Result
    from goodmeasure.evaluation.scores.reading_scores import ScoreData

UNASKED = "was not tested"
OF_MATRICES = "cannot be tested: confusion matrices do not say which items two systems both get wrong"


class Pairing:
    """What the systems of a result say about the same items, or why that is not known.

    All copies of a result share it, so that systems are compared only once. `why` ends a sentence about a difference
    that was not tested.
    """

    def __init__(self, data: Joint | JointCounting | ScoreData | None = None, why: str = UNASKED) -> None:
        self._data, self.why = data, why
        self._made: Comparison | None = None

    def comparison(self, result: Result) -> Comparison | None:
        """Return the comparison of the systems of a result; None where they cannot be compared."""
        if self._made is None and self._data is not None:
            compare = import_module("goodmeasure.comparison.of_results")
            try:
                self._made = compare.compared(result, self._counted())
            except ValueError as error:  # a comparison may refuse missing labels that separate evaluations allow
                self.why = f"cannot be tested: {error}"
            self._data = None
        return self._made

    def _counted(self) -> Joint | ScoreData | None:
        return self._data.joint() if isinstance(self._data, JointCounting) else self._data

    def _stored(self) -> tuple[Comparison | None, str]:
        """Return what a document holds: the comparison, if it has been made."""
        return self._made, self.why

    @classmethod
    def _restored(cls, kept: tuple[Comparison | None, str]) -> Pairing:
        """Return the pairing that a document holds."""
        found = cls(why=kept[1])
        found._made = kept[0]
        return found

    def __getstate__(self) -> dict[str, object]:
        """Return what is pickled: counts instead of the function that counts."""
        self._data = self._counted()
        return self.__dict__


def too_many(items: int, systems: int) -> str:
    """Return why so many items or systems are not compared in passing; empty if they are not too many."""
    if systems <= MOST_SYSTEMS and items * systems <= MOST_LABELS:
        return ""
    size = f"{systems:,} systems" if systems > MOST_SYSTEMS else f"{items:,} items"
    return f"was not tested, as there are {size}: gm.compare (goodmeasure compare) takes that many"
