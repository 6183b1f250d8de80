"""What a measure knows about itself: which combinator or family made it, from what, and whose it is."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import goodmeasure as gm
from goodmeasure.comparison.which_is_better import ExactValues


def recall(c):
    """A user's function that has the name of a measure of the catalogue: half the recall."""
    return c.ratio(c.tp, 2 * c.a[1])


def test_a_measure_says_what_made_it():
    made = {
        "macro(f1)": ("macro", "macro", "f1"),
        "macro(recall, p=0)": ("macro", "macro", "recall"),
        "calibrated(macro(f1))": ("calibrated", "calibrated", "macro(f1)"),
        "weighted(roc_auc)": ("weighted", "weighted", "roc_auc"),
        "best(f1)": ("best", "best", "f1"),
        "fbeta(2)": ("fbeta", None, None),
        "top_k_accuracy(k=5)": ("top_k_accuracy", None, None),
        "mcc": (None, None, None),
        "roc_auc": (None, None, None),
    }
    for name, (made_by, combinator, inner) in made.items():
        f = gm.measure(name)
        assert (f.made_by, f.combinator, None if f.inner is None else f.inner.name) == (made_by, combinator, inner)


@pytest.mark.parametrize("f", gm.measures(takes="any"), ids=lambda f: f.name)
def test_the_stem_is_what_stands_before_the_brackets(f):
    assert f.stem == f.name.partition("(")[0]
    back = pickle.loads(pickle.dumps(f))
    assert (back, hash(back), back.made_by, back.parameters) == (f, hash(f), f.made_by, f.parameters)


def test_a_name_with_brackets_makes_no_average():
    def own(c):
        return c.ratio(c.tp, c.n)

    own.__name__ = "macro(f1)"
    f = gm.measure(own)
    assert (f.stem, f.combinator, f.inner) == ("macro(f1)", None, None)
    found = gm.evaluate([0, 1, 1, 0], [0, 1, 0, 0], measures=[own])
    assert found.value("macro(f1)") == 0.25  # classwise measures are looked up without tripping over the name


def test_a_copy_of_an_average_of_ones_own_keeps_its_facts():
    f = gm.macro(gm.measure(recall), p=0)
    for back in (copy.copy(f), copy.deepcopy(f)):
        assert back == f
        assert (back.combinator, back.inner, back.parameters["p"]) == ("macro", f.inner, 0)
        assert (back.title, back.about, back.class_symmetric) == (f.title, f.about, f.class_symmetric)


def test_the_area_of_ones_own_function_is_not_that_of_its_namesake():
    true, scores = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    assert gm.area("recall", over="fallout")(true, scores) == 0.75
    assert gm.area(recall, over="fallout")(true, scores) == pytest.approx(0.375)
    ones_own = gm.area("precision", over=recall, between="step")
    assert ones_own(true, scores) == pytest.approx(
        gm.area("precision", over="recall", between="step")(true, scores) / 2
    )


def test_ones_own_function_is_not_taken_for_its_namesake_when_systems_are_ordered():
    """Accuracy does not change when two classes are exchanged; this function of the same name does."""

    def accuracy(c):
        return c.ratio(c.tp, c.n)

    one, other = np.array([[4, 1], [2, 3]]), np.array([[3, 2], [1, 4]])
    assert ExactValues().sign(gm.measure(accuracy), one, other) == 1
    assert ExactValues().sign(gm.accuracy, one, other) == 0


def test_a_users_definition_is_known_whatever_family_it_is_put_into():
    def own_in_a_family(c):
        return 1.0 if c.tp > 3 else 0.0

    found = gm.define("own_in_a_family", family="overlap")(own_in_a_family)
    try:
        assert found.is_users_own()
        assert gm.macro(found).is_users_own()
        assert found(np.array([[[5, 1], [2, 3]], [[1, 1], [1, 9]]])).tolist() == [0.0, 1.0]
    finally:
        gm.measure("own_in_a_family").forget()
    assert not any(x.is_users_own() for x in gm.measures())
