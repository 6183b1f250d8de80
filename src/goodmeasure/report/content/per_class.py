"""The section on classes: how well each is found, with intervals, for one system or several."""

from __future__ import annotations

import math
from dataclasses import replace

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.content.sample_sizes import is_weighted, wholes
from goodmeasure.report.content.scorecard import axis_start, span, value_cell
from goodmeasure.report.document import Block, Grid, Section, Sentences, TableCell
from goodmeasure.report.numbers import count_text, label_text, share_text, value_text
from goodmeasure.typing import Label

_FEW = 12  # up to so many classes, they stand in the given order; more are sorted by recall
_RECALL = "recall"
_BESIDE = ("recall", "precision")


def class_sections(result: Result) -> list[Section]:
    """Return the section, or nothing where classes were not measured."""
    parts = [part for part in wholes(result) if _by_class(part)]
    if not parts:
        return []
    several = len(parts) > 1
    grids = _of_several(result, parts) if several else [class_grid(result, parts[0].system)]
    blocks: list[Block] = [*(_sorted(grid) for grid in grids), *_spreads(result, parts)]
    return [Section("classes", "Class by class", tuple(blocks), gist=_gist(parts))]


def _by_class(part: SystemScores) -> dict[Label, list[Row]]:
    found: dict[Label, list[Row]] = {}
    for row in part.rows:
        if row.label is not None:
            found.setdefault(row.label, []).append(row)
    return found


def _gist(parts: list[SystemScores]) -> str:
    recalls = [x for part in parts for x in part.rows if x.label is not None and x.measure == _RECALL]
    known = [x for x in recalls if not math.isnan(x.value)]
    if not known:
        return ""
    worst = min(known, key=lambda x: x.value)
    whose = f" ({worst.system})" if len(parts) > 1 else ""
    return f"The lowest recall is {value_text(worst.value)}, of {label_text(worst.label)!r}{whose}."


@built_once
def class_grid(result: Result, system: str) -> Grid:
    """Return the table of every class of one system against the rest."""
    part, shown = result.part(system), display_names(result.settings.classwise)
    by_class = _by_class(part)
    start = axis_start(row for rows in by_class.values() for row in rows)
    measures = [shown[row.measure] for row in next(iter(by_class.values()))]
    rows = tuple(
        (TableCell(label_text(label)), *_sizes(part, k), *(value_cell(row, span(row, start)) for row in rows))
        for k, (label, rows) in enumerate(by_class.items())
    )
    what = f"{part.system}: each" if len(result.systems) > 1 else "Each"
    columns = ("class", _amount(part), "share", *measures)
    return Grid(f"{what} class against the rest", columns, rows, tuple(range(1, len(columns))), sortable=True)


def _sizes(part: SystemScores, k: int) -> tuple[TableCell, TableCell]:
    """Return the number of items of a class, and its share of all items."""
    size, total = float(part.matrix.a[k]), float(part.matrix.n)
    share = size / total if total else math.nan
    return TableCell(count_text(part.matrix.a[k]), size), TableCell(share_text(share, column=True), share)


def _amount(part: SystemScores) -> str:
    return "weight" if is_weighted(part) else "items"


def _of_several(result: Result, parts: list[SystemScores]) -> list[Grid]:
    """Return a table of the classes for each measure, with a column for each system."""
    shown, first = display_names(result.settings.classwise), parts[0]
    tables = {part.system: _by_class(part) for part in parts}
    labels = list(dict.fromkeys(label for found in tables.values() for label in found))
    sized = all(part.matrix.labels == first.matrix.labels for part in parts)
    grids: list[Grid] = []
    for f in result.settings.classwise:
        found = {
            (system, label): row for system, rows in tables.items() for label, x in rows.items() for row in x
            if row.measure == f.name
        }  # fmt: skip
        start = axis_start(found.values())
        rows = tuple(
            (
                TableCell(label_text(label)),
                *(_sizes(first, k) if sized and not grids else ()),
                *(_of_system(found.get((part.system, label)), start) for part in parts),
            )
            for k, label in enumerate(labels)
        )
        sizes = (_amount(first), "share") if sized and not grids else ()  # the first table says how large classes are
        columns = ("class", *sizes, *(part.system for part in parts))
        caption = f"{shown[f.name]} of each class against the rest"
        grids.append(Grid(caption, columns, rows, tuple(range(1, len(columns))), sortable=True, folded=bool(grids)))
    return grids


def _of_system(row: Row | None, start: float) -> TableCell:
    return TableCell("–") if row is None else value_cell(row, span(row, start))


def _sorted(grid: Grid) -> Grid:
    """Return a long table with the lowest values first: recall, where it is measured."""
    if len(grid.rows) <= _FEW:
        return grid
    at = next((k for k, name in enumerate(grid.columns) if name.lower() == _RECALL), 0)
    at = at or (3 if "share" in grid.columns else 1)
    rows = tuple(sorted(grid.rows, key=lambda row: _number(row[at])))
    return replace(grid, rows=rows, caption=f"{grid.caption}, sorted by {grid.columns[at]}")


def _number(cell: TableCell) -> float:
    number = cell.value
    return math.inf if number is None or math.isnan(number) else float(number)


@built_once
def class_comparison(result: Result) -> Grid | None:
    """Return recall and precision of every class for all systems in one narrow table, or None if there are none."""
    parts = wholes(result)
    values = {(p.system, r.label, r.measure): r.value for p in parts for r in p.rows if r.label is not None}
    labels = list(dict.fromkeys(row.label for p in parts for row in p.rows if row.label is not None))
    if not labels or not all((parts[0].system, labels[0], name) in values for name in _BESIDE):
        return None
    pairs = {
        (p.system, x): [values.get((p.system, x, name), math.nan) for name in _BESIDE] for p in parts for x in labels
    }
    rows = tuple(
        (TableCell(label_text(label)), *(_both(pairs[part.system, label]) for part in parts)) for label in labels
    )
    columns = ("class", *(part.system for part in parts))
    return Grid("Recall / precision of each class against the rest", columns, rows, tuple(range(1, len(columns))))


def _both(pair: list[float]) -> TableCell:
    return TableCell(" / ".join(value_text(x) for x in pair), pair[0])


def _spreads(result: Result, parts: list[SystemScores]) -> list[Block]:
    """Return how much the classes differ (opitz2024, §8): a sentence for one system, a table for several."""
    shown = display_names(result.settings.classwise)
    known = {part.system: {name: x for name, x in part.spreads.items() if x.classes > 1} for part in parts}
    names = [name for name in shown if all(name in found for found in known.values())]
    if not names:
        return []
    if len(parts) == 1:
        said = [
            f"{shown[name]} {value_text(x.deviation)} (variance {value_text(x.variance)}, mean {value_text(x.mean)})"
            for name, x in known[parts[0].system].items()
        ]
        return [Sentences((f"Standard deviation over the classes: {', '.join(said)}.",))]
    rows = tuple(
        (TableCell(system), *(TableCell(value_text(found[name].deviation), found[name].deviation) for name in names))
        for system, found in known.items()
    )
    columns = (result.source.unit, *(shown[name] for name in names))
    caption = "Standard deviation over the classes"
    return [Grid(caption, columns, rows, tuple(range(1, len(columns))), sortable=True, folded=True)]
