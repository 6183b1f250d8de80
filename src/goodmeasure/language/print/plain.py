"""A tree as one line of text, in the words of the language of ``c``."""

from __future__ import annotations

from goodmeasure.language.tree import (
    CellOf,
    ClassVariable,
    Counts,
    Nth,
    Numeral,
    Operation,
    SizeOf,
    Test,
    TotalOf,
    Tree,
)

_INFIX = {"add": "+", "sub": "-", "mul": "*", "eq": "==", "lt": "<", "le": "<=", "and": "&", "or": "|"}


def plain(x: Tree) -> str:
    """Return a tree as text.

    >>> import goodmeasure as gm
    >>> gm.f1.tree
    ratio((2 * c[1, 1]), (((2 * c[1, 1]) + c[1, 0]) + c[0, 1]), 1)
    """
    match x:
        case ClassVariable(number=k):
            return "ijklpqrs"[k - 1] if 0 < k <= 8 else f"i{k}"
        case Nth(number=k):
            return str(k)
        case Numeral(value=v):
            return str(v)
        case Operation(name=name, args=(a, b)) | Test(name=name, args=(a, b)) if name in _INFIX:
            return f"({plain(a)} {_INFIX[name]} {plain(b)})"
        case Operation(name=name, args=args) | Test(name=name, args=args):
            return f"{name}({', '.join(map(plain, args))})" if args else name
        case CellOf(of=Counts(), i=i, j=j):
            return f"c[{plain(i)}, {plain(j)}]"
        case SizeOf(of=Counts(), side=side, i=i):
            return f"{side}[{plain(i)}]"
        case TotalOf(of=Counts()):
            return "n"
        case Counts():
            return "c"
    inside = [_field(x, f) for f in type(x).FIELDS if x.__dict__[f] is not None and x.__dict__[f] != ()]
    return f"{type(x).__name__.lower()}({', '.join(inside)})"


def _field(x: Tree, name: str) -> str:
    item = x.__dict__[name]
    if isinstance(item, Tree):
        return plain(item)
    if isinstance(item, tuple):
        return "[" + ", ".join(plain(y) if isinstance(y, Tree) else str(y) for y in item) + "]"
    return plain(ClassVariable(item)) if name in x.BINDS else str(item)
