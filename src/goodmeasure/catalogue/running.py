"""Running a definition on counts: one matrix or a batch, in floats, exactly, or step by step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.counts.arguments import as_counts, small_rows
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.exceptions import GoodmeasureError, InputError, MissingPackageError
from goodmeasure.language.class_by_class import LoopView
from goodmeasure.language.floats.cell_sums import plain
from goodmeasure.language.policy import LeaveOut, Note, Policy
from goodmeasure.language.read import read
from goodmeasure.language.record import NotANumber
from goodmeasure.language.recorded import Recorded
from goodmeasure.language.view import K, Number, V, View, shortest
from goodmeasure.typing import AnyArray, Array, ArrayLike, Namespace

if TYPE_CHECKING:
    from goodmeasure.language.exact.reals import Exact
    from goodmeasure.language.printing.worked_steps import WorkedNumber

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
        _check_items(largest > 0)
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
        return float(on_exact(definition, self.rows, policy))


def _check_items(has_some: bool) -> None:
    if not has_some:
        raise InputError("{counts} holds no items", advice="a measure needs at least one")


def on_rows(definition: Recorded, rows: Sequence[Sequence[Number]], policy: Policy) -> float:
    """Return the value for one small matrix given as rows of plain numbers."""
    return OneMatrix.of_rows(rows).value(definition, policy)


def _outermost(definition: Recorded, view: View[V, K]) -> V | float:
    """Return the value of a definition; a rule that leaves a class out outside of any sum makes it undefined."""
    try:
        return definition(view)
    except LeaveOut:
        return view.undefined()


def as_float(value: object) -> float:
    """Return the value of a definition as a float; refuse what is not a number."""
    if type(value) is float:
        return value
    if isinstance(value, _NO_NUMBERS) or not hasattr(value, "__float__") or getattr(value, "ndim", 0) > 0:
        raise NotANumber(value)
    return float(value)


_NO_NUMBERS = (str, bytes, complex, np.complexfloating)  # NumPy would drop the imaginary part of a complex number


class OneSparse:
    """One matrix of which only the class sizes, the diagonal and the non-zero cells are read."""

    __slots__ = ("cells", "is_small", "is_whole")
    shape = ()

    def __init__(self, counts: SparseCounts) -> None:
        from goodmeasure.language.floats.very_many_classes import StoredCells

        n = float(counts.n)
        _check_items(n != 0)
        a, b, diagonal = (x.astype(np.float64) for x in (counts.a, counts.b, counts.diagonal))
        self.cells = StoredCells(a, b, diagonal, lambda: (counts.rows, counts.cols, counts.values.astype(np.float64)))
        self.is_whole = n < _WHOLE and counts.a.dtype.kind in "iu"
        self.is_small = n < _SQUARE

    def value(self, definition: Recorded, policy: Policy) -> float:
        """Return the value of a definition."""
        from goodmeasure.language.floats.batches import BatchRun
        from goodmeasure.language.floats.very_many_classes import SparseView

        with np.errstate(all="ignore"):
            run = BatchRun(np, policy, products_are_exact=self.is_whole and self.is_small)
            return float(np.ravel(plain(definition(SparseView(self.cells, run, whole=self.is_whole))))[0]) + 0.0


class MostlyEmpty:
    """One matrix of many classes with so few non-zero cells that listing them is faster."""

    __slots__ = ("_every_cell", "counts", "listed")
    shape = ()

    def __init__(self, counts: Array) -> None:
        self.counts, self.listed = counts, OneSparse(SparseCounts.from_matrix(tuple(range(len(counts))), counts))
        self._every_cell: Prepared | None = None

    def value(self, definition: Recorded, policy: Policy) -> float:
        """Return the value of a definition, from all cells if it needs them."""
        try:
            return self.listed.value(definition, policy)
        except TypeError:  # it needs every cell, or is a user's function that takes plain numbers only
            if self._every_cell is None:
                self._every_cell = Prepared(self.counts)
            return float(self._every_cell.value(definition, policy))


class SparseBatch:
    """Matrices that share their non-zero cells, which are listed: values have the shape (cells, batch)."""

    def __init__(self, m: int, rows: Array, cols: Array, values: Array, *, whole: bool) -> None:
        from goodmeasure.language.floats.very_many_classes import StoredCells, added_by

        hit = rows == cols
        diagonal = np.zeros((m, values.shape[1]))
        diagonal[rows[hit]] = values[hit]
        rows, cols, values = rows[~hit], cols[~hit], values[~hit]
        off = added_by(rows, values, m), added_by(cols, values, m)
        self.cells = StoredCells(off[0] + diagonal, off[1] + diagonal, diagonal, lambda: (rows, cols, values), off)
        self.whole = whole
        self.largest = float(self.cells.a.sum(axis=0).max(initial=0.0))


def on_sparse_batch(definition: Recorded, batch: SparseBatch, policy: Policy) -> Array:
    """Return the values for every matrix of a sparse batch."""
    from goodmeasure.language.floats.batches import BatchRun
    from goodmeasure.language.floats.very_many_classes import SparseView

    run = BatchRun(np, policy, products_are_exact=batch.whole and batch.largest < _SQUARE)
    with np.errstate(all="ignore"):
        values = plain(definition(SparseView(batch.cells, run, whole=batch.whole)))
    return np.broadcast_to(values, batch.cells.diagonal.shape[1:]) + 0.0


class Prepared:
    """A batch in the layout that views compute with: floats of shape (m, m, batch), and what is known of them.

    `whole` says that all sums of counts are exact, `far` lists the matrices whose products would leave the range of
    floats, and `counts` are the original numbers, from which these are computed exactly.
    """

    __slots__ = ("_margins", "cells", "counts", "far", "largest", "shape", "uses", "whole")

    def __init__(self, counts: Array) -> None:
        m = counts.shape[-1]
        self.shape = counts.shape[:-2]
        self.counts = counts.reshape(-1, m, m)
        self.counts.flags.writeable = False  # also where the cells are the same memory: it may be a user's array
        self.cells = np.ascontiguousarray(np.moveaxis(self.counts, 0, -1), np.float64)  # does not copy a single matrix
        sizes = self.cells.sum(axis=(0, 1))
        self.largest = float(sizes.max(initial=0.0))
        if sizes.min(initial=1.0) == 0:
            which = "counts" if len(sizes) == 1 else f"matrix {int(np.flatnonzero(sizes == 0)[0])} of the batch"
            raise InputError("{which} holds no items", which=which, advice="a measure needs at least one")
        kind = counts.dtype.kind
        exact = kind in "iu" or (kind == "f" and bool((self.cells == np.rint(self.cells)).all()))
        self.whole = bool(exact and self.largest < _WHOLE)
        self.uses = 0
        self._margins: dict[str, object] | None = None
        self.far = np.arange(0) if self.whole else _far(self.cells, sizes)

    @classmethod
    def laid_out(
        cls, cells: Array, *, whole: bool, largest: float | None = None, sums: tuple[Array, ...] | None = None
    ) -> Prepared:
        """Return a batch from counts that have the layout already, each matrix with at least one item.

        `largest` is the size of the largest matrix, if it is known; `sums` are the margins of whole counts of two
        classes, those that all matrices share as arrays of one number.
        """
        batch = cls.__new__(cls)
        batch.shape = cells.shape[2:]
        batch.cells, batch.counts, batch.whole = cells, np.moveaxis(cells, -1, 0), whole
        batch.largest = float(cells.sum(axis=(0, 1)).max(initial=0.0)) if largest is None else largest
        batch.uses, batch._margins = 0, None if sums is None else {"sums": sums}
        far = batch.largest > _FAR or (not whole and float(cells.min(initial=1.0, where=cells > 0)) < 1 / _FAR)
        batch.far = np.arange(cells.shape[2] if far else 0)
        return batch

    def value(self, definition: Recorded, policy: Policy) -> AnyArray:
        """Return the values of a definition in the shape of the batch; a float for one matrix."""
        values = on_batch(definition, self, policy)
        return values.reshape(self.shape) if self.shape else float(values[0])

    def margins(self, block: slice) -> dict[str, object] | None:
        """Return the sums of a block of whole counts, added up once for all measures; None if they are not kept."""
        if self._margins is None:
            if not self.whole or self.uses < 2:  # a single measure needs only few of the sums
                return None
            from goodmeasure.language.floats.more_classes import margins

            self._margins = margins(self.cells, np)
        return {key: _block(value, block) for key, value in self._margins.items()}


def _far(cells: Array, sizes: Array) -> Array:
    """Return which matrices hold counts whose products would leave the range of floats."""
    smallest = np.where(cells > 0, cells, np.inf).min(axis=(0, 1))
    return np.flatnonzero((sizes > _FAR) | (smallest < 1 / _FAR))


def _block(value: AnyArray, block: slice) -> AnyArray:
    """Return the part of a sum that belongs to a block; arrays of one number hold for all blocks."""
    if isinstance(value, bool):
        return value
    return tuple(x if len(x) == 1 else x[block] for x in value) if isinstance(value, tuple) else value[..., block]


def on_batch(definition: Recorded, batch: Prepared, policy: Policy) -> Array:
    """Return the values for every matrix of a batch, block by block."""
    from goodmeasure.language.floats.batches import BatchRun
    from goodmeasure.language.floats.more_classes import batch_view

    m, total = batch.cells.shape[0], batch.cells.shape[2]
    step = max(1, min(_MATRICES_AT_ONCE, _CELLS_AT_ONCE // (m * m)))
    values = np.empty(total)
    batch.uses += 1
    run = BatchRun(np, policy, products_are_exact=batch.whole and batch.largest < _SQUARE)
    with np.errstate(all="ignore"):
        for start in range(0, total, step):
            block = slice(start, start + step)
            view = batch_view(batch.cells[:, :, block], run, whole=batch.whole, known=batch.margins(block))
            np.add(plain(definition(view)), 0.0, out=values[block])  # adding 0.0 turns −0.0 into 0.0
            view.release()
    for k in batch.far:
        values[k] = float(on_exact(definition, batch.counts[k].tolist(), policy))
    return values


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
        from goodmeasure.language.floats.batches import BatchRun
        from goodmeasure.language.floats.more_classes import batch_view

        xp, counts = namespace(self.counts), self.counts
        if not xp.isdtype(counts.dtype, "real floating"):
            counts = xp.astype(counts, xp.float64)
        flat = xp.reshape(counts, (-1, *counts.shape[-2:]))
        cells = xp.permute_dims(flat, (1, 2, 0))
        values = plain(definition(batch_view(cells, BatchRun(xp, policy), whole=False)))
        if isinstance(values, (int, float)):
            values = xp.full_like(cells[0, 0, :], float(values))
        elif tuple(values.shape) != (flat.shape[0],):  # one value for all matrices, from a formula without counts
            values = xp.broadcast_to(values, (flat.shape[0],))
        return xp.reshape(values, self.shape) if self.shape else values[0]


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


def on_exact(definition: Recorded, counts: Iterable[Iterable[object]], policy: Policy) -> Exact:
    """Return the exact value for one matrix; a float count stands for its shortest decimal."""
    from goodmeasure.language.exact.exact_matrix import ExactView
    from goodmeasure.language.exact.reals import Exact, Real

    rows: list[list[Real]] = [[Exact.of(x) for x in row] for row in exact_rows(counts)]
    value = _of_tree(definition, ExactView(rows, policy))
    if not isinstance(value, Exact):
        value = Exact.of(value if isinstance(value, (int, Fraction)) else as_float(value))
    return value


def _of_tree(definition: Recorded, view: LoopView[V]) -> V | float:
    """Return the value of the recorded tree, or of the function if it is opaque."""
    if definition.is_opaque(view.m):
        return _outermost(definition, view)
    try:
        return read(definition.tree(view.m), view)
    except LeaveOut:
        return view.undefined()


def worked(definition: Recorded, counts: Iterable[Iterable[object]], policy: Policy) -> tuple[WorkedNumber, list[Note]]:
    """Return the value with the steps that led to it, and notes on the rules that acted."""
    from goodmeasure.language.printing.worked_steps import WorkedView, traced

    view = WorkedView(exact_rows(counts), policy)
    return traced(_outermost(definition, view)), view.notes


def _exact_count(x: object) -> int | Fraction:
    """Return a count as an integer if it is whole, else as a fraction."""
    if type(x) is int:
        return x
    fraction = shortest(x)
    return fraction.numerator if fraction.denominator == 1 else fraction


Ready = OneMatrix | OneSparse | MostlyEmpty | Prepared | ForeignArrays  # counts that are laid out for definitions


def ready(data: ArrayLike) -> Ready:
    """Return what users pass in as counts, checked and laid out; every value is computed from this.

    A confusion matrix keeps it for the next measure. An array of matrices is neither copied nor kept.
    """
    kind = type(data)
    if kind is ConfusionMatrix:
        return _kept(data)
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
    return _kept(as_matrix(data))


def _kept(cm: ConfusionMatrix) -> Ready:
    return cm.prepared(_laid_out)


def _laid_out(cm: ConfusionMatrix) -> Ready:
    if cm.is_sparse:
        return OneSparse(cm.sparse)
    if not cm.batch and cm.m <= SMALL:
        return OneMatrix.of_counts(cm.counts)
    return _of_array(cm.counts)


def _of_array(counts: Array) -> Ready:
    return MostlyEmpty(counts) if _is_mostly_empty(counts) else Prepared(counts)


def _is_mostly_empty(counts: Array) -> bool:
    """Return whether it pays to leave out the empty cells of a matrix, and their sums stay exact."""
    if counts.ndim != 2 or len(counts) < _MANY_CLASSES or counts.dtype.kind not in "iu":
        return False
    listed = int(np.count_nonzero(counts))
    return 8 * listed <= counts.size and listed * int(counts.max()) < _WHOLE


def as_matrix(data: object, argument: str = "counts") -> ConfusionMatrix:
    """Return a confusion matrix from whatever users pass in as one, in an argument that an error names."""
    if isinstance(data, ConfusionMatrix):
        return data
    try:
        return ConfusionMatrix(data)
    except GoodmeasureError as error:
        raise error.renamed(counts=argument) from None
