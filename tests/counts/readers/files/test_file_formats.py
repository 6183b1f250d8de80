"""What a file is recognised as, or why not."""

from __future__ import annotations

import pandas as pd
import pytest

import goodmeasure as gm

FRAME = pd.DataFrame({"label": ["a", "b"] * 3, "pred": ["a", "a"] * 3})


@pytest.mark.parametrize("orient", [None, "columns", "index", "split", "table"])
def test_json_as_pandas_writes_it_by_default_says_how_to_write_it(tmp_path, orient):
    """It once said "unhashable type: 'dict'"."""
    FRAME.to_json(tmp_path / "p.json", orient=orient)
    with pytest.raises(
        ValueError, match=r"p.json is one JSON object, .* to_json\(path, orient='records', lines=True\)"
    ):
        gm.evaluate(tmp_path / "p.json")


def test_json_written_as_it_says_is_read(tmp_path):
    FRAME.to_json(tmp_path / "p.json", orient="records", lines=True)
    assert gm.evaluate(tmp_path / "p.json", measures=["accuracy"]).value("accuracy") == 0.5
    FRAME.to_json(tmp_path / "array.json", orient="records")
    assert gm.evaluate(tmp_path / "array.json", measures=["accuracy"]).value("accuracy") == 0.5


def test_lines_of_objects_within_objects_are_no_such_file(tmp_path):
    (tmp_path / "p.jsonl").write_text('{"doc": {"0": "x"}, "label": "a", "pred": "a"}\n' * 3)
    result = gm.evaluate(tmp_path / "p.jsonl", y_true="label", y_pred="pred", measures=["accuracy"])
    assert result.value("accuracy") == 1
