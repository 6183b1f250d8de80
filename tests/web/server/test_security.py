"""Only the page itself may ask, and what is too large, broken or hostile is refused while the page goes on."""

from __future__ import annotations

import gzip
import json
from urllib.parse import quote

import pytest

from goodmeasure.web import limits
from goodmeasure.web.guard import names_of
from tests.web.client import MATRIX, TOKEN, asked, opened, refused

HOSTILE = [
    "<script>alert(1)</script>",
    "'\"><img src=x onerror=alert(1)>",
    "\u202etxt",
    "a\nb",
    "{{7*7}}",
    "%s%n",
    "\ud800",
]


@pytest.mark.parametrize("path", ["/", "/api/config.json", "/measuring.js", "/nothing", "/api/evaluate"])
def test_every_answer_has_the_policy(client, path):
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'self'")
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil.example:8642", "", "[::2]", "a b", "[x", "evil.example@127.0.0.1",
     "127.0.0.1/evil", "127.0.0.1?evil", "127.0.0.1#evil", "127.0.0.1:80:80", "127.0.0.1:x", "[127.0.0.1]x"],
)  # fmt: skip
def test_a_foreign_host_is_refused(client, host):
    reply = client.get("/api/config.json", headers={"host": host})
    assert reply.status_code == 400
    assert "is not a name of this server" in reply.json()["error"]["message"]


@pytest.mark.parametrize("host", ["127.0.0.1:8642", "localhost:8642", "LOCALHOST", "[::1]:8642"])
def test_the_server_knows_its_own_names(client, host):
    assert client.get("/api/config.json", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "file://", "http://localhost:8642"]
)
def test_a_foreign_origin_is_refused(client, origin):
    reply = client.post("/api/evaluate", json={"matrix": MATRIX}, headers={"origin": origin})
    assert reply.status_code == 403


def test_the_page_itself_may_ask(client):
    headers = {"origin": "http://127.0.0.1:8642", "sec-fetch-site": "same-origin"}
    assert client.post("/api/evaluate", json={"matrix": MATRIX}, headers=headers).status_code == 200


def test_another_site_may_link_to_the_page_but_not_read_it(client):
    across = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/measures.js", headers=across).status_code == 403
    assert client.get("/", headers={**across, "sec-fetch-mode": "navigate"}).status_code != 403


def test_on_an_open_address_any_address_is_a_name_but_no_foreign_name():
    with opened(host="0.0.0.0") as client:
        assert client.get("/api/config.json", headers={"host": "192.168.1.7:8642"}).status_code == 200
        assert client.get("/api/config.json", headers={"host": "evil.example"}).status_code == 400
    assert names_of("127.0.0.1")[1] is False
    assert names_of("0.0.0.0")[1] is True


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"[]", b"3", b'"x"', b"\xff\xfe", b"[" * 200_000, b'{"matrix": NaN}',
     b'{"matrix": {"counts": [[1e999]]}}', b'{"matrix": {"counts": [[' + b"9" * 5000 + b"]]}}",
     b'{"a": ' * 5000 + b"1" + b"}" * 5000],
    ids=lambda x: repr(x[:30]),
)  # fmt: skip
def test_malformed_json_is_refused(client, body):
    reply = client.post("/api/evaluate", content=body)
    assert reply.status_code == 400
    assert reply.json()["error"]["message"]
    assert asked(client, "evaluate", matrix=MATRIX)["n"] == 77


