"""Measuring scores by PyTorch's own operations, on any device: with weights, with several classes, without Triton.

As in `score_tensors.py`, None means that the data are not clean. Sums are in double precision, and long columns are
read in pieces, so that no copy of them in doubles is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

_AT_ONCE = 1 << 24  # items whose terms are computed together


def areas(
    positive: torch.Tensor, scores: torch.Tensor, weights: torch.Tensor | None = None
) -> tuple[float, float] | None:
    """Return the area under the ROC curve and average precision."""
    import torch

    x = scores.detach().reshape(-1)
    if not are_labels(positive) or bool(x.isnan().any()):
        return None
    ordered, order = torch.sort(x, descending=True)
    y = positive.reshape(-1)[order] == 1
    one = torch.ones((), dtype=torch.int64, device=x.device)
    w = one if weights is None else weights.reshape(-1).to(torch.float64)[order]
    ends = torch.cat([(ordered[1:] != ordered[:-1]).nonzero()[:, 0], order.new_tensor([len(x) - 1])])
    true, false = (torch.where(of, w, 0 * w).cumsum(0)[ends] for of in (y, ~y))
    p, n = float(true[-1]), float(false[-1])
    if not (p > 0 and n > 0):
        return None
    zero = true.new_zeros(1)
    found, wrong = (torch.diff(each, prepend=zero) for each in (true, false))
    won = (wrong * (2 * true - found)).sum()
    precision = true.to(torch.float64) / (true + false).clamp(min=torch.finfo(torch.float64).tiny)
    return float(won) / (2 * p * n), float((found * precision).sum()) / p


def losses(
    positive: torch.Tensor, probabilities: torch.Tensor, weights: torch.Tensor | None = None
) -> tuple[float, float] | None:
    """Return the log loss and the Brier score of probabilities of the positive class."""
    import torch

    if not are_labels(positive) or not are_within(probabilities):
        return None
    logs = squares = total = hits = 0.0
    for y, p, w in _pieces(positive, probabilities, weights):
        said = torch.where(y == 1, p.to(torch.float64), 1 - p.to(torch.float64))
        logs -= _sum(said.log(), w)
        squares += _sum((1 - said) ** 2, w)
        total += _sum(torch.ones_like(said), w)
        hits += _sum((y == 1).to(torch.float64), w)
    return (logs / total, squares / total) if 0 < hits < total else None


def losses_of_columns(
    codes: torch.Tensor, probabilities: torch.Tensor, weights: torch.Tensor | None = None
) -> tuple[float, float]:
    """Return the log loss and the Brier score of a probability for each class; the class of an item is a number."""
    import torch

    logs = squares = total = 0.0
    for y, p, w in _pieces(codes, probabilities, weights):
        wide = p.to(torch.float64)
        said = wide.gather(1, y[:, None])[:, 0]
        logs -= _sum(said.log(), w)
        squares += _sum((wide * wide).sum(dim=1) - 2 * said + 1, w)
        total += _sum(torch.ones_like(said), w)
    return logs / total, squares / total


def bins(
    confidence: torch.Tensor, hit: torch.Tensor, number: int, weights: torch.Tensor | None = None
) -> torch.Tensor | None:
    """Return for each bin the weight of its items, its products with confidences and hits, and their number."""
    import torch

    if not are_labels(hit) or not are_within(confidence):
        return None
    found = torch.zeros((4, number), dtype=torch.float64, device=confidence.device)
    for p, y, w in _pieces(confidence, hit, weights):
        wide = p.to(torch.float64)
        place = (wide * number).to(torch.int64).clamp(max=number - 1)
        one = torch.ones_like(wide)
        each = one if w is None else w
        for into, amount in zip(found, (each, each * wide, each * (y == 1), one), strict=True):
            into.index_add_(0, place, amount)
    return found.cpu()


def are_labels(values: torch.Tensor) -> bool:
    """Return whether values are 0 or 1."""
    return str(values.dtype) == "torch.bool" or bool(((values == 0) | (values == 1)).all())


def are_within(values: torch.Tensor) -> bool:
    """Return whether values lie between 0 and 1; NaN does not."""
    low, high = (float(x) for x in values.detach().aminmax())
    return 0 <= low <= high <= 1


def add_up(rows: torch.Tensor, tolerance: float) -> bool:
    """Return whether the numbers of each row add up to 1."""
    import torch

    parts = torch.split(rows.detach(), _AT_ONCE)
    return all(float((part.sum(dim=1, dtype=torch.float64) - 1).abs().max()) <= tolerance for part in parts)


def _pieces(
    one: torch.Tensor, two: torch.Tensor, weights: torch.Tensor | None
) -> Iterator[tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]]:
    """Yield columns of equal length in pieces, weights in double precision."""
    import torch

    step = max(1, _AT_ONCE // max(1, two[:1].numel()))
    for start in range(0, len(one), step):
        part = slice(start, start + step)
        yield (
            one[part], two[part].detach(), None if weights is None else weights.reshape(-1)[part].to(torch.float64)
        )  # fmt: skip


def _sum(terms: torch.Tensor, weights: torch.Tensor | None) -> float:
    """Return the sum of terms times weights; an infinite term with weight 0 counts as 0."""
    if weights is None:
        return float(terms.sum())
    return float(terms.where(weights > 0, 0.0).mul(weights).sum())
