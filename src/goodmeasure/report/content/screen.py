"""The short form of an evaluation, a comparison or a sweep, for terminals, print() and notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.settings import SYSTEMS
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.thresholds.best import Best
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.report.content.comparison_tables import differences_grid, ensemble_grid, margin_grids, scores_grid
from goodmeasure.report.content.comparison_words import order_lines, summary_lines, title
from goodmeasure.report.content.confusion_tables import confusions, matrix_block
from goodmeasure.report.content.evaluation import glance, slice_hint, warning_lines
from goodmeasure.report.content.first_screen import (
    comparison_headlines,
    first_line,
    heading,
    headlines,
)
from goodmeasure.report.content.main_finding import best_part, comparison_verdict, verdict
from goodmeasure.report.content.multilabel import average_grids
from goodmeasure.report.content.per_class import class_comparison, class_grid
from goodmeasure.report.content.scorecard import by_rows, comparison, scorecard
from goodmeasure.report.content.scores import score_grid
from goodmeasure.report.content.slices import lead_grid, slice_findings, slice_grids, slice_lines, spread_grids
from goodmeasure.report.content.summary import order_lines as best_values
from goodmeasure.report.content.thresholds import OPTIMISTIC, best_grid
from goodmeasure.report.content.thresholds import title as sweep_title
from goodmeasure.report.document import Block, Document, Finding, Grid, Section, Sentences, TableCell
from goodmeasure.report.numbers import label_text

_CLASSES = 12
_DIFFERENCES = 40
_SLICES = 20
_SPREADS = 26  # the recommended measures of two classes, by two columns
_COMPARED_SLICES = 10
_WARNINGS = 8
_MATRIX = 12  # classes of a matrix that a terminal shows, if it is wide enough
_CONFUSIONS = 5
_LAST = ("p", "test")  # the least important columns; the corrected p-value, which decides, comes before them


def evaluation_screen(result: Result, rest: str) -> Document:
    """Return the short form of an evaluation, its verdict first; `rest` says where to find what is left out."""
    return screen_document(
        heading(result),
        ("verdict", [Finding(verdict(result))]),
        ("headlines", _headlines(result)),
        ("warnings", _warnings(result, rest)),
        ("averages", average_grids(result)),
        ("scorecard", _scorecard(result)),
        ("scores", [score_grid(result)] if result.scored is not None and result.scored.measures else []),
        ("matrix", _matrix(result)),
        ("classes", _classes(result, rest)),
        ("slices", _slices(result, rest)),
        ("beside", _beside(result)),
        ("data", [glance(result)]),
        about=first_line(result.source),
    )


def _headlines(result: Result) -> list[Block]:
    """Return the headline numbers, unless the scorecard has hardly more."""
    numbers = headlines(result)
    return [numbers] if numbers.items and len(result.measured) > len(numbers.items) else []


def _scorecard(result: Result) -> Sequence[Block]:
    if not result.settings.measures:  # only scores are measured
        return []
    if len(result.systems) == 1:
        return [scorecard(result)]
    return [replace(comparison(result), otherwise=by_rows(comparison(result), result))]


def _matrix(result: Result) -> list[Block]:
    """Return the best system's matrix, or its largest confusions where the classes are many."""
    if not result.competing or not result.has_labels:
        return []
    part, named = best_part(result), len(result.systems) > 1
    listed = [replace(x, rows=x.rows[:_CONFUSIONS]) for x in confusions(part, named=named) if isinstance(x, Grid)]
    if part.matrix.m > _MATRIX:
        return [*listed]
    shown = matrix_block(part.matrix, f"{part.system}: confusion matrix" if named else "Confusion matrix")
    return [replace(shown, otherwise=listed[0] if listed else None)]


def comparison_screen(found: Comparison, rest: str) -> Document:
    """Return the short form of a comparison; `rest` says where to find what is left out."""
    numbers = comparison_headlines(found)
    lines = [*summary_lines(found), *order_lines(found), *(f"Note: {x}" for x in found.notes)]
    more = len(found.slices) - _COMPARED_SLICES
    lines += [f"… and {more:,} more slices, {rest}"] if more > 0 else []
    return screen_document(
        title(found),
        ("verdict", [Finding(comparison_verdict(found))] if len(found.systems) > 1 else []),
        ("headlines", [] if numbers is None or len(found.measures) <= len(numbers.items) else [numbers]),
        ("scores", [scores_grid(found)]),
        ("differences", [_cut(_narrow(found), _DIFFERENCES, rest)] if found.differences else []),
        ("margin", [_cut(grid, _DIFFERENCES, rest) for grid in margin_grids(found)]),
        ("ensemble", [ensemble_grid(found)] if found.ensemble else []),
        ("slices", [_slice(x) for x in list(found.slices.values())[:_COMPARED_SLICES]]),
        ("summary", [Sentences(tuple(lines))] if lines else []),
        about=first_line(found.source),
    )


