"""The result of comparing two periods: what changed, by how much, and how it is written down."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from goodmeasure.evaluation import significance
from goodmeasure.evaluation.number_words import p_is, p_text
from goodmeasure.evaluation.positive_class import sentence
from goodmeasure.evaluation.significance import Claim
from goodmeasure.exceptions import InputError
from goodmeasure.notebooks import SentencesAndTable
from goodmeasure.typing import Label

PREVALENCE, PREDICTED, RECALL = "class shares", "predicted shares", "recall by class"
_NAMED = 3  # classes that a sentence names


@dataclass(frozen=True)
class Change:
    """One number before and after: its change with a confidence interval, and the p-value of no change.

    `expected` is the value that the rates of the earlier period give with the class shares of the later one, so that
    `expected` − `before` is the part of the change that changed class shares explain.
    """

    measure: str
    label: Label  # the class; None for all classes
    before: float
    after: float
    change: float
    low: float
    high: float
    p: float
    p_corrected: float
    expected: float = math.nan
    reason: str | None = None


@dataclass(frozen=True)
class ClassTest:
    """Whether something that has a number for each class is the same in both periods."""

    what: str
    p: float
    p_corrected: float
    changes: tuple[Change, ...]

    def changed(self, level: float) -> bool:
        """Return whether the change is significant."""
        return significance.is_significant(Claim(1 - level, self.p_corrected))


@dataclass(frozen=True)
class SequentialInterval:
    """The confidence sequence of a measure over all results so far: it holds the true value at every time.

    It can be unpacked into `low` and `high`.
    """

    measure: str
    value: float
    low: float
    high: float
    method: str
    reason: str | None = None

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))


@dataclass(frozen=True, eq=False, repr=False)
class Drift(SentencesAndTable):
    """What changed between two periods.

    `prevalence`, `predicted` and `recall` are tests of all classes together, corrected for being three; each has the
    `changes` of the single classes. `changes` are those of the measures. `items` are the numbers of items.

    With ``sequential=True``, `before` are the earlier results, and all tests and intervals are valid however often one
    looks. `results` says how many results there are, `since` how many of the latest differ most from the others.
    """

    kind = "drift"
    derived = ("drifted", "sequential", "tests")
    prevalence: ClassTest
    predicted: ClassTest
    recall: ClassTest
    changes: tuple[Change, ...]
    items: tuple[float, float]
    confidence: float
    notes: tuple[str, ...] = ()
    positive: Label = None  # of two classes, the one that measures such as recall are about
    positive_by: str | None = field(default=None, metadata={"name": "positive_chosen"})  # how it was chosen
    results: int | None = None  # how many, with the latest; None where two periods were compared once
    since: int = 1
    sequences: tuple[SequentialInterval, ...] = ()

    @property
    def tests(self) -> tuple[ClassTest, ClassTest, ClassTest]:
        """Return the three tests of all classes together."""
        return self.prevalence, self.predicted, self.recall

    @property
    def drifted(self) -> bool:
        """Return whether the class shares, the predicted shares or the recalls changed significantly."""
        return any(x.changed(1 - self.confidence) for x in self.tests)

    @property
    def sequential(self) -> bool:
        """Return whether tests and intervals are valid however often one looks."""
        return self.results is not None

    @property
    def _earlier(self) -> str:
        many = (self.results or 2) - 1
        return "the earlier result" if many == 1 else f"{many:,} earlier results"

    def change(self, measure: object) -> Change:
        """Return the change of one measure."""
        from goodmeasure.evaluation.chosen_measures import canonical

        name = canonical(measure, [x.measure for x in self.changes])
        return next(x for x in self.changes if x.measure == name)

    def interval(self, measure: object) -> SequentialInterval:
        """Return the ends (low, high) of the confidence sequence of a measure over all results.

        With the confidence level as its probability, it holds the true value at every time.
        """
        from goodmeasure.evaluation.chosen_measures import canonical

        if self.results is None:
            raise InputError(
                "two periods have no confidence sequence",
                argument="measure",
                advice="use change(measure), or {sequential:=}",
            )
        name = canonical(measure, [x.measure for x in self.sequences])
        return next(x for x in self.sequences if x.measure == name)

    def lines(self) -> list[str]:
        """Return what changed, in sentences."""
        level = 1 - self.confidence
        before, after = (f"{x:,.0f}" for x in self.items)
        chosen = sentence(self.positive, self.positive_by, "--positive, or positive= of evaluate")
        named = "" if chosen or self.positive_by is None else f"; positive class {str(self.positive)!r}"
        periods = f"{before} items before, {after} after{named}."
        if self.results is not None:
            periods = f"{before} items in {self._earlier}, {after} today{named}."
        said = [*([chosen] if chosen else []), periods, *(_sentence(x, level) for x in self.tests)]
        if self.results is not None:
            what = (
                f"{_latest(self.since)} {'differs' if self.since == 1 else 'differ'} most from the others"
                if self.drifted
                else "No alarm"
            )
            said.append(
                f"{what}. However often one looks, the probability of any false alarm is at most {100 * level:.3g}%."
            )
        said.append("“From shares” is the part of each change that the changed class shares alone would have caused.")
        return [*said, *(f"Note: {x}." for x in self.notes)]

    def rows(self) -> list[list[str]]:
        """Return the table; its first row holds the names of the columns."""
        level = f"{100 * self.confidence:.12g}% interval"
        rows = [["", "before", "after", "change", level, "p", "from shares"]]
        for x in self.changes:
            change, shift = (_signed(y) for y in (x.change, x.expected - x.before))
            ends = "–" if math.isnan(x.low) else f"{_signed(x.low)} to {_signed(x.high)}"
            rows.append([x.measure, _decimal(x.before), _decimal(x.after), change, ends, p_text(x.p), shift])
        for row, y in zip(rows[1:], self.sequences, strict=False):
            row.append("–" if math.isnan(y.low) else f"{y.low:.3f} to {y.high:.3f}")
        if self.sequences:
            rows[0].append("all results")
        return rows

    def __repr__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        table = ["  ".join(_aligned(row, widths)).rstrip() for row in rows]
        return "\n".join([*self.lines(), "", *table])


def _latest(since: int) -> str:
    return "The latest result" if since == 1 else f"The latest {since} results"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> list[str]:
    return [x.ljust(w) if k == 0 else x.rjust(w) for k, (x, w) in enumerate(zip(row, widths, strict=True))]


def _sentence(test: ClassTest, level: float) -> str:
    """Return whether one of the three changed, and where most."""
    what = test.what[0].upper() + test.what[1:]
    if math.isnan(test.p):
        return f"{what}: there is no test."
    if not test.changed(level):
        return f"{what}: no significant change (p = {p_text(test.p_corrected)})."
    known = [x for x in test.changes if abs(x.change) > 0]
    most = sorted(known, key=lambda x: -abs(x.change))[:_NAMED]
    named = ", ".join(f"{x.label!r} from {_share(x.before)} to {_share(x.after)}" for x in most)
    return f"{what}: a significant change (p {p_is(test.p_corrected)}); most for {named}."


def _share(x: float) -> str:
    return f"{100 * x:.1f}%"


def _decimal(x: float) -> str:
    return "undefined" if math.isnan(x) else f"{x:.3f}"


def _signed(x: float) -> str:
    return "–" if math.isnan(x) else f"{x + 0.0:+.3f}".replace("-", "−")
