"""Turn the tree of a formula into a function of ``c``, after checking what each part of it is.

Every part has a kind (a number, a condition, a matrix, a class …), and every word of the language takes arguments of
certain kinds. So nothing but words of the language is ever called, with arguments that they take, and mistakes are
found before anything runs. There is no loop but those over classes, and these may be nested a few times only: every
formula ends.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import NamedTuple, Protocol, Self, TypeVar, cast

from goodmeasure.language.typed import kinds
from goodmeasure.language.typed.tokens import FormulaError
from goodmeasure.language.typed.tree import (
    Attribute,
    Binary,
    Call,
    Compare,
    FormulaProgram,
    Indexed,
    Lambda,
    Name,
    Negative,
    Node,
    NumberLiteral,
    RowList,
    start,
)
from goodmeasure.language.value import Condition, Value
from goodmeasure.language.view import ClassIndex, ConstantTable, Definition, Sizes, View
from goodmeasure.language.view import Number as PlainNumber

MOST_PARTS = 3_000  # the most parts of a formula after its own functions are inlined
DEEPEST_PART = 150  # parts inside of parts: a sum of so many is one, since each sum is a part of the next
MOST_LOOPS = 3  # sums inside of sums
MOST_ROWS = 20  # of a table of costs
LARGEST_POWER = 20
_C = "c"  # the key of the matrix that the formula is about
Env = Mapping[str, object]  # what is known while a formula runs; the kinds of its parts say what each thing is
Evaluator = Callable[[Env], object]
LookUp = Callable[[str], Definition | None]
"""Returns the measure with a name, as a function of a view; None if there is none."""


class FormulaPart(NamedTuple):
    """A part of a formula: what it is, how to find its value, and the value itself where it is a number written out."""

    kind: str
    run: Evaluator
    number: Fraction | None = None
    whole: bool = False  # of a matrix: whether it is the one that the formula is about


# The kind of a part was checked when the formula was read: what it finds while the formula runs is of this kind.


def _numbers(part: FormulaPart) -> Callable[[Env], Value]:
    return cast(Callable[[Env], Value], part.run)


def _conditions(part: FormulaPart) -> Callable[[Env], Condition]:
    return cast(Callable[[Env], Condition], part.run)


def _views(part: FormulaPart) -> Callable[[Env], View]:
    return cast(Callable[[Env], View], part.run)


def _matrix(env: Env) -> View:
    """Return the matrix that the formula is about."""
    return cast(View, env[_C])


class Own(NamedTuple):
    """A function that the formula itself defines; it is inlined where it is used."""

    function: Lambda
    scope: Mapping[str, FormulaPart | Own]


class NameScope(NamedTuple):
    """The names that can be used somewhere, and how many sums are open there."""

    names: Mapping[str, FormulaPart | Own]
    loops: int = 0

    def having(self, found: Mapping[str, FormulaPart | Own], loops: int = 0) -> NameScope:
        """Return the scope inside of a function or after an assignment."""
        return NameScope({**self.names, **found}, self.loops + loops)


class Compiler:
    """Turns one formula into a function; ``two_classes`` tells afterwards whether it uses the cells of two classes."""

    def __init__(self, named: LookUp | None = None) -> None:
        self.named = named
        self.parts = self.variables = self.depth = 0
        self.two_classes = False

    def _variable(
        self, name: str, kind: str, number: Fraction | None = None, *, whole: bool = False
    ) -> tuple[str, FormulaPart]:
        """Return a new variable: the key of its value, which no other variable of the same name has, and what it is."""
        self.variables += 1
        key = f"{name} {self.variables}"
        return key, FormulaPart(kind, lambda env: env[key], number, whole)

    def function(self, program: FormulaProgram) -> Callable[[View], Value | float]:
        """Return the function of ``c`` that a formula describes."""
        scope = NameScope({"c": FormulaPart(kinds.VIEW, lambda env: env[_C], None, True)})
        steps: list[tuple[str, Evaluator]] = []
        for name, node in program.assigned:
            if name == "c":
                raise FormulaError("c is the matrix and cannot be changed", position=node.position)
            if isinstance(node, Lambda):
                scope = scope.having({name: Own(node, scope.names)})
                continue
            found = self.part(node, scope)
            key, variable = self._variable(name, found.kind, found.number, whole=found.whole)
            steps.append((key, found.run))
            scope = scope.having({name: variable})
        value = _numbers(self._of_kind(program.value, scope, kinds.NUMBER))

        def formula(c: View) -> Value | float:
            env: dict[str, object] = {_C: c}
            for key, run in steps:
                env[key] = run(env)
            return value(env)

        return formula

    # Parts

    def part(self, node: Node, scope: NameScope) -> FormulaPart:
        """Return what a part of the formula is and how to find its value."""
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise FormulaError("the formula is too long, with its functions written out", position=node.position)
        if self.depth == DEEPEST_PART:
            raise FormulaError(
                "the formula is nested too deeply", position=node.position, most=DEEPEST_PART,
                advice="give parts of it names, each on a line of its own; a sum may have {most} terms",
            )  # fmt: skip
        self.depth += 1
        try:
            return self._part(node, scope)
        finally:
            self.depth -= 1

    def _part(self, node: Node, scope: NameScope) -> FormulaPart:
        match node:
            case NumberLiteral():
                return _number(node.value)
            case Name():
                return self._name(node, scope)
            case Attribute():
                return self._attribute(node, scope)
            case Indexed():
                return self._index(node, scope)
            case Call():
                return self._call(node, scope)
            case Negative():
                return self._negative(node, scope)
            case Compare():
                return self._compare(node, scope)
            case Binary():
                return self._binary(node, scope)
            case Lambda():
                raise FormulaError("a function stands where a value is expected", position=node.position)
            case RowList():
                raise FormulaError(
                    "a list stands where a value is expected", position=node.position, advice="use it in c.table([[…]])"
                )
        raise AssertionError(node)

    def _of_kind(self, node: Node, scope: NameScope, wanted: str) -> FormulaPart:
        """Return a part that has to be of a kind."""
        found = self.part(node, scope)
        if found.kind != wanted:
            raise _wrong(node, kinds.SAID[found.kind], wanted)
        return found

    def _name(self, node: Name, scope: NameScope) -> FormulaPart:
        known = scope.names.get(node.name)
        if isinstance(known, FormulaPart):
            return known
        if isinstance(known, Own):
            raise FormulaError(
                "{name} is a function", position=node.position, name=node.name, advice="call it, as in {name}(i)"
            )
        if node.name in kinds.ATTRIBUTES:
            return self._attribute(Attribute(node.position, Name(node.position, "c"), node.name), scope)
        raise self._unknown(node, scope)

    def _unknown(self, node: Name, scope: NameScope) -> FormulaError:
        near = get_close_matches(node.name, [*scope.names, *kinds.ATTRIBUTES, *kinds.WORDS], n=2)
        if node.name in kinds.WORDS or (self.named is not None and self.named(node.name) is not None):
            example = "(…)" if node.name in kinds.WORDS else "(c)"
            return FormulaError(
                "{name} needs brackets", position=node.position, name=node.name, example=example,
                advice="write {name}{example}",
            )  # fmt: skip
        return FormulaError(
            "{name!r} is not defined here", position=node.position, name=node.name, near=" or ".join(near),
            advice="did you mean {near}?" if near else "use the words of c, such as c.tp, or give it a value before",
        )  # fmt: skip

    def _attribute(self, node: Attribute, scope: NameScope) -> FormulaPart:
        of = self._of_kind(node.of, scope, kinds.VIEW)
        word = node.name
        if word not in kinds.ATTRIBUTES:
            raise _no_word(node)
        if word in kinds.CELLS and of.whole:
            self.two_classes = True
        kind = kinds.ATTRIBUTES[word]
        return FormulaPart(kind, lambda env: getattr(of.run(env), word), None, word == "T" and of.whole)

    def _index(self, node: Indexed, scope: NameScope) -> FormulaPart:
        of = self.part(node.of, scope)
        wanted = {kinds.VIEW: 2, kinds.TABLE: 2, kinds.SIZES: 1}.get(of.kind)
        if wanted is None:
            raise FormulaError("{what} has no classes in brackets", position=node.position, what=kinds.SAID[of.kind])
        if len(node.items) != wanted:
            expected = "one class" if wanted == 1 else "two classes"
            raise FormulaError(
                "the brackets hold {size}", position=node.position, size=len(node.items), expected=expected
            )
        classes = [self._class(x, scope, of) for x in node.items]
        if wanted == 1:
            sizes = cast(Callable[[Env], Sizes], of.run)
            return FormulaPart(kinds.NUMBER, lambda env: sizes(env)[classes[0](env)])
        table = cast(Callable[[Env], View | ConstantTable], of.run)
        return FormulaPart(kinds.NUMBER, lambda env: table(env)[classes[0](env), classes[1](env)])

    def _class(self, node: Node, scope: NameScope, of: FormulaPart) -> Callable[[Env], ClassIndex | int]:
        """Return a class: an index of a sum, or with two classes its number."""
        found = self.part(node, scope)
        if found.kind == kinds.CLASS:
            return cast(Callable[[Env], ClassIndex], found.run)
        if found.number not in (0, 1):
            raise _wrong(node, kinds.SAID[found.kind] if found.number is None else str(found.number), kinds.CLASS)
        if of.whole or of.kind != kinds.VIEW:
            self.two_classes = True
        number = int(found.number)
        return lambda env: number

    # Arithmetic

    def _negative(self, node: Negative, scope: NameScope) -> FormulaPart:
        inner = self._of_kind(node.part, scope, kinds.NUMBER)
        if inner.number is not None:
            return _number(-inner.number)
        number = _numbers(inner)
        return FormulaPart(kinds.NUMBER, lambda env: -number(env))

    def _compare(self, node: Compare, scope: NameScope) -> FormulaPart:
        left, right = (_numbers(self._of_kind(x, scope, kinds.NUMBER)) for x in (node.left, node.right))
        compare = _COMPARED[node.sign]
        return FormulaPart(kinds.CONDITION, lambda env: compare(left(env), right(env)))

    def _binary(self, node: Binary, scope: NameScope) -> FormulaPart:
        if node.sign in ("&", "|"):
            first, second = (_conditions(self._of_kind(x, scope, kinds.CONDITION)) for x in (node.left, node.right))
            joined = _JOINED[node.sign]
            return FormulaPart(kinds.CONDITION, lambda env: joined(first(env), second(env)))
        if node.sign == "**":
            return self._power(node, scope)
        left, right = (self._of_kind(x, scope, kinds.NUMBER) for x in (node.left, node.right))
        if left.number is not None and right.number is not None:
            return _number(self._computed(node, left.number, right.number))
        if node.sign == "/":
            divide = _calling("ratio", node.position)
            return FormulaPart(kinds.NUMBER, lambda env: divide(env[_C], "ratio", (left.run(env), right.run(env)), {}))
        compute, x, y = _COMPUTED[node.sign], _numbers(left), _numbers(right)
        return FormulaPart(kinds.NUMBER, lambda env: compute(x(env), y(env)))

    @staticmethod
    def _computed(node: Binary, x: Fraction, y: Fraction) -> Fraction:
        if node.sign == "/" and y == 0:
            raise FormulaError("a number is divided by 0", position=node.position)
        found = _COMPUTED[node.sign](x, y)
        if max(abs(found.numerator), found.denominator).bit_length() > 200:
            raise FormulaError("the number has too many digits", position=node.position)
        return found

    def _power(self, node: Binary, scope: NameScope) -> FormulaPart:
        base, power = (self._of_kind(x, scope, kinds.NUMBER) for x in (node.left, node.right))
        r = power.number
        if r is None or abs(r) > LARGEST_POWER:
            raise FormulaError(
                "the power is not a number from −{most} to {most}", position=node.right.position, most=LARGEST_POWER
            )
        if r.denominator == 1 and r >= 0:
            k = int(r)
            if base.number is not None:
                return _number(_small(base.number**k, node))
            value = _numbers(base)
            return FormulaPart(kinds.NUMBER, lambda env: value(env) ** k)
        raised = _calling("power", node.position)
        return FormulaPart(kinds.NUMBER, lambda env: raised(env[_C], "power", (base.run(env), r), {}))

    # Calls

    def _call(self, node: Call, scope: NameScope) -> FormulaPart:
        of = node.of
        if isinstance(of, Attribute) and isinstance(of.of, Name) and of.of.name == "gm" and "gm" not in scope.names:
            return self._measure(Name(of.position, of.name), node, scope)
        if isinstance(of, Attribute):
            return self._word(of, self._of_kind(of.of, scope, kinds.VIEW), node, scope)
        if not isinstance(of, Name):
            raise FormulaError("this cannot be called", position=node.position)
        known = scope.names.get(of.name)
        if isinstance(known, Own):
            return self._own(known, node, scope)
        if known is not None:
            raise FormulaError("{name} is not a function", position=node.position, name=of.name)
        if of.name in kinds.WORDS:
            c = scope.names["c"]
            assert isinstance(c, FormulaPart)
            return self._word(Attribute(of.position, of, of.name), c, node, scope)
        return self._measure(of, node, scope)

    def _own(self, own: Own, node: Call, scope: NameScope) -> FormulaPart:
        """Return a call of a function that the formula names, with its body written out."""
        names = own.function.names
        if node.named or len(node.arguments) != len(names):
            raise FormulaError(
                "the function takes {size} arguments", position=node.position, size=len(names),
                given=len(node.arguments), advice="{given} came",
            )  # fmt: skip
        runs: dict[str, Evaluator] = {}
        bound: dict[str, FormulaPart] = {}
        for name, x in zip(names, node.arguments, strict=True):
            found = self.part(x, scope)
            key, bound[name] = self._variable(name, found.kind, found.number, whole=found.whole)
            runs[key] = found.run
        body = self.part(own.function.body, NameScope({**own.scope, **bound}, scope.loops))
        return body._replace(run=lambda env: body.run({**env, **_run(runs, env)}))

    def _measure(self, name: Name, node: Call, scope: NameScope) -> FormulaPart:
        """Return a measure of the catalogue, called on a matrix."""
        found = None if self.named is None else self.named(name.name)
        if found is None:
            raise self._unknown(name, scope)
        if node.named or len(node.arguments) != 1:
            raise FormulaError(
                "{name} takes one matrix", position=node.position, name=name.name, advice="write {name}(c)"
            )
        view = self._of_kind(node.arguments[0], scope, kinds.VIEW)
        if view.whole and getattr(found, "classes", None) == 2:
            self.two_classes = True
        measure, views = found, _views(view)
        return FormulaPart(kinds.NUMBER, lambda env: measure(views(env)))

    def _word(self, at: Attribute, of: FormulaPart, node: Call, scope: NameScope) -> FormulaPart:
        """Return a call of a word of the language."""
        word = kinds.WORDS.get(at.name)
        if word is None:
            raise _no_word(at)
        if scope.loops + word.loops > MOST_LOOPS:
            raise FormulaError(
                "sums are nested too deeply", position=node.position, most=MOST_LOOPS,
                advice="there may be {most} class indices at once",
            )  # fmt: skip
        given, named = self._arguments(at.name, word, node, scope.having({}, word.loops), of)
        call, name = _calling(at.name, node.position), at.name
        return FormulaPart(word.result, lambda env: call(of.run(env), name, [x(env) for x in given], _run(named, env)))

    def _arguments(
        self, name: str, word: kinds.Word, node: Call, scope: NameScope, of: FormulaPart
    ) -> tuple[list[Evaluator], dict[str, Evaluator]]:
        """Return the arguments of a word, each of the kind that it has to be."""
        expected = list(word.arguments)
        if word.many:
            expected += expected * (len(node.arguments) - 1)
        if len(node.arguments) > len(expected):
            raise FormulaError(
                "c.{name} takes at most {size} arguments", position=node.position, name=name, size=len(expected)
            )
        by_name = dict(word.arguments[len(node.arguments) :])
        for given, value in node.named:
            if given not in by_name:
                raise FormulaError(
                    "c.{name} has no argument {given!r} here", position=value.position, name=name, given=given,
                    known=", ".join(by_name) or "no more", advice="it takes {known}",
                )  # fmt: skip
        if len(node.arguments) + sum(x in dict(word.arguments[: word.needed]) for x, _ in node.named) < word.needed:
            missing = word.arguments[len(node.arguments)]
            raise FormulaError(
                "c.{name} lacks its argument {lacking}", position=node.position, name=name, lacking=missing[0],
                what=kinds.wanted(missing[1]), advice="give it {what}",
            )  # fmt: skip
        found = [self._argument(x, kind, scope, of) for x, (_, kind) in zip(node.arguments, expected, strict=False)]
        return found, {given: self._argument(value, by_name[given], scope, of) for given, value in node.named}

    def _argument(self, node: Node, kind: str, scope: NameScope, of: FormulaPart) -> Evaluator:
        """Return how to find one argument of a word."""
        if kind in kinds.FUNCTIONS:
            return self._function(node, *kinds.FUNCTIONS[kind], kind, scope)
        if kind == kinds.LITERAL:
            number = self._literal(node, scope)
            return lambda env: number
        if kind == kinds.BRANCH:
            return self._branch(node, scope)
        if kind == kinds.RULE:
            return self._rule(node, scope)
        if kind == kinds.ROWS:
            rows = self._rows(node, scope)
            return lambda env: rows
        if kind == kinds.VALUES:
            values = self._values(node, scope)
            return lambda env: [run(env) for run in values]
        if kind == kinds.CLASS:
            return self._class(node, scope, of)
        return self._of_kind(node, scope, kind).run

    def _function(self, node: Node, size: int, result: str, kind: str, scope: NameScope) -> Evaluator:
        """Return how to find a function of classes: written out, named before, or a word such as c.occurs."""
        if isinstance(node, Attribute) and node.name in ("occurs", "excess") and size == 1:
            of = self._of_kind(node.of, scope, kinds.VIEW)
            if kinds.WORDS[node.name].result == result:
                word = node.name
                return lambda env: getattr(of.run(env), word)
        function, names = node, scope.names
        if isinstance(node, Name) and isinstance(known := scope.names.get(node.name), Own):
            function, names = known.function, known.scope
        if not isinstance(function, Lambda) or len(function.names) != size:
            raise _wrong(node, "something else", kind)
        variables = {name: self._variable(name, kinds.CLASS) for name in function.names}
        keys = [key for key, _ in variables.values()]
        inside = {name: part for name, (_, part) in variables.items()}
        body = self.part(function.body, NameScope({**names, **inside}, scope.loops))
        if body.kind != result:
            raise _wrong(function.body, kinds.SAID[body.kind], result)
        if size == 1:
            return lambda env: lambda i: body.run({**env, keys[0]: i})
        return lambda env: lambda i, j: body.run({**env, keys[0]: i, keys[1]: j})

    def _branch(self, node: Node, scope: NameScope) -> Evaluator:
        """Return how to find a value that is needed in some cases only."""
        if isinstance(node, Lambda):
            if node.names:
                raise FormulaError("the function takes no arguments here", position=node.position)
            return self._branch(node.body, scope)
        found = self.part(node, scope)
        if found.kind in (kinds.SKIP, kinds.UNDEFINED):
            return found.run
        if found.kind != kinds.NUMBER:
            raise _wrong(node, kinds.SAID[found.kind], kinds.BRANCH)
        if found.number is not None:
            return _written_number(found.number)
        return lambda env: lambda: found.run(env)

    def _rule(self, node: Node, scope: NameScope) -> Evaluator:
        """Return how to find the rule of a mean for classes without a value."""
        if isinstance(node, Lambda) or (isinstance(node, Name) and isinstance(scope.names.get(node.name), Own)):
            return self._function(node, 1, kinds.NUMBER, kinds.RULE, scope)
        found = self.part(node, scope)
        if found.kind == kinds.SKIP:
            return found.run
        if found.number is None:
            raise _wrong(node, kinds.SAID[found.kind], kinds.RULE)
        return _written_number(found.number)

    def _literal(self, node: Node, scope: NameScope) -> PlainNumber:
        """Return a number that is written out, or plus or minus infinity."""
        inner = node.part if isinstance(node, Negative) else node
        if isinstance(inner, Name) and inner.name == "inf" and "inf" not in scope.names:
            return -math.inf if isinstance(node, Negative) else math.inf
        number = self.part(node, scope).number
        if number is None or abs(number) > 1000:
            raise FormulaError("a number that is written out is expected", position=node.position)
        return int(number) if number.denominator == 1 else number

    def _rows(self, node: Node, scope: NameScope) -> list[list[PlainNumber]]:
        if not isinstance(node, RowList) or not all(isinstance(x, RowList) for x in node.items):
            raise _wrong(node, "something else", kinds.ROWS)
        rows = [x.items for x in node.items if isinstance(x, RowList)]
        if not rows or len(rows) > MOST_ROWS or any(len(row) != len(rows) for row in rows):
            raise FormulaError(
                "the table has {size} rows", position=node.position, size=len(rows), most=MOST_ROWS,
                advice="it must be square, with at most {most} of them",
            )  # fmt: skip
        return [[self._literal(x, scope) for x in row] for row in rows]

    def _values(self, node: Node, scope: NameScope) -> list[Evaluator]:
        if not isinstance(node, RowList) or not node.items:
            raise _wrong(node, "something else", kinds.VALUES)
        return [self._of_kind(x, scope, kinds.NUMBER).run for x in node.items]


class _Field(Protocol):
    def __add__(self, other: Self, /) -> Self: ...

    def __sub__(self, other: Self, /) -> Self: ...

    def __mul__(self, other: Self, /) -> Self: ...

    def __truediv__(self, other: Self, /) -> Self: ...


_F = TypeVar("_F", bound=_Field)


class _Operation(Protocol):
    """An operation on numbers of any kind: those that are written out, and those of a matrix."""

    def __call__(self, x: _F, y: _F, /) -> _F: ...


_COMPARED: dict[str, Callable[[Value, Value], Condition]] = {
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
}
_COMPUTED: dict[str, _Operation] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}
_JOINED: dict[str, Callable[[Condition, Condition], Condition]] = {"&": lambda x, y: x & y, "|": lambda x, y: x | y}


def _number(value: Fraction) -> FormulaPart:
    """Return a number that is written out; one that is not whole is a constant of the matrix's own numbers."""
    if value.denominator == 1:
        whole = int(value)
        return FormulaPart(kinds.NUMBER, lambda env: whole, value)
    return FormulaPart(kinds.NUMBER, lambda env: _matrix(env).constant(value), value)


