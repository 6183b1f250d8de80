"""Files of every format give the counts of the same lists, and every trouble is said in one line."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, ipc, parquet

import goodmeasure as gm
from goodmeasure.counts.readers.files import compression
from goodmeasure.counts.readers.files.label_files import OpenFiles, count_files, header
from tests.counts.readers.test_frames import MISSING, assert_like_confusion, matrix_of_lists, outcome
from tests.counts.tables_of_labels import Table, arrow_table, polars_frame, tables

HAM = b"y,A\nham,ham\nspam,ham\n"
COUNTS = [[1, 0], [1, 0]]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test in a directory of its own; nothing temporary may be left behind."""
    monkeypatch.chdir(tmp_path)
    scratch = tmp_path / "temporary"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    yield tmp_path
    assert list(scratch.iterdir()) == []


def written(name, content):
    """A file in the current directory."""
    path = Path(name)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def counts(path, y_true="y", y_pred=("A",), **options):
    """The matrix of the first system."""
    counted = count_files(path, y_true=y_true, y_pred=list(y_pred), **options)
    return counted.samples[counted.systems[0], None].matrix


def as_csv(table: Table, delimiter: str = ",", line: str = "\n", quoting: int = csv.QUOTE_MINIMAL) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=line, quoting=quoting)
    writer.writerow(table.columns)
    writer.writerows(zip(*table.columns.values(), strict=True))
    return out.getvalue().encode()


def as_json_lines(table: Table) -> bytes:
    rows = zip(*table.columns.values(), strict=True)
    return "".join(json.dumps(dict(zip(table.columns, row, strict=True))) + "\n" for row in rows).encode()


def as_parquet(table: Table) -> bytes:
    out = io.BytesIO()
    polars_frame(table).write_parquet(out)
    return out.getvalue()


def as_feather(table: Table) -> bytes:
    out = io.BytesIO()
    feather.write_feather(arrow_table(table), out)
    return out.getvalue()


TEXT = {
    "csv": as_csv,
    "csv-crlf": lambda table: as_csv(table, line="\r\n"),
    "csv-bom": lambda table: b"\xef\xbb\xbf" + as_csv(table),
    "csv-quoted": lambda table: as_csv(table, quoting=csv.QUOTE_ALL),
    "tsv": lambda table: as_csv(table, delimiter="\t"),
    "semicolons": lambda table: as_csv(table, delimiter=";"),
    "bars": lambda table: as_csv(table, delimiter="|"),
    "csv.gz": lambda table: gzip.compress(as_csv(table)),
}
TYPED = {
    "jsonl": as_json_lines,
    "jsonl.gz": lambda table: gzip.compress(as_json_lines(table)),
    "json array": lambda table: b"[" + b",\n".join(as_json_lines(table).splitlines()) + b"]",
    "parquet": as_parquet,
    "feather": as_feather,
}


def check(table, path, missing, weighted, sliced, grouped, na_values=None):
    """The counts of a file against those of lists."""
    weights = table.columns["w"] if weighted else None
    expected = [
        outcome(lambda s=s: matrix_of_lists(table.columns["y"], table.columns[s], weights, missing=missing))
        for s in ("A", "B")
    ]
    counted = outcome(
        lambda: count_files(
            path, y_true="y", y_pred=["A", "B"], missing=missing, sample_weight="w" if weighted else None,
            by=["site"] if sliced else (), groups="g" if grouped else None, threads=2,
            na_values=na_values,
        )
    )  # fmt: skip
    failed = [x for x in expected if isinstance(x, str)]
    if failed or isinstance(counted, str):
        assert counted == failed[0]
        return
    for system in ("A", "B"):
        assert_like_confusion(table, counted, system, missing, weighted=weighted, grouped=grouped)


