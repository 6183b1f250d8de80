"""The content of an evaluation's report: sections of sentences, facts, charts and tables, free of any format."""

from __future__ import annotations

from dataclasses import replace

from goodmeasure.evaluation.positive_class import with_reason
from goodmeasure.evaluation.provenance import ARRAYS, Provenance
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.warnings.general import same_truth
from goodmeasure.report.charts.systems import Standing, orders_chart, ranks_chart
from goodmeasure.report.content.alongside import further_sections
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.confusion_tables import best_matrix, confusion_sections
from goodmeasure.report.content.definitions import SOURCES, definitions
from goodmeasure.report.content.first_screen import about, headlines, report_title
from goodmeasure.report.content.judges import judge_sections, worth_lines
from goodmeasure.report.content.main_finding import best_part, verdict
from goodmeasure.report.content.multilabel import average_grids
from goodmeasure.report.content.per_class import class_sections
from goodmeasure.report.content.prevalence import prevalence_sections
from goodmeasure.report.content.proved_properties import judgement
from goodmeasure.report.content.reproduction import evaluation_reproduction
from goodmeasure.report.content.sample_sizes import is_weighted, item_numbers, more_judged, wholes
from goodmeasure.report.content.scorecard import scorecard
from goodmeasure.report.content.scores import score_sections, threshold_line
from goodmeasure.report.content.slices import (
    lead_grid,
    slice_findings,
    slice_grids,
    slice_lines,
    slice_text,
    spread_grids,
)
from goodmeasure.report.content.summary import order_lines
from goodmeasure.report.document import Block, Document, Facts, Finding, Section, Sentences
from goodmeasure.report.numbers import count_text, label_text, many, share_text

_IMPORTANT = 3  # warnings that the first screen of a page shows unfolded


def contents(result: Result) -> Document:
    """Return the whole report of an evaluation: the first screen, then everything else, and an appendix."""
    appendix = (
        Section("measures", "The measures", (definitions(result),), gist=SOURCES),
        *judgement(result),
        evaluation_reproduction(result),
    )
    main = body(result)
    return replace(main, sections=(*main.sections, *(replace(section, appendix=True) for section in appendix)))


@built_once
def body(result: Result) -> Document:
    """Return the report without its appendix, as notebooks show it."""
    sections = [
        Section("summary", "Summary", tuple(_first_screen(result)), opened=True),
        *_scorecard(result),
        *score_sections(result),
        *further_sections(result),
        *judge_sections(result),
        *_slices(result),
        *class_sections(result),
        *confusion_sections(result),
        *prevalence_sections(result),
        Section("data", "The data", (glance(result),), gist=_data_gist(result)),
    ]
    return Document(report_title(result), tuple(sections), about(result))


def _first_screen(result: Result) -> list[Block]:
    warned = [*slice_findings(result), *warning_lines(result, slices=False)]
    more = slice_hint(result, "under “By slice”")
    beware = [Sentences(tuple(warned), warning=True, more=tuple(more), most=_IMPORTANT)] if warned or more else []
    numbers = headlines(result)
    return [
        Finding(verdict(result)), *([numbers] if numbers.items else []), *beware, *best_matrix(result),
    ]  # fmt: skip


def _scorecard(result: Result) -> list[Section]:
    if not result.settings.measures:  # only scores are measured
        return []
    blocks: list[Block] = [*average_grids(result), scorecard(result), *_order(result)]
    return [Section("scorecard", "Scorecard", tuple(blocks), opened=True)]


def _order(result: Result) -> list[Block]:
    """Return in which order measures put systems that were not compared in pairs."""
    if result.comparison is not None or len(result.systems) == 1 or not result.competing:
        return []
    standing = Standing.of_result(result)
    lines = order_lines(result)
    drawn = [chart for chart in (ranks_chart(standing), orders_chart(standing)) if chart is not None]
    return [*([Sentences(tuple(lines))] if lines else []), *drawn]


def slice_hint(result: Result, where: str) -> list[str]:
    """Return a hint at the warnings about slices, if there are any."""
    number = len(warning_lines(result, slices=True))
    return [f"{many(number, 'more warning')} about slices {'is' if number == 1 else 'are'} {where}"] if number else []


@built_once
def warning_lines(result: Result, *, slices: bool) -> list[str]:
    """Return the warnings about all items, or about slices; with several systems or slices, each names its own."""
    lines: dict[str, list[str]] = {}
    best = best_part(result).system
    shown = [x for x in result.warnings if slices == (x.slice is not None)]
    shown.sort(key=lambda x: x.system not in (None, best))  # the best system is what readers care about most
    for x in shown:
        whose = [x.system] if x.system is not None and len(result.systems) > 1 else []
        whose += [] if x.slice is None else [f"slice {slice_text(result, x.slice)}"]
        lines.setdefault(x.text, []).append(", ".join(whose))
    parts = sum(slices == (part.slice is not None) for part in result.parts)
    found = []
    for line, whose in lines.items():
        everywhere = len(whose) == parts and len(whose) > 1
        named = "; ".join(x for x in whose[:3] if x) + (f" and {len(whose) - 3} more" if len(whose) > 3 else "")
        found.append(f"{named}: {line}" if named and not everywhere else line)
    return found


