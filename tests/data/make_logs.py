"""Write the logs in tests/data/logs: python -m tests.data.make_logs

The logs of Inspect are written by inspect_ai itself, with a model that gives prepared answers. The samples of
lm-evaluation-harness have the keys and types that its version 0.4 writes with --log_samples.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import types
from pathlib import Path

HERE = Path(__file__).parent / "logs"
LETTERS = "ABC"
INSPECT = {
    "first": ["ANSWER: A", "ANSWER: B", "ANSWER: A", "ANSWER: A", "ANSWER: B", "I do not know"],
    "second": ["ANSWER: A", "ANSWER: B", "ANSWER: C", "ANSWER: C", "ANSWER: B", "ANSWER: C"],
}


def write_inspect() -> None:
    """Write one log as .json and one as .eval."""
    import tiktoken  # inspect_ai counts tokens with it, and would download its tables

    tiktoken.get_encoding = lambda name: types.SimpleNamespace(encode=lambda text, **_: text.split())
    from inspect_ai import Task
    from inspect_ai import eval as evaluated
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ModelOutput, get_model
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    samples = [
        Sample(
            id=f"q{k}",
            input=f"Which colour is item {k}?",
            choices=["red", "green", "blue"],
            target=LETTERS[k % 3],
            metadata={"topic": ["shade", "hue"][k % 2]},
        )
        for k in range(6)
    ]
    for (name, said), kind in zip(INSPECT.items(), ("json", "eval"), strict=True):
        outputs = [ModelOutput.from_content("mockllm/model", x) for x in said]
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            task = Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice(), name="colours")
            model = get_model("mockllm/model", custom_outputs=outputs)
            (log,) = evaluated(task, model=model, log_dir=folder, log_format=kind, display="none", max_samples=1)
            assert log.status == "success", log.error
            shutil.copy(log.location, HERE / f"inspect-{name}.{kind}")


def choices_line(k: int, likelihoods: list[float], target: int) -> dict[str, object]:
    """A line of a task of multiple choice, such as arc_easy."""
    best = likelihoods.index(max(likelihoods))
    pairs = [[str(x), "False"] for x in likelihoods]
    question = f"Question: What is {k}?\nAnswer:"
    return {
        "doc_id": k,
        "doc": {
            "id": f"Q{k}",
            "question": f"What is {k}?",
            "answerKey": LETTERS[target],
            "subject": ["maths", "art"][k % 2],
        },
        "target": str(target),
        "arguments": {f"gen_args_{j}": {"arg_0": question, "arg_1": f" {x}"} for j, x in enumerate(LETTERS)},
        "resps": [[x] for x in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "metrics": ["acc", "acc_norm"],
        "doc_hash": f"{k:064x}",
        "prompt_hash": f"{k + 100:064x}",
        "target_hash": f"{target + 200:064x}",
        "acc": float(best == target),
        "acc_norm": float(best == target),
    }


def answer_line(k: int, filter: str, answer: str, target: int) -> dict[str, object]:
    """A line of a task that generates text, such as gsm8k."""
    said = f"There are {answer} of them.\n#### {answer}"
    return {
        "doc_id": k,
        "doc": {"question": f"How many are {k}?", "answer": f"Count them.\n#### {target}"},
        "target": f"Count them.\n#### {target}",
        "arguments": {
            "gen_args_0": {"arg_0": f"Question: How many are {k}?\nAnswer:", "arg_1": {"until": ["Question:"]}}
        },
        "resps": [[said]],
        "filtered_resps": [answer],
        "filter": filter,
        "metrics": ["exact_match"],
        "doc_hash": f"{k:064x}",
        "prompt_hash": f"{k + 100:064x}",
        "target_hash": f"{target + 200:064x}",
        "exact_match": float(answer == str(target)),
    }


def write_lm_eval() -> None:
    """Write the samples of two models on a task of multiple choice, and of one on a task with two filters."""
    models = {
        "small": [[-1.5, -2.0, -3.0], [-2.5, -1.0, -4.0], [-1.0, -2.0, -1.5], [-3.0, -1.0, -2.0], [-2.0, -1.2, -3.0]],
        "large": [[-1.0, -2.0, -3.0], [-2.5, -1.0, -4.0], [-3.0, -2.0, -1.5], [-0.5, -1.0, -2.0], [-1.0, -1.2, -3.0]],
    }
    for name, said in models.items():
        lines = [choices_line(k, likelihoods, k % 3) for k, likelihoods in enumerate(said)]
        _lines(HERE / name / "samples_arc_easy_2026-01-02T03-04-05.678901.jsonl", lines)
    answers = {"strict-match": ["3", "5", "[invalid]", "9"], "flexible-extract": ["3", "5", "7", "8"]}
    lines = [
        answer_line(k, filter, answer, 2 * k + 3)
        for filter, listed in answers.items()
        for k, answer in enumerate(listed)
    ]
    _lines(HERE / "small" / "samples_gsm8k_2026-01-02T03-04-05.678901.jsonl", lines)


def _lines(path: Path, lines: list[dict[str, object]]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))


if __name__ == "__main__":
    HERE.mkdir(exist_ok=True)
    write_lm_eval()
    write_inspect()
