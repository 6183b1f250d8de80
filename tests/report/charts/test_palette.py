"""The colours of charts are those of the design system, for light and dark pages alike."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from goodmeasure.report.charts.palette import SERIES, custom_properties, series

CSS = files("goodmeasure.report.formats").joinpath("templates", "design.css").read_text(encoding="utf-8")


def colours(css):
    return {name: (int(x[1:3], 16), int(x[3:5], 16), int(x[5:7], 16))
            for name, x in re.findall(r"(--[\w-]+): (#[0-9a-f]{6})", css)}  # fmt: skip


def luminance(colour):
    parts = [x / 255 for x in colour]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


LIGHT, DARK = (colours(x) for x in CSS.split("@media"))


def test_specifications_and_pages_have_the_same_colours():
    for colour, name in custom_properties().items():
        assert "#{:02x}{:02x}{:02x}".format(*LIGHT[name]) == colour
        assert name in DARK
    assert series(10)[8] == SERIES[0]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_and_words_stand_out_from_the_page(theme):
    """3 to 1 for marks and 4.5 to 1 for words, as WCAG 2.2 asks for."""
    for k in range(1, len(SERIES) + 1):
        assert contrast(theme[f"--series-{k}"], theme["--paper"]) >= 3
    for name in ("--ink", "--soft", "--accent"):
        for behind in ("--paper", "--band", "--card"):
            assert contrast(theme[name], theme[behind]) >= 4.5
    assert contrast(theme["--beware-ink"], theme["--beware"]) >= 4.5
