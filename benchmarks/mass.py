"""How large the package is: Python tokens of each room, without comments, docstrings and line ends.

Tokens, since a line that only got longer or denser is not smaller. ``make mass`` prints the table, and
``make mass ROOM=language`` the files of one room.
"""

from __future__ import annotations

import ast
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "goodmeasure"
_NOT_COUNTED = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def tokens(path: Path) -> int:
    """Return how many tokens a file of Python has."""
    docstrings = set(_docstrings(ast.parse(path.read_bytes())))
    with tokenize.open(path) as file:
        return sum(
            token.type not in _NOT_COUNTED and not (token.type == tokenize.STRING and token.start in docstrings)
            for token in tokenize.generate_tokens(file.readline)
        )


def _docstrings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str()) as text), *_]:
                    yield text.lineno, text.col_offset


def main(room: str | None = None) -> None:
    """Print how many tokens each room has, or each file of one room."""
    root = PACKAGE / room if room else PACKAGE
    mass: Counter[str] = Counter()
    for path in sorted(root.rglob("*.py")):
        inside = path.relative_to(root)
        mass[str(inside) if room else inside.parts[0]] += tokens(path)
    for name, size in mass.items():
        print(f"{size:9,} {name}")
    print(f"{mass.total():9,} in all")


if __name__ == "__main__":
    main(*sys.argv[1:])
