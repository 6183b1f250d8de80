"""Bootstrap intervals of many confusion matrices at once, resampled and measured on their device.

A resample of n items with replacement has counts of the multinomial distribution with the shares of the cells. It is
drawn in two steps: first the class sizes, then the cells of each row, each as a chain of binomial numbers, so that a
matrix of m classes takes 2 m calls for all matrices and all resamples together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch

from goodmeasure.exceptions import InputError
from goodmeasure.keywords import check_options
from goodmeasure.options import DifferenceOptions
from goodmeasure.torch.measure_state import Estimate, named_of_counts
from goodmeasure.typing import AnyArray

if TYPE_CHECKING:
    from goodmeasure.catalogue.measure import Measure
    from goodmeasure.language.policy import Undefined

_METHODS = ("percentile", "bca")
_CELLS_AT_ONCE = {"cpu": 1 << 22, "cuda": 1 << 27}  # numbers in the resamples of one piece: 32 MB, 1 GB


def intervals(
    counts: torch.Tensor,
    measures: object,
    *,
    confidence: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    method: str = "percentile",
    undefined: Undefined = "resolve",
) -> dict[str, Estimate]:
    """Return the values of measures on confusion matrices (…, m, m), with bootstrap intervals, beside the counts.

    `method` is "percentile" or "bca" (bias-corrected and accelerated). Resamples on which a measure is undefined are
    left out. For one matrix, `Measures.compute(confidence=…)` gives the intervals of `gm.evaluate`, which cover better.

    >>> counts = torch.tensor([[[50, 3], [4, 20]], [[500, 30], [40, 200]]])
    >>> found = intervals(counts, ["mcc"], replicates=500)["mcc"]
    >>> found.value.shape, bool((found.low < found.value).all()), bool((found.value < found.high).all())
    (torch.Size([2]), True, True)
    """
    check_options(DifferenceOptions, confidence=confidence, seed=seed, replicates=replicates)
    if method not in _METHODS:
        raise InputError("{method} is {got!r}", got=method, expected="'percentile' or 'bca'")
    matrices, batch = _checked(counts)
    chosen = named_of_counts(measures)
    drawing = torch.Generator(device=matrices.device).manual_seed(seed)
    parts = [
        _of_piece(piece, chosen, drawing, confidence, replicates, method, undefined)
        for piece in torch.split(matrices, _at_once(matrices, replicates))
    ]
    return {
        name: Estimate(*(torch.cat([part[name][k] for part in parts]).reshape(batch) for k in range(3)))
        for name in chosen
    }


def _checked(counts: torch.Tensor) -> tuple[torch.Tensor, torch.Size]:
    """Return the matrices in one row as float64, and the shape of their batch."""
    if not isinstance(counts, torch.Tensor):
        raise InputError("{counts} is a {kind}", kind=type(counts).__name__, expected="a tensor of counts (…, m, m)")
    if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2] or counts.shape[-1] < 2:
        raise InputError("{counts} has the shape {shape}", shape=tuple(counts.shape), expected="(…, m, m), m from 2 on")
    found = counts.detach().reshape(-1, *counts.shape[-2:]).to(torch.float64)
    if not bool(((found >= 0) & (found == found.round()) & found.isfinite()).all()):
        raise InputError("{counts} has a cell that is not a whole number from 0 on", advice="items are resampled whole")
    if not bool((found.sum((-1, -2)) > 0).all()):
        raise InputError("{counts} has a matrix that holds no items", advice="a measure needs at least one")
    return found, counts.shape[:-2]


def _at_once(matrices: torch.Tensor, replicates: int) -> int:
    """Return how many matrices to resample together."""
    room = _CELLS_AT_ONCE.get(matrices.device.type, _CELLS_AT_ONCE["cpu"])
    return max(1, room // (replicates * matrices.shape[-1] ** 2))


def _of_piece(
    matrices: torch.Tensor, measures: dict[str, AnyArray], drawing: torch.Generator, confidence: float, replicates: int,
    method: str, undefined: Undefined,
) -> dict[str, tuple[torch.Tensor, torch.Tensor, torch.Tensor]]:  # fmt: skip
    """Return value, low and high of each measure on a few matrices."""
    drawn: dict[str, list[torch.Tensor]] = {name: [] for name in measures}
    for sample in _resamples(matrices, replicates, drawing):
        for name, f in measures.items():
            drawn[name].append(f(sample, undefined=undefined))
    tail = (1 - confidence) / 2
    found = {}
    for name, f in measures.items():
        value = f(matrices, undefined=undefined)
        ordered = torch.cat(drawn[name], 1).sort(1).values  # undefined ones come last
        shares = (torch.full_like(value, tail), torch.full_like(value, 1 - tail))
        if method == "bca":
            shares = _corrected(ordered, value, _acceleration(f, matrices, undefined), confidence)
        found[name] = (value, *(_quantile(ordered, share) for share in shares))
    return found


def _resamples(matrices: torch.Tensor, replicates: int, drawing: torch.Generator) -> Iterator[torch.Tensor]:
    """Yield resamples (matrices, r, m, m) of all matrices until each has `replicates` of them."""
    room = _CELLS_AT_ONCE.get(matrices.device.type, _CELLS_AT_ONCE["cpu"])
    step = max(1, min(replicates, room // (len(matrices) * matrices.shape[-1] ** 2)))
    for first in range(0, replicates, step):
        times = min(step, replicates - first)
        sizes = matrices.sum(-1)
        total = sizes.sum(-1)[:, None].expand(-1, times).contiguous()
        rows = _multinomial(total, sizes[:, None, :].expand(-1, times, -1), drawing)
        yield _multinomial(rows, matrices[:, None].expand(-1, times, -1, -1), drawing)


def _multinomial(total: torch.Tensor, weights: torch.Tensor, drawing: torch.Generator) -> torch.Tensor:
    """Return how `total` items fall on the places of the last axis, with chances in proportion to the weights.

    Place by place, the number is binomial among the items that are left, with the share of the place in what is left.
    """
    left, after = total, weights.flip(-1).cumsum(-1).flip(-1)  # sums of whole numbers: exact, so the last share is 1
    drawn = []
    for place in range(weights.shape[-1]):
        rest = after[..., place]
        share = torch.where(rest > 0, weights[..., place] / rest.clamp(min=1), 0).contiguous()
        drawn.append(torch.binomial(left, share, generator=drawing))
        left = left - drawn[-1]
    return torch.stack(drawn, -1)


def _acceleration(f: Measure, matrices: torch.Tensor, undefined: Undefined) -> torch.Tensor:
    """Return the acceleration of BCa for each matrix: Σ d³ / (6 (Σ d²)^(3/2)) over items with influence d."""
    at = matrices.clone().requires_grad_(True)
    (slopes,) = torch.autograd.grad(f(at, undefined=undefined).sum(), at)
    items = matrices.sum((-1, -2), keepdim=True)
    moved = slopes - (slopes * matrices).sum((-1, -2), keepdim=True) / items
    squared, cubed = ((matrices * moved**k).sum((-1, -2)) for k in (2, 3))
    known = squared.isfinite() & cubed.isfinite() & (squared > 0)
    return torch.where(known, cubed / (6 * torch.where(known, squared, 1.0) ** 1.5), 0.0)


def _corrected(
    ordered: torch.Tensor, value: torch.Tensor, acceleration: torch.Tensor, confidence: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the shares of the resampled values between which the BCa intervals lie; see `evaluation/intervals`."""
    defined = (~ordered.isnan()).sum(1).clamp(min=1)
    below = ((ordered < value[:, None]).sum(1) + (ordered <= value[:, None]).sum(1)) / (2.0 * defined)
    inside = (below > 0) & (below < 1)
    bias = torch.special.ndtri(torch.where(inside, below.to(torch.float64), 0.5))
    tail = (1 - confidence) / 2
    z = torch.special.ndtri(torch.tensor(1 - tail, dtype=torch.float64, device=value.device))
    ends = []
    for at, plain in ((bias - z, tail), (bias + z, 1 - tail)):
        stretch = 1 - acceleration * at
        moved = torch.special.ndtr(bias + at / torch.where(stretch > 0, stretch, 1.0))
        moved = torch.where(stretch > 0, moved, (at > 0).to(moved.dtype))
        ends.append(torch.where(inside, moved, plain))
    return ends[0], ends[1]


def _quantile(ordered: torch.Tensor, share: torch.Tensor) -> torch.Tensor:
    """Return quantiles of the defined values in each row, by linear interpolation; NaN where fewer than two are."""
    defined = (~ordered.isnan()).sum(1)
    place = share * (defined - 1).clamp(min=0)
    below = place.floor().long()
    above = torch.minimum(below + 1, (defined - 1).clamp(min=0))
    low, high = (ordered.gather(1, k[:, None])[:, 0] for k in (below, above))
    between = torch.where(low == high, low, low + (place - below) * (high - low))
    return torch.where(defined < 2, torch.nan, between)
