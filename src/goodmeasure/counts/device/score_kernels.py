"""The kernels that measure scores on a GPU, written in Triton; `scores.py` says how they work together."""

import triton
import triton.language as tl


@triton.jit
def _place(bits, TOP: tl.constexpr):
    """Return an integer for the bits of a float, in the order of the floats; −0.0 comes with 0.0."""
    place = tl.where(bits < 0, bits ^ TOP, bits)
    return tl.where(place == -1, 0, place)


@triton.jit
def range_of_scores(scores, bounds, n, TOP: tl.constexpr, BLOCK: tl.constexpr):
    """Write the least and the greatest place of scores, whose bits came as integers, to `bounds`."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    low = tl.full([BLOCK], TOP, scores.dtype.element_ty)
    high = tl.full([BLOCK], -TOP, scores.dtype.element_ty)
    for start in tl.range(tl.program_id(0).to(tl.int64) * BLOCK, n, step):
        where = start + lanes
        inside = where < n
        place = _place(tl.load(scores + where, mask=inside, other=0), TOP)
        low = tl.where(inside, tl.minimum(low, place), low)
        high = tl.where(inside, tl.maximum(high, place), high)
    tl.atomic_min(bounds, tl.min(low).to(tl.int64), sem="relaxed")
    tl.atomic_max(bounds + 1, tl.max(high).to(tl.int64), sem="relaxed")


@triton.jit
def pack(scores, labels, keys, n, low, TOP: tl.constexpr, BLOCK: tl.constexpr):
    """Write a key for each item: twice the distance of its score from the lowest place, plus 1 if it is positive."""
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    place = _place(tl.load(scores + where, mask=inside, other=0), TOP).to(tl.int64)
    label = tl.load(labels + where, mask=inside, other=0)
    tl.store(keys + where, ((place - low) * 2 + (label != 0)).to(keys.dtype.element_ty), mask=inside)


@triton.jit
def positives_by_block(keys, totals, n, BLOCK: tl.constexpr):
    """Write how many of the keys of each block are odd, so belong to a positive item."""
    start = tl.program_id(0).to(tl.int64) * BLOCK
    where = start + tl.arange(0, BLOCK)
    key = tl.load(keys + where, mask=where < n, other=0)
    tl.store(totals + tl.program_id(0), tl.sum((key & 1).to(tl.int32)).to(tl.int64))


@triton.jit
def _start_of(keys, start, first):
    """Return where the keys of the score `first` begin, at `start` or before: by doubling steps, then by bisection."""
    high = start
    low = start - 1
    step = tl.full([], 1, tl.int64)
    same = (low >= 0) & ((tl.load(keys + tl.maximum(low, 0)) >> 1) == first)
    while same:
        high = low
        low = tl.maximum(low - step, -1)
        step = step * 2
        same = (low >= 0) & ((tl.load(keys + tl.maximum(low, 0)) >> 1) == first)
    while low + 1 < high:
        middle = (low + high) // 2
        if (tl.load(keys + middle) >> 1) == first:
            high = middle
        else:
            low = middle
    return high


@triton.jit
def _positives_between(keys, begin, end):
    """Return how many keys of one score between two places are odd; these come first."""
    low = begin
    high = end
    while low < high:
        middle = (low + high) // 2
        if (tl.load(keys + middle) & 1) == 0:
            high = middle
        else:
            low = middle + 1
    return low - begin


@triton.jit
def areas(keys, totals, through, twice_u, precision, n, BLOCK: tl.constexpr):
    """Add up twice the Mann–Whitney statistic and the sum of average precision, block by block.

    Keys are sorted from high to low: twice the place of the score, plus 1 for a positive item, so that positives come
    first among equal scores. `totals` holds the positives of each block, `through` those up to its end. For a negative
    item the positives with a greater score and half of those with the same one are (tp + tp at the start of its
    scores) / 2. A block needs the start of its first score, which may lie in an earlier block: it is looked for there.
    """
    start = tl.program_id(0).to(tl.int64) * BLOCK
    where = start + tl.arange(0, BLOCK)
    inside = where < n
    key = tl.load(keys + where, mask=inside, other=0)
    label = tl.where(inside, (key & 1).to(tl.int64), 0)
    before = tl.load(through + tl.program_id(0)) - tl.load(totals + tl.program_id(0))
    tp = before + tl.cumsum(label, 0)
    previous = tl.load(keys + where - 1, mask=inside & (where > 0), other=0)
    following = tl.load(keys + where + 1, mask=where + 1 < n, other=0)
    begins = (where == 0) | ((previous >> 1) != (key >> 1))
    ends = inside & ((where == n - 1) | ((following >> 1) != (key >> 1)))
    group = _start_of(keys, start, tl.load(keys + start) >> 1)
    earlier = before - _positives_between(keys, group, start)
    at_start = tl.associative_scan(tl.where(begins & (where > start), tp - label, earlier), 0, _greater)
    negative = inside & (label == 0)
    tl.store(twice_u + tl.program_id(0), tl.sum(tl.where(negative, tp + at_start, 0)))
    share = (tp - at_start).to(tl.float64) * tp.to(tl.float64) / (where + 1).to(tl.float64)
    tl.store(precision + tl.program_id(0), tl.sum(tl.where(ends, share, 0.0)))


@triton.jit
def finish_areas(through, twice_u, precision, found, blocks, n, BLOCK: tl.constexpr):
    """Write the two areas from the sums of all blocks."""
    lanes = tl.arange(0, BLOCK)
    won = tl.zeros([BLOCK], tl.int64)
    total = tl.zeros([BLOCK], tl.float64)
    for start in tl.range(0, blocks, BLOCK):
        inside = start + lanes < blocks
        won += tl.load(twice_u + start + lanes, mask=inside, other=0)
        total += tl.load(precision + start + lanes, mask=inside, other=0.0)
    p = tl.load(through + blocks - 1)
    tl.store(found, tl.sum(won).to(tl.float64) / (2 * p * (n - p)).to(tl.float64))
    tl.store(found + 1, tl.sum(total) / p.to(tl.float64))


@triton.jit
def _greater(a, b):
    return tl.maximum(a, b)


@triton.jit
def reliability(
    confidence, hit, number, confidences, hits, faults, n, bins,
    BINS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Write for each program how many items fall into each of equally wide bins, with their confidences and hits."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    start = tl.program_id(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    places = tl.arange(0, BINS)
    items = tl.zeros([BINS], tl.int64)
    right = tl.zeros([BINS], tl.int64)
    sums = tl.zeros([BINS], tl.float64)
    wrong = tl.zeros([BLOCK], tl.int32)
    while start < n:
        where = start + lanes
        inside = where < n
        p = tl.load(confidence + where, mask=inside, other=0.0)
        y = tl.load(hit + where, mask=inside, other=0).to(tl.int32)
        valid = (p >= 0) & (p <= 1)
        wrong += (inside & ~valid).to(tl.int32)
        bin = tl.minimum((p.to(tl.float64) * bins).to(tl.int32), bins - 1)  # 1.0 belongs to the last bin
        counted = (inside & valid)[:, None] & (bin[:, None] == places[None, :])
        items += tl.sum(counted.to(tl.int32), axis=0)
        right += tl.sum(tl.where(counted, y[:, None], 0), axis=0)
        sums += tl.sum(tl.where(counted, p.to(tl.float64)[:, None], 0.0), axis=0)
        start += step
    place = tl.program_id(0) * BINS + places
    tl.store(number + place, items)
    tl.store(hits + place, right)
    tl.store(confidences + place, sums)
    outside = tl.sum(wrong)
    if outside > 0:
        tl.atomic_add(faults, outside.to(tl.int64), sem="relaxed")


@triton.jit
def losses(probability, label, logs, squares, faults, n, BLOCK: tl.constexpr):
    """Write the sums of log losses and of squared errors of the positive class's probability, for each program."""
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    start = tl.program_id(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    log_sum = tl.zeros([BLOCK], tl.float64)
    square_sum = tl.zeros([BLOCK], tl.float64)
    wrong = tl.zeros([BLOCK], tl.int32)
    while start < n:
        where = start + lanes
        inside = where < n
        p = tl.load(probability + where, mask=inside, other=0.5).to(tl.float64)
        y = tl.load(label + where, mask=inside, other=0).to(tl.float64)
        valid = (p >= 0) & (p <= 1)
        wrong += (inside & ~valid).to(tl.int32)
        said = tl.where(y > 0, p, 1.0 - p)  # the probability that was given to what happened
        log_sum += tl.where(inside & valid, -tl.log(said), 0.0)  # infinite where what happened had the probability 0
        square_sum += tl.where(inside & valid, (1.0 - said) * (1.0 - said), 0.0)
        start += step
    tl.store(logs + tl.program_id(0), tl.sum(log_sum))
    tl.store(squares + tl.program_id(0), tl.sum(square_sum))
    outside = tl.sum(wrong)
    if outside > 0:
        tl.atomic_add(faults, outside.to(tl.int64), sem="relaxed")
