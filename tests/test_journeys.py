"""How many functions and files the short journeys pass through; docs/architecture.md describes them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import goodmeasure as gm

TRUE, PRED = [0, 1, 1, 0, 1] * 200, [0, 1, 0, 0, 1] * 200


def passed_through(journey):
    """Return the functions of the package that a call passes through once all is compiled."""
    for _ in range(3):
        journey()
    seen = set()

    def look(frame, event, _):
        code = frame.f_code
        if event == "call" and "goodmeasure" in code.co_filename:
            seen.add((code.co_filename, code.co_firstlineno))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        journey()
    finally:
        sys.setprofile(before)
    return seen


@pytest.mark.parametrize(
    "journey",
    [
        lambda: gm.mcc(TRUE, PRED),
        lambda: gm.mcc(np.array(TRUE), np.array(PRED)),
        lambda: gm.macro(gm.f1)(TRUE, PRED),
        lambda: gm.mcc(["ham"] * 9 + ["spam"], ["ham"] * 8 + ["spam"] * 2),
    ],
    ids=["lists", "arrays", "macro", "text"],
)
def test_two_lists_of_labels_become_a_value(journey):
    seen = passed_through(journey)
    assert 10 < len(seen) <= 45
    assert len({name for name, _ in seen}) <= 11
