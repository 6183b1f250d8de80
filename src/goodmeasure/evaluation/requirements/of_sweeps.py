"""The scores of a sweep that a requirement is about: at the best threshold of a measure, on new items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import NEITHER, Measure
from goodmeasure.evaluation.requirements.gate import RequiredScore
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.requirements.of_results import measure_named
from goodmeasure.evaluation.requirements.places import KnownNames
from goodmeasure.evaluation.thresholds.best import NoBestThreshold
from goodmeasure.evaluation.tracked_numbers import Tracked, with_interval
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Label

if TYPE_CHECKING:
    from goodmeasure.evaluation.thresholds.best import Best
    from goodmeasure.evaluation.thresholds.sweep import Sweep


def scores_of(found: Sweep, asked: Requirement) -> list[RequiredScore]:
    """Return the value to expect on new items at the best threshold of a measure, for each system or group.

    Where only matrices are known, it is the value on them.
    """
    if asked.label is not None or asked.either is not None or asked.slice is not None:
        raise InputError(
            "{requirement!r} names a class or a slice", requirement=str(asked),
            advice="a sweep is about the positive class; name a group before a colon",
        )  # fmt: skip
    groups = group_names(found)
    f = measure_named(asked.measure, found.measures)
    if not isinstance(f, Measure):
        raise InputError(
            "{name} is a measure of scores", name=f.name, advice="require it of evaluate, with {y_score:=}"
        )
    if f.orientation == NEITHER:
        raise InputError("{name} has no best threshold", name=f.name, advice="it has no better direction")
    chosen = list(groups) if asked.system is None else [str(x) for x in groups.named(asked.system)]
    return [_score(found, f, name, groups) for name in chosen]


def group_names(found: Sweep) -> KnownNames:
    """Return the systems or groups by name."""
    return KnownNames("group", ((_text(x), x) for x in found.groups))


def _text(group: Label) -> str:
    return ", ".join(map(str, group)) if isinstance(group, tuple) else str(group)


def _score(found: Sweep, f: Measure, name: str, groups: KnownNames) -> RequiredScore:
    shown = name if len(groups) > 1 else None
    try:
        best = found.best(f, groups[name], confidence=found.confidence, seed=found.seed)
    except NoBestThreshold as error:
        return RequiredScore(f.name, shown, None, None, math.nan, reason=str(error), orientation=f.orientation)
    low, high = (math.nan if x is None else x for x in (best.value_low, best.value_high))
    value = best.value if best.honest is None else best.honest
    return RequiredScore(f.name, shown, None, None, value, low, high, None, f.orientation, f.range)


def tracked_numbers(found: Sweep) -> Iterator[Tracked]:
    """Yield the best threshold of each measure, and the value to expect there on new items."""
    for best in found.bests(found.confidence, found.seed):
        who = () if len(found.groups) == 1 else (_text(best.group),)
        parts = (*who, best.measure)
        yield from with_interval(parts, *_expected(best))
        yield Tracked(parts, best.threshold, "_threshold")


def _expected(best: Best) -> tuple[float, float, float]:
    ends = (math.nan if x is None else x for x in (best.value_low, best.value_high))
    return (best.value if best.honest is None else best.honest, *ends)  # type: ignore[return-value]
