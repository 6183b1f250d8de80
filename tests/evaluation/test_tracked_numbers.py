"""The names of numbers for experiment trackers: accepted by them, unique, stable, and with finite values."""

from __future__ import annotations

import math
import posixpath
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodmeasure as gm
from goodmeasure.evaluation.tracked_numbers import LONGEST, Tracked, named_numbers

ACCEPTED = re.compile(r"[A-Za-z0-9_./ -]+")


def check_names(found: dict[str, float], prefix: str = "") -> None:
    for name, number in found.items():
        assert ACCEPTED.fullmatch(name), name
        assert name.startswith(prefix)
        assert len(name) <= LONGEST
        assert posixpath.normpath(name) == name  # MLflow refuses other names
        assert not name.startswith(("/", ".."))
        assert not any(other.startswith(f"{name}/") for other in found)  # a file store makes files of names
        assert type(number) is float
        assert math.isfinite(number)


@given(st.lists(st.tuples(st.lists(st.text(max_size=300), min_size=1, max_size=3), st.floats()), max_size=8))
def test_any_name_becomes_one_that_trackers_accept(given_numbers):
    tracked = [Tracked(tuple(parts), x) for parts, x in given_numbers]
    found = named_numbers("run/", tracked)
    check_names(found, "run/")
    different = {x.parts for x in tracked if math.isfinite(x.number)}
    assert len(found) == len(different)


def test_names_that_would_be_the_same_are_told_apart():
    labels = ["a b", "a/b", "a_b", "日本", "中国", "..", ""]
    result = gm.evaluate(labels * 3, labels * 3, measures=["accuracy"], classwise=["recall"], confidence=None)
    found = result.metrics()
    check_names(found)
    assert len(found) == len(labels) + 2
    assert found == result.metrics()


def test_a_system_may_have_the_name_of_a_number():
    found = gm.compare([0, 1] * 5, {"items": [0, 1] * 5, "B": [1, 0] * 5}, measures=["mcc"], replicates=9).metrics()
    check_names(found)
    assert found["items/mcc"] == 1.0
    assert 10.0 in found.values()


def test_names_do_not_depend_on_the_values():
    one = gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0])
    two = gm.evaluate([0, 1, 1, 0], [0, 1, 1, 0])
    assert list(one.metrics("a ")) == list(two.metrics("a "))


def test_undefined_values_are_left_out():
    found = gm.evaluate([0, 0, 1], [0, 0, 0]).metrics()
    check_names(found)
    assert "precision" not in found
    assert found["recall"] == 0.0
    assert found["items"] == 3.0


def test_systems_slices_and_classes_are_parts_of_the_name():
    both = gm.evaluate([0, 1] * 5, {"A": [0, 1] * 5, "B": [1, 0] * 5}, by={"site": list("xxxxxyyyyy")})
    found = both.metrics()
    check_names(found)
    assert found["A/slice.x/recall.1"] == 1.0
    assert found["B/accuracy_high"] == pytest.approx(
        both.table.where(system="B", slice=None, measure="accuracy")[0]["high"]
    )


@pytest.mark.parametrize("prefix", ["a//b", "/a", "a=b", "../a", "ä", "x" * 200])
def test_a_prefix_that_trackers_refuse_is_refused(prefix):
    with pytest.raises(gm.InputError, match="prefix"):
        gm.evaluate([0, 1], [0, 1]).metrics(prefix)


def test_a_prefix_is_a_text():
    with pytest.raises(gm.InputTypeError, match="prefix is 3"):
        gm.evaluate([0, 1], [0, 1]).metrics(3)
