"""`goodmeasure explore`: the address, a busy port, a clean end, and the static version."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from click.testing import CliRunner

from goodmeasure.cli.main import main
from goodmeasure.web import export as exporting
from goodmeasure.web.server import address, free_port, listening

COMMAND = [sys.executable, "-m", "goodmeasure.cli", "explore", "--no-browser", "--port", "0"]


@pytest.fixture(scope="module")
def server():
    process = subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    yield process, re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)[0]
    if process.poll() is None:
        process.kill()
        process.wait()
    process.stdout.close()
    process.stderr.close()


def test_it_serves_the_page_and_ends_cleanly(server):
    process, found = server
    base, _, token = found.partition("?token=")
    assert len(token) >= 20
    with urllib.request.urlopen(f"{base}api/config.json") as reply:
        assert json.load(reply)["static"] is False
    with urllib.request.urlopen(found) as reply:
        assert reply.headers["content-type"].startswith("text/html")
    _begin_long_work(base)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0
    assert out.endswith("The server has stopped.\n")
    assert err == ""
    listening("127.0.0.1", int(re.search(r":(\d+)/", found)[1])).close()


def _begin_long_work(base):
    """Ask a question that takes long, and do not wait for the answer."""
    question = json.dumps({"measure": "macro(mcc)", "classes": 3}).encode()
    with socket.create_connection(("127.0.0.1", int(base.split(":")[2].strip("/")))) as sent:
        head = f"POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(question)}\r\n\r\n"
        sent.sendall(head.encode() + question)


def test_a_busy_port_is_said_and_the_next_free_one_offered():
    with listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        done = CliRunner().invoke(main, ["explore", "--no-browser", "--port", str(port)])
        assert done.exit_code == 2
        assert f"port {port} is in use by another program" in done.output
        offered = int(re.search(r"use --port (\d+), which is free", done.output)[1])
        assert offered == free_port("127.0.0.1", port)
        listening("127.0.0.1", offered).close()


def test_it_listens_on_this_machine_only():
    option = next(x for x in main.get_command(None, "explore").params if x.name == "host")
    assert option.default == "127.0.0.1"
    with listening("127.0.0.1", 0) as found:
        assert found.getsockname()[0] == "127.0.0.1"


@pytest.mark.parametrize(
    ("host", "shown"),
    [("127.0.0.1", "http://127.0.0.1:80/?token=t"), ("0.0.0.0", "http://127.0.0.1:80/?token=t"),
     ("::1", "http://[::1]:80/?token=t")],
)  # fmt: skip
def test_the_address_can_be_opened(host, shown):
    assert address(host, 80, "t") == shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["nowhere.csv"], "'nowhere.csv', which is not a file"), (["--host", "no such host"], "--host is 'no such host'"),
     (["x.csv", "--export", "y"], "leave FILE out")],
)  # fmt: skip
def test_what_cannot_be_is_said(arguments, said):
    done = CliRunner().invoke(main, ["explore", "--no-browser", *arguments])
    assert done.exit_code == 2
    assert said in done.output


def test_a_folder_with_files_is_not_overwritten(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = CliRunner().invoke(main, ["explore", "--export", str(tmp_path)])
    assert done.exit_code == 2
    assert "which is not empty" in done.output
    assert [x.name for x in tmp_path.iterdir()] == ["mine.txt"]


def test_the_static_version_is_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(exporting.recommending, "_tasks", lambda: [{"classes": 2}, {"classes": 2, "distance": True}])
    done = CliRunner().invoke(main, ["explore", "--export", str(tmp_path / "page")])
    assert done.exit_code == 0, done.output
    folder = tmp_path / "page"
    assert json.loads((folder / "api/config.json").read_text())["static"] is True
    listed = json.loads((folder / "api/measures.json").read_text())["measures"]
    assert all((folder / "api" / x["file"]).is_file() for x in listed)
    found = json.loads((folder / "api/recommendations.json").read_text())
    assert found["answers"][found["keys"]["distance=yes"]]["best"] == "correlation_distance"
    pairs = json.loads((folder / "api/disagreements.json").read_text())
    assert pairs["f1|mcc"]["pairs"]
    for name in ("index.html", "app.js", "measures.js", "measuring.js", "design.css"):
        assert (folder / name).is_file()
