"""Everything that is updated piece by piece can be updated from several threads, and loses nothing."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Callable
from threading import Thread

import numpy as np
import pytest

import goodmeasure
import goodmeasure as gm

THREADS, PIECES, SIZE = 8, 60, 100
TRUE, PRED = np.array([0, 1] * (SIZE // 2)), np.array([0, 0] * (SIZE // 2))
WEIGHT = np.full(SIZE, 0.5)
EVERY = THREADS * PIECES * SIZE


def at_once(work: Callable[[int], None]) -> None:
    """Run work in all threads, which are switched as often as possible."""
    failed: list[Exception] = []

    def run(k: int) -> None:
        try:
            for _ in range(PIECES):
                work(k)
        except Exception as error:  # noqa: BLE001 - it is raised again below
            failed.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [Thread(target=run, args=(k,)) for k in range(THREADS)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failed, failed[0]


def matrix() -> None:
    cm = gm.ConfusionMatrix.empty()
    at_once(lambda k: cm.update(TRUE, PRED))
    assert (cm.n, cm.counts.tolist()) == (EVERY, [[EVERY // 2, 0], [EVERY // 2, 0]])
    assert gm.accuracy(cm) == 0.5
    grown = gm.ConfusionMatrix.empty()  # every thread brings a class of its own, and weights
    at_once(lambda k: grown.update([str(k)] * 3, [str(k), "0", "1"], sample_weight=[1.0, 2.0, 3.0]))
    assert (grown.m, grown.n, grown.item_count) == (THREADS, 6 * THREADS * PIECES, 3 * THREADS * PIECES)
    assert grown.weighing.squares.n == 14 * THREADS * PIECES


def window() -> None:
    all_of_it, last = gm.SlidingWindow(THREADS * PIECES), gm.SlidingWindow(5)
    at_once(lambda k: (all_of_it.update(TRUE, PRED), last.update(TRUE, PRED)))
    assert (all_of_it.matrix.n, len(all_of_it)) == (EVERY, THREADS * PIECES)
    assert (last.matrix.n, len(last)) == (5 * SIZE, 5)


def training() -> None:
    torch = pytest.importorskip("torch")
    states = gm_torch_states()
    pred, true = torch.as_tensor(PRED), torch.as_tensor(TRUE)
    both = torch.stack([pred, true], 1)
    weight = torch.as_tensor(WEIGHT)

    def work(k: int) -> None:
        states["plain"].update(pred, true)
        states["forward"](pred, true)
        states["weighted"].update(pred, true, weight)
        states["multilabel"].update(both.double(), both)

    at_once(work)
    assert int(states["plain"].confusion().sum()) == int(states["forward"].confusion().sum()) == EVERY
    assert float(states["weighted"].confusion().sum()) == EVERY / 2
    assert int(states["multilabel"].confusion().sum()) == 2 * EVERY


def gm_torch_states() -> dict[str, object]:
    from goodmeasure.torch import Measures

    return {
        "plain": Measures(["mcc"], classes=2),
        "forward": Measures(["mcc"], classes=2),
        "weighted": Measures(["mcc"], classes=2, weighted=True),
        "multilabel": Measures(["f1"], classes=2, multilabel=True),
    }


CASES = {"ConfusionMatrix": matrix, "SlidingWindow": window, "Measures": training}


@pytest.mark.parametrize("name", CASES)
def test_eight_threads_lose_no_item(name):
    CASES[name]()


def test_everything_that_has_an_update_is_tried():
    found = set()
    for module in pkgutil.walk_packages(goodmeasure.__path__, "goodmeasure."):
        if module.name.endswith("__main__") or ".kernel._" in module.name:
            continue
        try:
            names = vars(importlib.import_module(module.name))
        except ImportError:  # an extra that is not installed
            continue
        found |= {
            x.__name__ for x in names.values()
            if isinstance(x, type) and x.__module__.startswith("goodmeasure.") and callable(vars(x).get("update"))
            and not x.__name__.startswith("_")
        }  # fmt: skip
    assert found <= set(CASES)


def test_whoever_reads_during_updates_sees_whole_pieces():
    cm = gm.ConfusionMatrix.empty()
    cm.update(["0"], ["0"])

    def work(k: int) -> None:
        if k % 2:
            cm.update([str(k)] * SIZE, [str(k)] * SIZE, sample_weight=np.ones(SIZE))
        else:
            now = cm.snapshot()
            assert now.counts.shape == (now.m, now.m)
            assert (now.n - 1) % SIZE == 0
            assert gm.accuracy(cm) == 1
            assert now.to_json() == now.snapshot().to_json()
            assert (gm.ConfusionMatrix.from_json(cm.to_json()).item_count - 1) % SIZE == 0
            assert (cm + cm).n % 2 == 0
            assert gm.evaluate(cm, measures=["accuracy"], confidence=None).matrix().m >= 1

    at_once(work)
    assert cm.n == 1 + THREADS // 2 * PIECES * SIZE
    assert gm.accuracy(cm) == 1
