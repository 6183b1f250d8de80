"""The parts of a report that come from outside an evaluation: the comparison of systems and the sweep of scores."""

from __future__ import annotations

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.result import Result
from goodmeasure.report.charts.systems import Standing, ranks_chart
from goodmeasure.report.content.comparison import agreement_sections, difference_blocks, difference_gist
from goodmeasure.report.content.comparison_tables import winners_grids
from goodmeasure.report.content.comparison_words import note_lines, rank_lines, summary_lines
from goodmeasure.report.content.thresholds import OPTIMISTIC, best_lines, threshold_blocks
from goodmeasure.report.document import Block, Section, Sentences


def further_sections(result: Result) -> list[Section]:
    """Return the sections on ranks, differences, agreement and thresholds, as far as they were computed."""
    return [*_systems(result.comparison), *_thresholds(result)]


def _systems(found: Comparison | None) -> list[Section]:
    if found is None or len(found.systems) < 2:
        return []
    chart = ranks_chart(Standing.of_comparison(found))
    lines = [*summary_lines(found), *rank_lines(found), *note_lines(found)]
    blocks: list[Block] = [Sentences(tuple(lines))] if lines else []
    blocks += [grid.turned("measure") for grid in winners_grids(found)]
    blocks += [] if chart is None else [chart]
    return [
        Section("ranks", "Ranks and winners", tuple(blocks), gist=(rank_lines(found) or lines or [""])[0]),
        Section("differences", "Differences", tuple(difference_blocks(found)), gist=difference_gist(found)),
        *agreement_sections(found),
    ]


def _thresholds(result: Result) -> list[Section]:
    found = result.swept
    if found is None:
        return []
    level = result.settings.confidence
    bests = found.bests(level, result.settings.seed)
    blocks = (*threshold_blocks(found, bests, level), Sentences((OPTIMISTIC,), warning=True))
    return [Section("thresholds", "Thresholds", blocks, gist=(best_lines(found, bests) or [""])[0])]
