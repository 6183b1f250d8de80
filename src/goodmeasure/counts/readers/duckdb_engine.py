"""Counting inside DuckDB: all systems in one pass over the data, with grouping sets."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.arguments import unhashable
from goodmeasure.counts.label_rows import LabelRows
from goodmeasure.counts.readers.columns import (
    WantedColumns,
    check_count_type,
    check_counts,
    check_label_kinds,
    check_weight_type,
)
from goodmeasure.counts.readers.engines import MOST_PATTERNS, Weighed, rows_of_counts
from goodmeasure.counts.readers.foreign import Coded
from goodmeasure.counts.readers.row_batches import batches_of_duckdb
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, ArrayLike, EngineType, Frame

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

MOST_SETS = 32  # how many systems are counted in one pass
_FIRST_ROWS = 1 << 16  # how many rows are asked first for their patterns
_FEW_PATTERNS = 5_000  # how many patterns they may have, so that all rows have few too
_MOST_CODED = 10_000  # a column with fewer different texts is transferred as codes
_AS_ARRAYS = {
    "boolean", "tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint", "float",
    "double", "varchar", "enum",
}  # fmt: skip
_NUMBERS = (_AS_ARRAYS - {"varchar", "enum"}) | {"decimal", "hugeint", "uhugeint"}


def is_relation(frame: object) -> bool:
    """Return whether a frame is a DuckDB relation, without importing DuckDB."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(frame, duckdb.DuckDBPyRelation)


