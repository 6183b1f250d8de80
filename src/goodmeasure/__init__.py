"""Classification measures, exactly defined: measure, judge, find, compare, report."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "1.0.0rc1"

# Where the public names live. A room is imported when one of its names is first used, so that importing the package
# costs next to nothing; every measure of the catalogue is a name of this module too.
_HOMES = {
    "ConfusionMatrix": "counts.matrix",
    "SlidingWindow": "counts.windows",
    "confusion": "counts.counting",
    "pair_confusion": "counts.counting",
    "Measure": "catalogue.measure",
    "define": "catalogue.register",
    "calibrated": "catalogue.definitions.averaging",
    "macro": "catalogue.definitions.averaging",
    "micro": "catalogue.definitions.averaging",
    "weighted": "catalogue.definitions.averaging",
    "area": "catalogue.scores.over_thresholds",
    "at": "catalogue.scores.over_thresholds",
    "measure": "catalogue.names",
    "measures": "catalogue.names",
    "check": "theory.check",
    "verify": "theory.verification",
    "atlas": "theory.atlas.atlas",
    "possible": "theory.possible.possible",
    "recommend": "recommendation.recommend",
    "baselines": "evaluation.trivial_classifiers",
    "evaluate": "evaluation.evaluate",
    "preferences": "evaluation.raters.preferences",
    "raters": "evaluation.raters.raters",
    "judge": "evaluation.judges.judge",
    "multilabel": "evaluation.multilabel",
    "compare": "comparison.compare",
    "project": "evaluation.prevalence.projection",
    "sweep": "evaluation.thresholds.sweep",
    "disagreement": "comparison.disagreement",
    "distinguish": "comparison.distinguish",
    "drift": "comparison.drift",
    "plan": "comparison.planning.plan",
    "Comparison": "comparison.comparison",
    "Drift": "comparison.drift_result",
    "Plan": "comparison.planning.planned",
    "Recommendation": "recommendation.recommendation",
    "Report": "theory.statements.verdict",
    "Result": "evaluation.result",
    "Sweep": "evaluation.thresholds.sweep",
    "Verdict": "theory.statements.verdict",
    "CertificateError": "exceptions",
    "GoodmeasureError": "exceptions",
    "InputError": "exceptions",
    "InputTypeError": "exceptions",
    "RequirementNotMet": "evaluation.requirements.gate",
    "Undecided": "exceptions",
    "UndefinedMeasure": "exceptions",
    "UnknownName": "exceptions",
}
# Names that later versions give to functions, so that no measure gets one of them.
_RESERVED = ("board", "audit", "history", "spans", "hierarchical", "risk_coverage",
             "prediction_sets", "ranked_probability_score")  # fmt: skip
# Older names, which work for one release: their homes, and what to write instead.
_MOVED = {
    "forget": ("catalogue.register", "the method forget() of a measure"),
    "best": ("catalogue.scores.over_thresholds", "the method at_best_threshold() of a measure"),
    "crosswalk": ("catalogue.peers", "goodmeasure.catalogue.peers.crosswalk"),
    "preserves": ("theory.atlas.preservation", "goodmeasure.theory.atlas.preservation.preserves"),
    "normaliser": ("theory.possible.normaliser", "goodmeasure.theory.possible.normaliser.normaliser"),
    "reliability": ("evaluation.scores.reliability", "goodmeasure.evaluation.scores.reliability.reliability"),
    "NameWarning": ("catalogue.names", "goodmeasure.catalogue.names.NameWarning"),
    "View": ("language.view", "goodmeasure.language.view.View"),
}

if TYPE_CHECKING:
    from goodmeasure.catalogue.definitions.averaging import calibrated as calibrated
    from goodmeasure.catalogue.definitions.averaging import macro as macro
    from goodmeasure.catalogue.definitions.averaging import micro as micro
    from goodmeasure.catalogue.definitions.averaging import weighted as weighted
    from goodmeasure.catalogue.measure import Measure as Measure
    from goodmeasure.catalogue.names import measure as measure
    from goodmeasure.catalogue.names import measures as measures
    from goodmeasure.catalogue.register import define as define
    from goodmeasure.catalogue.scores.over_thresholds import area as area
    from goodmeasure.catalogue.scores.over_thresholds import at as at
    from goodmeasure.comparison.compare import compare as compare
    from goodmeasure.comparison.comparison import Comparison as Comparison
    from goodmeasure.comparison.disagreement import disagreement as disagreement
    from goodmeasure.comparison.distinguish import distinguish as distinguish
    from goodmeasure.comparison.drift import drift as drift
    from goodmeasure.comparison.drift_result import Drift as Drift
    from goodmeasure.comparison.planning.plan import plan as plan
    from goodmeasure.comparison.planning.planned import Plan as Plan
    from goodmeasure.counts.counting import confusion as confusion
    from goodmeasure.counts.counting import pair_confusion as pair_confusion
    from goodmeasure.counts.matrix import ConfusionMatrix as ConfusionMatrix
    from goodmeasure.counts.windows import SlidingWindow as SlidingWindow
    from goodmeasure.evaluation.evaluate import evaluate as evaluate
    from goodmeasure.evaluation.judges.judge import judge as judge
    from goodmeasure.evaluation.multilabel import multilabel as multilabel
    from goodmeasure.evaluation.prevalence.projection import project as project
    from goodmeasure.evaluation.raters.preferences import preferences as preferences
    from goodmeasure.evaluation.raters.raters import raters as raters
    from goodmeasure.evaluation.requirements.gate import RequirementNotMet as RequirementNotMet
    from goodmeasure.evaluation.result import Result as Result
    from goodmeasure.evaluation.thresholds.sweep import Sweep as Sweep
    from goodmeasure.evaluation.thresholds.sweep import sweep as sweep
    from goodmeasure.evaluation.trivial_classifiers import baselines as baselines
    from goodmeasure.exceptions import CertificateError as CertificateError
    from goodmeasure.exceptions import GoodmeasureError as GoodmeasureError
    from goodmeasure.exceptions import InputError as InputError
    from goodmeasure.exceptions import InputTypeError as InputTypeError
    from goodmeasure.exceptions import Undecided as Undecided
    from goodmeasure.exceptions import UndefinedMeasure as UndefinedMeasure
    from goodmeasure.exceptions import UnknownName as UnknownName
    from goodmeasure.recommendation.recommend import recommend as recommend
    from goodmeasure.recommendation.recommendation import Recommendation as Recommendation
    from goodmeasure.theory.atlas.atlas import atlas as atlas
    from goodmeasure.theory.check import check as check
    from goodmeasure.theory.possible.possible import possible as possible
    from goodmeasure.theory.statements.verdict import Report as Report
    from goodmeasure.theory.statements.verdict import Verdict as Verdict
    from goodmeasure.theory.verification import verify as verify


def __getattr__(name: str) -> Measure:
    """Return a name of this package, loaded when it is asked for.

    To a type checker, a name that is not imported above is a measure. Some are families and measures of scores, which
    are called in the same ways.
    """
    try:
        return _loaded(name)
    except ModuleNotFoundError as error:
        if (error.name or __name__).partition(".")[0] == __name__:
            raise
        from goodmeasure.exceptions import MissingPackageError

        raise MissingPackageError(
            "goodmeasure needs the package {package}, which is not installed", package=error.name,
            advice="pip install {package}",
        ) from None  # fmt: skip


def _loaded(name: str) -> Measure:
    if name in _HOMES:
        value = getattr(import_module(f"goodmeasure.{_HOMES[name]}"), name)
        globals()[name] = value
        return value  # type: ignore[no-any-return]  # a type checker sees its import above
    if name in _MOVED or name[:1].isupper():
        return _moved(name)
    if name == "__all__":
        return _public_names()  # type: ignore[return-value]  # Python asks for it
    if name.startswith("__"):
        raise AttributeError(name)
    from goodmeasure.catalogue import shipped
    from goodmeasure.catalogue.register import entry_of

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
    return entry  # type: ignore[return-value]  # see above


def _moved(name: str) -> Measure:
    """Return what an older name of this module stands for, with a warning that says the newer one."""
    from goodmeasure import exceptions, results

    home, new = _MOVED.get(name, ("", ""))
    if name in results.HOMES:
        home, new = results.HOMES[name], f"goodmeasure.results.{name}"
    elif isinstance(vars(exceptions).get(name), type):
        home, new = "exceptions", f"goodmeasure.exceptions.{name}"
    if not home:
        raise AttributeError(f"module 'goodmeasure' has no attribute {name!r}")
    exceptions.renamed_to(f"goodmeasure.{name}", new)
    return getattr(import_module(f"goodmeasure.{home}"), name)  # type: ignore[no-any-return]


def _public_names() -> list[str]:
    from goodmeasure import catalogue

    return [*_HOMES, *catalogue.shipped]


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *_public_names()})
