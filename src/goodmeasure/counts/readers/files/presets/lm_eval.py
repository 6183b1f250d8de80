"""The samples of EleutherAI's lm-evaluation-harness: ``samples_TASK_DATE.jsonl``, written with ``--log_samples``.

Every line is a document with its target and the model's answers. For tasks of multiple choice, `filtered_resps` holds
the log-likelihood of each choice, and the predicted label is the position of the largest; for tasks that generate text
it holds the extracted answer. A document has a line for each filter of the task.
"""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path

from goodmeasure.counts.readers.files.compression import opened
from goodmeasure.counts.readers.files.presets.preset import (
    ITEM,
    LABEL,
    OUTCOME,
    PREDICTION,
    Preset,
    ProgramLog,
    among,
    chosen_part,
)
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ReadJson

_KEYS = (b'"doc_id"', b'"target"', b'"filtered_resps"')
_TASK = re.compile(r"samples_(.+?)(?:_\d{4}-\d\d-\d\dT[\w.-]*)?\.jsonl")
_VERDICTS = ("acc", "exact_match")


def recognises(log: ProgramLog) -> bool:
    """Return whether a file looks like samples of the harness."""
    return log.head.lstrip().startswith(b"{") and all(key in log.head for key in _KEYS)


def rows(log: ProgramLog, notes: list[str]) -> Iterator[dict[str, ReadJson]]:
    """Yield the documents of one filter, with the predicted label of each."""
    filters = list(dict.fromkeys(str(row.get("filter", "none")) for row in _lines(log)))
    part = chosen_part(log, "filter", filters, "lm-eval")
    several = 1
    named = _TASK.fullmatch(Path(log.shown).name.removesuffix(".gz"))
    for row in _lines(log):
        if str(row.get("filter", "none")) != part:
            continue
        label, prediction = _labels(row, log)
        verdict = next((x for x in (*_VERDICTS, *(row.get("metrics") or ())) if _is_outcome(row.get(x))), None)
        several = max(several, _answers(row["filtered_resps"]))
        id = row["doc_id"] if named is None else f"{named[1]}/{row['doc_id']}"
        yield {
            **row,
            ITEM: id,
            LABEL: label,
            PREDICTION: prediction,
            OUTCOME: None if verdict is None else row[verdict],
        }
    if several > 1:
        notes.append(f"{log.shown}: documents have {several:,} answers, of which the log keeps one verdict together.")


def _is_outcome(value: object) -> bool:
    return isinstance(value, (bool, int, float)) and 0 <= value <= 1


def _answers(filtered: ReadJson) -> int:
    """Return how many answers the filter left of a document that text was generated for."""
    inner = filtered[0] if isinstance(filtered, list) and len(filtered) == 1 else None
    return len(inner) if isinstance(inner, list) and not _is_likelihood(inner) else 1


def _lines(log: ProgramLog) -> Iterator[dict[str, ReadJson]]:
    with opened(log.path, log.compression) as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                continue
            try:
                row = json.loads(line, parse_constant=lambda _: None)  # NaN is no JSON
                if not {"doc_id", "target", "filtered_resps"} <= set(row):
                    raise ValueError
            except ValueError:
                raise InputError(
                    "line {number} of {shown} is not a sample of lm-evaluation-harness", number=number, shown=log.shown,
                    expected="an object with doc_id, target and filtered_resps",
                ) from None  # fmt: skip
            yield row


def _labels(row: dict[str, ReadJson], log: ProgramLog) -> tuple[object, object]:
    """Return the true and the predicted label of one document."""
    answers = row["filtered_resps"]
    if _is_likelihood(answers[0] if answers else None):
        return _of_choices(row, [float(x[0]) for x in answers], log)
    while isinstance(answers, list):
        answers = answers[0] if answers else None
    target = _read(row["target"])
    prediction = None if answers is None else str(answers).strip()
    if isinstance(target, list) and target:
        return among(prediction, (_answer(x) for x in target)), prediction
    return _answer(row["target"]), prediction


def _answer(target: object) -> str:
    """Return the answer of a target; GSM8K and its kin have it after #### at the end of a solution."""
    return str(target).rpartition("####")[2].strip()


def _is_likelihood(answer: object) -> bool:
    """Return whether an answer is a log-likelihood and whether it is the greedy one."""
    if not isinstance(answer, list) or len(answer) != 2 or str(answer[1]).lower() not in ("true", "false"):
        return False
    try:
        return not math.isnan(float(answer[0]))
    except (TypeError, ValueError):
        return False


def _of_choices(row: dict[str, ReadJson], likelihoods: list[float], log: ProgramLog) -> tuple[object, object]:
    """Return the true choice and the likeliest one: by position, or by text where the target is text."""
    if "acc_mutual_info" in (row.get("metrics") or ()):
        likelihoods = likelihoods[: len(likelihoods) // 2]  # the others are those of the choices without the question
    if len(likelihoods) < 2:
        raise InputError(
            "{shown} has the likelihood of a single continuation for each document, and no predicted label",
            shown=log.shown, advice="use a task of multiple choice, or one that generates answers",
        )  # fmt: skip
    best = max(range(len(likelihoods)), key=likelihoods.__getitem__)
    target = _read(row["target"])
    if isinstance(target, list) and target:
        return among(best, target), best
    if isinstance(target, int) and not isinstance(target, bool):
        return target, best
    choices = [x.strip() for x in _continuations(row)]
    text = str(row["target"]).strip()
    if text not in choices or len(choices) <= best:
        raise InputError(
            "document {id} of {shown} has the target {text!r}, which is none of its choices", id=row["doc_id"],
            shown=log.shown, text=text, advice="name the columns with {y_true:=} and {y_pred:=}",
        )  # fmt: skip
    return text, choices[best]


def _continuations(row: dict[str, ReadJson]) -> list[str]:
    """Return the text of each choice, which is the last argument of its request."""
    requests = row.get("arguments") or []
    if isinstance(requests, dict):  # {"gen_args_0": {"arg_0": context, "arg_1": continuation}}
        requests = [list(x.values()) if isinstance(x, dict) else x for x in requests.values()]
    return [str(x[-1]) for x in requests]


def _read(target: object) -> object:
    """Return a target as it was before the harness wrote it as text: a number, a list, or text."""
    if not isinstance(target, str) or not re.fullmatch(r"\s*(?:-?\d{1,6}|\[.*\])\s*", target, re.DOTALL):
        return target
    try:
        return ast.literal_eval(target.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return target


PRESET = Preset("lm-eval", "samples of lm-evaluation-harness", recognises, rows)
