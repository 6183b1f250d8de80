"""Chance correction: no prediction at all is no guess, so the best guess of one test set can beat all of another."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from tests.replay import replayed


@pytest.mark.parametrize("name", ["f1", "jaccard", "kappa", "sba"])
def test_the_best_guess_depends_on_the_class_sizes(name):
    found = gm.check(name, properties=["opitz_chance_corrected"])["PV"]
    assert (found.status, found.n) == ("refuted", 2)
    assert replayed(found.witness.replay) is False
