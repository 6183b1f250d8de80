"""Which columns hold the true and the predicted labels, where their names make it obvious."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TRUE = (
    *("ytrue", "true", "truth", "truelabel", "trueclass", "groundtruth", "gold", "goldlabel", "goldstandard"),
    *("actual", "target", "reference", "label", "labels", "class", "y"),
)
_PREDICTED = re.compile(r"^(ypred|pred|predicted|prediction|predictions|yhat|guess|hypothesis)(\w*)$")
_SCORES = re.compile(r"(score|prob|proba|confidence|logit)s?\d*$")


def guess(columns: Sequence[str], y_true: str | None = None, y_pred: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """The column of true labels and those of the systems; what is given stays, what is not obvious is an error.

    >>> guess(["id", "label", "pred_a", "pred_b"])
    ('label', ('pred_a', 'pred_b'))
    """
    plain = {name: re.sub(r"[^a-z0-9]", "", str(name).lower()) for name in columns}
    systems = tuple(y_pred) or tuple(
        name for name in columns if name != y_true and _PREDICTED.match(plain[name]) and not _SCORES.search(plain[name])
    )
    if y_true is None:
        known = [name for name in columns if name not in systems and plain[name] in _TRUE]
        best = min((_TRUE.index(plain[name]) for name in known), default=None)
        likely = [name for name in known if _TRUE.index(plain[name]) == best]
        if len(likely) != 1:
            raise ValueError(_unclear("true", "y_true", columns, likely))
        y_true = likely[0]
    others = [name for name in columns if name != y_true]
    if not systems and len(others) == 1:
        systems = (others[0],)
    if not systems:
        raise ValueError(_unclear("predicted", "y_pred", columns, []))
    return y_true, systems


def _unclear(what: str, argument: str, columns: Sequence[str], likely: Sequence[str]) -> str:
    shown = ", ".join(repr(x) for x in list(columns)[:20]) + (", …" if len(columns) > 20 else "")
    both = f" ({' and '.join(map(repr, likely))} both might)" if len(likely) > 1 else ""
    option = "--true" if argument == "y_true" else "--pred"
    return (
        f"no column is obviously the one of the {what} labels{both}: "
        f"name it with {argument}= (on the command line: {option}); the columns are {shown or 'none'}"
    )
