"""The example that trains with measures as losses runs, and its losses lead to what they promise."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("array_api_compat")

EXAMPLE = Path(__file__).parents[2] / "examples" / "train_with_measures.py"


def test_the_example_trains_and_compares(capsys):
    found = runpy.run_path(str(EXAMPLE))["main"](steps=16, items=3000)
    printed = capsys.readouterr().out
    assert "| cross-entropy | " in printed
    assert "after 16 steps" in printed
    for values in found.values():
        for estimate in values.values():
            assert estimate.low <= estimate.value <= estimate.high
    assert found["k"]["k"].low > found["cross-entropy"]["k"].high  # the rare classes are found from the first steps on
