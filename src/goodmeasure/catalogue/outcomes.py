"""The measures of outcomes: the pass rate (or mean score) and, for several answers of an item, pass@k and the like.

Each is a mean over items of what the answers of an item say, so that the items are the unit of its uncertainty.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue.measure import GeneratedHelp
from goodmeasure.catalogue.register import enter
from goodmeasure.catalogue.scores.definition import ItemMean, mean_influences
from goodmeasure.catalogue.scores.measure import ScoreFamily, ScoreMeasure
from goodmeasure.counts.outcomes import Outcomes, items_of_ids, outcomes_by_item, outcomes_of, read_outcomes
from goodmeasure.counts.scores.score_input import as_item_weights
from goodmeasure.counts.scores.scored import Scored
from goodmeasure.exceptions import Argument, InputError, InputTypeError
from goodmeasure.typing import Array

if TYPE_CHECKING:
    from goodmeasure.catalogue.facts import ScoreFacts

OUTCOMES = "outcomes"


class OutcomeMean(ItemMean):
    """A mean over items of a number between 0 and 1 that follows from the answers of each."""

    needs_probabilities = False
    verdicts = False  # whether it takes only outcomes that are 0 or 1
    answers = 1  # how many answers every item must have

    def of_items(self, data: Outcomes) -> Array:
        """Return the number of each item."""
        raise NotImplementedError

    def value(self, data: Scored) -> float:
        assert isinstance(data, Outcomes)
        terms = self.of_items(data)
        return float(terms.sum() if data.weights is None else terms @ data.weights) / data.total

    def influences(self, data: Scored) -> Array | None:
        assert isinstance(data, Outcomes)
        return mean_influences(data, self.of_items(data))


class MeanOutcome(OutcomeMean):
    """The mean outcome: the share of right answers where outcomes are 0 and 1."""

    formula = r"\frac{1}{n} \sum_{x} y_{x}"

    def of_items(self, data: Outcomes) -> Array:
        return data.scores


class OfAnswers(OutcomeMean):
    """What some answers of an item say together, from how many of its answers are right."""

    verdicts = True

    def of_items(self, data: Outcomes) -> Array:
        number = data.number
        return self.of_counts(number, np.rint(data.scores * number))

    def of_counts(self, number: Array, right: Array) -> Array:
        """Return the number of each item from how many answers it has, and how many of these are right."""
        raise NotImplementedError


def _none_chosen(number: Array, kept: Array, k: int) -> Array:
    """Return the probability C(kept, k)/C(number, k) that k answers drawn without replacement are all among some."""
    found = np.ones(len(number))
    for j in range(k):
        found *= np.maximum(kept - j, 0) / (number - j)
    return found


class PassAt(OfAnswers):
    """The probability that at least one of k answers is right, without bias (Chen et al. 2021)."""

    formula = r"\frac{1}{n} \sum_{x} \left(1 - \binom{r_{x} - c_{x}}{k} \Big/ \binom{r_{x}}{k}\right)"

    def __init__(self, k: int) -> None:
        self.answers = self.k = k

    def of_counts(self, number: Array, right: Array) -> Array:
        return 1 - _none_chosen(number, number - right, self.k)


class PassAll(PassAt):
    """The probability that all of k answers are right, without bias (pass^k: Yao et al. 2024)."""

    formula = r"\frac{1}{n} \sum_{x} \binom{c_{x}}{k} \Big/ \binom{r_{x}}{k}"

    def of_counts(self, number: Array, right: Array) -> Array:
        return _none_chosen(number, right, self.k)


class MajorityVote(OfAnswers):
    """Whether most answers of an item are right; half of them count as half."""

    formula = r"\frac{1}{n} \sum_{x} \left([2 c_{x} > r_{x}] + \tfrac{1}{2} [2 c_{x} = r_{x}]\right)"

    def of_counts(self, number: Array, right: Array) -> Array:
        found: Array = (np.sign(2 * right - number) + 1) / 2
        return found


def _help(measure: ScoreMeasure) -> str:
    from goodmeasure.catalogue.scores.explanation import help_text

    return help_text(measure)


class OutcomeMeasure(ScoreMeasure):
    __doc__ = GeneratedHelp("A measure of outcomes: callable on them, and on the ids of items with several.", _help)

    takes = OUTCOMES

    # It takes outcomes alone: there are no true labels beside them.
    def __call__(  # type: ignore[override]
        self, y_correct: object = None, *, id: object = None, sample_weight: object = None, missing: str = "error"
    ) -> float:
        """Return the value on outcomes; rows with the same `id` are answers of one item."""
        if y_correct is None:
            raise InputTypeError("{name} takes {y_correct}", name=self.name, expected="an outcome of each item")
        values = read_outcomes(y_correct, Argument("y_correct")).values
        items = None if id is None else items_of_ids(id, Argument("id"))
        weights = as_item_weights(sample_weight, len(values))
        if items is not None and weights is not None:
            weights = weights[items.constant(weights, "sample_weight", len(values))]
        means, answers = outcomes_by_item(values, items)
        return self.of(outcomes_of(means, answers, weights, None, missing, Argument("y_correct")))[0]

    def check(self, data: Scored) -> None:
        """Refuse anything but outcomes, and outcomes with too few answers or that are graded."""
        if not isinstance(data, Outcomes):
            raise InputError("{name} is a measure of outcomes", name=self.name, advice="give them as {y_correct:=}")
        definition = self.definition
        assert isinstance(definition, OutcomeMean)
        if definition.verdicts and not data.are_verdicts:
            raise InputError(
                "{name} takes outcomes that are 0 or 1, and {scores} has others", name=self.name, scores=data.argument,
                advice="say which graded outcomes are right, as in [x >= 0.5 for x in outcomes]",
            )  # fmt: skip
        if data.fewest < definition.answers:
            raise InputError(
                "{name} needs {k} answers of every item, and one has {fewest}", name=self.name, k=definition.answers,
                fewest=data.fewest, advice="name the items by {id:=}, or choose a smaller k",
            )  # fmt: skip


class OutcomeFamily(ScoreFamily):
    """Measures of outcomes with parameters."""

    takes = OUTCOMES
    makes = OutcomeMeasure

    @cached_property
    def usual_measure(self) -> ScoreMeasure:
        """The measure with the first usual parameters: none has defaults."""
        return self(**self.usual[0])


def _define(name: str, definition: OutcomeMean, **facts: object) -> OutcomeMeasure:
    known: ScoreFacts = {"range": (0, 1), "family": OUTCOMES, **facts}  # type: ignore[typeddict-item]
    measure = OutcomeMeasure(definition, name, **known)
    enter(name, measure, (__name__, name))
    return measure


outcome = _define(
    "outcome",
    MeanOutcome(),
    title="Pass rate",
    about="the share of right outcomes, or the mean of graded ones; an item with several answers counts once",
)
graded_outcome = OutcomeMeasure(
    outcome.definition, outcome.name, title="Mean score", range=(0, 1), family=OUTCOMES, about=outcome.about
)
"""The same measure, as it is called where outcomes are graded."""

majority_vote = _define(
    "majority_vote",
    MajorityVote(),
    title="Majority vote",
    about="the share of items of which most answers are right; where half of them are, the item counts as half",
)


def _of_k(k: object) -> int:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise InputError("{k} is {got!r}", got=k, expected="a number of answers, from 1 on")
    return k


def _family(name: str, definition: type[PassAt], **facts: object) -> OutcomeFamily:
    def build(k: int) -> PassAt:
        return definition(_of_k(k))

    known = {"range": (0, 1), "family": OUTCOMES, **facts}
    family = OutcomeFamily(build, name, ({"k": 3},), known)  # type: ignore[arg-type]
    enter(name, family, (__name__, name))
    return family


pass_at = _family(
    "pass_at",
    PassAt,
    title=lambda k: f"pass@{k}",
    cite="chen2021codex",
    about="the probability that at least one of k answers of an item is right, estimated without bias",
)
pass_all = _family(
    "pass_all",
    PassAll,
    title=lambda k: f"pass^{k}",
    cite="yao2024tau",
    about="the probability that all of k answers of an item are right, estimated without bias",
)
