"""Outcomes instead of labels: values, intervals, tests, slices and reports, in every form that users hand them in."""

from __future__ import annotations

import json
from math import comb

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

import goodmeasure as gm
from tests.cli.command import call

RNG = np.random.default_rng(5)
A = RNG.random(120) < 0.7
B = np.where(RNG.random(120) < 0.25, ~A, A)
GRADED = np.round(RNG.random(120) ** 0.5, 2)
SITE = np.repeat(["x", "y"], 60)


def said(result: gm.Result) -> str:
    """What print() shows, on one line, however wide the terminal is."""
    return " ".join(str(result).split())


def row(result, measure="outcome", **where):
    keys = {"measure": measure, "slice": None, **where}
    return next(x for x in result.table if all(x[k] == v for k, v in keys.items()))


def test_the_pass_rate_of_right_and_wrong_items_has_wilsons_interval():
    found = row(gm.evaluate(y_correct=A))
    low, high = proportion_confint(int(A.sum()), len(A), method="wilson")
    assert found["value"] == A.mean()
    assert (found["low"], found["high"]) == pytest.approx((low, high), abs=1e-12)
    assert np.isnan(found["chance"])


@pytest.mark.parametrize(
    "given",
    [
        [1, 0, 1, 1], [True, False, True, True], [1.0, 0.0, 1.0, 1.0], ["C", "I", "C", "C"],
        ["true", "false", "true", "true"], ["pass", "fail", "PASS", "Passed"], ["1", "0", "1", "1.0"],
        pd.Series([1, 0, 1, 1]), pl.Series([True, False, True, True]), pa.array([1, 0, 1, 1]),
        iter([1, 0, 1, 1]), np.array([1, 0, 1, 1], np.float32),
    ],
    ids=lambda x: f"{type(x).__module__}.{type(x).__name__}",
)  # fmt: skip
def test_outcomes_come_in_any_form(given):
    assert gm.evaluate(y_correct=given).value("outcome") == 0.75


def test_letters_have_the_values_that_are_said():
    result = gm.evaluate(y_correct=["C", "P", "I", "N"] * 5)
    assert result.value("outcome") == 0.375
    assert "C = 1 (correct), P = 0.5 (partly correct), I = 0 (incorrect), N = 0 (no answer)" in said(result)
    assert "mean score" in said(result)


@pytest.mark.parametrize("sampler", ["beta(0.2, 0.05)", "rare zeros among 0.9", "five answers"])
def test_the_interval_of_a_mean_score_covers(sampler):
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(150):
        if sampler == "beta(0.2, 0.05)":
            x, truth = rng.beta(0.2, 0.05, 40), 0.8
        elif sampler == "five answers":
            x, truth = rng.binomial(5, np.where(rng.random(40) < 0.9, 0.97, 0.1)) / 5, 0.9 * 0.97 + 0.01
        else:
            x, truth = np.where(rng.random(40) < 0.95, 0.9, 0.0), 0.855
        found = row(gm.evaluate(y_correct=x))
        held += found["low"] <= truth <= found["high"]
    assert held / 150 >= 0.92 - 2 * (0.92 * 0.08 / 150) ** 0.5  # two binomial errors below 92%


def test_systems_are_compared_item_by_item():
    found = gm.compare(y_correct={"A": A, "B": B}).difference("A", "B", "outcome")
    table = [[np.sum(A & B), np.sum(A & ~B)], [np.sum(~A & B), np.sum(~A & ~B)]]
    exact = mcnemar(table, exact=True).pvalue
    few, many = sorted([table[0][1], table[1][0]])
    mid = exact - stats.binom.pmf(few, few + many, 0.5)
    assert found["difference"] == pytest.approx(A.mean() - B.mean())
    assert found["p"] == pytest.approx(mid)
    same = gm.compare(np.ones(120, bool), {"A": A, "B": B}, measures=["accuracy"]).difference("A", "B", "accuracy")
    assert (found["low"], found["high"], found["interval"]) == (same["low"], same["high"], same["interval"])


def test_mean_scores_are_compared_by_swapping():
    other = np.clip(GRADED + RNG.normal(0.05, 0.2, 120), 0, 1)
    found = gm.compare(y_correct={"A": GRADED, "B": other}, replicates=9999).difference("A", "B", "outcome")
    oracle = stats.permutation_test(
        (GRADED - other,), np.mean, permutation_type="samples", n_resamples=9999, rng=np.random.default_rng(0)
    ).pvalue
    assert found["method"] == "permutation"
    assert found["p"] == pytest.approx(oracle, abs=0.02)
    assert found["low"] < found["difference"] < found["high"]


