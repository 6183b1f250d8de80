"""Whether the labels of a text file are integers, numbers, booleans or text, decided for all of them together.

A text file does not say what type a column has. If all labels are numbers, they are read as numbers, so that `1` and
`1.0` are one class and 10 follows 9, as in a file with types. A single label that is not a number makes all of them
text: numbers and text in one problem would split classes that are meant to be the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from goodmeasure.typing import Label

WHOLE, NUMBERS, TRUTH, TEXT = "whole numbers", "numbers", "truth values", "text"
# A zero in front of other digits makes an identifier (a postal code, 007), which is not a number.
_NUMBER = re.compile(r"[ \t]*([+-]?(?:0|[1-9][0-9]*)|[+-](?=\.)|)(\.[0-9]*)?([eE][+-]?[0-9]+)?[ \t]*", re.ASCII)
_IDENTIFIER = re.compile(r"[ \t]*[+-]?0[0-9]+(\.[0-9]*)?[ \t]*", re.ASCII)
_TRUTH = {"true": True, "false": False}
_LONGEST = 300  # characters of a number: nobody writes a measurement with more


def number_of(text: str) -> int | float | None:
    """Return the number that a text looks like, or None.

    >>> number_of("12"), number_of(" 1.0"), number_of("+1"), number_of("2.5e-1"), number_of("007"), number_of("1_0")
    (12, 1, 1, 0.25, None, None)
    """
    found = _NUMBER.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None:
        return None
    whole, fraction, exponent = found.groups()
    if not (whole.strip("+-") or (fraction or "").strip(".")):
        return None  # a sign, a point or an exponent alone
    if exponent is None and not (fraction or "").strip(".0") and whole.strip("+-"):
        return int(whole)  # exactly, since not every integer fits into a float
    value = float(text)
    if not math.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _number(label: object) -> int | float | None:
    """Return a label as a number or None; a JSON file may hold numbers, and text that looks like them."""
    if isinstance(label, str):
        return number_of(label)
    return label if isinstance(label, (int, float)) and not isinstance(label, bool) else None


def _truth(label: object) -> bool | None:
    if isinstance(label, str):
        return _TRUTH.get(label.strip(" \t").lower()) if label.isascii() else None
    return label if isinstance(label, bool) else None


@dataclass(frozen=True, slots=True)
class LabelReading:
    """How the labels of a text file are read, and which label kept the others from being read as numbers."""

    kind: str
    because: str = ""

    def __str__(self) -> str:
        return f"{self.kind} ({self.because})" if self.because else self.kind

    def label(self, label: Label) -> Label:
        """Return a label as it is read, from a file or as the user named it; unchanged if it cannot be read so."""
        read = _number(label) if self.kind in (WHOLE, NUMBERS) else _truth(label) if self.kind == TRUTH else None
        return label if read is None else read


def reading_of(labels: Iterable[object]) -> LabelReading:
    """Return how labels are read, given all that occur; missing ones decide nothing.

    >>> str(reading_of(["1", "2.0"])), str(reading_of(["True", "false"])), str(reading_of(["1", "2", "NA"]))
    ('whole numbers', 'truth values', "text ('NA' is not a number)")
    """
    known = [x for x in labels if x is not None]
    numbers = [_number(x) for x in known]
    others = [x for x, number in zip(known, numbers, strict=True) if number is None]
    if not known:
        return LabelReading(TEXT)
    if not others:
        return LabelReading(WHOLE if all(x is None or x == x // 1 for x in numbers) else NUMBERS)
    if all(_truth(x) is not None for x in others) and len(others) == len(known):
        return LabelReading(TRUTH)
    return LabelReading(TEXT, _said(others) if 2 * len(others) <= len(known) else "")


def _said(others: list[object]) -> str:
    """Return why labels are text although most of them look like numbers."""
    first = min(others, key=str)
    leading = isinstance(first, str) and _IDENTIFIER.fullmatch(first)
    return f"{first!r} has a leading zero" if leading else f"{first!r} is not a number"
