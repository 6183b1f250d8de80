"""The properties that a task requires of a measure, and how a practitioner's answers become such needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypedDict

from goodmeasure.documents import plain_of
from goodmeasure.exceptions import InputError
from goodmeasure.theory.statements.lookup import statement as statement_of
from goodmeasure.typing import ArrayLike

GOESGENS, OPITZ, SEBASTIANI = "goesgens2021", "opitz2024", "sebastiani2015"
SAME, OTHER, UNKNOWN = "same", "other", "unknown"
USUAL = "usual"  # the reason of needs that are desirable in every task
MORE = "yes, with three or more classes"


@cache
def domain_for(name: str) -> str:
    """Return the domain that a property speaks of, on which a recommendation judges it.

    Sebastiani's axioms speak of all test sets and all classifiers: of test sets that lack a class (FIX, CHA) and of
    classifiers that always give the same label (IMB). Where every class has to occur in both labelings, IMB would speak
    of nothing, and FIX and CHA of fewer classifiers than they mean. The properties of the other two papers compare
    labelings in which the classes occur; a note says where a measure loses one of them if a class may be absent.
    """
    return "all" if statement_of(name).cite == SEBASTIANI else "regular"


class TaskAnswers(TypedDict):
    """The answers to the questions by name, except for the one about costs."""

    classes: int
    ordered: bool
    one_class: bool
    equal_standing: bool
    deployment: str | None
    across: bool
    chance: bool
    distance: bool
    rare: int


class Answers(TaskAnswers):
    """The answers to all questions."""

    costs: ArrayLike


@dataclass(frozen=True)
class Need:
    """A property that a measure should have (or, with ``holds=False``, should not have), and why.

    Without a ``required`` need a measure does not suit the task; ``weight`` says how much a need counts that is only
    desirable.
    """

    statement: str = field(metadata={"name": "property"})
    because: str
    required: bool = True
    holds: bool = True
    weight: float = 1.0
    cite: str = GOESGENS

    @property
    def domain(self) -> str:
        """Return the domain that the property speaks of."""
        return domain_for(self.statement)

    @property
    def name(self) -> str:
        """Return the name of the property, with "not" where it should not hold."""
        return self.statement if self.holds else f"not {self.statement}"

    @property
    def short(self) -> str:
        """Return the need as the heading of a column."""
        short = statement_of(self.statement).short
        return short if self.holds else f"not {short}"

    @property
    def text(self) -> str:
        """Return the need as a sentence."""
        of = statement_of(self.statement)
        return of.sentence if self.holds else f"Not: {of.sentence[0].lower()}{of.sentence[1:]}"

    def to_dict(self) -> dict[str, object]:
        """Return the need as plain data."""
        return {**plain_of(self), "domain": self.domain, "sentence": self.text}


@dataclass(frozen=True)
class Question:
    """A question that a practitioner can answer, and what each answer requires of a measure.

    ``needs`` maps answers to needs; an answer that is not listed requires nothing. ``answers`` says in words how to
    answer, and ``choices`` lists the answers where they are names of which one is given.
    """

    name: str
    text: str
    answers: str
    needs: dict[object, tuple[Need, ...]]
    choices: tuple[str, ...] = ()

    def asked(self, answer: object) -> tuple[Need, ...]:
        """Return what an answer requires."""
        return self.needs.get(answer, ())


QUESTIONS = (
    Question("classes", "How many classes are there?", "a number", {}),
    Question("ordered", "Are the classes ordered, so that some errors are worse than others?", "yes / no", {}),
    Question("costs", "Do some errors cost more than others?", "no, or your table costs[true][predicted]", {}),
    Question(
        "one_class",
        "Does only one class matter (spam, disease), so that true negatives are of no interest?",
        "yes / no",
        {
            True: (
                Need("class_symmetry", "only one class matters", holds=False),
                Need(
                    "maximal_agreement",
                    "only perfect predictions may get the best value; recall also gives it to a constant prediction",
                ),
            ),
        },
    ),
    Question(
        "equal_standing",
        "Do both labelings have equal standing (two annotators, two clusterings)?",
        "yes / no",
        {
            True: (
                Need("symmetry", "both labelings have equal standing"),
                Need("monotone", "resolving a disagreement must raise the score, whoever changes the label"),
            ),
        },
    ),
    Question(
        "deployment",
        "Will deployment have the class distribution of this data?",
        f"{SAME} / {OTHER} / {UNKNOWN}",
        {
            SAME: (
                Need(
                    "opitz_class_sensitive",
                    "the class distribution is the one in use, so each item may count the same",
                    required=False,
                    holds=False,
                    weight=3,
                    cite=OPITZ,
                ),
            ),
            OTHER: (Need("opitz_prevalence_invariant", "deployment will have another class distribution", cite=OPITZ),),
            UNKNOWN: (
                Need(
                    "opitz_prevalence_invariant",
                    "the class distribution in use is unknown",
                    required=False,
                    weight=3,
                    cite=OPITZ,
                ),
                Need(
                    "opitz_class_sensitive",
                    "the class distribution in use is unknown",
                    required=False,
                    cite=OPITZ,
                ),
            ),
        },
        choices=(SAME, OTHER, UNKNOWN),
    ),
    Question(
        "across",
        "Must scores be comparable across data sets?",
        "yes / no",
        {
            True: (
                Need("constant_baseline", "scores are compared across data sets, so chance must score the same on all"),
                Need("scale_invariance", "scores are compared across data sets of different sizes"),
            ),
        },
    ),
    Question(
        "chance",
        "Must scores be comparable to chance?",
        "yes / no",
        {True: (Need("constant_baseline", "scores are compared to chance"),)},
    ),
    Question(
        "distance",
        "Is a distance needed (nearest neighbours, clustering of systems, triangle inequality)?",
        "yes / no",
        {
            True: (
                Need("distance", "a distance is needed"),
                Need("monotone", "labelings that agree more must be nearer"),
            ),
            # No distance among the measures of goesgens2021 has it all for three or more classes. Section 6 recommends
            # the correlation distance: of the distances, it alone has an approximate constant baseline.
            MORE: (
                Need("distance", "a distance is needed"),
                Need(
                    "approximate_constant_baseline",
                    "a distance should mean nearly the same whatever the class sizes: goesgens2021, section 6",
                    required=False,
                    weight=6,
                ),
                Need("monotone", "labelings that agree more should be nearer", required=False),
            ),
        },
    ),
    Question(
        "rare",
        "How many classes are rare?",
        "a number",
        {
            True: (Need("opitz_class_sensitive", "rare classes must count for more than their few items", cite=OPITZ),),
        },
    ),
)

# The needs of every task: Opitz's first property is required, those of goesgens2021 are desirable.
ALWAYS = (
    Need("opitz_monotone", "in every task a right prediction must not harm, nor a wrong one help", cite=OPITZ),
    *(
        Need(x, USUAL, required=False)
        for x in (
            "maximal_agreement",
            "minimal_agreement",
            "class_symmetry",
            "symmetry",
            "monotone",
            "strongly_monotone",
            "constant_baseline",
            "approximate_constant_baseline",
        )
    ),
)


def needs_of(answers: Answers, needs: Iterable[str], avoids: Iterable[str]) -> list[Need]:
    """Return the needs that follow from answers, those that were named, and the usual ones; each property once."""
    found: dict[str, Need] = {}
    asked = [x for q in QUESTIONS if q.name in answers for x in q.asked(_key(q.name, answers))]
    named = [Need(x, "you asked for it") for x in needs] + [
        Need(x, "you want to avoid it", holds=False) for x in avoids
    ]
    for need in sorted([*named, *asked], key=lambda x: not x.required):
        other = found.get(need.statement)
        if other is not None and other.holds != need.holds and other.required and need.required:
            raise InputError(
                "{statement} is both needed ({needed}) and to be avoided ({avoided})",
                statement=need.statement,
                needed=_reason(other, need, True),
                avoided=_reason(other, need, False),
                advice="leave one out",
            )
        found.setdefault(need.statement, need)
    graded = bool(answers.get("ordered")) or answers.get("costs") is not None
    if graded or "monotone" in found:
        # Opitz's monotonicity is then only desirable. Where some errors are worse than others, one more error can be
        # milder than the average one, so the measure may rise; and where monotonicity in the sense of goesgens2021
        # is asked for, the other notion is not required on top of it.
        found.setdefault("opitz_monotone", Need("opitz_monotone", USUAL, required=False, cite=OPITZ))
    pointless = ONE_CLASS_NEVER_HAS if answers.get("one_class") else ("class_symmetry",) if graded else ()
    for need in ALWAYS:
        if need.statement not in pointless:
            found.setdefault(need.statement, need)
    return list(found.values())


# Measures that ignore true negatives cannot have these properties: without a true positive they are all 0.
ONE_CLASS_NEVER_HAS = (
    "minimal_agreement",
    "monotone",
    "strongly_monotone",
    "constant_baseline",
    "approximate_constant_baseline",
)


def _key(name: str, answers: Answers) -> object:
    """Return an answer in the form in which the questions list it."""
    given: Mapping[str, object] = answers
    answer = given[name]
    if name == "costs":
        return None
    if name == "distance" and answer is True and not answers.get("one_class") and answers["classes"] > 2:
        return MORE
    return bool(answer) if name == "rare" else answer


def _reason(one: Need, two: Need, holds: bool) -> str:
    return one.because if one.holds is holds else two.because
