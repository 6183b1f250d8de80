"""Sentences about undefined terms: why a term had no value, for which classes, and what was done about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, SupportsFloat, TypeAlias

from goodmeasure.catalogue import running
from goodmeasure.catalogue.display_names import names_text, short_name, title_inside
from goodmeasure.catalogue.measure import Measure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.language.policy import ABSENT, COUNTED, LEFT_OUT, NAN, NUMBER, SKIPPED, UNDEFINED, Note, Policy
from goodmeasure.language.print.unicode_formulas import plain_text
from goodmeasure.language.record import CannotRecord
from goodmeasure.language.tree import leaves_out_absent
from goodmeasure.language.view import Number

if TYPE_CHECKING:
    from goodmeasure.language.print.formulas import Division

_MOST_TRIED = 20  # classes: with more, trying each cause on a matrix of its own takes too long
_NAMED = 5  # at most this many classes are named in a sentence
_NO_TRUE, _NO_PREDICTED, _NEITHER, _ALL_TRUE, _ALL_PREDICTED = "a = 0", "b = 0", "a = b = 0", "a = n", "b = n"
# What the classes of a sentence share: the facts behind it, the division, what was done, what the term became, its
# numerator, and whether it belongs to no class.
_Key: TypeAlias = tuple[tuple[tuple[str, int | None], ...], "Division | None", str, float | None, Number, bool]
_CAUSES = {
    _NO_TRUE: ("{} has no true items", "{} have no true items"),
    _NO_PREDICTED: ("{} is never predicted", "{} are never predicted"),
    _NEITHER: ("{} occurs in neither labeling", "{} occur in neither labeling"),
    _ALL_TRUE: ("every item is of class {}", ""),
    _ALL_PREDICTED: ("only {} is ever predicted", ""),
}


def sentences(measure: Measure, cm: ConfusionMatrix, policy: Policy) -> list[str]:
    """Return sentences on the terms that had no value on one matrix, for which classes, and what was done about it."""
    _, notes = running.worked(measure.recorded, cm.counts.tolist(), policy)
    return said_of(measure, cm, notes)


def left_out(measure: Measure, cm: ConfusionMatrix) -> str | None:
    """Return the sentence about classes in neither labeling that an average leaves out; None if there are none."""
    absent = [i for i, size in enumerate(cm.a + cm.b) if size == 0]
    if not absent:
        return None
    try:
        tree = measure.recorded.tree(cm.m)
    except CannotRecord:  # a user's function may branch with `if`
        return None
    return _about_absent(cm, absent) if leaves_out_absent(tree) else None


def said_of(measure: Measure, cm: ConfusionMatrix, notes: Sequence[Note]) -> list[str]:
    """Return the notes of one evaluation in words; classes with the same cause and outcome share a sentence."""
    if cm.m == 1:
        agrees = measure.family == "agreement"
        return [
            f"there is only one class, so {'agreement is perfect' if agrees else 'there is nothing to distinguish'}"
        ]
    known = _divisions(measure, cm.m)
    groups: dict[_Key, list[int]] = {}
    for note in notes:
        first = index(note.where[0]) if note.where else cm.m
        at = first if first < cm.m else None
        causes = () if note.action == ABSENT else _causes(measure, cm, at, note)
        value = float(note.value) if isinstance(note.value, SupportsFloat) else None
        classes = groups.setdefault((causes, known.get(note.place), note.action, value, note.above, at is None), [])
        if at is not None and at not in classes:
            classes.append(at)
    found = sorted(groups.items(), key=lambda group: group[0][-1])  # what is about the whole measure follows from terms
    return list(dict.fromkeys(_sentence(measure, cm, key, classes) for key, classes in found))


@lru_cache(maxsize=256)
def _divisions(measure: Measure, m: int) -> dict[object, Division]:
    """Return the divisions of a measure's formula, as far as it can be printed."""
    from goodmeasure.language.print.formulas import divisions

    try:
        tree = measure.recorded.tree(m)
    except CannotRecord:  # a user's function may branch with `if`
        return {}
    return dict(divisions(tree, two=2 in (measure.classes, tree.classes)).items())  # it need not declare classes=2


