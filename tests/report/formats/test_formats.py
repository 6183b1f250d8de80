"""Every format holds the same numbers, keeps labels as text, and is written whole or not at all."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import goodmeasure as gm
from goodmeasure.report.content.evaluation import contents
from goodmeasure.report.document import Grid
from goodmeasure.report.formats.json_data import plain as plain_data
from goodmeasure.report.numbers import share_text, value_text
from goodmeasure.report.whole_files import write_file
from tests.signals import not_ignored

HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "=1+1", "a|b", "50 % & $x_1$ #{}~^\\", "two\nlines",
    "שלום", "😀", "x" * 300, "`code`", "[link](http://x)", "-",
]  # fmt: skip


def result_of(labels):
    """Every class a few times, some taken for the next one."""
    true = [label for k, label in enumerate(labels) for _ in range(12 + k)]
    pred = [labels[(labels.index(x) + (k % 5 == 0)) % len(labels)] for k, x in enumerate(true)]
    return gm.evaluate(true, {"A": pred, "<i>B</i>": true})


@pytest.fixture(scope="module")
def plain():
    return result_of(["ham", "spam", "eggs"])


@pytest.fixture(scope="module")
def hostile():
    return result_of(HOSTILE)


class Page(html.parser.HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.words.append(data)


def in_one_size(text):
    """A page whose intervals are not set in small."""
    return re.sub("</?small>", "", text).replace("\u00a0", " ")


def numbers_of(result):
    """The text of every value of the scorecards."""
    blocks = contents(result).section("scorecard").blocks
    return [cell.words for block in blocks if isinstance(block, Grid) for row in block.rows for cell in row[1:]]


@pytest.mark.parametrize("write", ["to_html", "to_markdown", "to_latex"])
def test_formats_show_the_same_numbers(plain, write):
    text = in_one_size(getattr(plain, write)())
    for number in set(numbers_of(plain)):
        shown = number.replace(" *", "")
        assert shown in text or shown.replace("−", "$-$").replace("–", "--") in text


def test_json_holds_every_row_and_reads_back(plain):
    data = json.loads(plain.to_json())
    assert data["schema"] == "goodmeasure/evaluation/1"
    assert data["table"] == json.loads(json.dumps([{**row} for row in plain.table]).replace("NaN", "null"))
    assert data["parts"][0]["counts"] == plain.matrix().counts.tolist()
    cm = gm.ConfusionMatrix(data["parts"][0]["counts"], data["parts"][0]["labels"])
    assert gm.mcc(cm) == next(x["value"] for x in data["table"] if x["measure"] == "mcc")


def test_infinite_and_undefined_values_are_valid_json():
    assert plain_data([float("inf"), -float("inf"), float("nan")]) == ["inf", "-inf", None]
    nothing = json.loads(gm.evaluate([[5, 0], [5, 0]], measures=["precision"]).to_json())
    assert nothing["table"][0]["value"] is None
    assert nothing["table"][0]["reason"]


def test_labels_stay_text_in_html(hostile):
    page = Page(hostile.to_html())
    assert {"img", "i"}.isdisjoint(page.tags)
    scripts = 1 + ("figure" in page.tags)  # ours, and what draws the charts; the others are specifications
    assert page.tags.count("script") == page.tags.count("figure") + scripts
    assert not any(name.startswith("on") for name in page.attributes)
    words = " ".join(page.words)
    for label in HOSTILE:
        assert " ".join(label.split()) in " ".join(words.split())


def test_the_page_loads_nothing_and_allows_nothing(plain):
    page = re.sub(r"<script.*?</script>", "", plain.to_html(), flags=re.DOTALL)
    assert "default-src 'none'" in page
    assert not re.search(r"(src|href)=[\"']?(https?:|//)", page)
    assert "style=" not in page
    assert "<script" not in page
    assert page.count("<h1>") == 1
    assert 'lang="en"' in page
    for table in re.findall(r"<table.*?</table>", page, re.DOTALL):
        assert "<caption>" in table
        assert 'scope="col"' in table


def test_labels_stay_text_in_markdown(hostile):
    text = hostile.to_markdown()
    assert "<script>" not in text
    assert "<img" not in text
    assert "a\\|b" in text
    widths = {len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("| true \\\\")}
    assert widths == {len(HOSTILE) + 2}


def test_labels_stay_text_in_latex(hostile):
    text = hostile.to_latex()
    assert r"50 \% \& \$x\_1\$ \#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}" in text
    for line in text.splitlines():
        if line.endswith(r"\\") and "textasciitilde" in line:
            assert line.count("{") - line.count(r"\{") == line.count("}") - line.count(r"\}")


def test_a_spreadsheet_formula_is_quoted_in_csv(hostile):
    rows = list(csv.DictReader(io.StringIO(hostile.to_csv())))
    labels = {row["class"] for row in rows}
    assert "'=1+1" in labels
    assert "'-" in labels
    assert "two\nlines" in labels
    assert not any(x.startswith(("=", "+", "-", "@")) for x in labels)
    assert float(rows[0]["value"]) == hostile.table[0]["value"]


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_the_table_becomes_a_frame(plain, kind):
    frame = plain.to_frame(kind)
    columns = frame.column_names if kind == "arrow" else list(frame.columns)
    assert columns == ["system", "slice", "class", "measure", "value", "low", "high", "chance", "reason"]
    assert len(frame) == len(plain.table)


def test_a_frame_of_another_kind_is_refused(plain):
    with pytest.raises(ValueError, match="kind is 'excel': use 'pandas', 'polars' or 'arrow'"):
        plain.to_frame("excel")


@pytest.mark.parametrize("name", ["r.html", "r.md", "r.tex", "r.json", "r.csv"])
def test_the_ending_chooses_the_format(plain, tmp_path, name):
    plain.save(tmp_path / name)
    assert (tmp_path / name).stat().st_size > 500
    assert [x.name for x in tmp_path.iterdir()] == [name]


def test_another_ending_is_refused(plain, tmp_path):
    with pytest.raises(ValueError, match=r"ends in '.pdf': use .html, .md, .tex, .json, .csv or .xml"):
        plain.save(tmp_path / "r.pdf")


def test_a_file_that_cannot_be_written_leaves_nothing(plain, tmp_path):
    with pytest.raises(OSError, match="cannot write"):
        plain.save(tmp_path / "nowhere" / "r.html")
    (tmp_path / "r.html").mkdir()
    with pytest.raises(OSError, match="cannot write"):
        plain.save(tmp_path / "r.html")
    assert [x.name for x in tmp_path.iterdir()] == ["r.html"]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    """The limit on the size of files stands for the full disk."""
    target = tmp_path / "r.txt"
    target.write_text("old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        with pytest.raises(OSError, match=r"cannot write .*: file too large"):
            write_file(target, "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert target.read_text() == "old"
    assert [x.name for x in tmp_path.iterdir()] == ["r.txt"]


def test_an_interrupt_leaves_no_half_written_file(tmp_path):
    code = textwrap.dedent("""
        import os, sys, time
        from goodmeasure.report import whole_files
        real = os.fsync
        def slow(handle):
            print("writing", flush=True)
            time.sleep(30)
        os.fsync = slow
        whole_files.write_file(sys.argv[1], "x" * 1000)
    """)
    command = [sys.executable, "-c", code, str(tmp_path / "r.html")]
    with not_ignored(signal.SIGINT):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "writing\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode != 0
    assert os.listdir(tmp_path) == []


def test_a_written_file_has_the_usual_rights(tmp_path):
    write_file(tmp_path / "a", "x")
    (tmp_path / "b").write_text("x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.12345, "0.123"), (-0.5, "−0.500"), (0, "0.000"), (1e-4, "0.0001"), (3e-9, "3e-09"), (123456.0, "1.235e+05"),
        (1e9, "1.000e+09"), (250.4, "250.4"), (float("inf"), "∞"), (float("-inf"), "−∞"), (float("nan"), "undefined"),
    ],
)  # fmt: skip
def test_numbers_are_short_and_true(value, text):
    assert value_text(value) == text


def test_shares_keep_what_is_small():
    assert [share_text(x) for x in (0.123, 1, 0.0123, 0.00012)] == ["12.3%", "100%", "1.2%", "0.01%"]


def test_large_matrices_are_left_out_of_what_cannot_hold_them():
    labels = list(range(200))
    result = gm.evaluate(labels * 3, labels * 3, confidence=None, measures=["accuracy"])
    assert "too large to read" in result.to_html()
    assert len(result.to_html()) < 2_000_000
