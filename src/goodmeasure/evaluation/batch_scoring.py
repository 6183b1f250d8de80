"""Score many slices at once, as a batch of small matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.chance import chance_levels_of_many, chance_levels_of_pairs
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.class_names import missing_name
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.by_class import four_of, values_of_pairs
from goodmeasure.evaluation.intervals.interval import Interval
from goodmeasure.evaluation.intervals.many_at_once import ManyItems, many_intervals
from goodmeasure.evaluation.scoring import (
    NOT_ASKED,
    MajorityBaseline,
    Score,
    Settings,
    SystemScores,
    is_plain,
    reason_of,
    row_of,
    score,
    value_reason,
)
from goodmeasure.evaluation.table import Row
from goodmeasure.language.policy import NAN
from goodmeasure.progress import tick
from goodmeasure.typing import Array, Label

_FEW = 4  # matrices: for fewer, a batch does not pay
_MOST_CLASSES = 12
_CELLS_AT_ONCE = 1 << 18


class ScoringTask(NamedTuple):
    """One system on one slice, to be measured."""

    system: str
    slice: Label
    sample: Sample


def score_all(
    tasks: Sequence[ScoringTask], settings: Settings, progress: Callable[[int, int], None] | None
) -> list[SystemScores]:
    """Return the scores of each system on each slice; samples with few classes are measured together."""
    batches: dict[int | tuple[str, int], list[int]] = {}
    for k, task in enumerate(tasks):
        batches.setdefault(task.sample.matrix.m if _fits(task.sample, settings) else ("alone", k), []).append(k)
    found: dict[int, SystemScores] = {}
    baseline = MajorityBaseline(settings)
    for m, places in batches.items():
        step = 1 if len(places) < _FEW or isinstance(m, tuple) else max(1, _CELLS_AT_ONCE // m**2)
        for start in range(0, len(places), step):
            (progress or tick)(len(found), len(tasks))
            some = places[start : start + step]
            together = [tasks[k] for k in some]
            parts = [score(*together[0], settings, baseline)] if step == 1 else _score_batch(together, settings)
            found.update(zip(some, parts, strict=True))
    (progress or tick)(len(tasks), len(tasks))
    return [found[k] for k in range(len(tasks))]


def _fits(sample: Sample, settings: Settings) -> bool:
    """Return whether a sample can be measured in a batch: few classes, no groups, and nothing that may raise."""
    if settings.policy.name == "raise" or sample.matrix.is_sparse or any(f.is_users_own() for f in settings.measures):
        return False
    return is_plain(sample, settings) and 2 <= sample.matrix.m <= _MOST_CLASSES


def _score_batch(tasks: Sequence[ScoringTask], settings: Settings) -> list[SystemScores]:
    """Return the scores of several samples with equally many classes."""
    samples = [task.sample for task in tasks]
    counts = np.stack([x.matrix.counts for x in samples])
    weighed = [
        None if getattr(samples[0], name) is None else np.stack([getattr(x, name) for x in samples])
        for name in ("items", "squares")
    ]
    batch, measures = ConfusionMatrix(counts), settings.measures
    values = [f(batch, undefined=settings.policy) for f in measures]
    strict = values if settings.policy.name == "nan" else [f(batch, undefined=NAN) for f in measures]
    found = _intervals(settings, counts, weighed, measures, values)
    levels = chance_levels_of_many(measures, counts, settings.policy)
    majority = counts.sum(axis=2).argmax(axis=1)
    lazy = _constant_values(settings, counts, majority)
    by_class = _class_rows(tasks, settings, counts, weighed)
    parts = []
    for k, task in enumerate(tasks):
        matrix = task.sample.matrix
        scores = tuple(
            Score(
                float(values[i][k]),
                value_reason(f, matrix, settings.policy, float(strict[i][k]), float(values[i][k])),
                found[i][k],
            )
            for i, f in enumerate(measures)
        )
        rows = [
            row_of(task.system, task.slice, None, f, x.value, x.interval, level.value, x.reason)
            for f, x, level in zip(measures, scores, levels[k], strict=True)
        ]
        constant = {f.name: lazy[i][k] for i, f in enumerate(measures)}
        label = matrix.labels[majority[k]]
        parts.append(SystemScores(*task, (*rows, *by_class[k]), label, constant, settings, scores))
    return parts


def _intervals(
    settings: Settings,
    counts: Array,
    weighed: Sequence[Array | None],
    measures: Sequence[Measure],
    values: Sequence[Array],
) -> list[list[Interval]]:
    if settings.confidence is None:
        return [[NOT_ASKED] * len(counts) for _ in measures]
    return many_intervals(ManyItems(counts, *weighed), measures, values, settings.confidence, settings.policy)


def _constant_values(settings: Settings, counts: Array, majority: Array) -> list[list[float]]:
    """Return the values of the majority-class baseline, by measure and sample."""
    tables = np.zeros_like(counts)
    tables[np.arange(len(counts)), :, majority] = counts.sum(axis=2)
    batch = ConfusionMatrix(tables)
    return [f(batch, undefined=settings.policy).tolist() for f in settings.measures]


def _class_rows(
    tasks: Sequence[ScoringTask], settings: Settings, counts: Array, weighed: Sequence[Array | None]
) -> list[list[Row]]:
    """Return the rows of every class, each measured one-vs-rest, for each sample."""
    chosen, m = settings.classwise, counts.shape[-1]
    if not chosen:
        return [[] for _ in tasks]
    four, *rest = (None if x is None else four_of(x).reshape(-1, 2, 2) for x in (counts, *weighed))
    assert four is not None
    values = [values_of_pairs(four, f, settings.policy) for f in chosen]
    strict = [values_of_pairs(four, f, NAN) for f in chosen]
    found = _intervals(settings, four, rest, chosen, values)
    levels = chance_levels_of_pairs(chosen, four, settings.policy)
    by_task = []
    for k, task in enumerate(tasks):
        labels, rows = task.sample.matrix.labels, []
        missing = missing_name(labels)
        for i, label in enumerate(labels):
            named, at = missing if label is None else label, k * m + i
            for f, value, bare, interval, level in zip(chosen, values, strict, found, levels[at], strict=True):
                undefined = math.isnan(bare[at])
                one = task.sample.matrix.vs_rest(label) if undefined else None
                reason = None if one is None else reason_of(f, one, settings.policy, missing)
                rows.append(
                    row_of(task.system, task.slice, named, f, float(value[at]), interval[at], level.value, reason)
                )
        by_task.append(rows)
    return by_task
