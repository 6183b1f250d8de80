"""The language of ``c``: what a definition may say about a confusion matrix, whatever algebra reads it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import SKIP, Policy

# What a definition computes with is a number, an array, an exact real, a formula: the algebra's own kind of value.
Value = Any
Term = Callable[[Any], Value]


class Sizes:
    """Class sizes ``c.a`` and ``c.b``, indexed by a class."""

    __slots__ = ("_size",)

    def __init__(self, size: Callable[[Any], Value]) -> None:
        self._size = size

    def __getitem__(self, i: Any) -> Value:
        return self._size(i)


class Table:
    """Constants indexed by two classes, such as costs."""

    __slots__ = ("_entry",)

    def __init__(self, entry: Callable[[Any, Any], Value]) -> None:
        self._entry = entry

    def __getitem__(self, ij: tuple[Any, Any]) -> Value:
        return self._entry(*ij)


class View(ABC):
    """A confusion matrix as a definition sees it: rows are true classes, columns are predicted classes."""

    m: Any
    policy: Policy
    skip = SKIP

    # Cells and sizes

    @abstractmethod
    def __getitem__(self, ij: tuple[Any, Any]) -> Value: ...

    @property
    @abstractmethod
    def a(self) -> Sizes: ...

    @property
    @abstractmethod
    def b(self) -> Sizes: ...

    @property
    @abstractmethod
    def n(self) -> Value: ...

    @property
    @abstractmethod
    def T(self) -> View:  # noqa: N802 - as in NumPy
        ...

    @property
    def tp(self) -> Value:
        return self._of_two(1, 1)

    @property
    def fn(self) -> Value:
        return self._of_two(1, 0)

    @property
    def fp(self) -> Value:
        return self._of_two(0, 1)

    @property
    def tn(self) -> Value:
        return self._of_two(0, 0)

    def _of_two(self, i: int, j: int) -> Value:
        if self.m != 2:
            raise InputError(
                "c.tp, c.fn, c.fp and c.tn are cells of two classes, and the matrix has {m}", m=self.m,
                advice="use c.vs_rest(i), or gm.macro, gm.micro or gm.weighted of the measure",
            )  # fmt: skip
        return self[i, j]

    @abstractmethod
    def excess(self, i: Any) -> Value:
        """n·c_ii − a_i·b_i, how far class i agrees beyond chance, computed as TP·TN − FP·FN of class i against the
        rest, which cancels nothing that the first form would."""

    # Other views

    @abstractmethod
    def vs_rest(self, i: Any) -> View: ...

    @abstractmethod
    def two(self, tp: Value, fn: Value, fp: Value, tn: Value) -> View: ...

    @abstractmethod
    def map(self, cell: Callable[[Any, Any], Value]) -> View: ...

    # Over classes

    @abstractmethod
    def sum(self, term: Term, over: Term | None = None) -> Value: ...

    @abstractmethod
    def product(self, term: Term, over: Term | None = None) -> Value: ...

    @abstractmethod
    def least(self, term: Term, over: Term | None = None) -> Value: ...

    @abstractmethod
    def greatest(self, term: Term, over: Term | None = None) -> Value: ...

    @abstractmethod
    def mean(
        self, term: Term, p: Any = 1, over: Term | None = None, undefined: Any = None, weights: Any = None
    ) -> Value:
        """The power mean of the terms.

        ``undefined`` is the rule for a term without a value, which acts under "resolve" only: a value, ``c.skip``, or a
        function of the class that gives either. ``weights`` (``c.a`` or ``c.b``, with p = 1) makes it a weighted mean:
        a class of weight 0 has no say under any policy, and a class that is left out takes its weight with it.
        """

    def occurs(self, i: Any) -> Any:
        """Whether class i has true or predicted items; under every policy but "resolve" each class counts.

        ``c.mean(f, over=c.occurs)`` leaves out the classes that occur in neither labeling, and notes them.
        """
        return not self.policy.resolves or (self.a[i] + self.b[i] > 0)

    @abstractmethod
    def sum_off(self, term: Callable[[Any, Any], Value], over: Callable[[Any, Any], Any] | None = None) -> Value: ...

    # Arithmetic

    @property
    @abstractmethod
    def pi(self) -> Value: ...

    @abstractmethod
    def constant(self, number: Any) -> Value:
        """A rational constant; a float means its shortest decimal."""

    @abstractmethod
    def power(self, x: Value, r: Any) -> Value: ...

    @abstractmethod
    def power_mean(self, values: list[Value], p: Any) -> Value:
        """The power mean of some values; p ≤ 0 with a zero among them is 0, a negative one with p ≠ 1 is undefined."""

    @abstractmethod
    def sqrt(self, x: Value) -> Value: ...

    @abstractmethod
    def log(self, x: Value) -> Value: ...

    @abstractmethod
    def xlogy(self, x: Value, y: Value, above: Callable[[], Value] | None = None) -> Value:
        """x log y, which is 0 at x = 0; y may be a function, evaluated where x ≠ 0.

        `above` gives y − 1 where a formula has it without cancellation. It says nothing new, but floats lose the
        logarithm of a y that is nearly 1: 1 + 1e-12 has only four digits of what makes it differ from 1.
        """

    @abstractmethod
    def arccos(self, x: Value) -> Value: ...

    def exp(self, x: Value) -> Value:
        """The exponential; the algebras of proofs do not have it."""
        raise TypeError(f"the algebra of {type(self).__name__} has no exponential")

    def log1p(self, x: Value) -> Value:
        """log(1 + x), which floats know well where x is small."""
        return self.log(1 + x)

    def arcsin(self, x: Value) -> Value:
        """The arc sine, which floats know well where x is small."""
        return self.pi / 2 - self.arccos(x)

    @abstractmethod
    def min(self, *values: Value) -> Value: ...

    @abstractmethod
    def max(self, *values: Value) -> Value: ...

    @abstractmethod
    def table(self, rows: Any, legend: str | None = None) -> Table:
        """Constants by class; the legend says in a printed formula what they are."""

    # Choices

    @abstractmethod
    def where(self, condition: Any, x: Value, y: Value) -> Value: ...

    @abstractmethod
    def ratio(self, x: Value, y: Value, otherwise: Any = None) -> Value: ...

    # What a measure asks of a view

    @abstractmethod
    def undefined(self) -> Value:
        """The value of what is undefined and has no rule, under the policy in force."""

    def finish(self, value: Value) -> Value:
        """Mend the value of a measure on this view; a mapped view is undefined as a whole where one cell is."""
        return value


def check_weighted(p: Any, over: Any) -> None:
    """Refuse weights for a power mean other than the plain one, and for a choice of classes."""
    if p != 1 or over is not None:
        raise ValueError("weights= goes with p=1 and without over=: a class of weight 0 is left out anyway")


def shortest(number: Any) -> Fraction:
    """A number as the fraction that its shortest decimal says: 0.1 is 1/10."""
    if isinstance(number, float):
        return Fraction(repr(number))
    return Fraction(number)


@dataclass(frozen=True, eq=False)
class ClassTable:
    """A table for any number of classes, exactly, and as an array of the nearest floats, which takes far less time."""

    exact: Callable[[int], Any]
    floats: Callable[[int], Any]

    def __call__(self, m: int) -> Any:
        return self.exact(m)


def float_entries(rows: Any, m: int) -> Any:
    """The entries of ``c.table(rows)`` for m classes as floats."""
    if isinstance(rows, ClassTable):
        return rows.floats(m)
    return [[float(x) for x in row] for row in entries(rows, m)]


def entries(rows: Any, m: int) -> list[list[Any]]:
    """The entries of ``c.table(rows)`` for m classes."""
    table = [list(row) if hasattr(row, "__len__") else [row] for row in (rows(m) if callable(rows) else rows)]
    if len(table) != m or any(len(row) != m for row in table):
        raise ValueError(f"the table is {len(table)}x{len(table[0]) if table else 0}, the matrix has {m} classes")
    return table
