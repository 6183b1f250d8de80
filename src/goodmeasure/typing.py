"""Types that every room shares."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = np.ndarray[Any, Any]  # of any shape and any kind of number
# An array of NumPy, PyTorch, JAX or another library, and the module with the functions of that library: the array API
# standard has no types that these libraries share.
AnyArray: TypeAlias = Any
Namespace: TypeAlias = Any
Label: TypeAlias = Hashable  # a class, a slice or a group: text, a number, a date, or None for a missing value
