"""`sweep`: every measure at every threshold."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack, overload

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.measure import NEITHER, Measure, MeasureLike, MeasuresLike, among
from goodmeasure.catalogue.scores.over_thresholds import ThresholdCondition, ThresholdMatrices
from goodmeasure.counts.alignment import check_alignment
from goodmeasure.counts.arguments import as_item_counts, check_whole
from goodmeasure.counts.class_names import missing_name
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.scores.by_threshold import ThresholdCounts, count
from goodmeasure.counts.scores.score_input import (
    as_item_weights,
    as_scores,
    both,
    column_of,
    truth_of,
    units_of_items,
)
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.intervals.resampling import Samples
from goodmeasure.evaluation.positive_class import check_scores, choosing, of_labels
from goodmeasure.evaluation.provenance import ARRAYS, MATRICES, Provenance
from goodmeasure.evaluation.reading import Asked, are_paths, is_frame, refuse_file_options
from goodmeasure.evaluation.requirements.gate import Gate, RequiredScore
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.requirements.of_sweeps import scores_of, tracked_numbers
from goodmeasure.evaluation.requirements.required import Required
from goodmeasure.evaluation.runs import are_runs
from goodmeasure.evaluation.slices import slice_value
from goodmeasure.evaluation.thresholds.best import Best, Binned, NoBestThreshold, best_at, threshold_interval
from goodmeasure.evaluation.thresholds.decisions import (
    OPERATING,
    CostCurve,
    DecisionCurve,
    cost_curve,
    decision_curve,
    expected_cost,
)
from goodmeasure.evaluation.thresholds.matrices_by_threshold import counts_of_matrices
from goodmeasure.evaluation.thresholds.thinning import thinned
from goodmeasure.evaluation.tracked_numbers import Tracked
from goodmeasure.evaluation.warnings.record import Caution
from goodmeasure.evaluation.warnings.reversed_scores import area, reversed_scores, worth
from goodmeasure.evaluation.writing import Written, writer_of
from goodmeasure.exceptions import Argument, InputError, InputTypeError
from goodmeasure.keywords import check_options, only, takes_options
from goodmeasure.language.policy import Policy, Undefined, policy_of
from goodmeasure.options import MeasuresOptions, SpreadOptions, SweepOptions
from goodmeasure.progress import shows_progress
from goodmeasure.typing import Array, ArrayLike, ChartSpec, DataLike, Label

if TYPE_CHECKING:
    from goodmeasure.evaluation.scores.scores_beyond_memory import LargeScores

_BLOCK = 1 << 15


@takes_options
@shows_progress("sweeping")
def sweep(data: DataLike = None, y_score: ArrayLike = None, **options: Unpack[SweepOptions]) -> Sweep:
    """Measure a classifier at every distinct threshold: an item is predicted positive if its score is at least that.

    The first argument holds the true labels, or it is a data frame, a lazy frame of any engine or a file, whose columns
    the other arguments name: ``sweep(frame, y_true="label", y_score="score")``. `y_score` is one score for each item,
    or a dict of them for several systems or horizons (names of columns in a list). `by` gives a group for each
    item, and every group is swept on its own. `groups` says which items belong together (patients, documents); the
    intervals of the best threshold then treat a group as one. `count` says how many items a row stands for. Runs in
    files or frames of their own are a dict by system, joined by the column `id`, as in `compare`. Instead of items,
    `matrices` is a dict from threshold to confusion matrix, or a dict of such dicts by group. The positive class is
    `positive`, or else the larger number; of two texts, the rarer one. Items without a score or a true label are an
    error, or left out with ``missing="drop"``.

    Files and lazy frames of very many rows, or of more than `memory_limit` has room for, are read in batches. Counts
    are exact at every threshold that is kept, and all are kept as long as they are at most about two million.

    >>> found = sweep([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> found.thresholds.tolist(), found.curve("recall").values.tolist()
    ([0.8, 0.4, 0.35, 0.1], [0.5, 0.5, 1.0, 1.0])
    >>> best = found.best("f1")
    >>> best.threshold, round(best.value, 3)
    (0.35, 0.8)
    """
    undefined, positive, missing, y_true = (
        options["undefined"], options["positive"], options["missing"], options["y_true"]
    )  # fmt: skip
    items = {x: options[x] for x in ("sample_weight", "by", "groups", "count")}
    beside = tuple(name for name, x in items.items() if x is not None)
    shown, matrices = chosen(options["measures"], 2), options["matrices"]
    if matrices is not None:
        if data is not None or y_true is not None or y_score is not None:
            raise InputTypeError("sweep takes labels and scores, or {matrices:=}", advice="not both")
        if beside:
            raise InputTypeError(
                "{argument} needs labels and scores",
                argument=beside[0],
                advice="a confusion matrix no longer holds single items",
            )
        known, rarer = counts_of_matrices(matrices, positive)
        listed = {x: SweptGroup(counts, None, None, None, None) for x, counts in known.items()}
        source = choosing(Provenance(MATRICES, positive=positive), rarer)
        return Sweep(listed, shown, undefined, source.positive, source)
    asked = Asked.of(data, None, options)
    if data is not None and (are_runs(asked) or _has_columns(asked.data, y_true, y_score)):
        return _of_columns(asked, y_score, options)
    refuse_file_options(asked)
    if options["id"] is not None:
        raise InputError("{id:=} joins runs", advice="give a dict of files or frames by system")
    y_true = _one_truth(data, y_true)
    if y_true is None or y_score is None:
        raise InputTypeError("sweep takes {y_true} and {y_score}, or {matrices:=} such as {{0.5: cm, 0.6: cm}}")
    sample_weight, by, groups, count = items.values()
    if count is not None:
        y_true, y_score, sample_weight, by, groups = _listed(count, y_true, y_score, sample_weight, by, groups)
    y_true = list(y_true) if isinstance(y_true, Iterator) else y_true
    rarer = of_labels(y_true) if positive is None else None
    truth = truth_of(y_true, positive if rarer is None else rarer.label, missing)
    hit, label, labelled = truth.hit, truth.positive, truth.there
    weights = as_item_weights(sample_weight, len(hit))
    parts: dict[Label, SweptGroup] = {}
    named = y_score if isinstance(y_score, Mapping) else {None: y_score}
    scored: dict[str, object] = {Argument("y_score", name): column for name, column in named.items()}
    check_alignment({"y_true": y_true, **scored, "sample_weight": sample_weight, "by": by, "groups": groups})
    units = None if groups is None else units_of_items(groups, len(hit))
    if not named:
        raise InputError("{y_score} is an empty dict", expected="scores for each system")
    areas: dict[str, float] = {}
    for name, column in named.items():
        argument = Argument("y_score", name)
        scores, there = as_scores(column, len(hit), argument, missing)
        if rarer is not None:
            areas[argument] = area(_part(None, scores, hit, weights, None, both(there, labelled)).counts)
        for group, mask in _groups_of(by, len(hit), both(there, labelled)):
            key = group if name is None else name if group is None else (name, group)
            parts[key] = _part(key, scores, hit, weights, units, mask)
    check_scores(areas, truth.negative, truth.positive)
    source = choosing(Provenance(ARRAYS, positive=positive, missing=missing, beside=beside), rarer)
    return Sweep(parts, shown, undefined, label, source)


def _groups_of(by: object, length: int, there: Array | None) -> Iterator[tuple[object, Array | None]]:
    """Yield each group and the mask of its items; items without a group form one of their own."""
    if by is None:
        yield None, there
        return
    column = column_of(by, length, "by")
    known: dict[Label, int] = {}
    codes = np.fromiter((known.setdefault(x, len(known)) for x in column), np.int64, length)
    for value, code in known.items():
        mask = codes == code
        yield missing_name(known) if value is None else value, mask if there is None else mask & there


def _has_columns(data: object, y_true: object, y_score: object) -> bool:
    """Return whether the data are a table or files, and not the true labels themselves."""
    if are_paths(data, y_true, y_score if isinstance(y_score, str) else None):
        return True
    return is_frame(data) and (y_true is not None or isinstance(y_score, str))


def _one_truth(data: object, y_true: object) -> object:
    """Return the true labels, passed as the first argument or as `y_true`."""
    if data is not None and y_true is not None:
        raise InputTypeError(
            "{y_true} was given twice", advice="beside a data frame or a file it names a column, else it comes first"
        )
    return y_true if data is None else data


def _listed(count: ArrayLike, y_true: ArrayLike, y_score: ArrayLike, *beside: object) -> tuple[ArrayLike, ...]:
    """Return columns in which every item has a row of its own, where a row stands for several."""
    from goodmeasure.evaluation.scores.score_columns import items_of, rows_at

    true = list(y_true) if hasattr(y_true, "__next__") else y_true
    where = items_of(as_item_counts(count, len(true)))
    named = isinstance(y_score, Mapping)
    scores = {x: rows_at(v, where) for x, v in y_score.items()} if named else rows_at(y_score, where)
    return rows_at(true, where), scores, *(None if x is None else rows_at(x, where) for x in beside)


def _of_columns(asked: Asked, y_score: ArrayLike, options: SweepOptions) -> Sweep:
    """Return the sweep over columns of a data frame, of files or of runs."""
    from goodmeasure.evaluation.scores.reading_scores import read_scores
    from goodmeasure.evaluation.scores.scores_beyond_memory import read_large

    if isinstance(asked.by, (list, tuple)) and len(asked.by) > 1:
        raise InputError("{by} names {number} columns", number=len(asked.by), expected="one column to sweep by")
    large = read_large(asked, y_score, None, None)
    if large is not None:
        return _of_large(large, options)
    found = read_scores(asked, y_score)
    scores = next(iter(found.systems.values())) if len(found.systems) == 1 else found.systems
    by = found.by
    swept = sweep(
        found.true, scores, sample_weight=found.weights, groups=found.groups,
        by=None if by is None else next(iter(by.values())), positive=found.positive, missing=found.missing,
        **only(options, MeasuresOptions),
    )  # fmt: skip
    swept.source = replace(found.source, systems=(), of_scores=bool(found.source.runs))
    return swept


def _of_large(large: LargeScores, options: SweepOptions) -> Sweep:
    """Return the sweep over scores that were counted in batches."""
    data = large.scored()
    parts: dict[Label, SweptGroup] = {}
    several = len(large.table.systems) > 1
    for (system, where), scored in data.items():
        if (where is None) != bool(large.table.by):
            group = None if where is None else slice_value(where, large.slices)
            parts[group if not several else system if group is None else (system, group)] = SweptGroup.of(scored)
    label = next(iter(data.values())).labels[-1]
    source = replace(large.table.source, systems=(), notes=(*large.table.source.notes, *_notes_of(data.values())))
    return Sweep(parts, chosen(options["measures"], 2), options["undefined"], label, source)


def _notes_of(data: Iterable[Scored]) -> list[str]:
    """Return how far thresholds lie apart, where there were too many scores to keep them all."""
    sketches = [x for x in data if x.is_sketch]
    if not sketches:
        return []
    fewest, widest = min(len(x.ranking.counts) for x in sketches), max(map(_widest, sketches))
    return [f"There are too many different scores to keep them all: {fewest:,} thresholds were kept, at which all "
            f"counts are exact. At most {100 * widest:.2g}% of the items lie between two of them."]  # fmt: skip


def _widest(data: Scored) -> float:
    """Return the largest share of the items that lies between two neighbouring thresholds."""
    assert data.merged is not None
    _, place = np.unique(data.scores, return_inverse=True)
    inside = np.where(data.merged.high > data.scores, data.merged.items, 0)
    return float(np.bincount(place, inside).max() / data.merged.items.sum())


class StoredGroup(NamedTuple):
    """What a document holds of a part of a sweep: its scored items, or the matrices by threshold."""

    scores: Array | None
    hit: Array | None
    weights: Array | None
    units: Array | None
    data: Scored | None
    thresholds: Array | None
    cells: Array | None
    whole: bool


class SweptGroup(NamedTuple):
    """One system or group: its counts, and its items for resampling (None where only matrices are known)."""

    counts: ThresholdCounts
    scores: Array | None
    hit: Array | None
    weights: Array | None
    units: Array | None
    data: Scored | None = None  # the scored items, where each row of `scores` stands for many

    @classmethod
    def of(cls, data: Scored) -> SweptGroup:
        """Return scored items as a part of a sweep."""
        merged = data if data.merged is not None else None
        return cls(data.ranking.counts, data.scores, data.true, data.item_weights, data.units, merged)

    def _stored(self) -> StoredGroup:
        """Return what a document holds."""
        is_known = self.scores is None
        return StoredGroup(
            self.scores, self.hit, self.weights, self.units, self.data, self.counts.thresholds if is_known else None,
            self.counts.cells if is_known else None, self.counts.whole,
        )  # fmt: skip

    @classmethod
    def _restored(cls, kept: StoredGroup) -> SweptGroup:
        """Return the part of a sweep that a document holds."""
        if kept.data is not None:
            return cls.of(kept.data)
        if kept.scores is not None and kept.hit is not None:
            counts = count(kept.scores, kept.hit, kept.weights)
            return cls(counts, kept.scores, kept.hit, kept.weights, kept.units)
        thresholds, cells = kept.thresholds, kept.cells
        assert thresholds is not None
        assert cells is not None
        return cls(ThresholdCounts(thresholds, lambda part: cells[..., part], whole=kept.whole), None, None, None, None)


def _part(
    key: Label, scores: Array, hit: Array, weights: Array | None, units: Array | None, mask: Array | None
) -> SweptGroup:
    if mask is not None:
        scores, hit = scores[mask], hit[mask]
        weights = None if weights is None else weights[mask]
        units = None if units is None else np.unique(units[mask], return_inverse=True)[1]
    if len(scores) == 0 or (weights is not None and not weights.any()):
        where = "" if key is None else f" in {key!r}"
        raise InputError("there are no items{where}", where=where, advice="a sweep needs at least one")
    return SweptGroup(count(scores, hit, weights), scores, hit, weights, units)


class ThresholdCurve(NamedTuple):
    """Values by threshold, from the highest down; `over` holds the values of another measure, as for ROC curves."""

    thresholds: Array
    values: Array
    over: Array | None = None


class Sweep(Required, Written):
    """Measures at every threshold, for one or several systems, horizons or groups."""

    kind = "sweep"

    def __init__(
        self,
        parts: Mapping[Label, SweptGroup],
        measures: Sequence[Measure],
        undefined: Undefined,
        positive: Label,
        source: Provenance,
        confidence: float = 0.95,
        seed: int = 0,
        gate: Gate | None = None,
    ) -> None:
        self._parts, self.measures, self.undefined, self.positive = parts, tuple(measures), undefined, positive
        self.source, self.gate = source, gate
        self._values: dict[tuple[object, Measure], Array] = {}
        self._of_nothing: dict[tuple[object, Measure], float] = {}
        self._bests: dict[tuple[float | None, int], list[Best]] = {}
        self.confidence, self.seed = confidence, seed  # of the intervals that requirements and trackers see

    @property
    def required_confidence(self) -> float:
        """Return the confidence level of the intervals."""
        return self.confidence

    def required_scores(self, asked: Requirement) -> list[RequiredScore]:
        """Return the scores that a requirement is about: what to expect on new items at the best threshold."""
        return scores_of(self, asked)

    def tracked(self) -> Iterable[Tracked]:
        """Return the numbers for an experiment tracker, each with the parts of its name."""
        return tracked_numbers(self)

    @property
    def groups(self) -> tuple[Label, ...]:
        """Return the systems, horizons or groups; (None,) where there is only one sweep."""
        return tuple(self._parts)

    @property
    def thresholds(self) -> Array:
        """Return the distinct thresholds of the only group, from the highest down."""
        return self._counts(None).thresholds

    @property
    def counts(self) -> Array:
        """Return the matrices (thresholds, 2, 2) of the only group."""
        return np.moveaxis(self._counts(None).cells, -1, 0)

    def matrices(self, group: Label = None) -> Array:
        """Return the matrices (thresholds, 2, 2) of a group."""
        return np.moveaxis(self._counts(group).cells, -1, 0)

    def matrix(self, threshold: float, group: Label = None) -> ConfusionMatrix:
        """Return the confusion matrix where items are predicted positive if their score is at least the threshold."""
        counts = self._counts(group)
        if not isinstance(threshold, (int, float, np.number, np.bool_)):  # truth values are scores too
            raise InputTypeError("{threshold} is {got!r}", got=threshold, expected="a number")
        if threshold != threshold:
            raise InputError("{threshold} is NaN", got=threshold, expected="a number")
        at = len(counts) - 1 - int(np.searchsorted(counts.thresholds[::-1], threshold, side="left"))
        if at < 0:  # above the highest score nothing is predicted positive
            if self._part(group).scores is None:
                raise InputError(
                    "{threshold} is {got}",
                    got=threshold,
                    highest=counts.thresholds[0],
                    advice="the highest that has a matrix is {highest}",
                )
            last = counts.cells[:, :, -1]
            return self._as_matrix(np.array([[last[0].sum(), 0], [last[1].sum(), 0]]), counts)
        return self._as_matrix(counts.cells[:, :, at], counts)

    def _as_matrix(self, cells: Array, counts: ThresholdCounts) -> ConfusionMatrix:
        return ConfusionMatrix(cells.astype(np.int64) if counts.whole else cells)

    def curve(
        self, measure: MeasureLike, over: MeasureLike | None = None, group: Label = None, points: int | None = None
    ) -> ThresholdCurve:
        """Return the values of a measure at every threshold, to plot; `over` another measure gives ROC and such curves.

        Each value holds from its threshold down to the next lower one: plot steps. A curve of more than `points` points
        is thinned, such that the steps through what remains are nowhere farther than 0.002 of the axis from the true
        curve; a curve that jumps a lot keeps more than `points` for that.
        """
        thresholds, values = self._counts(group).thresholds, self.values(measure, group)
        along = None if over is None else self.values(over, group)
        if points is not None:
            at = thinned(*(x for x in (values, along) if x is not None), points=points)
            thresholds, values, along = thresholds[at], values[at], None if along is None else along[at]
        return ThresholdCurve(thresholds, values, along)

    def values(self, measure: MeasureLike, group: Label = None) -> Array:
        """Return the values of a measure at every threshold, from the highest down; NaN where it is undefined."""
        f, group = among(measure, self.measures), self._key(group)
        if (group, f) not in self._values:
            self._measure(group, [f])
        return self._values[group, f]

    def value(self, measure: MeasureLike, system: Label = None, *, threshold: float) -> float:
        """Return the value of a measure at one threshold, of one system or group."""
        return float(among(measure, self.measures)(self.matrix(threshold, system), undefined=self.policy))

    def value_of_nothing(self, measure: MeasureLike, group: Label = None) -> float:
        """Return the value at a threshold above all scores, where nothing is predicted positive.

        NaN where it is undefined, and where only matrices are known.
        """
        if self._part(group).scores is None:
            return math.nan
        f, group = among(measure, self.measures), self._key(group)
        if (group, f) not in self._of_nothing:
            self._of_nothing[group, f] = float(f(self.matrix(np.inf, group), undefined=self.policy.quiet))
        return self._of_nothing[group, f]

    def all_values(self, group: Label = None) -> dict[str, Array]:
        """Return the values of all measures of this sweep at every threshold, by name."""
        group = self._key(group)
        self._measure(group, [f for f in self.measures if (group, f) not in self._values])
        return {f.name: self._values[group, f] for f in self.measures}

    def _measure(self, group: Label, measures: list[Measure]) -> None:
        """Compute measures block by block, so that the counts of a block stay in the cache for all measures."""
        counts, policy = self._parts[group].counts, policy_of(self.undefined)
        found = {f: np.empty(len(counts)) for f in measures}
        # with items, the matrices at all thresholds have the same n
        size = float(counts.block(slice(1)).sum()) if self._parts[group].scores is not None else None
        for start in range(0, len(counts), _BLOCK):
            block = slice(start, start + _BLOCK)
            cells = counts.block(block)
            batch = running.MatrixBatch.laid_out(cells, whole=counts.whole, largest=size)
            for f in measures:
                if f.recorded.is_opaque(2):
                    found[f][block] = self.samples(counts).values([f], [cells.reshape(4, -1)])[0]
                else:
                    found[f][block] = f.within_range(running.on_batch(f.recorded, batch, policy))
        self._values |= {(group, f): values for f, values in found.items()}

    def samples(self, counts: ThresholdCounts) -> Samples:
        """Return what evaluates measures on resampled matrices."""
        rows, cols = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
        return Samples(2, rows, cols, policy_of(self.undefined), whole=counts.whole)

    def best(
        self,
        measure: MeasureLike | None = None,
        group: Label = None,
        *,
        where: str | None = None,
        cost: Mapping[str, float] | None = None,
        confidence: float | None = 0.95,
        seed: int = 0,
        replicates: int = 500,
    ) -> Best:
        """Return the best threshold of a measure, with an interval, and the value to expect there on other items.

        `where` is a condition that the threshold has to meet, such as "recall >= 0.9". `cost`, instead of a measure, is
        the cost of each outcome, such as {"fp": 1, "fn": 5}: the threshold with the least cost per item is the best.
        A condition is met on the items at hand: other items may miss it by a little.

        Of equally good thresholds it is the highest; one above all scores, which predicts nothing as positive, is among
        them and is returned where it is better than all others. `confidence=None` leaves the intervals and the expected
        value out.
        """
        f, group = self._asked(measure, cost), self._key(group)
        condition = None if where is None else ThresholdCondition.read(where, bound=True, argument="where")
        part, values = self._parts[group], self.values(f, group)
        if part.scores is not None:  # matrices say nothing of thresholds that are not among them
            nothing = self.matrix(np.inf, group)
            values = np.append(values, self.value_of_nothing(f, group))
        if condition is not None:
            values = np.where(self._allowed(part, condition), values, np.nan)
            if np.isnan(values).all():
                raise InputError(
                    "no threshold has {condition} with {name} defined", argument="where", condition=str(condition),
                    name=f.name, advice="ask for less",
                )  # fmt: skip
        found = best_at(f, values)
        if found is None:
            raise NoBestThreshold("{name} is undefined at every threshold", name=f.name, advice="there is no best one")
        above = found == len(part.counts)
        best = Best(f.name, group, np.inf if above else float(part.counts.thresholds[found]), float(values[found]),
                    nothing if above else self._as_matrix(part.counts.cells[:, :, found], part.counts),
                    condition=None if condition is None else str(condition))  # fmt: skip
        if confidence is None or part.scores is None or part.hit is None:
            return best
        binned = Binned.of(part.counts, part.scores, part.hit, part.weights, part.units)
        if part.data is not None and part.data.merged is not None and part.weights is not None:
            binned = binned.of_merged(part.data.merged.squares)
        return threshold_interval(best, f, binned, self.samples(part.counts), confidence, seed, replicates, condition)

    def _asked(self, measure: MeasureLike | None, cost: Mapping[str, float] | None) -> Measure:
        """Return the measure whose best threshold is asked for, or that of costs."""
        if (measure is None) == (cost is None):
            raise InputTypeError("best takes {measure} or {cost:=}", advice="give one of them")
        return among(measure, self.measures) if cost is None else expected_cost(cost)

    def _allowed(self, part: SweptGroup, condition: ThresholdCondition) -> Array:
        """Return at which thresholds a condition holds; where items are known, the last is the one above all scores."""
        points = ThresholdMatrices.of(part.counts)
        holds = condition.holds(points)[:, 0]
        return np.append(holds[1:], holds[0]) if part.scores is not None else holds[1:]

    def expected_cost(self, cost: Mapping[str, float], group: Label = None) -> ThresholdCurve:
        """Return the mean cost per item at every threshold, from the cost of each outcome: "fp", "fn", "tp", "tn"."""
        return self.curve(expected_cost(cost), group=group)

    def net_benefit(
        self, thresholds: object = None, group: Label = None, confidence: float | None = 0.95
    ) -> DecisionCurve:
        """Return the decision curve of predicted probabilities: the net benefit of acting on them at each threshold.

        A threshold is the probability from which on one would act, so it says how many false alarms one true positive
        is worth. Compare the curve with that of acting on all items, and with 0, that of acting on none (Vickers and
        Elkin 2006).
        """
        data = self.scored().get(self._key(group))
        if data is None:
            raise InputError("a decision curve needs scores", argument="matrices", advice="give {y_true} and {y_score}")
        return decision_curve(data, thresholds, confidence)

    def cost_curve(self, group: Label = None, points: int = 101) -> CostCurve:
        """Return the least normalised cost for every mix of costs and class sizes (Drummond and Holte 2006)."""
        check_whole(points, "points", 2)
        return cost_curve(self._counts(group), points)

    def operating_points(
        self, *asked: MeasureLike | float, group: Label = None, measures: MeasuresLike | None = None
    ) -> list[dict[str, str | float]]:
        """Return a table of operating points: a threshold, why it is there, and the values of measures at it.

        What is asked for are thresholds (numbers), conditions such as "recall >= 0.9" (the threshold that just meets
        it), or names of measures (their best threshold). By default, the best thresholds of the measures of this sweep.
        """
        shown = chosen(OPERATING if measures is None else measures, 2)
        rows = list[dict[str, str | float]]()
        for one in asked or [f for f in self.measures if f.orientation != NEITHER]:
            threshold, why = self._operating_point(one, group)
            matrix = self.matrix(threshold, group)
            values = {f.name: float(f(matrix, undefined=self.policy.quiet)) for f in shown}
            rows.append({"point": why, "threshold": threshold, **values})
        return rows

    def _operating_point(self, one: MeasureLike | float, group: Label) -> tuple[float, str]:
        if isinstance(one, (int, float, np.number)) and not isinstance(one, bool):
            return float(one), f"threshold {float(one):g}"
        if isinstance(one, str) and any(sign in one for sign in "<>=≤≥"):
            condition, part = ThresholdCondition.read(one, bound=True, argument="asked"), self._part(group)
            allowed = np.flatnonzero(self._allowed(part, condition)[: len(part.counts)])
            if not len(allowed):
                raise InputError("no threshold has {condition}", argument="asked", condition=str(condition),
                                 advice="ask for less")  # fmt: skip
            # The threshold that just meets the condition is wanted. Of equal values, that is the highest threshold for
            # recall, and the lowest for specificity, which rises with the threshold.
            gap = np.abs(condition.difference(ThresholdMatrices.of(part.counts))[1:, 0])[allowed]
            nearest = allowed[gap <= gap.min() + 1e-12]
            rises = self.values(condition.left, group)[0] > self.values(condition.left, group)[-1]
            at = nearest[-1] if rises else nearest[0]
            return float(part.counts.thresholds[at]), str(condition)
        if isinstance(one, (bool, int, float)):
            raise InputTypeError("{asked} is {got!r}", got=one, expected="a threshold, a condition or a measure")
        best = self.best(one, group, confidence=None)
        return best.threshold, f"best {best.measure}"

    def bests(self, confidence: float | None = None, seed: int = 0) -> list[Best]:
        """Return the best threshold of every measure and group; measures without an orientation are left out."""
        check_options(SpreadOptions, confidence=confidence, seed=seed)
        if (confidence, seed) not in self._bests:
            self._bests[confidence, seed] = [
                self.best(f, group, confidence=confidence, seed=seed)
                for group in self._parts for f in self.measures
                if f.orientation != NEITHER and not np.isnan(self.values(f, group)).all()
            ]  # fmt: skip
        return self._bests[confidence, seed]

    def scored(self) -> dict[object, Scored]:
        """Return the scored items of each system or group; none where only matrices are known."""
        labels = (None, self.positive)
        return {
            group: x.data or Scored(x.hit, x.scores, labels, x.weights, x.units)
            for group, x in self._parts.items()
            if x.scores is not None and x.hit is not None
        }

    def is_stepwise(self, group: Label = None) -> bool:
        """Return whether values between two thresholds are known: they are for items, but not for matrices."""
        return self._part(group).scores is not None

    def thresholds_of(self, group: Label = None) -> Array:
        """Return the distinct thresholds of a group, from the highest down."""
        return self._counts(group).thresholds

    @property
    def policy(self) -> Policy:
        """Return what is done where a measure is undefined."""
        return policy_of(self.undefined)

    def chart(self, name: str = "thresholds") -> ChartSpec:
        """Return one chart as a Vega-Lite specification.

        Its name is "thresholds" (the measures along the threshold), "roc", "precision_recall", "gain" or, for
        probabilities, "reliability" or "decision_curve".
        """
        return writer_of(self).chart(name)

    @property
    def table(self) -> SweepTable:
        """Return tidy rows: group, threshold, measure, value."""
        return SweepTable(self)

    def _key(self, group: Label) -> Label:
        if isinstance(group, Hashable) and group in self._parts:
            return group
        if group is None and len(self._parts) == 1:
            return next(iter(self._parts))
        if self.groups == (None,):
            raise InputError("{group} is {got!r}", got=group, advice="there is one sweep only, so leave it out")
        known = ", ".join(map(repr, self._parts))
        raise InputError("{group} is {got!r}", got=group, known=known, advice="name one of {known}")

    def _part(self, group: Label) -> SweptGroup:
        return self._parts[self._key(group)]

    def _counts(self, group: Label) -> ThresholdCounts:
        return self._part(group).counts

    @cached_property
    def warnings(self) -> list[Caution]:
        """Return a warning for each system or group whose scores seem to point the other way."""
        parts = self._parts.items()
        return [w for x, p in parts for w in reversed_scores(x, p.counts, _worth(p), self.positive)]


def _worth(part: SweptGroup) -> tuple[float, float] | None:
    """Return the effective numbers of positive and negative items; None where only matrices are known."""
    if part.data is not None:
        data = part.data
        sums = [(data.sizes[k], float(data.squares[data.true == bool(k)].sum())) for k in (1, 0)]
        positive, negative = (float(total**2 / squares) if squares > 0 else 0.0 for total, squares in sums)
        return positive, negative
    return None if part.hit is None else worth(part.hit, part.weights, part.units)


class SweepRow(TypedDict):
    """The value of one measure at one threshold."""

    group: Label
    threshold: float
    measure: str
    value: float


class SweepTable(Sequence[SweepRow]):
    """Tidy rows with group, threshold, measure and value, each made when it is looked at."""

    def __init__(self, sweep: Sweep) -> None:
        self._sweep = sweep
        self._starts = np.cumsum([0, *(len(sweep._counts(group)) * len(sweep.measures) for group in sweep.groups)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    @overload
    def __getitem__(self, k: int) -> SweepRow: ...

    @overload
    def __getitem__(self, k: slice) -> list[SweepRow]: ...

    def __getitem__(self, k: int | slice) -> SweepRow | list[SweepRow]:
        if isinstance(k, slice):
            return [self[i] for i in range(*k.indices(len(self)))]
        k = k + len(self) if k < 0 else k
        if not 0 <= k < len(self):
            raise IndexError(f"row {k} of {len(self)}")
        g = int(np.searchsorted(self._starts, k, side="right")) - 1
        group = self._sweep.groups[g]
        at, m = divmod(k - int(self._starts[g]), len(self._sweep.measures))
        f = self._sweep.measures[m]
        threshold = self._sweep._counts(group).thresholds[at].item()
        return {"group": group, "threshold": threshold, "measure": f.name,
                "value": float(self._sweep.values(f, group)[at])}  # fmt: skip

    def columns(self) -> dict[str, ArrayLike]:
        """Return the table as a dict of columns, much faster than row by row."""
        s, many = self._sweep, len(self._sweep.measures)
        names = [f.name for f in s.measures]
        groups = [group for group in s.groups for _ in range(len(s._counts(group)) * many)]
        thresholds = np.concatenate([np.repeat(s._counts(g).thresholds, many) for g in s.groups])
        values = np.concatenate([np.stack(list(s.all_values(g).values()), axis=1).ravel() for g in s.groups])
        return {"group": groups, "threshold": thresholds, "measure": names * (len(self) // many), "value": values}

    def __repr__(self) -> str:
        shown = [f"{x['threshold']:<12.6g} {x['measure']:<20} {x['value']:.4f}" for x in self[:20]]
        rest = len(self) - 20
        return "\n".join(
            ["threshold    measure              value", *shown, *([f"… and {rest:,} more rows"] if rest > 0 else [])]
        )
