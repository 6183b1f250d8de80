"""Running a definition on counts: one matrix or a batch, in floats, exactly, or step by step."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from goodmeasure.counts.arguments import as_counts, small_rows
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.exceptions import InputError
from goodmeasure.language.floats.cell_sums import plain
from goodmeasure.language.floats.one_matrix import PlainView, SoftView
from goodmeasure.language.policy import RESOLVE, LeaveOut, Note, Policy
from goodmeasure.language.view import shortest
from goodmeasure.typing import Array

Definition = Callable[[Any], Any]

SMALL = 12  # up to this many classes, one matrix is fastest on plain Python numbers
_MANY_CLASSES = 200  # from this many classes on, it pays to leave out the empty cells of a matrix
_CELLS_AT_ONCE = 1 << 17  # cells of a block of matrices: 1 MB of floats, which stays in the processor's cache
_WHOLE = 2.0**53  # integers below this are exact as floats, so sums of whole counts are too
_SQUARE = 2.0**26  # if n is below this, products of two counts are below 2^52 and exact as floats
_FAR = 1e70  # the fourth power is 1e280: beyond this, products of four counts may leave the range of floats


def on_rows(definition: Definition, rows: list[list[Any]], policy: Policy) -> float:
    """Return the value for one small matrix given as rows of plain numbers."""
    return on_view(definition, plain_view(rows, policy))


def plain_view(rows: list[list[Any]], policy: Policy) -> Any:
    """Return the view of one small matrix, of integers if all counts are whole."""
    if not any(map(any, rows)):
        raise InputError("{counts} holds no items", advice="a measure needs at least one")
    for row in rows:
        for x in row:
            if type(x) is not int:
                if type(x) is float and x.is_integer():
                    continue
                return _marked(SoftView([[float(x) for x in row] for row in rows], policy))
    return _marked(PlainView([[int(x) for x in row] for row in rows], policy))


def _marked(view: Any) -> Any:
    """Return the view, marked if products of its counts would leave the range of floats."""
    view.far = any(x > _FAR or 0 < x < 1 / _FAR for row in view.cells for x in row)
    return view


def small_view(counts: Any) -> Any:
    """Return the view of one small matrix under the default policy; None for anything else."""
    if type(counts) is ConfusionMatrix:
        if counts._view is None and not counts.is_sparse and not counts.batch and counts.m <= SMALL:
            counts._view = plain_view(_plain_rows(counts), RESOLVE)
        return counts._view
    rows = small_rows(counts, SMALL)
    return None if rows is None else plain_view(rows, RESOLVE)


def on_view(definition: Definition, view: Any) -> float:
    """Return the value on a view of plain numbers, computed exactly if floats would overflow or underflow."""
    try:
        if not view.far:
            return as_float(_outermost(definition, view)) + 0.0  # adding 0.0 turns −0.0 into 0.0
    except OverflowError:  # an integer was too large for a float
        pass
    return float(on_exact(definition, view.cells, view.policy))


def _outermost(definition: Definition, view: Any) -> Any:
    """Return the value of a definition; a rule that leaves a class out outside of any sum makes it undefined."""
    try:
        return definition(view)
    except LeaveOut:
        return view.undefined()


class NotANumber(TypeError):  # noqa: N818 - it names what came back
    """The definition returned something that is not a real number; `shown` describes what it returned."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.shown = f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else repr(value)
        super().__init__(f"the definition returned {self.shown}: a measure is a function of c that returns a number")


def as_float(value: Any) -> float:
    """Return the value of a definition as a float; refuse what is not a number."""
    if type(value) is float:
        return value
    if isinstance(value, _NO_NUMBERS) or not hasattr(value, "__float__") or getattr(value, "ndim", 0) > 0:
        raise NotANumber(value)
    return float(value)


_NO_NUMBERS = (str, bytes, complex, np.complexfloating)  # NumPy would drop the imaginary part of a complex number


