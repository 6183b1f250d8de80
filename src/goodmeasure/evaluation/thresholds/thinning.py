"""Thin curves along the threshold without a visible change."""

from __future__ import annotations

import math

import numpy as np

from goodmeasure.counts.arguments import check_whole
from goodmeasure.typing import Array

TOLERANCE = 0.002  # of the axis: half a pixel of a chart that is 250 pixels high
FEW = 1000  # points: a curve of at most so many is not thinned by default
_AHEAD = 64  # points to look at first; the window then doubles


def thinned(*along: Array, points: int = FEW) -> Array:
    """Return the places of the points to keep: all of them, if there are at most `points`.

    Values are ordered from the highest threshold down, and each holds from its threshold down to the next: a step
    curve. A point is left out only if its value differs from that of the last point kept by at most TOLERANCE of the
    span of the values. So the steps through the remaining points are that close to the true curve at *every* threshold,
    however the thresholds are spread, and a curve that jumps a lot keeps more than `points`. The ends, the least and
    the greatest value stay. Several curves (the two axes of a ROC curve) are thinned together, and each stays that
    close.

    >>> thinned(np.array([0.0, 0.001, 0.5, 0.5005, 1.0]), points=4).tolist()
    [0, 2, 4]
    """
    check_whole(points, "points", 4)
    length = len(along[0])
    if length <= points:
        return np.arange(length)
    allowed = [TOLERANCE * _span(values) for values in along]
    stays = sorted({length - 1, length, *(place for values in along for place in _extremes(values))})
    kept, start = [], 0
    while start < length:
        kept.append(start)
        start = min(_first_apart(along, allowed, start), next(place for place in stays if place > start))
    return np.array(kept)


def _extremes(values: Array) -> list[int]:
    return [] if np.isnan(values).all() else [int(np.nanargmin(values)), int(np.nanargmax(values))]


def _span(values: Array) -> float:
    """Return the length of the axis that shows these values."""
    finite = values[np.isfinite(values)]
    return float(finite.max() - finite.min()) if len(finite) else 0.0


def _first_apart(along: tuple[Array, ...], allowed: list[float], start: int) -> int:
    """Return the first place behind `start` whose value differs from the one there by more than allowed, or the length.

    Undefined and infinite values differ from all others, since a chart shows gaps there.
    """
    length, ahead, at = len(along[0]), _AHEAD, start + 1
    while at < length:
        apart = np.zeros(min(ahead, length - at), bool)
        for values, most in zip(along, allowed, strict=True):
            here, there = values[start], values[at : at + len(apart)]
            if np.isfinite(here):
                apart |= ~(np.abs(there - here) <= most)
            else:
                apart |= np.isfinite(there) if np.isnan(here) else there != here
        if apart.any():
            return at + int(np.argmax(apart))
        at, ahead = at + len(apart), 2 * ahead
    return length


def levelled(values: Array, points: int = FEW, tolerance: float = TOLERANCE) -> tuple[Array, Array]:
    """Return places and levels of as few steps as possible that look like the curve; all points, up to `points`.

    Each step covers a stretch of values that are at most twice the tolerance apart, and lies in their middle. So it is
    within the tolerance (of the axis) of the true curve at every threshold. The level is not a value of the measure:
    use it for drawing only.

    >>> levelled(np.array([0.0, 0.003, 0.5, 0.503, 1.0]), points=4)
    (array([0, 2, 4]), array([0.0015, 0.5015, 1.    ]))
    """
    length = len(values)
    if length <= points:
        return np.arange(length), values
    allowed, start = 2 * tolerance * _span(values), 0
    places, levels = [], []
    while start < length:
        stop = _stretch(values, allowed, start)
        places.append(start)
        levels.append((values[start:stop].max() + values[start:stop].min()) / 2)
        start = stop
    if places[-1] != length - 1:
        places, levels = [*places, length - 1], [*levels, levels[-1]]
    return np.array(places), np.array(levels)


def _stretch(values: Array, allowed: float, start: int) -> int:
    """Return where a stretch of values that differ by at most `allowed` ends; undefined values are one too."""
    if not np.isfinite(values[start]):
        return _first_apart((values,), [0.0], start)
    length, ahead, at, low, high = len(values), _AHEAD, start, math.inf, -math.inf
    while at < length:
        there = values[at : at + ahead]
        lows, highs = np.minimum.accumulate(np.append(low, there)), np.maximum.accumulate(np.append(high, there))
        apart = ~(highs[1:] - lows[1:] <= allowed)
        if apart.any():
            return at + int(np.argmax(apart))
        low, high, at, ahead = float(lows[-1]), float(highs[-1]), at + len(there), 2 * ahead
    return length
