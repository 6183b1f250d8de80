"""Display names of measures: short names for tables, charts and sentences, as people in the field say them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Protocol

from goodmeasure.catalogue.names import measure
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.exceptions import InputError


class NamedMeasure(Protocol):
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
_PEOPLE = frozenset(
    {"Jaccard", "Tversky", "Brier", "Ochiai", "Gini", "Braun", "Bray", "Kolmogorov", "Sokal", "Rogers", "Russell",
     "Goodman", "Hand", "Heronian", "Lehmer", "Stolarsky", "Seiffert", "Neuman", "Fowlkes", "Kendall"}
)  # fmt: skip  # who measures are named after, where the name is no possessive
_LONGEST = 24  # characters of parameters that a display name shows
_BRACKETS = re.compile(r"^\w+\((?P<inside>.+)\)$", re.DOTALL)


def display_name(f: NamedMeasure) -> str:
    """Return the name that reports and the terminal show; `f.name` is the one to type.

    >>> import goodmeasure as gm
    >>> [display_name(gm.measure(x)) for x in ("mcc", "macro(f1)", "kappa", "fbeta(2)", "calibrated(mcc)", "roc_auc")]
    ['MCC', 'Macro F1', "Cohen's kappa", 'F-beta (2)', 'Calibrated MCC', 'ROC AUC']
    """
    text = f.title
    for long, short in _SHORTER:
        text = text.replace(long, short)
    return f"{text}{_parameters(f)}"


def _parameters(f: NamedMeasure) -> str:
    """Return the parameters of a family, if its title does not name them."""
    chosen = getattr(f, "parameters", {})
    found = _BRACKETS.match(f.name)
    is_told = isinstance(f, ScoreMeasure) or "measure" in chosen or f.title == f.name
    if not chosen or is_told or found is None:
        return ""
    inside = re.sub(r"\b\w+=", "", found["inside"]) if len(chosen) == 1 else found["inside"]
    return f" ({inside})".replace("'", "") if len(inside) <= _LONGEST else " (with parameters)"


def sentence_name(f: NamedMeasure) -> str:
    """Return the display name as it stands inside a sentence: acronyms and names of people keep their capital letter.

    >>> import goodmeasure as gm
    >>> [sentence_name(gm.measure(x)) for x in ("accuracy", "mcc", "macro(f1)", "kappa", "jaccard", "fbeta(2)")]
    ['accuracy', 'MCC', 'macro F1', "Cohen's kappa", 'Jaccard index', 'F-beta (2)']
    """
    return inside(display_name(f)) if f.title != f.name else f.name


def inside(name: str) -> str:
    """Return a display name as it stands inside a sentence."""
    first = re.split(r"[^\w']", name, maxsplit=1)[0]
    is_fixed = first in _PEOPLE or first.endswith(("'s", "'")) or len(first) == 1 or any(x.isupper() for x in first[1:])
    return name if is_fixed or any(x.isdigit() for x in first) else f"{name[:1].lower()}{name[1:]}"


def sentence_names(measures: Iterable[NamedMeasure]) -> dict[str, str]:
    """Return the names of measures inside sentences, by the names to type."""
    every = list(measures)
    shown = display_names(every)
    return {f.name: sentence_name(f) if shown[f.name] != f.name else f.name for f in every}


def opening_names(measures: Sequence[NamedMeasure]) -> list[str]:
    """Return the names of measures that open a sentence: the first with a capital letter.

    >>> import goodmeasure as gm
    >>> opening_names([gm.accuracy, gm.recall])
    ['Accuracy', 'recall']
    """
    return [display_name(f) if k == 0 else sentence_name(f) for k, f in enumerate(measures)]


def display_of(name: str) -> str:
    """Return the display name of a measure of the catalogue, given its name; other names are shown as they are.

    >>> display_of("macro(f1)"), display_of("my_own")
    ('Macro F1', 'my_own')
    """
    try:
        return display_name(measure(name))
    except InputError:
        return name


def display_names(measures: Iterable[NamedMeasure]) -> dict[str, str]:
    """Return the display name of each measure by its name; measures that would look alike keep the name to type.

    >>> import goodmeasure as gm
    >>> display_names([gm.f1, gm.macro(gm.f1)])
    {'f1': 'F1', 'macro(f1)': 'Macro F1'}
    """
    shown = {f.name: display_name(f) for f in measures}
    times = Counter(shown.values())
    return {name: text if times[text] == 1 else name for name, text in shown.items()}
