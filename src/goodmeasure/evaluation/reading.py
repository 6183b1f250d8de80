"""Read what users hand in (labels, data frames, files, matrices) as counts, and describe where the counts come from."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.counts.joint import Joint
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.outcomes import SAMPLE, VerdictLog, check_answers
from goodmeasure.counts.readers import datasets_tables
from goodmeasure.counts.readers.arrays import count_systems
from goodmeasure.counts.readers.arrow_streams import as_frame
from goodmeasure.counts.readers.frames import count_frame
from goodmeasure.counts.readers.reader import column_values, reader_of
from goodmeasure.counts.sample import Counted, Sample, Slice
from goodmeasure.counts.scores_as_labels import SEVERAL_LABELS, TAG_SEQUENCES, advice_for_rows
from goodmeasure.counts.text_labels import number_of, spellings_note, typed_labels
from goodmeasure.evaluation.column_names import guess
from goodmeasure.evaluation.counted_tables import column_of_counts, offer
from goodmeasure.evaluation.multilabel import LabelMatrices, Multilabel
from goodmeasure.evaluation.positive_class import settled
from goodmeasure.evaluation.provenance import ARRAYS, FILES, FRAME, LABEL, MATRIX, SYSTEM, Provenance
from goodmeasure.exceptions import Given, InputError, InputTypeError
from goodmeasure.typing import ArrayLike, DataLike, Frame, Label

if TYPE_CHECKING:
    from goodmeasure.counts.readers.files.joined_files import JoinedFiles
    from goodmeasure.counts.readers.files.label_files import OpenFiles
    from goodmeasure.counts.readers.files.presets.registry import Roles

STANDARD_INPUT = "-"
JUDGE = "y_judge"  # what a judge that comes as an array is called among the systems
_LARGEST = 1e150  # the square of a larger sum may overflow


@dataclass(frozen=True)
class Asked:
    """The arguments of `evaluate` or `compare` that concern the data."""

    data: Frame
    y_true: ArrayLike = None
    y_pred: ArrayLike = None
    sample_weight: ArrayLike = None
    by: ArrayLike = None
    groups: ArrayLike = None
    labels: ArrayLike = None
    positive: Label = None
    missing: str = "error"
    memory_limit: str | None = None
    pool: bool = False
    count: ArrayLike = None
    id: ArrayLike = None
    repeat: ArrayLike = None
    format: str | None = None
    table: str | None = None
    na_values: ArrayLike = None
    y_judge: ArrayLike = None
    strata: ArrayLike = None
    sampling: ArrayLike = None

    def __post_init__(self) -> None:
        """Take streams of Arrow as frames."""
        data = as_frame(self.data)
        if isinstance(data, Mapping) and not datasets_tables.is_dataset(data):
            frames = {name: as_frame(x) for name, x in data.items()}
            data = frames if any(x is not data[name] for name, x in frames.items()) else data
        object.__setattr__(self, "data", data)

    @classmethod
    def of(cls, data: DataLike, y_pred: ArrayLike, options: Mapping[str, ArrayLike]) -> Asked:
        """Return the arguments that concern the data, among all options of a call."""
        named = {x.name: options[x.name] for x in fields(cls) if x.name in options}
        return cls(data, y_pred=y_pred, **named)

    def is_matrix(self) -> bool:
        """Return whether the data are confusion matrices rather than labels."""
        from goodmeasure.evaluation.runs import are_runs

        if self.y_true is not None or self.y_pred is not None or self.data is None or are_runs(self):
            return False
        return not are_paths(self.data, self.y_true, self.y_pred) and not is_frame(self.data)

    @property
    def beside_labels(self) -> list[str]:
        """Return the columns of a table that hold neither true nor predicted labels."""
        one = (self.sample_weight, self.groups, self.count, self.y_judge, self.strata, self.sampling)
        return [x for x in (*one, *names_of(self.by, "by")) if x is not None]

    @property
    def drawn_by(self) -> list[str]:
        """Return the columns of a table that say how items were drawn for human labels."""
        return [x for x in (self.strata, self.sampling) if x is not None]

    def source(self, kind: str) -> Provenance:
        """Return the description of the data, with the fields that every kind of data has."""
        labels = None if self.labels is None else tuple(self.labels)
        return Provenance(kind, labels=labels, positive=self.positive, missing=self.missing, na_values=self.na_values)

    def described(
        self, kind: str, true: str, systems: tuple[str, ...], by: tuple[str, ...], guessed: bool,
        files: tuple[str, ...] = (),
    ) -> Provenance:  # fmt: skip
        """Return the description of data that has named columns."""
        return replace(self.source(kind), files=files, true=true, systems=systems, weight=self.sample_weight, by=by,
                       groups=self.groups, guessed=guessed, count=self.count, judge=self.y_judge, strata=self.strata,
                       sampling=self.sampling)  # fmt: skip


class Precounted(NamedTuple):
    """Counts that are known already, with the description of the data."""

    counted: Counted
    source: Provenance


def read(asked: Asked | Precounted) -> tuple[Counted, Provenance]:
    """Return the counts of each system, and of all jointly unless that takes too much, and where they come from."""
    if isinstance(asked, Precounted):
        return asked
    counted, source = _from_matrices(asked) if asked.is_matrix() else _with_judge(asked)
    return counted, settled(counted, source)


def check_judge(options: Mapping[str, ArrayLike]) -> None:
    """Refuse a judge of scores and of outcomes."""
    if options["y_judge"] is None:
        return
    if options["y_correct"] is not None:
        raise InputError(
            "{y_judge} and {y_correct:=} were both given", argument="y_judge",
            advice="give the outcomes by humans as true labels, 1 as every predicted label, and those by the judge as "
            "{y_judge:=}: the accuracy is the pass rate",
        )  # fmt: skip
    if options["y_score"] is not None:
        raise InputError("{y_judge} needs predicted labels", argument="y_judge", advice="give {y_pred} for {y_score:=}")


def read_jointly(asked: Asked) -> tuple[Joint, Provenance]:
    """Return the counts of all systems jointly (which item got which labels), and the description of the data."""
    if asked.is_matrix():
        if isinstance(asked.data, Mapping) and asked.data and all(map(is_frame, asked.data.values())):
            raise InputTypeError(
                "there is a data frame for each system",
                argument="id",
                advice="name the column of the items' ids with {id:=}, and the labels with {y_true:=} and {y_pred:=}",
            )
        refuse_one_column(asked.data)
        raise InputTypeError(
            "compare takes true labels and those of each system, a data frame or files",
            argument="y_true",
            advice="confusion matrices do not say which items two systems get wrong together; use evaluate for them",
        )
    counted, source = _with_judge(asked, jointly=True)
    return counted.joint(), settled(counted, source)


def _with_judge(asked: Asked, jointly: bool = False) -> tuple[Counted, Provenance]:
    """Return what is counted, with the labels of a judge if there is one."""
    if asked.y_judge is None:
        for name in ("strata", "sampling"):
            if getattr(asked, name) is not None:
                raise InputError("{argument} needs {y_judge:=}", argument=name,
                                 advice="it says how items were drawn for human labels")  # fmt: skip
        return _read(asked, jointly)
    from goodmeasure.evaluation.judges.judged_labels import read_judged

    return read_judged(asked, lambda asked: _read(asked, jointly=True))


def _read(asked: Asked, jointly: bool = False) -> tuple[Counted, Provenance]:
    from goodmeasure.evaluation.runs import are_runs, joined_runs

    if are_runs(asked):
        with joined_runs(asked, asked.y_pred) as runs:
            counted, source = _read(runs.asked, jointly)
            return counted, runs.described(source)
    if asked.repeat is not None and asked.id is None:
        raise InputError("{repeat} says which answer of an item a row is", advice="name the items with {id:=}")
    data, y_true, y_pred = asked.data, asked.y_true, asked.y_pred
    if are_paths(data, y_true, y_pred):
        return _from_files(asked, jointly)
    refuse_file_options(asked)
    if data is None or (y_true is None and y_pred is not None and not is_frame(data)):
        return _from_arrays(asked, jointly)
    if not is_frame(data):
        raise InputTypeError(
            "{data} is {kind}, and {column} names a column",
            kind=type(data).__name__,
            column=Given("y_true", y_true),
            name="compare" if jointly else "evaluate",
            advice="give a data frame or a file, or labels as {name}({y_true}, {y_pred})",
        )
    return _from_frame(asked, jointly)


def _grouped(asked: Asked, values: Callable[[list[str]], Mapping[str, ArrayLike]]) -> Asked:
    """Return the question with the items as groups where `repeat` says that they have several answers.

    `values` returns columns of the data. Without `repeat`, an id must stand for one row.
    """
    if asked.id is None:
        return asked
    named = [x for x in (asked.id, asked.repeat) if isinstance(x, str)]
    found = values(named)
    if named and not found:
        raise InputError(
            "{argument} is {got!r}, and the labels have no columns", argument="id" if asked.id in named else "repeat",
            got=named[0], expected="a list, item by item",
        )  # fmt: skip
    ids, repeat = (found[x] if isinstance(x, str) else x for x in (asked.id, asked.repeat))
    check_answers(ids, repeat)
    return asked if asked.repeat is None or asked.groups is not None else replace(asked, groups=asked.id)


def _from_files(asked: Asked, jointly: bool) -> tuple[Counted, Provenance]:
    with opened_files(asked) as files:
        asked = _grouped(asked, lambda names: column_values(files.frame(names), names, ()))
        true, systems, by, guessed = resolved_columns(asked, files.header, files.roles)
        if files.roles is not None and (true, systems) == (files.roles.true, (files.roles.predicted,)):
            asked = replace(asked, groups=asked.groups or files.roles.sample)
        labels = asked.labels if files.untyped else _as_in_file(asked.labels, files, true)
        counted = files.count(
            y_true=true, y_pred=_labelling(asked, systems), sample_weight=asked.sample_weight, by=by,
            groups=asked.groups, labels=labels, missing=asked.missing, count=asked.count, always_jointly=jointly,
            beside=asked.drawn_by,
        )  # fmt: skip
        positive = asked.positive
        if counted.reading is not None:
            labels = None if labels is None else [counted.reading.label(x) for x in labels]
            positive = counted.reading.label(positive)
        elif positive is not None:
            positive = _as_in_file([positive], files, true)[0]
        asked = replace(asked, labels=labels, positive=positive)
        source = asked.described(FILES, true, systems, by, guessed, files.paths)
        spelled = (
            () if counted.reading is None or not counted.reading.absent else (spellings_note(counted.reading.absent),)
        )
        notes = tuple(files.notes) + spelled + _offered(source, counted, files.header, files.frame)
        source = replace(source, notes=notes, preset=files.preset, format=files.format)
    reading = None if counted.reading is None else str(counted.reading)
    return counted, replace(source, reading=reading, pool=files.pool, parts=files.parts)


def _offered(
    source: Provenance,
    counted: Counted,
    header: Sequence[str],
    frame: Callable[[list[str]], object],
) -> tuple[str, ...]:
    """Return a suggestion to read a column as counts if it looks like counts; `frame` returns columns of the data."""
    if source.count is not None or source.true is None:
        return ()
    named = [source.true, *source.systems, *source.by, *([] if source.groups is None else [source.groups])]

    def read(columns: list[str], numbers: list[str]) -> dict[str, ArrayLike]:
        return column_values(frame(columns), columns, numbers, hashable=False)

    found = column_of_counts(header, named, source.weight, counted.rows, read)
    return () if found is None else (offer(found, source.weight),)


def opened_files(asked: Asked, more: Sequence[str] = ()) -> AbstractContextManager[OpenFiles | JoinedFiles]:
    """Return a context manager of the files, which closes only the files that it has opened itself.

    `more` are columns that will be read besides those of labels.
    """
    from goodmeasure.counts.readers.files.label_files import OpenFiles

    if _are_open(asked.data):
        return nullcontext(asked.data)
    paths = [asked.data] if isinstance(asked.data, (str, os.PathLike)) else list(asked.data)
    named = [x for x in (asked.y_true, *names_of(asked.y_pred, "y_pred"), *more) if isinstance(x, str)]
    read = ["-" if os.fspath(x) == "-" else Path(x) if isinstance(x, os.PathLike) else x for x in paths]
    return OpenFiles(
        read, memory_limit=asked.memory_limit, columns=named, pool=asked.pool, format=asked.format, table=asked.table,
        na_values=asked.na_values,
    )  # fmt: skip


def refuse_file_options(asked: Asked) -> None:
    """Refuse options of files for labels and data frames."""
    if asked.na_values is not None:
        raise typed_labels("lists and data frames")
    if asked.table is not None:
        raise InputError(
            "{table} is the name of a sheet or table", got=asked.table, advice="it needs a file that has it"
        )


def _are_open(data: object) -> bool:
    """Return whether the data are files that are open already.

    The class is looked up in `sys.modules`: data cannot be such an object unless its module was imported before.
    """
    files = sys.modules.get("goodmeasure.counts.readers.files.label_files")
    if files is not None and isinstance(data, files.OpenFiles):
        return True
    runs = sys.modules.get("goodmeasure.counts.readers.files.joined_files")
    return runs is not None and isinstance(data, runs.JoinedFiles)


def _as_in_file(labels: ArrayLike, files: OpenFiles | JoinedFiles, true: str) -> ArrayLike:
    """Return labels that were typed as text as the type that the file's column has."""
    if labels is None or not all(isinstance(x, str) for x in labels):
        return labels
    example = files.example(true)
    if isinstance(example, bool):
        known = {"true": True, "false": False, "1": True, "0": False}
        return [known.get(x.lower(), x) for x in labels]
    if isinstance(example, (int, float)):
        numbers = [(x, number_of(x)) for x in labels]
        return [text if number is None else number for text, number in numbers]
    if isinstance(example, date):  # datetime is a subclass of date
        return [_moment(x, type(example)) for x in labels]
    return labels


