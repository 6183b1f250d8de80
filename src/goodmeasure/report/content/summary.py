"""The first sentences of a report: what the numbers say."""

from __future__ import annotations

import math

from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.comparison.ranking import places
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import Part
from goodmeasure.evaluation.table import Row
from goodmeasure.report.content.sample_sizes import items_text
from goodmeasure.report.numbers import chance_text, interval_text, label_text, many, names_text, share_text, value_text

UNTESTED = "These differences were not tested: gm.compare (goodmeasure compare) says which of them are significant."
_LEADING = ("mcc", "sba", "kappa", "balanced_accuracy", "macro(f1)")


def headline(result: Result) -> str:
    """Return the title: which systems, on how many items."""
    systems = result.systems
    who = systems[0] if len(systems) == 1 else f"{len(systems)} {result.source.unit}s"
    return f"{who}: {items_text(result)}, {many(result.matrix().m, 'class', 'classes')}"


def summary(result: Result) -> list[str]:
    """Return the main findings in sentences."""
    parts = [part for part in result.parts if part.slice is None]
    lines = [line for part in parts for line in _of_system(part, named=len(parts) > 1)] if len(parts) <= 3 else []
    return [*lines, *(order_lines(result) if result.compared is None else [])]


def _of_system(part: Part, *, named: bool) -> list[str]:
    who = part.system if named else "The system"
    lines = []
    accuracy = _row(part, "accuracy")
    if accuracy is not None and not math.isnan(accuracy.value):
        lazy = part.constant_values["accuracy"]
        lines.append(
            f"{who} is right on {share_text(accuracy.value)} of the items; "
            f"always saying {label_text(part.constant)!r} would be right on {share_text(lazy)}."
        )
    whose = f"{who}'s" if named or not lines else "Its"
    for name in _LEADING:
        row = _row(part, name)
        if row is not None and not math.isnan(row.value):
            interval = interval_text(row.low, row.high)
            lines.append(
                f"{whose} {name} is {value_text(row.value)}"
                f"{f' (interval {interval})' if interval else ''}, where chance gets {chance_text(row.chance)}."
            )
            break
    recalls = [row for row in part.rows if row.label is not None and row.measure == "recall" and row.value == row.value]
    if len(recalls) > 1:
        worst, best = min(recalls, key=lambda x: x.value), max(recalls, key=lambda x: x.value)
        if worst.value < best.value:
            subject = who if named or not lines else "It"
            lines.append(
                f"{subject} finds {share_text(best.value)} of class {label_text(best.label)!r} and "
                f"{share_text(worst.value)} of class {label_text(worst.label)!r}."
            )
    return lines


def _row(part: Part, measure: str) -> Row | None:
    return next((row for row in part.rows if row.label is None and row.measure == measure), None)


def order_lines(result: Result) -> list[str]:
    """Return which system has the best value of each measure, if systems were not compared in pairs."""
    parts = [part for part in result.parts if part.slice is None]
    if len(parts) < 2 or not result.rivals:
        return []
    best: dict[tuple[str, ...], list[str]] = {}
    for f in result.settings.measures:
        if f.orientation == NEITHER:
            continue
        values = {part.system: part.value(f.name) for part in parts}
        known = {name: x for name, x in values.items() if x is not None and not math.isnan(x)}
        if known:
            order = zip(known, places(list(known.values()), higher=f.orientation != LOWER), strict=True)
            best.setdefault(tuple(name for name, rank in order if rank == 1), []).append(f.name)
    if not best:
        return []
    if len(best) == 1:
        (who, names) = next(iter(best.items()))
        what = "every measure" if len(names) > 1 else names[0]
        if len(who) == len(parts):
            return [f"All systems have the same value of {what}."]
        return [f"{_have(who)} the best value of {what}.", UNTESTED]
    ranked = sorted(best.items(), key=lambda x: -len(x[1]))
    said = [f"{_have(who)} the best value of {', '.join(names)}" for who, names in ranked]
    return [f"The measures disagree: {'; '.join(said)}.", UNTESTED]


def _have(who: tuple[str, ...]) -> str:
    return f"{names_text(who)} {'share' if len(who) > 1 else 'has'}"
