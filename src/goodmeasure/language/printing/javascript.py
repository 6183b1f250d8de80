"""A definition as JavaScript, so that a page without a server computes measures from the same declarations.

The printed function calls the words of the language on a view in JavaScript (`web/static/measuring.js`), which reads
them as the views of Python do. Class indices stay symbolic, so one function serves every number of classes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from goodmeasure.language.interruptions import Symbolic, spoil
from goodmeasure.language.policy import RESOLVE
from goodmeasure.language.value import Condition
from goodmeasure.language.view import (
    Branch,
    Chosen,
    ChosenPairs,
    ClassTable,
    ConstantTable,
    Number,
    PairTerm,
    Readable,
    RowsOfTable,
    Rule,
    Sizes,
    Term,
    View,
    check_weighted,
    entries,
)

_MOST_CLASSES = 12  # tables that are computed from the number of classes are written out up to so many


class Script(Symbolic):
    """A number in JavaScript: its text, and its value if that is known."""

    __slots__ = ("number", "text")
    __hash__ = Symbolic.__hash__

    def __init__(self, text: str, number: int | Fraction | None = None) -> None:
        self.text = text
        self.number = number

    def _with(
        self,
        other: Script | Number,
        sign: str,
        compute: Callable[[Fraction, Fraction], Fraction],
        *,
        turned: bool = False,
    ) -> Script:
        x, y = (script(other), self) if turned else (self, script(other))
        if x.number is not None and y.number is not None and not (sign == "/" and y.number == 0):
            return script(compute(Fraction(x.number), Fraction(y.number)))
        return Script(f"({x.text} {sign} {y.text})")

    def __add__(self, other: Script | Number) -> Script:
        return self._with(other, "+", lambda x, y: x + y)

    def __radd__(self, other: Script | Number) -> Script:
        return self._with(other, "+", lambda x, y: x + y, turned=True)

    def __sub__(self, other: Script | Number) -> Script:
        return self._with(other, "-", lambda x, y: x - y)

    def __rsub__(self, other: Script | Number) -> Script:
        return self._with(other, "-", lambda x, y: x - y, turned=True)

    def __mul__(self, other: Script | Number) -> Script:
        return self._with(other, "*", lambda x, y: x * y)

    def __rmul__(self, other: Script | Number) -> Script:
        return self._with(other, "*", lambda x, y: x * y, turned=True)

    def __truediv__(self, other: Script | Number) -> Script:
        return self._with(other, "/", lambda x, y: x / y)

    def __rtruediv__(self, other: Script | Number) -> Script:
        return self._with(other, "/", lambda x, y: x / y, turned=True)

    def __pow__(self, exponent: Script | Number) -> Script:
        if self.number is not None and isinstance(exponent, int):
            return script(Fraction(self.number) ** exponent)
        return Script(f"({self.text} ** {script(exponent).text})")

    def __neg__(self) -> Script:
        return script(-self.number) if self.number is not None else Script(f"(-{self.text})")

    def __abs__(self) -> Script:
        return Script(f"Math.abs({self.text})")

    def _compared(self, other: Script | Number, sign: str) -> ScriptCondition:
        return ScriptCondition(f"({self.text} {sign} {script(other).text})")

    def __eq__(self, other: Script | Number) -> ScriptCondition:  # type: ignore[override]
        return self._compared(other, "===")

    def __ne__(self, other: Script | Number) -> ScriptCondition:  # type: ignore[override]
        return self._compared(other, "!==")

    def __lt__(self, other: Script | Number) -> ScriptCondition:
        return self._compared(other, "<")

    def __le__(self, other: Script | Number) -> ScriptCondition:
        return self._compared(other, "<=")

    def __gt__(self, other: Script | Number) -> ScriptCondition:
        return self._compared(other, ">")

    def __ge__(self, other: Script | Number) -> ScriptCondition:
        return self._compared(other, ">=")

    def __bool__(self) -> bool:
        spoil("the definition asks for the truth of a number")
        raise TypeError("a number in a script has no truth value: say c.where(condition, x, y) instead of if")


class ScriptCondition(Symbolic):
    """A condition in JavaScript."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __and__(self, other: Condition | bool) -> ScriptCondition:
        return ScriptCondition(f"({self.text} && {_condition(other)})")

    def __or__(self, other: Condition | bool) -> ScriptCondition:
        return ScriptCondition(f"({self.text} || {_condition(other)})")

    def __invert__(self) -> ScriptCondition:
        return ScriptCondition(f"!{self.text}")

    def __bool__(self) -> bool:
        spoil("the definition asks for the truth of a condition")
        raise TypeError("a condition in a script has no truth value: say c.where(condition, x, y) instead of if")


