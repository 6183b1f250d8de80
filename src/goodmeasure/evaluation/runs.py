"""Runs of several systems in tables or files of their own, joined by the ids of their items."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from goodmeasure.counts.outcomes import SAMPLE, VerdictLog
from goodmeasure.counts.readers.datasets_tables import as_table, is_dataset
from goodmeasure.counts.readers.joined_runs import Absent, join_frames
from goodmeasure.evaluation.column_names import guess, guess_ids
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.reading import Asked, columns_of_frame, is_frame, names_of, refuse_file_options
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import ArrayLike, Frame


def are_runs(asked: Asked, *, named: bool = False) -> bool:
    """Return whether the data are tables or files by system, rather than matrices or labels by system.

    `named` says that columns were named, as are an id and a column of true labels.
    """
    if not isinstance(asked.data, Mapping) or not asked.data or is_dataset(asked.data):
        return False
    values = list(asked.data.values())
    if all(map(_are_files, values)):
        return True
    named = named or asked.id is not None or isinstance(asked.y_true, str)
    return named and all(_are_files(x) or is_frame(x) for x in values)


def _are_files(value: object) -> bool:
    """Return whether a run is in a file, or in several that are its parts."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(x, (str, os.PathLike)) for x in value)
    return isinstance(value, (str, os.PathLike))


@dataclass(frozen=True)
class Runs:
    """Joined runs: the question about the joined table, and what its answer says about them."""

    asked: Asked
    original: Asked
    own: dict[str, str]  # the column of each run
    guessed: bool
    absent: Sequence[Absent] = ()

    def described(self, source: Provenance) -> Provenance:
        """Return the description of the joined table as one of the runs."""
        absent = getattr(self.asked.data, "absent", None) or self.absent
        notes = tuple(_left_out(x, self.original.missing) for x in absent)
        found = with_runs(source, self.original, self.own)
        return replace(found, guessed=self.guessed, notes=(*notes, *source.notes))


def with_runs(source: Provenance, asked: Asked, own: Mapping[str, str]) -> Provenance:
    """Return the description of a table as one of runs, which have these columns."""
    paths = {str(name): _path(run) for name, run in asked.data.items()}
    typed = tuple(f"{name}={path}" for name, path in paths.items() if path is not None)
    runs = tuple((name, path, own[name]) for name, path in paths.items())
    return replace(source, files=typed if len(typed) == len(paths) else (), id=asked.id, runs=runs)


def _path(run: object) -> str | None:
    """Return the file of a run; None where it is a table, or in several files."""
    listed = [run] if isinstance(run, (str, os.PathLike)) else run if isinstance(run, (list, tuple)) else []
    return os.fspath(listed[0]) if len(listed) == 1 else None


def _left_out(absent: Absent, missing: str) -> str:
    return f"The run {absent}{', which count as a class of their own' if missing == 'class' else ''}."


# Finds the columns of true labels and of systems: names, that of true labels, and those of systems, if known.
Find = Callable[[Sequence[str], str | None, tuple[str, ...]], tuple[str, tuple[str, ...]]]


@contextmanager
def joined_runs(asked: Asked, columns: object, find: Find = guess) -> Iterator[Runs]:
    """Join runs by their ids; `columns` are those of predicted labels or scores, None if `find` is to guess them.

    Frames of one library are joined by it; files, and frames of different libraries, inside DuckDB.
    """
    if asked.repeat is not None:
        raise InputError(
            "{repeat:=} cannot be combined with runs of labels",
            advice="give outcomes of the runs with {y_correct:=}, or put the runs into one table",
        )
    if asked.count is not None:
        raise InputError("{count:=} cannot be combined with runs", advice="with {id:=} every row is one item")
    if asked.pool:
        raise InputError(
            "{pool} cannot be combined with runs", advice="name the files of one run as a list, or by a pattern"
        )
    asked = replace(asked, data={str(name): run for name, run in asked.data.items()})
    frames = list(asked.data.values())
    if all(map(is_frame, frames)) and len({_library(x) for x in frames}) == 1:
        refuse_file_options(asked)
        yield _of_frames(asked, columns, find)
        return
    from goodmeasure.counts.readers.files.joined_files import JoinedFiles, OpenRuns

    typed = [x for x in (asked.id, asked.y_true, *_typed(columns)) if isinstance(x, str)]
    with OpenRuns({k: _opened(k, x) for k, x in asked.data.items()}, memory_limit=asked.memory_limit,
                  columns=typed, format=asked.format, table=asked.table,
                  na_values=asked.na_values) as opened:  # fmt: skip
        headers = {name: run.header for name, run in opened.runs.items()}
        roles = [x for run in opened.runs.values() if (x := getattr(run, "roles", None)) is not None]
        if len(roles) == len(opened.runs):  # all are logs of other programs, which say which column is which
            if asked.y_true is None and columns is None:
                if not all(x.of_labels for x in roles):
                    raise VerdictLog(roles[0].outcome, SAMPLE)
                sample = next((x.sample for x in roles if x.sample is not None), None)
                asked = replace(asked, groups=asked.groups or sample)
            asked = replace(asked, id=asked.id or roles[0].id, y_true=asked.y_true or roles[0].true)
            columns = columns or roles[0].predicted
        true, own, guessed = _columns(asked, headers, columns, find)
        joined = JoinedFiles(opened, asked.id, own, asked.missing)
        yield Runs(_about(asked, joined, true, own), asked, own, guessed)


