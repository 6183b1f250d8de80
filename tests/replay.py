"""Running the lines of Python that a witness or a report prints."""

from __future__ import annotations

import ast
from typing import Any


def replayed(line: str, **names: Any) -> Any:
    """The value of the last expression of a line, after everything before it was run."""
    tree = ast.parse(line)
    *before, last = tree.body
    assert isinstance(last, ast.Expr)
    exec(compile(ast.Module(before, []), "<replay>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<replay>", "eval"), names)