@pytest.mark.parametrize("format", TEXT)
@given(tables(kinds=("text",)), MISSING, st.booleans(), st.booleans(), st.booleans())
def test_text_files_count_like_confusion_on_text(format, table, missing, weighted, sliced, grouped):
    """Every label is text; an empty field is missing, quoted or not, and so are the spellings that are named."""
    written("table", TEXT[format](table))
    for name in ("y", "A", "B"):
        table.columns[name] = [x or None for x in table.columns[name]]
    check(table, "table", missing, weighted, sliced, grouped, na_values=[])
    if missing == "error":
        return
    for name in ("y", "A", "B"):
        table.columns[name] = [None if x in ("NA", "null") else x for x in table.columns[name]]
    check(table, "table", missing, weighted, sliced, grouped)


@pytest.mark.parametrize("missing", ["class", "drop"])
def test_a_file_whose_weights_are_all_0_is_refused(missing):
    table = Table("text", {"y": ["a", "b"], "A": ["a", None], "B": ["a", "a"], "w": [0.0, 0.0]})
    written("table", as_csv(table))
    with pytest.raises(ValueError, match="sample_weight is 0 for every item"):
        counts("table", y_pred=["A"], sample_weight="w", missing=missing)
    check(table, "table", missing, weighted=True, sliced=False, grouped=False)


@pytest.mark.parametrize("format", TYPED)
@given(tables(kinds=("text", "integers", "floats", "booleans")), MISSING, st.booleans(), st.booleans(), st.booleans())
def test_typed_files_count_like_confusion(format, table, missing, weighted, sliced, grouped):
    """Numbers, truth values and text are kept apart."""
    written("table", TYPED[format](table))
    check(table, "table", missing, weighted, sliced, grouped)


def test_labels_of_text_files_stay_as_they_are_written():
    """007 is not 07, NA may be a label, spaces and formulas stay, and a late label may look different."""
    rows = ["007,07", "NA,null", " a,a", "=1+1,<script>", "nan,NaN", "-0,2"]
    written("p.csv", "y,A\n" + "\n".join(["1,1"] * 30_000 + rows) + "\n")
    labels = {"1", *(x for row in rows for x in row.split(","))}
    assert set(counts("p.csv", na_values=[]).labels) == labels
    assert set(counts("p.csv", missing="drop").labels) == labels - {"NA", "null", "nan", "NaN"}


def test_quoted_fields_may_hold_lines_quotes_and_delimiters():
    """In a file that several threads read."""
    label = '"two\nlines, ""quoted"""'
    written("p.csv", "y,A\n" + f"{label},{label}\n" * 200_000)
    matrix = counts("p.csv", threads=2)
    assert matrix.labels == ('two\nlines, "quoted"',)
    assert matrix.n == 200_000


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_files_are_known_by_what_they_hold(pack):
    """Whatever they are called."""
    written("p.csv", pack(HAM))
    assert counts("p.csv").counts.tolist() == COUNTS
    written("p.jsonl", pack(b'{"y": "ham", "A": "ham"}\n{"y": "spam", "A": "ham"}\n'))
    assert counts("p.jsonl").counts.tolist() == COUNTS
    written("p.parquet", pack(as_parquet(Table("text", {"y": ["ham", "spam"], "A": ["ham", "ham"]}))))
    assert counts("p.parquet").counts.tolist() == COUNTS


def zstd(content):
    """Packed by PyArrow, as not every Python can."""
    return pa.compress(content, codec="zstd", asbytes=True)


def test_zstd_files_that_hold_no_text_are_unpacked_or_refused(monkeypatch):
    table = pa.table({"y": ["ham", "ham"], "A": ["ham", "spam"]})
    for name, kind in (("p.parquet.zst", parquet.write_table), ("p.arrow.zst", feather.write_feather)):
        plain = io.BytesIO()
        kind(table, plain)
        written(name, zstd(plain.getvalue()))
        assert counts(name).n == 2
    monkeypatch.setitem(sys.modules, "compression", None)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ValueError, match=r"p\.parquet\.zst is compressed with zstd and holds no UTF-8 text: unpack it"):
        counts("p.parquet.zst")


