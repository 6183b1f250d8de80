"""A confusion matrix in a file, however people write it down."""

from __future__ import annotations

import gzip
import io
import json
import sys

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.counts.readers.files import matrix_files
from goodmeasure.counts.readers.files.compression import NotCopiedError
from goodmeasure.counts.readers.files.matrix_files import read_matrix, read_matrix_file

COUNTS = [[50, 3], [4, 20]]
NAMED = ("ham", "spam")


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("50,3\n4,20\n", (0, 1)),
        ("50 3\n4 20", (0, 1)),
        ("  50   3\n   4  20\n\n", (0, 1)),
        ("50\t3\r\n4\t20\r\n", (0, 1)),
        ("50;3\n4;20\n", (0, 1)),
        ("ham,spam\n50,3\n4,20\n", NAMED),
        ("ham,50,3\nspam,4,20\n", NAMED),
        ("true,ham,spam\nham,50,3\nspam,4,20\n", NAMED),
        (",ham,spam\nham,50,3\nspam,4,20\n", NAMED),
        ("ham,spam\nham,50,3\nspam,4,20\n", NAMED),
        ("ham spam\nham 50 3\nspam 4 20\n", NAMED),
        (",spam,ham\nham,3,50\nspam,20,4\n", NAMED),
        (",0,1\n0,50,3\n1,4,20\n", (0, 1)),
        ("1,2\n50,3\n4,20\n", (1, 2)),
        ("0,50,3\n1,4,20\n", (0, 1)),
        (",0.0,1.0\n0,50,3\n1,4,20\n", (0, 1)),
        (",01,1\n1,3,50\n01,20,4\n", ("1", "01")),
        ("\ufeffham,spam\n50,3\n4,20\n", NAMED),
        ('"a, b","c ""d"""\n50,3\n4,20\n', ("a, b", 'c "d"')),
        ("[[50, 3], [4, 20]]", (0, 1)),
        (' {"labels": ["ham", "spam"], "counts": [[50, 3], [4, 20]]}\n', NAMED),
        (str(gm.ConfusionMatrix(COUNTS, NAMED)), NAMED),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_every_way_of_writing_a_matrix_is_read(tmp_path, text, labels, pack):
    """With and without a row and a column of labels; also what the library prints."""
    path = tmp_path / "matrix of counts.txt"
    path.write_bytes(pack(text.encode()))
    matrix = read_matrix_file(path)
    assert matrix.counts.tolist() == COUNTS
    assert matrix.counts.dtype == np.int64
    assert matrix.labels == labels
    assert read_matrix_file(path, ["x", "y"]).labels == ("x", "y")


def test_numpy_arrays_and_weights_are_read(tmp_path):
    """Never a pickle."""
    path = tmp_path / "matrix.npy"
    np.save(path, np.array([[0.5, 1], [2, 3]]))
    assert read_matrix_file(path).counts.tolist() == [[0.5, 1], [2, 3]]
    np.save(path, np.array([[{}, 1], [2, 3]], dtype=object))
    with pytest.raises(ValueError, match=r"holds no confusion matrix: .*allow_pickle=False"):
        read_matrix_file(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no confusion matrix: it is empty"),
        (b"1 2\n3 x\n", "'x' in row 2, column 2 of the counts is not a number"),
        (b"1 2\n3 -4\n", "must be finite and not negative"),
        (b"1 2 3\n4 5 6\n", "a confusion matrix is square"),
        (b"1 2\n3 4\n5\n", "its rows have between 1 and 2 fields"),
        (b",a,b\nc,1,2\nd,3,4\n", "its rows are named c, d and its columns a, b: they must be one set"),
        (b"[[1, 2], [3", "its JSON cannot be read"),
        (b'{"labels": ["a"]}', "its JSON has no 'counts', only 'labels'"),
        (b"\xe9\xe8", "it is not text in UTF-8"),
        (b"a\x00b", "it is binary data"),
        (gzip.compress(b"1 2\n3 4\n" * 100, mtime=0)[:-12], "is damaged or cut off"),
    ],
)
def test_what_is_no_matrix_is_an_error_that_names_the_file(tmp_path, content, message):
    """In one line."""
    path = tmp_path / "m.csv"
    path.write_bytes(content)
    with pytest.raises((ValueError, TypeError), match=r"m\.csv") as raised:
        read_matrix_file(path)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_file_that_cannot_be_opened_is_an_error_of_the_system(tmp_path):
    """Not there, or a directory."""
    with pytest.raises(FileNotFoundError, match=r"none\.csv cannot be read: no such file"):
        read_matrix_file(tmp_path / "none.csv")
    with pytest.raises(IsADirectoryError, match="is a directory: name a file"):
        read_matrix_file(tmp_path)


