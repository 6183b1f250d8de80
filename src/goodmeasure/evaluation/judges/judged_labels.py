"""Read the labels of humans, where there are any, with those of a judge and of systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from goodmeasure.counts.classes import Order
from goodmeasure.counts.counted_rows import JointCounting
from goodmeasure.counts.joint import Joint
from goodmeasure.counts.judged import Judged
from goodmeasure.counts.label_rows import LabelRows, ordered_codes
from goodmeasure.counts.labels import Column
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.sample import Counted, Sample, Slice
from goodmeasure.evaluation.judges.random_draw import drawn_at_random
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.reading import Asked
from goodmeasure.exceptions import InputError, InputTypeError
from goodmeasure.typing import Array

FEW = 20  # human labels: with fewer, a note says so
_REFUSED, _NOTED = 1e-4, 0.01  # p-values of the test that human labels were drawn at random


def read_judged(asked: Asked, read: Callable[[Asked], tuple[Counted, Provenance]]) -> tuple[Counted, Provenance]:
    """Return the counts of the items with a human label, with what a judge says about these and all others."""
    _check_one_judge(asked)
    counted, source = read(replace(asked, missing="class"))
    assert isinstance(counted.jointly, JointCounting)
    rows = counted.jointly.rows.read()
    labels = _Labels(counted.joint(), rows, asked)
    joint, slices, empty = labels.whole(), {}, {}
    for piece, where in rows.sliced():
        part = labels.part(where)
        if part is None:
            empty[piece] = "no item in it has a human label"
        else:
            slices[piece] = part
    joint = replace(joint, slices=slices, empty=empty)
    kept = joint.occurring()
    if asked.labels is not None:  # the classes that were named stay, but not that of the items without a human label
        kept |= np.array([x is not None for x in joint.labels])
    joint = joint.keeping(kept)
    samples: dict[tuple[str, Slice | None], Sample] = {}
    for k, name in enumerate(joint.systems):
        samples[name, None] = _sample(joint, k)
        samples.update({(name, piece): _sample(part, k) for piece, part in joint.slices.items()})
    dropped = dict.fromkeys(joint.systems, joint.dropped)
    notes = (*source.notes, *labels.notes())
    found = Counted(
        samples, joint.systems, tuple(slices), joint.labels, rows.size, {}, dropped,
        {(name, piece): why for name in joint.systems for piece, why in empty.items()}, counted.reading,
        joint,
    )  # fmt: skip
    return found, replace(source, missing=asked.missing, notes=notes)


def _sample(joint: Joint, k: int) -> Sample:
    found = joint.sample(k)
    order = Order(stated=joint.stated)  # text does not say which of two classes is the positive one
    matrix = ConfusionMatrix._of(found.matrix._parts._replace(order=order))
    return replace(found, matrix=matrix)


def _check_one_judge(asked: Asked) -> None:
    """Refuse the human labels themselves as those of a judge, and several judges."""
    judge, true = asked.y_judge, asked.data if asked.y_true is None else asked.y_true
    if judge is true or (isinstance(judge, str) and judge == true):
        raise InputError(
            "{y_judge} and {y_true} are the same labels",
            advice="a judge must not have seen the labels of humans, so name the column of its own",
        )
    several = isinstance(judge, Mapping) or getattr(judge, "ndim", 1) > 1 or hasattr(type(judge), "columns")
    if isinstance(judge, (list, tuple)):
        several = isinstance(asked.y_true, str) or any(isinstance(x, (list, np.ndarray)) for x in judge)
    if several:
        raise InputTypeError(
            "{y_judge} has more than one label for an item",
            advice="give one judge, or the consensus of several: gm.raters(…).consensus()",
        )


class _Labels:
    """The labels of all who labelled the items, row by row, of which the judge is the last system."""

    def __init__(self, joint: Joint, rows: LabelRows, asked: Asked) -> None:
        none = joint.labels.index(None) if None in joint.labels else -1
        self.human, self.asked = joint.true != none, asked
        self.judge = joint.pred[-1]
        lacking = (joint.pred == none).any(axis=0) if asked.missing != "class" else np.zeros(joint.rows, bool)
        if asked.missing == "error" and lacking.any():
            column = next(name for name, x in zip(joint.systems, joint.pred, strict=True) if (x == none).any())
            raise InputError(
                "{column!r} has no label in {lacking:,} of {size:,} rows", argument="missing", column=column,
                lacking=rows.sized(lacking), size=rows.size,
                advice="leave them out with {missing:=drop}, or give them a class of their own with {missing:=class}",
            )  # fmt: skip
        self.keep, self.dropped = ~lacking, rows.sized(lacking)
        # Where a human label is missing, the judge's stands in, so that the class of missing labels is not needed.
        self.joint = replace(joint, true=np.where(self.human, joint.true, self.judge).astype(joint.true.dtype))
        if not (self.human & self.keep).any():
            raise InputError(
                "no item has a human label", argument="y_true",
                advice="a judge can be corrected only where humans have labelled some of the items, so label a few",
            )  # fmt: skip
        number = np.ones(joint.rows) if joint.number is None else joint.number.astype(np.float64)
        self.number = number
        self.weight = joint.mass
        self.squares = np.asarray(number if joint.weight is None else joint.squares, np.float64)
        self.chance, self.stratum = np.ones(joint.rows), None
        known = list(rows.beside.values())
        if asked.strata is not None:
            self.stratum = self._stratified(known[0])
        if asked.sampling is not None:
            self.chance = self._drawn(known[-1])
        self.scale = float((number * self.human).sum() / (number / self.chance)[self.human & self.keep].sum())

    def _stratified(self, column: Column) -> Array:
        """Return the stratum of each row, from which follows how likely it was to be labelled by a human."""
        stratum, values = ordered_codes(column)
        if values[-1] is None and self.keep[stratum == len(values) - 1].any():
            raise InputError("{strata} is missing for some items", advice="every item needs a stratum")
        size = len(values)
        every, mine = (np.bincount(stratum[x], self.number[x], size) for x in (self.keep, self.keep & self.human))
        if ((mine == 0) & (every > 0)).any():
            value = values[int(np.flatnonzero((mine == 0) & (every > 0))[0])]
            raise InputError(
                "no item of the stratum {value!r} has a human label", argument="strata", value=value,
                advice="label some of its items, leave the stratum out, or join it with another",
            )  # fmt: skip
        self.chance = np.divide(mine, every, out=np.ones(size), where=every > 0)[stratum]
        return stratum

    def _drawn(self, column: Column) -> Array:
        """Return the probability with which each row was drawn for a human label."""
        codes, values = ordered_codes(column)
        numbers = np.array([_number(x) for x in values])
        chance: Array = numbers[codes]
        bad = self.human & self.keep & ~((chance > 0) & (chance <= 1))
        if bad.any():
            raise InputError(
                "{sampling} is {value!r} for an item with a human label", argument="sampling",
                value=values[int(codes[bad][0])],
                advice="it is the probability with which the item was drawn: above 0, and at most 1",
            )  # fmt: skip
        return np.where(np.isfinite(chance) & (chance > 0), chance, 1.0)

    def part(self, where: Array) -> Joint | None:
        """Return the items with a human label in some rows, with all that the judge labelled; None without any."""
        where = where[self.keep[where]]
        humans = where[self.human[where]]
        if not self.weight[humans].sum() > 0:
            return None
        joint = self.joint.taken(humans)
        chance = self.chance[humans] / self.scale
        if (self.chance != 1).any():
            weight, squares = self.weight[humans] / chance, self.squares[humans] / chance**2
            joint = replace(joint, weight=weight, squares=squares)
        group = None if self.joint.group is None else self.joint.group[where]
        judged = tuple(
            Judged(
                np.where(self.human[where], self.joint.true[where].astype(np.int64), -1),
                self.judge[where].astype(np.int64), pred[where].astype(np.int64), self.weight[where],
                self.squares[where], self.chance[where], group, None if self.stratum is None else self.stratum[where],
                where if self.joint.number is None else None,
            )
            for pred in self.joint.pred[:-1]
        )  # fmt: skip
        return replace(joint, systems=joint.systems[:-1], pred=joint.pred[:-1], judged=judged)

    def whole(self) -> Joint:
        """Return all items with a human label, with all that the judge labelled."""
        found = self.part(np.arange(self.joint.rows))
        if found is None:
            raise InputError("every weight of an item with a human label is 0", argument="sample_weight",
                             advice="give some of them a weight")  # fmt: skip
        return replace(found, dropped=self.dropped)

    def notes(self) -> list[str]:
        """Return what a reader must know; refuse human labels that were clearly not drawn at random."""
        whole = self.whole()
        humans, others = (int(self.number[self.keep & x].sum()) for x in (self.human, ~self.human))
        found = [] if others else ["Every item has a human label, so the judge's labels add nothing."]
        if humans < FEW:
            found.append(
                f"With {humans} human labels it can hardly be known how right the judge is: label at least {FEW}."
            )
        p = drawn_at_random(whole.judged)
        way = "as their probabilities say" if self.asked.sampling is not None else "at random"
        said = f"items with a human label were not drawn {way}: the system and the judge say other things about them"
        if p < _REFUSED:
            raise InputError(
                "{said} than about all items (p = {p:.1g})", said=said, p=p, argument="sampling",
                advice="name the strata that they were drawn from with {strata:=}, or the probability with which each "
                "item was drawn with {sampling:=}; else the judge cannot be corrected by them",
            )  # fmt: skip
        if p < _NOTED:
            found.append(f"It seems that {said} than about all items (p = {p:.2g}). If some were more likely to be "
                         "labelled than others, name the strata or the probabilities.")  # fmt: skip
        return found


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # what is no number is refused by the caller
    except (TypeError, ValueError):
        return float("nan")
