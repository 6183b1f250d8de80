"""The rows of lazy engines and files in batches, for data that do not fit into memory."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING

from goodmeasure.typing import Frame

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation

ROWS = 1 << 20  # how many rows a batch has


def batches_of_engine(table: Frame) -> Iterator[Frame]:
    """Yield a lazy frame of narwhals as data frames in memory, a batch of rows at a time."""
    return _with_rows(_of_engine(table))


def batches_of_duckdb(relation: DuckDBPyRelation) -> Iterator[Frame]:
    """Yield a relation as data frames in memory, a batch of rows at a time."""
    return _with_rows(_of_duckdb(relation))


def _with_rows(native: Iterator[Frame]) -> Iterator[Frame]:
    from goodmeasure.packages import nw

    for batch in native:
        found = nw.from_native(batch, eager_only=True)
        if len(found):
            yield found


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
