"""plan: the number of items reaches the width or the power, by peers, enumeration and simulation."""

from __future__ import annotations

import json
import math
from statistics import NormalDist

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.mcnemar import hits_of
from goodmeasure.comparison.planning import assumptions
from goodmeasure.comparison.planning.assumptions import of_matrices, with_difference
from goodmeasure.comparison.planning.powers import deciding_shares, mcnemar_power, simulated_power
from goodmeasure.comparison.settings import ComparisonSettings
from goodmeasure.evaluation.p_values import mcnemar
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import RESOLVE

RATES = {"prevalence": 0.2, "recall": 0.8, "specificity": 0.9}


def trinomial(n, p, q):
    """Every number of items that only the first, or only the second, system gets right, with its probability."""
    logs = [math.lgamma(k + 1) for k in range(n + 1)]
    for first in range(n + 1):
        for second in range(n + 1 - first):
            rest = n - first - second
            log = logs[n] - logs[first] - logs[second] - logs[rest] + rest * math.log(1 - p - q)
            yield first, second, math.exp(log + first * math.log(p) + second * math.log(q))


@pytest.mark.parametrize("mid", [True, False])
@pytest.mark.parametrize(("n", "p", "q"), [(10, 0.3, 0.1), (37, 0.2, 0.05), (60, 0.4, 0.15), (60, 0.02, 0.01)])
def test_mcnemars_power_is_that_of_all_outcomes_added_up(n, p, q, mid):
    found = sum(x for first, second, x in trinomial(n, p, q) if mcnemar(first, second, mid=mid) < 0.05)
    assert mcnemar_power(p, q, n, 0.05, mid=mid) == pytest.approx(found, rel=1e-9)


def test_mcnemars_power_hardly_jumps_where_the_normal_approximation_begins():
    below, above = (mcnemar_power(0.0225, 0.0175, n, 0.05) for n in (100_000, 100_001))
    assert above == pytest.approx(below, abs=0.003)


def test_the_exact_test_agrees_with_statsmodels_on_what_is_rejected():
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    n, p, q = 25, 0.3, 0.1
    found = sum(x for first, second, x in trinomial(n, p, q) if tables.mcnemar([[0, first], [second, 0]]).pvalue < 0.05)
    assert mcnemar_power(p, q, n, 0.05, mid=False) == pytest.approx(found, rel=1e-9)


@pytest.mark.parametrize(("recall", "width"), [(0.5, 0.1), (0.8, 0.05), (0.9, 0.1)])
def test_widths_of_proportions_agree_with_statsmodels(recall, width):
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    by_formula = proportion.samplesize_confint_proportion(recall, width / 2)
    found = gm.plan(prevalence=0.5, recall=recall, specificity=recall, measure="accuracy", width=width)
    exact = found.items
    assert exact == pytest.approx(by_formula, rel=0.06)  # the formula is Wald's; Wilson's differs by a few items
    ends = [proportion.proportion_confint(k, exact, method="wilson") for k in range(exact + 1)]
    shares = np.exp(
        [
            math.lgamma(exact + 1) - math.lgamma(k + 1) - math.lgamma(exact - k + 1)
            + k * math.log(recall) + (exact - k) * math.log(1 - recall)
            for k in range(exact + 1)
        ]
    )  # fmt: skip
    expected = float(sum(p * (high - low) for p, (low, high) in zip(shares, ends, strict=True)))
    assert expected == pytest.approx(width, rel=0.01)
    assert found.width == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("measure", ["mcc", "macro(f1)", "kappa", "precision"])
def test_evaluate_reaches_the_planned_width(measure):
    found = gm.plan(**RATES, measure=measure, width=0.1)
    matrix = np.array([[0.72, 0.08], [0.04, 0.16]])
    rng, seen = np.random.default_rng(7), []
    for counts in rng.multinomial(found.items, matrix.ravel(), size=60):
        row = gm.evaluate(counts.reshape(2, 2), measures=[measure]).table.where(class_=None)[0]
        seen.append(row["high"] - row["low"])
    assert np.mean(seen) == pytest.approx(0.1, rel=0.02)
    assert found.width <= 0.1
    assert found.width == pytest.approx(0.1, rel=0.02)


def test_the_width_of_ten_classes_is_planned_too():
    found = gm.plan(np.eye(10) * 9 + 0.2, measure="macro(f1)", width=0.1, simulations=40)
    assert found.width == pytest.approx(0.1, rel=0.03)
    assert found.rare == pytest.approx(found.items / 10, abs=1)


def test_assurance_asks_for_more_items():
    usual, sure = (gm.plan(**RATES, measure="recall", width=0.2, assurance=x) for x in (None, 0.9))
    assert sure.items > usual.items
    assert sure.width <= 0.2


def drawn(population, n, seed):
    """Return true labels and those of both systems, for n random items."""
    rng = np.random.default_rng(seed)
    chosen = rng.choice(len(population.shares), n, p=population.shares)
    return population.true[chosen], {"A": population.pred[0][chosen], "B": population.pred[1][chosen]}


