"""Compare the predictions in files with those of an earlier system in another file, on the same items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict, Unpack

from goodmeasure.comparison.compare import DifferenceOptions, compare
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.counts.readers.reader import column_values
from goodmeasure.counts.text_labels import TextRule, reading_of
from goodmeasure.evaluation.column_names import guess, guess_scores
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ArrayLike, Label

BASELINE = "baseline"


@dataclass(frozen=True)
class Role:
    """Which columns hold what, in the files of the new systems and of the baseline."""

    true: str | None = None
    systems: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    weight: str | None = None
    group: str | None = None
    count: str | None = None
    by: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the columns beside labels and numbers."""
        return (*self.by, *([] if self.group is None else [self.group]))


def usual_measures(role: Role) -> list[str]:
    """Return what a system is compared with a baseline by, unless measures are named.

    It is one measure, since each further one makes the test less sensitive.
    """
    return ["roc_auc" if role.scores else "mcc"]


class BaselineOptions(DifferenceOptions, total=False):
    """The keyword arguments of `compare_with_file`."""

    measures: Sequence[str] | None
    labels: Sequence[Label] | None
    positive: Label
    missing: str
    format: str | None
    memory_limit: str | None
    pool: bool
    table: str | None
    na_values: Sequence[str] | None


def compare_with_file(
    files: Sequence[str], baseline: str, role: Role, *, measures: Sequence[str] | None = None,
    labels: Sequence[Label] | None = None, positive: Label = None, missing: str = "error", pool: bool = False,
    format: str | None = None, memory_limit: str | None = None, table: str | None = None,
    na_values: Sequence[str] | None = None, **options: Unpack[DifferenceOptions],
) -> Comparison:  # fmt: skip
    """Return the comparison of the systems in `files` with the one in the file `baseline`, row by row.

    Both must hold the same items in the same order, which their true labels show. The columns are read into memory:
    where they do not fit, an id joins both files inside DuckDB.
    """
    if any("=" in x for x in role.scores):
        raise InputError("{baseline} needs one column of scores", advice="name a column, not one for each class")
    how: OpeningOptions = {"format": format, "memory_limit": memory_limit, "table": table, "na_values": na_values}
    new = _Columns.read(list(files), role, pool, how)
    old = _Columns.read([baseline], _of_baseline(role, new), False, how)
    if len(old.systems) != 1:
        raise InputError(
            "{path} has {many} columns of predictions", path=baseline, many=len(old.systems),
            found=", ".join(map(repr, old.systems)), advice="it has {found}; a baseline is one system",
        )  # fmt: skip
    name = BASELINE if BASELINE not in new.systems else f"{BASELINE} file"
    predictions = {**{x: new.values[x] for x in new.systems}, name: old.values[old.systems[0]]}
    mine, theirs = new.values[new.true], old.values[old.true]
    (mine, theirs), label = _read_alike(new, old, [mine, theirs], [] if role.scores else list(predictions.values()))
    _check_same(mine, theirs, " and ".join(files), baseline)
    if not role.scores:
        read, _ = _read_alike(new, old, list(predictions.values()), [new.values[new.true], old.values[old.true]])
        predictions = dict(zip(predictions, read, strict=True))
    found = compare(
        mine, None if role.scores else predictions, y_score=predictions if role.scores else None,
        labels=None if role.scores or labels is None else [label(x) for x in labels], positive=label(positive),
        sample_weight=new.beside(role.weight), groups=new.beside(role.group), count=new.beside(role.count),
        by={x: new.values[x] for x in role.by} or None, measures=measures, missing=missing, pairs=name, **options,
    )  # fmt: skip
    note = f"The baseline is in {baseline}, whose rows are about the same items as those of {' and '.join(files)}."
    return replace(found, notes=(note, *found.notes))


class OpeningOptions(TypedDict, total=False):
    """How files are opened: keyword arguments of `OpenFiles`."""

    format: str | None
    memory_limit: str | None
    table: str | None
    na_values: Sequence[str] | None


@dataclass(frozen=True)
class _Columns:
    """The columns of some files, and the role of each."""

    values: Mapping[str, ArrayLike]
    true: str
    systems: tuple[str, ...]
    untyped: TextRule | None

    def beside(self, column: str | None) -> ArrayLike:
        """Return the values of a column that need not be there."""
        return None if column is None else self.values[column]

    @classmethod
    def read(cls, files: Sequence[str], role: Role, pool: bool, how: OpeningOptions) -> _Columns:
        from goodmeasure.counts.readers.files.label_files import OpenFiles

        beside = [*role.keys, *(x for x in (role.weight, role.count) if x is not None)]
        named = [x for x in (role.true, *role.systems, *role.scores, *beside) if x]
        with OpenFiles([Path(x) for x in files], columns=named, pool=pool, **how) as opened:
            find = guess_scores if role.scores else guess
            roles = opened.roles
            true, systems = role.true, role.scores or role.systems
            if roles is not None and not role.scores:  # a log of another program, which says which column is which
                true, systems = true or roles.true, systems or (roles.predicted,)
            true, systems = find([x for x in opened.header if x not in beside], true, systems)
            keys = [true, *(() if role.scores else systems), *role.keys]
            numbers = [*(systems if role.scores else ()), *(x for x in (role.weight, role.count) if x is not None)]
            values = column_values(
                opened.in_order().frame(keys, numbers), [*keys, *numbers], numbers, hashable=bool(role.scores)
            )
            opened.check_rows(len(values[true]), numbers)
            if not role.scores:
                _refuse_lists(values[x] for x in (true, *systems))
            return cls(values, true, tuple(systems), opened.untyped)


def _refuse_lists(columns: Iterable[ArrayLike]) -> None:
    for column in columns:
        if any(isinstance(x, (list, tuple)) for x in column):
            raise InputError(
                "{baseline} holds several labels for an item", advice="name the column of the items' ids with {id:=}"
            )


def _of_baseline(role: Role, new: _Columns) -> Role:
    """Return the columns to look for in the file of the baseline: those of the new system, if there is one."""
    alone = new.systems if len(new.systems) == 1 else ()
    return Role(new.true, () if role.scores else alone, alone if role.scores else ())


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


def _read_alike(
    new: _Columns, old: _Columns, columns: Sequence[ArrayLike], others: Sequence[ArrayLike]
) -> tuple[list[list[Label]], Callable[[Label], Label]]:
    """Return columns of labels read alike, and how a label that was typed is read.

    The type of labels in text files (numbers, truth values or text) is inferred from all of them, with the `others`.
    """
    rule = new.untyped or old.untyped
    if rule is None:
        known = {str(x): x for column in columns for x in column}
        return [list(column) for column in columns], lambda x: known.get(str(x), x)
    reading = reading_of(dict.fromkeys(x for column in (*columns, *others) for x in column), rule)
    read = {x: reading.item(x) for x in dict.fromkeys(x for column in columns for x in column)}
    return [[read[x] for x in column] for column in columns], reading.label