def _of_frames(asked: Asked, columns: object, find: Find) -> Runs:
    headers = {name: columns_of_frame(frame) for name, frame in asked.data.items()}
    true, own, guessed = _columns(asked, headers, columns, find)
    tables = {
        name: as_table(frame, headers[name], true, [own[name]]) if is_dataset(frame) else frame
        for name, frame in asked.data.items()
    }
    asked = replace(asked, data=tables)
    shared = list(dict.fromkeys([true, *asked.beside_labels]))
    if asked.id is None:  # a single run
        (name,), (frame,) = own, asked.data.values()
        return Runs(replace(asked, data=frame, y_true=true, y_pred=[own[name]], id=None), asked, own, guessed)
    joined, absent = join_frames(asked.data, asked.id, own, shared, asked.missing)
    return Runs(_about(asked, joined, true, own), asked, own, guessed, absent)


def _about(asked: Asked, joined: object, true: str, own: Mapping[str, str]) -> Asked:
    """Return the question about the joined table, in which each system has a column of its name."""
    shared = [true, *asked.beside_labels]
    for name in own:
        if name in shared:
            raise InputError(
                "a system is called {name!r}, like a column that all runs share",
                name=name,
                advice="give the system another name",
            )
    return replace(
        asked, data=joined, y_true=true, y_pred=list(own), id=None, pool=False, table=None, na_values=asked.na_values
    )


def _library(frame: object) -> str:
    return type(frame).__module__.partition(".")[0] + (".lazy" if hasattr(frame, "collect") else "")


def _typed(columns: ArrayLike) -> list[object]:
    if isinstance(columns, Mapping):
        return list(columns.values())
    return [columns] if isinstance(columns, str) else list(columns or ())


def _opened(name: str, run: Frame) -> Frame:
    """Return the files of a run as a list, and a data frame as an Arrow table, for DuckDB."""
    if isinstance(run, (str, os.PathLike)):
        return ["-" if os.fspath(run) == "-" else Path(run) if isinstance(run, os.PathLike) else run]
    if isinstance(run, (list, tuple)):
        return list(run)
    from goodmeasure.packages import nw

    if is_dataset(run):
        raise InputTypeError(
            "the run {name!r} is a data set of datasets, and other runs are not",
            name=name,
            advice="give all runs in one way, for example with .to_pandas()",
        )
    table = nw.from_native(run)
    if isinstance(table, nw.LazyFrame):
        raise InputTypeError(
            "the run {name!r} is a lazy frame, and other runs are not frames of the same library",
            name=name,
            advice="collect it, or give all runs in one way",
        )
    return table.to_arrow()


def _columns(
    asked: Asked, headers: Mapping[str, Sequence[str]], given: object, find: Find
) -> tuple[str, dict[str, str], bool]:
    """Return the column of true labels, that of each run, and whether any was guessed; refuse runs without an id."""
    own = own_columns(given, list(headers))
    if asked.id is not None and not isinstance(asked.id, str):
        raise InputTypeError("{id} is {kind}", kind=type(asked.id).__name__, expected="the name of a column")
    if asked.id is None and len(headers) > 1:
        common = [x for x in next(iter(headers.values())) if all(x in header for header in headers.values())]
        likely = guess_ids(common) or common
        raise InputError(
            "{id:=} is not given, and there are {number} runs", number=len(headers),
            common=", ".join(map(repr, likely[:10])) or "none",
            advice="name the column that says which item a row is about; all runs have {common}",
        )  # fmt: skip
    true, guessed = asked.y_true, asked.y_true is None or not own
    if true is not None and not isinstance(true, str):
        raise InputTypeError("{y_true} is {kind}", kind=type(true).__name__, expected="the name of a column")
    taken = {asked.id, *asked.beside_labels}
    for name, header in headers.items() if guessed else ():
        columns = [x for x in header if x not in taken]
        found, systems = find(columns, true, (own[name],) if name in own else ())
        true = found if true is None else true
        if len(systems) > 1:
            argument = "y_pred" if find is guess else "y_score"
            raise InputError(
                "the run {name!r} has {number} columns of predictions ({listed})", argument=argument, name=name,
                number=len(systems), listed=", ".join(map(repr, systems[:10])), advice="name one with {argument:=}",
            )  # fmt: skip
        own[name] = systems[0]
    assert true is not None
    return true, own, guessed


def own_columns(given: object, names: Sequence[str]) -> dict[str, str]:
    """Return the column of each run as it was named; empty where none was."""
    if isinstance(given, str):
        return dict.fromkeys(names, given)
    if isinstance(given, Mapping):
        columns = {str(name): x if isinstance(x, str) else tuple(x) for name, x in given.items()}
        if len(columns) == 1 and len(names) > 1 and not set(columns) <= set(names):
            columns = dict.fromkeys(names, next(iter(columns.values())))  # as the command line says it
        for name in names:
            column = columns.get(name)
            if isinstance(column, tuple) and len(column) == 1:
                columns[name] = column = column[0]
            if not isinstance(column, str):
                raise InputError(
                    "{y_pred} has no column for the run {name!r}", name=name, got=given,
                    advice="name one column for all runs, or one for each",
                )  # fmt: skip
        return {name: str(columns[name]) for name in names}
    listed = names_of(given, "y_pred")
    if len(listed) > 1:
        raise InputError(
            "{y_pred} names {number} columns", number=len(listed), got=given,
            advice="a run has the predictions of one system, so name one column for all runs, or one for each by name",
        )  # fmt: skip
    return dict.fromkeys(names, listed[0]) if listed else {}
