"""Split the text of a formula into its words and signs, each with its place."""

from __future__ import annotations

import re
from typing import NamedTuple

from goodmeasure.exceptions import InputError, Phrase

NUMBER, NAME, SIGN, END_OF_LINE, END = "number", "name", "sign", "end of line", "end"
LONGEST = 2_000  # characters of a formula
_MOST_DIGITS = 20

_WORD = re.compile(
    r"(?P<space>[ \t\r\f\u00a0]+|\#[^\n]*|\\\n)"
    r"|(?P<line>[\n;])"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d²³][^\W²³]*)"
    r"|(?P<sign>\*\*|==|!=|<=|>=|[-+*/^()\[\],.:=<>&|~×·÷−≤≥≠²³√])"
)
_SAME = {"^": "**", "×": "*", "·": "*", "÷": "/", "−": "-", "≤": "<=", "≥": ">=", "≠": "!="}


class FormulaError(InputError):
    """A formula that cannot be read; ``position`` is the place in its text, counted from 0."""

    position: int

    def __init__(
        self, problem: str, /, *, position: int, got: object = None, expected: str | Phrase = "",
        advice: str | Phrase = "", **values: object,
    ) -> None:  # fmt: skip
        self.position = position
        super().__init__(problem, argument="text", got=got, expected=expected, advice=advice, **values)


class Token(NamedTuple):
    """A word or a sign, and its place in the text."""

    kind: str
    text: str
    position: int


def tokens(text: str) -> list[Token]:
    """Return the tokens of a formula; line breaks inside of brackets are left out.

    >>> [x.text for x in tokens("tp / (tp + fn)")]
    ['tp', '/', '(', 'tp', '+', 'fn', ')', '']
    """
    if len(text) > LONGEST:
        size = len(text)
        raise FormulaError(
            "the formula has {size:,} characters", position=LONGEST, size=size, most=LONGEST,
            advice="it may have at most {most:,}",
        )  # fmt: skip
    found: list[Token] = []
    at = depth = 0
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            raise FormulaError("{sign!r} is not a symbol of the language", position=at, sign=text[at])
        kind, word = str(match.lastgroup), match[0]
        if kind == "sign":
            depth += (word in "([") - (word in ")]")
            found.append(Token(SIGN, _SAME.get(word, word), at))
        elif kind == "number":
            found.append(_number(word, at))
        elif kind == "name":
            found.append(Token(NAME, word, at))
        elif kind == "line" and depth <= 0:
            found.append(Token(END_OF_LINE, word, at))
        at = match.end()
    return [*found, Token(END, "", len(text))]


def _number(word: str, at: int) -> Token:
    exponent = re.search(r"[eE]([+-]?\d+)", word)
    if sum(x.isdigit() for x in word) > _MOST_DIGITS or (exponent is not None and abs(int(exponent[1])) > _MOST_DIGITS):
        raise FormulaError("the number has too many digits", position=at)
    return Token(NUMBER, word, at)
