"""What the server answers: JSON in which undefined values are null, and errors as data."""

from __future__ import annotations

import json
import math

import numpy as np
from starlette.responses import Response

from goodmeasure.exceptions import GoodmeasureError
from goodmeasure.language.typed.syntax import FormulaError


class JsonReply(Response):
    """An answer in JSON."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        return json_bytes(content)


def json_bytes(content: object) -> bytes:
    """Return plain data as JSON."""
    text = json.dumps(plain(content), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", errors="replace")  # half of a surrogate pair in a label is no UTF-8


def plain(x: object) -> object:
    """Return data as JSON can hold it: NaN and infinite numbers become None, arrays become lists."""
    if isinstance(x, float):
        return x if math.isfinite(x) else None
    if isinstance(x, dict):
        return {str(key): plain(value) for key, value in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(value) for value in x]
    if isinstance(x, np.ndarray):
        is_finite = x.dtype.kind in "iub" or (x.dtype.kind == "f" and bool(np.isfinite(x).all()))
        return x.tolist() if is_finite else plain(x.tolist())
    if isinstance(x, np.generic):
        return plain(x.item())
    return x


# What the page calls the arguments of the functions behind it. Others are named as in a request where an error is about
# them, and what cannot be done on the page is not advised.
_FIELDS = {"counts": "the matrix", "labels": "the names of the classes", "cm": "the matrix"}


def error_data(error: Exception) -> dict[str, object]:
    """Return an error as the page reads it: a sentence, and what it is about."""
    known = error if isinstance(error, GoodmeasureError) else None
    said = sentence((str(error) if known is None else known.message(_FIELDS.get)) or type(error).__name__)
    return {
        "error": {
            "message": said,
            "argument": getattr(known, "argument", None),
            "expected": getattr(known, "expected", None),
            "hint": None if known is None else known.todo(_FIELDS.get),
            "position": error.position if isinstance(error, FormulaError) else None,
            "suggestions": list(getattr(known, "suggestions", ())),
        }
    }


_FIRST_WORDS = {
    *("the", "a", "an", "this", "that", "there", "no", "two", "one", "row", "rows", "too", "it", "some", "several"),
    *("each", "every", "another", "what", "which", "both", "only", "neither", "nothing", "something", "sums"),
}


def sentence(text: str) -> str:
    """Return a message with a capital at its beginning, unless it begins with a name: of a file, a column, a word."""
    return text[:1].upper() + text[1:] if text.partition(" ")[0] in _FIRST_WORDS else text


def error_reply(error: Exception, status: int = 400) -> JsonReply:
    """Return the response to a request that cannot be served."""
    return JsonReply(error_data(error), status)