def test_systems_that_agree_have_an_interval_around_no_difference():
    found = gm.compare(y_correct={"A": GRADED, "B": GRADED}).difference("A", "B", "outcome")
    assert found["p"] == 1
    assert found["low"] < 0 < found["high"]


def test_groups_and_weights_change_the_interval():
    plain = row(gm.evaluate(y_correct=A))
    grouped = row(gm.evaluate(y_correct=np.repeat(A[:30], 4), groups=np.repeat(np.arange(30), 4)))
    alone = row(gm.evaluate(y_correct=A[:30]))
    assert grouped["value"] == alone["value"]
    assert grouped["high"] - grouped["low"] == pytest.approx(alone["high"] - alone["low"], rel=0.1)
    weight = np.where(np.arange(120) < 20, 10.0, 1.0)
    weighted = row(gm.evaluate(y_correct=A, sample_weight=weight))
    assert weighted["value"] == pytest.approx(np.average(A, weights=weight))
    assert weighted["high"] - weighted["low"] > plain["high"] - plain["low"]


def test_slices_are_tested():
    outcomes = RNG.random(200) < np.repeat([0.5, 0.9], 100)
    result = gm.evaluate(y_correct=outcomes, by={"site": np.repeat(["x", "y"], 100)})
    assert row(result, slice="x")["value"] == outcomes[:100].mean()
    (spread,) = result.slice_spread
    table = [[outcomes[:100].sum(), 100 - outcomes[:100].sum()], [outcomes[100:].sum(), 100 - outcomes[100:].sum()]]
    assert spread.gap == pytest.approx(outcomes[100:].mean() - outcomes[:100].mean())
    assert spread.gap_low < 0.4 < spread.gap_high
    assert spread.p < 0.01
    assert stats.fisher_exact(table).pvalue < 0.01
    assert [x.slice for x in result.slice_tests] == ["x", "y"]
    assert "differs significantly by site" in said(result)


def test_slices_that_are_alike_are_seldom_called_different():
    rng = np.random.default_rng(2)
    p = [
        gm.evaluate(y_correct=rng.random(60) < 0.8, by={"s": np.arange(60) % 3}, replicates=200).slice_spread[0].p
        for _ in range(120)
    ]
    assert np.mean(np.array(p) < 0.05) < 0.05 + 2 * (0.05 * 0.95 / 120) ** 0.5


def test_columns_of_frames_and_files_are_read(tmp_path):
    table = pd.DataFrame({"id": range(120), "correct": A, "other": B, "site": SITE, "w": 1.0 + np.arange(120) % 3})
    expected = gm.evaluate(y_correct={"correct": A, "other": B}, by={"site": SITE}, sample_weight=table.w).table
    paths = [tmp_path / name for name in ("t.csv", "t.parquet", "t.jsonl")]
    table.to_csv(paths[0], index=False)
    table.to_parquet(paths[1])
    table.to_json(paths[2], orient="records", lines=True)
    for data in (table, pl.from_pandas(table), pl.from_pandas(table).lazy(), pa.Table.from_pandas(table), *paths):
        found = gm.evaluate(data, y_correct=["correct", "other"], by="site", sample_weight="w")
        assert list(map(str, found.table)) == list(map(str, expected))


def test_runs_are_joined_by_the_ids_of_their_items(tmp_path):
    one = pd.DataFrame({"id": range(120), "verdict": A})
    two = pd.DataFrame({"id": range(120), "verdict": B}).sample(frac=1, random_state=1)
    expected = gm.compare(y_correct={"A": A, "B": B}).differences
    assert gm.compare({"A": one, "B": two}, id="id", y_correct="verdict").differences == expected
    one.to_csv(tmp_path / "a.csv", index=False)
    two.to_csv(tmp_path / "b.csv", index=False)
    files = {"A": tmp_path / "a.csv", "B": tmp_path / "b.csv"}
    assert gm.compare(files, id="id", y_correct={"A": "verdict", "B": "verdict"}).differences == expected
    with pytest.raises(gm.InputError, match="'B' lacks 20 of 120 items"):
        gm.compare({"A": one, "B": two.query("id >= 20")}, id="id", y_correct="verdict")
    left = gm.compare({"A": one, "B": two.query("id >= 20")}, id="id", y_correct="verdict", missing="drop")
    assert left.items == 100
    with pytest.raises(gm.InputError, match="id= is not given"):
        gm.compare({"A": one, "B": two}, y_correct="verdict")


