"""Warnings about class imbalance: a model hardly better than the majority class, and rare classes it misses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import NormalDist

import numpy as np

from goodmeasure.catalogue.display_names import first_names_text, names_text, sentence_name
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.intervals.proportions import Proportion, wilson
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.warnings.record import About
from goodmeasure.typing import Array, Label

_ACCURACY = "accuracy"
_RARE = 0.2  # of the items: a class is rare if its share is below this and below half of an equal share
_FAR = 0.25  # how far below accuracy a recall must be for a warning
_Z = NormalDist().inv_cdf(0.975)  # of 95% confidence, the default of the intervals
_NAMED = 3


def hardly_better(part: SystemScores) -> Iterator[About]:
    """Warn where accuracy is not significantly above that of the majority-class baseline.

    If accuracy is below the baseline, the warning about baselines that score better says so.
    """
    lazy = part.constant_values.get(_ACCURACY)
    value = part.value(_ACCURACY)
    if lazy is None or value is None or np.count_nonzero(np.asarray(part.matrix.a) > 0) < 2 or value < lazy:
        return
    gain, error = _gain(part.sample)
    if not significance.is_significant(Claim(apart=gain - _Z * error > 0)):
        yield About(
            f"Accuracy ({value:.3f}) is not clearly better than always predicting {part.constant!r} ({lazy:.3f}).",
            measure=_ACCURACY,
        )


def _gain(sample: Sample) -> tuple[float, float]:
    """Return the gain in accuracy over the majority-class baseline, and the standard error of this paired difference.

    An item counts 1 if only the system is right, −1 if only the baseline is, and 0 otherwise. The mean of these numbers
    is the gain g; their variance is (share of ±1) − g², since their squares are 0 or 1. The variance of the mean
    divides it by the number of items, which for weighted items is the effective sample size (Σw)²/Σw² (Kish 1965).
    """
    matrix = sample.matrix
    majority = int(np.argmax(np.asarray(matrix.a)))
    hits, n = _diagonal(sample), float(matrix.n)
    plus, minus = float(hits.sum() - hits[majority]), float(matrix.a[majority] - hits[majority])
    gain = (plus - minus) / n
    if sample.groups is not None:
        return gain, _between_groups(sample, majority, gain)
    worth = n if sample.squares is None else n * n / float(sample.squares.sum())
    return gain, math.sqrt(max((plus + minus) / n - gain * gain, 0.0) / worth)


def _diagonal(sample: Sample) -> Array:
    matrix = sample.matrix
    found = matrix.sparse.diagonal if matrix.is_sparse else np.diagonal(matrix.counts)
    return np.asarray(found, dtype=float)


def _between_groups(sample: Sample, majority: int, gain: float) -> float:
    """Return the standard error of the gain where whole groups are resampled.

    The gain is a ratio of sums over groups, so its linearisation gives each group g the residual Σ_{i in g} w_i(x_i −
    gain) / Σw. The residuals add up to 0; their sum of squares is the variance between groups.
    """
    groups = sample.groups
    assert groups is not None
    right = (groups.rows == groups.cols).astype(float) - (groups.rows == majority)
    added = np.bincount(groups.group, groups.values * (right - gain), minlength=groups.size)
    return float(np.sqrt((added**2).sum()) / float(sample.matrix.n))


def class_sizes(part: SystemScores) -> list[tuple[Label, float, float]]:
    """Return each class with its number of items and its effective sample size (Σw)²/Σw² (Kish 1965)."""
    matrix, items, squares = part.matrix, part.sample.items, part.sample.squares
    weights = np.asarray(matrix.a, dtype=float)
    if items is None or squares is None:
        return list(zip(matrix.labels, weights.tolist(), weights.tolist(), strict=True))
    below = squares.sum(axis=1).astype(float)
    worth = np.divide(weights**2, below, out=np.zeros_like(weights), where=below > 0)
    return list(zip(matrix.labels, items.sum(axis=1).astype(float).tolist(), worth.tolist(), strict=True))


def missed_classes(part: SystemScores) -> Iterator[About]:
    """Warn about rare classes with low recall, which accuracy does not show.

    A class is reported if its recall is far below accuracy, and if even the upper end of Wilson's interval for it is
    below accuracy: with few items a low recall may be chance.
    """
    matrix = part.matrix
    n, sizes, hits = float(matrix.n), np.asarray(matrix.a, dtype=float), _diagonal(part.sample)
    worth = [x for _, _, x in class_sizes(part)]
    accuracy = float(hits.sum()) / n
    rare = (sizes > 0) & (sizes < n * min(_RARE, 0.5 / matrix.m)) & (np.asarray(matrix.b) > 0)
    found = [
        k for k in np.flatnonzero(rare)
        if hits[k] / sizes[k] < accuracy - _FAR
        and significance.is_significant(
            Claim(apart=wilson(Proportion(hits[k] / sizes[k], worth[k]), _Z)[1] < accuracy)
        )
    ]  # fmt: skip
    found.sort(key=lambda k: float(hits[k] / sizes[k]))
    if len(found) == 1:
        label, size = matrix.labels[found[0]], sizes[found[0]]
        yield About(
            f"Recall of class {label!r} is only {_percent(hits[found[0]] / size)} although accuracy is "
            f"{_percent(accuracy)}: the class makes up {_percent(size / n)} of the items, so accuracy hardly depends "
            "on it.",
            class_=label,
            measure="recall",
        )
    elif found:
        recalls = [f"{matrix.labels[k]!r} ({_percent(hits[k] / sizes[k])})" for k in found]
        yield About(
            f"Recall is far below the accuracy of {_percent(accuracy)} in {len(found):,} rare classes, on which "
            f"accuracy hardly depends: {first_names_text(recalls, _NAMED)}.",
            measure="recall",
        )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%" if share >= 0.001 or share == 0 else f"{100 * share:.2g}%"


def averages_over_unpredicted(part: SystemScores, measures: tuple[Measure, ...]) -> Iterator[About]:
    """Warn about macro averages that include classes which are never predicted."""
    matrix = part.matrix
    true, said = np.asarray(matrix.a) > 0, np.asarray(matrix.b) > 0
    missed, all_ = int(np.count_nonzero(true & ~said)), int(np.count_nonzero(true | said))
    averages = [f for f in measures if f.combinator == "macro" and (all_ == matrix.m or "classes" not in f.parameters)]
    if not missed or not averages:
        return
    shown = names_text([sentence_name(f) for f in averages])
    never = "1 is" if missed == 1 else f"{missed:,} are"
    yield About(
        f"Of the {all_:,} classes behind {shown}, {never} never predicted.",
        measure=averages[0].name if len(averages) == 1 else None,
    )
