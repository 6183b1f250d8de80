"""Batches of matrices with two classes: four arrays, and sums over classes of two terms each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from goodmeasure.language.floats.batches import ArrayView, BatchRun, fixed_table
from goodmeasure.language.floats.cell_sums import Basis, CellSum, plain
from goodmeasure.language.policy import NAN
from goodmeasure.language.view import Chosen, ConstantTable, RowsOfTable, Sizes, Term, entries
from goodmeasure.typing import AnyArray


class Breakable:
    """A view that is undefined as a whole where one of its mapped cells is undefined."""

    run: BatchRun
    broken: AnyArray = None
    lost: AnyArray = None  # for which matrices of the batch a matrix mapped from this one is broken

    def losing(self, broken: AnyArray) -> None:
        """Remember for which matrices a mapped matrix is broken, since a number policy replaces their values."""
        if broken is not None and self.run.policy.name == "number":
            self.lost = broken if self.lost is None else self.lost | broken

    def begin(self) -> AnyArray:
        """Return this view, with all cells 1 where it is broken: `finish` makes the value undefined there.

        A NaN would spoil the derivatives of a value even where it is replaced.
        """
        return self if self.broken is None else self._unbroken()

    def _unbroken(self) -> AnyArray:
        raise NotImplementedError

    def finish(self, value: AnyArray) -> AnyArray:
        if self.lost is not None:
            number = float(self.run.policy.number)
            value = self.run.xp.where(self.lost & self.run.xp.isnan(plain(value)), number, plain(value))
        if self.broken is None:
            return value
        acting = self.broken if self.run.mask is None else self.broken & self.run.mask
        return self.run.xp.where(self.broken, self._fill(acting, None), plain(value))  # type: ignore[attr-defined]


def quietly(run: BatchRun, evaluate: Callable[[], AnyArray]) -> AnyArray:
    """Return the cells of a mapped view, evaluated under "nan" if the policy is a number.

    A number replaces the value of the whole measure, not single cells.
    """
    policy = run.policy
    if policy.name == "number":
        run.policy = NAN
    try:
        return evaluate()
    finally:
        run.policy = policy


class PairView(Breakable, ArrayView):
    """Two classes: four arrays, and sums over classes of two terms each."""

    m = 2
    _occur: bool | None = None
    _wrong: AnyArray = None

    def __init__(
        self,
        tn: AnyArray,
        fp: AnyArray,
        fn: AnyArray,
        tp: AnyArray,
        run: BatchRun,
        *,
        whole: bool,
        sums: AnyArray = None,
    ) -> None:
        self.run = run
        self.whole = whole
        self._cells = (plain(tn), plain(fp), plain(fn), plain(tp))
        self._sums = sums  # (a_0, a_1, b_0, b_1, n) if they have been added up before
        if not whole:
            self._basis = Basis(tuple(partial(self._cells.__getitem__, k) for k in range(4)))

    def _total(self) -> AnyArray:
        tn, fp, fn, tp = self._cells
        return (tn + tp) + (fp + fn)

    def __getitem__(self, ij: tuple[int, int]) -> AnyArray:
        k = 2 * ij[0] + ij[1]
        if self.whole:
            return self._cells[k]
        return CellSum(self._basis, ONE_CELL[k], self._total)

    def _margins(self) -> tuple[AnyArray, ...]:
        if self._sums is None:
            tn, fp, fn, tp = self._cells
            a0, a1 = tn + fp, fn + tp
            self._sums = a0, a1, tn + fn, fp + tp, a0 + a1
        return self._sums  # type: ignore[no-any-return]

    @property
    def a(self) -> Sizes[AnyArray, AnyArray]:
        if self.whole:
            return Sizes(lambda i: self._margins()[i])
        return Sizes(lambda i: CellSum(self._basis, ((1, 1, 0, 0), (0, 0, 1, 1))[i], self._total))

    @property
    def b(self) -> Sizes[AnyArray, AnyArray]:
        if self.whole:
            return Sizes(lambda i: self._margins()[2 + i])
        return Sizes(lambda i: CellSum(self._basis, ((1, 0, 1, 0), (0, 1, 0, 1))[i], self._total))

    @property
    def n(self) -> AnyArray:
        return self._margins()[4] if self.whole else CellSum(None, (1,), self._total)

    def _again(self, tn: AnyArray, fp: AnyArray, fn: AnyArray, tp: AnyArray, sums: AnyArray = None) -> PairView:
        """Return a view of rearranged cells that keeps what this one knows."""
        view = PairView(tn, fp, fn, tp, self.run, whole=self.whole, sums=sums)
        view.broken = self.broken
        return view

    def _unbroken(self) -> PairView:
        xp = self.run.xp
        tn, fp, fn, tp = (xp.where(self.broken, xp.ones_like(x), x) for x in self._cells)
        return PairView(tn, fp, fn, tp, self.run, whole=False)

    @property
    def T(self) -> PairView:  # noqa: N802
        tn, fp, fn, tp = self._cells
        sums = self._sums
        return self._again(tn, fn, fp, tp, sums if sums is None else (*sums[2:4], *sums[0:2], sums[4]))

    def excess(self, i: int) -> AnyArray:
        if self.run.products_are_exact and self.whole:
            _, a, _, b, n = self._margins()
            return n * self[1, 1] - a * b
        tn, fp, fn, tp = self._cells
        return tp * tn - fp * fn

    def vs_rest(self, i: int) -> PairView:
        if i == 1:
            return self
        tn, fp, fn, tp = self._cells
        sums = self._sums
        return self._again(tp, fn, fp, tn, sums if sums is None else (sums[1], sums[0], sums[3], sums[2], sums[4]))

    def two(self, tp: AnyArray, fn: AnyArray, fp: AnyArray, tn: AnyArray) -> PairView:
        return PairView(tn, fp, fn, tp, self.run, whole=False)

    def map(self, cell: Callable[[int, int], AnyArray]) -> PairView:
        cells = quietly(self.run, lambda: [plain(cell(i, j)) for i in (0, 1) for j in (0, 1)])
        tn, fp, fn, tp = cells
        new = PairView(tn, fp, fn, tp, self.run, whole=False)
        for x in cells:
            gone = self.run.xp.isnan(x)
            if self.run.any(gone):
                new.broken = gone if new.broken is None else new.broken | gone
        self.losing(new.broken)
        return new

    def _one(self, i: int, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None) -> tuple[AnyArray, AnyArray]:
        """Return one term, and a mask of the matrices for which it counts (None: all of them)."""
        run = self.run
        counts = None if over is None else over(i)
        if counts is True:
            counts = None
        run.left_out.append(None)
        try:
            if counts is None:
                value = term(i)
            else:
                with run.when(counts):
                    value = term(i)
        finally:
            out = run.left_out.pop()
        if out is not None:
            counts = ~out if counts is None else counts & ~out
        return value, counts

    def sum(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None = None) -> AnyArray:
        total: AnyArray = 0
        for i in (0, 1):
            value, counts = self._one(i, term, over)
            if counts is not None:
                value = self._where_counted(counts, value)
            total = value if i == 0 else total + value
        return total

    def _errors(self) -> AnyArray:
        """Return the number of errors; each error concerns both classes."""
        if self._wrong is None:
            _, fp, fn, _ = self._cells
            self._wrong = fp + fn
        return self._wrong

    def _all_occur(self) -> bool:
        if self._occur is None:
            tn, _, _, tp = self._cells
            self._occur = self.run.all_positive(self._errors() + self.run.xp.minimum(tn, tp))
        return self._occur

    def occurs(self, i: AnyArray) -> AnyArray:
        if not self.policy.resolves or self._all_occur():
            return True
        return self._errors() + self._cells[3 * i] > 0

    def mean(
        self,
        term: Term[AnyArray, AnyArray],
        p: AnyArray = 1,
        over: Chosen[AnyArray] | None = None,
        undefined: AnyArray = None,
        weights: Sizes[AnyArray, AnyArray] | None = None,
    ) -> AnyArray:
        if p != 1:
            return super().mean(term, p, over, undefined, weights)
        sizes = None if weights is None else [plain(weights[i]) for i in (0, 1)]
        if sizes is not None and not all(map(self.run.all_positive, sizes)):
            return super().mean(term, p, over, undefined, weights)
        (first, some), (second, others) = pairs = [self._one(i, term, over) for i in (0, 1)]
        x, y = plain(first), plain(second)
        total = x + y if sizes is None else sizes[0] * x + sizes[1] * y
        if undefined is not None and self.policy.resolves and self._is_undefined(total):
            return super().mean(term, p, over, undefined, weights)
        if some is None and others is None:
            return total / (2 if sizes is None else plain(self.n))
        if sizes is None and not self._may_both_be_out(some, others):
            return self._mean_or_one(x, y, total / 2, some, others)
        return self._mean_of_counted(pairs, sizes)

    def _may_both_be_out(self, some: AnyArray, others: AnyArray) -> bool:
        """Return whether there may be a matrix for which neither of two terms counts."""
        return some is not None and others is not None and self.run.any(~(some | others))

    def _mean_or_one(self, x: AnyArray, y: AnyArray, mean: AnyArray, some: AnyArray, others: AnyArray) -> AnyArray:
        """Return the mean of two terms, or the only one that counts; `some` and `others` say where x and y do."""
        like = self._cells[0]
        if some is not None:
            mean = self.run.xp.where(some, self._full(mean, like), self._full(y, like))
        return mean if others is None else self.run.xp.where(others, self._full(mean, like), self._full(x, like))

    def _mean_of_counted(self, pairs: list[tuple[AnyArray, object]], sizes: list[AnyArray] | None) -> AnyArray:
        """Return the mean of two terms, weighted by class sizes if there are some; a mask says where a term counts."""
        total: AnyArray = 0
        number: AnyArray = 0
        for k, (value, counts) in enumerate(pairs):
            weight = 1.0 if sizes is None else sizes[k]
            term = value if sizes is None else weight * value
            total = total + (term if counts is None else self._where_counted(counts, term))
            number = number + (weight if counts is None else self._where_counted(counts, weight))
        return self.ratio(total, number)

    def _is_undefined(self, total: AnyArray) -> bool:
        """Return whether a sum of terms is undefined anywhere, so that a rule has to act on one of them."""
        return total != total if isinstance(total, (int, float)) else self.run.any(self.run.xp.isnan(total))

    def _terms(self, term: Term[AnyArray, AnyArray], over: Chosen[AnyArray] | None) -> tuple[AnyArray, AnyArray]:
        return self._stacked([self._one(i, term, over) for i in (0, 1)])

    def _stacked(self, pairs: list[tuple[AnyArray, object]]) -> tuple[AnyArray, AnyArray]:
        """Return two terms as one array with a class axis, and a mask of those that count."""
        xp = self.run.xp
        shape = self._cells[0]
        values = [self._full(plain(value), shape) for value, _ in pairs]
        masks = [counts for _, counts in pairs]
        stacked = xp.stack(xp.broadcast_arrays(*values))
        if all(counts is None for counts in masks):
            return stacked, None
        every = xp.ones_like(shape, dtype=xp.bool)
        return stacked, xp.stack(xp.broadcast_arrays(*(every if x is None else x | ~every for x in masks)))

    def _where_counted(self, counts: AnyArray, value: AnyArray) -> AnyArray:
        """Return a term of a sum, with 0 where its class is left out."""
        term = self._full(plain(value), self._cells[0])
        return self.run.xp.where(counts, term, self.run.xp.zeros_like(term))

    def _full(self, value: AnyArray, like: AnyArray) -> AnyArray:
        """Return a number as an array of the shape of another; arrays are returned unchanged."""
        return self.run.xp.full_like(like, float(value)) if isinstance(value, (int, float)) else value

    def sum_off(
        self, term: Callable[[int, int], AnyArray], over: Callable[[int, int], AnyArray] | None = None
    ) -> AnyArray:
        total: AnyArray = 0
        for i, j in ((0, 1), (1, 0)):
            within = None if over is None else partial(_with_second, over, j)
            value, counts = self._one(i, partial(_with_second, term, j), within)
            total = total + (value if counts is None else self._where_counted(counts, value))
        return total

    def table(self, rows: RowsOfTable, legend: str | None = None) -> ConstantTable[AnyArray, AnyArray]:
        return fixed_table(self, entries(rows, 2))


def _with_second(function: Callable[[int, int], AnyArray], j: int, i: int) -> AnyArray:
    """Return function(i, j), with the arguments ordered for `partial`."""
    return function(i, j)


ONE_CELL = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
