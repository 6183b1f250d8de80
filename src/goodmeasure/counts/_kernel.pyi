"""The compiled counting loops; see _kernel.c."""

from collections.abc import Callable
from typing import Any

import numpy as np

_Array = np.ndarray[Any, Any]
_Column = _Array | list[Any]
_Allocate = Callable[[int, int], _Array]

def cross(
    true: _Column, pred: _Column, weights: _Array | None, allocate: _Allocate, /
) -> tuple[Any, Any, _Array] | None: ...
def window(true: _Array, pred: _Array, most: int, /) -> tuple[int, int] | None: ...
def encode(column: _Column, codes: _Array, /) -> Any: ...
def pairs(
    true: _Array, pred: _Array, low: int, size: int, allocate: _Allocate, /
) -> tuple[_Array, _Array, _Array, _Array] | None: ...
def sizes(
    true: _Array, pred: _Array, low: int, size: int, true_sizes: _Array, predicted: _Array, keys: _Array, /
) -> int | None: ...
def cells(keys: _Array, size: int, allocate: _Allocate, /) -> tuple[_Array, _Array, _Array]: ...
def _read_only(x: _Array, y: _Array, /) -> int: ...
