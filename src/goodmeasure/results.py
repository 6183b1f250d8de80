"""The classes of results, of their rows and of their curves, and how a saved document of any kind is read.

A class is imported when its name is first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from goodmeasure.documents import PREFIX, JsonDocument, check_kind, loaded
from goodmeasure.typing import ReadJson

HOMES = {
    "Advice": "recommendation.recommendation",
    "AgreementRow": "comparison.rows",
    "Atlas": "theory.atlas.atlas",
    "AverageDifferenceRow": "comparison.rows",
    "AverageRow": "comparison.rows",
    "Baselines": "evaluation.trivial_classifiers",
    "BestSystem": "comparison.comparison",
    "Best": "evaluation.thresholds.best",
    "Caution": "evaluation.warnings.record",
    "Certificate": "theory.statements.certificate",
    "Change": "comparison.drift_result",
    "ClassTest": "comparison.drift_result",
    "Comparison": "comparison.comparison",
    "ConfusionMatrix": "counts.matrix",
    "CostCurve": "evaluation.thresholds.decisions",
    "Counterpart": "catalogue.peers",
    "DecisionCurve": "evaluation.thresholds.decisions",
    "DifferenceRow": "comparison.rows",
    "Disagreement": "comparison.disagreement",
    "Distinction": "comparison.distinguish",
    "Drift": "comparison.drift_result",
    "Driver": "comparison.drivers",
    "EnsembleRow": "comparison.rows",
    "Exact": "language.exact.reals",
    "Explanation": "catalogue.explanation",
    "Family": "catalogue.family",
    "Flip": "comparison.disagreement",
    "Flips": "comparison.disagreement",
    "Gate": "evaluation.requirements.gate",
    "ItemCase": "evaluation.outcomes.answers",
    "ItemRegression": "evaluation.outcomes.answers",
    "OutcomeVariation": "evaluation.outcomes.answers",
    "Judge": "evaluation.judges.judge",
    "JudgeBias": "evaluation.judges.judge",
    "JudgeConfusion": "evaluation.judges.judge",
    "NextItems": "evaluation.judges.judge",
    "AgainstRater": "evaluation.raters.replacing",
    "BradleyTerry": "evaluation.raters.preferences",
    "Consensus": "evaluation.raters.consensus",
    "LeftOutRater": "evaluation.raters.raters",
    "PairOfRaters": "evaluation.raters.raters",
    "Preferences": "evaluation.raters.preferences",
    "Raters": "evaluation.raters.raters",
    "Replacement": "evaluation.raters.replacing",
    "Strength": "evaluation.raters.preferences",
    "WinRate": "evaluation.raters.preferences",
    "GuessingLevel": "recommendation.recommendation",
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
    "SequentialInterval": "comparison.drift_result",
    "SliceSpread": "evaluation.slice_tests",
    "SliceTest": "evaluation.slice_tests",
    "SlidingWindow": "counts.windows",
    "SparseCounts": "counts.sparse_counts",
    "Spread": "evaluation.intervals.by_class",
    "Sweep": "evaluation.thresholds.sweep",
    "SweepTable": "evaluation.thresholds.sweep",
    "SystemProjectionRow": "evaluation.prevalence.projection",
    "SystemScores": "evaluation.scoring",
    "Table": "evaluation.table",
    "ThresholdCurve": "evaluation.thresholds.sweep",
    "Verdict": "theory.statements.verdict",
    "Weighing": "counts.matrix_parts",
    "Witness": "theory.statements.witness",
}
KINDS = {
    "evaluation": "Result",
    "comparison": "Comparison",
    "sweep": "Sweep",
    "judge": "Judge",
    "raters": "Raters",
    "preferences": "Preferences",
    "requirements": "Gate",
    "drift": "Drift",
    "plan": "Plan",
    "recommendation": "Recommendation",
    "confusion-matrix": "ConfusionMatrix",
    "window": "SlidingWindow",
    "verdict": "Verdict",
    "verdicts": "Report",
    "atlas": "Atlas",
    "possible": "Possible",
    "impossible": "Impossible",
    "preservation": "Preservation",
    "normaliser": "Normaliser",
}
"""The class of each kind of document; `make docs` writes the JSON Schema of each to `schemas/`."""

if TYPE_CHECKING:
    from goodmeasure.catalogue.explanation import Explanation as Explanation
    from goodmeasure.catalogue.family import Family as Family
    from goodmeasure.catalogue.peers import Counterpart as Counterpart
    from goodmeasure.catalogue.scores.explanation import ScoreExplanation as ScoreExplanation
    from goodmeasure.catalogue.scores.measure import ScoreMeasure as ScoreMeasure
    from goodmeasure.comparison.comparison import BestSystem as BestSystem
    from goodmeasure.comparison.comparison import Comparison as Comparison
    from goodmeasure.comparison.disagreement import Disagreement as Disagreement
    from goodmeasure.comparison.disagreement import Flip as Flip
    from goodmeasure.comparison.disagreement import Flips as Flips
    from goodmeasure.comparison.disagreement import PairTable as PairTable
    from goodmeasure.comparison.distinguish import Distinction as Distinction
    from goodmeasure.comparison.drift_result import Change as Change
    from goodmeasure.comparison.drift_result import ClassTest as ClassTest
    from goodmeasure.comparison.drift_result import Drift as Drift
    from goodmeasure.comparison.drift_result import SequentialInterval as SequentialInterval
    from goodmeasure.comparison.drivers import Driver as Driver
    from goodmeasure.comparison.planning.planned import Plan as Plan
    from goodmeasure.comparison.planning.planned import PlanRow as PlanRow
    from goodmeasure.comparison.rows import AgreementRow as AgreementRow
    from goodmeasure.comparison.rows import AverageDifferenceRow as AverageDifferenceRow
    from goodmeasure.comparison.rows import AverageRow as AverageRow
    from goodmeasure.comparison.rows import DifferenceRow as DifferenceRow
    from goodmeasure.comparison.rows import EnsembleRow as EnsembleRow
    from goodmeasure.comparison.rows import ScoreRow as ScoreRow
    from goodmeasure.counts.matrix import ConfusionMatrix as ConfusionMatrix
    from goodmeasure.counts.matrix_parts import Weighing as Weighing
    from goodmeasure.counts.sparse_counts import SparseCounts as SparseCounts
    from goodmeasure.counts.windows import SlidingWindow as SlidingWindow
    from goodmeasure.evaluation.intervals.by_class import Spread as Spread
    from goodmeasure.evaluation.judges.judge import Judge as Judge
    from goodmeasure.evaluation.judges.judge import JudgeBias as JudgeBias
    from goodmeasure.evaluation.judges.judge import JudgeConfusion as JudgeConfusion
    from goodmeasure.evaluation.judges.judge import NextItems as NextItems
    from goodmeasure.evaluation.multilabel import LabelMatrices as LabelMatrices
    from goodmeasure.evaluation.multilabel import Multilabel as Multilabel
    from goodmeasure.evaluation.outcomes.answers import ItemCase as ItemCase
    from goodmeasure.evaluation.outcomes.answers import ItemRegression as ItemRegression
    from goodmeasure.evaluation.outcomes.answers import OutcomeVariation as OutcomeVariation
    from goodmeasure.evaluation.prevalence.projection import PrevalenceCurve as PrevalenceCurve
    from goodmeasure.evaluation.prevalence.projection import PrevalenceRange as PrevalenceRange
    from goodmeasure.evaluation.prevalence.projection import Projection as Projection
    from goodmeasure.evaluation.prevalence.projection import ProjectionRow as ProjectionRow
    from goodmeasure.evaluation.prevalence.projection import Projections as Projections
    from goodmeasure.evaluation.prevalence.projection import SystemProjectionRow as SystemProjectionRow
    from goodmeasure.evaluation.raters.consensus import Consensus as Consensus
    from goodmeasure.evaluation.raters.preferences import BradleyTerry as BradleyTerry
    from goodmeasure.evaluation.raters.preferences import Preferences as Preferences
    from goodmeasure.evaluation.raters.preferences import Strength as Strength
    from goodmeasure.evaluation.raters.preferences import WinRate as WinRate
    from goodmeasure.evaluation.raters.raters import LeftOutRater as LeftOutRater
    from goodmeasure.evaluation.raters.raters import PairOfRaters as PairOfRaters
    from goodmeasure.evaluation.raters.raters import Raters as Raters
    from goodmeasure.evaluation.raters.replacing import AgainstRater as AgainstRater
    from goodmeasure.evaluation.raters.replacing import Replacement as Replacement
    from goodmeasure.evaluation.requirements.gate import Gate as Gate
    from goodmeasure.evaluation.requirements.gate import RequirementOutcome as RequirementOutcome
    from goodmeasure.evaluation.result import Result as Result
    from goodmeasure.evaluation.scores.reliability import Reliability as Reliability
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
    from goodmeasure.evaluation.trivial_classifiers import Baselines as Baselines
    from goodmeasure.evaluation.warnings.record import Caution as Caution
    from goodmeasure.language.exact.reals import Exact as Exact
    from goodmeasure.recommendation.needs import Need as Need
    from goodmeasure.recommendation.recommendation import Advice as Advice
    from goodmeasure.recommendation.recommendation import GuessingLevel as GuessingLevel
    from goodmeasure.recommendation.recommendation import Recommendation as Recommendation
    from goodmeasure.theory.atlas.atlas import Atlas as Atlas
    from goodmeasure.theory.atlas.preservation import Preservation as Preservation
    from goodmeasure.theory.possible.answer import Impossible as Impossible
    from goodmeasure.theory.possible.answer import Possible as Possible
    from goodmeasure.theory.possible.normaliser import Normaliser as Normaliser
    from goodmeasure.theory.statements.certificate import Certificate as Certificate
    from goodmeasure.theory.statements.verdict import Report as Report
    from goodmeasure.theory.statements.verdict import Verdict as Verdict
    from goodmeasure.theory.statements.witness import Witness as Witness


def __getattr__(name: str) -> object:
    """Return a class, imported when it is asked for."""
    if name not in HOMES:
        raise AttributeError(f"module 'goodmeasure.results' has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"goodmeasure.{HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted([*HOMES, "KINDS", "class_of", "read"])


def class_of(kind: str) -> type[JsonDocument]:
    """Return the class of a kind of document."""
    found: type[JsonDocument] = __getattr__(KINDS[kind])  # type: ignore[assignment]  # of those in HOMES
    return found


def read(text: str | bytes | Mapping[str, ReadJson]) -> JsonDocument:
    """Return the object that a JSON text stands for, whatever kind of document it is.

    >>> import goodmeasure as gm
    >>> read(gm.ConfusionMatrix([[1, 2], [3, 4]]).to_json()).n
    10
    """
    data = loaded(text)
    schema = str(data.get("schema", "")) if isinstance(data, Mapping) else ""
    kind = schema.removeprefix(f"{PREFIX}/").partition("/")[0]
    if kind not in KINDS:
        check_kind(data, "evaluation", 1)
    return class_of(kind).from_json(data)
