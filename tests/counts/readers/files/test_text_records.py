"""Every record of a text file is read: as Python's csv module reads it, whoever counts it."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.kernel import tally
from goodmeasure.counts.readers.files import label_files
from goodmeasure.counts.readers.files.label_files import count_files
from goodmeasure.evaluation.scores import scores_beyond_memory

BODY = b"".join(b"%d,%d,x\r\n" % (k % 3, k % 2) for k in range(100))
BROKEN = b'label,pred,"note\n(2)"\r\n' + BODY
"""As spreadsheets write it: a line break in the header, and rows that end otherwise; DuckDB finds no rows in it."""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def written(name: str, content: bytes) -> str:
    Path(name).write_bytes(content)
    return name


@pytest.mark.parametrize("quote", [b"x", b'"x"'], ids=["scanner", "DuckDB"])
def test_a_line_break_in_the_header_costs_no_row(quote):
    a = written("a.csv", BROKEN.replace(b"x", quote))
    b = written("b.csv", b"label,pred,note\r\n" + BODY[: 60 * 7])
    columns = {"y_true": "label", "y_pred": "pred"}
    assert gm.evaluate(a, **columns).matrix().n == 100
    assert gm.evaluate([a, b], **columns).matrix().n == 160
    assert gm.evaluate(a, **columns, by="note\n(2)").matrix().n == 100
    ids = b"".join(b"%d,%d,%d\r\n" % (k, k % 3, k % 2) for k in range(50))
    runs = {name: written(f"{name}.csv", b'"i\nd",label,pred\r\n' + ids.replace(b"9", quote)) for name in "AB"}
    assert gm.compare(runs, id="i\nd", **columns).settings is not None
    assert gm.evaluate(runs, id="i\nd", **columns).matrix("A").n == 50
    with pytest.raises(gm.InputError, match=r"line 5 of c\.csv has 2 fields where the header has 3"):
        gm.evaluate(written("c.csv", BROKEN[: len(BROKEN) - 98 * 7] + b"1,2\r\n"), **columns)


@pytest.mark.parametrize("format", ["csv", "jsonl", "json"])
def test_an_engine_that_loses_rows_is_noticed(format, monkeypatch):
    """Whether a file is read alone, pooled or as a run, for labels and for scores."""

    def losing(*args):
        return f"FROM ({asked(*args)}) LIMIT 9"

    asked = label_files.query
    rows = [{"id": k, "y": k % 2, "p": k % 3 % 2, "s": k / 10, "n": 1} for k in range(10)]
    if format == "csv":
        text = 'id,y,p,s,n,"t"\n' + "".join(",".join(map(str, x.values())) + ',""\n' for x in rows)
    else:
        lines = map(json.dumps, rows)
        text = "\n".join(lines) if format == "jsonl" else f"[{', '.join(lines)}]"
    for name in ("one", "two"):
        written(f"{name}.{format}", text.encode())
    one, two = f"one.{format}", f"two.{format}"

    def large():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scores_beyond_memory, "LARGE", 1)
            gm.evaluate(one, y_true="y", y_score="s")

    ways = [
        lambda: gm.evaluate(one, y_true="y", y_pred="p"),
        lambda: gm.evaluate([one, two], y_true="y", y_pred="p", pool=True),
        lambda: gm.evaluate(one, y_true="y", y_pred="p", count="n"),
        lambda: gm.evaluate({"A": one, "B": two}, id="id", y_true="y", y_pred="p"),
        lambda: gm.evaluate(one, y_true="y", y_score="s"),
        large,
    ]
    for way in ways:
        way()
    monkeypatch.setattr(label_files, "query", losing)
    for way in ways:
        with pytest.raises(gm.InputError, match=r"holds [12]0 rows, and DuckDB reads (9|18) of them"):
            way()


def as_python_reads(text: str) -> list[list[str]] | None:
    """The rows below the header; None if they are not rows of two fields."""
    try:
        rows = [x for x in csv.reader(io.StringIO(text, newline=""), strict=True) if x][1:]
    except csv.Error:
        return None
    return rows if all(len(x) == 2 for x in rows) else None


PIECES = st.lists(
    st.sampled_from(
        ["a", "b", ",", '"', '""', '"a"', "\n", "\r\n", "\r", " ", "a,b\n", 'a,"b\nc"\r\n', "é", '"a","b"\n']
    ),
    max_size=14,
)


@given(PIECES, st.booleans())
@example(['"a" ', ",b\n"], True)
@example(["a,b\r\n", "a,b\n", "a,b\r\n"], True)
@example(["a,b\n", ' "a",b\n'], True)
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_as_python_reads_it(tmp_path_factory, pieces, compiled):
    """Or refused; never read otherwise."""
    path = tmp_path_factory.mktemp("any") / "p.csv"
    text = "y,p\n" + "".join(pieces)
    path.write_bytes(text.encode())
    expected = as_python_reads(text)
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            patch.setattr(tally, "scanner", None)
        try:
            counted = count_files(path, y_true="y", y_pred=["p"], missing="class")
        except gm.InputError as error:
            assert not expected, error  # noqa: PT017
            return
    assert expected is not None
    matrix = counted.samples["p", None].matrix
    found = {
        (matrix.labels[i], matrix.labels[j]): int(n)
        for i, row in enumerate(matrix.counts)
        for j, n in enumerate(row)
        if n
    }
    wanted: dict[tuple[str | None, ...], int] = {}
    for row in expected:
        key = tuple(x or None for x in row)
        wanted[key] = wanted.get(key, 0) + 1
    assert found == wanted


@pytest.mark.parametrize("role", ["sample_weight", "count", "y_score"])
@pytest.mark.parametrize("text", ["y,p,w\n0,0,1_0\n1,1,1\n", 'y,p,w\n0,0,"1_0"\n1,1,1\n', '{"y":0,"p":0,"w":"1_0"}\n'])
def test_digits_with_underscores_are_no_number(role, text):
    columns = {role: "w"} if role == "y_score" else {"y_pred": "p", role: "w"}
    with pytest.raises(gm.InputError, match=r"column 'w' has '1_0' in line [12] of p"):
        gm.evaluate(written("p", text.encode()), y_true="y", **columns)


@pytest.mark.parametrize("counts", [[2**53 + 1], [2**53 - 1, 1]])
def test_counts_that_floats_cannot_hold_are_refused(counts):
    text = "y,p,n\n" + "".join(f"a,b,{x}\n" for x in counts)
    with pytest.raises(gm.InputError, match="expected fewer than 2\\^53"):
        gm.evaluate(written("p.csv", text.encode()), y_true="y", y_pred="p", count="n")
    assert gm.evaluate(written("p.csv", f"y,p,n\na,b,{2**53 - 1}\n".encode()), y_true="y", y_pred="p", count="n")


def test_numbers_of_json_beyond_all_floats_are_not_one_class():
    path = written("p.jsonl", b'{"y": 1e400, "p": 2e400}\n')
    with pytest.raises(gm.InputError, match=r"[12]e400 is beyond the range of numbers: write it as text, in quotes"):
        gm.evaluate(path, y_true="y", y_pred="p")


@pytest.mark.skipif(tally.scanner is None, reason="the compiled scanner is not built here")
def test_labels_that_would_meet_at_one_place_take_no_longer_than_others():
    """A hash without a seed can be inverted: under it, all these labels belong to one place of a dictionary."""
    rng, inverse, size = np.random.default_rng(0), pow(0x9E3779B97F4A7C15, -1, 2**64), 20_000
    plain = np.zeros(256, bool)
    plain[1:128] = True
    plain[[9, 10, 13, 34, 44]] = False
    labels: list[bytes] = []
    while len(labels) < size:
        low = rng.integers(0, 2**32, 2_000_000, dtype=np.uint64)
        high = rng.integers(0, 2**10, 2_000_000, dtype=np.uint64)
        mixed = (low << np.uint64(32)) | (high << np.uint64(22)) | (low & np.uint64(2**22 - 1))
        words = ((mixed * np.uint64(inverse)) ^ np.uint64(8 << 56)).view(np.uint8).reshape(-1, 8)
        labels += [x.tobytes() for x in np.unique(words[plain[words].all(axis=1)], axis=0)]
    labels = list(dict.fromkeys(labels))[:size]
    taken = []
    for chosen in (labels, [b"%08x" % k for k in range(len(labels))]):
        text = b"".join(x + b",z\n" for x in chosen)
        best = np.inf
        for _ in range(3):
            begun = time.perf_counter()
            state = tally.scanner.open(2, [0], ord(","), False, 1 << 20)
            codes = bytearray(4 * len(chosen))
            assert tally.scanner.scan(state, text + bytes(16), len(text), codes) == (len(chosen), len(text))
            best = min(best, time.perf_counter() - begun)
        assert tally.scanner.labels(state, 0) == chosen
        taken.append(best)
    assert taken[0] < 20 * taken[1]


ENDLESS = """
import sys
from goodmeasure.counts.readers.files.label_files import count_files
print("begun", flush=True)
while True:
    count_files(sys.argv[1], y_true="y", y_pred=["p"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
def test_an_interrupt_ends_scanning_within_a_second():
    path = written("p.csv", b"y,p\n" + b"".join(b"label %d,z\n" % k for k in range(300_000)))
    process = subprocess.Popen([sys.executable, "-c", ENDLESS, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"begun\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    said = process.communicate(timeout=60)[1]
    assert b"KeyboardInterrupt" in said
    assert time.monotonic() - begun < 1 + 2 * (sys.gettrace() is not None)
