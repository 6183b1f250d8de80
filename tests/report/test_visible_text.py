"""Control characters and blanks of labels are seen in every format, and steer nothing."""

from __future__ import annotations

import json

import pytest

import goodmeasure as gm
from goodmeasure.report.formats.html import data
from goodmeasure.report.visible_text import visible

LABELS = ["nul\x00", "\x1b[31mred", "turn\u202ed", "two  blanks", "two blanks", " first", "line\nend"]


@pytest.fixture(scope="module")
def result():
    return gm.evaluate(LABELS * 3, (LABELS[1:] + LABELS[:1]) * 3, measures=["mcc"], confidence=None)


@pytest.mark.parametrize("write", ["to_html", "to_markdown", "to_latex"])
def test_no_format_holds_a_control_character(result, write):
    text = getattr(result, write)()
    assert not set("\x00\x1b") & set(text)
    assert "x00" in text


def test_blanks_that_tell_classes_apart_stay(result):
    assert "| two &nbsp;blanks |" in result.to_markdown()
    assert "| two blanks |" in result.to_markdown()
    assert "| &nbsp;first |" in result.to_markdown()
    assert "two ~blanks & " in result.to_latex()
    assert "~first & " in result.to_latex()


def test_lines_and_turned_text_are_written_out(result):
    assert r"| line\\nend |" in result.to_markdown()
    assert r"| turn\\u202ed |" in result.to_markdown()


def test_json_keeps_labels_as_they_are(result):
    assert set(json.loads(result.to_json())["data"]["labels"]) == set(LABELS)


def test_scripts_that_join_letters_stay_as_they_are():
    assert visible("👩\u200d🔬 شکلی\u200cها é\u00a0x") == "👩\u200d🔬 شکلی\u200cها é\u00a0x"


@pytest.mark.parametrize(
    "label", ["a\u2028b", "a\u2029b", "a</script>b", "a\x00b", "a\ud800b", "a\nb", "a\\b'\"`${x}", "<!--", "\u202e"]
)
def test_a_label_with_any_character_has_its_chart(label):
    """Vega ends a text at a line separator, and with it the chart."""
    import vl_convert

    result = gm.evaluate([label, "x"] * 9, [label, "x", "x"] * 6, measures=["mcc", "recall"], replicates=20)
    for name in ("measures", "classes", "confusion"):
        drawn = json.loads(data(result.chart(name)).encode("utf-8", "backslashreplace"))
        is_vega = "vega/v" in drawn.get("$schema", "")
        svg = (vl_convert.vega_to_svg if is_vega else vl_convert.vegalite_to_svg)(drawn)
        assert svg.startswith("<svg")
