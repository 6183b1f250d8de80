"""The kernels that measure scores on a GPU, written in Triton; `score_tensors.py` says how they work together."""

import triton
import triton.language as tl


@triton.jit
def _add_up(parts, totals, finished, CELLS: tl.constexpr, ROWS: tl.constexpr):
    """Write to `totals` the sums of what all programs have written to their rows of `parts`; the last one does it.

    Which one is the last is found by counting those that have `finished`, and set back to 0 for the next launch. The
    barrier and the order of the atomic addition make sure that whoever counts to the end sees every row. The rows are
    added in their order, whichever program does it, so that the sums are always the same.
    """
    tl.debug_barrier()
    programs = tl.num_programs(0)
    if tl.atomic_add(finished, 1, sem="acq_rel", scope="gpu") == programs - 1:
        tl.debug_barrier()
        cells = tl.arange(0, CELLS)
        total = tl.zeros([CELLS], tl.float64)
        for first in range(0, programs, ROWS):
            rows = first + tl.arange(0, ROWS)
            read = parts + rows[:, None] * CELLS + cells[None, :]
            total += tl.sum(tl.load(read, mask=(rows < programs)[:, None], other=0.0, cache_modifier=".cg"), axis=0)
        tl.store(totals + cells, total)
        tl.store(finished, 0)


@triton.jit
def _place(bits, TOP: tl.constexpr):
    """Return an integer for the bits of a float, in the order of the floats; −0.0 comes with 0.0."""
    place = tl.where(bits < 0, bits ^ TOP, bits)
    return tl.where(place == -1, 0, place)


