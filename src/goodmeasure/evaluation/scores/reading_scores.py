"""Read true labels and scores of one or several systems from arrays, data frames and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from goodmeasure.counts.arguments import as_item_counts
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.readers import datasets_tables
from goodmeasure.counts.readers.files.memory_budget import check_scores_fit
from goodmeasure.counts.readers.reader import column_values, lazy_reader_of
from goodmeasure.counts.scores.scored import Scored, read_scored
from goodmeasure.evaluation.column_names import guess_scores, typed
from goodmeasure.evaluation.positive_class import check_scores, choosing, of_labels
from goodmeasure.evaluation.provenance import ARRAYS, FILES, FRAME, Provenance
from goodmeasure.evaluation.reading import (
    Asked,
    are_paths,
    is_frame,
    name_of,
    names_of,
    opened_files,
    refuse_file_options,
)
from goodmeasure.evaluation.runs import are_runs, joined_runs
from goodmeasure.evaluation.scores.score_columns import items_of, read_columns, repeated, rows_at
from goodmeasure.evaluation.warnings.reversed_scores import area
from goodmeasure.exceptions import Argument, InputError, InputTypeError
from goodmeasure.options import ScoreMissing
from goodmeasure.typing import Array, ArrayLike, Label


@dataclass(frozen=True)
class ScoreData:
    """True labels, the scores of each system, and weights, slices and groups beside them."""

    true: ArrayLike
    systems: dict[str, ArrayLike]  # one score for each item, or a column for each class
    labels: tuple[Label, ...] | None  # the class of each column of scores
    weights: ArrayLike
    by: dict[str, ArrayLike] | None
    groups: ArrayLike
    positive: Label
    missing: ScoreMissing
    source: Provenance

    def copied(self) -> ScoreData:
        """Return the same data in memory of its own: what a user does to arrays later does not change it."""
        systems = {name: _copied(scores) for name, scores in self.systems.items()}
        beside = {name: _copied(getattr(self, name)) for name in ("true", "weights", "groups")}
        return replace(self, systems=systems, by=None, **beside)

    def scored(self, name: str) -> Scored:
        """Return the scored items of one system."""
        is_unnamed = len(self.systems) == 1 and self.source.kind == ARRAYS
        argument = Argument("y_score") if is_unnamed else Argument("y_score", name)
        return read_scored(
            self.true, self.systems[name], labels=self.labels, positive=self.positive, sample_weight=self.weights,
            groups=self.groups, missing=self.missing, argument=argument,
        )  # fmt: skip


def read_scores(asked: Asked, y_score: object) -> ScoreData:
    """Return the scores of each system, from whatever holds them, with the positive class where it must be chosen."""
    found = _read(asked, y_score)
    if asked.positive is not None or asked.labels is not None:
        return found
    chosen = of_labels(found.true)
    if chosen is None:
        return found
    found = replace(found, positive=chosen.label, source=choosing(found.source, chosen))
    data = [found.scored(name) for name, x in found.systems.items() if np.ndim(x) < 2]
    if data:
        check_scores({x.argument: area(x.ranking.counts) for x in data}, *data[0].labels)
    return found


def _read(asked: Asked, y_score: object) -> ScoreData:
    missing: ScoreMissing = "drop" if asked.missing == "drop" else "error"
    if asked.missing not in ("error", "drop"):
        raise InputError("{missing} is {got!r}", got=asked.missing, advice="with scores use 'error' or 'drop'")
    if are_runs(asked):
        with joined_runs(asked, y_score, guess_scores) as runs:
            found = _read(runs.asked, list(runs.own))
            return replace(found, source=runs.described(found.source))
    if are_paths(asked.data, asked.y_true, y_score if isinstance(y_score, str) else None):
        return _from_files(asked, y_score, missing)
    refuse_file_options(asked)
    if asked.y_true is not None and is_frame(asked.data):
        return _from_frame(asked, y_score, missing)
    return _from_arrays(asked, y_score, missing)


def _from_arrays(asked: Asked, y_score: object, missing: ScoreMissing) -> ScoreData:
    true = asked.y_true if asked.data is None else asked.data
    if true is None:
        raise InputTypeError("{y_score} needs {y_true}", advice="give the true labels first, as in (y_true, y_score=p)")
    named = y_score if isinstance(y_score, Mapping) else {name_of(y_score, "system"): y_score}
    if not named:
        raise InputError("{y_score} is an empty dict", expected="scores for each system")
    systems = {str(name): _kept(scores) for name, scores in named.items()}
    by = asked.by
    if by is not None and not isinstance(by, Mapping):
        by = {name_of(by, "by"): by}
    weights, groups = asked.sample_weight, asked.groups
    true = _kept(true)
    if asked.count is not None:
        where = items_of(as_item_counts(asked.count, len(true)))
        true, weights, groups = (None if x is None else rows_at(x, where) for x in (true, weights, groups))
        systems = {name: rows_at(scores, where) for name, scores in systems.items()}
        by = None if by is None else {name: rows_at(values, where) for name, values in by.items()}
    labels = None if asked.labels is None else tuple(asked.labels)
    beside = tuple(name for name in ("sample_weight", "by", "groups", "count") if getattr(asked, name) is not None)
    source = replace(
        asked.source(ARRAYS), systems=tuple(systems), by=tuple(by or ()), beside=beside, scores=tuple(systems)
    )
    return ScoreData(
        true, systems, labels, weights, dict(by) if by else None, groups, asked.positive, missing, source,
    )  # fmt: skip


def _kept(column: ArrayLike) -> ArrayLike:
    return list(column) if hasattr(column, "__next__") else column


def _check_fit(asked: Asked, frame: object) -> None:
    """Refuse more items than the limit of memory has room for."""
    if asked.memory_limit is not None:
        check_scores_fit(lazy_reader_of(frame).total(None), asked.memory_limit)


def _from_frame(asked: Asked, y_score: object, missing: ScoreMissing) -> ScoreData:
    spec = systems_of(y_score)
    by = names_of(asked.by, "by")
    scores = list(dict.fromkeys(name for columns in spec.values() for name in columns))
    beside = [x for x in (asked.sample_weight, asked.count, asked.groups) if x is not None]
    numbers = [*scores, *(x for x in (asked.sample_weight, asked.count) if x is not None)]
    if datasets_tables.is_dataset(asked.data):
        named = datasets_tables.column_names(asked.data)
        asked = replace(asked, data=datasets_tables.as_table(asked.data, named, asked.y_true, ()))
    _check_fit(asked, asked.data)
    values = repeated(column_values(asked.data, [asked.y_true, *scores, *by, *beside], numbers), asked.count)
    source = asked.described(FRAME, asked.y_true, tuple(spec), by, False)
    return _of_values(asked, values, asked.y_true, spec, by, missing, replace(source, scores=typed(spec)))


def _from_files(asked: Asked, y_score: object, missing: ScoreMissing) -> ScoreData:
    spec, by = systems_of(y_score), names_of(asked.by, "by")
    scores = tuple(dict.fromkeys(name for columns in spec.values() for name in columns))
    keys = (*by, *([asked.groups] if asked.groups is not None else []))
    with opened_files(replace(asked, y_pred=scores)) as files:
        if asked.memory_limit is not None:
            _check_fit(asked, files.frame([files.header[0]]))
        columns = read_columns(files, asked.y_true, scores, asked.sample_weight, keys, asked.count, asked.missing)
    spec = spec or {name: (name,) for name in columns.scores}
    source = Provenance(
        FILES, columns.files, columns.true, weight=asked.sample_weight, by=by, groups=asked.groups, missing=missing,
        scores=typed(spec), pool=columns.pool, parts=columns.parts, systems=tuple(spec),
        reading=None if columns.reading is None else str(columns.reading),
        positive=columns.label(asked.positive), guessed=asked.y_true is None or not scores,
        count=asked.count, notes=columns.notes, na_values=columns.na_values,
    )  # fmt: skip
    labels = None if asked.labels is None else tuple(columns.label(x) for x in asked.labels)
    asked = replace(asked, positive=columns.label(asked.positive), labels=labels)
    return _of_values(asked, columns.values, columns.true, spec, by, missing, replace(source, labels=labels))


def _of_values(
    asked: Asked, values: dict[str, object], true: str, spec: dict[str, tuple[str, ...]], by: Sequence[str],
    missing: ScoreMissing, source: Provenance,
) -> ScoreData:  # fmt: skip
    """Return the scores of each system from columns by name."""
    truth = values[true]
    labels = None if asked.labels is None else tuple(asked.labels)
    systems: dict[str, object] = {}
    for name, columns in spec.items():
        if len(columns) == 1:
            systems[name] = values[columns[0]]
            continue
        classes, order = _classes(truth, columns, labels)
        labels = classes
        systems[name] = np.stack([np.asarray(values[x], dtype=float) for x in order], axis=1)
    weights, groups = (None if x is None else values[x] for x in (asked.sample_weight, asked.groups))
    sliced = {name: values[name] for name in by} or None
    return ScoreData(truth, systems, labels, weights, sliced, groups, asked.positive, missing, source)


def _classes(
    truth: object, columns: tuple[str, ...], labels: tuple[Label, ...] | None
) -> tuple[tuple[Label, ...], list[str]]:
    """Return the class of each column of scores, and the columns in that order.

    Without `labels`, a column belongs to the class that its name ends with; guessing the order could mix up classes.
    """
    if labels is not None:
        if len(labels) != len(columns):
            raise InputError(
                "{labels} names {size} classes, and there are {columns} columns of scores", size=len(labels),
                columns=len(columns), advice="name the class of each column",
            )  # fmt: skip
        return labels, list(columns)
    known = confusion(truth, truth, missing="drop").labels
    found = {label: [x for x in columns if _ends_with(x, label)] for label in known}
    chosen = [places[0] for places in found.values() if len(places) == 1]
    if len(chosen) != len(known) or len(set(chosen)) != len(columns):
        raise InputError(
            "the columns {listed} do not end with the names of the classes", argument="y_score",
            listed=", ".join(map(repr, columns)), advice="name the class of each column with {labels:=}",
        )  # fmt: skip
    return tuple(known), chosen


def _ends_with(column: str, label: Label) -> bool:
    name, text = column.lower(), str(label).lower()
    return name == text or (name.endswith(text) and not name[: -len(text)][-1:].isalnum())


def systems_of(y_score: object) -> dict[str, tuple[str, ...]]:
    """Return the columns of scores of each system: a name, several names, or a dict of them by system."""
    if y_score is None:
        return {}
    if isinstance(y_score, str):
        return {y_score: (y_score,)}
    if isinstance(y_score, Mapping):
        return {str(name): (x,) if isinstance(x, str) else tuple(x) for name, x in y_score.items()}
    listed = names_of(y_score, "y_score")
    return {name: (name,) for name in listed}


def _copied(values: ArrayLike) -> ArrayLike:
    """Return a copy of a list, an array, a series or a tensor; what has neither method cannot be changed."""
    copy = getattr(values, "clone", getattr(values, "copy", None))
    return values if copy is None else copy()


def predicted_labels(
    data: Scored, labels: tuple[Label, ...], size: int, threshold: float | None, missing: str
) -> Array:
    """Return the predicted one of some labels for all items that were read; None where a score is missing.

    Without a threshold nothing is predicted, and the true labels are returned.

    Items that weigh nothing are not measured: whatever label they get does not matter.
    """
    codes = data.true.astype(np.intp) if threshold is None else data.predicted(threshold)
    names = np.empty(len(labels), dtype=object)
    names[:] = labels
    if data.kept is None and len({type(x) for x in labels}) == 1 and isinstance(labels[0], (bool, int, str)):
        return np.asarray(np.array(labels)[codes])  # faster than objects
    found = names[codes]
    if data.kept is None:
        return np.asarray(found)
    every = np.full(size, None if missing == "drop" else labels[0], dtype=object)
    every[data.kept] = found
    return every
