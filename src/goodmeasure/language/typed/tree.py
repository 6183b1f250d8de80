"""The parts of a typed formula, and how each is written in Python."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

FUNCTION, OR, AND, COMPARE, ADD, MULTIPLY, NEGATE, POWER, ATOM = range(9)
LEVELS = {"|": OR, "&": AND, "+": ADD, "-": ADD, "*": MULTIPLY, "/": MULTIPLY, "**": POWER}


@dataclass(frozen=True)
class Node:
    """A part of a formula, with its place in the text."""

    position: int


@dataclass(frozen=True)
class NumberLiteral(Node):
    """A number, exactly."""

    value: Fraction


@dataclass(frozen=True)
class Name(Node):
    """A name: of the matrix, a cell, a variable or a measure."""

    name: str


@dataclass(frozen=True)
class Attribute(Node):
    """A word of the language after a point, such as c.tp."""

    of: Node
    name: str


@dataclass(frozen=True)
class Indexed(Node):
    """Something with classes in brackets: c[i, j], c.a[i]."""

    of: Node
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Call(Node):
    """A call with arguments, some of them by name."""

    of: Node
    arguments: tuple[Node, ...]
    named: tuple[tuple[str, Node], ...] = ()


@dataclass(frozen=True)
class Binary(Node):
    """Two parts with an operator between them."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Compare(Node):
    """Two numbers compared."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Negative(Node):
    """A part with a minus in front of it."""

    part: Node


@dataclass(frozen=True)
class Lambda(Node):
    """A function of classes, or of nothing."""

    names: tuple[str, ...]
    body: Node


@dataclass(frozen=True)
class RowList(Node):
    """A list in brackets."""

    items: tuple[Node, ...]


@dataclass(frozen=True)
class FormulaProgram:
    """A whole formula: what is given a name, and the value."""

    name: str
    assigned: tuple[tuple[str, Node], ...]
    value: Node


def start(x: Node) -> int:
    """Return where a part of a formula begins in its text."""
    while True:
        match x:
            case Attribute() | Indexed() | Call():
                x = x.of
            case Binary() | Compare():
                x = x.left
            case _:
                return x.position


def number_text(value: Fraction) -> str:
    """Return a number as Python writes it."""
    if value.denominator == 1:
        return str(value.numerator)
    return repr(float(value))


def written(x: object, level: int = FUNCTION) -> str:
    """Return a part of a formula in Python, in brackets where an operator around it binds more tightly."""
    text, own = _written(x)
    return f"({text})" if own < level else text


def _written(x: object) -> tuple[str, int]:
    match x:
        case NumberLiteral():
            return number_text(x.value), ATOM
        case Name():
            return x.name, ATOM
        case Attribute():
            return f"{written(x.of, ATOM)}.{x.name}", ATOM
        case Indexed():
            return f"{written(x.of, ATOM)}[{', '.join(map(written, x.items))}]", ATOM
        case Call():
            given = [*map(written, x.arguments), *(f"{name}={written(value)}" for name, value in x.named)]
            return f"{written(x.of, ATOM)}({', '.join(given)})", ATOM
        case RowList():
            return f"[{', '.join(map(written, x.items))}]", ATOM
        case Negative():
            return f"-{written(x.part, NEGATE)}", NEGATE
        case Lambda():
            head = f"lambda {', '.join(x.names)}:" if x.names else "lambda:"
            return f"{head} {written(x.body)}", FUNCTION
        case Compare():
            return f"{written(x.left, ADD)} {x.sign} {written(x.right, ADD)}", COMPARE
        case Binary():
            return _binary(x)
    raise AssertionError(x)


def _binary(x: Binary) -> tuple[str, int]:
    own = LEVELS[x.sign]
    if own in (OR, AND):  # in Python these bind more tightly than comparisons
        return f"{written(x.left, ADD)} {x.sign} {written(x.right, ADD)}", own
    left, right = (own + 1, own) if x.sign == "**" else (own, own + 1)
    return f"{written(x.left, left)} {x.sign} {written(x.right, right)}", own
