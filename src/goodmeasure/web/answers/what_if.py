"""What if: what must change for a measure to reach a value.

How measures react to a slider is computed in the page, by the script of `scripts.py`.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias, TypedDict, TypeVar, final

import numpy as np

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.language.record import CannotRecord
from goodmeasure.theory.statements.statement import Cell
from goodmeasure.typing import Array
from goodmeasure.web.answers.page_data import PageData, facts, label_text

_CELLS = 4_000_000  # cells of all matrices that one search looks at; beyond, only corrections are looked at
_MOST_CELLS = 100_000_000  # beyond, only corrections of the most frequent errors are looked at
_AT_ONCE = 2_000_000  # cells of the matrices that are measured at once
_GRID, _ROUNDS = 33, 5  # points of each grid of shares, and grids: the share is found to 3e-8
_NEAR = 1e-9  # values this close to the target are compared exactly
EXACT_CLASSES = 10  # with more classes, exact values take long


def _moved(matrix: ConfusionMatrix, source: Cell, target: Cell, items: Array) -> Array:
    """Return the matrices after each of these numbers of items was moved from one cell to another."""
    whole = matrix.counts.dtype.kind in "iu" and bool((items == np.round(items)).all())
    kind = np.dtype(np.int64 if whole else np.float64)
    found = np.repeat(matrix.counts[None].astype(kind), len(items), axis=0)
    found[:, source[0], source[1]] -= items.astype(kind)
    found[:, target[0], target[1]] += items.astype(kind)
    return found


# What must change for a measure to reach a value


@dataclass(frozen=True)
class _Wanted:
    """A value that a measure should reach, and from which side."""

    measure: Measure
    target: Fraction
    sign: int  # 1: at least the target, −1: at most

    def reached(self, values: Array, matrices: Array) -> Array:
        """Return which matrices reach the target; where rounding could decide, exact values do."""
        target = float(self.target)
        found = (values - target) * self.sign >= 0
        if matrices.shape[-1] <= EXACT_CLASSES:
            for k in np.flatnonzero(np.abs(values - target) < _NEAR)[:20]:
                try:
                    found[k] = self._is_reached(matrices[k])
                except CannotRecord:  # a function that needs floats has no exact value
                    break
        return found

    def _is_reached(self, counts: Array) -> bool:
        value = self.measure.exact(counts.tolist())
        return bool(value >= self.target if self.sign > 0 else value <= self.target)


@dataclass(frozen=True)
class Target:
    """A value that a measure should reach, beginning with a matrix."""

    matrix: ConfusionMatrix
    measure: Measure
    value: float

    @cached_property
    def moves(self) -> _Moves:
        """What is tried: from which cell items are moved to which other one."""
        return _Moves.of(self.matrix)

    @property
    def work(self) -> float:
        """The cells of all matrices that must be measured."""
        return self.moves.cells


def to_reach(targets: Sequence[Target]) -> list[PageData]:
    """Return for each target how few items of each kind must be predicted differently for the measure to reach it.

    For every pair of cells in a row, each number of items that can be moved is tried, so that the answer is exact even
    where a measure falls before it rises. The matrices of all targets are measured together.
    """
    values = measured_together([(x.measure, _as_it_is(x.matrix)) for x in targets])
    starts = [_Start.of(*x) for x in zip(targets, values, strict=True)]
    searches = [(x.target.measure, search) for x in starts for search in x.searches()]
    found = iter(measured_together(searches))
    return [x.answer(found) for x in starts]


@final
class _Reached(TypedDict):
    """The fewest items whose move reaches the target."""

    items: int
    of: int
    value: float
    text: str


@final
class _Missed(TypedDict):
    """The best value that moving items gives, where none reaches the target."""

    best: float
    at: int
    of: int
    text: str


@final
class _FewerErrors(TypedDict):
    """The share of all errors that must go."""

    share: float
    value: float
    text: str


Ending = TypeVar("Ending")
SearchSteps: TypeAlias = Generator[Array, Array, Ending]
"""It yields matrices and is sent the values of a measure on them; what it found is what it returns."""


def measured_together(searches: Sequence[tuple[Measure, SearchSteps[Ending]]]) -> list[Ending]:
    """Return what each search found; matrices that wait for the same measure are measured in one call."""
    found: dict[int, Ending] = {}
    waiting: deque[tuple[int, Array | None]] = deque((k, None) for k in range(len(searches)))
    while waiting:
        alike: dict[object, list[tuple[int, Array]]] = {}
        cells = 0
        while waiting and cells < _AT_ONCE:  # matrices are made only when there is room for them
            k, values = waiting.popleft()
            measure, search = searches[k]
            try:
                matrices = next(search) if values is None else search.send(values)
            except StopIteration as end:
                found[k] = end.value
                continue
            cells += matrices.size
            alike.setdefault((measure, matrices.shape[1:], matrices.dtype), []).append((k, matrices))
        for asked in alike.values():
            # They come first, as a search that waits keeps its matrices.
            waiting.extendleft(_measured(searches[asked[0][0]][0], asked))
    return [found[k] for k in range(len(searches))]


def _measured(measure: Measure, asked: Sequence[tuple[int, Array]]) -> Iterator[tuple[int, Array]]:
    """Yield the values of a measure on the matrices of several searches."""
    values = np.asarray(measure(np.concatenate([x for _, x in asked])), dtype=float)
    ends = np.cumsum([len(x) for _, x in asked])
    yield from zip((k for k, _ in asked), np.split(values, ends[:-1]), strict=True)


def _as_it_is(matrix: ConfusionMatrix) -> SearchSteps[float]:
    values = yield matrix.counts[None]
    return float(values[0])


@dataclass(frozen=True)
class _Start:
    """A target, the value of the measure now, and what is to be tried."""

    target: Target
    wanted: _Wanted
    value: float
    reached: bool
    pairs: Sequence[tuple[Cell, Cell]]
    note: str

    @classmethod
    def of(cls, target: Target, value: float) -> _Start:
        """Return the start of the search for a target."""
        wanted = _Wanted(target.measure, Fraction(repr(target.value)), _direction(target.measure, value, target.value))
        if wanted.reached(np.array([value]), target.matrix.counts[None])[0]:
            return cls(target, wanted, value, True, [], "The value is reached already.")
        return cls(target, wanted, value, False, target.moves.pairs, target.moves.note)

    def searches(self) -> list[SearchSteps[_Reached | _Missed | _FewerErrors | None]]:
        """Return the searches for the fewest items of each kind, and for the share of all errors."""
        if self.reached:
            return []
        matrix, wanted = self.target.matrix, self.wanted
        return [*(_fewest(matrix, wanted, *pair) for pair in self.pairs), _fewer_errors(matrix, wanted)]

    def answer(self, found: Iterator[_Reached | _Missed | _FewerErrors | None]) -> PageData:
        """Return the answer from what the searches found, in their order."""
        x = self.target
        base = {
            **facts(x.measure, x.matrix.m), "value": self.value, "target": x.value, "reached": self.reached,
        }  # fmt: skip
        if self.reached:
            return {**base, "ways": [], "unreachable": [], "overall": None, "note": self.note}
        ways: list[tuple[int, Cell, Cell, PageData]] = []
        others: list[tuple[float, PageData]] = []
        for source, to in self.pairs:
            way = next(found)
            assert way is not None
            move: PageData = {"from": list(source), "to": list(to), **way}
            if "items" in way:
                ways.append((way["items"], source, to, move))
            elif "best" in way:
                others.append((way["best"], move))
        ways.sort(key=lambda x: x[:3])
        sign, value = self.wanted.sign, self.value
        helpful = [x for x in others if (x[0] - value) * sign > 0 or math.isnan(value)]
        helpful.sort(key=lambda x: -sign * x[0])
        shown = {"ways": [x for *_, x in ways[:20]], "unreachable": [x for _, x in helpful[:10]]}
        return {**base, **shown, "overall": next(found), "note": self.note}


def _direction(measure: Measure, value: float, target: float) -> int:
    """Return 1 where the measure has to rise to the target, and −1 where it has to fall."""
    if measure.orientation == NEITHER:
        return 1 if math.isnan(value) or target >= value else -1
    return -1 if measure.orientation == LOWER else 1


@dataclass(frozen=True)
class _Moves:
    """Pairs of cells between which items may be moved: of one true class, from one prediction to another."""

    pairs: Sequence[tuple[Cell, Cell]]
    note: str
    cells: float  # of all matrices that come of it

    @classmethod
    def of(cls, matrix: ConfusionMatrix) -> _Moves:
        """Return the moves to try: all of them, all corrections, or those of the most frequent errors."""
        m = matrix.m
        filled = [(int(i), int(j)) for i, j in zip(*np.nonzero(matrix.counts >= 1), strict=True)]
        cells = {place: _tried(math.floor(float(matrix.counts[place])), m) * m * m for place in filled}
        if sum(cells.values()) * (m - 1) <= _CELLS:
            every = [((i, j), (i, k)) for i, j in filled for k in range(m) if k != j]
            said = "Every way to predict some items of one cell as another class was tried."
            return cls(every, said, sum(cells.values()) * (m - 1))
        errors = sorted((x for x in filled if x[0] != x[1]), key=lambda x: (-matrix.counts[x], x))
        sizes = np.cumsum([cells[x] for x in errors])
        few = max(1, int(np.searchsorted(sizes, _MOST_CELLS, side="right")))
        said = "Every way to correct errors of one kind was tried."
        if few < len(errors):
            said = (
                f"The {few:,} most frequent kinds of errors were tried; {len(errors):,} kinds are too many for a page."
            )
        return cls([((i, j), (i, i)) for i, j in errors[:few]], said, float(sizes[:few].max(initial=0)))


def _fewest(matrix: ConfusionMatrix, wanted: _Wanted, source: Cell, to: Cell) -> SearchSteps[_Reached | _Missed]:
    """Find the fewest items to move from one cell to another, or the best value that moving them gives."""
    there = math.floor(float(matrix.counts[source]))
    best, at = math.nan, 0
    for items in _blocks(there, matrix.m):
        batch = _moved(matrix, source, to, items)
        values = yield batch
        hits = np.flatnonzero(wanted.reached(values, batch))
        if len(hits):
            k = int(hits[0])
            return {
                "items": int(items[k]), "of": there, "value": float(values[k]),
                "text": _said(matrix, source, to, int(items[k]), there),
            }  # fmt: skip
        turned = np.where(np.isnan(values), -np.inf, values * wanted.sign)
        k = int(np.argmax(turned))
        if math.isnan(best) or turned[k] > best * wanted.sign:
            best, at = float(values[k]), int(items[k])
    return {"best": best, "at": at, "of": there, "text": _said(matrix, source, to, at, there)}


def _blocks(there: int, m: int) -> Iterator[Array]:
    """Yield the numbers of items to move, in blocks that fit the memory; very many are tried with gaps."""
    most = max(1, _AT_ONCE // m**2)
    every = np.arange(1, there + 1, _step(there, m), dtype=np.int64)
    for start in range(0, len(every), most):
        yield every[start : start + most]


def _step(there: int, m: int) -> int:
    return max(1, there * m * m // (10 * _AT_ONCE))


def _tried(there: int, m: int) -> int:
    """Return how many numbers of items `_blocks` yields."""
    return -(-there // _step(there, m))


def _said(matrix: ConfusionMatrix, source: Cell, to: Cell, items: int, there: int) -> str:
    """Return a move of items in words."""
    true, before, after = (label_text(matrix.labels[k]) for k in (source[0], source[1], to[1]))
    some = f"all {there:,}" if items == there and there > 1 else f"{items:,} of the {there:,}"
    what = "item" if there == 1 else "items"
    return f"Predict {some} ‘{true}’ {what} that are called ‘{before}’ as ‘{after}’."


def _fewer_errors(matrix: ConfusionMatrix, wanted: _Wanted) -> SearchSteps[_FewerErrors | None]:
    """Find by how much all kinds of errors together must become rarer; None if that is no way.

    The smallest share is looked for on a grid, and then on finer ones before the place where the target is reached.
    """
    counts = matrix.counts.astype(float)
    right = np.diag(np.diag(counts))
    errors = counts - right
    corrected = np.diag(errors.sum(axis=1))
    low, high = 0.0, 1.0
    for _ in range(_ROUNDS):
        shares = np.linspace(low, high, _GRID)[1:]
        values = yield right + errors * (1 - shares)[:, None, None] + corrected * shares[:, None, None]
        reached = np.flatnonzero((values - float(wanted.target)) * wanted.sign >= 0)
        if not len(reached):
            return None
        k = int(reached[0])
        low, high, value = float(shares[k - 1]) if k else low, float(shares[k]), float(values[k])
    text = f"If all kinds of errors became rarer together, {high:.1%} fewer of each would be enough."
    return {"share": high, "value": value, "text": text}
