"""MLflow's `mlflow.models.evaluate(…, evaluators="goodmeasure")`: every number with its interval, and the report."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import mlflow
from mlflow.models import EvaluationResult
from mlflow.models.evaluation.base import ModelEvaluator

from goodmeasure.evaluation.evaluate import evaluate
from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

REPORT, MATRIX = "goodmeasure/report.html", "goodmeasure/confusion_matrix.json"


class Evaluator(ModelEvaluator):  # type: ignore[misc]
    """Evaluates a classifier; `evaluator_config` holds options of `gm.evaluate`, such as `positive` or `measures`."""

    @classmethod
    def can_evaluate(cls, *, model_type: str | None, evaluator_config: object, **more: object) -> bool:
        """Return whether the model is a classifier."""
        return model_type == "classifier"

    def evaluate(
        self, *, dataset: object, run_id: str, evaluator_config: Mapping[str, object] | None = None,
        model: object = None, **more: object,
    ) -> EvaluationResult:  # fmt: skip
        """Evaluate the predictions of a data set or of a model, and log numbers, report and matrix to the run."""
        true = getattr(dataset, "labels_data", None)
        if true is None:
            raise InputError("the data set names no true labels", argument="targets", advice="give targets=")
        predicted = getattr(dataset, "predictions_data", None)
        if model is not None:
            predicted = model.predict(dataset.features_data)  # type: ignore[attr-defined]
        result = evaluate(true, predicted, **(evaluator_config or {}))  # type: ignore[arg-type]
        metrics = result.metrics()
        client = mlflow.MlflowClient()
        for name, number in metrics.items():
            client.log_metric(run_id, name, number)
        client.log_text(run_id, result.matrix().to_json(), MATRIX)
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / Path(REPORT).name
            result.to_html(report)
            client.log_artifact(run_id, str(report), str(Path(REPORT).parent))
        return EvaluationResult(metrics=metrics, artifacts={}, run_id=run_id)
