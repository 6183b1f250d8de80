"""Compare the predictions in files with those of an earlier system in another file, on the same items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from goodmeasure.comparison.compare import compare
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.counts.readers.reader import column_values
from goodmeasure.counts.text_labels import TextRule, reading_of
from goodmeasure.evaluation.column_names import guess, guess_scores
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import complete, only
from goodmeasure.options import CompareCommandOptions, ItemOptions, PairedOptions, ThresholdOptions
from goodmeasure.typing import ArrayLike, Label

BASELINE = "baseline"


def usual_measures(*, of_scores: bool, of_outcomes: bool = False) -> list[str]:
    """Return what a system is compared with a baseline by, unless measures are named.

    It is one measure, since each further one makes the test less sensitive.
    """
    return ["outcome" if of_outcomes else "roc_auc" if of_scores else "mcc"]


def compare_with_file(files: Sequence[str], baseline: str, options: CompareCommandOptions) -> Comparison:
    """Return the comparison of the systems in `files` with the one in the file `baseline`, row by row.

    Both must hold the same items in the same order, which their true labels show. The columns are read into memory:
    where they do not fit, an id joins both files inside DuckDB.
    """
    if options["y_correct"] is not None:
        raise InputError(
            "{baseline} is a file of outcomes, which do not show that both files are about the same items",
            advice="name the column of the items' ids with {id:=}",
        )  # fmt: skip
    scores: Mapping[str, tuple[str, ...]] = options["y_score"] or {}
    if any(columns != (name,) for name, columns in scores.items()):
        raise InputError("{baseline} needs one column of scores", advice="name a column, not one for each class")
    new = _Columns.read(list(files), options, tuple(scores or options["y_pred"] or ()))
    alone = new.systems if len(new.systems) == 1 else ()
    bare: CompareCommandOptions = {**options, "y_true": new.true, "pool": False, **complete(ItemOptions, {}),
                                   "by": None, "count": None}  # fmt: skip
    old = _Columns.read([baseline], bare, alone)
    if len(old.systems) != 1:
        raise InputError(
            "{path} has {many} columns of predictions", path=baseline, many=len(old.systems),
            found=", ".join(map(repr, old.systems)), advice="it has {found}; a baseline is one system",
        )  # fmt: skip
    name = BASELINE if BASELINE not in new.systems else f"{BASELINE} file"
    predictions = {**{x: new.values[x] for x in new.systems}, name: old.values[old.systems[0]]}
    mine, theirs = new.values[new.true], old.values[old.true]
    (mine, theirs), label = _read_together(new, old, [mine, theirs], [] if scores else list(predictions.values()))
    _check_same(mine, theirs, " and ".join(files), baseline)
    if not scores:
        read, _ = _read_together(new, old, list(predictions.values()), [new.values[new.true], old.values[old.true]])
        predictions = dict(zip(predictions, read, strict=True))
    labels = options["labels"]
    paired = only(options, PairedOptions)
    paired["pairs"] = name
    found = compare(
        mine, None if scores else predictions, y_score=predictions if scores else None,
        labels=None if scores or labels is None else [label(x) for x in labels], positive=label(options["positive"]),
        sample_weight=new.optional(options["sample_weight"]), groups=new.optional(options["groups"]),
        count=new.optional(options["count"]), by={x: new.values[x] for x in options["by"] or ()} or None,
        missing=options["missing"], **only(options, ThresholdOptions), **paired,
    )  # fmt: skip
    note = f"The baseline is in {baseline}, whose rows are about the same items as those of {' and '.join(files)}."
    return replace(found, notes=(note, *found.notes))


@dataclass(frozen=True)
class _Columns:
    """The columns of some files, and the role of each."""

    values: Mapping[str, ArrayLike]
    true: str
    systems: tuple[str, ...]
    untyped: TextRule | None

    def optional(self, column: str | None) -> ArrayLike:
        """Return the values of a column that need not be there."""
        return None if column is None else self.values[column]

    @classmethod
    def read(cls, files: Sequence[str], options: CompareCommandOptions, systems: tuple[str, ...]) -> _Columns:
        """Read the columns that are named; those of labels or scores are guessed where none is."""
        from goodmeasure.counts.readers.files.label_files import OpenFiles

        true, scored = options["y_true"], bool(options["y_score"])
        numbers = [x for x in (options["sample_weight"], options["count"]) if x is not None]
        keys = [*(options["by"] or ()), *([] if options["groups"] is None else [options["groups"]])]
        others = [*keys, *numbers]
        with OpenFiles(
            [Path(x) for x in files], columns=[x for x in (true, *systems, *others) if x], pool=options["pool"],
            format=options["format"], memory_limit=options["memory_limit"], table=options["table"],
            na_values=options["na_values"],
        ) as opened:  # fmt: skip
            roles = opened.roles
            if roles is not None and not scored:  # a log of another program, which says which column is which
                true, systems = true or roles.true, systems or (roles.predicted,)
            find = guess_scores if scored else guess
            true, systems = find([x for x in opened.header if x not in others], true, systems)
            keys = [true, *(() if scored else systems), *keys]
            numbers = [*(systems if scored else ()), *numbers]
            values = column_values(opened.in_order().frame(keys, numbers), [*keys, *numbers], numbers, hashable=scored)
            opened.check_rows(len(values[true]), numbers)
            if not scored:
                _refuse_lists(values[x] for x in (true, *systems))
            return cls(values, true, tuple(systems), opened.untyped)


def _refuse_lists(columns: Iterable[ArrayLike]) -> None:
    for column in columns:
        if any(isinstance(x, (list, tuple)) for x in column):
            raise InputError(
                "{baseline} holds several labels for an item", advice="name the column of the items' ids with {id:=}"
            )


def _check_same(mine: Sequence[object], theirs: Sequence[object], files: str, baseline: str) -> None:
    """Refuse files with different items, as far as their true labels show it."""
    if len(mine) != len(theirs):
        raise InputError(
            "{files} has {many:,} items, {baseline_file} has {other:,}", files=files, many=len(mine),
            baseline_file=baseline, other=len(theirs), advice="a baseline is compared on the same items, row by row",
        )  # fmt: skip
    for k, (x, y) in enumerate(zip(mine, theirs, strict=True), 1):
        if x != y:
            raise InputError(
                "item {k:,} is {x!r} in {files} and {y!r} in {baseline_file}", k=k, x=x, y=y, files=files,
                baseline_file=baseline, advice="a baseline is compared on the same items, in the same order",
            )  # fmt: skip


def _read_together(
    new: _Columns, old: _Columns, columns: Sequence[ArrayLike], others: Sequence[ArrayLike]
) -> tuple[list[list[Label]], Callable[[Label], Label]]:
    """Return columns of labels read in the same way, and how a label that was typed is read.

    The type of labels in text files (numbers, truth values or text) is inferred from all of them, with the `others`.
    """
    rule = new.untyped or old.untyped
    if rule is None:
        known = {str(x): x for column in columns for x in column}
        return [list(column) for column in columns], lambda x: known.get(str(x), x)
    reading = reading_of(dict.fromkeys(x for column in (*columns, *others) for x in column), rule)
    read = {x: reading.item(x) for x in dict.fromkeys(x for column in columns for x in column)}
    return [[read[x] for x in column] for column in columns], reading.label
