"""Read constants that depend on the number of classes, such as (m - 2)/(m + 1), from the text of a certificate."""

from __future__ import annotations

import ast
from collections.abc import Callable

from goodmeasure.theory.verify.arithmetic import FunctionValue, Ground


def function_of_m(ground: Ground, text: str) -> FunctionValue | None:
    """Return text such as (m - 2)/(m + 1) as a value; None for text that is no quotient of polynomials in m."""
    try:
        return _parsed(ground, ast.parse(text.replace("^", "**"), mode="eval").body)
    except (SyntaxError, TypeError, ValueError):
        return None


def _parsed(ground: Ground, node: ast.AST) -> FunctionValue:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return ground.rational(node.value)
    if isinstance(node, ast.Name) and node.id == "m":
        return ground.value(ground.variables["k"] + 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_parsed(ground, node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return _OPERATIONS[type(node.op)](_parsed(ground, node.left), _parsed(ground, node.right))
    raise ValueError("no quotient of polynomials in m")


_OPERATIONS: dict[type[ast.operator], Callable[[FunctionValue, FunctionValue], FunctionValue]] = {
    ast.Add: lambda x, y: x + y,
    ast.Sub: lambda x, y: x - y,
    ast.Mult: lambda x, y: x * y,
    ast.Div: lambda x, y: x / y,
    ast.Pow: lambda x, y: x ** int(y.number),  # type: ignore[arg-type] # without a number it raises
}
