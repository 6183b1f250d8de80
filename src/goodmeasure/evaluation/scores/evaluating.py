"""Evaluate scores: measures of the scores themselves, and of the labels that a threshold makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from goodmeasure.catalogue.measure import MeasuresLike
from goodmeasure.catalogue.scores.chance import chance_of
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.sample import Slice
from goodmeasure.counts.scores.score_input import column_of
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.chosen_measures import NO_MEASURES
from goodmeasure.evaluation.pairing import Pairing, too_many
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.reading import Asked, Precounted
from goodmeasure.evaluation.result import Result, ScoresOfSystems
from goodmeasure.evaluation.scores.chosen import split, usual
from goodmeasure.evaluation.scores.reading_scores import ScoreData, predicted_labels, read_scores
from goodmeasure.evaluation.scores.scores_beyond_memory import LargeScores, read_large
from goodmeasure.evaluation.scores.uncertainty import Uncertainty
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.slices import slice_value
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.thresholds.sweep import Sweep, sweep
from goodmeasure.evaluation.thresholds.sweep import SweptGroup as Swept
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import Policy
from goodmeasure.options import ScoreMissing
from goodmeasure.typing import Array, ArrayLike, Label

IN_BATCHES = "was not tested, as the scores were read in batches: gm.compare (goodmeasure compare) takes that many"
USUAL = 0.5  # the threshold of probabilities, unless another is named
Evaluated: TypeAlias = "Callable[[Asked | Precounted, MeasuresLike | None], Result]"


def evaluate_scores(
    asked: Asked, y_score: object, threshold: float | None, measures: MeasuresLike | None, evaluated: Evaluated
) -> Result:
    """Return the result of scores; `evaluated` evaluates the labels that the threshold makes of them.

    With more than two classes the label is the class with the highest score.
    """
    large = read_large(asked, y_score, threshold, measures)
    if large is not None:
        return _evaluate_large(large, threshold, measures, evaluated)
    read = read_scores(asked, y_score)
    data = {name: read.scored(name) for name in read.systems}
    at = chosen_threshold(threshold, data)
    of_labels, of_scores, note = measured_at(at, data, *split(measures, next(iter(data.values()))))
    result = evaluated(labels_at(read, data, at), of_labels)
    read = replace(read, source=replace(read.source, notes=(*read.source.notes, *note)))
    why = too_many(result.counted.rows, len(data))
    pairing = Pairing(why=why) if why else Pairing(read.copied()) if len(data) > 1 else Pairing()
    return replace(with_scores(result, read, data, of_scores, at), pairing=pairing)


def measured_at(
    at: float | None, data: Mapping[str, Scored], of_labels: MeasuresLike | None, of_scores: list[ScoreMeasure]
) -> tuple[MeasuresLike | None, list[ScoreMeasure], list[str]]:
    """Return the measures of labels and of scores that can be measured, and a note about those that cannot.

    Scores of two classes become labels at a threshold. If they are no probabilities, 0.5 means nothing: without a named
    threshold there are no labels, only scores.
    """
    first = next(iter(data.values()))
    if at is not None or first.m > 2 or of_labels is NO_MEASURES:
        return of_labels, of_scores, []
    low, high = min(x.scores.min() for x in data.values()), max(x.scores.max() for x in data.values())
    note = (
        f"The scores run from {low:.4g} to {high:.4g} and no threshold was named: only measures of scores are shown. "
        "Name the smallest score of a positive with threshold= (--threshold) for measures of labels."
    )
    return NO_MEASURES, of_scores or usual(first), [note]


def with_sweep(result: Result, asked: Asked, y_score: object, measures: MeasuresLike | None) -> Result:
    """Return the result of predicted labels with a sweep over scores of the same data."""
    missing: ScoreMissing = "drop" if asked.missing == "drop" else "error"
    true = asked.y_true if result.source.true is None else result.source.true
    read = read_scores(replace(asked, y_true=true, y_pred=None, by=None, groups=None, missing=missing), y_score)
    scores = next(iter(read.systems.values())) if len(read.systems) == 1 else read.systems
    found = sweep(read.true, scores, measures=measures, positive=read.positive, missing=missing,
                  sample_weight=read.weights)  # fmt: skip
    found.source = replace(read.source, systems=(), guessed=False)
    return replace(result.with_sweep(found), source=replace(result.source, scores=read.source.scores))


def with_scores(
    result: Result, read: ScoreData, data: Mapping[str, Scored], measures: Sequence[ScoreMeasure], at: float | None
) -> Result:
    """Return the result of labels with the measures of the scores that they were made of."""
    masks = _Masks(read.by)
    by_part: dict[tuple[str, Label], Scored] = {}
    for system, whole in data.items():
        by_part[system, None] = whole
        for where in result.counted.slices:
            keep = masks.of(where)
            keep = keep if whole.kept is None else keep[whole.kept]
            if keep.any():
                by_part[system, slice_value(where, result.counted.slices)] = whole.at(keep)
    positive = result.source.positive if read.positive is not None else None
    return _with_parts(result, replace(read.source, positive=positive), by_part, measures, at)


def _evaluate_large(
    large: LargeScores, threshold: float | None, measures: MeasuresLike | None, evaluated: Evaluated
) -> Result:
    """Return the result of scores that were counted in batches."""
    data = large.scored()
    whole = {system: data[system, None] for system in large.table.systems if (system, None) in data}
    at = chosen_threshold(threshold, whole)
    of_labels, of_scores, note = measured_at(at, whole, *split(measures, next(iter(whole.values()))))
    source = replace(large.table.source, notes=(*large.table.source.notes, *note))
    result = evaluated(Precounted(large.counted(data, at), source), of_labels)
    result = replace(result, pairing=Pairing(why=IN_BATCHES))
    by_part = {
        (system, None if where is None else slice_value(where, large.slices)): x for (system, where), x in data.items()
    }
    return _with_parts(result, source, by_part, of_scores, at)


def _with_parts(
    result: Result, source: Provenance, by_part: Mapping[tuple[str, Label], Scored], measures: Sequence[ScoreMeasure],
    at: float | None,
) -> Result:  # fmt: skip
    """Return the result of labels with measures of the scored items of each system and slice."""
    settings = result.settings
    parts = tuple(
        part
        if (here := by_part.get((part.system, part.slice))) is None
        else replace(part, score_rows=score_rows(part, here, measures))
        for part in result.parts
    )
    source = replace(source, threshold=at, of_scores=True)
    scored = ScoresOfSystems(tuple(measures), by_part, at)
    found = replace(result, parts=parts, source=source, settings=settings, scored=scored)
    whole = {system: x for (system, where), x in by_part.items() if where is None}
    return found if not settings.measures or at is None else found.with_sweep(_swept(found, whole))


def _swept(result: Result, data: Mapping[str, Scored]) -> Sweep:
    """Return the measures of labels at every threshold of the scores."""
    parts: dict[Label, Swept] = {name if len(data) > 1 else None: Swept.of(x) for name, x in data.items()}
    positive, source = next(iter(data.values())).labels[-1], replace(result.source, by=(), threshold=None)
    return Sweep(parts, list(result.settings.measures), result.settings.policy.quiet, positive, source)


def score_rows(part: SystemScores, data: Scored, measures: Sequence[ScoreMeasure]) -> tuple[Row, ...]:
    """Return the rows of measures of scores of one system on one slice."""
    settings = part.settings
    work = None
    if settings.confidence is not None:
        work = Uncertainty(data, settings.confidence, settings.seed, settings.replicates)
    return tuple(_row(part.system, part.slice, f, data, settings.policy, work) for f in measures)


def _row(system: str, where: object, f: ScoreMeasure, data: Scored, policy: Policy, work: Uncertainty | None) -> Row:
    value, reason = f.of(data, policy)
    low = high = math.nan
    why = None
    if work is not None:
        found = work.interval(f, value)
        low, high = float(found.low), float(found.high)
        if reason is None and not math.isnan(value) and math.isnan(low):
            why, reason = found.reason, f"no interval: {found.reason}"
    chance = math.nan if math.isnan(value) and policy.quiet is not policy else chance_of(f, data)
    return Row(system, where, None, f.name, value, low, high, chance, reason, why)


def labels_at(read: ScoreData, data: Mapping[str, Scored], at: float | None) -> Asked:
    """Return the arguments for evaluating the labels that a threshold makes of scores.

    Where there is no threshold, the true labels stand for the missing ones: they tell the classes and their sizes.
    """
    first = next(iter(data.values()))
    limit = USUAL if first.m > 2 else at
    positive = first.labels[-1] if first.m == 2 else None
    names = first.labels if first.m > 2 else (_another(read.true, positive), positive)
    predicted = {name: predicted_labels(x, names, len(read.true), limit, read.missing) for name, x in data.items()}
    labels = read.labels if first.m > 2 else None
    return Asked(read.true, None, predicted, read.weights, read.by, read.groups, labels, positive, read.missing)


def _another(true: object, positive: Label) -> Label:
    """Return a class other than the positive one, which becomes the negative class: `positive` merges all others."""
    others = [x for x in confusion(true, true, missing="drop").labels if x != positive]
    if others:
        return others[0]
    if isinstance(positive, (bool, int, float)):
        return type(positive)(positive == 0)
    return f"not {positive}"


def chosen_threshold(threshold: float | None, data: Mapping[str, Scored]) -> float | None:
    """Return the threshold that was named, or 0.5 if all scores are probabilities.

    None for more than two classes, and for other scores without a named threshold.
    """
    first = next(iter(data.values()))
    if first.m > 2:
        if threshold is not None:
            raise InputError(
                "{threshold} is {got!r}, and there are {m} classes", got=threshold, m=first.m,
                advice="the predicted class is the one with the highest score, so leave it out",
            )  # fmt: skip
        return None
    if threshold is not None:
        if isinstance(threshold, bool) or not isinstance(threshold, (int, float, np.number)) or threshold != threshold:
            raise InputError("{threshold} is {got!r}", got=threshold, expected="a number")
        return float(threshold)
    return USUAL if all(found.are_probabilities for found in data.values()) else None


@dataclass
class _Masks:
    """Which items belong to each slice, from the columns that slices are made by."""

    by: dict[str, ArrayLike] | None

    def __post_init__(self) -> None:
        self._codes: dict[str, tuple[dict[Label, int], Array]] = {}

    def of(self, where: Slice) -> Array:
        """Return the mask of the items of a slice."""
        found: Array | None = None
        for name, value in where:
            known, codes = self._coded(name)
            mask = codes == known.get(value, -1)
            found = mask if found is None else found & mask
        assert found is not None
        return found

    def _coded(self, name: str) -> tuple[dict[Label, int], Array]:
        if name not in self._codes:
            assert self.by is not None
            column = self.by[name]
            listed = column_of(column, len(column), "by")
            known: dict[Label, int] = {}
            codes = np.fromiter((known.setdefault(x, len(known)) for x in listed), np.int64, len(listed))
            self._codes[name] = known, codes
        return self._codes[name]
