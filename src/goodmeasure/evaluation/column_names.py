"""Names of columns: which ones hold true labels, predicted labels and scores, and how columns of scores are typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from goodmeasure.exceptions import Either, InputError

_REPLACED = "\ufffd"  # the character that replaces bytes which are not valid text
_TRUE = (
    *("ytrue", "true", "truth", "truelabel", "trueclass", "groundtruth", "gold", "goldlabel", "goldstandard"),
    *("actual", "target", "reference", "label", "labels", "class", "y"),
)
_PREDICTED = re.compile(r"^(ypred|pred|predicted|prediction|predictions|yhat|guess|hypothesis)(\w*)$")
_SCORES = re.compile(r"(score|prob|proba|probability|probabilities|confidence|logit)s?\d*$")
_SCORE_WORDS = {
    *("score", "scores", "prob", "probs", "proba", "probas", "probability", "probabilities", "confidence", "conf"),
    *("logit", "logits", "logprob", "logprobs", "entropy", "margin", "loss", "uncertainty"),
}
_ID_WORDS = {"id", "ids", "index", "idx", "uid", "uuid", "key", "item"}
_OTHER_WORDS = {
    *("time", "timestamp", "date", "datetime", "duration", "seconds", "latency", "ms", "id", "ids", "index", "idx"),
    *("uid", "uuid", "key", "row", "nr", "number", "rank", "text", "texts", "sentence", "document", "doc", "title"),
    *("content", "message", "tweet", "comment", "review", "question", "input", "prompt", "tokens", "description"),
    *("name", "file", "filename", "path", "url", "image", "split", "fold", "weight", "weights", "source", "correct"),
    *("error", "errors", "cost", "reason", "explanation", "rationale"),
}


def guess(columns: Sequence[str], y_true: str | None = None, y_pred: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """Return the columns of the true labels and of the systems; guess what is not given, or raise if unclear.

    >>> guess(["id", "label", "pred_a", "pred_b"])
    ('label', ('pred_a', 'pred_b'))
    """
    plain = {name: re.sub(r"[^a-z0-9]", "", str(name).lower()) for name in columns}
    systems = tuple(y_pred) or tuple(
        name for name in columns if name != y_true and _PREDICTED.match(plain[name]) and not _is_no_label(name)
    )
    if y_true is None:
        known = [name for name in columns if name not in systems and plain[name] in _TRUE]
        best = min((_TRUE.index(plain[name]) for name in known), default=None)
        likely = [name for name in known if _TRUE.index(plain[name]) == best]
        if len(likely) != 1:
            raise _unclear("true labels", "y_true", columns, likely)
        y_true = likely[0]
    others = [name for name in columns if name != y_true]
    if not systems and len(others) == 1 and not _is_no_label(others[0]):
        systems = (others[0],)
    if not systems:
        scores = [name for name in others if _says_scores(name)]
        raise _only_scores(scores, columns) if scores else _unclear("predicted labels", "y_pred", columns, [])
    return y_true, systems


def _is_no_label(name: str) -> bool:
    """Return whether a column name suggests scores, texts, times or the like rather than predicted labels."""
    words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", str(name)).lower())
    ends = _SCORES.search(re.sub(r"[^a-z0-9]", "", str(name).lower()))
    return ends is not None or not (_SCORE_WORDS | _OTHER_WORDS).isdisjoint(words)


def _says_scores(name: str) -> bool:
    """Return whether a column name suggests that the column holds scores."""
    words = re.findall(r"[a-z]+", str(name).lower())
    return _SCORES.search(re.sub(r"[^a-z0-9]", "", str(name).lower())) is not None or not _SCORE_WORDS.isdisjoint(words)


def guess_ids(columns: Sequence[str]) -> list[str]:
    """Return the columns whose names say that they hold the ids of items.

    >>> guess_ids(["doc_id", "label", "Index"])
    ['doc_id', 'Index']
    """
    found = []
    for name in columns:
        words = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", str(name)).lower())
        if not _ID_WORDS.isdisjoint(words) or (words and words[-1].endswith("id")):
            found.append(name)
    return found


def guess_scores(
    columns: Sequence[str], y_true: str | None = None, y_score: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """Return the columns of the true labels and of the scores; guess what is not given, or raise if unclear.

    >>> guess_scores(["id", "label", "score"])
    ('label', ('score',))
    """
    scores = tuple(y_score) or tuple(
        x for x in columns if x != y_true and _SCORES.search(re.sub(r"[^a-z0-9]", "", str(x).lower()))
    )
    if not scores and y_true is not None and len(columns) == 2:
        scores = tuple(x for x in columns if x != y_true)
    if not scores:
        raise _unclear("scores", "y_score", columns, [])
    return guess(columns, y_true, scores)


def _only_scores(scores: Sequence[str], columns: Sequence[str]) -> InputError:
    shown = ", ".join(repr(x) for x in list(columns)[:20]) + (", …" if len(columns) > 20 else "")
    return InputError(
        "no column is named like predicted labels, but {score!r} is named like scores",
        argument="y_pred", score=scores[0], shown=shown,
        scores=Either("give the scores with y_score=, or ", "give the scores with {y_score}, or "),
        advice="{scores}name predicted labels with {y_pred:=}; the columns are {shown}",
    )  # fmt: skip


def _unclear(what: str, argument: str, columns: Sequence[str], likely: Sequence[str]) -> InputError:
    shown = ", ".join(repr(x) for x in list(columns)[:20]) + (", …" if len(columns) > 20 else "")
    both = f" ({' and '.join(map(repr, likely))} both might)" if len(likely) > 1 else ""
    if any(_REPLACED in name for name in map(str, columns)):
        return InputError(
            "the names of the columns are not UTF-8 text ({shown})",
            argument=argument,
            shown=shown,
            advice="convert the file, or check whether it is a table at all",
        )
    return InputError(
        "it is not obvious which column holds the {what}{both}",
        argument=argument,
        what=what,
        both=both,
        shown=shown or "none",
        advice="name it with {argument:=}; the columns are {shown}",
    )


def typed(spec: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the columns of each system as the command line takes them."""
    return tuple(name if columns == (name,) else f"{name}={','.join(columns)}" for name, columns in spec.items())
