"""The kernels that count labels on a GPU, written in Triton.

All of them read every label once, check it in the same pass, and add to counts that stay on the device; none of them
makes the host wait. Programs are persistent: a fixed number of them share the items.

Most labels of real data fall into few cells, and additions to one cell of the device's memory wait for each other. So
a program counts in *shared memory* first, which adds up what the threads of a warp add to one place at once, and adds
its counts to those of the device at its end. Triton has no operation for this; four lines of PTX do it. So there are
two ways:

- On NVIDIA's devices: up to about a hundred classes, shared memory holds every cell. With more it holds the cells that
  a sample of the program's items finds, each at the place that its hash says; other cells are added to in the device's
  memory. A program has consecutive items, so that it meets few cells where labels are sorted.
- Elsewhere, in Triton's interpreter, with weights, and for few items of many classes: every item is one atomic addition
  to the counts in the level-2 cache. Programs are spread over several copies of the counts, so that a cell that most
  items fall into does not make them wait for each other.

Logits: the greatest of each row is found in registers and counted at once, so the predicted labels are never written.
With few classes, and where the logits of a class lie together (images), a thread reads all logits of an item, otherwise
a group of threads shares a row.

A label is checked as an unsigned number, so that one comparison finds negative ones too. After that 32 bits are enough.

Weights are added to one table of counts, or to three: their sums, the sums of their squares, and items (TABLES).

`faults` counts what is wrong, by kind: labels outside 0 … m − 1, rows with a NaN, and invalid weights.
"""

import triton
import triton.language as tl


@triton.jit
def _shared(PLACES: tl.constexpr):
    """Return the address of shared memory of the program; PLACES is the PTX that declares it."""
    return tl.inline_asm_elementwise(PLACES, "=r", [], dtype=tl.int32, is_pure=False, pack=1)


@triton.jit
def _write(address, value):
    """Write 32 bits to shared memory."""
    tl.inline_asm_elementwise(
        "st.shared.u32 [$1], $2; mov.u32 $0, 0;", "=r,r,r", [address, value], dtype=tl.int32, is_pure=False, pack=1
    )


@triton.jit
def _read(address):
    """Return 32 bits of shared memory."""
    return tl.inline_asm_elementwise(
        "ld.shared.u32 $0, [$1];", "=r,r", [address], dtype=tl.int32, is_pure=False, pack=1
    )


@triton.jit
def _count(address):
    """Add 1 to a place in shared memory, for each element. Each must be held by one thread only."""
    tl.inline_asm_elementwise(
        "red.shared.add.u32 [$1], 1; mov.u32 $0, 0;", "=r,r", [address], dtype=tl.int32, is_pure=False, pack=1
    )


@triton.jit
def report_wrong(wrong):
    """Stop all work on the device where something is wrong, as PyTorch does for labels outside of a range."""
    tl.inline_asm_elementwise(
        "{ .reg .pred w; setp.ne.s32 w, $1, 0; @w trap; mov.u32 $0, 0; }", "=r,r", [wrong.to(tl.int32)],
        dtype=tl.int32, is_pure=False, pack=1,
    )  # fmt: skip


@triton.jit
def _emptied(PLACES: tl.constexpr, SIZE: tl.constexpr, CHUNK: tl.constexpr):
    """Return the address of SIZE counts in shared memory, all 0."""
    base = _shared(PLACES)
    for first in range(0, SIZE, CHUNK):
        _write(base + (first + tl.arange(0, CHUNK)) * 4, tl.zeros([CHUNK], tl.int32))
    tl.debug_barrier()
    return base


