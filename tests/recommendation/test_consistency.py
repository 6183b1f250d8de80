"""Recommendations say of every measure what the atlas says, for all single needs, all pairs and all questions."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

import goodmeasure as gm
from goodmeasure.paper_names import AXIOMS
from goodmeasure.recommendation import recommend as module
from goodmeasure.theory.statements.lookup import statement, statements
from tests.theory.atlas_by_brute_force import OTHER_REACH, REACH, contradiction
from tests.theory.brute_force import BARE, PROPERTIES, Values

EIGHT = list(AXIOMS)
ANSWERS = {
    "one_class": [True], "equal_standing": [True], "deployment": ["same", "other", "unknown"], "across": [True],
    "chance": [True], "distance": [True], "rare": [1], "ordered": [True],
}  # fmt: skip


@cache
def stored():
    return {(x["measure"], x["property"], x["classes"], x["domain"]): x for x in gm.atlas().cells}


@cache
def speaks_of(name):
    """Sebastiani's axioms speak of all test sets; the other properties of labelings in which all classes occur."""
    return "all" if statement(name).cite == "sebastiani2015" else "regular"


def faults(found, classes):
    """Yield what a recommendation says in contradiction to the atlas."""
    for advice in found:
        judged = [(x, True) for x in advice.why] + [(x, False) for x in advice.violates]
        if {id(x.need) for x, _ in judged} != {id(x) for x in found.needs}:
            yield advice.name, "a need is missing"
        if not advice.together and advice.suits is any(x.need.required for x in advice.violates):
            yield advice.name, "suits"
        for name in (advice.name, *advice.alike):
            for x, praised in judged:
                cell = stored()[name, x.need.statement, classes, speaks_of(x.need.statement)]
                has = cell["status"] == "proved" or (cell["status"] == "held" and cell["n"] > 0)
                met = has if x.need.holds else cell["status"] == "refuted"
                if x.met is not met or praised is not met:
                    yield name, x.need.name, cell["status"]
    if [x.suits for x in found] != sorted((x.suits for x in found), reverse=True):
        yield "order"


@pytest.fixture
def without_impossibility(monkeypatch):
    """Leave out the linear program: whether requirements exclude each other is tested elsewhere."""
    monkeypatch.setattr(module, "_together", lambda needs, classes: (None, None))
    monkeypatch.setattr(module, "_drops", lambda *of: ())


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.usefixtures("without_impossibility")
def test_every_need_and_every_pair_is_judged_as_in_the_atlas(classes):
    names = [x.name for x in statements(classes)]
    wanted = [[x] for x in names] + [list(x) for x in combinations(names, 2)]
    wrong = {tuple(x): found for x in wanted if (found := list(faults(gm.recommend(classes, x), classes)))}
    assert wrong == {}


@pytest.mark.usefixtures("without_impossibility")
def test_every_answer_and_every_pair_of_answers_is_judged_as_in_the_atlas():
    single = [(name, answer) for name, known in ANSWERS.items() for answer in known]
    for some in [*combinations(single, 1), *combinations(single, 2)]:
        answers = dict(some)
        for classes in (2, 3):
            contradictory = "ordered" in answers and (classes == 2 or "one_class" in answers)
            if len(answers) == len(some) and not contradictory:
                found = gm.recommend(classes, **answers)
                assert list(faults(found, 2 if "one_class" in answers else classes)) == [], (classes, answers)


def test_check_gives_the_verdicts_that_a_recommendation_rests_on():
    """On the domain that each property speaks of."""
    for advice in list(gm.recommend(2, ["IMB", "FIX", "Mon"]))[:4]:
        for x in (*advice.why, *advice.violates):
            if x.need.statement in ("sebastiani_imb", "sebastiani_fix", "monotone", "constant_baseline"):
                found = gm.check(advice.measure, 2, x.need.domain, properties=[x.need.statement], seconds=1)
                assert found[x.need.statement].status == x.status, (advice.name, x.need.name)


