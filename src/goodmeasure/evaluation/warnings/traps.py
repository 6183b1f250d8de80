"""Warnings about data that look right and are not: items that occur twice, groups that nobody named, copies, luck.

Each of them is silent in the numbers: intervals are too short where items repeat, and values too good where something
was chosen by them. A warning that cries wolf would be ignored, so these need clear evidence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.warnings.record import About, Caution, recorded
from goodmeasure.typing import Array, ArrayLike

MANY_SYSTEMS = 5
MANY_SLICES = 30
_FEW = 50  # items: fewer may well be predicted without an error
_BEYOND = 4.0  # standard errors: no chance
_LARGE = 0.15  # standard deviations of an item: it matters
_RUNS = 20  # of equal rows: so many of an even length are no chance
_LARGEST = 20  # rows of one value, on average: more are categories, not items
_LEAST_GROUPS = 10
_IDS = re.compile(
    r"(.*[_. -])?(id|ids|uid|uuid|guid)|(item|example|sample|question|row)([_. -]?(no|nr|number|index))?", re.I
)
_GROUPS = re.compile(
    r"(patient|subject|user|customer|client|person|participant|speaker|author|document|doc|session|conversation|"
    r"household|family|group|cluster|batch)([_. -]?(id|no|nr|number|name))?", re.I,
)  # fmt: skip


def copies(part: SystemScores) -> Iterator[str]:
    """Warn where the predictions are the true labels."""
    matrix = part.matrix
    if matrix.is_sparse or float(matrix.n) < _FEW or np.count_nonzero(np.asarray(matrix.a) > 0) < 2:
        return
    if float(np.trace(matrix.counts)) == float(matrix.n):
        yield (
            "The predictions are identical to the true labels: unless that is expected, check whether they are a copy "
            "of them, or were made of something that gives the answer away."
        )


def of_weights(part: SystemScores) -> Iterator[str]:
    """Say of how many items a matrix of weights is made."""
    items = part.sample.item_count
    if part.matrix.weighing is not None and items is not None and items < float(part.matrix.n):
        yield (
            f"The matrix holds sums of weights: its {float(part.matrix.n):,.6g} stand for {items:,} items, and that is "
            "what the intervals rest on."
        )


def miscalibrated(data: Scored) -> Iterator[About]:
    """Warn where probabilities of two classes are far from calibrated.

    The two statistics are normal if they are calibrated: that of their mean, and that of Spiegelhalter (1986), which
    sees probabilities that are too extreme. Both must be beyond chance, and large for a single item.
    """
    if (
        data.m != 2
        or data.is_sketch
        or data.weights is not None
        or data.units is not None
        or not data.are_probabilities
    ):
        return
    p, true = np.asarray(data.scores, float), np.asarray(data.true, float)
    if p.ndim != 1 or len(p) < _FEW:
        return
    off, spread, tilt = true - p, p * (1 - p), 1 - 2 * p
    parts = [(float(off.sum()), float(spread.sum())), (float((off * tilt).sum()), float((tilt**2 * spread).sum()))]
    sizes = [x / math.sqrt(variance) if variance > 0 else 0.0 for x, variance in parts]
    mean, extreme = (abs(x) > _BEYOND and abs(x) > _LARGE * math.sqrt(len(p)) for x in sizes)
    mean = mean and not (extreme and abs(sizes[1]) > abs(sizes[0]))
    if mean or extreme:
        how = "too low" if sizes[0] > 0 else "too high"
        what = (
            f"{how} on average ({p.mean():.3f}, and {true.mean():.3f} of the items are positive)"
            if mean
            else ("too extreme" if sizes[1] > 0 else "too cautious")
        )
        yield About(
            f"The probabilities are not calibrated: they are {what}. Ranking does not show that, but log loss, "
            "Brier score and thresholds such as 0.5 do.",
            measure="log_loss",
        )


def chosen(measures: Sequence[str], systems: int, slices: int) -> Iterator[Caution]:
    """Warn about values that were chosen because they are the best, and about very many slices."""
    for name in measures:
        if name.startswith("best("):
            text = (
                f"{name} is the best value over all thresholds of these items, so it is optimistic: at one threshold, "
                "expect less on new items (gm.sweep(…).best(…).honest)."
            )
            yield recorded(About(text, measure=name), None, None)
    if systems >= MANY_SYSTEMS:
        yield recorded(
            f"The best of {systems} systems was chosen for its value, which is partly luck: "
            "result.comparison.best() has the value to expect on new items.",
            None, None,
        )  # fmt: skip
    if slices >= MANY_SLICES:
        yield recorded(
            f"There are {slices} slices: their p-values are corrected for all of them, and the lowest and highest "
            "values are partly luck.",
            None, None,
        )  # fmt: skip


def repeated_rows(columns: Sequence[Array]) -> str | None:
    """Return that all rows come in runs of equal length, as if each item had been written down several times.

    >>> repeated_rows([np.repeat(np.arange(40) % 3, 5)])[:37]
    'All rows come 5 times, or a multiple '
    """
    if not columns or min(map(len, columns)) < 2 * _RUNS or len({len(x) for x in columns}) > 1:
        return None
    changes = np.flatnonzero(np.logical_or.reduce([x[1:] != x[:-1] for x in columns])) + 1
    lengths = np.diff([0, *changes.tolist(), len(columns[0])])
    times = math.gcd(*lengths.tolist())
    if times < 2 or len(lengths) < _RUNS:
        return None
    return (
        f"All rows come {times} times, or a multiple of it, one after the other: if items are repeated (duplicates), "
        "intervals are too short. Leave the copies out, or name the item of each row with groups= (--group)."
    )


def unnamed_groups(columns: Mapping[str, Array], true: Array) -> Iterator[str]:
    """Warn about columns that look like ids with repeats, or like groups, and were not named."""
    for name, values in columns.items():
        if values.dtype.kind == "f" or len(values) != len(true):
            continue
        try:
            found, where, sizes = np.unique(values, return_inverse=True, return_counts=True)
        except TypeError:  # values of several types, which have no order
            continue
        rows = len(values)
        if len(found) < _LEAST_GROUPS or len(found) > rows / 1.5 or rows / len(found) > _LARGEST:
            continue
        is_id, is_group = _IDS.fullmatch(name), _GROUPS.fullmatch(name)
        if is_id or is_group or _decides_label(where.ravel(), sizes, true):
            why = "" if is_id or is_group else ", and all rows of a value have the same true label"
            yield (
                f"Column {name!r} has {len(found):,} values in {rows:,} rows{why}: if rows of one value belong "
                f"together (repeats of an item, a patient, a document), give groups={name!r} (--group {name}). "
                "Without it, intervals are too short."
            )


def _decides_label(where: Array, sizes: Array, true: Array) -> bool:
    """Return whether all rows of each value have one true label, which is no chance."""
    _, codes = np.unique(true, return_inverse=True)
    codes = codes.ravel()
    several = sizes > 1
    if several.sum() < _RUNS:
        return False
    order = np.lexsort((codes, where))
    same = where[order][1:] == where[order][:-1]
    if (codes[order][1:] != codes[order][:-1])[same].any():
        return False
    share = np.bincount(codes) / len(codes)
    agree = float((share**2).sum())
    return math.log(max(agree, 1e-9)) * int((sizes - 1).sum()) < math.log(1e-6)


def plain_columns(data: ArrayLike) -> list[Array]:
    """Return one-dimensional labels as arrays; nothing for what is no such list."""
    found = []
    for x in data if isinstance(data, list) and data and isinstance(data[0], (np.ndarray, list, tuple)) else [data]:
        try:
            values = np.asarray(x)
        except ValueError:
            return []
        if values.ndim != 1:
            return []
        found.append(values)
    return found