@triton.jit
def _add_shared(base, counts, cells, SIZE: tl.constexpr, CHUNK: tl.constexpr):
    """Add the counts in shared memory to those of the device."""
    tl.debug_barrier()
    for first in range(0, SIZE, CHUNK):
        cell = first + tl.arange(0, CHUNK)
        found = _read(base + cell * 4)
        tl.atomic_add(counts + cell, found.to(tl.int64), mask=(cell < cells) & (found != 0), sem="relaxed")


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
def count_all(
    true, pred, counts, faults, n, m, each, ignored,
    HAS_IGNORED: tl.constexpr, PLACES: tl.constexpr, SIZE: tl.constexpr, CHUNK: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add pairs of labels to `counts`: `each` by a program, in shared memory for SIZE counts, more than m²."""
    base = _emptied(PLACES, SIZE, CHUNK)
    lanes = tl.arange(0, BLOCK)
    outside = tl.zeros([BLOCK], tl.int32)
    begin = tl.program_id(0).to(tl.int64) * each
    end = tl.minimum(begin + each, n)
    for start in tl.range(begin, end, BLOCK, num_stages=1):
        where = start + lanes
        inside = where < end
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        p = tl.load(pred + where, mask=inside, other=0).to(tl.int64)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        valid = (t.to(tl.uint64) < m) & (p.to(tl.uint64) < m)
        outside += (inside & ~valid).to(tl.int32)
        cell = t.to(tl.int32) * m + p.to(tl.int32)
        _count(base + tl.where(inside & valid, cell, SIZE - 1) * 4)  # nobody reads the last place
    _add_shared(base, counts, m * m, SIZE, CHUNK)
    _report(faults, outside)


@triton.jit
def _place(cell, SIZE: tl.constexpr):
    """Return the place of a cell in a table of SIZE, a power of 2: the highest bits of Fibonacci's hash."""
    return ((cell * -1640531527) >> 16) & (SIZE - 1)


@triton.jit
def count_common(
    true, pred, counts, faults, n, m, each, ignored,
    HAS_IGNORED: tl.constexpr, PLACES: tl.constexpr, SIZE: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add pairs of labels to `counts`: `each` by a program, which counts the common ones in shared memory."""
    names = _shared(PLACES)  # the cell that each place counts, and behind them the counts; the last one is for none
    amounts = names + SIZE * 4
    places = tl.arange(0, SIZE)
    _write(names + places * 4, tl.full([SIZE], -1, tl.int32))
    _write(amounts + places * 4, tl.zeros([SIZE], tl.int32))
    tl.debug_barrier()
    begin = tl.program_id(0).to(tl.int64) * each
    end = tl.minimum(begin + each, n)
    some = begin + (places.to(tl.int64) * (end - begin)) // SIZE
    t_some = tl.load(true + some, mask=some < end, other=0).to(tl.int64)
    p_some = tl.load(pred + some, mask=some < end, other=0).to(tl.int64)
    fits = (some < end) & (t_some.to(tl.uint64) < m) & (p_some.to(tl.uint64) < m)
    sampled = t_some.to(tl.int32) * m + p_some.to(tl.int32)
    _write(tl.where(fits, names + _place(sampled, SIZE) * 4, amounts + SIZE * 4), sampled)
    tl.debug_barrier()
    lanes = tl.arange(0, BLOCK)
    outside = tl.zeros([BLOCK], tl.int32)
    for start in tl.range(begin, end, BLOCK, num_stages=1):
        where = start + lanes
        inside = where < end
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        p = tl.load(pred + where, mask=inside, other=0).to(tl.int64)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        valid = (t.to(tl.uint64) < m) & (p.to(tl.uint64) < m)
        outside += (inside & ~valid).to(tl.int32)
        counted = inside & valid
        cell = t.to(tl.int32) * m + p.to(tl.int32)
        place = _place(cell, SIZE)
        known = counted & (_read(names + place * 4) == cell)
        _count(amounts + tl.where(known, place, SIZE) * 4)
        tl.atomic_add(counts + cell, tl.full([BLOCK], 1, tl.int64), mask=counted & ~known, sem="relaxed")
    tl.debug_barrier()
    held = _read(names + places * 4)
    found = _read(amounts + places * 4)
    tl.atomic_add(counts + held, found.to(tl.int64), mask=found != 0, sem="relaxed")
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
    logits, true, weights, counts, faults, n, copies, inner, each, ignored,
    M: tl.constexpr, HAS_IGNORED: tl.constexpr, WEIGHTED: tl.constexpr, TABLES: tl.constexpr, IN_DOUBLE: tl.constexpr,
    PLACES: tl.constexpr, SIZE: tl.constexpr, CHUNK: tl.constexpr, UNROLLED: tl.constexpr, ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):  # fmt: skip
    """Add true labels and the greatest of the M logits of each item to `counts`; of equal ones the first wins.

    A program has `each` items, and SIZE counts in shared memory, if SIZE is not 0. COLUMNS is how many logits of a row
    are looked at together; if it is 0, a thread reads all logits of an item: those of one class lie together for
    `inner` items, and those of the next class behind them. With `inner` = 1 these are rows.
    """
    own = counts + (tl.program_id(0) % copies).to(tl.int64) * M * M * TABLES
    lanes = tl.arange(0, ROWS)
    outside = tl.zeros([ROWS], tl.int32)
    unclear = tl.zeros([ROWS], tl.int32)
    number = tl.float64 if IN_DOUBLE else tl.float32
    if SIZE > 0:
        base = _emptied(PLACES, SIZE, CHUNK)
    begin = tl.program_id(0).to(tl.int64) * each
    end = tl.minimum(begin + each, n)
    for start in tl.range(begin, end, ROWS):
        where = start + lanes
        inside = where < end
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        if COLUMNS == 0:
            outer = where // inner
            first = logits + outer * inner * M + (where - outer * inner)
            best = tl.load(first, mask=inside, other=0).to(number)
            is_nan = best != best
            p = tl.zeros([ROWS], tl.int32)
            if UNROLLED:
                for j in tl.static_range(1, M):
                    x = tl.load(first + j * inner, mask=inside, other=0).to(number)
                    is_nan = is_nan | (x != x)
                    p = tl.where(x > best, j, p)
                    best = tl.maximum(best, x)
            else:
                for j in tl.range(1, M):
                    x = tl.load(first + j * inner, mask=inside, other=0).to(number)
                    is_nan = is_nan | (x != x)
                    p = tl.where(x > best, j, p)
                    best = tl.maximum(best, x)
        else:
            best = tl.full([ROWS], float("-inf"), number)
            p = tl.zeros([ROWS], tl.int32)
            is_nan = tl.zeros([ROWS], tl.int32) > 0
            for left in tl.range(0, M, COLUMNS):
                column = left + tl.arange(0, COLUMNS)
                there = inside[:, None] & (column < M)[None, :]
                place = where[:, None] * M + column[None, :]
                y = tl.load(logits + place, mask=there, other=float("-inf")).to(number)
                highest = tl.max(y, axis=1)
                at = tl.where(y == highest[:, None], column[None, :], M)
                at = tl.min(tl.where(y != y, -1, at), axis=1)  # a NaN anywhere in the row shows as −1
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
        if SIZE > 0:
            _count(base + tl.where(counted, t.to(tl.int32) * M + p, SIZE - 1) * 4)
        elif WEIGHTED:
            _add_weights(own + t * M + p, amount, M * M, counted, TABLES)
        else:
            tl.atomic_add(own + t * M + p, tl.full([ROWS], 1, tl.int64), mask=counted, sem="relaxed")
    if SIZE > 0:
        _add_shared(base, counts, M * M, SIZE, CHUNK)
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
def count_scores(
    preds, true, counts, faults, flag, n, threshold, ignored,
    ALONE: tl.constexpr, HAS_IGNORED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Add one score of the positive class for each item, decided by a threshold, to the `counts` of two classes.

    Scores are probabilities or logits as in `count_decisions`. A NaN is reported, and decides for the negative class.
    """
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    begin = tl.program_id(0).to(tl.int64) * BLOCK
    items = tl.zeros([BLOCK], tl.int32)
    positive = tl.zeros([BLOCK], tl.int32)
    predicted = tl.zeros([BLOCK], tl.int32)
    both = tl.zeros([BLOCK], tl.int32)
    outside = tl.zeros([BLOCK], tl.int32)
    unclear = tl.zeros([BLOCK], tl.int32)
    logits = _are_logits(preds, begin, n, step, BLOCK) if ALONE else tl.load(flag)
    for start in tl.range(begin, n, step):
        where = start + tl.arange(0, BLOCK)
        inside = where < n
        t = tl.load(true + where, mask=inside, other=0).to(tl.int64)
        x = tl.load(preds + where, mask=inside, other=0.0).to(tl.float32)
        if HAS_IGNORED:
            inside = inside & (t != ignored)
        said = tl.where(logits > 0, 1 / (1 + tl.exp(-x)), x).to(preds.dtype.element_ty).to(tl.float32)
        valid = t.to(tl.uint64) < 2
        unclear += (inside & (x != x)).to(tl.int32)
        outside += (inside & ~valid).to(tl.int32)
        one = (inside & valid).to(tl.int32)
        p = one & (said > threshold).to(tl.int32)
        items += one
        positive += one & t.to(tl.int32)
        predicted += p
        both += p & t.to(tl.int32)
    a = tl.sum(positive)
    b = tl.sum(predicted)
    hit = tl.sum(both)
    tl.atomic_add(counts, (tl.sum(items) - a - b + hit).to(tl.int64), sem="relaxed")
    tl.atomic_add(counts + 1, (b - hit).to(tl.int64), sem="relaxed")
    tl.atomic_add(counts + 2, (a - hit).to(tl.int64), sem="relaxed")
    tl.atomic_add(counts + 3, hit.to(tl.int64), sem="relaxed")
    _report(faults, outside)
    _report(faults + 1, unclear)


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
