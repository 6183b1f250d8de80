"""The SQL queries that ask DuckDB for the columns of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from goodmeasure.counts.readers.duckdb_engine import literal_path, quoted, text
from goodmeasure.counts.readers.files.file_formats import LabelFile
from goodmeasure.counts.readers.nested import ColumnPath, in_json, path_of, roots_of
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import EngineType

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation


def _json_format(source: LabelFile) -> str:
    return "array" if source.format == "json array" else "newline_delimited"


def objects(source: LabelFile) -> str:
    """Return the objects of a JSON file as a table expression of SQL."""
    return (
        f"read_json_objects([{literal_path(source.path)}], format='{_json_format(source)}', "
        f"compression='{source.compression}')"
    )


def table_of(sources: Sequence[LabelFile]) -> str:
    """Return Parquet files, or the table of a database, as a table expression of SQL."""
    listed = ", ".join(literal_path(source.path) for source in sources)
    return sources[0].table or f"read_parquet([{listed}], hive_partitioning=false)"


def _selected(name: str, place: str, path: ColumnPath | None, is_number: bool) -> str:
    """Return the selection of a column, or of what is inside the JSON that it holds."""
    if path is not None:
        place = in_json(place, path.steps)
        place = f"CAST({place} AS DOUBLE)" if is_number else place
    return f"{place} AS {quoted(name)}"


def query(sources: Sequence[LabelFile], wanted: list[str], numbers: set[str], names: Sequence[str] = ()) -> str:
    """Return the query for the wanted columns of files of one kind; `names` are the columns of a JSON file."""
    first = sources[0]
    listed = ", ".join(literal_path(source.path) for source in sources)
    if first.is_typed:
        # by place, since DuckDB gives a column whose name differs from another in case only a name of its own
        chosen = ", ".join(f"c{names.index(name)} AS {quoted(name)}" for name in roots_of(wanted, names))
        places = ", ".join(f"c{k}" for k in range(len(names)))
        return f"SELECT {chosen} FROM {table_of(sources)} AS t({places})"
    if first.family == "json":
        paths = {name: path_of(name, names) for name in wanted}
        roots = dict.fromkeys(name if (path := paths[name]) is None else path.root for name in wanted)
        if len({x.lower() for x in roots}) < len(roots):
            return _apart_in_json(sources, paths, numbers)
        kinds = ", ".join(f"{text(name)}: {text('DOUBLE' if name in numbers else 'JSON')}" for name in roots)
        found = {name: quoted(name if path is None else path.root) for name, path in paths.items()}
        chosen = ", ".join(_selected(name, found[name], paths[name], name in numbers) for name in wanted)
        return (
            f"SELECT {chosen} FROM read_json([{listed}], auto_detect=false, "
            f"columns={{{kinds}}}, records=true, format='{_json_format(first)}', compression='{first.compression}', "
            "hive_partitioning=false)"
        )
    decimal = ", decimal_separator=','" if numbers & first.commas else ""
    selected = []
    for name in wanted:
        path = path_of(name, first.names)
        place = f"c{first.names.index(name if path is None else path.root)}"
        selected.append(_selected(name, place if path is None else f"CAST({place} AS JSON)", path, name in numbers))
    kinds = ", ".join(f"c{k}: '{'DOUBLE' if name in numbers else 'VARCHAR'}'" for k, name in enumerate(first.names))
    return (
        f"SELECT {', '.join(selected)} FROM read_csv([{listed}], auto_detect=false, columns={{{kinds}}}, "
        f"delim={text(first.delimiter)}, quote='\"', escape='\"', header=true, nullstr='', "
        f"compression='{first.compression}', strict_mode=true, hive_partitioning=false{decimal})"
    )


def _apart_in_json(sources: Sequence[LabelFile], paths: Mapping[str, ColumnPath | None], numbers: set[str]) -> str:
    """Return the query for columns of JSON files whose names differ in case only, which DuckDB's columns cannot."""
    found = {}
    for name, path in paths.items():
        root = "/" + (name if path is None else path.root).replace("~", "~0").replace("/", "~1")  # a JSON pointer
        found[name] = in_json(f"json_extract(json, {text(root)})", () if path is None else path.steps)
    chosen = [f"{f'CAST({x} AS DOUBLE)' if name in numbers else x} AS {quoted(name)}" for name, x in found.items()]
    return " UNION ALL ".join(f"SELECT {', '.join(chosen)} FROM {objects(source)}" for source in sources)


def names_of_parquet(engine: DuckDBPyConnection, shown: str, paths: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of the columns of Parquet files that are read as one table, as the first file has them.

    DuckDB gives a column whose name differs from another in case only a name of its own, and finds columns of further
    files by their names whatever their case: so files with such names must have the same columns in the same order.
    """
    schema = f"SELECT name, coalesce(num_children, 0) FROM parquet_schema({literal_path(paths[0])})"
    names = _outermost(engine.sql(schema).fetchall()[1:])
    if len(paths) > 1:
        schemas = f"FROM parquet_schema([{', '.join(map(literal_path, paths))}])"
        kinds = engine.sql(f"SELECT count(DISTINCT name), count(DISTINCT lower(name)) {schemas}").fetchall()[0]
        columns = f"SELECT DISTINCT list(name ORDER BY column_id) {schemas} GROUP BY file_name"
        if kinds[0] != kinds[1] and len(engine.sql(columns).fetchall()) > 1:
            raise InputError(
                "the files of {shown} have different columns, with names that differ in case only", shown=shown,
                advice="write them with the same columns in the same order",
            )  # fmt: skip
    return names


def _outermost(listed: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """Return the names of columns, from those of columns and of all that is inside them, depth first.

    >>> _outermost([("label", 0), ("doc", 2), ("id", 0), ("words", 1), ("element", 0), ("system", 0)])
    ('label', 'doc', 'system')
    """
    found, inside = [], 0
    for name, children in listed:
        if inside == 0:
            found.append(name)
        inside += children - (inside > 0)
    return tuple(found)


def check_kinds(first: DuckDBPyRelation, other: DuckDBPyRelation) -> None:
    """Refuse files whose label columns have different types; DuckDB would silently cast both to text."""
    for name, *kinds in zip(first.columns, first.types, other.types, strict=True):
        if len({kind_of(x) for x in kinds}) > 1:
            raise InputTypeError(
                "column {name!r} is {one} in one file and {other} in another",
                name=name,
                one=kinds[0],
                other=kinds[1],
                advice="write it as one type",
            )


def kind_of(kind: EngineType) -> str:
    """Return the kind of a DuckDB type: number, text, or its own name."""
    whole = ("tinyint", "smallint", "integer", "bigint", "hugeint")
    numbers = {*whole, *(f"u{x}" for x in whole), "float", "double", "decimal"}
    return "number" if kind.id in numbers else "text" if kind.id in ("varchar", "enum") else str(kind)
