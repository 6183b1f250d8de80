"""Whether the labels of a text file are integers, numbers, booleans or text, decided for all of them together.

A text file does not say what type a column has. If all labels are numbers, they are read as numbers, so that `1` and
`1.0` are one class and 10 follows 9, as in a file with types. A single label that is not a number makes all of them
text: numbers and text in one problem would split classes that are meant to be the same.

Neither does a text file say which text stands for a missing label. `NA`, `NULL` and the other spellings that pandas
reads as missing do; `?`, `-` and the like do where every other label is a number.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from goodmeasure.exceptions import Either, InputError, Phrase
from goodmeasure.typing import Label

WHOLE, NUMBERS, TRUTH, TEXT = "whole numbers", "numbers", "truth values", "text"
# A zero in front of other digits makes an identifier (a postal code, 007), which is not a number.
_NUMBER = re.compile(r"[ \t]*([+-]?(?:0|[1-9][0-9]*)|[+-](?=\.)|)(\.[0-9]*)?([eE][+-]?[0-9]+)?[ \t]*", re.ASCII)
_IDENTIFIER = re.compile(r"[ \t]*[+-]?0[0-9]+(\.[0-9]*)?[ \t]*", re.ASCII)
_TRUTH = {"true": True, "false": False}
_LONGEST = 300  # characters of a number: nobody writes a measurement with more
_ZEROS = re.compile(r"[.,]0*$")
_COMMA = re.compile(r"[ \t]*[+-]?[0-9]*,[0-9]+([eE][+-]?[0-9]+)?[ \t]*", re.ASCII)
PANDAS_NA = frozenset({
    "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL",
    "NaN", "None", "n/a", "nan", "null",
})  # fmt: skip
"""What pandas reads as a missing value by default."""
LIKE_NA = frozenset({
    "", "?", "??", "-", "--", "---", "–", "—", ".", "..", "*", "na", "Na", "n.a.", "N.A.", "n. a.", "k. A.", "k.A.",
    "none", "NONE", "Null", "nil", "(null)", "NAN", "Nan", "missing", "Missing", "MISSING", "#NULL!", "#VALUE!",
    "#DIV/0!", "\\N",
})  # fmt: skip
"""What else stands for a missing value among numbers; as a class among others it may have a meaning of its own."""


def looks_missing(label: object) -> bool:
    """Return whether a label is a spelling of a missing value, which it may or may not stand for."""
    return isinstance(label, str) and label.strip() in PANDAS_NA | LIKE_NA


@dataclass(frozen=True, slots=True)
class TextRule:
    """What the labels of a file without types may stand for."""

    na: tuple[str, ...] | None = ()  # spellings of missing labels; None: those that are known
    comma: bool = False  # whether a number may have a decimal comma

    def number(self, label: object) -> int | float | None:
        """Return a label as a number, or None; a JSON file may hold numbers, and text that looks like them."""
        if not isinstance(label, str):
            return label if isinstance(label, (int, float)) and not isinstance(label, bool) else None
        if self.comma and _COMMA.fullmatch(label):
            label = label.replace(",", ".")
        return number_of(label)

    def absent(self, labels: Iterable[object], named: Iterable[object] = ()) -> frozenset[str]:
        """Return which of all labels stand for a missing one; a class that the user `named` never does.

        >>> sorted(TextRule(None).absent(["1", "NA", "?"])), sorted(TextRule(None).absent(["cat", "NA", "?"]))
        (['?', 'NA'], ['NA'])
        """
        kept = set(named)
        texts = {x: x.strip() for x in labels if isinstance(x, str) and x not in kept}
        if self.na is not None:
            return frozenset(x for x, bare in texts.items() if x in self.na or bare in self.na)
        surely = {x for x, bare in texts.items() if bare in PANDAS_NA}
        perhaps = {x for x, bare in texts.items() if bare in LIKE_NA}
        others = [self.number(x) for x in labels if x is not None and x not in surely and x not in perhaps]
        return frozenset(surely | perhaps if others and None not in others else surely)


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


def _truth(label: object) -> bool | None:
    if isinstance(label, str):
        return _TRUTH.get(label.strip(" \t").lower()) if label.isascii() else None
    return label if isinstance(label, bool) else None


@dataclass(frozen=True, slots=True)
class LabelReading:
    """How the labels of a text file are read, and which label kept the others from being read as numbers."""

    kind: str
    because: str = ""
    absent: Mapping[str, int] = field(default_factory=dict)  # what stands for a missing label, and how often it occurs
    rule: TextRule = field(default_factory=TextRule)

    def __str__(self) -> str:
        return f"{self.kind} ({self.because})" if self.because else self.kind

    def label(self, label: Label) -> Label:
        """Return a label as it is read, from a file or as the user named it; unchanged if it cannot be read so."""
        number = self.kind in (WHOLE, NUMBERS)
        read = self.rule.number(label) if number else _truth(label) if self.kind == TRUTH else None
        if read is None and self.kind == WHOLE and (truth := _truth(label)) is not None:
            read = int(truth)
        return label if read is None else read

    def item(self, label: Label) -> Label:
        """Return the label of an item as it is read; None if it stands for a missing one."""
        return None if label in self.absent else self.label(label)


_AS_WRITTEN = TextRule()


def reading_of(labels: Iterable[object], rule: TextRule = _AS_WRITTEN, named: Iterable[Label] = ()) -> LabelReading:
    """Return how labels are read, given all that occur and those that the user named; missing ones decide nothing.

    >>> str(reading_of(["1", "2.0"])), str(reading_of(["True", "false"])), str(reading_of(["1", "2", "NA"]))
    ('whole numbers', 'truth values', "text ('NA' is not a number)")
    >>> str(reading_of(["1", "2", "NA"], TextRule(None)))
    'whole numbers'
    """
    found, chosen = list(labels), list(named)
    absent = rule.absent(found, chosen)
    known = [x for x in [*found, *chosen] if x is not None and x not in absent]
    return replace(_kind(known, rule), absent=dict.fromkeys(sorted(absent), 0))


def _kind(known: list[object], rule: TextRule) -> LabelReading:
    numbers = [rule.number(x) for x in known]
    others = [x for x, number in zip(known, numbers, strict=True) if number is None]
    if not known:
        return LabelReading(TEXT)
    if not others:
        whole = all(x is None or x == x // 1 for x in numbers)
        return LabelReading(WHOLE if whole else NUMBERS, rule=rule)
    if all(_truth(x) is not None for x in others):
        if len(others) == len(known):
            return LabelReading(TRUTH)
        if all(x in (None, 0, 1) for x in numbers):  # one program wrote True and False, and another 1 and 0
            return LabelReading(WHOLE, rule=rule)
    return LabelReading(TEXT, _said(others) if 2 * len(others) <= len(known) else "", rule=rule)


def _said(others: list[object]) -> str:
    """Return why labels are text although most of them look like numbers."""
    first = min(others, key=str)
    leading = isinstance(first, str) and _IDENTIFIER.fullmatch(first)
    return f"{first!r} has a leading zero" if leading else f"{first!r} is not a number"


def spellings_note(times: Mapping[str, int]) -> str:
    """Return the sentence about spellings that were read as missing labels, given how often each occurs."""
    return f"Read as missing labels: {listed(times)}; na_values=[] (--na none) makes every such text a class."


def refuse_spellings(name: str, times: Mapping[str, int], size: int, *, of_scores: bool = False) -> None:
    """Refuse a column in which missing labels are spelled out, given how often each spelling occurs."""
    known = list(map(repr, times))
    spelled = " or ".join(known) if len(known) < 4 else f"{', '.join(known[:3])} or the like"
    alone = Phrase("" if of_scores else "; give them a class of their own with {missing:=class}")
    raise InputError(
        "column {name!r} has {spelled} in {lacking:,} of {size:,} rows, read as a missing label", name=name, size=size,
        spelled=spelled, lacking=sum(times.values()), kept=Either("na_values=[]", "{na_values} none"),
        it=known[0] if len(known) == 1 else "each of them", alone=alone,
        advice="leave them out with {missing:=drop}{alone}; or keep {it} as a class with {kept}",
    )  # fmt: skip


def typed_labels(what: str) -> InputError:
    """Return the error about spellings of missing labels for data in which a missing label is no text."""
    return InputError(
        "{na_values} names text, and the labels of {what} have types", what=what,
        advice="make them missing there, or use {missing:=class}",
    )  # fmt: skip


def refuse_ambiguous(reading: LabelReading, times: Mapping[object, int]) -> None:
    """Refuse text labels that are the same number up to blanks or `.0`; `times` says how often each label occurs.

    They would be different classes only because of another label that is not a number.
    """
    if reading.kind != TEXT:
        return
    alike: dict[str, list[str]] = {}
    others: list[str] = []
    for label in times:
        if isinstance(label, str) and label not in reading.absent:
            is_number = reading.rule.number(label) is not None
            (alike.setdefault(_ZEROS.sub("", label.strip()), []) if is_number else others).append(label)
    same = next((x for x in alike.values() if len(x) > 1), None)
    if same is None or not others:
        return
    word = max(others, key=lambda x: times[x])
    raise InputError(
        "the labels {same} are the same number, and {other} is no number, so they may be one class or several",
        same=listed({x: times[x] for x in same}), other=listed({word: times[word]}), word=word,
        na=Either(f"na_values=[{word!r}]", f"{{na_values}} {shlex.quote(word).replace('{', '{{').replace('}', '}}')}"),
        advice="write a class in one way; if {word!r} stands for a missing label, say so with {na}; if all are "
        "classes, list them with {labels:=}",
    )  # fmt: skip


def listed(times: Mapping[str, int]) -> str:
    """Return labels as words, each with how often it occurs.

    >>> listed({"1": 3, "1.0": 1})
    "'1' (3 times) and '1.0' (once)"
    """
    words = [f"{label!r} ({'once' if n == 1 else f'{n:,} times'})" for label, n in times.items()]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
