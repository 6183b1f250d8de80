"""A comparison of systems written down: what it says, free of any format, and as Markdown, JSON, CSV and frames."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict
from typing import Any

from goodmeasure import __version__
from goodmeasure.comparison.ensemble import ensemble_of
from goodmeasure.comparison.result import AGREEMENT, DIFFERENCES, ENSEMBLE, SCORES, Comparison, Row
from goodmeasure.report.data import plain
from goodmeasure.report.document import Block, Cell, Code, Document, Facts, Grid, Section, Sentences
from goodmeasure.report.formats import format_of, grid_text, write_file
from goodmeasure.report.markdown import markdown
from goodmeasure.report.numbers import interval_text, label_text, level_text, many, share_text, value_text
from goodmeasure.report.reproduction import written
from goodmeasure.report.tabular import as_frame, rows_as_csv

SCHEMA = "goodmeasure/comparison/1"
MOST_SHOWN = 200  # differences in a report; the data has all
_FORMATS = ("markdown", "json", "csv")
_KINDS = {"differences": DIFFERENCES, "scores": SCORES, "ensemble": ENSEMBLE, "agreement": AGREEMENT}


def comparison_contents(found: Comparison) -> Document:
    """The whole report."""
    sections = [
        Section("summary", "Summary", tuple(_summary(found))),
        Section("scores", "Scores", (scores_grid(found), *winners_grids(found))),
        Section("differences", "Differences", tuple(_difference_blocks(found))),
        *([Section("ensemble", "Measures together", (ensemble_grid(found),))] if found.ensemble else []),
        *([Section("agreement", "Do the measures agree?", (agreement_grid(found),))] if found.agreement else []),
        *(
            Section(f"slice{k}", f"Slice {slice_text(found, where)}", (scores_grid(part), *_difference_blocks(part)))
            for k, (where, part) in enumerate(found.slices.items())
        ),
        Section("reproduce", "How to get these numbers again", tuple(_reproduction(found))),
    ]
    return Document(title(found), tuple(sections))


def title(found: Comparison) -> str:
    """How much is compared."""
    systems = len(found.systems)
    classes = many(len(found.labels), "class", "classes")
    return f"{many(systems, 'system')}: {many(found.items, 'item')}, {classes}"


def summary_lines(found: Comparison) -> list[str]:
    """What to know if you read nothing else."""
    if len(found.systems) < 2:
        return []
    by_set: dict[tuple[str, ...], list[str]] = {}
    for measure, winners in found.winners.items():
        by_set.setdefault(winners, []).append(measure)
    lines = []
    level = level_text(found.settings.confidence)
    for winners, measures in sorted(by_set.items(), key=lambda x: -len(x[1])):
        by = ", ".join(measures)
        best = sorted({_best(found, measure) for measure in measures})
        if len(winners) == 1:
            lines.append(f"{winners[0]} is the best by {by}, told from every other system at {level} confidence.")
        elif len(winners) == len(found.systems):
            lines.append(f"No system can be told from the best ({' or '.join(best)}) by {by}.")
        else:
            near = ", ".join(x for x in winners if x not in best) or "others"
            lines.append(f"{' or '.join(best)} has the best value of {by}; {near} cannot be told from it.")
    return lines


def _best(found: Comparison, measure: str) -> str:
    return next(system for system, rank in found.ranks[measure].items() if rank == 1)


def _summary(found: Comparison) -> list[Block]:
    lines = summary_lines(found)
    return [*([Sentences(tuple(lines))] if lines else []), *([Sentences(found.notes)] if found.notes else [])]


def scores_grid(found: Comparison) -> Grid:
    """Every system under every measure, with its rank; a star marks who cannot be told from the best."""
    by_place = {(row["system"], row["measure"]): row for row in found.scores}
    rows = []
    for system in _in_order(found):
        cells = [Cell(system)]
        for measure in found.measures:
            row = by_place[system, measure]
            star = " *" if system in found.winners.get(measure, ()) and len(found.systems) > 1 else ""
            rank = "" if row["rank"] is None else f" [{row['rank']}]"
            interval = interval_text(row["low"], row["high"])
            text = value_text(row["value"]) + (f" ({interval})" if interval else "") + rank + star
            cells.append(Cell(text, row["value"], row["reason"]))
        rows.append(tuple(cells))
    level = level_text(found.settings.confidence)
    caption = f"Value (interval at {level} confidence) [rank]; * cannot be told from the best"
    return Grid(caption, ("system", *found.measures), tuple(rows), tuple(range(1, len(found.measures) + 1)))


def _in_order(found: Comparison) -> list[str]:
    """Systems by their ensemble score, or by the first measure."""
    if found.ensemble:
        ranks = {row["system"]: row["rank"] for row in found.ensemble}
    else:
        ranks = next(iter(found.ranks.values()), {})
    return sorted(found.systems, key=lambda x: ranks.get(x) or math.inf)


def winners_grids(found: Comparison) -> list[Grid]:
    """How likely each system is the best, by measure."""
    if len(found.systems) < 2 or not found.best_probability:
        return []
    measures = list(found.best_probability)
    shown = [x for x in _in_order(found) if any(found.best_probability[f][x] >= 0.0005 for f in measures)]
    rows = tuple(
        (
            Cell(system),
            *(Cell(share_text(found.best_probability[f][system]), found.best_probability[f][system]) for f in measures),
        )
        for system in shown
    )
    return [Grid("Probability of being the best", ("system", *measures), rows, tuple(range(1, len(measures) + 1)))]


def differences_grid(found: Comparison, most: int = MOST_SHOWN) -> Grid:
    """Paired differences with intervals and p-values."""
    rows = tuple(
        (
            Cell(row["measure"]),
            Cell(f"{row['a']} − {row['b']}"),
            Cell(value_text(row["difference"]), row["difference"], row["reason"]),
            Cell(interval_text(row["low"], row["high"]) or "–"),
            Cell(p_text(row["p"]), row["p"]),
            Cell(p_text(row["p_corrected"]), row["p_corrected"]),
            Cell(row["method"]),
        )
        for row in found.differences[:most]
    )
    rest = len(found.differences) - most
    more = f" (the first {most} of {len(found.differences):,}; all are in the JSON and CSV)" if rest > 0 else ""
    columns = ("measure", "systems", "difference", "interval", "p", "p, Holm", "test")
    return Grid(f"Paired differences{more}", columns, rows, (2, 3, 4, 5))


def p_text(p: float) -> str:
    """A p-value."""
    return "–" if math.isnan(p) else "< 0.0001" if p < 0.0001 else f"{p:.4f}" if p < 0.01 else f"{p:.3f}"


def _difference_blocks(found: Comparison) -> list[Block]:
    if not found.differences:
        return [Sentences(("There is nothing to compare.",))]
    return [differences_grid(found)]


def ensemble_grid(found: Comparison) -> Grid:
    """The ensemble score of every system."""
    assert found.settings.ensemble is not None
    by_system = {row["system"]: row for row in found.ensemble}
    rows = tuple(
        (
            Cell(system),
            Cell(value_text(row["score"]), row["score"]),
            Cell(interval_text(row["low"], row["high"]) or "–"),
            Cell("–" if row["rank"] is None else str(row["rank"]), row["rank"]),
            Cell(value_text(row["mean_rank"]), row["mean_rank"]),
            Cell(share_text(row["best_probability"]), row["best_probability"]),
        )
        for system in _in_order(found)
        for row in [by_system[system]]
    )
    caption = f"The mean of {', '.join(found.settings.ensemble.names)}, each from 0 (its worst value) to 1 (its best)"
    return Grid(caption, ("system", "score", "interval", "rank", "mean rank", "best"), rows, (1, 2, 3, 4, 5))


def agreement_grid(found: Comparison) -> Grid:
    """Kendall's τ of the orders that two measures give."""
    names = list(dict.fromkeys(x for row in found.agreement for x in (row["measure"], row["other"])))
    known = {(row["measure"], row["other"]): row["kendall"] for row in found.agreement}
    known |= {(other, one): x for (one, other), x in known.items()}
    rows = tuple(
        (Cell(one), *(Cell("" if one == other else value_text(known[one, other])) for other in names)) for one in names
    )
    caption = "Kendall's τ of the orders of the systems that two measures give"
    return Grid(caption, ("measure", *names), rows, tuple(range(1, len(names) + 1)))


