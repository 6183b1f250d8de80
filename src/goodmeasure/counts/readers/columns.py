"""Which columns of a table are counted, and the errors about them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from goodmeasure.exceptions import InputError, InputTypeError, UnknownName
from goodmeasure.typing import Array

MOST_ITEMS = 2**53  # fewer items than this: a float holds every whole number below it, and rounds none down to it


class NoRows(InputError):  # noqa: N818 - it says what happened
    """The table has no rows."""

    def __init__(self, where: str) -> None:
        super().__init__("{where} has no rows", where=where, advice="there is nothing to count")


@dataclass(frozen=True, slots=True)
class WantedColumns:
    """Which columns are counted, and in which role."""

    true: str
    systems: tuple[str, ...]
    weight: str | None = None
    by: tuple[str, ...] = ()
    group: str | None = None
    count: str | None = None  # how many items a row stands for

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column once."""
        optional = [x for x in (self.weight, self.group, self.count) if x is not None]
        return tuple(dict.fromkeys([self.true, *self.systems, *self.by, *optional]))


def check_columns(names: Sequence[str], known: Sequence[str], where: str = "the data") -> None:
    """Refuse a column that does not exist, and suggest the nearest name that does."""
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(str(name).casefold(), [str(x).casefold() for x in known], n=1, cutoff=0.6)
            meant = next((f"; did you mean {x!r}?" for x in known if near and str(x).casefold() == near[0]), "")
            shown = ", ".join(repr(x) for x in list(known)[:20]) + (", …" if len(known) > 20 else "")
            raise UnknownName(
                "{where} has no column {name!r}",
                where=where,
                name=name,
                known=shown or "none",
                meant=meant,
                suggestions=[x for x in known if near and str(x).casefold() == near[0]],
                advice="its columns are {known}{meant}",
            )


def check_label_kinds(wanted: WantedColumns, kinds: Mapping[str, tuple[str | None, str]]) -> None:
    """Refuse labels whose types say that they are of different kinds, before an engine runs a job for them.

    `kinds` has the kind of the labels of each column (number, text or boolean; None: their values tell), and its type.
    """
    known = [(name, *kinds[name]) for name in (wanted.true, *wanted.systems) if kinds[name][0] is not None]
    for name, kind, shown in known[1:]:
        first, other, shown_first = known[0]
        if kind != other:
            raise InputTypeError(
                "labels are of different kinds, {other} ({first!r} is {shown_first}) and {kind} ({name!r} is {shown})",
                other=other, first=first, shown_first=shown_first, kind=kind, name=name, shown=shown,
                both=f"{first} and {name}", advice="convert {both} to one kind",
            )  # fmt: skip


def check_count_type(name: str, is_number: bool, kind: str) -> None:
    """Refuse a column of counts that does not hold numbers."""
    if not is_number:
        raise InputTypeError("count column {name!r} holds {kind} values", name=name, kind=kind, expected="numbers")


def check_counts(name: str, bad: int, rows: int, example: float | None, total: float) -> None:
    """Refuse counts that are not whole numbers of items, or that add up to nothing or to more than can be counted."""
    if bad:
        shown = "missing" if example is None or example != example else f"{example:g}"
        raise InputError(
            "count column {name!r} is missing, negative or not whole in {bad:,} of {rows:,} rows (one is {shown})",
            name=name,
            bad=bad,
            rows=rows,
            shown=shown,
            advice="a row stands for a whole number of items; numbers with fractions are weights ({sample_weight:=})",
        )
    if rows and not total > 0:
        raise InputError("count column {name!r} is 0 in every row", name=name, advice="there is nothing to count")
    if total >= MOST_ITEMS:
        raise InputError(
            "count column {name!r} adds up to {total:.3g} items",
            name=name,
            total=total,
            expected="fewer than 2^53, so that sums are exact",
        )


def check_weight_type(name: str, is_number: bool, kind: str) -> None:
    """Refuse a weight column that does not hold numbers."""
    if not is_number:
        raise InputTypeError("weight column {name!r} holds {kind} values", name=name, kind=kind, expected="numbers")


def checked_counts(name: str, counts: Array) -> Array:
    """Return how many items each row stands for, from floats with NaN for none; refuse anything but whole numbers."""
    bad = ~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts)))
    example = counts[bad][0].item() if bad.any() else None
    check_counts(name, int(bad.sum()), len(counts), example, float(counts.sum()))
    return counts.astype(np.int64)


def checked_weights(name: str, weights: Array) -> Array:
    """Return weights, from floats with NaN for none; refuse those that are missing, negative or not finite."""
    bad = ~((weights >= 0) & np.isfinite(weights))
    if bad.any():
        refuse_weights(name, int(bad.sum()), len(weights), weights[bad][0].item())
    return weights


def refuse_weights(name: str, bad: int, rows: int, example: float | None) -> None:
    """Raise the error about weights that are missing, negative or not finite."""
    shown = "missing" if example is None or example != example else f"{example:g}"
    raise InputError(
        "weight column {name!r} is missing, negative or not finite in {bad:,} of {rows:,} rows (one is {shown})",
        name=name,
        bad=bad,
        rows=rows,
        shown=shown,
        advice="weights must be finite and not negative",
    )
