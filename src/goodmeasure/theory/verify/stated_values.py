"""Compare the numbers that a certificate states with exact values: by value, and not by the way they are written.

A certificate writes a number as text, such as ``247*sqrt(1219)/10971``. The text is read as an exact number, of whole
numbers, π and the functions below, and compared exactly: 2/4 is 1/2. A number is refused if its text cannot be read, or
if it stays undecided whether it is the value. Texts are untrusted, so long ones and high powers are not worked out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from goodmeasure.exceptions import Undecided
from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import Exact
from goodmeasure.typing import ReadJson

_LONGEST = 10_000  # characters of a text
_HIGHEST = 100  # power or root, and size of the exponent of e
_DEEPEST = 8  # functions inside of each other
_FUNCTIONS: dict[str, tuple[Callable[[Exact], Exact], Callable[[Exact], bool]]] = {  # and where each has a value
    "sqrt": (reals.sqrt, lambda x: x >= 0),
    "log": (reals.log, lambda x: x > 0),
    "acos": (reals.arccos, lambda x: -1 <= x <= 1),
    "exp": (reals.exp, lambda x: -_HIGHEST <= x <= _HIGHEST),
}


def is_stated(text: ReadJson, value: Exact | Fraction | None) -> bool:
    """Return whether a text states this value; False if there is no value, or if that stays undecided."""
    stated = value_of(text) if isinstance(text, str) else None
    if stated is None or value is None or value is reals.UNDEFINED:
        return False
    try:
        return bool(stated == value)
    except Undecided:
        return False


def are_stated(constants: Mapping[str, ReadJson], values: Mapping[str, Exact | Fraction]) -> bool:
    """Return whether constants are stated by these names, and have these values."""
    return set(constants) == set(values) and all(is_stated(constants[name], x) for name, x in values.items())


def fraction_of(text: str) -> Fraction:
    """Return the rational number that a text states; `ValueError` if it states none."""
    value = value_of(text)
    if value is None or not value.is_rational:
        raise ValueError("no rational number")
    return value.as_fraction()


@lru_cache(maxsize=4096)
def value_of(text: str) -> Exact | None:
    """Return the number that a text stands for; None if it stands for none."""
    if len(text) > _LONGEST:
        return None
    try:
        value = _read(ast.parse(text.strip().replace("^", "**"), mode="eval").body)
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError):
        return None
    return None if value is reals.UNDEFINED else value


def _read(node: ast.expr, depth: int = 0, degree: int = 1) -> Exact:
    """Return the value of an expression, which stands inside of functions and of powers with this product."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Exact.of(node.value)
    if isinstance(node, ast.Name) and node.id == "pi":
        return reals.pi()
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_read(node.operand, depth, degree)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        exponent = _small(_read(node.right, depth, degree))
        if exponent * degree > _HIGHEST:
            raise ValueError("no small power")
        return _read(node.left, depth, exponent * degree) ** exponent
    if isinstance(node, ast.BinOp):
        return _combined(node.op, _read(node.left, depth, degree), _read(node.right, depth, degree))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords and depth < _DEEPEST:
        values = [_read(x, depth + 1, degree) for x in node.args]
        if node.func.id == "root" and len(values) == 2 and values[0] >= 0:
            return reals.power(values[0], Fraction(1, _small(values[1])))
        if node.func.id in _FUNCTIONS and len(values) == 1:
            function, has_value = _FUNCTIONS[node.func.id]
            if has_value(values[0]):
                return function(values[0])
    raise ValueError("no number that certificates state")


def _combined(operation: ast.operator, left: Exact, right: Exact) -> Exact:
    if isinstance(operation, ast.Add):
        return left + right
    if isinstance(operation, ast.Sub):
        return left - right
    if isinstance(operation, ast.Mult):
        return left * right
    if isinstance(operation, ast.Div):
        return left / right
    raise ValueError("no number that certificates state")


def _small(x: Exact) -> int:
    """Return an exponent or the degree of a root, which is a small positive whole number."""
    number = x.as_fraction() if x.is_rational else Fraction(0)
    if number.denominator != 1 or not 0 < number <= _HIGHEST:
        raise ValueError("no small whole number")
    return int(number)
