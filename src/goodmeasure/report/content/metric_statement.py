"""The metric statement: the paragraph of a paper that says what was measured and how (opitz2024, §8)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from goodmeasure import __version__
from goodmeasure.catalogue.literature import OPITZ
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.references import bibliography, bibtex
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.warnings.general import same_truth
from goodmeasure.exceptions import InputError
from goodmeasure.report.content.interval_methods import how
from goodmeasure.report.content.notation import Clause, ClausePiece, definitions, formula_of, parameters
from goodmeasure.report.content.sample_sizes import is_one_item, is_weighted, items_text
from goodmeasure.report.formats import latex, markdown
from goodmeasure.report.formats.latex_text import escaped
from goodmeasure.report.numbers import count_text, interval_text, label_text, level_text, many, share_text, value_text

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

_LISTED = 10  # up to so many classes, each share is given


def statement(result: Result, format: str = "markdown") -> str:
    """Return the paragraph: formulas, n, prevalence, values, interval methods, 0/0 cases, and BibTeX entries."""
    if format not in ("markdown", "latex"):
        raise InputError("{argument} is {got!r}", argument="format", got=format, advice="use 'markdown' or 'latex'")
    words: _Words = _Markdown() if format == "markdown" else _Latex()
    parts = [part for part in result.parts if part.slice is None]
    measured: list[Measure | ScoreMeasure] = [
        *result.settings.measures,
        *(() if result.scored is None else result.scored.measures),
    ]
    sentences = [
        words.text(_data(result, parts)),
        *_notation(result, parts, words),
        words.text(f"We report the following measures{_whose(parts)}:"),
    ]
    text = " ".join(sentences) + "\n\n" + words.items([_measure(f, parts, words) for f in measured])
    closing = [words.text(x) for x in (*_intervals(result, parts), *_spread(result, parts), *_undefined(result, parts))]
    closing.append(words.text("What this statement contains follows Opitz") + words.cite(OPITZ) + words.text("."))
    closing.append(words.text(f"All numbers were computed with goodmeasure {__version__}."))
    cited = [f.cite for f in measured if f.cite in bibliography()]
    return text + "\n\n" + " ".join(closing) + "\n\n" + words.references(list(dict.fromkeys([*cited, OPITZ]))) + "\n"


def _whose(parts: list[SystemScores]) -> str:
    return "" if len(parts) == 1 else f" for each of {len(parts)} systems ({', '.join(part.system for part in parts)})"


def _data(result: Result, parts: list[SystemScores]) -> str:
    matrix = parts[0].matrix
    known = sorted(zip(matrix.labels, matrix.a, strict=True), key=lambda x: -float(x[1]))
    shares = [f"{label_text(label)} {share_text(float(a) / float(matrix.n))}" for label, a in known]
    if len(shares) > _LISTED:
        shares = [*shares[: _LISTED - 1], f"{len(shares) - _LISTED + 1} more, the rarest {shares[-1]}"]
    weighted = f" (weights adding up to {count_text(matrix.n)})" if is_weighted(parts[0]) else ""
    whose = "" if same_truth(parts) else f"of those of {parts[0].system}: "
    dropped = sum(result.counted.dropped.values())
    left = (
        f"; {many(dropped, 'prediction')} without a label {'was' if dropped == 1 else 'were'} left out"
        if dropped
        else ""
    )
    items, classes = items_text(result), many(matrix.m, "class", "classes")
    verb = "is" if is_one_item(result) else "are"
    return f"The evaluation data {verb} {items}{weighted} of {classes} ({whose}{', '.join(shares)}){left}."


def _notation(result: Result, parts: list[SystemScores], words: _Words) -> list[str]:
    """Return the sentence that defines the symbols of all formulas, if there are any."""
    matrix = parts[0].matrix
    formulas = [x for x in map(formula_of, result.settings.measures) if x is not None]
    positive = label_text(matrix.labels[-1])
    clauses = definitions(formulas, matrix.m, positive, weighted=is_weighted(parts[0]))
    pieces = [x for k, clause in enumerate(clauses) for x in (ClausePiece("; " if k else "In the formulas, "), *clause)]
    return [_mixed((*pieces, ClausePiece(".")), words)] if pieces else []


def _mixed(clause: Clause, words: _Words) -> str:
    """Return a clause in the markup: mathematics stays as it is."""
    found = []
    for is_math, pieces in groupby(clause, lambda x: x.is_math):
        text = "".join(x.text for x in pieces)
        found.append(f"${text}$" if is_math else _plain(text, words))
    return "".join(found)


def _plain(text: str, words: _Words) -> str:
    """Return text in the markup, with plain spaces at its ends: the markup would make them non-breaking."""
    inner = text.strip(" ")
    before, after = (" " * text.startswith(" "), " " * text.endswith(" ")) if inner else (text, "")
    return before + (words.text(inner) if inner else "") + after


def _measure(f: Measure | ScoreMeasure, parts: list[SystemScores], words: _Words) -> str:
    source = formula_of(f)
    formula = "" if source is None else words.formula(source)
    if formula and (clause := parameters(f)):
        formula += ", " + _mixed(clause, words)
    values = []
    for part in parts:
        row = next(row for row in part.all_rows if row.label is None and row.measure == f.name)
        interval = interval_text(row.low, row.high)
        shown = value_text(row.value) + (f" ({interval})" if interval else "")
        values.append(shown if len(parts) == 1 else f"{part.system} {shown}")
    cited = words.cite(f.cite) if f.cite in bibliography() else ""
    return f"{words.text(f.title)}{cited}{formula}: {words.text('; '.join(values))}"


def _intervals(result: Result, parts: list[SystemScores]) -> list[str]:
    settings = result.settings
    if settings.confidence is None:
        return ["No intervals are given."]
    what = "groups of items" if any(part.sample.groups is not None for part in parts) else "items"
    level = level_text(settings.confidence)
    none = [_about(parts, system, row) for system, row in _remarks(parts) if row.no_interval is not None]
    lacking = [f"There is no interval for {'; '.join(none)}."] if none else []
    known = [x for part in parts for x in part.score_rows if x.low == x.low]
    if not known and not any(method != "none" for part in parts for method in part.methods.values()):
        return lacking or ["There are no intervals."]
    return [
        f"The ranges in parentheses are confidence intervals at {level} confidence, over the sampling of {what} "
        f"({how(result)}).",
        *lacking,
    ]


def _remarks(parts: list[SystemScores]) -> list[tuple[str, Row]]:
    return [(part.system, row) for part in parts for row in part.all_rows if row.label is None and row.reason]


def _about(parts: list[SystemScores], system: str, row: Row) -> str:
    who = f"{system}, " if len(parts) > 1 else ""
    return f"{who}{row.measure}: {row.reason if row.no_interval is None else row.no_interval}"


def _spread(result: Result, parts: list[SystemScores]) -> list[str]:
    found = []
    for part in parts:
        for f in result.settings.measures:
            name = f.inner.name if f.inner is not None and f.combinator == "macro" else None
            spread = part.spreads.get(name) if name else None
            if spread is not None and spread.classes > 1:
                whose = f" of {part.system}" if len(parts) > 1 else ""
                found.append(f"{name}{whose} {value_text(spread.deviation)}")
    return [f"Standard deviation over classes: {', '.join(found)}."] if found else []


def _undefined(result: Result, parts: list[SystemScores]) -> list[str]:
    rules = {
        "resolve": "Terms that are 0/0 are resolved by the rule of each measure's definition",
        "nan": "A measure with a term that is 0/0 is undefined",
        "raise": "No term may be 0/0",
        "number": f"Terms that are 0/0 are replaced by {result.settings.policy}",
    }
    said = [_about(parts, system, row) for system, row in _remarks(parts) if row.no_interval is None]
    if not said:
        return [f"{rules[result.settings.policy.name]}; none occurred."]
    return [f"{rules[result.settings.policy.name]}: {'; '.join(said)}."]


class _Markdown:
    """The markup of Markdown."""

    def text(self, words: str) -> str:
        return markdown.escaped(words)

    def formula(self, source: str) -> str:
        return f", ${source}$"

    def cite(self, key: str | None) -> str:
        return f" [@{key}]"

    def items(self, lines: list[str]) -> str:
        return "\n".join(f"- {line}" for line in lines)

    def references(self, keys: list[str]) -> str:
        return "```bibtex\n" + "\n\n".join(bibtex(key) for key in keys) + "\n```"


class _Latex:
    """The markup of LaTeX."""

    def text(self, words: str) -> str:
        return escaped(words)

    def formula(self, source: str) -> str:
        return f", ${source}$"

    def cite(self, key: str | None) -> str:
        return f"~\\cite{{{key}}}"

    def items(self, lines: list[str]) -> str:
        body = "\n".join(f"  \\item {line}" for line in lines)
        return f"\\begin{{itemize}}\n{body}\n\\end{{itemize}}"

    def references(self, keys: list[str]) -> str:
        return latex.bibliography_file(keys)


_Words = _Markdown | _Latex
