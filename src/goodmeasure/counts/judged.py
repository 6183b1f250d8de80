"""A judge's labels of items, of which some have a human label as well."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from goodmeasure.typing import Array


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The items of one system that a judge has labelled, row by row; a row stands for one item or for several.

    `human`, `judge` and `pred` are positions among the classes of a matrix; `human` is −1 where an item has no human
    label. `weight` is what the items of a row weigh and `squares` the sum of their squared weights: both are the number
    of items where nothing is weighted. `chance` is the probability with which a row was drawn for a human label, up to
    a factor that is the same for all (1 for a simple random sample).
    """

    human: Array
    judge: Array
    pred: Array
    weight: Array
    squares: Array
    chance: Array
    group: Array | None = None  # the group of a row, by number
    stratum: Array | None = None  # the stratum of a row, by number
    place: Array | None = None  # where the row is in the data; None where a row may stand for several items

    @property
    def labelled(self) -> Array:
        """Return which rows have a human label."""
        known: Array = self.human >= 0
        return known

    def moved(self, places: Array) -> Judged:
        """Return the same items with each class at another position; classes at the same position become one."""
        places = np.asarray(places, np.int64)
        human = np.where(self.labelled, places[np.maximum(self.human, 0)], -1)
        return replace(self, human=human, judge=places[self.judge], pred=places[self.pred])

    def taken(self, where: Array) -> Judged:
        """Return some of the rows."""
        group, stratum, place = (None if x is None else x[where] for x in (self.group, self.stratum, self.place))
        return Judged(
            self.human[where], self.judge[where], self.pred[where], self.weight[where], self.squares[where],
            self.chance[where], group, stratum, place,
        )  # fmt: skip

    def occurring(self) -> Array:
        """Return the positions of the classes that the judge or the system names."""
        return np.union1d(self.judge, self.pred)
