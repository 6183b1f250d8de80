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
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NoReturn, TypeAlias, cast

import numpy as np

from goodmeasure.exceptions import GoodmeasureError, InputError, InputTypeError
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
    Occurs,
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
)
from goodmeasure.language.view import ClassTable, ConstantTable, RowsOfTable, View, check_weighted, entries, shortest

Known: TypeAlias = Callable[[Tree], float]


class CannotRecord(InputTypeError):  # noqa: N818 - it says what a definition asks for
    """A definition asks for something that is only known when there are counts; the message says what to write."""


class NeedsClasses(CannotRecord):
    """A definition can be recorded for a fixed number of classes."""


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
    is recorded then holds for that matrix, and for all others that take the same way.
    """

    def __init__(self, known: Known | None = None) -> None:
        self.refusal: CannotRecord | None = None
        self.known = known
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
            raise self.refusing(CannotRecord, "computes with infinity", "a constant is finite")
        return Numeral(shortest(x))


class RecordedValue:
    """What a definition computes with: a tree, with the operators of Python."""

    __slots__ = ("node", "run")
    __array_ufunc__ = None  # makes NumPy's numbers defer to the reflected operators below
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, node: Tree, run: Recording) -> None:
        self.node, self.run = node, run

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

    def _now(self, asks: str, advice: str) -> float:
        """Return the value on the matrix at hand; refuse if there is none."""
        if self.run.known is not None and not self.node.free:
            return self.run.known(self.node)
        raise self.run.refusing(CannotRecord, asks, advice)

    def __bool__(self) -> bool:
        return bool(self._now("branches on a value", "write c.where(condition, x, y)"))

    def __float__(self) -> float:
        return float(self._now("asks for the float of a value", "use c.sqrt, c.log, c.min … instead of math"))

    def __int__(self) -> int:
        return int(self._now("asks for the integer of a value", "compute with the value itself"))

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

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise self.run.refusing(CannotRecord, "hands a value to NumPy", "use c.sqrt, c.log, c.min … instead of NumPy")


def exponent(r: object, run: Recording) -> Fraction:
    """Return the exponent of a power, which is a number."""
    if isinstance(r, RecordedValue):
        raise run.refusing(CannotRecord, "has a value as an exponent", "an exponent is a number, as in c.power(x, r)")
    return shortest(r)


def _power_of_mean(p: object, run: Recording) -> MeanPower:
    return p if isinstance(p, float) and math.isinf(p) else exponent(p, run)


class Letter:
    """A class that a sum is over; a definition can only hand it back to its view."""

    __slots__ = ("node", "run")
    __hash__ = None  # type: ignore[assignment]

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
            raise self.run.refusing(NeedsClasses, "asks for a cell of two classes", "use c.vs_rest(i)")
        return cast(RecordedValue, View._of_two(cast(View, self), i, j))

    tp = property(lambda self: self._of_two(1, 1))
    fn = property(lambda self: self._of_two(1, 0))
    fp = property(lambda self: self._of_two(0, 1))
    tn = property(lambda self: self._of_two(0, 0))
    a = property(lambda self: RecordedSizes(self, "a"))
    b = property(lambda self: RecordedSizes(self, "b"))
    n = property(lambda self: self.symbol(TotalOf(self.matrix)))
    pi = property(lambda self: self.symbol(Operation("pi", ())))

    def excess(self, i: object) -> RecordedValue:
        return self.symbol(Excess(self.matrix, self.class_of(i)))

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
        return self.symbol(Occurs(self.matrix, self.class_of(i)))

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
        if isinstance(rows, ClassTable) and rows.entry is not None:
            entry = cast("Callable[[RecordedValue, RecordedValue], RecordedValue]", rows.entry)
            return ConstantTable(lambda i, j: entry(self._place(i), self._place(j)))
        if isinstance(rows, ClassTable) and rows.formula is not None and self.fixed != 1:
            formula = cast("Callable[[RecordingView, RecordedValue, RecordedValue], RecordedValue]", rows.formula)
            return ConstantTable(lambda i, j: formula(self, self._place(i), self._place(j)))
        if self.fixed is None and callable(rows):
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

    def begin(self) -> RecordingView:
        return self

    def finish(self, value: object) -> RecordedValue:
        found = self.run.result(value)
        return self.symbol(Whole(self.matrix, found) if is_mapped(self.matrix) or reads_map(found) else found)


View.register(RecordingView)  # measures that are called inside a definition take it for a view


def is_mapped(matrix: MatrixTree) -> bool:
    """Return whether a matrix is computed cell by cell."""
    while isinstance(matrix, Transposed):
        matrix = matrix.of
    return isinstance(matrix, Mapped)


def reads_map(x: Tree) -> bool:
    """Return whether a value reads a mapped matrix, other than through a measure of it."""
    known = x.memo.get("reads map")
    if known is None:
        inside = not isinstance(x, Whole) and any(map(reads_map, x.parts))
        known = x.memo["reads map"] = inside or isinstance(x, Mapped)
    return known is True


def recorded_once(
    function: Callable[[View], object], m: int | None, *, written_out: bool = False, known: Known | None = None
) -> Tree:
    """Return the tree that one run of a definition gives."""
    run = Recording(known)
    try:
        value = function(cast(View, RecordingView(Counts(m), run, m, written_out=written_out)))
        tree = run.result(value)
    except CannotRecord:
        raise run.refusal or CannotRecord("the definition caught a refusal") from None
    except GoodmeasureError as error:
        raise run.refusal or error from None
    except TypeError as error:  # a function of NumPy or math that takes no expressions
        if run.refusal is None and known is None and "ufunc" in str(error):
            run.refusal = CannotRecord(
                "the definition hands a value to NumPy", advice="use c.sqrt, c.log, c.min … instead"
            )
        raise run.refusal or error from None
    if run.refusal is not None:  # the function caught it
        raise run.refusal
    return tree


class NotOneFormula(InputError):  # noqa: N818 - it says what is wrong with a definition
    """A definition gives another formula when it is read again."""

    def __init__(self) -> None:
        super().__init__(
            "the definition gives another formula when it is read again: it keeps state or draws random numbers",
            advice="a measure is a function of c alone",
        )


def record(function: Callable[[View], object], m: int | None, *, written_out: bool = False) -> Tree:
    """Return the tree of a definition, for any number of classes (None) or for a fixed one."""
    tree = recorded_once(function, m, written_out=written_out)
    if recorded_once(function, m, written_out=written_out) is not tree:
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
