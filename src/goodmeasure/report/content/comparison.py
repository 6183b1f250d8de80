"""The content of a comparison's report: sections of sentences, charts and tables, free of any format."""

from __future__ import annotations

import math
from dataclasses import replace

from goodmeasure.catalogue.display_names import names_text, sentence_names
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation import significance
from goodmeasure.evaluation.significance import Claim
from goodmeasure.report.charts.differences import against_grid, differences_chart
from goodmeasure.report.charts.systems import Standing, correlations_chart, ranking_names, ranks_chart
from goodmeasure.report.content.comparison_tables import (
    MOST_SHOWN,
    agreement_grid,
    differences_grid,
    ensemble_grid,
    in_order,
    margin_grids,
    scores_grid,
    winners_grids,
)
from goodmeasure.report.content.comparison_words import (
    always_agree,
    comparison_classes,
    flip_lines,
    note_lines,
    rank_lines,
    summary_lines,
)
from goodmeasure.report.content.confusion_tables import MOST_AS_TABLE, matrix_block
from goodmeasure.report.content.definitions import SOURCES, definitions_of
from goodmeasure.report.content.first_screen import (
    comparison_headlines,
    date_text,
    files_text,
    first_line,
    positive_class,
    title_of,
    today,
)
from goodmeasure.report.content.main_finding import comparison_verdict, lead_of_comparison
from goodmeasure.report.content.reproduction import comparison_reproduction
from goodmeasure.report.document import Block, Document, Finding, Section, Sentences
from goodmeasure.report.numbers import level_text, many


def comparison_contents(found: Comparison) -> Document:
    """Return the whole report of a comparison."""
    first = tuple(_first_screen(found))
    ranked = (rank_lines(found) or [""])[0]
    sections = [
        Section("summary", "Summary", first, opened=True),
        Section("scores", "Scores and ranks", tuple(rank_blocks(found)), gist=ranked, opened=True),
        Section("differences", "Differences", tuple(difference_blocks(found)), gist=difference_gist(found)),
        *([Section("ensemble", "Measures together", (ensemble_grid(found),))] if found.ensemble else []),
        *agreement_sections(found),
        *(
            Section(f"slice{k}", f"Slice {part.slice_words}", tuple(_slice(part)))
            for k, part in enumerate(found.slices.values())
        ),
        Section("measures", "The measures", (_definitions(found),), SOURCES, appendix=True),
        replace(comparison_reproduction(found), appendix=True),
    ]
    return Document(title_of(found.source, found.systems), tuple(sections), comparison_about(found))


def _first_screen(found: Comparison) -> list[Block]:
    """Return the verdict, the headline numbers and the matrix of the best system."""
    numbers, notes = comparison_headlines(found), note_lines(found)
    return [
        Finding(comparison_verdict(found)),
        *([] if numbers is None else [numbers]),
        *([Sentences(tuple(notes))] if notes else []),
        *_best_matrix(found),
    ]


def _best_matrix(found: Comparison) -> list[Block]:
    f = lead_of_comparison(found)
    if f is None or found.source.of_scores:
        return []
    who = found.leaders[f.name][0]
    matrix = found.matrices[who]
    return [matrix_block(matrix, f"{who}: confusion matrix")] if matrix.m <= MOST_AS_TABLE else []


def comparison_about(found: Comparison) -> tuple[str, ...]:
    """Return the date, the files and the size of the data, in a few words each."""
    files, source = files_text(found.source), found.source
    read = [f"labels read as {source.reading}"] if source.reading is not None else []
    pooled = [f"{source.parts:,} files pooled into one data set"] if source.parts else []
    sizes = (many(len(found.systems), "system"), many(found.items, "item"), *comparison_classes(found))
    return (
        *first_line(source),
        date_text(today()),
        *([files] if files else []),
        *sizes,
        *positive_class(source, found.labels),
        *read,
        *pooled,
    )


