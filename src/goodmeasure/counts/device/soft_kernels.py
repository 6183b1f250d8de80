"""The kernels of losses from measures, written in Triton: soft counts of a batch, and what their slopes mean to it."""

import triton
import triton.language as tl

from goodmeasure.counts.device.triton_kernels import report_wrong


@triton.jit
def _shares(predictions, where, kept, M: tl.constexpr, LOGITS: tl.constexpr, COLUMNS: tl.constexpr):
    """Return the probabilities (items, columns) of some items, as doubles; 0 in columns beyond the classes."""
    column = tl.arange(0, COLUMNS)
    there = kept[:, None] & (column < M)[None, :]
    if LOGITS:
        x = tl.load(predictions + where[:, None] * M + column[None, :], mask=there, other=float("-inf")).to(tl.float64)
        top = tl.where(kept, tl.max(x, axis=1), 0.0)
        x = tl.exp(x - top[:, None])
        return x / tl.where(kept, tl.sum(x, axis=1), 1.0)[:, None]
    return tl.load(predictions + where[:, None] * M + column[None, :], mask=there, other=0.0).to(tl.float64)


@triton.jit
def _items(target, weights, where, n, ignored, M: tl.constexpr, HAS_IGNORED: tl.constexpr, WEIGHTED: tl.constexpr):
    """Return the true classes of some items, which of them are kept, and their weights."""
    kept = where < n
    t = tl.load(target + where, mask=kept, other=0).to(tl.int64)
    if HAS_IGNORED:
        kept = kept & (t != ignored)
    weight = tl.full(where.shape, 1.0, tl.float64)
    if WEIGHTED:
        weight = tl.load(weights + where, mask=kept, other=0).to(tl.float64)
    return t, kept, weight


@triton.jit
def soft_counts(
    predictions, target, weights, counts, n, ignored,
    M: tl.constexpr, LOGITS: tl.constexpr, HAS_IGNORED: tl.constexpr, WEIGHTED: tl.constexpr, BY_CLASS: tl.constexpr,
    TRAPS: tl.constexpr, COLUMNS: tl.constexpr, ROWS: tl.constexpr,
):  # fmt: skip
    """Add the probabilities of each item to the row of its true class in `counts`.

    With few classes (BY_CLASS) a program adds up what its items bring to each class first.
    """
    where = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    t, kept, weight = _items(target, weights, where, n, ignored, M, HAS_IGNORED, WEIGHTED)
    if TRAPS:
        report_wrong(kept & (t.to(tl.uint64) >= M))
    column = tl.arange(0, COLUMNS)
    part = _shares(predictions, where, kept, M, LOGITS, COLUMNS) * tl.where(kept, weight, 0.0)[:, None]
    if BY_CLASS:
        for k in tl.range(0, M):
            found = tl.sum(tl.where((kept & (t == k))[:, None], part, 0.0), axis=0)
            tl.atomic_add(counts + k * M + column, found, mask=(column < M) & (found != 0), sem="relaxed")
    else:
        inside = (kept & (t.to(tl.uint64) < M))[:, None] & (column < M)[None, :]
        tl.atomic_add(counts + t[:, None] * M + column[None, :], part, mask=inside, sem="relaxed")


@triton.jit
def soft_slopes(
    predictions, target, weights, slopes, above, found, n, ignored,
    M: tl.constexpr, LOGITS: tl.constexpr, HAS_IGNORED: tl.constexpr, WEIGHTED: tl.constexpr, COLUMNS: tl.constexpr,
    ROWS: tl.constexpr,
):  # fmt: skip
    """Write the slopes of a loss by the predictions, from those by the counts, and from the slope by the loss."""
    where = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    t, kept, weight = _items(target, weights, where, n, ignored, M, HAS_IGNORED, WEIGHTED)
    column = tl.arange(0, COLUMNS)
    there = kept[:, None] & (column < M)[None, :]
    slope = tl.load(slopes + t[:, None] * M + column[None, :], mask=there & (t.to(tl.uint64) < M)[:, None], other=0.0)
    if LOGITS:
        share = _shares(predictions, where, kept, M, LOGITS, COLUMNS)
        slope = tl.where(kept[:, None], share * (slope - tl.sum(share * slope, axis=1)[:, None]), 0.0)
    slope = slope * (weight * tl.load(above).to(tl.float64))[:, None]
    inside = (where < n)[:, None] & (column < M)[None, :]
    tl.store(found + where[:, None] * M + column[None, :], slope.to(found.dtype.element_ty), mask=inside)
