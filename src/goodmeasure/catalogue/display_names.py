"""Display names of measures: short names for tables, charts and sentences, as people in the field say them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from goodmeasure.catalogue.scores.measure import ScoreMeasure


class Named(Protocol):
    """A measure of labels or of scores, as far as its name is concerned."""

    name: str
    title: str


_SHORTER = (
    ("Matthews correlation coefficient", "MCC"),
    ("Macro-averaged ", "Macro "),
    ("macro-averaged ", "macro "),
    ("Micro-averaged ", "Micro "),
    ("micro-averaged ", "micro "),
    ("F1 score", "F1"),
    ("F-beta score", "F-beta"),
    ("F-alpha score", "F-alpha"),
)
_LONGEST = 24  # characters of parameters that a display name shows
_BRACKETS = re.compile(r"^\w+\((?P<inside>.+)\)$", re.DOTALL)


def display_name(measure: Named) -> str:
    """Return the name that reports and the terminal show; `measure.name` is the one to type.

    >>> import goodmeasure as gm
    >>> [display_name(gm.measure(x)) for x in ("mcc", "macro(f1)", "kappa", "fbeta(2)", "calibrated(mcc)", "roc_auc")]
    ['MCC', 'Macro F1', "Cohen's kappa", 'F-beta (2)', 'Calibrated MCC', 'ROC AUC']
    """
    text = measure.title
    for long, short in _SHORTER:
        text = text.replace(long, short)
    return f"{text}{_parameters(measure)}"


def _parameters(measure: Named) -> str:
    """Return the parameters of a family, if its title does not name them."""
    chosen = getattr(measure, "parameters", {})
    found = _BRACKETS.match(measure.name)
    is_told = isinstance(measure, ScoreMeasure) or "measure" in chosen or measure.title == measure.name
    if not chosen or is_told or found is None:
        return ""
    inside = re.sub(r"\b\w+=", "", found["inside"]) if len(chosen) == 1 else found["inside"]
    return f" ({inside})".replace("'", "") if len(inside) <= _LONGEST else " (with parameters)"


def display_names(measures: Iterable[Named]) -> dict[str, str]:
    """Return the display name of each measure by its name; measures that would look alike keep the name to type.

    >>> import goodmeasure as gm
    >>> display_names([gm.f1, gm.macro(gm.f1)])
    {'f1': 'F1', 'macro(f1)': 'Macro F1'}
    """
    shown = {f.name: display_name(f) for f in measures}
    times = Counter(shown.values())
    return {name: text if times[text] == 1 else name for name, text in shown.items()}
