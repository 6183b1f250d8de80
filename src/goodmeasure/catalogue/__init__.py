"""The measures: their declarations, and the look-up by name. Importing this package fills the catalogue."""

from goodmeasure.catalogue.definitions import agreement, association, costs, information, means, overlap, rates
from goodmeasure.catalogue.register import entries

__all__ = ["agreement", "association", "costs", "information", "means", "overlap", "rates", "shipped"]

shipped = frozenset(entry.name for entry in entries())
"""The names of the measures that come with the package."""
