"""A job that looks every night: what it says stays right however often it looks."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import betaln
from scipy.stats import hypergeom

import goodmeasure as gm
from goodmeasure.comparison.sequential_drift import _fisher, _unrefuted
from goodmeasure.evaluation.intervals.proportions import Proportion
from tests.cli.command import call


def night(rng, accuracy=0.9, items=200, prevalence=0.3):
    true = rng.random(items) < prevalence
    predicted = np.where(rng.random(items) < accuracy, true, ~true)
    return gm.confusion(true.astype(int), predicted.astype(int))


def grouped(rng, groups=20, size=10):
    true = np.repeat(rng.random(groups) < 0.5, size)
    predicted = np.where(rng.random(groups * size) < 0.9, true, ~true)
    return gm.evaluate(
        true, predicted, groups=np.repeat(np.arange(groups), size), measures="accuracy", classwise=False,
        confidence=None,
    )  # fmt: skip


def stories(results, **options):
    return [gm.drift(results[:k], results[k], sequential=True, **options) for k in range(1, len(results))]


@pytest.mark.parametrize("made", [night, grouped])
def test_on_unchanged_nights_hardly_any_job_ever_rings(made):
    rng, rung, missed = np.random.default_rng(1), 0, 0
    for _ in range(20):
        seen = stories([made(rng) for _ in range(15)], measures="accuracy")
        rung += any(x.drifted for x in seen)
        missed += any(not x.interval("accuracy").low <= 0.9 <= x.interval("accuracy").high for x in seen)
        missed += any(not x.change("accuracy").low <= 0 <= x.change("accuracy").high for x in seen)
    assert rung <= 3  # of 20 jobs; at 5% for each, more come with a probability of 1.6%
    assert missed <= 4


def test_a_real_drop_is_found_within_three_nights_and_dated():
    rng, found = np.random.default_rng(2), []
    for _ in range(10):
        results = [night(rng, 0.92, 500) for _ in range(20)] + [night(rng, 0.84, 500) for _ in range(3)]
        seen = [gm.drift(results[:k], results[k], sequential=True, measures="accuracy") for k in (20, 21, 22)]
        found.append(next((k for k, x in enumerate(seen, 1) if x.drifted), None))
        assert seen[-1].interval("accuracy").low < seen[-1].interval("accuracy").value
        assert not seen[-1].drifted or seen[-1].since in (1, 2, 4)
    assert sum(x is not None for x in found) >= 9


def test_a_small_lasting_change_is_found_by_many_nights_together():
    """Each night alone is within three standard errors of before."""
    rng = np.random.default_rng(4)
    results = [night(rng, 0.9, 500) for _ in range(40)] + [night(rng, 0.865, 500) for _ in range(40)]
    last = gm.drift(results[:-1], results[-1], sequential=True, measures="accuracy")
    assert last.drifted
    assert last.since >= 8
    assert f"The latest {last.since} results differ most from the others." in repr(last)


def test_intervals_become_narrower_night_by_night():
    rng = np.random.default_rng(5)
    seen = stories([night(rng) for _ in range(12)], measures=["accuracy", "mcc"])
    for name in ("accuracy", "mcc"):
        widths = [x.interval(name).high - x.interval(name).low for x in seen]
        assert widths[-1] < widths[0] / 1.5
        assert sum(b > a for a, b in pairwise(widths)) <= 3
    assert [seen[0].interval(x).method for x in ("accuracy", "mcc")] == ["betting", "smoothed, normal mixture"]


def test_the_interval_of_a_proportion_is_what_a_bet_has_not_refuted():
    for hits, items in ((0, 5), (7, 10), (990, 1000), (12, 12)):
        low, high = _unrefuted(Proportion(hits / items, items), 0.05)
        shares = np.linspace(1e-6, 1 - 1e-6, 20_001)
        wealth = betaln(hits + 0.5, items - hits + 0.5) - betaln(0.5, 0.5)
        wealth = wealth - hits * np.log(shares) - (items - hits) * np.log1p(-shares)
        kept = shares[wealth <= math.log(20)]
        assert (low, high) == pytest.approx((kept[0], kept[-1]), abs=1e-4)


def test_shares_are_tested_exactly_far_out_in_the_tail():
    for hits, items, right, total in ((3, 10, 80, 100), (480, 500, 9000, 10_000), (20, 500, 1100, 10_500)):
        law = hypergeom(total, right, items)
        exact = min(1.0, 2 * min(law.cdf(hits), law.sf(hits - 1)))
        assert _fisher(hits, items, right, total) == pytest.approx(exact, rel=1e-6)


def test_results_matrices_labels_and_their_json_say_the_same(tmp_path):
    rng = np.random.default_rng(6)
    pairs = [(rng.integers(0, 2, 80), rng.integers(0, 2, 80)) for _ in range(4)]
    results = [gm.evaluate(*x, measures=["mcc"]) for x in pairs]
    for k, x in enumerate(results):
        (tmp_path / f"{k}.json").write_text(x.to_json(), encoding="utf-8")
    kinds = [
        results, pairs, [gm.confusion(*x) for x in pairs], [x.to_json() for x in results],
        [json.loads(x.to_json()) for x in results], [str(tmp_path / f"{k}.json") for k in range(4)],
        [gm.confusion(*x).to_json() for x in pairs],
    ]  # fmt: skip
    seen = [gm.drift(x[:3], x[3], sequential=True).to_json() for x in kinds]
    assert len(set(seen)) == 1
    data = json.loads(seen[0])
    assert (data["sequential"], data["results"], data["drifted"]) == (True, 4, False)
    assert {x["measure"] for x in data["sequences"]} == {x["measure"] for x in data["changes"]}


def test_groups_and_weights_are_kept_in_stored_results_and_a_drift_is_read_back():
    rng = np.random.default_rng(9)
    results = [grouped(rng) for _ in range(4)]
    stored = [x.to_json() for x in results]
    found = gm.drift(stored[:3], stored[3], sequential=True, measures="accuracy")
    assert found.to_json() == gm.drift(results[:3], results[3], sequential=True, measures="accuracy").to_json()
    back = gm.Drift.from_json(found.to_json())
    assert (back.sequential, back.interval("accuracy")) == (True, found.interval("accuracy"))


def test_what_cannot_be_a_history_is_refused():
    rng = np.random.default_rng(7)
    one = night(rng)
    for history, said in (([], "before is empty"), (one, "expected a list of results"), (["{}"], "before holds None")):
        with pytest.raises(gm.GoodmeasureError, match=said):
            gm.drift(history, one, sequential=True)
    with pytest.raises(gm.InputError, match="no confidence sequence"):
        gm.drift(one, one).interval("mcc")
    several = gm.evaluate([0, 1] * 9, {"A": [0, 1] * 9, "B": [1, 0] * 9}).to_json()
    with pytest.raises(gm.InputError, match="before has 2 systems"):
        gm.drift([several], one, sequential=True)


def test_the_command_takes_a_folder_and_ends_with_1_where_it_rings(tmp_path):
    rng = np.random.default_rng(8)
    history = tmp_path / "history"
    history.mkdir()

    def rows(path, accuracy):
        true = rng.random(400) < 0.3
        predicted = np.where(rng.random(400) < accuracy, true, ~true)
        lines = [f"{int(a)},{int(b)}" for a, b in zip(true, predicted, strict=True)]
        path.write_text("\n".join(["true,pred", *lines]) + "\n", encoding="utf-8")

    rows(history / "1.csv", 0.92)
    rows(tmp_path / "second.csv", 0.92)
    (history / "2.json").write_text(call("evaluate", tmp_path / "second.csv", "--json").stdout, encoding="utf-8")
    rows(history / "3.csv", 0.92)
    rows(tmp_path / "same.csv", 0.92)
    rows(tmp_path / "worse.csv", 0.7)
    quiet = call("drift", "--history", history, tmp_path / "same.csv", check=0).stdout
    assert "1,200 items in 3 earlier results, 400 today" in quiet
    assert "No alarm. However often one looks" in quiet
    seen = json.loads(call("drift", "--history", history, tmp_path / "worse.csv", "--json", check=1).stdout)
    assert seen["drifted"]
    assert "name BEFORE and AFTER" in call("drift", tmp_path / "same.csv", check=2).stderr
    (tmp_path / "empty").mkdir()
    assert (
        "holds no earlier result" in call("drift", "--history", tmp_path / "empty", history / "1.csv", check=2).stderr
    )
