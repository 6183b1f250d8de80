"""Log an evaluation to MLflow: every number as a metric, the confusion matrix and the report as artifacts.

    python examples/track_with_mlflow.py

writes a run to where MLFLOW_TRACKING_URI says (by default the database mlflow.db), and `mlflow ui` shows it.
With mlflow-skinny, which has no database, use a folder: MLFLOW_TRACKING_URI=file:./mlruns MLFLOW_ALLOW_FILE_STORE=true.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import mlflow
import numpy as np

import goodmeasure as gm


def predictions() -> tuple[np.ndarray, np.ndarray]:
    """Stand in for your own labels."""
    rng = np.random.default_rng(0)
    true = rng.choice(["ham", "spam"], 500, p=[0.8, 0.2])
    return true, np.where(rng.random(500) < 0.9, true, "ham")


def log(result: gm.Result) -> None:
    """Log a result to the active run."""
    mlflow.log_metrics(result.metrics("test/"))
    mlflow.log_text(result.matrix().to_json(), "confusion_matrix.json")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        result.to_html(report)
        mlflow.log_artifact(str(report))


def main() -> str:
    mlflow.set_experiment("spam filter")
    with mlflow.start_run(run_name="logistic regression") as run:
        log(gm.evaluate(*predictions(), positive="spam"))
    print(f"run {run.info.run_id} is in {mlflow.get_tracking_uri()}")
    return str(run.info.run_id)


if __name__ == "__main__":
    main()
