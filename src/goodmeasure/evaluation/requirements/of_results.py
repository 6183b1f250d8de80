"""The scores of an evaluation that a requirement is about: from its table, or computed where they are not in it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from goodmeasure.catalogue.measure import Measure, as_measure
from goodmeasure.catalogue.names import named
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.sample import Sample, Slice
from goodmeasure.evaluation.chosen_measures import chosen
from goodmeasure.evaluation.intervals.interval import intervals
from goodmeasure.evaluation.multilabel import AVERAGES
from goodmeasure.evaluation.multilabel_averages import EXACT_MATCH
from goodmeasure.evaluation.requirements.gate import RequiredScore
from goodmeasure.evaluation.requirements.grammar import Requirement
from goodmeasure.evaluation.requirements.places import (
    KnownNames,
    class_and_slice,
    class_names,
    slice_names,
    system_names,
)
from goodmeasure.evaluation.scoring import NOT_ASKED, Settings, SystemScores, value_and_reason
from goodmeasure.evaluation.slices import slices_by_name
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.tracked_numbers import Tracked, with_interval
from goodmeasure.exceptions import InputError
from goodmeasure.typing import Label

if TYPE_CHECKING:
    from goodmeasure.evaluation.result import Result


def scores_of(result: Result, asked: Requirement) -> list[RequiredScore]:
    """Return the scores of an evaluation that a requirement is about."""
    if not result.competing:
        return _of_labels(result, asked)
    systems = system_names(result.systems).named(asked.system)
    several = len(result.systems) > 1
    names = result.systems if systems == [None] else [str(x) for x in systems]
    return [score for name in names for score in _of_system(result, asked, name, name if several else None)]


def _measured_slices(result: Result) -> dict[Label, Slice]:
    """Return the slices with items, by their names in the table."""
    known = slices_by_name(result.counted.slices)
    return {name: known[name] for name in result.slices}


def measure_named(text: str, known: Iterable[Measure | ScoreMeasure]) -> Measure | ScoreMeasure:
    """Return a measure by its name in a result, or by any other name."""
    return next((f for f in known if f.name == text), None) or named(text, argument="requirements")


def _of_system(result: Result, asked: Requirement, system: str, shown: str | None) -> Iterator[RequiredScore]:
    slices = slice_names(_measured_slices(result))
    classes = class_names(() if result.source.of_outcomes else result.part(system).matrix.labels)
    label, where = class_and_slice(asked, classes, slices)
    of_scores = () if result.scored is None else result.scored.measures
    known: list[Measure | ScoreMeasure] = [*result.settings.measures, *result.settings.classwise, *of_scores]
    f = measure_named(asked.measure, known)
    for piece in slices.named(where):
        try:
            part = result.part(system, None if piece is None else slices[piece])
        except InputError:  # the system has no item in this slice
            yield RequiredScore(f.name, shown, piece, label, math.nan, reason="the slice has no items")
            continue
        for name in classes.named(label):
            row = _row(result, part, f, name, classes)
            yield RequiredScore(
                f.name, shown, piece, name, row.value, row.low, row.high, row.reason, f.orientation, f.range
            )  # fmt: skip


def _row(result: Result, part: SystemScores, f: Measure | ScoreMeasure, name: str | None, classes: KnownNames) -> Row:
    """Return the row of a measure, of all classes or of one against the rest."""
    found = next((x for x in part.all_rows if x.measure == f.name and _is_of(x, name)), None)
    if found is not None:
        return found
    if isinstance(f, ScoreMeasure):
        return _score_row(result, part, f, name)
    if name is None:
        check_classes(f, part.matrix.m, next(iter(classes)))
        sample, f = part.sample, chosen([f], part.matrix.m)[0]
    elif classes[name] not in part.matrix.labels:
        why = "the class is not in the slice"
        return Row(part.system, part.slice, name, f.name, math.nan, math.nan, math.nan, math.nan, why)
    else:
        sample, f = part.sample.with_positive(classes[name]), as_measure(f)
    value, low, high, reason = computed(f, sample, part.settings)
    return Row(part.system, part.slice, name, f.name, value, low, high, math.nan, reason)


def check_classes(f: Measure, m: int, first: str) -> None:
    """Refuse a measure of two classes where there are more, and no class is named."""
    if f.classes == 2 and m > 2:
        raise InputError(
            "{name} is a measure of two classes, and there are {m}", name=f.name, m=m, first=first,
            advice="name a class, as in {name}[{first}], each class with {name}[*], or an average: macro({name})",
        )  # fmt: skip


def _is_of(row: Row, name: str | None) -> bool:
    return row.label is None if name is None else row.label is not None and str(row.label) == name


def computed(f: Measure, sample: Sample, settings: Settings) -> tuple[float, float, float, str | None]:
    """Return the value of a measure that is in no table, the ends of its interval, and the reason if one is lacking."""
    value, reason = value_and_reason(f, sample.matrix, settings.policy.quiet)
    interval = NOT_ASKED
    if settings.confidence is not None and not math.isnan(value):
        interval = intervals(sample, [f], values=[value], **settings.interval_options())[0]
    return value, float(interval.low), float(interval.high), reason or interval.reason or None


def _score_row(result: Result, part: SystemScores, f: ScoreMeasure, name: str | None) -> Row:
    from goodmeasure.evaluation.scores.evaluating import score_rows  # which imports the result

    data = None if result.scored is None else result.scored.data.get((part.system, part.slice))
    if data is None:
        raise InputError("{name} is a measure of scores", name=f.name, advice="evaluate scores, with {y_score:=}")
    if name is not None:
        raise InputError("{name} is a measure of scores", name=f.name, advice="it has no value for a single class")
    return score_rows(part, data, [f])[0]


# Multilabel data: what a requirement calls a class is one of the labels


def _of_labels(result: Result, asked: Requirement) -> list[RequiredScore]:
    labels = KnownNames("label", ((x, x) for x in result.systems))
    if asked.system is not None:
        raise InputError(
            "{requirement!r} names a system, and there is one only", requirement=str(asked), advice="leave it out"
        )
    named_label, where = class_and_slice(asked, labels, KnownNames("slice", ()))
    if where is not None:
        raise KnownNames("slice", ()).unknown(where)
    if named_label is None:
        return [_average(result, asked)]
    f = measure_named(asked.measure, result.settings.measures)
    found = []
    for name in labels.named(named_label):
        row = _row(result, result.part(name), f, None, labels)
        found.append(
            RequiredScore(f.name, None, None, name, row.value, row.low, row.high, row.reason, f.orientation, f.range)
        )
    return found


def _average(result: Result, asked: Requirement) -> RequiredScore:
    """Return an average over labels or items, such as macro(f1), samples(f1) or exact_match."""
    average, name = average_named(asked.measure)
    for x in result.averages:
        if (x.average, x.measure) == (average, name):
            shown = EXACT_MATCH if average is None else f"{average}({name})"
            orientation = "higher" if average is None else named(name, argument="requirements").orientation
            return RequiredScore(shown, None, None, None, x.value, x.low, x.high, x.reason, orientation)
    known = dict.fromkeys(x.measure for x in result.averages if x.average is not None)
    raise InputError(
        "{name} was not averaged", name=asked.measure, known=", ".join(known),
        advice="the measures are {known}; name others in {measures:=}",
    )  # fmt: skip


def average_named(text: str) -> tuple[str | None, str]:
    """Return the average over labels or items that a text names, and its measure.

    >>> average_named("samples(f1)"), average_named("exact_match")
    (('samples', 'f1'), (None, 'exact_match'))
    """
    kind, _, rest = text.partition("(")
    if text.replace(" ", "_").lower() == EXACT_MATCH:
        return None, EXACT_MATCH
    if kind.strip().lower() in AVERAGES and rest.endswith(")"):
        return kind.strip().lower(), str(named(rest[:-1], argument="requirements").name)
    raise InputError(
        "{name!r} of several labels is not a single number", name=text,
        advice="name an average, such as macro({name}), micro({name}) or samples({name}), or a label: {name}[label]",
    )  # fmt: skip


# For trackers


def tracked_numbers(result: Result) -> Iterator[Tracked]:
    """Yield every value of an evaluation with its interval, and the number of items of each system."""
    slices = {value: text for text, value in slice_names(_measured_slices(result)).items()}
    for x in result.averages:
        yield from with_interval(tuple(y for y in (x.average, x.measure) if y is not None), x.value, x.low, x.high)
    for part in result.parts:
        who = (part.system,) if len(result.systems) > 1 else ()
        where = () if part.slice is None else (f"slice.{slices[part.slice]}",)
        for row in part.all_rows:
            name = row.measure if row.label is None else (row.measure, row.label)
            yield from with_interval((*who, *where, name), row.value, row.low, row.high)
        yield Tracked((*who, *where, "items"), float(part.sample.item_count or part.matrix.n))
