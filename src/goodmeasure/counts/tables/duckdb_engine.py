"""Counting inside DuckDB: all systems in one pass over the data, by grouping sets."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from goodmeasure.counts.arguments import hashable_labels
from goodmeasure.counts.tables.columns import Wanted, check_weight_type
from goodmeasure.counts.tables.engines import MOST_PATTERNS, Weighed, rows_of_counts
from goodmeasure.counts.tables.foreign import Coded
from goodmeasure.counts.tables.rows import Rows
from goodmeasure.typing import Array

_FIRST_ROWS = 1 << 16  # rows that tell whether patterns are few
_FEW_PATTERNS = 5_000  # among them
MOST_SETS = 32  # systems counted in one pass
_MOST_CODED = 10_000  # different texts of a column that travel as codes
_AS_ARRAYS = {
    "boolean", "tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint", "float",
    "double", "varchar", "enum",
}  # fmt: skip
_NUMBERS = (_AS_ARRAYS - {"varchar", "enum"}) | {"decimal", "hugeint", "uhugeint"}


def is_relation(frame: Any) -> bool:
    """Whether a frame is a relation of DuckDB's, which is not imported for that."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(frame, duckdb.DuckDBPyRelation)


def is_duckdb_error(error: Exception) -> bool:
    """Whether an error is DuckDB's, which is not imported for that: plain text is counted without it."""
    duckdb = sys.modules.get("duckdb")
    return duckdb is not None and isinstance(error, duckdb.Error)


def quoted(name: str) -> str:
    """A name as SQL reads it, whatever characters it has."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text as SQL reads it."""
    return "'" + value.replace("'", "''") + "'"


def counted(relation: Any, wanted: Wanted) -> dict[str, Rows]:
    """The distinct rows of each system with how often each occurs."""
    types = _checked_types(relation, wanted)
    rows: dict[str, Rows] = {}
    for start in range(0, len(wanted.systems), MOST_SETS):
        rows |= _in_one_pass(relation, types, wanted, wanted.systems[start : start + MOST_SETS])
    return rows


def _in_one_pass(relation: Any, types: dict[str, Any], wanted: Wanted, systems: Sequence[str]) -> dict[str, Rows]:
    shared = _shared(wanted)
    own = {f"p{k}": name for k, name in enumerate(systems)}
    columns = _home(_aggregated(relation, types, wanted.weight, shared, own))
    rows = {}
    for k, (alias, name) in enumerate(own.items()):
        mask = (1 << len(own)) - 1 - (1 << (len(own) - 1 - k))  # a bit is set for what is not grouped by
        where = np.flatnonzero(np.asarray(columns["s"]) == mask)
        part = {key: _taken(values, where) for key, values in columns.items() if key not in own or key == alias}
        labelled = {key: _labels(part[key], types[column]) for key, column in {**shared, alias: name}.items()}
        labelled["p"] = labelled.pop(alias)
        weighed = None if wanted.weight is None else _weighed(part, relation, wanted.weight)
        rows[name] = rows_of_counts(labelled, np.asarray(part["n"], np.int64), weighed, name, wanted)
    return rows


def patterns(relation: Any, wanted: Wanted) -> dict[str, Rows] | None:
    """The distinct rows of all systems together with how often each occurs; None where there are too many of them."""
    types = _checked_types(relation, wanted)
    together = {**_shared(wanted), **_own(wanted)}
    if not _has_few_patterns(relation, types, together):
        return None
    columns = _home(_aggregated(relation, types, wanted.weight, together, {}))
    labelled = {key: _labels(columns[key], types[name]) for key, name in together.items()}
    return _rows_together(relation, wanted, columns, labelled)


def items(relation: Any, wanted: Wanted) -> dict[str, Rows]:
    """Every item as a row, of all systems together: for data with so many patterns that counting them gains nothing."""
    types = _checked_types(relation, wanted)
    together = {**_shared(wanted), **_own(wanted)}
    return _rows_together(relation, wanted, *_item_by_item(relation, types, wanted.weight, together))


def _checked_types(relation: Any, wanted: Wanted) -> dict[str, Any]:
    types = dict(zip(relation.columns, relation.types, strict=True))
    if wanted.weight is not None:
        check_weight_type(wanted.weight, types[wanted.weight].id in _NUMBERS, str(types[wanted.weight]))
    return types


def _shared(wanted: Wanted) -> dict[str, str]:
    """The columns that all systems share, by what they are called here."""
    shared = {"t": wanted.true, **{f"b{k}": name for k, name in enumerate(wanted.by)}}
    return shared if wanted.group is None else {**shared, "g": wanted.group}


def _own(wanted: Wanted) -> dict[str, str]:
    return {f"p{k}": name for k, name in enumerate(wanted.systems)}


def _has_few_patterns(relation: Any, types: dict[str, Any], together: dict[str, str]) -> bool:
    """Whether patterns are worth counting.

    The first rows tell, mostly: where their patterns are few, those of all rows will be, and even if they were not,
    counting them would be right and only slow. Where they are not few, all rows are looked at.
    """
    places = _places(relation)
    keys = ", ".join(_key(places[name], types[name]) for name in dict.fromkeys(together.values()))
    estimate = f"approx_count_distinct(hash({keys}))"
    if relation.limit(_FIRST_ROWS).aggregate(estimate).fetchall()[0][0] <= _FEW_PATTERNS:
        return True
    return bool(relation.aggregate(estimate).fetchall()[0][0] <= MOST_PATTERNS)


