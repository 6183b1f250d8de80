"""What a report says about raters and preferences."""

from __future__ import annotations

import math

from goodmeasure.evaluation.raters.preferences import Preferences, WinRate
from goodmeasure.evaluation.raters.raters import NAMES, Raters
from goodmeasure.report.document import Block, Document, Finding, Grid, Section, Sentences, TableCell, interval_cell
from goodmeasure.report.numbers import count_text, many, share_text, value_text

_MOST = 40  # rows of a table


def raters_contents(found: Raters) -> Document:
    """Return the whole report of several raters."""
    lines = found.lines()
    names = found.shown
    coefficients = tuple(
        (TableCell(NAMES[name]), TableCell(value_text(found.value(name)), found.value(name)),
         interval_cell(*found.interval(name)), interval_cell(*found.interval(name, raters="sample")))
        for name in names
    )  # fmt: skip
    columns = ("coefficient", "value", "interval", "also over raters")
    first: list[Block] = [Finding(lines[0]), Sentences(tuple(lines[1:])),
                          Grid("Agreement", columns, coefficients, (1, 2, 3))]  # fmt: skip
    sections = [Section("summary", "Summary", tuple(first), opened=True)]
    sections.append(Section("raters", "Rater by rater", (_each(found), _pairs(found)), opened=True))
    about = (many(len(found.names), "rater"), many(len(found.ratings), "item"))
    return Document("How far the raters agree", tuple(sections), about)


def _each(found: Raters) -> Grid:
    rows = tuple(
        (TableCell(x.rater), TableCell(count_text(x.items), x.items), _share(x.with_majority),
         TableCell("–" if math.isnan(x.value) else value_text(x.value), x.value))
        for x in found.without_each()[:_MOST]
    )  # fmt: skip
    columns = ("rater", "items", "says what most others say", "alpha without this rater")
    return Grid("Each rater", columns, rows, (1, 2, 3), left_out=_more(len(found.names)), sortable=True)


def _pairs(found: Raters) -> Grid:
    rows = tuple(
        (TableCell(f"{x.first} and {x.second}"), TableCell(count_text(x.items), x.items), _share(x.agreement),
         TableCell("–" if math.isnan(x.kappa) else value_text(x.kappa), x.kappa))
        for x in found.pairs[:_MOST]
    )  # fmt: skip
    columns = ("raters", "items", "agreement", "Cohen's kappa")
    return Grid("Each two raters", columns, rows, (1, 2, 3), left_out=_more(len(found.pairs)), sortable=True)


def preferences_contents(found: Preferences) -> Document:
    """Return the whole report of preferences."""
    lines, model = found.lines(), found.bradley_terry()
    strengths = tuple(
        (TableCell(x.system), TableCell(f"{x.value:+.2f}", x.value),
         TableCell(f"{x.low:+.2f} to {x.high:+.2f}"), TableCell(count_text(x.comparisons), x.comparisons))
        for x in model.strengths[:_MOST]
    )  # fmt: skip
    first: list[Block] = [Finding(lines[0]), Sentences(tuple(lines[1:]))]
    columns = ("system", "strength", "interval", "comparisons")
    blocks: list[Block] = [
        Grid("Bradley–Terry strengths (log odds against an average system)", columns, strengths, (1, 2, 3),
             left_out=_more(len(model.strengths))),
        _rates(found),
    ]  # fmt: skip
    sections = (
        Section("summary", "Summary", tuple(first), opened=True),
        Section("systems", "Systems", tuple(blocks), opened=True),
    )
    about = (many(len(found.outcome), "comparison"), many(len(found.systems), "system"))
    return Document("What is preferred", sections, about)


def _rates(found: Preferences) -> Grid:
    shown = [(f"{x.first} against {x.second}", x) for x in found.win_rates[:_MOST]]
    rows = tuple(_rate(name, x) for name, x in [*shown, ("left against right", found.position)])
    columns = ("", "win rate", "interval", "wins", "ties", "losses", "p")
    return Grid("Win rates, where a tie is half a win", columns, rows, (1, 2, 3, 4, 5, 6),
                left_out=_more(len(found.win_rates)))  # fmt: skip


def _rate(name: str, x: WinRate) -> tuple[TableCell, ...]:
    numbers = (TableCell(count_text(n), n) for n in (x.wins, x.ties, x.losses))
    return TableCell(name), _share(x.value), interval_cell(x.low, x.high), *numbers, TableCell(f"{x.p:.2g}", x.p)


def _share(x: float) -> TableCell:
    return TableCell("–" if math.isnan(x) else share_text(x), x)


def _more(number: int) -> str:
    return f"and {many(number - _MOST, 'more row')}" if number > _MOST else ""
