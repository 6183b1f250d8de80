"""The language of ``c``: what a definition may say about a confusion matrix, whichever view evaluates it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language import two_means
from goodmeasure.language.policy import SKIP, Policy
from goodmeasure.typing import Array
from goodmeasure.typing import Value as Value

# A class, as a definition meets it: a number, an array of numbers in a batch, a letter in a printed formula, or a
# symbol in a proof.
ClassIndex: TypeAlias = Value
Term = Callable[[ClassIndex], Value]
PairTerm = Callable[[ClassIndex, ClassIndex], Value]


class Sizes:
    """The class sizes ``c.a`` or ``c.b``, indexed by a class."""

    __slots__ = ("_size",)

    def __init__(self, size: Term) -> None:
        self._size = size

    def __getitem__(self, i: ClassIndex) -> Value:
        return self._size(i)


class Table:
    """Constants indexed by two classes, such as costs."""

    __slots__ = ("_entry",)

    def __init__(self, entry: PairTerm) -> None:
        self._entry = entry

    def __getitem__(self, ij: tuple[ClassIndex, ClassIndex]) -> Value:
        return self._entry(*ij)


class View(ABC):
    """A confusion matrix as a definition sees it: rows are true classes, columns are predicted classes.

    Each subclass is one reading of definitions: floats, batches, exact numbers, printed formulas, worked steps, proofs.
    docs/language.md describes the words for people who write definitions.
    """

    m: ClassIndex  # the number of classes
    policy: Policy
    skip = SKIP

    # Cells and sizes

    @abstractmethod
    def __getitem__(self, ij: tuple[ClassIndex, ClassIndex]) -> Value:
        """Return how many items of true class i were predicted as class j."""

    @property
    @abstractmethod
    def a(self) -> Sizes:
        """The number of items in each true class."""

    @property
    @abstractmethod
    def b(self) -> Sizes:
        """The number of items in each predicted class."""

    @property
    @abstractmethod
    def n(self) -> Value:
        """The number of items."""

    @property
    @abstractmethod
    def T(self) -> View:  # noqa: N802 - as in NumPy
        """The view with true and predicted labels exchanged."""

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
        """Return a cell of a matrix with two classes; refuse other numbers of classes."""
        if self.m != 2:
            raise InputError(
                "c.tp, c.fn, c.fp and c.tn are cells of two classes, and the matrix has {m}", m=self.m,
                advice="use c.vs_rest(i), or gm.macro, gm.micro or gm.weighted of the measure",
            )  # fmt: skip
        return self[i, j]

    @abstractmethod
    def excess(self, i: ClassIndex) -> Value:
        """Return n·c_ii − a_i·b_i, the agreement of class i beyond chance.

        It equals TP·TN − FP·FN of class i against the rest, and is computed so: multiplied out, both products of the
        first form contain TP·(TP + FN + FP), and subtracting these large equal parts would cancel digits.
        """

    # Other views

    @abstractmethod
    def vs_rest(self, i: ClassIndex) -> View:
        """Return the view of two classes: class i, as the positive one, against all others."""

    @abstractmethod
    def two(self, tp: Value, fn: Value, fp: Value, tn: Value) -> View:
        """Return a view of two classes with these cells."""

    @abstractmethod
    def map(self, cell: PairTerm) -> View:
        """Return the view of a matrix that is computed cell by cell."""

    def kept(self, name: str, compute: Callable[[], Value]) -> Value:
        """Return what `compute` returns; measures that read the same counts may share the result under this name."""
        return compute()

    # Over classes

    @abstractmethod
    def sum(self, term: Term, over: Term | None = None) -> Value:
        """Return the sum of a term over all classes, or over those for which a condition holds."""

    @abstractmethod
    def product(self, term: Term, over: Term | None = None) -> Value:
        """Return the product of a term over all classes, or over those for which a condition holds."""

    @abstractmethod
    def least(self, term: Term, over: Term | None = None) -> Value:
        """Return the smallest term."""

    @abstractmethod
    def greatest(self, term: Term, over: Term | None = None) -> Value:
        """Return the largest term."""

    @abstractmethod
    def mean(
        self,
        term: Term,
        p: object = 1,
        over: Term | None = None,
        undefined: object = None,
        weights: Sizes | None = None,
    ) -> Value:
        """Return the power mean of the terms.

        `undefined` is the rule for a term without a value, which acts under "resolve" only: a value, ``c.skip``, or a
        function of the class that returns either. `weights` (``c.a`` or ``c.b``, with p = 1) makes it a weighted mean:
        a class of weight 0 does not matter under any policy, and a class that is left out takes its weight with it.
        """

    def occurs(self, i: ClassIndex) -> Value:
        """Return whether class i has true or predicted items; always True under every policy but "resolve".

        ``c.mean(f, over=c.occurs)`` leaves out the classes that occur in neither labeling, and notes them.
        """
        return not self.policy.resolves or (self.a[i] + self.b[i] > 0)

    @abstractmethod
    def sum_off(
        self,
        term: PairTerm,
        over: PairTerm | None = None,
    ) -> Value:
        """Return the sum over all pairs of different classes; the term must be 0 wherever the cell is 0."""

    # Arithmetic

    @property
    @abstractmethod
    def pi(self) -> Value:
        """The number π."""

    @abstractmethod
    def constant(self, number: object) -> Value:
        """Return a rational constant; a float stands for its shortest decimal."""

    @abstractmethod
    def power(self, x: Value, r: Value) -> Value:
        """Return x to the power r, a real number."""

    @abstractmethod
    def power_mean(self, values: list[Value], p: object) -> Value:
        """Return the power mean of some values: 0 if p ≤ 0 and one is zero, undefined if p ≠ 1 and one is negative."""

    def over_mean(self, x: Value, u: Value, v: Value, mean: str, p: int | None = None) -> Value:
        """Return x divided by a mean of two positive values.

        The mean is "logarithmic", "identric", "seiffert", "neuman_sandor", "heronian", or "stolarsky" with a whole
        number p ≥ 2. Proofs know these means by name; `two_means.py` has their formulas and what makes them means.
        """
        two_means.label(mean, p)
        return two_means.over_mean(self, x, u, v, mean, p)

    @abstractmethod
    def sqrt(self, x: Value) -> Value:
        """Return the square root, undefined for negative numbers."""

    @abstractmethod
    def log(self, x: Value) -> Value:
        """Return the natural logarithm, undefined unless x > 0."""

    @abstractmethod
    def xlogy(self, x: Value, y: Value, above: Callable[[], Value] | None = None) -> Value:
        """Return x·log y, which is 0 at x = 0; y may be a function, evaluated only where x ≠ 0.

        `above` returns y − 1 if a formula can compute it without cancellation. It carries no new information, but a
        float that is nearly 1 has lost the digits of its logarithm: 1 + 1e-12 keeps only four digits of what
        distinguishes it from 1.
        """

    @abstractmethod
    def arccos(self, x: Value) -> Value:
        """Return the arc cosine, undefined outside of [−1, 1]."""

    def exp(self, x: Value) -> Value:
        """Return the exponential, which the views of proofs do not have."""
        raise InputTypeError("the algebra of {kind} has no exponential", kind=type(self).__name__)

    def log1p(self, x: Value) -> Value:
        """Return log(1 + x), which floats compute accurately for small x."""
        return self.log(1 + x)

    def arcsin(self, x: Value) -> Value:
        """Return the arc sine, which floats compute accurately for small x."""
        return self.pi / 2 - self.arccos(x)

    @abstractmethod
    def min(self, *values: Value) -> Value:
        """Return the smallest of some values."""

    @abstractmethod
    def max(self, *values: Value) -> Value:
        """Return the largest of some values."""

    @abstractmethod
    def table(self, rows: object, legend: str | None = None) -> Table:
        """Return constants indexed by two classes; the legend explains them in a printed formula."""

    # Choices

    @abstractmethod
    def where(self, condition: Value, x: Value, y: Value) -> Value:
        """Return x where the condition holds, else y; either may be a function, evaluated under its condition."""

    @abstractmethod
    def ratio(self, x: Value, y: Value, otherwise: object = None) -> Value:
        """Return x/y, or what `otherwise` says if y = 0 and the policy is "resolve"."""

    # What a measure asks of a view

    @abstractmethod
    def undefined(self) -> Value:
        """Return the value of something undefined without a rule, under the policy in force."""

    def begin(self) -> View:
        """Return the view that a measure on this one reads; `finish` makes of its value what it should be."""
        return self

    def finish(self, value: Value) -> Value:
        """Return the value of a measure on this view; that of a mapped view with an undefined cell is undefined."""
        return value


def check_weighted(p: object, over: object) -> None:
    """Refuse weights for a power mean other than the arithmetic mean, and together with a selection of classes."""
    if p != 1 or over is not None:
        raise InputError("weights= needs p=1 and no over=", advice="a class of weight 0 is left out anyway")


def shortest(number: Value) -> Fraction:
    """Return a number as a fraction, a float as its shortest decimal: 0.1 is 1/10."""
    if type(number) is Fraction:
        return number
    if isinstance(number, float):
        return Fraction(repr(number))
    return Fraction(number)


@dataclass(frozen=True, eq=False)
class ClassTable:
    """A table for any number of classes, exactly or as an array of floats, which takes far less time.

    ``entry``: the entry as one formula in the numbers of the two classes, the same for every number of classes, if
    there is one. Proofs about every number of classes read it.
    """

    exact: Callable[[int], Sequence[Sequence[Value]]]
    floats: Callable[[int], Array]
    entry: Callable[[Value, Value], Value] | None = None

    @classmethod
    def by_numbers(cls, entry: Callable[[Value, Value], Value], floats: Callable[[int], Array]) -> ClassTable:
        """Return the table whose entries are one formula in the numbers of the two classes."""
        return cls(lambda m: [[entry(i, j) for j in range(m)] for i in range(m)], floats, entry)

    def __call__(self, m: int) -> Sequence[Sequence[Value]]:
        return self.exact(m)


def float_entries(rows: object, m: int) -> Array | list[list[float]]:
    """Return the entries of ``c.table(rows)`` for m classes as floats."""
    if isinstance(rows, ClassTable):
        return rows.floats(m)
    return [[float(x) for x in row] for row in entries(rows, m)]


def entries(rows: Value, m: int) -> list[list[Value]]:
    """Return the entries of ``c.table(rows)`` for m classes."""
    table = [list(row) if hasattr(row, "__len__") else [row] for row in (rows(m) if callable(rows) else rows)]
    if len(table) != m or any(len(row) != m for row in table):
        raise InputError(
            "the table is {rows}x{columns}, the matrix has {m} classes",
            rows=len(table),
            columns=len(table[0]) if table else 0,
            m=m,
        )
    return table
