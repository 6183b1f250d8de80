"""A confusion matrix survives its way through JSON, whatever its counts and labels are."""

from __future__ import annotations

import json
from datetime import date, datetime
from fractions import Fraction

import numpy as np
import pytest

import goodmeasure as gm

BIG = 2**80 + 1
MATRICES = {
    "integers": gm.ConfusionMatrix([[50, 3], [4, 20]], labels=["ham", "spam"]),
    "small_type": gm.ConfusionMatrix(np.array([[1, 2], [3, 4]], np.uint8)),
    "weights": gm.ConfusionMatrix([[0.1, 1 / 3], [1e-300, 2.5]]),
    "float32": gm.ConfusionMatrix(np.array([[0.1, 1 / 3], [0, 2.5]], np.float32)),
    "beyond_64_bits": gm.ConfusionMatrix([[BIG, 0], [1, 2]]),
    "fractions": gm.ConfusionMatrix([[Fraction(1, 3), 1], [0, Fraction(2, 7)]]),
    "batch": gm.ConfusionMatrix(np.arange(24).reshape(2, 3, 2, 2)),
    "numbers_as_labels": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[0.5, -1]),
    "truth_values": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[False, True]),
    "tuples": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[("a", 1), ("b", None)]),
    "days": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[date(2020, 1, 2), date(2021, 3, 4)]),
    "moments": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[datetime(2020, 1, 2, 3, 4, 5), datetime(2021, 3, 4)]),
    "bytes": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[b"\x00\xff", b"x"]),
    "infinite_label": gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[float("inf"), 0.0]),
    "counted": gm.confusion(["é", "b", "b", None], ["b", "b", "é", "b"], missing="drop"),
    "missing_class": gm.confusion(["a", "b", None], ["b", "b", "a"], missing="class"),
    "weighted": gm.confusion([1, 0, 1], [1, 1, 0], sample_weight=[0.1, 0.2, 0.3]),
    "one_class": gm.ConfusionMatrix([[7]]),
    "empty": gm.ConfusionMatrix.empty(),
    "empty_with_labels": gm.ConfusionMatrix.empty(["a", "b"]),
}


def same(first, second):
    return first.__reduce__()[1][1:3] == second.__reduce__()[1][1:3] and first == second


@pytest.mark.parametrize("name", MATRICES)
def test_nothing_is_lost(name):
    cm = MATRICES[name]
    text = cm.to_json()
    back = gm.ConfusionMatrix.from_json(text)
    assert same(back, cm)
    assert back.counts.dtype == cm.counts.dtype
    assert [type(x) for x in back.labels] == [type(x) for x in cm.labels]
    assert back.dropped == cm.dropped
    assert back.to_json() == text
    assert same(gm.ConfusionMatrix.from_json(json.loads(text)), cm)
    assert same(gm.ConfusionMatrix.from_json(text.encode()), cm)


def test_very_many_classes_stay_sparse():
    rng = np.random.default_rng(1)
    cm = gm.confusion(rng.integers(0, 50_000, 2000), rng.integers(0, 50_000, 2000), labels=range(50_000))
    assert cm.is_sparse
    back = gm.ConfusionMatrix.from_json(cm.to_json())
    assert back.is_sparse
    assert back == cm
    assert back.n == cm.n


def test_parts_counted_apart_add_up_as_if_counted_together():
    true, predicted = ["b", "a", "c", "a"], ["b", "b", "a", "a"]
    parts = [gm.confusion(true[:2], predicted[:2]), gm.confusion(true[2:], predicted[2:])]
    sent = [gm.ConfusionMatrix.from_json(x.to_json()) for x in parts]
    assert sent[0] + sent[1] == gm.confusion(true, predicted)
    sent[0].update(true[2:], predicted[2:])
    assert sent[0] == gm.confusion(true, predicted)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(schema="goodmeasure/confusion-matrix/99"), "this version of goodmeasure reads"),
        (lambda data: data.pop("schema"), "not a confusion matrix"),
        (lambda data: data.pop("counts"), "damaged"),
        (lambda data: data.update(n=76), "n is 76 and the counts add up to 77"),
        (lambda data: data["counts"][0].append(1), "damaged"),
        (lambda data: data["counts"][0].__setitem__(0, -50), "negative"),
        (lambda data: data["counts"][0].__setitem__(0, 0.5), "damaged"),
        (lambda data: data.update(labels=["ham", "ham"]), "different"),
        (lambda data: data.update(labels=["ham", {"thing": 1}]), "damaged"),
        (lambda data: data.update(numbers="U999999999"), "damaged"),
        (lambda data: data.update(numbers="object", counts=[["1/0", 1], [1, 1]]), "damaged"),
    ],
)
def test_damage_is_refused(change, said):
    data = json.loads(MATRICES["integers"].to_json())
    change(data)
    with pytest.raises(gm.InputError, match=said):
        gm.ConfusionMatrix.from_json(data)
    with pytest.raises(gm.InputError, match="not JSON"):
        gm.ConfusionMatrix.from_json("{")


def test_a_label_that_json_cannot_hold_is_refused():
    with pytest.raises(gm.InputTypeError, match="JSON cannot hold"):
        gm.ConfusionMatrix([[1, 2], [3, 4]], labels=[frozenset("a"), frozenset("b")]).to_json()
