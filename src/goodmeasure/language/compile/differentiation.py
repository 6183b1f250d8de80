"""An array namespace on NumPy that records its operations, so that any formula can be differentiated.

A compiled formula that is given `TracedArray` cells calls this module where it would call NumPy. The values are the
same, and `slopes` then walks the recorded operations backwards (reverse-mode differentiation). Matrices of a batch do
not mix, so one walk gives the derivative of every value with respect to the cells of its own matrix. At a kink (a
minimum, a rule for 0/0) the result is a one-sided derivative.
"""

from __future__ import annotations

from builtins import any as some
from collections.abc import Callable, Sequence
from itertools import count

import numpy as np

from goodmeasure.language.compile import sparse
from goodmeasure.typing import AnyArray, Array

Backward = Callable[[Array], Array]
SlopeFunction = Callable[[Array, Array, Array], Array]  # from what reached the result of an operator, and both operands

Axes = int | tuple[int, ...]

_ORDER = count()


def __getattr__(name: str) -> object:
    """Return NumPy's function for everything that does not depend on the cells."""
    return getattr(np, name)


class TracedArray:
    """An array together with the operations it came from."""

    __slots__ = ("order", "sources", "value")
    __array_ufunc__ = None  # makes NumPy arrays defer to the reflected operators below
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Array, sources: Sequence[tuple[TracedArray, Backward]] = ()) -> None:
        self.value = value
        self.sources = sources
        self.order = next(_ORDER)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.value.shape)

    @property
    def ndim(self) -> int:
        return self.value.ndim

    @property
    def dtype(self) -> AnyArray:
        return self.value.dtype

    def __len__(self) -> int:
        return len(self.value)

    def copy(self) -> TracedArray:
        return self

    def __getitem__(self, key: AnyArray) -> TracedArray:
        def back(slope: Array) -> Array:
            whole = np.zeros(self.shape)
            if isinstance(key, np.ndarray):  # an index may occur several times, and its slopes add up
                np.add.at(whole, key, slope)
            else:
                whole[key] = slope
            return whole

        return TracedArray(self.value[key], [(self, back)])

    def __add__(self, other: object) -> AnyArray:
        return _operated(np.add, self, other, lambda g, x, y: g, lambda g, x, y: g)

    def __sub__(self, other: object) -> AnyArray:
        return _operated(np.subtract, self, other, lambda g, x, y: g, lambda g, x, y: -g)

    def __rsub__(self, other: object) -> AnyArray:
        return (-self) + other

    def __mul__(self, other: object) -> AnyArray:
        return _operated(np.multiply, self, other, lambda g, x, y: g * y, lambda g, x, y: g * x)

    def __truediv__(self, other: object) -> AnyArray:
        return _operated(np.divide, self, other, lambda g, x, y: g / y, lambda g, x, y: -g * x / (y * y))

    def __rtruediv__(self, other: object) -> AnyArray:
        return TracedArray(np.asarray(other)) / self

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> TracedArray:
        return TracedArray(-self.value, [(self, lambda g: -g)])

    def __abs__(self) -> TracedArray:
        return TracedArray(np.abs(self.value), [(self, lambda g: g * np.sign(self.value))])

    def __pow__(self, exponent: AnyArray) -> TracedArray:
        def back(slope: Array) -> Array:
            at_zero = (self.value == 0) & (exponent < 1)  # the derivative is infinite there: take 0
            safe = np.where(at_zero, 1.0, self.value)
            return np.where(at_zero, 0.0, slope * exponent * safe ** (exponent - 1))

        return TracedArray(self.value**exponent, [(self, back)])

    # Comparisons have no derivative, so they give plain arrays

    def __eq__(self, other: object) -> AnyArray:
        return self.value == _value(other)

    def __ne__(self, other: object) -> AnyArray:
        return self.value != _value(other)

    def __lt__(self, other: object) -> AnyArray:
        return self.value < _value(other)

    def __le__(self, other: object) -> AnyArray:
        return self.value <= _value(other)

    def __gt__(self, other: object) -> AnyArray:
        return self.value > _value(other)

    def __ge__(self, other: object) -> AnyArray:
        return self.value >= _value(other)


