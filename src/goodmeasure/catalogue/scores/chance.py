"""The chance level of measures of scores: what uninformative scores would get."""

from __future__ import annotations

import math

import numpy as np

from goodmeasure.catalogue.scores.class_averages import average
from goodmeasure.catalogue.scores.definition import ScoreDefinition
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.catalogue.scores.probability import brier, brier_skill, log_loss, log_loss_skill, spherical_score
from goodmeasure.catalogue.scores.ranking import (
    average_precision,
    d_prime,
    gini,
    hand_till,
    roc_auc,
    standardised_auc,
)
from goodmeasure.counts.scores.scored import Scored

_MANY = 10_000_000  # items: for more, the harmonic number comes from its expansion, which is off by 1/(12 n²)
_HALF = frozenset([roc_auc, hand_till, average("macro", roc_auc), average("weighted", roc_auc)])
_NOTHING = frozenset([gini, brier_skill, log_loss_skill, d_prime])
_CONSTANT = frozenset([log_loss, brier, spherical_score])


def chance_of(f: ScoreMeasure, data: Scored) -> float:
    """Return the expected value of scores in random order or, for probabilities, that of predicting the class shares.

    NaN where no such value is known.
    """
    if f.is_users_own():  # it may have the name of another measure
        return math.nan
    if f in _HALF or f.made_by == standardised_auc.name:
        return 0.5
    if f in _NOTHING:
        return 0.0
    if f == average_precision:
        return _average_precision(data)
    return _of_shares(f.definition, data) if f in _CONSTANT else math.nan


def _average_precision(data: Scored) -> float:
    """Return the expected average precision of a random order without ties (Bestgen 2015).

    The precision at a positive item at place k is 1/k for itself, and (P − 1)/(n − 1) for each of the k − 1 before it.
    """
    if data.m != 2 or data.item_weights is not None:
        return math.nan
    n, positive = data.items, data.ranking.positives
    if n < 2 or positive == 0:
        return math.nan
    harmonic = float((1.0 / np.arange(1, n + 1)).sum()) if n < _MANY else math.log(n) + np.euler_gamma + 0.5 / n
    return (harmonic + (positive - 1) / (n - 1) * (n - harmonic)) / n


def _of_shares(definition: ScoreDefinition, data: Scored) -> float:
    shares = data.sizes / data.total
    constant = np.full(len(data), shares[1]) if data.scores.ndim == 1 else np.tile(shares, (len(data), 1))
    return float(definition.value(Scored(data.true, constant, data.labels, data.weights)))
