"""The signs after values in tables, and the legend that explains them."""

from __future__ import annotations

from collections.abc import Iterable

from goodmeasure.report.document import TableCell

BEST, NEAR, DIFFERENT, SMALL = "*", "~", "≠", "°"
_MEANS = {
    BEST: "best value",
    NEAR: "no significant difference from {what}",
    DIFFERENT: "significantly different from the rest",
    SMALL: "few items: one of them can move the value by more than 0.05",
}


def sign_of(*, best: bool = False, near: bool = False, different: bool = False, small: bool = False) -> str:
    """Return the signs after a value: it is the best one, or not significantly different from it, and so on.

    >>> sign_of(best=True), sign_of(near=True), sign_of(), sign_of(different=True, small=True)
    ('*', '~', '', '≠°')
    """
    return (BEST if best else NEAR if near else "") + DIFFERENT * different + SMALL * small


def legend(rows: Iterable[Iterable[TableCell]], what: str = "the best") -> str:
    """Return the meaning of the signs in these rows, as the end of a caption.

    `what` names the value that the others are compared with.

    >>> legend([[TableCell("A"), TableCell("0.9", sign="*")]]), legend([[TableCell("A"), TableCell("0.9")]])
    ('; * best value', '')
    """
    used = {sign for row in rows for cell in row for sign in cell.sign}
    there = [sign for sign in _MEANS if sign in used]
    return "".join(f"; {sign} {_MEANS[sign].format(what=what)}" for sign in there)