def test_zstd_files_are_read_and_checked():
    """A cut file is read by DuckDB without a word; ours is an error. Frames may follow each other."""
    written("p.csv.zst", zstd(HAM))
    assert counts("p.csv.zst").counts.tolist() == COUNTS
    more = zstd(b"ham,spam\n" * 100_000)
    written("p.csv.zst", zstd(HAM) + b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc" + more)
    assert counts("p.csv.zst").n == 100_002
    for cut in (1, 5, len(more) - 2):
        written("cut.zst", zstd(HAM) + more[:-cut])
        with pytest.raises(ValueError, match=r"cut\.zst is damaged or cut off \(it ends early\)"):
            counts("cut.zst")
    written("more.zst", zstd(HAM) + b"something else")
    with pytest.raises(ValueError, match="it holds something else after its data"):
        counts("more.zst")


def damaged(packed):
    return packed[: len(packed) // 2] + bytes([packed[len(packed) // 2] ^ 255]) + packed[len(packed) // 2 + 1 :]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize("break_it", [lambda x: x[:-9], lambda x: x[:30], damaged])
def test_a_damaged_compressed_file_is_an_error(pack, break_it):
    """DuckDB does not look at the checksum."""
    content = b"y,A\n" + b"".join(b"%d,%d\n" % (k * 7919 % 1000, k * 104729 % 1000) for k in range(20_000))
    written("broken", break_it(pack(content)))
    with pytest.raises(ValueError, match=r"broken is damaged or cut off \(.*\): get or compress it again"):
        counts("broken")


def test_names_patterns_and_directories():
    """A name that is a file is never a pattern; quotes and spaces are part of a name."""
    for name in ("a b.csv", 'it\'s "one".csv', "[1]*?.csv", "'; DROP TABLE x; --.csv", "ünï.csv", "-x.csv"):
        written(name, HAM)
        assert counts(name).counts.tolist() == COUNTS
        assert counts(Path(name)).n == 2
    written("1x.csv", b"y,A\nno,no\n")
    assert counts("[1]*?.csv").n == 2
    Path("runs/deep").mkdir(parents=True)
    for k in range(3):
        written(f"runs/{k}.csv", HAM)
    written("runs/deep/4.csv", HAM)
    assert counts("runs/*.csv").n == 6
    assert counts("runs/**/*.csv").n == 8
    assert counts(["runs/0.csv", "runs/1.csv"], pool=True).n == 4
    with pytest.raises(IsADirectoryError, match=r"runs is a directory without Parquet files: .* pattern runs/\*\.csv"):
        counts("runs")
    with pytest.raises(FileNotFoundError, match=r"no file matches the pattern runs/\*\.txt"):
        counts("runs/*.txt")
    with pytest.raises(FileNotFoundError, match=r"there is no file none\.csv"):
        counts("none.csv")
    with pytest.raises(ValueError, match="no file is given"):
        counts([])


def test_several_files_are_one_table():
    """Columns by name, delimiters each its own, one format at a time."""
    written("1.csv", "y,A,w\nham,ham,1\n")
    written("2.tsv", "w\tA\ty\n2\tham\tspam\n")
    written("3.csv.gz", gzip.compress(b"A;y;w\nham;ham;4\n"))
    matrix = counts(["1.csv", "2.tsv", "3.csv.gz"], sample_weight="w", pool=True)
    assert matrix.counts.tolist() == [[5.0, 0.0], [2.0, 0.0]]
    written("4.csv", "y,B\nham,ham\n")
    with pytest.raises(ValueError, match=r"4\.csv has no column 'A': its columns are 'y', 'B'"):
        counts(["1.csv", "4.csv"])
    written("5.jsonl", '{"y": 1, "A": 1}\n')
    with pytest.raises(ValueError, match=r"1\.csv is csv and 5\.jsonl is json: give files of one format at a time"):
        counts(["1.csv", "5.jsonl"])


def test_parquet_files_of_different_types_are_not_made_text():
    """Wider numbers are the same numbers."""
    pl.DataFrame({"y": [1, 2], "A": [1, 1]}).write_parquet("1.parquet")
    pl.DataFrame({"y": [1.0], "A": [2.0]}).write_parquet("2.parquet")
    pl.DataFrame({"y": ["1"], "A": ["2"]}).write_parquet("3.parquet")
    assert counts(["1.parquet", "2.parquet"]).labels == (1, 2)
    with pytest.raises(TypeError, match="column 'y' is BIGINT in one file and VARCHAR in another: write it as one"):
        counts(["1.parquet", "3.parquet"], pool=True)


def test_standard_input_is_read_like_a_file():
    """Any format, through a pipe."""
    code = (
        "from goodmeasure.counts.readers.files.label_files import count_files;"
        "print(count_files('-', y_true='y', y_pred=['A']).samples['A', None].matrix.counts.tolist())"
    )
    parquet = as_parquet(Table("text", {"y": ["ham", "spam"], "A": ["ham", "ham"]}))
    for content in (HAM, gzip.compress(HAM), parquet):
        run = subprocess.run([sys.executable, "-c", code], input=content, capture_output=True, check=True)
        assert run.stdout.decode().strip() == str(COUNTS)
    run = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=False)
    assert b"goodmeasure.InputError: standard input is empty: there is nothing to count" in run.stderr


def test_a_named_pipe_is_read_once():
    """As a shell makes them for <(command)."""
    os.mkfifo("pipe")
    with subprocess.Popen([sys.executable, "-c", f"open('pipe', 'wb').write({HAM!r})"]):
        assert counts("pipe").counts.tolist() == COUNTS


TROUBLES = {
    "empty": (b"", "p is empty: there is nothing to count"),
    "only empty lines": (b"\n\r\n\n", "p is empty: there is nothing to count"),
    "packed and empty": (gzip.compress(b""), "p is empty: there is nothing to count"),
    "header only": (b"y,A\n", "p has no rows: there is nothing to count"),
    "header without an end": (b"y,A", "p has no rows: there is nothing to count"),
    "a field less": (b"y,A,z\na,a,1\na,a\n", "line 3 of p has 2 fields where the header has 3"),
    "a field more": (b"y,A\na,a\na,a\na,a,a\n", "line 4 of p has 3 fields where the header has 2"),
    "late": (b"y,A\n" + b"a,a\n" * 100_000 + b"a\n", "line 100002 of p has 1 field where the header has 2"),
    "open quote": (b'y,A\na,"b\nc,d\n', 'line 2 of p has a quote " that is not closed'),
    "stray quote": (b'y,A\na,"b"c\n', 'line 2 of p has text after a closing quote "'),
    "blank after a quote": (b'y,A\n"a" ,b\n', 'line 2 of p has text after a closing quote "'),
    "a delimiter too many": (b"y,A\na,a\na,a,\n", "line 3 of p has 3 fields where the header has 2"),
    "latin": ("y,A\na,a\né,a\n".encode("latin-1"), "line 3 of p is not UTF-8 text: convert the file, for example"),
    "utf-16": ("y,A\na,a\n".encode("utf-16"), "p is UTF-16 text: convert it"),
    "utf-16 without a mark": ("y,A\na,a\n".encode("utf-16-le"), "p is UTF-16 text: convert it"),
    "utf-16 the other way": ("y,A\na,a\n".encode("utf-16-be"), "p is UTF-16 text: convert it"),
    "utf-32": ("y,A\na,a\n".encode("utf-32"), "p is UTF-32 text: convert it, for example with iconv -f UTF-32"),
    "utf-32 without a mark": ("y,A\na,a\n".encode("utf-32-be"), "p is UTF-32 text: convert it"),
    "binary": (bytes(range(256)) * 10, "p is not a table of text: it holds binary data"),
    "excel": (b"PK\x03\x04" + b"junk" * 50, "p is a zip archive: unpack it"),
    "no column": (b"label,A\na,a\n", "p has no column 'y': its columns are 'label', 'A'"),
    "near": (b"Y,A\na,a\n", "p has no column 'y': its columns are 'Y', 'A'; did you mean 'Y'?"),
    "no header, numbers": (b"1,0\n0,0\n", "its first line looks like data, and a line with the names"),
    "no header, text": (b"ham,spam\nspam,ham\nham,spam\n" * 2, "its first line looks like data"),
    "twice": (b"y,A,A\na,a,a\n", "p has 2 columns named 'A': rename all but one"),
    "missing label": (b"y,A\na,a\na,\n", "column 'A' has no label in 1 of 2 rows: leave them out with missing='drop'"),
    "no JSON": (b'{"y": 1, "A": 1}\n{"y": 1, "A": \n', "line 2 of p is not a JSON object"),
    "null in JSON lines": (b'{"y": 1, "A": 1}\nnull\n', "line 2 of p is not a JSON object"),
    "null in a JSON list": (b'[{"y": 1, "A": 1}, null]', "p holds something that is not an object"),
    "a list in JSON lines": (b'{"y": 1, "A": 1}\n\n[1, 2]\n', "line 3 of p is not a JSON object"),
    "latin JSON": ('{"y": "é", "A": 1}\n'.encode("latin-1"), "line 1 of p is not a JSON object"),
    "a key twice": (b'{"y": 1, "y": 2, "A": 1}\n', "line 1 of p has the key 'y' twice"),
    "kinds": (b'{"y": 1, "A": 1}\n{"y": "x", "A": 1}\n', "labels are of different kinds, number (1) and text ('x')"),
    "nested": (
        b'{"y": {"a": 1}, "A": 1}\n',
        "a label is {'a': 1}, a dict: expected one value such as a string or a number",
    ),
    "parquet": (b"PAR1 junk junk PAR1", "p is a damaged or cut off Parquet file (Footer length error)"),
    "cut parquet": (as_parquet(Table("text", {"y": ["a"], "A": ["a"]}))[:-9], "p is a damaged or cut off Parquet"),
    "cut arrow": (as_feather(Table("text", {"y": ["a"], "A": ["a"]}))[:-40], "p is a damaged or cut off Arrow file"),
}


@pytest.mark.parametrize(("content", "message"), TROUBLES.values(), ids=TROUBLES)
def test_every_trouble_is_said_in_one_line(content, message):
    """Which file, where, what, and what to do."""
    written("p", content)
    with pytest.raises((ValueError, TypeError)) as raised:
        counts("p")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, gm.GoodmeasureError)
    assert raised.value.advice or raised.value.expected


