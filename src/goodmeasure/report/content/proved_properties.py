"""The section on properties of the measures, what they mean for this data, and which measures suit the task."""

from __future__ import annotations

import math
from collections.abc import Iterator

from goodmeasure.catalogue.definitions.averaging import calibrated
from goodmeasure.catalogue.display_names import (
    display_name,
    display_of,
    inside,
    names_text,
    opening_names,
    sentence_name,
)
from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores, value_and_reason
from goodmeasure.language.policy import NAN
from goodmeasure.recommendation.recommend import recommend
from goodmeasure.report.document import Block, Facts, Grid, Section, Sentences
from goodmeasure.report.document import TableCell as Entry
from goodmeasure.report.numbers import label_text, many, share_text, value_text
from goodmeasure.theory.atlas.atlas import AtlasCell, opened, stored
from goodmeasure.theory.statements.lookup import NINE, statement
from goodmeasure.theory.statements.verdict import REFUTED, SIGNS, VACUOUS

SHOWN = (*NINE, "opitz_monotone", "opitz_class_sensitive", "opitz_prevalence_invariant")
_CASE = " Smallest example, with the rows of the confusion matrix before and after: "
RARE = 0.05  # classes with a smaller share of the items are called rare here
_KEY = "✓ proved for every n, ✗ refuted by a counterexample with this n, ? not refuted up to this n; n: number of items"


def judgement(result: Result) -> list[Section]:
    """Return the section on properties, or nothing where nothing is known about the measures."""
    known = _Known(result)
    if not known.cells:
        return []
    meanings = tuple(_meanings(result, known))
    blocks: list[Block] = [
        *([Sentences(meanings)] if meanings else []),
        Sentences(tuple(_advice(result))),
        known.table(),
        Facts(tuple((statement(x).short, f"{statement(x).title}. {statement(x).sentence}") for x in SHOWN)),
    ]
    return [Section("properties", "Properties of these measures", tuple(blocks), gist=(meanings or ("",))[0])]


class _Known:
    """The atlas's verdicts about the measures of a result."""

    def __init__(self, result: Result) -> None:
        self.m = min(result.part().matrix.m, 3)
        known = stored().filter(classes=self.m, domain="regular").by_measure()
        self.measures = [f for f in result.settings.measures if f.name in known]
        self.cells = {f.name: known[f.name] for f in self.measures}

    def lost(self, measure: Measure, name: str) -> bool:
        """Return whether a property of the measure is refuted."""
        cell = self.cells[measure.name].get(name)
        return cell is not None and cell["status"] == REFUTED

    def witness(self, measure: Measure, name: str) -> str:
        """Return the counterexample to a property in one line."""
        found = opened({**self.cells[measure.name][name], "certificate": None}).witness
        return "" if found is None else found.says

    def table(self) -> Grid:
        """Return the table of verdicts: a row for each measure and a column for each property."""
        shorts = [statement(x).short for x in SHOWN]
        rows = [
            (Entry(display_name(f)), *(self._entry(self.cells[f.name].get(x)) for x in SHOWN)) for f in self.measures
        ]
        where = "two classes" if self.m == 2 else "three classes"
        nothing = any(known.get(x, {}).get("status") == VACUOUS for known in self.cells.values() for x in SHOWN)
        key = f"{_KEY}, {SIGNS[VACUOUS]} holds trivially" if nothing else _KEY
        return Grid(f"Verdicts for {where}, all of which occur ({key})", ("measure", *shorts), tuple(rows))

    @staticmethod
    def _entry(cell: AtlasCell | None) -> Entry:
        if cell is None:
            return Entry("")
        n = "" if cell["status"] == "proved" or cell["n"] is None else str(cell["n"])
        return Entry(SIGNS[cell["status"]] + n)


