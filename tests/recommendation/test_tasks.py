"""Ten tasks of text books get the advice that one expects, with the reason, a line that runs, and why not others."""

from __future__ import annotations

import re

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.recommendation import words
from goodmeasure.recommendation.recommendation import judged_needs
from goodmeasure.theory.statements.lookup import statements

SPAM = {"one_class": True, "predictions": "scores", "threshold": 0.5}
TASKS = {
    "two classes, nothing else known": ({}, ["mcc"], "Readers know it", "f1", "F1 rises from 0 to 0.67"),
    "spam filter with a fixed threshold": (
        SPAM, ["f1"], "only one class matters", "accuracy", "95 more items are rightly left out",
    ),
    "fraud, errors cost money": (
        {"costs": [[0, 1], [20, 0]], "predictions": "scores"}, ["average_cost(costs=[[0, 1], [20, 0]])"],
        "threshold with the lowest expected cost", "f1", "F1 prefers the one that costs",
    ),
    "fraud, 200 cases a day can be reviewed": (
        {"capacity": 200, "one_class": True}, ["gain_at"], "Only the 200 highest scores can be reviewed", "roc_auc",
        "only the first two can be reviewed",
    ),
    "screening for a disease that 1% have": (
        {"one_class": True, "prevalence": 0.01}, ["recall", "specificity"],
        "do not depend on how many items are positive", "f1",
        "F1 falls from 0.86 to 0.08 when 1% of the items are positive instead of 50%",
    ),
    "ranking of rare positives": (
        {"predictions": "scores", "rare": 1}, ["average_precision"], "how many of the highest scores are right",
        "roc_auc",         "ROC AUC prefers the ranking − + + − − (0.67) to + − − − + (0.5)",
    ),
    "risks that patients are shown": (
        {"predictions": "probabilities"}, ["brier"], "they must be right", "roc_auc",
        "ROC AUC stays 0.75 when all probabilities are divided by ten",
    ),
    "two annotators, four classes": (
        {"classes": 4, "raters": 2}, ["kappa"], "agreement of two raters beyond chance", "accuracy",
        "(raters who label at random agree by chance, and that must not count)",
    ),
    "grades of a disease": (
        {"classes": 5, "ordered": True}, ["weighted_kappa(weights='quadratic')"], "use the order of the classes",
        "accuracy", "score one constant on average",
    ),
    "30 intents, ten of them rare, another class distribution in use": (
        {"classes": 30, "rare": 10, "deployment": "other"}, ["balanced_accuracy"], "rare classes must count for more",
        "macro(f1)", "one true class gets more frequent",
    ),
    "names in texts": (
        {"structure": "sequences"}, ["f1"], "it is right only if its limits and its type are", "accuracy",
        "nobody knows how many spans",
    ),
    "topics of articles, some of them rare": (
        {"structure": "sets", "classes": 9, "rare": 3}, ["f1"], "each label counts the same, however rare", "mcc",
        "rightly left out",
    ),
    "five raters, some of whom skipped items": (
        {"raters": 5}, ["krippendorff_alpha"], "the agreement of 5 raters beyond chance", "kappa",
        "5 raters are 10 pairs",
    ),
    "images of 1,000 classes, each as frequent as in use": (
        {"classes": 1000, "deployment": "same"}, ["accuracy"], "each item may count the same", "mcc", "MCC rises",
    ),
}  # fmt: skip


@pytest.mark.parametrize("task", TASKS)
def test_a_task_gets_the_advice_and_the_reason_that_one_expects(task):
    answers, best, because, other, why_not = TASKS[task]
    found = gm.recommend(**answers)
    assert found.measures[: len(best)] == best
    assert found.best.name == best[0]
    assert because in " ".join(str(found).split())
    assert why_not in found.why_not(other)
    assert found.to_dict()["ranked"][0]["code"] == found.best.code
    back = gm.Recommendation.from_json(found.to_json())
    assert str(back) == str(found)
    assert back.why_not(other) == found.why_not(other)


@pytest.mark.parametrize("task", TASKS)
def test_the_screen_is_short_and_names_no_property_without_its_sentence(task):
    screen = str(gm.recommend(**TASKS[task][0]))
    assert len(screen.splitlines()) <= 30
    assert all(len(x) <= 100 for x in screen.splitlines() if not x.startswith("    gm."))
    names = {x.name for x in statements(2)} - {"distance", "symmetry", "monotone"}
    assert not [x for x in names if x in screen]
    assert not re.search(r"\b(Max|CSym|SMon|PIV|PII|ACB|IMB|CHA)\b", screen)