def slopes(value: object, leaves: Sequence[TracedArray]) -> list[Array]:
    """Return the derivative of the sum of `value` with respect to each leaf, 0 where it does not depend on it."""
    found: dict[int, Array] = {}
    if isinstance(value, TracedArray):
        found[value.order] = np.ones(value.shape)
        for node in _before(value):
            if node.order not in found or not node.sources:
                continue
            slope = found.pop(node.order)  # what has been passed on is not needed again, and its memory is reused
            for source, back in node.sources:
                more = _fitted(back(slope), source.shape)
                known = found.get(source.order)
                found[source.order] = more if known is None else known + more
    return [found[x.order] if x.order in found else np.zeros(x.shape) for x in leaves]


def _before(value: TracedArray) -> list[TracedArray]:
    """Return a value and everything it was computed from, latest first.

    Every operation is numbered when it is made, after its operands, so this order visits a node after all its uses.
    """
    seen, open_ = {value.order: value}, [value]
    while open_:
        for source, _ in open_.pop().sources:
            if source.order not in seen:
                seen[source.order] = source
                open_.append(source)
    return [seen[k] for k in sorted(seen, reverse=True)]


def _fitted(slope: Array, shape: tuple[int, ...]) -> Array:
    """Return the slope of an operand that was broadcast: summed over the axes along which it was repeated."""
    if slope.shape == shape:
        return slope
    if slope.ndim > len(shape):
        slope = slope.sum(axis=tuple(range(slope.ndim - len(shape))))
    repeated = tuple(k for k, size in enumerate(shape) if size == 1 and slope.shape[k] != 1)
    slope = slope.sum(axis=repeated, keepdims=True) if repeated else slope
    return slope if slope.shape == shape else np.broadcast_to(slope, shape)


def _value(x: AnyArray) -> Array:
    return x.value if isinstance(x, TracedArray) else x


def _operated(
    function: Callable[[Array, Array], Array],
    x: AnyArray,
    y: AnyArray,
    of_first: SlopeFunction,
    of_second: SlopeFunction,
) -> AnyArray:
    """Return the result of a binary operator with its two derivatives."""
    first, second = _value(x), _value(y)
    sources: list[tuple[TracedArray, Backward]] = []
    if isinstance(x, TracedArray):
        sources.append((x, lambda g: of_first(g, first, second)))
    if isinstance(y, TracedArray):
        sources.append((y, lambda g: of_second(g, first, second)))
    return TracedArray(function(first, second), sources)


def _elementwise(
    function: Callable[[Array], Array], slope: Callable[[Array, Array], Array]
) -> Callable[[AnyArray], AnyArray]:
    """Return a function of one array with its derivative; `slope` gets the argument and the value."""

    def applied(x: AnyArray) -> AnyArray:
        if not isinstance(x, TracedArray):
            return function(x)
        value = function(x.value)
        return TracedArray(value, [(x, lambda g: g * slope(x.value, value))])

    return applied


sqrt = _elementwise(np.sqrt, lambda x, root: 0.5 / np.where(root == 0, np.inf, root))
log = _elementwise(np.log, lambda x, _: 1.0 / x)
exp = _elementwise(np.exp, lambda _, e: e)
expm1 = _elementwise(np.expm1, lambda _, e: e + 1.0)
log1p = _elementwise(np.log1p, lambda x, _: 1.0 / (1.0 + x))
acos = _elementwise(np.arccos, lambda x, _: -1.0 / np.sqrt(np.maximum(1.0 - x * x, 1e-300)))
asin = _elementwise(np.arcsin, lambda x, _: 1.0 / np.sqrt(np.maximum(1.0 - x * x, 1e-300)))
abs = _elementwise(np.abs, lambda x, _: np.sign(x))


