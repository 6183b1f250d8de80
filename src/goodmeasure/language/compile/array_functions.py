"""The functions that compiled formulas call on arrays: of NumPy, and of any library of the array API standard.

The last axis is the batch. The class variable with the number k has the axis −(k + 1), so that arrays over different
variables broadcast as they are; a sum over classes keeps its axis, with length 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from operator import and_
from typing import TypeAlias

import numpy as np

from goodmeasure.language.compile import numbers
from goodmeasure.language.compile.numbers import ROUNDING
from goodmeasure.typing import AnyArray, Array, Namespace

ArrayFunction: TypeAlias = Callable[[AnyArray], AnyArray]


class ArrayFunctions:
    """The functions on arrays of one library, of one type and on one device.

    Another library than NumPy may trace a function to compile it (`steady`), so that no choice depends on values.
    """

    def __init__(self, xp: Namespace, dtype: object = None, device: object = None) -> None:
        self.xp, self.dtype, self.device = xp, dtype, device
        self.steady = bool(xp.__name__ != "numpy")
        self.offs = self._offs if self.steady else lru_cache(4)(self._offs)

    def names(self) -> dict[str, object]:
        """Return what compiled source may name."""
        words = (
            *("where", "some", "every", "inverse", "over", "total", "total_off", "fold", "items", "spread", "pick"),
            *("sqrt", "log", "log1p", "arccos", "arcsin", "power", "xlogy", "exp", "least", "greatest", "isnan"),
            *("places", "table", "diagonal", "turned", "placed", "broken"),
        )
        found: dict[str, object] = {word: getattr(self, word) for word in words}
        if not self.steady:
            found |= {"where": np.where, "isnan": np.isnan, "total": partial(np.add.reduce, keepdims=True)}
        return {**found, "nan": math.nan, "pi": math.pi, "abs": abs, "inf": math.inf}

    def constant(self, value: object) -> AnyArray:
        """Return a constant of a formula: a float, or a table of NumPy with an axis for the batch."""
        known = numbers.constant(value)
        return np.array(known)[:, :, None] if isinstance(known, list) else known

    def table(self, known: Array) -> AnyArray:
        """Return a table of constants. (Where a function is traced, an array that was made before is out of place.)"""
        return self.xp.asarray(known, dtype=self.dtype, device=self.device) if self.steady else known

    # Choices

    def array(self, x: AnyArray) -> AnyArray:
        """Return a number as an array; an array as it is."""
        plain = isinstance(x, (int, float))
        return self.xp.asarray(float(x), dtype=self.dtype, device=self.device) if plain else x

    def where(self, test: AnyArray, x: AnyArray, y: AnyArray) -> AnyArray:
        if isinstance(test, bool):
            return x if test else y
        return self.xp.where(test, self.array(x), self.array(y))

    def some(self, test: AnyArray) -> bool:
        """Return whether a condition holds anywhere; a traced array cannot tell, and then everything is computed."""
        if isinstance(test, bool):
            return test
        if isinstance(test, (np.ndarray, np.bool_)):
            return bool(test.any())
        try:
            return bool(self.xp.any(test))
        except Exception:  # noqa: BLE001 - each library has its own error for a traced condition
            return True

    def every(self, test: AnyArray) -> bool:
        """Return whether a condition is known to hold everywhere."""
        if isinstance(test, bool):
            return test
        if isinstance(test, (np.ndarray, np.bool_)):
            return bool(test.all())
        try:
            return bool(self.xp.all(test))
        except Exception:  # noqa: BLE001 - as above
            return False

    def inverse(self, test: AnyArray) -> AnyArray:
        return not test if isinstance(test, bool) else ~test

    def pick(self, test: AnyArray, some: bool, every: bool, x: AnyArray, y: AnyArray) -> AnyArray:
        """Return x where a condition holds and y elsewhere; only what is taken somewhere needs to be known."""
        return x if every else self.where(test, x, y) if some else y

    def isnan(self, x: AnyArray) -> AnyArray:
        return x != x if isinstance(x, (int, float)) else self.xp.isnan(x)

    # Arithmetic

    def over(self, x: AnyArray, y: AnyArray, rule: AnyArray) -> AnyArray:
        """Return x/y, and what the rule says where y = 0."""
        zero = y == 0
        if not self.some(zero):
            return x / y
        return self.where(zero, rule, x / self.where(zero, 1.0, y))

    def _mended(self, function: ArrayFunction, x: AnyArray, bad: AnyArray, u: AnyArray) -> AnyArray:
        if not self.some(bad):
            return function(x)
        return self.where(bad, u, function(self.where(bad, 1.0, x)))

    def sqrt(self, x: AnyArray, u: float) -> AnyArray:
        if isinstance(x, (int, float)):
            return numbers.sqrt(x, u)
        if not self.some(x < 0):
            return self.xp.sqrt(x)
        return self.where(x < -ROUNDING, u, self.xp.sqrt(self.where(x < 0, 0.0, x)))

    def log(self, x: AnyArray, u: float) -> AnyArray:
        return numbers.log(x, u) if isinstance(x, (int, float)) else self._mended(self.xp.log, x, x <= 0, u)

    def log1p(self, x: AnyArray, u: float) -> AnyArray:
        return numbers.log1p(x, u) if isinstance(x, (int, float)) else self._mended(self.xp.log1p, x, x <= -1, u)

    def exp(self, x: AnyArray) -> AnyArray:
        return math.exp(x) if isinstance(x, (int, float)) else self.xp.exp(x)

    def arccos(self, x: AnyArray, u: float) -> AnyArray:
        return numbers.arccos(x, u) if isinstance(x, (int, float)) else self._angle(self.xp.acos, x, u)

    def arcsin(self, x: AnyArray, u: float) -> AnyArray:
        return numbers.arcsin(x, u) if isinstance(x, (int, float)) else self._angle(self.xp.asin, x, u)

    def _angle(self, function: ArrayFunction, x: AnyArray, u: float) -> AnyArray:
        if not self.some((x > 1) | (x < -1)):
            return function(x)
        inside = self.where(x > 1, 1.0, self.where(x < -1, -1.0, x))
        return self.where((x > 1 + ROUNDING) | (x < -1 - ROUNDING), u, function(inside))

    def power(self, x: AnyArray, r: float, u: float) -> AnyArray:
        if isinstance(x, (int, float)):
            return numbers.power(x, r, u)
        whole = r == int(r)
        if whole and r >= 0:
            return x**r
        bad = x == 0 if whole else x < 0 if r >= 0 else x <= 0
        return self._mended(lambda safe: safe ** float(r), x, bad, u)

    def xlogy(self, x: AnyArray, y: AnyArray, above: AnyArray, u: float) -> AnyArray:
        """Return x·log y, which is 0 at x = 0; `above` is y − 1 with the digits that y, being close to 1, has lost."""
        some = x != 0
        every = self.every(some)
        found = self.log(y if every else self.where(some, y, 1.0), u)
        if above is not None:
            near = (y > 0.5) & (y < 2)
            if not every:
                near = near & some
            if self.some(near):
                found = self.where(near, self.xp.log1p(self.where(near, above, 0.0)), found)
        return x * found

    def least(self, *values: AnyArray) -> AnyArray:
        return self._extreme("minimum", values)

    def greatest(self, *values: AnyArray) -> AnyArray:
        return self._extreme("maximum", values)

    def _extreme(self, name: str, values: Sequence[AnyArray]) -> AnyArray:
        best, *others = values
        for x in others:
            best = getattr(self.xp, name)(self.array(best), self.array(x))
        return best

    # Over classes

    def spread(self, x: AnyArray, m: int, k: int) -> AnyArray:
        """Return a value with the axis of class variable k, repeated if it is the same for each class."""
        x, xp = self.array(x), self.xp
        if x.ndim > k and x.shape[-(k + 1)] == m:
            return x
        shape = (1,) * (k + 1 - x.ndim) + tuple(x.shape)
        return xp.broadcast_to(xp.reshape(x, shape), (*shape[: -(k + 1)], m, *shape[len(shape) - k :]))

    def total(self, x: AnyArray, axis: int) -> AnyArray:
        return self.xp.sum(x, axis=axis, keepdims=True)

    def _offs(self, m: int, i: int, j: int) -> AnyArray:
        """Return which of all pairs of classes are different, on the axes of two variables."""
        xp = self.xp
        same = xp.eye(m, dtype=xp.bool, device=self.device)
        return xp.reshape(~same, (m, *(1,) * (j - i - 1), m, *(1,) * i))

    def total_off(self, x: AnyArray, test: AnyArray, m: int, i: int, j: int) -> AnyArray:
        """Return the sum over all pairs of different classes."""
        off = self.offs(m, i, j)
        return self.xp.sum(
            self.where(off if test is None else off & test, x, 0.0), axis=(-(j + 1), -(i + 1)), keepdims=True
        )

    def fold(self, op: str, x: AnyArray, test: AnyArray, weight: AnyArray, p: float, axis: int, u: float) -> AnyArray:
        """Return a product, an extreme or a mean over the classes for which a condition holds."""
        if test is not None:
            if self.every(test):
                test = None
            elif isinstance(test, bool):
                return self.array(1.0 if op == "product" else u)
            else:
                x, test = self.xp.broadcast_arrays(x, test)
        if op == "product":
            return self.xp.prod(x if test is None else self.where(test, x, 1.0), axis=axis, keepdims=True)
        if op in ("least", "greatest"):
            return self._end(op, x, test, axis, u)
        if weight is not None:
            w = weight if test is None else self.where(test, weight, 0.0)
            products = w * (x if test is None else self.where(test, x, 0.0))
            return self.over(self.total(products, axis), self.total(w, axis), u)
        return self._average(x, test, axis, u) if p == 1 else self._power_mean(x, test, float(p), axis, u)

    def _count(self, x: AnyArray, test: AnyArray, axis: int) -> AnyArray:
        return self.total(self.xp.astype(test, x.dtype), axis)

    def _average(self, x: AnyArray, test: AnyArray, axis: int, u: float) -> AnyArray:
        if test is None:
            return self.total(x, axis) / x.shape[axis]
        return self.over(self.total(self.where(test, x, 0.0), axis), self._count(x, test, axis), u)

    def _end(self, op: str, x: AnyArray, test: AnyArray, axis: int, u: float) -> AnyArray:
        end, far = (self.xp.min, math.inf) if op == "least" else (self.xp.max, -math.inf)
        if test is None:
            return end(x, axis=axis, keepdims=True)
        found, none = end(self.where(test, x, far), axis=axis, keepdims=True), ~self._any(test, axis)
        return self.where(none, u, found) if self.some(none) else found

    def _any(self, test: AnyArray, axis: int) -> AnyArray:
        return self.xp.any(test, axis=axis, keepdims=True)

    def _power_mean(self, x: AnyArray, test: AnyArray, p: float, axis: int, u: float) -> AnyArray:
        """Return the power mean for p other than 1, as `numbers.mean` does.

        It is NaN if a term is NaN, 0 if one is 0 and p ≤ 0, and undefined if one is negative.
        """
        xp, kept = self.xp, _all if test is None else partial(and_, test)
        positive, zero, spoilt = x > 0, kept(x == 0), self._any(kept(xp.isnan(x)), axis)
        safe = self.where(positive, x, 1.0)
        if p == 0:
            value = xp.exp(self._average(xp.log(safe), test, axis, 0.0))
        else:
            far = -math.inf if p > 0 else math.inf
            among = self.where(kept(positive), x, far)
            scale = (xp.max if p > 0 else xp.min)(among, axis=axis, keepdims=True)
            scale = self.where(xp.isfinite(scale), scale, 1.0)
            bent = xp.expm1(p * xp.log(safe / scale))
            if p > 0:
                bent = self.where(zero, -1.0, bent)
            bent = self._average(bent, test, axis, 0.0)
            nothing = bent <= -1  # every value is 0
            value = self.where(nothing, 0.0, scale * xp.exp(xp.log1p(self.where(nothing, 0.0, bent)) / p))
        if p <= 0 and self.some(zero):
            value = self.where(self._any(zero, axis), 0.0, value)
        bad = self._any(kept(x < 0), axis)
        if test is not None:
            bad = bad | ~self._any(test, axis)
        if self.some(bad):
            value = self.where(bad, u, value)
        return self.where(spoilt, math.nan, value) if self.some(spoilt) else value

    def items(
        self,
        op: str,
        terms: Sequence[AnyArray],
        tests: Sequence[AnyArray],
        weights: Sequence[AnyArray] | None,
        p: float,
        u: float,
    ) -> AnyArray:
        """Return an operation over terms that are written out, of which those count whose condition holds."""
        known = [test if isinstance(test, bool) else self.every(test) or test for test in tests]
        if op != "sum" and (op != "mean" or p != 1):
            return self._stacked(op, terms, known, p, u)
        total: AnyArray = 0
        number: AnyArray = 0
        for k, (x, test) in enumerate(zip(terms, known, strict=True)):
            w = 1.0 if weights is None else weights[k]
            x = x if test is True else self.where(test, x, 0.0)
            total = total + (x if weights is None else w * x)
            number = number + (w if test is True else self.where(test, w, 0.0))
        return total if op == "sum" else self.over(total, number, u)

    def _stacked(self, op: str, terms: Sequence[AnyArray], tests: Sequence[AnyArray], p: float, u: float) -> AnyArray:
        xp, always = self.xp, all(test is True for test in tests)
        masks = [xp.asarray(test, device=self.device) if isinstance(test, bool) else test for test in tests]
        arrays = xp.broadcast_arrays(*map(self.array, terms), *([] if always else masks))
        x, test = xp.stack(arrays[: len(terms)]), None if always else xp.stack(arrays[len(terms) :])
        return self.fold(op, x, test, None, p, 0, u)[0, ...]

    # Axes

    def places(self, m: int) -> AnyArray:
        """Return the positions of the classes."""
        return self.xp.asarray([[float(k)] for k in range(m)], dtype=self.dtype, device=self.device)

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


def _all(mask: AnyArray) -> AnyArray:
    return mask


class CountSums(dict[str, AnyArray]):
    """The sums that matrices are read through, each when it is first needed, by the letters of `PythonSource`.

    Cells g have the shape (m, m, batch). `exact` says that they are integers below 2^53, so that sums are exact and may
    be subtracted.
    """

    def __init__(self, cells: AnyArray, functions: ArrayFunctions, *, exact: bool) -> None:
        self["g"] = cells
        self.m, self.functions, self.exact = int(cells.shape[0]), functions, exact

    def __missing__(self, name: str) -> AnyArray:
        found = self[name] = _SUMS_OF_CELLS[name](self, self.functions.xp)
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
        off = functions.xp.reshape(functions.offs(m, 1, 2), (m, m, *(1,) * (cells.ndim - 2)))
        return functions.where(off, cells, 0.0)

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

_SUMS_OF_CELLS: dict[str, Callable[[CountSums, Namespace], AnyArray]] = {
    "d": lambda c, xp: c.functions.diagonal(c["g"]),
    "a": lambda c, xp: xp.sum(c["g"], axis=1),
    "b": lambda c, xp: xp.sum(c["g"], axis=0),
    "off": lambda c, xp: c.off_diagonal(c["g"]),
    "r": lambda c, xp: xp.sum(c["off"], axis=1),
    "k": lambda c, xp: xp.sum(c["off"], axis=0),
    "e": lambda c, xp: c.elsewhere(),
    "R": lambda c, xp: c.others(c["g"], 1),
    "K": lambda c, xp: c.others(c["g"], 0),
    "E": lambda c, xp: c.others(c["R"], 0),
    "h": lambda c, xp: xp.sum(c["d"], axis=0),
    "o": lambda c, xp: xp.sum(c["r"], axis=0),
    # for real counts, diagonal first: then n equals a_i to the last bit if only row i has items
    "n": lambda c, xp: xp.sum(c["a"], axis=0) if c.exact else c["h"] + c["o"],
}
