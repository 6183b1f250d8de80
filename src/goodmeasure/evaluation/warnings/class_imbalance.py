"""Warnings about class imbalance: a model hardly better than the majority class, and rare classes it misses."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from goodmeasure.catalogue.display_names import first_names_text, names_text, sentence_name
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.intervals.proportions import proportion, wilson
from goodmeasure.evaluation.intervals.sampling_units import Units, reach_of, units_of
from goodmeasure.evaluation.p_values import mcnemar
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.warnings.record import About
from goodmeasure.typing import Array, Label

_ACCURACY = "accuracy"
_RARE = 0.2  # of the items: a class is rare if its share is below this and below half of an equal share
_FAR = 0.25  # how far below accuracy a recall must be for a warning
_SHARE = 0.975  # one-sided, of 95% confidence, the default of the intervals
_NAMED = 3


def hardly_better(part: SystemScores) -> Iterator[About]:
    """Warn where accuracy is not significantly above that of the majority-class baseline.

    If accuracy is below the baseline, the warning about baselines that score better says so.
    """
    lazy = part.constant_values.get(_ACCURACY)
    value = part.value(_ACCURACY)
    if lazy is None or value is None or np.count_nonzero(np.asarray(part.matrix.a) > 0) < 2 or value < lazy:
        return
    if not significance.is_significant(_beats_majority(part.sample)):
        yield About(
            f"Accuracy ({value:.3f}) is not clearly better than always predicting {part.constant!r} ({lazy:.3f}).",
            measure=_ACCURACY,
        )


def _beats_majority(sample: Sample) -> Claim:
    """Return the claim that the system is more accurate than always predicting the majority class.

    An item says something about it if only the system is right, or only the baseline. Of items that are counted one by
    one, McNemar's test decides, as for any two systems. With weights or groups, the gain in accuracy is a mean of 1, −1
    and 0, which is compared with its standard error.
    """
    matrix = sample.matrix
    majority = int(np.argmax(np.asarray(matrix.a)))
    hits = _diagonal(sample)
    plus, minus = float(hits.sum() - hits[majority]), float(matrix.a[majority] - hits[majority])
    if sample.groups is None and sample.squares is None and plus + minus == round(plus + minus):
        return Claim(confidence=2 * _SHARE - 1, p=mcnemar(round(plus), round(minus), mid=True) if plus > minus else 1.0)
    units, gain = units_of(sample), (plus - minus) / float(matrix.n)
    moved = 1.0 * (units.rows == units.cols) - (units.rows == majority)
    slopes = (moved - gain) / float(matrix.n)
    reach = reach_of(2 * _SHARE - 1, units.freedom(slopes))
    return Claim(apart=gain > reach * math.sqrt(units.variance(slopes)))


def _diagonal(sample: Sample) -> Array:
    matrix = sample.matrix
    found = matrix.sparse.diagonal if matrix.is_sparse else np.diagonal(matrix.counts)
    return np.asarray(found, dtype=float)


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
    units = units_of(part.sample)
    accuracy = float(hits.sum()) / n
    rare = (sizes > 0) & (sizes < n * min(_RARE, 0.5 / matrix.m)) & (np.asarray(matrix.b) > 0)
    found = [
        k for k in np.flatnonzero(rare)
        if hits[k] / sizes[k] < accuracy - _FAR
        and significance.is_significant(Claim(apart=_most(units, int(k)) < accuracy))
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


def _most(units: Units, k: int) -> float:
    """Return the upper end of Wilson's interval of the recall of a class."""
    found = proportion((units.rows == k) & (units.cols == k), units.rows == k, units)
    return 1.0 if found is None else wilson(found, reach_of(2 * _SHARE - 1, found.freedom))[1]


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
