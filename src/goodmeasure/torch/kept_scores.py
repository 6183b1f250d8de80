"""The scores that a state keeps, one row for each item, for measures that no counts give.

They are kept as they came, so values are exact. The memory grows by doubling, and adding to it makes the host wait for
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.language.policy import Undefined
from goodmeasure.typing import AnyArray, Namespace

FIELDS = "preds", "target", "weights"
_FIRST = 1024  # rows that there is room for at first
_ROUNDING = 0.01  # how far rows of probabilities in halves may be from adding up to 1


class BatchScores(NamedTuple):
    """What a model said about some items (a score each, or a row with one for each class), with their classes."""

    preds: torch.Tensor
    target: torch.Tensor
    weights: torch.Tensor | None

    def rows(self, classes: int) -> BatchScores:
        """Return one row for each item; images have their classes in dimension 1."""
        preds, target = self.preds.detach(), self.target.reshape(-1)
        if not preds.is_floating_point():
            raise InputTypeError(
                "{preds} holds {dtype} values", dtype=preds.dtype, expected="logits or probabilities",
                advice="measures of scores need what the model said before it decided",
            )  # fmt: skip
        if preds.ndim == self.target.ndim + 1:
            return BatchScores(preds.movedim(1, -1).reshape(-1, classes), target, self.weights)
        return BatchScores(preds.reshape(-1), target, self.weights)

    def to(self, device: torch.device) -> BatchScores:
        """Return the scores on another device."""
        return BatchScores(
            self.preds.to(device), self.target.to(device), None if self.weights is None else self.weights.to(device)
        )

    def without(self, ignored: int | None) -> BatchScores:
        """Return the items that are not ignored. This waits for the device."""
        if ignored is None:
            return self
        kept = self.target != ignored
        return BatchScores(self.preds[kept], self.target[kept], None if self.weights is None else self.weights[kept])

    def ranking_and_probabilities(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what ranks items by the positive class of two, and probabilities of it; with more classes, of each.

        Scores outside 0 … 1, or rows that do not add up to 1, are logits. This waits for the device.
        """
        preds = self.preds
        if not preds.numel():
            return preds, preds
        low, high = preds.aminmax()
        are_logits = bool((low < 0) | (high > 1))
        if preds.ndim == 1:
            return preds, preds.double().sigmoid() if are_logits else preds
        are_logits = are_logits or bool(((preds.sum(1, dtype=torch.float64) - 1).abs() > _ROUNDING).any())
        if preds.shape[1] == 2:
            apart = preds[:, 1].double() - preds[:, 0].double()
            return (apart, apart.sigmoid()) if are_logits else (preds[:, 1].contiguous(),) * 2
        shares = preds.double().softmax(1) if are_logits else preds
        return shares, shares

    def values(self, measures: Sequence[ScoreMeasure], classes: int, undefined: Undefined) -> list[float]:
        """Return the values of measures; NaN where there are no items."""
        if not len(self.target):
            return [float("nan")] * len(measures)
        ranking, probabilities = self.ranking_and_probabilities()
        labels = range(classes)
        return [
            f(
                self.target, probabilities if f.definition.needs_probabilities else ranking, labels=labels,
                sample_weight=self.weights, undefined=undefined,
            ) for f in measures
        ]  # fmt: skip

    def estimates(
        self, measures: Sequence[ScoreMeasure], classes: int, confidence: float, seed: int, undefined: Undefined
    ) -> list[list[float]]:
        """Return values with the intervals that `gm.evaluate` gives."""
        from goodmeasure.evaluation.evaluate import evaluate

        ranking, probabilities = (x.double().cpu().numpy() for x in self.ranking_and_probabilities())
        true, weights = (None if x is None else x.cpu().numpy() for x in (self.target, self.weights))
        found: dict[str, list[float]] = {}
        for by_probabilities in (False, True):
            chosen = [f for f in measures if f.definition.needs_probabilities is by_probabilities]
            if chosen:
                given = probabilities if by_probabilities else ranking
                table: AnyArray = evaluate(
                    true, y_score=given, measures=chosen, labels=range(classes), sample_weight=weights,
                    confidence=confidence, seed=seed, undefined=undefined, classwise=False,
                ).table  # fmt: skip
                found |= {row["measure"]: [row["value"], row["low"], row["high"]] for row in table}
        return [found[f.name] for f in measures]


