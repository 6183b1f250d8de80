"""Turn the counts of one system on one slice into rows: values, intervals, chance levels and reasons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from goodmeasure.catalogue.chance import chance_levels, chance_levels_of_pairs
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.zero_divisions import left_out, sentences
from goodmeasure.counts.class_names import missing_name
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.intervals.by_class import (
    Spread,
    against_the_rest,
    class_intervals,
    class_pairs,
    class_values,
    four_of,
    spread,
)
from goodmeasure.evaluation.intervals.interval import Interval, intervals, no_interval
from goodmeasure.evaluation.intervals.many_at_once import ManyItems, many_intervals
from goodmeasure.evaluation.intervals.ratios import is_ratio
from goodmeasure.evaluation.judges.powered import Powered, powered
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.trivial_classifiers import always
from goodmeasure.language.compile.sparse import NeedsEveryCell
from goodmeasure.language.policy import NAN, RESOLVE, Policy
from goodmeasure.options import PAGE, PERKS, IntervalMethod, IntervalOptions
from goodmeasure.typing import Array, Label

MOST_CLASSES = 1000  # beyond it there are rows by class only for those who ask for them
NOT_ASKED = no_interval("none was asked for")  # compared by identity, not by its text
_ROUNDING = 1e-12
_SENTENCES = 3
_TRACED = 200  # classes: with more, the terms of a formula are too many to look at one by one


@dataclass(frozen=True)
class Settings:
    """What is measured and how: measures, confidence level, random seed, method of the intervals, policy for 0/0."""

    measures: tuple[Measure, ...]
    classwise: tuple[Measure, ...]
    confidence: float | None = 0.95
    seed: int = 0
    method: IntervalMethod = "auto"
    replicates: int = 2000
    policy: Policy = RESOLVE
    prior: float | str = PERKS
    family: str | None = PAGE  # whether all claims of a page share one error rate

    def interval_options(self) -> IntervalOptions:
        """Return the keyword arguments for `intervals`; only valid where a confidence level is set."""
        assert self.confidence is not None
        return {
            "confidence": self.confidence, "seed": self.seed, "method": self.method, "replicates": self.replicates,
            "undefined": self.policy.quiet, "prior": self.prior,
        }  # fmt: skip


class Score(NamedTuple):
    """The value of a measure, why it is undefined or a rule acted, if so, and its interval."""

    value: float
    reason: str | None
    interval: Interval


@dataclass(frozen=True)
class SystemScores:
    """The scores of one system on one slice, with its sample and the majority-class baseline."""

    system: str
    slice: Label  # None: all items
    sample: Sample
    rows: tuple[Row, ...]
    constant: Label  # the majority class, and below what always predicting it would score
    constant_values: dict[str, float]
    settings: Settings
    scores: tuple[Score, ...]  # of each measure of the settings, on all classes
    score_rows: tuple[Row, ...] = ()  # of measures of the scores that labels were made of
    powered: tuple[Powered, ...] = ()  # what a judge adds to each of the scores, if there is one

    @property
    def methods(self) -> dict[str, str]:
        """Return how the interval of each measure was found."""
        return {f.name: x.interval.method for f, x in zip(self.settings.measures, self.scores, strict=True)}

    @property
    def matrix(self) -> ConfusionMatrix:
        return self.sample.matrix

    @property
    def all_rows(self) -> tuple[Row, ...]:
        """Return all rows: of all classes, first measures of labels and then of scores, and of single classes."""
        if not self.score_rows:
            return self.rows
        whole = [row for row in self.rows if row.label is None]
        return (*whole, *self.score_rows, *(row for row in self.rows if row.label is not None))

    def value(self, measure: str) -> float | None:
        """Return the value of a measure over all classes, or None if it was not measured."""
        every = (*self.rows, *self.score_rows)
        return next((row.value for row in every if row.label is None and row.measure == measure), None)

    @cached_property
    def spreads(self) -> dict[str, Spread]:
        """Return how much each class-wise measure differs between classes; empty where there are no rows by class."""
        chosen = self.settings.classwise if has_class_rows(self.matrix) else ()
        return {f.name: spread(self.sample, f, policy=self.settings.policy.quiet) for f in chosen}


class MajorityBaseline:
    """What always predicting the majority class would score: computed once for the same sizes of the true classes."""

    def __init__(self, settings: Settings) -> None:
        self.measures, self.policy = settings.measures, settings.policy.quiet
        self._known: dict[tuple[str, tuple[object, ...]], dict[str, float]] = {}

    def values(self, matrix: ConfusionMatrix, majority: int) -> dict[str, float]:
        """Return the values by measure."""
        sizes = (matrix.a.dtype.str, tuple(matrix.a.tolist()))
        if sizes not in self._known:
            lazy = always(matrix, majority)
            found = values_and_reasons(self.measures, lazy, self.policy, explain=False)
            self._known[sizes] = {f.name: value for f, (value, _) in zip(self.measures, found, strict=True)}
        return dict(self._known[sizes])


def score(
    system: str, slice: Label, sample: Sample, settings: Settings, baseline: MajorityBaseline | None = None
) -> SystemScores:
    """Return the scores of one system on one slice; several systems can share a baseline."""
    matrix = sample.matrix
    values = values_and_reasons(settings.measures, matrix, settings.policy)
    found = _intervals(sample, settings, [value for value, _ in values])
    added: list[Powered] = []
    if sample.judged is not None:
        human = [value for value, _ in values]
        better = powered(sample, settings.measures, human, found, settings.policy)
        values = [(value, reason) for (value, *_), (_, reason) in zip(better, values, strict=True)]
        found, added = [x for _, x, _ in better], [x for *_, x in better]
    scores = tuple(Score(*known, interval) for known, interval in zip(values, found, strict=True))
    levels = chance_levels(settings.measures, matrix, settings.policy.quiet)
    rows = [
        row_of(system, slice, None, f, x.value, x.interval, level.value, x.reason)
        for f, x, level in zip(settings.measures, scores, levels, strict=True)
    ]
    rows += _class_rows(system, slice, sample, settings)
    majority = int(np.argmax(matrix.a)) if matrix.m else 0
    return SystemScores(
        system,
        slice,
        sample,
        tuple(rows),
        matrix.labels[majority],
        (baseline or MajorityBaseline(settings)).values(matrix, majority),
        settings,
        scores,
        powered=tuple(added),
    )


def values_and_reasons(
    measures: Sequence[Measure], matrix: ConfusionMatrix, policy: Policy, *, explain: bool = True
) -> list[tuple[float, str | None]]:
    """Return what `value_and_reason` returns, for several measures."""
    if matrix.is_sparse:
        return [value_and_reason(f, matrix, policy, explain=explain) for f in measures]
    values = Measure.together(measures, matrix, policy)
    bare = Measure.together(measures, matrix, NAN) if explain and policy.name != "nan" else values
    return [
        (value, value_reason(f, matrix, policy, without_rules, value) if explain else None)
        for f, value, without_rules in zip(measures, values, bare, strict=True)
    ]


def value_and_reason(
    f: Measure, matrix: ConfusionMatrix, policy: Policy, *, explain: bool = True
) -> tuple[float, str | None]:
    """Return the value of a measure and the reason for it, where there is one."""
    try:
        value = float(f(matrix, undefined=policy))
    except NeedsEveryCell as error:
        if not matrix.is_sparse:
            raise
        return math.nan, str(error)  # the measure needs every cell of a matrix that is too large for that
    if not explain:
        return value, None
    bare = value if policy.name == "nan" else float(f(matrix, undefined=NAN))
    return value, value_reason(f, matrix, policy, bare, value)


def value_reason(f: Measure, matrix: ConfusionMatrix, policy: Policy, bare: float, value: float) -> str | None:
    """Return why a value is undefined, which rules for 0/0 gave it, or which absent classes it leaves out.

    A rule acted where `bare`, the value without rules, is undefined or another one. None: the formula stands, for all
    classes.
    """
    if math.isnan(bare) or not math.isclose(bare, value, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
        return reason_of(f, matrix, policy)
    return left_out(f, matrix)


def reason_of(f: Measure, matrix: ConfusionMatrix, policy: Policy, missing: str | None = None) -> str:
    """Return why a value is undefined or which rules for 0/0 gave it, in at most a few sentences.

    `missing` is the name of the class of missing labels, where a larger matrix has given it one.
    """
    if matrix.is_sparse or matrix.m > _TRACED:
        return "a term of the formula is 0/0"
    said = sentences(f, _with_names(matrix, missing), policy) or ["a term of the formula is 0/0"]
    rest = len(said) - _SENTENCES
    return "; ".join([*said[:_SENTENCES], *([f"and {rest} more terms"] if rest > 0 else [])])


def _with_names(matrix: ConfusionMatrix, missing: str | None) -> ConfusionMatrix:
    """Return the matrix with a name for the class of missing labels, so that sentences can mention it."""
    if None not in matrix.labels:
        return matrix
    name = missing_name(matrix.labels) if missing is None else missing
    return ConfusionMatrix(matrix.counts, [name if x is None else x for x in matrix.labels])


def _intervals(sample: Sample, settings: Settings, values: list[float]) -> list[Interval]:
    if settings.confidence is None:
        return [NOT_ASKED for _ in values]
    m = sample.matrix.m
    known = {f: x for f, x in zip(settings.measures, values, strict=True) if not math.isnan(x) or is_ratio(f, m)}
    around = intervals(sample, list(known), values=list(known.values()), **settings.interval_options())
    found = dict(zip(known, around, strict=True))
    return [found.get(f, no_interval("the value is undefined")) for f in settings.measures]


def row_of(
    system: str,
    slice: Label,
    label: Label,
    f: Measure,
    value: float,
    interval: Interval,
    chance: float,
    reason: str | None,
) -> Row:
    lacking = reason is None and not math.isnan(value) and math.isnan(interval.low) and interval is not NOT_ASKED
    low, high, why = float(interval.low), float(interval.high), interval.reason if lacking else None
    said = f"no interval: {why}" if lacking else reason
    return Row(system, slice, label, f.name, value, low, high, chance, said, why)


def has_class_rows(matrix: ConfusionMatrix) -> bool:
    """Return whether the table has rows by class: there are several classes, and not too many."""
    return 1 < matrix.m <= MOST_CLASSES


def is_plain(sample: Sample, settings: Settings) -> bool:
    """Return whether intervals can be computed in batches: single items, the default method, and catalogue measures."""
    if settings.method != "auto" or sample.groups is not None or sample.judged is not None:
        return False
    if any(f.is_users_own() for f in settings.classwise):
        return False
    return sample.matrix.a.dtype.kind in ("iu" if sample.items is None else "f")


def _class_intervals(sample: Sample, settings: Settings, values: list[Array]) -> list[list[Interval]]:
    chosen = settings.classwise
    if settings.confidence is None:
        return [[NOT_ASKED] * sample.matrix.m for _ in chosen]
    if not is_plain(sample, settings):
        return class_intervals(sample, chosen, values=values, **settings.interval_options())
    weighed = (None if x is None else four_of(np.asarray(x)) for x in (sample.items, sample.squares))
    units = ManyItems(class_pairs(sample.matrix), *weighed)
    return many_intervals(units, chosen, values, settings.confidence, settings.policy.quiet)


def _powered_classes(
    sample: Sample, settings: Settings, values: list[Array], found: list[list[Interval]]
) -> tuple[list[Array], list[list[Interval]]]:
    """Return values and intervals of every class with a judge's labels, from those of the human labels alone."""
    chosen, values = settings.classwise, [np.array(x) for x in values]
    for i, one in enumerate(against_the_rest(sample)):
        known = [float(x[i]) for x in values]
        for k, (value, interval, _) in enumerate(powered(one, chosen, known, [x[i] for x in found], settings.policy)):
            values[k][i], found[k][i] = value, interval
    return values, found


def _class_rows(system: str, slice: Label, sample: Sample, settings: Settings) -> list[Row]:
    """Return the rows of every class, each measured one-vs-rest."""
    matrix, chosen = sample.matrix, settings.classwise
    if not has_class_rows(matrix) or not chosen:
        return []
    rule = settings.policy.quiet
    values = [class_values(matrix, f, rule) for f in chosen]
    found = _class_intervals(sample, settings, values)
    if sample.judged is not None:
        values, found = _powered_classes(sample, settings, values, found)
    strict = [class_values(matrix, f, NAN) for f in chosen]
    rows, missing = [], missing_name(matrix.labels)
    levels = chance_levels_of_pairs(chosen, class_pairs(matrix), rule)
    for i, label in enumerate(matrix.labels):
        for k, f in enumerate(chosen):
            value = float(values[k][i])
            reason = reason_of(f, matrix.vs_rest(label), rule, missing) if math.isnan(strict[k][i]) else None
            named = missing if label is None else label
            rows.append(row_of(system, slice, named, f, value, found[k][i], levels[i][k].value, reason))
    return rows
