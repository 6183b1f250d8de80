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
def pack(scores, labels, keys, faults, n, low, high, TOP: tl.constexpr, BLOCK: tl.constexpr):
    """Write a key for each item: twice the distance of its score from the place `low`, plus 1 if it is positive.

    `faults` counts the scores that lie outside `low` … `high`, and the labels that are neither 0 nor 1.
    """
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    place = _place(tl.load(scores + where, mask=inside, other=0), TOP).to(tl.int64)
    label = tl.load(labels + where, mask=inside, other=0).to(tl.int64)
    tl.store(keys + where, ((place - low) * 2 + label).to(keys.dtype.element_ty), mask=inside)
    elsewhere = tl.sum((inside & ((place < low) | (place > high))).to(tl.int32))
    if elsewhere > 0:
        tl.atomic_add(faults, elsewhere.to(tl.int64), sem="relaxed")
    unknown = tl.sum((inside & (label.to(tl.uint64) > 1)).to(tl.int32))
    if unknown > 0:
        tl.atomic_add(faults + 1, unknown.to(tl.int64), sem="relaxed")


@triton.jit
def totals_by_block(keys, numbers, totals, n, blocks, BLOCK: tl.constexpr):
    """Write how many items and how many positive items the keys of each block stand for; odd keys are positive."""
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    key = tl.load(keys + where, mask=inside, other=0)
    number = tl.load(numbers + where, mask=inside, other=0)
    tl.store(totals + tl.program_id(0), tl.sum(number))
    tl.store(totals + blocks + tl.program_id(0), tl.sum(number * (key & 1).to(tl.int64)))


@triton.jit
def areas(keys, numbers, totals, through, parts, n, blocks, BLOCK: tl.constexpr):
    """Write for each block its part of twice the Mann–Whitney statistic, of the sum of average precision, and of P.

    Different keys rise: the negative items of a score (an even key) come right before its positive ones. `numbers` has
    the items of each key, `totals` those of each block (all, then positive ones), `through` those up to its end. The c
    positive items of a score win against all negative ones below it, and draw with those that share it, so twice what
    they win is c (2 × the negatives up to here − those that share the score). At their threshold everything from this
    score on is predicted positive.
    """
    block = tl.program_id(0)
    where = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    key = tl.load(keys + where, mask=inside, other=0)
    number = tl.load(numbers + where, mask=inside, other=0)
    positive = inside & ((key & 1) != 0)
    hits = tl.where(positive, number, 0)
    seen = tl.load(through + block) - tl.load(totals + block) + tl.cumsum(number, 0)
    true = tl.load(through + blocks + block) - tl.load(totals + blocks + block) + tl.cumsum(hits, 0)
    before = inside & (where > 0)
    shares = tl.load(keys + where - 1, mask=before, other=0) == key - 1
    drawn = tl.where(positive & before & shares, tl.load(numbers + where - 1, mask=before, other=0), 0)
    below = seen - true
    items = tl.load(through + blocks - 1)
    positives = tl.load(through + 2 * blocks - 1)
    found = positives - true + number
    chosen = found + (items - positives) - (below - drawn)
    precision = found.to(tl.float64) / tl.where(positive, chosen, 1).to(tl.float64)
    tl.store(parts + block, tl.sum(hits * (2 * below - drawn)).to(tl.float64))
    tl.store(parts + blocks + block, tl.sum(tl.where(positive, number.to(tl.float64) * precision, 0.0)))
    tl.store(parts + 2 * blocks + block, tl.sum(hits).to(tl.float64))


@triton.jit
def reliability(confidence, hit, sums, n, bins, programs, BINS: tl.constexpr, BLOCK: tl.constexpr):
    """Write for each program the sums of each of equally wide bins: items, confidences, hits; and then the faults.

    A fault is a confidence outside 0 … 1, or a hit that is neither 0 nor 1.
    """
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    start = tl.program_id(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    places = tl.arange(0, BINS)
    items = tl.zeros([BINS], tl.int64)
    right = tl.zeros([BINS], tl.int64)
    said = tl.zeros([BINS], tl.float64)
    wrong = tl.zeros([BLOCK], tl.int32)
    while start < n:
        where = start + lanes
        inside = where < n
        p = tl.load(confidence + where, mask=inside, other=0.0).to(tl.float64)
        y = tl.load(hit + where, mask=inside, other=0).to(tl.int64)
        valid = (p >= 0) & (p <= 1) & (y.to(tl.uint64) < 2)
        wrong += (inside & ~valid).to(tl.int32)
        bin = tl.minimum((p * bins).to(tl.int32), bins - 1)  # 1.0 belongs to the last bin
        counted = (inside & valid)[:, None] & (bin[:, None] == places[None, :])
        items += tl.sum(counted.to(tl.int32), axis=0)
        right += tl.sum(tl.where(counted, y.to(tl.int32)[:, None], 0), axis=0)
        said += tl.sum(tl.where(counted, p[:, None], 0.0), axis=0)
        start += step
    own = sums + tl.program_id(0) * BINS + places
    tl.store(own, items.to(tl.float64))
    tl.store(own + programs * BINS, said)
    tl.store(own + 2 * programs * BINS, right.to(tl.float64))
    tl.store(own + 3 * programs * BINS, tl.where(places == 0, tl.sum(wrong), 0).to(tl.float64))


@triton.jit
def losses(probability, label, sums, n, programs, BLOCK: tl.constexpr):
    """Write for each program the sums of log losses and of squared errors, the positive items, and the faults.

    A fault is a probability outside 0 … 1, or a label that is neither 0 nor 1.
    """
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    start = tl.program_id(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    log_sum = tl.zeros([BLOCK], tl.float64)
    square_sum = tl.zeros([BLOCK], tl.float64)
    positives = tl.zeros([BLOCK], tl.int64)
    wrong = tl.zeros([BLOCK], tl.int32)
    while start < n:
        where = start + lanes
        inside = where < n
        p = tl.load(probability + where, mask=inside, other=0.5).to(tl.float64)
        y = tl.load(label + where, mask=inside, other=0).to(tl.int64)
        valid = (p >= 0) & (p <= 1) & (y.to(tl.uint64) < 2)
        counted = inside & valid
        wrong += (inside & ~valid).to(tl.int32)
        said = tl.where(y > 0, p, 1.0 - p)  # the probability that was given to what happened
        log_sum += tl.where(counted, -tl.log(tl.where(counted, said, 1.0)), 0.0)  # infinite where that was 0
        square_sum += tl.where(counted, (1.0 - said) * (1.0 - said), 0.0)
        positives += tl.where(counted, y, 0)
        start += step
    own = sums + tl.program_id(0)
    tl.store(own, tl.sum(log_sum))
    tl.store(own + programs, tl.sum(square_sum))
    tl.store(own + 2 * programs, tl.sum(positives).to(tl.float64))
    tl.store(own + 3 * programs, tl.sum(wrong).to(tl.float64))
