"""How far the outcomes of slices are apart, and whether they differ by more than chance.

If slices are alike, it is chance which items fall into which, so the items (or groups of them) are shuffled among
slices of the same sizes, as for labels (`slice_variation.py`).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from goodmeasure.catalogue.outcomes import OutcomeMean
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.outcomes import Outcomes
from goodmeasure.counts.sample import Slice
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.p_values import beyond_seen, p_of_draws
from goodmeasure.evaluation.scoring import Settings
from goodmeasure.evaluation.slice_claims import SliceClaims
from goodmeasure.evaluation.slice_gaps import gap_interval
from goodmeasure.evaluation.slice_tests import (
    FEW_GROUPS,
    FEW_ITEMS,
    SliceSpread,
    SliceTest,
    claimed,
    corrected,
)
from goodmeasure.evaluation.slice_variation import PERMUTATION, beyond_noise
from goodmeasure.evaluation.slices import slices_by_name
from goodmeasure.typing import Array, Label

_MOST_SHUFFLED = 400_000_000  # units × shuffles: about ten seconds; of more, fewer shuffles are made
_FEWEST_SHUFFLES = 200


class OutcomeSlices:
    """The spread of slices and the test of each, for every system, column and measure of outcomes."""

    def __init__(
        self, data: Mapping[tuple[str, Label], Scored], measures: Sequence[ScoreMeasure], settings: Settings,
        slices: Sequence[Slice], share: float | None = None,
    ) -> None:  # fmt: skip
        self._measures, self._settings, self._share = measures, settings, share
        kinds = {label: ", ".join(name for name, _ in x) for label, x in slices_by_name(slices).items()}
        groups: dict[tuple[str, str], dict[Label, Outcomes]] = {}
        for (system, where), x in data.items():
            if where is not None and isinstance(x, Outcomes):
                groups.setdefault((system, kinds.get(where, "")), {})[where] = x
        self._columns = {key: x for key, x in groups.items() if len(x) > 1}

    def spreads_of(self, system: str, measure: str) -> list[SliceSpread]:
        """Return the spreads of one measure of one system, by column."""
        return [x for x in self.spreads if x.system == system and x.measure == measure]

    @cached_property
    def _shuffled(self) -> list[tuple[str, str, ScoreMeasure, _Shuffled]]:
        return [
            (system, by, f, _Shuffled.of(f, slices, self._settings))
            for (system, by), slices in self._columns.items()
            for f in self._measures
        ]

    @cached_property
    def spreads(self) -> list[SliceSpread]:
        """The spreads of all columns, in the order of the table."""
        found = [
            shuffled.spread(system, f, by, self._settings.confidence) for system, by, f, shuffled in self._shuffled
        ]
        claims = self._claims
        return [replace(x, p_family=x.p if claims is None else claims.of_gap(x.p)) for x in found]

    @cached_property
    def _claims(self) -> SliceClaims | None:
        """What corrects p-values for everything that the page looks at; None without a budget."""
        if self._share is None or not self._columns:
            return None
        systems = {system for system, _ in self._columns}
        sizes = [len(x) for (system, _), x in self._columns.items() if system == next(iter(self._columns))[0]]
        return SliceClaims(np.eye(len(self._measures)), sizes, len(systems), self._share, self._settings.seed)

    @cached_property
    def tests(self) -> list[SliceTest]:
        """The test of each slice, with p-values corrected over all slices of a system."""
        found = corrected([x for system, by, f, shuffled in self._shuffled for x in shuffled.tests(system, f, by)])
        return claimed(found, self.spreads, self._claims)


@dataclass(frozen=True)
class _Shuffled:
    """The values of one measure on the slices of one column, and on slices to which the units were shuffled."""

    names: list[Label]
    items: list[int]
    values: Array
    rests: Array
    errors: Array
    sizes: Array
    few: list[bool]
    gap_by_chance: float
    p: float
    against_rest: Array

    @classmethod
    def of(cls, f: ScoreMeasure, slices: Mapping[Label, Outcomes], settings: Settings) -> _Shuffled:
        """Shuffle the items of slices, or their groups."""
        units = [_units(f, x) for x in slices.values()]
        totals, weights = (np.concatenate([x[k] for x in units]) for k in (0, 1))
        sizes = np.array([len(x[0]) for x in units])
        ends = np.cumsum(sizes)
        values, rests = _shares(totals[None], weights[None], ends)
        mean = totals.sum() / weights.sum()
        away = totals - mean * weights
        spread = float((away**2).sum()) / max(1, len(away) - 1)
        errors = np.sqrt(sizes * spread) / np.array([x[1].sum() for x in units])
        shuffles = max(_FEWEST_SHUFFLES, min(settings.replicates, _MOST_SHUFFLED // max(1, len(totals))))
        drawing = np.random.default_rng(np.random.SeedSequence([settings.seed, 10]))
        seen = _statistics(values, rests, mean, sizes)
        beyond, gaps = np.zeros(1 + len(sizes)), 0.0
        for _ in range(shuffles):
            order = drawing.permutation(len(totals))
            value, rest = _shares(totals[order][None], weights[order][None], ends)
            beyond += beyond_seen(_statistics(value, rest, mean, sizes)[:, None], seen[:, None])
            gaps += float(value.max() - value.min())
        p = np.array([p_of_draws(float(x), shuffles) for x in beyond])
        few = [
            x.items < FEW_ITEMS or (x.units is not None and len(y[0]) < FEW_GROUPS)
            for x, y in zip(slices.values(), units, strict=True)
        ]
        return cls(
            list(slices), [x.items for x in slices.values()], values[0], rests[0], errors, sizes.astype(float), few,
            gaps / shuffles, float(p[0]), p[1:],
        )  # fmt: skip

    def spread(self, system: str, f: ScoreMeasure, by: str, confidence: float | None) -> SliceSpread:
        """Return how far the slices are apart."""
        low, high = int(self.values.argmin()), int(self.values.argmax())
        left = beyond_noise(self.values, self.errors, self.sizes)
        ends = (math.nan, math.nan)
        if confidence is not None:
            least, most = gap_interval(self.values, self.errors, confidence, self.sizes - 1)
            ends = (0.0 if self.p >= 1 - confidence else least, min(most, 1.0))
        return SliceSpread(
            system, f.name, by, len(self.names), float(self.values[low]), self.names[low], float(self.values[high]),
            self.names[high], float(self.values[high] - self.values[low]), statistics.pstdev(self.values.tolist()),
            self.gap_by_chance, left.gap, left.deviation, self.p, PERMUTATION, None, *ends,
        )  # fmt: skip

    def tests(self, system: str, f: ScoreMeasure, by: str) -> Iterator[SliceTest]:
        """Yield the test of every slice, without the correction for their number."""
        for k, name in enumerate(self.names):
            value, rest = float(self.values[k]), float(self.rests[k])
            yield SliceTest(
                system, f.name, by, name, self.items[k], value, rest, value - rest, float(self.against_rest[k]),
                math.nan, PERMUTATION, self.few[k], None, float(self.against_rest[k]),
            )  # fmt: skip


def _units(f: ScoreMeasure, data: Outcomes) -> tuple[Array, Array]:
    """Return the total and the weight of each item, or of each group of them."""
    assert isinstance(f.definition, OutcomeMean)
    weights = np.ones(len(data)) if data.weights is None else data.weights.astype(float)
    totals = f.definition.of_items(data) * weights
    if data.units is None:
        return totals, weights
    return np.bincount(data.units, totals), np.bincount(data.units, weights)


def _shares(totals: Array, weights: Array, ends: Array) -> tuple[Array, Array]:
    """Return the value of each slice (rows, slices) and of all other units, which follow each other up to `ends`."""
    starts = np.concatenate([[0], ends[:-1]])
    up, down = np.add.reduceat(totals, starts, axis=1), np.add.reduceat(weights, starts, axis=1)
    rest = down.sum(axis=1, keepdims=True) - down
    with np.errstate(invalid="ignore", divide="ignore"):
        return up / down, (up.sum(axis=1, keepdims=True) - up) / rest


def _statistics(values: Array, rests: Array, mean: float, sizes: Array) -> Array:
    """Return how far all slices are from the mean together, and each from the rest."""
    return np.concatenate([[float((sizes * (values[0] - mean) ** 2).sum())], np.abs(values[0] - rests[0])])