def on_matrix(definition: Definition, cm: ConfusionMatrix, policy: Policy) -> Any:
    """Return the value for a confusion matrix: a float, or an array for a batch."""
    if cm.is_sparse:
        return on_sparse(definition, cm, policy)
    if cm.batch or cm.m > SMALL:
        if _is_mostly_empty(cm):
            try:
                return on_sparse(definition, cm, policy)
            except TypeError:  # this measure needs every cell
                pass
        values = on_batch(definition, prepared(cm), policy)
        return values.reshape(cm.batch) if cm.batch else float(values[0])
    return on_rows(definition, _plain_rows(cm), policy)


def _is_mostly_empty(cm: ConfusionMatrix) -> bool:
    """Return whether a matrix of many classes has so few non-zero cells that listing them is faster."""
    if cm._listed is None:
        many = cm.m >= _MANY_CLASSES and not cm.batch and cm.counts.dtype.kind in "iu"
        cm._listed = _listed(cm) if many and 8 * np.count_nonzero(cm.counts) <= cm.m**2 else ()
    return bool(cm._listed)


def _listed(cm: ConfusionMatrix) -> tuple[Any, bool, bool]:
    """Return the non-zero cells, whether they are whole, and whether products of two counts are exact."""
    from goodmeasure.language.floats.very_many_classes import Cells

    s, n = cm.sparse, float(cm.n)
    if n == 0:
        raise InputError("{counts} holds no items", advice="a measure needs at least one")
    a, b, diagonal = (x.astype(np.float64) for x in (s.a, s.b, s.diagonal))
    known = Cells(a, b, diagonal, lambda: (s.rows, s.cols, s.values.astype(np.float64)))
    return known, n < _WHOLE and s.a.dtype.kind in "iu", n < _SQUARE


def on_sparse(definition: Definition, cm: ConfusionMatrix, policy: Policy) -> float:
    """Return the value for a matrix of which only the class sizes, the diagonal and the non-zero cells are read."""
    from goodmeasure.language.floats.batches import Run
    from goodmeasure.language.floats.very_many_classes import SparseView

    if cm._listed is None:
        cm._listed = _listed(cm)
    cells, whole, small = cm._listed
    with np.errstate(all="ignore"):
        view = SparseView(cells, Run(np, policy, products_are_exact=whole and small), whole=whole)
        return float(np.ravel(plain(definition(view)))[0]) + 0.0


class SparseBatch:
    """Matrices that share their non-zero cells, which are listed: values have the shape (cells, batch)."""

    def __init__(self, m: int, rows: Array, cols: Array, values: Array, *, whole: bool) -> None:
        from goodmeasure.language.floats.very_many_classes import Cells, added_by

        hit = rows == cols
        diagonal = np.zeros((m, values.shape[1]))
        diagonal[rows[hit]] = values[hit]
        rows, cols, values = rows[~hit], cols[~hit], values[~hit]
        off = added_by(rows, values, m), added_by(cols, values, m)
        self.cells = Cells(off[0] + diagonal, off[1] + diagonal, diagonal, lambda: (rows, cols, values), off)
        self.whole = whole
        self.largest = float(self.cells.a.sum(axis=0).max(initial=0.0))


def on_sparse_batch(definition: Definition, batch: SparseBatch, policy: Policy) -> Array:
    """Return the values for every matrix of a sparse batch."""
    from goodmeasure.language.floats.batches import Run
    from goodmeasure.language.floats.very_many_classes import SparseView

    run = Run(np, policy, products_are_exact=batch.whole and batch.largest < _SQUARE)
    with np.errstate(all="ignore"):
        values = plain(definition(SparseView(batch.cells, run, whole=batch.whole)))
    return np.broadcast_to(values, batch.cells.diagonal.shape[1:]) + 0.0


def on_batch_array(definition: Definition, counts: Array, policy: Policy) -> Array:
    """Return the values for an array of matrices that is measured once, so neither copied nor kept."""
    batch = Prepared(as_counts(counts, copy=False))
    return on_batch(definition, batch, policy).reshape(counts.shape[:-2])


