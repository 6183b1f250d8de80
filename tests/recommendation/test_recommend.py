"""Recommendations: the papers' advice comes out, reasons are true, and what is impossible is said with its proof."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.counts.enumeration import matrices
from goodmeasure.keywords import options_of
from goodmeasure.options import NeedsOptions, TaskOptions
from goodmeasure.recommendation.candidates import (
    NOT_OFFERED,
    USE_COSTS,
    USE_ORDER,
    Candidates,
    family,
    judged_by_three,
    with_costs,
)
from goodmeasure.recommendation.needs import QUESTIONS
from goodmeasure.recommendation.recommend import SAME_ORDER
from goodmeasure.theory.statements.domain import domain_of

# goesgens2021, section 6


def test_a_distance_of_two_labelings_is_the_correlation_distance():
    """ "If the distance requirement is needed, Correlation Distance seems to be the best option"."""
    found = gm.recommend(distance=True)
    assert found.best.name == "correlation_distance"
    assert [x.need.statement for x in found.best.violates] == ["constant_baseline"]


def test_two_classes_without_a_distance_are_for_generalized_means_and_mcc_first():
    """ "otherwise … one of Generalized Means"; "for binary classification, CC is a natural choice"."""
    found = gm.recommend(classes=2)
    assert found.measures[:2] == ["mcc", "sba"]
    assert any(x.startswith("generalized_mean") for x in found.measures[:5])
    assert found.best.violates == ()
    assert "correlation_distance" in " ".join(found.best.notes)


@pytest.mark.parametrize("classes", [3, 5, 100])
def test_more_classes_are_for_sba(classes):
    """ "among the considered measures, only this one preserves its good properties in the multiclass case"."""
    assert gm.recommend(classes=classes, readers="specialists").best.name == "sba"


@pytest.mark.parametrize("classes", [3, 5, 100])
def test_readers_get_a_measure_that_they_know_and_see_which_one_the_properties_favour(classes):
    found = gm.recommend(classes=classes)
    assert found.measures[:2] == ["balanced_accuracy", "sba"]
    assert "without regard to readers: symmetric balanced accuracy" in " ".join(str(found).split())


def test_a_distance_and_chance_exclude_each_other_and_something_has_to_go():
    """ "either distance or exact constant baseline has to be discarded"."""
    found = gm.recommend(distance=True, chance=True)
    assert found.best is None
    assert found.measures == []
    assert set(found.impossible.used) == {"distance", "monotone", "constant_baseline"}
    assert gm.verify(found.impossible.certificate)
    then = {x.need.statement: x.then for x in found.drop}
    assert then["constant_baseline"].startswith("correlation_distance, whose value for the average random")
    assert then["distance"] == "mcc"


# opitz2024, section 8


def test_another_class_distribution_is_for_macro_recall_with_accuracy_beside():
    for deployment in ("other", "unknown"):
        found = gm.recommend(classes=3, deployment=deployment)
        assert {"balanced_accuracy", "macro(recall)"} <= {found.best.name, *found.best.alike}
        assert [x for x, _ in found.best.beside][:2] == ["accuracy", "the recall of each class"]


def test_the_same_class_distribution_is_for_accuracy_with_macro_recall_beside():
    found = gm.recommend(classes=3, deployment="same")
    assert found.best.name == "accuracy"
    assert found.best.beside[0][0] == "macro recall"


def test_many_classes_are_for_the_spread_over_them():
    found = gm.recommend(classes=40, deployment="other")
    assert "the spread over classes" in [x for x, _ in found.best.beside]
    assert "the recall of each class" not in [x for x, _ in found.best.beside]


def test_two_annotators_are_for_symmetric_measures():
    found = gm.recommend(classes=3, equal_standing=True)
    for name in found.measures:
        assert gm.atlas().verdict(name, "symmetry", classes=3, domain="regular").status != "refuted"
        assert gm.atlas().verdict(name, "monotone", classes=3, domain="regular").status != "refuted"


def test_symmetry_and_another_class_distribution_exclude_each_other():
    found = gm.recommend(equal_standing=True, deployment="other")
    assert set(found.impossible.used) == {"symmetry", "monotone", "opitz_prevalence_invariant"}
    assert {x.need.statement for x in found.drop} == set(found.impossible.used)


def test_what_is_impossible_on_a_larger_domain_is_not_called_impossible():
    found = gm.recommend(classes=3, needs=["minimal_agreement", "constant_baseline", "distance"])
    assert found.impossible is None
    assert found.possible.domain == "regular"
    assert {x.need.statement: x.then for x in found.drop}["distance"] == "sba"


def test_two_requirements_are_dropped_where_one_is_not_enough():
    names = ["minimal_agreement", "constant_baseline", "distance", "opitz_prevalence_invariant", "symmetry"]
    found = gm.recommend(classes=3, needs=names)
    assert {len(x.needs) for x in found.drop} == {2}
    assert "Two of the requirements have to be given up:" in found.head()
    assert [x["property"] for x in found.to_dict()["drop"][0]["needs"]] == [x.statement for x in found.drop[0].needs]
    for drop in found.drop:
        rest = [x for x in names if x not in {y.statement for y in drop.needs}]
        assert drop.then in gm.recommend(classes=3, needs=rest).measures


def test_one_class_that_matters():
    found = gm.recommend(one_class=True)
    assert found.best.name == "f1"
    assert found.best.beside[0][0] == "precision and recall"
    assert "jaccard" in found.measures
    assert "mcc" not in found.measures
    assert "two classes" in gm.recommend(classes=4, one_class=True).remarks[0]


def test_order_and_costs_choose_what_is_looked_at():
    assert {family(x.measure) for x in gm.recommend(classes=5, ordered=True)} == set(USE_ORDER)
    own = gm.recommend(classes=3, costs=[[0, 1, 2], [1, 0, 1], [3, 1, 0]])
    assert {family(x.measure) for x in own} == {"average_cost", "k_cost", "weighted_kappa"}
    assert all("[3, 1, 0]" in x.name for x in own)
    two = gm.recommend(costs=[[0, 1], [5, 0]])
    assert two.measures[:2] == ["average_cost(costs=[[0, 1], [5, 0]])", "matching_tversky(alpha=5, beta=1)"]
    assert two[0].measure([[8, 2], [0, 9]]) < two[0].measure([[10, 0], [2, 7]])  # a miss costs five alarms


def test_what_uses_order_or_costs_is_what_changes_when_classes_are_renamed():
    changed = {x.measure for x in gm.atlas(property="class_symmetry", classes=3, domain="regular", status="refuted")}
    assert {x.split("(")[0] for x in changed} - NOT_OFFERED == {*USE_ORDER, *USE_COSTS}


def test_what_is_not_offered_is_in_the_catalogue():
    assert {cell["measure"].split("(")[0] for cell in gm.atlas().cells} >= NOT_OFFERED
    assert not NOT_OFFERED & {x.split("(")[0] for x in gm.recommend().measures}


@pytest.mark.parametrize(("one", "other"), SAME_ORDER.items())
def test_the_same_order(one, other):
    cells = np.concatenate([matrices(n, 2) for n in range(2, 9)])
    cells = cells[domain_of("regular").holds(cells)]
    x, y = (np.round(np.asarray(gm.measure(name)(cells)), 12) for name in (one, other))
    y = -y if gm.measure(other).orientation == "lower" else y
    assert np.array_equal(np.unique(x, return_inverse=True)[1], np.unique(y, return_inverse=True)[1])
    assert gm.atlas().verdict(other, "distance", domain="regular").status == "proved"


@pytest.mark.parametrize("classes", [2, 3])
def test_measures_that_are_alike_are_a_linear_function_of_the_first(classes):
    """On larger matrices than those that the grouping looked at."""
    chosen = np.random.default_rng(0).integers(1, 30, (60, classes, classes))
    for advice in gm.recommend(classes=classes):
        first = np.asarray(advice.measure(chosen), float)
        for name in advice.alike:
            other = np.asarray(gm.measure(name)(chosen), float)
            line = np.polyfit(first, other, 1)
            assert np.allclose(np.polyval(line, first), other, atol=1e-9), (advice.name, name)


@given(
    st.integers(2, 30),
    st.fixed_dictionaries(
        {},
        optional={
            "one_class": st.booleans(),
            "equal_standing": st.booleans(),
            "deployment": st.sampled_from(["same", "other", "unknown"]),
            "across": st.booleans(),
            "chance": st.booleans(),
            "distance": st.booleans(),
            "rare": st.integers(0, 1),
            "needs": st.lists(st.sampled_from(["Mon", "SMon", "Max", "Min", "ACB", "PI", "PIV", "PV"]), max_size=3),
        },
    ),
)
@settings(max_examples=25, deadline=None)
def test_what_is_recommended_has_what_is_required(classes, answers):
    found = gm.recommend(classes=classes, **answers)
    known = Candidates(2 if answers.get("one_class") else classes)
    for advice in found:
        if not advice.together:  # sensitivity and specificity have together what neither has alone
            assert advice.suits is all(known.meets(advice.measure, x) for x in found.required)
        for x in advice.violates:
            # that nothing depends on the class is proved, not shown by an example
            assert x.verdict.witness is not None or x.verdict.certificate is not None or not x.need.holds
    suits = [x.suits for x in found]
    assert suits == sorted(suits, reverse=True), "those that suit come first"
    assert bool(found.measures) or found.drop or found.impossible or found.possible or len(found.required) > 3
    json.dumps(found.to_dict(), allow_nan=False)
    assert str(found)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"classes": 1}, "classes is 1: expected a whole number of at least 2"),
        ({"classes": 2.5}, "classes is 2.5"),
        ({"classes": 3, "rare": 3}, "not all classes can be rare"),
        ({"deployment": "soon"}, "use 'same', 'other' or 'unknown'"),
        ({"ordered": True}, "an order says nothing about two classes"),
        ({"classes": 3, "ordered": True, "one_class": True}, "ordered and one_class contradict"),
        ({"needs": ["monotonne"]}, "did you mean 'monotone'"),
        ({"avoids": ["monotonne"]}, "did you mean 'monotone'"),
        ({"needs": ["Mon"], "avoids": "monotone"}, "both needed .* and to be avoided"),
        ({"one_class": True, "needs": "CSym"}, "only one class matters"),
        ({"costs": [[0, 1, 2], [1, 0, 1], [2, 1, 0]]}, "costs is a table of 3 rows, and there are 2 classes"),
        ({"costs": [[0, 0], [1, 0]]}, "both kinds of error must cost something"),
        (
            {"classes": 4, "costs": [[int(j == (i + 1) % 4) for j in range(4)] for i in range(4)]},
            "among any three classes, one has no error that costs anything",
        ),
    ],
)
def test_bad_or_contradictory_answers_are_named(options, says):
    with pytest.raises(ValueError, match=says):
        gm.recommend(**options)


def test_wrong_types_are_named():
    with pytest.raises(TypeError, match="distance is 'yes'"):
        gm.recommend(distance="yes")
    with pytest.raises(TypeError, match="costs is 'many'"):
        gm.recommend(costs="many")
    with pytest.raises(TypeError, match=r"depends on your costs; give them as a table .* of 4 rows"):
        gm.recommend(classes=4, costs=True)
    with pytest.raises(TypeError, match="needs holds 3"):
        gm.recommend(needs=[3])


def test_measures_can_be_avoided():
    assert gm.recommend(avoids=["mcc", "phi"], readers="specialists").best.name == "sba"
    with pytest.raises(KeyError, match="not one of the measures"):
        gm.recommend(avoids=["mcc", "generalized_mean(r=0)", "macro(mcc)"])["mcc"]


def test_questions_name_statements_and_arguments():
    from inspect import signature

    arguments = signature(gm.recommend).parameters
    assert arguments["classes"].default == 2
    named = [x for x in options_of(NeedsOptions, TaskOptions) if x not in ("needs", "avoids")]
    assert sorted(x.name for x in QUESTIONS) == sorted(named)
    for need in itertools.chain.from_iterable(x for q in QUESTIONS for x in q.needs.values()):
        assert need.text


def test_chance_is_told_for_as_many_classes_as_there_are():
    """Balanced accuracy of guesses is 1/m; verdicts for three classes must not lend their 1/3 to twenty."""
    assert gm.recommend(classes=20)["sba"].chance.startswith("0.05 for 20 equal classes; for 3 classes 1/3")
    assert gm.recommend(classes=3)["sba"].chance == "1/3 on average, whatever the class sizes"
    accuracy = gm.recommend(classes=5, deployment="same").best
    assert accuracy.name == "accuracy"
    assert "0.2 for 5 equal classes, 0.812 where one class has 90%" in accuracy.chance  # 0.9² + 4·0.025²
    ordered = gm.recommend(classes=7, ordered=True).best.chance
    assert ordered == "0 for 7 equal classes; for 3 classes 0 on average, whatever the class sizes"


def test_three_classes_are_judged_among_which_each_has_an_error_that_costs():
    """No error among the first three classes costs anything, so the fourth is one of those that are judged."""
    costs = np.array([[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 1], [1, 1, 1, 0]])
    judged = judged_by_three(costs)
    assert {x.name for x in judged.values()} == {
        "k_cost(costs=[[0, 0, 1], [0, 0, 1], [1, 1, 0]])",
        "weighted_kappa(weights=[[0, 0, 1], [0, 0, 1], [1, 1, 0]])",
    }
    assert set(judged) == {x.name for x in with_costs(costs)}
    assert judged_by_three(costs[:3, :3] + 1) == {}


def test_a_table_of_costs_for_more_classes_than_are_decided_is_judged_by_its_first_three():
    costs = [[abs(i - j) for j in range(4)] for i in range(4)]
    found = gm.recommend(classes=4, costs=costs)
    assert {len(x.measure.parameters.get("costs", x.measure.parameters.get("weights"))) for x in found} == {4}
    assert found.measures
    assert found.best.measure([[1] * 4] * 4) is not None
    assert "three of your classes" in " ".join(found.remarks)
    for advice in found:
        for x in (*advice.why, *advice.violates):
            assert x.verdict.classes == 3
            assert str([row[:3] for row in costs[:3]]) in x.verdict.measure
    with pytest.raises(ValueError, match=r"costs\[i\]\[i\] must be 0"):
        gm.recommend(costs=[[1, 1], [1, 0]])


def test_what_must_not_hold_is_met_by_a_counterexample():
    """The column "not CSym" says yes where class symmetry is refuted, and no where it is proved."""
    found = gm.recommend(one_class=True, chance=True)
    signs = {x.name: next(y.sign for y in (*x.why, *x.violates) if not y.need.holds) for x in found}
    assert signs["f1"] == "✓"
    assert signs["mcc"] == "✗"
    assert "without “The classes do not count alike”" in str(found)
    wished = gm.recommend(deployment="same")["mcc"].violates[0]
    assert (wished.need.short, wished.met) == ("not PII", False)


def test_a_measure_that_always_positive_wins_does_not_lead():
    """Recall and the likelihood ratios led here, though a constant prediction gets the best recall."""
    found = gm.recommend(one_class=True, rare=1, deployment="other")
    assert found.measures == ["recall", "specificity"]  # always together: no constant prediction gets the best of both
    assert found.best.together == ("recall", "specificity")
    assert not {"recall", "specificity", "positive_likelihood_ratio"} & set(
        gm.recommend(one_class=True, rare=1).measures
    )


@pytest.mark.parametrize("deployment", [None, "same", "other", "unknown"])
@pytest.mark.parametrize("one_class", [False, True])
def test_no_constant_prediction_gets_the_best_value_of_what_leads(deployment, one_class):
    found = gm.recommend(one_class=one_class, deployment=deployment, rare=1)
    for advice in found.ranked[:3]:
        if advice.together:
            continue
        f = advice.measure
        turn = -1 if f.orientation == "lower" else 1
        for a, b in ((9, 1), (5, 5), (1, 9)):
            for constant in ([[a, 0], [b, 0]], [[0, a], [0, b]]):
                assert not turn * f(constant) >= turn * f([[a, 0], [0, b]]), (f.name, constant)  # it may be undefined


def test_what_was_decided_about_a_table_of_costs_is_not_decided_again(monkeypatch):
    costs = [[0, 2, 1], [1, 0, 3], [1, 1, 0]]
    monkeypatch.setattr("goodmeasure.recommendation.candidates.LIVE_SECONDS", 60)  # on a busy machine, too
    first = gm.recommend(classes=3, costs=costs)
    monkeypatch.setattr("goodmeasure.theory.check.check", None)
    assert str(gm.recommend(classes=3, costs=costs)) == str(first)
