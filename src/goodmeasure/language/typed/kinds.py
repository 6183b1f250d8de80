"""What the parts of a formula are, and which arguments the words of the language take."""

from __future__ import annotations

from typing import NamedTuple

NUMBER, CONDITION, VIEW, CLASS, SIZES, TABLE, SKIP = "number", "condition", "view", "class", "sizes", "table", "skip"
UNDEFINED = "undefined"

# What an argument may be
LITERAL = "literal"  # a number that is written out
TERM, CHOICE = "term", "choice"  # functions of a class: a number, a condition
PAIR_TERM, PAIR_CHOICE = "term of two", "choice of two"  # functions of two classes
BRANCH = "branch"  # a number, a function without arguments, c.skip, or c.undefined
RULE = "rule"  # a number, c.skip, or a function of a class that returns either
ROWS = "rows"  # a table of numbers
VALUES = "values"  # a list of numbers

SAID = {
    NUMBER: "a number",
    CONDITION: "a condition",
    VIEW: "a matrix",
    CLASS: "a class",
    SIZES: "class sizes",
    TABLE: "a table of costs",
    SKIP: "c.skip",
    UNDEFINED: "c.undefined",
    LITERAL: "a number that is written out",
    TERM: "a function of a class",
    CHOICE: "a condition on a class",
    PAIR_TERM: "a function of two classes",
    PAIR_CHOICE: "a condition on two classes",
    BRANCH: "a number, c.skip, or a function without arguments",
    RULE: "a number, c.skip, or a function of a class",
    ROWS: "a table of numbers",
    VALUES: "a list of numbers",
}
EXAMPLES = {
    NUMBER: "c.n",
    CONDITION: "c.n > 0",
    VIEW: "c",
    CLASS: "the i of lambda i: c[i, i]",
    SIZES: "c.a",
    TERM: "lambda i: c[i, i]",
    CHOICE: "lambda i: c.a[i] > 0",
    PAIR_TERM: "lambda i, j: c[i, j]",
    PAIR_CHOICE: "lambda i, j: c[i, j] > 0",
    ROWS: "[[0, 1], [5, 0]]",
    VALUES: "[c.tp, c.tn]",
}


def wanted(kind: str) -> str:
    """Return what an argument has to be, with an example.

    >>> wanted(CONDITION)
    'a condition, such as c.n > 0'
    """
    return f"{SAID[kind]}, such as {EXAMPLES[kind]}" if kind in EXAMPLES else SAID[kind]


ATTRIBUTES = {
    "a": SIZES, "b": SIZES, "n": NUMBER, "m": NUMBER, "tp": NUMBER, "fn": NUMBER, "fp": NUMBER, "tn": NUMBER,
    "T": VIEW, "pi": NUMBER, "skip": SKIP, "undefined": UNDEFINED,
}  # fmt: skip
CELLS = ("tp", "fn", "fp", "tn")


class Word(NamedTuple):
    """A word of the language that is called: its arguments, how many of them must come, and what it returns."""

    arguments: tuple[tuple[str, str], ...]
    needed: int
    result: str
    loops: int = 0  # how many class indices it runs over
    many: bool = False  # any number of the last argument may come


_OVER_CLASSES = Word((("term", TERM), ("over", CHOICE)), 1, NUMBER, 1)
_FUNCTION = Word((("x", NUMBER),), 1, NUMBER)
_SEVERAL = Word((("x", NUMBER),), 1, NUMBER, many=True)
WORDS = {
    **dict.fromkeys(("sum", "product", "least", "greatest"), _OVER_CLASSES),
    "mean": Word(
        (("term", TERM), ("p", LITERAL), ("over", CHOICE), ("undefined", RULE), ("weights", SIZES)), 1, NUMBER, 1
    ),
    "sum_off": Word((("term", PAIR_TERM), ("over", PAIR_CHOICE)), 1, NUMBER, 2),
    **dict.fromkeys(("sqrt", "log", "log1p", "exp", "arccos", "arcsin"), _FUNCTION),
    "power": Word((("x", NUMBER), ("r", LITERAL)), 2, NUMBER),
    "xlogy": Word((("x", NUMBER), ("y", BRANCH)), 2, NUMBER),
    "min": _SEVERAL,
    "max": _SEVERAL,
    "power_mean": Word((("values", VALUES), ("p", LITERAL)), 2, NUMBER),
    "where": Word((("condition", CONDITION), ("x", BRANCH), ("y", BRANCH)), 3, NUMBER),
    "ratio": Word((("x", NUMBER), ("y", NUMBER), ("otherwise", BRANCH)), 2, NUMBER),
    "constant": Word((("number", LITERAL),), 1, NUMBER),
    "vs_rest": Word((("i", CLASS),), 1, VIEW),
    "excess": Word((("i", CLASS), ("j", CLASS)), 1, NUMBER),
    "occurs": Word((("i", CLASS),), 1, CONDITION),
    "two": Word((("tp", NUMBER), ("fn", NUMBER), ("fp", NUMBER), ("tn", NUMBER)), 4, VIEW),
    "map": Word((("cell", PAIR_TERM),), 1, VIEW, 2),
    "table": Word((("rows", ROWS),), 1, TABLE),
}
FUNCTIONS = {TERM: (1, NUMBER), CHOICE: (1, CONDITION), PAIR_TERM: (2, NUMBER), PAIR_CHOICE: (2, CONDITION)}
"""How many classes each kind of function takes, and what it returns."""
