"""What notebooks show of objects that have no report: measures, tables, matrices, verdicts, recommendations."""

from __future__ import annotations

from functools import singledispatch

from goodmeasure.catalogue.display_names import display_name, display_of, inside, names_text
from goodmeasure.catalogue.measure import Measure
from goodmeasure.catalogue.scores.measure import ScoreMeasure
from goodmeasure.counts.matrix import ConfusionMatrix
from goodmeasure.evaluation.multilabel import Multilabel
from goodmeasure.evaluation.table import Table
from goodmeasure.exceptions import InputTypeError
from goodmeasure.language.policy import RESOLVE
from goodmeasure.recommendation.recommendation import Advice, Recommendation
from goodmeasure.report.content.confusion_tables import MOST_AS_TABLE, largest, matrix_block
from goodmeasure.report.content.definitions import definitions_of
from goodmeasure.report.document import FIRST, Block, Document, Facts, Grid, Section, Sentences, TableCell
from goodmeasure.report.document import Finding as Said
from goodmeasure.report.formats.html import fragment
from goodmeasure.report.numbers import count_text, label_text, many, share_text
from goodmeasure.theory.atlas.atlas import Atlas
from goodmeasure.theory.statements.lookup import statement
from goodmeasure.theory.statements.verdict import LEGEND, SIGNS, Report, Verdict, classes_text, known

_MOST_ROWS = 400  # rows shown of a table, of which the atlas has thousands
_ADVICE = 10  # measures that a recommendation shows


def view(shown: object) -> str:
    """Return the HTML that a notebook shows."""
    return fragment(document_of(shown))


@singledispatch
def document_of(shown: object) -> Document:
    """Return an object as a document."""
    raise InputTypeError("there is no view of a {kind}", kind=type(shown).__name__)


def _document(title: str, blocks: list[Block], *sections: Section, about: tuple[str, ...] = ()) -> Document:
    return Document(title, (Section(FIRST, "", tuple(blocks)), *sections), about)


@document_of.register(Measure)
@document_of.register(ScoreMeasure)
def _of_measure(measure: Measure | ScoreMeasure) -> Document:
    return _document("", [definitions_of([measure], None, RESOLVE)])


@document_of.register
def _of_table(table: Table) -> Document:
    columns, *lines = table._texts(_MOST_ROWS)
    numbers = tuple(k for k, name in enumerate(columns) if name in ("value", "low", "high", "chance"))
    rows = tuple(tuple(map(TableCell, line)) for line in lines)
    more = len(table) - len(rows)
    cut = f"and {more:,} more rows: where() chooses" if more > 0 else ""
    return _document("", [Grid(many(len(table), "row"), tuple(columns), rows, numbers, left_out=cut)])


@document_of.register
def _of_matrix(matrix: ConfusionMatrix) -> Document:
    if not matrix.is_sparse and matrix.counts.ndim > 2:
        shape = " × ".join(map(str, matrix.counts.shape[:-2]))
        classes = many(matrix.m, "class", "classes")
        return _document("", [Sentences((f"A batch of {shape} confusion matrices of {classes}.",))])
    about = (f"{count_text(matrix.n)} items", many(matrix.m, "class", "classes"))
    if matrix.m <= MOST_AS_TABLE:
        return _document("Confusion matrix", [matrix_block(matrix, "Confusion matrix")], about=about)
    rows, cols, values = largest(matrix)
    lines = tuple(
        (
            TableCell(label_text(matrix.labels[i])),
            TableCell(label_text(matrix.labels[j])),
            TableCell(count_text(x), float(x)),
            TableCell(share_text(float(x) / float(matrix.a[i])), float(x) / float(matrix.a[i])),
        )
        for i, j, x in zip(rows, cols, values, strict=True)
    )
    columns = ("true class", "predicted as", "items", "share of the true class")
    return _document("Confusion matrix", [Grid("The largest confusions", columns, lines, (2, 3))], about=about)