def _rows_together(
    relation: Any, wanted: Wanted, columns: dict[str, Any], labelled: dict[str, Any]
) -> dict[str, Rows]:  # fmt: skip
    weighed = None if wanted.weight is None else _weighed(columns, relation, wanted.weight)
    number = np.asarray(columns["n"], np.int64)
    rows = {}
    for alias, name in _own(wanted).items():
        mine = {**{key: labelled[key] for key in _shared(wanted)}, "p": labelled[alias]}
        rows[name] = rows_of_counts(mine, number, weighed, name, wanted)
    return rows


def _item_by_item(
    relation: Any, types: dict[str, Any], weight: str | None, together: dict[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Every item as a row; text comes as codes, since so many texts would fill the memory."""
    places = _places(relation)
    chosen, known = ["1 AS n"], dict[str, list[str]]()
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
    if weight is not None:
        w = f"CAST({places[weight]} AS DOUBLE)"
        chosen += [
            f"{w} AS w",
            f"{w} * {w} AS w2",
            f"CASE WHEN {w} IS NULL THEN 0 ELSE 1 END AS known",
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
    relation: Any, types: dict[str, Any], weight: str | None, shared: dict[str, str], own: dict[str, str]
) -> Any:
    """Counts by the columns that systems share and each system's own, with a number for the system."""
    places = _places(relation)
    renamed = [f"{_key(places[name], types[name])} AS {alias}" for alias, name in {**shared, **own}.items()]
    sums = ["count(*) AS n"]
    if weight is not None:
        renamed.append(f"CAST({places[weight]} AS DOUBLE) AS w")
        # fsum corrects its rounding, so that sums hardly depend on which thread read which rows
        sums += ["fsum(w) AS w", "fsum(w * w) AS w2", "count(w) AS known", "min(w) AS least"]
    which = f"GROUPING({', '.join(own)})" if len(own) > 1 else "0"
    sets = [f"({', '.join([*shared, alias])})" for alias in own]
    groups = f"GROUPING SETS ({', '.join(sets)})" if len(own) > 1 else ", ".join([*shared, *own])
    chosen = ", ".join([f"{which} AS s", *shared, *own, *sums])
    return relation.project(", ".join(renamed)).aggregate(chosen, groups)


def _weighed(part: dict[str, Any], relation: Any, name: str) -> Weighed:
    sums = [np.ma.filled(np.ma.asarray(part[key], np.float64), np.nan) for key in ("w", "w2", "known", "least")]
    return Weighed(name, lambda: _trouble(relation, name), *sums)


def _places(relation: Any) -> dict[str, str]:
    """How SQL refers to each column: by place, as names that differ in case only are one name to DuckDB."""
    return {name: f"#{k}" for k, name in enumerate(relation.columns, 1)}


def _key(place: str, kind: Any) -> str:
    """The column as it is grouped by; decimals are numbers like others."""
    return f"CAST({place} AS DOUBLE)" if kind.id == "decimal" else place


def _home(found: Any) -> dict[str, Any]:
    """The counts as arrays, or as lists where a type has no array that keeps its values."""
    if all(kind.id in _AS_ARRAYS for kind in found.types):
        return dict(found.fetchnumpy())
    return dict(zip(found.columns, map(list, zip(*found.fetchall(), strict=True)), strict=True)) or {
        name: [] for name in found.columns
    }


def _taken(values: Any, where: Array) -> Any:
    return [values[k] for k in where.tolist()] if isinstance(values, list) else values[where]


def _labels(values: Any, kind: Any) -> Any:
    """Labels from what DuckDB holds: categories keep their order, JSON is read."""
    if str(kind) == "JSON":
        different: dict[Any, int] = {}
        codes = [-1 if x is None else different.setdefault(x, len(different)) for x in _plain_list(values)]
        return Coded(np.array(codes, np.int64), values_of(different, kind))
    if kind.id == "enum":
        listed = list(kind.children[0][1])
        place = {label: code for code, label in enumerate(listed)}
        return Coded(np.array([place.get(x, -1) for x in _plain_list(values)], np.int64), listed, ordered=True)
    return values


def values_of(texts: Iterable[Any], kind: Any) -> list[Any]:
    """What the values of a column stand for: JSON is read."""
    if str(kind) != "JSON":
        return list(texts)
    found = [None if x is None else json_value(x) for x in texts]
    with hashable_labels(found):
        for label in found:
            hash(label)
    return found


def json_value(text: str) -> Any:
    """What a piece of JSON says; Python gives up where brackets are nested a thousand deep."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError(
            "a label is JSON that is nested too deeply: a label must be one value such as a string or a number"
        ) from None


def _plain_list(values: Any) -> list[Any]:
    return values if isinstance(values, list) else list(values.tolist())  # a masked item becomes None


def _trouble(relation: Any, name: str) -> tuple[int, Any]:
    """How many weights are no weights, and one of them."""
    weight = f"CAST({_places(relation)[name]} AS DOUBLE)"
    bad = relation.project(f"{weight} AS w").filter("w IS NULL OR NOT isfinite(w) OR w < 0")
    return tuple(bad.aggregate("count(*), any_value(w)").fetchall()[0])


def literal_path(path: Any) -> str:
    """A path as SQL reads it: no character stands for others, and as it is absolute, no ~ or file: begins it."""
    return text("".join(f"[{x}]" if x in "*?[" else x for x in str(Path(path).absolute())))
