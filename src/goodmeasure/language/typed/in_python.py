"""A typed formula as a Python function: short words are spelled out, and divisions become ``c.ratio``."""

from __future__ import annotations

import ast
from functools import reduce

from goodmeasure.language.typed.syntax import Program


def in_python(program: Program) -> str:
    """Return the function that a formula is, as text, after it has been evaluated; it is spelled out on the way."""
    spelling = _Spelling(program)
    lines = [f"{name} = {ast.unparse(spelling.visit(x))}" for name, x in program.assigned]
    return "\n    ".join([f"def {program.name}(c):", *lines, f"return {ast.unparse(spelling.visit(program.value))}"])


class _Spelling(ast.NodeTransformer):
    def __init__(self, program: Program) -> None:
        self.program = program

    def visit(self, x: ast.AST) -> ast.AST:
        if x in self.program.literals:
            return x
        match self.generic_visit(x):
            case ast.Name(id=name) if x in self.program.owners:
                return ast.Attribute(ast.Name(self.program.owners[x]), name)
            case ast.UnaryOp(op=ast.Not(), operand=y):
                return ast.UnaryOp(ast.Invert(), y)
            case ast.BoolOp(op=op, values=values):
                sign = ast.BitAnd() if isinstance(op, ast.And) else ast.BitOr()
                return reduce(lambda y, z: ast.BinOp(y, sign, z), values)
            case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int())):
                return x
            case ast.BinOp(left=y, op=ast.Div() | ast.Pow() as op, right=z):
                return _said("ratio" if isinstance(op, ast.Div) else "power", y, z)
            case ast.Await(value=y):
                return _said("sqrt", y)
        return x


def _said(word: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(ast.Name("c"), word), [*arguments], [])
