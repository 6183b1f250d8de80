"""A user's own function goes by its name wherever measures do."""

from __future__ import annotations

import pytest

import goodmeasure as gm

Y, P, S = [0, 0, 1, 1, 1, 0], [0, 1, 1, 1, 0, 0], [0.1, 0.6, 0.7, 0.9, 0.4, 0.2]
FIRST, SECOND = gm.ConfusionMatrix([[3, 1], [2, 4]]), gm.ConfusionMatrix([[2, 2], [1, 5]])


def nb(c):
    """Net benefit at even odds."""
    return c.ratio(c.tp - c.fp, c.n)


def test_a_result_a_sweep_and_a_comparison_know_my_function_by_name():
    assert gm.evaluate(Y, P, measures=[nb]).value("nb") == pytest.approx(1 / 6)
    sweep = gm.sweep(Y, S, measures=[nb, "f1"])
    assert (sweep.best("nb").threshold, sweep.best("nb").value) == (0.7, pytest.approx(1 / 3))
    assert list(sweep.values("nb")) == list(sweep.values(nb))
    assert list(sweep.curve("recall", over="nb").over) == list(sweep.values(nb))
    compared = gm.compare(Y, {"A": P, "B": Y}, measures=[nb])
    assert compared.difference("A", "B", "nb") == compared.difference("A", "B", nb)
    projected = gm.project(FIRST, prevalence=0.1, measures=[nb])
    assert projected.value("nb") == projected.value(nb)
    assert projected.interval("nb") == projected.interval(nb)


def test_measures_against_each_other_know_my_function_by_name():
    found = gm.disagreement([nb, "recall"], [FIRST, SECOND])
    assert found.rates["nb"]["recall"] == found.rates["recall"]["nb"]
    assert len(found.flips.between("nb", "recall")) == len(found.flips)
    assert gm.distinguish([nb, "f1"], 4).witness("nb", "f1") == gm.distinguish([nb, "f1"], 4).witness(nb, "f1")


def test_an_unknown_name_is_still_refused():
    with pytest.raises(ValueError, match="'nb' is not the name of a measure"):
        gm.sweep(Y, S).best("nb")


def test_two_functions_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two measures named '<lambda>'"):
        gm.evaluate(Y, P, measures=[lambda c: c.ratio(c.tp, c.n), lambda c: c.ratio(c.tn, c.n)])

    def f1(c):
        return c.ratio(c.tp, c.n)

    with pytest.raises(ValueError, match="two measures named 'f1'"):
        gm.evaluate(Y, P, measures=["f1", f1])
    assert gm.evaluate(Y, P, measures=[nb, nb]).value("nb") == pytest.approx(1 / 6)


def test_a_function_of_an_array_is_told_what_a_measure_takes():
    with pytest.raises(TypeError, match=r"share raised TypeError.*a measure is a function of c"):
        gm.evaluate(Y, P, measures=[share])


def share(matrix):
    return matrix[1, 1] / matrix.sum()


def test_macro_of_my_function_is_a_measure():
    counts = [[3, 1, 0], [0, 2, 1], [1, 1, 4]]
    by_class = [gm.measure(nb)(gm.ConfusionMatrix(counts).vs_rest(i)) for i in range(3)]
    assert gm.macro(nb)(counts) == pytest.approx(sum(by_class) / 3)
    assert gm.evaluate([0, 1, 2, 2], [0, 1, 1, 2], measures=[gm.macro(nb)]).value("macro(nb)") == pytest.approx(1 / 6)
