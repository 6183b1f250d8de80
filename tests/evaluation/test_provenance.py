"""The command line that makes a result again can be typed."""

from __future__ import annotations

import shlex

import pytest

from goodmeasure.evaluation.provenance import FILES, Provenance


def source(**given):
    return Provenance(FILES, **{"files": ("x.csv",), "true": "t", "systems": ("p",), **given})


def command(**given):
    return source(**given).command(("mcc",), {})


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ({}, ""),
        ({"missing": "drop"}, "--missing drop"),
        ({"missing": "error"}, ""),
        ({"pool": True}, "--pool"),
        ({"weight": "w"}, "--weight w"),
        ({"groups": "g"}, "--group g"),
        ({"by": ("a", "b c")}, "--by a --by 'b c'"),
        ({"labels": ("b", "a")}, "--labels b,a"),
        ({"positive": 1}, "--positive 1"),
        ({"scores": ("s",), "threshold": 0.5}, "--score s --threshold 0.5"),
        ({"threshold": 0}, "--threshold 0"),
    ],
)
def test_the_command_says_everything_that_changes_the_numbers_and_nothing_else(given, typed):
    """Without --missing drop, for one, the command would refuse the file."""
    plain = "goodmeasure evaluate x.csv --true t --pred p --measures mcc"
    found = command(**given)
    assert sorted(shlex.split(found)) == sorted(shlex.split(f"{plain} {typed}"))
    assert typed in found


@pytest.mark.parametrize(
    ("given", "typed"),
    [
        ({"missing": "drop"}, "missing='drop'"),
        ({"pool": True}, "pool=True"),
        ({"weight": "w"}, "sample_weight='w'"),
        ({"groups": "g"}, "groups='g'"),
        ({"by": ("a", "b")}, "by=['a', 'b']"),
        ({"labels": ("b", "a")}, "labels=['b', 'a']"),
        ({"positive": 1}, "positive=1"),
    ],
)
def test_the_call_says_everything_that_changes_the_numbers_and_nothing_else(given, typed):
    plain = "gm.evaluate('x.csv', y_true='t', y_pred='p', measures=['mcc'])"
    assert source().python(("mcc",), {}) == plain
    found = source(**given).python(("mcc",), {})
    assert found.replace(f", {typed}", "", 1) == plain
    assert typed in found


def test_a_file_whose_name_starts_with_a_hyphen_is_no_option():
    assert " ./-x.csv " in command(files=("-x.csv",))
    assert " - " in command(files=("-",))


def test_labels_that_the_command_line_would_change_make_no_command():
    assert command(labels=("a ", "b")) is None
    assert command(labels=("a,b", "c")) is None
    assert "--labels 'a b,c'" in command(labels=("a b", "c"))
