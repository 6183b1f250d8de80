"""What a comparison of systems says: sections of sentences, charts and tables, free of any format."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.ensemble import ensemble_of
from goodmeasure.evaluation.provenance import written
from goodmeasure.evaluation.slices import slice_words
from goodmeasure.report.charts.differences import against_grid, differences_chart
from goodmeasure.report.charts.systems import Standing, correlations_chart, ranks_chart
from goodmeasure.report.content.comparison_tables import (
    agreement_grid,
    differences_grid,
    ensemble_grid,
    in_order,
    scores_grid,
    winners_grids,
)
from goodmeasure.report.content.comparison_words import flip_lines, note_lines, rank_lines, summary_lines, title
from goodmeasure.report.content.definitions import definitions_of
from goodmeasure.report.content.reproduce_section import reproduce_section
from goodmeasure.report.document import Block, Document, Section, Sentences


def comparison_contents(found: Comparison) -> Document:
    """The whole report."""
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
        _reproduction(found),
    ]
    return Document(title(found), tuple(sections))


def _summary(found: Comparison) -> list[Block]:
    lines = [*summary_lines(found), *rank_lines(found)]
    return [Sentences(tuple(x)) for x in (lines, note_lines(found)) if x]


def rank_blocks(found: Comparison) -> list[Block]:
    """Ranks as a chart, and the table of all scores with ranks and winners."""
    chart = ranks_chart(Standing.of_comparison(found))
    return [*([] if chart is None else [chart]), scores_grid(found).turned("measure"),
            *(grid.turned("measure") for grid in winners_grids(found))]  # fmt: skip


def difference_blocks(found: Comparison) -> list[Block]:
    """The forest plot with its table, and every difference that was tested."""
    if not found.differences:
        return [Sentences(("There is nothing to compare.",))]
    systems = in_order(found)
    every = replace(differences_grid(found), folded=True)
    shown = (differences_chart(found, systems), against_grid(found, systems), every)
    return [block for block in shown if block is not None]


def _slice(found: Comparison, where: str) -> list[Block]:
    """The tables of a slice; their captions say which, as a page must not have two regions of the same name."""
    grids = [scores_grid(found).turned("measure"), *([differences_grid(found)] if found.differences else [])]
    nothing = [] if found.differences else [Sentences(("There is nothing to compare.",))]
    return [*(replace(grid, caption=f"{where}: {_small(grid.caption)}") for grid in grids), *nothing]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]


def agreement_sections(found: Comparison) -> list[Section]:
    """How far measures agree on the order of the systems, where they do not, and why."""
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
    """A slice with the names of its columns."""
    return slice_words(where, found.source.by)


def _reproduction(found: Comparison) -> Section:
    together = _asked_ensemble(found)
    said: dict[str, Any] = {} if together is None else {"ensemble": ",".join(together)}
    names = written(found.settings.measures)
    typed = all(isinstance(x, str) for x in names)
    command = found.source.command(found.measures, {**comparison_options(found), **said}, "compare") if typed else None
    said = {} if together is None else {"ensemble": list(together)}
    call = found.source.python(names, {**comparison_options(found), **said}, "compare")
    return reproduce_section(command, [f"compared = {call}"])


def _asked_ensemble(found: Comparison) -> tuple[str, ...] | None:
    """The measures of the ensemble, if they are not those that it has when nobody says which."""
    mine, usual = found.settings.ensemble, ensemble_of(None, found.settings.measures)
    if mine is None or (usual is not None and mine.names == usual.names):
        return None
    return mine.names


def comparison_options(found: Comparison) -> dict[str, Any]:
    """How it was compared, as far as it is not the usual way."""
    s, usual = found.settings, type(found.settings)(())
    options: dict[str, Any] = {"confidence": s.confidence, "seed": s.seed}
    options |= {x: getattr(s, x) for x in ("pairs", "method", "replicates") if getattr(s, x) != getattr(usual, x)}
    if s.policy != usual.policy:
        options["undefined"] = s.policy.number if s.policy.name == "number" else s.policy.name
    return options