@pytest.mark.parametrize(
    "matrix",
    [None, 3, [], {}, {"counts": 3}, {"counts": []}, {"counts": [[1, 2]]}, {"counts": [[1, "2"], [3, 4]]},
     {"counts": [[1, -2], [3, 4]]}, {"counts": [[0, 0], [0, 0]]}, {"counts": [[True, 1], [1, 1]]},
     {"counts": [[1, 1e300], [1, 1]]},
     {"counts": [[1, 2], [3, 4]], "labels": ["a"]}, {"counts": [[1, 2], [3, 4]], "labels": ["a", "a"]},
     {"counts": [[1, 2], [3, 4]], "labels": [1, 2]}, {"counts": [[1, 2], [3, 4]], "labels": ["a", "b" * 1000]},
     {"counts": [[None, 1], [1, 1]]}],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("route", ["evaluate", "reach", "baselines"])
def test_a_matrix_that_is_none_is_refused(client, route, matrix):
    assert refused(client, route, {"matrix": matrix, "measure": "mcc", "target": 0.5})["argument"] in (
        "matrix",
        "counts",
        "labels",
    )


def test_ten_thousand_classes_are_refused(client):
    row = "[" + ",".join(["0"] * 10_000) + "]"
    body = '{"matrix": {"counts": [' + ",".join([row] * 150) + "]}}"
    reply = client.post("/api/evaluate", content=body)
    assert reply.status_code == 400
    many = {"counts": [[1]] * 10_000}
    assert refused(client, "evaluate", {"matrix": many})["message"].startswith(
        "The matrix has 10,000 classes, and this page takes up to 200"
    )
    labels = "label,pred\n" + "\n".join(f"c{k},c{k + 1}" for k in range(10_000))
    found = client.post(f"/api/upload/{TOKEN}?name=x.csv", content=labels).json()
    assert "10,001 classes" in found["problem"]  # another column may have fewer
    assert not found["matrices"]


def test_a_body_that_is_too_large_is_refused_and_never_kept(client, monkeypatch):
    monkeypatch.setattr(limits, "JSON_BYTES", 1000)
    reply = client.post("/api/evaluate", content=b" " * 5000)
    assert reply.status_code == 413
    assert "is larger than" in reply.json()["error"]["message"]


def pieces(size, many):
    for _ in range(many):
        yield b"x" * size


def test_a_huge_upload_is_refused_by_its_declared_size(client):
    headers = {"content-length": str(10**9)}
    reply = client.post(f"/api/upload/{TOKEN}?name=x.csv", content=pieces(1000, 3), headers=headers)
    assert reply.status_code == 413
    assert "is larger than 200 million bytes" in reply.json()["error"]["message"]


def test_a_huge_upload_without_a_declared_size_is_refused(client, monkeypatch):
    monkeypatch.setattr(limits, "UPLOAD_BYTES", 10_000)
    reply = client.post(f"/api/upload/{TOKEN}?name=x.csv", content=pieces(1000, 300))
    assert reply.status_code == 413
    assert asked(client, "evaluate", matrix=MATRIX)["n"] == 77


def test_a_zip_bomb_is_refused(client):
    bomb = gzip.compress(b"label,pred\n" + b"a,b\n" * 10)  # what follows is as long as one likes, and packs to nothing
    bomb += gzip.compress(b"0" * 10_000_000) * 45
    reply = client.post(f"/api/upload/{TOKEN}?name=bomb.csv.gz", content=bomb)
    assert reply.status_code == 400
    assert "unpacks to more than 400 million bytes" in reply.json()["error"]["message"]


def test_a_parquet_bomb_is_read_within_limits(client, tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "bomb.parquet"
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 5_000_000, pa.int8()), pa.array(["x"]))
    pq.write_table(pa.table({"label": column, "pred": column}), path)
    assert path.stat().st_size < 100_000
    reply = client.post(f"/api/upload/{TOKEN}?name=bomb.parquet", content=path.read_bytes())
    assert reply.status_code in (200, 400)
    assert asked(client, "evaluate", matrix=MATRIX)["n"] == 77


@pytest.mark.parametrize(
    "content",
    [b"PK\x03\x04" + b"\0" * 100, b"\x1f\x8b\x08\0", b"PAR1" + b"\0" * 50, b"\x80\x05\x95", b"\0" * 1000, b"%PDF-1.4"],
)
def test_a_file_that_is_no_table_is_refused(client, content):
    reply = client.post(f"/api/upload/{TOKEN}?name=x", content=content)
    assert reply.status_code == 400
    assert reply.json()["error"]["message"]


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_stay_text(client, label):
    body = json.dumps({"matrix": {"labels": [label, "other"], "counts": [[5, 1], [2, 7]]}})
    reply = client.post("/api/evaluate", content=body)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/json"
    kept = reply.json()["by_class"][0]["label"]
    assert kept == label or label == "\ud800"


def test_hostile_labels_in_files_stay_text_in_the_report(client):
    rows = "label,pred\n" + "\n".join(["<script>alert(1)</script>,x", "x,x", "x,<script>alert(1)</script>"] * 20)
    query = {"name": "<b>.csv", "true": "label", "pred": "pred", "measures": "accuracy"}
    reply = client.post(f"/api/report/{TOKEN}", content=rows, params=query)
    assert reply.status_code == 200
    assert "<script>alert(1)" not in reply.text
    assert reply.headers["content-disposition"].startswith("attachment")


@pytest.mark.parametrize(
    "name", ["x" * 100_000, "macro(" * 500 + "f1" + ")" * 500, "__import__('os')", "fbeta(10**9**9)", "\0"]
)
@pytest.mark.parametrize("route", ["evaluate", "baselines"])
def test_a_hostile_name_of_a_measure_is_refused(client, name, route):
    assert refused(client, route, {"matrix": MATRIX, "measures": [name]})["message"]


@pytest.mark.parametrize(
    "path", ["/..%2f..%2fpyproject.toml", "/%2e%2e/application.py", "/../server.py", "/static/../guard.py", "/.%00"]
)
def test_no_other_file_is_served(client, path):
    assert client.get(path).status_code in (400, 404)


def test_a_module_in_the_current_folder_is_not_run(tmp_path, monkeypatch):
    for name in ("resource", "duckdb", "signal"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write({name!r})\n")
    monkeypatch.chdir(tmp_path)
    with opened() as client:
        assert client.post("/api/formula", json={"text": "tp / n"}).status_code == 200
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("token", [None, "", "wrong", "a-token-for-test", "\udcff"])
def test_the_name_of_the_file_needs_the_token(tmp_path, token):
    path = tmp_path / "secret.csv"
    path.write_text("ham,spam\n50,3\n4,20\n")
    with opened(file=path) as client:
        query = "" if token is None else f"?token={quote(token, errors='surrogatepass')}"
        reply = client.get(f"/api/config.json{query}")
        assert reply.status_code == 200
        assert reply.json()["file"] is None
        assert "secret" not in reply.text
