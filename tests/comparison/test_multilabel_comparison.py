"""Comparisons of systems that give several labels to an item."""

from __future__ import annotations

import json

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.evaluation.p_values import mcnemar

LABELS = ["a", "b", "c"]


def systems(n=120, seed=0, worse=0.1, **options):
    rng = np.random.default_rng(seed)
    true = rng.random((n, 3)) < [0.2, 0.4, 0.5]
    one, two = (true ^ (rng.random((n, 3)) < x) for x in (0.1, 0.1 + worse))
    return {name: gm.multilabel(true, x, labels=LABELS, **options) for name, x in (("A", one), ("B", two))}


def cells_of(found):
    """Return 2 · true + predicted for each label of each item."""
    return found.decisions.cells(slice(0, found.decisions.items))


def test_differences_are_those_of_the_averages():
    both = systems()
    found = gm.compare(both, measures=["f1", "mcc"])
    assert found.systems == ("A", "B")
    for row in found.differences:
        values = [x.exact_match if row["average"] is None else x.average(row["measure"], row["average"])
                  for x in both.values()]  # fmt: skip
        assert row["difference"] == pytest.approx(values[0] - values[1])
    for row in found.scores:
        if row["average"] is not None:
            assert (row["low"], row["high"]) == both[row["system"]].interval(row["measure"], row["average"])


@pytest.mark.parametrize("rows", ["scores", "differences"])
def test_rows_have_the_columns_of_the_frame_in_their_order(rows):
    found = gm.compare(systems(), measures=["f1"], replicates=50)
    columns = tuple(found.to_frame(rows=rows).columns)
    assert {tuple(row) for row in getattr(found, rows)} == {columns}
    if rows == "differences":
        assert tuple(found.difference("B", "A", "f1")) == columns


def test_the_test_of_the_exact_match_is_mcnemars():
    both = systems(n=80, worse=0.05)
    right = [np.isin(cells_of(x), (0, 3)).all(axis=1) for x in both.values()]
    alone = [int((right[k] & ~right[1 - k]).sum()) for k in (0, 1)]
    row = gm.compare(both, measures=["f1"], replicates=20_000).difference("A", "B", "exact_match", None)
    assert row["p"] == pytest.approx(mcnemar(*alone, mid=True), abs=0.01)


def test_brute_force_swaps_give_the_same_p_value():
    both = systems(n=60, worse=0.04, seed=3)
    true, one, two = cells_of(both["A"]) >= 2, cells_of(both["A"]) % 2 == 1, cells_of(both["B"]) % 2 == 1
    found = gm.compare(both, measures=["f1"], replicates=4000)
    rng, beyond = np.random.default_rng(0), dict.fromkeys(("macro", "micro", "weighted", "samples"), 0)
    for _ in range(500):
        swap = rng.integers(0, 2, (60, 1)).astype(bool)
        first, second = gm.multilabel(true, np.where(swap, two, one)), gm.multilabel(true, np.where(swap, one, two))
        for name in beyond:
            seen = abs(found.difference("A", "B", "f1", name)["difference"])
            beyond[name] += abs(first.average("f1", name) - second.average("f1", name)) >= seen - 1e-12
    for name, number in beyond.items():
        assert found.difference("A", "B", "f1", name)["p"] == pytest.approx(number / 500, abs=0.06)


@pytest.mark.parametrize("worse", [0.0, 0.04, 0.1])
@pytest.mark.parametrize("grouped", [False, True])
def test_intervals_hold_0_exactly_where_the_test_does_not_reject(worse, grouped):
    both = systems(worse=worse, groups=np.arange(120) // 6 if grouped else None)
    for row in gm.compare(both, measures=["f1", "recall"]).differences:
        assert (row["low"] <= 0 <= row["high"]) == (row["p"] >= 0.05) or "ends at 0" in row["reason"]
        assert row["low"] <= row["difference"] <= row["high"]


def test_normal_and_permutation_tests_agree():
    both = systems(n=400, worse=0.03)
    swaps, normal = (gm.compare(both, measures=["f1"], method=x).differences for x in ("auto", "normal"))
    for one, two in zip(swaps, normal, strict=True):
        assert (one["method"], two["method"]) == ("permutation", "normal")
        assert one["p"] == pytest.approx(two["p"], abs=0.03)


def test_order_of_systems_does_not_matter():
    both = systems(n=60)
    one = gm.compare(both, measures=["f1"])
    two = gm.compare(dict(reversed(both.items())), measures=["f1"])
    for row in one.differences:
        other = two.difference("A", "B", row["measure"], row["average"])
        assert {**other, "low": None, "high": None} == {**row, "low": None, "high": None}
        assert (other["low"], other["high"]) == pytest.approx((row["low"], row["high"]))


def test_p_values_are_corrected_over_pairs_or_over_everything():
    both = systems(n=60)
    true = cells_of(both["A"]) >= 2
    three = {**both, "C": gm.multilabel(true, true, labels=LABELS)}
    by_pair = gm.compare(three, measures=["f1"])
    least = min((x for x in by_pair.differences if x["average"] == "macro"), key=lambda x: x["p"])
    assert least["p_corrected"] == pytest.approx(3 * least["p"])
    every = gm.compare(three, measures=["f1"], correct="all")
    assert min(x["p_corrected"] for x in every.differences) == pytest.approx(
        15 * min(x["p"] for x in every.differences)
    )


def test_systems_on_other_items_and_options_that_do_not_apply_are_refused():
    both = systems()
    with pytest.raises(gm.InputError, match="different labels, true labels, weights or groups"):
        gm.compare({"A": both["A"], "B": systems(seed=1)["B"]})
    with pytest.raises(gm.InputTypeError, match="by cannot be combined with several labels"):
        gm.compare(both, by={"s": [1] * 120})
    with pytest.raises(gm.InputError, match="method is 'bootstrap'"):
        gm.compare(both, method="bootstrap")


def test_every_format_shows_the_differences(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    found = gm.compare(systems(), measures=["f1"])
    for text in (found.to_html(), found.to_markdown(), found.to_latex(), str(found), found._repr_html_()):
        assert "Exact match" in text
        assert "Macro F1" in text
    data = json.loads(found.to_json())
    assert data["schema"] == "goodmeasure/comparison/1"
    assert len(data["differences"]) == 5
    assert len(found.to_csv().splitlines()) == 6
    assert len(found.to_frame("polars", "scores")) == 10
    assert "A and B differ significantly in 5 of 5 averages." in str(found)


def test_averages_have_ranks_and_winners():
    found = gm.compare(systems(n=200, worse=0.1), measures=["f1"], replicates=200)
    assert found.leaders["macro(f1)"] == found.winners["macro(f1)"] == found.winners["exact_match"] == ("A",)
    assert found.ranks["samples(f1)"] == {"A": 1, "B": 2}
    assert found.best_probability["exact_match"]["A"] > 0.9
    assert found.score("A", "f1") is found.score("A", "f1", "macro") is found.score("A", "macro(f1)")
    assert found.difference("A", "B", "exact_match") is found.difference("A", "B", "exact_match", None)
    assert (found.matrices, found.slices, found.ensemble) == ({}, {}, ())


def test_a_single_system_is_shown_in_every_format():
    found = gm.compare({"A": systems()["A"]}, measures=["f1"])
    for text in (found.to_html(), found.to_markdown(), str(found)):
        assert "There is only one system" in text
