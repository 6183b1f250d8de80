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


def work(rank, world, where, answers):
    torch.distributed.init_process_group("gloo", init_method=f"file://{where}", rank=rank, world_size=world)
    state = Measures(["mcc", "macro(f1)"], classes=5)
    target, pred = data()
    first, last = SHARES[world][rank]
    state.update(pred[first:last], target[first:last])
    found = {name: value.item() for name, value in state.compute().items()}
    twice = {name: value.item() for name, value in state.compute().items()}  # the local counts stay as they are
    answers.put((rank, found, twice, int(state.confusion().sum()), counted_in_a_parallel_model(rank)))
    torch.distributed.barrier()
    torch.distributed.destroy_process_group()


@pytest.mark.parametrize("world", [2, 3])
def test_every_process_gets_the_measures_of_all_items(world, tmp_path):
    context = processes.get_context("spawn")
    answers = context.SimpleQueue()
    processes.spawn(work, args=(world, str(tmp_path / "store"), answers), nprocs=world)
    target, pred = (x.numpy() for x in data())
    expected = {name: gm.measure(name)(target, pred, labels=range(5)) for name in ("mcc", "macro(f1)")}
    for _ in range(world):
        rank, found, twice, own, parallel = answers.get()
        assert found == pytest.approx(expected, abs=1e-12)
        assert twice == found
        assert own == SHARES[world][rank][1] - SHARES[world][rank][0]
        assert parallel == 3 * sum(4 + k for k in range(world))
