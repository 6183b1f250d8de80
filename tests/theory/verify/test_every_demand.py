"""Each thing that the verifier demands is needed: without it a forgery is accepted, or only another one refuses it."""

from __future__ import annotations

import pytest

from tests.theory.verify.every_demand import DEFENCE, fates, known, table


def test_every_demand_has_a_forgery():
    """A demand that is new, renamed or deleted fails here: see `every_demand.py` for how to find its forgery."""
    listed = [set(table()["demands"]), set(DEFENCE)]
    assert set(known()) == set().union(*listed)
    assert sum(map(len, listed)) == len(known()), "a demand is listed twice"


@pytest.mark.parametrize("key", sorted(table()["demands"]))
def test_a_forgery_is_refused_by_this_demand(key):
    entry = table()["demands"][key]
    assert fates(entry) == (key, entry["then"])
