"""What stands beside an evaluation in its report: only a comparison of its systems."""

from __future__ import annotations

import pytest

import goodmeasure as gm
from goodmeasure.comparison.comparison import comparison_of

DATA = [0, 1, 1, 0, 1], {"A": [0, 1, 0, 0, 1], "B": [0, 0, 0, 1, 1]}


def test_the_comparison_of_a_result_is_named_after_its_files_too():
    found = gm.evaluate(*DATA).beside(compared=gm.compare(*DATA)).from_files("p.csv")
    compared = comparison_of(found)
    assert compared is not None
    assert compared.source.files == found.source.files == ("p.csv",)
    assert gm.compare(*DATA).source.files != ("p.csv",)


def test_anything_else_beside_a_result_is_refused():
    result = gm.evaluate(*DATA).beside(compared=gm.evaluate(*DATA))
    with pytest.raises(TypeError, match=r"compared is of type Result: expected what gm\.compare returns"):
        result.to_json()
