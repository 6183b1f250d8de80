"""Seeded and hand-picked labelings on which goodmeasure and its peers are compared."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

import goodmeasure as gm


@dataclass(frozen=True, eq=False)
class Example:
    """True and predicted labels 0 … classes − 1, perhaps with weights; a class need not occur."""

    name: str
    classes: int
    y_true: list[int]
    y_pred: list[int]
    weight: list[float] | None = None

    @cached_property
    def cm(self) -> gm.ConfusionMatrix:
        return gm.confusion(self.y_true, self.y_pred, labels=self.labels, sample_weight=self.weight)

    @property
    def labels(self) -> list[int]:
        return list(range(self.classes))

    def __repr__(self) -> str:
        return self.name


def drawn(name, seed, classes, n, *, true=None, pred=None, weigh=None):
    """A random labeling, right about half of the time; `true` and `pred` name the classes that may occur."""
    rng = np.random.default_rng(seed)
    true, pred = np.array(true or range(classes)), np.array(pred or range(classes))
    y_true = rng.choice(true, n)
    copied = (rng.random(n) < 0.5) & np.isin(y_true, pred)
    y_pred = np.where(copied, y_true, rng.choice(pred, n))
    weight = None if weigh is None else weigh(rng, y_true).tolist()
    return Example(name, classes, y_true.tolist(), y_pred.tolist(), weight)


def fractional(rng, y_true):
    return rng.uniform(0.1, 3, len(y_true))


def whole(rng, y_true):
    return rng.integers(1, 6, len(y_true))


def nothing_for_class_0(rng, y_true):
    return np.where(y_true == 0, 0.0, rng.uniform(0.1, 3, len(y_true)))


RANDOM = [
    drawn("binary", 1, 2, 150),
    drawn("binary_few", 2, 2, 9),
    drawn("binary_many", 3, 2, 1000),
    drawn("three", 4, 3, 120),
    drawn("five", 5, 5, 200),
    drawn("twelve", 6, 12, 600),
]
WEIGHTED = [
    drawn("binary_fractional", 7, 2, 150, weigh=fractional),
    drawn("binary_whole", 8, 2, 60, weigh=whole),
    drawn("three_fractional", 9, 3, 120, weigh=fractional),
    drawn("five_whole", 10, 5, 200, weigh=whole),
    drawn("twelve_fractional", 11, 12, 600, weigh=fractional),
    drawn("three_weightless_class", 12, 3, 90, weigh=nothing_for_class_0),
]
ABSENT = [
    drawn("five_some_never_true", 13, 5, 100, true=[0, 2, 4]),
    drawn("five_some_never_predicted", 14, 5, 100, pred=[1, 2]),
    drawn("five_some_in_neither", 15, 5, 100, true=[0, 1, 4], pred=[0, 1, 4]),
    drawn("three_disjoint", 16, 3, 40, true=[0], pred=[1, 2]),
    drawn("twelve_sparse", 17, 12, 25),
]
DEGENERATE = [
    Example("binary_perfect", 2, [0, 1, 1, 0, 1], [0, 1, 1, 0, 1]),
    Example("binary_all_wrong", 2, [0, 1, 1, 0, 1], [1, 0, 0, 1, 0]),
    Example("binary_true_constant", 2, [1, 1, 1, 1], [0, 1, 1, 1]),
    Example("binary_true_negative_only", 2, [0, 0, 0, 0], [0, 1, 1, 1]),
    Example("binary_predicted_constant", 2, [0, 1, 1, 1], [1, 1, 1, 1]),
    Example("binary_predicted_negative_only", 2, [0, 1, 1, 1], [0, 0, 0, 0]),
    Example("binary_both_positive", 2, [1, 1, 1], [1, 1, 1]),
    Example("binary_both_negative", 2, [0, 0, 0], [0, 0, 0]),
    Example("binary_opposite_constants", 2, [0, 0, 0], [1, 1, 1]),
    Example("binary_one_item", 2, [1], [0]),
    Example("three_perfect", 3, [0, 1, 2, 2, 1], [0, 1, 2, 2, 1]),
    Example("three_rotated", 3, [0, 1, 2, 2, 1], [1, 2, 0, 0, 2]),
    Example("three_true_constant", 3, [1, 1, 1, 1, 1], [0, 1, 2, 1, 1]),
    Example("three_predicted_constant", 3, [0, 1, 2, 1, 1], [1, 1, 1, 1, 1]),
]
UNWEIGHTED = [*RANDOM, *ABSENT, *DEGENERATE]
EXAMPLES = [*UNWEIGHTED, *WEIGHTED]


def binary(example: Example) -> bool:
    return example.classes == 2


def unweighted(example: Example) -> bool:
    return example.weight is None


def pairs_exist(example: Example) -> bool:
    return unweighted(example) and len(example.y_true) > 1


def every_true_class(example: Example) -> bool:
    """No row of the matrix is empty."""
    return bool((example.cm.a > 0).all())


def every_class(example: Example) -> bool:
    """Neither a row nor a column of the matrix is empty."""
    return every_true_class(example) and bool((example.cm.b > 0).all())


def every_class_occurs(example: Example) -> bool:
    """Every class occurs in one of the labelings."""
    return bool((example.cm.a + example.cm.b > 0).all())


def true_predicted(example: Example) -> bool:
    """Every class that has true items is predicted, too."""
    return bool((example.cm.b[example.cm.a > 0] > 0).all())


def no_zero_cell(example: Example) -> bool:
    return bool((example.cm.counts > 0).all())


def both_vary(example: Example) -> bool:
    return np.count_nonzero(example.cm.a) > 1 and np.count_nonzero(example.cm.b) > 1
