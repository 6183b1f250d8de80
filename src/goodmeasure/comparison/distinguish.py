"""Which measures order all predictions of n items alike, and witnesses that tell the others apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement

import numpy as np

from goodmeasure.catalogue.measure import Measure, MeasuresLike, among
from goodmeasure.comparison.which_is_better import NEAR, ExactValues, direction, listed, values_of
from goodmeasure.exceptions import InputError
from goodmeasure.progress import shows_progress
from goodmeasure.typing import Array

Triplet = tuple[list[int], list[int], list[int]]

_MOST_ITEMS = 2000
_EXACT_TIES = 1000  # ties compared exactly; of more, a sample of this size, spread evenly
_SMALL = 40  # items: up to here, all matrices are measured at once


@shows_progress("comparing")
def distinguish(measures: MeasuresLike, n: int) -> Distinction:
    """Return which measures agree on all data sets of n items with two classes, with witnesses for the others.

    Two measures agree if they put any two predictions for the same true labels in the same order, ties included; every
    labeling has items of both classes (goesgens2021, §5.1).

    >>> found = distinguish(["accuracy", "f1", "mcc", "sba"], 4)
    >>> found.groups
    [('accuracy',), ('f1',), ('mcc', 'sba')]
    >>> found.witness("accuracy", "mcc")
    ([0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 1, 1])
    """
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 2 <= n <= _MOST_ITEMS:
        raise InputError(
            "{n} is {got!r}", got=n, most_items=_MOST_ITEMS, expected="a number of items from 2 to {most_items}"
        )
    return Distinction(tuple(listed(measures)), int(n))


@dataclass(eq=False)
class Distinction:
    """The measures that order all predictions of n items alike, and what distinguishes the others.

    Only the confusion matrices of two predictions with the same true class sizes matter, so all data sets are covered
    by comparing all matrices of n items with the same number of positives. Two measures agree on these matrices exactly
    if sorting them by one measure gives steps (up, tie, down) of the same signs under the other: orders and ties
    between neighbours decide those between all.
    """

    measures: tuple[Measure, ...]
    n: int
    undefined: int = 0  # matrices on which some measure is undefined, which are left out
    ties: int = 0  # neighbouring values that are equal under all measures that agree
    ties_checked: int = 0  # how many of them were compared exactly
    _exact: ExactValues = field(default_factory=ExactValues, repr=False)
    _known: dict[int, Array] = field(default_factory=dict, repr=False)

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        """Return the sets of measures that agree on all data sets of n items; a measure may be alone.

        Two measures are compared where both are defined, and any two of a set agree.
        """
        groups = [list(self.measures)]
        self._measure_all()
        waiting: list[tuple[int, list[Measure], Array, Array]] = []
        for positives in range(1, self.n):
            if all(len(group) == 1 for group in groups):
                break
            groups = self._refined(groups, positives, waiting)
        groups = self._without_false_ties(groups, waiting)
        first = {f: k for k, f in enumerate(self.measures)}
        groups.sort(key=lambda group: first[group[0]])
        return [tuple(f.name for f in group) for group in groups]

    @property
    def indistinguishable(self) -> list[tuple[str, ...]]:
        """Return the sets of two or more measures that agree."""
        return [group for group in self.groups if len(group) > 1]

    def agree(self, first: object, second: object) -> bool:
        """Return whether two measures agree on all data sets of n items on which both are defined."""
        names = [self._named(x).name for x in (first, second)]
        # A measure that is undefined on some matrices may agree with two that disagree, but is in one group only.
        return any(set(names) <= set(group) for group in self.groups) or self.witness(*names) is None

    def witness(self, first: object, second: object) -> Triplet | None:
        """Return true labels A and two predictions B1, B2 that the measures order differently; None if they agree.

        The orders are opposite where n items allow that; otherwise one of the measures sees a tie.
        """
        pair = [self._named(first), self._named(second)]
        tie = None
        for positives in range(1, self.n):
            cells = matrices(self.n, positives)
            x, y = self._oriented(pair, cells)
            for before, after in self._opposed(x, y, cells, pair):
                return triplet(self.n, positives, cells[before], cells[after])
            if tie is None:
                found = next(self._differing(x, y, cells, pair), None)
                tie = None if found is None else triplet(self.n, positives, *(cells[k] for k in found))
        return tie

    def _named(self, measure: object) -> Measure:
        name = among(measure, self.measures).name
        for f in self.measures:
            if f.name == name:
                return f
        raise InputError(
            "{name} was not among the measures",
            name=name,
            known=", ".join(f.name for f in self.measures),
            advice="they are {known}",
        )

    def _oriented(self, measures: list[Measure], cells: Array) -> Array:
        """Return the values (measures, matrices), turned so that higher is better; NaN where undefined."""
        values = values_of(measures, cells)
        values *= np.array([[direction(f)] for f in measures])
        for row in values:
            _put_in_order(row)
        return values

    # Groups

    def _measure_all(self) -> None:
        """Compute all values at once where items are few, since a call then costs more than the matrices."""
        if self.n <= _SMALL:
            cells = [matrices(self.n, positives) for positives in range(1, self.n)]
            values = self._oriented(list(self.measures), np.concatenate(cells))
            parts = np.split(values, np.cumsum([len(x) for x in cells])[:-1], axis=1)
            self._known = dict(enumerate(parts, 1))

    def _values(self, group: list[Measure], positives: int, cells: Array) -> Array:
        if positives not in self._known:
            return self._oriented(group, cells)
        return self._known[positives][[self.measures.index(f) for f in group]]

    def _refined(
        self, groups: list[list[Measure]], positives: int, waiting: list[tuple[int, list[Measure], Array, Array]]
    ) -> list[list[Measure]]:
        """Return the groups, each split by the matrices with this many positives."""
        cells = matrices(self.n, positives)
        found: list[list[Measure]] = []
        for group in groups:
            if len(group) == 1:
                found.append(group)
                continue
            values = self._values(group, positives, cells)
            self.undefined += int(np.isnan(values).any(axis=0).sum())
            found += self._split(group, values, positives, waiting)
        return found

    def _split(
        self, group: list[Measure], values: Array, positives: int,
        waiting: list[tuple[int, list[Measure], Array, Array]],
    ) -> list[list[Measure]]:  # fmt: skip
        """Split a group by which measures order these matrices alike; ties are kept for an exact comparison later."""
        cells = matrices(self.n, positives)
        missing = [row.tobytes() for row in np.isnan(values)]
        orders: dict[tuple[int, bytes], tuple[Array, Array]] = {}

        def ordered(head: int, other: int) -> tuple[Array, Array]:
            """Return the matrices on which both measures are defined, sorted by the first, and their steps."""
            key = head, missing[other]
            if key not in orders:
                defined = np.flatnonzero(~(np.isnan(values[head]) | np.isnan(values[other])))
                order = defined[np.argsort(values[head][defined], kind="stable")]
                orders[key] = order, _steps(values[head], order)
            return orders[key]

        def fits(k: int, heads: list[int]) -> bool:
            for head in heads:
                order, steps = ordered(head, k)
                if self._truly(steps, _steps(values[k], order), order, cells, group[head], group[k]):
                    return False
            return True

        parts: list[list[int]] = []
        for k in range(len(group)):
            home = next((part for part in parts if fits(k, _first_of_each(part, missing))), None)
            if home is None:
                parts.append([k])
            else:
                home.append(k)
        for part in parts:
            heads = _first_of_each(part, missing)
            for head, other in combinations_with_replacement(heads, 2):
                members = [group[k] for k in part if missing[k] in (missing[head], missing[other])]
                if len(members) > 1:
                    order, steps = ordered(head, other)
                    at = np.flatnonzero(steps == 0)
                    waiting.append((positives, members, order[at], order[at + 1]))
        return [[group[k] for k in part] for part in parts]

    def _truly(
        self, steps: Array, others: Array, order: Array, cells: Array, first: Measure, second: Measure
    ) -> bool:  # fmt: skip
        """Return whether two measures order matrices differently: clearly, or exactly where floats see a tie."""
        if ((others < 0) & (steps > 0)).any():
            return True
        at = np.flatnonzero(steps != others)
        return any(self._differs(cells[order[k]], cells[order[k + 1]], first, second) for k in at)

    def _differs(self, before: Array, after: Array, first: Measure, second: Measure) -> bool:
        return self._exact.sign(first, before, after) != self._exact.sign(second, before, after)

    def _without_false_ties(
        self, groups: list[list[Measure]], waiting: list[tuple[int, list[Measure], Array, Array]]
    ) -> list[list[Measure]]:
        """Return the groups after comparing exactly the ties that their members share, or a sample of them."""
        final = {f: k for k, group in enumerate(groups) for f in group if len(group) > 1}
        wanted = []
        for positives, members, before, after in waiting:
            sharing: dict[int, list[Measure]] = {}
            for f in members:
                if f in final:
                    sharing.setdefault(final[f], []).append(f)
            wanted += [(positives, group, before, after) for group in sharing.values() if len(group) > 1]
        self.ties = sum(len(before) for _, _, before, _ in wanted)
        step = max(1, -(-self.ties // _EXACT_TIES))
        place = 0
        for positives, members, before, after in wanted:
            at = np.arange(-place % step, len(before), step)
            place += len(before)
            self.ties_checked += len(at)
            cells = matrices(self.n, positives) if len(at) else np.zeros((0, 2, 2))
            for k in at:
                groups = self._split_by_values(groups, members, cells[before[k]], cells[after[k]])
        return groups

    def _split_by_values(
        self, groups: list[list[Measure]], members: list[Measure], before: Array, after: Array
    ) -> list[list[Measure]]:
        """Return the groups, split where exact values on two matrices tell members apart."""
        signs = {f: self._exact.sign(f, before, after) for f in members}
        if len(set(signs.values())) == 1:
            return groups
        found = []
        for group in groups:
            parts: dict[int | None, list[Measure]] = {}
            for f in group:
                parts.setdefault(signs.get(f), []).append(f)
            found += list(parts.values())
        return found

    # Witnesses

    def _differing(self, x: Array, y: Array, cells: Array, pair: list[Measure]) -> Iterator[tuple[int, int]]:
        """Yield pairs of matrices on which one measure sees a tie and the other does not."""
        defined = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
        order = defined[np.lexsort((y[defined], x[defined]))]
        for k in np.flatnonzero(_steps(x, order) != _steps(y, order)):
            if self._differs(cells[order[k]], cells[order[k + 1]], *pair):
                yield int(order[k]), int(order[k + 1])

    def _opposed(self, x: Array, y: Array, cells: Array, pair: list[Measure]) -> Iterator[tuple[int, int]]:
        """Yield pairs of matrices that the measures order in opposite ways."""
        defined = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
        order = defined[np.lexsort((y[defined], x[defined]))]
        falls = np.flatnonzero((_steps(x, order) == 1) & (_steps(y, order) == -1))
        for before, after in [(order[k], order[k + 1]) for k in falls] or self._fallen(x, y, order):
            signs = [self._exact.sign(f, cells[before], cells[after]) for f in pair]
            if signs[0] * signs[1] < 0:
                yield int(before), int(after)

    @staticmethod
    def _fallen(x: Array, y: Array, order: Array) -> list[tuple[int, int]]:
        """Return a pair of matrices, not neighbours in the order, with x clearly higher and y clearly lower, if any."""
        if len(order) < 2:
            return []
        starts = np.flatnonzero(np.concatenate([[True], _steps(x, order) != 0]))
        if len(starts) < 2:
            return []
        highest = np.maximum.accumulate(y[order])
        least = np.minimum.reduceat(y[order], starts)
        gap = highest[starts[1:] - 1] - least[1:]
        k = int(np.argmax(gap)) + 1
        if gap[k - 1] <= NEAR:
            return []
        ends = np.append(starts, len(order))
        before = order[: starts[k]][int(np.argmax(y[order[: starts[k]]]))]
        block = order[starts[k] : ends[k + 1]]
        return [(before, block[int(np.argmin(y[block]))])]


def _first_of_each(part: list[int], missing: list[bytes]) -> list[int]:
    """Return one measure for all those of a part that are defined on the same matrices, since they order them alike."""
    return list({missing[k]: k for k in reversed(part)}.values())[::-1]


def _put_in_order(values: Array) -> None:
    """Replace infinite values by finite ones beyond all others, so that their differences are numbers."""
    endless = np.isinf(values)
    if endless.any():
        most = np.abs(values[np.isfinite(values)]).max(initial=1.0)
        values[endless] = np.sign(values[endless]) * 4 * most


def _steps(values: Array, order: Array) -> Array:
    """Return whether each value, in this order, is above (1), equal to (0) or below (−1) the one before it."""
    taken = values[order]
    move = np.diff(taken)
    size = NEAR * max(1.0, float(np.abs(taken).max(initial=0.0)))
    return (move > size).astype(np.int8) - (move < -size)


@lru_cache(64)
def matrices(n: int, positives: int) -> Array:
    """Return all 2×2 matrices of n items with this many positives in which both classes are predicted."""
    tp, fp = np.divmod(np.arange(1, (positives + 1) * (n - positives + 1) - 1), n - positives + 1)
    cells = np.empty((len(tp), 2, 2), np.int64)
    cells[:, 0, 0], cells[:, 0, 1] = n - positives - fp, fp
    cells[:, 1, 0], cells[:, 1, 1] = positives - tp, tp
    cells.flags.writeable = False  # the cache hands it out again
    return cells


def triplet(n: int, positives: int, first: Array, second: Array) -> Triplet:
    """Return labelings A, B1 and B2 with these two matrices; the positive items of A come last."""
    negatives = n - positives

    def prediction(cells: Array) -> list[int]:
        fp, tp = int(cells[0, 1]), int(cells[1, 1])
        return [0] * (negatives - fp) + [1] * fp + [0] * (positives - tp) + [1] * tp

    return [0] * negatives + [1] * positives, prediction(first), prediction(second)