def _plain_rows(cm: ConfusionMatrix) -> list[list[Any]]:
    return [[float(x) if isinstance(x, Fraction) else x for x in row] for row in cm.counts.tolist()]


class Prepared:
    """A batch in the layout that views compute with: floats of shape (m, m, batch), and what is known of them.

    `whole` says that all sums of counts are exact, `far` lists the matrices whose products would leave the range of
    floats, and `counts` are the original numbers, from which these are computed exactly.
    """

    __slots__ = ("_margins", "cells", "counts", "far", "largest", "uses", "whole")

    def __init__(self, counts: Array) -> None:
        m = counts.shape[-1]
        self.counts = counts.reshape(-1, m, m)
        self.cells = np.ascontiguousarray(np.moveaxis(self.counts, 0, -1), np.float64)  # does not copy a single matrix
        sizes = self.cells.sum(axis=(0, 1))
        self.largest = float(sizes.max(initial=0.0))
        if (sizes == 0).any():
            which = "counts" if len(sizes) == 1 else f"matrix {int(np.flatnonzero(sizes == 0)[0])} of the batch"
            raise ValueError(f"{which} holds no items: a measure needs at least one")
        kind = counts.dtype.kind
        exact = kind in "iu" or (kind == "f" and bool((self.cells == np.rint(self.cells)).all()))
        self.whole = bool(exact and self.largest < _WHOLE)
        self.uses = 0
        self._margins: dict[str, Any] | None = None
        smallest = np.where(self.cells > 0, self.cells, np.inf).min(axis=(0, 1)) if not self.whole else sizes
        self.far = np.flatnonzero((sizes > _FAR) | (smallest < 1 / _FAR))

    @classmethod
    def laid_out(
        cls, cells: Array, *, whole: bool, largest: float | None = None, sums: tuple[Array, ...] | None = None
    ) -> Prepared:
        """Return a batch from counts that have the layout already, each matrix with at least one item.

        `largest` is the size of the largest matrix, if it is known; `sums` are the margins of whole counts of two
        classes, those that all matrices share as arrays of one number.
        """
        batch = cls.__new__(cls)
        batch.cells, batch.counts, batch.whole = cells, np.moveaxis(cells, -1, 0), whole
        batch.largest = float(cells.sum(axis=(0, 1)).max(initial=0.0)) if largest is None else largest
        batch.uses, batch._margins = 0, None if sums is None else {"sums": sums}
        far = batch.largest > _FAR or (not whole and float(cells.min(initial=1.0, where=cells > 0)) < 1 / _FAR)
        batch.far = np.arange(cells.shape[2] if far else 0)
        return batch

    def margins(self, block: slice) -> dict[str, Any] | None:
        """Return the sums of a block of whole counts, added up once for all measures; None if they are not kept."""
        if self._margins is None:
            if not self.whole or self.uses < 2:  # a single measure needs only few of the sums
                return None
            from goodmeasure.language.floats.more_classes import margins

            self._margins = margins(self.cells, np)
        return {key: _block(value, block) for key, value in self._margins.items()}


def _block(value: Any, block: slice) -> Any:
    """Return the part of a sum that belongs to a block; arrays of one number hold for all blocks."""
    if isinstance(value, bool):
        return value
    return tuple(x if len(x) == 1 else x[block] for x in value) if isinstance(value, tuple) else value[..., block]


def prepared(cm: ConfusionMatrix) -> Prepared:
    """Return the batch layout of a confusion matrix, made once."""
    if cm._prepared is None:
        cm._prepared = Prepared(cm.counts)
    return cm._prepared  # type: ignore[no-any-return]


