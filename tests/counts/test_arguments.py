"""Arrays are counted whatever their layout in memory is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import goodmeasure as gm

KIND = np.dtype([("odd", "i1"), ("y", "i4"), ("p", "i4"), ("w", "f8"), ("s", "f4"), ("u", "u2")])
RECORDS = np.zeros(50, KIND)
for name, values in {"y": range(50), "p": range(2, 52), "w": range(50), "s": range(50), "u": range(50)}.items():
    RECORDS[name] = np.array(values) % 7 + (name == "w") * 0.5


def layouts(array):
    """The same numbers, laid out in every way that NumPy knows."""
    swapped = array.dtype.newbyteorder(">")
    fixed = array.astype(swapped)
    fixed.flags.writeable = False
    apart = np.zeros(3 * len(array), swapped)
    apart[::3] = array
    return {"a field": array, "bytes swapped, read-only": fixed, "apart": apart[::3], "reversed": array[::-1][::-1]}


@pytest.mark.parametrize("weights", ["w", "s", "u"])
@pytest.mark.parametrize("layout", layouts(RECORDS["w"]))
def test_weights_of_any_layout_are_weights(weights, layout):
    plain = RECORDS[weights].copy()
    given = layouts(RECORDS[weights])[layout]
    y, p = RECORDS["y"], RECORDS["p"]
    expected = gm.confusion(y.copy(), p.copy(), sample_weight=plain)
    assert np.array_equal(gm.confusion(y, p, sample_weight=given).counts, expected.counts)
    result = gm.evaluate(y, p, sample_weight=given, measures=["accuracy"])
    assert np.array_equal(result.counted.samples["system", None].matrix.counts, expected.counts)


def test_an_unaligned_column_of_a_data_frame_is_a_column_of_weights():
    frame = pd.DataFrame({name: pd.Series(RECORDS[name], copy=False) for name in "ypw"}, copy=False)
    result = gm.evaluate(frame, y_true="y", y_pred="p", sample_weight="w", measures=["accuracy"])
    expected = gm.confusion(RECORDS["y"].copy(), RECORDS["p"].copy(), sample_weight=RECORDS["w"].copy())
    assert np.array_equal(result.counted.samples["p", None].matrix.counts, expected.counts)


@pytest.mark.parametrize("layout", layouts(RECORDS["y"]))
def test_labels_of_any_layout_are_labels(layout):
    y, p = (layouts(RECORDS[name])[layout] for name in "yp")
    expected = gm.confusion(RECORDS["y"].copy(), RECORDS["p"].copy())
    assert np.array_equal(gm.confusion(y, p).counts, expected.counts)
