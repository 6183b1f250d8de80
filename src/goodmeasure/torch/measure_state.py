"""A state that counts predictions batch by batch and measures them whenever it is asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.catalogue.names import named as measure_named
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.device.multilabel_decisions import BLOCKS
from goodmeasure.counts.device.operators import add_decisions
from goodmeasure.counts.device.tally import FAULTS
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Sample
from goodmeasure.evaluation.multilabel import AVERAGES, label_averages
from goodmeasure.exceptions import InputError
from goodmeasure.language.policy import policy_of
from goodmeasure.torch import model_outputs
from goodmeasure.torch.kept_scores import FIELDS, BatchScores, KeptScores
from goodmeasure.typing import AnyArray, Label, Namespace

if TYPE_CHECKING:
    from goodmeasure.language.policy import Undefined

_PER_CLASS = "none"


class Estimate(NamedTuple):
    """A value with the interval around it, as tensors."""

    value: torch.Tensor
    low: torch.Tensor
    high: torch.Tensor


class Measures(torch.nn.Module):
    """Counts predictions on their device, and measures all that was counted.

    `measures` are names, measures or functions of `c`. `classes` is their number, or the list of their names. `update`
    takes labels, logits or probabilities, makes the host wait for nothing, and costs the same for any number of
    measures; labels that are out of range are reported by `compute`. `forward` updates the state and returns the
    measures of its batch.

    `compute` adds the counts of all processes of torch.distributed. Counts are int64 (float64 with `weighted=True`),
    values float64; neither changes with ``.half()``.

    Measures of scores ("roc_auc", "average_precision", "brier", "log_loss", "calibration_error", also "macro(roc_auc)")
    take logits or probabilities, which the state keeps as they come: for each item its scores and 4 bytes.

    With `multilabel=True` predictions and targets have a column for each of the `classes` labels, and `average` says
    how their values are averaged ("macro", "micro", "weighted").

    >>> state = Measures(["accuracy", "mcc"], classes=2)
    >>> state.update(torch.tensor([0.9, 0.2, 0.8]), torch.tensor([1, 0, 0]))
    >>> state.compute()["mcc"].item()
    0.5
    """

    counts: torch.Tensor
    faults: torch.Tensor

    def __init__(
        self, measures: object, classes: int | Sequence[Label], *, threshold: float = 0.5,
        ignore_index: int | None = None, weighted: bool = False, multilabel: bool = False, average: str = "macro",
        undefined: Undefined = "resolve", process_group: Namespace = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.labels = tuple(range(classes)) if isinstance(classes, int) else tuple(classes)
        if len(self.labels) < (1 if multilabel else 2):
            raise InputError("{classes} is {got}", got=len(self.labels), expected="at least two classes")
        self.measures = named(measures)
        self._scores = KeptScores() if any(isinstance(f, ScoreMeasure) for f in self.measures.values()) else None
        if self._scores is not None and multilabel:
            raise InputError(
                "{measures} has measures of scores, and this state counts several labels for each item",
                advice="keep a state for each label",
            )
        self.threshold, self.ignore_index, self.undefined = threshold, ignore_index, undefined
        self.weighted, self.multilabel, self.average = weighted, multilabel, average
        if multilabel and average not in (*AVERAGES[:3], _PER_CLASS):
            raise InputError("{average} is {got!r}", got=average, expected="'macro', 'micro', 'weighted' or 'none'")
        self.process_group = process_group
        m = len(self.labels)
        tables = 3 if weighted else 1
        shape = (tables, BLOCKS, m, 2, 2) if multilabel else (tables, m, m)
        kind = torch.float64 if weighted else torch.int64
        # No buffers: DistributedDataParallel overwrites the buffers of all processes with those of the first.
        self.counts = torch.zeros(shape, dtype=kind)  # sums; with weights also squares and items
        # With several labels for each item, the last number says how many items were counted.
        self.faults = torch.zeros(FAULTS + int(multilabel), dtype=torch.int64)
        self._view: tuple[torch.Tensor, torch.Tensor] | None = None  # the counts, and their first table
        self._lock = threading.Lock()  # held while counts are added: PyTorch does not add in one step

    # The training loop

    def update(self, preds: torch.Tensor, target: torch.Tensor, sample_weight: torch.Tensor | None = None) -> None:
        """Count a batch. Nothing waits for the device."""
        if torch.compiler.is_compiling():  # a lock has no place in a compiled graph
            scores = self._as_scores(preds, target, sample_weight)
            self._add(self.counts, self.faults, preds, target, sample_weight)
            self._keep(scores)
            return
        with self._lock:
            scores = self._as_scores(preds, target, sample_weight)
            self._add(self.counts, self.faults, preds, target, sample_weight)
            self._keep(scores)

    def _as_scores(self, preds: torch.Tensor, target: torch.Tensor, weights: torch.Tensor | None) -> BatchScores | None:
        """Return the scores of a batch if this state keeps them; refuse what is none."""
        if self._scores is None:
            return None
        if self.weighted and weights is None:
            weights = torch.ones_like(target, dtype=torch.float64)
        scores = BatchScores(preds, target, None if weights is None else weights.reshape(-1)).rows(len(self.labels))
        self._scores.check(scores)
        return scores

    def _keep(self, scores: BatchScores | None) -> None:
        if scores is not None and self._scores is not None:
            self._scores.add(scores)

    def forward(
        self, preds: torch.Tensor, target: torch.Tensor, sample_weight: torch.Tensor | None = None
    ) -> dict[str, torch.Tensor]:
        """Count a batch, and return the measures of this batch alone, in this process alone."""
        with self._lock:
            counts, faults = torch.zeros_like(self.counts), torch.zeros_like(self.faults)
            faults[FAULTS:] = self.faults[FAULTS:]  # the next items belong to the next blocks
            scores = self._as_scores(preds, target, sample_weight)
            self._add(counts, faults, preds, target, sample_weight)
            self._keep(scores)
            self.counts += counts
            self.faults[:FAULTS] += faults[:FAULTS]
            self.faults[FAULTS:] = faults[FAULTS:]
        if not bool(counts[0].any()):  # all items of the batch are ignored, or weigh nothing
            return dict(zip(self.measures, self._on_device([self._nothing()] * len(self.measures)), strict=True))
        return self._values(counts, faults, scores)

    def _nothing(self) -> AnyArray:
        """Return what a measure of no items is: NaN, for each label where they are not averaged."""
        return [float("nan")] * len(self.labels) if self.multilabel and self.average == _PER_CLASS else float("nan")

    def _add(
        self, counts: torch.Tensor, faults: torch.Tensor, preds: torch.Tensor, target: torch.Tensor,
        weights: torch.Tensor | None,
    ) -> None:  # fmt: skip
        if weights is not None and not self.weighted:
            raise InputError(
                "{sample_weight} was given, and this state counts items", advice="create it with weighted=True"
            )
        if counts.device != target.device:
            raise InputError(
                "{target} is on {device}, and this state is on {own}", device=str(target.device), own=counts.device,
                advice="move the state there: .to({device!r})",
            )  # fmt: skip
        if self.multilabel:
            self._add_decisions(counts, faults, preds, target, weights)
            return
        if self.weighted and weights is None:
            weights = torch.ones_like(target, dtype=torch.float64)
        model_outputs.add(
            counts if self.weighted else self._first(counts), faults, preds, target, weights=weights,
            ignore_index=self.ignore_index, threshold=self.threshold,
        )  # fmt: skip

    def _first(self, counts: torch.Tensor) -> torch.Tensor:
        """Return the first table; that of the state is kept, since looking it up costs as much as a small kernel."""
        if counts is not self.counts or torch.compiler.is_compiling():
            return counts[0]
        if self._view is None or self._view[0] is not counts:
            self._view = counts, counts[0]
        return self._view[1]

    def _add_decisions(
        self, counts: torch.Tensor, faults: torch.Tensor, preds: torch.Tensor, target: torch.Tensor,
        weights: torch.Tensor | None,
    ) -> None:  # fmt: skip
        """Count a decision about every label of every item."""
        if preds.shape != target.shape or target.ndim != 2 or target.shape[1] != len(self.labels):
            raise InputError(
                "{preds} has shape {shape}, {target} {other}", shape=tuple(preds.shape), other=tuple(target.shape),
                labels=len(self.labels),
                expected="a row for each item and a column for each of {labels} labels",
            )  # fmt: skip
        model_outputs.check_item_weights(weights, target)
        if self.weighted and weights is None:
            weights = torch.ones(len(target), dtype=torch.float64, device=target.device)
        add_decisions(
            counts if self.weighted else counts[0], faults, target, preds.detach(), threshold=self.threshold,
            weights=weights, ignore_index=self.ignore_index,
        )  # fmt: skip

    # Values

    def compute(self, confidence: float | None = None, *, seed: int = 0) -> dict[str, AnyArray]:
        """Return the measures of everything that was counted, in all processes; this waits for the device.

        With `confidence` (0.95, say) each value is an `Estimate` with the interval that `gm.evaluate` gives. Averages
        over the labels of multilabel data have one that resamples items (256 blocks of them where they are more).
        """
        counts, faults = self._reduced()
        scores = None if self._scores is None else self._scores.of_all_processes(self.process_group)
        if confidence is None:
            return self._values(counts, faults, scores)
        return self._estimates(counts, faults, scores, confidence, seed)

    def confusion(self) -> torch.Tensor:
        """Return what this process has counted, on its device; with weights, the sums of the weights."""
        return self.counts[0].sum(dim=0) if self.multilabel else self.counts[0].clone()

    def matrix(self) -> ConfusionMatrix:
        """Return all that was counted, in all processes, as a confusion matrix. This waits for the device."""
        if self.multilabel:
            raise InputError(
                "{multilabel:=True} counts one matrix for each label", advice="use .confusion(), which returns them all"
            )
        counts, faults = self._reduced()
        model_outputs.check_faults(faults, len(self.labels))
        sums, *others = model_outputs.as_numpy(counts)
        matrix = ConfusionMatrix(sums, labels=self.labels)
        return Sample.weighted(matrix, others[1].astype(np.int64), others[0]).matrix if others else matrix

    def _reduced(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the counts of all processes; those of this process stay as they are."""
        distributed = torch.distributed
        if not (distributed.is_available() and distributed.is_initialized()):
            return self.counts, self.faults
        if distributed.get_world_size(self.process_group) == 1:
            return self.counts, self.faults
        counts, faults = self.counts.clone(), self.faults.clone()
        if self.multilabel:  # so that the first items of the processes do not share blocks
            processes, own = distributed.get_world_size(self.process_group), distributed.get_rank(self.process_group)
            counts = counts.roll(own * max(1, BLOCKS // processes), dims=1)
        for each in (counts, faults):
            distributed.all_reduce(each, op=distributed.ReduceOp.SUM, group=self.process_group)
        return counts, faults

    def _counted(self, counts: torch.Tensor, faults: torch.Tensor) -> AnyArray:
        """Return counts on the host, checked."""
        model_outputs.check_faults(faults, 2 if self.multilabel else len(self.labels))
        found = model_outputs.as_numpy(counts)
        if not found[0].any():
            raise InputError("nothing has been counted yet", advice="call update first")
        return found

    def _values(
        self, counts: torch.Tensor, faults: torch.Tensor, scores: BatchScores | None
    ) -> dict[str, torch.Tensor]:
        found = self._counted(counts, faults)
        of_labels, of_scores = self._of_kinds()
        if self.multilabel:
            values = {name: self._averaged(f, found[0].sum(axis=0)) for name, f in of_labels.items()}
        else:
            matrix = ConfusionMatrix(found[0], labels=self.labels)
            values = {name: f(matrix, undefined=self.undefined) for name, f in of_labels.items()}
        if scores is not None:
            kept = scores.without(self.ignore_index)
            known = kept.values(list(of_scores.values()), len(self.labels), self.undefined)
            values |= dict(zip(of_scores, known, strict=True))
        return dict(zip(self.measures, self._on_device([values[name] for name in self.measures]), strict=True))

    def _of_kinds(self) -> tuple[dict[str, Measure], dict[str, ScoreMeasure]]:
        """Return the measures of labels and those of scores, by their names."""
        of_labels = {name: f for name, f in self.measures.items() if isinstance(f, Measure)}
        return of_labels, {name: f for name, f in self.measures.items() if isinstance(f, ScoreMeasure)}

    def _averaged(self, f: Measure, counts: AnyArray) -> AnyArray:
        there = counts.any(axis=(1, 2))  # all decisions about a label may be ignored
        if self.average == _PER_CLASS:
            values = np.full(len(counts), np.nan)
            values[there] = f(counts[there], undefined=self.undefined)
            return values
        counts = counts[there]
        return float(label_averages(f, counts, policy_of(self.undefined), (self.average,))[self.average])

    def _on_device(self, values: Sequence[AnyArray]) -> list[torch.Tensor]:
        """Return values as float64 tensors beside the counts, by one copy."""
        flat = torch.as_tensor(np.array(values, np.float64), dtype=torch.float64)
        if self.counts.device.type != "mps":  # which has no float64
            flat = flat.to(self.counts.device)
        return list(flat.unbind(0))

    def _estimates(
        self, counts: torch.Tensor, faults: torch.Tensor, scores: BatchScores | None, confidence: float, seed: int
    ) -> dict[str, Estimate]:
        found = self._counted(counts, faults)
        of_labels, of_scores = self._of_kinds()
        measures = list(of_labels.values())
        rows: AnyArray
        if self.multilabel and self.average != _PER_CLASS:
            rows = self._of_blocks(found, measures, confidence)
        elif self.multilabel:
            of_each = [self._of_table(x, measures, confidence, seed) for x in found.sum(axis=1).swapaxes(0, 1)]
            rows = np.moveaxis(np.array(of_each), 0, -1)
        else:
            rows = self._of_table(found, measures, confidence, seed) if measures else []
        known = dict(zip(of_labels, rows, strict=True))
        if scores is not None:
            kept, chosen = scores.without(self.ignore_index), list(of_scores.values())
            around = kept.estimates(chosen, len(self.labels), confidence, seed, self.undefined)
            known |= dict(zip(of_scores, around, strict=True))
        tensors = self._on_device([x for name in self.measures for x in known[name]])
        return {name: Estimate(*tensors[3 * k : 3 * k + 3]) for k, name in enumerate(self.measures)}

    def _of_table(self, tables: AnyArray, measures: list[Measure], confidence: float, seed: int) -> list[list[float]]:
        """Return values with the intervals that `gm.evaluate` gives; with weights there are three tables."""
        from goodmeasure.evaluation.intervals.interval import intervals

        sums, *others = tables
        if not sums.any():  # all decisions about a label were ignored
            return [[float("nan")] * 3 for _ in measures]
        matrix = ConfusionMatrix(sums)
        sample = Sample.weighted(matrix, others[1].astype(np.int64), others[0]) if others else Sample(matrix)
        policy = policy_of(self.undefined)
        values = [float(f(matrix, undefined=self.undefined)) for f in measures]
        around = intervals(sample, measures, confidence=confidence, seed=seed, undefined=policy, values=values)
        return [[value, each.low, each.high] for value, each in zip(values, around, strict=True)]

    def _of_blocks(self, tables: AnyArray, measures: list[Measure], confidence: float) -> list[list[float]]:
        """Return averages over labels with the intervals that follow from how the blocks of items differ."""
        from goodmeasure.evaluation.multilabel_averages import BlockedUnits

        tables = tables[:, :, tables[0].any(axis=(0, 2, 3))]
        units, policy = BlockedUnits(tables), policy_of(self.undefined)
        quiet = policy.quiet
        rows = []
        for f, moved in zip(measures, units.moved(measures, quiet), strict=True):
            value = self._averaged(f, tables[0].sum(axis=0))
            around = units.interval(value, moved[self.average], f.range, confidence)
            rows.append([value, around.low, around.high])
        return rows

    # State

    def _save_to_state_dict(self, destination: AnyArray, prefix: str, keep_vars: bool) -> None:
        """Add the counts to a checkpoint, as buffers would be."""
        super()._save_to_state_dict(destination, prefix, keep_vars)
        for name in ("counts", "faults"):
            destination[prefix + name] = getattr(self, name).detach()
        if self._scores is not None:
            destination |= {f"{prefix}scores.{name}": x for name, x in self._scores.stored().items()}

    def _load_from_state_dict(self, state_dict: AnyArray, prefix: str, *rest: AnyArray) -> None:
        """Take the counts of a checkpoint over."""
        _, strict, missing, unexpected, errors = rest
        for name in ("counts", "faults"):
            found = state_dict.get(prefix + name)
            if found is None:
                missing += [prefix + name] if strict else []
            elif found.shape != getattr(self, name).shape:
                errors.append(f"{prefix}{name} has the shape {tuple(found.shape)}: it counts other classes")
            else:
                getattr(self, name).copy_(found)
        if self._scores is not None:
            stored = {name: state_dict.get(f"{prefix}scores.{name}") for name in FIELDS}
            self._scores.load({name: x for name, x in stored.items() if x is not None}, self.counts.device)
        super()._load_from_state_dict(state_dict, prefix, *rest)
        own = {f"{prefix}{name}" for name in ("counts", "faults", *(f"scores.{x}" for x in FIELDS if self._scores))}
        unexpected[:] = [x for x in unexpected if x not in own]

    def reset(self) -> None:
        """Forget everything that was counted."""
        with self._lock:
            self.counts.zero_()
            self.faults.zero_()
            if self._scores is not None:
                self._scores.forget()

    def merge_state(self, others: Measures | Iterable[Measures]) -> None:
        """Add what other states have counted to this one."""
        for other in [others] if isinstance(others, Measures) else others:
            if other.labels != self.labels or other.counts.shape != self.counts.shape:
                raise InputError(
                    "{others} has a state of {m} classes, and this one has {own}", m=len(other.labels),
                    own=len(self.labels), advice="states can be merged if they count the same classes",
                )  # fmt: skip
            if (self._scores is None) != (other._scores is None):
                raise InputError(
                    "{others} has a state that keeps scores where this one does not, or the other way round",
                    advice="give both measures of scores, or neither",
                )
            theirs = other.counts.to(self.counts.device)
            if self.multilabel:  # their first items belong to the blocks after ours
                theirs = theirs.roll(int(self.faults[FAULTS]) % BLOCKS, dims=1)
            with self._lock:
                self.counts += theirs
                self.faults += other.faults.to(self.faults.device)
                if self._scores is not None and (kept := other._kept()) is not None:
                    self._scores.add(kept.to(self.counts.device))

    def _kept(self) -> BatchScores | None:
        return None if self._scores is None else self._scores.kept()

    def __getstate__(self) -> dict[str, AnyArray]:
        return {name: x for name, x in self.__dict__.items() if name != "_lock"} | {"_view": None}

    def __setstate__(self, state: dict[str, AnyArray]) -> None:
        super().__setstate__(state)  # type: ignore[no-untyped-call]  # PyTorch's modules have no types there
        self._lock = threading.Lock()

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Measures:
        """Move the state to another device, and never to another type: `.half()` must not round counts."""
        moved = fn(torch.empty(0, dtype=torch.float32, device=self.counts.device))
        self.counts, self.faults = self.counts.to(moved.device), self.faults.to(moved.device)
        if self._scores is not None:
            self._scores.moved(moved.device)
        return self

    def extra_repr(self) -> str:
        """Return what is measured, for the printed module."""
        return f"{', '.join(self.measures)}, classes={len(self.labels)}"


def named(measures: object) -> dict[str, Measure | ScoreMeasure]:
    """Return measures by the names that `compute` gives them."""
    if isinstance(measures, Mapping):
        return {str(name): measure_named(f, argument="measures") for name, f in measures.items()}
    listed: Iterable[object] = [measures]
    if isinstance(measures, Iterable) and not isinstance(measures, str) and not callable(measures):
        listed = measures
    found = [measure_named(f, argument="measures") for f in listed]
    if not found:
        raise InputError("{measures} is empty", expected="at least one measure")
    return {f.name: f for f in found}


def named_of_counts(measures: object) -> dict[str, Measure]:
    """Return measures of counts by their names; refuse those of scores."""
    return {name: as_measure(f, "measures") for name, f in named(measures).items()}