@pytest.mark.parametrize("place", ["JSON", "Parquet", "Maximum line size"])
@pytest.mark.parametrize(("content", "message"), TROUBLES.values(), ids=TROUBLES)
def test_a_trouble_is_the_same_in_a_folder_with_the_name_of_another(content, message, place):
    Path(place).mkdir()
    written(f"{place}/p", content)
    with pytest.raises((ValueError, TypeError)) as raised:
        counts(f"{place}/p")
    assert message in str(raised.value).replace(f"{place}/p", "p")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"y,A,w\na,a,1\na,a,abc\n", "weight column 'w' has 'abc' in line 3 of p: expected a number"),
        (b"y;A;w\na;a;1,5\na;a;0.5\n", "weight column 'w' has '1,5' in line 2 of p: expected a number ("),
        (b'{"y": 1, "A": 1, "w": "abc"}\n', "weight column 'w' has 'abc' in line 1 of p: expected a number"),
        (
            b"y,A,w\na,a,1\na,a,\n",
            "weight column 'w' is missing, negative or not finite in 1 of 2 rows (one is missing)",
        ),
        (b"y,A,w\na,a,nan\n", "weight column 'w' is missing, negative or not finite in 1 of 1 rows (one is missing)"),
        (b"y,A,w\na,a,-2\n", "weight column 'w' is missing, negative or not finite in 1 of 1 rows (one is -2)"),
        (b"y,A,w\na,a,inf\n", "weight column 'w' is missing, negative or not finite in 1 of 1 rows (one is inf)"),
    ],
)
def test_weights_that_are_no_weights_are_said_with_their_place(content, message):
    """As far as the engine knows it."""
    written("p", content)
    with pytest.raises(ValueError, match="weight column 'w'") as raised:
        counts("p", sample_weight="w")
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, gm.InputError)
    if message.endswith("expected a number"):
        assert (raised.value.got, raised.value.expected) == (message.split("'")[3], "a number")


