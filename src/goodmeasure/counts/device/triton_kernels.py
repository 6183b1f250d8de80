"""The kernels that count labels on a GPU, written in Triton.

All of them read every label once, check it in the same pass, and add to counts that stay on the device; none of them
makes the host wait. Programs are persistent: a fixed number of them share the items, so that each adds its histogram
to the counts only once.

- Two classes: four sums.
- Few classes: each program keeps a histogram of the m² cells in registers (`tl.histogram` builds it through shared
  memory), and adds it to the counts at its end. So the time is that of reading the labels.
- More classes: every item is one atomic addition to the counts in the level-2 cache. Programs are spread over several
  copies of the counts, so that a cell that most items fall into does not make them wait for each other.
- Logits: the greatest of each row is found in registers and counted at once, so the predicted labels are never written.
  With few classes a thread reads whole rows, with more a group of threads shares a row.

A label is checked as an unsigned number, so that one comparison finds negative ones too. After that 32 bits are enough.

Weights are added to one table of counts, or to three: their sums, the sums of their squares, and items (TABLES).

`faults` counts what is wrong, by kind: labels outside 0 … m − 1, rows with a NaN, and invalid weights.
"""

import triton
import triton.language as tl


@triton.jit
def _report(faults, outside):
    wrong = tl.sum(outside)
    if wrong > 0:
        tl.atomic_add(faults, wrong.to(tl.int64), sem="relaxed")


@triton.jit
def _weigh(weights, where, inside, faults):
    """Return weights as doubles; those that are negative or not finite are reported."""
    amount = tl.load(weights + where, mask=inside, other=0).to(tl.float64)
    _report(faults + 2, (inside & ~((amount >= 0) & (amount < float("inf")))).to(tl.int32))
    return amount


@triton.jit
def _add_weights(cell, amount, cells, counted, TABLES: tl.constexpr):
    """Add weights to their cells in a table; with three tables also their squares and the items."""
    tl.atomic_add(cell, amount, mask=counted, sem="relaxed")
    if TABLES == 3:
        tl.atomic_add(cell + cells, amount * amount, mask=counted, sem="relaxed")
        tl.atomic_add(cell + 2 * cells, tl.full(amount.shape, 1.0, tl.float64), mask=counted, sem="relaxed")


