"""Read the text of a formula as expressions of Python's grammar, of which nothing is ever run as Python.

The text is split into its words and signs first, and mathematical notation becomes that of Python: x² is ``x ** 2``,
and ≤ is ``<=``. In Python ``&``, ``|`` and ``~`` would bind more tightly than comparisons, so they become ``and``,
``or`` and ``not``; √ becomes ``await``, which binds as it does. Python's own parser is given one token on each line, so
that the line of a part leads back to its place in the text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from keyword import iskeyword
from typing import NamedTuple

from goodmeasure.exceptions import InputError

LONGEST = 2_000  # characters of a formula
_MOST_DIGITS = 15  # as many as a float keeps

_TOKEN = re.compile(
    r"(?P<space>[ \t\r\f\u00a0]+|\#[^\n]*|\\\n)"
    r"|(?P<line>[\n;])"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?(?P<exponent>[0-9]+))?)"
    r"|(?P<name>[^\W\d²³][^\W²³]*)"
    r"|(?P<sign>\*\*|==|!=|<=|>=|[-+*/^()\[\],.:=<>&|~×·÷−≤≥≠√]|[²³](?!\s*(?:\*\*|[\^²³])))"
)
_HEAD = re.compile(r"(?:[\s;]|#[^\n]*\n)*(?:def\s+(\w+)\s*\(\s*c\s*\)|lambda\s+c\s*):")
_IN_PYTHON = {
    "^": "**", "×": "*", "·": "*", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!=", "&": "and", "|": "or",
    "~": "not", "√": "await", "²": "**2", "³": "**3",
}  # fmt: skip
_CLOSING = {"(": ")", "[": "]"}
_OPERATORS = ("and", "or", "not", "lambda", "return")
_INSTEAD = {
    "if": "say c.where(condition, x, y) instead",
    "for": "say c.sum(lambda i: …) instead",
    "def": "begin with def name(c):",
}


class FormulaError(InputError):
    """A formula that cannot be read; ``position`` is the place in its text, counted from 0."""

    def __init__(
        self, problem: str, /, *, position: int, expected: str = "", advice: str = "", **values: object
    ) -> None:
        self.position = position
        super().__init__(problem, argument="text", expected=expected, advice=advice, **values)


class Token(NamedTuple):
    """A word or a sign as it was typed, and its place in the text; a line break or nothing ends a line."""

    text: str
    position: int


def lines_of(text: str, at: int) -> Iterator[list[Token]]:
    """Yield the tokens of each line from a place on, and what ends it; check what needs no grammar."""
    if len(text) > LONGEST:
        raise FormulaError(
            "the formula has {size:,} characters", position=LONGEST, size=len(text), most=LONGEST,
            advice="it may have at most {most:,}",
        )  # fmt: skip
    line: list[Token] = []
    closing: list[str] = []  # the brackets that are open
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise FormulaError("{sign!r} is not a symbol of the language", position=at, sign=text[at])
        word, token, at = match[0], Token(match[0], at), match.end()
        if match["number"] and max(len(word), int(match["exponent"] or 0)) > _MOST_DIGITS:
            raise FormulaError("the number has too many digits", position=token.position)
        if iskeyword(word) and word not in _OPERATORS:
            raise FormulaError(
                "{word!r} is not a word of the language", position=token.position, word=word,
                advice=_INSTEAD.get(word, ""),
            )  # fmt: skip
        if word in _CLOSING:
            closing.append(_CLOSING[word])
        elif word in _CLOSING.values() and word != (closing.pop() if closing else None):
            raise unexpected(token)
        if not match["space"] and not (match["line"] and closing):
            line.append(token)
        if match["line"] and not closing:
            yield line
            line = []
    if closing:
        raise FormulaError("the formula ends where {wanted!r} is missing", position=at, wanted=closing[-1])
    yield [*line, Token("", at)]


def unexpected(token: Token, advice: str = "") -> FormulaError:
    """Return the error about a token where another one belongs, or none does."""
    if token.text in ("", "\n", ";"):
        came = "line" if token.text else "formula"
        return FormulaError("the {came} ends where something is missing", position=token.position, came=came)
    return FormulaError("{came!r} is not expected here", position=token.position, came=token.text, advice=advice)


class Program:
    """A formula that has been read: its name, what it gives a name on lines of its own, and the value.

    As the line of each expression stands the place in the text where it begins, and as its last line that of its last
    word.

    >>> program = Program("tp ÷ (tp + fn)")
    >>> program.name, ast.unparse(program.value), program.value.lineno
    ('own', 'tp / (tp + fn)', 0)
    """

    def __init__(self, text: str) -> None:
        head = _HEAD.match(text)
        self.name = (head and head[1]) or "own"
        self.assigned: list[tuple[str, ast.expr]] = []
        # What an evaluation finds out: the owners of short words ("c" or "gm"), and numbers that have to be written out
        self.owners: dict[ast.AST, str] = {}
        self.literals: set[ast.AST] = set()
        value = None
        for line in lines_of(text, head.end() if head else 0):
            name = line[0].text
            if value is not None and len(line) > 1:
                raise unexpected(line[0])
            if name.isidentifier() and not iskeyword(name) and line[1].text == "=":
                self.assigned.append((name, _expression(line[2:])))
            elif len(line) > 1:
                value = _expression(line[name == "return" :])
        if value is None:
            raise unexpected(line[-1])
        self.value = value


def _expression(line: list[Token]) -> ast.expr:
    """Return the expression that the tokens of a line are, with places in the text instead of lines."""
    lines = "\n".join(_IN_PYTHON.get(x.text, x.text) for x in line[:-1])
    try:
        tree = ast.parse(f"[{lines}\n]", mode="eval").body
    except SyntaxError as error:
        advice = "a sign or a comma is missing after it" if "comma" in error.msg else error.msg
        raise unexpected(line[(error.lineno or 1) - 1], "" if "invalid" in advice else advice) from None
    except (RecursionError, MemoryError):
        raise FormulaError("the formula is nested too deeply", position=line[0].position) from None
    parts = tree.elts if isinstance(tree, ast.List) else []
    if len(parts) != 1:
        raise unexpected(line[parts[1].lineno - 2] if parts else line[-1])
    for x in ast.walk(tree):
        if isinstance(x, ast.expr):
            x.lineno, x.end_lineno = (line[(y or 1) - 1].position for y in (x.lineno, x.end_lineno))
    return parts[0]