def is_duckdb_error(error: Exception) -> bool:
    """Whether an error is DuckDB's, which is not imported for that: plain text is counted without it."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(error, duckdb.Error)


def quoted(name: str) -> str:
    """Return a name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Return a text as an SQL string."""
    return "'" + value.replace("'", "''") + "'"


class DuckdbReader:
    """A relation of DuckDB, which counts all systems in one pass."""

    is_lazy = True

    def __init__(self, relation: DuckDBPyRelation) -> None:
        self.relation = relation

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return list(self.relation.columns)

    def joint_rows(self, wanted: WantedColumns, most_labels: float = math.inf) -> LabelRows | None:
        """Return the distinct rows of all systems jointly, with how often each occurs.

        If there are very many patterns, every item is a row; None if the systems then have more than `most_labels`
        labels.
        """
        relation, types = _checked(self.relation, wanted)
        own = _own(wanted.systems)
        together = {**_shared(wanted), **own}
        found = _patterns(relation, types, wanted, together)
        if found is None:
            if most_labels < math.inf and DuckdbReader(relation).total(None) * len(wanted.systems) > most_labels:
                return None
            found = _item_by_item(relation, types, wanted, together)
        columns, labelled = found
        weighed = None if wanted.weight is None else _weighed(columns, relation, places_of(types), wanted.weight)
        return rows_of_counts(labelled, np.asarray(columns["n"], np.int64), weighed, own, wanted)

    def rows_by_system(self, wanted: WantedColumns) -> list[LabelRows]:
        """Return the distinct rows of each system, with how often each occurs."""
        relation, types = _checked(self.relation, wanted)
        starts = range(0, len(wanted.systems), MOST_SETS)
        parts = [wanted.systems[start : start + MOST_SETS] for start in starts]
        return [rows for part in parts for rows in _in_one_pass(relation, types, wanted, part)]

    def values(self, names: Sequence[str], numbers: Sequence[str], *, hashable: bool = True) -> dict[str, ArrayLike]:
        """Return the values of columns, of which some are numbers; labels may have to be hashable."""
        chosen = self._chosen(names, [f"c{k}" for k in range(len(names))])
        return {
            name: _as_floats(column) if name in numbers and column.dtype.kind in "biuf"
            else values_of(column.tolist(), kind, hashable)
            for name, column, kind in zip(names, chosen.fetchnumpy().values(), chosen.types, strict=True)
        }  # fmt: skip

    def _chosen(self, names: Sequence[str], aliases: Sequence[str]) -> DuckDBPyRelation:
        """Return some columns under other names; their own names may differ in case only."""
        places = places_of(self.columns)
        pairs = zip(names, aliases, strict=True)
        return self.relation.project(", ".join(f"{places[name]} AS {quoted(alias)}" for name, alias in pairs))

    def are_numbers(self, names: Sequence[str]) -> bool:
        """Return whether there are such columns, and all of them are numbers."""
        types = dict(zip(self.columns, self.relation.types, strict=True))
        return all(name in types and types[name].id in _NUMBERS - {"boolean"} for name in names)

    def meant(self, name: str, values: Sequence[object]) -> list[object]:
        """Return what values of a column stand for: JSON is parsed."""
        return values_of(values, dict(zip(self.columns, self.relation.types, strict=True)).get(name))

    def can_batch(self) -> bool:
        """Return whether the rows can be had in batches, for which DuckDB needs PyArrow."""
        return find_spec("pyarrow") is not None

    def batches(self, names: Sequence[str]) -> Iterator[Frame]:
        """Yield columns as data frames in memory, a batch of rows at a time."""
        return batches_of_duckdb(self._chosen(names, names))

    def row_counts(self, keys: Sequence[str], count: str | None = None) -> dict[tuple[object, ...], int]:
        """Return how many rows, or items, have each combination of values in some columns."""
        names = {f"c{k}": name for k, name in enumerate(keys)} | ({} if count is None else {"n": count})
        listed, number = ", ".join(list(names)[: len(keys)]), "count(*)" if count is None else "sum(n)"
        chosen = self._chosen(list(names.values()), list(names))
        found = chosen.aggregate(f"{listed}, {number} AS n", listed).fetchall()
        return {tuple(values): int(number) for *values, number in found}

    def total(self, name: str | None) -> int:
        """Return the sum of a column of whole numbers; None: the number of rows."""
        asked = "count(*)" if name is None else f"sum({places_of(self.columns)[name]})"
        found = self.relation.aggregate(asked).fetchall()[0][0]
        return 0 if found is None or found != found else int(found)


def _as_floats(column: object) -> object:
    """Return a column of numbers as an array, with NaN where one is missing."""
    if not isinstance(column, np.ma.MaskedArray):
        return column
    return column.data if not column.mask.any() else np.ma.filled(column.astype(np.float64), np.nan)


def _checked(relation: DuckDBPyRelation, wanted: WantedColumns) -> tuple[DuckDBPyRelation, dict[str, EngineType]]:
    """Return the rows that stand for items, and the type of each column; refuse invalid weights and counts."""
    types = dict(zip(relation.columns, relation.types, strict=True))
    check_label_kinds(wanted, {name: (_kind(x), str(x)) for name, x in types.items()})
    if wanted.weight is not None:
        kind = types[wanted.weight]
        check_weight_type(wanted.weight, kind.id in _NUMBERS, str(kind))
    if wanted.count is not None:
        kind = types[wanted.count]
        check_count_type(wanted.count, kind.id in _NUMBERS, str(kind))
        place = places_of(types)[wanted.count]
        _check_counts(relation.project(f"CAST({place} AS DOUBLE) AS c"), wanted.count)
        relation = relation.filter(f"{place} > 0")
    return relation, types


def _kind(kind: EngineType) -> str | None:
    """Return the kind of labels of a type; None where their values tell."""
    if kind.id in ("boolean", "varchar"):
        return None if str(kind) == "JSON" else "boolean" if kind.id == "boolean" else "text"
    return "number" if kind.id in _NUMBERS else None


def _check_counts(counts: DuckDBPyRelation, name: str) -> None:
    """Refuse counts that are missing, negative, not whole or too large."""
    is_bad = "c IS NULL OR NOT isfinite(c) OR c < 0 OR c <> floor(c)"
    asked = f"count(*) FILTER ({is_bad}), count(*), any_value(c) FILTER ({is_bad}), coalesce(sum(abs(c)), 0)"
    check_counts(name, *counts.aggregate(asked).fetchall()[0])


def _shared(wanted: WantedColumns) -> dict[str, str]:
    """Return the columns that all systems share, by their aliases in a query."""
    shared = {"t": wanted.true, **{f"b{k}": name for k, name in enumerate(wanted.by)}}
    return shared if wanted.group is None else {**shared, "g": wanted.group}


def _own(systems: Sequence[str]) -> dict[str, str]:
    """Return the column of each system, by its alias in a query."""
    return {f"p{k}": name for k, name in enumerate(systems)}


def _in_one_pass(
    relation: DuckDBPyRelation, types: dict[str, object], wanted: WantedColumns, systems: Sequence[str]
) -> Iterator[LabelRows]:
    """Yield the distinct rows of some systems, found by one query with a grouping set for each system."""
    shared, own = _shared(wanted), _own(systems)
    columns = _home(_aggregated(relation, types, wanted, shared, own))
    for k, (alias, name) in enumerate(own.items()):
        mask = (1 << len(own)) - 1 - (1 << (len(own) - 1 - k))  # GROUPING sets a bit for each column not grouped by
        where = np.flatnonzero(np.asarray(columns["s"]) == mask)
        part = {key: _taken(values, where) for key, values in columns.items() if key not in own or key == alias}
        labelled = {key: _labels(part[key], types[column]) for key, column in {**shared, alias: name}.items()}
        weighed = None if wanted.weight is None else _weighed(part, relation, places_of(types), wanted.weight)
        yield rows_of_counts(labelled, np.asarray(part["n"], np.int64), weighed, {alias: name}, wanted)


def _patterns(
    relation: DuckDBPyRelation, types: dict[str, object], wanted: WantedColumns, together: dict[str, str]
) -> tuple[dict[str, object], dict[str, object]] | None:
    """Return the patterns of all columns with how often each occurs; None if there are very many."""
    if not _has_few_patterns(relation, types, together):
        return None
    columns = _home(_aggregated(relation, types, wanted, together, {}).limit(MOST_PATTERNS + 1))
    if len(columns["n"]) > MOST_PATTERNS:
        return None
    return columns, {key: _labels(columns[key], types[name]) for key, name in together.items()}


def _has_few_patterns(relation: DuckDBPyRelation, types: dict[str, object], together: dict[str, str]) -> bool:
    """Return whether there seem to be few patterns, so that it is worthwhile to count them.

    If the first rows have few patterns, so have all rows, unless the rows are sorted. That saves a pass over the data.
    """
    places = places_of(types)
    keys = ", ".join(_key(places[name], types[name]) for name in dict.fromkeys(together.values()))

    def about(rows: DuckDBPyRelation) -> int:
        return int(rows.aggregate(f"approx_count_distinct(hash({keys}))").fetchall()[0][0])

    return about(relation.limit(_FIRST_ROWS)) <= _FEW_PATTERNS or about(relation) <= MOST_PATTERNS


def _item_by_item(
    relation: DuckDBPyRelation, types: dict[str, EngineType], wanted: WantedColumns, together: dict[str, str]
) -> tuple[dict[str, Frame], dict[str, Frame]]:
    """Return every item as a row; text is transferred as codes, since so many strings would fill the memory."""
    places = places_of(types)
    number = _number(places, wanted)
    chosen, known = [f"{number} AS n"], dict[str, list[str]]()
    for alias, name in together.items():
        key = _key(places[name], types[name])
        if types[name].id == "varchar":
            found = (
                relation.project(f"CAST({key} AS VARCHAR) AS v").filter("v IS NOT NULL").distinct().limit(_MOST_CODED)
            )
            known[alias] = [x for (x,) in found.fetchall()]
        if 0 < len(known.get(alias, ())) < _MOST_CODED:
            kind = f"ENUM({', '.join(map(text, known[alias]))})"
            key = f"coalesce(CAST(enum_code(CAST(CAST({key} AS VARCHAR) AS {kind})) AS INTEGER), -1)"
        else:
            known.pop(alias, None)
        chosen.append(f"{key} AS {alias}")
    if wanted.weight is not None:
        w = f"CAST({places[wanted.weight]} AS DOUBLE)"
        chosen += [
            f"{w} * {number} AS w",
            f"{w} * {w} * {number} AS w2",
            f"CASE WHEN {w} IS NULL THEN 0 ELSE {number} END AS known",
            f"{w} AS least",
        ]
    columns = _home(relation.project(", ".join(chosen)))
    labelled = {}
    for alias, name in together.items():
        values = columns[alias]
        if alias in known:
            labelled[alias] = Coded(np.asarray(values, np.int64), values_of(known[alias], types[name]))
        else:
            labelled[alias] = _labels(values, types[name])
    return columns, labelled


def _aggregated(
    relation: DuckDBPyRelation,
    types: dict[str, object],
    wanted: WantedColumns,
    shared: dict[str, str],
    own: dict[str, str],
) -> Frame:
    """Return the query for counts by the shared columns and each system's own, with a number that tells the system."""
    places = places_of(types)
    renamed = [f"{_key(places[name], types[name])} AS {alias}" for alias, name in {**shared, **own}.items()]
    times, sums, known = "", ["count(*) AS n"], "count(w)"
    if wanted.count is not None:
        renamed.append(f"{_number(places, wanted)} AS c")
        times, sums, known = " * c", ["CAST(sum(c) AS BIGINT) AS n"], "CAST(sum(c) FILTER (w IS NOT NULL) AS BIGINT)"
    if wanted.weight is not None:
        renamed.append(f"CAST({places[wanted.weight]} AS DOUBLE) AS w")
        # fsum compensates rounding errors, so that sums hardly depend on which thread read which rows.
        sums += [f"fsum(w{times}) AS w", f"fsum(w * w{times}) AS w2", f"{known} AS known", "min(w) AS least"]
    which = f"GROUPING({', '.join(own)})" if len(own) > 1 else "0"
    sets = [f"({', '.join([*shared, alias])})" for alias in own]
    groups = f"GROUPING SETS ({', '.join(sets)})" if len(own) > 1 else ", ".join([*shared, *own])
    chosen = ", ".join([f"{which} AS s", *shared, *own, *sums])
    return relation.project(", ".join(renamed)).aggregate(chosen, groups)


