"""`drift`: what changed between two periods, with tests for independent samples.

Three tests look at all classes together: whether the class shares are the same, whether the predicted shares are, and
whether the recalls are. Each is a permutation test (`period_tests.py`): if nothing changed, it is chance which items,
or which whole groups of them, came before and which after.

Measures are compared as slices are (`evaluation/slice_variation.py`). The interval of a change puts together the
intervals of both values: its lower end is d − √((x − l)² + (u' − y)²), where x and y are the values, l is the lower end
of the first and u' the upper end of the second (Zou and Donner 2008; for shares with Wilson's intervals it is the
interval of Newcombe 1998).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Unpack

import numpy as np

from goodmeasure.catalogue.measure import Measure, MeasuresLike
from goodmeasure.comparison.drift_result import PREDICTED, PREVALENCE, RECALL, Change, ClassTest, Drift
from goodmeasure.comparison.period_tests import masks, period_test
from goodmeasure.comparison.sequential_drift import class_tests, confidence_sequence, p_at, pooled, spent
from goodmeasure.counts.arguments import check_one_kind
from goodmeasure.counts.classes import in_order
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.intervals.interval import intervals
from goodmeasure.evaluation.intervals.proportions import Proportion, proportion, wilson
from goodmeasure.evaluation.intervals.resampling import MOST_DENSE
from goodmeasure.evaluation.intervals.sampling_units import Units, reach_of, units_of
from goodmeasure.evaluation.one_sample import sample_of, stored
from goodmeasure.evaluation.p_values import holm
from goodmeasure.evaluation.positive_class import PositiveClass, how_chosen, of_samples
from goodmeasure.evaluation.prevalence.reweighting import reweighted
from goodmeasure.evaluation.provenance import MATRIX, Provenance
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import values_and_reasons
from goodmeasure.evaluation.slice_variation import variations
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.keywords import takes_options
from goodmeasure.language.policy import Policy, policy_of
from goodmeasure.options import DriftOptions
from goodmeasure.progress import shows_progress
from goodmeasure.typing import DataLike

_NO_TEST = f"with more than {MOST_DENSE} classes, measures are not tested"


@takes_options
@shows_progress("comparing")
def drift(before: DataLike | Result, after: DataLike | Result, **options: Unpack[DriftOptions]) -> Drift:
    """Return what changed between two periods: class shares, predicted shares, recalls, and every measure.

    `before` and `after` are confusion matrices, pairs (true labels, predicted labels), or what `evaluate` returns for
    one system, which knows groups too. The items must be different ones: for the same items, use `compare`.
    Of two classes, the one that is positive in `before` is so in both.

    With ``sequential=True``, `before` is the list of all earlier results, oldest first, and `after` is the latest. They
    may also be JSON text or files of it, as results and matrices write it. Tests and intervals are then valid however
    often one looks: a job that compares each night with all earlier ones rings falsely with a probability of 5% in all.

    >>> found = drift(ConfusionMatrix([[90, 10], [5, 45]]), ConfusionMatrix([[80, 20], [30, 170]]), measures=["mcc"])
    >>> found.drifted, found.prevalence.p < 0.001, found.recall.p > 0.05
    (True, True, True)
    >>> [round(x, 3) for x in (found.change("mcc").before, found.change("mcc").after)]
    [0.783, 0.636]
    """
    settings = _DriftSettings(
        float(options["confidence"]), int(options["seed"]), int(options["replicates"]),
        policy_of(options["undefined"]).quiet,
    )  # fmt: skip
    if options["sequential"]:
        return _sequential(_listed(before), after, options["measures"], settings)
    samples, positive = _aligned([before, after], ("before", "after"))
    labels, shown = samples[0].matrix.labels, chosen(options["measures"], samples[0].matrix.m)
    units = [units_of(x) for x in samples]
    tests = [_test(what, units, labels, settings) for what in (PREVALENCE, PREDICTED, RECALL)]
    corrected = holm([x.p for x in tests])
    first, second, third = (replace(x, p_corrected=p) for x, p in zip(tests, corrected, strict=True))
    bare = list(dict.fromkeys(note for x in units if (note := x.note)))
    notes = (*([_NO_TEST] if len(labels) > MOST_DENSE else []), *bare)
    items = [float(x.item_count or x.matrix.n) for x in samples]
    changes = tuple(_changes(samples, shown, settings))
    label, by = positive or (None, None)
    return Drift(first, second, third, changes, (items[0], items[1]), settings.confidence, notes, label, by)


class _DriftSettings(NamedTuple):
    """The settings of intervals and tests."""

    confidence: float
    seed: int
    replicates: int
    undefined: Policy


def _sequential(
    history: Sequence[object], latest: object, measures: MeasuresLike | None, settings: _DriftSettings
) -> Drift:
    """Return what changed, and how each measure stands, at the last of several results."""
    given = [stored(x, "before") for x in history] + [stored(latest, "after")]
    samples, positive = _aligned(given, (*("before" for _ in history), "after"))
    labels, shown, results = samples[0].matrix.labels, chosen(measures, samples[0].matrix.m), len(samples)
    tests, since = class_tests(samples, labels, _newcombe, settings.confidence)
    corrected = holm([x.p for x in tests])
    first, second, third = (replace(x, p_corrected=p) for x, p in zip(tests, corrected, strict=True))
    share = spent(results)
    level = 1 - (1 - settings.confidence) * share
    two = [pooled(samples[:-1]), samples[-1]]
    changes = _changes(two, shown, settings._replace(confidence=level), tested=False)
    changes = _corrected([
        replace(x, p=min(1.0, p_at(x.change, x.low if x.change > 0 else x.high, level) / share)) for x in changes
    ])  # fmt: skip
    notes = tuple(dict.fromkeys(note for x in two if (note := units_of(x).note)))
    items = [float(x.item_count or x.matrix.n) for x in (y for y in two)]
    label, by = positive or (None, None)
    sequences = confidence_sequence(
        samples, shown, settings.confidence, settings.undefined, settings.seed, settings.replicates
    )
    return Drift(
        first, second, third, changes, (items[0], items[1]), settings.confidence, notes, label, by,
        results, since, sequences,
    )  # fmt: skip


def _listed(history: object) -> Sequence[object]:
    """Return the earlier results, of which there is at least one."""
    if isinstance(history, (str, bytes, tuple, Mapping, Result)) or not isinstance(history, Iterable):
        raise InputTypeError(
            "{before} is {kind}", kind=type(history).__name__, expected="a list of results, oldest first"
        )
    found = list(history)
    if not found:
        raise InputError("{before} is empty", advice="the first result is only kept, and compared from the second on")
    return found


# What is compared


def _sample(given: object, argument: str) -> Sample:
    """Return the counts of one period."""
    sample = sample_of(given, argument)
    matrix = sample.matrix
    if matrix.batch or matrix.is_sparse:
        what = "a batch of matrices" if matrix.batch else f"a matrix of {matrix.m:,} classes"
        raise InputError("{argument} is {what}", argument=argument, what=what, expected="one matrix of fewer classes")
    return sample


def _aligned(periods: Sequence[object], arguments: Sequence[str]) -> tuple[list[Sample], PositiveClass | None]:
    """Return the samples with the classes of all and, of two classes, the positive one."""
    samples = [_sample(x, argument) for x, argument in zip(periods, arguments, strict=True)]
    known = [x.matrix.labels for x in samples]
    check_one_kind(x for labels in known for x in [y for y in labels if y is not None][:1])
    every = list(dict.fromkeys(x for labels in known for x in labels))
    labels = next((x for x in known if len(x) == len(every)), None) or in_order(every)
    for sample, argument in zip(samples, arguments, strict=True):
        if not sample.matrix.n > 0:
            raise InputError("{argument} holds no items", argument=argument, advice="a period needs at least one")
    positive = _positive(periods, samples) if len(labels) == 2 else None
    aligned = [x.with_classes(labels) for x in samples]
    return _all_weighted(aligned if positive is None else [x.with_positive(positive.label) for x in aligned]), positive


def _positive(periods: Sequence[object], samples: Sequence[Sample]) -> PositiveClass | None:
    """Return the positive class of two: that of the earlier period, unless only the later one says which it is."""
    for given, x in zip(periods, samples, strict=True):
        if (known := x.matrix.positive) is not None:
            return PositiveClass(
                known, how_chosen(given.source if isinstance(given, Result) else Provenance(MATRIX), known)
            )
    return of_samples(samples[:1]) or of_samples(samples)


def _all_weighted(samples: list[Sample]) -> list[Sample]:
    """Return all samples with weights if one has some, where items without a weight weigh 1."""
    if len({x.groups is None for x in samples}) > 1:
        raise InputError("only one of {before} and {after} has groups", advice="evaluate both with {groups:=}")
    if len({x.items is None for x in samples}) == 1:
        return samples
    return [x if x.items is not None else Sample(x.matrix.weighed(x.matrix, x.matrix), x.groups) for x in samples]


# All classes together


def _test(what: str, units: Sequence[Units], labels: Sequence[object], settings: _DriftSettings) -> ClassTest:
    """Return the test of one kind of share in all classes, with the change of each."""
    found = period_test(what, units, len(labels), settings.seed, settings.replicates)
    changes = []
    for k, label in enumerate(labels):
        shares = [proportion(*masks(what, k, x), x) for x in units]
        one, two = shares
        if one is None or two is None:
            none = math.nan
            why = "the class has no items in one of the periods"
            changes.append(Change(what, label, none, none, none, none, none, none, none, none, why))
            continue
        low, high = _newcombe(one, two, settings.confidence)
        p = float(found.single[k])
        changes.append(Change(what, label, one.share, two.share, two.share - one.share, low, high, p, math.nan))
    return ClassTest(what, found.p, math.nan, _corrected(changes))


def _newcombe(one: Proportion, two: Proportion, confidence: float) -> tuple[float, float]:
    """Return the interval of the change of a share."""
    ends = [wilson(x, reach_of(confidence, x.freedom)) for x in (one, two)]
    return _difference(one.share, two.share, *ends)


def _corrected(changes: Sequence[Change]) -> tuple[Change, ...]:
    corrected = holm([x.p for x in changes])
    return tuple(replace(x, p_corrected=p) for x, p in zip(changes, corrected, strict=True))


# Measures


def _changes(
    samples: Sequence[Sample], measures: Sequence[Measure], settings: _DriftSettings, *, tested: bool = True
) -> tuple[Change, ...]:
    """Return the change of every measure; `tested` says whether by permutations."""
    values = [values_and_reasons(measures, x.matrix, settings.undefined) for x in samples]
    ends = [_intervals(x, measures, [v for v, _ in found], settings) for x, found in zip(samples, values, strict=True)]
    found_by = (
        variations(samples, list(measures), settings.undefined, settings.seed, settings.replicates) if tested else []
    )
    expected = _expected(samples, measures, settings.undefined)
    found = []
    for k, f in enumerate(measures):
        (x, why), (y, later) = values[0][k], values[1][k]
        low, high = _difference(x, y, ends[0][k], ends[1][k])
        p = float(found_by[k].against_rest[0]) if tested and not math.isnan(x - y) else math.nan
        reason = why or later or (found_by[k].reason if tested else None) or None
        found.append(Change(f.name, None, x, y, y - x, low, high, p, math.nan, expected[k], reason))
    return _corrected(found)


def _intervals(
    sample: Sample, measures: Sequence[Measure], values: Sequence[float], settings: _DriftSettings
) -> list[tuple[float, float]]:
    known = {f: x for f, x in zip(measures, values, strict=True) if not math.isnan(x)}
    found = intervals(sample, list(known), values=list(known.values()), **settings._asdict()) if known else []
    ends = {f: (float(x.low), float(x.high)) for f, x in zip(known, found, strict=True)}
    return [ends.get(f, (math.nan, math.nan)) for f in measures]


def _difference(x: float, y: float, one: tuple[float, float], two: tuple[float, float]) -> tuple[float, float]:
    """Return the interval of the later value y minus the earlier value x, from the intervals of both."""
    low = y - x - math.hypot(y - two[0], one[1] - x)
    high = y - x + math.hypot(two[1] - y, x - one[0])
    return float(low), float(high)


def _expected(samples: Sequence[Sample], measures: Sequence[Measure], policy: Policy) -> list[float]:
    """Return the values that the earlier rates give with the later class shares; NaN where a rate is not known."""
    before, after = (np.asarray(x.matrix.counts, np.float64) for x in samples)
    if ((before.sum(axis=1) == 0) & (after.sum(axis=1) > 0)).any():
        return [math.nan for _ in measures]
    shares = after.sum(axis=1) / after.sum()
    moved = ConfusionMatrix(reweighted(before, shares) * before.sum(), samples[0].matrix.labels)
    return [value for value, _ in values_and_reasons(measures, moved, policy, explain=False)]