def slice_text(found: Comparison, where: Any) -> str:
    """A slice with the names of its columns."""
    columns = found.source.by
    values = where if len(columns) > 1 else (where,)
    return ", ".join(f"{column} = {label_text(value)}" for column, value in zip(columns, values, strict=True))


def _reproduction(found: Comparison) -> list[Block]:
    together = _asked_ensemble(found)
    said: dict[str, Any] = {} if together is None else {"ensemble": ",".join(together)}
    names = written(found.settings.measures)
    typed = all(isinstance(x, str) for x in names)
    command = found.source.command(found.measures, {**_options(found), **said}, "compare") if typed else None
    said = {} if together is None else {"ensemble": list(together)}
    call = found.source.python(names, {**_options(found), **said}, "compare")
    blocks: list[Block] = [] if command is None else [Code(command, "sh")]
    return [
        *blocks,
        Code(f"import goodmeasure as gm\ncompared = {call}", "python"),
        Facts((("version", f"goodmeasure {__version__}"),)),
    ]


def _asked_ensemble(found: Comparison) -> tuple[str, ...] | None:
    """The measures of the ensemble, if they are not those that it has when nobody says which."""
    mine, usual = found.settings.ensemble, ensemble_of(None, found.settings.measures)
    if mine is None or (usual is not None and mine.names == usual.names):
        return None
    return mine.names


