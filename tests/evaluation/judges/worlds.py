"""Simulated items with human labels for the first few, those of a judge, and those of systems."""

from __future__ import annotations

import numpy as np

from goodmeasure.typing import Array


def drawn_labels(
    items: int, *, seed: int, prevalence: float = 0.3, system: float = 0.85, judge: float = 0.9, systems: int = 1
) -> tuple[Array, ...]:
    """Return true labels 0 and 1, a judge's, and those of systems; all err independently, whatever the item."""
    drawing = np.random.default_rng(seed)
    true = (drawing.random(items) < prevalence).astype(int)
    said = [np.where(drawing.random(items) < share, true, 1 - true) for share in (judge, *[system] * systems)]
    return true, *said


def with_judge(
    humans: int, others: int, *, seed: int, prevalence: float = 0.3, system: float = 0.85, judge: float = 0.9
) -> tuple[list[int | None], Array, Array]:
    """Return human labels, None for all but the first, and the labels of a judge and of a system."""
    true, said, pred = drawn_labels(
        humans + others, seed=seed, prevalence=prevalence, system=system, judge=judge
    )  # fmt: skip
    return [*true[:humans].tolist(), *[None] * others], said, pred
