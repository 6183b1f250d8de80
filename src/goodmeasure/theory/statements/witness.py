"""Witnesses, which refute a statement: matrices with their values, a sentence, and a line of Python to replay it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from goodmeasure.documents import UNLESS_EMPTY, made_of, plain_of
from goodmeasure.language.view import shortest
from goodmeasure.typing import ArrayLike, ReadJson

CellNumber = int | Fraction
MatrixRows = tuple[tuple[CellNumber, ...], ...]
ClassSizes = tuple[int, ...]
WholeRows = tuple[tuple[int, ...], ...]
Labeling = tuple[int, ...]  # the class of each item, by its number


def rows_of(matrix: ArrayLike) -> MatrixRows:
    """Return a matrix as rows of whole numbers and fractions."""
    return tuple(tuple(_number(x) for x in row) for row in matrix)


def _number(x: object) -> CellNumber:
    """Return a number as an integer, or as a fraction where it is not whole."""
    fraction = Fraction(x) if isinstance(x, (str, int, float, Fraction)) else shortest(x)
    return fraction.numerator if fraction.denominator == 1 else fraction


def text_of(rows: MatrixRows, *, exact: bool = True) -> str:
    """Return a matrix as people type it in Python, with quotients in place of fractions unless it is ``exact``."""
    return "[" + ", ".join("[" + ", ".join(_typed(x, exact) for x in row) + "]" for row in rows) + "]"


def _typed(x: CellNumber, exact: bool) -> str:
    """Return a number as people type it, where F stands for Fraction."""
    if isinstance(x, int):
        return str(x)
    return f"F({x.numerator}, {x.denominator})" if exact else f"{x.numerator} / {x.denominator}"


@dataclass(frozen=True)
class Exhibit:
    """One matrix of a witness with its role and value, or an average over matrices with their weights."""

    role: str
    value: str
    number: float
    matrix: MatrixRows = field(default=(), metadata=UNLESS_EMPTY)
    average: tuple[tuple[CellNumber, MatrixRows], ...] = field(default=(), metadata=UNLESS_EMPTY)

    def __str__(self) -> str:
        if self.matrix:
            return f"{self.role}: {text_of(self.matrix)} → {self.value}"
        return f"{self.role} → {self.value}"


@dataclass(frozen=True)
class Witness:
    """The matrices that refute a statement, each with its value, and a line of Python that shows it.

    ``replay`` is what the statement demands of these matrices; it evaluates to False. ``labelings`` are the three
    labelings that violate the triangle inequality of a distance: the class of each item, by its number.
    """

    exhibits: tuple[Exhibit, ...]
    says: str
    replay: str
    labelings: tuple[Labeling, ...] = field(default=(), metadata=UNLESS_EMPTY)

    @property
    def matrices(self) -> tuple[MatrixRows, ...]:
        """Return the matrices, in the order in which they are shown."""
        return tuple(x.matrix for x in self.exhibits if x.matrix)

    @property
    def values(self) -> tuple[str, ...]:
        """Return the exact values of all exhibits as text."""
        return tuple(x.value for x in self.exhibits)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Return the numbers of classes that occur."""
        found = [*self.matrices, *(rows for x in self.exhibits for _, rows in x.average)]
        return tuple(sorted({len(rows) for rows in found}))

    def to_dict(self) -> dict[str, ReadJson]:
        """Return the witness as plain data."""
        return plain_of(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, ReadJson]) -> Witness:
        """Return the witness that plain data describes."""
        return made_of(cls, current_form(data))

    def _named_labelings(self) -> list[str]:
        """Return the labelings as text, such as "A = 0112"."""
        return [f"{name} = {''.join(map(str, x))}" for name, x in zip("ABC", self.labelings, strict=True)]

    def __str__(self) -> str:
        lines = [str(x) for x in self.exhibits]
        if self.labelings:
            lines.insert(0, "labelings " + ", ".join(self._named_labelings()))
        return "\n".join([*lines, self.says, f">>> {self.replay}", "False"])


def labelings_of(data: Mapping[str, ReadJson]) -> tuple[Labeling, ...]:
    """Return the labelings of a witness in JSON: lists of numbers, or text in files of earlier versions.

    The stored atlas and files that were written before have text such as "A = 0112", with one digit for each item.
    """
    found = data.get("labelings", ())
    return tuple(
        tuple(map(int, x.removeprefix(f"{'ABC'[k : k + 1]} = "))) if isinstance(x, str) else tuple(x)
        for k, x in enumerate(found)
    )


def current_form(data: Mapping[str, ReadJson]) -> Mapping[str, ReadJson]:
    """Return a witness in JSON with its labelings as lists, also if it is of an earlier version."""
    return {**data, "labelings": [list(x) for x in labelings_of(data)]} if "labelings" in data else data