def _meanings(result: Result, known: _Known) -> Iterator[str]:
    """Yield sentences on what the verdicts mean for this data."""
    for f in known.measures:
        yield from _harm(known, f)
    levels = [x for f in known.measures if known.lost(f, "constant_baseline") for x in _chance(result, f)]
    if levels:
        yield f"The score of random guessing depends on the class sizes. Here it is {', '.join(levels)}."
    part = next(part for part in result.parts if part.slice is None)
    moved = [x for f in known.measures if known.lost(f, "opitz_prevalence_invariant") for x in _prevalence(part, f)]
    if moved:
        whose = f" of {part.system}" if len(result.systems) > 1 else ""
        yield (
            "If all classes were equally frequent and kept their recalls, these values"
            f"{whose} would be different: {', '.join(moved)}."
        )
    partial = [f for f in known.measures if known.m == 2 and known.lost(f, "class_symmetry")]
    if partial:
        label = label_text(result.part().matrix.labels[-1])
        verb = "depends" if len(partial) == 1 else "depend"
        yield f"{names_text(opening_names(partial))} {verb} on which class is positive (here {label!r})."
    equal = [sentence_name(f) for f in known.measures if known.lost(f, "opitz_class_sensitive")]
    if equal and (share := _largest(result)) > 0.5:
        yield (
            f"Under {names_text(equal)} each item counts the same, so the largest class ({share_text(share)} of the "
            "items) dominates the value."
        )


def _harm(known: _Known, f: Measure) -> Iterator[str]:
    """Yield a sentence where a measure may rank a better system below a worse one."""
    if known.lost(f, "opitz_monotone"):
        shown = known.witness(f, "opitz_monotone")
        yield (
            f"{display_name(f)} can improve when one more error is made, or get worse with one more correct prediction."
            f"{_CASE}{shown}."
        )
    elif known.lost(f, "monotone") and known.m > 2:
        shown = known.witness(f, "monotone")
        yield f"{display_name(f)} does not always improve when an error is corrected.{_CASE}{shown}."


def _chance(result: Result, f: Measure) -> Iterator[str]:
    """Yield the chance level of a measure for the systems of the result."""
    rows = [row for part in result.parts if part.slice is None for row in part.rows if row.label is None]
    levels = [row.chance for row in rows if row.measure == f.name and not math.isnan(row.chance)]
    if levels:
        low, high = value_text(min(levels)), value_text(max(levels))
        name = sentence_name(f)
        yield f"{name} {low}" if low == high else f"{name} {low} to {high}"


def _prevalence(part: SystemScores, f: Measure) -> Iterator[str]:
    """Yield what a value would be if all classes were equally frequent."""
    now, (even, _) = part.value(f.name), value_and_reason(calibrated(f), part.matrix, NAN, explain=False)
    if now is None or math.isnan(now) or math.isnan(even) or value_text(now) == value_text(even):
        return
    yield f"{sentence_name(f)} {value_text(even)} instead of {value_text(now)}"


def _largest(result: Result) -> float:
    matrix = result.part().matrix
    return max(float(a) for a in matrix.a) / float(matrix.n) if matrix.n else 0.0


def _advice(result: Result) -> Iterator[str]:
    """Yield what `recommend` says about a task with this number of classes and of rare classes."""
    matrix = result.part().matrix
    classes = max(matrix.m, 2)
    rare = min(sum(0 < float(a) < RARE * float(matrix.n) for a in matrix.a), classes - 1)
    found = recommend(classes=classes, rare=rare, readers="specialists")
    used = [f.name for f in result.settings.measures]
    about = f"{many(classes, 'class', 'classes')}{f', {rare} of them with less than 5% of the items' if rare else ''}"
    best = names_text([inside(display_of(x)) for x in found.measures[:3]])
    yield f"If nothing else is known about a task with {about}, the best measures are {best}."
    suits = {y for x in found if x.suits for y in (x.name, *x.alike)}
    fits, others = [x for x in used if x in suits], []
    for advice in found:
        for name in (advice.name, *advice.alike):
            if name in used and name not in suits:
                why = next(x for x in advice.violates if x.need.required)
                others.append(f"{inside(display_of(name))} ({statement(why.need.statement).short})")
    if fits:
        verb = "has" if len(fits) == 1 else "have"
        them = names_text([inside(display_of(x)) for x in fits])
        yield f"Of the measures used here, {them} {verb} all properties that such a task requires."
    if others:
        yield f"These lack a required property (named as in the table): {names_text(others)}."
    yield (
        "What you know about the task (costs, ordered classes, deployment, one class that matters, a distance) changes "
        "the answer: see goodmeasure recommend --questions"
    )
