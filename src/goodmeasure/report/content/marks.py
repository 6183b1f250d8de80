"""The signs behind values in tables: each has one meaning, and a legend where it stands."""

from __future__ import annotations

from collections.abc import Iterable

from goodmeasure.report.document import Cell

BEST, NEAR = "*", "~"
_MEANS = {BEST: "best value", NEAR: "no significant difference from {what}"}


def marked(text: str, *, best: bool = False, near: bool = False) -> str:
    """A value with its sign: the best one, or one that is not significantly different.

    >>> marked("0.9", best=True), marked("0.8", near=True), marked("0.2")
    ('0.9 *', '0.8 ~', '0.2')
    """
    return f"{text} {BEST}" if best else f"{text} {NEAR}" if near else text


def legend(rows: Iterable[Iterable[Cell]], what: str = "the best") -> str:
    """What the signs in these rows mean, as an end of a caption; `what` the values are compared with.

    >>> legend([[Cell("A"), Cell("0.9 *")]]), legend([[Cell("A"), Cell("0.9")]])
    ('; * best value', '')
    """
    texts = [cell.text for row in rows for cell in row]
    there = [sign for sign in _MEANS if any(text.endswith(f" {sign}") for text in texts)]
    return "".join(f"; {sign} {_MEANS[sign].format(what=what)}" for sign in there)