def where(condition: AnyArray, x: AnyArray, y: AnyArray) -> AnyArray:
    if not isinstance(x, TracedArray) and not isinstance(y, TracedArray):
        return np.where(condition, x, y)
    sources: list[tuple[TracedArray, Backward]] = []
    if isinstance(x, TracedArray):
        sources.append((x, lambda g: np.where(condition, g, 0.0)))
    if isinstance(y, TracedArray):
        sources.append((y, lambda g: np.where(condition, 0.0, g)))
    return TracedArray(np.where(condition, _value(x), _value(y)), sources)


def minimum(x: object, y: object) -> AnyArray:
    """Return the smaller of two values; at a tie they share the slope."""
    return _one_of(np.minimum, x, y)


def maximum(x: object, y: object) -> AnyArray:
    """Return the larger of two values; at a tie they share the slope."""
    return _one_of(np.maximum, x, y)


def _one_of(function: Callable[[Array, Array], Array], x: AnyArray, y: AnyArray) -> AnyArray:
    if not isinstance(x, TracedArray) and not isinstance(y, TracedArray):
        return function(x, y)
    first, second = _value(x), _value(y)
    end = function(first, second)
    share = np.where(first == second, 0.5, first == end)
    sides = (x, lambda g: g * share), (y, lambda g: g * (1.0 - share))
    return TracedArray(end, [(z, back) for z, back in sides if isinstance(z, TracedArray)])


def _spread_back(slope: Array, shape: tuple[int, ...], axis: Axes, keepdims: bool) -> Array:
    """Return a slope repeated along the axes that were summed over."""
    return np.broadcast_to(slope if keepdims else np.expand_dims(slope, axis), shape)


def sum(x: AnyArray, axis: Axes, *, keepdims: bool = False) -> AnyArray:
    if not isinstance(x, TracedArray):
        return np.sum(x, axis=axis, keepdims=keepdims)
    total = np.sum(x.value, axis=axis, keepdims=keepdims)
    return TracedArray(total, [(x, lambda g: _spread_back(g, x.shape, axis, keepdims))])


def _extreme(function: Callable[..., Array], x: AnyArray, axis: int, keepdims: bool) -> AnyArray:
    """Return the extreme along an axis; the slope is shared equally by all places that reach it."""
    if not isinstance(x, TracedArray):
        return function(x, axis=axis, keepdims=keepdims)
    end = function(x.value, axis=axis, keepdims=True)
    reached = x.value == end
    shared = reached / np.sum(reached, axis=axis, keepdims=True)
    value = end if keepdims else np.squeeze(end, axis=axis)
    return TracedArray(value, [(x, lambda g: _spread_back(g, x.shape, axis, keepdims) * shared)])


def max(x: object, axis: int, *, keepdims: bool = False) -> AnyArray:
    return _extreme(np.max, x, axis, keepdims)


def min(x: object, axis: int, *, keepdims: bool = False) -> AnyArray:
    return _extreme(np.min, x, axis, keepdims)


def prod(x: AnyArray, axis: int, *, keepdims: bool = False) -> AnyArray:
    """Return the product along an axis; each slope is the product of the others, which needs no division by a zero."""
    if not isinstance(x, TracedArray):
        return np.prod(x, axis=axis, keepdims=keepdims)

    def back(slope: Array) -> Array:
        others = np.stack([np.prod(np.delete(x.value, k, axis), axis=axis) for k in range(x.shape[axis])], axis)
        return np.asarray(others * _spread_back(slope, x.shape, axis, keepdims))

    return TracedArray(np.prod(x.value, axis=axis, keepdims=keepdims), [(x, back)])


