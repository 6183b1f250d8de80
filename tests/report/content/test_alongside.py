"""What stands beside an evaluation in its report: the comparison of its systems."""

from __future__ import annotations

import goodmeasure as gm

DATA = [0, 1, 1, 0, 1], {"A": [0, 1, 0, 0, 1], "B": [0, 0, 0, 1, 1]}


def test_the_comparison_of_a_result_is_named_after_its_files_too():
    found = gm.evaluate(*DATA).from_files("p.csv")
    assert found.comparison is not None
    assert found.comparison.source.files == found.source.files == ("p.csv",)
    assert gm.compare(*DATA).source.files != ("p.csv",)
