"""`compare`: systems on the same items, with paired differences, tests, ranks and winners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Unpack

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.ensemble import ensemble_of
from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.paired_averages import PairedAverages, check_same_items
from goodmeasure.comparison.paired_data import NORMAL
from goodmeasure.comparison.paired_judged import PairedJudged
from goodmeasure.comparison.paired_labels import KnownScores, PairedLabels
from goodmeasure.comparison.paired_outcomes import OUTCOME_METHODS, SCORE_METHODS, PairedOutcomes
from goodmeasure.comparison.paired_scores import (
    PairedScores,
    SampledScores,
    is_unbounded,
    on_the_same_items,
    slices_of,
)
from goodmeasure.comparison.permutation import PERMUTATION
from goodmeasure.comparison.settings import ALL, AUTO, ComparisonSettings
from goodmeasure.comparison.tables import comparison_of
from goodmeasure.counts.arguments import ListLabels, check_positive
from goodmeasure.counts.joint import Joint, absent_classes
from goodmeasure.counts.outcomes import Outcomes, VerdictLog
from goodmeasure.evaluation.chosen_measures import NO_MEASURES, chosen
from goodmeasure.evaluation.listed_labels import read_multilabel, refuse_arrays
from goodmeasure.evaluation.multilabel import Multilabel, for_labels
from goodmeasure.evaluation.outcomes.evaluating import chosen_outcomes, refuse_labels
from goodmeasure.evaluation.outcomes.reading import OutcomeData, read_outcome_data
from goodmeasure.evaluation.provenance import MATRIX, Provenance
from goodmeasure.evaluation.raters.consensus import Consensus
from goodmeasure.evaluation.reading import Asked, check_judge, read_jointly
from goodmeasure.evaluation.scores.chosen import are_of_scores, split
from goodmeasure.evaluation.scores.evaluating import chosen_threshold, labels_at, measured_at
from goodmeasure.evaluation.scores.reading_scores import ScoreData, read_scores
from goodmeasure.evaluation.scores.scores_beyond_memory import LargeScores, read_paired
from goodmeasure.evaluation.warnings.general import depends_on_order
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.keywords import only, takes_options
from goodmeasure.options import CompareOptions, PairedOptions, ReadingOptions
from goodmeasure.progress import shows_progress, tick
from goodmeasure.typing import Array, ArrayLike, DataLike

_LEAST_OF_CLASS = 500  # items of each class that a random sample must hold


@takes_options
@shows_progress("comparing")
def compare(data: DataLike = None, y_pred: ArrayLike = None, **options: Unpack[CompareOptions]) -> Comparison:
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
    if isinstance(data, Consensus):
        given = (options["sample_weight"], options["groups"], options["by"])
        data, y_pred, *soft = data.rows(y_pred, *given)
        options["sample_weight"], options["groups"], options["by"] = soft
    asked = Asked.of(data, y_pred, options)
    check_judge(options)
    several = {"ensemble": options["ensemble"], "pairs": options["pairs"], "margin": options["margin"]}
    if isinstance(data, Mapping) and data and all(isinstance(x, Multilabel) for x in data.values()):
        _refuse_options({"y_pred": y_pred, **only(options, ReadingOptions), **several})
        return _compare_averages({str(name): x for name, x in data.items()}, Provenance(MATRIX), options)
    if options["y_correct"] is not None:
        refuse_labels({**options, "y_pred": y_pred})
        return compare_read_outcomes(read_outcome_data(asked, options["y_correct"]), options)
    if options["y_score"] is not None:
        if y_pred is not None:
            raise InputError(
                "{y_pred} and {y_score:=} were both given", advice="compare labels or scores, one at a time"
            )
        return _compare_scores(asked, options)
    if options["threshold"] is not None:
        raise InputError("{threshold:=} needs {y_score:=}", got=options["threshold"])
    try:
        counts = read_jointly(asked)
    except VerdictLog as log:
        id = asked.id or (log.sample if isinstance(asked.data, Mapping) else None)
        return compare_read_outcomes(read_outcome_data(replace(asked, id=id), log.outcome), options)
    except ListLabels:
        refuse_arrays(asked)
        systems, source = read_multilabel(asked)  # whose pairs are all compared
        _refuse_options({**several, "pairs": None if options["pairs"] in systems else options["pairs"]})
        return _compare_averages(systems, source, options)
    return compare_counts(*counts, options)


def compare_counts(
    counted: Joint,
    source: Provenance,
    options: CompareOptions,
    known: Mapping[str, KnownScores] | None = None,
    share: float = 1.0,
) -> Comparison:
    """Return the comparison of systems that are counted already; `source` says where the counts come from.

    `known` holds the scores that `evaluate` found for the same measures, policy and confidence level. They are reused
    for each system whose counts are the same here. Those of the other systems are computed again, by the same method: a
    comparison leaves out items for which any system lacks a label, and measures all systems with the same classes.
    """
    measures, tell = options["measures"], options["progress"] or tick
    settings = replace(ComparisonSettings.of(counted.systems, options), share=share)
    used = counted.keeping(counted.occurring()) if source.labels is None else counted  # as `evaluate` does
    shown = tuple(chosen(measures, used.m if source.positive is None else 2))
    if source.positive is not None or not any(depends_on_order(f) for f in shown):
        counted = used
    counted = _of_positive(counted, source.positive)
    tables = [(None, counted), *counted.slices.items()]
    settings = replace(settings, measures=shown, ensemble=ensemble_of(options["ensemble"], shown), tables=len(tables))
    found = []
    for k, (where, part) in enumerate(tables):
        tell(k, len(tables))
        paired = PairedJudged if part.judged else PairedLabels
        data = paired(part, settings, known if where is None else None)
        found.append(comparison_of(Inference(data), source, _notes(part, where, source), where, counted.slices))
    tell(len(tables), len(tables))
    return _with_slices(found)


def _with_slices(found: list[Comparison]) -> Comparison:
    """Return the comparison on all items, which comes first, with those on its slices."""
    found[0].slices.update({part.slice: part for part in found[1:]})
    return found[0]


def _compare_averages(data: Mapping[str, Multilabel], source: Provenance, options: CompareOptions) -> Comparison:
    """Return the comparison of systems that `multilabel` counted on the same items."""
    settings = ComparisonSettings.of(tuple(data), {**only(options, PairedOptions), "pairs": ALL})
    if settings.method not in (AUTO, PERMUTATION, NORMAL):
        raise InputError(
            "{method} is {got!r}",
            got=settings.method,
            advice="use 'auto', 'permutation' or 'normal' for several labels",
        )
    check_same_items(tuple(data), list(data.values()))
    averages = PairedAverages(data, replace(settings, measures=tuple(for_labels(chosen(options["measures"], 2)))))
    blocked = averages.units[0].blocked
    notes = ["items are put into 2,000 groups at random, since they are so many"] if blocked else []
    return comparison_of(Inference(averages), source, notes)


def _refuse_options(options: Mapping[str, object]) -> None:
    """Refuse options of `compare` that do not apply to several labels."""
    given = [name for name, value in options.items() if value not in (None, False, "auto", "error")]
    if given:
        raise InputTypeError(
            "{argument} cannot be combined with several labels",
            argument=given[0],
            advice="give sample_weight, groups and labels to gm.multilabel",
        )


def _compare_scores(asked: Asked, options: CompareOptions) -> Comparison:
    """Return the comparison of scores on the items that all systems have one for."""
    y_score, measures, method = options["y_score"], options["measures"], options["method"]
    if method not in SCORE_METHODS:
        raise InputError("{method} is {got!r}", got=method, advice="scores are compared by 'auto' or 'bootstrap'")
    if isinstance(measures, Iterator):  # it is looked at twice
        options["measures"] = measures = list(measures)
    only_scores = options["threshold"] is None and are_of_scores(measures)
    large = read_paired(asked, y_score, measures, options["seed"]) if only_scores else None
    found = None if large is None else _compare_large(large, options)
    return found or compare_read_scores(read_scores(asked, y_score), options)


def compare_read_outcomes(read: OutcomeData, options: CompareOptions, share: float = 1.0) -> Comparison:
    """Return the comparison of outcomes that have been read, on the items that all systems have one for."""
    settings = replace(ComparisonSettings.of(tuple(read.systems), options), share=share)
    if settings.method not in OUTCOME_METHODS:
        raise InputError("{method} is {got!r}", got=settings.method, advice="compare outcomes by 'auto'")
    found, common = on_the_same_items(read)
    data = {name: x for name, x in found.items() if isinstance(x, Outcomes)}
    settings = replace(settings, measures=tuple(chosen_outcomes(options["measures"], data)))
    slices = dict(slices_of(read.by, common))
    settings = replace(settings, tables=1 + len(slices))
    made = []
    for where in (None, *slices):
        part = data if where is None else {name: x.at(slices[where]) for name, x in data.items()}
        notes = [*read.source.notes, *_left_out(common)] if where is None else []
        made.append(comparison_of(Inference(PairedOutcomes(part, settings)), read.source, notes, where, slices))
    return _with_slices(made)


def _left_out(common: Array | None) -> list[str]:
    """Return how many items are left out, as a note; None stands for all items."""
    dropped = 0 if common is None else len(common) - int(common.sum())
    return [f"{dropped:,} items are left out, as a score or a label is missing"] if dropped else []


def compare_read_scores(read: ScoreData, options: CompareOptions, share: float = 1.0) -> Comparison:
    """Return the comparison of scores that have been read, on the items that all systems have one for."""
    settings = replace(ComparisonSettings.of(tuple(read.systems), options), share=share)
    measures, threshold = options["measures"], options["threshold"]
    data, common = on_the_same_items(read)
    of_labels, of_scores = split(measures, next(iter(data.values())))
    if measures is None and threshold is None:
        of_labels = NO_MEASURES
    at = chosen_threshold(threshold, data) if of_labels is not NO_MEASURES or threshold is not None else None
    of_labels, of_scores, about_labels = measured_at(at, data, of_labels, of_scores)
    labelled = None if of_labels is NO_MEASURES else _at_threshold(read, at)
    shown = () if labelled is None else tuple(chosen(of_labels, labelled.m))
    source = replace(read.source, of_scores=True, threshold=at)
    notes = _left_out(common)
    notes += [x.removesuffix(".") for x in about_labels]
    if labelled is not None and at is not None:
        notes.append(f"labels are predicted positive where the score is at least {at:g}")
    slices = dict(slices_of(read.by, common))
    settings = replace(settings, tables=1 + len(slices))
    found = []
    for where in (None, *slices):
        part = data if where is None else {name: x.at(slices[where]) for name, x in data.items()}
        joint = None if labelled is None else labelled if where is None else labelled.slices.get(where)
        labels = [] if joint is None else [PairedLabels(joint, replace(settings, measures=shown))]
        scores = PairedScores(part, replace(settings, measures=tuple(of_scores)))
        found.append(comparison_of(Inference(*labels, scores), source, notes if where is None else [], where, slices))
    return _with_slices(found)


def _compare_large(large: LargeScores, options: CompareOptions) -> Comparison | None:
    """Return the comparison of scores that are too large for memory.

    None where all of them are needed at once: the sample has too few items of a class to tell how scores vary, or the
    error of a measure in a sketch is not bounded.
    """
    settings = ComparisonSettings.of(tuple(large.table.systems), options)
    measures = split(options["measures"], next(iter(large.scored().values())))[1]
    settings = replace(settings, measures=tuple(measures))
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
    return comparison_of(Inference(SampledScores(whole, sample, share, settings)), source, notes)


def _at_threshold(read: ScoreData, at: float | None) -> Joint:
    """Return the joint counts of the labels that a threshold makes of the scores of each system."""
    asked = labels_at(read, {name: read.scored(name) for name in read.systems}, at)
    return _of_positive(read_jointly(asked)[0], asked.positive)


def _of_positive(joint: Joint, positive: object) -> Joint:
    """Return the counts of a positive class against all others, if one is named."""
    if positive is None:
        return joint
    check_positive(positive, joint.labels)
    return joint.with_positive(positive)


def _notes(joint: Joint, where: object, source: Provenance) -> list[str]:
    """Return what a reader must know about the data."""
    notes = [] if where is not None else list(source.notes)
    if joint.dropped and where is None:
        items = "1 item is" if joint.dropped == 1 else f"{joint.dropped:,} items are"
        notes.append(f"{items} left out, as a label is missing in at least one column")
    if where is None:
        notes += [f"slice {piece}: {why}" for piece, why in joint.empty.items()]
    for label, systems in absent_classes(joint).items() if where is None else ():
        names = ", ".join(systems[:5]) + (f" and {len(systems) - 5} more" if len(systems) > 5 else "")
        say = "predicts" if len(systems) == 1 else "predict"
        notes.append(
            f"class {label!r} has no true items, and only {names} {say} it; it counts as a class for all systems"
        )
    if len(joint.systems) == 1:
        notes.append("there is only one system, so there is nothing to compare it with")
    if joint.items == 1:
        notes.append("there is only one item, which cannot show how systems differ")
    return notes
