"""Comparing scores: DeLong's test, the influence of items, paired resamples, and the same items for all systems."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import goodmeasure as gm
from goodmeasure.counts.scores.scored import read_scored
from tests.cli.command import call

RNG = np.random.default_rng(4)
N = 80
P = np.round(RNG.random(N), 2).clip(0.02, 0.98)
TRUE = (RNG.random(N) < P).astype(int)
Q = np.round(np.clip(P + RNG.normal(size=N) / 3, 0.02, 0.98), 2)
WEIGHT = RNG.random(N) + 0.2


def delong_by_hand(y, scores):
    """Areas and their covariance from the structural components of DeLong, DeLong and Clarke-Pearson (1988)."""
    areas, tens, ones = [], [], []
    for s in scores:
        wins = (s[y == 1][:, None] > s[y == 0]) + 0.5 * (s[y == 1][:, None] == s[y == 0])
        areas.append(wins.mean())
        tens.append(wins.mean(axis=1))
        ones.append(wins.mean(axis=0))
    return np.array(areas), np.cov(tens) / (y == 1).sum() + np.cov(ones) / (y == 0).sum()


def test_the_standard_error_of_an_area_is_that_of_delong():
    _, covariance = delong_by_hand(TRUE, [P, Q])
    for k, s in enumerate((P, Q)):
        variance = gm.roc_auc.definition.variance(read_scored(TRUE, s))
        assert variance == pytest.approx(covariance[k, k])
    distinct = RNG.random(N)
    _, covariance = delong_by_hand(TRUE, [distinct, Q])
    assert gm.roc_auc.definition.variance(read_scored(TRUE, distinct)) == pytest.approx(covariance[0, 0])


def test_the_test_of_two_areas_is_that_of_delong():
    areas, covariance = delong_by_hand(TRUE, [P, Q])
    z = (areas[0] - areas[1]) / math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    row = gm.compare(TRUE, y_score={"P": P, "Q": Q}, measures="roc_auc").difference("P", "Q", "roc_auc")
    assert row["method"] == "DeLong"
    assert row["difference"] == pytest.approx(areas[0] - areas[1])
    assert 2 * stats.norm.sf(abs(z)) < row["p"] < 2 * stats.t.sf(abs(z), 20)


def test_few_positive_items_have_few_degrees_of_freedom():
    """The normal test of two areas rejects 8% of true hypotheses where 10 of 1,000 items are positive."""
    rng = np.random.default_rng(0)
    true = (np.arange(1000) < 10).astype(int)
    scores = {name: rng.normal(size=1000) + 2 * true for name in "AB"}
    areas, covariance = delong_by_hand(true, list(scores.values()))
    z = (areas[0] - areas[1]) / math.sqrt(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1])
    row = gm.compare(true, y_score=scores, measures="roc_auc").differences[0]
    assert 2 * stats.t.sf(abs(z), 1000) < row["p"] < 2 * stats.t.sf(abs(z), 4)
    reach = (row["high"] - row["low"]) / 2 / abs(row["difference"] / z)  # in standard errors by DeLong
    assert 1.03 * stats.t.ppf(0.975, 1000) < reach < stats.t.ppf(0.975, 4)


WITH_INFLUENCES = [
    *("roc_auc", "average_precision", "gini", "log_loss", "brier", "spherical_score", "brier_skill", "log_loss_skill"),
    *(
        "d_prime",
        "calibration_slope",
        "calibration_intercept",
        "area(f1, over=recall)",
        "area(recall, over=specificity)",
    ),
    *("area(precision, over=predicted_prevalence, between='step')", "macro(roc_auc)", "weighted(average_precision)"),
]


@pytest.mark.parametrize("weights", [None, WEIGHT], ids=["items", "weights"])
@pytest.mark.parametrize("name", WITH_INFLUENCES)
def test_influences_are_derivatives_with_respect_to_weights(name, weights):
    f, base = gm.measure(name), np.ones(N) if weights is None else weights
    found = f.definition.influences(read_scored(TRUE, P, sample_weight=weights))
    assert found.sum() == pytest.approx(0, abs=1e-9)
    for item in (0, 7, 33, 61):
        step = np.zeros(N)
        step[item] = 1e-5
        up, down = (f(TRUE, P, sample_weight=base + x) for x in (step, -step))
        assert found[item] == pytest.approx(base[item] * (up - down) / 2e-5, rel=1e-4, abs=1e-8)


def test_influences_of_more_classes_are_derivatives_too():
    p = RNG.dirichlet(np.ones(3), N)
    y = np.array([RNG.choice(3, p=x) for x in p])
    for name in (
        "hand_till",
        "macro(roc_auc)",
        "weighted(roc_auc)",
        "log_loss",
        "brier",
        "brier_skill",
        "top_k_accuracy",
    ):
        f = gm.measure(name)
        found = f.definition.influences(read_scored(y, p))
        assert found.sum() == pytest.approx(0, abs=1e-9)
        step = np.zeros(N)
        step[5] = 1e-5
        up, down = (f(y, p, sample_weight=np.ones(N) + x) for x in (step, -step))
        assert found[5] == pytest.approx((up - down) / 2e-5, rel=1e-4, abs=1e-8)


def test_other_measures_are_compared_on_the_same_resamples():
    same = gm.compare(
        TRUE, y_score={"P": P, "again": P}, measures=["ks", "calibration_error", "h_measure"], replicates=200
    )
    for row in same.differences:
        assert (row["difference"], row["low"], row["high"], row["p"]) == (0, 0, 0, 1)
        assert row["method"] == "bootstrap"
    found = gm.compare(TRUE, y_score={"P": P, "noise": RNG.random(N)}, measures=["ks", "roc_auc"], replicates=400)
    assert all(row["p"] < 0.05 for row in found.differences)
    assert found.winners == {"ks": ("P",), "roc_auc": ("P",)}
    assert found.ranks["ks"] == {"P": 1, "noise": 2}


def test_systems_are_compared_on_the_items_that_all_have_scores_for():
    q = Q.copy()
    q[:5] = np.nan
    found = gm.compare(TRUE, y_score={"P": P, "Q": q}, measures="roc_auc", missing="drop")
    assert found.score("P", "roc_auc")["value"] == gm.roc_auc(TRUE[5:], P[5:])
    assert found.items == N - 5
    assert "5 items are left out" in found.notes[0]
    with pytest.raises(ValueError, match=r"y_score\['Q'\]\[0\] is NaN"):
        gm.compare(TRUE, y_score={"P": P, "Q": q})


def test_slices_groups_and_margins():
    site = np.repeat(["x", "y"], N // 2)
    chosen = {"measures": ["roc_auc", "brier"], "by": {"site": site}, "margin": 0.5}
    found = gm.compare(TRUE, y_score={"P": P, "Q": Q}, **chosen)
    here = site == "x"
    assert found.slices["x"].score("Q", "roc_auc")["value"] == gm.roc_auc(TRUE[here], Q[here])
    assert all(row["p_equivalent"] < 0.05 for row in found.differences)
    twice = [np.repeat(x, 4) for x in (TRUE, P, Q)]
    alone = gm.compare(twice[0], y_score={"P": twice[1], "Q": twice[2]}, measures="brier").differences[0]
    grouped = gm.compare(
        twice[0], y_score={"P": twice[1], "Q": twice[2]}, measures="brier", groups=np.repeat(np.arange(N), 4)
    ).differences[0]
    assert alone["p"] < grouped["p"]
    once = gm.compare(TRUE, y_score={"P": P, "Q": Q}, measures="brier").differences[0]
    assert grouped["p"] == pytest.approx(once["p"], rel=0.2, abs=0.01)


def test_degenerate_scores_have_no_test():
    few = gm.compare([0, 1, 1, 0], y_score={"A": [0.1, 0.8, 0.4, 0.3], "B": [0.5, 0.6, 0.4, 0.3]}, measures="roc_auc")
    assert math.isnan(few.differences[0]["p"])
    assert "too few" in few.differences[0]["method"]
    one = gm.compare([1] * 20, y_score={"A": np.linspace(0, 1, 20), "B": np.linspace(1, 0, 20)}, measures="roc_auc")
    assert math.isnan(one.differences[0]["p"])


def test_measures_of_labels_are_compared_at_a_threshold():
    systems, by = {"P": P, "Q": Q}, {"site": RNG.choice(["x", "y"], N)}
    found = gm.compare(TRUE, y_score=systems, measures=["mcc", "roc_auc", "recall"], threshold=0.4, by=by)
    labels = {name: (x >= 0.4).astype(int) for name, x in systems.items()}
    same = gm.compare(TRUE, labels, measures=["mcc", "recall"], ensemble=False, by=by)
    scores = gm.compare(TRUE, y_score=systems, measures="roc_auc", by=by)
    assert found.measures == ("mcc", "recall", "roc_auc")
    for part in (None, "x", "y"):
        one, two, three = (x if part is None else x.slices[part] for x in (found, same, scores))
        mine = [{**x, "p_family": min(x["p_family"], 1)} for x in one.differences]
        alone = [*two.differences, *three.differences]  # each of them is a page with fewer claims
        assert all(x["p_family"] >= y["p_family"] for x, y in zip(mine, alone, strict=True))
        assert [{**x, "p_family": 1} for x in mine] == [{**x, "p_family": 1} for x in alone]
        assert {x["measure"]: x["value"] for x in one.scores if x["system"] == "Q"} == {
            x["measure"]: x["value"] for x in (*two.scores, *three.scores) if x["system"] == "Q"
        }
        assert one.winners == {**two.winners, **three.winners}
    assert found.matrices["P"].counts.tolist() == same.matrices["P"].counts.tolist()
    assert any("at least 0.4" in note for note in found.notes)
    usual = gm.compare(TRUE, y_score=systems, measures="mcc")
    assert usual.score("P", "mcc")["value"] == gm.mcc(TRUE, (P >= 0.5).astype(int))
    assert "mcc" in gm.compare(TRUE, y_score=systems, threshold=0.5).measures
    assert "mcc" not in gm.compare(TRUE, y_score=systems).measures
    with pytest.raises(ValueError, match="threshold= needs y_score="):
        gm.compare(TRUE, labels, threshold=0.5)


def test_missing_scores_leave_the_same_items_for_labels_and_scores():
    q = np.where(np.arange(N) % 7 == 0, np.nan, Q)
    found = gm.compare(TRUE, y_score={"P": P, "Q": q}, measures=["accuracy", "brier"], missing="drop")
    keep = ~np.isnan(q)
    expected = gm.compare(TRUE[keep], y_score={"P": P[keep], "Q": Q[keep]}, measures=["accuracy", "brier"])
    assert [x["value"] for x in found.scores] == pytest.approx([x["value"] for x in expected.scores])


def test_an_infinite_loss_is_said_to_be_one():
    """A true class had the probability 0, so the loss is infinite whatever other items show: nothing is tested."""
    wrong = np.where(np.arange(N) == np.flatnonzero(TRUE)[0], 0.0, P)
    found = gm.compare(TRUE, y_score={"P": P, "W": wrong}, measures=["log_loss", "brier"])
    assert found.winners["log_loss"] == ("P",)
    assert found.difference("P", "W", "log_loss")["method"] == "none: a value is infinite"
    text = found.to_markdown()
    assert "Log loss of W is infinite, since it gives a true class the probability 0: P is better" in text
    assert "no significant difference between P and W in log loss" not in text
    both = gm.compare(TRUE, y_score={"V": wrong, "W": wrong}, measures=["log_loss", "brier"])
    assert "Log loss is infinite for every system" in both.to_markdown()
    three = gm.compare(TRUE, y_score={"P": P, "Q": P[::-1].copy(), "W": wrong}, measures=["log_loss"])
    three = three.to_markdown()
    assert "P is significantly better than every other system with a finite value in log loss" in three
    assert "Log loss of W is infinite" in three


def test_reports_are_written(tmp_path):
    found = gm.compare(TRUE, y_score={"P": P, "Q": Q})
    for text in (str(found), found.to_markdown(), found.to_json()):
        assert "verage precision" in text or "average_precision" in text
    found.to_html(tmp_path / "r.html")
    assert "ROC AUC" in (tmp_path / "r.html").read_text()


def test_the_command_line_compares_scores(tmp_path):
    path = tmp_path / "s.csv"
    pd.DataFrame({"label": TRUE, "p": P, "q": Q}).to_csv(path, index=False)
    done = call("compare", path, "--true", "label", "--score", "p", "--score", "B=q", "--measures", "roc_auc", "--json")
    assert done.exit_code == 0, done.output
    assert '"DeLong"' in done.stdout
    assert '"B"' in done.stdout
    both = call("compare", path, "--true", "label", "--score", "p", "--pred", "q")
    assert both.exit_code == 2
    assert "one at a time" in both.output


def test_the_command_line_takes_a_threshold(tmp_path):
    path = tmp_path / "s.csv"
    pd.DataFrame({"label": TRUE, "p": P, "q": Q}).to_csv(path, index=False)
    shown = call("compare", path, "--true", "label", "--score", "p", "--score", "q", "--threshold", "0.3",
                 "--measures", "mcc,roc_auc", "--json")  # fmt: skip
    data = json.loads(shown.stdout if hasattr(shown, "stdout") else shown)
    value = next(x["value"] for x in data["scores"] if x["system"] == "p" and x["measure"] == "mcc")
    assert value == pytest.approx(gm.mcc(TRUE, (P >= 0.3).astype(int)))


def test_ranks_do_not_depend_on_the_order_of_the_systems():
    rng = np.random.default_rng(0)
    true = rng.random(200) < 0.4
    scores = {name: lift * true + rng.normal(size=200) for name, lift in (("A", 1.0), ("B", 1.2), ("C", 1.1))}
    one, two = (gm.compare(true, y_score=x, measures="roc_auc") for x in (scores, dict(reversed(scores.items()))))
    assert one.best_probability == two.best_probability
    for row in one.scores:
        assert row == two.score(row["system"], "roc_auc")
