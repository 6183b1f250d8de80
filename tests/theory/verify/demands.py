"""What the verifier demands, read from its source; and how to run it without one of its demands.

A demand is a call of ``demand(…)`` or a ``raise CertificateError(…)`` in `theory/verify`. Its key names the function
that it stands in and what it says, so that a demand which moves by some lines keeps its name. Where an error of another
kind is only turned into a `CertificateError` (inside ``except``), nothing is demanded: what cannot be read is refused
anyway.

`without` takes one demand away while the program runs: the function that it stands in gets the code of the same source
without that statement. `outcome` says what becomes of a certificate: accepted, refused by one of the demands, or
unreadable.
"""

from __future__ import annotations

import ast
import copy
import importlib
import pickle
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from types import CodeType
from typing import Any

from goodmeasure.exceptions import CertificateError
from goodmeasure.theory import verify as room
from goodmeasure.theory.verify import formula_readings

HOME = Path(room.__file__).parent
PACKAGE = room.__name__
ACCEPTED, UNREADABLE = "accepted", "unreadable"


@dataclass(frozen=True)
class Demand:
    """One demand: where it stands, and what it says."""

    module: str
    function: str
    says: str
    first: int
    last: int
    column: int

    @property
    def key(self) -> str:
        """The name of the demand."""
        return f"{self.module}.{self.function}: {self.says}"


@cache
def demands() -> tuple[Demand, ...]:
    """Return everything that the verifier demands."""
    found: list[Demand] = []
    for path in sorted(HOME.glob("*.py")):
        for name, function in _functions(ast.parse(path.read_text(encoding="utf-8"))):
            if (path.stem, name) != ("signs", "demand"):  # the tool itself
                found += _in_function(path.stem, name, function)
    return tuple(found)


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions and methods of a module with their names; functions inside of these belong to them."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.{x.name}", x) for x in node.body if isinstance(x, ast.FunctionDef))


def _in_function(module: str, name: str, function: ast.FunctionDef) -> list[Demand]:
    seen: Counter[str] = Counter()
    found = []
    for node, call in sorted(_statements(function), key=lambda x: x[0].lineno):
        says = _message(call)
        seen[says] += 1
        again = f" ({seen[says]})" if seen[says] > 1 else ""
        found.append(Demand(module, name, says + again, node.lineno, node.end_lineno or 0, node.col_offset))
    return found


def _statements(node: ast.AST) -> Iterator[tuple[ast.stmt, ast.Call]]:
    """Yield the statements that demand something, each with the call that says what."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ExceptHandler):
            continue
        if isinstance(child, ast.Expr) and _calls(child.value, "demand"):
            yield child, child.value  # type: ignore[misc]
        elif isinstance(child, ast.Raise) and child.exc is not None and _calls(child.exc, "CertificateError"):
            yield child, child.exc  # type: ignore[misc]
        else:
            yield from _statements(child)


def _calls(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _message(call: ast.Call) -> str:
    """Return what a demand says, with … in place of what is filled in."""
    expected = [_text(x.value) for x in call.keywords if x.arg == "expected"]
    return ": expected ".join([_text(call.args[-1]), *expected])


def _text(node: ast.expr) -> str:
    """Return a template with … in place of what is filled in."""
    if not isinstance(node, ast.Constant):
        return "…"
    return "".join(words + ("" if name is None else "…") for words, name, *_ in Formatter().parse(node.value))


# One demand taken away


@contextmanager
def without(demand: Demand) -> Iterator[None]:
    """Run the verifier without one demand."""
    holder: Any = importlib.import_module(f"{PACKAGE}.{demand.module}")
    *path, name = demand.function.split(".")
    for x in path:
        holder = getattr(holder, x)
    function = vars(holder)[name]
    function = getattr(function, "fget", None) or getattr(function, "__wrapped__", None) or function
    before, function.__code__ = function.__code__, _changed_code(demand)
    formula_readings.forget()  # what was read with the demand is read again without it, and the reverse
    try:
        yield
    finally:
        function.__code__ = before
        formula_readings.forget()


@cache
def _changed_code(demand: Demand) -> CodeType:
    path = HOME / f"{demand.module}.py"
    outermost = next(x for x in _tree(path).body if x.lineno <= demand.first <= (x.end_lineno or 0))
    copied = pickle.loads(pickle.dumps(outermost))  # several times as fast as copy.deepcopy
    changed = _Without(demand).visit(copied)  # the rest of the module need not be compiled again
    code = compile(ast.Module([changed], []), str(path), "exec")
    for name in demand.function.split("."):
        code = next(x for x in code.co_consts if isinstance(x, CodeType) and x.co_name == name)
    return code


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


class _Without(ast.NodeTransformer):
    """Put ``pass`` in place of one statement."""

    def __init__(self, demand: Demand) -> None:
        self.place = demand.first, demand.column

    def _visit(self, node: Any) -> Any:
        return ast.copy_location(ast.Pass(), node) if (node.lineno, node.col_offset) == self.place else node

    visit_Expr = visit_Raise = _visit  # noqa: N815 - names that the visitor prescribes


# What becomes of a certificate


def outcome(check: Callable[[], Any]) -> str:
    """Return "accepted", the key of the demand that refuses, or "unreadable" for what is refused by none of them."""
    try:
        check()
    except CertificateError as error:
        return refusal(error)
    return ACCEPTED


def refusal(error: BaseException) -> str:
    """Return the key of the demand that raised an error, or "unreadable"."""
    while isinstance(error.__context__, CertificateError):
        error = error.__context__
    if error.__context__ is not None and error.__suppress_context__:
        return UNREADABLE
    places = [x for x in traceback.extract_tb(error.__traceback__) if Path(x.filename).parent == HOME]
    places = [x for x in places if (Path(x.filename).stem, x.name) != ("signs", "demand")]
    if not places:
        return UNREADABLE
    module, line = Path(places[-1].filename).stem, places[-1].lineno or 0
    near = [x for x in demands() if x.module == module and x.first <= line <= x.last]
    return min(near, key=lambda x: x.last - x.first).key if near else f"{module}:{line}"


# Changes of plain data

DELETED = "<deleted>"


def edited(data: Any, edits: Any) -> Any:
    """Return plain data with some changes: pairs of a path and a new value (or "<deleted>").

    A number as the last step inserts before that place where the value is {"insert": …}.
    """
    data = copy.deepcopy(data)
    for path, value in edits:
        holder = data
        for step in path[:-1]:
            holder = holder[step]
        last = path[-1]
        if value == DELETED:
            del holder[last]
        elif isinstance(value, dict) and set(value) == {"insert"}:
            holder.insert(last, copy.deepcopy(value["insert"]))
        else:
            holder[last] = copy.deepcopy(value)
    return data
