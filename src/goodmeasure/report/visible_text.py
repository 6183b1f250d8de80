"""Text that is seen as it is: what a terminal or a page would obey, swallow or run together is written out."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # they reorder what stands beside them
_SWALLOWED = re.compile(r"^ | $|(?<= ) ")
NO_BREAK = "\u00a0"


def visible(text: str, keep: str = "") -> str:
    r"""Text with its control characters as escapes, but for those to keep.

    >>> print(visible("a\x00b\tc"), visible("ä ש\u202e"), visible("a\nb", keep="\n"))
    a\x00b\tc ä ש\u202e a
    b
    """
    if text.isprintable():
        return text
    return "".join(x if x in keep or not _is_obeyed(x) else x.encode("unicode_escape").decode() for x in text)


def visible_data(data: Any) -> Any:
    r"""Data whose texts are visible, also the names within: a line separator ends a text in Vega's expressions.

    >>> print(visible_data({"a\u2028": ["b\u2029", 1, "c"]}))
    {'a\\u2028': ['b\\u2029', 1, 'c']}
    """
    if isinstance(data, str):
        return visible(data, keep="\n\t")
    if isinstance(data, dict):
        return {visible_data(name): visible_data(x) for name, x in data.items()}
    return [visible_data(x) for x in data] if isinstance(data, (list, tuple)) else data


def spaced(text: str) -> str:
    """Text whose blanks all show: at the ends and in runs they are such as no format takes away.

    >>> spaced(" a b  c").replace(NO_BREAK, "_")
    '_a b _c'
    """
    return _SWALLOWED.sub(NO_BREAK, text)


def _is_obeyed(x: str) -> bool:
    return x in _TURNING or unicodedata.category(x) in ("Cc", "Cs", "Zl", "Zp")
