"""Every measure of the catalogue, and the bands that pages draw, on designs where assumptions are easily broken.

Items may be plain, weighted, or in groups: with error rates of their own, or with one label for all items of a group,
as the records of a patient have. Classes may be rare, and the classifier perfect, or constant.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from benchmarks.coverage.counting import CONFIDENCE, Tally, default_intervals
from benchmarks.coverage.populations import drawn, skewed_weights, weighted_sums
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure
from goodmeasure.catalogue.names import measures as catalogue
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import GroupCounts, Sample
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.intervals.interval import SampleWork
from goodmeasure.evaluation.intervals.many_at_once import ManyItems
from goodmeasure.evaluation.scores.reliability import reliability_of
from goodmeasure.evaluation.scores.uncertainty import Uncertainty
from goodmeasure.evaluation.thresholds.decisions import decision_curve
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import RESOLVE
from goodmeasure.typing import Array

TWO, THREE = [[0.72, 0.08], [0.05, 0.15]], [[0.42, 0.05, 0.03], [0.06, 0.20, 0.04], [0.03, 0.05, 0.12]]
CELLS: dict[str, Any] = {
    "plain": (TWO, 100),
    "three classes": (THREE, 150),
    "rare class": ([[0.93, 0.05], [0.006, 0.014]], 400),
    "nearly perfect": ([[0.495, 0.005], [0.005, 0.495]], 100),
    "nearly constant": ([[0.78, 0.02], [0.19, 0.01]], 150),
    "weights": (TWO, 200),
}
GROUPS: dict[str, tuple[int, float, bool]] = {  # groups, their share of positive ones, whether they have one label each
    "label of the group": (40, 0.3, True),
    "label of the group, rare": (60, 0.1, True),
    "few groups": (12, 0.5, True),
    "error rates of the group": (30, 0.3, False),
}
SCORES = ("roc_auc", "average_precision", "brier", "log_loss", "ks")
PROBABILITIES = np.array([0.1, 0.3, 0.5])
_ITEMS, _POPULATION = 10, 40_000


def labels(design: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return the coverage of every measure of labels that depends on class shares and not on the number of items."""
    rng = np.random.default_rng(seed)
    if design in GROUPS:
        return _grouped(design, datasets, rng)
    cells, items = np.array(CELLS[design][0]), CELLS[design][1]
    chosen = _measures(cells)
    tally = Tally([f.name for f in chosen], [float(f(cells * 1e6)) for f in chosen])
    if design == "weights":
        keys = rng.choice(cells.size, size=(datasets, items), p=cells.ravel())
        sums = weighted_sums(len(cells), keys, skewed_weights(rng, "log-normal", keys.shape))
        units, matrices = ManyItems(*sums), sums[0]
    else:
        matrices = drawn(rng, cells, items, datasets)
        units = ManyItems(matrices)
    for k, found in enumerate(default_intervals(chosen, units, matrices)):
        tally.add_all(k, found)
    return tally.results()


def _measures(cells: Array) -> list[Measure]:
    """Return the measures that are defined here and do not grow with the number of items."""
    found = []
    for f in catalogue():
        if f.classes in (None, len(cells)):
            try:
                one, two = (float(f(cells * n, undefined="nan")) for n in (1e6, 1e7))
            except InputError:  # its costs are for another number of classes
                continue
            if math.isfinite(one) and abs(one - two) < 1e-5 * max(1.0, abs(one)):
                found.append(f)
    return found


def _items(rng: np.random.Generator, design: str, groups: int) -> tuple[Array, Array, Array]:
    """Return truth, what is said, and the group of each item; groups differ in how often they are right."""
    _, share, shared = GROUPS[design]
    group = np.repeat(np.arange(groups), _ITEMS)
    true = (rng.random(groups) < share)[group] if shared else rng.random(len(group)) < share
    right = rng.beta(0.85 * 6, 0.15 * 6, groups)[group]
    return true, np.where(rng.random(len(group)) < right, true, ~true), group


def _grouped(design: str, datasets: int, rng: np.random.Generator) -> dict[str, Any]:
    share = GROUPS[design][1]
    cells = np.array([[0.85 * (1 - share), 0.15 * (1 - share)], [0.15 * share, 0.85 * share]])
    chosen = _measures(cells)
    tally = Tally([f.name for f in chosen], [float(f(cells * 1e6)) for f in chosen])
    for _ in range(datasets):
        true, said, group = _items(rng, design, GROUPS[design][0])
        keys = group * 4 + 2 * true + said
        entries, values = np.unique(keys, return_counts=True)
        matrix = ConfusionMatrix(np.bincount(keys % 4, minlength=4).reshape(2, 2))
        where = entries % 4
        sample = Sample(matrix, GroupCounts(GROUPS[design][0], entries // 4, where // 2, where % 2, values))
        work = SampleWork(sample, chosen, CONFIDENCE, 0, 100, RESOLVE)
        for k in range(len(chosen)):
            found = work.interval(k, "auto")
            tally.add(k, found.low, found.high)
    return tally.results()


def _scored(rng: np.random.Generator, design: str, groups: int) -> tuple[Array, Array, Array]:
    """Return truth, calibrated probabilities and groups; a group shares half of the noise of its scores."""
    _, share, shared = GROUPS.get(design, (0, 0.3, False))
    group = np.repeat(np.arange(groups), _ITEMS)
    hit = (rng.random(groups) < share)[group] if shared else rng.random(len(group)) < share
    noise = rng.normal(size=groups)[group] if design in GROUPS else rng.normal(size=len(group))
    score = 1.8 * hit + (noise + rng.normal(size=len(group))) / math.sqrt(2)
    return hit, 1 / (1 + np.exp(-(1.8 * score - 1.8**2 / 2 + math.log(share / (1 - share))))), group


def scores(design: str, datasets: int, seed: int) -> dict[str, Any]:
    """Return the coverage of measures of scores, of reliability diagrams and of decision curves."""
    rng, chosen = np.random.default_rng(seed), [measure(x) for x in SCORES]
    whole = Scored(*_scored(np.random.default_rng(0), design, _POPULATION)[:2], (0, 1))
    benefit = decision_curve(whole, PROBABILITIES, None).benefit
    names = [*SCORES, *(f"net benefit at {x}" for x in PROBABILITIES), "reliability"]
    tally = Tally(names, [*(f.of(whole)[0] for f in chosen), *benefit, math.nan])
    number = GROUPS[design][0] if design in GROUPS else 20
    for k in range(datasets):
        hit, given, group = _scored(rng, design, number)
        kinds = group if design in GROUPS else np.arange(len(group))
        if min(len(np.unique(kinds[hit])), len(np.unique(kinds[~hit]))) < 2:
            continue  # one group of a class cannot tell how its groups differ
        weight = skewed_weights(rng, "log-normal", len(hit)) if design == "weights" else None
        data = Scored(hit, given, (0, 1), weights=weight, units=group if design in GROUPS else None)
        work = Uncertainty(data, CONFIDENCE, k, 100)
        for i, f in enumerate(chosen):
            found = work.interval(f, f.of(data)[0])
            tally.add(i, found.low, found.high)
        curve = decision_curve(data, PROBABILITIES, CONFIDENCE)
        assert curve.low is not None
        assert curve.high is not None
        for i, ends in enumerate(zip(curve.low, curve.high, strict=True), len(chosen)):
            tally.add(i, *ends)
        bins = reliability_of(data, 5)
        for low, high, right in zip(bins.low, bins.high, bins.predicted, strict=True):
            tally.add(len(names) - 1, low, high, float(right))
    return tally.results()
