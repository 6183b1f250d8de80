"""Say to ``c`` what a formula says, after checking what each part of it is.

Every part is of a kind (a number, a condition, a matrix, a class …), and every word of the language takes arguments of
certain kinds. So nothing but words of the language is ever called, with arguments that they take. There is no loop but
those over classes, and these may be nested a few times only: every formula ends.
"""

from __future__ import annotations

import ast
import inspect
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import partial, reduce
from typing import NamedTuple, TypeAlias, cast

from goodmeasure.language.policy import Skip
from goodmeasure.language.record import CannotRecord, Letter, RecordedSizes, RecordedValue, RecordingView
from goodmeasure.language.tree import Missing
from goodmeasure.language.typed.syntax import FormulaError, Program
from goodmeasure.language.view import ConstantTable, View, shortest

MOST_PARTS = 3_000  # the most parts of a formula, with the calls of its own functions
DEEPEST_PART = 150  # parts inside of parts: a sum of so many is one, since each sum is a part of the next
MOST_LOOPS = 3  # sums inside of sums
LARGEST_POWER = 100
_MOST_BITS = 200  # of a number that is computed from others

Names: TypeAlias = Mapping[str, object]  # what names stand for in one place of a formula
LookUp: TypeAlias = Callable[[str], Callable[..., object] | None]
"""Returns the measure with a name, as a function of a view; None if there is none."""


class Function(NamedTuple):
    """Something that is called: how many arguments it takes, and what it returns for them."""

    size: int
    call: Callable[..., object]


class Word(NamedTuple):
    """A word of the language that is called, and the matrix that it is said to."""

    view: object
    name: str


# What a part is
NUMBER, CONDITION, MATRIX, CLASS, SIZES = "a number", "a condition", "a matrix", "a class", "class sizes"
TABLE, SKIP, UNDEFINED = "a table of costs", "c.skip", "c.undefined"
_KINDS: dict[type, str] = {
    Fraction: NUMBER, float: NUMBER, RecordingView: MATRIX, Letter: CLASS, RecordedSizes: SIZES, ConstantTable: TABLE,
    Skip: SKIP, **dict.fromkeys((Function, Word), "a function without its arguments"),
}  # fmt: skip
# What an argument may be besides
BRANCH = "a number, c.skip, or a function without arguments"
RULE = "a number, c.skip, or a function of a class"
POWER = f"a number from −{LARGEST_POWER} to {LARGEST_POWER} that is written out"
MEAN_POWER = f"{POWER}, or inf"
ROWS, VALUES = "a square table of numbers", "a list of numbers"
TERM, CHOICE = "a function of a class", "a condition on a class"
PAIR_TERM, PAIR_CHOICE = "a function of two classes", "a condition on two classes"
_EXAMPLES = {
    NUMBER: "c.n", CONDITION: "c.n > 0", MATRIX: "c", CLASS: "the i of lambda i: c[i, i]", SIZES: "c.a",
    TERM: "lambda i: c[i, i]", CHOICE: "lambda i: c.a[i] > 0", PAIR_TERM: "lambda i, j: c[i, j]",
    PAIR_CHOICE: "lambda i, j: c[i, j] > 0", ROWS: "[[0, 1], [5, 0]]", VALUES: "[c.tp, c.tn]",
}  # fmt: skip
_OF_SEVERAL_KINDS = dict.fromkeys((BRANCH, RULE), (NUMBER, SKIP, UNDEFINED))
# Of how many classes each kind of function is, and what it returns
_FUNCTIONS: dict[str, tuple[int, str]] = {
    TERM: (1, NUMBER), RULE: (1, NUMBER), CHOICE: (1, CONDITION), PAIR_TERM: (2, NUMBER), PAIR_CHOICE: (2, CONDITION),
}  # fmt: skip
# What the arguments of words are, by their types in the language, or by their names where these must be numbers
_TYPES = {
    **dict.fromkeys(("V", "V | float", "number"), NUMBER),
    **dict.fromkeys(("Branch[V]", "Branch[V] | None", "V | float | Callable[[], V | float]"), BRANCH),
    **dict.fromkeys(("PairTerm[K, V]", "Callable[[K, K], V]"), PAIR_TERM), "p": MEAN_POWER, "r": POWER,
    "Term[K, V]": TERM, "Chosen[K] | None": CHOICE, "ChosenPairs[K] | None": PAIR_CHOICE, "Rule[V, K] | None": RULE,
    "Condition | bool": CONDITION, "K | int": CLASS, "K | int | None": CLASS, "Sizes[V, K] | None": SIZES,
    "RowsOfTable": ROWS, "Sequence[V | float]": VALUES,
}  # fmt: skip
# The words that are called, and the others
_WORDS = (
    *("sum", "product", "least", "greatest", "mean", "sum_off", "sqrt", "log", "log1p", "exp", "arccos", "arcsin"),
    *("power", "xlogy", "min", "max", "power_mean", "where", "ratio", "constant", "vs_rest", "excess", "occurs"),
    *("two", "map", "table"),
)
_ATTRIBUTES = ("a", "b", "n", "m", "tp", "fn", "fp", "tn", "T", "pi", "skip", "undefined")
_OPERATORS: dict[type[ast.AST], Callable[..., object]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.UAdd: operator.pos, ast.USub: operator.neg, ast.And: operator.and_, ast.Or: operator.or_,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Not: operator.invert,
}  # fmt: skip


