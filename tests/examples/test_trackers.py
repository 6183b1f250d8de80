"""The examples for experiment trackers run against the real libraries, which then hold what was measured."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import goodmeasure as gm
from tests.needs import needs_library

EXAMPLES = Path(__file__).parents[2] / "examples"
_BLOCK = 32_768  # bytes of the log that wandb writes


def run(script: str, *arguments: str, **environment: str) -> str:
    """Run an example, and return what it prints."""
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / script), *arguments], capture_output=True, text=True, timeout=180, check=False,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def result():
    """What both examples measure."""
    rng = np.random.default_rng(0)
    true = rng.choice(["ham", "spam"], 500, p=[0.8, 0.2])
    return gm.evaluate(true, np.where(rng.random(500) < 0.9, true, "ham"), positive="spam")


def test_mlflow_holds_every_number_and_the_artifacts(tmp_path, result):
    needs_library("mlflow")
    run("track_with_mlflow.py", MLFLOW_TRACKING_URI=tmp_path.as_uri(), MLFLOW_ALLOW_FILE_STORE="true")
    (metrics,) = tmp_path.glob("*/*/metrics")
    found = {
        x.relative_to(metrics).as_posix(): float(x.read_text().split()[1]) for x in metrics.rglob("*") if x.is_file()
    }
    assert found == pytest.approx(result.metrics("test/"))
    (artifacts,) = tmp_path.glob("*/*/artifacts")
    text = (artifacts / "confusion_matrix.json").read_text(encoding="utf-8")
    assert gm.ConfusionMatrix.from_json(text) == result.matrix()
    assert "<html" in (artifacts / "report.html").read_text(encoding="utf-8")


def test_mlflow_accepts_any_names(tmp_path, monkeypatch):
    needs_library("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    from mlflow import MlflowClient

    labels = ["a/b", "a b", "..", "日本", "x" * 300, "c:d", "=", "a|b", "items"]
    systems = {"A/B": labels * 2, "mcc": labels * 2, "items": labels[::-1] * 2}
    numbers = gm.evaluate(labels * 2, systems, measures=["mcc", "macro(f1)"], confidence=None).metrics("a b/")
    client = MlflowClient(tracking_uri=tmp_path.as_uri())
    run_id = client.create_run(client.create_experiment("names")).info.run_id
    for name, number in numbers.items():
        client.log_metric(run_id, name, number)
    assert client.get_run(run_id).data.metrics == numbers


def records(path: Path):
    """The records of a log in LevelDB's format, in which a long record is cut into pieces."""
    data, at, whole = path.read_bytes(), 7, b""
    while at + 7 <= len(data):
        left = _BLOCK - at % _BLOCK
        if left < 7:
            at += left
            continue
        _, length, kind = struct.unpack_from("<IHB", data, at)
        if kind == 0:
            break
        whole += data[at + 7 : at + 7 + length]
        at += 7 + length
        if kind in (1, 4):  # whole, or the last piece
            yield whole
            whole = b""


@pytest.mark.filterwarnings("ignore:The '(repr|frozen)' attribute with value:UserWarning")  # old wandb, new pydantic
def test_wandb_holds_every_number_and_the_artifacts(tmp_path, result):
    needs_library("wandb")
    from wandb.proto import wandb_internal_pb2

    run("track_with_wandb.py", str(tmp_path), WANDB_MODE="offline", WANDB_SILENT="true")
    (log,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    found, files = {}, []
    for text in records(log):
        record = wandb_internal_pb2.Record()
        record.ParseFromString(text)
        for item in record.history.item:
            found[item.key or "/".join(item.nested_key)] = json.loads(item.value_json)
        files += [x.path for x in record.artifact.manifest.contents]
        files += [x.path for x in record.request.log_artifact.artifact.manifest.contents]
    assert {name: found[name] for name in result.metrics("test/")} == pytest.approx(result.metrics("test/"))
    assert "report.html" in files
    (table,) = tmp_path.glob("wandb/offline-run-*/files/media/table/test/confusion_matrix_*.json")
    data = json.loads(table.read_text())
    assert data["columns"] == ["true", "predicted", "count"]
    assert [tuple(x) for x in data["data"]] == [tuple(x.values()) for x in result.matrix().to_arrow().to_pylist()]


def test_the_documentation_shows_what_the_examples_do():
    page = (EXAMPLES.parent / "docs" / "trackers.md").read_text(encoding="utf-8")
    for name in ("track_with_mlflow.py", "track_with_wandb.py"):
        body = re.search(
            r"^def log\(.*?\n\n\n", (EXAMPLES / name).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
        )
        assert body is not None
        assert body.group().strip() in page


@pytest.mark.filterwarnings("ignore")  # MLflow warns of its own type hints
def test_mlflow_evaluates_a_model_with_goodmeasure(tmp_path, monkeypatch):
    needs_library("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    import mlflow
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression

    data, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = LogisticRegression(solver="liblinear").fit(data[:300], y[:300])
    data, y = data[300:].assign(label=y[300:]), y[300:].tolist()
    mlflow.set_tracking_uri(tmp_path.as_uri())
    mlflow.set_experiment("classifiers")
    given = {"evaluators": "goodmeasure", "model_type": "classifier", "targets": "label"}
    config = {"measures": ["mcc", "f1"], "positive": 0}
    with mlflow.start_run() as run:
        found = mlflow.models.evaluate(lambda x: model.predict(x), data, evaluator_config=config, **given)
    expected = gm.evaluate(y, model.predict(data.drop(columns="label")), **config).metrics()
    assert found.metrics == pytest.approx(expected)
    assert mlflow.get_run(run.info.run_id).data.metrics == pytest.approx(expected)
    (matrix,) = tmp_path.glob("**/goodmeasure/confusion_matrix.json")
    assert gm.ConfusionMatrix.from_json(matrix.read_text(encoding="utf-8")).n == len(y)
    assert "<html" in matrix.with_name("report.html").read_text(encoding="utf-8")
    with mlflow.start_run():
        given |= {"predictions": "said"}
        found = mlflow.models.evaluate(data=data.assign(said=y), evaluator_config=config, **given)
    assert found.metrics["mcc"] == 1
