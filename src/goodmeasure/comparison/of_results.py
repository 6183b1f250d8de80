"""The comparison of the systems of a result, from what `evaluate` has counted and computed already."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from goodmeasure.comparison.compare import compare_counts, compare_read_outcomes, compare_read_scores
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.paired_labels import KnownScores
from goodmeasure.counts.joint import Joint
from goodmeasure.evaluation.outcomes.reading import OutcomeData
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.significance import DIFFERENCES
from goodmeasure.keywords import complete
from goodmeasure.options import CompareOptions

if TYPE_CHECKING:
    from goodmeasure.evaluation.scores.reading_scores import ScoreData


def compared(result: Result, data: Joint | ScoreData) -> Comparison:
    """Return what `compare` does for the same items, measures and settings, without slices."""
    s = result.settings
    assert s.confidence is not None
    beside = tuple(x for x in result.source.beside if x != "by")
    source = replace(result.source, by=(), beside=beside)
    share = result.claims.get(DIFFERENCES, 1.0)
    options: dict[str, object] = {
        "confidence": s.confidence, "seed": s.seed, "replicates": s.replicates, "undefined": s.policy,
        "family": s.family,
    }  # fmt: skip
    if not isinstance(data, Joint):
        assert result.scored is not None
        options |= {"measures": [*s.measures, *result.scored.measures], "threshold": result.scored.threshold}
        read = replace(data, by=None, source=source)
        if isinstance(read, OutcomeData):
            return compare_read_outcomes(read, complete(CompareOptions, {**options, "threshold": None}), share)
        return compare_read_scores(read, complete(CompareOptions, options), share)
    known = {
        part.system: KnownScores(part.sample, part.scores, s.method, s.prior)
        for part in result.parts
        if part.slice is None
    }
    return compare_counts(
        data, source, complete(CompareOptions, {**options, "measures": list(s.measures)}), known, share
    )
