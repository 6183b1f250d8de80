"""What is proved of random trees holds on small matrices, and no changed certificate shows what is false."""

import time

import pytest

from .random_changes import FEW, claim, wrongly_accepted
from .random_trees import wrong

SECONDS = 2.0


def test_what_is_proved_of_random_trees_holds():
    until, proofs = time.process_time() + SECONDS, 0
    for seed in range(400):
        found, count = wrong(seed, 0.05, {2: 4, 3: 3})
        assert not found
        proofs += count
        if time.process_time() > until:
            break
    assert proofs > 10


@pytest.mark.parametrize("seed", range(2))
def test_changed_certificates_claim_the_same_or_are_refused(seed):
    bad, accepted, _ = wrongly_accepted(250, seed, FEW[:5], {2: 4, 3: 2})
    assert not bad
    assert 0 < accepted < 125


def test_claims_are_compared_by_what_they_say():
    data = {
        "statement": "monotone", "classes": 2, "domain": "all", "undefined": "nan",
        "measure": {"orientation": "higher", "tree": {"tree": 1, "nodes": [["Numeral", "1"]]}},
    }  # fmt: skip
    same = {**data, "constants": {}, "measure": {**data["measure"], "name": "other"}}
    assert claim(data) == claim(same)
    for key, other in (("statement", "symmetry"), ("classes", 3), ("domain", "regular"), ("undefined", "0")):
        assert claim(data) != claim({**data, key: other})
    assert claim({**data, "constants": {"x": "1/2 + 1/2"}}) == claim({**data, "constants": {"x": "1"}})