def rank_blocks(found: Comparison) -> list[Block]:
    """Return which system wins on which measure, the chart of ranks, and the tables of scores and winners."""
    chart = ranks_chart(Standing.of_comparison(found))
    lines = [*summary_lines(found), *rank_lines(found)]
    drawn: list[Block] = [*([Sentences(tuple(lines))] if lines else []), *([] if chart is None else [chart])]
    return [*drawn, *(grid.turned("measure") for grid in (scores_grid(found), *winners_grids(found)))]


def difference_blocks(found: Comparison) -> list[Block]:
    """Return the forest plot with its table, and every difference that was tested."""
    if not found.differences:
        return [Sentences(("There is nothing to compare.",))]
    systems, every = in_order(found), replace(differences_grid(found), folded=True)
    whole = len(found.differences) <= MOST_SHOWN  # then the full table includes the differences from the best
    against = None if whole else against_grid(found, systems)
    shown = (differences_chart(found, systems), against, *margin_grids(found), every)
    return [block for block in shown if block is not None]


def difference_gist(found: Comparison) -> str:
    """Return how many of the tested differences are significant."""
    tested = [x for x in found.differences if not math.isnan(x["p_family"])]
    clear = sum(significance.is_significant(Claim(found.settings.confidence, x["p_family"])) for x in tested)
    if not tested:
        return ""
    level, are = level_text(1 - found.settings.confidence), "is" if clear == 1 else "are"
    return f"{clear} of {many(len(tested), 'paired difference')} {are} significant at the {level} level."


def _slice(found: Comparison) -> list[Block]:
    """Return the tables of a slice.

    Each caption names the slice, since two regions of a page must not have the same name.
    """
    grids = [scores_grid(found).turned("measure"), *([differences_grid(found)] if found.differences else []),
             *margin_grids(found)]  # fmt: skip
    nothing = [] if found.differences else [Sentences(("There is nothing to compare.",))]
    return [*(replace(grid, caption=f"{found.slice_words}: {_small(grid.caption)}") for grid in grids), *nothing]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def agreement_sections(found: Comparison) -> list[Section]:
    """Return the section on how far measures agree on the order of the systems, and why they disagree."""
    if not found.agreement:
        return []
    lines, chart = flip_lines(found), correlations_chart(found)
    differ = not always_agree(found)
    drawn = differ and len(found.systems) > 2  # otherwise sentences say it
    said = [*lines, *(_sides(found) if differ and not drawn else []), *(_orderless(found) if differ else [])]
    blocks: list[Block] = [Sentences(tuple(said))] if said else []
    if drawn:
        blocks += [] if chart is None else [chart]
        blocks.append(replace(agreement_grid(found), folded=True))
    return [Section("agreement", "Do the measures agree?", tuple(blocks), gist=(lines or [""])[0])]


def _sides(found: Comparison) -> list[str]:
    """Return which measures prefer which of two systems; a table of correlations would only hold 1 and −1."""
    shown, lines = sentence_names(found.settings.measures), []
    for system in found.systems:
        names = [shown[x] for x in ranking_names(found) if found.leaders.get(x) == (system,)]
        if names:
            lines.append(f"{system} has the better value of {names_text(names)}.")
    return lines


def _orderless(found: Comparison) -> list[str]:
    """Return which measures do not order the systems, and so have no correlation with the others."""
    ordering, shown = ranking_names(found), sentence_names(found.settings.measures)
    among = dict.fromkeys(x for row in found.agreement for x in (row["measure"], row["other"]))
    rest = [shown[x] for x in among if x not in ordering]
    if not rest:
        return []
    return [f"The systems have no order by {names_text(rest)}: their values are equal, infinite or undefined."]


def _definitions(found: Comparison) -> Block:
    matrix = next(iter(found.matrices.values()))
    return definitions_of(found.settings.measures, matrix, found.settings.policy)