def _number(places: dict[str, str], wanted: WantedColumns) -> str:
    """Return the expression for how many items a row stands for."""
    return "1" if wanted.count is None else f"CAST({places[wanted.count]} AS BIGINT)"


def _weighed(part: dict[str, object], relation: DuckDBPyRelation, places: dict[str, str], name: str) -> Weighed:
    """Return the sums of the weights of some rows."""
    sums = [np.ma.filled(np.ma.asarray(part[key], np.float64), np.nan) for key in ("w", "w2", "known", "least")]
    return Weighed(name, lambda: _trouble(relation, places[name]), *sums)


def places_of(columns: Iterable[str]) -> dict[str, str]:
    """Return how SQL refers to each column of a relation: by position, since DuckDB ignores the case of names.

    What is derived from a relation may have other names for columns that differ in case only, at the same positions.
    """
    return {name: f"#{k}" for k, name in enumerate(columns, 1)}


def _key(place: str, kind: EngineType) -> str:
    """Return the expression that a column is grouped by; decimals become floats, like other numbers."""
    return f"CAST({place} AS DOUBLE)" if kind.id == "decimal" else place


def _home(found: DuckDBPyRelation) -> dict[str, Frame]:
    """Return a result as arrays, or as lists if a type has no array that keeps its values."""
    if all(kind.id in _AS_ARRAYS for kind in found.types):
        return dict(found.fetchnumpy())
    return dict(zip(found.columns, map(list, zip(*found.fetchall(), strict=True)), strict=True)) or {
        name: [] for name in found.columns
    }