def test_compare_reaches_the_planned_power():
    matrices = {"A": gm.ConfusionMatrix([[45, 5], [4, 46]]), "B": gm.ConfusionMatrix([[39, 11], [10, 40]])}
    found = gm.plan(matrices, measure="mcc", power=0.8, disagreement=0.2, simulations=200)
    population = of_matrices(matrices, None, 0.2)
    rejected = [
        gm.compare(*drawn(population, found.items, k), measures=["mcc"], replicates=199).differences[0]["p"] < 0.05
        for k in range(100)
    ]
    assert np.mean(rejected) == pytest.approx(0.8, abs=0.12)
    assert found.power == pytest.approx(0.8, abs=0.01)
    assert 0 < found.error < 0.03


def test_non_inferiority_needs_more_items_for_a_smaller_margin():
    some, more = (
        gm.plan(**RATES, measure="accuracy", margin=x, disagreement=0.1, simulations=150) for x in (0.1, 0.05)
    )
    assert more.items == pytest.approx(4 * some.items, rel=0.35)
    # the usual formula (Connor 1987): n = (z_0.95 + z_0.8)² × disagreement / margin²
    assert more.items == pytest.approx((1.645 + 0.842) ** 2 * 0.1 / 0.05**2, rel=0.2)


def test_rates_of_two_systems_imply_their_difference():
    found = gm.plan(prevalence=0.5, recall=(0.9, 0.85), specificity=(0.9, 0.85), measure="accuracy", disagreement=0.1)
    assert found.difference == pytest.approx(0.05)
    assert found.power >= 0.8
    assert mcnemar_power(0.075, 0.025, found.items, 0.05) == pytest.approx(found.power)


def test_a_pilot_of_two_systems_is_planned_from_its_patterns():
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, 400)
    systems = {name: np.where(rng.random(400) < x, true, 1 - true) for name, x in (("A", 0.85), ("B", 0.8))}
    found = gm.plan(true, systems, measure="accuracy", difference=0.05, power=0.9)
    assert found.difference == pytest.approx(0.05)
    assert found.power == pytest.approx(0.9, abs=0.01)
    assert any("400 items" in note for note in found.notes)
    one = gm.plan(true, {"A": systems["A"]}, measure="accuracy", width=0.05)
    assert list(one.values) == ["A"]


@pytest.mark.parametrize("measure", ["accuracy", "mcc", "macro(f1)", "zero_one_loss"])
@pytest.mark.parametrize("wanted", [-0.04, 0.0, 0.04])
def test_tilting_gives_the_difference_and_keeps_the_class_shares(measure, wanted):
    matrix = gm.ConfusionMatrix([[50, 5, 5], [3, 20, 7], [2, 1, 7]])
    before = of_matrices({"A": matrix, "B": matrix}, None, 0.15)
    f = gm.measure(measure)
    after = with_difference(f, before, wanted, RESOLVE)
    assert assumptions.difference(f, after, RESOLVE) == pytest.approx(wanted, abs=1e-6)
    assert after.class_shares() == pytest.approx(before.class_shares())
    assert after.shares.sum() == pytest.approx(1)
    assert after.shares[after.pred[0] != after.pred[1]].sum() == pytest.approx(0.15)


@pytest.mark.parametrize("disagreement", [0.06, 0.1, 0.2, None])
def test_coupled_systems_keep_their_matrices(disagreement):
    one, two = gm.ConfusionMatrix([[50, 10], [10, 30]]), gm.ConfusionMatrix([[54, 6], [8, 32]])
    found = of_matrices({"A": one, "B": two}, None, disagreement)
    assert found.matrix(0) == pytest.approx(np.array([[0.5, 0.1], [0.1, 0.3]]))
    assert found.matrix(1) == pytest.approx(np.array([[0.54, 0.06], [0.08, 0.32]]))
    if disagreement is not None:
        assert found.shares[found.pred[0] != found.pred[1]].sum() == pytest.approx(disagreement)
        hit = hits_of(gm.accuracy, 2)
        assert sum(deciding_shares(found, hit)) == pytest.approx(disagreement)


def test_items_ask_what_is_reached():
    found = gm.plan(**RATES, measure="mcc", width=0.1)
    assert gm.plan(**RATES, measure="mcc", items=found.items).width == pytest.approx(found.width)
    assert gm.plan(**RATES, measure="accuracy", difference=0.05, disagreement=0.1, items=400).items == 400


def test_prevalence_replaces_the_class_shares_of_a_matrix():
    found = gm.plan([[90, 10], [20, 80]], prevalence=0.01, measure="recall", width=0.2)
    assert found.rare == pytest.approx(found.items / 100, abs=1)
    assert found.rare_class == 1
    assert found.values["system"] == pytest.approx(0.8)


