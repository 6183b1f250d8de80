"""A sweep in every format: HTML, Markdown, LaTeX, JSON and CSV, and in notebooks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from goodmeasure import __version__
from goodmeasure.evaluation.thresholds.best import Best
from goodmeasure.evaluation.thresholds.sweep import Sweep
from goodmeasure.evaluation.thresholds.thinning import FEW
from goodmeasure.report.charts.matplotlib_figures import SweepPlots as Plots
from goodmeasure.report.content.screen import sweep_screen
from goodmeasure.report.content.thresholds import group_text, sweep_contents, thresholds_chart
from goodmeasure.report.formats.evaluation_formats import PRINTED, REST, rendered
from goodmeasure.report.formats.html import fragment
from goodmeasure.report.formats.json_data import plain
from goodmeasure.report.formats.notebook import VegaLite, check_name, specification
from goodmeasure.report.formats.tabular import rows_as_csv
from goodmeasure.report.formats.terminal import document_text, known_width
from goodmeasure.report.whole_files import format_of, write_files

__all__ = ["Plots", "chart", "piece", "plain_text", "save_sweeps", "sweep_data", "text"]
SCHEMA = "goodmeasure/sweep/1"
USUAL = 0.95  # confidence of the intervals where nobody says another
_COLUMNS = ("group", "measure", "threshold", "low", "high", "value", "value_low", "value_high")


def sweep_data(found: Sweep, bests: list[Best], points: int = FEW) -> dict[str, Any]:
    """Best thresholds and curves as dicts and lists."""
    return {
        "schema": SCHEMA,
        "goodmeasure": __version__,
        "positive": plain(found.positive),
        "warnings": [plain(x.as_dict()) for x in found.warnings],
        "best": [{**_row(x), "counts": plain(x.matrix.counts.tolist())} for x in bests],
        "curves": [_curve(found, f, group, points) for group in found.groups for f in found.measures],
    }


def _row(best: Best) -> dict[str, Any]:
    group = None if best.group is None else group_text(best.group)
    return {"group": group, **{name: plain(getattr(best, name)) for name in _COLUMNS[1:]}}


def _curve(found: Sweep, f: Any, group: Any, points: int) -> dict[str, Any]:
    curve = found.curve(f, group=group, points=points)
    return {
        "group": None if group is None else group_text(group), "measure": f.name,
        "thresholds": plain(curve.thresholds.tolist()), "values": plain(curve.values.tolist()),
    }  # fmt: skip


def text(found: Sweep, format: str, confidence: float = USUAL, seed: int = 0) -> str:
    """The sweep in a format; CSV holds the best thresholds."""
    known = found.bests(confidence, seed)
    if format == "json":
        return json.dumps(sweep_data(found, known), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    if format == "csv":
        return rows_as_csv(_COLUMNS, [_row(x) for x in known])
    return rendered(sweep_contents(found, known, confidence, seed), format)


def save_sweeps(found: Sweep, paths: Sequence[str], confidence: float, seed: int) -> None:
    """Write several files, each in the format of its ending: all of them or none."""
    write_files({path: text(found, format_of(path), confidence, seed) for path in paths})


def chart(found: Sweep, name: str) -> VegaLite:
    """The one chart of a sweep as a specification: thresholds."""
    check_name(name, ("thresholds",))
    return specification(thresholds_chart(found, found.bests(USUAL)), name)


def piece(found: Sweep) -> str:
    """What a notebook shows: the screen of the command line, as a piece of a page without any script."""
    return fragment(sweep_screen(found, found.bests(USUAL), USUAL))


def plain_text(found: Sweep) -> str:
    """What a sweep prints as: the screen of the command line."""
    return document_text(sweep_screen(found, found.bests(USUAL), USUAL), known_width() or PRINTED, REST)
