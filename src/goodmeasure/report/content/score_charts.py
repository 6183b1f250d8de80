"""The charts of scores in a report, each with a table that says the same."""

from __future__ import annotations

import numpy as np

from goodmeasure.catalogue.display_names import display_name
from goodmeasure.catalogue.names import measure
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scores.curves import GAIN, PRECISION_RECALL, ROC, ScoreCurve
from goodmeasure.evaluation.scores.reliability import Reliability
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.report.charts.score_curves import (
    DECISION,
    RELIABILITY,
    WORDS,
    DrawnScores,
    score_chart,
    threshold_text,
)
from goodmeasure.report.charts.systems import MOST
from goodmeasure.report.content.built_once import built_once
from goodmeasure.report.document import Block, Grid, TableCell
from goodmeasure.report.numbers import count_text, group_text, label_text, value_text

_PLACES = {
    ROC: (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5),
    PRECISION_RECALL: (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0),
    GAIN: (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7),
}
_THRESHOLDS = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
_POINTED = ("recall", "specificity", "precision", "f1", "predicted_prevalence")


@built_once
def drawn_scores(result: Result) -> DrawnScores:
    """Return the scores of all systems on all items, to be drawn."""
    assert result.scored is not None
    systems = {name: result.scored.data[name, None] for name in result.systems if (name, None) in result.scored.data}
    settings = result.settings
    return DrawnScores(systems, settings.confidence, settings.seed, result.scored.threshold)


@built_once
def swept_scores(found: Sweep, confidence: float | None, seed: int) -> DrawnScores:
    """Return the scores of a sweep, to be drawn; there are none where it was made of matrices."""
    return DrawnScores({group_text(group): data for group, data in found.scored().items()}, confidence, seed)


def curve_blocks(given: DrawnScores) -> list[Block]:
    """Return the charts with their tables, as far as there is something to draw."""
    if not 0 < len(given.systems) <= MOST:
        return []
    blocks: list[Block] = []
    for name in (ROC, PRECISION_RECALL):
        blocks += _with_chart(given, name, _curve_grids(given, name))
    blocks += _points_grid(given)
    blocks += _with_chart(given, RELIABILITY, _reliability_grids(given))
    blocks += _with_chart(given, GAIN, _curve_grids(given, GAIN))
    blocks += _with_chart(given, DECISION, _decision_grid(given))
    return blocks


def _with_chart(given: DrawnScores, name: str, grids: list[Grid]) -> list[Block]:
    chart = score_chart(given, name)
    return [] if chart is None else [chart, *grids]


def _curve_grids(given: DrawnScores, kind: str) -> list[Grid]:
    """Return the height of the curves at some places: a column for each system, or for each class of one."""
    curves, words = given.curves(kind), WORDS[kind]
    if len(given.classes) == 1:
        columns = {name: curves[name, 1] for name in given.systems if (name, 1) in curves}
        return [_heights(f"{words.title}: {words.y} by {words.x}", words.x, kind, columns)] if columns else []
    grids = []
    for name in given.systems:
        columns = {label_text(given.first.labels[k]): curves[name, k] for k in given.classes if (name, k) in curves}
        whose = f"{name}, {words.title}" if len(given.systems) > 1 else words.title
        if columns:
            grids.append(_heights(f"{whose} of each class against the rest: {words.y}", words.x, kind, columns))
    return grids


def _heights(caption: str, first: str, kind: str, curves: dict[str, ScoreCurve]) -> Grid:
    places = np.array(_PLACES[kind])
    heights = [curve.heights(places).tolist() for curve in curves.values()]
    bands = [curve.band for curve in curves.values()]
    rows = []
    for k, place in enumerate(_PLACES[kind]):
        cells = [
            TableCell(value_text(y[k]), y[k], *((None, None) if band is None else band.at(place)))
            for y, band in zip(heights, bands, strict=True)
        ]
        rows.append((TableCell(f"{place:g}", place), *cells))
    columns = (first, *curves)
    return Grid(caption, columns, tuple(rows), tuple(range(len(columns))), folded=True)


def _points_grid(given: DrawnScores) -> list[Grid]:
    """Return the table of operating points."""
    points = given.points
    if not points:
        return []
    several = len(given.systems) > 1
    rows = tuple(
        (
            *((TableCell(system),) if several else ()),
            TableCell(point.why),
            TableCell(threshold_text(point.threshold), point.threshold),
            *(TableCell(value_text(point.values[name]), point.values[name]) for name in _POINTED),
        )
        for system, listed in points.items()
        for point in listed
    )
    shown = (display_name(measure(name)) for name in _POINTED)
    columns = (*(("system",) if several else ()), "point", "threshold", *shown)
    return [Grid("Operating points", columns, rows, tuple(range(1 + several, len(columns))))]


def _reliability_grids(given: DrawnScores) -> list[Grid]:
    several = len(given.systems) > 1
    return [
        _bins(f"{name}: predicted and observed shares" if several else "Predicted and observed shares", bins)
        for name, bins in given.reliabilities.items()
    ]


def _bins(caption: str, bins: Reliability) -> Grid:
    rows = tuple(
        (
            TableCell(f"{value_text(float(bins.left[k]))} to {value_text(float(bins.right[k]))}"),
            TableCell(count_text(bins.items[k]), float(bins.items[k])),
            TableCell(value_text(float(bins.predicted[k])), float(bins.predicted[k])),
            TableCell(
                value_text(float(bins.observed[k])), float(bins.observed[k]), float(bins.low[k]), float(bins.high[k])
            ),
        )
        for k in range(len(bins.items))
    )
    columns = ("predicted probability", "items", "mean prediction", "observed share")
    return Grid(caption, columns, rows, (1, 2, 3), folded=True)


def _decision_grid(given: DrawnScores) -> list[Grid]:
    curves = given.decisions
    if not curves:
        return []
    first = next(iter(curves.values()))
    rows = []
    for place in _THRESHOLDS:
        k = int(np.argmin(np.abs(first.thresholds - place)))
        cells = [
            TableCell(
                value_text(float(x.benefit[k])), float(x.benefit[k]),
                None if x.low is None else float(x.low[k]), None if x.high is None else float(x.high[k]),
            )
            for x in curves.values()
        ]  # fmt: skip
        everybody = float(first.all[k])
        rows.append((TableCell(f"{place:g}", place), TableCell(value_text(everybody), everybody), *cells))
    columns = ("threshold probability", "acting on every item", *curves)
    caption = "Net benefit (acting on no item has 0)"
    return [Grid(caption, columns, tuple(rows), tuple(range(len(columns))), folded=True)]