@triton.jit
def pack(scores, labels, keys, faults, n, high, TOP: tl.constexpr, BLOCK: tl.constexpr):
    """Write a key for each item: twice the place of its score, plus 1 if it is positive.

    `faults` counts the scores that lie outside 0 … `high`, and the labels that are neither 0 nor 1.
    """
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    place = _place(tl.load(scores + where, mask=inside, other=0), TOP).to(tl.int64)
    label = tl.load(labels + where, mask=inside, other=0).to(tl.int64)
    tl.store(keys + where, (place * 2 + label).to(keys.dtype.element_ty), mask=inside)
    elsewhere = tl.sum((inside & ((place < 0) | (place > high))).to(tl.int32))
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
def areas(keys, numbers, totals, through, parts, sums, finished, n, blocks, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Write twice the Mann–Whitney statistic, the sum of average precision, and P, as `_add_up` does.

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
    own = parts + block.to(tl.int64) * 4
    tl.store(own, tl.sum(hits * (2 * below - drawn)).to(tl.float64))
    tl.store(own + 1, tl.sum(tl.where(positive, number.to(tl.float64) * precision, 0.0)))
    tl.store(own + 2, tl.sum(hits).to(tl.float64))
    tl.store(own + 3, 0.0)
    _add_up(parts, sums, finished, 4, ROWS)


@triton.jit
def _larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def _score(scores, where, inside):
    """Return scores, those in bfloat16 as float32: the interpreter cannot compare the others."""
    score = tl.load(scores + where, mask=inside, other=0.0)
    if score.dtype == tl.bfloat16:
        score = score.to(tl.float32)
    return score


@triton.jit
def _begin(scores, where, n):
    """Return which of some places of rising scores are the first with their score."""
    score = _score(scores, where, where < n)
    before = _score(scores, where - 1, (where > 0) & (where < n))
    return (where < n) & ((where == 0) | (score != before))


@triton.jit
def ranked_totals(scores, order, labels, ranked, totals, n, blocks, BLOCK: tl.constexpr):
    """Write the labels in the order of the rising scores to `ranked`, and for each block of them to `totals`:

    its positive items; the last place where a score begins, or −1; its positive items before that place; its faults,
    which are scores that are NaN and labels that are neither 0 nor 1.
    """
    block = tl.program_id(0)
    where = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    score = _score(scores, where, inside)
    label = tl.load(labels + tl.load(order + where, mask=inside, other=0), mask=inside, other=0).to(tl.int64)
    tl.store(ranked + where, label.to(tl.int8), mask=inside)
    last = tl.max(tl.where(_begin(scores, where, n), where, -1))
    wrong = inside & ((label.to(tl.uint64) > 1) | (score != score))
    tl.store(totals + block, tl.sum(label))
    tl.store(totals + blocks + block, last)
    tl.store(totals + 2 * blocks + block, tl.sum(tl.where(where < last, label, 0)))
    tl.store(totals + 3 * blocks + block, tl.sum(wrong.to(tl.int64)))


@triton.jit
def ranked_areas(
    scores, ranked, totals, through, latest, parts, sums, finished, n, blocks,
    FEW: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """Write twice the Mann–Whitney statistic, the sum of average precision, P, and the faults, as `_add_up` does.

    Scores rise, and items with the same score stand in any order. `through` has the positive items up to the end of
    each block, `latest` the last place up to there where a score begins; where there are at most FEW blocks, each
    program finds what it needs of them itself. Of two items that share a score and differ in their label, the later
    one counts the pair, as half a win. At the threshold of a score, everything from the place where it begins is
    predicted positive.
    """
    block = tl.program_id(0)
    where = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    label = tl.load(ranked + where, mask=inside, other=0).to(tl.int64)
    begins = _begin(scores, where, n)
    if FEW > 0:
        others = tl.arange(0, FEW)
        hits = tl.load(totals + others, mask=others < blocks, other=0)
        places = tl.load(totals + blocks + others, mask=others < block, other=0)
        carried = tl.max(places)  # where the tie that continues from an earlier block begins
        owner = carried // BLOCK
        before = tl.sum(tl.where(others < block, hits, 0))
        positives = tl.sum(hits)
        earlier = tl.sum(tl.where(others < owner, hits, 0))
    else:
        carried = tl.load(latest + block - 1, mask=block > 0, other=0)
        owner = carried // BLOCK
        before = tl.load(through + block) - tl.load(totals + block)
        positives = tl.load(through + blocks - 1)
        earlier = tl.load(through + owner) - tl.load(totals + owner)
    earlier = tl.where(block > 0, earlier + tl.load(totals + 2 * blocks + owner), 0)
    true = before + tl.cumsum(label, 0) - label  # before each item
    begun = tl.maximum(tl.associative_scan(tl.where(begins, where, -1), 0, _larger), carried)
    true_begun = tl.maximum(tl.associative_scan(tl.where(begins, true, -1), 0, _larger), earlier)
    lower = begun - true_begun
    twice = tl.where(label > 0, lower + where - true, true - true_begun)
    precision = (positives - true_begun).to(tl.float64) / tl.where(inside, n - begun, 1).to(tl.float64)
    own = parts + block.to(tl.int64) * 4
    tl.store(own, tl.sum(tl.where(inside, twice, 0)).to(tl.float64))
    tl.store(own + 1, tl.sum(tl.where(inside & (label > 0), precision, 0.0)))
    tl.store(own + 2, tl.sum(label).to(tl.float64))
    tl.store(own + 3, tl.load(totals + 3 * blocks + block).to(tl.float64))
    _add_up(parts, sums, finished, 4, ROWS)


@triton.jit
def narrow(labels, narrowed, n, BLOCK: tl.constexpr):
    """Write labels as single bytes; whatever is neither 0 nor 1 becomes 2."""
    where = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = where < n
    label = tl.load(labels + where, mask=inside, other=0).to(tl.int64)
    tl.store(narrowed + where, tl.where(label.to(tl.uint64) > 1, 2, label).to(tl.int8), mask=inside)


@triton.jit
def reliability(
    confidence, hit, parts, sums, finished, n, bins, BINS: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr
):
    """Write the sums of each of equally wide bins: items, confidences, hits; and then the faults.

    A fault is a confidence outside 0 … 1, or a hit that is neither 0 nor 1. Every lane has sums of its own for all
    bins, which are added up only at the end. `_add_up` says where the sums are.
    """
    step = tl.num_programs(0).to(tl.int64) * BLOCK
    start = tl.program_id(0).to(tl.int64) * BLOCK
    lanes = tl.arange(0, BLOCK)
    places = tl.arange(0, BINS)
    items = tl.zeros([BLOCK, BINS], tl.int32)
    right = tl.zeros([BLOCK, BINS], tl.int32)
    said = tl.zeros([BLOCK, BINS], tl.float64)
    wrong = tl.zeros([BLOCK], tl.int32)
    read_p = tl.load(confidence + start + lanes, mask=start + lanes < n, other=0.0)
    read_y = tl.load(hit + start + lanes, mask=start + lanes < n, other=0)
    while start < n:
        inside = start + lanes < n
        p = read_p.to(tl.float64)
        y = read_y.to(tl.int64)
        start += step  # what comes next is read while this is counted
        read_p = tl.load(confidence + start + lanes, mask=start + lanes < n, other=0.0)
        read_y = tl.load(hit + start + lanes, mask=start + lanes < n, other=0)
        valid = (p >= 0) & (p <= 1) & (y.to(tl.uint64) < 2)
        wrong += (inside & ~valid).to(tl.int32)
        bin = tl.where(inside & valid, tl.minimum((p * bins).to(tl.int32), bins - 1), -1)  # 1.0 is in the last bin
        counted = bin[:, None] == places[None, :]
        items += counted.to(tl.int32)
        right += (counted & (y > 0)[:, None]).to(tl.int32)
        said += tl.where(counted, p[:, None], 0.0)
    own = parts + tl.program_id(0) * 4 * BINS + places
    tl.store(own, tl.sum(items.to(tl.int64), axis=0).to(tl.float64))
    tl.store(own + BINS, tl.sum(said, axis=0))
    tl.store(own + 2 * BINS, tl.sum(right.to(tl.int64), axis=0).to(tl.float64))
    tl.store(own + 3 * BINS, tl.where(places == 0, tl.sum(wrong), 0).to(tl.float64))
    _add_up(parts, sums, finished, 4 * BINS, ROWS)


@triton.jit
def losses(probability, label, parts, sums, finished, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    """Write the sums of log losses and of squared errors, the positive items, and the faults.

    A fault is a probability outside 0 … 1, or a label that is neither 0 nor 1. `_add_up` says where the sums are.
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
    own = parts + tl.program_id(0) * 4
    tl.store(own, tl.sum(log_sum))
    tl.store(own + 1, tl.sum(square_sum))
    tl.store(own + 2, tl.sum(positives).to(tl.float64))
    tl.store(own + 3, tl.sum(wrong).to(tl.float64))
    _add_up(parts, sums, finished, 4, ROWS)
