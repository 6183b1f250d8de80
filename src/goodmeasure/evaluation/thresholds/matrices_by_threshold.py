"""Read confusion matrices by threshold, of one system or of several groups."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from goodmeasure.counts.arguments import check_positive
from goodmeasure.counts.matrix import ConfusionMatrix, in_one_order
from goodmeasure.counts.sample import Sample
from goodmeasure.counts.scores.by_threshold import ThresholdCounts
from goodmeasure.evaluation.positive_class import PositiveClass, of_samples
from goodmeasure.exceptions import Argument, InputError, InputTypeError
from goodmeasure.typing import Label


def counts_of_matrices(
    matrices: object, positive: Label = None
) -> tuple[dict[Label, ThresholdCounts], PositiveClass | None]:
    """Return the counts at every threshold by group, and the rarer class where that was taken as the positive one.

    The group is None where there is only one.
    """
    if not isinstance(matrices, Mapping) or not matrices:
        raise InputTypeError(
            "{matrices} is empty or not a dict", expected="{{threshold: confusion matrix}}, or such dicts by group"
        )
    nested = [isinstance(x, Mapping) for x in matrices.values()]
    if any(nested) and not all(nested):
        raise InputTypeError(
            "{matrices} mixes matrices and dicts of them", advice="give {{threshold: matrix}}, or such a dict by group"
        )
    groups = matrices if all(nested) else {None: matrices}
    found = {(group, t): cm for group, inner in groups.items() for t, cm in _read(group, inner).items()}
    names = [t if group is None else (group, t) for group, t in found]
    alike = dict(zip(found, in_one_order(list(found.values()), names), strict=True))
    rarer = None if positive is not None else of_samples([Sample(cm) for cm in alike.values()])
    positive = positive if rarer is None else rarer.label
    if positive is not None:
        for cm in alike.values():
            check_positive(positive, cm.labels)
        alike = {key: cm.with_positive(positive) for key, cm in alike.items()}
    return {group: _counts({t: alike[group, t] for t in inner}) for group, inner in groups.items()}, rarer


def _read(group: Label, matrices: Mapping[object, object]) -> dict[float, ConfusionMatrix]:
    where = Argument("matrices", group)
    if not matrices:
        raise InputError("{where} is empty", where=where, expected="a confusion matrix for each threshold")
    found: dict[float, ConfusionMatrix] = {}
    for threshold, counts in matrices.items():
        if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.number)) or threshold != threshold:
            raise InputTypeError(
                "{where} has the threshold {threshold!r}", where=where, threshold=threshold, expected="numbers"
            )
        cm = counts if isinstance(counts, ConfusionMatrix) else ConfusionMatrix(counts)
        if cm.batch or cm.m != 2:
            raise InputError(
                "{where}[{threshold}] has {m} classes",
                where=where,
                threshold=threshold,
                m=cm.m,
                advice="a threshold separates two classes",
            )
        if not cm.n > 0:
            raise InputError(
                "{where}[{threshold}] holds no items",
                where=where,
                threshold=threshold,
                advice="a measure needs at least one",
            )
        found[threshold] = cm  # type: ignore[index]  # numbers of NumPy compare and hash like floats
    return found


def _counts(matrices: dict[float, ConfusionMatrix]) -> ThresholdCounts:
    thresholds = sorted(matrices, reverse=True)
    found = [np.asarray(matrices[t].counts) for t in thresholds]
    cells = np.array([x.astype(np.float64) for x in found])
    whole = all(x.dtype.kind in "iu" for x in found) and float(cells.sum(axis=(1, 2)).max()) < 2**53
    laid_out = np.moveaxis(cells, 0, -1).copy()
    return ThresholdCounts(np.array(thresholds, dtype=np.float64), lambda part: laid_out[:, :, part], whole=whole)
