"""Populations whose true values are known, and data sets drawn from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from goodmeasure.counts.joint import Joint
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.typing import Array

# The recall of the other classes, and that of the class whose prevalence is given.
CLASSIFIERS = {"fair": (0.7, 0.5), "good": (0.9, 0.75), "strong": (0.97, 0.9), "excellent": (0.999, 0.97)}
PAIRS = {
    "alike": ((0.8, 0.6), (0.8, 0.6)),
    "alike and strong": ((0.97, 0.9), (0.97, 0.9)),
    "good and fair": ((0.9, 0.75), (0.8, 0.6)),
    "excellent and strong": ((0.99, 0.97), (0.97, 0.9)),
    "nearly perfect": ((0.999, 0.99), (0.99, 0.97)),
}
TOGETHER = 0.4  # how much of the errors of two systems is shared as far as their recalls allow
ITEMS_OF_GROUP = 8


def sizes_of(m: int, prevalence: float) -> Array:
    """Return the class shares: the last class has this prevalence, and the others are equally frequent."""
    sizes = np.full(m, (1 - prevalence) / (m - 1))
    sizes[-1] = prevalence
    return sizes


def rates(m: int, prevalence: float, recalls: tuple[float, float]) -> Array:
    """Return the probability of each prediction given the true class.

    Half of the wrong predictions go to the other classes evenly, half by their prevalence.
    """
    sizes, found = sizes_of(m, prevalence), np.zeros((m, m))
    for i in range(m):
        others, recall = np.arange(m) != i, recalls[i == m - 1]
        found[i, others] = (1 - recall) * (0.5 / (m - 1) + 0.5 * sizes[others] / sizes[others].sum())
        found[i, i] = recall
    return found


def truth(m: int, prevalence: float, classifier: str) -> Array:
    """Return the probability of every cell of the confusion matrix."""
    return sizes_of(m, prevalence)[:, None] * rates(m, prevalence, CLASSIFIERS[classifier])


def together(m: int, prevalence: float, pair: str) -> Array:
    """Return the probability of every pattern (true class, prediction of A, prediction of B)."""
    sizes = sizes_of(m, prevalence)
    one, two = (rates(m, prevalence, recalls) for recalls in PAIRS[pair])
    cells = np.zeros((m, m, m))
    for t in range(m):
        shared = np.minimum(one[t], two[t])
        left = 1 - shared.sum()
        alike = np.diag(shared)
        if left > 1e-12:
            alike = alike + np.outer(one[t] - shared, two[t] - shared) / left
        cells[t] = sizes[t] * (TOGETHER * alike + (1 - TOGETHER) * np.outer(one[t], two[t]))
    return cells


def drawn(rng: np.random.Generator, cells: Array, n: int, datasets: int) -> Array:
    """Return matrices (datasets, m, m) of n items each."""
    m = len(cells)
    found: Array = rng.multinomial(n, cells.ravel() / cells.sum(), size=datasets).reshape(-1, m, m)
    return found


def skewed_weights(rng: np.random.Generator, kind: str, shape: Any) -> Array:
    """Return weights: "few heavy" (one item in ten weighs 10) or "log-normal" (σ = 1)."""
    if kind == "few heavy":
        return np.where(rng.random(shape) < 0.1, 10.0, 1.0)
    return rng.lognormal(0, 1, shape)


def weighted_sums(m: int, keys: Array, weights: Array) -> tuple[Array, Array, Array]:
    """Return weights, numbers of items and squared weights (datasets, m, m) of items in cells (datasets, items)."""
    datasets = len(keys)
    place = (keys + np.arange(datasets)[:, None] * m * m).ravel()
    sums = (np.bincount(place, x, datasets * m * m) for x in (weights.ravel(), None, weights.ravel() ** 2))
    mass, items, squares = (x.reshape(datasets, m, m) for x in sums)
    return mass, items, squares


def group_members(rng: np.random.Generator, groups: int, uneven: bool) -> Array:
    """Return the group of each item: 8 items in each, or log-normal sizes (σ = 1) of that mean."""
    if not uneven:
        return np.repeat(np.arange(groups), ITEMS_OF_GROUP)
    sizes = rng.lognormal(np.log(ITEMS_OF_GROUP) - 0.5, 1, groups)
    return np.repeat(np.arange(groups), np.maximum(1, np.rint(sizes)).astype(int))


def saved_items(rng: np.random.Generator, member: Array, groups: int) -> Array:
    """Return which items are easy: in 40% of the groups, nine items in ten are, and nobody gets these wrong."""
    saved: Array = (rng.random(groups) < 0.4)[member] & (rng.random(len(member)) < 0.9)
    return saved


EASY = 0.4 * 0.9  # the share of items that nobody gets wrong because of their group


def with_easy_items(cells: Array) -> Array:
    """Return the population of grouped items: a share of them is right in every system."""
    right = np.zeros_like(cells)
    every = (np.arange(len(cells)),) * cells.ndim
    right[every] = cells.reshape(len(cells), -1).sum(axis=1)
    mixed: Array = (1 - EASY) * cells + EASY * right
    return mixed


def grouped_sample(rng: np.random.Generator, cells: Array, groups: int, uneven: bool) -> Sample:
    """Return the confusion matrix of items in groups that are alike within."""
    m = len(cells)
    member = group_members(rng, groups, uneven)
    keys = rng.choice(m * m, size=len(member), p=cells.ravel())
    keys = np.where(saved_items(rng, member, groups), keys // m * (m + 1), keys)
    matrix = ConfusionMatrix(np.bincount(keys, minlength=m * m).reshape(m, m))
    entries, values = np.unique(member * m * m + keys, return_counts=True)
    where = entries % (m * m)
    return Sample(matrix, groups=GroupCounts(groups, entries // (m * m), where // m, where % m, values))


def joint_items(rng: np.random.Generator, cells: Array, n: int, weights: str | None = None) -> Joint:
    """Return n items of two systems, with weights if a kind of them is named."""
    m = len(cells)
    keys = rng.choice(cells.size, size=n, p=cells.ravel() / cells.sum())
    true, one, two = (x.astype(np.uint8) for x in np.unravel_index(keys, cells.shape))
    labels = tuple(range(m))
    if weights is None:
        return Joint(("A", "B"), labels, true, np.stack([one, two]))
    mass = skewed_weights(rng, weights, n)
    number = np.ones(n, np.int64)
    return Joint(("A", "B"), labels, true, np.stack([one, two]), number=number, weight=mass, squares=mass**2)


def joint_groups(rng: np.random.Generator, cells: Array, groups: int, uneven: bool) -> Joint:
    """Return items of two systems in groups that are alike within."""
    m = len(cells)
    member = group_members(rng, groups, uneven)
    keys = rng.choice(cells.size, size=len(member), p=cells.ravel() / cells.sum())
    true, one, two = (x.astype(np.uint8) for x in np.unravel_index(keys, cells.shape))
    easy = saved_items(rng, member, groups)
    said = np.stack([np.where(easy, true, x) for x in (one, two)])
    return Joint(("A", "B"), tuple(range(m)), true, said, group=member, groups=groups)
