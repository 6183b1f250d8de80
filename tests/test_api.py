"""The public names: few, listed in docs/api.md, and old ones that still work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import goodmeasure as gm
from goodmeasure import results

PAGE = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
COMING = {"judge", "raters", "preferences"}


def test_the_page_lists_the_names_of_the_package():
    table = PAGE.partition("\n|---|---|\n")[2].partition("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", table)) == set(gm._HOMES)
    assert len({*gm._HOMES, *COMING}) <= 50
    assert {*dir(gm)} >= {*gm._HOMES, "mcc"}


def test_names_of_later_versions_are_free_and_kept():
    for name in gm._RESERVED:
        assert f"`{name}`" in PAGE
        with pytest.raises(gm.InputError, match="name"):
            gm.define(name)(lambda c: c.n)


@pytest.mark.parametrize("name", [*gm._MOVED, "Baselines", "Explanation", "UnknownKey", "InputOSError"])
def test_an_old_name_works_and_says_the_new_one(name):
    with pytest.warns(DeprecationWarning, match=rf"goodmeasure.{name} is called .* now"):
        assert getattr(gm, name).__name__ == name
    assert f"`gm.{name}`" in PAGE or name in results.HOMES or name == "InputOSError"


def test_what_has_no_name_is_an_attribute_error():
    for name in ("Nothing", "nothing", "dataclass", "Path"):
        with pytest.raises(AttributeError, match=name):
            getattr(gm, name)


def test_methods_take_the_place_of_functions():
    gm.define("mine_for_a_moment")(lambda c: c.ratio(c.tp, c.n))
    gm.measure("mine_for_a_moment").forget()
    with pytest.raises(gm.UnknownName):
        gm.measure("mine_for_a_moment")
    assert gm.f1.at_best_threshold() == gm.measure("best(f1)")
