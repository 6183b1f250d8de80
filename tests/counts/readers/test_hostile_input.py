"""Text that readers get wrong most easily comes back as it was, from every kind of input."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, ipc, parquet

import goodmeasure as gm
from goodmeasure.counts.kernel import tally
from goodmeasure.counts.readers.files.label_files import count_files
from goodmeasure.counts.readers.frames import count_frame
from tests.hostile_strings import HOSTILE

MISSING = {"nan", "NaN", "NA", "null", "None"}
"""What a text file may mean as missing values; other tests are about them."""
TEXTS = [x for x in HOSTILE if x not in MISSING]


def pairs(labels) -> list[tuple[str, str]]:
    return list(zip(labels, [*labels[1:], labels[0]], strict=True))


def as_text(labels, delimiter: str = ",", line: str = "\n") -> bytes:
    """A table whose header, too, is hostile."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=line, quoting=csv.QUOTE_ALL)
    writer.writerows([("y", "p", *HOSTILE), *((*x, *HOSTILE) for x in pairs(labels))])
    return out.getvalue().encode()


def as_json(labels, ascii: bool) -> list[str]:
    return [json.dumps({"y": y, "p": p, **{x: x for x in HOSTILE}}, ensure_ascii=ascii) for y, p in pairs(labels)]


def as_arrow(labels) -> pa.Table:
    known = dict(zip(("y", "p"), zip(*pairs(labels), strict=True), strict=True))
    return pa.table({**known, **{x: [x] * len(labels) for x in HOSTILE}})


def as_bytes_of(write, table: pa.Table) -> bytes:
    out = io.BytesIO()
    write(table, out)
    return out.getvalue()


def as_stream(table: pa.Table) -> bytes:
    out = io.BytesIO()
    with ipc.new_stream(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


FILES = {
    **{f"{d!r} {line!r}": (as_text(TEXTS, d, line), TEXTS) for d in ",\t;|" for line in ("\n", "\r\n")},
    "gz": (gzip.compress(as_text(TEXTS)), TEXTS),
    "bz2": (bz2.compress(as_text(TEXTS)), TEXTS),
    "xz": (lzma.compress(as_text(TEXTS)), TEXTS),
    "zst": (pa.compress(as_text(TEXTS), codec="zstd", asbytes=True), TEXTS),
    "jsonl": ("\n".join(as_json(HOSTILE, True)).encode(), HOSTILE),
    "jsonl, letters as they are": ("\n".join(as_json(HOSTILE, False)).encode(), HOSTILE),
    "json": (f"[{','.join(as_json(HOSTILE, False))}]".encode(), HOSTILE),
    "parquet": (as_bytes_of(parquet.write_table, as_arrow(HOSTILE)), HOSTILE),
    "feather": (as_bytes_of(feather.write_feather, as_arrow(HOSTILE)), HOSTILE),
    "arrow stream": (as_stream(as_arrow(HOSTILE)), HOSTILE),
}
FRAMES = {
    "arrow": lambda table: table,
    "pandas": lambda table: table.to_pandas(),
    "pandas text": lambda table: table.to_pandas().astype("string[python]"),
    "pandas arrow": lambda table: table.to_pandas().astype(pd.ArrowDtype(pa.string())),
    "pandas categories": lambda table: table.to_pandas().astype("category"),
    "polars": pl.from_arrow,
    "polars categories": lambda table: pl.from_arrow(table).with_columns(pl.all().cast(pl.Categorical)),
    "polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "duckdb": duckdb.from_arrow,
}


def check(labels, data, **columns) -> None:
    matrix = gm.evaluate(data, **columns).matrix()
    cells = zip(*matrix.counts.nonzero(), strict=True)
    assert sorted((matrix.labels[i], matrix.labels[j]) for i, j in cells) == sorted(pairs(labels))
    assert matrix.n == len(labels)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("kind", FILES)
def test_labels_of_files_come_back_as_they_were(kind, compiled, tmp_path, monkeypatch):
    content, labels = FILES[kind]
    path = tmp_path / "p"
    path.write_bytes(content)
    if not compiled:
        monkeypatch.setattr(tally, "scanner", None)
    check(labels, path, y_true="y", y_pred="p")


@pytest.mark.parametrize("kind", FRAMES)
def test_labels_of_frames_come_back_as_they_were(kind):
    check(HOSTILE, FRAMES[kind](as_arrow(HOSTILE)), y_true="y", y_pred="p")


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pl.Series, pa.array])
def test_labels_of_lists_come_back_as_they_were(kind):
    y, p = map(kind, map(list, zip(*pairs(HOSTILE), strict=True)))
    check(HOSTILE, y, y_pred=p)


def check_names(counted, labels) -> None:
    """Every row of a column holds the name of the column."""
    for name in counted.systems:
        matrix = counted.samples[name, None].matrix
        assert matrix.n == len(labels), name
        assert {matrix.labels[j] for j in matrix.counts.nonzero()[1]} == {name}


@pytest.mark.parametrize("kind", FILES)
def test_columns_of_files_may_have_any_names(kind, tmp_path):
    content, labels = FILES[kind]
    path = tmp_path / "p"
    path.write_bytes(content)
    check_names(
        count_files(path, y_true="y", y_pred=HOSTILE, missing="class", na_values=[] if labels is TEXTS else None),
        labels,
    )


@pytest.mark.parametrize("kind", FRAMES)
def test_columns_of_frames_may_have_any_names(kind):
    frame = FRAMES[kind](as_arrow(HOSTILE))
    names = [x for x in HOSTILE if kind != "duckdb" or x in frame.columns]  # DuckDB renames what differs in case only
    assert len(names) > 70
    check_names(count_frame(frame, y_true="y", y_pred=names), HOSTILE)
