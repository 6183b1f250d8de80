"""Measures that are computed together on one matrix have the values that they have alone."""

from __future__ import annotations

import math

import pytest

import goodmeasure as gm
from goodmeasure.language.policy import policy_of
from tests.strategies import MEASURES

MATRICES = {
    "two": [[5, 2], [1, 9]],
    "two, a class without items": [[0, 0], [3, 4]],
    "three": [[5, 1, 0], [2, 3, 1], [0, 0, 2]],
    "three, real": [[0.5, 0.1, 0], [0, 0, 0], [1e-3, 0, 2.25]],
    "ten": [[(3 * i + 7 * j) % 11 for j in range(10)] for i in range(10)],
    "huge": [[10**90, 3], [4, 10**91]],
}


@pytest.mark.parametrize("undefined", ["resolve", "nan", 0.25])
@pytest.mark.parametrize("rows", MATRICES.values(), ids=MATRICES.keys())
def test_all_measures_together_have_the_values_that_each_has_alone(rows, undefined):
    cm = gm.ConfusionMatrix(rows, labels=range(len(rows)))
    measures = [f for f in MEASURES if f.classes in (None, cm.m) and "costs" not in f.parameters]
    found = gm.Measure.together(measures, cm, policy_of(undefined))
    for f, value in zip(measures, found, strict=True):
        alone = float(f(cm, undefined=undefined))
        assert value == alone or (math.isnan(value) and math.isnan(alone)), f.name


def test_a_function_with_if_may_be_among_them():
    cm = gm.ConfusionMatrix([[5, 2], [1, 9]], labels=range(2))
    own = gm.measure(lambda c: 1.0 if c.tp > 3 else 0.0)
    assert gm.Measure.together([gm.accuracy, own], cm, policy_of("resolve")) == [gm.accuracy(cm), 1.0]


def test_none_is_computed_if_the_positive_class_is_not_known():
    cm = gm.confusion(["cat", "dog", "dog"], ["dog", "dog", "cat"])
    with pytest.raises(ValueError, match="positive"):
        gm.Measure.together([gm.accuracy, gm.f1], cm, policy_of("nan"))
