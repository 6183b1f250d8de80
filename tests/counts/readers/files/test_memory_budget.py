"""A memory limit holds for labels, too."""

from __future__ import annotations

import duckdb
import pytest

import goodmeasure as gm
from goodmeasure.counts.readers.files import delimited_text, memory_budget
from goodmeasure.counts.readers.files.label_files import OpenFiles, count_files
from goodmeasure.counts.readers.files.memory_budget import as_bytes
from goodmeasure.counts.readers.frames import count_frame
from goodmeasure.exceptions import InputError


@pytest.mark.parametrize(
    ("text", "size"),
    [("200MB", 200_000_000), ("1.5 GiB", 1_610_612_736), ("2gb", 2_000_000_000), ("10 bytes", 10), ("80%", None)],
)
def test_a_size_is_a_number_of_bytes(text, size):
    assert as_bytes(text) == size


@pytest.fixture
def long_labels(tmp_path):
    """Twenty thousand items that each have their own labels of one kilobyte."""
    path = tmp_path / "long.csv"
    rows = (f"{k:08}{'x' * 1000},{k + 1:08}{'x' * 1000}\n" for k in range(20_000))
    path.write_text("label,pred\n" + "".join(rows))
    return path


@pytest.mark.parametrize("quoted", [False, True])
def test_labels_that_exceed_the_memory_limit_are_refused(long_labels, quoted):
    """Distinct labels were all brought home, whatever the limit was."""
    if quoted:
        long_labels.write_text(long_labels.read_text().replace("label,pred", '"label","pred"'))
    with pytest.raises(InputError, match=r"memory_limit is '60MB', and counting different labels of \d\d MB takes"):
        gm.evaluate(str(long_labels), y_true="label", y_pred="pred", memory_limit="60MB")


def test_labels_within_the_memory_limit_are_counted(long_labels):
    result = gm.evaluate(str(long_labels), y_true="label", y_pred="pred", memory_limit="400MB", measures=["accuracy"])
    assert result.table[0]["value"] == 0


def test_the_scanner_leaves_long_labels_to_the_engine(long_labels):
    class EngineAskedError(Exception):
        pass

    def otherwise():
        raise EngineAskedError

    with OpenFiles([str(long_labels)]) as files:
        text = delimited_text.PlainText(files.sources, otherwise, memory=60_000_000)
        with pytest.raises(EngineAskedError):
            count_frame(text, y_true="label", y_pred=["pred"])


@pytest.fixture
def looks(monkeypatch):
    """What was looked at to estimate the labels."""
    seen, known = [], memory_budget._different_text
    monkeypatch.setattr(memory_budget, "_different_text", lambda *x: seen.append(x) or known(*x))
    return seen


def parquet_with(path, different):
    table = f"SELECT (i % {different})::VARCHAR AS t, (i % 7)::VARCHAR AS p FROM range(2_000_000) AS r(i)"
    duckdb.sql(table).query("made", f"COPY made TO '{path}'")
    return str(path)


def test_a_sample_of_few_different_labels_is_enough(tmp_path, looks):
    """A check of every row took as long as counting them.

    DuckDB samples whole blocks of rows, and one time in thirty too few of them for the sample to be relied on.
    """
    path = parquet_with(tmp_path / "p.parquet", different=10)
    numbers = []
    for _ in range(4):
        looks.clear()
        counted = count_files(path, y_true="t", y_pred="p", memory_limit="150MB")
        assert counted.samples["p", None].matrix.n == 2_000_000
        numbers.append(len(looks))
    assert min(numbers) == 1


def test_all_rows_are_looked_at_where_a_sample_leaves_doubt(tmp_path, looks):
    path = parquet_with(tmp_path / "p.parquet", different=2_000_000)
    with pytest.raises(InputError, match="memory_limit"):
        count_files(path, y_true="t", y_pred="p", memory_limit="30MB")
    assert len(looks) == 2
