"""Kernels are started on the device of their arguments, whichever device is the current one."""

from __future__ import annotations

import ast
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from goodmeasure.counts import device

HOME = Path(device.__file__).parent


def launches(tree):
    """Calls of `start`, with the nodes around each."""

    def walk(node, around):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "start":
            yield node, around
        for child in ast.iter_child_nodes(node):
            yield from walk(child, [*around, node])

    return list(walk(tree, []))


def is_guarded(around):
    return any(isinstance(x, ast.With) and "device_of(" in ast.unparse(x.items[0].context_expr) for x in around)


def functions_called_inside_a_guard(tree):
    guarded = [x for x in ast.walk(tree) if isinstance(x, ast.With) and is_guarded([x])]
    calls = [c for x in guarded for c in ast.walk(x) if isinstance(c, ast.Call)]
    return {c.func.id for c in calls if isinstance(c.func, ast.Name)}


@pytest.mark.parametrize("path", [x for x in HOME.glob("*.py") if x.name != "launching.py"], ids=lambda x: x.name)
def test_kernels_are_started_in_one_place(path):
    calls = [x for x in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(x, ast.Call)]
    assert not [ast.unparse(x) for x in calls if isinstance(x.func, ast.Subscript)]


@pytest.mark.parametrize("name", ["tally.py", "score_tensors.py", "multilabel_decisions.py", "crossing.py"])
def test_every_launch_stands_inside_the_guard(name):
    tree = ast.parse((HOME / name).read_text(encoding="utf-8"))
    called = functions_called_inside_a_guard(tree)
    found = launches(tree)
    assert found
    for _, around in found:
        own = [x.name for x in around if isinstance(x, ast.FunctionDef)]
        assert is_guarded(around) or own[-1] in called, own


def test_the_guard_is_that_of_the_tensor(monkeypatch):
    torch = pytest.importorskip("torch")
    from goodmeasure.counts.device.launching import device_of

    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)  # also where there is no device to ask
    elsewhere = SimpleNamespace(is_cuda=True, device=torch.device("cuda:1"))
    guard = device_of(elsewhere)
    assert isinstance(guard, torch.cuda.device)
    assert guard.idx == 1
    here = SimpleNamespace(is_cuda=True, device=torch.device("cuda:0"))
    assert isinstance(device_of(here), nullcontext)
    with device_of(torch.zeros(1)):  # nothing to guard on the CPU
        pass
