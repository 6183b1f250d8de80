"""The command line that makes a result again can be typed."""

from __future__ import annotations

from goodmeasure.evaluation.provenance import FILES, Source


def command(**given):
    return Source(FILES, **{"files": ("x.csv",), "true": "t", "systems": ("p",), **given}).command(("mcc",), {})


def test_a_file_whose_name_starts_with_a_hyphen_is_no_option():
    assert " ./-x.csv " in command(files=("-x.csv",))
    assert " - " in command(files=("-",))


def test_labels_that_the_command_line_would_change_make_no_command():
    assert command(labels=("a ", "b")) is None
    assert command(labels=("a,b", "c")) is None
    assert "--labels 'a b,c'" in command(labels=("a b", "c"))
