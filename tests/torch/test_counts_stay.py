"""Labels on an accelerator are counted there, and the counts of many classes stay there until they are asked for.

The tensors of these tests are on the CPU, and taken for tensors of an accelerator; `test_cuda.py` has real ones.
"""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import goodmeasure as gm  # noqa: E402
from goodmeasure.counts import labels as reading  # noqa: E402
from goodmeasure.counts.device import crossing  # noqa: E402

MANY = 70  # classes: their table is not copied at once


@pytest.fixture(autouse=True)
def accelerated(monkeypatch):
    torch.manual_seed(0)
    monkeypatch.setattr(crossing, "is_on_accelerator", lambda x: isinstance(x, torch.Tensor))


@pytest.fixture
def fetches(monkeypatch):
    """The tables that were fetched."""
    found, fetched = [], crossing._fetched
    monkeypatch.setattr(crossing, "_fetched", lambda table, *rest: found.append(table) or fetched(table, *rest))
    return found


def drawn(low, high, n=3000):
    return tuple(torch.randint(low, high, (n,)) for _ in range(2))


def on_the_host(*tensors):
    return tuple(x.numpy() for x in tensors)


@pytest.mark.parametrize(("low", "high"), [(0, 2), (0, 10), (3, 9), (-5, 4), (0, MANY), (900, 990), (-40, 60)])
def test_counts_equal_those_of_the_host(low, high):
    true, pred = drawn(low, high)
    assert gm.confusion(true, pred) == gm.confusion(*on_the_host(true, pred))


def test_weights_and_a_class_of_no_weight():
    true, pred = drawn(0, MANY)
    weights = torch.rand(len(true), dtype=torch.float64)
    weights[true == 3] = 0
    ours = gm.confusion(true, pred, sample_weight=weights)
    host = gm.confusion(*on_the_host(true, pred), sample_weight=weights.numpy())
    assert ours.labels == host.labels
    assert np.allclose(ours.counts, host.counts, rtol=1e-12, atol=0)


def test_booleans_and_named_classes():
    true, pred = (x.bool() for x in drawn(0, 2))
    assert gm.confusion(true, pred).labels == (False, True)
    true, pred = drawn(0, MANY)
    named = [*range(MANY - 1, -1, -1), 90]
    assert gm.confusion(true, pred, labels=named) == gm.confusion(*on_the_host(true, pred), labels=named)
    with pytest.raises(gm.InputError, match="occurs in the data but not in labels"):
        gm.confusion(true, pred, labels=range(40))


def test_named_classes_need_no_search_for_the_bounds(monkeypatch):
    monkeypatch.setattr(crossing, "_bounds", lambda *_: pytest.fail("the bounds are known"))
    true, pred = drawn(0, MANY)
    assert gm.confusion(true, pred, labels=range(MANY)).m == MANY


def test_counts_of_many_classes_stay_until_they_are_asked_for(fetches):
    true, pred = drawn(0, MANY)
    cm = gm.confusion(true, pred)
    assert (cm.m, cm.labels, cm.batch, cm.is_sparse, cm.dropped) == (MANY, tuple(range(MANY)), (), False, 0)
    assert not fetches
    assert cm.counts.sum() == cm.n == len(true)
    assert not cm.counts.flags.writeable
    assert gm.mcc(cm) == gm.mcc(*on_the_host(true, pred))
    assert len(fetches) == 1


@pytest.mark.parametrize(
    "used",
    [copy.deepcopy, lambda cm: pickle.loads(pickle.dumps(cm)), lambda cm: gm.ConfusionMatrix.from_json(cm.to_json()),
     lambda cm: gm.ConfusionMatrix.from_bytes(cm.to_bytes()), lambda cm: gm.ConfusionMatrix.from_arrow(cm.to_arrow()),
     lambda cm: gm.ConfusionMatrix(cm), lambda cm: cm.T.T, lambda cm: sum([cm]), lambda cm: cm.aligned(cm.labels)],
)  # fmt: skip
def test_a_matrix_whose_counts_stay_is_a_matrix_like_others(used):
    true, pred = drawn(0, MANY)
    assert used(gm.confusion(true, pred)) == gm.confusion(*on_the_host(true, pred))


def test_counting_on_and_evaluating_copy_no_labels(monkeypatch):
    true, pred = drawn(0, MANY)
    expected = gm.confusion(*on_the_host(true, pred))
    several = gm.evaluate(true.numpy(), {"A": pred.numpy(), "B": true.numpy()}, measures=["mcc"])
    monkeypatch.setattr(reading, "as_column", lambda *_: pytest.fail("labels were copied"))
    for module in ("streaming", "counting", "labels", "readers.arrays"):
        if hasattr(__import__(f"goodmeasure.counts.{module}", fromlist=["_"]), "as_column"):
            monkeypatch.setattr(f"goodmeasure.counts.{module}.as_column", reading.as_column)
    cm = gm.ConfusionMatrix.empty()
    for part in (slice(0, 1000), slice(1000, None)):
        cm.update(true[part], pred[part])
    assert cm == expected
    assert list(gm.evaluate(true, {"A": pred, "B": true}, measures=["mcc"]).table) == list(several.table)


def test_what_is_wrong_is_said_as_on_the_host():
    true, pred = drawn(0, 5)
    with pytest.raises(gm.InputError, match="length"):
        gm.confusion(true, pred[:-1])
    with pytest.raises(gm.InputError, match="length"):
        gm.evaluate(true, pred[:-1])
    with pytest.raises(gm.InputError, match="missing"):
        gm.confusion(true, pred, missing="later")