def _written_number(value: Fraction) -> Evaluator:
    """Return a number as the rule of a division takes it."""
    number = int(value) if value.denominator == 1 else float(value)
    return lambda env: number


def _small(value: Fraction, node: Node) -> Fraction:
    if max(abs(value.numerator), value.denominator).bit_length() > 200:
        raise FormulaError("the number has too many digits", position=node.position)
    return value


def _run(named: Mapping[str, Evaluator], env: Env) -> dict[str, object]:
    return {name: run(env) for name, run in named.items()}


def _called(view: object, word: str, given: Sequence[object], named: Mapping[str, object]) -> object:
    found: object = getattr(view, word)(*given, **named)
    return found


def _calling(word: str, position: int) -> Callable[..., object]:
    """Return a function that calls a word of the language, and is another one at every place of the formula.

    Notes about zero divisions identify each division of a formula by the code that called it.
    """
    code = _called.__code__.replace(co_name=f"{word} at {position}")
    return types.FunctionType(code, globals())


def _wrong(node: Node, came: str, wanted: str) -> FormulaError:
    return FormulaError(
        "{came} was found", position=start(node), came=came, wanted=kinds.wanted(wanted), expected="{wanted}"
    )


def _no_word(node: Attribute) -> FormulaError:
    near = get_close_matches(node.name, [*kinds.ATTRIBUTES, *kinds.WORDS], n=2)
    if node.name in kinds.WORDS or node.name in kinds.ATTRIBUTES:
        shown = f"c.{node.name}(…)" if node.name in kinds.WORDS else f"c.{node.name}"
        return FormulaError("{name!r} is used in another way", position=node.position, name=node.name, shown=shown,
                            advice="write {shown}")  # fmt: skip
    return FormulaError(
        "c has no {name!r}", position=node.position, name=node.name, near=" or ".join(f"c.{x}" for x in near),
        advice="did you mean {near}?" if near else "docs/language.md lists its words",
    )  # fmt: skip
