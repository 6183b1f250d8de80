"""The content of a comparison's report: sections of sentences, charts and tables, free of any format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.slices import slice_words
from goodmeasure.report.charts.differences import against_grid, differences_chart
from goodmeasure.report.charts.systems import Standing, correlations_chart, ranks_chart
from goodmeasure.report.content.comparison_tables import (
    agreement_grid,
    differences_grid,
    ensemble_grid,
    in_order,
    margin_grids,
    scores_grid,
    winners_grids,
)
from goodmeasure.report.content.comparison_words import flip_lines, note_lines, rank_lines, summary_lines, title
from goodmeasure.report.content.definitions import definitions_of
from goodmeasure.report.content.reproduction import comparison_reproduction
from goodmeasure.report.document import Block, Document, Section, Sentences


def comparison_contents(found: Comparison) -> Document:
    """Return the whole report of a comparison."""
    sections = [
        Section("summary", "Summary", tuple(_summary(found))),
        Section("scores", "Scores and ranks", tuple(rank_blocks(found))),
        Section("differences", "Differences", tuple(difference_blocks(found))),
        *([Section("ensemble", "Measures together", (ensemble_grid(found),))] if found.ensemble else []),
        *agreement_sections(found),
        *(
            Section(f"slice{k}", f"Slice {slice_text(found, where)}", tuple(_slice(part, slice_text(found, where))))
            for k, (where, part) in enumerate(found.slices.items())
        ),
        Section("measures", "The measures", (_definitions(found),)),
        comparison_reproduction(found),
    ]
    return Document(title(found), tuple(sections))


def _summary(found: Comparison) -> list[Block]:
    lines = [*summary_lines(found), *rank_lines(found)]
    return [Sentences(tuple(x)) for x in (lines, note_lines(found)) if x]


def rank_blocks(found: Comparison) -> list[Block]:
    """Return the chart of ranks, and the tables of scores and winners."""
    chart = ranks_chart(Standing.of_comparison(found))
    return [*([] if chart is None else [chart]), scores_grid(found).turned("measure"),
            *(grid.turned("measure") for grid in winners_grids(found))]  # fmt: skip


def difference_blocks(found: Comparison) -> list[Block]:
    """Return the forest plot with its table, and every difference that was tested."""
    if not found.differences:
        return [Sentences(("There is nothing to compare.",))]
    systems = in_order(found)
    every = replace(differences_grid(found), folded=True)
    shown = (differences_chart(found, systems), against_grid(found, systems), *margin_grids(found), every)
    return [block for block in shown if block is not None]


def _slice(found: Comparison, where: str) -> list[Block]:
    """Return the tables of a slice.

    Each caption names the slice, since two regions of a page must not have the same name.
    """
    grids = [scores_grid(found).turned("measure"), *([differences_grid(found)] if found.differences else []),
             *margin_grids(found)]  # fmt: skip
    nothing = [] if found.differences else [Sentences(("There is nothing to compare.",))]
    return [*(replace(grid, caption=f"{where}: {_small(grid.caption)}") for grid in grids), *nothing]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def agreement_sections(found: Comparison) -> list[Section]:
    """Return the section on how far measures agree on the order of the systems, and why they disagree."""
    if not found.agreement:
        return []
    lines, chart = flip_lines(found), correlations_chart(found)
    blocks: list[Block] = [Sentences(tuple(lines))] if lines else []
    blocks += [] if chart is None else [chart]
    return [Section("agreement", "Do the measures agree?", (*blocks, replace(agreement_grid(found), folded=True)))]


def _definitions(found: Comparison) -> Block:
    matrix = next(iter(found.matrices.values()))
    return definitions_of(found.settings.measures, matrix, found.settings.policy)


def slice_text(found: Comparison, where: Any) -> str:
    """Return a slice in words, with the names of its columns."""
    return slice_words(where, found.source.by)