@built_once
def glance(result: Result) -> Facts:
    """Return the main facts about the data."""
    counted, source, matrix = result.counted, result.source, result.part().matrix
    items: list[tuple[str, str]] = []
    if source.files:
        files = ", ".join("standard input" if x == "-" else x for x in source.files)
        pooled = f" ({source.parts:,} files, pooled into one data set)" if source.parts else ""
        items.append(("files", files + pooled))
    if source.preset:
        items.append(("format", source.preset))
    if source.of_outcomes and source.kind != ARRAYS:
        items.append(("columns", other_columns(result)))
    if source.true is not None:
        guessed = " (guessed from the header)" if source.guessed else ""
        items.append(("columns", f"true {source.true!r}, {other_columns(result)}{guessed}"))
    if source.reading is not None:
        items.append(("labels", f"read as {source.reading}"))
    with_judge = " with a human label" if result.judge is not None else ""
    items.append(("items", f"{item_numbers(result)}{with_judge}{more_judged(result)}"))
    if result.judge is not None:
        items.append(("judge", " ".join(worth_lines(result))))
    if source.count is not None:
        items.append(("counts", f"{source.count!r} says how many items a row stands for"))
    if source.weight is not None or is_weighted(result.part()):
        named = "" if source.weight is None else f"{source.weight!r}, "
        items.append(("weights", f"{named}in all {count_text(matrix.n)}"))
    whose = "" if same_truth(wholes(result)) else f" (of the items of {result.systems[0]})"
    items += source.facts
    if not source.of_outcomes:
        items.append(("classes", f"{matrix.m:,}: {_prevalences(result)}{whose}"))
    if matrix.m == 2 and not source.of_outcomes:
        shown = repr(label_text(matrix.labels[-1]))
        items.append(("positive", with_reason(source, matrix.labels[-1], shown)))
    if result.scored is not None and not source.of_outcomes:
        items.append(("predicted", threshold_line(result)))
    if len(result.systems) > 1:
        items.append((f"{result.source.unit}s", f"{len(result.systems)}: {', '.join(result.systems)}"))
    for system, number in counted.dropped.items():
        if number:
            whose = f" ({system})" if len(result.systems) > 1 else ""
            what = missing_text(result).replace(" or ", " or a ")
            items.append(("left out", f"{many(number, 'item')} without a {what}{whose}"))
    if not any(counted.dropped.values()):
        items.append(("missing", _missing(result)))
    return Facts(tuple(items))


def other_columns(result: Result) -> str:
    """Return the columns of predicted labels and of scores, in words."""
    source = result.source
    scores = [f"{_what(source)} {', '.join(map(repr, source.scores))}"] if source.scores else []
    predicted = [] if source.of_scores else [f"predicted {', '.join(map(repr, source.systems))}"]
    if source.runs:
        columns = ", ".join(repr(x) for x in dict.fromkeys(column for *_, column in source.runs))
        joined = [] if source.id is None else [f"runs joined by {source.id!r}"]
        return ", ".join([f"{_what(source) if source.of_scores else 'predicted'} {columns}", *joined])
    return ", ".join([*predicted, *scores])


def _what(source: Provenance) -> str:
    return "outcomes" if source.of_outcomes else "scores"


def missing_text(result: Result) -> str:
    """Return what an item lacks that is left out."""
    return "outcome" if result.source.of_outcomes else "label" if result.scored is None else "label or score"


def _data_gist(result: Result) -> str:
    source = result.source
    columns = [] if source.true is None else [f"true labels in {source.true!r}{' (guessed)' if source.guessed else ''}"]
    left_out = sum(result.counted.dropped.values())
    dropped = [f"{many(left_out, 'label')} missing, left out"] if left_out else []
    said = "; ".join([*columns, *dropped])
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _missing(result: Result) -> str:
    found = [f"{count_text(number)} in {column!r}" for column, number in result.counted.missing.items()]
    return ", ".join(found) or "none"


def _prevalences(result: Result) -> str:
    matrix = result.part().matrix
    shares = sorted(zip(matrix.labels, matrix.a, strict=True), key=lambda x: -float(x[1]))
    shown = [f"{label_text(label)} {share_text(float(a) / float(matrix.n))}" for label, a in shares[:4]]
    if len(shares) > 4:
        label, least = shares[-1]
        shown.append(f"… down to {label_text(label)} {share_text(float(least) / float(matrix.n))}")
    return ", ".join(shown)


def _slices(result: Result) -> list[Section]:
    if not result.slices:
        return []
    empty = [f"{system}, {where}: {why}" for (system, where), why in result.counted.empty.items()]
    beware = [*warning_lines(result, slices=True), *empty]
    said = [Sentences(tuple(beware), warning=True)] if beware else []
    found = [Sentences(tuple(lines))] if (lines := slice_lines(result)) else []
    lead = lead_grid(result)
    grids = [replace(grid.turned("measure"), folded=lead is not None) for grid in slice_grids(result)]
    first = [] if lead is None else [lead]
    blocks: tuple[Block, ...] = (*found, *first, *spread_grids(result), *grids, *said)
    return [Section("slices", "By slice", blocks, gist=(slice_lines(result) or [""])[0])]
