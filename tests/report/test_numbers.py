"""Numbers are rounded so that all and none mean it."""

from __future__ import annotations

import pytest

from goodmeasure.report.numbers import level_text, many, share_text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.99998, "99.998%"), (10 / 1e7, "0.0001%"), (0.9995, "99.95%"), (1, "100%"), (0, "0%"), (0.29, "29%"),
        (0.123, "12.3%"), (1 - 1e-15, "100%"),
    ],
)  # fmt: skip
def test_only_all_is_all_and_only_none_is_none(share, text):
    assert share_text(share) == text


def test_a_level_is_said_as_it_was_asked_for():
    assert [level_text(x) for x in (0.95, 0.9975, 0.9995)] == ["95%", "99.75%", "99.95%"]


def test_one_is_singular():
    assert (many(1, "measure"), many(0, "item"), many(2, "class", "classes")) == ("1 measure", "0 items", "2 classes")