def script(x: Script | Number) -> Script:
    """Return a number or an expression as an expression of JavaScript."""
    if isinstance(x, Script):
        return x
    if isinstance(x, Fraction):
        if x.denominator == 1:
            return script(x.numerator)
        return Script(f"({x.numerator} / {x.denominator})", x)
    if isinstance(x, float) and math.isinf(x):
        return Script("Infinity" if x > 0 else "(-Infinity)")
    if isinstance(x, float) and math.isnan(x):
        return Script("NaN")
    if isinstance(x, bool) or not isinstance(x, (int, float)):
        raise TypeError(f"{type(x).__name__} is not a number of a script")
    number = Fraction(repr(x)) if isinstance(x, float) else x
    return Script(repr(x) if x >= 0 else f"({x!r})", number)


def _condition(x: Condition | bool) -> str:
    if isinstance(x, bool):
        return "true" if x else "false"
    if not isinstance(x, ScriptCondition):
        raise TypeError(f"{x!r} is not a condition of a script")
    return x.text


class ScriptNames:
    """The names of class indices and of kept results in one printed function."""

    def __init__(self) -> None:
        self.indices = 0
        self.kept = 0

    def index(self) -> Script:
        """Return a new class index."""
        self.indices += 1
        return Script(f"i{self.indices}")


