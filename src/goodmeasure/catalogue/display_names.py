"""Names of measures for readers: short names for tables and charts, and titles inside sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from goodmeasure.exceptions import InputError

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.catalogue.scores.measure import ScoreMeasure


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
# Who measures are named after, where a title starts with the name and it is no possessive.
_PEOPLE = frozenset(
    {"Braun", "Bray", "Brier", "Fowlkes", "Gilbert", "Gini", "Goodman", "Hamming", "Hand", "Heronian", "Jaccard",
     "Kendall", "Kolmogorov", "Lehmer", "Matthews", "Neuman", "Ochiai", "Rogers", "Russell", "Seiffert", "Sokal",
     "Stolarsky", "Tversky"}
)  # fmt: skip
_COUNTABLE = {"coefficient", "index", "score", "ratio", "rate", "measure", "loss", "mean"}
_LONGEST_ACRONYM = 4
_LONGEST = 24  # characters of parameters that a display name shows


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
    from goodmeasure.catalogue.family import Family, literal
    from goodmeasure.catalogue.register import entry_of

    maker = getattr(f, "made_by", None)
    family = None if maker is None else entry_of(maker)
    if not isinstance(family, Family) or family.takes != "labels":  # averages, and measures of scores, have it in words
        return ""
    chosen = getattr(f, "parameters", {})
    shown = {k: v if isinstance(v, str) else literal(v) for k, v in family.shown(chosen).items()}
    words = list(shown.values()) if len(chosen) == 1 else [f"{k}={v}" for k, v in shown.items()]
    text = ", ".join(words)
    return "" if not text else f" ({text})" if len(text) <= _LONGEST else " (with parameters)"


def sentence_name(f: NamedMeasure) -> str:
    """Return the display name as it stands inside a sentence: acronyms and names of people keep their capital letter.

    >>> import goodmeasure as gm
    >>> [sentence_name(gm.measure(x)) for x in ("accuracy", "mcc", "macro(f1)", "kappa", "jaccard", "fbeta(2)")]
    ['accuracy', 'MCC', 'macro F1', "Cohen's kappa", 'Jaccard index', 'F-beta (2)']
    """
    return f.name if f.title == f.name else inside(display_name(f))


def inside(text: str) -> str:
    """Return a title or a display name as it stands inside a sentence or a longer title.

    The first letter becomes small, unless the word is an acronym, a single letter, or the name of a person.

    >>> [inside(x) for x in ("Balanced accuracy", "F1 score", "Cohen's kappa", "Gini coefficient", "Top-5 accuracy")]
    ['balanced accuracy', 'F1 score', "Cohen's kappa", 'Gini coefficient', 'top-5 accuracy']
    """
    first = re.split(r"[^\w']", text, maxsplit=1)[0]
    is_symbol = (len(first) == 1 and first != "A") or any(x.isupper() or x.isdigit() for x in first[1:])
    return text if is_symbol or first in _PEOPLE or _is_possessive(first) else f"{text[:1].lower()}{text[1:]}"


def _is_possessive(word: str) -> bool:
    return word.endswith(("'s", "'"))


def title_inside(f: NamedMeasure) -> str:
    """Return the title of a measure inside a sentence; a function without a title is called by its name."""
    return f.name if f.title == f.name else inside(f.title)


def short_name(measure: Measure | ScoreMeasure) -> str:
    """Return a measure as the subject of a sentence: MCC, precision, the F1 score.

    >>> import goodmeasure as gm
    >>> [short_name(x) for x in (gm.mcc, gm.precision, gm.f1, gm.sokal_sneath_1)]
    ['MCC', 'precision', 'the F1 score', "Sokal and Sneath's first coefficient"]
    """
    name, title = measure.name, measure.title
    if name.isalpha() and len(name) <= _LONGEST_ACRONYM and name not in title.lower():
        return name.upper()
    words = title.split()
    article = "the " if words[-1] in _COUNTABLE and not any(map(_is_possessive, words)) else ""
    return f"{article}{title_inside(measure)}"


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
    from goodmeasure.catalogue.names import measure

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


def names_text(names: Sequence[str]) -> str:
    """Return names as a part of a sentence.

    >>> names_text(["A"]), names_text(["A", "B"]), names_text(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def first_names_text(names: Sequence[str], most: int) -> str:
    """Return names as a part of a sentence, at most so many of them, and how many more there are.

    >>> first_names_text(["A", "B"], 2), first_names_text(["A", "B", "C", "D"], 2)
    ('A and B', 'A, B and 2 more')
    """
    rest = len(names) - most
    return names_text(names) if rest <= 0 else f"{', '.join(names[:most])} and {rest:,} more"
