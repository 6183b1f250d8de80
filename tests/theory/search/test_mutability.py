"""RH has maximal agreement for three classes: accuracy and mutability are at most 1, and both are 1 on a diagonal."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from tests.theory.proving import prove


@pytest.mark.parametrize(("name", "domain"), [("Max", "all"), ("Max", "regular"), ("FIX", "regular")])
def test_rh_is_at_most_1_for_three_classes(name, domain):
    found = prove(gm.rh, name, classes=3, domain=domain)
    assert found is not None
    assert gm.verify(found)


def more_than_rh(c):
    """Greater than 1 where recalls are nearly equal."""
    return gm.rh(c) * (1 + c.ratio(c[0, 0] * c[1, 1], 50 * c.n**2))


def test_more_than_rh_is_not_proved():
    assert prove(more_than_rh, "Max", classes=3, domain="regular", seconds=5) is None
