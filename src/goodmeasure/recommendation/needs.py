"""The properties that a task requires of a measure, and how a practitioner's answers become such needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from goodmeasure.documents import plain_of
from goodmeasure.exceptions import InputError
from goodmeasure.keywords import Option, options_of
from goodmeasure.options import NeedsOptions, TaskOptions
from goodmeasure.theory.statements.lookup import statement as statement_of

GOESGENS, OPITZ, SEBASTIANI = "goesgens2021", "opitz2024", "sebastiani2015"
SAME, OTHER, UNKNOWN = "same", "other", "unknown"
USUAL = "usual"  # the reason of needs that are desirable in every task
ALWAYS_ASKED = "as in every task"  # and of the one that is required
MORE = "yes, with three or more classes"


@cache
def domain_for(name: str) -> str:
    """Return the domain that a property covers, on which a recommendation judges it.

    Sebastiani's axioms cover all test sets and all classifiers: test sets that lack a class (FIX, CHA) and classifiers
    that always give the same label (IMB). Where every class has to occur in both labelings, IMB would cover nothing,
    and FIX and CHA fewer classifiers than they mean. The properties of the other two papers compare labelings in which
    the classes occur; a note says where a measure loses one of them if a class may be absent.
    """
    return "all" if statement_of(name).cite == SEBASTIANI else "regular"


class Answers(TaskOptions):
    """The answers to all questions, by name."""

    classes: int


_OPPOSITE = {  # the opposite of a property, as a sentence
    "class_symmetry": "The classes do not count alike.",
    "opitz_class_sensitive": "All right predictions count the same, and so do all wrong ones.",
}


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
        """Return the domain that the property covers."""
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
        return of.sentence if self.holds else _OPPOSITE.get(self.statement, f"This does not hold: {of.sentence}")

    def to_dict(self) -> dict[str, object]:
        """Return the need as plain data."""
        return {**plain_of(self), "domain": self.domain, "sentence": self.text}


@dataclass(frozen=True)
class Question:
    """A question that a practitioner can answer, an example, and what each answer requires of a measure.

    ``needs`` maps answers to needs; an answer that is not listed requires nothing. How to answer is said by the option
    of the same name. ``follows`` says in words what an answer leads to that is no need.
    """

    name: str
    text: str
    example: str
    follows: str = ""
    needs: Mapping[object, tuple[Need, ...]] = field(default_factory=dict)

    @property
    def option(self) -> Option:
        """Return the option that answers the question."""
        return options_of(NeedsOptions, TaskOptions)[self.name]

    @property
    def kind(self) -> str:
        """Return what an answer is: "yes_no", "choice", "number" or "costs"."""
        option = self.option
        if option.choices:
            return "choice"
        return {bool: "yes_no", int: "number", float: "number"}.get(option.kind, "costs")

    @property
    def answers(self) -> str:
        """Return how to answer, in words."""
        return " / ".join(self.option.choices) or _HOW[self.kind]

    def asked(self, answer: object) -> tuple[Need, ...]:
        """Return what an answer requires."""
        return self.needs.get(answer, ())


_HOW = {"yes_no": "yes / no", "number": "a number", "costs": "your table costs[true][predicted]"}
_CORRECTED = "raters who label at random agree by chance, and that must not count"

QUESTIONS = (
    Question(
        "classes",
        "How many classes are there?",
        "Spam or not spam: 2. Ten digits: 10.",
        "verdicts for two classes, or for three",
    ),
    Question(
        "predictions",
        "What does the classifier give: labels, scores, or probabilities that are used as such?",
        "A ranking of customers has scores. A risk of 12% that a patient is shown is a probability.",
        "scores: ROC AUC or average precision; probabilities: the Brier score",
    ),
    Question(
        "threshold",
        "Is the threshold of the scores already fixed?",
        "The mail server moves everything with a score of 0.9 or more into the spam folder.",
        "measures of the labels at this threshold",
    ),
    Question(
        "capacity",
        "How many cases can people review, or which share of them?",
        "Investigators can look into 200 payments a day; or into 2% of them: 0.02.",
        "the share of positive cases among those that are reviewed",
    ),
    Question(
        "costs",
        "What does each kind of error cost?",
        "To overlook a fraud costs 5 times as much as to check an honest payment.",
        "the average cost, with scores at the best threshold",
    ),
    Question(
        "one_class",
        "Does only one class matter (spam, disease), so that true negatives are of no interest?",
        "Search results: what was rightly left out is not counted.",
        needs={
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
        "deployment",
        "Will deployment have the class distribution of this data?",
        "A test set with as many sick as healthy people, for a disease that one person in a hundred has.",
        needs={
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
    ),
    Question(
        "prevalence",
        "Which share of the items will be positive where the classifier is used?",
        "One person in a hundred has the disease: 0.01.",
        "sensitivity and specificity, with the predictive values there",
    ),
    Question(
        "ordered",
        "Are the classes ordered, so that some errors are worse than others?",
        "Grades of a disease, star ratings: to miss by one step is less bad than to miss by three.",
        "measures that use the order",
    ),
    Question(
        "structure",
        "Does an item have a single label, a set of labels, or a sequence of labels with spans?",
        "Topics of an article are a set. Names of people in a text are spans of a sequence.",
        "F1 over labels, or over whole spans",
    ),
    Question(
        "raters",
        "How many raters label the same items, none of whom is the truth?",
        "Two annotators label the same texts: 2. A panel of five doctors: 5.",
        "two: Cohen's kappa; more: Krippendorff's alpha",
        needs={
            True: (
                Need("symmetry", "no rater is the truth, so their order must not matter"),
                Need("constant_baseline", _CORRECTED),
            ),
        },
    ),
    Question(
        "equal_standing",
        "Do both labelings have equal standing (two clusterings, two systems)?",
        "Two programs sort the same texts into topics, and neither is the truth.",
        needs={
            True: (
                Need("symmetry", "both labelings have equal standing"),
                Need("monotone", "resolving a disagreement must raise the score, whoever changes the label"),
            ),
        },
    ),
    Question(
        "rare",
        "How many classes are rare?",
        "5 of 30 kinds of defects have fewer than 1% of the items.",
        needs={
            True: (Need("opitz_class_sensitive", "rare classes must count for more than their few items", cite=OPITZ),),
        },
    ),
    Question(
        "across",
        "Must scores be comparable across data sets?",
        "Scores of the same task in 20 languages, each with its own class sizes.",
        needs={
            True: (
                Need("constant_baseline", "scores are compared across data sets, so chance must score the same on all"),
                Need("scale_invariance", "scores are compared across data sets of different sizes"),
            ),
        },
    ),
    Question(
        "chance",
        "Must scores be comparable to chance?",
        "A report says how much better than guessing a system is.",
        needs={True: (Need("constant_baseline", "scores are compared to chance"),)},
    ),
    Question(
        "distance",
        "Is a distance needed (nearest neighbours, clustering of systems, triangle inequality)?",
        "Systems are clustered by how differently they label the same items.",
        needs={
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
        "readers",
        "Who reads the number: everyone, or specialists who will look up a measure they do not know?",
        "A report for managers and a paper for the field: everyone.",
        "measures that readers know first, or the order by properties alone",
    ),
)

# The needs of every task: Opitz's first property is required, those of goesgens2021 are desirable.
ALWAYS = (
    Need("opitz_monotone", ALWAYS_ASKED, cite=OPITZ),
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
                statement=f"{need.statement} ({statement_of(need.statement).sentence})",
                needed=_reason(other, need, True),
                avoided=_reason(other, need, False),
                advice="leave one out",
            )
        found.setdefault(need.statement, need)
    graded = bool(answers.get("ordered")) or answers.get("costs") is not None
    if graded or "monotone" in found or answers.get("raters"):
        # Opitz's monotonicity is then only desirable. Where some errors are worse than others, one more error can be
        # milder than the average one, so the measure may rise; where monotonicity in the sense of goesgens2021 is
        # asked for, the other notion is not required on top of it; and among raters there is no right prediction.
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
    return bool(answer) if name in ("rare", "raters") else answer


def _reason(one: Need, two: Need, holds: bool) -> str:
    return one.because if one.holds is holds else two.because
