"""Columns whose labels are lists, in data frames and files: every item may have several labels."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from goodmeasure.counts.arguments import ListLabels
from goodmeasure.counts.classes import in_order
from goodmeasure.counts.readers.datasets_tables import is_dataset
from goodmeasure.counts.readers.reader import column_values
from goodmeasure.counts.scores_as_labels import advice_for_rows
from goodmeasure.evaluation.multilabel import Multilabel, multilabel
from goodmeasure.evaluation.provenance import FILES, FRAME, Provenance
from goodmeasure.evaluation.reading import Asked, are_paths, columns_of_frame, is_frame, opened_files, resolved_columns
from goodmeasure.evaluation.runs import are_runs, joined_runs
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Label


def refuse_arrays(asked: Asked) -> None:
    """Raise the error about lists as labels again, unless they are in a table whose columns can be read once more."""
    if not is_frame(asked.data) and not are_paths(asked.data, asked.y_true, asked.y_pred) and not are_runs(asked):
        given = next(iter(asked.y_pred.values()), None) if isinstance(asked.y_pred, Mapping) else asked.y_pred
        raise ListLabels(
            "{y_true} or {y_pred} holds a list for each item", expected="one label for each item",
            advice=advice_for_rows(given),
        )  # fmt: skip


def read_multilabel(asked: Asked) -> tuple[dict[str, Multilabel], Provenance]:
    """Return the labels of each system, where columns hold a list of labels for each item, and where they are."""
    for argument in ("by", "positive", "count"):
        if getattr(asked, argument) is not None:
            raise InputTypeError(
                "{argument} cannot be combined with several labels for an item",
                argument=argument,
                advice="leave it out, or measure the parts one by one",
            )
    if are_runs(asked):
        with joined_runs(asked, asked.y_pred) as runs:
            found, source = read_multilabel(runs.asked)
            return found, runs.described(source)
    if is_dataset(asked.data):
        asked = replace(asked, data=asked.data.with_format("arrow")[:])
    if is_frame(asked.data):
        return _counted(asked, columns_of_frame(asked.data), lambda names, numbers: asked.data, FRAME)
    with opened_files(asked) as files:
        true, systems, *_ = resolved_columns(asked, files.header, files.roles)
        return _counted(replace(asked, y_true=true, y_pred=systems), files.header, files.frame, FILES, files.paths)


def _counted(
    asked: Asked, header: Sequence[str], frame: Callable[[list[str], list[str]], object], kind: str,
    files: tuple[str, ...] = (),
) -> tuple[dict[str, Multilabel], Provenance]:  # fmt: skip
    true, systems, by, guessed = resolved_columns(asked, header)
    names = [true, *systems, *([] if asked.groups is None else [asked.groups])]
    numbers = [] if asked.sample_weight is None else [asked.sample_weight]
    values = column_values(frame(names, numbers), [*names, *numbers], numbers, hashable=False)
    lists = {name: [_labels(x) for x in values[name]] for name in (true, *systems)}
    kept = _without_missing(lists, asked.missing)
    beside = [None if x is None else [values[x][k] for k in kept] for x in (asked.sample_weight, asked.groups)]
    every = {name: [column[k] or [] for k in kept] for name, column in lists.items()}
    labels = asked.labels or in_order(dict.fromkeys(x for column in every.values() for each in column for x in each))
    found = {
        name: multilabel(every[true], every[name], labels=labels, sample_weight=beside[0], groups=beside[1])
        for name in systems
    }
    return found, asked.described(kind, true, systems, by, guessed, files)


def _labels(value: object) -> list[Label] | None:
    """Return the labels of one item; a label alone is a list of one."""
    if value is None or (isinstance(value, float) and value != value):
        return None
    if isinstance(value, str) and value.startswith("["):
        value = json.loads(value)
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        return [value]
    return list(value)


def _without_missing(lists: Mapping[str, list[list[Label] | None]], missing: str) -> list[int]:
    """Return the items that have labels in every column; refuse others unless they are to be left out."""
    lacking = {name: sum(x is None for x in column) for name, column in lists.items()}
    size = len(next(iter(lists.values())))
    for name, number in lacking.items():
        if number and missing != "drop":
            raise InputError(
                "column {name!r} has no list in {number:,} of {size:,} rows", name=name, number=number, size=size,
                advice="write an empty list for an item without labels, or leave such rows out with {missing:=drop}",
            )  # fmt: skip
    return [k for k in range(size) if all(column[k] is not None for column in lists.values())]