@pytest.mark.parametrize("task", [x for x in TASKS if "raters" not in x or hasattr(gm, "raters")])
def test_the_line_of_code_runs(task):
    answers = TASKS[task][0]
    rng = np.random.default_rng(0)
    m = min(answers.get("classes", 2), 8)
    y = rng.integers(0, m, 400)
    p = np.where(rng.random(400) < 0.7, y, rng.integers(0, m, 400))
    given = {
        "y_true": y, "y_pred": p, "y_score": np.clip(0.4 * y + 0.6 * rng.random(400), 0, 1), "first_rater": y,
        "second_rater": p, "ratings": np.stack([y, p, y, p, y], axis=1).tolist(),
        "true_spans": [{(0, 2, "PER")}, {(4, 5, "LOC"), (7, 8, "PER")}],
        "predicted_spans": [{(0, 2, "PER")}, {(4, 5, "ORG")}],
    }  # fmt: skip
    if answers.get("structure") == "sets":
        given |= {"y_true": [{"a"}, {"a", "b"}], "y_pred": [{"a"}, {"b"}]}
    assert eval(gm.recommend(**answers).best.code, {"gm": gm, **given}) is not None


def test_the_expected_cost_is_that_of_the_threshold_that_the_line_chooses():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 500)
    s = y + rng.normal(size=500)
    best = eval(
        gm.recommend(costs=[[0, 1], [5, 0]], predictions="scores").best.code, {"gm": gm, "y_true": y, "y_score": s}
    )
    costs = [(np.sum((s >= t) & (y == 0)) + 5 * np.sum((s < t) & (y == 1))) / 500 for t in s]
    assert best.value == pytest.approx(min(costs))


def test_micro_f1_over_sets_of_spans_is_entity_f1():
    """Two of three true spans are found, and one of three predicted ones is wrong: 2/3, as seqeval has it."""
    true = [{(0, 2, "PER"), (4, 5, "LOC")}, {(1, 1, "ORG")}]
    pred = [{(0, 2, "PER"), (4, 5, "ORG")}, {(1, 1, "ORG")}]
    line = gm.recommend(structure="sequences").best.code
    assert eval(line, {"gm": gm, "true_spans": true, "predicted_spans": pred}) == pytest.approx(2 / 3)


def test_why_not_says_what_is_right():
    found = gm.recommend()
    assert found.why_not("mcc") == "MCC is what is recommended."
    assert "linear function of mcc" in found.why_not("generalized_mean(r=0)")
    assert found.why_not("sba").startswith("Nothing speaks against SBA here")
    assert "ask again with predictions='scores'" in found.why_not("roc_auc")
    assert "macro(f1)" in gm.recommend(classes=3).why_not("f1")
    with pytest.raises(gm.UnknownName):
        found.why_not("zzz")


@pytest.mark.parametrize(
    ("classes", "names"), [(2, "f1 jaccard recall kappa accuracy"), (3, "mcc kappa macro(f1) accuracy")]
)
def test_every_example_is_true_of_the_measure(classes, names):
    """What an example says of matrices is computed again from the words."""
    seen = 0
    for answers in ({}, {"equal_standing": True}, {"deployment": "other"}, {"distance": True}):
        found = gm.recommend(classes=classes, **answers)
        for name in names.split():
            for judged in judged_needs(gm.measure(name), found.needs, found._known):
                told = re.search(
                    r"(?:from (\S+) to (\S+)|stays (\S+)) when .*\. (\[\[.*\]\]) → (\[\[.*\]\])$", judged.example
                )
                if told and not judged.met:
                    first, second, same, *matrices = told.groups()
                    values = [gm.measure(name)(eval(x)) for x in matrices]
                    assert [words.rounded(*values)[0], words.rounded(*values)[1]] == [first or same, second or same]
                    seen += 1
    assert seen > 8


def test_the_ranking_that_is_preferred_is_the_worse_one():
    text = gm.recommend(capacity=0.1).why_not("roc_auc")
    low, high = (np.array([x == "+" for x in y.split()], dtype=int) for y in re.findall(r"(?:[−+] )+[−+]", text))
    scores = np.linspace(1, 0, len(low))
    assert gm.roc_auc(low, scores) > gm.roc_auc(high, scores)
    assert low[:2].sum() < high[:2].sum()


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        ({"predictions": "labels", "threshold": 0.5}, "predictions and threshold contradict each other"),
        ({"predictions": "labels", "capacity": 20}, "predictions and capacity contradict each other"),
        ({"structure": "sets", "ordered": True, "classes": 3}, "structure and ordered contradict each other"),
        ({"raters": 3, "costs": [[0, 1], [1, 0]]}, "raters and costs contradict each other"),
        ({"predictions": "scores", "distance": True}, "predictions and distance contradict each other"),
        ({"prevalence": 0.1, "classes": 4}, "it is the share of one class"),
        ({"prevalence": 0.1, "deployment": "same"}, "prevalence and deployment contradict each other"),
        ({"capacity": 0}, "capacity is 0: expected a number of cases"),
        ({"raters": 1}, "raters is 1: expected a whole number of at least 2"),
        ({"prevalence": 3}, "prevalence is 3: expected a share between 0 and 1"),
        ({"predictions": "logits"}, "use 'labels', 'scores' or 'probabilities'"),
        ({"predictions": "scores", "needs": ["monotone"]}, "needs names properties of measures of labels"),
        ({"reader": "everyone"}, "did you mean readers="),
    ],
)
def test_contradictions_are_refused(answers, says):
    with pytest.raises(gm.InputError, match=re.escape(says)):
        gm.recommend(**answers)
