"""Policies for undefined terms of a formula, and the notes that say what was done about them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import SupportsIndex, TypeAlias

import numpy as np

from goodmeasure.exceptions import InputError
from goodmeasure.exceptions import Undecided as Undecided
from goodmeasure.exceptions import UndefinedMeasure as UndefinedMeasure


class Skip(Enum):
    """The type of ``c.skip``, which leaves the current class out of the innermost sum or mean."""

    SKIP = "skip"

    def __repr__(self) -> str:
        return "c.skip"


SKIP = Skip.SKIP


class LeaveOut(Exception):  # noqa: N818 - a signal between a ratio and the loop around it, never seen by users
    """Signal that the rule of a ratio is ``c.skip``, in views that visit one class after another."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What ``undefined=`` asks for: a name, and the number if the name is "number"."""

    name: str
    number: float | Fraction = 0

    @property
    def resolves(self) -> bool:
        """Whether the rules written in the formulas (``otherwise=``) act."""
        return self.name == "resolve"

    @property
    def quiet(self) -> Policy:
        """The policy for baselines and resamples, which are NaN where they are undefined and a value would raise."""
        return NAN if self.name == "raise" else self

    def __str__(self) -> str:
        return str(self.number).removesuffix(".0") if self.name == "number" else self.name


Undefined: TypeAlias = str | float | Fraction | Policy
"""The type of ``undefined=``: "resolve", "nan", "raise", or a number that replaces each undefined term."""

RESOLVE = Policy("resolve")
NAN = Policy("nan")
_NAMED = {"resolve": RESOLVE, "nan": NAN, "raise": Policy("raise")}


def policy_of(undefined: Undefined) -> Policy:
    """Return the policy that the argument ``undefined=`` names."""
    if isinstance(undefined, Policy):
        return undefined
    if isinstance(undefined, str):
        try:
            return _NAMED[undefined]
        except KeyError:
            pass
    elif isinstance(undefined, (int, float, Fraction, np.floating, np.integer)) and not isinstance(undefined, bool):
        plain = undefined.item() if isinstance(undefined, np.generic) else undefined
        return NAN if math.isnan(plain) else Policy("number", plain)
    raise InputError("{undefined} is {got!r}", got=undefined, advice='use "resolve", "nan", "raise" or a number')


# What was done about an undefined term: `Note.action` is one of these.
VALUE = "value"  # the formula's own rule gave it a value
COUNTED = "counted"  # the rule of an average gave it a value
NUMBER = "number"  # the policy replaced it by a number
SKIPPED = "skip"  # its class was left out of a sum
LEFT_OUT = "left out"  # its class was left out of a mean
ABSENT = "absent"  # its class occurs in neither labeling and was left out of an average
UNDEFINED = "undefined"  # nothing: the value is undefined


@dataclass(frozen=True, slots=True)
class Note:
    """A division of a formula whose denominator was 0: where it is, for which class, and what was done about it.

    `place` distinguishes the divisions of a formula; `where` is the path of class numbers through the open sums;
    `action` is one of the words above, `value` is what the term became, and `above` is the numerator.
    """

    place: object
    where: tuple[SupportsIndex, ...]
    action: str
    value: object = None
    above: int | float | Fraction = 0
