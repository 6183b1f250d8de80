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


def plain(x: object) -> str:
    """Return a tree, or what a field of one holds, as text.

    >>> import goodmeasure as gm
    >>> gm.f1.tree
    ratio((2 * c[1, 1]), (((2 * c[1, 1]) + c[1, 0]) + c[0, 1]), 1)
    """
    match x:
        case tuple():
            return f"[{', '.join(map(plain, x))}]"
        case ClassVariable(number=k):
            return "ijklpqrs"[k - 1] if 0 < k <= 8 else f"i{k}"
        case Nth(number=k):
            return str(k)
        case Numeral(value=v):
            return str(v)
        case Operation(name=name, args=(a, b)) | Test(name=name, args=(a, b)) if name in _INFIX:
            return f"({plain(a)} {_INFIX[name]} {plain(b)})"
        case Operation(name=name, args=args) | Test(name=name, args=args):
            return f"{name}({plain(args)[1:-1]})" if args else name
        case CellOf(of=Counts(), i=i, j=j):
            return f"c[{plain(i)}, {plain(j)}]"
        case SizeOf(of=Counts(), side=side, i=i):
            return f"{side}[{plain(i)}]"
        case TotalOf(of=Counts()):
            return "n"
        case Counts():
            return "c"
        case Tree():
            fields = {name: x.__dict__[name] for name in type(x).FIELDS}
            bound = {name: ClassVariable(fields[name]) for name in x.BINDS}
            inside = [plain(y) for y in (fields | bound).values() if y is not None and y != ()]
            return f"{type(x).__name__.lower()}({', '.join(inside)})"
    return str(x)