@pytest.mark.parametrize("classes", [2, 3])
def test_brute_force_confirms_a_sample_of_the_reasons(classes):
    """A measure has what it is praised for on all small matrices, and lacks what it is blamed for."""
    confirmed = 0
    for needs in (["IMB", "Mon"], ["FIX", "PIV"]):
        for advice in list(gm.recommend(classes, needs))[:6:2]:
            for x in (*advice.why, *advice.violates):
                name, cell = x.need.statement, x.verdict
                if name not in PROPERTIES or (classes > 2 and name == "opitz_monotone"):
                    continue
                most = min(OTHER_REACH.get((name, classes), 9), REACH[classes] - 1)
                values = Values(advice.measure, classes, x.need.domain, "nan" if name in BARE else "resolve")
                found = PROPERTIES[name](values, most)
                assert contradiction(name, cell.status, cell.n, found, most) is None, (advice.name, name)
                confirmed += found.seen > 0
    assert confirmed > 20


def test_robustness_to_imbalance_is_not_f1():
    """Calling everything positive gets an F1 of 2/3 or 4/5 by the class sizes; recall and prevalence are no better."""
    for answers in ({}, {"one_class": True}):
        found = gm.recommend(needs=["sebastiani_imb"], **answers)
        assert not {"f1", "prevalence", "accuracy"} & set(found.measures)
        assert "sebastiani_imb" in [x.need.statement for x in found["f1"].violates]
    assert gm.recommend(needs=["sebastiani_imb"]).best.name == "mcc"


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_only_k_has_all_eight_axioms(classes):
    """Sebastiani's conclusion, sections 5 and 6.1."""
    found = gm.recommend(classes, needs=EIGHT)
    assert found.measures == ["k"]
    assert found.best.alike == ()


def test_needs_that_go_together_where_they_are_judged_are_not_called_impossible():
    """On all matrices, minimal agreement and a constant baseline exclude each other; where all classes occur, not."""
    two, three = ["minimal_agreement", "constant_baseline"], ["minimal_agreement", "constant_baseline", "distance"]
    assert "sba" in gm.recommend(3, needs=two).measures
    assert gm.recommend(3, needs=three).impossible is None
    assert gm.possible(*three, classes=3, domain="regular", n=3).status == "possible"


def test_what_speaks_of_nothing_is_no_merit():
    """The bare formula of these has no value for any constant prediction, so IMB says nothing about them."""
    empty = [x["measure"] for x in gm.atlas().cells if x["status"] == "vacuous" and x["domain"] == "all"]
    assert empty
    found = gm.recommend(needs=["sebastiani_imb"])
    assert not set(empty) & set(found.measures)
    listed = [x for x in found if x.name in empty]
    assert listed
    assert all("It says nothing here" in " ".join(y.text for y in x.violates) for x in listed)


def test_a_search_that_examined_nothing_is_no_merit():
    nothing = [x for x in gm.atlas().cells if x["status"] == "held" and not x["n"]]
    for cell in nothing:
        found = gm.recommend(cell["classes"], needs=[cell["property"]])
        if speaks_of(cell["property"]) == cell["domain"]:
            assert cell["measure"] not in found.measures


def test_a_distance_of_three_classes_is_the_correlation_distance_with_what_it_gives_up():
    """goesgens2021, section 6; whoever needs monotonicity too gets accuracy."""
    found = gm.recommend(3, distance=True)
    assert found.best.name == "correlation_distance"
    assert {"monotone", "strongly_monotone", "minimal_agreement"} < {x.need.statement for x in found.best.violates}
    (remark,) = found.remarks
    assert "Correlation distance lacks this: Resolving one disagreement raises the measure." in remark
    assert "Accuracy has it, but lacks this: The matrix that random predictions have on average" in remark
    assert gm.recommend(3, distance=True, needs=["monotone"]).best.name == "accuracy"
