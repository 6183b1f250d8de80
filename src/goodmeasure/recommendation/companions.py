"""The chance level of a recommended measure, and what to report along with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import fits
from goodmeasure.recommendation.candidates import Candidates, family
from goodmeasure.recommendation.needs import SAME
from goodmeasure.recommendation.recommendation import GuessingLevel
from goodmeasure.theory.statements.verdict import HELD, PROVED, REFUTED

if TYPE_CHECKING:
    from goodmeasure.recommendation.needs import Answers

FEW = 10  # classes that a reader can look at one by one
MOST_CLASSES = 100  # the most classes for which the chance level is computed; with more it hardly changes


def guessing_level(of: Measure, known: Candidates, classes: int) -> GuessingLevel:
    """Return what random guessing scores under a measure."""
    m = min(classes, MOST_CLASSES) if fits(of, classes) else known.classes
    for prop, text in (
        ("constant_baseline", "{} on average, whatever the class sizes"),
        ("approximate_constant_baseline", "about {}, nearer to it the more items there are"),
    ):
        verdict = known.verdict(of, prop)
        if verdict.status == PROVED:
            few = text.format(verdict.constant)
            here = "" if m == known.classes else f"{_guessing(of, [1] * m)} for {m} equal classes; "
            return GuessingLevel(here + (f"for {known.classes} classes {few}" if here else few), depends=False)
    even, uneven = [1] * m, [9 * (m - 1)] + [1] * (m - 1)
    text = (
        f"depends on the class sizes: {_guessing(of, even)} for {m} equal classes, {_guessing(of, uneven)} where one "
        "class has 90%, guessed in proportion"
    )
    return GuessingLevel(text, depends=True)


def _guessing(of: Measure, sizes: list[int]) -> str:
    value = of([[x * y for y in sizes] for x in sizes], undefined="nan")
    return "undefined" if value != value else f"{float(value):.3g}"


def report_beside(of: Measure, known: Candidates, answers: Answers) -> list[tuple[str, str]]:
    """Return what to report along with a measure, each with the reason, following opitz2024, section 8."""
    classes, found = answers["classes"], list[tuple[str, str]]()
    sensitive = known.status(of, "opitz_class_sensitive") != REFUTED
    if answers.get("one_class"):
        pair = [x for x in ("precision", "recall") if x != of.name]
        found.append((" and ".join(pair), "to show of which kind the errors are"))
    elif sensitive and of.name != "accuracy":
        found.append(("accuracy", "the share of items that are right in this very data"))
    elif answers.get("deployment") != SAME or answers.get("rare"):
        found.append(("macro recall", "how the system would fare if the class distribution shifted"))
    else:
        found.append(("macro recall", "each class counts the same there, so a class that is given up shows"))
    if answers.get("one_class"):
        pass
    elif classes <= FEW:
        found.append(("the recall of each class", "it does not depend on how frequent the classes are"))
    elif known.status(of, "opitz_class_decomposable") in (PROVED, HELD):
        found.append(
            ("the spread over classes", f"{of.name} is a mean over classes, and {classes} are too many to list")
        )
    if answers.get("rare"):
        found.append(("intervals, and the number of items of rare classes", "a recall from few items says little"))
    if answers.get("costs") is not None and answers.get("costs") is not False and family(of) != "k_cost":
        found.append(("the costs", "the score means nothing without them"))
    found.append(
        ("formula, n and class shares", "they make the score reproducible; the report of evaluate states them")
    )
    return found
