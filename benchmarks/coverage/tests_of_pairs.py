"""How often paired tests and winners are wrong where nothing is to be found, and right where something is."""

from __future__ import annotations

from typing import Any

import numpy as np

from goodmeasure.catalogue.names import measure
from goodmeasure.comparison.inference import Inference
from goodmeasure.comparison.paired_labels import PairedLabels
from goodmeasure.comparison.settings import ComparisonSettings, best_of
from goodmeasure.comparison.tables import _wanted, _winners
from goodmeasure.counts.joint import Joint
from goodmeasure.typing import Array

MEASURES = ("accuracy", "mcc", "kappa", "macro(f1)", "sba")
TESTS = {
    "exact McNemar": ("accuracy",),
    "mid-p McNemar": ("accuracy",),
    "permutation": MEASURES,
    "bootstrap": MEASURES,
    "normal": MEASURES,
}
METHODS = {"exact McNemar": "exact", "mid-p McNemar": "auto"}  # the others are called by their name
REPLICATES = 199  # (199 + 1) · 5% is whole, so that a permutation test can have exactly this size
LEVEL = 0.05
WINNING = ("accuracy", "mcc", "macro(f1)")
RACES: dict[str, tuple[float, ...]] = {
    "3, all alike": (0.0,) * 3,
    "10, all alike": (0.0,) * 10,
    "20, all alike": (0.0,) * 20,
    "1 best, 4 lose 5%": (0.0, *(0.05,) * 4),
    "1 best, 4 lose 10%": (0.0, *(0.1,) * 4),
    "2 best, 3 lose 10%": (0.0, 0.0, *(0.1,) * 3),
}


def alike(m: int, right: float, together: float) -> Array:
    """Return cells (true, A, B): both systems err alike, more often together than by chance; class sizes differ."""
    sizes = np.arange(1, m + 1) / np.arange(1, m + 1).sum()
    cells = np.zeros((m, m, m))
    for t in range(m):
        own = np.full(m, (1 - right) / (m - 1))
        own[t] = right
        cells[t] = sizes[t] * (together * np.diag(own) + (1 - together) * np.outer(own, own))
    return cells


def mirrored(better: float, worse: float, together: float) -> Array:
    """Return cells of two classes: A finds more of the first and B more of the second, so every value is the same."""
    cells = np.zeros((2, 2, 2))
    for t, (a, b) in enumerate([(better, worse), (worse, better)]):
        first, second = np.full(2, 1 - a), np.full(2, 1 - b)
        first[t], second[t] = a, b
        shared = np.diag(np.minimum(first, second))
        cells[t] = (together * shared + _rest(first, second, together * np.diag(shared))) / 2
    return cells


def _rest(first: Array, second: Array, used: Array) -> Array:
    one, two = first - used, second - used
    return np.outer(one, two) / one.sum()


def shifted(cells: Array, share: float) -> Array:
    """Return cells in which B errs more: this share of what B alone gets right is wrong."""
    moved = cells.copy()
    m = len(cells)
    for t in range(m):
        for a in range(m):
            loss = share * moved[t, a, t]
            moved[t, a, t] -= loss
            moved[t, a, (t + 1) % m] += loss
    return moved


CASES = {
    "alike, 2 classes": alike(2, 0.8, 0.3),
    "alike, 3 classes": alike(3, 0.7, 0.3),
    "mirrored, 2 classes": mirrored(0.9, 0.7, 0.5),
    "B is worse, 3 classes": shifted(alike(3, 0.7, 0.3), 0.06),
}


def rejections(case: str, items: int, datasets: int, seed: int) -> dict[str, Any]:
    """Return how often each test calls a difference real, by measure."""
    cells = CASES[case]
    m = len(cells)
    drawn = np.random.default_rng(seed).multinomial(items, cells.ravel() / cells.sum(), size=datasets)
    true, a, b = (x.ravel().astype(np.uint8) for x in np.indices(cells.shape))
    found = {name: dict.fromkeys(measures, 0) for name, measures in TESTS.items()}
    for k, number in enumerate(drawn):
        held = number > 0
        pred = np.stack([a[held], b[held]])
        joint = Joint(("A", "B"), tuple(range(m)), true[held], pred, number=number[held])
        for name, measures in TESTS.items():
            chosen = tuple(measure(x) for x in measures)
            how = ComparisonSettings(chosen, method=METHODS.get(name, name), replicates=REPLICATES, seed=k)
            work = Inference(PairedLabels(joint, how))
            tests = work.tests({(0, 1): list(range(len(chosen)))})
            for i, x in enumerate(measures):
                found[name][x] += tests[(0, 1), i].p <= LEVEL
    return {name: {x: round(hits / datasets, 5) for x, hits in by.items()} for name, by in found.items()}


def winners(race: str, items: int, datasets: int, seed: int) -> dict[str, Any]:
    """Return how often winners are wrong and right, by measure, where systems lose shares of their right answers.

    The three shares are: a system that is as good as the best is left out, each of the systems that are as good as the
    best stays, and a worse system is left out (None where there is none).
    """
    drawing, worse, n = np.random.default_rng(seed), RACES[race], items
    chosen = tuple(measure(x) for x in WINNING)
    lost = np.array(worse)
    top, wrong, stays, left = lost == 0, *np.zeros((3, len(chosen)))
    for _ in range(datasets):
        true = drawing.integers(0, 2, n).astype(np.uint8)
        hard = drawing.random(n) < 0.4  # all systems are often wrong on the same items
        right = drawing.random((len(worse), n)) < np.where(hard, 0.5, 0.95)
        right &= drawing.random((len(worse), n)) >= lost[:, None]
        said = np.where(right, true, 1 - true).astype(np.uint8)
        joint = Joint(tuple(map(str, range(len(worse)))), (0, 1), true, said)
        work = Inference(PairedLabels(joint, ComparisonSettings(chosen, method="normal")))
        bests = [best_of(work.values[:, i].tolist(), f) for i, f in enumerate(chosen)]
        found = _winners(work, bests, work.tests(_wanted([[] for _ in chosen], bests, len(worse))), whole=True)
        for i, f in enumerate(chosen):
            kept = np.array([str(k) in found[f.name] for k in range(len(worse))])
            wrong[i] += not kept[top].all()
            stays[i] += kept[top].mean()
            left[i] += (~kept[~top]).mean() if not top.all() else np.nan
    shares = np.stack([wrong, stays, left], axis=1) / datasets
    return {f.name: [None if np.isnan(x) else round(float(x), 5) for x in row]
            for f, row in zip(chosen, shares, strict=True)}  # fmt: skip
