"""The first screen of a report: its title, where the data come from, and the headline numbers."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from goodmeasure.catalogue.definitions.rates import recall
from goodmeasure.catalogue.display_names import display_name, display_names, sentence_name
from goodmeasure.catalogue.measure import Measure
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.rows import ScoreRow
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.positive_class import sentence
from goodmeasure.evaluation.provenance import SYSTEM, Provenance
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.main_finding import (
    UNNAMED,
    AnyMeasure,
    best_part,
    lead_of,
    lead_of_comparison,
    measures_of,
)
from goodmeasure.report.content.sample_sizes import items_text
from goodmeasure.report.document import Headline, Headlines, Span, TableCell
from goodmeasure.report.numbers import label_text, level_text, many, share_text, value_text
from goodmeasure.typing import Label

_MOST = 4  # headline numbers
_NAMED = 3  # classes that the line about the data names
_OF_TWO = ("recall", "precision", "accuracy", "f1")
_OF_MORE = ("accuracy", "macro(f1)", "balanced_accuracy", "weighted(f1)")
_OF_SCORES = ("roc_auc", "macro(roc_auc)", "average_precision", "brier", "log_loss")
_EPOCH = "SOURCE_DATE_EPOCH"  # the environment variable that fixes the date of reproducible builds


def today() -> date:
    """Return the date that a report bears: today, or the one that the environment sets for reproducible builds."""
    given = os.environ.get(_EPOCH, "")
    return datetime.fromtimestamp(int(given), UTC).date() if given.isdigit() else datetime.now().astimezone().date()


def date_text(day: date) -> str:
    """Return a date in words.

    >>> date_text(date(2026, 3, 7))
    '7 March 2026'
    """
    return f"{day.day} {day:%B %Y}"


def report_title(result: Result) -> str:
    """Return the title of a report where none was given."""
    return title_of(result.source, result.systems)


def title_of(source: Provenance, systems: tuple[str, ...]) -> str:
    """Return a title made from the data: who was evaluated, on which files."""
    who = many(len(systems), source.unit)
    if len(systems) == 1:
        who = "Evaluation" if systems[0] in UNNAMED else systems[0]
    files = files_text(source)
    if who == "Evaluation":
        return f"Evaluation of {files}" if files else who
    return f"{who} on {files}" if files else f"Evaluation of {who}"


def files_text(source: Provenance) -> str:
    """Return the names of the files, without their folders; the first of them where there are many."""
    names = ["standard input" if x == "-" else Path(x).name for x in source.files]
    return names[0] + (f" and {len(names) - 1} more" if len(names) > 1 else "") if names else ""


def first_line(source: Provenance) -> tuple[str, ...]:
    """Return what stands above all else: a positive class that nobody named, if there is one."""
    said = sentence(source.positive, source.positive_by, "positive= or --positive" if source.files else "positive=")
    return (said,) if said else ()


def positive_class(source: Provenance, labels: Sequence[Label]) -> list[str]:
    """Return which of two classes is the positive one, for a heading, unless the first line says so."""
    is_said = len(labels) != 2 or source.unit != SYSTEM or source.of_outcomes or bool(first_line(source))
    return [] if is_said else [f"positive class {label_text(labels[-1])!r}"]


def about(result: Result) -> tuple[str, ...]:
    """Return the date, the files and the size of the data, in a few words each."""
    matrix = result.part().matrix
    files = files_text(result.source)
    said, positive = first_line(result.source), positive_class(result.source, matrix.labels)
    return (*said, date_text(today()), *([files] if files else []), *what_data(result), *positive)


def heading(result: Result, *more: str) -> str:
    """Return the line above a screen: how many systems, items and classes there are, and the positive class."""
    return " · ".join([*what_data(result), *positive_class(result.source, result.part().matrix.labels), *more])


def what_data(result: Result) -> list[str]:
    """Return how many systems, items and classes there are."""
    matrix = result.part().matrix
    systems = [many(len(result.systems), result.source.unit)] if len(result.systems) > 1 else []
    return [*systems, items_text(result), *classes_text(result.source, matrix)]


def classes_text(source: Provenance, matrix: ConfusionMatrix) -> list[str]:
    """Return how many classes there are and their shares; of outcomes, what is known about them."""
    if source.of_outcomes:
        return [text for _, text in source.facts]
    return [f"{many(matrix.m, 'class', 'classes')}{_shares(matrix)}"]


def _shares(matrix: ConfusionMatrix) -> str:
    if matrix.m > _NAMED or not matrix.n:
        return ""
    shares = sorted(zip(matrix.labels, matrix.a, strict=True), key=lambda x: -float(x[1]))
    return f" ({', '.join(f'{label_text(x)} {share_text(float(a) / float(matrix.n))}' for x, a in shares)})"


@built_once
def headlines(result: Result) -> Headlines:
    """Return the three or four numbers of the best system that a reader should remember."""
    if not result.competing:
        return _of_averages(result)
    part = best_part(result)
    measures = measures_of(result)
    shown, known = display_names(measures), {f.name: f for f in measures}
    items = [
        _headline(_named(shown[row.measure], known[row.measure], part), row, part) for row in _chosen(result, part)
    ]
    if part.matrix.m > 2 and len(items) < _MOST:
        items += _worst_class(part)
    always = f"always {label_text(part.constant)!r}"
    return Headlines(f"{_whose(result, part)}{_level(result)}", tuple(items), always)


def _whose(result: Result, part: SystemScores) -> str:
    f = lead_of(result)
    if len(result.systems) == 1 or f is None:
        return "Headline numbers"
    return f"{part.system}, the best on {sentence_name(f)}"


def _level(result: Result) -> str:
    level = result.settings.confidence
    return "" if level is None else f", with {level_text(level)} confidence intervals"


def _chosen(result: Result, part: SystemScores) -> list[Row]:
    """Return the rows of the headline numbers: the leading measure, one of scores, and the most usual others."""
    rows = {row.measure: row for row in (*part.rows, *part.score_rows) if row.label is None}
    f = lead_of(result)
    scores = [name for name in _OF_SCORES if name in rows][:1]
    usual = [name for name in (_OF_TWO if part.matrix.m == 2 else _OF_MORE) if name in rows]
    others = [x.name for x in measures_of(result) if x.name in rows]
    names = list(dict.fromkeys([*([] if f is None else [f.name]), *scores, *usual, *others]))
    return [rows[name] for name in names[: _MOST if part.matrix.m == 2 else _MOST - 1]]


def headline_names(result: Result) -> list[str]:
    """Return the names of the measures among the headline numbers, the leading one first."""
    return [row.measure for row in _chosen(result, best_part(result))] if result.competing else []


def named_measure(f: AnyMeasure, part: SystemScores) -> str:
    """Return the name of a measure, with the class that it is about where there are two."""
    return _named(display_name(f), f, part)


def _named(display: str, f: AnyMeasure, part: SystemScores) -> str:
    """Return the name of a headline number, with the class that it is about where there are two."""
    of_class = part.matrix.m == 2 and isinstance(f, Measure) and f.classes == 2 and not f.class_symmetric
    return f"{display} of {label_text(part.matrix.labels[-1])!r}" if of_class else display


def _headline(name: str, row: Row, part: SystemScores) -> Headline:
    chance = None if math.isnan(row.chance) else row.chance
    found = part.constant_values.get(row.measure, math.nan)
    lazy = None if math.isnan(found) else found
    return Headline(name, spanned(row, lazy), chance, lazy)


def spanned(row: Row, baseline: float | None = None, least: float = 0.0) -> TableCell:
    """Return the cell of a value with its interval, which a page draws if the value lies on an axis that ends at 1."""
    cell = TableCell(value_text(row.value), row.value, row.low, row.high, row.reason)
    return TableCell(**{**cell.__dict__, "span": span_of(row, baseline, least)})


def span_of(row: Row, baseline: float | None, least: float = 0.0) -> Span | None:
    """Return the axis of an interval, from `least` to 1; None where it does not fit."""
    known = not math.isnan(row.value) and not math.isnan(row.low)
    chance = None if math.isnan(row.chance) else row.chance
    start = min(least, row.low, row.value) if known else 0.0
    if not known or max(row.value, row.high) > 1 or start < -1:
        return None
    return Span(min(start, *(x for x in (chance, baseline) if x is not None), start), 1.0, row.value, chance, baseline)


def _worst_class(part: SystemScores) -> list[Headline]:
    recalls = [x for x in part.rows if x.label is not None and x.measure == recall.name and not math.isnan(x.value)]
    if len(recalls) < 2 or recall not in part.settings.classwise:  # a user's function may have that name
        return []
    worst = min(recalls, key=lambda x: x.value)
    chance = None if math.isnan(worst.chance) else worst.chance
    lazy = 1.0 if worst.label == part.constant else 0.0
    return [Headline(f"Lowest recall: {label_text(worst.label)!r}", spanned(worst, lazy), chance, lazy)]


def _of_averages(result: Result) -> Headlines:
    """Return the headline numbers of multilabel data: averages over the labels."""
    wanted = [("macro", "f1"), ("micro", "f1"), ("macro", "mcc"), (None, "exact_match")]
    known = {(x.average, x.measure): x for x in result.averages}
    items = [
        Headline(
            _average_name(average, x.measure),
            TableCell(value_text(x.value), x.value, x.low, x.high, x.reason),
            None,
            None,
        )
        for average, name in wanted
        for x in [known.get((average, name))]
        if x is not None
    ]
    return Headlines(f"Averages over the labels{_level(result)}", tuple(items))


def _average_name(average: str | None, measure: str) -> str:
    return "Exact match" if average is None else f"{average.capitalize()} {measure.upper()}"


def comparison_headlines(found: Comparison) -> Headlines | None:
    """Return the headline numbers of the best system of a comparison."""
    f = lead_of_comparison(found)
    if f is None or f.name not in found.leaders:
        return None
    who, shown = found.leaders[f.name][0], display_names(found.settings.measures)
    usual = _OF_TWO if len(found.labels) == 2 else _OF_MORE
    names = list(dict.fromkeys([f.name, *(x for x in usual if x in found.measures), *found.measures]))[:_MOST]
    rows = [found.score(who, name) for name in names]
    items = tuple(Headline(shown[x["measure"]], _of_row(x), None, None) for x in rows)
    whose = f"{who}, the best on {sentence_name(f)}" if len(found.systems) > 1 else "Headline numbers"
    return Headlines(f"{whose}, with {level_text(found.settings.confidence)} confidence intervals", items)


def _of_row(row: ScoreRow) -> TableCell:
    value, low, high = float(row["value"]), float(row["low"]), float(row["high"])
    drawn = not math.isnan(low) and high <= 1 and low >= -1
    span = Span(min(0.0, low, value), 1.0, value) if drawn else None
    return TableCell(value_text(value), value, low, high, span=span)
