"""Starting Triton kernels: on the right device, with a suitable number of programs, and at little cost to the host.

Triton finds out at every call which compiled variant of a kernel suits the arguments: their types, which pointers and
numbers are divisible by 16, which numbers are 1. That takes longer than most of the work here, so `start` remembers the
variant of each kind of call and starts it directly. What the variant depends on is the key under which it is
remembered.

A kernel is started on the current device, whatever device its arguments are on. So every start stands inside
`device_of(tensor)`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure.typing import Namespace

if TYPE_CHECKING:
    import torch

Constants = tuple[int | bool | str, ...]  # arguments that a kernel is compiled for


class Launch(NamedTuple):
    """How a kernel is started: how many programs, how many items each takes at once, and how many warps it has."""

    programs: int
    block: int
    warps: int


_processors: dict[int, int] = {}  # the multiprocessors of each device
_variants: dict[tuple[object, ...], Namespace] = {}  # by all that a variant depends on
_latest: dict[tuple[object, ...], Namespace] = {}  # the same by the numbers themselves, which is found faster
_MOST_LATEST = 1024
_remembers: list[bool] = []  # whether variants can be started directly, once that is known


def device_of(tensor: torch.Tensor) -> AbstractContextManager[object]:
    """Return a context in which kernels start on the device of a tensor."""
    import torch

    if not tensor.is_cuda or _is_only_one() or tensor.device.index == torch.cuda.current_device():
        return nullcontext()
    return torch.cuda.device(tensor.device.index)


@lru_cache(None)
def _is_only_one() -> bool:
    """Return whether there is no other device than the current one."""
    import torch

    return torch.cuda.device_count() == 1


def current_stream() -> int:
    """Return the stream on which kernels start now, as Triton asks for it."""
    from triton.runtime import driver

    found = driver.active
    return int(found.get_current_stream(found.get_current_device()))


def launch_for(tensor: torch.Tensor, items: int, block: int, warps: int, each: int) -> Launch:
    """Return a launch with at most `each` programs on every multiprocessor."""
    device = tensor.get_device()
    if device not in _processors:
        import torch

        known = torch.cuda.get_device_properties(device) if tensor.is_cuda else None
        _processors[device] = 1 if known is None else int(known.multi_processor_count)
    return Launch(max(1, min(_processors[device] * each, -(-items // block))), block, warps)


def start(
    kernel: Namespace, programs: int, warps: int, tensors: tuple[torch.Tensor, ...],
    numbers: tuple[int | float, ...], constants: Constants,
) -> None:  # fmt: skip
    """Start a kernel, whose parameters are tensors, then numbers, then constants that it is compiled for."""
    kinds = [(x.dtype, x.data_ptr() & 15) for x in tensors]
    same = (id(kernel), warps, numbers, constants, tensors[0].get_device(), *kinds)
    variant = _latest.get(same)
    if variant is None:  # it may be known for other numbers of the same kinds
        key = (*same[:2], tuple(map(_kind, numbers)), *same[3:])
        variant = _variants.get(key)
        if variant is None:
            variant = kernel[(programs,)](*tensors, *numbers, *constants, num_warps=warps)
            if variant is not None and _can_remember():  # the interpreter has no variants
                _variants[key] = variant
            return
        if len(_latest) >= _MOST_LATEST:
            _latest.clear()
        _latest[same] = variant
    try:
        variant[(programs, 1, 1)](*tensors, *numbers, *constants)
    except TypeError:  # before Triton 3.2, variants take no constants
        _remembers[:] = [False]
        _variants.clear()
        _latest.clear()
        kernel[(programs,)](*tensors, *numbers, *constants, num_warps=warps)


def _kind(x: float) -> object:
    """Return what a variant depends on: the type of a number, whether it is divisible by 16, and whether it is 1."""
    return (x & 15 == 0, x == 1, -(2**31) <= x < 2**31) if isinstance(x, int) else float


def _can_remember() -> bool:
    """Return whether the key says all that variants depend on: on AMD's devices they depend on more."""
    if not _remembers:
        import torch

        _remembers.append(torch.version.hip is None)
    return _remembers[0]