class ScriptView(View[Script, Script]):
    """A confusion matrix in JavaScript, where ``text`` is an expression of the view."""

    policy = RESOLVE

    def __init__(self, text: str, names: ScriptNames, *, two: bool = False, mapped: bool = False) -> None:
        self.text, self.names, self.mapped = text, names, mapped
        self.m = 2 if two else Script(f"{text}.m")

    def __getitem__(self, ij: tuple[Script | int, Script | int]) -> Script:
        return Script(f"{self.text}.cells[{script(ij[0]).text}][{script(ij[1]).text}]")

    @property
    def a(self) -> Sizes[Script, Script]:
        return _NamedSizes(self, "a")

    @property
    def b(self) -> Sizes[Script, Script]:
        return _NamedSizes(self, "b")

    @property
    def n(self) -> Script:
        return Script(f"{self.text}.n")

    @property
    def T(self) -> ScriptView:  # noqa: N802
        return ScriptView(f"{self.text}.T", self.names, two=isinstance(self.m, int), mapped=self.mapped)

    def excess(self, i: Script | int) -> Script:
        return Script(f"{self.text}.excess({script(i).text})")

    def vs_rest(self, i: Script | int) -> ScriptView:
        return ScriptView(f"{self.text}.vsRest({script(i).text})", self.names, two=True)

    def two(self, tp: Script, fn: Script, fp: Script, tn: Script) -> ScriptView:
        cells = ", ".join(script(x).text for x in (tp, fn, fp, tn))
        return ScriptView(f"{self.text}.two({cells})", self.names, two=True)

    def map(self, cell: Callable[[Script, Script], Script]) -> ScriptView:
        i, j = self.names.index(), self.names.index()
        mapped = f"{self.text}.map(({i.text}, {j.text}) => {script(cell(i, j)).text})"
        return ScriptView(mapped, self.names, two=isinstance(self.m, int), mapped=True)

    def finish(self, value: Script | float) -> Script | float:
        """Return the value of a measure; one of a mapped matrix with an undefined cell is undefined."""
        return Script(f"{self.text}.finish(() => {script(value).text})") if self.mapped else value

    # Over classes

    def _each(self, word: str, term: Term[Script, Script], over: Chosen[Script] | None) -> Script:
        return Script(f"{self.text}.{word}({self._term(term)}{self._over(over)})")

    def _term(self, term: Term[Script, Script]) -> str:
        i = self.names.index()
        return f"{i.text} => {script(term(i)).text}"

    def _over(self, over: Chosen[Script] | None) -> str:
        if over is None:
            return ""
        i = self.names.index()
        return f", {i.text} => {_condition(over(i))}"

    def sum(self, term: Term[Script, Script], over: Chosen[Script] | None = None) -> Script:
        return self._each("sum", term, over)

    def product(self, term: Term[Script, Script], over: Chosen[Script] | None = None) -> Script:
        return self._each("product", term, over)

    def least(self, term: Term[Script, Script], over: Chosen[Script] | None = None) -> Script:
        return self._each("least", term, over)

    def greatest(self, term: Term[Script, Script], over: Chosen[Script] | None = None) -> Script:
        return self._each("greatest", term, over)

    def mean(
        self,
        term: Term[Script, Script],
        p: Script | Number = 1,
        over: Chosen[Script] | None = None,
        undefined: Rule[Script, Script] | None = None,
        weights: Sizes[Script, Script] | None = None,
    ) -> Script:
        said = [f"p: {script(p).text}"]
        if over is not None:
            said.append(f"over: {self._over(over).removeprefix(', ')}")
        if undefined is not None:
            said.append(f"rule: {self._rule(undefined)}")
        if weights is not None:
            check_weighted(p, over)
            if not isinstance(weights, _NamedSizes):
                raise TypeError("weights= takes c.a or c.b")
            said.append(f"weights: {weights.text}")
        return Script(f"{self.text}.mean({self._term(term)}, {{{', '.join(said)}}})")

    def _rule(self, rule: Rule[Script, Script]) -> str:
        """Return the rule of a mean as a function of the class."""
        i = self.names.index()
        return f"{i.text} => {self._branch(rule(i) if callable(rule) else rule)}"

    def sum_off(self, term: PairTerm[Script, Script], over: ChosenPairs[Script] | None = None) -> Script:
        i, j = self.names.index(), self.names.index()
        pair = f"({i.text}, {j.text}) =>"
        only = "" if over is None else f", {pair} {_condition(over(i, j))}"
        return Script(f"{self.text}.sumOff({pair} {script(term(i, j)).text}{only})")

    # Arithmetic

    def _applied(self, word: str, *values: Script | Number) -> Script:
        return Script(f"{self.text}.{word}({', '.join(script(x).text for x in values)})")

    @property
    def pi(self) -> Script:
        return Script("Math.PI")

    def constant(self, number: Script | Number) -> Script:
        return script(number)

    def power(self, x: Script | float, r: Script | Number) -> Script:
        return self._applied("power", x, r)

    def power_mean(self, values: Sequence[Script | float], p: Script | Number) -> Script:
        listed = ", ".join(script(x).text for x in values)
        return Script(f"{self.text}.powerMean([{listed}], {script(p).text})")

    def sqrt(self, x: Script | float) -> Script:
        return self._applied("sqrt", x)

    def log(self, x: Script | float) -> Script:
        return self._applied("log", x)

    def log1p(self, x: Script | float) -> Script:
        return self._applied("log1p", x)

    def exp(self, x: Script | float) -> Script:
        return self._applied("exp", x)

    def arccos(self, x: Script | float) -> Script:
        return self._applied("arccos", x)

    def arcsin(self, x: Script | float) -> Script:
        return self._applied("arcsin", x)

    def xlogy(
        self,
        x: Script | float,
        y: Script | float | Callable[[], Script | float],
        above: Callable[[], Script | float] | None = None,
    ) -> Script:
        more = "" if above is None else f", () => {script(above()).text}"
        return Script(f"{self.text}.xlogy({script(x).text}, () => {script(y() if callable(y) else y).text}{more})")

    def min(self, *values: Script | float) -> Script:
        return self._applied("min", *values)

    def max(self, *values: Script | float) -> Script:
        return self._applied("max", *values)

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[Script, Script]:
        if isinstance(rows, ClassTable) and rows.entry is not None:
            entry = rows.entry
            return ConstantTable(lambda i, j: script(entry(script(i), script(j))))
        text = self._by_classes(rows)
        return ConstantTable(lambda i, j: Script(f"{self.text}.entry({text}, {script(i).text}, {script(j).text})"))

    def _by_classes(self, rows: RowsOfTable) -> str:
        """Return a script with the table for each number of classes that selects the one for this matrix."""
        written = {}
        for m in range(2, _MOST_CLASSES + 1):
            try:
                written[m] = self._written(rows, m)
            except ValueError:  # costs are given for one number of classes
                continue
        return f"({{{', '.join(f'{m}: {x}' for m, x in written.items())}}})[{script(self.m).text}]"

    @staticmethod
    def _written(rows: RowsOfTable, m: int) -> str:
        return "[" + ", ".join("[" + ", ".join(script(x).text for x in row) + "]" for row in entries(rows, m)) + "]"

    # Choices

    def where(self, condition: Condition | bool, x: Branch[Script], y: Branch[Script]) -> Script:
        if isinstance(condition, bool):
            return Script(self._branch(x if condition else y))
        return Script(f"({_condition(condition)} ? {self._branch(x)} : {self._branch(y)})")

    def _branch(self, x: Branch[Script]) -> str:
        """Return a value, a function without arguments, or ``c.skip`` as an expression."""
        value = x() if callable(x) else x
        return f"{self.text}.leaveOut()" if value is self.skip else script(value).text

    def ratio(self, x: Script | float, y: Script | float, otherwise: Branch[Script] | None = None) -> Script:
        rule = "" if otherwise is None else f", () => {self._branch(otherwise)}"
        return Script(f"{self.text}.ratio({script(x).text}, {script(y).text}{rule})")

    def undefined(self) -> Script:
        return Script("NaN")


class _NamedSizes(Sizes[Script, Script]):
    """The class sizes of a view in JavaScript; as weights of a mean they are named as a whole."""

    __slots__ = ("text",)

    def __init__(self, view: ScriptView, letter: str) -> None:
        self.text = f"{view.text}.{letter}"
        super().__init__(lambda i: Script(f"{self.text}[{script(i).text}]"))


def javascript(function: Readable, classes: int | None) -> str:
    """Return a definition as a function of a view in JavaScript.

    >>> javascript(lambda c: c.ratio(c.tp, c.tp + c.fn, otherwise=1), 2)
    'c => c.ratio(c.cells[1][1], (c.cells[1][1] + c.cells[1][0]), () => 1)'
    """
    return f"c => {script(function(ScriptView('c', ScriptNames(), two=classes == 2))).text}"
