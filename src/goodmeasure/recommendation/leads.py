"""What to report first in tasks that are not about the labels of single items alone, and where readers know a measure.

Most tasks are decided by properties of measures of labels. Others are decided by what is done with the predictions:
scores without a threshold, a capacity, costs, another prevalence, several raters, sets and sequences of labels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.names import measure as measure_of
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.exceptions import Argument, InputError
from goodmeasure.recommendation import words
from goodmeasure.recommendation.needs import OTHER

if TYPE_CHECKING:
    from goodmeasure.recommendation.needs import Answers

# Measures that readers of all fields know, the better known first among equals. Accuracy is among them only where the
# class distribution is the one in use: elsewhere, a classifier that always says the same may have a high one.
KNOWN = ("mcc", "f1", "balanced_accuracy", "macro(f1)", "kappa", "weighted_kappa(weights='quadratic')")


@dataclass(frozen=True)
class Lead:
    """What comes first in a task: measures that are reported together, why, how to compute them, and what to show.

    ``alone`` says that measures of labels are no alternative. ``against`` returns, for another measure, the demand
    that it fails and an example, both as sentences; an example that is empty says that there is none. ``title`` says
    what is reported, where the title of the measure does not.
    """

    measures: tuple[str, ...]
    because: str
    code: str
    beside: tuple[tuple[str, str], ...] = ()
    others: tuple[str, ...] = ()
    alone: bool = True
    against: Callable[[Measure | ScoreMeasure], tuple[str, str]] | None = None
    title: str = ""


def lead_of(answers: Answers) -> Lead | None:
    """Return what comes first whatever the properties are; None where the properties decide."""
    _refuse_contradictions(answers)
    if answers["structure"] in ("sets", "sequences"):
        return _spans() if answers["structure"] == "sequences" else _sets(answers)
    if answers["raters"] is not None:
        return _raters(answers)
    if answers["capacity"] is not None:
        return _capacity(answers)
    if answers["costs"] is not None:
        return _costs(answers)
    if ranks(answers):
        return _scores(answers)
    return _screening(answers)


def ranks(answers: Answers) -> bool:
    """Return whether there are scores whose threshold is still open."""
    return answers["predictions"] in ("scores", "probabilities") and answers["threshold"] is None


def _listed(*names: str) -> str:
    """Return names as a list of Python, in double quotes, since parameters have single ones."""
    return "[" + ", ".join(f'"{x}"' for x in names) + "]"


def evaluate_line(answers: Answers, *names: str) -> str:
    """Return the line of Python that computes measures."""
    given = "y_true, y_pred"
    if answers["predictions"] in ("scores", "probabilities") or answers["threshold"] is not None:
        at = "" if answers["threshold"] is None else f", threshold={answers['threshold']!r}"
        given = f"y_true, y_score=y_score{at}"
    return f"gm.evaluate({given}, measures={_listed(*names)})"


_ALWAYS = ("classes", "readers", "rare")
_MAY_MEET = {  # what else may be answered where a task is not decided by the properties of measures of labels
    "structure": _ALWAYS,
    "raters": (*_ALWAYS, "ordered", "chance", "across"),
    "capacity": (*_ALWAYS, "predictions", "one_class", "costs", "prevalence", "deployment"),
    "predictions": (*_ALWAYS, "one_class", "costs", "prevalence", "deployment", "capacity", "across", "chance"),
}


def _refuse_contradictions(answers: Answers) -> None:
    """Refuse answers that a task cannot have together, instead of forgetting one of them."""
    given = {name: x for name, x in answers.items() if x not in (None, False, 0, (), "single")
             and not (name == "predictions" and x == "labels")}  # fmt: skip
    asks: list[str] = [name for name in ("structure", "raters", "capacity") if name in given]
    asks += ["predictions"] if ranks(answers) else []
    for name in asks:
        for other in given:
            if other not in (name, *_MAY_MEET[name]) and not (other == "threshold" and name == "predictions"):
                raise _contradiction(name, other)
    if answers["predictions"] == "labels":
        for other in ("threshold", "capacity"):
            if other in given:
                raise _contradiction("predictions", other)
    if answers["prevalence"] is not None and answers["classes"] > 2 and not answers["one_class"]:
        raise InputError("{prevalence} is {p} and {classes} is {m}", p=answers["prevalence"], m=answers["classes"],
                         advice="it is the share of one class: add {one_class}, or {deployment:=other}")  # fmt: skip
    if answers["prevalence"] is not None and answers["deployment"] == "same":
        raise _contradiction("prevalence", "deployment")


def _contradiction(one: str, other: str) -> InputError:
    return InputError("{one} and {other} contradict each other", one=Argument(one), other=Argument(other),
                      advice="leave one out")  # fmt: skip


def _lacks_threshold(of: Measure | ScoreMeasure) -> tuple[str, str]:
    demand = "The score must judge the ranking, whatever threshold is chosen later."
    return demand, words.moves_with_the_threshold(of) if isinstance(of, Measure) else ""


def _scores(answers: Answers) -> Lead:
    """Return what comes first where there are scores, and no threshold."""
    several = answers["classes"] > 2 and not answers["one_class"]
    auc, ap = ("macro(roc_auc)", "macro(average_precision)") if several else ("roc_auc", "average_precision")
    moved = answers["prevalence"] is not None or answers["deployment"] == OTHER
    rare = (answers["one_class"] or bool(answers["rare"])) and not moved
    if answers["predictions"] == "probabilities":
        return Lead(
            ("brier",),
            "the probabilities themselves are used, so they must be right, and not only rank the items; the Brier "
            "score is lowest on average for the true probabilities",
            f"gm.evaluate(y_true, y_score=y_score, measures={_listed('brier', auc)})",
            (
                ("the reliability diagram", "which probabilities are too high or too low: the report draws it"),
                (measure_of(auc).title, "how well the probabilities rank the items, apart from their level"),
                ("the Brier score of the class shares", "what predicting the same shares for every item would get"),
            ),
            ("log_loss", auc),
            against=_ignores_calibration,
        )
    if rare:
        return Lead(
            (ap,),
            "positive items are rare or alone matter, so what counts is how many of the highest scores are right",
            evaluate_line(answers, ap),
            (
                ("the share of positive items", "a random order gets about this"),
                ("precision and recall at the threshold in use", "once it is chosen: gm.sweep(y_true, y_score)"),
            ),
            (auc,),
            against=_ranks_worse(lambda n: _score("average_precision"), "what stands at the top counts most"),
        )
    return Lead(
        (auc,),
        "it says how often a positive item has a higher score than a negative one, for every threshold and every "
        "prevalence; guessing gets 0.5",
        evaluate_line(answers, auc),
        (
            ("sensitivity and specificity at the threshold in use", "once it is chosen: gm.sweep(y_true, y_score)"),
            ("average precision", "how many of the highest scores are right, which depends on the prevalence"),
        ),
        (ap,),
        against=_ranks_worse(lambda n: _score("roc_auc"), "every pair of a positive and a negative item counts"),
    )


def _capacity(answers: Answers) -> Lead:
    """Return what comes first where only some cases can be looked at."""
    most = answers["capacity"] or 0
    if answers["classes"] > 2 and not answers["one_class"]:
        raise InputError("{capacity} is {most} and {classes} is {m}", most=most, m=answers["classes"],
                         advice="cases of one class are reviewed: add {one_class}")  # fmt: skip
    number = most >= 1
    share = f"{most} / len(y_true)" if number else f"{most!r}"
    first = f"the {most:,} highest scores" if number else f"the highest {most:.4g} of the scores"
    return Lead(
        ("gain_at" if number else f"gain_at(share={most!r})",),
        f"only {first} can be reviewed: it is the share of all positive cases among them (recall at your capacity)",
        f"gm.gain_at(share={share})(y_true, y_score)" + ("  # y_true: the cases of one period" if number else ""),
        (
            ("precision among them", "how many of the reviewed cases are worth it"),
            ("the number of positive cases", "it bounds what can be found"),
        ),
        ("average_precision",),
        against=_ranks_worse(lambda n: _score(f"gain_at(share={2 / n!r})"), "only the first two can be reviewed"),
        title=f"recall among {first} (gain)",
    )


def _costs(answers: Answers) -> Lead:
    """Return what comes first where errors have costs."""
    table = np.array([[float(x) for x in row] for row in answers["costs"]])
    name = f"average_cost(costs={[[int(x) if x == int(x) else x for x in row] for row in table.tolist()]!r})"
    choose = ranks(answers) and len(table) == 2
    alarm, miss = table[0][1], table[1][0] if len(table) == 2 else 0
    if choose:
        code = f'gm.sweep(y_true, y_score).best(cost={{"fp": {alarm:g}, "fn": {miss:g}}})'
        because = "errors have costs, so the threshold with the lowest expected cost is the best one"
        at = f"the best threshold of calibrated probabilities is {alarm / (alarm + miss):.3g}, from the costs alone"
        beside = [("precision and recall at that threshold", "which of the two errors the cost comes from"),
                  ("the threshold itself", at)]  # fmt: skip
    else:
        code = evaluate_line(answers, name)
        because = "errors have costs, so the best classifier is the one whose errors cost least per item"
        beside = [("the confusion matrix", "which errors the cost comes from")]
    beside.append(("the cost of giving every item the same label", "a classifier that costs more is of no use"))
    return Lead((name,), because, code, tuple(beside), alone=False, against=_dearer(table))


def _dearer(table: np.ndarray) -> Callable[[Measure | ScoreMeasure], tuple[str, str]]:
    demand = "A classifier that costs less must score better."

    def against(of: Measure | ScoreMeasure) -> tuple[str, str]:
        if isinstance(of, ScoreMeasure):
            return demand, f"{words.opening(of)} knows neither the threshold nor what an error costs."
        return demand, words.prefers_the_dearer(of, table) if len(table) <= 3 else ""

    return against


def _ranks_worse(best: Callable[[int], ScoreMeasure], what: str) -> Callable[[Measure | ScoreMeasure], tuple[str, str]]:
    def against(of: Measure | ScoreMeasure) -> tuple[str, str]:
        if isinstance(of, Measure):
            return _lacks_threshold(of)
        return "The better ranking for this task must score better.", words.prefers_the_worse_ranking(of, best, what)

    return against


def _ignores_calibration(of: Measure | ScoreMeasure) -> tuple[str, str]:
    if isinstance(of, Measure):
        return _lacks_threshold(of)
    return "Wrong probabilities must score worse than right ones.", words.ignores_calibration(of)


def _screening(answers: Answers) -> Lead | None:
    """Return what comes first where a test will be used at another prevalence."""
    p = answers["prevalence"]
    if p is None and not (answers["one_class"] and answers["deployment"] == OTHER):
        return None
    names = ("recall", "specificity")
    rates = ["recall", "specificity", "precision", "negative_predictive_value"]
    given = "y_true, y_pred"
    if answers["threshold"] is not None:
        given = f"gm.evaluate(y_true, y_score=y_score, threshold={answers['threshold']!r})"
    code = f"gm.project({given}, prevalence={0.01 if p is None else p!r}, measures={_listed(*rates)})"
    there = "the prevalence in use (here 0.01: put in yours)" if p is None else f"a prevalence of {p!r}"

    def against(of: Measure | ScoreMeasure) -> tuple[str, str]:
        demand = "The same classifier must get the same score where another share of the items is positive."
        if isinstance(of, ScoreMeasure):
            return demand, f"{words.opening(of)} judges scores, and says nothing about the threshold in use."
        moved = words.at_prevalence(of, 0.01 if p is None else p)
        return (demand, "" if " stays " in moved else moved)

    return Lead(
        names,
        "sensitivity (recall) and specificity do not depend on how many items are positive; always show both, since a "
        "classifier that says yes to everything has a sensitivity of 1",
        code,
        (
            (f"the predictive values at {there}", "how often a positive, or a negative, result is right there"),
            ("intervals, and the number of positive items", "a sensitivity from few items says little"),
        ),
        alone=False,
        against=against,
        title="sensitivity (recall) and specificity",
    )


def _raters(answers: Answers) -> Lead:
    """Return what comes first where raters are compared, none of whom is the truth."""
    many, ordered = answers["raters"] or 2, answers["ordered"]
    if many == 2:
        name = "weighted_kappa(weights='quadratic')" if ordered and answers["classes"] > 2 else "kappa"
        return Lead(
            (name,),
            "it is the agreement of two raters beyond chance, and the measure that readers expect",
            f"gm.evaluate(first_rater, second_rater, measures={_listed(name)})",
            (
                ("percent agreement (accuracy)", "what kappa corrects for chance"),
                ("the confusion matrix of the raters", "which classes they confuse"),
                ("how often each rater used each class", "kappa is low where nearly all items have one class"),
            ),
            alone=False,
        )
    kind = ', kind="ordinal"' if ordered else ""

    def against(of: Measure | ScoreMeasure) -> tuple[str, str]:
        demand = "All raters must count at once, also where one of them skipped an item."
        pairs = many * (many - 1) // 2
        guess = " Two raters who label at random agree on 82% of the items if each puts 90% of them into one class."
        return demand, (f"{words.opening(of)} compares two raters, and {many} raters are {pairs} pairs."
                        + (guess if of.name == "accuracy" else ""))  # fmt: skip

    return Lead(
        ("krippendorff_alpha",),
        f"it is the agreement of {many} raters beyond chance, also where some of them skipped items",
        f'gm.raters(ratings{kind}).interval("krippendorff_alpha")',
        (
            ("percent agreement", "what alpha corrects for chance"),
            ("how often each rater used each class", "alpha is low where nearly all items have one class"),
        ),
        against=against,
    )


def _left_out(of: Measure | ScoreMeasure) -> str:
    return words.counts_what_was_left_out(of) if isinstance(of, Measure) and of.classes in (None, 2) else ""


def _spans() -> Lead:
    def against(of: Measure | ScoreMeasure) -> tuple[str, str]:
        demand = "What was rightly left unmarked must not count: nobody knows how many spans a text does not have."
        return demand, _left_out(of) or f"{words.opening(of)} judges single labels, not whole spans."

    return Lead(
        ("f1",),
        "the unit is the span: it is right only if its limits and its type are; F1 needs no count of what was rightly "
        "left unmarked",
        'gm.multilabel(true_spans, predicted_spans).average("f1", "micro")  # a set of (start, end, type) per text',
        (
            ("precision and recall of the spans", "whether spans are missed, or invented"),
            ("F1 of each type", "rare types hardly count in the total"),
        ),
        against=against,
        title="F1 of whole spans",
    )


def _sets(answers: Answers) -> Lead:
    average = "macro" if answers["rare"] else "micro"
    because = (
        "each label counts the same, however rare"
        if answers["rare"]
        else "each label that was given or missed counts the same"
    )

    def against(of: Measure | ScoreMeasure) -> tuple[str, str]:
        demand = "Labels that were rightly left out must not count: most of them are, whatever the classifier does."
        return demand, _left_out(of) or f"{words.opening(of)} is not wrong here; it is less common for sets of labels."

    return Lead(
        ("f1",),
        f"an item has a set of labels; with the {average} average of F1, {because}",
        f'gm.multilabel(y_true, y_pred).average("f1", "{average}")',
        (
            ("F1 of each label", "which labels fail: gm.evaluate(gm.multilabel(y_true, y_pred))"),
            ("the share of sets that are right as a whole", "the strictest view: .exact_match"),
        ),
        against=against,
        title=f"{average} F1 over the labels",
    )


def _score(name: str) -> ScoreMeasure:
    found = measure_of(name)
    assert isinstance(found, ScoreMeasure)
    return found
