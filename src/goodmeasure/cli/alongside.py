"""What `evaluate` adds to its scorecard: a paired comparison of several systems, and measures at every threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from goodmeasure.catalogue.measure import MeasuresLike
from goodmeasure.cli.options import TypedColumns, said
from goodmeasure.counts.joint import JointCounted
from goodmeasure.evaluation.evaluate import Progress
from goodmeasure.evaluation.positive_class import check_scores
from goodmeasure.evaluation.provenance import RARER, Provenance
from goodmeasure.evaluation.reading import Asked, Precounted, read_jointly, read_once
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scores.score_columns import read_columns, swept_columns
from goodmeasure.evaluation.warnings.reversed_scores import area
from goodmeasure.exceptions import Argument

if TYPE_CHECKING:
    from goodmeasure.evaluation.evaluate import MeasureOptions

MOST_COMPARED = 40  # systems: more take long and do not fit a chart; `goodmeasure compare` takes them
MOST_LABELS = 20_000_000  # items × systems: unlike counting, comparing may need all labels in memory


def evaluated(asked: Asked, options: MeasureOptions, tick: Progress | None = None) -> Result:
    """Return the result of what was asked for, with a comparison from the same counts if there are several systems."""
    from goodmeasure.evaluation.evaluate import evaluate_counts

    counts, source = read_once(asked, MOST_COMPARED, MOST_LABELS)
    result = evaluate_counts(counts.counted, source, **options, progress=tick)
    return _with_comparison(result, counts.jointly or partial(_counted_again, asked, source))


def _counted_again(asked: Asked, source: Provenance) -> JointCounted:
    """Return the joint counts of files that seemed to have too many labels when they were counted."""
    if source.runs:
        return read_jointly(replace(asked, by=None))[0]
    return read_jointly(replace(asked, y_true=source.true, y_pred=list(source.systems), by=None))[0]


def _with_comparison(result: Result, counted: Callable[[], JointCounted]) -> Result:
    """Return the result with a paired comparison of its systems on the same items, if there are several."""
    from goodmeasure.comparison.compare import compare_counts
    from goodmeasure.comparison.computation import KnownScores

    s = result.settings
    if not 1 < len(result.systems) <= MOST_COMPARED or s.confidence is None:
        return result
    if result.counted.rows * len(result.systems) > MOST_LABELS:
        click.echo(f"note: {result.counted.rows:,} items are not compared in pairs: goodmeasure compare does", err=True)
        return result
    beside = tuple(x for x in result.source.beside if x != "by")
    source = replace(result.source, by=(), guessed=False, beside=beside)
    known = {
        part.system: KnownScores(part.sample, part.scores, s.method, s.prior)
        for part in result.parts
        if part.slice is None
    }
    try:
        found = compare_counts(
            counted(), source, measures=list(s.measures), ensemble=False, pairs="best", confidence=s.confidence,
            seed=s.seed, replicates=s.replicates, undefined=s.policy, known=known,
        )  # fmt: skip
    except ValueError as error:  # a comparison may refuse missing labels that separate evaluations allow
        click.echo(f"note: the systems are not compared in pairs: {said(error)}", err=True)
        return result
    return result.beside(compared=found)


def with_sweep(
    result: Result, opened: object, scores: tuple[str, ...], weight: str | None, positive: str | None, missing: str,
    measures: MeasuresLike | None, count: str | None = None,
) -> Result:  # fmt: skip
    """Return the result of predicted labels with a sweep over the scores in the same open files."""
    columns = read_columns(opened, result.source.true, scores, weight, (), count, _of_scores(missing))
    source = result.source
    found = swept_columns(columns, weight, None, positive or source.positive, _of_scores(missing), measures)
    if source.positive is not None and source.positive_by == RARER:
        groups = zip(columns.scores, found.groups, strict=True)
        areas: dict[str, float] = {Argument("y_score", x): area(found._counts(group)) for x, group in groups}
        check_scores(areas, result.matrix().labels[0], source.positive)
        found.source = replace(found.source, positive_by=RARER)
    return replace(result.beside(swept=found), source=replace(result.source, scores=columns.scores))


def evaluated_scores(
    files: object, given: TypedColumns, scores: tuple[str, ...], threshold: float | None,
    options: MeasureOptions, memory_limit: str | None, tick: Progress,
) -> Result:  # fmt: skip
    """Return the result of scores without predicted labels, which a threshold makes of them.

    An item is predicted positive if its score is at least the threshold; with a column for each class, the predicted
    class is the one with the highest score.
    """
    from goodmeasure.evaluation.column_names import from_typed
    from goodmeasure.evaluation.evaluate import evaluate_counts
    from goodmeasure.evaluation.scores.evaluating import evaluate_scores

    asked = replace(Asked(files, **given, memory_limit=memory_limit), y_pred=None)

    def of_labels(asked: Asked | Precounted, chosen: MeasuresLike | None) -> Result:
        rest: MeasureOptions = {**options, "measures": chosen}
        if isinstance(asked, Precounted):
            return evaluate_counts(*asked, **rest, progress=tick)
        return evaluated(asked, rest, tick)

    return evaluate_scores(asked, from_typed(scores) or None, threshold, options["measures"], of_labels)


def _of_scores(missing: str) -> str:
    return "drop" if missing == "drop" else "error"
