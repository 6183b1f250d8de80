"""Running a definition on counts: one matrix or a batch, in floats, exactly, or step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from goodmeasure.counts.arguments import as_counts, small_rows
from goodmeasure.counts.matrix import ConfusionMatrix, stacked
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.exceptions import GoodmeasureError, InputError, MissingPackageError
from goodmeasure.language.policy import NAN, Note, Policy, UndefinedMeasure
from goodmeasure.language.record import CannotRecord, NotANumber
from goodmeasure.language.recorded import Recorded
from goodmeasure.language.tree import Tree
from goodmeasure.language.view import Number, shortest
from goodmeasure.typing import AnyArray, Array, ArrayLike, Namespace

if TYPE_CHECKING:
    from goodmeasure.language.compile.array_functions import ArrayFunctions, CountSums
    from goodmeasure.language.exact.reals import Exact
    from goodmeasure.language.print.matrices import Printed

SMALL = 12  # up to this many classes, one matrix is fastest on plain Python numbers
_MANY_CLASSES = 200  # from this many classes on, it pays to leave out the empty cells of a matrix
_CELLS_AT_ONCE = 1 << 17  # cells of a block of matrices: 1 MB of floats, which stays in the processor's cache
_MATRICES_AT_ONCE = 1 << 14  # 128 KB for a number of each: larger arrays are often taken from the system one by one
_WHOLE = 2.0**53  # integers below this are exact as floats, so sums of whole counts are too
_SQUARE = 2.0**26  # if n is below this, products of two counts are below 2^52 and exact as floats
_FAR = 1e70  # the fourth power is 1e280: beyond this, products of four counts may leave the range of floats


class OneMatrix:
    """One small matrix of plain Python numbers, checked and cast once for all measures and policies.

    `far` says that products of its counts would leave the range of floats.
    """

    __slots__ = ("far", "is_whole", "rows")
    shape = ()

    def __init__(self, rows: Sequence[Sequence[float]], *, is_whole: bool, far: bool) -> None:
        self.rows, self.is_whole, self.far = rows, is_whole, far

    @classmethod
    def of_rows(cls, rows: Sequence[Sequence[Number]]) -> OneMatrix:
        """Return a matrix of plain numbers, as integers if all counts are whole."""
        _check_items(any(map(any, rows)))
        is_whole = all(type(x) is int or (type(x) is float and x.is_integer()) for row in rows for x in row)
        kind: type[float] = int if is_whole else float
        cells = [[x if type(x) is kind else kind(x) for x in row] for row in rows]
        far = any(x > _FAR or 0 < x < 1 / _FAR for row in cells for x in row)
        return cls(cells, is_whole=is_whole, far=far)

    @classmethod
    def of_integers(cls, rows: list[list[float]]) -> OneMatrix:
        """Return a matrix of integers, which need no further check."""
        largest = max(map(max, rows), default=0)
        if largest == 0:
            _check_items(False)
        return cls(rows, is_whole=True, far=largest > _FAR)

    @classmethod
    def of_counts(cls, counts: Array) -> OneMatrix:
        """Return the counts of a confusion matrix, which has checked them."""
        rows = counts.tolist()
        if counts.dtype.kind in "iu":
            return cls.of_integers(rows)
        return cls.of_rows([[float(x) if isinstance(x, Fraction) else x for x in row] for row in rows])

    def value(self, definition: Recorded, policy: Policy) -> float:
        """Return the value of a definition, computed exactly if floats would overflow or underflow."""
        try:
            if not self.far:
                return definition.value(self.rows, policy, whole=self.is_whole) + 0.0  # which turns −0.0 into 0.0
        except OverflowError:  # an integer was too large for a float
            pass
        return float(on_exact(definition, self.rows, policy, exactly=False))

    def values(self, definitions: Sequence[Recorded], policy: Policy) -> list[float]:
        """Return the values of several definitions, which are computed together if nothing keeps them apart."""
        from goodmeasure.language.compile.together import values_together

        m = len(self.rows)
        if not self.far and policy.name != "raise" and len(definitions) > 1:
            try:
                trees = tuple([x.tree(m) for x in definitions])
                return values_together(trees, self.rows, policy, whole=self.is_whole)
            except (OverflowError, CannotRecord):  # one of them needs exact numbers, or branches on counts
                pass
        return [self.value(x, policy) for x in definitions]


def _check_items(has_some: bool) -> None:
    if not has_some:
        raise InputError("{counts} holds no items", advice="a measure needs at least one")


def on_rows(definition: Recorded, rows: Sequence[Sequence[Number]], policy: Policy) -> float:
    """Return the value for one small matrix given as rows of plain numbers."""
    return OneMatrix.of_rows(rows).value(definition, policy)


def as_float(value: object) -> float:
    """Return the value of a definition as a float; refuse what is not a number."""
    if type(value) is float:
        return value
    if isinstance(value, _NO_NUMBERS) or not hasattr(value, "__float__") or getattr(value, "ndim", 0) > 0:
        raise NotANumber(value)
    return float(value)


_NO_NUMBERS = (str, bytes, complex, np.complexfloating)  # NumPy would drop the imaginary part of a complex number


class SparseMatrix:
    """One matrix of which only the class sizes, the diagonal and the non-zero cells are read."""

    __slots__ = ("cells",)
    shape = ()

    def __init__(self, counts: SparseCounts) -> None:
        from goodmeasure.language.compile.sparse import ListedCells

        n = float(counts.n)
        _check_items(n != 0)
        a, b, diagonal = (x.astype(np.float64) for x in (counts.a, counts.b, counts.diagonal))
        exact = n < _WHOLE and counts.a.dtype.kind in "iu"
        self.cells = ListedCells(
            a, b, diagonal, lambda: (counts.rows, counts.cols, counts.values.astype(np.float64)), exact=exact
        )

    def value(self, definition: Recorded, policy: Policy) -> float:
        """Return the value of a definition; a `NeedsEveryCell` says that it reads empty cells too."""
        from goodmeasure.language.compile.sparse import value_on_listed

        def known(tree: Tree) -> float:
            with np.errstate(all="ignore"):
                return float(np.ravel(value_on_listed(tree, self.cells, _bare(policy)))[0]) + 0.0

        m = self.cells.m
        value = known(definition.tree_here(m, known))
        if policy.name == "raise" and value != value:
            raise _UNDEFINED
        return value


_UNDEFINED = UndefinedMeasure("a term of the formula is undefined")


def _bare(policy: Policy) -> Policy:
    """Return the policy that arrays are computed under: for "raise", values that are NaN are looked at afterwards."""
    return NAN if policy.name == "raise" else policy


class MostlyEmptyMatrix:
    """One matrix of many classes with so few non-zero cells that listing them is faster."""

    __slots__ = ("_every_cell", "counts", "listed")
    shape = ()

    def __init__(self, counts: Array) -> None:
        self.counts, self.listed = counts, SparseMatrix(SparseCounts.from_matrix(tuple(range(len(counts))), counts))
        self._every_cell: MatrixBatch | None = None

    def value(self, definition: Recorded, policy: Policy) -> float:
        """Return the value of a definition, from all cells if it needs them."""
        from goodmeasure.language.compile.sparse import NeedsEveryCell

        try:
            return self.listed.value(definition, policy)
        except NeedsEveryCell:
            if self._every_cell is None:
                self._every_cell = MatrixBatch(self.counts)
            return float(self._every_cell.value(definition, policy))


class SparseBatch:
    """Matrices that share their non-zero cells, which are listed: values have the shape (cells, batch)."""

    def __init__(self, m: int, rows: Array, cols: Array, values: Array, *, whole: bool) -> None:
        from goodmeasure.language.compile.sparse import ListedCells, added_by

        hit = rows == cols
        diagonal = np.zeros((m, values.shape[1]))
        diagonal[rows[hit]] = values[hit]
        rows, cols, values = rows[~hit], cols[~hit], values[~hit]
        off = added_by(rows, values, m), added_by(cols, values, m)
        self.cells = ListedCells(
            off[0] + diagonal, off[1] + diagonal, diagonal, lambda: (rows, cols, values), exact=whole, off=off
        )


def on_sparse_batch(definition: Recorded, batch: SparseBatch, policy: Policy) -> Array:
    """Return the values for every matrix of a sparse batch; a `NeedsEveryCell` says that empty cells are read too."""
    from goodmeasure.language.compile.arrays import as_batch
    from goodmeasure.language.compile.sparse import value_on_listed

    tree = definition.tree(batch.cells.m)
    with np.errstate(all="ignore"):
        values = value_on_listed(tree, batch.cells, policy)
    return np.asarray(as_batch(values, batch.cells["d"].shape[1]) + 0.0)


def on_margins(definition: Recorded, true: Array, predicted: Array, hits: Array, policy: Policy) -> Array | None:
    """Return the values for class sizes (…, m) and right predictions; None if the definition reads other cells too.

    The sizes need not be those of one matrix: measures of right predictions and class sizes have a value all the same.
    """
    from goodmeasure.language.compile.arrays import as_batch
    from goodmeasure.language.compile.sparse import ListedCells, NeedsEveryCell, value_on_listed

    def nothing_else() -> tuple[Array, Array, Array]:
        raise NeedsEveryCell("{predicted} leaves the errors open", advice="use a measure of class sizes and hits")

    m = true.shape[-1]
    a, b, d = (np.reshape(x, (-1, m)).T for x in (true, predicted, hits))
    try:
        with np.errstate(all="ignore"):
            known = ListedCells(a, b, d, nothing_else, exact=False, off=(a - d, b - d))
            values = value_on_listed(definition.tree(m), known, _bare(policy))
    except NeedsEveryCell:
        return None
    return np.reshape(as_batch(values, d.shape[1]) + 0.0, true.shape[:-1])


class MatrixBatch:
    """A batch in the layout that formulas compute with: floats of shape (m, m, batch), and what is known of them.

    `whole` says that all sums of counts are exact, `small` that products of two are too, `far` lists the matrices whose
    products would leave the range of floats, and `counts` are the original numbers, from which these are computed
    exactly.
    """

    __slots__ = ("_sums", "cells", "counts", "far", "shape", "small", "uses", "whole")

    def __init__(self, counts: Array) -> None:
        m = counts.shape[-1]
        self.shape = counts.shape[:-2]
        self.counts = counts.reshape(-1, m, m)
        self.counts.flags.writeable = False  # also where the cells are the same memory: it may be a user's array
        self.cells = np.ascontiguousarray(self.counts.transpose(1, 2, 0), np.float64)  # does not copy a single matrix
        sizes = self.cells.sum(axis=(0, 1))
        if sizes.min(initial=1.0) == 0:
            which = "counts" if len(sizes) == 1 else f"matrix {int(np.flatnonzero(sizes == 0)[0])} of the batch"
            raise InputError("{which} holds no items", which=which, advice="a measure needs at least one")
        kind = counts.dtype.kind
        exact = kind in "iu" or (kind == "f" and bool((self.cells == np.rint(self.cells)).all()))
        largest = float(sizes.max(initial=0.0))
        self.whole, self.small = bool(exact and largest < _WHOLE), bool(exact and largest < _SQUARE)
        self.uses = 0
        self._sums: dict[int, CountSums] = {}
        self.far = np.arange(0) if self.whole else _far(self.cells, sizes)

    @classmethod
    def laid_out(cls, cells: Array, *, whole: bool, largest: float | None = None) -> MatrixBatch:
        """Return a batch from counts that have the layout already, each matrix with at least one item.

        `largest` is the size of the largest matrix, if it is known.
        """
        batch = cls.__new__(cls)
        batch.shape = cells.shape[2:]
        batch.cells, batch.counts, batch.whole = cells, cells.transpose(2, 0, 1), whole
        largest = float(cells.sum(axis=(0, 1)).max(initial=0.0)) if largest is None else largest
        batch.uses, batch._sums, batch.small = 0, {}, whole and largest < _SQUARE
        far = largest > _FAR or (not whole and float(cells.min(initial=1.0, where=cells > 0)) < 1 / _FAR)
        batch.far = np.arange(cells.shape[2] if far else 0)
        return batch

    def value(self, definition: Recorded, policy: Policy) -> AnyArray:
        """Return the values of a definition in the shape of the batch; a float for one matrix."""
        values = on_batch(definition, self, policy)
        return values.reshape(self.shape) if self.shape else float(values[0])

    def sums(self, start: int, block: Array) -> CountSums:
        """Return the sums of a block of matrices; from the second measure on, they are kept for the next one."""
        from goodmeasure.language.compile.array_functions import CountSums
        from goodmeasure.language.compile.arrays import NUMPY

        known = self._sums.get(start)
        if known is None:
            known = CountSums(block, NUMPY, exact=self.whole)
            if self.uses > 1:  # a single measure needs only few of the sums
                self._sums[start] = known
        else:
            known["g"] = block
        return known


def _far(cells: Array, sizes: Array) -> Array:
    """Return which matrices hold counts whose products would leave the range of floats."""
    smallest = np.where(cells > 0, cells, np.inf).min(axis=(0, 1))
    return np.flatnonzero((sizes > _FAR) | (smallest < 1 / _FAR))


def on_batch(definition: Recorded, batch: MatrixBatch, policy: Policy) -> Array:
    """Return the values for every matrix of a batch, block by block."""
    m = batch.cells.shape[0]
    if definition.is_opaque(m):
        one_by_one = (OneMatrix.of_counts(x).value(definition, policy) for x in batch.counts)
        return np.fromiter(one_by_one, float, len(batch.counts))
    values = _by_blocks(definition.tree(m), batch, _bare(policy))
    for k in batch.far:
        values[k] = float(on_exact(definition, batch.counts[k].tolist(), policy, exactly=False))
    if policy.name == "raise":
        _raise_if_undefined(definition, batch, values, policy)
    return values


def _by_blocks(tree: Tree, batch: MatrixBatch, policy: Policy) -> Array:
    from goodmeasure.language.compile.arrays import as_batch, on_arrays
    from goodmeasure.language.compile.compiled import undefined_value

    m, total = batch.cells.shape[0], batch.cells.shape[2]
    step = max(1, min(_MATRICES_AT_ONCE, _CELLS_AT_ONCE // (m * m)))
    values = np.empty(total)
    batch.uses += 1
    f, written = on_arrays(tree, m, policy, whole=batch.whole, small=batch.small)
    u = undefined_value(policy)
    with np.errstate(all="ignore"):
        for start in range(0, total, step):
            cells = batch.cells[:, :, start : start + step]
            sums = None if written else batch.sums(start, cells)
            found = as_batch(f(cells if sums is None else sums, u), cells.shape[2])  # type: ignore[arg-type]
            np.add(found, 0.0, out=values[start : start + step])  # adding 0.0 turns −0.0 into 0.0
            if sums is not None:
                sums.keep()
    return values


def _raise_if_undefined(definition: Recorded, batch: MatrixBatch, values: Array, policy: Policy) -> None:
    """Raise if a term of a formula is undefined on a matrix: that is seen by its value, or matrix by matrix."""
    from goodmeasure.language.compile.arrays import swallows

    m = batch.cells.shape[0]
    suspected = range(len(values)) if swallows(definition.tree(m), m) else np.flatnonzero(np.isnan(values))
    for k in suspected:
        OneMatrix.of_counts(batch.counts[k]).value(definition, policy)


_WRAPPED = {"torch": "PyTorch tensors", "cupy": "CuPy arrays"}  # libraries whose own names differ from the standard


class ForeignArrays:
    """Counts in an array of another library (PyTorch, JAX, CuPy, …)."""

    __slots__ = ("counts", "shape")

    def __init__(self, counts: AnyArray) -> None:
        if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2]:
            raise InputError(
                "{counts} has shape {shape}",
                shape=tuple(counts.shape),
                advice="a confusion matrix is square, one row and column per class",
            )
        self.counts, self.shape = counts, tuple(counts.shape[:-2])

    def value(self, definition: Recorded, policy: Policy) -> AnyArray:
        """Return the values of a definition, on the device of the counts and with gradients."""
        xp, counts = namespace(self.counts), self.counts
        if not xp.isdtype(counts.dtype, "real floating"):
            counts = xp.astype(counts, xp.float64)
        flat = xp.reshape(counts, (-1, *counts.shape[-2:]))
        with np.errstate(all="ignore"):  # some libraries compute with NumPy
            values = self._values(definition, xp.permute_dims(flat, (1, 2, 0)), xp, policy)
        return xp.reshape(values, self.shape) if self.shape else values[0]

    def _values(self, definition: Recorded, cells: AnyArray, xp: Namespace, policy: Policy) -> AnyArray:
        from goodmeasure.language.compile.gradients import with_gradient

        functions, m = _functions(xp, cells), int(cells.shape[0])

        def of(tree: Tree, part: AnyArray) -> AnyArray:
            return with_gradient(tree, part, _bare(policy), functions)

        def now(part: AnyArray, tree: Tree) -> float:
            return float(of(tree, part)[0])

        if not definition.is_opaque(m):
            values = of(definition.tree(m), cells)
        else:
            parts = [cells[:, :, k : k + 1] for k in range(cells.shape[2])]
            values = xp.concat([of(definition.tree_here(m, partial(now, part)), part) for part in parts])
        if policy.name == "raise" and functions.some(xp.isnan(values)):
            raise _UNDEFINED
        return values


def _functions(xp: Namespace, cells: AnyArray) -> ArrayFunctions:
    """Return the functions for arrays of the same library, type and device."""
    from goodmeasure.language.compile.array_functions import ArrayFunctions

    device = getattr(cells, "device", None)
    key = xp.__name__, str(cells.dtype), str(device)
    found = _KNOWN_FUNCTIONS.get(key)
    if found is None:
        found = _KNOWN_FUNCTIONS[key] = ArrayFunctions(xp, cells.dtype, device)
    return found


_KNOWN_FUNCTIONS: dict[tuple[str, str, str], ArrayFunctions] = {}


def is_foreign(x: object) -> bool:
    """Return whether x is an array of a library other than NumPy."""
    if type(x) in (ConfusionMatrix, list, tuple, np.ndarray):
        return False
    return not isinstance(x, np.ndarray) and (
        hasattr(x, "__array_namespace__") or type(x).__module__.split(".")[0] in _WRAPPED
    )


def namespace(x: AnyArray) -> Namespace:
    """Return the array API namespace of an array."""
    library = type(x).__module__.split(".")[0]
    if library not in _WRAPPED:
        return x.__array_namespace__()
    try:
        return import_module(f"array_api_compat.{library}")
    except ImportError:
        raise MissingPackageError(
            "{what} need the extra", what=_WRAPPED[library], advice="pip install 'goodmeasure[torch]'"
        ) from None


def exact_rows(counts: Iterable[Iterable[object]]) -> list[list[int | Fraction]]:
    """Return counts as integers and fractions; a float stands for its shortest decimal."""
    return [[_exact_count(x) for x in row] for row in counts]


def on_exact(
    definition: Recorded, counts: Iterable[Iterable[object]], policy: Policy, *, exactly: bool = True
) -> Exact:
    """Return the exact value for one matrix; a float count stands for its shortest decimal.

    An opaque definition that needs floats, such as one that calls ``math.sqrt``, has none: `CannotRecord` says what to
    write instead. Unless ``exactly``, it gets the floats nearest to exact values.
    """
    from goodmeasure.language.compile.exact_numbers import exact_value_on

    rows = exact_rows(counts)
    return exact_value_on(_tree_here(definition, rows, policy, exactly=exactly), rows, policy)


def _tree_here(
    definition: Recorded, rows: Sequence[Sequence[int | Fraction]], policy: Policy, *, exactly: bool
) -> Tree:
    """Return the tree for one matrix, on which exact values answer what an opaque definition asks."""
    from goodmeasure.language.compile.exact_numbers import exact_value_on

    def known(x: Tree) -> float:
        value = exact_value_on(x, rows, policy)
        if not exactly:
            return float(value)
        try:
            found = value.as_fraction()
        except ValueError:  # it is irrational
            return bool(value)
        return found.numerator if found.denominator == 1 else bool(found)

    return definition.tree_here(len(rows), known, exactly=exactly)


def worked(definition: Recorded, counts: Iterable[Iterable[object]], policy: Policy) -> tuple[Printed, list[Note]]:
    """Return the value with the steps that led to it, and notes on the rules that acted."""
    from goodmeasure.language.print.worked_steps import Steps

    rows = exact_rows(counts)
    steps = Steps(rows, policy)
    return steps.result(_tree_here(definition, rows, policy, exactly=False)), steps.notes


def _exact_count(x: object) -> int | Fraction:
    """Return a count as an integer if it is whole, else as a fraction."""
    if type(x) is int:
        return x
    fraction = shortest(x)
    return fraction.numerator if fraction.denominator == 1 else fraction


LaidOut = (
    OneMatrix | SparseMatrix | MostlyEmptyMatrix | MatrixBatch | ForeignArrays
)  # counts that are laid out for definitions


def laid_out(data: ArrayLike) -> LaidOut:
    """Return what users pass in as counts, checked and laid out; every value is computed from this.

    A confusion matrix keeps it for the next measure. An array of matrices is neither copied nor kept.
    """
    kind = type(data)
    if kind is ConfusionMatrix:
        kept: LaidOut = data.prepared(_of_matrix)
        return kept
    is_plain = kind is np.ndarray and data.dtype.kind in "iuf"
    is_small = is_plain and data.ndim == 2 and len(data) <= SMALL
    if is_plain and not is_small:
        return _of_array(as_counts(data, copy=False))
    if is_small or kind is list or kind is tuple:
        found = small_rows(data.tolist() if is_small else data, SMALL)
        if found is not None:
            rows, are_integers = found
            return OneMatrix.of_integers(rows) if are_integers else OneMatrix.of_rows(rows)
    elif is_foreign(data):
        return ForeignArrays(data)
    return as_matrix(data).prepared(_of_matrix)


def _of_matrix(cm: ConfusionMatrix) -> LaidOut:
    parts = cm._parts
    if parts.sparse is not None:
        return SparseMatrix(parts.sparse)
    counts = parts.held if isinstance(parts.held, np.ndarray) else cm.counts
    return OneMatrix.of_counts(counts) if counts.ndim == 2 and len(counts) <= SMALL else _of_array(counts)


def _of_array(counts: Array) -> LaidOut:
    return MostlyEmptyMatrix(counts) if _is_mostly_empty(counts) else MatrixBatch(counts)


def _is_mostly_empty(counts: Array) -> bool:
    """Return whether it pays to leave out the empty cells of a matrix, and their sums stay exact."""
    if counts.ndim != 2 or len(counts) < _MANY_CLASSES or counts.dtype.kind not in "iu":
        return False
    listed = int(np.count_nonzero(counts))
    return 8 * listed <= counts.size and listed * int(counts.max()) < _WHOLE


def are_matrices(data: object) -> TypeGuard[Sequence[ConfusionMatrix]]:
    """Return whether the data are a list of confusion matrices."""
    return isinstance(data, (list, tuple)) and len(data) > 0 and all(isinstance(x, ConfusionMatrix) for x in data)


def as_matrix(data: object, argument: str = "counts") -> ConfusionMatrix:
    """Return a confusion matrix from whatever users pass in as one, in an argument that an error names."""
    if isinstance(data, ConfusionMatrix):
        return data
    if are_matrices(data):
        return stacked(data)
    try:
        return ConfusionMatrix(data)
    except GoodmeasureError as error:
        raise error.renamed(counts=argument) from None