def _moment(text: str, kind: type[date]) -> date | str:
    try:
        return kind.fromisoformat(text)
    except ValueError:
        return text


def _from_frame(asked: Asked, jointly: bool) -> tuple[Counted, Provenance]:
    header = columns_of_frame(asked.data)
    asked = _grouped(asked, lambda names: column_values(asked.data, names, ()))
    true, systems, by, guessed = resolved_columns(asked, header)
    if datasets_tables.is_dataset(asked.data):
        asked = replace(asked, data=datasets_tables.as_table(asked.data, header, true, _labelling(asked, systems)))
    counted = count_frame(
        asked.data, y_true=true, y_pred=_labelling(asked, systems), sample_weight=asked.sample_weight, by=by,
        groups=asked.groups, labels=asked.labels, missing=asked.missing, count=asked.count, always_jointly=jointly,
        beside=asked.drawn_by,
    )  # fmt: skip
    source = asked.described(FRAME, true, systems, by, guessed)
    return counted, replace(source, notes=_offered(source, counted, header, lambda _: asked.data))


def resolved_columns(
    asked: Asked, columns: Sequence[str], roles: Roles | None = None
) -> tuple[str, tuple[str, ...], tuple[str, ...], bool]:
    """Return the columns of true labels, systems and slices, and whether any of them had to be guessed.

    `roles` are the columns that a preset makes of a log.
    """
    for argument in ("y_true", "sample_weight", "groups", "count", "y_judge", "strata", "sampling"):
        value = getattr(asked, argument)
        if value is not None and not isinstance(value, str):
            raise InputTypeError(
                "{argument} is {got}",
                argument=argument,
                got=type(value).__name__,
                advice="with a data frame or a file it is a column's name, as text",
            )
    true, systems, by = asked.y_true, names_of(asked.y_pred, "y_pred"), names_of(asked.by, "by")
    if roles is not None:
        if not roles.of_labels and true is None and not systems:
            raise VerdictLog(roles.outcome, SAMPLE)
        true, systems = true or roles.true, systems or (roles.predicted,)
    guessed = true is None or not systems
    if guessed:
        true, systems = guess([x for x in columns if x not in asked.beside_labels], true, systems)
    return true, systems, by, guessed


