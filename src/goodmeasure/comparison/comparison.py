"""The result of comparing systems: scores, differences, ranks and winners, and how it is written down."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from goodmeasure.comparison.requirements import against_baseline, scores_of, tracked_numbers
from goodmeasure.comparison.rows import COLUMNS, AgreementRow, AverageRow, DifferenceRow, EnsembleRow, ScoreRow
from goodmeasure.comparison.rows import AverageDifferenceRow as OfAverage
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample, Slice
from goodmeasure.evaluation.chosen_measures import canonical
from goodmeasure.evaluation.multilabel import MACRO
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.requirements.gate import Gate, RequiredScore
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.requirements.of_results import average_named
from goodmeasure.evaluation.requirements.required import Required
from goodmeasure.evaluation.tracked_numbers import Tracked
from goodmeasure.evaluation.writing import Written, writer_of
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ChartSpec, Frame, Label


class BestSystem(NamedTuple):
    """The system with the best value of a measure; `tied` are all that share it, in order.

    It was chosen because its `value` is the best, which is partly luck. `expected` is the value to expect on new items,
    and `low` to `high` is a confidence interval that allows for the choice.
    """

    name: str
    measure: str
    value: float
    tied: tuple[str, ...]
    expected: float = math.nan
    low: float = math.nan
    high: float = math.nan


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Required, Written):
    """The comparison of several systems on the same items.

    `scores`, `differences`, `ensemble` and `agreement` are tidy rows, as dicts. A difference is the value of `a` minus
    that of `b`; `p_corrected` is Holm's correction over the pairs of systems. `p_family` is corrected over
    everything that the page could claim (`family` names the kind of claim): a difference is called significant where it
    is below `level`, and the probability of any false claim is at most that. With a margin, `p_a_noninferior` is the
    p-value of the claim that `a` is worse than `b` by less than the margin, `p_b_noninferior` the same for `b`, and
    `p_equivalent` that of both, corrected as `p_corrected` is. `ranks[measure][system]` is 1 for the best system, and
    equal values share a rank. `leaders[measure]` are the systems of rank 1, and `winners[measure]` those that are not
    significantly worse than one of them, after correction over all pairs.
    `best_probability[measure][system]` is the share of resamples on which a system is the best. `matrices` has the
    confusion matrix of each system, and `slices` a comparison for each slice.

    Systems that give several labels to an item are compared in averages over labels and items. Their rows have the
    column `average` beside `measure`: "macro", "micro", "weighted" or "samples", or None for the exact match. Ranks and
    winners are those of averages such as macro(f1).
    """

    kind = "comparison"
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    labels: tuple[Label, ...]
    items: int
    scores: tuple[ScoreRow, ...] = field(metadata={"type": tuple[ScoreRow | AverageRow, ...]})
    differences: tuple[DifferenceRow, ...] = field(metadata={"type": tuple[DifferenceRow | OfAverage, ...]})
    ranks: dict[str, dict[str, int | None]]
    winners: dict[str, tuple[str, ...]]
    best_probability: dict[str, dict[str, float]]
    notes: tuple[str, ...]
    settings: ComparisonSettings
    source: Provenance
    samples: dict[str, Sample]  # the counts of each system; where only scores were compared, of the true classes
    ensemble: tuple[EnsembleRow, ...] = ()
    agreement: tuple[AgreementRow, ...] = ()
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=COLUMNS.copy)  # of each kind of rows
    slice: Label = None
    slices: dict[Label, Comparison] = field(default_factory=dict)
    gate: Gate | None = None  # the outcomes of the requirements, if there were any
    slice_words: str = ""  # the slice in words: the names of its columns with their values
    where: Slice | None = None  # the slice as columns with their values
    worth: dict[str, tuple[float, float, float]] = field(default_factory=dict)  # of the best system; see `BestSystem`

    @property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """Return the confusion matrix of each system; where only scores were compared, it holds the true classes."""
        return {name: sample.matrix for name, sample in self.samples.items()}

    def best(self, measure: object = None) -> BestSystem:
        """Return the system with the best value of a measure, by default the first; `tied` are those that share it.

        >>> from goodmeasure.comparison.compare import compare
        >>> systems = {"A": [0, 1, 0] * 9, "B": [0, 0, 1] * 9, "C": [1, 0, 0] * 9}
        >>> found = compare([0, 1, 1] * 9, systems, measures=["accuracy"]).best()
        >>> found.name, found.tied, round(found.value, 2), found.low < found.expected < found.value < found.high
        ('A', ('A', 'B'), 0.67, True)
        """
        average, name = self.compared_in(next(iter(self.ranks)) if measure is None else measure)
        ranked = name if average is None or name in self.ranks else f"{average}({name})"
        if ranked not in self.leaders:
            raise InputError("no system is the best by {measure}", measure=ranked, advice="it has no better and worse")
        tied = self.leaders[ranked]
        return BestSystem(tied[0], ranked, self.value(ranked, tied[0]), tied, *self.worth.get(ranked, ()))

    def value(self, measure: object, system: str | None = None, average: str | None = None) -> float:
        """Return the value of a measure of one system, by default the first."""
        return self.score(self.systems[0] if system is None else system, measure, average)["value"]

    @property
    def leaders(self) -> dict[str, tuple[str, ...]]:
        """Return, by measure, the system with the best value, or all that share it."""
        first = {name: tuple(x for x, rank in row.items() if rank == 1) for name, row in self.ranks.items()}
        return {name: systems for name, systems in first.items() if systems}

    @property
    def confidence(self) -> float:
        """Return the confidence level of the intervals."""
        return self.settings.confidence

    @property
    def correct(self) -> str:
        """Return what p-values are corrected over: "systems" or "all"."""
        return self.settings.correct

    @property
    def of_averages(self) -> bool:
        """Return whether systems that give several labels to an item were compared."""
        return "average" in self.columns["scores"]

    def compared_in(self, measure: object, average: str | None = None) -> tuple[str | None, str]:
        """Return the average and the measure that rows have: of several labels, the macro average by default."""
        if not self.of_averages:
            return None, canonical(measure, self.measures)
        if average is not None:
            return average, canonical(measure, self.measures)
        return (MACRO, str(measure)) if str(measure) in self.measures else average_named(str(measure))

    def score(self, system: str, measure: object, average: str | None = None) -> ScoreRow:
        """Return the row of one system under one measure; of several labels, in one average."""
        which = self.compared_in(measure, average)
        found = [x for x in self.scores if x["system"] == system and (x.get("average"), x["measure"]) == which]
        if not found:
            raise InputError(
                "there is no score of {system!r} under {measure}",
                argument="system",
                system=system,
                measure=measure,
                known=", ".join(self.systems),
                advice="the systems are {known}",
            )
        return found[0]

    def difference(self, a: str, b: str, measure: object, average: str | None = None) -> DifferenceRow:
        """Return the row of one pair of systems under one measure, in either order; of several labels, in one average.

        >>> from goodmeasure.comparison.compare import compare
        >>> compared = compare([0, 1, 1, 0], {"A": [0, 1, 1, 1], "B": [0, 0, 1, 1]}, measures=["accuracy"])
        >>> compared.difference("B", "A", "accuracy")["difference"]
        -0.25
        """
        which = self.compared_in(measure, average)
        for row in self.differences:
            if (row.get("average"), row["measure"]) == which and {row["a"], row["b"]} == {a, b}:
                return row if row["a"] == a else _turned(row)
        raise InputError(
            "there is no difference of {a!r} and {b!r} under {measure}",
            a=a,
            b=b,
            measure=measure,
            advice="ask for it with {pairs:=all}",
        )

    def checked(
        self,
        *requirements: str,
        confident: bool = False,
        baseline: str | None = None,
        measures: Sequence[object] | None = None,
    ) -> Gate:
        """Return the outcomes of the requirements and of the comparison with a baseline."""
        if baseline is None:
            return super().checked(*requirements, confident=confident)
        against = against_baseline(self, baseline, measures)
        return super().checked(*requirements, confident=confident).joined(against) if requirements else against

    def require(
        self,
        *requirements: str,
        confident: bool = False,
        baseline: str | None = None,
        measures: Sequence[object] | None = None,
    ) -> Gate:
        """Check requirements such as "A: mcc >= 0.8", and raise `RequirementNotMet` if one of them is not met.

        With `baseline`, the name of a system, no other system may be significantly worse than it in any of `measures`
        (by default all that were compared; of multilabel data, the macro average of each). Where the comparison has a
        `margin`, each must be shown to be worse by less than that. See `Result.require` for the other requirements.

        >>> from goodmeasure.comparison.compare import compare
        >>> systems = {"new": [0, 1, 0, 0] * 9, "old": [0, 1, 1, 0] * 9}
        >>> compare([0, 1, 1, 0] * 9, systems, measures="accuracy").require(baseline="old")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        goodmeasure.RequirementNotMet: 1 requirement is not met:
          new: accuracy not significantly worse than old: 0.750 against 1.000, difference −0.250 (95% ...), p = 0.002
        """
        return self.checked(*requirements, confident=confident, baseline=baseline, measures=measures).check()

    def required_scores(self, asked: Requirement) -> list[RequiredScore]:
        """Return the scores that a requirement is about."""
        return scores_of(self, asked)

    required_confidence = confidence

    def tracked(self) -> Iterable[Tracked]:
        """Return the numbers for an experiment tracker, each with the parts of its name."""
        return tracked_numbers(self)

    def from_files(self, *files: str) -> Comparison:
        """Return the same comparison with these file names as its source."""
        return replace(self, source=replace(self.source, files=files))

    def to_frame(self, kind: str = "pandas", rows: str = "differences") -> Frame:
        """Return rows as a data frame ("pandas", "polars" or "arrow").

        `rows` is "differences", "scores", "ensemble" or "agreement".
        """
        return writer_of(self).frame(kind, rows)

    def statement(self, format: str = "markdown") -> str:
        """Return two to four sentences for the results of a paper, then definitions: "markdown", "latex" or "text"."""
        return writer_of(self).statement(format)

    def chart(self, name: str) -> ChartSpec:
        """Return one chart as a Vega-Lite specification: "ranks", "differences" or "agreement"."""
        return writer_of(self).chart(name)

    def all_rows(self, name: str) -> list[Mapping[str, object]]:
        """Return the rows of one kind, first those of all items, then slice by slice."""
        return [*getattr(self, name), *(row for part in self.slices.values() for row in getattr(part, name))]


def _turned(row: DifferenceRow) -> DifferenceRow:
    """Return the same difference seen from the other system."""
    found: DifferenceRow = {
        **row, "a": row["b"], "b": row["a"], "difference": -row["difference"], "low": -row["high"], "high": -row["low"],
    }  # fmt: skip
    if "p_a_noninferior" in row:  # averages over labels are not held to a margin
        found |= {"p_a_noninferior": row["p_b_noninferior"], "p_b_noninferior": row["p_a_noninferior"]}
    return found