@triton.jit
def count_two(
    true, pred, counts, faults, n, ignored,
    HAS_IGNORED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add the pairs of labels of two classes to `counts`."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    items = tl.zeros([BLOCK], tl.int32)
    positive = tl.zeros([BLOCK], tl.int32)
    predicted = tl.zeros([BLOCK], tl.int32)
    both = tl.zeros([BLOCK], tl.int32)
    outside = tl.zeros([BLOCK], tl.int32)
    for start in tl.range(tl.program_id(0).to(tl.int64) * BLOCK, n, step, num_stages=1):
        where = start + lanes
        inside = where < n
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        p = tl.load(pred + where, mask=inside, other=0).to(tl.int64)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        valid = (t.to(tl.uint64) < 2) & (p.to(tl.uint64) < 2)
        outside += (inside & ~valid).to(tl.int32)
        one = (inside & valid).to(tl.int32)
        items += one
        positive += one & t.to(tl.int32)
        predicted += one & p.to(tl.int32)
        both += one & t.to(tl.int32) & p.to(tl.int32)
    a = tl.sum(positive)
    b = tl.sum(predicted)
    tp = tl.sum(both)
    tl.atomic_add(counts, (tl.sum(items) - a - b + tp).to(tl.int64), sem="relaxed")
    tl.atomic_add(counts + 1, (b - tp).to(tl.int64), sem="relaxed")
    tl.atomic_add(counts + 2, (a - tp).to(tl.int64), sem="relaxed")
    tl.atomic_add(counts + 3, tp.to(tl.int64), sem="relaxed")
    _report(faults, outside)


@triton.jit
def count_few(
    true, pred, counts, faults, n, m, ignored,
    HAS_IGNORED: tl.constexpr, BINS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add the pairs of labels of few classes (m² ≤ BINS) to `counts`."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    found = tl.zeros([BINS], tl.int32)
    outside = tl.zeros([BLOCK], tl.int32)
    for start in tl.range(tl.program_id(0).to(tl.int64) * BLOCK, n, step, num_stages=1):
        where = start + lanes
        inside = where < n
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        p = tl.load(pred + where, mask=inside, other=0).to(tl.int64)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        valid = (t.to(tl.uint64) < m) & (p.to(tl.uint64) < m)
        outside += (inside & ~valid).to(tl.int32)
        found += tl.histogram(t.to(tl.int32) * m + p.to(tl.int32), BINS, mask=inside & valid)
    cells = tl.arange(0, BINS)
    tl.atomic_add(counts + cells, found.to(tl.int64), mask=(cells < m * m) & (found > 0), sem="relaxed")
    _report(faults, outside)


@triton.jit
def count_many(
    true, pred, weights, counts, faults, n, m, copies, ignored,
    HAS_IGNORED: tl.constexpr, WEIGHTED: tl.constexpr, TABLES: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add the pairs of labels of any number of classes, or their weights, to one of several copies of `counts`."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    own = counts + (tl.program_id(0) % copies).to(tl.int64) * m * m * TABLES
    lanes = tl.arange(0, BLOCK)
    outside = tl.zeros([BLOCK], tl.int32)
    for start in tl.range(tl.program_id(0).to(tl.int64) * BLOCK, n, step):
        where = start + lanes
        inside = where < n
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        p = tl.load(pred + where, mask=inside, other=0).to(tl.int64)
        if WEIGHTED:
            amount = _weigh(weights, where, inside, faults)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        valid = (t.to(tl.uint64) < m) & (p.to(tl.uint64) < m)
        outside += (inside & ~valid).to(tl.int32)
        counted = inside & valid
        cell = own + t * m + p
        if WEIGHTED:
            _add_weights(cell, amount, m * m, counted, TABLES)
        else:
            tl.atomic_add(cell, tl.full([BLOCK], 1, tl.int64), mask=counted, sem="relaxed")
    _report(faults, outside)


@triton.jit
def count_weighted_few(
    true, pred, weights, counts, faults, n, m, ignored,
    HAS_IGNORED: tl.constexpr, CELLS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add the weights of few cells (m² ≤ CELLS ≤ 16): each item is compared with every cell, in registers."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    cells = tl.arange(0, CELLS)
    found = tl.zeros([CELLS], tl.float64)
    outside = tl.zeros([BLOCK], tl.int32)
    for start in tl.range(tl.program_id(0).to(tl.int64) * BLOCK, n, step):
        where = start + lanes
        inside = where < n
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        p = tl.load(pred + where, mask=inside, other=0).to(tl.int64)
        weight = _weigh(weights, where, inside, faults)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        valid = (t.to(tl.uint64) < m) & (p.to(tl.uint64) < m)
        outside += (inside & ~valid).to(tl.int32)
        amount = tl.where(inside & valid, weight, 0.0)
        key = t.to(tl.int32) * m + p.to(tl.int32)
        found += tl.sum(tl.where(key[:, None] == cells[None, :], amount[:, None], 0.0), axis=0)
    tl.atomic_add(counts + cells, found, mask=cells < m * m, sem="relaxed")
    _report(faults, outside)


@triton.jit
def count_logits(
    logits, true, weights, counts, faults, n, copies, ignored,
    M: tl.constexpr, HAS_IGNORED: tl.constexpr, WEIGHTED: tl.constexpr, TABLES: tl.constexpr, IN_DOUBLE: tl.constexpr,
    BY_HISTOGRAM: tl.constexpr, BINS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """Add true labels and the greatest of the M logits of each row to `counts`; of equal ones the first wins.

    COLUMNS is 0 if a thread reads whole rows; otherwise it is how many columns are looked at together.
    """
    step = tl.num_programs(0).to(tl.int64) * ROWS
    own = counts + (tl.program_id(0) % copies).to(tl.int64) * M * M * TABLES
    lanes = tl.arange(0, ROWS)
    found = tl.zeros([BINS], tl.int32)
    outside = tl.zeros([ROWS], tl.int32)
    unclear = tl.zeros([ROWS], tl.int32)
    number = tl.float64 if IN_DOUBLE else tl.float32
    for start in tl.range(tl.program_id(0).to(tl.int64) * ROWS, n, step):
        where = start + lanes
        inside = where < n
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        if COLUMNS == 0:
            best = tl.load(logits + where * M, mask=inside, other=0).to(number)
            is_nan = best != best
            p = tl.zeros([ROWS], tl.int32)
            for j in tl.static_range(1, M):
                x = tl.load(logits + where * M + j, mask=inside, other=0).to(number)
                is_nan = is_nan | (x != x)
                p = tl.where(x > best, j, p)
                best = tl.maximum(best, x)
        else:
            best = tl.full([ROWS], float("-inf"), number)
            p = tl.zeros([ROWS], tl.int32)
            is_nan = tl.zeros([ROWS], tl.int32) > 0
            for first in tl.range(0, M, COLUMNS):
                column = first + tl.arange(0, COLUMNS)
                there = inside[:, None] & (column < M)[None, :]
                place = where[:, None] * M + column[None, :]
                x = tl.load(logits + place, mask=there, other=float("-inf")).to(number)
                highest = tl.max(x, axis=1)
                at = tl.where(x == highest[:, None], column[None, :], M)
                at = tl.min(tl.where(x != x, -1, at), axis=1)  # a NaN anywhere in the row shows as −1
                is_nan = is_nan | (at < 0)
                p = tl.where(highest > best, at, p)
                best = tl.maximum(best, highest)
        if WEIGHTED:
            amount = _weigh(weights, where, inside, faults)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        valid = t.to(tl.uint64) < M
        outside += (inside & ~valid).to(tl.int32)
        unclear += (inside & is_nan).to(tl.int32)
        counted = inside & valid & ~is_nan
        if BY_HISTOGRAM:
            found += tl.histogram(t.to(tl.int32) * M + p, BINS, mask=counted)
        elif WEIGHTED:
            _add_weights(own + t * M + p, amount, M * M, counted, TABLES)
        else:
            tl.atomic_add(own + t * M + p, tl.full([ROWS], 1, tl.int64), mask=counted, sem="relaxed")
    if BY_HISTOGRAM:
        cells = tl.arange(0, BINS)
        tl.atomic_add(counts + cells, found.to(tl.int64), mask=(cells < M * M) & (found > 0), sem="relaxed")
    _report(faults, outside)
    _report(faults + 1, unclear)


@triton.jit
def _are_logits(preds, start, n, step, BLOCK: tl.constexpr):
    """Return 1 if one of some scores is no probability, else 0."""
    found = tl.zeros([BLOCK], tl.int32)
    for first in tl.range(start, n, step):
        where = first + tl.arange(0, BLOCK)
        x = tl.load(preds + where, mask=where < n, other=0.0).to(tl.float32)
        found = tl.maximum(found, ((x < 0) | (x > 1)).to(tl.int32))
    return tl.max(found)


@triton.jit
def look_for_logits(preds, flag, n, BLOCK: tl.constexpr):
    """Set `flag` if one of n scores is no probability."""
    start = tl.program_id(0).to(tl.int64) * BLOCK
    if _are_logits(preds, start, n, tl.num_programs(0).to(tl.int64) * BLOCK, BLOCK) > 0:
        tl.atomic_max(flag, 1, sem="relaxed")


@triton.jit
def block_of(number, blocks):
    """Return the block of each item by its number: the first have one each, later ones go by a hash of 31 bits."""
    mixed = number & 0x7FFFFFFF
    mixed = ((mixed ^ (mixed >> 16)) * 0x45D9F3B) & 0x7FFFFFFF
    mixed = ((mixed ^ (mixed >> 16)) * 0x45D9F3B) & 0x7FFFFFFF
    mixed = mixed ^ (mixed >> 16)
    return tl.where(number < blocks, number, mixed % blocks)


@triton.jit
def count_decisions(
    preds, true, weights, counts, faults, flag, n, labels, blocks, threshold, ignored,
    ARE_SCORES: tl.constexpr, ALONE: tl.constexpr, HAS_IGNORED: tl.constexpr, WEIGHTED: tl.constexpr,
    TABLES: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add n decisions, one about every label of each item, to `counts`: a 2 × 2 table for each label of a block.

    Items are numbered from the number of those that came before (`faults[3]`), and `block_of` spreads them.
    Scores are probabilities, or logits if `flag` is set; a program that is ALONE determines this itself, and adds its
    items to those that came before. Probabilities are rounded as PyTorch rounds them, so that the same items lie above
    the threshold.
    """
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    begin = tl.program_id(0).to(tl.int64) * BLOCK
    outside = tl.zeros([BLOCK], tl.int32)
    unclear = tl.zeros([BLOCK], tl.int32)
    seen = tl.load(faults + 3)
    if ARE_SCORES:
        logits = _are_logits(preds, begin, n, step, BLOCK) if ALONE else tl.load(flag)
    for start in tl.range(begin, n, step):
        where = start + tl.arange(0, BLOCK)
        inside = where < n
        label, item = where % labels, where // labels
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        kept = inside & (t != ignored) if HAS_IGNORED else inside
        x = tl.load(preds + where, mask=inside, other=0)
        wrong = t.to(tl.uint64) > 1
        if ARE_SCORES:
            wide = x.to(tl.float32)
            said = tl.where(logits > 0, 1 / (1 + tl.exp(-wide)), wide).to(preds.dtype.element_ty).to(tl.float32)
            p = (said > threshold).to(tl.int64)
            unclear += (kept & (wide != wide)).to(tl.int32)
            outside += (kept & wrong).to(tl.int32)
        else:
            p = (x == 1).to(tl.int64)
            outside += (kept & wrong).to(tl.int32) + (kept & (x != 0) & (x != 1)).to(tl.int32)
        cell = counts + (block_of(seen + item, blocks) * labels + label) * 4 + (t == 1).to(tl.int64) * 2 + p
        if WEIGHTED:
            amount = tl.load(weights + item, mask=inside, other=0).to(tl.float64)
            bad = inside & (label == 0) & ~((amount >= 0) & (amount < float("inf")))
            _report(faults + 2, bad.to(tl.int32))
            _add_weights(cell, amount, blocks * labels * 4, kept, TABLES)
        else:
            tl.atomic_add(cell, tl.full([BLOCK], 1, tl.int64), mask=kept, sem="relaxed")
    _report(faults, outside)
    _report(faults + 1, unclear)
    if ALONE:
        tl.store(faults + 3, seen + n // labels)


@triton.jit
def label_range(true, pred, bounds, n, BLOCK: tl.constexpr):
    """Write the least and the greatest label of two columns to `bounds` (two integers, set to ±(2⁶³ − 1))."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    low = tl.full([BLOCK], 0x7FFFFFFFFFFFFFFF, tl.int64)
    high = tl.full([BLOCK], -0x7FFFFFFFFFFFFFFF, tl.int64)
    for start in tl.range(tl.program_id(0).to(tl.int64) * BLOCK, n, step):
        where = start + lanes
        inside = where < n
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        p = tl.load(pred + where, mask=inside, other=0).to(tl.int64)
        low = tl.where(inside, tl.minimum(low, tl.minimum(t, p)), low)
        high = tl.where(inside, tl.maximum(high, tl.maximum(t, p)), high)
    tl.atomic_min(bounds, tl.min(low), sem="relaxed")
    tl.atomic_max(bounds + 1, tl.max(high), sem="relaxed")
