"""Many formulas on one matrix as one compiled function, which computes what they share once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias, cast

from goodmeasure.language.compile.compiled import function_of, undefined_value, written_out
from goodmeasure.language.compile.numbers import constant, floats
from goodmeasure.language.compile.source import PythonSource
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite.lower import lowered
from goodmeasure.language.tree import Tree

ManyValues: TypeAlias = Callable[[Sequence[Sequence[float]], object], "tuple[float, ...]"]

_MOST = 200  # formulas in one function: larger ones take long to compile
_KEPT = 32  # sets of formulas


class JointFunctions(NamedTuple):
    """Functions that compute several formulas, and the place of each formula in what they return one after another."""

    functions: tuple[ManyValues, ...]
    places: tuple[int, ...]


def values_together(
    trees: tuple[Tree, ...], rows: Sequence[Sequence[float]], policy: Policy, *, whole: bool
) -> list[float]:
    """Return the values of formulas on one matrix of plain numbers, under a policy that does not raise."""
    functions, places = _compiled(trees, len(rows), policy.resolves, whole)
    u, found = undefined_value(policy), tuple[float, ...]()
    for f in functions:
        found += f(rows, u)
    return [found[k] + 0.0 for k in places]  # which turns −0.0 into 0.0


@lru_cache(_KEPT)
def _compiled(trees: tuple[Tree, ...], m: int, resolves: bool, whole: bool) -> JointFunctions:
    by_form: dict[int | None, dict[Tree, None]] = {}  # with classes written out, and with loops
    for x in trees:
        by_form.setdefault(written_out(x, m), {})[x] = None
    functions, order = list[ManyValues](), list[Tree]()
    for written, group in by_form.items():
        members = tuple(group)
        order += members
        for k in range(0, len(members), _MOST):
            functions.append(_function(members[k : k + _MOST], written, resolves=resolves, whole=whole))
    place = {x: k for k, x in enumerate(order)}
    return JointFunctions(tuple(functions), tuple(place[x] for x in trees))


def _function(trees: tuple[Tree, ...], m: int | None, *, resolves: bool, whole: bool) -> ManyValues:
    code = PythonSource([lowered(x, m, resolves=resolves, exact_products=whole) for x in trees], m, whole=whole)
    text = code.written()
    named = {name: constant(value) for value, name in code.constants.items()}
    made = function_of(text, floats() | named, trees[0])
    return cast(ManyValues, made)
