"""Counting rows of labels: the counts of each system are margins of the joint counts of all systems.

The margins are counted at once, from the rows themselves. Which item got which labels of all systems is counted when
somebody asks for it, from the same rows; where an engine has counted system by system, it is not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

from goodmeasure.counts.classes import Classes, Order, settle
from goodmeasure.counts.counting import NOTHING_LEFT, NothingLeft, check_labels
from goodmeasure.counts.joint import Joint
from goodmeasure.counts.kernel.tally import encoded
from goodmeasure.counts.label_rows import LabelRows, numbered
from goodmeasure.counts.sample import Counted, Sample, Slice
from goodmeasure.counts.scores_as_labels import check_scores
from goodmeasure.counts.text_labels import LabelReading
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Array, LabelsLike

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

_NO_WEIGHT = "every weight is 0"


class Rows(Protocol):
    """The labels of all systems on the same items."""

    @property
    def is_split(self) -> bool:
        """Whether rows that stand for several items are apart because of the slices alone."""
        ...

    def copied(self) -> Self:
        """Return the same labels without slices, in memory of their own."""
        ...

    def read(self) -> LabelRows:
        """Return the labels as rows in the memory of the host."""
        ...


@dataclass(frozen=True, slots=True)
class JointCounting:
    """All that is needed to count several systems jointly, when somebody asks."""

    rows: Rows
    labels: LabelsLike | None
    missing: str
    is_split: bool = False

    def joint(self) -> Joint:
        """Return the joint counts."""
        found = joint_counts(self.rows.read(), labels=self.labels, missing=self.missing)
        return found.by_pattern() if self.is_split else found

    def later(self) -> JointCounting:
        """Return what can be asked long after, when the arrays of a user may have changed.

        Slices are left out: the joint counts are the same as if nobody had asked for slices.
        """
        return replace(self, rows=self.rows.copied(), is_split=self.rows.is_split)


def count_rows(
    tables: Sequence[LabelRows], *, labels: LabelsLike | None, missing: str, lacking: Mapping[str, int],
    reading: LabelReading | None = None,
) -> Counted:  # fmt: skip
    """Return the counts of several systems on the same items: from one table of rows, or from one for each system.

    `lacking` counts missing labels by column.
    """
    samples: dict[tuple[str, Slice | None], Sample] = {}
    parts: dict[tuple[str, Slice | None], Sample] = {}
    empty: dict[tuple[str, Slice], str] = {}
    slices: tuple[Slice, ...] = ()
    for rows in tables:
        for name, pred in rows.systems.items():
            sample = samples[name, None] = rows.sample(name, labels, missing)
            if not sample.matrix.n > 0:
                raise InputError(
                    "{sample_weight} is 0 for every item", advice="give some items a weight, or leave it out"
                )
            if labels is None:
                check_labels(sample.matrix, rows.true, pred, rows.size)
        sliced = rows.sliced()
        slices = tuple(piece for piece, _ in sliced)
        whole = rows.whole()
        for piece, where in sliced:
            part = whole.taken(where)
            for name in rows.systems:
                try:
                    sample = part.sample(name, labels, missing)
                except NothingLeft:
                    empty[name, piece] = NOTHING_LEFT
                    continue
                if sample.matrix.n > 0:
                    parts[name, piece] = sample
                else:
                    empty[name, piece] = _NO_WEIGHT
    matrices = {name: sample.matrix for (name, _), sample in samples.items()}
    samples |= {(name, piece): parts[name, piece] for name in matrices for piece in slices if (name, piece) in parts}
    classes = union_of([(cm.labels, cm._order) for cm in matrices.values()], labels)
    dropped = {name: int(cm.dropped) for name, cm in matrices.items()}
    jointly = JointCounting(tables[0], labels, missing) if len(tables) == 1 else None
    return Counted(
        samples, tuple(matrices), slices, classes, tables[0].size, dict(lacking), dropped, empty, reading, jointly
    )


def union_of(found: Sequence[tuple[tuple[object, ...], Order]], labels: LabelsLike | None) -> tuple[object, ...]:
    """Return the classes of several matrices in the order that their data gives."""
    if labels is not None:
        return max((known for known, _ in found), key=len)
    order = found[0][1]
    for _, other in found[1:]:
        order = order.joined(other)
    return order.arranged(label for known, _ in found for label in known)


def joint_counts(rows: LabelRows, *, labels: LabelsLike | None, missing: str) -> Joint:
    """Return the joint counts of several systems; an item needs a label in every column."""
    keep = np.ones(len(rows.true), bool)
    sliced, dropped = rows.sliced(), 0
    if missing == "drop":
        for column in rows.labels:
            if not column.is_never_missing:
                keep &= column.present()
        dropped = rows.sized(~keep)
        if not keep.any():
            raise NothingLeft
        rows = rows.taken(np.flatnonzero(keep)) if dropped else rows
    joint = _joint(rows, labels, missing)
    if labels is None:
        _check_labels(joint, rows)
    if not joint.mass.sum() > 0:
        raise InputError(
            "every weight is 0",
            argument="sample_weight",
            advice="there is nothing to compare, so give some items a weight",
        )
    slices, empty = {}, {}
    place = np.cumsum(keep) - 1
    for piece, where in sliced:
        part = joint.taken(place[where[keep[where]]])
        if part.mass.sum() > 0:
            slices[piece] = part
        else:
            empty[piece] = NOTHING_LEFT if part.rows == 0 else _NO_WEIGHT
    return replace(joint, slices=slices, empty=empty, dropped=dropped)


def _check_labels(joint: Joint, rows: LabelRows) -> None:
    """Refuse columns of scores, once the different labels are known."""
    if not any(isinstance(x, (float, str)) for x in joint.labels):
        return

    def occurring(which: Array) -> list[object]:
        return [joint.labels[k] for k in np.flatnonzero(which) if joint.labels[k] is not None]

    true = occurring(joint.true_classes())
    for column, said in zip(rows.systems.values(), joint.predicted_classes(), strict=True):
        check_scores((rows.true.name, true), (column.name, occurring(said)), rows.size)


def _joint(rows: LabelRows, labels: LabelsLike | None, missing: str) -> Joint:
    """Return the labels of all systems as positions among the classes of all of them."""
    known, codes = encoded(rows.true.data)
    settled: list[tuple[Classes, Array]] = []
    for column in rows.systems.values():
        values, said = encoded(column.data)
        settled.append((settle(rows.true, column, known, values, labels, missing), said))
    classes = union_of([(found.labels, found.order) for found, _ in settled], labels)
    place = {label: k for k, label in enumerate(classes)}
    kind = np.uint8 if len(classes) <= 1 << 8 else np.uint16 if len(classes) <= 1 << 16 else np.int32
    pred = np.empty((len(settled), len(rows.true)), kind)
    for each, (found, said) in zip(pred, settled, strict=True):
        each[:] = _placed(found.labels, found.columns, place, kind)[said]
    first = settled[0][0]
    group, groups = (None, 0) if rows.group is None else numbered(rows.group)
    return Joint(
        tuple(rows.systems), classes, _placed(first.labels, first.rows, place, kind)[codes], pred, rows.number,
        rows.weight, rows.squares, group, groups, any(found.order.stated for found, _ in settled),
    )  # fmt: skip


def _placed(labels: Sequence[object], among: Array, place: Mapping[object, int], kind: DTypeLike) -> Array:
    return np.array([place[x] for x in labels], kind)[among]
