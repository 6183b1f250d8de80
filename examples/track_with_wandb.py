"""Log an evaluation to Weights & Biases: every number, the confusion matrix as a table, and the report as an artifact.

    WANDB_MODE=offline python examples/track_with_wandb.py [FOLDER]

writes a run to FOLDER (by default .), which `wandb sync` sends to a server.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import wandb

import goodmeasure as gm


def predictions() -> tuple[np.ndarray, np.ndarray]:
    """Stand in for your own labels."""
    rng = np.random.default_rng(0)
    true = rng.choice(["ham", "spam"], 500, p=[0.8, 0.2])
    return true, np.where(rng.random(500) < 0.9, true, "ham")


def log(run: wandb.Run, result: gm.Result) -> None:
    """Log a result to a run."""
    run.log(result.metrics("test/"))
    cells = result.matrix().to_arrow().to_pylist()
    rows = [[cell["true"], cell["predicted"], cell["count"]] for cell in cells]
    run.log({"test/confusion_matrix": wandb.Table(columns=["true", "predicted", "count"], data=rows)})
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.html"
        result.to_html(report)
        artifact = wandb.Artifact("evaluation", type="report")
        artifact.add_file(str(report))
        run.log_artifact(artifact)


def main(folder: str) -> str:
    with wandb.init(project="spam-filter", dir=folder) as run:
        log(run, gm.evaluate(*predictions(), positive="spam"))
    print(f"run {run.id} is in {run.dir}")
    return str(run.dir)


if __name__ == "__main__":
    main(*(sys.argv[1:] or ["."]))
