"""Slices in a report: their values, how far they are apart, and which of them differ from the rest."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from goodmeasure.catalogue.display_names import display_names, sentence_names
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.slice_tests import SliceSpread, SliceTest
from goodmeasure.evaluation.slices import slice_words
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.content.sample_sizes import is_weighted
from goodmeasure.report.content.scorecard import axis_start, overall, span, value_cell
from goodmeasure.report.document import Cell, Grid
from goodmeasure.report.numbers import count_text, names_text, p_text, value_text

_NAMED = 5  # slices that a sentence names
_LEVEL = 0.95  # of the tests, where no confidence level is set


def slice_text(result: Result, where: Any) -> str:
    """Return a slice in words, with the names of its columns."""
    return slice_words(where, result.source.by)


def amount(result: Result) -> str:
    """Return what counts are: items, or sums of their weights."""
    return "weight" if is_weighted(result.part()) else "items"


@built_once
def slice_grids(result: Result) -> list[Grid]:
    """Return, for each system, a table of every measure by slice; signs mark small slices and significant ones."""
    tests = {(x.system, x.slice, x.measure): x for x in result.slice_tests}
    shown = display_names(result.settings.measures)
    start = axis_start(row for part in result.parts for row in overall(part))
    found = []
    for system in result.systems if result.slices else ():
        columns = ("slice", amount(result), *(shown[f.name] for f in result.settings.measures))
        rows = tuple(
            (
                Cell("all" if part.slice is None else slice_text(result, part.slice)),
                Cell(count_text(part.matrix.n), float(part.matrix.n)),
                *(
                    _marked(value_cell(row, span(row, start)), tests.get((system, part.slice, row.measure)), result)
                    for row in part.rows
                    if row.label is None
                ),
            )
            for part in result.parts
            if part.system == system
        )
        caption = f"{system}: every measure by slice" if len(result.systems) > 1 else "Every measure by slice"
        found.append(Grid(f"{caption}{legend(rows)}", columns, rows, tuple(range(1, len(columns))), sortable=True))
    return found


def _marked(cell: Cell, test: SliceTest | None, result: Result) -> Cell:
    if test is None or math.isnan(test.value):
        return cell
    return replace(cell, sign=sign_of(different=_significant(test.p_corrected, result), small=test.small))


def _significant(p: float, result: Result) -> bool:
    return p < 1 - _level(result)


def _level(result: Result) -> float:
    return _LEVEL if result.settings.confidence is None else result.settings.confidence


@built_once
def spread_grids(result: Result) -> list[Grid]:
    """Return the table of how far slices are apart, and how much of that is more than chance."""
    several, named = len(result.source.by) > 1, len(result.systems) > 1
    shown = display_names(result.settings.measures)
    rows = tuple(
        (
            Cell(shown[x.measure]),
            *((Cell(x.system),) if named else ()),
            *((Cell(x.by),) if several else ()),
            _gap(x),
            Cell(value_text(x.gap_by_chance), x.gap_by_chance),
            Cell(value_text(x.gap_beyond_noise), x.gap_beyond_noise),
            Cell(p_text(x.p), x.p),
            _end(result, x.lowest, x.lowest_slice),
            _end(result, x.highest, x.highest_slice),
        )
        for x in result.slice_spread
    )
    who = (*(("system",) if named else ()), *(("by",) if several else ()))
    columns = ("measure", *who, "gap", "by chance", "beyond noise", "p", "lowest", "highest")
    caption = (
        "The gap between slices: observed, with the confidence interval of the true gap; expected by chance if all "
        "slices were alike; and without noise; "
        "p tests that all slices have the same value"
    )
    return [Grid(caption, columns, rows, tuple(range(1 + len(who), len(columns))), sortable=True)] if rows else []


def _gap(x: SliceSpread) -> Cell:
    """Return the observed gap, with the interval of the true gap where there is one."""
    ends = "" if math.isnan(x.gap_low) else f" ({value_text(x.gap_low)} to {value_text(x.gap_high)})"
    return Cell(value_text(x.gap) + ends, x.gap, note=x.reason)


def _end(result: Result, value: float, where: Any) -> Cell:
    if math.isnan(value):
        return Cell("–")
    return Cell(f"{value_text(value)} ({slice_text(result, where)})", value)


@built_once
def slice_lines(result: Result) -> list[str]:
    """Return in words which measures differ between slices, and which slices differ from the rest."""
    spreads: dict[tuple[str, str], list[SliceSpread]] = {}
    for x in result.slice_spread:
        spreads.setdefault((x.system, x.by), []).append(x)
    lines, shown = [], sentence_names(result.settings.measures)
    for (system, by), mine in spreads.items():
        who = f"{system}, by {by}" if len(result.systems) > 1 else f"By {by}"
        tested = [x for x in mine if not math.isnan(x.p)]
        clear = [x for x in tested if _significant(x.p, result)]
        if not tested:
            continue
        if not clear:
            lines.append(f"{who}: there is no significant difference between the slices.")
            continue
        every = len(clear) == len(tested) > 1
        names = "every measure" if every else names_text([shown[x.measure] for x in clear])
        differ = "differs" if every or len(clear) == 1 else "differ"
        lines.append(f"{who}: {names} {differ} significantly between the slices{_of_these(result, system, by)}.")
    return lines


def _of_these(result: Result, system: str, by: str) -> str:
    """Return which slices differ significantly from the rest, as the end of a sentence."""
    mine = [x for x in result.slice_tests if x.system == system and x.by == by]
    shown = sentence_names(result.settings.measures)
    clear: dict[Any, list[SliceTest]] = {}
    for x in mine:
        if _significant(x.p_corrected, result):
            clear.setdefault(x.slice, []).append(x)
    if not clear:
        return ", but no single slice differs significantly from the rest"
    if len({x.slice for x in mine}) == 2:
        return ""
    first = list(clear.items())[:_NAMED]
    named = [f"{slice_text(result, where)} (in {_measures(tests, shown)})" for where, tests in first]
    rest = len(clear) - _NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return f"; different from the rest: {'; '.join(named)}{more}"


def _measures(tests: list[SliceTest], shown: dict[str, str]) -> str:
    names = [shown[x.measure] for x in tests]
    return names_text(names) if len(names) <= 3 else f"{len(names)} measures"
