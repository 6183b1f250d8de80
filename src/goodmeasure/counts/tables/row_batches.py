"""The rows of lazy engines and files in batches, for data that do not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING

from goodmeasure.counts.tables import duckdb_engine, engines
from goodmeasure.typing import Frame

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

ROWS = 1 << 20  # how many rows a batch has


def row_counts(frame: Frame, keys: Sequence[str]) -> dict[tuple[object, ...], int]:
    """Return how many rows have each combination of values in some columns, counted by the engine."""
    from goodmeasure.packages import nw

    names = list(keys)
    if duckdb_engine.is_relation(frame):
        places = duckdb_engine.places_of(frame.columns)
        names = [f"c{k}" for k in range(len(keys))]
        frame = frame.project(", ".join(f"{places[key]} AS {name}" for key, name in zip(keys, names, strict=True)))
    counted = engines.opened(frame).lazy().group_by(*names).agg(nw.len().alias("number of rows")).collect()
    columns = [counted[name].to_list() for name in names]
    numbers = [int(x) for x in counted["number of rows"].to_list()]
    return dict(zip(zip(*columns, strict=True), numbers, strict=True))


def batches_of(frame: Frame, names: Sequence[str]) -> Iterator[Frame]:
    """Yield some columns of a lazy frame as data frames in memory (of narwhals), a batch of rows at a time.

    An engine that hands out rows only all at once hands out one batch.
    """
    from goodmeasure.packages import nw

    wanted = list(dict.fromkeys(names))
    if duckdb_engine.is_relation(frame):
        native = _of_duckdb(_chosen(frame, wanted))
    else:
        native = _of_engine(engines.opened(frame).lazy().select(*wanted))
    for batch in native:
        found = nw.from_native(batch, eager_only=True)
        if len(found):
            yield found


def _chosen(relation: DuckDBPyRelation, names: Sequence[str]) -> DuckDBPyRelation:
    """Return some columns of a relation, whose names may differ in case only."""
    places = duckdb_engine.places_of(relation.columns)
    return relation.project(", ".join(f"{places[name]} AS {duckdb_engine.quoted(name)}" for name in names))


def can_batch(frame: object) -> bool:
    """Return whether the rows of a frame can be had in batches: DuckDB needs PyArrow for that."""
    return find_spec("pyarrow") is not None or not duckdb_engine.is_relation(frame)


def rows_of(frame: object) -> int:
    """Return the number of rows, counted by the engine."""
    from goodmeasure.packages import nw

    return int(engines.opened(frame).lazy().select(nw.len()).collect().item())


def total_of(frame: object, name: str) -> int:
    """Return the sum of a column of whole numbers, added up by the engine."""
    from goodmeasure.packages import nw

    found = engines.opened(frame).lazy().select(nw.col(name).sum().alias("total")).collect()["total"].to_list()[0]
    return 0 if found is None or found != found else int(found)


def _of_duckdb(relation: DuckDBPyRelation) -> Iterator[Frame]:
    yield from _tables(relation.to_arrow_reader(ROWS))


def _tables(batches: Frame) -> Iterator[Frame]:
    """Yield Arrow's batches of records as tables."""
    import pyarrow

    for batch in batches:
        yield pyarrow.Table.from_batches([batch])


def _of_engine(table: Frame) -> Iterator[Frame]:
    native = table.to_native()
    library = type(native).__module__.partition(".")[0]
    if library == "polars" and hasattr(native, "collect_batches"):
        yield from native.collect_batches(chunk_size=ROWS)
    elif library == "dask":
        for part in native.partitions:
            yield part.compute()
    elif library == "pyspark":
        yield from _of_spark(native)
    elif library == "ibis":
        yield from _of_ibis(native)
    else:
        yield table.collect().to_native()


def _of_ibis(native: Frame) -> Iterator[object]:
    """Yield the rows of a table of Ibis; DuckDB is asked itself, as its batches have changed since Ibis 12."""
    backend = native.get_backend()
    if backend.name != "duckdb":
        yield from _tables(native.to_pyarrow_batches(chunk_size=ROWS))
        return
    from goodmeasure.packages import duckdb

    try:
        yield from _of_duckdb(backend.con.sql(backend.compile(native)))
    except duckdb.CatalogException:  # a table in memory, which only Ibis knows
        yield native.to_pyarrow()


def _of_spark(native: Frame) -> Iterator[object]:
    import pyarrow

    rows = native.toLocalIterator(prefetchPartitions=True)
    while part := list(islice(rows, ROWS // 8)):
        yield pyarrow.Table.from_pylist([row.asDict() for row in part])
