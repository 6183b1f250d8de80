"""What a reader of the numbers must know, in plain words: small classes, lazy classifiers that do better, doubles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.evaluation.scoring import MOST_CLASSES, Part

FEW = 10  # items of a class: its recall moves in steps that are worth saying
_NAMED = 5


def cautions(part: Part, measures: tuple[Measure, ...]) -> list[str]:
    """The sentences about one system on one slice, the gravest first."""
    return [
        *_one_class(part),
        *_beaten(part, measures),
        *_at_chance(part, measures),
        *_few_items(part),
        *_absent(part, measures),
        *_never_predicted(part),
        *_never_true(part),
        *_doubles(part.matrix.labels),
        *_many_classes(part),
    ]


def _one_class(part: Part) -> Iterator[str]:
    sizes = [int(x > 0) for x in part.matrix.a]
    if sum(sizes) == 1 and part.matrix.n > 0:
        label = part.matrix.labels[sizes.index(1)]
        yield f"every item has the true class {label!r}: nothing here tells how other classes would fare"


def _beaten(part: Part, measures: tuple[Measure, ...]) -> Iterator[str]:
    """Measures on which always saying the most frequent class does better than the system.

    Only those that treat classes alike: of a single class's measures a constant classifier has some for free.
    """
    for f in measures:
        value, lazy = part.value(f.name), part.constant_values.get(f.name, math.nan)
        if value is None or math.isnan(value) or math.isnan(lazy) or not f.class_symmetric or f.orientation == NEITHER:
            continue
        lower = f.orientation == LOWER
        if (lazy - value if lower else value - lazy) < -1e-12:
            side = "above" if lower else "below"
            yield f"{f.name} ({value:.4g}) is {side} what always saying {part.constant!r} gets ({lazy:.4g})"


def _at_chance(part: Part, measures: tuple[Measure, ...]) -> Iterator[str]:
    """Measures whose interval holds their chance level."""
    judged = {f.name for f in measures if f.orientation != NEITHER and f.class_symmetric}
    overall = [row for row in part.rows if row.label is None and row.measure in judged]
    found = [row.measure for row in overall if row.low <= row.chance <= row.high]
    if found:
        ends = "interval holds" if len(found) == 1 else "intervals hold"
        yield (
            f"{_listed(found)} cannot be told from chance: the {ends} what random predictions "
            "with the same class sizes get"
        )


def _few_items(part: Part) -> Iterator[str]:
    matrix, items = part.matrix, part.sample.items
    sizes = matrix.a if items is None else items.sum(axis=1)
    known = zip(matrix.labels, sizes, strict=True)
    small = [(label, int(size)) for label, size in known if 0 < size < FEW and size == int(size)]
    for label, size in small[:_NAMED]:
        yield f"class {label!r} has {_items(size)}: {_steps(size) if items is None else 'its recall rests on them'}"
    if len(small) > _NAMED:
        yield f"{len(small) - _NAMED} more classes have fewer than {FEW} items each"


def _items(size: int) -> str:
    return "1 item" if size == 1 else f"{size} items"


def _steps(size: int) -> str:
    """Which values a recall can take."""
    if size <= 4:
        values = ["0", *(f"{k}/{size}" for k in range(1, size)), "1"]
        values = [x if x != "2/4" else "1/2" for x in values]
        return f"its recall can only be {', '.join(values[:-1])} or {values[-1]}"
    return f"its recall moves in steps of 1/{size}"


def _absent(part: Part, measures: tuple[Measure, ...]) -> Iterator[str]:
    """Classes in neither column count as right by rule, and lift what averages over classes."""
    matrix = part.matrix
    absent = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a == 0 and b == 0]
    lifted = [f.name for f in measures if f.name.startswith("macro(") and _counts_absent(f)]
    if absent:
        effect = f" and {'lifts' if len(absent) == 1 else 'lift'} {_listed(lifted)}" if lifted else ""
        subject = f"class {absent[0]!r} is" if len(absent) == 1 else f"classes {_quoted(absent)} are"
        yield f"{subject} in neither column{effect}"


def _counts_absent(f: Measure) -> bool:
    inner = f.parameters.get("measure")
    if not isinstance(inner, Measure):
        return False
    value = inner([[5, 0], [0, 0]])
    return not math.isnan(value)


def _never_predicted(part: Part) -> Iterator[str]:
    matrix = part.matrix
    missed = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a > 0 and b == 0]
    if missed:
        one = len(missed) == 1
        yield (
            f"{'class' if one else 'classes'} {_quoted(missed)} {'is' if one else 'are'} never predicted: "
            f"{'its' if one else 'their'} recall is 0 and {'its' if one else 'their'} precision undefined"
        )


def _never_true(part: Part) -> Iterator[str]:
    matrix = part.matrix
    foreign = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a == 0 and b > 0]
    if foreign:
        one = len(foreign) == 1
        yield (
            f"{'class' if one else 'classes'} {_quoted(foreign)} {'is' if one else 'are'} predicted but never true: "
            f"{'its' if one else 'their'} precision is 0 and {'its' if one else 'their'} recall undefined"
        )


def _doubles(labels: tuple[Any, ...]) -> Iterator[str]:
    """Labels that differ in case or blanks only are probably one class, spelled in two ways."""
    spelled: dict[str, list[str]] = {}
    for label in labels:
        if isinstance(label, str):
            spelled.setdefault(" ".join(label.split()).casefold(), []).append(label)
    for same in [x for x in spelled.values() if len(x) > 1][:_NAMED]:
        yield f"the labels {_quoted(same)} differ in case or blanks only and are counted as different classes"


def _many_classes(part: Part) -> Iterator[str]:
    if part.matrix.m > MOST_CLASSES:
        yield f"there are {part.matrix.m:,} classes: rows by class are left out"


def _quoted(labels: list[Any]) -> str:
    shown = [repr(x) for x in labels[:_NAMED]]
    return _listed(shown) if len(labels) <= _NAMED else f"{', '.join(shown)} and {len(labels) - _NAMED} more"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
