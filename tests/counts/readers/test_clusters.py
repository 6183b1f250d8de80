"""Dask, Spark and Ibis count like `confusion`: the test of the other engines, on engines that start slowly."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from functools import cache

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import goodmeasure as gm
from tests.counts.readers.test_frames import MISSING, assert_counted_like_confusion
from tests.counts.tables_of_labels import POOLS, Table, arrow_table, duckdb_relation, pandas_frame, tables
from tests.needs import needs

# These engines warn of what pandas 3, Arrow and DuckDB will mean to them, which is theirs to mend.
pytestmark = pytest.mark.filterwarnings("ignore")

EXAMPLES = {"modin": 4, "dask": 6, "ibis-duckdb": 8, "ibis-sqlite": 8, "spark": 3}
"""How many tables each engine is tried on: Spark takes a second for a query of a few rows."""
LACKING = {"ibis-duckdb": {"categories"}, "ibis-sqlite": {"categories", "decimals", "dates"}, "spark": {"categories"}}
"""The kinds of labels for which an engine has no type."""


@cache
def spark():
    needs("java")
    sql = pytest.importorskip("pyspark.sql", reason="pip install 'goodmeasure[spark]'")
    options = {
        "ui.enabled": "false",
        "sql.shuffle.partitions": "1",
        "driver.host": "127.0.0.1",
        "log.level": "ERROR",
        # The tables have a few rows: compiling queries and optimising machine code takes longer than it saves
        "sql.codegen.wholeStage": "false",
        "sql.adaptive.enabled": "false",
        "sql.codegen.factoryMode": "NO_CODEGEN",
        "driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = sql.SparkSession.builder.master("local[1]").appName("goodmeasure")
    for name, value in options.items():
        builder = builder.config(f"spark.{name}", value)
    return builder.getOrCreate()


@pytest.fixture(scope="module", autouse=True)
def stopped():
    """The session of Spark ends with the module."""
    yield
    if spark.cache_info().currsize:
        spark().stop()


def spark_frame(table):
    t = pytest.importorskip("pyspark.sql.types", reason="pip install 'goodmeasure[spark]'")
    kinds = {"text": t.StringType(), "integers": t.LongType(), "floats": t.DoubleType(), "booleans": t.BooleanType(),
             "decimals": t.DecimalType(10, 2), "dates": t.DateType()}  # fmt: skip
    rest = {"w": t.DoubleType(), "site": t.StringType(), "g": t.LongType()}
    schema = t.StructType([t.StructField(x, rest.get(x, kinds[table.kind])) for x in table.columns])
    return spark().createDataFrame(list(zip(*table.columns.values(), strict=True)), schema)


def dask_frame(table):
    dataframe = pytest.importorskip("dask.dataframe", reason="pip install 'goodmeasure[dask]'")
    kind = {"decimals": "decimal128(10, 2)[pyarrow]", "dates": "date32[pyarrow]"}.get(table.kind)
    frame = pandas_frame(table)
    if kind is not None:
        frame = arrow_table(table).to_pandas(types_mapper=pd.ArrowDtype)
    return dataframe.from_pandas(frame, npartitions=min(2, len(frame)))


def modin_frame(table):
    modin = pytest.importorskip("modin.pandas", reason="it installs beside pandas below 2.4 only")
    return modin.DataFrame(pandas_frame(table))


def ibis_duckdb(table):
    ibis = pytest.importorskip("ibis", reason="pip install 'goodmeasure[ibis]'")
    connection = duckdb.connect(":memory:")
    duckdb_relation(table, connection)
    return ibis.duckdb.from_connection(connection).table("made")


def ibis_sqlite(table):
    ibis = pytest.importorskip("ibis", reason="pip install 'goodmeasure[ibis]'")
    return ibis.sqlite.connect().create_table("made", arrow_table(table))


CLUSTERS = {
    "modin": modin_frame,
    "dask": dask_frame,
    "ibis-duckdb": ibis_duckdb,
    "ibis-sqlite": ibis_sqlite,
    "spark": spark_frame,
}


@pytest.mark.parametrize("engine", CLUSTERS)
def test_every_engine_counts_like_confusion(engine):
    kinds = tuple(x for x in POOLS if x not in LACKING.get(engine, ()))

    @settings(max_examples=EXAMPLES[engine])
    @given(tables(kinds), MISSING)
    def check(table, missing):
        frame = CLUSTERS[engine](table)
        for weighted, sliced, grouped, named in ((False, False, False, False), (True, True, True, True)):
            assert_counted_like_confusion(frame, table, missing, weighted, sliced, grouped, named)

    check()


def example_table(rows=400):
    rng = np.random.default_rng(5)
    true = rng.integers(0, 3, rows)
    columns = {"y": true, **{x: np.where(rng.random(rows) < 0.7, true, rng.integers(0, 3, rows)) for x in ("A", "B")}}
    columns |= {"site": rng.choice(["x", "y"], rows), "g": np.arange(rows) // 4}
    columns |= {"hit": rng.integers(0, 2, rows), "s": rng.random(rows).round(2)}
    return pd.DataFrame(columns)


def test_a_folder_that_spark_wrote_is_read_with_its_partitions(tmp_path):
    rows = pd.DataFrame({"y": ["a", "b"] * 20, "A": ["a"] * 40, "year": [2024, 2025] * 20})
    folder = str(tmp_path / "out")
    spark().createDataFrame(rows.to_dict("records")).write.partitionBy("year").parquet(folder)
    result = gm.evaluate(folder, ["A"], y_true="y", by="year")
    assert [(x.slice, x.matrix.n) for x in result.parts] == [(None, 40), (2024, 20), (2025, 20)]


def engine_frame(engine, data):
    if engine == "spark":
        return spark().createDataFrame(data.to_dict("records"))
    if engine == "modin":
        return pytest.importorskip("modin.pandas", reason="it installs beside pandas below 2.4 only").DataFrame(data)
    if engine == "dask":
        return pytest.importorskip("dask.dataframe").from_pandas(data, npartitions=3)
    ibis = pytest.importorskip("ibis")
    if engine == "ibis-duckdb":
        connection = duckdb.connect(":memory:")
        connection.register("given", data)
        connection.execute("CREATE TABLE made AS FROM given")
        return ibis.duckdb.from_connection(connection).table("made")
    return ibis.sqlite.connect().create_table("made", data)


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        for key in one:
            if isinstance(one[key], float) and not math.isnan(one[key]):
                assert one[key] == pytest.approx(other[key], rel=1e-9, abs=1e-12), (key, one, other)
            elif not isinstance(one[key], float):
                assert one[key] == other[key], (key, one, other)


@pytest.mark.parametrize("engine", CLUSTERS)
def test_evaluate_compare_and_sweep_say_the_same_of_every_engine(engine):
    data = example_table()
    frame = engine_frame(engine, data)
    asked = {"y_true": "y", "y_pred": ["A", "B"], "measures": ["accuracy", "macro(f1)"]}
    same(gm.evaluate(frame, by="site", **asked).table, gm.evaluate(data, by="site", **asked).table)
    found, expected = (gm.compare(x, groups="g", **asked) for x in (frame, data))
    same(found.differences, expected.differences)
    scores = {"y_true": "hit", "y_score": "s", "measures": ["roc_auc", "brier"]}
    same(gm.evaluate(frame, **scores).table, gm.evaluate(data, **scores).table)
    ours, theirs = (gm.sweep(x, y_true="hit", y_score="s", by="site", measures=["mcc"]) for x in (frame, data))
    for group in ("x", "y"):
        assert ours.values("mcc", group).tolist() == pytest.approx(theirs.values("mcc", group).tolist())


def test_a_worker_that_is_killed_changes_nothing():
    """Dask computes the lost part again on the other worker."""
    distributed = pytest.importorskip("distributed", reason="pip install 'goodmeasure[dask]'")
    dataframe = pytest.importorskip("dask.dataframe")
    data = example_table(4000)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as cluster,
        distributed.Client(cluster) as client,
    ):
        frame = dataframe.from_pandas(data, npartitions=8).map_partitions(_slowly)
        killed = next(iter(client.run(os.getpid).values()))
        timer = threading.Timer(0.5, os.kill, (killed, signal.SIGKILL))
        timer.start()
        found = gm.evaluate(frame, y_true="y", y_pred="A", measures="mcc")
        timer.join()
        assert killed not in client.run(os.getpid).values()
    same(found.table, gm.evaluate(data, y_true="y", y_pred="A", measures="mcc").table)


def _slowly(part):
    time.sleep(0.2)
    return part


def test_only_counts_travel():
    """The rows stay in the engine: what is collected has a row for each pattern of labels."""
    ibis = pytest.importorskip("ibis")
    connection = duckdb.connect(":memory:")
    connection.execute("CREATE TABLE made AS SELECT i % 3 AS y, i % 2 AS A, i % 5 AS B FROM range(100000) t(i)")
    collected = []
    table = ibis.duckdb.from_connection(connection).table("made")
    backend = type(ibis.duckdb.connect())
    original = backend.to_pyarrow

    def watched(self, *args, **kwargs):
        found = original(self, *args, **kwargs)
        collected.append(found.num_rows)
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(backend, "to_pyarrow", watched)
        gm.compare(table, y_true="y", y_pred=["A", "B"], measures=["accuracy"])
    assert collected
    assert max(collected) <= 3 * 2 * 5


def test_an_engine_without_rows_says_so():
    frame = ibis_duckdb(Table("text", {"y": [], "A": []}))
    with pytest.raises(gm.InputError, match="the data has no rows"):
        gm.evaluate(frame, y_true="y", y_pred="A")