def reshape(x: AnyArray, shape: tuple[int, ...]) -> AnyArray:
    if not isinstance(x, TracedArray):
        return np.reshape(x, shape)
    return TracedArray(np.reshape(x.value, shape), [(x, lambda g: np.reshape(g, x.shape))])


def permute_dims(x: AnyArray, axes: tuple[int, ...]) -> AnyArray:
    if not isinstance(x, TracedArray):
        return np.transpose(x, axes)
    return TracedArray(np.transpose(x.value, axes), [(x, lambda g: np.transpose(g, np.argsort(axes)))])


def flip(x: AnyArray, axis: int) -> AnyArray:
    if not isinstance(x, TracedArray):
        return np.flip(x, axis=axis)
    return TracedArray(np.flip(x.value, axis=axis), [(x, lambda g: np.flip(g, axis=axis))])


def cumulative_sum(x: AnyArray, axis: int) -> AnyArray:
    if not isinstance(x, TracedArray):
        return np.cumsum(x, axis=axis)

    def back(slope: Array) -> Array:
        added: Array = np.cumsum(np.flip(slope, axis=axis), axis=axis)
        backwards: Array = np.flip(added, axis=axis)
        return backwards

    return TracedArray(np.cumsum(x.value, axis=axis), [(x, back)])


def broadcast_to(x: AnyArray, shape: tuple[int, ...]) -> AnyArray:
    if not isinstance(x, TracedArray):
        return np.broadcast_to(x, shape)
    return TracedArray(np.broadcast_to(x.value, shape), [(x, lambda g: g)])


def broadcast_arrays(*arrays: object) -> list[AnyArray]:
    shape = np.broadcast_shapes(*(np.shape(_value(x)) for x in arrays))
    return [broadcast_to(x, shape) for x in arrays]


def concat(arrays: Sequence[AnyArray], axis: int = 0) -> AnyArray:
    if not some(isinstance(x, TracedArray) for x in arrays):
        return np.concatenate(arrays, axis=axis)
    ends = np.cumsum([np.shape(_value(x))[axis] for x in arrays])
    sources = [
        (x, lambda g, end=end, size=x.shape[axis]: np.take(g, range(end - size, end), axis=axis))
        for x, end in zip(arrays, ends, strict=True)
        if isinstance(x, TracedArray)
    ]
    return TracedArray(np.concatenate([_value(x) for x in arrays], axis=axis), sources)


def stack(arrays: Sequence[AnyArray]) -> AnyArray:
    if not some(isinstance(x, TracedArray) for x in arrays):
        return np.stack(arrays)
    sources = [(x, lambda g, k=k: g[k]) for k, x in enumerate(arrays) if isinstance(x, TracedArray)]
    return TracedArray(np.stack([_value(x) for x in arrays]), sources)


def added_by(positions: Array, values: AnyArray, m: int) -> AnyArray:
    """Return the sums of listed values (cells, batch) by class."""
    if not isinstance(values, TracedArray):
        return sparse.added_by(positions, values, m)
    return TracedArray(sparse.added_by(positions, values.value, m), [(values, lambda g: g[positions])])


def astype(x: AnyArray, dtype: AnyArray) -> AnyArray:
    return x if isinstance(x, TracedArray) else np.astype(x, dtype)


def asarray(x: AnyArray, dtype: AnyArray = None, device: object = None) -> AnyArray:
    return x if isinstance(x, TracedArray) else np.asarray(x, dtype=dtype)


def isnan(x: object) -> AnyArray:
    return np.isnan(_value(x))


def isfinite(x: object) -> AnyArray:
    return np.isfinite(_value(x))


def zeros_like(x: object) -> Array:
    return np.zeros_like(_value(x))


def ones_like(x: AnyArray, dtype: AnyArray = None) -> Array:
    return np.ones_like(_value(x), dtype=dtype)


def full_like(x: object, fill: object) -> Array:
    return np.full_like(_value(x), fill)


def flatnonzero(x: object) -> Array:
    return np.flatnonzero(_value(x))
