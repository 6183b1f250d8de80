"""Evaluate outcomes: their measures, on items that have no labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from goodmeasure.catalogue.measure import MeasuresLike
from goodmeasure.catalogue.names import named
from goodmeasure.catalogue.outcomes import OUTCOMES, graded_outcome, outcome, pass_all, pass_at
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.outcomes import Outcomes
from goodmeasure.evaluation.chosen_measures import NO_MEASURES, as_asked, must_differ
from goodmeasure.evaluation.outcomes.reading import read_outcome_data
from goodmeasure.evaluation.pairing import Pairing, too_many
from goodmeasure.evaluation.reading import Asked
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scores.evaluating import Evaluated, labels_at, with_scores
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ArrayLike

_OF_LABELS = ("y_pred", "y_true", "y_score", "threshold", "labels", "positive", "classwise")


def refuse_labels(options: Mapping[str, object]) -> None:
    """Refuse arguments about labels and scores, which outcomes take the place of."""
    for name in _OF_LABELS:
        if options.get(name) is not None:
            raise InputError(
                "{argument} and {y_correct:=} were both given", argument=name,
                advice="outcomes take the place of labels: give one of the two",
            )  # fmt: skip


def evaluate_outcomes(
    asked: Asked, y_correct: ArrayLike, measures: MeasuresLike | None, evaluated: Evaluated
) -> Result:
    """Return the result of outcomes; `evaluated` counts the items of each system and slice."""
    read = read_outcome_data(asked, y_correct)
    data = {name: read.scored(name) for name in read.systems}
    result = evaluated(labels_at(read, data, None), NO_MEASURES)
    why = too_many(result.counted.rows, len(data))
    pairing = Pairing(why=why) if why else Pairing(read.copied()) if len(data) > 1 else Pairing()
    return replace(with_scores(result, read, data, chosen_outcomes(measures, data), None), pairing=pairing)


def chosen_outcomes(measures: MeasuresLike | None, data: Mapping[str, Outcomes]) -> list[ScoreMeasure]:
    """Return the measures of outcomes that were asked for: by default the mean, and with several answers pass@k."""
    verdicts = all(x.are_verdicts for x in data.values())
    fewest = min(x.fewest for x in data.values())
    usual: list[ScoreMeasure] = [outcome]
    if verdicts and fewest > 1:
        usual += [f(k=fewest) for f in (pass_at, pass_all)]
    found: Iterable[object] = usual if measures is None else as_asked(measures)
    listed = dict.fromkeys(named(x, argument="measures") for x in found)
    chosen: list[ScoreMeasure] = []
    for f in listed:
        if not isinstance(f, ScoreMeasure) or f.takes != OUTCOMES:
            raise InputError(
                "{name} is no measure of outcomes", argument="measures", name=f.name,
                advice="choose outcome, or with several answers of an item pass_at(k=3), pass_all(k=3), majority_vote",
            )  # fmt: skip
        for x in data.values():
            f.check(x)
        chosen.append(graded_outcome if f == outcome and not verdicts else f)
    must_differ(chosen)
    return chosen
