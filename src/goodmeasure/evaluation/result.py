"""The result of an evaluation: its table, matrices and warnings, and how it is written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import MeasureLike
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.outcomes import Outcomes
from goodmeasure.counts.sample import Counted
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.chosen_measures import canonical
from goodmeasure.evaluation.multilabel_averages import Average
from goodmeasure.evaluation.pairing import Pairing
from goodmeasure.evaluation.provenance import MATRIX, SYSTEM, Provenance
from goodmeasure.evaluation.requirements.gate import Gate, RequiredScore
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.requirements.of_results import scores_of, tracked_numbers
from goodmeasure.evaluation.requirements.required import Required
from goodmeasure.evaluation.scoring import Settings, SystemScores
from goodmeasure.evaluation.slice_tests import SliceResults, SliceSpread, SliceTest
from goodmeasure.evaluation.table import Table
from goodmeasure.evaluation.tracked_numbers import Tracked
from goodmeasure.evaluation.warnings import traps
from goodmeasure.evaluation.warnings.general import cautions, different_items
from goodmeasure.evaluation.warnings.record import About, Caution, recorded
from goodmeasure.evaluation.writing import Written, writer_of
from goodmeasure.exceptions import InputError, renamed_to
from goodmeasure.typing import ChartSpec, Frame, Label

if TYPE_CHECKING:
    from goodmeasure.evaluation.judges.judge import Judge
    from goodmeasure.evaluation.outcomes.answers import ItemCase, ItemRegression, OutcomeVariation
    from goodmeasure.evaluation.outcomes.slices import OutcomeSlices
    from goodmeasure.evaluation.pairing import Comparison
    from goodmeasure.evaluation.thresholds.sweep import Sweep


UNPAIRED = Pairing()


@dataclass(frozen=True, eq=False)
class ScoresOfSystems:
    """The measures of scores of a result, and the scored items of each system and slice."""

    measures: tuple[ScoreMeasure, ...]
    data: Mapping[tuple[str, Label], Outcomes | Scored]
    threshold: float | None  # from which score on an item is predicted positive; None for more than two classes


@dataclass(frozen=True, eq=False, repr=False)
class Result(Required, Written):
    """The result of evaluating one or several systems."""

    kind = "evaluation"
    counted: Counted
    parts: tuple[SystemScores, ...]
    settings: Settings
    source: Provenance
    pairing: Pairing = UNPAIRED  # what is needed to compare the systems on the same items
    swept: Sweep | None = None  # the sweep of their scores, if there are any
    averages: tuple[Average, ...] = ()  # over the labels and items of multilabel data
    scored: ScoresOfSystems | None = None  # their scores, if labels were made of scores
    gate: Gate | None = None  # the outcomes of the requirements, if there were any

    @cached_property
    def table(self) -> Table:
        """Return tidy rows: system, slice, class, measure, value, low, high, chance, reason."""
        return Table([row for part in self.parts for row in part.all_rows])

    @property
    def measured(self) -> list[str]:
        """Return the names of all measures, first those of labels, then those of scores."""
        of_scores = [] if self.scored is None else [f.name for f in self.scored.measures]
        return [*(f.name for f in self.settings.measures), *of_scores]

    @property
    def systems(self) -> tuple[str, ...]:
        """Return the names of the systems."""
        return self.counted.systems

    @property
    def competing(self) -> bool:
        """Return whether systems compete for the best value.

        The labels of multilabel data do not, since each is a task of its own.
        """
        return self.source.unit == SYSTEM

    @property
    def slices(self) -> tuple[Label, ...]:
        """Return the slices as the table names them, without the row of all items."""
        return tuple(dict.fromkeys(part.slice for part in self.parts if part.slice is not None))

    def part(self, system: str | None = None, slice: Label = None) -> SystemScores:
        """Return the scores of one system (by default the first) on one slice (by default all items)."""
        name = self.systems[0] if system is None else system
        for part in self.parts:
            if part.system == name and part.slice == slice:
                return part
        known = ", ".join(map(repr, self.systems))
        where = "" if slice is None else f" on slice {slice!r}"
        raise InputError(
            "there is no system {name!r}{where}",
            argument="system",
            name=name,
            where=where,
            known=known,
            advice="the systems are {known}",
        )

    @property
    def has_labels(self) -> bool:
        """Return whether there are predicted labels: scores without a threshold have none."""
        return self.scored is None or self.scored.threshold is not None or self.parts[0].matrix.m > 2

    def matrix(self, system: str | None = None, slice: Label = None) -> ConfusionMatrix:
        """Return the confusion matrix of one system on one slice."""
        if not self.has_labels:
            if self.source.of_outcomes:
                raise InputError(
                    "outcomes have no confusion matrix", argument="y_correct", advice="give labels instead"
                )
            raise InputError(
                "scores without a threshold have no confusion matrix", argument="threshold",
                advice="name the smallest score of a positive with {threshold:=}",
            )  # fmt: skip
        return self.part(system, slice).matrix

    def value(self, measure: MeasureLike, system: str | None = None, slice: Label = None) -> float:
        """Return the value of one measure of one system on one slice.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> evaluate([0, 1, 1], [0, 1, 0]).value("accuracy")
        0.6666666666666666
        """
        found = self.part(system, slice).value(canonical(measure, self.measured))
        assert found is not None  # every part has every measure
        return found

    def required_scores(self, asked: Requirement) -> list[RequiredScore]:
        """Return the scores that a requirement is about."""
        return scores_of(self, asked)

    @property
    def required_confidence(self) -> float | None:
        """Return the confidence level of the intervals, if there are any."""
        return self.settings.confidence

    def tracked(self) -> Iterable[Tracked]:
        """Return the numbers for an experiment tracker, each with the parts of its name."""
        return tracked_numbers(self)

    @cached_property
    def judge(self) -> Judge | None:
        """Return the judge whose labels were used: how right it is, and how many human labels it is worth.

        It is None where there was no judge.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> human, judge, system = [0, 1, 1, 0, 1] * 5, [0, 1, 1, 0, 0] * 100, [0, 1, 0, 0, 0] * 100
        >>> result = evaluate(human + [None] * 475, system, y_judge=judge, measures="accuracy")
        >>> round(result.value("accuracy"), 3), round(result.judge.worth)
        (0.6, 14)
        """
        if self.part().sample.judged is None:
            return None
        from goodmeasure.evaluation.judges.judge import judge_of

        return judge_of(self)

    @cached_property
    def _slice_results(self) -> SliceResults | OutcomeSlices:
        if self.source.of_outcomes and self.scored is not None:
            from goodmeasure.evaluation.outcomes.slices import OutcomeSlices

            share = self.claims.get(significance.SLICES)
            return OutcomeSlices(self.scored.data, self.scored.measures, self.settings, self.counted.slices, share)
        return SliceResults(self.parts, self.settings, self.counted.slices, self.claims.get(significance.SLICES))

    @cached_property
    def claims(self) -> dict[str, float]:
        """Return which kinds of claim the page can make, and which share of its error rate each has.

        It is empty with ``family=None``, where every claim has an error rate of its own.
        """
        if self.settings.family is None:
            return {}
        several = self.competing and len(self.systems) > 1
        there = {
            significance.CHANCE: self.competing and not several,
            significance.DIFFERENCES: several,
            significance.SLICES: bool(self.slices),
            significance.THRESHOLDS: self.swept is not None,
        }
        return significance.shares([name for name, is_there in there.items() if is_there])

    @property
    def slice_spread(self) -> list[SliceSpread]:
        """Return how far slices are apart, by system and measure: the gap, its part beyond noise, and a test.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> result = evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"site": ["x", "x", "y", "y"]}, measures="accuracy")
        >>> [(x.lowest_slice, x.lowest, x.highest_slice, x.highest, x.gap) for x in result.slice_spread]
        [('y', 0.5, 'x', 1.0, 0.5)]
        """
        return self._slice_results.spreads

    @property
    def slice_tests(self) -> list[SliceTest]:
        """Return each slice against the rest of the items, by system and measure, with p-values.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> result = evaluate([0, 1, 1, 0], [0, 1, 0, 0], by={"site": ["x", "x", "y", "y"]}, measures="accuracy")
        >>> [(x.slice, x.value, x.rest, x.small) for x in result.slice_tests]
        [('x', 1.0, 0.5, True), ('y', 0.5, 1.0, True)]
        """
        return self._slice_results.tests

    def _outcomes(self, system: str) -> Outcomes:
        found = None if self.scored is None else self.scored.data.get((self.part(system).system, None))
        if not isinstance(found, Outcomes):
            raise InputError("there are no outcomes", argument="y_correct", advice="give some with {y_correct:=}")
        return found

    def cases(self, system: str | None = None) -> list[ItemCase]:
        """Return every item of one system (by default the first): its answers, their mean outcome, and if they differ.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> result = evaluate(y_correct=[1, 1, 1, 0], id=["a", "a", "b", "b"])
        >>> [(x.item, x.outcome) for x in result.cases() if x.flaky]
        [('b', 0.5)]
        """
        from goodmeasure.evaluation.outcomes.answers import cases

        name = self.systems[0] if system is None else system
        return list(cases(name, self._outcomes(name)))

    def regressions(self, before: str, after: str) -> list[ItemRegression]:
        """Return the items of two systems, those that got worse most clearly first, with p-values for all items.

        An item regressed significantly, at the 5% level over all items, where `p_corrected` is below 0.05.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> ids = ["a"] * 8 + ["b"] * 8
        >>> old, new = [1] * 16, [1] * 8 + [0] * 7 + [1]
        >>> found = evaluate(y_correct={"old": old, "new": new}, id=ids).regressions("old", "new")
        >>> [(x.item, x.before, x.after, round(x.p_corrected, 4)) for x in found]
        [('b', 1.0, 0.125, 0.0014), ('a', 1.0, 1.0, 1.0)]
        """
        from goodmeasure.evaluation.outcomes.answers import regressions

        return regressions(self._outcomes(before), self._outcomes(after))

    def variation(self, system: str | None = None) -> OutcomeVariation:
        """Return how outcomes vary between items and between the answers to one: more items, or more answers?

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> result = evaluate(y_correct=[1, 1, 0, 1, 0, 0, 1, 0], id=["a", "a", "b", "b", "c", "c", "d", "d"])
        >>> found = result.variation()
        >>> round(found.within, 3), round(found.error(items=200, answers=1), 3), round(found.error(200, 4), 3)
        (0.25, 0.038, 0.023)
        """
        from goodmeasure.evaluation.outcomes.answers import variation

        return variation(self._outcomes(self.systems[0] if system is None else system))

    @cached_property
    def warnings(self) -> list[Caution]:
        """Return the warnings as records of system, slice, class, measure and text, the most serious first.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> for warning in evaluate([0] * 20 + [1] * 4, [0] * 20 + [1] * 4, measures="accuracy").warnings:
        ...     print(warning.class_, warning.text)
        None Accuracy (1.000) is not clearly better than always predicting 0 (0.833).
        1 Class 1 has 4 items, so its recall can only be 0, 1/4, 1/2, 3/4 or 1.
        """
        settings = self.settings
        uneven = different_items([part for part in self.parts if part.slice is None], self.counted.dropped)
        found = [recorded(line, None, None) for line in [*self.source.notes, *uneven]]
        if settings.family is None and (self.slices or (self.competing and len(self.systems) > 1)):
            found.append(recorded(f"{significance.UNBUDGETED}.", None, None))
        if self.competing:
            found += traps.chosen(self.measured, len(self.systems), len(self.slices))
        if self.source.of_outcomes:
            return found
        named = self.source.na_values is not None
        for part in self.parts:
            found += cautions(part, settings.measures, settings.policy, said_what_is_missing=named)
            if part.slice is None and self.source.kind == MATRIX:
                found += [recorded(x, None, None) for x in traps.of_weights(part)]
            if part.slice is None and self.competing:
                data = None if self.scored is None else self.scored.data.get((part.system, None))
                about: list[str | About] = [] if data is None else [*traps.miscalibrated(data)]
                about += traps.copies(part) if self.has_labels else ()
                found += [recorded(x, part.system if len(self.systems) > 1 else None, None) for x in about]
        return found if self.swept is None else [*self.swept.warnings, *found]

    @cached_property
    def comparison(self) -> Comparison | None:
        """Return what `compare` does for the same items, measures and seed, made when it is first needed.

        It is None for one system, and where the differences were not tested (``tests=False``, confusion matrices, very
        many items). Slices are not compared: `compare` does that.

        >>> from goodmeasure.evaluation.evaluate import evaluate
        >>> evaluate([0, 1, 1, 0], {"A": [0, 1, 1, 0], "B": [1, 0, 0, 1]}, measures="accuracy").comparison.winners
        {'accuracy': ('A', 'B')}
        """
        found = self.pairing.comparison(self)
        return found if found is None or not self.source.files else found.from_files(*self.source.files)

    def with_sweep(self, swept: Sweep) -> Result:
        """Return the same result with a sweep of the same items shown in its report."""
        return replace(self, swept=swept)

    def beside(self, *, swept: Sweep) -> Result:
        """An older name of `with_sweep`."""
        renamed_to("beside", "with_sweep")
        return self.with_sweep(swept)

    def from_files(self, *files: str) -> Result:
        """Return the same result with these file names as its source."""
        return replace(self, source=replace(self.source, files=files))

    def to_frame(self, kind: str = "pandas") -> Frame:
        """Return the table as a data frame: "pandas", "polars" or "arrow"."""
        return writer_of(self).frame(kind)

    def statement(self, format: str = "markdown") -> str:
        """Return two to four sentences for the results of a paper, then definitions: "markdown", "latex" or "text"."""
        return writer_of(self).statement(format)

    def chart(self, name: str, system: str | None = None) -> ChartSpec:
        """One chart as a Vega-Lite specification.

        Its name is "measures", "classes" or "confusion" (of one system), "ranks", "agreement" or "prevalence"; with
        scores also "roc", "precision_recall", "gain", "reliability", "decision_curve" or "thresholds".
        """
        return writer_of(self).chart(name, system)