def on_batch(definition: Definition, batch: Prepared, policy: Policy) -> Array:
    """Return the values for every matrix of a batch, block by block."""
    from goodmeasure.language.floats.batches import Run
    from goodmeasure.language.floats.more_classes import batch_view

    m, total = batch.cells.shape[0], batch.cells.shape[2]
    step = max(1, _CELLS_AT_ONCE // (m * m))
    values = np.empty(total)
    batch.uses += 1
    run = Run(np, policy, products_are_exact=batch.whole and batch.largest < _SQUARE)
    with np.errstate(all="ignore"):
        for start in range(0, total, step):
            block = slice(start, start + step)
            view = batch_view(batch.cells[:, :, block], run, whole=batch.whole, known=batch.margins(block))
            np.add(plain(definition(view)), 0.0, out=values[block])  # adding 0.0 turns −0.0 into 0.0
            view.release()
    for k in batch.far:
        values[k] = float(on_exact(definition, batch.counts[k].tolist(), policy))
    return values


def on_arrays(definition: Definition, counts: Any, policy: Policy) -> Any:
    """Return the values on arrays of another library (PyTorch, JAX, CuPy, …), on their device and with gradients."""
    from goodmeasure.language.floats.batches import Run
    from goodmeasure.language.floats.more_classes import batch_view

    xp = namespace(counts)
    if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2]:
        raise InputError(
            "{counts} has shape {shape}",
            shape=tuple(counts.shape),
            advice="a confusion matrix is square, one row and column per class",
        )
    batch, m = tuple(counts.shape[:-2]), counts.shape[-1]
    if not xp.isdtype(counts.dtype, "real floating"):
        counts = xp.astype(counts, xp.float64)
    flat = xp.reshape(counts, (-1, m, m))
    cells = xp.permute_dims(flat, (1, 2, 0))
    values = plain(definition(batch_view(cells, Run(xp, policy), whole=False)))
    if isinstance(values, (int, float)):
        values = xp.full((flat.shape[0],), float(values), dtype=counts.dtype)
    return xp.reshape(values, batch) if batch else values[0]


def is_foreign(x: Any) -> bool:
    """Return whether x is an array of a library other than NumPy."""
    if type(x) in (ConfusionMatrix, list, tuple, np.ndarray):
        return False
    return not isinstance(x, np.ndarray) and (
        hasattr(x, "__array_namespace__") or type(x).__module__.split(".")[0] == "torch"
    )


def namespace(x: Any) -> Any:
    """Return the array API namespace of an array."""
    if type(x).__module__.split(".")[0] == "torch":
        try:
            import array_api_compat.torch as xp
        except ImportError:
            raise ImportError("PyTorch tensors need the extra: pip install 'goodmeasure[torch]'") from None
        return xp
    return x.__array_namespace__()


def on_exact(definition: Definition, counts: Any, policy: Policy) -> Any:
    """Return the exact value for one matrix; a float count stands for its shortest decimal."""
    from goodmeasure.language.exact.exact_matrix import ExactView
    from goodmeasure.language.exact.reals import Exact

    rows = [[Exact.of(_exact_count(x)) for x in row] for row in counts]
    value = _outermost(definition, ExactView(rows, policy))
    if not isinstance(value, Exact):
        value = Exact.of(value if isinstance(value, (int, Fraction)) else as_float(value))
    return value


def worked(definition: Definition, counts: Any, policy: Policy) -> tuple[Any, list[Note]]:
    """Return the value with the steps that led to it, and notes on the rules that acted."""
    from goodmeasure.language.printing.worked_steps import WorkedView, traced

    view = WorkedView([[_exact_count(x) for x in row] for row in counts], policy)
    return traced(_outermost(definition, view)), view.notes


def _exact_count(x: Any) -> Any:
    """Return a count as an integer if it is whole, else as a fraction."""
    fraction = shortest(x)
    return fraction.numerator if fraction.denominator == 1 else fraction


def as_matrix(data: Any) -> ConfusionMatrix:
    """Return a confusion matrix from whatever users pass in as one."""
    return data if isinstance(data, ConfusionMatrix) else ConfusionMatrix(data)