def test_a_matrix_is_read_as_it_is_typed():
    """The same place for the command line."""
    assert read_matrix("50 3; 4 20", ["a", "b"]).labels == ("a", "b")
    assert read_matrix(json.dumps({"labels": ["x", "y"], "counts": COUNTS})).labels == ("x", "y")
    with pytest.raises(ValueError, match='--matrix is empty: write "50 3; 4 20"'):
        read_matrix(" ", name="--matrix")


@pytest.mark.parametrize("text", ["1,2\n3\n", "1;2\n3\n", "1,2,3\n4\n", "1,2\n", "1\n2\n", "1,2\n3,4\n5\n", "1\n2,3\n"])
def test_a_ragged_file_is_no_matrix_of_one_class(tmp_path, text):
    path = tmp_path / "m.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"m\.csv holds no confusion matrix"):
        read_matrix_file(path)


@pytest.mark.parametrize("unpacked_by", ["PyArrow", "DuckDB"])
def test_a_large_matrix_that_zstd_packs_is_read_whole(tmp_path, monkeypatch, unpacked_by):
    pa = pytest.importorskip("pyarrow")
    counts = np.arange(300 * 300).reshape(300, 300) % 7
    text = "\n".join(",".join(map(str, row)) for row in counts.tolist())
    (tmp_path / "m.csv.zst").write_bytes(pa.compress(text.encode(), codec="zstd", asbytes=True))
    if unpacked_by == "DuckDB":
        monkeypatch.setitem(sys.modules, "compression", None)
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert (read_matrix_file(tmp_path / "m.csv.zst").counts == counts).all()


@pytest.mark.parametrize("count", ["1_0", "١", "１"])
def test_a_count_is_written_in_plain_digits(tmp_path, count):
    """Python reads 1_0 as 10."""
    path = tmp_path / "matrix.csv"
    path.write_text(f"a,b\n{count},2\n3,4\n")
    with pytest.raises(ValueError, match=f"'{count}' in row 1, column 1 of the counts is not a number"):
        read_matrix_file(path)
    with pytest.raises(ValueError, match=f"'{count}' is not a number"):
        read_matrix(f"{count} 2; 3 4")


@pytest.mark.parametrize("text", ["[" * 100_000 + "1" + "]" * 100_000, '{"counts": ' + "[" * 100_000])
def test_json_that_is_nested_too_deeply_is_one_line(tmp_path, text):
    path = tmp_path / "matrix.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"matrix\.json holds no confusion matrix: its JSON is nested too deeply$"):
        read_matrix_file(path)
    with pytest.raises(ValueError, match="nested too deeply") as told:
        read_matrix(text)
    assert len(str(told.value)) < 1000


def test_a_damaged_array_of_numpy_is_one_line(tmp_path):
    """Whatever is cut off or overwritten: the shape, the type, the header, the numbers."""
    path = tmp_path / "matrix.npy"
    np.save(path, np.array([[50, 3], [4, 20]]))
    whole = path.read_bytes()
    broken = [whole[:size] for size in range(6, len(whole), 7)]
    broken += [
        whole.replace(b"(2, 2)", shape) for shape in (b"(2, x)", b"(2,-2)", b"(9,9) ", b"(1<<5)", b"[2, 2]", b"((((((")
    ]
    broken += [whole.replace(b"<i8", kind) for kind in (b"|O8", b"zzz", b"<U9", b"'; '")]
    broken.append(whole.replace(b"(2, 2), }      ", b"(2, 999999999)}"))
    broken.append(whole[:8] + b"\xff\xff" + whole[10:])
    for content in broken:
        path.write_bytes(content)
        with pytest.raises((ValueError, TypeError), match=r"^\S+matrix\.npy holds no confusion matrix: .+$") as told:
            read_matrix_file(path)
        assert "\n" not in str(told.value)


def test_a_full_disk_is_not_blamed_on_a_matrix_that_is_piped_in(monkeypatch):
    """Standard input is copied before it is read: what cannot be written is the copy."""

    def full(stream, target, start=b""):
        raise NotCopiedError("no space left on device")

    monkeypatch.setattr(matrix_files, "copied", full)
    monkeypatch.setattr(matrix_files, "standard_input", lambda: io.BytesIO(b"50 3\n4 20\n"))
    said = r"^standard input has to be copied .* could not be written \(no space left on device\): make room .* TMPDIR"
    with pytest.raises(OSError, match=said):
        read_matrix_file("-")
