"""States of several processes: their counts are added up, whatever each of them has seen."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
if not torch.distributed.is_available():
    pytest.skip("PyTorch was built without distributed", allow_module_level=True)

import torch.multiprocessing as processes  # noqa: E402

import goodmeasure as gm  # noqa: E402
from goodmeasure.torch import Measures  # noqa: E402

SHARES = {2: [(0, 100), (100, 107)], 3: [(0, 60), (60, 60), (60, 107)]}
"""Which items each process sees: uneven shares, and with three processes an empty one."""


def data():
    generator = torch.Generator().manual_seed(3)
    target, pred = (torch.randint(0, 5, (107,), generator=generator) for _ in range(2))
    target[60:] = target[60:].clamp(max=3)  # class 4 is seen by one process only
    return target, pred


def logits_of(pred):
    return torch.nn.functional.one_hot(pred, 5).float() * 3 - 1


def weights_of(target):
    return (torch.arange(len(target)) % 7 + 1).double() / 4


def decisions_of(labels):
    """Whether each of five statements holds for an item."""
    return ((labels[:, None] + torch.arange(5)) % 3 == 0).long()


STATES = {
    "labels": lambda: Measures(["mcc", "macro(f1)"], classes=5),
    "logits": lambda: Measures(["mcc", "kappa"], classes=5),
    "ignored": lambda: Measures(["mcc", "accuracy"], classes=5, ignore_index=2),
    "scores": lambda: Measures(["macro(roc_auc)", "log_loss", "mcc"], classes=5, ignore_index=2),
    "scores and weights": lambda: Measures(["macro(roc_auc)", "brier"], classes=5, weighted=True),
    "weighted": lambda: Measures(["accuracy", "kappa"], classes=5, weighted=True),
    "multilabel": lambda: Measures(["f1", "mcc"], classes=5, multilabel=True, average="none"),
    "multilabel average": lambda: Measures(["f1"], classes=5, multilabel=True, average="weighted"),
}


def updated(name, first, last):
    """A state that has counted some of the items."""
    state = STATES[name]()
    target, pred = (x[first:last] for x in data())
    given = {
        "logits": (logits_of(pred), target),
        "scores": (logits_of(pred), target),
        "scores and weights": (logits_of(pred), target, weights_of(data()[0])[first:last]),
        "weighted": (pred, target, weights_of(data()[0])[first:last]),
        "multilabel": (decisions_of(pred), decisions_of(target)),
        "multilabel average": (decisions_of(pred), decisions_of(target)),
    }.get(name, (pred, target))
    state.update(*given)
    return state


def values(state, confidence=None):
    """All that a state computes, as lists."""
    found = state.compute() if confidence is None else state.compute(confidence=confidence)
    return {name: torch.stack(tuple(x)).tolist() if confidence else x.tolist() for name, x in found.items()}


def everything(first, last):
    """What all states say about some of the items, with intervals where there are some."""
    found = {}
    for name in STATES:
        state = updated(name, first, last)
        found[name] = values(state)
        if "multilabel" not in name:
            found[f"{name}, intervals"] = values(state, 0.9)
    return found


class Model(torch.nn.Module):
    """A model that counts inside its forward pass."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 5)
        self.seen = Measures(["accuracy"], classes=5)

    def forward(self, x, target):
        out = self.layer(x)
        self.seen.update(out, target)
        return out


def counted_in_a_parallel_model(rank):
    """How many items a wrapped model has counted in all processes after three batches."""
    model = torch.nn.parallel.DistributedDataParallel(Model())
    for _ in range(3):
        model(torch.ones(4 + rank, 2), torch.zeros(4 + rank, dtype=torch.int64)).sum().backward()
    return int(model.module.seen.matrix().n)


def faults_of_another_process(rank):
    """What a process says about a label out of range that another process has counted."""
    state = Measures(["accuracy"], classes=2)
    state.update(torch.tensor([0]), torch.tensor([7 if rank == 0 else 1]))
    try:
        state.compute()
    except gm.InputError as error:
        return str(error)
    return None


def work(rank, where, answers):
    """Put what this process finds as one of two and as one of three; the third takes part in the latter only."""
    for world in SHARES:
        if rank < world:
            answers.put((world, *found_among(rank, world, f"{where}{world}")))


def found_among(rank, world, where):
    torch.distributed.init_process_group("gloo", init_method=f"file://{where}", rank=rank, world_size=world)
    first, last = SHARES[world][rank]
    state = updated("labels", first, last)
    once, twice = values(state), values(state)  # the local counts stay as they are
    own = int(state.confusion().sum())
    more = counted_in_a_parallel_model(rank), faults_of_another_process(rank)
    found = rank, everything(first, last), once == twice, own, *more
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()
    return found


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What each process found, by the number of processes; to start one, with PyTorch in it, takes seconds."""
    queue = processes.get_context("spawn").SimpleQueue()
    where = tmp_path_factory.mktemp("distributed") / "store"
    processes.spawn(work, args=(str(where), queue), nprocs=max(SHARES))
    found = {world: [] for world in SHARES}
    for _ in range(sum(SHARES)):
        world, *answer = queue.get()
        found[world].append(answer)
    return found


@pytest.mark.parametrize("world", [2, 3])
def test_every_process_gets_the_measures_of_all_items(world, answers):
    expected = everything(0, 107)
    target, pred = (x.numpy() for x in data())
    for name in ("mcc", "macro(f1)"):
        assert expected["labels"][name] == pytest.approx(gm.measure(name)(target, pred, labels=range(5)), abs=1e-12)
    assert sorted(x[0] for x in answers[world]) == list(range(world))
    for rank, found, is_same_twice, own, parallel, fault in answers[world]:
        assert is_same_twice
        for name, parts in expected.items():
            for measure, value in parts.items():
                assert found[name][measure] == pytest.approx(value, abs=1e-12), (name, measure)
        assert own == SHARES[world][rank][1] - SHARES[world][rank][0]
        assert parallel == 3 * sum(4 + k for k in range(world))
        assert "1 labels" in fault
