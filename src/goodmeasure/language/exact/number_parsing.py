"""Parsing exact numbers from the text they print as."""

from __future__ import annotations

import ast
from fractions import Fraction

from goodmeasure.language.exact import reals
from goodmeasure.language.exact.reals import Exact

_FUNCTIONS = {"sqrt": reals.sqrt, "log": reals.log, "acos": reals.arccos, "exp": reals.exp}


def read_exact(text: str) -> Exact:
    """Return the exact number that a text stands for.

    >>> read_exact("247*sqrt(1219)/10971")
    247*sqrt(1219)/10971
    """
    try:
        return Exact.of(_value(ast.parse(text.replace("^", "**"), mode="eval").body))
    except (SyntaxError, KeyError, TypeError) as error:
        raise ValueError(f"{text!r} is not an exact number: {error}") from None


def _value(tree: ast.expr) -> Exact:
    """Return the value of a parsed expression."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, (int, float)):
        return Exact.of(tree.value)
    if isinstance(tree, ast.Name) and tree.id == "pi":
        return reals.pi()
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return -_value(tree.operand)
    if isinstance(tree, ast.BinOp):
        return _combined(tree)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        arguments = [_value(x) for x in tree.args]
        if tree.func.id == "root":
            return reals.power(arguments[0], Fraction(1) / arguments[1].as_fraction())
        return _FUNCTIONS[tree.func.id](*arguments)
    raise TypeError(f"{ast.unparse(tree)!r} is not understood")


def _combined(tree: ast.BinOp) -> Exact:
    """Return the value of a sum, difference, product, quotient or power."""
    left, right = _value(tree.left), _value(tree.right)
    if isinstance(tree.op, ast.Add):
        return left + right
    if isinstance(tree.op, ast.Sub):
        return left - right
    if isinstance(tree.op, ast.Mult):
        return left * right
    if isinstance(tree.op, ast.Div):
        return left / right
    if isinstance(tree.op, ast.Pow):
        return left ** int(right.as_fraction())
    raise TypeError(f"{ast.unparse(tree)!r} is not understood")
