"""A damaged Arrow file is an error in one line, never the end of the process."""

from __future__ import annotations

import subprocess
import sys

import polars as pl
import pyarrow as pa
import pytest
from pyarrow import feather, ipc

from goodmeasure.counts.readers.files.label_files import count_files

LABELS = ["ham", "spam", "eggs", "ham"] * 4096


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, kind):
    """An Arrow file whose buffers lie in it as they are."""
    table = pa.table({"y": LABELS, "A": pa.array(LABELS).dictionary_encode()})
    if kind == "stream":
        with ipc.new_stream(path, table.schema) as stream:
            stream.write_table(table)
    else:
        feather.write_feather(table, path, compression="uncompressed")
    return path.read_bytes()


def in_another_process(path):
    """Count in a process of its own, since what is tested may end it."""
    call = f"count_files({str(path)!r}, y_true='y', y_pred=['A'])"
    code = f"from goodmeasure.counts.readers.files.label_files import count_files; {call}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_an_offset_that_points_far_away_is_damage_and_no_crash(folder, kind):
    path = folder / "p.arrow"
    content = write(path, kind)
    third = b"".join(x.to_bytes(4, "little") for x in (0, 3, 7, 11))  # where the first labels begin and end
    assert third in content
    path.write_bytes(content.replace(third, third[:4] + (0x7FFFFF00).to_bytes(4, "little") + third[8:]))
    run = in_another_process(path)
    assert run.returncode == 1, "the process must live to report the damage"
    assert run.stderr.splitlines()[-1].startswith(
        f"goodmeasure.InputError: {path} is a damaged or cut off Arrow file ("
    )


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_a_code_of_no_category_is_damage(folder, kind):
    path = folder / "p.arrow"
    content = write(path, kind)
    codes = b"".join(x.to_bytes(4, "little") for x in (0, 1, 2, 0) * 4)
    assert codes in content
    path.write_bytes(content.replace(codes, codes[:4] + (0x7FFFFF00).to_bytes(4, "little") + codes[8:], 1))
    run = in_another_process(path)
    assert run.returncode == 1
    assert "is a damaged or cut off Arrow file" in run.stderr.splitlines()[-1]


@pytest.mark.parametrize("kind", ["file", "stream"])
@pytest.mark.parametrize("size", [9, 60, 300, 700, -9, -200])
def test_a_cut_file_is_damage(folder, kind, size):
    path = folder / "p.arrow"
    path.write_bytes(write(path, kind)[:size])
    with pytest.raises(ValueError, match=r"is a damaged or cut off Arrow file \([^\n]+\): write it again$"):
        count_files(path, y_true="y", y_pred=["A"])


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_a_file_that_is_shortened_after_it_was_read_does_not_end_the_process(folder, kind):
    """A file that is mapped into memory ends the process by SIGBUS where another program shortens it."""
    path = folder / "p.arrow"
    write(path, kind)
    code = (
        "import os; from goodmeasure.counts.readers.files.label_files import OpenFiles\n"
        f"with OpenFiles({str(path)!r}) as files:\n"
        f"  frame = files.frame(['y', 'A']); os.truncate({str(path)!r}, 64); print(frame['y'].to_pylist()[-1])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "ham\n"), run.stderr


@pytest.mark.parametrize("cut", [40, 200, 600])
def test_without_pyarrow_damage_is_said_too(folder, monkeypatch, cut):
    import importlib.util

    known = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pyarrow" else known(name))
    path = folder / "p.arrow"
    pl.DataFrame({"y": LABELS, "A": LABELS}).write_ipc(path)
    assert count_files(path, y_true="y", y_pred=["A"]).rows == len(LABELS)
    path.write_bytes(path.read_bytes()[:-cut])
    with pytest.raises(ValueError, match="is a damaged or cut off Arrow file"):
        count_files(path, y_true="y", y_pred=["A"])
