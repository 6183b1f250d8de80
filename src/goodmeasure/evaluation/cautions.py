"""What a reader of the numbers must know, in plain words: small classes, lazy classifiers that do better, doubles."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from goodmeasure.algebra.policy import NAN, RESOLVE, Policy
from goodmeasure.catalogue import running
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.catalogue.names import measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.baselines import always
from goodmeasure.evaluation.caution import About, Caution, recorded
from goodmeasure.evaluation.scoring import MOST_CLASSES, Part

FEW = 10  # items of a class: its recall moves in steps that are worth saying
_NAMED = 5
_TRACED = 200  # up to this many classes the terms of a formula are looked at one by one
_ROUNDING = 1e-12


def cautions(part: Part, measures: tuple[Measure, ...], policy: Policy = RESOLVE) -> list[Caution]:
    """Return the warnings about one system on one slice, the gravest first."""
    quiet = NAN if policy.name == "raise" else policy
    said: list[str | About] = [
        *_one_class(part),
        *_scores(part),
        *_beaten(part, measures, quiet),
        *_at_chance(part, measures),
        *_few_items(part),
        *_absent(part, measures, quiet),
        *_weightless(part),
        *_order_of_classes(part, measures),
        *_never_predicted(part, quiet),
        *_never_true(part, quiet),
        *_doubles(part.matrix.labels),
        *_many_classes(part),
    ]
    return [recorded(x, part.system, part.slice) for x in said]


def _about_classes(text: str, labels: list[Any]) -> About:
    """A sentence about classes, which names the class where it is a single one."""
    return About(text, class_=labels[0] if len(labels) == 1 else None)


def depends_on_order(f: Measure) -> bool:
    """Whether a measure of many classes goes by which class is which, as costs and distances do."""
    return not f.class_symmetric and f.classes is None and not f._is_users_own()


def _order_of_classes(part: Part, measures: tuple[Measure, ...]) -> Iterator[str]:
    """Words sorted by the alphabet are hardly ever in the order that is meant."""
    labels, order = part.matrix.labels, part.matrix._order
    found = [f.name for f in measures if depends_on_order(f)]
    given = order.fixed or order.categories is not None
    if found and len(labels) > 2 and not given and all(isinstance(x, str) for x in labels) and _is_sorted(labels):
        yield (
            f"{_listed(found)} {'goes' if len(found) == 1 else 'go'} by the order of the classes, which is that of the "
            f"alphabet ({', '.join(labels[:_NAMED])}{', …' if len(labels) > _NAMED else ''}): "
            "name the right one with labels= (--labels)"
        )


def _is_sorted(labels: tuple[Any, ...]) -> bool:
    return list(labels) == sorted(labels)


def _one_class(part: Part) -> Iterator[About]:
    sizes = [int(x > 0) for x in part.matrix.a]
    if sum(sizes) == 1 and part.matrix.n > 0:
        label = part.matrix.labels[sizes.index(1)]
        yield About(f"every item has the true class {label!r}: nothing here tells how other classes would fare", label)


def _scores(part: Part) -> Iterator[str]:
    """Predictions that are scores or probabilities, taken for labels: fractions that are no true class."""
    matrix = part.matrix
    foreign = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a == 0 and b > 0]
    if len(foreign) > 1 and all(map(_is_fraction, foreign)):
        yield (
            f"the predictions look like scores ({', '.join(str(x) for x in foreign[:3])}, …), not like labels: "
            "gm.sweep (goodmeasure sweep) measures scores at every threshold"
        )


def _is_fraction(label: Any) -> bool:
    try:
        return math.isfinite(float(label)) and not float(label).is_integer()
    except (TypeError, ValueError, OverflowError):
        return False


def _beaten(part: Part, measures: tuple[Measure, ...], policy: Policy) -> Iterator[str | About]:
    """Measures on which always saying the most frequent class does better than the system.

    Only those that treat classes alike: of a single class's measures a constant classifier has some for free. A mean
    that leaves classes out on one side is no mean of the same things on the other, so it is not compared.
    """
    found = [(f, part.value(f.name), part.constant_values[f.name]) for f in measures if _is_beaten(part, f, policy)]
    if len(found) == 1:
        f, value, lazy = found[0]
        side = "above" if f.orientation == LOWER else "below"
        said = f"{f.name} ({value:.4g}) is {side} what always saying {part.constant!r} gets ({lazy:.4g})"
        yield About(said, measure=f.name)
    elif found:
        said = _listed([f"{f.name} ({lazy:.4g} against {value:.4g})" for f, value, lazy in found])
        yield f"always saying {part.constant!r} does better by {said}"


def _is_beaten(part: Part, f: Measure, policy: Policy) -> bool:
    value, lazy = part.value(f.name), part.constant_values.get(f.name, math.nan)
    if value is None or math.isnan(value) or math.isnan(lazy) or not f.class_symmetric or f.orientation == NEITHER:
        return False
    if not (lazy - value if f.orientation == LOWER else value - lazy) < -_ROUNDING:
        return False
    constant = always(part.matrix, int(np.argmax(part.matrix.a)))
    return not any(_leaves_out(f, x, policy) for x in (part.matrix, constant))


def _leaves_out(f: Measure, matrix: ConfusionMatrix, policy: Policy) -> bool:
    """Whether classes are left out of a sum, as a term of theirs is 0/0; where that cannot be seen, any 0/0 counts."""
    if not policy.resolves or not math.isnan(float(f(matrix, undefined=NAN))):
        return False
    if matrix.is_sparse or matrix.m > _TRACED:
        return True
    _, notes = running.worked(f.of, matrix.counts.tolist(), policy)
    return any(note.action == "skip" for note in notes)


def _at_chance(part: Part, measures: tuple[Measure, ...]) -> Iterator[About]:
    """Measures whose interval holds their chance level."""
    judged = {f.name for f in measures if f.orientation != NEITHER and f.class_symmetric}
    overall = [row for row in part.rows if row.label is None and row.measure in judged]
    found = [row.measure for row in overall if row.low <= row.chance <= row.high]
    if found:
        ends = "interval holds" if len(found) == 1 else "intervals hold"
        said = (
            f"{_listed(found)} cannot be told from chance: the {ends} what random predictions "
            "with the same class sizes get"
        )
        yield About(said, measure=found[0] if len(found) == 1 else None)


def _few_items(part: Part) -> Iterator[str | About]:
    small = [(label, size, worth) for label, size, worth in _sizes(part) if 0 < worth < FEW and size == int(size)]
    for label, size, worth in small[:_NAMED]:
        if part.sample.items is None:
            means = _steps(int(size))
        elif size < FEW and worth > size - 0.5:
            means = "its recall rests on them"
        else:
            means = f"with their weights they tell as much about its recall as {worth:.2g} of equal weight"
        yield About(f"class {label!r} has {_items(int(size))}: {means}", label)
    if len(small) > _NAMED:
        rest = len(small) - _NAMED
        few = f"fewer than {FEW} items"
        yield f"1 more class has {few}" if rest == 1 else f"{rest:,} more classes have {few} each"


def _sizes(part: Part) -> list[tuple[Any, float, float]]:
    """Each class with its items, and with how many of equal weight they are worth: (Σw)²/Σw² (Kish)."""
    matrix, items, squares = part.matrix, part.sample.items, part.sample.squares
    weights = np.asarray(matrix.a, dtype=float)
    if items is None or squares is None:
        return list(zip(matrix.labels, weights.tolist(), weights.tolist(), strict=True))
    below = squares.sum(axis=1).astype(float)
    worth = np.divide(weights**2, below, out=np.zeros_like(weights), where=below > 0)
    return list(zip(matrix.labels, items.sum(axis=1).astype(float).tolist(), worth.tolist(), strict=True))


def _items(size: int) -> str:
    return "1 item" if size == 1 else f"{size} items"


def _steps(size: int) -> str:
    """Which values a recall can take."""
    if size <= 4:
        values = ["0", *(f"{k}/{size}" for k in range(1, size)), "1"]
        values = [x if x != "2/4" else "1/2" for x in values]
        return f"its recall can only be {', '.join(values[:-1])} or {values[-1]}"
    return f"its recall moves in steps of 1/{size}"


def _absent(part: Part, measures: tuple[Measure, ...], policy: Policy) -> Iterator[About]:
    """Classes in neither column get a term by rule, and move what averages over classes."""
    matrix, present = part.matrix, _present(part)
    absent = [label for label, there in zip(matrix.labels, present, strict=True) if not there]
    if not absent:
        return
    one = len(absent) == 1
    moved = _moved(part, measures, policy)
    effects = [f"{verb if one else verb.removesuffix('s')} {_listed(x)}" for verb, x in moved.items() if x]
    subject = f"class {absent[0]!r} is" if one else f"classes {_quoted(absent)} are"
    said = f"{subject} in neither column{' and ' if effects else ''}{' and '.join(effects)}"
    yield _about_classes(said, absent)


def _moved(part: Part, measures: tuple[Measure, ...], policy: Policy) -> dict[str, list[str]]:
    """What is lifted and what is lowered by classes that do not occur, with the values without them."""
    found: dict[str, list[str]] = {"lifts": [], "lowers": []}
    matrix, there = part.matrix, np.flatnonzero(_present(part))
    if matrix.is_sparse or len(there) < 2:
        return found
    labels = tuple(matrix.labels[k] for k in there)
    without = ConfusionMatrix(matrix.counts[np.ix_(there, there)], labels)
    for f in measures:
        value = part.value(f.name)
        if value is None or math.isnan(value) or not f.class_symmetric:
            continue
        alone = float(f(without, undefined=policy))
        if not math.isnan(alone) and abs(value - alone) > _ROUNDING * max(1.0, abs(alone)):
            found["lifts" if value > alone else "lowers"].append(f"{f.name} ({alone:.4g} without)")
    return found


def _present(part: Part) -> list[bool]:
    """Which classes occur: an item without weight is there, too."""
    matrix, items = part.matrix, part.sample.items
    rows, columns = (matrix.a, matrix.b) if items is None else (items.sum(axis=1), items.sum(axis=0))
    return [bool(a > 0 or b > 0) for a, b in zip(rows, columns, strict=True)]


def _weightless(part: Part) -> Iterator[About]:
    matrix = part.matrix
    known = zip(matrix.labels, matrix.a, matrix.b, _present(part), strict=True)
    found = [label for label, a, b, there in known if there and a == 0 and b == 0]
    if found:
        who, occur = ("class", "occurs") if len(found) == 1 else ("classes", "occur")
        yield _about_classes(f"{who} {_quoted(found)} {occur} with a weight of 0 only", found)


def _never_predicted(part: Part, policy: Policy) -> Iterator[About]:
    matrix = part.matrix
    missed = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a > 0 and b == 0]
    if missed:
        said = f"{_are(missed)} never predicted: {_rates(part, missed, 'recall', 'precision', policy)}"
        yield _about_classes(said, missed)


def _never_true(part: Part, policy: Policy) -> Iterator[About]:
    matrix = part.matrix
    foreign = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a == 0 and b > 0]
    if foreign:
        said = f"{_are(foreign)} predicted but never true: {_rates(part, foreign, 'precision', 'recall', policy)}"
        yield _about_classes(said, foreign)


def _are(labels: list[Any]) -> str:
    return f"class {labels[0]!r} is" if len(labels) == 1 else f"classes {_quoted(labels)} are"


def _rates(part: Part, labels: list[Any], zero: str, open_: str, policy: Policy) -> str:
    """The rate that is 0, and the one that is 0/0 or what the policy makes of it."""
    whose = "its" if len(labels) == 1 else "their"
    value = float(measure(open_)(part.matrix.vs_rest(labels[0]), undefined=policy))
    said = "undefined" if math.isnan(value) else f"counts as {value:.4g}, being 0/0"
    return f"{whose} {zero} is 0 and {whose} {open_} {said}"


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