def test_a_plan_is_written_down():
    found = gm.plan(**RATES, measure="accuracy", difference=0.05, power=0.8)
    text = repr(found)
    assert f"{found.items:,} items" in text
    assert "independent" in text
    assert "<table>" in found._repr_html_()
    data = json.loads(found.to_json())
    assert (data["items"], data["power"], data["schema"]) == (found.items, found.power, "goodmeasure/plan/1")
    assert [x["items"] for x in data["table"]] == sorted(x["items"] for x in data["table"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "nothing is asked for"),
        ({"width": 0.1, "power": 0.8}, "width and power ask for different things"),
        ({"width": 0}, "width is 0: expected a positive number"),
        ({"difference": 0}, "difference is 0"),
        ({"power": 0.8}, "there is one system and no difference"),
        ({"difference": 0.02, "power": 1}, "power is 1: expected a number between 0 and 1"),
        ({"difference": 0.02, "disagreement": 0.9}, r"disagreement is 0\.9: expected a share from 0"),
        ({"difference": 0.02, "disagreement": 0}, "the two systems cannot differ in accuracy"),
        ({"difference": 0.9, "disagreement": 0.1}, "which these systems cannot have"),
        ({"difference": -0.1, "margin": 0.05}, "the first system is worse by 0.1"),
        ({"width": 0.1, "items": 3}, "items asks what is reached"),
        ({"items": 2.5}, "items is 2.5"),
        ({"width": 1e-9}, "needs more than 1,000,000,000 items"),
        ({"width": 0.1, "confidence": 2}, "confidence is 2"),
        ({"difference": 0.02, "method": "bootstrap"}, "use 'auto' or 'exact'"),
    ],
)
def test_what_cannot_be_planned_is_explained(options, said):
    with pytest.raises(InputError, match=said):
        gm.plan(**RATES, **options, measure="accuracy")


def test_a_measure_that_depends_on_the_number_of_items_is_refused():
    with pytest.raises(InputError, match="bookmaker_win depends on the number of items"):
        gm.plan(**RATES, measure="bookmaker_win", width=0.1)


def test_a_matrix_may_have_labels_and_a_positive_class():
    cells = [[45, 3, 2], [4, 24, 2], [4, 4, 12]]
    found = gm.plan(cells, labels=["a", "b", "c"], positive="c", measure="recall", width=0.2)
    assert found.rare_class == "c"
    assert found.values["system"] == pytest.approx(0.6)


def test_missing_assumptions_are_explained():
    with pytest.raises(InputError, match="there is nothing to plan from"):
        gm.plan(measure="mcc", width=0.1)
    with pytest.raises(InputError, match="recall has 3 values"):
        gm.plan(prevalence=0.1, recall=(0.1, 0.2, 0.3), specificity=0.9, width=0.1)
    with pytest.raises(InputError, match="different class shares"):
        gm.plan({"A": [[5, 1], [1, 5]], "B": [[8, 1], [1, 5]]}, measure="accuracy", power=0.8)
    with pytest.raises(InputError, match="width is about one system"):
        gm.plan({"A": [[5, 1], [1, 5]], "B": [[5, 1], [1, 5]]}, measure="accuracy", width=0.1)


def test_two_systems_are_planned_for_their_difference():
    matrices = {"A": [[45, 5], [4, 46]], "B": [[39, 11], [10, 40]]}
    found = gm.plan(matrices, measure="accuracy", items=200)
    assert found.goal == "difference"
    assert found.items == 200
    assert gm.plan(matrices, measure="accuracy").power == pytest.approx(0.8, abs=0.01)


def test_equivalence_is_planned_by_two_one_sided_tests():
    """With equal systems, both tests must reject, each with the error (1 − power)/2 (Chow, Shao and Wang 2008)."""
    matrix = gm.ConfusionMatrix([[72, 8], [4, 16]])
    options = {"measure": "accuracy", "margin": 0.05, "disagreement": 0.1}
    found = gm.plan(matrix, equivalence=True, **options)
    normal = NormalDist()
    expected = ((normal.inv_cdf(0.95) + normal.inv_cdf(0.9)) * math.sqrt(0.1) / 0.05) ** 2
    assert found.items == pytest.approx(expected, rel=0.08)
    assert found.goal == "equivalence"
    assert found.items > gm.plan(matrix, **options).items
    assert "differ by less than 0.05 is shown at the 5% level" in repr(found)


def test_what_equivalence_reaches_is_what_compare_shows():
    matrix = gm.ConfusionMatrix([[72, 8], [4, 16]])
    found = gm.plan(matrix, measure="mcc", margin=0.15, difference=0.02, disagreement=0.1, items=300, equivalence=True)
    population = with_difference(gm.measure("mcc"), of_matrices({"A": matrix, "B": matrix}, None, 0.1), 0.02, RESOLVE)
    settings = ComparisonSettings((gm.measure("mcc"),), seed=99, margin=0.15)
    share, _ = simulated_power(population, 300, settings, 300, equivalence=True)
    assert found.power == pytest.approx(share, abs=0.09)


def test_equivalence_needs_a_margin_that_holds_the_difference():
    matrix = gm.ConfusionMatrix([[72, 8], [4, 16]])
    with pytest.raises(InputError, match="equivalence needs a margin"):
        gm.plan(matrix, measure="accuracy", difference=0.02, equivalence=True)
    with pytest.raises(InputError, match=r"the systems differ by 0\.05"):
        gm.plan(matrix, measure="accuracy", difference=0.05, margin=0.03, equivalence=True)
