"""Formulas compiled when they are first needed, each once for every number of classes and policy that is asked for."""

from __future__ import annotations

import linecache
import math
from collections.abc import Callable, Sequence
from typing import cast
from weakref import finalize

from goodmeasure.language.compile.numbers import constant, floats, raising, refuse
from goodmeasure.language.compile.source import PythonSource
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite.lower import check_tables, lowered
from goodmeasure.language.tree import Nth, Tree, below

OneMatrixFunction = Callable[[Sequence[Sequence[float]], object], float]
_WRITTEN_OUT = 2  # up to this many classes, the cells of a matrix have names of their own
_LISTED = 6  # the same for formulas that name classes by their numbers


def written_out(tree: Tree, m: int) -> int | None:
    """Return the number of classes if a formula is compiled with its classes written out, else None."""
    check_tables(tree, m)
    names_classes = tree.memo.get("names classes")
    if names_classes is None:
        names_classes = tree.memo["names classes"] = any(isinstance(x, Nth) for x in below(tree))
    return m if m <= (_LISTED if names_classes and tree.classes is not None else _WRITTEN_OUT) else None


def python_source(tree: Tree, m: int, *, resolves: bool = True, whole: bool = True) -> str:
    """Return the source that computes a formula on one matrix of m classes of plain numbers."""
    written = written_out(tree, m)
    known = lowered(tree, written, resolves=resolves, exact_products=whole)
    return PythonSource(known, written, whole=whole).written()


def on_one_matrix(tree: Tree, m: int, policy: Policy, *, whole: bool) -> OneMatrixFunction:
    """Return the function that computes a formula on one matrix of m classes of plain numbers."""
    written = written_out(tree, m)
    key = ("floats", written, policy.resolves, policy.name == "raise", whole)
    found = tree.memo.get(key)
    if found is None:
        found = tree.memo[key] = _compiled(tree, written, policy, whole=whole)
    return cast(OneMatrixFunction, found)


def undefined_value(policy: Policy) -> object:
    """Return what compiled source takes as its argument u: what undefined terms are worth."""
    if policy.name == "number":
        return policy.number
    return refuse if policy.name == "raise" else math.nan


def _compiled(tree: Tree, m: int | None, policy: Policy, *, whole: bool) -> OneMatrixFunction:
    raises = policy.name == "raise"
    known = lowered(tree, m, resolves=policy.resolves, exact_products=whole)
    code = PythonSource(known, m, whole=whole, raises=raises)
    text = code.written()
    named = {name: constant(value) for value, name in code.constants.items()}
    return function_of(text, (raising(floats()) if raises else floats()) | named, tree)


def function_of(text: str, scope: dict[str, object], tree: Tree) -> OneMatrixFunction:
    """Return the function that some source text defines; tracebacks show its lines."""
    name = f"<measure {tree.order.hex()}-{len(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    finalize(tree, linecache.cache.pop, name, None)
    exec(compile(text, name, "exec"), scope)
    return cast(OneMatrixFunction, scope["f"])


def value_on(tree: Tree, rows: Sequence[Sequence[float]], policy: Policy, *, whole: bool) -> float:
    """Return the value of a formula on one matrix of plain numbers."""
    return on_one_matrix(tree, len(rows), policy, whole=whole)(rows, undefined_value(policy))