def sweep_screen(found: Sweep, bests: list[Best], confidence: float | None) -> Document:
    """Return the short form of a sweep: the best thresholds with their values."""
    grid = best_grid(found, bests, confidence)
    predicts = f"a score of at least the threshold predicts {label_text(found.positive)!r}"
    lines = [f"{sweep_title(found)}: {predicts}."]
    if found.source.reading is not None:
        lines.append(f"Labels are read as {found.source.reading}.")
    lines += found.source.notes
    return screen_document(
        "",
        ("thresholds", [] if grid is None else [grid]),
        ("summary", [Sentences(tuple(lines))]),
        ("warnings", [Sentences((*map(str, found.warnings), OPTIMISTIC), warning=True)]),
        about=first_line(found.source),
    )


def screen_document(heading: str, *sections: tuple[str, Sequence[Block]], about: tuple[str, ...]) -> Document:
    """Return a document with what stands above its heading."""
    return Document(heading, tuple(Section(key, "", tuple(blocks)) for key, blocks in sections if blocks), about)


def _slices(result: Result, rest: str) -> list[Block]:
    """Return the leading values by slice, how far slices are apart, and which differences are significant."""
    lead = lead_grid(result)
    grids = slice_grids(result) if lead is None else [lead]
    apart = [grid for grid in spread_grids(result) if not grid.folded]
    spreads = [_cut(replace(grid, keep=len(grid.columns) - 2), _SPREADS, rest) for grid in apart]
    more = [] if lead is None else [f"… every measure by slice: {rest}"]
    said = [Sentences((*slice_lines(result), *more))] if result.slices else []
    return [*(_largest(grid, rest) for grid in grids), *spreads, *said]


def _classes(result: Result, rest: str) -> list[Block]:
    """Return the table of every class or, where they are many, of those with the lowest recall."""
    part, several = result.part(), len(result.systems) > 1
    if not any(row.label is not None for row in part.rows):
        return []
    grid = class_comparison(result) if several else class_grid(result, part.system)
    if grid is None:
        return []
    if len(grid.rows) > _CLASSES:
        at = 1 if several else max(grid.columns.index("Recall") if "Recall" in grid.columns else 1, 1)
        worst = tuple(sorted(grid.rows, key=lambda row: _recall(row[at])))
        grid = replace(grid, rows=worst, caption=f"{grid.caption}: the classes with the lowest recall")
    return [replace(_cut(grid, _CLASSES, rest), keep=min(4, len(grid.columns)))]  # recall keeps its interval longest


def _recall(cell: TableCell) -> float:
    number = cell.value
    return float("inf") if number is None or number != number else float(number)


def _cut(grid: Grid, most: int, rest: str) -> Grid:
    more = len(grid.rows) - most
    return replace(grid, rows=grid.rows[:most], left_out=f"and {more:,} more, {rest}") if more > 0 else grid


def _largest(grid: Grid, rest: str) -> Grid:
    """Return the table of all slices or, if they do not fit, the largest; the first row is about all items."""
    more = len(grid.rows) - 1 - _SLICES
    if more <= 0:
        return grid
    sizes = [row[1].value or 0.0 for row in grid.rows]
    largest = sorted(range(1, len(sizes)), key=lambda k: -sizes[k])[:_SLICES]
    rows = tuple(grid.rows[k] for k in [0, *sorted(largest)])
    return replace(grid, rows=rows, left_out=f"and {more:,} smaller slices, {rest}")


def _beside(result: Result) -> list[Block]:
    """Return the order of systems that were not compared in pairs, and the best thresholds, where scores were swept."""
    lines = best_values(result) if result.comparison is None else []
    blocks: list[Block] = [Sentences(tuple(lines))] if lines else []
    if result.swept is not None:
        level = result.settings.confidence
        grid = best_grid(result.swept, result.swept.bests(level, result.settings.seed), level)
        blocks += [] if grid is None else [grid]
    return blocks


def _warnings(result: Result, rest: str) -> list[Block]:
    lines = [*slice_findings(result), *warning_lines(result, slices=False)]
    more = len(lines) - _WARNINGS
    hints = [*([f"and {more} more warnings, {rest}"] if more > 0 else []), *slice_hint(result, rest)]
    return [Sentences(tuple(lines[:_WARNINGS]), warning=True, more=tuple(hints))] if lines or hints else []


def _narrow(found: Comparison) -> Grid:
    """Return the differences with the least important columns last, which a narrow terminal leaves out first."""
    grid = differences_grid(found)
    several = len(found.measures) > 1 or found.settings.tables > 1
    every = found.settings.correct != SYSTEMS or (found.settings.jointly and several)
    many = "numbers of pairs, measures and slices" if every else "number of pairs"
    order = sorted(range(len(grid.columns)), key=lambda k: grid.columns[k] in _LAST)
    return replace(grid.arranged(order), caption=f"{grid.caption} (p, Holm: corrected for the {many})")


def _slice(found: Comparison) -> Grid:
    grid = scores_grid(found)
    return replace(grid, caption=f"Slice {found.slice_words}: {grid.caption[:1].lower()}{grid.caption[1:]}")
