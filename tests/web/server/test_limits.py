"""A question of any size is answered or given up in a process of its own; whoever leaves or ends it need not wait."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from goodmeasure.web import limits
from goodmeasure.web.routes import QUICK
from tests.web.client import MATRIX, asked, refused

SERVER = [sys.executable, "-m", "goodmeasure.cli", "explore", "--no-browser", "--port", "0"]


def matrix(m, most=1000):
    counts = np.random.default_rng(m).integers(0, most, (m, m))
    counts[np.arange(m), np.arange(m)] += 10 * most
    return {"counts": counts.tolist()}


def question(kind, m, **more):
    """A question about a matrix of m classes, and whether the server may answer it itself."""
    data = {"matrix": matrix(m), "measure": "mcc", "target": 0.99, **more}
    return data, QUICK[kind].read(data).work <= QUICK[kind].most


@pytest.mark.parametrize("m", [60, 200])
@pytest.mark.parametrize("kind", QUICK)
def test_many_classes_are_answered_by_another_process(client, kind, m):
    data, is_quick = question(kind, m)
    assert not is_quick
    before = memory()
    found = asked(client, kind, **data)
    assert memory() < before + 300
    if kind == "reach":
        assert re.fullmatch(r"The \d+ most frequent kinds of errors were tried; [\d,]+ kinds are .*", found["note"])
        assert found["ways"] or found["unreachable"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [("reach", {"matrix": {"counts": [[10**12] * 5] * 5}}), ("evaluate", {"matrix": matrix(10), "measures": "all"}),
     ("evaluate", {"matrix": matrix(30), "measures": ["confusion_entropy"]}),
     ("baselines", {"matrix": matrix(20), "measures": ["correlation_distance"]}),
     ("baselines", {"matrix": matrix(3), "measures": "all"}), ("evaluate", {"matrix": MATRIX, "statement": True})],
)  # fmt: skip
def test_few_classes_may_mean_much_work_too(kind, data):
    assert not question(kind, 2, **data)[1]


@pytest.mark.parametrize("kind", QUICK)
def test_the_usual_questions_wait_for_no_process(kind):
    assert all(question(kind, m)[1] for m in (2, 3))


def test_what_takes_too_long_is_given_up_with_a_sentence(client, monkeypatch):
    monkeypatch.setattr(limits, "QUESTION_SECONDS", 0.05)
    said = refused(client, "reach", question("reach", 60)[0])
    assert said["message"].startswith("This takes longer than 0.05 seconds, and was stopped")
    assert asked(client, "evaluate", matrix=MATRIX)["n"] == 77


def memory():
    """The most memory that this process has had, in MB."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) // 1024


def children(pid):
    """The processes that a process has started, with the processor time that each has used so far."""
    found = {}
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        user, system = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]
        found[int(child)] = int(user) + int(system)
    return found


def until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked at in /proc")
def test_whoever_leaves_stops_the_work_and_the_server_ends_at_once():
    """All measures on 60 classes take a minute; a page that is left, and Ctrl-C, end that."""
    server = subprocess.Popen(SERVER, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
        long = json.dumps({"matrix": matrix(60), "measures": "all"}).encode()
        head = f"POST /api/baselines HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(long)}\r\n\r\n".encode()

        def ask():
            sent = socket.create_connection(("127.0.0.1", port))
            sent.sendall(head + long)
            return sent

        first = ask()
        until(lambda: children(server.pid))
        worker = next(iter(children(server.pid)))
        until(lambda: children(server.pid)[worker] > 150)  # it is at work, after its imports
        first.close()
        until(lambda: worker not in children(server.pid), limits.LEFT_SECONDS + 5)
        with ask():
            until(lambda: children(server.pid))
            begun = time.monotonic()
            server.send_signal(signal.SIGINT)
            out, err = server.communicate(timeout=20)
            assert time.monotonic() - begun < 6
        assert (server.returncode, err) == (0, "")
        assert out.endswith("The server has stopped.\n")
    finally:
        server.kill()
        server.communicate()
