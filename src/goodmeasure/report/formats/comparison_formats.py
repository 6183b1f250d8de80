"""A comparison of systems in every format: HTML, Markdown, LaTeX, JSON, CSV and frames, and as it prints."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from goodmeasure import __version__
from goodmeasure.comparison.comparison import AGREEMENT, DIFFERENCES, ENSEMBLE, SCORES, Comparison, Row
from goodmeasure.report.charts.matplotlib_figures import ComparisonPlots as Plots
from goodmeasure.report.content.comparison import comparison_contents
from goodmeasure.report.content.screen import comparison_screen
from goodmeasure.report.formats.evaluation_formats import PRINTED, REST, rendered
from goodmeasure.report.formats.html import fragment
from goodmeasure.report.formats.json_data import plain
from goodmeasure.report.formats.notebook import comparison_chart as chart
from goodmeasure.report.formats.tabular import as_frame, rows_as_csv
from goodmeasure.report.formats.terminal import document_text, known_width

SCHEMA = "goodmeasure/comparison/1"
__all__ = ["Plots", "chart", "comparison_data", "frame", "piece", "plain_text", "text"]
_KINDS = {"differences": DIFFERENCES, "scores": SCORES, "ensemble": ENSEMBLE, "agreement": AGREEMENT}


def comparison_data(found: Comparison) -> dict[str, Any]:
    """Everything as dicts and lists."""
    s = found.settings
    return {
        "schema": SCHEMA,
        "goodmeasure": __version__,
        "source": {name: plain(value) for name, value in asdict(found.source).items()},
        "settings": {
            "measures": list(found.measures),
            "ensemble": None if s.ensemble is None else list(s.ensemble.names),
            "pairs": s.pairs, "confidence": s.confidence, "seed": s.seed, "method": s.method,
            "replicates": s.replicates, "undefined": str(s.policy),
        },
        "systems": list(found.systems),
        "labels": plain(found.labels),
        "items": found.items,
        **{name: [plain(row) for row in found.all_rows(name)] for name in _KINDS},
        "best": plain(found.best),
        "winners": plain(found.winners),
        "slices": [
            {"slice": plain(where), "items": part.items, "best": plain(part.best), "winners": plain(part.winners),
             "notes": list(part.notes)}
            for where, part in found.slices.items()
        ],
        "notes": list(found.notes),
    }  # fmt: skip


def text(found: Comparison, format: str) -> str:
    """The comparison in a format; CSV holds the differences."""
    if format == "json":
        return json.dumps(comparison_data(found), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    if format == "csv":
        return rows_as_csv(DIFFERENCES, found.all_rows("differences"))
    return rendered(comparison_contents(found), format)


def piece(found: Comparison) -> str:
    """What a notebook shows: the screen of the command line, as a piece of a page without any script."""
    return fragment(comparison_screen(found, REST))


def frame(found: Comparison, kind: str = "pandas", rows: str = "differences") -> Any:
    """Tidy rows as a data frame."""
    if rows not in _KINDS:
        raise ValueError(f"rows is {rows!r}: use {', '.join(map(repr, _KINDS))}")
    listed: list[Row] = found.all_rows(rows)
    return as_frame({name: [row[name] for row in listed] for name in _KINDS[rows]}, kind)


def plain_text(found: Comparison) -> str:
    """What a comparison prints as: the screen of the command line."""
    return document_text(comparison_screen(found, REST), known_width() or PRINTED, REST)
