"""`compare`: systems on the same items, with paired differences, tests, ranks and winners."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Reversible
from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict, Unpack, overload

import numpy as np

from goodmeasure.catalogue.foreign_keywords import explained
from goodmeasure.catalogue.measure import NEITHER, MeasuresLike
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.computation import BOOTSTRAP, NORMAL, KnownScores, PairedTest, SystemPair, Work
from goodmeasure.comparison.ensemble import ensemble_of
from goodmeasure.comparison.group_swaps import about_groups
from goodmeasure.comparison.labels_and_scores import LabelsAndScores
from goodmeasure.comparison.multilabel_comparison import (
    MultilabelComparison,
    compare_multilabel,
    is_multilabel,
    refuse_options,
)
from goodmeasure.comparison.rows import AgreementRow, DifferenceRow, EnsembleRow, ScoreRow
from goodmeasure.comparison.score_comparison import (
    LargeScoreWork,
    ScoreWork,
    is_unbounded,
    on_the_same_items,
    slices_of,
)
from goodmeasure.comparison.settings import FEW, SYSTEMS, ComparisonSettings, best_of, check, is_higher
from goodmeasure.comparison.system_ranks import best_shares, kendall, mean_places, place_intervals, places, spearman
from goodmeasure.counts.arguments import ListLabels, check_positive
from goodmeasure.counts.joint import Joint, absent_classes
from goodmeasure.counts.sample import Slice
from goodmeasure.counts.scores.scored import Scored as ScoredItems
from goodmeasure.evaluation.chosen_measures import NO_MEASURES, chosen
from goodmeasure.evaluation.intervals.interval import check as check_intervals
from goodmeasure.evaluation.listed_labels import read_multilabel, refuse_arrays
from goodmeasure.evaluation.multilabel import Multilabel
from goodmeasure.evaluation.p_values import holm
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.reading import Asked, read_jointly
from goodmeasure.evaluation.scores.chosen import are_of_scores, split
from goodmeasure.evaluation.scores.evaluating import chosen_threshold, labels_at, measured_at
from goodmeasure.evaluation.scores.reading_scores import ScoreData, read_scores
from goodmeasure.evaluation.scores.scores_beyond_memory import LargeScores, read_paired
from goodmeasure.evaluation.slices import slice_value, slice_words
from goodmeasure.evaluation.warnings.general import depends_on_order
from goodmeasure.exceptions import InputError
from goodmeasure.progress import shows_progress, tick
from goodmeasure.typing import Frame, Label, LabelsLike

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.catalogue.scores.measure import ScoreMeasure
    from goodmeasure.evaluation.evaluate import Progress
    from goodmeasure.language.policy import Undefined

AnyWork = Work | ScoreWork | LabelsAndScores
_LEAST_OF_CLASS = 500  # items of each class that a random sample must hold


class DifferenceOptions(TypedDict, total=False):
    """The options for computing and testing differences between systems, and a progress callback."""

    ensemble: object
    confidence: float
    seed: int
    method: str
    replicates: int
    undefined: Undefined
    correct: str
    margin: float | None
    threshold: float | None
    progress: Progress | None


class CompareOptions(DifferenceOptions, total=False):
    """The keyword arguments of `compare`."""

    y_true: object
    y_score: object
    measures: MeasuresLike | None
    pairs: str
    sample_weight: object
    by: object
    groups: object
    count: object
    labels: LabelsLike | None
    positive: object
    missing: str
    id: str | None
    format: str | None
    memory_limit: str | None
    pool: bool
    table: str | None
    na_values: object


@overload
def compare(  # type: ignore[overload-overlap]  # what `multilabel` returns is an object too; the first one matches
    data: Mapping[str, Multilabel], y_pred: None = None, *, measures: MeasuresLike | None = None,
    confidence: float = 0.95, seed: int = 0, method: str = "auto", replicates: int = 2000,
    undefined: Undefined = "resolve", correct: str = "systems",
) -> MultilabelComparison: ...  # fmt: skip
@overload
def compare(data: object = None, y_pred: object = None, **options: Unpack[CompareOptions]) -> Comparison: ...
@explained
@shows_progress("comparing")
def compare(
    data: Frame = None, y_pred: object = None, *, y_true: object = None, measures: MeasuresLike | None = None,
    ensemble: object = None, pairs: str = "auto", sample_weight: object = None, by: object = None,
    groups: object = None, labels: LabelsLike | None = None,
    positive: object = None, missing: str = "error", confidence: float = 0.95, seed: int = 0, method: str = "auto",
    replicates: int = 2000, undefined: Undefined = "resolve", memory_limit: str | None = None,
    pool: bool = False, correct: str = "systems", margin: float | None = None, progress: Progress | None = None,
    y_score: object = None, threshold: float | None = None, count: object = None, id: str | None = None,
    format: str | None = None, table: str | None = None, na_values: object = None,
) -> Comparison | MultilabelComparison:  # fmt: skip
    """Compare systems on the same items: differences with intervals and p-values, ranks, and which may be the best.

    `data` is the true labels, with `y_pred` a dict of predicted labels by system; or a data frame or files, with
    `y_true`, `y_pred`, `sample_weight`, `by`, `groups` and `count` the names of columns, as in `evaluate`. An item
    needs a label of every system: with ``missing="drop"``, items that lack one are left out for all systems. All
    systems are measured with the same classes, which are those that occur anywhere. A dict of what `multilabel`
    returns, by system, compares every average over labels and items.

    `data` may also be a dict of data frames or files by system, each with the predictions of one run: they are joined
    by the column `id`. Ids that are missing or occur twice, and true labels that differ between runs, are refused; so
    are items that a run lacks, unless `missing` says that they are left out ("drop") or a class of their own ("class").

    With `y_score`, a dict of scores by system or names of columns as in `evaluate`, measures of scores are compared:
    areas by the test of DeLong, DeLong and Clarke-Pearson, means by the influence of each item, and all others by the
    paired bootstrap. Measures of labels that are named in `measures`, or all usual ones if `threshold` is given, are
    compared on the labels that the threshold makes of the scores (0.5 for probabilities).

    `pairs` says which differences are shown: "all", "best" (the best system of each measure against the others), the
    name of a system to compare the others with, or "auto": all pairs of up to ten systems, otherwise "best". `ensemble`
    names the measures whose mean is reported as a score of its own (by default all that have a range; False for none).

    `method` is the test of the differences: "permutation" (the labels of both systems are swapped at random),
    "bootstrap", "normal" (influence functions), or "auto": McNemar's mid-p test for accuracy, recall and the like,
    permutation for all other measures, and normal where items, systems or classes are too many for it. "exact" is like
    "auto" with McNemar's exact test, which is conservative: where few items decide, its error rate is below the nominal
    5%. Each row says which test was used.

    `margin` is the largest difference that does not matter. With it, each difference has the p-values of the claims
    that one system is worse than the other by less than the margin (non-inferiority), and that the systems are
    equivalent: a claim is shown at the 5% level where p < 0.05. They are corrected for many tests as `correct` says.

    p-values are corrected by Holm's method over the pairs of systems (`correct`: "systems"), or over pairs, measures
    and slices ("all"). A system is among the winners unless another one is significantly better after this correction.

    >>> true, a, b = [0, 1, 1, 0, 1, 1], [0, 1, 1, 0, 1, 0], [0, 1, 0, 0, 0, 0]
    >>> compared = compare(true, {"A": a, "B": b}, measures=["accuracy", "mcc"])
    >>> compared.ranks["mcc"], compared.winners["accuracy"]
    ({'A': 1, 'B': 2}, ('A', 'B'))
    >>> row = compared.difference("A", "B", "accuracy")
    >>> round(row["difference"], 3), row["p"], row["method"]
    (0.333, 0.25, 'mid-p McNemar')
    """
    asked = Asked.of(locals())
    if is_multilabel(data):
        refuse_options(
            y_pred=y_pred, y_true=y_true, sample_weight=sample_weight, by=by, groups=groups, labels=labels,
            positive=positive, missing=missing, ensemble=ensemble, pairs=pairs, pool=pool, margin=margin,
            count=count, id=id, format=format,
        )  # fmt: skip
        return compare_multilabel(
            data, measures=measures, confidence=confidence, seed=seed, method=method, replicates=replicates,
            undefined=undefined, correct=correct,
        )  # fmt: skip
    if y_score is not None:
        if y_pred is not None:
            raise InputError(
                "{y_pred} and {y_score:=} were both given", advice="compare labels or scores, one at a time"
            )
        return _compare_scores(
            asked, y_score, measures, pairs=pairs, confidence=confidence, seed=seed, method=method,
            replicates=replicates, undefined=undefined, correct=correct, margin=margin, threshold=threshold,
        )  # fmt: skip
    if threshold is not None:
        raise InputError("{threshold:=} needs {y_score:=}", got=threshold)
    try:
        counts = read_jointly(asked)
    except ListLabels:
        refuse_arrays(asked)
        systems = read_multilabel(asked)[0]  # whose pairs are all compared
        refuse_options(ensemble=ensemble, pairs=None if pairs in systems else pairs, margin=margin)
        return compare_multilabel(
            systems, measures=measures, confidence=confidence, seed=seed, method=method,
            replicates=replicates, undefined=undefined, correct=correct,
        )  # fmt: skip
    return compare_counts(
        *counts, measures=measures, ensemble=ensemble, pairs=pairs, confidence=confidence, seed=seed,
        method=method, replicates=replicates, undefined=undefined, correct=correct, margin=margin, progress=progress,
    )  # fmt: skip


def compare_counts(
    counted: Joint, source: Provenance, *, measures: MeasuresLike | None = None, ensemble: object = None,
    pairs: str = "auto",
    confidence: float = 0.95, seed: int = 0, method: str = "auto", replicates: int = 2000,
    undefined: Undefined = "resolve", correct: str = "systems", margin: float | None = None,
    progress: Progress | None = None,
    known: Mapping[str, KnownScores] | None = None,
) -> Comparison:  # fmt: skip
    """Return the comparison of systems that are counted already; `source` says where the counts come from.

    `known` holds the scores that `evaluate` found for the same measures, policy and confidence level. They are reused
    for each system whose counts are the same here. Those of the other systems are computed again, by the same method: a
    comparison leaves out items for which any system lacks a label, and measures all systems with the same classes.
    """
    check(pairs, counted.systems, confidence, seed, method, replicates, correct, margin)
    used = counted.keeping(counted.occurring()) if source.labels is None else counted  # as `evaluate` does
    shown = tuple(chosen(measures, used.m if source.positive is None else 2))
    if source.positive is not None or not any(depends_on_order(f) for f in shown):
        counted = used
    joint = _of_positive(counted, source.positive)
    settings = ComparisonSettings.of(
        shown, ensemble_of(ensemble, shown), pairs, confidence, seed, method, replicates, undefined, correct, margin
    )
    slices = joint.slices
    todo = [(None, joint), *slices.items()]
    settings = replace(settings, tables=len(todo))
    found = []
    for k, (where, part) in enumerate(todo):
        (progress or tick)(k, len(todo))
        work = Work(part, settings, known if where is None else None)
        found.append(_compared(work, source, where, _notes(part, where, source), slices))
    (progress or tick)(len(todo), len(todo))
    whole = found[0]
    whole.slices.update({part.slice: part for part in found[1:]})
    return whole


def _compare_scores(
    asked: Asked, y_score: object, measures: MeasuresLike | None, *, pairs: str, confidence: float, seed: int,
    method: str,
    replicates: int, undefined: Undefined, correct: str, margin: float | None, threshold: float | None,
) -> Comparison:  # fmt: skip
    """Return the comparison of scores on the items that all systems have one for."""
    if method not in ("auto", "normal", BOOTSTRAP):
        raise InputError("{method} is {got!r}", got=method, advice="scores are compared by 'auto' or 'bootstrap'")
    if isinstance(measures, Iterator):  # it is looked at twice
        measures = list(measures)
    check_intervals(confidence, seed, "auto", replicates)
    large = read_paired(asked, y_score, measures, seed) if threshold is None and are_of_scores(measures) else None
    if large is not None:
        check(pairs, tuple(large.table.systems), confidence, seed, method, replicates, correct, margin)
        known = tuple(split(measures, next(iter(large.scored().values())))[1])
        settings = ComparisonSettings.of(
            known, None, pairs, confidence, seed, method, replicates, undefined, correct, margin
        )
        found = _compare_large(large, settings)
        if found is not None:
            return found
    return compare_read_scores(
        read_scores(asked, y_score), measures, pairs=pairs, confidence=confidence, seed=seed, method=method,
        replicates=replicates, undefined=undefined, correct=correct, margin=margin, threshold=threshold,
    )  # fmt: skip


def compare_read_scores(
    read: ScoreData, measures: MeasuresLike | None, *, pairs: str = "auto", confidence: float = 0.95, seed: int = 0,
    method: str = "auto", replicates: int = 2000, undefined: Undefined = "resolve", correct: str = SYSTEMS,
    margin: float | None = None, threshold: float | None = None,
) -> Comparison:  # fmt: skip
    """Return the comparison of scores that have been read, on the items that all systems have one for."""
    check(pairs, tuple(read.systems), confidence, seed, method, replicates, correct, margin)
    data, common = on_the_same_items(read)
    of_labels, of_scores = split(measures, next(iter(data.values())))
    if measures is None and threshold is None:
        of_labels = NO_MEASURES
    at = chosen_threshold(threshold, data) if of_labels is not NO_MEASURES or threshold is not None else None
    of_labels, of_scores, about_labels = measured_at(at, data, of_labels, of_scores)
    labelled = None if of_labels is NO_MEASURES else _at_threshold(read, at)
    shown = [] if labelled is None else chosen(of_labels, labelled.m)
    every: tuple[Measure | ScoreMeasure, ...] = (*shown, *of_scores)
    settings = ComparisonSettings.of(
        every, None, pairs, confidence, seed, method, replicates, undefined, correct, margin
    )
    source = replace(read.source, of_scores=True, threshold=at)
    dropped = 0 if common is None else len(common) - int(common.sum())
    notes = [*([f"{dropped:,} items are left out, as a score or a label is missing"] if dropped else [])]
    notes += [x.removesuffix(".") for x in about_labels]
    if labelled is not None and at is not None:
        notes.append(f"labels are predicted positive where the score is at least {at:g}")
    slices = dict(slices_of(read.by, common))
    settings = replace(settings, tables=1 + len(slices))
    whole = _compared(_work_of(data, labelled, None, tuple(shown), settings), source, None, notes)
    for where, keep in slices.items():
        part = {name: x.at(keep) for name, x in data.items()}
        found = _compared(_work_of(part, labelled, where, tuple(shown), settings), source, where, [], slices)
        whole.slices[found.slice] = found
    return whole


def _compare_large(large: LargeScores, settings: ComparisonSettings) -> Comparison | None:
    """Return the comparison of scores that are too large for memory.

    None where all of them are needed at once: the sample has too few items of a class to tell how scores vary, or the
    error of a measure in a sketch is not bounded.
    """
    whole, sample, share = large.paired()
    first = next(iter(sample.values()))
    if share < 1 and min(first.true.sum(), (~first.true).sum()) < _LEAST_OF_CLASS:
        return None
    if any(is_unbounded(f, x) for f in settings.measures for x in whole.values()):
        return None
    source = replace(large.table.source, of_scores=True)
    dropped = max(large.dropped.values())
    notes = [f"{dropped:,} items are left out, as a score or a label is missing"] if dropped else []
    if share < 1:
        notes.append(
            f"standard errors of differences come from {len(first):,} items drawn at random, and values from all items"
        )
    return _compared(LargeScoreWork(whole, sample, share, settings), source, None, notes)


def _at_threshold(read: ScoreData, at: float | None) -> Joint:
    """Return the joint counts of the labels that a threshold makes of the scores of each system."""
    asked = labels_at(read, {name: read.scored(name) for name in read.systems}, at)
    return _of_positive(read_jointly(asked)[0], asked.positive)


def _work_of(
    data: Mapping[str, ScoredItems], labelled: Joint | None, where: Slice | None, shown: tuple[Measure, ...],
    settings: ComparisonSettings,
) -> ScoreWork | LabelsAndScores:  # fmt: skip
    """Return the computations on all items, or on one slice."""
    of_scores = ScoreWork(data, replace(settings, measures=settings.measures[len(shown) :]))
    joint = None if labelled is None else labelled if where is None else labelled.slices.get(where)
    if joint is None:
        return of_scores
    return LabelsAndScores(Work(joint, replace(settings, measures=shown)), of_scores, settings)


def _of_positive(joint: Joint, positive: object) -> Joint:
    if positive is None:
        return joint
    check_positive(positive, joint.labels)
    return joint.with_positive(positive)


def _notes(joint: Joint, where: object, source: Provenance) -> list[str]:
    """Return what a reader must know about the data."""
    said = [] if where is not None else list(source.notes)
    if joint.dropped and where is None:
        items = "1 item is" if joint.dropped == 1 else f"{joint.dropped:,} items are"
        said.append(f"{items} left out, as a label is missing in at least one column")
    if where is None:
        said += [f"slice {piece}: {why}" for piece, why in joint.empty.items()]
    for label, systems in absent_classes(joint).items() if where is None else ():
        names = ", ".join(systems[:5]) + (f" and {len(systems) - 5} more" if len(systems) > 5 else "")
        say = "predicts" if len(systems) == 1 else "predict"
        said.append(
            f"class {label!r} is never a true class, and only {names} {say} it: all systems are measured with it"
        )
    if len(joint.systems) == 1:
        said.append("there is only one system, so there is nothing to compare it with")
    if joint.items == 1:
        said.append("there is only one item, which cannot show how systems differ")
    return said


def _compared(
    work: AnyWork, source: Provenance, piece: Slice | None, notes: list[str], slices: Reversible[Slice] = ()
) -> Comparison:
    """Return the comparison of all systems on one slice, which is one of `slices`; None stands for all items."""
    joint, settings, where = work.joint, work.settings, slice_value(piece, slices)
    measures, systems = settings.measures, joint.systems
    bests = [best_of(work.values[:, i].tolist(), f) for i, f in enumerate(measures)]
    shown = [settings.shown_pairs(systems, best[0] if best else None) for best in bests]
    tests = work.tests(_wanted(shown, bests, len(systems)), settings.family(len(systems), winners=True))
    ranks, shares, scores = {}, {}, list[ScoreRow]()
    for i, f in enumerate(measures):
        by_system = places(work.values[:, i].tolist(), higher=is_higher(f))
        if f.orientation == NEITHER:
            by_system = [None] * len(systems)
        ranks[f.name] = dict(zip(systems, by_system, strict=True))
    varying = {f.name: work.varying(i) for i, f in enumerate(measures) if f.orientation != NEITHER}
    for f in measures:
        if f.name in varying:
            best = best_shares(varying[f.name], higher=is_higher(f))
            shares[f.name] = dict(zip(systems, best.tolist(), strict=True))
    ends = {
        f.name: place_intervals(varying[f.name], settings.confidence, higher=is_higher(f))
        for f in measures
        if f.name in varying
    }
    for k, system in enumerate(systems):
        for i, (f, interval) in enumerate(zip(measures, work.score_intervals(k), strict=True)):
            ranked = ranks[f.name][system] is not None
            low, high = ends[f.name][k].tolist() if ranked else (None, None)
            share = shares[f.name][system] if ranked else math.nan
            scores.append({
                "slice": where, "system": system, "measure": f.name, "value": float(work.values[k, i]),
                "low": interval.low, "high": interval.high, "rank": ranks[f.name][system], "rank_low": low,
                "rank_high": high, "best_probability": share, "reason": work.reasons[k][i],
            })  # fmt: skip
    return Comparison(
        systems, tuple(f.name for f in measures), joint.labels, joint.items, tuple(scores),
        tuple(_differences(work, shown, tests, where)), ranks, _winners(work, bests, tests), shares,
        tuple(_ensemble(work, ranks, where)), tuple(_agreement(work, where)),
        (*notes, *about_groups(joint.group), *_methods(work)),
        settings, source, dict(zip(systems, work.samples, strict=True)), where,
        slice_words="" if piece is None else slice_words(piece, slices), where=piece,
    )  # fmt: skip


def _wanted(shown: list[list[SystemPair]], bests: list[list[int]], size: int) -> dict[SystemPair, list[int]]:
    """Return the tests that are needed, by pair: those that are shown, and the best systems against every other."""
    wanted: dict[SystemPair, list[int]] = {}
    for i, (pairs, best) in enumerate(zip(shown, bests, strict=True)):
        against = [(first, k) for first in _tested(best) for k in range(size) if k != first]
        for k, j in dict.fromkeys((min(pair), max(pair)) for pair in [*pairs, *against]):
            wanted.setdefault((k, j), []).append(i)
    return wanted


def _tested(best: list[int]) -> list[int]:
    """Return the best systems that others are tested against: all of them, unless there are very many.

    So many systems with exactly the same value are most likely the same predictions, and testing against one of them is
    enough.
    """
    return best if len(best) <= FEW else best[:1]


Tests = dict[tuple[SystemPair, int], PairedTest]


def _differences(work: AnyWork, shown: list[list[SystemPair]], tests: Tests, where: Label) -> list[DifferenceRow]:
    """Return the rows of paired differences, with p-values corrected over all tests that could have been made."""
    rows = list[DifferenceRow]()
    found = [((min(pair), max(pair)), i) for i, pairs in enumerate(shown) for pair in pairs]
    corrected = _corrected(work, {key: tests[key] for key in found}, work.settings.family(len(work.systems)))
    within = _margin_p_values(work, shown)
    for i, f in enumerate(work.measures):
        for k, j in shown[i]:
            test, p = tests[(min(k, j), max(k, j)), i], corrected[(min(k, j), max(k, j)), i]
            interval = work.difference_interval(i, (k, j), test.p)
            difference = float(work.values[k, i]) - float(work.values[j, i])
            first, second, equivalent = within[(k, j), i]
            rows.append({
                "slice": where, "measure": f.name, "a": work.systems[k], "b": work.systems[j],
                "difference": difference, "low": interval.low, "high": interval.high, "p": test.p, "p_corrected": p,
                "method": test.method, "interval": interval.method, "p_a_noninferior": first,
                "p_b_noninferior": second, "p_equivalent": equivalent, "reason": interval.reason or None,
            })  # fmt: skip
    return rows


Claims = tuple[float | None, float | None, float | None]


def _margin_p_values(work: AnyWork, shown: list[list[SystemPair]]) -> dict[tuple[SystemPair, int], Claims]:
    """Return the p-values of non-inferiority and equivalence, corrected over as many pairs as those of differences.

    Equivalence is corrected by Holm's method. Of the two claims of non-inferiority of one pair, at most one can be
    false, so that multiplying by the number of pairs keeps the probability of any false claim below the level.
    """
    found = {(pair, i): _within_margin(work, i, pair) for i, pairs in enumerate(shown) for pair in pairs}
    if work.settings.margin is None:
        return found
    family = work.settings.family(len(work.systems))
    tests = {key: PairedTest(math.nan if x[2] is None else x[2], "") for key, x in found.items()}
    equivalent = _corrected(work, tests, family)
    return {key: (_times(x[0], family), _times(x[1], family), equivalent[key]) for key, x in found.items()}


def _times(p: float | None, number: int) -> float | None:
    return p if p is None or math.isnan(p) else min(1.0, p * number)


def _within_margin(work: AnyWork, i: int, pair: SystemPair) -> tuple[float | None, float | None, float | None]:
    """Return the p-values that the first system, the second, and both are worse by less than the margin.

    Two systems are equivalent where both are non-inferior; each of the two tests has the level of the whole, since both
    must reject (two one-sided tests: Schuirmann 1987).
    """
    if work.settings.margin is None:
        return None, None, None
    above, below = work.margin_tests(i, pair, work.settings.margin)
    first, second = (above, below) if is_higher(work.measures[i]) else (below, above)
    if work.measures[i].orientation == NEITHER:
        first = second = math.nan
    return first, second, max(above, below) if above == above and below == below else math.nan


def _corrected(work: AnyWork, tests: Tests, family: int) -> dict[tuple[SystemPair, int], float]:
    """Return the corrected p-values of some tests: measure by measure, or of all measures at once."""
    groups = [[*tests]]
    if work.settings.correct == SYSTEMS:
        groups = [[key for key in tests if key[1] == i] for i in range(len(work.measures))]
    found: dict[tuple[SystemPair, int], float] = {}
    for keys in groups:
        found |= dict(zip(keys, holm([tests[key].p for key in keys], family), strict=True))
    return found


def _winners(work: AnyWork, bests: list[list[int]], tests: Tests) -> dict[str, tuple[str, ...]]:
    """Return, for each measure, the systems that are not significantly worse than the best one.

    Which system is the best is chosen by the same data, so every system could have been tested against every other:
    p-values are corrected over all pairs. If all systems are alike, the probability that any of them is left out is
    then at most the level, and in any case this holds for those that are as good as the truly best one. (Correcting
    only over the comparisons with the best, as if it had been known beforehand, leaves one of twenty alike systems out
    in 23% of data sets.) Where several systems share the best value, a system stays if it is not significantly
    different from at least one of them: which of them comes first is chance.
    """
    every = len(work.systems) * (len(work.systems) - 1) // 2 * len(work.measures)
    if len(tests) < every:  # which of the other pairs were tested must not matter
        tests = {(pair, i): x for (pair, i), x in tests.items() if set(pair) & set(_tested(bests[i]))}
    corrected = _corrected(work, tests, work.settings.family(len(work.systems), winners=True))
    winners = {}
    for i, (f, best) in enumerate(zip(work.measures, bests, strict=True)):
        near = set(best)
        for first in _tested(best):
            others = [k for k in range(len(work.systems)) if k != first and not math.isnan(work.values[k, i])]
            p = {k: corrected[(min(first, k), max(first, k)), i] for k in others}
            near |= {k for k, x in p.items() if not x < 1 - work.settings.confidence and _compares(work, i, first, k)}
        if best:
            winners[f.name] = tuple(name for k, name in enumerate(work.systems) if k in near)
    return winners


def _compares(work: AnyWork, i: int, best: int, other: int) -> bool:
    """Return whether a system can be tested against the best one: an infinite value beside a finite one cannot.

    A loss is infinite where a true class has the probability 0. That happened, so the expected loss is infinite too,
    whatever other items would show: there is nothing to test.
    """
    return not (math.isinf(work.values[other, i]) and math.isfinite(work.values[best, i]))


def _ensemble(work: AnyWork, ranks: dict[str, dict[str, int | None]], where: Label) -> list[EnsembleRow]:
    """Return the rows of the ensemble score: the mean of several measures on a scale from 0 to 1."""
    together = work.settings.ensemble
    if together is None:
        return []
    scores = together.score(work.values)
    drawn = work.varying(len(work.measures))
    by_measure = [mean_places(work.values[:, i].tolist(), higher=is_higher(work.measures[i])) for i in together.places]
    means = np.mean(by_measure, axis=0)
    shares, order = best_shares(drawn), places(scores.tolist())
    rows = list[EnsembleRow]()
    for k, system in enumerate(work.systems):
        low, high = work.ensemble_interval(k) if not math.isnan(scores[k]) else (math.nan, math.nan)
        rows.append({
            "slice": where, "system": system, "score": float(scores[k]), "low": low, "high": high, "rank": order[k],
            "mean_rank": float(means[k]), "best_probability": float(shares[k]),
        })  # fmt: skip
    return rows


def _agreement(work: AnyWork, where: Label) -> list[AgreementRow]:
    """Return how far each pair of measures agrees on the order of the systems."""
    if len(work.systems) < 2:
        return []
    ranked = [i for i, f in enumerate(work.measures) if f.orientation != NEITHER]
    signed = {i: work.values[:, i] * (1 if is_higher(work.measures[i]) else -1) for i in ranked}
    rows = list[AgreementRow]()
    for place, i in enumerate(ranked):
        for j in ranked[place + 1 :]:
            both = signed[i].tolist(), signed[j].tolist()
            rows.append({
                "slice": where, "measure": work.measures[i].name, "other": work.measures[j].name,
                "kendall": kendall(*both), "spearman": spearman(*both),
            })  # fmt: skip
    return rows


def _methods(work: AnyWork) -> list[str]:
    """Return how intervals of differences, ranks and the probability of being best were found."""
    if len(work.systems) < 2:
        return []
    return _drawing(work)


def _drawing(work: AnyWork) -> list[str]:
    """Return how ranks and the probability of being best were found."""
    s = work.settings
    if work.draws_items:
        what = "groups" if work.joint.group is not None else "items"
        return [f"paired {BOOTSTRAP}, {s.replicates:,} resamples of the {what} (random seed {s.seed})"]
    return [f"{NORMAL} approximation with the covariances of the systems' influence functions ({s.replicates:,} draws "
            f"for ranks and the probability of being best, random seed {s.seed})"]  # fmt: skip
