"""The simulation of gates for docs/ci.md: what it reads out of the gates' words is there, and its table is complete."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import gates

PAGE = Path(__file__).parents[2] / "docs" / "ci.md"


def test_systems_have_the_loss_that_the_table_states():
    from goodmeasure.catalogue.names import measure
    from goodmeasure.comparison.planning.assumptions import difference
    from goodmeasure.language.policy import RESOLVE

    for classes in (2, 5):
        people = gates.population(classes, 0.05)
        assert difference(measure(gates.MEASURE), people, RESOLVE) == pytest.approx(-0.05, abs=1e-6)


def test_the_words_of_a_gate_hold_what_is_simulated():
    found = gates.gates(gates.population(2, 0), 200, 2, None, 0)
    assert 0 < gates.stated(found, gates.loss_of) < 1
    found = gates.gates(gates.population(2, 0), 200, 2, 0.05, 0)
    assert 0 < gates.stated(found, gates.share_of) < 1
    assert 0 <= gates.passed(found) <= 1


def test_the_page_has_every_case():
    text = PAGE.read_text(encoding="utf-8")
    for classes, items in gates.CASES:
        assert text.count(f"| {classes} | {items:,} | significance |") == 2
        assert text.count(f"| {classes} | {items:,} | margin {gates.MARGIN:g} |") == 2
