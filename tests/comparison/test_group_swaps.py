"""Groups swapped as a whole: both ways to find the variance between them agree."""

from __future__ import annotations

import numpy as np
import pytest

from goodmeasure.comparison.group_swaps import GroupSwaps, PatternSwaps, group_swaps
from goodmeasure.counts.joint import Joint


def a_pair(*, weighted: bool, groups: int = 30, seed: int = 0) -> Joint:
    """Two systems on 400 items of two classes in groups."""
    rng = np.random.default_rng(seed)
    true = rng.integers(0, 2, 400)
    pred = np.stack([np.where(rng.random(400) < x, true, 1 - true) for x in (0.8, 0.7)])
    weight = rng.random(400) if weighted else None
    group = rng.permutation(np.arange(400) % groups)
    return Joint(("a", "b"), (0, 1), true, pred, np.ones(400, int), weight, weight, group, groups)


@pytest.mark.parametrize("weighted", [False, True])
def test_products_of_counts_give_the_variance_that_adding_up_rows_gives(weighted):
    pair = a_pair(weighted=weighted)
    by_pattern, by_row = group_swaps(pair), GroupSwaps(pair)
    assert isinstance(by_pattern, PatternSwaps)
    rng = np.random.default_rng(1)
    one, two = np.repeat(rng.standard_normal((2, 4, 1)), 50, axis=2)
    drawn = [list(x.draws(50, np.random.default_rng(2))) for x in (by_pattern, by_row)]
    found = []
    for work, blocks in zip((by_pattern, by_row), drawn, strict=True):
        found.append(np.concatenate([work.variance(state, *work.cells)(one, two) for _, state in blocks]))
    assert found[0] == pytest.approx(found[1], rel=1e-11)
    swapped = [sum(float(swapped.sum()) for swapped, _ in blocks) for blocks in drawn]
    assert swapped[0] == pytest.approx(swapped[1])


def test_a_variance_that_is_0_but_for_rounding_is_0():
    """Where every group moves the difference alike, the products cancel to a few units of rounding."""
    true, pred = np.zeros(20, int), np.array([[0, 1] * 10, [1, 0] * 10])
    pair = Joint(("a", "b"), (0, 1), true, pred, group=np.repeat(np.arange(10), 2), groups=10)
    work = group_swaps(pair)
    _, state = work.still()
    slopes = np.full((4, 1), 1 / 3)
    assert work.variance(state, *work.cells)(slopes, slopes * 0.1) == [0.0]
