"""A typed formula as a Python function: short words are spelled out, and divisions become ``c.ratio``."""

from __future__ import annotations

from goodmeasure.language.typed import kinds
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
)


def spelled_out(program: FormulaProgram) -> FormulaProgram:
    """Return the program with ``c.`` before every word of the language, and ratios instead of divisions."""
    known: frozenset[str] = frozenset({"c"})
    assigned = []
    for name, value in program.assigned:
        assigned.append((name, _spelled(value, known)))
        known |= {name}
    return FormulaProgram(program.name, tuple(assigned), _spelled(program.value, known))


def _spelled(x: Node, known: frozenset[str]) -> Node:
    """Return a part with its words spelled out; names that the formula itself gives stay as they are."""

    def inside(node: Node) -> Node:
        return _spelled(node, known)

    match x:
        case Name():
            return _of_c(x) if x.name in kinds.ATTRIBUTES and x.name not in known else x
        case Attribute():
            return Attribute(x.position, inside(x.of), x.name)
        case Indexed():
            return Indexed(x.position, inside(x.of), tuple(map(inside, x.items)))
        case Call():
            named = tuple((name, value if name == "p" else inside(value)) for name, value in x.named)
            return Call(x.position, _callee(x.of, known), tuple(map(inside, x.arguments)), named)
        case RowList():
            return RowList(x.position, tuple(map(inside, x.items)))
        case Negative():
            return Negative(x.position, inside(x.part))
        case Lambda():
            return Lambda(x.position, x.names, _spelled(x.body, known | set(x.names)))
        case Compare():
            return Compare(x.position, x.sign, inside(x.left), inside(x.right))
        case Binary(sign="/"):
            return _word("ratio", x, inside(x.left), inside(x.right))
        case Binary(sign="**") if not _is_whole(x.right):
            return _word("power", x, inside(x.left), inside(x.right))
        case Binary():
            return Binary(x.position, x.sign, inside(x.left), inside(x.right))
    return x


def _callee(of: Node, known: frozenset[str]) -> Node:
    """Return what is called: a word of c, a function of the formula, or a measure of the catalogue."""
    if isinstance(of, Attribute) and isinstance(of.of, Name) and of.of.name == "gm":
        return of
    if not isinstance(of, Name) or of.name in known:
        return _spelled(of, known)
    return _of_c(of) if of.name in kinds.WORDS else Attribute(of.position, Name(of.position, "gm"), of.name)


def _of_c(name: Name) -> Attribute:
    return Attribute(name.position, Name(name.position, "c"), name.name)


def _word(word: str, at: Node, *arguments: Node) -> Call:
    return Call(at.position, _of_c(Name(at.position, word)), arguments)


def _is_whole(x: Node) -> bool:
    return isinstance(x, NumberLiteral) and x.value.denominator == 1
