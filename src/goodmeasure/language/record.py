"""Recording a definition: a function of ``c`` becomes a tree, which is what everything else reads.

The function runs on a view that computes with expressions. Whatever asks for something that only counts can tell (a
truth value, a float, the length of a loop) is refused with what to write instead, and the refusal holds even if the
function catches it. A definition is first recorded for any number of classes. One that writes classes out (``c.tp``,
``range(c.m)``, ``c[0, 0]``) is recorded for each number of classes, and one that asks which class a sum is at (``if i
== 0``) with the terms of all classes written out.

A definition is recorded twice. Two different trees mean that it keeps state or draws random numbers, which no formula
does.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NoReturn, TypeAlias, cast

import numpy as np

from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language import means_of_two
from goodmeasure.language.policy import RESOLVE, SKIP
from goodmeasure.language.tree import (
    FALSE,
    ONE,
    RESOLVES,
    TRUE,
    ZERO,
    CellOf,
    ClassTree,
    ClassVariable,
    CountOfClasses,
    Counts,
    Excess,
    Listed,
    Mapped,
    MatrixTree,
    MeanPower,
    Missing,
    Nth,
    Numeral,
    OpenParameter,
    OpenPower,
    Operation,
    Over,
    OverMean,
    OverPairs,
    Position,
    PowerMean,
    Ratio,
    Rest,
    SizeOf,
    Skipped,
    Tabled,
    Test,
    ToPower,
    TotalOf,
    Transposed,
    Tree,
    Two,
    Where,
    Whole,
    XLogY,
    below,
    known_of,
)
from goodmeasure.language.value import Value
from goodmeasure.language.view import (
    ClassTable,
    ConstantTable,
    RowsOfTable,
    View,
    check_weighted,
    entries,
    exponent_of,
    shortest,
)
from goodmeasure.typing import Array

Known: TypeAlias = Callable[[Tree], float]


class CannotRecord(InputTypeError):  # noqa: N818 - it says what a definition asks for
    """A definition asks for something that is only known when there are counts; the message says what to write."""


class NeedsClasses(CannotRecord):
    """A definition can be recorded for a fixed number of classes."""


class NeedsTwoClasses(NeedsClasses):
    """A definition asks for the cells of two classes."""


class NeedsEachClass(CannotRecord):
    """A definition can be recorded with the terms of all classes written out."""


class NotANumber(InputTypeError):  # noqa: N818 - it names what came back
    """The definition returned something that is not a real number; `shown` describes what it returned."""

    def __init__(self, value: object) -> None:
        self.value = value
        self.shown = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
        super().__init__(
            "the definition returned {shown}", shown=self.shown, got=value,
            advice="a measure is a function of c that returns a number",
        )  # fmt: skip


class Recording:
    """One run of a definition. The first refusal is kept, so that a function that catches it cannot hide it.

    With `known`, which computes trees on the matrix at hand, a definition may branch on values and call ``math``: what
    is recorded then holds for that matrix, and for all others that take the same way. With `exactly` it may branch, and
    still not ask for a value itself: the float of a value is rounded. With `shown`, the tree is only printed: a table
    that is a function of the number of classes is then a name.
    """

    def __init__(self, known: Known | None = None, *, exactly: bool = False, shown: bool = False) -> None:
        self.shown = shown
        self.refusal: CannotRecord | None = None
        self.known = known
        self.exactly = exactly
        self.letters = itertools.count(1)

    def refusing(self, kind: type[CannotRecord], asks: str, advice: str) -> CannotRecord:
        """Return the first refusal of this run, which is this one if there was none before."""
        self.refusal = self.refusal or kind("the definition {asks}", asks=asks, advice=advice)
        return self.refusal

    def node(self, x: object) -> Tree:
        """Return the tree of what a definition computes with."""
        if isinstance(x, RecordedValue):
            return x.node
        if x is SKIP:
            return Skipped()
        if isinstance(x, (bool, np.bool_)):
            return TRUE if x else FALSE
        if isinstance(x, (int, float, Fraction, np.integer, np.floating)):
            return self.constant(x.item() if isinstance(x, np.generic) else x)
        raise self.refusing(CannotRecord, f"computes with {x!r}, not a number", "use numbers and the words of c")

    def result(self, x: object) -> Tree:
        """Return the tree of what a definition returned; a condition counts as 1 or 0, as it does in Python."""
        if not isinstance(x, (RecordedValue, int, float, Fraction, np.bool_, np.integer, np.floating)):
            raise NotANumber(x)
        tree = self.node(x)
        return Where(tree, ONE, ZERO) if tree.SORT == "ConditionTree" else tree

    def constant(self, x: float | Fraction) -> Tree:
        """Return a constant; a float stands for its shortest decimal."""
        if isinstance(x, float) and not math.isfinite(x):
            if math.isnan(x):
                return Missing()
            return Operation("inf", ()) if x > 0 else Operation("neg", (Operation("inf", ()),))
        return Numeral(shortest(x))


class RecordedValue:
    """What a definition computes with: a tree, with the operators of Python."""

    __slots__ = ("node", "run")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, node: Tree, run: Recording) -> None:
        self.node, self.run = node, run

    def __array_ufunc__(self, function: np.ufunc, method: str, *values: object, **options: object) -> object:
        """Return what a function of NumPy gives: an expression for those that the language has, else a number."""
        meant = _OF_NUMPY.get(function.__name__)
        arrays = any(isinstance(x, np.ndarray) and x.ndim for x in values)
        if meant is not None and method == "__call__" and not options and not arrays:
            plain = [x.item() if isinstance(x, np.generic) else x for x in values]
            return self._call(meant, *plain) if isinstance(meant, str) else meant(*plain)
        numbers = [x._to_numpy() if isinstance(x, RecordedValue) else x for x in values]
        return getattr(function, method)(*numbers, **options)

    def _to_numpy(self) -> float:
        return float(self._now("hands a value to NumPy", "use c.sqrt, c.log, c.min … instead of NumPy"))

    def _call(self, name: str, *values: object) -> RecordedValue:
        return RecordedValue(Operation(name, tuple(map(self.run.node, values))), self.run)

    def _test(self, name: str, *values: object) -> RecordedValue:
        return RecordedValue(Test(name, tuple(map(self.run.node, values))), self.run)

    def __add__(self, y: object) -> RecordedValue:
        return self._call("add", self, y)

    def __radd__(self, y: object) -> RecordedValue:
        return self if type(y) is int and y == 0 else self._call("add", y, self)  # the 0 that ``sum`` begins with

    def __sub__(self, y: object) -> RecordedValue:
        return self._call("sub", self, y)

    def __rsub__(self, y: object) -> RecordedValue:
        return self._call("sub", y, self)

    def __mul__(self, y: object) -> RecordedValue:
        return self._call("mul", self, y)

    def __rmul__(self, y: object) -> RecordedValue:
        return self._call("mul", y, self)

    def __truediv__(self, y: object) -> RecordedValue:
        return RecordedValue(Ratio(self.node, self.run.node(y), None), self.run)

    def __rtruediv__(self, y: object) -> RecordedValue:
        return RecordedValue(Ratio(self.run.node(y), self.node, None), self.run)

    def __neg__(self) -> RecordedValue:
        return self._call("neg", self)

    def __pos__(self) -> RecordedValue:
        return self

    def __abs__(self) -> RecordedValue:
        return self._call("abs", self)

    def __pow__(self, r: object) -> RecordedValue:
        return RecordedValue(ToPower(self.node, exponent(r, self.run)), self.run)

    def __rpow__(self, x: object) -> RecordedValue:
        raise self.run.refusing(
            CannotRecord, "has a value as an exponent", "an exponent is a number, as in c.power(x, r)"
        )

    def __eq__(self, y: object) -> RecordedValue:  # type: ignore[override]
        return self._test("eq", self, y)

    def __ne__(self, y: object) -> RecordedValue:  # type: ignore[override]
        return ~(self == y)

    def __lt__(self, y: object) -> RecordedValue:
        return self._test("lt", self, y)

    def __le__(self, y: object) -> RecordedValue:
        return self._test("le", self, y)

    def __gt__(self, y: object) -> RecordedValue:
        return self._test("lt", y, self)

    def __ge__(self, y: object) -> RecordedValue:
        return self._test("le", y, self)

    def __and__(self, y: object) -> RecordedValue:
        return self._test("and", self, y)

    def __or__(self, y: object) -> RecordedValue:
        return self._test("or", self, y)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> RecordedValue:
        return self._test("not", self)

    def _now(self, asks: str, advice: str, *, to_branch: bool = False) -> float:
        """Return the value on the matrix at hand; refuse if there is none."""
        run = self.run
        if run.known is not None and not self.node.free and (to_branch or not run.exactly):
            return run.known(self.node)
        raise run.refusing(CannotRecord, asks, advice)

    def __bool__(self) -> bool:
        return bool(self._now("branches on a value", "write c.where(condition, x, y)", to_branch=True))

    def __float__(self) -> float:
        return float(self._now("asks for the float of a value", "use c.sqrt, c.log, c.min … instead of math"))

    def __int__(self) -> int:
        asks, advice = "asks for the integer of a value", "compute with the value itself"
        found = self._now(asks, advice, to_branch=True)
        if isinstance(found, bool) and self.node.SORT != "ConditionTree":  # only whether it is 0 is known exactly
            raise self.run.refusing(CannotRecord, asks, advice)
        return int(found)

    __trunc__ = __int__

    def __str__(self) -> str:
        return str(self._now("asks for the text of a value", "compute with the value itself"))

    def __format__(self, how: str) -> str:
        return format(self._now("asks for the text of a value", "compute with the value itself"), how)

    def __round__(self, digits: int | None = None) -> float:
        return round(self._now("rounds a value", "compute with the value itself"), digits)

    def __floor__(self) -> int:
        return math.floor(self._now("rounds a value", "compute with the value itself"))

    def __ceil__(self) -> int:
        return math.ceil(self._now("rounds a value", "compute with the value itself"))

    def __floordiv__(self, y: float) -> float:
        return self._now("rounds a quotient", "use c.ratio(x, y)") // float(y)

    def __mod__(self, y: float) -> float:
        return self._now("asks for the remainder of a division", "compute with the values themselves") % float(y)

    def __index__(self) -> int:
        raise self.run.refusing(NeedsClasses, "uses a value as a whole number", "use c.sum over the classes")

    def __iter__(self) -> NoReturn:
        raise self.run.refusing(CannotRecord, "takes a value apart", "a value is a number")

    def __len__(self) -> int:
        raise self.run.refusing(CannotRecord, "asks for the length of a value", "a value is a number")

    def __array__(self, *args: object, **options: object) -> Array:
        return np.array(self._to_numpy())


# Functions of NumPy that the language of c has
_OF_NUMPY: dict[str, str | Callable[..., object]] = {
    **{x: x for x in ("sqrt", "log", "log1p", "exp", "arccos", "arcsin")},
    **{"minimum": "min", "maximum": "max", "absolute": "abs", "negative": "neg", "multiply": "mul"},
    **{"add": "add", "subtract": "sub", "true_divide": operator.truediv, "divide": operator.truediv},
    **{"power": operator.pow, "square": lambda x: x**2, "equal": operator.eq, "not_equal": operator.ne},
    **{"less": operator.lt, "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge},
}


class ParameterValue(RecordedValue):
    """A parameter of a family that is left open; every comparison is False, so that the general branch is taken."""

    __slots__ = ()
    __hash__ = None

    def __init__(self, name: str) -> None:
        super().__init__(OpenParameter(name), Recording())

    def _no(self, other: object) -> bool:
        return False

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _no  # type: ignore[assignment]


def exponent(r: object, run: Recording) -> Fraction:
    """Return the exponent of a power, which is a number; in a tree that is printed, it may be a parameter."""
    if isinstance(r, RecordedValue):
        if any(isinstance(x, OpenParameter) for x in below(r.node)):
            return cast(Fraction, r.node)
        raise run.refusing(CannotRecord, "has a value as an exponent", "an exponent is a number, as in c.power(x, r)")
    return exponent_of(r)


class LeftOpen(float):
    """An exponent that is recorded as one that is left open; its own value is a sample."""

    __slots__ = ()


def _power_of_mean(p: object, run: Recording) -> MeanPower:
    if isinstance(p, LeftOpen):
        return cast(MeanPower, OpenPower())
    return p if isinstance(p, float) and math.isinf(p) else exponent(p, run)


class Letter:
    """A class that a sum is over; a definition can only hand it back to its view."""

    __slots__ = ("node", "run")

    def __init__(self, node: ClassTree, run: Recording) -> None:
        self.node, self.run = node, run

    def _asked(self, *others: object) -> NoReturn:
        raise self.run.refusing(
            NeedsEachClass,
            "asks which class a sum is at",
            "use c.sum_off for pairs of different classes, and c.table for what depends on the class",
        )

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __index__ = _asked
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __int__ = __float__ = __bool__ = _asked
    __hash__ = _asked


class RecordedSizes:
    """The class sizes ``c.a`` or ``c.b``."""

    __slots__ = ("side", "view")

    def __init__(self, view: RecordingView, side: str) -> None:
        self.view, self.side = view, side

    def __getitem__(self, i: object) -> RecordedValue:
        return self.view.symbol(SizeOf(self.view.matrix, self.side, self.view.class_of(i)))


class RecordingView:
    """The language of ``c``, which records what is said in it."""

    policy, skip = RESOLVE, SKIP

    def __init__(self, matrix: MatrixTree, run: Recording, m: int | None, *, written_out: bool = False) -> None:
        self.matrix, self.run, self.fixed, self.written_out = matrix, run, m, written_out
        self.m = self.symbol(CountOfClasses(matrix)) if m is None else m

    def symbol(self, node: Tree) -> RecordedValue:
        return RecordedValue(node, self.run)

    def class_of(self, i: object) -> ClassTree:
        """Return the class that an index stands for."""
        if isinstance(i, Letter):
            return i.node
        if isinstance(i, RecordedValue):
            raise self.run.refusing(CannotRecord, "uses a value as a class", "use the class that c.sum hands over")
        if self.fixed is None:
            raise self.run.refusing(NeedsClasses, "names a class by its number", "use c.sum over the classes")
        return Nth(range(self.fixed)[i])  # type: ignore[call-overload] # it refuses what is no index

    def _related(self, matrix: MatrixTree, m: int | None) -> RecordingView:
        return RecordingView(matrix, self.run, m, written_out=self.written_out)

    def _chosen(self, branch: object) -> Tree:
        """Return what a branch or a rule leads to: a value, or a function that returns one."""
        return self.run.node(branch() if callable(branch) else branch)

    def _bind(self, count: int, *functions: Callable[..., object] | None) -> tuple[tuple[int, ...], list[Tree | None]]:
        """Return numbers for class variables, and what functions of as many classes return for them."""
        marks = [-next(self.run.letters) for _ in range(count)]
        letters = [Letter(ClassVariable(k), self.run) for k in marks]
        found = [None if f is None else self.run.node(f(*letters)) for f in functions]
        top = max((x.height for x in found if x is not None), default=0)
        numbers = tuple(range(top + 1, top + 1 + count))
        new: dict[int, Tree] = {mark: ClassVariable(k) for mark, k in zip(marks, numbers, strict=True)}
        return numbers, [None if x is None else x.with_classes(new) for x in found]

    # Cells and sizes

    def __getitem__(self, ij: tuple[object, object]) -> RecordedValue:
        i, j = ij
        return self.symbol(CellOf(self.matrix, self.class_of(i), self.class_of(j)))

    def _of_two(self, i: int, j: int) -> RecordedValue:
        if self.fixed is None:
            raise self.run.refusing(NeedsTwoClasses, "asks for a cell of two classes", "use c.vs_rest(i)")
        if self.fixed != 2:
            raise InputError(
                "c.tp, c.fn, c.fp and c.tn are cells of two classes, and the matrix has {m}", m=self.fixed,
                advice="use c.vs_rest(i), or gm.macro, gm.micro or gm.weighted of the measure",
            )  # fmt: skip
        return self[i, j]

    tp = property(lambda self: self._of_two(1, 1))
    fn = property(lambda self: self._of_two(1, 0))
    fp = property(lambda self: self._of_two(0, 1))
    tn = property(lambda self: self._of_two(0, 0))
    a = property(lambda self: RecordedSizes(self, "a"))
    b = property(lambda self: RecordedSizes(self, "b"))
    n = property(lambda self: self.symbol(TotalOf(self.matrix)))
    pi = property(lambda self: self.symbol(Operation("pi", ())))

    def excess(self, i: object, j: object = None) -> RecordedValue:
        return self.symbol(Excess(self.matrix, self.class_of(i), self.class_of(i if j is None else j)))

    # Other views

    @property
    def T(self) -> RecordingView:  # noqa: N802 - as in NumPy
        return self._related(
            self.matrix.of if isinstance(self.matrix, Transposed) else Transposed(self.matrix), self.fixed
        )

    def vs_rest(self, i: object) -> RecordingView:
        return self._related(Rest(self.matrix, self.class_of(i)), 2)

    def two(self, tp: object, fn: object, fp: object, tn: object) -> RecordingView:
        return self._related(Two(*map(self.run.node, (tp, fn, fp, tn))), 2)

    def map(self, cell: Callable[..., object]) -> RecordingView:
        (i, j), (found,) = self._bind(2, cell)
        assert found is not None
        return self._related(Mapped(self.matrix, i, j, found), self.fixed)

    # Over classes

    def _over(
        self,
        op: str,
        term: Callable[..., object],
        over: Callable[..., object] | None,
        p: object = 1,
        undefined: object = None,
        weights: RecordedSizes | None = None,
    ) -> RecordedValue:
        rule = undefined if undefined is None or callable(undefined) else (lambda i: undefined)
        weight = None if weights is None else weights.__getitem__
        power = _power_of_mean(p, self.run)
        if self.written_out:
            assert self.fixed is not None
            every = range(self.fixed)

            def each(f: Callable[..., object] | None) -> tuple[Tree, ...]:
                return () if f is None else tuple(self.run.node(f(i)) for i in every)

            tests = tuple(TRUE if over is None else self.run.node(over(i)) for i in every)
            return self.symbol(Listed(op, each(term), tests, power, each(rule), each(weight)))
        (i,), (found, test, ruled, weighed) = self._bind(1, term, over, rule, weight)
        assert found is not None
        return self.symbol(Over(op, self.matrix, i, found, test, power, ruled, weighed))

    def sum(self, term: Callable[..., object], over: Callable[..., object] | None = None) -> RecordedValue:
        return self._over("sum", term, over)

    def product(self, term: Callable[..., object], over: Callable[..., object] | None = None) -> RecordedValue:
        return self._over("product", term, over)

    def least(self, term: Callable[..., object], over: Callable[..., object] | None = None) -> RecordedValue:
        return self._over("least", term, over)

    def greatest(self, term: Callable[..., object], over: Callable[..., object] | None = None) -> RecordedValue:
        return self._over("greatest", term, over)

    def mean(
        self,
        term: Callable[..., object],
        p: object = 1,
        over: Callable[..., object] | None = None,
        undefined: object = None,
        weights: RecordedSizes | None = None,
    ) -> RecordedValue:
        if weights is not None:
            check_weighted(p, over)
        return self._over("mean", term, over, p, undefined, weights)

    def sum_off(self, term: Callable[..., object], over: Callable[..., object] | None = None) -> RecordedValue:
        if self.written_out:
            assert self.fixed is not None
            pairs = list(itertools.permutations(range(self.fixed), 2))
            terms = tuple(self.run.node(term(i, j)) for i, j in pairs)
            tests = tuple(TRUE if over is None else self.run.node(over(i, j)) for i, j in pairs)
            return self.symbol(Listed("sum", terms, tests, Fraction(1), (), ()) if pairs else Numeral(Fraction(0)))
        (i, j), (found, test) = self._bind(2, term, over)
        assert found is not None
        return self.symbol(OverPairs(self.matrix, i, j, found, test))

    def occurs(self, i: object) -> RecordedValue:
        return cast(RecordedValue, self.a[i] + self.b[i] > 0)

    # Arithmetic

    def _call(self, name: str, *values: object) -> RecordedValue:
        return self.symbol(Operation(name, tuple(map(self.run.node, values))))

    def constant(self, number: object) -> RecordedValue:
        return self.symbol(self.run.node(number))

    def power(self, x: object, r: object) -> RecordedValue:
        return self.symbol(ToPower(self.run.node(x), exponent(r, self.run)))

    def sqrt(self, x: object) -> RecordedValue:
        return self._call("sqrt", x)

    def log(self, x: object) -> RecordedValue:
        return self._call("log", x)

    def log1p(self, x: object) -> RecordedValue:
        return self._call("log1p", x)

    def exp(self, x: object) -> RecordedValue:
        return self._call("exp", x)

    def arccos(self, x: object) -> RecordedValue:
        return self._call("arccos", x)

    def arcsin(self, x: object) -> RecordedValue:
        return self._call("arcsin", x)

    def min(self, *values: object) -> RecordedValue:
        return self._extreme("min", values)

    def max(self, *values: object) -> RecordedValue:
        return self._extreme("max", values)

    def _extreme(self, name: str, values: tuple[object, ...]) -> RecordedValue:
        return self._call(name, *values) if values else self.ratio(0, 0)

    def power_mean(self, values: Sequence[object], p: object) -> RecordedValue:
        if not values:
            return self.ratio(0, 0)
        return self.symbol(PowerMean(tuple(map(self.run.node, values)), _power_of_mean(p, self.run)))

    def over_mean(self, x: object, u: object, v: object, mean: str, p: int | None = None) -> RecordedValue:
        means_of_two.label(mean, p)
        return self.symbol(OverMean(self.run.node(x), self.run.node(u), self.run.node(v), mean, p))

    def xlogy(self, x: object, y: object, above: Callable[[], object] | None = None) -> RecordedValue:
        far = None if above is None else self.run.node(above())
        return self.symbol(XLogY(self.run.node(x), self._chosen(y), far))

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[RecordedValue, object]:
        if isinstance(rows, ClassTable):
            entry = cast("Callable[[RecordedValue, RecordedValue], RecordedValue]", rows.entry)
            return ConstantTable(lambda i, j: entry(self._place(i), self._place(j)))
        if self.fixed is None and callable(rows):
            if self.run.shown:
                return ConstantTable(lambda i, j: self.symbol(Tabled((), self.class_of(i), self.class_of(j), legend)))
            raise self.run.refusing(
                NeedsClasses, "has a table that is a function of the number of classes", "write its formula"
            )
        m = self.fixed if self.fixed is not None else len(rows)  # type: ignore[arg-type] # it is no function
        known = tuple(tuple(shortest(x) for x in row) for row in entries(rows, m))
        return ConstantTable(lambda i, j: self.symbol(Tabled(known, self.class_of(i), self.class_of(j), legend)))

    def _place(self, i: object) -> RecordedValue:
        return self.symbol(Position(self.class_of(i)))

    # Choices

    def where(self, condition: object, x: object, y: object) -> RecordedValue:
        test = self.run.node(condition)
        if test is TRUE or test is FALSE:  # what is not reached may be about another number of classes
            return self.symbol(self._chosen(x if test is TRUE else y))
        return self.symbol(Where(test, self._chosen(x), self._chosen(y)))

    def ratio(self, x: object, y: object, otherwise: object = None) -> RecordedValue:
        rule = None if otherwise is None else self._chosen(otherwise)
        return self.symbol(Ratio(self.run.node(x), self.run.node(y), rule))

    def resolved(self, x: object, y: object) -> RecordedValue:
        return self.symbol(Where(RESOLVES, self._chosen(x), self._chosen(y)))

    # What a measure asks of a view

    def undefined(self) -> RecordedValue:
        return self.symbol(Missing())

    def finish(self, value: object) -> RecordedValue:
        found = self.run.result(value)
        return self.symbol(Whole(self.matrix, found) if is_mapped(self.matrix) or reads_map(found) else found)


View.register(RecordingView)  # measures that are called inside a definition take it for a view


class GivenTree:
    """A definition that is given by its tree."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def __call__(self, c: View) -> Value:
        if self.tree.classes not in (None, c.m):
            raise InputError(
                "the formula is for {m} classes, the matrix has {got}",
                m=self.tree.classes, got=c.m, expected="{m} classes",
            )  # fmt: skip
        view = cast(RecordingView, c)
        return cast(Value, view.symbol(said_of(self.tree, view.matrix)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GivenTree) and self.tree is other.tree

    def __hash__(self) -> int:
        return hash(self.tree)


def said_of(tree: Tree, matrix: MatrixTree) -> Tree:
    """Return what a tree says, said of another matrix."""
    known: dict[Tree, Tree] = {}

    def said(x: Tree) -> Tree:
        if x not in known:
            known[x] = other(x)
        return known[x]

    def other(x: Tree) -> Tree:
        match x:
            case Counts():
                return matrix
            case CountOfClasses(of=of) if (m := _classes_of(said(of))) is not None:
                return Numeral(Fraction(m))
            case Where(test=test, x=one, y=two):
                where = said(test)
                return (
                    said(one) if where is TRUE else said(two) if where is FALSE else Where(where, said(one), said(two))
                )
        return _numbered(x.with_parts(said))

    return said(tree)


def _classes_of(matrix: Tree) -> int | None:
    """Return the number of classes of a matrix; None if it may have any."""
    while isinstance(matrix, (Transposed, Mapped)):
        matrix = matrix.of
    return matrix.m if isinstance(matrix, Counts) else 2


def _numbered(x: Tree) -> Tree:
    """Return a node whose class variables have the least numbers that are not bound inside."""
    inside = [y for y in x.parts if y is not x.__dict__.get("of")]
    first = 1 + max((y.height for y in inside), default=0)
    new = {x.__dict__[name]: k for k, name in enumerate(x.BINDS, first)}
    if all(k == old for old, k in new.items()):
        return x
    variables: dict[int, Tree] = {old: ClassVariable(k) for old, k in new.items()}
    fields = ((name, x.__dict__[name]) for name in type(x).FIELDS)
    return type(x)(
        *(
            new[y] if name in x.BINDS else y.with_classes(variables) if name != "of" and isinstance(y, Tree) else y
            for name, y in fields
        )
    )


def is_mapped(matrix: MatrixTree) -> bool:
    """Return whether a matrix is computed cell by cell."""
    while isinstance(matrix, Transposed):
        matrix = matrix.of
    return isinstance(matrix, Mapped)


def reads_map(x: Tree) -> bool:
    """Return whether a value reads a mapped matrix, other than through a measure of it."""
    return known_of(
        x, "reads map", lambda y: isinstance(y, Mapped) or (type(y) is not Whole and any(map(reads_map, y.parts)))
    )


def recorded_once(
    function: Callable[[View], object],
    m: int | None,
    *,
    written_out: bool = False,
    known: Known | None = None,
    exactly: bool = False,
    shown: bool = False,
) -> Tree:
    """Return the tree that one run of a definition gives."""
    run = Recording(known, exactly=exactly, shown=shown)
    try:
        value = function(cast(View, RecordingView(Counts(m), run, m, written_out=written_out)))
        tree = run.result(value)
    except Exception:
        if run.refusal is None:
            raise
        raise run.refusal from None  # what followed from it says less
    if run.refusal is not None:  # the function caught it
        raise run.refusal
    if tree.free:
        raise CannotRecord(
            "the definition {asks}",
            asks="carries a class out of the sum that it belongs to",
            got=tree,
            advice="use what depends on a class inside of the function that c.sum calls",
        )
    return tree


def written_mean(x: OverMean) -> Tree:
    """Return a value divided by a named mean, with the formula of the mean."""
    if "written" not in x.memo:
        c = RecordingView(Counts(None), Recording(), None)
        known = c.symbol(x.x), c.symbol(x.u), c.symbol(x.v)
        x.memo["written"] = means_of_two.over_mean(cast("View[RecordedValue, object]", c), *known, x.mean, x.p).node
    return cast(Tree, x.memo["written"])


class NotOneFormula(InputError):  # noqa: N818 - it says what is wrong with a definition
    """A definition gives another formula when it is read again."""

    def __init__(self) -> None:
        super().__init__(
            "the definition gives another formula when it is read again: it keeps state or draws random numbers",
            advice="a measure is a function of c alone",
        )


def record(
    function: Callable[[View], object], m: int | None, *, written_out: bool = False, shown: bool = False
) -> Tree:
    """Return the tree of a definition, for any number of classes (None) or for a fixed one."""
    tree = recorded_once(function, m, written_out=written_out, shown=shown)
    if recorded_once(function, m, written_out=written_out, shown=shown) is not tree:
        raise NotOneFormula
    return tree


def recorded(function: Callable[[View], object], m: int) -> Tree:
    """Return the tree of a definition for m classes: the one for any number of classes, if there is one."""
    if m > 1:  # with one class, measures have rules of their own
        try:
            return record(function, None)
        except NeedsClasses:
            pass
        except NeedsEachClass:
            return record(function, m, written_out=True)
    try:
        return record(function, m)
    except NeedsEachClass:
        return record(function, m, written_out=True)
