"""Titles of measures inside sentences and inside longer titles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

_PROPER = {
    "Jaccard",
    "Matthews",
    "Tversky",
    "Ochiai",
    "F-beta",
    "F-alpha",
    "K",
    "RH",
    "Dif2",
    "Dif2Norm",
    "Yule's",
    "Russell",
    "Rogers",
    "Sokal",
    "Gilbert",
}
_COUNTABLE = {"coefficient", "index", "score", "ratio", "rate", "measure", "loss", "mean"}
_LONGEST_ACRONYM = 4


def lower(title: str) -> str:
    """Return a title for the inside of a sentence: the first letter small, unless the word is a name.

    >>> lower("Balanced accuracy"), lower("F1 score"), lower("Cohen's kappa")
    ('balanced accuracy', 'F1 score', "Cohen's kappa")
    """
    first = title.split()[0]
    return (
        title
        if any(x.isupper() or x.isdigit() for x in first[1:]) or first.endswith(("'s", "'")) or first in _PROPER
        else title[0].lower() + title[1:]
    )


def short_name(measure: Measure | ScoreMeasure) -> str:
    """Return a measure as the subject of a sentence: MCC, precision, the F1 score."""
    name, title = measure.name, measure.title
    if name.isalpha() and len(name) <= _LONGEST_ACRONYM and name not in title.lower():
        return str(name.upper())
    words = title.split()
    article = "the " if words[-1] in _COUNTABLE and not words[0].endswith(("'s", "'")) else ""
    return f"{article}{lower(title)}"
