"""The source files as syntax trees, each parsed once in a process, for tests of how the source is written."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import goodmeasure

ROOT = Path(goodmeasure.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))
