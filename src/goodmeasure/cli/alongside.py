"""What `evaluate` adds to its scorecard: a paired comparison of several systems, and measures at every threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import click

from goodmeasure.cli.options import said
from goodmeasure.cli.score_columns import Columns, read_columns, read_files, swept_columns
from goodmeasure.counts.joint import JointCounted
from goodmeasure.evaluation.provenance import Source
from goodmeasure.evaluation.reading import Asked, read_jointly, read_once
from goodmeasure.evaluation.result import Result

MOST_COMPARED = 40  # systems: more take long and do not fit a chart; `goodmeasure compare` takes them
MOST_LABELS = 20_000_000  # items × systems: unlike counting, comparing may need all labels in memory
_USUAL = 0.5


def evaluated(asked: Asked, options: dict[str, Any], tick: Any = None) -> Result:
    """Return the result of what was asked for, with a comparison from the same counts if there are several systems."""
    from goodmeasure.evaluation.evaluate import evaluate_counts

    counts, source = read_once(asked, MOST_COMPARED, MOST_LABELS)
    result = evaluate_counts(counts.counted, source, **options, progress=tick)
    return _with_comparison(result, counts.jointly or partial(_counted_again, asked, source))


def _counted_again(asked: Asked, source: Source) -> JointCounted:
    """Return the joint counts of files that seemed to have too many labels when they were counted."""
    return read_jointly(replace(asked, y_true=source.true, y_pred=list(source.systems), by=None))[0]


def _with_comparison(result: Result, counted: Callable[[], JointCounted]) -> Result:
    """Return the result with a paired comparison of its systems on the same items, if there are several."""
    from goodmeasure.comparison.compare import compare_counts
    from goodmeasure.comparison.computation import Scored

    s = result.settings
    if not 1 < len(result.systems) <= MOST_COMPARED or s.confidence is None:
        return result
    if result.counted.rows * len(result.systems) > MOST_LABELS:
        click.echo(f"note: {result.counted.rows:,} items are not compared in pairs: goodmeasure compare does", err=True)
        return result
    beside = tuple(x for x in result.source.beside if x != "by")
    source = replace(result.source, by=(), guessed=False, beside=beside)
    known = {part.system: Scored(part.sample, part.scores) for part in result.parts if part.slice is None}
    try:
        found = compare_counts(
            counted(), source, measures=list(s.measures), ensemble=False, pairs="best", confidence=s.confidence,
            seed=s.seed, replicates=s.replicates, undefined=s.policy, known=known if s.method == "auto" else None,
        )  # fmt: skip
    except ValueError as error:  # a comparison may refuse missing labels that separate evaluations allow
        click.echo(f"note: the systems are not compared in pairs: {said(error)}", err=True)
        return result
    return result.beside(compared=found)


def with_sweep(
    result: Result, opened: Any, scores: tuple[str, ...], weight: str | None, positive: str | None, missing: str,
    measures: Any,
) -> Result:  # fmt: skip
    """Return the result of predicted labels with a sweep over the scores in the same open files."""
    columns = read_columns(opened, result.source.true, scores, weight, ())
    found = swept_columns(columns, weight, None, positive, _of_scores(missing), measures)
    return replace(result.beside(swept=found), source=replace(result.source, scores=columns.scores))


def evaluated_scores(
    files: tuple[str, ...], given: dict[str, Any], scores: tuple[str, ...], threshold: float | None,
    options: dict[str, Any], tick: Any,
) -> Result:  # fmt: skip
    """Return the result of scores without predicted labels, made into labels by a threshold.

    An item is predicted positive if its score is at least the threshold.
    """
    by, group, weight = given["by"] or (), given["groups"], given["sample_weight"]
    keys = (*by, *([group] if group is not None else []))
    columns = read_files(files, given["y_true"], scores, weight, keys, given["pool"])
    missing = given["missing"]
    found = swept_columns(columns, weight, None, given["positive"], _of_scores(missing), options["measures"])
    at = _threshold(columns, threshold)
    systems = _predicted(columns, found.positive, at)
    true = columns.values[columns.true]
    weights, groups = (None if name is None else columns.values[name] for name in (weight, group))
    sliced = {name: columns.values[name] for name in by} or None
    labels = None if given["labels"] is None else [columns.label(x) for x in given["labels"]]
    asked = Asked(true, None, systems, weights, sliced, groups, labels, found.positive, missing)
    result = evaluated(asked, options, tick)
    named = None if given["positive"] is None else found.positive  # otherwise the last class, which nobody chose
    source = replace(result.source, positive=named, files=files, true=columns.true, scores=columns.scores, threshold=at,
                     weight=weight, groups=group, pool=columns.pool, parts=columns.parts,
                     reading=found.source.reading)  # fmt: skip
    return replace(result.beside(swept=found), source=source)


def _of_scores(missing: str) -> str:
    return "drop" if missing == "drop" else "error"


def _threshold(columns: Columns, threshold: float | None) -> float:
    """Return the threshold that was named, or 0.5 if all scores lie between 0 and 1; raise otherwise."""
    if threshold is not None:
        return threshold
    for name in columns.scores:
        known = [float(x) for x in columns.values[name] if x is not None and x == x]
        if known and not 0 <= min(known) <= max(known) <= 1:
            ends = f"from {min(known):.4g} to {max(known):.4g}"
            raise ValueError(f"the scores in {name!r} run {ends}: name the threshold of the scorecard with --threshold")
    return _USUAL


def _opposite(label: Any) -> Any:
    """Return a different label of the same type, for data in which all items have the same label."""
    if isinstance(label, (bool, int, float)):
        return type(label)(label == 0)
    return f"not {label}"


def _predicted(columns: Columns, positive: Any, at: float) -> dict[str, list[Any]]:
    """Return the predicted labels of each column of scores at a threshold."""
    others = [x for x in dict.fromkeys(columns.values[columns.true]) if x is not None and x != positive]
    rest = others[0] if others else _opposite(positive)  # any other class: `positive` merges all others into one
    return {
        f"{name} ≥ {at:g}": [
            None if x is None or x != x else positive if float(x) >= at else rest for x in columns.values[name]
        ]
        for name in columns.scores
    }
