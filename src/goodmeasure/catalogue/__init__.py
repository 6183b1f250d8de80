"""What is measured: the declarations, and the look-up by name. Importing the room fills the catalogue."""

from goodmeasure.catalogue import agreement, association, costs, information, overlap, rates

__all__ = ["agreement", "association", "costs", "information", "overlap", "rates"]
