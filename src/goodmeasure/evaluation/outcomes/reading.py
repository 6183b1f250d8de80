"""Read outcomes of one or several systems from arrays, data frames, files, and runs joined by ids of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from goodmeasure.counts.arguments import as_item_counts
from goodmeasure.counts.outcomes import (
    LETTERS,
    Outcomes,
    check_repeats,
    items_of_ids,
    outcomes_by_item,
    outcomes_of,
    read_outcomes,
    said_letters,
)
from goodmeasure.counts.readers import datasets_tables
from goodmeasure.counts.readers.joined_runs import EXAMPLES, Absent, refuse_absent, refuse_different
from goodmeasure.counts.readers.reader import column_values
from goodmeasure.counts.scores.score_input import as_item_weights, units_of_items
from goodmeasure.counts.text_labels import TextRule
from goodmeasure.evaluation.column_names import typed
from goodmeasure.evaluation.provenance import ARRAYS, FILES, FRAME, Provenance
from goodmeasure.evaluation.reading import (
    Asked,
    are_paths,
    columns_of_frame,
    is_frame,
    name_of,
    names_of,
    opened_files,
    refuse_file_options,
)
from goodmeasure.evaluation.runs import are_runs, own_columns, with_runs
from goodmeasure.evaluation.scores.reading_scores import ScoreData
from goodmeasure.evaluation.scores.score_columns import items_of, read_labels, repeated, rows_at
from goodmeasure.exceptions import Argument, InputError, InputTypeError
from goodmeasure.typing import Array, ArrayLike, Frame, Label

if TYPE_CHECKING:
    from goodmeasure.counts.readers.files.joined_files import JoinedFiles
    from goodmeasure.counts.readers.files.label_files import OpenFiles

_SHARED = ("sample_weight", "groups", "id", "repeat", "count")


@dataclass(frozen=True)
class OutcomeData(ScoreData):
    """The mean outcome of each item by system, with how many answers each has, and what stands beside them."""

    answers: dict[str, Array]  # of systems whose items have several answers
    ids: list[Label] | None  # of the items, if they are known

    def scored(self, name: str) -> Outcomes:
        means = np.asarray(self.systems[name])
        weights = as_item_weights(self.weights, len(means))
        units = None if self.groups is None else units_of_items(self.groups, len(means))
        unnamed = len(self.systems) == 1 and self.source.kind == ARRAYS
        argument = Argument("y_correct") if unnamed else Argument("y_correct", name)
        return outcomes_of(means, self.answers.get(name), weights, units, self.missing, argument, self.ids)


class _Rows(NamedTuple):
    """The columns of one table: the outcomes of each system, and what stands beside them."""

    systems: dict[str, ArrayLike]
    by: dict[str, ArrayLike]
    beside: dict[str, ArrayLike]  # sample_weight, groups, id, repeat, as far as they are given
    source: Provenance


class _ItemRows(NamedTuple):
    """The same with one row for each item."""

    means: dict[str, Array]
    answers: dict[str, Array]
    by: dict[str, ArrayLike]
    beside: dict[str, ArrayLike]
    ids: list[Label] | None
    letters: Mapping[str, int]


def read_outcome_data(asked: Asked, y_correct: ArrayLike) -> OutcomeData:
    """Return the outcomes of each system, with one row for each item."""
    if asked.missing not in ("error", "drop"):
        raise InputError(
            "{missing} is {got!r}", got=asked.missing,
            advice="with outcomes use 'error' or 'drop', or give a missing answer the outcome 0",
        )  # fmt: skip
    if are_runs(asked, named=True):
        found, source = _joined(asked, y_correct)
    else:
        rows = _rows(asked, y_correct)
        found, source = _by_item(rows), rows.source
    source = replace(source, of_scores=True, of_outcomes=True, repeat=asked.repeat if source.kind != ARRAYS else None)
    facts = (*said_answers(found.answers), *said_letters(found.letters))
    source = replace(source, facts=facts, positive=None)
    size = len(next(iter(found.means.values())))
    return OutcomeData(
        np.ones(size, bool), dict(found.means), None, found.beside.get("sample_weight"), found.by or None,
        found.beside.get("groups"), None, "drop" if asked.missing == "drop" else "error", source, found.answers,
        found.ids,
    )  # fmt: skip


# One table


def _rows(asked: Asked, y_correct: ArrayLike) -> _Rows:
    column = y_correct if isinstance(y_correct, str) else None
    if are_paths(asked.data, column, None):
        with opened_files(asked, _named(y_correct)) as files:
            return _of_files(asked, y_correct, files)
    refuse_file_options(asked)
    if asked.data is None:
        return _of_arrays(asked, y_correct)
    if not is_frame(asked.data):
        raise InputTypeError(
            "{y_correct} came with {kind}", kind=type(asked.data).__name__,
            advice="outcomes take the place of true and predicted labels: give them alone, or name a column of a table",
        )  # fmt: skip
    header, systems = columns_of_frame(asked.data), _system_columns(y_correct)
    by, beside, numbers = _column_roles(asked)
    data = asked.data
    if datasets_tables.is_dataset(data):
        data = datasets_tables.as_table(data, header, next(iter(systems.values())), list(systems.values()))
    wanted = [*systems.values(), *by, *beside.values()]
    return _of_columns(asked, column_values(data, wanted, numbers), systems, by, beside, FRAME)


def _of_files(asked: Asked, y_correct: ArrayLike, files: OpenFiles | JoinedFiles) -> _Rows:
    roles = files.roles
    systems = _system_columns(y_correct)
    if roles is not None and set(systems.values()) == {roles.outcome}:  # answers to one item are grouped
        asked = replace(asked, id=asked.id or roles.sample, repeat=asked.repeat or roles.repeat)
    by, beside, numbers = _column_roles(asked)
    keys = [x for x in dict.fromkeys([*systems.values(), *by, *beside.values()]) if x not in numbers]
    values = dict(column_values(files.frame(keys, numbers), [*keys, *numbers], numbers))
    files.check_rows(len(values[keys[0]]), numbers)
    if files.untyped is not None:
        for name in keys:
            rule = files.untyped if name in systems.values() else TextRule()
            values[name] = read_labels(values[name], rule)[0]
    rows = _of_columns(asked, values, systems, by, beside, FILES)
    source = replace(
        rows.source, files=files.paths, pool=files.pool, parts=files.parts, notes=tuple(files.notes),
        preset=files.preset, format=files.format, na_values=getattr(files, "na_values", None),
    )  # fmt: skip
    return rows._replace(source=source)


def _column_roles(asked: Asked) -> tuple[tuple[str, ...], dict[str, str], list[str]]:
    """Return the columns of slices, the other columns beside outcomes by role, and which of these are numbers."""
    beside: dict[str, str] = {}
    for role in _SHARED:
        value = getattr(asked, role)
        if value is not None and not isinstance(value, str):
            raise InputTypeError(
                "{argument} is {got}", argument=role, got=type(value).__name__,
                advice="with a data frame or a file it is a column's name, as text",
            )  # fmt: skip
        beside |= {} if value is None else {role: value}
    return names_of(asked.by, "by"), beside, [beside[x] for x in ("sample_weight", "count") if x in beside]


def _of_columns(
    asked: Asked, values: Mapping[str, ArrayLike], systems: Mapping[str, str], by: Sequence[str],
    beside: Mapping[str, str], kind: str,
) -> _Rows:  # fmt: skip
    """Return the columns of a table by their roles."""
    if asked.count is not None and asked.id is not None:
        raise InputError("{count:=} cannot be combined with {id:=}", advice="with {id:=} every row is one answer")
    values = repeated(dict(values), asked.count)
    named = typed({name: (column,) for name, column in systems.items()})
    source = replace(
        asked.source(kind), weight=asked.sample_weight, by=tuple(by), groups=asked.groups, count=asked.count,
        id=asked.id, systems=tuple(systems), scores=named,
    )  # fmt: skip
    return _Rows(
        {name: values[column] for name, column in systems.items()}, {name: values[name] for name in by},
        {role: values[column] for role, column in beside.items() if role != "count"}, source,
    )  # fmt: skip


def _of_arrays(asked: Asked, y_correct: ArrayLike) -> _Rows:
    if isinstance(y_correct, str):
        raise InputTypeError(
            "{y_correct} is {got!r}", got=y_correct, advice="give a table too, or the outcomes themselves"
        )
    named = y_correct if isinstance(y_correct, Mapping) else {name_of(y_correct, "system"): y_correct}
    if not named:
        raise InputError("{y_correct} is an empty dict", expected="outcomes of each system")
    systems = {str(name): list(x) if hasattr(x, "__next__") else x for name, x in named.items()}
    by = asked.by
    if by is not None and not isinstance(by, Mapping):
        by = {name_of(by, "by"): by}
    by = {str(name): x for name, x in (by or {}).items()}
    beside = {x: getattr(asked, x) for x in _SHARED if getattr(asked, x) is not None}
    size = len(next(iter(systems.values())))
    for name, column in {**{f"y_correct[{k!r}]": x for k, x in systems.items()}, **by, **beside}.items():
        if isinstance(column, str) or not hasattr(column, "__len__"):
            raise InputTypeError(
                "{argument} is {got!r}", argument=name, got=column, advice="with outcomes it is one value for each row"
            )
        if len(column) != size:
            raise InputError(
                "{argument} has {found:,} values, and there are {size:,} outcomes", argument=name, found=len(column),
                size=size, advice="they must be the same length",
            )  # fmt: skip
    if "count" in beside:
        if "id" in beside:
            raise InputError("{count:=} cannot be combined with {id:=}", advice="with {id:=} every row is one answer")
        where = items_of(as_item_counts(beside.pop("count"), size))
        systems, by, beside = ({k: rows_at(x, where) for k, x in y.items()} for y in (systems, by, beside))
    given = tuple(
        x for x in ("sample_weight", "by", "groups", "count", "id", "repeat") if getattr(asked, x) is not None
    )
    source = replace(asked.source(ARRAYS), systems=tuple(systems), by=tuple(by), beside=given, scores=tuple(systems))
    return _Rows(systems, by, beside, source)


def _by_item(rows: _Rows) -> _ItemRows:
    """Return a table with one row for each item: rows with the same id are answers of one."""
    ids, size = rows.beside.get("id"), len(next(iter(rows.systems.values())))
    if ids is None and "repeat" in rows.beside:
        raise InputError("{repeat} says which answer of an item a row is", advice="name the items with {id:=}")
    items = None if ids is None else items_of_ids(ids, Argument("id"))
    letters: dict[str, int] = {}
    means, answers = dict[str, Array](), dict[str, Array]()
    for name, column in rows.systems.items():
        read = read_outcomes(column, Argument("y_correct", name) if len(rows.systems) > 1 else Argument("y_correct"))
        letters = {x: letters.get(x, 0) + read.letters.get(x, 0) for x in {**letters, **read.letters}}
        means[name], counted = outcomes_by_item(read.values, items)
        answers |= {} if counted is None else {name: counted}
    if items is None:
        return _ItemRows(means, answers, rows.by, rows.beside, None, letters)
    if "repeat" in rows.beside:
        check_repeats(items, rows.beside["repeat"])
    where = {
        name: items.constant(x, name, size)
        for name, x in {**rows.by, **rows.beside}.items()
        if name not in ("id", "repeat")
    }
    by = {name: rows_at(x, where[name]) for name, x in rows.by.items()}
    beside = {name: rows_at(x, where[name]) for name, x in rows.beside.items() if name in where}
    return _ItemRows(means, answers, by, beside, items.ids, letters)


def said_answers(answers: Mapping[str, Array]) -> list[tuple[str, str]]:
    """Return how many answers items have, as a fact; nothing where each has one."""
    numbers = [x[:, 0] for x in answers.values()]
    if not numbers:
        return []
    low, high = int(min(x.min() for x in numbers)), int(max(x.max() for x in numbers))
    said = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    return [("answers", f"{said} answers of each item, which is the unit of the intervals")]


# Columns of outcomes


def _system_columns(y_correct: ArrayLike) -> dict[str, str]:
    """Return the column of each system: a name, several names, or a dict of them by system."""
    if isinstance(y_correct, Mapping):
        named = {
            str(name): x[0] if isinstance(x, (list, tuple)) and len(x) == 1 else x for name, x in y_correct.items()
        }
        if all(isinstance(x, str) for x in named.values()):
            return named
    elif y_correct is not None:
        listed = (y_correct,) if isinstance(y_correct, str) else y_correct
        if isinstance(listed, (list, tuple)) and all(isinstance(x, str) for x in listed):
            return {x: x for x in listed}
    raise InputTypeError(
        "{y_correct} is {kind}", kind=type(y_correct).__name__,
        advice="with a data frame or a file it names columns of outcomes",
    )  # fmt: skip


def _named(y_correct: ArrayLike) -> list[str]:
    return list(_system_columns(y_correct).values())


# Runs


def _joined(asked: Asked, y_correct: ArrayLike) -> tuple[_ItemRows, Provenance]:
    """Return the items of several runs, joined by their ids."""
    own = own_columns(y_correct, [str(name) for name in asked.data])
    tables, sources = dict[str, _ItemRows](), list[Provenance]()
    for name, run in asked.data.items():
        rows = _rows(replace(asked, data=_table(run)), {str(name): own[str(name)]})
        if len(asked.data) > 1 and rows.beside.get("id") is None:
            raise InputError(
                "{id:=} is not given, and there are {number} runs", number=len(asked.data),
                advice="name the column that says which item a row is about",
            )  # fmt: skip
        tables[str(name)] = _by_item(rows)
        sources.append(rows.source)
    said = tuple(dict.fromkeys(x for y in sources for x in y.notes))
    source = replace(with_runs(sources[0], asked, own), systems=tuple(tables), scores=tuple(tables), notes=said)
    found, absent = _on_the_same_items(tables)
    if asked.missing == "error" and absent:
        refuse_absent(absent)
    return found, replace(source, notes=(*(f"The run {x}." for x in absent), *source.notes))


def _table(run: Frame) -> Frame:
    return [run] if isinstance(run, str) else run


def _on_the_same_items(tables: Mapping[str, _ItemRows]) -> tuple[_ItemRows, list[Absent]]:
    """Return the items of all runs in one table, and which items runs lack."""
    first = next(iter(tables.values()))
    if first.ids is None:
        return first, []
    place: dict[Label, int] = {}
    for table in tables.values():
        for id in table.ids or ():
            place.setdefault(id, len(place))
    ids, size = list(place), len(place)
    means, answers, absent = dict[str, Array](), dict[str, Array](), list[Absent]()
    shared = {name: np.full(size, None, object) for name in (*first.by, *first.beside)}
    seen = np.zeros(size, bool)
    owner = np.full(size, "", object)
    for name, table in tables.items():
        where = np.array([place[x] for x in table.ids or ()], np.int64)
        means[name] = np.full(size, np.nan)
        means[name][where] = table.means[name]
        if any(x.answers for x in tables.values()):
            of_run = table.answers.get(name)
            full = np.zeros((size, 2))
            ones = np.stack([np.ones(len(where)), table.means[name] ** 2], axis=1)
            full[where] = ones if of_run is None else of_run
            answers[name] = full
        lacking = np.setdiff1d(np.arange(size), where)
        if len(lacking):
            absent.append(Absent(name, len(lacking), size, tuple(ids[k] for k in lacking[:EXAMPLES].tolist())))
        for column, values in {**table.by, **table.beside}.items():
            given = np.empty(len(where), object)
            given[:] = list(values.tolist() if hasattr(values, "tolist") else values)
            differ = seen[where] & (shared[column][where] != given)
            if differ.any():
                at = np.flatnonzero(differ)
                examples = [(ids[where[k]], shared[column][where[k]], given[k]) for k in at[:EXAMPLES].tolist()]
                refuse_different(column, (str(owner[where[at[0]]]), name), len(at), examples)
            shared[column][where] = given
        owner[where[~seen[where]]] = name
        seen[where] = True
    by = {name: shared[name].tolist() for name in first.by}
    beside = {name: shared[name].tolist() for name in first.beside}
    letters = {x: sum(y.letters.get(x, 0) for y in tables.values()) for x in LETTERS}
    return _ItemRows(means, answers, by, beside, ids, letters), absent
