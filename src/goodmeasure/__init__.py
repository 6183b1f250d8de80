"""Classification measures, exactly defined: measure, judge, find, compare, report."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where the public names live. A room is imported when one of its names is first used, so that importing the package
# costs next to nothing; every measure of the catalogue is a name of this module too.
_HOMES = {
    "ConfusionMatrix": "counts.matrix",
    "confusion": "counts.counting",
    "pair_confusion": "counts.counting",
    "Measure": "catalogue.measure",
    "define": "catalogue.define",
    "forget": "catalogue.define",
    "calibrated": "catalogue.averaging",
    "macro": "catalogue.averaging",
    "micro": "catalogue.averaging",
    "weighted": "catalogue.averaging",
    "measure": "catalogue.names",
    "measures": "catalogue.names",
    "NameWarning": "catalogue.names",
    "check": "properties.check",
    "verify": "properties.verify",
    "atlas": "properties.atlas",
    "possible": "possibility.possible",
    "normaliser": "possibility.normaliser",
    "recommend": "recommendation.recommend",
    "baselines": "evaluation.baselines",
    "evaluate": "evaluation.evaluate",
    "multilabel": "evaluation.multilabel",
    "compare": "comparison.systems",
    "project": "evaluation.projection",
    "sweep": "evaluation.sweep",
    "disagreement": "comparison.disagreement",
    "distinguish": "comparison.distinguish",
    "Exact": "algebra.reals",
    "CertificateError": "exceptions",
    "GoodmeasureError": "exceptions",
    "InputError": "exceptions",
    "InputTypeError": "exceptions",
    "Undecided": "exceptions",
    "UndefinedMeasure": "exceptions",
    "UnknownName": "exceptions",
}

if TYPE_CHECKING:
    from goodmeasure.algebra.reals import Exact as Exact
    from goodmeasure.catalogue.averaging import calibrated as calibrated
    from goodmeasure.catalogue.averaging import macro as macro
    from goodmeasure.catalogue.averaging import micro as micro
    from goodmeasure.catalogue.averaging import weighted as weighted
    from goodmeasure.catalogue.define import define as define
    from goodmeasure.catalogue.define import forget as forget
    from goodmeasure.catalogue.measure import Measure as Measure
    from goodmeasure.catalogue.names import NameWarning as NameWarning
    from goodmeasure.catalogue.names import measure as measure
    from goodmeasure.catalogue.names import measures as measures
    from goodmeasure.comparison.disagreement import disagreement as disagreement
    from goodmeasure.comparison.distinguish import distinguish as distinguish
    from goodmeasure.comparison.systems import compare as compare
    from goodmeasure.counts.counting import confusion as confusion
    from goodmeasure.counts.counting import pair_confusion as pair_confusion
    from goodmeasure.counts.matrix import ConfusionMatrix as ConfusionMatrix
    from goodmeasure.evaluation.baselines import baselines as baselines
    from goodmeasure.evaluation.evaluate import evaluate as evaluate
    from goodmeasure.evaluation.multilabel import multilabel as multilabel
    from goodmeasure.evaluation.projection import project as project
    from goodmeasure.evaluation.sweep import sweep as sweep
    from goodmeasure.exceptions import CertificateError as CertificateError
    from goodmeasure.exceptions import GoodmeasureError as GoodmeasureError
    from goodmeasure.exceptions import InputError as InputError
    from goodmeasure.exceptions import InputTypeError as InputTypeError
    from goodmeasure.exceptions import Undecided as Undecided
    from goodmeasure.exceptions import UndefinedMeasure as UndefinedMeasure
    from goodmeasure.exceptions import UnknownName as UnknownName
    from goodmeasure.possibility.normaliser import normaliser as normaliser
    from goodmeasure.possibility.possible import possible as possible
    from goodmeasure.properties.atlas import atlas as atlas
    from goodmeasure.properties.check import check as check
    from goodmeasure.properties.verify import verify as verify
    from goodmeasure.recommendation.recommend import recommend as recommend


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f"goodmeasure.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    if name == "__all__":
        return _public_names()
    if name.startswith("__"):
        raise AttributeError(name)
    from goodmeasure.catalogue import shipped
    from goodmeasure.catalogue.define import entry_of

    entry = entry_of(name)
    if entry is None:
        raise AttributeError(f"module 'goodmeasure' has no attribute {name!r}")
    if entry.name != name:
        raise AttributeError(
            f"module 'goodmeasure' has no attribute {name!r}: "
            f"it is an alias, use goodmeasure.{entry.name} or goodmeasure.measure({name!r})"
        )
    if name in shipped:  # a user's own measure may be defined anew
        globals()[name] = entry
    return entry


def _public_names() -> list[str]:
    from goodmeasure import catalogue

    return [*_HOMES, *catalogue.shipped]


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *_public_names()})
