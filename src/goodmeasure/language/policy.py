"""What happens where a term of a formula is undefined, and the records of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from goodmeasure.exceptions import InputError
from goodmeasure.exceptions import Undecided as Undecided
from goodmeasure.exceptions import UndefinedMeasure as UndefinedMeasure

Undefined = Literal["resolve", "nan", "raise"] | float
"""What users pass as ``undefined=``: a policy by name, or the number that replaces each undefined term."""


class _Skip:
    """The value of ``c.skip``: leave this class out of the innermost sum or mean."""

    def __repr__(self) -> str:
        return "c.skip"


SKIP = _Skip()


class LeaveOut(Exception):  # noqa: N818 - a signal between a ratio and the loop around it, never seen by users
    """Raised by a ratio whose rule is ``c.skip`` in the algebras that visit one class after another."""


@dataclass(frozen=True, slots=True)
class Policy:
    """One reading of ``undefined=``: its name, and the number where it is one."""

    name: str
    number: Any = None

    @property
    def resolves(self) -> bool:
        """Whether the rules written in the formulas (``otherwise=``) act."""
        return self.name == "resolve"

    def __str__(self) -> str:
        return f"{self.number:g}" if self.name == "number" else self.name


RESOLVE = Policy("resolve")
NAN = Policy("nan")
_NAMED = {"resolve": RESOLVE, "nan": NAN, "raise": Policy("raise")}


def policy_of(undefined: Any) -> Policy:
    """Read the argument ``undefined=``."""
    if isinstance(undefined, Policy):
        return undefined
    if isinstance(undefined, str):
        try:
            return _NAMED[undefined]
        except KeyError:
            pass
    elif isinstance(undefined, (int, float, Fraction, np.floating, np.integer)) and not isinstance(undefined, bool):
        return NAN if math.isnan(undefined) else Policy("number", undefined)
    raise InputError("{undefined} is {got!r}", got=undefined, advice='use "resolve", "nan", "raise" or a number')


# What was done about a term without a value.
VALUE = "value"  # the formula's own rule gave it one
COUNTED = "counted"  # an average counts it as some value
NUMBER = "number"  # the policy replaced it by a number
SKIPPED = "skip"  # the class was left out
ABSENT = "absent"  # the class occurs in neither labeling and was left out of an average
UNDEFINED = "undefined"  # nothing


@dataclass(frozen=True, slots=True)
class Note:
    """One place of a formula where a denominator was 0, for which class, and what was done about it.

    ``place`` tells divisions of one formula apart; ``where`` is the path of class numbers through the open sums;
    ``action`` is one of the words above, ``value`` what the term became, and ``above`` the numerator.
    """

    place: object
    where: Any
    action: str
    value: Any = None
    above: Any = 0