@document_of.register
def _of_multilabel(data: Multilabel) -> Document:
    rows = tuple(
        (
            TableCell(label_text(label)),
            *(TableCell(count_text(x), float(x)) for x in (tp + fn, tp + fp, tp, fp, fn)),
            *(_share(tp, tp + x) for x in (fn, fp)),
        )
        for label, ((_, fp), (fn, tp)) in zip(data.labels, data.counts.tolist(), strict=True)
    )
    names = ("true positives", "false positives", "false negatives", "recall", "precision")
    columns = ("label", "true", "predicted", *names)
    grid = Grid("How often each label is given and predicted", columns, rows, tuple(range(1, len(columns))))
    about = (many(len(data.labels), "label"), f"{count_text(data.items.sum())} items")
    return _document("Multilabel data", [grid], about=about)


def _share(part: float, whole: float) -> TableCell:
    return TableCell(share_text(part / whole), part / whole) if whole else TableCell("–")


@document_of.register
def _of_report(report: Report) -> Document:
    if not report:
        return _document("", [Sentences(("No property was checked.",))])
    first = next(iter(report.values()))
    rows = tuple(
        (TableCell(_title(x)), TableCell(x.sign), TableCell(known(x)), TableCell(statement(x.statement).sentence))
        for x in report.values()
    )
    grid = Grid(_legend(), ("property", "verdict", "what is known", "it says"), rows)
    about = (classes_text(first.classes), f"domain {first.domain!r}", f"undefined={first.undefined!r}")
    return _document(f"Properties of {inside(display_of(first.measure))}", [grid], about=about)


def _title(verdict: Verdict) -> str:
    text = statement(verdict.statement).title
    return f"{text[:1].upper()}{text[1:]}"


def _legend() -> str:
    return ", ".join(f"{SIGNS[status]} {words}" for status, words in LEGEND.items())


@document_of.register
def _of_verdict(verdict: Verdict) -> Document:
    name = inside(display_of(verdict.measure))
    facts = [("says", statement(verdict.statement).sentence), ("for", f"{classes_text(verdict.classes)}, domain "
             f"{verdict.domain!r}, undefined={verdict.undefined!r}")]  # fmt: skip
    facts += [("known", known(verdict))] if known(verdict) else []
    facts += [("method", verdict.method)] if verdict.method else []
    return _document("", [Said(f"{_title(verdict)} of {name}: {verdict.finding}."), Facts(tuple(facts))])


@document_of.register
def _of_atlas(atlas: Atlas) -> Document:
    columns, rows = atlas.table()
    shown = tuple(tuple(map(TableCell, row)) for row in rows[:_MOST_ROWS])
    more = len(rows) - len(shown)
    cut = f"and {more:,} more rows: filter() chooses" if more > 0 else ""
    grid = Grid(_legend(), tuple(columns), shown, left_out=cut)
    counts = ", ".join(f"{number:,} {status}" for status, number in atlas.counts.items() if number)
    return _document("Atlas of measures and properties", [grid], about=(counts,))


@document_of.register
def _of_recommendation(found: Recommendation) -> Document:
    best = [display_of(x) for x in found.measures[:5]]
    others = [inside(x) for x in best[1:]]
    also = f"; {names_text(others)} would do, too" if others else ""
    said = f"{best[0]} suits this task best{also}." if best else "No measure of the catalogue meets all requirements."
    needs = tuple((x.because, x.text) for x in found.required)
    lines = tuple(x.strip() for x in found.head() if x and not best) or tuple(map(found.why_not, found.expected))
    blocks: list[Block] = [
        Said(said),
        *([Facts(needs)] if needs and best else []),
        *([Sentences(lines)] if lines else []),
    ]
    blocks += [Sentences(found.remarks)] if found.remarks and best else []
    return _document("Recommendation", blocks, *(_advice(x, k) for k, x in enumerate(found.ranked[:_ADVICE])))


def _advice(x: Advice, k: int) -> Section:
    suits = "meets all requirements" if x.suits else "lacks a required property"
    title = f"{k + 1}. {display_name(x.measure)}"
    return Section(f"advice{k}", title, (Facts(tuple(x.facts())),), gist=f"{x.name}: {suits}")
