"""The signs after values in tables, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Iterable

from goodmeasure.report.document import Cell

BEST, NEAR = "*", "~"
_MEANS = {BEST: "best value", NEAR: "no significant difference from {what}"}


def sign_of(*, best: bool = False, near: bool = False) -> str:
    """Return the sign after a value: it is the best one, or not significantly different from it.

    >>> sign_of(best=True), sign_of(near=True), sign_of()
    ('*', '~', '')
    """
    return BEST if best else NEAR if near else ""


def legend(rows: Iterable[Iterable[Cell]], what: str = "the best") -> str:
    """Return the meaning of the signs in these rows, as the end of a caption.

    `what` names the value that the others are compared with.

    >>> legend([[Cell("A"), Cell("0.9", sign="*")]]), legend([[Cell("A"), Cell("0.9")]])
    ('; * best value', '')
    """
    used = {cell.sign for row in rows for cell in row}
    there = [sign for sign in _MEANS if sign in used]
    return "".join(f"; {sign} {_MEANS[sign].format(what=what)}" for sign in there)