def test_a_file_that_may_not_be_read_is_an_error_of_the_system(monkeypatch):
    """Said with its name; the superuser may read all, so the refusal is played."""
    path = written("secret.csv", HAM)
    if os.geteuid():
        path.chmod(0)
    else:

        def refuse(*_, **__):
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(PermissionError, match=r"^secret\.csv cannot be read: permission denied$"):
        counts("secret.csv")


def test_a_full_temporary_directory_is_not_blamed_on_the_input(monkeypatch):
    """While standard input or a bz2 file is unpacked: what is wrong is the copy, and TMPDIR names another place."""
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no device that is always full")
    written("p.csv.bz2", bz2.compress(HAM))

    def copied_to_a_full_disk(stream, target, start):
        compression.copied(stream, Path("/dev/full"))

    monkeypatch.setattr("goodmeasure.counts.readers.files.label_files.copied", copied_to_a_full_disk)
    said = r"p\.csv\.bz2 has to be copied .* could not be written \(no space left on device\): make room .* TMPDIR"
    with pytest.raises(OSError, match=said):
        counts("p.csv.bz2")


@pytest.mark.parametrize("start", ["\r\r\n", "\r\r", "\n\r\n", "\n\n", "\ufeff\n", "\r\n" * 5])
@pytest.mark.parametrize("line", ["\n", "\r\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("quoted", [False, True])
def test_empty_lines_before_the_header_cost_no_row(start, line, pack, quoted):
    """However they end, and whoever reads the file."""
    label = '"a"' if quoted else "a"
    rows = ["y,A", f"{label},a", "b,b", "a,b"]
    written("p.csv", pack((start + line.join(rows) + line).encode()))
    assert counts("p.csv").counts.tolist() == [[1, 1], [0, 1]]


def test_lines_are_numbered_as_in_the_file_after_empty_lines():
    written("p.csv", "\n\ny,A\na,a\na\n")
    with pytest.raises(ValueError, match=r"line 5 of p\.csv has 1 field where the header has 2"):
        counts("p.csv")


@pytest.mark.parametrize("pack", [bytes, lambda x: gzip.compress(x, 1), zstd])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_last_line_that_is_too_long_is_not_dropped(pack, quote):
    """DuckDB drops one that does not fit its buffer, without an error."""
    written("p.csv", pack(f"y,A\na,a\nb,b\na,{quote}{'x' * (40 << 20)}{quote}".encode()))
    with pytest.raises(ValueError, match=r"line 4 of p\.csv is longer than 2 MB: is a quote not closed"):
        counts("p.csv")


def test_a_file_of_one_huge_row_has_a_row():
    """It was said to have none."""
    written("p.csv", "y,A\na," + "x" * (100 << 20) + "\n")
    with pytest.raises(ValueError, match=r"line 2 of p\.csv is longer than 2 MB"):
        counts("p.csv")


def test_a_header_that_is_too_long_is_said():
    """It was said that there are no columns."""
    names = ["y", "A", *(f"column {k}" for k in range(100_000))]
    written("p.csv", ",".join(names) + "\n" + ",".join("a" for _ in names) + "\n")
    with pytest.raises(
        ValueError, match=r"the first line of p\.csv cannot be split into columns: it is longer than 1 MB"
    ):
        counts("p.csv")


def test_a_key_that_first_appears_late_in_json_is_a_column():
    """Only the first thousand objects are looked at for the header."""
    written("p.jsonl", '{"y": "a"}\n' * 1500 + '{"y": "a", "A": "b"}\n')
    assert counts("p.jsonl", missing="drop").n == 1
    with pytest.raises(ValueError, match=r"p\.jsonl has no column 'B': its columns are 'y', 'A'"):
        counts("p.jsonl", y_pred=["B"], missing="drop")


def test_columns_whose_names_differ_in_case_only_are_different():
    """They are not for DuckDB."""
    written("p.csv", "y,Y,A,a\n1,0,0,1\n")
    counted = count_files("p.csv", y_true="y", y_pred=["Y", "A", "a"])
    found = {name: counted.samples[name, None].matrix.labels for name in counted.systems}
    assert found == {"Y": (0, 1), "A": (0, 1), "a": (1,)}


def test_a_column_is_weights_or_labels():
    """Text files are read as one or the other."""
    written("p.csv", "y,A\n1,1\n")
    with pytest.raises(ValueError, match="column 'A' is named as labels, and as scores, weights or counts"):
        counts("p.csv", sample_weight="A")


def test_the_header_is_known_before_anything_is_counted():
    """For every format, in the order of the file."""
    table = Table("text", {"y": ["a"], "A": ["a"], "odd name, quoted": ["b"]})
    for format, make in {**TEXT, **TYPED}.items():
        written("p", make(table))
        assert header("p") == tuple(table.columns), format


def test_a_delimiter_within_quotes_or_labels_is_no_delimiter():
    """The columns that are asked for decide where the evenness of the lines does not."""
    written("p.csv", "y;A\na,b;a,b\nc,d;c,d\n")
    assert counts("p.csv").labels == ("a,b", "c,d")
    written("p.csv", 'y,A\n"a;b;c",x\nx,x\n')
    assert counts("p.csv").labels == ("a;b;c", "x")
    written("p.csv", "y\nx\n")
    assert counts("p.csv", y_pred=["y"]).labels == ("x",)
    written("p.csv", "\n\ny|A\nx|x\n")
    assert counts("p.csv").labels == ("x",)


def test_arrow_streams_categories_and_files_of_polars():
    """Ordered categories keep their order; Polars reads Arrow files where PyArrow is not installed."""
    codes = pa.array([0, 1], pa.int8())
    levels = pa.DictionaryArray.from_arrays(codes, pa.array(["low", "high"]), ordered=True)
    table = pa.table({"y": levels, "A": levels})
    with ipc.new_stream("s.arrows", table.schema) as stream:
        stream.write(table)
    feather.write_feather(table, "f.feather")
    assert counts("s.arrows").labels == counts("f.feather").labels == ("low", "high")
    assert counts(["s.arrows", "f.feather"], pool=True).n == 4


def test_arrow_files_without_pyarrow(monkeypatch):
    """Polars, or an error that says what to install."""
    pl.DataFrame({"y": ["ham", "spam"], "A": ["ham", "ham"]}).write_ipc("p.arrow")
    pl.DataFrame({"y": ["ham", "spam"], "A": ["ham", "ham"]}).write_ipc_stream("p.arrows")
    installed = {"polars"}
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name in installed else None)
    assert counts("p.arrow").counts.tolist() == COUNTS
    assert counts(["p.arrow", "p.arrows"], pool=True).n == 4
    installed.clear()
    with pytest.raises(
        ValueError, match=r"p\.arrow is an Arrow file, which PyArrow or Polars reads: pip install pyarrow"
    ):
        counts("p.arrow")


def test_an_interrupted_query_is_an_interrupt():
    """DuckDB makes another error of Ctrl-C while it counts; nothing temporary stays."""
    written("p.csv", HAM)
    with pytest.raises(KeyboardInterrupt), OpenFiles("p.csv") as files:
        raise RuntimeError("Query interrupted")
    assert not files._folder.exists()
    with pytest.raises(RuntimeError, match="something else"), OpenFiles("p.csv"):
        raise RuntimeError("something else")


def test_memory_is_limited_and_said():
    """Many groups need more than the least limit; what cannot be understood is said too."""
    duckdb.sql("SELECT 'a' AS y, 'a' AS A, md5(i::VARCHAR) AS g FROM range(400000) t(i)").write_parquet("p.parquet")
    with pytest.raises(OSError, match="counting needs more than the memory limit of 5MB: allow more"):
        counts("p.parquet", groups="g", memory_limit="5MB", threads=1)
    assert counts("p.parquet", groups="g", memory_limit="200MB").n == 400_000
    with pytest.raises(ValueError, match="memory_limit is 'much': use a size such as '200MB'"):
        counts("p.parquet", memory_limit="much")


def test_nothing_is_fetched_from_elsewhere():
    """An address is no file, and extensions are neither installed nor loaded by themselves."""
    with pytest.raises(FileNotFoundError, match=r"https://example\.org/p\.csv is not on this machine"):
        counts("https://example.org/p.csv")
    written("p.jsonl", '{"y": 1, "A": 1}\n')
    with OpenFiles("p.jsonl") as files:
        chosen = "SELECT value FROM duckdb_settings() WHERE name LIKE 'auto%_known_extensions'"
        assert files._engine().execute(chosen).fetchall() == [("false",), ("false",)]


def test_what_python_packs_is_known_by_its_first_bytes():
    """And nothing else is."""
    packed = {"gzip": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zstd": zstd, "none": bytes}
    assert {name: compression.compression_of(pack(HAM)) for name, pack in packed.items()} == {x: x for x in packed}


def test_labels_of_json_that_is_nested_too_deeply_are_one_line():
    deep = "[" * 100_000 + "]" * 100_000
    written("p.jsonl", f'{{"y": {deep}, "A": "ham"}}\n')
    with pytest.raises(ValueError, match="a label is JSON that is nested too deeply: a label must be one value"):
        counts("p.jsonl")
    with OpenFiles("p.jsonl") as files, pytest.raises(ValueError, match="nested too deeply"):
        files.example("y")


@pytest.mark.parametrize("name", ["~", "~/p", "file:", "file:/p", "s3:/p", "[a]*?{b}", "a'b\"c", "%41", " "])
@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "csv.zst"])
def test_the_file_that_is_named_is_the_file_that_is_read(monkeypatch, tmp_path, name, kind):
    """DuckDB takes ~ for the home folder and file: for a scheme, where another file may lie."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    table = Table("text", {"y": ["ham", "spam"], "A": ["ham", "ham"]})
    other = Table("text", {"y": ["wrong", "wrong"], "A": ["wrong", "wrong"]})
    write = {"csv": as_quoted_csv, "jsonl": as_json_lines, "parquet": as_parquet, "csv.zst": as_zstd}[kind]
    path = Path(f"{name}/p.{kind}")
    for place, content in ((home / f"p.{kind}", other), (home / "p" / f"p.{kind}", other), (path, table)):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(write(content))
    assert counts(path).labels == ("ham", "spam")
    assert counts(str(path)).labels == ("ham", "spam")


def as_quoted_csv(table):
    """Text that the scanner leaves to DuckDB."""
    return as_csv(table, quoting=csv.QUOTE_ALL)


def as_zstd(table):
    return pa.Codec("zstd").compress(as_quoted_csv(table), asbytes=True)
