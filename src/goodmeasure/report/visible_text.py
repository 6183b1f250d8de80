"""Text in which every character is visible: control characters as escapes, spaces as spaces that no format removes."""

from __future__ import annotations

import re
import unicodedata

from goodmeasure.typing import ReadJson

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # they reorder the text around them
_SWALLOWED = re.compile(r"^ | $|(?<= ) ")
NO_BREAK = "\u00a0"


def visible(text: str, keep: str = "") -> str:
    r"""Return text with its control characters as escapes, except for those to keep.

    >>> print(visible("a\x00b\tc"), visible("ä ש\u202e"), visible("a\nb", keep="\n"))
    a\x00b\tc ä ש\u202e a
    b
    """
    if text.isprintable():
        return text
    return "".join(x if x in keep or not _is_obeyed(x) else x.encode("unicode_escape").decode() for x in text)


def visible_data(data: ReadJson) -> ReadJson:
    r"""Return data with all its texts and keys made visible.

    A line separator would end a string in Vega's expressions.

    >>> print(visible_data({"a\u2028": ["b\u2029", 1, "c"]}))
    {'a\\u2028': ['b\\u2029', 1, 'c']}
    """
    if isinstance(data, str):
        return visible(data, keep="\n\t")
    if isinstance(data, dict):
        return {visible_data(name): visible_data(x) for name, x in data.items()}
    return [visible_data(x) for x in data] if isinstance(data, (list, tuple)) else data


def spaced(text: str) -> str:
    """Return text whose spaces at the ends and in runs are no-break spaces, which no format removes.

    >>> spaced(" a b  c").replace(NO_BREAK, "_")
    '_a b _c'
    """
    return _SWALLOWED.sub(NO_BREAK, text)


def _is_obeyed(x: str) -> bool:
    return x in _TURNING or unicodedata.category(x) in ("Cc", "Cs", "Zl", "Zp")
