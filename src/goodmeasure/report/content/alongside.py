"""The parts of a report that an evaluation is given: the comparison of its systems, and the sweep of its scores."""

from __future__ import annotations

from goodmeasure.comparison.comparison import Comparison, comparison_of
from goodmeasure.evaluation.result import Result
from goodmeasure.report.charts.systems import Standing, ranks_chart
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.comparison import agreement_sections, difference_blocks
from goodmeasure.report.content.comparison_tables import winners_grids
from goodmeasure.report.content.comparison_words import note_lines, rank_lines, summary_lines
from goodmeasure.report.content.thresholds import OPTIMISTIC, threshold_blocks
from goodmeasure.report.document import Block, Section, Sentences


@built_once
def beside_lines(result: Result) -> list[str]:
    """Return the sentences of the summary that say which system wins."""
    found = comparison_of(result)
    return [] if found is None else summary_lines(found)


def beside_sections(result: Result) -> list[Section]:
    """Return the sections on ranks, differences, agreement and thresholds, as far as they were computed."""
    return [*_systems(comparison_of(result)), *_thresholds(result)]


def _systems(found: Comparison | None) -> list[Section]:
    if found is None or len(found.systems) < 2:
        return []
    chart = ranks_chart(Standing.of_comparison(found))
    lines = [*rank_lines(found), *note_lines(found)]
    blocks: list[Block] = [*([Sentences(tuple(lines))] if lines else []), *([] if chart is None else [chart])]
    blocks += [grid.turned("measure") for grid in winners_grids(found)]
    return [
        Section("ranks", "Ranks and winners", tuple(blocks)),
        Section("differences", "Differences", tuple(difference_blocks(found))),
        *agreement_sections(found),
    ]


def _thresholds(result: Result) -> list[Section]:
    found = result.swept
    if found is None:
        return []
    level = result.settings.confidence
    blocks = threshold_blocks(found, found.bests(level, result.settings.seed), level)
    return [Section("thresholds", "Thresholds", (*blocks, Sentences((OPTIMISTIC,), warning=True)))]
