"""The measures: their declarations, and the look-up by name. Importing this package fills the catalogue."""

from goodmeasure.catalogue import outcomes
from goodmeasure.catalogue.definitions import (
    agreement,
    association,
    contingency,
    costs,
    imbalance,
    information,
    means,
    overlap,
    rates,
)
from goodmeasure.catalogue.register import entries, score_entries
from goodmeasure.catalogue.scores import calibration, probability, ranking

__all__ = [
    "agreement", "association", "calibration", "contingency", "costs", "imbalance", "information", "means", "overlap",
    "outcomes", "probability", "ranking", "rates", "shipped",
]  # fmt: skip

shipped = frozenset(entry.name for entry in (*entries(), *score_entries(), *score_entries("outcomes")))
"""The names of the measures that come with the package."""
