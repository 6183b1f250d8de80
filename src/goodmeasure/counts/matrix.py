"""The confusion matrix: counts with labels, rows true and columns predicted."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from goodmeasure.counts import matrix_bytes
from goodmeasure.counts.arguments import as_counts, as_labels, listed
from goodmeasure.counts.class_names import rest_name
from goodmeasure.counts.classes import Order
from goodmeasure.counts.matrix_json import from_data, loaded, to_data
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.counts.streaming import added, exact_sum, scaled, subtracted, with_piece
from goodmeasure.counts.windows import check_factor
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import UndefinedMeasure
from goodmeasure.notebooks import ShownInNotebooks
from goodmeasure.typing import Amount, AnyArray, Array, ArrayLike, Frame, Label, LabelsLike

if TYPE_CHECKING:
    from goodmeasure.counts.matrix_json import Parts

_SHOWN_CLASSES = 20
Fetch = Callable[[], Array]  # copies counts from the device where they were counted
_Prepared = TypeVar("_Prepared")


class ConfusionMatrix(ShownInNotebooks):
    """Counts of true (rows) and predicted (columns) classes, for one matrix or a batch of shape (…, m, m).

    Counts may be integers of any size, fractions, or non-negative reals (weights, soft counts). With two classes the
    positive one is the last: ``[[TN, FP], [FN, TP]]``.

    >>> cm = ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"])
    >>> cm.n, cm.m
    (77, 2)
    >>> cm.vs_rest("ham").counts.tolist()
    [[20, 4], [3, 50]]
    """

    __slots__ = ("_dropped", "_held", "_labels", "_order", "_prepared", "_sparse")

    def __init__(self, counts: object, labels: LabelsLike | None = None) -> None:
        if isinstance(counts, ConfusionMatrix):
            labels = counts.labels if labels is None else labels
            counts = counts.counts
        checked = as_counts(counts)
        self._set(checked, as_labels(labels, checked.shape[-1]), Order())

    def _set(
        self,
        counts: Array | Fetch | None,
        labels: tuple[Label, ...],
        order: Order,
        sparse: SparseCounts | None = None,
        dropped: float = 0,
    ) -> None:
        if isinstance(counts, np.ndarray):
            counts.flags.writeable = False
        self._held = counts  # None if the matrix is sparse
        self._labels = labels
        self._order = order
        self._sparse = sparse
        self._dropped = dropped
        self._prepared: Frame = None  # what `prepared` made

    @classmethod
    def _counted(
        cls,
        counts: Array | Fetch | None,
        labels: tuple[Label, ...],
        order: Order,
        sparse: SparseCounts | None = None,
        dropped: float = 0,
    ) -> ConfusionMatrix:
        """Return a matrix of counts that need no check: they were counted here, or `counts` fetches them when asked."""
        matrix = cls.__new__(cls)
        matrix._set(counts, labels, order, sparse, dropped)
        return matrix

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
        more = with_piece(self, y_true, y_pred, sample_weight, missing)
        if more is not None:
            self._set(more._held, more._labels, more._order, more._sparse, more._dropped)

    def prepared(self, prepare: Callable[[ConfusionMatrix], _Prepared]) -> _Prepared:
        """Return what `prepare` makes of this matrix, made once and kept until the counts change.

        All measures pass the same function, which lays the counts out for their definitions, so that they share its
        work. The matrix only keeps the outcome.
        """
        if self._prepared is None:
            self._prepared = prepare(self)
        kept: _Prepared = self._prepared
        return kept

    @property
    def _counts(self) -> Array:
        """The counts of a matrix that is not sparse; what is kept on another device is fetched once."""
        held = self._held
        if isinstance(held, np.ndarray):
            return held
        assert held is not None, "only a sparse matrix holds no counts"
        counts = held()
        counts.flags.writeable = False
        self._held = counts
        return counts

    @property
    def _dense(self) -> Array | None:
        return None if self._held is None else self._counts

    @property
    def counts(self) -> Array:
        """The counts as a read-only array; an error if there are too many classes to write them out."""
        return self._sparse.dense() if self._sparse is not None else self._counts

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
        return SparseCounts.from_matrix(self._labels, self._counts)

    @property
    def dropped(self) -> float:
        """The number of items left out because a label was missing."""
        return self._dropped

    @property
    def labels(self) -> tuple[Label, ...]:
        """The class labels in the order of rows and columns."""
        return self._labels

    @property
    def m(self) -> int:
        """The number of classes."""
        return len(self._labels)

    @property
    def batch(self) -> tuple[int, ...]:
        """The shape of the batch; () for one matrix."""
        return tuple(int(k) for k in self._held.shape[:-2]) if isinstance(self._held, np.ndarray) else ()

    @property
    def n(self) -> Amount:
        """The number of items, or the sum of their weights."""
        return self._sparse.n if self._sparse is not None else _unwrapped(_added(self._counts, (-2, -1)))

    @property
    def a(self) -> Array:
        """The sizes of the true classes."""
        return self._sparse.a if self._sparse is not None else _added(self._counts, -1)

    @property
    def b(self) -> Array:
        """The sizes of the predicted classes."""
        return self._sparse.b if self._sparse is not None else _added(self._counts, -2)

    @property
    def T(self) -> ConfusionMatrix:  # noqa: N802 - as in NumPy
        """The matrix with true and predicted classes exchanged."""
        if self._sparse is not None:
            return ConfusionMatrix._counted(None, self._labels, self._order, self._sparse.transposed(), self._dropped)
        return ConfusionMatrix(np.swapaxes(self._counts, -1, -2), self._labels)

    def __add__(self, other: object) -> ConfusionMatrix:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        order = self._order.joined(other._order)
        if self.is_sparse or other.is_sparse:
            return added(self, other, order.arranged((*self._labels, *other._labels)), order)
        if self._labels != other._labels:
            union = order.arranged((*self._labels, *other._labels))
            return self.aligned(union) + other.aligned(union)
        counts = exact_sum(self._counts, other._counts)
        return ConfusionMatrix._counted(counts, self._labels, order, dropped=self._dropped + other._dropped)

    def __sub__(self, other: object) -> ConfusionMatrix:
        """Return the counts without those of `other`, which must be part of them: for windows that slide along.

        >>> week = ConfusionMatrix([[5, 1], [0, 4]], labels=["no", "yes"])
        >>> (week - ConfusionMatrix([[2, 1], [0, 1]], labels=["no", "yes"])).counts.tolist()
        [[3, 0], [0, 3]]
        """
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return subtracted(self, other)

    def decayed(self, factor: float) -> ConfusionMatrix:
        """Return the counts times a factor, so that older items count less; 0.5 ** (1 / k) halves them in k steps.

        >>> old = ConfusionMatrix([[8, 2], [1, 9]])
        >>> (old.decayed(0.5) + ConfusionMatrix([[1, 0], [0, 1]])).counts.tolist()
        [[5.0, 1.0], [0.5, 5.5]]
        """
        return scaled(self, check_factor(factor))

    def __radd__(self, other: object) -> ConfusionMatrix:
        return self if isinstance(other, int) and other == 0 else NotImplemented  # so that sum() works

    def aligned(self, labels: ArrayLike) -> ConfusionMatrix:
        """Return the same counts with rows and columns in the order of `labels`, which may name further classes."""
        labels = as_labels(labels, len(listed(labels, "labels")))
        place = {label: k for k, label in enumerate(labels)}
        missing = [x for x in self._labels if x not in place]
        if missing:
            raise InputError(
                "{labels} leaves out the class {absent!r}",
                absent=missing[0],
                advice="every class of the matrix must be named",
            )
        where = np.array([place[x] for x in self._labels], np.int64)
        if self._sparse is not None:
            rows, cols, values = self._sparse.cells()
            sparse = SparseCounts.from_cells(labels, where[rows], where[cols], values)
            return ConfusionMatrix._counted(None, labels, self._order, sparse, self._dropped)
        counts = np.zeros((*self.batch, len(labels), len(labels)), dtype=self._counts.dtype)
        counts[..., where[:, None], where] = self._counts
        return ConfusionMatrix._counted(counts, labels, self._order, dropped=self._dropped)

    def vs_rest(self, label: object) -> ConfusionMatrix:
        """Return the 2×2 matrix of one class, as the positive one, against all others."""
        i = self._position(label)
        if self._sparse is not None:
            return ConfusionMatrix(self._sparse.vs_rest(i), (rest_name(label, self._labels), label))
        others = [j for j in range(self.m) if j != i]
        hit = self._counts[..., i, i]
        fn = _added(self._counts[..., i, others], -1)
        fp = _added(self._counts[..., others, i], -1)
        if self._counts.dtype.kind in "iu":  # subtraction of integers is exact
            tn = _added(self._counts, (-2, -1)) - fn - fp - hit
        else:
            tn = _added(self._counts[..., others, :][..., others], (-2, -1))
        cells = np.stack([np.stack([tn, fp], -1), np.stack([fn, hit], -1)], -2)
        named = len(others) == 1 and self._labels[others[0]] is not None  # the class of missing labels has no name
        rest = self._labels[others[0]] if named else rest_name(label, self._labels)
        return ConfusionMatrix(cells, (rest, label))

    def _position(self, label: object, argument: str = "label") -> int:
        try:
            return self._labels.index(label)
        except ValueError:
            raise InputError(
                "{got!r} is not a class of this matrix",
                argument=argument,
                got=label,
                listed=_listed(self._labels),
                advice="its labels are {listed}",
            ) from None

    def with_positive(self, label: object) -> ConfusionMatrix:
        """Return the matrix of two classes with `label` as the positive one, so the last, against all others."""
        self._position(label, "positive")
        return self.vs_rest(label)

    def calibrated(self) -> ConfusionMatrix:
        """Return the matrix as if every true class were equally frequent: c_ij·n/(m·a_i)."""
        sizes = self.a[..., :, None]
        if np.any(sizes == 0):
            empty = int(np.argwhere(sizes[..., 0] == 0)[0][-1])
            raise UndefinedMeasure(
                "class {label!r} has no true items: a matrix with an empty class cannot be calibrated",
                label=self._labels[empty],
                reasons=["a class has no true items"],
            )
        if self._sparse is not None:
            return ConfusionMatrix._counted(None, self._labels, self._order, self._sparse.calibrated())
        n = np.asarray(self.n)[..., None, None]
        if self._counts.dtype.kind == "O":
            total = Fraction(_added(self._counts, (-2, -1)))
            exact = [
                [Fraction(c) * total / (self.m * Fraction(size[0])) for c in row]
                for row, size in zip(self._counts, sizes, strict=True)
            ]
            return ConfusionMatrix(exact, self._labels)
        return ConfusionMatrix(self._counts * (n / (self.m * sizes)), self._labels)

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
        wholes = {
            "true": lambda: np.asarray(self.a)[..., :, None],
            "predicted": lambda: np.asarray(self.b)[..., None, :],
            "all": lambda: np.asarray(self.n)[..., None, None],
        }
        if not isinstance(of, str) or of not in wholes:
            raise InputError("{of} is {got!r}", got=of, advice="use 'true', 'predicted' or 'all'")
        whole = np.broadcast_to(wholes[of](), self.counts.shape)
        if self.counts.dtype.kind == "O":  # integers beyond 64 bits, and fractions, divide exactly before rounding
            pairs = zip(self.counts.ravel(), whole.ravel(), strict=True)
            shares = [float(Fraction(x) / Fraction(y)) if y else np.nan for x, y in pairs]
            return np.array(shares).reshape(self.counts.shape)
        found: Array = np.full(self.counts.shape, np.nan)
        np.divide(self.counts, whole, out=found, where=whole != 0)
        return found

    def to_json(self) -> str:
        """Return the matrix as a JSON text that `from_json` reads back without loss: counts of any kind, labels, n.

        >>> print(ConfusionMatrix([[1, 2], [3, 4]], labels=["no", "yes"]).to_json()[:40])
        {"schema": "goodmeasure/confusion-matrix
        """
        data = to_data(self._dense, self._sparse, self._labels, self._order, self._dropped)
        return json.dumps(data, ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: object) -> ConfusionMatrix:
        """Return the matrix that a JSON text of `to_json`, or the data read from it, stands for.

        >>> cm = ConfusionMatrix([[1, 2], [3, 4]], labels=["no", "yes"])
        >>> ConfusionMatrix.from_json(cm.to_json()) == cm
        True
        """
        return cls._of_parts(from_data(loaded(text)))

    def to_bytes(self) -> bytes:
        """Return the matrix as bytes that `from_bytes` reads back without loss, with a version and a checksum.

        >>> cm = ConfusionMatrix([[1, 2], [3, 4]], labels=["no", "yes"])
        >>> ConfusionMatrix.from_bytes(cm.to_bytes()) == cm
        True
        """
        return matrix_bytes.to_bytes(self._dense, self._sparse, self._labels, self._order, self._dropped)

    @classmethod
    def from_bytes(cls, data: object) -> ConfusionMatrix:
        """Return the matrix that bytes of `to_bytes` stand for; bytes that were damaged are refused."""
        return cls._of_parts(matrix_bytes.from_bytes(data))

    def to_arrow(self) -> Frame:
        """Return the non-zero cells as an Arrow table (true, predicted, count) that `from_arrow` reads back."""
        return matrix_bytes.to_arrow(self._dense, self._sparse, self._labels, self._order, self._dropped)

    @classmethod
    def from_arrow(cls, table: object) -> ConfusionMatrix:
        """Return the matrix that an Arrow table of `to_arrow` stands for."""
        return cls._of_parts(matrix_bytes.from_arrow(table))

    @classmethod
    def _of_parts(cls, parts: Parts) -> ConfusionMatrix:
        counts, sparse, labels, order, dropped = parts
        return cls._counted(counts, as_labels(labels, len(labels)), order, sparse, dropped)

    def __array__(self, dtype: DTypeLike | None = None, copy: object = None) -> Array:
        return np.array(self.counts, dtype=dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        if self.is_sparse or other.is_sparse:
            mine, theirs = self.sparse.cells(), other.sparse.cells()
            return self._labels == other._labels and all(map(np.array_equal, mine, theirs))
        return (
            self._labels == other._labels
            and self._counts.shape == other._counts.shape
            and bool(np.all(self._counts == other._counts))
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[object, ...]:
        return ConfusionMatrix._counted, (self._dense, self._labels, self._order, self._sparse, self._dropped)

    def __repr__(self) -> str:
        if self.batch:
            shape = " x ".join(map(str, self.batch))
            return f"ConfusionMatrix: batch of {shape} matrices, {self.m} classes ({_listed(self._labels)})"
        if self.m > _SHOWN_CLASSES:
            kept = ", sparse" if self.is_sparse else ""
            return f"ConfusionMatrix: {self.m} classes ({_listed(self._labels)}), {_number(self.n)} items{kept}"
        if self.m == 0:
            return "ConfusionMatrix: no classes yet"
        return _table(self._counts, self._labels)


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
            found.append(x.aligned(labels))
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


def _number(x: object) -> str:
    return f"{x:g}" if isinstance(x, float) else str(x)


def _clean(label: object, width: int = 24) -> str:
    """Return a label on one line and of bounded width."""
    text = " ".join(str(label).split()) or repr(label)
    return text if len(text) <= width else text[: width - 1] + "…"


def _table(counts: Array, labels: tuple[Label, ...]) -> str:
    corner = "true \\ predicted"
    names = [_clean(x) for x in labels]
    cells = [[_number(x) for x in row] for row in counts.tolist()]
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
