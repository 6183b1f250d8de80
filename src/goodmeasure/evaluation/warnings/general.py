"""Warnings: baselines that do better, small or absent classes, misspelled labels, systems on different items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from goodmeasure.catalogue import running
from goodmeasure.catalogue.display_names import (
    first_names_text,
    names_text,
    opening_names,
    sentence_name,
    sentence_names,
)
from goodmeasure.catalogue.measure import LOWER, NEITHER, Measure
from goodmeasure.catalogue.names import measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.counts.scores_as_labels import foreign_fractions
from goodmeasure.counts.text_labels import looks_missing, number_of
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.intervals.sampling_units import Groups, units_of
from goodmeasure.evaluation.number_words import texts_that_differ
from goodmeasure.evaluation.scoring import MOST_CLASSES, SystemScores
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.trivial_classifiers import always
from goodmeasure.evaluation.warnings.class_imbalance import (
    averages_over_unpredicted,
    class_sizes,
    hardly_better,
    missed_classes,
)
from goodmeasure.evaluation.warnings.record import About, Caution, recorded
from goodmeasure.language.policy import LEFT_OUT, NAN, RESOLVE, SKIPPED, Policy
from goodmeasure.typing import Label

FEW = 10  # items: a smaller class has a recall in steps so large that a reader should know
_NAMED = 5
_BEATEN = 3  # measures of which both values are shown
_SEPARATE = 2  # small classes that have a warning each; more of them share one
_NAMED_SYSTEMS = 4
_TRACED = 200  # classes: with more, the terms of a formula are too many to look at one by one
_ROUNDING = 1e-12
_IDENTIFIERS = 200  # labels of one item each: fewer may well be classes
_FEWEST_ALONE = 20  # unless nearly every item has a label of its own


def cautions(
    part: SystemScores, measures: tuple[Measure, ...], policy: Policy = RESOLVE, *, said_what_is_missing: bool = False
) -> list[Caution]:
    """Return the warnings about one system on one slice, the most serious first.

    Whoever has said which words are missing labels (`na_values`) need not be told that others are classes.
    """
    quiet = policy.quiet
    said: list[str | About] = [
        *_one_class(part),
        *_not_counts(part),
        *_scores(part),
        *_identifiers(part),
        *(() if said_what_is_missing else _missing_words(part)),
        *_doubles(part.matrix.labels),
        *_beaten(part, measures, quiet),
        *hardly_better(part),
        *missed_classes(part),
        *_at_chance(part, measures),
        *_few_items(part),
        *_few_groups(part),
        *_absent(part, measures, quiet),
        *_weightless(part),
        *_order_of_classes(part, measures),
        *_never_predicted(part, quiet),
        *averages_over_unpredicted(part, measures),
        *_never_true(part, quiet),
        *_many_classes(part),
    ]
    return [recorded(x, part.system, part.slice) for x in said]


def same_truth(parts: Sequence[SystemScores]) -> bool:
    """Return whether all systems were measured on the same numbers of items of each true class."""
    seen = {
        tuple(sorted((repr(x), float(a)) for x, a in zip(p.matrix.labels, p.matrix.a, strict=True) if a > 0))
        for p in parts
    }
    return len(seen) == 1


def different_items(parts: Sequence[SystemScores], dropped: Mapping[str, int]) -> list[str]:
    """Return the warning that systems were measured on different items, if they were.

    `dropped` says how many items were left out of each system because a label is missing.
    """
    if len(parts) < 2 or not (len(set(dropped.values())) > 1 or (any(dropped.values()) and not same_truth(parts))):
        return []
    said = ", ".join(f"{part.system} on {part.sample.item_count:,}" for part in parts[:_NAMED_SYSTEMS])
    more = f" and {len(parts) - _NAMED_SYSTEMS} more" if len(parts) > _NAMED_SYSTEMS else ""
    return [
        f"The systems are measured on different items ({said}{more}), as items without a label are left out, so a "
        "difference between the systems may be one between the items."
    ]


def _few_groups(part: SystemScores) -> Iterator[str]:
    """Warn where intervals rest on few groups, or on a few large ones."""
    if part.sample.groups is None or part.slice is not None:
        return
    found = units_of(part.sample)
    assert isinstance(found, Groups)
    effective = found.dependence.all
    if effective >= FEW:
        return
    if found.groups == 1:
        yield "There is only one group, so there are no intervals: they rest on how groups differ."
        return
    even = effective > 0.9 * found.groups
    worth = "" if even else f", which differ so much in size that they tell as much as {effective:.1f} equal ones"
    yield (
        f"There are {found.groups} groups{worth}: intervals of fewer than {FEW} are wide and rely on the groups being "
        "alike in kind."
    )


def _about_classes(text: str, labels: list[Label]) -> About:
    """Return a sentence about classes; the record names the class if there is only one."""
    return About(text, class_=labels[0] if len(labels) == 1 else None)


def depends_on_order(f: Measure) -> bool:
    """Return whether a measure for any number of classes depends on which class is which, as costs and distances do."""
    return not f.class_symmetric and f.classes is None and not f.is_users_own()


def _order_of_classes(part: SystemScores, measures: tuple[Measure, ...]) -> Iterator[str]:
    """Warn where an ordinal measure uses alphabetical order, which is rarely the order that is meant."""
    labels, order = part.matrix.labels, part.matrix._order
    found = opening_names([f for f in measures if depends_on_order(f)])
    given = order.fixed or order.categories is not None
    words = [x for x in labels if isinstance(x, str)]
    if found and len(labels) > 2 and not given and len(words) == len(labels) and _is_sorted(words):
        yield (
            f"{names_text(found)} {'depends' if len(found) == 1 else 'depend'} on the order of the classes, which is "
            f"alphabetical here ({', '.join(words[:_NAMED])}{', …' if len(labels) > _NAMED else ''}): "
            "set the right order with labels= (--labels)."
        )


def _is_sorted(labels: Sequence[str]) -> bool:
    return list(labels) == sorted(labels)


def _one_class(part: SystemScores) -> Iterator[About]:
    """Warn where all items have the same true class."""
    sizes = [int(x > 0) for x in part.matrix.a]
    if sum(sizes) == 1 and part.matrix.n > 0:
        label = part.matrix.labels[sizes.index(1)]
        yield About(f"Every item has the true class {label!r}, so nothing is known about other classes.", label)


def _scores(part: SystemScores) -> Iterator[str]:
    """Warn where predictions look like scores, although they repeat too often to be refused as labels."""
    known = [
        (label, a > 0, b > 0) for label, a, b in zip(part.matrix.labels, part.matrix.a, part.matrix.b, strict=True)
    ]
    true = {label for label, occurs, _ in known if occurs}
    foreign = [label for label, _, occurs in known if occurs and label not in true]
    found = foreign_fractions(foreign, true)
    if len(found) > 1 and len(found) == len(foreign):
        yield (
            f"The predictions look like scores ({', '.join(str(x) for x in found[:3])}, …), not like labels: "
            "gm.sweep (goodmeasure sweep) measures scores at every threshold."
        )


def _beaten(part: SystemScores, measures: tuple[Measure, ...], policy: Policy) -> Iterator[str | About]:
    """Warn about measures on which the majority-class baseline scores better than the system.

    Only measures that treat all classes alike are compared: on a measure of one class (such as recall), a constant
    classifier can be perfect for nothing. A mean that leaves a class out for one of the two is a mean over other
    classes than the other's, so the two are not compared.
    """
    found = [f for f in measures if _is_beaten(part, f, policy)]
    if found:
        said = first_names_text([f"{sentence_name(f)} ({_against(part, f)})" for f in found], _BEATEN)
        one = found[0].name if len(found) == 1 else None
        yield About(f"Always predicting {part.constant!r} scores better on {said}.", measure=one)


def _against(part: SystemScores, f: Measure) -> str:
    value = part.value(f.name)
    assert value is not None
    return " against ".join(texts_that_differ(part.constant_values[f.name], value))


def _is_beaten(part: SystemScores, f: Measure, policy: Policy) -> bool:
    value, lazy = part.value(f.name), part.constant_values.get(f.name, math.nan)
    if value is None or math.isnan(value) or math.isnan(lazy) or not f.class_symmetric or f.orientation == NEITHER:
        return False
    if not (lazy - value if f.orientation == LOWER else value - lazy) < -_ROUNDING:
        return False
    constant = always(part.matrix, int(np.argmax(part.matrix.a)))
    return not any(_leaves_out(f, x, policy) for x in (part.matrix, constant))


def _leaves_out(f: Measure, matrix: ConfusionMatrix, policy: Policy) -> bool:
    """Return whether an average leaves classes out because their term is 0/0.

    Where there are too many classes to look at each term, any 0/0 counts.
    """
    if not policy.resolves or not math.isnan(float(f(matrix, undefined=NAN))):
        return False
    if matrix.is_sparse or matrix.m > _TRACED:
        return True
    _, notes = running.worked(f.recorded, matrix.counts.tolist(), policy)
    return any(note.action in (SKIPPED, LEFT_OUT) for note in notes)


def _at_chance(part: SystemScores, measures: tuple[Measure, ...]) -> Iterator[About]:
    """Warn about measures whose confidence interval includes their chance level."""
    judged = {f.name for f in measures if f.orientation != NEITHER and f.class_symmetric}
    overall = [row for row in part.rows if row.label is None and row.measure in judged]
    found = [
        row.measure
        for row in overall
        if not significance.is_significant(Claim(apart=not row.low <= row.chance <= row.high))
    ]
    if found:
        one, shown = len(found) == 1, sentence_names(measures)
        names = [shown[name] for name in found]
        ends = f"interval of {names[0]} includes" if one else f"intervals of {first_names_text(names, _NAMED)} include"
        yield About(f"The confidence {ends} the score of random guessing.", measure=found[0] if one else None)


def _few_items(part: SystemScores) -> Iterator[str | About]:
    """Warn about classes with few items, whose recall moves in large steps."""
    small = [(label, size, worth) for label, size, worth in class_sizes(part) if 0 < worth < FEW and size == int(size)]
    if len(small) > _SEPARATE:
        sizes = [
            f"{label!r} ({_items(int(size)) if k == 0 else int(size)})" for k, (label, size, _) in enumerate(small)
        ]
        means = "fewer than" if part.sample.items is None else "items that are worth fewer than"
        listed = first_names_text(sizes, _NAMED)
        yield f"{len(small):,} classes have {means} {FEW} items, so their recall is uncertain: {listed}."
        return
    for label, size, worth in small:
        if part.sample.items is None:
            means = _steps(int(size))
        elif size < FEW and worth > size - 0.5:
            means = "so its recall rests on few items"
        else:
            means = f"which, with their weights, are worth {worth:.2g} of equal weight"
        yield About(f"Class {label!r} has {_items(int(size))}, {means}.", label)


def _not_counts(part: SystemScores) -> Iterator[str]:
    """Warn about a matrix of shares, or of weights whose items are not known."""
    matrix = part.matrix
    if part.sample.items is not None or matrix.is_sparse or matrix.counts.dtype.kind != "f":
        return
    counts = np.asarray(matrix.counts, np.float64)
    if bool((counts == np.rint(counts)).all()):
        return
    for what, sums in (("rows add", matrix.a), ("columns add", matrix.b), ("cells add", np.array([matrix.n]))):
        whole = next((x for x in (1, 100) if np.allclose(sums, x, rtol=0, atol=0.01 * x)), None)
        if whole is not None:
            yield (
                f"The {what} up to {whole}, so these seem to be shares, not counts: they do not tell how many items "
                "each class has, on which most values and all intervals depend. Use the counts before they were "
                "normalised."
            )
            return
    yield (
        f"The counts are not whole, so they are sums of weights; their total, {matrix.n:g}, is taken as the number of "
        "items. Intervals and tests that are right need the items behind them: use labels with sample_weight, or "
        "gm.confusion(y_true, y_pred, sample_weight=…), which remembers them."
    )


def _items(size: int) -> str:
    return "1 item" if size == 1 else f"{size} items"


def _steps(size: int) -> str:
    """Return which values the recall of a small class can take."""
    if size <= 4:
        values = ["0", *(f"{k}/{size}" for k in range(1, size)), "1"]
        values = [x if x != "2/4" else "1/2" for x in values]
        return f"so its recall can only be {', '.join(values[:-1])} or {values[-1]}"
    return f"so its recall moves in steps of 1/{size}"


def _absent(part: SystemScores, measures: tuple[Measure, ...], policy: Policy) -> Iterator[About]:
    """Warn about classes that occur in neither the true nor the predicted labels, and averages they change."""
    matrix, present = part.matrix, _present(part)
    absent = [label for label, there in zip(matrix.labels, present, strict=True) if not there]
    if not absent:
        return
    one = len(absent) == 1
    moved = _moved(part, measures, policy)
    effects = [f"{verb if one else verb.removesuffix('s')} {names_text(x)}" for verb, x in moved.items() if x]
    subject = f"Class {absent[0]!r} occurs" if one else f"Classes {_quoted(absent)} occur"
    said = f"{subject} in neither the true nor the predicted labels{' and ' if effects else ''}{' and '.join(effects)}."
    yield _about_classes(said, absent)


def _moved(part: SystemScores, measures: tuple[Measure, ...], policy: Policy) -> dict[str, list[str]]:
    """Return the measures that absent classes raise or lower, each with its value without these classes."""
    found: dict[str, list[str]] = {"lifts": [], "lowers": []}
    matrix, there = part.matrix, np.flatnonzero(_present(part))
    if matrix.is_sparse or len(there) < 2:
        return found
    labels, them = tuple(matrix.labels[k] for k in there), "it" if len(there) == matrix.m - 1 else "them"
    without = ConfusionMatrix(matrix.counts[np.ix_(there, there)], labels)
    for f in measures:
        value = part.value(f.name)
        if value is None or math.isnan(value) or not f.class_symmetric:
            continue
        alone = float(f(without, undefined=policy))
        if not math.isnan(alone) and abs(value - alone) > _ROUNDING * max(1.0, abs(alone)):
            found["lifts" if value > alone else "lowers"].append(f"{sentence_name(f)} ({alone:.3g} without {them})")
    return found


def _present(part: SystemScores) -> list[bool]:
    """Return which classes occur; a class of items with weight 0 does."""
    matrix, items = part.matrix, part.sample.items
    rows, columns = (matrix.a, matrix.b) if items is None else (items.sum(axis=1), items.sum(axis=0))
    return [bool(a > 0 or b > 0) for a, b in zip(rows, columns, strict=True)]


def _weightless(part: SystemScores) -> Iterator[About]:
    """Warn about classes that occur only in items of weight 0."""
    matrix = part.matrix
    known = zip(matrix.labels, matrix.a, matrix.b, _present(part), strict=True)
    found = [label for label, a, b, there in known if there and a == 0 and b == 0]
    if found:
        who, occur = ("Class", "occurs") if len(found) == 1 else ("Classes", "occur")
        yield _about_classes(f"{who} {_quoted(found)} {occur} only in items of weight 0.", found)


def _never_predicted(part: SystemScores, policy: Policy) -> Iterator[About]:
    """Warn about classes that are never predicted."""
    matrix = part.matrix
    missed = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a > 0 and b == 0]
    if missed:
        said = f"{_are(missed)} never predicted, so {_rates(part, missed, 'recall', 'precision', policy)}"
        yield _about_classes(said, missed)


def _never_true(part: SystemScores, policy: Policy) -> Iterator[About]:
    """Warn about classes that are predicted but are never a true class."""
    matrix = part.matrix
    foreign = [label for label, a, b in zip(matrix.labels, matrix.a, matrix.b, strict=True) if a == 0 and b > 0]
    if foreign:
        rates = _rates(part, foreign, "precision", "recall", policy)
        said = f"{_are(foreign)} predicted but never {'a' if len(foreign) > 1 else 'the'} true class, so {rates}"
        yield _about_classes(said, foreign)


def _are(labels: list[Label]) -> str:
    return f"Class {labels[0]!r} is" if len(labels) == 1 else f"Classes {_quoted(labels)} are"


def _rates(part: SystemScores, labels: list[Label], zero: str, open_: str, policy: Policy) -> str:
    """Return the words about two rates: one is 0, and the other is 0/0, or the value that the policy assigns."""
    whose = "its" if len(labels) == 1 else "their"
    value = float(measure(open_)(part.matrix.vs_rest(labels[0]), undefined=policy))
    said = "undefined (0/0)" if math.isnan(value) else f"0/0, which counts as {value:.3g}"
    return f"{whose} {zero} is 0 and {whose} {open_} is {said}."


def _doubles(labels: tuple[Label, ...]) -> Iterator[str]:
    """Warn about labels that differ only in case or spaces, which are probably one class spelled in two ways."""
    spelled: dict[str, list[str]] = {}
    for label in labels:
        if isinstance(label, str):
            spelled.setdefault(" ".join(label.split()).casefold(), []).append(label)
    for same in [x for x in spelled.values() if len(x) > 1][:_NAMED]:
        yield f"The labels {_quoted(same)} differ only in case or spaces and are counted as different classes."
    numbers: dict[object, list[str]] = {}
    for label in labels:
        if isinstance(label, str) and label.strip() == label and (number := number_of(label)) is not None:
            numbers.setdefault(number, []).append(label)
    for same in [x for x in numbers.values() if len(x) > 1][:_NAMED]:
        yield f"The labels {_quoted(same)} are the same number as text and are counted as different classes."


def _missing_words(part: SystemScores) -> Iterator[About]:
    """Warn about classes that are called like a missing value, unless the user named the classes."""
    found = [x for x in part.matrix.labels if looks_missing(x)]
    if found and part.slice is None and not part.matrix._order.fixed:
        yield _about_classes(
            f"{words_as_classes(found)}: if missing labels are meant, name the text with na_values= (--na) for a text "
            "file or sheet, or make them missing (None) in other data, and say with missing= (--missing) how to treat "
            "them.", found,
        )  # fmt: skip


def words_as_classes(labels: Iterable[Label]) -> str:
    """Return the words that some classes are called like missing labels; no text if none is.

    >>> words_as_classes(["cat", "NA"])
    "'NA' is counted as a class"
    """
    found = [x for x in labels if looks_missing(x)]
    if not found:
        return ""
    return f"{found[0]!r} is counted as a class" if len(found) == 1 else f"{_quoted(found)} are counted as classes"


def _many_classes(part: SystemScores) -> Iterator[str]:
    """Warn that rows by class are left out where there are very many classes."""
    if part.matrix.m > MOST_CLASSES:
        yield f"There are {part.matrix.m:,} classes, so the rows by class are left out."


def _identifiers(part: SystemScores) -> Iterator[str]:
    """Warn where the true labels may be identifiers of items, unless the user named the classes."""
    sizes = part.matrix.a if part.sample.items is None else part.sample.items.sum(axis=1)
    alone, items = int((sizes == 1).sum()), part.sample.item_count
    if part.slice is not None or not items or part.matrix._order.fixed:
        return
    if (alone > _IDENTIFIERS and 2 * alone > items) or (alone >= _FEWEST_ALONE and alone >= 0.9 * items):
        yield (
            f"{alone:,} of {items:,} items have a true label that no other item has: "
            "if the labels are identifiers of items, choose another column."
        )


def _quoted(labels: Sequence[Label]) -> str:
    return first_names_text([repr(x) for x in labels], _NAMED)
