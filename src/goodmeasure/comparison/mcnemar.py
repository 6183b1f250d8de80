"""Which measures McNemar's test decides about."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.intervals.proportions import shares_of
from goodmeasure.typing import Array


@dataclass(frozen=True, eq=False)
class Hits:
    """The items that a proportion is taken over, chosen by true class, and which of them count as hits.

    With many classes, where `hits` is None, these are the right ones among all items, or the wrong ones.
    """

    hits: Array | None
    among: Array | None
    wrong: bool = False

    def right(self, true: Array, pred: Array) -> Array:
        """Return which items are hits."""
        if self.hits is None:
            found: Array = (pred == true) != self.wrong
            return found
        looked_up: Array = self.hits[true, pred]
        return looked_up

    def counted(self, true: Array) -> Array:
        """Return which items are counted at all."""
        found: Array = np.ones(len(true), bool) if self.among is None else self.among[true]
        return found


def hits_of(f: Measure, m: int) -> Hits | None:
    """Return which items a measure counts as hits, if McNemar's test decides about it; otherwise None.

    That is so where the measure is the share of hits among items chosen by their true class alone, as accuracy is, or
    recall and specificity of two classes: then both systems are measured on the same items. Precision is not: its
    denominator depends on the predictions.
    """
    shares = shares_of(f, m)
    if shares is None or not shares.by_true_class:
        return None
    if len(shares.hits) != m:
        return Hits(None, None, wrong=not shares.hits[0, 0])
    return Hits(shares.hits, np.asarray(shares.among.any(axis=1)))
