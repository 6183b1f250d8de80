"""Starting kernels: which compiled variant is remembered for which call."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from goodmeasure.counts.device import launching  # noqa: E402


class Variant:
    """A compiled kernel that keeps what it was started with."""

    def __init__(self, takes_constants=True):
        self.takes_constants, self.started = takes_constants, []

    def __getitem__(self, grid):
        def run(*arguments):
            if not self.takes_constants:
                raise TypeError("function takes exactly 5 arguments (6 given)")
            self.started.append((grid, arguments))

        return run


class Kernel:
    """A kernel that keeps what it was called with, and returns its variant as Triton does."""

    def __init__(self, variant):
        self.variant, self.called = variant, []

    def __getitem__(self, grid):
        def run(*arguments, num_warps):
            self.called.append((grid, arguments, num_warps))
            return self.variant

        return run


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    monkeypatch.setattr(launching, "_variants", {})
    monkeypatch.setattr(launching, "_latest", {})
    monkeypatch.setattr(launching, "_remembers", [])


X = torch.zeros(64, dtype=torch.int64)


def test_the_second_call_of_a_kind_starts_the_variant():
    kernel = Kernel(Variant())
    launching.start(kernel, 3, 4, (X,), (32, 2.5), (True, 8))
    launching.start(kernel, 7, 4, (X,), (48, 1.5), (True, 8))
    assert kernel.called == [((3,), (X, 32, 2.5, True, 8), 4)]
    assert kernel.variant.started == [((7, 1, 1), (X, 48, 1.5, True, 8))]


@pytest.mark.parametrize(
    ("tensor", "number", "constant", "warps"),
    [(X.int(), 32, 8, 4), (X[1:], 32, 8, 4), (X, 33, 8, 4), (X, 1, 8, 4), (X, 2**31, 8, 4), (X, 32.0, 8, 4),
     (X, 32, 16, 4), (X, 32, 8, 8)],
)  # fmt: skip
def test_calls_that_triton_compiles_apart_are_of_different_kinds(tensor, number, constant, warps):
    kernel = Kernel(Variant())
    launching.start(kernel, 1, 4, (X,), (32,), (8,))
    launching.start(kernel, 1, warps, (tensor,), (number,), (constant,))
    assert len(kernel.called) == 2
    assert not kernel.variant.started


def test_two_kernels_have_variants_of_their_own():
    one, other = Kernel(Variant()), Kernel(Variant())
    for kernel in (one, other):
        launching.start(kernel, 1, 4, (X,), (32,), (8,))
    assert len(one.called) == len(other.called) == 1


@pytest.mark.parametrize("variant", [None, Variant(takes_constants=False)])
def test_where_variants_cannot_be_started_the_kernel_is_called(variant):
    kernel = Kernel(variant)
    for _ in range(4):
        launching.start(kernel, 1, 4, (X,), (32,), (8,))
    assert len(kernel.called) == 4


def test_on_other_devices_than_those_of_nvidia_nothing_is_remembered(monkeypatch):
    monkeypatch.setattr(torch.version, "hip", "6.0")
    kernel = Kernel(Variant())
    for _ in range(2):
        launching.start(kernel, 1, 4, (X,), (32,), (8,))
    assert len(kernel.called) == 2
