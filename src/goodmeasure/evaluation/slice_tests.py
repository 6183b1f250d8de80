"""Gaps between slices such as countries, sites or years: how large they are, and whether they are more than chance."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.sample import Sample, Slice
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE, Samples
from goodmeasure.evaluation.intervals.sampling_units import Groups, Units, units_of
from goodmeasure.evaluation.p_values import holm
from goodmeasure.evaluation.scoring import Settings, SystemScores
from goodmeasure.evaluation.slice_claims import SliceClaims, beyond_draws, correlations, tail_of_gap, tails_of_slices
from goodmeasure.evaluation.slice_gaps import gap_interval
from goodmeasure.evaluation.slice_variation import Variation, beyond_noise, needs_classes, variations
from goodmeasure.evaluation.slices import slices_by_name
from goodmeasure.language.policy import Policy
from goodmeasure.progress import tick
from goodmeasure.typing import Array, Label

SMALL = 0.05  # a slice is small where one item can move its value by more than this
FEW_ITEMS, FEW_GROUPS = 20, 10
_NUMBERS_AT_ONCE = 1 << 20
_WHOLE = 2.0**50  # counts below this have exact sums
_MOST_MOVED = 4_000_000  # cells of matrices with one item moved


@dataclass(frozen=True)
class SliceSpread:
    """The lowest and the highest value of a measure over slices, and how much of their gap is more than chance.

    `slices` counts the slices on which the measure is defined; `reason` names the others, which are left out. `by`
    names the columns: with several, the slices of each column are compared with each other, and so are the
    combinations. `gap_low` to `gap_high` is a confidence interval of the true gap. `gap_by_chance` is the gap that
    slices of these sizes have on average if all are alike. `gap_beyond_noise` and `beyond_noise` are the gap and the
    standard deviation without what chance adds to them. `p` is the p-value of the test that all slices have the same
    value (`test` says by which), and `p_family` is corrected for all gaps that the page looks at: the gap is called
    significant where that is below the level.
    """

    system: str
    measure: str
    by: str
    slices: int
    lowest: float
    lowest_slice: Label
    highest: float
    highest_slice: Label
    gap: float
    deviation: float
    gap_by_chance: float
    gap_beyond_noise: float
    beyond_noise: float
    p: float
    test: str
    reason: str | None = None
    gap_low: float = math.nan
    gap_high: float = math.nan
    p_family: float = math.nan


@dataclass(frozen=True)
class SliceTest:
    """One slice against the rest of the items: the difference, and its p-value, also corrected over all slices.

    `p_family` is corrected for all that the page looks at: the slice is called different where that is below the level.

    `small` says that one item can move the value by more than 0.05, or that there are fewer than ten groups. `reason`
    says why there is no value or no test.
    """

    system: str
    measure: str
    by: str
    slice: Label
    items: int | None
    value: float
    rest: float
    difference: float
    p: float
    p_corrected: float
    test: str
    small: bool
    reason: str | None = None
    p_family: float = math.nan


class SliceResults:
    """How far slices are apart and how each differs from the rest, for every system, column and measure.

    Tests take time, so each measure is compared when it is first asked for.
    """

    def __init__(
        self, parts: Sequence[SystemScores], settings: Settings, slices: Sequence[Slice], share: float | None = None
    ) -> None:
        by_name = slices_by_name(slices)
        kinds: Mapping[Label, str] = {label: ", ".join(name for name, _ in x) for label, x in by_name.items()}
        names = {label: str(x) for label, x in by_name.items()}
        groups: dict[tuple[str, str], list[SystemScores]] = {}
        whole = {part.system: part.sample for part in parts if part.slice is None}
        for part in parts:
            if part.slice is not None:
                groups.setdefault((part.system, kinds.get(part.slice, "")), []).append(part)
        self._measures, self._settings, self._share = settings.measures, settings, share
        self._whole = next(iter(whole.values()), None)
        self._columns = [
            _Column(system, by, mine, whole[system].matrix.labels, names, settings)
            for (system, by), mine in groups.items()
            if len(mine) > 1
        ]

    def spreads_of(self, system: str, measure: str) -> list[SliceSpread]:
        """Return the spreads of one measure of one system, by column."""
        asked = [f for f in self._measures if f.name == measure]
        return self._claimed(x for column in self._columns if column.system == system for x in column.spreads(asked))

    @cached_property
    def spreads(self) -> list[SliceSpread]:
        """The spreads of all columns, in the order of the table."""
        return self._claimed(x for column in self._ticking() for x in column.spreads(self._measures))

    @cached_property
    def _claims(self) -> SliceClaims | None:
        """What corrects p-values for everything that the page looks at; None without a budget."""
        if self._share is None or self._whole is None or not self._columns:
            return None
        s, systems = self._settings, {x.system for x in self._columns}
        sizes = [x.size for x in self._columns if x.system == self._columns[0].system]
        related = correlations(self._whole, self._measures, s.policy.quiet)
        return SliceClaims(related, sizes, len(systems), self._share, s.seed)

    def _claimed(self, found: Iterable[SliceSpread]) -> list[SliceSpread]:
        """Return the spreads with their p-values among all that the page looks at."""
        claims = self._claims
        return [replace(x, p_family=x.p if claims is None else claims.of_gap(x.p_family)) for x in found]

    @cached_property
    def tests(self) -> list[SliceTest]:
        """The test of each slice, in the order of the table.

        The p-values of slices are corrected over all slices of a system, those of each column and their combinations.
        """
        found = corrected([x for column in self._ticking() for x in column.tests()])
        return claimed(found, self.spreads, self._claims)

    def _ticking(self) -> Iterator[_Column]:
        for place, column in enumerate(self._columns):
            tick(place, len(self._columns))
            yield column


class _Column:
    """The slices of one system by one column, or by a combination of columns."""

    def __init__(
        self, system: str, by: str, parts: Sequence[SystemScores], labels: tuple[Label, ...],
        names: Mapping[object, str], settings: Settings,
    ) -> None:  # fmt: skip
        self.system, self.by, self._parts, self._names, self._settings = system, by, parts, names, settings
        self._samples = [x.sample.with_classes(labels) for x in parts]
        self._units = [units_of(x.sample) for x in parts]
        self._alone = np.array([x.matrix.m > 1 and _true_classes(x.sample) < 2 for x in parts])
        self.size = len(parts)
        self._found: dict[Measure, tuple[_KnownSlices, Variation, SliceSpread]] = {}

    def spreads(self, asked: Sequence[Measure]) -> list[SliceSpread]:
        """Return how far the slices are apart by each of these measures."""
        return [spread for _, _, spread in self._compared(asked)]

    def tests(self) -> Iterator[SliceTest]:
        """Yield the test of every slice by every measure, without the correction for their number."""
        measures = self._settings.measures
        small = small_slices(self._samples, measures, self._settings)
        for f, (known, found, _), few in zip(measures, self._compared(measures), small.tolist(), strict=True):
            rough = tails_of_slices(known.values, found.rests, found.errors, known.sizes)
            for s, is_small in enumerate(few):
                test = _test(self.system, f, self.by, known, found, s, is_small)
                yield replace(test, p_family=beyond_draws(test.p, self._settings.replicates, float(rough[s])))

    def _compared(self, asked: Sequence[Measure]) -> list[tuple[_KnownSlices, Variation, SliceSpread]]:
        settings, new = self._settings, [f for f in asked if f not in self._found]
        varied = variations(
            self._samples, settings.measures, settings.policy.quiet, settings.seed, settings.replicates, new
        ) if new else []  # fmt: skip
        for f, found in zip(new, varied, strict=True):
            known = _KnownSlices(self._parts, self._units, f, settings.measures.index(f), self._names, self._alone)
            spread = _spread(self.system, f, self.by, known, found, settings.confidence, settings.replicates)
            self._found[f] = known, found, spread
        return [self._found[f] for f in asked]


class _KnownSlices:
    """The values of one measure on the slices of one column, NaN where the items of a slice cannot determine one."""

    def __init__(
        self, parts: Sequence[SystemScores], units: Sequence[Units], f: Measure, k: int, names: Mapping[object, str],
        alone: Array,
    ) -> None:  # fmt: skip
        self.parts, self.units, self.names = parts, units, names
        needs = {m: needs_classes(f, m) for m in {x.matrix.m for x in parts}}
        values = np.array([part.scores[k].value for part in parts])
        silent = alone & np.array([needs[x.matrix.m] for x in parts])
        self.values = np.where(silent | ~np.isfinite(values), np.nan, values)
        self.sizes = np.array([float(x.matrix.n) / each.worth() for x, each in zip(parts, units, strict=True)])
        self.known: Array = np.isfinite(self.values)

    def left_out(self) -> str | None:
        """Return which slices have no value, and why."""
        missing = [(x.slice, self.why(s)) for s, x in enumerate(self.parts) if not self.known[s]]
        if not missing:
            return None
        named = "; ".join(f"{self.names[where]}: {why}" for where, why in missing[:3])
        more = f"; and {len(missing) - 3} more" if len(missing) > 3 else ""
        return f"{len(missing)} of {len(self.parts)} slices left out ({named}{more})"

    def why(self, s: int) -> str:
        """Return why a slice has no value."""
        part = self.parts[s]
        if _true_classes(part.sample) < 2 and part.matrix.m > 1:
            labels = [x for x, a in zip(part.matrix.labels, part.matrix.a, strict=True) if not a > 0]
            return f"no item of class {labels[0]!r}" if len(labels) == 1 else "all items have one true class"
        return "the value is undefined"


def _true_classes(sample: Sample) -> int:
    return int((np.asarray(sample.matrix.a) > 0).sum())


def _spread(
    system: str, f: Measure, by: str, slices: _KnownSlices, found: Variation, confidence: float | None, replicates: int
) -> SliceSpread:
    values, known = slices.values, slices.known
    reason = slices.left_out() or found.reason or None
    if known.sum() < 2:
        where = None if not known.any() else slices.parts[int(np.flatnonzero(known)[0])].slice
        only = float(values[known][0]) if known.any() else math.nan
        none = math.nan
        said = f"fewer than two slices have a value: {reason}" if reason else "fewer than two slices have a value"
        return SliceSpread(
            system, f.name, by, int(known.sum()), only, where, only, where, none, none, none, none, none, none,
            found.method, said,
        )  # fmt: skip
    places = np.flatnonzero(known)
    low, high = (int(places[end(values[known])]) for end in (np.argmin, np.argmax))
    left = beyond_noise(values, found.errors, slices.sizes)
    ends = (math.nan, math.nan) if confidence is None else _gap_interval(f, slices, found, confidence)
    return SliceSpread(
        system, f.name, by, int(known.sum()), float(values[low]), slices.parts[low].slice, float(values[high]),
        slices.parts[high].slice, float(values[high] - values[low]), statistics.pstdev(values[known].tolist()),
        found.gap_by_chance, left.gap, left.deviation, found.p, found.method, reason, *ends,
        beyond_draws(found.p, replicates, tail_of_gap(values, found.errors)),
    )  # fmt: skip


def _gap_interval(f: Measure, slices: _KnownSlices, found: Variation, confidence: float) -> tuple[float, float]:
    """Return the interval of the true gap; it starts at 0 where the test does not say that slices differ."""
    few = [max(1.0, x.dependence.all - 1) if isinstance(x, Groups) else math.inf for x in slices.units]
    freedom = np.array(few)
    low, high = gap_interval(slices.values, found.errors, confidence, freedom)
    if found.p >= 1 - confidence:
        low = 0.0
    return low, high if f.range is None or math.isnan(high) else min(high, f.range[1] - f.range[0])


def _test(system: str, f: Measure, by: str, slices: _KnownSlices, found: Variation, s: int, small: bool) -> SliceTest:
    part, value = slices.parts[s], float(slices.values[s])
    rest = float(found.rests[s])
    reason = slices.why(s) if math.isnan(value) else found.reason or None
    if reason is None and math.isnan(rest):
        reason = "the value of the other items is undefined"
    return SliceTest(
        system, f.name, by, part.slice, part.sample.item_count, value, rest, value - rest,
        float(found.against_rest[s]), math.nan, found.method, small, reason,
    )  # fmt: skip


def claimed(tests: list[SliceTest], spreads: list[SliceSpread], claims: SliceClaims | None) -> list[SliceTest]:
    """Return the tests, which are corrected over slices, with their p-values among all that the page looks at."""
    if claims is None:
        return [replace(x, p_family=x.p_corrected) for x in tests]
    gaps = {(x.system, x.measure, x.by): x.p_family for x in spreads}
    return [replace(x, p_family=claims.of_slice(x.p_family, gaps[x.system, x.measure, x.by])) for x in tests]


def corrected(tests: list[SliceTest]) -> list[SliceTest]:
    """Return the tests with p-values corrected by Holm's method over the slices of each system and measure.

    Two slices of a column are each the rest of the other, so that their test is one and the same and counts once.
    """
    families: dict[tuple[str, str], list[int]] = {}
    for k, x in enumerate(tests):
        families.setdefault((x.system, x.measure), []).append(k)
    found = list(tests)
    for places in families.values():
        by: dict[str, list[int]] = {}
        for k in places:
            by.setdefault(tests[k].by, []).append(k)
        same = {mine[1]: mine[0] for mine in by.values() if len(mine) == 2}
        once = [k for k in places if k not in same]
        corrected, claimed = (
            dict(zip(once, holm([getattr(tests[k], name) for k in once]), strict=True)) for name in ("p", "p_family")
        )
        for k in places:
            first = same.get(k, k)
            found[k] = replace(tests[k], p_corrected=corrected[first], p_family=claimed[first])
    return found


def small_slices(samples: Sequence[Sample], measures: Sequence[Measure], settings: Settings) -> Array:
    """Return, by measure and slice, whether one item can move the value by more than 0.05.

    A wrong item is made right, or a right one wrong, in the way that is most frequent for its class. What one item can
    move so far rests on few items: for a share, on fewer than twenty. A slice of fewer than ten groups is small too.
    """
    found = np.zeros((len(measures), len(samples)), bool)
    waiting: dict[int, Array] = {}
    for s, sample in enumerate(samples):
        units = units_of(sample)
        count = units.dependence.all if isinstance(units, Groups) else math.inf
        found[:, s] = count < FEW_GROUPS if math.isfinite(count) else False
        moved = _with_one_moved(sample)
        if moved is None:
            found[:, s] |= (sample.item_count or 0) < FEW_ITEMS
            continue
        waiting[s] = np.concatenate([_column(sample), moved], axis=1)
        if len(waiting) * waiting[s].size > _NUMBERS_AT_ONCE:
            found[:, [*waiting]] |= _moved_far([*waiting.values()], sample.matrix.m, measures, settings.policy.quiet)
            waiting = {}
    if waiting:
        found[:, [*waiting]] |= _moved_far([*waiting.values()], samples[0].matrix.m, measures, settings.policy.quiet)
    return found


def _moved_far(slices: Sequence[Array], m: int, measures: Sequence[Measure], policy: Policy) -> Array:
    """Return, by measure and slice, whether a moved item changes the value; each slice comes first in its columns."""
    together = np.concatenate(slices, axis=1)
    held = np.flatnonzero(together.any(axis=1))
    whole = bool((together == np.rint(together)).all()) and float(together.max()) < _WHOLE
    evaluated = Samples(m, *np.divmod(held, m), policy, whole=whole, listed=m > 2)
    values = evaluated.values(measures, [together[held]])
    sizes = [x.shape[1] for x in slices]
    starts = np.cumsum([0, *sizes[:-1]])
    with np.errstate(invalid="ignore"):
        far = np.abs(values - np.repeat(values[:, starts], sizes, axis=1)) > SMALL * (1 + 1e-9)
    found: Array = np.logical_or.reduceat(far, starts, axis=1)
    return found


def _column(sample: Sample) -> Array:
    found: Array = np.asarray(sample.matrix.counts, np.float64).reshape(-1, 1)
    return found


def _with_one_moved(sample: Sample) -> Array | None:
    """Return the counts (cells, moves) with one item moved within its row; None where they would be too many."""
    matrix = sample.matrix
    if matrix.is_sparse or not 2 <= matrix.m <= MOST_DENSE:
        return None
    m, counts = matrix.m, np.asarray(matrix.counts, np.float64)
    rows, cols = np.nonzero(counts)
    if len(rows) * m * m > _MOST_MOVED:
        return None
    wrong = counts - np.diag(np.diag(counts)) - np.eye(m)  # the most frequent error of each class, never the diagonal
    to = np.where(rows == cols, wrong.argmax(axis=1)[rows], rows)
    number = counts if sample.items is None else np.asarray(sample.items, np.float64)
    step = counts[rows, cols] / np.maximum(1.0, number[rows, cols])  # the mean weight of an item of the cell
    moved = np.repeat(_column(sample), len(rows), axis=1)
    at = np.arange(len(rows))
    moved[rows * m + cols, at] = np.maximum(0.0, moved[rows * m + cols, at] - step)
    moved[rows * m + to, at] += step
    return moved
