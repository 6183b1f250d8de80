"""A document as text: what does not fit is named, sentences are wrapped, and nothing steers the terminal."""

from __future__ import annotations

import numpy as np
import pytest

from goodmeasure.report.document import Document, Grid, MatrixBlock, Section, Sentences, TableCell
from goodmeasure.report.formats.terminal import document_text, fitting

WIDE = Grid(
    "Values", ("measure", "in the report", "B"),
    ((TableCell("mcc"), TableCell("0.500", 0.5, 0.4, 0.6), TableCell("0.400", 0.4, 0.3, 0.5)),), (1, 2),
)  # fmt: skip


def text(*blocks, columns=80, **options):
    return document_text(Document("", (Section("x", "", blocks),)), columns, "elsewhere", **options)


def test_intervals_go_first_and_columns_then():
    assert fitting(WIDE, 80) == (WIDE, [])
    bare, missing = fitting(WIDE, 40)
    assert [cell.words for cell in bare.rows[0]] == ["mcc", "0.500", "0.400"]
    assert missing == ["the intervals"]
    assert fitting(WIDE, 30)[1] == ["the intervals"]  # since the heading is broken between words
    assert fitting(WIDE, 22)[1] == ["the intervals", "B"]


def test_columns_that_matter_more_than_intervals_keep_theirs():
    kept, missing = fitting(Grid(WIDE.caption, WIDE.columns, WIDE.rows, WIDE.numbers, keep=2), 44)
    assert [cell.words for cell in kept.rows[0]] == ["mcc", "0.500 (0.400 to 0.600)", "0.400"]
    assert missing == ["the intervals of B"]
    kept, missing = fitting(Grid(WIDE.caption, WIDE.columns, WIDE.rows, WIDE.numbers, keep=2), 40)
    assert [cell.words for cell in kept.rows[0]] == ["mcc", "0.500 (0.400 to 0.600)"]
    assert missing == ["B"]


def test_the_caption_promises_no_intervals_where_there_is_no_room_for_them():
    grid = Grid("Values, with intervals", WIDE.columns, WIDE.rows, WIDE.numbers, bare="Values only")
    assert text(grid).startswith("Values, with intervals:")
    assert text(grid, columns=40).startswith("Values only:")


def test_a_matrix_that_does_not_fit_makes_room_for_its_largest_confusions():
    listed = Grid("The largest confusions", ("true class", "items"), ((TableCell("a"), TableCell("3")),), (1,))
    names = tuple(f"class {k}" for k in range(4))
    block = MatrixBlock("Confusion matrix", names, np.arange(16).reshape(4, 4), otherwise=listed)
    assert "Confusion matrix:" in text(block, columns=80)
    assert text(block, columns=30).startswith("The largest confusions:")


def test_what_does_not_fit_is_named_as_it_is():
    """A name that reads like our own words stays as it is."""
    narrow = Grid(
        "", ("measure", "A" * 20, "in the-long-report"), ((TableCell("mcc"), TableCell("0.5"), TableCell("0.6")),)
    )
    assert "… in the-long-report: elsewhere, or on a wider terminal" in " ".join(text(narrow, columns=35).split())


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_sentences_are_wrapped_between_words(columns):
    line = "A sentence that goes on for much longer than any terminal is wide, " * 3
    shown = text(Sentences((line,), warning=True), columns=columns)
    assert max(map(len, shown.splitlines())) <= columns
    assert " ".join(shown.split()) == f"Warning: {line.strip()}"
    assert text(Sentences((line,)), columns=columns, wrapped=False) == line


def test_each_warning_says_so_and_a_hint_does_not():
    shown = text(Sentences(("one", "… two"), warning=True, more=("and 3 more",)))
    assert shown.splitlines() == ["Warning: one", "Warning: … two", "… and 3 more"]
    styled = text(Sentences(("one",), warning=True), styled=True)
    assert styled == "\x1b[1;33mWarning: \x1b[0mone"


def test_names_cannot_steer_the_terminal():
    grid = Grid("a\x1b[2J", ("x\x1b[2J",), ((TableCell("\x1b[2J"),),), left_out="\x1b[2J")
    assert "\x1b" not in text(grid, Sentences(("\x1b[2J",), warning=True))


def test_a_name_that_reads_like_an_interval_is_shown_whole():
    """Only the interval of a value makes room, not what stands in brackets in a name."""
    name = "grades (1 to 5)"
    grid = Grid("Values", ("system", "mcc"), ((TableCell(name), TableCell("0.500", 0.5, 0.4, 0.6)),), (1,))
    bare, missing = fitting(grid, 30)
    assert [cell.words for cell in bare.rows[0]] == [name, "0.500"]
    assert missing == ["the intervals"]
