"""The comparison of the systems of a result, from what `evaluate` has counted and computed already."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypedDict

from goodmeasure.comparison.compare import compare_counts, compare_read_scores
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.computation import KnownScores
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.result import Result

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import MeasureLike
    from goodmeasure.evaluation.scores.reading_scores import ScoreData
    from goodmeasure.language.policy import Undefined


class _Options(TypedDict):
    """The settings that an evaluation and a comparison share."""

    confidence: float
    seed: int
    replicates: int
    undefined: Undefined


def compared(result: Result, data: Joint | ScoreData) -> Comparison:
    """Return what `compare` does for the same items, measures and settings, without slices."""
    s = result.settings
    assert s.confidence is not None
    beside = tuple(x for x in result.source.beside if x != "by")
    source = replace(result.source, by=(), beside=beside)
    options: _Options = {
        "confidence": s.confidence, "seed": s.seed, "replicates": s.replicates, "undefined": s.policy,
    }  # fmt: skip
    if not isinstance(data, Joint):
        assert result.scored is not None
        measures: list[MeasureLike] = [*s.measures, *result.scored.measures]
        at = result.scored.threshold
        return compare_read_scores(replace(data, by=None, source=source), measures, threshold=at, **options)
    known = {
        part.system: KnownScores(part.sample, part.scores, s.method, s.prior)
        for part in result.parts
        if part.slice is None
    }
    return compare_counts(data, source, measures=list(s.measures), known=known, **options)
