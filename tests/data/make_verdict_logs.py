"""Write the logs with verdicts in tests/data/logs, each by the tool itself: python tests/data/make_verdict_logs.py TOOL

No model is asked: answers are prepared, and metrics compare texts. `make logs` installs each tool (inspect, deepeval,
promptfoo, mlflow, ragas) into an environment of its own, runs this file there, and notes the version.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import types
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent / "logs"
ANSWERS = ["red", "red", "blue", "I cannot say", "green", "blue", "red", "green"]
TARGETS = ["red", "blue", "blue", "red", "green", "blue", "green", "green"]


def inspect() -> str:
    """Write a run that a model graded, of two epochs with partial credit, and one of which some samples failed."""
    import tiktoken  # inspect_ai counts tokens with it, and would download its tables

    tiktoken.get_encoding = lambda name: types.SimpleNamespace(encode=lambda text, **_: text.split())
    from inspect_ai import Task
    from inspect_ai import eval as evaluated
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.scorer import model_graded_qa
    from inspect_ai.solver import generate, solver

    data = MemoryDataset(
        [Sample(id=f"q{k}", input=f"What colour is item {k}?", target=x) for k, x in enumerate(TARGETS)]
    )
    outputs = [ModelOutput.from_content("mockllm/model", x) for x in ANSWERS * 2]
    grades = [ModelOutput.from_content("mockllm/model", f"GRADE: {x}") for x in "CICICCPCCICPCCIC"]

    @solver
    def breaks_down():
        async def solve(state, _):
            if state.sample_id in ("q1", "q4"):
                raise ValueError("the service is down")
            return state

        return solve

    def graded():
        return model_graded_qa(model=get_model("mockllm/model", custom_outputs=list(grades)), partial_credit=True)

    def run(name: str, first: list[object], **options: object) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            model = get_model("mockllm/model", custom_outputs=list(outputs))
            task = Task(dataset=data, solver=[*first, generate()], scorer=graded(), name="colours")
            (log,) = evaluated(
                task, model=model, log_dir=folder, log_format="json", display="none", max_samples=1, **options
            )
            packed = gzip.compress(Path(log.location).read_bytes(), mtime=0)
            (HERE / f"inspect-{name}.json.gz").write_bytes(packed)

    run("graded", [], epochs=2)
    run("failed", [breaks_down()], fail_on_error=False)
    return version("inspect-ai")


def deepeval() -> str:
    """Write a test run with two metrics."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.environ.update(DEEPEVAL_TELEMETRY_OPT_OUT="YES", DEEPEVAL_RESULTS_FOLDER=folder, ERROR_REPORTING="NO")
        from deepeval import evaluate
        from deepeval.evaluate.configs import AsyncConfig, CacheConfig, DisplayConfig
        from deepeval.metrics import BaseMetric
        from deepeval.test_case import LLMTestCase

        class Same(BaseMetric):
            def __init__(self, threshold: float = 0.5) -> None:
                self.threshold, self.async_mode, self.strict_mode = threshold, False, False
                self.include_reason, self.verbose_mode, self.evaluation_model, self.error = False, False, None, None

            def value(self, case) -> float:
                return float(case.actual_output == case.expected_output)

            def measure(self, case, *_, **__) -> float:
                self.score = self.value(case)
                self.success, self.reason = self.score >= self.threshold, ""
                return self.score

            async def a_measure(self, case, *_, **__) -> float:
                return self.measure(case)

            def is_successful(self) -> bool:
                return self.success

            @property
            def __name__(self) -> str:
                return type(self).__name__

        class Short(Same):
            def value(self, case) -> float:
                return min(1.0, 5 / len(case.actual_output))

        cases = [
            LLMTestCase(input=f"What colour is item {k}?", actual_output=x, expected_output=y)
            for k, (x, y) in enumerate(zip(ANSWERS, TARGETS, strict=True))
        ]
        evaluate(
            cases, [Same(), Short()], async_config=AsyncConfig(run_async=False),
            display_config=DisplayConfig(show_indicator=False, print_results=False),
            cache_config=CacheConfig(write_cache=False),
        )  # fmt: skip
        (path,) = Path(folder).glob("test_run_*.json")
        shutil.copy(path, HERE / "deepeval.json")
    return version("deepeval")


def promptfoo() -> str:
    """Write the results of a provider that repeats its prompt, three times."""
    cases = [
        {"description": f"item {k}", "vars": {"said": x}, "assert": [{"type": "contains", "value": y}]}
        for k, (x, y) in enumerate(zip(ANSWERS, TARGETS, strict=True))
    ]
    config = {"description": "colours", "prompts": ["It is {{said}}"], "providers": ["echo"], "tests": cases[:6]}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "promptfooconfig.json").write_text(json.dumps(config))
        home = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": folder}
        command = ["promptfoo", "eval", "-c", "promptfooconfig.json", "-o", "out.json", "--repeat", "3", "--no-table"]
        subprocess.run(command, cwd=folder, env={**os.environ, **home}, capture_output=True)  # 100: a test fails
        shutil.copy(Path(folder) / "out.json", HERE / "promptfoo.json")
        return subprocess.run(
            ["promptfoo", "--version"], capture_output=True, text=True, env={**os.environ, **home}
        ).stdout


def mlflow() -> str:
    """Write an evaluation table with a metric by item."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        import mlflow
        import pandas as pd
        from mlflow.metrics import MetricValue, make_metric

        def same(predictions, targets):
            return MetricValue(scores=[float(x == y) for x, y in zip(predictions, targets, strict=True)])

        mlflow.set_tracking_uri(f"sqlite:///{folder}/runs.db")
        data = pd.DataFrame({"inputs": range(8), "said": ANSWERS, "ground_truth": TARGETS})
        with mlflow.start_run():
            found = mlflow.models.evaluate(
                data=data, predictions="said", targets="ground_truth",
                extra_metrics=[make_metric(eval_fn=same, greater_is_better=True, name="same")],
            )  # fmt: skip
        table = found.tables["eval_results_table"]
        (HERE / "mlflow_eval_results_table.json").write_text(table.to_json(orient="split", index=False))
    return version("mlflow")


def ragas() -> str:
    """Write results of two metrics that need no model, as JSON lines."""
    from ragas import EvaluationDataset, evaluate
    from ragas.metrics import ExactMatch, StringPresence

    data = [
        {"user_input": f"What colour is item {k}?", "response": x, "reference": y}
        for k, (x, y) in enumerate(zip(ANSWERS, TARGETS, strict=True))
    ]
    found = evaluate(EvaluationDataset.from_list(data), metrics=[ExactMatch(), StringPresence()], show_progress=False)
    found.to_pandas().to_json(HERE / "ragas.jsonl", orient="records", lines=True)
    return version("ragas")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        written = globals()[name]().strip()
        known = HERE / "versions.json"
        versions = json.loads(known.read_text()) if known.exists() else {}
        known.write_text(json.dumps({**versions, name: written}, indent=1, sort_keys=True) + "\n")
