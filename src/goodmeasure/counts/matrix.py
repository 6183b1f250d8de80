"""The confusion matrix: counts with labels, rows true and columns predicted."""

from __future__ import annotations

import json
import operator
import threading
import unicodedata
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike

from goodmeasure.counts import matrix_bytes
from goodmeasure.counts.arguments import as_counts, as_labels, listed
from goodmeasure.counts.class_names import rest_name
from goodmeasure.counts.classes import Order
from goodmeasure.counts.matrix_json import KIND, VERSION, MatrixData, from_data, to_data
from goodmeasure.counts.matrix_parts import Fetch, MatrixParts, Weighing, both_weighed
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.counts.streaming import (
    added,
    exact_sum,
    joined,
    order_of_both,
    piece_for,
    scaled,
    subtracted,
    with_one_item,
)
from goodmeasure.counts.windows import check_factor
from goodmeasure.documents import JsonDocument, write_label
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import UndefinedMeasure
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.typing import Amount, AnyArray, Array, ArrayLike, Frame, Label, LabelsLike

_SHOWN_CLASSES = 20
_Prepared = TypeVar("_Prepared")


class ConfusionMatrix(ShownInNotebooks, JsonDocument):
    """Counts of true (rows) and predicted (columns) classes, for one matrix or a batch of shape (…, m, m).

    Counts may be integers of any size, fractions, or non-negative reals (weights, soft counts). With two classes the
    positive one is the last: ``[[TN, FP], [FN, TP]]``. Only where `confusion` counted text, whose order is that of the
    alphabet, no class is positive until you name it, as in ``f1(cm, positive="spam")``.

    >>> cm = ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])
    >>> cm.n, cm.m
    (77, 2)
    >>> cm.vs_rest("ham").counts.tolist()
    [[20, 4], [3, 50]]
    """

    __slots__ = ("_lock", "_parts", "_prepared")
    kind, version = KIND, VERSION

    def __init__(self, counts: object, labels: LabelsLike | None = None) -> None:
        order, weighing = Order(), None
        if isinstance(counts, ConfusionMatrix):
            known = counts._parts
            labels, order = (known.labels, known.order) if labels is None else (labels, order)
            weighing = known.weighing
            counts = counts.counts
        checked = as_counts(counts)
        named = as_labels(labels, checked.shape[-1])
        if weighing is not None:
            weighing = weighing.each(lambda x: ConfusionMatrix(x.counts, named))
        self._set(MatrixParts(checked, named, order, weighing=weighing))

    def _set(self, parts: MatrixParts) -> None:
        if isinstance(parts.held, np.ndarray):
            parts.held.flags.writeable = False
        # All that a matrix knows is replaced at once, so that a thread that reads never sees a half of an update.
        self._parts = parts
        self._prepared: tuple[MatrixParts, Frame] | None = None  # what `prepared` made, and of what
        self._lock = threading.Lock()  # held while `update` replaces the parts

    @classmethod
    def _counted(
        cls,
        counts: Array | Fetch | None,
        labels: tuple[Label, ...],
        order: Order,
        sparse: SparseCounts | None = None,
        dropped: float = 0,
        weighing: Weighing | None = None,
    ) -> ConfusionMatrix:
        """Return a matrix of counts that need no check: they were counted here, or `counts` fetches them when asked."""
        return cls._of(MatrixParts(counts, labels, order, sparse, dropped, weighing))

    @classmethod
    def _of(cls, parts: MatrixParts) -> ConfusionMatrix:
        matrix = cls.__new__(cls)
        matrix._set(parts)
        return matrix

    def snapshot(self) -> ConfusionMatrix:
        """Return the matrix as it is now; later updates do not change what is returned."""
        return ConfusionMatrix._of(self._parts)

    def weighed(self, items: ConfusionMatrix, squares: ConfusionMatrix) -> ConfusionMatrix:
        """Return this matrix of sums of weights with the items behind it: their number and their squared weights."""
        return ConfusionMatrix._of(self._parts._replace(weighing=Weighing(items, squares)))

    @classmethod
    def empty(cls, labels: ArrayLike = None) -> ConfusionMatrix:
        """Return an empty matrix to start a stream with; `labels` fixes the classes, else they are found as they come.

        >>> cm = ConfusionMatrix.empty()
        >>> cm.update(["a", "b"], ["a", "a"])
        >>> cm.update(["c"], ["b"])
        >>> cm.labels, cm.n
        (('a', 'b', 'c'), 3)
        """
        known = () if labels is None else as_labels(labels, len(listed(labels, "labels")))
        counts = np.zeros((len(known), len(known)), np.int64)
        return cls._counted(counts, known, Order(fixed=labels is not None))

    def update(self, y_true: object, y_pred: object, *, sample_weight: object = None, missing: str = "error") -> None:
        """Count a further piece of data into this matrix, as if all had come at once.

        >>> cm = ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])
        >>> cm.update(["ham", "spam"], ["ham", "ham"])
        >>> cm.counts.tolist()
        [[51, 3], [5, 20]]
        """
        if type(y_true) is type(y_pred) is list and len(y_true) == len(y_pred) == 1 and sample_weight is None:
            with self._lock:
                parts = with_one_item(self._parts, y_true[0], y_pred[0])
                if parts is not None and missing == "error":
                    self._parts = parts
                    return
        piece = piece_for(self, y_true, y_pred, sample_weight, missing)
        if piece is not None:
            with self._lock:
                self._parts = joined(self, piece)._parts

    def prepared(self, prepare: Callable[[ConfusionMatrix], _Prepared]) -> _Prepared:
        """Return what `prepare` makes of this matrix, made once and kept until the counts change.

        All measures pass the same function, which lays the counts out for their definitions, so that they share its
        work. The matrix only keeps the outcome.
        """
        parts, known = self._parts, self._prepared
        if known is None or known[0] is not parts:
            known = parts, prepare(ConfusionMatrix._of(parts))
            self._prepared = known
        kept: _Prepared = known[1]
        return kept

    @property
    def _order(self) -> Order:
        return self._parts.order

    @property
    def _sparse(self) -> SparseCounts | None:
        return self._parts.sparse

    @property
    def _counts(self) -> Array:
        """The counts of a matrix that is not sparse."""
        return self._counts_of(self._parts)

    @staticmethod
    def _counts_of(parts: MatrixParts) -> Array:
        found = parts.counts
        assert found is not None, "only a sparse matrix holds no counts"
        return found

    @property
    def counts(self) -> Array:
        """The counts as a read-only array; an error if there are too many classes to write them out."""
        parts = self._parts
        return self._counts_of(parts) if parts.sparse is None else parts.sparse.dense()

    @property
    def is_sparse(self) -> bool:
        """Whether only the non-zero cells are stored, because there are very many classes."""
        return self._sparse is not None

    @property
    def sparse(self) -> SparseCounts:
        """The diagonal, the class sizes and the other non-zero cells."""
        if self._sparse is not None:
            return self._sparse
        if self.batch:
            raise InputError(
                "this is a batch of {batch} matrices", batch=self.batch, advice="only one matrix has a sparse form"
            )
        return SparseCounts.from_matrix(self.labels, self._counts)

    @property
    def dropped(self) -> float:
        """The number of items left out because a label was missing."""
        return self._parts.dropped

    @property
    def weighing(self) -> Weighing | None:
        """The number of items in each cell and their squared weights, if items were weighted; otherwise None.

        >>> from goodmeasure.counts.counting import confusion
        >>> found = confusion(["a", "b", "b"], ["a", "b", "b"], sample_weight=[2, 3, 3]).weighing
        >>> found.items.counts.tolist(), found.squares.counts.tolist()
        ([[1, 0], [0, 2]], [[4.0, 0.0], [0.0, 18.0]])
        """
        return self._parts.weighing

    @property
    def item_count(self) -> int | None:
        """The number of items; None where only sums of weights are known.

        >>> ConfusionMatrix([[5, 1], [0, 4]]).item_count, ConfusionMatrix([[5.5, 1], [0, 4]]).item_count
        (10, None)
        """
        known = self._parts.weighing
        n = self.n if known is None else known.items.n
        return int(n) if float(n).is_integer() else None

    @property
    def labels(self) -> tuple[Label, ...]:
        """The class labels in the order of rows and columns."""
        return self._parts.labels

    @property
    def positive(self) -> Label:
        """The positive class of two, which is the last; None if there are more, or nothing says which it is.

        >>> ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"]).positive
        'spam'
        """
        return self.labels[-1] if self.m == 2 and self._order.stated else None

    @property
    def m(self) -> int:
        """The number of classes."""
        return len(self._parts.labels)

    @property
    def batch(self) -> tuple[int, ...]:
        """The shape of the batch; () for one matrix."""
        held = self._parts.held
        return tuple(int(k) for k in held.shape[:-2]) if isinstance(held, np.ndarray) else ()

    @property
    def n(self) -> Amount:
        """The number of items, or the sum of their weights."""
        parts = self._parts
        return parts.sparse.n if parts.sparse is not None else _unwrapped(_added(self._counts_of(parts), (-2, -1)))

    @property
    def a(self) -> Array:
        """The sizes of the true classes."""
        parts = self._parts
        return parts.sparse.a if parts.sparse is not None else _added(self._counts_of(parts), -1)

    @property
    def b(self) -> Array:
        """The sizes of the predicted classes."""
        parts = self._parts
        return parts.sparse.b if parts.sparse is not None else _added(self._counts_of(parts), -2)

    @property
    def T(self) -> ConfusionMatrix:  # noqa: N802 - as in NumPy
        """The matrix with true and predicted classes exchanged."""
        parts = self._parts
        weighing = None if parts.weighing is None else parts.weighing.each(lambda x: x.T)
        if parts.sparse is not None:
            return ConfusionMatrix._of(parts._replace(sparse=parts.sparse.transposed(), weighing=weighing))
        assert parts.counts is not None
        counts = np.ascontiguousarray(np.swapaxes(parts.counts, -1, -2))
        return ConfusionMatrix._counted(counts, parts.labels, parts.order, weighing=weighing)

    def __add__(self, other: object) -> ConfusionMatrix:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        one, two = self.snapshot(), other.snapshot()
        labels, order = order_of_both(one, two, one._order.joined(two._order))
        if one.labels != two.labels or one.is_sparse or two.is_sparse:
            return added(one, two, labels, order)
        counts, weighing = exact_sum(one._counts, two._counts), both_weighed(one, two, operator.add)
        return ConfusionMatrix._counted(counts, one.labels, order, dropped=one.dropped + two.dropped, weighing=weighing)

    def __sub__(self, other: object) -> ConfusionMatrix:
        """Return the counts without those of `other`, which must be part of them: for windows that slide along.

        >>> week = ConfusionMatrix([[5, 1], [0, 4]], labels=["no", "yes"])
        >>> (week - ConfusionMatrix([[2, 1], [0, 1]], labels=["no", "yes"])).counts.tolist()
        [[3, 0], [0, 3]]
        """
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return subtracted(self.snapshot(), other.snapshot())

    def decayed(self, factor: float) -> ConfusionMatrix:
        """Return the counts times a factor, so that older items count less; 0.5 ** (1 / k) halves them in k steps.

        >>> old = ConfusionMatrix([[8, 2], [1, 9]])
        >>> (old.decayed(0.5) + ConfusionMatrix([[1, 0], [0, 1]])).counts.tolist()
        [[5.0, 1.0], [0.5, 5.5]]
        """
        return scaled(self.snapshot(), check_factor(factor))

    def __radd__(self, other: object) -> ConfusionMatrix:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def aligned(self, labels: ArrayLike) -> ConfusionMatrix:
        """Return the same counts with rows and columns in the order of `labels`, which may name further classes.

        Of two classes, the last that is named is the positive one.
        """
        return self.arranged(labels, self._order._replace(stated=True))

    def arranged(self, labels: ArrayLike, order: Order) -> ConfusionMatrix:
        """Return the same counts with rows and columns in the order of `labels`, which `order` describes."""
        labels = as_labels(labels, len(listed(labels, "labels")))
        parts = self._parts
        place = {label: k for k, label in enumerate(labels)}
        missing = [x for x in parts.labels if x not in place]
        if missing:
            raise InputError(
                "{labels} leaves out the class {absent!r}",
                absent=missing[0],
                advice="every class of the matrix must be named",
            )
        where = np.array([place[x] for x in parts.labels], np.int64)
        weighing = None if parts.weighing is None else parts.weighing.each(lambda x: x.aligned(labels))
        held, sparse = parts.counts, parts.sparse
        if sparse is not None:
            rows, cols, values = sparse.cells()
            sparse = SparseCounts.from_cells(labels, where[rows], where[cols], values)
        else:
            assert held is not None
            counts = np.zeros((*held.shape[:-2], len(labels), len(labels)), dtype=held.dtype)
            counts[..., where[:, None], where] = held
            held = counts
        return ConfusionMatrix._of(
            parts._replace(held=held, labels=labels, order=order, sparse=sparse, weighing=weighing)
        )

    def _restricted(self, labels: tuple[Label, ...]) -> ConfusionMatrix:
        """Return the counts of some of the classes alone, in the order that they have here; the others are left out."""
        now = self.snapshot()
        keep = np.array([k for k, label in enumerate(now.labels) if label in set(labels)], np.int64)
        weighing = None if now.weighing is None else now.weighing.each(lambda x: x._restricted(labels))
        counts = now.counts[np.ix_(keep, keep)]
        return ConfusionMatrix._counted(counts, labels, now._order, dropped=now.dropped, weighing=weighing)

    def vs_rest(self, label: object) -> ConfusionMatrix:
        """Return the 2×2 matrix of one class, as the positive one, against all others."""
        now = self.snapshot()
        i, weighing = now._position(label), now.weighing
        sparse = now._sparse
        cells = now._counts_vs_rest(i) if sparse is None else np.array(sparse.vs_rest(i))
        if weighing is not None:
            weighing = weighing.each(lambda x: x.vs_rest(label))
        return ConfusionMatrix._counted(cells, (now._name_of_rest(i), label), Order(), weighing=weighing)

    def _counts_vs_rest(self, i: int) -> Array:
        counts = self._counts
        others = [j for j in range(self.m) if j != i]
        hit = counts[..., i, i]
        fn = _added(counts[..., i, others], -1)
        fp = _added(counts[..., others, i], -1)
        if counts.dtype.kind in "iu":  # subtraction of integers is exact
            tn = _added(counts, (-2, -1)) - fn - fp - hit
        else:
            tn = _added(counts[..., others, :][..., others], (-2, -1))
        return np.stack([np.stack([tn, fp], -1), np.stack([fn, hit], -1)], -2)

    def _name_of_rest(self, i: int) -> Label:
        """Return what all classes but the i-th are called together."""
        others = self.labels[:i] + self.labels[i + 1 :]
        named = len(others) == 1 and others[0] is not None  # the class of missing labels has no name
        return others[0] if named else rest_name(self.labels[i], self.labels)

    def _position(self, label: object, argument: str = "label") -> int:
        try:
            return self.labels.index(label)
        except ValueError:
            raise InputError(
                "{got!r} is not a class of this matrix",
                argument=argument,
                got=label,
                listed=_listed(self.labels),
                advice="its labels are {listed}",
            ) from None

    def with_positive(self, label: object) -> ConfusionMatrix:
        """Return the matrix of two classes with `label` as the positive one, so the last, against all others."""
        self._position(label, "positive")
        return self.vs_rest(label)

    def calibrated(self) -> ConfusionMatrix:
        """Return the matrix as if every true class were equally frequent: c_ij·n/(m·a_i)."""
        now = self.snapshot()
        sizes = now.a
        if np.any(sizes == 0):
            empty = int(np.argwhere(sizes == 0)[0][-1])
            raise UndefinedMeasure(
                "class {label!r} has no true items: a matrix with an empty class cannot be calibrated",
                label=now.labels[empty],
                reasons=["a class has no true items"],
            )
        if now._sparse is None and now._counts.dtype.kind == "O":
            total = Fraction(_added(now._counts, (-2, -1)))
            exact = [
                [Fraction(c) * total / (now.m * Fraction(size)) for c in row]
                for row, size in zip(now._counts, sizes, strict=True)
            ]
            return ConfusionMatrix._counted(as_counts(exact), now.labels, now._order)
        return scaled(now, np.asarray(now.n)[..., None] / (now.m * sizes))

    def shares(self, of: str = "all") -> Array:
        """Return the cells as shares: of their true class ("true"), of their predicted class, or of all items.

        With "true" the rows add up to 1, with "predicted" the columns, with "all" the whole matrix. The shares of a
        class without items are NaN.

        >>> cm = ConfusionMatrix([[6, 2], [1, 1]], labels=["ham", "spam"])
        >>> cm.shares("true").tolist()
        [[0.75, 0.25], [0.5, 0.5]]
        >>> cm.shares().tolist()
        [[0.6, 0.2], [0.1, 0.1]]
        """
        now = self.snapshot()
        wholes = {
            "true": lambda: np.asarray(now.a)[..., :, None],
            "predicted": lambda: np.asarray(now.b)[..., None, :],
            "all": lambda: np.asarray(now.n)[..., None, None],
        }
        if not isinstance(of, str) or of not in wholes:
            raise InputError("{of} is {got!r}", got=of, advice="use 'true', 'predicted' or 'all'")
        counts = now.counts
        whole = np.broadcast_to(wholes[of](), counts.shape)
        if counts.dtype.kind == "O":  # integers beyond 64 bits, and fractions, divide exactly before rounding
            pairs = zip(counts.ravel(), whole.ravel(), strict=True)
            shares = [float(Fraction(x) / Fraction(y)) if y else np.nan for x, y in pairs]
            return np.array(shares).reshape(counts.shape)
        found: Array = np.full(counts.shape, np.nan)
        np.divide(counts, whole, out=found, where=whole != 0)
        return found

    def to_json(self) -> str:
        """Return the matrix as a JSON text that `from_json` reads back without loss: counts of any kind, labels, n.

        >>> cm = ConfusionMatrix([[1, 2], [3, 4]], labels=["no", "yes"])
        >>> ConfusionMatrix.from_json(cm.to_json()) == cm
        True
        """
        for label in self.labels:
            write_label(label, strict=True)
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def _stored(self) -> MatrixData:
        """Return what a document holds."""
        return cast("MatrixData", to_data(self._parts))

    @classmethod
    def _restored(cls, data: MatrixData) -> ConfusionMatrix:
        """Return the matrix that a document holds."""
        return cls._read(from_data(data))

    def to_bytes(self) -> bytes:
        """Return the matrix as bytes that `from_bytes` reads back without loss, with a version and a checksum.

        >>> cm = ConfusionMatrix([[1, 2], [3, 4]], labels=["no", "yes"])
        >>> ConfusionMatrix.from_bytes(cm.to_bytes()) == cm
        True
        """
        return matrix_bytes.to_bytes(self._parts)

    @classmethod
    def from_bytes(cls, data: object) -> ConfusionMatrix:
        """Return the matrix that bytes of `to_bytes` stand for; bytes that were damaged are refused."""
        return cls._read(matrix_bytes.from_bytes(data))

    def to_arrow(self) -> Frame:
        """Return the non-zero cells as an Arrow table (true, predicted, count) that `from_arrow` reads back."""
        return matrix_bytes.to_arrow(self._parts)

    @classmethod
    def from_arrow(cls, table: object) -> ConfusionMatrix:
        """Return the matrix that an Arrow table of `to_arrow` stands for."""
        return cls._read(matrix_bytes.from_arrow(table))

    @classmethod
    def _read(cls, parts: MatrixParts) -> ConfusionMatrix:
        return cls._of(parts._replace(labels=as_labels(parts.labels, len(parts.labels))))

    def __array__(self, dtype: DTypeLike | None = None, copy: object = None) -> Array:
        return np.array(self.counts, dtype=dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        one, two = self.snapshot(), other.snapshot()
        if one.is_sparse or two.is_sparse:
            mine, theirs = one.sparse.cells(), two.sparse.cells()
            return one.labels == two.labels and all(map(np.array_equal, mine, theirs))
        return (
            one.labels == two.labels
            and one._counts.shape == two._counts.shape
            and bool(np.all(one._counts == two._counts))
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        parts = self._parts
        return ConfusionMatrix._counted, tuple(parts._replace(held=parts.counts))

    def __repr__(self) -> str:
        now = self.snapshot()
        if now.batch:
            shape = " x ".join(map(str, now.batch))
            return f"ConfusionMatrix: batch of {shape} matrices, {now.m} classes ({_listed(now.labels)})"
        if now.m > _SHOWN_CLASSES:
            kept = ", sparse" if now.is_sparse else ""
            items = f"{_count_text(now.n)} items"
            if now.weighing is not None:
                items = f"{now.item_count} items of weight {_count_text(now.n)}"
            return f"ConfusionMatrix: {now.m} classes ({_listed(now.labels)}), {items}{kept}"
        if now.m == 0:
            return "ConfusionMatrix: no classes yet"
        return _table(now._counts, now.labels)


def in_one_order(matrices: Sequence[ConfusionMatrix], names: Sequence[object]) -> list[ConfusionMatrix]:
    """Return matrices with their classes in the order of the first; matrices without class names stay unchanged.

    >>> a, b = ConfusionMatrix([[1, 2], [3, 4]], ["no", "yes"]), ConfusionMatrix([[4, 3], [2, 1]], ["yes", "no"])
    >>> [x.counts.tolist() for x in in_one_order([a, b], ["A", "B"])]
    [[[1, 2], [3, 4]], [[1, 2], [3, 4]]]
    """
    first = next((k for k, x in enumerate(matrices) if not _is_bare(x)), 0)
    labels, found = matrices[first].labels, []
    for name, x in zip(names, matrices, strict=True):
        if x.labels == labels or (_is_bare(x) and set(x.labels) != set(labels)):
            found.append(x)
        elif set(x.labels) == set(labels):
            found.append(x.arranged(labels, matrices[first]._order))
        else:
            other = next(label for label in (*x.labels, *labels) if (label in labels) != (label in x.labels))
            raise InputError(
                "the matrices of {first!r} and {second!r} have different classes ({other!r} is in one only)",
                first=names[first],
                second=name,
                other=other,
                advice="count both with the same {labels:=}",
            )
    return found


def stacked(matrices: Sequence[ConfusionMatrix]) -> ConfusionMatrix:
    """Return matrices of the same classes as a batch, which knows a positive class if each of them does.

    >>> a, b = ConfusionMatrix([[1, 2], [3, 4]], ["no", "yes"]), ConfusionMatrix([[4, 3], [2, 1]], ["yes", "no"])
    >>> stacked([a, b]).batch, stacked([a, b]).positive
    ((2,), 'yes')
    """
    alike = in_one_order(matrices, range(len(matrices)))
    order = alike[0]._order._replace(stated=all(x.m != 2 or x._order.stated for x in matrices))
    return ConfusionMatrix._counted(np.stack([x.counts for x in alike]), alike[0].labels, order)


def _is_bare(matrix: ConfusionMatrix) -> bool:
    """Return whether the classes are only numbered."""
    return matrix.labels == tuple(range(matrix.m))


def _added(array: Array, axis: int | tuple[int, int]) -> AnyArray:
    """Return a sum in which integers stay exact: sums that could overflow 64 bits are computed in Python integers.

    The result is an array, or a scalar if no axis is left; NumPy's types cannot express this.
    """
    if array.dtype.kind in "iu" and array.size and float(array.max()) * array.size >= 2**63:
        array = array.astype(object)
    return array.sum(axis=axis)


def _unwrapped(value: AnyArray) -> Amount:
    plain: Amount = value.item() if isinstance(value, np.generic) else value
    return plain


def _listed(labels: tuple[Label, ...]) -> str:
    shown = ", ".join(repr(x) for x in labels[:6])
    return shown if len(labels) <= 6 else f"{shown}, … {labels[-1]!r}"


def _count_text(x: object) -> str:
    return f"{x:g}" if isinstance(x, float) else str(x)


def _clean(label: object, width: int = 24) -> str:
    """Return a label on one line and of bounded width."""
    text = " ".join(str(label).split()) or repr(label)
    return text if len(text) <= width else text[: width - 1] + "…"


def _table(counts: Array, labels: tuple[Label, ...]) -> str:
    corner = "true \\ predicted"
    names = [_clean(x) for x in labels]
    cells = [[_count_text(x) for x in row] for row in counts.tolist()]
    first = max(map(_width, [corner, *names]))
    widths = [max(_width(x) for x in (name, *(row[j] for row in cells))) for j, name in enumerate(names)]
    lines = []
    for start, row in zip([corner, *names], [names, *cells], strict=True):
        padded = (" " * (w - _width(x)) + x for x, w in zip(row, widths, strict=True))
        lines.append("  ".join([start + " " * (first - _width(start)), *padded]))
    return "\n".join(lines)


def _width(text: str) -> int:
    """Return how many columns a text takes up on a terminal."""
    wide = sum(unicodedata.east_asian_width(x) in "WF" for x in text)
    return len(text) + wide - sum(unicodedata.combining(x) > 0 for x in text)