def _options(found: Comparison) -> dict[str, Any]:
    """How it was compared, as far as it is not the usual way."""
    s, usual = found.settings, type(found.settings)(())
    options: dict[str, Any] = {"confidence": s.confidence, "seed": s.seed}
    options |= {x: getattr(s, x) for x in ("pairs", "method", "replicates") if getattr(s, x) != getattr(usual, x)}
    if s.policy != usual.policy:
        options["undefined"] = s.policy.number if s.policy.name == "number" else s.policy.name
    return options


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
        "winners": plain(found.winners),
        "slices": [
            {"slice": plain(where), "items": part.items, "winners": plain(part.winners), "notes": list(part.notes)}
            for where, part in found.slices.items()
        ],
        "notes": list(found.notes),
    }  # fmt: skip


def write_comparison(found: Comparison, format: str, path: str | os.PathLike[str] | None = None) -> str:
    """The comparison in a format, as text; also in a file, if one is named."""
    if format not in _FORMATS:
        raise ValueError(f"a comparison is not written as {format}: use {', '.join(_FORMATS)}")
    if format == "json":
        text = json.dumps(comparison_data(found), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    elif format == "csv":
        text = rows_as_csv(DIFFERENCES, found.all_rows("differences"))
    else:
        text = markdown(comparison_contents(found))
    if path is not None:
        write_file(path, text)
    return text


def save_comparison(found: Comparison, path: str | os.PathLike[str]) -> None:
    """Write the comparison in the format of the file's ending."""
    write_comparison(found, is_written(path), path)


def is_written(path: str | os.PathLike[str]) -> str:
    """The format that a file's ending stands for, if comparisons are written in it."""
    format = format_of(path)
    if format not in _FORMATS:
        raise ValueError(f"a comparison is not written as {format}: name {os.fspath(path)!r} with .md, .json or .csv")
    return format


def comparison_frame(found: Comparison, kind: str = "pandas", rows: str = "differences") -> Any:
    """Tidy rows as a data frame."""
    if rows not in _KINDS:
        raise ValueError(f"rows is {rows!r}: use {', '.join(map(repr, _KINDS))}")
    listed: list[Row] = found.all_rows(rows)
    return as_frame({name: [row[name] for row in listed] for name in _KINDS[rows]}, kind)


def plain_comparison(found: Comparison) -> str:
    """What a comparison prints as."""
    shown = [scores_grid(found), *([differences_grid(found, 30)] if found.differences else [])]
    return "\n\n".join([title(found), *(grid_text(x) for x in shown), *summary_lines(found), *found.notes])