def _causes(measure: Measure, cm: ConfusionMatrix, at: int | None, note: Note) -> tuple[tuple[str, int | None], ...]:
    """Return what in the data makes a denominator 0: facts, each with its class (None: the classes of the note).

    Where several facts hold of a class, the cause is the one that makes the denominator 0 on its own.
    """
    if at is None and measure.classes != 2:  # a measure of all classes is 0/0 if a labeling is constant
        sizes = ((_ALL_TRUE, cm.a), (_ALL_PREDICTED, cm.b))
        return tuple((fact, i) for fact, size in sizes for i in range(cm.m) if size[i] == cm.n)
    i = cm.m - 1 if at is None else at
    a, b, n = cm.a[i], cm.b[i], cm.n
    holds = {_NO_TRUE: a == 0, _NO_PREDICTED: b == 0, _ALL_TRUE: a == n, _ALL_PREDICTED: b == n}
    found = [_NEITHER] if a == b == 0 else [fact for fact, there in holds.items() if there]
    several = len(found) > 1 and cm.m <= _MOST_TRIED
    alone = [fact for fact in found if _fails(measure, cm.m, i, fact, note)] if several else []
    return tuple((fact, i if at is None else None) for fact in alone or found)


def _fails(measure: Measure, m: int, i: int, fact: str, note: Note) -> bool:
    """Return whether the division of a note fails on a matrix of which only this fact holds, for the class i."""
    counts = [[1] * m for _ in range(m)]
    for row in range(m):
        for column in range(m):
            on = {_NO_TRUE: row != i, _NO_PREDICTED: column != i, _ALL_TRUE: row == i, _ALL_PREDICTED: column == i}
            counts[row][column] = int(on[fact])
    try:
        _, notes = running.worked(measure.recorded, counts, NAN)
    except (ArithmeticError, TypeError, ValueError):  # a user's function may refuse the matrix
        return False
    return any(x.place == note.place and x.where == note.where for x in notes)


def _sentence(measure: Measure, cm: ConfusionMatrix, key: _Key, classes: list[int]) -> str:
    """Return the sentence about one kind of undefined term."""
    causes, division, action, value, above, whole = key
    many, under = len(classes) > 1, "" if division is None else plain_text(division.denominator)
    if action == ABSENT:
        return _about_absent(cm, classes)
    cause = " and ".join(_cause(cm, fact, classes if i is None else [i]) for fact, i in causes)
    if not cause:
        cause = f"{under or 'a denominator'} is 0" + ("" if whole else f" for {_names(cm, classes)}")
    rate = None if division is None else division.rate
    subject = short_name(measure) if whole else f"{'their' if many else 'its'} {_term(measure, rate, under, above)}"
    fails = "is 0/0" if above == 0 else "has a zero denominator"
    return f"{cause}, so {subject} {fails}{_done(measure, action, value, whole, many)}"


def _about_absent(cm: ConfusionMatrix, classes: list[int]) -> str:
    labels = _listed([repr(cm.labels[i]) for i in classes])
    if len(classes) > 1:
        return f"classes {labels} occur in neither labeling and are left out of the average"
    return f"class {labels} occurs in neither labeling and is left out of the average"


def _cause(cm: ConfusionMatrix, fact: str, classes: list[int]) -> str:
    one, more = _CAUSES[fact]
    if fact == _ALL_TRUE:
        return one.format(repr(cm.labels[classes[0]]))
    return (more if len(classes) > 1 else one).format(_names(cm, classes))


def _names(cm: ConfusionMatrix, classes: list[int]) -> str:
    """Return classes as a sentence names them: text in quotes, anything else after the word "class"."""
    labels = [cm.labels[i] for i in classes]
    if all(isinstance(x, str) for x in labels):
        return _listed([repr(x) for x in labels])
    return f"class{'es' if len(labels) > 1 else ''} {_listed([repr(x) for x in labels])}"


def _listed(names: list[str]) -> str:
    if len(names) > _NAMED + 1:
        names = [*names[:_NAMED], f"{len(names) - _NAMED} others"]
    return names_text(names)


def _term(measure: Measure, rate: str | None, under: str, above: Number) -> str:
    """Return what the term of a class is called: the averaged measure, a rate, or just a term."""
    while measure.combinator == "calibrated" and isinstance(measure.inner, Measure):
        measure = measure.inner
    inner = measure.inner
    if inner is not None:
        title = title_inside(inner)
        return f"value of {title}" if title.split()[0].endswith(("'s", "'")) else title
    return rate or (f"term with the denominator {under}" if under and above == 0 else "term")


def _done(measure: Measure, action: str, value: float | None, whole: bool, many: bool) -> str:
    """Return the end of a sentence: what the policy made of an undefined term."""
    if action == UNDEFINED:
        return ""
    if action in (SKIPPED, LEFT_OUT):
        average = " of the average" if action == LEFT_OUT else ""
        return f" and the {'classes are' if many else 'class is'} left out{average}"
    if action == NUMBER:
        return f" and is replaced by {value:.6g}"
    shown = f"{value:.3g}"
    if action == COUNTED:
        return f" and counts as {shown}" + (", the worst value" if value == measure.worst_value else "")
    return f" and is reported as {shown}" if whole else f" and counts as {shown}"
