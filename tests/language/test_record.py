"""What can be recorded, what is opaque, and what is refused: a definition is one formula, or a function of numbers."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.language.record import NotOneFormula

TWO = [[50, 3], [4, 20]]
THREE = [[5, 1, 0], [0, 4, 2], [1, 0, 3]]


def of_all_diagonals(c):
    return sum(c[i, i] for i in range(c.m)) / c.n


def weighs_the_first_class_more(c):
    return c.sum(lambda i: 2 * c[i, i] if i == 0 else c[i, i]) / c.n


def skips_neighbours(c):
    return c.sum_off(lambda i, j: c[i, j] if abs(int(i) - int(j)) > 1 else 0 * c[i, j]) / c.n


@pytest.mark.parametrize(
    ("definition", "matrix", "value"),
    [
        (lambda c: np.log(c.tp) / np.float64(2), TWO, math.log(20) / 2),
        (lambda c: np.minimum(c.tp, c.n) * np.sqrt(c.fn), TWO, 40),
        (of_all_diagonals, TWO, 70 / 77),
        (of_all_diagonals, THREE, 12 / 16),
        (weighs_the_first_class_more, THREE, 17 / 16),
        (skips_neighbours, THREE, 1 / 16),
        (lambda c: c.tp > c.fn, TWO, 1),
        (lambda c: c.where(c.m == 2, lambda: c.tp, lambda: c.n), THREE, 16),
        (lambda c: sum([c.tp] * 3000), TWO, 60000),
        (lambda c: 0.5, TWO, 0.5),
    ],
)
def test_what_the_language_can_say_is_recorded(definition, matrix, value):
    f = gm.measure(definition)
    assert f(matrix) == pytest.approx(value, rel=1e-14)
    f.recorded.tree(len(matrix))  # raises if it is opaque


def branches(c):
    return c.tp / c.n if c.tp > 3 else -c.fn / c.n


def rounds(c):
    return round(c.ratio(c.tp, c.n), 2)


def writes(c):
    return len(str(c.tp))


def hides(c):
    try:
        if c.tp > 3:
            return 7
    except Exception:  # noqa: BLE001 - this is what a definition must not get away with
        pass
    return c.tp / c.n


@pytest.mark.parametrize(
    ("definition", "value", "said"),
    [
        (branches, 20 / 77, r"branches on a value: write c\.where"),
        (lambda c: math.sqrt(c.tp), math.sqrt(20), r"float of a value: use c\.sqrt"),
        (lambda c: max(c.tp, c.fp), 20, r"branches on a value"),
        (lambda c: np.tanh(c.tp), math.tanh(20), "hands a value to NumPy"),
        (rounds, 0.26, "rounds a value"),
        (writes, 2, "text of a value"),
        (hides, 7, r"branches on a value"),
    ],
)
def test_what_decides_on_counts_is_opaque_and_has_values(definition, value, said):
    f = gm.measure(definition)
    assert f(TWO) == value
    assert f.opaque
    with pytest.raises(gm.InputTypeError, match=said):
        f.tree  # noqa: B018


def test_an_opaque_measure_decides_for_each_matrix_of_a_batch():
    assert gm.measure(branches)(np.array([TWO, [[1, 1], [5, 2]]])).tolist() == [20 / 77, -5 / 9]


class Counter:
    def __init__(self):
        self.calls = itertools.count()

    def __call__(self, c):
        return c.n * next(self.calls)


@pytest.mark.parametrize("definition", [Counter(), lambda c: c.n * random.random()])
def test_state_and_chance_are_refused(definition):
    with pytest.raises(NotOneFormula, match="keeps state or draws random numbers"):
        gm.measure(definition)
    with pytest.raises(NotOneFormula):
        gm.define("by_chance")(definition)
    with pytest.raises(gm.UnknownName):
        gm.measure("by_chance")


def test_a_definition_is_read_once_so_a_global_is_frozen():
    space = {"weight": 2}
    f = gm.measure(eval("lambda c: weight * c.tp", space))
    assert f(TWO) == 40
    space["weight"] = 3
    assert f(TWO) == 40


def test_a_measure_inside_a_definition_records_its_tree():
    f = gm.measure(lambda c: gm.mcc(c) * 2)
    assert gm.mcc.tree in f.tree.parts
