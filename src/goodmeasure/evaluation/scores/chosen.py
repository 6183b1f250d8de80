"""Choose the measures to show for scores: those of predicted labels, and those of the scores themselves."""

from __future__ import annotations

from collections.abc import Iterable

from goodmeasure.catalogue.measure import Measure, MeasureLike, MeasuresLike
from goodmeasure.catalogue.names import measure, score_measure
from goodmeasure.catalogue.names import measures as in_catalogue
from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation.chosen_measures import NO_MEASURES, SETS, as_asked, must_differ

_TWO = ("roc_auc", "average_precision")
_MORE = ("macro(roc_auc)", "hand_till")
_PROBABILITIES = ("log_loss", "brier", "calibration_error")


def usual(data: Scored) -> list[ScoreMeasure]:
    """Return the measures of scores that are shown by default."""
    names = [*(_TWO if data.m == 2 else _MORE), *(_PROBABILITIES if data.are_probabilities else ())]
    return [score_measure(name) for name in names]


def are_of_scores(measures: object) -> bool:
    """Return whether no measure of labels was asked for; the name of a set stands for measures of both kinds."""
    single = isinstance(measures, (str, Measure, ScoreMeasure, ScoreFamily)) or callable(measures)
    listed = [measures] if single else list(measures) if isinstance(measures, Iterable) else []
    named = (x if not isinstance(x, str) else None if x in SETS else measure(x) for x in listed)
    return measures is None or (bool(listed) and all(isinstance(x, (ScoreMeasure, ScoreFamily)) for x in named))


def split(measures: MeasuresLike | None, data: Scored) -> tuple[MeasuresLike | None, list[ScoreMeasure]]:
    """Split the measures into those of labels (None: the default ones; NO_MEASURES: none) and those of scores.

    The name of a set stands for measures of both kinds.
    """
    if measures is None:
        return None, usual(data)
    of_labels: list[MeasureLike] = []
    of_scores: dict[ScoreMeasure, None] = {}
    for one in as_asked(measures):
        if isinstance(one, str) and one in SETS:
            of_labels.append(one)
            of_scores |= dict.fromkeys(_set(one, data))
            continue
        found = measure(one) if isinstance(one, (str, ScoreMeasure, ScoreFamily)) else one
        if isinstance(found, ScoreMeasure):
            found.check(data)
            of_scores[found] = None
        else:
            of_labels.append(one)
    must_differ(of_scores)
    return NO_MEASURES if of_scores and not of_labels else of_labels, list(of_scores)


def _set(name: str, data: Scored) -> list[ScoreMeasure]:
    """Return the measures of scores that a set stands for, as far as they are defined for these scores."""
    if name != "all":
        return usual(data) if name == "recommended" else []
    found = in_catalogue(takes="scores", classes=data.m)
    return [x for x in found if data.are_probabilities or not x.definition.needs_probabilities]
