"""Random tables of labels, and the same table in every engine."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from hypothesis import strategies as st

POOLS = {
    "text": ["ham", "spam", "", " ", "é→漢", 'a "quoted" one', "two\nlines", "a,b;c|d\t", "NA", "007", "07", "null"],
    "integers": [0, 1, 7, -3, 10**12],
    "floats": [0.0, -0.0, 1.0, 2.0, 0.5, -2.25],
    "booleans": [False, True],
    "categories": ["low", "mid", "high"],
    "decimals": [Decimal("0"), Decimal("1"), Decimal("0.5"), Decimal("-2.25")],
    "dates": [date(2024, 2, 29), date(1969, 12, 31), date(2025, 1, 1)],
}
LEVELS = ["low", "unused", "mid", "high"]  # not sorted, so that the order shows
WEIGHTS = st.sampled_from([0.0, 0.5, 1.0, 2.25, 3.0])


@dataclass
class Table:
    """Columns by name as lists, None where a value is missing, and the kind of the labels."""

    kind: str
    columns: dict[str, list[Any]]

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns that hold labels."""
        return tuple(x for x in self.columns if x in ("y", "A", "B"))


@st.composite
def tables(draw, kinds=tuple(POOLS), lacking=True):
    """A table of true labels, two systems, weights, a column to slice by and groups."""
    kind = draw(st.sampled_from(kinds))
    size = draw(st.integers(1, 25))
    value = st.sampled_from(POOLS[kind])
    if lacking and draw(st.booleans()):
        value = st.one_of(value, st.none())

    def column(values):
        return draw(st.lists(values, min_size=size, max_size=size))

    columns = {name: column(value) for name in ("y", "A", "B")}
    columns["w"] = column(WEIGHTS)
    columns["site"] = column(st.sampled_from(["x", "y", None]))
    columns["g"] = column(st.sampled_from([3, 5, 8]))
    return Table(kind, columns)


def pandas_frame(table: Table) -> Any:
    """As pandas makes it: null integers and floats become NaN, booleans objects."""
    frame = pd.DataFrame(
        {name: pd.Series(values, dtype=_pandas_type(values)) for name, values in table.columns.items()}
    )
    if table.kind == "categories":
        for name in table.labels:
            frame[name] = pd.Categorical(table.columns[name], LEVELS)
    return frame


def _pandas_type(values: list[Any]) -> Any:
    return object if all(x is None for x in values) else None


def polars_frame(table: Table) -> Any:
    types = {"text": pl.String, "integers": pl.Int64, "floats": pl.Float64, "booleans": pl.Boolean}
    types |= {"categories": pl.Enum(LEVELS), "decimals": pl.Decimal(10, 2), "dates": pl.Date}
    rest = {"w": pl.Float64, "site": pl.String, "g": pl.Int64}
    return pl.DataFrame(table.columns, schema={x: rest.get(x, types[table.kind]) for x in table.columns})


def arrow_table(table: Table) -> Any:
    types = {"text": pa.string(), "integers": pa.int64(), "floats": pa.float64(), "booleans": pa.bool_()}
    types |= {"decimals": pa.decimal128(10, 2), "dates": pa.date32()}
    rest = {"w": pa.float64(), "site": pa.string(), "g": pa.int64()}
    made = {}
    for name, values in table.columns.items():
        if name in table.labels and table.kind == "categories":
            codes = pa.array([None if x is None else LEVELS.index(x) for x in values], pa.int8())
            made[name] = pa.DictionaryArray.from_arrays(codes, pa.array(LEVELS), ordered=True)
        else:
            made[name] = pa.array(values, rest.get(name, types.get(table.kind)))
    return pa.table(made)


def duckdb_relation(table: Table, connection: Any = None) -> Any:
    """A table within DuckDB, without another library."""
    connection = connection or duckdb.connect(":memory:")
    types = {"text": "VARCHAR", "integers": "BIGINT", "floats": "DOUBLE", "booleans": "BOOLEAN"}
    types |= {"decimals": "DECIMAL(10, 2)", "dates": "DATE"}
    types["categories"] = f"ENUM ({', '.join(map(repr, LEVELS))})"
    rest = {"w": "DOUBLE", "site": "VARCHAR", "g": "BIGINT"}
    listed = ", ".join(f"{name} {rest.get(name, types[table.kind])}" for name in table.columns)
    connection.execute(f"CREATE OR REPLACE TABLE made ({listed})")
    rows = list(zip(*table.columns.values(), strict=True))
    if rows:
        connection.executemany(f"INSERT INTO made VALUES ({', '.join('?' * len(table.columns))})", rows)
    return connection.table("made")


def converted(table: Table, **backend: Any) -> pd.DataFrame:
    """The table in pandas' nullable types; old versions of pandas cast infinite numbers to integers with a warning."""
    with np.errstate(invalid="ignore"):
        return pandas_frame(table).convert_dtypes(**backend)


ENGINES = {
    "pandas": pandas_frame,
    "pandas-nullable": converted,
    "pandas-arrow": lambda table: converted(table, dtype_backend="pyarrow"),
    "polars": polars_frame,
    "polars-lazy": lambda table: polars_frame(table).lazy(),
    "arrow": arrow_table,
    "duckdb": duckdb_relation,
}


def with_nan(values: list[Any]) -> list[Any]:
    """Missing floats as NaN."""
    return [math.nan if x is None else x for x in values]


def reference_column(table: Table, name: str) -> Any:
    """A column as `confusion` takes it."""
    values = table.columns[name]
    return pd.Categorical(values, LEVELS) if table.kind == "categories" else values


def subset(column: Any, where: list[int]) -> Any:
    return column[where] if isinstance(column, pd.Categorical) else [column[k] for k in where]


def group_cells(groups: Any, labels: tuple[Any, ...]) -> list[list[tuple[Any, Any, float]]]:
    """What each group has in which cells, in an order that does not depend on the numbers of the groups."""
    found: list[list[Any]] = [[] for _ in range(groups.size)]
    entries = (groups.group.tolist(), groups.rows.tolist(), groups.cols.tolist(), groups.values.tolist())
    for g, i, j, value in zip(*entries, strict=True):
        if value:
            found[g].append((i, j, round(value, 9)))
    assert all(0 <= k < len(labels) for k in np.concatenate([groups.rows, groups.cols]).tolist())
    return sorted(sorted(cells) for cells in found)
