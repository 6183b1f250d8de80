"""The content of an evaluation's report: sections of sentences, facts, charts and tables, free of any format."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from goodmeasure.catalogue.measure import LOWER, NEITHER
from goodmeasure.comparison.ranking import places
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import Part
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.warnings.general import same_truth
from goodmeasure.report.charts.confusion import confusion_chart
from goodmeasure.report.charts.scorecard import FEW, charts_of, classes_chart, measures_chart
from goodmeasure.report.charts.systems import Standing, orders_chart, ranks_chart
from goodmeasure.report.content.alongside import beside_lines, beside_sections
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.confusion_tables import confusions, crowded, matrix_block
from goodmeasure.report.content.definitions import definitions
from goodmeasure.report.content.interval_methods import confidence
from goodmeasure.report.content.marks import legend, sign_of
from goodmeasure.report.content.multilabel import average_grids
from goodmeasure.report.content.prevalence import prevalence_sections
from goodmeasure.report.content.proved_properties import judgement
from goodmeasure.report.content.reproduction import evaluation_reproduction
from goodmeasure.report.content.sample_sizes import is_weighted, item_numbers, wholes
from goodmeasure.report.content.scores import score_sections, threshold_line
from goodmeasure.report.content.slices import amount, slice_grids, slice_lines, slice_text, spread_grids, value_cell
from goodmeasure.report.content.summary import headline, summary
from goodmeasure.report.document import (
    Block,
    Cell,
    Counts,
    Document,
    Facts,
    Grid,
    Section,
    Sentences,
    interval_cell,
)
from goodmeasure.report.numbers import chance_text, count_text, label_text, many, share_text, value_text

MOST_CLASSES_LISTED = 30


def contents(result: Result) -> Document:
    """Return the whole report of an evaluation."""
    sections = [
        Section("summary", "Summary", tuple(_summary_blocks(result))),
        Section("data", "The data", (glance(result), *_class_sizes(result))),
        *([Section("scorecard", "Scorecard", tuple(_scorecard_blocks(result)))] if result.settings.measures else []),
        *score_sections(result),
        *beside_sections(result),
        *_slices(result),
        *_classes(result),
        Section("matrix", "Confusion matrix", tuple(_matrices(result))),
        *prevalence_sections(result),
        Section("measures", "The measures", (definitions(result),)),
        *judgement(result),
        evaluation_reproduction(result),
    ]
    return Document(headline(result), tuple(sections))


def _scorecard_blocks(result: Result) -> list[Block]:
    together = [*average_grids(result), *_together(result)]
    return [*together, *charts_of(result, measures_chart), *_of_each(result, scorecards(result))]


def _of_each(result: Result, blocks: Sequence[Block]) -> list[Block]:
    """Return tables of one system each, folded where they are many, so that shared content stays in sight."""
    many_systems = len(result.systems) > FEW
    return [replace(x, folded=True) if many_systems and isinstance(x, (Grid, Counts)) else x for x in blocks]


def _together(result: Result) -> list[Block]:
    """Return several systems in one table and, if they were not compared in pairs, their order."""
    if len(result.systems) == 1:
        return []
    if not result.rivals:
        return [comparison(result)]
    standing = Standing.of_result(result)
    drawn = [ranks_chart(standing), orders_chart(standing)] if result.compared is None else []
    return [comparison(result), *(chart for chart in drawn if chart is not None)]


def _summary_blocks(result: Result) -> list[Block]:
    warned, more = warning_lines(result, slices=False), slice_hint(result, "under “By slice”")
    beware = [Sentences(tuple(warned), warning=True, more=tuple(more))] if warned or more else []
    return [Sentences((*summary(result), *beside_lines(result))), *beware]


def slice_hint(result: Result, where: str) -> list[str]:
    """Return a hint at the warnings about slices, if there are any."""
    number = len(warning_lines(result, slices=True))
    return [f"{many(number, 'more warning')} about slices {'is' if number == 1 else 'are'} {where}"] if number else []


@built_once
def warning_lines(result: Result, *, slices: bool) -> list[str]:
    """Return the warnings about all items, or about slices; with several systems or slices, each names its own."""
    lines: dict[str, list[str]] = {}
    shown = [x for x in result.warnings if slices == (x.slice is not None)]
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
    counted, source, matrix = result.counted, result.source, result.matrix()
    items: list[tuple[str, str]] = []
    if source.files:
        files = ", ".join("standard input" if x == "-" else x for x in source.files)
        pooled = f" ({source.parts:,} files, pooled into one data set)" if source.parts else ""
        items.append(("files", files + pooled))
    if source.true is not None:
        guessed = " (guessed from the header)" if source.guessed else ""
        items.append(("columns", f"true {source.true!r}, {_other_columns(result)}{guessed}"))
    if source.reading is not None:
        items.append(("labels", f"read as {source.reading}"))
    items.append(("items", item_numbers(result)))
    if source.count is not None:
        items.append(("counts", f"{source.count!r} says how many items a row stands for"))
    if source.weight is not None or is_weighted(result.part()):
        named = "" if source.weight is None else f"{source.weight!r}, "
        items.append(("weights", f"{named}in all {count_text(matrix.n)}"))
    whose = "" if same_truth(wholes(result)) else f" (of the items of {result.systems[0]})"
    items.append(("classes", f"{matrix.m:,}: {_prevalences(result)}{whose}"))
    if matrix.m == 2:
        items.append(("positive", f"{label_text(matrix.labels[-1])!r}{_positive_reason(result)}"))
    if result.scored is not None:
        items.append(("predicted", threshold_line(result)))
    if len(result.systems) > 1:
        items.append((f"{result.source.unit}s", f"{len(result.systems)}: {', '.join(result.systems)}"))
    for system, number in counted.dropped.items():
        if number:
            whose = f" ({system})" if len(result.systems) > 1 else ""
            what = "label" if result.scored is None else "label or a score"
            items.append(("left out", f"{many(number, 'item')} without a {what}{whose}"))
    if not any(counted.dropped.values()):
        items.append(("missing", _missing(result)))
    return Facts(tuple(items))


def _other_columns(result: Result) -> str:
    source = result.source
    scores = [f"scores {', '.join(map(repr, source.scores))}"] if source.scores else []
    predicted = [] if source.of_scores else [f"predicted {', '.join(map(repr, source.systems))}"]
    if source.runs:
        columns = ", ".join(repr(x) for x in dict.fromkeys(column for *_, column in source.runs))
        joined = [] if source.id is None else [f"runs joined by {source.id!r}"]
        return ", ".join([f"{'scores' if source.of_scores else 'predicted'} {columns}", *joined])
    return ", ".join([*predicted, *scores])


def _positive_reason(result: Result) -> str:
    return "" if result.source.positive is not None else " (last of both; change it with positive=, or --positive)"


def _missing(result: Result) -> str:
    found = [f"{count_text(number)} in {column!r}" for column, number in result.counted.missing.items()]
    return ", ".join(found) or "none"


def _prevalences(result: Result) -> str:
    matrix = result.matrix()
    shares = sorted(zip(matrix.labels, matrix.a, strict=True), key=lambda x: -float(x[1]))
    shown = [f"{label_text(label)} {share_text(float(a) / float(matrix.n))}" for label, a in shares[:4]]
    if len(shares) > 4:
        label, least = shares[-1]
        shown.append(f"… down to {label_text(label)} {share_text(float(least) / float(matrix.n))}")
    return ", ".join(shown)


def _class_sizes(result: Result) -> list[Block]:
    parts = [part for part in result.parts if part.slice is None]
    if parts[0].matrix.m > MOST_CLASSES_LISTED or any(part.matrix.labels != parts[0].matrix.labels for part in parts):
        return []
    first = parts[0].matrix
    columns = ("class", "true", "share", *(f"predicted{f' by {p.system}' if len(parts) > 1 else ''}" for p in parts))
    rows = tuple(
        (
            Cell(label_text(label)),
            Cell(count_text(first.a[i]), float(first.a[i])),
            Cell(share_text(float(first.a[i]) / float(first.n)), float(first.a[i]) / float(first.n)),
            *(Cell(count_text(part.matrix.b[i]), float(part.matrix.b[i])) for part in parts),
        )
        for i, label in enumerate(first.labels)
    )
    grid = Grid("How often each class is true and predicted", columns, rows, tuple(range(1, len(columns))))
    return [grid.turned(amount(result))]


@built_once
def comparison(result: Result) -> Grid:
    """Return every measure of every system side by side.

    The best value is marked and, where the systems were compared in pairs, the values that are not significantly
    different from it. The labels of multilabel data do not compete, so nothing is marked there.
    """
    parts = [part for part in result.parts if part.slice is None]
    same = len({(part.constant, *part.matrix.a.tolist()) for part in parts}) == 1
    rows = []
    for k, f in enumerate(result.settings.measures):
        found = [[row for row in part.rows if row.label is None][k] for part in parts]
        order = places([row.value for row in found], higher=f.orientation != LOWER)
        ranked = result.rivals and f.orientation != NEITHER and len({rank for rank in order if rank is not None}) > 1
        near = () if result.compared is None else result.compared.winners.get(f.name, ())
        cells = (
            replace(value_cell(x), sign=sign_of(best=ranked and rank == 1, near=ranked and x.system in near))
            for x, rank in zip(found, order, strict=True)
        )
        lazy = parts[0].constant_values[f.name]
        chance = Cell(_between([row.chance for row in found]))
        rows.append((Cell(f.name), chance, *cells, *([Cell(value_text(lazy), lazy)] if same else [])))
    always = (f"always {label_text(parts[0].constant)!r}",) if same else ()
    columns = ("measure", "chance", *(part.system for part in parts), *always)
    caption = f"Every {result.source.unit}{confidence(result)}{legend(rows)}"
    return Grid(caption, columns, tuple(rows), tuple(range(1, len(columns))))


def _between(levels: list[float]) -> str:
    """Return the chance level that all systems share, or the lowest and the highest one."""
    known = [x for x in levels if not math.isnan(x)]
    ends = list(dict.fromkeys(chance_text(x) for x in (min(known), max(known)))) if known else ["–"]
    return ("–" if min(known, default=0.0) >= 0 else " to ").join(ends)  # a minus sign after a dash is hard to read


@built_once
def class_comparison(result: Result) -> Grid | None:
    """Return recall and precision of every class for all systems, or None if classes were not measured."""
    parts = [part for part in result.parts if part.slice is None]
    shown = ("recall", "precision")
    values = {(p.system, r.label, r.measure): r.value for p in parts for r in p.rows if r.label is not None}
    labels = list(dict.fromkeys(row.label for p in parts for row in p.rows if row.label is not None))
    if not labels or not all((parts[0].system, labels[0], name) in values for name in shown):
        return None
    rows = tuple(
        (Cell(label_text(label)), *(_both([values.get((p.system, label, x), math.nan) for x in shown]) for p in parts))
        for label in labels
    )
    columns = ("class", *(part.system for part in parts))
    return Grid("Recall / precision of each class against the rest", columns, rows, tuple(range(1, len(columns))))


def _both(pair: list[float]) -> Cell:
    return Cell(" / ".join(value_text(x) for x in pair), pair[0])


@built_once
def scorecards(result: Result) -> list[Grid]:
    """Return a table of all measures for each system, on all items."""
    parts = [part for part in result.parts if part.slice is None]
    return [_scorecard(result, part) for part in parts]


def _scorecard(result: Result, part: Part) -> Grid:
    rows = [row for row in part.rows if row.label is None]
    lazy = f"always {label_text(part.constant)!r}"
    columns = ("measure", "value", *(("interval",) if _has_intervals(result) else ()), "chance", lazy)
    lines = tuple(
        (
            Cell(row.measure, note=row.reason),
            Cell(value_text(row.value), row.value, note=row.reason),
            *((interval_cell(row.low, row.high, ""),) if _has_intervals(result) else ()),
            Cell(chance_text(row.chance), row.chance),
            Cell(value_text(part.constant_values[row.measure]), part.constant_values[row.measure]),
        )
        for row in rows
    )
    what = f"{part.system}: " if len(result.systems) > 1 else ""
    return Grid(
        f"{what}{many(len(rows), 'measure')}{confidence(result)}", columns, lines, tuple(range(1, len(columns)))
    )


def _has_intervals(result: Result) -> bool:
    return result.settings.confidence is not None


def _slices(result: Result) -> list[Section]:
    if not result.slices:
        return []
    empty = [f"{system}, {where}: {why}" for (system, where), why in result.counted.empty.items()]
    beware = [*warning_lines(result, slices=True), *empty]
    said = [Sentences(tuple(beware), warning=True)] if beware else []
    found = [Sentences(tuple(lines))] if (lines := slice_lines(result)) else []
    grids = [grid.turned("measure") for grid in slice_grids(result)]
    return [Section("slices", "By slice", (*found, *grids, *spread_grids(result), *said))]


def _classes(result: Result) -> list[Section]:
    blocks: list[Block] = []
    for part in result.parts:
        if part.slice is None and any(row.label is not None for row in part.rows):
            blocks += [class_grid(result, part.system), *_spreads(part, named=len(result.systems) > 1)]
    together = class_comparison(result) if len(result.systems) > 1 else None
    blocks = [*([] if together is None else [together]), *_of_each(result, blocks)]
    return [Section("classes", "Class by class", (*charts_of(result, classes_chart), *blocks))] if blocks else []


@built_once
def class_grid(result: Result, system: str) -> Grid:
    """Return the table of every class of one system against the rest."""
    part = result.part(system)
    by_class: dict[Any, list[Row]] = {}
    for row in part.rows:
        if row.label is not None:
            by_class.setdefault(row.label, []).append(row)
    measures = [row.measure for row in next(iter(by_class.values()))]
    rows = tuple(
        (
            Cell(label_text(label)),
            Cell(count_text(size), float(size)),
            *(value_cell(row) for row in rows),
        )
        for (label, rows), size in zip(by_class.items(), part.matrix.a, strict=True)
    )
    what = f"{part.system}: each" if len(result.systems) > 1 else "Each"
    columns = ("class", amount(result), *measures)
    return Grid(f"{what} class against the rest", columns, rows, tuple(range(1, len(columns))))


def _spreads(part: Part, *, named: bool) -> list[Block]:
    """Return how much the classes differ, as a sentence (opitz2024, §8)."""
    said = [
        f"{name} {value_text(found.deviation)} (variance {value_text(found.variance)}, mean {value_text(found.mean)})"
        for name, found in part.spreads.items()
        if found.classes > 1
    ]
    whose = f"{part.system}: s" if named else "S"
    return [Sentences((f"{whose}tandard deviation over the classes: {', '.join(said)}.",))] if said else []


def _matrices(result: Result) -> list[Block]:
    many_of_them = len(result.systems) > FEW
    blocks: list[Block] = crowded(result.matrix().m) if many_of_them else []
    for part in result.parts:
        if part.slice is None:
            what = f"{part.system}: confusion matrix; rows" if len(result.systems) > 1 else "Rows"
            blocks += [
                *matrix_block(
                    part.matrix, f"{what} are true classes, columns are predicted ones", one_of_many=many_of_them
                ),
                *confusions(part, f"{part.system}: t" if len(result.systems) > 1 else "T"),
            ]
    return [*charts_of(result, confusion_chart), *_of_each(result, blocks)]
