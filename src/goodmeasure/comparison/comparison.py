"""The result of comparing systems: scores, differences, ranks and winners, and how it is written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from goodmeasure.comparison.requirements import RequiredOfSystems, against_baseline, scores_of, tracked_numbers
from goodmeasure.comparison.rows import AgreementRow, DifferenceRow, EnsembleRow, ScoreRow
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample, Slice
from goodmeasure.evaluation.chosen_measures import canonical
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.requirements.gate import Gate, RequiredScore
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.tracked_numbers import Tracked
from goodmeasure.evaluation.writing import Written, writer_of
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ChartSpec, Frame, Label

SCORES = tuple(ScoreRow.__annotations__)
DIFFERENCES = tuple(DifferenceRow.__annotations__)
ENSEMBLE = tuple(EnsembleRow.__annotations__)
AGREEMENT = tuple(AgreementRow.__annotations__)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(RequiredOfSystems, Written):
    """The comparison of several systems on the same items.

    `scores`, `differences`, `ensemble` and `agreement` are tidy rows, as dicts. A difference is the value of `a` minus
    that of `b`; `p_corrected` is Holm's correction over the pairs of systems. With a margin, `p_a_noninferior` is the
    p-value of the claim that `a` is worse than `b` by less than the margin, `p_b_noninferior` the same for `b`, and
    `p_equivalent` that of both, corrected as `p_corrected` is. `ranks[measure][system]` is 1 for the
    best system, and equal values share a rank. `best[measure]` are the systems of rank 1, and `winners[measure]` those
    that are not significantly worse than one of them, after correction over all pairs.
    `best_probability[measure][system]` is the share of resamples on which a system is the best. `matrices` has the
    confusion matrix of each system, and `slices` a comparison for each slice.
    """

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    labels: tuple[Label, ...]
    items: int
    scores: tuple[ScoreRow, ...]
    differences: tuple[DifferenceRow, ...]
    ranks: dict[str, dict[str, int | None]]
    winners: dict[str, tuple[str, ...]]
    best_probability: dict[str, dict[str, float]]
    ensemble: tuple[EnsembleRow, ...]
    agreement: tuple[AgreementRow, ...]
    notes: tuple[str, ...]
    settings: ComparisonSettings
    source: Provenance
    samples: dict[str, Sample]  # the counts of each system; where only scores were compared, of the true classes
    slice: Label = None
    slices: dict[Label, Comparison] = field(default_factory=dict)
    gate: Gate | None = None  # the outcomes of the requirements, if there were any
    slice_words: str = ""  # the slice in words: the names of its columns with their values
    where: Slice | None = None  # the slice as columns with their values

    @property
    def matrices(self) -> dict[str, ConfusionMatrix]:
        """Return the confusion matrix of each system; where only scores were compared, it holds the true classes."""
        return {name: sample.matrix for name, sample in self.samples.items()}

    @property
    def best(self) -> dict[str, tuple[str, ...]]:
        """Return, by measure, the system with the best value, or all that share it.

        >>> from goodmeasure.comparison.compare import compare
        >>> compare([0, 1, 1], {"A": [0, 1, 0], "B": [0, 0, 1], "C": [1, 0, 0]}, measures=["accuracy"]).best
        {'accuracy': ('A', 'B')}
        """
        first = {name: tuple(x for x, rank in row.items() if rank == 1) for name, row in self.ranks.items()}
        return {name: systems for name, systems in first.items() if systems}

    def score(self, system: str, measure: object) -> ScoreRow:
        """Return the row of one system under one measure."""
        name = canonical(measure, self.measures)
        found = [x for x in self.scores if x["system"] == system and x["measure"] == name]
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

    def difference(self, a: str, b: str, measure: object) -> DifferenceRow:
        """Return the row of one pair of systems under one measure, in either order.

        >>> from goodmeasure.comparison.compare import compare
        >>> compared = compare([0, 1, 1, 0], {"A": [0, 1, 1, 1], "B": [0, 0, 1, 1]}, measures=["accuracy"])
        >>> compared.difference("B", "A", "accuracy")["difference"]
        -0.25
        """
        name = canonical(measure, self.measures)
        for row in self.differences:
            if row["measure"] == name and {row["a"], row["b"]} == {a, b}:
                return row if row["a"] == a else _turned(row)
        raise InputError(
            "there is no difference of {a!r} and {b!r} under {measure}",
            a=a,
            b=b,
            measure=measure,
            advice="ask for it with {pairs:=all}",
        )

    def required_scores(self, asked: Requirement) -> list[RequiredScore]:
        """Return the scores that a requirement is about."""
        return scores_of(self, asked)

    @property
    def required_confidence(self) -> float:
        """Return the confidence level of the intervals."""
        return self.settings.confidence

    def against(self, baseline: str, measures: Sequence[object] | None) -> Gate:
        """Return whether other systems are worse than the baseline."""
        return against_baseline(self, baseline, measures)

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
    return {
        **row, "a": row["b"], "b": row["a"], "difference": -row["difference"], "low": -row["high"],
        "high": -row["low"], "p_a_noninferior": row["p_b_noninferior"], "p_b_noninferior": row["p_a_noninferior"],
    }  # fmt: skip
