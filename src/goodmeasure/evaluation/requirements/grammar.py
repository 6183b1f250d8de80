"""The grammar of requirements: ``A: recall[spam, slice=x] >= 0.9``.

A requirement is a measure by any name that `gm.measure` knows, a sign and a number. Behind the measure, brackets name a
class, a slice or both; ``*`` stands for each of them. A system before a colon restricts the requirement to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from goodmeasure.exceptions import InputError, InputTypeError

EACH = "*"
_SIGNS = {">=": ">=", "≥": ">=", "=>": ">=", ">": ">", "<=": "<=", "≤": "<=", "=<": "<=", "<": "<", "==": "==",
          "=": "=="}  # fmt: skip
_SIGN = re.compile(r">=|=>|<=|=<|==|≥|≤|>|<|=")
_EXAMPLE = "a text such as 'mcc >= 0.8' or 'recall[spam] >= 0.9'"
_OPEN, _CLOSE, _QUOTES = "([{", ")]}", "'\""
_NAMED = re.compile(r"(class|slice)\s*=\s*(.*)", re.DOTALL)
SLACK = 1e-12  # a difference of this size is one of rounding


@dataclass(frozen=True)
class Requirement:
    """What is required: a measure, of which system, class and slice, a sign, and the bound.

    Names are as they were typed. `label` and `slice` are None where none was named, and ``*`` for each of them.
    `either` is the name of a class or of a slice, where the text does not say which.
    """

    measure: str
    sign: str
    bound: float
    system: str | None = None
    label: str | None = None
    slice: str | None = None
    either: str | None = None

    def __str__(self) -> str:
        inside = [self.either, self.label, None if self.slice is None else f"slice={self.slice}"]
        return described(self.measure, [x for x in inside if x is not None], self.sign, self.bound, self.system)

    @property
    def wants_high(self) -> bool:
        """Return whether the value must be high; one that must be equal to the bound is neither."""
        return self.sign in (">=", ">")

    @property
    def wants_low(self) -> bool:
        """Return whether the value must be low."""
        return self.sign in ("<=", "<")

    def holds(self, value: float) -> bool:
        """Return whether a value meets the bound; an undefined one does not."""
        gap = value - self.bound if math.isfinite(value) else value
        near = abs(gap) <= SLACK * max(1.0, abs(self.bound))
        found = {">=": gap > 0 or near, ">": gap > 0 and not near, "<=": gap < 0 or near, "<": gap < 0 and not near}
        return not math.isnan(value) and found.get(self.sign, near)


def described(measure: str, inside: list[str], sign: str, bound: float, system: str | None) -> str:
    """Return a requirement as one types it.

    >>> described("recall", ["spam"], ">=", 0.9, "A")
    'A: recall[spam] >= 0.9'
    """
    who = "" if system is None else f"{system}: "
    where = f"[{', '.join(inside)}]" if inside else ""
    return f"{who}{measure}{where} {sign} {bound:.12g}"


def read(text: object) -> Requirement:
    """Return the requirement that a text states.

    >>> read("recall[spam] >= 90%")
    Requirement(measure='recall', sign='>=', bound=0.9, system=None, label=None, slice=None, either='spam')
    >>> str(read("new model: at(precision, 'recall >= 0.9') > .5"))
    "new model: at(precision, 'recall >= 0.9') > 0.5"
    """
    if not isinstance(text, str):
        raise InputTypeError("a requirement is {got!r}", argument="requirements", got=text, expected=_EXAMPLE)
    signs = [found for found in _SIGN.finditer(text) if _is_outside(text, found.start())]
    if len(signs) != 1:
        many = "no sign such as >=" if not signs else "several signs"
        raise InputError(
            "the requirement {got!r} has {many}", argument="requirements", got=text, many=many, expected=_EXAMPLE
        )
    left, right = text[: signs[0].start()].strip(), text[signs[0].end() :].strip()
    system, left = _system(left)
    measure, inside = _brackets(left, text)
    if not measure:
        raise InputError(
            "the requirement {got!r} names no measure", argument="requirements", got=text, expected=_EXAMPLE
        )
    named = _places(inside, text)
    return Requirement(measure, _SIGNS[signs[0].group()], _bound(right, text), system, **named)


def _outside(text: str) -> Iterator[tuple[int, str, bool]]:
    """Yield each character with its place, and whether it is outside of all brackets and quotes."""
    depth, quote = 0, ""
    for k, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
            yield k, sign, False
            continue
        if sign in _QUOTES and (k == 0 or not text[k - 1].isalnum()):  # the apostrophe of Cohen's kappa is no quote
            quote = sign
        depth += (sign in _OPEN) - (sign in _CLOSE)
        yield k, sign, depth == 0 and not quote and sign not in _CLOSE


def _is_outside(text: str, place: int) -> bool:
    return next(outside for k, _, outside in _outside(text) if k == place)


def _system(left: str) -> tuple[str | None, str]:
    """Return the system before the last colon, and the rest; names of systems may hold colons, measures hold none."""
    colons = [k for k, sign, outside in _outside(left) if outside and sign == ":"]
    if not colons:
        return None, left
    return _unquoted(left[: colons[-1]].strip()), left[colons[-1] + 1 :].strip()


def _brackets(left: str, text: str) -> tuple[str, list[str]]:
    """Return the measure, and what stands in the brackets behind it."""
    if not left.endswith("]"):
        return left, []
    starts = [k for k, sign, outside in _outside(left + " ") if sign == "[" and _is_outside(left[:k] + " ", k)]
    if len(starts) != 1:
        raise InputError("the brackets of {got!r} do not match", argument="requirements", got=text, expected=_EXAMPLE)
    inside = left[starts[0] + 1 : -1]
    commas = [k for k, sign, outside in _outside(inside) if outside and sign == ","]
    ends = [-1, *commas, len(inside)]
    return left[: starts[0]].strip(), [
        inside[a + 1 : b].strip() for a, b in pairwise(ends)
    ]  # fmt: skip


def _places(inside: list[str], text: str) -> dict[str, str]:
    """Return the class and the slice that are named, by the fields of `Requirement`."""
    found: dict[str, str] = {}
    for k, piece in enumerate(inside):
        named = _NAMED.fullmatch(piece)
        if named is not None:
            field, name = "label" if named[1] == "class" else "slice", named[2].strip()
        else:
            field, name = ("either" if len(inside) == 1 else "label" if k == 0 else "slice"), piece
        if field in found or k > 1:
            raise InputError(
                "{got!r} names too much in brackets",
                argument="requirements",
                got=text,
                advice="name a class, a slice or both",
            )
        if name:
            found[field] = _unquoted(name)
    if not found and inside:
        raise InputError(
            "the brackets of {got!r} are empty",
            argument="requirements",
            got=text,
            advice="name a class or a slice in them",
        )
    return found


def _unquoted(name: str) -> str:
    return name[1:-1] if len(name) > 1 and name[0] in _QUOTES and name[-1] == name[0] else name


def _bound(right: str, text: str) -> float:
    share = right.endswith("%")
    try:
        found = float(right.removesuffix("%")) / (100 if share else 1)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise InputError(
            "the requirement {got!r} ends in {right!r}",
            argument="requirements",
            got=text,
            right=right,
            expected="a number",
        )
    return found
