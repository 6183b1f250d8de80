"""Slices in a report: their values, how far they are apart, and which of them differ from the rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from goodmeasure.catalogue.display_names import display_names, names_text, sentence_names
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.number_words import p_is, p_text
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.significance import Claim
from goodmeasure.evaluation.slice_tests import SliceSpread, SliceTest
from goodmeasure.evaluation.slices import slice_words, slices_by_name
from goodmeasure.evaluation.table import Row
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.first_screen import headline_names
from goodmeasure.report.content.main_finding import AnyMeasure, best_part, measures_of
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.content.sample_sizes import is_weighted
from goodmeasure.report.content.scorecard import axis_start, overall, span, value_cell
from goodmeasure.report.document import Grid, TableCell
from goodmeasure.report.numbers import count_text, value_text
from goodmeasure.typing import Label

_NAMED = 5  # slices that a sentence names
_FOUND = 2  # gaps that the first screen names
_LEVEL = 0.95  # of the tests, where no confidence level is set


def slice_text(result: Result, where: Label) -> str:
    """Return a slice, given by its name in the table, in words: with the names of its columns."""
    return _in_words(result)[where]


@built_once
def _in_words(result: Result) -> dict[Label, str]:
    slices = result.counted.slices
    return {label: slice_words(x, slices) for label, x in slices_by_name(slices).items()}


def sliced(result: Result) -> Sequence[AnyMeasure]:
    """Return the measures that slices are compared in: those of labels, or of outcomes."""
    return measures_of(result) if result.source.of_outcomes else result.settings.measures


def _overall(part: SystemScores, result: Result) -> list[Row]:
    return list(part.score_rows) if result.source.of_outcomes else overall(part)


def amount(result: Result) -> str:
    """Return what counts are: items, or sums of their weights."""
    return "weight" if is_weighted(result.part()) else "items"


@built_once
def lead_grid(result: Result) -> Grid | None:
    """Return the table that shows slices at a glance: the leading measure of every system, or headlines of one.

    It is None where there is nothing more to show than the tables of every measure do.
    """
    shown, names = display_names(sliced(result)), _leading_names(result)
    systems = result.systems
    if not result.slices or not names or (len(systems) == 1 and len(names) == len(sliced(result))):
        return None
    pairs = [(system, names[0]) for system in systems] if len(systems) > 1 else [(systems[0], name) for name in names]
    known = {(part.system, part.slice, row.measure): row for part in result.parts for row in _overall(part, result)}
    tests = {(x.system, x.slice, x.measure): x for x in result.slice_tests}
    start = axis_start(row for key, row in known.items() if (key[0], key[2]) in pairs)
    rows = tuple(
        (
            TableCell("all" if where is None else slice_text(result, where)),
            TableCell(count_text(size), size),
            *(_cell(known.get((x, where, name)), tests.get((x, where, name)), start, result) for x, name in pairs),
        )
        for where, size in _sizes(result).items()
    )
    columns = ("slice", amount(result), *(system if len(systems) > 1 else shown[name] for system, name in pairs))
    what = f"{shown[names[0]]} by slice" if len(systems) > 1 else "Headline numbers by slice"
    return Grid(f"{what}{legend(rows)}", columns, rows, tuple(range(1, len(columns))), sortable=True)


def _leading_names(result: Result) -> list[str]:
    """Return the measures of labels among the headline numbers, the leading one first."""
    known = {f.name for f in sliced(result)}
    return [name for name in headline_names(result) if name in known]


def _sizes(result: Result) -> dict[Label, float]:
    """Return how many items each slice has, or the sum of their weights; None stands for all items."""
    sizes: dict[Label, float] = {}
    for part in result.parts:
        sizes.setdefault(part.slice, float(part.matrix.n))
    return sizes


def _cell(row: Row | None, test: SliceTest | None, start: float, result: Result) -> TableCell:
    return TableCell("–") if row is None else _marked(value_cell(row, span(row, start)), test, result)


@built_once
def slice_grids(result: Result) -> list[Grid]:
    """Return, for each system, a table of every measure by slice; signs mark small slices and significant ones."""
    tests = {(x.system, x.slice, x.measure): x for x in result.slice_tests}
    shown = display_names(sliced(result))
    start = axis_start(row for part in result.parts for row in _overall(part, result))
    found = []
    for system in result.systems if result.slices else ():
        columns = ("slice", amount(result), *(shown[f.name] for f in sliced(result)))
        rows = tuple(
            (
                TableCell("all" if part.slice is None else slice_text(result, part.slice)),
                TableCell(count_text(part.matrix.n), float(part.matrix.n)),
                *(
                    _marked(value_cell(row, span(row, start)), tests.get((system, part.slice, row.measure)), result)
                    for row in _overall(part, result)
                ),
            )
            for part in result.parts
            if part.system == system
        )
        caption = f"{system}: every measure by slice" if len(result.systems) > 1 else "Every measure by slice"
        found.append(Grid(f"{caption}{legend(rows)}", columns, rows, tuple(range(1, len(columns))), sortable=True))
    return found


def _marked(cell: TableCell, test: SliceTest | None, result: Result) -> TableCell:
    if test is None or math.isnan(test.value):
        return cell
    return replace(cell, sign=sign_of(different=_significant(test.p_family, result), small=test.small))


def _significant(p: float, result: Result) -> bool:
    return significance.is_significant(Claim(_level(result), p))


def _level(result: Result) -> float:
    return _LEVEL if result.settings.confidence is None else result.settings.confidence


@built_once
def spread_grids(result: Result) -> list[Grid]:
    """Return how far slices are apart: a table of the leading measure, and one of all others where there are any."""
    first = _leading_names(result)[:1]
    lead = [x for x in result.slice_spread if x.measure in first]
    rest = [x for x in result.slice_spread if x.measure not in first]
    grids = [_spread_grid(result, lead, "The gap between slices")] if lead else []
    more = "The gaps of the other measures" if lead else "The gap between slices"
    return [*grids, *([replace(_spread_grid(result, rest, more), folded=bool(lead))] if rest else [])]


def _spread_grid(result: Result, spreads: list[SliceSpread], what: str) -> Grid:
    """Return the table of how far slices are apart, and how much of that is more than chance."""
    several, named = len(result.source.by) > 1, len(result.systems) > 1
    shown = display_names(sliced(result))
    rows = tuple(
        (
            TableCell(shown[x.measure]),
            *((TableCell(x.system),) if named else ()),
            *((TableCell(x.by),) if several else ()),
            _gap(x),
            TableCell(p_text(x.p), x.p),
            TableCell(value_text(x.gap_by_chance), x.gap_by_chance),
            TableCell(value_text(x.gap_beyond_noise), x.gap_beyond_noise),
            _end(result, x.lowest, x.lowest_slice),
            _end(result, x.highest, x.highest_slice),
        )
        for x in spreads
    )
    who = (*(("system",) if named else ()), *(("by",) if several else ()))
    columns = ("measure", *who, "gap", "p", "by chance", "without noise", "lowest", "highest")
    caption = (
        f"{what}: observed, with the confidence interval of the true gap; p tests that all slices have the same value; "
        "the gap expected by chance if they do; and the estimated gap without noise"
    )
    return Grid(caption, columns, rows, tuple(range(1 + len(who), len(columns))), sortable=True)


def _gap(x: SliceSpread) -> TableCell:
    """Return the observed gap, with the interval of the true gap where there is one."""
    low, high = (None, None) if math.isnan(x.gap_low) else (x.gap_low, x.gap_high)
    return TableCell(value_text(x.gap), x.gap, low, high, x.reason)


def _end(result: Result, value: float, where: Label) -> TableCell:
    if math.isnan(value):
        return TableCell("–")
    return TableCell(f"{value_text(value)} ({slice_text(result, where)})", value)


@built_once
def slice_lines(result: Result) -> list[str]:
    """Return which measures of the best system differ between slices, and which slices differ from the rest."""
    system, shown = best_part(result).system, sentence_names(sliced(result))
    lines = []
    for by in dict.fromkeys(x.by for x in result.slice_spread):
        tested = [x for x in result.slice_spread if x.system == system and x.by == by and not math.isnan(x.p)]
        clear = [x for x in tested if _significant(x.p_family, result)]
        who = f"{system}, by {by}" if len(result.systems) > 1 else f"By {by}"
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


def slice_findings(result: Result) -> list[str]:
    """Return the significant gaps of the best system in the leading measure, of the columns themselves first."""
    names = _leading_names(result)[:1]
    mine = [x for name in names for x in result._slice_results.spreads_of(best_part(result).system, name)]
    clear = [x for x in mine if not math.isnan(x.p) and _significant(x.p_family, result)]
    single = [x for x in clear if x.by in result.source.by]
    whose = f" of {best_part(result).system}" if len(result.systems) > 1 else ""
    shown = sentence_names(sliced(result))
    return [
        f"{_capital(shown[x.measure])}{whose} differs significantly by {x.by} (p {p_is(x.p_family)}): it ranges from "
        f"{value_text(x.lowest)} ({slice_text(result, x.lowest_slice)}) to "
        f"{value_text(x.highest)} ({slice_text(result, x.highest_slice)})."
        for x in (single or clear)[:_FOUND]
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _of_these(result: Result, system: str, by: str) -> str:
    """Return which slices differ significantly from the rest, as the end of a sentence."""
    mine = [x for x in result.slice_tests if x.system == system and x.by == by]
    shown = sentence_names(sliced(result))
    clear: dict[Label, list[SliceTest]] = {}
    for x in mine:
        if _significant(x.p_family, result):
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
