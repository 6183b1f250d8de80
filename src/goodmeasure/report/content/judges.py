"""What a report says about a judge: how right it is, how it is biased, and how many human labels it is worth."""

from __future__ import annotations

from goodmeasure.catalogue.display_names import display_names
from goodmeasure.evaluation.judges.judge import Judge
from goodmeasure.evaluation.result import Result
from goodmeasure.report.content.confusion_tables import matrix_block
from goodmeasure.report.content.scorecard import scorecard
from goodmeasure.report.document import Block, Document, Finding, Grid, Section, Sentences, TableCell
from goodmeasure.report.numbers import count_text, label_text, many, share_text, value_text

_POWERED = (
    "Values and intervals combine the human labels with the judge's labels of all items: prediction-powered inference. "
    "The confusion matrix, chance levels and what is derived from them are those of the human labels."
)
_MOST_BIASES = 40


def worth_lines(result: Result) -> list[str]:
    """Return how many human labels the judge is worth, and how right it is, in sentences."""
    judge = result.judge
    return [] if judge is None else [*judge.worth_lines(), judge.lines()[0]]


def judge_sections(result: Result) -> list[Section]:
    """Return the section on the judge of an evaluation, if there was one."""
    judge = result.judge
    if judge is None:
        return []
    blocks: list[Block] = [Sentences((_POWERED, *judge.lines())), added_grid(result), *judge_blocks(judge)]
    return [Section("judge", "The judge", tuple(blocks), gist=" ".join(judge.worth_lines()))]


def added_grid(result: Result) -> Grid:
    """Return what the judge adds to each measure: the values with and without it, and the human labels it is worth."""
    parts = [x for x in result.parts if x.slice is None]
    shown = display_names(result.settings.measures)
    rows = []
    for part in parts:
        for f, score, added in zip(result.settings.measures, part.scores, part.powered, strict=True):
            alone, both = (
                TableCell(value_text(value), value, x.low, x.high)
                for value, x in ((added.human_value, added.human), (score.value, score.interval))
            )
            worth = TableCell(count_text(round(added.worth)) if added.worth < 1e9 else "–", added.worth)
            named = (TableCell(part.system),) if len(parts) > 1 else ()
            rows.append(
                (*named, TableCell(shown[f.name]), alone, both, TableCell(f"{added.share:.2f}", added.share), worth)
            )
    whose = ("system",) if len(parts) > 1 else ()
    columns = (*whose, "measure", "human labels alone", "with the judge", "λ", "human labels it is worth")
    first = len(columns) - 4
    return Grid("What the judge adds", columns, tuple(rows), tuple(range(first, len(columns))), sortable=len(parts) > 1)


def judge_contents(judge: Judge) -> Document:
    """Return the whole report of a judge."""
    lines, known = judge.lines(), int(judge.known.sum())
    about = (f"{many(known, 'item')} with a human label", f"{many(len(judge.human) - known, 'item')} without")
    first: list[Block] = [Finding(lines[0]), *([Sentences(tuple(lines[1:]))] if lines[1:] else [])]
    sections = [
        Section("summary", "Summary", tuple(first), opened=True),
        Section("agreement", "Agreement with humans", (scorecard(judge.result),), opened=True),
        Section("judge", "Bias", tuple(judge_blocks(judge)), opened=True),
    ]
    return Document("How right the judge is", tuple(sections), about)


def judge_blocks(judge: Judge) -> list[Block]:
    """Return the confusion matrix of a judge, its biases, and where it differs most."""
    blocks: list[Block] = [matrix_block(judge.matrix(), "Rows: humans, columns: the judge")]
    if judge.bias:
        blocks.append(bias_grid(judge))
    if len(judge.confusions) > 1:
        rows = tuple(
            (TableCell(label_text(x.human)), TableCell(label_text(x.judge)), TableCell(count_text(x.items), x.items),
             TableCell(share_text(x.share), x.share))
            for x in judge.confusions[:10]
        )  # fmt: skip
        more = len(judge.confusions) - len(rows)
        left = f"and {many(more, 'rarer difference')}" if more > 0 else ""
        columns = ("humans say", "the judge says", "items", "of those humans say so")
        blocks.append(Grid("Where they differ most", columns, rows, (2, 3), left_out=left))
    return blocks


def bias_grid(judge: Judge) -> Grid:
    """Return how much more often the judge says each class than humans, on all items and by slice."""
    rows = tuple(
        (
            TableCell("all items" if x.slice is None else label_text(x.slice)), TableCell(label_text(x.label)),
            TableCell(count_text(x.items), x.items), TableCell(share_text(x.human), x.human),
            TableCell(share_text(x.judge), x.judge), TableCell(f"{100 * x.difference:+.1f} points", x.difference),
            TableCell(f"{100 * x.low:+.1f} to {100 * x.high:+.1f}"),
        )
        for x in judge.bias[:_MOST_BIASES]
    )  # fmt: skip
    more = len(judge.bias) - len(rows)
    return Grid(
        "How often each class is said", ("slice", "class", "items", "humans", "judge", "difference", "interval"), rows,
        (2, 3, 4, 5, 6), left_out=f"and {many(more, 'more row')}" if more > 0 else "", sortable=True,
    )  # fmt: skip