def _taken(values: Frame, where: Array) -> Frame:
    return [values[k] for k in where.tolist()] if isinstance(values, list) else values[where]


def _labels(values: object, kind: EngineType) -> Frame:
    """Return labels from DuckDB's values: enums keep their order, JSON is parsed."""
    if str(kind) == "JSON":
        different: dict[object, int] = {}
        codes = [-1 if x is None else different.setdefault(x, len(different)) for x in _plain_list(values)]
        return Coded(np.array(codes, np.int64), values_of(different, kind))
    if kind.id == "enum":
        listed = list(kind.children[0][1])
        place = {label: code for code, label in enumerate(listed)}
        return Coded(np.array([place.get(x, -1) for x in _plain_list(values)], np.int64), listed, ordered=True)
    return values


def values_of(texts: Iterable[Frame], kind: object, hashable: bool = True) -> list[object]:
    """Return the labels that the values of a column stand for; JSON is parsed, and lists are refused if need be."""
    if str(kind) != "JSON":
        return list(texts)
    found = [None if x is None else json_value(x) for x in texts]
    if hashable:
        try:
            set(found)
        except TypeError as error:
            raise unhashable(error, found) from None
    return found


def json_value(text: str) -> object:
    """Return the value of a piece of JSON; refuse one that Python cannot hold: nested too deeply, or too large."""
    try:
        return json.loads(text, parse_float=_finite)
    except RecursionError:
        raise InputError(
            "a label is JSON that is nested too deeply",
            argument="y_pred",
            advice="a label must be one value such as a string or a number",
        ) from None


def _finite(text: str) -> float:
    """Return a number of JSON; refuse one beyond the range of floats, since all of those would become one label."""
    number = float(text)
    if math.isinf(number):
        raise InputError("{got} is beyond the range of numbers", got=text, advice="write it as text, in quotes")
    return number


def _plain_list(values: Frame) -> list[object]:
    return values if isinstance(values, list) else list(values.tolist())  # a masked item becomes None


def _trouble(relation: DuckDBPyRelation, place: str) -> tuple[int, float | None]:
    """Return how many weights are invalid, and one of them."""
    weight = f"CAST({place} AS DOUBLE)"
    bad = relation.project(f"{weight} AS w").filter("w IS NULL OR NOT isfinite(w) OR w < 0")
    number, example = bad.aggregate("count(*), any_value(w)").fetchall()[0]
    return int(number), example


def literal_path(path: str | Path) -> str:
    """Return a path as an SQL string in which no character is a wildcard.

    The path is absolute, so it cannot begin with ~ or file: either.
    """
    return text("".join(f"[{x}]" if x in "*?[" else x for x in str(Path(path).absolute())))
