"""Plain text through the compiled scanner: the same counts, and the same errors, as through DuckDB."""

from __future__ import annotations

import os
import random
import threading

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goodmeasure.counts.kernel import tally
from goodmeasure.counts.readers.files import delimited_text
from goodmeasure.counts.readers.files.delimited_text import PlainText
from goodmeasure.counts.readers.files.label_files import OpenFiles, count_files

needs_scanner = pytest.mark.skipif(tally.scanner is None, reason="the compiled scanner is not built here")
pytestmark = needs_scanner


def told(path, **options):
    """What comes of counting a file: the counts by labels, or what the error says."""
    try:
        counted = count_files(path, y_true="label", y_pred=["a", "b"], **options)
    except (ValueError, TypeError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    return counted.rows, {
        name: (sample.matrix.labels, np.asarray(sample.matrix).tolist())
        for (name, _), sample in counted.samples.items()
    }


def both_ways(path, monkeypatch, **options):
    with monkeypatch.context() as patch:
        patch.setattr(tally, "scanner", None)
        expected = told(path, **options)
    return told(path, **options), expected


FIELDS = st.text(alphabet="abz 01é中😀-._/'", max_size=12)
ROWS = st.lists(st.tuples(FIELDS, FIELDS, FIELDS, FIELDS), max_size=30)


@given(ROWS, st.sampled_from([",", ";", "\t", "|"]), st.sampled_from(["\n", "\r\n"]), st.booleans(), st.data())
@example([("1", "x", "x", "")], ",", "\n", False, None)
@settings(max_examples=40, deadline=None)
def test_any_table_is_counted_as_duckdb_counts_it(tmp_path_factory, rows, delimiter, ending, last, data):
    path = tmp_path_factory.mktemp("plain") / "p.csv"
    lines = [delimiter.join(x) for x in [("id", "label", "a", "b"), *rows]]
    if data is not None and data.draw(st.integers(0, 4)) == 0:  # something that is not plain
        place = data.draw(st.integers(0, len(lines) - 1))
        what = data.draw(st.sampled_from(['"', '"x"', "\r", "\n", "\n\n", delimiter, "\x00"]))
        lines[place] = data.draw(st.sampled_from([lines[place] + what, what + lines[place], what]))
    path.write_bytes((ending.join(lines) + (ending if last else "")).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited_text, "BLOCK", data.draw(st.sampled_from([64, 1 << 22])) if data is not None else 64)
        found, expected = both_ways(path, patch, missing="class")
    assert found == expected


def test_a_plain_file_is_scanned(tmp_path, monkeypatch):
    """The other reader is not asked for what is plain, and is for what is not."""
    asked = []
    monkeypatch.setattr(PlainText, "_scanned", spied(PlainText._scanned, asked))
    path = tmp_path / "p.csv"
    path.write_text("label,a,b\nx,x,y\n")
    told(path)
    path.write_text('label,a,b\n"x",x,y\n')
    told(path)
    assert list(map(bool, asked)) == [True, False]


def spied(function, seen):
    def instead(*args):
        seen.append(function(*args))
        return seen[-1]

    return instead


@pytest.mark.parametrize("block", [128, 1 << 12, 1 << 22])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_blocks_and_threads_change_nothing(tmp_path, monkeypatch, block, ending):
    """Lines are cut right wherever blocks and parts of the file end, with labels of all lengths."""
    chosen = random.Random(0)
    labels = ["x", "seven77", "eightttt", "nine nine", "é" * 20, "long" * 12, ""]
    lines = [",".join(["label", "a", "b"]), *(",".join(chosen.choices(labels, k=3)) for _ in range(4000))]
    path = tmp_path / "p.csv"
    path.write_text(ending.join(lines), encoding="utf-8", newline="")
    monkeypatch.setattr(delimited_text, "BLOCK", block)
    for threads in (1, 2, 5):
        found, expected = both_ways(path, monkeypatch, missing="drop", threads=threads)
        assert found == expected
        assert not isinstance(found, str)


def test_several_files_with_other_columns(tmp_path, monkeypatch):
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    one.write_text("label,a,b\nx,x,y\nz,x,y\n")
    two.write_bytes("\ufeffid;b;label;a\r\n1;y;x;z\r\n".encode())
    found, expected = both_ways([one, two], monkeypatch)
    assert found == expected
    assert found[0] == 3


@pytest.mark.parametrize(
    "text",
    [
        b"label,a,b\n",
        b"label,a,b",
        b"label,a,b\nx,y\n",
        b"label,a,b\nx,y,z,w\n",
        b"label,a,b\nx,\xff,z\n",
        b"label,a,b\nx,y,z\n\n\n",
        b"label,a,b\r\nx,y,z\n",
        b"label,a,b\nx,y,z\r\n",
        b"label,a,b\nx,y\rz,w\n",
        b'label,"a",b\nx,y,z\n',
        b"\n\nlabel,a,b\nx,y,z\n",
        b"label,a,b\nx,y,z\n , ,\n",
    ],
)
def test_what_is_not_plain_is_said_as_before(tmp_path, monkeypatch, text):
    path = tmp_path / "p.csv"
    path.write_bytes(text)
    found, expected = both_ways(path, monkeypatch, missing="class")
    assert found == expected


def test_patterns_of_all_systems_together(tmp_path, monkeypatch):
    path = tmp_path / "p.csv"
    path.write_text("label,a,b\n" + "x,x,y\ny,x,y\n" * 50 + "x,,y\n")
    results = []
    for scanner in (tally.scanner, None):
        monkeypatch.setattr(tally, "scanner", scanner)
        with OpenFiles(path) as files:
            counted = files.count(y_true="label", y_pred=["a", "b"], missing="drop", always_jointly=True)
        found = counted.joint()
        patterns = zip(found.true.tolist(), *found.pred.tolist(), found.number.tolist(), strict=True)
        results.append((found.labels, sorted(patterns), counted.missing, found.dropped))
    assert results[0] == results[1]
    assert results[0][1] == [(0, 0, 1, 50), (1, 0, 1, 50)]


def test_many_labels_are_counted(tmp_path, monkeypatch):
    path = tmp_path / "p.csv"
    path.write_text("label,a,b\n" + "".join(f"{k},{k % 7},{k}\n" for k in range(3000)))
    found, expected = both_ways(path, monkeypatch)
    assert found == expected
    monkeypatch.setattr(delimited_text, "MOST_LABELS", 100)  # left to DuckDB
    assert told(path) == expected


def test_a_scanner_refuses_nonsense():
    scanner = tally.scanner
    with pytest.raises(ValueError, match="two or more columns"):
        scanner.open(1, [0], ord(","), False, 10)
    with pytest.raises(ValueError, match="each wanted column once"):
        scanner.open(3, [1, 1], ord(","), False, 10)
    state = scanner.open(3, [1], ord(","), False, 10)
    with pytest.raises(ValueError, match="room behind it"):
        scanner.scan(state, b"a,b,c\n", 6, bytearray(64))
    with pytest.raises(IndexError):
        scanner.labels(state, 1)
    assert scanner.scan(state, b"a,b,c\n" + bytes(16), 6, bytearray(64)) == (1, 6)
    assert scanner.labels(state, 0) == [b"b"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("label,a,b\nx,x,y\n"))
    writer.start()
    assert told(pipe)[0] == 1
    writer.join()