def test_missing_outcomes_are_refused_or_left_out():
    with pytest.raises(gm.InputError, match="missing='drop'"):
        gm.evaluate(y_correct=[1, None, 0, 1])
    assert gm.evaluate(y_correct=[1, None, 0, 1], missing="drop").value("outcome") == pytest.approx(2 / 3)
    with pytest.raises(gm.InputError, match="outcome 0"):
        gm.evaluate(y_correct=[1, None, 0, 1], missing="class")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"y_correct": [1, 0, 2]}, r"y_correct\[2\] is 2, and an outcome lies between 0 \(wrong\) and 1 \(right\)"),
        ({"y_correct": [1, 0, -0.1]}, r"is -0.1"),
        ({"y_correct": ["C", "X"]}, r"y_correct\[1\] is 'X'"),
        ({"y_correct": {"A": [1, 0], "B": [1]}}, "B'.*has 1 values, and there are 2 outcomes"),
        ({"y_correct": []}, "no items"),
        ({"y_correct": {}}, "empty dict"),
        ({"y_correct": [1, 0], "y_true": [1, 0]}, "y_true and y_correct= were both given"),
        ({"y_correct": [1, 0], "y_score": [1, 0]}, "both given"),
        ({"y_correct": [1, 0], "measures": ["mcc"]}, "mcc is no measure of outcomes"),
        ({"y_correct": [1, 0], "repeat": [1, 2]}, "name the items with id="),
        ({"data": [1, 0], "y_correct": [1, 0]}, "take the place of true and predicted labels"),
        ({"y_correct": [1, 0], "measures": ["pass_at(k=2)"]}, "needs 2 answers of every item"),
        ({"y_correct": [1, 0, 1, 1], "id": [1, 1, 2, None]}, "every row needs the id of its item"),
        ({"y_correct": [1, 0.5], "id": [1, 1], "measures": ["pass_at(k=2)"]}, "takes outcomes that are 0 or 1"),
        ({"y_correct": [1, 0], "id": [1, 1], "repeat": [3, 3]}, "the answer 3 of item 1 occurs 2 times"),
        ({"y_correct": [1, 0], "id": [1, 1], "groups": [3, 4]}, "groups is 3 and 4 for answers to the same item 1"),
        ({"y_correct": "correct"}, "give a table too"),
    ],
)  # fmt: skip
def test_bad_outcomes_are_refused_in_one_line(arguments, words):
    with pytest.raises(gm.InputError, match=words) as error:
        gm.evaluate(**arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("call", [lambda: gm.evaluate([1, 0], [1, 0], measures=["outcome"]), lambda: gm.outcome()])
def test_measures_of_outcomes_need_outcomes(call):
    with pytest.raises(gm.InputError, match=r"outcomes|y_correct"):
        call()


def test_no_chance_level_class_or_baseline_is_invented(tmp_path):
    result = gm.evaluate(y_correct={"A": A, "B": B}, by={"site": SITE})
    result.save(tmp_path / "r.html", tmp_path / "r.md", tmp_path / "r.tex", tmp_path / "r.json", tmp_path / "r.csv")
    for name in ("r.md", "r.tex"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "Pass rate" in text
        for word in ("| chance", "always", "positive", "2 classes", "random guessing", "not True"):
            assert word not in text
    data = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    assert data["data"]["labels"] == []
    assert data["settings"]["measures"] == ["outcome"]
    assert "counts" not in data["parts"][0]
    assert "The evaluation data are 120 items." in result.statement("text")
    with pytest.raises(gm.InputError, match="no confusion matrix"):
        result.matrix()


def test_requirements_and_metrics_hold_for_outcomes():
    result = gm.evaluate(y_correct=A, by={"site": SITE})
    assert result.metrics()["outcome"] == A.mean()
    result.require("outcome >= 0.5", "outcome[*] >= 0.3")
    with pytest.raises(gm.RequirementNotMet, match=r"outcome >= 0\.99"):
        result.require("outcome >= 0.99")


def test_the_command_line_takes_outcomes(tmp_path):
    table = pd.DataFrame({"id": range(120), "correct": A, "other": B})
    table.to_csv(tmp_path / "t.csv", index=False)
    table[["id", "other"]].rename(columns={"other": "correct"}).to_csv(tmp_path / "old.csv", index=False)
    found = call("evaluate", tmp_path / "t.csv", "--correct", "correct", "--no-report", "--require", "outcome >= 0.5")
    assert found.exit_code == 0
    assert f"The pass rate is {A.mean():.3f}" in found.output
    both = ["--correct", "correct", "--correct", "other"]
    compared = call("compare", tmp_path / "t.csv", *both, "--json")
    data = json.loads(compared.stdout)
    assert data["differences"][0]["method"] == "mid-p McNemar"
    gate = call("evaluate", tmp_path / "t.csv", *both, "--baseline", "correct", "--no-report")
    assert gate.exit_code == (1 if data["differences"][0]["p"] < 0.05 else 0)
    alone = ["evaluate", tmp_path / "t.csv", "--correct", "correct", "--baseline", tmp_path / "old.csv", "--no-report"]
    assert "name the column of the items' ids with --id" in call(*alone).stderr
    assert "not significantly worse than baseline" in " ".join(call(*alone, "--id", "id").output.split())


# Several answers of one item

ANSWERS = RNG.random((40, 5)) < np.repeat(RNG.beta(3, 1, 40), 5).reshape(40, 5)
ITEM = np.repeat(np.arange(40), 5)


def estimate_pass_at_k(number, right, k):
    """The estimator as HumanEval has it: 1 - C(n - c, k)/C(n, k)."""
    return 1.0 if number - right < k else 1.0 - comb(number - right, k) / comb(number, k)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_pass_at_k_is_that_of_humaneval(k):
    right = ANSWERS.sum(axis=1)
    expected = np.mean([estimate_pass_at_k(5, c, k) for c in right.tolist()])
    every = np.mean([comb(c, k) / comb(5, k) for c in right.tolist()])
    names = [f"pass_at(k={k})", f"pass_all(k={k})"]
    result = gm.evaluate(y_correct=ANSWERS.ravel(), id=ITEM, measures=["outcome", *names])
    assert result.value("outcome") == pytest.approx(ANSWERS.mean())
    assert [result.value(x) for x in names] == pytest.approx([expected, every])
    assert gm.pass_at(k=k)(ANSWERS.ravel(), id=ITEM) == pytest.approx(expected)


def test_items_with_different_numbers_of_answers_count_equally():
    outcomes, items = [1, 1, 1, 0, 0, 1], ["a", "a", "a", "a", "b", "b"]
    assert gm.outcome(outcomes, id=items) == pytest.approx((0.75 + 0.5) / 2)
    assert gm.measure("majority_vote")(outcomes, id=items) == pytest.approx((1 + 0.5) / 2)


def test_the_item_is_the_unit_of_intervals():
    same = np.repeat(A[:40], 5)
    result = gm.evaluate(y_correct=same, id=ITEM, measures=["outcome"])
    alone = gm.evaluate(y_correct=A[:40])
    assert row(result)["low"] == pytest.approx(row(alone)["low"])
    assert "5 answers of each item, which is the unit of the intervals" in said(result)


def test_intervals_of_answers_cover():
    rng = np.random.default_rng(3)
    p = rng.beta(2, 1, 4000)
    truth = np.mean([1 - (1 - x) ** 2 for x in p])
    held = np.zeros(2)
    for _ in range(150):
        drawn = rng.choice(p, 50)
        answers = rng.random((50, 4)) < drawn[:, None]
        result = gm.evaluate(
            y_correct=answers.ravel(), id=np.repeat(np.arange(50), 4), measures=["outcome", "pass_at(k=2)"]
        )
        for k, (name, value) in enumerate((("outcome", p.mean()), ("pass_at(k=2)", truth))):
            found = row(result, name)
            held[k] += found["low"] <= value <= found["high"]
    assert (held / 150 >= 0.92 - 2 * (0.92 * 0.08 / 150) ** 0.5).all()


def test_answers_of_runs_need_not_be_equally_many():
    one = pd.DataFrame({"item": ITEM, "epoch": np.tile(range(5), 40), "ok": ANSWERS.ravel()})
    two = one.query("epoch < 3").assign(ok=True)
    found = gm.compare({"A": one, "B": two}, id="item", repeat="epoch", y_correct="ok", measures=["outcome"])
    assert found.items == 40
    assert found.difference("B", "A", "outcome")["difference"] == pytest.approx(1 - ANSWERS.mean())


def test_results_are_read_back():
    result = gm.evaluate(y_correct={"A": A, "B": B}, by={"site": SITE})
    again = type(result).from_json(result.to_json())
    assert str(again) == str(result)
    assert again.slice_spread == result.slice_spread
    assert again.comparison.differences == result.comparison.differences
    repeated = gm.evaluate(y_correct=ANSWERS.ravel(), id=ITEM)
    assert str(type(repeated).from_json(repeated.to_json())) == str(repeated)


def test_flaky_items_and_regressions_are_found_with_multiplicity():
    before = np.array([[1] * 10, [1] * 10, [1, 0] * 5, [0] * 10])
    after = np.array([[1] * 10, [0] * 9 + [1], [0, 1] * 5, [0] * 10])
    result = gm.evaluate(y_correct={"old": before.ravel(), "new": after.ravel()}, id=np.repeat(list("abcd"), 10))
    assert [x.item for x in result.cases("old") if x.flaky] == ["c"]
    first, *others = result.regressions("old", "new")
    oracle = stats.fisher_exact([[10, 0], [1, 9]], alternative="greater").pvalue
    assert (first.item, first.before, first.after) == ("b", 1.0, 0.1)
    assert first.p == pytest.approx(oracle)
    assert first.p_corrected == pytest.approx(4 * oracle)
    assert all(x.p_corrected == 1 for x in others)
    with pytest.raises(gm.InputError, match="graded"):
        gm.evaluate(y_correct={"A": GRADED, "B": GRADED}).regressions("A", "B")


def test_variance_between_and_within_items_is_estimated_without_bias():
    rng = np.random.default_rng(6)
    found = []
    for _ in range(40):
        answers = rng.random((100, 4)) < rng.beta(2, 2, 100)[:, None]
        found.append(gm.evaluate(y_correct=answers.ravel(), id=np.repeat(np.arange(100), 4)).variation())
    between, within = np.array([(x.between, x.within) for x in found]).T
    assert between.mean() == pytest.approx(0.05, abs=3 * between.std() / 40**0.5)  # the variance of a beta(2, 2)
    assert within.mean() == pytest.approx(0.2, abs=3 * within.std() / 40**0.5)
    assert found[0].error(100, 1) > found[0].error(100, 8) > found[0].error(200, 8)
    with pytest.raises(gm.InputError, match="fewer than two items have several answers"):
        gm.evaluate(y_correct=A).variation()


def test_repeated_ids_of_labels_need_repeat(tmp_path):
    true, pred, item = ["x", "y"] * 30, ["x", "y", "x"] * 20, np.repeat(np.arange(20), 3)
    which = np.tile([1, 2, 3], 20)
    with pytest.raises(gm.InputError, match=r"20 values of id occur more than once.*repeat=.*y_correct="):
        gm.evaluate(true, pred, id=item, measures="accuracy")
    found = gm.evaluate(true, pred, id=item, repeat=which, measures="accuracy").table
    assert str(found) == str(gm.evaluate(true, pred, groups=item, measures="accuracy").table)
    alone = gm.evaluate(true, pred, measures="accuracy").table
    assert str(gm.evaluate(true, pred, id=range(60), measures="accuracy").table) == str(alone)
    table = pd.DataFrame({"label": true, "pred": pred, "item": item, "epoch": which})
    table.to_csv(tmp_path / "t.csv", index=False)
    for data in (table, tmp_path / "t.csv"):
        again = gm.evaluate(data, y_true="label", y_pred="pred", id="item", repeat="epoch", measures="accuracy")
        assert [(x["low"], x["high"]) for x in again.table] == [(x["low"], x["high"]) for x in found]
        with pytest.raises(gm.InputError, match="occur more than once"):
            gm.compare(data, y_true="label", y_pred="pred", id="item")
    with pytest.raises(gm.InputError, match="occurs 3 times"):
        gm.evaluate(true, pred, id=item, repeat=[1] * 60)
    runs = {"A": table, "B": table}
    with pytest.raises(gm.InputError, match="y_correct="):
        gm.compare(runs, id="item", y_true="label", y_pred="pred")
    with pytest.raises(gm.InputError, match="cannot be combined with runs of labels"):
        gm.compare(runs, id="item", repeat="epoch", y_true="label", y_pred="pred")


def test_drift_of_outcomes_is_refused_with_a_way():
    result = gm.evaluate(y_correct=A)
    with pytest.raises(gm.InputError, match="compare periods as slices"):
        gm.drift(result, result)
