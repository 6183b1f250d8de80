"""The content of a sweep's report: the best thresholds in sentences, the curves, and their tables."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.catalogue.measure import Measure
from goodmeasure.evaluation.thresholds.best import Best
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.report.charts.thresholds import thresholds_chart
from goodmeasure.report.content.definitions import SOURCES, definitions_of
from goodmeasure.report.content.first_screen import date_text, files_text, first_line, today
from goodmeasure.report.content.main_finding import leading
from goodmeasure.report.content.reproduction import sweep_reproduction
from goodmeasure.report.content.score_charts import curve_blocks, swept_scores
from goodmeasure.report.document import (
    Block,
    Document,
    Facts,
    Finding,
    Grid,
    Section,
    Sentences,
    TableCell,
    interval_cell,
)
from goodmeasure.report.numbers import count_text, group_text, interval_text, label_text, level_text, many, value_text
from goodmeasure.typing import Array

_ROWS = 20  # in the table of a curve
_TOLD = 6  # measures in the sentences, and systems or groups for each
_NAMED = 4
OPTIMISTIC = (
    "A value at a threshold that was chosen because it is the best one is optimistic: "
    "choose the threshold on other items than you report on."
)


def sweep_contents(found: Sweep, bests: list[Best], confidence: float | None, seed: int = 0) -> Document:
    """Return the whole report of a sweep."""
    first = found.groups[0]
    matrix = found.matrix(float(found.thresholds_of(first)[0]), first)
    sections = [
        Section("summary", "Summary", tuple(_summary(found, bests)), opened=True),
        Section("thresholds", "Thresholds", tuple(threshold_blocks(found, bests, confidence)), opened=True),
        Section("data", "The data", (_glance(found),)),
        *_curve_sections(found, confidence, seed),
        Section("measures", "The measures", (definitions_of(found.measures, matrix, found.policy),),
                SOURCES, appendix=True),
        replace(sweep_reproduction(found, confidence, seed), appendix=True),
    ]  # fmt: skip
    files = files_text(found.source)
    name = f"Thresholds on {files}" if files else "Thresholds"
    said = first_line(found.source)
    positive = () if said else (f"positive class {label_text(found.positive)!r}",)
    about = (*said, date_text(today()), title(found), *positive)
    return Document(name, tuple(sections), about)


def _curve_sections(found: Sweep, confidence: float | None, seed: int) -> list[Section]:
    """Return the section with the curves of the scores themselves, if there are scores."""
    blocks = curve_blocks(swept_scores(found, confidence, seed))
    return [Section("scores", "Scores", tuple(blocks))] if blocks else []


def title(found: Sweep) -> str:
    """Return the title: what was swept, and how many items."""
    sizes = [len(found.thresholds_of(group)) for group in found.groups]
    what = many(len(sizes), "sweep") + ": " if len(sizes) > 1 else ""
    return f"{what}{many(sum(sizes), 'threshold')}, {many(len(found.measures), 'measure')}"


def _summary(found: Sweep, bests: list[Best]) -> list[Block]:
    said = (*map(str, found.warnings), OPTIMISTIC)
    lines = best_lines(found, bests)
    verdict = lines[0] if lines else "No measure has a best threshold."
    more = (*lines[1:], *found.source.notes)
    return [Finding(verdict), *([Sentences(more)] if more else []), Sentences(said, warning=True)]


def best_lines(found: Sweep, bests: list[Best]) -> list[str]:
    """Return the best threshold of the first measures, and the range of all best thresholds."""
    lines, shown = [], display_names(found.measures)
    for f in _leading_first(found)[:_TOLD]:
        of_each = [best for best in bests if best.measure == f.name]
        if len(of_each) == 1 and of_each[0].group is None:
            best = of_each[0]
            interval = interval_text(best.low, best.high)
            where = f"{_at(best.threshold)}{f' ({interval})' if interval else ''}"
            expected = (
                f"; the expected value on new items is {value_text(best.honest)}" if best.honest is not None else ""
            )
            lines.append(f"{shown[f.name]} is best {where}: {value_text(best.value)} on these items{expected}.")
        elif of_each:
            each = [f"{group_text(x.group)} {value_text(x.value)} {_at(x.threshold)}" for x in of_each[:_NAMED]]
            rest = f", and {len(of_each) - _NAMED} more" if len(of_each) > _NAMED else ""
            lines.append(f"Best {shown[f.name]} at its threshold: {', '.join(each)}{rest}.")
    if len(bests) > 1:
        at = [best.threshold for best in bests if math.isfinite(best.threshold)]
    if len(bests) > 1 and at:
        lines.append(f"The best thresholds of {len(bests)} curves lie between {_shown(min(at))} and {_shown(max(at))}.")
    return lines


def _leading_first(found: Sweep) -> list[Measure]:
    """Return the measures with the one that decides in front."""
    first = leading(found.measures)
    return sorted(found.measures, key=lambda f: f is not first)


def _glance(found: Sweep) -> Facts:
    items = [("positive", f"{label_text(found.positive)!r}: a score of at least the threshold predicts it")]
    if found.source.reading is not None:
        items.append(("labels", f"read as {found.source.reading}"))
    for group in found.groups:
        thresholds = found.thresholds_of(group)
        name = "scores" if group is None else group_text(group)
        ends = f"from {_shown(float(thresholds[-1]))} to {_shown(float(thresholds[0]))}"
        items.append((name, f"{many(len(thresholds), 'threshold')}, {ends}"))
    return Facts(tuple(items))


def threshold_blocks(found: Sweep, bests: list[Best], confidence: float | None) -> list[Block]:
    """Return the chart of the curves, the table of best thresholds, and the table of the curves."""
    chart = thresholds_chart(found, bests)
    shown = [chart, best_grid(found, bests, confidence), *_curve_grids(found)]
    return [block for block in shown if block is not None]


def best_grid(found: Sweep, bests: list[Best], confidence: float | None) -> Grid | None:
    """Return the table of the best threshold of every measure, or None where there is none."""
    if not bests:
        return None
    named, shown = found.groups != (None,), display_names(found.measures)
    rows = tuple(
        (
            TableCell(shown[x.measure]),
            *((TableCell(group_text(x.group)),) if named else ()),
            TableCell(_threshold(x.threshold), x.threshold),
            interval_cell(x.low, x.high),
            TableCell(value_text(x.value), x.value),
            TableCell("" if x.honest is None else value_text(x.honest), x.honest),
            interval_cell(x.value_low, x.value_high),
        )
        for x in bests
    )
    columns = (
        "measure",
        *(("scores",) if named else ()),
        "best threshold",
        "interval",
        "value there",
        "expected on new items",
        "interval of the expected value",
    )
    level = "" if confidence is None else f", with intervals at {level_text(confidence)} confidence"
    numbers = tuple(range(1 + named, len(columns)))
    return Grid(f"The best threshold of every measure{level}", columns, rows, numbers, sortable=True)


def _curve_grids(found: Sweep) -> list[Grid]:
    """Return tables of every measure at some thresholds, chosen evenly over items and over the axis."""
    grids, shown = [], display_names(found.measures)
    for group in found.groups:
        thresholds = found.thresholds_of(group)
        at = _spread(thresholds)
        values = {shown[f.name]: found.values(f, group)[at].tolist() for f in found.measures}
        rows = tuple(
            (
                TableCell(_shown(float(thresholds[place]))),
                *(TableCell(value_text(x[k]), x[k]) for x in values.values()),
            )
            for k, place in enumerate(at)
        )
        what = "" if group is None else f"{group_text(group)}: "
        caption = f"{what}every measure at {len(at)} of {count_text(len(thresholds))} thresholds"
        grids.append(Grid(caption, ("threshold", *values), rows, tuple(range(1, len(values) + 1)), folded=True))
    return grids


def _spread(thresholds: Array) -> Array:
    """Return the indices of thresholds for a table.

    If they are many, half are chosen evenly by rank and half evenly by value, since scores may crowd at one end.
    """
    if len(thresholds) <= _ROWS:
        return np.arange(len(thresholds))
    by_rank = np.linspace(0, len(thresholds) - 1, _ROWS // 2).round().astype(int)
    finite = thresholds[np.isfinite(thresholds)].astype(float)
    wanted = np.linspace(finite.max(), finite.min(), _ROWS // 2 + 2)[1:-1] if len(finite) else finite
    by_value = len(thresholds) - 1 - np.searchsorted(thresholds[::-1], wanted)
    return np.unique(np.concatenate([by_rank, by_value.clip(0, len(thresholds) - 1)]))


def _at(threshold: float) -> str:
    return f"at a threshold of {_shown(threshold)}" if math.isfinite(threshold) else "at a threshold above all scores"


def _threshold(x: float) -> str:
    return _shown(x) if math.isfinite(x) else "above all scores"


def _shown(x: float) -> str:
    return f"{x:.6g}".replace("-", "−") if x < 0 else f"{x:.6g}"
