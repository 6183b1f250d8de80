"""Classification measures, exactly defined: measure, judge, find, compare, report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from goodmeasure.algebra.policy import Undecided, UndefinedMeasure
from goodmeasure.catalogue.averaging import calibrated, macro, micro, weighted
from goodmeasure.catalogue.define import define, forget
from goodmeasure.catalogue.define import entries as _entries
from goodmeasure.catalogue.define import entry_of as _entry_of
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import NameWarning, measure, measures
from goodmeasure.counts.counting import confusion, pair_confusion
from goodmeasure.counts.matrix import ConfusionMatrix

__version__ = "0.1.0"

_LATER = {"baselines": "goodmeasure.evaluation.baselines", "Exact": "goodmeasure.algebra.reals"}

__all__ = [
    "ConfusionMatrix",
    "Exact",
    "Measure",
    "NameWarning",
    "Undecided",
    "UndefinedMeasure",
    "baselines",
    "calibrated",
    "confusion",
    "define",
    "forget",
    "macro",
    "measure",
    "measures",
    "micro",
    "pair_confusion",
    "weighted",
    *(_entry.name for _entry in _entries()),
]


def __getattr__(name: str) -> Any:
    """Every measure of the catalogue is a name of this module; what is heavy is imported when it is used."""
    entry = _entry_of(name)
    if entry is not None and entry.name == name:
        return entry
    if name in _LATER:
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'goodmeasure' has no attribute {name!r}{_hint(name)}")


def _hint(name: str) -> str:
    entry = _entry_of(name)
    if entry is not None:
        return f": it is an alias, use goodmeasure.{entry.name} or goodmeasure.measure({name!r})"
    return ""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if TYPE_CHECKING:
    from goodmeasure.algebra.reals import Exact
    from goodmeasure.evaluation.baselines import baselines
