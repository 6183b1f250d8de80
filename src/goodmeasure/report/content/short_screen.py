"""The short form of an evaluation or a comparison: the verdict, the numbers that people know, and what to beware of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from goodmeasure.catalogue.affine import distinct
from goodmeasure.catalogue.display_names import names_text, sentence_name
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.evaluation.number_words import p_text
from goodmeasure.evaluation.result import Result
from goodmeasure.report.content.comparison_tables import margin_grids, scores_grid
from goodmeasure.report.content.comparison_words import title
from goodmeasure.report.content.confusion_tables import matrix_block
from goodmeasure.report.content.evaluation import missing_text, other_columns, slice_hint, warning_lines
from goodmeasure.report.content.first_screen import first_line, heading, headlines, named_measure
from goodmeasure.report.content.main_finding import (
    AnyMeasure,
    best_part,
    comparison_verdict,
    lead_of_comparison,
    measures_of,
    verdict,
)
from goodmeasure.report.content.marks import legend
from goodmeasure.report.content.multilabel import average_grids
from goodmeasure.report.content.per_class import class_comparison, class_grid
from goodmeasure.report.content.scorecard import BY_COLUMNS, by_rows, comparison, scorecard
from goodmeasure.report.content.scores import score_grid
from goodmeasure.report.content.screen import screen_document
from goodmeasure.report.content.slices import slice_findings
from goodmeasure.report.document import Block, Document, Finding, Grid, MatrixBlock, Sentences, TableCell, interval_cell
from goodmeasure.report.numbers import label_text, level_text, many, value_text

OF_SCORES = ("roc_auc", "macro(roc_auc)", "average_precision", "brier", "log_loss")
OF_TWO = ("accuracy", "f1", "recall", "precision", "mcc", "balanced_accuracy", "kappa", "specificity", "macro(f1)")
OF_MORE = ("accuracy", "macro(f1)", "mcc", "balanced_accuracy", "weighted(f1)", "kappa")
AT_A_THRESHOLD = ("recall", "precision", "mcc")  # of scores of two classes: rare positives make accuracy useless
"""The measures that most people know, in the order in which the short form shows them."""
_FEW = 6  # rows of numbers
_ASKED = 8  # rows of numbers, where a user asked for few
_BESIDE_CLASSES = 3  # rows of numbers beside a table of classes
_MATRIX = 6  # classes whose matrix is shown
_CLASSES = 10  # otherwise the classes with the lowest recall
_OF_OTHERS = 3  # warnings about all systems where there are several
_WARNINGS = 6
_NAME = 24  # characters of the name of a class in a table
_LEAST_NAME = 8
_ROOM = 97  # characters of a matrix, with names of its rows that are as long as those of its columns
_GAP = 3  # characters between columns
MORE = "to_text(full=True) or --full shows"


def short_evaluation(result: Result) -> Document:
    """Return the short form of an evaluation."""
    shown = shown_measures(result)
    numbers = [_numbers(result, shown)] if result.competing else [*_averages(result)]
    found = screen_document(
        heading(result, *_left_out(result), *_weights(result), *_guessed(result)),
        ("verdict", [Finding(verdict(result))]),
        ("numbers", numbers),
        ("warnings", _warnings(result)),
        ("matrix", _matrix_or_classes(result)),
        ("rest", [Sentences((_rest(len(result.measured) - len(shown), result),))]),
        about=first_line(result.source),
    )
    return _with_short_names(found, [label_text(x) for x in result.part().matrix.labels])


def _with_short_names(document: Document, labels: Sequence[str]) -> Document:
    """Return the document with the names of classes cut where they would take up the screen; sentences keep them."""
    in_tables = _short_names(labels, _NAME)
    in_matrix = _short_names(labels, max(_ROOM // (len(labels) + 1) - _GAP, _LEAST_NAME))

    def said(text: str) -> str:
        for label in sorted(in_tables, key=len, reverse=True):
            text = text.replace(label, in_tables[label]) if len(label) > _NAME else text
        return text

    def shown(block: Block) -> Block:
        if isinstance(block, MatrixBlock):
            return replace(block, labels=tuple(in_matrix.get(x, x) for x in block.labels))
        if isinstance(block, Grid):
            rows = tuple((replace(row[0], text=said(row[0].text)), *row[1:]) for row in block.rows)
            return replace(block, columns=tuple(map(said, block.columns)), rows=rows)
        return block

    sections = tuple(replace(x, blocks=tuple(map(shown, x.blocks))) for x in document.sections)
    return replace(document, title=said(document.title), sections=sections)


def _short_names(names: Sequence[str], most: int) -> dict[str, str]:
    """Return names of at most so many characters that still differ, cut in the middle, else at one end or numbered.

    >>> _short_names(["ham", "a very long name of A", "a very long name of B"], 12)
    {'ham': 'ham', 'a very long name of A': 'a ver…e of A', 'a very long name of B': 'a ver…e of B'}
    """
    most = min(most, _NAME)
    for start in ((most - 1) // 2, 0, most - 1):
        cut = [x if len(x) <= most else f"{x[:start]}…{x[len(x) - most + 1 + start :]}" for x in names]
        if len(set(cut)) == len(cut):
            break
    else:
        cut = [f"{x[: most - 1 - len(str(k))]}…{k}" for k, x in enumerate(names, 1)]
    return dict(zip(names, cut, strict=True))


def _left_out(result: Result) -> list[str]:
    """Return how many items were left out because a label or a score is missing."""
    numbers = set(result.counted.dropped.values())
    if not any(numbers):
        return []
    a = "an" if result.source.of_outcomes else "a"
    return [f"{'up to ' if len(numbers) > 1 else ''}{max(numbers):,} left out, without {a} {missing_text(result)}"]


def _weights(result: Result) -> list[str]:
    """Return the column of weights, since the values and the matrix are those of weighted items."""
    return [] if result.source.weight is None else [f"weighted by {result.source.weight!r}"]


def _guessed(result: Result) -> list[str]:
    """Return which columns were guessed from their names."""
    known = result.source.guessed
    return [f"columns guessed: true {result.source.true!r}, {other_columns(result)}"] if known else []


def shown_measures(result: Result) -> list[AnyMeasure]:
    """Return the measures of the short form: the familiar ones first, and none that another one implies."""
    few = _BESIDE_CLASSES if result.competing and _has_many_classes(result) and len(result.systems) == 1 else _FEW
    return _chosen(measures_of(result), result.part().matrix.m, few)


def _chosen(measures: Sequence[AnyMeasure], classes: int, few: int) -> list[AnyMeasure]:
    known = {f.name: f for f in measures}
    of_scores = [name for name in OF_SCORES if name in known]
    usual = OF_TWO if classes == 2 else OF_MORE
    names = [*of_scores[:3], *(AT_A_THRESHOLD if of_scores and classes == 2 else ()), *usual, *OF_SCORES]
    familiar = [known[name] for name in dict.fromkeys(names) if name in known]
    if len(measures) > _ASKED and familiar:
        return distinct(familiar, classes)[:few]
    return distinct(dict.fromkeys([*familiar, *measures]), classes)[:_ASKED]


def _has_many_classes(result: Result) -> bool:
    return result.part().matrix.m > _MATRIX


def _numbers(result: Result, shown: Sequence[AnyMeasure]) -> Grid:
    """Return the values of the chosen measures, from the tables of the full form."""
    part, level = best_part(result), result.settings.confidence
    grids: list[Grid] = [] if result.scored is None or not result.scored.measures else [score_grid(result)]
    if result.settings.measures:
        grids.insert(0, scorecard(result) if len(result.systems) == 1 else comparison(result))
    columns = grids[0].columns
    rows: dict[str, tuple[TableCell, ...]] = {}
    kinds: list[Sequence[AnyMeasure]] = [result.settings.measures] if result.settings.measures else []
    kinds += [result.scored.measures] if result.scored is not None and result.scored.measures else []
    for grid, measures in zip(grids, kinds, strict=True):
        for f, row in zip(measures, grid.rows, strict=True):
            padded = (*row, *(TableCell("–") for _ in range(len(columns) - len(row))))
            rows[f.name] = (TableCell(named_measure(f, part)), *(replace(cell, note=None) for cell in padded[1:]))
    lines = tuple(rows[f.name] for f in shown)
    if len(result.systems) == 1:
        named = tuple(f"{level_text(level)} interval" if x == "interval" and level is not None else x for x in columns)
        return replace(grids[0], caption="", columns=named, rows=lines, compact=True)
    caption = f"Every {result.source.unit}{legend(lines)}"
    grid = replace(grids[0], caption=caption, bare=caption, rows=_bare(lines), compact=True)
    if len(result.systems) <= BY_COLUMNS:  # what systems are compared with goes first where columns are few
        return replace(grid, keep=1 + len(result.systems))
    return replace(grid, otherwise=by_rows(grid, result))


def _bare(rows: Iterable[Sequence[TableCell]]) -> tuple[tuple[TableCell, ...], ...]:
    """Return rows of values without their intervals."""
    return tuple(tuple(cell.without_interval() for cell in row) for row in rows)


def _averages(result: Result) -> list[Block]:
    """Return the averages over the labels of multilabel data."""
    numbers = headlines(result)
    return [replace(numbers.grid(), compact=True)] if numbers.items else [*average_grids(result)]


def _warnings(result: Result) -> list[Block]:
    """Return the warnings, of several systems only those about the best one or the data."""
    lines = [*slice_findings(result), *warning_lines(result, slices=False)]
    most = _WARNINGS if len(result.systems) == 1 else _OF_OTHERS
    if result.competing and len(result.systems) > 1:
        others = tuple(f"{name}: " for name in result.systems if name != best_part(result).system)
        lines = [line for line in lines if not line.startswith(others)]
    left = len(slice_findings(result)) + len(warning_lines(result, slices=False)) - len(lines[:most])
    more = [f"and {many(left, 'more warning')}"] if left else []
    if not lines:
        more = [f"{many(left, 'warning')} about the other systems"] if left else []
    hints = slice_hint(result, "in the full form")
    shown = Sentences(tuple(lines[:most]), warning=True, more=(*more, *hints))
    return [shown] if shown.lines or shown.more else []


def _matrix_or_classes(result: Result) -> list[Block]:
    """Return the matrix of the best system or, of many classes, those with the lowest recall."""
    if not result.competing or not result.has_labels:
        return []
    part, several = best_part(result), len(result.systems) > 1
    if part.matrix.m <= _MATRIX:
        caption = f"{part.system}: confusion matrix" if several else ""
        return [replace(matrix_block(part.matrix, caption), compact=True)]
    grid = class_comparison(result) if several else class_grid(result, part.system)
    if grid is None:
        return []
    at = 1 if several else max(grid.columns.index("Recall") if "Recall" in grid.columns else 1, 1)
    lowest = sorted(grid.rows, key=lambda row: _order(row[at]))[:_CLASSES]
    caption = f"{grid.caption}: the classes with the lowest recall" if several else ""
    name = grid.columns[0] if several else f"lowest recall of {many(len(grid.rows), 'class', 'classes')}"
    return [replace(grid, caption=caption, columns=(name, *grid.columns[1:]), rows=_bare(lowest), compact=True)]


def _order(cell: TableCell) -> float:
    number = cell.value
    return float("inf") if number is None or number != number else float(number)


def _rest(left_out: int, result: Result) -> str:
    measures = [many(left_out, "more measure")] if left_out > 0 else []
    classes = ["every class"] if result.has_labels else []
    slices = ["every slice"] if result.slices else []
    thresholds = ["the best thresholds"] if result.swept is not None else []
    return f"{MORE} {names_text([*measures, *classes, *slices, *thresholds, 'the data'])}."


def short_comparison(found: Comparison) -> Document:
    """Return the short form of a comparison."""
    shown = _chosen(found.settings.measures, len(found.labels), _FEW)
    whole = scores_grid(found)
    columns = (whole.columns[0], *(whole.columns[1 + found.settings.measures.index(f)] for f in shown))
    places = [0, *(1 + found.settings.measures.index(f) for f in shown)]
    rows = tuple(tuple(replace(row[k], note=None, rank=None) for k in places) for row in whole.rows)
    caption = f"Values{legend(rows)}"
    grid = Grid(caption, columns, _bare(rows), tuple(range(1, len(columns))), compact=True)
    tested = _differences(found, shown) if len(found.systems) > 1 else None
    left = len(found.measures) - len(shown)
    more = [many(left, "more measure")] if left > 0 else []
    slices = ["every slice"] if found.slices else []
    return screen_document(
        title(found),
        ("verdict", [Finding(comparison_verdict(found))] if len(found.systems) > 1 else []),
        ("scores", [_turned(grid)]),
        ("differences", [] if tested is None else [tested]),
        ("margin", [replace(grid, compact=True) for grid in margin_grids(found)]),
        ("notes", [Sentences(tuple(f"Note: {x}" for x in found.notes))] if found.notes else []),
        ("rest", [Sentences((f"{MORE} {names_text([*more, *slices, 'all paired differences'])}.",))]),
        about=first_line(found.source),
    )


def _turned(grid: Grid) -> Grid:
    """Return the table with a row for each measure, where systems are few."""
    if len(grid.rows) > _FEW:
        return grid
    names = ("measure", *(row[0].text for row in grid.rows))
    rows = tuple((TableCell(name), *(row[k] for row in grid.rows)) for k, name in enumerate(grid.columns) if k)
    return replace(grid, columns=names, rows=rows, numbers=tuple(range(1, len(names))))


def _differences(found: Comparison, shown: Sequence[AnyMeasure]) -> Grid | None:
    """Return the differences of the best system from the others in the leading measure, or of two systems in each."""
    lead = lead_of_comparison(found)
    if lead is None:
        return None
    best = found.leaders[lead.name][0]
    measures = shown if len(found.systems) == 2 else [lead]
    names = {f.name: name for f, name in zip(found.settings.measures, scores_grid(found).columns[1:], strict=True)}
    known = {(x["measure"], frozenset((x["a"], x["b"]))): x for x in found.differences}
    rows = []
    for f in measures:
        for other in (x for x in found.systems if x != best):
            if (f.name, frozenset((best, other))) not in known:
                continue
            row = found.difference(best, other, f.name)
            rows.append((
                TableCell(names[f.name] if len(found.systems) == 2 else f"{best} − {other}"),
                TableCell(value_text(row["difference"]), row["difference"]), interval_cell(row["low"], row["high"]),
                TableCell(p_text(row["p_family"]), row["p_family"]), TableCell(row["method"]),
            ))  # fmt: skip
    level = f"{level_text(found.settings.confidence)} interval"
    of_two = len(found.systems) == 2
    columns = ("measure" if of_two else "systems", "difference", level, "p, Holm", "test")
    other = next(x for x in found.systems if x != best)
    caption = f"Paired differences, {best} − {other}" if of_two else f"Paired differences in {sentence_name(lead)}"
    return Grid(caption, columns, tuple(rows), (1, 2, 3), compact=True) if rows else None