def _labelling(asked: Asked, systems: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of all who label the items: the systems, and a judge as the last."""
    return systems if asked.y_judge is None else (*systems, asked.y_judge)


def _from_arrays(asked: Asked, jointly: bool) -> tuple[Counted, Provenance]:
    true = asked.y_true if asked.data is None else asked.data
    if true is None or asked.y_pred is None:
        name, also = ("compare", "") if jointly else ("evaluate", ", or a confusion matrix")
        if true is not None or asked.y_pred is not None:
            raise InputTypeError(
                "{y_true} was given without {y_pred}"
                if asked.y_pred is None
                else "{y_pred} was given without {y_true}",
                argument="y_pred" if asked.y_pred is None else "y_true",
                advice="give the true and the predicted labels; for scores, use {y_score:=} beside the true labels",
            )
        raise InputTypeError(
            "{name} takes true and predicted labels, a data frame or files{also}",
            name=name,
            also=also,
            argument="y_true",
        )
    y_pred, asked = asked.y_pred, _grouped(asked, lambda names: {})
    _refuse_columns(true, y_pred)
    named = y_pred if isinstance(y_pred, Mapping) else {name_of(y_pred, "system"): y_pred}
    systems = {name: _kept(labels) for name, labels in zip(_new_names(named), named.values(), strict=True)}
    by = asked.by
    if isinstance(by, str):
        raise InputTypeError(
            "{by} is {got!r}", got=by, advice="with labels it is one value for each item, or a dict of such by name"
        )
    if by is not None and not isinstance(by, Mapping):
        by = {name_of(by, "by"): by}
    sliced: Mapping[str, ArrayLike] = by or {}
    drawn = {name: x for name in ("strata", "sampling") if (x := getattr(asked, name)) is not None}
    judge = {} if asked.y_judge is None else {JUDGE: _kept(asked.y_judge)}
    counted = count_systems(
        _kept(true), {**systems, **judge}, by={**sliced, **drawn} or None, labels=asked.labels,
        sample_weight=asked.sample_weight, groups=asked.groups, missing=asked.missing, count=asked.count,
        beside=tuple(drawn),
    )  # fmt: skip
    listed = ("sample_weight", "by", "groups", "count", "y_judge", *drawn)
    given = tuple(name for name in listed if getattr(asked, name) is not None)
    return counted, replace(asked.source(ARRAYS), systems=tuple(systems), by=tuple(sliced), beside=given)


def _refuse_columns(true: ArrayLike, y_pred: ArrayLike) -> None:
    """Refuse several systems without names, and items with several labels: both come as a list of lists."""
    if not _holds_columns(y_pred, true):
        return
    if _holds_columns(true, true):
        raise InputTypeError("{y_true} and {y_pred} hold a list for each item", advice=advice_for_rows(y_pred))
    if len(y_pred) == len(true) and advice_for_rows(y_pred) not in (SEVERAL_LABELS, TAG_SEQUENCES):
        raise InputTypeError(
            "{y_pred} holds a list of numbers for each item", expected="one label", advice=advice_for_rows(y_pred)
        )
    raise InputTypeError(
        "{y_pred} is a {kind} of {size} columns",
        kind=type(y_pred).__name__,
        size=len(y_pred),
        advice="give several systems as a dict, such as {{'A': labels of A, 'B': labels of B}}",
    )


def _holds_columns(y: ArrayLike, true: ArrayLike) -> bool:
    """Return whether a list holds columns rather than labels.

    A tuple can be a label, so tuples are columns only if there are not as many of them as items.
    """
    if not isinstance(y, (list, tuple)) or not y:
        return False
    if all(isinstance(x, tuple) for x in y):
        return len(y) != len(true) and all(len(x) == len(true) for x in y)
    return all(isinstance(x, (list, np.ndarray)) or hasattr(x, "to_numpy") for x in y)


def _kept(column: object) -> object:
    """Return an iterator as a list, since the true labels are read once for every system."""
    return list(column) if isinstance(column, Iterator) else column


def _from_matrices(asked: Asked) -> tuple[Counted, Provenance]:
    refuse_one_column(asked.data)
    for argument in ("sample_weight", "by", "groups", "count", "y_judge"):
        if getattr(asked, argument) is not None:
            raise InputTypeError(
                "{argument} needs labels", argument=argument, advice="a confusion matrix no longer holds single items"
            )
    if isinstance(asked.data, Mapping) and {"fit_time", "score_time"} <= set(asked.data):
        raise InputTypeError(
            "{data} is a result of scikit-learn's cross_validate, which has scores and no predictions",
            advice="goodmeasure.sklearn.cross_validated(results, X, y) returns the predictions behind it",
        )
    data = asked.data.matrices if isinstance(asked.data, Multilabel) else asked.data
    named = data if isinstance(data, Mapping) else {"system": data}
    if any(isinstance(x, Multilabel) for x in named.values()):
        raise InputTypeError(
            "{data} holds several systems with several labels for an item",
            advice="compare them with gm.compare, or evaluate one of them",
        )
    if not named:
        raise InputError("{data} is an empty dict", expected="a confusion matrix for each system")
    matrices = _named_matrices(named)
    if asked.labels is not None:
        matrices = _in_order_of(tuple(asked.labels), matrices, named)
    samples: dict[tuple[str, Slice | None], Sample] = {(name, None): Sample(x) for name, x in matrices.items()}
    if isinstance(asked.data, Multilabel) and asked.labels is None:
        samples = {(str(label), None): x for label, x in asked.data.samples().items()}
    labels = tuple(dict.fromkeys(label for x in matrices.values() for label in x.labels))
    items = max(sample.item_count or 0 for sample in samples.values())
    unit = LABEL if isinstance(data, LabelMatrices) else SYSTEM
    source = replace(asked.source(MATRIX), systems=tuple(matrices), unit=unit)
    return Counted(samples, tuple(matrices), (), labels, items, {}, {}), source


def refuse_one_column(data: ArrayLike) -> None:
    """Refuse labels that came alone, without a second column of them."""
    if isinstance(data, (Mapping, ConfusionMatrix, Multilabel)) or not hasattr(data, "__len__") or not len(data):
        return
    shape = getattr(data, "shape", None)
    first = data[0] if isinstance(data, (list, tuple)) else None
    plain = isinstance(first, (str, bytes, bool, int, float, np.generic))
    if plain if shape is None else len(shape) == 1:
        raise InputTypeError(
            "only one list of {size:,} labels was given",
            size=len(data),
            argument="y_pred",
            advice="give the true and the predicted labels, as in {y_true}, {y_pred}; "
            "for scores, use {y_score:=} beside the true labels",
        )


def _named_matrices(named: Mapping[Label, object]) -> dict[str, ConfusionMatrix]:
    return {name: _matrix(key, counts) for (key, counts), name in zip(named.items(), _new_names(named), strict=True)}


def _new_names(named: Mapping[Label, object]) -> list[str]:
    """Return the names of systems as text; refuse two systems with the same text, such as the keys 1 and "1"."""
    names = [str(name) for name in named]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError("two systems are called {name!r}", name=twice, advice="give each a name of its own")
    return names


def _in_order_of(
    labels: tuple[Label, ...], matrices: dict[str, ConfusionMatrix], named: Mapping[Label, object]
) -> dict[str, ConfusionMatrix]:
    """Return the matrices with their classes in the order of `labels`; matrices without class names get these names."""
    own = {str(name) for name, x in named.items() if isinstance(x, ConfusionMatrix)}
    bare = {
        name for name, x in matrices.items()
        if name not in own or (x.labels == tuple(range(x.m)) and not set(x.labels) <= set(labels))
    }  # fmt: skip
    known = dict.fromkeys(label for name, x in matrices.items() if name not in bare for label in x.labels)
    unknown = [] if bare else [x for x in labels if x not in known]
    if unknown:
        shown = ", ".join(map(repr, list(known)[:20]))
        raise InputError(
            "{labels} has {unknown!r}, which is not a class of the matrix",
            unknown=unknown[0],
            shown=shown,
            advice="its classes are {shown}; {labels} orders them",
        )
    return {name: ConfusionMatrix(x, labels) if name in bare else x.aligned(labels) for name, x in matrices.items()}


def _matrix(name: object, counts: object) -> ConfusionMatrix:
    matrix = counts.snapshot() if isinstance(counts, ConfusionMatrix) else ConfusionMatrix(counts)
    if matrix.batch:
        raise InputError(
            "the matrix of {name!r} is a batch of shape {batch}",
            name=name,
            batch=matrix.batch,
            advice="give a dict of matrices",
        )
    if isinstance(matrix.n, float) and not matrix.n < _LARGEST:
        raise InputError(
            "the matrix of {name!r} adds up to {n:g}",
            name=name,
            n=matrix.n,
            advice="use counts that add up to less than 1e150",
        )
    if not matrix.n > 0:
        raise InputError("the matrix of {name!r} holds no items", name=name, advice="a measure needs at least one")
    return matrix


def are_paths(data: object, y_true: object, y_pred: object) -> bool:
    """Return whether the data are files: open ones, a path, or a list of paths.

    A list of text could also be labels. It is taken for paths if `y_true` is the name of a column, or if nothing else
    came and every entry looks like a file.
    """
    if isinstance(data, (str, os.PathLike)) or _are_open(data):
        return True
    if not isinstance(data, (list, tuple)) or not data or (y_true is not None and not isinstance(y_true, str)):
        return False
    if all(isinstance(x, os.PathLike) or (isinstance(x, str) and x == STANDARD_INPUT) for x in data):
        return True
    if y_true is None and y_pred is None:  # text alone is not a matrix: it is file names, if all entries look like that
        return all(isinstance(x, (str, os.PathLike)) and (Path(x).suffix or os.path.exists(x)) for x in data)
    return y_true is not None and all(isinstance(x, (str, os.PathLike)) for x in data)


def is_frame(data: object) -> bool:
    """Return whether the data are a table with named columns."""
    if datasets_tables.is_dataset(data):
        return True
    return hasattr(type(data), "columns")  # of the type: asking a lazy frame itself may run its query


def columns_of_frame(frame: Frame) -> list[str]:
    """Return the names of the columns of a data frame."""
    return datasets_tables.column_names(frame) if datasets_tables.is_dataset(frame) else reader_of(frame).columns


def names_of(names: ArrayLike, argument: str) -> tuple[str, ...]:
    if is_frame(names):
        raise InputTypeError(
            "{argument} is a data frame",
            argument=argument,
            several_labels=advice_for_rows(names),
            advice="beside a data frame or a file it names columns; {several_labels}",
        )
    listed = () if names is None else (names,) if isinstance(names, str) else tuple(names)
    for name in listed:
        if not isinstance(name, str):
            raise InputTypeError(
                "{argument} has {kind}",
                argument=argument,
                kind=type(name).__name__,
                advice="with a data frame or a file it names columns",
            )
    return listed


def name_of(column: object, otherwise: str) -> str:
    name = getattr(column, "name", None)
    return name if isinstance(name, str) and name else otherwise
