"""Types that every room shares."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    import os
    from fractions import Fraction

Array: TypeAlias = np.ndarray[Any, Any]  # of NumPy, with any shape and any kind of number
# An array of NumPy, PyTorch, JAX or another library: the array API standard has no type that these libraries share.
AnyArray: TypeAlias = Any
# A module with the functions of such a library, or an object of another one that need not be installed (axes of
# Matplotlib, estimators of scikit-learn, what SciPy returns).
Namespace: TypeAlias = Any
# A data frame, a table, a lazy query or one of their columns: pandas, Polars, Arrow, DuckDB, Spark and the others that
# narwhals reads have no type in common, and need not be installed.
Frame: TypeAlias = Any
# A number of items or a sum of weights: one number for a matrix, an array of them for a batch.
Amount: TypeAlias = "float | Fraction | Array"
# The type of the elements of a NumPy array, whatever it is.
DType: TypeAlias = np.dtype[Any]
# Labels, scores or weights as users hand them over: a list, an array or a column of NumPy, pandas or any of the
# libraries above, or the name of a column.
ArrayLike: TypeAlias = Any
# Keyword arguments of Matplotlib, each with a type of its own.
PlotStyle: TypeAlias = dict[str, Any]
# What scikit-learn's make_scorer returns; it has no public type.
Scorer: TypeAlias = Any
# A chart as Vega-Lite describes it: nested data, whose schema has no Python type.
ChartSpec: TypeAlias = dict[str, Any]
# The type of a column in DuckDB, whose module has had several names.
EngineType: TypeAlias = Any
# What was read from JSON and not looked at yet: the json module gives it no type, and whoever uses it checks it.
ReadJson: TypeAlias = Any
JsonObject: TypeAlias = "Mapping[str, ReadJson]"
# The value of a field, whose annotation says its type to whoever reads or writes it as JSON.
FieldValue: TypeAlias = Any
# The classes in order, as users list them.
LabelsLike: TypeAlias = "Iterable[Label]"
Label: TypeAlias = Hashable  # a class, a slice or a group: text, a number, a date, or None for a missing value
# A confusion matrix as users hand it over: a ConfusionMatrix, nested lists, or an array of NumPy, PyTorch and the like.
MatrixLike: TypeAlias = "ArrayLike"
# The first argument of `evaluate`, `compare`, `sweep` and `plan`: true labels; a data frame, a query or a file whose
# columns are named; frames or files by system; or confusion matrices.
File: TypeAlias = "str | os.PathLike[str]"
DataLike: TypeAlias = "ArrayLike | Frame | File | Sequence[File] | Mapping[str, ArrayLike | Frame | File] | None"
