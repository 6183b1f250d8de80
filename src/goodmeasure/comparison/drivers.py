"""What makes a measure rise or fall from one matrix to another: the changes of cells, each with its part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import RESOLVE
from goodmeasure.catalogue import running, slopes
from goodmeasure.catalogue.measure import Measure

Array = np.ndarray[Any, Any]

_STEPS = 32  # nodes of the quadrature along the way
_CELLS = {(0, 0): "true negatives", (0, 1): "false positives", (1, 0): "false negatives", (1, 1): "true positives"}
_SHOWN = 4
_SMALL_PART = 0.05  # a driver below this share of the largest is not worth a word


@dataclass(frozen=True)
class Driver:
    """One change from the first matrix to the second, and what it adds to each measure."""

    what: str
    cells: tuple[tuple[int, int], ...]
    parts: tuple[float, ...]


def drivers(measures: Sequence[Measure], before: Array, after: Array, labels: Sequence[Any]) -> list[Driver]:
    """The changes between two matrices, largest first; their parts add up to the differences of the measures.

    (A jump, where a rule for 0/0 acts on one of the matrices, is no part of them.)

    Along the straight way from one matrix to the other each cell moves a measure by its slope times its change, added
    up (Aumann and Shapley's way to share a difference). Where the true classes keep their sizes, the cells of a true
    class change together: its items become right or wrong.
    """
    before, after = (np.asarray(x, dtype=float) for x in (before, after))
    parts = np.array([_parts(f, before, after) for f in measures])
    change = after - before
    if np.all(np.abs(change.sum(axis=1)) <= 1e-9 * after.sum()):
        found = _by_class(change, parts, labels)
    else:
        found = _by_cell(change, parts, before, after, labels)
    scale = np.abs(parts).sum(axis=(1, 2)) + 1e-300
    return sorted(found, key=lambda x: -float(np.max(np.abs(x.parts) / scale)))


def _parts(f: Measure, before: Array, after: Array) -> Array:
    """What each cell adds to the measure on the way."""
    nodes, weights = np.polynomial.legendre.leggauss(_STEPS)
    s = (nodes + 1) / 2
    t, weights = s * s * (3 - 2 * s), weights * 6 * s * (1 - s)  # slow at both ends, where roots and logs are steep
    way = before[..., None] + (after - before)[..., None] * t
    try:
        slope = slopes.on_batch(f.of, way, RESOLVE, whole=False)
    except (TypeError, ValueError):
        slope = _by_differences(f, way)
    found: Array = (after - before) * (np.where(np.isfinite(slope), slope, 0.0) * weights / 2).sum(axis=-1)
    return found


def _by_differences(f: Measure, way: Array) -> Array:
    """The slopes of a function that cannot be traced."""
    m, slope = way.shape[0], np.zeros(way.shape)
    step = 1e-6 * way.sum(axis=(0, 1)).max()
    for i in range(m):
        for j in range(m):
            up = way.copy()
            up[i, j] += step
            slope[i, j] = (_values(f, up) - _values(f, way)) / step
    return slope


def _values(f: Measure, way: Array) -> Array:
    return np.array([running.on_rows(f.of, way[..., k].tolist(), RESOLVE) for k in range(way.shape[-1])])


def _by_class(change: Array, parts: Array, labels: Sequence[Any]) -> list[Driver]:
    found = []
    m = len(change)
    for i in range(m):
        if not np.any(change[i]):
            continue
        right = change[i, i]
        cells = tuple((i, j) for j in range(m) if change[i, j])
        if right:
            one = abs(right) == 1
            become = f"{'item' if one else 'items'} of class {labels[i]} {'becomes' if one else 'become'}"
            what = f"{_number(abs(right))} {become} {'right' if right > 0 else 'wrong'}"
        else:
            what = f"the errors on class {labels[i]} go elsewhere"
        found.append(Driver(what, cells, tuple(float(x[i].sum()) for x in parts)))
    return found


def _by_cell(change: Array, parts: Array, before: Array, after: Array, labels: Sequence[Any]) -> list[Driver]:
    """Cell by cell; where the matrices differ in size, their shares are told."""
    m = len(change)
    same = abs(before.sum() - after.sum()) <= 1e-9 * after.sum()
    found = []
    for i in range(m):
        for j in range(m):
            if not change[i, j]:
                continue
            cell = _CELLS[i, j] if m == 2 else f"items of class {labels[i]} predicted as {labels[j]}"
            if same:
                one = abs(change[i, j]) == 1
                counted = (cell.removesuffix("s") if m == 2 else cell.replace("items", "item", 1)) if one else cell
                what = f"{_number(abs(change[i, j]))} {'more' if change[i, j] > 0 else 'fewer'} {counted}"
            else:
                shares = (100 * x[i, j] / x.sum() for x in (before, after))
                what = f"{cell} change from {next(shares):.3g} % to {next(shares):.3g} %"
            found.append(Driver(what, ((i, j),), tuple(float(x[i, j]) for x in parts)))
    return found


def _number(x: float) -> str:
    return f"{x:,.0f}" if float(x).is_integer() else f"{x:.4g}"


def sentence(
    measures: tuple[str, ...], systems: tuple[Any, Any], found: list[Driver], differences: Sequence[float]
) -> str:
    """What drives two measures apart, in words; what a rule for 0/0 adds to the differences is told too."""
    if not found:
        return "the matrices are the same."
    largest = [max(abs(x.parts[k]) for x in found) for k in range(len(measures))]
    told = [
        x for x in found
        if any(abs(part) > _SMALL_PART * most for part, most in zip(x.parts, largest, strict=True))
    ][:_SHOWN]  # fmt: skip
    said = []
    for x in told:
        parts = ", ".join(f"{name} {_signed(part)}" for name, part in zip(measures, x.parts, strict=True))
        said.append(f"{x.what} ({parts})")
    jumps = [gap - sum(x.parts[k] for x in found) for k, gap in enumerate(differences)]
    ruled = [
        f"{name} {_signed(jump)}" for name, jump, most, gap in zip(measures, jumps, largest, differences, strict=True)
        if abs(jump) > _SMALL_PART * max(most, abs(gap))
    ]  # fmt: skip
    rule = f", and a rule acts where the formula is undefined ({', '.join(ruled)})" if ruled else ""
    return f"from {systems[0]} to {systems[1]}, {', '.join(said)}{rule}."


def _signed(x: float) -> str:
    text = f"{abs(x):.3g}"
    return ("−" if x < 0 else "+") + text if float(text) else "±0"
