"""A matrix of weights remembers the items behind it, whatever is done with it."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.counts.kernel import tally

RNG = np.random.default_rng(3)
N = 60
TRUE = np.where(RNG.random(N) < 0.4, "spam", "ham")
PRED = np.where(RNG.random(N) < 0.85, TRUE, np.where(TRUE == "ham", "spam", "ham"))
WEIGHT = RNG.choice([0.0, 1.0, 25.0, 40.0], N)
MEASURES = ["accuracy", "mcc"]


def ends(result, class_=None):
    """Return the intervals of the overall values."""
    return [(row["measure"], row["low"], row["high"]) for row in result.table if row["class"] is None]


def behind(cm):
    """Return the items and squared weights of each cell as lists."""
    return [x.counts.tolist() for x in cm.weighing]


def of_all(items):
    """Return the matrix of some of the items."""
    return gm.confusion(TRUE[items], PRED[items], labels=["ham", "spam"], sample_weight=WEIGHT[items])


@pytest.fixture(scope="module")
def expected():
    """The intervals that the items themselves give."""
    return ends(gm.evaluate(TRUE, PRED, sample_weight=WEIGHT, measures=MEASURES))


WAYS = {
    "counted": lambda cm: cm,
    "added": lambda cm: of_all(slice(20)) + of_all(slice(20, N)),
    "subtracted": lambda cm: cm + of_all(slice(30)) - of_all(slice(30)),
    "json": lambda cm: gm.ConfusionMatrix.from_json(cm.to_json()),
    "bytes": lambda cm: gm.ConfusionMatrix.from_bytes(cm.to_bytes()),
    "arrow": lambda cm: gm.ConfusionMatrix.from_arrow(cm.to_arrow()),
    "pickle": lambda cm: pickle.loads(pickle.dumps(cm)),
    "copied": lambda cm: gm.ConfusionMatrix(cm),
    "turned twice": lambda cm: cm.T.T,
    "aligned": lambda cm: cm.aligned(["spam", "ham"]).aligned(["ham", "spam"]),
    "one against the rest": lambda cm: cm.vs_rest("spam"),
    "decayed by a common factor": lambda cm: cm.decayed(0.5),
    "of a result": lambda cm: gm.evaluate(TRUE, PRED, sample_weight=WEIGHT).matrix(),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_matrix_of_weights_has_the_intervals_of_its_items(way, expected):
    cm = WAYS[way](gm.confusion(TRUE, PRED, sample_weight=WEIGHT))
    assert cm.item_count == N
    assert [x[0] for x in expected] == MEASURES
    np.testing.assert_allclose([x[1:] for x in ends(gm.evaluate(cm, measures=MEASURES))], [x[1:] for x in expected])


def test_updates_and_windows_remember_the_items_too(expected):
    stream, window = gm.ConfusionMatrix.empty(["ham", "spam"]), gm.SlidingWindow(2, labels=["ham", "spam"])
    for piece in (slice(50), slice(0, 25), slice(25, N)):
        window.update(TRUE[piece], PRED[piece], sample_weight=WEIGHT[piece])
    for piece in (slice(0, 25), slice(25, N)):
        stream.update(TRUE[piece], PRED[piece], sample_weight=WEIGHT[piece])
    for cm in (stream, window.matrix, pickle.loads(pickle.dumps(window)).matrix):
        assert cm.item_count == N
        np.testing.assert_allclose([x[1:] for x in ends(gm.evaluate(cm, measures=MEASURES))], [x[1:] for x in expected])


def test_weighted_and_unweighted_pieces_add_up():
    plain, weighted = gm.confusion([0, 1, 1], [0, 1, 0]), gm.confusion([0, 1], [0, 1], sample_weight=[2.0, 3.0])
    both = gm.evaluate([0, 1, 1, 0, 1], [0, 1, 0, 0, 1], sample_weight=[1, 1, 1, 2, 3]).matrix()
    assert behind(plain + weighted) == behind(weighted + plain) == behind(both) == [[[2, 0], [1, 2]], [[5, 0], [1, 10]]]
    bare = gm.ConfusionMatrix([[0.5, 0.25], [0, 1]])
    assert (bare + weighted).weighing is None  # it is not known how many items are behind 0.5
    old = gm.ConfusionMatrix([[8, 2], [1, 9]]).decayed(0.5) + gm.ConfusionMatrix([[1, 0], [0, 1]])
    assert behind(old) == [[[9, 2], [1, 10]], [[3.0, 0.5], [0.25, 3.25]]]
    assert gm.ConfusionMatrix([[8, 2], [1, 9]]).calibrated().item_count == 20


def test_a_sparse_matrix_of_weights_remembers_its_items(monkeypatch):
    monkeypatch.setattr(tally, "MOST_DENSE", 16)
    monkeypatch.setattr("goodmeasure.counts.counting.MOST_DENSE", 16)
    monkeypatch.setattr("goodmeasure.counts.streaming.MOST_DENSE", 16)
    cm = gm.confusion(TRUE, PRED, sample_weight=WEIGHT)
    assert cm.is_sparse
    first, second = (gm.confusion(TRUE[x], PRED[x], sample_weight=WEIGHT[x]) for x in (slice(20), slice(20, N)))
    back = [cm, first + second, cm.T.T, *(kind.from_json(x.to_json()) for kind, x in [(gm.ConfusionMatrix, cm)])]
    back += [gm.ConfusionMatrix.from_bytes(cm.to_bytes()), pickle.loads(pickle.dumps(cm)), cm.decayed(1.0)]
    known = [ends(gm.evaluate(x, measures=MEASURES)) for x in back]
    monkeypatch.undo()
    for found in known:
        np.testing.assert_allclose(
            [x[1:] for x in found],
            [x[1:] for x in ends(gm.evaluate(TRUE, PRED, sample_weight=WEIGHT, measures=MEASURES))],
        )


def test_items_that_do_not_fit_their_matrix_are_refused():
    cm = gm.confusion(TRUE, PRED, sample_weight=WEIGHT)
    data = json.loads(cm.to_json())
    data["weighing"]["items"]["n"] += 1
    with pytest.raises(gm.InputError, match="damaged"):
        gm.ConfusionMatrix.from_json(data)
    with pytest.raises(gm.InputError, match="damaged"):
        gm.ConfusionMatrix.from_bytes(cm.to_bytes()[:-8])


def test_drift_and_projections_of_weighted_matrices_count_items():
    weight = np.full(N, 25.0)
    heavy, plain = gm.confusion(TRUE, PRED, sample_weight=weight), gm.confusion(TRUE, PRED)
    other = TRUE[::-1], PRED[::-1]
    later = [gm.confusion(*other, sample_weight=weight), gm.confusion(*other)]
    one, two = gm.drift(heavy, later[0], measures=["mcc"]), gm.drift(plain, later[1], measures=["mcc"])
    assert one.items == (N, N)
    assert (one.prevalence.p, one.changes[0].p) == (two.prevalence.p, two.changes[0].p)
    assert (one.changes[0].low, one.changes[0].high) == pytest.approx((two.changes[0].low, two.changes[0].high))
    for predicted in (None, [0.6, 0.4]):
        there = [gm.project(x, prevalence=0.4, predicted=predicted, measures=["mcc"]) for x in (heavy, plain)]
        assert there[0].interval("mcc") == pytest.approx(there[1].interval("mcc"), rel=1e-6)


def test_projections_take_labels_and_results_and_groups_widen_them():
    plain = gm.project((TRUE, PRED), prevalence=0.4, measures=["accuracy"]).interval("accuracy")
    assert gm.project(gm.evaluate(TRUE, PRED), prevalence=0.4, measures=["accuracy"]).interval("accuracy") == plain
    twice = gm.evaluate(np.repeat(TRUE, 9), np.repeat(PRED, 9), groups=np.repeat(np.arange(N), 9))
    grouped = gm.project(twice, prevalence=0.4, measures=["accuracy"]).interval("accuracy")
    assert grouped == pytest.approx(plain, abs=0.02)
    two = gm.evaluate(TRUE, {"A": PRED, "B": TRUE})
    assert list(gm.project(two, prevalence=0.4, measures=["accuracy"])) == ["A", "B"]


def test_bare_sums_of_weights_say_that_intervals_need_the_items():
    bare = gm.ConfusionMatrix([[30.5, 4.25], [3.5, 20.25]])
    said = "needs the items behind them"
    result = gm.evaluate(bare, measures=["accuracy"])
    assert any("sums of weights" in str(x) for x in result.warnings)
    assert said in gm.project(bare, prevalence=0.4).note
    assert any(said in x for x in gm.drift(bare, bare).notes)


def test_a_result_keeps_the_counts_that_it_was_made_of():
    cm = gm.ConfusionMatrix([[50, 3], [4, 20]])
    result = gm.evaluate(cm)
    cm.update([0, 1], [1, 0])
    assert result.matrix().n == 77
