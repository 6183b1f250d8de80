"""The functions that compiled formulas call on arrays: of NumPy, and of any library of the array API standard.

The last axis is the batch. The class variable with the number k has the axis −(k + 1), so that arrays over different
variables broadcast as they are; a sum over classes keeps its axis, with length 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, reduce, wraps
from typing import NamedTuple, TypeAlias

import numpy as np

from goodmeasure.language.compile import numbers
from goodmeasure.language.compile.numbers import CHECKED, ROUNDING
from goodmeasure.typing import AnyArray, Array, Namespace

ArrayFunction: TypeAlias = Callable[[AnyArray], AnyArray]


# Where the C library is glibc, it hands arrays of more than 128 KB back to the system one by one, and to get new pages
# takes longer than to compute with them. It stops doing so for all that are smaller than one that was freed.
np.empty(1 << 23, np.uint8)

ABSENT = np.float64("nan")  # stands for a value that does not count


class ValueList(NamedTuple):
    """Values along the first axis, and which of them count (None: all)."""

    values: AnyArray
    counts: AnyArray


def _also_on_numbers(of_arrays: Callable[..., AnyArray]) -> Callable[..., AnyArray]:
    """Return a function of an array that takes a plain number too: a constant, or what no matrix has a value for."""
    of_numbers = getattr(numbers, of_arrays.__name__, math.exp)

    @wraps(of_arrays)
    def of_both(self: ArrayFunctions, x: AnyArray, *args: float) -> AnyArray:
        return of_numbers(x, *args) if isinstance(x, (int, float)) else of_arrays(self, x, *args)

    return of_both


class ArrayFunctions:
    """The functions on arrays of one library, of one type and on one device.

    Another library than NumPy may trace a function to compile it (`steady`), so that no choice depends on values.
    """

    def __init__(self, xp: Namespace, dtype: object = None, device: object = None) -> None:
        self.xp, self.dtype, self.device = xp, dtype, device
        self.steady = bool(xp.__name__ != "numpy")
        self._tables: dict[int, AnyArray] = {}  # by the identity of constants, which compiled functions keep
        self.sum = xp.sum if self.steady else np.add.reduce
        self.same = self._same if self.steady else lru_cache(8)(self._same)

    def names(self) -> dict[str, object]:
        """Return what compiled source may name."""
        plain = numbers.floats() | {"isnan": math.isnan}
        words = (
            *("taken", "inverse", "pick", "over", "xlogy", "same", "over_sum", "over_product", "over_list", "least"),
            *("greatest", "mean", "places", "table", "diagonal", "placed", "broken"),
        )
        found = {word: getattr(self, word) for word in words}
        of_both = {word: self._of_both(plain[word], getattr(self, word)) for word in (*CHECKED[3:], "exp", "isnan")}
        return {**plain, **found, **of_both, "ABSENT": ABSENT}

    def _of_both(self, of_number: AnyArray, of_array: AnyArray) -> Callable[..., AnyArray]:
        return lambda x, *rest: (of_number if isinstance(x, (int, float)) else of_array)(x, *rest)

    def constant(self, value: object) -> AnyArray:
        """Return a constant of a formula: a float, or a table of NumPy with an axis for the batch."""
        known = numbers.constant(value)
        return np.array(known)[:, :, None] if isinstance(known, list) else known

    def table(self, known: Array) -> AnyArray:
        """Return a table of constants. (Where a function is traced, an array that was made before is out of place.)"""
        if not self.steady:
            return known
        found = self._tables.get(id(known))
        if found is None:
            found = self.xp.asarray(known, dtype=self.dtype, device=self.device)
            if _is_on_cuda(found):  # a copy from the host cannot be part of a CUDA graph
                self._tables[id(known)] = found
        return found

    # Choices

    def array(self, x: AnyArray) -> AnyArray:
        """Return a number as an array; an array as it is."""
        if not isinstance(x, (int, float)):
            return x
        if self.steady:  # made on the device, so that nothing is copied there
            return self.xp.full((), float(x), dtype=self.dtype, device=self.device)
        return self.xp.asarray(float(x), dtype=self.dtype, device=self.device)

    def where(self, test: AnyArray, x: AnyArray, y: AnyArray) -> AnyArray:
        return self.xp.where(test, self.array(x), self.array(y))

    def some(self, test: AnyArray) -> bool:
        """Return whether a condition holds anywhere; a traced array cannot tell, and then everything is computed."""
        return self.taken(test) >= 0

    def taken(self, test: AnyArray) -> int:
        """Return 1 if a condition holds everywhere, −1 if nowhere, and 0 else, or if nothing can tell yet."""
        if isinstance(test, bool):
            return 1 if test else -1
        if isinstance(test, np.ndarray):
            held = np.count_nonzero(test)  # quicker than any() and all()
            return (1 if held == test.size else 0) if held else -1
        if isinstance(test, np.bool_):
            return 1 if test else -1
        if _is_on_cuda(test) and _is_captured():
            return 0
        try:
            return (1 if self.xp.all(test) else 0) if self.xp.any(test) else -1
        except Exception:  # noqa: BLE001 - each library has its own error for a traced condition
            return 0

    def inverse(self, test: AnyArray) -> AnyArray:
        return not test if isinstance(test, bool) else ~test

    def pick(self, test: AnyArray, taken: int, x: AnyArray, y: AnyArray) -> AnyArray:
        """Return x where a condition holds and y elsewhere; only what is taken somewhere needs to be known.

        If one of them does not count, the result is a pair: the value, and where it counts.
        """
        if taken:
            return x if taken > 0 else y
        if x is ABSENT or y is ABSENT:
            return (y, ~test) if x is ABSENT else (x, test)
        return self.where(test, x, y)

    def isnan(self, x: AnyArray) -> AnyArray:
        return self.xp.isnan(x)

    def _same(self, m: int, i: int, j: int) -> AnyArray:
        """Return whether two classes are the same, on the axes of two variables."""
        return self.placed(self.xp.eye(m, dtype=self.xp.bool, device=self.device)[:, :, None], i, j)

    # Arithmetic

    def over(self, x: AnyArray, y: AnyArray) -> AnyArray:
        return math.nan if isinstance(y, (int, float)) and y == 0 else x / y

    def _mended(self, function: ArrayFunction, x: AnyArray, bad: AnyArray, u: AnyArray) -> AnyArray:
        if not self.some(bad):
            return function(x)
        return self.where(bad, u, function(x))

    @_also_on_numbers
    def sqrt(self, x: AnyArray, u: float) -> AnyArray:
        if not self.some(x < 0):
            return self.xp.sqrt(x)
        return self._mended(self.xp.sqrt, self.where((x < 0) & (x >= -ROUNDING), 0.0, x), x < -ROUNDING, u)

    @_also_on_numbers
    def log(self, x: AnyArray, u: float) -> AnyArray:
        return self._mended(self.xp.log, x, x <= 0, u)

    def xlogy(self, u: float, x: AnyArray, y: AnyArray, above: AnyArray = None) -> AnyArray:
        """Return x·log y, which is 0 at x = 0; `above` is y − 1 with the digits that y, being close to 1, has lost."""
        zero = x == 0
        found = self.log(self.where(zero, 1.0, y) if self.some(zero) else y, u)
        if above is not None:
            near = (y > 0.5) & (y < 2) & ~zero
            if self.some(near):
                found = self.where(near, self.xp.log1p(above), found)
        return x * found

    @_also_on_numbers
    def log1p(self, x: AnyArray, u: float) -> AnyArray:
        return self._mended(self.xp.log1p, x, x <= -1, u)

    @_also_on_numbers
    def exp(self, x: AnyArray) -> AnyArray:
        return self.xp.exp(x)

    @_also_on_numbers
    def arccos(self, x: AnyArray, u: float) -> AnyArray:
        return self._angle(self.xp.acos, x, u)

    @_also_on_numbers
    def arcsin(self, x: AnyArray, u: float) -> AnyArray:
        return self._angle(self.xp.asin, x, u)

    def _angle(self, function: ArrayFunction, x: AnyArray, u: float) -> AnyArray:
        if not self.some((x > 1) | (x < -1)):
            return function(x)
        inside = self.where(x > 1, 1.0, self.where(x < -1, -1.0, x))
        return self.where((x > 1 + ROUNDING) | (x < -1 - ROUNDING), u, function(inside))

    @_also_on_numbers
    def power(self, x: AnyArray, r: float, u: float) -> AnyArray:
        whole = r == int(r)
        bad = x == 0 if whole else x < 0 if r >= 0 else x <= 0
        return self._mended(lambda safe: safe ** float(r), x, bad, u)

    # Of several values

    def _values(self, values: Sequence[AnyArray]) -> ValueList:
        """Return some values as one array."""
        if isinstance(values[0], ValueList):
            return values[0]
        found, counts = zip(*map(_with_counts, values), strict=True)
        arrays = self.xp.broadcast_arrays(*map(self.array, found), *(self.xp.asarray(x) for x in counts))
        return ValueList(*(self.xp.stack(part) for part in (arrays[: len(values)], arrays[len(values) :])))

    def least(self, *args: AnyArray) -> AnyArray:
        return self._extreme("min", math.inf, args)

    def greatest(self, *args: AnyArray) -> AnyArray:
        return self._extreme("max", -math.inf, args)

    def _extreme(self, name: str, far: float, args: Sequence[AnyArray]) -> AnyArray:
        *values, u = args
        if not any(x is ABSENT or isinstance(x, tuple) for x in values):
            return reduce(getattr(self.xp, f"{name}imum"), map(self.array, values))
        x, counts = self._values(values)
        best = getattr(self.xp, name)
        if counts is None:
            return best(x, axis=0)
        return self.where(self.xp.any(counts, axis=0), best(self.where(counts, x, far), axis=0), u)

    def mean(self, p: float, *args: AnyArray) -> AnyArray:
        """Return the power mean for p other than 1, as `numbers.mean` does."""
        *values, u = args
        xp, (x, counts) = self.xp, self._values(values)
        if counts is None:
            counts = xp.ones_like(x, dtype=xp.bool)
        smallest = self.least(ValueList(x, counts), u)
        scale = self.greatest(ValueList(x, counts), u) if p > 0 else smallest
        number = xp.sum(xp.astype(counts, x.dtype), axis=0)

        def average(y: AnyArray) -> AnyArray:
            return xp.sum(self.where(counts, y, 0.0), axis=0) / number

        safe = self.where(x > 0, x, 1.0)
        if p == 0:
            value = xp.exp(average(xp.log(safe)))
        else:
            scale = self.where((scale > 0) & xp.isfinite(scale), scale, 1.0)
            bent = average(self.where(x > 0, xp.expm1(p * xp.log(safe / scale)), -1.0))
            nothing = bent <= -1  # every value is 0
            value = self.where(nothing, 0.0, scale * xp.exp(xp.log1p(self.where(nothing, 0.0, bent)) / p))
        if p <= 0:
            value = self.where(smallest == 0, 0.0, value)
        value = self.where((smallest < 0) | ~xp.any(counts, axis=0), u, value)
        return self.where(xp.isnan(smallest), math.nan, value)

    # Over classes

    def spread(self, x: AnyArray, m: int, k: int) -> AnyArray:
        """Return a value with the axis of class variable k, repeated if it is the same for each class."""
        x, xp = self.array(x), self.xp
        if x.ndim > k and x.shape[-(k + 1)] == m:
            return x
        shape = (1,) * (k + 1 - x.ndim) + tuple(x.shape)
        return xp.broadcast_to(xp.reshape(x, shape), (*shape[: -(k + 1)], m, *shape[len(shape) - k :]))

    def over_sum(self, x: AnyArray, m: int, k: int) -> AnyArray:
        return m * x if isinstance(x, (int, float)) else self.sum(self.spread(x, m, k), axis=-(k + 1), keepdims=True)

    def over_product(self, x: AnyArray, m: int, k: int) -> AnyArray:
        return self.xp.prod(self.spread(x, m, k), axis=-(k + 1), keepdims=True)

    def over_list(self, x: AnyArray, m: int, k: int) -> ValueList:
        """Return the values for all classes, which keep an axis of length 1."""

        def in_front(x: AnyArray) -> AnyArray:
            x = self.spread(x, m, k)
            order = list(range(x.ndim + 1))
            order[0], order[-(k + 1)] = order[-(k + 1)], 0
            return self.xp.permute_dims(self.xp.reshape(x, (1, *x.shape)), tuple(order))

        if x is not ABSENT and not isinstance(x, tuple):
            return ValueList(in_front(x), None)
        value, counts = _with_counts(x)
        return ValueList(*map(in_front, self.xp.broadcast_arrays(self.array(value), self.xp.asarray(counts))))

    # Axes

    def places(self, m: int) -> AnyArray:
        """Return the positions of the classes."""
        return self.xp.reshape(self.xp.arange(m, dtype=self.dtype, device=self.device), (m, 1))

    def diagonal(self, grid: AnyArray) -> AnyArray:
        m = grid.shape[0]
        return self.xp.reshape(grid, (m * m, *grid.shape[2:]))[:: m + 1, ...]

    def turned(self, grid: AnyArray) -> AnyArray:
        return self.xp.permute_dims(grid, (1, 0, *range(2, grid.ndim)))

    def placed(self, x: AnyArray, *variables: int) -> AnyArray:
        """Return an array whose leading axes are those of class variables, with these axes in their places."""
        xp, lead = self.xp, len(variables)
        inner = tuple(x.shape[lead:])
        size = max(len(inner), *(k + 1 for k in variables))
        inner = (1,) * (size - len(inner)) + inner
        at = [size - 1 - k for k in variables]  # where the axes belong; the inner ones have length 1 there
        rest = [k for k in range(size) if k not in at]
        order = [at.index(k) if k in at else lead + rest.index(k) for k in range(size)]
        return xp.permute_dims(xp.reshape(x, (*x.shape[:lead], *(inner[k] for k in rest))), tuple(order))

    def leading(self, x: AnyArray, m: int, i: int, j: int, *, alone: bool) -> AnyArray:
        """Return a value with the axes of two class variables in front; all others stay where they are.

        `alone` says that no other class variable is free, so that the others have length 1 and can go.
        """
        xp = self.xp
        x = self.spread(self.spread(x, m, i), m, j)
        size = x.ndim
        p, q = size - 1 - i, size - 1 - j
        others = [k for k in range(size) if k not in (p, q)]
        grid = xp.permute_dims(x, (p, q, *others))
        if alone:
            return xp.reshape(grid, (m, m, x.shape[-1]))
        shape = [1 if k in (p, q) else x.shape[k] for k in range(size)]
        return xp.reshape(grid, (m, m, *shape))

    def broken(self, sums: CountSums) -> AnyArray:
        """Return for which matrices a cell of a mapped matrix is undefined."""
        return sums.broken()


def _is_on_cuda(x: AnyArray) -> bool:
    """Return whether x is a tensor of PyTorch on a CUDA device, and no stand-in of its compiler."""
    kind = type(x)
    return kind.__name__ == "Tensor" and kind.__module__ == "torch" and bool(x.is_cuda)


_unseen: ContextVar[bool] = ContextVar("unseen", default=False)


@contextmanager
def values_unseen() -> Iterator[None]:
    """Compute in this context as in a CUDA graph, in which no value on a GPU can be looked at."""
    token = _unseen.set(True)
    try:
        yield
    finally:
        _unseen.reset(token)


def _is_captured() -> bool:
    """Return whether what PyTorch starts now becomes part of a CUDA graph, or shall be computed as if it did."""
    from torch.cuda import is_current_stream_capturing

    return _unseen.get() or bool(is_current_stream_capturing())


def _with_counts(x: AnyArray) -> AnyArray:
    """Return a value and whether it counts."""
    return x if isinstance(x, tuple) else (x, x is not ABSENT)


class CountSums(dict[str, AnyArray]):
    """The sums that matrices are read through, each when it is first needed, by the letters of `Sums`.

    Cells g have the shape (m, m, batch). `exact` says that they are integers below 2^53, so that sums are exact and may
    be subtracted.
    """

    def __init__(self, cells: AnyArray, functions: ArrayFunctions, *, exact: bool) -> None:
        self["g"] = cells
        self.m, self.functions, self.exact = int(cells.shape[0]), functions, exact

    def __missing__(self, name: str) -> AnyArray:
        found = self[name] = _SUMS_OF_CELLS[name](self, self.functions.sum)
        return found

    def keep(self) -> None:
        """Forget what is as large as the cells, so that the sums of many blocks can be kept for the next measure."""
        for name in ("g", "off", "R", "K", "E"):
            self.pop(name, None)

    def broken(self) -> AnyArray:
        """Return for which matrices a cell is undefined."""
        xp = self.functions.xp
        return xp.any(xp.isnan(self["g"]), axis=(0, 1))

    def mapped(self, value: AnyArray, i: int, j: int, *, alone: bool) -> CountSums:
        """Return the matrix whose cells are a value over two class variables."""
        return CountSums(self.functions.leading(value, self.m, i, j, alone=alone), self.functions, exact=False)

    def off_diagonal(self, cells: AnyArray) -> AnyArray:
        """Return cells with 0 on the diagonal."""
        functions, m = self.functions, self.m
        same = functions.xp.reshape(functions.same(m, 2, 1), (m, m, *(1,) * (cells.ndim - 2)))
        return functions.where(same, 0.0, cells)

    def others(self, cells: AnyArray, axis: int) -> AnyArray:
        """Return, for each cell, the sum of all others along an axis: of those before it and of those behind it."""
        xp = self.functions.xp
        if not self.functions.steady:
            return _others(cells, axis)
        if axis == 1:
            return self.functions.turned(self.others(self.functions.turned(cells), 0))
        none = xp.zeros_like(cells[:1, ...])
        before = xp.concat([none, xp.cumulative_sum(cells[:-1, ...], axis=0)])
        behind = xp.flip(xp.cumulative_sum(xp.flip(cells[1:, ...], axis=0), axis=0), axis=0)
        return before + xp.concat([behind, none])

    def elsewhere(self) -> AnyArray:
        """Return, for each class, the sum of the cells outside of its row and its column, without subtracting.

        With many classes, n − a − b + d seldom cancels, so it is computed first and used if it is large for every class
        of every matrix.
        """
        if self.m >= _MANY and not self.functions.steady:
            rest = self["n"] - self["a"] - self["b"] + self["d"]
            if bool((rest > _NEARLY_NOTHING * self["n"]).all()):
                return rest
        if self.m == 1:
            return self.functions.xp.zeros_like(self["d"])
        return self.functions.xp.sum(self.off_diagonal(self.others(self["g"], 1)), axis=0)


def _others(cells: Array, axis: int) -> Array:
    """Return the same for an array of NumPy, with few arrays of its size."""
    found = np.empty(cells.shape)
    x, y = (cells, found) if axis == 0 else (np.swapaxes(z, 0, 1) for z in (cells, found))
    total = np.zeros(x.shape[1:])
    for k in range(len(x)):
        y[k] = total
        total += x[k]
    total[...] = 0.0
    for k in range(len(x) - 1, -1, -1):
        y[k] += total
        total += x[k]
    return found


_MANY = 16  # with this many classes, the row and the column of one class seldom hold nearly all items
_NEARLY_NOTHING = 0.01  # the share of all items above which a difference keeps its digits

_SUMS_OF_CELLS: dict[str, Callable[[CountSums, Callable[..., AnyArray]], AnyArray]] = {
    "d": lambda c, add: c.functions.diagonal(c["g"]),
    "a": lambda c, add: add(c["g"], axis=1),
    "b": lambda c, add: add(c["g"], axis=0),
    "off": lambda c, add: c.off_diagonal(c["g"]),
    "r": lambda c, add: add(c["off"], axis=1),
    "k": lambda c, add: add(c["off"], axis=0),
    "e": lambda c, add: c.elsewhere(),
    "R": lambda c, add: c.others(c["g"], 1),
    "K": lambda c, add: c.others(c["g"], 0),
    "E": lambda c, add: c.others(c["R"], 0),
    "h": lambda c, add: add(c["d"], axis=0),
    "o": lambda c, add: add(c["r"], axis=0),
    # for real counts, diagonal first: then n equals a_i to the last bit if only row i has items
    "n": lambda c, add: add(c["a"], axis=0) if c.exact else c["h"] + c["o"],
}
