"""Classification measures, exactly defined: measure, judge, find, compare, report."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

# Where the public names live. A room is imported when one of its names is first used, so that importing the package
# costs next to nothing; every measure of the catalogue is a name of this module too.
_HOMES = {
    "ConfusionMatrix": "counts.matrix",
    "SlidingWindow": "counts.windows",
    "Weighing": "counts.matrix_parts",
    "confusion": "counts.counting",
    "pair_confusion": "counts.counting",
    "Measure": "catalogue.measure",
    "define": "catalogue.register",
    "forget": "catalogue.register",
    "calibrated": "catalogue.definitions.averaging",
    "macro": "catalogue.definitions.averaging",
    "micro": "catalogue.definitions.averaging",
    "weighted": "catalogue.definitions.averaging",
    "area": "catalogue.scores.over_thresholds",
    "at": "catalogue.scores.over_thresholds",
    "best": "catalogue.scores.over_thresholds",
    "measure": "catalogue.names",
    "measures": "catalogue.names",
    "NameWarning": "catalogue.names",
    "crosswalk": "catalogue.peers",
    "check": "theory.check",
    "verify": "theory.verification",
    "atlas": "theory.atlas.atlas",
    "possible": "theory.possible.possible",
    "preserves": "theory.atlas.preservation",
    "normaliser": "theory.possible.normaliser",
    "recommend": "recommendation.recommend",
    "baselines": "evaluation.trivial_classifiers",
    "evaluate": "evaluation.evaluate",
    "judge": "evaluation.judges.judge",
    "multilabel": "evaluation.multilabel",
    "compare": "comparison.compare",
    "project": "evaluation.prevalence.projection",
    "reliability": "evaluation.scores.reliability",
    "sweep": "evaluation.thresholds.sweep",
    "disagreement": "comparison.disagreement",
    "distinguish": "comparison.distinguish",
    "drift": "comparison.drift",
    "plan": "comparison.planning.plan",
    "Exact": "language.exact.reals",
    # What the functions above and the methods of their results return, and what a definition takes, for annotations
    "Advice": "recommendation.recommendation",
    "AgreementRow": "comparison.rows",
    "Atlas": "theory.atlas.atlas",
    "AverageDifferenceRow": "comparison.rows",
    "AverageRow": "comparison.rows",
    "Baselines": "evaluation.trivial_classifiers",
    "Best": "evaluation.thresholds.best",
    "Caution": "evaluation.warnings.record",
    "Certificate": "theory.statements.certificate",
    "Change": "comparison.drift_result",
    "ClassTest": "comparison.drift_result",
    "Comparison": "comparison.comparison",
    "CostCurve": "evaluation.thresholds.decisions",
    "Counterpart": "catalogue.peers",
    "DecisionCurve": "evaluation.thresholds.decisions",
    "DifferenceRow": "comparison.rows",
    "Disagreement": "comparison.disagreement",
    "Distinction": "comparison.distinguish",
    "Drift": "comparison.drift_result",
    "Driver": "comparison.drivers",
    "EnsembleRow": "comparison.rows",
    "Explanation": "catalogue.explanation",
    "Family": "catalogue.family",
    "Flip": "comparison.disagreement",
    "Flips": "comparison.disagreement",
    "Gate": "evaluation.requirements.gate",
    "GuessingLevel": "recommendation.recommendation",
    "Judge": "evaluation.judges.judge",
    "JudgeBias": "evaluation.judges.judge",
    "JudgeConfusion": "evaluation.judges.judge",
    "NextItems": "evaluation.judges.judge",
    "Impossible": "theory.possible.answer",
    "LabelMatrices": "evaluation.multilabel",
    "Multilabel": "evaluation.multilabel",
    "Need": "recommendation.needs",
    "Normaliser": "theory.possible.normaliser",
    "PairTable": "comparison.disagreement",
    "Plan": "comparison.planning.planned",
    "PlanRow": "comparison.planning.planned",
    "Possible": "theory.possible.answer",
    "Preservation": "theory.atlas.preservation",
    "PrevalenceCurve": "evaluation.prevalence.projection",
    "PrevalenceRange": "evaluation.prevalence.projection",
    "Projection": "evaluation.prevalence.projection",
    "ProjectionRow": "evaluation.prevalence.projection",
    "Projections": "evaluation.prevalence.projection",
    "Recommendation": "recommendation.recommendation",
    "Reliability": "evaluation.scores.reliability",
    "Report": "theory.statements.verdict",
    "RequirementOutcome": "evaluation.requirements.gate",
    "Result": "evaluation.result",
    "Row": "evaluation.table",
    "ScoreExplanation": "catalogue.scores.explanation",
    "ScoreMeasure": "catalogue.scores.measure",
    "ScoreRow": "comparison.rows",
    "SliceSpread": "evaluation.slice_tests",
    "SliceTest": "evaluation.slice_tests",
    "SparseCounts": "counts.sparse_counts",
    "Spread": "evaluation.intervals.by_class",
    "Sweep": "evaluation.thresholds.sweep",
    "SweepTable": "evaluation.thresholds.sweep",
    "SystemProjectionRow": "evaluation.prevalence.projection",
    "SystemScores": "evaluation.scoring",
    "Table": "evaluation.table",
    "ThresholdCurve": "evaluation.thresholds.sweep",
    "Verdict": "theory.statements.verdict",
    "View": "language.view",
    "Witness": "theory.statements.witness",
    # Errors
    "CertificateError": "exceptions",
    "DirectoryError": "exceptions",
    "FilePermissionError": "exceptions",
    "GoodmeasureError": "exceptions",
    "InputError": "exceptions",
    "InputOSError": "exceptions",
    "InputTypeError": "exceptions",
    "MissingFileError": "exceptions",
    "MissingPackageError": "exceptions",
    "NoDirectoryError": "exceptions",
    "RequirementNotMet": "exceptions",
    "Undecided": "exceptions",
    "UndefinedMeasure": "exceptions",
    "UnknownKey": "exceptions",
    "UnknownName": "exceptions",
    "UnverifiedProof": "exceptions",
}

if TYPE_CHECKING:
    from goodmeasure.catalogue.definitions.averaging import calibrated as calibrated
    from goodmeasure.catalogue.definitions.averaging import macro as macro
    from goodmeasure.catalogue.definitions.averaging import micro as micro
    from goodmeasure.catalogue.definitions.averaging import weighted as weighted
    from goodmeasure.catalogue.explanation import Explanation as Explanation
    from goodmeasure.catalogue.family import Family as Family
    from goodmeasure.catalogue.measure import Measure as Measure
    from goodmeasure.catalogue.names import NameWarning as NameWarning
    from goodmeasure.catalogue.names import measure as measure
    from goodmeasure.catalogue.names import measures as measures
    from goodmeasure.catalogue.peers import Counterpart as Counterpart
    from goodmeasure.catalogue.peers import crosswalk as crosswalk
    from goodmeasure.catalogue.register import define as define
    from goodmeasure.catalogue.register import forget as forget
    from goodmeasure.catalogue.scores.explanation import ScoreExplanation as ScoreExplanation
    from goodmeasure.catalogue.scores.measure import ScoreMeasure as ScoreMeasure
    from goodmeasure.catalogue.scores.over_thresholds import area as area
    from goodmeasure.catalogue.scores.over_thresholds import at as at
    from goodmeasure.catalogue.scores.over_thresholds import best as best
    from goodmeasure.comparison.compare import compare as compare
    from goodmeasure.comparison.comparison import Comparison as Comparison
    from goodmeasure.comparison.disagreement import Disagreement as Disagreement
    from goodmeasure.comparison.disagreement import Flip as Flip
    from goodmeasure.comparison.disagreement import Flips as Flips
    from goodmeasure.comparison.disagreement import PairTable as PairTable
    from goodmeasure.comparison.disagreement import disagreement as disagreement
    from goodmeasure.comparison.distinguish import Distinction as Distinction
    from goodmeasure.comparison.distinguish import distinguish as distinguish
    from goodmeasure.comparison.drift import drift as drift
    from goodmeasure.comparison.drift_result import Change as Change
    from goodmeasure.comparison.drift_result import ClassTest as ClassTest
    from goodmeasure.comparison.drift_result import Drift as Drift
    from goodmeasure.comparison.drivers import Driver as Driver
    from goodmeasure.comparison.planning.plan import plan as plan
    from goodmeasure.comparison.planning.planned import Plan as Plan
    from goodmeasure.comparison.planning.planned import PlanRow as PlanRow
    from goodmeasure.comparison.rows import AgreementRow as AgreementRow
    from goodmeasure.comparison.rows import AverageDifferenceRow as AverageDifferenceRow
    from goodmeasure.comparison.rows import AverageRow as AverageRow
    from goodmeasure.comparison.rows import DifferenceRow as DifferenceRow
    from goodmeasure.comparison.rows import EnsembleRow as EnsembleRow
    from goodmeasure.comparison.rows import ScoreRow as ScoreRow
    from goodmeasure.counts.counting import confusion as confusion
    from goodmeasure.counts.counting import pair_confusion as pair_confusion
    from goodmeasure.counts.matrix import ConfusionMatrix as ConfusionMatrix
    from goodmeasure.counts.matrix_parts import Weighing as Weighing
    from goodmeasure.counts.sparse_counts import SparseCounts as SparseCounts
    from goodmeasure.counts.windows import SlidingWindow as SlidingWindow
    from goodmeasure.evaluation.evaluate import evaluate as evaluate
    from goodmeasure.evaluation.intervals.by_class import Spread as Spread
    from goodmeasure.evaluation.judges.judge import Judge as Judge
    from goodmeasure.evaluation.judges.judge import JudgeBias as JudgeBias
    from goodmeasure.evaluation.judges.judge import JudgeConfusion as JudgeConfusion
    from goodmeasure.evaluation.judges.judge import NextItems as NextItems
    from goodmeasure.evaluation.judges.judge import judge as judge
    from goodmeasure.evaluation.multilabel import LabelMatrices as LabelMatrices
    from goodmeasure.evaluation.multilabel import Multilabel as Multilabel
    from goodmeasure.evaluation.multilabel import multilabel as multilabel
    from goodmeasure.evaluation.prevalence.projection import PrevalenceCurve as PrevalenceCurve
    from goodmeasure.evaluation.prevalence.projection import PrevalenceRange as PrevalenceRange
    from goodmeasure.evaluation.prevalence.projection import Projection as Projection
    from goodmeasure.evaluation.prevalence.projection import ProjectionRow as ProjectionRow
    from goodmeasure.evaluation.prevalence.projection import Projections as Projections
    from goodmeasure.evaluation.prevalence.projection import SystemProjectionRow as SystemProjectionRow
    from goodmeasure.evaluation.prevalence.projection import project as project
    from goodmeasure.evaluation.requirements.gate import Gate as Gate
    from goodmeasure.evaluation.requirements.gate import RequirementOutcome as RequirementOutcome
    from goodmeasure.evaluation.result import Result as Result
    from goodmeasure.evaluation.scores.reliability import Reliability as Reliability
    from goodmeasure.evaluation.scores.reliability import reliability as reliability
    from goodmeasure.evaluation.scoring import SystemScores as SystemScores
    from goodmeasure.evaluation.slice_tests import SliceSpread as SliceSpread
    from goodmeasure.evaluation.slice_tests import SliceTest as SliceTest
    from goodmeasure.evaluation.table import Row as Row
    from goodmeasure.evaluation.table import Table as Table
    from goodmeasure.evaluation.thresholds.best import Best as Best
    from goodmeasure.evaluation.thresholds.decisions import CostCurve as CostCurve
    from goodmeasure.evaluation.thresholds.decisions import DecisionCurve as DecisionCurve
    from goodmeasure.evaluation.thresholds.sweep import Sweep as Sweep
    from goodmeasure.evaluation.thresholds.sweep import SweepTable as SweepTable
    from goodmeasure.evaluation.thresholds.sweep import ThresholdCurve as ThresholdCurve
    from goodmeasure.evaluation.thresholds.sweep import sweep as sweep
    from goodmeasure.evaluation.trivial_classifiers import Baselines as Baselines
    from goodmeasure.evaluation.trivial_classifiers import baselines as baselines
    from goodmeasure.evaluation.warnings.record import Caution as Caution
    from goodmeasure.exceptions import CertificateError as CertificateError
    from goodmeasure.exceptions import DirectoryError as DirectoryError
    from goodmeasure.exceptions import FilePermissionError as FilePermissionError
    from goodmeasure.exceptions import GoodmeasureError as GoodmeasureError
    from goodmeasure.exceptions import InputError as InputError
    from goodmeasure.exceptions import InputOSError as InputOSError
    from goodmeasure.exceptions import InputTypeError as InputTypeError
    from goodmeasure.exceptions import MissingFileError as MissingFileError
    from goodmeasure.exceptions import MissingPackageError as MissingPackageError
    from goodmeasure.exceptions import NoDirectoryError as NoDirectoryError
    from goodmeasure.exceptions import RequirementNotMet as RequirementNotMet
    from goodmeasure.exceptions import Undecided as Undecided
    from goodmeasure.exceptions import UndefinedMeasure as UndefinedMeasure
    from goodmeasure.exceptions import UnknownKey as UnknownKey
    from goodmeasure.exceptions import UnknownName as UnknownName
    from goodmeasure.exceptions import UnverifiedProof as UnverifiedProof
    from goodmeasure.language.exact.reals import Exact as Exact
    from goodmeasure.language.view import View as View
    from goodmeasure.recommendation.needs import Need as Need
    from goodmeasure.recommendation.recommend import recommend as recommend
    from goodmeasure.recommendation.recommendation import Advice as Advice
    from goodmeasure.recommendation.recommendation import GuessingLevel as GuessingLevel
    from goodmeasure.recommendation.recommendation import Recommendation as Recommendation
    from goodmeasure.theory.atlas.atlas import Atlas as Atlas
    from goodmeasure.theory.atlas.atlas import atlas as atlas
    from goodmeasure.theory.atlas.preservation import Preservation as Preservation
    from goodmeasure.theory.atlas.preservation import preserves as preserves
    from goodmeasure.theory.check import check as check
    from goodmeasure.theory.possible.answer import Impossible as Impossible
    from goodmeasure.theory.possible.answer import Possible as Possible
    from goodmeasure.theory.possible.normaliser import Normaliser as Normaliser
    from goodmeasure.theory.possible.normaliser import normaliser as normaliser
    from goodmeasure.theory.possible.possible import possible as possible
    from goodmeasure.theory.statements.certificate import Certificate as Certificate
    from goodmeasure.theory.statements.verdict import Report as Report
    from goodmeasure.theory.statements.verdict import Verdict as Verdict
    from goodmeasure.theory.statements.witness import Witness as Witness
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


def _public_names() -> list[str]:
    from goodmeasure import catalogue

    return [*_HOMES, *catalogue.shipped]


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *_public_names()})
