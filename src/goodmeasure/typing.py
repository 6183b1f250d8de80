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
# A data frame, a table, a lazy query or one of their columns: pandas, Polars, Arrow, DuckDB, Spark and the others that
# narwhals reads have no type in common, and need not be installed.
Frame: TypeAlias = Any
# What was read from JSON and not looked at yet: the json module gives it no type, and whoever uses it checks it.
ReadJson: TypeAlias = Any
Label: TypeAlias = Hashable  # a class, a slice or a group: text, a number, a date, or None for a missing value
