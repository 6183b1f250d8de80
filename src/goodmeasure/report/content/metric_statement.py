"""The statement for a paper: what was found, by which test, and what was measured and how (opitz2024, §8)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from goodmeasure import __version__
from goodmeasure.catalogue.affine import distinct
from goodmeasure.catalogue.display_names import names_text, sentence_name
from goodmeasure.catalogue.measure import LOWER, Measure
from goodmeasure.catalogue.references import bibliography, bibtex, reference
from goodmeasure.comparison.comparison import Comparison
from goodmeasure.comparison.permutation import IDENTICAL
from goodmeasure.comparison.settings import EVERYTHING
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.number_words import p_is
from goodmeasure.evaluation.provenance import Provenance
from goodmeasure.evaluation.result import Result
from goodmeasure.evaluation.scoring import SystemScores
from goodmeasure.evaluation.table import Row
from goodmeasure.evaluation.warnings.general import same_truth
from goodmeasure.exceptions import InputError
from goodmeasure.language.print.unicode_formulas import plain_text
from goodmeasure.paper_names import OPITZ
from goodmeasure.report.content.interval_methods import how
from goodmeasure.report.content.main_finding import UNNAMED, lead_of, lead_of_comparison, measures_of
from goodmeasure.report.content.notation import Clause, ClausePiece, definitions, formula_of, parameters
from goodmeasure.report.content.sample_sizes import is_one_item, is_weighted, items_text
from goodmeasure.report.content.short_screen import shown_measures
from goodmeasure.report.content.significance import differ, p_of
from goodmeasure.report.formats import latex, markdown
from goodmeasure.report.formats.latex_text import escaped
from goodmeasure.report.numbers import count_text, interval_text, label_text, level_text, many, share_text, value_text

if TYPE_CHECKING:
    from goodmeasure.catalogue.scores.measure import ScoreMeasure

_ALL = 4  # measures that are all shown
_FEW = 3  # otherwise so many
_TOLD = 3  # systems that a sentence names
_TESTS = {
    "permutation": "a paired permutation test",
    "permutation (studentised)": "a studentised paired permutation test",
    "mid-p McNemar": "McNemar's mid-p test",
    "exact McNemar": "McNemar's exact test",
    "DeLong": "the test of DeLong, DeLong and Clarke-Pearson",
    "influences": "a paired z-test of the influence of each item",
    "bootstrap": "a paired bootstrap test",
    "normal": "a paired z-test of the influence of each item",
}  # how a sentence calls the tests of a comparison
_LISTED = 10  # up to so many classes, each share is given


def statement(result: Result, format: str = "markdown") -> str:
    """Return two to four sentences for the results of a paper, and the definitions of the measures in them."""
    words = _words(format)
    parts = [part for part in result.parts if part.slice is None]
    shown = _shown(result)
    found = result.comparison
    tested = [] if found is None else difference_sentences(found, lead_of_comparison(found))
    reached = {x.system: [(f, _values_of(_row(x, f))) for f in shown] for x in parts}
    first = [_data(result, parts), *(tested or _values(reached, result.settings.confidence))]
    sentences = [
        words.text("Definitions:"),
        *_notation(result, shown, parts, words),
        words.text(f"We report the following measures{_whose(parts)}:"),
    ]
    closing = [*_intervals(result, parts), *_spread(shown, parts), *_undefined(result, parts, shown)]
    lines = [_measure(f, words, [(part.system, _row(part, f)) for part in parts]) for f in shown]
    return _joined(words, first, sentences, lines, closing, shown)


def comparison_statement(found: Comparison, format: str = "markdown") -> str:
    """Return two to four sentences about a comparison for the results of a paper, and the definitions."""
    words, f = _words(format), lead_of_comparison(found)
    matrix = next(iter(found.matrices.values()))
    shares = [
        f"{label_text(x)} {share_text(float(a) / float(matrix.n))}"
        for x, a in zip(matrix.labels, matrix.a, strict=True)
    ]
    about = f" ({', '.join(shares)})" if len(shares) <= _LISTED else ""
    of_classes = "" if found.source.of_outcomes else f" of {many(matrix.m, 'class', 'classes')}{about}"
    size = f"{many(found.items, 'item')}{of_classes}{_facts(found.source)}"
    shown = [] if f is None else [f]
    scores = {x: [(g, found.score(x, g.name)) for g in shown] for x in found.systems}
    reached = {
        x: [(g, ValueWithInterval(row["value"], row["low"], row["high"])) for g, row in rows]
        for x, rows in scores.items()
    }
    several = len(found.systems) > 1
    first = [f"We compared {len(found.systems)} systems on the same {size}." if several else f"The data are {size}."]
    first += difference_sentences(found, f) or _values(reached, found.settings.confidence)
    sentences = [words.text("Definitions:"), *_notation_of(shown, matrix, words, weighted=False)]
    lines = [_measure(g, words, [(x, dict(reached[x])[g]) for x in found.systems]) for g in shown]
    return _joined(words, first, sentences, lines, [], shown)


class ValueWithInterval(NamedTuple):
    """A value and the ends of its interval."""

    value: float
    low: float
    high: float


def _values_of(row: Row) -> ValueWithInterval:
    return ValueWithInterval(row.value, row.low, row.high)


def difference_sentences(found: Comparison, f: Measure | ScoreMeasure | None) -> list[str]:
    """Return how far the best system is ahead of the others, and by which test; empty if nothing was tested."""
    if f is None or len(found.systems) < 2:
        return []
    best, name = found.leaders[f.name][0], sentence_name(f)
    others = sorted((x for x in found.systems if x != best), key=lambda x: found.ranks[f.name][x] or math.inf)
    rows = {x: found.difference(best, x, f.name) for x in others if not math.isnan(p_of(found, best, x, f.name))}
    if not rows:
        return []
    level = level_text(found.settings.confidence)
    row = found.score(best, f.name)
    better = "was significantly below" if f.orientation == LOWER else "significantly exceeded"
    by_verb: dict[str, list[str]] = {}
    for other, difference in list(rows.items())[:_TOLD]:
        if difference["method"] == IDENTICAL:
            by_verb.setdefault("was also", []).append(f"that of {other}, which made the same predictions")
            continue
        verb = better if differ(found, best, other, f.name) else "did not differ significantly from"
        theirs = found.score(other, f.name)
        by_verb.setdefault(verb, []).append(
            f"that of {other} ({value_text(theirs['value'])} {_ends(theirs['low'], theirs['high'])}; difference "
            f"{value_text(difference['difference'])} {_ends(difference['low'], difference['high'])}, "
            f"p {p_is(difference['p_family'])})"
        )
    said = [f"{verb} {names_text(whom)}" for verb, whom in by_verb.items()]
    tests = dict.fromkeys(_TESTS.get(x["method"], x["method"]) for x in rows.values() if x["method"] != IDENTICAL)
    rest = f" The other {len(rows) - _TOLD} systems rank behind these." if len(rows) > _TOLD else ""
    value = f"{value_text(row['value'])}, {level} confidence interval {_ends(row['low'], row['high'])}"
    groups = found.samples[best].groups
    grouped = "" if groups is None else f" in {many(groups.size, 'group')}"
    said = [f"The {name} of {best} ({value}) {' and '.join(said)}.{rest}"]
    if tests:
        on = f"the same n = {found.items:,} items{grouped}{_corrected(found)}"
        said.append(f"p-values are from {names_text(list(tests))} on {on}.")
    return said


def _corrected(found: Comparison) -> str:
    """Return over what the p-values were corrected, as the end of a sentence."""
    known, joint = [("systems", len(found.systems) > 2)], found.settings.jointly
    if joint or found.settings.correct == EVERYTHING:
        known += [("measures", len(found.measures) > 1), ("slices", bool(found.slices))]
    over = [name for name, several in known if several]
    over = ["the pairs of systems" if x == "systems" else f"the {x}" for x in over]
    if not over:
        return ""
    if not joint:
        return f", with Holm's correction over {names_text(over)}"
    sharper = ", which rejects more than Holm's correction" if len(found.systems) > 2 else ""
    return f", corrected jointly over {names_text(over)} (max-T{sharper})"


def _ends(low: float, high: float) -> str:
    return f"[{value_text(low)}, {value_text(high)}]" if not math.isnan(low) else "no interval"


def _values(
    values: Mapping[str, Sequence[tuple[Measure | ScoreMeasure, ValueWithInterval]]], level: float | None
) -> list[str]:
    """Return the values of systems that were not compared, as a sentence; undefined ones are left out."""
    found: list[str] = []
    interval = "" if level is None else f", {level_text(level)} confidence interval"
    for system, rows in list(values.items())[:_TOLD]:
        said: list[str] = []
        for f, row in rows:
            if math.isnan(row.value):
                continue
            ends = "" if math.isnan(row.low) else f"{interval} {_ends(row.low, row.high)}"
            interval = "" if ends else interval
            said.append(f"{sentence_name(f)} {value_text(row.value)}{ends}")
        if said:
            found.append(f"{'the classifier' if system in UNNAMED else system} reached {names_text(said)}")
    text = "; ".join(found)
    return [f"{text[:1].upper() if text.startswith('the classifier') else text[:1]}{text[1:]}."] if found else []


def _row(part: SystemScores, f: Measure | ScoreMeasure) -> Row:
    return next(row for row in part.all_rows if row.label is None and row.measure == f.name)


def _shown(result: Result) -> list[Measure | ScoreMeasure]:
    """Return the measures of the statement: all where they are few, else the leading one and the most familiar."""
    every = list(measures_of(result))
    if len(every) <= _ALL:
        return every
    lead = lead_of(result)
    first = [] if lead is None else [lead]
    return distinct([*first, *shown_measures(result)], result.part().matrix.m)[:_FEW]


def _joined(
    words: _Words, first: list[str], sentences: list[str], lines: list[str], closing: list[str],
    shown: list[Measure | ScoreMeasure],
) -> str:  # fmt: skip
    text = " ".join(words.text(x) for x in first) + "\n\n" + " ".join(sentences) + "\n\n" + words.items(lines)
    ending = [words.text(x) for x in closing]
    ending.append(words.text("What this statement contains follows Opitz") + words.cite(OPITZ) + words.text("."))
    ending.append(words.text(f"All numbers were computed with goodmeasure {__version__}."))
    cited = [f.cite for f in shown if f.cite in bibliography()]
    return text + "\n\n" + " ".join(ending) + "\n\n" + words.references(list(dict.fromkeys([*cited, OPITZ]))) + "\n"


def _words(format: str) -> _Words:
    known: dict[str, type[_Words]] = {"text": _Text, "markdown": _Markdown, "latex": _Latex}
    if not isinstance(format, str) or format not in known:
        raise InputError(
            "{argument} is {got!r}", argument="format", got=format, advice="use 'text', 'markdown' or 'latex'"
        )
    return known[format]()


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
    what = ("outcome", "a value") if result.source.of_outcomes else ("prediction", "a label")
    left = (
        f"; {many(dropped, what[0])} without {what[1]} {'was' if dropped == 1 else 'were'} left out" if dropped else ""
    )
    items, classes = items_text(result), many(matrix.m, "class", "classes")
    verb = "is" if is_one_item(result) else "are"
    of_classes = "" if result.source.of_outcomes else f" of {classes} ({whose}{', '.join(shares)})"
    return f"The evaluation data {verb} {items}{weighted}{of_classes}{_facts(result.source)}{left}."


def _facts(source: Provenance) -> str:
    """Return what is known about outcomes, as the end of a clause."""
    return f" ({'; '.join(text for _, text in source.facts)})" if source.facts else ""


def _notation(
    _result: Result, shown: list[Measure | ScoreMeasure], parts: list[SystemScores], words: _Words
) -> list[str]:
    """Return the sentence that defines the symbols of all formulas, if there are any."""
    return _notation_of(shown, parts[0].matrix, words, weighted=is_weighted(parts[0]))


def _notation_of(
    shown: Sequence[Measure | ScoreMeasure], matrix: ConfusionMatrix, words: _Words, *, weighted: bool
) -> list[str]:
    formulas = [
        x for f in shown if (x := formula_of(f)) is not None
        and (isinstance(f, Measure) or matrix.m == 2 or r"\mathrm{TP}" not in x)  # of one class against the rest
    ]  # fmt: skip
    clauses = definitions(formulas, matrix.m, label_text(matrix.labels[-1]), weighted=weighted)
    pieces = [x for k, clause in enumerate(clauses) for x in (ClausePiece("; " if k else "In the formulas, "), *clause)]
    return [_mixed((*pieces, ClausePiece(".")), words)] if pieces else []


def _mixed(clause: Clause, words: _Words) -> str:
    """Return a clause in the markup: mathematics stays as it is."""
    found = []
    for is_math, pieces in groupby(clause, lambda x: x.is_math):
        text = "".join(x.text for x in pieces)
        found.append(words.math(text) if is_math else _plain(text, words))
    return "".join(found)


def _plain(text: str, words: _Words) -> str:
    """Return text in the markup, with plain spaces at its ends: the markup would make them non-breaking."""
    inner = text.strip(" ")
    before, after = (" " * text.startswith(" "), " " * text.endswith(" ")) if inner else (text, "")
    return before + (words.text(inner) if inner else "") + after


def _measure(f: Measure | ScoreMeasure, words: _Words, rows: Sequence[tuple[str, Row | ValueWithInterval]]) -> str:
    source = formula_of(f)
    formula = "" if source is None else f", {words.math(source)}"
    if formula and (clause := parameters(f)):
        formula += ", " + _mixed(clause, words)
    values = []
    for system, row in rows:
        interval = interval_text(row.low, row.high)
        shown = value_text(row.value) + (f" ({interval})" if interval else "")
        values.append(shown if len(rows) == 1 else f"{system} {shown}")
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
        f"Ranges are confidence intervals at {level} confidence, over the sampling of {what} ({how(result)}).",
        *lacking,
    ]


def _remarks(parts: list[SystemScores]) -> list[tuple[str, Row]]:
    return [(part.system, row) for part in parts for row in part.all_rows if row.label is None and row.reason]


def _about(parts: list[SystemScores], system: str, row: Row) -> str:
    who = f"{system}, " if len(parts) > 1 else ""
    return f"{who}{row.measure}: {row.reason if row.no_interval is None else row.no_interval}"


def _spread(shown: Sequence[Measure | ScoreMeasure], parts: list[SystemScores]) -> list[str]:
    found = []
    for part in parts:
        for f in (x for x in shown if isinstance(x, Measure)):
            name = f.inner.name if f.inner is not None and f.combinator == "macro" else None
            spread = part.spreads.get(name) if name else None
            if spread is not None and spread.classes > 1:
                whose = f" of {part.system}" if len(parts) > 1 else ""
                found.append(f"{name}{whose} {value_text(spread.deviation)}")
    return [f"Standard deviation over classes: {', '.join(found)}."] if found else []


def _undefined(result: Result, parts: list[SystemScores], measures: Sequence[Measure | ScoreMeasure]) -> list[str]:
    rules = {
        "resolve": "Terms that are 0/0 are resolved by the rule of each measure's definition",
        "nan": "A measure with a term that is 0/0 is undefined",
        "raise": "No term may be 0/0",
        "number": f"Terms that are 0/0 are replaced by {result.settings.policy}",
    }
    names = {f.name for f in measures}
    remarks = [(system, row) for system, row in _remarks(parts) if row.measure in names]
    said = [_about(parts, system, row) for system, row in remarks if row.no_interval is None]
    if not said:
        return [f"{rules[result.settings.policy.name]}; none occurred."]
    return [f"{rules[result.settings.policy.name]}: {'; '.join(said)}."]


class _Text:
    """Plain text."""

    def text(self, words: str) -> str:
        return words

    def math(self, source: str) -> str:
        return plain_text(source)

    def cite(self, key: str | None) -> str:
        entry = bibliography().get(key or "", {})
        family = entry.get("author", key or "").split(" and ")[0].split(",")[0].replace("{", "").replace("}", "")
        return f" ({family} {entry.get('year', '')})"

    def items(self, lines: list[str]) -> str:
        return "\n".join(f"- {line}" for line in lines)

    def references(self, keys: list[str]) -> str:
        return "\n".join(reference(key) for key in keys)


class _Markdown:
    """The markup of Markdown."""

    def text(self, words: str) -> str:
        return markdown.escaped(words)

    def math(self, source: str) -> str:
        return f"${source}$"

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

    def math(self, source: str) -> str:
        return f"${source}$"

    def cite(self, key: str | None) -> str:
        return f"~\\cite{{{key}}}"

    def items(self, lines: list[str]) -> str:
        body = "\n".join(f"  \\item {line}" for line in lines)
        return f"\\begin{{itemize}}\n{body}\n\\end{{itemize}}"

    def references(self, keys: list[str]) -> str:
        return latex.bibliography_file(keys)


_Words = _Text | _Markdown | _Latex
