"""Derivatives by all cells, compiled with the value into one function: on arrays, of listed cells, and exactly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from goodmeasure.language.compile.array_functions import ArrayFunctions, CountSums
from goodmeasure.language.compile.arrays import NUMPY, ArraySource, array_function, as_batch, value_on_cells
from goodmeasure.language.compile.compiled import undefined_value, written_out
from goodmeasure.language.compile.numbers import RowsOf
from goodmeasure.language.compile.sparse import ListedCells, at_listed, on_listed, same_class
from goodmeasure.language.derive import CellSlopes, Gradient, met, parted, renumbered, slope, smooth, ties
from goodmeasure.language.policy import Policy
from goodmeasure.language.rewrite.core import Entry, MappedGrid, add
from goodmeasure.language.rewrite.lower import check_tables
from goodmeasure.language.tree import TRUE, ZERO, ClassVariable, Tree
from goodmeasure.typing import AnyArray, Array

if TYPE_CHECKING:
    from goodmeasure.language.compile.exact_numbers import ExactOperand


class ListedSlopes(NamedTuple):
    """The derivatives at a batch of matrices: along the diagonal, and in all other cells.

    That in the cell (i, j) is `row[i]` + `column[j]`, since most measures depend on a cell through sums alone, plus
    `cells` where the measure reads single cells. Arrays are of shape (m, batch), and (cells, batch).
    """

    on: Array
    row: Array
    column: Array
    cells: Array | None = None


def _derived(tree: Tree, m: int | None, policy: Policy) -> tuple[Tree, CellSlopes]:
    """Return a value and its derivatives: by each cell if classes are written out, else in parts."""
    root = smooth(tree, m, resolves=policy.resolves)
    gradient = Gradient(root)
    if m is None:
        return root, gradient.parts or {(0, 0): ZERO}
    return root, {(i, j): gradient.by_entry.get(Entry(i, j), ZERO) for i in range(m) for j in range(m)}


def _added(parts: dict[tuple[int, int], AnyArray], m: int, size: int, functions: ArrayFunctions) -> list[AnyArray]:
    """Return what depends on the row, on the column, and on the class of a cell of the diagonal alone."""
    xp = functions.xp
    sums = [xp.zeros((m, size), dtype=functions.dtype, device=functions.device)] * 3
    for (i, j), x in parts.items():
        k = 2 if i and i == j else 1 if j else 0
        if k == 2 or not i or not j:
            whole = functions.spread(x, m, i or j or 1)
            sums[k] = sums[k] + xp.reshape(whole, (m, whole.shape[-1]))
    return sums


def on_cells(
    tree: Tree, cells: AnyArray, policy: Policy, functions: ArrayFunctions = NUMPY, *, whole: bool, valued: bool
) -> tuple[AnyArray, AnyArray]:
    """Return the derivatives of a formula on counts of shape (m, m, batch), in the same shape, after its values.

    These are None unless they are asked for.
    """
    m, _, size = cells.shape
    xp, written = functions.xp, written_out(tree, m)
    key = ("slopes", written, policy.resolves, whole, valued, functions)
    if key not in tree.memo:
        root, slopes = _derived(tree, written, policy)
        code = ArraySource([*slopes.values(), *([root] if valued else [])], written, whole=whole)
        tree.memo[key] = array_function(code, tree, functions), list(slopes)
    f, places = cast("tuple[AnyArray, list[tuple[int, int]]]", tree.memo[key])
    given = [list(row) for row in cells] if written else CountSums(cells, functions, exact=whole)
    found = f(given, undefined_value(policy))
    value = as_batch(found[-1], size, functions) if valued else None
    found = found[: len(places)]
    if written:
        return value, xp.reshape(xp.stack([as_batch(x, size, functions) for x in found]), cells.shape)
    parts = dict(zip(places, found, strict=True))
    row, column, on = _added(parts, m, size, functions)
    diagonal = xp.eye(m, dtype=xp.bool, device=functions.device)[:, :, None]
    total = row[:, None, :] + column[None, :, :] + functions.where(diagonal, on[:, None, :], 0.0)
    for (i, j), x in parts.items():
        if i and j and i != j:
            total = total + functions.leading(functions.array(x), m, i, j, alone=True)
    return value, total


def with_gradient(tree: Tree, cells: AnyArray, policy: Policy, functions: ArrayFunctions) -> AnyArray:
    """Return the values of a formula on counts of shape (m, m, batch), of a library that may differentiate them.

    It takes the derivatives from here. They are finite everywhere: one that is infinite or undefined counts as 0.
    """
    xp = functions.xp

    def value(x: AnyArray) -> AnyArray:
        return as_batch(value_on_cells(tree, x, policy, functions, whole=False), x.shape[-1], functions)

    def both(x: AnyArray) -> tuple[AnyArray, AnyArray]:
        values, slopes = on_cells(tree, x, policy, functions, whole=False, valued=True)
        return values, functions.where(xp.isfinite(slopes), slopes, 0.0)

    def along(at: tuple[AnyArray], steps: tuple[AnyArray]) -> tuple[AnyArray, AnyArray]:
        values, slopes = both(*at)
        return values, xp.sum(slopes * steps[0], axis=(0, 1))

    if getattr(cells, "requires_grad", False):
        return _known_to_torch()(cells, both, along)[0]
    if xp.__name__ != "jax.numpy":
        return value(cells)
    from jax import custom_jvp

    known = custom_jvp(value)
    known.defjvp(along)
    return known(cells)


@lru_cache(None)
def _known_to_torch() -> Callable[..., tuple[AnyArray, AnyArray]]:
    """Return a function that PyTorch differentiates by slopes of ours, which it differentiates once more itself."""
    from torch import is_grad_enabled
    from torch.autograd import Function

    class Known(Function):
        generate_vmap_rule = True

        @staticmethod
        def forward(cells: AnyArray, both: Callable[[AnyArray], AnyArray], _along: object) -> AnyArray:
            return both(cells)

        @staticmethod
        def setup_context(ctx: AnyArray, inputs: AnyArray, output: AnyArray) -> None:
            cells, ctx.both, ctx.along = inputs
            ctx.save_for_backward(cells, output[1])
            ctx.save_for_forward(cells)
            ctx.mark_non_differentiable(output[1])

        @staticmethod
        def backward(ctx: AnyArray, g: AnyArray, _: object) -> AnyArray:
            cells, slopes = ctx.saved_tensors
            return g * (ctx.both(cells)[1] if is_grad_enabled() else slopes), None, None

        @staticmethod
        def jvp(ctx: AnyArray, step: AnyArray, *_: object) -> AnyArray:
            return ctx.along(ctx.saved_tensors[:1], (step,))[1], None

    return Known.apply


def on_listed_cells(tree: Tree, cells: ListedCells, policy: Policy) -> ListedSlopes:
    """Return the derivatives of a formula by listed cells; raise `NeedsEveryCell` if it reads empty cells too."""
    key = ("listed slopes", policy.resolves, cells.exact)
    places = cast("dict[tuple[int, int], None]", tree.memo.setdefault((*key, "places"), {}))

    def roots() -> list[Tree]:
        _, slopes = _derived(tree, None, policy)
        for (i, j), x in tuple(slopes.items()):
            if i and j and i != j:  # it reads single cells, which are listed, or on the diagonal
                slopes[i, i] = add(slopes.get((i, i), ZERO), same_class(x, i, j, TRUE))
                slopes[i, j] = at_listed(x, i, j)
        places.update(dict.fromkeys(slopes))
        return [*slopes.values()]

    with np.errstate(all="ignore"):
        found = on_listed(tree, key, roots, cells, policy)
    parts = dict(zip(places, found, strict=True))
    row, column, on = _added(parts, cells.m, cells["d"].shape[1], NUMPY)
    single = [cells.listed(x, max(i, j)) for (i, j), x in parts.items() if i and j and i != j]
    return ListedSlopes(on + row + column, row, column, sum(single) if single else None)


def exact_slopes(tree: Tree, rows: RowsOf[int | Fraction], policy: Policy) -> list[ExactOperand]:
    """Return the exact derivatives of a formula at one matrix, row by row."""
    from goodmeasure.language.compile.exact_numbers import exactly

    def roots() -> Tree:
        root = smooth(tree, None, resolves=policy.resolves)
        return _grid(root, lambda s, t: slope(root, s, t))

    return _cells(exactly(tree, "slopes", roots, None, policy)(rows))


def kinks(tree: Tree, rows: RowsOf[int | Fraction], policy: Policy) -> tuple[ExactOperand, Array]:
    """Return the exact value of a formula at one matrix, and whether it has no derivative by each cell, row by row."""
    from goodmeasure.language.compile.exact_numbers import exactly

    check_tables(tree, len(rows))
    key = "met", policy.resolves
    if key not in tree.memo:
        root = smooth(tree, None, resolves=policy.resolves)
        tree.memo[key] = root, list(ties(root))
    root, known = cast("tuple[Tree, list[tuple[Tree, Tree]]]", tree.memo[key])
    roots = lambda: [root, *(renumbered(met(reached)) for _, reached in known)]  # noqa: E731
    value, *found = cast("list[ExactOperand]", exactly(tree, "ties", roots, None, policy)(rows))
    bent = np.zeros(len(rows) ** 2, bool)
    for k, (x, reached) in enumerate(known):
        if found[k]:  # few ties are met, so few are compiled
            by_cell = lambda: _grid(reached, lambda s, t: met(reached, parted(x, s, t)))  # noqa: B023, E731
            bent |= np.array(_cells(exactly(tree, ("tie", k), by_cell, None, policy)(rows)), bool)
    return value, bent


def _grid(x: Tree, of: Callable[[Tree, Tree], Tree]) -> Tree:
    """Return the matrix of a value of each row and column."""
    s, t = (ClassVariable(max(x.height, *x.free, 0) + k) for k in (3, 2))
    return renumbered(MappedGrid(s.number, t.number, of(s, t)))


def _cells(grid: object) -> list[ExactOperand]:
    return [x for row in cast("list[list[ExactOperand]]", grid) for x in row]
