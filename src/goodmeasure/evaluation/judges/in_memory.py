"""The labels of humans and a judge in memory, item by item, from whatever holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from goodmeasure.counts.counting import check_choices
from goodmeasure.counts.readers.reader import column_values
from goodmeasure.evaluation.reading import Asked, are_paths, is_frame, name_of, names_of, opened_files
from goodmeasure.evaluation.scores.score_columns import read_columns, repeated
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import ArrayLike, Label


@dataclass(frozen=True)
class LabelArrays:
    """Columns of labels, and what is known about each item besides."""

    true: Sequence[Label]
    judge: Sequence[Label]
    by: Mapping[str, Sequence[Label]]
    groups: Sequence[Label] | None
    weight: Sequence[Label] | None
    labels: tuple[Label, ...] | None
    positive: Label


def label_arrays(asked: Asked) -> LabelArrays:
    """Return the labels that were asked for, in memory."""
    check_choices(asked.labels, asked.missing)
    if asked.y_judge is None:
        raise InputTypeError(
            "{y_judge} is missing",
            argument="y_judge",
            advice="give the labels of humans and of the judge, or the names of both columns",
        )
    in_files = are_paths(asked.data, asked.y_true, asked.y_judge)
    if not in_files and not is_frame(asked.data):
        return _of_arrays(asked)
    true, by = asked.y_true, names_of(asked.by, "by")
    if not isinstance(true, str):
        raise InputTypeError("{y_true} is missing", argument="y_true", advice="name the column of the human labels")
    keys = (asked.y_judge, *by, *([asked.groups] if asked.groups is not None else []))
    labels = None if asked.labels is None else tuple(asked.labels)
    positive = asked.positive
    if in_files:
        with opened_files(asked, keys) as files:
            columns = read_columns(files, true, None, asked.sample_weight, keys, asked.count, "drop")
        values, positive = columns.values, columns.label(positive)
        labels = None if labels is None else tuple(columns.label(x) for x in labels)
    else:
        beside = [x for x in (asked.sample_weight, asked.count) if x is not None]
        values = repeated(column_values(asked.data, [true, *keys, *beside], beside), asked.count)
    held = {name: listed(x, name) for name, x in values.items()}
    return LabelArrays(
        held[true], held[asked.y_judge], {name: held[name] for name in by},
        None if asked.groups is None else held[asked.groups],
        None if asked.sample_weight is None else held[asked.sample_weight], labels, positive,
    )  # fmt: skip


def _of_arrays(asked: Asked) -> LabelArrays:
    true = asked.y_true if asked.data is None else asked.data
    if true is None:
        raise InputTypeError("{y_human} is missing", argument="y_human", advice="give the human labels first")
    by = asked.by
    if by is not None and not isinstance(by, Mapping):
        by = {name_of(by, "by"): by}
    if asked.count is not None:
        raise InputError("{count:=} needs a table", argument="count", advice="repeat the labels")
    return LabelArrays(
        listed(true, "y_human"), listed(asked.y_judge, "y_judge"),
        {str(name): listed(x, "by") for name, x in (by or {}).items()},
        None if asked.groups is None else listed(asked.groups, "groups"),
        None if asked.sample_weight is None else listed(asked.sample_weight, "sample_weight"),
        None if asked.labels is None else tuple(asked.labels), asked.positive,
    )  # fmt: skip


def listed(column: ArrayLike, argument: str) -> list[Label]:
    """Return the values of a column, with None where one is missing."""
    if isinstance(column, (str, bytes)) or not (hasattr(column, "tolist") or isinstance(column, Iterable)):
        raise InputTypeError(
            "{argument} is {got!r}", argument=argument, got=column, expected="a list, one for each item"
        )
    found = column.tolist() if hasattr(column, "tolist") else list(column)
    if not isinstance(found, list):
        raise InputTypeError(
            "{argument} is {got!r}", argument=argument, got=found, expected="a list, one for each item"
        )
    return [None if x is None or (isinstance(x, float) and x != x) else x for x in found]
