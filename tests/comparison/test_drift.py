"""What changed between two periods: against other libraries, by simulation, and on data of any kind."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from statsmodels.stats.proportion import confint_proportions_2indep

import goodmeasure as gm
from tests.cli.command import call

BEFORE = gm.ConfusionMatrix([[90, 6, 4], [5, 40, 5], [2, 8, 40]], labels=["a", "b", "c"])
AFTER = gm.ConfusionMatrix([[60, 10, 10], [6, 55, 9], [9, 15, 76]], labels=["a", "b", "c"])


def chi_squared(one, two):
    return chi2_contingency(np.stack([one, two]), correction=False).pvalue


@pytest.fixture(scope="module")
def found():
    return gm.drift(BEFORE, AFTER, measures=["accuracy", "mcc", "macro(f1)"], replicates=20_000)


def test_shares_are_tested_as_by_pearson(found):
    assert found.prevalence.p == pytest.approx(chi_squared(BEFORE.a, AFTER.a), abs=0.004)
    other = gm.ConfusionMatrix([[85, 9, 6], [5, 40, 5], [2, 8, 40]], labels=["a", "b", "c"])
    near = gm.drift(BEFORE, other, measures=["accuracy"], replicates=20_000)
    assert near.predicted.p == pytest.approx(chi_squared(BEFORE.b, other.b), abs=0.02)
    assert near.prevalence.p == 1.0
    assert not near.drifted


def test_the_recalls_of_classes_are_tested_one_by_one(found):
    for k, change in enumerate(found.recall.changes):
        hits = [x.counts[k, k] for x in (BEFORE, AFTER)]
        misses = [x.a[k] - x.counts[k, k] for x in (BEFORE, AFTER)]
        assert (change.label, change.before, change.after) == ("abc"[k], hits[0] / BEFORE.a[k], hits[1] / AFTER.a[k])
        assert change.p == pytest.approx(chi_squared([hits[0], misses[0]], [hits[1], misses[1]]), abs=0.07)


def test_the_interval_of_a_share_is_newcombes(found):
    change = found.change("accuracy")
    hits = [int(np.trace(x.counts)) for x in (AFTER, BEFORE)]
    low, high = confint_proportions_2indep(hits[0], AFTER.n, hits[1], BEFORE.n, method="newcomb", compare="diff")
    assert (change.low, change.high) == pytest.approx((low, high), abs=1e-9)
    for k, one in enumerate(found.prevalence.changes):
        ends = confint_proportions_2indep(AFTER.a[k], AFTER.n, BEFORE.a[k], BEFORE.n, method="newcomb", compare="diff")
        assert (one.low, one.high) == pytest.approx(ends, abs=1e-9)


def test_values_are_those_of_evaluate(found):
    for name in ("accuracy", "mcc", "macro(f1)"):
        change = found.change(name)
        assert change.before == gm.measure(name)(BEFORE)
        assert change.after == gm.measure(name)(AFTER)
        assert change.change == change.after - change.before
        assert change.low < change.change < change.high


def test_what_the_class_shares_explain_is_told_apart():
    """The same recalls with other class shares: the whole change is expected."""
    before, after = gm.ConfusionMatrix([[180, 20], [10, 90]]), gm.ConfusionMatrix([[90, 10], [80, 720]])
    found = gm.drift(before, after, measures=["precision", "mcc"])
    for change in found.changes:
        assert change.expected == pytest.approx(change.after)
    assert found.prevalence.changed(0.05)
    assert not found.recall.changed(0.05)
    assert "Class shares: a significant change" in repr(found)
    assert "Recall by class: no significant change (p = 1.000)." in repr(found)


@pytest.mark.parametrize("items", [40, 400])
def test_where_nothing_changed_alarms_are_rare(items):
    rng, alarms, changed = np.random.default_rng(5), 0, 0
    cells = np.array([[0.5, 0.1, 0.02], [0.03, 0.2, 0.02], [0.01, 0.02, 0.1]])
    for k in range(120):
        pair = (rng.multinomial(n, cells.ravel()).reshape(3, 3) for n in (items, 2 * items))
        found = gm.drift(*pair, measures=["accuracy"], replicates=199, seed=k)
        alarms += found.drifted
        changed += found.change("accuracy").p < 0.05
    assert alarms <= 14  # 5% of 120 are 6; more than 14 come with a probability of 0.1%
    assert changed <= 14


def test_a_change_is_found():
    rng, found = np.random.default_rng(6), 0
    before, after = np.array([[0.45, 0.05], [0.05, 0.45]]), np.array([[0.4, 0.1], [0.1, 0.4]])
    for k in range(60):
        pair = (rng.multinomial(600, x.ravel()).reshape(2, 2) for x in (before, after))
        found += gm.drift(*pair, measures=["accuracy"], replicates=199, seed=k).recall.changed(0.05)
    assert found >= 50


def test_labels_results_and_matrices_say_the_same():
    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 2, (2, 80))
    later, guessed = rng.integers(0, 2, (2, 120))
    by_labels = gm.drift((true, pred), (later, guessed))
    by_matrices = gm.drift(gm.confusion(true, pred), gm.confusion(later, guessed))
    by_results = gm.drift(gm.evaluate(true, pred), gm.evaluate(later, guessed))
    assert by_labels.to_json() == by_matrices.to_json() == by_results.to_json()


def test_weights_and_groups_count_for_less():
    """Ten copies of each item in a group are no more evidence than the item."""
    rng = np.random.default_rng(1)
    true, pred = rng.integers(0, 2, (2, 40))
    later, guessed = rng.integers(0, 2, 40), rng.integers(0, 2, 40)

    def copied(labels, times):
        return np.repeat(labels, times)

    alone = gm.drift((true, pred), (later, guessed), measures=["accuracy"])
    groups = np.repeat(np.arange(40), 10)
    ten = gm.drift(
        gm.evaluate(copied(true, 10), copied(pred, 10), groups=groups),
        gm.evaluate(copied(later, 10), copied(guessed, 10), groups=groups), measures=["accuracy"],
    )  # fmt: skip
    assert ten.prevalence.p == pytest.approx(alone.prevalence.p, abs=0.08)
    assert ten.change("accuracy").change == pytest.approx(alone.change("accuracy").change)
    heavy = gm.evaluate(true, pred, sample_weight=np.full(40, 7.0))
    same = gm.drift(heavy, gm.evaluate(later, guessed), measures=["accuracy"])
    assert same.prevalence.p == pytest.approx(alone.prevalence.p, abs=1e-9)
    assert same.items == (40.0, 40.0)
    with pytest.raises(gm.InputError, match="only one of before and after has groups"):
        gm.drift(gm.evaluate(true, pred, groups=np.arange(40)), (later, guessed))


def test_a_class_may_appear_or_vanish():
    found = gm.drift((["a", "b"] * 30, ["a", "b"] * 30), (["b", "c"] * 30, ["b", "b"] * 30), measures=["accuracy"])
    assert [x.label for x in found.prevalence.changes] == ["a", "b", "c"]
    assert [x.reason is None for x in found.recall.changes] == [False, True, False]
    assert found.prevalence.changed(0.05)
    assert math.isnan(found.change("accuracy").expected)  # nothing is known of the recall of class c before
    assert "from shares" in repr(found)


def test_everything_can_be_written_down(found):
    data = json.loads(found.to_json())
    assert data["schema"] == "goodmeasure/drift/1"
    assert [x["what"] for x in data["tests"]] == ["class shares", "predicted shares", "recall by class"]
    assert len(data["changes"]) == 3
    assert max(map(len, repr(found).splitlines()[6:])) <= 80
    assert found._repr_html_().count("<tr>") == 4
    assert "&lt;b&gt;" in gm.drift((["<b>", "c"] * 30, ["c", "c"] * 30), (["c"] * 9, ["c"] * 9))._repr_html_()


@pytest.mark.parametrize(
    ("before", "words"),
    [
        (3, "before is int"),
        (gm.ConfusionMatrix(np.ones((2, 2, 2), int)), "before is a batch"),
        (gm.ConfusionMatrix([[0, 0], [0, 0]]), "before holds no items"),
        (gm.evaluate([0, 1], {"A": [0, 1], "B": [1, 1]}), "before has 2 systems"),
        ((["a"], ["a"]), "labels|classes"),
    ],
)
def test_what_cannot_be_compared_is_refused(before, words):
    with pytest.raises((gm.InputError, gm.InputTypeError), match=words):
        gm.drift(before, gm.ConfusionMatrix([[1, 2], [3, 4]]))


def test_the_command_compares_two_files(tmp_path):
    rng = np.random.default_rng(2)
    for name, share in (("may.csv", 0.2), ("june.csv", 0.7)):
        true = np.where(rng.random(200) < share, "spam", "ham")
        (tmp_path / name).write_text("\n".join(["label,pred", *(f"{x},{x}" for x in true), ""]))
    done = call("drift", "may.csv", "june.csv", "--measures", "mcc,accuracy", cwd=tmp_path, check=0)
    assert "200 items before, 200 after." in done.out
    assert "Class shares: a significant change" in done.out
    data = json.loads(call("drift", "may.csv", "june.csv", "--json", cwd=tmp_path, check=0).out)
    assert data["drifted"] is True
    assert "there is no file" in call("drift", "may.csv", "july.csv", cwd=tmp_path, check=2).err
