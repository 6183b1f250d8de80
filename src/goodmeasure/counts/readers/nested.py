"""Columns inside columns: paths into structs, lists and JSON, such as ``doc.answer`` or ``filtered_resps[0]``."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from goodmeasure.counts.readers.columns import check_columns
from goodmeasure.counts.readers.duckdb_engine import json_value, quoted, text
from goodmeasure.exceptions import InputTypeError, UnknownName
from goodmeasure.typing import EngineType, Frame, ReadJson

PathStep = str | int
_STEP = re.compile(r"""\.(?P<name>[^.\[\]"']+)|\[(?P<place>-?\d+)\]|(?:\.?"(?P<quoted>[^"]+)"|\["(?P<key>[^"]+)"\])""")


class ColumnPath(NamedTuple):
    """A column, and the steps that lead into it: names of fields, and positions in lists."""

    root: str
    steps: tuple[PathStep, ...]


def path_of(name: str, columns: Sequence[str]) -> ColumnPath | None:
    """Return the path that a name stands for; None if it is a column itself, or leads into none.

    The longest column wins, since names of columns may have dots of their own.

    >>> path_of("doc.answer[0]", ["doc", "label"]), path_of("doc.answer", ["doc.answer", "doc"]), path_of("x.y", ["z"])
    (ColumnPath(root='doc', steps=('answer', 0)), None, None)
    """
    if name in columns or not isinstance(name, str):
        return None
    for root in sorted((x for x in columns if isinstance(x, str) and name.startswith(x)), key=len, reverse=True):
        steps = _steps(name[len(root) :])
        if steps:
            return ColumnPath(root, steps)
    return None


def _steps(rest: str) -> tuple[PathStep, ...]:
    """Return the steps of a path; none if the text is no path."""
    found: list[PathStep] = []
    at = 0
    while at < len(rest):
        step = _STEP.match(rest, at)
        if step is None:
            return ()
        place = step["place"]
        found.append(int(place) if place is not None else step["name"] or step["quoted"] or step["key"])
        at = step.end()
    return tuple(found)


def roots_of(names: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Return the columns that some names stand for or lead into; a name that does neither stays as it is."""
    paths = {name: path_of(name, columns) for name in names}
    return list(dict.fromkeys(name if path is None else path.root for name, path in paths.items()))


def json_path(steps: Sequence[PathStep]) -> str:
    """Return the path of steps in JSON, as DuckDB writes it.

    >>> json_path(("answer", 0, -1))
    '$."answer"[0][#-1]'
    """
    return "$" + "".join(f'."{x}"' if isinstance(x, str) else f"[{x}]" if x >= 0 else f"[#{x}]" for x in steps)


def in_json(place: str, steps: Sequence[PathStep]) -> str:
    """Return the SQL for what is inside JSON; its null is a missing value."""
    found = f"CAST(json_extract({place}, {text(json_path(steps))}) AS VARCHAR)"
    return f"CAST(nullif({found}, 'null') AS JSON)"


def in_relation(place: str, kind: EngineType, path: ColumnPath, where: str) -> str:
    """Return the SQL for what is inside a column of a DuckDB type; refuse a field that it does not have."""
    for k, step in enumerate(path.steps):
        if str(kind) == "JSON" or kind.id == "varchar":  # text may hold JSON
            return in_json(f"CAST({place} AS JSON)", path.steps[k:])
        if kind.id == "struct" and isinstance(step, str):
            fields = dict(kind.children)
            _check_field(step, list(fields), path, where)
            place, kind = f"struct_extract({place}, {text(step)})", fields[step]
        elif kind.id == "map" and isinstance(step, str):
            place, kind = f"map_extract_value({place}, {text(step)})", dict(kind.children)["value"]
        elif kind.id in ("list", "array") and isinstance(step, int):
            place, kind = f"list_extract({place}, {step + 1 if step >= 0 else step})", dict(kind.children)["child"]
        else:
            raise _no_way(path, step, str(kind), where)
    return place


def with_paths(frame: Frame, names: Sequence[str], where: str = "the data") -> Frame:
    """Return a frame, as narwhals sees it or a DuckDB relation, that has a column for each path among some names."""
    from goodmeasure.counts.readers.duckdb_engine import is_relation

    if is_relation(frame):
        paths = _paths(names, frame.columns)
        types = dict(zip(frame.columns, frame.types, strict=True))
        added = [
            f"{in_relation(quoted(path.root), types[path.root], path, where)} AS {quoted(name)}"
            for name, path in paths.items()
        ]
        return frame.project(", ".join(["*", *added])) if added else frame
    for name, path in _paths(names, frame.collect_schema().names()).items():
        frame = _with_path(frame, name, path, where)
    return frame


def _paths(names: Sequence[str], columns: Sequence[str]) -> dict[str, ColumnPath]:
    found = {name: path_of(name, columns) for name in names}
    return {name: path for name, path in found.items() if path is not None}


def _with_path(table: Frame, name: str, path: ColumnPath, where: str) -> Frame:
    from goodmeasure.packages import nw

    kind, found = table.collect_schema()[path.root], nw.col(path.root)
    is_polars, is_lazy = table.implementation.is_polars(), isinstance(table, nw.LazyFrame)
    if kind in (nw.Object, nw.String) and not is_lazy:
        return _with_objects(table, name, path)
    for step in path.steps:
        if kind == nw.Struct and isinstance(step, str):
            fields = {field.name: field.dtype for field in kind.fields}
            _check_field(step, list(fields), path, where)
            found, kind = found.struct.field(step), fields[step]
        elif kind in (nw.List, nw.Array) and isinstance(step, int):
            found, kind = found.list.get(step), kind.inner
        else:
            raise _no_way(path, step, str(kind), where)
    if not is_lazy and not is_polars and any(isinstance(x, int) for x in path.steps):
        return _with_objects(table, name, path)  # PyArrow refuses a place that some list does not have
    if is_polars:
        return nw.from_native(table.to_native().with_columns(_in_polars(path).alias(name)))
    return table.with_columns(found.alias(name))


def _in_polars(path: ColumnPath) -> Frame:
    """Return the expression of Polars, in which a place that a list does not have is a missing value."""
    found = sys.modules["polars"].col(path.root)
    for step in path.steps:
        found = found.struct.field(step) if isinstance(step, str) else found.list.get(step, null_on_oob=True)
    return found


def _with_objects(table: Frame, name: str, path: ColumnPath) -> Frame:
    """Return a frame in memory with what is inside a column of Python objects, or of text that holds JSON."""
    from goodmeasure.packages import nw

    values = [inside(x, path.steps) for x in table[path.root].to_list()]
    native = table.to_native()
    if hasattr(native, "assign"):  # pandas, whose own guess would make floats of integers beside missing values
        pandas = sys.modules["pandas"]

        return nw.from_native(
            native.assign(**{name: pandas.Series(values, index=native.index, dtype=object).infer_objects()})
        )
    return table.with_columns(nw.new_series(name, values, backend=table.implementation))


def inside(value: ReadJson, steps: Sequence[PathStep]) -> ReadJson:
    """Return what steps lead to in dicts and lists, or in text that holds JSON; None if they lead nowhere.

    >>> inside({"answers": ["a", "b"]}, ("answers", -1)), inside('{"x": 1}', ("x",)), inside({"x": 1}, ("y",))
    ('b', 1, None)
    """
    for step in steps:
        if isinstance(value, str):
            try:
                value = json_value(value)
            except json.JSONDecodeError:
                return None
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def check_paths(names: Sequence[str], columns: Sequence[str], where: str, leads: Callable[[ColumnPath], bool]) -> None:
    """Refuse names that are not columns and do not lead into one; `leads` says whether a path is found in any row."""
    for name in names:
        path = path_of(name, columns)
        if path is None:
            check_columns([name], columns, where)
        elif not leads(path):
            raise UnknownName(
                "{where} has nothing at {name!r} in any row",
                where=where,
                name=name,
                root=path.root,
                advice="look at one row to see what {root!r} holds",
            )


def _check_field(step: str, fields: Sequence[str], path: ColumnPath, where: str) -> None:
    check_columns([step], fields, f"{path.root!r} of {where}")


def _no_way(path: ColumnPath, step: PathStep, kind: str, where: str) -> InputTypeError:
    return InputTypeError(
        "{root!r} of {where} cannot be followed to {step}, since it holds {kind}",
        root=path.root,
        where=where,
        step=f"[{step}]" if isinstance(step, int) else repr(step),
        kind=kind,
        advice="use a name for a field of a struct, and a number in brackets for a place in a list",
    )
