"""Why a measure rises or falls from one matrix to another: the changes of cells, and what each contributes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.typing import Array

CellPlaces = tuple[tuple[int, int], ...]

_CELLS = {(0, 0): "true negative", (0, 1): "false positive", (1, 0): "false negative", (1, 1): "true positive"}
_SHOWN = 4
_SMALL_PART = 0.05  # of the largest contribution: smaller ones are not mentioned
_TOGETHER, _FEWER, _LARGE = 7, 4, 200  # the most changes that are listed one by one: 7, or 4 with more than 200 classes
_BLOCK = 1 << 21  # cells of all matrices that are measured at once


@dataclass(frozen=True)
class Driver:
    """One change from the first matrix to the second, and what it contributes to each measure."""

    what: str
    cells: CellPlaces
    parts: tuple[float, ...]


def drivers(measures: Sequence[Measure], before: Array, after: Array, labels: Sequence[object]) -> list[Driver]:
    """Return the changes between two matrices, largest first, with what each contributes to each measure.

    The changes are made one after the other. What a change contributes depends on those made before it, so it is
    averaged over all orders: this is its Shapley value (Shapley 1953). Every step leads from one confusion matrix to
    another, so a contribution is at most as large as the range of the measure; the steps of each order add up to the
    difference between the two matrices, and so do the averages. Where the true classes keep their sizes, the cells of a
    true class change together: its items become right or wrong. Matrices of different totals are brought to the same
    total first.
    """
    before, after = (np.asarray(x, dtype=float) for x in (before, after))
    same = abs(before.sum() - after.sum()) <= 1e-9 * after.sum()
    start = before if same else before * (after.sum() / before.sum())
    change = after - before
    if np.all(np.abs(change.sum(axis=1)) <= 1e-9 * after.sum()):
        changes = _by_class(change, labels)
    else:
        changes = _by_cell(change, labels) if same else _by_share(start, after, labels)
    changes = _few(changes, np.abs(after - start))
    parts = [_shares(f, start, after, [cells for _, cells in changes]) for f in measures]
    found = [Driver(what, cells, tuple(x[k] for x in parts)) for k, (what, cells) in enumerate(changes)]
    if not same:
        found += _of_size(measures, before, start)
    scale = [sum(abs(x.parts[k]) for x in found) + 1e-300 for k in range(len(measures))]
    return sorted(found, key=lambda x: -max(abs(part) / most for part, most in zip(x.parts, scale, strict=True)))


def _few(changes: list[tuple[str, CellPlaces]], size: Array) -> list[tuple[str, CellPlaces]]:
    """Return the largest changes, and all others as one, since k changes have 2^k combinations."""
    most = _TOGETHER if len(size) <= _LARGE else _FEWER
    if len(changes) <= most:
        return changes
    ranked = sorted(changes, key=lambda x: -sum(size[cell] for cell in x[1]))
    rest = ranked[most - 1 :]
    return [*ranked[: most - 1], (f"{len(rest)} smaller changes", tuple(cell for _, cells in rest for cell in cells))]


def _shares(f: Measure, before: Array, after: Array, changes: Sequence[CellPlaces]) -> list[float]:
    """Return the Shapley value of each change for one measure.

    In a random order of k changes, the set of s changes made before a given one is any set of that size with
    probability 1/(k · C(k − 1, s)). The contribution is the mean, with these weights, of what the change adds to each
    set. A matrix on the way on which the measure is undefined counts as halfway between the two ends, which keeps both
    the sum and the bound.
    """
    k = len(changes)
    values = _values(f, before, after, changes)
    ends = (values[0] + values[-1]) / 2
    values = np.where(np.isfinite(values), values, ends)
    sets = np.arange(1 << k)
    sizes = np.array([int(x).bit_count() for x in sets])
    weights = np.array([1 / (k * math.comb(k - 1, size)) for size in range(k)])
    found = []
    for place in range(k):
        without = sets[(sets >> place) & 1 == 0]
        part = float(((values[without | (1 << place)] - values[without]) * weights[sizes[without]]).sum())
        found.append(part if math.isfinite(part) else 0.0)
    return found


def _values(f: Measure, before: Array, after: Array, changes: Sequence[CellPlaces]) -> Array:
    """Return the values with every set of changes made; bit k of a set's number says whether change k is made."""
    many, m = 1 << len(changes), len(before)
    values = np.full(many, np.nan)
    size = max(1, _BLOCK // (m * m))
    for first in range(0, many, size):
        sets = np.arange(first, min(first + size, many))
        matrices = np.repeat(before[None], len(sets), axis=0)
        for k, cells in enumerate(changes):
            rows, cols = np.array(cells).T
            made = np.flatnonzero((sets >> k) & 1)
            matrices[made[:, None], rows, cols] = after[rows, cols]
        there = matrices.sum(axis=(1, 2)) > 0
        values[sets[there]] = np.asarray(f(matrices[there]), dtype=float)
    return values


def _of_size(measures: Sequence[Measure], before: Array, scaled: Array) -> list[Driver]:
    """Return what the number of items alone contributes, for measures that depend on it."""
    parts = tuple(float(f(scaled)) - float(f(before)) for f in measures)
    if not any(abs(x) > 1e-9 for x in parts):
        return []
    cells = tuple((int(i), int(j)) for i, j in np.argwhere(before != scaled))
    return [Driver(f"{_rounded(before.sum())} items become {_rounded(scaled.sum())}", cells, parts)]


def _by_class(change: Array, labels: Sequence[object]) -> list[tuple[str, CellPlaces]]:
    """Return one change for each true class whose items become right or wrong."""
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
            what = f"{_rounded(abs(right))} {become} {'right' if right > 0 else 'wrong'}"
        else:
            what = f"the errors on class {labels[i]} go elsewhere"
        found.append((what, cells))
    return found


def _cell(i: int, j: int, m: int, labels: Sequence[object], *, one: bool = False) -> str:
    plural = "" if one else "s"
    return f"{_CELLS[i, j]}{plural}" if m == 2 else f"item{plural} of class {labels[i]} predicted as {labels[j]}"


def _by_cell(change: Array, labels: Sequence[object]) -> list[tuple[str, CellPlaces]]:
    """Return one change for each cell, in numbers of items."""
    found: list[tuple[str, CellPlaces]] = []
    for i, j in ((int(i), int(j)) for i, j in np.argwhere(change)):
        cell = _cell(i, j, len(change), labels, one=abs(change[i, j]) == 1)
        found.append((f"{_rounded(abs(change[i, j]))} {'more' if change[i, j] > 0 else 'fewer'} {cell}", ((i, j),)))
    return found


def _by_share(before: Array, after: Array, labels: Sequence[object]) -> list[tuple[str, CellPlaces]]:
    """Return one change for each cell, in shares of all items, for matrices of different totals."""
    found: list[tuple[str, CellPlaces]] = []
    for i, j in ((int(i), int(j)) for i, j in np.argwhere(after != before)):
        shares = [100 * x[i, j] / x.sum() for x in (before, after)]
        cell = _cell(i, j, len(after), labels)
        found.append((f"{cell} change from {shares[0]:.3g}% to {shares[1]:.3g}%", ((i, j),)))
    return found


def _rounded(x: float) -> str:
    return f"{x:,.0f}" if float(x).is_integer() else f"{x:.4g}"


def sentence(
    measures: tuple[str, ...], systems: tuple[object, object], found: list[Driver], ruled: Sequence[str] = ()
) -> str:
    """Return what drives two measures apart, in words; a rule for 0/0 gave a value of the measures in `ruled`."""
    if not found:
        return "the matrices are the same."
    largest = [max(abs(x.parts[k]) for x in found) for k in range(len(measures))]
    shown = [
        x for x in found
        if any(abs(part) > _SMALL_PART * most for part, most in zip(x.parts, largest, strict=True))
    ][:_SHOWN]  # fmt: skip
    changes = []
    for x in shown:
        parts = ", ".join(f"{name} {_signed(part)}" for name, part in zip(measures, x.parts, strict=True))
        changes.append(f"{x.what} ({parts})")
    rule = f"; {' and '.join(ruled)} of one system is 0/0, and a rule gives its value" if ruled else ""
    return f"from {systems[0]} to {systems[1]}, {', '.join(changes)}{rule}."


def _signed(x: float) -> str:
    return "0" if x == 0 else f"{'−' if x < 0 else '+'}{abs(x):.3g}"
