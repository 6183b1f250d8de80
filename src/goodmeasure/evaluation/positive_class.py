"""Which of two classes is the positive one: the only place where it is chosen, and where the choice is put into words.

Numbers, truth values and dates say so themselves: the larger one is positive. So do users who name it, who list the
classes in order, or whose categories are ordered. Other labels, such as text, have an order that means nothing. Of two
such classes the rarer one of the true labels is taken, by the number of items in all of the data, whatever they weigh;
of two that are equally frequent, the last. Slices and resamples keep the class of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from goodmeasure.counts.arguments import kind_of, positive_typed
from goodmeasure.counts.classes import LARGER_IS_POSITIVE, in_order, rarer
from goodmeasure.counts.counting import confusion
from goodmeasure.counts.sample import Counted, Sample
from goodmeasure.evaluation.provenance import BY_SIZE, GIVEN, RARER, TIED, Provenance
from goodmeasure.exceptions import InputError
from goodmeasure.typing import ArrayLike, Label

LISTED, LARGER, LAST = "labels", "larger", "last"  # beside those of Provenance, how the positive class was chosen
_WORDS = {
    LISTED: "the last of the labels that were listed", LARGER: "the larger one",
    RARER: "the rarer one", TIED: "the last of two equally frequent ones", LAST: "the last one",
}  # fmt: skip


class PositiveClass(NamedTuple):
    """A positive class that nobody named, and why it is the one: it is the rarer of two, or the last of a tie."""

    label: Label
    how: str


def settled(counted: Counted, source: Provenance) -> Provenance:
    """Return the description of the data with the positive class, where it has to be chosen."""
    if source.positive is not None or source.labels is not None:
        return source
    samples = [x for (_, where), x in counted.samples.items() if where is None]
    known = [x.matrix.positive for x in samples if x.matrix.positive is not None]
    is_other = known and (counted.labels[-1] != known[0] or len(known) < len(samples))
    if is_other and set(counted.labels) == set(samples[0].matrix.labels):
        return replace(source, positive=known[0], positive_by=LAST)
    return choosing(source, of_samples(samples))


def choosing(source: Provenance, chosen: PositiveClass | None) -> Provenance:
    """Return the description of the data with the positive class that was chosen, if one was."""
    return source if chosen is None else replace(source, positive=chosen.label, positive_by=chosen.how)


def _rarer(sizes: Mapping[Label, float]) -> PositiveClass:
    return PositiveClass(rarer(sizes), TIED if len(set(sizes.values())) == 1 else RARER)


def of_samples(samples: Sequence[Sample]) -> PositiveClass | None:
    """Return the rarer of the two classes of some samples; None if there are not two, or their order decides."""
    sizes: dict[Label, float] = {label: 0 for x in samples for label in x.occurring()}
    if len(sizes) != 2 or any(x.matrix.positive is not None for x in samples):
        return None
    if all(x.matrix._order.stated for x in samples):
        return None
    for x in samples:
        held = x.matrix.a if x.items is None else x.items.sum(axis=1)
        for label, size in zip(x.matrix.labels, held.tolist(), strict=True):
            if label in sizes:
                sizes[label] += size
    return _rarer(sizes)


def of_labels(y_true: ArrayLike) -> PositiveClass | None:
    """Return the rarer of the two classes of some labels; None if there are not two, or their order decides."""
    if isinstance(y_true, np.ndarray) and y_true.dtype.kind in "biuf":
        return None
    return of_samples([Sample(confusion(y_true, y_true, missing="drop"))])


def check_scores(areas: Mapping[str, float], negative: Label, positive: Label) -> None:
    """Refuse scores that rank the rarer class, which was taken to be the positive one, below the other.

    They may be the probabilities of the other class, as the last column of scikit-learn's predict_proba is that of the
    alphabetically last one. `areas` are those under the ROC curves; of several systems, all must be below 0.5.
    """
    if not areas or not all(x < 0.5 for x in areas.values()):
        return
    name = max(areas, key=lambda x: areas[x])
    raise InputError(
        "nothing says which class {scores} is about: items of {positive!r}, the rarer one, have lower scores than "
        "those of {negative!r} (AUC {area:.3f}; {turned:.3f} if the scores are those of {negative!r})",
        argument="positive", got=positive, scores=name, positive=positive, negative=negative,
        area=areas[name], turned=1 - areas[name], one=positive_typed(negative), other=positive_typed(positive),
        last=in_order((positive, negative))[-1],
        advice="give {one} if higher scores mean {negative!r} (predict_proba(X)[:, 1] of scikit-learn is about "
        "{last!r}); give {other} if they mean {positive!r} and the system is worse than guessing",
    )  # fmt: skip


def how_chosen(source: Provenance, positive: Label) -> str:
    """Return how the positive class was chosen: "given", "labels", "larger", "rarer", "tied" or "last"."""
    if source.positive is not None:
        return source.positive_by
    if source.labels is not None:
        return LISTED
    return LARGER if kind_of(positive) in LARGER_IS_POSITIVE else LAST


def with_reason(source: Provenance, positive: Label, shown: str) -> str:
    """Return the positive class as it is shown, and how it was chosen, unless it was named."""
    how = how_chosen(source, positive)
    return shown if how == GIVEN else f"{shown}, {_WORDS[how]}"


def sentence(positive: Label, how: str | None, typed: str = "positive=") -> str:
    """Return what a reader must know first: a positive class that nobody named, and how to name another one.

    Empty if there is nothing to say. `typed` is what to use.

    >>> sentence("fraud", "rarer"), sentence("fraud", "given")
    ("positive class: 'fraud', the rarer one; change it with positive=", '')
    >>> sentence("yes", "tied", "--positive")
    "positive class: 'yes', the last of two equally frequent ones; change it with --positive"
    """
    return f"positive class: {positive!r}, {_WORDS[how]}; change it with {typed}" if how in BY_SIZE else ""
