"""The papers' printed tables, and what it takes for a value to agree with a printed one."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from importlib.resources import files

TABLES = json.loads(
    files("goodmeasure.catalogue").joinpath("printed_tables.json").read_text(encoding="utf-8"), parse_float=Fraction
)


def rounds_to(value, printed, decimals):
    """Whether an exact value is printed so with this many decimals; a half may go either way."""
    half = Fraction(1, 2 * 10**decimals)
    return printed - half <= value <= printed + half


def cut(value, decimals):
    """A rational value with the digits after this many decimals left out."""
    return Fraction(math.floor(value * 10**decimals), 10**decimals)


def transposed(rows):
    """Opitz prints predicted classes in rows; here rows are true classes."""
    return [list(column) for column in zip(*rows, strict=True)]