def _kind_of(x: object) -> str:
    """Return what a part of a formula is."""
    if isinstance(x, RecordedValue):
        return CONDITION if x.node.SORT == "ConditionTree" else UNDEFINED if isinstance(x.node, Missing) else NUMBER
    if isinstance(x, list):
        inside = {_kind_of(y) for y in x}
        return VALUES if inside == {NUMBER} else ROWS if inside == {VALUES} else "a list"
    return _KINDS[type(x)]


class Evaluation:
    """One evaluation of a formula on a view that records what is said to it."""

    def __init__(self, program: Program, c: RecordingView, named: LookUp) -> None:
        self.program, self.c, self.named = program, c, named
        self.parts = self.depth = self.loops = 0

    def result(self) -> object:
        """Return the value of the formula."""
        names: Names = {"c": self.c, "inf": math.inf}
        for name, x in self.program.assigned:
            if name == "c":
                raise FormulaError("c is the matrix and cannot be changed", position=x.lineno)
            names = {**names, name: self.part(x, names)}
        return self.part(self.program.value, names, NUMBER)

    def part(self, x: ast.expr, names: Names, kind: str | None = None) -> object:
        """Return what a part of the formula stands for, which has to be of a kind."""
        self.parts += 1
        if self.parts > MOST_PARTS or self.depth == DEEPEST_PART:
            raise FormulaError(
                "the formula is nested too deeply, or too long with its functions written out", position=x.lineno,
                most=DEEPEST_PART,
                advice="give parts of it names, each on a line of its own; a sum may have {most} terms",
            )  # fmt: skip
        self.depth += 1
        try:
            found = self._part(x, names)
        finally:
            self.depth -= 1
        return found if kind is None else self._as(x, found, kind)

    def _part(self, x: ast.expr, names: Names) -> object:
        match x:
            case ast.Constant(value=number):
                return shortest(number)
            case ast.Name(id=name):
                return names[name] if name in names else self._said(x, self.c, name, names)
            case ast.Attribute(value=ast.Name(id="gm"), attr=name):
                return self._measure(x, name, names)
            case ast.Attribute(value=of, attr=name):
                return self._said(x, self.part(of, names, MATRIX), name, names)
            case ast.Subscript(value=of, slice=i):
                return self._at(x, self.part(of, names), i.elts if isinstance(i, ast.Tuple) else [i], names)
            case ast.Call():
                return self._called(x, names)
            case ast.Lambda(args=letters, body=body):
                known = [y.arg for y in letters.args]
                if ast.unparse(letters) == ", ".join(known):  # no default values, for example
                    return Function(
                        len(known), lambda *y: self.part(body, {**names, **dict(zip(known, y, strict=True))})
                    )
            case ast.List(elts=parts):
                return [self.part(y, names) for y in parts]
            case ast.Await(value=y):  # √
                return self.c.sqrt(self.part(y, names, NUMBER))
            case ast.UnaryOp(op=op, operand=y):
                return _OPERATORS[type(op)](self.part(y, names, CONDITION if isinstance(op, ast.Not) else NUMBER))
            case ast.BoolOp(op=op, values=parts):
                return reduce(_OPERATORS[type(op)], [self.part(y, names, CONDITION) for y in parts])
            case ast.Compare(left=y, ops=[op], comparators=[z]):
                left, right = self.part(y, names, NUMBER), self.part(z, names, NUMBER)
                return _OPERATORS[type(op)](left, self.c.constant(right))
            case ast.Compare(comparators=[_, y, *_]):
                raise FormulaError("two comparisons follow each other", position=y.lineno, advice="put & between them")
            case ast.BinOp(op=op) if type(op) in _OPERATORS:
                return self._computed(x, names)
        raise FormulaError("{what!r} is not in the language", position=x.lineno, what=ast.unparse(x))

    def _computed(self, x: ast.BinOp, names: Names) -> object:
        """Return what two numbers give; of two that are written out, a number that is."""
        is_power = isinstance(x.op, ast.Pow)
        left, right = self.part(x.left, names, NUMBER), self.part(x.right, names, POWER if is_power else NUMBER)
        compute = _OPERATORS[type(x.op)]
        if not isinstance(left, Fraction) or not isinstance(right, Fraction) or (is_power and right.denominator > 1):
            return compute(self.c.constant(left), right)
        try:
            found = cast(Fraction, compute(left, right))
        except ZeroDivisionError:
            raise FormulaError("a number is divided by 0", position=x.lineno) from None
        if max(abs(found.numerator), found.denominator).bit_length() > _MOST_BITS:
            raise FormulaError("the number has too many digits", position=x.lineno)
        return found

    def _at(self, x: ast.expr, of: object, items: Sequence[ast.expr], names: Names) -> object:
        """Return what stands at one class, or at two."""
        what = _kind_of(of)
        size = {MATRIX: 2, TABLE: 2, SIZES: 1}.get(what, 0)
        if len(items) != size:
            takes = ("no class", "one class", "two classes")[size]
            raise FormulaError("{what} takes {takes} in brackets", position=x.lineno, what=what, takes=takes)
        classes = [self.part(y, names, CLASS) for y in items]
        return of[classes[0] if size == 1 else tuple(classes)]  # type: ignore[index] # it is of one of these kinds

    def _as(self, x: ast.expr, found: object, kind: str) -> object:
        """Return what a part stands for, as an argument of a kind."""
        if isinstance(found, Word) and found.name in ("occurs", "excess"):
            found = Function(1, getattr(found.view, found.name))
        if isinstance(found, Function):
            size, call = found
            takes, returns = _FUNCTIONS.get(kind, (None, ""))
            if size == takes:
                return lambda *classes: self._as(getattr(x, "body", x), call(*classes), returns)
            if kind == BRANCH and size == 0:
                found = call()
        came = _kind_of(found)
        good = came in _OF_SEVERAL_KINDS.get(kind, (kind,))
        if kind in (POWER, MEAN_POWER):
            self.program.literals.add(x)
            good = (
                abs(found) <= LARGEST_POWER if isinstance(found, Fraction) else type(found) is float and kind != POWER
            )
        if kind == CLASS and isinstance(found, Fraction) and found in (0, 1):
            return int(found)
        if not good:
            wanted = f"{kind}, such as {_EXAMPLES[kind]}" if kind in _EXAMPLES else kind
            raise FormulaError("{part} is {came}", position=x.lineno, part=ast.unparse(x), came=came, expected=wanted)
        return found

    # Words and measures

    def _said(self, x: ast.expr, view: object, word: str, names: Names) -> object:
        """Return what a word of the language stands for, or the measure with this name."""
        if word not in (*_WORDS, *_ATTRIBUTES):
            return self._measure(x, word, names)
        self.program.owners[x] = "c"
        if word in _WORDS:
            return Word(view, word)
        found = getattr(view, word)
        return found() if word == "undefined" else Fraction(found) if isinstance(found, int) else found

    def _measure(self, x: ast.expr, name: str, names: Names) -> object:
        """Return a measure of the catalogue, as a function of a matrix."""
        measure = self.named(name)
        if measure is None:
            near = " or ".join(get_close_matches(name, [*names, *_ATTRIBUTES, *_WORDS], n=2))
            raise FormulaError(
                "{name!r} is not known here", position=x.end_lineno or 0, name=name, near=near,
                advice="did you mean {near}?" if near else "use words of c, such as c.tp, or give it a value before",
            )  # fmt: skip
        self.program.owners[x] = "gm"
        return Function(1, lambda of: self.c.constant(measure(self._as(x, of, MATRIX))))

    def _called(self, x: ast.Call, names: Names) -> object:
        found = self.part(x.func, names)
        if isinstance(found, Word):
            return self._word(x, found, names)
        if isinstance(found, Function) and not x.keywords and len(x.args) == found.size:
            return found.call(*[self.part(y, names) for y in x.args])
        raise FormulaError("{call!r} is not possible here", position=x.lineno, call=ast.unparse(x))

    def _word(self, x: ast.Call, word: Word, names: Names) -> object:
        """Return what a word of the language returns, with arguments of the kinds that it takes."""
        signature = inspect.signature(partial(getattr(View, word.name), word.view))
        takes = {
            name: _TYPES.get(name, _TYPES.get(y.annotation, "nothing")) for name, y in signature.parameters.items()
        }
        loops = max(_FUNCTIONS.get(y, (0, ""))[0] for y in takes.values())
        if self.loops + loops > MOST_LOOPS:
            raise FormulaError(
                "sums are nested too deeply", position=x.lineno, most=MOST_LOOPS,
                advice="there may be {most} class indices at once",
            )  # fmt: skip
        try:
            bound = signature.bind(*x.args, **{y.arg or "": y.value for y in x.keywords})
            for name, y in bound.arguments.items():
                values = [self.part(z, names, takes[name]) for z in (y if isinstance(y, tuple) else [y])]
                bound.arguments[name] = tuple(values) if isinstance(y, tuple) else values[0]
            self.loops += loops
            found = getattr(word.view, word.name)(*bound.args, **bound.kwargs)
            self.loops -= loops
        except (FormulaError, CannotRecord):
            raise
        except (ValueError, TypeError) as error:
            raise FormulaError(
                "c.{name}: {error}", position=x.lineno, name=word.name, error=str(error), takes=", ".join(takes),
                advice="it takes {takes}",
            ) from None  # fmt: skip
        return found