class KeptScores:
    """The scores of all items so far, in memory that grows."""

    def __init__(self) -> None:
        self.n = 0
        self._room: dict[str, torch.Tensor] = {}

    def check(self, scores: BatchScores) -> None:
        """Refuse scores that cannot be kept with the others."""
        held, rows = self._room.get("preds"), scores.preds
        if held is not None and held.shape[1:] != rows.shape[1:]:
            raise InputError(
                "{preds} has rows of shape {shape}, and earlier ones {other}", shape=tuple(rows.shape[1:]),
                other=tuple(held.shape[1:]), expected="the same kind of scores in every batch",
            )  # fmt: skip
        if scores.target.is_cuda and torch.cuda.is_current_stream_capturing():
            raise InputError(
                "measures of scores keep every batch in new memory, so an update cannot be part of a CUDA graph",
                advice="call update outside of the graph",
            )

    def add(self, scores: BatchScores) -> None:
        """Keep the scores of a batch. Nothing waits for the device."""
        if torch.compiler.is_compiling():  # how many rows there are is known to the host alone
            torch._dynamo.graph_break()
        end = self.n + len(scores.target)
        for name, rows in zip(FIELDS, scores, strict=True):
            if rows is not None:
                self._with_room(name, rows, end)[self.n : end] = rows
        self.n = end

    def _with_room(self, name: str, rows: torch.Tensor, end: int) -> torch.Tensor:
        """Return memory for so many rows, which starts with those that are kept."""
        held = self._room.get(name)
        kind = {"target": torch.int32, "weights": torch.float64}.get(name, rows.dtype)
        if held is not None and name == "preds" and held.dtype != kind:
            kind = torch.promote_types(held.dtype, kind)
        if held is None or len(held) < end or held.dtype != kind:
            size = max(_FIRST, end, 2 * len(held) if held is not None and len(held) < end else end)
            new = torch.empty((size, *rows.shape[1:]), dtype=kind, device=rows.device)
            if held is not None:
                new[: self.n] = held[: self.n]
            self._room[name] = held = new
        return held

    def kept(self) -> BatchScores | None:
        """Return all that is kept; None if nothing is."""
        if not self.n:
            return None
        return _scores(*(self._room[x][: self.n] if x in self._room else None for x in FIELDS))

    def of_all_processes(self, group: Namespace) -> BatchScores | None:
        """Return what all processes of torch.distributed keep, in the order of the processes."""
        distributed, own = torch.distributed, self.kept()
        if not (distributed.is_available() and distributed.is_initialized()) or distributed.get_world_size(group) == 1:
            return own
        about: list[AnyArray] = [None] * distributed.get_world_size(group)
        mine = None if own is None else [None if x is None else _Kind(x.dtype, tuple(x.shape[1:])) for x in own]
        distributed.all_gather_object(about, (self.n, mine), group=group)
        kinds = next((known for _, known in about if known is not None), None)
        if kinds is None:
            return None
        device = own.target.device if own is not None else _device_of(group)
        sizes = [n for n, _ in about]
        preds, target, weights = (
            None if kind is None else _gathered(None if own is None else own[k], kind, sizes, device, group)
            for k, kind in enumerate(kinds)
        )
        return _scores(preds, target, weights)

    def forget(self) -> None:
        """Forget all scores; their memory is used again."""
        self.n = 0

    def moved(self, device: torch.device) -> None:
        """Move what is kept to another device."""
        self._room = {name: x.to(device) for name, x in self._room.items()}

    def stored(self) -> dict[str, torch.Tensor]:
        """Return what is kept, by names, for a checkpoint."""
        kept = self.kept()
        return {} if kept is None else {name: x.clone() for name, x in kept._asdict().items() if x is not None}

    def load(self, stored: dict[str, torch.Tensor], device: torch.device) -> None:
        """Keep what a checkpoint holds, and nothing else."""
        self.n, self._room = 0, {}
        if stored:
            tensors = {name: x.to(device) for name, x in stored.items()}
            self.add(BatchScores(tensors["preds"], tensors["target"], tensors.get("weights")))


class _Kind(NamedTuple):
    """The type of some rows, and the shape of one."""

    dtype: torch.dtype
    shape: tuple[int, ...]


def _scores(preds: torch.Tensor | None, target: torch.Tensor | None, weights: torch.Tensor | None) -> BatchScores:
    assert preds is not None
    assert target is not None
    return BatchScores(preds, target, weights)


def _device_of(group: Namespace) -> torch.device:
    """Return where the processes of a group exchange tensors."""
    backend = torch.distributed.get_backend(group)
    return torch.device("cuda", torch.cuda.current_device()) if backend == "nccl" else torch.device("cpu")


def _gathered(
    own: torch.Tensor | None, kind: _Kind, sizes: list[int], device: torch.device, group: Namespace
) -> torch.Tensor:
    """Return the rows of all processes, which may be of different numbers; as bytes, which every backend sends."""
    each = int(np.prod(kind.shape, dtype=np.int64)) * kind.dtype.itemsize
    padded = torch.zeros((max(sizes), each), dtype=torch.uint8, device=device)
    if own is not None:
        padded[: len(own)] = own.contiguous().view(torch.uint8).reshape(len(own), each)
    parts = [torch.empty_like(padded) for _ in sizes]
    torch.distributed.all_gather(parts, padded, group=group)
    whole = torch.cat([part[:n] for part, n in zip(parts, sizes, strict=True)])
    return whole.view(kind.dtype).reshape(-1, *kind.shape)
