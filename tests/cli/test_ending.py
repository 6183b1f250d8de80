"""Whatever ends the command early is one line with a status, and leaves nothing temporary behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.signals import not_ignored

COMMAND = [sys.executable, "-m", "goodmeasure.cli"]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and closed streams as POSIX has them")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_command_with_nothing_left_in_the_temporary_folder(tmp_path, number):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [*COMMAND, "evaluate", "-", "--no-report"]
    with not_ignored(number):
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    with process:
        process.stdin.write(b"label,pred\n" + b"a,b\n" * 500_000)
        process.stdin.flush()
        end = time.monotonic() + 60
        while not list(tmp_path.glob("goodmeasure-*/*")) and time.monotonic() < end:
            time.sleep(0.02)
        assert list(tmp_path.iterdir()), "the input is being copied"
        process.send_signal(number)
        said = process.stderr.read()
        assert process.wait(60) == 128 + number
    assert said.decode().split() == ["Aborted!"]
    assert list(tmp_path.iterdir()) == []


def test_a_hangup_that_is_ignored_stays_ignored():
    """As nohup wants it."""
    code = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from goodmeasure.cli.ending import ended_in_one_line\n"
        "with ended_in_one_line(): assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("redirected", "said"),
    [
        ("evaluate p.csv --no-report >&-", "error: standard output is closed: send it to a file, or to /dev/null\n"),
        ("evaluate - --no-report <&-", "error: standard input cannot be read: it is closed\n"),
        ("evaluate nowhere.csv 2>&-", ""),
    ],
)
def test_a_closed_stream_is_one_line(tmp_path, redirected, said):
    (tmp_path / "p.csv").write_text("label,pred\na,a\nb,b\n")
    command = f"'{sys.executable}' -m goodmeasure.cli {redirected}"
    run = subprocess.run(["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (2, said)


def test_a_matrix_from_a_closed_stream_is_one_line(monkeypatch, capsys):
    """Python sets a standard stream that is closed to None."""
    from goodmeasure.cli.__main__ import run

    monkeypatch.setattr(sys, "stdin", None)
    monkeypatch.setattr(sys, "argv", ["goodmeasure", "evaluate", "--matrix", "-", "--no-report"])
    with pytest.raises(SystemExit) as ended:
        run()
    assert (ended.value.code, capsys.readouterr().err) == (2, "error: standard input cannot be read: it is closed\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "there is not enough memory"),
        (RecursionError(), "nested too deeply"),
        (ImportError("libx.so: failed to map"), "a library cannot be loaded: libx.so: failed to map"),
    ],
)
def test_what_a_command_cannot_survive_is_one_line(monkeypatch, capsys, error, said):
    import goodmeasure.cli.main as loaded
    from goodmeasure.cli.__main__ import run

    def failing(**_):
        raise error

    monkeypatch.setattr(loaded, "main", failing)
    with pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.startswith("error: ")
    assert said in told
    assert told.count("\n") == 1
