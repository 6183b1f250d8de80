"""The language of ``c``: what a definition may say about a confusion matrix, as whoever writes one may rely on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Generic, NewType, Protocol, Self, TypeAlias, cast

from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import SKIP, Policy, Skip
from goodmeasure.language.value import Condition, Value
from goodmeasure.typing import Array

# A class, as a definition meets it: a number, an array of numbers in a batch, a letter in a printed formula, or a
# symbol in a proof. A definition can only hand it back to its view.
ClassIndex = NewType("ClassIndex", object)

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # What a view computes with, and what stands for a class. A definition says ``c: View`` and knows no more of them
    # than these two types; each view knows its own kind of number and of class.
    V = TypeVar("V", bound=Value, default=Value)
    K = TypeVar("K", default=ClassIndex)
else:  # type variables have defaults since Python 3.13
    from typing import TypeVar

    V, K = TypeVar("V"), TypeVar("K")

Number: TypeAlias = int | float | Fraction
# What a class is mapped to by a sum or mean, and a pair of classes; a definition may return a plain number as well.
Term: TypeAlias = "Callable[[K], V | float]"
PairTerm: TypeAlias = "Callable[[K, K], V | float]"
# Which classes, and which pairs of them, a sum or mean is over.
Chosen: TypeAlias = "Callable[[K], Condition | bool]"
ChosenPairs: TypeAlias = "Callable[[K, K], Condition | bool]"
# What a choice leads to: a value, a function without arguments that returns one, or ``c.skip``.
Branch: TypeAlias = "V | float | Skip | Callable[[], V | float]"
# The rule of a mean for a term without a value.
Rule: TypeAlias = "V | float | Skip | Callable[[K], V | float | Skip]"
# The entries of ``c.table``, or a function of the number of classes that returns them.
TableRows: TypeAlias = Sequence[Sequence[Number]] | Sequence[Number] | Array
RowsOfTable: TypeAlias = "TableRows | Callable[[int], TableRows]"


class Sizes(Generic[V, K]):
    """The class sizes ``c.a`` or ``c.b``, indexed by a class."""

    __slots__ = ("_size",)

    def __init__(self, size: Callable[[K | int], V]) -> None:
        self._size = size

    def __getitem__(self, i: K | int) -> V:
        return self._size(i)


class ConstantTable(Generic[V, K]):
    """Constants indexed by two classes, such as costs."""

    __slots__ = ("_entry",)

    def __init__(self, entry: Callable[[K | int, K | int], V]) -> None:
        self._entry = entry

    def __getitem__(self, ij: tuple[K | int, K | int]) -> V:
        return self._entry(*ij)


class View(ABC, Generic[V, K]):
    """A confusion matrix as a definition sees it: rows are true classes, columns are predicted classes.

    It says which words the language of ``c`` has; `record.py` has the view that a definition is run with.
    docs/language.md describes the words for people who write definitions.
    """

    m: V | int  # the number of classes
    policy: Policy
    skip: Skip = SKIP

    # Cells and sizes

    @abstractmethod
    def __getitem__(self, ij: tuple[K | int, K | int]) -> V:
        """Return how many items of true class i were predicted as class j."""

    @property
    @abstractmethod
    def a(self) -> Sizes[V, K]:
        """The number of items in each true class."""

    @property
    @abstractmethod
    def b(self) -> Sizes[V, K]:
        """The number of items in each predicted class."""

    @property
    @abstractmethod
    def n(self) -> V:
        """The number of items."""

    @property
    @abstractmethod
    def T(self) -> View[V, K]:  # noqa: N802 - as in NumPy
        """The view with true and predicted labels exchanged."""

    @property
    @abstractmethod
    def tp(self) -> V:
        """The number of true positives, of a matrix with two classes."""

    @property
    @abstractmethod
    def fn(self) -> V:
        """The number of false negatives."""

    @property
    @abstractmethod
    def fp(self) -> V:
        """The number of false positives."""

    @property
    @abstractmethod
    def tn(self) -> V:
        """The number of true negatives."""

    @abstractmethod
    def excess(self, i: K | int, j: K | int | None = None) -> V:
        """Return n·c_ij − a_i·b_j, how far a cell exceeds what the class sizes give by chance (j = i by default).

        It equals c_ij·(all other rows and columns) − (rest of row i)·(rest of column j), which is TP·TN − FP·FN for
        j = i, and is computed so: multiplied out, both products of the first form contain c_ij·(row i and column j),
        and subtracting these large equal parts would cancel digits.
        """

    # Other views

    @abstractmethod
    def vs_rest(self, i: K | int) -> View[V, K]:
        """Return the view of two classes: class i, as the positive one, against all others."""

    @abstractmethod
    def two(self, tp: V, fn: V, fp: V, tn: V) -> View[V, K]:
        """Return a view of two classes with these cells."""

    @abstractmethod
    def map(self, cell: Callable[[K, K], V]) -> View[V, K]:
        """Return the view of a matrix that is computed cell by cell."""

    # Over classes

    @abstractmethod
    def sum(self, term: Term[K, V], over: Chosen[K] | None = None) -> V:
        """Return the sum of a term over all classes, or over those for which a condition holds."""

    @abstractmethod
    def product(self, term: Term[K, V], over: Chosen[K] | None = None) -> V:
        """Return the product of a term over all classes, or over those for which a condition holds."""

    @abstractmethod
    def least(self, term: Term[K, V], over: Chosen[K] | None = None) -> V:
        """Return the smallest term."""

    @abstractmethod
    def greatest(self, term: Term[K, V], over: Chosen[K] | None = None) -> V:
        """Return the largest term."""

    @abstractmethod
    def mean(
        self,
        term: Term[K, V],
        p: V | Number = 1,
        over: Chosen[K] | None = None,
        undefined: Rule[V, K] | None = None,
        weights: Sizes[V, K] | None = None,
    ) -> V:
        """Return the power mean of the terms.

        `undefined` is the rule for a term without a value, which acts under "resolve" only: a value, ``c.skip``, or a
        function of the class that returns either. `weights` (``c.a`` or ``c.b``, with p = 1) makes it a weighted mean:
        a class of weight 0 does not matter under any policy, and a class that is left out takes its weight with it.
        """

    @abstractmethod
    def occurs(self, i: K | int) -> Condition | bool:
        """Return whether class i has true or predicted items.

        ``c.mean(f, over=c.occurs)`` leaves out the classes that occur in neither labeling, and notes them.
        """

    @abstractmethod
    def sum_off(
        self,
        term: PairTerm[K, V],
        over: ChosenPairs[K] | None = None,
    ) -> V:
        """Return the sum over all pairs of different classes; the term must be 0 wherever the cell is 0."""

    # Arithmetic

    @property
    @abstractmethod
    def pi(self) -> V:
        """The number π."""

    @abstractmethod
    def constant(self, number: V | Number) -> V:
        """Return a rational constant; a float stands for its shortest decimal."""

    @abstractmethod
    def power(self, x: V | float, r: V | Number) -> V:
        """Return x to the power r, a real number."""

    @abstractmethod
    def power_mean(self, values: Sequence[V | float], p: V | Number) -> V:
        """Return the power mean of some values: 0 if p ≤ 0 and one is zero, undefined if p ≠ 1 and one is negative."""

    @abstractmethod
    def over_mean(self, x: V | float, u: V | float, v: V | float, mean: str, p: int | None = None) -> V:
        """Return x divided by a mean of two positive values.

        The mean is "logarithmic", "identric", "seiffert", "neuman_sandor", "heronian", or "stolarsky" with a whole
        number p ≥ 2. Proofs know these means by name; `means_of_two.py` has their formulas and what makes them means.
        """

    @abstractmethod
    def sqrt(self, x: V | float) -> V:
        """Return the square root, undefined for negative numbers."""

    @abstractmethod
    def log(self, x: V | float) -> V:
        """Return the natural logarithm, undefined unless x > 0."""

    @abstractmethod
    def xlogy(
        self, x: V | float, y: V | float | Callable[[], V | float], above: Callable[[], V | float] | None = None
    ) -> V:
        """Return x·log y, which is 0 at x = 0; y may be a function, evaluated only where x ≠ 0.

        `above` returns y − 1 if a formula can compute it without cancellation. It carries no new information, but a
        float that is nearly 1 has lost the digits of its logarithm: 1 + 1e-12 keeps only four digits of what
        distinguishes it from 1.
        """

    @abstractmethod
    def arccos(self, x: V | float) -> V:
        """Return the arc cosine, undefined outside of [−1, 1]."""

    @abstractmethod
    def exp(self, x: V | float) -> V:
        """Return the exponential."""

    @abstractmethod
    def log1p(self, x: V | float) -> V:
        """Return log(1 + x), which floats compute accurately for small x."""

    @abstractmethod
    def arcsin(self, x: V | float) -> V:
        """Return the arc sine, which floats compute accurately for small x."""

    @abstractmethod
    def min(self, *values: V | float) -> V:
        """Return the smallest of some values."""

    @abstractmethod
    def max(self, *values: V | float) -> V:
        """Return the largest of some values."""

    @abstractmethod
    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[V, K]:
        """Return constants indexed by two classes; the legend explains them in a printed formula."""

    # Choices

    @abstractmethod
    def where(self, condition: Condition | bool, x: Branch[V], y: Branch[V]) -> V:
        """Return x where the condition holds, else y; either may be a function, evaluated under its condition."""

    @abstractmethod
    def ratio(self, x: V | float, y: V | float, otherwise: Branch[V] | None = None) -> V:
        """Return x/y, or what `otherwise` says if y = 0 and the policy is "resolve"."""

    # What a measure asks of a view

    @abstractmethod
    def resolved(self, x: V | float, y: V | float) -> V | float:
        """Return x under the policy "resolve", under which rules act, and y under every other one."""

    @abstractmethod
    def undefined(self) -> V:
        """Return the value of something undefined without a rule, under the policy in force."""

    @abstractmethod
    def finish(self, value: V | float) -> V | float:
        """Return the value of a measure on this view; that of a mapped view with an undefined cell is undefined."""


# A definition as it is written: a formula, as a function of a confusion matrix.
Definition: TypeAlias = Callable[[View], Value | float]


class Readable(Protocol):
    """A definition as it is read: on a view of any kind of numbers, it returns such a number."""

    def __call__(self, c: View[V, K], /) -> V | float: ...


def readable(definition: Definition) -> Readable:
    """Return a definition, as what every view can read.

    A definition computes only with what its view hands out, so it works for every kind of number. The annotation
    ``c: View`` cannot express this "for every", so this is the one place where types are not checked.
    """
    return cast(Readable, definition)


def check_weighted(p: object, over: object) -> None:
    """Refuse weights for a power mean other than the arithmetic mean, and together with a selection of classes."""
    if p != 1 or over is not None:
        raise InputError(
            "weights= needs p=1 and no over=", argument="weights", advice="a class of weight 0 is left out anyway"
        )


def shortest(number: object) -> Fraction:
    """Return a number as a fraction, a float as its shortest decimal: 0.1 is 1/10."""
    if type(number) is Fraction:
        return number
    if isinstance(number, float):
        return Fraction(repr(number))
    if isinstance(number, Rational):  # NumPy integers: a Fraction would keep their 64 bits
        return Fraction(int(number.numerator), int(number.denominator))
    return Fraction(number)  # type: ignore[call-overload, no-any-return] # it refuses what is not a number


def exponent_of(r: object) -> Fraction:
    """Return an exponent as a fraction, a float as the simplest one that reads as it: 1/3 means one third.

    A float is within half a unit of its last place of every number that people may mean by it, and an exponent with a
    small denominator is worked out exactly in no time.
    """
    if isinstance(r, float):
        for most in (1, 10**2, 10**4, 10**6, 10**8):
            simple = Fraction(r).limit_denominator(most)
            if float(simple) == r:
                return simple
    return shortest(r)


class ClassNumber(Protocol):
    """The number of a class in the formula of a table's entry: an integer, or a symbol for one."""

    def __sub__(self, other: Self, /) -> Self: ...

    def __pow__(self, exponent: int, /) -> Self: ...

    def __abs__(self) -> Self: ...


_N = TypeVar("_N", bound=ClassNumber)


class TableEntry(Protocol):
    """The entry of a table as a formula in the numbers of its two classes."""

    def __call__(self, i: _N, j: _N, /) -> _N: ...


@dataclass(frozen=True, eq=False)
class ClassTable:
    """A table for any number of classes, whose entries are one formula in the numbers of the two classes."""

    entry: TableEntry

    def __call__(self, m: int) -> TableRows:
        return [[self.entry(i, j) for j in range(m)] for i in range(m)]


def entries(rows: RowsOfTable, m: int) -> list[list[Number]]:
    """Return the entries of ``c.table(rows)`` for m classes."""
    table = [list(row) if isinstance(row, Collection) else [row] for row in (rows(m) if callable(rows) else rows)]
    if len(table) != m or any(len(row) != m for row in table):
        raise InputError(
            "the table is {rows}x{columns}, the matrix has {m} classes",
            rows=len(table),
            columns=len(table[0]) if table else 0,
            m=m,
        )
    return table
