"""Multilabel data in a report: averages over labels and items, and the comparison of systems by them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypedDict, cast

from goodmeasure.catalogue.display_names import display_of, inside, names_text
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.rows import AverageDifferenceRow, AverageRow
from goodmeasure.comparison.settings import SYSTEMS
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.multilabel import AVERAGES
from goodmeasure.evaluation.multilabel_averages import EXACT_MATCH
from goodmeasure.evaluation.number_words import p_text
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.significance import Claim
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.interval_methods import confidence
from goodmeasure.report.document import Document, Grid, Section, Sentences, TableCell, interval_cell
from goodmeasure.report.numbers import level_text, many, value_text

_EXACT = "Exact match"


class _Averaged(TypedDict):
    """What is shown of an average, of one result or in a comparison."""

    average: str | None
    measure: str
    value: float
    low: float
    high: float
    reason: str | None


@built_once
def average_grids(result: Result) -> list[Grid]:
    """Return the table of averages over labels and items, for multilabel data."""
    if not result.averages:
        return []
    rows: list[_Averaged] = [
        {"average": x.average, "measure": x.measure, "value": x.value, "low": x.low, "high": x.high, "reason": x.reason}
        for x in result.averages
    ]
    return [_averages(f"Averages over labels and items{confidence(result)}", rows)]


def _averages(caption: str, rows: Sequence[_Averaged]) -> Grid:
    """Return one row for each measure, with a column for each average; the exact match is a mean over items."""
    by_measure: dict[str, dict[str, TableCell]] = {}
    for x in rows:
        cell = TableCell(value_text(x["value"]), x["value"], x["low"], x["high"], x["reason"])
        name = _EXACT if x["measure"] == EXACT_MATCH else display_of(x["measure"])
        by_measure.setdefault(name, {})[x["average"] or AVERAGES[-1]] = cell
    lines = tuple(
        (TableCell(name), *(cells.get(x, TableCell("")) for x in AVERAGES)) for name, cells in by_measure.items()
    )
    return Grid(caption, ("measure", *AVERAGES), lines, tuple(range(1, len(AVERAGES) + 1)))


def multilabel_title(found: Comparison) -> str:
    """Return how many systems were compared on what."""
    systems, items = many(len(found.systems), "system"), many(found.items, "item")
    return f"{systems}: {items}, {many(len(found.labels), 'label')}"


def multilabel_contents(found: Comparison) -> Document:
    """Return the whole report of a comparison of multilabel systems."""
    level = level_text(found.confidence)
    grids = [
        _averages(
            f"{name}: averages, with intervals at {level} confidence",
            [x for x in cast("Sequence[AverageRow]", found.scores) if x["system"] == name],
        )
        for name in found.systems
    ]
    lines = (*summary_lines(found), *found.notes)
    return Document(
        multilabel_title(found),
        (
            Section("summary", "Summary", (Sentences(lines),)),
            Section("scores", "Averages", tuple(grids)),
            *([Section("differences", "Paired differences", (differences(found),))] if found.differences else []),
        ),
    )


def differences(found: Comparison) -> Grid:
    """Return the table of paired differences."""
    rows = tuple(
        (
            TableCell(_name(x)),
            TableCell(x["a"]),
            TableCell(x["b"]),
            TableCell(value_text(x["difference"]), x["difference"], note=x["reason"]),
            interval_cell(x["low"], x["high"]),
            TableCell(p_text(x["p"]), x["p"]),
            TableCell(p_text(x["p_family"]), x["p_family"]),
            TableCell(x["method"]),
        )
        for x in cast("Sequence[AverageDifferenceRow]", found.differences)
    )
    columns = ("average", "a", "b", "a − b", "interval", "p", "p, Holm", "test")
    over = "the pairs of systems" if found.correct == SYSTEMS else "pairs, averages and measures"
    return Grid(f"Differences, p-values corrected over {over}", columns, rows, (3, 4, 5, 6))


def _name(row: AverageDifferenceRow) -> str:
    return _EXACT if row["average"] is None else f"{row['average'].capitalize()} {inside(display_of(row['measure']))}"


def summary_lines(found: Comparison) -> list[str]:
    """Return which differences are significant."""
    if len(found.systems) < 2:
        return ["There is only one system, so there is nothing to compare it with."]
    lines, rows = [], cast("Sequence[AverageDifferenceRow]", found.differences)
    for k, a in enumerate(found.systems):
        for b in found.systems[k + 1 :]:
            mine = [x for x in rows if (x["a"], x["b"]) == (a, b) and not math.isnan(x["p_family"])]
            clear = [x for x in mine if significance.is_significant(Claim(found.confidence, x["p_family"]))]
            if not clear:
                lines.append(f"There is no significant difference between {a} and {b}.")
                continue
            names = (
                names_text([_name(x) for x in clear]) if len(clear) <= 4 else f"{len(clear)} of {len(mine)} averages"
            )
            lines.append(f"{a} and {b} differ significantly in {names}.")
    return lines


def multilabel_screen(found: Comparison) -> Document:
    """Return the short form of a comparison of multilabel systems."""
    whole = multilabel_contents(found)
    order = ("scores", "differences", "summary")
    shown = sorted(whole.sections, key=lambda x: order.index(x.key))
    return Document(whole.title, tuple(Section(x.key, "", x.blocks) for x in shown))
