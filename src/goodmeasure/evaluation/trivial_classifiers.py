"""What trivial classifiers (perfect, constant, random) would score on the same true labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.chance import chance_levels, is_affine, log_choose, mean_of_draws
from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.catalogue.names import measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sparse_counts import SparseCounts
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import RESOLVE, Policy, Undefined, policy_of
from goodmeasure.typing import Array

SCORECARD = (
    "accuracy",
    "balanced_accuracy",
    "sba",
    "kappa",
    "mcc",
    "macro(f1)",
    "macro(precision)",
    "macro(recall)",
    "k",
)
_BINARY = ("f1", "precision", "recall", "specificity")
_DRAWS = 2_000
_TABLES = 100_000  # tables of two classes: up to this many, the expected value is added up exactly
_SEED = 0


def scorecard(m: int) -> list[Measure]:
    """Return the measures that are shown by default, for m classes."""
    return [measure(name) for name in (*SCORECARD, *(_BINARY if m == 2 else ()))]


class Baselines(Mapping[str, dict[str, float]]):
    """Values by classifier and measure: ``gm.baselines(cm)["acceptor"]["f1"]``."""

    def __init__(self, rows: dict[str, dict[str, float]], about: dict[str, str]) -> None:
        self._rows = rows
        self.about = about

    def __getitem__(self, classifier: str) -> dict[str, float]:
        return self._rows[classifier]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        names = list(next(iter(self._rows.values())))
        first = max(map(len, self._rows))
        widths = [max(len(name), 7) for name in names]
        lines = ["  ".join([" " * first, *(name.rjust(w) for name, w in zip(names, widths, strict=True))])]
        for row, values in self._rows.items():
            drawn = row in ("random", "chance")  # rounded to the digits that draws support, which zeros would hide
            cells = ("-" if v != v else _short(v) if drawn else f"{v:.4f}" for v in values.values())
            lines.append("  ".join([row.ljust(first), *(x.rjust(w) for x, w in zip(cells, widths, strict=True))]))
        return "\n".join(lines)


def _short(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".")


def baselines(cm: Any, measures: Any = None, *, undefined: Undefined = "resolve") -> Baselines:
    """Return what the perfect, worst, random and constant classifiers would score on the same true labels.

    With two classes, the constant classifiers are also called acceptor (always positive) and rejector (always
    negative). "worst" predicts the next class for every item, so every prediction is wrong. "random" is the expected
    value of guessing each class with the same probability; "chance" is that of random predictions with the predicted
    class sizes of `cm`.

    >>> baselines([[90, 0], [8, 2]], measures=["accuracy", "f1"])["rejector"]
    {'accuracy': 0.9, 'f1': 0.0}
    """
    matrix = running.as_matrix(cm)
    if matrix.batch:
        raise InputError(
            "baselines takes one matrix, and a batch of shape {batch} came",
            batch=matrix.batch,
            advice="pick one of them",
        )
    if matrix.is_sparse:
        raise InputError("baselines writes whole matrices, and {m:,} classes are too many for that", m=matrix.m)
    chosen = [as_measure(x) for x in measures] if measures is not None else scorecard(matrix.m)
    policy = policy_of(undefined)
    tables, about = _classifiers(matrix)
    rows = {
        name: {f.name: f(ConfusionMatrix(x, matrix.labels), undefined=policy) for f in chosen}
        for name, x in tables.items()
    }
    rows["random"] = {f.name: _guessing(f, matrix, policy) for f in chosen}
    levels = chance_levels(chosen, matrix, policy)
    rows["chance"] = {f.name: level.value for f, level in zip(chosen, levels, strict=True)}
    about["random"] = "guesses each class with the same probability (expected value, by seeded draws if there are many)"
    about["chance"] = "random predictions with the predicted class sizes of this matrix (expected value)"
    return Baselines(rows, about)


def _classifiers(matrix: ConfusionMatrix) -> tuple[dict[str, Array], dict[str, str]]:
    sizes, m = matrix.a, matrix.m
    perfect = np.zeros((m, m), dtype=sizes.dtype)
    perfect[np.arange(m), np.arange(m)] = sizes
    tables, about = {"perfect": perfect}, {"perfect": "predicts every item correctly"}
    if m > 1:
        tables["worst"], about["worst"] = np.roll(perfect, 1, axis=1), "predicts the next class, so every item wrongly"
    if m == 2:
        tables["acceptor"], about["acceptor"] = _constant(sizes, 1), f"always says {matrix.labels[1]!r}"
        tables["rejector"], about["rejector"] = _constant(sizes, 0), f"always says {matrix.labels[0]!r}"
    for i, label in enumerate(matrix.labels):
        name = f"always {label!r}"
        tables[name], about[name] = _constant(sizes, i), f"always says {label!r}"
    return tables, about


def always(matrix: ConfusionMatrix, i: int) -> ConfusionMatrix:
    """Return the matrix of the classifier that always predicts the i-th class."""
    if not matrix.is_sparse:
        return ConfusionMatrix(_constant(matrix.a, i), matrix.labels)
    m = matrix.m
    sparse = SparseCounts.from_cells(matrix.labels, np.arange(m), np.full(m, i), matrix.a)
    return ConfusionMatrix._counted(None, matrix.labels, matrix._order, sparse)


def _constant(sizes: Array, i: int) -> Array:
    table = np.zeros((len(sizes), len(sizes)), dtype=sizes.dtype)
    table[:, i] = sizes
    return table


def _guessing(f: Measure, matrix: ConfusionMatrix, policy: Policy = RESOLVE) -> float:
    """Return the expected value of a measure when every class is guessed with the same probability.

    It is exact where the measure is affine in the cells (then it is the value on the expected matrix) or where all
    tables of two classes can be added up. Otherwise it is a mean over random draws with a fixed seed, rounded to the
    digits that these support; fractional counts
    cannot be drawn, so for them it is the value on the expected matrix.
    """
    sizes, m = matrix.a, matrix.m
    expected = np.outer(sizes.astype(float), np.full(m, 1 / m))
    whole = all(float(x).is_integer() for x in sizes)
    if not whole or is_affine(f, expected, policy):
        return float(f(expected, undefined=policy))
    if m == 2 and (int(sizes[0]) + 1) * (int(sizes[1]) + 1) <= _TABLES:
        return _over_all_guesses(f, int(sizes[0]), int(sizes[1]), policy)
    rng = np.random.default_rng(_SEED)
    draws = np.stack([rng.multinomial(int(size), np.full(m, 1 / m), size=_DRAWS) for size in sizes], axis=1)
    if is_affine(f, expected, policy, fixed_predicted=True):
        # Given the predicted class sizes, the mean of such a measure is its value on the mean table.
        draws = sizes.astype(float)[:, None] * (draws.sum(axis=1) / float(sizes.sum()))[:, None, :]
    return mean_of_draws(f(draws, undefined=policy))


def _over_all_guesses(f: Measure, negatives: int, positives: int, policy: Policy) -> float:
    """Return the expected value over all guesses of two classes: FP and TP are independent binomial variables."""
    fp, tp = (x.ravel() for x in np.meshgrid(np.arange(negatives + 1), np.arange(positives + 1)))
    tables = np.stack([negatives - fp, fp, positives - tp, tp], axis=-1).reshape(-1, 2, 2)
    logs = log_choose(negatives, np.arange(negatives + 1))[fp] + log_choose(positives, np.arange(positives + 1))[tp]
    weights = np.exp(logs - (negatives + positives) * np.log(2))
    return float((f(tables, undefined=policy) * weights).sum() / weights.sum())
