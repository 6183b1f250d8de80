"""Every format that is written is read back by another reader, with the most awkward labels, systems and slices."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pandas
import pytest
from markdown_it import MarkdownIt

import goodmeasure as gm
from goodmeasure.evaluation.table import COLUMNS
from goodmeasure.report.formats.junit import junit
from goodmeasure.report.formats.latex_text import escaped
from goodmeasure.report.formats.tabular import _is_formula
from goodmeasure.report.visible_text import NO_BREAK, spaced, visible
from tests.hostile_strings import HOSTILE

FORMULA = re.compile(r"^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]")


def of_labels():
    """Every string is a class."""
    true = [*HOSTILE, *HOSTILE]
    return gm.evaluate(true, [*HOSTILE, *HOSTILE[1:], HOSTILE[0]], measures=["accuracy"], classwise=["recall"])


def of_systems():
    """Every string is the name of a system."""
    true = np.array([0, 1, 1, 0, 1, 0])
    return gm.evaluate(true, {name: np.roll(true, k % 3) for k, name in enumerate(HOSTILE)}, measures=["accuracy"])


def of_slices():
    """Every string is a value by which items are sliced."""
    frame = pandas.DataFrame(
        {"t": [0, 1] * len(HOSTILE), "p": [0, 1, 1, 0] * (len(HOSTILE) // 2) + [0, 1][: 2 * (len(HOSTILE) % 2)]}
    )
    frame["place"] = np.repeat(np.array(HOSTILE, object), 2)
    return gm.evaluate(
        frame, y_true="t", y_pred="p", by="place", measures=["accuracy"], confidence=None, classwise=False
    )


KINDS = {"class": of_labels, "system": of_systems, "slice": of_slices}


@pytest.fixture(scope="module", params=KINDS)
def written(request):
    """A result, and the column of its table that holds the strings."""
    return KINDS[request.param](), request.param


def unguarded(cell: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheets from computing it."""
    return cell[1:] if cell.startswith("'") and _is_formula(cell[1:]) else cell


def test_csv_is_read_back_cell_by_cell(written):
    result, column = written
    text = result.to_csv()
    expected = [
        ["" if row[x] is None else str(row[x]) for x in COLUMNS if not isinstance(row[x], float)]
        for row in result.table
    ]
    read = list(csv.reader(io.StringIO(text, newline="")))
    assert read[0] == list(COLUMNS)
    assert {len(row) for row in read} == {len(COLUMNS)}
    kept = [
        [unguarded(x) for x, name in zip(cells, COLUMNS, strict=True) if not isinstance(row[name], float)]
        for cells, row in zip(read[1:], result.table, strict=True)
    ]
    assert kept == expected
    frame = pandas.read_csv(io.StringIO(text, newline=""), dtype=str, keep_default_na=False)
    assert frame.to_numpy().tolist() == read[1:]
    shown = {x[list(COLUMNS).index(column)] for x in read[1:]} - {""}
    assert len(shown) == len({str(row[column]) for row in result.table if row[column] is not None})
    assert not [x for x in shown if FORMULA.match(x) and not re.fullmatch(r"[-+]?[\d.e]+", x)]


def test_no_line_of_a_csv_file_begins_with_a_formula_however_lines_are_told_apart(written):
    text = written[0].to_csv()
    outside = "".join(x for k, x in enumerate(text.split('"')) if k % 2 == 0)  # what is not in quotes
    assert outside.splitlines() == outside.split("\n")[:-1]
    assert all(x.isprintable() for x in outside.split("\n"))


def test_json_is_read_back(written):
    result, column = written
    rows = json.loads(result.to_json())["table"]
    assert [row[column] for row in rows] == [
        str(row[column]) if column == "slice" and row[column] is not None else row[column] for row in result.table
    ]


def shown(text: str) -> str:
    """Return what people shall read where a text is shown."""
    return spaced(visible(text))


def cells_of_markdown(text: str) -> list[list[str]]:
    """Return the rows of all tables in Markdown, as a reader of it shows them."""
    rows: list[list[str]] = []
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for k, token in enumerate(tokens):
        assert token.type != "html_block"
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            parts = tokens[k + 1].children or []
            assert {x.type for x in parts} <= {"text", "text_special"}, tokens[k + 1].content
            rows[-1].append("".join(x.content for x in parts))
    return rows


def test_markdown_shows_every_text_as_it_is(written):
    result, _ = written
    rows = cells_of_markdown(result.to_markdown())
    seen = {x.replace(NO_BREAK, " ").strip() for row in rows for x in row}
    assert not [x for x in HOSTILE if not any(shown(x).replace(NO_BREAK, " ").strip() in cell for cell in seen)]


TEX_SIGNS = {
    "textbackslash": "\\", "textasciicircum": "^", "textasciitilde": "~", "textless": "<", "textgreater": ">",
    "textbar": "|", "textquotedbl": '"', "textasciigrave": "`", "dots": "…", "textperiodcentered": "·",
}  # fmt: skip
TEX = re.compile(
    r"\\ifdefined\\Umathchar (?P<wide>.*?)\\else \[[U+0-9A-F ]*\]\\fi\{\}|\\(?P<accent>['.])\{(?P<letter>\w)\}|"
    r"\\(?P<word>[a-zA-Z]+)(?:\{\}| ?)|\\(?P<sign>.)|(?P<none>\{\})|(?P<dollar>\$-\$)|(?P<tie>~)|(?P<plain>.)",
    re.DOTALL,
)


def from_tex(source: str) -> str:
    """Return what TeX prints for the text of a cell; every command in it must be the name of a sign."""
    out = []
    for x in TEX.finditer(source):
        if x["word"]:
            assert x["word"] in TEX_SIGNS, source
            out.append(TEX_SIGNS[x["word"]])
        elif x["accent"]:
            out.append(x["letter"] + {"'": "\u0301", ".": "\u0307"}[x["accent"]])
        elif x["dollar"]:
            out.append("−")
        elif x["plain"]:
            assert x["plain"] not in "$%&#^_{}\n", source
            out.append(x["plain"])
        else:
            out.append(NO_BREAK if x["tie"] else x["wide"] or x["sign"] or "")
    return "".join(out)


def test_latex_prints_every_text_as_it_is(written):
    result, _ = written
    text = result.to_latex()
    for x in HOSTILE:
        printed = "".join(c for c in shown(x) if c.isprintable() or c == NO_BREAK)
        assert unicodedata.normalize("NFC", from_tex(escaped(x))) == unicodedata.normalize("NFC", printed)
    missing = [x for x in HOSTILE if escaped(x).removeprefix("{}") not in text]
    assert not missing


class Reader(HTMLParser):
    """Collects what a browser shows as text, and the elements that it makes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self.made: set[str] = set()
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.made.add(tag)
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.inside):
            self.texts.append(data)


def test_html_shows_every_text_as_it_is(written):
    result, _ = written
    reader = Reader()
    reader.feed(result.to_html())
    every = "\n".join(reader.texts).replace(NO_BREAK, " ")
    assert not [x for x in HOSTILE if visible(x, keep="\n\t").replace(NO_BREAK, " ").strip() not in every]
    assert "b" not in reader.made or "<b>x</b>" in every


def test_junit_is_read_back():
    gate = of_systems().checked("accuracy >= 2")
    cases = list(ElementTree.fromstring(junit(gate)).iter("testcase"))
    assert len(cases) == len(HOSTILE)
    said = [" ".join([x.get("name"), *x.itertext(), *(y.get("message", "") for y in x)]) for x in cases]
    assert not [x for x, text in zip(HOSTILE, said, strict=True) if visible(x) not in text]
